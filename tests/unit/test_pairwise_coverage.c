/* test_pairwise_coverage.c: what a local search knows of its rows, after any changes, against counting anew: the list of
 * what is not covered, and of each cell or row what it alone covers. And the sets of bits under it. builds: release asan */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "pairwise/coverage_triples.h"

enum {
  MOST_PARAMS = 70,
  MOST_ROWS = 80,
  MOST_VALUES = 5,
  SET_WORDS = MOST_PARAMS * MOST_VALUES / 64 + EO__BITS_VECTOR
};

typedef struct subject {
  uint32_t params, count, order;
  uint16_t values[MOST_PARAMS];
  uint32_t numbers[MOST_PARAMS];
  eo_pairwise_relation relation;
  eo_pairwise_system system;
  eo__coverage coverage;
  eo__coverage_rows rows;
  uint16_t row[MOST_ROWS][MOST_PARAMS];
  uint64_t having[MOST_PARAMS * MOST_VALUES * (MOST_ROWS / 64 + 1)];
  uint64_t sets[MOST_ROWS * SET_WORDS];
  uint32_t alone[MOST_ROWS * MOST_PARAMS];
} subject;

/* Value 0 of parameter 0 and value 0 of parameter 1 exclude each other. */
static bool possible(void *context, const uint16_t *row) {
  (void)context;
  return row[0] != 0 || row[1] != 0;
}

static void flip_set(subject *s, uint32_t r, uint32_t param, uint16_t value) {
  uint32_t number = s->coverage.base[param] + value;
  eo__coverage_set(&s->coverage, r)[number / 64] ^= UINT64_C(1) << number % 64;
}

static void set_having(subject *s, uint32_t r, uint32_t param, bool has) {
  uint64_t *word = eo__coverage_having(&s->coverage, param, s->row[r][param]) + r / 64;
  *word = has ? *word | UINT64_C(1) << r % 64 : *word & ~(UINT64_C(1) << r % 64);
}

static void draw_row(subject *s, eo_rng *rng, uint16_t *row) {
  for (uint32_t i = 0; i < s->params; i++) row[i] = (uint16_t)eo__rng_below(rng, s->values[i]);
  if (!possible(NULL, row)) row[0] = 1;
}

static subject *open_subject(eo_rng *rng, uint32_t params, uint32_t order) {
  eo_error error = {0};
  subject *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->params = params;
  s->order = order;
  s->count = 2 + eo__rng_below(rng, MOST_ROWS - 2);
  for (uint32_t i = 0; i < params; i++) {
    s->values[i] = (uint16_t)(1 + (i < 2) + eo__rng_below(rng, i < 2 ? MOST_VALUES - 1 : MOST_VALUES));
    s->numbers[i] = i;
  }
  s->relation = (eo_pairwise_relation){s->numbers, params, order, EO_PAIRWISE_NO_PIVOT};
  s->system = (eo_pairwise_system){
      .params = params, .values = s->values, .relations = &s->relation, .relation_count = 1, .possible = possible};
  assert_int_equal(eo__coverage_open(&s->coverage, &s->system, false, NULL, NULL, &error), 0);
  assert_int_equal(s->coverage.triples, order == 3);
  s->rows = (eo__coverage_rows){.words = s->count / 64 + 1, .having = s->having, .sets = s->sets, .alone = s->alone};
  if (s->coverage.triples) assert_true(eo__triples_open_rows(&s->coverage, &s->rows, s->count));
  s->coverage.rows = &s->rows;
  return s;
}

static void close_subject(subject *s) {
  eo__coverage_close(&s->coverage);
  eo__free(s->rows.planes);
  eo__free(s->rows.same);
  free(s);
}

static void put_row(subject *s, uint32_t r) {
  for (uint32_t i = 0; i < s->params; i++) flip_set(s, r, i, s->row[r][i]);
  eo__coverage_row(&s->coverage, s->row[r], r, 1);
  for (uint32_t i = 0; i < s->params; i++) set_having(s, r, i, true);
}

