/* dpor_sets.c: dynamic partial order reduction that keeps a set of processes to try at each point of the path.
 *
 * classic: Flanagan and Godefroid (POPL 2005), as Simsa et al. 2012 uses it. When a step is seen to race with an earlier one, its
 *   process, or one that has to come first, is to be tried where that one was taken.
 * source: source sets with sleep sets: Abdulla, Aronis, Jonsson, Sagonas (POPL 2014), algorithm 1. Any process that can
 *   begin what was done since (an initial) will do, so that often one is tried there already. A process that has been
 *   tried sleeps in what is explored after it, until a step that it depends on.
 *
 * The classic paper reverses only the last race of a step, which is enough if two steps depend on each other always or
 * never. Here that depends on what they did (a link to one that has ended does something else), so that every race
 * counts which has no other step between, for both.
 *
 * An execution is a stack of points (what could be chosen) and of acts (what was done), each act with a vector clock, so
 * that happens-before is one comparison. Everything an act needs lies in arenas that grow and shrink with the stack.
 *
 * Where a process can go on in several ways (choose; taking one of several messages), all of them are tried where the
 * process is. So a set is one of processes, as in the papers. What the papers do not have:
 * - An exit that dooms another process changes what that one does next, rather than disabling it: the doomed process's
 *   exit races with it, and so does what it did before. So what it was about to do is tried too; and if it waited for a
 *   message, its exit races with every send to it.
 * - Where delivery is chosen at the receive, a receive can take more once more was sent, and what it took it could take
 *   before too. So a receive and a later send to it race, but not an earlier send and a receive that took another.
 *   In a mailbox, sends to one process race, whoever can tell, and receives only with sends that end a timeout.
 * - After a failure nothing is done: all others are tried where the failing step was taken. So where a step was taken
 *   only since nothing else could be (idle timeouts). */
#include <string.h>

#include "base/alloc.h"
#include "core/program.h"
#include "strategies/strategies.h"

/* More flags of an act. */
enum {
  UNKNOWN = 1 << 14, /* nobody saw what it did */
  WAITED = 1 << 15   /* the exit of a process that was doomed while it waited: with a message it might have gone on */
};

/* One thing that an act did and others can notice. */
typedef struct fact {
  enum { READS, WRITES, SENDS, DROPS /* sends to one that has ended */, DOOMS, BEGINS, AWAITS } kind;
  uint32_t what;    /* the object; the process it sent to, doomed, began (eo_relations.begun) or had to wait for */
  uint32_t message; /* SENDS, DROPS */
} fact;

typedef struct act {
  uint32_t process;
  uint32_t child;    /* spawn: whom; else EO_NO_PROCESS */
  uint32_t received; /* number of the message; 0: none */
  uint32_t receives; /* its process had done before this */
  uint16_t op, flags;
  bool took; /* EO_CHOICE_TAKE */
  size_t facts, fact_count;
  size_t clock; /* of each process below `width`, depth + 1 of its last act up to this; 0: none */
  uint32_t width;
} act;

typedef struct option {
  uint32_t process;
  bool wanted, done;
} option;

/* Sleepers are acts that were tried, here (behind the first `inherited`) or before, and need not be tried again. */
typedef struct point {
  size_t options, facts, sleepers;
  uint32_t count, inherited, asleep;
  uint32_t taken; /* index */
} point;

typedef struct sets {
  eo_strategy base;
  eo_view view;
  bool source, mailbox;
  bool started, finished;
  uint32_t processes; /* numbers that were met are below this */
  EO_VEC(point) points;
  EO_VEC(option) options;
  EO_VEC(act) acts; /* one for each point, but for a point at which nothing was done yet */
  EO_VEC(fact) facts;
  EO_VEC(uint32_t) clocks;
  EO_VEC(act) sleepers;
  EO_VEC(uint32_t) first; /* of each process, depth + 1 of its first act in v */
} sets;

static void sets_close(eo_strategy *strategy) {
  sets *s = (sets *)strategy;
  eo_vec_release(&s->points);
  eo_vec_release(&s->options);
  eo_vec_release(&s->acts);
  eo_vec_release(&s->facts);
  eo_vec_release(&s->clocks);
  eo_vec_release(&s->sleepers);
  eo_vec_release(&s->first);
  eo__free(s);
}

