/* flow.c: from the statements of a proctype to its sequences of elements. The elements, their order and their marks are
 * those that spin makes (its flow.c), since they decide which control states there are; locations.c makes those. */
#include <string.h>

#include "subjects/model/front.h"

static element *new_element(sequencer *w, element_kind kind, const token *at) {
  element *e = eo__front_take(w->front, sizeof *e);
  e->kind = kind;
  e->at = *at;
  e->number = w->next_number++;
  return e;
}

static eo_promela_transition *skip_statement(sequencer *w, const token *at) {
  eo_promela_transition *t = eo__front_take(w->front, sizeof *t);
  t->kind = EO_PROMELA_SKIP;
  t->text = "skip";
  t->file = at->file;
  t->line = at->line;
  return t;
}

void eo__flow_open(sequencer *w) {
  sequence *s = eo__front_take(w->front, sizeof *s);
  s->outer = w->open;
  w->open = s;
}

sequence *eo__flow_close(sequencer *w, const token *at) {
  sequence *s = w->open;
  if (!s->last) eo__front_fail(w->front, at, "there must be at least one statement here");
  s->extent = s->last;
  w->open = s->outer;
  return s;
}

static void append(sequence *s, element *e) {
  if (s->first)
    s->last->next = e;
  else
    s->first = e;
  s->last = e;
}

static bool special(const char *name) {
  return strncmp(name, "accept", 6) == 0 || strncmp(name, "end", 3) == 0 || strncmp(name, "progress", 8) == 0;
}

static bool labelled(const sequencer *w, const element *e, bool only_special) {
  for (uint32_t i = 0; i < w->labels.count; i++)
    if (w->labels.items[i].at == e && (!only_special || special(w->labels.items[i].name))) return true;
  return false;
}

/* A jump is no place to stay: with a label that means something, there is a skip before it that has it. */
static void add_jump(sequencer *w, element *e) {
  if (labelled(w, e, true)) {
    element *skip = new_element(w, ELEMENT_PLAIN, &e->at);
    skip->statement = skip_statement(w, &e->at);
    for (uint32_t i = w->labels.count; i-- > 0;)
      if (w->labels.items[i].at == e) {
        w->labels.items[i].at = skip;
        break;
      }
    append(w->open, skip);
  }
  append(w->open, e);
}

static bool is_else(const sequence *s) {
  return s->first->kind == ELEMENT_PLAIN && s->first->statement->kind == EO_PROMELA_ELSE;
}

/* An else is tried last. */
static void move_else(sequencer *w, node *n) {
  uint32_t at = UINT32_MAX, last = n->options.count - 1;
  for (uint32_t i = 0; i < n->options.count; i++) {
    if (!is_else(n->options.items[i])) continue;
    if (at != UINT32_MAX) eo__front_fail(w->front, &n->options.items[i]->first->at, "a second 'else' in one selection");
    at = i;
  }
  if (at == UINT32_MAX) return;
  sequence *moved = n->options.items[at];
  memmove(&n->options.items[at], &n->options.items[at + 1], (last - at) * sizeof moved);
  n->options.items[last] = moved;
}

static element *add_selection(sequencer *w, node *n) {
  element *e = new_element(w, n->kind, &n->at), *meet = new_element(w, ELEMENT_DOT, &n->at);
  move_else(w, n);
  for (uint32_t i = 0; i < n->options.count; i++) {
    front_push(w->front, &e->options, n->options.items[i]);
    append(n->options.items[i], meet);
  }
  if (n->kind == ELEMENT_DO) {
    append(w->open, meet); /* the options of a loop come together before it */
    meet = new_element(w, ELEMENT_BREAK, &n->at);
    n->breaks->at = meet;
  }
  append(w->open, e);
  append(w->open, meet);
  return e;
}

/* ---- unless ---- */

static void attach(sequencer *w, const sequence *s, sequence *escape);

/* Whatever can go on at this element, the escape comes first; so it does in escapes from inner places. */
static void attach_to(sequencer *w, element *e, sequence *escape) {
  for (uint32_t i = 0; i < e->escapes.count; i++)
    if (e->escapes.items[i] == escape) return;
  uint32_t inner = e->escapes.count;
  for (uint32_t i = 0; i < inner; i++) attach(w, e->escapes.items[i], escape);
  front_push(w->front, &e->escapes, escape);
  if (e->kind == ELEMENT_DSTEP)
    attach_to(w, e->body->first, escape); /* it is not broken off once it has begun */
  else if (e->body)
    attach(w, e->body, escape);
  for (uint32_t i = 0; i < e->options.count; i++) attach(w, e->options.items[i], escape);
}

static void attach(sequencer *w, const sequence *s, sequence *escape) {
  for (element *e = s->first; e; e = e->next) {
    attach_to(w, e, escape);
    if (e == s->extent) return;
  }
}