static bool has(const subject *s, uint32_t r, const eo__coverage_tuple *tuple) {
  uint32_t i = 0;
  while (i < tuple->order && s->row[r][tuple->params[i]] == tuple->values[i]) i++;
  return i == tuple->order;
}

static bool is_possible(const eo__coverage_tuple *tuple) {
  return tuple->params[0] != 0 || tuple->params[1] != 1 || tuple->values[0] != 0 || tuple->values[1] != 0;
}

/* The numbers of pairs are places in a matrix, of which only those above the diagonal stand for pairs. */
static bool is_number(const eo__coverage_tuple *tuple) {
  return tuple->order > 2 || tuple->params[0] < tuple->params[1];
}

/* All combinations, each looked for in all rows. */
static void check_all(const subject *s, uint32_t rows) {
  uint32_t missing = 0;
  uint32_t *alone = calloc((size_t)MOST_ROWS * MOST_PARAMS, sizeof *alone);
  for (uint32_t number = 0; number < s->coverage.size; number++) {
    eo__coverage_tuple tuple;
    uint32_t found = 0, last = 0, at = s->coverage.place[number];
    eo__coverage_tuple_of(&s->coverage, number, &tuple);
    if (!is_number(&tuple)) continue;
    for (uint32_t r = 0; r < rows; r++)
      if (is_possible(&tuple) && has(s, r, &tuple)) found++, last = r;
    bool listed = at < s->coverage.uncovered && s->coverage.list[at] == number;
    assert_int_equal(listed, is_possible(&tuple) && !found);
    missing += listed;
    for (uint32_t i = 0; found == 1 && i < tuple.order; i++) alone[last * s->params + tuple.params[i]]++;
  }
  assert_int_equal(missing, s->coverage.uncovered);
  for (uint32_t r = 0; r < rows; r++) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->params; i++) sum += alone[r * s->params + i];
    if (s->coverage.pairs) assert_int_equal(eo__coverage_alone(&s->coverage, s->row[r], r), sum / 2);
  }
  if (!s->coverage.pairs) assert_memory_equal(alone, s->alone, (size_t)rows * s->params * sizeof *alone);
  free(alone);
}

static void change_to(subject *s, uint32_t r, uint32_t param, uint16_t value) {
  if (value == s->row[r][param]) return;
  bool good = possible(NULL, s->row[r]);
  uint32_t uncovered = s->coverage.uncovered;
  uint16_t before = s->row[r][param];
  int32_t delta = eo__coverage_delta(&s->coverage, s->row[r], r, param, value);
  set_having(s, r, param, false);
  flip_set(s, r, param, before);
  flip_set(s, r, param, value);
  eo__coverage_change(&s->coverage, s->row[r], r, param, value);
  assert_int_equal(s->row[r][param], value);
  set_having(s, r, param, true);
  if (good && possible(NULL, s->row[r])) assert_int_equal((int32_t)(s->coverage.uncovered - uncovered), delta);
}

/* Now and then by way of a row that is impossible. */
static void change_one(subject *s, eo_rng *rng) {
  uint32_t r = eo__rng_below(rng, s->count), param = eo__rng_below(rng, s->params);
  change_to(s, r, param, (uint16_t)eo__rng_below(rng, s->values[param]));
  if (!possible(NULL, s->row[r])) change_to(s, r, eo__rng_below(rng, 2), 1);
}

/* The last row takes the place of another. */
static void drop_one(subject *s, eo_rng *rng) {
  uint32_t r = eo__rng_below(rng, s->count), last = s->count - 1;
  for (uint32_t i = 0; i < s->params; i++) set_having(s, r, i, false);
  eo__coverage_row(&s->coverage, s->row[r], r, -1);
  if (r != last) {
    for (uint32_t i = 0; i < s->params; i++) set_having(s, last, i, false);
    memcpy(s->row[r], s->row[last], sizeof s->row[r]);
    memcpy(eo__coverage_set(&s->coverage, r), eo__coverage_set(&s->coverage, last),
           s->coverage.words * sizeof *s->sets);
    memcpy(s->alone + (size_t)r * s->params, s->alone + (size_t)last * s->params, s->params * sizeof *s->alone);
    if (s->coverage.triples) eo__triples_copy(&s->coverage, r, last);
    for (uint32_t i = 0; i < s->params; i++) set_having(s, r, i, true);
  }
  s->count--;
}

