/* relatable.c: may it be said of a model how its steps relate (related.h)? Its processes then have nothing in common but
 * ports, and global variables that no guard reads: what a process can do next follows from what it did and received. */
#include <stdio.h>

#include "base/alloc.h"
#include "subjects/model/related.h"
#include "subjects/model/starting.h"

typedef struct checker {
  const eo_promela *model;
  const bool *written; /* by number of the global symbol */
  const eo__starting *starting;
  eo_error *error;
} checker;

static int refuse(const checker *c, const eo_promela_transition *t, const char *why) {
  return eo__error_set(c->error, EO_EINPUT,
                       "%.200s:%d: %s, so 'reach' and 'dpor' cannot tell which steps are independent; --strategy "
                       "full explores such models",
                       t->file, t->line, why);
}

/* ---- What is in an expression ------------------------------------------------------------------------------------- */

typedef enum sought { GLOBAL_STATE /* a variable that is written */, CHANNEL_STATE, ALL_PROCESSES } sought;

static bool has(const checker *c, const eo_promela_expr *e, sought what);

static bool ref_has(const checker *c, const eo_promela_ref *ref, sought what) {
  if (!ref) return false;
  if (what == GLOBAL_STATE && ref->global && c->written[eo__related_symbol(c->model, ref->symbol)]) return true;
  for (uint32_t i = 0; i < ref->index_count; i++)
    if (has(c, ref->indices[i].value, what)) return true;
  return false;
}

static bool has(const checker *c, const eo_promela_expr *e, sought what) {
  if (!e) return false;
  bool itself = what == CHANNEL_STATE   ? e->op >= EO_PROMELA_LEN && e->op <= EO_PROMELA_POLL
                : what == ALL_PROCESSES ? e->op == EO_PROMELA_NR_PR || e->op == EO_PROMELA_TIMEOUT
                                        : false;
  if (itself || ref_has(c, e->ref, what)) return true;
  for (uint32_t i = 0; i < e->argument_count; i++)
    if (has(c, e->arguments[i], what)) return true;
  return has(c, e->a, what) || has(c, e->b, what) || has(c, e->c, what);
}

static bool transition_has(const checker *c, const eo_promela_transition *t, sought what) {
  if (has(c, t->value, what) || ref_has(c, t->target, what)) return true;
  for (uint32_t i = 0; i < t->argument_count; i++)
    if (has(c, t->arguments[i], what)) return true;
  if (t->message && ref_has(c, t->message->channel->ref, what)) return true;
  for (uint32_t i = 0; t->message && i < t->message->count; i++)
    if (has(c, t->message->fields[i].value, what) || ref_has(c, t->message->fields[i].into, what)) return true;
  for (uint32_t n = 0; t->dstep && n < t->dstep->count; n++)
    for (uint32_t i = 0; i < t->dstep->nodes[n].count; i++)
      if (transition_has(c, t->dstep->nodes[n].transitions[i], what)) return true;
  return false;
}

/* ---- One transition ------------------------------------------------------------------------------------------------ */

/* Does it depend on global variables whether it can be taken? */
static bool guard_reads(const checker *c, const eo_promela_transition *t) {
  if (t->kind == EO_PROMELA_CONDITION) return t->value->op != EO_PROMELA_RUN && has(c, t->value, GLOBAL_STATE);
  if (t->kind == EO_PROMELA_RECEIVE)
    for (uint32_t i = 0; i < t->message->count; i++)
      if (t->message->fields[i].match == EO_PROMELA_VALUE && has(c, t->message->fields[i].value, GLOBAL_STATE))
        return true;
  if (t->kind == EO_PROMELA_DSTEP)
    for (uint32_t i = 0; i < t->dstep->nodes[0].count; i++)
      if (guard_reads(c, t->dstep->nodes[0].transitions[i])) return true;
  return false;
}

static bool sets_channel(const eo_promela_transition *t) {
  if (t->target && t->target->global && t->target->cell.type == EO_PROMELA_CHAN) return true;
  for (uint32_t i = 0; t->kind == EO_PROMELA_RECEIVE && i < t->message->count; i++) {
    const eo_promela_ref *into = t->message->fields[i].into;
    if (into && into->global && into->cell.type == EO_PROMELA_CHAN) return true;
  }
  for (uint32_t n = 0; t->dstep && n < t->dstep->count; n++)
    for (uint32_t i = 0; i < t->dstep->nodes[n].count; i++)
      if (sets_channel(t->dstep->nodes[n].transitions[i])) return true;
  return false;
}

static bool runs(const eo_promela_transition *t) { return t->value && t->value->op == EO_PROMELA_RUN; }

static int check_transition(const checker *c, const eo_promela_transition *t) {
  if (t->atomic) return refuse(c, t, "an atomic sequence keeps all others from going on");
  if (transition_has(c, t, ALL_PROCESSES)) return refuse(c, t, "timeout and _nr_pr depend on all processes");
  if (transition_has(c, t, CHANNEL_STATE)) return refuse(c, t, "it asks what is in a channel without receiving");
  if (t->reads_counts && t->kind != EO_PROMELA_EXIT && !runs(t))
    return refuse(c, t, "a process is started inside a d_step");
  if (guard_reads(c, t)) return refuse(c, t, "whether it can be taken depends on a global variable");
  if (sets_channel(t)) return refuse(c, t, "it makes a global variable mean another channel");
  const eo_promela_symbol *channel = t->message ? t->message->channel->ref->symbol : NULL;
  if (t->kind == EO_PROMELA_RECEIVE && channel && channel->queue && channel->queue->field_count != t->message->count)
    return refuse(c, t, "it receives fewer or more fields than messages have");
  return EO_OK;
}

