/* coverage_triples.h: the coverage of all triples of all parameters (coverage.h), without a count for each.
 *
 * What a cell's value v gains or loses in row r are triples of v and of two other values of the row. Which of these other
 * rows cover follows from where the rows that have v are like row r: a set of parameters for each. For each parameter of
 * the row, the sets of those rows that are like it there are gone through, and two sets gathered: what some row has, and
 * what two have. What none has is covered by row r alone; what just one has, by that one if not by row r. Usually all is in
 * two rows after a few of them. A count in memory for each triple costs far more: there is one for each pair of other
 * parameters, and no two are near each other. */
#ifndef EO_PAIRWISE_COVERAGE_TRIPLES_H
#define EO_PAIRWISE_COVERAGE_TRIPLES_H

#include "pairwise/coverage.h"

/* Are all triples of the system's parameters to be covered, and nothing else? */
bool eo__triples_suit(const eo_pairwise_system *system);
/* `scratch` is a row of EO_PAIRWISE_ANY. */
int eo__triples_open(eo__coverage *coverage, uint16_t *scratch, eo_error *error);
/* For `planes` and `same` of so many rows. False: no memory. */
bool eo__triples_open_rows(const eo__coverage *coverage, eo__coverage_rows *rows, uint32_t count);
/* Row `to` gets the planes of row `from`. */
void eo__triples_copy(eo__coverage *coverage, uint32_t to, uint32_t from);

/* What eo__coverage_tuple_of, _row, _clear, _delta and _change say. */
void eo__triples_tuple_of(const eo__coverage *coverage, uint32_t number, eo__coverage_tuple *tuple);
void eo__triples_row(eo__coverage *coverage, const uint16_t *row, uint32_t r, int by);
void eo__triples_clear(eo__coverage *coverage);
int32_t eo__triples_delta(const eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value);
void eo__triples_change(eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value);

#endif
