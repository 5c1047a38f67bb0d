/* check.h: is a set of tests what it should be? Written apart from the generators and their solver, so that it can
 * convict them: by plain enumeration of combinations, plain evaluation of constraints and plain search. What is to be
 * covered is defined in doc/formats/pairwise-tests.md. */
#ifndef EO_PAIRWISE_CHECK_H
#define EO_PAIRWISE_CHECK_H

#include "pairwise/model.h"
#include "pairwise/system.h"

typedef struct eo_pairwise_verdict {
  uint64_t wanted;     /* combinations that some valid test has */
  uint64_t covered;    /* of these, in a row that counts */
  uint64_t impossible; /* combinations that no valid test has */
  uint32_t broken;     /* rows that break a constraint, or have several invalid values */
  uint32_t unneeded;   /* rows that could be left out, alone, with nothing lost */
  eo_text missing;     /* one line for each combination that is not, up to a limit, and then how many more */
  eo_text problems;    /* one line for each broken row, the same */
} eo_pairwise_verdict;

/* Rows with EO_PAIRWISE_ANY are broken. Error: no memory, an order that is not between 1 and the number of parameters, or
 * more combinations of a few parameters than can be counted. */
int eo__pairwise_check(const eo_pairwise_model *model, uint32_t order, const eo_pairwise_rows *rows,
                       eo_pairwise_verdict *verdict, eo_error *error);
void eo__pairwise_verdict_release(eo_pairwise_verdict *verdict);

#endif
