/* doubt.h: what an exploration leaves open although its strategy has come to its end.
 *
 * A doubt is noticed where the fact is known (the engine, the subject, a strategy) and travels as one bit of a set to the
 * place that decides the verdict. Sets of slices, workers and machines add up by `or`. A run with any doubt is never
 * complete, and the words of each doubt are part of what its report says. */
#ifndef EO_CORE_DOUBT_H
#define EO_CORE_DOUBT_H

#include <stdint.h>

#include "base/text.h"

/* Kept in files and in Redis: a bit keeps its meaning. */
enum {
  EO_DOUBT_DEPTH = 1 << 0,    /* an execution was cut off at --depth */
  EO_DOUBT_SHARING = 1 << 1,  /* processes may share memory in ways that were not excluded */
  EO_DOUBT_LIVENESS = 1 << 2, /* circles of states with a hot specification may have been missed */
  EO_DOUBT_OUTSIDE = 1 << 3,  /* system calls of the program could not be watched */
  EO_DOUBT_ALL = (1 << 4) - 1
};

/* Adds the words of all doubts in the set, each after a comma: ", executions longer than --depth cut off". */
void eo_doubts_add(eo_text *words, uint32_t doubts);

#endif
