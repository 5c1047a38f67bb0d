/* params.c: see params.h; and the functions of everyorder.h that read parameters. They are no operations: a row is the
 * same in every execution, so that nobody can notice who reads it when. */
#include "core/params.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/own.h"
#include "base/vec.h"
#include "core/program.h"

/* Set by P1 when it starts, in every execution: it must not be taken for a global of the program. */
EO_OWN static const eo_row *current;

typedef struct given_param {
  char *name, *value;
} given_param;
static EO_VEC(given_param) given; /* by eo_param_set */

eo_row *eo__row_open(const char *test, size_t count) {
  eo_row *row = eo__alloc(sizeof *row);
  if (!row) return NULL;
  row->test = eo__strdup(test);
  row->names = eo__alloc((count + 1) * sizeof *row->names);
  row->values = eo__alloc((count + 1) * sizeof *row->values);
  row->count = count;
  if (row->test && row->names && row->values) return row;
  eo__row_close(row);
  return NULL;
}

void eo__row_close(eo_row *row) {
  if (!row) return;
  for (size_t i = 0; row->names && row->values && i < row->count; i++) {
    eo__free(row->names[i]);
    eo__free(row->values[i]);
  }
  eo__free(row->names);
  eo__free(row->values);
  eo__free(row->test);
  eo__free(row);
}

void eo__row_use(const eo_row *row) { current = row; }

void eo__row_add(eo_text *text, const eo_row *row, char separator) {
  for (size_t i = 0; i < row->count; i++) {
    if (i > 0) eo__text_append(text, &separator, 1);
    eo__text_add(text, "%s=%s", row->names[i], row->values[i]);
  }
}

static size_t param_count(void) { return current ? current->count : given.count; }
static const char *param_name(size_t i) { return current ? current->names[i] : given.items[i].name; }

__attribute__((noreturn)) static void no_such(const eo_place *place, const char *function, const char *name) {
  char text[384];
  int length = snprintf(text, sizeof text, "there is no parameter \"%.64s\"; ", name);
  if (param_count() == 0)
    snprintf(text + length, sizeof text - (size_t)length,
             "there is none at all: declare them with EO_TEST_PARAMS, or give them with eo_param_set");
  for (size_t i = 0; i < param_count() && length < (int)sizeof text - 1; i++)
    length += snprintf(text + length, sizeof text - (size_t)length, "%s%s", i ? ", " : "there is: ", param_name(i));
  eo__misuse(place, function, text);
}

static const char *find(const eo_place *place, const char *function, const char *name) {
  if (!name) eo__misuse(place, function, "the name is NULL");
  for (size_t i = 0; i < param_count(); i++)
    if (strcmp(param_name(i), name) == 0) return current ? current->values[i] : given.items[i].value;
  no_such(place, function, name);
}

const char *eo_param_(const eo_place *place, const char *name) { return find(place, "eo_param", name); }

int64_t eo_param_int_(const eo_place *place, const char *name) {
  const char *value = find(place, "eo_param_int", name);
  const char *digits = value + (*value == '-' || *value == '+');
  int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
  char *end = NULL;
  int before = errno;
  errno = 0;
  long long number = *digits >= '0' && *digits <= '9' ? strtoll(value, &end, base) : 0;
  bool whole = end && !*end && errno == 0;
  errno = before;
  if (!whole) {
    char text[256];
    snprintf(text, sizeof text, "the value of %.64s is \"%.64s\", which is no whole number", name, value);
    eo__misuse(place, "eo_param_int", text);
  }
  return number;
}

bool eo_param_is_(const eo_place *place, const char *name, const char *value) {
  if (!value) eo__misuse(place, "eo_param_is", "the value is NULL");
  return strcmp(find(place, "eo_param_is", name), value) == 0;
}

bool eo_param_set(const char *name, const char *value) {
  if (eo__runtime) eo__misuse(NULL, "eo_param_set", "called inside a process; call it before they are started");
  if (!name) return false;
  size_t i = 0;
  while (i < given.count && strcmp(given.items[i].name, name) != 0) i++;
  char *copy = value ? eo__strdup(value) : NULL;
  if (value && !copy) return false;
  if (!value && i == given.count) return true;
  if (i == given.count) {
    given_param added = {eo__strdup(name), copy};
    if (added.name && eo_vec_push(&given, added)) return true;
    eo__free(added.name);
    eo__free(copy);
    return false;
  }
  eo__free(given.items[i].value);
  given.items[i].value = copy;
  if (value) return true;
  eo__free(given.items[i].name);
  memmove(&given.items[i], &given.items[i + 1], (--given.count - i) * sizeof *given.items);
  return true;
}
