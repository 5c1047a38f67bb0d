/* test_samplers.c: the strategies that draw executions, on a subject made by hand: that they hit what they promise to hit
 * at least as often as they promise, draw as evenly as they say, and draw the same executions however the work is cut
 * up. Seeds are fixed, so that what is said of chance here is as it is every time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/text.h"
#include "core/engine.h"
#include "strategies/strategies.h"

#include "toy_subject.h"

typedef eo_strategy *opener(const eo_strategy_options *options, eo_error *error);

static const struct {
  const char *name;
  opener *open;
} samplers[] = {{"random", eo__random_open}, {"irs", eo__irs_open}, {"pct", eo__pct_open},  {"pctcp", eo__pctcp_open},
                {"tapct", eo__tapct_open},   {"pos", eo__pos_open}, {"surw", eo__surw_open}};
enum { SAMPLERS = sizeof samplers / sizeof *samplers };

/* ---- Running ------------------------------------------------------------------------------------------------------ */

typedef struct tally {
  bool (*hit)(const char *execution, const void *what); /* is this what is looked for? NULL: nothing is */
  const void *what;
  EO_VEC(char *) executions; /* all of them, if `keep` */
  bool keep;
  uint64_t ended, hits, pruned;
  uint32_t longest;
  const toy *toy;
} tally;

static bool note(void *context, const eo_outcome *outcome) {
  tally *count = context;
  count->ended++;
  count->pruned += outcome->end == EO_END_PRUNED;
  if (outcome->depth > count->longest) count->longest = outcome->depth;
  const char *execution = count->toy->now.path;
  if (count->hit && count->hit(execution, count->what)) count->hits++;
  if (count->keep) assert_true(eo_vec_push(&count->executions, eo__strdup(execution)));
  return true;
}

static void explore(toy *t, eo_strategy *strategy, tally *count) {
  eo_error error = {0};
  eo_engine engine;
  assert_non_null(strategy);
  count->toy = t;
  eo__engine_init(&engine, &t->base, strategy);
  engine.ended = note;
  engine.context = count;
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  eo__engine_release(&engine);
}

/* Draws so many, and returns how many hit; *promise: what it says that each does at least, with -1 for nothing. */
static uint64_t hits(toy *t, opener *open, const eo_strategy_options *options, bool (*hit)(const char *, const void *),
                     const void *what, double *promise) {
  eo_strategy_options wanted = *options;
  wanted.view = eo_subject_view(&t->base);
  eo_strategy *strategy = open(&wanted, NULL);
  tally count = {.hit = hit, .what = what};
  explore(t, strategy, &count);
  eo_text words;
  eo__text_init(&words);
  assert_int_equal(strategy->ops->telling->coverage(strategy, &words), EO_COVERS_SAMPLE);
  assert_non_null(strstr(words.chars, "drawn at random"));
  assert_true(words.length < 200);
  const char *at = strstr(words.chars, "with probability at least ");
  if (promise) *promise = at ? strtod(at + strlen("with probability at least "), NULL) : -1;
  eo__text_release(&words);
  strategy->ops->close(strategy);
  assert_int_equal(count.ended, options->executions);
  return count.hits;
}

/* ---- What is promised ----------------------------------------------------------------------------------------------- */

/* A bug of depth d: events x1, ..., xd happen as late as they can. An event is the nth of a process. */
typedef struct bug {
  uint32_t depth;
  struct {
    char process;
    uint32_t nth;
  } late[4];
} bug;

/* Whatever does not have to come after one of x_i, ..., x_d comes before x_i (a strong hit). Processes A, B and C do not
 * wait for each other; what D does is not looked at. */
static bool shows(const char *execution, const void *what) {
  const bug *b = what;
  uint32_t done[4] = {0}, at = 0, left = 0;
  for (const char *c = execution; *c; c++) {
    uint32_t nth = done[*c - 'A']++;
    if (*c == 'D') continue;
    if (at < b->depth && b->late[at].process == *c && b->late[at].nth == nth) {
      at++;
      continue;
    }
    bool after = false;
    for (uint32_t i = 0; i < b->depth; i++) after |= i < at && b->late[i].process == *c && b->late[i].nth < nth;
    for (uint32_t i = at; i < b->depth; i++)
      if (b->late[i].process == *c && b->late[i].nth <= nth) return false; /* a later one of them is passed by */
    left += at > 0 && !after;
  }
  return at == b->depth && left == 0;
}

