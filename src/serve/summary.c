/* summary.c: see summary.h. Files are somebody else's: whatever is in them, the worst is that little is said of them. */
#include "serve/summary.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "core/ticket.h"

enum {
  LARGEST_LOOKED_INTO = 4 << 20, /* a tree of JSON takes about ten times its text */
  HEAD = 4096,
  TAIL = 64 << 10,
  TESTS_MAX = 100,
  FAILED_MAX = 8 /* names of failing tests that are listed of a log */
};

json_t *eo__serve_string(const char *chars) {
  json_t *made = json_string(chars);
  if (made != NULL) return made;
  eo_text clean;
  eo__text_init(&clean);
  size_t left = strlen(chars);
  while (left > 0) {
    size_t length = eo__text_utf8(chars, left);
    eo__text_append(&clean, length > 0 ? chars : "\xef\xbf\xbd", length > 0 ? length : 3);
    chars += length > 0 ? length : 1;
    left -= length > 0 ? length : 1;
  }
  made = clean.failed ? NULL : json_string(clean.chars);
  eo__text_release(&clean);
  return made;
}

/* Bytes of the file from `from` on, terminated; NULL: it cannot be read, or no memory. */
static char *read_part(int file, uint64_t from, size_t size, size_t *got) {
  char *bytes = eo__alloc(size + 1);
  *got = 0;
  while (bytes != NULL && *got < size) {
    ssize_t now = pread(file, bytes + *got, size - *got, (off_t)(from + *got));
    if (now <= 0) break;
    *got += (size_t)now;
  }
  return bytes;
}

static void copy(json_t *to, json_t *from, const char *key) {
  json_t *value = json_object_get(from, key);
  if (json_is_string(value) || json_is_number(value)) json_object_set(to, key, value);
}

/* ---- A report ------------------------------------------------------------------------------------------------- */

static json_t *summarise_test(json_t *test) {
  static const char *const keys[] = {"program", "test", "strategy", "verdict", "executions", "elapsed_s"};
  json_t *made = json_object();
  for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) copy(made, test, keys[i]);
  json_object_set_new(made, "findings", json_integer((json_int_t)json_array_size(json_object_get(test, "errors"))));
  return made;
}

static json_t *summarise_report(const char *bytes, size_t size) {
  json_t *report = json_loadb(bytes, size, 0, NULL);
  json_t *tests = json_object_get(report, "tests"), *made = NULL;
  if (json_is_integer(json_object_get(report, "everyorder")) && json_is_array(tests)) {
    json_t *list = json_array();
    made = json_object();
    for (size_t i = 0; i < json_array_size(tests) && i < TESTS_MAX; i++)
      json_array_append_new(list, summarise_test(json_array_get(tests, i)));
    json_object_set_new(made, "count", json_integer((json_int_t)json_array_size(tests)));
    json_object_set_new(made, "tests", list);
  }
  json_decref(report);
  return made;
}

/* ---- A ticket ------------------------------------------------------------------------------------------------- */

static json_t *summarise_ticket(const char *bytes, size_t size) {
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  json_t *made = json_object();
  if (eo__ticket_parse(&ticket, bytes, size, NULL) == EO_OK) {
    json_object_set_new(made, "program", eo__serve_string(ticket.program));
    json_object_set_new(made, "test", eo__serve_string(ticket.test));
    json_object_set_new(made, "finding", eo__serve_string(eo__kind_name(ticket.kind)));
    json_object_set_new(made, "message", eo__serve_string(ticket.message));
    json_object_set_new(made, "at", eo__serve_string(ticket.at));
    json_object_set_new(made, "steps", json_integer((json_int_t)ticket.steps.count));
  } else {
    json_object_set_new(made, "damaged", json_true());
  }
  eo__ticket_release(&ticket);
  return made;
}

/* ---- A log ---------------------------------------------------------------------------------------------------- */

/* Adds the test that the line is about to those that failed, once. */
static void note_failed(json_t *made) {
  json_t *test = json_object_get(made, "test"), *failed = json_object_get(made, "failed");
  json_object_set_new(made, "verdict", json_string("fail"));
  if (!json_is_string(test)) return;
  if (failed == NULL) {
    failed = json_array();
    json_object_set_new(made, "failed", failed);
  }
  for (size_t i = 0; i < json_array_size(failed); i++)
    if (json_equal(json_array_get(failed, i), test)) return;
  if (json_array_size(failed) < FAILED_MAX) json_array_append(failed, test);
}

/* The later line wins; what happened before the tail is not known, but for the program. A run has a verdict when it is
 * done, and before that if a finding has decided it: that of a run that was killed is never what its last test said. */
static void note_line(json_t *made, const char *line, size_t length) {
  static const char *const keys[] = {"program", "test", "strategy", "executions", "findings", "elapsed_s"};
  json_t *event = json_loadb(line, length, 0, NULL);
  const char *name = json_string_value(json_object_get(event, "event"));
  if (name != NULL) {
    bool done = strcmp(name, "done") == 0;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) copy(made, event, keys[i]);
    if (done)
      copy(made, event, "verdict");
    else if (strcmp(name, "finding") == 0 || json_integer_value(json_object_get(event, "findings")) > 0)
      note_failed(made);
    json_object_set_new(made, "done", json_boolean(done));
  }
  json_decref(event);
}

static void note_lines(json_t *made, const char *bytes, size_t size, bool from_start) {
  const char *at = bytes, *end = bytes + size;
  if (!from_start) at = memchr(bytes, '\n', size); /* the first line may be half a one */
  while (at != NULL && at < end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    if (newline == NULL) break;
    if (newline > at) note_line(made, at, (size_t)(newline - at));
    at = newline + 1;
  }
}

static json_t *summarise_live(int file, const char *head, size_t head_size, uint64_t size) {
  size_t tail_size;
  json_t *made = json_object();
  json_object_set_new(made, "done", json_false());
  note_lines(made, head, head_size, true);
  uint64_t from = size > TAIL ? size - TAIL : 0;
  char *tail = read_part(file, from, TAIL, &tail_size);
  if (tail != NULL) note_lines(made, tail, tail_size, from == 0);
  eo__free(tail);
  return made;
}

json_t *eo__serve_summarise(int file, eo_serve_kind kind, const struct stat *status) {
  size_t size;
  bool large = status->st_size > LARGEST_LOOKED_INTO;
  bool whole = !large && (kind == EO_SERVE_REPORT || kind == EO_SERVE_TICKET);
  char *bytes = read_part(file, 0, whole ? (size_t)status->st_size : HEAD, &size);
  json_t *made = NULL;
  if (bytes == NULL) return NULL;
  bool ours = memmem(bytes, size < HEAD ? size : HEAD, "everyorder", strlen("everyorder")) != NULL ||
              memmem(bytes, size < HEAD ? size : HEAD, "Everyorder", strlen("Everyorder")) != NULL;
  if (kind == EO_SERVE_LIVE)
    made = summarise_live(file, bytes, size, (uint64_t)status->st_size);
  else if (kind == EO_SERVE_TICKET && !large)
    made = summarise_ticket(bytes, size);
  else if (kind == EO_SERVE_REPORT && !large && ours)
    made = summarise_report(bytes, size);
  else if (ours)
    made = json_object();
  if (large && made != NULL && kind != EO_SERVE_LIVE) json_object_set_new(made, "large", json_true());
  eo__free(bytes);
  return made;
}
