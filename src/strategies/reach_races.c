/* reach_races.c: from an execution to its races: for each receive the messages that it could have taken instead (Lei's dissertation,
 * theorem 3.3.1, for every kind of delivery and for receives that choose), its timeout, and the other values of a choose. */
#include <stdio.h>
#include <string.h>

#include "strategies/reach_inside.h"

/* ---- While it runs ---------------------------------------------------------------------------------------------- */

static bool is_idle(const reach *x, const eo_choice *choice) {
  return x->idle_timeouts && (choice->op == EO_OP_SLEEP || (choice->op == EO_OP_RECEIVE && choice->value == 0));
}

/* A timeout that waits for all others comes after all that was before it. */
static uint64_t hash_of_all(const reach *x) {
  uint64_t hash = 0;
  const eo_trace *trace = &x->order.trace;
  for (size_t i = 0; i < trace->threads.count; i++)
    if (trace->threads.items[i].last != EO_NO_EVENT) hash += eo__trace_event_hash(trace, trace->threads.items[i].last);
  return hash;
}

uint64_t eo__reach_foretell(const reach *x, const eo_choice *choice) {
  const eo_trace *trace = &x->order.trace;
  const eo_posted *mail = eo__order_mail(&x->order, choice);
  uint64_t hash = eo__trace_foretell(trace, choice->process, choice->op,
                                     eo__order_before_next(&trace->threads.items[choice->process]),
                                     mail ? mail->by : EO_NO_EVENT, mail ? mail->sent.nth : choice->value);
  return is_idle(x, choice) ? hash + hash_of_all(x) : hash;
}

bool eo__reach_note_choices(reach *x, const eo_point *point, uint32_t taken) {
  const eo_choice *chosen = &point->choices[taken];
  bool idle = is_idle(x, chosen);
  if (!eo__op_chooses(chosen->op) && !idle) return true;
  for (uint32_t i = 0; i < point->count; i++) {
    const eo_choice *other = &point->choices[i];
    if (i == taken || (!idle && other->process != chosen->process)) continue;
    if (!eo_vec_push(&x->also, ((also){point->depth, *other, eo__reach_foretell(x, other)}))) return false;
  }
  return true;
}

static void tell(reach *x, int which, const eo_record *record) {
  char name[EO_PROCESS_NAME] = "";
  x->view.processes->name(x->view.of, record->process, name, sizeof name);
  snprintf(x->what[which], sizeof x->what[which], "%s by %.60s", eo__op_name((eo_op_kind)record->op), name);
}

static void refuse(reach *x, const eo_record *one, const eo_record *other) {
  x->refused = true;
  tell(x, 0, one);
  tell(x, 1, other);
}

void eo__reach_look(reach *x) {
  const eo_trace *trace = &x->order.trace;
  const eo_record *last = &eo_vec_last(&trace->records);
  if (x->refused) return;
  for (uint32_t i = 0; i < last->touches; i++) {
    const eo_touch *touch = &trace->touches.items[last->first_touch + i];
    for (size_t j = trace->objects.items[touch->object].list.count; j-- > 0;) {
      const eo_access *access = &trace->objects.items[touch->object].list.items[j];
      const eo_record *early = &trace->records.items[access->by];
      if (early == last || !(touch->writes || access->writes)) continue;
      if (eo_clock_covers(trace->cause.items, early)) continue;
      refuse(x, early, last);
      return;
    }
  }
  for (uint32_t i = 0; i < last->doomed; i++) {
    uint32_t process = trace->doomed.items[last->first_doomed + i];
    uint32_t at = trace->threads.items[process].last;
    if (process == last->process) continue;
    refuse(x, at != EO_NO_EVENT ? &trace->records.items[at] : last, last);
    return;
  }
}

/* ---- When it has ended ------------------------------------------------------------------------------------------ */

