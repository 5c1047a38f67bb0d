/* test_ltl.c: the automaton of a formula accepts exactly the words that violate it: random formulas, random words that go round,
 * and the meaning of a formula evaluated by its definition. builds: release asan
 * hunt: hunt SEED 5000 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "base/text.h"
#include "subjects/model/cycles.h"
#include "subjects/model/property.h"

#include "formula.h"

enum { FACTS = 3, MOST_WORD = 6 };

/* ---- Formulas ---------------------------------------------------------------------------------------------------------- */

static int draw(formula *f, eo_rng *rng, int depth) {
  op kind = depth == 0 ? FACT : (op)eo__rng_below(rng, OPS);
  if (kind == FACT) return add_part(f, FACT, (int)eo__rng_below(rng, FACTS), 0);
  int a = draw(f, rng, depth - 1);
  bool two = kind != NOT && kind != ALWAYS && kind != EVENTUALLY && kind != NEXT;
  return add_part(f, kind, a, two ? draw(f, rng, depth - 1) : 0);
}

/* ---- The automaton ------------------------------------------------------------------------------------------------------------- */

static uint64_t letter_of(const eo_promela_property *p, eo_promela_run *run, unsigned facts) {
  uint64_t letter;
  for (int i = 0; i < FACTS; i++) run->state[EO_PROMELA_GLOBALS_AT + run->model->symbols[i]->offset] = facts >> i & 1;
  assert_true(eo__property_letter(p, run, &letter));
  return letter;
}

/* Does it come to its end, or go round with all marks? */
static bool accepts(const eo_promela_property *p, eo_promela_run *run, const word *w) {
  eo__cycles graph = {.all = {eo__property_all_marks(p), 0}};
  eo__cycles_way way = {0};
  unsigned char reached[MOST_WORD * EO_PROPERTY_MOST_LOCATIONS] = {1};
  bool ends = false, found;
  uint32_t locations = p->location_count;
  for (int round = 0; round < 2 * MOST_WORD * (int)locations && !ends; round++) {
    bool more = false;
    for (int k = 0; k < w->length; k++) {
      uint64_t letter = letter_of(p, run, w->letters[k]);
      int next = k + 1 < w->length ? k + 1 : w->loop;
      for (uint32_t l = 0; l < locations; l++)
        for (uint32_t i = 0; reached[(uint32_t)k * locations + l] && i < p->locations[l].count; i++) {
          const eo_promela_arc *arc = &p->locations[l].items[i];
          if (!eo__property_reads(arc, letter)) continue;
          ends |= arc->to == EO_PROPERTY_END;
          if (arc->to == EO_PROPERTY_END || reached[(uint32_t)next * locations + arc->to]) continue;
          reached[(uint32_t)next * locations + arc->to] = 1;
          more = true;
        }
    }
    if (!more) break;
  }
  for (int k = 0; k < w->length; k++) {
    uint64_t letter = letter_of(p, run, w->letters[k]);
    uint32_t next = (uint32_t)(k + 1 < w->length ? k + 1 : w->loop);
    for (uint32_t l = 0; l < locations; l++) {
      assert_true(eo__cycles_node(&graph, (uint32_t)k * locations + l));
      for (uint32_t i = 0; i < p->locations[l].count; i++) {
        const eo_promela_arc *arc = &p->locations[l].items[i];
        if (!eo__property_reads(arc, letter) || arc->to == EO_PROPERTY_END) continue;
        assert_true(eo__cycles_add(&graph, next * locations + arc->to, (eo__bears){arc->marks, 0}));
      }
    }
  }
  assert_true(eo__cycles_find(&graph, (uint32_t)w->length * locations, &found, &way));
  eo__cycles_way_release(&way);
  eo__cycles_release(&graph);
  return ends || found;
}

static uint64_t words, violations;

/* One formula and some words. */
static void check(uint64_t seed, int count) {
  static const char *const facts[] = {"f0", "f1", "f2"};
  eo_rng rng;
  eo__rng_init(&rng, seed);
  formula f = {0};
  draw(&f, &rng, 1 + (int)eo__rng_below(&rng, 4));
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "bit f0, f1, f2; active proctype P() { skip } ltl p { ");
  write_part(&f, f.count - 1, facts, &text);
  eo__text_add(&text, " }");
  eo_error error = {0};
  eo_promela *model = eo__promela_read("ltl.pml", text.chars, text.length, &error);
  if (!model) fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, error.text, text.chars);
  const eo_promela_property *p = eo__promela_property_find(model, "p");
  eo_promela_run run;
  assert_true(eo__promela_run_init(&run, model) && eo__promela_run_start(&run));
  for (int i = 0; i < count; i++) {
    unsigned letters[MOST_WORD];
    word w = {.letters = letters, .length = 1 + (int)eo__rng_below(&rng, MOST_WORD)};
    w.loop = (int)eo__rng_below(&rng, (uint32_t)w.length);
    for (int k = 0; k < w.length; k++) letters[k] = (unsigned)eo__rng_below(&rng, 1 << FACTS);
    bool violated = !is_true_of(&f, &w);
    if (accepts(p, &run, &w) != violated)
      fail_msg("seed %llu, word %d: %s, but the automaton says otherwise: %s", (unsigned long long)seed, i,
               violated ? "violated" : "holds", text.chars);
    words++;
    violations += violated;
  }
  eo__promela_run_release(&run);
  eo__promela_close(model);
  eo__text_release(&text);
}

static void test_random_formulas(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 400; seed++) check(seed, 40);
  assert_true(violations > words / 5 && violations < words * 4 / 5);
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "hunt") == 0) {
    uint64_t first = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++) check(seed, 200);
    printf("%llu formulas, %llu words, %llu violate theirs\n", (unsigned long long)count, (unsigned long long)words,
           (unsigned long long)violations);
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_formulas)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
