/* accesses.c: what each transition reads and writes, for strategies that reduce. An array is one object, and so is a
 * struct; a channel is named by the variable that holds it. */
#include "subjects/model/front.h"

typedef FRONT_LIST(eo_promela_access) access_list;

typedef struct collector {
  compiler *front;
  access_list list;
  bool counts;
} collector;

static void add(collector *c, const eo_promela_symbol *symbol, bool writes) {
  for (uint32_t i = 0; i < c->list.count; i++)
    if (c->list.items[i].symbol == symbol) {
      c->list.items[i].writes |= writes;
      return;
    }
  eo_promela_access access = {symbol, writes};
  front_push(c->front, &c->list, access);
}

static void read_expression(collector *c, const eo_promela_expr *e);

static void add_reference(collector *c, const eo_promela_ref *ref, bool writes) {
  add(c, ref->symbol, writes);
  for (uint32_t i = 0; i < ref->index_count; i++) read_expression(c, ref->indices[i].value);
}

static void read_message(collector *c, const eo_promela_message *m) {
  for (uint32_t i = 0; i < m->count; i++) {
    if (m->fields[i].value) read_expression(c, m->fields[i].value);
    if (m->fields[i].into) add_reference(c, m->fields[i].into, true);
  }
}

static void read_expression(collector *c, const eo_promela_expr *e) {
  if (!e) return;
  if (e->ref) add_reference(c, e->ref, false);
  if (e->op == EO_PROMELA_NR_PR || e->op == EO_PROMELA_RUN || e->op == EO_PROMELA_TIMEOUT) c->counts = true;
  read_expression(c, e->a);
  read_expression(c, e->b);
  read_expression(c, e->c);
  if (e->receive) read_message(c, e->receive);
  for (uint32_t i = 0; i < e->argument_count; i++) read_expression(c, e->arguments[i]);
}

static void collect(collector *c, const eo_promela_transition *t) {
  read_expression(c, t->value);
  if (t->target) add_reference(c, t->target, true);
  if (t->message) {
    add_reference(c, t->message->channel->ref, t->kind == EO_PROMELA_SEND || !t->message->copies);
    read_message(c, t->message);
  }
  for (uint32_t i = 0; i < t->argument_count; i++) read_expression(c, t->arguments[i]);
  c->counts |= t->kind == EO_PROMELA_EXIT;
  for (uint32_t n = 0; t->dstep && n < t->dstep->count; n++)
    for (uint32_t i = 0; i < t->dstep->nodes[n].count; i++) collect(c, t->dstep->nodes[n].transitions[i]);
}

void eo__promela_accesses(compiler *f) {
  for (uint32_t i = 0; i < f->model->transition_count; i++) {
    eo_promela_transition *t = f->model->transitions[i];
    collector c = {.front = f};
    collect(&c, t);
    t->access_count = c.list.count;
    t->accesses = c.list.items;
    t->reads_counts = c.counts;
  }
}
