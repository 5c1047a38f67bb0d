/* generate_existing.c: where existing tests belong; see generate_inside.h. */
#include "pairwise/explain.h"
#include "pairwise/generate_inside.h"

/* Where the row belongs, or why it is dropped, in a line of `dropped`. */
static int place(eo__driver *d, uint32_t number, const uint16_t *row, uint32_t *home, eo_text *dropped,
                 eo_error *error) {
  uint32_t invalids = 0;
  *home = EO__VALID;
  for (uint32_t i = 0; i < d->params; i++) {
    if (row[i] == EO_PAIRWISE_ANY || !d->model->params.items[i].values.items[row[i]].invalid) continue;
    invalids++;
    *home = i;
  }
  if (invalids <= 1 && eo__pairwise_solver_possible(d->solver, row, invalids)) return EO_OK;
  *home = EO__DROPPED;
  if (++d->dropped > EO__MOST_TOLD) return EO_OK;
  eo__text_add(dropped, "row %u: ", number + 1);
  int code = EO_OK;
  if (invalids > 1)
    eo__text_add(dropped, "it has %u invalid values", invalids);
  else
    eo__text_add(dropped, "it breaks ");
  if (invalids <= 1) code = eo__pairwise_add_clash(d->model, d->solver, row, invalids, dropped, error);
  eo__text_add(dropped, "\n");
  if (code == EO_OK && dropped->failed) code = eo__error_nomem(error);
  return code;
}

int eo__generate_existing(eo__driver *d, eo_pairwise_result *result, eo_error *error) {
  const eo_pairwise_rows *existing = d->request->existing;
  int code = EO_OK;
  for (uint32_t i = 0; existing && code == EO_OK && i < eo_pairwise_rows_count(existing); i++) {
    const uint16_t *row = eo_pairwise_row(existing, i);
    code = place(d, i, row, &d->homes[i], &result->dropped, error);
    if (code == EO_OK && d->homes[i] != EO__DROPPED) result->kept++;
    if (code == EO_OK && !eo__pairwise_rows_add(&d->existing, row)) code = eo__error_nomem(error);
    if (code == EO_OK && d->homes[i] == EO__VALID) eo__generate_fill_groups(d, eo_pairwise_row(&d->existing, i));
  }
  if (d->dropped > EO__MOST_TOLD) eo__text_add(&result->dropped, "%u more rows\n", d->dropped - EO__MOST_TOLD);
  return code == EO_OK && result->dropped.failed ? eo__error_nomem(error) : code;
}
