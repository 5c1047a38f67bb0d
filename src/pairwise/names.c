/* names.c: comparing names; see names.h. Bytes that are not UTF-8 are characters of their own, above all others. */
#include "pairwise/names.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

enum { NOT_A_CHARACTER = 0x110000 };

/* The upper case of Latin-1, Greek and Cyrillic letters; those of other alphabets compare as they are. Done here since
 * towupper knows only the letters of the locale. */
static uint32_t upper(uint32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z' ? c - 0x20 : c;
  if (c >= 0xe0 && c <= 0xfe) return c == 0xf7 ? c : c - 0x20;
  if (c >= 0x3b1 && c <= 0x3c9) return c == 0x3c2 ? 0x3a3 : c - 0x20;
  if (c >= 0x430 && c <= 0x44f) return c - 0x20;
  if (c >= 0x450 && c <= 0x45f) return c - 0x50;
  return c;
}

/* The character at `*at`, which moves past it; 0 at the end, where it stays. */
static uint32_t next_character(const char **at, bool case_sensitive) {
  const unsigned char *b = (const unsigned char *)*at;
  if (b[0] == '\0') return 0;
  /* No sequence has a zero byte inside, so looking for four bytes never goes past the end of the string. */
  size_t length = eo__text_utf8(*at, strnlen(*at, 4));
  *at += length > 0 ? length : 1;
  uint32_t c = b[0];
  switch (length) {
    case 0: return NOT_A_CHARACTER + c;
    case 1: break;
    case 2: c = (c & 0x1f) << 6 | (b[1] & 0x3f); break;
    case 3: c = (c & 0x0f) << 12 | (b[1] & 0x3fu) << 6 | (b[2] & 0x3f); break;
    default: c = (c & 0x07) << 18 | (b[1] & 0x3fu) << 12 | (b[2] & 0x3fu) << 6 | (b[3] & 0x3f); break;
  }
  return case_sensitive ? c : upper(c);
}

int eo__pairwise_compare(const char *a, const char *b, bool case_sensitive) {
  for (;;) {
    uint32_t c = next_character(&a, case_sensitive), d = next_character(&b, case_sensitive);
    if (c != d) return c < d ? -1 : 1;
    if (c == 0) return 0;
  }
}

/* As in base/text.c, only the last star is ever tried again. */
bool eo__pairwise_like(const char *pattern, const char *text, bool case_sensitive) {
  const char *star = NULL, *resume = NULL;
  while (*text) {
    const char *after = text, *pattern_after = pattern;
    uint32_t c = next_character(&after, case_sensitive), p = next_character(&pattern_after, case_sensitive);
    if (p == '*') {
      star = pattern = pattern_after;
      resume = text;
    } else if (p == '?' || p == c) {
      pattern = pattern_after;
      text = after;
    } else if (star) {
      pattern = star;
      next_character(&resume, case_sensitive);
      text = resume;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == '\0';
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

static size_t hexadecimal(const char *bytes, size_t length, size_t at, double *number) {
  size_t first = at;
  double value = 0;
  for (; at < length && digit_of(bytes[at]) < 16; at++) value = value * 16 + digit_of(bytes[at]);
  *number = value;
  return at > first && isfinite(value) ? at : 0;
}

/* The digits as a whole number without zeros at its end, and a power of ten: so that 1, 1.0 and 10e-1 are the same
 * double. Digits beyond the nineteenth only count as zeros. */
typedef struct decimal {
  uint64_t digits;
  long power;
  bool any;
} decimal;

static size_t read_digits(const char *bytes, size_t length, size_t at, decimal *number, bool fraction) {
  const uint64_t most = (UINT64_MAX - 9) / 10;
  for (; at < length && digit_of(bytes[at]) < 10; at++) {
    number->any = true;
    if (number->digits <= most) {
      number->digits = number->digits * 10 + (uint64_t)digit_of(bytes[at]);
      number->power -= fraction;
    } else {
      number->power += !fraction;
    }
  }
  return at;
}

/* Moves past an exponent, if there is a whole one. */
static size_t read_exponent(const char *bytes, size_t length, size_t at, decimal *number) {
  enum { MOST = 100000 };
  size_t digit = at + 1;
  if (at >= length || (bytes[at] != 'e' && bytes[at] != 'E')) return at;
  bool negative = digit < length && bytes[digit] == '-';
  if (digit < length && (bytes[digit] == '-' || bytes[digit] == '+')) digit++;
  if (digit >= length || digit_of(bytes[digit]) > 9) return at;
  long exponent = 0;
  for (; digit < length && digit_of(bytes[digit]) < 10; digit++) {
    if (exponent < MOST) exponent = exponent * 10 + digit_of(bytes[digit]);
  }
  number->power += negative ? -exponent : exponent;
  return digit;
}

/* By squaring, so that nobody needs the mathematics library. Beyond the range: infinity. */
static long double power_of_ten(long power) {
  long double result = 1, factor = 10;
  for (; power > 0; power /= 2) {
    if (power % 2) result *= factor;
    factor *= factor;
  }
  return result;
}

size_t eo__pairwise_number(const char *bytes, size_t length, double *number) {
  decimal parsed = {0};
  size_t at = 0;
  bool negative = length > 0 && bytes[0] == '-';
  if (length > 0 && (bytes[0] == '-' || bytes[0] == '+')) at++;
  if (at + 1 < length && bytes[at] == '0' && (bytes[at + 1] == 'x' || bytes[at + 1] == 'X')) {
    size_t end = hexadecimal(bytes, length, at + 2, number);
    if (negative) *number = -*number;
    return end;
  }
  at = read_digits(bytes, length, at, &parsed, false);
  if (at < length && bytes[at] == '.') at = read_digits(bytes, length, at + 1, &parsed, true);
  if (!parsed.any) return 0;
  at = read_exponent(bytes, length, at, &parsed);
  while (parsed.digits != 0 && parsed.digits % 10 == 0) {
    parsed.digits /= 10;
    parsed.power++;
  }
  if (parsed.digits == 0) parsed.power = 0;
  long double value = (long double)parsed.digits;
  value = parsed.power < 0 ? value / power_of_ten(-parsed.power) : value * power_of_ten(parsed.power);
  *number = (double)(negative ? -value : value);
  return isfinite(*number) && (parsed.digits == 0 || *number != 0) ? at : 0;
}
