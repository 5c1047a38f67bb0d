/* algebra.h: covering arrays that are known without a search: so many columns of so many values each, all alike. */
#ifndef EO_PAIRWISE_ALGEBRA_H
#define EO_PAIRWISE_ALGEBRA_H

#include "pairwise/system.h"

/* How many rows eo__algebra_build would give; 0: it has nothing, or more than `most`. */
uint32_t eo__algebra_size(uint32_t columns, uint32_t values, uint32_t order, uint32_t most);

/* An array of eo__algebra_size rows, into rows that hold nothing yet. A cell is EO_PAIRWISE_ANY where it does not
 * matter. Error: no memory. */
int eo__algebra_build(uint32_t columns, uint32_t values, uint32_t order, eo_pairwise_rows *rows, eo_error *error);

#endif
