/* generate.c: see generate.h. The tests of a model are made in stages, each a system of its own (stage.h):
 *   1. the tests of each sub-model, which become the values of one node;
 *   2. all nodes at the order asked for, valid values only;
 *   3. with sub-models and constraints: what 2 could not cover, because no test of a sub-model went with it. If this
 *      brings new tests of sub-models, 2 and 3 again, with these too;
 *   4. for each parameter with invalid values: these, with the valid values of the others.
 * Existing tests begin the stage that they belong to. In the end the solver fills the places that are still open. */
#include "pairwise/generate.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "pairwise/explain.h"
#include "pairwise/solver.h"
#include "pairwise/stage.h"
#include "pairwise/ties.h"
#include "pairwise/wanted.h"

#define MAIN_PART 0.6 /* of the time is stage 2's where there are others */

/* Homes of existing rows that are not parameters. */
#define DROPPED UINT32_MAX
#define VALID (UINT32_MAX - 1)

enum { MOST_TOLD = 20 }; /* lines of a kind */

typedef struct driver {
  const eo_pairwise_model *model;
  const eo_pairwise_request *request;
  eo_pairwise_algorithm *algorithm;
  eo_pairwise_solver *solver;
  eo_pairwise_wanted wanted;
  uint32_t params;
  uint32_t *numbers;         /* 0, 1, 2, ...: the nodes' parameters */
  uint16_t *whole, *row;     /* rows of the model, for a moment */
  eo_pairwise_rows existing; /* a copy, in which sub-models are whole */
  uint32_t *homes;           /* of each existing row: DROPPED, VALID, or the parameter whose invalid value it has */
  eo_pairwise_rows *groups;  /* tests of the sub-models */
  eo_pairwise_rows valid;    /* tests without invalid values; the existing ones first */
  eo_pairwise_rows *bad;     /* [parameter] tests with one; likewise */
  uint32_t dropped;          /* existing rows that are */
  uint32_t before;           /* tests of stages that are over, for progress */
  uint32_t *owner;           /* of each parameter: which it is tied to (ties.h) */
  uint32_t *members;         /* parameters, those with the same owner together, the owner first */
  uint32_t *node_of;         /* of each parameter, in the stage of all parameters */
  eo_rng rng;                /* for how values are shuffled */
  bool stopped;
} driver;

/* Seed 0 leaves values as they are in the model. */
static eo_rng *shuffle(driver *d) { return d->request->effort.seed ? &d->rng : NULL; }

/* ---- Opening and closing ------------------------------------------------------------------------------------------ */

static eo_pairwise_algorithm *find_algorithm(const char *name) {
  if (!name || strcmp(name, "best") == 0) return eo__pairwise_best;
  if (strcmp(name, "ipo") == 0) return eo__pairwise_ipo;
  return strcmp(name, "ipo-ec") == 0 ? eo__pairwise_ipo_ec : NULL;
}

static int check_request(const eo_pairwise_model *model, const eo_pairwise_request *request, eo_error *error) {
  if (!find_algorithm(request->algorithm))
    return eo__error_set(error, EO_EINPUT, "there is no algorithm '%.32s'; there are best, ipo and ipo-ec",
                         request->algorithm);
  return eo__pairwise_check_order(model, request->order, error);
}

int eo__pairwise_check_order(const eo_pairwise_model *model, uint32_t order, eo_error *error) {
  if (order < 1 || order > EO_PAIRWISE_MAX_ORDER)
    return eo__error_set(error, EO_EINPUT, "the order is %u: it must be from 1 to %d", order, EO_PAIRWISE_MAX_ORDER);
  if (order > model->params.count)
    return eo__error_set(error, EO_EINPUT, "the order is %u, but the model has only %zu parameter%s", order,
                         model->params.count, model->params.count == 1 ? "" : "s");
  return EO_OK;
}

