/* sources.c: see sources.h. First all places are collected, then each file is read once. */
#include "report/sources.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/tree.h"

enum {
  AROUND = 5,               /* lines shown above and below */
  LARGEST_FILE = 8 << 20,   /* bytes; a larger one is hardly written by people */
  LARGEST_REPORT = 1 << 20, /* bytes of source in all */
  LONGEST_LINE = 400,       /* bytes */
  FOLDERS_UP = 8
};

typedef struct gathering {
  json_t *files;
  size_t room;
  bool failed; /* no memory */
} gathering;

/* ---- Places ----------------------------------------------------------------------------------------------------- */

static json_t *file_entry(gathering *all, const char *file) {
  json_t *entry = json_object_get(all->files, file);
  if (entry != NULL) return entry;
  entry = json_pack("{s:b,s:{}}", "newer", 0, "lines");
  if (json_object_set_new(all->files, file, entry) == 0) return entry;
  all->failed = true;
  return NULL;
}

/* `thing` is a finding or a step: both have a file and a line. */
static void add_place(gathering *all, const json_t *thing) {
  const char *file = json_string_value(json_object_get(thing, "file"));
  json_int_t line = json_integer_value(json_object_get(thing, "line"));
  if (file == NULL || *file == '\0' || line <= 0) return;
  json_t *entry = file_entry(all, file), *lines = json_object_get(entry, "lines");
  char key[24];
  for (json_int_t i = line > AROUND ? line - AROUND : 1; entry != NULL && i <= line + AROUND; i++) {
    snprintf(key, sizeof(key), "%lld", (long long)i);
    if (json_object_set_new(lines, key, json_null()) != 0) all->failed = true;
  }
}

static void add_places(gathering *all, const json_t *test) {
  const json_t *errors = json_object_get(test, "errors");
  for (size_t i = 0; i < json_array_size(errors); i++) {
    const json_t *finding = json_array_get(errors, i), *steps = json_object_get(finding, "steps");
    const json_t *last = NULL;
    add_place(all, finding);
    for (size_t j = 0; j < json_array_size(steps); j++) {
      const json_t *step = json_array_get(steps, j);
      /* Ten thousand turns of one loop are a few places. */
      bool same = last != NULL && json_equal(json_object_get(step, "line"), json_object_get(last, "line")) &&
                  json_equal(json_object_get(step, "file"), json_object_get(last, "file"));
      if (!same) add_place(all, step);
      last = step;
    }
  }
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static FILE *open_source(const char *path, struct stat *status) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return NULL;
  FILE *stream = NULL;
  if (fstat(file, status) == 0 && S_ISREG(status->st_mode) && status->st_size <= LARGEST_FILE)
    stream = fdopen(file, "r");
  if (stream == NULL) close(file);
  return stream;
}

/* The path as the compiler knew it is seen from a folder that nobody has recorded: this one, the program's, or one
 * above that. */
static FILE *find_source(const char *file, const char *program, struct stat *status) {
  char path[PATH_MAX], folder[PATH_MAX];
  FILE *found = open_source(file, status);
  if (found != NULL || file[0] == '/' || realpath(program, folder) == NULL) return found;
  for (int up = 0; up < FOLDERS_UP && found == NULL; up++) {
    char *slash = strrchr(folder, '/');
    if (slash == NULL) break;
    *slash = '\0';
    int length = snprintf(path, sizeof(path), "%s/%s", folder, file);
    if (length > 0 && (size_t)length < sizeof(path)) found = open_source(path, status);
  }
  return found;
}

/* Puts the text in the place of the null of each line that is wanted. */
static void fill_lines(gathering *all, FILE *source, json_t *lines) {
  char *line = NULL;
  size_t capacity = 0;
  char key[24];
  for (long number = 1; getline(&line, &capacity, source) >= 0; number++) {
    snprintf(key, sizeof(key), "%ld", number);
    if (json_object_get(lines, key) == NULL) continue;
    size_t length = strcspn(line, "\r\n");
    if (length > LONGEST_LINE) length = LONGEST_LINE;
    if (length > all->room) break;
    all->room -= length;
    line[length] = '\0';
    if (json_object_set_new(lines, key, eo__tree_text(line)) != 0) all->failed = true;
  }
  free(line);
}

static void drop_nulls(json_t *lines) {
  void *next;
  const char *key;
  json_t *value;
  json_object_foreach_safe(lines, next, key, value) {
    if (json_is_null(value)) json_object_del(lines, key);
  }
}

static void read_file(gathering *all, const char *file, json_t *entry, const char *program) {
  struct stat status, built;
  json_t *lines = json_object_get(entry, "lines");
  FILE *source = find_source(file, program, &status);
  if (source != NULL) {
    bool newer = stat(program, &built) == 0 && status.st_mtime > built.st_mtime;
    if (json_object_set_new(entry, "newer", json_boolean(newer)) != 0) all->failed = true;
    fill_lines(all, source, lines);
    fclose(source);
  }
  drop_nulls(lines);
}

json_t *eo__sources(const json_t *report) {
  const json_t *tests = json_object_get(report, "tests");
  gathering all = {.files = json_object(), .room = LARGEST_REPORT};
  const char *program = json_string_value(json_object_get(json_array_get(tests, 0), "program"));
  if (all.files == NULL) return NULL;
  for (size_t i = 0; i < json_array_size(tests); i++) add_places(&all, json_array_get(tests, i));
  void *next;
  const char *file;
  json_t *entry;
  json_object_foreach_safe(all.files, next, file, entry) {
    read_file(&all, file, entry, program != NULL ? program : "");
    if (json_object_size(json_object_get(entry, "lines")) == 0) json_object_del(all.files, file);
  }
  if (!all.failed) return all.files;
  json_decref(all.files);
  return NULL;
}
