/* test_model_random.c: on random models over the whole language, por finds exactly what full finds: the same deadlocks, the
 * same failed assertions and the same faults, each at the same place in the same process; and every way that either tells
 * of can be gone, and ends in what it says.
 *   test_model_random                      the models of the test
 *   test_model_random hunt SEED COUNT      so many more from this seed on; goes on after a difference
 *   test_model_random show SEED            prints the model of a seed
 *   test_model_random spin SEED            the same without what pan does not tell of, or goes wrong in
 *   test_model_random file PATH...         the same comparison on models of one's own
 * builds: release
 *
 * hunt: hunt SEED 100 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "subjects/model/full.h"

#include "model_findings.h"
#include "random_model.h"

enum { MODELS = 900, MOST_STATES = 4000, MOST_STATES_OF_FILE = 100000 };

static const random_model_bounds everything = {true, true, true, true}, for_spin = {.escapes = true};

/* Goes the way of a finding; what is wrong with it, or NULL. */
static const char *follow(const findings *f, const eo_failure *failure, const eo_promela_step *steps, uint32_t count) {
  eo_promela_run run;
  const char *wrong = NULL;
  bool failed = false;
  eo_promela_steps left = {0};
  assert_true(eo__promela_run_init(&run, f->search->model));
  run.delivery = f->search->delivery;
  bool started = eo__promela_run_start(&run);
  if (!started) wrong = count || !eo__failure_same(&run.failure, failure) ? "another failure at the start" : NULL;
  for (uint32_t i = 0; i < count && started && !wrong; i++) {
    if (!is_enabled(&run, steps[i])) wrong = "a step that is not possible";
    if (!wrong) failed = !eo__promela_apply(&run, steps[i]);
  }
  bool deadlock = failure->kind == EO_KIND_DEADLOCK;
  if (started && !wrong && deadlock) {
    assert_true(eo__promela_enabled(&run, &left));
    wrong = left.count ? "something can happen in the deadlock" : NULL;
  } else if (started && !wrong && failure->kind != EO_KIND_LOOP) {
    wrong = !failed || !eo__failure_same(&run.failure, failure) ? "the last step does not fail so" : NULL;
  }
  eo_vec_release(&left);
  eo__promela_run_release(&run);
  return wrong;
}

static eo_text words_of(const eo_failure *failure) {
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%s %s:%d %s", eo__kind_name(failure->kind), failure->process, failure->line, failure->message);
  return text;
}

static bool known(void *context, const eo_failure *failure) {
  findings *f = context;
  eo_text text = words_of(failure);
  bool there = false;
  for (size_t i = 0; i < f->items.count; i++) there |= strcmp(f->items.items[i], text.chars) == 0;
  eo__text_release(&text);
  return there;
}

static bool note(void *context, const eo_failure *failure, const eo_promela_step *steps, uint32_t count) {
  findings *f = context;
  assert_true(eo_vec_push(&f->items, words_of(failure).chars));
  const char *wrong = follow(f, failure, steps, count);
  if (wrong) f->wrong = wrong;
  return true;
}

typedef int (*searcher)(eo_promela_search *, eo_error *);

/* False: it was too large. */
static bool find(searcher how, const eo_promela *model, uint64_t most, findings *out, uint64_t *states) {
  eo_error error = {0};
  eo_promela_search search = {.model = model, .most_states = most, .failure = note, .known = known, .context = out};
  *out = (findings){.search = &search};
  if (how(&search, &error) != EO_OK) fail_msg("%s", error.text);
  sort_findings(out);
  *states += search.counts.states;
  return search.complete;
}

typedef struct tally {
  uint64_t models, refused, large, compared, failing, findings, states_full, states_por, different;
} tally;

