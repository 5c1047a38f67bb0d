/* test_pairwise_check.c: the checker against counting by hand and against enumeration, on random models and random sets
 * of tests.
 * valgrind: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "pairwise/check.h"
#include "pairwise_random.h"

static void read_model(eo_pairwise_model *model, const char *text) {
  eo_error error = {0};
  int code = eo__pairwise_model_read(model, "m", text, strlen(text), &eo__pairwise_pict, &error);
  if (code != EO_OK) fail_msg("%s\n%s", error.text, text);
}

/* Rows as digits: "00 01"; - is no value. */
static void read_rows(eo_pairwise_rows *rows, const eo_pairwise_model *model, const char *digits) {
  uint16_t row[16];
  eo__pairwise_rows_init(rows, (uint32_t)model->params.count);
  while (*digits) {
    for (size_t p = 0; p < model->params.count; p++, digits++) {
      row[p] = *digits == '-' ? EO_PAIRWISE_ANY : (uint16_t)(*digits - '0');
    }
    assert_true(eo__pairwise_rows_add(rows, row));
    digits += *digits == ' ';
  }
}

typedef struct counts {
  uint64_t wanted, covered, impossible;
  uint32_t broken, unneeded;
  const char *missing, *problems;
} counts;

static void expect(const char *text, uint32_t order, const char *digits, counts expected) {
  eo_pairwise_model model;
  eo_pairwise_rows rows;
  eo_pairwise_verdict verdict;
  eo_error error = {0};
  read_model(&model, text);
  read_rows(&rows, &model, digits);
  if (eo__pairwise_check(&model, order, &rows, &verdict, &error) != EO_OK) fail_msg("%s", error.text);
  assert_string_equal(verdict.missing.chars, expected.missing);
  assert_string_equal(verdict.problems.chars, expected.problems);
  assert_int_equal(verdict.wanted, expected.wanted);
  assert_int_equal(verdict.covered, expected.covered);
  assert_int_equal(verdict.impossible, expected.impossible);
  assert_int_equal(verdict.broken, expected.broken);
  assert_int_equal(verdict.unneeded, expected.unneeded);
  eo__pairwise_verdict_release(&verdict);
  eo__pairwise_rows_release(&rows);
  eo__pairwise_model_release(&model);
}

/* ---- By hand ------------------------------------------------------------------------------------------------------ */

static void plain(void **state) {
  (void)state;
  const char *cube = "A: a, b\nB: c, d\nC: e, f\n";
  expect(cube, 2, "000 011 101 110", (counts){12, 12, 0, 0, 0, "", ""});
  expect(cube, 2, "000 011 101 110 111", (counts){12, 12, 0, 0, 1, "", ""});
  expect(cube, 2, "000 011 101", (counts){12, 9, 0, 0, 0, "A: b, B: d\nA: b, C: e\nB: d, C: e\n", ""});
  expect(cube, 1, "000 111", (counts){6, 6, 0, 0, 0, "", ""});
  expect(cube, 1, "000 111 111", (counts){6, 6, 0, 0, 2, "", ""});
  expect(cube, 3, "000 001 010 011 100 101 110", (counts){8, 7, 0, 0, 0, "A: b, B: d, C: f\n", ""});
  expect(cube, 2, "000 0-1 901",
         (counts){12, 3, 0, 2, 0,
                  "A: a, B: d\nA: b, B: c\nA: b, B: d\nA: a, C: f\nA: b, C: e\nA: b, C: f\nB: c, C: f\nB: d, C: "
                  "e\nB: d, C: f\n",
                  "test 2 has no value of B\ntest 3 has no value of A\n"});
}

