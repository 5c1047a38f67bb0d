/* test_explore.c: eo_explore as another framework's tests use it: many times in one process, each time with other
 * options, with findings of every severity, and without a trace left in the caller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <everyorder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/contain.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"

/* ---- What is explored --------------------------------------------------------------------------------------------- */

enum { HELLO, NUMBER };

static int touched; /* by every execution, in the worker only */

static void send_hello(void *parent) { eo_send(*(eo_pid *)parent, HELLO, NULL, 0); }

static void start_two(void) {
  const eo_pid self = eo_self();
  for (int i = 0; i < 2; i++) eo_spawn(send_hello, &self, sizeof self);
}

/* 133 interleavings. */
static void passes(void *argument) {
  eo_message message;
  (void)argument;
  eo_assert(touched++ == 0, "an execution before this one left a trace");
  start_two();
  for (int i = 0; i < 2; i++) eo_receive(&message, EO_FOREVER);
}

/* More interleavings than anybody can wait for. */
static void goes_on(void *argument) {
  eo_message message;
  (void)argument;
  for (int i = 0; i < 4; i++) start_two();
  for (int i = 0; i < 8; i++) eo_receive(&message, EO_FOREVER);
}

/* When the second child's message comes first. The argument is the caller's. */
static void fails_in_some_orders(void *argument) {
  eo_message message;
  start_two();
  eo_receive(&message, EO_FOREVER);
  const eo_pid first = message.from;
  eo_receive(&message, EO_FOREVER);
  eo_assert(first < message.from, "%s", (const char *)argument);
}

static void crashes(void *argument) {
  (void)argument;
  *(volatile int *)(uintptr_t)eo_choose(2) = 1; /* 0 and 1 are both no addresses */
}

/* Three different failures among four executions. */
static void fails_in_three_ways(void *argument) {
  (void)argument;
  switch (eo_choose(4)) {
    case 0: eo_assert(false, "the first way");
    case 1: eo_exit(5);
    case 2: abort();
  }
}

static void loops(void *argument) {
  (void)argument;
  for (volatile int i = 0;; i = i + 1) {}
}

static void waits(void *argument) {
  eo_message message;
  (void)argument;
  eo_receive(&message, EO_FOREVER);
}

static void ends_badly(void *argument) { eo_exit(*(const int *)argument); }

static void monitors(void *argument) {
  int reason = 7;
  eo_ref ref;
  eo_message message;
  (void)argument;
  eo_spawn_monitor(ends_badly, &reason, sizeof reason, &ref);
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
}

static void leaks(void *argument) {
  char *volatile kept = malloc(10);
  (void)argument;
  (void)kept;
}

/* The timeout is first in the eager mode, never in the idle one. */
static void times_out(void *argument) {
  const eo_pid self = eo_self();
  eo_message message;
  (void)argument;
  eo_spawn(send_hello, &self, sizeof self);
  const bool in_time = eo_receive_tag(&message, HELLO, 100);
  eo_assert(in_time, "too late");
}

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

static eo_result explore(eo_function function, void *argument, const eo_options *options) {
  eo_result result;
  memset(&result, 0xee, sizeof result); /* all of it must be filled */
  if (eo_explore(function, argument, options, &result) != 0) fail_msg("%s", result.message);
  return result;
}

static void a_clean_one_passes(void **state) {
  (void)state;
  assert_int_equal(explore(passes, NULL, NULL).verdict, EO_PASS); /* by auto */
  const eo_result result = explore(passes, NULL, &(eo_options){.strategy = "dfs"});
  assert_int_equal(result.verdict, EO_PASS);
  assert_true(result.complete);
  assert_int_equal(result.executions, 133);
  assert_int_equal(result.findings, 0);
  assert_int_equal(result.max_depth, 9); /* 2 spawns, 2 sends, 2 receives, 3 exits */
  assert_true(result.transitions + result.skipped >= 133 * 3);
  assert_string_equal(result.kind, "");
  assert_string_equal(result.message, "");
  assert_string_equal(result.ticket, "");
  assert_int_equal(touched, 0);
}

static void a_failure_is_told(void **state) {
  char text[] = "out of order";
  (void)state;
  const eo_result result = explore(fails_in_some_orders, text, NULL);
  assert_int_equal(result.verdict, EO_FAIL);
  assert_false(result.complete);
  assert_int_equal(result.findings, 1);
  assert_true(result.executions > 1 && result.executions < 133);
  assert_string_equal(result.kind, "assertion");
  assert_non_null(strstr(result.message, "out of order"));
  assert_string_equal(result.ticket, ""); /* nobody asked for one */
}

