/* test_pairwise_tests.c: files of tests: what is written, that it reads back as it was, and what is wrong with others.
 * valgrind: yes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "pairwise/tests_file.h"

#define ANY EO_PAIRWISE_ANY

/* Names with everything that some format has to quote. */
static const char hard_model[] =
    "A b: x, y | why | wye, ~-1, #1\\\n"
    "C,d: 1, ~2, \"q\"\n"
    "E: , \xc3\xa9, -1\n";

static eo_pairwise_model model;

static int read_model(void **state) {
  (void)state;
  return eo__pairwise_model_read(&model, "m", hard_model, strlen(hard_model), &eo__pairwise_pict, NULL);
}

static int release_model(void **state) {
  (void)state;
  eo__pairwise_model_release(&model);
  return 0;
}

static const uint16_t hard_rows[][3] = {{0, 0, 1},   {1, 2, 0}, {2, 0, 2}, {1, ANY, 1},
                                        {3, 1, ANY}, {1, 0, 0}, {1, 0, 0}};

static void make_rows(eo_pairwise_rows *rows) {
  eo__pairwise_rows_init(rows, 3);
  for (size_t i = 0; i < sizeof hard_rows / sizeof hard_rows[0]; i++) {
    assert_true(eo__pairwise_rows_add(rows, hard_rows[i]));
  }
}

static void expect_written(eo_pairwise_format format, const char *wanted) {
  eo_pairwise_rows rows;
  eo_text text;
  eo__text_init(&text);
  make_rows(&rows);
  eo__pairwise_tests_write(&model, &rows, format, &text);
  assert_false(text.failed);
  assert_string_equal(text.chars, wanted);
  eo__text_release(&text);
  eo__pairwise_rows_release(&rows);
}

static void written(void **state) {
  (void)state;
  expect_written(
      EO_PAIRWISE_TEXT,
      "A b\tC,d\tE\nx\t1\t\xc3\xa9\ny\t\"q\"\t\n~-1\t1\t-1\nwhy\t\t\xc3\xa9\n#1\\\t~2\t\nwye\t1\t\ny\t1\t\n");
  expect_written(
      EO_PAIRWISE_CSV,
      "A b,\"C,d\",E\nx,1,\xc3\xa9\ny,\"\"\"q\"\"\",\"\"\n~-1,1,-1\nwhy,,\xc3\xa9\n#1\\,~2,\nwye,1,\"\"\ny,1,\"\"\n");
  expect_written(EO_PAIRWISE_JSON,
                 "{\"pairwise\": 1, \"tests\": [\n"
                 "  {\"A b\": \"x\", \"C,d\": \"1\", \"E\": \"\xc3\xa9\"},\n"
                 "  {\"A b\": \"y\", \"C,d\": \"\\\"q\\\"\", \"E\": \"\"},\n"
                 "  {\"A b\": \"~-1\", \"C,d\": \"1\", \"E\": \"-1\"},\n"
                 "  {\"A b\": \"why\", \"E\": \"\xc3\xa9\"},\n"
                 "  {\"A b\": \"#1\\\\\", \"C,d\": \"~2\"},\n"
                 "  {\"A b\": \"wye\", \"C,d\": \"1\", \"E\": \"\"},\n"
                 "  {\"A b\": \"y\", \"C,d\": \"1\", \"E\": \"\"}\n]}\n");
  expect_written(EO_PAIRWISE_TAP,
                 "TAP version 13\n1..7\n"
                 "ok 1 - A b: x, C,d: 1, E: \xc3\xa9 # SKIP not run\n"
                 "ok 2 - A b: y, C,d: \"q\", E:  # SKIP not run\n"
                 "ok 3 - A b: ~-1, C,d: 1, E: -1 # SKIP not run\n"
                 "ok 4 - A b: why, E: \xc3\xa9 # SKIP not run\n"
                 "ok 5 - A b: \\#1\\\\, C,d: ~2 # SKIP not run\n"
                 "ok 6 - A b: wye, C,d: 1, E:  # SKIP not run\n"
                 "ok 7 - A b: y, C,d: 1, E:  # SKIP not run\n");
}

/* The empty name is lost in text: nothing tells it from no value. */
static void read_back(void **state) {
  (void)state;
  static const eo_pairwise_format formats[] = {EO_PAIRWISE_TEXT, EO_PAIRWISE_CSV, EO_PAIRWISE_JSON};
  for (size_t f = 0; f < 3; f++) {
    eo_pairwise_rows rows, back;
    eo_text text, dropped;
    eo_error error = {0};
    eo__text_init(&text);
    eo__text_init(&dropped);
    make_rows(&rows);
    eo__pairwise_rows_init(&back, 3);
    eo__pairwise_tests_write(&model, &rows, formats[f], &text);
    int code = eo__pairwise_tests_read(&model, "t", text.chars, text.length, true, &back, &dropped, &error);
    if (code != EO_OK) fail_msg("%s", error.text);
    assert_string_equal(dropped.chars, "");
    assert_int_equal(back.values.count, rows.values.count);
    for (size_t i = 0; i < rows.values.count; i++) {
      bool lost = formats[f] == EO_PAIRWISE_TEXT && i % 3 == 2 && rows.values.items[i] == 0;
      assert_int_equal(back.values.items[i], lost ? ANY : rows.values.items[i]);
    }
    eo__text_release(&text);
    eo__text_release(&dropped);
    eo__pairwise_rows_release(&rows);
    eo__pairwise_rows_release(&back);
  }
}

