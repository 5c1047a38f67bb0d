/* related_letters.c: the messages of an execution of a model: a message is its sender's nth, and has a slot in its port. */
#include <string.h>

#include "base/alloc.h"
#include "subjects/model/ports.h"
#include "subjects/model/related_inside.h"

uint32_t eo__letter_number(eo_related *r, uint32_t from, uint32_t nth) {
  while (r->messages.count <= from) {
    if (!eo_vec_reserve(&r->messages, 1)) eo__related_out_of_memory(r);
    memset(&r->messages.items[r->messages.count++], 0, sizeof *r->messages.items);
  }
  eo__numbers *list = &r->messages.items[from].list;
  while (list->count < nth) {
    EO__PUSH(&r->senders, ((eo__sender){from, (uint32_t)list->count + 1}));
    EO__PUSH(&r->letters, ((eo__letter){EO_NO_PROCESS, 0, 0}));
    EO__PUSH(list, (uint32_t)r->senders.count);
  }
  return list->items[nth - 1];
}

uint32_t eo__related_message(eo_related *r, uint32_t from, uint32_t nth) {
  return setjmp(r->full) == 0 ? eo__letter_number(r, from, nth) : 0;
}

eo_sent eo__related_sent(const eo_related *r, uint32_t number) {
  EO_CHECK(number > 0 && number <= r->senders.count);
  const eo__sender *s = &r->senders.items[number - 1];
  return (eo_sent){number, s->from, r->letters.items[number - 1].to, s->nth, false};
}

int32_t eo__related_tag(const eo_related *r, uint32_t message, eo_promela_cell *cell) {
  const eo__letter *l = &r->letters.items[message - 1];
  const eo_promela_queue *q = eo__promela_channel(r->run, l->channel);
  if (cell) *cell = q->field_count ? q->fields[0] : (eo_promela_cell){.type = EO_PROMELA_BYTE, .size = 1};
  return q->field_count ? r->fields.items[l->first] : 0;
}

bool eo__letter_fits(const eo_related *r, const eo__pattern *p, uint32_t message) {
  const eo__letter *l = &r->letters.items[message - 1];
  if (l->channel != p->channel) return false;
  for (uint32_t i = 0; i < p->count; i++) {
    const eo__wanted *w = &r->wanted.items[p->first + i];
    if (!w->any && w->value != r->fields.items[l->first + i]) return false;
  }
  return true;
}

bool eo__related_matches(const eo_related *r, uint32_t process, uint32_t nth, uint32_t message) {
  const eo__seat *s = &r->seats[eo__related_pid(r, process)];
  EO_CHECK(nth < s->doors.count && message > 0 && message <= r->letters.count);
  const eo__door *d = &s->doors.items[nth];
  for (uint32_t i = 0; i < d->count; i++)
    if (eo__letter_fits(r, &r->patterns.items[d->first + i], message)) return true;
  return false;
}

/* A port offers its first messages, whatever is asked for. */
bool eo__related_blocks(const eo_related *r, uint32_t message, uint32_t first) {
  return r->letters.items[message - 1].channel == r->letters.items[first - 1].channel;
}

/* The message is in its port: at which slot? By sender, or, where order means nothing, where the bytes are new. */
static uint32_t slot_of_new(const eo_related *r, uint32_t channel, uint32_t pid) {
  const eo__numbers *held = &r->held[channel];
  uint32_t slot = 0;
  if (r->run->delivery != EO_DELIVERY_ASYNC) {
    while (slot < held->count && eo__related_pid(r, r->senders.items[held->items[slot] - 1].from) <= pid) slot++;
    return slot;
  }
  size_t stride = eo__promela_stride(r->run, eo__promela_channel(r->run, channel));
  const unsigned char *now = r->run->state + r->run->channel_at[channel - 1] + EO_PROMELA_HEAD;
  while (slot < held->count && memcmp(now + slot * stride, r->before.items + slot * stride, stride) == 0) slot++;
  return slot;
}

void eo__letter_ahead(eo_related *r, uint32_t channel) {
  size_t size = (size_t)eo__promela_channel_length(r->run, channel) *
                eo__promela_stride(r->run, eo__promela_channel(r->run, channel));
  eo_vec_clear(&r->before);
  if (!eo_vec_reserve(&r->before, size + 1)) eo__related_out_of_memory(r);
  memcpy(r->before.items, r->run->state + r->run->channel_at[channel - 1] + EO_PROMELA_HEAD, size);
}

/* Nothing that anybody takes is no message. */
void eo__letter_sent(eo_related *r, uint32_t channel, uint32_t pid, eo_event *event) {
  eo__numbers *held = &r->held[channel];
  uint32_t slot = slot_of_new(r, channel, pid), fields = eo__promela_channel(r->run, channel)->field_count;
  uint32_t number = eo__letter_number(r, event->process, ++r->seats[pid].sent);
  r->letters.items[number - 1] = (eo__letter){r->receiver[channel], channel, (uint32_t)r->fields.count};
  EO__PUSH(held, 0);
  memmove(&held->items[slot + 1], &held->items[slot], (held->count - slot - 1) * sizeof *held->items);
  held->items[slot] = number;
  for (uint32_t i = 0; i < fields; i++) EO__PUSH(&r->fields, eo__promela_channel_field(r->run, channel, slot, i));
  if (r->receiver[channel] == EO_NO_PROCESS) return;
  event->other = r->receiver[channel];
  event->message = number;
  event->sent = 1;
}

void eo__letter_taken(eo_related *r, uint32_t channel, uint32_t slot) {
  eo__numbers *held = &r->held[channel];
  memmove(&held->items[slot], &held->items[slot + 1], (held->count - slot - 1) * sizeof *held->items);
  held->count--;
}

uint32_t eo__letter_slot(const eo_related *r, uint32_t message) {
  const eo__numbers *held = &r->held[r->letters.items[message - 1].channel];
  uint32_t slot = 0;
  while (slot < held->count && held->items[slot] != message) slot++;
  EO_CHECK(slot < held->count);
  return slot;
}
