/* test_subject_alloc.c: memory runs out at every allocation that is made while a program or a model is explored, in turn, each
 * in a process of its own. Every run must say EO_ENOMEM, or end with all executions where the memory was only for speed: never
 * a check of our own that fails, nor a count that is too small.
 * timeout: 600 */
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <everyorder.h>

#include "base/alloc.h"
#include "core/engine.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

static void ends(void *argument) {
  eo_message m;
  (void)argument;
  eo_register("last", eo_self());
  eo_receive(&m, 10);
  eo_exit(3);
}

static void sends(void *argument) {
  eo_pid to = *(const eo_pid *)argument;
  eo_send(to, eo_choose(2), "a letter", 9);
  eo_pid last = eo_whereis("last");
  if (last) eo_link(last);
}

/* Spawns, names, links, monitors, choices, messages and timeouts: whatever steps can touch. */
static void society(void *argument) {
  eo_message m;
  (void)argument;
  eo_trap_exit(true);
  eo_ref ref;
  eo_pid first = eo_spawn_monitor(ends, NULL, 0, &ref);
  eo_spawn_link(sends, &first, sizeof first);
  for (int i = 0; i < 2; i++)
    if (!eo_receive(&m, 10)) break;
  eo_demonitor(ref, true);
}

/* ---- One run ----------------------------------------------------------------------------------------------------- */

typedef eo_strategy *opener(const eo_strategy_options *options, eo_error *error);

typedef struct scene {
  const char *name;
  opener *open;
  eo_delivery delivery;
  bool idle;
} scene;

typedef struct result {
  int code;
  uint64_t executions;
  long spent;
  char failure[200]; /* the first */
} result;

static bool count(void *context, const eo_outcome *outcome) {
  result *r = context;
  r->executions += outcome->counted && outcome->end != EO_END_PRUNED;
  if (outcome->failure && !*r->failure) snprintf(r->failure, sizeof r->failure, "%.199s", outcome->failure->message);
  return true;
}

/* In a process of its own. The budget: from when the subject and the strategy are there. */
static int explore(const scene *s, long budget, result *r) {
  eo_error error = {0};
  eo_actor_options options = {.function = society, .watchdog = 10, .delivery = s->delivery, .timeouts_idle = s->idle};
  eo_subject *subject = eo__actor_open(&options, &error);
  if (!subject) return EO_ESYSTEM;
  eo_strategy_options wanted = {
      .view = eo_subject_view(subject), .delivery = s->delivery, .timeouts_idle = s->idle, .bounded = 1, .bound = 1};
  eo_strategy *strategy = s->open(&wanted, &error);
  if (!strategy) return EO_ESYSTEM;
  eo_engine engine;
  eo__engine_init(&engine, subject, strategy);
  engine.ended = count;
  engine.context = r;
  eo__alloc_budget = budget;
  int code = eo__engine_run(&engine, &error);
  r->spent = budget - eo__alloc_budget;
  eo__alloc_budget = -1;
  return code;
}

/* False: the process did not come to its end. */
static bool try(const scene *s, long budget, result *r) {
  int ends[2], status;
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    result mine = {0};
    if (!freopen("/dev/null", "w", stderr)) _exit(2);
    mine.code = explore(s, budget, &mine);
    if (write(ends[1], &mine, sizeof mine) != sizeof mine) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  bool whole = read(ends[0], r, sizeof *r) == sizeof *r;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  return whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void fail_each(const scene *s) {
  result all, r;
  long needed = 0, died = 0, first = -1;
  if (!try(s, LONG_MAX, &all) || all.code != EO_OK) fail_msg("%s: with all memory there is", s->name);
  for (long n = 0; n < all.spent; n++) {
    if (!try(s, n, &r)) {
      died++;
      print_message("%s: allocation %ld\n", s->name, n + 1);
      if (first < 0) first = n;
      continue;
    }
    if (r.code != EO_OK && r.code != EO_ENOMEM) fail_msg("%s, allocation %ld: code %d", s->name, n + 1, r.code);
    if (r.code == EO_OK && r.executions != all.executions)
      fail_msg("%s, allocation %ld of %ld: %llu executions of %llu, and no error; %s", s->name, n + 1, all.spent,
               (unsigned long long)r.executions, (unsigned long long)all.executions, r.failure);
    if (r.code == EO_OK && strcmp(r.failure, all.failure) != 0)
      fail_msg("%s, allocation %ld of %ld: another finding: %s", s->name, n + 1, all.spent, r.failure);
    needed += r.code == EO_ENOMEM;
  }
  print_message("%s: %llu executions, %ld allocations, %ld of them needed\n", s->name,
                (unsigned long long)all.executions, all.spent, needed);
  if (died) fail_msg("%s: %ld runs died, the first at allocation %ld of %ld", s->name, died, first + 1, all.spent);
  assert_true(needed > 0);
}

static void programs(void **state) {
  const scene scenes[] = {{"dfs", eo__preempt_open, EO_DELIVERY_MAILBOX, false},
                          {"idle timeouts", eo__preempt_open, EO_DELIVERY_MAILBOX, true},
                          {"causal", eo__preempt_open, EO_DELIVERY_CAUSAL, false},
                          {"dpor", eo__dpor_open, EO_DELIVERY_MAILBOX, false}};
  (void)state;
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) fail_each(&scenes[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(programs)};
  return cmocka_run_group_tests_name("memory that runs out in a subject", tests, NULL, NULL);
}
