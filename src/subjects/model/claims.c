/* claims.c: properties as they stand in a model: ltl blocks, never claims, and what accept and progress labels stand for. They
 * are read when everything else has been, so that they can speak of any process, label and variable. */
#include <stdio.h>
#include <string.h>

#include "subjects/model/parse.h"
#include "subjects/model/property.h"
#include "subjects/model/trace.h"

uint32_t eo__property_fact(parser *p, eo_promela_property *property, const eo_promela_expr *fact) {
  const char *text = eo__promela_expression_text(p->front, fact);
  for (uint32_t i = 0; i < property->fact_count; i++)
    if (strcmp(eo__promela_expression_text(p->front, property->facts[i]), text) == 0) return i;
  token at = {.file = property->file, .line = property->line};
  if (property->fact_count == EO_PROPERTY_MOST_FACTS)
    eo__front_fail(p->front, &at, "the property '%s' asks for more than %d conditions", property->name,
                   EO_PROPERTY_MOST_FACTS);
  property->facts[property->fact_count] = fact;
  return property->fact_count++;
}

static eo_promela_property *new_property(parser *p, const token *at, const char *name, const char *text) {
  eo_promela_property *made = eo__front_take(p->front, sizeof *made);
  made->name = name;
  made->text = text;
  made->file = at->file;
  made->line = at->line;
  made->facts = eo__front_take(p->front, EO_PROPERTY_MOST_FACTS * sizeof *made->facts);
  for (uint32_t i = 0; i < p->properties.count; i++)
    if (strcmp(p->properties.items[i]->name, name) == 0)
      eo__front_fail(p->front, at, "there is a property '%s' already", name);
  front_push(p->front, &p->properties, made);
  return made;
}

/* "never_0", as spin calls what has no name. */
static const char *numbered(parser *p, const char *kind) {
  char name[EO_PROMELA_NAME];
  uint32_t number = 0, length;
  for (uint32_t i = 0; i < p->properties.count; i++)
    if (strncmp(p->properties.items[i]->name, kind, strlen(kind)) == 0) number++;
  length = (uint32_t)snprintf(name, sizeof name, "%s_%u", kind, number);
  return eo__front_text(p->front, name, length);
}

/* ---- What only properties say ---------------------------------------------------------------------------------- */

const eo_promela_proctype *eo__parse_remote_of(parser *p) {
  const token *t = eo__parse_peek(p, 0);
  if (t->kind != TOKEN_NAME || eo__parse_find(p, t->text)) return NULL;
  for (uint32_t i = 0; i < p->proctypes.count; i++)
    if (strcmp(p->proctypes.items[i]->name, t->text) == 0) return p->proctypes.items[i];
  return NULL;
}

void eo__parse_note_spoken(parser *p, const tokens *all) {
  for (size_t i = 1; i + 1 < all->count; i++) {
    size_t depth = 0, at = i - 1;
    if (strcmp(all->items[i].text, "@") != 0 || all->items[i + 1].kind != TOKEN_NAME) continue;
    do {
      depth += strcmp(all->items[at].text, "]") == 0;
      depth -= depth && strcmp(all->items[at].text, "[") == 0;
    } while ((depth || strcmp(all->items[at].text, "[") == 0) && at--);
    if (at < i) front_push(p->front, &p->spoken, ((spoken_label){all->items[at].text, all->items[i + 1].text}));
  }
}

bool eo__parse_is_spoken(const parser *p, const char *name) {
  for (uint32_t i = 0; i < p->spoken.count; i++)
    if (strcmp(p->spoken.items[i].label, name) == 0 &&
        strcmp(p->spoken.items[i].proctype, p->flow->proctype->name) == 0)
      return true;
  return false;
}