static void with_constraints(void **state) {
  (void)state;
  const char *model = "A: 1, 2\nB: 1, 2\nC: 1, 2\n[A] <> [B];\nIF [B] = 1 THEN [C] = 1;\n";
  /* B 2 has A 1; B 1 has A 2, C 1. */
  expect(model, 2, "010 011 100", (counts){8, 8, 4, 0, 0, "", ""});
  expect(model, 2, "010 100 101 000",
         (counts){8, 6, 4, 2, 0, "A: 1, C: 2\nB: 2, C: 2\n",
                  "test 3 breaks IF [B] = 1 THEN [C] = 1;\ntest 4 breaks [A] <> [B];\n"});
  expect("A: 1, 2\nB: 1, 2\n[A] = 1;\n[A] = 2;", 2, "", (counts){0, 0, 4, 0, 0, "", ""});
  expect("A: 1, 2\nB: 1, 2\nIsNegative() AND [A] = 1;", 2, "", (counts){0, 0, 4, 0, 0, "", ""});
}

static void invalid_values(void **state) {
  (void)state;
  const char *model = "A: ~-1, 0\nB: ~-1, 0, 1\n";
  /* 2 valid pairs, 2 with A invalid, 1 with B invalid, 1 with both. */
  expect(model, 2, "11 12 01 02 10", (counts){5, 5, 1, 0, 0, "", ""});
  expect(model, 2, "11 12 01 02 00",
         (counts){5, 4, 1, 1, 0, "A: 0, B: ~-1\n", "test 5 has more than one invalid value: that of B\n"});
  /* A pair of valid values counts only in a test without invalid ones. */
  expect("A: 1, ~2\nB: 1\nC: 1\n", 2, "100", (counts){5, 2, 0, 0, 0, "A: 1, B: 1\nA: 1, C: 1\nB: 1, C: 1\n", ""});
  expect("A: 1, ~2\nB: 1\nC: 1\n", 2, "100 000", (counts){5, 5, 0, 0, 0, "", ""});
}

static void relations(void **state) {
  (void)state;
  const char *model = "A: 1, 2\nB: 1, 2\nC: 1, 2\nrelation { A, B }\nrelation { A, B } @ 1\nrelation { B, A } @ 2\n";
  expect(model, 2, "000 010 100 110", (counts){8, 8, 0, 0, 0, "", ""}); /* four pairs and four values */
  expect("A: 1, 2\nB: 1, 2\nC: 1, 2\nrelation { A, B, C } @ 3\nrelation { A, C }\n", 2, "000",
         (counts){12, 2, 0, 0, 0,
                  "A: 1, B: 1, C: 2\nA: 1, B: 2, C: 1\nA: 1, B: 2, C: 2\nA: 2, B: 1, C: 1\nA: 2, B: 1, C: 2\nA: 2, B: "
                  "2, C: 1\nA: 2, B: 2, C: 2\nA: 1, C: 2\nA: 2, C: 1\nA: 2, C: 2\n",
                  ""});
}

static void sub_models(void **state) {
  (void)state;
  const char *model = "A: 1, 2\nB: 1, 2\nC: 1, 2\n{ A, B } @ 1\n";
  /* In the group each value; across it A-C and B-C, 8 pairs; and each of the group's rows, here two, with each of C. */
  expect(model, 2, "000 001 110 111", (counts){16, 16, 0, 0, 0, "", ""});
  /* A third row of the group has to be combined with both values of C as well. */
  expect(model, 2, "000 001 110 111 100", (counts){18, 17, 0, 0, 0, "A: 2, B: 1, C: 2\n", ""});
  /* Unless the constraints forbid it. */
  expect("A: 1, 2\nB: 1, 2\nC: 1, 2\n{ A, B } @ 1\nIF [A] = 2 AND [B] = 1 THEN [C] = 1;\n", 2, "000 001 110 111 100",
         (counts){17, 17, 1, 0, 0, "", ""});
  /* Two groups and an order above the number of units. */
  expect("A: 1, 2\nB: 1, 2\nC: 1, 2\nD: 1\n{ A, B } @ 2\n{ C, D }\n", 3, "0000 0100 1000 1100 0010 0110 1010 1110",
         (counts){4 + 2 + 8 + 4 + 8, 26, 0, 0, 0, "", ""});
}

