/* test_auto.c: the plan of `auto` (registry/auto.h): whose turn it is, what finishes it, and its bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "frontier/policy.h"
#include "registry/auto.h"

static eo_auto_slice turn(const eo_auto *plan) { return (eo_auto_slice){.executions = plan->left}; }

/* Lets members take turns until this one has its turn. */
static void until(eo_auto *plan, eo_auto_member_id member) {
  for (int i = 0; i < 1000 && plan->turn != member; i++)
    assert_int_equal(eo__auto_ran(plan, &(eo_auto_slice){.executions = plan->left}), EO_AUTO_GOES_ON);
  assert_int_equal(plan->turn, member);
}

/* Every member that can help has a turn in each round, and budgets double; only what is very small is left to dpor alone. */
static void members_take_turns(void **state) {
  (void)state;
  for (int caches = 0; caches < 2; caches++) {
    eo_auto plan;
    uint64_t ran[2][EO_AUTO_MEMBERS] = {0};
    eo__auto_init(&plan, 7, caches, true);
    while (plan.round < 2) {
      eo_auto_slice slice = turn(&plan);
      ran[plan.round][plan.turn] += slice.executions;
      assert_int_equal(eo__auto_ran(&plan, &slice), EO_AUTO_GOES_ON);
    }
    for (int i = 0; i < EO_AUTO_MEMBERS; i++) {
      bool plays = i != EO_AUTO_DFS && (i != EO_AUTO_SES || caches);
      assert_int_equal(ran[0][i], !plays ? 0 : i == EO_AUTO_DPOR ? 8 : 2);
      assert_int_equal(ran[1][i], plays ? 4 : 0);
    }
    eo__auto_release(&plan);
  }
}

/* A slice may end before the turn does: the clock changes nothing of what comes when. */
static void a_turn_goes_on(void **state) {
  (void)state;
  eo_auto plan;
  eo__auto_init(&plan, 0, true, true);
  eo__auto_hurry(&plan);
  until(&plan, EO_AUTO_PCT);
  until(&plan, EO_AUTO_DPOR); /* of the second round */
  uint64_t all = plan.left;
  assert_true(all > 3);
  assert_int_equal(eo__auto_ran(&plan, &(eo_auto_slice){.executions = 1, .pruned = 2}), EO_AUTO_GOES_ON);
  assert_int_equal(plan.turn, EO_AUTO_DPOR);
  assert_int_equal(plan.left, all - 3);
  eo_auto_slice rest = turn(&plan);
  eo__auto_ran(&plan, &rest);
  assert_int_not_equal(plan.turn, EO_AUTO_DPOR);
  eo__auto_release(&plan);
}

/* What the members ran until the end of a round, if each of their executions has so many steps; of dpor there are `classes`. */
static void rounds(eo_auto *plan, uint32_t last, uint64_t length, double classes) {
  while (plan->round <= last) {
    uint64_t steps = plan->left * (eo__auto_covers(plan->turn) ? 1 + length / 20 : length);
    eo_auto_slice slice = {.executions = plan->left, .steps = steps, .skipped = plan->left * length - steps};
    if (eo__auto_probes(plan, plan->left, false)) eo__estimate_note(&plan->probed, classes, (uint32_t)length);
    assert_true(plan->left > 0);
    assert_int_equal(eo__auto_ran(plan, &slice), EO_AUTO_GOES_ON);
  }
}

static uint64_t steps_of_others(const eo_auto *plan, eo_auto_member_id leader) {
  uint64_t sum = 0;
  for (int i = 0; i < EO_AUTO_MEMBERS; i++) sum += i == (int)leader ? 0 : plan->members[i].steps;
  return sum;
}

