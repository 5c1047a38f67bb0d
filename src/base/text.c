/* text.c: strings that grow, and the small readers and writers of text that options and reports share.
 *
 * The readers take no help from strtod and the like: those depend on the locale and accept blanks, signs, hexadecimal
 * and "inf". */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

enum { FIRST_CAPACITY = 64 };

/* With capacity 0 `chars` is a literal: nothing may be written to it. */
void eo__text_init(eo_text *text) { *text = (eo_text){.chars = ""}; }

void eo__text_release(eo_text *text) {
  if (text->capacity > 0) eo__free(text->chars);
  eo__text_init(text);
}

void eo__text_clear(eo_text *text) {
  text->length = 0;
  text->failed = false;
  if (text->capacity > 0) text->chars[0] = '\0';
}

/* Room for `extra` more bytes and the terminator. */
static bool reserve(eo_text *text, size_t extra) {
  if (text->failed) return false;
  if (extra < text->capacity - text->length) return true;
  size_t most = PTRDIFF_MAX;
  if (extra >= most - text->length) {
    text->failed = true;
    return false;
  }
  size_t room = text->capacity > most / 2 ? most : text->capacity * 2;
  if (room < FIRST_CAPACITY) room = FIRST_CAPACITY;
  if (room < text->length + extra + 1) room = text->length + extra + 1;
  char *block = eo__realloc(text->capacity > 0 ? text->chars : NULL, room);
  if (!block) {
    text->failed = true;
    return false;
  }
  block[text->length] = '\0';
  text->chars = block;
  text->capacity = room;
  return true;
}

void eo__text_append(eo_text *text, const char *bytes, size_t length) {
  if (length == 0 || !reserve(text, length)) return;
  memcpy(text->chars + text->length, bytes, length);
  text->length += length;
  text->chars[text->length] = '\0';
}

void eo__text_add(eo_text *text, const char *format, ...) {
  if (text->failed) return;
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  size_t room = text->capacity - text->length;
  int length = vsnprintf(room > 0 ? text->chars + text->length : NULL, room, format, arguments);
  if (length < 0) {
    text->failed = true; /* cannot be formatted: more than INT_MAX bytes, or no memory inside */
  } else if ((size_t)length >= room && length > 0 && reserve(text, (size_t)length)) {
    vsnprintf(text->chars + text->length, (size_t)length + 1, format, again);
  }
  if (!text->failed) {
    text->length += (size_t)length;
  } else if (text->capacity > 0) {
    text->chars[text->length] = '\0'; /* drop the part that the first attempt wrote */
  }
  va_end(again);
  va_end(arguments);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Seconds in one of the unit; 0: no such unit. */
static double unit_seconds(const char *unit) {
  if (strcmp(unit, "") == 0 || strcmp(unit, "s") == 0) return 1;
  if (strcmp(unit, "m") == 0) return 60;
  if (strcmp(unit, "h") == 0) return 3600;
  return 0;
}

bool eo__text_seconds(const char *string, double *seconds) {
  enum { WHOLE_DIGITS = 12, FRACTION_DIGITS = 9 };
  const char *at = string;
  double value = 0, scale = 1;
  if (!is_digit(*at)) return false;
  for (; is_digit(*at); at++) value = value * 10 + (*at - '0');
  if (at - string > WHOLE_DIGITS) return false;
  if (*at == '.') {
    if (!is_digit(*++at)) return false;
    /* Past nanoseconds digits are read but change nothing. */
    for (int digits = 0; is_digit(*at); at++, digits++) {
      if (digits >= FRACTION_DIGITS) continue;
      value = value * 10 + (*at - '0');
      scale *= 10;
    }
  }
  /* Divided once, by a power of ten, so that "0.1" and "100ms" are both exactly the double 0.1. */
  if (strcmp(at, "ms") == 0) {
    *seconds = value / (scale * 1000);
    return true;
  }
  double unit = unit_seconds(at);
  if (unit == 0) return false;
  *seconds = value * unit / scale;
  return true;
}

bool eo__text_number(const char *string, uint64_t max, uint64_t *number) {
  uint64_t value = 0;
  if (*string == '\0') return false;
  for (; *string; string++) {
    if (!is_digit(*string)) return false;
    uint64_t digit = (uint64_t)(*string - '0');
    if (digit > max || value > (max - digit) / 10) return false;
    value = value * 10 + digit;
  }
  *number = value;
  return true;
}

char *eo__text_thousands(char *out, uint64_t number) {
  char digits[24];
  int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
  char *end = out;
  for (int i = 0; i < count; i++) {
    if (i > 0 && (count - i) % 3 == 0) *end++ = ',';
    *end++ = digits[i];
  }
  *end = '\0';
  return out;
}

/* Unicode 15, table 3-7: how many bytes follow a first byte, and which second bytes keep out overlong forms, surrogates
 * and what is beyond U+10FFFF. */
size_t eo__text_utf8(const char *bytes, size_t length) {
  const unsigned char *b = (const unsigned char *)bytes;
  if (length == 0) return 0;
  if (b[0] < 0x80) return 1;
  if (b[0] < 0xc2 || b[0] > 0xf4) return 0;
  size_t wanted = b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
  if (length < wanted) return 0;
  unsigned low = b[0] == 0xe0 ? 0xa0 : b[0] == 0xf0 ? 0x90 : 0x80;
  unsigned high = b[0] == 0xed ? 0x9f : b[0] == 0xf4 ? 0x8f : 0xbf;
  if (b[1] < low || b[1] > high) return 0;
  for (size_t i = 2; i < wanted; i++) {
    if (b[i] < 0x80 || b[i] > 0xbf) return 0;
  }
  return wanted;
}

enum { LONGEST_WORD = 64 };

/* Fewest insertions, deletions and replacements between two words; words that are too long are far from everything. */
static size_t distance(const char *a, const char *b) {
  size_t rows = strlen(a), columns = strlen(b);
  size_t row[LONGEST_WORD + 1];
  if (rows > LONGEST_WORD || columns > LONGEST_WORD) return LONGEST_WORD;
  for (size_t j = 0; j <= columns; j++) row[j] = j;
  for (size_t i = 1; i <= rows; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= columns; j++) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      diagonal = row[j];
      row[j] = replaced < shorter ? replaced : shorter;
    }
  }
  return row[columns];
}

const char *eo__text_nearest(const char *word, const char *const *list, size_t count) {
  const char *best = NULL;
  size_t least = strlen(word) / 3 + 2; /* further away than this it is another word, not a slip */
  for (size_t i = 0; i < count; i++) {
    size_t here = strlen(word) >= 2 && strncmp(list[i], word, strlen(word)) == 0 ? 0 : distance(word, list[i]);
    if (here < least && here < strlen(list[i])) {
      least = here;
      best = list[i];
    }
  }
  return best;
}
