/* state_oracle.h: the states of a small subject, by plain breadth-first search: no strategy, no engine, no checkpoints, no
 * set of src/core. Each state is reached by running its choices from the start. For comparing strategies that keep states
 * with (Desai et al. 2015, theorem 2).
 *
 * A state is where a reset or a step leads that does not fail; ends and deadlocks are states. The subject must have been
 * opened with `fingerprints`. The first calls of functions leave traces of the dynamic linker on stacks (unless
 * LD_BIND_NOW is set): run something of the subject before. */
#ifndef EO_TESTS_STATE_ORACLE_H
#define EO_TESTS_STATE_ORACLE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "core/subject.h"

typedef struct oracle_state {
  uint64_t print[2];
  size_t from; /* its parent in `states`; itself at the start */
  eo_choice choice;
  uint32_t depth; /* fewest steps to it */
} oracle_state;

typedef struct oracle {
  EO_VEC(oracle_state) states; /* in the order they were met */
  EO_VEC(size_t) table;        /* index + 1, by fingerprint; a power of two */
  uint64_t transitions;        /* that do not fail */
  uint64_t failing;            /* transitions that fail */
  uint64_t stuck;              /* states without choices that are failures, such as deadlocks */
  uint64_t ends;               /* states without choices */
  bool more;                   /* there are more states than asked for */
} oracle;

static inline void oracle_release(oracle *o) {
  eo_vec_release(&o->states);
  eo_vec_release(&o->table);
}

static inline void oracle_grow(oracle *o) {
  size_t room = o->table.count ? 2 * o->table.count : 1024;
  eo_vec_clear(&o->table);
  if (!eo_vec_reserve(&o->table, room)) abort();
  memset(o->table.items, 0, room * sizeof *o->table.items);
  o->table.count = room;
  for (size_t i = 0; i < o->states.count; i++) {
    size_t at = o->states.items[i].print[0] & (room - 1);
    while (o->table.items[at]) at = (at + 1) & (room - 1);
    o->table.items[at] = i + 1;
  }
}

/* False: it is known. */
static inline bool oracle_add(oracle *o, const oracle_state *state) {
  if (2 * o->states.count >= o->table.count) oracle_grow(o);
  size_t mask = o->table.count - 1, at = state->print[0] & mask;
  for (; o->table.items[at]; at = (at + 1) & mask)
    if (memcmp(o->states.items[o->table.items[at] - 1].print, state->print, sizeof state->print) == 0) return false;
  if (!eo_vec_push(&o->states, *state)) abort();
  o->table.items[at] = o->states.count;
  return true;
}

/* Brings the subject to this state. False: a step on the way failed, which no step did before. */
static inline bool oracle_go(oracle *o, eo_subject *subject, size_t to, eo_event *events) {
  uint32_t depth = o->states.items[to].depth;
  eo_choice *path = malloc((depth + 1) * sizeof *path);
  if (!path) abort();
  for (uint32_t i = depth; i-- > 0; to = o->states.items[to].from) path[i] = o->states.items[to].choice;
  bool good = subject->ops->reset(subject);
  for (uint32_t i = 0; good && i < depth; i++) good = subject->ops->step(subject, path[i], &events[i]);
  free(path);
  return good;
}

/* Up to `most` states. False: the start fails, or the same choices did not lead to the same state again. */
static inline bool oracle_run(oracle *o, eo_subject *subject, size_t most) {
  enum { ORACLE_DEEPEST = 4096 };
  eo_event *events = calloc(ORACLE_DEEPEST, sizeof *events);
  EO_VEC(eo_choice) choices = {0};
  bool good = events && subject->ops->reset(subject);
  memset(o, 0, sizeof *o);
  if (good) {
    oracle_state start = {.depth = 0};
    subject->ops->states->fingerprint(subject, start.print);
    oracle_add(o, &start);
  }
  for (size_t at = 0; good && at < o->states.count && !o->more; at++) {
    oracle_state here = o->states.items[at], again = here;
    const eo_choice *listed;
    good = here.depth + 1 < ORACLE_DEEPEST && oracle_go(o, subject, at, events);
    if (!good) break;
    subject->ops->states->fingerprint(subject, again.print);
    good = memcmp(again.print, here.print, sizeof here.print) == 0;
    uint32_t count = subject->ops->enabled(subject, &listed);
    eo_vec_clear(&choices);
    if (count && !eo_vec_reserve(&choices, count)) abort();
    if (count) memcpy(choices.items, listed, count * sizeof *listed);
    o->ends += count == 0;
    o->stuck += count == 0 && !subject->ops->finish(subject);
    for (uint32_t i = 0; good && i < count; i++) {
      if (i) good = oracle_go(o, subject, at, events);
      if (!subject->ops->step(subject, choices.items[i], &events[here.depth])) {
        o->failing++;
        continue;
      }
      oracle_state next = {.from = at, .choice = choices.items[i], .depth = here.depth + 1};
      subject->ops->states->fingerprint(subject, next.print);
      o->transitions++;
      oracle_add(o, &next);
    }
    o->more = o->states.count > most;
  }
  eo_vec_release(&choices);
  free(events);
  return good;
}

#endif
