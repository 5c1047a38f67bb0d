/* full.h: every state of a model: algorithm Generate_RG (Lei's dissertation, chapter 2), with the states that were seen kept by
 * fingerprint. Breadth first, so that the trace to an error is a shortest one.
 *
 * Reduced, it takes in each state only the steps of an ample set (ample.h) where that puts nothing off for ever.
 *
 * With a property, a state is one of the model and a location of the property's automaton, and the edges between them are
 * kept, with their marks. Whenever there are twice as many states, and at the end, a cycle is looked for that bears all marks. */
#ifndef EO_PROMELA_FULL_H
#define EO_PROMELA_FULL_H

#include <stdio.h>

#include "subjects/model/run.h"

typedef struct eo_promela_counts {
  uint64_t states;  /* stored: as many as pan's "states, stored" */
  uint64_t matched; /* arrivals at a state that was stored before */
  uint64_t failures;
  uint32_t depth; /* steps of the longest of the shortest paths */
} eo_promela_counts;

typedef struct eo_promela_search {
  const eo_promela *model;
  uint64_t most_states; /* 0: no limit */
  uint64_t most_bytes;  /* of memory, 0: no limit */
  uint64_t bits;        /* thin.h: bytes of the table */
  eo_delivery delivery;
  uint32_t jobs; /* full: threads; 0: one */
  bool stop_at_failure;
  bool sleep;    /* bsra: with sleep sets */
  bool reduce;   /* full: leave states out */
  bool fair;     /* with a property: no process that can go on is left out for ever */
  bool complete; /* afterwards: all states were visited */
  const struct eo_promela_property
      *property;            /* full: what executions are looked at for, in place of dead ends; may be NULL */
  const char *visible;      /* bsra: variables every access of which counts, with commas between them; may be NULL */
  unsigned char *taken;     /* full: by number of a transition, set to 1 when it was taken; may be NULL */
  const volatile int *stop; /* ends it early when not 0; may be NULL */

  /* Each failure as it is met, with the steps that lead to it. False: it goes no further. May be NULL. */
  bool (*failure)(void *context, const eo_failure *failure, const eo_promela_step *steps, uint32_t count);
  bool (*known)(void *context, const eo_failure *failure); /* full: need not be told of that one; may be NULL */
  void (*progress)(void *context, const struct eo_promela_search *search); /* now and then; may be NULL */
  /* Each edge of the graph: numbers of states from 0, in the order in which they were met; the fingerprint of the state `to`, and
   * the last transition before it. False: no memory. May be NULL. */
  bool (*edge)(void *context, uint64_t from, uint64_t to, const eo_promela_step *steps, uint32_t count,
               const uint64_t key[2], const eo_promela_transition *last);
  void (*dead_end)(void *context, uint64_t state, bool good); /* nothing can go on there; may be NULL */
  /* full: to put the search away. `store` is asked between two states: a file to write to, or NULL: not now; `last`: it was ended
   * before its end. `stored` takes the file back, with the checksum of what it holds; NULL: it cannot be written. May be NULL. */
  FILE *(*store)(void *context, bool last);
  void (*stored)(void *context, FILE *file, const uint64_t *sum);
  FILE *from; /* what was put away: it goes on there; NULL: from the start */
  uint64_t from_sum[2];
  bool damaged; /* afterwards: that was something else; nothing was searched */
  void *context;

  eo_promela_counts counts;
  char why[128];  /* if it is not complete: what ended it */
  uint64_t bytes; /* of memory in use */
} eo_promela_search;

/* What ends a search early, in words: for `why`. */
#define EO__AT_FINDING "at the first finding"
#define EO__AT_STATES "as many states as were asked for"
#define EO__AT_MEMORY "as much memory as was allowed"

/* An initialiser fails: there is no state at all. */
void eo__search_no_start(eo_promela_search *search, const eo_failure *failure);

/* An error: no memory. The second one reduces. */
int eo__promela_search_full(eo_promela_search *search, eo_error *error);
int eo__promela_search_por(eo_promela_search *search, eo_error *error);

#endif
