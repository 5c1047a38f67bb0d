/* check.c: see check.h. Every set of columns whose combinations are to be covered is looked at by itself, with a bit for
 * each combination: seen in a row, and seen in another row too.
 *
 * A column is a parameter, or a sub-model, whose values are the distinct rows of it among the tests. */
#include "pairwise/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "pairwise/check_search.h"

enum { MOST_LINES = 100 };
static const uint64_t most_combinations = UINT32_MAX; /* of one set of columns: bits, and numbers of 32 bits */

typedef struct eo_check_column {
  const uint32_t *params;
  uint32_t width;
  uint32_t count;           /* of its values */
  eo_pairwise_numbers rows; /* for a sub-model: a test in which each of its values is */
} eo_check_column;

typedef struct eo_check {
  const eo_pairwise_model *model;
  const eo_pairwise_rows *tests;
  uint32_t count; /* of the tests */
  eo_pairwise_verdict *verdict;
  eo_pairwise_search search;
  eo_check_column *columns; /* parameters, then sub-models */
  uint32_t *own;            /* 0, 1, 2 ...: the parameter of each column that is one */
  bool *good;               /* for each test: it counts */
  bool *needed;             /* for each test: something is only in it */
  uint32_t *invalid;        /* for each test: the parameter that has an invalid value; UINT32_MAX: none */
  uint32_t *listed;         /* the tests that count, those without an invalid value first */
  uint32_t valid_count, listed_count;
  uint32_t *matrix; /* the value of each column in each listed test */
  /* Row d: for each listed test, which combination of the first d + 1 columns of the last set it has. The next set
   * mostly differs in the last column only. */
  uint32_t *prefixes;
  uint32_t last[EO_PAIRWISE_MAX_ORDER];
  uint32_t last_order;
  uint64_t *once, *twice;
  uint64_t words;        /* of these */
  uint64_t missing_more; /* beyond the lines shown */
  uint64_t problems_more;
  uint16_t *row; /* scratch */
} eo_check;

/* ---- Rows --------------------------------------------------------------------------------------------------------- */

static void problem(eo_check *checker, uint32_t test, const char *what, const char *which) {
  eo_text *text = &checker->verdict->problems;
  checker->good[test] = false;
  if (checker->verdict->broken++ < MOST_LINES) {
    eo__text_add(text, "test %u %s %s\n", test + 1, what, which);
  } else {
    checker->problems_more++;
  }
}

/* Only the first thing that is wrong with a test is told. */
static void check_test(eo_check *checker, uint32_t test) {
  const eo_pairwise_model *model = checker->model;
  const uint16_t *row = eo_pairwise_row(checker->tests, test);
  checker->good[test] = true;
  checker->invalid[test] = UINT32_MAX;
  for (uint32_t p = 0; p < model->params.count; p++) {
    const eo_pairwise_param *param = &model->params.items[p];
    if (row[p] >= param->values.count) {
      problem(checker, test, "has no value of", param->name);
      return;
    }
    if (!param->values.items[row[p]].invalid) continue;
    if (checker->invalid[test] != UINT32_MAX) {
      problem(checker, test, "has more than one invalid value: that of", param->name);
      return;
    }
    checker->invalid[test] = p;
  }
  for (size_t c = 0; c < model->constraints.count; c++) {
    if (eo__pairwise_constraint_holds(model, &model->constraints.items[c], row)) continue;
    problem(checker, test, "breaks", model->constraints.items[c].text);
    return;
  }
}

/* ---- Columns ------------------------------------------------------------------------------------------------------ */

static bool same_in(const eo_check *checker, const eo_check_column *column, uint32_t a, uint32_t b) {
  const uint16_t *left = eo_pairwise_row(checker->tests, a), *right = eo_pairwise_row(checker->tests, b);
  for (uint32_t i = 0; i < column->width; i++) {
    if (left[column->params[i]] != right[column->params[i]]) return false;
  }
  return true;
}

static void list_tests(eo_check *checker) {
  for (int invalid = 0; invalid < 2; invalid++) {
    for (uint32_t test = 0; test < checker->count; test++) {
      if (!checker->good[test] || (checker->invalid[test] != UINT32_MAX) != invalid) continue;
      checker->listed[checker->listed_count++] = test;
    }
    if (!invalid) checker->valid_count = checker->listed_count;
  }
}

