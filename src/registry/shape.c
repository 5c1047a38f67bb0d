/* shape.c: see shape.h. */
#include "registry/shape.h"

#include <string.h>

#include "registry/explore.h"
#include "registry/options.h"
#include "registry/registry.h"

/* A plug-in is told by what is in it, not by where it is. */
static int add_explorer(const char *explorer, eo_text *out, eo_error *error) {
  char build[65];
  if (!eo__explorer_is_file(explorer)) {
    eo__text_add(out, "%s", explorer);
    return EO_OK;
  }
  int code = eo__program_build(explorer, build, error);
  if (code == EO_OK) eo__text_add(out, "plug-in %s", build);
  return code;
}

/* Strategies that draw as many executions as they are told do others when they are told another number. A search of a model
 * is the same however far it goes. */
static bool shapes(const eo_option *option, const eo_strategy_entry *strategy) {
  bool limit = (option->flags & EO_OPTION_LIMIT) != 0;
  if ((option->flags & EO_OPTION_SHAPES) == 0) return false;
  if (strategy->search && (limit || option == EO_OPTION_OF(cache_mb))) return false;
  return !limit || (option->heeded != 0 && eo__strategy_heeds(strategy, option));
}

int eo__shape_add(const eo_options *options, eo_text *out, eo_error *error) {
  const eo_strategy_entry *strategy = eo__strategy_find(options->strategy);
  eo_text value;
  int code = EO_OK;
  eo__text_init(&value);
  eo__text_add(out, "strategy %s\n", strategy->name);
  for (size_t i = 0; i < eo__option_count && code == EO_OK; i++) {
    const eo_option *option = &eo__options[i];
    if (!shapes(option, strategy)) continue;
    eo__text_clear(&value);
    if (option == EO_OPTION_OF(explorer) && options->explorer != NULL)
      code = add_explorer(options->explorer, &value, error);
    else
      eo__option_add(option, (const char *)options + option->field, &value);
    if (value.length > 0) eo__text_add(out, "%s %s\n", option->name, value.chars);
    if (value.failed) out->failed = true;
  }
  eo__text_release(&value);
  return code == EO_OK && out->failed ? eo__error_nomem(error) : code;
}

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
