/* relation.c: see relation.h. */
#include "pairwise/relation.h"

static bool has_param(const eo_pairwise_relation *relation, uint32_t param) {
  uint32_t low = 0, high = relation->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (relation->params[middle] < param)
      low = middle + 1;
    else
      high = middle;
  }
  return low < relation->count && relation->params[low] == param;
}

bool eo__relation_wants(const eo_pairwise_relation *relation, const uint32_t *params, uint32_t order) {
  bool pivot = relation->pivot == EO_PAIRWISE_NO_PIVOT;
  if (relation->order != order) return false;
  for (uint32_t i = 0; i < order; i++) {
    if (!has_param(relation, params[i])) return false;
    pivot |= params[i] == relation->pivot;
  }
  return pivot;
}

bool eo__relations_want(const eo_pairwise_relation *relations, uint32_t count, const uint32_t *params, uint32_t order) {
  bool wanted = false;
  for (uint32_t i = 0; i < count && !wanted; i++) wanted = eo__relation_wants(&relations[i], params, order);
  return wanted;
}

bool eo__relations_each(const eo_pairwise_relation *relations, uint32_t count, eo__relation_each *each, void *context) {
  for (uint32_t r = 0; r < count; r++) {
    const eo_pairwise_relation *relation = &relations[r];
    uint32_t order = relation->order, chosen[EO_PAIRWISE_MAX_ORDER], params[EO_PAIRWISE_MAX_ORDER];
    for (uint32_t i = 0; i < order; i++) chosen[i] = i;
    for (uint32_t at = order; at > 0;) {
      for (uint32_t i = 0; i < order; i++) params[i] = relation->params[chosen[i]];
      if (eo__relation_wants(relation, params, order) && !eo__relations_want(relations, r, params, order) &&
          !each(context, params, order))
        return false;
      at = order;
      while (at > 0 && chosen[at - 1] == relation->count - order + at - 1) at--;
      if (at > 0) chosen[at - 1]++;
      for (uint32_t i = at; at > 0 && i < order; i++) chosen[i] = chosen[i - 1] + 1;
    }
  }
  return true;
}
