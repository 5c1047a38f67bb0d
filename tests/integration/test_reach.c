/* test_reach.c: reach runs exactly one execution of each trace, as dpor does (test_dpor.c), wherever all races are races of
 * messages; where there are others, it says that it is not complete, and still runs none twice. What the traces are is
 * taken from dfs, or from dpor. builds: release asan
 * takes: 5
 *
 * Arguments, for longer hunts: first seed, number of programs, largest number of interleavings; 0: over every operation, 1:
 * all about messages, 2: nothing but messages, compared with dpor; anything: show every execution.
 *
 * hunt: SEED 300 4000 0
 * hunt: SEED 300 4000 1
 * hunt: SEED 300 4000 2 */
#include <everyorder.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "explored.h"
#include "sanitized.h"
#include "strategies/strategies.h"

typedef struct totals {
  uint64_t compared, refused, traces, given_up;
} totals;

static uint64_t most = 3000;

static bool covers_all(tracing *t) {
  eo_text words;
  eo__text_init(&words);
  eo_coverage coverage = t->wrapper.inner->ops->telling->coverage(t->wrapper.inner, &words);
  bool all = !strstr(words.chars, "no messages"); /* some have memory that is declared as shared */
  assert_true(all || coverage == EO_COVERS_BOUND);
  eo__text_release(&words);
  return all;
}

/* Is all of `some` in `all`? Both are sorted. */
static bool is_part(const hashes *some, const hashes *all) {
  size_t at = 0;
  for (size_t i = 0; i < some->count; i++, at++) {
    while (at < all->count && all->items[at] < some->items[i]) at++;
    if (at == all->count || all->items[at] != some->items[i]) return false;
  }
  return true;
}

static void check(uint64_t seed, eo_delivery delivery, tracing *t, const hashes *complete, const hashes *failed,
                  totals *sum) {
  bool all = covers_all(t);
  size_t twice = make_distinct(&t->complete) + make_distinct(&t->failed);
  bool good = all ? same(complete, &t->complete) && same(failed, &t->failed) : is_part(&t->complete, complete);
  if (twice || !good)
    fail_msg("seed %ju, %s: %zu traces; reach runs %zu and %zu twice, prunes %ju; %zu failing ones, reach %zu%s",
             (uintmax_t)seed, eo__delivery_name(delivery), complete->count, t->complete.count, twice,
             (uintmax_t)(t->again + t->given_up), failed->count, t->failed.count, all ? "" : "; it is not complete");
  sum->compared += all;
  sum->refused += !all;
  if (!all) return;
  sum->traces += complete->count + failed->count;
  sum->given_up += t->again + t->given_up;
}

static opener *truth = eo__dfs_open;

static void compare(uint64_t seed, eo_delivery delivery, totals *sum) {
  hashes complete = {0}, failed = {0};
  eo_subject *subject;
  tracing *t = prepare(run_script, truth, delivery, most, &subject);
  t->foresees = truth == eo__dfs_open;
  run(t, subject, UINT64_MAX);
  bool found = !t->too_many;
  append(&complete, &t->complete);
  append(&failed, &t->failed);
  end(t, subject);
  if (found) {
    make_distinct(&complete);
    make_distinct(&failed);
    if (verbose) printf("seed %ju, %s, reach:\n", (uintmax_t)seed, eo__delivery_name(delivery));
    t = explore(run_script, eo__reach_open, delivery, 10 * (complete.count + failed.count) + 10, &subject);
    check(seed, delivery, t, &complete, &failed, sum);
    end(t, subject);
  }
  eo_vec_release(&complete);
  eo_vec_release(&failed);
}

static uint64_t first_seed = 1, programs = SANITIZED ? 30 : 200;

static totals compare_programs(void (*draw_one)(uint64_t), uint64_t count) {
  totals sum = {0};
  for (uint64_t i = 0; i < count; i++) {
    draw_and_learn(draw_one, first_seed + i);
    for (eo_delivery delivery = EO_DELIVERY_MAILBOX; delivery <= EO_DELIVERY_ASYNC; delivery++)
      compare(first_seed + i, delivery, &sum);
  }
  printf("%ju comparisons, %ju traces, %ju given up; %ju not complete\n", (uintmax_t)sum.compared,
         (uintmax_t)sum.traces, (uintmax_t)sum.given_up, (uintmax_t)sum.refused);
  return sum;
}

static void one_execution_per_trace(void **state) {
  (void)state;
  assert_true(compare_programs(draw_program, programs).compared > programs / 2);
}

static void many_messages(void **state) {
  (void)state;
  assert_true(compare_programs(draw_busy_program, programs * 2 / 3).compared >= programs / 4);
}

/* Larger ones: what their traces are is taken from dpor. */
static void only_messages(void **state) {
  (void)state;
  truth = most > 100000 ? eo__dfs_open : eo__dpor_open;
  totals sum = compare_programs(draw_message_program, programs);
  assert_true(sum.compared > 2 * programs && sum.refused == 0);
  truth = eo__dfs_open;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_execution_per_trace), cmocka_unit_test(many_messages),
                                     cmocka_unit_test(only_messages)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  if (argc > 3) most = strtoull(argv[3], NULL, 10);
  verbose = argc > 5;
  if (!open_notes()) return 1;
  const struct CMUnitTest one[] = {tests[argc > 4 ? strtoul(argv[4], NULL, 10) % 3 : 0]};
  return argc > 4 ? cmocka_run_group_tests(one, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
