/* test_dpor.c: dpor runs exactly one execution of each trace, none again, and begins none that it gives up. What the traces
 * are is taken from dfs, whose every execution is hashed as a partial order (core/trace.h): random programs over every
 * operation, and others that are all about messages, under every delivery. Executions that end by a failing step are
 * compared by what happened before that step.
 * The same exploration, cut into pieces that are saved, split and taken up by others at random, runs the same traces; and
 * each execution has a plain schedule that gives the same trace. builds: release asan
 *
 * --dpor classic and source reach the same traces as dfs, in possibly more executions.
 * takes: 25
 * timeout: 600
 *
 * Arguments, for longer hunts: first seed, number of programs, largest number of interleavings; 0: over every operation,
 * 1: all about messages, 2: these too, compared with --dpor source where dfs has too many, 3, 4: as 0 and 1, but only
 * classic and source against dfs, 5: as 0, compared with source where dfs has too many,
 * 6: with a specification, 7: kills, lives and names, 8: these, and every abnormal exit fails, 9: the small programs, 10: some
 * operations much more often than others, 11: announcements that depend on what is chosen; anything: show every execution.
 *
 * hunt: SEED 300 4000 0
 * hunt: SEED 200 4000 1
 * hunt: SEED 100 3000 2
 * hunt: SEED 100 3000 5
 * hunt: SEED 200 4000 6
 * hunt: SEED 200 4000 7
 * hunt: SEED 200 4000 8
 * hunt: SEED 400 4000 10
 * hunt: SEED 200 3000 11 */
#include <everyorder.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "explored.h"
#include "sanitized.h"
#include "strategies/strategies.h"

/* The estimate of many probes is near the truth. */
static void check_estimate(uint64_t seed, eo_delivery delivery, opener *open, uint64_t truth) {
  static int first = 0;
  eo_error error = {0};
  eo_estimate estimate = {0};
  eo_engine engine;
  eo_actor_options options = {.function = run_script,
                              .argument = &first,
                              .timeouts_idle = program.idle,
                              .abnormal_fails = program.abnormal,
                              .watchdog = 10,
                              .delivery = delivery};
  eo_subject *subject = eo__actor_open(&options, &error);
  if (!subject) fail_msg("%s", error.text);
  eo_strategy_options wanted = {.view = eo_subject_view(subject),
                                .delivery = delivery,
                                .timeouts_idle = program.idle,
                                .probes = 2000,
                                .probe_steps = UINT64_MAX,
                                .estimate = &estimate};
  eo_strategy *strategy = open(&wanted, &error);
  assert_non_null(strategy);
  eo__engine_init(&engine, subject, strategy);
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  subject->ops->close(subject);
  assert_int_equal(estimate.probes, 2000);
  double mean = estimate.sum / 2000, spread = estimate.squares / 2000 - mean * mean;
  double band = 6 * sqrt((spread > 0 ? spread : 0) / 2000) + 1e-6 * (double)truth; /* six standard errors */
  if (fabs(mean - (double)truth) > band)
    fail_msg("seed %ju, %s: %ju executions, estimated %g with a band of %g", (uintmax_t)seed,
             eo__delivery_name(delivery), (uintmax_t)truth, mean, band);
}

/* ---- Pieces ----------------------------------------------------------------------------------------------------- */

/* The same traces in pieces: each is taken up by a fresh strategy on a fresh subject, and after a few executions is put
 * away whole or in parts. How many executions were given up. */
static uint64_t explore_pieces(uint64_t seed, eo_delivery delivery, hashes *complete, hashes *failed,
                               uint32_t *doubts) {
  EO_VEC(eo_bytes) pieces = {0};
  uint64_t given_up = 0;
  eo_rng rng;
  eo__rng_init(&rng, seed);
  assert_true(eo_vec_push(&pieces, (eo_bytes){0}));
  while (pieces.count) {
    eo_error error = {0};
    eo_subject *subject;
    size_t drawn = eo__rng_below(&rng, (uint32_t)pieces.count);
    eo_bytes piece = pieces.items[drawn], part = {0};
    pieces.items[drawn] = eo_vec_pop(&pieces);
    tracing *t = prepare(run_script, eo__dpor_open, delivery, UINT64_MAX, &subject);
    eo_strategy *inner = t->wrapper.inner;
    if (piece.count && inner->ops->fragments->load(inner, piece.items, piece.count, &error) != EO_OK)
      fail_msg("seed %ju, %s: %s", (uintmax_t)seed, eo__delivery_name(delivery), error.text);
    eo_vec_release(&piece);
    if (run(t, subject, 1 + eo__rng_below(&rng, 6))) {
      while (eo__rng_below(&rng, 3) && inner->ops->fragments->split(inner, &part)) {
        assert_true(eo_vec_push(&pieces, part));
        memset(&part, 0, sizeof part);
      }
      assert_true(inner->ops->fragments->save(inner, &part) && eo_vec_push(&pieces, part));
    }
    append(complete, &t->complete);
    append(failed, &t->failed);
    given_up += t->given_up;
    *doubts |= inner->doubts;
    end(t, subject);
  }
  eo_vec_release(&pieces);
  return given_up;
}

