/* test_ticket_damage.c: whatever single thing happens to a ticket on its way, it is refused, with a text that says what
 * happened: cut at every byte, every bit flipped, every byte left out or doubled, every line left out or doubled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "core/ticket.h"

/* With all kinds of bytes in the message and a schedule of several lines. */
static void make_ticket(eo_text *text) {
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  strcpy(ticket.program, "./build/examples/bank");
  strcpy(ticket.build, "5d41402abc4b2a76b9719d911017c592");
  strcpy(ticket.test, "two_clients");
  ticket.kind = EO_KIND_OVERFLOW;
  strcpy(ticket.message, "checksum: no\nschedule:\n \\ caf\xc3\xa9 \xff ");
  strcpy(ticket.at, "bank.c:41");
  ticket.depth = 10000;
  for (uint32_t i = 0; i < 60; i++) {
    eo_ticket_step step = {.value = i % 4};
    snprintf(step.process, sizeof step.process, "P1.%u", (unsigned)(i / 3));
    assert_true(eo_vec_push(&ticket.steps, step));
  }
  eo__text_init(text);
  assert_int_equal(eo__ticket_write(&ticket, text, NULL), EO_OK);
  eo__ticket_release(&ticket);
}

static int set_up(void **state) {
  static eo_text text;
  make_ticket(&text);
  *state = &text;
  return 0;
}

static int tear_down(void **state) {
  eo__text_release(*state);
  return 0;
}

/* The bytes are copied to a block of their size, so that a read past their end is seen by the sanitizers. */
static void assert_refused(const char *bytes, size_t size, const char *const *says, const char *what, size_t at) {
  char *copy = eo__alloc(size);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  eo_error error = {0};
  int code = eo__ticket_parse(&ticket, copy, size, &error);
  eo__free(copy);
  if (code != EO_EINPUT || error.code != EO_EINPUT) fail_msg("%s %zu was accepted", what, at);
  assert_int_equal(ticket.steps.count, 0);
  for (; *says; says++) {
    if (strstr(error.text, *says)) return;
  }
  fail_msg("%s %zu: '%s'", what, at, error.text);
}

static const char *const cut[] = {"the ticket is cut short", NULL};
static const char *const any[] = {"this is not a ticket", "the ticket is of version", "the ticket is cut short",
                                  "the ticket is damaged", NULL};
static const char *const damaged[] = {"the ticket is damaged", NULL};

static void whole_ticket_is_accepted(void **state) {
  const eo_text *text = *state;
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  assert_int_equal(eo__ticket_parse(&ticket, text->chars, text->length, NULL), EO_OK);
  eo__ticket_release(&ticket);
}

static void cut_tickets_are_refused(void **state) {
  const eo_text *text = *state;
  assert_refused(text->chars, 0, any, "cut at", 0);
  for (size_t size = 1; size < text->length; size++) assert_refused(text->chars, size, cut, "cut at", size);
  for (size_t start = 1; start < text->length; start++) {
    assert_refused(text->chars + start, text->length - start, any, "begun at", start);
  }
}

static void flipped_bits_are_refused(void **state) {
  const eo_text *text = *state;
  const size_t first_line = strlen("everyorder ticket 4\n");
  for (size_t bit = 0; bit < text->length * 8; bit++) {
    text->chars[bit / 8] ^= (char)(1 << bit % 8);
    /* Behind the first line, which says what kind of file it is, it is the checksum that notices. */
    assert_refused(text->chars, text->length, bit / 8 < first_line ? any : damaged, "bit", bit);
    text->chars[bit / 8] ^= (char)(1 << bit % 8);
  }
}

/* Takes [at, at + size) out, or puts it in a second time. */
static void change(const eo_text *text, size_t at, size_t size, const char *what) {
  eo_text changed;
  eo__text_init(&changed);
  eo__text_append(&changed, text->chars, at);
  eo__text_append(&changed, text->chars + at + size, text->length - at - size);
  assert_refused(changed.chars, changed.length, any, what, at);
  eo__text_clear(&changed);
  eo__text_append(&changed, text->chars, at + size);
  eo__text_append(&changed, text->chars + at, text->length - at);
  assert_refused(changed.chars, changed.length, any, what, at);
  eo__text_release(&changed);
}

static void missing_and_doubled_parts_are_refused(void **state) {
  const eo_text *text = *state;
  for (size_t at = 0; at < text->length; at++) change(text, at, 1, "byte");
  for (size_t at = 0; at < text->length;) {
    size_t size = (size_t)(strchr(text->chars + at, '\n') + 1 - (text->chars + at));
    change(text, at, size, "line at");
    at += size;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_ticket_is_accepted),
      cmocka_unit_test(cut_tickets_are_refused),
      cmocka_unit_test(flipped_bits_are_refused),
      cmocka_unit_test(missing_and_doubled_parts_are_refused),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
