/* generate_groups.c: the tests of sub-models, and the tests of the model made of these; see generate_inside.h. */
#include <string.h>

#include "base/alloc.h"
#include "pairwise/generate_inside.h"

/* A sub-model's test must go with the rest of the row, so both are chosen together. */
void eo__generate_fill_groups(eo__driver *d, uint16_t *row) {
  if (!d->model->groups.count) return;
  memcpy(d->row, row, d->params * sizeof *row);
  EO_CHECK(eo__pairwise_solver_complete(d->solver, d->row, 0));
  for (size_t i = 0; i < d->model->groups.count; i++) {
    const eo_pairwise_group *group = &d->model->groups.items[i];
    for (size_t j = 0; j < group->params.count; j++) row[group->params.items[j]] = d->row[group->params.items[j]];
  }
}

/* ---- Tests of one sub-model ------------------------------------------------------------------------------------------ */

static bool same_row(const eo_pairwise_rows *rows, uint32_t a, uint32_t b) {
  return memcmp(eo_pairwise_row(rows, a), eo_pairwise_row(rows, b), rows->params * sizeof(uint16_t)) == 0;
}

/* Leaves each row once. */
static void remove_doubles(eo_pairwise_rows *rows) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < eo_pairwise_rows_count(rows); i++) {
    bool there = false;
    for (uint32_t j = 0; j < kept && !there; j++) there = same_row(rows, i, j);
    if (there) continue;
    memmove(eo_pairwise_row(rows, kept), eo_pairwise_row(rows, i), rows->params * sizeof(uint16_t));
    kept++;
  }
  rows->values.count = (size_t)kept * rows->params;
}

/* Writes into d->row, which is possible, what it leaves the sub-model's parameters no choice of; returns how many. */
static uint32_t put_forced(eo__driver *d, const eo_pairwise_group *group) {
  uint32_t forced = 0;
  for (size_t i = 0; i < group->params.count; i++) {
    uint32_t param = group->params.items[i], possible = 0;
    uint16_t only = EO_PAIRWISE_ANY, count = (uint16_t)d->model->params.items[param].values.count;
    for (d->row[param] = 0; d->row[param] < count && possible < 2; d->row[param]++)
      if (eo__pairwise_solver_possible(d->solver, d->row, 0)) {
        only = d->row[param];
        possible++;
      }
    d->row[param] = possible == 1 ? only : EO_PAIRWISE_ANY;
    forced += possible == 1;
  }
  return forced;
}

/* What a value of another parameter forces in the sub-model, if its tests need not have that anyway: else the value would
 * go with none of them. */
static int keep_forced(eo__driver *d, eo_pairwise_stage *stage, const eo_pairwise_group *group, uint32_t order,
                       eo_error *error) {
  for (uint32_t p = 0; p < d->params; p++) {
    uint32_t connected, values = (uint32_t)d->model->params.items[p].values.count;
    if (eo__pairwise_among(p, group->params.items, (uint32_t)group->params.count)) continue;
    if (!eo__pairwise_solver_connected(d->solver, p, &connected)) continue;
    for (uint32_t value = 0; value < values; value++) {
      bool fits;
      for (uint32_t i = 0; i < d->params; i++) d->row[i] = EO_PAIRWISE_ANY;
      d->row[p] = (uint16_t)value;
      if (!eo__pairwise_solver_possible(d->solver, d->row, 0) || put_forced(d, group) <= order) continue;
      if (!eo__pairwise_stage_keep(stage, d->row, &fits)) return eo__error_nomem(error);
      d->forced = true;
    }
  }
  return EO_OK;
}

/* What existing tests have of the sub-model comes first, so that they are among its tests. */
static int keep_parts(eo__driver *d, eo_pairwise_stage *stage, eo_error *error) {
  bool fits;
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->existing); i++)
    if (d->homes[i] == EO__VALID && !eo__pairwise_stage_keep(stage, eo_pairwise_row(&d->existing, i), &fits))
      return eo__error_nomem(error);
  return EO_OK;
}