/* ---- Plain schedules --------------------------------------------------------------------------------------------- */

static void name_processes(plains *p, eo_subject *subject) {
  for (size_t i = 0; i < p->list.count; i++)
    for (size_t j = 0; j < p->list.items[i].schedule.count; j++) {
      uint32_t process = p->list.items[i].schedule.items[j].process;
      assert_true(process < 32);
      subject->ops->processes->name(subject, process, p->names[process], EO_PROCESS_NAME);
    }
}

/* Each gives its trace on a subject whose receives do not choose. */
static void replay_plains(uint64_t seed, plains *p) {
  eo_subject *subject;
  eo_error error = {0};
  tracing *t = prepare(run_script, eo__dfs_open, EO_DELIVERY_MAILBOX, UINT64_MAX, &subject);
  for (size_t i = 0; i < p->list.count; i++) {
    eo_schedule *schedule = &p->list.items[i].schedule;
    for (size_t j = 0; j < schedule->count; j++) {
      eo_choice *choice = &schedule->items[j];
      choice->process = subject->ops->processes->number(subject, p->names[choice->process]);
    }
    t->wrapper.inner->ops->close(t->wrapper.inner);
    t->wrapper.inner = eo__replay_open(schedule->items, (uint32_t)schedule->count, &error);
    assert_non_null(t->wrapper.inner);
    eo__trace_cut(&t->trace, 0);
    run(t, subject, UINT64_MAX);
    if (trace_or_past(&t->trace) != p->list.items[i].hash)
      fail_msg("seed %ju: the plain schedule of execution %zu gives another trace", (uintmax_t)seed, i + 1);
    eo_vec_release(schedule);
  }
  end(t, subject);
  eo_vec_release(&p->list);
  free(p);
}

/* ---- All of it ---------------------------------------------------------------------------------------------------- */

typedef struct totals {
  uint64_t compared, by_source, failing, traces, executions, again, given_up, missed, doubted, pieces, plains;
  uint64_t by_sets[2]; /* executions of classic, source */
} totals;

static uint64_t most = 3000, divisions = 1;
static uint64_t estimated = 8; /* of so many programs one: 4,000 probes take longer than all that is compared */
static bool sets_alone;        /* only --dpor classic and source are compared with dfs */
static bool named;      /* programs that were chosen, none of which is passed over for being likely to take long */
static bool source_too; /* as what dpor is compared with, where dfs has too many */

static eo_strategy *open_source(const eo_strategy_options *options, eo_error *error) {
  return eo__dpor_sets_open(options, true, error);
}

static eo_strategy *open_classic(const eo_strategy_options *options, eo_error *error) {
  return eo__dpor_sets_open(options, false, error);
}

/* What there is: by dfs, else by source sets. False: too much. */
static bool find_traces(eo_delivery delivery, hashes *complete, hashes *failed, totals *sum, bool *by_dfs) {
  eo_subject *subject;
  tracing *t = prepare(run_script, eo__dfs_open, delivery, most, &subject);
  t->foresees = !named;
  run(t, subject, UINT64_MAX);
  *by_dfs = !t->too_many;
  if (t->too_many && !t->guesses && source_too) {
    end(t, subject);
    t = explore(run_script, open_source, delivery, most, &subject);
  }
  bool found = !t->too_many;
  if (found) {
    append(complete, &t->complete);
    append(failed, &t->failed);
    sum->compared++;
    sum->by_source += !*by_dfs;
    sum->executions += complete->count + failed->count;
  }
  end(t, subject); /* which brings back our globals, too, as they were */
  return found;
}

