/* shape.c: see shape.h. */
#include "registry/shape.h"

#include <string.h>

typedef struct line {
  const char *name, *value;
  int name_length, value_length;
} line;

/* Takes the first line off *text; false: there is none. */
static bool next_line(const char **text, line *out) {
  size_t length = strcspn(*text, "\n"), name = strcspn(*text, " \n");
  if (!**text) return false;
  size_t value = name < length ? name + 1 : length;
  *out = (line){*text, *text + value, (int)name, (int)(length - value)};
  *text += length + ((*text)[length] == '\n');
  return true;
}

static bool find(const char *text, const line *wanted, line *out) {
  while (next_line(&text, out))
    if (out->name_length == wanted->name_length && memcmp(out->name, wanted->name, (size_t)wanted->name_length) == 0)
      return true;
  *out = (line){.value = "default", .value_length = (int)strlen("default")};
  return false;
}

static void add(eo_text *out, const line *option, const line *first, const char *first_word, const line *second,
                const char *second_word) {
  eo__text_add(out, "%s--%.*s (%s: %.*s, %s: %.*s)", out->length ? ", " : "", option->name_length, option->name,
               first_word, first->value_length, first->value, second_word, second->value_length, second->value);
}

bool eo__shape_differs(const char *first, const char *first_word, const char *second, const char *second_word,
                       eo_text *out) {
  line one, other;
  bool differs = strcmp(first, second) != 0;
  for (const char *rest = first; next_line(&rest, &one);) {
    find(second, &one, &other);
    if (one.value_length != other.value_length || memcmp(one.value, other.value, (size_t)one.value_length) != 0)
      add(out, &one, &one, first_word, &other, second_word);
  }
  for (const char *rest = second; next_line(&rest, &other);)
    if (!find(first, &other, &one)) add(out, &other, &one, first_word, &other, second_word);
  return differs;
}
