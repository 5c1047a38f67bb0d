/* test_strategies_unit.c: the strategies, their wrappers, the engine and minimising, on a subject made by hand: which
 * executions they run, in which order, and what they say of themselves. valgrind: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/text.h"
#include "core/engine.h"
#include "core/minimise.h"
#include "strategies/strategies.h"

#include "toy_subject.h"

/* ---- Running ------------------------------------------------------------------------------------------------------ */

/* One run: what to run, and what came out. Filled by hand, then given to `run`, which closes the strategy. */
typedef struct session {
  toy *toy;
  eo_strategy *strategy;
  void (*prepare)(struct session *session); /* may change the engine before it runs; NULL: nothing */
  uint64_t stop_after;                      /* `ended` says stop after so many; 0: never */

  eo_engine engine;
  eo_text log; /* the executions in order; ! fails, - pruned */
  uint64_t ended;
  eo_failure failure; /* of the last one that failed */
  eo_coverage coverage;
  eo_text covered;
  double share;
  uint64_t pending;
} session;

static bool note(void *context, const eo_outcome *outcome) {
  session *s = context;
  assert_true(outcome->counted);
  assert_true((outcome->failure != NULL) == (outcome->end == EO_END_FAILED));
  if (s->log.length) eo__text_add(&s->log, " ");
  for (uint32_t i = 0; i < outcome->depth; i++) {
    eo__text_add(&s->log, "%c", 'A' + (int)outcome->choices[i].process);
    if (outcome->choices[i].value) eo__text_add(&s->log, "%u", outcome->choices[i].value);
  }
  static const char *const ends[] = {
      [EO_END_FINISHED] = "", [EO_END_FAILED] = "!", [EO_END_PRUNED] = "-", [EO_END_CUT] = "/"};
  eo__text_add(&s->log, "%s", ends[outcome->end]);
  if (outcome->failure) s->failure = *outcome->failure;
  return ++s->ended != s->stop_after;
}

static void run(session *s) {
  eo_error error = {0};
  assert_non_null(s->strategy);
  eo__text_init(&s->log);
  eo__text_init(&s->covered);
  eo__engine_init(&s->engine, &s->toy->base, s->strategy);
  s->engine.ended = note;
  s->engine.context = s;
  if (s->prepare) s->prepare(s);
  assert_int_equal(eo__engine_run(&s->engine, &error), EO_OK);
  s->coverage = s->strategy->ops->telling->coverage(s->strategy, &s->covered);
  s->share = s->strategy->ops->telling->share ? s->strategy->ops->telling->share(s->strategy) : -1;
  s->pending = s->strategy->ops->telling->pending ? s->strategy->ops->telling->pending(s->strategy) : 0;
  eo__engine_release(&s->engine);
  s->strategy->ops->close(s->strategy);
  assert_int_equal(s->toy->kept, 0);
}

static void release(session *s) {
  eo__text_release(&s->log);
  eo__text_release(&s->covered);
}

static eo_strategy *dfs(void) { return eo__dfs_open(&(eo_strategy_options){0}, NULL); }

static eo_strategy *preempt(int bound) {
  return eo__preempt_open(&(eo_strategy_options){.bounded = bound >= 0, .bound = bound >= 0 ? (uint32_t)bound : 0},
                          NULL);
}

static eo_strategy *draw(uint64_t seed, uint64_t executions) {
  return eo__random_open(&(eo_strategy_options){.seed = seed, .executions = executions}, NULL);
}

/* Runs it and expects these executions; returns the session, for what else there is to look at. */
static session expect(toy *t, eo_strategy *strategy, const char *executions) {
  session s = {.toy = t, .strategy = strategy};
  run(&s);
  assert_string_equal(s.log.chars, executions);
  return s;
}

static void expect_only(toy *t, eo_strategy *strategy, const char *executions) {
  session s = expect(t, strategy, executions);
  release(&s);
}

static void two_by_two(toy *t) { toy_init(t, 2, 2, 0, 0); }

#define ALL_OF_TWO_BY_TWO "AABB ABAB ABBA BAAB BABA BBAA"

/* ---- dfs ---------------------------------------------------------------------------------------------------------- */

static void dfs_runs_each_once_in_order(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 2, 1, 0, 0);
  expect_only(&t, dfs(), "AAB ABA BAA");
  two_by_two(&t);
  expect_only(&t, dfs(), ALL_OF_TWO_BY_TWO);
  toy_init(&t, 1, 1, 1, 0);
  expect_only(&t, dfs(), "ABC ACB BAC BCA CAB CBA");
  toy_init(&t, 3, 0, 0, 0);
  expect_only(&t, dfs(), "AAA");
  toy_init(&t, 0, 0, 0, 0); /* it ends where it begins */
  expect_only(&t, dfs(), "");
}

