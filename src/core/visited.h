/* visited.h: the states that were seen, by fingerprint; shared by worker processes. */
#ifndef EO_CORE_VISITED_H
#define EO_CORE_VISITED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef enum eo_cache_mode {
  EO_CACHE_UNLIMITED, /* grows */
  EO_CACHE_REFUSE,    /* when it is full, new states are not kept */
  EO_CACHE_REPLACE,   /* when it is full, a new state takes the place of an old one */
  EO_CACHE_OFF
} eo_cache_mode;

typedef struct eo_visited eo_visited;

/* Opened before workers are forked, which then all see one set. `bytes`: the most memory it takes; 0: no limit of its
 * own. An error: it is too small for one state, or there is no memory. */
eo_visited *eo__visited_open(eo_cache_mode mode, uint64_t bytes, eo_error *error);
void eo__visited_close(eo_visited *visited);

typedef enum eo_visit {
  EO_VISIT_NEW,    /* and kept from now on */
  EO_VISIT_SEEN,   /* by somebody, before */
  EO_VISIT_REFUSED /* not known, and there is no room to keep it */
} eo_visit;

/* Is this state known? From now on it is. Any number of workers at the same time; exactly one of them is told NEW. */
eo_visit eo__visited_add(eo_visited *visited, const uint64_t fingerprint[2]);

/* This state will be asked for soon: fetches what that looks at, which mostly is far away, meanwhile. */
void eo__visited_fetch(const eo_visited *visited, const uint64_t fingerprint[2]);

bool eo__visited_has(const eo_visited *visited, const uint64_t fingerprint[2]);

/* So that a worker that dies can be made never to have been. own: this process is worker number so-and-so, below
 * EO_VISITED_WORKERS. slice: what it adds from now on counts when it calls this again, and not before. undo: that worker
 * has died: what it added in its last slice is forgotten, or everything, if that was too much to be noted. Whoever came to
 * one of these states meanwhile and went no further was right to do so: the slice will be explored again. */
enum { EO_VISITED_WORKERS = 256 };
void eo__visited_own(eo_visited *visited, uint32_t worker);
void eo__visited_slice(eo_visited *visited);
void eo__visited_undo(eo_visited *visited, uint32_t worker);

/* Forgets them all: after a worker has died, since of states that it had added nobody knows how much was explored. Others
 * may be adding: what they add meanwhile is kept or forgotten. The memory is not given back. */
void eo__visited_clear(eo_visited *visited);

/* As it was opened, with its memory given back; while no other process uses it. */
void eo__visited_empty(eo_visited *visited);

uint64_t eo__visited_count(const eo_visited *visited); /* states kept, those that were cleared included */
uint64_t eo__visited_bytes(const eo_visited *visited); /* memory in use for them */
uint64_t eo__visited_lost(const eo_visited *visited);  /* refused or replaced so far; 0: the set is exact */

#endif