/* All begin with the same number of executions, of as many steps as nobody notices; a proof in reach then gets nearly all. */
static void first_what_is_shallow(void **state) {
  (void)state;
  static const uint64_t lengths[] = {20, 300, 2000, 100000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    eo_auto plan;
    eo__auto_init(&plan, 0, true, true);
    rounds(&plan, 0, lengths[i], 1e6);
    for (int m = EO_AUTO_POS; m < EO_AUTO_MEMBERS; m++)
      assert_int_equal(plan.members[m].executions, lengths[i] < 50000 ? 2 : 0);
    rounds(&plan, 12, lengths[i], 1e6);
    const eo_auto_member *dpor = &plan.members[EO_AUTO_DPOR];
    assert_true(dpor->executions > 64 << 12);
    assert_true(steps_of_others(&plan, EO_AUTO_DPOR) <= 50000 + dpor->steps / 5);
    assert_true(plan.members[EO_AUTO_POS].executions > 100);
    eo__auto_release(&plan);
  }
}

/* Where dpor cannot prove anything, all get the same at first; then ses has its chance once, and the others a part of its steps. */
static void patience_with_states(void **state) {
  (void)state;
  for (int reach = 0; reach < 2; reach++) {
    eo_auto plan;
    eo__auto_init(&plan, 0, true, true);
    if (!reach) eo__auto_ran(&plan, &(eo_auto_slice){.executions = 1, .doubts = EO_DOUBT_DEPTH});
    assert_true(plan.members[EO_AUTO_DPOR].over != reach);
    rounds(&plan, 6, 100, 1e30);
    const uint64_t ses = plan.members[EO_AUTO_SES].executions;
    assert_int_equal(ses, 254);
    assert_in_range(plan.members[EO_AUTO_POS].executions, 252, 254);
    const uint64_t shallow = steps_of_others(&plan, EO_AUTO_SES);
    rounds(&plan, 13, 100, 1e30);
    assert_in_range(plan.members[EO_AUTO_SES].executions, 2000000, 2100000);
    uint64_t allowed = 50000 + plan.members[EO_AUTO_SES].steps / 5;
    assert_true(steps_of_others(&plan, EO_AUTO_SES) <= (allowed > shallow ? allowed : shallow));
    uint64_t pos = plan.members[EO_AUTO_POS].executions, more = plan.members[EO_AUTO_SES].executions;
    rounds(&plan, 14, 100, 1e30);
    pos = plan.members[EO_AUTO_POS].executions - pos;
    assert_int_equal(plan.members[EO_AUTO_SES].executions - more, 8 * pos);
    eo__auto_release(&plan);
  }
}

/* Only an exhaustive member without a doubt of its own finishes a plan; what others leave open does not matter. */
static void what_covers(void **state) {
  (void)state;
  eo_auto plan;
  const eo_auto_slice all = {.executions = 1, .ended = true, .coverage = EO_COVERS_ALL};
  eo_auto_slice cut = {.executions = 1, .doubts = EO_DOUBT_DEPTH};
  eo__auto_init(&plan, 0, true, true);
  until(&plan, EO_AUTO_POS);
  assert_int_equal(eo__auto_ran(&plan, &cut), EO_AUTO_GOES_ON);
  until(&plan, EO_AUTO_RANDOM);
  assert_int_equal(eo__auto_ran(&plan, &all), EO_AUTO_GOES_ON); /* a sampler never covers everything */
  assert_true(plan.members[EO_AUTO_RANDOM].over);
  until(&plan, EO_AUTO_DPOR);
  assert_int_equal(eo__auto_ran(&plan, &all), EO_AUTO_COVERED);

  eo__auto_init(&plan, 0, true, true); /* dpor was cut off: it cannot help any more, ses can */
  cut.executions = 1;
  assert_int_equal(eo__auto_ran(&plan, &cut), EO_AUTO_GOES_ON);
  assert_true(plan.members[EO_AUTO_DPOR].over);
  until(&plan, EO_AUTO_SES);
  assert_int_equal(eo__auto_ran(&plan, &all), EO_AUTO_COVERED);
  assert_int_equal(plan.members[EO_AUTO_SES].doubts, 0);

  eo__auto_init(&plan, 0, false, true); /* a doubt of an earlier slice is still one at the end */
  eo_auto_slice shares = {.executions = 1, .doubts = EO_DOUBT_SHARING};
  assert_int_equal(eo__auto_ran(&plan, &shares), EO_AUTO_GOES_ON);
  until(&plan, EO_AUTO_DFS); /* which takes its place */
  assert_int_equal(eo__auto_ran(&plan, &cut), EO_AUTO_GOES_ON);
  assert_true(plan.members[EO_AUTO_DFS].over);

  eo__auto_init(&plan, 0, true, true); /* what it covers counts, not that it ended; a bound is not everything */
  eo_auto_slice bound = all;
  bound.coverage = EO_COVERS_BOUND;
  assert_int_equal(eo__auto_ran(&plan, &bound), EO_AUTO_GOES_ON);
  assert_true(plan.members[EO_AUTO_DPOR].over);
  eo__auto_release(&plan);
}

