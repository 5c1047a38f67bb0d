/* test_symbols.c: names of this program's own variables and lines. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "subjects/actor/symbols.h"
#include "subjects/actor/variables.h"

int visible_number = 3;
static int hidden_numbers[10];

__attribute__((noinline)) static int *numbers_of_function(void) {
  static int kept_numbers[4];
  return kept_numbers;
}

__attribute__((noinline)) static uintptr_t here(int *line) {
  *line = __LINE__ + 1;
  return (uintptr_t)__builtin_return_address(0) - 1;
}

static void assert_variable(eo_symbols *symbols, const void *address, const char *name, const void *start,
                            size_t size) {
  const char *found;
  uintptr_t from;
  size_t length;
  assert_true(eo__symbols_variable(symbols, (uintptr_t)address, &found, &from, &length));
  assert_string_equal(found, name);
  assert_int_equal(from, (uintptr_t)start);
  assert_in_range(length, size, size + 64); /* AddressSanitizer may add to it */
}

static void assert_all_variables(eo_symbols *symbols) {
  assert_variable(symbols, &visible_number, "visible_number", &visible_number, sizeof(int));
  assert_variable(symbols, &hidden_numbers[9], "hidden_numbers", hidden_numbers, sizeof(hidden_numbers));
  assert_variable(symbols, &numbers_of_function()[1], "kept_numbers", numbers_of_function(), 4 * sizeof(int));
}

/* ---- Members of structs ---- */

typedef enum mood { SLEEPY, AWAKE } mood;

typedef struct pair {
  short key;
  long value;
} pair;

typedef struct everything {
  int count;
  unsigned char byte;
  bool on;
  double ratio;
  mood mood;
  char text[8];
  pair pairs[2];
  const void *pointer;
  unsigned low : 3, high : 5;
  union {
    int as_int;
    unsigned char as_bytes[4];
  } both;
} everything;

static void members_have_values(void **state) {
  (void)state;
  static const char *const expected[][2] = {{"count", "-3"},
                                            {"byte", "200"},
                                            {"on", "true"},
                                            {"ratio", "0.5"},
                                            {"mood", "AWAKE"},
                                            {"text", "\"hello\""},
                                            {"pairs[0].key", "7"},
                                            {"pairs[0].value", "-8"},
                                            {"pairs[1].key", "0"},
                                            {"pairs[1].value", "0"},
                                            {"pointer", "0x10"},
                                            {"low", "5"},
                                            {"high", "9"},
                                            {"both.as_int", "258"},
                                            {"both.as_bytes[0]", "2"},
                                            {"both.as_bytes[1]", "1"},
                                            {"both.as_bytes[2]", "0"},
                                            {"both.as_bytes[3]", "0"}};
  everything one = {.count = -3,
                    .byte = 200,
                    .on = true,
                    .ratio = 0.5,
                    .mood = AWAKE,
                    .text = "hello",
                    .pairs = {{7, -8}},
                    .pointer = (const void *)16, /* NOLINT(performance-no-int-to-ptr) */
                    .low = 5,
                    .high = 9,
                    .both.as_int = 258};
  eo_symbols *symbols = eo__symbols_open();
  const eo_value_style plain = {0};
  eo_members members = {0};
  assert_true(eo__symbols_members(symbols, "everything", &one, sizeof one, &plain, &members));
  assert_int_equal(members.count, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < members.count; i++) {
    assert_string_equal(members.items[i].name, expected[i][0]);
    assert_string_equal(members.items[i].value, expected[i][1]);
  }
  eo__members_release(&members);
  members = (eo_members){0};
  assert_true(eo__symbols_members(symbols, "struct pair", &one.pairs[0], sizeof(pair), &plain, &members));
  assert_int_equal(members.count, 2);
  assert_true(eo__symbols_members(symbols, "everything", &one, sizeof one - 1, &plain, &members)); /* another type */
  assert_true(eo__symbols_members(symbols, "no such type", &one, sizeof one, &plain, &members));
  assert_int_equal(members.count, 2);
  eo__members_release(&members);
  eo__symbols_close(symbols);
}

static void variables_have_names(void **state) {
  (void)state;
  int local = hidden_numbers[0]++;
  eo_symbols *symbols = eo__symbols_open();
  assert_non_null(symbols);
  assert_all_variables(symbols);
  const char *name;
  uintptr_t start;
  size_t size;
  assert_false(eo__symbols_variable(symbols, (uintptr_t)&local, &name, &start, &size));
  assert_false(eo__symbols_variable(symbols, 0, &name, &start, &size));
  assert_false(eo__symbols_variable(symbols, UINTPTR_MAX, &name, &start, &size));
  eo__symbols_close(symbols);
}

static void code_has_lines(void **state) {
  (void)state;
  eo_symbols *symbols = eo__symbols_open();
  eo_source source;
  int ignored;
  uintptr_t pc = here(&ignored);
  int line = __LINE__ - 1;
  assert_true(eo__symbols_source(symbols, pc, &source));
  assert_int_equal(source.line, line);
  assert_string_equal(source.function, "code_has_lines");
  const char *slash = strrchr(source.file, '/');
  assert_string_equal(slash ? slash + 1 : source.file, "test_symbols.c");
  assert_false(eo__symbols_source(symbols, 0, &source));
  assert_int_equal(source.line, 0);
  assert_string_equal(source.function, "");
  eo__symbols_close(symbols);
}

static void library_functions_have_names(void **state) {
  (void)state;
  eo_symbols *symbols = eo__symbols_open();
  eo_source source;
  assert_true(eo__symbols_source(symbols, (uintptr_t)dlsym(RTLD_DEFAULT, "_exit") + 1, &source));
  assert_non_null(strstr(source.function, "xit"));
  eo__symbols_close(symbols);
}

static void a_forked_child_can_open_it(void **state) {
  (void)state;
  pid_t child = fork();
  if (child == 0) {
    eo_symbols *symbols = eo__symbols_open();
    const char *name;
    uintptr_t start;
    size_t size;
    bool good = symbols && eo__symbols_variable(symbols, (uintptr_t)&visible_number, &name, &start, &size) &&
                strcmp(name, "visible_number") == 0;
    eo__symbols_close(symbols);
    _exit(good ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_have_values),
      cmocka_unit_test(variables_have_names),
      cmocka_unit_test(code_has_lines),
      cmocka_unit_test(library_functions_have_names),
      cmocka_unit_test(a_forked_child_can_open_it),
  };
  return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
