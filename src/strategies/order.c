/* order.c: see order.h. */
#include "strategies/order.h"

#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "core/finding.h"

static const eo_record *record_at(const eo_order *o, uint32_t position) { return &o->trace.records.items[position]; }

void eo__order_init(eo_order *order, eo_view view, eo_delivery delivery, int *error) {
  *order = (eo_order){.delivery = delivery, .tangled = EO_NO_EVENT, .impossible = EO_NO_EVENT, .error = error};
  eo__trace_init(&order->trace, view, delivery == EO_DELIVERY_CAUSAL);
}

void eo__order_release(eo_order *order) {
  eo_vec_release(&order->edges);
  eo_vec_release(&order->failures);
  eo_vec_release(&order->scratch);
  eo__trace_release(&order->trace);
}

void eo__order_cut(eo_order *order, uint32_t depth) {
  eo__trace_cut(&order->trace, depth);
  if (order->tangled != EO_NO_EVENT && order->tangled >= depth) order->tangled = EO_NO_EVENT;
  if (order->impossible != EO_NO_EVENT && order->impossible >= depth) order->impossible = EO_NO_EVENT;
  while (order->edges.count && (eo_vec_last(&order->edges).by >= depth || eo_vec_last(&order->edges).to >= depth))
    (void)eo_vec_pop(&order->edges);
  while (order->failures.count && eo_vec_last(&order->failures) >= depth) (void)eo_vec_pop(&order->failures);
}

/* ---- Failures --------------------------------------------------------------------------------------------------- */

bool eo__order_holds_failure(const eo_order *order, const uint32_t *past) {
  for (size_t i = 0; i < order->failures.count; i++)
    if (eo_clock_covers(past, record_at(order, order->failures.items[i]))) return true;
  return false;
}

bool eo__order_follows_failure(const eo_order *order, uint32_t position) {
  return order->failures.count && position != EO_NO_EVENT &&
         eo__order_holds_failure(order, eo_trace_clock(&order->trace, position));
}

bool eo__order_follows_another(const eo_order *order, uint32_t position) {
  const uint32_t *past = eo_trace_clock(&order->trace, position);
  for (size_t i = 0; i < order->failures.count; i++)
    if (order->failures.items[i] != position && eo_clock_covers(past, record_at(order, order->failures.items[i])))
      return true;
  return false;
}

static bool awaits_failure(const eo_order *order, const eo_choice *choice) {
  const uint32_t *awaited;
  const eo_view *view = &order->trace.view;
  uint32_t count = choice->op == EO_OP_SIGNAL ? view->relations->awaited(view->of, choice->process, &awaited) : 0;
  for (uint32_t i = 0; i < count; i++)
    if (eo__order_follows_failure(order, order->trace.threads.items[awaited[i]].last)) return true;
  return false;
}

bool eo__order_is_blocked(const eo_order *order, const eo_choice *choice) {
  if (!order->failures.count) return false;
  const eo_thread *thread = &order->trace.threads.items[choice->process];
  const eo_posted *mail = eo__order_mail(order, choice);
  return eo__order_follows_failure(order, eo__order_before_next(thread)) ||
         eo__order_follows_failure(order, thread->doomer) || (mail && eo__order_follows_failure(order, mail->by)) ||
         awaits_failure(order, choice);
}

/* ---- Events ----------------------------------------------------------------------------------------------------- */

uint32_t *eo__order_scratch(eo_order *order, uint32_t levels) {
  size_t wanted = (size_t)levels * order->trace.stride;
  if (order->scratch.capacity < wanted && !eo_vec_reserve(&order->scratch, wanted)) {
    *order->error = EO_ENOMEM;
    return NULL;
  }
  return order->scratch.items;
}

/* ---- What a receive may take ------------------------------------------------------------------------------------ */

static bool is_in(const eo_order *o, const section *p, uint32_t position) {
  return position < p->before || (p->clock && eo_clock_covers(p->clock, record_at(o, position)));
}

/* Before which position does everything lie in the past that the clock describes? Few events lie outside, so they are looked for from
 * the end of each process. */