/* Where no exhaustive member can help, it ends, unless there is a limit that ends it. */
static void ends_without(void **state) {
  (void)state;
  for (int endless = 0; endless < 2; endless++) {
    eo_auto plan;
    eo_auto_news news = EO_AUTO_GOES_ON;
    uint64_t sum = 0;
    eo__auto_init(&plan, 0, false, endless);
    news = eo__auto_ran(&plan, &(eo_auto_slice){.executions = 1, .doubts = EO_DOUBT_DEPTH});
    for (int i = 0; i < 200 && news == EO_AUTO_GOES_ON; i++) {
      eo_auto_slice slice = turn(&plan);
      sum += slice.executions;
      news = eo__auto_ran(&plan, &slice);
    }
    assert_int_equal(news, endless ? EO_AUTO_GOES_ON : EO_AUTO_DRAWN);
    assert_true(sum >= 10000);
    eo__auto_release(&plan);
  }
}

static void put(eo_bytes *bytes, const char *text) {
  for (; *text; text++) assert_true(eo_vec_push(bytes, (unsigned char)*text));
}

static void bytes_and_back(void **state) {
  (void)state;
  eo_auto plan, back;
  eo_bytes bytes = {0}, again = {0};
  eo_error error = {0};
  eo__auto_init(&plan, 1234567890123456789u, true, false);
  until(&plan, EO_AUTO_PCT);
  put(&plan.members[EO_AUTO_DPOR].bytes, "the rest of dpor");
  plan.members[EO_AUTO_POS].doubts = EO_DOUBT_DEPTH;
  plan.probed = (eo_estimate){.probes = 3, .sum = 12.5};
  assert_true(eo__auto_save(&plan, &bytes));
  eo__auto_init(&back, 0, false, false);
  assert_int_equal(eo__auto_load(&back, &bytes, &error), EO_OK);
  assert_int_equal(back.turn, EO_AUTO_PCT);
  assert_true(eo__auto_save(&back, &again));
  assert_int_equal(again.count, bytes.count);
  assert_memory_equal(again.items, bytes.items, bytes.count);
  for (size_t i = 0; i < bytes.count; i++) { /* damaged, or cut off: refused */
    bytes.items[i] ^= 1;
    assert_int_not_equal(eo__auto_load(&back, &bytes, &error), EO_OK);
    bytes.items[i] ^= 1;
    eo_bytes part = bytes;
    part.count = i;
    if (i) assert_int_not_equal(eo__auto_load(&back, &part, &error), EO_OK);
  }
  eo_vec_release(&bytes);
  eo_vec_release(&again);
  eo__auto_release(&plan);
  eo__auto_release(&back);
}

