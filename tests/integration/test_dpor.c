/* test_dpor.c: dpor runs exactly one execution of each trace. What the traces are is taken from dfs, whose every execution
 * is hashed as a partial order (core/trace.h): random programs over every operation, under every delivery. Executions
 * that end by a failing step are compared by what happened before that step; where steps also doom processes, by what was
 * found: the failing execution might have led to another way to fail.
 *
 * Arguments, for longer hunts: first seed, number of programs, largest number of interleavings; anything: show
 * every execution. builds: release asan */
#include <everyorder.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/engine.h"
#include "core/program.h"
#include "core/trace.h"
#include "random_program.h"
#include "strategies/strategies.h"
#include "strategies/wrapper.h"
#include "subjects/actor/actor.h"

static const char *const delivery_names[] = {"mailbox", "fifo", "causal", "async"};

/* ---- Traces ----------------------------------------------------------------------------------------------------- */

typedef EO_VEC(uint64_t) hashes;

/* Wraps a strategy and keeps the hash of each execution. */
typedef struct tracing {
  eo_wrapper wrapper;
  eo_trace trace;
  hashes complete, failed; /* of whole executions; of what led to a failing step */
  uint64_t pruned, limit;
  hashes failures; /* what was found */
  bool dooms;      /* some step doomed a process */
  bool too_many;   /* or not to be compared */
} tracing;

static void tracing_close(eo_strategy *strategy) {
  tracing *t = (tracing *)strategy;
  eo_trace_release(&t->trace);
  eo_vec_release(&t->complete);
  eo_vec_release(&t->failed);
  eo_vec_release(&t->failures);
  eo__wrapper_close(strategy);
}

static bool tracing_begin(eo_strategy *strategy, uint32_t *shared) {
  tracing *t = (tracing *)strategy;
  t->too_many |= t->complete.count + t->failed.count > t->limit;
  if (t->too_many || !eo__wrapper_begin(strategy, shared)) return false;
  eo_trace_cut(&t->trace, *shared);
  return true;
}

static void tracing_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  tracing *t = (tracing *)strategy;
  assert_true(eo_trace_add(&t->trace, taken, event));
  t->dooms |= (event->flags & EO_EVENT_DOOMS) != 0;
  if (t->wrapper.inner->ops->observe) t->wrapper.inner->ops->observe(t->wrapper.inner, depth, taken, event);
}

static bool verbose;

static void show(const tracing *t, const eo_outcome *outcome) {
  static const char *const ends[] = {"finished", "failed", "pruned"};
  for (size_t i = 0; i < t->trace.records.count; i++) {
    const eo_record *record = &t->trace.records.items[i];
    printf("%s%u:%s", i ? " " : "  ", record->process, eo_op_name((eo_op_kind)record->op));
    if (record->source != EO_NO_EVENT) printf("<%u", record->source);
    if (record->value && record->op == EO_OP_CHOOSE) printf("=%u", record->value);
    for (uint32_t j = 0; j < record->mails; j++) printf(">%u", t->trace.mails.items[record->first_mail + j].sent.to);
    for (uint32_t j = 0; j < record->touches; j++) {
      const eo_touch *touch = &t->trace.touches.items[record->first_touch + j];
      printf("%c%u", touch->writes ? '!' : '?', touch->object);
    }
    if (record->doomed) printf(" dooms");
    if (record->flags & EO_EVENT_FAILED) printf(" FAILS");
    if (record->flags & EO_EVENT_IDLE) printf(" idle");
  }
  printf(" %s %08x%s%s\n", ends[outcome->end], (uint32_t)eo_trace_hash(&t->trace), outcome->failure ? ": " : "",
         outcome->failure ? outcome->failure->message : "");
}

