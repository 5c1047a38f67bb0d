/* test_engine_alloc.c: memory runs out at every allocation of the engine, the strategies, their wrappers and minimising
 * in turn, on the toy subject. Each run must say EO_ENOMEM, or end as if nothing had happened where the memory was only
 * for speed; it must never crash, run wrong executions, or leak (the sanitizers' build sees that).
 * takes: 10 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/engine.h"
#include "core/minimise.h"
#include "core/reversal.h"
#include "explorers/explorer.h"
#include "strategies/strategies.h"

#include "../unit/toy_subject.h"

/* Runs with the memory there is; EO_OK or what went wrong. */
typedef int operation(eo_error *error);

/* With every number of allocations from none to all that the operation wants. The last ones are the interesting ones;
 * none may be left out, since each is another place. */
static void fail_each(const char *name, operation *run, long at_least) {
  eo_error error = {0};
  eo__alloc_budget = LONG_MAX;
  int code = run(&error);
  long count = LONG_MAX - eo__alloc_budget;
  eo__alloc_budget = -1;
  if (code != EO_OK) fail_msg("%s, with all memory there is: %s", name, error.text);
  if (count < at_least) fail_msg("%s: only %ld allocations", name, count);
  long failed = 0;
  for (long n = 0; n < count; n++) {
    error = (eo_error){0};
    eo__alloc_budget = n;
    code = run(&error);
    eo__alloc_budget = -1;
    if (code != EO_OK && code != EO_ENOMEM) fail_msg("%s, allocation %ld of %ld: code %d", name, n + 1, count, code);
    if (code != error.code)
      fail_msg("%s, allocation %ld of %ld: code %d, error %d", name, n + 1, count, code, error.code);
    failed += code == EO_ENOMEM;
  }
  if (failed == 0) fail_msg("%s: no allocation that matters", name);
  print_message("%s: %ld allocations, %ld of them needed\n", name, count, failed);
}

/* ---- What is run -------------------------------------------------------------------------------------------------- */

static toy subject;
static uint64_t executions, expected;

static bool count(void *context, const eo_outcome *outcome) {
  if (!outcome->counted) return true;
  (void)context;
  executions += outcome->end != EO_END_PRUNED;
  return true;
}

/* Takes the strategy over. A run that says EO_OK must have done all of its work. */
static int explore(eo_strategy *strategy, bool all_checkpoints, eo_finding *describe, eo_error *error) {
  eo_engine engine;
  executions = 0;
  if (!strategy) return error->code;
  eo__engine_init(&engine, &subject.base, strategy);
  engine.ended = count;
  engine.all_checkpoints = all_checkpoints;
  engine.no_checkpoints = describe != NULL;
  engine.describe = describe;
  int code = eo__engine_run(&engine, error);
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  assert_int_equal(subject.kept, 0);
  if (code == EO_OK) assert_int_equal(executions, expected);
  return code;
}

static const char *fails_at_aba(const toy_state *s) { return strcmp(s->path, "ABA") == 0 ? "ABA" : NULL; }

/* 12 steps deep: the vectors of the path grow more than once. 13! / (12! 1!) executions, or 495 of 8 and 4. */
static void deep(void) {
  toy_init(&subject, 8, 4, 0, 0);
  expected = 495;
}

static void failing(void) {
  deep();
  subject.fails = fails_at_aba;
  expected = 495 - 84 + 1; /* behind ABA lie 9! / (6! 3!) */
}

static int dfs(eo_error *error) {
  deep();
  return explore(eo__dfs_open(&(eo_strategy_options){0}, error), false, NULL, error);
}

static int dfs_with_checkpoints(eo_error *error) {
  deep();
  return explore(eo__dfs_open(&(eo_strategy_options){0}, error), true, NULL, error);
}

static int preempt(eo_error *error) {
  deep();
  return explore(eo__preempt_open(&(eo_strategy_options){0}, error), false, NULL, error);
}

static int by_delays(eo_error *error) {
  deep();
  eo_strategy_options options = {.explorer = &eo__explorer_rtc, .delay_step = 1};
  return explore(eo__ses_open(&options, error), false, NULL, error);
}

/* B writes a variable before, between or after two steps of A, and C chooses one of two values: 6 kinds; without sleep sets,
 * some of them are run again.  */