/* P@label, P[pid]@label, P:x, P[pid]:x */
eo_promela_expr *eo__parse_remote(parser *p, const eo_promela_proctype *of) {
  token at = eo__parse_take(p);
  eo_promela_expr *e = eo__parse_new(p, &at, EO_PROMELA_REMOTE);
  e->name = of->name;
  e->proctype = of->number;
  if (eo__parse_accept(p, "[")) {
    e->a = eo__parse_expression(p);
    eo__parse_expect(p, "]", "a reference to another process");
  }
  if (!eo__parse_accept(p, "@")) {
    block *names = eo__front_take(p->front, sizeof *names), *outside = p->scope;
    eo__parse_expect(p, ":", "a reference to another process");
    names->symbols.items = of->symbols;
    names->symbols.count = of->symbol_count;
    p->scope = names;
    e->ref = eo__parse_scalar(p);
    p->scope = outside;
    return e;
  }
  token place = eo__parse_name(p, "the name of a label");
  e->op = EO_PROMELA_AT_LABEL;
  e->label = place.text;
  for (uint32_t i = 0; i < of->label_count; i++)
    if (strcmp(of->labels[i].name, place.text) == 0) {
      e->value = (int32_t)of->labels[i].location;
      return e;
    }
  eo__front_fail(p->front, &place, "there is no label '%s' in '%s'", place.text, of->name);
}

/* [] and <> come as two symbols. CONST: none of them. */
eo_promela_op eo__parse_temporal_prefix(parser *p) {
  static const struct {
    const char *first, *second;
    eo_promela_op op;
  } prefixes[] = {{"[", "]", EO_PROMELA_ALWAYS},       {"<", ">", EO_PROMELA_EVENTUALLY},
                  {"always", NULL, EO_PROMELA_ALWAYS}, {"eventually", NULL, EO_PROMELA_EVENTUALLY},
                  {"X", NULL, EO_PROMELA_NEXT},        {"next", NULL, EO_PROMELA_NEXT}};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    if (!eo__parse_is(p, prefixes[i].first) || (prefixes[i].second && !eo__parse_is_at(p, 1, prefixes[i].second)))
      continue;
    eo__parse_take(p);
    if (prefixes[i].second) eo__parse_take(p);
    return prefixes[i].op;
  }
  return EO_PROMELA_CONST;
}

/* ---- Blocks ---------------------------------------------------------------------------------------------------------------- */

/* Where an ltl block or a never claim begins: what is in it is left for later. */
void eo__parse_claim_later(parser *p) {
  stream *kept = eo__front_take(p->front, sizeof *kept);
  token open = eo__parse_take(p);
  size_t start = p->in->at - 1, depth = 0;
  while (!eo__parse_is(p, "{")) {
    if (eo__parse_take(p).kind == TOKEN_END) eo__front_fail(p->front, &open, "'{' is missing behind '%s'", open.text);
  }
  do {
    token t = eo__parse_take(p);
    if (t.kind == TOKEN_END) eo__front_fail(p->front, &open, "this %s has no end", open.text);
    if (t.kind == TOKEN_SYMBOL) depth += (strcmp(t.text, "{") == 0) - (size_t)(strcmp(t.text, "}") == 0);
  } while (depth);
  *kept = (stream){p->in->items + start, p->in->at - start, 0, p->in};
  front_push(p->front, &p->claims, kept);
}

static bool has_next(const eo_promela_expr *e) {
  return e && (e->op == EO_PROMELA_NEXT || has_next(e->a) || has_next(e->b) || has_next(e->c));
}

static void read_ltl(parser *p) {
  token at = eo__parse_take(p);
  const char *name = eo__parse_is(p, "{") ? NULL : eo__parse_name(p, "the name of the formula").text;
  eo__parse_expect(p, "{", "an ltl formula");
  p->temporal = true;
  eo_promela_expr *formula = eo__parse_expression(p);
  p->temporal = false;
  eo__parse_expect(p, "}", "the end of an ltl formula");
  eo_promela_property *made =
      new_property(p, &at, name ? name : numbered(p, "ltl"), eo__promela_expression_text(p->front, formula));
  made->next = has_next(formula);
  eo__ltl_translate(p, formula, made);
}

