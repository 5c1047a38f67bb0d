/* test_model_jobs.c: a search with several threads tells what the search with one thread tells: on random models, full and por
 * count as much, and tell of the same failures by the same steps in the same order.
 * builds: release asan
 * takes: 10 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <xxhash.h>
#include <cmocka.h>

#include "subjects/model/full.h"

#include "random_model.h"
#include "sanitized.h"

enum { MODELS = SANITIZED ? 60 : 200, MOST_STATES = 5000, JOBS = 3 };

typedef struct told {
  uint64_t words; /* of all failures, in their order */
} told;

static bool note(void *context, const eo_failure *failure, const eo_promela_step *steps, uint32_t count) {
  told *t = context;
  t->words = XXH3_64bits_withSeed(failure->message, strlen(failure->message), t->words + (uint64_t)failure->line);
  if (count) t->words = XXH3_64bits_withSeed(steps, count * sizeof *steps, t->words);
  return true;
}

static told search(int (*how)(eo_promela_search *, eo_error *), eo_promela_search *search) {
  told t = {0};
  eo_error error = {0};
  search->context = &t;
  search->failure = note;
  if (how(search, &error) != EO_OK) fail_msg("%s", error.text);
  return t;
}

static bool same_counts(const eo_promela_counts *a, const eo_promela_counts *b) {
  return a->states == b->states && a->matched == b->matched && a->failures == b->failures && a->depth == b->depth;
}

static void compare(int (*how)(eo_promela_search *, eo_error *), const eo_promela *model, uint64_t seed,
                    uint64_t *states) {
  for (uint32_t first = 0; first < 2; first++) {
    eo_promela_search one = {.model = model, .most_states = MOST_STATES, .stop_at_failure = first}, three = one;
    three.jobs = JOBS;
    told a = search(how, &one), b = search(how, &three);
    bool same = same_counts(&one.counts, &three.counts) && one.complete == three.complete &&
                strcmp(one.why, three.why) == 0 && a.words == b.words;
    if (!same)
      fail_msg("seed %llu: %llu states, %llu failures with one job, %llu, %llu with three", (unsigned long long)seed,
               (unsigned long long)one.counts.states, (unsigned long long)one.counts.failures,
               (unsigned long long)three.counts.states, (unsigned long long)three.counts.failures);
    *states += one.counts.states;
  }
}

static void random_models(void **state) {
  uint64_t states = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= MODELS; seed++) {
    eo_error error = {0};
    eo_text text = random_model(seed, (random_model_bounds){true, true, true, true});
    eo_promela *model = eo__promela_read("random", text.chars, text.length, &error);
    eo__text_release(&text);
    if (!model) continue;
    compare(eo__promela_search_full, model, seed, &states);
    compare(eo__promela_search_por, model, seed, &states);
    eo__promela_close(model);
  }
  print_message("%llu states\n", (unsigned long long)states);
  assert_true(states > MODELS * 100);
}

/* Enough states that wait at once for several chunks, and a failure among them. */
static void wide_model(void **state) {
  static const char text[] =
      "byte a, b, c;\n"
      "active proctype A() { do :: a < 40 -> a++ od }\n"
      "active proctype B() { do :: b < 40 -> b++ od }\n"
      "active proctype C() { do :: c < 40 -> atomic { c++; if :: a == 7 -> c = c :: else -> skip fi } od }\n"
      "active proctype D() { atomic { a + b + c == 77 -> assert(c != 30) } }\n";
  uint64_t states = 0;
  eo_error error = {0};
  (void)state;
  eo_promela *model = eo__promela_read("wide", text, sizeof text - 1, &error);
  if (!model) fail_msg("%s", error.text);
  compare(eo__promela_search_full, model, 0, &states);
  compare(eo__promela_search_por, model, 0, &states);
  eo__promela_close(model);
  assert_true(states >= 4 * MOST_STATES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models), cmocka_unit_test(wide_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
