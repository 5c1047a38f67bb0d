/* related.c: see related.h. What a process can do where it stands, and its steps. */
#include "subjects/model/related.h"

#include <string.h>

#include "base/alloc.h"
#include "subjects/model/ports.h"
#include "subjects/model/related_inside.h"
#include "subjects/model/subject.h"

enum { MOST_PRIVATE = 1000 }; /* steps that go with one: more may be an endless loop, which is for --depth to find */

/* ---- Doors ---------------------------------------------------------------------------------------------------------- */

static bool add_pattern(eo_related *r, uint32_t pid, uint32_t transition, const eo_promela_transition *t) {
  uint32_t channel = eo__promela_channel_meant(r->run, pid, t);
  if (!channel) return false; /* taking it tells what is wrong */
  EO__PUSH(&r->patterns, ((eo__pattern){transition, channel, (uint32_t)r->wanted.count, t->message->count}));
  for (uint32_t i = 0; i < t->message->count; i++) {
    const eo_promela_field *f = &t->message->fields[i];
    bool any = f->match != EO_PROMELA_VALUE;
    EO__PUSH(&r->wanted, ((eo__wanted){any, any ? 0 : eo__promela_evaluate(r->run, pid, f->value)}));
  }
  r->run->failed = false;
  return true;
}

/* What the process can do where it stands, when it has come there; it stays so until it moves, as no guard depends on what
 * others do. */
static void look_around(eo_related *r, uint32_t pid) {
  eo__seat *s = &r->seats[pid];
  const eo_promela_location *l = eo__related_location(r, pid);
  eo__door d = {(uint32_t)r->patterns.count, 0};
  eo_vec_clear(&s->ways);
  eo_vec_clear(&r->steps);
  if (!eo__promela_enabled_of(r->run, pid, &r->steps)) eo__related_out_of_memory(r);
  for (size_t i = 0; i < r->steps.count; i++) {
    uint32_t t = r->steps.items[i].transition;
    bool fails =
        l->transitions[t]->kind == EO_PROMELA_RECEIVE && !eo__promela_channel_meant(r->run, pid, l->transitions[t]);
    if (fails || (l->transitions[t]->kind != EO_PROMELA_RECEIVE && l->transitions[t]->kind != EO_PROMELA_EXIT))
      EO__PUSH(&s->ways, t);
  }
  for (uint32_t i = 0; i < l->count; i++)
    if (l->transitions[i]->kind == EO_PROMELA_RECEIVE) d.count += add_pattern(r, pid, i, l->transitions[i]);
  s->at_door = true;
  s->waited = d.count > 0;
  if (s->waited)
    EO__PUSH(&s->doors, d);
  else if (s->phase == EO__STANDS)
    s->phase = EO__LEFT;
}

static eo__seat *seat_of(eo_related *r, uint32_t pid) {
  eo__seat *s = &r->seats[pid];
  if (!s->at_door) look_around(r, pid);
  return s;
}

/* How many transitions at its door accept the message; *nth: which is the one of that number, from 0. */
static uint32_t acceptors(const eo_related *r, const eo__seat *s, uint32_t message, uint32_t nth,
                          uint32_t *transition) {
  const eo__door *d = &s->doors.items[s->doors.count - 1];
  uint32_t count = 0;
  for (uint32_t i = 0; i < d->count; i++)
    if (eo__letter_fits(r, &r->patterns.items[d->first + i], message)) {
      if (count == nth) *transition = r->patterns.items[d->first + i].transition;
      count++;
    }
  return count;
}

/* ---- Choices -------------------------------------------------------------------------------------------------------- */

static void add_choice(eo_related *r, uint32_t process, uint32_t value, uint16_t op, uint16_t kind) {
  if (!eo_vec_reserve(&r->choices, 1)) eo__related_out_of_memory(r);
  eo_choice_set(&r->choices.items[r->choices.count++], process, value, op, kind);
}

/* By sender, then as sent. */
static bool is_before(const eo_related *r, uint32_t message, uint32_t other) {
  const eo__sender *a = &r->senders.items[message - 1], *b = &r->senders.items[other - 1];
  return a->from != b->from ? a->from < b->from : a->nth < b->nth;
}

static void add_take(eo_related *r, size_t first, uint32_t process, uint32_t message) {
  size_t at = r->choices.count;
  for (size_t i = first; i < at; i++)
    if (r->choices.items[i].value == message) return; /* another transition accepts it, too */
  add_choice(r, process, message, EO_OP_RECEIVE, EO_CHOICE_TAKE);
  for (; at > first && is_before(r, message, r->choices.items[at - 1].value); at--) {
    eo_choice swapped = r->choices.items[at];
    r->choices.items[at] = r->choices.items[at - 1];
    r->choices.items[at - 1] = swapped;
  }
}

