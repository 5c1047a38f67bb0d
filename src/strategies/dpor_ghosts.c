/* dpor_ghosts.c: revisits by events that are not where they will be: by those that would conflict with later ones, had they come
 * after them, and by what doomed processes did not do. Each is taken as if it were one more event at the end. */
#include <string.h>

#include "strategies/dpor_inside.h"

static void revisit_by(dpor *d, eo_record record) {
  if (d->base.error || !(eo_vec_push(&d->order.trace.records, record) || no_memory(d))) return;
  eo__dpor_revisit(d);
  (void)eo_vec_pop(&d->order.trace.records);
}

/* ---- What an event would conflict with that comes later ----------------------------------------------------------- */

/* As if it came at the end: what came after it, and does not depend on it, can then stay before it. */
void eo__dpor_revisit_from_end(dpor *d) {
  if (!d->clashed || !d->view.relations->foresee) return;
  uint32_t count = (uint32_t)d->order.trace.records.count, later = d->order.trace.idle + 1; /* 0 of EO_NO_EVENT */
  for (; later + 1 < count && !d->base.error; later++) {
    eo_record record = *record_at(d, later);
    if (!record.touches || record.mail) continue;
    d->stands_for = later;
    d->ghost_step = d->current->steps.items[later];
    eo__dpor_find_cause(d, later, d->order.trace.cause.items);
    revisit_by(d, record);
  }
  d->stands_for = EO_NO_EVENT;
}

/* ---- What a doomed process did not do ----------------------------------------------------------------------------- */

/* Lets it do that after all, before it was doomed: as if it were one more event at the end, which took this message (NULL:
 * none) or has this value. */
static void revisit_by_ghost(dpor *d, uint32_t process, const eo_posted *mail, uint32_t value) {
  eo_trace *trace = &d->order.trace;
  const eo_thread *thread = &trace->threads.items[process];
  uint32_t previous = thread->last;
  if (previous != EO_NO_EVENT && previous > d->doomer) previous = record_at(d, previous)->previous; /* its exit */
  uint32_t first = previous != EO_NO_EVENT ? previous : thread->spawner;
  eo_record record = {.process = process,
                      .index = previous != EO_NO_EVENT ? record_at(d, previous)->index + 1 : 0,
                      .previous = previous,
                      .op = d->ghost->op,
                      .nth = thread->receives,
                      .source = mail ? mail->by : EO_NO_EVENT,
                      .first_touch = (uint32_t)trace->touches.count,
                      .touches = d->ghost->touch_count};
  section every = {(uint32_t)trace->records.count, NULL};
  if (mail && !eo__order_is_candidate(&d->order, &every, process, record.index, record.nth, mail)) return;
  if (trace->idle != EO_NO_EVENT) first = trace->idle > first ? trace->idle : first;
  uint32_t *cause = trace->cause.items;
  memcpy(cause, eo_trace_clock(trace, first), trace->stride * sizeof *cause);
  if (mail) eo_clock_join(cause, eo_trace_clock(trace, mail->by), trace->stride);
  if (eo_clock_covers(cause, record_at(d, d->doomer))) return;
  uint32_t *room = eo__order_scratch(&d->order, 1);
  if (!room) return;
  if (d->ghost->op == EO_OP_RECEIVE) {
    section all = {0, cause};
    const uint32_t *past = mail ? eo_trace_clock(trace, mail->by) : cause; /* what it sent itself may come later */
    if (!eo__order_can_take(&d->order, &all, process, record.index, record.nth, mail, past, room)) return;
  }
  d->ghost_step = (step){process, d->ghost->op == EO_OP_RECEIVE, false, mail ? mail->sent.number : value};
  for (uint32_t i = 0; i < record.touches; i++) PUSH(d, &trace->touches, d->ghost->touches[i]);
  revisit_by(d, record);
  trace->touches.count = record.first_touch;
}

void eo__dpor_revisit_by_ghosts(dpor *d) {
  eo_trace *trace = &d->order.trace;
  for (uint32_t process = 0; process < trace->threads.count && trace->doomed.count && !d->base.error; process++) {
    const eo_thread *thread = &trace->threads.items[process];
    if (thread->doomer == EO_NO_EVENT || (trace->idle != EO_NO_EVENT && thread->doomer < trace->idle)) continue;
    d->ghost = d->view.relations->foregone(d->view.of, process);
    if (!d->ghost) continue;                                       /* it had ended, or was at its exit anyway */
    if (d->ghost->op == EO_OP_SLEEP && d->idle_timeouts) continue; /* the other could go on, and so it could not */
    d->doomer = thread->doomer;
    if (d->ghost->op == EO_OP_RECEIVE) {
      for (size_t j = 0; j < thread->inbox.count; j++)
        revisit_by_ghost(d, process, &trace->mails.items[thread->inbox.items[j]], 0);
      if (d->ghost->timed && !d->idle_timeouts) revisit_by_ghost(d, process, NULL, 0);
    } else {
      for (uint32_t value = 0; value < d->ghost->choices; value++) revisit_by_ghost(d, process, NULL, value);
    }
  }
  d->ghost = NULL;
}