static int driver_open(driver *d, const eo_pairwise_model *model, const eo_pairwise_request *request, eo_error *error) {
  uint32_t params = (uint32_t)model->params.count;
  uint32_t existing = request->existing ? eo_pairwise_rows_count(request->existing) : 0;
  *d = (driver){.model = model, .request = request, .params = params};
  d->algorithm = find_algorithm(request->algorithm);
  eo__rng_init(&d->rng, request->effort.seed);
  int code = eo__pairwise_wanted(model, request->order, &d->wanted, error);
  if (code != EO_OK) return code;
  d->solver = eo__pairwise_solver_open(model, error);
  if (!d->solver) return error->code;
  d->numbers = eo__alloc((params + 1) * sizeof *d->numbers);
  d->whole = eo__alloc((3 * params + model->groups.count + 1) * sizeof *d->whole);
  d->row = eo__alloc((params + 1) * sizeof *d->row);
  d->homes = eo__alloc((existing + 1) * sizeof *d->homes);
  d->groups = eo__alloc((model->groups.count + 1) * sizeof *d->groups);
  d->bad = eo__alloc((params + 1) * sizeof *d->bad);
  d->owner = eo__alloc((params + 1) * sizeof *d->owner);
  d->members = eo__alloc((params + 1) * sizeof *d->members);
  d->node_of = eo__alloc((params + 1) * sizeof *d->node_of);
  if (!d->owner || !d->members || !d->node_of) return eo__error_nomem(error);
  if (!d->numbers || !d->whole || !d->row || !d->homes || !d->groups || !d->bad) return eo__error_nomem(error);
  for (uint32_t i = 0; i < params; i++) {
    d->numbers[i] = i;
    eo__pairwise_rows_init(&d->bad[i], params);
  }
  eo__pairwise_rows_init(&d->valid, params);
  eo__pairwise_rows_init(&d->existing, params);
  return EO_OK;
}

static void driver_close(driver *d) {
  for (size_t i = 0; d->groups && i < d->model->groups.count; i++) eo__pairwise_rows_release(&d->groups[i]);
  for (size_t i = 0; d->bad && i < d->params; i++) eo__pairwise_rows_release(&d->bad[i]);
  eo__pairwise_rows_release(&d->valid);
  eo__pairwise_rows_release(&d->existing);
  eo__pairwise_solver_close(d->solver);
  eo__pairwise_wanted_release(&d->wanted);
  eo__free(d->numbers);
  eo__free(d->whole);
  eo__free(d->row);
  eo__free(d->homes);
  eo__free(d->groups);
  eo__free(d->bad);
  eo__free(d->owner);
  eo__free(d->members);
  eo__free(d->node_of);
}

/* ---- Effort ------------------------------------------------------------------------------------------------------- */

static bool has_invalid(const eo_pairwise_param *param) {
  for (size_t i = 0; i < param->values.count; i++)
    if (param->values.items[i].invalid) return true;
  return false;
}

static uint32_t side_stages(const driver *d) {
  uint32_t count = (uint32_t)d->model->groups.count + (d->model->groups.count > 0);
  for (uint32_t i = 0; i < d->params; i++) count += has_invalid(&d->model->params.items[i]);
  return count;
}

/* Once told to stop, no later stage improves anything either. */
static bool on_progress(void *context, uint32_t tests, double elapsed) {
  driver *d = context;
  const eo_pairwise_effort *effort = &d->request->effort;
  if (!d->stopped && effort->progress && !effort->progress(effort->context, d->before + tests, elapsed))
    d->stopped = true;
  return !d->stopped;
}

static int run(driver *d, eo_pairwise_stage *stage, bool is_main, eo_error *error) {
  eo_pairwise_effort effort = d->request->effort;
  uint32_t sides = side_stages(d);
  double part = !sides ? 1 : is_main ? MAIN_PART : (1 - MAIN_PART) / sides;
  effort.seconds *= part;
  if (d->request->work > 0) eo__pairwise_stage_effort(stage, d->request->work * part, &effort);
  effort.progress = on_progress;
  effort.context = d;
  return eo__pairwise_stage_run(stage, d->algorithm, &effort, error);
}

