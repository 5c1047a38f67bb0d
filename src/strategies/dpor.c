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
 *   - a revisit: an event comes before an earlier one that it does not depend on otherwise, because both touch an object, or because the
 *     earlier one is a receive that could take its message. The new task is what came before the earlier event, then what
 *     the later one needs of the rest, then the later one, then the process of the earlier one. All else is dropped and
 *     will happen again.
 *
 * The same trace could be reached in many ways. It is taken from one parent alone: the one in which everything that is
 * dropped was the default (is_default, and has no reason of its own), so that the parent can be told from the child.
 * Where an event had to wait for several others one after the other (its `reasons`), they come in the order of happens-before,
 * then of processes. doc/dpor.md has the argument in full, and tests/integration/test_dpor.c compares with dfs.
 *
 * So nothing has to be remembered but the tasks on the stack: no sleep sets, no wakeup trees. A task is explored by itself
 * and can be given away. */
#include <string.h>

#include "base/alloc.h"
#include "strategies/dpor_inside.h"

enum { MOST_SPARE = 1024 };

/* ---- Tasks ------------------------------------------------------------------------------------------------------ */

/* All lists of a task. */
#define EACH_LIST(t, does)                                                                                 \
  (does(&(t)->steps), does(&(t)->others), does(&(t)->reasons), does(&(t)->newly_touched), does(&(t)->had), \
   does(&(t)->first_ways), does(&(t)->settled), does(&(t)->told))

void eo__dpor_task_free(task *t) {
  if (!t) return;
  EACH_LIST(t, eo_vec_release);
  eo__free(t);
}

task *eo__dpor_task_new(dpor *d) {
  task *t = d->spare.count ? eo_vec_pop(&d->spare) : eo__alloc(sizeof *t);
  if (!t || !eo_vec_push(&d->tasks, t)) {
    eo__dpor_task_free(t);
    no_memory(d);
    return NULL;
  }
  EACH_LIST(t, eo_vec_clear);
  t->ran = t->given = t->fresh = t->prefix = 0;
  t->started = false;
  t->resume = EO_NO_PROCESS;
  t->unsure = t->other_way = EO_NO_EVENT;
  return t;
}

bool eo__dpor_task_fill(dpor *d, task *t) {
  uint32_t prefix = t->prefix;
  if (!prefix) return true;
  if (!eo_vec_reserve(&t->steps, prefix)) return no_memory(d);
  memmove(t->steps.items + prefix, t->steps.items, t->steps.count * sizeof *t->steps.items);
  memcpy(t->steps.items, t->lender->steps.items, prefix * sizeof *t->steps.items);
  t->steps.count += prefix;
  t->prefix = 0;
  return true;
}

void eo__dpor_note_touches(dpor *d, touch_notes *notes, uint32_t of, const eo_record *record) {
  for (uint32_t i = 0; i < record->touches; i++)
    PUSH(d, notes, ((touch_note){of, d->order.trace.touches.items[record->first_touch + i]}));
}

/* Moves on to the deepest choice that is left. */
static bool next_other(dpor *d, task *t) {
  if (!t->others.count) return false;
  other next = eo_vec_pop(&t->others);
  t->steps.count = next.depth;
  if (next.taken.process != NOBODY) PUSH(d, &t->steps, next.taken);
  t->fresh = next.depth;
  t->other_way = next.taken.process != NOBODY ? next.depth : EO_NO_EVENT;
  while (t->first_ways.count && eo_vec_last(&t->first_ways).of > next.depth) (void)eo_vec_pop(&t->first_ways);
  return true;
}

/* How many first steps the execution that was run last has in common with what is to be run now. */
static uint32_t in_common(const dpor *d, const task *t) {
  uint32_t same = 0;
  size_t most = t->steps.count < d->order.trace.records.count ? t->steps.count : d->order.trace.records.count;
  while (same < most && record_at(d, same)->process == t->steps.items[same].process &&
         record_at(d, same)->value == t->steps.items[same].value)
    same++;
  return same;
}

/* The events that waited have not come yet, unless they are among what the execution has in common with the one before, which
 * may have been another task's. */
static void find_held(dpor *d, task *t, uint32_t shared) {
  for (size_t i = 0; i < t->reasons.count; i++)
    if (t->reasons.items[i].held >= t->given) t->reasons.items[i].held = TO_COME;
  for (uint32_t i = t->given; i < shared && t->reasons.count; i++)
    if (eo__dpor_waits(t, record_at(d, i)->process)) eo__dpor_hold(d, i);
}

