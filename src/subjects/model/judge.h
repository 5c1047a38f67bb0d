/* judge.h: one execution of a model, followed state by state to see whether it violates a property: for whoever runs an execution
 * that a search has found. Beside the search (full.h) it knows only letters: an execution that comes back to a state is a word that
 * goes round, and is asked of the automaton as a whole. */
#ifndef EO_PROMELA_JUDGE_H
#define EO_PROMELA_JUDGE_H

#include "subjects/model/cycles.h"
#include "subjects/model/property.h"

/* A state that the property reads. */
typedef struct eo__judged {
  uint64_t state[2]; /* fingerprint */
  uint64_t letter, marks;
  uint64_t blocked; /* processes that cannot go on */
  uint64_t moved;   /* processes that went on from the one before to this */
  size_t step;      /* steps before it */
} eo__judged;

typedef struct eo__judge {
  const eo_promela_property *property; /* NULL: nothing is looked for */
  bool fair;
  EO_VEC(eo__judged) states;
  uint64_t moved; /* since the last of them */
  size_t steps;
  eo_promela_steps scratch;
} eo__judge;

/* The execution begins; a step was taken. *violated: see failure. False: no memory. */
bool eo__judge_start(eo__judge *judge, eo_promela_run *run, bool *violated, eo_failure *failure);
bool eo__judge_step(eo__judge *judge, eo_promela_run *run, eo_promela_step step, bool *violated, eo_failure *failure);

/* Nothing can go on: the last state is read for ever. */
bool eo__judge_end(eo__judge *judge, bool *violated, eo_failure *failure);
void eo__judge_release(eo__judge *judge);

#endif