/* ---- How acts relate --------------------------------------------------------------------------------------------- */

typedef enum relation {
  NONE,    /* they commute */
  ORDERED, /* the later one cannot be without the earlier one */
  RACE     /* the later one could have come first, and it may matter */
} relation;

/* Could this act have been the receive of that message, had it been sent before? The subject can tell what a receive
 * accepts only where it is chosen what they take; elsewhere one that took a message took the oldest that it accepts. */
static bool could_take(const sets *s, const act *x, uint32_t message) {
  if (x->flags & WAITED) return true;
  if (x->op != EO_OP_RECEIVE) return false;
  if (x->took) return s->view.relations->matches(s->view.of, x->process, x->receives, message);
  return x->flags & EO_EVENT_TIMEOUT;
}

/* `sent` is of the act before. */
static relation relate_sent(const fact *sent, const act *x) {
  if (sent->what != x->process) return NONE;
  if (x->flags & WAITED) return RACE;
  if (x->op != EO_OP_RECEIVE || x->received != sent->message) return NONE;
  return x->flags & EO_EVENT_TIMED && !x->took ? RACE : ORDERED; /* a choice to time out lies beside it */
}

static bool clash(const sets *s, const fact *x, const fact *y) {
  if (x->what != y->what) return false;
  if (x->kind <= WRITES || y->kind <= WRITES)
    return x->kind <= WRITES && y->kind <= WRITES && (x->kind == WRITES || y->kind == WRITES);
  if (x->kind >= DOOMS || y->kind >= DOOMS) return x->kind == DOOMS && y->kind == DOOMS;
  /* Even if one of them came after the end: before the other it might have been taken. */
  return s->mailbox && (x->kind == SENDS || y->kind == SENDS);
}

/* Of two acts of different processes, the first one before the second. */
static relation relate(const sets *s, const act *a, const act *b) {
  const fact *of_a = s->facts.items + a->facts, *of_b = s->facts.items + b->facts;
  relation found = NONE;
  if ((a->flags | b->flags) & (EO_EVENT_IDLE | UNKNOWN) || a->child == b->process) return ORDERED;
  /* It may have named a process by a number that is nobody's before this. */
  if (a->flags & EO_EVENT_FAILED && b->op == EO_OP_SPAWN) return RACE;
  for (size_t i = 0; i < a->fact_count; i++) {
    if (of_a[i].kind == DOOMS && of_a[i].what == b->process) return RACE;
    if (of_a[i].kind == BEGINS && of_a[i].what == b->process) return ORDERED;
    if (of_a[i].kind == SENDS && found == NONE) found = relate_sent(&of_a[i], b);
    for (size_t j = 0; j < b->fact_count; j++)
      if (clash(s, &of_a[i], &of_b[j])) return RACE;
  }
  for (size_t j = 0; j < b->fact_count; j++) {
    bool sends = of_b[j].kind == SENDS || of_b[j].kind == DROPS;
    if (of_b[j].what != a->process || of_b[j].kind < SENDS || of_b[j].kind == BEGINS) continue;
    if (of_b[j].kind == AWAITS) return ORDERED;
    if (!sends || could_take(s, a, of_b[j].message)) return RACE;
  }
  return found;
}

/* ---- Sets -------------------------------------------------------------------------------------------------------- */

static bool can_run(const sets *s, const point *at, uint32_t process) {
  for (uint32_t i = 0; i < at->count; i++)
    if (s->options.items[at->options + i].process == process) return true;
  return false;
}

static bool wanted(const sets *s, const point *at, uint32_t process) {
  for (uint32_t i = 0; i < at->count; i++)
    if (s->options.items[at->options + i].process == process) return s->options.items[at->options + i].wanted;
  return false;
}

static void want(sets *s, const point *at, uint32_t process) {
  for (uint32_t i = 0; i < at->count; i++)
    if (s->options.items[at->options + i].process == process) s->options.items[at->options + i].wanted = true;
}

static void want_all(sets *s, const point *at) {
  for (uint32_t i = 0; i < at->count; i++) s->options.items[at->options + i].wanted = true;
}

/* Has all that begins with this process been explored elsewhere? */
static bool asleep(const sets *s, const point *at, uint32_t process) {
  for (uint32_t i = 0; i < at->inherited; i++)
    if (s->sleepers.items[at->sleepers + i].process == process) return true;
  return false;
}

