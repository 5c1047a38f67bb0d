/* explorer.h: the delaying explorers there are, and an execution under one of them: what strategies that count delays
 * share (Desai et al. 2015, section 2).
 *
 * A walk follows the execution under way. At each point with a choice it knows what the explorer would do, and what it
 * would do after one delay, after two, ...; it keeps the explorer's state at each of these points (branches), so that an
 * execution that shares its first steps with the last one can go on from any of them.
 *
 * It also checks that the explorer is sound: a choice that a delay gives and that was given before at the same branch is
 * an error, always; and at the first EO_CHECKED_FIRST branches and at every EO_CHECKED_EVERYth after them it is tried
 * whether as many delays as there are choices give each of them once and then the first again. So whoever takes at a
 * branch as many choices as there are has taken all of them. */
#ifndef EO_EXPLORERS_EXPLORER_H
#define EO_EXPLORERS_EXPLORER_H

#include <explorer.h>

#include "base/error.h"
#include "base/vec.h"
#include "core/strategy.h"

extern const eo_explorer eo__explorer_rr, eo__explorer_rtc, eo__explorer_prr, eo__explorer_any, eo__explorer_custom;

/* Those that the test program has added, in that order; NULL: there are no more. */
const eo_explorer *eo__explorer_added(size_t index);

/* The explorer of a plug-in; NULL and *error: it cannot be used, and why. A file is loaded once. */
const eo_explorer *eo__explorer_load(const char *path, eo_error *error);

/* Is everything there that it must have? `where` is for the error. */
int eo__explorer_check(const eo_explorer *explorer, const char *where, eo_error *error);

enum { EO_CHECKED_FIRST = 1024, EO_CHECKED_EVERY = 64 };

/* A point with more than one choice, on the path of the execution under way. */
typedef struct eo_branch {
  uint32_t depth, count;
  uint32_t delays;    /* made here */
  uint32_t total;     /* made in the execution up to here, those here included */
  uint32_t processes; /* that there were */
  uint32_t size;      /* of the explorer's state, in words */
  size_t at;          /* in `kept`: the state on arrival, the state after the delays, which choices were given */
} eo_branch;

/* An execution, or how it begins: at which branch to delay, counted from 0 along the path, and how often. By branch, each
 * with at least one delay. */
typedef struct eo_way_point {
  uint32_t branch, delays;
} eo_way_point;
typedef EO_VEC(eo_way_point) eo_way;

typedef struct eo_walk {
  const eo_explorer *explorer;
  eo_view view;
  uint64_t seed;
  EO_VEC(uint64_t) state;             /* of the explorer now; words, for their alignment */
  EO_VEC(uint32_t) processes;         /* the subject's numbers of the processes, in order of creation */
  EO_VEC(uint32_t) places;            /* by number: where in `processes`, if it is there */
  EO_VEC(eo_explorer_choice) choices; /* of the point at hand */
  EO_VEC(eo_branch) path;
  EO_VEC(uint64_t) kept;
  EO_VEC(uint64_t) tried; /* a state to try the explorer on */
  eo_way way;             /* where the path delays */
  eo_way target;          /* where it shall delay, while `following` */
  size_t followed;        /* points of the target that are behind */
  bool following;         /* the path has not come to the last point of the target yet */
  bool back, more;        /* the execution begins at the last branch of the path; by one more delay there */
  uint64_t arrivals;
  char trouble[400]; /* the explorer is not sound: how */
} eo_walk;

void eo__walk_init(eo_walk *walk, const eo_explorer *explorer, eo_view view, uint64_t seed);
void eo__walk_release(eo_walk *walk);

/* Does the explorer's state depend on the seed? False: no memory. */
bool eo__walk_draws(eo_walk *walk, bool *draws);

/* What the next execution is; without either of these it is the undelayed one from the start.
 * delay: the path up to its last branch, and one more delay there.
 * follow: delays where `target`, which the caller has filled, says. Keeps what that has in common with the path. */
void eo__walk_delay(eo_walk *walk);
void eo__walk_follow(eo_walk *walk);

/* Whatever was run before has nothing in common with the next execution. */
void eo__walk_forget(eo_walk *walk);

/* Then: how many first steps it shares with the last one. */
uint32_t eo__walk_begin(eo_walk *walk);

/* A number of the execution that was begun so, not 0, that depends on where it delays alone. */
uint64_t eo__walk_name(const eo_walk *walk);

/* The index of the choice to take. EO_PRUNE: the program is not deterministic, or memory ran out (*failed), or the
 * explorer is not sound (*failed, and there is `trouble`). */
uint32_t eo__walk_choose(eo_walk *walk, const eo_point *point, bool *failed);

/* After eo__walk_choose at a point with a choice: the index of the choice to take after one more delay. */
uint32_t eo__walk_more(eo_walk *walk, const eo_point *point);

/* The same for an execution that somebody else decides on: this choice is taken, and *made is how many delays lead to it.
 * False: memory ran out, or the explorer is not sound. */
bool eo__walk_take(eo_walk *walk, const eo_point *point, uint32_t index, uint32_t *made);

/* A step was taken. False: no memory. */
bool eo__walk_observe(eo_walk *walk, const eo_event *event);

/* The execution ended after so many steps. */
void eo__walk_end(eo_walk *walk, uint32_t depth);

/* Takes the last branch off the path. */
void eo__walk_leave(eo_walk *walk);

static inline uint32_t eo__walk_total(const eo_walk *walk) {
  return walk->path.count ? eo_vec_last(&walk->path).total : 0;
}

#endif