/* Whole rows of the sub-model: what is open is chosen so that the rest of the model can go with it. */
static int settle_group(eo__driver *d, const eo_pairwise_stage *stage, eo_pairwise_rows *rows, eo_error *error) {
  uint32_t count = (uint32_t)stage->nodes.count;
  eo__pairwise_rows_init(rows, count);
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&stage->rows); i++) {
    eo__pairwise_stage_spread(stage, eo_pairwise_row(&stage->rows, i), d->row);
    EO_CHECK(eo__pairwise_solver_complete(d->solver, d->row, 0));
    if (!eo__pairwise_rows_add(rows, NULL)) return eo__error_nomem(error);
    for (uint32_t j = 0; j < count; j++) eo_pairwise_row(rows, i)[j] = d->row[stage->nodes.items[j].params[0]];
  }
  remove_doubles(rows);
  if (eo_pairwise_rows_count(rows) >= EO_PAIRWISE_ANY)
    return eo__error_set(error, EO_EINPUT, "a sub-model has too many tests, %u: lower its order",
                         eo_pairwise_rows_count(rows));
  return EO_OK;
}

static int make_group(eo__driver *d, uint32_t number, eo_error *error) {
  const eo_pairwise_group *group = &d->model->groups.items[number];
  uint32_t count = (uint32_t)group->params.count;
  eo_pairwise_stage stage;
  bool good = true;
  eo__pairwise_stage_init(&stage, d->model, d->solver, 0, d->whole);
  for (uint32_t i = 0; good && i < count; i++) {
    eo_pairwise_node *node = eo__pairwise_stage_node(&stage, &group->params.items[i], 1);
    good = node && eo__pairwise_stage_values(node, &d->model->params.items[group->params.items[i]], false,
                                             eo__generate_shuffle(d));
  }
  uint32_t order = group->order ? group->order : d->request->order;
  good = good &&
         eo__pairwise_stage_relation(&stage, d->numbers, count, order < count ? order : count, EO_PAIRWISE_NO_PIVOT);
  int code = good ? keep_parts(d, &stage, error) : eo__error_nomem(error);
  if (code == EO_OK && d->forcing) code = keep_forced(d, &stage, group, order, error);
  if (code == EO_OK) remove_doubles(&stage.rows);
  if (code == EO_OK) code = eo__generate_run(d, &stage, false, error);
  if (code == EO_OK) code = settle_group(d, &stage, &d->groups[number], error);
  eo__pairwise_stage_release(&stage);
  return code;
}

/* ---- Sub-models as values ------------------------------------------------------------------------------------------ */

bool eo__generate_group_node(eo__driver *d, eo_pairwise_stage *stage, size_t number) {
  const eo_pairwise_group *group = &d->model->groups.items[number];
  const eo_pairwise_rows *tests = &d->groups[number];
  eo_pairwise_node *node = eo__pairwise_stage_node(stage, group->params.items, (uint32_t)group->params.count);
  if (!node || !eo_vec_reserve(&node->tuples, tests->values.count)) return false;
  memcpy(node->tuples.items, tests->values.items, tests->values.count * sizeof(uint16_t));
  node->tuples.count = tests->values.count;
  node->limited = true;
  return true;
}

bool eo__generate_group_free(const eo__driver *d, size_t number) {
  const eo_pairwise_group *group = &d->model->groups.items[number];
  uint32_t count;
  for (size_t i = 0; i < group->params.count; i++) {
    if (eo__pairwise_solver_connected(d->solver, group->params.items[i], &count)) return false;
    for (size_t j = 0; j < d->model->groups.count; j++)
      if (j != number && eo__pairwise_among(group->params.items[i], d->model->groups.items[j].params.items,
                                            (uint32_t)d->model->groups.items[j].params.count))
        return false;
  }
  return !d->model->relations.count;
}

