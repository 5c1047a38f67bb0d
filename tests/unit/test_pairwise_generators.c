/* test_pairwise_generators.c: the three generators of test sets. What they cover is counted here, by plain loops over
 * all combinations; what is possible is known by listing all valid tests. Sizes are upper bounds: the published ones of
 * Lei's dissertation, tables 4.3 to 4.5, and what `best` reaches in so many rounds. builds: release asan
 * takes: 6 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "pairwise/field.h"
#include "pairwise/system.h"

enum { MOST_PARAMS = 1024, MOST_VALID = 1024, MOST_RELATIONS = 3 };

/* ---- Systems ------------------------------------------------------------------------------------------------------ */

typedef struct subject {
  eo_pairwise_system system;
  uint16_t values[MOST_PARAMS];
  uint32_t params[MOST_RELATIONS][MOST_PARAMS];
  eo_pairwise_relation relations[MOST_RELATIONS];
  uint16_t valid[MOST_VALID][8]; /* all valid tests, where there are constraints */
  uint32_t valid_count;
} subject;

static bool possible(void *context, const uint16_t *row) {
  const subject *s = context;
  for (uint32_t r = 0; r < s->valid_count; r++) {
    uint32_t i = 0;
    while (i < s->system.params && (row[i] == EO_PAIRWISE_ANY || row[i] == s->valid[r][i])) i++;
    if (i == s->system.params) return true;
  }
  return false;
}

/* "4^15 3^17 2^29", all of it at one order. */
static subject *open_subject(const char *text, uint32_t order) {
  subject *s = calloc(1, sizeof *s);
  uint32_t count = 0;
  assert_non_null(s);
  while (*text) {
    char *end;
    long values = strtol(text, &end, 10), times = 1;
    if (*end == '^') times = strtol(end + 1, &end, 10);
    while (times-- > 0) s->values[count++] = (uint16_t)values;
    text = *end ? end + 1 : end;
  }
  for (uint32_t i = 0; i < count; i++) s->params[0][i] = i;
  s->relations[0] = (eo_pairwise_relation){s->params[0], count, order, EO_PAIRWISE_NO_PIVOT};
  s->system = (eo_pairwise_system){
      .params = count, .values = s->values, .relations = s->relations, .relation_count = 1, .context = s};
  return s;
}

/* ---- Counting ----------------------------------------------------------------------------------------------------- */

static bool covered(const eo_pairwise_rows *rows, const uint16_t *wanted) {
  for (uint32_t r = 0; r < eo_pairwise_rows_count(rows); r++) {
    const uint16_t *row = eo_pairwise_row(rows, r);
    uint32_t i = 0;
    while (i < rows->params && (wanted[i] == EO_PAIRWISE_ANY || wanted[i] == row[i])) i++;
    if (i == rows->params) return true;
  }
  return false;
}

/* Combinations of values from parameter `at` of the chosen ones on that are possible and in no row. */
static uint64_t missing_values(const subject *s, const eo_pairwise_rows *rows, const uint32_t *chosen, uint32_t order,
                               uint32_t at, uint16_t *wanted) {
  uint64_t missing = 0;
  if (at == order)
    return (!s->system.possible || s->system.possible(s->system.context, wanted)) && !covered(rows, wanted);
  for (uint32_t v = 0; v < s->values[chosen[at]]; v++) {
    wanted[chosen[at]] = (uint16_t)v;
    missing += missing_values(s, rows, chosen, order, at + 1, wanted);
  }
  wanted[chosen[at]] = EO_PAIRWISE_ANY;
  return missing;
}