/* 8! / (2! 2! 2! 2!) */
static void dfs_counts(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 2, 2, 2, 2);
  session s = {.toy = &t, .strategy = dfs()};
  run(&s);
  assert_int_equal(s.ended, 2520);
  assert_int_equal(s.engine.executions, 2520);
  assert_int_equal(s.coverage, EO_COVERS_ALL);
  assert_string_equal(s.covered.chars, "every interleaving");
  assert_int_equal(s.pending, 0);
  release(&s);
}

static void dfs_takes_values_and_waits(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 1, 1, 0, 0);
  t.steps[0][0].values = 3;
  expect_only(&t, dfs(), "AB A1B A2B BA BA1 BA2");
  toy_init(&t, 2, 1, 0, 0); /* A's second step waits for B */
  t.steps[0][1] = (toy_step){.after = 'B', .after_steps = 1};
  expect_only(&t, dfs(), "ABA BAA");
}

/* What lies behind a failure is not explored; what lies beside it is. */
static const char *fails_at_ab(const toy_state *s) { return strcmp(s->path, "AB") == 0 ? "AB" : NULL; }

static void dfs_goes_on_beside_a_failure(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  t.fails = fails_at_ab;
  expect_only(&t, dfs(), "AABB AB! BAAB BABA BBAA");
  expect_only(&t, preempt(-1), "AABB BBAA BAAB AB! BABA");
}

static bool share_grows(void *context, const eo_outcome *outcome) {
  session *s = context;
  (void)outcome;
  static const double shares[] = {0, 1.0 / 4, 1.0 / 4 + 1.0 / 8, 1.0 / 2, 1.0 / 2 + 1.0 / 8, 3.0 / 4};
  static const uint64_t pending[] = {2, 2, 1, 2, 1, 0};
  assert_float_equal(s->strategy->ops->telling->share(s->strategy), shares[s->ended], 1e-9);
  assert_int_equal(s->strategy->ops->telling->pending(s->strategy), pending[s->ended]);
  s->ended++;
  return true;
}

static void watch_share(session *s) { s->engine.ended = share_grows; }

static void dfs_knows_its_share(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  session s = {.toy = &t, .strategy = dfs(), .prepare = watch_share};
  run(&s);
  assert_int_equal(s.ended, 6);
  assert_float_equal(s.share, 1, 1e-9); /* at its end, all of it */
  release(&s);
}

/* ---- preempt ------------------------------------------------------------------------------------------------------ */

static void preempt_goes_by_preemptions(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  session s = expect(&t, preempt(-1), "AABB BBAA BAAB ABBA ABAB BABA");
  assert_int_equal(s.coverage, EO_COVERS_ALL);
  assert_string_equal(s.covered.chars, "every interleaving; none has more than 2 preemptions");
  assert_int_equal(s.pending, 0);
  release(&s);
}

static void preempt_knows_its_share(void **state) {
  (void)state;
  for (int bound = -1; bound < 3; bound++) {
    toy t;
    two_by_two(&t);
    session s = {.toy = &t, .strategy = preempt(bound)};
    run(&s);
    assert_float_equal(s.share, 1, 1e-9); /* at its end, all that is within the bound */
    release(&s);
  }
}

static void preempt_stops_at_its_bound(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  session s = expect(&t, preempt(0), "AABB BBAA");
  assert_int_equal(s.coverage, EO_COVERS_BOUND);
  assert_string_equal(s.covered.chars, "every interleaving of at most 0 preemptions");
  release(&s);
  s = expect(&t, preempt(1), "AABB BBAA BAAB ABBA");
  assert_int_equal(s.coverage, EO_COVERS_BOUND);
  assert_string_equal(s.covered.chars, "every interleaving of at most 1 preemption");
  release(&s);
  s = expect(&t, preempt(2), "AABB BBAA BAAB ABBA ABAB BABA"); /* the bound cuts nothing off */
  assert_int_equal(s.coverage, EO_COVERS_ALL);
  release(&s);
}

/* Another value of the same process, or another process when the last one waits, is no preemption. */
static void preempt_counts_preemptions_only(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 2, 1, 0, 0);
  t.steps[0][1].values = 2;
  expect_only(&t, preempt(0), "AAB AA1B BAA BAA1");
  expect_only(&t, preempt(1), "AAB AA1B BAA BAA1 ABA ABA1");
  toy_init(&t, 2, 1, 0, 0);
  t.steps[0][1] = (toy_step){.after = 'B', .after_steps = 1};
  expect_only(&t, preempt(0), "ABA BAA");
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The executions of a log, sorted; their texts stay the log's. */
static char **sorted(session *s) {
  char **words = calloc(s->ended, sizeof *words);
  size_t count = 0;
  assert_non_null(words);
  for (char *word = strtok(s->log.chars, " "); word; word = strtok(NULL, " ")) words[count++] = word;
  assert_int_equal(count, s->ended);
  qsort(words, count, sizeof *words, by_text);
  return words;
}

