/* minimise.c: first by moving whole blocks (runs of one process) next to another block of the same process, as long as
 * the execution still fails the same way; then by searching all executions with fewer context switches than the best so
 * far, fewest first. The search is complete if it stays within its budget of steps, and the result then is the minimum.
 * Last, steps at the ends of blocks that the failure does not need are left out. Before all of that, faults (eo_fault) are; none of
 * the rest may bring one back.
 *
 * All of it is done by strategies of its own, run by the engine. */
#include "core/minimise.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/follow.h"
#include "core/program.h"

enum { MOVE_TRIES = 400, MOVE_STEPS = 2000000, SEARCH_STEPS = 1000000, MOST_LOOPS = 2 };

uint32_t eo__schedule_switches(const eo_choice *choices, size_t count) {
  uint32_t switches = 0;
  for (size_t i = 1; i < count; i++) switches += choices[i].process != choices[i - 1].process;
  return switches;
}

static uint32_t faults_in(const eo_choice *choices, size_t count) {
  uint32_t faults = 0;
  for (size_t i = 0; i < count; i++) faults += choices[i].op == EO_OP_FAULT && choices[i].value != 0;
  return faults;
}

/* ---- All executions of at most so many switches ----------------------------------------------------------------- */

typedef struct frame {
  uint32_t rank;  /* choice taken, in the order: the last process's own choices, then the others */
  uint32_t count; /* choices allowed within the bound */
  uint32_t used;  /* switches before this step */
} frame;

typedef struct bounded {
  eo_strategy base;
  bool started;
  uint32_t bound;
  EO_VEC(frame) path;
} bounded;

static bool bounded_begin(eo_strategy *strategy, eo_beginning *beginning) {
  bounded *b = (bounded *)strategy;
  if (!b->started) return b->started = true;
  while (b->path.count && eo_vec_last(&b->path).rank + 1 >= eo_vec_last(&b->path).count) (void)eo_vec_pop(&b->path);
  if (b->path.count == 0) return false;
  eo_vec_last(&b->path).rank++;
  beginning->shared = (uint32_t)b->path.count - 1;
  return true;
}

/* The choices of the last process come first in the ranking; there are `own` of them, from index `from`. */
static uint32_t index_of_rank(uint32_t rank, uint32_t from, uint32_t own) {
  if (rank < own) return from + rank;
  rank -= own;
  return rank < from ? rank : rank + own;
}

static uint32_t bounded_choose(eo_strategy *strategy, const eo_point *point) {
  bounded *b = (bounded *)strategy;
  uint32_t from = 0, own = 0;
  while (from < point->count && point->choices[from].process != point->last) from++;
  while (from + own < point->count && point->choices[from + own].process == point->last) own++;
  if (point->last == EO_NO_PROCESS) own = 0;
  if (point->depth == b->path.count) {
    frame f = {0, point->count, 0};
    if (point->depth > 0) {
      /* What the step before used is in its frame; what it cost is known now: whether it switched. */
      f.used = eo_vec_last(&b->path).used;
    }
    if (f.used >= b->bound && point->last != EO_NO_PROCESS) f.count = own;
    if (f.count == 0) return EO_PRUNE;
    if (!eo_vec_push(&b->path, f)) {
      strategy->error = EO_ENOMEM;
      return EO_PRUNE;
    }
  }
  frame *f = &b->path.items[point->depth];
  if (point->depth > 0) f->used = b->path.items[point->depth - 1].used;
  if (f->rank >= own && point->last != EO_NO_PROCESS) f->used++;
  return index_of_rank(f->rank, from, own);
}

static void bounded_end(eo_strategy *strategy, eo_outcome *outcome) {
  bounded *b = (bounded *)strategy;
  if (outcome->depth < b->path.count) b->path.count = outcome->depth;
}

static const eo_strategy_ops bounded_ops = {.begin = bounded_begin, .choose = bounded_choose, .end = bounded_end};

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

typedef struct trial {
  eo_engine engine;
  const eo_failure *wanted;
  eo_schedule *best;
  uint64_t budget;             /* steps */
  const uint32_t *preemptions; /* when set: these must not be more than `most` */
  uint32_t most;
  bool found, spent;
  const eo_patience *patience;
  double began;
  uint64_t steps; /* of all trials */
  uint32_t loops; /* trials that ended in one */
} trial;

/* Is it time to be content with what there is? */
static bool enough(const trial *t) {
  if (t->loops >= MOST_LOOPS) return true;
  return t->patience && (*t->patience->stop || eo__seconds() - t->began > t->patience->seconds);
}

static bool better(const trial *t, const eo_outcome *outcome, const eo_schedule *best) {
  if (t->preemptions && *t->preemptions > t->most) return false;
  uint32_t now = faults_in(outcome->choices, outcome->depth), before = faults_in(best->items, best->count);
  if (now != before) return now < before;
  now = eo__schedule_switches(outcome->choices, outcome->depth);
  before = eo__schedule_switches(best->items, best->count);
  return now < before || (now == before && outcome->depth < best->count);
}

