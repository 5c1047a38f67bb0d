/* test_verdict.c: what facts mean (registry/verdict.h): the words of some runs, one by one, and the rules over every
 * combination of facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "registry/verdict.h"

#define DONE .executions = 6, .covered = "every interleaving", .issued = 1, .finished = 1

typedef struct row {
  const char *name;
  eo_facts facts;
  eo_verdict verdict;
  bool complete;
  const char *covered;
} row;

static const row rows[] = {
    {"all covered", {DONE}, EO_PASS, true, "every interleaving"},
    {"an assumption is named",
     {DONE, .assumed = ", where timeouts fire only when nothing else can run"},
     EO_PASS,
     true,
     "every interleaving, where timeouts fire only when nothing else can run"},
    {"a finding", {DONE, .findings = 1, .failures = 2}, EO_FAIL, true, "every interleaving"},
    {"a finding in an execution that does not count", {DONE, .findings = 1}, EO_FAIL, true, "every interleaving"},
    {"a failure that was told before, in an earlier run", {DONE, .failures = 1}, EO_FAIL, true, "every interleaving"},
    {"a finding before anything was counted",
     {.findings = 1, .issued = 2, .finished = 1, .left = 1, .stopped = "at the first finding"},
     EO_FAIL,
     false,
     "the executions that were run"},
    {"a finding, then an error", {DONE, .findings = 1, .error = "no room"}, EO_FAIL, false, "every interleaving"},
    {"an error", {DONE, .error = "no room"}, EO_ERROR, false, "every interleaving"},
    {"a bound", {DONE, .coverage = EO_COVERS_BOUND}, EO_INCOMPLETE, false, "every interleaving"},
    {"a sample", {DONE, .coverage = EO_COVERS_SAMPLE}, EO_INCOMPLETE, false, "every interleaving"},
    {"stopped",
     {.executions = 6, .issued = 3, .finished = 1, .left = 2, .stopped = "after 1 s", .reached = "all of 2 delays"},
     EO_INCOMPLETE,
     false,
     "the executions that were run: all of 2 delays"},
    {"not begun", {.stopped = "interrupted"}, EO_INCOMPLETE, false, "the executions that were run"},
    {"nothing was run",
     {.covered = "all", .issued = 1, .finished = 1},
     EO_INCOMPLETE,
     false,
     "nothing: no execution came to its end"},
    {"a doubt",
     {DONE, .doubts = EO_DOUBT_SHARING},
     EO_INCOMPLETE,
     false,
     "every interleaving, except orders of accesses to memory or files that processes may share"},
    {"shared memory is assumed to be accessed at once",
     {DONE, .doubts = EO_ASSUMED_SHARED},
     EO_PASS,
     true,
     "every interleaving, assuming that no other process runs between two operations of a process that accesses shared "
     "memory or files"},
    {"cut off",
     {DONE, .doubts = EO_DOUBT_DEPTH, .cut = 3, .depth = 10000},
     EO_INCOMPLETE,
     false,
     "every interleaving; no failure within 10,000 steps of the executions that were run; 3 of them were cut off "
     "there"},
    {"one was cut off",
     {DONE, .doubts = EO_DOUBT_DEPTH, .cut = 1, .depth = 10},
     EO_INCOMPLETE,
     false,
     "every interleaving; no failure within 10 steps of the executions that were run; 1 of them was cut off there"},
    {"cut off, and one failed",
     {DONE, .doubts = EO_DOUBT_DEPTH, .cut = 3, .depth = 10, .findings = 1},
     EO_FAIL,
     false,
     "every interleaving; 3 executions were cut off after 10 steps"},
    {"cut off, nobody counted",
     {DONE, .doubts = EO_DOUBT_DEPTH, .depth = 10},
     EO_INCOMPLETE,
     false,
     "every interleaving; no failure within 10 steps of the executions that were run; some of them were cut off there"},
    {"states",
     {.executions = 5, .by_state = true, .stopped = "interrupted"},
     EO_INCOMPLETE,
     false,
     "the states that were visited"},
    {"a piece was lost", {.executions = 6, .covered = "all", .issued = 3, .finished = 2}, EO_ERROR, false, "all"},
    {"a piece was done twice", {.executions = 6, .covered = "all", .issued = 3, .finished = 4}, EO_ERROR, false, "all"},
    {"a piece is left",
     {.executions = 6, .covered = "all", .issued = 3, .finished = 2, .left = 1},
     EO_ERROR,
     false,
     "all"},
};

static void test_rows(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    eo_conclusion c;
    eo__verdict(&rows[i].facts, &c);
    if (c.verdict != rows[i].verdict || c.complete != rows[i].complete || strcmp(c.covered, rows[i].covered) != 0)
      fail_msg("%s: verdict %d, complete %d, covered '%s'", rows[i].name, c.verdict, c.complete, c.covered);
    assert_int_equal(c.verdict == EO_ERROR, *c.error && c.verdict != EO_FAIL);
  }
}

/* Every combination: each fact is either as in a clean whole run, or in each way that it is not. */
static void test_every_combination(void **state) {
  (void)state;
  static const uint64_t counts[] = {0, 1, 7};
  static const struct ledger {
    uint64_t issued, finished, left;
  } ledgers[] = {{4, 4, 0}, {4, 3, 1}, {4, 3, 0}, {4, 5, 0}, {0, 0, 0}};
  static const char *const texts[] = {NULL, "", "why"};
  static const uint32_t doubts[] = {
      0, EO_DOUBT_DEPTH, EO_DOUBT_SHARING, EO_DOUBT_LIVENESS, EO_DOUBT_ALL, EO_ASSUMED_SHARED};
  for (int n = 0; n < 3 * 3 * 3 * 3 * 3 * 3 * 6 * 5; n++) {
    int at = n;
    eo_facts f = {.executions = counts[at % 3], .covered = "all", .depth = 9};
    f.findings = counts[(at /= 3) % 3];
    f.failures = counts[(at /= 3) % 3];
    f.coverage = (eo_coverage)((at /= 3) % 3);
    f.stopped = texts[(at /= 3) % 3];
    f.error = texts[(at /= 3) % 3];
    f.doubts = doubts[(at /= 3) % 6];
    struct ledger l = ledgers[(at / 6) % 5];
    f.issued = l.issued, f.finished = l.finished, f.left = l.left;
    eo_conclusion c;
    eo__verdict(&f, &c);
    bool stopped = f.stopped && *f.stopped, error = f.error && *f.error;
    bool whole = f.coverage == EO_COVERS_ALL && !stopped && !error && !(f.doubts & EO_DOUBT_ALL) && f.executions &&
                 l.left == 0 && l.issued == l.finished;
    assert_int_equal(c.complete, whole);
    assert_int_equal(c.verdict == EO_FAIL, f.findings || f.failures);
    assert_int_equal(c.verdict == EO_PASS, whole && !f.findings && !f.failures);
    if (error && c.verdict != EO_FAIL) assert_int_equal(c.verdict, EO_ERROR);
    if (l.issued != l.finished + l.left) assert_true(c.verdict == EO_FAIL || c.verdict == EO_ERROR);
  }
}

static void test_both(void **state) {
  (void)state;
  static const eo_verdict worst_first[] = {EO_FAIL, EO_ERROR, EO_INCOMPLETE, EO_PASS};
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++)
      assert_int_equal(eo__verdict_both(worst_first[a], worst_first[b]), worst_first[a < b ? a : b]);
}

static void test_assumptions(void **state) {
  (void)state;
  eo_text words;
  eo__text_init(&words);
  eo__assumptions(&(eo_options){.delivery = "mailbox"}, NULL, &words);
  assert_string_equal(words.chars, "");
  eo_row parameters = {0};
  eo__assumptions(&(eo_options){.delivery = "causal", .timeouts_idle = 1}, &parameters, &words);
  assert_string_equal(
      words.chars,
      ", under --delivery causal, where timeouts fire only when nothing else can run, with these parameters");
  eo__text_release(&words);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_every_combination),
      cmocka_unit_test(test_both),
      cmocka_unit_test(test_assumptions),
  };
  return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
