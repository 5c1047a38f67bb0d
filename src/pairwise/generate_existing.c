/* generate_existing.c: where existing tests belong; see generate_inside.h. */
#include "base/alloc.h"
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

/* ---- Which are needed ------------------------------------------------------------------------------------------------- */

/* Has the row `left` more values of the relation's parameters, from the one at `at` on, that none of its mates has all of?
 * Behind the mates there is room for as many as often again. */
static bool brings(const eo__driver *d, const eo_pairwise_relation *relation, const uint16_t *row, uint32_t at,
                   uint32_t left, uint32_t *mates, uint32_t count) {
  if (left == 0 || count == 0) return count == 0;
  for (uint32_t i = at; i + left <= relation->count; i++) {
    uint32_t param = relation->params[i], alike = 0;
    if (row[param] == EO_PAIRWISE_ANY) continue;
    for (uint32_t k = 0; k < count; k++)
      if (eo_pairwise_row(&d->existing, mates[k])[param] == row[param]) mates[count + alike++] = mates[k];
    if (brings(d, relation, row, i + 1, left - 1, mates + count, alike)) return true;
  }
  return false;
}

/* Does row r cover what no row before it does that belongs to the same place? */
static bool is_needed(const eo__driver *d, uint32_t r, uint32_t *mates) {
  const uint16_t *row = eo_pairwise_row(&d->existing, r);
  uint32_t home = d->homes[r], count = 0;
  bool valid = home == EO__VALID;
  for (uint32_t i = 0; i < r; i++)
    if (d->homes[i] == home && (valid || eo_pairwise_row(&d->existing, i)[home] == row[home])) mates[count++] = i;
  if (!valid && count == 0) return true;
  for (size_t i = 0; i < d->wanted.relations.count; i++) {
    const eo_pairwise_relation *relation = &d->wanted.relations.items[i];
    if (!valid && !eo__pairwise_among(home, relation->params, relation->count)) continue;
    uint32_t values = 0, left = valid ? relation->order : relation->order - 1;
    for (uint32_t k = 0; k < relation->count; k++)
      values += row[relation->params[k]] != EO_PAIRWISE_ANY && relation->params[k] != home;
    if (values >= left && brings(d, relation, row, 0, left, mates, count)) return true;
  }
  return false;
}

/* The tests of sub-models are all needed: what is combined with them is not known yet. */
static int leave_out(eo__driver *d, eo_text *dropped, eo_error *error) {
  uint32_t rows = eo_pairwise_rows_count(&d->existing), needless = 0;
  if (d->model->groups.count > 0) return EO_OK;
  uint32_t *mates = eo__alloc((size_t)(EO_PAIRWISE_MAX_ORDER + 1) * (rows + 1) * sizeof *mates);
  if (!mates) return eo__error_nomem(error);
  for (uint32_t i = 0; i < rows; i++) {
    if (d->homes[i] == EO__DROPPED || is_needed(d, i, mates)) continue;
    d->homes[i] = EO__DROPPED;
    needless++;
  }
  if (needless > 0)
    eo__text_add(dropped, "%u row%s that cover%s nothing new\n", needless, needless == 1 ? "" : "s",
                 needless == 1 ? "s" : "");
  eo__free(mates);
  return EO_OK;
}

int eo__generate_existing(eo__driver *d, eo_pairwise_result *result, eo_error *error) {
  const eo_pairwise_rows *existing = d->request->existing;
  int code = EO_OK;
  for (uint32_t i = 0; existing && code == EO_OK && i < eo_pairwise_rows_count(existing); i++) {
    const uint16_t *row = eo_pairwise_row(existing, i);
    code = place(d, i, row, &d->homes[i], &result->dropped, error);
    if (code == EO_OK && !eo__pairwise_rows_add(&d->existing, row)) code = eo__error_nomem(error);
    if (code == EO_OK && d->homes[i] == EO__VALID) eo__generate_fill_groups(d, eo_pairwise_row(&d->existing, i));
  }
  if (d->dropped > EO__MOST_TOLD) eo__text_add(&result->dropped, "%u more rows\n", d->dropped - EO__MOST_TOLD);
  if (code == EO_OK && d->request->needed_only) code = leave_out(d, &result->dropped, error);
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->existing); i++) result->kept += d->homes[i] != EO__DROPPED;
  return code == EO_OK && result->dropped.failed ? eo__error_nomem(error) : code;
}
