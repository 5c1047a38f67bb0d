/* dpor_revisit.c: which tasks an event gives rise to by coming before earlier ones, and which of them are made: each trace
 * is taken from one parent alone (doc/dpor.md, "The theorem, and its proof"). */
#include <string.h>

#include "base/alloc.h"
#include "strategies/dpor_inside.h"

/* ---- Was it the default? ---------------------------------------------------------------------------------------- */

/* The order in which a receive tries messages: by sender, then as sent; a timeout comes last. */
static bool is_tried_before(const dpor *d, const eo_posted *mail, const eo_record *receive) {
  if (!receive->mail) return true;
  const eo_sent *taken = &d->order.trace.mails.items[receive->mail - 1].sent;
  if (mail->sent.from == taken->from) return mail->sent.nth < taken->nth;
  return d->view.relations->before(d->view.of, mail->sent.from, taken->from);
}

/* Would this event be as it is if it came by default after all that was before it and what `kept_past` has? */
static bool is_default(dpor *d, uint32_t position, const uint32_t *kept_past, uint32_t *room) {
  const eo_record *record = record_at(d, position);
  if (eo__op_chooses(record->op)) return record->value == 0;
  if (record->op != EO_OP_RECEIVE) return true;
  section before = {position, kept_past};
  const eo_thread *thread = &d->order.trace.threads.items[record->process];
  for (size_t i = eo_thread_unread(thread, record->nth); i < thread->inbox.count; i++) {
    const eo_posted *mail = &d->order.trace.mails.items[thread->inbox.items[i]];
    if (mail->taken != EO_NO_EVENT && record_at(d, mail->taken)->index <= record->index)
      continue; /* no more, or itself */
    if (!is_tried_before(d, mail, record) || eo__order_follows_failure(&d->order, mail->by)) continue;
    if (!eo__order_is_candidate(&d->order, &before, record->process, record->index, record->nth, mail)) continue;
    if (eo__order_can_take(&d->order, &before, record->process, record->index, record->nth, mail,
                           eo_trace_clock(&d->order.trace, mail->by), room))
      return false;
  }
  return true;
}

/* ---- Revisits --------------------------------------------------------------------------------------------------- */

/* Do the reasons for the event at `held`, from `base` on, all lie in this past? But for the event at `later`. */
static bool reasons_stay(const dpor *d, uint32_t held, uint32_t base, const uint32_t *past, uint32_t later) {
  const task *t = d->current;
  for (size_t i = 0; i < t->reasons.count; i++) {
    const reason *why = &t->reasons.items[i];
    if (why->held == held && why->by >= base && why->by != later && !eo_clock_covers(past, record_at(d, why->by)))
      return false;
  }
  return true;
}

bool eo__dpor_waits(const task *t, uint32_t process) {
  for (size_t i = 0; i < t->reasons.count; i++)
    if (t->reasons.items[i].held == TO_COME && t->reasons.items[i].process == process) return true;
  return false;
}

/* What an event touches can depend on what it waited for. Of the reasons of the event at `held`, how many come first, since without
 * them the next one would not be one? */
static size_t reasons_first(const dpor *d, uint32_t held) {
  const task *t = d->current;
  const eo_record *record = record_at(d, held);
  size_t fewest = SIZE_MAX, count = d->foreseen.touches.count;
  for (size_t i = 0; i < record->touches * count && t->newly_touched.count; i++) {
    const eo_touch *its = &d->order.trace.touches.items[record->first_touch + i / count];
    const eo_touch *theirs = &d->foreseen.touches.items[i % count];
    if (its->object != theirs->object || !(its->writes || theirs->writes)) continue;
    size_t since = 0;
    for (size_t j = 0; j < t->newly_touched.count; j++) {
      uint32_t number = t->newly_touched.items[j].of;
      eo_touch touch = t->newly_touched.items[j].touch;
      bool is_new = touch.object == its->object && !(touch.writes && theirs->writes);
      if (is_new && t->reasons.items[number].held == held) since = number + 1;
    }
    if (since < fewest) fewest = since;
  }
  return fewest == SIZE_MAX ? 0 : fewest;
}

/* Is `later` the next one in the order of reasons of the event at `held`, of those that were there when it came? */
static bool reasons_in_order(const dpor *d, uint32_t held, uint32_t later) {
  const task *t = d->current;
  size_t first = reasons_first(d, held);
  bool in_order = true;
  for (size_t i = 0; i < t->reasons.count; i++) {
    if (t->reasons.items[i].held != held || t->reasons.items[i].by >= later) continue;
    const eo_record *by = record_at(d, t->reasons.items[i].by);
    /* What dooms it is always the first. */
    if (i < first || eo_clock_covers(d->foreseen.past, by) || eo__dpor_dooms(d, by, record_at(d, held)->process))
      in_order = true;
    else if (d->view.relations->before(d->view.of, record_at(d, later)->process, by->process))
      in_order = false;
  }
  return in_order;
}

