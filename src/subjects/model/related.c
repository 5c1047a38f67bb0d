/* related.c: see related.h. */
#include "subjects/model/related.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "core/program.h"
#include "subjects/model/ports.h"
#include "subjects/model/starting.h"
#include "subjects/model/subject.h"

enum { MOST_PRIVATE = 1000 }; /* steps that go with one: more may be an endless loop, which is for --depth to find */

typedef EO_VEC(uint32_t) numbers;

/* A receive transition at a door: what it accepts. */
typedef struct pattern {
  uint32_t transition, channel;
  uint32_t first, count; /* in `wanted` */
} pattern;

typedef struct wanted {
  bool any;
  int32_t value;
} wanted;

typedef struct door {
  uint32_t first, count; /* in `patterns` */
} door;

typedef enum phase {
  STANDS,  /* at its location */
  TOOK,    /* a message that several transitions accept */
  LEFT,    /* a door, without a message */
  DECIDED, /* which transition it takes */
} phase;

/* What is known of a process of the execution under way. */
typedef struct seat {
  phase phase;
  uint32_t message;    /* TOOK */
  uint32_t transition; /* DECIDED */
  uint32_t sent;
  bool at_door; /* what it can do where it stands is known; the last of its doors is there, if `waited` */
  bool waited;  /* it could receive there */
  EO_VEC(door) doors;
  numbers ways; /* transitions that it can take beside receiving */
} seat;

typedef struct sender {
  uint32_t from, nth;
} sender;

/* A message of the execution under way. */
typedef struct letter {
  uint32_t to, channel;
  uint32_t first; /* field, in `fields` */
} letter;

struct eo_related {
  eo_promela_run *run;
  const eo_promela *model;
  bool *written;                             /* by number of the global symbol */
  const eo_promela_proctype **receives_from; /* by the same: who receives; NULL: nobody */
  EO_VEC(struct { numbers list; }) messages; /* by process: numbers of its messages */
  EO_VEC(sender) senders;                    /* by number of the message - 1 */
  EO_VEC(letter) letters;
  EO_VEC(int32_t) fields;
  EO_VEC(pattern) patterns;
  EO_VEC(wanted) wanted;
  uint32_t receiver[EO_PROMELA_MOST_CHANNELS + 1]; /* process; EO_NO_PROCESS: none */
  numbers held[EO_PROMELA_MOST_CHANNELS + 1];      /* by slot: the number of the message there */
  seat seats[EO_PROMELA_MOST_PROCESSES + 1];       /* by _pid */
  EO_VEC(eo_touch) touches;
  EO_VEC(eo_choice) choices, plain;
  EO_VEC(unsigned char) before; /* what was in a port before a send; the state before a step that may fail */
  eo_promela_steps steps;
  EO_VEC(eo_choice) acted; /* the plain choices that the last step was */
  eo__starting starting;
  EO_VEC(eo_choice) started; /* its steps, as plain choices */
  numbers first;             /* processes that are there then */
};

/* The seam has no way to say that there is no memory. */
#define PUSH(list, item) EO_CHECK(eo_vec_push(list, item))

static uint32_t process_number(const eo_related *r, uint32_t pid) {
  return pid * r->model->proctype_count + eo_promela_process(r->run, pid)->number;
}

static uint32_t pid_of(const eo_related *r, uint32_t process) { return process / r->model->proctype_count; }

static const eo_promela_location *location(const eo_related *r, uint32_t pid) {
  return &eo_promela_process(r->run, pid)->locations[eo_promela_location_of(r->run, pid)];
}

/* ---- Messages ------------------------------------------------------------------------------------------------------- */

uint32_t eo__related_message(eo_related *r, uint32_t from, uint32_t nth) {
  while (r->messages.count <= from) {
    EO_CHECK(eo_vec_reserve(&r->messages, 1));
    memset(&r->messages.items[r->messages.count++], 0, sizeof *r->messages.items);
  }
  numbers *list = &r->messages.items[from].list;
  while (list->count < nth) {
    PUSH(&r->senders, ((sender){from, (uint32_t)list->count + 1}));
    PUSH(&r->letters, ((letter){EO_NO_PROCESS, 0, 0}));
    PUSH(list, (uint32_t)r->senders.count);
  }
  return list->items[nth - 1];
}

