/* full.c: the search of full.h. States in a queue wait to be expanded; a level of it at a time is kept in full, all others
 * only as fingerprints, with the steps that led to them from their parents. */
#include "subjects/model/full.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "subjects/model/ample.h"
#include "subjects/model/cycles.h"
#include "subjects/model/property.h"
#include "subjects/model/sequence.h"

/* How a state was reached: from its parent by these steps. */
typedef struct origin {
  uint32_t parent, depth;
  uint64_t steps; /* where they begin in `trail` */
} origin;

typedef EO_VEC(unsigned char) bytes;

typedef struct searcher {
  eo_promela_search *search;
  eo_promela_run run;
  eo__states seen;
  EO_VEC(origin) origins;
  eo_promela_steps trail;  /* steps of all origins, one after the other */
  bytes level, next_level; /* sizes and states */
  eo_promela_steps path;   /* from the state that is expanded */
  eo_promela_steps found;
  eo__sequence walk;
  uint64_t current;           /* number of the state that is expanded */
  const unsigned char *state; /* and the state itself, in `level` */
  uint32_t size;
  bool timeout;
  bool stopped;

  /* With a property. */
  EO_VEC(const eo_promela_arc *) arcs; /* that can be taken from the state that is expanded */
  uint64_t arrived;                    /* the state that was come to last */
  uint64_t marks, blocked;             /* what that state bears; processes that cannot go on there */
  eo__cycles graph;
  uint64_t look_at; /* number of states with which a cycle is looked for again */
  bool cycled;      /* one was told */
  bool retracing;   /* a way through the graph is gone again: */
  uint32_t skip;    /* so many arrivals are others, */
  bytes reached;    /* then the state is kept here */
  eo_promela_steps scratch;

  /* Reduced. */
  eo__ample ample;
  EO_VEC(uint32_t) later; /* by state: to which one steps are put off that are not taken there; itself: to none */
  uint32_t put_off;       /* a state behind a step of the set, to which the others can be put off; itself: none */
  bool closes;            /* a step of the set leads to a state that was expanded before */
} searcher;

enum { FIRST_LOOK = 1024 };

/* ---- Limits -------------------------------------------------------------------------------------------------------- */

static void stop(searcher *s, const char *why) {
  if (!s->stopped) snprintf(s->search->why, sizeof s->search->why, "%s", why);
  s->stopped = true;
}

static void measure(searcher *s) {
  s->search->bytes = eo__states_bytes(&s->seen) + s->origins.capacity * sizeof(origin) +
                     s->trail.capacity * sizeof(eo_promela_step) + s->level.capacity + s->next_level.capacity +
                     s->path.capacity * sizeof(eo_promela_step) + eo__sequence_bytes(&s->walk) +
                     s->later.capacity * sizeof(uint32_t);
  if (s->search->property) s->search->bytes += eo__cycles_bytes(&s->graph, s->origins.count);
}

/* Is there room for one more state, and for the table of states to grow behind it? Vectors double when they are full, which must not go beyond what is allowed. */
static bool fits(searcher *s) {
  uint64_t more = eo__states_growth(&s->seen);
  if (s->origins.count == s->origins.capacity) more += s->origins.capacity * sizeof(origin);
  if (s->trail.count + s->path.count > s->trail.capacity) more += s->trail.capacity * sizeof(eo_promela_step);
  if (s->search->reduce && s->later.count == s->later.capacity) more += s->later.capacity * sizeof(uint32_t);
  if (s->next_level.count + s->run.size + sizeof s->size > s->next_level.capacity) more += s->next_level.capacity;
  if (s->search->property) more += eo__cycles_growth(&s->graph);
  if (!more || !s->search->most_bytes) return true;
  measure(s);
  if (s->search->bytes + more <= s->search->most_bytes || !s->origins.count) return true;
  stop(s, EO__AT_MEMORY);
  return false;
}

static bool look_round(void *context) {
  searcher *s = context;
  eo_promela_search *search = s->search;
  measure(s);
  if (search->progress) search->progress(search->context, search);
  if (search->stop && *search->stop) stop(s, "interrupted");
  if (search->most_bytes && search->bytes >= search->most_bytes) stop(s, EO__AT_MEMORY);
  if (s->origins.count >= UINT32_MAX - 1) stop(s, "more than four thousand million states");
  return s->stopped;
}

