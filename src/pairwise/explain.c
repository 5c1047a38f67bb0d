/* explain.c: what is impossible in a model, and why; and all that is possible. Both go through combinations one by one and
 * ask the solver. */
#include "pairwise/explain.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/generate.h"
#include "pairwise/wanted.h"

enum { COUNTED = 1000000 }; /* rows, before "more than" has to do */

int eo__pairwise_add_clash(const eo_pairwise_model *model, eo_pairwise_solver *solver, const uint16_t *row,
                           unsigned invalids, eo_text *text, eo_error *error) {
  uint32_t *clash = NULL, count = 0;
  int code = eo__pairwise_solver_explain(solver, row, invalids, &clash, &count, error);
  if (code != EO_OK) return code;
  for (uint32_t i = 0; i < count; i++) {
    const eo_pairwise_constraint *constraint = &model->constraints.items[clash[i]];
    eo__text_add(text, "%s%s (line %u)", i ? " and " : "", constraint->text, constraint->line);
  }
  eo__free(clash);
  return text->failed ? eo__error_nomem(error) : EO_OK;
}

/* ---- Impossible combinations ---------------------------------------------------------------------------------------- */

typedef struct search {
  const eo_pairwise_model *model;
  eo_pairwise_solver *solver;
  uint16_t *row;
  eo_text *text;
  eo_error *error;
  uint64_t combinations, impossible;
} search;

static const eo_pairwise_value *value_of(const search *s, uint32_t param) {
  return &s->model->params.items[param].values.items[s->row[param]];
}

static unsigned count_invalid(const search *s, const uint32_t *params, uint32_t count) {
  unsigned invalids = 0;
  for (uint32_t i = 0; i < count; i++) invalids += value_of(s, params[i])->invalid;
  return invalids;
}

static int look_at(search *s, const uint32_t *params, uint32_t count) {
  unsigned invalids = count_invalid(s, params, count);
  if (invalids > 1) return EO_OK; /* not wanted */
  s->combinations++;
  if (eo__pairwise_solver_possible(s->solver, s->row, invalids)) return EO_OK;
  s->impossible++;
  for (uint32_t i = 0; i < count; i++)
    eo__text_add(s->text, "%s%s=%s%s", i ? ", " : "", s->model->params.items[params[i]].name,
                 value_of(s, params[i])->invalid ? "~" : "", value_of(s, params[i])->names.items[0]);
  eo__text_add(s->text, ": ");
  int code = eo__pairwise_add_clash(s->model, s->solver, s->row, invalids, s->text, s->error);
  eo__text_add(s->text, "\n");
  return code;
}

/* All values of these parameters. */
static int look_at_all(search *s, const uint32_t *params, uint32_t count) {
  int code = EO_OK;
  uint32_t i = 0;
  for (uint32_t j = 0; j < count; j++) s->row[params[j]] = 0;
  while (code == EO_OK && i < count) {
    code = look_at(s, params, count);
    for (i = 0; i < count; i++) {
      uint32_t param = params[count - 1 - i];
      if (++s->row[param] < s->model->params.items[param].values.count) break;
      s->row[param] = 0;
    }
  }
  for (uint32_t j = 0; j < count; j++) s->row[params[j]] = EO_PAIRWISE_ANY;
  return code;
}

/* Is this combination of parameters wanted by an earlier relation, too? */
static bool seen_before(const eo_pairwise_wanted *wanted, size_t relation, const uint32_t *params, uint32_t count) {
  for (size_t i = 0; i < relation; i++) {
    const eo_pairwise_relation *other = &wanted->relations.items[i];
    bool inside = other->order == count;
    for (uint32_t j = 0; inside && j < count; j++) inside = eo__pairwise_among(params[j], other->params, other->count);
    if (inside) return true;
  }
  return false;
}