/* The distinct rows of a sub-model, in tests without an invalid value. */
static bool find_values(eo_check *checker, eo_check_column *column, uint32_t *values) {
  for (uint32_t k = 0; k < checker->valid_count; k++) {
    uint32_t test = checker->listed[k], value = 0;
    while (value < column->rows.count && !same_in(checker, column, column->rows.items[value], test)) value++;
    if (value == column->rows.count && !eo_vec_push(&column->rows, test)) return false;
    values[k] = value;
  }
  column->count = (uint32_t)column->rows.count;
  return true;
}

static bool make_columns(eo_check *checker) {
  const eo_pairwise_model *model = checker->model;
  size_t columns = model->params.count + model->groups.count, tests = (size_t)checker->listed_count + 1;
  checker->matrix = eo__alloc(columns * tests * sizeof checker->matrix[0]);
  checker->prefixes = eo__alloc(EO_PAIRWISE_MAX_ORDER * tests * sizeof checker->prefixes[0]);
  if (!checker->matrix || !checker->prefixes) return false;
  for (uint32_t p = 0; p < model->params.count; p++) {
    checker->own[p] = p;
    checker->columns[p] = (eo_check_column){
        .params = &checker->own[p], .width = 1, .count = (uint32_t)model->params.items[p].values.count};
    for (uint32_t k = 0; k < checker->listed_count; k++) {
      checker->matrix[p * checker->listed_count + k] = eo_pairwise_row(checker->tests, checker->listed[k])[p];
    }
  }
  for (size_t g = 0; g < model->groups.count; g++) {
    const eo_pairwise_group *group = &model->groups.items[g];
    size_t number = model->params.count + g;
    eo_check_column *column = &checker->columns[number];
    column->params = group->params.items;
    column->width = (uint32_t)group->params.count;
    if (!find_values(checker, column, checker->matrix + number * checker->listed_count)) return false;
  }
  return true;
}

static bool is_group(const eo_check *checker, uint32_t column) { return column >= checker->model->params.count; }

/* ---- Combinations ------------------------------------------------------------------------------------------------- */

/* Columns whose combinations are looked at. */
typedef struct eo_check_set {
  uint32_t columns[EO_PAIRWISE_MAX_ORDER];
  uint32_t order;
  bool units; /* there is a sub-model among them: only tests without invalid values matter */
  uint64_t combinations;
} eo_check_set;

/* Which combination each listed test has. */
static const uint32_t *number_combinations(eo_check *checker, const eo_check_set *set) {
  uint32_t depth = 0, count = checker->listed_count;
  while (depth < checker->last_order && depth < set->order && checker->last[depth] == set->columns[depth]) depth++;
  for (; depth < set->order; depth++) {
    const uint32_t *values = checker->matrix + (size_t)set->columns[depth] * count;
    const uint32_t *before = checker->prefixes + (size_t)(depth ? depth - 1 : 0) * count;
    uint32_t *now = checker->prefixes + (size_t)depth * count,
             values_there = checker->columns[set->columns[depth]].count;
    for (uint32_t k = 0; k < count; k++) now[k] = (depth ? before[k] * values_there : 0) + values[k];
    checker->last[depth] = set->columns[depth];
  }
  checker->last_order = set->order;
  return checker->prefixes + (size_t)(set->order - 1) * count;
}

/* A test with an invalid value counts only for combinations with that value. */
static bool counts(const eo_check *checker, const eo_check_set *set, uint32_t k) {
  if (k < checker->valid_count) return true;
  for (uint32_t i = 0; i < set->order; i++) {
    if (set->columns[i] == checker->invalid[checker->listed[k]]) return true;
  }
  return false;
}

/* The combination as a partial row. False: sub-models that overlap do not agree. */
static bool to_row(eo_check *checker, const eo_check_set *set, uint64_t index) {
  for (size_t p = 0; p < checker->model->params.count; p++) checker->row[p] = EO_PAIRWISE_ANY;
  for (uint32_t i = set->order; i-- > 0;) {
    const eo_check_column *column = &checker->columns[set->columns[i]];
    uint32_t value = (uint32_t)(index % column->count);
    index /= column->count;
    if (!is_group(checker, set->columns[i])) {
      checker->row[set->columns[i]] = (uint16_t)value;
      continue;
    }
    const uint16_t *from = eo_pairwise_row(checker->tests, column->rows.items[value]);
    for (uint32_t k = 0; k < column->width; k++) {
      uint16_t *to = &checker->row[column->params[k]];
      if (*to != EO_PAIRWISE_ANY && *to != from[column->params[k]]) return false;
      *to = from[column->params[k]];
    }
  }
  return true;
}

