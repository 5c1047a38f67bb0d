/* model_read.c: reads model files (doc/formats/pairwise-model.md): parameters with their values, then sub-models or
 * relations, then constraints, which constraint_read.c reads. Which of these a line is follows PICT, but for lines that
 * PICT takes for constraints only because of how their names begin. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "pairwise/names.h"
#include "pairwise/reader.h"

const eo_pairwise_syntax eo__pairwise_pict = {
    .value_separator = ',', .alias_separator = '|', .invalid_prefix = '~', .case_sensitive = false};

static int check_param_names(eo_pairwise_reader *reader, const eo_pairwise_spans *lines) {
  eo_pairwise_model *model = reader->model;
  eo_pairwise_named *names = eo__alloc(model->params.count * sizeof *names);
  if (!names) return eo__error_nomem(reader->error);
  for (uint32_t p = 0; p < model->params.count; p++) {
    names[p] = (eo_pairwise_named){model->params.items[p].name, p, model->syntax.case_sensitive};
  }
  uint32_t repeated = eo__pairwise_repeated(names, model->params.count);
  eo__free(names);
  if (repeated == UINT32_MAX) return EO_OK;
  const char *name = model->params.items[repeated].name;
  return eo__pairwise_fail(reader, lines->items[repeated].start, "there is a parameter '%s' already, in line %u", name,
                           model->params.items[eo__pairwise_model_param(model, name)].line);
}

static int warn_of_loners(eo_pairwise_reader *reader, const eo_pairwise_spans *lines) {
  const eo_pairwise_model *model = reader->model;
  int code = EO_OK;
  for (uint32_t p = 0; p < model->params.count && model->relations.count > 0 && code == EO_OK; p++) {
    bool found = false;
    for (size_t r = 0; r < model->relations.count && !found; r++) {
      const eo_pairwise_group *relation = &model->relations.items[r];
      for (size_t i = 0; i < relation->params.count; i++) found |= relation->params.items[i] == p;
    }
    if (found) continue;
    code = eo__pairwise_warn(reader, lines->items[p].start,
                             "parameter '%s' is in no relation: the tests use arbitrary values of it",
                             model->params.items[p].name);
  }
  return code;
}

/* Does the line begin with this word, in any case? Returns where it goes on after it, 0: no. */
static size_t after_word(const eo_pairwise_reader *reader, eo_pairwise_span line, const char *word) {
  size_t length = strlen(word), end = line.start + length;
  if (line.end - line.start < length || strncasecmp(reader->text + line.start, word, length) != 0) return 0;
  if (end < line.end && (isalnum((unsigned char)reader->text[end]) || reader->text[end] == '_')) return 0;
  return eo__pairwise_trim(reader, end, line.end).start;
}

typedef enum line_kind { PARAM, SUB_MODEL, RELATION, CONSTRAINT } line_kind;

/* A line that is no parameter has no colon, or none before what only constraints and groups have. */
static line_kind kind_of(const eo_pairwise_reader *reader, eo_pairwise_span line) {
  size_t colon = eo__pairwise_find(reader, line, ':'), rest;
  char first = reader->text[line.start];
  if (first == '{') return colon < line.end && eo__pairwise_find(reader, line, '}') == line.end ? PARAM : SUB_MODEL;
  if (first == '[') return CONSTRAINT;
  rest = after_word(reader, line, "relation");
  if (rest > 0 && rest < line.end && reader->text[rest] == '{' && colon == line.end) return RELATION;
  if (colon < eo__pairwise_find(reader, line, '[')) return PARAM;
  rest = after_word(reader, line, "IF");
  if (rest > 0) {
    eo_pairwise_span condition = {rest, line.end};
    bool values = colon < line.end || eo__pairwise_find(reader, line, reader->model->syntax.value_separator) < line.end;
    if (!values || rest == line.end || strchr("[(", reader->text[rest])) return CONSTRAINT;
    line = condition;
  } else if (first == '(') {
    return CONSTRAINT;
  }
  bool word = after_word(reader, line, "NOT") || after_word(reader, line, "ISNEGATIVE") ||
              after_word(reader, line, "ISPOSITIVE");
  return word ? CONSTRAINT : PARAM;
}

/* Once the names are checked no parameter may follow, even if every sub-model so far was left out. */
static int read_line(eo_pairwise_reader *reader, eo_pairwise_span line, line_kind kind, bool names_checked,
                     eo_pairwise_spans *lines) {
  if (kind != PARAM && reader->model->params.count == 0) {
    return eo__pairwise_fail(reader, line.start, "parameters come first: Name: value, value");
  }
  if (kind != PARAM) return eo__pairwise_read_group(reader, line, kind == RELATION);
  if (names_checked) {
    return eo__pairwise_fail(reader, line.start, "parameters stand before sub-models and relations");
  }
  if (!eo_vec_push(lines, line)) return eo__error_nomem(reader->error);
  return eo__pairwise_read_param(reader, line);
}

/* All lines up to the first constraint. `lines` gets those of the parameters. */
static int read_lines(eo_pairwise_reader *reader, eo_pairwise_spans *lines) {
  bool names_checked = false;
  while (reader->at < reader->length) {
    size_t end = eo__pairwise_find(reader, (eo_pairwise_span){reader->at, reader->length}, '\n');
    eo_pairwise_span line = eo__pairwise_trim(reader, reader->at, end);
    if (line.start < line.end && reader->text[line.start] != '#') {
      line_kind kind = kind_of(reader, line);
      int code = EO_OK;
      if (kind != PARAM && !names_checked && reader->model->params.count > 0) {
        code = check_param_names(reader, lines);
        names_checked = true;
      }
      if (code == EO_OK && kind == CONSTRAINT && reader->model->params.count > 0) return EO_OK;
      if (code == EO_OK) code = read_line(reader, line, kind, names_checked, lines);
      if (code != EO_OK) return code;
    }
    reader->at = end < reader->length ? end + 1 : end;
  }
  if (reader->model->params.count == 0) return eo__pairwise_fail(reader, 0, "there is no parameter in this file");
  return names_checked ? EO_OK : check_param_names(reader, lines);
}

static int check_encoding(eo_pairwise_reader *reader) {
  const char *text = reader->text;
  bool wide = reader->length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
  const char *zero = reader->length > 0 ? memchr(text, '\0', reader->length) : NULL;
  if (wide) return eo__pairwise_fail(reader, 0, "this is UTF-16 or UTF-32: save the file as UTF-8");
  if (zero) return eo__pairwise_fail(reader, (size_t)(zero - text), "a zero byte: this is not a text file");
  if (reader->length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) reader->at = 3;
  return EO_OK;
}

int eo__pairwise_model_read(eo_pairwise_model *model, const char *file, const char *text, size_t length,
                            const eo_pairwise_syntax *syntax, eo_error *error) {
  eo_error own = {0};
  eo_pairwise_spans lines = {0};
  memset(model, 0, sizeof *model);
  model->syntax = *syntax;
  eo_pairwise_reader reader = {.model = model, .file = file, .text = text, .length = length, .error = &own};
  int code = check_encoding(&reader);
  if (code == EO_OK) code = read_lines(&reader, &lines);
  if (code == EO_OK) code = warn_of_loners(&reader, &lines);
  bool in_constraints = code == EO_OK;
  if (code == EO_OK) code = eo__pairwise_read_constraints(&reader);
  eo_vec_release(&lines);
  if (code == EO_OK) return EO_OK;
  eo__pairwise_model_release(model);
  model->in_constraints = in_constraints;
  if (error) *error = own;
  return code;
}
