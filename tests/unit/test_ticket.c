/* test_ticket.c: tickets and schedules as text. valgrind: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "core/ticket.h"

static void add_steps(eo_ticket *ticket, const char *process, uint32_t value, int times) {
  eo_ticket_step step = {.value = value};
  snprintf(step.process, sizeof step.process, "%s", process);
  while (times-- > 0) assert_true(eo_vec_push(&ticket->steps, step));
}

static void fill(eo_ticket *ticket) {
  eo__ticket_init(ticket);
  strcpy(ticket->program, "build/bank_test");
  strcpy(ticket->build, "0123456789abcdef0123456789abcdef");
  strcpy(ticket->test, "bank_two_clients");
  strcpy(ticket->params, "clients=2\nmode=a\tb");
  ticket->kind = EO_KIND_ASSERTION;
  strcpy(ticket->message, "balance is -3:\n\ttoo low \\ caf\xc3\xa9 \xff\x1b ");
  strcpy(ticket->at, "bank.c:41");
  ticket->depth = 10000;
  ticket->watchdog_ms = 2500;
  ticket->leaks = true;
  ticket->abnormal_fails = true;
  add_steps(ticket, "P1", 0, 3);
  add_steps(ticket, "P1.1", 0, 1);
  add_steps(ticket, "P1.2", 7, 2);
  add_steps(ticket, "P1.2", 0, 1);
}

/* P1.1 takes the second message of P1.2, twice in a row times out, and then runs. */
static void fill_takes(eo_ticket *ticket) {
  fill(ticket);
  ticket->delivery = EO_DELIVERY_CAUSAL;
  eo_ticket_step step = {.process = "P1.1", .takes = true, .from = "P1.2", .nth = 2};
  eo_ticket_step none = {.process = "P1.1", .takes = true};
  assert_true(eo_vec_push(&ticket->steps, step));
  assert_true(eo_vec_push(&ticket->steps, none) && eo_vec_push(&ticket->steps, none));
  add_steps(ticket, "P1.1", 0, 1);
}

static const char GOLDEN[] =
    "everyorder ticket 4\n"
    "program: build/bank_test\n"
    "build: 0123456789abcdef0123456789abcdef\n"
    "test: bank_two_clients\n"
    "params: clients=2\\nmode=a\\tb\n"
    "kind: assertion\n"
    "message: balance is -3:\\n\\ttoo low \\\\ caf\xc3\xa9 \\xff\\x1b\\x20\n"
    "at: bank.c:41\n"
    "depth: 10000\n"
    "watchdog: 2500\n"
    "timeouts: eager\n"
    "leaks: yes\n"
    "abnormal: fail\n"
    "delivery: mailbox\n"
    "schedule:\n"
    "  P1*3 P1.1 P1.2=7*2 P1.2\n";

/* As versions 1 to 3 wrote it: none knew --abnormal, the first two no parameters, and the first no delivery. */
static void add_version(eo_text *text, int version) {
  const char *program = strstr(GOLDEN, "program:"), *params = strstr(GOLDEN, "params:");
  const char *kind = strstr(GOLDEN, "kind:"), *abnormal = strstr(GOLDEN, "abnormal:");
  const char *delivery = strstr(GOLDEN, "delivery:");
  eo__text_add(text, "everyorder ticket %d\n", version);
  eo__text_append(text, program, (size_t)((version > 2 ? kind : params) - program));
  eo__text_append(text, kind, (size_t)(abnormal - kind));
  eo__text_add(text, "%s", version > 1 ? delivery : strstr(GOLDEN, "schedule:"));
}

/* A text with the checksum that belongs to it. */
static void seal(eo_text *text) {
  eo__text_add(text, "checksum: %016llx\n", (unsigned long long)XXH3_64bits(text->chars, text->length));
}

