/* stage.c: see stage.h. What it adds to the generators is the way back: whether a row of nodes is possible is asked of the
 * solver as a row of the model. */
#include "pairwise/stage.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/generate.h"

enum { STEPS_OF_A_ROUND = 1000 };
#define NO_LIMIT 1e9 /* seconds */
#define NO_NODE UINT32_MAX

void eo__pairwise_stage_init(eo_pairwise_stage *stage, const eo_pairwise_model *model, eo_pairwise_solver *solver,
                             unsigned invalids, uint16_t *whole) {
  *stage = (eo_pairwise_stage){.model = model, .solver = solver, .invalids = invalids, .whole = whole};
}

void eo__pairwise_stage_release(eo_pairwise_stage *stage) {
  for (size_t i = 0; i < stage->nodes.count; i++) eo_vec_release(&stage->nodes.items[i].tuples);
  for (size_t i = 0; i < stage->relations.count; i++) eo__free((uint32_t *)stage->relations.items[i].params);
  eo_vec_release(&stage->nodes);
  eo_vec_release(&stage->relations);
  eo__pairwise_rows_release(&stage->rows);
}

eo_pairwise_node *eo__pairwise_stage_node(eo_pairwise_stage *stage, const uint32_t *params, uint32_t count) {
  eo_pairwise_node node = {.params = params, .count = count};
  return eo_vec_push(&stage->nodes, node) ? &eo_vec_last(&stage->nodes) : NULL;
}

bool eo__pairwise_stage_values(eo_pairwise_node *node, const eo_pairwise_param *param, bool invalid, eo_rng *rng) {
  for (size_t i = 0; i < param->values.count; i++)
    if (param->values.items[i].invalid == invalid && !eo_vec_push(&node->tuples, (uint16_t)i)) return false;
  for (size_t i = node->tuples.count; rng && i > 1; i--) {
    uint16_t *one = &node->tuples.items[i - 1], *other = &node->tuples.items[eo__rng_below(rng, (uint32_t)i)];
    uint16_t value = *one;
    *one = *other;
    *other = value;
  }
  return true;
}

bool eo__pairwise_stage_relation(eo_pairwise_stage *stage, const uint32_t *nodes, uint32_t count, uint32_t order,
                                 uint32_t pivot) {
  uint32_t *copy = eo__alloc(count * sizeof *copy);
  eo_pairwise_relation relation = {.params = copy, .count = count, .order = order, .pivot = pivot};
  if (!copy) return false;
  memcpy(copy, nodes, count * sizeof *copy);
  if (eo_vec_push(&stage->relations, relation)) return true;
  eo__free(copy);
  return false;
}

/* ---- Rows of nodes and rows of the model ------------------------------------------------------------------------- */

static uint16_t tuple_count(const eo_pairwise_node *node) { return (uint16_t)(node->tuples.count / node->count); }

static const uint16_t *tuple_of(const eo_pairwise_node *node, uint16_t value) {
  return node->tuples.items + (size_t)value * node->count;
}

/* False: nodes that share a parameter do not agree on it. */
static bool put_all(const eo_pairwise_stage *stage, const uint16_t *row, uint16_t *whole) {
  for (size_t i = 0; i < stage->model->params.count; i++) whole[i] = EO_PAIRWISE_ANY;
  for (size_t i = 0; i < stage->nodes.count; i++) {
    const eo_pairwise_node *node = &stage->nodes.items[i];
    for (uint32_t j = 0; row[i] != EO_PAIRWISE_ANY && j < node->count; j++) {
      uint16_t *place = &whole[node->params[j]], value = tuple_of(node, row[i])[j];
      if (*place != EO_PAIRWISE_ANY && *place != value) return false;
      *place = value;
    }
  }
  return true;
}

/* Gives the open limited nodes of the row a tuple each, from `from` on, such that the whole can be completed. */
static bool settle(const eo_pairwise_stage *stage, uint16_t *row, size_t from, uint16_t *whole) {
  while (from < stage->nodes.count && (!stage->nodes.items[from].limited || row[from] != EO_PAIRWISE_ANY)) from++;
  if (!put_all(stage, row, whole) || !eo__pairwise_solver_possible(stage->solver, whole, stage->invalids)) return false;
  if (from == stage->nodes.count) return true;
  for (uint16_t value = 0; value < tuple_count(&stage->nodes.items[from]); value++) {
    row[from] = value;
    if (settle(stage, row, from + 1, whole)) return true;
  }
  row[from] = EO_PAIRWISE_ANY;
  return false;
}

static bool possible(void *context, const uint16_t *row) {
  const eo_pairwise_stage *stage = context;
  uint16_t *copy = stage->whole + 2 * stage->model->params.count;
  memcpy(copy, row, stage->nodes.count * sizeof *copy);
  return settle(stage, copy, 0, stage->whole);
}

