/* rules.h: whether complete rows break a constraint. A search that changes one value of a row asks this very often; so the
 * truth of each constraint is kept in a table over the classes of its parameters (compile.h), where that is small. */
#ifndef EO_PAIRWISE_RULES_H
#define EO_PAIRWISE_RULES_H

#include "pairwise/compile.h"

typedef struct eo_pairwise_rule {
  uint32_t first, count; /* its parameters, in `params` of the rules, with their strides */
  uint64_t *table;       /* a bit for each choice of classes: does it hold? NULL: it is evaluated */
} eo_pairwise_rule;

typedef struct eo_pairwise_rules {
  const eo_pairwise_compiled *compiled; /* borrowed */
  EO_VEC(eo_pairwise_rule) rules;       /* one for each constraint */
  EO_VEC(uint32_t) params;
  EO_VEC(uint32_t) strides;
  uint32_t *of_first; /* of each parameter, and one past the end: the constraints that name it, in `of` */
  uint32_t *of;
} eo_pairwise_rules;

int eo__pairwise_rules_open(eo_pairwise_rules *rules, const eo_pairwise_compiled *compiled, eo_error *error);
void eo__pairwise_rules_release(eo_pairwise_rules *rules);

/* Does the constraint hold in a row of the model that has a value wherever the constraint names a parameter? */
bool eo__pairwise_rule_holds(const eo_pairwise_rules *rules, uint32_t constraint, const uint16_t *row);

#endif
