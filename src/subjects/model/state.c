/* state.c: the vector of bytes that is a state: processes and channels come and go in it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "subjects/model/ports.h"
#include "subjects/model/trace.h"

enum { CHANNEL = 0x8000, MOST_STATE = 1 << 24, ROOM = 1 << 14, WORD = 64 /* bytes in a unit of work */ };

static uint16_t get16(const unsigned char *at) {
  uint16_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static void put16(unsigned char *at, uint16_t value) { memcpy(at, &value, sizeof value); }

void eo__promela_fail(eo_promela_run *run, eo_kind kind, const char *format, ...) {
  bool assertion = kind == EO_KIND_ASSERTION;
  if (run->failed || (assertion && run->asserted)) return;
  run->failed = !assertion; /* the step goes on behind an assertion */
  run->asserted |= assertion;
  eo_failure *f = &run->failure;
  memset(f, 0, sizeof *f);
  f->kind = kind;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(f->message, sizeof f->message, format, arguments);
  va_end(arguments);
  if (run->declaring || run->doing) {
    snprintf(f->file, sizeof f->file, "%s", run->declaring ? run->declaring->file : run->doing->file);
    f->line = run->declaring ? run->declaring->line : run->doing->line;
  }
  if (run->who < eo_promela_processes(run))
    snprintf(f->process, sizeof f->process, "P%u:%s", run->who, eo__promela_process(run, run->who)->name);
}

int32_t eo__promela_cell_read(eo_promela_cell cell, const unsigned char *at) {
  if (cell.size == 1) return *at;
  if (cell.size == 2) return (int16_t)get16(at);
  int32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

void eo__promela_write(eo_promela_cell cell, unsigned char *at, int32_t value) {
  if (cell.bits) value = (int32_t)((uint32_t)value & ((1u << cell.bits) - 1));
  if (cell.size == 1)
    *at = (unsigned char)value;
  else if (cell.size == 2)
    put16(at, (uint16_t)value);
  else
    memcpy(at, &value, sizeof value);
}

void eo__promela_no_memory(eo_promela_run *run) {
  eo__promela_fail(run, EO_KIND_CRASH, "no memory for a state of %zu bytes", run->size);
  run->no_memory = true;
}

bool eo__promela_reserve(eo_promela_run *run, uint32_t bytes) {
  if (run->size + bytes <= run->capacity) return true;
  size_t capacity = (run->size + bytes) * 2;
  unsigned char *grown = capacity > MOST_STATE ? NULL : eo__realloc(run->state, capacity);
  if (!grown) {
    eo__promela_no_memory(run);
    return false;
  }
  run->state = grown;
  run->capacity = capacity;
  return true;
}

/* So many bytes more, all 0. */
static unsigned char *extend(eo_promela_run *run, uint32_t bytes) {
  if (!eo__promela_reserve(run, bytes)) return NULL;
  unsigned char *at = run->state + run->size;
  memset(at, 0, bytes);
  run->size += bytes;
  return at;
}

/* ---- Channels ---------------------------------------------------------------------------------------------------- */

static uint32_t add_channel(eo_promela_run *run, const eo_promela_queue *queue) {
  uint32_t number = run->state[1];
  if (number == EO_PROMELA_MOST_CHANNELS) {
    eo__promela_fail(run, EO_KIND_CRASH, "more than %d channels", EO_PROMELA_MOST_CHANNELS);
    return 0;
  }
  uint32_t at = (uint32_t)run->size;
  unsigned char *head = extend(run, run->delivery ? EO_PROMELA_HEAD : queue->size);
  if (!head) return 0;
  put16(head, (uint16_t)(CHANNEL | queue->number));
  run->channel_at[number] = at;
  run->state[1]++;
  return number + 1;
}

const eo_promela_queue *eo__promela_channel(const eo_promela_run *run, uint32_t channel) {
  return run->model->queues[get16(run->state + run->channel_at[channel - 1]) & ~CHANNEL];
}

uint32_t eo__promela_channel_length(const eo_promela_run *run, uint32_t channel) {
  return get16(run->state + run->channel_at[channel - 1] + 2);
}

int32_t eo__promela_channel_field(const eo_promela_run *run, uint32_t channel, uint32_t slot, uint32_t field) {
  const eo_promela_queue *q = eo__promela_channel(run, channel);
  const unsigned char *slots = run->state + run->channel_at[channel - 1] + EO_PROMELA_HEAD;
  return eo__promela_cell_read(q->fields[field], slots + (size_t)slot * eo__promela_stride(run, q) + q->offsets[field]);
}

/* Sorted: before the first message that is larger, field by field. */
static uint32_t place_for(const eo_promela_run *run, const int32_t *values, uint32_t channel) {
  uint32_t length = eo__promela_channel_length(run, channel), fields = eo__promela_channel(run, channel)->field_count;
  for (uint32_t slot = 0; slot < length; slot++)
    for (uint32_t i = 0; i < fields; i++) {
      int32_t there = eo__promela_channel_field(run, channel, slot, i);
      if (there < values[i]) break;
      if (there > values[i] || i + 1 == fields) return slot;
    }
  return length;
}

void eo__promela_put(eo_promela_run *run, const eo_promela_message *m, uint32_t channel) {
  const eo_promela_queue *q = eo__promela_channel(run, channel);
  int32_t values[256];
  for (uint32_t i = 0; i < m->count; i++) values[i] = eo__promela_value(run, m->fields[i].value);
  if (m->count != q->field_count) {
    eo__promela_fail(run, EO_KIND_CRASH, "a message of %u fields is sent to a channel of %u", m->count, q->field_count);
    return;
  }
  if (run->failed) return;
  if (run->delivery) {
    eo__port_put(run, values, channel);
    return;
  }
  unsigned char *head = run->state + run->channel_at[channel - 1], *slots = head + EO_PROMELA_HEAD;
  uint32_t length = get16(head + 2), slot = m->ordered ? place_for(run, values, channel) : length;
  memmove(slots + (slot + 1) * q->slot, slots + slot * q->slot, (length - slot) * q->slot);
  memset(slots + slot * q->slot, 0, q->slot);
  for (uint32_t i = 0; i < m->count; i++)
    eo__promela_write(q->fields[i], slots + slot * q->slot + q->offsets[i], values[i]);
  put16(head + 2, (uint16_t)(length + 1));
}

bool eo__promela_matches(eo_promela_run *run, const eo_promela_message *m, uint32_t channel, uint32_t slot) {
  for (uint32_t i = 0; i < m->count; i++)
    if (m->fields[i].match == EO_PROMELA_VALUE &&
        eo__promela_value(run, m->fields[i].value) != eo__promela_channel_field(run, channel, slot, i))
      return false;
  return true;
}

uint32_t eo__promela_match(eo_promela_run *run, const eo_promela_message *m, uint32_t channel) {
  uint32_t length = eo__promela_channel_length(run, channel), fields = eo__promela_channel(run, channel)->field_count;
  if (length == 0) return UINT32_MAX;
  run->work += m->ordered ? length : 1;
  if (m->polls ? m->count > fields : m->count != fields) {
    eo__promela_fail(run, EO_KIND_CRASH, "a message of %u fields is received as one of %u", fields, m->count);
    return UINT32_MAX;
  }
  for (uint32_t slot = 0; run->delivery && slot < length; slot++)
    if (eo__port_offers(run, channel, slot) && eo__promela_matches(run, m, channel, slot)) return slot;
  if (run->delivery) return UINT32_MAX;
  for (uint32_t slot = 0; slot < (m->ordered ? length : 1); slot++)
    if (eo__promela_matches(run, m, channel, slot)) return slot;
  return UINT32_MAX;
}

void eo__promela_get(eo_promela_run *run, const eo_promela_message *m, uint32_t channel, uint32_t slot) {
  const eo_promela_queue *q = eo__promela_channel(run, channel);
  for (uint32_t i = 0; i < m->count; i++) {
    if (m->fields[i].match != EO_PROMELA_STORE) continue;
    int32_t value = eo__promela_channel_field(run, channel, slot, i);
    unsigned char *into = eo__promela_place(run, m->fields[i].into);
    if (into) eo__promela_write(m->fields[i].into->cell, into, value);
  }
  if (m->copies) return;
  if (run->delivery) {
    eo__port_remove(run, channel, slot);
    return;
  }
  unsigned char *head = run->state + run->channel_at[channel - 1], *slots = head + EO_PROMELA_HEAD;
  uint32_t length = get16(head + 2) - 1u;
  memmove(slots + slot * q->slot, slots + (slot + 1) * q->slot, (length - slot) * q->slot);
  memset(slots + length * q->slot, 0, q->slot);
  put16(head + 2, (uint16_t)length);
}

/* ---- Processes --------------------------------------------------------------------------------------------------- */

const eo_promela_proctype *eo__promela_process(const eo_promela_run *run, uint32_t process) {
  return run->model->proctypes[get16(run->state + run->process_at[process])];
}

uint32_t eo__promela_location_of(const eo_promela_run *run, uint32_t process) {
  return get16(run->state + run->process_at[process] + 2);
}

const eo_promela_transition *eo__promela_transition_of(const eo_promela_run *run, uint32_t process,
                                                       uint32_t transition) {
  return eo__promela_process(run, process)->locations[eo__promela_location_of(run, process)].transitions[transition];
}

uint32_t eo__promela_floor(const eo_promela_run *run) { return run->state[2] ? run->state[2] - 1u : EO_PROMELA_NOBODY; }

void eo__promela_yield(eo_promela_run *run) { run->state[2] = 0; }

/* Initial values of a variable at this offset of the state. Making a channel may move the state: hence offsets. */
static void initialise(eo_promela_run *run, const eo_promela_symbol *s, size_t base) {
  run->declaring = s;
  for (uint32_t k = 0; k < s->count && !run->failed; k++) {
    size_t at = base + s->offset + k * s->stride;
    if (s->type == EO_PROMELA_STRUCT) {
      for (uint32_t i = 0; i < s->fields->field_count; i++) initialise(run, s->fields->fields[i], at);
    } else if (s->queue) {
      uint32_t channel = add_channel(run, s->queue);
      eo__promela_write(s->cell, run->state + at, (int32_t)channel);
    } else if (s->value_count && !s->in_block) {
      int32_t value = eo__promela_value(run, s->values[s->value_count > 1 ? k : 0]);
      eo__promela_write(s->cell, run->state + at, value);
    }
  }
  run->declaring = NULL;
}

uint32_t eo__promela_add_process(eo_promela_run *run, uint32_t proctype, const int32_t *arguments) {
  const eo_promela_proctype *p = run->model->proctypes[proctype];
  uint32_t number = run->state[0], caller = run->who;
  if (number == EO_PROMELA_MOST_PROCESSES) {
    eo__promela_fail(run, EO_KIND_CRASH, "more than %d processes", EO_PROMELA_MOST_PROCESSES);
    return 0;
  }
  uint32_t at = (uint32_t)run->size;
  unsigned char *frame = extend(run, p->frame);
  if (!frame) return 0;
  put16(frame, (uint16_t)proctype);
  put16(frame + 2, (uint16_t)p->start);
  run->process_at[number] = at;
  run->state[0]++;
  if (run->model->ranks) eo__promela_set_rank(run, number, 1);
  run->who = number;
  for (uint32_t i = 0; arguments && i < p->parameter_count; i++)
    eo__promela_write(p->parameters[i]->cell, frame + p->parameters[i]->offset, arguments[i]);
  for (uint32_t i = 0; i < p->symbol_count; i++)
    if (!p->symbols[i]->parameter) initialise(run, p->symbols[i], at);
  run->who = caller;
  if (run->delivery && !run->failed) eo__port_born(run, caller, number);
  return number;
}

uint32_t eo__promela_rank(const eo_promela_run *run, uint32_t process) {
  return run->state[run->process_at[process] + EO_PROMELA_HEAD];
}

void eo__promela_set_rank(eo_promela_run *run, uint32_t process, uint32_t rank) {
  run->state[run->process_at[process] + EO_PROMELA_HEAD] = (unsigned char)rank;
}

void eo__promela_end_process(eo_promela_run *run) {
  uint32_t youngest = run->state[0] - 1u, at = run->process_at[youngest];
  if (run->delivery) eo__port_forget(run, youngest);
  while (run->state[1] && run->channel_at[run->state[1] - 1] > at) run->state[1]--;
  run->state[0]--;
  run->size = at;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

bool eo__promela_run_init(eo_promela_run *run, const eo_promela *model) {
  memset(run, 0, sizeof *run);
  run->model = model;
  run->capacity = EO_PROMELA_GLOBALS_AT + model->globals + ROOM;
  run->state = eo__alloc(run->capacity);
  run->who = EO_PROMELA_NOBODY;
  run->no_memory = !run->state;
  return run->state != NULL;
}

void eo__promela_run_release(eo_promela_run *run) {
  eo__free(run->state);
  run->state = NULL;
}

static void start_first(eo_promela_run *run, uint32_t nth) {
  uint32_t proctype = run->model->first[nth], process = eo__promela_add_process(run, proctype, NULL);
  if (run->model->ranks && !run->failed) eo__promela_set_rank(run, process, run->model->proctypes[proctype]->rank);
}

bool eo__promela_run_start(eo_promela_run *run) {
  run->failed = run->no_memory = run->timeout = false;
  run->doing = NULL;
  run->who = EO_PROMELA_NOBODY;
  run->size = 0;
  memset(run->state, 0, EO_PROMELA_GLOBALS_AT);
  if (!extend(run, EO_PROMELA_GLOBALS_AT + run->model->globals)) return false;
  for (uint32_t i = 0; i < run->model->symbol_count; i++)
    initialise(run, run->model->symbols[i], EO_PROMELA_GLOBALS_AT);
  for (uint32_t i = 0; i < run->model->first_count && !run->failed; i++) start_first(run, i);
  if (run->model->trace) run->state[EO_PROMELA_TRACE_AT] = (unsigned char)run->model->trace->start;
  return !run->failed;
}

bool eo__promela_load(eo_promela_run *run, const unsigned char *state, size_t size) {
  if (size > run->capacity) {
    unsigned char *grown = eo__realloc(run->state, size * 2);
    run->no_memory = !grown;
    if (!grown) return false;
    run->state = grown;
    run->capacity = size * 2;
  }
  memcpy(run->state, state, size);
  run->size = size;
  run->work += size / WORD;
  run->failed = run->timeout = false;
  uint32_t processes = 0, channels = 0;
  for (size_t at = EO_PROMELA_GLOBALS_AT + run->model->globals; at < size;) {
    uint16_t head = get16(run->state + at);
    if (head & CHANNEL) {
      run->channel_at[channels++] = (uint32_t)at;
      const eo_promela_queue *q = run->model->queues[head & ~CHANNEL];
      at += run->delivery ? EO_PROMELA_HEAD + get16(run->state + at + 2) * eo__promela_stride(run, q) : q->size;
    } else {
      run->process_at[processes++] = (uint32_t)at;
      at += run->model->proctypes[head]->frame;
    }
  }
  EO_CHECK(processes == run->state[0] && channels == run->state[1]);
  return true;
}

void eo__promela_fingerprint(const eo_promela_run *run, uint64_t hash[2]) {
  XXH128_hash_t made = XXH3_128bits(run->state, run->size);
  hash[0] = made.low64;
  hash[1] = made.high64;
}

bool eo__promela_ended_well(const eo_promela_run *run) {
  for (uint32_t i = 0; i < eo_promela_processes(run); i++)
    if (!eo__promela_process(run, i)->locations[eo__promela_location_of(run, i)].end) return false;
  return eo__trace_may_end(run);
}

/* A process waits for messages, and does not accept the one that is there: an unspecified reception. */
static const char *unspecified(const eo_promela_run *run, uint32_t process, const eo_promela_location *l) {
  eo_promela_run *own = (eo_promela_run *)run; /* evaluating changes nothing that matters */
  for (uint32_t i = 0; i < l->count; i++) {
    const eo_promela_transition *t = l->transitions[i];
    uint32_t channel = t->kind == EO_PROMELA_RECEIVE ? eo__promela_channel_meant(own, process, t) : 0;
    if (channel && eo__promela_channel_length(run, channel)) return t->message->channel->ref->symbol->name;
  }
  return NULL;
}

void eo__promela_dead_end(const eo_promela_run *run, eo_failure *failure) {
  memset(failure, 0, sizeof *failure);
  failure->kind = EO_KIND_DEADLOCK;
  char *out = failure->message;
  size_t size = sizeof failure->message, used = (size_t)snprintf(out, size, "invalid end state:");
  const char *separator = "";
  for (uint32_t i = 0; i < eo_promela_processes(run) && used < size; i++) {
    const eo_promela_location *l = &eo__promela_process(run, i)->locations[eo__promela_location_of(run, i)];
    if (l->end || !l->count) continue;
    used += (size_t)snprintf(out + used, size - used, "%s P%u:%s waits in line %d", separator, i,
                             eo__promela_process(run, i)->name, eo_promela_own(l)->line);
    const char *refused = unspecified(run, i, l);
    if (refused && used < size)
      used += (size_t)snprintf(out + used, size - used, " and does not accept the message in '%s'", refused);
    separator = ",";
  }
  if (!*separator && used < size) snprintf(out + used, size - used, " the trace has not come to an end");
}
