/* tests_file.h: rows of values as files: PICT's text (names, then values, between tabs), CSV, JSON, TAP
 * (doc/formats/pairwise-tests.md). */
#ifndef EO_PAIRWISE_TESTS_FILE_H
#define EO_PAIRWISE_TESTS_FILE_H

#include "pairwise/model.h"
#include "pairwise/system.h"

typedef enum eo_pairwise_format {
  EO_PAIRWISE_TEXT,
  EO_PAIRWISE_CSV,
  EO_PAIRWISE_JSON,
  EO_PAIRWISE_TAP,
  EO_PAIRWISE_PICT_JSON /* as PICT's /f:json */
} eo_pairwise_format;

/* Adds the rows to `text` (which may have `failed` then: no memory). Aliases of a value take turns; an invalid value is
 * written with its `~`. */
void eo__pairwise_tests_write(const eo_pairwise_model *model, const eo_pairwise_rows *rows, eo_pairwise_format format,
                              eo_text *text);

/* Reads rows, of text, CSV or JSON (told apart by how they begin). Parameters that the model has and the file has not, and
 * empty cells, are EO_PAIRWISE_ANY. What the model no longer has: columns are dropped, rows with an unknown value lose that
 * value; each with a line in `dropped`, up to a limit. With `strict`, what it says is an error
 * instead. The rows are added to `rows`, which has the model's width; on an error some may have been. */
enum {
  EO_PAIRWISE_STRICT = 1 /* an unknown column or value */,
  EO_PAIRWISE_STRICT_COLUMNS = 2 /* an unknown column */
};
int eo__pairwise_tests_read(const eo_pairwise_model *model, const char *file, const char *text, size_t length,
                            unsigned strict, eo_pairwise_rows *rows, eo_text *dropped, eo_error *error);

#endif