/* Executions of all parts add up; a guarantee is of the part that drew most, and what only holds within a part is left out. */
static void words_of_parts(void **state) {
  (void)state;
  eo_text words;
  eo_tally total = {0}, slice = {0}, other = {0};
  slice.members[EO_AUTO_DPOR] = (eo_member_tally){.executions = 7};
  slice.members[EO_AUTO_PCT] = (eo_member_tally){200, 200, 0.5, "a bug of depth 2"};
  slice.members[EO_AUTO_SES] = (eo_member_tally){9, 9, 0, "all states within 3 delays"};
  other.members[EO_AUTO_PCT] = (eo_member_tally){10, 10, 0.25, "a bug of depth 2 in other steps"};
  eo__tally_add(&total, &slice, false);
  eo__tally_add(&total, &other, false);
  eo__text_init(&words);
  eo__auto_reached(total.members, false, &words);
  assert_non_null(strstr(words.chars, "7 by dpor, 210 by pct, 9 by ses; pct: a bug of depth 2 is hit with"));
  assert_non_null(strstr(words.chars, "0.5 by each"));
  assert_non_null(strstr(words.chars, "; ses: all states within 3 delays"));
  eo__text_clear(&words);
  eo__auto_reached(total.members, true, &words);
  assert_non_null(strstr(words.chars, "0.5 by each"));
  assert_null(strstr(words.chars, "; ses:"));
  eo__text_release(&words);
}

/* Parts of one exhaustive member make up the whole, parts of two would not. */
static void splitting(void **state) {
  (void)state;
  eo_auto plan, first, second;
  eo_bytes piece = {0}, bytes = {0};
  eo_error error = {0};
  eo__auto_init(&plan, 5, true, false);
  until(&plan, EO_AUTO_POS);
  assert_false(eo__auto_splits(&plan));
  eo__auto_hurry(&plan);
  assert_int_equal(plan.turn, EO_AUTO_DPOR);
  assert_false(eo__auto_splits(&plan)); /* or the wrong member might be thrown away */
  assert_true(eo__auto_probes(&plan, 0, true));
  eo__estimate_note(&plan.probed, 1e30, 10);
  assert_false(eo__auto_splits(&plan));
  eo__auto_hurry(&plan);
  assert_int_equal(plan.turn, EO_AUTO_SES);
  assert_true(eo__auto_splits(&plan));
  plan.probed = (eo_estimate){0};
  eo__estimate_note(&plan.probed, 1000, 10);
  eo__auto_hurry(&plan);
  assert_int_equal(plan.turn, EO_AUTO_DPOR);
  assert_true(eo__auto_splits(&plan));
  const uint64_t opening = plan.opening;
  put(&piece, "a part");
  eo_auto *parts[] = {&first, &second};
  for (int i = 0; i < 2; i++) {
    assert_true(eo__auto_split(&plan, &piece, &bytes));
    eo__auto_init(parts[i], 5, true, false);
    assert_int_equal(eo__auto_load(parts[i], &bytes, &error), EO_OK);
    assert_int_equal(parts[i]->turn, EO_AUTO_DPOR);
    assert_memory_equal(parts[i]->members[EO_AUTO_DPOR].bytes.items, "a part", piece.count);
    assert_true(parts[i]->members[EO_AUTO_SES].over);
  }
  assert_true(plan.members[EO_AUTO_SES].over);
  assert_int_equal(plan.opening + second.opening + first.opening, opening);
  assert_true(first.seed != second.seed && first.seed != plan.seed && second.seed != plan.seed);
  eo_vec_release(&piece);
  eo_vec_release(&bytes);
  eo__auto_release(&plan);
  eo__auto_release(&first);
  eo__auto_release(&second);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_take_turns),    cmocka_unit_test(a_turn_goes_on), cmocka_unit_test(patience_with_states),
      cmocka_unit_test(first_what_is_shallow), cmocka_unit_test(what_covers),    cmocka_unit_test(ends_without),
      cmocka_unit_test(bytes_and_back),        cmocka_unit_test(words_of_parts), cmocka_unit_test(splitting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
