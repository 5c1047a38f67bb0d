/* generate_excluded.c: what the constraints of a model rule out, told before tests are made; see generate_inside.h. */
#include "base/alloc.h"
#include "base/text.h"
#include "pairwise/constraint.h"
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
static int find_values(eo__driver *d, eo_text *excluded, eo_error *error) {
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

/* ---- Combinations ------------------------------------------------------------------------------------------------- */

/* Looking must cost nothing that anybody notices; --explain looks at everything. */
enum { MOST_COMBINATIONS = 5 };
#define MOST_WORK 3e6 /* parameters of components that were looked at, in all questions */

/* A combination of values of parameters that constraints connect; they are in d->row, and nothing else is. */
typedef struct combination {
  eo__driver *d;
  uint32_t params[EO_PAIRWISE_MAX_ORDER];
  uint32_t count;
  double work;
  uint32_t width; /* of the component */
  uint32_t told;
} combination;

static const eo_pairwise_value *value_of(const combination *c, uint32_t i) {
  return &c->d->model->params.items[c->params[i]].values.items[c->d->row[c->params[i]]];
}

static unsigned count_invalid(const combination *c) {
  unsigned invalids = 0;
  for (uint32_t i = 0; i < c->count; i++) invalids += value_of(c, i)->invalid;
  return invalids;
}

static bool is_possible(combination *c) {
  c->work += c->width;
  return eo__pairwise_solver_together(c->d->solver, c->d->row, c->params, c->count, count_invalid(c));
}

/* Is it possible without any one of its values? */
static bool is_least(combination *c) {
  bool least = true;
  uint32_t last = c->params[--c->count];
  for (uint32_t i = 0; least && i <= c->count; i++) {
    uint32_t left_out = i < c->count ? c->params[i] : last;
    uint16_t value = c->d->row[left_out];
    if (i < c->count) c->params[i] = last;
    c->d->row[left_out] = EO_PAIRWISE_ANY;
    least = is_possible(c);
    c->d->row[left_out] = value;
    if (i < c->count) c->params[i] = left_out;
  }
  c->params[c->count++] = last;
  return least;
}

/* Does one constraint forbid it? Then it is as its author wrote it. */
static bool is_written(const combination *c) {
  const eo_pairwise_model *model = c->d->model;
  const eo_pairwise_rules *rules = eo__pairwise_solver_rules(c->d->solver);
  for (uint32_t i = rules->of_first[c->params[0]]; i < rules->of_first[c->params[0] + 1]; i++)
    if (eo__pairwise_term_truth(model, model->constraints.items[rules->of[i]].term, c->d->row) == EO_PAIRWISE_FALSE)
      return true;
  return false;
}

static int tell(combination *c, eo_text *excluded, eo_error *error) {
  const eo_pairwise_model *model = c->d->model;
  uint32_t *clash = NULL, clashes = 0;
  int code = eo__pairwise_solver_explain(c->d->solver, c->d->row, count_invalid(c), &clash, &clashes, error);
  eo__free(clash);
  if (code != EO_OK || clashes < 2) return code;
  if (++c->told > MOST_COMBINATIONS) return EO_OK;
  eo__text_add(excluded, "no test can have ");
  for (uint32_t i = 0; i < c->count; i++)
    eo__text_add(excluded, "%s%s=%s%s", i ? ", " : "", model->params.items[c->params[i]].name,
                 value_of(c, i)->invalid ? "~" : "", value_of(c, i)->names.items[0]);
  eo__text_add(excluded, ": ");
  code = eo__pairwise_add_clash(model, c->d->solver, c->d->row, count_invalid(c), excluded, error);
  eo__text_add(excluded, "\n");
  return code;
}

/* All values of the parameters from `at` on. */
static int look_at_values(combination *c, uint32_t at, eo_text *excluded, eo_error *error) {
  int code = EO_OK;
  if (at == c->count) {
    if (count_invalid(c) > 1 || is_possible(c) || !is_least(c) || is_written(c)) return EO_OK;
    return tell(c, excluded, error);
  }
  for (size_t v = 0; code == EO_OK && v < c->d->model->params.items[c->params[at]].values.count; v++) {
    c->d->row[c->params[at]] = (uint16_t)v;
    if (c->told <= MOST_COMBINATIONS && c->work < MOST_WORK) code = look_at_values(c, at + 1, excluded, error);
  }
  c->d->row[c->params[at]] = EO_PAIRWISE_ANY;
  return code;
}

/* Combinations of so many values that constraints rule out together, though none does so alone. */
static int find_combinations(combination *c, uint32_t order, eo_text *excluded, eo_error *error) {
  int code = EO_OK;
  c->count = order;
  for (uint32_t p = 0; code == EO_OK && p < c->d->params; p++) {
    uint32_t subset[EO_PAIRWISE_MAX_ORDER];
    const uint32_t *connected = eo__pairwise_solver_connected(c->d->solver, p, &c->width);
    if (!connected || connected[0] != p || c->width < order) continue; /* each component once */
    for (uint32_t i = 0; i < order; i++) subset[i] = i;
    do {
      for (uint32_t i = 0; i < order; i++) c->params[i] = connected[subset[i]];
      code = look_at_values(c, 0, excluded, error);
    } while (code == EO_OK && c->told <= MOST_COMBINATIONS && c->work < MOST_WORK &&
             eo__pairwise_next_subset(subset, order, c->width));
  }
  return code;
}

int eo__generate_excluded(eo__driver *d, eo_text *excluded, eo_error *error) {
  combination c = {.d = d};
  int code = find_values(d, excluded, error);
  for (uint32_t order = 2; code == EO_OK && order <= d->request->order; order++)
    code = find_combinations(&c, order, excluded, error);
  if (c.told > MOST_COMBINATIONS) eo__text_add(excluded, "and more combinations: --explain lists them\n");
  if (code == EO_OK && excluded->failed) code = eo__error_nomem(error);
  return code;
}
