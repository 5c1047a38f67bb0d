/* inputs.c: gives a fuzz target the inputs of its corpus, then so many made of them, the same ones each time.
 *   fuzz_NAME FOLDER RUNS
 * FOLDER is tests/fuzz/corpus/NAME. Each of its files is an input, but for `reached`: there each line is one, written as
 * in C (\n, \\, \xHH). These were chosen by libFuzzer for the code that they reach (hunt.sh, which looks for new ones).
 *
 * An input that fails is printed in the same writing, so that it can be added to `reached`, or kept under a name. */
#include <ctype.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { MOST_LENGTH = 1 << 16, MOST_CHANGES = 4, LONGEST_PIECE = 24 };

typedef struct input {
  uint8_t *bytes;
  size_t size;
} input;

static input *inputs;
static size_t input_count;
static input current; /* what the target looks at, in a block of just that size */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
const char *__asan_default_options(void); /* NOLINT: the sanitizer's name */
const char *__asan_default_options(void) { return "handle_sigill=1:quarantine_size_mb=16"; }

static void fail(const char *what, const char *which) {
  fprintf(stderr, "inputs: %s %s\n", what, which);
  exit(2);
}

static void keep(const uint8_t *bytes, size_t size) {
  inputs = realloc(inputs, (input_count + 1) * sizeof *inputs);
  uint8_t *copy = malloc(size + 1);
  if (inputs == NULL || copy == NULL) fail("no memory for", "the corpus");
  memcpy(copy, bytes, size);
  inputs[input_count++] = (input){copy, size};
}

/* ---- The corpus --------------------------------------------------------------------------------------------------- */

static uint8_t digit(char c) {
  return (uint8_t)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
}

static void keep_line(const char *line, const char *end) {
  uint8_t *bytes = malloc((size_t)(end - line) + 1);
  size_t size = 0;
  if (bytes == NULL) fail("no memory for", "the corpus");
  while (line < end) {
    uint8_t byte = (uint8_t)*line++;
    if (byte == '\\' && line < end) {
      char kind = *line++;
      byte = kind == 'n' ? '\n' : '\\';
      if (kind == 'x' && end - line >= 2) {
        byte = (uint8_t)(digit(line[0]) * 16 + digit(line[1]));
        line += 2;
      }
    }
    bytes[size++] = byte;
  }
  keep(bytes, size);
  free(bytes);
}

static void read_file(const char *folder, const char *name) {
  static char text[1 << 20];
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (file == NULL) fail("cannot read", path);
  size_t size = fread(text, 1, sizeof text, file);
  if (size == sizeof text) fail("too large:", path);
  fclose(file);
  if (strcmp(name, "reached") != 0) {
    keep((uint8_t *)text, size);
    return;
  }
  for (char *line = text, *end; (end = memchr(line, '\n', (size_t)(text + size - line))) != NULL; line = end + 1)
    keep_line(line, end);
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static void read_corpus(const char *folder) {
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, by_name);
  if (count < 0) fail("cannot read", folder);
  for (int i = 0; i < count; i++) {
    if (entries[i]->d_name[0] != '.') read_file(folder, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  if (input_count == 0) fail("nothing is in", folder);
}

/* ---- Changes ------------------------------------------------------------------------------------------------------ */

static size_t below(eo_rng *rng, size_t n) { return eo__rng_below(rng, (uint32_t)n); }

/* Replaces `removed` bytes at `at` by a piece. */
static void replace(uint8_t *bytes, size_t *size, size_t at, size_t removed, const uint8_t *piece, size_t length) {
  if (*size - removed + length > MOST_LENGTH) return;
  memmove(bytes + at + length, bytes + at + removed, *size - at - removed);
  memcpy(bytes + at, piece, length);
  *size = *size - removed + length;
}

/* A piece of some input is inserted, or put in the place of another; or a piece is left out, or a byte is changed. */
static void change(eo_rng *rng, uint8_t *bytes, size_t *size) {
  uint8_t piece[LONGEST_PIECE];
  const input *other = &inputs[below(rng, input_count)];
  size_t at = below(rng, *size + 1), length = below(rng, LONGEST_PIECE) + 1, removed = below(rng, LONGEST_PIECE) + 1;
  size_t from = below(rng, other->size + 1);
  if (length > other->size - from) length = other->size - from;
  if (removed > *size - at) removed = *size - at;
  memcpy(piece, other->bytes + from, length);
  switch (below(rng, 4)) {
    case 0: replace(bytes, size, at, 0, piece, length); break;
    case 1: replace(bytes, size, at, removed, piece, length); break;
    case 2: replace(bytes, size, at, removed, piece, 0); break;
    default:
      if (at == *size) return;
      if (below(rng, 2) == 0)
        bytes[at] ^= (uint8_t)(1 << below(rng, 8));
      else
        bytes[at] = (uint8_t)below(rng, 256);
  }
}

/* ---- Running ------------------------------------------------------------------------------------------------------ */

static void show_current(void) {
  fputs("\nthe input, as a line of `reached`:\n", stderr);
  for (size_t i = 0; i < current.size; i++) {
    uint8_t byte = current.bytes[i];
    if (byte == '\n')
      fputs("\\n", stderr);
    else if (byte == '\\')
      fputs("\\\\", stderr);
    else if (byte >= ' ' && byte <= '~')
      fputc(byte, stderr);
    else
      fprintf(stderr, "\\x%02x", byte);
  }
  fputc('\n', stderr);
}

static void run(const uint8_t *bytes, size_t size) {
  current = (input){malloc(size ? size : 1), size};
  if (current.bytes == NULL) fail("no memory for", "an input");
  if (size > 0) memcpy(current.bytes, bytes, size);
  (void)LLVMFuzzerTestOneInput(current.bytes, size);
  free(current.bytes);
}

int main(int argc, char **argv) {
  static uint8_t bytes[MOST_LENGTH];
  if (argc != 3) fail("usage:", "fuzz_NAME FOLDER RUNS");
  long runs = strtol(argv[2], NULL, 10);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(show_current);
  read_corpus(argv[1]);
  run(NULL, 0);
  for (size_t i = 0; i < input_count; i++) run(inputs[i].bytes, inputs[i].size);
  eo_rng rng;
  eo__rng_init(&rng, 1);
  for (long i = 0; i < runs; i++) {
    const input *first = &inputs[below(&rng, input_count)];
    size_t size = first->size, changes = 1 + below(&rng, MOST_CHANGES);
    if (size > MOST_LENGTH) continue;
    memcpy(bytes, first->bytes, size);
    while (changes-- > 0) change(&rng, bytes, &size);
    run(bytes, size);
  }
  printf("%zu inputs, and %ld made of them\n", input_count, runs);
  for (size_t i = 0; i < input_count; i++) free(inputs[i].bytes);
  free(inputs);
  return 0;
}
