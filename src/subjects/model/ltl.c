/* ltl.c: from a formula of linear temporal logic to an automaton for what violates it, by the tableau of Couvreur (FM 1999).
 *
 * The formula is negated, and negations are pushed inwards. A location of the automaton is a set of formulas, all of which hold
 * of what is still to be read. Each of them says what must hold of the next letter, and which formulas then hold of the rest:
 *
 *   a U b   is   b, or a and next a U b: the second puts b off, and the arc does not bear the mark of this until
 *   a R b   is   a and b, or b and next a R b
 *
 * So every way to choose between them is an arc. An execution in which b is put off for ever does not bear its mark infinitely
 * often. The empty set demands nothing: an arc to it is one to EO_PROPERTY_END. */
#include <string.h>

#include "subjects/model/parse.h"
#include "subjects/model/property.h"

enum { MOST_FORMULAS = 256, WORDS = MOST_FORMULAS / 64, MOST_ARCS = 1 << 16 };

typedef enum ltl_op {
  LTL_TRUE,
  LTL_FALSE,
  LTL_FACT,
  LTL_LACK,
  LTL_AND,
  LTL_OR,
  LTL_NEXT,
  LTL_UNTIL,
  LTL_RELEASE
} ltl_op;

typedef struct formula {
  ltl_op op;
  uint32_t a, b; /* formulas; of a fact, its number in a */
} formula;

typedef struct set {
  uint64_t words[WORDS];
} set;

/* An arc under construction: what is still to be taken apart, and what came of the rest. */
typedef struct cover {
  set todo, done, next, put_off;
  uint64_t holds, lacks;
} cover;

typedef FRONT_LIST(cover) covers;

typedef struct location {
  set holds; /* formulas */
  covers arcs;
  uint32_t same_as; /* a location before it that has the same arcs */
} location;

typedef struct tableau {
  parser *parser;
  token at;
  eo_promela_property *property;
  formula formulas[MOST_FORMULAS];
  uint32_t count;
  uint32_t untils[EO_PROPERTY_MOST_MARKS];
  uint32_t until_count;
  FRONT_LIST(location) locations;
  uint32_t arcs;
} tableau;

/* ---- Sets ------------------------------------------------------------------------------------------------------------ */

static bool has(const set *s, uint32_t i) { return s->words[i / 64] >> (i % 64) & 1; }
static void add(set *s, uint32_t i) { s->words[i / 64] |= UINT64_C(1) << (i % 64); }
static void drop(set *s, uint32_t i) { s->words[i / 64] &= ~(UINT64_C(1) << (i % 64)); }
static bool equal(const set *a, const set *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool empty(const set *s) {
  for (uint32_t i = 0; i < WORDS; i++)
    if (s->words[i]) return false;
  return true;
}

static bool within(const set *inner, const set *outer) {
  for (uint32_t i = 0; i < WORDS; i++)
    if (inner->words[i] & ~outer->words[i]) return false;
  return true;
}

/* ---- Formulas, each of them once ---------------------------------------------------------------------------------------- */

static uint32_t intern(tableau *t, ltl_op op, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < t->count; i++)
    if (t->formulas[i].op == op && t->formulas[i].a == a && t->formulas[i].b == b) return i;
  if (t->count == MOST_FORMULAS)
    eo__front_fail(t->parser->front, &t->at, "this formula has more than %d parts", MOST_FORMULAS);
  t->formulas[t->count] = (formula){op, a, b};
  if (op == LTL_UNTIL) {
    if (t->until_count == EO_PROPERTY_MOST_MARKS)
      eo__front_fail(t->parser->front, &t->at, "this formula has more than %d untils", EO_PROPERTY_MOST_MARKS);
    t->untils[t->until_count++] = t->count;
  }
  return t->count++;
}

static uint32_t constant(tableau *t, bool value) { return intern(t, value ? LTL_TRUE : LTL_FALSE, 0, 0); }
static bool is(const tableau *t, uint32_t f, ltl_op op) { return t->formulas[f].op == op; }

/* Do they contradict each other, as p and !p do? */
static bool opposite(const tableau *t, uint32_t a, uint32_t b) {
  const formula *x = &t->formulas[a], *y = &t->formulas[b];
  return x->a == y->a && ((x->op == LTL_FACT && y->op == LTL_LACK) || (x->op == LTL_LACK && y->op == LTL_FACT));
}

