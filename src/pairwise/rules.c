/* rules.c: see rules.h. */
#include "pairwise/rules.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/constraint.h"
#include "pairwise/system.h"

enum { LARGEST_TABLE = 1 << 14, ROOM = 1 << 24 }; /* bits of one table, and of all */

static bool add_param(eo_pairwise_rules *rules, eo_pairwise_rule *rule, uint32_t param) {
  for (uint32_t i = 0; i < rule->count; i++)
    if (rules->params.items[rule->first + i] == param) return true;
  rule->count++;
  return eo_vec_push(&rules->params, param) && eo_vec_push(&rules->strides, 0);
}

static bool add_params(eo_pairwise_rules *rules, eo_pairwise_rule *rule, const eo_pairwise_term *term) {
  bool good = true;
  if (term->kind <= EO_PAIRWISE_IF) {
    for (size_t i = 0; good && i < term->children.count; i++) good = add_params(rules, rule, term->children.items[i]);
    return good;
  }
  good = add_param(rules, rule, term->param);
  return good && (term->other == EO_PAIRWISE_NO_PARAM || add_param(rules, rule, term->other));
}

/* All choices of classes, each by a row that has a value of each class. */
static bool fill_table(eo_pairwise_rules *rules, eo_pairwise_rule *rule, const eo_pairwise_constraint *constraint,
                       uint32_t size, uint16_t *row) {
  const eo_pairwise_compiled *compiled = rules->compiled;
  rule->table = eo__alloc((size / 64 + 1) * sizeof *rule->table);
  if (!rule->table) return false;
  for (uint32_t index = 0; index < size; index++) {
    for (uint32_t i = 0; i < rule->count; i++) {
      uint32_t param = rules->params.items[rule->first + i];
      const eo_pairwise_classes *classes = &compiled->params[param];
      row[param] = classes->heaviest[index / rules->strides.items[rule->first + i] % classes->count];
    }
    if (eo__pairwise_constraint_holds(compiled->model, constraint, row))
      rule->table[index / 64] |= UINT64_C(1) << index % 64;
  }
  return true;
}

static bool add_rule(eo_pairwise_rules *rules, const eo_pairwise_constraint *constraint, uint32_t *room,
                     uint16_t *row) {
  eo_pairwise_rule rule = {.first = (uint32_t)rules->params.count};
  uint32_t size = 1;
  if (!add_params(rules, &rule, constraint->term)) return false;
  for (uint32_t i = 0; i < rule.count && size <= LARGEST_TABLE; i++) {
    rules->strides.items[rule.first + i] = size;
    size *= rules->compiled->params[rules->params.items[rule.first + i]].count;
  }
  if (size <= LARGEST_TABLE && size <= *room) {
    *room -= size;
    if (!fill_table(rules, &rule, constraint, size, row)) return false;
  }
  if (eo_vec_push(&rules->rules, rule)) return true;
  eo__free(rule.table);
  return false;
}

static bool list_by_param(eo_pairwise_rules *rules) {
  size_t params = rules->compiled->model->params.count;
  uint32_t *first = rules->of_first = eo__alloc((params + 2) * sizeof *first), total = 0;
  rules->of = eo__alloc((rules->params.count + 1) * sizeof *rules->of);
  if (!first || !rules->of) return false;
  for (size_t i = 0; i < rules->params.count; i++) first[rules->params.items[i] + 2]++;
  for (size_t i = 0; i < params + 2; i++) first[i] = total += first[i];
  for (uint32_t c = 0; c < rules->rules.count; c++) {
    const eo_pairwise_rule *rule = &rules->rules.items[c];
    for (uint32_t i = 0; i < rule->count; i++) rules->of[first[rules->params.items[rule->first + i] + 1]++] = c;
  }
  return true;
}

int eo__pairwise_rules_open(eo_pairwise_rules *rules, const eo_pairwise_compiled *compiled, eo_error *error) {
  const eo_pairwise_model *model = compiled->model;
  uint32_t room = ROOM;
  *rules = (eo_pairwise_rules){.compiled = compiled};
  uint16_t *row = eo__alloc((model->params.count + 1) * sizeof *row);
  bool good = row != NULL;
  if (good) memset(row, 0xff, model->params.count * sizeof *row);
  for (size_t i = 0; good && i < model->constraints.count; i++)
    good = add_rule(rules, &model->constraints.items[i], &room, row);
  good = good && list_by_param(rules);
  eo__free(row);
  if (good) return EO_OK;
  eo__pairwise_rules_release(rules);
  return eo__error_nomem(error);
}

void eo__pairwise_rules_release(eo_pairwise_rules *rules) {
  for (size_t i = 0; i < rules->rules.count; i++) eo__free(rules->rules.items[i].table);
  eo_vec_release(&rules->rules);
  eo_vec_release(&rules->params);
  eo_vec_release(&rules->strides);
  eo__free(rules->of_first);
  eo__free(rules->of);
  rules->of_first = rules->of = NULL;
}

bool eo__pairwise_rule_holds(const eo_pairwise_rules *rules, uint32_t constraint, const uint16_t *row) {
  const eo_pairwise_rule *rule = &rules->rules.items[constraint];
  const eo_pairwise_compiled *compiled = rules->compiled;
  if (!rule->table)
    return eo__pairwise_constraint_holds(compiled->model, &compiled->model->constraints.items[constraint], row);
  uint32_t index = 0;
  for (uint32_t i = 0; i < rule->count; i++) {
    uint32_t param = rules->params.items[rule->first + i];
    index += compiled->params[param].of[row[param]] * rules->strides.items[rule->first + i];
  }
  return rule->table[index / 64] >> index % 64 & 1;
}
