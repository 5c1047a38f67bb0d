/* check_search.h: can a partial test be completed? As the checker finds out, which trusts nobody: by trying values, and
 * evaluating constraints. */
#ifndef EO_PAIRWISE_CHECK_SEARCH_H
#define EO_PAIRWISE_CHECK_SEARCH_H

#include "pairwise/model.h"

typedef EO_VEC(uint32_t) eo_pairwise_numbers;

typedef struct eo_pairwise_search {
  const eo_pairwise_model *model;
  eo_pairwise_numbers *mentioned; /* for each constraint, its parameters */
  eo_pairwise_numbers *touching;  /* for each parameter, the constraints that name it */
  eo_pairwise_numbers *together;  /* for each part, its constraints: no two parts have a parameter in common */
  uint32_t parts;
  uint32_t *part_of;      /* for each parameter; UINT32_MAX: in no constraint */
  bool *untouched;        /* scratch, for each part: nothing in it is chosen */
  bool *possible;         /* for each part: with nothing chosen and valid values only */
  bool hopeless;          /* a constraint that names no parameter does not hold */
  uint16_t *row;          /* scratch */
  uint16_t *found;        /* the last row that was completed, as far as it had to be */
  uint32_t found_invalid; /* the parameter that has an invalid value in it; UINT32_MAX: none has */
} eo_pairwise_search;

int eo__pairwise_search_init(eo_pairwise_search *search, const eo_pairwise_model *model, eo_error *error);
void eo__pairwise_search_release(eo_pairwise_search *search);

/* With valid values where the row has EO_PAIRWISE_ANY. The row itself has at most one invalid value. */
bool eo__pairwise_search_completes(eo_pairwise_search *search, const uint16_t *row);

#endif
