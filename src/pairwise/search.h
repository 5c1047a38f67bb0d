/* search.h: the local search of `best`: a fixed number of complete tests is changed value by value until it covers
 * everything, then one test fewer is tried. */
#ifndef EO_PAIRWISE_SEARCH_H
#define EO_PAIRWISE_SEARCH_H

#include "base/rng.h"
#include "pairwise/coverage.h"

/* How to search, and when to stop. The clock only decides when it ends, not what is found in how many steps. */
typedef struct eo__search_limit {
  uint32_t tenure;                  /* a changed value stays as it is for at most so many steps; at least 1 */
  uint64_t steps;                   /* of the search, in all */
  uint64_t dropping;                /* counts looked at to take out rows, in all; 0: no such bound */
  double until;                     /* eo__seconds(); 0: no such bound */
  uint32_t *fewest;                 /* gets how many tests there must be at least, where the search stops */
  const eo_pairwise_effort *effort; /* its progress is called; NULL: nobody is */
  double began;
} eo__search_limit;

/* `rows` is complete; the first rows stay where they are, with the values that `given` has. Afterwards it covers everything
 * with as few rows or fewer; or is empty: it did not before, and no such rows were found. The coverage has no rows, before
 * as after. EO_EINPUT: too large to search. */
int eo__search(eo__coverage *coverage, const eo_pairwise_rows *given, eo_pairwise_rows *rows, eo_rng *rng,
               const eo__search_limit *limit, eo_error *error);

/* Leaves out every row that covers nothing which those before it do not. */
int eo__search_thin(const eo_pairwise_system *system, eo_pairwise_rows *rows, bool turned, eo_error *error);

/* Gives the complete rows heavier values wherever nothing is lost by it; the system has weights. */
int eo__search_weigh(const eo_pairwise_system *system, const eo_pairwise_rows *given, eo_pairwise_rows *rows,
                     eo_error *error);

/* Gives values to what is EO_PAIRWISE_ANY in the rows, drawn among those that leave the row possible. */
void eo__search_complete(const eo_pairwise_system *system, eo_pairwise_rows *rows, eo_rng *rng);

#endif
