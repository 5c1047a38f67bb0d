/* full.c: the search of full.h. Each state in turn is expanded (expand.h) into a list of events, and the lists are read in the
 * order of the states: only here states are numbered, kept and told of. Of a state that was expanded nothing is kept but its
 * fingerprint, and by which event of which other one it was reached: that state is expanded again where a way is asked for. */
#include "subjects/model/full.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "subjects/model/full_inside.h"
#include "subjects/model/property.h"

typedef eo__full searcher;
typedef eo__origin origin;
typedef EO_VEC(uint32_t) numbers;

enum {
  FIRST_LOOK = 1024,
  BATCH = 1 << 14,    /* bytes of a list that is read while it is near */
  OVERFLOW = 1 << 20, /* and of one that is read in the middle of a state */
  FAR = 12,
  NEAR = 6, /* events ahead whose states are brought near */
  FEW = 16, /* states that are not worth a chunk */
};

/* ---- Limits -------------------------------------------------------------------------------------------------------- */

static void stop(searcher *s, const char *why) {
  if (!s->stopped) snprintf(s->search->why, sizeof s->search->why, "%s", why);
  s->stopped = true;
}

static void measure(searcher *s) {
  s->search->bytes = eo__states_bytes(&s->seen) + eo__pages_bytes(&s->origins) + eo__pages_bytes(&s->later) +
                     s->queue.bytes + eo__expander_bytes(&s->own) + eo__log_bytes(&s->log) + eo__log_bytes(&s->beside) +
                     eo__helpers_bytes(s->helpers);
  if (s->search->property) s->search->bytes += eo__cycles_bytes(&s->graph, s->origins.count);
}

/* Is there room for one more state, and for the table of states to grow behind it? */
static bool fits(searcher *s, uint32_t size) {
  uint64_t more = eo__states_growth(&s->seen) + eo__pages_growth(&s->origins) + eo__queue_growth(&s->queue, size);
  if (s->search->reduce) more += eo__pages_growth(&s->later);
  if (s->search->property) more += eo__cycles_growth(&s->graph);
  if (!more || !s->search->most_bytes || !s->origins.count) return true;
  measure(s);
  if (s->search->bytes + more <= s->search->most_bytes) return true;
  stop(s, EO__AT_MEMORY);
  return false;
}

/* Ends what is under way? */
static bool look_round(void *context) {
  searcher *s = context;
  eo_promela_search *search = s->search;
  measure(s);
  if (search->progress) search->progress(search->context, search);
  if (search->stop && *search->stop) stop(s, "interrupted");
  uint64_t more = eo__expander_bytes(&s->own); /* what it has inside of a sequence doubles when it is full */
  if (search->most_bytes && search->bytes + more >= search->most_bytes) stop(s, EO__AT_MEMORY);
  if (s->origins.count >= EO__STATES_NONE - 1) stop(s, "more than four thousand million states");
  return s->stopped;
}

/* ---- Ways ---------------------------------------------------------------------------------------------------------- */

typedef EO_VEC(unsigned char) waiting_state;

static bool wait_there(waiting_state *out, const unsigned char *state, uint32_t size, uint32_t depth) {
  eo__waiting head = {size, depth};
  eo_vec_clear(out);
  if (!eo_vec_reserve(out, sizeof head + size)) return false;
  memcpy(out->items, &head, sizeof head);
  memcpy(out->items + sizeof head, state, size);
  return true;
}

/* From a state by its nth arrival to the next. */
static bool trace(searcher *s, waiting_state *state, uint32_t nth, eo_promela_steps *steps) {
  eo__expander *t = &s->tracer;
  eo__log_clear(&s->trace);
  t->most_arrivals = (uint64_t)nth + 1;
  if (!eo__expand(t, state->items, EO__PART_ALL)) return false;
  const eo__event *e = &eo_vec_last(&s->trace.events);
  EO_CHECK(e->kind == EO__ARRIVES && t->arrivals == t->most_arrivals);
  eo_promela_steps way = {s->trace.steps.items + e->path, e->steps, e->steps};
  return eo_vec_append(steps, &way) && wait_there(state, s->trace.bytes.items + e->at, e->size, 0);
}

/* The steps of a way from the initial state by these arrivals. *loop: how many come before this one; may be NULL. */
static bool trace_all(searcher *s, const numbers *nth, size_t from, eo_promela_steps *steps, size_t *loop) {
  waiting_state state = {0};
  eo__expander *t = &s->tracer;
  bool good = t->search || eo__expander_open(t, s->search);
  t->log = &s->trace;
  t->keeps_steps = true;
  good = good && eo__promela_run_start(&t->run) && wait_there(&state, t->run.state, (uint32_t)t->run.size, 0);
  for (size_t i = 0; i < nth->count && good; i++) {
    if (i == from && loop) *loop = steps->count;
    good = trace(s, &state, nth->items[i], steps);
  }
  eo_vec_release(&state);
  return good;
}