/* After a failure, all: some processes cannot go on without it. */
static uint32_t dpor_whose(eo_strategy *strategy, uint32_t depth) {
  const dpor *d = (const dpor *)strategy;
  const task *t = d->current;
  if (d->scouts.under_way || d->order.failures.count || d->idle_timeouts) return EO_EVERYBODY;
  if (depth < t->steps.count) return t->steps.items[depth].process;
  return depth == t->given ? t->resume : EO_NO_PROCESS;
}

/* A failure that is new here, with no other in its past, ends the execution all the same, so that it is told at once; the others
 * go on in the next one. */
static bool dpor_goes_on(eo_strategy *strategy, uint32_t depth) {
  const dpor *d = (const dpor *)strategy;
  if (strategy->error || d->scouts.under_way) return false;
  return depth < d->current->fresh || d->beyond || eo__order_follows_another(&d->order, depth);
}

static bool dpor_begin(eo_strategy *strategy, eo_beginning *beginning) {
  dpor *d = (dpor *)strategy;
  if (strategy->error || (d->probe.estimate && !eo__dpor_probe_begin(d))) return false;
  if (eo__scouts_begin(&d->scouts)) {
    d->beyond = false;
    d->current = eo_vec_last(&d->tasks);
    eo__order_cut(&d->order, 0);
    return true;
  }
  while (d->tasks.count && !strategy->error) {
    task *t = d->current = eo_vec_last(&d->tasks);
    if (!eo__dpor_task_fill(d, t)) return false;
    if (!t->started || next_other(d, t)) {
      t->started = true;
      d->beyond = d->impossible = false;
      bool goes_on = t->ran == d->begun && t->fresh <= d->order.trace.records.count;
      uint32_t shared = beginning->shared = goes_on ? t->fresh : in_common(d, t);
      t->ran = ++d->begun;
      eo__order_cut(&d->order, shared);
      find_held(d, t, shared);
      return true;
    }
    (void)eo_vec_pop(&d->tasks);
    if (d->spare.count >= MOST_SPARE || !eo_vec_push(&d->spare, t))
      eo__dpor_task_free(t); /* else its room serves the next: to grow the same arrays again takes time */
  }
  return false;
}

/* ---- One execution ---------------------------------------------------------------------------------------------- */

static uint32_t find(const eo_point *point, step wanted) {
  for (uint32_t i = 0; i < point->count; i++)
    if (point->choices[i].process == wanted.process && point->choices[i].value == wanted.value)
      return wanted.refused ? i | EO_REFUSED : i;
  return EO_PRUNE; /* not deterministic; the engine says so */
}

static bool are_blocked(const dpor *d, const eo_choice *choices, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!eo__order_is_blocked(&d->order, &choices[i])) return false;
  return true;
}

/* Either this is the end, or what comes next comes after all before it: what was done since the last such point is revisited by what
 * stands only now. */
static void revisit_from_here(dpor *d) {
  eo__dpor_revisit_from_end(d);
  eo__dpor_revisit_by_ghosts(d);
}

/* The process that goes on: its first choice, and how many it has. 0 choices: all are blocked. */
static uint32_t whose_turn(dpor *d, const eo_point *point, uint32_t *count) {
  const task *t = d->current;
  if (is_idle(d, point->choices->op, point->choices->value != 0)) {
    *count = point->count; /* each comes after all before it, so each is a case of its own */
    return 0;
  }
  enum { RECEIVES = 1, ACTS, RESUMES };
  int best = 0, most = t->resume != EO_NO_PROCESS && point->depth == t->given ? RESUMES : ACTS;
  uint32_t turn = *count = 0;
  for (uint32_t first = 0, its; first < point->count && best < most; first += its) {
    const eo_choice *choice = &point->choices[first];
    int is = choice->op == EO_OP_RECEIVE ? RECEIVES : ACTS;
    if (most == RESUMES && choice->process == t->resume) is = RESUMES;
    its = eo__order_choices_of(point, first);
    if (is <= best || are_blocked(d, choice, its)) continue;
    best = is;
    turn = first;
    *count = its;
  }
  return turn;
}