static int reduced(bool source, uint64_t executions_wanted, eo_error *error) {
  toy_init(&subject, 5, 5, 2, 0);
  subject.steps[0][1] = subject.steps[1][3] = (toy_step){.variable = 1, .writes = true};
  subject.steps[0][4] = (toy_step){.variable = 1};
  subject.steps[2][0] = (toy_step){.after = 'A', .after_steps = 2};
  subject.steps[2][1] = (toy_step){.values = 2, .variable = 2, .writes = true};
  eo_strategy_options options = {.view = eo_subject_view(&subject.base)};
  expected = executions_wanted;
  return explore(eo__dpor_sets_open(&options, source, error), false, NULL, error);
}

static int source_sets(eo_error *error) { return reduced(true, 6, error); }
static int classic_sets(eo_error *error) { return reduced(false, 30, error); }

static int draw(eo_error *error) {
  deep();
  expected = 50;
  return explore(eo__random_open(&(eo_strategy_options){.seed = 1, .executions = 50}, error), false, NULL, error);
}

/* All wrappers, as the worker puts them round a strategy, and a failure that is run again. */
static int wrapped(eo_error *error) {
  static char reason[128];
  static eo_meter meter;
  eo_stop_options stop = {.executions = 1000, .reason = reason};
  failing();
  eo_strategy *strategy = eo__dfs_open(&(eo_strategy_options){0}, error);
  strategy = eo__stop_open(strategy, &stop, error);
  strategy = eo__meter_open(strategy, &meter, error);
  strategy = eo__recheck_open(strategy, error);
  return explore(strategy, false, NULL, error);
}

static int wrapped_preempt(eo_error *error) {
  failing();
  return explore(eo__recheck_open(eo__preempt_open(&(eo_strategy_options){0}, error), error), true, NULL, error);
}

static bool count_to_50(void *context, const eo_outcome *outcome) {
  (void)context;
  executions += outcome->end != EO_END_PRUNED;
  return executions != 50;
}

/* Runs what the strategy has, or 50 of it, and closes it. */
static int run_part(eo_strategy *strategy, bool (*ended)(void *, const eo_outcome *), eo_bytes *piece, eo_bytes *rest,
                    eo_error *error) {
  eo_engine engine;
  eo__engine_init(&engine, &subject.base, strategy);
  engine.ended = ended;
  int code = eo__engine_run(&engine, error);
  eo__engine_release(&engine);
  if (code == EO_OK && piece &&
      (!strategy->ops->fragments->split(strategy, piece) || !strategy->ops->fragments->save(strategy, rest)))
    code = eo__error_nomem(error);
  strategy->ops->close(strategy);
  return code;
}

/* Some executions; then the rest in two parts. */
static int divided_by(eo_strategy *(*open)(const eo_strategy_options *, eo_error *), eo_error *error) {
  eo_strategy_options options = {.seed = 1, .executions = 495, .explorer = &eo__explorer_prr, .delay_step = 1};
  eo_bytes parts[2] = {0};
  deep();
  executions = 0;
  eo_strategy *strategy = open(&options, error);
  int code = strategy ? run_part(strategy, count_to_50, &parts[0], &parts[1], error) : error->code;
  for (int i = 0; i < 2; i++) {
    strategy = code == EO_OK ? open(&options, error) : NULL;
    if (code == EO_OK && !strategy) code = error->code;
    if (code == EO_OK) code = strategy->ops->fragments->load(strategy, parts[i].items, parts[i].count, error);
    if (code == EO_OK)
      code = run_part(strategy, count, NULL, NULL, error);
    else if (strategy)
      strategy->ops->close(strategy);
  }
  for (int i = 0; i < 2; i++) eo_vec_release(&parts[i]);
  if (code == EO_OK) assert_int_equal(executions, expected);
  return code;
}

static int divided_dfs(eo_error *error) { return divided_by(eo__dfs_open, error); }
static int divided_preempt(eo_error *error) { return divided_by(eo__preempt_open, error); }
static int divided_ses(eo_error *error) { return divided_by(eo__ses_open, error); }
static int divided_random(eo_error *error) { return divided_by(eo__random_open, error); }

/* ---- dpor --------------------------------------------------------------------------------------------------------- */

