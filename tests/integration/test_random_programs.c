/* test_random_programs.c: random programs, explored by Everyorder and by a reference (reference_machine.h), which shares no code with
 * the library. For each program and each strategy, bound and use of checkpoints, the multiset of ends must be the same: how the
 * execution ended, by whose fault, and what each process had seen by then. Under the other deliveries, where messages and exit
 * signals travel, the set of ends must be. Assertions are minimised as well, and "fewest possible" must be the fewest there are.
 *
 * Arguments, for longer hunts: first seed, number of programs. builds: release asan
 * hunt: SEED 300
 * takes: 12 */
#include <everyorder.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "base/rng.h"
#include "base/vec.h"
#include "core/engine.h"
#include "core/minimise.h"
#include "random_program.h"
#include "reference_machine.h"
#include "registry/registry.h"
#include "sanitized.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"

/* ---- Exploring it ----------------------------------------------------------------------------------------------- */

typedef struct failing {
  eo_failure failure;
  eo_schedule schedule;
} failing;

typedef struct exploration {
  eo_subject *subject;
  ends ends;
  EO_VEC(failing) assertions; /* the first of each */
  eo_coverage coverage;
  uint64_t limit; /* executions */
} exploration;

/* The script that a logical id runs; -1: none. */
static int culprit_of(const eo_failure *failure) {
  int p = 0;
  while (p < PROCESSES && strcmp(notes->ids[p], failure->process) != 0) p++;
  return p < PROCESSES ? p : -1;
}

static void keep_assertion(exploration *x, const eo_outcome *outcome) {
  for (size_t i = 0; i < x->assertions.count; i++)
    if (eo__failure_same(&x->assertions.items[i].failure, outcome->failure)) return;
  failing f = {.failure = *outcome->failure};
  assert_true(eo_vec_reserve(&f.schedule, outcome->depth + 1));
  if (outcome->depth) memcpy(f.schedule.items, outcome->choices, outcome->depth * sizeof *outcome->choices);
  f.schedule.count = outcome->depth;
  assert_true(eo_vec_push(&x->assertions, f));
}

/* A final state is told by what all have seen, a failure by who failed how: what others had done matters to neither. */
static uint64_t told_of(const eo_outcome *outcome, uint64_t digest) {
  if (outcome->end != EO_END_FAILED || outcome->failure->kind == EO_KIND_DEADLOCK) return digest;
  uint64_t told = (uint64_t)outcome->failure->kind * 31 + (uint64_t)(culprit_of(outcome->failure) + 1);
  for (const char *c = outcome->failure->message; *c; c++) told = (told ^ (unsigned char)*c) * 0x100000001B3u;
  return told;
}

static bool note_end(void *context, const eo_outcome *outcome) {
  if (!outcome->counted) return true;
  exploration *x = context;
  uint32_t seen[PROCESSES];
  eo_kind kind = outcome->end == EO_END_FAILED ? outcome->failure->kind : EO_KIND_NONE;
  for (int p = 0; p < PROCESSES; p++) seen[p] = !program.on_heap ? seen_by[p] : cells[p] ? *cells[p] : 0;
  /* A deadlock is nobody's fault; the failure names a process if just one is left. */
  end e = {.digest = digest_of(kind, kind && kind != EO_KIND_DEADLOCK ? culprit_of(outcome->failure) : -1, seen),
           .kind = kind};
  if (outcome->end == EO_END_PRUNED) return true;
  e.told = told_of(outcome, e.digest);
  assert_true(eo_vec_push(&x->ends, e));
  if (kind == EO_KIND_ASSERTION) keep_assertion(x, outcome);
  return x->ends.count <= x->limit;
}

typedef enum { PLAIN, NO_CHECKPOINTS, ALL_CHECKPOINTS } mode;

/* How to explore; zero is dfs without a bound or a reduction, to the mailbox. */
typedef struct plan {
  const char *strategy, *reduction;
  bool bounded;
  uint32_t bound;
  eo_delivery delivery;
  mode how;
} plan;

static void explore(exploration *x, eo_function function, plan p) {
  static int first = 0;
  eo_error error = {0};
  eo_actor_options options = {
      .function = function, .argument = &first, .timeouts_idle = program.idle, .watchdog = 10, .delivery = p.delivery};
  eo_strategy_options wanted = {
      .bounded = p.bounded, .bound = p.bound, .delivery = p.delivery, .reduction = p.reduction};
  eo_engine engine;
  eo_text words;
  memset(cells, 0, sizeof cells);
  x->subject = eo__actor_open(&options, &error);
  if (!x->subject) fail_msg("%s", error.text);
  wanted.view = eo_subject_view(x->subject);
  eo_strategy *chosen = eo__recheck_open(eo__strategy_find(p.strategy)->open(&wanted, &error), &error);
  assert_non_null(chosen);
  eo__engine_init(&engine, x->subject, chosen);
  engine.no_checkpoints = p.how == NO_CHECKPOINTS;
  engine.all_checkpoints = p.how == ALL_CHECKPOINTS;
  engine.ended = note_end;
  engine.context = x;
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  eo__text_init(&words);
  x->coverage = chosen->ops->telling->coverage(chosen, &words);
  eo__text_release(&words);
  eo__engine_release(&engine);
  chosen->ops->close(chosen);
}