static uint64_t hash_of(const eo_failure *failure) {
  uint64_t hash = 14695981039346656037u + failure->kind;
  for (const char *c = failure->message; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  return hash;
}

static void tracing_end(eo_strategy *strategy, eo_outcome *outcome) {
  tracing *t = (tracing *)strategy;
  size_t steps = t->trace.records.count;
  eo__wrapper_end(strategy, outcome);
  if (verbose && outcome->counted) show(t, outcome);
  if (!outcome->counted) return;
  if (outcome->end == EO_END_FAILED) assert_true(eo_vec_push(&t->failures, hash_of(outcome->failure)));
  if (outcome->end == EO_END_PRUNED)
    t->pruned++;
  else if (outcome->failure && strstr(outcome->failure->message, "is not a process"))
    t->too_many = true; /* it uses a pid that nobody told it: the order of that and the spawn is not seen */
  else if (steps && t->trace.records.items[steps - 1].flags & EO_EVENT_FAILED)
    assert_true(eo_vec_push(&t->failed, eo_trace_past_hash(&t->trace)));
  else
    assert_true(eo_vec_push(&t->complete, eo_trace_hash(&t->trace)));
}

static const eo_strategy_ops tracing_ops = {
    .close = tracing_close,
    .begin = tracing_begin,
    .choose = eo__wrapper_choose,
    .observe = tracing_observe,
    .end = tracing_end,
    .coverage = eo__wrapper_coverage,
    .share = eo__wrapper_share,
    .pending = eo__wrapper_pending,
};

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void sort(hashes *h) {
  if (h->count) qsort(h->items, h->count, sizeof *h->items, by_value);
}

static size_t make_distinct(hashes *h) {
  size_t kept = 0;
  sort(h);
  for (size_t i = 0; i < h->count; i++)
    if (i == 0 || h->items[i] != h->items[kept - 1]) h->items[kept++] = h->items[i];
  size_t dropped = h->count - kept;
  h->count = kept;
  return dropped;
}

static bool same(const hashes *a, const hashes *b) {
  return a->count == b->count && (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

/* ---- One program ------------------------------------------------------------------------------------------------ */

typedef eo_strategy *opener(const eo_strategy_options *options, eo_error *error);

static tracing *explore(eo_function function, opener *open, eo_delivery delivery, uint64_t limit,
                        eo_subject **subject) {
  static int first = 0;
  eo_error error = {0};
  eo_actor_options options = {
      .function = function, .argument = &first, .timeouts_idle = program.idle, .watchdog = 10, .delivery = delivery};
  *subject = eo__actor_open(&options, &error);
  if (!*subject) fail_msg("%s", error.text);
  eo_strategy_options wanted = {.subject = *subject, .delivery = delivery, .timeouts_idle = program.idle};
  tracing *t = eo__wrapper_open(sizeof *t, &tracing_ops, open(&wanted, &error), &error);
  assert_non_null(t);
  t->wrapper.base.asked = NULL;
  t->limit = limit;
  eo_trace_init(&t->trace, *subject, false);
  eo_engine engine;
  eo_engine_init(&engine, *subject, &t->wrapper.base);
  assert_int_equal(eo_engine_run(&engine, &error), EO_OK);
  eo_engine_release(&engine);
  return t;
}

static void end(tracing *t, eo_subject *subject) {
  t->wrapper.base.ops->close(&t->wrapper.base);
  subject->ops->close(subject);
}

/* The estimate of many probes is near the truth. */
static void check_estimate(uint64_t seed, eo_delivery delivery, opener *open, uint64_t truth) {
  static int first = 0;
  eo_error error = {0};
  eo_estimate estimate = {0};
  eo_engine engine;
  eo_actor_options options = {
      .function = run_script, .argument = &first, .timeouts_idle = program.idle, .watchdog = 10, .delivery = delivery};
  eo_subject *subject = eo__actor_open(&options, &error);
  if (!subject) fail_msg("%s", error.text);
  eo_strategy_options wanted = {.subject = subject,
                                .delivery = delivery,
                                .timeouts_idle = program.idle,
                                .probes = 2000,
                                .probe_steps = UINT64_MAX,
                                .estimate = &estimate};
  eo_strategy *strategy = open(&wanted, &error);
  assert_non_null(strategy);
  eo_engine_init(&engine, subject, strategy);
  assert_int_equal(eo_engine_run(&engine, &error), EO_OK);
  eo_engine_release(&engine);
  strategy->ops->close(strategy);
  subject->ops->close(subject);
  assert_int_equal(estimate.probes, 2000);
  double mean = estimate.sum / 2000, spread = estimate.squares / 2000 - mean * mean;
  double band = 6 * sqrt((spread > 0 ? spread : 0) / 2000) + 1e-6 * (double)truth; /* six standard errors */
  if (fabs(mean - (double)truth) > band)
    fail_msg("seed %ju, %s: %ju executions, estimated %g with a band of %g", (uintmax_t)seed, delivery_names[delivery],
             (uintmax_t)truth, mean, band);
}

static uint64_t most = 3000, compared, traces, executions, pruned;

static void compare(uint64_t seed, eo_delivery delivery) {
  eo_subject *subject;
  tracing *t = explore(run_script, eo__dfs_open, delivery, most, &subject);
  if (t->too_many) {
    end(t, subject);
    return;
  }
  hashes complete = t->complete, failed = t->failed, failures = t->failures;
  bool dooms = t->dooms;
  memset(&t->complete, 0, sizeof t->complete);
  memset(&t->failed, 0, sizeof t->failed);
  memset(&t->failures, 0, sizeof t->failures);
  end(t, subject); /* which brings back our globals, too, as they were */
  uint64_t executed = complete.count + failed.count;
  executions += executed;
  make_distinct(&complete);
  make_distinct(&failed);
  make_distinct(&failures);
  traces += complete.count + failed.count;
  compared++;
  if (failed.count == 0) { /* else dpor does not run each once */
    check_estimate(seed, delivery, eo__probe_open, executed);
    check_estimate(seed, delivery, eo__dpor_probe_open, complete.count);
  }
  if (verbose) printf("seed %ju, %s, dpor:\n", (uintmax_t)seed, delivery_names[delivery]);
  t = explore(run_script, eo__dpor_open, delivery, 10 * (complete.count + failed.count) + 10, &subject);
  size_t twice = make_distinct(&t->complete);
  (void)make_distinct(&t->failed);
  (void)make_distinct(&t->failures);
  uint64_t given_up = t->pruned;
  /* Where steps fail and the search goes on, a trace may come twice: what the failing step would have changed is not known. */
  bool same_failures = same(&failures, &t->failures) && (dooms || same(&failed, &t->failed));
  if ((twice && !failed.count) || !same(&complete, &t->complete) || !same_failures)
    fail_msg("seed %ju, %s: %zu traces; dpor runs %zu and %zu twice, prunes %ju; %zu failing ones, dpor %zu",
             (uintmax_t)seed, delivery_names[delivery], complete.count, t->complete.count, twice, (uintmax_t)t->pruned,
             failed.count, t->failed.count);
  end(t, subject);
  pruned += given_up;
  eo_vec_release(&complete);
  eo_vec_release(&failed);
  eo_vec_release(&failures);
}

static uint64_t first_seed = 1, programs = 300;

static void one_execution_per_trace(void **state) {
  (void)state;
  for (uint64_t i = 0; i < programs; i++) {
    eo_subject *subject;
    draw_program(first_seed + i);
    memset(notes, 0, sizeof *notes);
    strcpy(notes->ids[0], "P1");
    tracing *t = explore(learn_pids, eo__dfs_open, EO_DELIVERY_MAILBOX, 0, &subject);
    end(t, subject);
    for (eo_delivery delivery = EO_DELIVERY_MAILBOX; delivery <= EO_DELIVERY_ASYNC; delivery++)
      compare(first_seed + i, delivery);
  }
  printf("%ju comparisons; %ju interleavings, %ju traces, %ju pruned\n", (uintmax_t)compared, (uintmax_t)executions,
         (uintmax_t)traces, (uintmax_t)pruned);
  assert_true(compared > programs);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_execution_per_trace)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  if (argc > 3) most = strtoull(argv[3], NULL, 10);
  verbose = argc > 4;
  return open_notes() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
