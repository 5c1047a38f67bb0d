/* ties.h: parameters that the constraints tie to another: whatever value that one has, they have just one. A set that covers
 * the combinations of the others covers theirs, so generators need not know them. */
#ifndef EO_PAIRWISE_TIES_H
#define EO_PAIRWISE_TIES_H

#include "pairwise/model.h"
#include "pairwise/solver.h"

/* Fills in, for each parameter, which one it is tied to, among valid values; itself: to none. That one is tied to none.
 * `row` is scratch. What would take long to find out is left untied. */
void eo__pairwise_ties(const eo_pairwise_model *model, eo_pairwise_solver *solver, uint32_t *owner, uint16_t *row);

#endif
