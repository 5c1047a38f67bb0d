/* test_pairwise_models.c: random models, small enough to enumerate, with constraints, invalid values, weights, aliases,
 * sub-models and relations. What is to be covered is found here by looking at every row there is, with constraints
 * evaluated by the test itself; generator and checker must agree with it exactly.
 * timeout: 600
 * hunt: SEED */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "pairwise/check.h"
#include "pairwise/generate.h"

enum { MODELS = 300, PARAMS = 6, VALUES = 4, RULES = 4, GROUPS = 2, ROWS = 4096 };

/* What the text of the model says, for the test's own use. Value v of a parameter reads as the number v. */
typedef struct group {
  unsigned members; /* bits */
  uint32_t order;
} group;

typedef enum rule_kind { IMPLIES, DIFFERS, LESS, EXCLUDES, ONE_OF, IF_ELSE, RULE_KINDS } rule_kind;

typedef struct rule {
  rule_kind kind;
  uint32_t p, q;
  uint16_t a, b, c;
} rule;

typedef struct plan {
  eo_rng rng;
  uint32_t params;
  uint16_t values[PARAMS];
  int invalid[PARAMS]; /* the value that is; -1: none */
  rule rules[RULES];
  uint32_t rule_count;
  group groups[GROUPS], relations[GROUPS];
  uint32_t group_count, relation_count;
  uint32_t order;
  eo_text text;
  uint16_t rows[ROWS][PARAMS]; /* every row that is valid */
  uint32_t row_count;
} plan;

static uint32_t below(plan *m, uint32_t n) { return eo__rng_below(&m->rng, n); }

/* ---- Making models ------------------------------------------------------------------------------------------------ */

static void add_rule(plan *m) {
  rule r = {.kind = (rule_kind)below(m, RULE_KINDS), .p = below(m, m->params)};
  do r.q = below(m, m->params);
  while (r.q == r.p);
  r.a = (uint16_t)below(m, m->values[r.p]);
  r.b = (uint16_t)below(m, m->values[r.q]);
  r.c = (uint16_t)below(m, m->values[r.q]);
  eo_text *t = &m->text;
  switch (r.kind) {
    case IMPLIES: eo__text_add(t, "IF [P%u] = %u THEN [P%u] <> %u;\n", r.p, r.a, r.q, r.b); break;
    case DIFFERS: eo__text_add(t, "[P%u] <> [P%u];\n", r.p, r.q); break;
    case LESS: eo__text_add(t, "[P%u] >= %u OR [P%u] < %u ;\n", r.p, r.a, r.q, r.b + 1); break;
    case EXCLUDES: eo__text_add(t, "NOT ([P%u] = %u AND [P%u] = %u);\n", r.p, r.a, r.q, r.b); break;
    case ONE_OF: eo__text_add(t, "IF [P%u] <= %u THEN [P%u] IN {%u, %u};\n", r.p, r.a, r.q, r.b, r.c); break;
    case IF_ELSE:
      eo__text_add(t, "IF [P%u] = %u THEN [P%u] <= %u ELSE [P%u] >= %u;\n", r.p, r.a, r.q, r.b, r.q, r.c);
      break;
    case RULE_KINDS: break;
  }
  m->rules[m->rule_count++] = r;
}

static bool holds(const rule *r, const uint16_t *row) {
  uint16_t p = row[r->p], q = row[r->q];
  switch (r->kind) {
    case IMPLIES: return p != r->a || q != r->b;
    case DIFFERS: return p != q;
    case LESS: return p >= r->a || q < r->b + 1;
    case EXCLUDES: return !(p == r->a && q == r->b);
    case ONE_OF: return p > r->a || q == r->b || q == r->c;
    case IF_ELSE: return p == r->a ? q <= r->b : q >= r->c;
    case RULE_KINDS: break;
  }
  return false;
}

static uint32_t size_of(unsigned members) { return (uint32_t)__builtin_popcount(members); }

/* Two of the parameters or more, with or without an order. */
static group add_group(plan *m, const char *before) {
  group g = {0};
  while (size_of(g.members) < 2) g.members = below(m, 1u << m->params);
  g.order = below(m, 2) ? 1 + below(m, size_of(g.members) < 3 ? size_of(g.members) : 3) : 0;
  eo__text_add(&m->text, "%s{ ", before);
  bool first = true;
  for (uint32_t p = 0; p < m->params; p++) {
    if (!(g.members >> p & 1)) continue;
    eo__text_add(&m->text, "%sP%u", first ? "" : ", ", p);
    first = false;
  }
  eo__text_add(&m->text, " }");
  if (g.order) eo__text_add(&m->text, " @ %u", g.order);
  eo__text_add(&m->text, "\n");
  return g;
}

