/* fuzz_args.c: the command line. The first byte picks one of the commands, each line after it is one argument. Whatever parses
 * must also forward: what is handed on to the test program parses again, to the same options.
 * runs: 20000 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

enum { MOST_ARGUMENTS = 32 };

static int split(char *text, char **argv) {
  int count = 0;
  argv[count++] = (char *)"everyorder";
  for (char *line = strtok(text, "\n"); line && count < MOST_ARGUMENTS; line = strtok(NULL, "\n")) argv[count++] = line;
  return count;
}

static void describe(const eo_args *args, eo_text *out) {
  eo__text_init(out);
  eo__args_describe(args, out);
}

static void forward(const eo_args *args, eo_command command) {
  eo_strings words = {0};
  eo_error error = {0};
  if (eo__args_forward(args, &words, &error) != EO_OK) return;
  char *argv[4 * MOST_ARGUMENTS] = {(char *)"program"};
  REQUIRE(words.count < 4 * MOST_ARGUMENTS - 1);
  for (size_t i = 0; i < words.count; i++) argv[i + 1] = words.items[i];
  eo_args again;
  eo_text before, after;
  eo__args_init(&again);
  int code = eo__args_parse(&again, command, (int)words.count + 1, argv, 1, &error);
  if (code == EO_OK) {
    describe(args, &before);
    describe(&again, &after);
    REQUIRE(strcmp(before.chars, after.chars) == 0);
    eo__text_release(&before);
    eo__text_release(&after);
  }
  eo__args_release(&again);
  for (size_t i = 0; i < words.count; i++) free(words.items[i]);
  eo_vec_release(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0 || size > 2000) return 0;
  char *text = malloc(size);
  memcpy(text, data + 1, size - 1);
  text[size - 1] = '\0';
  char *argv[MOST_ARGUMENTS + 1];
  int argc = split(text, argv);
  eo_command command = (eo_command)(1 << data[0] % 7);
  eo_args args;
  eo_error error = {0};
  eo__args_init(&args);
  int code = eo__args_parse(&args, command, argc, argv, 1, &error);
  if (code == EO_OK)
    forward(&args, command);
  else
    REQUIRE(error.text[0] != '\0'); /* an error always says what is wrong */
  eo__args_release(&args);
  free(text);
  return 0;
}
