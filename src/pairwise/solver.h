/* solver.h: whether a partial test can be completed under the constraints of a model, exactly; and if not, which
 * constraints forbid it. Section 4.5 of Lei's dissertation gives up where this searches: the constraints become clauses (compile.h,
 * sat.h), and answers are remembered. */
#ifndef EO_PAIRWISE_SOLVER_H
#define EO_PAIRWISE_SOLVER_H

#include "pairwise/model.h"
#include "pairwise/rules.h"

typedef struct eo_pairwise_solver eo_pairwise_solver;

/* The model is borrowed. Error: no memory, or a comparison of two parameters that have far too many values. */
eo_pairwise_solver *eo__pairwise_solver_open(const eo_pairwise_model *model, eo_error *error);
void eo__pairwise_solver_close(eo_pairwise_solver *solver);

/* Can the row (EO_PAIRWISE_ANY where nothing is chosen) be completed so that all constraints hold? `invalids`: how many
 * invalid values the whole row may have, 0 or 1. Never fails: memory is taken when the solver is opened. */
bool eo__pairwise_solver_possible(eo_pairwise_solver *solver, const uint16_t *row, unsigned invalids);

/* Completes the row in place, heavier values first; false: impossible, and the row is as before. */
bool eo__pairwise_solver_complete(eo_pairwise_solver *solver, uint16_t *row, unsigned invalids);

/* Completes the row with values of `near`, a complete valid row, wherever the constraints let it keep them; false:
 * impossible, and the row is as before. `invalids` as above. */
bool eo__pairwise_solver_near(eo_pairwise_solver *solver, uint16_t *row, const uint16_t *near, unsigned invalids);

/* eo__pairwise_solver_possible of a row in which only these parameters have values; the model has a valid test, and one of
 * them has an invalid value exactly if `invalids` is 1. Only their components are looked at. */
bool eo__pairwise_solver_together(eo_pairwise_solver *solver, const uint16_t *row, const uint32_t *params,
                                  uint32_t count, unsigned invalids);

/* The parameters that constraints connect with this one, itself among them, ascending; NULL: no constraint names it. The
 * same list for all of them, borrowed. */
const uint32_t *eo__pairwise_solver_connected(const eo_pairwise_solver *solver, uint32_t param, uint32_t *count);

/* Each constraint by itself, for complete rows. */
const eo_pairwise_rules *eo__pairwise_solver_rules(const eo_pairwise_solver *solver);

/* For an impossible row: constraints that together forbid it, none of which could be left out (indices into the model's,
 * ascending, to be freed by the caller). None: the row has too many invalid values, or is possible after all. */
int eo__pairwise_solver_explain(eo_pairwise_solver *solver, const uint16_t *row, unsigned invalids, uint32_t **clash,
                                uint32_t *count, eo_error *error);

#endif
