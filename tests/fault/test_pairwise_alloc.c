/* test_pairwise_alloc.c: memory runs out at every allocation of pairwise in turn: reading models and tests, the solver, the
 * checker, writing. As in test_alloc.c: each says EO_ENOMEM and leaks nothing, which the sanitizers' build sees. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <string.h>

#include "base/alloc.h"
#include "pairwise/check.h"
#include "pairwise/model.h"
#include "pairwise/solver.h"
#include "pairwise/tests_file.h"

typedef int operation(eo_error *error);

static long count_allocations(operation *run) {
  eo_error error = {0};
  eo__alloc_budget = LONG_MAX;
  int code = run(&error);
  long count = LONG_MAX - eo__alloc_budget;
  eo__alloc_budget = -1;
  if (code != EO_OK) fail_msg("with all memory there is: %s", error.text);
  return count;
}

static void fail_each(operation *run, long at_least) {
  long count = count_allocations(run);
  assert_int_equal(count_allocations(run), count);
  assert_true(count >= at_least);
  for (long n = 0; n <= count; n++) {
    eo_error error = {0};
    eo__alloc_budget = n;
    int code = run(&error);
    eo__alloc_budget = -1;
    int wanted = n < count ? EO_ENOMEM : EO_OK;
    if (code != wanted || error.code != wanted) {
      fail_msg("allocation %ld of %ld: code %d, error %d '%s'", n + 1, count, code, error.code, error.text);
    }
  }
}

/* ---- Models ------------------------------------------------------------------------------------------------------- */

static const char grouped[] =
    "A: 1, 2 | two (5), ~3\nB: <A>, 7\nC: x, y, X, <Q>,\nD: 1, 2\n"
    "{ A, B } @ 2\n{ C, C, D }\n"
    "IF [A] = 1 AND [C] LIKE \"x*\" OR NOT ([B] IN {1, 2} AND ISPOSITIVE(B)) THEN [D] <> 2 ELSE [A] < [B];\n"
    "# a comment\n[D] > 0;\nISNEGATIVE() OR [D] = [A] OR [C] NOT LIKE \"z\";\n[B] <> 7 OR [D] = 1;";
static const char related[] = "A: 1, 2\nB: 1, 2\nC: 1, 2\nrelation { A, B } @ 1\n[A] <> [B];";
static const char clashing[] = "A: 1, 2\nB: 1, 2\nC: 1, 2\n[A] < [B];\n[B] < [C];\n";

static int read_text(eo_pairwise_model *model, const char *text, eo_error *error) {
  return eo__pairwise_model_read(model, "m", text, strlen(text), &eo__pairwise_pict, error);
}

static int reads_groups(eo_error *error) {
  eo_pairwise_model model;
  int code = read_text(&model, grouped, error);
  if (code == EO_OK) eo__pairwise_model_release(&model);
  return code;
}

static int reads_relations(eo_error *error) {
  eo_pairwise_model model;
  int code = read_text(&model, related, error);
  if (code == EO_OK) eo__pairwise_model_release(&model);
  return code;
}

/* The message of an error takes memory too. */
static int says_what_is_wrong(eo_error *error) {
  eo_pairwise_model model;
  int code = read_text(&model, "A: 1\n[A] = ;", error);
  if (code == EO_OK) eo__pairwise_model_release(&model);
  assert_int_not_equal(code, EO_OK);
  if (code != EO_EINPUT) return code;
  assert_non_null(strstr(error->text, "m:2:7: "));
  *error = (eo_error){0};
  return EO_OK;
}

static void models_survive(void **state) {
  (void)state;
  fail_each(reads_groups, 100);
  fail_each(reads_relations, 20);
  fail_each(says_what_is_wrong, 5);
}

/* ---- Solver ------------------------------------------------------------------------------------------------------- */

static eo_pairwise_model model, impossible;

