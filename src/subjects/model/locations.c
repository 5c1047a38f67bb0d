/* locations.c: from the elements of a proctype to its locations and transitions, as spin and then pan do it (pangen2.c of
 * spin; retrans in pan): a location is an element, selections have the first transitions of their options, jumps are
 * passed over, but not where that would leave an atomic sequence unseen. */
#include <string.h>

#include "subjects/model/front.h"

enum { MOST_HOPS = 500, MOST_TRANSITIONS = 4095 }; /* of a chain of jumps; at one location */

typedef FRONT_LIST(eo_promela_transition *) transition_list;

/* Labels that mean something, by the beginning of their names. */
enum { LABEL_END = 1, LABEL_ACCEPT = 2, LABEL_PROGRESS = 4 };

/* A location on the way: either one transition, or a list of the locations whose transitions it has. */
typedef struct raw {
  eo_promela_transition *own;
  FRONT_LIST(uint32_t) escapes; /* locations, from the innermost on */
  FRONT_LIST(uint32_t) from;    /* locations */
  bool selects;
  bool dot;
} raw;

typedef struct builder {
  sequencer *flow;
  compiler *front;
  raw *raws;
  unsigned char *labels; /* LABEL_ bits, by location */
  uint32_t count;
} builder;

static bool within(const block *inner, const block *outer) {
  for (; inner; inner = inner->outer)
    if (inner == outer) return true;
  return false;
}

/* The label in this block; else in one around it; else anywhere in the proctype. */
static element *target_of(builder *b, const element *jump) {
  if (jump->breaks) return jump->breaks->at;
  const label *found = NULL;
  bool around = false;
  for (uint32_t i = b->flow->labels.count; i-- > 0;) {
    const label *l = &b->flow->labels.items[i];
    if (strcmp(l->name, jump->target) != 0) continue;
    if (l->scope == jump->scope) return l->at;
    bool outer = within(jump->scope, l->scope);
    if (!found || (outer && !around)) found = l;
    around |= outer;
  }
  if (!found) eo__front_fail(b->front, &jump->at, "there is no label '%s' in this proctype", jump->target);
  return found->at;
}

static void check_dsteps(builder *b, const element *jump, const element *to) {
  if ((jump->status & STATUS_DSTEP) != (to->status & STATUS_DSTEP))
    eo__front_fail(b->front, &jump->at, "this goto leads into a d_step");
}

/* Where a step that leads to e ends up. From inside an atomic sequence it stops before it would be outside. */
static element *hunt(builder *b, element *e, unsigned status) {
  for (int hops = 0; hops < MOST_HOPS; hops++) {
    element *next;
    if (e->kind == ELEMENT_GOTO) {
      next = target_of(b, e);
      check_dsteps(b, e, next);
    } else if (e->kind == ELEMENT_DOT || e->kind == ELEMENT_BREAK) {
      if (!e->next) return e;
      next = e->next;
    } else if (e->kind == ELEMENT_UNLESS) {
      e = e->body->first; /* which has its marks */
      continue;
    } else {
      return e;
    }
    if ((status & STATUS_ATOMIC) && !(next->status & STATUS_ATOMIC)) return e;
    e = next;
  }
  eo__front_fail(b->front, &e->at, "these jumps go round in a circle");
}

static element *hunt_start(element *e) {
  while ((e->kind == ELEMENT_DOT && e->next) || e->kind == ELEMENT_UNLESS)
    e = e->kind == ELEMENT_UNLESS ? e->body->first : e->next;
  return e;
}

/* ---- The inside of a d_step -------------------------------------------------------------------------------------- */

typedef struct digger {
  builder *builder;
  const element *end; /* behind it */
  FRONT_LIST(element *) nodes;
} digger;

static uint32_t dig_to(digger *d, element *e) {
  for (int hops = 0; hops < MOST_HOPS; hops++) {
    if (!e || e == d->end) return EO_PROMELA_DSTEP_END;
    if (e->kind == ELEMENT_GOTO)
      e = target_of(d->builder, e);
    else if (e->kind == ELEMENT_DOT || e->kind == ELEMENT_BREAK)
      e = e->next;
    else
      break;
  }
  for (uint32_t i = 0; i < d->nodes.count; i++)
    if (d->nodes.items[i] == e) return i;
  front_push(d->builder->front, &d->nodes, e);
  return d->nodes.count - 1;
}

