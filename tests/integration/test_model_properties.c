/* test_model_properties.c: on random models with random ltl formulas, por judges each formula as full does; every execution that
 * either tells of is possible, and is judged to violate the formula by itself, as a word (judge.h).
 *   test_model_properties                    the models of the test
 *   test_model_properties hunt SEED COUNT    so many more from this seed on; goes on after a difference
 *   test_model_properties spin SEED N        prints the model of a seed with N formulas, for pan
 * builds: release
 * hunt: hunt SEED 300 */
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
#include "subjects/model/judge.h"

#include "model_findings.h"
#include "random_model.h"

enum { MODELS = 60, FORMULAS = 4, MOST_STATES = 6000, MOST_FOR_SPIN = 400 };

static const random_model_bounds for_spin = {.escapes = true};

/* ---- Formulas -------------------------------------------------------------------------------------------------------- */

static void put_formula(eo_rng *rng, eo_text *out, int depth) {
  static const char *const facts[] = {"(g0 == 0)",  "(g0 > g1)",     "(g1 == 1)",     "(a[0] != a[1])", "b",
                                      "(t.x == 0)", "(len(q0) > 0)", "(_nr_pr <= 1)", "(P0:x == 1)",    "(P1:y == 0)"};
  static const char *const before[] = {"!", "[] ", "<> ", "[] <> ", "<> [] "};
  static const char *const between[] = {"&&", "||", "->", "U", "W", "V"};
  uint32_t kind = depth ? eo__rng_below(rng, 5) : 0;
  eo__text_add(out, "(");
  if (kind == 0) {
    eo__text_add(out, "%s", facts[eo__rng_below(rng, sizeof facts / sizeof *facts)]);
  } else if (kind < 4) {
    eo__text_add(out, "%s", before[eo__rng_below(rng, sizeof before / sizeof *before)]);
    put_formula(rng, out, depth - 1);
  } else {
    put_formula(rng, out, depth - 1);
    eo__text_add(out, " %s ", between[eo__rng_below(rng, sizeof between / sizeof *between)]);
    put_formula(rng, out, depth - 1);
  }
  eo__text_add(out, ")");
}

static eo_text draw(uint64_t seed, int formulas) {
  eo_text text = random_model(seed, for_spin);
  eo_rng rng;
  eo__rng_init(&rng, seed * 31 + 7);
  for (int i = 0; i < formulas; i++) {
    eo__text_add(&text, "ltl f%d { ", i);
    put_formula(&rng, &text, 1 + (int)eo__rng_below(&rng, 3));
    eo__text_add(&text, " }\n");
  }
  return text;
}

/* ---- What is found --------------------------------------------------------------------------------------------------- */

/* Goes the way; true: it violates the property. */
static bool violates(const eo_promela_search *search, const eo_promela_step *steps, uint32_t count) {
  eo_promela_run run;
  eo__judge judge = {.property = search->property};
  eo_promela_steps left = {0};
  eo_failure failure;
  bool violated = false;
  assert_true(eo__promela_run_init(&run, search->model) && eo__promela_run_start(&run));
  assert_true(eo__judge_start(&judge, &run, &violated, &failure));
  for (uint32_t i = 0; i < count && !violated; i++) {
    if (!is_enabled(&run, steps[i])) break;
    if (!eo__promela_apply(&run, steps[i]) && !eo_promela_passes(&run)) break;
    assert_true(eo__judge_step(&judge, &run, steps[i], &violated, &failure));
  }
  assert_true(eo__promela_enabled(&run, &left));
  if (!violated && !left.count) assert_true(eo__judge_end(&judge, &violated, &failure));
  eo_vec_release(&left);
  eo__judge_release(&judge);
  eo__promela_run_release(&run);
  return violated;
}

static bool note(void *context, const eo_failure *failure, const eo_promela_step *steps, uint32_t count) {
  findings *f = context;
  eo_text text;
  bool liveness = failure->kind == EO_KIND_LIVENESS;
  eo__text_init(&text);
  eo__text_add(&text, "%s %s", eo__kind_name(failure->kind), liveness ? "" : failure->message);
  if (liveness && !violates(f->search, steps, count)) f->wrong = "an execution that does not violate the formula";
  for (size_t i = 0; i < f->items.count; i++)
    if (strcmp(f->items.items[i], text.chars) == 0) {
      eo__text_release(&text);
      return true;
    }
  assert_true(eo_vec_push(&f->items, text.chars));
  return true;
}