static void refuses(void **state) {
  (void)state;
  eo_pairwise_model model;
  eo_pairwise_rows rows;
  eo_pairwise_verdict verdict;
  eo_error error = {0};
  read_model(&model, "A: 1\nB: 1\n");
  read_rows(&rows, &model, "00");
  assert_int_equal(eo__pairwise_check(&model, 3, &rows, &verdict, &error), EO_EINPUT);
  assert_string_equal(error.text, "an order of 3: it goes from 1 to 2 here");
  assert_int_equal(eo__pairwise_check(&model, 0, &rows, &verdict, NULL), EO_EINPUT);
  eo__pairwise_rows_release(&rows);
  eo__pairwise_model_release(&model);
}

/* ---- Against enumeration ------------------------------------------------------------------------------------------ */

enum { MOST_ROWS = 5000, PARAMS = 8 };

typedef struct enumeration {
  const eo_pairwise_model *model;
  uint32_t order;
  uint16_t rows[MOST_ROWS][PARAMS]; /* all tests there can be, with at most one invalid value */
  uint32_t count;
  bool chosen[MOST_ROWS];
} enumeration;

static unsigned count_invalid(const eo_pairwise_model *model, const uint16_t *row) {
  unsigned count = 0;
  for (size_t p = 0; p < model->params.count; p++) {
    if (row[p] != EO_PAIRWISE_ANY) count += model->params.items[p].values.items[row[p]].invalid;
  }
  return count;
}

static bool next_row(const eo_pairwise_model *model, uint16_t *row) {
  for (size_t p = 0; p < model->params.count; p++) {
    if (++row[p] < model->params.items[p].values.count) return true;
    row[p] = 0;
  }
  return false;
}

static void enumerate(enumeration *all, const eo_pairwise_model *model) {
  uint16_t row[PARAMS] = {0};
  all->model = model;
  all->count = 0;
  do {
    bool good = count_invalid(model, row) <= 1;
    for (size_t c = 0; c < model->constraints.count; c++) {
      good &= eo__pairwise_constraint_holds(model, &model->constraints.items[c], row);
    }
    if (good) memcpy(all->rows[all->count++], row, sizeof row);
  } while (next_row(model, row));
}

static bool has(const enumeration *all, const uint16_t *partial, bool chosen_only) {
  unsigned invalid = count_invalid(all->model, partial);
  for (uint32_t r = 0; r < all->count; r++) {
    if (chosen_only && !all->chosen[r]) continue;
    bool same = count_invalid(all->model, all->rows[r]) == invalid;
    for (size_t p = 0; p < all->model->params.count && same; p++) {
      same = partial[p] == EO_PAIRWISE_ANY || partial[p] == all->rows[r][p];
    }
    if (same) return true;
  }
  return false;
}

/* All combinations of `order` values: a partial row has so many values. */
static void count_all(const enumeration *all, counts *expected) {
  const eo_pairwise_model *model = all->model;
  uint16_t row[PARAMS] = {0}, partial[PARAMS];
  for (;;) {
    uint32_t chosen = 0;
    for (size_t p = 0; p < model->params.count; p++) {
      bool any = row[p] == model->params.items[p].values.count;
      chosen += !any;
      partial[p] = any ? EO_PAIRWISE_ANY : row[p];
    }
    if (chosen == all->order) {
      if (count_invalid(model, partial) > 1 || !has(all, partial, false)) {
        expected->impossible++;
      } else {
        expected->wanted++;
        expected->covered += has(all, partial, true);
      }
    }
    size_t p = 0;
    while (p < model->params.count && row[p] == model->params.items[p].values.count) row[p++] = 0;
    if (p == model->params.count) return;
    row[p]++;
  }
}

static uint32_t count_unneeded(enumeration *all, const counts *whole) {
  uint32_t unneeded = 0;
  for (uint32_t r = 0; r < all->count; r++) {
    if (!all->chosen[r]) continue;
    counts without = {0};
    all->chosen[r] = false;
    count_all(all, &without);
    all->chosen[r] = true;
    unneeded += without.covered == whole->covered;
  }
  return unneeded;
}

