/* test_params_alloc.c: from a model to tests, and from a test with parameters to its rows, with memory that ends at each
 * allocation in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <everyorder.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "pairwise/generate.h"
#include "registry/params.h"

static const char text[] =
    "A: 1, 2, 3 | three\nB: x, y (4), ~z\nC: 1, 2\nD: 1, 2, ~3\n\n{ A, C } @ 2\n\nIF [A] = 1 THEN [C] = 1;\n"
    "IF [D] = 2 THEN [B] <> \"y\";\n";

static eo_pairwise_model model;
static eo_pairwise_rows existing;

/* Fails at the first allocation, then at the second, and so on until it succeeds. */
static void fail_each(int (*work)(eo_error *error), long least) {
  long budget = 0;
  for (;; budget++) {
    eo_error error = {0};
    eo__alloc_budget = budget;
    int code = work(&error);
    eo__alloc_budget = -1;
    if (code == EO_OK) break;
    assert_int_equal(code, EO_ENOMEM);
    assert_int_equal(error.code, EO_ENOMEM);
  }
  assert_true(budget >= least);
}

static int generates(eo_error *error) {
  eo_pairwise_request request = {.order = 2, .algorithm = "ipo", .existing = &existing};
  eo_pairwise_result result;
  int code = eo__pairwise_generate(&model, &request, &result, error);
  if (code != EO_OK) return code;
  assert_int_equal(result.kept, 2);
  assert_non_null(strstr(result.dropped.chars, "row 2: it breaks IF [A] = 1 THEN [C] = 1; (line 8)"));
  eo__pairwise_result_release(&result);
  return EO_OK;
}

static int explains(eo_error *error) {
  eo_text why;
  eo__text_init(&why);
  int code = eo__pairwise_explain(&model, 2, &why, error);
  eo__text_release(&why);
  return code;
}

static int enumerates(eo_error *error) {
  eo_pairwise_rows rows;
  eo__pairwise_rows_init(&rows, 4);
  int code = eo__pairwise_enumerate(&model, 1000, &rows, error);
  eo__pairwise_rows_release(&rows);
  return code;
}

static void body(void) {}
static const char *const lines[] = {"clients: 1, 2 | two", "mode: a, b", "IF [mode] = \"b\" THEN [clients] = 1;", NULL};
static eo_test test = {"transfer", {"t.c", "transfer", 1, NULL}, body, NULL, lines, NULL};

static int makes_rows(eo_error *error) {
  eo_row_list list = {0};
  int code = eo__params_rows(&test, "all", &list, error);
  if (code == EO_OK) assert_int_equal(list.rows.count, 3);
  eo__row_list_release(&list);
  return code;
}

static int finds_a_row(eo_error *error) {
  eo_row *row = NULL;
  int code = eo__params_row(&test, "clients=two,mode=a", ',', &row, error);
  if (code == EO_OK) assert_string_equal(row->values[0], "two");
  eo__row_close(row);
  return code;
}

static int sets_a_parameter(eo_error *error) {
  bool set = eo_param_set("mode", "a") && eo_param_set("mode", "b");
  eo_param_set("mode", NULL);
  return set ? EO_OK : eo__error_nomem(error);
}

static void generating_survives(void **state) {
  static const uint16_t rows[][4] = {{1, 0, 1, 0}, {0, 0, 1, 0}, {2, EO_PAIRWISE_ANY, EO_PAIRWISE_ANY, 2}};
  (void)state;
  assert_int_equal(eo__pairwise_model_read(&model, "m", text, sizeof text - 1, &eo__pairwise_pict, NULL), EO_OK);
  eo__pairwise_rows_init(&existing, 4);
  for (int i = 0; i < 3; i++) assert_true(eo__pairwise_rows_add(&existing, rows[i]));
  fail_each(generates, 50);
  fail_each(explains, 10);
  fail_each(enumerates, 5);
  eo__pairwise_rows_release(&existing);
  eo__pairwise_model_release(&model);
}

static void rows_survive(void **state) {
  (void)state;
  fail_each(makes_rows, 30);
  fail_each(finds_a_row, 20);
  fail_each(sets_a_parameter, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(generating_survives), cmocka_unit_test(rows_survive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
