/* dpor_waiting.c: the event that waited in a task may be known to fail. Then others go on in its place, and it comes last
 * (doc/dpor.md). If it would come after one of them that is before its reasons in their order, it would have waited for that
 * without a reason: there is another task in which that is waited for first, and this one must not come to the same. So what
 * others are about to do is foreseen, and such a step is not taken before the event that waits. */
#include "strategies/dpor_inside.h"

/* What the process is about to do. False: that cannot be told. */
static bool foresee_next(dpor *d, uint32_t process, eo_foreseen *seen) {
  uint32_t count = (uint32_t)d->order.trace.records.count;
  bool good = true;
  eo_vec_clear(&d->kept);
  for (uint32_t i = 0; i < count && good; i++) good = !record_at(d, i)->touches || eo_vec_push(&d->kept, i);
  good = good && eo_vec_push(&d->kept, EO_NEXT);
  int told =
      good ? d->view.relations->foresee(d->view.of, d->kept.items, (uint32_t)d->kept.count, process, seen) : EO_ENOMEM;
  if (told == EO_ENOMEM) d->base.error = EO_ENOMEM;
  return told == EO_OK;
}

/* Keeps what the event of the process that waits would touch here, and whom it would doom. */
static bool foresee_waiting(dpor *d, uint32_t process) {
  eo_foreseen seen;
  if (!foresee_next(d, process, &seen)) return false;
  eo_vec_clear(&d->waiting.touches);
  eo_vec_clear(&d->waiting.dooms);
  bool good = true;
  for (uint32_t i = 0; i < seen.touch_count && good; i++) good = eo_vec_push(&d->waiting.touches, seen.touches[i]);
  for (uint32_t i = 0; i < seen.doomed_count && good; i++) good = eo_vec_push(&d->waiting.dooms, seen.doomed[i]);
  if (!good) d->base.error = EO_ENOMEM;
  return good;
}

void eo__dpor_find_past(dpor *d, const eo_choice *choice, uint32_t *clock) {
  const eo_trace *trace = &d->order.trace;
  const eo_thread *thread = &trace->threads.items[choice->process];
  const eo_posted *mail = eo__order_mail(&d->order, choice);
  uint32_t first = eo__order_before_next(thread);
  if (first != EO_NO_EVENT)
    eo_clock_copy(clock, eo_trace_clock(trace, first), trace->stride);
  else
    for (uint32_t i = 0; i < trace->stride; i++) clock[i] = 0;
  if (thread->doomer != EO_NO_EVENT) eo_clock_join(clock, eo_trace_clock(trace, thread->doomer), trace->stride);
  if (mail) eo_clock_join(clock, eo_trace_clock(trace, mail->by), trace->stride);
  if (trace->idle != EO_NO_EVENT) eo_clock_join(clock, eo_trace_clock(trace, trace->idle), trace->stride);
}

/* Does the next event of the process wait for nothing that is not in this past? */
static bool reasons_past(const dpor *d, uint32_t process, const uint32_t *clock) {
  const task *t = d->current;
  for (size_t i = 0; i < t->reasons.count; i++) {
    const reason *r = &t->reasons.items[i];
    if (r->held == TO_COME && r->process == process && !eo_clock_covers(clock, record_at(d, r->by))) return false;
  }
  return true;
}

/* Must the event of `process` that waits not come after this? */
static bool comes_too_early(dpor *d, uint32_t process, const eo_choice *choice) {
  eo_foreseen seen;
  if (choice->process == process || !foresee_waiting(d, process) || !foresee_next(d, choice->process, &seen))
    return false;
  bool dooms = eo__dpor_has(seen.doomed, seen.doomed_count, process);
  bool doomed = eo__dpor_has(d->waiting.dooms.items, (uint32_t)d->waiting.dooms.count, choice->process);
  const eo_touch *touches = d->waiting.touches.items;
  uint32_t count = (uint32_t)d->waiting.touches.count;
  if (!dooms && !doomed && !eo__dpor_conflict(touches, count, seen.touches, seen.touch_count)) return false;
  uint32_t *clock = eo__order_scratch(&d->order, 1);
  if (!clock || !eo__dpor_keep_touches(d, seen.touches, seen.touch_count)) {
    d->base.error = EO_ENOMEM;
    return false;
  }
  eo__dpor_find_past(d, choice, clock);
  eo__dpor_join_met(d, (uint32_t)d->order.trace.records.count, EO_NO_EVENT, clock, &seen, clock);
  d->foreseen.past = clock;
  return dooms ? !reasons_past(d, process, clock)
               : !eo__dpor_in_order(d, TO_COME, process, touches, count, choice->process);
}

bool eo__dpor_out_of_turn(dpor *d, const eo_choice *choice) {
  const task *t = d->current;
  if (d->order.trace.records.count < t->given || !d->view.relations->foresee) return false;
  for (size_t i = 0; i < t->reasons.count; i++) {
    const reason *r = &t->reasons.items[i];
    bool again = i > 0 && r[-1].held == TO_COME && r[-1].process == r->process;
    if (r->held == TO_COME && !again && comes_too_early(d, r->process, choice)) return true;
  }
  return false;
}