/* Where a specification fails, not all ways to fail are found yet (doc/dpor.md): but some are, and no other. */
static bool same_failures(const hashes *all, const hashes *found) {
  size_t at = 0;
  if (!program.watched || program.too_many == 0) return same(all, found); /* no specification fails */
  for (size_t i = 0; i < found->count; i++, at++) {
    while (at < all->count && all->items[at] < found->items[i]) at++;
    if (at == all->count || all->items[at] != found->items[i]) return false;
  }
  return (all->count > 0) == (found->count > 0);
}

/* All traces were run; or some, and there is a doubt about announcements. */
static bool same_traces(const hashes *all, const hashes *found, uint32_t doubts) {
  size_t at = 0;
  if (!(doubts & EO_DOUBT_TOLD)) return same(all, found);
  for (size_t i = 0; i < found->count; i++, at++) {
    while (at < all->count && all->items[at] < found->items[i]) at++;
    if (at == all->count || all->items[at] != found->items[i]) return false;
  }
  return true;
}

static void check_pieces(uint64_t seed, uint64_t division, eo_delivery delivery, const hashes *complete,
                         const hashes *failed) {
  hashes whole = {0}, failing = {0};
  uint32_t doubts = 0;
  uint64_t given_up = explore_pieces(seed + (division << 32), delivery, &whole, &failing, &doubts);
  size_t twice = make_distinct(&whole) + make_distinct(&failing);
  if (program.watched) given_up = 0;
  if (twice || given_up || !same_traces(complete, &whole, doubts) || !same_failures(failed, &failing))
    fail_msg(
        "seed %ju, %s, in pieces (%ju): %zu traces; dpor runs %zu and %zu twice, gives up %ju; %zu failing ones, dpor "
        "%zu",
        (uintmax_t)seed, eo__delivery_name(delivery), (uintmax_t)division, complete->count, whole.count, twice,
        (uintmax_t)given_up, failed->count, failing.count);
  eo_vec_release(&whole);
  eo_vec_release(&failing);
}

/* The other two algorithms reach the same, in more executions. */
static void check_sets(uint64_t seed, eo_delivery delivery, const hashes *complete, const hashes *failed, bool source,
                       totals *sum) {
  eo_subject *subject;
  const char *name = source ? "source" : "classic";
  if (verbose) printf("seed %ju, %s, %s:\n", (uintmax_t)seed, eo__delivery_name(delivery), name);
  tracing *t = explore(run_script, source ? open_source : open_classic, delivery, UINT64_MAX, &subject);
  sum->by_sets[source] += t->complete.count + t->failed.count;
  (void)make_distinct(&t->complete);
  (void)make_distinct(&t->failed);
  if (!same(complete, &t->complete) || !same(failed, &t->failed))
    fail_msg("seed %ju, %s, --dpor %s: %zu traces of %zu, %zu failing ones of %zu", (uintmax_t)seed,
             eo__delivery_name(delivery), name, t->complete.count, complete->count, t->failed.count, failed->count);
  end(t, subject);
}

