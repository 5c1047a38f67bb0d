/* dpor_foresee.c: what an event touches can depend on what came before it: a register of a name that is taken looks no
 * further, an exit tells those that have a bond with it. In a new task the revisiting event `later` comes without what is
 * dropped, and may touch other things there. Then it may not come after all that was kept before it for its sake, or `earlier` not
 * after `later`: and the task would be the same as another. So the subject is asked what they will touch, and no such task is
 * made (doc/dpor.md). Where the subject cannot tell, it shows when `later` has been taken. */
#include "strategies/dpor_inside.h"

static bool stays(const dpor *d, uint32_t position, uint32_t earlier, const uint32_t *kept_past) {
  return position < earlier || eo_clock_covers(kept_past, record_at(d, position));
}

bool eo__dpor_conflict(const eo_touch *some, uint32_t some_count, const eo_touch *others, uint32_t other_count) {
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

void eo__dpor_join_met(const dpor *d, uint32_t earlier, uint32_t later, const uint32_t *kept_past,
                       const eo_foreseen *seen, uint32_t *clock) {
  const eo_trace *trace = &d->order.trace;
  for (uint32_t i = 0; i < seen->touch_count; i++) {
    const eo_touch *touch = &seen->touches[i];
    size_t count = touch->object < trace->objects.count ? trace->objects.items[touch->object].list.count : 0;
    for (size_t j = 0; j < count; j++) {
      const eo_access *access = &trace->objects.items[touch->object].list.items[j];
      if ((access->writes || touch->writes) && access->by != later && stays(d, access->by, earlier, kept_past))
        eo_clock_join(clock, eo_trace_clock(trace, access->by), trace->stride);
    }
  }
  for (uint32_t i = 0; i < seen->doomed_count; i++) {
    const eo_thread *thread = &trace->threads.items[seen->doomed[i]];
    uint32_t last = thread->last;
    while (last != EO_NO_EVENT && (last == later || !stays(d, last, earlier, kept_past)))
      last = record_at(d, last)->previous;
    if (last == EO_NO_EVENT) last = thread->spawner;
    if (last != EO_NO_EVENT) eo_clock_join(clock, eo_trace_clock(trace, last), trace->stride);
  }
}

void eo__dpor_find_cause(const dpor *d, uint32_t earlier, uint32_t *clock) {
  const eo_trace *trace = &d->order.trace;
  const eo_record *revisited = record_at(d, earlier);
  const eo_thread *thread = &trace->threads.items[revisited->process];
  uint32_t first = revisited->previous != EO_NO_EVENT ? revisited->previous : thread->spawner;
  if (first != EO_NO_EVENT)
    eo_clock_copy(clock, eo_trace_clock(trace, first), trace->stride);
  else
    for (uint32_t i = 0; i < trace->stride; i++) clock[i] = 0;
  if (thread->doomer != EO_NO_EVENT && thread->doomer < earlier)
    eo_clock_join(clock, eo_trace_clock(trace, thread->doomer), trace->stride);
  for (uint32_t i = trace->idle == EO_NO_EVENT ? 0 : earlier; i-- > 0;)
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

/* Fills `kept` with those that stay and touched something, and `later`. */
static bool find_kept(dpor *d, uint32_t earlier, uint32_t later, const uint32_t *kept_past) {
  eo_vec_clear(&d->kept);
  for (uint32_t i = 0; i < later; i++)
    if (i != d->stands_for && record_at(d, i)->touches && stays(d, i, earlier, kept_past) && !eo_vec_push(&d->kept, i))
      return false;
  return eo_vec_push(&d->kept, d->ghost ? EO_FOREGONE : d->stands_for != EO_NO_EVENT ? d->stands_for : later);
}

bool eo__dpor_keep_touches(dpor *d, const eo_touch *touches, uint32_t count) {
  eo_vec_clear(&d->foreseen.touches);
  for (uint32_t i = 0; i < count; i++)
    if (!eo_vec_push(&d->foreseen.touches, touches[i])) return false;
  return true;
}

static bool no_memory(dpor *d) {
  d->base.error = EO_ENOMEM;
  return false;
}

bool eo__dpor_clash(const dpor *d, uint32_t earlier, uint32_t later) {
  const eo_record *one = record_at(d, earlier), *two = record_at(d, later);
  return one->process != two->process &&
         eo__dpor_conflict(touches_of(d, one), one->touches, touches_of(d, two), two->touches);
}

/* The revisiting event will be as it is now. */
static bool take_for_granted(dpor *d, uint32_t earlier, uint32_t later, const uint32_t *kept_past,
                             const eo_posted *mail) {
  const eo_record *revisiting = record_at(d, later);
  d->foreseen.known = false;
  d->foreseen.past = kept_past;
  d->foreseen.dooms = eo__dpor_dooms(d, revisiting, record_at(d, earlier)->process);
  if (mail && eo__dpor_clash(d, earlier, later)) return false; /* if it waits for `later`, it may take that as well */
  return eo__dpor_keep_touches(d, touches_of(d, revisiting), revisiting->touches) || no_memory(d);
}

/* Can the event at `position`, after `earlier`, stay before `later` in the task, though so far it is to be dropped, and `later` does not conflict
 * with it as it is now? */
static bool could_stay(const dpor *d, uint32_t position, uint32_t earlier, uint32_t later, const uint32_t *kept_past) {
  const eo_record *record = record_at(d, position);
  const uint32_t *clock = eo_trace_clock(&d->order.trace, position);
  if (record->process == record_at(d, later)->process || eo_clock_covers(kept_past, record)) return false;
  if (eo__order_follows_failure(&d->order, position)) return false; /* what comes after it is blocked */
  if (eo_clock_covers(clock, record_at(d, earlier))) return false;
  if (d->stands_for != EO_NO_EVENT && eo_clock_covers(clock, record_at(d, d->stands_for))) return false;
  for (size_t i = 0; i < d->clash.count; i++) {
    uint32_t clash = d->clash.items[i];
    if (!stays(d, clash, earlier, kept_past) && (clash == position || eo_clock_covers(clock, record_at(d, clash))))
      return false;
  }
  for (size_t i = 0; i < d->passed.count; i++)
    if (d->passed.items[i] == position || eo_clock_covers(clock, record_at(d, d->passed.items[i]))) return false;
  return true;
}

uint32_t eo__dpor_clashes_later(dpor *d, uint32_t earlier, uint32_t later, const uint32_t *kept_past) {
  const eo_trace *trace = &d->order.trace;
  eo_foreseen seen = {0};
  bool asked = false;
  if (!d->view.relations->foresee || !record_at(d, later)->touches) return EO_NO_EVENT;
  for (uint32_t i = later; i-- > earlier + 1;) {
    if (!could_stay(d, i, earlier, later, kept_past)) continue;
    if (!asked) {
      if (!find_kept(d, earlier, later, kept_past)) return no_memory(d), EO_NO_EVENT;
      int told = d->view.relations->foresee(d->view.of, d->kept.items, (uint32_t)d->kept.count,
                                            record_at(d, later)->process, &seen);
      if (told == EO_ENOMEM) return no_memory(d), EO_NO_EVENT;
      asked = true; /* else if that is not all: where it proves wrong, the task is given up */
    }
    const eo_record *record = record_at(d, i);
    if (eo__dpor_has(seen.doomed, seen.doomed_count, record->process) ||
        eo__dpor_conflict(trace->touches.items + record->first_touch, record->touches, seen.touches, seen.touch_count))
      return i;
  }
  return EO_NO_EVENT;
}

bool eo__dpor_foresee(dpor *d, uint32_t earlier, uint32_t later, const uint32_t *kept_past, const eo_posted *mail,
                      uint32_t *room) {
  const eo_trace *trace = &d->order.trace;
  const eo_record *revisited = record_at(d, earlier), *revisiting = record_at(d, later);
  eo_foreseen seen;
  if (!d->view.relations->foresee || (mail && !revisiting->touches))
    return take_for_granted(d, earlier, later, kept_past, mail);
  if (!find_kept(d, earlier, later, kept_past)) return no_memory(d);
  int told = d->view.relations->foresee(d->view.of, d->kept.items, (uint32_t)d->kept.count, revisiting->process, &seen);
  if (told == EO_ENOMEM) return no_memory(d);
  if (told != EO_OK) return take_for_granted(d, earlier, later, kept_past, mail);
  if (!eo__dpor_keep_touches(d, seen.touches, seen.touch_count)) return no_memory(d);
  eo_clock_copy(room, trace->cause.items, trace->stride);
  eo__dpor_join_met(d, earlier, later, kept_past, &seen, room);
  for (uint32_t i = earlier; i < later; i++)
    if (stays(d, i, earlier, kept_past) && !eo_clock_covers(room, record_at(d, i))) return false;
  room[revisiting->process] = revisiting->index + 1;
  d->foreseen.known = true;
  d->foreseen.past = room;
  d->foreseen.dooms = eo__dpor_has(seen.doomed, seen.doomed_count, revisited->process);
  bool conflict = eo__dpor_conflict(touches_of(d, revisited), revisited->touches, seen.touches, seen.touch_count);
  if (mail) { /* a conflict: if it waits for `later`, it may take that as well */
    uint32_t number = (uint32_t)(mail - (trace->mails.items + revisiting->first_mail));
    return !d->foreseen.dooms && !conflict && number < seen.told_count && seen.told[number] == revisited->process;
  }
  return d->foreseen.dooms || eo__dpor_dooms(d, revisited, revisiting->process) || conflict;
}

bool eo__dpor_keeps_reasons(dpor *d, uint32_t earlier, uint32_t later, const uint32_t *kept_past, uint32_t *room) {
  const task *t = d->current;
  const eo_record *revisiting = record_at(d, later);
  uint32_t *clock = room + d->order.trace.stride;
  bool asked = !d->foreseen.known;
  for (size_t i = 0; i < t->reasons.count; i++) {
    const reason *r = &t->reasons.items[i];
    if (r->held != earlier) continue;
    if (!asked) {
      eo_foreseen seen;
      asked = true;
      if (!eo_vec_push(&d->kept, earlier) ||
          d->view.relations->foresee(d->view.of, d->kept.items, (uint32_t)d->kept.count, revisiting->process, &seen) !=
              EO_OK)
        return no_memory(d);
      eo__dpor_find_cause(d, earlier, clock);
      eo__dpor_join_met(d, earlier, later, kept_past, &seen, clock);
      if (eo__dpor_has(seen.doomed, seen.doomed_count, revisiting->process) ||
          eo__dpor_conflict(seen.touches, seen.touch_count, d->foreseen.touches.items,
                            (uint32_t)d->foreseen.touches.count))
        eo_clock_join(clock, d->foreseen.past, d->order.trace.stride);
    }
    if (d->foreseen.known && !eo_clock_covers(clock, record_at(d, r->by))) return false;
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
