/* params.c: see params.h. Models and test sets are src/pairwise's. */
#include "registry/params.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "pairwise/generate.h"
#include "pairwise/model.h"
#include "pairwise/solver.h"
#include "pairwise/tests_file.h"

enum {
  MOST_ROWS = 10000, /* of `all`: what nobody would want to wait for is a slip */
  LARGEST_FILE = 16 << 20
};

void eo__row_list_release(eo_row_list *list) {
  for (size_t i = 0; i < list->rows.count; i++) eo__row_close(list->rows.items[i]);
  eo_vec_release(&list->rows);
}

/* ---- The model ---------------------------------------------------------------------------------------------------- */

/* Errors name the test, since lines are those of the model and not of the source. A warning is an error here: who wrote
 * the model is who reads this. */
static int read_model(const eo_test *test, eo_pairwise_model *model, eo_error *error) {
  eo_text text, where;
  eo__text_init(&text);
  eo__text_init(&where);
  for (const char *const *line = test->model; *line; line++) eo__text_add(&text, "%s\n", *line);
  eo__text_add(&where, "%.200s:%d: parameters of %.64s", test->place.file, test->place.line, test->name);
  int code = text.failed || where.failed
                 ? eo__error_nomem(error)
                 : eo__pairwise_model_read(model, where.chars, text.chars, text.length, &eo__pairwise_pict, error);
  if (code == EO_OK && model->warnings.count) {
    code = eo__error_set(error, EO_EINPUT, "%.300s", model->warnings.items[0]);
    eo__pairwise_model_release(model);
  }
  eo__text_release(&text);
  eo__text_release(&where);
  return code;
}

static eo_row *make_row(const eo_test *test, const eo_pairwise_model *model, const char *const *values) {
  eo_row *row = eo__row_open(test->name, model->params.count);
  bool good = row != NULL;
  for (size_t i = 0; good && i < row->count; i++) {
    row->names[i] = eo__strdup(model->params.items[i].name);
    row->values[i] = eo__strdup(values[i]);
    good = row->names[i] && row->values[i];
  }
  if (good) return row;
  eo__row_close(row);
  return NULL;
}

/* ---- Which rows ---------------------------------------------------------------------------------------------------- */

static int read_file(const char *path, eo_text *bytes, eo_error *error) {
  char block[65536];
  size_t got = 0;
  FILE *file = fopen(path, "re");
  if (!file) {
    static const char *const words[] = {"pairwise", "all", "2-way", "3-way", "4-way", "5-way", "6-way"};
    eo__error_set(
        error, EO_EINPUT,
        "--params %.256s: expected pairwise, all, 1-way to 6-way, or a file of rows; there is no such file: %s", path,
        strerror(errno));
    return eo__error_suggest(error, path, words, sizeof words / sizeof *words);
  }
  while (bytes->length < LARGEST_FILE && (got = fread(block, 1, sizeof block, file)) > 0)
    eo__text_append(bytes, block, got);
  int code = EO_OK;
  if (ferror(file))
    code = eo__error_set(error, EO_EINPUT, "--params %.256s cannot be read: %s", path, strerror(errno));
  else if (bytes->failed)
    code = eo__error_nomem(error);
  else if (bytes->length >= LARGEST_FILE)
    code = eo__error_set(error, EO_EINPUT, "--params %.256s is too large for a file of rows", path);
  fclose(file);
  return code;
}

/* What a row leaves open is chosen. */
static int complete(const eo_pairwise_model *model, const char *path, eo_pairwise_rows *rows, eo_error *error) {
  eo_pairwise_solver *solver = eo__pairwise_solver_open(model, error);
  if (!solver) return error->code;
  int code = EO_OK;
  for (uint32_t i = 0; code == EO_OK && i < eo_pairwise_rows_count(rows); i++) {
    uint16_t *row = eo_pairwise_row(rows, i);
    if (!eo__pairwise_solver_complete(solver, row, 0) && !eo__pairwise_solver_complete(solver, row, 1))
      code = eo__error_set(error, EO_EINPUT, "row %u of %.256s breaks the constraints of the test's parameters", i + 1,
                           path);
  }
  eo__pairwise_solver_close(solver);
  return code;
}

static int rows_of_file(const eo_test *test, const eo_pairwise_model *model, const char *path, eo_pairwise_rows *rows,
                        eo_error *error) {
  eo_text bytes, dropped;
  eo_error inner = {0};
  eo__text_init(&bytes);
  eo__text_init(&dropped);
  int code = read_file(path, &bytes, error);
  if (code == EO_OK) {
    code = eo__pairwise_tests_read(model, path, bytes.chars, bytes.length, EO_PAIRWISE_STRICT, rows, &dropped, &inner);
    if (code == EO_OK) code = complete(model, path, rows, &inner);
    if (code == EO_ENOMEM)
      eo__error_nomem(error);
    else if (code != EO_OK)
      eo__error_set(error, code, "%.350s; the rows are wanted for the test %.64s: choose another one with --test",
                    inner.text, test->name);
  }
  eo__text_release(&bytes);
  eo__text_release(&dropped);
  return code;
}

/* "pairwise" or "3-way"; 0: neither. */
static uint32_t order_of(const char *params) {
  if (!params || strcmp(params, "pairwise") == 0) return 2;
  bool way = params[0] >= '1' && params[0] <= '0' + EO_PAIRWISE_MAX_ORDER && strcmp(params + 1, "-way") == 0;
  return way ? (uint32_t)(params[0] - '0') : 0;
}