/* Does this act change what the sleeper would do, or the sleeper, had it come first, what this one did? */
static bool wakes(const sets *s, const act *sleeper, const act *x) {
  if (sleeper->process == x->process || relate(s, sleeper, x) != NONE) return true;
  if (x->op != EO_OP_RECEIVE || x->took || !(x->flags & EO_EVENT_TIMEOUT)) return false;
  for (size_t i = 0; i < sleeper->fact_count; i++) {
    const fact *f = &s->facts.items[sleeper->facts + i];
    if (f->kind == SENDS && f->what == x->process) return true; /* it might not have timed out */
  }
  return false;
}

/* The sleepers of the next point: those of the last one that its act leaves asleep. All of a process or none. */
static bool pass_on_sleepers(sets *s) {
  const act *x = &eo_vec_last(&s->acts);
  const point *at = &eo_vec_last(&s->points);
  size_t start = at->sleepers, end = start + at->asleep;
  if (!eo_vec_reserve(&s->sleepers, at->asleep)) return false;
  for (size_t i = start; i < end; i++) {
    uint32_t process = s->sleepers.items[i].process;
    bool woken = false;
    for (size_t j = start; j < end && !woken; j++)
      woken = s->sleepers.items[j].process == process && wakes(s, &s->sleepers.items[j], x);
    if (!woken) s->sleepers.items[s->sleepers.count++] = s->sleepers.items[i];
  }
  return true;
}

/* ---- Races ------------------------------------------------------------------------------------------------------- */

static bool knows(const uint32_t *clock, uint32_t width, const act *earlier, size_t depth) {
  return earlier->process < width && clock[earlier->process] > depth;
}

static bool follows(const sets *s, const act *later, const act *earlier, size_t depth) {
  return knows(s->clocks.items + later->clock, later->width, earlier, depth);
}

/* Is this act of v one that v can begin with? Those of v before it are in `first`. */
static bool is_initial(const sets *s, const act *x) {
  const uint32_t *clock = s->clocks.items + x->clock;
  if (s->first.items[x->process]) return false;
  for (uint32_t p = 0; p < x->width; p++)
    if (p != x->process && s->first.items[p] && clock[p] >= s->first.items[p]) return false;
  return true;
}

/* Did this act do something else when it was tried, of which its process sleeps there? */
static bool did_otherwise(const sets *s, const point *at, const act *x) {
  for (uint32_t i = 0; i < at->inherited; i++) {
    const act *sleeper = &s->sleepers.items[at->sleepers + i];
    if (sleeper->process != x->process) continue;
    bool same = sleeper->fact_count == x->fact_count;
    for (size_t j = 0; j < x->fact_count && same; j++) {
      const fact *was = &s->facts.items[sleeper->facts + j], *is = &s->facts.items[x->facts + j];
      same = was->kind == is->kind && was->what == is->what && was->message == is->message;
    }
    if (same) return false;
  }
  return true;
}

/* The last act races with the one at `depth`: some initial of v is to be tried there. v is what was done since and does
 * not follow from that act, and then the last act. For source, one that is tried there already will do; for classic it
 * is one that led to the last act, as few as there may be of them there.
 *
 * What the last act does may depend on the earlier one: a register of a name that is taken looks no further, else the
 * exit of whom it is for matters. And a send to a number that is nobody's yet fails, which no act of v tells. If an initial sleeps
 * there, and as an act that did something else, then others may have to come before it which nobody here sees to race with
 * anything. So all of them are tried. */
static void reverse(sets *s, size_t depth) {
  const point *at = &s->points.items[depth];
  const act *earlier = &s->acts.items[depth], *last = &eo_vec_last(&s->acts);
  uint32_t choice = EO_NO_PROCESS;
  memset(s->first.items, 0, s->processes * sizeof *s->first.items);
  for (size_t i = depth + 1; i < s->acts.count; i++) {
    const act *x = &s->acts.items[i];
    if (x != last && follows(s, x, earlier, depth)) continue;
    if (is_initial(s, x)) {
      if (s->source && wanted(s, at, x->process)) return;
      if (s->source && asleep(s, at, x->process)) {
        if (did_otherwise(s, at, x)) want_all(s, at);
        return;
      }
      if (x == last || (choice == EO_NO_PROCESS && (s->source || follows(s, last, x, i)))) choice = x->process;
    }
    if (!s->first.items[x->process]) s->first.items[x->process] = (uint32_t)i + 1;
  }
  /* If it is the last act's process and that cannot run there, it had to wait for the earlier act. */
  if (choice != EO_NO_PROCESS) want(s, at, choice);
}