static void draw_bug(eo_rng *rng, const toy *t, uint32_t depth, bug *b) {
  uint32_t next[3] = {0};
  b->depth = depth;
  for (uint32_t i = 0; i < depth;) {
    uint32_t process = eo__rng_below(rng, 3);
    if (next[process] >= t->lengths[process]) continue;
    uint32_t nth = next[process] + eo__rng_below(rng, t->lengths[process] - next[process]);
    next[process] = nth + 1;
    b->late[i].process = (char)('A' + (int)process);
    b->late[i++].nth = nth;
  }
}

/* A, B and C send to D, which receives all of it. */
static void draw_program(eo_rng *rng, toy *t) {
  uint32_t lengths[3], sum = 0;
  for (int i = 0; i < 3; i++) sum += lengths[i] = 1 + eo__rng_below(rng, 3);
  toy_init(t, lengths[0], lengths[1], lengths[2], sum);
  for (uint32_t p = 0; p < 3; p++)
    for (uint32_t i = 0; i < lengths[p]; i++) t->steps[p][i].sends = 'D';
  for (uint32_t i = 0; i < sum; i++) t->steps[3][i].receives = '!';
}

static void bugs_are_hit_as_often_as_promised(void **state) {
  enum { PROGRAMS = 9, EXECUTIONS = 8000 };
  static opener *const openers[] = {eo__pct_open, eo__pctcp_open, eo__tapct_open};
  (void)state;
  eo_rng rng;
  eo__rng_init(&rng, 2010);
  for (int program = 0; program < PROGRAMS; program++) {
    toy t;
    bug b;
    uint32_t depth = 1 + (uint32_t)program % 3;
    draw_program(&rng, &t);
    while (t.lengths[3] < depth + 1) draw_program(&rng, &t);
    draw_bug(&rng, &t, depth, &b);
    for (size_t i = 0; i < 3; i++) {
      double promise;
      eo_strategy_options options = {
          .seed = 7 + (uint64_t)program, .executions = EXECUTIONS, .bug_depth = depth, .length = 0};
      uint64_t hit = hits(&t, openers[i], &options, shows, &b, &promise);
      double expected = promise * EXECUTIONS;
      assert_true(promise > 0 && promise < 1);
      printf("program %d, depth %u, sampler %zu: promised %.1f, hit %ju\n", program, depth, i, expected,
             (uintmax_t)hit);
      if ((double)hit < expected - 4 * sqrt(expected)) fail_msg("%ju hits, promised %.1f", (uintmax_t)hit, expected);
    }
  }
}

/* With depth 1 nobody is ever interrupted: each order of the processes, evenly. */
static bool starts_with(const char *execution, const void *what) { return strncmp(execution, what, strlen(what)) == 0; }

static void pct_of_depth_1_only_orders_processes(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 3, 2, 2, 0);
  static const char *const orders[] = {"AAABBCC", "AAACCBB", "BBAAACC", "BBCCAAA", "CCAAABB", "CCBBAAA"};
  uint64_t sum = 0;
  for (size_t i = 0; i < 6; i++) {
    uint64_t hit =
        hits(&t, eo__pct_open, &(eo_strategy_options){.seed = 3, .executions = 6000, .bug_depth = 1, .length = 7},
             starts_with, orders[i], NULL);
    assert_true(hit > 850 && hit < 1150);
    sum += hit;
  }
  assert_int_equal(sum, 6000);
}

static double promised(toy *t, opener *open, uint32_t depth) {
  double promise;
  hits(t, open, &(eo_strategy_options){.seed = 1, .executions = 500, .bug_depth = depth}, NULL, NULL, &promise);
  return promise;
}

/* A message that is passed on from one to the next is one chain of events, however many processes there are. */
static void chains_follow_messages(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 1, 2, 2, 1);
  t.steps[0][0].sends = 'B';
  t.steps[1][0].receives = '!';
  t.steps[1][1].sends = 'C';
  t.steps[2][0].receives = '!';
  t.steps[2][1].sends = 'D';
  t.steps[3][0].receives = '!';
  assert_true(promised(&t, eo__pctcp_open, 1) == 1); /* one chain: there is nothing to order */
  assert_true(fabs(promised(&t, eo__pct_open, 1) - 0.25) < 0.001);
  assert_true(fabs(promised(&t, eo__pctcp_open, 2) - 0.333) < 0.001); /* three events */
  assert_true(promised(&t, eo__tapct_open, 2) == 1);                  /* none of which races */
}

