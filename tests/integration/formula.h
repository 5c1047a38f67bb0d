/* formula.h: formulas of linear temporal logic as tests draw them, as text and with what they mean of a word that goes round, by
 * definition: nothing here knows of automata. */
#ifndef EO_TESTS_FORMULA_H
#define EO_TESTS_FORMULA_H

#include <stdbool.h>
#include <stdlib.h>

#include "base/text.h"

enum { MOST_PARTS = 64 };

typedef enum op { FACT, NOT, AND, OR, IMPLIES, EQUIVALENT, ALWAYS, EVENTUALLY, NEXT, UNTIL, WEAK, RELEASE, OPS } op;

typedef struct part {
  op op;
  int a, b; /* parts before it; of a fact, its number */
} part;

typedef struct formula {
  part parts[MOST_PARTS]; /* the last is the whole */
  int count;
} formula;

static int add_part(formula *f, op kind, int a, int b) {
  f->parts[f->count] = (part){kind, a, b};
  return f->count++;
}

/* `facts`: how each is written. */
static void write_part(const formula *f, int i, const char *const *facts, eo_text *out) {
  static const char *const before[] = {
      [NOT] = "!", [ALWAYS] = "[] ", [EVENTUALLY] = "<> ", [NEXT] = "X ", [OPS] = NULL};
  static const char *const between[] = {[AND] = "&&",  [OR] = "||",  [IMPLIES] = "->", [EQUIVALENT] = "<->",
                                        [UNTIL] = "U", [WEAK] = "W", [RELEASE] = "V",  [OPS] = NULL};
  const part *p = &f->parts[i];
  if (p->op == FACT) {
    eo__text_add(out, "%s", facts[p->a]);
    return;
  }
  eo__text_add(out, "(");
  if (before[p->op]) eo__text_add(out, "%s", before[p->op]);
  write_part(f, p->a, facts, out);
  if (between[p->op]) {
    eo__text_add(out, " %s ", between[p->op]);
    write_part(f, p->b, facts, out);
  }
  eo__text_add(out, ")");
}

typedef struct word {
  const unsigned *letters; /* bit i: fact i holds */
  int length, loop;        /* behind the last comes letters[loop] */
} word;

/* At place k, given what holds of the parts before, and of the part itself at the next place. */
static bool holds_at(const part *p, bool a, bool b, bool next_a, bool on, unsigned letter) {
  switch (p->op) {
    case FACT: return letter >> p->a & 1;
    case NOT: return !a;
    case AND: return a && b;
    case OR: return a || b;
    case IMPLIES: return !a || b;
    case EQUIVALENT: return a == b;
    case ALWAYS: return a && on;
    case EVENTUALLY: return a || on;
    case NEXT: return next_a;
    case UNTIL:
    case WEAK: return b || (a && on);
    case RELEASE: return b && (a || on);
    case OPS: break;
  }
  return false;
}

/* Where part i holds. Until is the least solution of b or (a and next); the other two the greatest. */
static void evaluate_part(const part *p, const word *w, const bool *a, const bool *b, bool *holds) {
  bool greatest = p->op == ALWAYS || p->op == WEAK || p->op == RELEASE;
  for (int k = 0; k < w->length; k++) holds[k] = greatest;
  for (bool more = true; more;) {
    more = false;
    for (int k = w->length - 1; k >= 0; k--) {
      int next = k + 1 < w->length ? k + 1 : w->loop;
      bool now = holds_at(p, a[k], b[k], a[next], holds[next], w->letters[k]);
      more |= now != holds[k];
      holds[k] = now;
    }
  }
}

/* Is the formula true of the word? */
static bool is_true_of(const formula *f, const word *w) {
  bool *holds = calloc((size_t)f->count * (size_t)w->length, sizeof *holds);
  if (!holds) abort();
  for (int i = 0; i < f->count; i++) {
    const part *p = &f->parts[i];
    const bool *a = holds + (p->op == FACT ? 0 : p->a) * w->length, *b = holds + (p->op == FACT ? 0 : p->b) * w->length;
    evaluate_part(p, w, a, b, holds + i * w->length);
  }
  bool whole = holds[(f->count - 1) * w->length];
  free(holds);
  return whole;
}

#endif