/* ---- Contradictions and existing tests ------------------------------------------------------------------------------ */

static int check_satisfiable(driver *d, eo_error *error) {
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
static int find_excluded(driver *d, eo_text *excluded, eo_error *error) {
  uint32_t count = 0;
  int code = EO_OK;
  for (uint32_t i = 0; i < d->params; i++) d->row[i] = EO_PAIRWISE_ANY;
  for (uint32_t i = 0; code == EO_OK && d->model->constraints.count && i < d->params; i++) {
    const eo_pairwise_param *param = &d->model->params.items[i];
    for (size_t v = 0; code == EO_OK && v < param->values.count; v++) {
      d->row[i] = (uint16_t)v;
      unsigned invalids = param->values.items[v].invalid;
      if (eo__pairwise_solver_possible(d->solver, d->row, invalids) || ++count > MOST_TOLD) continue;
      eo__text_add(excluded, "no test can have %s=%s: ", param->name, param->values.items[v].names.items[0]);
      code = eo__pairwise_add_clash(d->model, d->solver, d->row, invalids, excluded, error);
      eo__text_add(excluded, "\n");
    }
    d->row[i] = EO_PAIRWISE_ANY;
  }
  if (count > MOST_TOLD) eo__text_add(excluded, "and %u more values\n", count - MOST_TOLD);
  if (code == EO_OK && excluded->failed) code = eo__error_nomem(error);
  return code;
}

/* Where the row belongs, or why it is dropped, in a line of `dropped`. */
static int place(driver *d, uint32_t number, const uint16_t *row, uint32_t *home, eo_text *dropped, eo_error *error) {
  uint32_t invalids = 0;
  *home = VALID;
  for (uint32_t i = 0; i < d->params; i++) {
    if (row[i] == EO_PAIRWISE_ANY || !d->model->params.items[i].values.items[row[i]].invalid) continue;
    invalids++;
    *home = i;
  }
  if (invalids <= 1 && eo__pairwise_solver_possible(d->solver, row, invalids)) return EO_OK;
  *home = DROPPED;
  if (++d->dropped > MOST_TOLD) return EO_OK;
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

/* A sub-model's test must go with the rest of the row, so both are chosen together. */
static void fill_groups(driver *d, uint16_t *row) {
  if (!d->model->groups.count) return;
  memcpy(d->row, row, d->params * sizeof *row);
  EO_CHECK(eo__pairwise_solver_complete(d->solver, d->row, 0));
  for (size_t i = 0; i < d->model->groups.count; i++) {
    const eo_pairwise_group *group = &d->model->groups.items[i];
    for (size_t j = 0; j < group->params.count; j++) row[group->params.items[j]] = d->row[group->params.items[j]];
  }
}

static int place_existing(driver *d, eo_pairwise_result *result, eo_error *error) {
  const eo_pairwise_rows *existing = d->request->existing;
  int code = EO_OK;
  for (uint32_t i = 0; existing && code == EO_OK && i < eo_pairwise_rows_count(existing); i++) {
    const uint16_t *row = eo_pairwise_row(existing, i);
    code = place(d, i, row, &d->homes[i], &result->dropped, error);
    if (code == EO_OK && d->homes[i] != DROPPED) result->kept++;
    if (code == EO_OK && !eo__pairwise_rows_add(&d->existing, row)) code = eo__error_nomem(error);
    if (code == EO_OK && d->homes[i] == VALID) fill_groups(d, eo_pairwise_row(&d->existing, i));
  }
  if (d->dropped > MOST_TOLD) eo__text_add(&result->dropped, "%u more rows\n", d->dropped - MOST_TOLD);
  return code == EO_OK && result->dropped.failed ? eo__error_nomem(error) : code;
}

/* ---- Sub-models ----------------------------------------------------------------------------------------------------- */

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

/* What existing tests have of the sub-model comes first, so that they are among its tests. */
static int keep_parts(driver *d, eo_pairwise_stage *stage, eo_error *error) {
  bool fits;
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->existing); i++)
    if (d->homes[i] == VALID && !eo__pairwise_stage_keep(stage, eo_pairwise_row(&d->existing, i), &fits))
      return eo__error_nomem(error);
  remove_doubles(&stage->rows);
  return EO_OK;
}