static void add_takes(eo_related *r, const eo__seat *s, uint32_t process) {
  const eo__door *d = &s->doors.items[s->doors.count - 1];
  size_t first = r->choices.count;
  for (uint32_t i = 0; i < d->count; i++) {
    const eo__pattern *p = &r->patterns.items[d->first + i];
    for (uint32_t slot = 0; slot < r->held[p->channel].count; slot++)
      if (eo__port_offers(r->run, p->channel, slot) && eo__letter_fits(r, p, r->held[p->channel].items[slot]))
        add_take(r, first, process, r->held[p->channel].items[slot]);
  }
  if (s->ways.count) add_choice(r, process, 0, EO_OP_RECEIVE, EO_CHOICE_TAKE);
}

static uint16_t op_of(const eo_related *r, uint32_t pid, uint32_t transition) {
  return eo__promela_choice(r->run, (eo_promela_step){(uint16_t)pid, (uint16_t)transition, EO_PROMELA_NO_RECEIVER, 0})
      .op;
}

/* Which transition a step takes that is no choose and no receive. */
static uint32_t transition_now(const eo__seat *s) { return s->phase == EO__DECIDED ? s->transition : s->ways.items[0]; }

static void add_choices(eo_related *r, uint32_t pid) {
  uint32_t process = eo__related_process(r, pid), ignored, count;
  if (r->seats[pid].phase == EO__STUCK) return;
  const eo__seat *s = seat_of(r, pid);
  switch (s->phase) {
    case EO__STANDS: add_takes(r, s, process); return;
    case EO__TOOK: count = acceptors(r, s, s->message, 0, &ignored); break;
    case EO__LEFT: count = (uint32_t)s->ways.count; break;
    default: count = 1; break;
  }
  if (count > 1)
    for (uint32_t i = 0; i < count; i++) add_choice(r, process, i, EO_OP_CHOOSE, EO_CHOICE_RUN);
  else if (count == 1)
    add_choice(r, process, 0, op_of(r, pid, transition_now(s)), EO_CHOICE_RUN);
}

/* Not inlined: nothing of it is in registers of a function that calls setjmp. */
__attribute__((noinline)) static uint32_t list_choices(eo_related *r, const eo_choice **choices) {
  eo_vec_clear(&r->choices);
  r->run->timeout = false;
  for (uint32_t pid = 0; pid < eo_promela_processes(r->run); pid++) add_choices(r, pid);
  *choices = r->choices.items;
  return (uint32_t)r->choices.count;
}

uint32_t eo__related_enabled(eo_related *r, const eo_choice **choices) {
  return setjmp(r->full) == 0 ? list_choices(r, choices) : 0;
}

/* ---- Steps ---------------------------------------------------------------------------------------------------------- */

static void note_touches(eo_related *r, const eo_promela_transition *t) {
  for (uint32_t i = 0; i < t->access_count; i++) {
    const eo_promela_access *a = &t->accesses[i];
    uint32_t symbol = a->symbol->owner ? r->model->symbol_count : eo__related_symbol(r->model, a->symbol);
    if (symbol < r->model->symbol_count && r->written[symbol]) EO__PUSH(&r->touches, ((eo_touch){symbol, a->writes}));
  }
}

static uint32_t first_twin(const eo_related *r, uint32_t channel, uint32_t slot) {
  while (eo__port_twin(r->run, channel, slot)) slot--;
  return slot;
}

/* The process takes this transition; a receive, this message. */
static bool act(eo_related *r, uint32_t pid, uint32_t transition, uint32_t message, eo_event *event) {
  eo__seat *s = &r->seats[pid];
  const eo_promela_transition *t = eo__related_location(r, pid)->transitions[transition];
  uint32_t channel = t->kind == EO_PROMELA_SEND ? eo__promela_channel_meant(r->run, pid, t) : 0;
  eo_promela_step step = {(uint16_t)pid, (uint16_t)transition, EO_PROMELA_NO_RECEIVER, 0};
  s->phase = EO__STANDS;
  s->at_door = false;
  note_touches(r, t);
  if (channel) eo__letter_ahead(r, channel);
  if (message) {
    uint32_t slot = eo__letter_slot(r, message), from = r->letters.items[message - 1].channel;
    step.receiver_transition = (uint16_t)first_twin(r, from, slot);
    EO__PUSH(&r->acted, eo__promela_choice(r->run, step));
    step.receiver_transition = (uint16_t)slot;
    eo__letter_taken(r, from, slot);
  } else {
    EO__PUSH(&r->acted, eo__promela_choice(r->run, step));
  }
  bool passed = eo__promela_apply(r->run, step);
  if (channel && eo__promela_channel_length(r->run, channel) > r->held[channel].count)
    eo__letter_sent(r, channel, pid, event);
  if (passed && event->op == EO_OP_SPAWN) event->other = eo__related_process(r, eo_promela_processes(r->run) - 1);
  return passed;
}

