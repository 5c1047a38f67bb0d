/* reader.h: what the parts of the reader of model files share: the text, positions in it, errors and warnings. model_read.c
 * begins and reads the file by lines, param_read.c and group_read.c read a line each, constraint_read.c all of the rest. */
#ifndef EO_PAIRWISE_READER_H
#define EO_PAIRWISE_READER_H

#include "pairwise/model.h"

typedef struct eo_pairwise_reader {
  eo_pairwise_model *model;
  const char *file;
  const char *text;
  size_t length;
  size_t at;
  eo_error *error;
  bool unknown;   /* the constraint that is being read names a parameter that there is not */
  size_t values;  /* of all parameters so far */
  size_t counted; /* lines are counted up to this offset, so that counting is not begun anew each time */
  uint32_t line;  /* and this is the line there */
} eo_pairwise_reader;

/* A part of the text without the blanks at its ends. */
typedef struct eo_pairwise_span {
  size_t start;
  size_t end;
} eo_pairwise_span;

typedef EO_VEC(eo_pairwise_span) eo_pairwise_spans;

/* An error, or a warning (past a limit they are dropped), at that offset of the text; both return a code. */
int eo__pairwise_fail(eo_pairwise_reader *reader, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int eo__pairwise_warn(eo_pairwise_reader *reader, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
uint32_t eo__pairwise_line(eo_pairwise_reader *reader, size_t offset);

bool eo__pairwise_blank(char c);
eo_pairwise_span eo__pairwise_trim(const eo_pairwise_reader *reader, size_t start, size_t end);
/* Where the character is in the span; its end: nowhere. */
size_t eo__pairwise_find(const eo_pairwise_reader *reader, eo_pairwise_span where, char c);
char *eo__pairwise_copy(const eo_pairwise_reader *reader, eo_pairwise_span part); /* NULL: no memory */
int eo__pairwise_split(const eo_pairwise_reader *reader, eo_pairwise_span whole, char separator,
                       eo_pairwise_spans *parts);

/* The first of the names that is also that of one before it; UINT32_MAX: none. Sorts them. */
typedef struct eo_pairwise_named {
  const char *name;
  uint32_t index;
  bool case_sensitive;
} eo_pairwise_named;
uint32_t eo__pairwise_repeated(eo_pairwise_named *names, size_t count);

int eo__pairwise_read_param(eo_pairwise_reader *reader, eo_pairwise_span line);
int eo__pairwise_read_group(eo_pairwise_reader *reader, eo_pairwise_span line, bool relation);
/* From `at`, the start of a line, to the end of the text. */
int eo__pairwise_read_constraints(eo_pairwise_reader *reader);

#endif