/* Whole rows of the sub-model: what is open is chosen so that the rest of the model can go with it. */
static int settle_group(driver *d, const eo_pairwise_stage *stage, eo_pairwise_rows *rows, eo_error *error) {
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

static int make_group(driver *d, uint32_t number, eo_error *error) {
  const eo_pairwise_group *group = &d->model->groups.items[number];
  uint32_t count = (uint32_t)group->params.count;
  eo_pairwise_stage stage;
  bool good = true;
  eo__pairwise_stage_init(&stage, d->model, d->solver, 0, d->whole);
  for (uint32_t i = 0; good && i < count; i++) {
    eo_pairwise_node *node = eo__pairwise_stage_node(&stage, &group->params.items[i], 1);
    good = node && eo__pairwise_stage_values(node, &d->model->params.items[group->params.items[i]], false, shuffle(d));
  }
  uint32_t order = group->order ? group->order : d->request->order;
  good = good &&
         eo__pairwise_stage_relation(&stage, d->numbers, count, order < count ? order : count, EO_PAIRWISE_NO_PIVOT);
  int code = good ? keep_parts(d, &stage, error) : eo__error_nomem(error);
  if (code == EO_OK) code = run(d, &stage, false, error);
  if (code == EO_OK) code = settle_group(d, &stage, &d->groups[number], error);
  eo__pairwise_stage_release(&stage);
  return code;
}

/* ---- Tests without invalid values ------------------------------------------------------------------------------------ */

static int take_rows(driver *d, const eo_pairwise_stage *stage, eo_pairwise_rows *rows, eo_error *error) {
  eo__pairwise_rows_release(rows);
  eo__pairwise_rows_init(rows, d->params);
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&stage->rows); i++) {
    eo__pairwise_stage_spread(stage, eo_pairwise_row(&stage->rows, i), d->row);
    if (!eo__pairwise_rows_add(rows, d->row)) return eo__error_nomem(error);
  }
  return EO_OK;
}

/* The existing tests of this home. */
static int keep_existing(driver *d, eo_pairwise_stage *stage, uint32_t home, eo_error *error) {
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->existing); i++) {
    bool fits = true;
    if (d->homes[i] != home) continue;
    if (!eo__pairwise_stage_keep(stage, eo_pairwise_row(&d->existing, i), &fits)) return eo__error_nomem(error);
    EO_CHECK(fits); /* sub-models have the parts of all existing tests */
  }
  return EO_OK;
}

/* What the constraints leave a tied parameter, where the others of its node are in d->row; the whole is possible. */
static uint16_t only_value(driver *d, uint32_t param) {
  const eo_pairwise_param *tied = &d->model->params.items[param];
  for (uint16_t v = 0; v < tied->values.count; v++) {
    d->row[param] = v;
    if (!tied->values.items[v].invalid && eo__pairwise_solver_possible(d->solver, d->row, 0)) return v;
  }
  EO_CHECK(!"a possible value of the owner leaves one");
  return 0;
}