static uint32_t both(tableau *t, uint32_t a, uint32_t b) {
  if (is(t, a, LTL_TRUE) || is(t, b, LTL_FALSE) || a == b) return b;
  if (is(t, b, LTL_TRUE) || is(t, a, LTL_FALSE)) return a;
  return opposite(t, a, b) ? constant(t, false) : intern(t, LTL_AND, a < b ? a : b, a < b ? b : a);
}

static uint32_t either(tableau *t, uint32_t a, uint32_t b) {
  if (is(t, a, LTL_FALSE) || is(t, b, LTL_TRUE) || a == b) return b;
  if (is(t, b, LTL_FALSE) || is(t, a, LTL_TRUE)) return a;
  return opposite(t, a, b) ? constant(t, true) : intern(t, LTL_OR, a < b ? a : b, a < b ? b : a);
}

static uint32_t next(tableau *t, uint32_t a) {
  return is(t, a, LTL_TRUE) || is(t, a, LTL_FALSE) ? a : intern(t, LTL_NEXT, a, 0);
}

/* a U b or a R b. The constant that ends it at once is true for U, false for R. */
static uint32_t lasting(tableau *t, ltl_op op, uint32_t a, uint32_t b) {
  ltl_op neutral = op == LTL_UNTIL ? LTL_FALSE : LTL_TRUE;
  const formula *inner = &t->formulas[b];
  if (is(t, b, LTL_TRUE) || is(t, b, LTL_FALSE) || is(t, a, neutral) || a == b) return b;
  if (inner->op == op && (inner->a == a || is(t, inner->a, neutral == LTL_FALSE ? LTL_TRUE : LTL_FALSE))) return b;
  return intern(t, op, a, b);
}

/* Is there anything temporal in it? Else it is a fact as a whole. */
static bool temporal(const eo_promela_expr *e) {
  if (!e) return false;
  if (e->op >= EO_PROMELA_ALWAYS) return e->op < EO_PROMELA_IMPLIES || temporal(e->a) || temporal(e->b);
  return temporal(e->a) || temporal(e->b) || temporal(e->c);
}

static uint32_t read_formula(tableau *t, const eo_promela_expr *e, bool negated);

static uint32_t read_fact(tableau *t, const eo_promela_expr *e, bool negated) {
  if (e->op == EO_PROMELA_NOT) return read_formula(t, e->a, !negated);
  if (e->op == EO_PROMELA_CONST) return constant(t, (e->value != 0) != negated);
  return intern(t, negated ? LTL_LACK : LTL_FACT, eo__property_fact(t->parser, t->property, e), 0);
}

/* a and b, or, negated, !a or !b. */
static uint32_t read_both(tableau *t, const eo_promela_expr *a, bool a_negated, const eo_promela_expr *b,
                          bool b_negated, bool negated) {
  uint32_t x = read_formula(t, a, a_negated != negated), y = read_formula(t, b, b_negated != negated);
  return negated ? either(t, x, y) : both(t, x, y);
}

static uint32_t read_lasting(tableau *t, bool until, uint32_t a, uint32_t b) {
  return lasting(t, until ? LTL_UNTIL : LTL_RELEASE, a, b);
}

static uint32_t read_formula(tableau *t, const eo_promela_expr *e, bool negated) {
  if (!temporal(e)) return read_fact(t, e, negated);
  switch (e->op) {
    case EO_PROMELA_NOT: return read_formula(t, e->a, !negated);
    case EO_PROMELA_AND: return read_both(t, e->a, false, e->b, false, negated);
    case EO_PROMELA_OR: return read_both(t, e->a, true, e->b, true, !negated);
    case EO_PROMELA_IMPLIES: return read_both(t, e->a, false, e->b, true, !negated);
    case EO_PROMELA_EQUIVALENT: {
      uint32_t same = both(t, read_formula(t, e->a, false), read_formula(t, e->b, negated));
      return either(t, same, both(t, read_formula(t, e->a, true), read_formula(t, e->b, !negated)));
    }
    case EO_PROMELA_NEXT: return next(t, read_formula(t, e->a, negated));
    case EO_PROMELA_ALWAYS: return read_lasting(t, negated, constant(t, negated), read_formula(t, e->a, negated));
    case EO_PROMELA_EVENTUALLY: return read_lasting(t, !negated, constant(t, !negated), read_formula(t, e->a, negated));
    case EO_PROMELA_UNTIL:
    case EO_PROMELA_RELEASE:
      return read_lasting(t, (e->op == EO_PROMELA_UNTIL) != negated, read_formula(t, e->a, negated),
                          read_formula(t, e->b, negated));
    case EO_PROMELA_WEAK_UNTIL: { /* a W b is b R (a or b) */
      uint32_t a = read_formula(t, e->a, negated), b = read_formula(t, e->b, negated);
      return read_lasting(t, negated, b, negated ? both(t, a, b) : either(t, a, b));
    }
    default: eo__front_fail(t->parser->front, &t->at, "a temporal operator inside of an arithmetic expression");
  }
}