/* A message that the receive at `at` could have taken as far as what is sent and asked for goes. */
static bool is_candidate(const reach *x, const eo_record *receive, const eo_posted *mail) {
  const eo_trace *trace = &x->order.trace;
  if (mail->taken != EO_NO_EVENT && trace->records.items[mail->taken].index < receive->index) return false;
  return x->view.relations->matches(x->view.of, receive->process, receive->nth, mail->sent.number);
}

/* Does delivery put `first` before `mail`, whatever else happens? */
static bool is_behind(const reach *x, const eo_posted *mail, const eo_posted *first) {
  const eo_trace *trace = &x->order.trace;
  if (x->delivery == EO_DELIVERY_ASYNC) return false;
  if (x->delivery == EO_DELIVERY_FIFO || mail->by == first->by)
    return first->sent.from == mail->sent.from && first->sent.nth < mail->sent.nth;
  return x->delivery == EO_DELIVERY_CAUSAL &&
         eo_clock_covers(trace->message_clocks.items + (size_t)mail->by * trace->stride,
                         &trace->records.items[first->by]);
}

/* Is there another message that `mail` must wait for, whatever the receive accepts? */
static bool is_blocked(const reach *x, const eo_record *receive, const eo_posted *mail) {
  const eo_trace *trace = &x->order.trace;
  const eo_thread *thread = &trace->threads.items[receive->process];
  for (size_t i = 0; i < thread->inbox.count && x->view.relations->blocks; i++) {
    const eo_posted *other = &trace->mails.items[thread->inbox.items[i]];
    bool gone = other->taken != EO_NO_EVENT && trace->records.items[other->taken].index < receive->index;
    if (other != mail && !gone && is_behind(x, mail, other) &&
        x->view.relations->blocks(x->view.of, mail->sent.number, other->sent.number))
      return true;
  }
  return false;
}

static bool add_race(reach *x, sequence *q, race r) {
  if (eo__reach_is_forbidden(x, r.hash)) {
    q->rivals.count = r.first_rival;
    return true;
  }
  r.rivals = (uint32_t)q->rivals.count - r.first_rival;
  if (!eo_vec_push(&q->races, r)) return false;
  q->chosen.items[0] = (uint32_t)q->races.count - 1;
  q->chosen.count = 1;
  if (!eo__reach_fits(q, true, x->room.items)) {
    q->races.count--;
    q->rivals.count = r.first_rival;
  }
  q->chosen.count = 0;
  return true;
}

/* The receive takes `mail`, or (NULL) times out. */
static bool add_outcome(reach *x, sequence *q, uint32_t at, uint32_t before, const eo_posted *mail) {
  const eo_trace *trace = &x->order.trace;
  const eo_record *receive = &trace->records.items[at];
  race r = {.at = at,
            .before = before,
            .source = mail ? mail->by : EO_NO_EVENT,
            .process = receive->process,
            .op = receive->op,
            .value = mail ? mail->sent.number : 0,
            .first_rival = (uint32_t)q->rivals.count,
            .hash = eo__trace_foretell(trace, receive->process, receive->op, before, mail ? mail->by : EO_NO_EVENT,
                                       mail ? mail->sent.nth : 0)};
  for (size_t i = 0; i < x->candidates.count; i++) {
    const eo_posted *other = &trace->mails.items[x->candidates.items[i]];
    if (other == mail) continue;
    if (mail && !x->view.relations->blocks && is_behind(x, mail, other)) {
      q->rivals.count = r.first_rival;
      return true;
    }
    if (x->delivery == EO_DELIVERY_MAILBOX && !(mail && mail->by == other->by) && !eo_vec_push(&q->rivals, other->by))
      return false;
  }
  return add_race(x, q, r);
}