static int look_at_relation(search *s, const eo_pairwise_wanted *wanted, size_t number) {
  const eo_pairwise_relation *relation = &wanted->relations.items[number];
  uint32_t numbers[EO_PAIRWISE_MAX_ORDER], params[EO_PAIRWISE_MAX_ORDER];
  int code = EO_OK;
  for (uint32_t i = 0; i < relation->order; i++) numbers[i] = i;
  do {
    for (uint32_t i = 0; i < relation->order; i++) params[i] = relation->params[numbers[i]];
    if (!seen_before(wanted, number, params, relation->order)) code = look_at_all(s, params, relation->order);
  } while (code == EO_OK && eo__pairwise_next_subset(numbers, relation->order, relation->count));
  return code;
}

static int search_open(search *s, const eo_pairwise_model *model, eo_text *text, eo_error *error) {
  *s = (search){.model = model, .text = text, .error = error};
  s->solver = eo__pairwise_solver_open(model, error);
  if (!s->solver) return error->code;
  s->row = eo__alloc((model->params.count + 1) * sizeof *s->row);
  if (!s->row) return eo__error_nomem(error);
  for (size_t i = 0; i < model->params.count; i++) s->row[i] = EO_PAIRWISE_ANY;
  return EO_OK;
}

static void search_close(search *s) {
  if (s->solver) eo__pairwise_solver_close(s->solver);
  eo__free(s->row);
}

int eo__pairwise_explain(const eo_pairwise_model *model, uint32_t order, eo_text *text, eo_error *error) {
  search s;
  eo_pairwise_wanted wanted = {0};
  char digits[32], total[32];
  int code = eo__pairwise_check_order(model, order, error);
  if (code != EO_OK) return code;
  code = search_open(&s, model, text, error);
  if (code == EO_OK) code = eo__pairwise_wanted(model, order, &wanted, error);
  for (size_t i = 0; code == EO_OK && i < wanted.relations.count; i++) code = look_at_relation(&s, &wanted, i);
  if (code == EO_OK)
    eo__text_add(text, "%s of %s combinations %s impossible\n", eo__text_thousands(digits, s.impossible),
                 eo__text_thousands(total, s.combinations), s.impossible == 1 ? "is" : "are");
  if (code == EO_OK && text->failed) code = eo__error_nomem(error);
  eo__pairwise_wanted_release(&wanted);
  search_close(&s);
  return code;
}

/* ---- All rows --------------------------------------------------------------------------------------------------------- */

typedef struct listing {
  search search;
  uint32_t most;
  uint64_t count;
  eo_pairwise_rows *rows;
} listing;

static int list_from(listing *l, uint32_t param, unsigned invalids) {
  search *s = &l->search;
  int code = EO_OK;
  if (!eo__pairwise_solver_possible(s->solver, s->row, 1)) return EO_OK;
  if (param == s->model->params.count) {
    if (++l->count <= l->most && !eo__pairwise_rows_add(l->rows, s->row)) return eo__error_nomem(s->error);
    return EO_OK;
  }
  const eo_pairwise_param *p = &s->model->params.items[param];
  for (size_t i = 0; code == EO_OK && l->count <= COUNTED && i < p->values.count; i++) {
    s->row[param] = (uint16_t)i;
    if (invalids + p->values.items[i].invalid <= 1)
      code = list_from(l, param + 1, invalids + p->values.items[i].invalid);
  }
  s->row[param] = EO_PAIRWISE_ANY;
  return code;
}

int eo__pairwise_enumerate(const eo_pairwise_model *model, uint32_t most, eo_pairwise_rows *rows, eo_error *error) {
  listing l = {.most = most, .rows = rows};
  char digits[32], limit[32];
  int code = search_open(&l.search, model, NULL, error);
  if (code == EO_OK) code = list_from(&l, 0, 0);
  if (code == EO_OK && l.count > most)
    code = eo__error_set(
        error, EO_EINPUT, "all combinations are %s%s tests: that is more than %s; choose an order instead",
        l.count > COUNTED ? "more than " : "", eo__text_thousands(digits, l.count > COUNTED ? COUNTED : l.count),
        eo__text_thousands(limit, most));
  search_close(&l.search);
  return code;
}