static void dig_transitions(digger *d, element *e, transition_list *out) {
  compiler *f = d->builder->front;
  e = hunt_start(e);
  if (e->kind == ELEMENT_BLOCK || e->kind == ELEMENT_ATOMIC || e->kind == ELEMENT_DSTEP) {
    e->body->last->next = e->next;
    dig_transitions(d, e->body->first, out);
    return;
  }
  for (uint32_t i = 0; i < e->options.count; i++) dig_transitions(d, e->options.items[i]->first, out);
  if (e->options.count) return;
  eo_promela_transition *t = eo__front_take(f, sizeof *t);
  if (e->kind == ELEMENT_PLAIN) *t = *e->statement;
  t->file = e->at.file;
  t->line = e->at.line;
  t->to = dig_to(d, e->kind == ELEMENT_GOTO ? target_of(d->builder, e) : e->next);
  front_push(f, out, t);
}

/* Blocks tie their ends to what follows them, so that paths lead out of them. */
static void tie(element *e, const element *last) {
  for (;; e = e->next) {
    if (e->body) {
      e->body->last->next = e->next;
      tie(e->body->first, e->body->last);
    }
    for (uint32_t i = 0; i < e->options.count; i++) tie(e->options.items[i]->first, e->options.items[i]->last);
    if (e == last) return;
  }
}

static eo_promela_dstep *dig(builder *b, element *e) {
  digger d = {.builder = b, .end = e->next};
  FRONT_LIST(eo_promela_dnode) nodes = {0};
  tie(e->body->first, e->body->last);
  front_push(b->front, &d.nodes, e->body->first);
  for (uint32_t i = 0; i < d.nodes.count; i++) {
    transition_list list = {0};
    dig_transitions(&d, d.nodes.items[i], &list);
    eo_promela_dnode made = {list.count, list.items};
    front_push(b->front, &nodes, made);
  }
  eo_promela_dstep *dstep = eo__front_take(b->front, sizeof *dstep);
  *dstep = (eo_promela_dstep){nodes.count, nodes.items};
  return dstep;
}

/* ---- Elements into raw locations --------------------------------------------------------------------------------- */

/* Jumps that leave their atomic sequence end it; those that lead into another keep the floor. */
static void patch_jumps(builder *b, sequence *s) {
  const unsigned inside = STATUS_ATOMIC | STATUS_LAST;
  for (element *e = s->first; e; e = e->next) {
    if (e->kind == ELEMENT_GOTO) {
      element *to = target_of(b, e);
      check_dsteps(b, e, to);
      if ((e->status & inside) && !(to->status & inside))
        e->status = (e->status & ~(unsigned)STATUS_ATOMIC) | STATUS_LAST;
      if ((e->status & STATUS_LAST) && (to->status & inside))
        e->status = (e->status & ~(unsigned)STATUS_LAST) | STATUS_ATOMIC;
    }
    for (uint32_t i = 0; i < e->options.count; i++) patch_jumps(b, e->options.items[i]);
    if (e->escape) {
      patch_jumps(b, e->body);
      patch_jumps(b, e->escape);
    }
    if (e == s->extent) return;
  }
}

static eo_promela_transition *place(builder *b, const element *e, const eo_promela_transition *statement) {
  eo_promela_transition *t = eo__front_take(b->front, sizeof *t);
  if (statement) *t = *statement;
  if (!statement) t->text = e->kind == ELEMENT_GOTO ? (e->breaks ? "break" : "goto") : "(goto)";
  t->file = e->at.file;
  t->line = e->at.line;
  t->number = e->number; /* until all transitions of the model are numbered */
  t->atomic = e->status & STATUS_ATOMIC;
  return t;
}

static void put_sequence(builder *b, sequence *s);

static void put_body(builder *b, element *e) {
  sequence *s = e->body;
  raw *r = &b->raws[e->number];
  patch_jumps(b, s);
  s->last->next = e->next;
  if (e->kind == ELEMENT_DSTEP) {
    eo_promela_transition *t = place(b, e, NULL);
    t->kind = EO_PROMELA_DSTEP;
    t->text = "d_step";
    t->dstep = dig(b, e);
    t->to = e->next ? hunt(b, e->next, e->status)->number : 0;
    r->own = t;
    return;
  }
  r->selects = true;
  front_push(b->front, &r->from, hunt_start(s->first)->number);
  put_sequence(b, s);
}