/* A node of a parameter and of those that are tied to it. Values of it that are impossible are no values of the node. */
static bool add_tied_node(driver *d, eo_pairwise_stage *stage, uint32_t *members, uint32_t count) {
  eo_pairwise_node *node = eo__pairwise_stage_node(stage, members, count), values = {.count = 1};
  bool good = node && eo__pairwise_stage_values(&values, &d->model->params.items[members[0]], false, shuffle(d));
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

/* All parameters, for tests without invalid values those that are tied to one another in one node. With sub-models, whose
 * tests are nodes already, there are no others. */
static bool add_plain_nodes(driver *d, eo_pairwise_stage *stage, uint32_t pivot) {
  bool ties = pivot == EO_PAIRWISE_NO_PIVOT && !d->model->groups.count && d->model->constraints.count;
  uint32_t *next = d->members;
  stage->pure = ties;
  if (ties) eo__pairwise_ties(d->model, d->solver, d->owner, d->row);
  for (uint32_t i = 0; i < d->params; i++) {
    if (ties && d->owner[i] != i) continue;
    uint32_t *members = next;
    *next++ = i;
    for (uint32_t k = 0; ties && k < d->params; k++)
      if (k != i && d->owner[k] == i) *next++ = k;
    if (ties) {
      if (!add_tied_node(d, stage, members, (uint32_t)(next - members))) return false;
      continue;
    }
    eo_pairwise_node *node = eo__pairwise_stage_node(stage, members, 1);
    if (!node || !eo__pairwise_stage_values(node, &d->model->params.items[i], i == pivot, shuffle(d))) return false;
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
static bool add_plain_relation(driver *d, eo_pairwise_stage *stage, const eo_pairwise_relation *relation,
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

static bool add_plain_relations(driver *d, eo_pairwise_stage *stage, uint32_t pivot) {
  bool good = true;
  for (size_t i = 0; good && i < d->wanted.relations.count; i++) {
    const eo_pairwise_relation *relation = &d->wanted.relations.items[i];
    if (pivot == EO_PAIRWISE_NO_PIVOT || eo__pairwise_among(pivot, relation->params, relation->count))
      good = add_plain_relation(d, stage, relation, pivot);
  }
  return good;
}

/* Nodes: each sub-model, and each parameter that is in none. */
static bool add_group_nodes(driver *d, eo_pairwise_stage *stage) {
  for (size_t i = 0; i < d->model->groups.count; i++) {
    const eo_pairwise_group *group = &d->model->groups.items[i];
    eo_pairwise_node *node = eo__pairwise_stage_node(stage, group->params.items, (uint32_t)group->params.count);
    if (!node || !eo_vec_reserve(&node->tuples, d->groups[i].values.count)) return false;
    memcpy(node->tuples.items, d->groups[i].values.items, d->groups[i].values.count * sizeof(uint16_t));
    node->tuples.count = d->groups[i].values.count;
    node->limited = true;
  }
  for (uint32_t i = 0; i < d->params; i++) {
    bool inside = false;
    for (size_t j = 0; j < d->model->groups.count; j++)
      inside = inside || eo__pairwise_among(i, d->model->groups.items[j].params.items,
                                            (uint32_t)d->model->groups.items[j].params.count);
    eo_pairwise_node *node = inside ? NULL : eo__pairwise_stage_node(stage, &d->numbers[i], 1);
    if (!inside && (!node || !eo__pairwise_stage_values(node, &d->model->params.items[i], false, shuffle(d))))
      return false;
  }
  return true;
}

/* The rows of d->valid begin the stage. */
static int keep_valid(driver *d, eo_pairwise_stage *stage, eo_error *error) {
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->valid); i++) {
    bool fits = true;
    if (!eo__pairwise_stage_keep(stage, eo_pairwise_row(&d->valid, i), &fits)) return eo__error_nomem(error);
    EO_CHECK(fits);
  }
  return EO_OK;
}

/* Stage 2. */
static int make_with_groups(driver *d, eo_error *error) {
  eo_pairwise_stage stage;
  eo__pairwise_stage_init(&stage, d->model, d->solver, 0, d->whole);
  uint32_t nodes = eo__pairwise_units(d->model);
  uint32_t order = d->request->order < nodes ? d->request->order : nodes;
  bool good =
      add_group_nodes(d, &stage) && eo__pairwise_stage_relation(&stage, d->numbers, nodes, order, EO_PAIRWISE_NO_PIVOT);
  int code = good ? keep_valid(d, &stage, error) : eo__error_nomem(error);
  if (code == EO_OK) code = run(d, &stage, true, error);
  if (code == EO_OK) code = take_rows(d, &stage, &d->valid, error);
  eo__pairwise_stage_release(&stage);
  return code;
}

/* Stage 3; without sub-models all there is. */
static int make_plain(driver *d, bool is_main, eo_error *error) {
  eo_pairwise_stage stage;
  eo__pairwise_stage_init(&stage, d->model, d->solver, 0, d->whole);
  bool good = add_plain_nodes(d, &stage, EO_PAIRWISE_NO_PIVOT) && add_plain_relations(d, &stage, EO_PAIRWISE_NO_PIVOT);
  int code = good ? keep_valid(d, &stage, error) : eo__error_nomem(error);
  if (code == EO_OK) code = run(d, &stage, is_main, error);
  if (code == EO_OK) code = take_rows(d, &stage, &d->valid, error);
  eo__pairwise_stage_release(&stage);
  return code;
}

/* Fills what a row has open of a sub-model by one of its tests, if one fits. */
static void fill_from(driver *d, size_t number, uint16_t *row) {
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
static int learn_groups(driver *d, bool *any, eo_error *error) {
  *any = false;
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->valid); i++) {
    uint16_t *row = eo_pairwise_row(&d->valid, i);
    for (size_t j = 0; j < d->model->groups.count; j++) fill_from(d, j, row);
    fill_groups(d, row);
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
static bool put_unit(driver *d, uint32_t unit, uint32_t value, bool *fits) {
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

static bool is_covered(const driver *d) {
  for (uint32_t r = 0; r < eo_pairwise_rows_count(&d->valid); r++) {
    const uint16_t *row = eo_pairwise_row(&d->valid, r);
    uint32_t p = 0;
    while (p < d->params && (d->row[p] == EO_PAIRWISE_ANY || d->row[p] == row[p])) p++;
    if (p == d->params) return true;
  }
  return false;
}

/* All values of the units from `at` on, beside what is chosen in d->row; each that is possible and missing gets a test. */
static int complete_from(driver *d, const uint32_t *units, uint32_t count, uint32_t at, eo_error *error) {
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
static int complete_units(driver *d, eo_error *error) {
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

static int make_valid(driver *d, eo_error *error) {
  int code = EO_OK;
  for (uint32_t i = 0; code == EO_OK && i < eo_pairwise_rows_count(&d->existing); i++)
    if (d->homes[i] == VALID && !eo__pairwise_rows_add(&d->valid, eo_pairwise_row(&d->existing, i)))
      code = eo__error_nomem(error);
  if (code == EO_OK && !d->model->groups.count) return make_plain(d, true, error);
  for (uint32_t i = 0; code == EO_OK && i < d->model->groups.count; i++) code = make_group(d, i, error);
  for (bool again = true; code == EO_OK && again;) {
    code = make_with_groups(d, error);
    if (code == EO_OK) code = make_plain(d, false, error);
    if (code == EO_OK) code = learn_groups(d, &again, error);
    if (code != EO_OK || again) continue;
    uint32_t before = eo_pairwise_rows_count(&d->valid);
    code = complete_units(d, error);
    again = eo_pairwise_rows_count(&d->valid) > before;
    if (code == EO_OK && again) code = learn_groups(d, &(bool){false}, error);
  }
  return code;
}

/* ---- Tests with an invalid value ------------------------------------------------------------------------------------- */

/* A parameter that no relation has: its invalid values are in some test all the same. */
static int make_bad(driver *d, uint32_t param, eo_error *error) {
  eo_pairwise_stage stage;
  eo__pairwise_stage_init(&stage, d->model, d->solver, 1, d->whole);
  bool good = add_plain_nodes(d, &stage, param) && add_plain_relations(d, &stage, param) &&
              eo__pairwise_stage_relation(&stage, &d->node_of[param], 1, 1, d->node_of[param]);
  int code = good ? keep_existing(d, &stage, param, error) : eo__error_nomem(error);
  if (code == EO_OK) code = run(d, &stage, false, error);
  if (code == EO_OK) code = take_rows(d, &stage, &d->bad[param], error);
  eo__pairwise_stage_release(&stage);
  return code;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------- */

static int add_row(driver *d, eo_pairwise_rows *rows, const uint16_t *row, unsigned invalids, eo_error *error) {
  memcpy(d->row, row, d->params * sizeof *d->row);
  EO_CHECK(eo__pairwise_solver_complete(d->solver, d->row, invalids));
  return eo__pairwise_rows_add(rows, d->row) ? EO_OK : eo__error_nomem(error);
}

/* Existing tests in their order, then the others; `next`: of each home, the first row that is not among them yet. */
static int gather_from(driver *d, uint32_t *next, eo_pairwise_rows *rows, eo_error *error) {
  int code = EO_OK;
  for (uint32_t i = 0; code == EO_OK && i < eo_pairwise_rows_count(&d->existing); i++) {
    uint32_t home = d->homes[i];
    if (home == DROPPED) continue;
    const eo_pairwise_rows *from = home == VALID ? &d->valid : &d->bad[home];
    uint32_t at = next[home == VALID ? d->params : home]++;
    code = add_row(d, rows, eo_pairwise_row(from, at), home != VALID, error);
  }
  for (uint32_t i = next[d->params]; code == EO_OK && i < eo_pairwise_rows_count(&d->valid); i++)
    code = add_row(d, rows, eo_pairwise_row(&d->valid, i), 0, error);
  for (uint32_t p = 0; p < d->params; p++)
    for (uint32_t i = next[p]; code == EO_OK && i < eo_pairwise_rows_count(&d->bad[p]); i++)
      code = add_row(d, rows, eo_pairwise_row(&d->bad[p], i), 1, error);
  return code;
}

static int gather(driver *d, eo_pairwise_rows *rows, eo_error *error) {
  uint32_t *next = eo__alloc((d->params + 1) * sizeof *next);
  int code = next ? gather_from(d, next, rows, error) : eo__error_nomem(error);
  eo__free(next);
  return code;
}

int eo__pairwise_generate(const eo_pairwise_model *model, const eo_pairwise_request *request,
                          eo_pairwise_result *result, eo_error *error) {
  driver d;
  int code = check_request(model, request, error);
  if (code != EO_OK) return code;
  memset(result, 0, sizeof *result);
  eo__pairwise_rows_init(&result->rows, (uint32_t)model->params.count);
  eo__text_init(&result->dropped);
  eo__text_init(&result->excluded);
  code = driver_open(&d, model, request, error);
  if (code == EO_OK) code = check_satisfiable(&d, error);
  if (code == EO_OK) code = find_excluded(&d, &result->excluded, error);
  if (code == EO_OK) code = place_existing(&d, result, error);
  if (code == EO_OK) code = make_valid(&d, error);
  d.before = eo_pairwise_rows_count(&d.valid);
  for (uint32_t i = 0; code == EO_OK && i < d.params; i++) {
    if (!has_invalid(&model->params.items[i])) continue;
    code = make_bad(&d, i, error);
    d.before += eo_pairwise_rows_count(&d.bad[i]);
  }
  if (code == EO_OK) code = gather(&d, &result->rows, error);
  driver_close(&d);
  if (code != EO_OK) eo__pairwise_result_release(result);
  return code;
}

void eo__pairwise_result_release(eo_pairwise_result *result) {
  eo__pairwise_rows_release(&result->rows);
  eo__text_release(&result->dropped);
  eo__text_release(&result->excluded);
}
