/* solver.c: see solver.h. A row is looked at component by component (compile.h). For each there is a question: which
 * classes are chosen, and may there be an invalid value. Most are answered from memory (answers.h), the others by
 * search (sat.h). */
#include "pairwise/solver.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "pairwise/answers.h"
#include "pairwise/compile.h"
#include "pairwise/constraint.h"
#include "pairwise/system.h"

enum { ROOM_FOR_TABLES = 1 << 25 };

struct eo_pairwise_solver {
  const eo_pairwise_model *model;
  eo_pairwise_compiled compiled;
  eo_pairwise_compiled selectable; /* with a way to leave constraints out; compiled when first needed */
  bool selectable_there;
  eo_pairwise_rules rules;
  eo_pairwise_answers *answers; /* for each component */
  uint32_t **sizes;             /* for each component, the number of classes of its parameters */
  EO_VEC(uint32_t) risky;       /* parameters with an invalid value */
  bool **invalid;               /* for each of these, which values are */
  uint16_t *last;               /* the row of the last question: what has not changed since need not be asked again */
  uint8_t (*last_answers)[2];   /* to it, for each component: with an invalid value allowed, and without */
  uint16_t *best_valid;         /* for each parameter, the heaviest valid value */
  uint32_t hopeless;            /* a constraint that names no parameter and never holds; EO_SAT_NONE */
  uint16_t *question;           /* scratch, as wide as the widest component */
  uint32_t *chosen;             /* the same: where the question has a value */
  eo_literals assumptions;      /* scratch, with room for all */
};

/* ---- Opening ------------------------------------------------------------------------------------------------------ */

static int prepare_values(eo_pairwise_solver *solver, eo_error *error) {
  const eo_pairwise_model *model = solver->model;
  solver->best_valid = eo__alloc(model->params.count * sizeof solver->best_valid[0]);
  if (!solver->best_valid) return eo__error_nomem(error);
  for (uint32_t p = 0; p < model->params.count; p++) {
    const eo_pairwise_param *param = &model->params.items[p];
    uint32_t heaviest = 0;
    bool invalid = false;
    for (uint32_t v = 0; v < param->values.count; v++) {
      const eo_pairwise_value *value = &param->values.items[v];
      invalid |= value->invalid;
      if (value->invalid || value->weight <= heaviest) continue;
      heaviest = value->weight;
      solver->best_valid[p] = (uint16_t)v;
    }
    if (invalid && !eo_vec_push(&solver->risky, p)) return eo__error_nomem(error);
  }
  solver->invalid = eo__alloc((solver->risky.count + 1) * sizeof solver->invalid[0]);
  if (!solver->invalid) return eo__error_nomem(error);
  for (size_t i = 0; i < solver->risky.count; i++) {
    const eo_pairwise_param *param = &model->params.items[solver->risky.items[i]];
    solver->invalid[i] = eo__alloc(param->values.count * sizeof solver->invalid[i][0]);
    if (!solver->invalid[i]) return eo__error_nomem(error);
    for (size_t v = 0; v < param->values.count; v++) solver->invalid[i][v] = param->values.items[v].invalid;
  }
  return EO_OK;
}