static void assert_same(const eo_ticket *a, const eo_ticket *b) {
  assert_string_equal(a->program, b->program);
  assert_string_equal(a->build, b->build);
  assert_string_equal(a->test, b->test);
  assert_string_equal(a->params, b->params);
  assert_int_equal(a->kind, b->kind);
  assert_string_equal(a->message, b->message);
  assert_string_equal(a->at, b->at);
  assert_int_equal(a->depth, b->depth);
  assert_int_equal(a->watchdog_ms, b->watchdog_ms);
  assert_int_equal(a->timeouts_idle, b->timeouts_idle);
  assert_int_equal(a->leaks, b->leaks);
  assert_int_equal(a->abnormal_fails, b->abnormal_fails);
  assert_int_equal(a->delivery, b->delivery);
  assert_int_equal(a->steps.count, b->steps.count);
  for (size_t i = 0; i < a->steps.count; i++) {
    assert_string_equal(a->steps.items[i].process, b->steps.items[i].process);
    assert_int_equal(a->steps.items[i].value, b->steps.items[i].value);
    assert_int_equal(a->steps.items[i].takes, b->steps.items[i].takes);
    assert_int_equal(a->steps.items[i].nth, b->steps.items[i].nth);
    assert_string_equal(a->steps.items[i].from, b->steps.items[i].from);
  }
}

static void assert_round(const eo_ticket *ticket) {
  eo_text text;
  eo__text_init(&text);
  eo_ticket back;
  eo__ticket_init(&back);
  eo_error error = {0};
  assert_int_equal(eo__ticket_write(ticket, &text, &error), EO_OK);
  if (eo__ticket_parse(&back, text.chars, text.length, &error) != EO_OK) fail_msg("%s", error.text);
  assert_same(ticket, &back);
  eo__ticket_release(&back);
  eo__text_release(&text);
}

static void ticket_is_as_expected(void **state) {
  (void)state;
  eo_ticket ticket;
  fill(&ticket);
  eo_text expected, text;
  eo__text_init(&expected);
  eo__text_init(&text);
  eo__text_add(&expected, "%s", GOLDEN);
  seal(&expected);
  assert_int_equal(eo__ticket_write(&ticket, &text, NULL), EO_OK);
  assert_string_equal(text.chars, expected.chars);
  assert_non_null(strstr(text.chars, "\nchecksum: df2bb82ae71f8c36\n"));
  assert_round(&ticket);
  eo__text_release(&text);
  eo__text_release(&expected);
  eo__ticket_release(&ticket);
  eo__ticket_release(&ticket);
}

static void what_receives_take_goes_round(void **state) {
  (void)state;
  eo_ticket ticket;
  eo_text text;
  eo__text_init(&text);
  fill_takes(&ticket);
  assert_round(&ticket);
  eo__schedule_write(ticket.steps.items, ticket.steps.count, &text);
  assert_string_equal(text.chars, "P1*3 P1.1 P1.2=7*2 P1.2 P1.1<P1.2#2 P1.1<none*2 P1.1");
  static const char *const wrong[] = {"P1<",       "P1<P1", "P1<P1#",       "P1<P1#0",
                                      "P1<#1",     "<P1#1", "P1<P1#1=2",    "P1=2<P1#1",
                                      "P1<none#1", "P1#1",  "P1<P1#1<P1#2", "P1<P1#4294967296"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    eo_error error = {0};
    assert_int_equal(eo__schedule_parse(&ticket, wrong[i], &error), EO_EINPUT);
    assert_non_null(strstr(error.text, "is not a step"));
  }
  eo__text_release(&text);
  eo__ticket_release(&ticket);
}

static void older_versions_are_read(void **state) {
  static const char *const sums[] = {"", "06d8775be5bd5281", "9187cf880f9fdea4", "814a54af66f2bc6b"};
  (void)state;
  for (int version = 1; version < EO_TICKET_VERSION; version++) {
    eo_ticket ticket, back;
    eo_text text;
    eo_error error = {0};
    eo__text_init(&text);
    fill(&ticket);
    if (version < 3) ticket.params[0] = '\0';
    ticket.abnormal_fails = false;
    eo__ticket_init(&back);
    add_version(&text, version);
    seal(&text);
    assert_memory_equal(strstr(text.chars, "\nchecksum: ") + 11, sums[version], 16);
    if (eo__ticket_parse(&back, text.chars, text.length, &error) != EO_OK) fail_msg("%s", error.text);
    assert_same(&ticket, &back);
    assert_int_equal(back.version, version);
    assert_round(&back);
    eo__text_release(&text);
    eo__ticket_release(&back);
    eo__ticket_release(&ticket);
  }
}