static uint32_t covered_up_to(const eo_order *o, const uint32_t *clock) {
  uint32_t first = EO_NO_EVENT;
  for (uint32_t i = 0; i < o->trace.threads.count; i++) {
    uint32_t at = o->trace.threads.items[i].last;
    for (; at != EO_NO_EVENT && !eo_clock_covers(clock, record_at(o, at)); at = record_at(o, at)->previous)
      if (at < first) first = at;
  }
  return first;
}

/* Extends a clock by what had to be sent before what it has. The event at `sender` is there too, beside the section. */
static void close_over(const eo_order *o, const section *p, uint32_t sender, uint32_t *clock) {
  bool many = o->edges.count > o->trace.records.count;
  uint32_t covered = many ? covered_up_to(o, clock) : 0;
  for (bool more = true; more;) {
    more = false;
    for (size_t i = o->edges.count; i-- > 0;) {
      const edge *e = &o->edges.items[i];
      if (e->by < covered && e->to < covered) break; /* the edges before it came of earlier events still */
      if (!eo_clock_covers(clock, record_at(o, e->to)) || eo_clock_covers(clock, record_at(o, e->from))) continue;
      if (!is_in(o, p, e->by) || !is_in(o, p, e->from) || (e->to != sender && !is_in(o, p, e->to))) continue;
      eo_clock_join(clock, eo_trace_clock(&o->trace, e->from), o->trace.stride);
      more = true;
    }
  }
}

/* A message that the receive number `nth` of `process`, being that process's event number `index`, could take. */
bool eo__order_is_candidate(const eo_order *o, const section *p, uint32_t process, uint32_t index, uint32_t nth,
                            const eo_posted *mail) {
  if (!is_in(o, p, mail->by)) return false;
  if (mail->taken != EO_NO_EVENT && record_at(o, mail->taken)->index < index) return false;
  return o->trace.view.relations->matches(o->trace.view.of, process, nth, mail->sent.number);
}

/* Must `mail` wait for `first`, which delivery puts before it? */
static bool must_wait(const eo_order *o, const section *p, uint32_t process, uint32_t index, uint32_t nth,
                      const eo_posted *mail, const eo_posted *first) {
  const eo_view *view = &o->trace.view;
  if (!mail || !view->relations->blocks) return eo__order_is_candidate(o, p, process, index, nth, first);
  bool gone = first->taken != EO_NO_EVENT && record_at(o, first->taken)->index < index;
  return is_in(o, p, first->by) && !gone && view->relations->blocks(view->of, mail->sent.number, first->sent.number);
}

/* Does this past, of messages and spawns, have the message? An exit can send several: whoever has heard of it by one of them
 * knows those that were sent before that one, and not the others. */
static bool has_heard_of(const eo_order *o, const uint32_t *past, const eo_posted *mail) {
  const eo_record *sender = record_at(o, mail->by);
  if (!eo_clock_covers(past, sender)) return false;
  bool begins = sender->flags & EO_EVENT_BEGINS;
  if ((sender->mails == 1 && !begins) || past[sender->process] > sender->index + 1) return true;
  for (size_t i = 0; begins && i < o->trace.threads.count; i++) { /* what set out with it, after the message */
    const eo_thread *courier = &o->trace.threads.items[i];
    if (courier->spawner != mail->by || !past[i]) continue;
    const eo_record *arrival = record_at(o, courier->last);
    if (arrival->mails && o->trace.mails.items[arrival->first_mail].sent.nth >= mail->sent.nth) return true;
  }
  for (uint32_t i = 0; i < sender->mails; i++) {
    const eo_posted *heard = &o->trace.mails.items[sender->first_mail + i];
    if (heard->sent.nth >= mail->sent.nth && heard->taken != EO_NO_EVENT &&
        eo_clock_covers(past, record_at(o, heard->taken)))
      return true;
  }
  return false;
}

/* Is there, among the candidates other than `mail`, one that must have been delivered before it? `clock` is the past of
 * the event that sent it (of the receive, if mail is NULL: it times out), within the part. */
