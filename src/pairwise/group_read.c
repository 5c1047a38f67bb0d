/* group_read.c: sub-models and relations: names of parameters in braces, and an order. */
#include <stdlib.h>

#include "base/alloc.h"
#include "pairwise/names.h"
#include "pairwise/reader.h"
#include "pairwise/system.h"

static int by_number(const void *a, const void *b) {
  const uint32_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

/* The parameters of these names; *known: there are such. If not, with `tolerant` nothing is said; else there is a warning,
 * or for a relation an error. */
static int find_members(eo_pairwise_reader *reader, eo_pairwise_group *group, const eo_pairwise_spans *names,
                        bool tolerant, bool relation, bool *known) {
  eo_vec_clear(&group->params);
  *known = false;
  for (size_t i = 0; i < names->count; i++) {
    char *name = eo__pairwise_copy(reader, names->items[i]);
    if (!name) return eo__error_nomem(reader->error);
    int64_t found = eo__pairwise_model_param(reader->model, name);
    int code = EO_OK;
    if (found < 0 && !tolerant && relation) {
      code = eo__pairwise_fail(reader, names->items[i].start, "there is no parameter '%s'", name);
    } else if (found < 0 && !tolerant) {
      code = eo__pairwise_warn(reader, names->items[i].start, "there is no parameter '%s': the sub-model is left out",
                               name);
    }
    eo__free(name);
    if (code != EO_OK || found < 0) return code;
    if (!eo_vec_push(&group->params, (uint32_t)found)) return eo__error_nomem(reader->error);
  }
  *known = true;
  return EO_OK;
}

/* Names between commas, or, as PICT has it, between separators of values. *known: there are such parameters; else, as in
 * PICT, the sub-model is left out. */
static int read_members(eo_pairwise_reader *reader, eo_pairwise_group *group, eo_pairwise_span inside, bool relation,
                        bool *known) {
  eo_pairwise_spans names = {0};
  char separator = reader->model->syntax.value_separator;
  int code = eo__pairwise_split(reader, inside, ',', &names);
  if (code == EO_OK) code = find_members(reader, group, &names, separator != ',', relation, known);
  if (code == EO_OK && !*known && separator != ',') {
    code = eo__pairwise_split(reader, inside, separator, &names);
    if (code == EO_OK) code = find_members(reader, group, &names, false, relation, known);
  }
  eo_vec_release(&names);
  return code;
}

static int sort_members(eo_pairwise_reader *reader, eo_pairwise_group *group, size_t offset) {
  size_t kept = 1;
  qsort(group->params.items, group->params.count, sizeof group->params.items[0], by_number);
  for (size_t i = 1; i < group->params.count; i++) {
    if (group->params.items[i] != group->params.items[kept - 1]) group->params.items[kept++] = group->params.items[i];
  }
  bool repeated = kept < group->params.count;
  group->params.count = kept;
  return repeated ? eo__pairwise_warn(reader, offset, "a parameter is named twice here") : EO_OK;
}

static int read_order(eo_pairwise_reader *reader, eo_pairwise_group *group, eo_pairwise_span rest) {
  if (rest.start == rest.end) return EO_OK;
  if (reader->text[rest.start] != '@') {
    return eo__pairwise_fail(reader, rest.start, "after } only @ and an order may follow");
  }
  eo_pairwise_span number = eo__pairwise_trim(reader, rest.start + 1, rest.end);
  double order;
  size_t length = number.end - number.start;
  bool good = length > 0 && eo__pairwise_number(reader->text + number.start, length, &order) == length;
  if (!good || order < 1 || order > EO_PAIRWISE_MAX_ORDER || order != (double)(uint32_t)order) {
    return eo__pairwise_fail(reader, number.start, "an order is a number from 1 to %d", EO_PAIRWISE_MAX_ORDER);
  }
  group->order = (uint32_t)order;
  if (group->order <= group->params.count) return EO_OK;
  return eo__pairwise_fail(reader, number.start, "an order of %u is above the number of parameters here, %zu",
                           group->order, group->params.count);
}

/* `{ A, B } @ 3`, from its brace. */
int eo__pairwise_read_group(eo_pairwise_reader *reader, eo_pairwise_span line, bool relation) {
  eo_pairwise_model *model = reader->model;
  if ((relation ? model->groups.count : model->relations.count) > 0) {
    return eo__pairwise_fail(reader, line.start, "a model has sub-models or relations, not both");
  }
  eo_pairwise_group group = {.line = eo__pairwise_line(reader, line.start)};
  size_t open = eo__pairwise_find(reader, line, '{'), close = eo__pairwise_find(reader, line, '}');
  if (close == line.end) return eo__pairwise_fail(reader, open, "there is no } for this { on the same line");
  eo_pairwise_span inside = eo__pairwise_trim(reader, open + 1, close);
  if (inside.start == inside.end) return eo__pairwise_fail(reader, open, "no parameter is named between { and }");
  bool known = false;
  int code = read_members(reader, &group, inside, relation, &known);
  if (code == EO_OK && !known) {
    eo_vec_release(&group.params);
    return EO_OK;
  }
  if (code == EO_OK) code = sort_members(reader, &group, open);
  if (code == EO_OK) code = read_order(reader, &group, eo__pairwise_trim(reader, close + 1, line.end));
  if (code == EO_OK) {
    bool pushed = relation ? eo_vec_push(&model->relations, group) : eo_vec_push(&model->groups, group);
    if (pushed) return EO_OK;
    code = eo__error_nomem(reader->error);
  }
  eo_vec_release(&group.params);
  return code;
}
