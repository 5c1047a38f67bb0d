/* test_sr_tree.c: tree files are read as they were written, bad ones are refused with the line; and bad patterns with the
 * column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/pattern.h"
#include "core/sr_tree.h"

static void add(eo_sr_tree *tree, const char *groups, bool failed) {
  assert_true(eo__sr_tree_add(tree, groups, failed));
}

static void fill(eo_sr_tree *tree) {
  eo__sr_tree_init(tree);
  assert_true(eo__sr_tree_begin(tree, "first", "--delivery fifo"));
  add(tree, "s a\tr x; y\ts b\t", false);
  add(tree, "s a\tr x; z\t", true);
  add(tree, "s a\tr x; y\ts b\t", false); /* once more */
  tree->tests.items[0].complete = true;
  assert_true(eo__sr_tree_begin(tree, "second", ""));
  add(tree, "", false);
}

static const char golden[] =
    "everyorder-tree 1\n"
    "test first\noptions --delivery fifo\ncomplete yes\nsequences 2\n"
    "1 s a\n2 r x; y\n3 s b\n4 end\n2 r x; z\n3 end failed\n"
    "test second\noptions -\ncomplete no\nsequences 1\n1 end\n";

static void write_and_read(void **state) {
  (void)state;
  eo_sr_tree tree, again;
  eo_text text;
  eo_error error = {0};
  fill(&tree);
  eo__text_init(&text);
  assert_true(eo__sr_tree_write(&tree, &text));
  assert_string_equal(text.chars, golden);
  eo__sr_tree_init(&again);
  if (eo__sr_tree_read(&again, text.chars, text.length, &error) != EO_OK) fail_msg("%s", error.text);
  eo__text_clear(&text);
  assert_true(eo__sr_tree_write(&again, &text));
  assert_string_equal(text.chars, golden);
  eo__text_release(&text);
  eo__sr_tree_release(&tree);
  eo__sr_tree_release(&again);
}

static void count(void *context, const eo_sr_tree *tree, uint32_t end) {
  (void)tree, (void)end;
  ++*(int *)context;
}

static void compare(void **state) {
  (void)state;
  eo_sr_tree old, fresh;
  int appeared = 0, disappeared = 0;
  fill(&old);
  eo__sr_tree_init(&fresh);
  assert_true(eo__sr_tree_begin(&fresh, "first", ""));
  add(&fresh, "s a\tr x; y\ts b\t", false);
  add(&fresh, "s a\tr x; z\t", false); /* fails no more */
  add(&fresh, "s a\t", false);
  const eo_sr_test *then = eo__sr_tree_find(&old, "first"), *now = eo__sr_tree_find(&fresh, "first");
  assert_true(eo__sr_tree_missing(&fresh, now, &old, then, count, &appeared));
  assert_true(eo__sr_tree_missing(&old, then, &fresh, now, count, &disappeared));
  assert_int_equal(appeared, 2);
  assert_int_equal(disappeared, 1);
  assert_null(eo__sr_tree_find(&fresh, "second"));
  eo__sr_tree_release(&old);
  eo__sr_tree_release(&fresh);
}

static void bad_trees(void **state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } bad[] = {
      {"", "no tree file"},
      {"everyorder-tree 2\n", "no tree file of this version"},
      {"everyorder-tree 1\nwhat\n", "line 2: expected 'test ...'"},
      {"everyorder-tree 1\ntest a\n", "line 2: expected 'options ...', and there is no more"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete maybe\n", "line 4: complete is 'yes' or 'no'"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete no\nsequences x\n", "line 5: expected a number"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete no\nsequences 1\n1 s a\n", "0 sequences instead of 1"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete no\nsequences 1\n2 s a\n",
       "line 6: its depth is more than one above"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete no\nsequences 1\n1 q\n", "line 6: a group begins with"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete no\nsequences 1\nsome\n", "line 6: expected a depth"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete no\nsequences 1\n0 end\n", "line 6: expected a depth"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete no\nsequences 2\n1 end\n2 s a\n",
       "line 7: no group can follow an end"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete no\nsequences 2\n1 end\n1 end\n", "line 7: this group is there"},
      {"everyorder-tree 1\ntest a\noptions -\ncomplete no\nsequences 0\ntest a\n", "line 6: this test is there twice"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    eo_sr_tree tree;
    eo_error error = {0};
    eo__sr_tree_init(&tree);
    assert_int_equal(eo__sr_tree_read(&tree, bad[i].text, strlen(bad[i].text), &error), EO_EINPUT);
    if (!strstr(error.text, bad[i].why)) fail_msg("expected '%s', got '%s'", bad[i].why, error.text);
    eo__sr_tree_release(&tree);
  }
}

static void patterns(void **state) {
  (void)state;
  static const char *const good[] = {"P1 send", "* *",
                                     "no P1.? receive tag -3 from P1.* -> P1 exit and P1 choose value 2",
                                     "P1 send to P1.1||P1.2 receive timeout", "P1 spawn to P1.*"};
  static const struct {
    const char *text, *why;
  } bad[] = {{"", "column 1: expected a process such as P1.2 or P1.*"},
             {"send", "column 1: expected a process such as P1.2 or P1.*, not 'send'"},
             {"P1", "column 3: expected an operation"},
             {"P1 sned", "column 4: expected an operation such as send, receive or choose, or *, not 'sned'"},
             {"P1 send tag x", "column 13: expected a number after 'tag', not 'x'"},
             {"P1 choose value -1", "column 17: expected a number after 'value', not '-1'"},
             {"P1 send from 7", "column 14: expected a process"},
             {"P1 send ->", "column 11: expected a process"},
             {"P1 send P1 exit", "column 9: expected ->, ||, 'and'"},
             {"P1 send and", "column 12: expected a process"},
             {"no no P1 send", "column 4: expected a process"}};
  eo_error error = {0};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    eo_pattern *pattern = eo__pattern_open(good[i], &error);
    if (!pattern) fail_msg("%s: %s", good[i], error.text);
    eo__pattern_close(pattern);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_null(eo__pattern_open(bad[i].text, &error));
    if (!strstr(error.text, bad[i].why)) fail_msg("'%s': expected '%s', got '%s'", bad[i].text, bad[i].why, error.text);
  }
  char word[300];
  memset(word, 'P', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  assert_null(eo__pattern_open(word, &error));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(write_and_read), cmocka_unit_test(compare),
                                     cmocka_unit_test(bad_trees), cmocka_unit_test(patterns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