eo_sent eo__related_sent(const eo_related *r, uint32_t number) {
  EO_CHECK(number > 0 && number <= r->senders.count);
  const sender *s = &r->senders.items[number - 1];
  return (eo_sent){number, s->from, r->letters.items[number - 1].to, s->nth};
}

int eo__related_tag(const eo_related *r, uint32_t message) {
  const letter *l = &r->letters.items[message - 1];
  return eo_promela_channel(r->run, l->channel)->field_count ? r->fields.items[l->first] : 0;
}

static bool accepts(const eo_related *r, const pattern *p, uint32_t message) {
  const letter *l = &r->letters.items[message - 1];
  if (l->channel != p->channel) return false;
  for (uint32_t i = 0; i < p->count; i++) {
    const wanted *w = &r->wanted.items[p->first + i];
    if (!w->any && w->value != r->fields.items[l->first + i]) return false;
  }
  return true;
}

bool eo__related_matches(const eo_related *r, uint32_t process, uint32_t nth, uint32_t message) {
  const seat *s = &r->seats[pid_of(r, process)];
  EO_CHECK(nth < s->doors.count && message > 0 && message <= r->letters.count);
  const door *d = &s->doors.items[nth];
  for (uint32_t i = 0; i < d->count; i++)
    if (accepts(r, &r->patterns.items[d->first + i], message)) return true;
  return false;
}

/* A port offers its first messages, whatever is asked for. */
bool eo__related_blocks(const eo_related *r, uint32_t message, uint32_t first) {
  return r->letters.items[message - 1].channel == r->letters.items[first - 1].channel;
}

/* The message is in its port: at which slot? By sender, or, where order means nothing, where the bytes are new. */
static uint32_t slot_of_new(const eo_related *r, uint32_t channel, uint32_t pid) {
  const numbers *held = &r->held[channel];
  uint32_t slot = 0;
  if (r->run->delivery != EO_DELIVERY_ASYNC) {
    while (slot < held->count && pid_of(r, r->senders.items[held->items[slot] - 1].from) <= pid) slot++;
    return slot;
  }
  size_t stride = eo__promela_stride(r->run, eo_promela_channel(r->run, channel));
  const unsigned char *now = r->run->state + r->run->channel_at[channel - 1] + EO_PROMELA_HEAD;
  while (slot < held->count && memcmp(now + slot * stride, r->before.items + slot * stride, stride) == 0) slot++;
  return slot;
}

static void keep_before(eo_related *r, uint32_t channel) {
  size_t size = (size_t)eo_promela_channel_length(r->run, channel) *
                eo__promela_stride(r->run, eo_promela_channel(r->run, channel));
  eo_vec_clear(&r->before);
  EO_CHECK(eo_vec_reserve(&r->before, size + 1));
  memcpy(r->before.items, r->run->state + r->run->channel_at[channel - 1] + EO_PROMELA_HEAD, size);
}

/* Nothing that anybody takes is no message. */
static void note_sent(eo_related *r, uint32_t channel, uint32_t pid, eo_event *event) {
  numbers *held = &r->held[channel];
  uint32_t slot = slot_of_new(r, channel, pid), fields = eo_promela_channel(r->run, channel)->field_count;
  uint32_t number = eo__related_message(r, event->process, ++r->seats[pid].sent);
  r->letters.items[number - 1] = (letter){r->receiver[channel], channel, (uint32_t)r->fields.count};
  PUSH(held, 0);
  memmove(&held->items[slot + 1], &held->items[slot], (held->count - slot - 1) * sizeof *held->items);
  held->items[slot] = number;
  for (uint32_t i = 0; i < fields; i++) PUSH(&r->fields, eo_promela_channel_field(r->run, channel, slot, i));
  if (r->receiver[channel] == EO_NO_PROCESS) return;
  event->other = r->receiver[channel];
  event->message = number;
  event->sent = 1;
}

static void note_taken(eo_related *r, uint32_t channel, uint32_t slot) {
  numbers *held = &r->held[channel];
  memmove(&held->items[slot], &held->items[slot + 1], (held->count - slot - 1) * sizeof *held->items);
  held->count--;
}

