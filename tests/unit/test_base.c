/* test_base.c: src/base: errors, memory, vectors, random numbers, text. valgrind: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/vec.h"

/* ---- error -------------------------------------------------------------------------------------------------------- */

static void error_holds_code_and_text(void **state) {
  (void)state;
  eo_error error = {0};
  assert_int_equal(eo__error_set(&error, EO_EINPUT, "no file '%s'", "x"), EO_EINPUT);
  assert_int_equal(error.code, EO_EINPUT);
  assert_string_equal(error.text, "no file 'x'");
  assert_int_equal(eo__error_nomem(&error), EO_ENOMEM);
  assert_int_equal(error.code, EO_ENOMEM);
  assert_non_null(strstr(error.text, "memory"));
  assert_int_equal(eo__error_set(NULL, EO_ESYSTEM, "nobody listens"), EO_ESYSTEM);
}

static void error_can_wrap_its_own_text(void **state) {
  (void)state;
  eo_error error = {0};
  eo__error_set(&error, EO_EINPUT, "bad");
  eo__error_set(&error, EO_EINPUT, "file x: %s: %s", error.text, error.text);
  assert_string_equal(error.text, "file x: bad: bad");
}

static void error_cuts_long_text(void **state) {
  (void)state;
  char text[2000];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  eo_error error = {0};
  eo__error_set(&error, EO_EINPUT, "%s", text);
  assert_int_equal(strlen(error.text), sizeof error.text - 1);
  assert_string_equal(error.text + sizeof error.text - 5, "a...");

  text[sizeof error.text - 1] = '\0'; /* fits exactly */
  eo__error_set(&error, EO_EINPUT, "%s", text);
  assert_string_equal(error.text, text);
}

static void tell_context(const char *what) {
  (void)what;
  fprintf(stderr, "the context\n");
  EO_CHECK(!"a check inside the context");
}

static void check_prints_and_aborts(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    signal(SIGABRT, SIG_DFL); /* cmocka catches it */
    dup2(ends[1], STDERR_FILENO);
    eo__bug_context = tell_context;
    EO_CHECK(1 + 1 == 3);
    _exit(0);
  }
  close(ends[1]);
  char output[2048];
  size_t length = 0;
  for (ssize_t got; (got = read(ends[0], output + length, sizeof output - 1 - length)) > 0;) length += (size_t)got;
  output[length] = '\0';
  close(ends[0]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  assert_int_equal(WTERMSIG(status), SIGABRT);
  assert_non_null(strstr(output, "test_base.c:"));
  assert_non_null(strstr(output, "1 + 1 == 3"));
  assert_non_null(strstr(output, "the context"));
  assert_non_null(strstr(output, "a check inside the context"));
  EO_CHECK(1 + 1 == 2);
}

/* ---- alloc -------------------------------------------------------------------------------------------------------- */

static void alloc_zeroes(void **state) {
  (void)state;
  for (size_t size = 0; size < 300; size += 7) {
    unsigned char *block = eo__alloc(size);
    assert_non_null(block);
    for (size_t i = 0; i < size; i++) assert_int_equal(block[i], 0);
    memset(block, 0xff, size); /* for the next one to reuse */
    eo__free(block);
  }
  eo__free(NULL);
}

static void alloc_budget_counts_and_fails(void **state) {
  (void)state;
  eo__alloc_budget = 10;
  eo__free(eo__alloc(1));
  char *block = eo__realloc(NULL, 5);
  char *copy = eo__strdup("abc");
  assert_string_equal(copy, "abc");
  assert_int_equal(eo__alloc_budget, 7);

  eo__alloc_budget = 1;
  strcpy(block, "kept");
  block = eo__realloc(block, 500);
  assert_non_null(block);
  assert_null(eo__realloc(block, 5000));
  assert_null(eo__alloc(1));
  assert_null(eo__strdup(""));
  assert_int_equal(eo__alloc_budget, 0);
  assert_string_equal(block, "kept");
  eo__alloc_budget = -1;
  block = eo__realloc(block, 0);
  assert_non_null(block);
  eo__free(block);
  eo__free(copy);
}

/* ---- vec ---------------------------------------------------------------------------------------------------------- */