/* ---- Paths --------------------------------------------------------------------------------------------------------- */

static bool steps_append(eo_promela_steps *to, const eo_promela_step *from, size_t count) {
  if (!eo_vec_reserve(to, count)) return false;
  if (count) memcpy(to->items + to->count, from, count * sizeof *from);
  to->count += count;
  return true;
}

static uint64_t steps_end(const searcher *s, uint64_t number) {
  return number + 1 < s->origins.count ? s->origins.items[number + 1].steps : s->trail.count;
}

/* All steps from the initial state to this one. */
static bool path_to(const searcher *s, uint64_t number, eo_promela_steps *out) {
  uint32_t length = s->origins.items[number].depth;
  if (!eo_vec_reserve(out, length)) return false;
  out->count = length;
  for (size_t at = length; number; number = s->origins.items[number].parent) {
    uint64_t from = s->origins.items[number].steps, count = steps_end(s, number) - from;
    at -= count;
    memcpy(out->items + at, s->trail.items + from, count * sizeof *out->items);
  }
  return true;
}

static bool tell(searcher *s, const eo_failure *failure) {
  if (s->retracing) return true;
  eo_promela_steps all = {0};
  bool good = path_to(s, s->current, &all) && steps_append(&all, s->path.items, s->path.count);
  s->search->counts.failures++;
  if (good && s->search->failure && !s->search->failure(s->search->context, failure, all.items, (uint32_t)all.count))
    stop(s, EO__AT_FINDING);
  if (s->search->stop_at_failure) stop(s, EO__AT_FINDING);
  eo_vec_release(&all);
  return good;
}

/* ---- Arriving and expanding ----------------------------------------------------------------------------------------- */

static bool keep(searcher *s, bytes *into) {
  uint32_t size = (uint32_t)s->run.size;
  if (!eo_vec_reserve(into, size + sizeof size)) return false;
  memcpy(into->items + into->count, &size, sizeof size);
  memcpy(into->items + into->count + sizeof size, s->run.state, size);
  into->count += size + sizeof size;
  return true;
}

/* ---- Putting steps off ---------------------------------------------------------------------------------------------- */

/* Why a reduced search misses nothing. Let w be a way from state s to a failure. If some step of w is in the set of s, the one
 * that is taken first can be taken before all others of w, and the rest of w is shorter. If none is, all of w can be done
 * behind any step of the set, also behind the one to the state that `later` names. From there it goes on in the same way: by
 * `later` nobody comes back to where he was, so that in the end a step of w is taken. A state where nothing but timeouts can
 * happen is a dead end of the system without them, and everything is done there.
 *
 * With a property, `later` is not enough, since an execution can go on for ever without a step: every cycle must have a state
 * where everything is done. States are expanded in order of their numbers, so that it is enough that each step of a set leads to
 * one with a larger number. */

/* The last one that steps are put off to from a state. */
static uint32_t last_of(searcher *s, uint32_t number) {
  uint32_t *later = s->later.items;
  while (later[number] != number) number = later[number] = later[later[number]];
  return number;
}

/* A step of the set has led to this state. */
static void put_off_to(searcher *s, uint32_t number) {
  s->closes |= number <= s->current;
  if (s->put_off == s->current && last_of(s, number) != s->current) s->put_off = number;
}

/* The run is at a state that counts. */
static bool arrive_at(searcher *s, bool first) {
  eo_promela_search *search = s->search;
  bool fresh = false;
  uint64_t number = eo__states_add(&s->seen, &s->run, &fresh);
  if (number == UINT64_MAX) return false;
  s->arrived = number;
  if (fresh && !fits(s)) return true;
  if (fresh && s->search->reduce && !eo_vec_push(&s->later, (uint32_t)number)) return false;
  if (s->search->reduce && !first) put_off_to(s, (uint32_t)number);
  if (search->edge &&
      !search->edge(search->context, s->current, number, s->path.items, (uint32_t)s->path.count, &s->run))
    return false;
  if (!fresh) {
    search->counts.matched++;
    return true;
  }
  search->counts.states++;
  uint32_t depth = first ? 0 : s->origins.items[s->current].depth + (uint32_t)s->path.count;
  if (depth > search->counts.depth) search->counts.depth = depth;
  origin o = {(uint32_t)s->current, depth, s->trail.count};
  return eo_vec_push(&s->origins, o) && steps_append(&s->trail, s->path.items, s->path.count) &&
         keep(s, &s->next_level);
}

