/* dpor_order.c: which message a receive may take under each delivery; and an order of all sends in which every receive
 * finds what it took.
 *
 * Under --delivery mailbox the subject is `late`: a receive may take any message that some order of the sends puts first.
 * That the choices of all receives together allow an order is checked here, with `edges`: what had to be sent before
 * what, or after a receive that timed out. */
#include "base/alloc.h"
#include "strategies/dpor_inside.h"

/* ---- What a receive may take ------------------------------------------------------------------------------------ */

static bool is_in(const dpor *d, const section *p, uint32_t position) {
  return position < p->before || (p->clock && eo_clock_covers(p->clock, record_at(d, position)));
}

/* Extends a clock by what had to be sent before what it has. */
static void close_over(const dpor *d, const section *p, uint32_t *clock) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = d->edges.count; i-- > 0;) {
      const edge *e = &d->edges.items[i];
      if (!eo_clock_covers(clock, record_at(d, e->to)) || eo_clock_covers(clock, record_at(d, e->from))) continue;
      if (!is_in(d, p, e->by) || !is_in(d, p, e->from) || !is_in(d, p, e->to)) continue;
      eo_clock_join(clock, eo_trace_clock(&d->trace, e->from), d->trace.stride);
      more = true;
    }
  }
}

/* A message that the receive number `nth` of `process`, being that process's event number `index`, could take. */
bool eo__dpor_is_candidate(const dpor *d, const section *p, uint32_t process, uint32_t index, uint32_t nth,
                           const eo_posted *mail) {
  if (!is_in(d, p, mail->by)) return false;
  if (mail->taken != EO_NO_EVENT && record_at(d, mail->taken)->index < index) return false;
  return d->subject->ops->matches(d->subject, process, nth, mail->sent.number);
}

/* Is there, among the candidates other than `mail`, one that must have been delivered before it? `clock` is the past of
 * the event that sent it (of the receive, if mail is NULL: it times out), within the part. */
static bool comes_too_early(dpor *d, const section *p, uint32_t process, uint32_t index, uint32_t nth,
                            const eo_posted *mail, const uint32_t *clock) {
  const eo_thread *thread = &d->trace.threads.items[process];
  for (size_t i = 0; i < thread->inbox.count; i++) {
    const eo_posted *first = &d->trace.mails.items[thread->inbox.items[i]];
    if (first == mail) continue;
    if (d->delivery == EO_DELIVERY_FIFO || (mail && first->by == mail->by)) { /* an exit can send several to one */
      if (first->sent.from != mail->sent.from || first->sent.nth > mail->sent.nth) continue;
    } else if (!eo_clock_covers(clock, record_at(d, first->by))) {
      continue;
    }
    if (eo__dpor_is_candidate(d, p, process, index, nth, first)) return true;
  }
  return false;
}

/* May this receive take this message (NULL: time out), given the part? `past` as in comes_too_early. */
bool eo__dpor_can_take(dpor *d, const section *p, uint32_t process, uint32_t index, uint32_t nth, const eo_posted *mail,
                       const uint32_t *past, uint32_t *room) {
  if (d->delivery == EO_DELIVERY_ASYNC) return true;
  if (d->delivery == EO_DELIVERY_FIFO) return !mail || !comes_too_early(d, p, process, index, nth, mail, NULL);
  if (d->delivery == EO_DELIVERY_CAUSAL)
    return !mail || !comes_too_early(d, p, process, index, nth, mail,
                                     d->trace.message_clocks.items + (size_t)mail->by * d->trace.stride);
  eo_clock_copy(room, past, d->trace.stride);
  close_over(d, p, room);
  return !comes_too_early(d, p, process, index, nth, mail, room);
}

/* The receive at `by` says: what `from` sent came before what `to` sent, if it would have taken that as well. */
static bool add_edge(dpor *d, uint32_t by, uint32_t from, uint32_t to, uint32_t message) {
  const eo_record *receive = record_at(d, by);
  bool matches = d->subject->ops->matches(d->subject, receive->process, receive->nth, message);
  bool another = d->edges.count && record_at(d, d->edges.items[0].by)->process != receive->process;
  if ((!matches || another) && d->tangled == EO_NO_EVENT) d->tangled = (uint32_t)d->trace.records.count - 1;
  return !matches || eo_vec_push(&d->edges, ((edge){by, from, to}));
}

/* What the last event says of the order of sends. */
bool eo__dpor_add_edges(dpor *d) {
  uint32_t position = (uint32_t)d->trace.records.count - 1;
  const eo_record *last = record_at(d, position);
  if (last->op == EO_OP_RECEIVE && !(last->flags & EO_EVENT_IDLE)) {
    const eo_thread *thread = &d->trace.threads.items[last->process];
    uint32_t from = last->mail ? last->source : position;
    if (last->mail && record_at(d, from)->mails > 1 && d->tangled == EO_NO_EVENT) d->tangled = position;
    for (size_t i = 0; i < thread->inbox.count; i++) {
      const eo_posted *mail = &d->trace.mails.items[thread->inbox.items[i]];
      if (mail->taken != EO_NO_EVENT || mail->by == from) continue;
      if (eo_clock_covers(eo_trace_clock(&d->trace, mail->by), record_at(d, from))) continue;
      if (!add_edge(d, position, from, mail->by, mail->sent.number)) return false;
    }
  }
  const uint32_t *clock = eo_trace_clock(&d->trace, position);
  for (uint32_t i = 0; i < last->mails; i++) {
    const eo_posted *mail = &d->trace.mails.items[last->first_mail + i];
    uint32_t by = d->trace.threads.items[mail->sent.to].last;
    for (; by != EO_NO_EVENT && !eo_clock_covers(clock, record_at(d, by)); by = record_at(d, by)->previous) {
      const eo_record *receive = record_at(d, by);
      if (receive->op != EO_OP_RECEIVE) continue;
      uint32_t from = receive->mail ? receive->source : by;
      if (eo_clock_covers(clock, record_at(d, from))) continue;
      if (!add_edge(d, by, from, position, mail->sent.number)) return false;
    }
  }
  return true;
}

