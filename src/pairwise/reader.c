/* reader.c: positions, errors and parts of lines; see reader.h. */
#include "pairwise/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "pairwise/names.h"

enum { MAX_WARNINGS = 100 };

uint32_t eo__pairwise_line(eo_pairwise_reader *reader, size_t offset) {
  if (offset < reader->counted) reader->counted = reader->line = 0;
  for (; reader->counted < offset; reader->counted++) reader->line += reader->text[reader->counted] == '\n';
  return reader->line + 1;
}

/* FILE:LINE:COLUMN: what; columns count characters. */
static void add_message(eo_text *text, eo_pairwise_reader *reader, size_t offset, const char *format,
                        va_list arguments) {
  size_t start = offset;
  while (start > 0 && reader->text[start - 1] != '\n') start--;
  if (start == 0 && reader->length >= 3 && memcmp(reader->text, "\xef\xbb\xbf", 3) == 0 && offset >= 3) start = 3;
  uint32_t column = 1;
  for (size_t i = start; i < offset; i++) column += ((unsigned char)reader->text[i] & 0xc0) != 0x80;
  char what[400];
  vsnprintf(what, sizeof what, format, arguments);
  eo__text_add(text, "%s:%u:%u: %s", reader->file, eo__pairwise_line(reader, offset), column, what);
}

int eo__pairwise_fail(eo_pairwise_reader *reader, size_t offset, const char *format, ...) {
  eo_text text;
  eo__text_init(&text);
  va_list arguments;
  va_start(arguments, format);
  add_message(&text, reader, offset, format, arguments);
  va_end(arguments);
  int code = text.failed ? eo__error_nomem(reader->error) : eo__error_set(reader->error, EO_EINPUT, "%s", text.chars);
  eo__text_release(&text);
  return code;
}

int eo__pairwise_warn(eo_pairwise_reader *reader, size_t offset, const char *format, ...) {
  if (reader->model->warnings.count >= MAX_WARNINGS) return EO_OK;
  eo_text text;
  eo__text_init(&text);
  va_list arguments;
  va_start(arguments, format);
  add_message(&text, reader, offset, format, arguments);
  va_end(arguments);
  char *warning = text.failed ? NULL : eo__strdup(text.chars);
  eo__text_release(&text);
  if (warning && eo_vec_push(&reader->model->warnings, warning)) return EO_OK;
  eo__free(warning);
  return eo__error_nomem(reader->error);
}

bool eo__pairwise_blank(char c) { return (unsigned char)c <= ' '; }

eo_pairwise_span eo__pairwise_trim(const eo_pairwise_reader *reader, size_t start, size_t end) {
  while (start < end && eo__pairwise_blank(reader->text[start])) start++;
  while (end > start && eo__pairwise_blank(reader->text[end - 1])) end--;
  return (eo_pairwise_span){start, end};
}

size_t eo__pairwise_find(const eo_pairwise_reader *reader, eo_pairwise_span where, char c) {
  const char *found = where.end > where.start ? memchr(reader->text + where.start, c, where.end - where.start) : NULL;
  return found ? (size_t)(found - reader->text) : where.end;
}

char *eo__pairwise_copy(const eo_pairwise_reader *reader, eo_pairwise_span part) {
  char *text = eo__alloc(part.end - part.start + 1);
  if (text) memcpy(text, reader->text + part.start, part.end - part.start);
  return text;
}

int eo__pairwise_split(const eo_pairwise_reader *reader, eo_pairwise_span whole, char separator,
                       eo_pairwise_spans *parts) {
  eo_vec_clear(parts);
  for (size_t start = whole.start;;) {
    size_t end = eo__pairwise_find(reader, (eo_pairwise_span){start, whole.end}, separator);
    if (!eo_vec_push(parts, eo__pairwise_trim(reader, start, end))) return eo__error_nomem(reader->error);
    if (end == whole.end) return EO_OK;
    start = end + 1;
  }
}

static int by_name(const void *a, const void *b) {
  const eo_pairwise_named *left = a, *right = b;
  int order = eo__pairwise_compare(left->name, right->name, left->case_sensitive);
  return order ? order : (left->index > right->index) - (left->index < right->index);
}

uint32_t eo__pairwise_repeated(eo_pairwise_named *names, size_t count) {
  uint32_t first = UINT32_MAX;
  if (count > 1) qsort(names, count, sizeof *names, by_name);
  for (size_t i = 1; i < count; i++) {
    bool same = eo__pairwise_compare(names[i - 1].name, names[i].name, names[i].case_sensitive) == 0;
    if (same && names[i].index < first) first = names[i].index;
  }
  return first;
}
