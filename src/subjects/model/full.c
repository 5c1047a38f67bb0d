/* full.c: the search of full.h. States in a queue wait to be expanded; a level of it at a time is kept in full, all others
 * only as fingerprints, with the steps that led to them from their parents. */
#include "subjects/model/full.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

enum { PROGRESS_EVERY = 4096, MOST_ATOMIC = 100000, MANY_INSIDE = 4096, MOST_STACK = 1 << 28 };

/* The states that were seen: open addressing; an entry that is all 0 is free. `number` is of the state. */
typedef struct seen_entry {
  uint64_t key[2];
  uint64_t number;
} seen_entry;

typedef struct seen {
  seen_entry *entries;
  uint64_t count, mask;
} seen;

/* How a state was reached: from its parent by these steps. */
typedef struct origin {
  uint32_t parent, depth;
  uint64_t steps; /* where they begin in `trail` */
} origin;

typedef EO_VEC(unsigned char) bytes;

/* A state on the way: the root, or inside an atomic sequence, with what is still to be tried from it. */
typedef struct frame {
  size_t state, size;      /* in `stack` */
  size_t steps, next, end; /* in `pending` */
  bool timeout;
} frame;

typedef struct searcher {
  eo_promela_search *search;
  eo_promela_run run;
  seen seen;
  EO_VEC(origin) origins;
  eo_promela_steps trail;  /* steps of all origins, one after the other */
  bytes level, next_level; /* sizes and states */
  EO_VEC(frame) frames;
  bytes stack;
  eo_promela_steps pending, path, found;
  uint64_t current; /* number of the state that is expanded */
  seen inside;      /* states inside atomic sequences that were met in this expansion, once there are many */
  uint64_t inside_count;
  bool stopped, no_memory;
} searcher;

/* ---- States that were seen ---------------------------------------------------------------------------------------- */

static bool seen_grow(seen *s) {
  uint64_t size = s->entries ? (s->mask + 1) * 2 : 1 << 12;
  seen_entry *grown = eo_alloc(size * sizeof *grown);
  if (!grown) return false;
  for (uint64_t i = 0; s->entries && i <= s->mask; i++) {
    if (!s->entries[i].key[0] && !s->entries[i].key[1]) continue;
    uint64_t at = s->entries[i].key[0] & (size - 1);
    while (grown[at].key[0] || grown[at].key[1]) at = (at + 1) & (size - 1);
    grown[at] = s->entries[i];
  }
  eo_free(s->entries);
  s->entries = grown;
  s->mask = size - 1;
  return true;
}

