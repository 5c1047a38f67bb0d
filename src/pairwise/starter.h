/* starter.h: covering arrays of order 2 from one vector, turned in all ways. */
#ifndef EO_PAIRWISE_STARTER_H
#define EO_PAIRWISE_STARTER_H

#include "base/rng.h"
#include "pairwise/system.h"

/* How long to look. */
typedef struct eo__starter_limit {
  uint32_t fixed;    /* symbols that stay, at most; above 2 the pairs of these need an array that takes time as well */
  uint64_t steps;    /* for one vector */
  uint32_t attempts; /* for one kind of vector */
  double until;      /* eo__seconds(); 0: no such bound */
} eo__starter_limit;

/* Fills `array`, which has its number of columns and no rows, with the smallest array that is found; with nothing if
 * none has fewer than `below` rows. */
int eo__starter_array(eo_pairwise_rows *array, uint32_t values, uint32_t below, const eo__starter_limit *limit,
                      eo_rng *rng, eo_error *error);

#endif
