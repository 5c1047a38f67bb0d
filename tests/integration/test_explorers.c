/* test_explorers.c: delaying explorers, ses and ss. ses comes through exactly the states that a plain breadth-first search
 * finds, under every explorer and with every kind of cache (Desai et al. 2015, theorem 2), in one piece or in parts; ss draws an
 * execution at least as often as theorem 3 says; an explorer that is not sound is caught. */
#include <everyorder.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "core/engine.h"
#include "explorers/explorer.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"

#include "random_program.h"
#include "state_oracle.h"

/* ---- Explorers of this test ------------------------------------------------------------------------------------- */

/* Takes the last choice, then the one before it, ...: without a ring, and with a state of one word. */
static size_t word_size(uint32_t processes) { return (void)processes, sizeof(uint32_t); }
static void word_init(void *state, uint64_t seed) { (void)state, (void)seed; }
static uint32_t last_next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  return (void)choices, (count - 1 + *(const uint32_t *)state) % count;
}
static void last_delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  uint32_t *skipped = state;
  (void)choices;
  *skipped = (*skipped + count - 1) % count;
}
static void word_step(void *state, const eo_explorer_step *step) {
  if (step->kind != EO_STEP_HINT) *(uint32_t *)state = 0;
}
static const eo_explorer backwards = {EO_EXPLORER_VERSION, "backwards", "",         word_size,
                                      word_init,           last_next,   last_delay, word_step};

static void no_delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  (void)state, (void)choices, (void)count;
}
static const eo_explorer stays = {EO_EXPLORER_VERSION, "stays",   "",       word_size,
                                  word_init,           last_next, no_delay, word_step};

static uint32_t too_large(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  return (void)state, (void)choices, count;
}
static const eo_explorer outside = {EO_EXPLORER_VERSION, "outside", "",         word_size,
                                    word_init,           too_large, last_delay, word_step};

/* Gives all of them, and then sticks to the last. */
static uint32_t end_next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  uint32_t at = *(const uint32_t *)state;
  return (void)choices, at < count ? at : count - 1;
}
static void end_delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  (void)choices, (void)count;
  ++*(uint32_t *)state;
}
static const eo_explorer sticks = {EO_EXPLORER_VERSION, "sticks", "",        word_size,
                                   word_init,           end_next, end_delay, word_step};

static const eo_explorer *const sound[] = {&eo__explorer_rr,  &eo__explorer_rtc,    &eo__explorer_prr,
                                           &eo__explorer_any, &eo__explorer_custom, &backwards};
enum { SOUND = sizeof sound / sizeof *sound };

/* ---- Exploring ---------------------------------------------------------------------------------------------------- */

/* A strategy that asks another one and notes every state it comes to, and every execution. */
typedef struct noting {
  eo_strategy base;
  eo_strategy *inner;
  eo_subject *subject;
  oracle met;
  uint64_t executions, begun, most; /* executions that begin, those that are cut short included */
  bool cut;
  EO_VEC(uint64_t) drawn; /* hashes of executions of so many delays */
  uint32_t delays;
} noting;

static void note_state(noting *n) {
  oracle_state state = {.depth = 0};
  n->subject->ops->states->fingerprint(n->subject, state.print);
  oracle_add(&n->met, &state);
}

static void noting_close(eo_strategy *strategy) { (void)strategy; }

static bool noting_begin(eo_strategy *strategy, eo_beginning *beginning) {
  noting *n = (noting *)strategy;
  if (n->most && n->begun >= n->most) {
    n->cut = true;
    return false;
  }
  bool more = n->inner->ops->begin(n->inner, beginning);
  beginning->chooser = strategy;
  n->begun += more;
  strategy->error = n->inner->error;
  return more;
}

static uint32_t noting_choose(eo_strategy *strategy, const eo_point *point) {
  noting *n = (noting *)strategy;
  if (point->depth == 0 && n->met.states.count == 0) note_state(n);
  uint32_t index = n->inner->ops->choose(n->inner, point);
  strategy->error = n->inner->error;
  strategy->trouble = n->inner->trouble;
  return index;
}

static void noting_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  noting *n = (noting *)strategy;
  if (!(event->flags & EO_EVENT_FAILED)) note_state(n);
  n->inner->ops->observe(n->inner, depth, taken, event);
}