/* The same executions as dfs, whatever the shape. */
static void preempt_agrees_with_dfs(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 3, 2, 2, 1);
  t.steps[0][1].values = 2;
  t.steps[1][1] = (toy_step){.after = 'A', .after_steps = 2};
  t.steps[2][0].values = 3;
  session all = {.toy = &t, .strategy = dfs()}, other = {.toy = &t, .strategy = preempt(-1)};
  run(&all);
  run(&other);
  assert_int_equal(all.ended, other.ended);
  char **expected = sorted(&all), **got = sorted(&other);
  for (size_t i = 0; i < all.ended; i++) assert_string_equal(got[i], expected[i]);
  for (size_t i = 1; i < all.ended; i++) assert_string_not_equal(got[i - 1], got[i]);
  free(expected);
  free(got);
  release(&all);
  release(&other);
}

/* ---- random ------------------------------------------------------------------------------------------------------- */

static void random_draws_by_its_seed(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  session a = {.toy = &t, .strategy = draw(1, 200)}, b = {.toy = &t, .strategy = draw(1, 200)},
          c = {.toy = &t, .strategy = draw(2, 200)};
  run(&a);
  run(&b);
  run(&c);
  assert_int_equal(a.ended, 200);
  assert_string_equal(a.log.chars, b.log.chars);
  assert_string_not_equal(a.log.chars, c.log.chars);
  static const char all[] = ALL_OF_TWO_BY_TWO;
  for (size_t i = 0; i + 4 < sizeof all; i += 5) {
    char word[5] = {all[i], all[i + 1], all[i + 2], all[i + 3], 0};
    if (!strstr(a.log.chars, word)) fail_msg("200 draws never gave %s", word);
  }
  assert_int_equal(a.coverage, EO_COVERS_SAMPLE);
  assert_string_equal(a.covered.chars, "200 interleavings drawn at random with seed 1");
  assert_float_equal(a.share, 1, 1e-9);
  assert_int_equal(a.pending, 0);
  release(&a);
  release(&b);
  release(&c);
}

/* ---- replay ------------------------------------------------------------------------------------------------------- */

static eo_strategy *replay(const char *path) {
  eo_choice choices[TOY_PATH];
  uint32_t count = 0;
  for (; *path; path++)
    if (*path >= 'A')
      choices[count++] = (eo_choice){.process = (uint32_t)(*path - 'A')};
    else
      choices[count - 1].value = (uint32_t)(*path - '0');
  return eo__replay_open(choices, count, NULL);
}

static void replay_runs_one(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  session s = expect(&t, replay("ABBA"), "ABBA");
  assert_int_equal(s.coverage, EO_COVERS_SAMPLE);
  release(&s);
  expect_only(&t, replay("AB"), "AB-"); /* no more choices: it goes no further */
  expect_only(&t, replay(""), "-");
  expect_only(&t, replay("AAAB"), "AA-");   /* there is no third step of A */
  expect_only(&t, replay("AABBA"), "AABB"); /* over before the choices are */
  toy_init(&t, 1, 1, 0, 0);
  t.steps[0][0].values = 3;
  expect_only(&t, replay("BA2"), "BA2");
  expect_only(&t, replay("A3B"), "-"); /* no such value */
}

/* ---- recheck ------------------------------------------------------------------------------------------------------ */

static const char *fails_at_abba(const toy_state *s) { return strcmp(s->path, "ABBA") == 0 ? "ABBA" : NULL; }

static void recheck_runs_failures_twice(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  t.fails = fails_at_abba;
  session s = expect(&t, eo__recheck_open(dfs(), NULL), "AABB ABAB ABBA! BAAB BABA BBAA");
  assert_int_equal(s.engine.executions, 7);
  assert_int_equal(s.failure.kind, EO_KIND_ASSERTION);
  assert_string_equal(s.failure.message, "ABBA");
  release(&s);
  t.fails = fails_at_ab;
  expect_only(&t, eo__recheck_open(preempt(-1), NULL), "AABB BBAA BAAB AB! BABA");
  t.fails = NULL;
  s = expect(&t, eo__recheck_open(dfs(), NULL), ALL_OF_TWO_BY_TWO);
  assert_int_equal(s.engine.executions, 6);
  release(&s);
}

/* A deadlock is found at the end, when there is no step to blame. */
static void recheck_knows_ends(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 1, 2, 0, 0);
  t.steps[1][1] = (toy_step){.after = 'A', .after_steps = 2}; /* never */
  t.deadlock = true;
  session s = expect(&t, eo__recheck_open(dfs(), NULL), "AB! BA!");
  assert_int_equal(s.failure.kind, EO_KIND_DEADLOCK);
  assert_int_equal(s.engine.executions, 4);
  release(&s);
}

static int failures_seen;
static const char *fails_once(const toy_state *s) { return fails_at_abba(s) && failures_seen++ == 0 ? "once" : NULL; }
static const char *fails_differently(const toy_state *s) {
  return !fails_at_abba(s) ? NULL : failures_seen++ == 0 ? "one" : "two";
}