static void version_1_takes_nothing(void **state) {
  (void)state;
  eo_ticket back;
  eo_text text;
  eo_error error = {0};
  eo__text_init(&text);
  eo__ticket_init(&back);
  add_version(&text, 1);
  eo__text_add(&text, "  P1<none\n");
  seal(&text);
  assert_int_equal(eo__ticket_parse(&back, text.chars, text.length, &error), EO_EINPUT);
  assert_non_null(strstr(error.text, "a ticket of version 1 has no '<'"));
  eo__text_release(&text);
  eo__ticket_release(&back);
}

/* Behind other text it is still the ticket of its own bytes. */
static void ticket_is_appended(void **state) {
  (void)state;
  eo_ticket ticket, back;
  fill(&ticket);
  eo__ticket_init(&back);
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "before ");
  assert_int_equal(eo__ticket_write(&ticket, &text, NULL), EO_OK);
  assert_int_equal(eo__ticket_parse(&back, text.chars + 7, text.length - 7, NULL), EO_OK);
  eo__ticket_release(&ticket);
  eo__ticket_release(&back);
  eo__text_release(&text);
}

static void empty_and_full_tickets_go_round(void **state) {
  (void)state;
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  assert_round(&ticket);
  memset(ticket.program, '\n', sizeof ticket.program - 1);
  memset(ticket.build, 'f', sizeof ticket.build - 1);
  memset(ticket.test, ' ', sizeof ticket.test - 1);
  memset(ticket.message, 0xfe, sizeof ticket.message - 1);
  memset(ticket.at, '\\', sizeof ticket.at - 1);
  ticket.depth = UINT32_MAX;
  ticket.timeouts_idle = true;
  for (int kind = 0; kind < EO_KIND_KINDS; kind++) {
    ticket.kind = (eo_kind)kind;
    assert_round(&ticket);
  }
  for (int c = 1; c < 256; c++) {
    ticket.message[c] = (char)c;
    ticket.program[c] = (char)c;
  }
  assert_round(&ticket);
}

static void long_schedules_are_wrapped(void **state) {
  (void)state;
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  char longest[64];
  memset(longest, '1', 63);
  longest[0] = 'P';
  longest[63] = '\0';
  for (uint32_t i = 0; i < 500; i++) {
    add_steps(&ticket, i % 2 ? "P1.2.3" : "P1", i % 3, 1 + (int)(i % 2));
    if (i % 50 == 0) add_steps(&ticket, longest, UINT32_MAX - i, 2);
  }
  assert_round(&ticket);
  eo_text text;
  eo__text_init(&text);
  assert_int_equal(eo__ticket_write(&ticket, &text, NULL), EO_OK);
  int lines = 0;
  for (const char *line = strstr(text.chars, "schedule:\n") + 10; *line == ' '; line = strchr(line, '\n') + 1) {
    lines++;
    assert_in_range(strchr(line, '\n') - line, 3, 100);
  }
  assert_in_range(lines, 30, 100);
  eo__text_release(&text);
  eo__ticket_release(&ticket);
}

/* ---- What is refused ---------------------------------------------------------------------------------------------- */

static void assert_refused(const char *bytes, size_t size, const char *says) {
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  ticket.depth = 5;
  eo_error error = {0};
  assert_int_equal(eo__ticket_parse(&ticket, bytes, size, &error), EO_EINPUT);
  assert_int_equal(error.code, EO_EINPUT);
  if (!strstr(error.text, says)) fail_msg("expected '%s', got '%s'", says, error.text);
  assert_int_equal(ticket.depth, 5); /* as before */
  assert_int_equal(eo__ticket_parse(&ticket, bytes, size, NULL), EO_EINPUT);
}