static int choose_rows(const eo_test *test, const eo_pairwise_model *model, const char *params, eo_pairwise_rows *rows,
                       eo_error *error) {
  uint32_t order = order_of(params);
  if (params && strcmp(params, "all") == 0) return eo__pairwise_enumerate(model, MOST_ROWS, rows, error);
  if (order == 0) return rows_of_file(test, model, params, rows, error);
  if (order > model->params.count) order = (uint32_t)model->params.count;
  eo_pairwise_request request = {.order = order}; /* quick: a program makes its rows each time it starts */
  eo_pairwise_result result;
  int code = eo__pairwise_generate(model, &request, &result, error);
  if (code != EO_OK) return code;
  eo__pairwise_rows_release(rows);
  *rows = result.rows;
  eo__pairwise_rows_init(&result.rows, 0);
  eo__pairwise_result_release(&result);
  return EO_OK;
}

/* Aliases of a value take turns: `turns` counts for each of `most` values of each parameter. */
static bool add_named(const eo_test *test, const eo_pairwise_model *model, const eo_pairwise_rows *rows, size_t most,
                      uint32_t *turns, const char **values, eo_row_list *list) {
  for (uint32_t i = 0; i < eo_pairwise_rows_count(rows); i++) {
    for (size_t j = 0; j < model->params.count; j++) {
      uint16_t value = eo_pairwise_row(rows, i)[j];
      const eo_pairwise_value *chosen = &model->params.items[j].values.items[value];
      values[j] = chosen->names.items[turns[j * most + value]++ % chosen->names.count];
    }
    eo_row *row = make_row(test, model, values);
    if (!row || !eo_vec_push(&list->rows, row)) {
      eo__row_close(row);
      return false;
    }
    row->number = (uint32_t)list->rows.count;
  }
  return true;
}

static int add_rows(const eo_test *test, const eo_pairwise_model *model, const eo_pairwise_rows *rows,
                    eo_row_list *list, eo_error *error) {
  size_t params = model->params.count, most = 0;
  for (size_t i = 0; i < params; i++)
    if (model->params.items[i].values.count > most) most = model->params.items[i].values.count;
  uint32_t *turns = eo__alloc((params * most + 1) * sizeof *turns);
  const char **values = eo__alloc((params + 1) * sizeof *values);
  bool good = turns && values && add_named(test, model, rows, most, turns, values, list);
  eo__free(turns);
  eo__free(values);
  return good ? EO_OK : eo__error_nomem(error);
}

int eo__params_rows(const eo_test *test, const char *params, eo_row_list *list, eo_error *error) {
  eo_pairwise_model model = {0};
  eo_pairwise_rows rows;
  int code = read_model(test, &model, error);
  if (code != EO_OK) return code;
  eo__pairwise_rows_init(&rows, (uint32_t)model.params.count);
  code = choose_rows(test, &model, params, &rows, error);
  if (code == EO_OK) code = add_rows(test, &model, &rows, list, error);
  if (code == EO_OK && list->rows.count == 0)
    code = eo__error_set(error, EO_EINPUT, "there is no row to run the test %.64s with", test->name);
  eo__pairwise_rows_release(&rows);
  eo__pairwise_model_release(&model);
  return code;
}

/* ---- One row by its name -------------------------------------------------------------------------------------------- */

/* Finds the values that spell this text, from this parameter on. A name may be the beginning of another one. */
static bool spell(const eo_pairwise_model *model, const char *text, char separator, size_t param, uint16_t *row,
                  const char **values) {
  if (param == model->params.count) return *text == '\0';
  const eo_pairwise_param *p = &model->params.items[param];
  size_t length = strlen(p->name);
  if (param > 0 && *text++ != separator) return false;
  if (strncmp(text, p->name, length) != 0 || text[length] != '=') return false;
  text += length + 1;
  for (size_t i = 0; i < p->values.count; i++)
    for (size_t j = 0; j < p->values.items[i].names.count; j++) {
      values[param] = p->values.items[i].names.items[j];
      row[param] = (uint16_t)i;
      size_t size = strlen(values[param]);
      if (strncmp(text, values[param], size) == 0 && spell(model, text + size, separator, param + 1, row, values))
        return true;
      values[param] = NULL;
    }
  return false;
}

static int check_row(const eo_pairwise_model *model, const char *text, const uint16_t *row, eo_error *error) {
  uint32_t invalids = 0;
  for (size_t i = 0; i < model->params.count; i++) invalids += model->params.items[i].values.items[row[i]].invalid;
  if (invalids > 1) return eo__error_set(error, EO_EINPUT, "%.200s: more than one invalid value in a row", text);
  for (size_t i = 0; i < model->constraints.count; i++)
    if (!eo__pairwise_constraint_holds(model, &model->constraints.items[i], row))
      return eo__error_set(error, EO_EINPUT, "%.200s: this row is excluded by %.200s", text,
                           model->constraints.items[i].text);
  return EO_OK;
}

int eo__params_row(const eo_test *test, const char *text, char separator, eo_row **row, eo_error *error) {
  eo_pairwise_model model = {0};
  *row = NULL;
  int code = read_model(test, &model, error);
  if (code != EO_OK) return code;
  const char **values = eo__alloc((model.params.count + 1) * sizeof *values);
  uint16_t *indices = eo__alloc((model.params.count + 1) * sizeof *indices);
  if (values && indices && !spell(&model, text, separator, 0, indices, values))
    code = eo__error_set(error, EO_EINPUT, "%.200s is not a row of the test %.64s: everyorder list shows them", text,
                         test->name);
  else if (values && indices)
    code = check_row(&model, text, indices, error);
  if (values && indices && code == EO_OK) *row = make_row(test, &model, values);
  if (code == EO_OK && !*row) code = eo__error_nomem(error);
  eo__free(values);
  eo__free(indices);
  eo__pairwise_model_release(&model);
  return code;
}