static uint32_t count_invalid(const eo_check *checker) {
  uint32_t count = 0;
  for (size_t p = 0; p < checker->model->params.count; p++) {
    uint16_t value = checker->row[p];
    count += value != EO_PAIRWISE_ANY && checker->model->params.items[p].values.items[value].invalid;
  }
  return count;
}

static void add_missing(eo_check *checker) {
  eo_pairwise_verdict *verdict = checker->verdict;
  if (verdict->wanted - verdict->covered > MOST_LINES) {
    checker->missing_more++;
    return;
  }
  const char *separator = "";
  for (size_t p = 0; p < checker->model->params.count; p++) {
    const eo_pairwise_param *param = &checker->model->params.items[p];
    if (checker->row[p] == EO_PAIRWISE_ANY) continue;
    const eo_pairwise_value *value = &param->values.items[checker->row[p]];
    eo__text_add(&verdict->missing, "%s%s: %s%s", separator, param->name, value->invalid ? "~" : "",
                 value->names.items[0]);
    separator = ", ";
  }
  eo__text_add(&verdict->missing, "\n");
}

/* A combination that is in no test. */
static void judge(eo_check *checker, const eo_check_set *set, uint64_t index) {
  eo_pairwise_verdict *verdict = checker->verdict;
  bool agree = to_row(checker, set, index);
  uint32_t invalid = count_invalid(checker);
  if (set->units && invalid > 0) return;
  if (!agree || invalid > 1 || !eo__pairwise_search_completes(&checker->search, checker->row)) {
    verdict->impossible++;
    return;
  }
  verdict->wanted++;
  add_missing(checker);
}

static int reserve(eo_check *checker, const eo_check_set *set, eo_error *error) {
  if (set->combinations > most_combinations) {
    return eo__error_set(error, EO_EINPUT, "more than %llu combinations of [%s] and %u others: too many to check",
                         (unsigned long long)most_combinations,
                         checker->model->params.items[checker->columns[set->columns[0]].params[0]].name,
                         set->order - 1);
  }
  uint64_t words = set->combinations / 64 + 1;
  if (words > checker->words) {
    eo__free(checker->once);
    eo__free(checker->twice);
    checker->once = eo__alloc(words * sizeof(uint64_t));
    checker->twice = eo__alloc(words * sizeof(uint64_t));
    checker->words = checker->once && checker->twice ? words : 0;
    return checker->words ? EO_OK : eo__error_nomem(error);
  }
  memset(checker->once, 0, words * sizeof(uint64_t));
  memset(checker->twice, 0, words * sizeof(uint64_t));
  return EO_OK;
}

static int check_set(eo_check *checker, eo_check_set *set, eo_error *error) {
  set->combinations = 1;
  set->units = false;
  for (uint32_t i = 0; i < set->order; i++) {
    set->units |= is_group(checker, set->columns[i]);
    set->combinations *= checker->columns[set->columns[i]].count;
    if (set->combinations > most_combinations) break;
  }
  int code = reserve(checker, set, error);
  if (code != EO_OK) return code;
  const uint32_t *numbers = number_combinations(checker, set);
  uint32_t tests = set->units ? checker->valid_count : checker->listed_count;
  for (uint32_t k = 0; k < tests; k++) {
    if (!counts(checker, set, k)) continue;
    uint64_t bit = UINT64_C(1) << (numbers[k] % 64);
    checker->twice[numbers[k] / 64] |= checker->once[numbers[k] / 64] & bit;
    checker->once[numbers[k] / 64] |= bit;
  }
  for (uint64_t start = 0; start < set->combinations; start += 64) {
    uint64_t seen = checker->once[start / 64];
    uint32_t covered = (uint32_t)__builtin_popcountll(seen);
    checker->verdict->wanted += covered;
    checker->verdict->covered += covered;
    for (uint64_t index = start; index < start + 64 && index < set->combinations && seen != UINT64_MAX; index++) {
      if (!(seen >> (index % 64) & 1)) judge(checker, set, index);
    }
  }
  for (uint32_t k = 0; k < tests; k++) {
    bool again = checker->twice[numbers[k] / 64] >> (numbers[k] % 64) & 1;
    if (!again && counts(checker, set, k)) checker->needed[checker->listed[k]] = true;
  }
  return EO_OK;
}

/* ---- What is to be covered ---------------------------------------------------------------------------------------- */