/* Its entry; *fresh: it was not there. NULL: no memory. */
static seen_entry *seen_add(seen *s, const uint64_t hash[2], bool *fresh) {
  uint64_t key[2] = {hash[0], hash[1] | 1}; /* never all 0 */
  if ((!s->entries || s->count * 3 >= (s->mask + 1) * 2) && !seen_grow(s)) return NULL;
  uint64_t at = key[0] & s->mask;
  while (s->entries[at].key[0] || s->entries[at].key[1]) {
    if (s->entries[at].key[0] == key[0] && s->entries[at].key[1] == key[1]) {
      *fresh = false;
      return &s->entries[at];
    }
    at = (at + 1) & s->mask;
  }
  s->entries[at] = (seen_entry){{key[0], key[1]}, s->count++};
  *fresh = true;
  return &s->entries[at];
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
  if (s->search->stop_at_failure) s->stopped = true;
  if (good && s->search->failure && !s->search->failure(s->search->context, failure, all.items, (uint32_t)all.count))
    s->stopped = true;
  if (s->stopped) snprintf(s->search->why, sizeof s->search->why, "at the first finding");
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
static bool arrive(searcher *s, bool first) {
  eo_promela_search *search = s->search;
  uint64_t hash[2];
  bool fresh = false;
  eo_promela_fingerprint(&s->run, hash);
  seen_entry *entry = seen_add(&s->seen, hash, &fresh);
  if (!entry) return false;
  if (search->edge &&
      !search->edge(search->context, s->current, entry->number, s->path.items, (uint32_t)s->path.count, &s->run))
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

static bool push_frame(searcher *s) {
  frame f = {s->stack.count, s->run.size, s->pending.count, s->pending.count, 0, s->run.timeout};
  if (!steps_append(&s->pending, s->found.items, s->found.count) || !eo_vec_reserve(&s->stack, s->run.size))
    return false;
  memcpy(s->stack.items + s->stack.count, s->run.state, s->run.size);
  s->stack.count += s->run.size;
  f.end = s->pending.count;
  return eo_vec_push(&s->frames, f);
}

static bool endless(searcher *s) {
  eo_failure failure = {.kind = EO_KIND_LOOP};
  snprintf(failure.message, sizeof failure.message, "an atomic sequence of more than %d steps", MOST_ATOMIC);
  return tell(s, &failure);
}

/* As in pan, nothing is remembered inside atomic sequences; but where choices in a loop would be tried in all their
 * combinations, what was met in this expansion is. False: no memory. */
static bool met_inside(searcher *s, bool *fresh) {
  uint64_t hash[2];
  if (++s->inside_count <= MANY_INSIDE) return true;
  eo_promela_fingerprint(&s->run, hash);
  return seen_add(&s->inside, hash, fresh) != NULL;
}

static void forget_inside(searcher *s) {
  s->inside_count = 0;
  if (!s->inside.entries) return;
  eo_free(s->inside.entries);
  s->inside = (seen){0};
}

/* After a step: on inside an atomic sequence, or at a state that counts. */
static bool after_step(searcher *s) {
  uint32_t floor = eo_promela_floor(&s->run);
  if (floor != EO_PROMELA_NOBODY) {
    eo_vec_clear(&s->found);
    s->run.timeout = false;
    if (!eo_promela_enabled_of(&s->run, floor, &s->found)) return false;
    if (s->found.count) {
      bool fresh = true;
      s->search->counts.atomic++;
      if (!met_inside(s, &fresh)) return false;
      if (!fresh) return true;
      return s->path.count < MOST_ATOMIC && s->stack.count < MOST_STACK ? push_frame(s) : endless(s);
    }
    eo_promela_yield(&s->run);
  }
  return arrive(s, false);
}

static void note_taken(searcher *s, eo_promela_step step) {
  unsigned char *taken = s->search->taken;
  if (!taken) return;
  taken[eo_promela_transition_of(&s->run, step.process, step.transition)->number] = 1;
  if (step.receiver == EO_PROMELA_NO_RECEIVER) return;
  taken[eo_promela_transition_of(&s->run, step.receiver, step.receiver_transition)->number] = 1;
}

static bool take(searcher *s, eo_promela_step step, const frame *from) {
  if (!eo_promela_load(&s->run, s->stack.items + from->state, from->size)) return false;
  note_taken(s, step);
  s->run.timeout = from->timeout;
  if (!eo_vec_push(&s->path, step)) return false;
  if (eo_promela_apply(&s->run, step)) return after_step(s);
  if (s->run.no_memory) return false;
  eo_failure failure = s->run.failure;
  if (!tell(s, &failure)) return false;
  return failure.kind != EO_KIND_ASSERTION || s->stopped || after_step(s);
}

static bool dead_end(searcher *s) {
  bool good = eo_promela_ended_well(&s->run);
  if (s->search->dead_end) s->search->dead_end(s->search->context, s->current, good);
  if (good) return true;
  eo_failure failure;
  eo_promela_dead_end(&s->run, &failure);
  return tell(s, &failure);
}

/* Every step from a state, and from those inside atomic sequences behind it. */
static bool expand(searcher *s, const unsigned char *state, size_t size) {
  forget_inside(s);
  eo_vec_clear(&s->stack);
  eo_vec_clear(&s->pending);
  eo_vec_clear(&s->path);
  if (!eo_promela_load(&s->run, state, size) || !eo_promela_enabled(&s->run, &s->found)) return false;
  if (!s->found.count) return dead_end(s);
  if (!push_frame(s)) return false;
  while (s->frames.count && !s->stopped) {
    frame *top = &eo_vec_last(&s->frames);
    s->path.count = s->frames.count - 1;
    if (top->next < top->end) {
      frame from = *top;
      top->next++;
      if (!take(s, s->pending.items[from.next], &from)) return false;
    } else {
      s->stack.count = top->state;
      s->pending.count = top->steps;
      s->frames.count--;
    }
  }
  eo_vec_clear(&s->frames);
  return true;
}

/* ---- The search ------------------------------------------------------------------------------------------------------ */

static void measure(searcher *s) {
  s->search->bytes = s->seen.entries ? (s->seen.mask + 1) * sizeof(seen_entry) : 0;
  s->search->bytes += s->origins.capacity * sizeof(origin) + s->trail.capacity * sizeof(eo_promela_step);
  s->search->bytes += s->level.capacity + s->next_level.capacity;
}

static void look_round(searcher *s) {
  eo_promela_search *search = s->search;
  measure(s);
  if (search->progress) search->progress(search->context, search);
  const char *why = NULL;
  if (search->stop && *search->stop) why = "interrupted";
  if (search->most_states && search->counts.states >= search->most_states) why = "as many states as were asked for";
  if (search->most_bytes && search->bytes >= search->most_bytes) why = "as much memory as was allowed";
  if (s->origins.count >= UINT32_MAX - 1) why = "more than four thousand million states";
  if (!why) return;
  s->stopped = true;
  snprintf(search->why, sizeof search->why, "%s", why);
}

static bool expand_level(searcher *s) {
  for (size_t at = 0; at < s->level.count && !s->stopped; s->current++) {
    uint32_t size;
    memcpy(&size, s->level.items + at, sizeof size);
    at += sizeof size;
    if (s->current % PROGRESS_EVERY == 0 ||
        (s->search->most_states && s->search->counts.states >= s->search->most_states))
      look_round(s);
    if (s->stopped) break;
    if (!expand(s, s->level.items + at, size)) return false;
    at += size;
  }
  return true;
}

static bool search_all(searcher *s) {
  if (!eo_promela_run_init(&s->run, s->search->model)) return false;
  s->run.delivery = s->search->delivery;
  if (!eo_promela_run_start(&s->run)) {
    if (s->run.no_memory) return false;
    s->search->counts.failures++;
    snprintf(s->search->why, sizeof s->search->why, "the initial state itself fails");
    return !s->search->failure || s->search->failure(s->search->context, &s->run.failure, NULL, 0) || true;
  }
  if (!arrive(s, true)) return false;
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

int eo_promela_search_full(eo_promela_search *search, eo_error *error) {
  searcher s = {.search = search};
  search->counts = (eo_promela_counts){0};
  search->complete = false;
  search->why[0] = '\0';
  bool good = search_all(&s);
  measure(&s);
  eo_promela_run_release(&s.run);
  eo_free(s.seen.entries);
  eo_free(s.inside.entries);
  eo_vec_release(&s.origins);
  eo_vec_release(&s.trail);
  eo_vec_release(&s.level);
  eo_vec_release(&s.next_level);
  eo_vec_release(&s.frames);
  eo_vec_release(&s.stack);
  eo_vec_release(&s.pending);
  eo_vec_release(&s.path);
  eo_vec_release(&s.found);
  return good ? EO_OK : eo_error_nomem(error);
}
