/* test_dpor_sets.c: --dpor classic and source on a subject made by hand: the examples of the papers with their known
 * counts, and random programs. For these, source must run exactly one execution of each kind that dfs finds, classic at
 * least one. valgrind: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "core/engine.h"
#include "core/os_process.h"
#include "strategies/strategies.h"

#include "toy_subject.h"

/* ---- Running ------------------------------------------------------------------------------------------------------ */

typedef struct end {
  uint64_t state[2];
} end;

typedef struct result {
  toy *toy;
  EO_VEC(end) ends; /* of those that were not pruned, sorted */
  size_t distinct;
  uint64_t pruned, failed;
  char failures[256]; /* their messages */
  double share;
  uint64_t pending;
} result;

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, sizeof(end)); }

static bool note(void *context, const eo_outcome *outcome) {
  result *r = context;
  end e = {{0}};
  r->pruned += outcome->end == EO_END_PRUNED;
  if (outcome->end == EO_END_PRUNED) return true;
  if (outcome->end == EO_END_FAILED) {
    r->failed++;
    if (!strstr(r->failures, outcome->failure->message)) {
      assert_true(strlen(r->failures) + strlen(outcome->failure->message) + 2 < sizeof r->failures);
      strcat(strcat(r->failures, outcome->failure->message), " ");
    }
    return true;
  }
  r->toy->base.ops->states->fingerprint(&r->toy->base, e.state);
  assert_true(eo_vec_push(&r->ends, e));
  return true;
}

typedef enum { DFS, CLASSIC, SOURCE } which;

static eo_strategy *open_strategy(which how, eo_subject *subject) {
  eo_strategy_options options = {.view = eo_subject_view(subject)};
  return how == DFS ? eo__dfs_open(&options, NULL) : eo__dpor_sets_open(&options, how == SOURCE, NULL);
}

static result explore(toy *t, which how, bool checkpoints) {
  result r = {.toy = t};
  eo_engine engine;
  eo_error error = {0};
  eo_strategy *strategy = eo__recheck_open(open_strategy(how, &t->base), &error);
  assert_non_null(strategy);
  eo__engine_init(&engine, &t->base, strategy);
  engine.ended = note;
  engine.context = &r;
  engine.all_checkpoints = checkpoints;
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  r.share = strategy->ops->telling->share(strategy);
  r.pending = strategy->ops->telling->pending(strategy);
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  if (r.ends.count) qsort(r.ends.items, r.ends.count, sizeof(end), by_bytes);
  for (size_t i = 0; i < r.ends.count; i++)
    r.distinct += i == 0 || by_bytes(&r.ends.items[i - 1], &r.ends.items[i]) != 0;
  return r;
}

/* Are those of a all in b? */
static bool within(const result *a, const result *b) {
  for (size_t i = 0; i < a->ends.count; i++)
    if (!bsearch(&a->ends.items[i], b->ends.items, b->ends.count, sizeof(end), by_bytes)) return false;
  return true;
}

/* How many executions each of the three runs; checks that they agree. */
typedef struct counts {
  size_t dfs, classic, source, kinds;
  uint64_t pruned; /* by source */
} counts;

static counts compare(toy *t) {
  result all = explore(t, DFS, false), classic = explore(t, CLASSIC, false), source = explore(t, SOURCE, true);
  assert_true(within(&classic, &all) && within(&source, &all));
  assert_int_equal(classic.distinct, all.distinct);
  assert_int_equal(source.distinct, all.distinct);
  assert_int_equal(source.ends.count, all.distinct); /* sleep sets: no kind twice */
  assert_true(classic.ends.count <= all.ends.count);
  assert_int_equal(classic.pruned, 0);
  assert_true(source.ends.count + source.pruned <= all.ends.count);
  assert_float_equal(classic.share, 1, 1e-9);
  assert_float_equal(source.share, 1, 1e-9);
  assert_int_equal(classic.pending + source.pending, 0);
  counts c = {all.ends.count, classic.ends.count, source.ends.count, all.distinct, source.pruned};
  eo_vec_release(&all.ends);
  eo_vec_release(&classic.ends);
  eo_vec_release(&source.ends);
  return c;
}

static toy_step reads(uint32_t variable) { return (toy_step){.variable = variable}; }
static toy_step writes(uint32_t variable) { return (toy_step){.variable = variable, .writes = true}; }

/* ---- Examples with known counts ----------------------------------------------------------------------------------- */