static void bounds_are_kept(void **state) {
  (void)state;
  const eo_options bounds[] = {{.strategy = "preempt", .bounded = 1, .bound = 0},
                               {.strategy = "preempt", .bounded = 1, .bound = 1},
                               {.strategy = "preempt"}};
  uint64_t before = 0;
  for (int i = 0; i < 3; i++) {
    const eo_result result = explore(passes, NULL, &bounds[i]);
    assert_int_equal(result.verdict, i == 2 ? EO_PASS : EO_INCOMPLETE);
    assert_int_equal(result.complete, i == 2);
    assert_true(result.executions > before);
    before = result.executions;
  }
  assert_int_equal(before, 133);

  eo_result result = explore(passes, NULL, &(eo_options){.strategy = "dfs", .executions = 10});
  assert_int_equal(result.verdict, EO_INCOMPLETE);
  assert_false(result.complete);
  assert_int_equal(result.executions, 10);

  result = explore(passes, NULL, &(eo_options){.strategy = "dfs", .executions = 133}); /* exactly all */
  assert_int_equal(result.verdict, EO_PASS);
  assert_true(result.complete);

  result = explore(passes, NULL, &(eo_options){.strategy = "random", .executions = 25, .seed = 3});
  assert_int_equal(result.verdict, EO_INCOMPLETE);
  assert_false(result.complete);
  assert_int_equal(result.executions, 25);

  result = explore(passes, NULL, &(eo_options){.strategy = "dfs", .depth = 4});
  assert_int_equal(result.verdict, EO_INCOMPLETE);
  assert_false(result.complete);
  assert_int_equal(result.findings, 0);
  assert_int_equal(result.cut, result.executions);

  result = explore(passes, NULL, &(eo_options){.strategy = "dfs", .depth = 4, .depth_fails = 1});
  assert_int_equal(result.verdict, EO_FAIL);
  assert_string_equal(result.kind, "depth");

  result = explore(passes, NULL, &(eo_options){.strategy = "dfs", .depth = 9});
  assert_int_equal(result.verdict, EO_PASS);
}

static void wrong_options_are_refused(void **state) {
  (void)state;
  static const struct {
    eo_options options;
    const char *says;
  } rows[] = {{{.strategy = "no such"}, "no such"},
              {{.strategy = ""}, "strategy"},
              {{.bounded = 1, .bound = 1}, "bound"},
              {{.strategy = "random", .bounded = 1}, "bound"},
              {{.strategy = "preempt", .bounded = 1, .bound = -1}, "-1"},
              {{.seconds = -1}, "time"},
              {{.jobs = -1}, "jobs"},
              {{.jobs = 100000}, "jobs"},
              {{.watchdog = -1}, "time"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    eo_result result;
    memset(&result, 0xee, sizeof result);
    if (eo_explore(passes, NULL, &rows[i].options, &result) != -1) fail_msg("row %zu was accepted", i);
    assert_int_equal(result.verdict, EO_ERROR);
    assert_int_equal(result.executions, 0);
    assert_false(result.complete);
    if (!strstr(result.message, rows[i].says)) fail_msg("row %zu says: %s", i, result.message);
  }
  assert_int_equal(eo_explore(passes, NULL, &rows[0].options, NULL), -1);
}

static void a_result_is_optional(void **state) {
  (void)state;
  assert_int_equal(eo_explore(passes, NULL, NULL, NULL), 0);
}

/* Whatever one of them does to its worker, the next one does not notice. */
static void one_after_another(void **state) {
  char text[] = "again";
  (void)state;
  for (int round = 0; round < 3; round++) {
    assert_int_equal(explore(crashes, NULL, NULL).verdict, EO_FAIL);
    assert_true(explore(passes, NULL, NULL).executions > 0);
    const eo_result loop = explore(loops, NULL, &(eo_options){.strategy = "dfs", .watchdog = 0.1});
    assert_int_equal(loop.verdict, EO_FAIL);
    assert_string_equal(loop.kind, "endless loop");
    assert_string_equal(explore(fails_in_some_orders, text, NULL).kind, "assertion");
    assert_string_equal(explore(waits, NULL, NULL).kind, "deadlock");
    assert_int_equal(explore(passes, NULL, NULL).verdict, EO_PASS);
  }
}

/* Variables of whoever explores: they go back as well, and are shared by those who know where they are. */
typedef struct fixture {
  int count;
} fixture;
static void changes_fixture(void *argument) {
  fixture *of_caller = *(fixture **)argument;
  eo_assert(of_caller->count++ == 0, "an execution before this one left a trace");
  eo_sleep(1);
  eo_choose(2);
  eo_assert(of_caller->count == 1, "changed");
}
static void two_change_fixture(void *argument) {
  eo_spawn(changes_fixture, argument, sizeof(fixture *));
  eo_sleep(1);
  (*(fixture **)argument)->count = 0;
}
static void variables_of_the_caller(void **state) {
  static const char *const strategies[] = {"dfs", "dpor", "ses"};
  fixture own = {0}, *argument = &own;
  (void)state;
  for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
    eo_options options = {.strategy = strategies[i]};
    assert_int_equal(explore(changes_fixture, &argument, &options).verdict, EO_PASS);
    const eo_result shared = explore(two_change_fixture, &argument, &options);
    assert_string_equal(shared.kind, "hidden sharing");
    assert_non_null(strstr(shared.message, "memory on the stack"));
    assert_int_equal(own.count, 0);
  }
}