static void compare(uint64_t seed, eo_delivery delivery, totals *sum) {
  hashes complete = {0}, failed = {0};
  bool by_dfs;
  if (!find_traces(delivery, &complete, &failed, sum, &by_dfs)) return;
  uint64_t executed = complete.count + failed.count;
  make_distinct(&complete);
  make_distinct(&failed);
  size_t count = complete.count + failed.count;
  sum->traces += count;
  sum->failing += failed.count > 0;
  for (int source = 0; source < 2 && by_dfs; source++) check_sets(seed, delivery, &complete, &failed, source, sum);
  if (sets_alone) {
    eo_vec_release(&complete);
    eo_vec_release(&failed);
    return;
  }
  if (verbose) printf("seed %ju, %s, dpor:\n", (uintmax_t)seed, eo__delivery_name(delivery));
  eo_subject *subject;
  tracing *t = prepare(run_script, eo__dpor_open, delivery, 10 * count + 10, &subject);
  plains *p = t->plains = delivery == EO_DELIVERY_MAILBOX ? calloc(1, sizeof *p) : NULL;
  run(t, subject, UINT64_MAX);
  if (p) name_processes(p, subject);
  if (t->guesses) { /* which whoever the traces are from has not come to */
    assert_false(by_dfs);
    end(t, subject);
    eo_vec_release(&complete);
    eo_vec_release(&failed);
    return;
  }
  uint32_t doubts = t->wrapper.inner->doubts;
  sum->doubted += (doubts & EO_DOUBT_TOLD) != 0;
  sum->missed += complete.count;
  size_t twice = make_distinct(&t->complete);
  sum->missed -= t->complete.count;
  twice += make_distinct(&t->failed);
  sum->again += t->again;
  size_t repeated = make_distinct(&t->run);
  sum->given_up += t->given_up;
  sum->missed += failed.count - t->failed.count;
  bool gave_up = t->given_up > 0, given_up = gave_up && !program.watched;
  if (twice || repeated || given_up || !same_traces(&complete, &t->complete, doubts) ||
      !same_failures(&failed, &t->failed))
    fail_msg(
        "seed %ju, %s: %zu traces; dpor runs %zu, counts %zu twice, repeats %zu, gives up %ju; %zu failing ones, dpor "
        "%zu",
        (uintmax_t)seed, eo__delivery_name(delivery), complete.count, t->complete.count, twice, repeated,
        (uintmax_t)t->given_up, failed.count, t->failed.count);
  end(t, subject);
  bool whole = failed.count == 0 && !gave_up && !(doubts & EO_DOUBT_TOLD); /* dpor runs each once, and nothing else */
  if (whole && seed % estimated == 0) {
    if (by_dfs) check_estimate(seed, delivery, eo__probe_open, executed);
    check_estimate(seed, delivery, eo__dpor_probe_open, complete.count);
  }
  if (p) {
    sum->plains += p->list.count;
    replay_plains(seed, p);
  }
  for (uint64_t i = 0; i < divisions && count > 1 && count <= 60; i++) {
    check_pieces(seed, i, delivery, &complete, &failed);
    sum->pieces++;
  }
  eo_vec_release(&complete);
  eo_vec_release(&failed);
}

static uint64_t first_seed = 1, programs = SANITIZED ? 20 : 200;

static void show_totals(const totals *sum) {
  printf(
      "%ju comparisons, %ju of them with source sets, %ju where steps fail; %ju executions, %ju traces, %ju that fail "
      "again, %ju given up, %ju missed, %ju in doubt; "
      "%ju in pieces, %ju plain schedules; classic %ju, source %ju\n",
      (uintmax_t)sum->compared, (uintmax_t)sum->by_source, (uintmax_t)sum->failing, (uintmax_t)sum->executions,
      (uintmax_t)sum->traces, (uintmax_t)sum->again, (uintmax_t)sum->given_up, (uintmax_t)sum->missed,
      (uintmax_t)sum->doubted, (uintmax_t)sum->pieces, (uintmax_t)sum->plains, (uintmax_t)sum->by_sets[0],
      (uintmax_t)sum->by_sets[1]);
}

static void compare_all(void (*draw_one)(uint64_t), uint64_t seed, totals *sum) {
  draw_and_learn(draw_one, seed);
  for (eo_delivery delivery = EO_DELIVERY_MAILBOX; delivery <= EO_DELIVERY_ASYNC; delivery++)
    compare(seed, delivery, sum);
}

static totals compare_programs(void (*draw_one)(uint64_t), uint64_t count) {
  totals sum = {0};
  for (uint64_t i = 0; i < count; i++) compare_all(draw_one, first_seed + i, &sum);
  show_totals(&sum);
  return sum;
}

static void one_execution_per_trace(void **state) {
  (void)state;
  assert_true(compare_programs(draw_program, programs).compared > programs);
}

static void kills_lives_and_names(void **state) {
  (void)state;
  assert_true(compare_programs(draw_society_program, programs / 2).compared > programs / 2);
}

static void uneven_programs(void **state) {
  (void)state;
  assert_true(compare_programs(draw_uneven_program, programs / 2).compared > programs / 2);
}

static void draw_strict_program(uint64_t seed) {
  draw_society_program(seed);
  program.abnormal = true;
}

static void abnormal_exits_fail(void **state) {
  (void)state;
  totals sum = compare_programs(draw_strict_program, programs / 4);
  assert_true(sum.compared > programs / 4 && sum.failing > programs / 8);
}

static void many_messages(void **state) {
  (void)state;
  assert_true(compare_programs(draw_busy_program, programs * 2 / 3).compared >= programs * 2 / 3);
}

