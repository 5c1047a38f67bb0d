/* state.c: the vector of bytes that is a state: processes and channels come and go in it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "subjects/model/run.h"

enum { CHANNEL = 0x8000, MOST_STATE = 1 << 24 };

static uint16_t get16(const unsigned char *at) {
  uint16_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static void put16(unsigned char *at, uint16_t value) { memcpy(at, &value, sizeof value); }

void eo__model_fail(eo_model_run *run, eo_kind kind, const char *format, ...) {
  if (run->failed) return;
  run->failed = true;
  eo_failure *f = &run->failure;
  memset(f, 0, sizeof *f);
  f->kind = kind;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(f->message, sizeof f->message, format, arguments);
  va_end(arguments);
  if (run->doing) {
    snprintf(f->file, sizeof f->file, "%s", run->doing->file);
    f->line = run->doing->line;
  }
  if (run->who < eo_model_processes(run))
    snprintf(f->process, sizeof f->process, "P%u:%s", run->who, eo_model_process(run, run->who)->name);
}

int32_t eo__model_read(eo_model_cell cell, const unsigned char *at) {
  if (cell.size == 1) return *at;
  if (cell.size == 2) return (int16_t)get16(at);
  int32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

void eo__model_write(eo_model_cell cell, unsigned char *at, int32_t value) {
  if (cell.bits) value = (int32_t)((uint32_t)value & ((1u << cell.bits) - 1));
  if (cell.size == 1)
    *at = (unsigned char)value;
  else if (cell.size == 2)
    put16(at, (uint16_t)value);
  else
    memcpy(at, &value, sizeof value);
}

/* Room for so many bytes more, all 0. */
static unsigned char *extend(eo_model_run *run, uint32_t bytes) {
  if (run->size + bytes > run->capacity) {
    size_t capacity = (run->size + bytes) * 2;
    unsigned char *grown = capacity > MOST_STATE ? NULL : eo_realloc(run->state, capacity);
    if (!grown) {
      eo__model_fail(run, EO_KIND_CRASH, "no memory for a state of %zu bytes", run->size + bytes);
      run->no_memory = true;
      return NULL;
    }
    run->state = grown;
    run->capacity = capacity;
  }
  unsigned char *at = run->state + run->size;
  memset(at, 0, bytes);
  run->size += bytes;
  return at;
}

/* ---- Channels ---------------------------------------------------------------------------------------------------- */

static uint32_t add_channel(eo_model_run *run, const eo_model_queue *queue) {
  uint32_t number = run->state[1];
  if (number == EO_MODEL_MOST_CHANNELS) {
    eo__model_fail(run, EO_KIND_CRASH, "more than %d channels", EO_MODEL_MOST_CHANNELS);
    return 0;
  }
  uint32_t at = (uint32_t)run->size;
  unsigned char *head = extend(run, queue->size);
  if (!head) return 0;
  put16(head, (uint16_t)(CHANNEL | queue->number));
  run->channel_at[number] = at;
  run->state[1]++;
  return number + 1;
}

const eo_model_queue *eo_model_channel(const eo_model_run *run, uint32_t channel) {
  return run->model->queues[get16(run->state + run->channel_at[channel - 1]) & ~CHANNEL];
}

uint32_t eo_model_channel_length(const eo_model_run *run, uint32_t channel) {
  return get16(run->state + run->channel_at[channel - 1] + 2);
}

int32_t eo_model_channel_field(const eo_model_run *run, uint32_t channel, uint32_t slot, uint32_t field) {
  const eo_model_queue *q = eo_model_channel(run, channel);
  return eo__model_read(q->fields[field], run->state + run->channel_at[channel - 1] + EO_MODEL_HEAD + slot * q->slot +
                                              q->offsets[field]);
}

/* Sorted: before the first message that is larger, field by field. */
static uint32_t place_for(const eo_model_run *run, const int32_t *values, uint32_t channel) {
  uint32_t length = eo_model_channel_length(run, channel), fields = eo_model_channel(run, channel)->field_count;
  for (uint32_t slot = 0; slot < length; slot++)
    for (uint32_t i = 0; i < fields; i++) {
      int32_t there = eo_model_channel_field(run, channel, slot, i);
      if (there < values[i]) break;
      if (there > values[i] || i + 1 == fields) return slot;
    }
  return length;
}