static bool comes_too_early(eo_order *o, const section *p, uint32_t process, uint32_t index, uint32_t nth,
                            const eo_posted *mail, const uint32_t *clock) {
  const eo_thread *thread = &o->trace.threads.items[process];
  for (size_t i = eo_thread_unread(thread, nth); i < thread->inbox.count; i++) {
    const eo_posted *first = &o->trace.mails.items[thread->inbox.items[i]];
    if (first == mail) continue;
    if (o->delivery == EO_DELIVERY_FIFO || (mail && first->sent.from == mail->sent.from)) {
      if (first->sent.from != mail->sent.from || first->sent.nth > mail->sent.nth) continue;
    } else if (o->delivery == EO_DELIVERY_CAUSAL ? !has_heard_of(o, clock, first)
                                                 : !eo_clock_covers(clock, record_at(o, first->by))) {
      continue;
    }
    if (must_wait(o, p, process, index, nth, mail, first)) return true;
  }
  return false;
}

/* The message is sent after events of the receiver that the part is without, such as its exit: so there are no edges for what its
 * receives before this one took, or timed out, though they would have taken the message. Extends the clock by that. */
static void add_passed_over(const eo_order *o, uint32_t process, uint32_t index, const eo_posted *mail,
                            uint32_t *clock) {
  const eo_view *view = &o->trace.view;
  for (uint32_t by = o->trace.threads.items[process].last; by != EO_NO_EVENT; by = record_at(o, by)->previous) {
    const eo_record *receive = record_at(o, by);
    if (receive->index >= index || receive->op != EO_OP_RECEIVE) continue;
    if (eo_clock_covers(clock, receive)) return;
    if (!view->relations->matches(view->of, process, receive->nth, mail->sent.number)) continue;
    eo_clock_join(clock, eo_trace_clock(&o->trace, receive->mail ? receive->source : by), o->trace.stride);
  }
}

/* May this receive take this message (NULL: time out), given the part? `past` as in comes_too_early. */
bool eo__order_can_take(eo_order *o, const section *p, uint32_t process, uint32_t index, uint32_t nth,
                        const eo_posted *mail, const uint32_t *past, uint32_t *room) {
  if (o->delivery == EO_DELIVERY_ASYNC) return true;
  if (o->delivery == EO_DELIVERY_FIFO) return !mail || !comes_too_early(o, p, process, index, nth, mail, NULL);
  if (o->delivery == EO_DELIVERY_CAUSAL)
    return !mail || !comes_too_early(o, p, process, index, nth, mail,
                                     o->trace.message_clocks.items + (size_t)mail->by * o->trace.stride);
  eo_clock_copy(room, past, o->trace.stride);
  if (mail) room[record_at(o, mail->by)->process] = record_at(o, mail->by)->index + 1; /* `past` may be without it */
  if (mail && eo_trace_clock(&o->trace, mail->by)[process] > index) add_passed_over(o, process, index, mail, room);
  close_over(o, p, mail ? mail->by : EO_NO_EVENT, room);
  return !comes_too_early(o, p, process, index, nth, mail, room);
}

/* The receive at `by` says: what `from` sent came before what `to` sent, if it would have taken that as well. */
static bool add_edge(eo_order *o, uint32_t by, uint32_t from, uint32_t to, uint32_t message) {
  const eo_record *receive = record_at(o, by);
  bool matches = o->trace.view.relations->matches(o->trace.view.of, receive->process, receive->nth, message);
  bool another = o->edges.count && record_at(o, o->edges.items[0].by)->process != receive->process;
  if ((!matches || another) && o->tangled == EO_NO_EVENT) o->tangled = (uint32_t)o->trace.records.count - 1;
  return !matches || eo_vec_push(&o->edges, ((edge){by, from, to}));
}

