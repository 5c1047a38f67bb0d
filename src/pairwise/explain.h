/* explain.h: inside: the constraints that forbid a row, in words. */
#ifndef EO_PAIRWISE_EXPLAIN_H
#define EO_PAIRWISE_EXPLAIN_H

#include "pairwise/model.h"
#include "pairwise/solver.h"

/* Adds the constraints that together forbid an impossible row, with their lines. */
int eo__pairwise_add_clash(const eo_pairwise_model *model, eo_pairwise_solver *solver, const uint16_t *row,
                           unsigned invalids, eo_text *text, eo_error *error);

#endif
