/* blocking.h: the next blocking points of a state (Lei's dissertation, definitions 6 and 7; function gen_next_bp of figure 2.5):
 * the states in which every process has an open receive, or a visible transition (section 5.2.1), or nothing to do, that
 * the processes reach without receiving. */
#ifndef EO_PROMELA_BLOCKING_H
#define EO_PROMELA_BLOCKING_H

#include "subjects/model/efsm.h"
#include "subjects/model/reduced.h"

typedef enum eo__blocking_kind { EO__GOES_ON, EO__RECEIVES, EO__VISIBLE, EO__ENDS } eo__blocking_kind;

/* A saved state; the last that was saved is dropped first. */
typedef struct eo__blocking_state {
  size_t at, size;
  uint32_t processes;
} eo__blocking_state;

/* Where one process stops: by these steps. */
typedef struct eo__blocking_stop {
  size_t steps, count;
} eo__blocking_stop;

/* A state on the way of one process. */
typedef struct eo__blocking_place {
  uint64_t hash[2];
  eo_promela_step step; /* that led to it */
  uint32_t parent;
  bool open; /* its successors are being visited */
} eo__blocking_place;

typedef struct eo__blocking {
  eo__efsm efsm;
  bool moved[EO_PROMELA_MOST_PROCESSES + 1]; /* on the way to the blocking point */
  eo_promela_steps found;
  EO_VEC(unsigned char) saved;
  EO_VEC(eo__blocking_place) places;
  EO_VEC(eo__blocking_stop) stops;
  size_t first[EO_PROMELA_MOST_PROCESSES + 2]; /* stops of each process */
  eo_promela_steps steps;                      /* of stops, and pending ones behind them */
  EO_VEC(uint64_t) met;                        /* blocking points that were visited from this state */
  bool (*visit)(void *context, eo__reduced *r);
  void *context;
} eo__blocking;

/* Calls for each next blocking point of where the run is, with the run at it and the path to it. False: no memory. */
bool eo__blocking_points(eo__blocking *b, eo__reduced *r, bool (*visit)(void *, eo__reduced *), void *context);
uint64_t eo__blocking_bytes(const eo__blocking *b); /* of memory */
void eo__blocking_release(eo__blocking *b);

eo__blocking_kind eo__blocking_kind_of(const eo__blocking *b, const eo_promela_run *run, eo_promela_step step);
bool eo__blocking_looks(const eo__blocking *b, const eo_promela_run *run, uint32_t process); /* a visible one is due */

bool eo__blocking_save(eo__blocking *b, const eo__reduced *r, eo__blocking_state *state);
bool eo__blocking_restore(eo__blocking *b, eo__reduced *r, eo__blocking_state state);
void eo__blocking_drop(eo__blocking *b, eo__blocking_state state);

#endif