/* A takes what B and C send, or does not wait for it; B writes what A and C read, and chooses. */
static void conversing(void) {
  toy_init(&subject, 7, 4, 4, 0);
  subject.steps[0][0] = (toy_step){.spawns = 'B'};
  subject.steps[0][1] = (toy_step){.spawns = 'C'};
  subject.steps[0][2] = (toy_step){.receives = '?'};
  subject.steps[0][3] = (toy_step){.receives = '!', .from = 'C'};
  subject.steps[0][4] = (toy_step){.variable = 1};
  subject.steps[1][0] = (toy_step){.sends = 'A'};
  subject.steps[1][1] = (toy_step){.variable = 1, .writes = true};
  subject.steps[1][2] = (toy_step){.values = 3};
  subject.steps[1][3] = (toy_step){.sends = 'C'};
  subject.steps[2][0] = (toy_step){.sends = 'A'};
  subject.steps[2][1] = (toy_step){.variable = 1};
  subject.steps[2][2] = (toy_step){.sends = 'A'};
  subject.steps[2][3] = (toy_step){.receives = '!'};
}

/* How many ends there are, by dfs, each once. */
static EO_VEC(uint64_t) ends;

static bool note_end(void *context, const eo_outcome *outcome) {
  uint64_t hash[2];
  (void)context;
  (void)outcome;
  subject.base.ops->states->fingerprint(&subject.base, hash);
  for (size_t i = 0; i < ends.count; i++)
    if (ends.items[i] == hash[1]) return true;
  return eo_vec_push(&ends, hash[1]);
}

static uint64_t count_ends(eo_delivery delivery) {
  eo_engine engine;
  eo_strategy *strategy = eo__dfs_open(&(eo_strategy_options){0}, NULL);
  assert_non_null(strategy);
  conversing();
  subject.takes = delivery != EO_DELIVERY_MAILBOX;
  eo__engine_init(&engine, &subject.base, strategy);
  engine.ended = note_end;
  assert_int_equal(eo__engine_run(&engine, NULL), EO_OK);
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  uint64_t found = ends.count;
  eo_vec_release(&ends);
  return found;
}

static const char *fails_at_last_of_c(const toy_state *s) {
  return s->done[2] == 4 && s->path[s->depth - 1] == 'C' ? "C has done all" : NULL;
}

/* Executions of dpor: one for each end that dfs finds; fewer where the end of C is that of all, or with a bound. */
enum { OF_MAILBOX = 33, OF_ASYNC = 60, OF_FAILING = 33, OF_BOUNDED = 13 };

static void dpor_runs_each_kind_once(void **state) {
  (void)state;
  assert_int_equal(count_ends(EO_DELIVERY_MAILBOX), OF_MAILBOX);
  assert_int_equal(count_ends(EO_DELIVERY_ASYNC), OF_ASYNC);
}

static eo_strategy_options under(eo_delivery delivery) {
  conversing();
  subject.takes = delivery != EO_DELIVERY_MAILBOX;
  expected = delivery == EO_DELIVERY_ASYNC ? OF_ASYNC : OF_MAILBOX;
  return (eo_strategy_options){.view = eo_subject_view(&subject.base), .delivery = delivery, .seed = 1};
}

static int dpor_under(eo_delivery delivery, eo_error *error) {
  eo_strategy_options options = under(delivery);
  return explore(eo__dpor_open(&options, error), false, NULL, error);
}

static int dpor_mailbox(eo_error *error) { return dpor_under(EO_DELIVERY_MAILBOX, error); }
static int dpor_async(eo_error *error) { return dpor_under(EO_DELIVERY_ASYNC, error); }

/* reach runs no other orders of what is no message. */
enum { REACHED_MAILBOX = 9, REACHED_ASYNC = 18 };

static int reach_under(eo_delivery delivery, eo_error *error) {
  eo_strategy_options options = under(delivery);
  expected = delivery == EO_DELIVERY_ASYNC ? REACHED_ASYNC : REACHED_MAILBOX;
  return explore(eo__reach_open(&options, error), false, NULL, error);
}

static int reach_mailbox(eo_error *error) { return reach_under(EO_DELIVERY_MAILBOX, error); }
static int reach_async(eo_error *error) { return reach_under(EO_DELIVERY_ASYNC, error); }

