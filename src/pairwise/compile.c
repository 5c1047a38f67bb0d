/* compile.c: see compile.h. The clauses are those of Plaisted and Greenbaum (1986): a part of a constraint that is an AND
 * inside an OR gets a variable that implies the part, and is never implied by it. A test that satisfies the constraints
 * makes some choice of these variables possible, and the search never has to decide them: once every parameter has a
 * value and nothing is contradicted, those left open can all be true. */
#include "pairwise/compile.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/classes.h"
#include "pairwise/constraint.h"

enum { LARGEST_COMPARISON = 1 << 24 }; /* pairs of values of two parameters that are compared */

/* A clause that grows; `holds`: whatever the row. */
typedef struct open_clause {
  eo_literals literals;
  bool holds;
} open_clause;

static int too_large(const eo_pairwise_compiled *compiled, const eo_pairwise_term *leaf, eo_error *error) {
  return eo__error_set(error, EO_EINPUT, "[%s] and [%s] have too many values to be compared with each other",
                       compiled->model->params.items[leaf->param].name,
                       compiled->model->params.items[leaf->other].name);
}

static eo_literal class_literal(const eo_pairwise_compiled *compiled, uint32_t param, uint32_t class, bool positive) {
  const eo_sat_group *group = &compiled->sat.groups.items[compiled->params[param].group];
  return eo_literal_of(group->first + class, positive);
}

static int add(open_clause *clause, eo_literal literal, eo_error *error) {
  return eo_vec_push(&clause->literals, literal) ? EO_OK : eo__error_nomem(error);
}

/* ---- Leaves ------------------------------------------------------------------------------------------------------- */

static int add_unary(eo_pairwise_compiled *compiled, const eo_pairwise_term *leaf, bool positive, open_clause *clause,
                     eo_error *error) {
  const eo_pairwise_classes *classes = &compiled->params[leaf->param];
  uint32_t holding = 0;
  for (uint32_t c = 0; c < classes->count; c++) {
    if (eo__pairwise_leaf_holds(compiled->model, leaf, classes->heaviest[c], 0) != positive) continue;
    holding++;
    int code = add(clause, class_literal(compiled, leaf->param, c, true), error);
    if (code != EO_OK) return code;
  }
  if (holding == classes->count) clause->holds = true;
  return EO_OK;
}

/* `implies` and this class of the left parameter: one of those of the right that it may stand with. */
static int add_support(eo_pairwise_compiled *compiled, const eo_pairwise_term *leaf, bool positive, uint32_t class,
                       eo_literal implies, eo_error *error) {
  const eo_pairwise_classes *left = &compiled->params[leaf->param], *right = &compiled->params[leaf->other];
  eo_literals literals = {0};
  bool good = eo_vec_push(&literals, eo_literal_not(implies)) &&
              eo_vec_push(&literals, class_literal(compiled, leaf->param, class, false));
  uint32_t holding = 0;
  for (uint32_t c = 0; c < right->count && good; c++) {
    if (eo__pairwise_leaf_holds(compiled->model, leaf, left->heaviest[class], right->heaviest[c]) != positive) continue;
    holding++;
    good = eo_vec_push(&literals, class_literal(compiled, leaf->other, c, true));
  }
  if (good && holding < right->count) good = eo__sat_clause(&compiled->sat, &literals);
  eo_vec_release(&literals);
  return good ? EO_OK : eo__error_nomem(error);
}

static int add_binary(eo_pairwise_compiled *compiled, const eo_pairwise_term *leaf, bool positive, open_clause *clause,
                      eo_error *error) {
  const eo_pairwise_classes *left = &compiled->params[leaf->param], *right = &compiled->params[leaf->other];
  uint32_t variable;
  if ((uint64_t)left->count * right->count > LARGEST_COMPARISON) return too_large(compiled, leaf, error);
  if (!eo__sat_variable(&compiled->sat, &variable)) return eo__error_nomem(error);
  eo_literal implies = eo_literal_of(variable, true);
  int code = add(clause, implies, error);
  for (uint32_t c = 0; c < left->count && code == EO_OK; c++) {
    code = add_support(compiled, leaf, positive, c, implies, error);
  }
  return code;
}

/* ---- Terms -------------------------------------------------------------------------------------------------------- */

