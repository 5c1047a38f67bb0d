/* cmd_model.c: `everyorder model FILE`: a Promela model in the place of a test program. It is one test, named after the
 * file, and one more for each of its properties, named FILE:PROPERTY; what explores, replays, shows and reports tests of
 * programs does the same for them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/file.h"
#include "cli/cli.h"
#include "core/program.h"
#include "registry/registry.h"
#include "subjects/model/property.h"

typedef struct opened {
  eo_front front;
  eo_promela *model;
  char name[128], build[65];
  EO_VEC(eo_test) tests; /* the first: what is no property */
  eo_row *row;
  eo_strings defines; /* "-DN=3" */
} opened;

static void close_model(opened *o) {
  eo__tests_replace(NULL);
  for (size_t i = 1; i < o->tests.count; i++) eo__free((char *)o->tests.items[i].name);
  eo_vec_release(&o->tests);
  eo__promela_close(o->model);
  eo__row_close(o->row);
  for (size_t i = 0; i < o->defines.count; i++) eo__free(o->defines.items[i]);
  eo_vec_release(&o->defines);
}

/* "elections/ring.pml" is the test "ring". */
static void name_test(opened *o, const char *path) {
  const char *slash = strrchr(path, '/'), *start = slash != NULL ? slash + 1 : path;
  snprintf(o->name, sizeof(o->name), "%s", start);
  char *dot = strrchr(o->name, '.');
  if (dot != NULL && dot != o->name) *dot = '\0';
}

static int add_define(opened *o, const char *text, size_t length, eo_error *error) {
  eo_text word;
  eo__text_init(&word);
  eo__text_add(&word, "-D%.*s", (int)length, text);
  char *copy = word.failed ? NULL : eo__strdup(word.chars);
  eo__text_release(&word);
  if (copy != NULL && eo_vec_push(&o->defines, copy)) return EO_OK;
  eo__free(copy);
  return eo__error_nomem(error);
}

/* What was defined, as the row of parameters of the test: in reports and tickets. */
static int make_row(opened *o, eo_error *error) {
  if (o->defines.count == 0) return EO_OK;
  o->row = eo__row_open(o->name, o->defines.count);
  if (o->row == NULL) return eo__error_nomem(error);
  for (size_t i = 0; i < o->defines.count; i++) {
    const char *text = o->defines.items[i] + 2, *equals = strchr(text, '=');
    eo_text name;
    eo__text_init(&name);
    eo__text_append(&name, text, equals != NULL ? (size_t)(equals - text) : strlen(text));
    o->row->names[i] = name.failed ? NULL : eo__strdup(name.chars);
    o->row->values[i] = eo__strdup(equals != NULL ? equals + 1 : "1");
    eo__text_release(&name);
    if (o->row->names[i] == NULL || o->row->values[i] == NULL) return eo__error_nomem(error);
  }
  return EO_OK;
}

/* ---- Properties ------------------------------------------------------------------------------------------------- */

static bool names(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at != NULL; at = strchr(at, ','), at += at != NULL)
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
  return false;
}

static int no_such_property(const opened *o, const char *name, size_t length, eo_error *error) {
  eo_text there;
  eo__text_init(&there);
  for (uint32_t i = 0; i < o->model->property_count; i++) eo__text_add(&there, "%s, ", o->model->properties[i]->name);
  int code = eo__error_set(error, EO_EINPUT, "there is no property '%.*s'; there are %snone and all", (int)length, name,
                           there.chars);
  eo__text_release(&there);
  return code;
}

static int check_list(const opened *o, const char *list, eo_error *error) {
  for (const char *at = list; at != NULL; at = strchr(at, ','), at += at != NULL) {
    size_t length = strcspn(at, ",");
    bool there = (length == 4 && memcmp(at, "none", 4) == 0) || (length == 3 && memcmp(at, "all", 3) == 0);
    for (uint32_t i = 0; i < o->model->property_count && !there; i++) {
      const char *name = o->model->properties[i]->name;
      there = strlen(name) == length && memcmp(name, at, length) == 0;
    }
    if (!there) return no_such_property(o, at, length, error);
  }
  return EO_OK;
}

/* Is it among those that are asked for? Without a list, that is what the model itself says. */
static bool is_asked(const eo_promela_property *property, const char *list) {
  if (list == NULL) return !property->asked;
  return names(list, property->name) || names(list, "all");
}