/* C fails at its end, which hides nothing of what the others do. */
static int dpor_failing(eo_error *error) {
  eo_strategy_options options = under(EO_DELIVERY_MAILBOX);
  subject.fails = fails_at_last_of_c;
  expected = OF_FAILING;
  return explore(eo__recheck_open(eo__dpor_open(&options, error), error), true, NULL, error);
}

static int dpor_bounded(eo_error *error) {
  eo_strategy_options options = under(EO_DELIVERY_MAILBOX);
  options.bounded = true;
  options.bound = 0;
  expected = OF_BOUNDED;
  return explore(eo__dpor_open(&options, error), false, NULL, error);
}

/* Some executions, with their plain schedules; then the rest in parts, each in two parts again. */
static bool plain_ended(void *context, const eo_outcome *outcome) {
  if (!outcome->counted) return true;
  eo_strategy *strategy = context;
  eo_schedule schedule = {0};
  executions += outcome->end != EO_END_PRUNED;
  if (outcome->end != EO_END_PRUNED && !strategy->ops->telling->plain(strategy, &schedule)) strategy->error = EO_ENOMEM;
  eo_vec_release(&schedule);
  return executions % 7 != 0;
}

typedef EO_VEC(eo_bytes) pieces;

/* Takes a piece up; what is left after seven executions, or fewer, goes back in pieces. */
static int explore_piece(const eo_strategy_options *options, eo_bytes *piece, pieces *left, eo_error *error) {
  eo_engine engine;
  eo_bytes part = {0};
  eo_strategy *strategy = eo__dpor_open(options, error);
  if (!strategy) return error->code;
  int code = piece->count ? strategy->ops->fragments->load(strategy, piece->items, piece->count, error) : EO_OK;
  if (code == EO_OK) {
    eo__engine_init(&engine, &subject.base, strategy);
    engine.ended = plain_ended;
    engine.context = strategy;
    code = eo__engine_run(&engine, error);
    eo__engine_release(&engine);
  }
  bool good = code == EO_OK;
  if (good && strategy->ops->telling->pending(strategy)) {
    if (strategy->ops->fragments->split(strategy, &part)) {
      good = eo_vec_push(left, part);
      if (good) part = (eo_bytes){0};
    }
    good = good && strategy->ops->fragments->save(strategy, &part) && eo_vec_push(left, part);
    if (good) part = (eo_bytes){0};
  }
  if (code == EO_OK && (!good || strategy->error)) code = eo__error_nomem(error);
  eo_vec_release(&part);
  strategy->ops->close(strategy);
  return code;
}

static int dpor_in_pieces(bool fails, eo_error *error) {
  eo_strategy_options options = under(EO_DELIVERY_MAILBOX);
  pieces left = {0};
  eo_bytes piece = {0};
  int code;
  if (fails) {
    subject.fails = fails_at_last_of_c;
    expected = OF_FAILING;
  }
  executions = 0;
  do {
    code = explore_piece(&options, &piece, &left, error);
    eo_vec_release(&piece);
    piece = (eo_bytes){0};
    if (left.count && code == EO_OK) piece = eo_vec_pop(&left);
  } while (piece.count && code == EO_OK);
  eo_vec_release(&piece);
  while (left.count) {
    piece = eo_vec_pop(&left);
    eo_vec_release(&piece);
  }
  eo_vec_release(&left);
  if (code == EO_OK) assert_int_equal(executions, expected);
  return code;
}

static int divided_dpor(eo_error *error) { return dpor_in_pieces(false, error); }
static int divided_failing_dpor(eo_error *error) { return dpor_in_pieces(true, error); }

static int dpor_probe(eo_error *error) {
  eo_estimate estimate = {0};
  eo_strategy_options options = under(EO_DELIVERY_CAUSAL);
  options.probes = 20;
  options.probe_steps = UINT64_MAX;
  options.estimate = &estimate;
  eo_strategy *strategy = eo__dpor_probe_open(&options, error);
  eo_engine engine;
  if (!strategy) return error->code;
  eo__engine_init(&engine, &subject.base, strategy);
  int code = eo__engine_run(&engine, error);
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  if (code == EO_OK) assert_int_equal(estimate.probes, 20);
  return code;
}

