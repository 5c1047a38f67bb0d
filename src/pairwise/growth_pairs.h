/* growth_pairs.h: the stage of one parameter of growth.h where all that must be covered are pairs (and single values), as
 * sets of bits: what a row would cover with a value of the new parameter is counted 64 partners at a time, so that
 * twenty thousand parameters take seconds.
 *
 * A set has a bit for each value of each parameter. Bit 0 stands for no parameter: every row has it, and a value that must
 * be covered by itself is missing a pair with it. */
#ifndef EO_PAIRWISE_GROWTH_PAIRS_H
#define EO_PAIRWISE_GROWTH_PAIRS_H

#include "pairwise/growth.h"

/* Is the system of this kind, and are the sets of rows not much larger than the rows? */
bool eo__growth_pairs_fit(const eo_pairwise_system *system);

/* growth->system and growth->rows are there; growth->pairs is made. */
int eo__growth_pairs_open(eo__growth *growth, eo_error *error);
void eo__growth_pairs_close(eo__growth *growth);

/* What growth->param must be covered with; *any: something. */
int eo__growth_pairs_stage(eo__growth *growth, bool *any, eo_error *error);

/* As in growth.h. */
void eo__growth_pairs_eval(const eo__growth *growth, const uint16_t *row, uint32_t *covered);
void eo__growth_pairs_set(eo__growth *growth, uint16_t *row, uint16_t value);
int eo__growth_pairs_vertical(eo__growth *growth, eo_error *error);

#endif