static void noting_end(eo_strategy *strategy, eo_outcome *outcome) {
  noting *n = (noting *)strategy;
  n->executions += outcome->end != EO_END_PRUNED;
  n->inner->ops->end(n->inner, outcome);
  if (!n->delays || n->inner->ops->telling->delays(n->inner) != n->delays) return;
  uint64_t hash = 0;
  for (uint32_t i = 0; i < outcome->depth; i++) {
    hash += outcome->choices[i].process * 31u + outcome->choices[i].value;
    hash = eo_explorer_random(&hash);
  }
  assert_true(eo_vec_push(&n->drawn, hash));
}

static const eo_strategy_ops noting_ops = {.close = noting_close,
                                           .begin = noting_begin,
                                           .choose = noting_choose,
                                           .observe = noting_observe,
                                           .end = noting_end};

static eo_subject *open_subject(eo_function function, void *argument) {
  eo_error error;
  eo_actor_options options = {.function = function, .argument = argument, .watchdog = 10, .fingerprints = true};
  eo_subject *subject = eo__actor_open(&options, &error);
  assert_non_null(subject);
  return subject;
}

static void noting_release(noting *n) {
  oracle_release(&n->met);
  eo_vec_release(&n->drawn);
}

/* Runs the strategy on to its end, or until it has run `most` executions. */
static int run(noting *n, eo_subject *subject, eo_strategy *inner, eo_error *error) {
  eo_engine engine;
  n->base = (eo_strategy){.ops = &noting_ops};
  n->inner = inner;
  n->subject = subject;
  eo__engine_init(&engine, subject, &n->base);
  int code = eo__engine_run(&engine, error);
  eo__engine_release(&engine);
  return code;
}

static eo_strategy *open_ses(eo_subject *subject, const eo_explorer *explorer, eo_visited *visited) {
  eo_error error;
  eo_strategy_options options = {
      .view = eo_subject_view(subject), .explorer = explorer, .seed = 5, .delay_step = 1, .visited = visited};
  eo_strategy *strategy = eo__ses_open(&options, &error);
  assert_non_null(strategy);
  return strategy;
}

/* ---- States ------------------------------------------------------------------------------------------------------- */

static void same_states(const oracle *expected, const oracle *got, const char *explorer, const char *cache) {
  if (expected->states.count != got->states.count)
    print_error("%s, cache %s: %zu states instead of %zu\n", explorer, cache, got->states.count,
                expected->states.count);
  assert_int_equal(expected->states.count, got->states.count);
  oracle *set = (oracle *)got;
  for (size_t i = 0; i < expected->states.count; i++) assert_false(oracle_add(set, &expected->states.items[i]));
}

typedef struct kind {
  eo_cache_mode mode;
  const char *name;
  uint64_t bytes;
} kind;

/* One explorer, one cache. True: it was run to its end. */
static bool explore(eo_subject *subject, const oracle *expected, const eo_explorer *explorer, const kind *cache,
                    size_t *full) {
  eo_error error;
  noting n = {.most = cache->mode == EO_CACHE_UNLIMITED ? 0 : 5000};
  eo_visited *visited = NULL;
  if (cache->mode != EO_CACHE_OFF) {
    visited = eo__visited_open(cache->mode, cache->bytes, &error);
    if (!visited) print_error("%s\n", error.text);
    assert_non_null(visited);
  }
  eo_strategy *ses = open_ses(subject, explorer, visited);
  assert_int_equal(run(&n, subject, ses, &error), EO_OK);
  if (!n.cut) {
    eo_text words;
    eo__text_init(&words);
    assert_int_equal(ses->ops->telling->coverage(ses, &words), EO_COVERS_ALL);
    eo__text_release(&words);
    same_states(expected, &n.met, explorer->name, cache->name);
    if (cache->mode == EO_CACHE_UNLIMITED) assert_int_equal(ses->ops->telling->states(ses), expected->states.count);
  }
  bool whole = !n.cut;
  if (visited) *full += eo__visited_lost(visited) > 0;
  ses->ops->close(ses);
  eo__visited_close(visited);
  noting_release(&n);
  return whole;
}