/* Rows as "0 1 -/2 0 0/". */
static void expect_read(const char *text, const char *wanted, const char *dropped_wanted) {
  eo_pairwise_rows rows;
  eo_text dropped, shown;
  eo_error error = {0};
  eo__text_init(&dropped);
  eo__text_init(&shown);
  eo__pairwise_rows_init(&rows, 3);
  int code = eo__pairwise_tests_read(&model, "t", text, strlen(text), false, &rows, &dropped, &error);
  if (code != EO_OK) fail_msg("%s", error.text);
  for (size_t i = 0; i < rows.values.count; i++) {
    if (rows.values.items[i] == ANY) {
      eo__text_add(&shown, "-");
    } else {
      eo__text_add(&shown, "%u", rows.values.items[i]);
    }
    eo__text_add(&shown, "%s", i % 3 == 2 ? "/" : " ");
  }
  assert_string_equal(shown.chars, wanted);
  assert_string_equal(dropped.chars, dropped_wanted);
  eo__text_release(&dropped);
  eo__text_release(&shown);
  eo__pairwise_rows_release(&rows);
}

static void reads(void **state) {
  (void)state;
  expect_read("E\tA B\r\n-1\tX\r\n\r\n\t-1\n\xc3\x89\n", "0 - 2/2 - -/- - 1/", "");
  expect_read("\xef\xbb\xbf\"A b\" , E\n\"x\", -1 \n,\n", "0 - 2/- - -/", "");
  expect_read("C,d\n1\n~2\n2\n", "- 0 -/- 1 -/- 1 -/", "");
  expect_read("A b\n~x\n", "- - -/", "t:2:1: '~x' is no value of A b: left out\n");
  expect_read("Q\tA b\tR\nx\tx\ty\nx\tq\ty\n", "0 - -/- - -/",
              "t:1:1: 'Q' is no parameter of the model: left out\nt:1:7: 'R' is no parameter of the model: left out\n"
              "t:3:3: 'q' is no value of A b: left out\n");
  expect_read(" [{\"A b\": \"x\", \"C,d\": 1, \"E\": null}, {\"Q\": \"x\", \"E\": \"z\"}]", "0 0 -/- - -/",
              "t: test 2: 'Q' is no parameter of the model: left out\nt: test 2: 'z' is no value of E: left out\n");
  expect_read("{\"pairwise\": 1, \"tests\": [{}], \"more\": 5}", "- - -/", "");
}

static void expect_error(const char *text, bool strict, const char *message) {
  eo_pairwise_rows rows;
  eo_text dropped;
  eo_error error = {0};
  eo__text_init(&dropped);
  eo__pairwise_rows_init(&rows, 3);
  assert_int_equal(eo__pairwise_tests_read(&model, "t", text, strlen(text), strict, &rows, &dropped, &error),
                   EO_EINPUT);
  assert_string_equal(error.text, message);
  eo__text_release(&dropped);
  eo__pairwise_rows_release(&rows);
}

static void refuses(void **state) {
  (void)state;
  expect_error("", true, "t:1:1: the file is empty: its first line names parameters");
  expect_error("\n \n", true, "t:1:1: the file is empty: its first line names parameters");
  expect_error("A b\tE\tA B\n", false, "t:1:7: this parameter has a column already");
  expect_error("A b,E\n\"x,\n", false, "t:2:1: there is no second \" for this one");
  expect_error("A b,E\n\"x\" y,\n", false, "t:2:5: a , or the end of the line expected");
  expect_error("A b\tE\nx\t-1\tz\n", true, "t:2:6: a value beyond the last column");
  expect_error("A b\tQ\n", true, "t:1:5: 'Q' is no parameter of the model");
  expect_error("E\tA b\n-1\tq\n", true, "t:2:4: 'q' is no value of A b");
  expect_error("{}", false, "t: \"pairwise\" is not 1: this is no version of a test set known here");
  expect_error("{\"pairwise\": 1}", false, "t: there is no array \"tests\"");
  expect_error("[1]", false, "t: test 1: a test is an object: parameters with their values");
  expect_error("[{\"E\": true}]", false, "t: test 1: a value is a string, a whole number or null");
  expect_error("[{\"Q\": \"x\"}]", true, "t: test 1: 'Q' is no parameter of the model");
  expect_error("[\n{]", false, "t:2:2: string or '}' expected near ']'");
}

static void many_dropped(void **state) {
  (void)state;
  eo_text text, dropped;
  eo_pairwise_rows rows;
  eo__text_init(&text);
  eo__text_init(&dropped);
  eo__pairwise_rows_init(&rows, 3);
  eo__text_add(&text, "A b\n");
  for (int i = 0; i < 130; i++) eo__text_add(&text, "q\n");
  assert_int_equal(eo__pairwise_tests_read(&model, "t", text.chars, text.length, false, &rows, &dropped, NULL), EO_OK);
  assert_int_equal(eo_pairwise_rows_count(&rows), 130);
  assert_string_equal(dropped.chars + dropped.length - 12, "and 30 more\n");
  eo__text_release(&text);
  eo__text_release(&dropped);
  eo__pairwise_rows_release(&rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(written), cmocka_unit_test(read_back),    cmocka_unit_test(reads),
      cmocka_unit_test(refuses), cmocka_unit_test(many_dropped),
  };
  return cmocka_run_group_tests(tests, read_model, release_model);
}
