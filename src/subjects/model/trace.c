/* trace.c: see trace.h. */
#include "subjects/model/trace.h"

#include <string.h>

#include "base/text.h"
#include "subjects/model/parse.h"

enum { MOST_LOCATIONS = 255 };

/* ---- While it is explored -------------------------------------------------------------------------------------------- */

typedef struct event {
  eo_promela_kind kind;
  uint32_t channel, count;
  const int32_t *values;
} event;

static bool is_of(eo_promela_run *run, const eo_promela_transition *t, const event *e) {
  if (t->kind != e->kind) return false;
  const unsigned char *at = eo__promela_place(run, t->message->channel->ref);
  return at && (uint32_t)eo__promela_cell_read(t->message->channel->ref->cell, at) == e->channel;
}

/* The channel as the trace names it; NULL: it does not name such events. */
static const eo_promela_ref *watched(eo_promela_run *run, const event *e) {
  const eo_promela_proctype *p = run->model->trace;
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t i = 0; i < p->locations[l].count; i++)
      if (is_of(run, p->locations[l].transitions[i], e)) return p->locations[l].transitions[i]->message->channel->ref;
  return NULL;
}

static bool fits(eo_promela_run *run, const eo_promela_transition *t, const event *e) {
  if (!is_of(run, t, e) || t->message->count != e->count) return false;
  for (uint32_t i = 0; i < e->count; i++) {
    const eo_promela_field *f = &t->message->fields[i];
    if (f->match == EO_PROMELA_VALUE && eo__promela_value(run, f->value) != e->values[i]) return false;
  }
  return true;
}

static void add_value(eo_text *out, const eo_promela *model, eo_promela_cell cell, int32_t value) {
  for (uint32_t i = 0; cell.type == EO_PROMELA_MTYPE && i < model->mtype_count; i++)
    if (model->mtypes[i].value == value && model->mtypes[i].set == cell.set) {
      eo__text_add(out, "%s", model->mtypes[i].name);
      return;
    }
  eo__text_add(out, "%d", (int)value);
}

static void tell(eo_promela_run *run, const event *e, const eo_promela_ref *channel, const char *what) {
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%s%s", channel->symbol->name, e->kind == EO_PROMELA_SEND ? "!" : "?");
  for (uint32_t i = 0; i < e->count; i++) {
    if (i) eo__text_add(&text, ",");
    add_value(&text, run->model, eo__promela_channel(run, e->channel)->fields[i], e->values[i]);
  }
  eo__promela_fail(run, EO_KIND_ASSERTION, "assertion violated: %s %s", text.failed ? "a message" : text.chars, what);
  eo__text_release(&text);
}

static void happens(eo_promela_run *run, const event *e) {
  const eo_promela_proctype *p = run->model->trace;
  const eo_promela_location *l = &p->locations[run->state[EO_PROMELA_TRACE_AT]];
  const eo_promela_transition *next = NULL;
  const eo_promela_ref *channel = watched(run, e);
  if (!channel) return;
  for (uint32_t i = 0; i < l->count; i++) {
    if (!fits(run, l->transitions[i], e)) continue;
    if (next) {
      eo__promela_fail(run, EO_KIND_CRASH, "two events of the trace fit here, in lines %d and %d", next->line,
                       l->transitions[i]->line);
      return;
    }
    next = l->transitions[i];
  }
  uint32_t end = p->location_count - 1; /* behind its last statement */
  if (next)
    run->state[EO_PROMELA_TRACE_AT] = (unsigned char)next->to;
  else if (run->model->notrace)
    run->state[EO_PROMELA_TRACE_AT] = (unsigned char)end;
  else
    tell(run, e, channel, "is no event of the trace here");
  if (next && run->model->notrace && next->to == end) tell(run, e, channel, "is the last event of the notrace");
}

void eo__trace_sends(eo_promela_run *run, const eo_promela_message *m, uint32_t channel) {
  int32_t values[256];
  const eo_promela_queue *q = eo__promela_channel(run, channel);
  if (m->count != q->field_count) return; /* which is a failure itself */
  for (uint32_t i = 0; i < m->count; i++) {
    unsigned char cell[4] = {0};
    eo__promela_write(q->fields[i], cell, eo__promela_value(run, m->fields[i].value));
    values[i] = eo__promela_cell_read(q->fields[i], cell);
  }
  if (!run->failed) happens(run, &(event){EO_PROMELA_SEND, channel, m->count, values});
}

void eo__trace_receives(eo_promela_run *run, uint32_t channel, uint32_t slot) {
  int32_t values[256];
  uint32_t count = eo__promela_channel(run, channel)->field_count;
  for (uint32_t i = 0; i < count; i++) values[i] = eo__promela_channel_field(run, channel, slot, i);
  happens(run, &(event){EO_PROMELA_RECEIVE, channel, count, values});
}

bool eo__trace_may_end(const eo_promela_run *run) {
  const eo_promela_proctype *p = run->model->trace;
  return !p || run->model->notrace || p->locations[run->state[EO_PROMELA_TRACE_AT]].end;
}

/* ---- From the model ---------------------------------------------------------------------------------------------------- */

static void check_event(parser *p, const eo_promela_transition *t) {
  token at = {.file = t->file, .line = t->line};
  if (t->kind == EO_PROMELA_EXIT) return;
  if ((t->kind != EO_PROMELA_SEND && t->kind != EO_PROMELA_RECEIVE) || t->message->copies || t->message->ordered)
    eo__front_fail(p->front, &at, "'%.60s' is no event: a trace has sends (c!1,_) and receives (c?1,_)", t->text);
  if (!t->message->channel->ref->global)
    eo__front_fail(p->front, &at, "a trace speaks of channels that are declared outside of proctypes");
  for (uint32_t i = 0; i < t->message->count; i++)
    if (t->message->fields[i].match == EO_PROMELA_STORE)
      eo__front_fail(p->front, &at, "an event of a trace stores nothing: write a constant, or '_' for any value");
}

void eo__trace_read(parser *p) {
  token word = eo__parse_take(p);
  eo_promela *model = p->front->model;
  if (model->trace) eo__front_fail(p->front, &word, "a second trace");
  eo_promela_proctype *code = eo__front_take(p->front, sizeof *code);
  *code = (eo_promela_proctype){.name = word.text, .frame = HEAD, .file = word.file, .line = word.line};
  p->tracing = true;
  eo__parse_code(p, code);
  p->tracing = false;
  if (code->symbol_count) eo__front_fail(p->front, &word, "a trace has no variables of its own");
  if (code->location_count > MOST_LOCATIONS + 1)
    eo__front_fail(p->front, &word, "a trace of more than %d places", MOST_LOCATIONS);
  for (uint32_t l = 0; l < code->location_count; l++) {
    if (code->locations[l].accept || code->locations[l].progress)
      eo__parse_refuse(p, &word, "an accept or progress label in a trace");
    for (uint32_t i = 0; i < code->locations[l].count; i++) {
      const eo_promela_transition *t = code->locations[l].transitions[i];
      bool jump = t->kind == EO_PROMELA_SKIP && strcmp(t->text, "skip") != 0; /* where nobody stops */
      if (!jump) check_event(p, t);
    }
  }
  model->trace = code;
  model->notrace = strcmp(word.text, "notrace") == 0;
}
