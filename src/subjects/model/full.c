/* full.c: the search of full.h. States in a queue wait to be expanded; a level of it at a time is kept in full, all others
 * only as fingerprints, with the steps that led to them from their parents. */
#include "subjects/model/full.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
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
} searcher;

/* ---- Limits -------------------------------------------------------------------------------------------------------- */

static void stop(searcher *s, const char *why) {
  if (!s->stopped) snprintf(s->search->why, sizeof s->search->why, "%s", why);
  s->stopped = true;
}

static void measure(searcher *s) {
  s->search->bytes = eo__states_bytes(&s->seen) + s->origins.capacity * sizeof(origin) +
                     s->trail.capacity * sizeof(eo_promela_step) + s->level.capacity + s->next_level.capacity +
                     s->path.capacity * sizeof(eo_promela_step) + eo__sequence_bytes(&s->walk);
}

/* Is there room for one more state, and for the table of states to grow behind it? Vectors double when they are full, which must not go beyond what is allowed. */
static bool fits(searcher *s) {
  uint64_t more = eo__states_growth(&s->seen);
  if (s->origins.count == s->origins.capacity) more += s->origins.capacity * sizeof(origin);
  if (s->trail.count + s->path.count > s->trail.capacity) more += s->trail.capacity * sizeof(eo_promela_step);
  if (s->next_level.count + s->run.size + sizeof s->size > s->next_level.capacity) more += s->next_level.capacity;
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

/* The run is at a state that counts. */
static bool arrive_at(searcher *s, bool first) {
  eo_promela_search *search = s->search;
  bool fresh = false;
  uint64_t number = eo__states_add(&s->seen, &s->run, &fresh);
  if (number == UINT64_MAX) return false;
  if (fresh && !fits(s)) return true;
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

static bool arrive(void *context) { return arrive_at(context, false); }

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

/* Every step from a state, and from those inside atomic sequences behind it. */
static bool expand(searcher *s) {
  eo__sequence_forget(&s->walk);
  s->timeout = false;
  if (!load(s) || !eo__promela_enabled(&s->run, &s->found)) return false;
  s->timeout = s->run.timeout;
  if (!s->found.count) return dead_end(s);
  for (size_t i = 0; i < s->found.count && !s->stopped; i++) {
    bool on;
    if ((i && !load(s)) || !take(s, s->found.items[i], &on)) return false;
    if (on && !s->stopped && !eo__sequence_on(&s->walk)) return false;
  }
  return true;
}

/* ---- The search ------------------------------------------------------------------------------------------------------ */

static bool expand_level(searcher *s) {
  for (size_t at = 0; at < s->level.count && !s->stopped; s->current++) {
    memcpy(&s->size, s->level.items + at, sizeof s->size);
    s->state = s->level.items + at + sizeof s->size;
    at += sizeof s->size + s->size;
    if (s->search->most_states && s->search->counts.states >= s->search->most_states) stop(s, EO__AT_STATES);
    if (s->stopped || eo_promela_halts(&s->run)) break;
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
  search->counts = (eo_promela_counts){0};
  search->complete = false;
  search->why[0] = '\0';
  bool good = search_all(&s);
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
  return good ? EO_OK : eo__error_nomem(error);
}