/* The act that the last one follows in its own process, or the spawn of that; NULL: it is the first of all. Finds out on
 * the way whether it was doomed while it waited. */
static const act *act_before(sets *s) {
  act *x = &eo_vec_last(&s->acts);
  for (size_t i = s->acts.count - 1; i-- > 0;) {
    const act *y = &s->acts.items[i];
    if (y->process == x->process || y->child == x->process) return y;
    for (size_t j = 0; j < y->fact_count; j++) {
      const fact *f = &s->facts.items[y->facts + j];
      if (f->kind == DOOMS && f->what == x->process && !can_run(s, &s->points.items[i], x->process)) x->flags |= WAITED;
    }
  }
  return NULL;
}

static void start_clock(sets *s, uint32_t *clock) {
  act *x = &eo_vec_last(&s->acts);
  const act *y = act_before(s);
  memset(clock, 0, s->processes * sizeof *clock);
  if (!y) return;
  memcpy(clock, s->clocks.items + y->clock, y->width * sizeof *clock);
  if (y->process == x->process) x->receives = y->receives + (y->op == EO_OP_RECEIVE);
}

static void join(uint32_t *clock, const uint32_t *other, uint32_t width) {
  for (uint32_t p = 0; p < width; p++)
    if (clock[p] < other[p]) clock[p] = other[p];
}

/* Gives the last act its clock, and has its races reversed. Going backwards, what the clock already knows of has another
 * act between. */
static bool order(sets *s) {
  act *x = &eo_vec_last(&s->acts);
  size_t depth = s->acts.count - 1;
  if (!eo_vec_reserve(&s->clocks, s->processes) || !eo_vec_reserve(&s->first, s->processes)) return false;
  uint32_t *clock = s->clocks.items + s->clocks.count;
  x->clock = s->clocks.count;
  x->width = s->processes;
  s->clocks.count += s->processes;
  start_clock(s, clock);
  for (size_t i = depth; i-- > 0;) {
    const act *earlier = &s->acts.items[i];
    if (knows(clock, x->width, earlier, i)) continue;
    relation found = relate(s, earlier, x);
    if (found == RACE) reverse(s, i);
    if (found != NONE) join(clock, s->clocks.items + earlier->clock, earlier->width);
  }
  clock[x->process] = (uint32_t)depth + 1;
  return true;
}

/* ---- What was done ----------------------------------------------------------------------------------------------- */

static bool has_ended(const sets *s, uint32_t process) {
  for (size_t i = s->acts.count - 1; i-- > 0;)
    if (s->acts.items[i].process == process) return s->acts.items[i].op == EO_OP_EXIT;
  return false;
}

static bool add_messages(sets *s, const eo_event *event) {
  eo_sent sent = {0};
  if (event->op == EO_OP_RECEIVE) return true;
  for (uint32_t i = 0; i < event->sent; i++) {
    sent = i ? eo_next_sent(&s->view, &sent) : s->view.relations->sent(s->view.of, event->message);
    fact f = {has_ended(s, sent.to) ? DROPS : SENDS, sent.to, sent.number};
    if (!eo_vec_push(&s->facts, f)) return false;
  }
  return true;
}

static void meet(sets *s, uint32_t process) {
  if (process != EO_NO_PROCESS && process >= s->processes) s->processes = process + 1;
}

/* What begins with the event, and what it had to wait for. */
static bool add_waits(sets *s, const eo_event *event) {
  const uint32_t *others;
  const eo_view *view = &s->view;
  uint32_t count = event->flags & EO_EVENT_BEGINS ? view->relations->begun(view->of, &others) : 0;
  for (uint32_t i = 0; i < count; i++) {
    meet(s, others[i]);
    if (!eo_vec_push(&s->facts, ((fact){BEGINS, others[i], 0}))) return false;
  }
  count = event->op == EO_OP_SIGNAL ? view->relations->awaited(view->of, event->process, &others) : 0;
  for (uint32_t i = 0; i < count; i++)
    if (!eo_vec_push(&s->facts, ((fact){AWAITS, others[i], 0}))) return false;
  return true;
}