/* A test for each property that is asked for, behind the one for everything else, unless there is a list without `none`. */
static int make_tests(opened *o, const char *path, const char *list, eo_error *error) {
  eo_test plain = {.name = o->name, .place = {.file = path, .function = "", .line = 1}, .row = o->row};
  bool good = eo_vec_push(&o->tests, plain);
  for (uint32_t i = 0; i < o->model->property_count && good; i++) {
    const eo_promela_property *property = o->model->properties[i];
    if (!is_asked(property, list)) continue;
    eo_text name;
    eo__text_init(&name);
    eo__text_add(&name, "%s:%s", o->name, property->name);
    eo_test made = {.name = name.failed ? NULL : eo__strdup(name.chars),
                    .place = {.file = path, .function = "", .line = property->line},
                    .row = o->row};
    good = made.name != NULL && eo_vec_push(&o->tests, made);
    eo__text_release(&name);
  }
  if (!good) return eo__error_nomem(error);
  for (size_t i = 0; i + 1 < o->tests.count; i++) o->tests.items[i].next = &o->tests.items[i + 1];
  bool alone = list != NULL && !names(list, "none") && !names(list, "all");
  eo__tests_replace(&o->tests.items[alone ? 1 : 0]);
  return EO_OK;
}

static int open_model(opened *o, const eo_front *front, const char *path, const char *properties, eo_error *error) {
  o->model = eo__promela_open(path, (const char *const *)o->defines.items, o->defines.count, error);
  if (o->model == NULL) return error->code;
  name_test(o, path);
  int code = make_row(o, error);
  snprintf(o->build, sizeof(o->build), "%016llx%016llx", (unsigned long long)o->model->hash[1],
           (unsigned long long)o->model->hash[0]);
  if (code == EO_OK) code = check_list(o, properties, error);
  if (code == EO_OK) code = make_tests(o, path, properties, error);
  o->front = *front;
  o->front.program = path;
  o->front.model = o->model;
  o->front.build = o->build;
  return code;
}

static int explore(const eo_front *front, const eo_args *args, eo_handler handler) {
  opened o = {0};
  eo_error error = {0};
  int code = EO_OK;
  for (size_t i = 0; i < args->defines.count && code == EO_OK; i++)
    code = add_define(&o, args->defines.items[i], strlen(args->defines.items[i]), &error);
  if (code == EO_OK) code = open_model(&o, front, args->operand, args->property, &error);
  int status = code == EO_OK ? handler(&o.front, args) : eo__fail(front, &error);
  close_model(&o);
  return status;
}

int eo__cmd_model(const eo_front *front, const eo_args *args) {
  eo_args own = *args;
  if (own.explore.strategy == NULL) own.explore.strategy = eo__strategies[EO_STRATEGY_FULL].name;
  eo_error error = {0};
  if (args->interactive && !args->simulate) eo__error_set(&error, EO_EINPUT, "--interactive goes with --simulate");
  if (error.code != EO_OK) return eo__fail(front, &error);
  return explore(front, &own, args->simulate ? eo__cmd_simulate : eo__cmd_test);
}

int eo__cmd_reach_model(const eo_front *front, const eo_args *args) {
  eo_error error = {0};
  eo_args own = *args;
  if (eo__args_check_model(args, &error) != EO_OK) return eo__fail(front, &error);
  own.property = "none"; /* it is about sequences of messages */
  return explore(front, &own, eo__cmd_reach);
}

/* ---- Tickets ---------------------------------------------------------------------------------------------------- */

bool eo__is_model(const char *path) {
  unsigned char magic[4] = {0};
  int file = eo__file_open(path);
  if (file < 0) return false;
  ssize_t got = read(file, magic, sizeof(magic));
  close(file);
  return got < (ssize_t)sizeof(magic) || memcmp(magic, "\177ELF", sizeof(magic)) != 0;
}

int eo__model_ticket(const eo_front *front, const eo_args *args, const eo_ticket *ticket, const char *path,
                     eo_handler handler) {
  opened o = {0};
  eo_error error = {0};
  eo_args own = *args;
  own.program = NULL; /* it was found */
  int code = EO_OK;
  for (const char *line = ticket->params; *line != '\0' && code == EO_OK;) {
    size_t length = strcspn(line, "\n");
    code = add_define(&o, line, length, &error);
    line += length + (line[length] == '\n');
  }
  if (code == EO_OK && args->gdb)
    code = eo__error_set(&error, EO_EINPUT, "--gdb is for programs; replay --until STEP stops a model at a step");
  if (code == EO_OK) code = open_model(&o, front, path, "all", &error);
  int status = code == EO_OK ? handler(&o.front, &own) : eo__fail(front, &error);
  close_model(&o);
  return status;
}
