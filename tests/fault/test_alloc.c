/* test_alloc.c: memory runs out at every allocation of base, tickets and findings in turn.
 *
 * Each operation below is run once to count its allocations, then once for each of them with that one and all later
 * ones failing. It must say EO_ENOMEM, leave what it was given usable, and leak nothing: the sanitizers' build of this
 * test sees leaks. jansson allocates through eo__alloc here, so its allocations are among those that fail. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/vec.h"
#include "core/finding.h"
#include "core/ticket.h"

/* Does its work with the memory there is; returns EO_OK or what went wrong. */
typedef int operation(eo_error *error);

static long count_allocations(operation *run) {
  eo_error error = {0};
  eo__alloc_budget = LONG_MAX;
  int code = run(&error);
  long count = LONG_MAX - eo__alloc_budget;
  eo__alloc_budget = -1;
  if (code != EO_OK) fail_msg("with all memory there is: %s", error.text);
  return count;
}

static void fail_each(operation *run, long at_least) {
  long count = count_allocations(run);
  assert_int_equal(count_allocations(run), count); /* the loop means something only if it is the same each time */
  assert_true(count >= at_least);
  for (long n = 0; n <= count; n++) {
    eo_error error = {0};
    eo__alloc_budget = n;
    int code = run(&error);
    eo__alloc_budget = -1;
    int expected = n < count ? EO_ENOMEM : EO_OK;
    if (code != expected || error.code != expected) {
      fail_msg("allocation %ld of %ld: code %d, error %d '%s'", n + 1, count, code, error.code, error.text);
    }
    if (n < count && !strstr(error.text, "memory")) fail_msg("allocation %ld: '%s'", n + 1, error.text);
  }
}

/* ---- base --------------------------------------------------------------------------------------------------------- */

static int blocks(eo_error *error) {
  char *a = eo__alloc(10);
  char *b = a ? eo__strdup("ten") : NULL;
  char *c = b ? eo__realloc(a, 1000) : NULL;
  eo__free(c ? c : a);
  eo__free(b);
  return c ? EO_OK : eo__error_nomem(error);
}

static int vectors(eo_error *error) {
  EO_VEC(uint64_t) numbers = {0};
  int code = EO_OK;
  for (uint64_t i = 0; i < 1000 && code == EO_OK; i++) {
    size_t count = numbers.count, capacity = numbers.capacity;
    if (eo_vec_push(&numbers, i)) continue;
    assert_int_equal(numbers.count, count);
    assert_int_equal(numbers.capacity, capacity);
    assert_true((numbers.items == NULL) == (capacity == 0));
    code = eo__error_nomem(error);
  }
  for (size_t i = 0; i < numbers.count; i++) assert_int_equal(numbers.items[i], i);
  if (code == EO_OK && !eo_vec_reserve(&numbers, 5000)) code = eo__error_nomem(error);
  eo_vec_release(&numbers);
  return code;
}

static int texts(eo_error *error) {
  eo_text text;
  eo__text_init(&text);
  for (int i = 0; i < 300; i++) {
    eo__text_add(&text, "%d and %s, ", i, "more");
    eo__text_append(&text, "bytes", 5);
    assert_int_equal(strlen(text.chars), text.length);
  }
  int code = text.failed ? eo__error_nomem(error) : EO_OK;
  eo__text_clear(&text);
  assert_string_equal(text.chars, "");
  eo__text_release(&text);
  return code;
}

/* What must work without any memory. */
static int without_memory(eo_error *error) {
  eo_rng rng;
  eo__rng_init(&rng, 1);
  assert_in_range(eo__rng_below(&rng, 10), 0, 9);
  double seconds;
  uint64_t number;
  char out[32];
  assert_true(eo__text_seconds("2.5m", &seconds));
  assert_true(eo__text_number("123", 1000, &number));
  assert_string_equal(eo__text_thousands(out, 1234), "1,234");
  assert_int_equal(eo__text_utf8("\xc3\xa9", 2), 2);
  eo_error mine;
  assert_int_equal(eo__error_nomem(&mine), EO_ENOMEM);
  assert_int_equal(eo__error_set(&mine, EO_ESYSTEM, "%s %d", "text", 5), EO_ESYSTEM);
  eo_text text;
  eo__text_init(&text);
  eo__text_release(&text);
  (void)error;
  return EO_OK;
}

static void base_survives(void **state) {
  (void)state;
  fail_each(blocks, 3);
  fail_each(vectors, 5);
  fail_each(texts, 5);
  assert_int_equal(count_allocations(without_memory), 0);
  eo__alloc_budget = 0;
  without_memory(NULL);
  eo__alloc_budget = -1;
}

/* ---- tickets ------------------------------------------------------------------------------------------------------ */