static element *add_unless(sequencer *w, node *n) {
  element *e = new_element(w, ELEMENT_UNLESS, &n->at), *meet = new_element(w, ELEMENT_DOT, &n->at);
  e->body = n->body;
  e->escape = n->escape;
  append(n->body, meet);
  append(n->escape, meet);
  attach(w, n->body, n->escape);
  append(w->open, e);
  append(w->open, meet);
  return e;
}

void eo__flow_add(sequencer *w, node *n, const block *s) {
  bool selects = n->kind == ELEMENT_IF || n->kind == ELEMENT_DO;
  bool several = selects || n->kind == ELEMENT_UNLESS; /* elements */
  element *e = selects ? add_selection(w, n) : several ? add_unless(w, n) : new_element(w, n->kind, &n->at);
  e->scope = s;
  if (!several) {
    e->statement = n->statement;
    e->target = n->target;
    e->breaks = n->breaks;
    e->body = n->body;
  }
  for (uint32_t i = 0; i < n->labels.count; i++) {
    label l = {n->labels.items[i].text, e, s};
    for (uint32_t k = 0; k < w->labels.count; k++)
      if (w->labels.items[k].scope == s && strcmp(w->labels.items[k].name, l.name) == 0)
        eo__front_fail(w->front, &n->labels.items[i], "there is a label '%s' in this block already", l.name);
    front_push(w->front, &w->labels, l);
  }
  if (several) return;
  if (n->kind == ELEMENT_GOTO)
    add_jump(w, e);
  else
    append(w->open, e);
}

/* ---- Atomic sequences -------------------------------------------------------------------------------------------- */

static void mark(element *from, const element *to, unsigned added) {
  for (element *e = from;; e = e->next) {
    e->status |= STATUS_ATOMIC | added;
    bool enter = e->kind == ELEMENT_BLOCK || e->kind == ELEMENT_ATOMIC || (e->kind == ELEMENT_DSTEP && added);
    if (enter) {
      e->kind = ELEMENT_BLOCK;
      mark(e->body->first, e->body->last, added);
    }
    for (uint32_t i = 0; i < e->options.count; i++) mark(e->options.items[i]->first, e->options.items[i]->last, added);
    if (e->escape) {
      mark(e->body->first, e->body->last, added);
      mark(e->escape->first, e->escape->last, added);
    }
    if (e == to) return;
  }
}

void eo__flow_atomic(sequence *s, bool dstep) {
  mark(s->first, s->last, dstep ? STATUS_DSTEP : 0);
  element *last = s->last;
  if (last->kind == ELEMENT_BLOCK || last->kind == ELEMENT_ATOMIC) {
    eo__flow_atomic(last->body, dstep);
  } else {
    last->status &= ~(unsigned)STATUS_ATOMIC;
    last->status |= STATUS_LAST;
  }
}

/* ---- Skips that change nothing ----------------------------------------------------------------------------------- */

static bool idle(const element *e) {
  return e->kind == ELEMENT_PLAIN && (e->statement->kind == EO_PROMELA_SKIP || e->statement->kind == EO_PROMELA_PRINT);
}

/* Of several skips in a row, in an option, one is left. */
void eo__flow_prune(sequencer *w, node *selection) {
  for (uint32_t i = 0; i < selection->options.count; i++) {
    sequence *s = selection->options.items[i];
    element *before = NULL;
    uint32_t row = 0;
    for (element *e = s->first; e; before = e, e = e->next) {
      if (!idle(e) || labelled(w, e, false)) {
        row = 0;
        continue;
      }
      if (++row > 1 && e->statement->kind != EO_PROMELA_PRINT && e != s->first && e != s->last) {
        before->next = e->next;
        e = before;
      }
    }
  }
}

/* ---- Jumps out of a d_step --------------------------------------------------------------------------------------- */

static bool known_target(const sequencer *w, const element *e, uint32_t from) {
  if (e->breaks) return e->breaks->at && e->breaks->at->number >= from;
  for (uint32_t i = 0; i < w->labels.count; i++)
    if (strcmp(w->labels.items[i].name, e->target) == 0 && w->labels.items[i].at->number >= from) return true;
  return false;
}

void eo__flow_local_jumps(sequencer *w, const sequence *s, uint32_t from) {
  for (const element *e = s->first; e; e = e->next) {
    if (e->kind == ELEMENT_GOTO && !known_target(w, e, from))
      eo__front_fail(w->front, &e->at, "%s leaves the d_step it is in", e->breaks ? "this break" : "this goto");
    if (e->body) eo__flow_local_jumps(w, e->body, from);
    for (uint32_t i = 0; i < e->options.count; i++) eo__flow_local_jumps(w, e->options.items[i], from);
    if (e == s->last) return;
  }
}