static void exploration_release(exploration *x) {
  x->subject->ops->close(x->subject);
  for (size_t i = 0; i < x->assertions.count; i++) eo_vec_release(&x->assertions.items[i].schedule);
  eo_vec_release(&x->assertions);
  eo_vec_release(&x->ends);
}

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

static int by_digest(const void *a, const void *b) {
  uint64_t x = ((const end *)a)->digest, y = ((const end *)b)->digest;
  return x < y ? -1 : x > y;
}

static bool same_ends(const ends *reference, uint32_t bound, ends *ours) {
  ends within = {0};
  for (size_t i = 0; i < reference->count; i++)
    if (reference->items[i].preemptions <= bound) assert_true(eo_vec_push(&within, reference->items[i]));
  bool same = within.count == ours->count;
  if (within.count) qsort(within.items, within.count, sizeof(end), by_digest);
  if (ours->count) qsort(ours->items, ours->count, sizeof(end), by_digest);
  for (size_t i = 0; i < within.count && same; i++) same = within.items[i].digest == ours->items[i].digest;
  eo_vec_release(&within);
  return same;
}

static uint32_t most_preemptions(const ends *reference) {
  uint32_t most = 0;
  for (size_t i = 0; i < reference->count; i++)
    if (reference->items[i].preemptions > most) most = reference->items[i].preemptions;
  return most;
}

static void check_minimised(uint64_t seed, exploration *x, const ends *reference) {
  for (size_t i = 0; i < x->assertions.count; i++) {
    failing *f = &x->assertions.items[i];
    uint32_t least = UINT32_MAX;
    int process, at;
    bool fewest;
    eo_error error = {0};
    assert_int_equal(sscanf(strstr(f->failure.message, "process"), "process %d, instruction %d", &process, &at), 2);
    for (size_t j = 0; j < reference->count; j++) {
      const end *e = &reference->items[j];
      if (e->kind == EO_KIND_ASSERTION && e->culprit == process && e->culprit_at == at && e->switches < least)
        least = e->switches;
    }
    assert_int_equal(eo__minimise(x->subject, 10000, &f->failure, NULL, &f->schedule, &fewest, &error), EO_OK);
    uint32_t got = eo__schedule_switches(f->schedule.items, f->schedule.count);
    if (got < least || (fewest && got != least))
      fail_msg("seed %ju: '%s' is minimised to %u switches (%s), the reference has %u", (uintmax_t)seed,
               f->failure.message, got, fewest ? "fewest possible" : "shortest found", least);
  }
}

static void expect_same(uint64_t seed, const ends *reference, const char *strategy, int bound, mode how) {
  exploration x = {.limit = reference->count + 1};
  explore(&x, run_script,
          (plan){.strategy = strategy, .bounded = bound >= 0, .bound = bound >= 0 ? (uint32_t)bound : 0, .how = how});
  bool all = bound < 0 || (uint32_t)bound >= most_preemptions(reference);
  if (!same_ends(reference, bound < 0 ? UINT32_MAX : (uint32_t)bound, &x.ends))
    fail_msg("seed %ju: %s (bound %d, mode %d): %zu executions; other ends than the reference, which has %zu in all",
             (uintmax_t)seed, strategy, bound, how, x.ends.count, reference->count);
  if ((x.coverage == EO_COVERS_ALL) != all)
    fail_msg("seed %ju: %s (bound %d) says it covers %s", (uintmax_t)seed, strategy, bound, all ? "a part" : "all");
  if (how == PLAIN && bound < 0) check_minimised(seed, &x, reference);
  exploration_release(&x);
}

/* What is told at the ends, each once. Not misuse: these programs know the processes' numbers before those are spawned,
 * behind Everyorder's back. */
static ends only_told(const ends *all) {
  ends told = {0};
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i].kind != EO_KIND_MISUSE) assert_true(eo_vec_push(&told, ((end){.digest = all->items[i].told})));
  if (told.count) qsort(told.items, told.count, sizeof(end), by_digest);
  size_t count = 0;
  for (size_t i = 0; i < told.count; i++)
    if (i == 0 || told.items[i].digest != told.items[count - 1].digest) told.items[count++] = told.items[i];
  told.count = count;
  return told;
}

static bool same_told(const ends *a, const ends *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++) same = a->items[i].digest == b->items[i].digest;
  return same;
}

static ends only_distinct(const ends *all) {
  ends distinct = {0};
  for (size_t i = 0; i < all->count; i++) assert_true(eo_vec_push(&distinct, all->items[i]));
  if (distinct.count) qsort(distinct.items, distinct.count, sizeof(end), by_digest);
  size_t count = 0;
  for (size_t i = 0; i < distinct.count; i++)
    if (i == 0 || distinct.items[i].digest != distinct.items[count - 1].digest)
      distinct.items[count++] = distinct.items[i];
  distinct.count = count;
  return distinct;
}