/* What the last event says of the order of sends. */
static bool add_edges(eo_order *o) {
  uint32_t position = (uint32_t)o->trace.records.count - 1;
  const eo_record *last = record_at(o, position);
  if (last->op == EO_OP_RECEIVE && !(last->flags & EO_EVENT_IDLE)) {
    const eo_thread *thread = &o->trace.threads.items[last->process];
    uint32_t from = last->mail ? last->source : position;
    if (last->mail && record_at(o, from)->mails > 1 && o->tangled == EO_NO_EVENT) o->tangled = position;
    bool in_turn = last->mail && thread->inbox.count && o->trace.mails.items[eo_vec_last(&thread->inbox)].alone;
    size_t unread = in_turn && !thread->reading.choosy ? thread->inbox.count : thread->reading.unread;
    for (size_t i = unread; i < thread->inbox.count; i++) {
      const eo_posted *mail = &o->trace.mails.items[thread->inbox.items[i]];
      if (mail->taken != EO_NO_EVENT || mail->by == from) continue;
      if (eo_clock_covers(eo_trace_clock(&o->trace, mail->by), record_at(o, from))) continue;
      if (!add_edge(o, position, from, mail->by, mail->sent.number)) return false;
    }
  }
  const uint32_t *clock = eo_trace_clock(&o->trace, position);
  for (uint32_t i = 0; i < last->mails; i++) {
    const eo_posted *mail = &o->trace.mails.items[last->first_mail + i];
    const eo_thread *to = &o->trace.threads.items[mail->sent.to];
    if (to->reading.sender == last->process) continue; /* all that it has received was sent before this */
    uint32_t by = to->last;
    for (; by != EO_NO_EVENT && !eo_clock_covers(clock, record_at(o, by)); by = record_at(o, by)->previous) {
      const eo_record *receive = record_at(o, by);
      if (receive->op != EO_OP_RECEIVE) continue;
      uint32_t from = receive->mail ? receive->source : by;
      if (eo_clock_covers(clock, record_at(o, from))) continue;
      if (!add_edge(o, by, from, position, mail->sent.number)) return false;
    }
  }
  return true;
}

bool eo__order_could_time_out(eo_order *o, const section *p, uint32_t receive, const uint32_t *past, uint32_t *room) {
  const eo_record *record = record_at(o, receive);
  if (o->delivery != EO_DELIVERY_MAILBOX || record->op != EO_OP_RECEIVE || record->mail || !record->touches)
    return true;
  if (record->flags & EO_EVENT_IDLE) return true; /* nothing was there, and it comes after all before it */
  return eo__order_can_take(o, p, record->process, record->index, record->nth, NULL, past, room);
}

/* May the last event be as it is, now that it shows what it touched? */
static bool look_back(eo_order *o) {
  uint32_t last = (uint32_t)o->trace.records.count - 1;
  section before = {last, NULL};
  if (!record_at(o, last)->touches || record_at(o, last)->op != EO_OP_RECEIVE) return true;
  uint32_t *room = eo__order_scratch(o, 1);
  if (room && !eo__order_could_time_out(o, &before, last, eo_trace_clock(&o->trace, last), room)) o->impossible = last;
  return room != NULL;
}

bool eo__order_add(eo_order *order, eo_choice taken, const eo_event *event) {
  return eo__trace_add(&order->trace, taken, event) &&
         (!(event->flags & EO_EVENT_STUCK) ||
          eo_vec_push(&order->failures, (uint32_t)order->trace.records.count - 1)) &&
         (order->delivery != EO_DELIVERY_MAILBOX || (look_back(order) && add_edges(order)));
}

/* The edges so far come of receives of this process alone, each of which would have taken any message. Then they lead from
 * what was received to what was not, and no two of the latter are ordered but by what happened before their sending. */
static bool is_simple(const eo_order *o, uint32_t process) {
  return o->tangled == EO_NO_EVENT && (!o->edges.count || record_at(o, o->edges.items[0].by)->process == process);
}

/* `choices`: all `count` of the process. */
bool eo__order_is_allowed(eo_order *o, const eo_point *point, const eo_choice *choice, const eo_choice *choices,
                          uint32_t count) {
  if (o->delivery != EO_DELIVERY_MAILBOX || choice->kind != EO_CHOICE_TAKE || count == 1) return true;
  if (is_simple(o, choice->process) && choice->value) {
    const uint32_t *clock = eo_trace_clock(&o->trace, eo__order_mail(o, choice)->by);
    for (uint32_t i = 0; i < count; i++)
      if (choices[i].value && choices + i != choice &&
          eo_clock_covers(clock, record_at(o, eo__order_mail(o, &choices[i])->by)))
        return false;
    return true;
  }
  uint32_t *room = eo__order_scratch(o, 2);
  if (!room) return false;
  const eo_thread *thread = &o->trace.threads.items[choice->process];
  const eo_posted *mail = eo__order_mail(o, choice);
  uint32_t past = mail ? mail->by : eo__order_before_next(thread);
  section all = {point->depth, NULL};
  return eo__order_can_take(o, &all, choice->process, thread->events, thread->receives, mail,
                            eo_trace_clock(&o->trace, past), room);
}

