/* classes.c: see classes.h. Classes are found by refinement: at first two, of valid and invalid values; then each
 * comparison in a constraint splits those whose values it tells apart. */
#include "pairwise/classes.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "pairwise/constraint.h"
#include "pairwise/names.h"

/* ---- Splitting classes -------------------------------------------------------------------------------------------- */

/* A value, the class it was in, and what a comparison makes of it. */
typedef struct mark {
  uint64_t what;
  uint16_t class;
  uint16_t value;
} mark;

static int by_mark(const void *a, const void *b) {
  const mark *left = a, *right = b;
  if (left->class != right->class) return left->class < right->class ? -1 : 1;
  if (left->what != right->what) return left->what < right->what ? -1 : 1;
  return (left->value > right->value) - (left->value < right->value);
}

static void split(eo_pairwise_classes *classes, mark *marks, uint32_t values) {
  for (uint32_t v = 0; v < values; v++) {
    marks[v].class = classes->of[v];
    marks[v].value = (uint16_t)v;
  }
  qsort(marks, values, sizeof *marks, by_mark);
  uint16_t class = 0;
  for (uint32_t i = 0; i < values; i++) {
    if (i > 0 && (marks[i].class != marks[i - 1].class || marks[i].what != marks[i - 1].what)) class ++;
    classes->of[marks[i].value] = class;
  }
  classes->count = (uint32_t) class + 1;
}

static int compare_values(const eo_pairwise_param *param, const eo_pairwise_value *a, const eo_pairwise_value *b) {
  if (param->numeric) return (a->number > b->number) - (a->number < b->number);
  return eo__pairwise_compare(a->names.items[0], b->names.items[0], param->case_sensitive);
}

static int by_value(const void *a, const void *b, void *param) { return compare_values(param, a, b); }

/* The other parameter's values, in order: how many are below this one, and how many not above it? This tells all about
 * how it compares with them. */
static uint64_t rank(const eo_pairwise_param *param, const eo_pairwise_value *value, const eo_pairwise_value *sorted,
                     uint32_t count) {
  uint32_t bounds[2];
  for (int above = 0; above < 2; above++) {
    uint32_t low = 0, high = count;
    while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (compare_values(param, &sorted[middle], value) < above) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    bounds[above] = low;
  }
  return bounds[0] * (UINT64_C(1) << 32) + bounds[1];
}

static uint64_t mark_of(const eo_pairwise_model *model, const eo_pairwise_term *leaf, uint32_t v,
                        const eo_pairwise_value *sorted, const eo_pairwise_param *param,
                        const eo_pairwise_param *other) {
  if (!sorted) return eo__pairwise_leaf_holds(model, leaf, (uint16_t)v, 0);
  if (leaf->comparison == EO_PAIRWISE_LIKE) return v; /* patterns have no order: every value for itself */
  uint64_t bounds = rank(param, &param->values.items[v], sorted, (uint32_t)other->values.count);
  bool equality = leaf->comparison == EO_PAIRWISE_EQUAL || leaf->comparison == EO_PAIRWISE_UNEQUAL;
  bool unequal_to_all = (uint32_t)bounds == bounds >> 32;
  return equality && unequal_to_all ? UINT64_MAX : bounds;
}

/* Splits the classes of `side` by the leaf, which compares it with `opposite` (EO_PAIRWISE_NO_PARAM: with constants). */
static int split_by_leaf(eo_pairwise_compiled *compiled, const eo_pairwise_term *leaf, uint32_t side, uint32_t opposite,
                         eo_error *error) {
  const eo_pairwise_model *model = compiled->model;
  eo_pairwise_param *param = &model->params.items[side], *other = NULL;
  eo_pairwise_value *sorted = NULL;
  mark *marks = eo__alloc(param->values.count * sizeof *marks);
  if (!marks) return eo__error_nomem(error);
  if (opposite != EO_PAIRWISE_NO_PARAM) {
    other = &model->params.items[opposite];
    sorted = eo__alloc(other->values.count * sizeof *sorted);
    if (!sorted) {
      eo__free(marks);
      return eo__error_nomem(error);
    }
    for (size_t v = 0; v < other->values.count; v++) sorted[v] = other->values.items[v];
    qsort_r(sorted, other->values.count, sizeof *sorted, by_value, other);
  }
  for (uint32_t v = 0; v < param->values.count; v++) marks[v].what = mark_of(model, leaf, v, sorted, param, other);
  split(&compiled->params[side], marks, (uint32_t)param->values.count);
  eo__free(sorted);
  eo__free(marks);
  return EO_OK;
}

/* ---- Components --------------------------------------------------------------------------------------------------- */

/* While components are joined, `component` of a parameter is another of the same component, or itself. */
static uint32_t root_of(eo_pairwise_compiled *compiled, uint32_t param) {
  while (compiled->params[param].component != param) {
    uint32_t *link = &compiled->params[param].component;
    *link = compiled->params[*link].component;
    param = *link;
  }
  return param;
}

/* At the first mention of a parameter all its valid values are one class, and all its invalid ones. */
static bool begin_classes(eo_pairwise_compiled *compiled, uint32_t p) {
  eo_pairwise_classes *classes = &compiled->params[p];
  const eo_pairwise_param *param = &compiled->model->params.items[p];
  if (classes->of) return true;
  classes->of = eo__alloc(param->values.count * sizeof classes->of[0]);
  if (!classes->of) return false;
  classes->component = p;
  classes->count = 1;
  for (size_t v = 0; v < param->values.count; v++) {
    classes->of[v] = param->values.items[v].invalid;
    if (param->values.items[v].invalid) classes->count = 2;
  }
  return true;
}

