/* follow.h: a strategy that runs one execution by a plan, which need not be possible: what cannot be done now is left for
 * later, in its order. When nothing of the plan is left, the process that ran last goes on, else the first. */
#ifndef EO_CORE_FOLLOW_H
#define EO_CORE_FOLLOW_H

#include "core/strategy.h"

typedef struct eo_follow {
  eo_strategy base;
  bool started;
  eo_schedule plan; /* the caller's; entries still to be done are from `next` on */
  size_t next;
  uint32_t preemptions; /* of the execution under way */
} eo_follow;

/* Ready to run the plan once, for the first time or again. */
void eo_follow_again(eo_follow *follow);

#endif
