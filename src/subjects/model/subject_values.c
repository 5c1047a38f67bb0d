/* subject_values.c: what the variables and channels of a model hold, in words: a line for the global variables, one for each process, and
 * one for each channel that has messages. */
#include <stdio.h>

#include "base/alloc.h"
#include "subjects/model/subject_inside.h"

void eo__model_add_value(eo_text *text, const eo_promela *model, eo_promela_cell cell, int32_t value) {
  for (uint32_t i = 0; cell.type == EO_PROMELA_MTYPE && i < model->mtype_count; i++) {
    const eo_promela_mtype *mtype = &model->mtypes[i];
    if (mtype->set != cell.set || mtype->value != value) continue;
    eo__text_add(text, "%s", mtype->name);
    return;
  }
  eo__text_add(text, "%d", (int)value);
}

void eo__model_add_message(eo_text *text, const eo_promela_run *run, uint32_t channel, uint32_t slot) {
  const eo_promela_queue *q = eo__promela_channel(run, channel);
  for (uint32_t i = 0; i < q->field_count; i++) {
    if (i) eo__text_add(text, ",");
    eo__model_add_value(text, run->model, q->fields[i], eo__promela_channel_field(run, channel, slot, i));
  }
}

/* ---- Channels -------------------------------------------------------------------------------------------------------- */

/* Where variables lie in the state, and what stands before their names: "P1:Q ". */
typedef struct scope {
  const eo_promela_run *run;
  size_t base;
  const char *before;
} scope;

static uint32_t channel_at(const scope *s, const eo_promela_symbol *symbol, uint32_t element) {
  size_t at = s->base + symbol->offset + (size_t)element * symbol->stride;
  return (uint32_t)eo__promela_cell_read(symbol->cell, s->run->state + at);
}

/* Is this the variable that the channel was made for? Then its name is added. */
static bool names_channel(const scope *s, const eo_promela_symbol *symbol, uint32_t channel, eo_text *out) {
  if (symbol->type != EO_PROMELA_CHAN || !symbol->queue) return false;
  for (uint32_t k = 0; k < symbol->count; k++) {
    if (channel_at(s, symbol, k) != channel) continue;
    eo__text_add(out, "%s%s", s->before, symbol->name);
    if (symbol->array) eo__text_add(out, "[%u]", k);
    return true;
  }
  return false;
}

static void add_channel_name(const eo_promela_run *run, uint32_t channel, eo_text *out) {
  scope global = {run, EO_PROMELA_GLOBALS_AT, ""};
  for (uint32_t i = 0; i < run->model->symbol_count; i++)
    if (names_channel(&global, run->model->symbols[i], channel, out)) return;
  for (uint32_t p = 0; p < eo_promela_processes(run); p++) {
    const eo_promela_proctype *proctype = eo__promela_process(run, p);
    char before[EO_PROMELA_NAME + 16];
    snprintf(before, sizeof before, "P%u:%s ", p, proctype->name);
    scope own = {run, run->process_at[p], before};
    for (uint32_t i = 0; i < proctype->symbol_count; i++)
      if (names_channel(&own, proctype->symbols[i], channel, out)) return;
  }
  eo__text_add(out, "channel %u", channel);
}

/* ---- Variables --------------------------------------------------------------------------------------------------------- */

typedef struct lister {
  scope scope;
  eo_text text;
  uint32_t count;
} lister;

static void add_cell(lister *l, const eo_promela_symbol *symbol, size_t at) {
  const eo_promela_run *run = l->scope.run;
  int32_t value = eo__promela_cell_read(symbol->cell, run->state + at);
  bool channel = symbol->type == EO_PROMELA_CHAN && value > 0 && (uint32_t)value <= eo_promela_channels(run);
  if (channel)
    add_channel_name(run, (uint32_t)value, &l->text);
  else
    eo__model_add_value(&l->text, run->model, symbol->cell, value);
}

/* "n = 2", "a = {0, 1}", "t.x = 3"; of channels only those that are names of others. */
static void add_symbol(lister *l, const eo_promela_symbol *symbol, size_t base, const char *name) {
  enum { LONG = 256 };
  char inner[LONG];
  size_t at = base + symbol->offset;
  if (symbol->queue || symbol->name[0] == '(') return;
  if (symbol->type == EO_PROMELA_STRUCT) {
    for (uint32_t k = 0; k < symbol->count; k++)
      for (uint32_t i = 0; i < symbol->fields->field_count; i++) {
        const eo_promela_symbol *field = symbol->fields->fields[i];
        if (symbol->array)
          snprintf(inner, sizeof inner, "%s[%u].%s", name, k, field->name);
        else
          snprintf(inner, sizeof inner, "%s.%s", name, field->name);
        add_symbol(l, field, at + (size_t)k * symbol->stride, inner);
      }
    return;
  }
  eo__text_add(&l->text, "%s%s = %s", l->count++ ? ", " : "", name, symbol->array ? "{" : "");
  for (uint32_t k = 0; k < symbol->count; k++) {
    if (k) eo__text_add(&l->text, ", ");
    add_cell(l, symbol, at + (size_t)k * symbol->stride);
  }
  if (symbol->array) eo__text_add(&l->text, "}");
}

/* Takes the text. */
static bool push(eo_strings *out, eo_text *text, bool wanted) {
  char *line = text->failed || !wanted ? NULL : eo__strdup(text->chars);
  bool failed = text->failed || (wanted && !line);
  eo__text_release(text);
  if (!wanted) return !failed;
  if (!failed && eo_vec_push(out, line)) return true;
  eo__free(line);
  return false;
}

static bool list_symbols(const scope *s, eo_promela_symbol *const *symbols, uint32_t count, eo_strings *out) {
  lister l = {.scope = *s};
  eo__text_init(&l.text);
  eo__text_add(&l.text, "%s", s->before);
  for (uint32_t i = 0; i < count; i++) add_symbol(&l, symbols[i], s->base, symbols[i]->name);
  return push(out, &l.text, l.count > 0);
}

static bool list_channel(const eo_promela_run *run, uint32_t channel, eo_strings *out) {
  eo_text text;
  uint32_t length = eo__promela_channel_length(run, channel);
  eo__text_init(&text);
  add_channel_name(run, channel, &text);
  for (uint32_t slot = 0; slot < length; slot++) {
    eo__text_add(&text, slot ? ", [" : " holds [");
    eo__model_add_message(&text, run, channel, slot);
    eo__text_add(&text, "]");
  }
  return push(out, &text, length > 0);
}

bool eo__model_values(const eo_promela_run *run, eo_strings *out) {
  scope global = {run, EO_PROMELA_GLOBALS_AT, ""};
  bool good = list_symbols(&global, run->model->symbols, run->model->symbol_count, out);
  for (uint32_t p = 0; p < eo_promela_processes(run) && good; p++) {
    const eo_promela_proctype *proctype = eo__promela_process(run, p);
    char before[EO_PROMELA_NAME + 16];
    snprintf(before, sizeof before, "P%u:%s ", p, proctype->name);
    scope own = {run, run->process_at[p], before};
    good = list_symbols(&own, proctype->symbols, proctype->symbol_count, out);
  }
  for (uint32_t c = 1; c <= eo_promela_channels(run) && good; c++) good = list_channel(run, c, out);
  return good;
}
