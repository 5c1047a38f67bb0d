/* rows.c: tests as rows of value numbers; see system.h. */
#include <string.h>

#include "pairwise/system.h"

void eo__pairwise_rows_init(eo_pairwise_rows *rows, uint32_t params) {
  memset(rows, 0, sizeof *rows);
  rows->params = params;
}

void eo__pairwise_rows_release(eo_pairwise_rows *rows) { eo_vec_release(&rows->values); }

bool eo__pairwise_rows_add(eo_pairwise_rows *rows, const uint16_t *row) {
  if (!eo_vec_reserve(&rows->values, rows->params)) return false;
  for (uint32_t p = 0; p < rows->params; p++) {
    rows->values.items[rows->values.count++] = row ? row[p] : EO_PAIRWISE_ANY;
  }
  return true;
}