void eo__model_put(eo_model_run *run, const eo_model_message *m, uint32_t channel) {
  const eo_model_queue *q = eo_model_channel(run, channel);
  int32_t values[256];
  for (uint32_t i = 0; i < m->count; i++) values[i] = eo__model_value(run, m->fields[i].value);
  if (m->count != q->field_count) {
    eo__model_fail(run, EO_KIND_CRASH, "a message of %u fields is sent to a channel of %u", m->count, q->field_count);
    return;
  }
  unsigned char *head = run->state + run->channel_at[channel - 1], *slots = head + EO_MODEL_HEAD;
  uint32_t length = get16(head + 2), slot = m->ordered ? place_for(run, values, channel) : length;
  memmove(slots + (slot + 1) * q->slot, slots + slot * q->slot, (length - slot) * q->slot);
  memset(slots + slot * q->slot, 0, q->slot);
  for (uint32_t i = 0; i < m->count; i++)
    eo__model_write(q->fields[i], slots + slot * q->slot + q->offsets[i], values[i]);
  put16(head + 2, (uint16_t)(length + 1));
}

static bool matches(eo_model_run *run, const eo_model_message *m, uint32_t channel, uint32_t slot) {
  for (uint32_t i = 0; i < m->count; i++)
    if (m->fields[i].match == EO_MODEL_VALUE &&
        eo__model_value(run, m->fields[i].value) != eo_model_channel_field(run, channel, slot, i))
      return false;
  return true;
}

uint32_t eo__model_match(eo_model_run *run, const eo_model_message *m, uint32_t channel) {
  uint32_t length = eo_model_channel_length(run, channel), fields = eo_model_channel(run, channel)->field_count;
  if (length == 0) return UINT32_MAX;
  if (m->count != fields) {
    eo__model_fail(run, EO_KIND_CRASH, "a message of %u fields is received as one of %u", fields, m->count);
    return UINT32_MAX;
  }
  for (uint32_t slot = 0; slot < (m->ordered ? length : 1); slot++)
    if (matches(run, m, channel, slot)) return slot;
  return UINT32_MAX;
}

void eo__model_get(eo_model_run *run, const eo_model_message *m, uint32_t channel, uint32_t slot) {
  const eo_model_queue *q = eo_model_channel(run, channel);
  for (uint32_t i = 0; i < m->count; i++) {
    if (m->fields[i].match != EO_MODEL_STORE) continue;
    int32_t value = eo_model_channel_field(run, channel, slot, i);
    unsigned char *into = eo__model_place(run, m->fields[i].into);
    if (into) eo__model_write(m->fields[i].into->cell, into, value);
  }
  if (m->copies) return;
  unsigned char *head = run->state + run->channel_at[channel - 1], *slots = head + EO_MODEL_HEAD;
  uint32_t length = get16(head + 2) - 1u;
  memmove(slots + slot * q->slot, slots + (slot + 1) * q->slot, (length - slot) * q->slot);
  memset(slots + length * q->slot, 0, q->slot);
  put16(head + 2, (uint16_t)length);
}

/* ---- Processes --------------------------------------------------------------------------------------------------- */

const eo_model_proctype *eo_model_process(const eo_model_run *run, uint32_t process) {
  return run->model->proctypes[get16(run->state + run->process_at[process])];
}

uint32_t eo_model_location_of(const eo_model_run *run, uint32_t process) {
  return get16(run->state + run->process_at[process] + 2);
}

const eo_model_transition *eo_model_transition_of(const eo_model_run *run, uint32_t process, uint32_t transition) {
  return eo_model_process(run, process)->locations[eo_model_location_of(run, process)].transitions[transition];
}

uint32_t eo_model_floor(const eo_model_run *run) { return run->state[2] ? run->state[2] - 1u : EO_MODEL_NOBODY; }

void eo_model_yield(eo_model_run *run) { run->state[2] = 0; }

/* Initial values of a variable at this offset of the state. Making a channel may move the state: hence offsets. */
static void initialise(eo_model_run *run, const eo_model_symbol *s, size_t base) {
  for (uint32_t k = 0; k < s->count && !run->failed; k++) {
    size_t at = base + s->offset + k * s->stride;
    if (s->type == EO_MODEL_STRUCT) {
      for (uint32_t i = 0; i < s->fields->field_count; i++) initialise(run, s->fields->fields[i], at);
    } else if (s->queue) {
      uint32_t channel = add_channel(run, s->queue);
      eo__model_write(s->cell, run->state + at, (int32_t)channel);
    } else if (s->value_count && !s->in_block) {
      int32_t value = eo__model_value(run, s->values[s->value_count > 1 ? k : 0]);
      eo__model_write(s->cell, run->state + at, value);
    }
  }
}

