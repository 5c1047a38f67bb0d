/* order.h: an execution under way as strategies see it that run one execution of each kind: its partial order, which message
 * a receive may take under each delivery, and an order of all sends in which every receive finds what it took.
 *
 * Under --delivery mailbox receives choose (core/view.h): a receive may take any message that some order of the
 * sends puts first. That the choices of all receives together allow an order is checked here, with `edges`: what had to be
 * sent before what, or after a receive that timed out. */
#ifndef EO_STRATEGIES_ORDER_H
#define EO_STRATEGIES_ORDER_H

#include "base/rng.h"
#include "core/program.h"
#include "core/strategy.h"
#include "core/trace.h"

/* `from` had to come before `to`, since the receive `by` took from's message (or timed out: then it is `from`). */
typedef struct edge {
  uint32_t by, from, to;
} edge;

typedef struct eo_order {
  eo_trace trace;
  eo_delivery delivery;
  EO_VEC(edge) edges;
  uint32_t tangled;          /* up to this position all edges come of one process, and of receives that take anything */
  uint32_t impossible;       /* position of the last event that no order of the sends allows; EO_NO_EVENT: none */
  EO_VEC(uint32_t) failures; /* positions of the events whose process is stuck (EO_EVENT_STUCK) */
  EO_VEC(uint32_t) scratch;  /* clocks */
  int *error;                /* the strategy's */
} eo_order;

/* Some of the events of the execution: those before `before`, and those in the past that `clock` describes. */
typedef struct section {
  uint32_t before;
  const uint32_t *clock; /* NULL: no others */
} section;

void eo__order_init(eo_order *order, eo_view view, eo_delivery delivery, int *error);
void eo__order_release(eo_order *order);

/* The next event; false: no memory. Back to the first `depth` events. */
bool eo__order_add(eo_order *order, eo_choice taken, const eo_event *event);
void eo__order_cut(eo_order *order, uint32_t depth);

/* What comes after a failure is blocked: it is no behaviour of the program. Is there a failure in this past; is the event at this
 * position (EO_NO_EVENT: none) one, or after one; is it after another one than itself; would this choice be after one? */
bool eo__order_holds_failure(const eo_order *order, const uint32_t *past);
bool eo__order_follows_failure(const eo_order *order, uint32_t position);
bool eo__order_follows_another(const eo_order *order, uint32_t position);
bool eo__order_is_blocked(const eo_order *order, const eo_choice *choice);

uint32_t *eo__order_scratch(eo_order *order, uint32_t levels); /* room for so many clocks, until the next call */

/* A message that the receive number `nth` of `process`, being that process's event number `index`, could take. */
bool eo__order_is_candidate(const eo_order *order, const section *p, uint32_t process, uint32_t index, uint32_t nth,
                            const eo_posted *mail);

/* May this receive take this message (NULL: time out), given the section? `past` is that of the event that sent it (of the
 * receive, if mail is NULL), within the section. */
bool eo__order_can_take(eo_order *order, const section *p, uint32_t process, uint32_t index, uint32_t nth,
                        const eo_posted *mail, const uint32_t *past, uint32_t *room);

/* A receive that times out comes before whatever it would have taken is sent. But it may also come after that: where the
 * code that follows it announces something to a specification which observes the send. What it announces shows only when
 * it has been taken. So: may the event at this position, if it is such a receive, be as it is, given the section and its
 * past in it? */
bool eo__order_could_time_out(eo_order *order, const section *p, uint32_t receive, const uint32_t *past,
                              uint32_t *room);

/* May this be chosen now? `choices`: all `count` of its process. */
bool eo__order_is_allowed(eo_order *order, const eo_point *point, const eo_choice *choice, const eo_choice *choices,
                          uint32_t count);

/* How many preemptions the events so far need at most; if they are possible. */
uint32_t eo__order_preemptions(eo_order *order);

/* As eo_telling.plain. */
bool eo__order_plain(eo_order *order, eo_schedule *out);

/* How many of the choices from `first` on are its process's. */
uint32_t eo__order_choices_of(const eo_point *point, uint32_t first);

/* Executions in a random order, which come first and look for memory that processes share without saying so: it shows where one
 * uses it after another has written it, which may be in an order that is not explored, as no event tells of it. */
typedef struct eo_scouts {
  uint32_t left;  /* are still to be run */
  bool under_way; /* the execution is one of them */
  eo_rng rng;
} eo_scouts;

void eo__scouts_init(eo_scouts *scouts, uint64_t seed);

/* Is the execution that begins one of them? */
bool eo__scouts_begin(eo_scouts *scouts);

/* A choice drawn at random; of a receive under the mailbox, the message that was sent first. */
uint32_t eo__scouts_choose(eo_scouts *scouts, const eo_order *order, const eo_point *point);

/* It is over. Only a failure that no other execution need show, or that takes so long, or a worker, that it is not to be met twice,
 * counts, and makes it the last of them. */
void eo__scouts_end(eo_scouts *scouts, eo_outcome *outcome);

static inline uint32_t eo__order_before_next(const eo_thread *thread) {
  return thread->last != EO_NO_EVENT ? thread->last : thread->spawner;
}

static inline const eo_posted *eo__order_mail(const eo_order *order, const eo_choice *choice) {
  bool takes = choice->kind == EO_CHOICE_TAKE && choice->value;
  return takes ? &order->trace.mails.items[order->trace.mail_of.items[choice->value] - 1] : NULL;
}

#endif
