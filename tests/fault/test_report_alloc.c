/* test_report_alloc.c: memory runs out at every allocation of the reports and exports in turn. Each says so, or writes
 * what it writes with all memory there is; it never writes a part and calls that whole, and leaks nothing (the
 * sanitizers' build sees that). Findings with numbers and names that no execution has are survived, too. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/diagram.h"
#include "report/export.h"
#include "report/report.h"

static eo_finding finding, other;

/* A finding as it comes from a worker: through JSON. `swapped`: two steps in the other order. */
static void read_finding(eo_finding *out, bool swapped) {
  static const char *const steps[] = {
      "{\"process\":\"P1\",\"name\":\"\",\"op\":\"spawn\",\"text\":\"spawns P1.1\",\"file\":\"a.c\",\"function\":\"f\","
      "\"line\":1,\"value\":0,\"preempts\":false,\"delays\":0,\"other\":\"P1.1\",\"sends\":false,\"mails\":[],"
      "\"variables\":[],\"after\":[]}",
      "{\"process\":\"P1\",\"name\":\"\",\"op\":\"send\",\"text\":\"sends tag 1 to P1.1\",\"file\":\"a.c\","
      "\"function\":\"f\",\"line\":2,\"value\":0,\"preempts\":false,\"delays\":0,\"other\":\"P1.1\",\"sends\":true,"
      "\"mails\":[{\"number\":7,\"other\":\"P1.1\",\"text\":\"tag 1\"}],\"variables\":[],\"after\":[]}",
      "{\"process\":\"P1.1\",\"name\":\"<b>\",\"op\":\"send\",\"text\":\"sends tag 2 to P1.1\",\"file\":\"a.c\","
      "\"function\":\"g\",\"line\":3,\"value\":0,\"preempts\":true,\"delays\":1,\"other\":\"P1.1\",\"sends\":true,"
      "\"mails\":[{\"number\":9,\"other\":\"P1.1\",\"text\":\"tag 2 "
      "[00]\"}],\"variables\":[],\"after\":[0,4000000000]}",
      "{\"process\":\"P1.1\",\"name\":\"<b>\",\"op\":\"receive\",\"text\":\"receives tag 1 from P1\",\"file\":\"\","
      "\"function\":\"\",\"line\":0,\"value\":0,\"preempts\":false,\"delays\":0,\"other\":\"P1\",\"sends\":false,"
      "\"mails\":[{\"number\":7,\"other\":\"P1\",\"text\":\"tag 1\"}],\"variables\":[],\"after\":[1]}",
  };
  eo_error error = {0};
  char json[8192];
  snprintf(json, sizeof(json),
           "{\"kind\":\"assertion\",\"message\":\"a < b & \\\"c\\\" {0} [x](y) \\u001b\",\"process\":\"P1.1\","
           "\"file\":\"a "
           "b.c\",\"line\":9,\"execution\":3,\"depth\":4,\"preemptions\":1,\"delays\":1,\"switches\":2,\"minimised\":"
           "true,\"fewest\":true,"
           "\"rechecked\":true,\"reversible\":true,\"earlier\":1,\"later\":2,\"lines\":[%s,%s,%s,%s],\"waiting\":[\"P1 "
           "waits\"],\"backtrace\":[\"f at a.c:1\"],"
           "\"ticket\":\"t/x.ticket\",\"schedule\":\"P1*2 P1.1*2\"}",
           steps[0], steps[swapped ? 2 : 1], steps[swapped ? 1 : 2], steps[3]);
  eo__finding_init(out);
  if (eo__finding_from_json(out, json, &error) != EO_OK) fail_msg("%s", error.text);
}

/* Writes into the stream; false: no memory. */
typedef bool operation(FILE *out);

static bool draw_wide(FILE *out) {
  return eo__report_diagram(out, &(eo_diagram_style){.width = 120, .colour = true}, &finding);
}
static bool draw_list(FILE *out) {
  return eo__report_diagram(out, &(eo_diagram_style){.width = 40, .ascii = true}, &finding);
}
static bool compare(FILE *out) {
  const eo_finding *const both[] = {&finding, &other};
  const char *const names[] = {"one", "two"};
  return eo__report_parting(out, &(eo_diagram_style){.width = 80}, both, names);
}
static bool shiviz(FILE *out) { return eo__export_shiviz(out, "test", &finding); }
static bool mermaid(FILE *out) { return eo__export_mermaid(out, "test", &finding); }
static bool dot(FILE *out) { return eo__export_dot(out, "test", &finding); }
static bool perfetto(FILE *out) { return eo__export_perfetto(out, "test", &finding); }

/* A run of two tests; a reporter that ran out of memory writes nothing. */
static bool report(FILE *out, eo_reporter *reporter) {
  eo_run run = {.program = "dir/program", .subject = "actor", .test = "one", .strategy = "dfs", .options = ""};
  if (reporter == NULL) return false;
  reporter->ops->begin(reporter, &run);
  reporter->ops->finding(reporter, &run, &finding);
  reporter->ops->finding(reporter, &run, &other);
  run.verdict = EO_FAIL;
  run.executions = run.failures = 2;
  reporter->ops->end(reporter, &run);
  run.test = "two";
  reporter->ops->begin(reporter, &run);
  run.verdict = EO_ERROR;
  snprintf(run.error, sizeof(run.error), "no <luck>");
  reporter->ops->end(reporter, &run);
  reporter->ops->close(reporter);
  fflush(out);
  return ftell(out) > 0;
}
static bool junit(FILE *out) { return report(out, eo__report_junit(out, false)); }
static bool tap(FILE *out) { return report(out, eo__report_tap(out, false)); }
static bool sarif(FILE *out) { return report(out, eo__report_sarif(out, false)); }

static char *written(operation *run, long budget, bool *done, long *used) {
  char *bytes = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&bytes, &size);
  assert_non_null(out);
  eo__alloc_budget = budget;
  *done = run(out);
  if (used != NULL) *used = budget - eo__alloc_budget;
  eo__alloc_budget = -1;
  fclose(out);
  return bytes;
}

static void survives(operation *run, const char *says) {
  bool done;
  long count;
  char *whole = written(run, LONG_MAX, &done, &count);
  assert_true(done);
  if (strstr(whole, says) == NULL) fail_msg("'%s' is not in:\n%s", says, whole);
  assert_true(count > 3);
  for (long n = 0; n < count; n++) {
    char *part = written(run, n, &done, NULL);
    if (done && strcmp(part, whole) != 0) fail_msg("allocation %ld of %ld: a part passes for the whole", n + 1, count);
    free(part);
  }
  free(whole);
}

static void exports_survive(void **state) {
  (void)state;
  survives(draw_wide, "tag 1");
  survives(draw_list, "never received:");
  survives(compare, "the same in both");
  survives(shiviz, "P1.1 {\"P1\":2, \"P1.1\":2}");
  survives(mermaid, "p0-)p1: 2. tag 1");
  survives(dot, "s2 -> s4");
  survives(perfetto, "\"id\":7");
}

static void reporters_survive(void **state) {
  (void)state;
  survives(junit, "(and 1 more)");
  survives(tap, "not ok 1 - one");
  survives(sarif, "a%20b.c");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exports_survive),
      cmocka_unit_test(reporters_survive),
  };
  json_set_alloc_funcs(eo__alloc, eo__free);
  read_finding(&finding, false);
  read_finding(&other, true);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  eo__finding_release(&finding);
  eo__finding_release(&other);
  return failed;
}