static bool take(eo_related *r, uint32_t pid, uint32_t message, eo_event *event) {
  eo__seat *s = &r->seats[pid];
  uint32_t transition = 0;
  if (s->ways.count) event->flags |= EO_EVENT_TIMED;
  if (!message) {
    event->flags |= EO_EVENT_TIMEOUT;
    s->phase = EO__LEFT;
    return true;
  }
  event->message = message;
  event->other = r->senders.items[message - 1].from;
  if (acceptors(r, s, message, 0, &transition) == 1) return act(r, pid, transition, message, event);
  s->phase = EO__TOOK;
  s->message = message;
  return true;
}

static bool is_private(const eo_related *r, const eo_promela_transition *t) {
  if (t->kind == EO_PROMELA_SEND || t->kind == EO_PROMELA_RECEIVE || t->kind == EO_PROMELA_EXIT) return false;
  for (uint32_t i = 0; i < t->access_count; i++) {
    uint32_t symbol =
        t->accesses[i].symbol->owner ? r->model->symbol_count : eo__related_symbol(r->model, t->accesses[i].symbol);
    if (symbol < r->model->symbol_count && r->written[symbol]) return false;
  }
  return !(t->value && t->value->op == EO_PROMELA_RUN);
}

/* A step that nobody can notice belongs to the one before it; unless it fails: then others can go on first. */
static void go_on(eo_related *r, uint32_t pid) {
  for (uint32_t steps = 0; steps < MOST_PRIVATE; steps++) {
    eo__seat *s = seat_of(r, pid);
    if (s->phase != EO__DECIDED && !(s->phase == EO__LEFT && s->ways.count == 1)) return;
    eo_promela_step step = {(uint16_t)pid, (uint16_t)transition_now(s), EO_PROMELA_NO_RECEIVER, 0};
    if (!is_private(r, eo__related_location(r, pid)->transitions[step.transition])) return;
    size_t size = r->run->size;
    eo_vec_clear(&r->before);
    if (!eo_vec_reserve(&r->before, size)) eo__related_out_of_memory(r);
    memcpy(r->before.items, r->run->state, size);
    eo_choice choice = eo__promela_choice(r->run, step);
    if (!eo__promela_apply(r->run, step)) {
      if (!eo__promela_load(r->run, r->before.items, size)) eo__related_out_of_memory(r);
      return;
    }
    EO__PUSH(&r->acted, choice);
    s->phase = EO__STANDS;
    s->at_door = false;
  }
}

static bool take_step(eo_related *r, uint32_t pid, eo_choice choice, eo_event *event) {
  uint32_t transition = 0;
  eo__seat *s = seat_of(r, pid);
  switch (s->phase) {
    case EO__STANDS: return take(r, pid, choice.value, event);
    case EO__TOOK:
      (void)acceptors(r, s, s->message, choice.value, &transition);
      return act(r, pid, transition, s->message, event);
    case EO__LEFT:
      if (s->ways.count == 1) return act(r, pid, s->ways.items[0], 0, event);
      s->transition = s->ways.items[choice.value];
      s->phase = EO__DECIDED;
      return true;
    default: return act(r, pid, s->transition, 0, event);
  }
}

__attribute__((noinline)) static bool step(eo_related *r, eo_choice choice, eo_event *event) {
  uint32_t pid = eo__related_pid(r, choice.process);
  *event = (eo_event){.process = choice.process, .op = choice.op, .other = EO_NO_PROCESS};
  eo_vec_clear(&r->touches);
  eo_vec_clear(&r->acted);
  if (take_step(r, pid, choice, event)) {
    go_on(r, pid);
    return true;
  }
  event->flags |= EO_EVENT_FAILED;
  if (r->run->no_memory) return false;
  event->flags |= EO_EVENT_STUCK;
  r->seats[pid].phase = EO__STUCK;
  r->seats[pid].at_door = r->seats[pid].waited = false;
  return false;
}

bool eo__related_step(eo_related *r, eo_choice choice, eo_event *event) {
  return setjmp(r->full) == 0 && step(r, choice, event);
}

_Noreturn void eo__related_out_of_memory(eo_related *r) {
  r->run->no_memory = true;
  longjmp(r->full, 1);
}

bool eo__related_is_stuck(const eo_related *r) {
  for (uint32_t pid = 0; pid < eo_promela_processes(r->run); pid++)
    if (r->seats[pid].phase == EO__STUCK) return true;
  return false;
}

void eo__related_fingerprint(const eo_related *r, uint64_t hash[2]) {
  for (uint32_t pid = 0; pid < eo_promela_processes(r->run); pid++) {
    const eo__seat *s = &r->seats[pid];
    uint64_t more = s->phase == EO__TOOK ? s->message : s->phase == EO__DECIDED ? s->transition : 0;
    bool decided = s->phase == EO__TOOK || s->phase == EO__DECIDED || (s->phase == EO__LEFT && s->waited);
    if (decided) hash[0] ^= ((uint64_t)s->phase << 56 ^ (uint64_t)pid << 40 ^ more) * 0x9e3779b97f4a7c15u;
  }
}

uint32_t eo__related_touched(const eo_related *r, const eo_touch **touches) {
  *touches = r->touches.items;
  return (uint32_t)r->touches.count;
}