static void recheck_reports_what_does_not_repeat(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  failures_seen = 0;
  t.fails = fails_once;
  session s = expect(&t, eo__recheck_open(dfs(), NULL), "AABB ABAB ABBA!"); /* and no further */
  assert_int_equal(s.failure.kind, EO_KIND_NONDETERMINISM);
  assert_non_null(strstr(s.failure.message, "assertion: once"));
  assert_non_null(strstr(s.failure.message, "no failure"));
  release(&s);
  failures_seen = 0;
  t.fails = fails_differently;
  s = expect(&t, eo__recheck_open(dfs(), NULL), "AABB ABAB ABBA!");
  assert_int_equal(s.failure.kind, EO_KIND_NONDETERMINISM);
  assert_non_null(strstr(s.failure.message, "assertion: two"));
  release(&s);
}

/* ---- stop --------------------------------------------------------------------------------------------------------- */

static eo_strategy *stop(eo_strategy *inner, eo_stop_options options, char *reason) {
  options.reason = reason;
  return eo__stop_open(inner, &options, NULL);
}

static void stop_after_executions(void **state) {
  (void)state;
  toy t;
  char reason[128];
  two_by_two(&t);
  expect_only(&t, stop(dfs(), (eo_stop_options){.executions = 3}, reason), "AABB ABAB ABBA");
  assert_string_equal(reason, "after 3 executions");
  expect_only(&t, stop(dfs(), (eo_stop_options){.executions = 6}, reason), ALL_OF_TWO_BY_TWO);
  assert_string_equal(reason, "after 6 executions"); /* that was all there is, but it has not asked */
  expect_only(&t, stop(dfs(), (eo_stop_options){.executions = 7}, reason), ALL_OF_TWO_BY_TWO);
  assert_string_equal(reason, "");
  expect_only(&t, stop(dfs(), (eo_stop_options){.look = true}, reason), ""); /* there are some, it looked */
  assert_string_equal(reason, "after 0 executions");
  expect_only(&t, stop(dfs(), (eo_stop_options){0}, reason), ALL_OF_TWO_BY_TWO);
  assert_string_equal(reason, "");
}

static void stop_at_failure(void **state) {
  (void)state;
  toy t;
  char reason[128];
  two_by_two(&t);
  t.fails = fails_at_ab;
  expect_only(&t, stop(dfs(), (eo_stop_options){.at_failure = true}, reason), "AABB AB!");
  assert_string_equal(reason, "at the first finding");
  expect_only(&t, eo__recheck_open(stop(dfs(), (eo_stop_options){.at_failure = true}, reason), NULL), "AABB AB!");
  assert_string_equal(reason, "at the first finding");
  expect_only(&t, stop(dfs(), (eo_stop_options){.executions = 9}, reason),
              "AABB AB! BAAB BABA BBAA"); /* not asked for */
  assert_string_equal(reason, "");
}

static volatile int flag;
static bool raise_flag(void *context, const eo_outcome *outcome) {
  bool more = note(context, outcome);
  flag = ((session *)context)->ended == 2;
  return more;
}
static void will_raise_flag(session *s) { s->engine.ended = raise_flag; }

static void stop_when_told(void **state) {
  (void)state;
  toy t;
  char reason[128];
  two_by_two(&t);
  flag = 0;
  session s = {
      .toy = &t, .strategy = stop(dfs(), (eo_stop_options){.flag = &flag}, reason), .prepare = will_raise_flag};
  run(&s);
  assert_string_equal(s.log.chars, "AABB ABAB");
  assert_string_equal(reason, "interrupted");
  release(&s);
  flag = 1; /* not even one; called back, at least one */
  expect_only(&t, stop(dfs(), (eo_stop_options){.flag = &flag}, reason), "");
  expect_only(&t, stop(dfs(), (eo_stop_options){.recall = &flag}, reason), "AABB");
  assert_string_equal(reason, "called back");
}

static bool count_only(void *context, const eo_outcome *outcome) {
  (void)outcome;
  ((session *)context)->ended++;
  return true;
}
static void only_count(session *s) { s->engine.ended = count_only; }

/* Of draws without end, in a time that even a slow machine has. */
static void stop_after_seconds(void **state) {
  (void)state;
  toy t;
  char reason[128];
  two_by_two(&t);
  session s = {.toy = &t,
               .strategy = stop(draw(1, UINT64_MAX), (eo_stop_options){.seconds = 0.05}, reason),
               .prepare = only_count};
  run(&s);
  assert_string_equal(reason, "after 0.05 s");
  assert_true(s.ended > 0);
  release(&s);
}

/* ---- meter -------------------------------------------------------------------------------------------------------- */

static void at_most_three(session *s) { s->engine.max_depth = 3; }

static eo_strategy_ops pruning_ops;
static uint32_t (*choose_unpruned)(eo_strategy *strategy, const eo_point *point);

static uint32_t prune_at_three(eo_strategy *strategy, const eo_point *point) {
  return point->depth == 3 ? EO_PRUNE : choose_unpruned(strategy, point);
}