static void compare(const char *name, const eo_promela *model, uint64_t most, tally *t) {
  findings wanted = {0}, got = {0};
  uint64_t full = 0, por = 0;
  bool complete = find(eo__promela_search_full, model, most, &wanted, &full);
  bool all = complete && find(eo__promela_search_por, model, most, &got, &por);
  t->large += !complete;
  t->compared += complete;
  t->failing += complete && wanted.items.count > 0;
  t->findings += complete ? wanted.items.count : 0;
  t->states_full += complete ? full : 0;
  t->states_por += por;
  const char *wrong = wanted.wrong ? wanted.wrong : got.wrong;
  if (complete && (!all || wrong || !same(&wanted, &got))) {
    t->different++;
    for (size_t k = 0; k < wanted.items.count; k++) print_message("full %s\n", wanted.items.items[k]);
    for (size_t k = 0; k < got.items.count; k++) print_message("por  %s\n", got.items.items[k]);
    print_message("%s: %s (%llu, %llu states)\n", name,
                  !all    ? "por is not complete"
                  : wrong ? wrong
                          : "other findings",
                  (unsigned long long)full, (unsigned long long)por);
  }
  forget(&wanted);
  forget(&got);
}

static void compare_drawn(uint64_t seed, tally *t) {
  char name[32];
  eo_error error = {0};
  eo_text text = random_model(seed, seed % 2 ? everything : for_spin);
  eo_promela *model = eo__promela_read("random", text.chars, text.length, &error);
  snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
  t->models++;
  t->refused += !model;
  if (model)
    compare(name, model, MOST_STATES, t);
  else if (getenv("EO_TEST_SHOW"))
    print_message("%s: %s\n", name, error.text);
  eo__promela_close(model);
  eo__text_release(&text);
}

static void compare_file(const char *path, tally *t) {
  eo_error error = {0};
  eo_promela *model = eo__promela_open(path, NULL, 0, &error);
  t->models++;
  if (!model) fail_msg("%s: %s", path, error.text);
  compare(path, model, MOST_STATES_OF_FILE, t);
  eo__promela_close(model);
}

static void say(const tally *t) {
  print_message(
      "%llu models: %llu refused, %llu too large, %llu compared, %llu of them with %llu findings; states: full "
      "%llu, por %llu; %llu different\n",
      (unsigned long long)t->models, (unsigned long long)t->refused, (unsigned long long)t->large,
      (unsigned long long)t->compared, (unsigned long long)t->failing, (unsigned long long)t->findings,
      (unsigned long long)t->states_full, (unsigned long long)t->states_por, (unsigned long long)t->different);
}

static void random_models(void **state) {
  (void)state;
  tally t = {0};
  for (uint64_t seed = 1; seed <= MODELS; seed++) compare_drawn(seed, &t);
  say(&t);
  assert_int_equal(t.different, 0);
  assert_true(t.compared >= 500);
  assert_true(t.failing >= 200);
  assert_true(t.states_por < t.states_full);
}

/* Those that are kept, each for something that went wrong or might. */
static void kept_models(void **state) {
  (void)state;
  tally t = {0};
  glob_t found;
  char pattern[4096];
  const char *top = getenv("EO_SRC");
  snprintf(pattern, sizeof pattern, "%s/{tests/data/models,tests/data/models/faults,examples/models}/*.pml",
           top ? top : ".");
  assert_int_equal(glob(pattern, GLOB_BRACE, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) compare_file(found.gl_pathv[i], &t);
  globfree(&found);
  say(&t);
  assert_int_equal(t.different, 0);
  assert_true(t.compared >= 45);
}

/* What the words behind the name ask for. */
static int serve(int argc, char **argv) {
  tally t = {0};
  if (strcmp(argv[1], "file") == 0) {
    for (int i = 2; i < argc; i++) compare_file(argv[i], &t);
  } else {
    uint64_t seed = strtoull(argv[2], NULL, 10), count = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    bool spin = strcmp(argv[1], "spin") == 0;
    if (spin || strcmp(argv[1], "show") == 0) {
      eo_text text = random_model(seed, !spin && seed % 2 ? everything : for_spin);
      printf("%s", text.chars);
      eo__text_release(&text);
      return 0;
    }
    for (uint64_t i = 0; i < count; i++) compare_drawn(seed + i, &t);
  }
  say(&t);
  return t.different ? 1 : 0;
}

int main(int argc, char **argv) {
  if (argc > 2) return serve(argc, argv);
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models), cmocka_unit_test(kept_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
