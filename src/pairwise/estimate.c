/* estimate.c: how many tests there will be, and how long the first set takes; see generate.h. Growth looks at every set of
 * parameters for each test, and where there are constraints asks the solver about every combination. */
#include "pairwise/generate.h"
#include "pairwise/wanted.h"

#define LOOK 3e-9 /* seconds, for one set of parameters in one test */
#define ASK 1e-7  /* seconds, for one combination under constraints */

/* The natural logarithm, about: each halving counts, and what is left of one in proportion. */
static double rough_log(double x) {
  uint32_t halvings = 0;
  while (x >= 2) {
    x /= 2;
    halvings++;
  }
  return 0.69 * (halvings + x - 1);
}

static void add_relation(const eo_pairwise_model *model, const eo_pairwise_relation *relation,
                         eo_pairwise_estimate *estimate) {
  double ways[EO_PAIRWISE_MAX_ORDER + 1] = {1}, sets = 1, values = 0, most = 1;
  uint32_t order = relation->order;
  double largest[EO_PAIRWISE_MAX_ORDER] = {0};
  for (uint32_t i = 0; i < relation->count; i++) {
    double own = (double)model->params.items[relation->params[i]].values.count;
    values += own / relation->count;
    for (uint32_t k = order; k > 0; k--) ways[k] += ways[k - 1] * own;
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
  /* Tests grow with the logarithm of the parameters; the factor is what sets of many kinds have. */
  double tests = 1 + 0.4 * (order - 1) * rough_log((double)relation->count / order);
  for (uint32_t k = 0; k < order; k++) tests *= values;
  if (tests < most) tests = most;
  if (tests > estimate->tests) estimate->tests = tests;
  estimate->combinations += ways[order];
  estimate->seconds += tests * sets * LOOK + (model->constraints.count ? ways[order] * ASK : 0);
}

int eo__pairwise_estimate(const eo_pairwise_model *model, uint32_t order, eo_pairwise_estimate *estimate,
                          eo_error *error) {
  eo_pairwise_wanted wanted;
  *estimate = (eo_pairwise_estimate){0};
  int code = eo__pairwise_wanted(model, order, &wanted, error);
  if (code != EO_OK) return code;
  for (size_t i = 0; i < wanted.relations.count; i++) add_relation(model, &wanted.relations.items[i], estimate);
  eo__pairwise_wanted_release(&wanted);
  return EO_OK;
}