void eo__pairwise_stage_spread(const eo_pairwise_stage *stage, const uint16_t *row, uint16_t *out) {
  uint16_t *copy = stage->whole + 2 * stage->model->params.count;
  memcpy(copy, row, stage->nodes.count * sizeof *copy);
  EO_CHECK(settle(stage, copy, 0, out));
}

/* How many the nodes have together. */
static size_t parameters(const eo_pairwise_stage *stage) {
  size_t total = 0;
  for (size_t i = 0; i < stage->nodes.count; i++) total += stage->nodes.items[i].count;
  return total;
}

static bool overlaps(const eo_pairwise_stage *stage) { return parameters(stage) > stage->model->params.count; }

/* Each parameter of the model is in one node. */
static bool whole_model(const eo_pairwise_stage *stage) {
  for (size_t i = 0; i < stage->model->params.count; i++)
    if (stage->node_of[i] == NO_NODE) return false;
  return parameters(stage) == stage->model->params.count;
}

/* The first parameter of each node tells which value the node has. */
static bool plain(const eo_pairwise_stage *stage) {
  for (size_t i = 0; i < stage->nodes.count; i++)
    if (stage->nodes.items[i].count > 1 && !stage->nodes.items[i].tied) return false;
  return true;
}

/* Can a row of values that are each possible be invalid? */
static bool is_constrained(const eo_pairwise_stage *stage) {
  const eo_pairwise_rules *rules = eo__pairwise_solver_rules(stage->solver);
  if (overlaps(stage)) return true;
  if (!stage->pure) return stage->model->constraints.count > 0;
  for (size_t c = 0; c < rules->rules.count; c++) {
    const eo_pairwise_rule *rule = &rules->rules.items[c];
    for (uint32_t k = 1; k < rule->count; k++)
      if (stage->node_of[rules->params.items[rule->first + k]] != stage->node_of[rules->params.items[rule->first]])
        return true;
  }
  return false;
}

/* Writes what the row has of a parameter into `whole`. */
static void put_one(const eo_pairwise_stage *stage, const uint16_t *row, uint32_t param) {
  uint32_t number = stage->node_of[param], at = 0;
  const eo_pairwise_node *node = &stage->nodes.items[number];
  while (node->params[at] != param) at++;
  stage->whole[param] = node->tuples.items[(size_t)row[number] * node->count + at];
}

/* Only constraints that name the node's parameters can be broken; of the row only what these name is looked at. */
static bool still(void *context, const uint16_t *row, uint32_t number) {
  const eo_pairwise_stage *stage = context;
  const eo_pairwise_rules *rules = eo__pairwise_solver_rules(stage->solver);
  for (uint32_t n = 0; n < stage->nodes.items[number].count; n++) {
    uint32_t param = stage->nodes.items[number].params[n];
    for (uint32_t i = rules->of_first[param]; i < rules->of_first[param + 1]; i++) {
      const eo_pairwise_rule *rule = &rules->rules.items[rules->of[i]];
      for (uint32_t k = 0; k < rule->count; k++) put_one(stage, row, rules->params.items[rule->first + k]);
      if (!eo__pairwise_rule_holds(rules, rules->of[i], stage->whole)) return false;
    }
  }
  return true;
}

static bool together(void *context, const uint32_t *nodes, const uint16_t *values, uint32_t count) {
  const eo_pairwise_stage *stage = context;
  uint32_t touched = 0;
  for (uint32_t i = 0; i < count; i++) {
    const eo_pairwise_node *node = &stage->nodes.items[nodes[i]];
    for (uint32_t j = 0; j < node->count; j++) {
      stage->open[node->params[j]] = tuple_of(node, values[i])[j];
      stage->touched[touched++] = node->params[j];
    }
  }
  bool good = eo__pairwise_solver_together(stage->solver, stage->open, stage->touched, touched, stage->invalids);
  for (uint32_t i = 0; i < touched; i++) stage->open[stage->touched[i]] = EO_PAIRWISE_ANY;
  return good;
}

/* Only what constraints connect with the node can have become impossible. */
static bool extends(void *context, const uint16_t *row, uint32_t number) {
  const eo_pairwise_stage *stage = context;
  uint32_t count, param = stage->nodes.items[number].params[0];
  const uint32_t *connected = eo__pairwise_solver_connected(stage->solver, param, &count);
  if (!connected) return true;
  for (uint32_t i = 0; i < count; i++)
    if (row[stage->node_of[connected[i]]] == EO_PAIRWISE_ANY)
      stage->whole[connected[i]] = EO_PAIRWISE_ANY;
    else
      put_one(stage, row, connected[i]);
  return eo__pairwise_solver_together(stage->solver, stage->whole, &param, 1, 0);
}

