/* generate_plain.c: systems of all parameters, with what is tied to one another as one node; see generate_inside.h. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "pairwise/generate_inside.h"
#include "pairwise/ties.h"

/* What the constraints leave a tied parameter, where the others of its node are in d->row; the whole is possible. */
static uint16_t only_value(eo__driver *d, uint32_t param) {
  const eo_pairwise_param *tied = &d->model->params.items[param];
  for (uint16_t v = 0; v < tied->values.count; v++) {
    d->row[param] = v;
    if (!tied->values.items[v].invalid && eo__pairwise_solver_possible(d->solver, d->row, 0)) return v;
  }
  EO_CHECK(!"a possible value of the owner leaves one");
  return 0;
}

/* A node of a parameter and of those that are tied to it. Values of it that are impossible are no values of the node. */
static bool add_tied_node(eo__driver *d, eo_pairwise_stage *stage, uint32_t *members, uint32_t count) {
  eo_pairwise_node *node = eo__pairwise_stage_node(stage, members, count), values = {.count = 1};
  bool good =
      node && eo__pairwise_stage_values(&values, &d->model->params.items[members[0]], false, eo__generate_shuffle(d));
  for (uint32_t i = 0; i < d->params; i++) d->row[i] = EO_PAIRWISE_ANY;
  for (size_t i = 0; good && i < values.tuples.count; i++) {
    d->row[members[0]] = values.tuples.items[i];
    bool possible = eo__pairwise_solver_possible(d->solver, d->row, 0);
    for (uint32_t k = 0; good && possible && k < count; k++)
      good = eo_vec_push(&node->tuples, k ? only_value(d, members[k]) : values.tuples.items[i]);
    for (uint32_t k = 0; k < count; k++) d->row[members[k]] = EO_PAIRWISE_ANY;
  }
  if (node) node->tied = count > 1;
  eo_vec_release(&values.tuples);
  return good;
}

/* Growth begins best with the parameters that have most values; of equals the first comes first. */
static int by_size(const void *a, const void *b) {
  const eo_pairwise_node *left = a, *right = b;
  size_t left_values = left->tuples.count / left->count, right_values = right->tuples.count / right->count;
  if (left_values != right_values) return left_values > right_values ? -1 : 1;
  return left->params[0] < right->params[0] ? -1 : 1;
}

/* One node for each sub-model that is free; what d->node_of has of its parameters becomes 0. */
static bool add_free_nodes(eo__driver *d, eo_pairwise_stage *stage) {
  for (size_t i = 0; i < d->model->groups.count; i++) {
    const eo_pairwise_group *group = &d->model->groups.items[i];
    if (!eo__generate_group_free(d, i)) continue;
    if (!eo__generate_group_node(d, stage, i)) return false;
    for (size_t k = 0; k < group->params.count; k++) d->node_of[group->params.items[k]] = 0;
  }
  return true;
}

/* All parameters. In tests without invalid values those that are tied to one another are one node, as are the tests of a
 * sub-model that go with everything; with sub-models nothing else is tied. */
static bool add_plain_nodes(eo__driver *d, eo_pairwise_stage *stage, uint32_t pivot) {
  bool ties = pivot == EO_PAIRWISE_NO_PIVOT && !d->model->groups.count && d->model->constraints.count;
  uint32_t *next = d->members;
  stage->pure = ties;
  if (ties) eo__pairwise_ties(d->model, d->solver, d->owner, d->row);
  memset(d->node_of, 0xff, d->params * sizeof *d->node_of);
  if (pivot == EO_PAIRWISE_NO_PIVOT && !add_free_nodes(d, stage)) return false;
  for (uint32_t i = 0; i < d->params; i++) {
    if ((ties && d->owner[i] != i) || d->node_of[i] == 0) continue;
    uint32_t *members = next;
    *next++ = i;
    for (uint32_t k = 0; ties && k < d->params; k++)
      if (k != i && d->owner[k] == i) *next++ = k;
    if (ties) {
      if (!add_tied_node(d, stage, members, (uint32_t)(next - members))) return false;
      continue;
    }
    eo_pairwise_node *node = eo__pairwise_stage_node(stage, members, 1);
    if (!node || !eo__pairwise_stage_values(node, &d->model->params.items[i], i == pivot, eo__generate_shuffle(d)))
      return false;
    node->limited = i == pivot;
  }
  if (d->algorithm == eo__pairwise_best)
    qsort(stage->nodes.items, stage->nodes.count, sizeof stage->nodes.items[0], by_size);
  for (uint32_t i = 0; i < stage->nodes.count; i++)
    for (uint32_t k = 0; k < stage->nodes.items[i].count; k++) d->node_of[stage->nodes.items[i].params[k]] = i;
  return true;
}

