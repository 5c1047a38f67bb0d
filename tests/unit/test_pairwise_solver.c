/* test_pairwise_solver.c: can a row be completed, how, and if not why: against enumeration, on random models; and models
 * too large for that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "pairwise/check_search.h"
#include "pairwise/solver.h"
#include "pairwise/system.h"
#include "pairwise_random.h"

static void read_model(eo_pairwise_model *model, const char *text) {
  eo_error error = {0};
  int code = eo__pairwise_model_read(model, "m", text, strlen(text), &eo__pairwise_pict, &error);
  if (code != EO_OK) fail_msg("%s\n%s", error.text, text);
}

static eo_pairwise_solver *open_solver(const eo_pairwise_model *model) {
  eo_error error = {0};
  eo_pairwise_solver *solver = eo__pairwise_solver_open(model, &error);
  if (!solver) fail_msg("%s", error.text);
  return solver;
}

/* ---- Enumeration -------------------------------------------------------------------------------------------------- */

/* A row after another; false: that was the last. */
static bool next_row(const eo_pairwise_model *model, uint16_t *row, uint16_t extra) {
  for (size_t p = 0; p < model->params.count; p++) {
    if (++row[p] < model->params.items[p].values.count + extra) return true;
    row[p] = 0;
  }
  return false;
}

static unsigned count_invalid(const eo_pairwise_model *model, const uint16_t *row) {
  unsigned count = 0;
  for (size_t p = 0; p < model->params.count; p++) {
    if (row[p] != EO_PAIRWISE_ANY) count += model->params.items[p].values.items[row[p]].invalid;
  }
  return count;
}

static bool all_hold(const eo_pairwise_model *model, const uint16_t *row, const bool *left_out) {
  for (size_t c = 0; c < model->constraints.count; c++) {
    if (left_out && left_out[c]) continue;
    if (!eo__pairwise_constraint_holds(model, &model->constraints.items[c], row)) return false;
  }
  return true;
}

static bool completable(const eo_pairwise_model *model, const uint16_t *partial, unsigned invalids,
                        const bool *left_out) {
  uint16_t row[8] = {0};
  do {
    bool matches = true;
    for (size_t p = 0; p < model->params.count; p++) matches &= partial[p] == EO_PAIRWISE_ANY || partial[p] == row[p];
    if (matches && count_invalid(model, row) <= invalids && all_hold(model, row, left_out)) return true;
  } while (next_row(model, row, 0));
  return false;
}

/* ---- Against enumeration ------------------------------------------------------------------------------------------ */

static void check_complete(eo_pairwise_solver *solver, const eo_pairwise_model *model, const uint16_t *partial,
                           unsigned invalids, bool possible) {
  uint16_t row[8];
  memcpy(row, partial, sizeof row);
  assert_int_equal(eo__pairwise_solver_complete(solver, row, invalids), possible);
  for (size_t p = 0; p < model->params.count; p++) {
    if (!possible || partial[p] != EO_PAIRWISE_ANY) assert_int_equal(row[p], partial[p]);
  }
  if (!possible) return;
  assert_true(count_invalid(model, row) <= invalids);
  assert_true(all_hold(model, row, NULL));
}

static void check_explain(eo_pairwise_solver *solver, const eo_pairwise_model *model, const uint16_t *row,
                          unsigned invalids, const char *text) {
  uint32_t *clash, count;
  bool left_out[16];
  eo_error error = {0};
  assert_int_equal(eo__pairwise_solver_explain(solver, row, invalids, &clash, &count, &error), EO_OK);
  for (int i = 0; i < 16; i++) left_out[i] = true;
  for (uint32_t i = 0; i < count; i++) left_out[clash[i]] = false;
  if (count_invalid(model, row) > invalids) {
    assert_int_equal(count, 0);
  } else {
    if (completable(model, row, invalids, left_out)) fail_msg("these %u do not forbid it:\n%s", count, text);
    for (uint32_t i = 0; i < count; i++) {
      left_out[clash[i]] = true;
      if (!completable(model, row, invalids, left_out)) fail_msg("%u of %u is not needed:\n%s", clash[i], count, text);
      left_out[clash[i]] = false;
    }
  }
  eo__free(clash);
}

