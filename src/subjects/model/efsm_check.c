/* efsm_check.c: is a model a system of multi-port EFSMs, as efsm.h says, and which of its transitions are visible? */
#include <string.h>

#include "base/alloc.h"
#include "subjects/model/efsm.h"
#include "subjects/model/ports.h"

/* How a global variable is used. */
typedef struct usage {
  const eo_promela_proctype *by; /* the first who uses it */
  bool shared;                   /* by several processes */
  bool written;
  bool adds_only; /* all who write it add a constant; all who read it assert or print */
  bool visible;
} usage;

typedef struct check {
  eo__efsm *efsm;
  const eo_promela *model;
  const char *strategy;
  usage *usages; /* by number of the global symbol */
  const eo_promela_proctype *proctype;
  eo_error *error;
} check;

static int refuse(check *c, const eo_promela_transition *t, const char *what) {
  return eo__error_set(c->error, EO_EINPUT,
                       "%.200s:%d: %s: strategy '%s' is for multi-port EFSMs; 'por' takes any model", t->file, t->line,
                       what, c->strategy);
}

static uint32_t global_number(const eo_promela *model, const eo_promela_symbol *symbol) {
  uint32_t number = 0;
  while (number < model->symbol_count && model->symbols[number] != symbol) number++;
  return number;
}

/* ---- Expressions ----------------------------------------------------------------------------------------------------- */

static const char *odd_reference(const eo_promela_ref *ref);

static const char *odd(const eo_promela_expr *e) {
  if (!e) return NULL;
  switch (e->op) {
    case EO_PROMELA_LEN:
    case EO_PROMELA_FULL:
    case EO_PROMELA_NFULL:
    case EO_PROMELA_EMPTY:
    case EO_PROMELA_NEMPTY:
    case EO_PROMELA_POLL: return "it looks into a channel without receiving";
    case EO_PROMELA_TIMEOUT: return "timeout, which depends on all processes";
    case EO_PROMELA_NR_PR: return "_nr_pr, which depends on all processes";
    default: break;
  }
  const char *why = e->ref ? odd_reference(e->ref) : NULL;
  if (!why) why = odd(e->a);
  if (!why) why = odd(e->b);
  if (!why) why = odd(e->c);
  for (uint32_t i = 0; i < e->argument_count && !why; i++) why = odd(e->arguments[i]);
  return why;
}

static const char *odd_reference(const eo_promela_ref *ref) {
  const char *why = NULL;
  for (uint32_t i = 0; i < ref->index_count && !why; i++) why = odd(ref->indices[i].value);
  return why;
}

static const char *odd_transition(const eo_promela_transition *t) {
  const char *why = odd(t->value);
  if (!why && t->target) why = odd_reference(t->target);
  if (!why && t->target && t->target->global && t->target->symbol->type == EO_PROMELA_CHAN)
    why = "a global channel variable is assigned to";
  for (uint32_t i = 0; t->message && i < t->message->count && !why; i++) why = odd(t->message->fields[i].value);
  for (uint32_t i = 0; i < t->argument_count && !why; i++) why = odd(t->arguments[i]);
  for (uint32_t n = 0; t->dstep && n < t->dstep->count; n++)
    for (uint32_t i = 0; i < t->dstep->nodes[n].count && !why; i++)
      why = odd_transition(t->dstep->nodes[n].transitions[i]);
  return why;
}

/* ---- Global variables -------------------------------------------------------------------------------------------------- */

/* x = x + 1, x = x - 1: of the variable itself, which is no array. */
static bool adds(const eo_promela_transition *t, const eo_promela_symbol *symbol) {
  const eo_promela_expr *value = t->value;
  return t->kind == EO_PROMELA_ASSIGN && t->target->symbol == symbol && !t->target->index_count && value &&
         (value->op == EO_PROMELA_ADD || value->op == EO_PROMELA_SUBTRACT) && value->a->op == EO_PROMELA_VAR &&
         value->a->ref->symbol == symbol && !value->a->ref->index_count && value->b->op == EO_PROMELA_CONST;
}