static uint32_t dpor_choose(eo_strategy *strategy, const eo_point *point) {
  dpor *d = (dpor *)strategy;
  task *t = d->current;
  if (strategy->error) return EO_PRUNE; /* and the trace may have stopped half way: nothing is asked of it */
  if (d->scouts.under_way) return eo__scouts_choose(&d->scouts, &d->order, point);
  if (d->beyond) return EO_PRUNE;
  if (point->depth < t->steps.count) return find(point, t->steps.items[point->depth]);
  if (is_idle(d, point->choices->op, point->choices->value != 0)) {
    if (d->order.failures.count) return EO_PRUNE; /* it would come after them */
    revisit_from_here(d);
    if (d->probe.estimate) eo__dpor_probe_tasks(d);
    if (d->beyond || strategy->error) return EO_PRUNE;
  }
  uint32_t first = 0, count = 0, chosen = 0;
  if (point->count > 1 || d->order.failures.count || d->probe.estimate) {
    first = whose_turn(d, point, &count);
    chosen = EO_PRUNE;
  }
  if (d->probe.estimate) return eo__dpor_probe_choose(d, point, first, count);
  for (uint32_t i = first + count; i-- > first;) {
    const eo_choice *choice = &point->choices[i];
    if (!eo__order_is_allowed(&d->order, point, choice, &point->choices[first], count) ||
        eo__order_is_blocked(&d->order, choice))
      continue;
    if (chosen != EO_PRUNE) PUSH(d, &t->others, ((other){point->depth, step_of(&point->choices[chosen])}));
    chosen = i;
  }
  if (chosen == EO_PRUNE) return EO_PRUNE;
  PUSH(d, &t->steps, step_of(&point->choices[chosen]));
  return strategy->error ? EO_PRUNE : chosen;
}

/* Is all that is noted of this in one list also in the other? */
static bool is_noted_in(const touch_notes *some, const touch_notes *others, uint32_t of) {
  for (size_t i = 0; i < some->count; i++) {
    touch_note note = some->items[i];
    bool found = note.of != of;
    for (size_t j = 0; j < others->count && !found; j++) {
      const touch_note *its = &others->items[j];
      found = its->of == of && its->touch.object == note.touch.object && its->touch.writes == note.touch.writes;
    }
    if (!found) return false;
  }
  return true;
}

/* What a step that chooses or receives touches can depend on the value or the message, since the process may announce something after
 * it. Which steps must come before it is decided where it goes the first way: so another must touch the same. */
static void compare_ways(dpor *d, uint32_t depth) {
  task *t = d->current;
  const eo_record *record = record_at(d, depth);
  if (depth < t->fresh || !(record->op == EO_OP_RECEIVE || eo__op_chooses(record->op))) return;
  if (depth == t->other_way) {
    touch_notes now = {0};
    eo__dpor_note_touches(d, &now, depth, record);
    if (!is_noted_in(&now, &t->first_ways, depth) || !is_noted_in(&t->first_ways, &now, depth))
      d->base.doubts |= EO_DOUBT_TOLD;
    eo_vec_release(&now);
  } else if (record->flags & EO_EVENT_TELLS && t->others.count && eo_vec_last(&t->others).depth == depth) {
    eo__dpor_note_touches(d, &t->first_ways, depth, record);
  }
}

static void dpor_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  dpor *d = (dpor *)strategy;
  if (strategy->error) return;
  if (!eo__order_add(&d->order, taken, event)) no_memory(d);
  if (strategy->error || d->scouts.under_way) return;
  const eo_record *last = record_at(d, depth);
  task *t = d->current;
  if (event->flags & EO_EVENT_REFUSED) t->steps.items[depth].refused = true;
  if (depth >= t->given && eo__dpor_waits(t, taken.process)) eo__dpor_hold(d, depth);
  compare_ways(d, depth);
  if (!eo__dpor_proves_right(d, depth)) d->beyond = true; /* and nothing comes of it */
  if (d->bounded && depth == t->fresh && eo__order_preemptions(&d->order) > d->bound) d->beyond = d->left_over = true;
  if (depth >= t->fresh && (last->mails || last->touches || last->doomed) && !d->beyond) eo__dpor_revisit(d);
  if (d->order.impossible == depth && !eo__order_follows_another(&d->order, depth))
    d->beyond = d->impossible = true; /* only what comes of it may be possible */
  if (d->probe.estimate) eo__dpor_probe_tasks(d);
}

/* The execution has ended with a step that failed: does that count here? Whether it does or not, it is told. */
static void end_failed(dpor *d, eo_outcome *outcome) {
  if (!eo__dpor_owns_failure(d)) outcome->end = EO_END_PRUNED;
  if (!(eo_vec_last(&d->order.trace.records).flags & EO_EVENT_STUCK))
    revisit_from_here(d);
  else
    PUSH(d, &d->current->others, ((other){outcome->depth, {.process = NOBODY}}));
}