static int check_location(const checker *c, const eo_promela_location *l) {
  const eo_promela_transition *otherwise = NULL;
  bool receives = false;
  for (uint32_t i = 0; i < l->count; i++) {
    if (l->transitions[i]->kind == EO_PROMELA_ELSE) otherwise = l->transitions[i];
    receives |= l->transitions[i]->kind == EO_PROMELA_RECEIVE;
    int code = check_transition(c, l->transitions[i]);
    if (code != EO_OK) return code;
  }
  return otherwise && receives ? refuse(c, otherwise, "an else beside a receive is taken when no message is there")
                               : EO_OK;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------ */

static uint32_t instances(const eo_promela *model, const eo_promela_proctype *p) {
  uint32_t count = p->active;
  for (uint32_t i = 0; i < model->transition_count; i++)
    if (runs(model->transitions[i]) && model->transitions[i]->value->proctype == p->number) count += 2; /* in a loop */
  return count;
}

/* Only one process may start others: else their numbers depend on who was first. */
static int check_runs(const checker *c, const eo_promela_proctype *p, const eo_promela_proctype **starter) {
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t i = 0; i < p->locations[l].count; i++) {
      const eo_promela_transition *t = p->locations[l].transitions[i];
      if (!runs(t)) continue;
      if ((*starter && *starter != p) || instances(c->model, p) > 1)
        return refuse(c, t, "several processes start others, whose numbers depend on who is first");
      *starter = p;
    }
  return EO_OK;
}

/* A process that is started later on has ports of its own in an array, by its _pid: else nobody can know it before. */
static int check_late(const checker *c, const eo_promela_transition *t, const eo_promela_proctype *p) {
  const eo_promela_symbol *channel = t->kind == EO_PROMELA_RECEIVE ? t->message->channel->ref->symbol : NULL;
  if (!channel || c->starting->all_there || p->active || channel->array) return EO_OK;
  return refuse(c, t, "a process that is started not at the beginning receives here");
}

static int check_proctype(const checker *c, const eo_promela_proctype *p, const eo_promela_proctype **starter) {
  if (p->claim_count)
    return eo__error_set(c->error, EO_EINPUT,
                         "%.200s:%d: strategies 'reach' and 'dpor' do not support xr and xs; leave them out", p->file,
                         p->line);
  for (uint32_t i = 0; i < p->symbol_count; i++)
    if (p->symbols[i]->queue)
      return eo__error_set(
          c->error, EO_EINPUT,
          "%.200s:%d: strategies 'reach' and 'dpor' need global channels; '%.60s' is made by a process",
          p->symbols[i]->file, p->symbols[i]->line, p->symbols[i]->name);
  int code = check_runs(c, p, starter);
  for (uint32_t l = 0; l < p->location_count && code == EO_OK; l++) {
    if (!eo__starting_counts(c->starting, p, l)) continue;
    code = check_location(c, &p->locations[l]);
    for (uint32_t i = 0; i < p->locations[l].count && code == EO_OK; i++)
      code = check_late(c, p->locations[l].transitions[i], p);
  }
  return code;
}

uint32_t eo__related_symbol(const eo_promela *model, const eo_promela_symbol *symbol) {
  uint32_t number = 0;
  while (number < model->symbol_count && model->symbols[number] != symbol) number++;
  return number;
}

static void note_written(const eo_promela *model, const eo_promela_ref *ref, bool *written) {
  if (ref && ref->global) written[eo__related_symbol(model, ref->symbol)] = true;
}

static void note_writes(const eo_promela *model, const eo_promela_transition *t, bool *written) {
  note_written(model, t->target, written);
  for (uint32_t i = 0; t->kind == EO_PROMELA_RECEIVE && i < t->message->count; i++)
    note_written(model, t->message->fields[i].into, written);
  for (uint32_t n = 0; t->dstep && n < t->dstep->count; n++)
    for (uint32_t i = 0; i < t->dstep->nodes[n].count; i++)
      note_writes(model, t->dstep->nodes[n].transitions[i], written);
}

bool *eo__related_written(const eo_promela *model) {
  bool *written = eo__alloc(model->symbol_count + 1);
  for (uint32_t i = 0; i < model->transition_count && written; i++) note_writes(model, model->transitions[i], written);
  return written;
}

static int check_all(const checker *c) {
  const eo_promela_proctype *starter = NULL;
  int code = EO_OK;
  if (c->starting->unnumbered)
    return refuse(c, c->starting->unnumbered,
                  "outside of an atomic sequence at the beginning the _pid of who is started depends on who has ended");
  for (uint32_t i = 0; i < c->model->proctype_count && code == EO_OK; i++)
    code = check_proctype(c, c->model->proctypes[i], &starter);
  return code;
}

int eo__promela_check_related(const eo_promela *model, eo_error *error) {
  bool *written = eo__related_written(model);
  eo_promela_run run;
  eo__starting starting = {0};
  bool good = eo__promela_run_init(&run, model);
  run.delivery = EO_DELIVERY_ASYNC;
  good = good && written && eo__starting_find(&starting, &run);
  checker c = {model, written, &starting, error};
  int code = good ? check_all(&c) : eo__error_nomem(error);
  eo__starting_release(&starting);
  eo__promela_run_release(&run);
  eo__free(written);
  return code;
}