static int by_number(const void *a, const void *b) {
  const uint32_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

/* A relation of parameters as one of nodes; what is tied is there once. */
static bool add_plain_relation(eo__driver *d, eo_pairwise_stage *stage, const eo_pairwise_relation *relation,
                               uint32_t pivot) {
  uint32_t *nodes = eo__alloc(relation->count * sizeof *nodes), count = 0;
  if (!nodes) return false;
  for (uint32_t i = 0; i < relation->count; i++) nodes[i] = d->node_of[relation->params[i]];
  qsort(nodes, relation->count, sizeof *nodes, by_number);
  for (uint32_t i = 0; i < relation->count; i++)
    if (i == 0 || nodes[i] != nodes[i - 1]) nodes[count++] = nodes[i];
  uint32_t order = relation->order < count ? relation->order : count;
  bool good = eo__pairwise_stage_relation(stage, nodes, count, order,
                                          pivot == EO_PAIRWISE_NO_PIVOT ? pivot : d->node_of[pivot]);
  eo__free(nodes);
  return good;
}

static bool add_plain_relations(eo__driver *d, eo_pairwise_stage *stage, uint32_t pivot) {
  bool good = true;
  for (size_t i = 0; good && i < d->wanted.relations.count; i++) {
    const eo_pairwise_relation *relation = &d->wanted.relations.items[i];
    if (pivot == EO_PAIRWISE_NO_PIVOT || eo__pairwise_among(pivot, relation->params, relation->count))
      good = add_plain_relation(d, stage, relation, pivot);
  }
  return good;
}

/* Stage 3; without sub-models all there is. */
int eo__generate_plain(eo__driver *d, bool is_main, eo_error *error) {
  eo_pairwise_stage stage;
  eo__pairwise_stage_init(&stage, d->model, d->solver, 0, d->whole);
  bool good = add_plain_nodes(d, &stage, EO_PAIRWISE_NO_PIVOT) && add_plain_relations(d, &stage, EO_PAIRWISE_NO_PIVOT);
  int code = good ? eo__generate_keep_valid(d, &stage, error) : eo__error_nomem(error);
  if (code == EO_OK) code = eo__generate_run(d, &stage, is_main, error);
  if (code == EO_OK) code = eo__generate_take_rows(d, &stage, &d->valid, error);
  eo__pairwise_stage_release(&stage);
  return code;
}

/* ---- Tests with an invalid value ------------------------------------------------------------------------------------- */

/* The existing tests of this home. */
static int keep_existing(eo__driver *d, eo_pairwise_stage *stage, uint32_t home, eo_error *error) {
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->existing); i++) {
    bool fits = true;
    if (d->homes[i] != home) continue;
    if (!eo__pairwise_stage_keep(stage, eo_pairwise_row(&d->existing, i), &fits)) return eo__error_nomem(error);
    EO_CHECK(fits); /* sub-models have the parts of all existing tests */
  }
  return EO_OK;
}

/* A parameter that no relation has: its invalid values are in some test all the same. */
int eo__generate_bad(eo__driver *d, uint32_t param, eo_error *error) {
  eo_pairwise_stage stage;
  eo__pairwise_stage_init(&stage, d->model, d->solver, 1, d->whole);
  bool good = add_plain_nodes(d, &stage, param) && add_plain_relations(d, &stage, param) &&
              eo__pairwise_stage_relation(&stage, &d->node_of[param], 1, 1, d->node_of[param]);
  int code = good ? keep_existing(d, &stage, param, error) : eo__error_nomem(error);
  if (code == EO_OK) code = eo__generate_run(d, &stage, false, error);
  if (code == EO_OK) code = eo__generate_take_rows(d, &stage, &d->bad[param], error);
  eo__pairwise_stage_release(&stage);
  return code;
}
