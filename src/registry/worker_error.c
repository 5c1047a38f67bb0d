/* worker_error.c: an error that a worker cannot go on with, on its way to the parent. */
#include <string.h>

#include "registry/worker.h"

enum { ASK_ERROR = 'E' }; /* beside what the frontier answers (frontier/local.c) */

typedef struct last_word {
  char kind;
  eo_error error;
} last_word;

void eo__worker_error_tell(eo_worker *worker, const eo_error *error) {
  last_word word = {.kind = ASK_ERROR, .error = *error};
  eo_bytes answer = {0};
  eo__worker_ask(worker, &word, sizeof word, &answer);
  eo_vec_release(&answer);
}

bool eo__worker_error_is(const unsigned char *bytes, size_t size) { return size && bytes[0] == ASK_ERROR; }

int eo__worker_error_read(const unsigned char *bytes, size_t size, eo_error *error) {
  last_word word;
  if (size != sizeof word) return EO_NONSENSE;
  memcpy(&word, bytes, sizeof word);
  word.error.text[sizeof word.error.text - 1] = '\0';
  return eo__error_set(error, word.error.code, "%s", word.error.text);
}
