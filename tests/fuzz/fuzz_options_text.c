/* fuzz_options_text.c: the readers behind the options: times and numbers, of the whole input and of what follows its first
 * line.
 * runs: 50000 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

static void check_number(const char *string) {
  uint64_t number = 77, below;
  if (!eo__text_number(string, UINT64_MAX, &number)) {
    REQUIRE(number == 77);
    return;
  }
  errno = 0;
  REQUIRE(strtoull(string, NULL, 10) == number && errno == 0);
  REQUIRE(eo__text_number(string, number, &below) && below == number);
  REQUIRE(number == 0 || !eo__text_number(string, number - 1, &below));
  char grouped[32], plain[32];
  eo__text_thousands(grouped, number);
  char *end = plain;
  for (const char *c = grouped; *c; c++) {
    if (*c != ',') *end++ = *c;
  }
  *end = '\0';
  REQUIRE(eo__text_number(plain, UINT64_MAX, &below) && below == number);
}

static void check_seconds(const char *string) {
  double seconds = -1;
  if (!eo__text_seconds(string, &seconds)) {
    REQUIRE(seconds == -1);
    return;
  }
  REQUIRE(isfinite(seconds) && seconds >= 0);
  char *unit;
  double value = strtod(string, &unit);
  double expected = strcmp(unit, "ms") == 0 ? value / 1000
                    : *unit == 'm'          ? value * 60
                    : *unit == 'h'          ? value * 3600
                                            : value;
  /* Nanoseconds of the unit are as fine as it gets. */
  REQUIRE(fabs(seconds - expected) <= 1e-9 * 3600 + 1e-12 * expected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  eo_text text;
  eo__text_init(&text);
  eo__text_append(&text, (const char *)data, size);
  check_number(text.chars);
  check_seconds(text.chars);
  char *newline = strchr(text.chars, '\n');
  if (newline) {
    *newline = '\0';
    check_number(newline + 1);
    check_seconds(newline + 1);
  }
  for (size_t at = 0; at < text.length;) {
    size_t sequence = eo__text_utf8(text.chars + at, text.length - at);
    REQUIRE(sequence <= 4 && sequence <= text.length - at);
    at += sequence > 0 ? sequence : 1;
  }
  eo__text_release(&text);
  return 0;
}