static void add_params(plan *m) {
  m->params = 3 + below(m, PARAMS - 2);
  for (uint32_t p = 0; p < m->params; p++) {
    m->values[p] = (uint16_t)(2 + below(m, VALUES - 1));
    m->invalid[p] = below(m, 4) == 0 ? (int)below(m, m->values[p]) : -1;
    eo__text_add(&m->text, "P%u: ", p);
    for (int v = 0; v < m->values[p]; v++) {
      eo__text_add(&m->text, "%s%s%d", v ? ", " : "", v == m->invalid[p] ? "~" : "", v);
      if (below(m, 6) == 0) eo__text_add(&m->text, " | %d%d", v, v + 5);
      if (below(m, 6) == 0) eo__text_add(&m->text, " (%u)", 2 + below(m, 9));
    }
    eo__text_add(&m->text, "\n");
  }
}

static bool valid(const plan *m, const uint16_t *row) {
  uint32_t invalids = 0;
  for (uint32_t p = 0; p < m->params; p++) invalids += row[p] == m->invalid[p];
  if (invalids > 1) return false;
  for (uint32_t i = 0; i < m->rule_count; i++)
    if (!holds(&m->rules[i], row)) return false;
  return true;
}

static void list_rows(plan *m) {
  uint16_t row[PARAMS] = {0};
  uint32_t p;
  do {
    if (valid(m, row)) memcpy(m->rows[m->row_count++], row, sizeof row);
    for (p = 0; p < m->params && ++row[p] == m->values[p]; p++) row[p] = 0;
  } while (p < m->params);
}

static void make_model(plan *m, uint64_t seed) {
  memset(m, 0, sizeof *m);
  eo__rng_init(&m->rng, seed);
  eo__text_init(&m->text);
  add_params(m);
  uint32_t kind = below(m, 3);
  eo__text_add(&m->text, "\n");
  if (kind == 1)
    for (uint32_t i = below(m, GROUPS) + 1; i > 0; i--) m->groups[m->group_count++] = add_group(m, "");
  if (kind == 2)
    for (uint32_t i = below(m, GROUPS) + 1; i > 0; i--) m->relations[m->relation_count++] = add_group(m, "relation ");
  eo__text_add(&m->text, "\n");
  for (uint32_t i = below(m, RULES + 1); i > 0; i--) add_rule(m);
  m->order = 1 + below(m, 3);
  list_rows(m);
}

/* ---- What is to be covered ------------------------------------------------------------------------------------------ */

/* `invalid`: the parameter whose value is; -1: none. A row with another invalid value does not count. */
static bool row_has(const plan *m, const uint16_t *row, unsigned params, const uint16_t *wanted) {
  for (uint32_t p = 0; p < m->params; p++) {
    if (params >> p & 1 && row[p] != wanted[p]) return false;
    if (!(params >> p & 1) && row[p] == m->invalid[p]) return false;
  }
  return true;
}

typedef struct count {
  uint64_t wanted, covered;
} count;

static bool any_has(const plan *m, const uint16_t *rows, size_t step, uint32_t row_count, unsigned params,
                    const uint16_t *wanted) {
  for (uint32_t i = 0; i < row_count; i++)
    if (row_has(m, rows + i * step, params, wanted)) return true;
  return false;
}

/* All values of these parameters. */
static void count_set(const plan *m, const eo_pairwise_rows *tests, unsigned params, count *c) {
  uint16_t wanted[PARAMS] = {0};
  uint32_t p;
  do {
    uint32_t invalids = 0;
    for (p = 0; p < m->params; p++) invalids += params >> p & 1 && wanted[p] == m->invalid[p];
    if (invalids <= 1 && any_has(m, m->rows[0], PARAMS, m->row_count, params, wanted)) {
      c->wanted++;
      c->covered += any_has(m, tests->values.items, tests->params, eo_pairwise_rows_count(tests), params, wanted);
    }
    for (p = 0; p < m->params; p++) {
      if (!(params >> p & 1)) continue;
      if (++wanted[p] < m->values[p]) break;
      wanted[p] = 0;
    }
  } while (p < m->params);
}

static uint32_t order_of(const plan *m, const group *g) {
  uint32_t order = g->order ? g->order : m->order;
  return order < size_of(g->members) ? order : size_of(g->members);
}

static bool share_group(const plan *m, unsigned params) {
  for (uint32_t g = 0; g < m->group_count; g++)
    if (size_of(params & m->groups[g].members) > 1) return true;
  return false;
}