static void vec_grows(void **state) {
  (void)state;
  EO_VEC(int) numbers = {0};
  for (int i = 0; i < 10000; i++) assert_true(eo_vec_push(&numbers, i * 3));
  assert_int_equal(numbers.count, 10000);
  assert_true(numbers.capacity >= numbers.count);
  for (int i = 0; i < 10000; i++) assert_int_equal(numbers.items[i], i * 3);
  assert_int_equal(eo_vec_last(&numbers), 9999 * 3);
  assert_int_equal(eo_vec_pop(&numbers), 9999 * 3);
  assert_int_equal(numbers.count, 9999);
  eo_vec_clear(&numbers);
  assert_int_equal(numbers.count, 0);
  assert_non_null(numbers.items);
  eo_vec_release(&numbers);
  assert_null(numbers.items);
  assert_int_equal(numbers.capacity, 0);
  eo_vec_release(&numbers);
}

static void vec_appends(void **state) {
  EO_VEC(int) some = {0}, more = {0};
  (void)state;
  assert_true(eo_vec_append(&some, &more));
  assert_int_equal(some.count, 0);
  for (int i = 0; i < 100; i++) assert_true(eo_vec_push(&more, i));
  assert_true(eo_vec_push(&some, -1));
  assert_true(eo_vec_append(&some, &more));
  assert_true(eo_vec_append(&some, &more));
  assert_int_equal(some.count, 201);
  for (int i = 0; i < 201; i++) assert_int_equal(some.items[i], i ? (i - 1) % 100 : -1);
  eo_vec_release(&some);
  eo_vec_release(&more);
}

static void vec_reserve_is_enough_and_once(void **state) {
  (void)state;
  EO_VEC(long) numbers = {0};
  eo__alloc_budget = 1;
  assert_true(eo_vec_reserve(&numbers, 1000));
  for (long i = 0; i < 1000; i++) assert_true(eo_vec_push(&numbers, i));
  size_t room = numbers.capacity - numbers.count;
  assert_true(eo_vec_reserve(&numbers, room));
  assert_false(eo_vec_reserve(&numbers, room + 1));
  assert_int_equal(numbers.count, 1000);
  assert_int_equal(numbers.items[999], 999);
  eo__alloc_budget = -1;
  eo_vec_release(&numbers);
}

static void vec_refuses_impossible_sizes(void **state) {
  (void)state;
  struct big {
    char bytes[1000];
  };
  EO_VEC(struct big) many = {0};
  assert_false(eo_vec_reserve(&many, SIZE_MAX / 1000));
  assert_false(eo_vec_reserve(&many, SIZE_MAX));
  assert_null(many.items);
  assert_int_equal(many.capacity, 0);
}

/* ---- rng ---------------------------------------------------------------------------------------------------------- */

/* The first numbers of the authors' own implementations for these states. */
static void rng_gives_the_published_numbers(void **state) {
  (void)state;
  eo_rng rng = {{1, 2, 3, 4}};
  assert_int_equal(eo__rng_next(&rng), 11520);
  assert_int_equal(eo__rng_next(&rng), 0);
  assert_int_equal(eo__rng_next(&rng), 1509978240);
  assert_int_equal(eo__rng_next(&rng), UINT64_C(1215971899390074240));

  eo__rng_init(&rng, 0);
  assert_int_equal(rng.state[0], UINT64_C(0xe220a8397b1dcdaf));
  assert_int_equal(rng.state[1], UINT64_C(0x6e789e6aa1b965f4));
  assert_int_equal(rng.state[2], UINT64_C(0x06c45d188009454f));
  assert_int_equal(rng.state[3], UINT64_C(0xf88bb8a8724c81ec));
  assert_int_equal(eo__rng_next(&rng), UINT64_C(0x99ec5f36cb75f2b4));
}

static void rng_depends_on_the_seed_alone(void **state) {
  (void)state;
  eo_rng a, b, c;
  eo__rng_init(&a, 42);
  eo__rng_init(&b, 42);
  eo__rng_init(&c, 43);
  int equal = 0;
  for (int i = 0; i < 1000; i++) {
    uint64_t number = eo__rng_next(&a);
    assert_int_equal(number, eo__rng_next(&b));
    equal += number == eo__rng_next(&c);
  }
  assert_int_equal(equal, 0);
}

static void rng_below_is_in_range_and_even(void **state) {
  (void)state;
  static const uint32_t limits[] = {1, 2, 3, 7, 10, 64, 1000};
  eo_rng rng;
  eo__rng_init(&rng, 7);
  for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
    uint32_t n = limits[l], counts[1000] = {0};
    for (uint32_t i = 0; i < 1000 * n; i++) {
      uint32_t number = eo__rng_below(&rng, n);
      assert_true(number < n);
      counts[number]++;
    }
    double chi = 0;
    for (uint32_t i = 0; i < n; i++) chi += (counts[i] - 1000.0) * (counts[i] - 1000.0) / 1000.0;
    assert_true(chi <= n + 5 * sqrt(2.0 * n)); /* five standard deviations above its mean */
  }
  /* With this n a quarter of the draws are in the uneven rest; without redrawing, each third number would come twice as
   * often as the others. */
  uint32_t n = UINT32_C(0xc0000000), low = 0;
  for (int i = 0; i < 30000; i++) low += eo__rng_below(&rng, n) % 3 == 0;
  assert_in_range(low, 9600, 10400);
}