static int prepare_answers(eo_pairwise_solver *solver, eo_error *error) {
  eo_pairwise_compiled *compiled = &solver->compiled;
  size_t count = compiled->components.count, widest = 0, room = ROOM_FOR_TABLES;
  solver->answers = eo__alloc((count + 1) * sizeof solver->answers[0]);
  solver->sizes = eo__alloc((count + 1) * sizeof solver->sizes[0]);
  if (!solver->answers || !solver->sizes) return eo__error_nomem(error);
  for (size_t i = 0; i < count; i++) {
    const eo_pairwise_component *component = &compiled->components.items[i];
    size_t width = component->params.count;
    if (width > widest) widest = width;
    solver->sizes[i] = eo__alloc(width * sizeof solver->sizes[i][0]);
    if (!solver->sizes[i]) return eo__error_nomem(error);
    for (size_t k = 0; k < width; k++) solver->sizes[i][k] = compiled->params[component->params.items[k]].count;
    if (!eo__pairwise_answers_init(&solver->answers[i], solver->sizes[i], (uint32_t)width, &room)) {
      return eo__error_nomem(error);
    }
  }
  solver->question = eo__alloc((widest + 1) * sizeof solver->question[0]);
  solver->chosen = eo__alloc((widest + 1) * sizeof solver->chosen[0]);
  size_t most = solver->model->params.count + solver->model->constraints.count + 1;
  solver->last = eo__alloc(solver->model->params.count * sizeof solver->last[0]);
  solver->last_answers = eo__alloc((count + 1) * sizeof solver->last_answers[0]);
  if (!solver->last || !solver->last_answers) return eo__error_nomem(error);
  if (!solver->question || !solver->chosen || !eo_vec_reserve(&solver->assumptions, most))
    return eo__error_nomem(error);
  return EO_OK;
}

/* Constraints without parameters, as ISNEGATIVE() in a model without invalid values, belong to no component. */
static int find_hopeless(eo_pairwise_solver *solver, eo_error *error) {
  const eo_pairwise_model *model = solver->model;
  uint16_t *row = eo__alloc(model->params.count * sizeof *row);
  if (!row) return eo__error_nomem(error);
  for (size_t p = 0; p < model->params.count; p++) row[p] = EO_PAIRWISE_ANY;
  solver->hopeless = EO_SAT_NONE;
  for (uint32_t c = 0; c < model->constraints.count && solver->hopeless == EO_SAT_NONE; c++) {
    if (eo__pairwise_term_truth(model, model->constraints.items[c].term, row) == EO_PAIRWISE_FALSE) {
      solver->hopeless = c;
    }
  }
  eo__free(row);
  return EO_OK;
}

eo_pairwise_solver *eo__pairwise_solver_open(const eo_pairwise_model *model, eo_error *error) {
  eo_pairwise_solver *solver = eo__alloc(sizeof *solver);
  if (!solver) {
    eo__error_nomem(error);
    return NULL;
  }
  solver->model = model;
  int code = eo__pairwise_compile(&solver->compiled, model, false, error);
  if (code != EO_OK) {
    eo__free(solver);
    return NULL;
  }
  code = prepare_values(solver, error);
  if (code == EO_OK) code = prepare_answers(solver, error);
  if (code == EO_OK) code = find_hopeless(solver, error);
  if (code == EO_OK) code = eo__pairwise_rules_open(&solver->rules, &solver->compiled, error);
  if (code == EO_OK) return solver;
  eo__pairwise_solver_close(solver);
  return NULL;
}

void eo__pairwise_solver_close(eo_pairwise_solver *solver) {
  if (!solver) return;
  for (size_t i = 0; i < solver->compiled.components.count; i++) {
    if (solver->answers) eo__pairwise_answers_release(&solver->answers[i]);
    if (solver->sizes) eo__free(solver->sizes[i]);
  }
  for (size_t i = 0; solver->invalid && i < solver->risky.count; i++) eo__free(solver->invalid[i]);
  eo__free(solver->invalid);
  eo__free(solver->last);
  eo__free(solver->last_answers);
  eo__free(solver->answers);
  eo__free(solver->sizes);
  eo__free(solver->best_valid);
  eo__free(solver->question);
  eo__free(solver->chosen);
  eo__pairwise_rules_release(&solver->rules);
  eo_vec_release(&solver->risky);
  eo_vec_release(&solver->assumptions);
  eo__pairwise_compiled_release(&solver->compiled);
  if (solver->selectable_there) eo__pairwise_compiled_release(&solver->selectable);
  eo__free(solver);
}

/* ---- One component ------------------------------------------------------------------------------------------------ */