static void other_files_are_no_tickets(void **state) {
  (void)state;
  assert_refused("", 0, "this is not a ticket: it is empty");
  assert_refused("\0", 1, "this is not a ticket");
  assert_refused("hello\n", 6, "this is not a ticket: tickets begin with the line 'everyorder ticket 4'");
  assert_refused(
      "\x7f"
      "ELF",
      4, "this is not a ticket");
  assert_refused("everyorder tickets are fine\n", 28, "this is not a ticket");
  assert_refused("everyorder", 10, "cut short");
  assert_refused("everyorder ticket 1", 19, "cut short");
  assert_refused("everyorder ticket 1\n", 20, "cut short");
  assert_refused("everyorder ticket \n", 19, "cut short");
  assert_refused("everyorder ticket one\n", 22, "damaged: the version");
}

static void other_versions_are_named(void **state) {
  (void)state;
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "everyorder ticket 23\nwho: knows\n");
  assert_refused(text.chars, text.length,
                 "of version 23 and this everyorder reads versions up to 4; replay it with the everyorder");
  assert_refused("everyorder ticket 01\n", 21, "of version 01");
  eo__text_release(&text);
}

/* The golden ticket with one text replaced, sealed again or with its old checksum. */
static void assert_change_refused(const char *from, const char *to, bool again, const char *says) {
  eo_text text, old;
  eo__text_init(&text);
  eo__text_init(&old);
  eo__text_add(&old, "%s", GOLDEN);
  seal(&old);
  const char *at = strstr(old.chars, from);
  if (!at) fail_msg("the golden text has no %s", from);
  eo__text_append(&text, old.chars, (size_t)(at - old.chars));
  eo__text_add(&text, "%s%s", to, at + strlen(from));
  if (again) {
    char *checksum = strstr(text.chars, "checksum: ");
    text.length = (size_t)(checksum - text.chars);
    *checksum = '\0';
    seal(&text);
  }
  assert_refused(text.chars, text.length, says);
  eo__text_release(&text);
  eo__text_release(&old);
}

static void damage_is_named(void **state) {
  (void)state;
  assert_change_refused("P1*3", "P1*4", false, "damaged: its contents do not match its checksum");
  assert_change_refused("checksum: d", "checksum: 1", false, "damaged: its contents do not match its checksum");
  assert_change_refused("checksum: d", "checksum: ", false, "damaged: its checksum is not a number of 16 digits");
  assert_change_refused("checksum: d", "chEcksum: d", false, "damaged: its last line is not its checksum");
  assert_change_refused("checksum: df2bb82ae71f8c36\n", "checksum: df2bb82ae71f8c36\n\n", false,
                        "damaged: there is more after");
  assert_change_refused("checksum: df2bb82ae71f8c36\n", "checksum: df2bb82ae71f8c36", false, "cut short");
  assert_change_refused("checksum: df2bb82ae71f8c36\n", "checksum: df2bb82ae!\n", false,
                        "damaged: its checksum is not");
  assert_change_refused("checksum: df2bb82ae71f8c36\n", "checksum: DF2BB82AE71F8C36\n", false, "damaged");
  assert_change_refused("checksum: df2bb82ae71f8c36\n", "", false, "cut short");
  assert_change_refused("4\n", "4\r\n", false, "damaged: its line ends have become CR LF");
}