static void independent_steps(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 2, 2, 2, 2);
  counts c = compare(&t);
  assert_int_equal(c.dfs, 2520);
  assert_int_equal(c.classic, 1);
  assert_int_equal(c.source + c.pruned, 1);
  for (int p = 0; p < 4; p++) t.steps[p][0] = t.steps[p][1] = writes((uint32_t)p + 1); /* each its own */
  c = compare(&t);
  assert_int_equal(c.classic, 1);
  assert_int_equal(c.source + c.pruned, 1);
  for (int p = 0; p < 4; p++) t.steps[p][0] = t.steps[p][1] = reads(1);
  c = compare(&t);
  assert_int_equal(c.classic, 1);
  assert_int_equal(c.source + c.pruned, 1);
}

/* n processes write one variable: n! orders. */
static void writers(void **state) {
  (void)state;
  static const size_t factorial[] = {1, 1, 2, 6, 24};
  for (uint32_t n = 1; n <= 4; n++) {
    toy t;
    toy_init(&t, 1, n > 1, n > 2, n > 3);
    for (uint32_t p = 0; p < n; p++) t.steps[p][0] = writes(1);
    counts c = compare(&t);
    assert_int_equal(c.kinds, factorial[n]);
    assert_int_equal(c.classic, factorial[n]);
    assert_int_equal(c.source, factorial[n]);
    assert_int_equal(c.pruned, 0);
  }
}

/* One writes, n - 1 read: each reader before or after it. */
static void readers(void **state) {
  (void)state;
  for (uint32_t n = 2; n <= 4; n++) {
    toy t;
    toy_init(&t, 1, 1, n > 2, n > 3);
    t.steps[0][0] = writes(1);
    for (uint32_t p = 1; p < n; p++) t.steps[p][0] = reads(1);
    counts c = compare(&t);
    assert_int_equal(c.kinds, 1u << (n - 1));
    assert_int_equal(c.source, 1u << (n - 1));
    assert_int_equal(c.pruned, 0);
    assert_true(c.classic >= c.source);
  }
}

/* The example of section 2 of the paper on source sets: p writes x; q and r each read a variable of their own, then x.
 * Four kinds; with persistent sets more would have to be run. */
static void writer_and_two_readers(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 1, 2, 2, 0);
  t.steps[0][0] = writes(1);
  t.steps[1][0] = reads(2);
  t.steps[1][1] = reads(1);
  t.steps[2][0] = reads(3);
  t.steps[2][1] = reads(1);
  counts c = compare(&t);
  assert_int_equal(c.kinds, 4);
  assert_int_equal(c.source + c.pruned, 4);
  assert_true(c.classic >= 4);
}

/* The indexer: each process fills its own cells of a hash table; only those of the last two meet, in one cell. */
static void indexer(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 3, 3, 3, 3);
  for (uint32_t p = 0; p < 4; p++)
    for (uint32_t i = 0; i < 3; i++) t.steps[p][i] = writes(p + 1);
  t.steps[2][1] = t.steps[3][1] = writes(5);
  counts c = compare(&t);
  assert_int_equal(c.dfs, 369600);
  assert_int_equal(c.kinds, 2);
  assert_int_equal(c.classic, 3); /* without sleep sets nothing keeps it from the same order behind the new branch */
  assert_int_equal(c.source + c.pruned, 2);
}

/* All values of a process are tried where it is, and where it is again. */
static void values(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 1, 1, 0, 0);
  t.steps[0][0].values = 3;
  counts c = compare(&t);
  assert_int_equal(c.dfs, 6);
  assert_int_equal(c.classic, 3);
  assert_int_equal(c.source + c.pruned, 3);
  t.steps[0][0] = (toy_step){.values = 3, .variable = 1, .writes = true};
  t.steps[1][0] = reads(1);
  c = compare(&t);
  assert_int_equal(c.classic, 6);
  assert_int_equal(c.source + c.pruned, 6);
}

/* What a step waits for cannot be put behind it. */
static void waiting(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 2, 2, 1, 0);
  t.steps[0][1] = (toy_step){.after = 'B', .after_steps = 1, .variable = 1, .writes = true};
  t.steps[1][1] = writes(1);
  t.steps[2][0] = writes(1);
  counts c = compare(&t);
  assert_int_equal(c.kinds, 6);
  assert_int_equal(c.source, 6);
}

/* ---- Failures ----------------------------------------------------------------------------------------------------- */

/* Each fails in its own second step, whatever the others do: what one hides is found as well. */
static const char *each_fails(const toy_state *s) {
  static const char *const messages[] = {"A fails", "B fails", "C fails"};
  for (size_t p = 0; p < 3; p++)
    if (s->done[p] == 2) return messages[p];
  return NULL;
}

