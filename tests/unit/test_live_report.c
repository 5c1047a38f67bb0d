/* test_live_report.c: the log of --live, line by line: every line is one JSON object whatever the program under test puts
 * into it, progress comes at most twice a second, and the last line has the worst verdict.
 * valgrind: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <cmocka.h>

#include "core/report.h"
#include "report/report.h"

enum { LINES = 64 };

typedef struct log_lines {
  json_t *lines[LINES];
  size_t count;
} log_lines;

static void read_log(log_lines *log, char *text) {
  log->count = 0;
  for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    *end = '\0';
    assert_true(log->count < LINES);
    assert_true(strlen(line) < 32768);
    for (const char *at = line; *at != '\0'; at++) assert_true((unsigned char)*at >= ' ');
    log->lines[log->count] = json_loads(line, 0, NULL);
    assert_non_null(log->lines[log->count]);
    assert_memory_equal(line, "{\"event\":", strlen("{\"event\":"));
    log->count++;
  }
}

static const char *member(const log_lines *log, size_t line, const char *key) {
  assert_true(line < log->count);
  return json_string_value(json_object_get(log->lines[line], key));
}

static void forget_log(log_lines *log) {
  for (size_t i = 0; i < log->count; i++) json_decref(log->lines[i]);
}

static void write_run(eo_reporter *reporter, eo_run *run, const eo_finding *finding) {
  const eo_reporter_ops *ops = reporter->ops;
  ops->begin(reporter, run);
  for (int i = 0; i <= 20; i++) { /* two seconds, ten times a second */
    run->elapsed = i / 10.0;
    ops->progress(reporter, run);
  }
  if (finding != NULL) ops->finding(reporter, run, finding);
  ops->end(reporter, run);
}

static void events_in_order(void **state) {
  static const char *const expected[] = {"run",      "begin",    "progress", "progress", "progress", "progress",
                                         "progress", "finding",  "end",      "begin",    "progress", "progress",
                                         "progress", "progress", "progress", "end",      "done"};
  char *text;
  size_t size;
  log_lines log;
  eo_finding finding;
  (void)state;
  FILE *out = open_memstream(&text, &size);
  eo_reporter *reporter = eo__report_live(out, false);
  eo_run run = {.program = "p",
                .subject = "actor",
                .test = "t",
                .strategy = "dfs",
                .options = "",
                .share = -1,
                .verdict = EO_FAIL,
                .executions = UINT64_MAX / 2};
  eo__finding_init(&finding);
  finding.failure.kind = EO_KIND_DEADLOCK;
  write_run(reporter, &run, &finding);
  run.verdict = EO_PASS;
  write_run(reporter, &run, NULL);
  reporter->ops->close(reporter);
  fclose(out);
  read_log(&log, text);
  assert_int_equal(log.count, sizeof(expected) / sizeof(expected[0]));
  for (size_t i = 0; i < log.count; i++) assert_string_equal(member(&log, i, "event"), expected[i]);
  assert_string_equal(member(&log, 7, "kind"), "deadlock");
  assert_string_equal(member(&log, 8, "verdict"), "fail");
  assert_string_equal(member(&log, 15, "verdict"), "pass");
  assert_string_equal(member(&log, 16, "verdict"), "fail");
  assert_true(json_is_null(json_object_get(log.lines[2], "share")));
  assert_true(json_is_null(json_object_get(log.lines[7], "ticket")));
  assert_int_equal(json_integer_value(json_object_get(log.lines[2], "executions")), INT64_MAX);
  forget_log(&log);
  free(text);
  eo__finding_release(&finding);
}

static void hostile_strings(void **state) {
  char all[256], longest[5000];
  char *text;
  size_t size;
  log_lines log;
  eo_finding finding;
  (void)state;
  for (int i = 1; i < 256; i++) all[i - 1] = (char)i;
  all[255] = '\0';
  memset(longest, '\1', sizeof(longest) - 1); /* each takes six characters */
  longest[sizeof(longest) - 1] = '\0';
  FILE *out = open_memstream(&text, &size);
  eo_reporter *reporter = eo__report_live(out, false);
  eo_run run = {
      .program = all, .subject = all, .test = longest, .strategy = all, .options = "\xe2\x82\xac \"\\", .share = -1};
  eo__finding_init(&finding);
  memset(finding.failure.message, '\2', sizeof(finding.failure.message) - 1);
  memset(finding.failure.file, '\xff', sizeof(finding.failure.file) - 1);
  memset(finding.failure.process, '"', sizeof(finding.failure.process) - 1);
  finding.ticket = longest;
  reporter->ops->begin(reporter, &run);
  reporter->ops->finding(reporter, &run, &finding);
  reporter->ops->close(reporter);
  fclose(out);
  read_log(&log, text);
  assert_int_equal(log.count, 4);
  assert_string_equal(member(&log, 1, "options"), "\xe2\x82\xac \"\\");
  assert_int_equal(strlen(member(&log, 1, "test")), 1024);
  assert_memory_equal(member(&log, 2, "file"), "\xef\xbf\xbd\xef\xbf\xbd", 6);
  assert_int_equal(strlen(member(&log, 2, "message")), sizeof(finding.failure.message) - 1);
  forget_log(&log);
  free(text);
  finding.ticket = NULL;
  eo__finding_release(&finding);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_in_order),
      cmocka_unit_test(hostile_strings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
