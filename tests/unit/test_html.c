/* test_html.c: JSON inside an HTML page stays data, whatever is in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/html.h"
#include "report/report.h"
#include "report/sources.h"
#include "report/tree.h"

static char *written(const char *json) {
  char *bytes = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  assert_non_null(stream);
  eo__html_write_json(stream, json);
  fclose(stream);
  return bytes;
}

static void check(const char *json, const char *expected) {
  char *bytes = written(json);
  assert_string_equal(bytes, expected);
  free(bytes);
}

static void escapes_what_html_reads(void **state) {
  (void)state;
  check("", "");
  check("{\"a\":[1,2]}", "{\"a\":[1,2]}");
  check("\"</script>\"", "\"\\u003c/script\\u003e\"");
  check("\"<!--&amp;\"", "\"\\u003c!--\\u0026amp;\"");
  check("\"\xe2\x80\xa8\xe2\x80\xa9\"", "\"\\u2028\\u2029\"");
  check("\"\xe2\x80\xa6 \xe2\x82\xac \xe2\"", "\"\xe2\x80\xa6 \xe2\x82\xac \xe2\"");
  check("\xe2\x80", "\xe2\x80");
}

/* Every string means the same after it as before. */
static void keeps_the_meaning(void **state) {
  (void)state;
  for (unsigned first = 1; first < 0x3000; first++) {
    if (first >= 0xd800 && first < 0xe000) continue;
    char text[16];
    size_t length = 0;
    if (first < 0x80) {
      text[length++] = (char)first;
    } else if (first < 0x800) {
      text[length++] = (char)(0xc0 | first >> 6);
      text[length++] = (char)(0x80 | (first & 0x3f));
    } else {
      text[length++] = (char)(0xe0 | first >> 12);
      text[length++] = (char)(0x80 | (first >> 6 & 0x3f));
      text[length++] = (char)(0x80 | (first & 0x3f));
    }
    memcpy(text + length, "</a>", 5);
    json_t *array = json_pack("[s]", text);
    assert_non_null(array);
    char *dumped = json_dumps(array, JSON_COMPACT), *bytes = written(dumped);
    assert_null(strpbrk(bytes, "<>&"));
    json_t *back = json_loads(bytes, 0, NULL);
    assert_string_equal(json_string_value(json_array_get(back, 0)), text);
    json_decref(back);
    json_decref(array);
    free(dumped);
    free(bytes);
  }
}

/* The page has room for the data in one place, and a program's texts do not add to its elements. */
static void writes_a_page(void **state) {
  (void)state;
  char *bytes = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  eo_reporter *reporter = eo__report_html(stream, false);
  eo_run run = {.program = "</script>\xff", .subject = "actor", .test = "<b>", .strategy = "dfs", .options = ""};
  eo_finding finding;
  eo__finding_init(&finding);
  finding.failure.kind = EO_KIND_ASSERTION;
  snprintf(finding.failure.message, sizeof(finding.failure.message), "%s", "</script><script>alert(1)</script>");
  assert_non_null(reporter);
  reporter->ops->begin(reporter, &run);
  reporter->ops->finding(reporter, &run, &finding);
  run.verdict = EO_FAIL;
  reporter->ops->end(reporter, &run);
  reporter->ops->close(reporter);
  fclose(stream);
  int scripts = 0;
  for (const char *at = bytes; (at = strstr(at, "</script")) != NULL; at++) scripts++;
  assert_int_equal(scripts, 2); /* the data and the script */
  assert_null(strstr(bytes, "alert(1)<"));
  assert_non_null(strstr(bytes, "\\u003c/script\\u003e\\u003cscript\\u003ealert(1)"));
  eo__finding_release(&finding);
  free(bytes);
}

static void puts_samples_evenly(void **state) {
  (void)state;
  eo_tree tree;
  eo__tree_init(&tree);
  eo__tree_begin(&tree);
  eo_run run = {.program = "p", .subject = "actor", .test = "t", .strategy = "dfs", .options = ""};
  for (int i = 1; i <= 100000; i++) {
    run.elapsed = i * 0.01;
    run.executions = (uint64_t)i;
    eo__tree_progress(&tree, &run);
  }
  eo__tree_end(&tree, &run);
  json_t *all = eo__tree_finish(&tree);
  const json_t *test = json_array_get(json_object_get(all, "tests"), 0);
  const json_t *at = json_object_get(json_object_get(test, "history"), "seconds");
  size_t count = json_array_size(at);
  assert_in_range(count, EO_SAMPLES / 2, EO_SAMPLES);
  double widest = 0, narrowest = 1000;
  for (size_t i = 1; i + 1 < count; i++) { /* the last one is the end, whenever that is */
    double gap = json_real_value(json_array_get(at, i)) - json_real_value(json_array_get(at, i - 1));
    if (gap > widest) widest = gap;
    if (gap < narrowest) narrowest = gap;
  }
  assert_true(widest < 2.5 * narrowest);
  assert_true(json_real_value(json_array_get(at, count - 1)) == 1000.0);
  json_decref(all);
  eo__tree_release(&tree);
}

/* Only regular files, only the lines around a place, each once. */
static void reads_sources(void **state) {
  (void)state;
  char path[] = "/tmp/test_html_XXXXXX";
  int file = mkstemp(path);
  FILE *stream = fdopen(file, "w");
  for (int i = 1; i <= 100; i++) fprintf(stream, "line %d\xff\n", i);
  fclose(stream);
  json_t *report = json_pack("{s:[{s:s,s:[{s:s,s:i,s:[{s:s,s:i},{s:s,s:i},{s:s,s:i}]}]}]}", "tests", "program",
                             "/proc/self/exe", "errors", "file", path, "line", 3, "steps", "file", path, "line", 5,
                             "file", "/dev/zero", "line", 1, "file", "no/such/file.c", "line", 1);
  assert_non_null(report);
  json_t *sources = eo__sources(report);
  assert_int_equal(json_object_size(sources), 1);
  const json_t *lines = json_object_get(json_object_get(sources, path), "lines");
  assert_int_equal(json_object_size(lines), 10); /* 1 to 8 and 1 to 10 */
  assert_string_equal(json_string_value(json_object_get(lines, "10")), "line 10\xef\xbf\xbd");
  json_decref(sources);
  json_decref(report);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(escapes_what_html_reads), cmocka_unit_test(keeps_the_meaning), cmocka_unit_test(writes_a_page),
      cmocka_unit_test(puts_samples_evenly),     cmocka_unit_test(reads_sources),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