static void failures_hide_nothing(void **state) {
  (void)state;
  toy t;
  toy_init(&t, 2, 2, 2, 0);
  t.fails = each_fails;
  for (int checkpoints = 0; checkpoints < 2; checkpoints++) {
    for (which how = CLASSIC; how <= SOURCE; how++) {
      result r = explore(&t, how, checkpoints);
      assert_non_null(strstr(r.failures, "A fails"));
      assert_non_null(strstr(r.failures, "B fails"));
      assert_non_null(strstr(r.failures, "C fails"));
      eo_vec_release(&r.ends);
    }
  }
}

/* A step that must not be taken, since it kills the worker: like a failure that nothing is known of. */
static bool refuse_b(void *context, uint64_t execution, uint32_t depth, eo_failure *failure) {
  (void)context;
  (void)execution;
  (void)depth;
  *failure = (eo_failure){.kind = EO_KIND_CRASH, .message = "refused"};
  return false;
}

static const toy *refusing;
static bool refuse_after_a(void *context, uint64_t execution, uint32_t depth, eo_failure *failure) {
  (void)refuse_b(context, execution, depth, failure);
  return depth != EO_AT_START && strcmp(refusing->now.path, "A") == 0;
}

static void refused_steps(void **state) {
  (void)state;
  for (which how = CLASSIC; how <= SOURCE; how++) {
    toy t;
    result r = {.toy = &t};
    eo_engine engine;
    toy_init(&t, 1, 1, 1, 0);
    for (int p = 0; p < 3; p++) t.steps[p][0] = writes(1);
    refusing = &t;
    eo_strategy *strategy = open_strategy(how, &t.base);
    eo__engine_init(&engine, &t.base, strategy);
    engine.ended = note;
    engine.context = &r;
    engine.before_step = refuse_after_a;
    assert_int_equal(eo__engine_run(&engine, NULL), EO_OK);
    eo__engine_release(&engine);
    strategy->ops->close(strategy);
    assert_int_equal(r.failed, 2); /* AB and AC */
    eo_vec_release(&r.ends);
  }
}

/* ---- Random programs ---------------------------------------------------------------------------------------------- */

static void draw(toy *t, uint64_t seed) {
  eo_rng rng;
  eo__rng_init(&rng, seed);
  toy_init(t, 1 + eo__rng_below(&rng, 3), 1 + eo__rng_below(&rng, 3), eo__rng_below(&rng, 3), eo__rng_below(&rng, 2));
  for (uint32_t p = 0; p < TOY_PROCESSES; p++) {
    for (uint32_t i = 0; i < t->lengths[p]; i++) {
      toy_step *step = &t->steps[p][i];
      step->variable = eo__rng_below(&rng, 4);
      step->writes = eo__rng_below(&rng, 2);
      if (eo__rng_below(&rng, 6) == 0) step->values = 2;
      uint32_t other = eo__rng_below(&rng, TOY_PROCESSES);
      if (eo__rng_below(&rng, 4) || other == p || !t->lengths[other]) continue;
      step->after = (char)('A' + other);
      step->after_steps = 1 + eo__rng_below(&rng, t->lengths[other]);
    }
  }
}

static void random_programs(void **state) {
  (void)state;
  counts all = {0};
  uint64_t programs = eo__under_valgrind() ? 30 : 300; /* there each step takes fifty times as long */
  for (uint64_t seed = 1; seed <= programs; seed++) {
    toy t;
    draw(&t, seed);
    counts c = compare(&t);
    all.dfs += c.dfs;
    all.classic += c.classic;
    all.source += c.source;
    all.pruned += c.pruned;
  }
  printf("dfs %zu, classic %zu, source %zu and %ju pruned\n", all.dfs, all.classic, all.source, (uintmax_t)all.pruned);
  assert_true(all.classic < all.dfs && all.source + all.pruned < all.classic);
}

/* ---- What it refuses ---------------------------------------------------------------------------------------------- */

static void refuses(void **state) {
  (void)state;
  toy t;
  eo_error error = {0};
  toy_init(&t, 1, 0, 0, 0);
  assert_null(
      eo__dpor_sets_open(&(eo_strategy_options){.view = eo_subject_view(&t.base), .bounded = true}, true, &error));
  assert_int_equal(error.code, EO_EINPUT);
  t.base.ops = &toy_plain_ops;
  assert_null(eo__dpor_sets_open(&(eo_strategy_options){.view = eo_subject_view(&t.base)}, false, &error));
  assert_string_equal(error.text, "--dpor classic: the subject does not say which of its steps depend on each other");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(independent_steps), cmocka_unit_test(writers),
      cmocka_unit_test(readers),           cmocka_unit_test(writer_and_two_readers),
      cmocka_unit_test(indexer),           cmocka_unit_test(values),
      cmocka_unit_test(waiting),           cmocka_unit_test(failures_hide_nothing),
      cmocka_unit_test(refused_steps),     cmocka_unit_test(random_programs),
      cmocka_unit_test(refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
