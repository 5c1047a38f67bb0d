/* pict_options.c: PICT's options, for who types `everyorder pairwise` where PICT was. They begin with a slash or a dash and
 * are one letter, with a colon before the value. */
#include <string.h>

#include "cli/options.h"

static const char letters[] = "oerdancfsvx?";

/* /tmp/o is a path: an option has nothing after its letter, or a colon. */
bool eo__pict_option_is(const char *word) {
  if ((word[0] != '/' && word[0] != '-') || word[1] == '\0' || strchr(letters, word[1]) == NULL) return false;
  return word[2] == '\0' || word[2] == ':';
}

static int one_character(const char *word, const char *value, char *field, eo_error *error) {
  if (value == NULL || value[0] == '\0' || value[1] != '\0' || (unsigned char)value[0] <= ' ')
    return eo__error_set(error, EO_EINPUT, "%.64s: expected one character after the colon", word);
  *field = value[0];
  return EO_OK;
}

static int text(const char *word, const char *value, const char *what, const char **field, eo_error *error) {
  if (value == NULL || value[0] == '\0')
    return eo__error_set(error, EO_EINPUT, "%.64s: expected %.2s:%s", word, word, what);
  *field = value;
  return EO_OK;
}

static int seed(eo_args *args, const char *word, const char *value, eo_error *error) {
  args->pict.draw_seed = value == NULL;
  if (value != NULL && !eo__text_number(value, UINT64_MAX, &args->explore.seed))
    return eo__error_set(error, EO_EINPUT, "%.64s: expected a whole number after the colon", word);
  return EO_OK;
}

static int format(eo_args *args, const char *word, const char *value, eo_error *error) {
  if (value != NULL && strcmp(value, "text") == 0)
    args->output = 0;
  else if (value != NULL && strcmp(value, "json") == 0)
    args->output = 2;
  else
    return eo__error_set(error, EO_EINPUT, "%.64s: expected /f:text or /f:json; --output knows more formats", word);
  return EO_OK;
}

int eo__pict_option(eo_args *args, const char *word, eo_error *error) {
  const char *value = word[2] == ':' ? word + 3 : NULL;
  switch (word[1]) {
    case 'o': return text(word, value, "N", &args->order, error);
    case 'e': args->drop_unknown = 1; return text(word, value, "FILE", &args->existing, error);
    case 'r': return seed(args, word, value, error);
    case 'd': return one_character(word, value, &args->pict.value_separator, error);
    case 'a': return one_character(word, value, &args->pict.alias_separator, error);
    case 'n': return one_character(word, value, &args->pict.invalid_prefix, error);
    case 'f': return format(args, word, value, error);
    case '?': args->help = 1; return EO_OK;
    case 'c': args->pict.case_sensitive = true; break;
    case 's': args->pict.statistics = true; break;
    default:
      return eo__error_set(error, EO_EINPUT, "%.64s is an option of PICT that means nothing here: leave it out", word);
  }
  return value == NULL ? EO_OK : eo__error_set(error, EO_EINPUT, "%.2s takes no value", word);
}