/* Without constraints and with many rows: which combinations of the chosen parameters are in no row. */
static uint64_t missing_quickly(const subject *s, const eo_pairwise_rows *rows, const uint32_t *chosen,
                                uint32_t order) {
  size_t size = 1;
  for (uint32_t i = 0; i < order; i++) size *= s->values[chosen[i]];
  char *seen = calloc(size, 1);
  uint64_t missing = 0;
  for (uint32_t r = 0; r < eo_pairwise_rows_count(rows); r++) {
    const uint16_t *row = eo_pairwise_row(rows, r);
    size_t index = 0;
    uint32_t i = 0;
    for (; i < order && row[chosen[i]] != EO_PAIRWISE_ANY; i++) index = index * s->values[chosen[i]] + row[chosen[i]];
    if (i == order) seen[index] = 1;
  }
  for (size_t i = 0; i < size; i++) missing += !seen[i];
  free(seen);
  return missing;
}

static uint64_t missing_params(const subject *s, const eo_pairwise_rows *rows, const eo_pairwise_relation *relation,
                               uint32_t *chosen, uint32_t count, uint32_t from, uint16_t *wanted) {
  uint64_t missing = 0;
  if (count == relation->order) {
    bool pivot = relation->pivot == EO_PAIRWISE_NO_PIVOT;
    for (uint32_t i = 0; i < count; i++) pivot |= chosen[i] == relation->pivot;
    if (!pivot) return 0;
    return s->system.possible ? missing_values(s, rows, chosen, count, 0, wanted)
                              : missing_quickly(s, rows, chosen, count);
  }
  for (uint32_t i = from; i < relation->count; i++) {
    chosen[count] = relation->params[i];
    missing += missing_params(s, rows, relation, chosen, count + 1, i + 1, wanted);
  }
  return missing;
}

static uint64_t missing(const subject *s, const eo_pairwise_rows *rows) {
  uint16_t wanted[MOST_PARAMS];
  uint32_t chosen[EO_PAIRWISE_MAX_ORDER];
  uint64_t count = 0;
  memset(wanted, 0xff, sizeof wanted);
  for (uint32_t i = 0; i < s->system.relation_count; i++)
    count += missing_params(s, rows, &s->system.relations[i], chosen, 0, 0, wanted);
  return count;
}

static void check_rows(const subject *s, const eo_pairwise_rows *rows) {
  for (size_t i = 0; i < rows->values.count; i++)
    assert_true(rows->values.items[i] == EO_PAIRWISE_ANY || rows->values.items[i] < s->values[i % rows->params]);
  for (uint32_t r = 0; s->system.possible && r < eo_pairwise_rows_count(rows); r++)
    assert_true(s->system.possible(s->system.context, eo_pairwise_row(rows, r)));
  assert_int_equal(missing(s, rows), 0);
}

/* ---- Sizes -------------------------------------------------------------------------------------------------------- */

static const eo_pairwise_effort quick = {.seed = 1};

static eo_pairwise_effort rounds(uint64_t count) {
  return (eo_pairwise_effort){.seed = 1, .seconds = 1e6, .rounds = count};
}

static uint32_t size_of(eo_pairwise_algorithm *algorithm, eo_pairwise_effort effort, const char *text, uint32_t order) {
  subject *s = open_subject(text, order);
  eo_pairwise_rows rows;
  eo_error error = {0};
  eo__pairwise_rows_init(&rows, s->system.params);
  assert_int_equal(algorithm(&s->system, &effort, &rows, &error), EO_OK);
  check_rows(s, &rows);
  uint32_t size = eo_pairwise_rows_count(&rows);
  eo__pairwise_rows_release(&rows);
  free(s);
  return size;
}

typedef struct published {
  const char *text;
  uint32_t tests;
} published;

static const published six[] = {{"3^4", 9},          {"3^13", 17},  {"4^15 3^17 2^29", 34},
                                {"4 3^39 2^35", 26}, {"2^100", 15}, {"10^20", 212}};
static const uint32_t smallest[] = {9, 15, 29, 21, 10, 180};
static const published tables[] = {{"4^10", 31},   {"4^20", 34},   {"4^30", 41},   {"4^40", 42},
                                   {"4^50", 48},   {"4^60", 48},   {"4^70", 51},   {"4^80", 51},
                                   {"4^90", 51},   {"4^100", 53},  {"5^10", 47},   {"10^10", 169},
                                   {"15^10", 361}, {"20^10", 618}, {"25^10", 956}, {"30^10", 1355}};