/* May the mail be the one that the receive takes? */
static bool may_take(dpor *d, const revisit *r) {
  const eo_record *revisited = record_at(d, r->earlier), *revisiting = record_at(d, r->later);
  section kept = {r->earlier, r->kept_past};
  if (revisiting->mails > 1) { /* of several to one process, the first come first */
    uint32_t *with = r->room + d->order.trace.stride;
    eo_clock_copy(with, r->kept_past, d->order.trace.stride);
    with[revisiting->process] = revisiting->index + 1;
    kept.clock = with;
  }
  return eo__order_can_take(&d->order, &kept, revisited->process, revisited->index, revisited->nth, r->mail,
                            r->kept_past, r->room);
}

/* Was everything from `first` to `last` that is not in this past the default, with no reason that is not? */
static bool drops_defaults(dpor *d, uint32_t first, uint32_t last, const uint32_t *past, uint32_t waits,
                           uint32_t *room) {
  for (uint32_t i = first; i < last; i++) {
    if (eo_clock_covers(past, record_at(d, i))) continue;
    if ((i != waits && !reasons_stay(d, i, 0, past, last)) || !is_default(d, i, past, room)) return false;
  }
  return true;
}

/* A receive has one reason. If it announces something, the order of two others with it could be two reasons: that order is missed. */
static bool may_have_reason(dpor *d, const revisit *r) {
  if (reasons_stay(d, r->earlier, 0, d->foreseen.past, r->later)) return true;
  const eo_record *revisited = record_at(d, r->earlier);
  if (revisited->op == EO_OP_RECEIVE && revisited->flags & EO_EVENT_TELLS) d->base.doubts |= EO_DOUBT_TOLD;
  return false;
}

static bool may_revisit(dpor *d, const revisit *r) {
  uint32_t earlier = r->earlier, later = r->later;
  if (!reasons_stay(d, TO_COME, earlier, r->kept_past, later)) return false;
  if (!reasons_stay(d, later, earlier, r->kept_past, later)) return false;
  if (r->mail && !may_take(d, r)) return false; /* asked first: of a long inbox, most may not */
  if (!r->mail && !eo__order_could_time_out(&d->order, &(section){earlier, r->kept_past}, later, r->kept_past, r->room))
    return false;
  if (!drops_defaults(d, earlier, later, r->kept_past, earlier, r->room) || !eo__dpor_foresee(d, r)) return false;
  if (r->mail || record_at(d, earlier)->op == EO_OP_RECEIVE || d->foreseen.dooms) return may_have_reason(d, r);
  return reasons_in_order(d, earlier, later) && eo__dpor_keeps_reasons(d, r);
}

/* The same step can fail in many executions: what else happens does not matter. It counts in the one in which all else is
 * the default, of which there is one: as if it revisited, and dropped that. */
bool eo__dpor_owns_failure(dpor *d) {
  uint32_t last = (uint32_t)d->order.trace.records.count - 1, stride = d->order.trace.stride;
  uint32_t *past = eo__order_scratch(&d->order, 2);
  if (!past) return false;
  eo_clock_copy(past, eo_trace_clock(&d->order.trace, last), stride);
  past[record_at(d, last)->process]--; /* nobody takes what it sends */
  return reasons_stay(d, TO_COME, 0, past, last) && drops_defaults(d, 0, last, past, EO_NO_EVENT, past + stride);
}

/* The reason number i holds the event at `held` in the new task. Of an event that stays no reason is dropped, but in a
 * fragment that nobody of us wrote. */
static void copy_reason(dpor *d, const task *from, task *t, size_t i, uint32_t held) {
  const reason *why = &from->reasons.items[i];
  uint32_t by = d->moved.items[why->by], number = (uint32_t)t->reasons.count;
  if (by == EO_NO_EVENT) return;
  for (size_t j = 0; j < from->newly_touched.count; j++)
    if (from->newly_touched.items[j].of == i)
      PUSH(d, &t->newly_touched, ((touch_note){number, from->newly_touched.items[j].touch}));
  PUSH(d, &t->reasons, ((reason){held, by, why->process}));
}

/* Its step, which it takes again: there it may do something else. */
static step step_again(const dpor *d, const task *t, uint32_t later) {
  step s = d->ghost || d->stands_for != EO_NO_EVENT ? d->ghost_step : t->steps.items[later];
  s.refused = false;
  return s;
}

