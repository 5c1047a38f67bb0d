/* estimate.c: how many tests there will be, and how long the first set takes; see generate.h. Growth looks at every set of
 * parameters for each test, or for pairs at words of their values (growth_pairs.h). Where there are constraints it asks the
 * solver about combinations; how many of them constraints connect is not known here, so that the parameters that constraints
 * name count as connected. */
#include "base/alloc.h"
#include "pairwise/constraint.h"
#include "pairwise/generate.h"
#include "pairwise/wanted.h"

#define LOOK 2e-9 /* seconds, for one parameter of a set of parameters in one test */
#define WORD 2e-9 /* for one word of values, in the two or three growths that pairs have */
#define ASK 1e-7  /* for one combination under constraints */

typedef struct estimator {
  const eo_pairwise_model *model;
  bool *named; /* of each parameter: a constraint names it */
} estimator;

static void mark(const estimator *e, const eo_pairwise_term *term) {
  for (size_t i = 0; i < term->children.count; i++) mark(e, term->children.items[i]);
  if (term->param != EO_PAIRWISE_NO_PARAM) e->named[term->param] = true;
  if (term->other != EO_PAIRWISE_NO_PARAM) e->named[term->other] = true;
}

/* The natural logarithm, about: each halving counts, and what is left of one in proportion. */
static double rough_log(double x) {
  uint32_t halvings = 0;
  while (x >= 2) {
    x /= 2;
    halvings++;
  }
  return 0.69 * (halvings + x - 1);
}

/* How many tests the parameters of at least `level` values need; *next: the most values that a smaller one has, or 0. Tests
 * grow with the logarithm of the parameters; the factor is what sets of many kinds have. */
static double tests_at_level(const estimator *e, const eo_pairwise_relation *relation, uint32_t level, uint32_t *next) {
  uint32_t count = 0;
  *next = 0;
  for (uint32_t i = 0; i < relation->count; i++) {
    uint32_t own = (uint32_t)e->model->params.items[relation->params[i]].values.count;
    count += own >= level;
    if (own < level && own > *next) *next = own;
  }
  if (count < relation->order) return 0;
  double order = relation->order, tests = 1 + (order - 1) * (0.3 + 0.1 * order) * rough_log(count / order);
  for (uint32_t k = 0; k < relation->order; k++) tests *= level;
  return tests;
}

static void add_relation(const estimator *e, const eo_pairwise_relation *relation, eo_pairwise_estimate *estimate) {
  double ways[EO_PAIRWISE_MAX_ORDER + 1] = {1}, asked[EO_PAIRWISE_MAX_ORDER + 1] = {1}, sets = 1, values = 0, most = 1;
  uint32_t order = relation->order;
  double largest[EO_PAIRWISE_MAX_ORDER] = {0};
  for (uint32_t i = 0; i < relation->count; i++) {
    double own = (double)e->model->params.items[relation->params[i]].values.count;
    values += own / relation->count;
    for (uint32_t k = order; k > 0; k--) {
      ways[k] += ways[k - 1] * own;
      if (e->named[relation->params[i]]) asked[k] += asked[k - 1] * own;
    }
    for (uint32_t k = 0; k < order; k++)
      if (own > largest[k]) {
        double smaller = largest[k];
        largest[k] = own;
        own = smaller;
      }
  }
  for (uint32_t k = 0; k < order; k++) {
    sets *= (double)(relation->count - k) / (k + 1);
    most *= largest[k];
  }
  double tests = most;
  for (uint32_t level = (uint32_t)largest[0]; level > 1;) {
    double needed = tests_at_level(e, relation, level, &level);
    if (needed > tests) tests = needed;
  }
  if (tests > estimate->tests) estimate->tests = tests;
  estimate->combinations += ways[order];
  estimate->seconds += asked[order] * ASK;
  estimate->seconds += tests * sets * (order <= 2 ? (values + 1) * values / 64 * WORD : order * LOOK);
}

int eo__pairwise_estimate(const eo_pairwise_model *model, uint32_t order, eo_pairwise_estimate *estimate,
                          eo_error *error) {
  eo_pairwise_wanted wanted = {0};
  estimator e = {model, eo__alloc((model->params.count + 1) * sizeof *e.named)};
  *estimate = (eo_pairwise_estimate){0};
  int code = e.named ? eo__pairwise_wanted(model, order, &wanted, error) : eo__error_nomem(error);
  for (size_t i = 0; code == EO_OK && i < model->constraints.count; i++) mark(&e, model->constraints.items[i].term);
  for (size_t i = 0; code == EO_OK && i < wanted.relations.count; i++)
    add_relation(&e, &wanted.relations.items[i], estimate);
  if (code == EO_OK) eo__pairwise_wanted_release(&wanted);
  eo__free(e.named);
  return code;
}
