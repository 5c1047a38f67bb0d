/* thin.c: see thin.h. */
#include "subjects/model/thin.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "subjects/model/sequence.h"

enum { BITS_A_STATE = 3, FIRST_SIZE = 1 << 12 };

/* A state of the way, or one that branches off from it and waits. */
typedef struct entry {
  size_t parent; /* another one, below */
  size_t state, steps;
  uint32_t size, count; /* of bytes, and of steps from its parent */
  uint32_t depth;
  bool expanded;
} entry;

typedef struct searcher {
  eo_promela_search *search;
  eo_promela_run run;
  uint64_t *words; /* bits, or keys by open addressing: 0 is free */
  uint64_t mask;   /* of the number of a bit, or of a word */
  uint64_t set;    /* bits that are 1, or keys */
  double mistaken; /* the sum of the probabilities that a new state looks as if it had been seen */
  EO_VEC(entry) stack;
  EO_VEC(unsigned char) bytes;
  eo_promela_steps trail, path, found;
  size_t current; /* entry that is expanded */
  eo__sequence walk;
  bool timeout, stopped;
} searcher;

static void stop(searcher *s, const char *why) {
  if (!s->stopped) snprintf(s->search->why, sizeof s->search->why, "%s", why);
  s->stopped = true;
}

/* ---- What was seen ----------------------------------------------------------------------------------------------------- */

static bool see_bits(searcher *s, const uint64_t hash[2]) {
  bool fresh = false;
  double filled = (double)s->set / ((double)s->mask + 1);
  for (uint64_t i = 0; i < BITS_A_STATE; i++) {
    uint64_t at = (hash[0] + i * (hash[1] | 1)) & s->mask, bit = UINT64_C(1) << at % 64;
    if (s->words[at / 64] & bit) continue;
    s->words[at / 64] |= bit;
    s->set++;
    fresh = true;
  }
  if (fresh) s->mistaken += filled * filled * filled;
  return fresh;
}

static bool grow(searcher *s) {
  uint64_t size = s->words ? (s->mask + 1) * 2 : FIRST_SIZE;
  uint64_t *grown = eo__alloc(size * sizeof *grown);
  if (!grown) return false;
  for (uint64_t i = 0; s->words && i <= s->mask; i++) {
    uint64_t at = s->words[i] & (size - 1);
    while (s->words[i] && grown[at]) at = (at + 1) & (size - 1);
    if (s->words[i]) grown[at] = s->words[i];
  }
  eo__free(s->words);
  s->words = grown;
  s->mask = size - 1;
  return true;
}

/* False: no memory. */
static bool see(searcher *s, bool *fresh) {
  uint64_t hash[2];
  eo__promela_fingerprint(&s->run, hash);
  if (s->search->bits) {
    *fresh = see_bits(s, hash);
    return true;
  }
  if (s->set * 4 >= (s->mask + 1) * 3 && !grow(s)) return false;
  uint64_t key = hash[0] ? hash[0] : 1, at = key & s->mask;
  while (s->words[at] && s->words[at] != key) at = (at + 1) & s->mask;
  *fresh = !s->words[at];
  if (*fresh) s->mistaken += (double)s->set++ / 18446744073709551616.0;
  s->words[at] = key;
  return true;
}

/* ---- Paths and findings ------------------------------------------------------------------------------------------------ */

static bool steps_append(eo_promela_steps *to, const eo_promela_step *from, size_t count) {
  if (!eo_vec_reserve(to, count)) return false;
  if (count) memcpy(to->items + to->count, from, count * sizeof *from);
  to->count += count;
  return true;
}

static bool tell(searcher *s, const eo_failure *failure) {
  eo_promela_steps all = {0};
  size_t depth = s->stack.items[s->current].depth;
  bool good = eo_vec_reserve(&all, depth + 1);
  all.count = good ? depth : 0;
  for (size_t at = s->current, left = all.count; good && left; at = s->stack.items[at].parent) {
    const entry *e = &s->stack.items[at];
    left -= e->count;
    memcpy(all.items + left, s->trail.items + e->steps, e->count * sizeof *all.items);
  }
  good = good && steps_append(&all, s->path.items, s->path.count);
  s->search->counts.failures++;
  if (good && s->search->failure && !s->search->failure(s->search->context, failure, all.items, (uint32_t)all.count))
    stop(s, EO__AT_FINDING);
  if (s->search->stop_at_failure) stop(s, EO__AT_FINDING);
  eo_vec_release(&all);
  return good;
}

static bool take(void *context, eo_promela_step step, bool *on) {
  searcher *s = context;
  if (!eo_vec_push(&s->path, step)) return false;
  *on = true;
  if (eo__promela_apply(&s->run, step)) return true;
  *on = eo_promela_passes(&s->run);
  if (s->run.no_memory || s->run.halted) return !s->run.no_memory;
  eo_failure failure = s->run.failure;
  return tell(s, &failure);
}

