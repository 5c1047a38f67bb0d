/* related_life.c: the steps of related.h begin, are saved and restored, and become plain choices again. */
#include <string.h>

#include "base/alloc.h"
#include "subjects/model/related_inside.h"
#include "subjects/model/subject.h"

/* ---- Saving ---------------------------------------------------------------------------------------------------------- */

/* What was saved lies on the path: all lists but those of ports only grow along it. The door where a process stands is
 * made anew. */
bool eo__related_save(const eo_related *r, eo_related_saved *out) {
  uint32_t processes = eo_promela_processes(r->run), channels = eo_promela_channels(r->run);
  size_t held = 0;
  for (uint32_t c = 1; c <= channels; c++) held += r->held[c].count;
  if (!eo_vec_reserve(out, 3 + 5 * (size_t)processes + channels + held)) return false;
  uint32_t *to = out->items + out->count;
  *to++ = (uint32_t)r->fields.count;
  *to++ = (uint32_t)r->patterns.count;
  *to++ = (uint32_t)r->wanted.count;
  for (uint32_t pid = 0; pid < processes; pid++) {
    const eo__seat *s = &r->seats[pid];
    *to++ = s->phase;
    *to++ = s->message;
    *to++ = s->transition;
    *to++ = s->sent;
    *to++ = (uint32_t)s->doors.count - (s->at_door && s->waited);
  }
  for (uint32_t c = 1; c <= channels; c++) {
    *to++ = (uint32_t)r->held[c].count;
    for (size_t i = 0; i < r->held[c].count; i++) *to++ = r->held[c].items[i];
  }
  out->count = (size_t)(to - out->items);
  return true;
}

bool eo__related_restore(eo_related *r, const uint32_t *saved) {
  uint32_t processes = eo_promela_processes(r->run);
  const uint32_t *lists = saved + 3 + 5 * (size_t)processes, *from = lists;
  for (uint32_t c = 1; c <= eo_promela_channels(r->run); c++, from += 1 + *from)
    if (r->held[c].capacity < *from && !eo_vec_reserve(&r->held[c], *from)) return false;
  r->fields.count = *saved++;
  r->patterns.count = *saved++;
  r->wanted.count = *saved++;
  for (uint32_t pid = 0; pid <= EO_PROMELA_MOST_PROCESSES; pid++) {
    eo__seat *s = &r->seats[pid];
    bool there = pid < processes;
    s->at_door = s->waited = false;
    s->phase = there ? (eo__phase)*saved++ : EO__STANDS;
    s->message = there ? *saved++ : 0;
    s->transition = there ? *saved++ : 0;
    s->sent = there ? *saved++ : 0;
    s->doors.count = there ? *saved++ : 0;
  }
  from = lists;
  for (uint32_t c = 1; c <= eo_promela_channels(r->run); c++) {
    r->held[c].count = *from++;
    for (size_t i = 0; i < r->held[c].count; i++) r->held[c].items[i] = *from++;
  }
  return true;
}

/* ---- Plain choices --------------------------------------------------------------------------------------------------- */

/* When nothing but ends is left, they come too: only then is a dead end one. */
static bool add_ends(eo_related *r) {
  for (;;) {
    if (!eo__promela_enabled(r->run, &r->steps)) return false;
    if (!r->steps.count) return true;
    for (size_t i = 0; i < r->steps.count; i++) {
      eo_promela_step step = r->steps.items[i];
      if (eo__promela_transition_of(r->run, step.process, step.transition)->kind != EO_PROMELA_EXIT) return true;
    }
    if (!eo_vec_push(&r->plain, eo__promela_choice(r->run, r->steps.items[0]))) return false;
    (void)eo__promela_apply(r->run, r->steps.items[0]);
  }
}