/* ---- Taking a location apart -------------------------------------------------------------------------------------------- */

/* Is it there already, in place of one that demands more? */
static bool weaker(const cover *a, const cover *b) {
  return equal(&a->next, &b->next) && within(&a->put_off, &b->put_off) && !(a->holds & ~b->holds) &&
         !(a->lacks & ~b->lacks);
}

static void emit(tableau *t, const cover *c, covers *out) {
  for (uint32_t i = 0; i < out->count; i++)
    if (weaker(&out->items[i], c)) return;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->count; i++)
    if (!weaker(c, &out->items[i])) out->items[kept++] = out->items[i];
  t->arcs -= out->count - kept;
  out->count = kept;
  front_push(t->parser->front, out, *c);
  if (++t->arcs > MOST_ARCS)
    eo__front_fail(t->parser->front, &t->at, "the automaton of this formula has more than %d arcs", MOST_ARCS);
}

static bool branches(const tableau *t, uint32_t f) {
  return t->formulas[f].op == LTL_OR || t->formulas[f].op == LTL_UNTIL || t->formulas[f].op == LTL_RELEASE;
}

/* The next to take apart; those that leave no choice come first, so that fewer choices are left. */
static uint32_t pick(const tableau *t, const set *todo) {
  uint32_t found = UINT32_MAX;
  for (uint32_t i = 0; i < t->count; i++) {
    if (!has(todo, i)) continue;
    if (!branches(t, i)) return i;
    if (found == UINT32_MAX) found = i;
  }
  return found;
}

static void take_apart(tableau *t, cover c, covers *out);

/* One way to go on: these hold now, and this one (or none, itself) hereafter. */
static void choose(tableau *t, const cover *c, uint32_t now, uint32_t also, uint32_t later, bool puts_off,
                   covers *out) {
  cover way = *c;
  add(&way.todo, now);
  add(&way.todo, also);
  if (later != UINT32_MAX) add(&way.next, later);
  if (puts_off) add(&way.put_off, later);
  take_apart(t, way, out);
}

static void take_apart(tableau *t, cover c, covers *out) {
  uint32_t f;
  while ((f = pick(t, &c.todo)) != UINT32_MAX) {
    const formula *taken = &t->formulas[f];
    uint32_t a = taken->a, b = taken->b;
    drop(&c.todo, f);
    if (has(&c.done, f)) continue;
    add(&c.done, f);
    switch (taken->op) {
      case LTL_TRUE: break;
      case LTL_FALSE: return;
      case LTL_FACT: c.holds |= UINT64_C(1) << a; break;
      case LTL_LACK: c.lacks |= UINT64_C(1) << a; break;
      case LTL_AND:
        add(&c.todo, a);
        add(&c.todo, b);
        break;
      case LTL_NEXT: add(&c.next, a); break;
      case LTL_OR:
        if (has(&c.done, a) || has(&c.done, b)) break;
        choose(t, &c, a, a, UINT32_MAX, false, out);
        choose(t, &c, b, b, UINT32_MAX, false, out);
        return;
      case LTL_UNTIL:
        if (has(&c.done, b)) break;
        choose(t, &c, b, b, UINT32_MAX, false, out);
        choose(t, &c, a, a, f, true, out);
        return;
      case LTL_RELEASE:
        choose(t, &c, a, b, UINT32_MAX, false, out);
        choose(t, &c, b, b, f, false, out);
        return;
    }
    if (c.holds & c.lacks) return;
  }
  emit(t, &c, out);
}

