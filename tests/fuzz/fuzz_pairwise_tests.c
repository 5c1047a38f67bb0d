/* fuzz_pairwise_tests.c: any text as a file of tests. What is accepted has only values of the model, and is written and
 * read back the same, as CSV and as JSON.
 * runs: 10000 */
#include <stdlib.h>
#include <string.h>

#include "pairwise/tests_file.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

static void write_and_read(const eo_pairwise_model *model, const eo_pairwise_rows *rows, eo_pairwise_format format) {
  eo_pairwise_rows back;
  eo_text text, dropped;
  eo__text_init(&text);
  eo__text_init(&dropped);
  eo__pairwise_rows_init(&back, rows->params);
  eo__pairwise_tests_write(model, rows, format, &text);
  REQUIRE(eo__pairwise_tests_read(model, "t", text.chars, text.length, true, &back, &dropped, NULL) == EO_OK);
  REQUIRE(back.values.count == rows->values.count);
  size_t bytes = rows->values.count * sizeof rows->values.items[0];
  REQUIRE(bytes == 0 || memcmp(back.values.items, rows->values.items, bytes) == 0);
  eo__text_release(&text);
  eo__text_release(&dropped);
  eo__pairwise_rows_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char text[] = "A: x, y | z, ~-1\nB,b: 1, 2, \"3\", \xc3\xa9\nC: , c d\n";
  eo_pairwise_model model;
  eo_pairwise_rows rows;
  eo_text dropped;
  eo_error error = {0};
  REQUIRE(eo__pairwise_model_read(&model, "m", text, sizeof text - 1, &eo__pairwise_pict, NULL) == EO_OK);
  bool strict = size > 0 && data[size - 1] == 's';
  eo__text_init(&dropped);
  eo__pairwise_rows_init(&rows, 3);
  if (eo__pairwise_tests_read(&model, "t", (const char *)data, size, strict, &rows, &dropped, &error) == EO_OK) {
    for (size_t i = 0; i < rows.values.count; i++) {
      REQUIRE(rows.values.items[i] == EO_PAIRWISE_ANY || rows.values.items[i] < model.params.items[i % 3].values.count);
    }
    write_and_read(&model, &rows, EO_PAIRWISE_CSV);
    write_and_read(&model, &rows, EO_PAIRWISE_JSON);
  } else {
    REQUIRE(error.code == EO_EINPUT && error.text[0] == 't');
  }
  eo__text_release(&dropped);
  eo__pairwise_rows_release(&rows);
  eo__pairwise_model_release(&model);
  return 0;
}
