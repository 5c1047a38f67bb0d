/* explored.h: exploring a random program (random_program.h) with one strategy, every execution as a partial order
 * (tracing.h). After cmocka.h. */
#ifndef EO_TESTS_EXPLORED_H
#define EO_TESTS_EXPLORED_H

#include "core/engine.h"
#include "random_program.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"
#include "tracing.h"

typedef eo_strategy *opener(const eo_strategy_options *options, eo_error *error);

static inline tracing *prepare(eo_function function, opener *open, eo_delivery delivery, uint64_t limit,
                               eo_subject **subject) {
  static int first = 0;
  eo_error error = {0};
  eo_actor_options options = {.function = function,
                              .argument = &first,
                              .timeouts_idle = program.idle,
                              .abnormal_fails = program.abnormal,
                              .watchdog = 10,
                              .delivery = delivery};
  *subject = eo__actor_open(&options, &error);
  if (!*subject) fail_msg("%s", error.text);
  eo_strategy_options wanted = {.view = eo_subject_view(*subject), .delivery = delivery, .timeouts_idle = program.idle};
  tracing *t = eo__wrapper_open(sizeof *t, &tracing_ops, open(&wanted, &error), &error);
  assert_non_null(t);
  t->limit = limit;
  eo__trace_init(&t->trace, eo_subject_view(*subject), false);
  return t;
}

static inline bool count_down(void *context, const eo_outcome *outcome) {
  if (!outcome->counted) return true;
  return --*(uint64_t *)context > 0;
}

/* At most so many executions; true: there were as many. */
static inline bool run(tracing *t, eo_subject *subject, uint64_t left) {
  eo_error error = {0};
  eo_engine engine;
  eo__engine_init(&engine, subject, &t->wrapper.base);
  engine.ended = count_down;
  engine.context = &left;
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  eo__engine_release(&engine);
  return left == 0;
}

static inline tracing *explore(eo_function function, opener *open, eo_delivery delivery, uint64_t limit,
                               eo_subject **subject) {
  tracing *t = prepare(function, open, delivery, limit, subject);
  run(t, *subject, UINT64_MAX);
  return t;
}

static inline void end(tracing *t, eo_subject *subject) {
  t->wrapper.base.ops->close(&t->wrapper.base);
  subject->ops->close(subject);
}

/* Draws a program, and learns the ids of its processes. */
static inline void draw_and_learn(void (*draw_one)(uint64_t), uint64_t seed) {
  eo_subject *subject;
  draw_one(seed);
  memset(notes, 0, sizeof *notes);
  strcpy(notes->ids[0], "P1");
  tracing *t = explore(learn_pids, eo__dfs_open, EO_DELIVERY_MAILBOX, 0, &subject);
  end(t, subject);
}

static inline void append(hashes *to, const hashes *from) {
  for (size_t i = 0; i < from->count; i++) assert_true(eo_vec_push(to, from->items[i]));
}

#endif