/* Programs whose steps touch other things in another order: hunts found in them executions that were given up, and
 * failures that were missed. */
static void another_order(void **state) {
  static const uint64_t any[] = {40009263, 303,     662,     715,     1060,    1093,    1268,    1404,
                                 1409,     2728,    3545,    4794,    5148,    5175,    7137,    9391,
                                 10148,    10472,   10593,   2040,    61693,   310975,  320468,  331182,
                                 340348,   330900,  331355,  703514,  705469,  730963,  351050,  902745,
                                 800112,   800868,  802944,  902133,  900262,  1001555, 1002131, 1003732,
                                 1004631,  1013082, 1015387, 3000209, 3000255, 3303610},
                        busy[] = {245, 565, 1125, 1127}, large[] = {3001290, 3300866, 3202362, 3202854, 40002957};
  totals sum = {0};
  (void)state;
  named = true;
  for (size_t i = 0; i < sizeof any / sizeof *any; i += SANITIZED ? 8 : 1) compare_all(draw_program, any[i], &sum);
  for (size_t i = 0; i < sizeof busy / sizeof *busy; i++) compare_all(draw_busy_program, busy[i], &sum);
  source_too = true;
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) compare_all(draw_program, large[i], &sum);
  named = source_too = false;
  show_totals(&sum);
  assert_true(SANITIZED || sum.compared > sizeof any / sizeof *any);
}

/* Small programs, each for one thing that dpor and dfs once saw differently. */
static const struct {
  const char *what;
  int processes;
  script scripts[PROCESSES];
} small[] = {
    {"an unlink from a process that has ended, and that state once more: the link is there again",
     3,
     {{2, {{SPAWN, 1, 1, 0}, {SPAWN, 2, 0, 0}}}, {1, {{UNLINK, 0, 0, 0}}}, {1, {{CHOOSE, 2, 0, 0}}}}},
    {"a message to oneself after a signal: it is there at once, so that nobody times out on it",
     2,
     {{5, {{TRAP, 1, 0, 0}, {SPAWN, 1, 1, 0}, {RECEIVE, ANY, 0, -1}, {SEND, 0, 1, 1}, {RECEIVE, ANY, 0, 5}}}, {0}}},
};

/* Each in both ways to keep what processes have seen. */
static void draw_small(uint64_t number) {
  memset(&program, 0, sizeof program);
  program.processes = small[number / 2].processes;
  program.on_heap = number % 2;
  memcpy(program.scripts, small[number / 2].scripts, sizeof program.scripts);
}

static void small_programs(void **state) {
  totals sum = {0};
  (void)state;
  for (size_t i = 0; i < 2 * sizeof small / sizeof *small; i++) {
    uint64_t compared = sum.compared;
    print_message("%s\n", small[i / 2].what);
    compare_all(draw_small, i, &sum);
    assert_int_equal(sum.compared, compared + 4); /* each delivery */
  }
  show_totals(&sum);
}

/* A receive that times out and announces: whether that came after the send that it did not wait for shows only then, so
 * that such an execution is given up. None of them is counted. */
static void specifications(void **state) {
  (void)state;
  assert_true(compare_programs(draw_watched_program, programs).compared > programs);
}

static void tellers(void **state) {
  (void)state;
  assert_true(compare_programs(draw_telling_program, programs).compared > programs);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_execution_per_trace),
                                     cmocka_unit_test(many_messages),
                                     cmocka_unit_test(another_order),
                                     cmocka_unit_test(specifications),
                                     cmocka_unit_test(kills_lives_and_names),
                                     cmocka_unit_test(abnormal_exits_fail),
                                     cmocka_unit_test(small_programs),
                                     cmocka_unit_test(uneven_programs),
                                     cmocka_unit_test(tellers)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  if (argc > 3) most = strtoull(argv[3], NULL, 10);
  if (argc > 1) divisions = 5, estimated = 1;
  verbose = argc > 5;
  if (!open_notes()) return 1;
  unsigned long which = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
  source_too = which == 2 || which == 5;
  sets_alone = which == 3 || which == 4;
  const struct CMUnitTest one[] = {
      tests[which >= 6 && which <= 11 ? which - 3 : which == 1 || which == 2 || which == 4]};
  return argc > 4 ? cmocka_run_group_tests(one, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