static void random_models(void **state) {
  (void)state;
  static enumeration all;
  eo_rng rng;
  eo_text text;
  eo__text_init(&text);
  uint64_t impossible = 0, missing = 0;
  for (uint64_t seed = 1000; seed < 1200; seed++) {
    eo__rng_init(&rng, seed);
    eo__text_clear(&text);
    random_model(&rng, &text);
    eo_pairwise_model model;
    eo_pairwise_rows rows;
    eo_pairwise_verdict verdict;
    read_model(&model, text.chars);
    enumerate(&all, &model);
    all.order = 1 + eo__rng_below(&rng, model.params.count < 3 ? (uint32_t)model.params.count : 3);
    eo__pairwise_rows_init(&rows, (uint32_t)model.params.count);
    uint32_t share = 1 + eo__rng_below(&rng, all.count / 10 + 2), chosen = 0;
    for (uint32_t r = 0; r < all.count; r++) {
      all.chosen[r] = eo__rng_below(&rng, share) == 0;
      chosen += all.chosen[r];
      if (all.chosen[r]) assert_true(eo__pairwise_rows_add(&rows, all.rows[r]));
    }
    counts expected = {0};
    count_all(&all, &expected);
    assert_int_equal(eo__pairwise_check(&model, all.order, &rows, &verdict, NULL), EO_OK);
    if (verdict.wanted != expected.wanted || verdict.covered != expected.covered ||
        verdict.impossible != expected.impossible || verdict.broken != 0) {
      fail_msg("%lu/%lu/%lu instead of %lu/%lu/%lu:\n%s", verdict.wanted, verdict.covered, verdict.impossible,
               expected.wanted, expected.covered, expected.impossible, text.chars);
    }
    if (chosen < 30) assert_int_equal(verdict.unneeded, count_unneeded(&all, &expected));
    impossible += verdict.impossible;
    missing += verdict.wanted - verdict.covered;
    eo__pairwise_verdict_release(&verdict);
    eo__pairwise_rows_release(&rows);
    eo__pairwise_model_release(&model);
  }
  eo__text_release(&text);
  assert_true(impossible > 1000 && missing > 1000);
}

/* Large ones: all counts known beforehand. */
static void large(void **state) {
  (void)state;
  eo_text text;
  eo__text_init(&text);
  for (int i = 0; i < 100; i++) eo__text_add(&text, "P%d: 1, 2, 3, 4\n", i);
  for (int i = 0; i < 99; i += 3) eo__text_add(&text, "IF [P%d] = 1 THEN [P%d] <> 2;\n", i, i + 1);
  eo_pairwise_model model;
  eo_pairwise_rows rows;
  eo_pairwise_verdict verdict;
  read_model(&model, text.chars);
  eo__pairwise_rows_init(&rows, 100);
  uint16_t row[100];
  for (uint16_t v = 0; v < 4; v++) {
    for (int i = 0; i < 100; i++) row[i] = v;
    assert_true(eo__pairwise_rows_add(&rows, row));
  }
  assert_int_equal(eo__pairwise_check(&model, 2, &rows, &verdict, NULL), EO_OK);
  assert_int_equal(verdict.impossible, 33);
  assert_int_equal(verdict.wanted, 79200 - 33);
  assert_int_equal(verdict.covered, 4950 * 4);
  const char *end = "and 59267 more\n";
  assert_string_equal(verdict.missing.chars + verdict.missing.length - strlen(end), end);
  eo__pairwise_verdict_release(&verdict);
  eo__pairwise_rows_release(&rows);
  eo__pairwise_model_release(&model);
  eo__text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain),     cmocka_unit_test(with_constraints), cmocka_unit_test(invalid_values),
      cmocka_unit_test(relations), cmocka_unit_test(sub_models),       cmocka_unit_test(refuses),
      cmocka_unit_test(large),     cmocka_unit_test(random_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
