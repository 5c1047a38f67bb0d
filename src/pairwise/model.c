/* model.c: what a model owns, and finding things in it by name. */
#include "pairwise/model.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/constraint.h"
#include "pairwise/names.h"

static void release_groups(eo_pairwise_group *groups, size_t count) {
  for (size_t i = 0; i < count; i++) eo_vec_release(&groups[i].params);
}

void eo__pairwise_model_release(eo_pairwise_model *model) {
  for (size_t p = 0; p < model->params.count; p++) {
    eo_pairwise_param *param = &model->params.items[p];
    for (size_t v = 0; v < param->values.count; v++) {
      eo_pairwise_value *value = &param->values.items[v];
      for (size_t n = 0; n < value->names.count; n++) eo__free(value->names.items[n]);
      eo_vec_release(&value->names);
    }
    eo_vec_release(&param->values);
    eo__free(param->name);
  }
  for (size_t i = 0; i < model->constraints.count; i++) {
    eo__pairwise_term_close(model->constraints.items[i].term);
    eo__free(model->constraints.items[i].text);
  }
  for (size_t i = 0; i < model->warnings.count; i++) eo__free(model->warnings.items[i]);
  release_groups(model->groups.items, model->groups.count);
  release_groups(model->relations.items, model->relations.count);
  eo_vec_release(&model->params);
  eo_vec_release(&model->groups);
  eo_vec_release(&model->relations);
  eo_vec_release(&model->constraints);
  eo_vec_release(&model->warnings);
}

int64_t eo__pairwise_model_param(const eo_pairwise_model *model, const char *name) {
  for (size_t p = 0; p < model->params.count; p++) {
    if (eo__pairwise_compare(model->params.items[p].name, name, model->syntax.case_sensitive) == 0) return (int64_t)p;
  }
  return -1;
}

int64_t eo__pairwise_model_value(const eo_pairwise_param *param, const char *name) {
  for (size_t v = 0; v < param->values.count; v++) {
    const eo_pairwise_value *value = &param->values.items[v];
    for (size_t n = 0; n < value->names.count; n++) {
      if (eo__pairwise_compare(value->names.items[n], name, param->case_sensitive) == 0) return (int64_t)v;
    }
  }
  return -1;
}