/* Sizes are the same in every build; where each step takes long, a few are enough. */
#ifdef __SANITIZE_ADDRESS__
enum { TABLES = 1, SHARE = 20 };
#else
enum { TABLES = sizeof tables / sizeof *tables, SHARE = 1 };
#endif

static void test_ipo_sizes(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof six / sizeof *six; i++)
    assert_in_range(size_of(eo__pairwise_ipo, quick, six[i].text, 2), 1, six[i].tests + 2);
  for (size_t i = 0; i < TABLES; i++)
    assert_in_range(size_of(eo__pairwise_ipo, quick, tables[i].text, 2), 1, tables[i].tests * 104 / 100);
}

static void test_ipo_orders(void **state) {
  (void)state;
  assert_int_equal(size_of(eo__pairwise_ipo, quick, "5 3 4", 1), 5);
  assert_int_equal(size_of(eo__pairwise_ipo, quick, "5 3 4", 3), 60);
  assert_in_range(size_of(eo__pairwise_ipo, quick, "3^10", 3), 45, 80);
  assert_in_range(size_of(eo__pairwise_ipo, quick, "3^8", 4), 120, 250);
  assert_in_range(size_of(eo__pairwise_ipo, quick, "2^12", 5), 60, 160);
  assert_in_range(size_of(eo__pairwise_ipo, quick, "2^10", 6), 100, 300);
}

static void test_classes(void **state) {
  (void)state;
  assert_int_equal(size_of(eo__pairwise_ipo_ec, quick, "2 2 3", 2), 6); /* the example of section 4.4.1 */
  assert_int_equal(size_of(eo__pairwise_ipo_ec, quick, "3^4", 2), 9);
  assert_int_equal(size_of(eo__pairwise_ipo_ec, quick, "4^5", 2), 16);
  assert_in_range(size_of(eo__pairwise_ipo_ec, quick, "3^8", 2), 12, 17);
}

static void test_classes_refuse(void **state) {
  (void)state;
  const char *texts[] = {"6^8", "3^4"};
  for (uint32_t i = 0; i < 2; i++) {
    subject *s = open_subject(texts[i], 2 + i);
    eo_pairwise_rows rows;
    eo_error error = {0};
    eo__pairwise_rows_init(&rows, s->system.params);
    assert_int_equal(eo__pairwise_ipo_ec(&s->system, &quick, &rows, &error), EO_EINPUT);
    assert_non_null(strstr(error.text, "Use the algorithm 'ipo' or 'best'"));
    eo__pairwise_rows_release(&rows);
    free(s);
  }
}

static void test_best_quick(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof six / sizeof *six; i++)
    assert_in_range(size_of(eo__pairwise_best, quick, six[i].text, 2), 1, six[i].tests * 105 / 100);
  for (size_t i = 0; i < TABLES; i++)
    assert_in_range(size_of(eo__pairwise_best, quick, tables[i].text, 2), 1, tables[i].tests);
}

static void test_best_rounds(void **state) {
#ifdef __SANITIZE_ADDRESS__
  skip(); /* how far many rounds come is the same in every build, and takes long in this one */
#endif
  (void)state;
  for (size_t i = 0; i < sizeof six / sizeof *six; i++)
    assert_in_range(size_of(eo__pairwise_best, rounds(20), six[i].text, 2), 1, smallest[i]);
}

static void test_best_orders(void **state) {
  (void)state;
  assert_int_equal(size_of(eo__pairwise_best, quick, "5 3 4", 1), 5);
  assert_int_equal(size_of(eo__pairwise_best, quick, "5^6", 3), 125);
  assert_int_equal(size_of(eo__pairwise_best, quick, "5^6", 4), 625);
  assert_int_equal(size_of(eo__pairwise_best, quick, "5^6", 5), 3125);
  assert_int_equal(size_of(eo__pairwise_best, quick, "4^6", 3), 64); /* even q: one column more */
  assert_in_range(size_of(eo__pairwise_best, rounds(30), "3^10", 3), 45, 54);
  assert_in_range(size_of(eo__pairwise_best, quick, "4^10", 3), 64, 112);
  assert_in_range(size_of(eo__pairwise_best, rounds(3), "2^30", 3), 16, 27);
  assert_in_range(size_of(eo__pairwise_best, rounds(3), "4^2 3^4 2^4", 4), 144, 220);
  assert_in_range(size_of(eo__pairwise_best, rounds(3), "2^12", 6), 64, 240);
}

