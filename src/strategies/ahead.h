/* ahead.h: to which branches of the path under way the next ways of a queue come back, so that the engine can save just
 * there (eo_guiding.returns).
 *
 * A way leaves the one before it at a branch, its parting. Those of the next ways are read in blocks. The path so far will
 * be come back to where the next way parts from it, then where the first one after that parts from it nearer to the
 * start, and so on: partings that lie in between are on paths that are not there yet. */
#ifndef EO_STRATEGIES_AHEAD_H
#define EO_STRATEGIES_AHEAD_H

#include "strategies/ways.h"

enum { EO_AHEAD = 256 };

typedef struct eo_ahead {
  const eo_ways *of;          /* NULL: nothing is known */
  uint64_t left;              /* in `of`, when it was last looked at */
  uint32_t at, count;         /* the way taken next, of those read */
  uint32_t parting[EO_AHEAD]; /* by branch */
  uint16_t earlier[EO_AHEAD]; /* the next one that parts nearer to the start; EO_AHEAD: none of those read */
  eo_way way;                 /* for reading */
} eo_ahead;

void eo__ahead_release(eo_ahead *ahead);

/* The queue has changed in another way than by taking its first. */
static inline void eo__ahead_forget(eo_ahead *ahead) { ahead->of = NULL; }

/* The first way of this queue has just been taken. False: no memory. */
bool eo__ahead_taken(eo_ahead *ahead, const eo_ways *ways);

/* Does one of the next ways come back to this branch of the path? */
static inline bool eo__ahead_returns(const eo_ahead *ahead, uint32_t branch) {
  uint32_t at = ahead->of ? ahead->at : ahead->count;
  while (at < ahead->count && ahead->parting[at] > branch) at = ahead->earlier[at];
  return at < ahead->count && ahead->parting[at] == branch;
}

#endif