static uint16_t value_of(const eo_pairwise_node *node, uint16_t value) {
  uint16_t at = 0;
  while (tuple_of(node, at)[0] != value) at++;
  return at;
}

static bool near(void *context, uint16_t *row, const uint16_t *like) {
  const eo_pairwise_stage *stage = context;
  uint16_t *whole = stage->whole, *near_whole = whole + stage->model->params.count;
  put_all(stage, row, whole);
  put_all(stage, like, near_whole);
  if (!eo__pairwise_solver_near(stage->solver, whole, near_whole, stage->invalids)) return false;
  for (size_t i = 0; i < stage->nodes.count; i++) {
    const eo_pairwise_node *node = &stage->nodes.items[i];
    uint32_t param = node->params[0];
    row[i] = whole[param] == near_whole[param] ? like[i] : value_of(node, whole[param]);
  }
  return true;
}

/* The value of the node that agrees with the row where that is chosen. */
static uint16_t find(const eo_pairwise_node *node, const uint16_t *row, bool *fits) {
  bool open = true;
  for (uint32_t i = 0; i < node->count; i++) open = open && row[node->params[i]] == EO_PAIRWISE_ANY;
  if (open) return EO_PAIRWISE_ANY;
  for (uint16_t value = 0; value < tuple_count(node); value++) {
    const uint16_t *tuple = tuple_of(node, value);
    bool agrees = true;
    for (uint32_t i = 0; i < node->count; i++) {
      uint16_t wanted = row[node->params[i]];
      agrees = agrees && (wanted == EO_PAIRWISE_ANY || wanted == tuple[i]);
    }
    if (agrees) return value;
  }
  *fits = false;
  return EO_PAIRWISE_ANY;
}

bool eo__pairwise_stage_keep(eo_pairwise_stage *stage, const uint16_t *row, bool *fits) {
  *fits = true;
  if (stage->rows.params == 0) eo__pairwise_rows_init(&stage->rows, (uint32_t)stage->nodes.count);
  if (!eo__pairwise_rows_add(&stage->rows, NULL)) return false;
  uint16_t *kept = eo_pairwise_row(&stage->rows, eo_pairwise_rows_count(&stage->rows) - 1);
  for (size_t i = 0; i < stage->nodes.count; i++) kept[i] = find(&stage->nodes.items[i], row, fits);
  if (!*fits) stage->rows.values.count -= stage->rows.params;
  return true;
}

/* ---- Running ------------------------------------------------------------------------------------------------------ */

static bool is_weighted(const eo_pairwise_stage *stage) {
  for (size_t i = 0; i < stage->model->params.count; i++)
    for (size_t j = 0; j < stage->model->params.items[i].values.count; j++)
      if (stage->model->params.items[i].values.items[j].weight > 1) return true;
  return false;
}

/* A tuple weighs as much as its values together. */
static uint32_t weigh(const eo_pairwise_stage *stage, const eo_pairwise_node *node, uint16_t value) {
  uint64_t weight = 1;
  const uint16_t *tuple = tuple_of(node, value);
  for (uint32_t i = 0; i < node->count && weight < UINT32_MAX; i++)
    weight *= stage->model->params.items[node->params[i]].values.items[tuple[i]].weight;
  return weight < UINT32_MAX ? (uint32_t)weight : UINT32_MAX;
}

/* What the system needs beside the stage itself, in one block each. */
typedef struct frame {
  uint16_t *values;
  uint32_t *weights;
  const uint32_t **weights_of;
  uint32_t *node_of, *touched, *component;
  uint16_t *open;
} frame;

static bool fill(const eo_pairwise_stage *stage, frame *f) {
  size_t nodes = stage->nodes.count, total = 0;
  for (size_t i = 0; i < nodes; i++) total += tuple_count(&stage->nodes.items[i]);
  f->values = eo__alloc(nodes * sizeof *f->values);
  f->weights = eo__alloc((total + 1) * sizeof *f->weights);
  f->weights_of = eo__alloc(nodes * sizeof *f->weights_of);
  f->node_of = eo__alloc(stage->model->params.count * sizeof *f->node_of);
  f->touched = eo__alloc((stage->model->params.count + 1) * sizeof *f->touched);
  f->open = eo__alloc((stage->model->params.count + 1) * sizeof *f->open);
  f->component = eo__alloc((nodes + 1) * sizeof *f->component);
  if (!f->values || !f->weights || !f->weights_of || !f->node_of || !f->touched || !f->open || !f->component)
    return false;
  for (size_t i = 0; i < nodes; i++) {
    uint32_t count;
    const uint32_t *connected = eo__pairwise_solver_connected(stage->solver, stage->nodes.items[i].params[0], &count);
    f->component[i] = connected ? connected[0] : EO_PAIRWISE_ALONE;
  }
  memset(f->open, 0xff, stage->model->params.count * sizeof *f->open);
  memset(f->node_of, 0xff, stage->model->params.count * sizeof *f->node_of);
  for (uint32_t i = 0; i < nodes; i++)
    for (uint32_t j = 0; j < stage->nodes.items[i].count; j++) f->node_of[stage->nodes.items[i].params[j]] = i;
  uint32_t *next = f->weights;
  for (size_t i = 0; i < nodes; i++) {
    f->values[i] = tuple_count(&stage->nodes.items[i]);
    f->weights_of[i] = next;
    for (uint16_t value = 0; value < f->values[i]; value++) *next++ = weigh(stage, &stage->nodes.items[i], value);
  }
  return true;
}