static bool in_one_of(const plan *m, const group *groups, uint32_t n, unsigned params) {
  for (uint32_t g = 0; g < n; g++)
    if ((params & ~groups[g].members) == 0 && size_of(params) == order_of(m, &groups[g])) return true;
  return false;
}

/* Units: sub-models, as bits above those of the parameters, and parameters that are in none. */
static unsigned list_units(const plan *m) {
  unsigned grouped = 0, units = 0;
  for (uint32_t g = 0; g < m->group_count; g++) {
    grouped |= m->groups[g].members;
    units |= 1u << (PARAMS + g);
  }
  return units | (((1u << m->params) - 1) & ~grouped);
}

static unsigned members_of(const plan *m, unsigned units) {
  unsigned params = units & ((1u << PARAMS) - 1);
  for (uint32_t g = 0; g < m->group_count; g++)
    if (units >> (PARAMS + g) & 1) params |= m->groups[g].members;
  return params;
}

static bool has_invalid(const plan *m, const uint16_t *row) {
  for (uint32_t p = 0; p < m->params; p++)
    if (row[p] == m->invalid[p]) return true;
  return false;
}

/* Is this unit's part of the row also that of some test? Values of parameters always count. */
static bool unit_occurs(const plan *m, const eo_pairwise_rows *tests, uint32_t unit, const uint16_t *row) {
  if (unit < PARAMS) return true;
  for (uint32_t i = 0; i < eo_pairwise_rows_count(tests); i++) {
    const uint16_t *test = eo_pairwise_row(tests, i);
    bool same = !has_invalid(m, test);
    for (uint32_t p = 0; p < m->params; p++)
      same = same && (!(m->groups[unit - PARAMS].members >> p & 1) || test[p] == row[p]);
    if (same) return true;
  }
  return false;
}

/* Combinations of whole tests of sub-models, those that occur, with one another and with other parameters. */
static void count_units(const plan *m, const eo_pairwise_rows *tests, unsigned units, count *c) {
  unsigned params = members_of(m, units);
  for (uint32_t i = 0; i < m->row_count; i++) {
    bool counts = !has_invalid(m, m->rows[i]);
    for (uint32_t u = 0; counts && u < PARAMS + GROUPS; u++)
      counts = !(units >> u & 1) || unit_occurs(m, tests, u, m->rows[i]);
    for (uint32_t j = 0; counts && j < i; j++) /* the first row with these values stands for them */
      counts = has_invalid(m, m->rows[j]) || !row_has(m, m->rows[j], params, m->rows[i]);
    if (!counts) continue;
    c->wanted++;
    c->covered += any_has(m, tests->values.items, tests->params, eo_pairwise_rows_count(tests), params, m->rows[i]);
  }
}

static count count_all(const plan *m, const eo_pairwise_rows *tests) {
  count c = {0};
  unsigned units = list_units(m);
  uint32_t together = m->order < size_of(units) ? m->order : size_of(units);
  for (unsigned params = 1; params < 1u << m->params; params++) {
    bool wanted = m->relation_count ? in_one_of(m, m->relations, m->relation_count, params)
                  : m->group_count  ? in_one_of(m, m->groups, m->group_count, params)
                                    : size_of(params) == m->order;
    if (wanted) count_set(m, tests, params, &c);
    /* Counted once more where it is both: it is wanted for two reasons. */
    if (m->group_count && size_of(params) == together && !share_group(m, params)) count_set(m, tests, params, &c);
  }
  for (unsigned set = 1; m->group_count && set < 1u << (PARAMS + GROUPS); set++)
    if ((set & ~units) == 0 && size_of(set) == together && set >> PARAMS) count_units(m, tests, set, &c);
  return c;
}

/* ---- Comparing ---------------------------------------------------------------------------------------------------- */

static void check_tests(const plan *m, const eo_pairwise_model *model, const eo_pairwise_rows *tests,
                        const char *what) {
  eo_pairwise_verdict verdict;
  eo_error error = {0};
  for (uint32_t i = 0; i < eo_pairwise_rows_count(tests); i++)
    if (!valid(m, eo_pairwise_row(tests, i))) fail_msg("%s: row %u is not valid in\n%s", what, i + 1, m->text.chars);
  count c = count_all(m, tests);
  if (eo__pairwise_check(model, m->order, tests, &verdict, &error) != EO_OK) fail_msg("%s", error.text);
  if (c.covered < c.wanted || verdict.covered != c.covered || verdict.wanted != c.wanted || verdict.broken)
    fail_msg("%s, order %u: %llu of %llu covered; the checker says %llu of %llu, %u broken; missing\n%s%s\n%s", what,
             m->order, (unsigned long long)c.covered, (unsigned long long)c.wanted, (unsigned long long)verdict.covered,
             (unsigned long long)verdict.wanted, verdict.broken, verdict.missing.chars, verdict.problems.chars,
             m->text.chars);
  eo__pairwise_verdict_release(&verdict);
}

