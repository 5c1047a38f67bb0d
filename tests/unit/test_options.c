/* test_options.c: the table of options (registry/options.h): what is refused and for whom, what strategies are told, and the
 * text that --resume and a cluster's job keep, which must not change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "registry/explore.h"
#include "registry/registry.h"
#include "registry/shape.h"

static void nothing(void *argument) { (void)argument; }

static int check(const eo_options *options, eo_error *error) {
  eo_request request = {.function = nothing, .options = *options, .program = "", .test = ""};
  *error = (eo_error){0};
  return eo__request_check(&request, error);
}

static void refused(const eo_options *options, const char *text) {
  eo_error error;
  assert_int_equal(check(options, &error), EO_EINPUT);
  assert_string_equal(error.text, text);
}

static void test_values(void **state) {
  (void)state;
  refused(&(eo_options){.strategy = "pct", .bug_depth = 65}, "--bug-depth 65: expected a whole number from 1 to 64");
  refused(&(eo_options){.strategy = "pct", .bug_depth = -1}, "--bug-depth -1: expected a whole number from 1 to 64");
  refused(&(eo_options){.strategy = "preempt", .bounded = 1, .bound = -2},
          "--bound -2: expected a whole number from 0 to 2,147,483,647");
  refused(&(eo_options){.strategy = "ss", .growth = 0.5},
          "--growth 0.5: expected a whole number from 1 to 2,147,483,647");
  refused(&(eo_options){.jobs = 257}, "--jobs 257: expected a whole number from 1 to 256");
  refused(&(eo_options){.seconds = -1}, "--time -1 s: expected a time such as 30s, 5m, 1h or 250ms");
  refused(&(eo_options){.strategy = "dpor", .reduction = "sauce"},
          "--dpor sauce: expected optimal, source or classic; did you mean source?");
  refused(&(eo_options){.strategy = "ses", .cache = "none"},
          "--cache none: expected unlimited, refuse, replace or off");
  refused(&(eo_options){.delivery = "sideways"}, "--delivery sideways: expected mailbox, fifo, causal or async");
}

static void test_who_heeds(void **state) {
  (void)state;
  refused(&(eo_options){.bounded = 1}, "strategy 'auto' does not use --bound: that is an option of dpor and preempt");
  refused(&(eo_options){.strategy = "random", .bug_depth = 2},
          "strategy 'random' does not use --bug-depth: that is an option of pct, pctcp and tapct");
  refused(&(eo_options){.strategy = "pos", .draw_process = 1},
          "strategy 'pos' does not use --draw: that is an option of random");
  refused(&(eo_options){.strategy = "dfs", .explorer = "rr"},
          "strategy 'dfs' does not use --explorer: that is an option of ses, ses+ss and ss");
  refused(&(eo_options){.strategy = "reach", .seed = 1},
          "strategy 'reach' does not use --seed: that is an option of auto, dfs, dpor, irs, pct, pctcp, pos, preempt, "
          "random, "
          "ses, ses+ss, ss, surw and tapct");
  refused(&(eo_options){.strategy = "reach", .jobs = 2}, "strategy 'reach' cannot be split: it takes one job");
}

/* Each option alone, for each strategy of programs: refused just where the table says so. */
static void test_every_pair(void **state) {
  (void)state;
  const eo_options samples[] = {
      {.bounded = 1},     {.reduction = "optimal"}, {.no_tree = 1},        {.sleep_sets = 1}, {.fair = 1},
      {.visible = "x"},   {.explorer = "rr"},       {.delays_bounded = 1}, {.delay_step = 2}, {.cache = "refuse"},
      {.cache_mb = 1},    {.samples = 1},           {.growth = 1},         {.bug_depth = 1},  {.length = 1},
      {.executions = 1},  {.seconds = 1},           {.depth = 1},          {.seed = 1},       {.keep_going = 1},
      {.as_found = 1},    {.timeouts_idle = 1},     {.delivery = "fifo"},  {.leaks = 1},      {.watchdog = 1},
      {.depth_fails = 1}, {.abnormal_fails = 1},    {.faults = "2"},       {.minimise = 1},   {.draw_process = 1},
      {.bitstate_mb = 1}, {.hash_compact = 1}};
  enum { SAMPLES = sizeof samples / sizeof *samples };
  size_t pairs = 0;
  bool seen[64] = {false};
  for (size_t i = 0; i < SAMPLES; i++)
    for (const eo_strategy_entry *entry = eo__strategies; entry->name; entry++) {
      eo_options options = samples[i];
      eo_error error;
      bool good = true;
      if (!entry->open && !entry->turns) continue;
      options.strategy = entry->name;
      for (size_t j = 0; j < eo__option_count; j++) {
        const eo_option *option = &eo__options[j];
        if (!eo__option_is_given(option, (const char *)&options + option->field)) continue;
        seen[j] = true;
        if (option->heeded && !(option->flags & EO_OPTION_FREE) && !eo__strategy_heeds(entry, option)) good = false;
      }
      if (check(&options, &error) != (good ? EO_OK : EO_EINPUT))
        fail_msg("%s, sample %zu: %s", entry->name, i, error.text);
      pairs++;
    }
  assert_true(pairs >= (size_t)SAMPLES * 14);
  for (size_t j = 0; j < eo__option_count; j++) /* those that strategies have nothing to do with are not sampled */
    if (!seen[j] && strcmp(eo__options[j].name, "jobs") != 0 && strcmp(eo__options[j].name, "tickets") != 0)
      fail_msg("--%s is not among the samples", eo__options[j].name);
}

