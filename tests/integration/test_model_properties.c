/* test_model_properties.c: on random models with random ltl formulas, por judges each formula as full does; every execution that
 * either tells of is possible, is judged to violate the formula by itself, as a replay does (judge.h), and does violate it by the
 * definition of the formula (formula.h).
 *   test_model_properties                        the models of the test
 *   test_model_properties hunt SEED COUNT [N]    so many more from this seed on, with N formulas; goes on after a difference
 *   test_model_properties spin SEED N            prints the model of a seed with N formulas, for pan; ends with 3 if it is large
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

#include "formula.h"
#include "model_findings.h"
#include "random_model.h"

enum {
  MODELS = 60,
  FORMULAS = 4,
  MOST_STATES = 6000,
  MOST_FOR_SPIN = 400, /* states */
  MOST_FORMULAS = 32,
  MOST_STEPS = 3000, /* of an execution */
  CONTINUATIONS = 3,
  MOST_CHECKED = 60 /* executions of one search of one formula */
};

static const random_model_bounds for_spin = {.escapes = true};

/* ---- Formulas -------------------------------------------------------------------------------------------------------- */

static const char *const facts[] = {"(g0 == 0)",  "(g0 > g1)",     "(g1 == 1)",     "(a[0] != a[1])", "b",
                                    "(t.x == 0)", "(len(q0) > 0)", "(_nr_pr <= 1)", "(P0:x == 1)",    "(P1:y == 0)"};
enum { FACTS = sizeof facts / sizeof *facts };

static int draw_formula(eo_rng *rng, formula *f, int depth) {
  static const op between[] = {AND, OR, IMPLIES, UNTIL, WEAK, RELEASE};
  uint32_t kind = depth ? eo__rng_below(rng, 5) : 0;
  if (kind == 0) return add_part(f, FACT, (int)eo__rng_below(rng, FACTS), 0);
  if (kind == 4) {
    int a = draw_formula(rng, f, depth - 1);
    op which = between[eo__rng_below(rng, sizeof between / sizeof *between)];
    return add_part(f, which, a, draw_formula(rng, f, depth - 1));
  }
  uint32_t before = eo__rng_below(rng, 5);
  int a = draw_formula(rng, f, depth - 1);
  switch (before) {
    case 0: return add_part(f, NOT, a, 0);
    case 1: return add_part(f, ALWAYS, a, 0);
    case 2: return add_part(f, EVENTUALLY, a, 0);
    case 3: return add_part(f, ALWAYS, add_part(f, EVENTUALLY, a, 0), 0);
    default: return add_part(f, EVENTUALLY, add_part(f, ALWAYS, a, 0), 0);
  }
}

static eo_text draw(uint64_t seed, int count, formula *formulas) {
  eo_text text = random_model(seed, for_spin);
  eo_rng rng;
  eo__rng_init(&rng, seed * 31 + 7);
  for (int i = 0; i < count; i++) {
    formulas[i] = (formula){0};
    draw_formula(&rng, &formulas[i], 1 + (int)eo__rng_below(&rng, 3));
    eo__text_add(&text, "ltl f%d { ", i);
    write_part(&formulas[i], formulas[i].count - 1, facts, &text);
    eo__text_add(&text, " }\n");
  }
  return text;
}