/* With a checksum that fits: only a writer other than ours makes these. */
static void malformed_lines_are_numbered(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *says;
  } cases[] = {
      {"program", "programme", "line 2 of the ticket is malformed: it should begin with 'program:'"},
      {"build: 0123456789abcdef0123456789abcdef\n", "",
       "line 3 of the ticket is malformed: it should begin with 'build:'"},
      {"build: 0", "build: \t0", "line 3 of the ticket is malformed: everyorder would write it otherwise"},
      {"build: 0", "build:0", "line 3 of the ticket is malformed: everyorder would write it otherwise"},
      {"params: clients", "clients", "line 5 of the ticket is malformed: it should begin with 'params:'"},
      {"kind: assertion", "kind: assertions", "line 6 of the ticket is malformed: there is no such kind"},
      {"kind: assertion", "kind:", "line 6 of the ticket is malformed: there is no such kind"},
      {"too low", "too \\q low", "line 7 of the ticket is malformed: there is an unknown escape"},
      {"too low", "too \\xg0 low", "line 7 of the ticket is malformed: there is an unknown escape"},
      {"too low", "too \\x00 low", "line 7 of the ticket is malformed: there is an unknown escape"},
      {"too low", "too \\x41 low", "line 7 of the ticket is malformed: everyorder would"},
      {"\\x20\n", "\\x2\n", "line 7 of the ticket is malformed: there is an unknown escape"},
      {"\\x20\n", "\\\n", "line 7 of the ticket is malformed: there is an unknown escape"},
      {"\\x20\n", " \n", "line 7 of the ticket is malformed: everyorder would"},
      {"\\xff", "\xff", "line 7 of the ticket is malformed: everyorder would"},
      {"10000", "4294967296", "line 9 of the ticket is malformed: it should be a number up to 4294967295"},
      {"10000", "010000", "line 9 of the ticket is malformed: everyorder would"},
      {"2500", "2.5", "line 10 of the ticket is malformed: it should be a number up to 4294967295"},
      {"eager", "all", "line 11 of the ticket is malformed: it should say eager or idle"},
      {"leaks: yes", "leaks: 1", "line 12 of the ticket is malformed: it should say no or yes"},
      {"abnormal: fail", "abnormal: no", "line 13 of the ticket is malformed: it should say unnoticed or fail"},
      {"mailbox", "pigeon", "line 14 of the ticket is malformed: there is no such delivery"},
      {"schedule:\n", "schedule: P1\n", "line 15 of the ticket is malformed: everyorder would"},
      {"P1*3 ", "P1 P1*2 ", "line 16 of the ticket is malformed: everyorder would"},
      {"P1*3 ", "P1*3\n  ", "line 16 of the ticket is malformed: everyorder would"},
      {"P1*3 ", "P1*0 ", "line 16 of the ticket is malformed: 'P1*0' in the schedule is not a step"},
      {"P1.1 ", "P1.1\n  =\x1b ", "line 17 of the ticket is malformed: '=?' in the schedule is not a step"},
      {"P1.2\n", "P1.2\n\n", "line 17 of the ticket is malformed: it should begin with two blanks"},
      {"P1.2\n", "P1.2\n  \n", "line 17 of the ticket is malformed: everyorder would"},
      {"P1.2\n", "P1.2\nmore: yes\n", "line 17 of the ticket is malformed: it should begin with two blanks"},
      {"schedule:\n  P1*3 P1.1 P1.2=7*2 P1.2\n", "", "line 15 of the ticket is malformed: it is missing"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_change_refused(cases[i].from, cases[i].to, true, cases[i].says);
  }
}

static void zero_bytes_are_refused(void **state) {
  (void)state;
  eo_text text;
  for (size_t at = 20; at < sizeof GOLDEN - 2; at++) {
    eo__text_init(&text);
    eo__text_add(&text, "%s", GOLDEN);
    text.chars[at] = '\0';
    seal(&text);
    assert_refused(text.chars, text.length, "of the ticket is malformed");
    eo__text_release(&text);
  }
}

static void long_fields_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *key;
    int size;
  } fields[] = {{"program: ", 512}, {"build: ", 65}, {"test: ", 128}, {"message: ", 1024}, {"at: ", 320}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    eo_text to;
    eo__text_init(&to);
    eo__text_add(&to, "%s%0*d\n", fields[i].key, fields[i].size, 0);
    char says[64];
    snprintf(says, sizeof says, "it has more than %d bytes", fields[i].size - 1);
    assert_change_refused(fields[i].key, to.chars, true, says);
    eo__text_release(&to);
  }
}

/* ---- Schedules ---------------------------------------------------------------------------------------------------- */