static void assume(eo_pairwise_solver *solver, eo_literal literal) {
  solver->assumptions.items[solver->assumptions.count++] = literal;
}

/* What the row chooses in the component, as assumptions. */
static void assume_row(eo_pairwise_solver *solver, const eo_pairwise_compiled *compiled,
                       const eo_pairwise_component *component, const uint16_t *row, bool valid_only) {
  eo_vec_clear(&solver->assumptions);
  if (valid_only && component->valid_only != EO_SAT_NONE) assume(solver, component->valid_only);
  for (size_t k = 0; k < component->params.count; k++) {
    uint32_t param = component->params.items[k];
    if (row[param] == EO_PAIRWISE_ANY) continue;
    const eo_pairwise_classes *classes = &compiled->params[param];
    uint32_t first = compiled->sat.groups.items[classes->group].first;
    assume(solver, eo_literal_of(first + classes->of[row[param]], true));
  }
}

static bool search(eo_pairwise_solver *solver, eo_pairwise_compiled *compiled, uint32_t number, bool ordered) {
  const eo_pairwise_component *component = &compiled->components.items[number];
  return eo__sat_solve(&compiled->sat, solver->assumptions.items, (uint32_t)solver->assumptions.count,
                       component->groups.items, (uint32_t)component->groups.count, ordered);
}

static void keep_solution(eo_pairwise_solver *solver, uint32_t number) {
  const eo_pairwise_compiled *compiled = &solver->compiled;
  const eo_pairwise_component *component = &compiled->components.items[number];
  bool valid = true;
  for (size_t k = 0; k < component->params.count; k++) {
    const eo_pairwise_classes *classes = &compiled->params[component->params.items[k]];
    valid &= !classes->invalid[compiled->sat.groups.items[classes->group].chosen];
  }
  uint16_t *solution = eo__pairwise_answers_solution(&solver->answers[number], valid);
  for (size_t k = 0; k < component->params.count; k++) {
    uint32_t group = compiled->params[component->params.items[k]].group;
    solution[k] = (uint16_t)(compiled->sat.groups.items[group].chosen + 1);
  }
}

static bool ask(eo_pairwise_solver *solver, uint32_t number, const uint16_t *row, bool valid_only) {
  eo_pairwise_compiled *compiled = &solver->compiled;
  const eo_pairwise_component *component = &compiled->components.items[number];
  eo_pairwise_answers *answers = &solver->answers[number];
  uint16_t *question = solver->question;
  uint32_t chosen = 0;
  for (size_t k = 0; k < component->params.count; k++) {
    uint32_t param = component->params.items[k];
    bool any = row[param] == EO_PAIRWISE_ANY;
    question[k] = any ? 0 : (uint16_t)(compiled->params[param].of[row[param]] + 1);
    solver->chosen[chosen] = (uint32_t)k;
    chosen += !any;
  }
  uint32_t place = eo__pairwise_answers_place(answers, question, solver->sizes[number]);
  eo_pairwise_answer answer = eo__pairwise_answers_get(answers, place, valid_only);
  if (answer != EO_PAIRWISE_UNKNOWN) return answer == EO_PAIRWISE_YES;
  bool yes = eo__pairwise_answers_solved(answers, question, solver->chosen, chosen, valid_only);
  if (!yes) {
    assume_row(solver, compiled, component, row, valid_only);
    yes = search(solver, compiled, number, false);
    if (yes) keep_solution(solver, number);
  }
  eo__pairwise_answers_set(answers, place, valid_only, yes);
  return yes;
}