static bool add_facts(sets *s, const eo_event *event) {
  const eo_touch *touches;
  const uint32_t *doomed;
  uint32_t count = s->view.relations->touched(s->view.of, &touches);
  for (uint32_t i = 0; i < count; i++)
    if (!eo_vec_push(&s->facts, ((fact){touches[i].writes ? WRITES : READS, touches[i].object, 0}))) return false;
  count = event->flags & EO_EVENT_DOOMS ? s->view.relations->doomed(s->view.of, &doomed) : 0;
  for (uint32_t i = 0; i < count; i++)
    if (doomed[i] != event->process && !eo_vec_push(&s->facts, ((fact){DOOMS, doomed[i], 0}))) return false;
  return add_messages(s, event) && add_waits(s, event);
}

static bool add_act(sets *s, eo_choice taken, const eo_event *event) {
  act x = {.process = taken.process,
           .child = event->op == EO_OP_SPAWN ? event->other : EO_NO_PROCESS,
           .received = event->op == EO_OP_RECEIVE ? event->message : 0,
           .op = event->op,
           .flags = event->flags,
           .took = taken.kind == EO_CHOICE_TAKE,
           .facts = s->facts.count};
  meet(s, x.process);
  meet(s, x.child);
  if (!eo_vec_push(&s->acts, x)) return false;
  if (!add_facts(s, event)) return false;
  eo_vec_last(&s->acts).fact_count = s->facts.count - x.facts;
  return order(s) && (!s->source || pass_on_sleepers(s));
}

static void sets_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  sets *s = (sets *)strategy;
  if (strategy->error) return;
  EO_CHECK(depth == s->acts.count && depth + 1 == s->points.count);
  if (!add_act(s, taken, event)) strategy->error = EO_ENOMEM;
  if (event->flags & (EO_EVENT_FAILED | EO_EVENT_IDLE)) want_all(s, &s->points.items[depth]);
}

/* ---- The search -------------------------------------------------------------------------------------------------- */

static uint32_t sets_choose(eo_strategy *strategy, const eo_point *here) {
  sets *s = (sets *)strategy;
  if (strategy->error) return EO_PRUNE;
  if (here->depth < s->points.count) {
    const point *at = &s->points.items[here->depth];
    return at->count == here->count ? at->taken : EO_PRUNE; /* not deterministic; the engine will say so */
  }
  point at = {.options = s->options.count, .facts = s->facts.count, .count = here->count};
  if (s->points.count) at.sleepers = eo_vec_last(&s->points).sleepers + eo_vec_last(&s->points).asleep;
  at.inherited = at.asleep = (uint32_t)(s->sleepers.count - at.sleepers);
  while (at.taken < here->count && asleep(s, &at, here->choices[at.taken].process)) at.taken++;
  if (at.taken == here->count) return EO_PRUNE;
  if (!eo_vec_reserve(&s->options, here->count) || !eo_vec_push(&s->points, at)) {
    strategy->error = EO_ENOMEM;
    return EO_PRUNE;
  }
  for (uint32_t i = 0; i < here->count; i++) {
    s->options.items[s->options.count++] = (option){.process = here->choices[i].process};
    /* A fault that is taken keeps others from theirs, of which no event tells. */
    if (here->choices[i].op == EO_OP_FAULT) strategy->doubts |= EO_DOUBT_FAULTS;
  }
  want(s, &at, here->choices[at.taken].process);
  return at.taken;
}

/* A step that was chosen and not taken, since it kills whole processes, is like a failure of which nothing is known. */
static void sets_end(eo_strategy *strategy, eo_outcome *outcome) {
  sets *s = (sets *)strategy;
  eo__doubt_unseen(strategy, &s->view);
  if (strategy->error || outcome->depth <= s->acts.count || s->points.count <= s->acts.count) return;
  const point *at = &eo_vec_last(&s->points);
  act x = {.process = outcome->choices[outcome->depth - 1].process,
           .child = EO_NO_PROCESS,
           .flags = UNKNOWN,
           .facts = s->facts.count,
           .clock = s->clocks.count};
  want_all(s, at);
  if (!eo_vec_push(&s->acts, x)) strategy->error = EO_ENOMEM;
}