/* Without one of its rows a set says what is missing, exactly. */
static void check_without_a_row(plan *m, const eo_pairwise_model *model, const eo_pairwise_rows *tests) {
  eo_pairwise_rows fewer;
  eo_pairwise_verdict verdict;
  eo_error error = {0};
  if (eo_pairwise_rows_count(tests) < 2) return;
  eo__pairwise_rows_init(&fewer, tests->params);
  uint32_t without = below(m, eo_pairwise_rows_count(tests));
  for (uint32_t i = 0; i < eo_pairwise_rows_count(tests); i++)
    if (i != without) assert_true(eo__pairwise_rows_add(&fewer, eo_pairwise_row(tests, i)));
  count c = count_all(m, &fewer);
  assert_int_equal(eo__pairwise_check(model, m->order, &fewer, &verdict, &error), EO_OK);
  if (verdict.covered != c.covered || verdict.wanted != c.wanted)
    fail_msg("without row %u: %llu of %llu covered, the checker says %llu of %llu in\n%s", without + 1,
             (unsigned long long)c.covered, (unsigned long long)c.wanted, (unsigned long long)verdict.covered,
             (unsigned long long)verdict.wanted, m->text.chars);
  eo__pairwise_verdict_release(&verdict);
  eo__pairwise_rows_release(&fewer);
}

/* Where only those are kept that are needed, it does not matter how often each is there. */
static void check_needed(plan *m, const eo_pairwise_model *model, eo_pairwise_rows *some) {
  eo_pairwise_request request = {.order = m->order, .existing = some, .needed_only = true};
  eo_pairwise_result once, twice;
  eo_error error = {0};
  if (eo__pairwise_generate(model, &request, &once, &error) != EO_OK) fail_msg("%s", error.text);
  check_tests(m, model, &once.rows, "needed");
  uint32_t had = eo_pairwise_rows_count(some);
  assert_true(once.kept <= had);
  for (uint32_t i = 0; i < had; i++) {
    assert_true(eo__pairwise_rows_add(some, NULL));
    memcpy(eo_pairwise_row(some, had + i), eo_pairwise_row(some, i), some->params * sizeof(uint16_t));
  }
  if (eo__pairwise_generate(model, &request, &twice, &error) != EO_OK) fail_msg("%s", error.text);
  assert_int_equal(once.kept, twice.kept);
  assert_int_equal(once.rows.values.count, twice.rows.values.count);
  assert_memory_equal(once.rows.values.items, twice.rows.values.items, once.rows.values.count * sizeof(uint16_t));
  eo__pairwise_result_release(&once);
  eo__pairwise_result_release(&twice);
}

/* Some of the tests, with holes, are kept, in their places. */
static void check_existing(plan *m, const eo_pairwise_model *model, const eo_pairwise_rows *tests) {
  eo_pairwise_rows some;
  eo_pairwise_result result;
  eo_error error = {0};
  eo__pairwise_rows_init(&some, tests->params);
  for (uint32_t i = 0; i < eo_pairwise_rows_count(tests); i++) {
    if (below(m, 2)) continue;
    assert_true(eo__pairwise_rows_add(&some, eo_pairwise_row(tests, i)));
    uint32_t hole = below(m, m->params);
    uint16_t *value = &eo_pairwise_row(&some, eo_pairwise_rows_count(&some) - 1)[hole];
    /* Without its invalid value the rest of a test need not be valid. */
    if (below(m, 2) && !model->params.items[hole].values.items[*value].invalid) *value = EO_PAIRWISE_ANY;
  }
  eo_pairwise_request request = {.order = m->order, .existing = &some};
  if (eo__pairwise_generate(model, &request, &result, &error) != EO_OK) fail_msg("%s", error.text);
  assert_int_equal(result.kept, eo_pairwise_rows_count(&some));
  assert_string_equal(result.dropped.chars, "");
  for (uint32_t i = 0; i < result.kept; i++)
    for (uint32_t p = 0; p < m->params; p++) {
      uint16_t before = eo_pairwise_row(&some, i)[p];
      if (before != EO_PAIRWISE_ANY) assert_int_equal(before, eo_pairwise_row(&result.rows, i)[p]);
    }
  check_tests(m, model, &result.rows, "existing");
  eo__pairwise_result_release(&result);
  if (!model->groups.count) check_needed(m, model, &some);
  eo__pairwise_rows_release(&some);
}