/* Nodes: each sub-model, and each parameter that is in none. */
static bool add_group_nodes(eo__driver *d, eo_pairwise_stage *stage) {
  for (size_t i = 0; i < d->model->groups.count; i++)
    if (!eo__generate_group_node(d, stage, i)) return false;
  for (uint32_t i = 0; i < d->params; i++) {
    bool inside = false;
    for (size_t j = 0; j < d->model->groups.count; j++)
      inside = inside || eo__pairwise_among(i, d->model->groups.items[j].params.items,
                                            (uint32_t)d->model->groups.items[j].params.count);
    eo_pairwise_node *node = inside ? NULL : eo__pairwise_stage_node(stage, &d->numbers[i], 1);
    if (!inside &&
        (!node || !eo__pairwise_stage_values(node, &d->model->params.items[i], false, eo__generate_shuffle(d))))
      return false;
  }
  return true;
}

/* Stage 2. */
static int make_with_groups(eo__driver *d, eo_error *error) {
  eo_pairwise_stage stage;
  eo__pairwise_stage_init(&stage, d->model, d->solver, 0, d->whole);
  uint32_t nodes = eo__pairwise_units(d->model);
  uint32_t order = d->request->order < nodes ? d->request->order : nodes;
  bool good =
      add_group_nodes(d, &stage) && eo__pairwise_stage_relation(&stage, d->numbers, nodes, order, EO_PAIRWISE_NO_PIVOT);
  int code = good ? eo__generate_keep_valid(d, &stage, error) : eo__error_nomem(error);
  if (code == EO_OK) code = eo__generate_run(d, &stage, true, error);
  if (code == EO_OK) code = eo__generate_take_rows(d, &stage, &d->valid, error);
  eo__pairwise_stage_release(&stage);
  return code;
}

/* Fills what a row has open of a sub-model by one of its tests, if one fits. */
static void fill_from(eo__driver *d, size_t number, uint16_t *row) {
  const eo_pairwise_group *group = &d->model->groups.items[number];
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->groups[number]); i++) {
    const uint16_t *tuple = eo_pairwise_row(&d->groups[number], i);
    bool agrees = true;
    memcpy(d->row, row, d->params * sizeof *row);
    for (size_t j = 0; j < group->params.count; j++) {
      uint16_t *place = &d->row[group->params.items[j]];
      agrees = agrees && (*place == EO_PAIRWISE_ANY || *place == tuple[j]);
      *place = tuple[j];
    }
    if (!agrees || !eo__pairwise_solver_possible(d->solver, d->row, 0)) continue;
    memcpy(row, d->row, d->params * sizeof *row);
    return;
  }
}

/* Adds the tests of sub-models that are new in d->valid to them; *any: there were some. */
static int learn_groups(eo__driver *d, bool *any, eo_error *error) {
  *any = false;
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->valid); i++) {
    uint16_t *row = eo_pairwise_row(&d->valid, i);
    for (size_t j = 0; j < d->model->groups.count; j++) fill_from(d, j, row);
    eo__generate_fill_groups(d, row);
  }
  for (size_t g = 0; g < d->model->groups.count; g++) {
    const eo_pairwise_group *group = &d->model->groups.items[g];
    uint32_t before = eo_pairwise_rows_count(&d->groups[g]);
    for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->valid); i++) {
      if (!eo__pairwise_rows_add(&d->groups[g], NULL)) return eo__error_nomem(error);
      uint16_t *added = eo_pairwise_row(&d->groups[g], eo_pairwise_rows_count(&d->groups[g]) - 1);
      for (size_t j = 0; j < group->params.count; j++) added[j] = eo_pairwise_row(&d->valid, i)[group->params.items[j]];
    }
    remove_doubles(&d->groups[g]);
    *any = *any || eo_pairwise_rows_count(&d->groups[g]) > before;
  }
  return EO_OK;
}

/* ---- What goes with no test of another sub-model ------------------------------------------------------------------- */

/* Writes value `value` of unit `unit` (sub-models first, then parameters in none) into d->row; false: there is no such
 * value. *fits: it agrees with what is there. */
