/* full_inside.h: the inside of the search of full.h, for its files: full.c, the search, and full_store.c, which puts it away. */
#ifndef EO_PROMELA_FULL_INSIDE_H
#define EO_PROMELA_FULL_INSIDE_H

#include "subjects/model/helpers.h"
#include "subjects/model/queue.h"
#include "subjects/model/states.h"

/* How a state was reached: by the nth arrival from another one. */
typedef struct eo__origin {
  uint32_t parent, nth;
} eo__origin;

typedef struct eo__full {
  eo_promela_search *search;
  eo__states seen;
  eo_pages origins;
  eo__queue queue; /* states whose lists were not read to their end */
  uint64_t taken;  /* states of the queue that somebody was given to expand */
  eo__expander own;
  eo__log log;          /* of states that this thread expands, */
  eo__helpers *helpers; /* beside these; NULL: alone */

  /* The state whose list is read. */
  uint64_t current; /* its number */
  uint32_t depth, nth;
  uint64_t events; /* of its list that were read; of the list of the others (below), when that is read */
  uint64_t behind; /* and that are to be passed over: they were read before it was put away */
  bool begun;
  uint64_t level_end; /* the first of the next level */
  bool stopped;

  /* Ways. */
  eo__expander tracer;
  eo__log trace;

  /* With a property. */
  eo__cycles graph;
  uint64_t look_at; /* number of states with which a cycle is looked for again */
  bool cycled;      /* one was told */

  /* Reduced. */
  eo__expander others; /* for the steps beside a set */
  eo__log beside;
  eo_pages later;   /* by state: to which one steps are put off that are not taken there; itself: to none */
  uint32_t put_off; /* a state behind a step of the set, to which the others can be put off; itself: none */
  bool closes;      /* a step of the set leads to a state that was expanded before */
  bool at_others;   /* the list of the state is read, and that of the others is */
} eo__full;

/* Puts away all that the search has come to, between two events. False: it cannot be written. `sum` is the checksum of what is in
 * the file. */
bool eo__full_store(eo__full *search, FILE *file, uint64_t sum[2]);

/* The same search again, opened and not started. False: no memory, or (*damaged) it is not what was put away. */
bool eo__full_load(eo__full *search, FILE *file, const uint64_t sum[2], bool *damaged);

#endif
