/* full.h: every state of a model: algorithm Generate_RG (seed 003, chapter 2), with the states that were seen kept by
 * fingerprint. Breadth first, so that the trace to an error is a shortest one. */
#ifndef EO_MODEL_FULL_H
#define EO_MODEL_FULL_H

#include "subjects/model/run.h"

typedef struct eo_model_counts {
  uint64_t states;  /* stored: as many as pan's "states, stored" */
  uint64_t matched; /* arrivals at a state that was stored before */
  uint64_t atomic;  /* steps inside atomic sequences, after which nothing is stored */
  uint64_t failures;
  uint32_t depth; /* steps of the longest of the shortest paths */
} eo_model_counts;

typedef struct eo_model_search {
  const eo_model *model;
  uint64_t most_states;  /* 0: no limit */
  uint64_t most_bytes;   /* of memory, 0: no limit */
  bool stop_at_failure;
  const volatile int *stop; /* ends it early when not 0; may be NULL */

  /* Each failure as it is met, with the steps that lead to it. False: it goes no further. May be NULL. */
  bool (*failure)(void *context, const eo_failure *failure, const eo_model_step *steps, uint32_t count);
  void (*progress)(void *context, const struct eo_model_search *search); /* now and then; may be NULL */
  /* Each edge of the graph: numbers of states from 0, in the order in which they were met. False: no memory. May be NULL. */
  bool (*edge)(void *context, uint64_t from, uint64_t to, const eo_model_step *steps, uint32_t count, const eo_model_run *after);
  void *context;

  eo_model_counts counts;
  bool complete; /* all states were visited */
  char why[128]; /* if not: what ended it */
  uint64_t bytes; /* of memory in use */
} eo_model_search;

/* An error: no memory. */
int eo_model_search_full(eo_model_search *search, eo_error *error);

#endif
