/* tests.c: which tests there are. A test with parameters becomes one test for each row, named NAME[ROW], so that whatever
 * explores, resumes, shares out or reports tests by their names need not know of rows. */
#include <fnmatch.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "cli/cli.h"
#include "core/program.h"
#include "registry/params.h"

/* ---- Names ---------------------------------------------------------------------------------------------------- */

static const char *declared_name(const eo_test *test) { return test->row != NULL ? test->row->test : test->name; }

/* Of what fnmatch knows, --test knows * and ?: a bracket is part of the name of a row. Without memory every test matches,
 * since no test may be left out in silence. */
static bool matches(const char *glob, const eo_test *test) {
  eo_text escaped;
  eo__text_init(&escaped);
  for (const char *c = glob; *c; c++) eo__text_add(&escaped, "%s%c", *c == '[' || *c == '\\' ? "\\" : "", *c);
  bool any = escaped.failed || fnmatch(escaped.chars, test->name, 0) == 0 ||
             fnmatch(escaped.chars, declared_name(test), 0) == 0;
  eo__text_release(&escaped);
  return any;
}

bool eo__test_wanted(const eo_args *args, const eo_test *test) {
  bool any = args->tests.count == 0;
  for (size_t i = 0; i < args->tests.count; i++) any = any || matches(args->tests.items[i], test);
  return any;
}

/* "clients=2,mode=safe" of "transfer[clients=2,mode=safe]", in *row; false: it is not that of this test. */
static bool names_row(const eo_test *test, const char *name, eo_text *row) {
  size_t length = strlen(test->name), whole = strlen(name);
  if (test->model == NULL || strncmp(name, test->name, length) != 0 || name[length] != '[' || name[whole - 1] != ']')
    return false;
  eo__text_append(row, name + length + 1, whole - length - 2);
  return !row->failed;
}

/* Might one of the --test mean this test or a row of it? With a `*` or `?` in it, nobody knows before there are rows. */
static bool may_be_wanted(const eo_args *args, const eo_test *test) {
  size_t length = strlen(test->name);
  bool any = args->tests.count == 0;
  for (size_t i = 0; i < args->tests.count; i++) {
    const char *glob = args->tests.items[i];
    any = any || strpbrk(glob, "*?") != NULL || strcmp(glob, test->name) == 0 ||
          (strncmp(glob, test->name, length) == 0 && glob[length] == '[');
  }
  return any;
}

/* ---- Rows ----------------------------------------------------------------------------------------------------- */

/* A test for this row, which it takes over; rows are kept as long as the program runs. */
static eo_test *instance(const eo_test *test, eo_row *row) {
  eo_text name;
  eo_test *made = eo__alloc(sizeof(*made));
  eo__text_init(&name);
  eo__text_add(&name, "%s[", test->name);
  eo__row_add(&name, row, ',');
  eo__text_add(&name, "]");
  char *copy = name.failed ? NULL : eo__strdup(name.chars);
  eo__text_release(&name);
  if (made == NULL || copy == NULL) {
    eo__free(made);
    eo__free(copy);
    eo__row_close(row);
    return NULL;
  }
  *made = (eo_test){.name = copy, .place = test->place, .body = test->body, .model = test->model, .row = row};
  return made;
}

/* Puts the row behind `last`, unless it is there already. */
static int append(const eo_test *test, eo_row *row, eo_test **first, eo_test ***last, eo_error *error) {
  eo_test *made = instance(test, row);
  if (made == NULL) return eo__error_nomem(error);
  for (const eo_test *other = *first; other != NULL && other != made; other = other->next)
    if (row->number == 0 && other->row != NULL && strcmp(other->name, made->name) == 0) {
      eo__free((char *)made->name);
      eo__free(made);
      eo__row_close(row);
      return EO_OK;
    }
  **last = made;
  *last = &made->next;
  return EO_OK;
}

/* Rows that --test names in full are run even if they are not in the set. */
static int append_named(const eo_args *args, const eo_test *test, uint32_t *count, eo_test **first, eo_test ***last,
                        eo_error *error) {
  int code = EO_OK;
  for (size_t i = 0; code == EO_OK && i < args->tests.count; i++) {
    eo_text text;
    eo_row *row = NULL;
    eo__text_init(&text);
    if (strpbrk(args->tests.items[i], "*?") == NULL && names_row(test, args->tests.items[i], &text)) {
      code = eo__params_row(test, text.chars, ',', &row, error);
      eo_test **before = *last;
      if (code == EO_OK) code = append(test, row, first, last, error);
      if (code == EO_OK && *before != NULL) row->number = ++*count;
    }
    eo__text_release(&text);
  }
  return code;
}

static int expand(const eo_args *args, const eo_test *test, eo_test **first, eo_test ***last, eo_error *error) {
  eo_row_list list = {0};
  uint32_t count = 0;
  int code = eo__params_rows(test, args->params, &list, error);
  for (size_t i = 0; code == EO_OK && i < list.rows.count; i++) {
    code = append(test, list.rows.items[i], first, last, error);
    list.rows.items[i] = NULL;
    count++;
  }
  if (code == EO_OK) code = append_named(args, test, &count, first, last, error);
  eo__row_list_release(&list);
  return code;
}

/* ---- All of them ---------------------------------------------------------------------------------------------- */

