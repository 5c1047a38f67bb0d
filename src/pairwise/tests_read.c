/* tests_read.c: reads tests: lines of cells (text or CSV), or JSON; see tests_file.h. */
#include <jansson.h>
#include <string.h>

#include "base/alloc.h"
#include "pairwise/names.h"
#include "pairwise/tests_file.h"

enum { MOST_DROPPED = 100 };

typedef struct eo_tests_reader {
  const eo_pairwise_model *model;
  const char *file;
  const char *text;
  size_t length, at;
  unsigned strict;
  bool csv;
  eo_pairwise_rows *rows;
  eo_text *dropped;
  uint64_t dropped_count;
  eo_error *error;
  uint32_t line, column;           /* where `at` is */
  uint32_t cell_line, cell_column; /* where the cell begins; line 0: there are none, and tests are numbered */
  uint32_t test;
  uint16_t *row;           /* scratch */
  eo_text cell;            /* scratch */
  EO_VEC(int64_t) columns; /* the parameter of each column; -1: the model has none */
} eo_tests_reader;

/* ---- Messages ----------------------------------------------------------------------------------------------------- */

static void add_place(eo_text *text, const eo_tests_reader *reader) {
  if (reader->cell_line > 0) {
    eo__text_add(text, "%s:%u:%u: ", reader->file, reader->cell_line, reader->cell_column);
  } else {
    eo__text_add(text, "%s: test %u: ", reader->file, reader->test);
  }
}

/* An error where one of these is asked for, else a line in what is dropped. `name` is what is not known. */
static int unknown(eo_tests_reader *reader, unsigned strict, const char *name, const char *what, const char *of) {
  eo_text text;
  eo__text_init(&text);
  add_place(&text, reader);
  eo__text_add(&text, "'%.200s' is no %s%.200s", name, what, of);
  int code = EO_OK;
  if (text.failed) {
    code = eo__error_nomem(reader->error);
  } else if (reader->strict & strict) {
    code = eo__error_set(reader->error, EO_EINPUT, "%s", text.chars);
  } else if (reader->dropped_count++ < MOST_DROPPED) {
    eo__text_add(reader->dropped, "%s: left out\n", text.chars);
  }
  eo__text_release(&text);
  return code;
}

static int wrong(eo_tests_reader *reader, const char *what) {
  eo_text text;
  eo__text_init(&text);
  add_place(&text, reader);
  eo__text_add(&text, "%s", what);
  int code = text.failed ? eo__error_nomem(reader->error) : eo__error_set(reader->error, EO_EINPUT, "%s", text.chars);
  eo__text_release(&text);
  return code;
}

/* ---- Values ------------------------------------------------------------------------------------------------------- */

/* Of values of the same name, rather one that is invalid, or not, as said. */
static int64_t find_value(const eo_pairwise_param *param, const char *name, bool invalid) {
  for (size_t v = 0; v < param->values.count; v++) {
    const eo_pairwise_value *value = &param->values.items[v];
    if (value->invalid != invalid) continue;
    for (size_t n = 0; n < value->names.count; n++) {
      if (eo__pairwise_compare(value->names.items[n], name, param->case_sensitive) == 0) return (int64_t)v;
    }
  }
  return -1;
}

static int64_t value_of(const eo_pairwise_model *model, const eo_pairwise_param *param, const char *cell) {
  int64_t value = -1;
  if (cell[0] == model->syntax.invalid_prefix) value = find_value(param, cell + 1, true);
  if (value < 0) value = find_value(param, cell, false);
  return value < 0 ? find_value(param, cell, true) : value;
}

static int set_value(eo_tests_reader *reader, int64_t p, const char *cell) {
  const eo_pairwise_param *param = &reader->model->params.items[p];
  int64_t value = value_of(reader->model, param, cell);
  if (value < 0) return unknown(reader, EO_PAIRWISE_STRICT, cell, "value of ", param->name);
  reader->row[p] = (uint16_t)value;
  return EO_OK;
}

static void clear_row(eo_tests_reader *reader) {
  for (size_t p = 0; p < reader->model->params.count; p++) reader->row[p] = EO_PAIRWISE_ANY;
}

/* ---- Lines of cells ----------------------------------------------------------------------------------------------- */

static bool at_end(const eo_tests_reader *reader) { return reader->at >= reader->length; }

static char peek(const eo_tests_reader *reader) { return at_end(reader) ? '\n' : reader->text[reader->at]; }

static void step(eo_tests_reader *reader) {
  char c = reader->text[reader->at++];
  if (c == '\n') {
    reader->line++;
    reader->column = 1;
  } else {
    reader->column += ((unsigned char)c & 0xc0) != 0x80;
  }
}

static bool is_space(char c) { return c == ' ' || c == '\r'; }

static void skip_spaces(eo_tests_reader *reader) {
  while (!at_end(reader) && is_space(peek(reader))) step(reader);
}