static void test_told_to_strategies(void **state) {
  (void)state;
  eo_request request = {.function = nothing, .options = {.strategy = "pct"}};
  eo_strategy_options wanted = eo__strategy_options(&request, NULL);
  assert_int_equal(wanted.bug_depth, 3);
  assert_int_equal(wanted.delay_step, 1);
  assert_int_equal(wanted.samples, 100);
  assert_true(wanted.growth > 2.99 && wanted.growth < 3.01);
  assert_int_equal(wanted.length, 0);
  assert_false(wanted.bounded || wanted.delays_bounded || wanted.timeouts_idle || wanted.no_tree);
  request.options = (eo_options){.strategy = "ss",
                                 .bounded = 1,
                                 .bound = 5,
                                 .delays_bounded = 1,
                                 .delays = 6,
                                 .delay_step = 7,
                                 .samples = 8,
                                 .growth = 9,
                                 .bug_depth = 10,
                                 .length = 11,
                                 .draw_process = 1,
                                 .executions = 12,
                                 .seed = UINT64_MAX,
                                 .reduction = "classic",
                                 .no_tree = 1,
                                 .timeouts_idle = 1};
  wanted = eo__strategy_options(&request, NULL);
  assert_true(wanted.bounded && wanted.bound == 5 && wanted.delays_bounded && wanted.delays == 6);
  assert_true(wanted.delay_step == 7 && wanted.samples == 8 && wanted.growth > 8.9 && wanted.bug_depth == 10);
  assert_true(wanted.length == 11 && wanted.executions == 12 && wanted.seed == UINT64_MAX);
  assert_string_equal(wanted.reduction, "classic");
  assert_true(wanted.no_tree && wanted.timeouts_idle && wanted.draw_process);
  assert_int_equal(eo__depth(&request), 10000);
  assert_true(eo__watchdog(&request) > 1.99 && eo__watchdog(&request) < 2.01);
}

static void shape_is(const eo_options *options, const char *text) {
  eo_text shape;
  eo_error error = {0};
  eo__text_init(&shape);
  assert_int_equal(eo__shape_add(options, &shape, &error), EO_OK);
  assert_string_equal(shape.chars, text);
  eo__text_release(&shape);
}

static void test_shape(void **state) {
  (void)state;
  shape_is(&(eo_options){0}, "strategy auto\n");
  shape_is(&(eo_options){.keep_going = 1, .seconds = 3, .executions = 5, .jobs = 4, .tickets = "t"}, "strategy auto\n");
  shape_is(&(eo_options){.strategy = "random", .executions = EO_NO_LIMIT, .seed = 7},
           "strategy random\nexecutions 0\nseed 7\n");
  shape_is(&(eo_options){.strategy = "ses",
                         .bounded = 1,
                         .reduction = "optimal",
                         .no_tree = 1,
                         .sleep_sets = 1,
                         .fair = 1,
                         .visible = "a,b",
                         .explorer = "rr",
                         .delays_bounded = 1,
                         .delay_step = 2,
                         .cache = "off",
                         .cache_mb = 3,
                         .samples = 4,
                         .growth = 5,
                         .bug_depth = 6,
                         .length = 7,
                         .depth = 8,
                         .depth_fails = 1,
                         .seed = 9,
                         .timeouts_idle = 1,
                         .delivery = "fifo",
                         .faults = "disk=1,net=2",
                         .leaks = 1,
                         .watchdog = 0.25},
           "strategy ses\nbound 0\ndpor optimal\nno-tree yes\nsleep yes\nfair yes\nvisible a,b\nexplorer rr\ndelays 0\n"
           "delay-step 2\ncache off\ncache-mb 3\nsamples 4\ngrowth 5\nbug-depth 6\nlength 7\ndepth 8\n"
           "depth-fails yes\nseed 9\ntimeouts idle\ndelivery fifo\nfaults disk=1,net=2\nleaks yes\nwatchdog 0.25 s\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),     cmocka_unit_test(test_who_heeds),
      cmocka_unit_test(test_every_pair), cmocka_unit_test(test_told_to_strategies),
      cmocka_unit_test(test_shape),
  };
  return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