/* Every `order` of these columns, but for those that are left out. */
typedef struct eo_check_demand {
  const uint32_t *columns;
  uint32_t count;
  uint32_t order;
  enum { EVERY, ACROSS, UNITS } which; /* all; no two in the same sub-model; at least one sub-model */
} eo_check_demand;

static bool contains(const uint32_t *sorted, size_t count, uint32_t number) {
  for (size_t i = 0; i < count; i++) {
    if (sorted[i] == number) return true;
  }
  return false;
}

static bool share_group(const eo_check *checker, const eo_check_set *set) {
  for (size_t g = 0; g < checker->model->groups.count; g++) {
    const eo_pairwise_group *group = &checker->model->groups.items[g];
    uint32_t inside = 0;
    for (uint32_t i = 0; i < set->order; i++) {
      inside += contains(group->params.items, group->params.count, set->columns[i]);
    }
    if (inside > 1) return true;
  }
  return false;
}

static bool left_out(const eo_check *checker, const eo_check_demand *demand, const eo_check_set *set) {
  if (demand->which == ACROSS) return share_group(checker, set);
  if (demand->which == EVERY) return false;
  bool unit = false;
  for (uint32_t i = 0; i < set->order; i++) unit |= is_group(checker, set->columns[i]);
  return !unit;
}

/* Has an earlier group or relation of the same order all of these? Then they have been counted. */
static bool counted(const eo_pairwise_group *earlier, size_t count, uint32_t order, uint32_t default_order,
                    const eo_check_set *set) {
  for (size_t g = 0; g < count; g++) {
    uint32_t its = earlier[g].order ? earlier[g].order : default_order;
    if (its > earlier[g].params.count) its = (uint32_t)earlier[g].params.count;
    uint32_t inside = 0;
    for (uint32_t i = 0; i < set->order && its == order; i++) {
      inside += contains(earlier[g].params.items, earlier[g].params.count, set->columns[i]);
    }
    if (inside == set->order) return true;
  }
  return false;
}

