/* test_finding.c: findings and their JSON. valgrind: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/finding.h"

static const char GOLDEN[] =
    "{\"kind\":\"deadlock\",\"message\":\"nobody can go on\",\"process\":\"P1.2\",\"file\":\"bank.c\",\"line\":17,"
    "\"execution\":42,\"depth\":9,\"preemptions\":1,\"delays\":3,\"switches\":3,\"minimised\":true,"
    "\"fewest\":true,\"rechecked\":false,"
    "\"reversible\":true,\"earlier\":3,\"later\":5,\"lines\":["
    "{\"process\":\"P1\",\"name\":\"bank\",\"op\":\"send\",\"text\":\"sends 3 (12 bytes) to P1.1\",\"file\":\"bank.c\","
    "\"function\":\"pay\",\"line\":5,\"caller\":\"teller.c:9\",\"value\":0,\"preempts\":false,\"delays\":0,\"other\":"
    "\"P1.1\",\"sends\":true,"
    "\"mails\":[{\"number\":4,\"other\":\"P1.1\",\"text\":\"tag 3\"}],"
    "\"variables\":[{\"name\":\"votes\",\"before\":\"1\",\"after\":\"2\"}],\"after\":[]},"
    "{\"process\":\"P1.1\",\"name\":\"\",\"op\":\"choose\",\"text\":\"chooses 7\",\"file\":\"\",\"function\":\"\","
    "\"line\":0,\"value\":7,\"preempts\":true,\"delays\":2,\"other\":\"\",\"sends\":false,\"mails\":[],\"variables\":[]"
    ",\"after\":["
    "0]}],"
    "\"waiting\":[\"P1 waits for tag 3\",\"P1.2 waits for tag 4\"],\"circle\":[\"P1\",\"P1.2\"],\"backtrace\":[\"pay "
    "at bank.c:5\"],"
    "\"ticket\":\"tickets/a.ticket\",\"schedule\":\"P1*3 P1.1=7\"}";

static void add_line(eo_finding *finding, const char *const strings[6], int number, uint32_t value, bool preempts) {
  eo_line line = {.process = eo__strdup(strings[0]),
                  .name = eo__strdup(strings[1]),
                  .op = eo__strdup(strings[2]),
                  .text = eo__strdup(strings[3]),
                  .file = eo__strdup(strings[4]),
                  .function = eo__strdup(strings[5]),
                  .line = number,
                  .value = value,
                  .preempts = preempts,
                  .delays = preempts ? 2 : 0};
  assert_true(eo_vec_push(&finding->lines, line));
}

/* Of the two lines: the first sends, the second comes after it. */
static void relate(eo_finding *finding) {
  eo_line *lines = finding->lines.items;
  lines[0].other = eo__strdup("P1.1");
  lines[0].caller = eo__strdup("teller.c:9");
  lines[0].sends = true;
  assert_true(eo_vec_push(&lines[0].variables, ((eo_variable){eo__strdup("votes"), eo__strdup("1"), eo__strdup("2")})));
  assert_true(eo_vec_push(&lines[0].mails, ((eo_mailed){4, eo__strdup("P1.1"), eo__strdup("tag 3")})));
  lines[1].other = eo__strdup("");
  assert_true(eo_vec_push(&lines[1].after, 0));
}

static void fill(eo_finding *finding) {
  eo__finding_init(finding);
  finding->failure = (eo_failure){
      .kind = EO_KIND_DEADLOCK, .message = "nobody can go on", .process = "P1.2", .file = "bank.c", .line = 17};
  finding->execution = 42;
  finding->depth = 9;
  finding->preemptions = 1;
  finding->delays = 3;
  finding->switches = 3;
  finding->minimised = true;
  finding->fewest = true;
  finding->reversible = true;
  finding->earlier = 3;
  finding->later = 5;
  add_line(finding, (const char *[]){"P1", "bank", "send", "sends 3 (12 bytes) to P1.1", "bank.c", "pay"}, 5, 0, false);
  add_line(finding, (const char *[]){"P1.1", "", "choose", "chooses 7", "", ""}, 0, 7, true);
  relate(finding);
  assert_true(eo_vec_push(&finding->waiting, eo__strdup("P1 waits for tag 3")));
  assert_true(eo_vec_push(&finding->waiting, eo__strdup("P1.2 waits for tag 4")));
  assert_true(eo_vec_push(&finding->circle, eo__strdup("P1")));
  assert_true(eo_vec_push(&finding->circle, eo__strdup("P1.2")));
  assert_true(eo_vec_push(&finding->backtrace, eo__strdup("pay at bank.c:5")));
  finding->ticket = eo__strdup("tickets/a.ticket");
  finding->schedule = eo__strdup("P1*3 P1.1=7");
}