uint32_t eo__related_plain(eo_related *r, const eo_choice *choices, uint32_t count, const eo_choice **out) {
  eo_promela_run run;
  eo_related *other = NULL;
  bool good = eo__promela_run_init(&run, r->model), passed = true;
  run.delivery = r->run->delivery;
  eo_vec_clear(&r->plain);
  if (good) other = eo__related_open(&run);
  good = good && other && eo__promela_run_start(&run);
  if (good) eo__related_reset(other);
  good = good && !run.no_memory;
  for (size_t i = 0; good && i < other->started.count; i++) good = eo_vec_push(&r->plain, other->started.items[i]);
  for (uint32_t i = 0; i < count && good && passed; i++) {
    eo_event event;
    const eo_choice *ignored;
    (void)eo__related_enabled(other, &ignored);
    eo_choice same = choices[i]; /* messages have other numbers there */
    if (same.kind == EO_CHOICE_TAKE && same.value) {
      const eo__sender *from = &r->senders.items[same.value - 1];
      same.value = eo__related_message(other, from->from, from->nth);
    }
    passed = !run.no_memory && eo__related_step(other, same, &event);
    good = good && !run.no_memory;
    for (size_t k = 0; k < other->acted.count && good; k++) good = eo_vec_push(&r->plain, other->acted.items[k]);
  }
  if (good && passed) {
    eo_vec_clear(&other->plain);
    good = add_ends(other);
    for (size_t i = 0; i < other->plain.count && good; i++) good = eo_vec_push(&r->plain, other->plain.items[i]);
  }
  eo__related_close(other);
  eo__promela_run_release(&run);
  *out = r->plain.items;
  return good ? (uint32_t)r->plain.count : UINT32_MAX;
}

/* ---- Life ------------------------------------------------------------------------------------------------------------ */

/* Who receives from the element number `element` of this channel variable, if that process is not there yet? */
static uint32_t late_receiver(const eo_related *r, uint32_t symbol, uint32_t element) {
  const eo_promela_proctype *p = r->receives_from[symbol];
  if (!p || !r->model->symbols[symbol]->array) return EO_NO_PROCESS;
  return element * r->model->proctype_count + p->number;
}

static void find_late_receivers(eo_related *r) {
  for (uint32_t i = 0; i < r->model->symbol_count; i++) {
    const eo_promela_symbol *symbol = r->model->symbols[i];
    for (uint32_t k = 0; symbol->type == EO_PROMELA_CHAN && k < symbol->count; k++) {
      const unsigned char *at = r->run->state + EO_PROMELA_GLOBALS_AT + symbol->offset + (size_t)k * symbol->stride;
      int32_t channel = eo__promela_cell_read(symbol->cell, at);
      if (channel > 0 && channel <= EO_PROMELA_MOST_CHANNELS) r->receiver[channel] = late_receiver(r, i, k);
    }
  }
}

static void find_receivers(eo_related *r) {
  for (uint32_t i = 0; i <= EO_PROMELA_MOST_CHANNELS; i++) r->receiver[i] = EO_NO_PROCESS;
  if (!r->starting.all_there) find_late_receivers(r);
  for (uint32_t pid = 0; pid < eo_promela_processes(r->run); pid++) {
    const eo_promela_proctype *p = eo__promela_process(r->run, pid);
    for (uint32_t l = 0; l < p->location_count; l++)
      for (uint32_t k = 0; k < p->locations[l].count; k++) {
        const eo_promela_transition *t = p->locations[l].transitions[k];
        if (t->kind != EO_PROMELA_RECEIVE) continue;
        uint32_t channel = eo__promela_channel_meant(r->run, pid, t);
        if (channel) r->receiver[channel] = eo__related_process(r, pid);
      }
  }
}

/* What is done before anything else happens: nobody relates to it. */
static void start_all(eo_related *r) {
  eo_vec_clear(&r->started);
  for (size_t i = 0; i < r->starting.steps.count; i++) {
    EO__PUSH(&r->started, eo__promela_choice(r->run, r->starting.steps.items[i]));
    bool good = eo__promela_apply(r->run, r->starting.steps.items[i]);
    if (r->run->no_memory) eo__related_out_of_memory(r);
    EO_CHECK(good);
  }
}

