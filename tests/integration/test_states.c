/* test_states.c: preempt with a cache of states, against plain breadth-first search (state_oracle.h) and against itself
 * without a cache: the same states within every bound, whatever the cache does when it is full. builds: release */
#include <everyorder.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "core/engine.h"
#include "core/visited.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"

#include "state_oracle.h"

/* ---- Subjects --------------------------------------------------------------------------------------------------- */

enum { ASK = 1, ANSWER, STOP };

static void ask_twice(void *to) {
  eo_message message;
  eo_pid server = *(eo_pid *)to;
  for (int i = 0; i < 2; i++) {
    int what = (int)eo_choose(2);
    eo_send(server, ASK, &what, sizeof what);
    eo_receive_tag(&message, ANSWER, EO_FOREVER);
  }
}

static void serve(void *argument) {
  eo_message message;
  eo_pid self = eo_self();
  int sum = 0;
  (void)argument;
  for (int i = 0; i < 2; i++) eo_spawn(ask_twice, &self, sizeof self);
  for (int i = 0; i < 4; i++) {
    eo_receive(&message, EO_FOREVER);
    sum += *(const int *)message.data;
    eo_send(message.from, ANSWER, &sum, sizeof sum);
  }
}

static void take_both(void *argument) {
  eo_pid *two = argument;
  eo_message message;
  for (int i = 0; i < 2; i++) {
    eo_send(two[i], ASK, NULL, 0);
    eo_receive_tag(&message, ANSWER, EO_FOREVER);
  }
  for (int i = 0; i < 2; i++) eo_send(two[i], STOP, NULL, 0);
}

static void fork_of(void *argument) {
  eo_message message;
  (void)argument;
  for (int i = 0; i < 2; i++) {
    eo_receive_tag(&message, ASK, EO_FOREVER);
    eo_send(message.from, ANSWER, NULL, 0);
    eo_receive_tag(&message, STOP, EO_FOREVER);
  }
}

/* Deadlocks. */
static void philosophers(void *argument) {
  (void)argument;
  eo_pid forks[2] = {eo_spawn(fork_of, NULL, 0), eo_spawn(fork_of, NULL, 0)};
  eo_pid turned[2] = {forks[1], forks[0]};
  eo_spawn(take_both, forks, sizeof forks);
  eo_spawn(take_both, turned, sizeof turned);
}

typedef struct counter {
  eo_pid next;
  int count;
} counter;

static void counter_starts(void *self, const eo_message *event) {
  ((counter *)self)->next = event->size ? *(const eo_pid *)event->data : EO_NOBODY;
}

static void counter_counts(void *self, const eo_message *event) {
  counter *c = self;
  (void)event;
  c->count++;
  if (c->next != EO_NOBODY) eo_send(c->next, ASK, NULL, 0);
}

static const eo_machine counter_machine = {
    .name = "counter",
    EO_VARIABLES(counter),
    EO_STATES({.name = "counting", .entry = counter_starts, .on = EO_ON(EO_DO(ASK, counter_counts))}),
};

static void machines(void *argument) {
  (void)argument;
  eo_pid last = eo_create(&counter_machine, NULL, 0);
  eo_pid first[2] = {eo_create(&counter_machine, &last, sizeof last), eo_create(&counter_machine, &last, sizeof last)};
  for (int i = 0; i < 4; i++) eo_send(first[i % 2], ASK, NULL, 0);
}

static const struct {
  const char *name;
  eo_function function;
} subjects[] = {{"serve", serve}, {"philosophers", philosophers}, {"machines", machines}};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static eo_subject *open_subject(eo_function function) {
  eo_error error = {0};
  eo_actor_options options = {.function = function, .watchdog = 10, .fingerprints = true};
  eo_subject *subject = eo__actor_open(&options, &error);
  if (!subject) fail_msg("%s", error.text);
  oracle warm; /* what is called for the first time leaves traces of the dynamic linker */
  assert_true(oracle_run(&warm, subject, 20000));
  oracle_release(&warm);
  return subject;
}

/* ---- Who sees which states ---------------------------------------------------------------------------------------- */

/* Asks preempt, and keeps the states itself. */
typedef struct watcher {
  eo_strategy base;
  eo_strategy *inner;
  eo_subject *subject;
  oracle seen;
} watcher;

static void keep(watcher *w) {
  oracle_state state = {0};
  w->subject->ops->states->fingerprint(w->subject, state.print);
  oracle_add(&w->seen, &state);
}

static void watch_close(eo_strategy *strategy) {
  watcher *w = (watcher *)strategy;
  w->inner->ops->close(w->inner);
  oracle_release(&w->seen);
  eo__free(w);
}

