/* fuzz_summary.c: what the web server says of a file in its folder, whatever is in it. The answer is an object whose
 * texts are UTF-8 (it can be written as JSON and read back), or nothing.
 * runs: 5000 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "serve/summary.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

static void summarise(int file, eo_serve_kind kind, const struct stat *status) {
  REQUIRE(lseek(file, 0, SEEK_SET) == 0);
  json_t *summary = eo__serve_summarise(file, kind, status);
  if (summary == NULL) return;
  REQUIRE(json_is_object(summary));
  char *text = json_dumps(summary, JSON_COMPACT);
  REQUIRE(text != NULL);
  json_t *again = json_loads(text, 0, NULL);
  REQUIRE(again != NULL && json_equal(again, summary));
  json_decref(again);
  json_decref(summary);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const eo_serve_kind kinds[] = {EO_SERVE_OTHER, EO_SERVE_REPORT, EO_SERVE_TICKET, EO_SERVE_HTML, EO_SERVE_LIVE};
  struct stat status;
  int file = memfd_create("fuzzed", 0);
  REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size && fstat(file, &status) == 0);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) summarise(file, kinds[i], &status);
  close(file);
  return 0;
}