__attribute__((noinline)) static void begin(eo_related *r) {
  eo_vec_clear(&r->fields);
  eo_vec_clear(&r->patterns);
  eo_vec_clear(&r->wanted);
  eo_vec_clear(&r->touches);
  for (uint32_t i = 0; i <= EO_PROMELA_MOST_CHANNELS; i++) eo_vec_clear(&r->held[i]);
  for (uint32_t i = 0; i <= EO_PROMELA_MOST_PROCESSES; i++) {
    eo__seat *s = &r->seats[i];
    s->phase = EO__STANDS;
    s->sent = 0;
    s->at_door = false;
    eo_vec_clear(&s->doors);
  }
  start_all(r);
  find_receivers(r);
}

void eo__related_reset(eo_related *r) {
  if (setjmp(r->full) == 0) begin(r);
}

uint32_t eo__related_first(eo_related *r, uint32_t *processes) {
  for (uint32_t i = 0; i < r->first.count; i++) processes[i] = r->first.items[i];
  return (uint32_t)r->first.count;
}

/* The steps of the start, and who is there then. */
static bool find_start(eo_related *r) {
  eo_promela_run run;
  bool good = eo__promela_run_init(&run, r->model);
  run.delivery = r->run->delivery;
  good = good && eo__starting_find(&r->starting, &run);
  for (uint32_t pid = 0; good && pid < eo_promela_processes(&run); pid++)
    good = eo_vec_push(&r->first, pid * r->model->proctype_count + eo__promela_process(&run, pid)->number);
  eo__promela_run_release(&run);
  return good;
}

eo_related *eo__related_open(eo_promela_run *run) {
  eo_related *r = eo__alloc(sizeof *r);
  if (!r) return NULL;
  const eo_promela *model = run->model;
  r->run = run;
  r->model = model;
  r->written = eo__related_written(model);
  r->receives_from = eo__alloc((model->symbol_count + 1) * sizeof *r->receives_from);
  if (!r->written || !r->receives_from || !find_start(r)) {
    eo__related_close(r);
    return NULL;
  }
  for (uint32_t i = 0; i < model->proctype_count; i++)
    for (uint32_t l = 0; l < model->proctypes[i]->location_count; l++)
      for (uint32_t k = 0; k < model->proctypes[i]->locations[l].count; k++) {
        const eo_promela_transition *t = model->proctypes[i]->locations[l].transitions[k];
        uint32_t symbol = t->kind != EO_PROMELA_RECEIVE ? model->symbol_count
                                                        : eo__related_symbol(model, t->message->channel->ref->symbol);
        if (symbol < model->symbol_count) r->receives_from[symbol] = model->proctypes[i];
      }
  return r;
}

void eo__related_close(eo_related *r) {
  if (!r) return;
  for (size_t i = 0; i < r->messages.count; i++) eo_vec_release(&r->messages.items[i].list);
  for (uint32_t i = 0; i <= EO_PROMELA_MOST_CHANNELS; i++) eo_vec_release(&r->held[i]);
  for (uint32_t i = 0; i <= EO_PROMELA_MOST_PROCESSES; i++) {
    eo_vec_release(&r->seats[i].doors);
    eo_vec_release(&r->seats[i].ways);
  }
  eo_vec_release(&r->messages);
  eo_vec_release(&r->senders);
  eo_vec_release(&r->letters);
  eo_vec_release(&r->fields);
  eo_vec_release(&r->patterns);
  eo_vec_release(&r->wanted);
  eo_vec_release(&r->touches);
  eo_vec_release(&r->choices);
  eo_vec_release(&r->plain);
  eo_vec_release(&r->acted);
  eo_vec_release(&r->before);
  eo_vec_release(&r->steps);
  eo__starting_release(&r->starting);
  eo_vec_release(&r->started);
  eo_vec_release(&r->first);
  eo__free(r->written);
  eo__free(r->receives_from);
  eo__free(r);
}