static void check_model(const char *text, uint32_t *impossible) {
  eo_pairwise_model model;
  read_model(&model, text);
  eo_pairwise_solver *solver = open_solver(&model);
  uint16_t row[8] = {0}, partial[8];
  do {
    for (size_t p = 0; p < model.params.count; p++) {
      partial[p] = row[p] < model.params.items[p].values.count ? row[p] : EO_PAIRWISE_ANY;
    }
    for (unsigned invalids = 0; invalids < 2; invalids++) {
      bool wanted = completable(&model, partial, invalids, NULL);
      bool is = eo__pairwise_solver_possible(solver, partial, invalids);
      if (is != wanted) fail_msg("possible is %d:\n%s", is, text);
      bool asked = (row[0] + row[1]) % 3 == 0; /* these are slow: for some only */
      if (asked) check_complete(solver, &model, partial, invalids, wanted);
      if (asked && !wanted) check_explain(solver, &model, partial, invalids, text);
      *impossible += !wanted;
    }
  } while (next_row(&model, row, 1));
  eo__pairwise_solver_close(solver);
  eo__pairwise_model_release(&model);
}

static void random_models(void **state) {
  (void)state;
  eo_rng rng;
  eo_text text;
  uint32_t impossible = 0;
  eo__text_init(&text);
  for (uint64_t seed = 0; seed < 300; seed++) {
    eo__rng_init(&rng, seed);
    eo__text_clear(&text);
    random_model(&rng, &text);
    check_model(text.chars, &impossible);
  }
  eo__text_release(&text);
  assert_true(impossible > 10000);
}

static void known_models(void **state) {
  (void)state;
  uint32_t impossible = 0;
  check_model("A: 1, 2\nB: 1, 2\n", &impossible);
  assert_int_equal(impossible, 0);
  check_model("A: 1, 2\nIsNegative();", &impossible);
  assert_int_equal(impossible, 6);
  /* Two components that both need an invalid value. */
  check_model("A: 1, ~2\nB: 1, ~2\nC: 1, 2\n[A] = 2;\n[B] = 2;\n", &impossible);
  check_model("A: 1, 2\nB: 1, 2\nC: 1, 2\n[A] <> [B];\n[B] <> [C];\n[A] <> [C];\n", &impossible);
  check_model("A: a, b, a*\nB: *, a?, b\n[A] LIKE [B];\n", &impossible);
}

static void prefers_the_heavy(void **state) {
  (void)state;
  eo_pairwise_model model;
  read_model(&model, "A: 1, 2 (5), 3\nB: x, y (2), ~z (9)\nC: 1, 2, 3 (2)\nIF [A] = 2 THEN [B] = \"x\";\n[C] <= 3;\n");
  eo_pairwise_solver *solver = open_solver(&model);
  uint16_t row[3] = {EO_PAIRWISE_ANY, EO_PAIRWISE_ANY, EO_PAIRWISE_ANY};
  assert_true(eo__pairwise_solver_complete(solver, row, 1));
  static const uint16_t wanted[3] = {1, 0, 2}, second[3] = {0, 2, 2};
  assert_memory_equal(row, wanted, sizeof row);
  row[0] = EO_PAIRWISE_ANY;
  row[1] = 2;
  assert_true(eo__pairwise_solver_complete(solver, row, 1));
  assert_memory_equal(row, second, sizeof row);
  assert_false(eo__pairwise_solver_possible(solver, row, 0));
  eo__pairwise_solver_close(solver);
  eo__pairwise_model_release(&model);
}

/* ---- Large models ------------------------------------------------------------------------------------------------- */