/* Does the next event of the process still wait for what it waits for now? Not if that is to come first in any case. */
static bool waits_on(const dpor *d, const task *from, const reason *r, uint32_t later) {
  if (r->held != TO_COME || r->process == record_at(d, later)->process) return false;
  if (r->process == from->resume && itself(d, later) < from->given) return false;
  uint32_t last = d->order.trace.threads.items[r->process].last;
  return last == EO_NO_EVENT || d->moved.items[last] != EO_NO_EVENT;
}

/* What stays, and the revisiting event, are the first steps of the new task, with their reasons. */
static bool carry_over(dpor *d, const revisit *r, const task *from, task *t) {
  uint32_t earlier = r->earlier, later = r->later, count = earlier;
  if (d->moved.capacity <= later && !eo_vec_reserve(&d->moved, (size_t)later + 1)) return no_memory(d);
  uint32_t *moved = d->moved.items;
  t->lender = d->current;
  t->prefix = earlier;
  for (uint32_t i = 0; i < earlier; i++) moved[i] = i;
  for (uint32_t i = earlier; i < later; i++) {
    moved[i] = EO_NO_EVENT;
    if (!eo_clock_covers(r->kept_past, record_at(d, i))) continue;
    moved[i] = count++;
    PUSH(d, &t->steps, from->steps.items[i]);
  }
  moved[later] = count;
  PUSH(d, &t->steps, step_again(d, from, later));
  for (size_t i = 0; i < from->reasons.count; i++) {
    const reason *why = &from->reasons.items[i];
    uint32_t held = why->held == itself(d, later) ? moved[later] : why->held < later ? moved[why->held] : TO_COME;
    bool stays = why->held < later || why->held == later ? held != EO_NO_EVENT : waits_on(d, from, why, later);
    if (stays) copy_reason(d, from, t, i, held);
  }
  for (size_t i = 0; i < from->had.count; i++)
    if (eo__dpor_waits(t, from->had.items[i].of)) PUSH(d, &t->had, from->had.items[i]);
  return true;
}

/* Which of these stay before `later` in the new task. */
static void settle(dpor *d, task *t, const uint32_t *positions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t here = d->moved.items[positions[i]];
    if (here != EO_NO_EVENT && !eo__dpor_has(t->settled.items, t->settled.count, here)) PUSH(d, &t->settled, here);
  }
}

static void fill_task(dpor *d, const revisit *r, task *t) {
  const task *from = d->current;
  if (!carry_over(d, r, from, t)) return;
  uint32_t after = t->prefix + (uint32_t)t->steps.count;
  const eo_record *revisited = record_at(d, r->earlier), *revisiting = record_at(d, r->later);
  uint32_t process = revisited->process;
  if (r->mail) {
    t->given = after + 1;
    t->fresh = t->other_way = after; /* the code that follows the receive may announce something, which then is new */
    if (revisited->flags & EO_EVENT_TELLS) eo__dpor_note_touches(d, &t->first_ways, after, revisited);
    PUSH(d, &t->reasons, ((reason){after, after - 1, process}));
    PUSH(d, &t->steps, ((step){process, true, false, r->mail->sent.number}));
    return;
  }
  t->given = after;
  t->fresh = after - 1;
  t->unsure = r->earlier;
  if (d->ghost) t->other_way = after - 1; /* nobody knows what the first way would have touched */
  t->resume = process;
  settle(d, t, d->clash.items, d->clash.count);
  /* If the revisiting event was given, what was settled there still is: that is not among what clashes. */
  if (itself(d, r->later) + 1 == from->given) settle(d, t, from->settled.items, from->settled.count);
  for (uint32_t i = 0; i < revisiting->mails; i++)
    PUSH(d, &t->told, d->order.trace.mails.items[revisiting->first_mail + i].sent.to);
  if (!(d->foreseen.dooms && eo__dpor_dooms(d, revisiting, process)) && revisited->op != EO_OP_RECEIVE)
    for (size_t i = 0; i < from->reasons.count; i++)
      if (from->reasons.items[i].held == r->earlier) copy_reason(d, from, t, i, TO_COME);
  eo__dpor_note_touches(d, &t->had, process, revisited);
  PUSH(d, &t->reasons, ((reason){TO_COME, after - 1, process}));
}