static void kinds_have_names(void **state) {
  (void)state;
  for (int kind = EO_KIND_NONE + 1; kind < EO_KIND_KINDS; kind++) {
    const char *name = eo__kind_name((eo_kind)kind);
    assert_true(strlen(name) < 32); /* fits eo_result.kind */
    assert_int_equal(eo__kind_parse(name), kind);
  }
  assert_string_equal(eo__kind_name(EO_KIND_NONE), "none");
  assert_string_equal(eo__kind_name(EO_KIND_ASSERTION), "assertion");
  assert_string_equal(eo__kind_name(EO_KIND_OVERFLOW), "stack overflow");
  assert_string_equal(eo__kind_name(EO_KIND_MISUSE), "misuse");
  assert_int_equal(eo__kind_parse("none"), EO_KIND_NONE);
  assert_int_equal(eo__kind_parse(""), EO_KIND_NONE);
  assert_int_equal(eo__kind_parse("Crash"), EO_KIND_NONE);
}

static void same_failures_are_known(void **state) {
  (void)state;
  const eo_failure a = {
      .kind = EO_KIND_CRASH, .message = "m", .process = "P1", .file = "f", .line = 3, .stack = {1}, .frames = 1};
  eo_failure b = a;
  b.stack[0] = 2;
  b.frames = 7;
  memset(b.message + 2, 'x', 20); /* behind the end of the string */
  assert_true(eo__failure_same(&a, &b));
  b = a, b.kind = EO_KIND_EXIT;
  assert_false(eo__failure_same(&a, &b));
  b = a, b.message[0] = 'n';
  assert_false(eo__failure_same(&a, &b));
  b = a, b.process[1] = '2';
  assert_false(eo__failure_same(&a, &b));
  b = a, b.file[0] = 'g';
  assert_false(eo__failure_same(&a, &b));
  b = a, b.line = 4;
  assert_false(eo__failure_same(&a, &b));
}

static void json_is_as_expected(void **state) {
  (void)state;
  eo_finding finding;
  fill(&finding);
  char *json = eo__finding_to_json(&finding);
  assert_string_equal(json, GOLDEN);
  eo__free(json);
  eo__finding_release(&finding);
  assert_null(finding.ticket);
  assert_int_equal(finding.lines.count, 0);
  eo__finding_release(&finding);
}

static void messages_are_numbered(void **state) {
  (void)state;
  eo_finding finding;
  eo__finding_init(&finding);
  assert_true(eo__finding_number(&finding));
  const uint32_t before[] = {70, 9, 70, 12, 9}, after[] = {1, 2, 1, 3, 2};
  for (size_t i = 0; i < 5; i++) {
    add_line(&finding, (const char *[]){"P1", "", "send", "", "", ""}, 0, 0, false);
    assert_true(eo_vec_push(&finding.lines.items[i].mails, ((eo_mailed){.number = before[i]})));
  }
  assert_true(eo__finding_number(&finding));
  for (size_t i = 0; i < 5; i++) assert_int_equal(finding.lines.items[i].mails.items[0].number, after[i]);
  eo__finding_release(&finding);
}

static void json_is_read_back(void **state) {
  (void)state;
  eo_finding finding;
  fill(&finding); /* what it held before must not leak */
  eo_error error = {0};
  assert_int_equal(eo__finding_from_json(&finding, GOLDEN, &error), EO_OK);
  assert_int_equal(finding.failure.kind, EO_KIND_DEADLOCK);
  assert_string_equal(finding.failure.message, "nobody can go on");
  assert_int_equal(finding.execution, 42);
  assert_true(finding.minimised);
  assert_true(finding.fewest);
  assert_false(finding.rechecked);
  assert_true(finding.reversible);
  assert_int_equal(finding.earlier, 3);
  assert_int_equal(finding.later, 5);
  assert_int_equal(finding.lines.count, 2);
  assert_string_equal(finding.lines.items[0].function, "pay");
  assert_int_equal(finding.lines.items[1].value, 7);
  assert_true(finding.lines.items[1].preempts);
  assert_int_equal(finding.waiting.count, 2);
  assert_string_equal(finding.backtrace.items[0], "pay at bank.c:5");
  char *json = eo__finding_to_json(&finding);
  assert_string_equal(json, GOLDEN);
  eo__free(json);
  eo__finding_release(&finding);
}