/* The last point is done with what was taken there; what came after it is forgotten. */
static bool retire(sets *s) {
  point *at = &eo_vec_last(&s->points);
  bool acted = s->acts.count == s->points.count;
  act x = acted ? eo_vec_pop(&s->acts) : (act){0};
  s->options.items[at->options + at->taken].done = true;
  s->options.count = at->options + at->count;
  s->sleepers.count = at->sleepers + at->asleep;
  s->facts.count = at->facts;
  if (!acted) return true;
  s->clocks.count = x.clock;
  if (!s->source) return true;
  at->facts = s->facts.count = x.facts + x.fact_count; /* a sleeper's facts stay */
  at->asleep++;
  return eo_vec_push(&s->sleepers, x);
}

/* Another choice at the last point; those of the same process first, so that all of it is done or nothing. */
static bool move_on(sets *s) {
  point *at = &eo_vec_last(&s->points);
  const option *all = s->options.items + at->options;
  uint32_t process = all[at->taken].process, found = at->count;
  for (uint32_t i = at->count; i-- > 0;) {
    if (!all[i].wanted || all[i].done || asleep(s, at, all[i].process)) continue;
    if (found == at->count || all[i].process == process || all[found].process != process) found = i;
  }
  if (found == at->count) return false;
  at->taken = found;
  return true;
}

static bool sets_begin(eo_strategy *strategy, eo_beginning *beginning) {
  sets *s = (sets *)strategy;
  if (!s->started) return s->started = true;
  for (; s->points.count; (void)eo_vec_pop(&s->points)) {
    if (!retire(s)) {
      strategy->error = EO_ENOMEM;
      return false;
    }
    if (!move_on(s)) continue;
    beginning->shared = (uint32_t)s->points.count - 1;
    return true;
  }
  return !(s->finished = true);
}

static eo_coverage sets_coverage(eo_strategy *strategy, eo_text *words) {
  (void)strategy;
  eo__text_add(words, "every equivalence class of interleavings");
  return EO_COVERS_ALL;
}

/* As if what is wanted at each point so far were all that ever will be, and equal parts. */
static double sets_share(eo_strategy *strategy) {
  const sets *s = (const sets *)strategy;
  double share = s->finished, part = 1;
  for (size_t i = 0; i < s->points.count && part > 1e-12; i++) {
    uint32_t all = 0, done = 0;
    for (uint32_t j = 0; j < s->points.items[i].count; j++) {
      const option *o = &s->options.items[s->points.items[i].options + j];
      all += o->wanted;
      done += o->done;
    }
    part /= all;
    share += part * done;
  }
  return share;
}

static uint64_t sets_pending(eo_strategy *strategy) {
  const sets *s = (const sets *)strategy;
  uint64_t pending = 0;
  for (size_t i = 0; i < s->points.count; i++) {
    const point *at = &s->points.items[i];
    for (uint32_t j = 0; j < at->count; j++) {
      const option *o = &s->options.items[at->options + j];
      pending += o->wanted && !o->done && j != at->taken && !asleep(s, at, o->process);
    }
  }
  return pending;
}

/* Not to be split: a race that one part finds may ask for a branch in another. */
static const eo_strategy_ops sets_ops = {
    .close = sets_close,
    .begin = sets_begin,
    .choose = sets_choose,
    .observe = sets_observe,
    .end = sets_end,
    .telling = &(const eo_telling){.coverage = sets_coverage, .share = sets_share, .pending = sets_pending},
};

eo_strategy *eo__dpor_sets_open(const eo_strategy_options *options, bool source, eo_error *error) {
  const char *name = source ? "source" : "classic";
  if (!options->view.relations) {
    eo__error_set(error, EO_EINPUT, "--dpor %s: the subject does not say which of its steps depend on each other",
                  name);
    return NULL;
  }
  if (options->bounded) {
    eo__error_set(error, EO_EINPUT, "--dpor %s does not bound preemptions: leave --bound out", name);
    return NULL;
  }
  sets *s = eo__alloc(sizeof *s);
  if (!s) {
    eo__error_nomem(error);
    return NULL;
  }
  s->base.ops = &sets_ops;
  s->view = options->view;
  s->source = source;
  s->mailbox = options->delivery == EO_DELIVERY_MAILBOX;
  return &s->base;
}