static void test_best_large(void **state) {
  (void)state;
  assert_in_range(size_of(eo__pairwise_best, quick, SHARE == 1 ? "4^1000" : "4^200", 2), 16, 70);
}

/* ---- Random systems ----------------------------------------------------------------------------------------------- */

static void list_valid(subject *s, eo_rng *rng) {
  uint32_t params = s->system.params, all = 1;
  uint16_t forbidden[6][8];
  uint32_t count = eo__rng_below(rng, 6);
  memset(forbidden, 0xff, sizeof forbidden);
  for (uint32_t i = 0; i < params; i++) all *= s->values[i];
  for (uint32_t f = 0; f < count; f++)
    for (uint32_t k = 0, n = 1 + eo__rng_below(rng, 3); k < n; k++) {
      uint32_t param = eo__rng_below(rng, params);
      forbidden[f][param] = (uint16_t)eo__rng_below(rng, s->values[param]);
    }
  s->valid_count = 0;
  for (uint32_t number = 0; number < all; number++) {
    uint16_t *row = s->valid[s->valid_count];
    bool valid = true;
    for (uint32_t i = 0, rest = number; i < params; rest /= s->values[i++]) row[i] = (uint16_t)(rest % s->values[i]);
    for (uint32_t f = 0; f < count && valid; f++) {
      valid = false;
      for (uint32_t i = 0; i < params; i++) valid |= forbidden[f][i] != EO_PAIRWISE_ANY && forbidden[f][i] != row[i];
    }
    s->valid_count += valid;
  }
  s->system.possible = possible;
}

static uint32_t random_relation(subject *s, uint32_t number, uint32_t most_order, eo_rng *rng) {
  uint32_t count = 0, *params = s->params[number];
  for (uint32_t i = 0; i < s->system.params; i++)
    if (number == 0 ? eo__rng_below(rng, 5) > 0 : eo__rng_below(rng, 2)) params[count++] = i;
  if (!count) params[count++] = eo__rng_below(rng, s->system.params);
  uint32_t order = 1 + eo__rng_below(rng, count < most_order ? count : most_order);
  uint32_t pivot = eo__rng_below(rng, 3) ? EO_PAIRWISE_NO_PIVOT : params[eo__rng_below(rng, count)];
  s->relations[number] = (eo_pairwise_relation){params, count, order, pivot};
  return order;
}

static subject *random_subject(eo_rng *rng, uint32_t most_order) {
  subject *s = open_subject("2", 1);
  uint32_t params = 2 + eo__rng_below(rng, 4), size = 1;
  for (uint32_t i = 0; i < params; i++) {
    do s->values[i] = (uint16_t)(1 + eo__rng_below(rng, 4));
    while (size * s->values[i] > MOST_VALID / 2);
    size *= s->values[i];
  }
  s->system.params = params;
  s->system.relation_count = 1 + eo__rng_below(rng, MOST_RELATIONS);
  for (uint32_t i = 0; i < s->system.relation_count; i++) random_relation(s, i, most_order, rng);
  if (eo__rng_below(rng, 4)) list_valid(s, rng);
  return s;
}

/* Parts of valid tests, or of any where all are. */
static void random_rows(const subject *s, eo_pairwise_rows *rows, eo_rng *rng) {
  uint16_t row[8];
  for (uint32_t n = eo__rng_below(rng, 4); n > 0; n--) {
    const uint16_t *from = s->valid_count ? s->valid[eo__rng_below(rng, s->valid_count)] : NULL;
    for (uint32_t i = 0; i < s->system.params; i++) {
      row[i] = from ? from[i] : (uint16_t)eo__rng_below(rng, s->values[i]);
      if (eo__rng_below(rng, 3) == 0) row[i] = EO_PAIRWISE_ANY;
    }
    assert_true(eo__pairwise_rows_add(rows, row));
  }
}

