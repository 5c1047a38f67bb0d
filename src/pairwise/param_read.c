/* param_read.c: a parameter and its values: aliases, weights, invalid ones, references to parameters above. */
#include <string.h>

#include "base/alloc.h"
#include "pairwise/names.h"
#include "pairwise/reader.h"
#include "pairwise/system.h"

enum {
  MAX_PARAMS = 65535,
  MAX_VALUES_IN_ALL = 1000000 /* references to parameters can double the number of values with every line */
};

static void release_value(eo_pairwise_value *value) {
  for (size_t n = 0; n < value->names.count; n++) eo__free(value->names.items[n]);
  eo_vec_release(&value->names);
}

/* Takes the value over, also when it fails. */
static int add_value(eo_pairwise_reader *reader, eo_pairwise_param *param, eo_pairwise_value *value, size_t offset) {
  int code;
  if (param->values.count + 1 >= EO_PAIRWISE_ANY) {
    code =
        eo__pairwise_fail(reader, offset, "parameter '%s' has more than %d values", param->name, EO_PAIRWISE_ANY - 1);
  } else if (reader->values >= MAX_VALUES_IN_ALL) {
    code = eo__pairwise_fail(reader, offset, "more than %d values in all", MAX_VALUES_IN_ALL);
  } else {
    code = eo_vec_push(&param->values, *value) ? EO_OK : eo__error_nomem(reader->error);
  }
  reader->values++;
  if (code != EO_OK) release_value(value);
  return code;
}

static int add_name(eo_pairwise_reader *reader, eo_pairwise_value *value, eo_pairwise_span name) {
  char *text = eo__pairwise_copy(reader, name);
  if (text && eo_vec_push(&value->names, text)) return EO_OK;
  eo__free(text);
  return eo__error_nomem(reader->error);
}

/* `value (10)`: takes the weight off the end. What is not a number of at least 1 belongs to the name. */
static eo_pairwise_span read_weight(const eo_pairwise_reader *reader, eo_pairwise_span part, uint32_t *weight) {
  *weight = 1;
  if (part.end == part.start || reader->text[part.end - 1] != ')') return part;
  size_t open = part.end - 1;
  while (open > part.start && reader->text[open] != '(') open--;
  if (reader->text[open] != '(') return part;
  eo_pairwise_span inside = eo__pairwise_trim(reader, open + 1, part.end - 1);
  double number;
  size_t length = inside.end - inside.start;
  if (eo__pairwise_number(reader->text + inside.start, length, &number) != length || length == 0) return part;
  if (number < 1) return part;
  *weight = number >= UINT32_MAX ? UINT32_MAX : (uint32_t)number;
  return eo__pairwise_trim(reader, part.start, open);
}

static int read_value(eo_pairwise_reader *reader, eo_pairwise_param *param, eo_pairwise_span part) {
  eo_pairwise_value value = {0};
  eo_pairwise_spans names = {0};
  const eo_pairwise_syntax *syntax = &reader->model->syntax;
  size_t offset = part.start;
  part = read_weight(reader, part, &value.weight);
  int code = eo__pairwise_split(reader, part, syntax->alias_separator, &names);
  for (size_t n = 0; n < names.count && code == EO_OK; n++) {
    eo_pairwise_span name = names.items[n];
    if (n == 0 && name.start < name.end && reader->text[name.start] == syntax->invalid_prefix) {
      value.invalid = true;
      name = eo__pairwise_trim(reader, name.start + 1, name.end);
    }
    if (name.start == name.end) {
      code = eo__pairwise_warn(reader, offset, "a value of parameter '%s' has an empty name", param->name);
    }
    if (code == EO_OK) code = add_name(reader, &value, name);
  }
  eo_vec_release(&names);
  if (code == EO_OK) return add_value(reader, param, &value, offset);
  release_value(&value);
  return code;
}

/* `<Name>`: all values of a parameter above. */
static int copy_values(eo_pairwise_reader *reader, eo_pairwise_param *param, const eo_pairwise_param *from,
                       size_t offset) {
  for (size_t v = 0; v < from->values.count; v++) {
    const eo_pairwise_value *old = &from->values.items[v];
    eo_pairwise_value value = {.weight = old->weight, .invalid = old->invalid};
    for (size_t n = 0; n < old->names.count; n++) {
      char *name = eo__strdup(old->names.items[n]);
      if (name && eo_vec_push(&value.names, name)) continue;
      eo__free(name);
      release_value(&value);
      return eo__error_nomem(reader->error);
    }
    int code = add_value(reader, param, &value, offset);
    if (code != EO_OK) return code;
  }
  return EO_OK;
}

static int read_part(eo_pairwise_reader *reader, eo_pairwise_param *param, eo_pairwise_span part) {
  if (part.end - part.start < 2 || reader->text[part.start] != '<' || reader->text[part.end - 1] != '>') {
    return read_value(reader, param, part);
  }
  char *name = eo__pairwise_copy(reader, eo__pairwise_trim(reader, part.start + 1, part.end - 1));
  if (!name) return eo__error_nomem(reader->error);
  int64_t from = eo__pairwise_model_param(reader->model, name);
  const eo_pairwise_param *known = from < 0 ? NULL : &reader->model->params.items[from];
  int code = EO_OK;
  if (!known || known == param) {
    code =
        eo__pairwise_warn(reader, part.start, "there is no parameter '%s' above: <%s> is taken as a value", name, name);
    if (code == EO_OK) code = read_value(reader, param, part);
  } else {
    code = copy_values(reader, param, known, part.start);
  }
  eo__free(name);
  return code;
}