/* The shortest explanation of a contradiction among many constraints. */
static void finds_the_clash(void **state) {
  (void)state;
  eo_text text;
  eo__text_init(&text);
  for (int i = 0; i < 50; i++) eo__text_add(&text, "P%d: 1, 2, 3, 4\n", i);
  for (int i = 0; i + 1 < 50; i++) eo__text_add(&text, "[P%d] <= [P%d];\n", i, i + 1);
  eo__text_add(&text, "[P20] = 3;\n[P25] < 3;\n");
  eo_pairwise_model model;
  read_model(&model, text.chars);
  eo_pairwise_solver *solver = open_solver(&model);
  uint16_t row[50];
  for (int i = 0; i < 50; i++) row[i] = EO_PAIRWISE_ANY;
  assert_false(eo__pairwise_solver_possible(solver, row, 0));
  uint32_t *clash, count;
  assert_int_equal(eo__pairwise_solver_explain(solver, row, 0, &clash, &count, NULL), EO_OK);
  static const uint32_t wanted[] = {20, 21, 22, 23, 24, 49, 50};
  assert_int_equal(count, 7);
  assert_memory_equal(clash, wanted, sizeof wanted);
  eo__free(clash);
  eo__pairwise_solver_close(solver);
  eo__pairwise_model_release(&model);
  eo__text_release(&text);
}

/* Components too large for a table of answers, against the checker's search, which shares nothing with the solver but the
 * evaluation of constraints. */
static void large_components(void **state) {
  (void)state;
  enum { PARAMS = 14, VALUES = 4 };
  uint32_t impossible = 0, asked = 0;
  for (uint64_t seed = 0; seed < 40; seed++) {
    eo_rng rng;
    eo_text text;
    eo__rng_init(&rng, seed);
    eo__text_init(&text);
    for (int p = 0; p < PARAMS; p++) eo__text_add(&text, "P%d: 0, 1, 2, %s3\n", p, p % 5 == 0 ? "~" : "");
    for (int p = 0; p + 1 < PARAMS; p++) eo__text_add(&text, "[P%d] <> %u OR [P%d] <> %u;\n", p, p % 4u, p + 1, p % 3u);
    for (uint32_t c = 0; c < 40 + seed; c++) {
      uint32_t a = eo__rng_below(&rng, PARAMS), b = (a + 1 + eo__rng_below(&rng, PARAMS - 1)) % PARAMS;
      eo__text_add(&text, "IF [P%u] = %u THEN [P%u] <> %u AND [P%u] >= %u;\n", a, eo__rng_below(&rng, VALUES), b,
                   eo__rng_below(&rng, VALUES), (b + 1) % PARAMS, eo__rng_below(&rng, 2));
    }
    eo_pairwise_model model;
    eo_pairwise_search search;
    read_model(&model, text.chars);
    eo_pairwise_solver *solver = open_solver(&model);
    assert_int_equal(eo__pairwise_search_init(&search, &model, NULL), EO_OK);
    uint16_t row[PARAMS];
    for (int q = 0; q < 400; q++) {
      for (int p = 0; p < PARAMS; p++) {
        row[p] = eo__rng_below(&rng, 3) ? EO_PAIRWISE_ANY : (uint16_t)eo__rng_below(&rng, VALUES);
      }
      unsigned invalids = count_invalid(&model, row);
      if (invalids > 1) continue;
      bool wanted = eo__pairwise_search_completes(&search, row);
      assert_int_equal(eo__pairwise_solver_possible(solver, row, invalids), wanted);
      asked++;
      impossible += !wanted;
    }
    eo__pairwise_search_release(&search);
    eo__pairwise_solver_close(solver);
    eo__pairwise_model_release(&model);
    eo__text_release(&text);
  }
  print_message("%u questions, %u impossible\n", asked, impossible);
  assert_true(impossible > asked / 10 && impossible < asked * 9 / 10);
}