static void put_plain(builder *b, element *e) {
  eo_promela_transition *t = place(b, e, e->kind == ELEMENT_PLAIN ? e->statement : NULL);
  if (e->kind == ELEMENT_GOTO)
    t->to = hunt(b, target_of(b, e), e->status)->number;
  else
    t->to = e->next ? hunt(b, e->next, e->status)->number : 0;
  b->raws[e->number].own = t;
  b->raws[e->number].dot = e->kind == ELEMENT_DOT;
}

static void put_escapes(builder *b, element *e) {
  raw *r = &b->raws[e->number];
  if (!r->own || r->dot) return;
  for (uint32_t i = 0; i < e->escapes.count; i++) {
    front_push(b->front, &r->escapes, hunt(b, e->escapes.items[i]->first, e->status)->number);
    put_sequence(b, e->escapes.items[i]);
  }
}

static bool never(const element *e) {
  if (e->kind != ELEMENT_PLAIN || e->statement->kind != EO_PROMELA_CONDITION || e->escapes.count) return false;
  return e->statement->value->op == EO_PROMELA_CONST && e->statement->value->value == 0;
}

static void put_sequence(builder *b, sequence *s) {
  for (element *e = s->first; e; e = e->next) {
    if (!e->done) {
      e->done = true;
      raw *r = &b->raws[e->number];
      for (uint32_t i = 0; i < e->options.count; i++) {
        element *start = hunt_start(e->options.items[i]->first);
        if (!never(start)) front_push(b->front, &r->from, start->number);
      }
      r->selects = e->options.count > 0;
      for (uint32_t i = 0; i < e->options.count; i++) put_sequence(b, e->options.items[i]);
      if (e->escape)
        put_sequence(b, e->body);
      else if (e->body)
        put_body(b, e);
      else if (!e->options.count)
        put_plain(b, e);
      put_escapes(b, e);
    }
    if (e == s->last) return;
  }
}

/* ---- Raw locations into locations -------------------------------------------------------------------------------- */

static bool selects(const builder *b, uint32_t location) {
  return b->raws[location].selects && b->raws[location].from.count;
}

/* A selection whose options begin with selections has the options of those. */
static void unfold(builder *b) {
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 1; i < b->count; i++) {
      raw *r = &b->raws[i];
      bool nested = false;
      for (uint32_t k = 0; k < r->from.count; k++) nested |= selects(b, r->from.items[k]);
      if (!nested) continue;
      FRONT_LIST(uint32_t) from = {0};
      for (uint32_t k = 0; k < r->from.count; k++) {
        uint32_t option = r->from.items[k];
        const raw *inner = &b->raws[option];
        if (!selects(b, option)) front_push(b->front, &from, option);
        for (uint32_t m = 0; selects(b, option) && m < inner->from.count; m++) {
          front_push(b->front, &from, inner->from.items[m]);
          b->labels[inner->from.items[m]] |= b->labels[option];
        }
      }
      r->from.items = from.items;
      r->from.count = from.count;
      r->from.capacity = from.capacity;
      again = true;
    }
  }
}

static void make_location(builder *b, uint32_t number, eo_promela_location *location) {
  raw *r = &b->raws[number];
  transition_list list = {0};
  if (!r->selects && r->own) front_push(b->front, &list, r->own);
  for (uint32_t i = 0; i < r->from.count; i++) {
    const eo_promela_transition *first = b->raws[r->from.items[i]].own;
    if (!first) continue; /* a selection without options that can ever be taken */
    eo_promela_transition *copy = eo__front_take(b->front, sizeof *copy);
    *copy = *first;
    b->labels[copy->to] |= b->labels[r->from.items[i]];
    front_push(b->front, &list, copy);
  }
  location->count = list.count;
  location->transitions = list.items;
}