/* Takes note of how the row differs from the last one. Rows are long, and differ in few places. */
static void compare_with_last(eo_pairwise_solver *solver, const uint16_t *row) {
  enum { STEP = 32 };
  size_t params = solver->model->params.count;
  for (size_t start = 0; start < params; start += STEP) {
    size_t count = params - start < STEP ? params - start : STEP;
    if (memcmp(row + start, solver->last + start, count * sizeof *row) == 0) continue;
    for (size_t p = start; p < start + count; p++) {
      uint32_t component = solver->compiled.params[p].component;
      if (row[p] == solver->last[p]) continue;
      solver->last[p] = row[p];
      if (component != EO_SAT_NONE) memset(solver->last_answers[component], 0, sizeof solver->last_answers[0]);
    }
  }
}

/* For the last row. */
static bool component_possible(eo_pairwise_solver *solver, uint32_t number, bool valid_only) {
  uint8_t *answer = &solver->last_answers[number][valid_only];
  if (*answer == EO_PAIRWISE_UNKNOWN) {
    *answer = ask(solver, number, solver->last, valid_only) ? EO_PAIRWISE_YES : EO_PAIRWISE_NO;
  }
  return *answer == EO_PAIRWISE_YES;
}

/* ---- The whole row ------------------------------------------------------------------------------------------------ */

/* What the rule about invalid values makes of the row's components. */
typedef struct allowance {
  bool broken;        /* more are chosen than there may be */
  uint32_t component; /* may have an invalid value; EO_SAT_NONE: none may */
  bool spare;         /* none is chosen, and one component, whichever, may have one */
} allowance;

static allowance find_allowance(const eo_pairwise_solver *solver, const uint16_t *row, unsigned invalids) {
  allowance found = {.component = EO_SAT_NONE, .spare = invalids > 0};
  unsigned chosen = 0;
  for (size_t i = 0; i < solver->risky.count; i++) {
    uint32_t param = solver->risky.items[i];
    if (row[param] == EO_PAIRWISE_ANY || !solver->invalid[i][row[param]]) continue;
    chosen++;
    found.component = solver->compiled.params[param].component;
    found.spare = false;
  }
  found.broken = chosen > invalids || chosen > 1;
  return found;
}

/* Where the row is possible, *spared is the component that needs the spare invalid value; EO_SAT_NONE: none does. */
static bool row_possible(eo_pairwise_solver *solver, const uint16_t *row, const allowance *allowed, uint32_t *spared) {
  *spared = EO_SAT_NONE;
  if (allowed->broken || solver->hopeless != EO_SAT_NONE) return false;
  compare_with_last(solver, row);
  for (uint32_t i = 0; i < solver->compiled.components.count; i++) {
    if (component_possible(solver, i, i != allowed->component)) continue;
    if (!allowed->spare || *spared != EO_SAT_NONE || !component_possible(solver, i, false)) return false;
    *spared = i;
  }
  return true;
}

bool eo__pairwise_solver_possible(eo_pairwise_solver *solver, const uint16_t *row, unsigned invalids) {
  allowance allowed = find_allowance(solver, row, invalids);
  uint32_t spared;
  return row_possible(solver, row, &allowed, &spared);
}

bool eo__pairwise_solver_complete(eo_pairwise_solver *solver, uint16_t *row, unsigned invalids) {
  eo_pairwise_compiled *compiled = &solver->compiled;
  allowance allowed = find_allowance(solver, row, invalids);
  uint32_t spared;
  if (!row_possible(solver, row, &allowed, &spared)) return false;
  for (uint32_t i = 0; i < compiled->components.count; i++) {
    const eo_pairwise_component *component = &compiled->components.items[i];
    assume_row(solver, compiled, component, row, i != allowed.component && i != spared);
    bool found = search(solver, compiled, i, true);
    EO_CHECK(found);
    for (size_t k = 0; k < component->params.count; k++) {
      uint32_t param = component->params.items[k];
      const eo_pairwise_classes *classes = &compiled->params[param];
      uint32_t class = compiled->sat.groups.items[classes->group].chosen;
      if (row[param] == EO_PAIRWISE_ANY) row[param] = classes->heaviest[class];
    }
  }
  for (size_t p = 0; p < solver->model->params.count; p++) {
    if (row[p] == EO_PAIRWISE_ANY) row[p] = solver->best_valid[p];
  }
  return true;
}

