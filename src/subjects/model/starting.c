/* starting.c: see starting.h. */
#include "subjects/model/starting.h"

#include <string.h>

#include "base/alloc.h"
#include "subjects/model/related.h"

enum { MOST_STEPS = 10000 };

/* ---- What stays as it is ---------------------------------------------------------------------------------------------- */

static bool assigns(const eo_promela_transition *t, const eo_promela_symbol *symbol) {
  if (t->target && t->target->symbol == symbol) return true;
  for (uint32_t i = 0; t->kind == EO_PROMELA_RECEIVE && i < t->message->count; i++)
    if (t->message->fields[i].into && t->message->fields[i].into->symbol == symbol) return true;
  for (uint32_t n = 0; t->dstep && n < t->dstep->count; n++)
    for (uint32_t i = 0; i < t->dstep->nodes[n].count; i++)
      if (assigns(t->dstep->nodes[n].transitions[i], symbol)) return true;
  return false;
}

static bool fixed_parameter(const eo_promela_symbol *symbol) {
  const eo_promela_proctype *p = symbol->owner;
  if (!symbol->parameter || !p) return false;
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t k = 0; k < p->locations[l].count; k++)
      if (assigns(p->locations[l].transitions[k], symbol)) return false;
  return true;
}

static bool fixed_indices(const eo_promela_ref *ref, bool parameters) {
  for (uint32_t i = 0; i < ref->index_count; i++)
    if (!eo__fixed_value(ref->indices[i].value, parameters)) return false;
  return true;
}

bool eo__fixed_value(const eo_promela_expr *e, bool parameters) {
  if (!e) return true;
  switch (e->op) {
    case EO_PROMELA_CONST:
    case EO_PROMELA_PID: return true;
    case EO_PROMELA_VAR: return parameters && fixed_parameter(e->ref->symbol) && fixed_indices(e->ref, true);
    case EO_PROMELA_NR_PR:
    case EO_PROMELA_TIMEOUT:
    case EO_PROMELA_LEN:
    case EO_PROMELA_FULL:
    case EO_PROMELA_NFULL:
    case EO_PROMELA_EMPTY:
    case EO_PROMELA_NEMPTY:
    case EO_PROMELA_POLL:
    case EO_PROMELA_RUN: return false;
    default:
      return eo__fixed_value(e->a, parameters) && eo__fixed_value(e->b, parameters) &&
             eo__fixed_value(e->c, parameters);
  }
}

bool eo__fixed_channel(const eo_promela_ref *ref, bool parameters) {
  bool named = ref->global ? ref->symbol->queue != NULL : parameters && fixed_parameter(ref->symbol);
  return named && fixed_indices(ref, parameters);
}

/* ---- What is in a transition ------------------------------------------------------------------------------------------ */

static bool has_op(const eo_promela_expr *e, eo_promela_op op);

static bool ref_has_op(const eo_promela_ref *ref, eo_promela_op op) {
  for (uint32_t i = 0; ref && i < ref->index_count; i++)
    if (has_op(ref->indices[i].value, op)) return true;
  return false;
}

static bool has_op(const eo_promela_expr *e, eo_promela_op op) {
  if (!e) return false;
  if (e->op == op || ref_has_op(e->ref, op)) return true;
  for (uint32_t i = 0; i < e->argument_count; i++)
    if (has_op(e->arguments[i], op)) return true;
  return has_op(e->a, op) || has_op(e->b, op) || has_op(e->c, op);
}

static bool transition_has(const eo_promela_transition *t, eo_promela_op op) {
  if (has_op(t->value, op) || ref_has_op(t->target, op)) return true;
  if (t->message && ref_has_op(t->message->channel->ref, op)) return true;
  for (uint32_t i = 0; t->message && i < t->message->count; i++)
    if (has_op(t->message->fields[i].value, op) || ref_has_op(t->message->fields[i].into, op)) return true;
  for (uint32_t i = 0; i < t->argument_count; i++)
    if (has_op(t->arguments[i], op)) return true;
  for (uint32_t n = 0; t->dstep && n < t->dstep->count; n++)
    for (uint32_t i = 0; i < t->dstep->nodes[n].count; i++)
      if (transition_has(t->dstep->nodes[n].transitions[i], op)) return true;
  return false;
}

/* The first transition of a proctype with such an operator, at a location that counts; NULL: none. */
static const eo_promela_transition *find_op(const eo_promela_proctype *p, const bool *counts, eo_promela_op op) {
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t k = 0; (!counts || counts[l]) && k < p->locations[l].count; k++)
      if (transition_has(p->locations[l].transitions[k], op)) return p->locations[l].transitions[k];
  return NULL;
}

/* ---- The beginning ---------------------------------------------------------------------------------------------------- */

/* The locations that can be reached from one of a proctype. */
static void reach(const eo_promela_proctype *p, uint32_t from, bool *reached) {
  memset(reached, 0, p->location_count * sizeof *reached);
  reached[from] = true;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t l = 0; l < p->location_count; l++)
      for (uint32_t k = 0; reached[l] && k < p->locations[l].count; k++) {
        const eo_promela_transition *t = p->locations[l].transitions[k];
        if (t->kind == EO_PROMELA_EXIT || reached[t->to]) continue;
        again = reached[t->to] = true;
      }
  }
}