/* The edges so far come of receives of this process alone, each of which would have taken any message. Then they lead from
 * what was received to what was not, and no two of the latter are ordered but by what happened before their sending. */
static bool is_simple(const dpor *d, uint32_t process) {
  return d->tangled == EO_NO_EVENT && (!d->edges.count || record_at(d, d->edges.items[0].by)->process == process);
}

/* `choices`: all `count` of the process. */
bool eo__dpor_is_allowed(dpor *d, const eo_point *point, const eo_choice *choice, const eo_choice *choices,
                         uint32_t count) {
  if (d->delivery != EO_DELIVERY_MAILBOX || choice->kind != EO_CHOICE_TAKE || count == 1) return true;
  if (is_simple(d, choice->process) && choice->value) {
    const uint32_t *clock = eo_trace_clock(&d->trace, mail_of(d, choice)->by);
    for (uint32_t i = 0; i < count; i++)
      if (choices[i].value && choices + i != choice &&
          eo_clock_covers(clock, record_at(d, mail_of(d, &choices[i])->by)))
        return false;
    return true;
  }
  uint32_t *room = eo__dpor_scratch(d, 2);
  if (!room) return false;
  const eo_thread *thread = &d->trace.threads.items[choice->process];
  const eo_posted *mail = mail_of(d, choice);
  uint32_t past = mail ? mail->by : before_next(thread);
  section all = {point->depth, NULL};
  return eo__dpor_can_take(d, &all, choice->process, thread->events, thread->receives, mail,
                           eo_trace_clock(&d->trace, past), room);
}

/* ---- An order of the sends that gives the same -------------------------------------------------------------------- */

/* Has all that must come before the event happened, if `done` events of each process have? */
static bool is_ready(const dpor *d, uint32_t position, const uint32_t *done) {
  const eo_record *record = record_at(d, position);
  const uint32_t *clock = eo_trace_clock(&d->trace, position);
  if (done[record->process] != record->index) return false;
  for (size_t i = 0; i < d->trace.threads.count; i++)
    if (i != record->process && clock[i] > done[i]) return false;
  for (size_t i = 0; i < d->edges.count; i++) {
    const eo_record *from = record_at(d, d->edges.items[i].from);
    if (d->edges.items[i].to == position && done[from->process] <= from->index) return false;
  }
  return true;
}

/* The first of the events that are left of the first `count` and ready; of this process, if there is one. */
static uint32_t next_ready(const dpor *d, uint32_t count, uint32_t process, const uint32_t *done) {
  uint32_t first = EO_NO_EVENT;
  for (uint32_t i = 0; i < count; i++) {
    const eo_record *record = record_at(d, i);
    if (record->index < done[record->process] || !is_ready(d, i, done)) continue;
    if (record->process == process) return i;
    if (first == EO_NO_EVENT) first = i;
  }
  return first;
}

/* How many preemptions the events so far need at most: each process goes on as long as it can, and is preempted where its
 * next event has to wait for others though it could happen, which a receive of a message that is not there cannot. */
uint32_t eo__dpor_preemptions(dpor *d) {
  uint32_t count = (uint32_t)d->trace.records.count, found = 0, process = EO_NO_PROCESS;
  uint32_t *done = eo_alloc((d->trace.threads.count + 1) * sizeof *done);
  if (!done) d->base.error = EO_ENOMEM;
  for (uint32_t i = 0; i < count && done; i++) {
    uint32_t at = next_ready(d, count, process, done);
    if (process != EO_NO_PROCESS && record_at(d, at)->process != process)
      for (uint32_t j = 0; j < count; j++) {
        const eo_record *left = record_at(d, j);
        if (left->process == process && left->index == done[process]) found += left->op != EO_OP_RECEIVE;
      }
    process = record_at(d, at)->process;
    done[process]++;
  }
  eo_free(done);
  return found;
}

bool eo__dpor_plain(eo_strategy *strategy, eo_schedule *out) {
  dpor *d = (dpor *)strategy;
  uint32_t *done = eo_alloc((d->trace.threads.count + 1) * sizeof *done);
  eo_vec_clear(out);
  if (!done || !eo_vec_reserve(out, d->trace.records.count + 1)) {
    eo_free(done);
    return false;
  }
  for (size_t i = 0; i < d->trace.records.count; i++) {
    /* As near as possible to the order it had: what processes do to memory that they share may depend on it. */
    uint32_t at = d->delivery == EO_DELIVERY_MAILBOX
                      ? next_ready(d, (uint32_t)d->trace.records.count, EO_NO_PROCESS, done)
                      : (uint32_t)i;
    EO_CHECK(at != EO_NO_EVENT);
    const eo_record *record = record_at(d, at);
    bool takes = d->delivery != EO_DELIVERY_MAILBOX && record->op == EO_OP_RECEIVE;
    done[record->process]++;
    if (d->delivery == EO_DELIVERY_MAILBOX && record->flags & EO_EVENT_IGNORED) continue;
    out->items[out->count++] = (eo_choice){.process = record->process,
                                           .value = takes || record->op == EO_OP_CHOOSE ? record->value : 0,
                                           .op = record->op,
                                           .kind = takes ? EO_CHOICE_TAKE : EO_CHOICE_RUN};
  }
  eo_free(done);
  return true;
}