static uint32_t slot_of(const eo_related *r, uint32_t message) {
  const numbers *held = &r->held[r->letters.items[message - 1].channel];
  uint32_t slot = 0;
  while (slot < held->count && held->items[slot] != message) slot++;
  EO_CHECK(slot < held->count);
  return slot;
}

/* ---- Doors ---------------------------------------------------------------------------------------------------------- */

static bool add_pattern(eo_related *r, uint32_t pid, uint32_t transition, const eo_promela_transition *t) {
  uint32_t channel = eo_promela_channel_meant(r->run, pid, t);
  if (!channel) return false; /* taking it tells what is wrong */
  PUSH(&r->patterns, ((pattern){transition, channel, (uint32_t)r->wanted.count, t->message->count}));
  for (uint32_t i = 0; i < t->message->count; i++) {
    const eo_promela_field *f = &t->message->fields[i];
    bool any = f->match != EO_PROMELA_VALUE;
    PUSH(&r->wanted, ((wanted){any, any ? 0 : eo_promela_evaluate(r->run, pid, f->value)}));
  }
  r->run->failed = false;
  return true;
}

/* What the process can do where it stands, when it has come there; it stays so until it moves, as no guard depends on what
 * others do. */
static void look_around(eo_related *r, uint32_t pid) {
  seat *s = &r->seats[pid];
  const eo_promela_location *l = location(r, pid);
  door d = {(uint32_t)r->patterns.count, 0};
  eo_vec_clear(&s->ways);
  eo_vec_clear(&r->steps);
  EO_CHECK(eo_promela_enabled_of(r->run, pid, &r->steps));
  for (size_t i = 0; i < r->steps.count; i++) {
    uint32_t t = r->steps.items[i].transition;
    bool fails =
        l->transitions[t]->kind == EO_PROMELA_RECEIVE && !eo_promela_channel_meant(r->run, pid, l->transitions[t]);
    if (fails || (l->transitions[t]->kind != EO_PROMELA_RECEIVE && l->transitions[t]->kind != EO_PROMELA_EXIT))
      PUSH(&s->ways, t);
  }
  for (uint32_t i = 0; i < l->count; i++)
    if (l->transitions[i]->kind == EO_PROMELA_RECEIVE) d.count += add_pattern(r, pid, i, l->transitions[i]);
  s->at_door = true;
  s->waited = d.count > 0;
  if (s->waited)
    PUSH(&s->doors, d);
  else if (s->phase == STANDS)
    s->phase = LEFT;
}

static seat *seat_of(eo_related *r, uint32_t pid) {
  seat *s = &r->seats[pid];
  if (!s->at_door) look_around(r, pid);
  return s;
}

/* How many transitions at its door accept the message; *nth: which is the one of that number, from 0. */
static uint32_t acceptors(const eo_related *r, const seat *s, uint32_t message, uint32_t nth, uint32_t *transition) {
  const door *d = &s->doors.items[s->doors.count - 1];
  uint32_t count = 0;
  for (uint32_t i = 0; i < d->count; i++)
    if (accepts(r, &r->patterns.items[d->first + i], message)) {
      if (count == nth) *transition = r->patterns.items[d->first + i].transition;
      count++;
    }
  return count;
}

/* ---- Choices -------------------------------------------------------------------------------------------------------- */

static void add_choice(eo_related *r, uint32_t process, uint32_t value, uint16_t op, uint16_t kind) {
  EO_CHECK(eo_vec_reserve(&r->choices, 1));
  eo_choice_set(&r->choices.items[r->choices.count++], process, value, op, kind);
}

