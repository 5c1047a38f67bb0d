/* params.h: from a test with parameters (EO_TEST_PARAMS) to the rows it is run with. */
#ifndef EO_REGISTRY_PARAMS_H
#define EO_REGISTRY_PARAMS_H

#include <everyorder.h>

#include "base/error.h"
#include "base/vec.h"
#include "core/params.h"

/* Owns its rows. */
typedef struct eo_row_list {
  EO_VEC(eo_row *) rows;
} eo_row_list;

void eo__row_list_release(eo_row_list *list);

/* Adds the rows that `params` asks for: "pairwise", "all", "3-way", or the name of a file; NULL: "pairwise". An order above
 * the number of parameters means all combinations. The same rows every time. */
int eo__params_rows(const eo_test *test, const char *params, eo_row_list *list, eo_error *error);

/* The row of "clients=2,mode=safe", with this separator, which need not be in any set. */
int eo__params_row(const eo_test *test, const char *text, char separator, eo_row **row, eo_error *error);

#endif