static int source_conversing(eo_error *error) {
  eo_strategy_options options = under(EO_DELIVERY_ASYNC);
  expected = 213; /* a receive and a later send that it would have accepted count as dependent */
  return explore(eo__dpor_sets_open(&options, true, error), false, NULL, error);
}

static int replay_described(eo_error *error) {
  static const eo_choice choices[12] = {{.process = 1}, {.process = 0}, {.process = 1}, {.process = 0},
                                        {.process = 1}, {.process = 0}, {.process = 1}, {.process = 0}};
  eo_finding finding;
  deep();
  expected = 1;
  eo__finding_init(&finding);
  int code = explore(eo__replay_open(choices, 12, error), false, &finding, error);
  if (code == EO_OK) assert_int_equal(finding.lines.count, 12);
  eo__finding_release(&finding);
  return code;
}

static const char *fails_when_b_sees_one(const toy_state *s) {
  return s->path[s->depth - 1] == 'B' && s->done[0] == 1 ? "B saw one of A" : NULL;
}

static int minimise(eo_error *error) {
  static const eo_choice start[] = {{.process = 2}, {.process = 3}, {.process = 2}, {.process = 0},
                                    {.process = 2}, {.process = 3}, {.process = 1}};
  eo_failure failure = {.kind = EO_KIND_ASSERTION, .message = "B saw one of A"};
  eo_schedule schedule = {0};
  bool fewest;
  toy_init(&subject, 2, 1, 4, 4);
  subject.fails = fails_when_b_sees_one;
  int code = EO_OK;
  for (size_t i = 0; i < sizeof start / sizeof *start && code == EO_OK; i++)
    if (!eo_vec_push(&schedule, start[i])) code = eo__error_nomem(error);
  if (code == EO_OK) code = eo__minimise(&subject.base, 100, &failure, NULL, &schedule, &fewest, error);
  if (code == EO_OK) {
    assert_int_equal(schedule.count, 2);
    assert_true(fewest);
  }
  assert_int_equal(subject.kept, 0);
  eo_vec_release(&schedule);
  return code;
}

/* ---- Samplers ----------------------------------------------------------------------------------------------------- */

static bool count_to_110(void *context, const eo_outcome *outcome) {
  (void)context;
  (void)outcome;
  return ++executions != 110;
}

static bool count_all(void *context, const eo_outcome *outcome) {
  (void)context;
  (void)outcome;
  executions++;
  return true;
}

/* So many that they have learnt what they learn; then the rest in two parts. */
static int sampled_by(eo_strategy *(*open)(const eo_strategy_options *, eo_error *), eo_error *error) {
  eo_bytes parts[2] = {0};
  conversing();
  eo_strategy_options options = {.seed = 1, .executions = 150, .bug_depth = 3, .view = eo_subject_view(&subject.base)};
  executions = 0;
  eo_strategy *strategy = open(&options, error);
  int code = strategy ? run_part(strategy, count_to_110, &parts[0], &parts[1], error) : error->code;
  for (int i = 0; i < 2; i++) {
    strategy = code == EO_OK ? open(&options, error) : NULL;
    if (code == EO_OK && !strategy) code = error->code;
    if (code == EO_OK) code = strategy->ops->fragments->load(strategy, parts[i].items, parts[i].count, error);
    if (code == EO_OK)
      code = run_part(strategy, count_all, NULL, NULL, error);
    else if (strategy)
      strategy->ops->close(strategy);
  }
  for (int i = 0; i < 2; i++) eo_vec_release(&parts[i]);
  if (code == EO_OK) assert_int_equal(executions, 150);
  return code;
}

static int sampled_irs(eo_error *error) { return sampled_by(eo__irs_open, error); }
static int sampled_pct(eo_error *error) { return sampled_by(eo__pct_open, error); }
static int sampled_pctcp(eo_error *error) { return sampled_by(eo__pctcp_open, error); }
static int sampled_tapct(eo_error *error) { return sampled_by(eo__tapct_open, error); }
static int sampled_pos(eo_error *error) { return sampled_by(eo__pos_open, error); }
static int sampled_surw(eo_error *error) { return sampled_by(eo__surw_open, error); }