/* All that a constraint's leaves say about classes and connections; *member: a parameter of the constraint so far. */
static int visit(eo_pairwise_compiled *compiled, const eo_pairwise_term *term, uint32_t *member, eo_error *error) {
  int code = EO_OK;
  for (size_t i = 0; i < term->children.count && code == EO_OK; i++) {
    code = visit(compiled, term->children.items[i], member, error);
  }
  if (term->param == EO_PAIRWISE_NO_PARAM || code != EO_OK) return code;
  uint32_t sides[2] = {term->param, term->other};
  for (int i = 0; i < 2; i++) {
    if (sides[i] == EO_PAIRWISE_NO_PARAM) continue;
    if (!begin_classes(compiled, sides[i])) return eo__error_nomem(error);
    if (*member != EO_SAT_NONE) {
      compiled->params[root_of(compiled, sides[i])].component = root_of(compiled, *member);
    }
    *member = sides[i];
    code = split_by_leaf(compiled, term, sides[i], sides[1 - i], error);
    if (code != EO_OK) return code;
  }
  return EO_OK;
}

/* From roots to numbers. */
static int number_components(eo_pairwise_compiled *compiled, const uint32_t *members, eo_error *error) {
  uint32_t params = (uint32_t)compiled->model->params.count;
  uint32_t *numbers = eo__alloc(params * sizeof *numbers);
  if (!numbers) return eo__error_nomem(error);
  bool good = true;
  for (uint32_t p = 0; p < params && good; p++) {
    if (!compiled->params[p].of) continue;
    uint32_t root = root_of(compiled, p);
    if (numbers[root] == 0) {
      good = eo_vec_push(&compiled->components, (eo_pairwise_component){.valid_only = EO_SAT_NONE});
      numbers[root] = (uint32_t)compiled->components.count;
    }
    good = good && eo_vec_push(&compiled->components.items[numbers[root] - 1].params, p);
  }
  for (uint32_t c = 0; c < compiled->model->constraints.count && good; c++) {
    if (members[c] == EO_SAT_NONE) continue;
    uint32_t component = numbers[root_of(compiled, members[c])] - 1;
    good = eo_vec_push(&compiled->components.items[component].constraints, c);
  }
  for (uint32_t i = 0; i < compiled->components.count && good; i++) {
    const eo_pairwise_component *component = &compiled->components.items[i];
    for (size_t k = 0; k < component->params.count; k++) compiled->params[component->params.items[k]].component = i;
  }
  eo__free(numbers);
  return good ? EO_OK : eo__error_nomem(error);
}

/* ---- Preferences -------------------------------------------------------------------------------------------------- */

static uint32_t weight_of(const eo_pairwise_param *param, const eo_pairwise_classes *classes, uint16_t class) {
  return param->values.items[classes->heaviest[class]].weight;
}

typedef struct preference {
  uint32_t weight;
  uint16_t class;
  bool invalid;
} preference;

static int by_preference(const void *a, const void *b) {
  const preference *left = a, *right = b;
  if (left->invalid != right->invalid) return left->invalid ? 1 : -1;
  if (left->weight != right->weight) return left->weight > right->weight ? -1 : 1;
  return (left->class > right->class) - (left->class < right->class);
}

static int prefer(eo_pairwise_classes *classes, const eo_pairwise_param *param, eo_error *error) {
  classes->heaviest = eo__alloc(classes->count * sizeof classes->heaviest[0]);
  classes->preferred = eo__alloc(classes->count * sizeof classes->preferred[0]);
  classes->invalid = eo__alloc(classes->count * sizeof classes->invalid[0]);
  preference *order = eo__alloc(classes->count * sizeof *order);
  if (!classes->heaviest || !classes->preferred || !classes->invalid || !order) {
    eo__free(order);
    return eo__error_nomem(error);
  }
  for (size_t v = param->values.count; v-- > 0;) classes->heaviest[classes->of[v]] = (uint16_t)v;
  for (uint32_t v = 0; v < param->values.count; v++) {
    const eo_pairwise_value *value = &param->values.items[v];
    uint16_t class = classes->of[v];
    classes->invalid[class] = value->invalid;
    if (value->weight > weight_of(param, classes, class)) classes->heaviest[class] = (uint16_t)v;
  }
  for (uint32_t c = 0; c < classes->count; c++) {
    order[c] = (preference){weight_of(param, classes, (uint16_t)c), (uint16_t)c, classes->invalid[c]};
  }
  qsort(order, classes->count, sizeof *order, by_preference);
  for (uint32_t c = 0; c < classes->count; c++) classes->preferred[c] = order[c].class;
  eo__free(order);
  return EO_OK;
}

int eo__pairwise_classify(eo_pairwise_compiled *compiled, eo_error *error) {
  const eo_pairwise_model *model = compiled->model;
  uint32_t *members = eo__alloc((model->constraints.count + 1) * sizeof *members);
  if (!members) return eo__error_nomem(error);
  int code = EO_OK;
  for (size_t c = 0; c < model->constraints.count && code == EO_OK; c++) {
    members[c] = EO_SAT_NONE;
    code = visit(compiled, model->constraints.items[c].term, &members[c], error);
  }
  if (code == EO_OK) code = number_components(compiled, members, error);
  for (size_t p = 0; p < model->params.count && code == EO_OK; p++) {
    if (compiled->params[p].of) code = prefer(&compiled->params[p], &model->params.items[p], error);
  }
  eo__free(members);
  return code;
}