void eo__dpor_hold(dpor *d, uint32_t depth) {
  task *t = d->current;
  const eo_record *record = record_at(d, depth);
  uint32_t last = 0;
  size_t kept = 0;
  for (uint32_t i = 0; i < t->reasons.count; i++)
    if (t->reasons.items[i].held == TO_COME && t->reasons.items[i].process == record->process) {
      t->reasons.items[i].held = depth;
      last = i;
    }
  for (size_t i = 0; i < t->newly_touched.count; i++)
    if (t->newly_touched.items[i].of != last) t->newly_touched.items[kept++] = t->newly_touched.items[i];
  t->newly_touched.count = kept;
  for (uint32_t i = 0; i < record->touches; i++) {
    eo_touch touch = d->order.trace.touches.items[record->first_touch + i];
    bool read = false, written = false;
    for (size_t j = 0; j < t->had.count; j++)
      if (t->had.items[j].of == record->process && t->had.items[j].touch.object == touch.object)
        *(t->had.items[j].touch.writes ? &written : &read) = true;
    if (!written && !(read && !touch.writes)) PUSH(d, &t->newly_touched, ((touch_note){last, {touch.object, read}}));
  }
}

/* Makes the task of this revisit, if it is to be made here. */
static void make_task(dpor *d, const revisit *r) {
  if (eo__order_holds_failure(&d->order, r->kept_past) || !may_revisit(d, r)) return;
  task *t = eo__dpor_task_new(d);
  if (t) fill_task(d, r, t);
}

/* Does something stay that came after the event that `later` stands for? */
static bool keeps_later(const dpor *d, const revisit *r) {
  for (size_t i = 0; i < d->clash.count; i++)
    if (d->clash.items[i] > d->stands_for && eo_clock_covers(r->kept_past, record_at(d, d->clash.items[i])))
      return true;
  return false;
}

/* The same; but the revisiting event may touch more there than it does now, and conflict with what came after `earlier` and before it.
 * That can be dropped, too, or stay, each in a task of its own. */
static void make_tasks(dpor *d, const revisit *r) {
  uint32_t more = eo__dpor_clashes_later(d, r), stride = d->order.trace.stride;
  if (more == EO_NO_EVENT) {
    if (d->stands_for == EO_NO_EVENT || keeps_later(d, r)) make_task(d, r);
    return;
  }
  revisit keeping = *r;
  uint32_t *with = eo__alloc(stride * sizeof *with);
  if (with && eo_vec_push(&d->clash, more)) {
    make_tasks(d, r);
    eo_clock_copy(with, r->kept_past, stride);
    eo_clock_join(with, eo_trace_clock(&d->order.trace, more), stride);
    keeping.kept_past = with;
    if (!d->base.error) make_tasks(d, &keeping);
    (void)eo_vec_pop(&d->clash);
  } else {
    no_memory(d);
  }
  eo__free(with);
}

/* Did this receive take an earlier message of the same sender, which will be there too and which every earlier receive would
 * have taken? Then none of those can take `mail`. */
static bool comes_after_all(const dpor *d, const eo_thread *to, const eo_record *receive, const eo_posted *mail,
                            const uint32_t *kept_past) {
  if (receive->op != EO_OP_RECEIVE || !receive->mail || d->delivery == EO_DELIVERY_ASYNC) return false;
  const eo_posted *taken = &d->order.trace.mails.items[receive->mail - 1];
  return taken->sent.from == mail->sent.from && !to->readings.items[receive->nth].choosy &&
         eo_clock_covers(kept_past, record_at(d, taken->by));
}

/* Receives that could take what `later` sends. Nothing that is removed may be before them; one may be the first that is, if it conflicts
 * with `later` as it is now (which dooms its process), but will not there. If `later` was given, and nothing is removed, only
 * its new messages count. */
static void revisit_receives(dpor *d, uint32_t later, uint32_t first_removed, const uint32_t *kept_past,
                             uint32_t *room) {
  const task *t = d->current;
  bool all = later >= t->given || first_removed != EO_NO_EVENT;
  if (first_removed == EO_NO_EVENT && record_at(d, later)->flags & EO_EVENT_FAILED)
    return; /* it would fail there, too */
  for (uint32_t i = 0; i < record_at(d, later)->mails; i++) {
    const eo_posted *mail = &d->order.trace.mails.items[record_at(d, later)->first_mail + i];
    if (!all && eo__dpor_has(t->told.items, t->told.count, mail->sent.to)) continue;
    const eo_thread *to = &d->order.trace.threads.items[mail->sent.to];
    uint32_t at = to->last;
    for (; at != EO_NO_EVENT && !eo_clock_covers(kept_past, record_at(d, at)); at = record_at(d, at)->previous) {
      const eo_record *receive = record_at(d, at);
      if (receive->op == EO_OP_RECEIVE && at <= first_removed && at != later &&
          d->view.relations->matches(d->view.of, receive->process, receive->nth, mail->sent.number))
        make_tasks(d, &(revisit){at, later, kept_past, mail, room});
      if (comes_after_all(d, to, receive, mail, kept_past)) break;
    }
  }
}