static bool put_unit(eo__driver *d, uint32_t unit, uint32_t value, bool *fits) {
  uint32_t groups = (uint32_t)d->model->groups.count;
  *fits = true;
  if (unit < groups) {
    const eo_pairwise_group *group = &d->model->groups.items[unit];
    if (value >= eo_pairwise_rows_count(&d->groups[unit])) return false;
    for (size_t j = 0; j < group->params.count; j++) {
      uint16_t *place = &d->row[group->params.items[j]], wanted = eo_pairwise_row(&d->groups[unit], value)[j];
      *fits = *fits && (*place == EO_PAIRWISE_ANY || *place == wanted);
      *place = wanted;
    }
    return true;
  }
  uint32_t param = d->members[unit - groups]; /* as listed by complete_units */
  if (value >= d->model->params.items[param].values.count) return false;
  *fits = !d->model->params.items[param].values.items[value].invalid;
  d->row[param] = (uint16_t)value;
  return true;
}

static bool is_covered(const eo__driver *d) {
  for (uint32_t r = 0; r < eo_pairwise_rows_count(&d->valid); r++) {
    const uint16_t *row = eo_pairwise_row(&d->valid, r);
    uint32_t p = 0;
    while (p < d->params && (d->row[p] == EO_PAIRWISE_ANY || d->row[p] == row[p])) p++;
    if (p == d->params) return true;
  }
  return false;
}

/* All values of the units from `at` on, beside what is chosen in d->row; each that is possible and missing gets a test. */
static int complete_from(eo__driver *d, const uint32_t *units, uint32_t count, uint32_t at, eo_error *error) {
  if (at == count) {
    if (is_covered(d) || !eo__pairwise_solver_possible(d->solver, d->row, 0)) return EO_OK;
    return eo__pairwise_rows_add(&d->valid, d->row) ? EO_OK : eo__error_nomem(error);
  }
  uint16_t *before = eo__alloc((d->params + 1) * sizeof *before);
  if (!before) return eo__error_nomem(error);
  int code = EO_OK;
  bool fits, more = true;
  memcpy(before, d->row, d->params * sizeof *before);
  for (uint32_t value = 0; code == EO_OK && more; value++) {
    more = put_unit(d, units[at], value, &fits);
    if (more && fits) code = complete_from(d, units, count, at + 1, error);
    memcpy(d->row, before, d->params * sizeof *before);
  }
  eo__free(before);
  return code;
}

/* Stage 2 leaves out what goes with no test that another sub-model has so far. */
static int complete_units(eo__driver *d, eo_error *error) {
  uint32_t units = (uint32_t)d->model->groups.count, subset[EO_PAIRWISE_MAX_ORDER] = {0}, listed = 0;
  for (uint32_t i = 0; i < d->params; i++) {
    bool inside = false;
    for (uint32_t j = 0; j < units; j++)
      inside = inside || eo__pairwise_among(i, d->model->groups.items[j].params.items,
                                            (uint32_t)d->model->groups.items[j].params.count);
    if (!inside) d->members[listed++] = i;
  }
  uint32_t order = d->request->order < units + listed ? d->request->order : units + listed;
  for (uint32_t i = 0; i < order; i++) subset[i] = i;
  int code = EO_OK;
  do {
    for (uint32_t i = 0; i < d->params; i++) d->row[i] = EO_PAIRWISE_ANY;
    if (subset[0] < units) code = complete_from(d, subset, order, 0, error);
  } while (code == EO_OK && eo__pairwise_next_subset(subset, order, units + listed));
  return code;
}

/* ---- All of them --------------------------------------------------------------------------------------------------- */

int eo__generate_with_groups(eo__driver *d, eo_error *error) {
  int code = EO_OK;
  for (uint32_t i = 0; code == EO_OK && i < d->model->groups.count; i++) code = make_group(d, i, error);
  for (bool again = true; code == EO_OK && again;) {
    code = make_with_groups(d, error);
    if (code == EO_OK) code = eo__generate_plain(d, false, error);
    if (code == EO_OK) code = learn_groups(d, &again, error);
    if (code != EO_OK || again) continue;
    uint32_t before = eo_pairwise_rows_count(&d->valid);
    code = complete_units(d, error);
    again = eo_pairwise_rows_count(&d->valid) > before;
    if (code == EO_OK && again) code = learn_groups(d, &(bool){false}, error);
  }
  return code;
}