/* Puts the work away after each execution, and deals it out to two: what is left of both is done in turns. */
static size_t in_parts(eo_subject *subject, const oracle *expected, const eo_explorer *explorer) {
  eo_error error;
  enum { MOST = 4096 };
  eo_bytes *parts = calloc(MOST, sizeof *parts);
  eo_visited *visited = eo__visited_open(EO_CACHE_UNLIMITED, 0, &error);
  size_t first = 0, count = 1, splits = 0;
  noting n = {0};
  assert_non_null(parts);
  while (first < count && count + 2 < MOST) {
    eo_strategy *ses = open_ses(subject, explorer, visited);
    if (parts[first].count)
      assert_int_equal(ses->ops->fragments->load(ses, parts[first].items, parts[first].count, &error), EO_OK);
    eo_vec_release(&parts[first]);
    first++;
    n.most = n.begun + 40;
    n.cut = false;
    assert_int_equal(run(&n, subject, ses, &error), EO_OK);
    if (n.cut) {
      if (ses->ops->fragments->split(ses, &parts[count])) count++, splits++;
      assert_true(ses->ops->fragments->save(ses, &parts[count]));
      count++;
    }
    ses->ops->close(ses);
  }
  assert_true(first == count);
  same_states(expected, &n.met, explorer->name, "in parts");
  eo__visited_close(visited);
  free(parts);
  noting_release(&n);
  return splits;
}

static void states_of_random_programs(void **state) {
  (void)state;
  /* Of the two in the middle, small enough to be full soon. */
  static const kind caches[] = {{EO_CACHE_UNLIMITED, "unlimited", 0},
                                {EO_CACHE_REFUSE, "refuse", 12288},
                                {EO_CACHE_REPLACE, "replace", 12288},
                                {EO_CACHE_OFF, "off", 0}};
  size_t whole[4] = {0}, programs = 0, splits = 0, full = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    int first = 0;
    if (seed % 3)
      draw_program(seed);
    else
      draw_busy_program(seed);
    memset(notes->pids, 0, sizeof notes->pids);
    snprintf(notes->ids[0], sizeof notes->ids[0], "P1");
    eo_subject *subject = open_subject(learn_pids, &first);
    eo_event event[64];
    const eo_choice *choices;
    subject->ops->reset(subject);
    for (int i = 0; i < 60 && subject->ops->enabled(subject, &choices); i++)
      subject->ops->step(subject, choices[0], &event[i]);
    subject->ops->close(subject);
    subject = open_subject(run_script, &first);
    oracle o;
    bool good = oracle_run(&o, subject, 500);
    oracle_release(&o); /* that was to call everything once: see state_oracle.h */
    good = good && oracle_run(&o, subject, 500);
    if (good && !o.more && o.states.count > 1) {
      programs++;
      for (size_t i = 0; i < SOUND; i++)
        for (size_t c = 0; c < 4; c++) whole[c] += explore(subject, &o, sound[i], &caches[c], &full);
      splits += in_parts(subject, &o, sound[seed % SOUND]);
    }
    oracle_release(&o);
    subject->ops->close(subject);
  }
  print_message("%zu programs; to the end with each cache: %zu %zu %zu %zu; %zu splits; %zu caches were full\n",
                programs, whole[0], whole[1], whole[2], whole[3], splits, full);
  assert_true(programs > 15 && splits > 10 && full > 5);
  assert_int_equal(whole[0], programs * SOUND);
  for (int c = 1; c < 4; c++) assert_true(whole[c] > programs);
}

/* ---- Samples ------------------------------------------------------------------------------------------------------ */

static void pair(void *argument) {
  eo_pid to = *(eo_pid *)argument;
  for (int i = 0; i < 2; i++) eo_send(to, 1, &i, sizeof i);
}

static void three(void *argument) {
  (void)argument;
  eo_pid self = eo_self();
  eo_message message;
  for (int i = 0; i < 2; i++) eo_spawn(pair, &self, sizeof self);
  for (int i = 0; i < 4; i++) eo_receive(&message, EO_FOREVER);
}

static void faulty(void *argument) {
  eo_pid to = *(eo_pid *)argument;
  if (eo_fault("drop")) return;
  eo_send(to, 1, NULL, 0);
}