static eo_strategy *dfs_that_prunes(void) {
  eo_strategy *strategy = dfs();
  pruning_ops = *strategy->ops;
  choose_unpruned = pruning_ops.choose;
  pruning_ops.choose = prune_at_three;
  strategy->ops = &pruning_ops;
  return strategy;
}

static void meter_counts(void **state) {
  (void)state;
  toy t;
  eo_meter meter = {0};
  two_by_two(&t);
  t.fails = fails_at_ab;
  expect_only(&t, eo__recheck_open(eo__meter_open(dfs(), &meter, NULL), NULL), "AABB AB! BAAB BABA BBAA");
  assert_int_equal(meter.executions, 5); /* the repeated one is not counted */
  assert_int_equal(meter.pruned, 0);
  assert_int_equal(meter.max_depth, 4);
  assert_int_equal(meter.depth, 4);

  eo_meter outside = {0}; /* it must not count the repeated one where it sees it, either */
  expect_only(&t, eo__meter_open(eo__recheck_open(dfs(), NULL), &outside, NULL), "AABB AB! BAAB BABA BBAA");
  assert_int_equal(outside.executions, 5);

  eo_meter pruned = {0};
  t.fails = NULL;
  session s = {.toy = &t, .strategy = eo__meter_open(dfs_that_prunes(), &pruned, NULL)};
  run(&s);
  assert_string_equal(s.log.chars, "AAB- ABA- ABB- BAA- BAB- BBA-");
  assert_int_equal(pruned.executions, 0);
  assert_int_equal(pruned.pruned, 6);
  assert_int_equal(pruned.max_depth, 3);
  release(&s);

  eo_meter cut = {0}; /* what was cut off was run, as far as that goes */
  s = (session){.toy = &t, .strategy = eo__meter_open(dfs(), &cut, NULL), .prepare = at_most_three};
  run(&s);
  assert_string_equal(s.log.chars, "AAB/ ABA/ ABB/ BAA/ BAB/ BBA/");
  assert_int_equal(cut.executions, 6);
  assert_int_equal(cut.pruned, 0);
  release(&s);

  eo_meter drawn = {0};
  expect_only(&t, eo__meter_open(preempt(0), &drawn, NULL), "AABB BBAA");
  /* It looked after the first one: a quarter of all, and another quarter is known to be beyond the bound. */
  assert_float_equal(drawn.share, 1.0 / 3, 1e-9);
}

/* ---- The engine --------------------------------------------------------------------------------------------------- */

static void at_most_two(session *s) { s->engine.max_depth = 2; }
static void at_most_two_or_fails(session *s) {
  s->engine.max_depth = 2;
  s->engine.depth_fails = true;
}
static void at_most_four(session *s) { s->engine.max_depth = 4; }

static void depth_is_bounded(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  session s = {.toy = &t, .strategy = dfs(), .prepare = at_most_two};
  run(&s);
  assert_string_equal(s.log.chars, "AA/ AB/ BA/ BB/");
  release(&s);
  s = (session){.toy = &t, .strategy = dfs(), .prepare = at_most_two_or_fails};
  run(&s);
  assert_string_equal(s.log.chars, "AA! AB! BA! BB!");
  assert_int_equal(s.failure.kind, EO_KIND_DEPTH);
  assert_string_equal(s.failure.message, "the execution has more than 2 steps (--depth)");
  release(&s);
  s = (session){.toy = &t, .strategy = dfs(), .prepare = at_most_four};
  run(&s);
  assert_string_equal(s.log.chars, ALL_OF_TWO_BY_TWO); /* 4 are not more than 4 */
  release(&s);
}

static void a_start_can_fail(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  t.start_fails = true;
  session s = expect(&t, eo__recheck_open(dfs(), NULL), "!");
  assert_int_equal(s.failure.kind, EO_KIND_CRASH);
  assert_int_equal(s.engine.executions, 2);
  release(&s);
}

static void ended_can_stop(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  session s = {.toy = &t, .strategy = dfs(), .stop_after = 2};
  run(&s);
  assert_string_equal(s.log.chars, "AABB ABAB");
  release(&s);
}

static void without_checkpoints(session *s) { s->engine.no_checkpoints = true; }
static void with_all_checkpoints(session *s) { s->engine.all_checkpoints = true; }

static void lies_are_seen(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  t.lies_from = 2;
  session s = {.toy = &t, .strategy = eo__recheck_open(dfs(), NULL), .prepare = without_checkpoints};
  run(&s);
  assert_int_equal(s.ended, 2);
  assert_int_equal(s.failure.kind, EO_KIND_NONDETERMINISM);
  assert_string_equal(
      s.failure.message,
      "the same choices led to a different execution when they were run again: step 1, of A, has another outcome");
  release(&s);
  /* What it can no longer know: random shares no steps, so nothing is run again. */
  t.resets = 0;
  s = (session){.toy = &t, .strategy = draw(1, 5)};
  run(&s);
  assert_int_equal(s.ended, 5);
  assert_int_equal(s.failure.kind, EO_KIND_NONE);
  release(&s);
}

