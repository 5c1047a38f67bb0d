/* shown.c: see shown.h. */
#include "report/shown.h"

#include <ctype.h>
#include <string.h>

#include <jansson.h>

#include "core/estimate.h"

size_t eo__utf8(const char *chars, uint32_t *character) {
  size_t length = eo__text_utf8(chars, strnlen(chars, 4));
  if (length == 0) return 0;
  const unsigned char *c = (const unsigned char *)chars;
  uint32_t value = length == 1 ? c[0] : c[0] & (0x7fU >> length);
  for (size_t i = 1; i < length; i++) value = value << 6 | (c[i] & 0x3fU);
  *character = value;
  return length;
}

/* C0, DEL, C1, and what changes the direction or the line of the text around it. */
static bool is_control(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

static size_t add_escaped(eo_text *text, uint32_t c, bool is_byte) {
  static const char plain[] = "\a\b\t\n\v\f\r";
  const char *at = c < 0x20 && c != 0 ? strchr(plain, (int)c) : NULL;
  size_t before = text->length;
  if (at != NULL)
    eo__text_add(text, "\\%c", "abtnvfr"[at - plain]);
  else if (is_byte || c < 0x80)
    eo__text_add(text, "\\x%02x", (unsigned)c);
  else
    eo__text_add(text, "\\u%04x", (unsigned)c);
  return text->length - before;
}

size_t eo__shown_add(eo_text *text, const char *chars) {
  size_t columns = 0;
  while (*chars != '\0') {
    uint32_t c;
    size_t length = eo__utf8(chars, &c);
    if (length == 0) {
      columns += add_escaped(text, (unsigned char)*chars, true);
      chars++;
      continue;
    }
    if (is_control(c)) {
      columns += add_escaped(text, c, false);
    } else {
      eo__text_append(text, chars, length);
      columns++;
    }
    chars += length;
  }
  return columns;
}

json_t *eo__shown_json(const char *chars) {
  eo_text text;
  eo__text_init(&text);
  eo__shown_add(&text, chars);
  json_t *made = text.failed ? NULL : json_string(text.chars);
  eo__text_release(&text);
  return made;
}

void eo__shown_quote(eo_text *text, const char *chars) {
  bool plain = *chars != '\0';
  for (const char *c = chars; *c != '\0'; c++)
    plain = plain && (isalnum((unsigned char)*c) || strchr("_./+-=:,@%", *c) != NULL);
  if (plain) {
    eo__text_append(text, chars, strlen(chars));
    return;
  }
  eo__text_add(text, "'");
  for (const char *c = chars; *c != '\0'; c++) eo__text_append(text, *c == '\'' ? "'\\''" : c, *c == '\'' ? 4 : 1);
  eo__text_add(text, "'");
}

const char *eo__paint(bool colour, const char *code) { return colour ? code : ""; }

const char *eo__plain(bool colour) { return colour ? "\033[0m" : ""; }

void eo__shown(FILE *out, const char *chars, size_t columns) {
  eo_text text;
  eo__text_init(&text);
  size_t taken = eo__shown_add(&text, chars);
  fputs(text.chars, out);
  if (taken < columns) fprintf(out, "%*s", (int)(columns - taken), "");
  eo__text_release(&text);
}

size_t eo__shown_columns(const char *chars) {
  eo_text text;
  eo__text_init(&text);
  size_t columns = eo__shown_add(&text, chars);
  eo__text_release(&text);
  return columns;
}

void eo__shown_count(FILE *out, uint64_t count, const char *what) {
  char digits[32];
  fprintf(out, "%s %s%s", eo__text_thousands(digits, count), what, count == 1 ? "" : "s");
}

/* With a band of 30 % the digits after the third say nothing, and beyond 15 no number of ours is exact. */
char *eo__shown_estimate(char *out, double estimate, double high) {
  char number[32], band[24] = "";
  double part = estimate > 0 ? (high - estimate) / estimate : 0, unit = 1;
  while (part > 0.001 && estimate / unit >= 1000) unit *= 10;
  if (estimate < 1e15)
    eo__text_thousands(number, (uint64_t)(estimate / unit + 0.5) * (uint64_t)unit);
  else
    snprintf(number, sizeof(number), "%.2g", estimate);
  if (estimate >= EO_ESTIMATE_MOST / 1e10)
    snprintf(number, sizeof(number), "more than %.0e", EO_ESTIMATE_MOST / 1e10);
  else if (part > 0)
    snprintf(band, sizeof(band), part < 0.01 ? " (±%.1f %%)" : part < 10 ? " (±%.0f %%)" : " (a guess)", part * 100);
  snprintf(out, 64, "~%s%s", number, band);
  return out;
}

void eo__shown_path(FILE *out, const char *path) {
  eo_text text;
  eo__text_init(&text);
  eo__shown_quote(&text, path);
  eo__shown(out, text.chars, 0);
  eo__text_release(&text);
}
