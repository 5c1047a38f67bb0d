/* footprint.c: see footprint.h. Made once for each process, when it is first asked for. */
#include "subjects/model/footprint.h"

#include <string.h>

#include "base/alloc.h"

typedef struct maker {
  eo__feet *feet;
  eo_promela_run *run;
  uint32_t process;
} maker;

static void set(uint64_t *bits, uint32_t bit) { bits[bit / 64 % EO__FOOT_WORDS] |= UINT64_C(1) << bit % 64; }

static uint32_t global_number(const eo_promela *model, const eo_promela_symbol *symbol) {
  uint32_t number = 0;
  while (number < model->symbol_count && model->symbols[number] != symbol) number++;
  return number;
}

/* ---- Expressions ------------------------------------------------------------------------------------------------------ */

static bool by_pid(const eo_promela_expr *e) {
  if (!e || e->op == EO_PROMELA_CONST || e->op == EO_PROMELA_PID) return true;
  if (e->op == EO_PROMELA_VAR || e->op == EO_PROMELA_NR_PR || e->op == EO_PROMELA_TIMEOUT || e->op >= EO_PROMELA_LEN)
    return false;
  return by_pid(e->a) && by_pid(e->b) && by_pid(e->c);
}

/* The channels that a variable may hold. */
static void add_channels(maker *m, const eo_promela_ref *ref, uint64_t *bits) {
  const eo_promela_symbol *symbol = ref->symbol;
  if (!ref->global || !symbol->queue || m->feet->assigned[global_number(m->run->model, symbol)]) {
    memset(bits, 0xff, EO__FOOT_WORDS * sizeof *bits);
    return;
  }
  const unsigned char *at = m->run->state + EO_PROMELA_GLOBALS_AT + symbol->offset;
  bool one = ref->index_count == 0;
  int32_t element = 0;
  if (ref->index_count == 1 && by_pid(ref->indices[0].value)) {
    bool failed = m->run->failed;
    element = eo_promela_evaluate(m->run, m->process, ref->indices[0].value);
    one = !m->run->failed && element >= 0 && (uint32_t)element < symbol->count;
    m->run->failed = failed;
  }
  for (uint32_t i = 0; i < symbol->count; i++) {
    if (one && i != (uint32_t)element) continue;
    uint32_t channel = (uint32_t)eo__promela_read(symbol->cell, at + (size_t)i * symbol->stride);
    if (channel) set(bits, channel - 1);
  }
}

static void add_expression(maker *m, const eo_promela_expr *e, eo__foot *foot);

static void add_reference(maker *m, const eo_promela_ref *ref, bool writes, eo__foot *foot) {
  if (ref->global) set(writes ? foot->writes : foot->reads, global_number(m->run->model, ref->symbol));
  for (uint32_t i = 0; i < ref->index_count; i++) add_expression(m, ref->indices[i].value, foot);
}

static void add_fields(maker *m, const eo_promela_message *message, eo__foot *foot) {
  for (uint32_t i = 0; i < message->count; i++) {
    add_expression(m, message->fields[i].value, foot);
    if (message->fields[i].into) add_reference(m, message->fields[i].into, true, foot);
  }
}

static void add_expression(maker *m, const eo_promela_expr *e, eo__foot *foot) {
  if (!e) return;
  if (e->op >= EO_PROMELA_LEN && e->op <= EO_PROMELA_POLL && e->a && e->a->ref) add_channels(m, e->a->ref, foot->looks);
  if (e->op == EO_PROMELA_NR_PR) foot->counts = true;
  if (e->op == EO_PROMELA_RUN) foot->runs = true;
  if (e->ref) add_reference(m, e->ref, false, foot);
  if (e->receive) add_fields(m, e->receive, foot);
  add_expression(m, e->a, foot);
  add_expression(m, e->b, foot);
  add_expression(m, e->c, foot);
  for (uint32_t i = 0; i < e->argument_count; i++) add_expression(m, e->arguments[i], foot);
}