/* What an escape begins with, before all that the location has: once. */
static void add_escape(builder *b, const eo_promela_location *all, uint32_t from, transition_list *out) {
  transition_list list = {0};
  for (uint32_t i = 0; i < all[from].count; i++) {
    eo_promela_transition *first = all[from].transitions[i];
    bool there = false;
    for (uint32_t k = 0; k < out->count; k++) there |= out->items[k]->number == first->number;
    if (there) continue;
    eo_promela_transition *copy = eo__front_take(b->front, sizeof *copy);
    *copy = *first;
    copy->escape = from;
    front_push(b->front, &list, copy);
  }
  for (uint32_t i = 0; i < out->count; i++) front_push(b->front, &list, out->items[i]);
  *out = list;
}

/* Escapes come before all else that can be done at a location, the outermost first; they are those of all its options. In the
 * order of locations, as in pan: what an escape begins with may have escapes of its own by then. */
static void add_escapes(builder *b, eo_promela_location *all, uint32_t number) {
  const raw *r = &b->raws[number];
  transition_list list = {0};
  for (uint32_t i = 0; i < all[number].count; i++) front_push(b->front, &list, all[number].transitions[i]);
  uint32_t options = r->selects ? r->from.count : 1;
  for (uint32_t i = 0; i < options; i++) {
    const raw *of = r->selects ? &b->raws[r->from.items[i]] : r;
    for (uint32_t k = 0; k < of->escapes.count; k++) add_escape(b, all, of->escapes.items[k], &list);
  }
  all[number].count = list.count;
  all[number].transitions = list.items;
}

static void check_location(builder *b, uint32_t number, const eo_promela_location *location) {
  uint32_t elses = 0;
  for (uint32_t i = 0; i < location->count; i++) {
    const eo_promela_transition *t = location->transitions[i];
    token at = {.file = t->file, .line = t->line};
    if (t->kind == EO_PROMELA_ELSE && ++elses > 1)
      eo__front_fail(b->front, &at, "two 'else' meet here: an option of the selection begins with another selection");
    if (t->kind == EO_PROMELA_SKIP && !b->flow->claim && t->to == number && strcmp(t->text, "skip") == 0)
      eo__front_fail(b->front, &at, "a loop that does nothing but skip");
    if (location->count > MOST_TRANSITIONS) eo__front_fail(b->front, &at, "more than %d options", MOST_TRANSITIONS);
  }
}

static unsigned char label_bits(const char *name) {
  if (strncmp(name, "end", 3) == 0) return LABEL_END;
  if (strncmp(name, "accept", 6) == 0) return LABEL_ACCEPT;
  return strncmp(name, "progress", 8) == 0 ? LABEL_PROGRESS : 0;
}

void eo__flow_finish(sequencer *w, sequence *body) {
  compiler *f = w->front;
  eo_promela_proctype *p = w->proctype;
  builder b = {.flow = w, .front = f, .count = w->next_number};
  b.raws = eo__front_take(f, b.count * sizeof *b.raws);
  b.labels = eo__front_take(f, b.count * sizeof *b.labels);
  p->label_count = w->labels.count;
  p->labels = eo__front_take(f, (w->labels.count + 1) * sizeof *p->labels);
  for (uint32_t i = 0; i < w->labels.count; i++) {
    const label *l = &w->labels.items[i];
    b.labels[l->at->number] |= label_bits(l->name);
    p->labels[i] = (eo_promela_label){l->name, l->at->number};
  }
  b.labels[body->last->number] |= LABEL_END;
  put_sequence(&b, body);
  unfold(&b);
  p->location_count = b.count;
  p->locations = eo__front_take(f, b.count * sizeof *p->locations);
  for (uint32_t i = 1; i < b.count; i++) make_location(&b, i, &p->locations[i]);
  for (uint32_t i = 1; i < b.count; i++) add_escapes(&b, p->locations, i);
  for (uint32_t i = 1; i < b.count; i++)
    if (b.raws[i].dot) b.labels[b.raws[i].own->to] |= b.labels[i];
  for (uint32_t i = 1; i < b.count; i++) {
    p->locations[i].end = b.labels[i] & LABEL_END;
    p->locations[i].accept = b.labels[i] & LABEL_ACCEPT;
    p->locations[i].progress = b.labels[i] & LABEL_PROGRESS;
    check_location(&b, i, &p->locations[i]);
  }
  p->start = hunt(&b, body->first, body->first->status)->number;
}