/* All sets of a demand, in the order of an odometer. */
static int check_demand(eo_check *checker, const eo_check_demand *demand, const eo_pairwise_group *earlier,
                        size_t earlier_count, uint32_t default_order, eo_error *error) {
  uint32_t at[EO_PAIRWISE_MAX_ORDER];
  uint32_t order = demand->order;
  for (uint32_t i = 0; i < order; i++) at[i] = i;
  for (;;) {
    eo_check_set set = {.order = order};
    for (uint32_t i = 0; i < order; i++) set.columns[i] = demand->columns[at[i]];
    if (!left_out(checker, demand, &set) && !counted(earlier, earlier_count, order, default_order, &set)) {
      int code = check_set(checker, &set, error);
      if (code != EO_OK) return code;
    }
    uint32_t i = order;
    while (i > 0 && at[i - 1] == demand->count - order + i - 1) i--;
    if (i == 0) return EO_OK;
    at[i - 1]++;
    for (; i < order; i++) at[i] = at[i - 1] + 1;
  }
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static int check_groups(eo_check *checker, const eo_pairwise_group *groups, size_t count, uint32_t order,
                        eo_error *error) {
  int code = EO_OK;
  for (size_t g = 0; g < count && code == EO_OK; g++) {
    uint32_t members = (uint32_t)groups[g].params.count;
    eo_check_demand inside = {groups[g].params.items, members,
                              least(groups[g].order ? groups[g].order : order, members), EVERY};
    code = check_demand(checker, &inside, groups, g, order, error);
  }
  return code;
}

/* Parameters of different units with one another, and sub-models as such. */
static int check_units(eo_check *checker, uint32_t order, eo_error *error) {
  const eo_pairwise_model *model = checker->model;
  uint32_t params = (uint32_t)model->params.count, count = 0;
  uint32_t *units = eo__alloc((params + model->groups.count) * sizeof *units);
  if (!units) return eo__error_nomem(error);
  for (uint32_t p = 0; p < params; p++) {
    bool grouped = false;
    for (size_t g = 0; g < model->groups.count; g++) {
      grouped |= contains(model->groups.items[g].params.items, model->groups.items[g].params.count, p);
    }
    if (!grouped) units[count++] = p;
  }
  for (uint32_t g = 0; g < model->groups.count; g++) units[count++] = params + g;
  uint32_t together = least(order, count);
  eo_check_demand across = {checker->own, params, together, ACROSS}, whole = {units, count, together, UNITS};
  int code = check_demand(checker, &across, NULL, 0, 0, error);
  if (code == EO_OK) code = check_demand(checker, &whole, NULL, 0, 0, error);
  eo__free(units);
  return code;
}

static int check_all(eo_check *checker, uint32_t order, eo_error *error) {
  const eo_pairwise_model *model = checker->model;
  if (model->relations.count > 0) {
    return check_groups(checker, model->relations.items, model->relations.count, order, error);
  }
  if (model->groups.count > 0) {
    int code = check_groups(checker, model->groups.items, model->groups.count, order, error);
    return code == EO_OK ? check_units(checker, order, error) : code;
  }
  eo_check_demand all = {checker->own, (uint32_t)model->params.count, order, EVERY};
  return check_demand(checker, &all, NULL, 0, 0, error);
}

/* ---- All of it ---------------------------------------------------------------------------------------------------- */

static bool take_memory(eo_check *checker) {
  size_t params = checker->model->params.count, tests = (size_t)checker->count + 1;
  checker->columns = eo__alloc((params + checker->model->groups.count) * sizeof checker->columns[0]);
  checker->own = eo__alloc(params * sizeof checker->own[0]);
  checker->row = eo__alloc(params * sizeof checker->row[0]);
  checker->good = eo__alloc(tests * sizeof checker->good[0]);
  checker->needed = eo__alloc(tests * sizeof checker->needed[0]);
  checker->invalid = eo__alloc(tests * sizeof checker->invalid[0]);
  checker->listed = eo__alloc(tests * sizeof checker->listed[0]);
  return checker->columns && checker->own && checker->row && checker->good && checker->needed && checker->invalid &&
         checker->listed;
}

static void release_memory(eo_check *checker) {
  size_t params = checker->model->params.count;
  for (size_t g = 0; checker->columns && g < checker->model->groups.count; g++) {
    eo_vec_release(&checker->columns[params + g].rows);
  }
  eo__free(checker->columns);
  eo__free(checker->own);
  eo__free(checker->row);
  eo__free(checker->good);
  eo__free(checker->needed);
  eo__free(checker->invalid);
  eo__free(checker->listed);
  eo__free(checker->matrix);
  eo__free(checker->prefixes);
  eo__free(checker->once);
  eo__free(checker->twice);
}

static void conclude(eo_check *checker) {
  eo_pairwise_verdict *verdict = checker->verdict;
  for (uint32_t test = 0; test < checker->count; test++)
    verdict->unneeded += checker->good[test] && !checker->needed[test];
  if (checker->missing_more > 0) {
    eo__text_add(&verdict->missing, "and %llu more\n", (unsigned long long)checker->missing_more);
  }
  if (checker->problems_more > 0) {
    eo__text_add(&verdict->problems, "and %llu more\n", (unsigned long long)checker->problems_more);
  }
}

int eo__pairwise_check(const eo_pairwise_model *model, uint32_t order, const eo_pairwise_rows *rows,
                       eo_pairwise_verdict *verdict, eo_error *error) {
  memset(verdict, 0, sizeof *verdict);
  eo__text_init(&verdict->missing);
  eo__text_init(&verdict->problems);
  if (order < 1 || order > EO_PAIRWISE_MAX_ORDER || order > model->params.count) {
    return eo__error_set(
        error, EO_EINPUT, "an order of %u: it goes from 1 to %zu here", order,
        model->params.count < EO_PAIRWISE_MAX_ORDER ? model->params.count : (size_t)EO_PAIRWISE_MAX_ORDER);
  }
  EO_CHECK(rows->params == model->params.count);
  eo_check checker = {.model = model, .tests = rows, .count = eo_pairwise_rows_count(rows), .verdict = verdict};
  int code = eo__pairwise_search_init(&checker.search, model, error);
  if (code != EO_OK) return code;
  if (take_memory(&checker)) {
    for (uint32_t test = 0; test < checker.count; test++) check_test(&checker, test);
    list_tests(&checker);
    code = make_columns(&checker) ? check_all(&checker, order, error) : eo__error_nomem(error);
  } else {
    code = eo__error_nomem(error);
  }
  if (code == EO_OK) conclude(&checker);
  release_memory(&checker);
  eo__pairwise_search_release(&checker.search);
  if (code == EO_OK && (verdict->missing.failed || verdict->problems.failed)) code = eo__error_nomem(error);
  if (code != EO_OK) eo__pairwise_verdict_release(verdict);
  return code;
}

void eo__pairwise_verdict_release(eo_pairwise_verdict *verdict) {
  eo__text_release(&verdict->missing);
  eo__text_release(&verdict->problems);
}
