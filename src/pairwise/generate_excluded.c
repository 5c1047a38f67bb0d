/* generate_excluded.c: what the constraints of a model rule out, told before tests are made; see generate_inside.h. */
#include "base/text.h"
#include "pairwise/explain.h"
#include "pairwise/generate_inside.h"

int eo__generate_satisfiable(eo__driver *d, eo_error *error) {
  for (uint32_t i = 0; i < d->params; i++) d->row[i] = EO_PAIRWISE_ANY;
  if (eo__pairwise_solver_possible(d->solver, d->row, 0)) return EO_OK;
  eo_text text;
  eo__text_init(&text);
  int code = eo__pairwise_add_clash(d->model, d->solver, d->row, 0, &text, error);
  if (code == EO_OK)
    code =
        eo__error_set(error, EO_EINPUT, "there is no valid test: these constraints exclude each other: %s", text.chars);
  eo__text_release(&text);
  return code;
}

/* Values that no test can have: more often a slip in a constraint than meant. */
int eo__generate_excluded(eo__driver *d, eo_text *excluded, eo_error *error) {
  uint32_t count = 0;
  int code = EO_OK;
  for (uint32_t i = 0; i < d->params; i++) d->row[i] = EO_PAIRWISE_ANY;
  for (uint32_t i = 0; code == EO_OK && d->model->constraints.count && i < d->params; i++) {
    const eo_pairwise_param *param = &d->model->params.items[i];
    for (size_t v = 0; code == EO_OK && v < param->values.count; v++) {
      d->row[i] = (uint16_t)v;
      unsigned invalids = param->values.items[v].invalid;
      if (eo__pairwise_solver_possible(d->solver, d->row, invalids) || ++count > EO__MOST_TOLD) continue;
      eo__text_add(excluded, "no test can have %s=%s: ", param->name, param->values.items[v].names.items[0]);
      code = eo__pairwise_add_clash(d->model, d->solver, d->row, invalids, excluded, error);
      eo__text_add(excluded, "\n");
    }
    d->row[i] = EO_PAIRWISE_ANY;
  }
  if (count > EO__MOST_TOLD) eo__text_add(excluded, "and %u more values\n", count - EO__MOST_TOLD);
  if (code == EO_OK && excluded->failed) code = eo__error_nomem(error);
  return code;
}