/* The processes that took part in the steps to here. */
static uint64_t movers(const searcher *s) {
  uint64_t who = 0;
  for (size_t i = 0; i < s->path.count; i++) {
    const eo_promela_step *step = &s->path.items[i];
    if (step->process < 64) who |= UINT64_C(1) << step->process;
    if (step->receiver < 64) who |= UINT64_C(1) << step->receiver;
  }
  return who;
}

/* A way is gone again: is this the edge that it takes? */
static bool retrace_at(searcher *s) {
  if (s->skip-- > 0) return true;
  s->stopped = true;
  eo_vec_clear(&s->reached);
  return keep(s, &s->reached);
}

/* The run is behind the steps from a state, in each location that the property can be in then. */
static bool arrive(void *context) {
  searcher *s = context;
  if (!s->search->property) return arrive_at(s, false);
  for (size_t i = 0; i < s->arcs.count && !s->stopped; i++) {
    const eo_promela_arc *arc = s->arcs.items[i];
    eo__property_put(&s->run, arc->to);
    if (s->retracing ? !retrace_at(s) : !arrive_at(s, false)) return false;
    if (s->retracing || s->stopped) continue;
    eo__bears bears = {arc->marks | s->marks, movers(s) | s->blocked};
    if (!eo__cycles_add(&s->graph, (uint32_t)s->arrived, bears)) return false;
  }
  return true;
}

static void note_taken(searcher *s, eo_promela_step step) {
  unsigned char *taken = s->search->taken;
  if (!taken) return;
  taken[eo__promela_transition_of(&s->run, step.process, step.transition)->number] = 1;
  if (step.receiver == EO_PROMELA_NO_RECEIVER) return;
  taken[eo__promela_transition_of(&s->run, step.receiver, step.receiver_transition)->number] = 1;
}

static bool take(void *context, eo_promela_step step, bool *on) {
  searcher *s = context;
  note_taken(s, step);
  if (!eo_vec_push(&s->path, step)) return false;
  *on = true;
  if (eo__promela_apply(&s->run, step)) return true;
  *on = eo_promela_passes(&s->run);
  if (s->run.no_memory || s->run.halted) return !s->run.no_memory;
  eo_failure failure = s->run.failure;
  return tell(s, &failure);
}

/* The state that is expanded. */
static bool load(searcher *s) {
  if (!eo__promela_load(&s->run, s->state, s->size)) return false;
  s->run.timeout = s->timeout;
  eo_vec_clear(&s->path);
  return true;
}

static bool endless(void *context, const eo_failure *failure, bool closed) {
  searcher *s = context;
  eo_promela_steps way = s->path;
  s->path = (eo_promela_steps){0};
  bool good = closed || (load(s) && eo__sequence_prolong(&s->run, &way));
  eo_vec_release(&s->path);
  s->path = way;
  return good && tell(s, failure);
}

static bool dead_end(searcher *s) {
  bool good = eo__promela_ended_well(&s->run);
  if (s->search->dead_end) s->search->dead_end(s->search->context, s->current, good);
  if (good) return true;
  eo_failure failure;
  eo__promela_dead_end(&s->run, &failure);
  return tell(s, &failure);
}

/* ---- Properties ------------------------------------------------------------------------------------------------------- */