static void begin_here(eo_tests_reader *reader) {
  reader->cell_line = reader->line;
  reader->cell_column = reader->column;
}

/* In quotes, after the first: a quote is written twice, and lines may end inside. */
static int read_quoted(eo_tests_reader *reader) {
  for (step(reader); !at_end(reader); step(reader)) {
    char c = peek(reader);
    if (c == '"') {
      step(reader);
      if (peek(reader) != '"') return EO_OK;
    }
    eo__text_append(&reader->cell, &c, 1);
  }
  return wrong(reader, "there is no second \" for this one");
}

/* Up to the separator or the end of the line. `quoted`: it was in quotes, and so is a value even if it is empty. */
static int read_cell(eo_tests_reader *reader, bool *quoted) {
  char separator = reader->csv ? ',' : '\t';
  eo__text_clear(&reader->cell);
  *quoted = false;
  skip_spaces(reader);
  begin_here(reader);
  if (reader->csv && peek(reader) == '"') {
    *quoted = true;
    int code = read_quoted(reader);
    if (code != EO_OK) return code;
    skip_spaces(reader);
    if (peek(reader) != separator && peek(reader) != '\n') {
      begin_here(reader);
      return wrong(reader, "a , or the end of the line expected");
    }
  } else {
    size_t start = reader->at, end;
    while (peek(reader) != separator && peek(reader) != '\n') step(reader);
    for (end = reader->at; end > start && is_space(reader->text[end - 1]); end--) continue;
    eo__text_append(&reader->cell, reader->text + start, end - start);
  }
  return reader->cell.failed ? eo__error_nomem(reader->error) : EO_OK;
}

/* Past the separator; false: that was the last cell of the line, which is behind us now. */
static bool next_cell(eo_tests_reader *reader) {
  if (at_end(reader)) return false;
  bool more = peek(reader) != '\n';
  step(reader);
  return more;
}

static int add_column(eo_tests_reader *reader) {
  int64_t param = eo__pairwise_model_param(reader->model, reader->cell.chars);
  for (size_t i = 0; i < reader->columns.count && param >= 0; i++) {
    if (reader->columns.items[i] == param) return wrong(reader, "this parameter has a column already");
  }
  int code = param < 0 ? unknown(reader, EO_PAIRWISE_STRICT | EO_PAIRWISE_STRICT_COLUMNS, reader->cell.chars,
                                 "parameter of the model", "")
                       : EO_OK;
  if (code == EO_OK && !eo_vec_push(&reader->columns, param)) code = eo__error_nomem(reader->error);
  return code;
}

static int read_header(eo_tests_reader *reader) {
  bool quoted;
  do {
    int code = read_cell(reader, &quoted);
    if (code == EO_OK) code = add_column(reader);
    if (code != EO_OK) return code;
  } while (next_cell(reader));
  return EO_OK;
}

/* A line of values; an empty one is none. */
static int read_row(eo_tests_reader *reader) {
  bool quoted, empty = true, more = true;
  clear_row(reader);
  for (size_t i = 0; more; i++) {
    int code = read_cell(reader, &quoted);
    if (code != EO_OK) return code;
    bool there = quoted || reader->cell.length > 0;
    bool beyond = there && i >= reader->columns.count;
    if (beyond && reader->strict) return wrong(reader, "a value beyond the last column");
    if (beyond) code = unknown(reader, 0, reader->cell.chars, "value of a column, but beyond the last", "");
    if (code != EO_OK) return code;
    if (there && !beyond && reader->columns.items[i] >= 0)
      code = set_value(reader, reader->columns.items[i], reader->cell.chars);
    if (code != EO_OK) return code;
    more = next_cell(reader);
    if (there || more || i > 0) empty = false;
  }
  if (empty || eo__pairwise_rows_add(reader->rows, reader->row)) return EO_OK;
  return eo__error_nomem(reader->error);
}

/* CSV, unless the first line has a tab, or is the name of a parameter as it is. */
static bool looks_like_csv(eo_tests_reader *reader) {
  const char *start = reader->text + reader->at;
  const char *newline = memchr(start, '\n', reader->length - reader->at);
  size_t length = newline ? (size_t)(newline - start) : reader->length - reader->at;
  if (memchr(start, '\t', length)) return false;
  while (length > 0 && is_space(start[length - 1])) length--;
  eo__text_clear(&reader->cell);
  eo__text_append(&reader->cell, start, length);
  return eo__pairwise_model_param(reader->model, reader->cell.chars) < 0;
}

static int read_lines(eo_tests_reader *reader) {
  reader->csv = looks_like_csv(reader);
  if (reader->cell.failed) return eo__error_nomem(reader->error);
  int code = read_header(reader);
  while (code == EO_OK && !at_end(reader)) code = read_row(reader);
  return code;
}

/* ---- JSON --------------------------------------------------------------------------------------------------------- */

