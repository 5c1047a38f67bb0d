/* follow.h: a strategy that runs one execution after a plan that need not be possible: what cannot be done now is left for
 * later, in its order; when nothing of it can be done, whoever ran last goes on. For minimising, and for trying an
 * execution another way round. */
#ifndef EO_CORE_FOLLOW_H
#define EO_CORE_FOLLOW_H

#include "core/strategy.h"

typedef struct eo_follow {
  eo_strategy base;
  eo_schedule plan;     /* the owner fills and releases it; what is done moves to the front */
  size_t next;          /* entries still to be done, from here on */
  uint32_t preemptions; /* of the execution under way */
  bool drew;            /* it made a choice of a value that is not in the plan */
  bool started;
} eo_follow;

/* Before each run by an engine: from the start, after the plan as it is now. */
void eo__follow_start(eo_follow *follow);

#endif