static bool way_to(searcher *s, uint64_t number, eo_promela_steps *steps) {
  numbers nth = {0};
  bool good = true;
  for (; number && good; number = ((const origin *)eo_pages_at(&s->origins, number))->parent)
    good = eo_vec_push(&nth, ((const origin *)eo_pages_at(&s->origins, number))->nth);
  for (size_t i = 0; i < nth.count / 2; i++) {
    uint32_t other = nth.items[nth.count - 1 - i];
    nth.items[nth.count - 1 - i] = nth.items[i];
    nth.items[i] = other;
  }
  good = good && trace_all(s, &nth, 0, steps, NULL);
  eo_vec_release(&nth);
  return good;
}

static void tell(searcher *s, const eo_failure *failure, const eo_promela_steps *steps) {
  eo_promela_search *search = s->search;
  search->counts.failures++;
  if (search->failure && !search->failure(search->context, failure, steps->items, (uint32_t)steps->count))
    stop(s, EO__AT_FINDING);
  if (search->stop_at_failure) stop(s, EO__AT_FINDING);
}

/* What fails behind the state whose list is read. */
static bool tell_event(searcher *s, const eo__log *log, const eo__event *e) {
  const eo_failure *failure = &log->failures.items[e->at];
  eo_promela_steps all = {0}, own = {log->steps.items + e->path, e->steps, e->steps};
  bool known = s->search->known && s->search->known(s->search->context, failure);
  bool good = known || (way_to(s, s->current, &all) && eo_vec_append(&all, &own));
  if (known)
    s->search->counts.failures++;
  else if (good)
    tell(s, failure, &all);
  eo_vec_release(&all);
  return good;
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

static uint32_t *later_of(searcher *s, uint32_t number) { return eo_pages_at(&s->later, number); }

/* The last one that steps are put off to from a state. */
static uint32_t last_of(searcher *s, uint32_t number) {
  while (*later_of(s, number) != number) number = *later_of(s, number) = *later_of(s, *later_of(s, number));
  return number;
}

/* A step of the set has led to this state. */
static void put_off_to(searcher *s, uint32_t number) {
  s->closes |= number <= s->current;
  if (s->put_off == s->current && last_of(s, number) != s->current) s->put_off = number;
}

/* ---- Reading the events ---------------------------------------------------------------------------------------------- */

static bool keep(searcher *s, const eo__log *log, const eo__event *e, uint32_t depth) {
  eo__waiting head = {e->size, depth};
  unsigned char *record = eo__queue_add(&s->queue, sizeof head + e->size);
  if (!record) return false;
  memcpy(record, &head, sizeof head);
  memcpy(record + sizeof head, log->bytes.items + e->at, e->size);
  return true;
}

static bool arrive(searcher *s, const eo__log *log, const eo__event *e, bool first) {
  eo_promela_search *search = s->search;
  bool fresh = false;
  if (!fits(s, e->size)) {
    s->events--; /* it was not read */
    return true;
  }
  uint32_t number = eo__states_add(&s->seen, e->key, &fresh), nth = s->nth++;
  if (number == EO__STATES_NONE) return false;
  if (fresh && search->reduce && !eo__pages_push(&s->later, &number)) return false;
  if (search->reduce && !first) put_off_to(s, number);
  if (search->edge &&
      !search->edge(search->context, s->current, number, log->steps.items + e->path, e->steps, e->key, e->last))
    return false;
  if (search->property && !first && !eo__cycles_add(&s->graph, number, e->bears)) return false;
  if (!fresh) {
    search->counts.matched++;
    return true;
  }
  search->counts.states++;
  uint32_t depth = first ? 0 : s->depth + e->steps;
  if (depth > search->counts.depth) search->counts.depth = depth;
  return eo__pages_push(&s->origins, &(origin){(uint32_t)s->current, nth}) && keep(s, log, e, depth);
}

static bool tell_cycle(searcher *s, const eo__cycles_way *way) {
  eo_promela_steps steps = {0};
  numbers nth = {0};
  size_t loop = 0;
  bool good = true;
  for (size_t i = 0; i < way->hops.count && good; i++) good = eo_vec_push(&nth, way->hops.items[i].nth);
  good = good && trace_all(s, &nth, way->loop, &steps, &loop);
  if (good) {
    size_t length = steps.count - loop;
    eo_failure failure;
    eo__property_violated(s->search->property, length ? EO__VIOLATED_CYCLE : EO__VIOLATED_END, loop, length, &failure);
    s->cycled = true;
    tell(s, &failure, &steps);
  }
  eo_vec_release(&nth);
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

/* The list of the next state begins. */
static bool begin(searcher *s) {
  eo__waiting head;
  if (s->search->most_states && s->search->counts.states >= s->search->most_states) stop(s, EO__AT_STATES);
  if (s->stopped) return true;
  memcpy(&head, eo__queue_first(&s->queue), sizeof head);
  s->depth = head.depth;
  s->nth = 0;
  s->events = 0;
  s->put_off = (uint32_t)s->current;
  s->closes = false;
  s->begun = true;
  return !s->search->property || eo__cycles_node(&s->graph, (uint32_t)s->current);
}

static bool read_events(searcher *s, eo__log *log);

/* The steps beside the set, too. */
static bool take_others(searcher *s) {
  if (!eo__expand(&s->others, eo__queue_first(&s->queue), EO__PART_OTHERS)) return false;
  return s->stopped || read_events(s, &s->beside);
}

/* The list ends. With a reduction the others of its steps are taken, too, if they cannot be put off. */
static bool finish(searcher *s, bool left) {
  if (left && s->put_off != s->current && !(s->search->property && s->closes)) {
    *later_of(s, (uint32_t)s->current) = s->put_off;
  } else if (left) {
    s->at_others = true;
    s->events = 0;
    return take_others(s);
  }
  s->begun = s->at_others = false;
  eo__queue_forget(&s->queue);
  if (++s->current < s->level_end) return true;
  bool last = s->level_end == s->origins.count;
  s->level_end = s->origins.count;
  return look_for_cycles(s, last);
}

static bool read_event(searcher *s, const eo__log *log, const eo__event *e) {
  if (s->behind > 0) {
    s->behind--;
    return true;
  }
  s->events++;
  switch (e->kind) {
    case EO__ARRIVES: return arrive(s, log, e, false);
    case EO__FAILS: return tell_event(s, log, e);
    case EO__ENDS:
      if (s->search->dead_end) s->search->dead_end(s->search->context, s->current, e->good);
      return true;
    default: return finish(s, e->left);
  }
}

/* All that is in the list, which is empty then. */
static bool read_events(searcher *s, eo__log *log) {
  const eo__event *events = log->events.items;
  for (size_t i = 0, count = log->events.count; i < count && !s->stopped; i++) {
    if (i + FAR < count) eo__states_near(&s->seen, events[i + FAR].key);
    if (i + NEAR < count) eo__states_nearer(&s->seen, events[i + NEAR].key);
    if (!s->begun && !begin(s)) return false;
    if (!s->stopped && !read_event(s, log, &events[i])) return false;
  }
  eo__log_clear(log);
  return true;
}

/* ---- The search ------------------------------------------------------------------------------------------------------ */

static bool make_room(void *context) { return read_events(context, &((searcher *)context)->log); }
static bool make_room_beside(void *context) { return read_events(context, &((searcher *)context)->beside); }

/* Expands a state into the list of this thread, which is read in the middle of the state if it is very long. */
static bool expand_here(searcher *s, const unsigned char *state) {
  s->own.log = &s->log;
  s->own.most_size = OVERFLOW;
  s->own.overflow = make_room;
  bool good = eo__expand(&s->own, state, s->search->reduce ? EO__PART_SET : EO__PART_ALL);
  s->own.overflow = NULL;
  return good;
}

/* Puts the search away, if that is wanted now: what was not read is done again. */
static void store(searcher *s, bool last) {
  eo_promela_search *search = s->search;
  uint64_t sum[2];
  FILE *file = search->store ? search->store(search->context, last) : NULL;
  if (file) search->stored(search->context, file, eo__full_store(s, file, sum) ? sum : NULL);
}

static const unsigned char *take_state(searcher *s) {
  const unsigned char *state = eo__queue_read(&s->queue);
  s->taken += state != NULL;
  return state;
}

/* So many states that wait, or all there are. */
static bool expand_some(searcher *s, uint64_t most) {
  while (!s->stopped && most--) {
    const unsigned char *state = take_state(s);
    if ((!state || eo__log_size(&s->log) >= BATCH) && !read_events(s, &s->log)) return false;
    if (!s->log.events.count) store(s, false);
    if (!state) state = take_state(s);
    if (!state || s->stopped) return true;
    if (!expand_here(s, state)) return false;
  }
  return read_events(s, &s->log);
}

/* ---- With helpers ---- */

static void post(searcher *s) {
  for (eo__chunk *chunk; (chunk = eo__helpers_room(s->helpers));) {
    uint64_t wait = s->origins.count - s->taken, share = wait / (2 * s->search->jobs);
    bool some = eo__helpers_first(s->helpers) != NULL;
    if (wait < FEW || (some && share < FEW)) return;
    while (chunk->count < EO__CHUNK && chunk->count <= share) chunk->states[chunk->count++] = take_state(s);
    eo__helpers_post(s->helpers);
  }
}

/* Reads what is in a chunk, and does what is not. */
static bool read_chunk(searcher *s, eo__chunk *chunk) {
  if (chunk->no_memory || !read_events(s, &chunk->log)) return false;
  for (uint32_t i = chunk->expanded; i < chunk->count && !s->stopped; i++)
    if (!expand_here(s, chunk->states[i]) || !read_events(s, &s->log)) return false;
  return true;
}

static bool expand_together(searcher *s) {
  while (!s->stopped && s->current < s->origins.count) {
    post(s);
    eo__chunk *chunk = eo__helpers_first(s->helpers);
    if (!chunk) {
      if (!expand_some(s, FEW)) return false;
    } else if (eo__helpers_done(s->helpers, chunk)) {
      s->own.run.work += chunk->log.events.count;
      if (!read_chunk(s, chunk)) return false;
      eo__helpers_drop(s->helpers);
      store(s, false);
      eo_promela_halts(&s->own.run);
    } else if (!eo__helpers_help(s->helpers, &s->own)) {
      eo__helpers_wait(s->helpers, chunk);
      look_round(s);
    }
  }
  return true;
}

/* ---- Beginning and end ---- */

void eo__search_no_start(eo_promela_search *search, const eo_failure *failure) {
  search->counts.failures++;
  snprintf(search->why, sizeof search->why, "the start itself fails");
  if (search->failure) search->failure(search->context, failure, NULL, 0);
}

static bool start(searcher *s) {
  eo_promela_run *run = &s->own.run;
  if (!eo__promela_run_start(run)) {
    if (run->no_memory) return false;
    eo__search_no_start(s->search, &run->failure);
    s->stopped = true;
    return true;
  }
  eo__event first = {.kind = EO__ARRIVES, .size = (uint32_t)run->size};
  eo__promela_fingerprint(run, first.key);
  bool good = eo_vec_reserve(&s->log.bytes, run->size);
  if (good) memcpy(s->log.bytes.items, run->state, run->size);
  good = good && arrive(s, &s->log, &first, true);
  s->level_end = s->origins.count;
  return good;
}

static bool search_all(searcher *s) {
  eo_promela_search *search = s->search;
  if (!eo__expander_open(&s->own, search)) return false;
  s->own.halt = look_round;
  s->own.context = s;
  if (search->reduce) {
    if (!eo__expander_open(&s->others, search)) return false;
    s->others.log = &s->beside;
    s->others.most_size = OVERFLOW;
    s->others.overflow = make_room_beside;
    s->others.halt = look_round;
    s->others.context = s;
  }
  bool damaged = false;
  if (search->from && !eo__full_load(s, search->from, search->from_sum, &damaged)) {
    search->damaged = damaged;
    return damaged;
  }
  if (!search->from && !start(s)) return false;
  if (s->at_others && (!take_state(s) || !take_others(s))) return false; /* it was put away in the middle of them */
  if (search->jobs > 1) s->helpers = eo__helpers_open(search, search->jobs - 1);
  bool good = s->helpers ? expand_together(s) : expand_some(s, UINT64_MAX);
  search->complete = good && !s->stopped;
  if (good && !search->complete && s->origins.count) store(s, true);
  return good;
}

static void release(searcher *s) {
  eo__helpers_close(s->helpers);
  eo__expander_close(&s->own);
  eo__expander_close(&s->others);
  eo__expander_close(&s->tracer);
  eo__log_release(&s->log);
  eo__log_release(&s->beside);
  eo__log_release(&s->trace);
  eo__states_release(&s->seen);
  eo__pages_release(&s->origins);
  eo__pages_release(&s->later);
  eo__queue_release(&s->queue);
  eo__cycles_release(&s->graph);
}

int eo__promela_search_full(eo_promela_search *search, eo_error *error) {
  searcher s = {.search = search, .look_at = FIRST_LOOK};
  s.origins.size = sizeof(origin);
  s.later.size = sizeof(uint32_t);
  if (search->property)
    s.graph.all = (eo__bears){eo__property_all_marks(search->property), search->fair ? ~UINT64_C(0) : 0};
  search->counts = (eo_promela_counts){0};
  search->complete = false;
  search->why[0] = '\0';
  bool good = search_all(&s);
  measure(&s);
  release(&s);
  return good ? EO_OK : eo__error_nomem(error);
}

int eo__promela_search_por(eo_promela_search *search, eo_error *error) {
  search->reduce = true;
  int code = eo__promela_search_full(search, error);
  search->reduce = false;
  return code;
}