/* ---- An order of the sends that gives the same -------------------------------------------------------------------- */

/* Some of the events: how many of each process have come, and which do not come at all (NULL: none). */
typedef struct coming {
  uint32_t *done;
  const bool *left_out;
  uint32_t from; /* all events before this one have come, or do not */
} coming;

/* Has all that must come before the event come? */
static bool is_ready(const eo_order *o, uint32_t position, const coming *c) {
  const eo_record *record = record_at(o, position);
  const uint32_t *clock = eo_trace_clock(&o->trace, position), *done = c->done;
  if (done[record->process] != record->index) return false;
  for (size_t i = 0; i < o->trace.threads.count; i++)
    if (i != record->process && clock[i] > done[i]) return false;
  for (size_t i = 0; i < o->edges.count; i++) {
    const edge *e = &o->edges.items[i];
    if (e->to != position || (c->left_out && (c->left_out[e->by] || c->left_out[e->from]))) continue;
    if (done[record_at(o, e->from)->process] <= record_at(o, e->from)->index) return false;
  }
  return true;
}

static bool is_over(const eo_order *o, uint32_t position, const coming *c) {
  const eo_record *record = record_at(o, position);
  return record->index < c->done[record->process] || (c->left_out && c->left_out[position]);
}

/* The first of the events that are left and ready; of this process, if there is one (EO_NO_PROCESS: of whichever). */
static uint32_t next_ready(const eo_order *o, uint32_t process, coming *c) {
  uint32_t first = EO_NO_EVENT, count = (uint32_t)o->trace.records.count;
  while (c->from < count && is_over(o, c->from, c)) c->from++;
  for (uint32_t i = c->from; i < count; i++) {
    if (is_over(o, i, c) || !is_ready(o, i, c)) continue;
    if (process == EO_NO_PROCESS || record_at(o, i)->process == process) return i;
    if (first == EO_NO_EVENT) first = i;
  }
  return first;
}

/* How many preemptions the events so far need at most: each process goes on as long as it can, and is preempted where its
 * next event has to wait for others though it could happen, which a receive of a message that is not there cannot. */
uint32_t eo__order_preemptions(eo_order *o) {
  uint32_t count = (uint32_t)o->trace.records.count, found = 0, process = EO_NO_PROCESS;
  uint32_t *done = eo__alloc((o->trace.threads.count + 1) * sizeof *done);
  if (!done) *o->error = EO_ENOMEM;
  coming rest = {done, NULL, 0};
  for (uint32_t i = 0; i < count && done; i++) {
    uint32_t at = next_ready(o, process, &rest);
    if (at == EO_NO_EVENT) break; /* no order of the sends leads here: there is nothing to count */
    if (process != EO_NO_PROCESS && record_at(o, at)->process != process)
      for (uint32_t j = 0; j < count; j++) {
        const eo_record *left = record_at(o, j);
        if (left->process == process && left->index == done[process]) found += left->op != EO_OP_RECEIVE;
      }
    process = record_at(o, at)->process;
    done[process]++;
  }
  eo__free(done);
  return found;
}

/* Processes failed, and others went on: how that was is not the program's affair. So what comes after a failure is left out,
 * but for one that is the last event. */
static void leave_out(const eo_order *o, bool *left_out) {
  uint32_t count = (uint32_t)o->trace.records.count;
  for (size_t i = 0; i < o->failures.count && o->failures.items[i] + 1 < count; i++)
    for (uint32_t at = o->failures.items[i], j = at; j < count; j++)
      left_out[j] |= eo_clock_covers(eo_trace_clock(&o->trace, j), record_at(o, at));
}

