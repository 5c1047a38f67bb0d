/* fuzz_pairwise_model.c: any text as a model. A refusal says where; what is accepted keeps the promises of model.h, and in
 * a small model the solver agrees with enumeration on whether there is a test at all.
 * runs: 10000 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "pairwise/model.h"
#include "pairwise/solver.h"
#include "pairwise/system.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

enum { MOST_ROWS = 2000, MOST_PARAMS = 8 };

static void check_group(const eo_pairwise_model *model, const eo_pairwise_group *group) {
  REQUIRE(group->params.count > 0 && group->order <= group->params.count && group->order <= EO_PAIRWISE_MAX_ORDER);
  for (size_t i = 0; i < group->params.count; i++) {
    REQUIRE(group->params.items[i] < model->params.count);
    REQUIRE(i == 0 || group->params.items[i - 1] < group->params.items[i]);
  }
}

/* A parameter without a name is taken as PICT takes it, but never in silence. No more than so many warnings are kept. */
static bool warns_of_no_name(const eo_pairwise_model *model, uint32_t line) {
  enum { MOST_WARNINGS = 100 };
  char where[32];
  snprintf(where, sizeof where, "m:%u:", line);
  for (size_t i = 0; i < model->warnings.count; i++) {
    const char *warning = model->warnings.items[i];
    if (strncmp(warning, where, strlen(where)) == 0 && strstr(warning, "has no name before its values")) return true;
  }
  return model->warnings.count >= MOST_WARNINGS;
}

/* Returns how many rows there are, at most MOST_ROWS + 1. */
static uint64_t check_promises(const eo_pairwise_model *model) {
  uint64_t rows = 1;
  REQUIRE(model->params.count > 0);
  for (size_t p = 0; p < model->params.count; p++) {
    const eo_pairwise_param *param = &model->params.items[p];
    bool valid = false;
    REQUIRE(param->values.count > 0 && param->values.count < EO_PAIRWISE_ANY);
    REQUIRE(param->name[0] != '\0' || warns_of_no_name(model, param->line));
    for (size_t v = 0; v < param->values.count; v++) {
      REQUIRE(param->values.items[v].names.count > 0 && param->values.items[v].weight > 0);
      valid |= !param->values.items[v].invalid;
    }
    REQUIRE(valid);
    REQUIRE(eo__pairwise_model_param(model, param->name) == (int64_t)p);
    rows *= param->values.count;
    if (rows > MOST_ROWS) rows = MOST_ROWS + 1;
  }
  REQUIRE(model->groups.count == 0 || model->relations.count == 0);
  for (size_t i = 0; i < model->groups.count; i++) check_group(model, &model->groups.items[i]);
  for (size_t i = 0; i < model->relations.count; i++) check_group(model, &model->relations.items[i]);
  for (size_t i = 0; i < model->constraints.count; i++) {
    const char *text = model->constraints.items[i].text;
    REQUIRE(text[strlen(text) - 1] == ';' && !strchr(text, '\n'));
  }
  return rows;
}

static bool has_test(const eo_pairwise_model *model) {
  uint16_t row[MOST_PARAMS] = {0};
  size_t p;
  do {
    bool good = true;
    for (p = 0; p < model->params.count; p++) good &= !model->params.items[p].values.items[row[p]].invalid;
    for (size_t c = 0; c < model->constraints.count && good; c++) {
      good = eo__pairwise_constraint_holds(model, &model->constraints.items[c], row);
    }
    if (good) return true;
    for (p = 0; p < model->params.count; p++) {
      if (++row[p] < model->params.items[p].values.count) break;
      row[p] = 0;
    }
  } while (p < model->params.count);
  return false;
}

static void solve(const eo_pairwise_model *model) {
  uint16_t row[MOST_PARAMS];
  uint32_t *clash, count;
  for (int p = 0; p < MOST_PARAMS; p++) row[p] = EO_PAIRWISE_ANY;
  eo_pairwise_solver *solver = eo__pairwise_solver_open(model, NULL);
  REQUIRE(solver);
  bool possible = eo__pairwise_solver_possible(solver, row, 0);
  REQUIRE(possible == has_test(model));
  REQUIRE(eo__pairwise_solver_explain(solver, row, 0, &clash, &count, NULL) == EO_OK);
  REQUIRE((count == 0) == possible);
  eo__free(clash);
  eo__pairwise_solver_close(solver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  eo_pairwise_model model;
  eo_error error = {0};
  if (eo__pairwise_model_read(&model, "m", (const char *)data, size, &eo__pairwise_pict, &error) != EO_OK) {
    REQUIRE(error.code == EO_EINPUT && strncmp(error.text, "m:", 2) == 0);
    return 0;
  }
  if (check_promises(&model) <= MOST_ROWS && model.params.count <= MOST_PARAMS) solve(&model);
  eo__pairwise_model_release(&model);
  return 0;
}
