/* ways.h: executions under a delaying explorer that are still to be run, as ways (explorers/explorer.h). A queue. Ways that
 * were put in one after the other mostly begin alike, so each is stored as how many points it shares with the one before,
 * and the rest, in LEB128: some four bytes. */
#ifndef EO_STRATEGIES_WAYS_H
#define EO_STRATEGIES_WAYS_H

#include "explorers/explorer.h"
#include "strategies/fragment.h"

typedef struct eo_ways {
  eo_bytes bytes;
  size_t at;      /* what is left begins here */
  uint64_t left;  /* how many */
  eo_way in, out; /* the last that was put in, and taken */
} eo_ways;

void eo__ways_release(eo_ways *ways);
void eo__ways_clear(eo_ways *ways);

/* Puts in the way of these points and one more. False: no memory. */
bool eo__ways_put(eo_ways *ways, const eo_way_point *points, size_t count, eo_way_point end);

/* Takes the first; there is one. */
bool eo__ways_take(eo_ways *ways, eo_way *way);

/* Of the next ways, `most` at most, without taking them: the branch at which each leaves the one before it; of the first,
 * the one that was taken last. `room` is for reading. False: no memory. */
bool eo__ways_partings(const eo_ways *ways, eo_way *room, uint32_t *partings, uint32_t most, uint32_t *count);

/* Takes all; puts them by turns into these two, in blocks, so that neighbours mostly stay together. *turn: whose is the
 * first block, and then the next. False: no memory. */
bool eo__ways_deal(eo_ways *ways, eo_ways *ours, eo_ways *theirs, bool *turn);

/* As part of a fragment. `read`: false: no memory; what cannot have been written makes the reader bad. */
bool eo__ways_write(const eo_ways *ways, eo_bytes *out);
bool eo__ways_read(eo_ways *ways, eo_fragment_reader *reader);

/* What ses has left, all of it, and its bound. In ses.c. */
bool eo__ses_frontier(eo_strategy *strategy, eo_ways *out, uint32_t *bound);

#endif