/* A property for each fact: the only way to ask a model for one. */
static void add_facts(eo_text *text) {
  for (int i = 0; i < FACTS; i++) eo__text_add(text, "ltl fact%d { %s }\n", i, facts[i]);
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

/* An execution as it is gone: what was read, letter by letter, and the states. */
typedef struct walk {
  eo_promela_run run;
  EO_VEC(unsigned) letters;
  EO_VEC(eo_text) states;
} walk;

static void read_here(walk *w) {
  unsigned letter = 0;
  char name[16];
  for (int i = 0; i < FACTS; i++) {
    uint64_t bit;
    snprintf(name, sizeof name, "fact%d", i);
    const eo_promela_property *p = eo__promela_property_find(w->run.model, name);
    assert_true(p->fact_count == 1 && eo__property_letter(p, &w->run, &bit));
    letter |= (unsigned)(bit & 1) << i;
  }
  eo_text state;
  eo__text_init(&state);
  eo__text_append(&state, (const char *)w->run.state, w->run.size);
  assert_true(!state.failed && eo_vec_push(&w->letters, letter) && eo_vec_push(&w->states, state));
}

/* False: it is no step from here. */
static bool walk_on(walk *w, eo_promela_step step) {
  eo_promela_steps left = {0};
  bool reads = true;
  if (!is_enabled(&w->run, step) || (!eo__promela_apply(&w->run, step) && !eo_promela_passes(&w->run))) return false;
  uint32_t floor = eo__promela_floor(&w->run);
  if (floor != EO_PROMELA_NOBODY) { /* states inside of an atomic sequence are not read, unless it cannot go on */
    assert_true(eo__promela_enabled_of(&w->run, floor, &left));
    reads = !left.count;
    if (reads) eo__promela_yield(&w->run);
  }
  if (reads) read_here(w);
  eo_vec_release(&left);
  return true;
}

static bool same_state(const eo_text *a, const eo_text *b) {
  return a->length == b->length && memcmp(a->chars, b->chars, a->length) == 0;
}

/* Is there a way to go on for ever from the last state, over states of the walk alone or by standing still, on which the
 * formula is false? *closed: there is one at all. */
static bool is_false_of(const formula *f, const walk *w, bool ended, bool *closed) {
  int last = (int)w->letters.count - 1;
  bool wrong = false;
  *closed = ended;
  if (ended) return !is_true_of(f, &(word){w->letters.items, last + 1, last});
  for (int i = 0; i < last && !wrong; i++) {
    if (!same_state(&w->states.items[i], &w->states.items[last])) continue;
    *closed = true;
    wrong = !is_true_of(f, &(word){w->letters.items, last, i});
  }
  return wrong;
}

static void forget_walk(walk *w) {
  for (size_t i = 0; i < w->states.count; i++) eo__text_release(&w->states.items[i]);
  eo_vec_release(&w->states);
  eo_vec_release(&w->letters);
  eo__promela_run_release(&w->run);
}

/* Goes the way, and on in some way where it does not go round: 1: the formula is false of it, 0: it is not, or it is no way; -1: it
 * did not come round. */
static int is_counterexample(const eo_promela *model, const formula *f, const eo_promela_step *steps, uint32_t count,
                             eo_rng *rng) {
  walk w = {0};
  eo_promela_steps left = {0};
  bool good = true, closed = false, wrong = false, ended = false;
  assert_true(eo__promela_run_init(&w.run, model) && eo__promela_run_start(&w.run));
  read_here(&w);
  for (uint32_t i = 0; i < count && good; i++) good = walk_on(&w, steps[i]);
  for (int i = 0; i < MOST_STEPS && good && !closed; i++) {
    assert_true(eo__promela_enabled(&w.run, &left));
    ended = !left.count;
    bool between = eo__promela_floor(&w.run) != EO_PROMELA_NOBODY; /* nothing was read here */
    if (ended || !between) wrong = is_false_of(f, &w, ended, &closed);
    if (!closed) good = walk_on(&w, left.items[eo__rng_below(rng, (uint32_t)left.count)]);
  }
  eo_vec_release(&left);
  forget_walk(&w);
  return !good ? 0 : closed ? wrong : -1;
}

static bool note(void *context, const eo_failure *failure, const eo_promela_step *steps, uint32_t count) {
  findings *f = context;
  eo_text text;
  bool liveness = failure->kind == EO_KIND_LIVENESS;
  eo__text_init(&text);
  eo__text_add(&text, "%s %s", eo__kind_name(failure->kind), liveness ? "" : failure->message);
  if (liveness && !violates(f->search, steps, count)) f->wrong = "an execution that does not violate the formula";
  for (int i = 0; liveness && i < CONTINUATIONS && f->checked < MOST_CHECKED; i++) {
    int says = is_counterexample(f->search->model, f->formula, steps, count, &f->rng);
    if (says == 0) f->wrong = "an execution of which the formula is true";
    f->checked += says > 0;
  }
  for (size_t i = 0; i < f->items.count; i++)
    if (strcmp(f->items.items[i], text.chars) == 0) {
      eo__text_release(&text);
      return true;
    }
  assert_true(eo_vec_push(&f->items, text.chars));
  return true;
}

typedef struct tally {
  uint64_t models, large, compared, violated, full, por, different, checked;
} tally;

static bool find(int (*how)(eo_promela_search *, eo_error *), const eo_promela *model, const eo_promela_property *p,
                 const formula *f, findings *out, uint64_t *states) {
  eo_error error = {0};
  eo_promela_search search = {
      .model = model, .most_states = MOST_STATES, .property = p, .failure = note, .context = out};
  *out = (findings){.search = &search, .formula = f};
  eo__rng_init(&out->rng, 1);
  if (how(&search, &error) != EO_OK) fail_msg("%s", error.text);
  sort_findings(out);
  *states += search.counts.states;
  out->search = NULL;
  return search.complete;
}

static void compare_formula(uint64_t seed, const eo_promela *model, const eo_promela_property *p, const formula *f,
                            tally *t) {
  findings wanted = {0}, got = {0};
  uint64_t full = 0, por = 0;
  bool complete = find(eo__promela_search_full, model, p, f, &wanted, &full);
  bool all = complete && find(eo__promela_search_por, model, p, f, &got, &por);
  const char *wrong = wanted.wrong ? wanted.wrong : got.wrong;
  t->large += !complete;
  t->checked += wanted.checked + got.checked;
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

static void compare(uint64_t seed, int count, tally *t) {
  eo_error error = {0};
  formula formulas[MOST_FORMULAS];
  eo_text text = draw(seed, count, formulas);
  add_facts(&text);
  eo_promela *model = eo__promela_read("random", text.chars, text.length, &error);
  t->models += model != NULL;
  for (int i = 0; model && i < count; i++) {
    char name[16];
    snprintf(name, sizeof name, "f%d", i);
    compare_formula(seed, model, eo__promela_property_find(model, name), &formulas[i], t);
  }
  eo__promela_close(model);
  eo__text_release(&text);
}

static void say(const tally *t) {
  print_message(
      "%llu models, %llu formulas compared, %llu of them violated, %llu too large; states: full %llu, por %llu; "
      "%llu executions false by definition; %llu different\n",
      (unsigned long long)t->models, (unsigned long long)t->compared, (unsigned long long)t->violated,
      (unsigned long long)t->large, (unsigned long long)t->full, (unsigned long long)t->por,
      (unsigned long long)t->checked, (unsigned long long)t->different);
}

static void random_models(void **state) {
  (void)state;
  tally t = {0};
  for (uint64_t seed = 1; seed <= MODELS; seed++) compare(seed, FORMULAS, &t);
  say(&t);
  assert_int_equal(t.different, 0);
  assert_true(t.compared >= 150 && t.violated >= 60 && t.por < t.full && t.checked > 5 * t.violated);
}

/* 3: it has too many states. */
static int print_for_spin(uint64_t seed, int formulas) {
  eo_error error = {0};
  formula drawn[MOST_FORMULAS];
  eo_text text = draw(seed, formulas, drawn);
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
  if ((argc == 4 || argc == 5) && strcmp(argv[1], "hunt") == 0) {
    tally t = {0};
    uint64_t first = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++) compare(seed, argc == 5 ? atoi(argv[4]) : FORMULAS, &t);
    say(&t);
    return t.different ? 1 : 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
