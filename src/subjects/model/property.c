/* property.c: see property.h. */
#include "subjects/model/property.h"

#include <stdio.h>
#include <string.h>

const eo_promela_property *eo__promela_property_find(const eo_promela *model, const char *name) {
  for (uint32_t i = 0; i < model->property_count; i++)
    if (strcmp(model->properties[i]->name, name) == 0) return model->properties[i];
  return NULL;
}

bool eo__property_letter(const eo_promela_property *property, eo_promela_run *run, uint64_t *letter) {
  *letter = 0;
  run->failed = run->asserted = false;
  run->doing = NULL;
  for (uint32_t i = 0; i < property->fact_count; i++)
    if (eo__promela_evaluate(run, EO_PROMELA_NOBODY, property->facts[i])) *letter |= UINT64_C(1) << i;
  return !run->failed;
}

uint64_t eo__property_state_marks(const eo_promela_property *property, const eo_promela_run *run) {
  if (!property->labels) return 0;
  for (uint32_t i = 0; i < eo_promela_processes(run); i++)
    if (eo__promela_process(run, i)->locations[eo__promela_location_of(run, i)].accept) return 1;
  return 0;
}

bool eo__property_blocked(eo_promela_run *run, eo_promela_steps *scratch, uint64_t *blocked) {
  *blocked = ~UINT64_C(0);
  eo_vec_clear(scratch);
  for (uint32_t i = 0; i < eo_promela_processes(run) && i < 64; i++) {
    size_t before = scratch->count;
    if (!eo__promela_enabled_of(run, i, scratch)) return false;
    if (scratch->count > before) *blocked &= ~(UINT64_C(1) << i);
  }
  for (size_t i = 0; i < scratch->count; i++) /* who can receive in a rendezvous can do a step */
    if (scratch->items[i].receiver < 64) *blocked &= ~(UINT64_C(1) << scratch->items[i].receiver);
  return true;
}

uint32_t eo__property_get(const eo_promela_run *run) {
  uint16_t location;
  memcpy(&location, run->state + EO_PROMELA_CLAIM_AT, sizeof location);
  return location;
}

void eo__property_put(eo_promela_run *run, uint32_t location) {
  uint16_t value = (uint16_t)location;
  memcpy(run->state + EO_PROMELA_CLAIM_AT, &value, sizeof value);
}

void eo__property_violated(const eo_promela_property *p, eo__violation how, size_t loop, size_t length,
                           eo_failure *failure) {
  enum { MOST_TEXT = 200 };
  *failure = (eo_failure){.kind = EO_KIND_LIVENESS, .line = p->line};
  snprintf(failure->file, sizeof failure->file, "%s", p->file);
  char *out = failure->message;
  size_t size = sizeof failure->message;
  int used = snprintf(out, size, "property %s does not hold (%.*s): ", p->name, MOST_TEXT, p->text);
  out += used;
  size -= (size_t)used;
  if (how == EO__VIOLATED_CYCLE)
    snprintf(out, size, "%s after step %zu %s for ever", length == 1 ? "the step" : "the steps", loop,
             length == 1 ? "is repeated" : "are repeated");
  else if (how == EO__VIOLATED_END)
    snprintf(out, size, "the execution ends after step %zu", loop);
  else
    snprintf(out, size, "whatever follows step %zu", loop);
}