/* Only what races counts: C and D talk to each other, A and B both to D. */
static void tapct_counts_races(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 1, 1, 4, 2);
  t.steps[0][0].sends = t.steps[1][0].sends = 'D';
  for (int i = 0; i < 4; i++) t.steps[2][i].sends = 'A'; /* nobody else sends there */
  t.steps[3][0].receives = t.steps[3][1].receives = '!';
  assert_true(fabs(promised(&t, eo__pctcp_open, 2) - 1.0 / 3 / 6) < 0.001);
  assert_true(fabs(promised(&t, eo__tapct_open, 2) - 1.0 / 2 / 2) < 0.001);
}

/* ---- How evenly ----------------------------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The sum of squared distances from what would be even, as chi-square; *kinds: how many different executions. */
static double unevenness(toy *t, opener *open, uint64_t executions, size_t *kinds) {
  eo_strategy_options options = {
      .seed = 5, .executions = executions, .bug_depth = 3, .view = eo_subject_view(&t->base)};
  eo_strategy *strategy = open(&options, NULL);
  tally count = {.keep = true};
  explore(t, strategy, &count);
  strategy->ops->close(strategy);
  qsort(count.executions.items, count.executions.count, sizeof(char *), by_text);
  double squares = 0, run = 0;
  *kinds = 0;
  for (size_t i = 0; i < count.executions.count; i++) {
    run++;
    bool last =
        i + 1 == count.executions.count || by_text(&count.executions.items[i], &count.executions.items[i + 1]) != 0;
    if (!last) continue;
    squares += run * run;
    ++*kinds;
    run = 0;
  }
  for (size_t i = 0; i < count.executions.count; i++) eo__free(count.executions.items[i]);
  eo_vec_release(&count.executions);
  return squares * (double)*kinds / (double)executions - (double)executions;
}

/* 7! / (4! 2! 1!) = 105 interleavings, 104 degrees of freedom: 177 is five standard deviations off. */
static void urw_is_even(void **state) {
  (void)state;
  toy t;
  size_t kinds;
  toy_init(&t, 4, 2, 1, 0);
  double even = unevenness(&t, eo__surw_open, 21000, &kinds);
  assert_int_equal(kinds, 105);
  printf("chi-square: surw %.0f", even);
  assert_true(even < 177);
  double uneven = unevenness(&t, eo__random_open, 21000, &kinds);
  printf(", random %.0f\n", uneven);
  assert_true(uneven > 2000);
}

/* A spawns B and C: the linear extensions of a forest. 1 + 3 steps of A, 2 of B, 2 of C: hook lengths give how many. */
static void urw_is_even_with_spawns(void **state) {
  (void)state;
  toy t;
  size_t kinds;
  toy_init(&t, 4, 2, 2, 0);
  t.steps[0][0].spawns = 'B';
  t.steps[0][1].spawns = 'C';
  double even = unevenness(&t, eo__surw_open, 21000, &kinds);
  assert_int_equal(kinds, 8 * 7 * 6 * 5 * 4 * 3 * 2 / (8 * 5 * 2 * 1 * 2 * 1 * 2 * 1));
  printf("chi-square with spawns: surw %.0f of %zu\n", even, kinds);
  assert_true(even < (double)kinds + 5 * sqrt(2 * (double)kinds));
}

static bool ends_with(const char *execution, const void *what) {
  return strcmp(execution + strlen(execution) - strlen(what), what) == 0;
}

/* B has to do eight steps of its own before the only one that races with A's: random gives that up at each of them, pos
 * decides once. (What the paper is about: 1/10 against 1/512.) */
static void pos_decides_races_only(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 1, 9, 0, 0);
  t.steps[0][0] = t.steps[1][8] = (toy_step){.variable = 1, .writes = true};
  eo_strategy_options options = {.seed = 1, .executions = 10000};
  uint64_t pos = hits(&t, eo__pos_open, &options, ends_with, "A", NULL);
  uint64_t random = hits(&t, eo__random_open, &options, ends_with, "A", NULL);
  printf("A last: pos %ju, random %ju\n", (uintmax_t)pos, (uintmax_t)random);
  assert_true(pos > 800 && random < 50);
}