static void add_transition(maker *m, const eo_promela_transition *t, eo__foot *foot) {
  add_expression(m, t->value, foot);
  if (t->target) add_reference(m, t->target, true, foot);
  if (t->message) {
    add_reference(m, t->message->channel->ref, false, foot);
    add_fields(m, t->message, foot);
    add_channels(m, t->message->channel->ref, t->kind == EO_PROMELA_SEND ? foot->sends : foot->receives);
    foot->sorts |= t->kind == EO_PROMELA_SEND && t->message->ordered;
  }
  for (uint32_t i = 0; i < t->argument_count; i++) add_expression(m, t->arguments[i], foot);
  foot->ends |= t->kind == EO_PROMELA_EXIT;
  for (uint32_t n = 0; t->dstep && n < t->dstep->count; n++)
    for (uint32_t i = 0; i < t->dstep->nodes[n].count; i++) add_transition(m, t->dstep->nodes[n].transitions[i], foot);
}

/* ---- A process --------------------------------------------------------------------------------------------------------- */

static bool join(eo__foot *into, const eo__foot *from) {
  bool more = false;
  for (int w = 0; w < EO__FOOT_WORDS; w++) {
    more |= (from->reads[w] & ~into->reads[w]) != 0;
    into->reads[w] |= from->reads[w];
    more |= (from->writes[w] & ~into->writes[w]) != 0;
    into->writes[w] |= from->writes[w];
    more |= (from->sends[w] & ~into->sends[w]) != 0;
    into->sends[w] |= from->sends[w];
    more |= (from->receives[w] & ~into->receives[w]) != 0;
    into->receives[w] |= from->receives[w];
    more |= (from->looks[w] & ~into->looks[w]) != 0;
    into->looks[w] |= from->looks[w];
  }
  more |= from->sorts && !into->sorts;
  into->sorts |= from->sorts;
  more |= from->runs && !into->runs;
  into->runs |= from->runs;
  more |= from->counts && !into->counts;
  into->counts |= from->counts;
  more |= from->ends && !into->ends;
  into->ends |= from->ends;
  return more;
}

static void make(maker *m, struct eo__feet_of *of) {
  const eo_promela_proctype *p = of->proctype;
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t k = 0; k < p->locations[l].count; k++)
      add_transition(m, p->locations[l].transitions[k], &of->now[p->locations[l].transitions[k]->number]);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t l = p->location_count; l-- > 0;)
      for (uint32_t k = 0; k < p->locations[l].count; k++) {
        const eo_promela_transition *t = p->locations[l].transitions[k];
        again |= join(&of->future[l], &of->now[t->number]);
        if (t->kind == EO_PROMELA_EXIT) continue;
        again |= join(&of->future[l], &of->future[t->to]);
        for (uint32_t i = 0; t->atomic && i < p->locations[t->to].count; i++)
          again |= join(&of->now[t->number], &of->now[p->locations[t->to].transitions[i]->number]);
      }
  }
}

const struct eo__feet_of *eo__feet_at(eo__feet *feet, eo_promela_run *run, uint32_t process) {
  const eo_promela_proctype *p = eo_promela_process(run, process);
  struct eo__feet_of *of = &feet->of[process];
  if (of->proctype == p) return of;
  eo_free(of->future);
  eo_free(of->now);
  of->future = eo_alloc((p->location_count + 1) * sizeof *of->future);
  of->now = eo_alloc((run->model->transition_count + 1) * sizeof *of->now);
  of->proctype = of->future && of->now ? p : NULL;
  if (!of->proctype) return NULL;
  maker m = {feet, run, process};
  make(&m, of);
  return of;
}

bool eo__feet_open(eo__feet *feet, const eo_promela *model) {
  feet->of = eo_alloc((EO_PROMELA_MOST_PROCESSES + 1) * sizeof *feet->of);
  feet->assigned = eo_alloc((model->symbol_count + 1) * sizeof *feet->assigned);
  if (!feet->of || !feet->assigned) return false;
  for (uint32_t i = 0; i < model->transition_count; i++) {
    const eo_promela_transition *t = model->transitions[i];
    if (t->target && t->target->global) feet->assigned[global_number(model, t->target->symbol)] = true;
    for (uint32_t k = 0; t->message && k < t->message->count; k++)
      if (t->message->fields[k].into && t->message->fields[k].into->global)
        feet->assigned[global_number(model, t->message->fields[k].into->symbol)] = true;
  }
  return true;
}

void eo__feet_close(eo__feet *feet) {
  for (uint32_t i = 0; feet->of && i <= EO_PROMELA_MOST_PROCESSES; i++) {
    eo_free(feet->of[i].future);
    eo_free(feet->of[i].now);
  }
  eo_free(feet->of);
  eo_free(feet->assigned);
}