/* ---- text --------------------------------------------------------------------------------------------------------- */

static void text_grows(void **state) {
  (void)state;
  eo_text text;
  eo__text_init(&text);
  assert_string_equal(text.chars, "");
  eo__text_add(&text, "%s", "");
  eo__text_append(&text, "ignored", 0);
  eo__text_clear(&text);
  assert_int_equal(text.length, 0);
  for (int i = 0; i < 1000; i++) eo__text_add(&text, "%03d,", i);
  assert_int_equal(text.length, 4000);
  assert_int_equal(strlen(text.chars), 4000);
  assert_string_equal(text.chars + 3992, "998,999,");
  eo__text_append(&text, "a\0b", 3);
  assert_int_equal(text.length, 4003);
  assert_memory_equal(text.chars + 4000, "a\0b", 4);
  eo__text_clear(&text);
  assert_string_equal(text.chars, "");
  eo__text_release(&text);
  assert_string_equal(text.chars, "");
  eo__text_release(&text);
}

/* Around the border where the text just fits and just does not. */
static void text_grows_at_every_length(void **state) {
  (void)state;
  for (int length = 0; length < 300; length++) {
    eo_text text;
    eo__text_init(&text);
    eo__text_add(&text, "%*s", length, "");
    eo__text_add(&text, "%d", length);
    char expected[320];
    snprintf(expected, sizeof expected, "%*s%d", length, "", length);
    assert_string_equal(text.chars, expected);
    assert_int_equal(text.length, strlen(expected));
    eo__text_release(&text);
  }
}

static void text_fails_once_and_stays(void **state) {
  (void)state;
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "start");
  eo__alloc_budget = 0;
  eo__text_add(&text, "%100s", "too long");
  assert_true(text.failed);
  assert_string_equal(text.chars, "start");
  eo__alloc_budget = -1;
  eo__text_add(&text, "x");
  eo__text_append(&text, "x", 1);
  assert_string_equal(text.chars, "start"); /* nothing after a hole */
  eo__text_clear(&text);
  assert_false(text.failed);
  eo__text_append(&text, "again", 5);
  assert_string_equal(text.chars, "again");
  eo__text_append(&text, "again", SIZE_MAX - 2);
  assert_true(text.failed);
  eo__text_release(&text);
  assert_false(text.failed);
}

static void seconds_are_read(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double seconds;
  } good[] = {{"0", 0},
              {"30s", 30},
              {"5m", 300},
              {"1h", 3600},
              {"250ms", 0.25},
              {"2.5", 2.5},
              {"0.1", 0.1},
              {"100ms", 0.1},
              {"1.5h", 5400},
              {"0.5m", 30},
              {"007", 7},
              {"1.25ms", 0.00125},
              {"999999999999", 999999999999.0},
              {"0.3333333333333333", 0.333333333}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    double seconds = -1;
    if (!eo__text_seconds(good[i].text, &seconds)) fail_msg("'%s' was refused", good[i].text);
    if (seconds != good[i].seconds) fail_msg("'%s' gave %.17g", good[i].text, seconds);
  }
  static const char *const bad[] = {"",    "s",    "-1",   "+1",   " 1",  "1 ",    "1 s",          "1.",
                                    ".5",  "1e3",  "0x10", "inf",  "nan", "1d",    "1S",           "1ss",
                                    "1sm", "1mss", "1,5",  "1..2", "1.s", "1.2.3", "1000000000000"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double seconds = 12;
    if (eo__text_seconds(bad[i], &seconds)) fail_msg("'%s' gave %.17g", bad[i], seconds);
    assert_true(seconds == 12);
  }
}