static void empty_and_extreme_findings_go_round(void **state) {
  (void)state;
  for (int extreme = 0; extreme < 2; extreme++) {
    eo_finding finding, back;
    eo__finding_init(&finding);
    eo__finding_init(&back);
    if (extreme) {
      finding.failure.line = INT_MIN;
      finding.execution = INT64_MAX;
      finding.depth = finding.preemptions = finding.switches = UINT32_MAX;
      memset(finding.failure.message, 'm', sizeof finding.failure.message - 1);
      memset(finding.failure.process, 'p', sizeof finding.failure.process - 1);
      memset(finding.failure.file, 'f', sizeof finding.failure.file - 1);
      assert_true(eo_vec_push(&finding.lines, (eo_line){0})); /* NULL strings are written as empty ones */
      finding.schedule = eo__strdup("");
    }
    char *json = eo__finding_to_json(&finding);
    eo_error error = {0};
    if (eo__finding_from_json(&back, json, &error) != EO_OK) fail_msg("%s", error.text);
    assert_true(eo__failure_same(&finding.failure, &back.failure));
    assert_int_equal(back.execution, finding.execution);
    assert_null(back.ticket);
    assert_int_equal(back.schedule != NULL, extreme);
    char *again = eo__finding_to_json(&back);
    assert_string_equal(json, again);
    eo__free(json);
    eo__free(again);
    eo__finding_release(&finding);
    eo__finding_release(&back);
  }
}