static bool trial_ended(void *context, const eo_outcome *outcome) {
  trial *t = context;
  if (outcome->end == EO_END_FAILED && outcome->failure->kind == EO_KIND_LOOP) t->loops++;
  if (outcome->end == EO_END_FAILED && eo__failure_same(outcome->failure, t->wanted) && better(t, outcome, t->best)) {
    eo_vec_clear(t->best);
    if (!eo_vec_reserve(t->best, outcome->depth + 1)) {
      t->engine.strategy->error = EO_ENOMEM;
      return false;
    }
    if (outcome->depth) memcpy(t->best->items, outcome->choices, outcome->depth * sizeof *outcome->choices);
    t->best->count = outcome->depth;
    t->found = true;
    return false;
  }
  t->spent = t->engine.counts.transitions > t->budget || enough(t);
  return !t->spent;
}

static int run_trial(trial *t, eo_subject *subject, eo_strategy *strategy, uint32_t max_depth, eo_error *error) {
  t->found = t->spent = false;
  eo__engine_init(&t->engine, subject, strategy);
  t->engine.max_depth = max_depth;
  t->engine.ended = trial_ended;
  t->engine.context = t;
  int code = eo__engine_expect(&t->engine, t->wanted->kind, t->wanted->message, error);
  if (code == EO_OK) code = eo__engine_run(&t->engine, error);
  t->steps += t->engine.counts.transitions;
  eo__engine_release(&t->engine);
  return code;
}

/* ---- Moving blocks ---------------------------------------------------------------------------------------------- */

static size_t block_end(const eo_schedule *s, size_t from) {
  size_t end = from + 1;
  while (end < s->count && s->items[end].process == s->items[from].process) end++;
  return end;
}

/* plan: the schedule with the block at `from` moved to directly behind position `to` (to <= from). */
static void move_block(eo_schedule *plan, const eo_schedule *s, size_t to, size_t from, size_t end) {
  size_t length = end - from;
  memcpy(plan->items, s->items, to * sizeof *s->items);
  memcpy(plan->items + to, s->items + from, length * sizeof *s->items);
  memcpy(plan->items + to + length, s->items + to, (from - to) * sizeof *s->items);
  memcpy(plan->items + end, s->items + end, (s->count - end) * sizeof *s->items);
  plan->count = s->count;
}

/* plan: the schedule with [from, end) moved to directly before position `to` (to >= end). */
static void delay_block(eo_schedule *plan, const eo_schedule *s, size_t from, size_t end, size_t to) {
  memcpy(plan->items, s->items, from * sizeof *s->items);
  memcpy(plan->items + from, s->items + end, (to - end) * sizeof *s->items);
  memcpy(plan->items + from + (to - end), s->items + from, (end - from) * sizeof *s->items);
  memcpy(plan->items + to, s->items + to, (s->count - to) * sizeof *s->items);
  plan->count = s->count;
}

typedef struct mover {
  trial trial;
  eo_subject *subject;
  uint32_t max_depth, tries;
  eo_follow follow;
} mover;

static bool tired(const mover *m) {
  return m->tries >= MOVE_TRIES || m->trial.steps >= MOVE_STEPS || enough(&m->trial);
}

static int try_plan(mover *m, eo_error *error) {
  m->tries++;
  eo__follow_start(&m->follow);
  return run_trial(&m->trial, m->subject, &m->follow.base, m->max_depth, error);
}

/* Tries to join the block at `from` with the next block of the same process. *joined: that made it better. */
static int join_next(mover *m, size_t from, bool *joined, eo_error *error) {
  eo_schedule *s = m->trial.best;
  size_t end = block_end(s, from), next = end;
  *joined = false;
  while (next < s->count && s->items[next].process != s->items[from].process) next = block_end(s, next);
  if (next >= s->count) return EO_OK;
  if (!eo_vec_reserve(&m->follow.plan, s->count + 1)) return eo__error_nomem(error);
  for (int way = 0; way < 2 && !*joined; way++) {
    eo_vec_clear(&m->follow.plan);
    if (!eo_vec_reserve(&m->follow.plan, s->count + 1)) return eo__error_nomem(error);
    if (way == 0)
      move_block(&m->follow.plan, s, end, next, block_end(s, next));
    else
      delay_block(&m->follow.plan, s, from, end, next);
    int code = try_plan(m, error);
    if (code != EO_OK) return code;
    *joined = m->trial.found;
  }
  return EO_OK;
}