/* No children, no open files, no memory of the callers. */
static int open_files(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  assert_non_null(folder);
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

static void nothing_is_left_behind(void **state) {
  (void)state;
  explore(passes, NULL, NULL);
  const int before = open_files();
  for (int i = 0; i < 5; i++) {
    explore(passes, NULL, NULL);
    explore(crashes, NULL, NULL);
  }
  assert_int_equal(explore(goes_on, NULL, &(eo_options){.strategy = "dfs", .seconds = 0.5}).verdict, EO_INCOMPLETE);
  assert_int_equal(explore(goes_on, NULL, &(eo_options){.strategy = "dfs", .seconds = 0.5, .jobs = 3}).verdict,
                   EO_INCOMPLETE);
  assert_int_equal(open_files(), before);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static void going_on_finds_each_once(void **state) {
  (void)state;
  eo_result result = explore(fails_in_three_ways, NULL, &(eo_options){.strategy = "dfs", .keep_going = 1});
  assert_int_equal(result.verdict, EO_FAIL);
  assert_true(result.complete);
  assert_int_equal(result.executions, 4);
  assert_int_equal(result.findings, 3);
  assert_string_equal(result.kind, "assertion"); /* the first */
  assert_non_null(strstr(result.message, "the first way"));
  result = explore(fails_in_three_ways, NULL, NULL);
  assert_int_equal(result.executions, 1);
  assert_int_equal(result.findings, 1);
  char text[] = "x";
  result = explore(fails_in_some_orders, text, &(eo_options){.strategy = "dfs", .keep_going = 1});
  assert_true(result.complete);
  assert_int_equal(result.findings, 1); /* one defect, in many orders */
}

/* However many share the work: the same executions, each once, and as many as were asked for. */
static void jobs_change_nothing(void **state) {
  (void)state;
  static const eo_options rows[] = {{.strategy = "dfs", .keep_going = 1},
                                    {.strategy = "preempt", .keep_going = 1},
                                    {.strategy = "preempt", .bounded = 1, .bound = 1, .keep_going = 1},
                                    {.strategy = "random", .executions = 1000, .seed = 7, .keep_going = 1},
                                    {.strategy = "dfs", .executions = 50, .keep_going = 1},
                                    {.strategy = "dfs", .executions = 133, .keep_going = 1}};
  char text[] = "x";
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    eo_options options = rows[i];
    const eo_result one = explore(passes, NULL, &options), found = explore(fails_in_some_orders, text, &options);
    for (options.jobs = 2; options.jobs < 5; options.jobs++) {
      const eo_result more = explore(passes, NULL, &options);
      assert_int_equal(more.verdict, one.verdict);
      assert_int_equal(more.complete, one.complete);
      assert_int_equal(more.executions, one.executions);
      assert_int_equal(more.max_depth, one.max_depth);
      const eo_result again = explore(fails_in_some_orders, text, &options);
      assert_int_equal(again.executions, found.executions);
      if (!options.executions || options.strategy) assert_int_equal(again.findings, found.findings);
    }
  }
}

static char folder[256];

static int make_folder(void **state) {
  (void)state;
  const char *base = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/test_explore.XXXXXX", base ? base : "/tmp");
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  char command[300];
  (void)state;
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

static void tickets_are_written(void **state) {
  char text[] = "x", tickets[300], line[256];
  struct stat status;
  (void)state;
  snprintf(tickets, sizeof tickets, "%s/tickets", folder); /* is made */
  eo_options options = {.tickets = tickets, .name = "my test"};
  eo_result result = explore(fails_in_some_orders, text, &options);
  assert_int_equal(strncmp(result.ticket, tickets, strlen(tickets)), 0);
  assert_int_equal(stat(result.ticket, &status), 0);
  FILE *file = fopen(result.ticket, "re");
  assert_non_null(file);
  bool first = true, named = false, kind = false;
  while (fgets(line, sizeof line, file)) {
    if (first) assert_string_equal(line, "everyorder ticket 4\n");
    first = false;
    named = named || strcmp(line, "test: my test\n") == 0;
    kind = kind || strcmp(line, "kind: assertion\n") == 0;
  }
  fclose(file);
  assert_true(named && kind);
  result = explore(passes, NULL, &options);
  assert_string_equal(result.ticket, "");
  options.tickets = "/dev/null/no folder"; /* the finding is not lost, and the trouble is said */
  memset(&result, 0, sizeof result);
  eo_explore(fails_in_some_orders, text, &options, &result);
  assert_int_equal(result.verdict, EO_FAIL);
  assert_string_equal(result.kind, "assertion");
  assert_string_equal(result.ticket, "");
}

static void other_options_arrive(void **state) {
  (void)state;
  assert_int_equal(explore(leaks, NULL, NULL).verdict, EO_PASS);
  assert_string_equal(explore(leaks, NULL, &(eo_options){.strategy = "dfs", .leaks = 1}).kind, "leak");
  assert_int_equal(explore(monitors, NULL, NULL).verdict, EO_PASS);
  assert_string_equal(explore(monitors, NULL, &(eo_options){.strategy = "dfs", .abnormal_fails = 1}).kind,
                      "abnormal exit");
  assert_int_equal(explore(times_out, NULL, NULL).verdict, EO_FAIL);
  assert_int_equal(explore(times_out, NULL, &(eo_options){.strategy = "dfs", .timeouts_idle = 1}).verdict, EO_PASS);
}

/* ---- A bug of ours ---------------------------------------------------------------------------------------------- */

static void two_steps(void *argument) {
  (void)argument;
  eo_sleep(1);
}

static bool planted(void *context, const eo_outcome *outcome) {
  (void)context;
  EO_CHECK(outcome->depth == 77);
  return true;
}

static void fail_a_check(void *context, eo_worker *worker) {
  eo_actor_options options = {.function = two_steps, .watchdog = 10};
  eo_strategy_options wanted = {0};
  eo_engine engine;
  eo__engine_init(&engine, eo__actor_open(&options, NULL), eo__dfs_open(&wanted, NULL));
  engine.place = &worker->cell->place;
  engine.ended = planted;
  engine.context = context;
  eo__engine_run(&engine, NULL);
}

/* It is an internal error, told with the schedule, and never a crash of the program under test. */
static void a_bug_of_ours_is_told_as_such(void **state) {
  (void)state;
  eo_work work = {.run = fail_a_check};
  eo_error error = {0};
  assert_int_equal(eo__contain(&work, &error), EO_EBUG);
  assert_non_null(strstr(error.text, "internal error at"));
  assert_non_null(strstr(error.text, "outcome->depth == 77"));
  assert_non_null(strstr(error.text, "execution 1: P1 P1"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_clean_one_passes),
      cmocka_unit_test(a_failure_is_told),
      cmocka_unit_test(bounds_are_kept),
      cmocka_unit_test(wrong_options_are_refused),
      cmocka_unit_test(a_result_is_optional),
      cmocka_unit_test(one_after_another),
      cmocka_unit_test(variables_of_the_caller),
      cmocka_unit_test(nothing_is_left_behind),
      cmocka_unit_test(going_on_finds_each_once),
      cmocka_unit_test(jobs_change_nothing),
      cmocka_unit_test_setup_teardown(tickets_are_written, make_folder, remove_folder),
      cmocka_unit_test(other_options_arrive),
      cmocka_unit_test(a_bug_of_ours_is_told_as_such),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