/* A, then B, fails; B, then A, passes. The strings of the lines are constants: nothing frees them. */
static int reverse(eo_error *error) {
  static const eo_choice order[] = {{.process = 0}, {.process = 1}};
  eo_line lines[] = {{.process = "A", .op = "send", .other = "C"}, {.process = "B", .op = "send", .other = "C"}};
  eo_schedule schedule = {.items = (eo_choice *)order, .count = 2};
  eo_finding finding;
  eo__finding_init(&finding);
  finding.lines.items = lines;
  finding.lines.count = 2;
  toy_init(&subject, 1, 1, 0, 0);
  subject.fails = fails_when_b_sees_one;
  int code = eo__reverse(&subject.base, 100, NULL, &schedule, &finding, error);
  if (code == EO_OK) {
    assert_true(finding.reversible);
    assert_int_equal(finding.earlier, 0);
    assert_int_equal(finding.later, 1);
  } else {
    assert_false(finding.reversible);
  }
  return code;
}

/* ---- The tests ---------------------------------------------------------------------------------------------------- */

#define SURVIVES(operation, at_least)              \
  static void operation##_survives(void **state) { \
    (void)state;                                   \
    fail_each(#operation, operation, at_least);    \
  }

SURVIVES(dfs, 4)
SURVIVES(dfs_with_checkpoints, 100)
SURVIVES(preempt, 6)
SURVIVES(by_delays, 10)
SURVIVES(source_sets, 15)
SURVIVES(classic_sets, 15)
SURVIVES(draw, 3)
SURVIVES(wrapped, 7)
SURVIVES(wrapped_preempt, 100)
SURVIVES(divided_dfs, 10)
SURVIVES(divided_preempt, 20)
SURVIVES(divided_ses, 20)
SURVIVES(divided_random, 5)
SURVIVES(sampled_irs, 5)
SURVIVES(sampled_pct, 8)
SURVIVES(sampled_pctcp, 30)
SURVIVES(sampled_tapct, 30)
SURVIVES(sampled_pos, 8)
SURVIVES(sampled_surw, 15)
SURVIVES(dpor_mailbox, 100)
SURVIVES(dpor_async, 100)
SURVIVES(reach_mailbox, 20)
SURVIVES(reach_async, 20)
SURVIVES(dpor_failing, 100)
SURVIVES(dpor_bounded, 100)
SURVIVES(divided_dpor, 100)
SURVIVES(divided_failing_dpor, 100)
SURVIVES(dpor_probe, 50)
SURVIVES(source_conversing, 15)
SURVIVES(replay_described, 70)
SURVIVES(minimise, 10)
SURVIVES(reverse, 3)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dfs_survives),
      cmocka_unit_test(dfs_with_checkpoints_survives),
      cmocka_unit_test(preempt_survives),
      cmocka_unit_test(source_sets_survives),
      cmocka_unit_test(classic_sets_survives),
      cmocka_unit_test(draw_survives),
      cmocka_unit_test(wrapped_survives),
      cmocka_unit_test(wrapped_preempt_survives),
      cmocka_unit_test(divided_dfs_survives),
      cmocka_unit_test(divided_preempt_survives),
      cmocka_unit_test(divided_ses_survives),
      cmocka_unit_test(by_delays_survives),
      cmocka_unit_test(divided_random_survives),
      cmocka_unit_test(sampled_irs_survives),
      cmocka_unit_test(sampled_pct_survives),
      cmocka_unit_test(sampled_pctcp_survives),
      cmocka_unit_test(sampled_tapct_survives),
      cmocka_unit_test(sampled_pos_survives),
      cmocka_unit_test(sampled_surw_survives),
      cmocka_unit_test(dpor_runs_each_kind_once),
      cmocka_unit_test(dpor_mailbox_survives),
      cmocka_unit_test(dpor_async_survives),
      cmocka_unit_test(reach_mailbox_survives),
      cmocka_unit_test(reach_async_survives),
      cmocka_unit_test(dpor_failing_survives),
      cmocka_unit_test(dpor_bounded_survives),
      cmocka_unit_test(divided_dpor_survives),
      cmocka_unit_test(divided_failing_dpor_survives),
      cmocka_unit_test(dpor_probe_survives),
      cmocka_unit_test(source_conversing_survives),
      cmocka_unit_test(replay_described_survives),
      cmocka_unit_test(minimise_survives),
      cmocka_unit_test(reverse_survives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