static void check_subject(eo_rng *rng, uint32_t params, uint32_t order, uint32_t changes) {
  subject *s = open_subject(rng, params, order);
  for (uint32_t r = 0; r < s->count; r++) {
    draw_row(s, rng, s->row[r]);
    put_row(s, r);
  }
  check_all(s, s->count);
  for (uint32_t i = 0; i < changes; i++) change_one(s, rng);
  check_all(s, s->count);
  drop_one(s, rng);
  check_all(s, s->count);
  uint32_t wanted = 0;
  for (uint32_t number = 0; number < s->coverage.size; number++) {
    eo__coverage_tuple tuple;
    eo__coverage_tuple_of(&s->coverage, number, &tuple);
    wanted += is_number(&tuple) && is_possible(&tuple);
  }
  eo__coverage_clear(&s->coverage, s->row[0], 0);
  if (order < 4) assert_int_equal(s->coverage.uncovered, wanted);
  close_subject(s);
}

static void test_changes(void **state) {
  eo_rng rng;
  (void)state;
  eo__rng_init(&rng, 1);
  for (uint32_t i = 0; i < 60; i++) check_subject(&rng, 3 + eo__rng_below(&rng, 10), 3, 100);
  for (uint32_t i = 0; i < 60; i++) check_subject(&rng, 2 + eo__rng_below(&rng, 10), 2, 100);
  check_subject(&rng, 70, 2, 300);
  check_subject(&rng, 64, 3, 300);
  check_subject(&rng, 70, 3, 300);
  for (uint32_t i = 0; i < 10; i++) check_subject(&rng, 4 + eo__rng_below(&rng, 4), 4, 100);
}

/* ---- Sets of bits ------------------------------------------------------------------------------------------------- */

enum { SETS = 100, WORDS = 3 * EO__BITS_VECTOR };

static void check_bits(const eo__bits *bits, eo_rng *rng, uint32_t words, uint32_t from) {
  uint64_t sets[SETS * WORDS], selected[2], also[2], one[WORDS] = {0}, two[WORDS] = {0};
  for (uint32_t i = 0; i < SETS * words; i++)
    sets[i] = eo__rng_next(rng) & eo__rng_next(rng) & eo__rng_next(rng) & eo__rng_next(rng);
  for (uint32_t i = 0; i < 2; i++) {
    selected[i] = eo__rng_next(rng);
    also[i] = eo__rng_next(rng) & eo__rng_next(rng);
  }
  selected[1] &= (UINT64_C(1) << (SETS - 64)) - 1;
  bits->twice(sets, selected, also, 2, from, words, one, two);
  for (uint32_t k = from * 64; k < words * 64; k++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < SETS; i++)
      count += (selected[i / 64] & also[i / 64]) >> i % 64 & sets[i * words + k / 64] >> k % 64 & 1;
    assert_int_equal(two[k / 64] >> k % 64 & 1, count > 1);
    assert_int_equal(one[k / 64] >> k % 64 & 1, count > 0);
  }
  uint64_t same[WORDS];
  bits->alike(sets, sets + 3 * words, 3, words, same);
  for (uint32_t k = 0; k < words; k++)
    assert_true(same[k] == ~((sets[k] ^ sets[3 * words + k]) | (sets[words + k] ^ sets[4 * words + k]) |
                             (sets[2 * words + k] ^ sets[5 * words + k])));
}

static void test_bits(void **state) {
  eo_rng rng;
  (void)state;
  eo__rng_init(&rng, 1);
  for (uint32_t i = 0; i < 50; i++)
    for (uint32_t words = EO__BITS_VECTOR; words <= WORDS; words += EO__BITS_VECTOR) {
      check_bits(eo__bits_choose(), &rng, words, words - EO__BITS_VECTOR);
      check_bits(eo__bits_plain(), &rng, words, 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes), cmocka_unit_test(test_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