static void numbers_are_read(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t max, number;
  } good[] = {{"0", 0, 0},
              {"0", 5, 0},
              {"5", 5, 5},
              {"0005", 5, 5},
              {"4294967295", UINT32_MAX, UINT32_MAX},
              {"18446744073709551615", UINT64_MAX, UINT64_MAX}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    uint64_t number = 77;
    assert_true(eo__text_number(good[i].text, good[i].max, &number));
    assert_int_equal(number, good[i].number);
  }
  static const struct {
    const char *text;
    uint64_t max;
  } bad[] = {{"", 9},
             {"6", 5},
             {"1", 0},
             {"10", 9},
             {"4294967296", UINT32_MAX},
             {"18446744073709551616", UINT64_MAX},
             {"-1", 9},
             {"+1", 9},
             {" 1", 9},
             {"1 ", 9},
             {"0x1", 9},
             {"99999999999999999999999", UINT64_MAX},
             {"1.0", 9},
             {"a", 9},
             {"1a", 99}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint64_t number = 77;
    if (eo__text_number(bad[i].text, bad[i].max, &number)) fail_msg("'%s' was taken", bad[i].text);
    assert_int_equal(number, 77);
  }
}

static void thousands_are_grouped(void **state) {
  (void)state;
  char out[32];
  assert_string_equal(eo__text_thousands(out, 0), "0");
  assert_string_equal(eo__text_thousands(out, 999), "999");
  assert_string_equal(eo__text_thousands(out, 1000), "1,000");
  assert_string_equal(eo__text_thousands(out, 12345), "12,345");
  assert_string_equal(eo__text_thousands(out, 1234567), "1,234,567");
  assert_string_equal(eo__text_thousands(out, UINT64_MAX), "18,446,744,073,709,551,615");
}

static void utf8_is_told_from_other_bytes(void **state) {
  (void)state;
  static const char *const bad[] = {"\x80",
                                    "\xbf",
                                    "\xc0\x80",
                                    "\xc1\xbf",
                                    "\xe0\x9f\xbf",
                                    "\xed\xa0\x80",
                                    "\xed\xbf\xbf",
                                    "\xf0\x8f\xbf\xbf",
                                    "\xf4\x90\x80\x80",
                                    "\xf5\x80\x80\x80",
                                    "\xff",
                                    "\xc3",
                                    "\xc3(",
                                    "\xe2\x82",
                                    "\xe2(\xac",
                                    "\xe2\x82(",
                                    "\xf0\x9f\x98",
                                    "\xf0\x9f\x98(",
                                    "\xfe",
                                    "\xe2\x82\xc0"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    if (eo__text_utf8(bad[i], strlen(bad[i])) != 0) fail_msg("sequence %zu was taken", i);
  }
  for (int c = 0; c < 0x80; c++) assert_int_equal(eo__text_utf8((char[]){(char)c}, 1), 1);
  for (int c = 0x80; c < 0x800; c++) {
    assert_int_equal(eo__text_utf8((char[]){(char)(0xc0 | c >> 6), (char)(0x80 | (c & 63))}, 2), 2);
  }
  assert_int_equal(eo__text_utf8("\xe0\xa0\x80", 3), 3);
  assert_int_equal(eo__text_utf8("\xe2\x82\xac and more", 12), 3);
  assert_int_equal(eo__text_utf8("\xed\x9f\xbf", 3), 3);
  assert_int_equal(eo__text_utf8("\xee\x80\x80", 3), 3);
  assert_int_equal(eo__text_utf8("\xf0\x90\x80\x80", 4), 4);
  assert_int_equal(eo__text_utf8("\xf4\x8f\xbf\xbf", 4), 4);
  assert_int_equal(eo__text_utf8("\xe2\x82\xac", 2), 0);
  assert_int_equal(eo__text_utf8("", 0), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(error_holds_code_and_text),
      cmocka_unit_test(error_can_wrap_its_own_text),
      cmocka_unit_test(error_cuts_long_text),
      cmocka_unit_test(check_prints_and_aborts),
      cmocka_unit_test(alloc_zeroes),
      cmocka_unit_test(alloc_budget_counts_and_fails),
      cmocka_unit_test(vec_grows),
      cmocka_unit_test(vec_appends),
      cmocka_unit_test(vec_reserve_is_enough_and_once),
      cmocka_unit_test(vec_refuses_impossible_sizes),
      cmocka_unit_test(rng_gives_the_published_numbers),
      cmocka_unit_test(rng_depends_on_the_seed_alone),
      cmocka_unit_test(rng_below_is_in_range_and_even),
      cmocka_unit_test(text_grows),
      cmocka_unit_test(text_grows_at_every_length),
      cmocka_unit_test(text_fails_once_and_stays),
      cmocka_unit_test(seconds_are_read),
      cmocka_unit_test(numbers_are_read),
      cmocka_unit_test(thousands_are_grouped),
      cmocka_unit_test(utf8_is_told_from_other_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
