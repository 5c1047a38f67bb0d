/* doubt.h: what an exploration leaves open although its strategy has come to its end.
 *
 * A doubt is noticed where the fact is known (the engine, the subject, a strategy) and travels as one bit of a set to the
 * place that decides the verdict. Sets of slices, workers and machines add up by `or`. A run with any doubt is never
 * complete, and the words of each doubt are part of what its report says.
 *
 * An assumption (EO_ASSUMED_*) travels in the same set, and is named in the same way: but what it leaves out is no part of
 * what was to be explored, so that a run with assumptions alone can be complete. */
#ifndef EO_CORE_DOUBT_H
#define EO_CORE_DOUBT_H

#include <stdint.h>

#include "base/text.h"

/* Kept in files and in Redis: a bit keeps its meaning. */
enum {
  EO_DOUBT_DEPTH = 1 << 0,    /* an execution was cut off at --depth */
  EO_DOUBT_SHARING = 1 << 1,  /* processes may share memory in ways that were not excluded */
  EO_DOUBT_LIVENESS = 1 << 2, /* circles of states with a hot specification may have been missed */
  EO_DOUBT_CAPTURE = 1 << 3,  /* memory of the program is not captured: executions may tell each other something */
  EO_DOUBT_OUTSIDE = 1 << 4,  /* system calls that do not go through the C library were not watched */
  EO_DOUBT_MEMORY = 1 << 5,   /* a process asked for more memory than it can have here, and went on without */
  EO_DOUBT_STATES = 1 << 6,   /* the same of memory that only makes states look equal: for who compares states */
  EO_DOUBT_TOLD = 1 << 7,     /* what was announced depends on a value or a message: orders may have been missed */
  EO_DOUBT_FAULTS = 1 << 8,   /* fault points, by a strategy that may leave out what the number of faults binds */
  EO_DOUBT_FILES = 1 << 9,    /* a process has looked at a file that another execution has changed */
  EO_DOUBT_SPECIFIED =
      1 << 10, /* a specification began when others could have done what it observes: orders may have been missed */
  EO_DOUBT_ALL = (1 << 11) - 1,
  EO_ASSUMED_SHARED = 1 << 16, /* memory is shared by declaration, and accessed between operations at once */
  EO_ASSUMED_FAULTS = 1 << 17, /* the program has fault points: those with more faults than --faults are left out */
  EO_ASSUMED_ALL = EO_ASSUMED_SHARED | EO_ASSUMED_FAULTS
};

/* Adds the words of all doubts and assumptions in the set, each after a comma: ", executions longer than --depth cut off". */
void eo__doubts_add(eo_text *words, uint32_t doubts);

#endif