static void run_random(eo_pairwise_algorithm *algorithm, eo_pairwise_effort effort, uint32_t most_order,
                       uint32_t count) {
  eo_rng rng;
  eo__rng_init(&rng, 5);
  for (uint32_t n = 0; n < count; n++) {
    subject *s = random_subject(&rng, most_order);
    eo_pairwise_rows rows, given;
    eo_error error = {0};
    eo__pairwise_rows_init(&rows, s->system.params);
    eo__pairwise_rows_init(&given, s->system.params);
    if (!s->system.possible || s->valid_count) {
      random_rows(s, &given, &rng);
      for (uint32_t r = 0; r < eo_pairwise_rows_count(&given); r++)
        assert_true(eo__pairwise_rows_add(&rows, eo_pairwise_row(&given, r)));
      assert_int_equal(algorithm(&s->system, &effort, &rows, &error), EO_OK);
      assert_true(rows.values.count >= given.values.count);
      for (size_t i = 0; i < given.values.count; i++)
        assert_true(given.values.items[i] == EO_PAIRWISE_ANY || given.values.items[i] == rows.values.items[i]);
      check_rows(s, &rows);
    }
    eo__pairwise_rows_release(&rows);
    eo__pairwise_rows_release(&given);
    free(s);
  }
}

static void test_random_ipo(void **state) {
  (void)state;
  run_random(eo__pairwise_ipo, quick, 4, 1000 / SHARE);
}

static void test_random_classes(void **state) {
  (void)state;
  run_random(eo__pairwise_ipo_ec, quick, 2, 60);
}

static void test_random_best(void **state) {
  (void)state;
  run_random(eo__pairwise_best, quick, 4, 150 / SHARE);
  run_random(eo__pairwise_best, rounds(1), 4, 150 / SHARE);
}

/* ---- The rest ----------------------------------------------------------------------------------------------------- */

static void test_same_again(void **state) {
  (void)state;
  subject *s = open_subject("4^3 3^5 2^4", 2);
  eo_pairwise_rows first, second;
  eo_pairwise_effort effort = rounds(2);
  eo__pairwise_rows_init(&first, s->system.params);
  eo__pairwise_rows_init(&second, s->system.params);
  assert_int_equal(eo__pairwise_best(&s->system, &effort, &first, NULL), EO_OK);
  assert_int_equal(eo__pairwise_best(&s->system, &effort, &second, NULL), EO_OK);
  assert_int_equal(first.values.count, second.values.count);
  assert_memory_equal(first.values.items, second.values.items, first.values.count * sizeof(uint16_t));
  eo__pairwise_rows_release(&first);
  eo__pairwise_rows_release(&second);
  free(s);
}

static bool enough(void *context, uint32_t tests, double elapsed) {
  uint32_t *asked = context;
  assert_true(tests >= 100 && elapsed >= 0);
  return ++*asked < 3;
}

/* Without a bound on rounds and with ages of time, the search ends when it is told to. */
static void test_told_to_stop(void **state) {
  (void)state;
  uint32_t asked = 0;
  eo_pairwise_effort effort = {.seed = 1, .seconds = 1e6, .progress = enough, .context = &asked};
  subject *s = open_subject("10^13", 2);
  eo_pairwise_rows rows;
  eo__pairwise_rows_init(&rows, s->system.params);
  assert_int_equal(eo__pairwise_best(&s->system, &effort, &rows, NULL), EO_OK);
  check_rows(s, &rows);
  assert_int_equal(asked, 3);
  eo__pairwise_rows_release(&rows);
  free(s);
}