/* Of five executions of that length, with those that are run again. */
static unsigned runs_of_five(uint32_t depth) {
  eo_strategy *strategy = eo__rerun_open(draw(1, 5), NULL);
  unsigned runs = 0;
  for (eo_beginning next = {.chooser = strategy}; strategy->ops->begin(strategy, &next); runs++)
    strategy->ops->end(strategy, &(eo_outcome){.end = EO_END_FINISHED, .depth = depth, .counted = true});
  strategy->ops->close(strategy);
  return runs;
}

/* A strategy whose executions share nothing is checked as well: some of them are run twice. */
static void second_runs_see_lies(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  t.lies_from = 4; /* that is the second run of the second execution */
  session s = {.toy = &t, .strategy = eo__rerun_open(draw(1, 5), NULL)};
  run(&s);
  assert_int_equal(s.failure.kind, EO_KIND_NONDETERMINISM);
  release(&s);
  /* Whoever does the same each time has as many executions as without. */
  two_by_two(&t);
  s = (session){.toy = &t, .strategy = eo__rerun_open(dfs(), NULL)};
  run(&s);
  assert_int_equal(s.ended, 6);
  assert_int_equal(s.failure.kind, EO_KIND_NONE);
  assert_int_equal(t.resets, 6 + 5); /* the first four, and the last */
  release(&s);
  assert_int_equal(runs_of_five(2000), 5 + 4);
  assert_int_equal(runs_of_five(5000), 5 + 2);  /* the first, and the last */
  assert_int_equal(runs_of_five(20000), 5 + 1); /* the last as well would be too much */
}

static unsigned audits;

static void count_audit(eo_subject *subject, bool on) {
  (void)subject;
  audits += on;
}

static uint32_t is_unsure(eo_subject *subject) {
  (void)subject;
  return 0;
}

static bool is_due(eo_subject *subject) {
  (void)subject;
  return true;
}

static const eo_auditing counting_audits = {.audit = count_audit, .unsure = is_unsure, .due = is_due};
static const eo_subject_ops audited_ops = {TOY_OPS, .saving = &toy_saving, .states = &toy_states,
                                           .relations = &toy_relations, .auditing = &counting_audits};

static void with_audits(session *s) { s->engine.audits = true; }

/* When only the time calls for audits, the second run of an execution that was audited needs none. */
static void second_runs_are_not_audited_again(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  t.base.ops = &audited_ops;
  audits = 0;
  session s = {.toy = &t, .strategy = eo__rerun_open(dfs(), NULL), .prepare = with_audits};
  run(&s);
  assert_int_equal(s.ended, 6);
  assert_int_equal(audits, 6); /* and not 11 */
  release(&s);
}

/* On the last stretch it saves where it comes back to: beside the steps that are new, it runs few again. And nowhere if it
 * never comes back. */
static void short_executions_go_back(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 6, 6, 0, 0);
  t.save_cost = 1;
  session s = {.toy = &t, .strategy = dfs()};
  run(&s);
  assert_int_equal(s.ended, 924);
  assert_true(t.restores > 850);
  assert_in_range(t.steps_run, 3431, 3431 * 5 / 4); /* the steps of the tree; of 924 * 12 */
  assert_true(t.saves < 924);
  release(&s);
  toy_init(&t, 6, 6, 0, 0);
  t.save_cost = 1;
  s = (session){.toy = &t, .strategy = draw(1, 100)};
  run(&s);
  assert_int_equal(t.saves, 0);
  release(&s);
}

