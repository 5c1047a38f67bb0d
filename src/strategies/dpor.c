/* dpor.c: one execution of each Mazurkiewicz trace, never two of one, and none that leads nowhere.
 *
 * An execution is seen as a partial order (core/trace.h). A receive chooses its message, so two sends to one mailbox are
 * ordered only by a receive that tells them apart; everything else that processes have in common is an object that
 * events touch. The search is a reverse search, as TruSt (Kokologiannakis et al. 2022) and Must (Enea et al. 2024) are,
 * here for any kind of event, not for reads, writes and receives only:
 *
 *   A task is the first steps of an execution. They are taken, and then the default goes on to the end: the first
 *   process that is not at a receive, else the first at one; the first value, the first message. An execution gives
 *   rise to others in two ways:
 *   - another value or message at a step that has several (`others`);
 *   - a later event w comes before an earlier event e that it does not depend on otherwise (`revisit`): because both
 *     touch an object, or because e is a receive that could take w's message. The new task is what came before e, then
 *     what w needs of the rest, then w, then e's process. All else after e is dropped and will happen again.
 *
 * The same trace could be reached in many ways. It is taken from one parent alone: the one in which everything that is
 * dropped was the default (is_default, and has no reason of its own), so that the parent can be told from the child.
 * Where e had to wait for several events one after the other (its `reasons`), they come in the order of happens-before,
 * then of processes. doc/dpor.md has the argument in full, and tests/integration/test_dpor.c compares with dfs.
 *
 * So nothing has to be remembered but the tasks on the stack: no sleep sets, no wakeup trees. A task is explored by itself
 * and can be given away.
 *
 * Under --delivery mailbox the subject is `late`: a receive may take any message that some order of the sends puts first.
 * That the choices of all receives together allow an order is checked here, with `edges`: what had to be sent before
 * what, or after a receive that timed out. */
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "core/program.h"
#include "core/trace.h"
#include "strategies/fragment.h"
#include "strategies/strategies.h"

typedef struct step {
  uint32_t process : 31;
  uint32_t takes : 1; /* the value is a message's number, or 0 for a timeout */
  uint32_t value;
} step;

#define NOBODY 0x7fffffffu

/* Another choice at a step; of NOBODY: whatever is the default now. */
typedef struct other {
  uint32_t depth;
  step step;
  bool resort; /* it is known to fail */
} other;

/* The event at position `held` waited for the one at `by`, which is before it. */
typedef struct reason {
  uint32_t held, by;
} reason;

#define TO_COME UINT32_MAX /* the next event of the task's `resume`: mostly the one right after what is given */

typedef struct task {
  EO_VEC(step) steps; /* those given, and those chosen after them */
  EO_VEC(other) others;
  EO_VEC(reason) reasons;
  EO_VEC(bool) survived; /* by depth: has some choice of the process whose turn it was there not failed? */
  uint32_t given;
  uint32_t fresh;  /* events from here on have not been looked at for what they could revisit */
  uint32_t branch; /* position of the step by which the execution under way parts from those before it */
  uint32_t resume; /* process that goes on right after the given steps; EO_NO_PROCESS: the default */
  /* Of the last given step, which e's process waited for: what it conflicted with and stays before it (positions), and whom it
   * sent to, in the execution that this came of. Here it may do more. */
  EO_VEC(uint32_t) settled, told;
  uint32_t unsure; /* what is given from here on is there because the last one needs it; EO_NO_EVENT: nothing */
  bool started;
  bool again;       /* the execution under way differs from an earlier one only in which failing step it ends with */
  bool last_resort; /* nothing else was left than the last step, or what is known to fail */
} task;

/* `from` had to come before `to`, since the receive `by` took from's message (or timed out: then it is `from`). */
typedef struct edge {
  uint32_t by, from, to;
} edge;

/* A step that failed: any process that comes to it with the same past will fail there again. */
typedef struct failing {
  uint64_t hash;          /* of the event */
  uint64_t foretold, met; /* core/trace.h */
  uint32_t first_touch, touches;
} failing;

typedef struct dpor {
  eo_strategy base;
  eo_subject *subject;
  eo_delivery delivery;
  bool idle_timeouts;
  eo_trace trace;
  EO_VEC(task *) tasks; /* a stack; the task under way is below those it gave rise to in this execution */
  task *current;
  const eo_foregone *ghost; /* the revisiting event did not happen: its process was doomed */
  uint32_t doomer;          /* position of the event that did that */
  step ghost_step;
  EO_VEC(edge) edges;
  uint32_t tangled;         /* up to this position all edges come of one process, and of receives that take anything */
  EO_VEC(uint32_t) clash;   /* positions: what the revisiting event conflicts with, last first */
  EO_VEC(uint32_t) scratch; /* clocks */
  EO_VEC(uint32_t) moved;   /* by position: where the event is in the task that is being made */
  EO_VEC(failing) failing;
  EO_VEC(eo_touch) failing_touches;
  uint32_t scouts; /* executions in a random order that are still to be run first */
  bool scouting;   /* the one under way is one of them */
  eo_rng scout_rng;
  bool failed; /* the last step of the last execution did */
  bool found;  /* and that is news */
  struct {
    eo_estimate *estimate; /* NULL: this explores */
    uint64_t left, steps_left;
    double error;
    double weight; /* of the descent: how many ways there were at its points */
    bool leaves;   /* for the second task: it came of the one under way */
    eo_rng rng;
  } probe;
  bool bounded, left_over; /* something was left out because of the bound */
  bool beyond;             /* the execution under way is beyond it */
  uint32_t bound;
} dpor;

static const eo_record *record_at(const dpor *d, uint32_t position) { return &d->trace.records.items[position]; }

/* ---- Tasks ------------------------------------------------------------------------------------------------------ */

static void task_free(task *t) {
  if (!t) return;
  eo_vec_release(&t->steps);
  eo_vec_release(&t->others);
  eo_vec_release(&t->reasons);
  eo_vec_release(&t->survived);
  eo_vec_release(&t->settled);
  eo_vec_release(&t->told);
  eo_free(t);
}

static task *task_new(dpor *d) {
  task *t = eo_alloc(sizeof *t);
  if (t && eo_vec_push(&d->tasks, t)) {
    t->resume = EO_NO_PROCESS;
    t->unsure = EO_NO_EVENT;
    return t;
  }
  task_free(t);
  d->base.error = EO_ENOMEM;
  return NULL;
}

/* Moves on to the deepest choice that is left. */
static bool next_other(dpor *d, task *t) {
  if (!t->others.count) return false;
  other next = eo_vec_pop(&t->others);
  t->steps.count = next.depth;
  if (next.step.process != NOBODY && !eo_vec_push(&t->steps, next.step)) {
    d->base.error = EO_ENOMEM;
    return false;
  }
  t->fresh = t->branch = next.depth;
  t->last_resort = t->again = next.resort;
  return true;
}

/* How many first steps the execution that was run last has in common with what is to be run now. */
static uint32_t in_common(const dpor *d, const task *t) {
  uint32_t same = 0;
  size_t most = t->steps.count < d->trace.records.count ? t->steps.count : d->trace.records.count;
  while (same < most && record_at(d, same)->process == t->steps.items[same].process &&
         record_at(d, same)->value == t->steps.items[same].value)
    same++;
  return same;
}

/* The event that what is given was put before is the one at `depth`; or it has not come yet. */
static void set_held(task *t, uint32_t depth) {
  for (size_t i = t->reasons.count; i-- > 0 && t->reasons.items[i].held >= t->given;) t->reasons.items[i].held = depth;
}