static int close_clause(eo_pairwise_compiled *compiled, open_clause *clause, int code, eo_error *error) {
  if (code == EO_OK && !clause->holds && !eo__sat_clause(&compiled->sat, &clause->literals)) {
    code = eo__error_nomem(error);
  }
  eo_vec_release(&clause->literals);
  return code;
}

/* Adds literals one of which must be true where the term must be `positive`. */
static int add_term(eo_pairwise_compiled *compiled, const eo_pairwise_term *term, bool positive, open_clause *clause,
                    eo_error *error);

/* A clause for each child, behind a variable that stands for all of them. */
static int add_all(eo_pairwise_compiled *compiled, const eo_pairwise_term *term, bool positive, open_clause *outer,
                   eo_error *error) {
  uint32_t variable;
  if (term->children.count == 0) {
    outer->holds = true;
    return EO_OK;
  }
  if (term->children.count == 1) return add_term(compiled, term->children.items[0], positive, outer, error);
  if (!eo__sat_variable(&compiled->sat, &variable)) return eo__error_nomem(error);
  int code = add(outer, eo_literal_of(variable, true), error);
  for (size_t i = 0; i < term->children.count && code == EO_OK; i++) {
    open_clause inner = {0};
    code = add(&inner, eo_literal_of(variable, false), error);
    if (code == EO_OK) code = add_term(compiled, term->children.items[i], positive, &inner, error);
    code = close_clause(compiled, &inner, code, error);
  }
  return code;
}

static int add_term(eo_pairwise_compiled *compiled, const eo_pairwise_term *term, bool positive, open_clause *clause,
                    eo_error *error) {
  switch (term->kind) {
    case EO_PAIRWISE_NOT: return add_term(compiled, term->children.items[0], !positive, clause, error);
    case EO_PAIRWISE_ALL:
    case EO_PAIRWISE_SOME: {
      if ((term->kind == EO_PAIRWISE_ALL) == positive) return add_all(compiled, term, positive, clause, error);
      int code = EO_OK;
      for (size_t i = 0; i < term->children.count && code == EO_OK; i++) {
        code = add_term(compiled, term->children.items[i], positive, clause, error);
      }
      return code;
    }
    case EO_PAIRWISE_IF: EO_CHECK(!"IF is only the outermost part of a constraint"); return EO_EBUG;
    default: break;
  }
  if (term->other == EO_PAIRWISE_NO_PARAM) return add_unary(compiled, term, positive, clause, error);
  return add_binary(compiled, term, positive, clause, error);
}

/* The clause: unless `selector` is assumed false, one of two terms (the second may be NULL) is as wanted. */
static int require(eo_pairwise_compiled *compiled, eo_literal selector, const eo_pairwise_term *first, bool wanted,
                   const eo_pairwise_term *second, eo_error *error) {
  open_clause clause = {0};
  int code = EO_OK;
  if (selector != EO_SAT_NONE) code = add(&clause, eo_literal_not(selector), error);
  if (code == EO_OK) code = add_term(compiled, first, wanted, &clause, error);
  if (code == EO_OK && second) code = add_term(compiled, second, true, &clause, error);
  return close_clause(compiled, &clause, code, error);
}

static int add_constraint(eo_pairwise_compiled *compiled, uint32_t number, bool selectable, eo_error *error) {
  const eo_pairwise_term *term = compiled->model->constraints.items[number].term;
  eo_literal selector = EO_SAT_NONE;
  if (selectable) {
    uint32_t variable;
    if (!eo__sat_variable(&compiled->sat, &variable)) return eo__error_nomem(error);
    selector = compiled->selectors[number] = eo_literal_of(variable, true);
  }
  if (term->kind != EO_PAIRWISE_IF) return require(compiled, selector, term, true, NULL, error);
  eo_pairwise_term *const *parts = term->children.items;
  int code = require(compiled, selector, parts[0], false, parts[1], error);
  if (code == EO_OK && term->children.count > 2) code = require(compiled, selector, parts[0], true, parts[2], error);
  return code;
}

/* ---- Invalid values ----------------------------------------------------------------------------------------------- */

static bool imply(eo_sat *sat, eo_literal condition, eo_literal consequence) {
  eo_literals literals = {0};
  bool good = eo_vec_push(&literals, eo_literal_not(condition)) && eo_vec_push(&literals, consequence) &&
              eo__sat_clause(sat, &literals);
  eo_vec_release(&literals);
  return good;
}

