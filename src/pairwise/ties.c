/* ties.c: see ties.h. Only parameters that a constraint names together are looked at. */
#include "pairwise/ties.h"

#include "pairwise/system.h"

enum { MOST_NAMED = 8, MOST_PAIRS = 4096, MOST_QUESTIONS = 200000 };

typedef struct tier {
  const eo_pairwise_model *model;
  eo_pairwise_solver *solver;
  uint32_t *owner;
  uint16_t *row; /* all EO_PAIRWISE_ANY */
  uint32_t asked;
} tier;

/* Has `param`, with each valid value of `by` that is possible, just one value? */
static bool determines(tier *t, uint32_t by, uint32_t param) {
  const eo_pairwise_param *one = &t->model->params.items[by], *other = &t->model->params.items[param];
  if (one->values.count * other->values.count > MOST_PAIRS || t->asked > MOST_QUESTIONS) return false;
  bool tied = true;
  for (size_t v = 0; tied && v < one->values.count; v++) {
    uint32_t found = 0;
    if (one->values.items[v].invalid) continue;
    t->row[by] = (uint16_t)v;
    for (size_t w = 0; found < 2 && w < other->values.count; w++) {
      if (other->values.items[w].invalid) continue;
      t->row[param] = (uint16_t)w;
      t->asked++;
      found += eo__pairwise_solver_possible(t->solver, t->row, 0);
    }
    t->row[param] = EO_PAIRWISE_ANY;
    tied = found < 2;
  }
  t->row[by] = EO_PAIRWISE_ANY;
  return tied;
}

static uint32_t root_of(const tier *t, uint32_t param) {
  while (t->owner[param] != param) param = t->owner[param];
  return param;
}

void eo__pairwise_ties(const eo_pairwise_model *model, eo_pairwise_solver *solver, uint32_t *owner, uint16_t *row) {
  const eo_pairwise_rules *rules = eo__pairwise_solver_rules(solver);
  tier t = {.model = model, .solver = solver, .owner = owner, .row = row};
  for (uint32_t i = 0; i < model->params.count; i++) {
    owner[i] = i;
    row[i] = EO_PAIRWISE_ANY;
  }
  for (size_t c = 0; c < rules->rules.count; c++) {
    const eo_pairwise_rule *rule = &rules->rules.items[c];
    const uint32_t *named = rules->params.items + rule->first;
    for (uint32_t i = 0; rule->count <= MOST_NAMED && i < rule->count; i++)
      for (uint32_t k = 0; k < rule->count; k++)
        if (i != k && owner[named[k]] == named[k] && root_of(&t, named[i]) != named[k] &&
            determines(&t, named[i], named[k]))
          owner[named[k]] = root_of(&t, named[i]);
  }
  for (uint32_t i = 0; i < model->params.count; i++) owner[i] = root_of(&t, i);
}