static void dpor_end(eo_strategy *strategy, eo_outcome *outcome) {
  dpor *d = (dpor *)strategy;
  eo__doubt_unseen(strategy, &d->view);
  if (d->probe.estimate) outcome->counted = false;
  if (strategy->error) return;
  if (d->scouts.under_way) {
    eo__scouts_end(&d->scouts, outcome);
    return;
  }
  size_t steps = d->order.trace.records.count;
  /* Also if that was the last step. */
  bool given_up = d->beyond || (outcome->end == EO_END_PRUNED && !d->order.failures.count);
  bool fails = outcome->end == EO_END_FAILED && steps && steps == outcome->depth &&
               eo_vec_last(&d->order.trace.records).flags & EO_EVENT_FAILED;
  if (!given_up && fails && !d->probe.estimate) {
    end_failed(d, outcome);
  } else {
    if (!given_up) revisit_from_here(d);
    if (d->order.failures.count && !d->probe.estimate) { /* how it goes on is not how the program does */
      if (outcome->end == EO_END_CUT) strategy->doubts |= EO_DOUBT_DEPTH;
      outcome->end = EO_END_PRUNED;
      outcome->failure = NULL;
    }
  }
  if (given_up && !d->probe.leaves) outcome->end = EO_END_PRUNED;
  if (d->impossible) outcome->failure = NULL; /* no execution of the program */
  if (d->probe.estimate) {
    if (!d->probe.leaves) eo__dpor_probe_tasks(d);
    eo__dpor_probe_end(d, outcome);
  }
}

static eo_coverage dpor_coverage(eo_strategy *strategy, eo_text *words) {
  const dpor *d = (const dpor *)strategy;
  if (d->left_over) {
    eo__text_add(words,
                 "some of the equivalence classes of interleavings that have an execution with at most %u preemption%s",
                 d->bound, d->bound == 1 ? "" : "s");
    return EO_COVERS_BOUND;
  }
  eo__text_add(words, "every equivalence class of interleavings");
  return EO_COVERS_ALL;
}

static uint64_t dpor_pending(eo_strategy *strategy) {
  const dpor *d = (const dpor *)strategy;
  uint64_t pending = 0;
  for (size_t i = 0; i < d->tasks.count; i++) pending += d->tasks.items[i]->others.count + !d->tasks.items[i]->started;
  return pending;
}

static bool dpor_plain(eo_strategy *strategy, eo_schedule *out) {
  return eo__order_plain(&((dpor *)strategy)->order, out);
}

static void dpor_close(eo_strategy *strategy) {
  dpor *d = (dpor *)strategy;
  for (size_t i = 0; i < d->tasks.count; i++) eo__dpor_task_free(d->tasks.items[i]);
  for (size_t i = 0; i < d->spare.count; i++) eo__dpor_task_free(d->spare.items[i]);
  eo_vec_release(&d->tasks);
  eo_vec_release(&d->spare);
  eo_vec_release(&d->clash);
  eo_vec_release(&d->moved);
  eo_vec_release(&d->kept);
  eo_vec_release(&d->foreseen.touches);
  eo__order_release(&d->order);
  eo__free(d);
}

static const eo_strategy_ops dpor_ops = {
    .close = dpor_close,
    .begin = dpor_begin,
    .choose = dpor_choose,
    .observe = dpor_observe,
    .end = dpor_end,
    .guiding = &(const eo_guiding){.whose = dpor_whose, .goes_on = dpor_goes_on},
    .telling = &(const eo_telling){.coverage = dpor_coverage, .pending = dpor_pending, .plain = dpor_plain},
    .fragments = &(const eo_fragments){.save = eo__dpor_save, .load = eo__dpor_load, .split = eo__dpor_split},
};

eo_strategy *eo__dpor_open(const eo_strategy_options *options, eo_error *error) {
  if (!options->view.relations) {
    eo__error_set(error, EO_EINPUT,
                  "strategy 'dpor': the subject does not say which of its steps depend on each other");
    return NULL;
  }
  dpor *d = eo__alloc(sizeof *d);
  if (!d) {
    eo__error_nomem(error);
    return NULL;
  }
  d->base.ops = &dpor_ops;
  d->view = options->view;
  d->delivery = options->delivery;
  d->idle_timeouts = options->timeouts_idle;
  d->bounded = options->bounded;
  d->bound = options->bound;
  d->stands_for = EO_NO_EVENT;
  eo__scouts_init(&d->scouts, options->seed);
  eo__order_init(&d->order, options->view, options->delivery, &d->base.error);
  if (!eo__dpor_task_new(d)) {
    eo__error_nomem(error);
    dpor_close(&d->base);
    return NULL;
  }
  options->view.relations->receives_choose(options->view.of, true);
  d->base.receives_choose = true;
  return &d->base;
}