static int solves(eo_error *error) {
  uint16_t row[4] = {0, EO_PAIRWISE_ANY, EO_PAIRWISE_ANY, EO_PAIRWISE_ANY};
  eo_pairwise_solver *solver = eo__pairwise_solver_open(&model, error);
  if (!solver) return error->code;
  long budget = eo__alloc_budget;
  eo__alloc_budget = 0; /* no memory is needed from here on */
  assert_true(eo__pairwise_solver_possible(solver, row, 1));
  assert_true(eo__pairwise_solver_complete(solver, row, 0));
  eo__alloc_budget = budget;
  eo__pairwise_solver_close(solver);
  return EO_OK;
}

static int explains(eo_error *error) {
  uint16_t row[3] = {EO_PAIRWISE_ANY, EO_PAIRWISE_ANY, EO_PAIRWISE_ANY};
  uint32_t *clash = NULL, count = 0;
  eo_pairwise_solver *solver = eo__pairwise_solver_open(&impossible, error);
  if (!solver) return error->code;
  int code = eo__pairwise_solver_explain(solver, row, 0, &clash, &count, error);
  if (code == EO_OK) assert_int_equal(count, 2);
  eo__free(clash);
  eo__pairwise_solver_close(solver);
  return code;
}

static void solver_survives(void **state) {
  (void)state;
  assert_int_equal(read_text(&model, grouped, NULL), EO_OK);
  assert_int_equal(read_text(&impossible, clashing, NULL), EO_OK);
  fail_each(solves, 50);
  fail_each(explains, 50);
  eo__pairwise_model_release(&model);
  eo__pairwise_model_release(&impossible);
}

/* ---- Checker and files -------------------------------------------------------------------------------------------- */

static eo_pairwise_rows rows;
static eo_text written;
static eo_pairwise_format format;

static int checks(eo_error *error) {
  eo_pairwise_verdict verdict;
  int code = eo__pairwise_check(&model, 2, &rows, &verdict, error);
  if (code != EO_OK) return code;
  assert_int_equal(verdict.broken, 2);
  assert_true(verdict.wanted > verdict.covered);
  eo__pairwise_verdict_release(&verdict);
  return EO_OK;
}

static int writes(eo_error *error) {
  eo_text text;
  eo__text_init(&text);
  eo__pairwise_tests_write(&model, &rows, format, &text);
  int code = text.failed ? eo__error_nomem(error) : EO_OK;
  eo__text_release(&text);
  return code;
}

static int reads_tests(eo_error *error) {
  eo_pairwise_rows back;
  eo_text dropped;
  eo__text_init(&dropped);
  eo__pairwise_rows_init(&back, (uint32_t)model.params.count);
  int code = eo__pairwise_tests_read(&model, "t", written.chars, written.length, false, &back, &dropped, error);
  eo__text_release(&dropped);
  eo__pairwise_rows_release(&back);
  return code;
}

static void checker_and_files_survive(void **state) {
  (void)state;
  static const uint16_t tests[][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 0}, {0, 1, 1, 0}};
  json_set_alloc_funcs(eo__alloc, eo__free);
  assert_int_equal(read_text(&model, grouped, NULL), EO_OK);
  eo__pairwise_rows_init(&rows, 4);
  for (int i = 0; i < 4; i++) assert_true(eo__pairwise_rows_add(&rows, tests[i]));
  fail_each(checks, 20);
  for (format = EO_PAIRWISE_TEXT; format <= EO_PAIRWISE_TAP; format++) {
    fail_each(writes, 3);
    if (format == EO_PAIRWISE_TAP) continue;
    eo__text_init(&written);
    eo__pairwise_tests_write(&model, &rows, format, &written);
    fail_each(reads_tests, 3);
    eo__text_release(&written);
  }
  eo__text_init(&written);
  eo__text_add(&written, "A\tunknown\nunknown\tx\n");
  fail_each(reads_tests, 3);
  eo__text_release(&written);
  eo__pairwise_rows_release(&rows);
  eo__pairwise_model_release(&model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_survive),
      cmocka_unit_test(solver_survives),
      cmocka_unit_test(checker_and_files_survive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
