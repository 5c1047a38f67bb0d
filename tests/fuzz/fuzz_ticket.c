/* fuzz_ticket.c: any bytes as a ticket, as the body of a ticket with the right checksum, as a part of a good one, and as
 * a schedule. What is accepted must be what would be written.
 * runs: 5000 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/ticket.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

static void parse(const char *bytes, size_t size) {
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  eo_error error = {0};
  int code = eo__ticket_parse(&ticket, bytes, size, &error);
  REQUIRE(code == error.code && (code == EO_OK) == (error.text[0] == '\0'));
  if (code == EO_OK) {
    eo_text text;
    eo__text_init(&text);
    REQUIRE(eo__ticket_write(&ticket, &text, NULL) == EO_OK);
    REQUIRE(text.length == size && memcmp(text.chars, bytes, size) == 0);
    eo__text_release(&text);
  }
  eo__ticket_release(&ticket);
}

/* Otherwise no input would ever come past the checksum. */
static void parse_sealed(const char *body, size_t size) {
  eo_text text;
  eo__text_init(&text);
  eo__text_append(&text, body, size);
  eo__text_add(&text, "checksum: %016llx\n", (unsigned long long)XXH3_64bits(body, size));
  parse(text.chars, text.length);
  eo__text_release(&text);
}

/* The first byte says where in a good ticket the other bytes go, the second how much of it they replace. */
static void parse_spliced(const uint8_t *data, size_t size) {
  static const char good[] =
      "everyorder ticket 3\nprogram: build/bank\nbuild: 0123456789abcdef\ntest: two\nparams: a=1\\nb=2\n"
      "kind: stack overflow\n"
      "message: a\\n\\\\ \\xff\\x20\nat: bank.c:41\ndepth: 10000\nwatchdog: 2000\ntimeouts: idle\nleaks: no\n"
      "delivery: fifo\nschedule:\n  P1*3 P1.1 P1.2=7*2 P1.2<P1#4*2 P1.2<none\n";
  const size_t length = sizeof good - 1;
  if (size < 2) return;
  size_t at = data[0] % length, skipped = data[1] % 32;
  if (skipped > length - at) skipped = length - at;
  eo_text text;
  eo__text_init(&text);
  eo__text_append(&text, good, at);
  eo__text_append(&text, (const char *)data + 2, size - 2);
  eo__text_append(&text, good + at + skipped, length - at - skipped);
  parse_sealed(text.chars, text.length);
  eo__text_release(&text);
}

static void parse_schedule(const char *bytes, size_t size) {
  eo_text text, once, twice;
  eo__text_init(&text);
  eo__text_init(&once);
  eo__text_init(&twice);
  eo__text_append(&text, bytes, size);
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  if (eo__schedule_parse(&ticket, text.chars, NULL) == EO_OK) {
    size_t count = ticket.steps.count;
    eo__schedule_write(ticket.steps.items, ticket.steps.count, &once);
    REQUIRE(eo__schedule_parse(&ticket, once.chars, NULL) == EO_OK);
    REQUIRE(ticket.steps.count == count);
    eo__schedule_write(ticket.steps.items, ticket.steps.count, &twice);
    REQUIRE(strcmp(once.chars, twice.chars) == 0);
  } else {
    REQUIRE(ticket.steps.count == 0);
  }
  eo__ticket_release(&ticket);
  eo__text_release(&text);
  eo__text_release(&once);
  eo__text_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  parse((const char *)data, size);
  parse_sealed((const char *)data, size);
  parse_spliced(data, size);
  parse_schedule((const char *)data, size);
  return 0;
}