typedef struct tally {
  uint64_t models, large, compared, violated, full, por, different;
} tally;

static bool find(int (*how)(eo_promela_search *, eo_error *), const eo_promela *model, const eo_promela_property *p,
                 findings *out, uint64_t *states) {
  eo_error error = {0};
  eo_promela_search search = {
      .model = model, .most_states = MOST_STATES, .property = p, .failure = note, .context = out};
  *out = (findings){.search = &search};
  if (how(&search, &error) != EO_OK) fail_msg("%s", error.text);
  sort_findings(out);
  *states += search.counts.states;
  out->search = NULL;
  return search.complete;
}

static void compare_formula(uint64_t seed, const eo_promela *model, const eo_promela_property *p, tally *t) {
  findings wanted = {0}, got = {0};
  uint64_t full = 0, por = 0;
  bool complete = find(eo__promela_search_full, model, p, &wanted, &full);
  bool all = complete && find(eo__promela_search_por, model, p, &got, &por);
  const char *wrong = wanted.wrong ? wanted.wrong : got.wrong;
  t->large += !complete;
  t->compared += complete;
  t->full += complete ? full : 0;
  t->por += por;
  for (size_t i = 0; complete && i < wanted.items.count; i++)
    t->violated += strncmp(wanted.items.items[i], "liveness", 8) == 0;
  if (complete && (!all || wrong || !same(&wanted, &got))) {
    t->different++;
    for (size_t k = 0; k < wanted.items.count; k++) print_message("full %s\n", wanted.items.items[k]);
    for (size_t k = 0; k < got.items.count; k++) print_message("por  %s\n", got.items.items[k]);
    print_message("seed %llu, %s: %s\n", (unsigned long long)seed, p->text, wrong ? wrong : "other findings");
  }
  forget(&wanted);
  forget(&got);
}

static void compare(uint64_t seed, tally *t) {
  eo_error error = {0};
  eo_text text = draw(seed, FORMULAS);
  eo_promela *model = eo__promela_read("random", text.chars, text.length, &error);
  t->models += model != NULL;
  for (uint32_t i = 0; model && i < model->property_count; i++)
    if (!model->properties[i]->asked) compare_formula(seed, model, model->properties[i], t);
  eo__promela_close(model);
  eo__text_release(&text);
}

static void say(const tally *t) {
  print_message(
      "%llu models, %llu formulas compared, %llu of them violated, %llu too large; states: full %llu, por %llu; "
      "%llu different\n",
      (unsigned long long)t->models, (unsigned long long)t->compared, (unsigned long long)t->violated,
      (unsigned long long)t->large, (unsigned long long)t->full, (unsigned long long)t->por,
      (unsigned long long)t->different);
}

static void random_models(void **state) {
  (void)state;
  tally t = {0};
  for (uint64_t seed = 1; seed <= MODELS; seed++) compare(seed, &t);
  say(&t);
  assert_int_equal(t.different, 0);
  assert_true(t.compared >= 150 && t.violated >= 60 && t.por < t.full);
}

/* 3: it has too many states. */
static int print_for_spin(uint64_t seed, int formulas) {
  eo_error error = {0};
  eo_text text = draw(seed, formulas);
  eo_promela *model = eo__promela_read("random", text.chars, text.length, &error);
  eo_promela_search search = {.model = model, .most_states = MOST_FOR_SPIN};
  if (!model || eo__promela_search_full(&search, &error) != EO_OK) fail_msg("%s", error.text);
  if (search.complete) printf("%s", text.chars);
  eo__promela_close(model);
  eo__text_release(&text);
  return search.complete ? 0 : 3;
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "spin") == 0) return print_for_spin(strtoull(argv[2], NULL, 10), atoi(argv[3]));
  if (argc == 4 && strcmp(argv[1], "hunt") == 0) {
    tally t = {0};
    uint64_t first = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++) compare(seed, &t);
    say(&t);
    return t.different ? 1 : 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
