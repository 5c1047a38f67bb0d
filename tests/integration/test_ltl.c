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

enum { FACTS = 3, MOST_PARTS = 64, MOST_WORD = 6 };

/* ---- Formulas ---------------------------------------------------------------------------------------------------------- */

typedef enum op { FACT, NOT, AND, OR, IMPLIES, EQUIVALENT, ALWAYS, EVENTUALLY, NEXT, UNTIL, WEAK, RELEASE, OPS } op;

typedef struct part {
  op op;
  int a, b; /* parts before it; of a fact, its number */
} part;

typedef struct formula {
  part parts[MOST_PARTS]; /* the last is the whole */
  int count;
} formula;

static int draw(formula *f, eo_rng *rng, int depth) {
  part p = {.op = depth == 0 ? FACT : (op)eo__rng_below(rng, OPS)};
  if (p.op == FACT) {
    p.a = (int)eo__rng_below(rng, FACTS);
  } else {
    p.a = draw(f, rng, depth - 1);
    bool two = p.op != NOT && p.op != ALWAYS && p.op != EVENTUALLY && p.op != NEXT;
    p.b = two ? draw(f, rng, depth - 1) : 0;
  }
  f->parts[f->count] = p;
  return f->count++;
}

static void write_part(const formula *f, int i, eo_text *out) {
  static const char *const before[] = {
      [NOT] = "!", [ALWAYS] = "[] ", [EVENTUALLY] = "<> ", [NEXT] = "X ", [OPS] = NULL};
  static const char *const between[] = {[AND] = "&&",  [OR] = "||",  [IMPLIES] = "->", [EQUIVALENT] = "<->",
                                        [UNTIL] = "U", [WEAK] = "W", [RELEASE] = "V",  [OPS] = NULL};
  const part *p = &f->parts[i];
  if (p->op == FACT) {
    eo__text_add(out, "f%d", p->a);
    return;
  }
  eo__text_add(out, "(");
  if (before[p->op]) eo__text_add(out, "%s", before[p->op]);
  write_part(f, p->a, out);
  if (between[p->op]) {
    eo__text_add(out, " %s ", between[p->op]);
    write_part(f, p->b, out);
  }
  eo__text_add(out, ")");
}

/* ---- Words and what holds of them --------------------------------------------------------------------------------------------- */

typedef struct word {
  unsigned letters[MOST_WORD]; /* bit i: fact i holds */
  int length, loop;            /* behind the last comes letters[loop] */
} word;

/* Where part i holds, by its definition. Until is the least solution of b or (a and next); the other two the greatest. */
static void evaluate(const formula *f, const word *w, bool holds[][MOST_WORD]) {
  for (int i = 0; i < f->count; i++) {
    const part *p = &f->parts[i];
    bool greatest = p->op == ALWAYS || p->op == WEAK || p->op == RELEASE;
    for (int k = 0; k < w->length; k++) holds[i][k] = greatest;
    for (int round = 0; round <= w->length; round++)
      for (int k = w->length - 1; k >= 0; k--) {
        int next = k + 1 < w->length ? k + 1 : w->loop;
        bool a = p->op != FACT && holds[p->a][k], b = p->op != FACT && holds[p->b][k], on = holds[i][next];
        switch (p->op) {
          case FACT: holds[i][k] = w->letters[k] >> p->a & 1; break;
          case NOT: holds[i][k] = !a; break;
          case AND: holds[i][k] = a && b; break;
          case OR: holds[i][k] = a || b; break;
          case IMPLIES: holds[i][k] = !a || b; break;
          case EQUIVALENT: holds[i][k] = a == b; break;
          case ALWAYS: holds[i][k] = a && on; break;
          case EVENTUALLY: holds[i][k] = a || on; break;
          case NEXT: holds[i][k] = holds[p->a][next]; break;
          case UNTIL:
          case WEAK: holds[i][k] = b || (a && on); break;
          case RELEASE: holds[i][k] = b && (a || on); break;
          case OPS: break;
        }
      }
  }
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
  eo_rng rng;
  eo__rng_init(&rng, seed);
  formula f = {0};
  draw(&f, &rng, 1 + (int)eo__rng_below(&rng, 4));
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "bit f0, f1, f2; active proctype P() { skip } ltl p { ");
  write_part(&f, f.count - 1, &text);
  eo__text_add(&text, " }");
  eo_error error = {0};
  eo_promela *model = eo__promela_read("ltl.pml", text.chars, text.length, &error);
  if (!model) fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, error.text, text.chars);
  const eo_promela_property *p = eo__promela_property_find(model, "p");
  eo_promela_run run;
  assert_true(eo__promela_run_init(&run, model) && eo__promela_run_start(&run));
  for (int i = 0; i < count; i++) {
    bool holds[MOST_PARTS][MOST_WORD];
    word w = {.length = 1 + (int)eo__rng_below(&rng, MOST_WORD)};
    w.loop = (int)eo__rng_below(&rng, (uint32_t)w.length);
    for (int k = 0; k < w.length; k++) w.letters[k] = (unsigned)eo__rng_below(&rng, 1 << FACTS);
    evaluate(&f, &w, holds);
    bool violated = !holds[f.count - 1][0];
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