static void use(check *c, const eo_promela_transition *t) {
  for (uint32_t i = 0; i < t->access_count; i++) {
    const eo_promela_symbol *symbol = t->accesses[i].symbol;
    uint32_t number = global_number(c->model, symbol);
    if (number == c->model->symbol_count || symbol->type == EO_PROMELA_CHAN) continue;
    usage *u = &c->usages[number];
    if (!u->by) {
      *u = (usage){c->proctype, eo__port_several(c->model, c->proctype), false, true, u->visible};
    }
    u->shared |= u->by != c->proctype;
    u->written |= t->accesses[i].writes;
    u->adds_only &=
        adds(t, symbol) || (!t->accesses[i].writes && (t->kind == EO_PROMELA_ASSERT || t->kind == EO_PROMELA_PRINT));
    if (u->visible) c->efsm->visible[t->number] = true;
  }
}

static int check_globals(check *c) {
  for (uint32_t i = 0; i < c->model->symbol_count; i++) {
    const usage *u = &c->usages[i];
    if (!u->shared || !u->written || u->adds_only || u->visible) continue;
    const eo_promela_symbol *s = c->model->symbols[i];
    return eo__error_set(
        c->error, EO_EINPUT,
        "%.200s:%d: the processes share variable '%s': strategy '%s' is for multi-port EFSMs, which share "
        "only channels; --visible %s takes it in, and 'por' takes any model",
        s->file, s->line, s->name, c->strategy, s->name);
  }
  return EO_OK;
}

static int name_visible(check *c, const char *names) {
  while (names && *names) {
    size_t length = strcspn(names, ",");
    uint32_t i = 0;
    while (i < c->model->symbol_count &&
           (strlen(c->model->symbols[i]->name) != length || strncmp(c->model->symbols[i]->name, names, length) != 0))
      i++;
    if (i == c->model->symbol_count || c->model->symbols[i]->type == EO_PROMELA_CHAN)
      return eo__error_set(c->error, EO_EINPUT, "--visible %.*s: there is no global variable of this name in %.200s",
                           (int)(length > 64 ? 64 : length), names, c->model->path);
    c->usages[i].visible = true;
    names += length + (names[length] == ',');
  }
  return EO_OK;
}

/* ---- Processes --------------------------------------------------------------------------------------------------------- */

/* The only atomic sequences are those in which processes are started, before anything is received. */
static int check_location(check *c, const eo_promela_location *l, bool starter) {
  bool receives = false, looks = false;
  for (uint32_t k = 0; k < l->count; k++) receives |= l->transitions[k]->kind == EO_PROMELA_RECEIVE;
  for (uint32_t k = 0; k < l->count; k++) {
    const eo_promela_transition *t = l->transitions[k];
    const char *why = odd_transition(t);
    if (why) return refuse(c, t, why);
    if (receives && t->kind == EO_PROMELA_ELSE) return refuse(c, t, "else beside a receive, which depends on others");
    if (t->atomic && !starter)
      return refuse(c, t, "an atomic sequence (between receives others see no difference: leave it out)");
    looks |= c->efsm->visible[t->number];
  }
  for (uint32_t k = 0; k < l->count && looks; k++)
    if (l->transitions[k]->kind == EO_PROMELA_ELSE) c->efsm->visible[l->transitions[k]->number] = true;
  return EO_OK;
}

static bool starts(const eo_promela_transition *t) { return t->value && t->value->op == EO_PROMELA_RUN; }