/* ---- Never claims ----------------------------------------------------------------------------------------------------------- */

static uint64_t fact_bit(parser *p, eo_promela_property *made, const eo_promela_expr *e) {
  return UINT64_C(1) << eo__property_fact(p, made, e);
}

/* A place of the claim's code becomes arcs; a location is numbered as the code has it, and the first is where it begins. */
typedef struct claim {
  parser *parser;
  const eo_promela_proctype *code;
  eo_promela_property *property;
  FRONT_LIST(eo_promela_arc) arcs;
} claim;

static uint32_t target(const claim *c, uint32_t to) {
  const eo_promela_location *l = &c->code->locations[to];
  bool ends = l->end || (l->count && l->transitions[0]->kind == EO_PROMELA_EXIT);
  return ends ? EO_PROPERTY_END : to == c->code->start ? 0 : to == 0 ? c->code->start : to;
}

/* Beside which there is no else. */
static bool always(const eo_promela_transition *t) {
  if (t->kind == EO_PROMELA_CONDITION) return t->value->op == EO_PROMELA_CONST && t->value->value;
  return t->kind != EO_PROMELA_ELSE;
}

static void add_arcs(claim *c, uint32_t from, eo_promela_arc before, uint32_t depth);

/* One statement of the claim, behind those of `before` in the same atomic sequence: what they ask for holds of the same state. */
static void add_arc(claim *c, const eo_promela_transition *t, eo_promela_arc before, uint64_t others, uint32_t depth) {
  eo_promela_arc arc = before;
  switch (t->kind) {
    case EO_PROMELA_SKIP:
    case EO_PROMELA_PRINT: break;
    case EO_PROMELA_ELSE: arc.lacks |= others; break;
    case EO_PROMELA_CONDITION:
      if (t->value->op == EO_PROMELA_CONST && !t->value->value) return;
      if (t->value->op != EO_PROMELA_CONST) arc.holds |= fact_bit(c->parser, c->property, t->value);
      break;
    case EO_PROMELA_ASSERT: { /* where the assertion does not hold, the claim has found what it looks for */
      uint64_t fact = fact_bit(c->parser, c->property, t->value);
      eo_promela_arc violated = {EO_PROPERTY_END, before.holds, before.lacks | fact, before.marks};
      if (!(violated.holds & violated.lacks)) front_push(c->parser->front, &c->arcs, violated);
      arc.holds |= fact;
      break;
    }
    default: {
      token at = {.file = t->file, .line = t->line};
      eo__front_fail(c->parser->front, &at,
                     "'%.60s' is no condition: a never claim only looks at the states of a model", t->text);
    }
  }
  arc.to = target(c, t->to);
  if (arc.holds & arc.lacks) return; /* no state is like that */
  if (t->atomic && arc.to != EO_PROPERTY_END)
    add_arcs(c, t->to, arc, depth + 1);
  else
    front_push(c->parser->front, &c->arcs, arc);
}

static void add_arcs(claim *c, uint32_t from, eo_promela_arc before, uint32_t depth) {
  const eo_promela_location *l = &c->code->locations[from];
  uint64_t others = 0;
  bool no_else = false;
  token at = {.file = c->code->file, .line = c->code->line};
  if (depth > c->code->location_count)
    eo__front_fail(c->parser->front, &at, "an atomic sequence of this claim contains a cycle");
  if (l->accept) before.marks = 1;
  for (uint32_t i = 0; i < l->count; i++) {
    const eo_promela_transition *t = l->transitions[i];
    no_else |= always(t);
    if (t->kind == EO_PROMELA_CONDITION && t->value->op != EO_PROMELA_CONST)
      others |= fact_bit(c->parser, c->property, t->value);
  }
  for (uint32_t i = 0; i < l->count; i++) {
    const eo_promela_transition *t = l->transitions[i];
    if (t->kind != EO_PROMELA_EXIT && (t->kind != EO_PROMELA_ELSE || !no_else)) add_arc(c, t, before, others, depth);
  }
}