static eo_ticket ticket; /* filled by ticket_survives */
static eo_text ticket_text;

static int ticket_writes(eo_error *error) {
  eo_text out;
  eo__text_init(&out);
  int code = eo__ticket_write(&ticket, &out, error);
  if (code == EO_OK) assert_string_equal(out.chars, ticket_text.chars);
  eo__text_release(&out);
  return code;
}

static int ticket_parses(eo_error *error) {
  eo_ticket back;
  eo__ticket_init(&back);
  back.depth = 77;
  int code = eo__ticket_parse(&back, ticket_text.chars, ticket_text.length, error);
  assert_int_equal(back.depth, code == EO_OK ? ticket.depth : 77);
  assert_int_equal(back.steps.count, code == EO_OK ? ticket.steps.count : 0);
  eo__ticket_release(&back);
  return code;
}

static int schedule_goes_round(eo_error *error) {
  eo_ticket back;
  eo__ticket_init(&back);
  eo_text out;
  eo__text_init(&out);
  eo__schedule_write(ticket.steps.items, ticket.steps.count, &out);
  int code = out.failed ? eo__error_nomem(error) : eo__schedule_parse(&back, out.chars, error);
  assert_int_equal(back.steps.count, code == EO_OK ? ticket.steps.count : 0);
  eo__text_release(&out);
  eo__ticket_release(&back);
  return code;
}

static void ticket_survives(void **state) {
  (void)state;
  eo__ticket_init(&ticket);
  eo__text_init(&ticket_text);
  strcpy(ticket.program, "build/bank_test");
  strcpy(ticket.message, "line\nline \xff");
  ticket.kind = EO_KIND_CRASH;
  ticket.depth = 1000;
  for (uint32_t i = 0; i < 200; i++) {
    eo_ticket_step step = {.value = i % 4};
    snprintf(step.process, sizeof step.process, "P1.%u", (unsigned)(i / 3));
    assert_true(eo_vec_push(&ticket.steps, step));
  }
  assert_int_equal(eo__ticket_write(&ticket, &ticket_text, NULL), EO_OK);
  fail_each(ticket_writes, 3);
  fail_each(ticket_parses, 6);
  fail_each(schedule_goes_round, 6);
  eo__text_release(&ticket_text);
  eo__ticket_release(&ticket);
}

/* ---- findings ----------------------------------------------------------------------------------------------------- */

static eo_finding finding; /* filled by finding_survives */
static char *finding_json;

static int finding_writes(eo_error *error) {
  char *json = eo__finding_to_json(&finding);
  if (json && finding_json) assert_string_equal(json, finding_json);
  int code = json ? EO_OK : eo__error_nomem(error);
  eo__free(json);
  return code;
}

static int finding_parses(eo_error *error) {
  eo_finding back;
  eo__finding_init(&back);
  back.execution = 77;
  int code = eo__finding_from_json(&back, finding_json, error);
  assert_int_equal(back.execution, code == EO_OK ? finding.execution : 77);
  assert_int_equal(back.lines.count, code == EO_OK ? finding.lines.count : 0);
  eo__finding_release(&back);
  return code;
}

static void fill_finding(void) {
  eo__finding_init(&finding);
  finding.failure.kind = EO_KIND_DEADLOCK;
  strcpy(finding.failure.message, "a message that is longer than any small buffer, with a \xff in it");
  finding.execution = 12;
  for (int i = 0; i < 12; i++) {
    eo_line line = {.process = eo__strdup("P1.1"),
                    .name = eo__strdup("bank"),
                    .op = eo__strdup("send"),
                    .text = eo__strdup("sends 3 (12 bytes) to P1.2, which is waiting for it"),
                    .file = eo__strdup("bank.c"),
                    .function = eo__strdup("pay"),
                    .line = i};
    assert_true(eo_vec_push(&finding.lines, line));
    assert_true(eo_vec_push(&finding.waiting, eo__strdup("P1 waits for tag 3")));
    assert_true(eo_vec_push(&finding.backtrace, eo__strdup("pay at bank.c:5")));
  }
  finding.ticket = eo__strdup("tickets/a.ticket");
  finding.schedule = eo__strdup("P1*3 P1.1=7");
}

static void finding_survives(void **state) {
  (void)state;
  json_set_alloc_funcs(eo__alloc, eo__free);
  fill_finding();
  finding_json = eo__finding_to_json(&finding);
  assert_non_null(finding_json);
  fail_each(finding_writes, 200);
  fail_each(finding_parses, 200);
  eo__free(finding_json);
  eo__finding_release(&finding);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(base_survives),
      cmocka_unit_test(ticket_survives),
      cmocka_unit_test(finding_survives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