/* ---- Locations ------------------------------------------------------------------------------------------------------------ */

static uint32_t location_of(tableau *t, const set *holds) {
  if (empty(holds)) return EO_PROPERTY_END;
  for (uint32_t i = 0; i < t->locations.count; i++)
    if (equal(&t->locations.items[i].holds, holds)) return i;
  if (t->locations.count == EO_PROPERTY_MOST_LOCATIONS)
    eo__front_fail(t->parser->front, &t->at, "the automaton of this formula has more than %d locations",
                   EO_PROPERTY_MOST_LOCATIONS);
  location made = {.holds = *holds, .same_as = t->locations.count};
  front_push(t->parser->front, &t->locations, made);
  return t->locations.count - 1;
}

static uint32_t merged(const tableau *t, uint32_t l) {
  while (l != EO_PROPERTY_END && t->locations.items[l].same_as != l) l = t->locations.items[l].same_as;
  return l;
}

static bool same_arc(tableau *t, const cover *a, const cover *b) {
  return a->holds == b->holds && a->lacks == b->lacks && equal(&a->put_off, &b->put_off) &&
         merged(t, location_of(t, &a->next)) == merged(t, location_of(t, &b->next));
}

/* Has each arc of one location its like among those of the other? */
static bool covered(tableau *t, const covers *a, const covers *b) {
  for (uint32_t i = 0; i < a->count; i++) {
    uint32_t k = 0;
    while (k < b->count && !same_arc(t, &a->items[i], &b->items[k])) k++;
    if (k == b->count) return false;
  }
  return true;
}

/* Locations with the same arcs are one; then those that lead to them may be, too. */
static void merge(tableau *t) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t j = 1; j < t->locations.count; j++)
      for (uint32_t i = 0; i < j && t->locations.items[j].same_as == j; i++) {
        if (t->locations.items[i].same_as != i) continue;
        const covers *x = &t->locations.items[i].arcs, *y = &t->locations.items[j].arcs;
        if (!covered(t, x, y) || !covered(t, y, x)) continue;
        t->locations.items[j].same_as = i;
        again = true;
      }
  }
}

static void put_arcs(tableau *t, const covers *from, const uint32_t *numbers, eo_promela_arcs *out) {
  uint64_t all = eo__property_all_marks(t->property);
  out->items = eo__front_take(t->parser->front, (from->count + 1) * sizeof *out->items);
  for (uint32_t i = 0; i < from->count; i++) {
    const cover *c = &from->items[i];
    uint32_t to = merged(t, location_of(t, &c->next));
    eo_promela_arc arc = {to == EO_PROPERTY_END ? to : numbers[to], c->holds, c->lacks, all};
    for (uint32_t u = 0; u < t->until_count; u++)
      if (has(&c->put_off, t->untils[u])) arc.marks &= ~(UINT64_C(1) << u);
    out->items[out->count++] = arc;
  }
}

void eo__ltl_translate(parser *p, const eo_promela_expr *e, eo_promela_property *property) {
  tableau *t = eo__front_take(p->front, sizeof *t);
  t->parser = p;
  t->at = (token){.file = property->file, .line = property->line};
  t->property = property;
  set first = {0};
  add(&first, read_formula(t, e, true));
  property->mark_count = t->until_count;
  location_of(t, &first);
  for (uint32_t i = 0; i < t->locations.count; i++) {
    cover c = {.todo = t->locations.items[i].holds};
    covers arcs = {0};
    take_apart(t, c, &arcs);
    t->locations.items[i].arcs = arcs;
    for (uint32_t k = 0; k < arcs.count; k++) location_of(t, &arcs.items[k].next);
  }
  merge(t);
  uint32_t *numbers = eo__front_take(p->front, (t->locations.count + 1) * sizeof *numbers);
  for (uint32_t i = 0; i < t->locations.count; i++)
    if (t->locations.items[i].same_as == i) numbers[i] = property->location_count++;
  property->locations = eo__front_take(p->front, (property->location_count + 1) * sizeof *property->locations);
  for (uint32_t i = 0; i < t->locations.count; i++)
    if (t->locations.items[i].same_as == i)
      put_arcs(t, &t->locations.items[i].arcs, numbers, &property->locations[numbers[i]]);
}