static void make_arcs(claim *c, uint32_t from, eo_promela_arcs *out) {
  memset(&c->arcs, 0, sizeof c->arcs);
  add_arcs(c, from, (eo_promela_arc){0}, 0);
  *out = (eo_promela_arcs){c->arcs.count, c->arcs.items};
}

static void read_never(parser *p) {
  token at = eo__parse_take(p);
  const char *name =
      eo__parse_is(p, "{") ? numbered(p, "never") : eo__parse_name(p, "the name of the never claim").text;
  eo_promela_proctype *code = eo__front_take(p->front, sizeof *code);
  *code = (eo_promela_proctype){.name = name, .frame = HEAD, .file = at.file, .line = at.line};
  eo__parse_code(p, code);
  if (code->symbol_count)
    eo__front_fail(p->front, &at,
                   "a never claim with variables of its own is not supported; see doc/models.md for what is");
  eo_promela_property *made = new_property(p, &at, name, "the never claim");
  claim c = {.parser = p, .code = code, .property = made};
  made->mark_count = 1;
  made->next = made->labels = true;
  made->location_count = code->location_count;
  made->locations = eo__front_take(p->front, (code->location_count + 1) * sizeof *made->locations);
  if (code->location_count > EO_PROPERTY_MOST_LOCATIONS)
    eo__front_fail(p->front, &at, "a never claim of more than %d places", EO_PROPERTY_MOST_LOCATIONS);
  for (uint32_t i = 0; i < code->location_count; i++)
    make_arcs(&c, i == 0 ? code->start : i == code->start ? 0 : i, &made->locations[i]);
}

/* ---- What labels stand for ---------------------------------------------------------------------------------------------------- */

static eo_promela_arcs arcs(parser *p, uint32_t count, const eo_promela_arc *from) {
  eo_promela_arcs made = {count, eo__front_take(p->front, count * sizeof *from)};
  memcpy(made.items, from, count * sizeof *from);
  return made;
}

/* No execution goes through accept labels for ever. */
static void add_acceptance(parser *p, const token *at) {
  static const eo_promela_arc loop = {.to = 0};
  eo_promela_property *made = new_property(p, at, "acceptance", "accept labels");
  made->asked = made->labels = true;
  made->mark_count = made->location_count = 1;
  made->locations = eo__front_take(p->front, sizeof *made->locations);
  made->locations[0] = arcs(p, 1, &loop);
}

/* No execution goes on for ever without progress labels: <>[] np_ never holds. Of one that ends nothing is said, as by pan. */
static void add_progress(parser *p, const token *at) {
  static const eo_promela_arc before[] = {{.to = 0}, {.to = 1, .holds = 1}}, after = {.to = 1, .holds = 1, .marks = 1};
  eo_promela_property *made = new_property(p, at, "progress", "progress labels");
  made->asked = made->moving = true;
  made->mark_count = 1;
  made->location_count = 2;
  made->locations = eo__front_take(p->front, 2 * sizeof *made->locations);
  made->locations[0] = arcs(p, 2, before);
  made->locations[1] = arcs(p, 1, &after);
  eo_promela_expr *np = eo__front_take(p->front, sizeof *np);
  *np = (eo_promela_expr){.op = EO_PROMELA_NP, .file = at->file, .line = at->line};
  eo__property_fact(p, made, np);
}

void eo__parse_claims(parser *p, const token *at) {
  for (uint32_t i = 0; i < p->claims.count; i++) {
    p->in = p->claims.items[i];
    p->claiming = true;
    if (eo__parse_is(p, "ltl"))
      read_ltl(p);
    else if (eo__parse_is(p, "never"))
      read_never(p);
    else
      eo__trace_read(p);
    p->claiming = false;
  }
  token first = {.file = at->file, .line = 1};
  add_acceptance(p, &first);
  add_progress(p, &first);
}