/* What the property can read in the state that is expanded. *on: something can. */
static bool read_state(searcher *s, bool *on) {
  const eo_promela_property *p = s->search->property;
  uint64_t letter;
  bool ends = false;
  *on = true;
  if (!p) return true;
  eo_vec_clear(&s->arcs);
  s->marks = eo__property_state_marks(p, &s->run);
  *on = eo__property_letter(p, &s->run, &letter);
  if (!*on) {
    eo_failure failure = s->run.failure;
    return tell(s, &failure);
  }
  const eo_promela_arcs *from = &p->locations[eo__property_get(&s->run)];
  for (uint32_t i = 0; i < from->count; i++) {
    if (!eo__property_reads(&from->items[i], letter)) continue;
    ends |= from->items[i].to == EO_PROPERTY_END;
    if (from->items[i].to != EO_PROPERTY_END && !eo_vec_push(&s->arcs, &from->items[i])) return false;
  }
  *on = s->arcs.count > 0;
  s->blocked = ~UINT64_C(0);
  if (s->search->fair && *on && !eo__property_blocked(&s->run, &s->scratch, &s->blocked)) return false;
  if (!ends) return true;
  eo_failure failure;
  eo__property_violated(p, EO__VIOLATED_NOW, s->origins.items[s->current].depth, 0, &failure);
  return tell(s, &failure) && (s->search->stop_at_failure || load(s));
}

static bool expand(searcher *s);

/* From this state by its nth edge to the next. */
static bool retrace(searcher *s, uint32_t nth, bytes *state, eo_promela_steps *steps) {
  memcpy(&s->size, state->items, sizeof s->size);
  s->state = state->items + sizeof s->size;
  s->skip = nth;
  s->stopped = false;
  if (!expand(s) || !steps_append(steps, s->path.items, s->path.count)) return false;
  bytes swapped = *state;
  *state = s->reached;
  s->reached = swapped;
  return true;
}

/* The way in steps of the model. */
static bool retrace_all(searcher *s, const eo__cycles_way *way, eo_promela_steps *steps, size_t *loop) {
  bytes state = {0};
  bool good = eo__promela_run_start(&s->run) && keep(s, &state);
  s->retracing = true;
  for (size_t i = 0; i < way->hops.count && good; i++) {
    if (i == way->loop) *loop = steps->count;
    good = retrace(s, way->hops.items[i].nth, &state, steps);
  }
  s->retracing = s->stopped = false;
  eo_vec_release(&state);
  return good;
}

static bool tell_cycle(searcher *s, const eo__cycles_way *way) {
  eo_promela_steps steps = {0};
  size_t loop = 0;
  bool good = retrace_all(s, way, &steps, &loop);
  if (good) {
    size_t length = steps.count - loop;
    eo_failure failure;
    eo__property_violated(s->search->property, length ? EO__VIOLATED_CYCLE : EO__VIOLATED_END, loop, length, &failure);
    s->search->counts.failures++;
    s->cycled = true;
    if (s->search->failure && !s->search->failure(s->search->context, &failure, steps.items, (uint32_t)steps.count))
      stop(s, EO__AT_FINDING);
    if (s->search->stop_at_failure) stop(s, EO__AT_FINDING);
  }
  eo_vec_release(&steps);
  return good;
}

/* Is there a cycle, as far as the graph is known? */
static bool look_for_cycles(searcher *s, bool last) {
  if (!s->search->property || s->cycled || (!last && s->origins.count < s->look_at)) return true;
  eo__cycles_way way = {0};
  bool found;
  s->look_at = s->origins.count * 2;
  bool good = eo__cycles_find(&s->graph, (uint32_t)s->origins.count, &found, &way);
  if (good && found) good = tell_cycle(s, &way);
  eo__cycles_way_release(&way);
  return good;
}

/* ---- Expanding --------------------------------------------------------------------------------------------------------- */

/* The steps from `from` to before `to`, and those inside atomic sequences behind them. */
static bool take_steps(searcher *s, size_t from, size_t to) {
  bool on;
  for (size_t i = from; i < to && !s->stopped; i++) {
    if (((i || s->search->property) && !load(s)) || !take(s, s->found.items[i], &on)) return false;
    if (on && !s->stopped && !eo__sequence_on(&s->walk)) return false;
  }
  return true;
}

/* Those of a set, and the others, if they cannot be put off. */
static bool take_some(searcher *s) {
  size_t some;
  if (!eo__ample_find(&s->ample, &s->run, &s->found, &some)) return false;
  s->put_off = (uint32_t)s->current;
  s->closes = false;
  if (!take_steps(s, 0, some)) return false;
  if (some == s->found.count || s->stopped) return true;
  bool all = s->put_off == s->current || (s->search->property && s->closes) || s->retracing;
  if (!all) s->later.items[s->current] = s->put_off;
  return !all || take_steps(s, some, s->found.count);
}