/* By sender, then as sent. */
static bool is_before(const eo_related *r, uint32_t message, uint32_t other) {
  const sender *a = &r->senders.items[message - 1], *b = &r->senders.items[other - 1];
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

static void add_takes(eo_related *r, const seat *s, uint32_t process) {
  const door *d = &s->doors.items[s->doors.count - 1];
  size_t first = r->choices.count;
  for (uint32_t i = 0; i < d->count; i++) {
    const pattern *p = &r->patterns.items[d->first + i];
    for (uint32_t slot = 0; slot < r->held[p->channel].count; slot++)
      if (eo__port_offers(r->run, p->channel, slot) && accepts(r, p, r->held[p->channel].items[slot]))
        add_take(r, first, process, r->held[p->channel].items[slot]);
  }
  if (s->ways.count) add_choice(r, process, 0, EO_OP_RECEIVE, EO_CHOICE_TAKE);
}

static uint16_t op_of(const eo_related *r, uint32_t pid, uint32_t transition) {
  return eo_promela_choice(r->run, (eo_promela_step){(uint16_t)pid, (uint16_t)transition, EO_PROMELA_NO_RECEIVER, 0})
      .op;
}

/* Which transition a step takes that is no choose and no receive. */
static uint32_t transition_now(const seat *s) { return s->phase == DECIDED ? s->transition : s->ways.items[0]; }

static void add_choices(eo_related *r, uint32_t pid) {
  uint32_t process = process_number(r, pid), ignored, count;
  const seat *s = seat_of(r, pid);
  switch (s->phase) {
    case STANDS: add_takes(r, s, process); return;
    case TOOK: count = acceptors(r, s, s->message, 0, &ignored); break;
    case LEFT: count = (uint32_t)s->ways.count; break;
    default: count = 1; break;
  }
  if (count > 1)
    for (uint32_t i = 0; i < count; i++) add_choice(r, process, i, EO_OP_CHOOSE, EO_CHOICE_RUN);
  else if (count == 1)
    add_choice(r, process, 0, op_of(r, pid, transition_now(s)), EO_CHOICE_RUN);
}

uint32_t eo__related_enabled(eo_related *r, const eo_choice **choices) {
  eo_vec_clear(&r->choices);
  r->run->timeout = false;
  for (uint32_t pid = 0; pid < eo_promela_processes(r->run); pid++) add_choices(r, pid);
  *choices = r->choices.items;
  return (uint32_t)r->choices.count;
}

/* ---- Steps ---------------------------------------------------------------------------------------------------------- */

static void note_touches(eo_related *r, const eo_promela_transition *t) {
  for (uint32_t i = 0; i < t->access_count; i++) {
    const eo_promela_access *a = &t->accesses[i];
    uint32_t symbol = a->symbol->owner ? r->model->symbol_count : eo__related_symbol(r->model, a->symbol);
    if (symbol < r->model->symbol_count && r->written[symbol]) PUSH(&r->touches, ((eo_touch){symbol, a->writes}));
  }
}

static uint32_t first_twin(const eo_related *r, uint32_t channel, uint32_t slot) {
  while (eo__port_twin(r->run, channel, slot)) slot--;
  return slot;
}

/* The process takes this transition; a receive, this message. */
static bool act(eo_related *r, uint32_t pid, uint32_t transition, uint32_t message, eo_event *event) {
  seat *s = &r->seats[pid];
  const eo_promela_transition *t = location(r, pid)->transitions[transition];
  uint32_t channel = t->kind == EO_PROMELA_SEND ? eo_promela_channel_meant(r->run, pid, t) : 0;
  eo_promela_step step = {(uint16_t)pid, (uint16_t)transition, EO_PROMELA_NO_RECEIVER, 0};
  s->phase = STANDS;
  s->at_door = false;
  note_touches(r, t);
  if (channel) keep_before(r, channel);
  if (message) {
    uint32_t slot = slot_of(r, message), from = r->letters.items[message - 1].channel;
    step.receiver_transition = (uint16_t)first_twin(r, from, slot);
    PUSH(&r->acted, eo_promela_choice(r->run, step));
    step.receiver_transition = (uint16_t)slot;
    note_taken(r, from, slot);
  } else {
    PUSH(&r->acted, eo_promela_choice(r->run, step));
  }
  bool passed = eo_promela_apply(r->run, step);
  if (channel && eo_promela_channel_length(r->run, channel) > r->held[channel].count) note_sent(r, channel, pid, event);
  if (passed && event->op == EO_OP_SPAWN) event->other = process_number(r, eo_promela_processes(r->run) - 1);
  return passed;
}

static bool take(eo_related *r, uint32_t pid, uint32_t message, eo_event *event) {
  seat *s = &r->seats[pid];
  uint32_t transition = 0;
  if (s->ways.count) event->flags |= EO_EVENT_TIMED;
  if (!message) {
    event->flags |= EO_EVENT_TIMEOUT;
    s->phase = LEFT;
    return true;
  }
  event->message = message;
  event->other = r->senders.items[message - 1].from;
  if (acceptors(r, s, message, 0, &transition) == 1) return act(r, pid, transition, message, event);
  s->phase = TOOK;
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
    seat *s = seat_of(r, pid);
    if (s->phase != DECIDED && !(s->phase == LEFT && s->ways.count == 1)) return;
    eo_promela_step step = {(uint16_t)pid, (uint16_t)transition_now(s), EO_PROMELA_NO_RECEIVER, 0};
    if (!is_private(r, location(r, pid)->transitions[step.transition])) return;
    size_t size = r->run->size;
    eo_vec_clear(&r->before);
    EO_CHECK(eo_vec_reserve(&r->before, size));
    memcpy(r->before.items, r->run->state, size);
    eo_choice choice = eo_promela_choice(r->run, step);
    if (!eo_promela_apply(r->run, step)) {
      EO_CHECK(eo_promela_load(r->run, r->before.items, size));
      return;
    }
    PUSH(&r->acted, choice);
    s->phase = STANDS;
    s->at_door = false;
  }
}