/* Is something of the component chosen in the row? */
static bool touches(const eo_pairwise_component *component, const uint16_t *row) {
  for (size_t k = 0; k < component->params.count; k++)
    if (row[component->params.items[k]] != EO_PAIRWISE_ANY) return true;
  return false;
}

/* The search tries the value first that a group had the last time; so it is told what that was. */
static void take_near(eo_pairwise_solver *solver, uint32_t number, uint16_t *row, const uint16_t *near, bool valid) {
  eo_pairwise_compiled *compiled = &solver->compiled;
  const eo_pairwise_component *component = &compiled->components.items[number];
  for (size_t k = 0; k < component->params.count; k++) {
    const eo_pairwise_classes *classes = &compiled->params[component->params.items[k]];
    compiled->sat.groups.items[classes->group].last = classes->of[near[component->params.items[k]]];
  }
  assume_row(solver, compiled, component, row, valid);
  bool found = search(solver, compiled, number, false);
  EO_CHECK(found);
  for (size_t k = 0; k < component->params.count; k++) {
    uint32_t param = component->params.items[k];
    const eo_pairwise_classes *classes = &compiled->params[param];
    uint32_t class = compiled->sat.groups.items[classes->group].chosen;
    if (row[param] != EO_PAIRWISE_ANY) continue;
    row[param] = classes->of[near[param]] == class ? near[param] : classes->heaviest[class];
  }
}

bool eo__pairwise_solver_near(eo_pairwise_solver *solver, uint16_t *row, const uint16_t *near, unsigned invalids) {
  allowance allowed = find_allowance(solver, row, invalids);
  uint32_t spared;
  if (!row_possible(solver, row, &allowed, &spared)) return false;
  for (uint32_t i = 0; i < solver->compiled.components.count; i++)
    if (touches(&solver->compiled.components.items[i], row))
      take_near(solver, i, row, near, i != allowed.component && i != spared);
  for (size_t p = 0; p < solver->model->params.count; p++)
    if (row[p] == EO_PAIRWISE_ANY) row[p] = near[p];
  return true;
}

bool eo__pairwise_solver_together(eo_pairwise_solver *solver, const uint16_t *row, const uint32_t *params,
                                  uint32_t count, unsigned invalids) {
  uint32_t allowed = EO_SAT_NONE, last = EO_SAT_NONE;
  for (uint32_t i = 0; invalids && i < count; i++)
    if (solver->model->params.items[params[i]].values.items[row[params[i]]].invalid)
      allowed = solver->compiled.params[params[i]].component;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t component = solver->compiled.params[params[i]].component;
    if (component == EO_SAT_NONE || component == last) continue;
    if (!ask(solver, component, row, component != allowed)) return false;
    last = component;
  }
  return true;
}

const uint32_t *eo__pairwise_solver_connected(const eo_pairwise_solver *solver, uint32_t param, uint32_t *count) {
  uint32_t number = solver->compiled.params[param].component;
  *count = 0;
  if (number == EO_SAT_NONE) return NULL;
  *count = (uint32_t)solver->compiled.components.items[number].params.count;
  return solver->compiled.components.items[number].params.items;
}

const eo_pairwise_rules *eo__pairwise_solver_rules(const eo_pairwise_solver *solver) { return &solver->rules; }

/* ---- Why not ------------------------------------------------------------------------------------------------------ */

typedef EO_VEC(uint32_t) numbers;

/* Can the component do with these constraints only? If not, those of them that are not needed for that are dropped, as
 * far as the search noticed. `without`: leave out the one at that index, too. */
