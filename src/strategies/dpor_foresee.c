/* dpor_foresee.c: what an event touches can depend on what came before it: a register of a name that is taken looks no
 * further, an exit tells those that have a bond with it. In a new task the revisiting event `later` comes without what is
 * dropped, and may touch other things there. Then it may not come after all that was kept before it for its sake, or `earlier` not
 * after `later`: and the task would be the same as another. So the subject is asked what they will touch, and no such task is
 * made (doc/dpor.md). Where the subject cannot tell, it shows when `later` has been taken. */
#include "strategies/dpor_inside.h"

static bool stays(const dpor *d, uint32_t position, const revisit *r) {
  return position < r->earlier || eo_clock_covers(r->kept_past, record_at(d, position));
}

static bool conflict(const eo_touch *some, uint32_t some_count, const eo_touch *others, uint32_t other_count) {
  for (uint32_t i = 0; i < some_count; i++)
    for (uint32_t j = 0; j < other_count; j++)
      if (some[i].object == others[j].object && (some[i].writes || others[j].writes)) return true;
  return false;
}

bool eo__dpor_has(const uint32_t *items, size_t count, uint32_t wanted) {
  for (size_t i = 0; i < count; i++)
    if (items[i] == wanted) return true;
  return false;
}

/* Joins the pasts of those that stay and that an event comes after which touches and dooms this. */
static void join_met(const dpor *d, const revisit *r, const eo_foreseen *seen, uint32_t *clock) {
  const eo_trace *trace = &d->order.trace;
  for (uint32_t i = 0; i < seen->touch_count; i++) {
    const eo_touch *touch = &seen->touches[i];
    size_t count = touch->object < trace->objects.count ? trace->objects.items[touch->object].list.count : 0;
    for (size_t j = 0; j < count; j++) {
      const eo_access *access = &trace->objects.items[touch->object].list.items[j];
      if ((access->writes || touch->writes) && access->by != r->later && stays(d, access->by, r))
        eo_clock_join(clock, eo_trace_clock(trace, access->by), trace->stride);
    }
  }
  for (uint32_t i = 0; i < seen->doomed_count; i++) {
    const eo_thread *thread = &trace->threads.items[seen->doomed[i]];
    uint32_t last = thread->last;
    while (last != EO_NO_EVENT && (last == r->later || !stays(d, last, r))) last = record_at(d, last)->previous;
    if (last == EO_NO_EVENT) last = thread->spawner;
    if (last != EO_NO_EVENT) eo_clock_join(clock, eo_trace_clock(trace, last), trace->stride);
  }
}

void eo__dpor_find_cause(const dpor *d, uint32_t position, uint32_t *clock) {
  const eo_trace *trace = &d->order.trace;
  const eo_record *record = record_at(d, position);
  const eo_thread *thread = &trace->threads.items[record->process];
  uint32_t first = record->previous != EO_NO_EVENT ? record->previous : thread->spawner;
  if (first != EO_NO_EVENT)
    eo_clock_copy(clock, eo_trace_clock(trace, first), trace->stride);
  else
    for (uint32_t i = 0; i < trace->stride; i++) clock[i] = 0;
  if (thread->doomer != EO_NO_EVENT && thread->doomer < position)
    eo_clock_join(clock, eo_trace_clock(trace, thread->doomer), trace->stride);
  if (record->op == EO_OP_SIGNAL) eo__trace_await(trace, record->process, clock, trace->clocks.items);
  for (uint32_t i = trace->idle == EO_NO_EVENT ? 0 : position; i-- > 0;)
    if (record_at(d, i)->flags & EO_EVENT_IDLE) {
      eo_clock_join(clock, eo_trace_clock(trace, i), trace->stride);
      break;
    }
}

static const eo_touch *touches_of(const dpor *d, const eo_record *record) {
  return record->touches ? d->order.trace.touches.items + record->first_touch : NULL;
}

bool eo__dpor_dooms(const dpor *d, const eo_record *record, uint32_t process) {
  return record->doomed && eo__dpor_has(d->order.trace.doomed.items + record->first_doomed, record->doomed, process);
}

/* Asks the subject what the revisiting event will touch; or (`waiting`) what the one that waits for it will, after it. False: that cannot
 * be told, or there is no memory. */
static bool foresee(dpor *d, const revisit *r, bool waiting, eo_foreseen *seen) {
  *seen = (eo_foreseen){0};
  eo_vec_clear(&d->kept);
  for (uint32_t i = 0; i < r->later; i++)
    if (i != d->stands_for && record_at(d, i)->touches && stays(d, i, r)) PUSH(d, &d->kept, i);
  PUSH(d, &d->kept, d->ghost ? EO_FOREGONE : itself(d, r->later));
  if (waiting) PUSH(d, &d->kept, r->earlier);
  if (d->base.error) return false;
  int told = d->view.relations->foresee(d->view.of, d->kept.items, (uint32_t)d->kept.count,
                                        record_at(d, r->later)->process, seen);
  return told == EO_OK || (told == EO_ENOMEM && no_memory(d));
}

/* Can the event at `position`, after `earlier`, stay before the revisiting one in the task, though so far it is to be dropped, and
 * does not conflict with that as it is now? */