/* The same executions with and without; and each step is either run or skipped. */
static void checkpoints_change_nothing(void **state) {
  (void)state;
  for (int strategy = 0; strategy < 2; strategy++) {
    toy t;
    toy_init(&t, 60, 2, 0, 0);
    session plain = {.toy = &t, .strategy = strategy ? preempt(-1) : dfs(), .prepare = without_checkpoints};
    run(&plain);
    assert_int_equal(plain.ended, 62 * 61 / 2);
    assert_int_equal(plain.engine.counts.transitions, 62 * 61 / 2 * 62);
    assert_int_equal(plain.engine.counts.transitions, t.steps_run);
    assert_int_equal(plain.engine.counts.skipped + plain.engine.counts.restores + t.saves + t.restores, 0);

    toy_init(&t, 60, 2, 0, 0);
    session some = {.toy = &t, .strategy = strategy ? preempt(-1) : dfs()};
    run(&some);
    assert_string_equal(some.log.chars, plain.log.chars);
    assert_int_equal(some.engine.counts.transitions, t.steps_run);
    assert_int_equal(some.engine.counts.transitions + some.engine.counts.skipped, plain.engine.counts.transitions);
    assert_int_equal(some.engine.counts.restores, t.restores);
    if (strategy == 0) assert_true(t.restores > 0);

    toy_init(&t, 60, 2, 0, 0);
    session all = {.toy = &t, .strategy = strategy ? preempt(-1) : dfs(), .prepare = with_all_checkpoints};
    run(&all);
    assert_string_equal(all.log.chars, plain.log.chars);
    assert_int_equal(all.engine.counts.transitions + all.engine.counts.skipped, plain.engine.counts.transitions);
    assert_true(all.engine.counts.skipped > some.engine.counts.skipped);
    assert_true(t.restores > 0);

    toy_init(&t, 60, 2, 0, 0);
    t.loses = 3;
    session lossy = {.toy = &t, .strategy = strategy ? preempt(-1) : dfs(), .prepare = with_all_checkpoints};
    run(&lossy);
    assert_string_equal(lossy.log.chars, plain.log.chars);
    assert_int_equal(lossy.engine.counts.transitions + lossy.engine.counts.skipped, plain.engine.counts.transitions);
    assert_true(t.lost > 0);

    toy_init(&t, 60, 2, 0, 0); /* too dear to pay */
    t.save_cost = 1000;
    session dear = {.toy = &t, .strategy = strategy ? preempt(-1) : dfs()};
    run(&dear);
    assert_string_equal(dear.log.chars, plain.log.chars);
    assert_int_equal(t.saves + t.restores, 0);

    toy_init(&t, 60, 2, 0, 0);
    t.base.ops = &toy_plain_ops; /* cannot save at all */
    session cannot = {.toy = &t, .strategy = strategy ? preempt(-1) : dfs()};
    run(&cannot);
    assert_string_equal(cannot.log.chars, plain.log.chars);
    release(&plain);
    release(&some);
    release(&all);
    release(&lossy);
    release(&dear);
    release(&cannot);
  }
}

/* ---- What the engine calls ---------------------------------------------------------------------------------------- */

static eo_engine_place shared_place;
static uint64_t betweens;
static void between(void *context) {
  (void)context;
  betweens++;
}

/* The second step of the first execution may not be taken; what lies beside it may. */
static bool refuse(void *context, uint64_t execution, uint32_t depth, eo_failure *failure) {
  (void)context;
  assert_int_equal(execution, shared_place.execution);
  if (execution != 1 || depth != 1) return false;
  *failure = (eo_failure){.kind = EO_KIND_CRASH, .message = "refused"};
  return true;
}

static void with_refusal(session *s) {
  s->engine.before_step = refuse;
  s->engine.between = between;
  s->engine.place = &shared_place;
}

static void a_refused_step_leaves_its_siblings(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  betweens = 0;
  session s = {.toy = &t, .strategy = dfs(), .prepare = with_refusal};
  run(&s);
  assert_int_equal(s.failure.kind, EO_KIND_CRASH);
  assert_string_equal(s.failure.message, "refused");
  /* AABB is the one that is lost; whether the refused step is among those told is the engine's affair. */
  const char *rest = strchr(s.log.chars, ' ');
  assert_non_null(rest);
  assert_string_equal(rest, " ABAB ABBA BAAB BABA BBAA");
  assert_int_equal(betweens, 6);
  assert_int_equal(shared_place.execution, 6);
  assert_int_equal(shared_place.depth, 3);
  release(&s);
  s = (session){.toy = &t, .strategy = preempt(-1), .prepare = with_refusal};
  run(&s);
  rest = strchr(s.log.chars, ' ');
  assert_non_null(rest);
  assert_string_equal(rest, " BBAA BAAB ABBA ABAB BABA");
  release(&s);
}

static eo_finding finding;
static void into_finding(session *s) {
  eo__finding_release(&finding);
  eo__finding_init(&finding);
  s->engine.describe = &finding;
}

