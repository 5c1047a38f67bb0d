/* constraint.c: the truth of constraints in a row, whole or partial, straight from the syntax tree. */
#include "pairwise/constraint.h"

#include "base/alloc.h"
#include "pairwise/names.h"
#include "pairwise/system.h"

static bool holds_between(eo_pairwise_comparison comparison, int difference) {
  switch (comparison) {
    case EO_PAIRWISE_EQUAL: return difference == 0;
    case EO_PAIRWISE_UNEQUAL: return difference != 0;
    case EO_PAIRWISE_LESS: return difference < 0;
    case EO_PAIRWISE_LESS_EQUAL: return difference <= 0;
    case EO_PAIRWISE_GREATER: return difference > 0;
    case EO_PAIRWISE_GREATER_EQUAL: return difference >= 0;
    default: EO_CHECK(!"a comparison that has an order"); return false;
  }
}

static bool compare(const eo_pairwise_param *param, const eo_pairwise_value *value, eo_pairwise_comparison comparison,
                    const char *name, double number) {
  const char *own = value->names.items[0];
  if (comparison == EO_PAIRWISE_LIKE) return eo__pairwise_like(name, own, param->case_sensitive);
  if (param->numeric) return holds_between(comparison, value->number < number ? -1 : value->number > number);
  return holds_between(comparison, eo__pairwise_compare(own, name, param->case_sensitive));
}

bool eo__pairwise_leaf_holds(const eo_pairwise_model *model, const eo_pairwise_term *leaf, uint16_t value,
                             uint16_t other) {
  const eo_pairwise_param *param = &model->params.items[leaf->param];
  const eo_pairwise_value *own = &param->values.items[value];
  if (leaf->kind == EO_PAIRWISE_NEGATIVE) return own->invalid;
  if (leaf->other != EO_PAIRWISE_NO_PARAM) {
    const eo_pairwise_value *its = &model->params.items[leaf->other].values.items[other];
    return compare(param, own, leaf->comparison, its->names.items[0], its->number);
  }
  for (size_t i = 0; i < leaf->constants.count; i++) {
    const eo_pairwise_constant *constant = &leaf->constants.items[i];
    if (compare(param, own, leaf->comparison, constant->name, constant->number)) return true;
  }
  return false;
}

static eo_pairwise_truth invert(eo_pairwise_truth truth) {
  if (truth == EO_PAIRWISE_OPEN) return truth;
  return truth == EO_PAIRWISE_TRUE ? EO_PAIRWISE_FALSE : EO_PAIRWISE_TRUE;
}

/* All children `wanted`: that. One the opposite: the opposite. */
static eo_pairwise_truth unanimous(const eo_pairwise_model *model, const eo_pairwise_term *term, const uint16_t *row,
                                   eo_pairwise_truth wanted) {
  eo_pairwise_truth result = wanted;
  for (size_t i = 0; i < term->children.count; i++) {
    eo_pairwise_truth truth = eo__pairwise_term_truth(model, term->children.items[i], row);
    if (truth == invert(wanted)) return truth;
    if (truth == EO_PAIRWISE_OPEN) result = truth;
  }
  return result;
}

static eo_pairwise_truth conditional(const eo_pairwise_model *model, const eo_pairwise_term *term,
                                     const uint16_t *row) {
  eo_pairwise_truth condition = eo__pairwise_term_truth(model, term->children.items[0], row);
  eo_pairwise_truth then = EO_PAIRWISE_TRUE, otherwise = EO_PAIRWISE_TRUE;
  if (condition != EO_PAIRWISE_FALSE) then = eo__pairwise_term_truth(model, term->children.items[1], row);
  if (condition == EO_PAIRWISE_TRUE) return then;
  if (term->children.count > 2) otherwise = eo__pairwise_term_truth(model, term->children.items[2], row);
  if (condition == EO_PAIRWISE_FALSE || then == otherwise) return otherwise;
  return EO_PAIRWISE_OPEN;
}

eo_pairwise_truth eo__pairwise_term_truth(const eo_pairwise_model *model, const eo_pairwise_term *term,
                                          const uint16_t *row) {
  switch (term->kind) {
    case EO_PAIRWISE_ALL: return unanimous(model, term, row, EO_PAIRWISE_TRUE);
    case EO_PAIRWISE_SOME: return unanimous(model, term, row, EO_PAIRWISE_FALSE);
    case EO_PAIRWISE_NOT: return invert(eo__pairwise_term_truth(model, term->children.items[0], row));
    case EO_PAIRWISE_IF: return conditional(model, term, row);
    default: break;
  }
  uint16_t value = row[term->param], other = EO_PAIRWISE_ANY;
  if (value == EO_PAIRWISE_ANY) return EO_PAIRWISE_OPEN;
  if (term->other != EO_PAIRWISE_NO_PARAM) {
    other = row[term->other];
    if (other == EO_PAIRWISE_ANY) return EO_PAIRWISE_OPEN;
  }
  return eo__pairwise_leaf_holds(model, term, value, other) ? EO_PAIRWISE_TRUE : EO_PAIRWISE_FALSE;
}

bool eo__pairwise_constraint_holds(const eo_pairwise_model *model, const eo_pairwise_constraint *constraint,
                                   const uint16_t *row) {
  return eo__pairwise_term_truth(model, constraint->term, row) == EO_PAIRWISE_TRUE;
}

void eo__pairwise_term_close(eo_pairwise_term *term) {
  if (!term) return;
  for (size_t i = 0; i < term->children.count; i++) eo__pairwise_term_close(term->children.items[i]);
  for (size_t i = 0; i < term->constants.count; i++) eo__free(term->constants.items[i].name);
  eo_vec_release(&term->children);
  eo_vec_release(&term->constants);
  eo__free(term);
}