/* The same choices as the subject has them. */
static bool ask_subject(eo_view view, eo_schedule *out) {
  const eo_choice *same;
  uint32_t count = view.relations->plain(view.of, out->items, (uint32_t)out->count, &same);
  eo_vec_clear(out);
  if (count == UINT32_MAX || !eo_vec_reserve(out, count + 1)) return false;
  if (count) memcpy(out->items, same, count * sizeof *same);
  out->count = count;
  return true;
}

bool eo__order_plain(eo_order *o, eo_schedule *out) {
  size_t count = o->trace.records.count;
  uint32_t *done = eo__alloc((o->trace.threads.count + 1) * sizeof *done);
  bool *left_out = eo__alloc(count + 1);
  eo_vec_clear(out);
  if (!done || !left_out || !eo_vec_reserve(out, count + 1)) {
    eo__free(done);
    eo__free(left_out);
    return false;
  }
  leave_out(o, left_out);
  coming rest = {done, left_out, 0};
  for (uint32_t i = 0; i < count; i++) {
    if (left_out[i]) continue;
    /* As near as possible to the order it had: what processes do to memory that they share may depend on it. */
    uint32_t at = o->delivery == EO_DELIVERY_MAILBOX ? next_ready(o, EO_NO_PROCESS, &rest) : i;
    EO_CHECK(at != EO_NO_EVENT);
    const eo_record *record = record_at(o, at);
    bool takes = o->delivery != EO_DELIVERY_MAILBOX && record->op == EO_OP_RECEIVE;
    done[record->process]++;
    if (o->delivery == EO_DELIVERY_MAILBOX && record->flags & EO_EVENT_IGNORED) continue;
    out->items[out->count++] = (eo_choice){.process = record->process,
                                           .value = takes || eo__op_chooses(record->op) ? record->value : 0,
                                           .op = record->op,
                                           .kind = takes ? EO_CHOICE_TAKE : EO_CHOICE_RUN};
    if (at + 1 == count && record->flags & EO_EVENT_STUCK) break; /* it fails: nothing comes after that */
  }
  eo__free(done);
  eo__free(left_out);
  return !o->trace.view.relations->plain || ask_subject(o->trace.view, out);
}

/* ---- Choices ---------------------------------------------------------------------------------------------------- */

uint32_t eo__order_choices_of(const eo_point *point, uint32_t first) {
  uint32_t count = 1;
  while (first + count < point->count && point->choices[first + count].process == point->choices[first].process)
    count++;
  return count;
}

/* ---- Scouts ------------------------------------------------------------------------------------------------------ */

void eo__scouts_init(eo_scouts *scouts, uint64_t seed) {
  scouts->left = 8;
  eo__rng_init(&scouts->rng, seed);
}

bool eo__scouts_begin(eo_scouts *scouts) {
  scouts->under_way = scouts->left > 0;
  scouts->left -= scouts->under_way;
  return scouts->under_way;
}

uint32_t eo__scouts_choose(eo_scouts *scouts, const eo_order *order, const eo_point *point) {
  uint32_t drawn = eo__rng_below(&scouts->rng, point->count), first = drawn;
  if (order->delivery != EO_DELIVERY_MAILBOX || point->choices[drawn].kind != EO_CHOICE_TAKE) return drawn;
  while (first > 0 && point->choices[first - 1].process == point->choices[drawn].process) first--;
  uint32_t count = eo__order_choices_of(point, first), oldest = first;
  for (uint32_t i = first; i < first + count;
       i++) { /* the order of the sends is the one that it was: nothing to find */
    const eo_posted *mail = eo__order_mail(order, &point->choices[i]);
    const eo_posted *than = eo__order_mail(order, &point->choices[oldest]);
    if (mail && (!than || mail->by < than->by)) oldest = i;
  }
  return oldest;
}

static bool counts(const eo_failure *failure) {
  if (failure->kind == EO_KIND_LOOP || failure->fatal) return true;
  return failure->kind == EO_KIND_SHARING || failure->kind == EO_KIND_BOUNDS || failure->kind == EO_KIND_NONDETERMINISM;
}

void eo__scouts_end(eo_scouts *scouts, eo_outcome *outcome) {
  outcome->counted = outcome->failure && counts(outcome->failure);
  if (outcome->counted) scouts->left = 0;
}