static void steps_are_described(void **state) {
  (void)state;
  static const struct {
    const char *path, *preempting;
    uint32_t switches, preemptions;
  } rows[] = {{"AABB", "    ", 1, 0}, {"ABBA", " x  ", 2, 1}, {"ABAB", " xx ", 3, 2}, {"BBAA", "    ", 1, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    toy t;
    two_by_two(&t);
    session s = {.toy = &t, .strategy = replay(rows[i].path), .prepare = into_finding};
    run(&s);
    assert_false(t.described); /* only while it ran */
    assert_int_equal(finding.lines.count, 4);
    for (size_t k = 0; k < 4; k++) {
      assert_int_equal(finding.lines.items[k].process[0], rows[i].path[k]);
      assert_int_equal(finding.lines.items[k].preempts, rows[i].preempting[k] == 'x');
    }
    assert_int_equal(finding.switches, rows[i].switches);
    assert_int_equal(finding.preemptions, rows[i].preemptions);
    release(&s);
  }
  eo__finding_release(&finding);
}

/* ---- Minimising --------------------------------------------------------------------------------------------------- */

static void expect_minimal(toy *t, const char *from, const char *to, bool fewest_expected) {
  eo_schedule schedule = {0};
  eo_error error = {0};
  eo_failure failure;
  bool fewest = !fewest_expected;
  char got[TOY_PATH] = "";
  session s = {.toy = t, .strategy = replay(from)};
  run(&s);
  if (s.failure.kind == EO_KIND_NONE) fail_msg("%s does not fail", from);
  failure = s.failure;
  release(&s);
  for (const char *c = from; *c; c++)
    assert_true(eo_vec_push(&schedule, ((eo_choice){.process = (uint32_t)(*c - 'A')})));
  assert_int_equal(eo__minimise(&t->base, 100, &failure, NULL, &schedule, &fewest, &error), EO_OK);
  for (size_t i = 0; i < schedule.count; i++) got[i] = (char)('A' + schedule.items[i].process);
  assert_string_equal(got, to);
  assert_int_equal(fewest, fewest_expected);
  assert_int_equal(t->kept, 0);
  eo_vec_release(&schedule);
}

/* At the end: B has begun before A was through, and A before B. */
static const char *fails_when_mixed(const toy_state *s) {
  return s->depth == 4 && s->path[0] == 'A' && s->path[1] == 'B' ? "mixed" : NULL;
}

static const char *fails_when_b_sees_one(const toy_state *s) {
  const char last = s->path[s->depth - 1];
  return last == 'B' && s->done[0] == 1 ? "B saw one of A" : NULL;
}

static void minimising_finds_the_fewest_switches(void **state) {
  (void)state;
  toy t;
  two_by_two(&t);
  t.fails = fails_when_mixed;
  expect_minimal(&t, "ABAB", "ABBA", true);
  expect_minimal(&t, "ABBA", "ABBA", true);
  toy_init(&t, 2, 1, 2, 1);
  t.fails = fails_when_b_sees_one;
  expect_minimal(&t, "CACB", "AB", true); /* C and D have nothing to do with it */
  expect_minimal(&t, "DCCAB", "AB", true);
  assert_int_equal(eo__schedule_switches(NULL, 0), 0);
}

static const char *fails_when_b_sees_any(const toy_state *s) {
  return s->path[s->depth - 1] == 'B' && s->done[0] >= 1 ? "B saw some of A" : NULL;
}

/* With as many switches, the shorter one; but not where that would take a preemption more. */
static void minimising_leaves_out_steps(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 5, 1, 0, 0);
  t.fails = fails_when_b_sees_any;
  expect_minimal(&t, "AAAB", "AB", true);
  expect_minimal(&t, "AAAAAB", "AAAAAB", true);
  expect_minimal(&t, "AB", "AB", true);
}

/* Another failure on the way is not taken for the one that is looked for. */
static const char *fails_in_two_ways(const toy_state *s) {
  if (strcmp(s->path, "AB") == 0) return "another";
  return strcmp(s->path, "CABCB") == 0 || strcmp(s->path, "CCABB") == 0 ? "wanted" : NULL;
}

static void minimising_keeps_to_the_failure(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 1, 2, 2, 0);
  t.fails = fails_in_two_ways;
  expect_minimal(&t, "CABCB", "CCABB", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dfs_runs_each_once_in_order),
      cmocka_unit_test(dfs_counts),
      cmocka_unit_test(dfs_takes_values_and_waits),
      cmocka_unit_test(dfs_goes_on_beside_a_failure),
      cmocka_unit_test(dfs_knows_its_share),
      cmocka_unit_test(preempt_goes_by_preemptions),
      cmocka_unit_test(preempt_knows_its_share),
      cmocka_unit_test(preempt_stops_at_its_bound),
      cmocka_unit_test(preempt_counts_preemptions_only),
      cmocka_unit_test(preempt_agrees_with_dfs),
      cmocka_unit_test(random_draws_by_its_seed),
      cmocka_unit_test(replay_runs_one),
      cmocka_unit_test(recheck_runs_failures_twice),
      cmocka_unit_test(recheck_knows_ends),
      cmocka_unit_test(recheck_reports_what_does_not_repeat),
      cmocka_unit_test(stop_after_executions),
      cmocka_unit_test(stop_at_failure),
      cmocka_unit_test(stop_when_told),
      cmocka_unit_test(stop_after_seconds),
      cmocka_unit_test(meter_counts),
      cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(a_start_can_fail),
      cmocka_unit_test(ended_can_stop),
      cmocka_unit_test(lies_are_seen),
      cmocka_unit_test(second_runs_see_lies),
      cmocka_unit_test(second_runs_are_not_audited_again),
      cmocka_unit_test(checkpoints_change_nothing),
      cmocka_unit_test(short_executions_go_back),
      cmocka_unit_test(a_refused_step_leaves_its_siblings),
      cmocka_unit_test(steps_are_described),
      cmocka_unit_test(minimising_finds_the_fewest_switches),
      cmocka_unit_test(minimising_leaves_out_steps),
      cmocka_unit_test(minimising_keeps_to_the_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