static void check_enumeration(const plan *m, const eo_pairwise_model *model) {
  eo_pairwise_rows rows;
  eo_error error = {0};
  eo__pairwise_rows_init(&rows, m->params);
  assert_int_equal(eo__pairwise_enumerate(model, ROWS, &rows, &error), EO_OK);
  assert_int_equal(eo_pairwise_rows_count(&rows), m->row_count);
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&rows); i++) assert_true(valid(m, eo_pairwise_row(&rows, i)));
  eo__pairwise_rows_release(&rows);
}

static void check_default(plan *m, const eo_pairwise_model *model, uint64_t seed, uint32_t most) {
  eo_pairwise_request request = {.order = m->order, .effort = {.seed = seed}, .work = EO_PAIRWISE_WORK};
  eo_pairwise_result result;
  eo_error error = {0};
  if (eo__pairwise_generate(model, &request, &result, &error) != EO_OK) fail_msg("%s:\n%s", error.text, m->text.chars);
  check_tests(m, model, &result.rows, "default");
  if (eo_pairwise_rows_count(&result.rows) > most)
    fail_msg("%u tests by default, %u without a search in\n%s", eo_pairwise_rows_count(&result.rows), most,
             m->text.chars);
  eo__pairwise_result_release(&result);
}

/* With more and more rounds of search, and another seed for each model: never more tests than before, and all is covered.
 * Of sub-models that is so for the default, which looks at what is found without a search too. */
static void check_efforts(plan *m, const eo_pairwise_model *model, uint64_t seed) {
  static const uint64_t rounds[] = {0, 1, 4, 12};
  uint32_t quick = 0;
  uint32_t before = UINT32_MAX;
  for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
    eo_pairwise_request request = {.order = m->order,
                                   .effort = {.seed = seed, .rounds = rounds[i], .seconds = rounds[i] ? 1e6 : 0}};
    eo_pairwise_result result;
    eo_error error = {0};
    if (eo__pairwise_generate(model, &request, &result, &error) != EO_OK)
      fail_msg("%s:\n%s", error.text, m->text.chars);
    check_tests(m, model, &result.rows, "efforts");
    if (i == 0) quick = eo_pairwise_rows_count(&result.rows);
    if (!model->groups.count && eo_pairwise_rows_count(&result.rows) > before)
      fail_msg("%u tests with %llu rounds, %u with fewer in\n%s", eo_pairwise_rows_count(&result.rows),
               (unsigned long long)rounds[i], before, m->text.chars);
    before = eo_pairwise_rows_count(&result.rows);
    eo__pairwise_result_release(&result);
  }
  if (model->groups.count) check_default(m, model, seed, quick);
}

static void check_model(plan *m, const eo_pairwise_model *model, uint64_t seed) {
  static const char *const algorithms[] = {"best", "ipo"};
  eo_error error = {0};
  bool possible = false;
  for (uint32_t i = 0; i < m->row_count; i++) possible = possible || !has_invalid(m, m->rows[i]);
  for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
    eo_pairwise_request request = {.order = m->order, .algorithm = algorithms[a]};
    eo_pairwise_result result;
    int code = eo__pairwise_generate(model, &request, &result, &error);
    if (!possible) {
      assert_int_equal(code, EO_EINPUT);
      assert_non_null(strstr(error.text, "there is no valid test"));
      continue;
    }
    if (code != EO_OK) fail_msg("%s:\n%s", error.text, m->text.chars);
    check_tests(m, model, &result.rows, algorithms[a]);
    check_without_a_row(m, model, &result.rows);
    if (a == 0) check_existing(m, model, &result.rows);
    eo__pairwise_result_release(&result);
  }
  if (possible) check_efforts(m, model, seed);
  check_enumeration(m, model);
}

static uint64_t first_seed = 1;

static void random_models(void **state) {
  static plan m;
  uint32_t impossible = 0;
  (void)state;
  for (uint64_t seed = first_seed; seed < first_seed + MODELS; seed++) {
    eo_pairwise_model model;
    eo_error error = {0};
    make_model(&m, seed);
    if (eo__pairwise_model_read(&model, "model", m.text.chars, m.text.length, &eo__pairwise_pict, &error) != EO_OK)
      fail_msg("seed %llu: %s in\n%s", (unsigned long long)seed, error.text, m.text.chars);
    check_model(&m, &model, seed);
    impossible += m.row_count == 0;
    eo__pairwise_model_release(&model);
    eo__text_release(&m.text);
  }
  assert_true(impossible < MODELS / 4); /* else this tests nothing */
}

int main(int argc, char **argv) {
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