/* The program under test may print anything into a message. */
static void bytes_that_are_no_utf8_are_replaced(void **state) {
  (void)state;
  static const struct {
    const char *bytes, *clean;
  } texts[] = {{"a\xff"
                "b",
                "a\xef\xbf\xbd"
                "b"},
               {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
               {"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd"},
               {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
               {"\x01\x1b[31m\"\\\n\x7f", "\x01\x1b[31m\"\\\n\x7f"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    eo_finding finding, back;
    eo__finding_init(&finding);
    eo__finding_init(&back);
    strcpy(finding.failure.message, texts[i].bytes);
    assert_true(eo_vec_push(&finding.waiting, eo__strdup(texts[i].bytes)));
    char *json = eo__finding_to_json(&finding);
    eo_error error = {0};
    if (eo__finding_from_json(&back, json, &error) != EO_OK) fail_msg("%s", error.text);
    assert_string_equal(back.failure.message, texts[i].clean);
    assert_string_equal(back.waiting.items[0], texts[i].clean);
    assert_null(strchr(json, '\n'));
    eo__free(json);
    eo__finding_release(&finding);
    eo__finding_release(&back);
  }
}

/* A replacement is longer than what it replaces, and must fit the field all the same. */
static void replaced_bytes_fit_the_field(void **state) {
  (void)state;
  for (size_t length = 0; length < 1024; length++) {
    eo_finding finding, back;
    eo__finding_init(&finding);
    eo__finding_init(&back);
    memset(finding.failure.message, 0x80, length);
    char *json = eo__finding_to_json(&finding);
    assert_int_equal(eo__finding_from_json(&back, json, NULL), EO_OK);
    assert_int_equal(strlen(back.failure.message), length > 341 ? 1023 : length * 3);
    eo__free(json);
    eo__finding_release(&back);
  }
}

/* GOLDEN with the first occurrence of one text replaced by another. */
static char *changed(const char *from, const char *to) {
  const char *at = strstr(GOLDEN, from);
  if (!at) fail_msg("the golden text has no %s", from);
  eo_text text;
  eo__text_init(&text);
  eo__text_append(&text, GOLDEN, (size_t)(at - GOLDEN));
  eo__text_add(&text, "%s%s", to, at + strlen(from));
  return text.chars;
}

static void wrong_json_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *says;
  } cases[] = {
      {"\"kind\":\"deadlock\"", "\"kind\":\"dead\"", "kind is unknown"},
      {"\"kind\":\"deadlock\",", "", "kind is missing"},
      {"\"kind\":\"deadlock\"", "\"kind\":3", "kind is not a string"},
      {"\"line\":17", "\"line\":17.0", "line is not a whole number"},
      {"\"line\":17", "\"line\":2147483648", "line is not a whole number from -2147483648 to 2147483647"},
      {"\"execution\":42", "\"execution\":-1", "execution is not a whole number"},
      {"\"execution\":42", "\"execution\":99999999999999999999", "not JSON at column"},
      {"\"depth\":9", "\"depth\":4294967296", "depth is not a whole number"},
      {"\"depth\":9", "\"depth\":9,\"depth\":9", "duplicate"},
      {"\"depth\":9", "\"depth\":9,\"width\":9", "1 members that are unknown"},
      {"\"fewest\":true", "\"fewest\":1", "fewest is neither true nor false"},
      {"\"name\":\"\"", "\"name\":null", "lines[1].name is not a string"},
      {"\"value\":7,", "", "lines[1].value is missing"},
      {"\"preempts\":true", "\"preempts\":true,\"x\":0", "lines[1].has 1 members"},
      {"\"after\":[0]", "\"after\":[-1]", "lines[1].after has an element that is not a step"},
      {"\"mails\":[{", "\"mails\":[3,{", "lines[0].mails has an element that is not an object"},
      {"\"number\":4,", "", "lines[0].mails.number is missing"},
      {"\"variables\":[{", "\"variables\":[3,{", "lines[0].variables has an element that is not an object"},
      {"\"before\":\"1\",", "", "lines[0].variables.before is missing"},
      {"\"lines\":[", "\"lines\":[3,", "lines[0] is not an object"},
      {"\"waiting\":[", "\"waiting\":[3,", "waiting[0] is not a string"},
      {"\"backtrace\":[\"pay at bank.c:5\"]", "\"backtrace\":{}", "backtrace is not an array"},
      {"\"ticket\":\"tickets/a.ticket\"", "\"ticket\":false", "ticket is neither a string nor null"},
      {"nobody", "no\\u0000body", "not JSON at column"},
      {"nobody",
       "no\xff"
       "body",
       "not JSON at column"},
      {"\"schedule\":\"P1*3 P1.1=7\"}", "\"schedule\":\"P1\"", "not JSON at column"},
      {"\"schedule\":\"P1*3 P1.1=7\"}", "\"schedule\":\"P1\"}}", "not JSON at column"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *json = changed(cases[i].from, cases[i].to);
    eo_finding finding;
    eo__finding_init(&finding);
    finding.execution = 5;
    eo_error error = {0};
    assert_int_equal(eo__finding_from_json(&finding, json, &error), EO_EINPUT);
    if (!strstr(error.text, cases[i].says)) fail_msg("expected '%s', got '%s'", cases[i].says, error.text);
    assert_int_equal(finding.execution, 5); /* as before */
    eo__free(json);
  }
  eo_finding finding;
  eo__finding_init(&finding);
  assert_int_equal(eo__finding_from_json(&finding, "", NULL), EO_EINPUT);
  assert_int_equal(eo__finding_from_json(&finding, "[]", NULL), EO_EINPUT);
  assert_int_equal(eo__finding_from_json(&finding, "{}", NULL), EO_EINPUT);
}

static void long_fields_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *from, *key;
    int size;
  } fields[] = {{"\"message\":\"", "message", 1024},
                {"\"process\":\"", "process", EO_PROCESS_NAME},
                {"\"file\":\"", "file", 256}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    eo_text to;
    eo__text_init(&to);
    eo__text_add(&to, "%s%0*d", fields[i].from, fields[i].size, 0);
    char *json = changed(fields[i].from, to.chars);
    eo_finding finding;
    eo__finding_init(&finding);
    eo_error error = {0};
    assert_int_equal(eo__finding_from_json(&finding, json, &error), EO_EINPUT);
    assert_non_null(strstr(error.text, fields[i].key));
    assert_non_null(strstr(error.text, "has more than"));
    eo__free(json);
    eo__text_release(&to);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_have_names),
      cmocka_unit_test(same_failures_are_known),
      cmocka_unit_test(json_is_as_expected),
      cmocka_unit_test(messages_are_numbered),
      cmocka_unit_test(json_is_read_back),
      cmocka_unit_test(empty_and_extreme_findings_go_round),
      cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
      cmocka_unit_test(replaced_bytes_fit_the_field),
      cmocka_unit_test(wrong_json_is_refused),
      cmocka_unit_test(long_fields_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