static bool alternates(const char *execution, const void *what) {
  (void)what;
  return strcmp(execution, "ABABABAB") == 0 || strcmp(execution, "BABABABA") == 0;
}

/* Each write of one variable is a race with the next one of the other: drawn anew, each is even. Of writes to different
 * variables none is, and whoever has a high priority goes on. */
static void pos_draws_anew_what_races(void **state) {
  (void)state;
  toy t;
  eo_strategy_options options = {.seed = 1, .executions = 10000};
  uint64_t found[2];
  for (uint32_t same = 0; same < 2; same++) {
    toy_init(&t, 4, 4, 0, 0);
    for (uint32_t p = 0; p < 2; p++)
      for (int i = 0; i < 4; i++) t.steps[p][i] = (toy_step){.variable = same ? 1 : 1 + p, .writes = true};
    found[same] = hits(&t, eo__pos_open, &options, alternates, NULL, NULL);
  }
  printf("alternating: %ju of one variable, %ju of two\n", (uintmax_t)found[1], (uintmax_t)found[0]);
  assert_true(found[1] > 10000 / 64 * 3 / 4 && found[1] < 10000 / 64 * 4 / 3);
  assert_true(found[0] * 4 < found[1]);
}

static bool a_sends_first(const char *execution, const void *what) {
  uint32_t done = 0;
  (void)what;
  for (const char *c = execution; *c != 'B'; c++)
    if (*c == 'A' && ++done == 13) return true;
  return false;
}

/* A has twelve steps of its own before it sends to C, B sends at once. */
static void surw_orders_what_is_interesting(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 13, 13, 2, 0);
  t.steps[0][12].sends = t.steps[1][0].sends = 'C';
  t.steps[2][0].receives = t.steps[2][1].receives = '!';
  eo_strategy_options options = {.seed = 1, .executions = 10000};
  uint64_t surw = hits(&t, eo__surw_open, &options, a_sends_first, NULL, NULL);
  uint64_t random = hits(&t, eo__random_open, &options, a_sends_first, NULL, NULL);
  printf("A sends first: surw %ju, random %ju\n", (uintmax_t)surw, (uintmax_t)random);
  assert_true(surw > 2000 && random < 50);
}

/* 3 executions of at most 2 steps, 9 of at most 4, 27 of at most 6, ... */
static void irs_goes_deeper_and_deeper(void **state) {
  (void)state;
  static const struct {
    uint64_t executions, pruned;
    uint32_t longest;
  } rows[] = {{3, 3, 2}, {4, 4, 4}, {12, 12, 4}, {13, 13, 6}, {39, 39, 6}, {40, 39, 7}, {100, 39, 7}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    toy t;
    toy_init(&t, 4, 3, 0, 0);
    eo_strategy *strategy = eo__irs_open(&(eo_strategy_options){.executions = rows[i].executions, .length = 2}, NULL);
    tally count = {0};
    explore(&t, strategy, &count);
    strategy->ops->close(strategy);
    assert_int_equal(count.ended, rows[i].executions);
    assert_int_equal(count.pruned, rows[i].pruned);
    assert_int_equal(count.longest, rows[i].longest);
  }
}

/* ---- In pieces ------------------------------------------------------------------------------------------------------ */

/* Everything that samplers look at: messages that race, objects, values, timeouts, spawns. */
static void all_sorts(toy *t, bool takes) {
  toy_init(t, 5, 3, 3, 3);
  t->steps[0][0].spawns = 'B';
  t->steps[0][1].spawns = 'C';
  t->steps[0][2].values = 3;
  t->steps[0][3] = (toy_step){.receives = '?'};
  t->steps[0][4] = (toy_step){.receives = '!', .from = 'C'};
  t->steps[1][0].sends = t->steps[2][0].sends = t->steps[2][2].sends = 'A';
  t->steps[1][1] = (toy_step){.variable = 1, .writes = true};
  t->steps[3][1] = (toy_step){.variable = 1};
  t->takes = takes;
}

static char *sorted(tally *count) {
  eo_text all;
  eo__text_init(&all);
  qsort(count->executions.items, count->executions.count, sizeof(char *), by_text);
  for (size_t i = 0; i < count->executions.count; i++) {
    eo__text_add(&all, "%s ", count->executions.items[i]);
    eo__free(count->executions.items[i]);
  }
  eo_vec_release(&count->executions);
  char *text = eo__strdup(all.chars);
  eo__text_release(&all);
  return text;
}