const char *eo__test_nearest(const char *word) {
  const char *nearest = NULL;
  for (const eo_test *test = eo__tests(); test != NULL; test = test->next) {
    const char *pair[] = {declared_name(test), nearest};
    nearest = eo__text_nearest(word, pair, nearest != NULL ? 2 : 1);
  }
  return nearest;
}

static int no_match(const char *glob, eo_error *error) {
  eo_text names;
  eo__text_init(&names);
  const char *before = "";
  for (const eo_test *test = eo__tests(); test != NULL; test = test->next) {
    if (strcmp(before, declared_name(test)) == 0) continue; /* rows of one test */
    before = declared_name(test);
    eo__text_add(&names, "%s%s", names.length > 0 ? ", " : "", before);
  }
  int code = eo__error_set(error, EO_EINPUT, "no test matches %.64s; there is: %.400s%s", glob, names.chars,
                           names.length > 400 ? " ... (see list)" : "");
  eo__text_release(&names);
  const char *nearest = eo__test_nearest(glob);
  return nearest != NULL ? eo__error_suggest(error, glob, &nearest, 1) : code;
}

/* Those that a front end makes. */
static int make_test(const char *name, eo_error *error) {
  char why[400];
  return eo__tests_make(name, why, sizeof why) ? EO_OK : eo__error_set(error, EO_EINPUT, "%s", why);
}

static int make_tests(const eo_args *args, eo_error *error) {
  int code = EO_OK;
  for (size_t i = 0; code == EO_OK && i < args->tests.count; i++) code = make_test(args->tests.items[i], error);
  return code;
}

static int check_declared(eo_error *error) {
  if (eo__tests() == NULL && eo__tests_none() != NULL) return eo__error_set(error, EO_EINPUT, "%s", eo__tests_none());
  if (eo__tests() == NULL)
    return eo__error_set(error, EO_EINPUT,
                         "there are no tests in this program: declare them with EO_TEST(name) { ... }");
  for (const eo_test *test = eo__tests(); test != NULL; test = test->next)
    for (const eo_test *other = test->next; other != NULL; other = other->next)
      if (strcmp(test->name, other->name) == 0)
        return eo__error_set(error, EO_EINPUT, "two tests are named %.64s, at %.100s:%d and %.100s:%d: rename one",
                             test->name, test->place.file, test->place.line, other->place.file, other->place.line);
  return EO_OK;
}

static int check_wanted(const eo_args *args, eo_error *error) {
  for (size_t i = 0; i < args->tests.count; i++) {
    bool any = false;
    for (const eo_test *test = eo__tests(); test != NULL; test = test->next)
      any = any || matches(args->tests.items[i], test);
    if (!any) return no_match(args->tests.items[i], error);
  }
  return EO_OK;
}

int eo__tests_prepare(const eo_args *args, eo_error *error) {
  int code = make_tests(args, error);
  if (code == EO_OK) code = check_declared(error);
  bool any_model = false;
  for (const eo_test *test = eo__tests(); code == EO_OK && test != NULL; test = test->next)
    any_model = any_model || test->model != NULL;
  if (code == EO_OK && args->params != NULL && !any_model)
    return eo__error_set(error, EO_EINPUT,
                         "--params: no test of this program has parameters; EO_TEST_PARAMS declares them");
  eo_test *first = NULL, **last = &first, *next = NULL;
  for (eo_test *test = any_model ? eo__tests() : NULL; code == EO_OK && test != NULL; test = next) {
    next = test->next;
    if (test->model != NULL && may_be_wanted(args, test)) {
      code = expand(args, test, &first, &last, error);
    } else {
      test->next = NULL;
      *last = test;
      last = &test->next;
    }
  }
  if (code == EO_OK && any_model) eo__tests_replace(first);
  return code == EO_OK ? check_wanted(args, error) : code;
}

int eo__test_find_row(const char *name, const char *row, eo_test **found, eo_error *error) {
  eo_row *made = NULL;
  if (row[0] == '\0' && make_test(name, error) != EO_OK) return error->code;
  eo_test *test = eo__tests();
  while (test != NULL && strcmp(test->name, name) != 0) test = test->next;
  *found = test;
  if (test == NULL) return EO_OK;
  if ((test->model != NULL) != (row[0] != '\0')) {
    *found = NULL;
    return EO_OK;
  }
  if (test->model == NULL) return EO_OK;
  int code = eo__params_row(test, row, '\n', &made, error);
  *found = code == EO_OK ? instance(test, made) : NULL;
  return code == EO_OK && *found == NULL ? eo__error_nomem(error) : code;
}

int eo__test_find(const char *name, eo_test **found, eo_error *error) {
  *found = NULL;
  eo_error unwanted;
  if (make_test(name, error ? error : &unwanted) != EO_OK) return EO_EINPUT;
  for (eo_test *test = eo__tests(); test != NULL; test = test->next) {
    eo_text text;
    eo_row *row = NULL;
    int code = EO_OK;
    eo__text_init(&text);
    if (strcmp(test->name, name) == 0 && (test->model == NULL || test->row != NULL)) {
      *found = test;
    } else if (names_row(test, name, &text)) {
      code = eo__params_row(test, text.chars, ',', &row, error);
      *found = code == EO_OK ? instance(test, row) : NULL;
      if (code == EO_OK && *found == NULL) code = eo__error_nomem(error);
    }
    eo__text_release(&text);
    if (code != EO_OK || *found != NULL) return code;
  }
  return EO_OK;
}