/* About how many nanoseconds one step of the local search takes: for pairs, whose counts are kept as sets of bits, little
 * but the change itself; for others the change itself is nearly all; but where a parameter is in no node or in several, the
 * solver is asked about each change. */
static double step_work(const eo_pairwise_stage *stage, double values) {
  double sets = 0, nodes = (double)stage->nodes.count;
  uint32_t order = 1;
  for (size_t i = 0; i < stage->relations.count; i++) {
    const eo_pairwise_relation *relation = &stage->relations.items[i];
    double ways = relation->count;
    for (uint32_t k = 1; k < relation->order; k++) ways = ways * (relation->count - k) / (k + 1);
    sets += ways * relation->order / nodes;
    if (relation->order > order) order = relation->order;
  }
  bool asking = parameters(stage) != stage->model->params.count && stage->model->constraints.count;
  double own = asking ? 2000 * nodes : 0;
  if (order == 2) return own + 2 * nodes + 50 * values + 250;
  return own + (order == 3 ? 60 * nodes + 9000 : 20 * sets + 2000);
}

void eo__pairwise_stage_effort(const eo_pairwise_stage *stage, double work, eo_pairwise_effort *effort) {
  double combinations = 0, values = 0, nodes = (double)stage->nodes.count;
  for (size_t i = 0; i < stage->nodes.count; i++) values += tuple_count(&stage->nodes.items[i]) / nodes;
  for (size_t i = 0; i < stage->relations.count; i++) {
    const eo_pairwise_relation *relation = &stage->relations.items[i];
    double ways = relation->count;
    for (uint32_t k = 1; k < relation->order; k++) ways = ways * (relation->count - k) / (k + 1);
    for (uint32_t k = 0; k < relation->order; k++) ways *= values;
    combinations += ways;
  }
  /* What is small is soon as small as it gets, and nobody should wait for more. */
  double rounds = work / STEPS_OF_A_ROUND / step_work(stage, values), enough = combinations * work / EO_PAIRWISE_WORK;
  effort->rounds = (uint64_t)(rounds < enough ? rounds : enough) + 1;
  effort->seconds = NO_LIMIT;
}

int eo__pairwise_stage_run(eo_pairwise_stage *stage, eo_pairwise_algorithm *algorithm, const eo_pairwise_effort *effort,
                           eo_error *error) {
  frame f = {0};
  int code = fill(stage, &f) ? EO_OK : eo__error_nomem(error);
  if (stage->rows.params == 0) eo__pairwise_rows_init(&stage->rows, (uint32_t)stage->nodes.count);
  if (code == EO_OK) {
    stage->node_of = f.node_of;
    stage->touched = f.touched;
    stage->open = f.open;
    bool constrained = is_constrained(stage);
    bool searched = constrained && whole_model(stage), simple = searched && plain(stage);
    eo_pairwise_system system = {.params = (uint32_t)stage->nodes.count,
                                 .values = f.values,
                                 .relations = stage->relations.items,
                                 .relation_count = (uint32_t)stage->relations.count,
                                 .possible = constrained ? possible : NULL,
                                 .still = searched ? still : NULL,
                                 .near = simple ? near : NULL,
                                 .together = simple ? together : NULL,
                                 .extends = simple && !stage->invalids ? extends : NULL,
                                 .component = simple ? f.component : NULL,
                                 .context = stage,
                                 .weights = is_weighted(stage) ? f.weights_of : NULL};
    code = algorithm(&system, effort, &stage->rows, error);
  }
  eo__free(f.values);
  eo__free(f.weights);
  eo__free(f.weights_of);
  eo__free(f.node_of);
  eo__free(f.touched);
  eo__free(f.open);
  eo__free(f.component);
  stage->node_of = NULL;
  return code;
}