static void schedules_go_round(void **state) {
  (void)state;
  static const char *const schedules[] = {"",           "P1",
                                          "P1*3",       "P1*3 P1.1 P1=2*2",
                                          "P1 P1=1 P1", "P1=4294967295",
                                          "P1*1000000", "P1.2.3.4.5*2 P2 q[3]:x-y/z(1)*2"};
  for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++) {
    eo_ticket ticket;
    eo__ticket_init(&ticket);
    eo_text text;
    eo__text_init(&text);
    eo_error error = {0};
    if (eo__schedule_parse(&ticket, schedules[i], &error) != EO_OK) fail_msg("%s", error.text);
    eo__schedule_write(ticket.steps.items, ticket.steps.count, &text);
    assert_string_equal(text.chars, schedules[i]);
    eo__text_release(&text);
    eo__ticket_release(&ticket);
  }
}

static void schedules_replace_what_was_there(void **state) {
  (void)state;
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  assert_int_equal(eo__schedule_parse(&ticket, " \n P1=7*2\tP1.1*1 ", NULL), EO_OK);
  assert_int_equal(ticket.steps.count, 3);
  assert_string_equal(ticket.steps.items[1].process, "P1");
  assert_int_equal(ticket.steps.items[1].value, 7);
  assert_int_equal(eo__schedule_parse(&ticket, "P2", NULL), EO_OK);
  assert_int_equal(ticket.steps.count, 1);
  assert_int_equal(eo__schedule_parse(&ticket, "P2 P3 *", NULL), EO_EINPUT);
  assert_int_equal(ticket.steps.count, 0);
  eo__ticket_release(&ticket);
}

static void wrong_schedules_are_refused(void **state) {
  (void)state;
  static const char *const bad[] = {
      "*3",
      "=3",
      "P1=",
      "P1*",
      "P1=0",
      "P1*0",
      "P1=x",
      "P1*x",
      "P1*3=2",
      "P1==2",
      "P1**2",
      "P1=2=3",
      "P1=-1",
      "P1*+1",
      "P1=1.5",
      "P1=4294967296",
      "P\x01",
      "P\xc3\xa9",
      "P1\r",
      "P1= 2",
      "P1 *2",
      "P1*18446744073709551616",
      ("P1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"
       "1234567890123456789012345678901234"), /* as long as an id can be, and more */
      "P1*00000000000000000000000000000000000000000000000000000000"
      "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "0000000000000000000000000000000000000000000000000000000000001"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    eo_ticket ticket;
    eo__ticket_init(&ticket);
    eo_error error = {0};
    if (eo__schedule_parse(&ticket, bad[i], &error) != EO_EINPUT) fail_msg("'%s' was taken", bad[i]);
    assert_non_null(strstr(error.text, "in the schedule is not a step; steps look like P1, P1.2=7, P1<P1.2#3 or P1*3"));
    for (const char *c = error.text; *c; c++) assert_in_range(*c, ' ', '~');
    eo__ticket_release(&ticket);
  }
}

static void huge_schedules_are_refused_without_memory(void **state) {
  (void)state;
  static const char *const bad[] = {"P1*999999999999", "P1*10000001", "P1*5000000 P2*5000001",
                                    "P1*18446744073709551615"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    eo_ticket ticket;
    eo__ticket_init(&ticket);
    eo_error error = {0};
    assert_int_equal(eo__schedule_parse(&ticket, bad[i], &error), EO_EINPUT);
    assert_non_null(strstr(error.text, "the schedule has more than 4000000 steps"));
    eo__ticket_release(&ticket);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ticket_is_as_expected),
      cmocka_unit_test(ticket_is_appended),
      cmocka_unit_test(empty_and_full_tickets_go_round),
      cmocka_unit_test(long_schedules_are_wrapped),
      cmocka_unit_test(other_files_are_no_tickets),
      cmocka_unit_test(other_versions_are_named),
      cmocka_unit_test(what_receives_take_goes_round),
      cmocka_unit_test(older_versions_are_read),
      cmocka_unit_test(version_1_takes_nothing),
      cmocka_unit_test(damage_is_named),
      cmocka_unit_test(malformed_lines_are_numbered),
      cmocka_unit_test(zero_bytes_are_refused),
      cmocka_unit_test(long_fields_are_refused),
      cmocka_unit_test(schedules_go_round),
      cmocka_unit_test(schedules_replace_what_was_there),
      cmocka_unit_test(wrong_schedules_are_refused),
      cmocka_unit_test(huge_schedules_are_refused_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