static bool do_with(eo_pairwise_solver *solver, uint32_t number, const uint16_t *row, bool valid_only, numbers *kept,
                    size_t without) {
  eo_pairwise_compiled *compiled = &solver->selectable;
  assume_row(solver, compiled, &compiled->components.items[number], row, valid_only);
  for (size_t i = 0; i < kept->count; i++) {
    if (i != without) assume(solver, compiled->selectors[kept->items[i]]);
  }
  if (search(solver, compiled, number, false)) return true;
  size_t left = 0;
  for (size_t i = 0; i < kept->count; i++) {
    bool needed = false;
    for (size_t k = 0; k < compiled->sat.core.count; k++) {
      needed |= i != without && compiled->sat.core.items[k] == compiled->selectors[kept->items[i]];
    }
    if (needed) kept->items[left++] = kept->items[i];
  }
  kept->count = left;
  return false;
}

/* If the component forbids the row, adds the constraints that do: each is left out in turn, for good if it is still
 * forbidden without. False: no memory. */
static bool add_core(eo_pairwise_solver *solver, uint32_t number, const uint16_t *row, bool valid_only,
                     numbers *clash) {
  const eo_pairwise_component *component = &solver->selectable.components.items[number];
  numbers kept = {0};
  if (!eo_vec_reserve(&kept, component->constraints.count)) return false;
  for (size_t i = 0; i < component->constraints.count; i++) (void)eo_vec_push(&kept, component->constraints.items[i]);
  if (do_with(solver, number, row, valid_only, &kept, SIZE_MAX)) eo_vec_clear(&kept);
  for (size_t i = 0; i < kept.count;) {
    size_t before = kept.count;
    if (do_with(solver, number, row, valid_only, &kept, i)) {
      i++; /* needed, and so in what is left whatever else goes */
    } else {
      EO_CHECK(kept.count < before && kept.count >= i);
    }
  }
  bool good = true;
  for (size_t i = 0; i < kept.count && good; i++) good = eo_vec_push(clash, kept.items[i]);
  eo_vec_release(&kept);
  return good;
}

/* The first component that forbids the row by itself; or else two that each need the one invalid value there may be.
 * Asked of the clauses with selectors: without them one impossible component makes every answer a no. */
static bool add_cores(eo_pairwise_solver *solver, const uint16_t *row, const allowance *allowed, numbers *clash) {
  uint32_t components = (uint32_t)solver->compiled.components.count;
  for (uint32_t i = 0; i < components && clash->count == 0; i++) {
    if (!add_core(solver, i, row, i != allowed->component && !allowed->spare, clash)) return false;
  }
  if (clash->count > 0 || !allowed->spare) return true;
  uint32_t found = 0;
  for (uint32_t i = 0; i < components && found < 2; i++) {
    size_t before = clash->count;
    if (!add_core(solver, i, row, true, clash)) return false;
    found += clash->count > before;
  }
  if (found < 2) eo_vec_clear(clash); /* one invalid value is enough */
  return true;
}

static int by_number(const void *a, const void *b) {
  const uint32_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

int eo__pairwise_solver_explain(eo_pairwise_solver *solver, const uint16_t *row, unsigned invalids, uint32_t **clash,
                                uint32_t *count, eo_error *error) {
  numbers found = {0};
  allowance allowed = find_allowance(solver, row, invalids);
  bool good = true;
  *clash = NULL;
  *count = 0;
  if (allowed.broken) return EO_OK;
  if (solver->hopeless != EO_SAT_NONE) {
    good = eo_vec_push(&found, solver->hopeless);
  } else {
    if (!solver->selectable_there) {
      int code = eo__pairwise_compile(&solver->selectable, solver->model, true, error);
      if (code != EO_OK) return code;
      solver->selectable_there = true;
    }
    good = add_cores(solver, row, &allowed, &found);
  }
  if (!good) {
    eo_vec_release(&found);
    return eo__error_nomem(error);
  }
  if (found.count > 1) qsort(found.items, found.count, sizeof found.items[0], by_number);
  *clash = found.items;
  *count = (uint32_t)found.count;
  return EO_OK;
}