/* Goes through all ways to part the events that clash with `later`, from the last to the first, into those that stay before `later`
 * and those that are removed: whatever an event that stays depends on stays. kept_past: past of `later` and of those that stay. */
static void part_clashes(dpor *d, uint32_t later, size_t level, uint32_t first_removed, uint32_t *kept_past) {
  uint32_t stride = d->order.trace.stride, *next = kept_past + stride;
  if (level == d->clash.count) {
    if (d->ghost && eo_clock_covers(kept_past, record_at(d, d->doomer))) return;
    if (first_removed != EO_NO_EVENT) make_tasks(d, &(revisit){first_removed, later, kept_past, NULL, next});
    revisit_receives(d, later, first_removed, kept_past, next);
    return;
  }
  const task *t = d->current;
  uint32_t position = d->clash.items[level];
  if (!eo__order_follows_failure(&d->order, position)) { /* else what comes after it is blocked */
    eo_clock_copy(next, kept_past, stride);
    eo_clock_join(next, eo_trace_clock(&d->order.trace, position), stride);
    part_clashes(d, later, level + 1, first_removed, next);
  }
  /* If the revisiting event was given, what it conflicted with before it was put here has been considered: that stays. */
  if (itself(d, later) + 1 == t->given && eo__dpor_has(t->settled.items, t->settled.count, position)) return;
  if (eo_clock_covers(kept_past, record_at(d, position))) return;
  eo_clock_copy(next, kept_past, stride);
  part_clashes(d, later, level + 1, position, next);
}

/* One more event that clashes with `later`, last first; each once. */
static void add_clash(dpor *d, uint32_t later, uint32_t position) {
  const eo_record *revisiting = record_at(d, later), *revisited = record_at(d, position);
  if (position >= itself(d, later) || revisited->process == revisiting->process ||
      eo_clock_covers(d->order.trace.cause.items, revisited))
    return;
  size_t at = d->clash.count;
  while (at > 0 && d->clash.items[at - 1] < position) at--;
  if (at > 0 && d->clash.items[at - 1] == position) return;
  PUSH(d, &d->clash, position);
  if (d->base.error) return;
  memmove(d->clash.items + at + 1, d->clash.items + at, (d->clash.count - 1 - at) * sizeof *d->clash.items);
  d->clash.items[at] = position;
}

/* Fills `clash` with what conflicts with `later` and does not cause it. */
static void find_clashes(dpor *d, uint32_t later) {
  const eo_record *revisiting = record_at(d, later);
  const eo_trace *trace = &d->order.trace;
  eo_vec_clear(&d->clash);
  for (uint32_t i = 0; i < revisiting->touches; i++) {
    const eo_touch *touch = &trace->touches.items[revisiting->first_touch + i];
    size_t count = touch->object < trace->objects.count ? trace->objects.items[touch->object].list.count : 0;
    for (size_t j = 0; j < count; j++) {
      const eo_access *access = &trace->objects.items[touch->object].list.items[j];
      if (access->writes || touch->writes) add_clash(d, later, access->by);
    }
  }
  for (uint32_t i = 0; i < revisiting->doomed; i++) {
    uint32_t at = trace->threads.items[trace->doomed.items[revisiting->first_doomed + i]].last;
    for (; at != EO_NO_EVENT; at = record_at(d, at)->previous) add_clash(d, later, at);
  }
  if (d->ghost) add_clash(d, later, d->doomer);
}

/* All tasks in which the last event comes before an earlier one. */
void eo__dpor_revisit(dpor *d) {
  uint32_t later = (uint32_t)d->order.trace.records.count - 1;
  find_clashes(d, later);
  if (d->base.error || (!d->clash.count && d->stands_for != EO_NO_EVENT)) return;
  if (d->clash.count) d->clashed = true;
  uint32_t *clocks = eo__order_scratch(&d->order, (uint32_t)d->clash.count + 3);
  if (!clocks) return;
  if (!d->clash.count && !d->ghost) { /* most often */
    revisit_receives(d, later, EO_NO_EVENT, d->order.trace.cause.items, clocks);
    return;
  }
  eo_clock_copy(clocks, d->order.trace.cause.items, d->order.trace.stride);
  part_clashes(d, later, 0, EO_NO_EVENT, clocks);
}