/* The only proctype that starts others, of which there is one process from the start. */
static bool find_starter(eo__starting *s, const eo_promela_run *run, uint32_t *process) {
  const eo_promela *model = run->model;
  uint32_t processes = 0;
  for (uint32_t i = 0; i < model->proctype_count; i++) {
    const eo_promela_transition *start = find_op(model->proctypes[i], NULL, EO_PROMELA_RUN);
    if (!start) continue;
    if (s->late) return false;
    s->late = start;
    s->starter = model->proctypes[i];
  }
  for (uint32_t i = 0; s->starter && i < model->first_count; i++)
    if (model->first[i] == s->starter->number) {
      *process = i;
      processes++;
    }
  return processes == 1;
}

static bool uses_pid(const eo__starting *s, const eo_promela *model) {
  for (uint32_t i = 0; i < model->proctype_count; i++)
    if (model->proctypes[i] != s->starter && find_op(model->proctypes[i], NULL, EO_PROMELA_PID)) return true;
  return false;
}

/* Can nobody notice when it is taken? */
static bool is_private(const eo_promela *model, const eo_promela_transition *t, const bool *written) {
  for (uint32_t i = 0; i < t->access_count; i++) {
    const eo_promela_symbol *symbol = t->accesses[i].symbol;
    if (!symbol->owner && symbol->type != EO_PROMELA_CHAN && written[eo__related_symbol(model, symbol)]) return false;
  }
  return true;
}

/* The only step that the starter can take; false: it has none, or several, or others have a part in it. */
static bool next_step(eo_promela_run *run, uint32_t process, bool alone, const bool *written, eo_promela_steps *found,
                      bool *good) {
  const eo_promela_location *l = &eo__promela_process(run, process)->locations[eo__promela_location_of(run, process)];
  for (uint32_t k = 0; k < l->count; k++) {
    eo_promela_kind kind = l->transitions[k]->kind;
    if (kind == EO_PROMELA_RECEIVE || kind == EO_PROMELA_SEND || kind == EO_PROMELA_DSTEP || kind == EO_PROMELA_EXIT)
      return false;
    if (!alone && !is_private(run->model, l->transitions[k], written)) return false;
    if (transition_has(l->transitions[k], EO_PROMELA_NR_PR)) return false;
  }
  eo_vec_clear(found);
  *good = eo__promela_enabled_of(run, process, found);
  return *good && found->count == 1;
}

/* Takes a step, unless it fails: then the run is where it was, and *taken is false. */
static bool take(eo_promela_run *run, eo_promela_step step, bool *taken) {
  size_t size = run->size;
  unsigned char *before = eo__alloc(size);
  if (!before) return false;
  memcpy(before, run->state, size);
  *taken = eo__promela_apply(run, step);
  bool good = !run->no_memory && (*taken || eo__promela_load(run, before, size));
  run->failed = false;
  eo__free(before);
  return good;
}

static bool take_steps(eo__starting *s, eo_promela_run *run, uint32_t process, const bool *written, bool *starts) {
  eo_promela_steps found = {0};
  bool good = true, taken = true, only = run->model->first_count == 1, numbers = uses_pid(s, run->model);
  for (int i = 0; i < MOST_STEPS && good && taken; i++) {
    reach(s->starter, eo__promela_location_of(run, process), s->after);
    bool holds = eo__promela_floor(run) == process;
    bool alone = only && (holds || eo_promela_processes(run) == 1);
    *starts = find_op(s->starter, s->after, EO_PROMELA_RUN) != NULL;
    if ((!*starts && !holds) || !next_step(run, process, alone, written, &found, &good)) break;
    eo_promela_step step = found.items[0];
    const eo_promela_transition *t = eo__promela_transition_of(run, process, step.transition);
    good = take(run, step, &taken) && (!taken || eo_vec_push(&s->steps, step));
    if (!alone && numbers && !s->unnumbered && transition_has(t, EO_PROMELA_RUN)) s->unnumbered = t;
  }
  eo_vec_release(&found);
  return good;
}

bool eo__starting_find(eo__starting *s, eo_promela_run *run) {
  uint32_t process = 0;
  *s = (eo__starting){0};
  if (!eo__promela_run_start(run)) return !run->no_memory;
  if (!find_starter(s, run, &process)) {
    s->complete = s->all_there = !s->late;
    s->starter = NULL;
    return true;
  }
  bool *written = eo__related_written(run->model), starts = true;
  s->after = eo__alloc((s->starter->location_count + 1) * sizeof *s->after);
  bool good = written && s->after && take_steps(s, run, process, written, &starts);
  eo__free(written);
  if (!good) return false;
  s->all_there = !starts;
  s->complete = !starts && eo__promela_floor(run) == EO_PROMELA_NOBODY;
  for (uint32_t l = 0; l < s->starter->location_count; l++)
    for (uint32_t k = 0; s->after[l] && k < s->starter->locations[l].count; k++)
      s->complete &= !s->starter->locations[l].transitions[k]->atomic;
  s->late = starts ? find_op(s->starter, s->after, EO_PROMELA_RUN) : NULL;
  return true;
}

void eo__starting_release(eo__starting *s) {
  eo_vec_release(&s->steps);
  eo__free(s->after);
  *s = (eo__starting){0};
}

bool eo__starting_counts(const eo__starting *s, const eo_promela_proctype *p, uint32_t location) {
  return !s->complete || s->starter != p || s->after[location];
}