/* How often a value that is so heavy is in the tests, or could be. */
static uint32_t taken(eo_pairwise_algorithm *algorithm, uint32_t weight) {
  subject *s = open_subject("6 6 3 3 3 3", 2);
  uint32_t each[6] = {1, 1, weight, 1, 1, 1}, count = 0;
  const uint32_t *weights[6] = {each, each, each, each, each, each};
  eo_pairwise_rows rows;
  eo__pairwise_rows_init(&rows, 6);
  s->system.weights = weights;
  assert_int_equal(algorithm(&s->system, &quick, &rows, NULL), EO_OK);
  check_rows(s, &rows);
  for (size_t i = 0; i < rows.values.count; i++)
    count += i % 6 > 1 && (rows.values.items[i] == 2 || rows.values.items[i] == EO_PAIRWISE_ANY);
  eo__pairwise_rows_release(&rows);
  free(s);
  return count;
}

static void test_weights(void **state) {
  (void)state;
  assert_true(taken(eo__pairwise_ipo, 9) > taken(eo__pairwise_ipo, 1));
  assert_true(taken(eo__pairwise_best, 9) > taken(eo__pairwise_best, 1));
}

static void test_no_memory(void **state) {
  (void)state;
  eo_pairwise_algorithm *algorithms[] = {eo__pairwise_ipo, eo__pairwise_ipo_ec, eo__pairwise_best};
  const char *texts[] = {"3^5", "3^5", "5^7"};
  for (uint32_t a = 0; a < 3; a++) {
    int code = EO_ENOMEM;
    for (long budget = 0; code; budget++) {
      subject *s = open_subject(texts[a], 2);
      eo_pairwise_rows rows;
      eo_error error = {0};
      eo_pairwise_effort effort = rounds(1);
      eo__pairwise_rows_init(&rows, s->system.params);
      eo__alloc_budget = budget;
      code = algorithms[a](&s->system, &effort, &rows, &error);
      eo__alloc_budget = -1;
      assert_true(code == EO_OK || (code == EO_ENOMEM && error.code == EO_ENOMEM));
      if (!code) check_rows(s, &rows);
      eo__pairwise_rows_release(&rows);
      free(s);
    }
  }
}

static void test_fields(void **state) {
  (void)state;
  const uint32_t sizes[] = {2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 31, 32, 49};
  assert_int_equal(eo__field_size(1), 2);
  assert_int_equal(eo__field_size(6), 7);
  assert_int_equal(eo__field_size(24), 25);
  assert_int_equal(eo__field_size(EO__FIELD_MOST + 1), 0);
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
    eo__field f;
    uint32_t q = sizes[n];
    assert_true(eo__field_open(&f, q));
    for (uint32_t a = 0; a < q; a++) {
      uint32_t inverses = 0, negatives = 0;
      assert_int_equal(eo__field_sum(&f, a, 0), a);
      assert_int_equal(eo__field_product(&f, a, 1), a);
      for (uint32_t b = 0; b < q; b++) {
        negatives += eo__field_sum(&f, a, b) == 0;
        inverses += eo__field_product(&f, a, b) == 1;
        for (uint32_t c = 0; c < q; c++)
          assert_int_equal(eo__field_product(&f, a, eo__field_sum(&f, b, c)),
                           eo__field_sum(&f, eo__field_product(&f, a, b), eo__field_product(&f, a, c)));
      }
      assert_int_equal(negatives, 1);
      assert_int_equal(inverses, a != 0);
    }
    eo__field_close(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ipo_sizes),      cmocka_unit_test(test_ipo_orders),  cmocka_unit_test(test_classes),
      cmocka_unit_test(test_classes_refuse), cmocka_unit_test(test_best_quick),  cmocka_unit_test(test_best_rounds),
      cmocka_unit_test(test_best_orders),    cmocka_unit_test(test_best_large),  cmocka_unit_test(test_random_ipo),
      cmocka_unit_test(test_random_classes), cmocka_unit_test(test_random_best), cmocka_unit_test(test_same_again),
      cmocka_unit_test(test_told_to_stop),   cmocka_unit_test(test_weights),     cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_fields),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