static void three_with_faults(void *argument) {
  (void)argument;
  eo_pid self = eo_self();
  eo_message message;
  for (int i = 0; i < 2; i++) eo_spawn(faulty, &self, sizeof self);
  eo_receive(&message, 0);
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Each execution of two delays that there is, as ses finds them without a cache, is the outcome of at least its share of
 * the samples of two delays, but for four times the standard deviation. Where one fault may happen, which ses counts as a delay,
 * half of the samples have none; the others have one at one of the fault points, of which there are fewer than points
 * with a choice. */
static void check_spread(eo_function function, uint32_t faults) {
  enum { DELAYS = 2, SAMPLES = 40000 };
  eo_error error;
  for (size_t e = 0; e < 2; e++) { /* of prr each sample has its own executions */
    eo_actor_options with = {.function = function, .watchdog = 10, .fingerprints = true, .faults = {.most = faults}};
    eo_subject *subject = eo__actor_open(&with, &error);
    assert_non_null(subject);
    noting all = {.delays = DELAYS};
    eo_strategy_options options = {.view = eo_subject_view(subject),
                                   .explorer = sound[e],
                                   .delays_bounded = true,
                                   .delays = DELAYS,
                                   .delay_step = 1,
                                   .samples = SAMPLES - 1,
                                   .faults = faults,
                                   .growth = 1,
                                   .seed = 11};
    eo_strategy *ses = eo__ses_open(&options, &error);
    assert_int_equal(run(&all, subject, ses, &error), EO_OK);
    ses->ops->close(ses);
    noting drawn = {.delays = DELAYS};
    eo_strategy *ss = eo__ss_open(&options, &error);
    assert_int_equal(run(&drawn, subject, ss, &error), EO_OK);
    eo_text words;
    eo__text_init(&words);
    assert_int_equal(ss->ops->telling->coverage(ss, &words), EO_COVERS_SAMPLE);
    const char *at = strstr(words.chars, "1/");
    assert_non_null(at);
    double branches = atof(at + 2), p = 1 / (branches * branches * (faults + 1));
    assert_true(branches >= 2 && branches <= 20);
    assert_true(faults || drawn.drawn.count <= SAMPLES); /* some come to where no other delay is left */
    qsort(drawn.drawn.items, drawn.drawn.count, sizeof(uint64_t), by_number);
    double least = SAMPLES * p - 4 * sqrt(SAMPLES * p * (1 - p));
    assert_true(all.drawn.count > 10 && least > 20);
    for (size_t i = 0; i < all.drawn.count; i++) {
      size_t times = 0;
      for (size_t j = 0; j < drawn.drawn.count; j++) times += drawn.drawn.items[j] == all.drawn.items[i];
      assert_true((double)times >= least);
    }
    eo__text_release(&words);
    ss->ops->close(ss);
    noting_release(&all);
    noting_release(&drawn);
    subject->ops->close(subject);
  }
}

static void samples_are_spread(void **state) {
  (void)state;
  check_spread(three, 0);
  check_spread(three_with_faults, 1);
}

/* ---- Soundness ---------------------------------------------------------------------------------------------------- */

static void unsound_explorers_are_caught(void **state) {
  (void)state;
  static const eo_explorer *const bad[] = {&stays, &outside, &sticks};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    for (int sampling = 0; sampling < 2; sampling++) {
      eo_error error = {0};
      noting n = {0};
      eo_subject *subject = open_subject(three, NULL);
      eo_strategy_options options = {.view = eo_subject_view(subject),
                                     .explorer = bad[i],
                                     .delay_step = 1,
                                     .samples = 10,
                                     .growth = 1,
                                     .executions = 100};
      eo_strategy *strategy = sampling ? eo__ss_open(&options, &error) : eo__ses_open(&options, &error);
      assert_int_equal(run(&n, subject, strategy, &error), EO_EINPUT);
      assert_non_null(strstr(error.text, bad[i]->name));
      assert_non_null(strstr(error.text, "is not sound: at step"));
      strategy->ops->close(strategy);
      noting_release(&n);
      subject->ops->close(subject);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unsound_explorers_are_caught),
      cmocka_unit_test(samples_are_spread),
      cmocka_unit_test(states_of_random_programs),
  };
  if (!open_notes()) return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