static bool take_step(eo_related *r, uint32_t pid, eo_choice choice, eo_event *event) {
  uint32_t transition = 0;
  seat *s = seat_of(r, pid);
  switch (s->phase) {
    case STANDS: return take(r, pid, choice.value, event);
    case TOOK:
      (void)acceptors(r, s, s->message, choice.value, &transition);
      return act(r, pid, transition, s->message, event);
    case LEFT:
      if (s->ways.count == 1) return act(r, pid, s->ways.items[0], 0, event);
      s->transition = s->ways.items[choice.value];
      s->phase = DECIDED;
      return true;
    default: return act(r, pid, s->transition, 0, event);
  }
}

bool eo__related_step(eo_related *r, eo_choice choice, eo_event *event) {
  uint32_t pid = pid_of(r, choice.process);
  *event = (eo_event){.process = choice.process, .op = choice.op, .other = EO_NO_PROCESS};
  eo_vec_clear(&r->touches);
  eo_vec_clear(&r->acted);
  bool passed = take_step(r, pid, choice, event);
  if (passed) go_on(r, pid);
  return passed;
}

void eo__related_fingerprint(const eo_related *r, uint64_t hash[2]) {
  for (uint32_t pid = 0; pid < eo_promela_processes(r->run); pid++) {
    const seat *s = &r->seats[pid];
    uint64_t more = s->phase == TOOK ? s->message : s->phase == DECIDED ? s->transition : 0;
    bool decided = s->phase == TOOK || s->phase == DECIDED || (s->phase == LEFT && s->waited);
    if (decided) hash[0] ^= ((uint64_t)s->phase << 56 ^ (uint64_t)pid << 40 ^ more) * 0x9e3779b97f4a7c15u;
  }
}

uint32_t eo__related_touched(const eo_related *r, const eo_touch **touches) {
  *touches = r->touches.items;
  return (uint32_t)r->touches.count;
}

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
    const seat *s = &r->seats[pid];
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
    seat *s = &r->seats[pid];
    bool there = pid < processes;
    s->at_door = s->waited = false;
    s->phase = there ? (phase)*saved++ : STANDS;
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
    if (!eo_promela_enabled(r->run, &r->steps)) return false;
    if (!r->steps.count) return true;
    for (size_t i = 0; i < r->steps.count; i++) {
      eo_promela_step step = r->steps.items[i];
      if (eo_promela_transition_of(r->run, step.process, step.transition)->kind != EO_PROMELA_EXIT) return true;
    }
    if (!eo_vec_push(&r->plain, eo_promela_choice(r->run, r->steps.items[0]))) return false;
    (void)eo_promela_apply(r->run, r->steps.items[0]);
  }
}

