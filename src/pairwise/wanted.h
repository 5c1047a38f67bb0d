/* wanted.h: which combinations of a model's parameters are to be covered, as relations over its parameters. */
#ifndef EO_PAIRWISE_WANTED_H
#define EO_PAIRWISE_WANTED_H

#include "pairwise/model.h"
#include "pairwise/system.h"

/* Owns the `params` of each. None has a pivot. */
typedef struct eo_pairwise_wanted {
  EO_VEC(eo_pairwise_relation) relations;
} eo_pairwise_wanted;

/* The model's relations, or all parameters at `order`. With sub-models: each at its own order; and of parameters of
 * different ones, and of those that are in none, every `order`, or as many as there are units of that kind. */
int eo__pairwise_wanted(const eo_pairwise_model *model, uint32_t order, eo_pairwise_wanted *wanted, eo_error *error);
void eo__pairwise_wanted_release(eo_pairwise_wanted *wanted);

/* How many sub-models there are, and parameters that are in none. */
uint32_t eo__pairwise_units(const eo_pairwise_model *model);

/* The next `count` numbers below `n`, ascending; they begin as 0, 1, 2, ... False: those were the last. */
bool eo__pairwise_next_subset(uint32_t *numbers, uint32_t count, uint32_t n);

/* Is this parameter, or number, among these? */
bool eo__pairwise_among(uint32_t number, const uint32_t *numbers, uint32_t count);

#endif