static int move_blocks(mover *m, eo_error *error) {
  for (bool again = true; again && !tired(m);) {
    again = false;
    for (size_t from = 0; from < m->trial.best->count && !tired(m); from = block_end(m->trial.best, from)) {
      bool joined;
      int code = join_next(m, from, &joined, error);
      if (code != EO_OK) return code;
      if (!joined) continue;
      again = true;
      break;
    }
  }
  return EO_OK;
}

/* Tries without each of the faults. */
static int drop_faults(mover *m, eo_error *error) {
  eo_schedule *s = m->trial.best;
  for (size_t i = 0; i < s->count && !tired(m); i++) {
    if (s->items[i].op != EO_OP_FAULT || s->items[i].value == 0) continue;
    eo_vec_clear(&m->follow.plan);
    if (!eo_vec_reserve(&m->follow.plan, s->count + 1)) return eo__error_nomem(error);
    memcpy(m->follow.plan.items, s->items, s->count * sizeof *s->items);
    m->follow.plan.count = s->count;
    m->follow.plan.items[i].value = 0;
    int code = try_plan(m, error);
    if (code != EO_OK) return code;
  }
  return EO_OK;
}

/* Leaves out last steps of blocks that the failure does not need: as many as possible of each, halving. */
static int shorten_block(mover *m, size_t from, bool *shorter, eo_error *error) {
  eo_schedule *s = m->trial.best;
  size_t end = block_end(s, from);
  *shorter = false;
  for (size_t drop = end - from - 1; drop > 0 && !*shorter && !tired(m); drop /= 2) {
    eo_vec_clear(&m->follow.plan);
    if (!eo_vec_reserve(&m->follow.plan, s->count + 1)) return eo__error_nomem(error);
    memcpy(m->follow.plan.items, s->items, (end - drop) * sizeof *s->items);
    memcpy(m->follow.plan.items + end - drop, s->items + end, (s->count - end) * sizeof *s->items);
    m->follow.plan.count = s->count - drop;
    int code = try_plan(m, error);
    if (code != EO_OK) return code;
    *shorter = m->trial.found;
  }
  return EO_OK;
}

/* Shorter is simpler only if it takes no preemption more: those of the best so far are counted first. */
static int shorten_blocks(mover *m, eo_error *error) {
  size_t from = 0;
  eo_vec_clear(&m->follow.plan);
  if (!eo_vec_reserve(&m->follow.plan, m->trial.best->count + 1)) return eo__error_nomem(error);
  memcpy(m->follow.plan.items, m->trial.best->items, m->trial.best->count * sizeof *m->trial.best->items);
  m->follow.plan.count = m->trial.best->count;
  int counted = try_plan(m, error);
  if (counted != EO_OK) return counted;
  m->trial.most = m->follow.preemptions;
  m->trial.preemptions = &m->follow.preemptions;
  while (from < m->trial.best->count && !tired(m)) {
    bool shorter;
    int code = shorten_block(m, from, &shorter, error);
    if (code != EO_OK) return code;
    if (!shorter) from = block_end(m->trial.best, from);
  }
  return EO_OK;
}

/* ---- Searching -------------------------------------------------------------------------------------------------- */

static int search(trial *t, eo_subject *subject, uint32_t max_depth, bool *fewest, eo_error *error) {
  uint64_t left = SEARCH_STEPS;
  *fewest = false;
  for (uint32_t bound = 0; bound < eo__schedule_switches(t->best->items, t->best->count); bound++) {
    bounded b = {.base = {.ops = &bounded_ops}, .bound = bound};
    t->budget = left;
    int code = run_trial(t, subject, &b.base, max_depth, error);
    eo_vec_release(&b.path);
    if (code != EO_OK) return code;
    if (t->spent) return EO_OK;
    if (t->found) break;
    left -= t->engine.counts.transitions < left ? t->engine.counts.transitions : left;
  }
  *fewest = true;
  return EO_OK;
}

int eo__minimise(eo_subject *subject, uint32_t max_depth, const eo_failure *failure, const eo_patience *patience,
                 eo_schedule *schedule, bool *fewest, eo_error *error) {
  mover m = {.trial = {.wanted = failure,
                       .best = schedule,
                       .budget = UINT64_MAX,
                       .patience = patience,
                       .began = eo__seconds()},
             .subject = subject,
             .max_depth = max_depth};
  *fewest = false;
  if (failure->kind == EO_KIND_SEQUENCE && !eo_subject_relates_plain(subject)) return EO_OK; /* it would not be seen */
  int code = drop_faults(&m, error);
  if (code == EO_OK) code = move_blocks(&m, error);
  if (code == EO_OK) code = search(&m.trial, subject, max_depth, fewest, error);
  m.trial.budget = UINT64_MAX;
  m.trial.steps = 0;
  m.tries = 0;
  if (code == EO_OK) code = shorten_blocks(&m, error);
  eo_vec_release(&m.follow.plan);
  return code;
}