/* Numeric if the first name of every value is a number. */
static void decide_type(eo_pairwise_param *param) {
  param->numeric = true;
  for (size_t v = 0; v < param->values.count && param->numeric; v++) {
    eo_pairwise_value *value = &param->values.items[v];
    size_t length = strlen(value->names.items[0]);
    param->numeric = length > 0 && eo__pairwise_number(value->names.items[0], length, &value->number) == length;
  }
  for (size_t v = 0; v < param->values.count && !param->numeric; v++) param->values.items[v].number = 0;
}

/* PICT allows it, but then tests and constraints cannot tell these values apart. */
static int check_value_names(eo_pairwise_reader *reader, const eo_pairwise_param *param, size_t offset) {
  size_t count = 0;
  for (size_t v = 0; v < param->values.count; v++) count += param->values.items[v].names.count;
  eo_pairwise_named *names = eo__alloc(count * sizeof *names);
  if (!names) return eo__error_nomem(reader->error);
  uint32_t index = 0;
  for (size_t v = 0; v < param->values.count; v++) {
    const eo_pairwise_value *value = &param->values.items[v];
    for (size_t n = 0; n < value->names.count; n++, index++) {
      names[index] = (eo_pairwise_named){value->names.items[n], index, param->case_sensitive};
    }
  }
  uint32_t repeated = eo__pairwise_repeated(names, count);
  int code = EO_OK;
  for (size_t i = 0; i < count && repeated != UINT32_MAX; i++) {
    if (names[i].index != repeated) continue;
    code =
        eo__pairwise_warn(reader, offset, "parameter '%s' has a value '%s' more than once", param->name, names[i].name);
    break;
  }
  eo__free(names);
  return code;
}

static int check_param(eo_pairwise_reader *reader, const eo_pairwise_param *param, eo_pairwise_span name) {
  bool valid = false;
  for (size_t v = 0; v < param->values.count; v++) valid |= !param->values.items[v].invalid;
  if (!valid) {
    return eo__pairwise_fail(reader, name.start, "parameter '%s' has only invalid values: add a valid one",
                             param->name);
  }
  size_t at = eo__pairwise_find(reader, name, '@');
  double order;
  eo_pairwise_span number = eo__pairwise_trim(reader, at + (at < name.end), name.end);
  size_t length = number.end - number.start;
  if (length > 0 && eo__pairwise_number(reader->text + number.start, length, &order) == length) {
    return eo__pairwise_fail(reader, at, "a parameter has no order of its own here: write a sub-model or a relation");
  }
  if (param->name[0] == '$') {
    int code =
        eo__pairwise_warn(reader, name.start, "'%s' is a parameter like the others, not one for results", param->name);
    if (code != EO_OK) return code;
  }
  return check_value_names(reader, param, name.start);
}

static int read_values(eo_pairwise_reader *reader, eo_pairwise_param *param, eo_pairwise_span values) {
  eo_pairwise_spans parts = {0};
  int code = eo__pairwise_split(reader, values, reader->model->syntax.value_separator, &parts);
  for (size_t i = 0; i < parts.count && code == EO_OK; i++) code = read_part(reader, param, parts.items[i]);
  eo_vec_release(&parts);
  return code;
}

/* `Name: value, value`; without a colon the first separator is taken for it, as PICT does. */
int eo__pairwise_read_param(eo_pairwise_reader *reader, eo_pairwise_span line) {
  eo_pairwise_model *model = reader->model;
  size_t colon = eo__pairwise_find(reader, line, ':');
  if (colon == line.end) colon = eo__pairwise_find(reader, line, model->syntax.value_separator);
  if (colon == line.end) {
    return eo__pairwise_fail(reader, line.start, "a parameter is written Name: value%c value",
                             model->syntax.value_separator);
  }
  eo_pairwise_span name = eo__pairwise_trim(reader, line.start, colon),
                   values = eo__pairwise_trim(reader, colon + 1, line.end);
  if (name.start == name.end) {
    int code = eo__pairwise_warn(reader, line.start, "a parameter has no name before its values");
    if (code != EO_OK) return code;
  }
  if (values.start == values.end) {
    return eo__pairwise_fail(reader, colon, "parameter '%.*s' has no values", (int)(name.end - name.start),
                             reader->text + name.start);
  }
  if (model->params.count >= MAX_PARAMS) {
    return eo__pairwise_fail(reader, line.start, "more than %d parameters", MAX_PARAMS);
  }
  eo_pairwise_param empty = {.case_sensitive = model->syntax.case_sensitive,
                             .line = eo__pairwise_line(reader, line.start)};
  if (!eo_vec_push(&model->params, empty)) return eo__error_nomem(reader->error);
  eo_pairwise_param *param = &eo_vec_last(&model->params);
  param->name = eo__pairwise_copy(reader, name);
  if (!param->name) {
    (void)eo_vec_pop(&model->params);
    return eo__error_nomem(reader->error);
  }
  int code = read_values(reader, param, values);
  if (code != EO_OK) return code;
  decide_type(param);
  return check_param(reader, param, name);
}
