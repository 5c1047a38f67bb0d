/* efsm.c: the tables of efsm.h; whether a model is an EFSM system is in efsm_check.c. */
#include "subjects/model/efsm.h"

#include <string.h>

#include "base/alloc.h"

/* The channels that this send may mean. */
static void add_channels(eo_promela_run *run, uint32_t process, const eo_promela_transition *t, bool parameters,
                         eo__efsm_reach *reach) {
  const eo_promela_ref *ref = t->message->channel->ref;
  if (eo__fixed_channel(ref, parameters)) {
    uint32_t channel = eo__promela_channel_meant(run, process, t);
    if (channel) reach->channels[(channel - 1) / 64] |= UINT64_C(1) << (channel - 1) % 64;
    return;
  }
  if (!ref->global || !ref->symbol->queue) {
    memset(reach->channels, 0xff, sizeof reach->channels);
    return;
  }
  const unsigned char *at = run->state + EO_PROMELA_GLOBALS_AT + ref->symbol->offset; /* any element of this array */
  for (uint32_t i = 0; i < ref->symbol->count; i++) {
    uint32_t channel = (uint32_t)eo__promela_cell_read(ref->cell, at + (size_t)i * ref->symbol->stride);
    if (channel) reach->channels[(channel - 1) / 64] |= UINT64_C(1) << (channel - 1) % 64;
  }
}

static bool join(eo__efsm_reach *into, const eo__efsm_reach *from) {
  bool more = from->runs && !into->runs;
  into->runs |= from->runs;
  for (int w = 0; w < EO__EFSM_WORDS; w++) {
    more |= (from->channels[w] & ~into->channels[w]) != 0;
    into->channels[w] |= from->channels[w];
  }
  return more;
}

/* Is it a condition that this process can never meet, whatever happens? */
static bool never(eo_promela_run *run, uint32_t process, const eo_promela_expr *e, bool parameters) {
  if (e->op == EO_PROMELA_AND) return never(run, process, e->a, parameters) || never(run, process, e->b, parameters);
  if (!eo__fixed_value(e, parameters)) return false;
  run->failed = false;
  bool met = eo__promela_evaluate(run, process, e) || run->failed; /* going there tells what failed */
  run->failed = false;
  return !met;
}

static bool dead(eo_promela_run *run, uint32_t process, const eo_promela_transition *t, bool parameters) {
  return t->kind == EO_PROMELA_CONDITION && never(run, process, t->value, parameters);
}

static void fill(struct eo__efsm_table *table, eo_promela_run *run, uint32_t process, bool parameters) {
  const eo_promela_proctype *p = table->proctype;
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t k = 0; k < p->locations[l].count; k++) {
      const eo_promela_transition *t = p->locations[l].transitions[k];
      if (t->kind == EO_PROMELA_SEND) add_channels(run, process, t, parameters, &table->locations[l]);
      if (t->value && t->value->op == EO_PROMELA_RUN) table->locations[l].runs = true;
    }
  for (bool again = true; again;) {
    again = false;
    for (uint32_t l = p->location_count; l-- > 0;)
      for (uint32_t k = 0; k < p->locations[l].count; k++) {
        const eo_promela_transition *t = p->locations[l].transitions[k];
        if (t->kind != EO_PROMELA_EXIT && !dead(run, process, t, parameters))
          again |= join(&table->locations[l], &table->locations[t->to]);
      }
  }
}

const eo__efsm_reach *eo__efsm_reachable(eo__efsm *efsm, eo_promela_run *run, uint32_t process) {
  const eo_promela_proctype *p = eo__promela_process(run, process);
  struct eo__efsm_table *table = &efsm->tables[process];
  if (table->proctype != p) {
    eo__free(table->locations);
    table->locations = eo__alloc((p->location_count + 1) * sizeof *table->locations);
    table->proctype = table->locations ? p : NULL;
    if (!table->proctype) return NULL;
    fill(table, run, process, efsm->starting.all_there);
  }
  return &table->locations[eo__promela_location_of(run, process)];
}

void eo__efsm_close(eo__efsm *efsm) {
  for (uint32_t i = 0; efsm->tables && i < efsm->processes; i++) eo__free(efsm->tables[i].locations);
  eo__free(efsm->tables);
  eo__free(efsm->visible);
  eo__starting_release(&efsm->starting);
  *efsm = (eo__efsm){0};
}