static bool watch_begin(eo_strategy *strategy, eo_beginning *beginning) {
  watcher *w = (watcher *)strategy;
  return w->inner->ops->begin(w->inner, beginning);
}

static uint32_t watch_choose(eo_strategy *strategy, const eo_point *point) {
  watcher *w = (watcher *)strategy;
  keep(w);
  return w->inner->ops->choose(w->inner, point);
}

static void watch_end(eo_strategy *strategy, eo_outcome *outcome) {
  watcher *w = (watcher *)strategy;
  if (outcome->end != EO_END_PRUNED) keep(w); /* nothing here fails but by deadlock */
  w->inner->ops->end(w->inner, outcome);
}

static const eo_strategy_ops watch_ops = {
    .close = watch_close, .begin = watch_begin, .choose = watch_choose, .end = watch_end};

typedef struct result {
  size_t states;    /* that the watcher saw */
  uint64_t counted; /* that preempt counted */
  uint64_t lost;
  eo_coverage coverage;
} result;

/* bound below 0: none. bytes 0: without a cache if `mode` is off, else no limit. */
static result run(eo_subject *subject, int bound, eo_cache_mode mode, uint64_t bytes) {
  eo_error error = {0};
  eo_visited *visited = mode == EO_CACHE_OFF ? NULL : eo__visited_open(mode, bytes, &error);
  eo_strategy_options options = {.bounded = bound >= 0,
                                 .bound = bound >= 0 ? (uint32_t)bound : 0,
                                 .view = eo_subject_view(subject),
                                 .cache = mode,
                                 .visited = visited};
  watcher *w = eo__alloc(sizeof *w);
  assert_non_null(w);
  w->base.ops = &watch_ops;
  w->subject = subject;
  w->inner = eo__preempt_open(&options, &error);
  assert_non_null(w->inner);
  eo_engine engine;
  eo__engine_init(&engine, subject, &w->base);
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  eo_text words;
  eo__text_init(&words);
  result r = {.states = w->seen.states.count,
              .counted = w->inner->ops->telling->states(w->inner),
              .lost = visited ? eo__visited_lost(visited) : 0,
              .coverage = w->inner->ops->telling->coverage(w->inner, &words)};
  if (visited) assert_non_null(strstr(words.chars, "every reachable state"));
  eo__text_release(&words);
  eo__engine_release(&engine);
  w->base.ops->close(&w->base);
  eo__visited_close(visited);
  return r;
}

static void all_states(void **state) {
  (void)state;
  for (size_t i = 0; i < SUBJECTS; i++) {
    oracle o;
    eo_subject *subject = open_subject(subjects[i].function);
    assert_true(oracle_run(&o, subject, 100000));
    assert_false(o.more);
    assert_true(o.states.count > 100);
    result unlimited = run(subject, -1, EO_CACHE_UNLIMITED, 0);
    assert_int_equal(unlimited.states, o.states.count);
    assert_int_equal(unlimited.counted, o.states.count);
    assert_int_equal(unlimited.lost, 0);
    assert_int_equal(unlimited.coverage, EO_COVERS_ALL);
    oracle_release(&o);
    subject->ops->close(subject);
  }
}

/* As small as it can be: 254 states and keys. What it forgets is only explored again. */
static void whatever_is_forgotten(void **state) {
  (void)state;
  uint64_t lost = 0;
  for (size_t i = 0; i < SUBJECTS; i++) {
    eo_subject *subject = open_subject(subjects[i].function);
    result all = run(subject, 1, EO_CACHE_OFF, 0);
    for (int mode = EO_CACHE_REFUSE; mode <= EO_CACHE_REPLACE; mode++) {
      result some = run(subject, 1, (eo_cache_mode)mode, 3 * 4096);
      assert_int_equal(some.states, all.states);
      lost += some.lost;
    }
    subject->ops->close(subject);
  }
  assert_true(lost > 0);
}

static void within_a_bound(void **state) {
  (void)state;
  for (size_t i = 0; i < SUBJECTS; i++) {
    eo_subject *subject = open_subject(subjects[i].function);
    size_t before = 0;
    for (int bound = 0; bound <= 2; bound++) {
      result without = run(subject, bound, EO_CACHE_OFF, 0), with = run(subject, bound, EO_CACHE_UNLIMITED, 0);
      if (with.states != without.states)
        fail_msg("%s, bound %d: %zu states with a cache, %zu without", subjects[i].name, bound, with.states,
                 without.states);
      assert_int_equal(with.counted, with.states);
      assert_int_equal(with.coverage, without.coverage);
      assert_true(with.states >= before);
      before = with.states;
    }
    subject->ops->close(subject);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_states),
      cmocka_unit_test(whatever_is_forgotten),
      cmocka_unit_test(within_a_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