static int check_starts(check *c, const eo_promela_proctype *p) {
  if (eo__port_several(c->model, p))
    return refuse(c, p->locations[p->start].transitions[0], "several processes start processes");
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t k = 0; k < p->locations[l].count; k++) {
      const eo_promela_transition *t = p->locations[l].transitions[k];
      bool floor = t->atomic;
      if (floor && t->kind == EO_PROMELA_RECEIVE) return refuse(c, t, "a receive in a process that starts others");
      for (uint32_t i = 0; i < p->locations[t->to].count && t->kind != EO_PROMELA_EXIT; i++) {
        const eo_promela_transition *next = p->locations[t->to].transitions[i];
        if (next->kind == EO_PROMELA_RECEIVE && floor) return refuse(c, next, "a receive in an atomic sequence");
        if (starts(next) && !floor && (l != p->start || starts(t)))
          return refuse(c, next, "a process is started outside of the atomic sequence at the beginning of another");
      }
    }
  return EO_OK;
}

static bool starts_processes(const eo_promela_proctype *p) {
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t k = 0; k < p->locations[l].count; k++)
      if (starts(p->locations[l].transitions[k])) return true;
  return false;
}

static int check_processes(check *c) {
  const eo_promela_proctype *starter = NULL;
  const eo__starting *starting = &c->efsm->starting;
  int code = EO_OK;
  if (starting->complete && starting->unnumbered)
    return refuse(
        c, starting->unnumbered,
        "the processes use _pid, and who is started here gets one that depends on who has ended (start all in "
        "one atomic sequence)");
  for (uint32_t i = 0; i < c->model->proctype_count && code == EO_OK; i++) {
    const eo_promela_proctype *p = c->model->proctypes[i];
    bool another = starts_processes(p);
    if (another && starter)
      return refuse(c, p->locations[p->start].transitions[0], "several processes start processes");
    if (another) starter = p;
    if (another && !starting->complete) code = check_starts(c, p);
    c->proctype = p;
    for (uint32_t l = 0; l < p->location_count && code == EO_OK; l++)
      for (uint32_t k = 0; eo__starting_counts(starting, p, l) && k < p->locations[l].count; k++)
        use(c, p->locations[l].transitions[k]);
  }
  for (uint32_t i = 0; i < c->model->proctype_count && code == EO_OK; i++) {
    const eo_promela_proctype *p = c->model->proctypes[i];
    for (uint32_t l = 0; l < p->location_count && code == EO_OK; l++)
      if (eo__starting_counts(starting, p, l))
        code = check_location(c, &p->locations[l], p == starter && !starting->complete);
  }
  return code;
}

static int find_start(eo__efsm *efsm, eo_delivery delivery, eo_error *error) {
  eo_promela_run run;
  bool good = eo__promela_run_init(&run, efsm->model);
  run.delivery = delivery;
  good = good && eo__starting_find(&efsm->starting, &run);
  eo__promela_run_release(&run);
  return good ? EO_OK : eo__error_nomem(error);
}

int eo__efsm_open(eo__efsm *efsm, const eo_promela *model, eo_delivery delivery, const char *strategy,
                  const char *visible, eo_error *error) {
  *efsm = (eo__efsm){.model = model, .processes = EO_PROMELA_MOST_PROCESSES + 1};
  if (delivery == EO_DELIVERY_MAILBOX)
    return eo__error_set(error, EO_EINPUT,
                         "strategy '%s' needs to know how messages come: --delivery async, fifo or causal", strategy);
  int code = eo__promela_check_ports(model, error);
  if (code != EO_OK) return code;
  efsm->tables = eo__alloc(efsm->processes * sizeof *efsm->tables);
  efsm->visible = eo__alloc((model->transition_count + 1) * sizeof *efsm->visible);
  check c = {.efsm = efsm, .model = model, .strategy = strategy, .error = error};
  c.usages = eo__alloc((model->symbol_count + 1) * sizeof *c.usages);
  if (!efsm->tables || !efsm->visible || !c.usages) code = eo__error_nomem(error);
  if (code == EO_OK) code = find_start(efsm, delivery, error);
  if (code == EO_OK) code = name_visible(&c, visible);
  if (code == EO_OK) code = check_processes(&c);
  if (code == EO_OK) code = check_globals(&c);
  for (uint32_t i = 0; code == EO_OK && i < model->transition_count; i++) efsm->visible_count += efsm->visible[i];
  eo__free(c.usages);
  return code;
}