uint32_t eo__related_plain(eo_related *r, const eo_choice *choices, uint32_t count, const eo_choice **out) {
  eo_promela_run run;
  eo_related *other = NULL;
  bool good = eo_promela_run_init(&run, r->model), passed = true;
  run.delivery = r->run->delivery;
  eo_vec_clear(&r->plain);
  if (good) other = eo__related_open(&run);
  good = good && other && eo_promela_run_start(&run);
  if (good) eo__related_reset(other);
  for (size_t i = 0; good && i < other->started.count; i++) good = eo_vec_push(&r->plain, other->started.items[i]);
  for (uint32_t i = 0; i < count && good && passed; i++) {
    eo_event event;
    const eo_choice *ignored;
    (void)eo__related_enabled(other, &ignored);
    eo_choice same = choices[i]; /* messages have other numbers there */
    if (same.kind == EO_CHOICE_TAKE && same.value) {
      const sender *from = &r->senders.items[same.value - 1];
      same.value = eo__related_message(other, from->from, from->nth);
    }
    passed = eo__related_step(other, same, &event);
    for (size_t k = 0; k < other->acted.count && good; k++) good = eo_vec_push(&r->plain, other->acted.items[k]);
  }
  if (good && passed) {
    eo_vec_clear(&other->plain);
    good = add_ends(other);
    for (size_t i = 0; i < other->plain.count && good; i++) good = eo_vec_push(&r->plain, other->plain.items[i]);
  }
  eo__related_close(other);
  eo_promela_run_release(&run);
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
      int32_t channel = eo__promela_read(symbol->cell, at);
      if (channel > 0 && channel <= EO_PROMELA_MOST_CHANNELS) r->receiver[channel] = late_receiver(r, i, k);
    }
  }
}

static void find_receivers(eo_related *r) {
  for (uint32_t i = 0; i <= EO_PROMELA_MOST_CHANNELS; i++) r->receiver[i] = EO_NO_PROCESS;
  if (!r->starting.all_there) find_late_receivers(r);
  for (uint32_t pid = 0; pid < eo_promela_processes(r->run); pid++) {
    const eo_promela_proctype *p = eo_promela_process(r->run, pid);
    for (uint32_t l = 0; l < p->location_count; l++)
      for (uint32_t k = 0; k < p->locations[l].count; k++) {
        const eo_promela_transition *t = p->locations[l].transitions[k];
        if (t->kind != EO_PROMELA_RECEIVE) continue;
        uint32_t channel = eo_promela_channel_meant(r->run, pid, t);
        if (channel) r->receiver[channel] = process_number(r, pid);
      }
  }
}

/* What is done before anything else happens: nobody relates to it. */
static void start_all(eo_related *r) {
  eo_vec_clear(&r->started);
  for (size_t i = 0; i < r->starting.steps.count; i++) {
    PUSH(&r->started, eo_promela_choice(r->run, r->starting.steps.items[i]));
    EO_CHECK(eo_promela_apply(r->run, r->starting.steps.items[i]));
  }
}

void eo__related_reset(eo_related *r) {
  eo_vec_clear(&r->fields);
  eo_vec_clear(&r->patterns);
  eo_vec_clear(&r->wanted);
  eo_vec_clear(&r->touches);
  for (uint32_t i = 0; i <= EO_PROMELA_MOST_CHANNELS; i++) eo_vec_clear(&r->held[i]);
  for (uint32_t i = 0; i <= EO_PROMELA_MOST_PROCESSES; i++) {
    seat *s = &r->seats[i];
    s->phase = STANDS;
    s->sent = 0;
    s->at_door = false;
    eo_vec_clear(&s->doors);
  }
  start_all(r);
  find_receivers(r);
}

uint32_t eo__related_first(eo_related *r, uint32_t *processes) {
  for (uint32_t i = 0; i < r->first.count; i++) processes[i] = r->first.items[i];
  return (uint32_t)r->first.count;
}

/* The steps of the start, and who is there then. */
static bool find_start(eo_related *r) {
  eo_promela_run run;
  bool good = eo_promela_run_init(&run, r->model);
  run.delivery = r->run->delivery;
  good = good && eo__starting_find(&r->starting, &run);
  for (uint32_t pid = 0; good && pid < eo_promela_processes(&run); pid++)
    good = eo_vec_push(&r->first, pid * r->model->proctype_count + eo_promela_process(&run, pid)->number);
  eo_promela_run_release(&run);
  return good;
}

eo_related *eo__related_open(eo_promela_run *run) {
  eo_related *r = eo_alloc(sizeof *r);
  if (!r) return NULL;
  const eo_promela *model = run->model;
  r->run = run;
  r->model = model;
  r->written = eo__related_written(model);
  r->receives_from = eo_alloc((model->symbol_count + 1) * sizeof *r->receives_from);
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
  eo_free(r->written);
  eo_free(r->receives_from);
  eo_free(r);
}