/* Latin squares: a component of 49 parameters, where every answer needs search. A row of them is a permutation. */
static void latin_squares(void **state) {
  (void)state;
  enum { N = 7 };
  eo_text text;
  eo__text_init(&text);
  for (int i = 0; i < N * N; i++) eo__text_add(&text, "P%d: 1, 2, 3, 4, 5, 6, 7\n", i);
  for (int i = 0; i < N * N; i++) {
    for (int j = 0; j < i; j++) {
      if (i / N == j / N || i % N == j % N) eo__text_add(&text, "[P%d] <> [P%d];\n", i, j);
    }
  }
  eo_pairwise_model model;
  read_model(&model, text.chars);
  eo_pairwise_solver *solver = open_solver(&model);
  uint16_t row[N * N];
  for (int i = 0; i < N * N; i++) row[i] = EO_PAIRWISE_ANY;
  /* A greedy filling never gets stuck if each step asks first. */
  eo_rng rng;
  eo__rng_init(&rng, 1);
  for (int i = 0; i < N * N; i++) {
    uint16_t start = (uint16_t)eo__rng_below(&rng, N), tried = 0;
    do row[i] = (uint16_t)((start + tried++) % N);
    while (tried <= N && !eo__pairwise_solver_possible(solver, row, 0));
    assert_true(tried <= N);
  }
  assert_true(all_hold(&model, row, NULL));
  eo__pairwise_solver_close(solver);
  eo__pairwise_model_release(&model);
  eo__text_release(&text);
}

/* Questions that differ in one place, as generators ask them. Loose bounds: this notices a change by a factor, not by a
 * tenth. */
static void is_quick(void **state) {
  (void)state;
  eo_text text;
  eo__text_init(&text);
  for (int i = 0; i < 100; i++) eo__text_add(&text, "P%d: 1, 2, 3, 4\n", i);
  for (int i = 0; i < 99; i += 3)
    eo__text_add(&text, "IF [P%d] = 1 THEN [P%d] <> 2 AND [P%d] <> 3;\n", i, i + 1, i + 2);
  eo_pairwise_model model;
  read_model(&model, text.chars);
  eo_pairwise_solver *solver = open_solver(&model);
  eo_rng rng;
  eo__rng_init(&rng, 1);
  uint16_t row[100];
  for (int i = 0; i < 100; i++) row[i] = EO_PAIRWISE_ANY;
  double start = eo__seconds();
  uint32_t yes = 0, asked = 200000;
  for (uint32_t i = 0; i < asked; i++) {
    uint32_t p = eo__rng_below(&rng, 100);
    uint16_t old = row[p];
    row[p] = (uint16_t)eo__rng_below(&rng, 4);
    if (eo__pairwise_solver_possible(solver, row, 0)) {
      yes++;
    } else {
      row[p] = old;
    }
  }
  double took = eo__seconds() - start;
  print_message("%u questions, %u yes, %.0f ns each\n", asked, yes, took / asked * 1e9);
  assert_true(yes > asked / 2 && yes < asked);
  assert_true(took < 20);
  eo__pairwise_solver_close(solver);
  eo__pairwise_model_release(&model);
  eo__text_release(&text);
}

static void many_values(void **state) {
  (void)state;
  eo_text text;
  eo__text_init(&text);
  for (int p = 0; p < 3; p++) {
    eo__text_add(&text, "P%d: 0", p);
    for (int v = 1; v < 1000; v++) eo__text_add(&text, ", %d", v);
    eo__text_add(&text, "\n");
  }
  eo__text_add(&text, "[P0] < [P1]; [P1] < [P2];");
  eo_pairwise_model model;
  read_model(&model, text.chars);
  eo_pairwise_solver *solver = open_solver(&model);
  uint16_t row[3] = {500, EO_PAIRWISE_ANY, 502};
  assert_true(eo__pairwise_solver_complete(solver, row, 0));
  assert_int_equal(row[1], 501);
  row[1] = EO_PAIRWISE_ANY;
  row[2] = 501;
  assert_false(eo__pairwise_solver_possible(solver, row, 0));
  eo__pairwise_solver_close(solver);
  eo__pairwise_model_release(&model);
  eo__text_release(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_models),    cmocka_unit_test(random_models),    cmocka_unit_test(prefers_the_heavy),
      cmocka_unit_test(finds_the_clash), cmocka_unit_test(large_components), cmocka_unit_test(latin_squares),
      cmocka_unit_test(is_quick),        cmocka_unit_test(many_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