static bool add_receive(reach *x, sequence *q, uint32_t at, uint32_t before) {
  const eo_trace *trace = &x->order.trace;
  const eo_record *receive = &trace->records.items[at];
  const eo_thread *thread = &trace->threads.items[receive->process];
  eo_vec_clear(&x->candidates);
  for (size_t i = 0; i < thread->inbox.count; i++)
    if (is_candidate(x, receive, &trace->mails.items[thread->inbox.items[i]]) &&
        !eo_vec_push(&x->candidates, thread->inbox.items[i]))
      return false;
  for (size_t i = 0; i < x->candidates.count; i++) {
    const eo_posted *mail = &trace->mails.items[x->candidates.items[i]];
    if (x->candidates.items[i] + 1 == receive->mail || comes_after(q, mail->by, at)) continue;
    if (eo__order_follows_failure(&x->order, mail->by)) continue;
    if (!is_blocked(x, receive, mail) && !add_outcome(x, q, at, before, mail)) return false;
  }
  return !(receive->flags & EO_EVENT_TIMED) || !receive->mail || add_outcome(x, q, at, before, NULL);
}

static bool add_other(reach *x, sequence *q, uint32_t at, uint32_t before, const also *other) {
  return add_race(x, q,
                  (race){.at = at,
                         .before = before,
                         .source = EO_NO_EVENT,
                         .process = other->choice.process,
                         .value = other->choice.value,
                         .op = other->choice.op,
                         .idle = is_idle(x, &other->choice),
                         .first_rival = (uint32_t)q->rivals.count,
                         .hash = other->hash});
}

bool eo__reach_copy(reach *x, sequence *q) {
  const eo_trace *trace = &x->order.trace;
  size_t count = trace->records.count, had = q->moves.count;
  q->stride = trace->stride;
  eo_vec_clear(&q->clocks);
  eo_vec_clear(&q->edges);
  q->moves.count = 0;
  bool good = eo_vec_reserve(&q->moves, count + 1) && eo_vec_reserve(&q->clocks, (count + 1) * q->stride) &&
              eo_vec_reserve(&q->edges, x->order.edges.count + 1);
  if (!good) return false;
  for (size_t i = 0; i < count; i++) {
    const eo_record *record = &trace->records.items[i];
    bool settled = i < had && i < q->wanted && q->moves.items[i].settled;
    q->moves.items[i] = (move){record->process, record->value, record->op, settled, record->flags & EO_EVENT_REFUSED};
  }
  q->moves.count = count;
  if (count && q->stride) memcpy(q->clocks.items, trace->clocks.items, count * q->stride * sizeof *q->clocks.items);
  if (x->order.edges.count) memcpy(q->edges.items, x->order.edges.items, x->order.edges.count * sizeof *q->edges.items);
  q->edges.count = x->order.edges.count;
  return true;
}

bool eo__reach_collect(reach *x, sequence *q) {
  const eo_trace *trace = &x->order.trace;
  size_t other = 0;
  eo_vec_clear(&q->races);
  eo_vec_clear(&q->rivals);
  eo_vec_clear(&q->chosen);
  if (!eo__reach_copy(x, q) || !eo_vec_reserve(&q->chosen, 1)) return false;
  if (x->room.capacity < q->stride && !eo_vec_reserve(&x->room, q->stride)) return false;
  for (uint32_t at = 0; at < q->moves.count; at++) {
    const eo_record *record = &trace->records.items[at];
    const eo_thread *thread = &trace->threads.items[record->process];
    uint32_t before = record->previous != EO_NO_EVENT ? record->previous : thread->spawner;
    while (other < x->also.count && x->also.items[other].at < at) other++;
    if (q->moves.items[at].settled) continue;
    if (record->op == EO_OP_RECEIVE && !(record->flags & EO_EVENT_IDLE) && !add_receive(x, q, at, before)) return false;
    for (; other < x->also.count && x->also.items[other].at == at; other++)
      if (!add_other(x, q, at, before, &x->also.items[other])) return false;
  }
  /* The latest first: what is run after it has most of its steps in common with it. */
  for (size_t i = 0, j = q->races.count; i + 1 < j; i++) {
    race last = q->races.items[--j];
    q->races.items[j] = q->races.items[i];
    q->races.items[i] = last;
  }
  return eo_vec_reserve(&q->chosen, q->races.count);
}