typedef struct pieces {
  tally count;
  uint64_t stop;
} pieces;

static bool note_and_stop(void *context, const eo_outcome *outcome) {
  pieces *p = context;
  note(&p->count, outcome);
  return --p->stop != 0;
}

/* Takes up a fragment, runs some executions, splits what is left, and hands both on; until nothing is left. */
static void explore_in_pieces(toy *t, opener *open, const eo_strategy_options *options, tally *count, eo_rng *rng) {
  EO_VEC(eo_bytes) work = {0};
  eo_error error = {0};
  assert_true(eo_vec_push(&work, (eo_bytes){0}));
  while (work.count) {
    eo_bytes bytes = eo_vec_pop(&work), piece = {0}, rest = {0};
    eo_strategy *strategy = open(options, NULL);
    assert_non_null(strategy);
    if (bytes.count)
      assert_int_equal(strategy->ops->fragments->load(strategy, bytes.items, bytes.count, &error), EO_OK);
    pieces p = {.count = *count, .stop = 1 + eo__rng_below(rng, 60)};
    eo_engine engine;
    eo__engine_init(&engine, &t->base, strategy);
    engine.ended = note_and_stop;
    engine.context = &p;
    assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
    eo__engine_release(&engine);
    *count = p.count;
    if (p.stop == 0) { /* there may be more */
      if (strategy->ops->fragments->split(strategy, &piece)) assert_true(eo_vec_push(&work, piece));
      assert_true(strategy->ops->fragments->save(strategy, &rest));
      assert_true(eo_vec_push(&work, rest));
    }
    strategy->ops->close(strategy);
    eo_vec_release(&bytes);
  }
  eo_vec_release(&work);
}

static void pieces_are_the_whole(void **state) {
  (void)state;
  eo_rng rng;
  eo__rng_init(&rng, 11);
  for (size_t i = 0; i < SAMPLERS; i++)
    for (int takes = 0; takes < 2; takes++) {
      toy t;
      all_sorts(&t, takes);
      eo_strategy_options options = {.seed = 9,
                                     .executions = 1500,
                                     .bug_depth = 3,
                                     .view = eo_subject_view(&t.base),
                                     .delivery = takes ? EO_DELIVERY_ASYNC : EO_DELIVERY_MAILBOX};
      tally whole = {.keep = true, .toy = &t}, parts = {.keep = true, .toy = &t};
      eo_strategy *strategy = samplers[i].open(&options, NULL);
      explore(&t, strategy, &whole);
      strategy->ops->close(strategy);
      explore_in_pieces(&t, samplers[i].open, &options, &parts, &rng);
      assert_int_equal(whole.ended, 1500);
      char *a = sorted(&whole), *b = sorted(&parts);
      if (strcmp(a, b) != 0) fail_msg("%s, takes %d: other executions in pieces", samplers[i].name, takes);
      eo__free(a);
      eo__free(b);
    }
}

/* A subject that tells nothing of its events can be sampled too. */
static void plain_subjects_will_do(void **state) {
  (void)state;
  for (size_t i = 0; i < SAMPLERS; i++) {
    toy t;
    toy_init(&t, 3, 3, 0, 0);
    t.base.ops = &toy_plain_ops;
    size_t kinds;
    eo_strategy_options options = {.seed = 2, .executions = 1000, .bug_depth = 3};
    uint64_t hit = hits(&t, samplers[i].open, &options, starts_with, "A", NULL);
    assert_true(hit > 300 && hit < 700);
    (void)unevenness(&t, samplers[i].open, 4000, &kinds);
    assert_true(kinds >= 12 && kinds <= 20);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bugs_are_hit_as_often_as_promised),
      cmocka_unit_test(pct_of_depth_1_only_orders_processes),
      cmocka_unit_test(chains_follow_messages),
      cmocka_unit_test(tapct_counts_races),
      cmocka_unit_test(urw_is_even),
      cmocka_unit_test(urw_is_even_with_spawns),
      cmocka_unit_test(pos_decides_races_only),
      cmocka_unit_test(pos_draws_anew_what_races),
      cmocka_unit_test(surw_orders_what_is_interesting),
      cmocka_unit_test(irs_goes_deeper_and_deeper),
      cmocka_unit_test(pieces_are_the_whole),
      cmocka_unit_test(plain_subjects_will_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