static void go_back(dpor *d, uint32_t depth) {
  eo_trace_cut(&d->trace, depth);
  if (d->tangled != EO_NO_EVENT && d->tangled >= depth) d->tangled = EO_NO_EVENT;
  while (d->edges.count && (eo_vec_last(&d->edges).by >= depth || eo_vec_last(&d->edges).to >= depth))
    (void)eo_vec_pop(&d->edges);
}

/* ---- The order of sends to one mailbox -------------------------------------------------------------------------- */

/* Some of the events of the execution: those before `before`, and those in the past that `clock` describes. */
typedef struct part {
  uint32_t before;
  const uint32_t *clock; /* NULL: no others */
} part;

static bool is_in(const dpor *d, const part *p, uint32_t position) {
  return position < p->before || (p->clock && eo_clock_covers(p->clock, record_at(d, position)));
}

/* Room for `levels` clocks; the pointer is valid until the next call. */
static uint32_t *scratch(dpor *d, uint32_t levels) {
  size_t wanted = (size_t)levels * d->trace.stride;
  if (d->scratch.capacity < wanted && !eo_vec_reserve(&d->scratch, wanted)) {
    d->base.error = EO_ENOMEM;
    return NULL;
  }
  return d->scratch.items;
}

/* Extends a clock by what had to be sent before what it has. */
static void close_over(const dpor *d, const part *p, uint32_t *clock) {
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
static bool is_candidate(const dpor *d, const part *p, uint32_t process, uint32_t index, uint32_t nth,
                         const eo_posted *mail) {
  if (!is_in(d, p, mail->by)) return false;
  if (mail->taken != EO_NO_EVENT && record_at(d, mail->taken)->index < index) return false;
  return d->subject->ops->matches(d->subject, process, nth, mail->sent.number);
}

/* Is there, among the candidates other than `mail`, one that must have been delivered before it? `clock` is the past of
 * the event that sent it (of the receive, if mail is NULL: it times out), within the part. */
static bool comes_too_early(dpor *d, const part *p, uint32_t process, uint32_t index, uint32_t nth,
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
    if (is_candidate(d, p, process, index, nth, first)) return true;
  }
  return false;
}