static bool could_stay(const dpor *d, uint32_t position, const revisit *r) {
  const eo_record *record = record_at(d, position);
  const uint32_t *clock = eo_trace_clock(&d->order.trace, position);
  if (record->process == record_at(d, r->later)->process || eo_clock_covers(r->kept_past, record)) return false;
  if (eo__order_follows_failure(&d->order, position)) return false; /* what comes after it is blocked */
  if (eo_clock_covers(clock, record_at(d, r->earlier))) return false;
  if (d->stands_for != EO_NO_EVENT && eo_clock_covers(clock, record_at(d, d->stands_for))) return false;
  for (size_t i = 0; i < d->clash.count; i++)
    if (!stays(d, d->clash.items[i], r) && eo_clock_covers(clock, record_at(d, d->clash.items[i]))) return false;
  return true;
}

uint32_t eo__dpor_clashes_later(dpor *d, const revisit *r) {
  const eo_trace *trace = &d->order.trace;
  eo_foreseen seen = {0};
  bool asked = false;
  if (!d->view.relations->foresee || !record_at(d, r->later)->touches) return EO_NO_EVENT;
  for (uint32_t i = r->later; i-- > r->earlier + 1;) {
    if (!could_stay(d, i, r)) continue;
    if (!asked) foresee(d, r, false, &seen); /* if that is not all: where it proves wrong, the task is given up */
    if (d->base.error) return EO_NO_EVENT;
    asked = true;
    const eo_record *record = record_at(d, i);
    if (eo__dpor_has(seen.doomed, seen.doomed_count, record->process) ||
        conflict(trace->touches.items + record->first_touch, record->touches, seen.touches, seen.touch_count))
      return i;
  }
  return EO_NO_EVENT;
}

bool eo__dpor_foresee(dpor *d, const revisit *r) {
  const eo_trace *trace = &d->order.trace;
  const eo_record *revisited = record_at(d, r->earlier), *revisiting = record_at(d, r->later);
  bool ask = d->view.relations->foresee && !(r->mail && !revisiting->touches);
  eo_foreseen seen = {0};
  d->foreseen.known = ask && foresee(d, r, false, &seen);
  if (d->base.error) return false;
  if (d->foreseen.known) {
    d->foreseen.past = r->room;
    eo_clock_copy(r->room, trace->cause.items, trace->stride);
    join_met(d, r, &seen, r->room);
    for (uint32_t i = r->earlier; i < r->later; i++)
      if (stays(d, i, r) && !eo_clock_covers(r->room, record_at(d, i))) return false;
    r->room[revisiting->process] = revisiting->index + 1;
  } else { /* it will be as it is now */
    d->foreseen.past = r->kept_past;
    seen = (eo_foreseen){.touches = touches_of(d, revisiting),
                         .touch_count = revisiting->touches,
                         .doomed = trace->doomed.items + revisiting->first_doomed,
                         .doomed_count = revisiting->doomed};
  }
  eo_vec_clear(&d->foreseen.touches);
  for (uint32_t i = 0; i < seen.touch_count; i++) PUSH(d, &d->foreseen.touches, seen.touches[i]);
  d->foreseen.dooms = eo__dpor_has(seen.doomed, seen.doomed_count, revisited->process);
  bool clash = conflict(touches_of(d, revisited), revisited->touches, seen.touches, seen.touch_count);
  if (!r->mail) return d->foreseen.dooms || eo__dpor_dooms(d, revisited, revisiting->process) || clash;
  if (d->foreseen.dooms || clash) return false; /* if it waits for the revisiting event, it may take that as well */
  uint32_t number = (uint32_t)(r->mail - (trace->mails.items + revisiting->first_mail));
  return !d->foreseen.known || (number < seen.told_count && seen.told[number] == revisited->process);
}

bool eo__dpor_keeps_reasons(dpor *d, const revisit *r) {
  const task *t = d->current;
  uint32_t *clock = r->room + d->order.trace.stride, process = record_at(d, r->later)->process;
  bool asked = false;
  for (size_t i = 0; i < t->reasons.count && d->foreseen.known; i++) {
    if (t->reasons.items[i].held != r->earlier) continue;
    if (!asked) {
      eo_foreseen seen;
      asked = true;
      if (!foresee(d, r, true, &seen)) return !d->base.error; /* then it shows when they have been taken */
      eo__dpor_find_cause(d, r->earlier, clock);
      join_met(d, r, &seen, clock);
      if (eo__dpor_has(seen.doomed, seen.doomed_count, process) ||
          conflict(seen.touches, seen.touch_count, d->foreseen.touches.items, (uint32_t)d->foreseen.touches.count))
        eo_clock_join(clock, d->foreseen.past, d->order.trace.stride);
    }
    if (!eo_clock_covers(clock, record_at(d, t->reasons.items[i].by))) return false;
  }
  return true;
}

/* The same when they have been taken. Did the events that were kept for the revisiting one happen before it, and all that
 * the held one waited for before that? If not, this is the same as another task. */
bool eo__dpor_proves_right(const dpor *d, uint32_t depth) {
  const task *t = d->current;
  const uint32_t *clock = eo_trace_clock(&d->order.trace, depth);
  if (t->unsure == EO_NO_EVENT) return true;
  for (size_t i = 0; i < t->reasons.count && depth >= t->given; i++)
    if (t->reasons.items[i].held == depth && !eo_clock_covers(clock, record_at(d, t->reasons.items[i].by)))
      return false;
  if (depth + 1 != t->given) return true;
  for (uint32_t i = t->unsure; i < depth; i++)
    if (!eo_clock_covers(clock, record_at(d, i))) return false;
  return true;
}