/* Every step from a state that must be taken. */
static bool expand(searcher *s) {
  bool on;
  eo__sequence_forget(&s->walk);
  s->timeout = false;
  if (!load(s) || !eo__promela_enabled(&s->run, &s->found)) return false;
  s->timeout = s->run.timeout;
  if (!read_state(s, &on)) return false;
  if (!on || s->stopped) return true;
  if (!s->found.count) return s->search->property ? arrive(s) : dead_end(s); /* the last state is read for ever */
  return s->search->reduce && !s->timeout ? take_some(s) : take_steps(s, 0, s->found.count);
}

/* ---- The search ------------------------------------------------------------------------------------------------------ */

static bool expand_level(searcher *s) {
  for (size_t at = 0; at < s->level.count && !s->stopped; s->current++) {
    memcpy(&s->size, s->level.items + at, sizeof s->size);
    s->state = s->level.items + at + sizeof s->size;
    at += sizeof s->size + s->size;
    if (s->search->most_states && s->search->counts.states >= s->search->most_states) stop(s, EO__AT_STATES);
    if (s->stopped || eo_promela_halts(&s->run)) break;
    if (s->search->property && !eo__cycles_node(&s->graph, (uint32_t)s->current)) return false;
    if (!expand(s)) return false;
  }
  return true;
}

void eo__search_no_start(eo_promela_search *search, const eo_failure *failure) {
  search->counts.failures++;
  snprintf(search->why, sizeof search->why, "the start itself fails");
  if (search->failure) search->failure(search->context, failure, NULL, 0);
}

static bool search_all(searcher *s) {
  if (!eo__promela_run_init(&s->run, s->search->model)) return false;
  s->run.delivery = s->search->delivery;
  s->run.watch = look_round;
  s->run.watcher = s;
  if (!eo__promela_run_start(&s->run)) {
    if (s->run.no_memory) return false;
    eo__search_no_start(s->search, &s->run.failure);
    return true;
  }
  if (!arrive_at(s, true)) return false;
  while (s->next_level.count && !s->stopped) {
    bytes done = s->level;
    s->level = s->next_level;
    s->next_level = done;
    eo_vec_clear(&s->next_level);
    if (!expand_level(s)) return false;
    if (!s->stopped && !look_for_cycles(s, !s->next_level.count)) return false;
  }
  s->search->complete = !s->stopped;
  return true;
}

int eo__promela_search_full(eo_promela_search *search, eo_error *error) {
  searcher s = {.search = search};
  s.walk = (eo__sequence){.run = &s.run,
                          .path = &s.path,
                          .stopped = &s.stopped,
                          .context = &s,
                          .step = take,
                          .arrive = arrive,
                          .endless = endless,
                          .many = EO__SEQUENCE_MANY};
  s.look_at = FIRST_LOOK;
  if (search->property)
    s.graph.all = (eo__bears){eo__property_all_marks(search->property), search->fair ? ~UINT64_C(0) : 0};
  search->counts = (eo_promela_counts){0};
  search->complete = false;
  search->why[0] = '\0';
  bool good = (!search->reduce || eo__ample_open(&s.ample, search->model, search->property)) && search_all(&s);
  search->counts.atomic = s.walk.steps;
  measure(&s);
  eo__promela_run_release(&s.run);
  eo__states_release(&s.seen);
  eo__sequence_release(&s.walk);
  eo_vec_release(&s.origins);
  eo_vec_release(&s.trail);
  eo_vec_release(&s.level);
  eo_vec_release(&s.next_level);
  eo_vec_release(&s.path);
  eo_vec_release(&s.found);
  eo_vec_release(&s.arcs);
  eo_vec_release(&s.scratch);
  eo_vec_release(&s.reached);
  eo__cycles_release(&s.graph);
  if (search->reduce) eo__ample_close(&s.ample);
  eo_vec_release(&s.later);
  return good ? EO_OK : eo__error_nomem(error);
}

int eo__promela_search_por(eo_promela_search *search, eo_error *error) {
  search->reduce = true;
  int code = eo__promela_search_full(search, error);
  search->reduce = false;
  return code;
}