/* May this receive take this message (NULL: time out), given the part? `past` as in comes_too_early. */
static bool can_take(dpor *d, const part *p, uint32_t process, uint32_t index, uint32_t nth, const eo_posted *mail,
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
static bool add_edges(dpor *d) {
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

/* ---- Steps that fail ---------------------------------------------------------------------------------------------- */

/* Is it known that this step, taken now (or, for a choose or receive, whenever), fails? */
static bool fails(const dpor *d, uint32_t process, uint32_t op, uint32_t previous, const eo_posted *mail,
                  uint32_t value) {
  if (!d->failing.count) return false;
  uint64_t foretold =
      eo_trace_foretell(&d->trace, process, op, previous, mail ? mail->by : EO_NO_EVENT, mail ? mail->sent.nth : value);
  for (size_t i = 0; i < d->failing.count; i++) {
    const failing *f = &d->failing.items[i];
    if (f->foretold != foretold) continue;
    if (!f->touches) return true;
    if (eo_trace_meets(&d->trace, foretold, d->failing_touches.items + f->first_touch, f->touches) == f->met)
      return true;
  }
  return false;
}

static uint32_t before_next(const eo_thread *thread) {
  return thread->last != EO_NO_EVENT ? thread->last : thread->spawner;
}

static const eo_posted *mail_of(const dpor *d, const eo_choice *choice) {
  bool takes = choice->kind == EO_CHOICE_TAKE && choice->value;
  return takes ? &d->trace.mails.items[d->trace.mail_of.items[choice->value] - 1] : NULL;
}

static bool choice_fails(const dpor *d, const eo_choice *choice) {
  if (!d->failing.count) return false;
  return fails(d, choice->process, choice->op, before_next(&d->trace.threads.items[choice->process]),
               mail_of(d, choice), choice->value);
}

/* The step at `depth`, which was the last, has failed: remembers it, and sees to it that the rest of the program is
 * explored as well, without it. */
static bool note_failing(dpor *d, uint32_t depth) {
  task *t = d->current;
  eo_record record = *record_at(d, depth);
  failing f = {.hash = record.hash, .first_touch = (uint32_t)d->failing_touches.count};
  for (; f.touches < record.touches; f.touches++)
    if (!eo_vec_push(&d->failing_touches, d->trace.touches.items[record.first_touch + f.touches])) return false;
  const eo_posted *mail = record.source != EO_NO_EVENT ? &d->trace.mails.items[record.mail - 1] : NULL;
  uint32_t previous = record.previous != EO_NO_EVENT ? record.previous : d->trace.threads.items[record.process].spawner;
  f.foretold = eo_trace_foretell(&d->trace, record.process, record.op, previous, record.source,
                                 mail ? mail->sent.nth : record.value);
  go_back(d, depth);
  f.met = eo_trace_meets(&d->trace, f.foretold, d->failing_touches.items + f.first_touch, f.touches);
  if (!eo_vec_push(&d->failing, f)) return false;
  if (depth < t->given || t->survived.items[depth] || t->last_resort) return true;
  if (t->others.count && eo_vec_last(&t->others).depth == depth) return true; /* it has other choices */
  return eo_vec_push(&t->others, ((other){depth, {NOBODY, false, 0}, false}));
}

/* ---- Probing ------------------------------------------------------------------------------------------------------ */

/* The last event, or the end, gave rise to the tasks after the first: the descent goes on, or leaves for one of them. */
static void probe_tasks(dpor *d) {
  uint32_t count = (uint32_t)d->tasks.count - 1;
  if (count == 0) return;
  uint32_t drawn = eo_rng_below(&d->probe.rng, count + 1);
  d->probe.weight *= count + 1.0;
  for (uint32_t i = 1; i <= count; i++)
    if (i != drawn) task_free(d->tasks.items[i]);
  if (drawn) d->tasks.items[1] = d->tasks.items[drawn];
  d->tasks.count = drawn ? 2 : 1;
  d->probe.leaves = d->beyond = drawn > 0;
}

/* The next descent; or the last one goes on from where it left for. */
static bool probe_begin(dpor *d) {
  if (d->probe.leaves) {
    d->probe.leaves = false;
    task_free(d->tasks.items[0]);
    d->tasks.items[0] = d->tasks.items[1];
    d->tasks.count = 1;
    return true;
  }
  if (d->probe.left == 0 || d->probe.steps_left == 0 || eo_estimate_within(d->probe.estimate, d->probe.error))
    return false;
  d->probe.left--;
  d->probe.weight = 1;
  while (d->tasks.count) task_free(eo_vec_pop(&d->tasks));
  return task_new(d) != NULL;
}

/* An execution that was given up, as it is the same as another, counts as none. */
static void probe_end(dpor *d, const eo_outcome *outcome) {
  if (d->probe.leaves) return;
  eo_estimate_note(d->probe.estimate, outcome->end == EO_END_PRUNED ? 0 : d->probe.weight, outcome->depth);
}

static bool dpor_begin(eo_strategy *strategy, uint32_t *shared) {
  dpor *d = (dpor *)strategy;
  if (d->probe.estimate && !probe_begin(d)) return false;
  d->scouting = d->scouts > 0;
  if (d->scouting) {
    d->scouts--;
    d->beyond = d->found = d->failed = false;
    d->current = eo_vec_last(&d->tasks);
    *shared = 0;
    go_back(d, 0);
    return true;
  }
  if (d->failed && !d->probe.estimate && !note_failing(d, (uint32_t)d->trace.records.count - 1))
    strategy->error = EO_ENOMEM;
  d->failed = false;
  while (d->tasks.count && !strategy->error) {
    task *t = d->current = eo_vec_last(&d->tasks);
    if (!t->started || next_other(d, t)) {
      if (!t->started) t->branch = t->given - 1; /* none, of the very first */
      t->started = true;
      d->beyond = d->found = false;
      *shared = in_common(d, t);
      go_back(d, *shared);
      if (t->reasons.count && eo_vec_last(&t->reasons).held >= *shared) set_held(t, TO_COME);
      return true;
    }
    task_free(eo_vec_pop(&d->tasks));
  }
  return false;
}

/* ---- Was it the default? ---------------------------------------------------------------------------------------- */

/* The order in which a receive tries messages: by sender, then as sent; a timeout comes last. */
static bool is_tried_before(const dpor *d, const eo_posted *mail, const eo_record *receive) {
  if (!receive->mail) return true;
  const eo_sent *taken = &d->trace.mails.items[receive->mail - 1].sent;
  if (mail->sent.from == taken->from) return mail->sent.nth < taken->nth;
  return d->subject->ops->before(d->subject, mail->sent.from, taken->from);
}

/* Would this event be as it is if it came by default after all that was before it and what `ps` has? */
static bool is_default(dpor *d, uint32_t position, const uint32_t *ps, uint32_t *room) {
  const eo_record *record = record_at(d, position);
  uint32_t previous =
      record->previous != EO_NO_EVENT ? record->previous : d->trace.threads.items[record->process].spawner;
  if (record->op == EO_OP_CHOOSE) {
    for (uint32_t value = 0; value < record->value; value++)
      if (!fails(d, record->process, record->op, previous, NULL, value)) return false;
    return true;
  }
  if (record->op != EO_OP_RECEIVE) return true;
  part before = {position, ps};
  const eo_thread *thread = &d->trace.threads.items[record->process];
  for (size_t i = 0; i < thread->inbox.count; i++) {
    const eo_posted *mail = &d->trace.mails.items[thread->inbox.items[i]];
    if (record->mail && mail == &d->trace.mails.items[record->mail - 1]) continue;
    if (!is_tried_before(d, mail, record) || fails(d, record->process, record->op, previous, mail, 0)) continue;
    if (!is_candidate(d, &before, record->process, record->index, record->nth, mail)) continue;
    if (can_take(d, &before, record->process, record->index, record->nth, mail, eo_trace_clock(&d->trace, mail->by),
                 room))
      return false;
  }
  return true;
}

/* ---- Revisits --------------------------------------------------------------------------------------------------- */

static bool dooms(const dpor *d, const eo_record *record, uint32_t process) {
  for (uint32_t i = 0; i < record->doomed; i++)
    if (d->trace.doomed.items[record->first_doomed + i] == process) return true;
  return false;
}

/* Do the reasons for the event at `held`, from `base` on, all lie in the past `ps`? But for w. */
static bool reasons_stay(const dpor *d, uint32_t held, uint32_t base, const uint32_t *ps, uint32_t w) {
  const task *t = d->current;
  for (size_t i = 0; i < t->reasons.count; i++) {
    const reason *r = &t->reasons.items[i];
    if (r->held == held && r->by >= base && r->by != w && !eo_clock_covers(ps, record_at(d, r->by))) return false;
  }
  return true;
}

/* Is w the next one in the order of reasons of the event at `held`? */
static bool reasons_in_order(const dpor *d, uint32_t held, const eo_record *w, const uint32_t *ps) {
  const task *t = d->current;
  bool in_order = true;
  for (size_t i = 0; i < t->reasons.count; i++) {
    if (t->reasons.items[i].held != held) continue;
    const eo_record *by = record_at(d, t->reasons.items[i].by);
    if (eo_clock_covers(ps, by) || dooms(d, by, record_at(d, held)->process)) /* what dooms it is always the first */
      in_order = true;
    else if (d->subject->ops->before(d->subject, w->process, by->process))
      in_order = false;
  }
  return in_order;
}

/* May w come before e, with only `ps` of what is after e? */
static bool may_revisit(dpor *d, uint32_t e, uint32_t w, const uint32_t *ps, const eo_posted *mail, uint32_t *room) {
  const eo_record *early = record_at(d, e), *late = record_at(d, w);
  if (!reasons_stay(d, TO_COME, w < d->current->given ? e : 0, ps, w)) return false;
  bool goes_on_waiting = !mail && early->op != EO_OP_RECEIVE && !dooms(d, late, early->process);
  if (!reasons_stay(d, w, e, ps, w)) return false;
  if (goes_on_waiting ? !reasons_in_order(d, e, late, ps) : !reasons_stay(d, e, 0, ps, w)) return false;
  for (uint32_t i = e; i < w; i++) {
    if (eo_clock_covers(ps, record_at(d, i))) continue;
    if (i != e && !reasons_stay(d, i, 0, ps, w)) return false;
    if (!is_default(d, i, ps, room)) return false;
  }
  if (!mail) return true;
  part kept = {e, ps};
  return can_take(d, &kept, early->process, early->index, early->nth, mail, ps, room);
}

/* The event at `position` is the next one of the new task, with its reasons. */
static bool carry_over(dpor *d, const task *from, task *t, uint32_t position) {
  uint32_t here = (uint32_t)t->steps.count;
  d->moved.items[position] = here;
  for (size_t i = 0; i < from->reasons.count; i++) {
    const reason *r = &from->reasons.items[i];
    if (r->held == position && !eo_vec_push(&t->reasons, ((reason){here, d->moved.items[r->by]}))) return false;
  }
  return eo_vec_push(&t->steps,
                     d->ghost && position == d->trace.records.count - 1 ? d->ghost_step : from->steps.items[position]);
}

static bool fill_task(dpor *d, task *t, uint32_t e, uint32_t w, const uint32_t *ps, const eo_posted *mail) {
  const task *from = d->current;
  if (d->moved.capacity <= w && !eo_vec_reserve(&d->moved, (size_t)w + 1)) return false;
  for (uint32_t i = 0; i <= w; i++)
    if ((i < e || i == w || eo_clock_covers(ps, record_at(d, i))) && !carry_over(d, from, t, i)) return false;
  uint32_t after = (uint32_t)t->steps.count;
  const eo_record *early = record_at(d, e);
  if (mail) {
    t->given = t->fresh = after + 1;
    return eo_vec_push(&t->reasons, ((reason){after, after - 1})) &&
           eo_vec_push(&t->steps, ((step){early->process, true, mail->sent.number}));
  }
  t->given = t->fresh = after;
  t->unsure = e;
  t->fresh--;
  for (size_t i = 0; i < d->clash.count; i++) {
    uint32_t position = d->clash.items[i];
    bool stays = position < e || eo_clock_covers(ps, record_at(d, position));
    if (stays && !eo_vec_push(&t->settled, d->moved.items[position])) return false;
  }
  const eo_record *late = record_at(d, w);
  for (uint32_t i = 0; i < late->mails; i++)
    if (!eo_vec_push(&t->told, d->trace.mails.items[late->first_mail + i].sent.to)) return false;
  t->resume = early->process;
  if (!dooms(d, record_at(d, w), early->process) && early->op != EO_OP_RECEIVE)
    for (size_t i = 0; i < from->reasons.count; i++)
      if (from->reasons.items[i].held == e &&
          !eo_vec_push(&t->reasons, ((reason){TO_COME, d->moved.items[from->reasons.items[i].by]})))
        return false;
  return eo_vec_push(&t->reasons, ((reason){TO_COME, after - 1}));
}

/* Makes the task in which w comes before e: a receive that then takes w's `mail`, or (NULL) an event that conflicts. */
static void revisit(dpor *d, uint32_t e, uint32_t w, const uint32_t *ps, const eo_posted *mail, uint32_t *room) {
  if (!may_revisit(d, e, w, ps, mail, room)) return;
  task *t = task_new(d);
  if (t && !fill_task(d, t, e, w, ps, mail)) d->base.error = EO_ENOMEM;
}

static bool has(const uint32_t *items, size_t count, uint32_t wanted) {
  for (size_t i = 0; i < count; i++)
    if (items[i] == wanted) return true;
  return false;
}

/* Receives that could take what w sends. Nothing that is removed may be before them. If w was given, and nothing is removed, only
 * its new messages count. */
static void revisit_receives(dpor *d, uint32_t w, uint32_t first_removed, const uint32_t *ps, uint32_t *room) {
  const task *t = d->current;
  bool all = w >= t->given || first_removed != EO_NO_EVENT;
  for (uint32_t i = 0; i < record_at(d, w)->mails; i++) {
    const eo_posted *mail = &d->trace.mails.items[record_at(d, w)->first_mail + i];
    if (!all && has(t->told.items, t->told.count, mail->sent.to)) continue;
    uint32_t at = d->trace.threads.items[mail->sent.to].last;
    for (; at != EO_NO_EVENT && !eo_clock_covers(ps, record_at(d, at)); at = record_at(d, at)->previous) {
      const eo_record *receive = record_at(d, at);
      if (receive->op == EO_OP_RECEIVE && at < first_removed && at != w &&
          d->subject->ops->matches(d->subject, receive->process, receive->nth, mail->sent.number))
        revisit(d, at, w, ps, mail, room);
    }
  }
}

/* Goes through all ways to part the events that clash with w, from the last to the first, into those that stay before w
 * and those that are removed: whatever an event that stays depends on stays. ps: past of w and of those that stay. */
static void part_clashes(dpor *d, uint32_t w, size_t level, uint32_t first_removed, uint32_t *ps) {
  uint32_t stride = d->trace.stride, *next = ps + stride;
  if (level == d->clash.count) {
    if (d->ghost && eo_clock_covers(ps, record_at(d, d->doomer))) return;
    if (first_removed != EO_NO_EVENT) revisit(d, first_removed, w, ps, NULL, next);
    revisit_receives(d, w, first_removed, ps, next);
    return;
  }
  uint32_t position = d->clash.items[level];
  eo_clock_copy(next, ps, stride);
  eo_clock_join(next, eo_trace_clock(&d->trace, position), stride);
  part_clashes(d, w, level + 1, first_removed, next);
  if (eo_clock_covers(ps, record_at(d, position))) return;
  eo_clock_copy(next, ps, stride);
  part_clashes(d, w, level + 1, position, next);
}

/* One more event that clashes with w, last first; each once. */
static bool add_clash(dpor *d, uint32_t w, uint32_t position) {
  const eo_record *late = record_at(d, w), *early = record_at(d, position);
  if (position == w || early->process == late->process || eo_clock_covers(d->trace.cause.items, early)) return true;
  size_t at = d->clash.count;
  while (at > 0 && d->clash.items[at - 1] < position) at--;
  if (at > 0 && d->clash.items[at - 1] == position) return true;
  if (!eo_vec_reserve(&d->clash, 1)) return false;
  memmove(d->clash.items + at + 1, d->clash.items + at, (d->clash.count - at) * sizeof *d->clash.items);
  d->clash.items[at] = position;
  d->clash.count++;
  return true;
}

/* Fills `clash` with what conflicts with w and does not cause it. */
static bool find_clashes(dpor *d, uint32_t w) {
  const eo_record *late = record_at(d, w);
  const eo_trace *trace = &d->trace;
  bool good = true;
  eo_vec_clear(&d->clash);
  for (uint32_t i = 0; i < late->touches && good; i++) {
    const eo_touch *touch = &trace->touches.items[late->first_touch + i];
    size_t count = touch->object < trace->objects.count ? trace->objects.items[touch->object].list.count : 0;
    for (size_t j = 0; j < count && good; j++) {
      const eo_access *access = &trace->objects.items[touch->object].list.items[j];
      if (access->writes || touch->writes) good = add_clash(d, w, access->by);
    }
  }
  for (uint32_t i = 0; i < late->doomed && good; i++) {
    uint32_t at = trace->threads.items[trace->doomed.items[late->first_doomed + i]].last;
    for (; at != EO_NO_EVENT && good; at = record_at(d, at)->previous) good = add_clash(d, w, at);
  }
  return good && (!d->ghost || add_clash(d, w, d->doomer));
}

/* The last event was given. What it conflicted with before it was put here has been considered: that stays. */
static void leave_settled(dpor *d, uint32_t *ps) {
  const task *t = d->current;
  size_t kept = 0;
  for (size_t i = 0; i < d->clash.count; i++) {
    uint32_t position = d->clash.items[i];
    if (has(t->settled.items, t->settled.count, position))
      eo_clock_join(ps, eo_trace_clock(&d->trace, position), d->trace.stride);
    else
      d->clash.items[kept++] = position;
  }
  d->clash.count = kept;
}

/* All tasks in which the last event comes before an earlier one. */
static void revisit_by_last(dpor *d) {
  uint32_t w = (uint32_t)d->trace.records.count - 1;
  if (!find_clashes(d, w)) {
    d->base.error = EO_ENOMEM;
    return;
  }
  uint32_t *clocks = scratch(d, (uint32_t)d->clash.count + 2);
  if (!clocks) return;
  eo_clock_copy(clocks, d->trace.cause.items, d->trace.stride);
  if (w < d->current->given) leave_settled(d, clocks);
  part_clashes(d, w, 0, EO_NO_EVENT, clocks);
}

/* ---- What a doomed process did not do ----------------------------------------------------------------------------- */

/* Lets it do that after all, before it was doomed: as if it were one more event at the end, which took this message (NULL:
 * none) or has this value. */
static bool revisit_by_ghost(dpor *d, uint32_t process, const eo_posted *mail, uint32_t value) {
  eo_trace *trace = &d->trace;
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
  if (trace->idle != EO_NO_EVENT) first = trace->idle > first ? trace->idle : first;
  if (!eo_vec_reserve(&trace->touches, record.touches + 1)) return false;
  uint32_t *cause = trace->cause.items;
  memcpy(cause, eo_trace_clock(trace, first), trace->stride * sizeof *cause);
  if (mail) eo_clock_join(cause, eo_trace_clock(trace, mail->by), trace->stride);
  if (eo_clock_covers(cause, record_at(d, d->doomer))) return true;
  uint32_t *room = scratch(d, 1);
  if (!room) return false;
  if (d->ghost->op == EO_OP_RECEIVE) {
    part all = {0, cause};
    if (!can_take(d, &all, process, record.index, record.nth, mail, cause, room)) return true;
  }
  d->ghost_step = (step){process, d->ghost->op == EO_OP_RECEIVE, mail ? mail->sent.number : value};
  for (uint32_t i = 0; i < record.touches; i++) trace->touches.items[trace->touches.count++] = d->ghost->touches[i];
  bool good = eo_vec_push(&trace->records, record);
  if (good) revisit_by_last(d);
  if (good) (void)eo_vec_pop(&trace->records);
  trace->touches.count = record.first_touch;
  return good;
}

static bool revisit_by_ghosts(dpor *d) {
  eo_trace *trace = &d->trace;
  bool good = true;
  for (uint32_t process = 0; process < trace->threads.count && trace->doomed.count && good; process++) {
    const eo_thread *thread = &trace->threads.items[process];
    if (thread->doomer == EO_NO_EVENT) continue;
    d->ghost = d->subject->ops->foregone(d->subject, process);
    if (!d->ghost) continue; /* it had ended, or was at its exit anyway */
    d->doomer = thread->doomer;
    uint32_t own = thread->last != EO_NO_EVENT && thread->last > d->doomer ? thread->last : EO_NO_EVENT;
    uint32_t index = own != EO_NO_EVENT ? record_at(d, own)->index : thread->events;
    part all = {(uint32_t)trace->records.count, NULL};
    if (d->ghost->op == EO_OP_RECEIVE) {
      for (size_t j = 0; j < thread->inbox.count && good; j++) {
        const eo_posted *mail = &trace->mails.items[thread->inbox.items[j]];
        if (is_candidate(d, &all, process, index, thread->receives, mail)) good = revisit_by_ghost(d, process, mail, 0);
      }
      if (good && d->ghost->timed && !d->idle_timeouts) good = revisit_by_ghost(d, process, NULL, 0);
    } else {
      for (uint32_t value = 0; value < d->ghost->choices && good; value++)
        good = revisit_by_ghost(d, process, NULL, value);
    }
  }
  d->ghost = NULL;
  return good;
}

/* What an event touches can depend on what came before it, and that has changed. Did the events that were kept for the
 * revisiting one happen before it, and all that the held one waited for before that? If not, this is the same as another
 * task. */
static bool proves_right(const dpor *d, uint32_t depth) {
  const task *t = d->current;
  const uint32_t *clock = eo_trace_clock(&d->trace, depth);
  if (t->unsure == EO_NO_EVENT) return true;
  for (size_t i = t->reasons.count; i-- > 0 && t->reasons.items[i].held == depth && depth >= t->given;)
    if (!eo_clock_covers(clock, record_at(d, t->reasons.items[i].by))) return false;
  if (depth + 1 != t->given) return true;
  for (uint32_t i = t->unsure; i < depth; i++)
    if (!eo_clock_covers(clock, record_at(d, i))) return false;
  return true;
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
static uint32_t preemptions(dpor *d) {
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

/* ---- One execution ---------------------------------------------------------------------------------------------- */

static step step_of(const eo_choice *choice) {
  return (step){choice->process, choice->kind == EO_CHOICE_TAKE, choice->value};
}

static uint32_t find(const eo_point *point, step wanted) {
  for (uint32_t i = 0; i < point->count; i++)
    if (point->choices[i].process == wanted.process && point->choices[i].value == wanted.value) return i;
  return EO_PRUNE; /* not deterministic; the engine says so */
}

/* The edges so far come of receives of this process alone, each of which would have taken any message. Then they lead from
 * what was received to what was not, and no two of the latter are ordered but by what happened before their sending. */
static bool is_simple(const dpor *d, uint32_t process) {
  return d->tangled == EO_NO_EVENT && (!d->edges.count || record_at(d, d->edges.items[0].by)->process == process);
}

/* `choices`: all `count` of the process. */
static bool is_allowed(dpor *d, const eo_point *point, const eo_choice *choice, const eo_choice *choices,
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
  uint32_t *room = scratch(d, 2);
  if (!room) return false;
  const eo_thread *thread = &d->trace.threads.items[choice->process];
  const eo_posted *mail = mail_of(d, choice);
  uint32_t past = mail ? mail->by : before_next(thread);
  part all = {point->depth, NULL};
  return can_take(d, &all, choice->process, thread->events, thread->receives, mail, eo_trace_clock(&d->trace, past),
                  room);
}

/* Can the process whose `count` choices these are go on without failing, as far as is known? */
static bool can_go_on(dpor *d, const eo_point *point, const eo_choice *choices, uint32_t count) {
  if (!d->failing.count) return true;
  for (uint32_t i = 0; i < count; i++)
    if (!choice_fails(d, &choices[i]) && is_allowed(d, point, &choices[i], choices, count)) return true;
  return false;
}

static uint32_t choices_of(const eo_point *point, uint32_t first) {
  uint32_t count = 1;
  while (first + count < point->count && point->choices[first + count].process == point->choices[first].process)
    count++;
  return count;
}

/* The process that goes on: its first choice, and how many it has. Those that can only fail come last. 0 choices: all can. */
static uint32_t whose_turn(dpor *d, const eo_point *point, uint32_t *count) {
  const task *t = d->current;
  const eo_choice *all = point->choices;
  if (d->idle_timeouts && (all->op == EO_OP_SLEEP || (all->op == EO_OP_RECEIVE && all->value == 0))) {
    *count = point->count; /* nothing else can happen: each comes after all before it, so each is a case of its own */
    return 0;
  }
  bool resume = t->resume != EO_NO_PROCESS && point->depth == t->given;
  for (uint32_t first = 0; first < point->count && resume; first += *count) {
    *count = choices_of(point, first);
    if (all[first].process == t->resume && can_go_on(d, point, &all[first], *count)) return first;
  } /* else it can only fail: the others first */
  uint32_t receive = EO_PRUNE, receives = 0;
  for (uint32_t first = 0; first < point->count; first += *count) {
    *count = choices_of(point, first);
    bool waits = all[first].op == EO_OP_RECEIVE;
    if ((waits && receive != EO_PRUNE) || !can_go_on(d, point, &all[first], *count)) continue;
    if (!waits) return first;
    receive = first;
    receives = *count;
  }
  *count = receives;
  return receive != EO_PRUNE ? receive : 0;
}

/* Nothing is left but what is known to fail: one of that now, the others later. */
static uint32_t last_resorts(dpor *d, const eo_point *point) {
  uint32_t chosen = EO_PRUNE;
  for (uint32_t first = 0, count; first < point->count; first += count) {
    count = choices_of(point, first);
    for (uint32_t i = first; i < first + count; i++) {
      if (!is_allowed(d, point, &point->choices[i], &point->choices[first], count)) continue;
      other later = {point->depth, step_of(&point->choices[i]), true};
      if (chosen == EO_PRUNE)
        chosen = i;
      else if (!eo_vec_push(&d->current->others, later))
        d->base.error = EO_ENOMEM;
    }
  }
  return chosen;
}

static bool remember_step(task *t, uint32_t depth, step chosen) {
  while (t->survived.count <= depth)
    if (!eo_vec_push(&t->survived, false)) return false;
  t->survived.items[depth] = false;
  return eo_vec_push(&t->steps, chosen);
}

static uint32_t probe_choose(dpor *d, const eo_point *point, uint32_t first, uint32_t count) {
  uint32_t allowed = 0, chosen = EO_PRUNE;
  d->probe.steps_left -= d->probe.steps_left > 0;
  for (uint32_t i = first; i < first + count; i++)
    if (is_allowed(d, point, &point->choices[i], &point->choices[first], count) &&
        eo_rng_below(&d->probe.rng, ++allowed) == 0)
      chosen = i;
  if (chosen == EO_PRUNE) return EO_PRUNE;
  d->probe.weight *= allowed;
  if (!remember_step(d->current, point->depth, step_of(&point->choices[chosen]))) d->base.error = EO_ENOMEM;
  return d->base.error ? EO_PRUNE : chosen;
}

/* Memory that processes share without saying so shows where one uses it after another has written it, which may be in an
 * order that is not explored, as no event tells of it. So a few random orders come first. */
enum { SCOUTS = 8 };

static uint32_t scout(dpor *d, const eo_point *point) {
  uint32_t drawn = eo_rng_below(&d->scout_rng, point->count), first = drawn;
  if (d->delivery != EO_DELIVERY_MAILBOX || point->choices[drawn].kind != EO_CHOICE_TAKE) return drawn;
  while (first > 0 && point->choices[first - 1].process == point->choices[drawn].process) first--;
  uint32_t count = choices_of(point, first), oldest = first;
  for (uint32_t i = first; i < first + count;
       i++) { /* the order of the sends is the one that it was: nothing to find */
    const eo_posted *mail = mail_of(d, &point->choices[i]), *than = mail_of(d, &point->choices[oldest]);
    if (mail && (!than || mail->by < than->by)) oldest = i;
  }
  return oldest;
}

static uint32_t dpor_choose(eo_strategy *strategy, const eo_point *point) {
  dpor *d = (dpor *)strategy;
  task *t = d->current;
  if (d->scouting) return scout(d, point);
  if (d->beyond) return EO_PRUNE;
  if (point->depth < t->steps.count) return find(point, t->steps.items[point->depth]);
  uint32_t count, first = whose_turn(d, point, &count), chosen = EO_PRUNE;
  t->last_resort = point->count == 1;
  if (d->probe.estimate) return probe_choose(d, point, first, count);
  for (uint32_t i = first + count; i-- > first;) {
    if (choice_fails(d, &point->choices[i]) || !is_allowed(d, point, &point->choices[i], &point->choices[first], count))
      continue;
    if (chosen != EO_PRUNE) {
      other later = {point->depth, step_of(&point->choices[chosen]), false};
      if (!eo_vec_push(&t->others, later)) strategy->error = EO_ENOMEM;
    }
    chosen = i;
  }
  if (chosen == EO_PRUNE && d->failing.count) {
    t->last_resort = true; /* all that is left is known to fail: each shows how it fails when all else is done */
    chosen = last_resorts(d, point);
  }
  if (chosen == EO_PRUNE || strategy->error) return EO_PRUNE;
  if (!remember_step(t, point->depth, step_of(&point->choices[chosen]))) strategy->error = EO_ENOMEM;
  return strategy->error ? EO_PRUNE : chosen;
}

static void dpor_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  dpor *d = (dpor *)strategy;
  if (!eo_trace_add(&d->trace, taken, event) || (d->delivery == EO_DELIVERY_MAILBOX && !add_edges(d))) {
    strategy->error = EO_ENOMEM;
    return;
  }
  if (d->scouting) return;
  const eo_record *last = record_at(d, depth);
  if (depth < d->current->survived.count && !(event->flags & EO_EVENT_FAILED)) d->current->survived.items[depth] = true;
  task *t = d->current;
  if (taken.process == t->resume && depth >= t->given && t->reasons.count && eo_vec_last(&t->reasons).held == TO_COME)
    set_held(t, depth);
  if (!proves_right(d, depth)) d->beyond = true; /* and nothing comes of it */
  if (d->bounded && depth == d->current->branch && preemptions(d) > d->bound) d->beyond = d->left_over = true;
  /* A step that fails for the first time will come again as the last resort, unless it was given. */
  d->found =
      event->flags & EO_EVENT_FAILED && !d->probe.estimate && !d->current->last_resort && depth >= d->current->given;
  if (depth < d->current->fresh || d->found || !(last->mails || last->touches || last->doomed)) return;
  if (!d->beyond) revisit_by_last(d);
  if (d->probe.estimate) probe_tasks(d);
}

/* Has the last step failed, as it did once before with the same past? */
static bool failed_before(const dpor *d) {
  size_t steps = d->trace.records.count;
  if (!steps || !(record_at(d, (uint32_t)steps - 1)->flags & EO_EVENT_FAILED)) return false;
  for (size_t i = 0; i < d->failing.count; i++)
    if (d->failing.items[i].hash == record_at(d, (uint32_t)steps - 1)->hash) return true;
  return false;
}

static void dpor_end(eo_strategy *strategy, eo_outcome *outcome) {
  dpor *d = (dpor *)strategy;
  if (d->probe.estimate) outcome->counted = false;
  if (d->scouting) {
    outcome->counted = outcome->failure &&
                       (outcome->failure->kind == EO_KIND_SHARING || outcome->failure->kind == EO_KIND_NONDETERMINISM);
    return;
  }
  size_t steps = d->trace.records.count;
  bool given_up = outcome->end == EO_END_PRUNED || d->beyond; /* also if that was the last step */
  if (!given_up && !d->found && !d->current->again && !revisit_by_ghosts(d)) strategy->error = EO_ENOMEM;
  if ((given_up && !d->probe.leaves) || (!d->probe.estimate && failed_before(d))) {
    outcome->end = EO_END_PRUNED;
    outcome->failure = NULL;
  }
  if (d->probe.estimate) {
    if (!d->probe.leaves) probe_tasks(d);
    probe_end(d, outcome);
  }
  /* Also a step that was found before, but was not foreseen here: it has still to be explored without. */
  bool fails = outcome->end == EO_END_FAILED || (d->found && !given_up);
  d->failed = fails && steps && record_at(d, (uint32_t)steps - 1)->flags & EO_EVENT_FAILED;
}

static bool dpor_plain(eo_strategy *strategy, eo_schedule *out) {
  dpor *d = (dpor *)strategy;
  uint32_t *done = eo_alloc((d->trace.threads.count + 1) * sizeof *done), process = EO_NO_PROCESS;
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
    out->items[out->count++] = (eo_choice){.process = record->process,
                                           .value = takes || record->op == EO_OP_CHOOSE ? record->value : 0,
                                           .op = record->op,
                                           .kind = takes ? EO_CHOICE_TAKE : EO_CHOICE_RUN};
    process = record->process;
    done[process]++;
  }
  eo_free(done);
  return true;
}

/* ---- Fragments ---------------------------------------------------------------------------------------------------- */

/* Tasks, as they are; but processes by name, and messages by sender and number, so that another process can read them. */

static bool write_process(const dpor *d, eo_bytes *out, uint32_t process) {
  char name[EO_PROCESS_NAME];
  d->subject->ops->process_name(d->subject, process, name, sizeof name);
  size_t length = strlen(name);
  return eo__fragment_number(out, length) && eo__fragment_raw(out, name, length);
}

static uint32_t read_process(const dpor *d, eo_fragment_reader *reader) {
  char name[EO_PROCESS_NAME] = "";
  size_t length = eo__fragment_read(reader, sizeof name - 1);
  eo__fragment_read_raw(reader, name, length);
  uint32_t process = reader->bad ? EO_NO_PROCESS : d->subject->ops->process(d->subject, name);
  if (process >= NOBODY) reader->bad = true;
  return reader->bad ? 0 : process;
}

/* The table of all processes that the tasks name. */
typedef EO_VEC(uint32_t) processes;

static uint32_t index_in(processes *table, uint32_t process) {
  uint32_t i = 0;
  while (i < table->count && table->items[i] != process) i++;
  return i == table->count && !eo_vec_push(table, process) ? UINT32_MAX : i;
}

static bool write_step(const dpor *d, eo_bytes *out, processes *table, step s, bool survived) {
  if (s.process == NOBODY) return eo__fragment_number(out, 0);
  bool message = s.takes && s.value;
  eo_sent sent = message ? d->subject->ops->sent(d->subject, s.value) : (eo_sent){0};
  uint32_t process = index_in(table, s.process), from = message ? index_in(table, sent.from) : 0;
  if (process == UINT32_MAX || from == UINT32_MAX) return false;
  if (!eo__fragment_number(out, ((uint64_t)process + 1) * 8 + survived * 4 + s.takes * 2 + message)) return false;
  if (message) return eo__fragment_number(out, from) && eo__fragment_number(out, sent.nth);
  return s.takes || eo__fragment_number(out, s.value);
}

static uint32_t read_index(eo_fragment_reader *reader, const processes *table) {
  uint64_t index = eo__fragment_read(reader, UINT32_MAX);
  if (index >= table->count) reader->bad = true;
  return reader->bad ? 0 : table->items[index];
}

static step read_step(const dpor *d, eo_fragment_reader *reader, const processes *table, bool *survived) {
  uint64_t head = eo__fragment_read(reader, UINT64_MAX);
  *survived = head >> 2 & 1;
  if (head < 8) return (step){NOBODY, false, 0};
  step s = {.takes = head >> 1 & 1};
  if (head / 8 > table->count) reader->bad = true;
  s.process = reader->bad ? 0 : table->items[head / 8 - 1];
  if (head & 1) {
    uint32_t from = read_index(reader, table), nth = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
    s.value = reader->bad || nth == 0 ? 0 : d->subject->ops->message(d->subject, from, nth);
    if (s.value == 0) reader->bad = true;
  } else if (!s.takes) {
    s.value = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
  }
  return s;
}

static bool write_task(const dpor *d, eo_bytes *out, processes *table, const task *t) {
  uint32_t resume = t->resume == EO_NO_PROCESS ? 0 : index_in(table, t->resume) + 1;
  bool alive =
      t->steps.count < t->survived.count && t->survived.items[t->steps.count]; /* of the step that comes next */
  bool good = eo__fragment_number(out, t->started + 2u * alive) && eo__fragment_number(out, t->given) &&
              eo__fragment_number(out, t->fresh) && eo__fragment_number(out, resume) &&
              eo__fragment_number(out, t->unsure == EO_NO_EVENT ? 0 : (uint64_t)t->unsure + 1) &&
              eo__fragment_number(out, t->steps.count) && eo__fragment_number(out, t->others.count) &&
              eo__fragment_number(out, t->reasons.count) && eo__fragment_number(out, t->settled.count) &&
              eo__fragment_number(out, t->told.count);
  for (size_t i = 0; i < t->steps.count && good; i++)
    good = write_step(d, out, table, t->steps.items[i], i < t->survived.count && t->survived.items[i]);
  for (size_t i = 0; i < t->others.count && good; i++) {
    const other *o = &t->others.items[i];
    good = eo__fragment_number(out, (uint64_t)o->depth * 2 + o->resort) && write_step(d, out, table, o->step, false);
  }
  for (size_t i = 0; i < t->reasons.count && good; i++)
    good = eo__fragment_number(out, t->reasons.items[i].held < t->given ? t->reasons.items[i].held : t->given) &&
           eo__fragment_number(out, t->reasons.items[i].by);
  for (size_t i = 0; i < t->settled.count && good; i++) good = eo__fragment_number(out, t->settled.items[i]);
  for (size_t i = 0; i < t->told.count && good; i++) good = eo__fragment_number(out, index_in(table, t->told.items[i]));
  return good;
}

static bool read_task(dpor *d, eo_fragment_reader *reader, const processes *table) {
  size_t most = (size_t)(reader->end - reader->at);
  task *t = task_new(d);
  if (!t) return false;
  unsigned flags = (unsigned)eo__fragment_read(reader, 3);
  t->started = flags & 1;
  t->given = (uint32_t)eo__fragment_read(reader, UINT32_MAX - 1);
  t->fresh = (uint32_t)eo__fragment_read(reader, UINT32_MAX - 1);
  uint64_t resume = eo__fragment_read(reader, table->count), unsure = eo__fragment_read(reader, UINT32_MAX - 1);
  if (resume && !reader->bad) t->resume = table->items[resume - 1];
  if (unsure) t->unsure = (uint32_t)unsure - 1;
  size_t steps = eo__fragment_read(reader, most), others = eo__fragment_read(reader, most);
  size_t reasons = eo__fragment_read(reader, most), settled = eo__fragment_read(reader, most);
  size_t told = eo__fragment_read(reader, most);
  bool survived;
  for (size_t i = 0; i < steps && !reader->bad; i++)
    if (!eo_vec_push(&t->steps, read_step(d, reader, table, &survived)) || !eo_vec_push(&t->survived, survived))
      return false;
  if (!eo_vec_push(&t->survived, flags >> 1)) return false;
  for (size_t i = 0; i < others && !reader->bad; i++) {
    uint64_t depth = eo__fragment_read(reader, (uint64_t)steps * 2 + 1);
    other o = {(uint32_t)(depth / 2), read_step(d, reader, table, &survived), depth & 1};
    if (!eo_vec_push(&t->others, o)) return false;
  }
  for (size_t i = 0; i < reasons && !reader->bad; i++) {
    reason r = {.held = (uint32_t)eo__fragment_read(reader, t->given),
                .by = (uint32_t)eo__fragment_read(reader, t->given)};
    if (r.by >= r.held) reader->bad = true;
    if (r.held == t->given) r.held = TO_COME;
    if (!eo_vec_push(&t->reasons, r)) return false;
  }
  for (size_t i = 0; i < settled && !reader->bad; i++)
    if (!eo_vec_push(&t->settled, (uint32_t)eo__fragment_read(reader, t->given))) return false;
  for (size_t i = 0; i < told && !reader->bad; i++)
    if (!eo_vec_push(&t->told, read_index(reader, table))) return false;
  if (t->given > steps) reader->bad = true;
  return true;
}

/* Steps that failed: whoever explores on must not take them for new. */
static bool write_failing(const dpor *d, eo_bytes *out) {
  bool good = eo__fragment_number(out, d->failing.count);
  for (size_t i = 0; i < d->failing.count && good; i++) {
    const failing *f = &d->failing.items[i];
    uint64_t hashes[3] = {f->hash, f->foretold, f->met};
    good = eo__fragment_raw(out, hashes, sizeof hashes) && eo__fragment_number(out, f->touches);
    for (uint32_t j = 0; j < f->touches && good; j++) {
      char name[EO_OBJECT_TEXT];
      const eo_touch *touch = &d->failing_touches.items[f->first_touch + j];
      d->subject->ops->object_name(d->subject, touch->object, name, sizeof name);
      good = eo__fragment_number(out, strlen(name) * 2 + touch->writes) && eo__fragment_raw(out, name, strlen(name));
    }
  }
  return good;
}

static bool read_failing(dpor *d, eo_fragment_reader *reader) {
  size_t most = (size_t)(reader->end - reader->at);
  for (size_t count = eo__fragment_read(reader, most); count > 0 && !reader->bad; count--) {
    uint64_t hashes[3];
    eo__fragment_read_raw(reader, hashes, sizeof hashes);
    failing f = {hashes[0], hashes[1], hashes[2], (uint32_t)d->failing_touches.count, 0};
    for (size_t touches = eo__fragment_read(reader, most); touches > 0 && !reader->bad; touches--) {
      char name[EO_OBJECT_TEXT] = "";
      uint64_t head = eo__fragment_read(reader, sizeof name * 2 - 2);
      eo__fragment_read_raw(reader, name, head / 2);
      uint32_t object = reader->bad ? UINT32_MAX : d->subject->ops->object(d->subject, name);
      if (object == UINT32_MAX) reader->bad = true;
      if (!reader->bad && !eo_trace_know_object(&d->trace, object)) return false;
      if (!eo_vec_push(&d->failing_touches, ((eo_touch){object, head & 1}))) return false;
      f.touches++;
    }
    if (!eo_vec_push(&d->failing, f)) return false;
  }
  return true;
}

/* The table comes first, and is known last. */
static bool write_tasks(const dpor *d, task *const *tasks, size_t count, eo_bytes *out) {
  eo_bytes body = {0};
  processes table = {0};
  bool good = true;
  for (size_t i = 0; i < count && good; i++) good = write_task(d, &body, &table, tasks[i]);
  good = good && eo__fragment_begin(out, 'o') && eo__fragment_number(out, table.count);
  for (size_t i = 0; i < table.count && good; i++) good = write_process(d, out, table.items[i]);
  good = good && write_failing(d, out) && eo__fragment_number(out, d->left_over) && eo__fragment_number(out, count) &&
         eo__fragment_raw(out, body.items, body.count) && eo__fragment_end(out);
  eo_vec_release(&body);
  eo_vec_release(&table);
  return good;
}

/* Lets go of tasks that have nothing left, and of steps that will not be taken again. */
static void tidy(dpor *d) {
  size_t kept = 0;
  if (d->failed && !note_failing(d, (uint32_t)d->trace.records.count - 1)) d->base.error = EO_ENOMEM;
  d->failed = false;
  for (size_t i = 0; i < d->tasks.count; i++) {
    task *t = d->tasks.items[i];
    if (t->started && !t->others.count) {
      task_free(t);
      continue;
    }
    if (t->started) t->steps.count = eo_vec_last(&t->others).depth;
    d->tasks.items[kept++] = t;
  }
  d->tasks.count = kept;
}

static bool dpor_save(eo_strategy *strategy, eo_bytes *out) {
  dpor *d = (dpor *)strategy;
  tidy(d);
  return write_tasks(d, d->tasks.items, d->tasks.count, out);
}

static int dpor_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  dpor *d = (dpor *)strategy;
  eo_fragment_reader reader;
  processes table = {0};
  int code = eo__fragment_open(&reader, bytes, size, 'o', error);
  if (code != EO_OK) return code;
  bool good = true;
  d->scouts = 0;
  while (d->tasks.count) task_free(eo_vec_pop(&d->tasks));
  for (uint64_t count = eo__fragment_read(&reader, size); count > 0 && good && !reader.bad; count--)
    good = eo_vec_push(&table, read_process(d, &reader));
  good = good && read_failing(d, &reader);
  d->left_over = eo__fragment_read(&reader, 1);
  for (uint64_t count = eo__fragment_read(&reader, size); count > 0 && good && !reader.bad; count--)
    good = read_task(d, &reader, &table);
  eo_vec_release(&table);
  if (!good) return eo_error_nomem(error);
  return reader.bad || reader.at != reader.end ? eo__fragment_refuse(error) : EO_OK;
}

/* Of a task that has begun: the later half of the choices that are left at its first step that has any. */
static bool split_task(dpor *d, task *t, eo_bytes *out) {
  size_t count = 0, left = t->others.count;
  while (count < left && t->others.items[count].depth == t->others.items[0].depth) count++;
  size_t give = count == left ? count / 2 : (count + 1) / 2;
  if (give == 0) return false;
  task given = *t, *one = &given;
  given.steps.count = t->others.items[0].depth;
  given.others.count = give;
  if (!write_tasks(d, &one, 1, out)) {
    d->base.error = EO_ENOMEM;
    return false;
  }
  memmove(t->others.items, t->others.items + give, (left - give) * sizeof *t->others.items);
  t->others.count -= give;
  return true;
}

/* The oldest tasks are the largest. */
static bool dpor_split(eo_strategy *strategy, eo_bytes *out) {
  dpor *d = (dpor *)strategy;
  tidy(d);
  for (size_t i = 0; i < d->tasks.count; i++) {
    task *t = d->tasks.items[i];
    if (t->started) {
      if (split_task(d, t, out)) return true;
      if (d->tasks.count == 1 || d->base.error) return false;
    } else if (d->tasks.count == 1) {
      return false;
    }
    if (!write_tasks(d, &t, 1, out)) {
      d->base.error = EO_ENOMEM;
      return false;
    }
    memmove(d->tasks.items + i, d->tasks.items + i + 1, (d->tasks.count - i - 1) * sizeof *d->tasks.items);
    d->tasks.count--;
    task_free(t);
    return true;
  }
  return false;
}

static eo_coverage dpor_coverage(eo_strategy *strategy, eo_text *words) {
  const dpor *d = (const dpor *)strategy;
  if (d->left_over) {
    eo_text_add(
        words,
        "of the interleavings that can be told apart, those reached by at most %u preemption%s; not all of those",
        d->bound, d->bound == 1 ? "" : "s");
    return EO_COVERS_BOUND;
  }
  eo_text_add(words, "one interleaving of each that can be told apart");
  bool shares = d->subject->ops->shares(d->subject);
  if (shares) eo_text_add(words, " but for what processes do with memory that they share");
  return shares ? EO_COVERS_BOUND : EO_COVERS_ALL;
}

static uint64_t dpor_pending(eo_strategy *strategy) {
  const dpor *d = (const dpor *)strategy;
  uint64_t pending = 0;
  for (size_t i = 0; i < d->tasks.count; i++) pending += d->tasks.items[i]->others.count + !d->tasks.items[i]->started;
  return pending;
}

static double dpor_share(eo_strategy *strategy) {
  (void)strategy;
  return -1;
}

static void dpor_close(eo_strategy *strategy) {
  dpor *d = (dpor *)strategy;
  for (size_t i = 0; i < d->tasks.count; i++) task_free(d->tasks.items[i]);
  eo_vec_release(&d->tasks);
  eo_vec_release(&d->edges);
  eo_vec_release(&d->clash);
  eo_vec_release(&d->scratch);
  eo_vec_release(&d->moved);
  eo_vec_release(&d->failing);
  eo_vec_release(&d->failing_touches);
  eo_trace_release(&d->trace);
  eo_free(d);
}

static const eo_strategy_ops dpor_ops = {
    .close = dpor_close,
    .begin = dpor_begin,
    .choose = dpor_choose,
    .observe = dpor_observe,
    .end = dpor_end,
    .coverage = dpor_coverage,
    .share = dpor_share,
    .pending = dpor_pending,
    .plain = dpor_plain,
    .save = dpor_save,
    .load = dpor_load,
    .split = dpor_split,
};

eo_strategy *eo__dpor_open(const eo_strategy_options *options, eo_error *error) {
  if (!options->subject || !options->subject->ops->touched) {
    eo_error_set(error, EO_EINPUT, "strategy 'dpor': what is under test cannot tell how its steps relate");
    return NULL;
  }
  dpor *d = eo_alloc(sizeof *d);
  if (!d) {
    eo_error_nomem(error);
    return NULL;
  }
  d->base.ops = &dpor_ops;
  d->subject = options->subject;
  d->delivery = options->delivery;
  d->idle_timeouts = options->timeouts_idle;
  d->bounded = options->bounded;
  d->bound = options->bound;
  d->tangled = EO_NO_EVENT;
  d->scouts = SCOUTS;
  eo_rng_init(&d->scout_rng, options->seed);
  eo_trace_init(&d->trace, options->subject, options->delivery == EO_DELIVERY_CAUSAL);
  if (!task_new(d)) {
    eo_error_nomem(error);
    dpor_close(&d->base);
    return NULL;
  }
  if (options->delivery == EO_DELIVERY_MAILBOX) options->subject->ops->late(options->subject, true);
  return &d->base;
}

eo_strategy *eo__dpor_probe_open(const eo_strategy_options *options, eo_error *error) {
  eo_strategy *strategy = eo__dpor_open(options, error);
  dpor *d = (dpor *)strategy;
  if (!strategy) return NULL;
  d->probe.estimate = options->estimate;
  d->scouts = 0;
  d->probe.left = options->probes;
  d->probe.steps_left = options->probe_steps;
  d->probe.error = options->probe_error;
  eo_rng_init(&d->probe.rng, options->seed);
  return strategy;
}