/* Where signals travel, the reference has fewer executions, since what need not wait is there at once; but the same ends. */
static void expect_same_set(uint64_t seed, eo_delivery delivery, const ends *found) {
  ends reference = {0};
  if (explore_reference(delivery, &reference)) {
    ends expected = only_distinct(&reference), ours = only_distinct(found);
    if (!same_told(&expected, &ours))
      fail_msg("seed %ju: under %s dfs has %zu different ends, the reference %zu", (uintmax_t)seed,
               eo__delivery_name(delivery), ours.count, expected.count);
    eo_vec_release(&expected);
    eo_vec_release(&ours);
    notes->travelled++;
  }
  eo_vec_release(&reference);
}

/* With --dpor, the same final states and findings as dfs has, and no more executions. */
static void compare_reduced(uint64_t seed, eo_delivery delivery) {
  static const char *const reductions[] = {"classic", "source"};
  exploration all = {.limit = MOST_ENDS};
  explore(&all, run_script, (plan){.strategy = "dfs", .delivery = delivery});
  size_t most = all.ends.count;
  ends expected = only_told(&all.ends);
  if (most <= MOST_ENDS && delivery != EO_DELIVERY_MAILBOX) expect_same_set(seed, delivery, &all.ends);
  exploration_release(&all);
  for (int i = 0; i < 2 && most <= MOST_ENDS; i++) {
    exploration x = {.limit = most};
    mode how = seed % 2 ? ALL_CHECKPOINTS : PLAIN;
    explore(&x, run_script, (plan){"dpor", .reduction = reductions[i], .delivery = delivery, .how = how});
    ends told = only_told(&x.ends);
    if (!same_told(&told, &expected) || x.ends.count > most)
      fail_msg("seed %ju: --dpor %s, delivery %d: %zu executions, %zu different ends; dfs has %zu and %zu",
               (uintmax_t)seed, reductions[i], (int)delivery, x.ends.count, told.count, most, expected.count);
    notes->dpor[i] += x.ends.count;
    eo_vec_release(&told);
    exploration_release(&x);
  }
  if (most <= MOST_ENDS) notes->dfs += most;
  eo_vec_release(&expected);
}

/* False: too large. */
static bool compare(void (*draw_one)(uint64_t), uint64_t seed) {
  ends reference = {0};
  draw_one(seed);
  bool small = explore_reference(EO_DELIVERY_MAILBOX, &reference);
  if (small) {
    exploration pids = {.limit = 0};
    memset(notes, 0, offsetof(noted, dfs));
    strcpy(notes->ids[0], "P1");
    explore(&pids, learn_pids, (plan){.strategy = "dfs", .how = NO_CHECKPOINTS});
    exploration_release(&pids);
    expect_same(seed, &reference, "dfs", -1, PLAIN);
    expect_same(seed, &reference, "dfs", -1, ALL_CHECKPOINTS);
    expect_same(seed, &reference, "preempt", -1, ALL_CHECKPOINTS);
    expect_same(seed, &reference, "preempt", -1, NO_CHECKPOINTS);
    for (uint32_t bound = 0; bound <= most_preemptions(&reference) + 1 && bound < 8; bound++)
      expect_same(seed, &reference, "preempt", (int)bound, PLAIN);
    for (eo_delivery delivery = EO_DELIVERY_MAILBOX; delivery <= EO_DELIVERY_ASYNC; delivery++)
      compare_reduced(seed, delivery);
  }
  eo_vec_release(&reference);
  return small;
}

static uint64_t first_seed = 1, programs = SANITIZED ? 30 : 100;

static void compare_programs(void (*draw_one)(uint64_t)) {
  uint64_t compared = 0;
  notes->dfs = notes->dpor[0] = notes->dpor[1] = notes->travelled = 0;
  for (uint64_t i = 0; i < programs; i++) compared += compare(draw_one, first_seed + i);
  printf(
      "%ju programs compared, and %zu times where signals travel; executions: dfs %zu, --dpor classic %zu, source "
      "%zu\n",
      (uintmax_t)compared, notes->travelled, notes->dfs, notes->dpor[0], notes->dpor[1]);
  assert_true(compared > programs / 4 && notes->travelled > programs / 4);
  if (SANITIZED) return; /* how much is saved is a question of many programs */
  assert_true(notes->dpor[1] < notes->dpor[0] && notes->dpor[0] < notes->dfs / 4);
}

static void ends_are_those_of_the_reference(void **state) {
  (void)state;
  compare_programs(draw_program);
  assert_true(
      compare(draw_program, 281851153)); /* a number that is nobody's when it is tried, and somebody's after a spawn */
}

static void with_kills_lives_and_names(void **state) {
  (void)state;
  compare_programs(draw_society_program);
}

static void with_some_operations_often(void **state) {
  (void)state;
  compare_programs(draw_uneven_program);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_are_those_of_the_reference),
                                     cmocka_unit_test(with_kills_lives_and_names),
                                     cmocka_unit_test(with_some_operations_often)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  return open_notes() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
