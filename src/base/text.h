/* text.h: a string that grows. A failed allocation sets `failed` and drops the rest, so that callers check once at the
 * end. `chars` is always a terminated string, "" at first. */
#ifndef EO_BASE_TEXT_H
#define EO_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct eo_text {
  char *chars;
  size_t length;
  size_t capacity;
  bool failed;
} eo_text;

void eo__text_init(eo_text *text);
void eo__text_release(eo_text *text);
void eo__text_clear(eo_text *text);
void eo__text_add(eo_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void eo__text_append(eo_text *text, const char *bytes, size_t length);

/* "30s", "5m", "1h", "250ms", "2.5" (seconds) into seconds. False: not of that form. */
bool eo__text_seconds(const char *string, double *seconds);

/* A whole decimal number from 0 to max. False: not of that form, or larger. */
bool eo__text_number(const char *string, uint64_t max, uint64_t *number);

/* 1234567 as "1,234,567" into out (at least 32 bytes); returns out. */
char *eo__text_thousands(char *out, uint64_t number);

/* The word of the list that `word` was probably meant to be, or NULL. */
const char *eo__text_nearest(const char *word, const char *const *list, size_t count);

/* Length of the well-formed UTF-8 sequence at the start of these bytes, 1 to 4; 0: they do not begin with one. */
size_t eo__text_utf8(const char *bytes, size_t length);

#endif
