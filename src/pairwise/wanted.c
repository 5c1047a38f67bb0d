/* wanted.c: see wanted.h. */
#include "pairwise/wanted.h"

#include <string.h>

#include "base/alloc.h"

bool eo__pairwise_next_subset(uint32_t *numbers, uint32_t count, uint32_t n) {
  uint32_t i = count;
  while (i > 0 && numbers[i - 1] == n - count + i - 1) i--;
  if (i == 0) return false;
  numbers[i - 1]++;
  for (; i < count; i++) numbers[i] = numbers[i - 1] + 1;
  return true;
}

bool eo__pairwise_among(uint32_t number, const uint32_t *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (numbers[i] == number) return true;
  return false;
}

void eo__pairwise_wanted_release(eo_pairwise_wanted *wanted) {
  for (size_t i = 0; i < wanted->relations.count; i++) eo__free((uint32_t *)wanted->relations.items[i].params);
  eo_vec_release(&wanted->relations);
}

static int add(eo_pairwise_wanted *wanted, const uint32_t *params, uint32_t count, uint32_t order, eo_error *error) {
  uint32_t *copy = eo__alloc(count * sizeof *copy);
  eo_pairwise_relation relation = {
      .params = copy, .count = count, .order = order < count ? order : count, .pivot = EO_PAIRWISE_NO_PIVOT};
  if (relation.order > EO_PAIRWISE_MAX_ORDER) {
    eo__free(copy);
    return eo__error_set(error, EO_EINPUT, "an order of %u is too high: at most %d", relation.order,
                         EO_PAIRWISE_MAX_ORDER);
  }
  if (copy) memcpy(copy, params, count * sizeof *copy);
  if (copy && eo_vec_push(&wanted->relations, relation)) return EO_OK;
  eo__free(copy);
  return eo__error_nomem(error);
}

static uint32_t order_of(const eo_pairwise_group *group, uint32_t order) {
  uint32_t own = group->order ? group->order : order;
  return own < group->params.count ? own : (uint32_t)group->params.count;
}

static bool in_group(const eo_pairwise_group *group, uint32_t param) {
  return eo__pairwise_among(param, group->params.items, (uint32_t)group->params.count);
}

uint32_t eo__pairwise_units(const eo_pairwise_model *model) {
  uint32_t count = (uint32_t)model->groups.count;
  for (uint32_t i = 0; i < model->params.count; i++) {
    bool inside = false;
    for (size_t j = 0; j < model->groups.count; j++) inside = inside || in_group(&model->groups.items[j], i);
    count += !inside;
  }
  return count;
}

static bool share_group(const eo_pairwise_model *model, const uint32_t *params, uint32_t count) {
  for (size_t i = 0; i < model->groups.count; i++) {
    uint32_t inside = 0;
    for (uint32_t j = 0; j < count; j++) inside += in_group(&model->groups.items[i], params[j]);
    if (inside > 1) return true;
  }
  return false;
}

static int add_across(const eo_pairwise_model *model, uint32_t order, eo_pairwise_wanted *wanted, eo_error *error) {
  uint32_t units = eo__pairwise_units(model), subset[EO_PAIRWISE_MAX_ORDER];
  if (order > units) order = units;
  for (uint32_t i = 0; i < order; i++) subset[i] = i;
  do {
    int code = share_group(model, subset, order) ? EO_OK : add(wanted, subset, order, order, error);
    if (code != EO_OK) return code;
  } while (eo__pairwise_next_subset(subset, order, (uint32_t)model->params.count));
  return EO_OK;
}

static int add_all(const eo_pairwise_model *model, uint32_t order, eo_pairwise_wanted *wanted, eo_error *error) {
  uint32_t count = (uint32_t)model->params.count;
  uint32_t *params = eo__alloc(count * sizeof *params);
  if (!params) return eo__error_nomem(error);
  for (uint32_t i = 0; i < count; i++) params[i] = i;
  int code = add(wanted, params, count, order, error);
  eo__free(params);
  return code;
}

int eo__pairwise_wanted(const eo_pairwise_model *model, uint32_t order, eo_pairwise_wanted *wanted, eo_error *error) {
  int code = EO_OK;
  *wanted = (eo_pairwise_wanted){0};
  for (size_t i = 0; code == EO_OK && i < model->relations.count; i++) {
    const eo_pairwise_group *relation = &model->relations.items[i];
    code = add(wanted, relation->params.items, (uint32_t)relation->params.count, order_of(relation, order), error);
  }
  for (size_t i = 0; code == EO_OK && i < model->groups.count; i++) {
    const eo_pairwise_group *group = &model->groups.items[i];
    code = add(wanted, group->params.items, (uint32_t)group->params.count, order_of(group, order), error);
  }
  if (code == EO_OK && !model->relations.count)
    code = model->groups.count ? add_across(model, order, wanted, error) : add_all(model, order, wanted, error);
  if (code != EO_OK) eo__pairwise_wanted_release(wanted);
  return code;
}