static int set_json(eo_tests_reader *reader, const char *name, const json_t *value) {
  int64_t param = eo__pairwise_model_param(reader->model, name);
  if (param < 0)
    return unknown(reader, EO_PAIRWISE_STRICT | EO_PAIRWISE_STRICT_COLUMNS, name, "parameter of the model", "");
  if (json_is_null(value)) return EO_OK;
  if (json_is_string(value)) return set_value(reader, param, json_string_value(value));
  if (!json_is_integer(value)) return wrong(reader, "a value is a string, a whole number or null");
  eo__text_clear(&reader->cell);
  eo__text_add(&reader->cell, "%lld", (long long)json_integer_value(value));
  if (reader->cell.failed) return eo__error_nomem(reader->error);
  return set_value(reader, param, reader->cell.chars);
}

static int read_object(eo_tests_reader *reader, json_t *object) {
  const char *name;
  json_t *value;
  if (!json_is_object(object)) return wrong(reader, "a test is an object: parameters with their values");
  clear_row(reader);
  json_object_foreach(object, name, value) {
    int code = set_json(reader, name, value);
    if (code != EO_OK) return code;
  }
  return eo__pairwise_rows_add(reader->rows, reader->row) ? EO_OK : eo__error_nomem(reader->error);
}

static int read_objects(eo_tests_reader *reader, json_t *root) {
  json_t *tests = root;
  if (json_is_object(root)) {
    json_t *version = json_object_get(root, "pairwise");
    if (!json_is_integer(version) || json_integer_value(version) != 1) {
      return eo__error_set(reader->error, EO_EINPUT,
                           "%s: \"pairwise\" is not 1: this is no version of a test set known here", reader->file);
    }
    tests = json_object_get(root, "tests");
  }
  if (!json_is_array(tests))
    return eo__error_set(reader->error, EO_EINPUT, "%s: there is no array \"tests\"", reader->file);
  for (size_t i = 0; i < json_array_size(tests); i++) {
    reader->test = (uint32_t)i + 1;
    int code = read_object(reader, json_array_get(tests, i));
    if (code != EO_OK) return code;
  }
  return EO_OK;
}

static int read_json(eo_tests_reader *reader) {
  json_error_t problem;
  json_t *root = json_loadb(reader->text + reader->at, reader->length - reader->at, JSON_REJECT_DUPLICATES, &problem);
  if (!root) {
    /* jansson's lexer tells of failed allocations as of syntax errors, so look whether there is any memory. */
    void *probe = eo__alloc(1);
    bool memory = probe && json_error_code(&problem) != json_error_out_of_memory;
    eo__free(probe);
    if (!memory) return eo__error_nomem(reader->error);
    return eo__error_set(reader->error, EO_EINPUT, "%s:%d:%d: %s", reader->file, problem.line, problem.column,
                         problem.text);
  }
  int code = read_objects(reader, root);
  json_decref(root);
  return code;
}

/* ---- The file ----------------------------------------------------------------------------------------------------- */

static int read_any(eo_tests_reader *reader) {
  const char *zero = reader->length > 0 ? memchr(reader->text, '\0', reader->length) : NULL;
  if (zero) return eo__error_set(reader->error, EO_EINPUT, "%s: a zero byte: this is not a text file", reader->file);
  if (reader->length >= 3 && memcmp(reader->text, "\xef\xbb\xbf", 3) == 0) reader->at = 3;
  size_t first = reader->at;
  while (first < reader->length && (is_space(reader->text[first]) || reader->text[first] == '\n')) first++;
  if (first == reader->length) {
    if (!reader->strict) return EO_OK;
    return eo__error_set(reader->error, EO_EINPUT, "%s:1:1: the file is empty: its first line names parameters",
                         reader->file);
  }
  char c = reader->text[first];
  return c == '{' || c == '[' ? read_json(reader) : read_lines(reader);
}

int eo__pairwise_tests_read(const eo_pairwise_model *model, const char *file, const char *text, size_t length,
                            unsigned strict, eo_pairwise_rows *rows, eo_text *dropped, eo_error *error) {
  eo_tests_reader reader = {.model = model,
                            .file = file,
                            .text = text,
                            .length = length,
                            .strict = strict,
                            .rows = rows,
                            .dropped = dropped,
                            .error = error,
                            .line = 1,
                            .column = 1};
  EO_CHECK(rows->params == model->params.count);
  eo__text_init(&reader.cell);
  reader.row = eo__alloc(model->params.count * sizeof reader.row[0]);
  int code = reader.row ? read_any(&reader) : eo__error_nomem(error);
  if (code == EO_OK && reader.dropped_count > MOST_DROPPED) {
    eo__text_add(dropped, "and %llu more\n", (unsigned long long)(reader.dropped_count - MOST_DROPPED));
  }
  if (code == EO_OK && dropped->failed) code = eo__error_nomem(error);
  eo__text_release(&reader.cell);
  eo_vec_release(&reader.columns);
  eo__free(reader.row);
  return code;
}