/* At most one invalid value in a component, by a chain: variable n says that there is one among the first n. None, if
 * `valid_only` is assumed. */
static int limit_invalid(eo_pairwise_compiled *compiled, eo_pairwise_component *component, eo_error *error) {
  eo_sat *sat = &compiled->sat;
  eo_literal before = EO_SAT_NONE;
  bool good = true;
  for (size_t i = 0; i < component->params.count; i++) {
    const eo_pairwise_classes *classes = &compiled->params[component->params.items[i]];
    for (uint32_t c = 0; c < classes->count && good; c++) {
      if (!classes->invalid[c]) continue;
      eo_literal invalid = class_literal(compiled, component->params.items[i], c, true);
      uint32_t variable;
      if (component->valid_only == EO_SAT_NONE) {
        good = eo__sat_variable(sat, &variable);
        if (!good) break;
        component->valid_only = eo_literal_of(variable, true);
      }
      good = imply(sat, component->valid_only, eo_literal_not(invalid)) && eo__sat_variable(sat, &variable);
      if (!good) break;
      eo_literal now = eo_literal_of(variable, true);
      good = imply(sat, invalid, now);
      if (good && before != EO_SAT_NONE) {
        good = imply(sat, before, now) && imply(sat, invalid, eo_literal_not(before));
      }
      before = now;
    }
  }
  return good ? EO_OK : eo__error_nomem(error);
}

/* ---- All of it ---------------------------------------------------------------------------------------------------- */

static int add_groups(eo_pairwise_compiled *compiled, eo_pairwise_component *component, eo_error *error) {
  for (size_t i = 0; i < component->params.count; i++) {
    eo_pairwise_classes *classes = &compiled->params[component->params.items[i]];
    if (!eo__sat_group(&compiled->sat, classes->count, classes->preferred, &classes->group) ||
        !eo_vec_push(&component->groups, classes->group)) {
      return eo__error_nomem(error);
    }
  }
  return limit_invalid(compiled, component, error);
}

static int compile(eo_pairwise_compiled *compiled, bool selectable, eo_error *error) {
  const eo_pairwise_model *model = compiled->model;
  compiled->params = eo__alloc(model->params.count * sizeof compiled->params[0]);
  if (!compiled->params) return eo__error_nomem(error);
  for (size_t p = 0; p < model->params.count; p++) compiled->params[p].component = EO_SAT_NONE;
  if (selectable) {
    compiled->selectors = eo__alloc((model->constraints.count + 1) * sizeof compiled->selectors[0]);
    if (!compiled->selectors) return eo__error_nomem(error);
  }
  int code = eo__pairwise_classify(compiled, error);
  for (size_t i = 0; i < compiled->components.count && code == EO_OK; i++) {
    code = add_groups(compiled, &compiled->components.items[i], error);
  }
  for (uint32_t c = 0; c < model->constraints.count && code == EO_OK; c++) {
    code = add_constraint(compiled, c, selectable, error);
  }
  if (code == EO_OK && !eo__sat_start(&compiled->sat)) code = eo__error_nomem(error);
  return code;
}

int eo__pairwise_compile(eo_pairwise_compiled *compiled, const eo_pairwise_model *model, bool selectable,
                         eo_error *error) {
  memset(compiled, 0, sizeof *compiled);
  compiled->model = model;
  eo__sat_init(&compiled->sat);
  int code = compile(compiled, selectable, error);
  if (code != EO_OK) eo__pairwise_compiled_release(compiled);
  return code;
}

void eo__pairwise_compiled_release(eo_pairwise_compiled *compiled) {
  for (size_t p = 0; compiled->params && p < compiled->model->params.count; p++) {
    eo__free(compiled->params[p].of);
    eo__free(compiled->params[p].heaviest);
    eo__free(compiled->params[p].preferred);
    eo__free(compiled->params[p].invalid);
  }
  for (size_t i = 0; i < compiled->components.count; i++) {
    eo_vec_release(&compiled->components.items[i].params);
    eo_vec_release(&compiled->components.items[i].groups);
    eo_vec_release(&compiled->components.items[i].constraints);
  }
  eo_vec_release(&compiled->components);
  eo__free(compiled->params);
  eo__free(compiled->selectors);
  eo__sat_release(&compiled->sat);
}
