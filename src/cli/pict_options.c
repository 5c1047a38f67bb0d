/* pict_options.c: PICT's options, for who types `everyorder pairwise` where PICT was; and PICT's whole command line, where a
 * link to the command is called `pict`. An option begins with a slash or a dash and is one letter, in either case, with a
 * colon before the value. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const char letters[] = "oerdancfsvxp?";

/* /tmp/o is a path: an option has nothing after its letter, or a colon. */
bool eo__pict_option_is(const char *word) {
  if ((word[0] != '/' && word[0] != '-') || word[1] == '\0') return false;
  if (strchr(letters, tolower((unsigned char)word[1])) == NULL) return false;
  return word[2] == '\0' || word[2] == ':';
}

static int separator(const char *word, const char *value, char *field, eo_error *error) {
  if (value != NULL && strcmp(value, "tab") == 0)
    *field = '\t';
  else if (value != NULL && strcmp(value, "space") == 0)
    *field = ' ';
  else if (value != NULL && value[0] != '\0' && value[1] == '\0')
    *field = value[0];
  else
    return eo__error_set(error, EO_EINPUT, "%.64s: expected one character after the colon, or tab, or space", word);
  return EO_OK;
}

static int prefix(const char *word, const char *value, char *field, eo_error *error) {
  if (value == NULL || value[0] == '\0' || value[1] != '\0')
    return eo__error_set(error, EO_EINPUT, "%.64s: expected one character after the colon", word);
  *field = value[0];
  return EO_OK;
}

static int file(const char *word, const char *value, const char **field, eo_error *error) {
  if (value == NULL || value[0] == '\0')
    return eo__error_set(error, EO_EINPUT, "%.64s: expected %.2s:FILE", word, word);
  *field = value;
  return EO_OK;
}

/* As PICT: what is after the point of a number does not count. */
static int order(eo_args *args, const char *word, const char *value, eo_error *error) {
  char *end = NULL;
  double number = value != NULL ? strtod(value, &end) : 0;
  if (value != NULL && strcmp(value, "max") == 0) {
    args->order = value;
    return EO_OK;
  }
  if (value == NULL || isspace((unsigned char)*value) || end == value || *end != '\0' || !(number >= 1) ||
      number > UINT32_MAX)
    return eo__error_set(error, EO_EINPUT, "%.64s: expected a whole number from 1 on after the colon, or max", word);
  args->pict.order = (uint32_t)number;
  return EO_OK;
}

static int seed(eo_args *args, const char *word, const char *value, eo_error *error) {
  args->pict.draw_seed = value == NULL;
  args->pict.seed_shown = true;
  if (value != NULL && !eo__text_number(value, UINT64_MAX, &args->explore.seed))
    return eo__error_set(error, EO_EINPUT, "%.64s: expected a whole number after the colon", word);
  return EO_OK;
}

static int format(eo_args *args, const char *word, const char *value, eo_error *error) {
  args->pict.json = value != NULL && strcmp(value, "json") == 0;
  if (args->pict.json || (value != NULL && strcmp(value, "text") == 0)) return EO_OK;
  return eo__error_set(error, EO_EINPUT, "%.64s: expected /f:text or /f:json; --output knows more formats", word);
}

int eo__pict_option(eo_args *args, const char *word, eo_error *error) {
  const char *value = word[2] == ':' ? word + 3 : NULL;
  switch (tolower((unsigned char)word[1])) {
    case 'o': return order(args, word, value, error);
    case 'e':
      args->drop_unknown = 1;
      args->pict.needed_only = true;
      return file(word, value, &args->existing, error);
    case 'r': return seed(args, word, value, error);
    case 'd': return separator(word, value, &args->pict.value_separator, error);
    case 'a': return separator(word, value, &args->pict.alias_separator, error);
    case 'n': return prefix(word, value, &args->pict.invalid_prefix, error);
    case 'f': return format(args, word, value, error);
    case '?': args->help = 1; return EO_OK;
    case 'c': args->pict.case_sensitive = true; break;
    case 's': args->pict.statistics = true; break;
    default:
      return eo__error_set(error, EO_EINPUT, "%.64s is an option of PICT that means nothing here: leave it out", word);
  }
  return value == NULL ? EO_OK : eo__error_set(error, EO_EINPUT, "%.2s takes no value", word);
}

/* ---- Under the name `pict` ------------------------------------------------------------------------------------ */

bool eo__pict_called(const char *name) {
  const char *slash = name != NULL ? strrchr(name, '/') : NULL;
  return name != NULL && strcmp(slash != NULL ? slash + 1 : name, "pict") == 0;
}

static int usage(void) {
  fputs(
      "Usage: pict MODEL [options]\n\n"
      "  /o:N|max       order of combinations (2)\n"
      "  /d:C           separator of values (,)\n"
      "  /a:C           separator of aliases (|)\n"
      "  /n:C           sign of invalid values (~)\n"
      "  /e:FILE        tests to begin with\n"
      "  /r[:N]         another set, drawn by N\n"
      "  /f:text|json   format of the tests (text)\n"
      "  /c             case matters\n"
      "  /s             statistics in place of tests\n\n"
      "This is everyorder pairwise, which has more options: everyorder pairwise --help\n",
      stdout);
  return EO_PICT_BAD_OPTION;
}

/* Options as PICT takes them: each at most once. Those that only change how PICT works are accepted: what is verbose,
 * a preview or an approximation of a set there is here the whole set. */
static int parse(eo_args *args, int argc, char **argv, eo_error *error) {
  bool seen[256] = {false};
  for (int i = 2; i < argc; i++) {
    const char *word = argv[i];
    unsigned char letter = (unsigned char)tolower((unsigned char)(word[0] != '\0' ? word[1] : '\0'));
    if (!eo__pict_option_is(word) || letter == '?')
      return eo__error_set(error, EO_EINPUT, "unknown option: %.64s", word);
    if (seen[letter]) return eo__error_set(error, EO_EINPUT, "option '%c' was given more than once", letter);
    seen[letter] = true;
    bool number = letter == 'x' && word[2] == ':' && word[3] != '\0';
    if (strchr("vpx", letter) != NULL) {
      if (word[2] == '\0' || number) continue;
      return eo__error_set(error, EO_EINPUT, "unknown option: %.64s", word);
    }
    /* What is not a number is a seed of 0 there. */
    if (letter == 'r' && word[2] == ':' && word[3] != '\0' && !eo__text_number(word + 3, UINT64_MAX, &(uint64_t){0})) {
      args->pict.seed_shown = true;
      continue;
    }
    int code = eo__pict_option(args, word, error);
    if (code != EO_OK) return code;
  }
  return EO_OK;
}

int eo__pict_main(const eo_front *front, int argc, char **argv) {
  eo_args args;
  eo_error error = {0};
  if (argc < 2 || strcmp(argv[1], "/?") == 0 || strcmp(argv[1], "-?") == 0) return usage();
  eo__args_init(&args);
  args.pict.called = true;
  args.operand = argv[1];
  int code = parse(&args, argc, argv, &error);
  int status = EO_PICT_BAD_OPTION;
  if (code == EO_OK)
    status = eo__cmd_pairwise(front, &args);
  else
    eo__fail(front, &error);
  eo__args_release(&args);
  return status;
}