static bool load(searcher *s) {
  const entry *e = &s->stack.items[s->current];
  eo_vec_clear(&s->path);
  if (!eo__promela_load(&s->run, s->bytes.items + e->state, e->size)) return false;
  s->run.timeout = s->timeout;
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

/* ---- Arriving and expanding --------------------------------------------------------------------------------------------- */

static bool arrive(void *context) {
  searcher *s = context;
  eo_promela_counts *counts = &s->search->counts;
  bool fresh = false, first = !s->stack.count;
  if (!see(s, &fresh)) return false;
  if (!fresh) {
    counts->matched++;
    return true;
  }
  counts->states++;
  uint32_t depth = first ? 0 : s->stack.items[s->current].depth + (uint32_t)s->path.count;
  if (depth > counts->depth) counts->depth = depth;
  entry e = {s->current, s->bytes.count, s->trail.count, (uint32_t)s->run.size, (uint32_t)s->path.count, depth, false};
  if (!eo_vec_push(&s->stack, e) || !steps_append(&s->trail, s->path.items, s->path.count) ||
      !eo_vec_reserve(&s->bytes, s->run.size))
    return false;
  memcpy(s->bytes.items + s->bytes.count, s->run.state, s->run.size);
  s->bytes.count += s->run.size;
  return true;
}

static bool dead_end(searcher *s) {
  if (eo__promela_ended_well(&s->run)) return true;
  eo_failure failure;
  eo__promela_dead_end(&s->run, &failure);
  return tell(s, &failure);
}

static bool expand(searcher *s) {
  bool on;
  eo__sequence_forget(&s->walk);
  s->timeout = false;
  if (!load(s) || !eo__promela_enabled(&s->run, &s->found)) return false;
  s->timeout = s->run.timeout;
  if (!s->found.count) return dead_end(s);
  for (size_t i = 0; i < s->found.count && !s->stopped; i++) {
    if ((i && !load(s)) || !take(s, s->found.items[i], &on)) return false;
    if (on && !s->stopped && !eo__sequence_on(&s->walk)) return false;
  }
  return true;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------------ */

static void measure(searcher *s) {
  s->search->bytes = (s->search->bits ? (s->mask + 1) / 8 : (s->mask + 1) * sizeof(uint64_t)) +
                     s->stack.capacity * sizeof(entry) + s->bytes.capacity +
                     (s->trail.capacity + s->path.capacity) * sizeof(eo_promela_step) + eo__sequence_bytes(&s->walk);
}

static bool look_round(void *context) {
  searcher *s = context;
  measure(s);
  if (s->search->progress) s->search->progress(s->search->context, s->search);
  if (s->search->stop && *s->search->stop) stop(s, "interrupted");
  if (s->search->most_bytes && s->search->bytes >= s->search->most_bytes) stop(s, EO__AT_MEMORY);
  return s->stopped;
}

static bool start(searcher *s) {
  if (!eo__promela_run_init(&s->run, s->search->model)) return false;
  s->run.delivery = s->search->delivery;
  s->run.watch = look_round;
  s->run.watcher = s;
  if (eo__promela_run_start(&s->run)) return arrive(s);
  if (s->run.no_memory) return false;
  eo__search_no_start(s->search, &s->run.failure);
  s->stopped = true;
  return true;
}

static bool run_all(searcher *s) {
  if (!start(s)) return false;
  while (s->stack.count && !s->stopped && !eo_promela_halts(&s->run)) {
    entry *top = &eo_vec_last(&s->stack);
    s->current = s->stack.count - 1;
    if (top->expanded) { /* all that branches off from it is done */
      s->bytes.count = top->state;
      s->trail.count = top->steps;
      s->stack.count--;
      continue;
    }
    top->expanded = true;
    if (s->search->most_states && s->search->counts.states >= s->search->most_states) stop(s, EO__AT_STATES);
    if (!s->stopped && !expand(s)) return false;
  }
  return true;
}

/* How much was left out, as far as that can be expected: a state that looks as if it had been seen, with all behind it. */
static void say_why(searcher *s) {
  double states = (double)s->search->counts.states, missed = s->mistaken / (states > 0 ? states : 1);
  char *why = s->search->why;
  size_t size = sizeof s->search->why;
  if (s->search->bits)
    snprintf(why, size, "--bitstate: an estimated %.*f %% of the states were visited", missed < 1e-4 ? 4 : 2,
             (1 - missed) * 100);
  else
    snprintf(why, size, "--hash-compact: a state is missed with an estimated probability of %.1g", s->mistaken);
}

int eo__promela_search_thin(eo_promela_search *search, eo_error *error) {
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
  if (search->bits) {
    s.mask = 1 << 16;
    while (s.mask * 2 / 8 <= search->bits) s.mask *= 2;
    s.words = eo__alloc(s.mask / 8);
    s.mask--;
  }
  bool good = (search->bits ? s.words != NULL : grow(&s)) && run_all(&s);
  if (good && !s.stopped) say_why(&s);
  measure(&s);
  eo__promela_run_release(&s.run);
  eo__sequence_release(&s.walk);
  eo__free(s.words);
  eo_vec_release(&s.stack);
  eo_vec_release(&s.bytes);
  eo_vec_release(&s.trail);
  eo_vec_release(&s.path);
  eo_vec_release(&s.found);
  return good ? EO_OK : eo__error_nomem(error);
}