uint32_t eo__model_add_process(eo_model_run *run, uint32_t proctype, const int32_t *arguments) {
  const eo_model_proctype *p = run->model->proctypes[proctype];
  uint32_t number = run->state[0], caller = run->who;
  if (number == EO_MODEL_MOST_PROCESSES) {
    eo__model_fail(run, EO_KIND_CRASH, "more than %d processes", EO_MODEL_MOST_PROCESSES);
    return 0;
  }
  uint32_t at = (uint32_t)run->size;
  unsigned char *frame = extend(run, p->frame);
  if (!frame) return 0;
  put16(frame, (uint16_t)proctype);
  put16(frame + 2, (uint16_t)p->start);
  run->process_at[number] = at;
  run->state[0]++;
  run->who = number;
  for (uint32_t i = 0; arguments && i < p->parameter_count; i++)
    eo__model_write(p->parameters[i]->cell, frame + p->parameters[i]->offset, arguments[i]);
  for (uint32_t i = 0; i < p->symbol_count; i++)
    if (!p->symbols[i]->parameter) initialise(run, p->symbols[i], at);
  run->who = caller;
  return number;
}

void eo__model_end_process(eo_model_run *run) {
  uint32_t youngest = run->state[0] - 1u, at = run->process_at[youngest];
  while (run->state[1] && run->channel_at[run->state[1] - 1] > at) run->state[1]--;
  run->state[0]--;
  run->size = at;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

bool eo_model_run_init(eo_model_run *run, const eo_model *model) {
  memset(run, 0, sizeof *run);
  run->model = model;
  run->capacity = EO_MODEL_GLOBALS_AT + model->globals + 256;
  run->state = eo_alloc(run->capacity);
  run->who = EO_MODEL_NOBODY;
  run->no_memory = !run->state;
  return run->state != NULL;
}

void eo_model_run_release(eo_model_run *run) {
  eo_free(run->state);
  run->state = NULL;
}

bool eo_model_run_start(eo_model_run *run) {
  run->failed = run->no_memory = run->timeout = false;
  run->doing = NULL;
  run->who = EO_MODEL_NOBODY;
  run->size = 0;
  memset(run->state, 0, EO_MODEL_GLOBALS_AT);
  if (!extend(run, EO_MODEL_GLOBALS_AT + run->model->globals)) return false;
  for (uint32_t i = 0; i < run->model->symbol_count; i++) initialise(run, run->model->symbols[i], EO_MODEL_GLOBALS_AT);
  for (uint32_t i = 0; i < run->model->first_count && !run->failed; i++)
    eo__model_add_process(run, run->model->first[i], NULL);
  return !run->failed;
}

bool eo_model_load(eo_model_run *run, const unsigned char *state, size_t size) {
  if (size > run->capacity) {
    unsigned char *grown = eo_realloc(run->state, size * 2);
    run->no_memory = !grown;
    if (!grown) return false;
    run->state = grown;
    run->capacity = size * 2;
  }
  memcpy(run->state, state, size);
  run->size = size;
  run->failed = run->timeout = false;
  uint32_t processes = 0, channels = 0;
  for (size_t at = EO_MODEL_GLOBALS_AT + run->model->globals; at < size;) {
    uint16_t head = get16(run->state + at);
    if (head & CHANNEL) {
      run->channel_at[channels++] = (uint32_t)at;
      at += run->model->queues[head & ~CHANNEL]->size;
    } else {
      run->process_at[processes++] = (uint32_t)at;
      at += run->model->proctypes[head]->frame;
    }
  }
  EO_CHECK(processes == run->state[0] && channels == run->state[1]);
  return true;
}

void eo_model_fingerprint(const eo_model_run *run, uint64_t hash[2]) {
  XXH128_hash_t made = XXH3_128bits(run->state, run->size);
  hash[0] = made.low64;
  hash[1] = made.high64;
}

bool eo_model_ended_well(const eo_model_run *run) {
  for (uint32_t i = 0; i < eo_model_processes(run); i++)
    if (!eo_model_process(run, i)->locations[eo_model_location_of(run, i)].end) return false;
  return true;
}
