/* test_estimate.c: the median estimate of runs that were stopped after a tenth of their executions is within a factor of
 * two of the truth, for random programs that are large enough. (Examples: estimate.sh.)
 *
 * Arguments, for longer hunts: first seed, number of programs to look at. builds: release
 * hunt: 1 100
 * takes: 12 */
#include <everyorder.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "registry/explore.h"

#include "random_program.h"

enum { RUNS = 9, LEAST = 20, MOST = 20000 };

static eo_run explore(eo_function function, const char *strategy, const char *delivery, uint64_t executions,
                      uint64_t seed) {
  static int first = 0;
  eo_run run;
  eo_error error = {0};
  eo_request request = {.function = function, .argument = &first, .program = "/proc/self/exe", .test = "random"};
  request.options = (eo_options){.strategy = strategy,
                                 .delivery = delivery,
                                 .executions = executions,
                                 .seed = seed,
                                 .keep_going = strcmp(strategy, "dfs") == 0,
                                 .timeouts_idle = program.idle};
  assert_int_equal(eo__request_check(&request, &error), EO_OK);
  if (eo__explore(&request, NULL, &run, &error) != EO_OK)
    fail_msg("%s %s: %s", strategy, delivery ? delivery : "", error.text);
  return run;
}

/* ---- Programs with many traces and no failures ------------------------------------------------------------------- */

enum { PEERS = 4, ROUNDS = 2, PIDS = 100 /* a tag */ };

/* In each round each sends to one other, and then takes as many as were sent to it in that round. */
static struct {
  int to[ROUNDS][PEERS];
  int odd[PEERS]; /* this one makes a choice of its own if the last message it got was of that peer */
} plan;

static void draw_plan(uint64_t seed) {
  eo_rng rng;
  eo__rng_init(&rng, seed);
  for (int i = 0; i < PEERS; i++) {
    for (int round = 0; round < ROUNDS; round++)
      plan.to[round][i] = (i + 1 + (int)eo__rng_below(&rng, PEERS - 1)) % PEERS;
    plan.odd[i] = (int)eo__rng_below(&rng, 2 * PEERS);
  }
}

static void peer(void *argument) {
  const int self = *(const int *)argument;
  eo_pid pids[PEERS];
  eo_message message;
  eo_receive_tag(&message, PIDS, EO_FOREVER);
  memcpy(pids, message.data, sizeof pids);
  for (int round = 0; round < ROUNDS; round++) {
    eo_send(pids[plan.to[round][self]], self, NULL, 0);
    for (int i = 0; i < PEERS; i++) {
      if (plan.to[round][i] != self) continue;
      eo_receive(&message, EO_FOREVER);
      if (message.tag == plan.odd[self]) eo_choose(3);
    }
  }
}

static void run_plan(void *argument) {
  eo_pid pids[PEERS];
  (void)argument;
  for (int i = 0; i < PEERS; i++) pids[i] = eo_spawn(peer, &i, sizeof i);
  for (int i = 0; i < PEERS; i++) eo_send(pids[i], PIDS, pids, sizeof pids);
}

/* ---- Estimates ---------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static uint64_t first_seed = 1, programs = 40, compared[2];

static void compare(uint64_t seed, eo_function function, const char *strategy, const char *delivery, uint64_t *count) {
  double estimates[RUNS];
  eo_run whole = explore(function, strategy, delivery, MOST, 0);
  /* (After a failure, dpor looks further in ways that are not drawn from: it stops there.) */
  if (!whole.complete || whole.executions < LEAST) return;
  for (uint64_t i = 0; i < RUNS; i++) {
    eo_run part = explore(function, strategy, delivery, whole.executions / 10, i + 1);
    assert_int_equal(part.executions, whole.executions / 10);
    assert_true(part.probes >= 64 && part.estimate_low <= part.estimate && part.estimate <= part.estimate_high);
    estimates[i] = part.estimate;
  }
  qsort(estimates, RUNS, sizeof *estimates, by_value);
  double truth = (double)whole.executions, median = estimates[RUNS / 2];
  printf("seed %ju, %s: %ju executions, estimated %.0f (%.0f to %.0f)\n", (uintmax_t)seed, strategy,
         (uintmax_t)whole.executions, median, estimates[0], estimates[RUNS - 1]);
  if (median < truth / 2 || median > truth * 2) fail_msg("that is off by more than a factor of two");
  ++*count;
}

static void the_median_is_near(void **state) {
  (void)state;
  for (uint64_t i = 0; i < programs; i++) {
    draw_program(first_seed + i);
    memset(notes, 0, sizeof *notes);
    strcpy(notes->ids[0], "P1");
    (void)explore(learn_pids, "dfs", NULL, 1, 0);
    compare(first_seed + i, run_script, "dfs", NULL, &compared[0]);
    draw_plan(first_seed + i);
    compare(first_seed + i, run_plan, "dpor", NULL, &compared[1]);
    compare(first_seed + i, run_plan, "dpor", "async", &compared[1]);
  }
  printf("%ju programs with dfs, %ju with dpor\n", (uintmax_t)compared[0], (uintmax_t)compared[1]);
  assert_true(compared[0] >= 10 && compared[1] >= 20);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_median_is_near)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  return open_notes() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
