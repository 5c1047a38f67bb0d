/* ports.c: see ports.h. */
#include "subjects/model/ports.h"

#include <string.h>

#include "base/alloc.h"

enum { FIFO_EXTRA = 4, CAUSAL_EXTRA = 20, MOST_UNDER_WAY = 64, MOST_CAUSAL = 64 };

/* What a message of the causal delivery carries behind its fields and its sender. */
typedef struct past {
  uint64_t known_by; /* processes */
  uint64_t before;   /* messages under way, by their places in the order of all channels */
} past;

uint32_t eo__promela_stride(const eo_promela_run *run, const eo_promela_queue *queue) {
  if (run->delivery == EO_DELIVERY_FIFO) return queue->slot + FIFO_EXTRA;
  if (run->delivery == EO_DELIVERY_CAUSAL) return queue->slot + CAUSAL_EXTRA;
  return queue->slot;
}

static unsigned char *entry(const eo_promela_run *run, uint32_t channel, uint32_t slot) {
  const eo_promela_queue *q = eo__promela_channel(run, channel);
  return run->state + run->channel_at[channel - 1] + EO_PROMELA_HEAD + (size_t)slot * eo__promela_stride(run, q);
}

static uint16_t sender_of(const eo_promela_run *run, uint32_t channel, uint32_t slot) {
  uint16_t sender;
  memcpy(&sender, entry(run, channel, slot) + eo__promela_channel(run, channel)->slot, sizeof sender);
  return sender;
}

uint32_t eo__port_sender(const eo_promela_run *run, uint32_t channel, uint32_t slot) {
  return run->delivery == EO_DELIVERY_ASYNC ? 0 : sender_of(run, channel, slot);
}

static past past_of(const eo_promela_run *run, uint32_t channel, uint32_t slot) {
  past p;
  memcpy(&p, entry(run, channel, slot) + eo__promela_channel(run, channel)->slot + FIFO_EXTRA, sizeof p);
  return p;
}

static void set_past(const eo_promela_run *run, uint32_t channel, uint32_t slot, past p) {
  memcpy(entry(run, channel, slot) + eo__promela_channel(run, channel)->slot + FIFO_EXTRA, &p, sizeof p);
}

static void set_length(eo_promela_run *run, uint32_t channel, uint32_t length) {
  uint16_t kept = (uint16_t)length;
  memcpy(run->state + run->channel_at[channel - 1] + 2, &kept, sizeof kept);
}

/* Bytes come into the state, or go from it: what lies behind them moves. */
static bool move(eo_promela_run *run, size_t at, int32_t bytes) {
  if (bytes > 0 && !eo__promela_reserve(run, (uint32_t)bytes)) return false;
  unsigned char *from = run->state + at;
  if (bytes > 0) {
    memmove(from + bytes, from, run->size - at);
    memset(from, 0, (size_t)bytes);
  } else {
    memmove(from, from - bytes, run->size - at + (size_t)bytes);
  }
  run->size = (size_t)((int64_t)run->size + bytes);
  for (uint32_t i = 0; i < eo_promela_processes(run); i++)
    if (run->process_at[i] >= at) run->process_at[i] += (uint32_t)bytes;
  for (uint32_t i = 0; i < eo_promela_channels(run); i++)
    if (run->channel_at[i] >= at) run->channel_at[i] += (uint32_t)bytes;
  return true;
}

bool eo__port_holds(const eo_promela_run *run, uint32_t channel, uint32_t sender) {
  for (uint32_t slot = 0; run->delivery != EO_DELIVERY_ASYNC && slot < eo__promela_channel_length(run, channel);
       slot++) {
    if (sender_of(run, channel, slot) == sender) return true;
    if (run->delivery == EO_DELIVERY_CAUSAL && past_of(run, channel, slot).known_by >> sender & 1) return true;
  }
  return false;
}

/* ---- Happens-before ----------------------------------------------------------------------------------------------- */

/* The place of a message among all that are under way. */
static uint32_t place_of(const eo_promela_run *run, uint32_t channel, uint32_t slot) {
  uint32_t place = slot;
  for (uint32_t i = 1; i < channel; i++) place += eo__promela_channel_length(run, i);
  return place;
}

static uint64_t below(uint32_t place) { return place >= 64 ? UINT64_MAX : (UINT64_C(1) << place) - 1; }

/* Calls for each message under way, in order of place. */
#define FOR_EACH_MESSAGE(run, channel, slot)                                 \
  for (uint32_t channel = 1; channel <= eo_promela_channels(run); channel++) \
    for (uint32_t slot = 0; slot < eo__promela_channel_length(run, channel); slot++)

static uint64_t known_to(const eo_promela_run *run, uint32_t process) {
  uint64_t known = 0;
  uint32_t place = 0;
  FOR_EACH_MESSAGE(run, channel, slot) {
    if (past_of(run, channel, slot).known_by >> process & 1) known |= UINT64_C(1) << place;
    place++;
  }
  return known;
}

/* A new message at this place has been put into its channel, by `sender`. */
static void note_sent(eo_promela_run *run, uint32_t to, uint32_t at, uint32_t sender, uint64_t known) {
  uint32_t place = place_of(run, to, at);
  FOR_EACH_MESSAGE(run, channel, slot) {
    past p = past_of(run, channel, slot);
    p.before = (p.before & below(place)) | (p.before & ~below(place)) << 1;
    set_past(run, channel, slot, p);
  }
  past own = {UINT64_C(1) << sender, (known & below(place)) | (known & ~below(place)) << 1};
  set_past(run, to, at, own);
}

/* The message is about to be taken by this process, which then knows what was sent before it. */
static void note_taken(eo_promela_run *run, uint32_t from, uint32_t at, uint32_t process) {
  uint32_t place = place_of(run, from, at), here = 0;
  uint64_t before = past_of(run, from, at).before;
  FOR_EACH_MESSAGE(run, channel, slot) {
    past p = past_of(run, channel, slot);
    if (before >> here & 1) p.known_by |= UINT64_C(1) << process;
    p.before = (p.before & below(place)) | (p.before >> 1 & ~below(place));
    set_past(run, channel, slot, p);
    here++;
  }
}

void eo__port_born(eo_promela_run *run, uint32_t parent, uint32_t child) {
  if (run->delivery != EO_DELIVERY_CAUSAL || child >= MOST_CAUSAL || parent == child) return;
  FOR_EACH_MESSAGE(run, channel, slot) {
    past p = past_of(run, channel, slot);
    if (p.known_by >> parent & 1) p.known_by |= UINT64_C(1) << child;
    set_past(run, channel, slot, p);
  }
}

void eo__port_forget(eo_promela_run *run, uint32_t process) {
  if (run->delivery != EO_DELIVERY_CAUSAL || process >= MOST_CAUSAL) return;
  FOR_EACH_MESSAGE(run, channel, slot) {
    past p = past_of(run, channel, slot);
    p.known_by &= ~(UINT64_C(1) << process);
    set_past(run, channel, slot, p);
  }
}

/* ---- Sending and taking ------------------------------------------------------------------------------------------- */

static uint32_t slot_for(const eo_promela_run *run, const unsigned char *fields, uint32_t channel) {
  uint32_t length = eo__promela_channel_length(run, channel), slot = 0;
  size_t size = eo__promela_channel(run, channel)->slot;
  if (run->delivery == EO_DELIVERY_ASYNC)
    while (slot < length && memcmp(entry(run, channel, slot), fields, size) < 0) slot++;
  else
    while (slot < length && sender_of(run, channel, slot) <= run->who) slot++;
  return slot;
}

void eo__port_put(eo_promela_run *run, const int32_t *values, uint32_t channel) {
  const eo_promela_queue *q = eo__promela_channel(run, channel);
  unsigned char *fields = eo__alloc(q->slot);
  uint32_t length = eo__promela_channel_length(run, channel);
  bool causal = run->delivery == EO_DELIVERY_CAUSAL;
  if (!fields) {
    eo__promela_no_memory(run);
    return;
  }
  if (causal && (place_of(run, eo_promela_channels(run) + 1, 0) >= MOST_UNDER_WAY || run->who >= MOST_CAUSAL)) {
    eo__promela_fail(run, EO_KIND_CRASH, "causal delivery is for at most %d messages under way, of %d processes",
                     MOST_UNDER_WAY, MOST_CAUSAL);
    eo__free(fields);
    return;
  }
  for (uint32_t i = 0; i < q->field_count; i++) eo__promela_write(q->fields[i], fields + q->offsets[i], values[i]);
  uint32_t slot = slot_for(run, fields, channel);
  uint64_t known = causal ? known_to(run, run->who) : 0;
  size_t at = (size_t)(entry(run, channel, slot) - run->state);
  if (length < UINT16_MAX && move(run, at, (int32_t)eo__promela_stride(run, q))) {
    uint16_t sender = (uint16_t)run->who;
    set_length(run, channel, length + 1);
    memcpy(run->state + at, fields, q->slot);
    if (run->delivery != EO_DELIVERY_ASYNC) memcpy(run->state + at + q->slot, &sender, sizeof sender);
    if (causal) note_sent(run, channel, slot, run->who, known);
  }
  eo__free(fields);
}

void eo__port_remove(eo_promela_run *run, uint32_t channel, uint32_t slot) {
  if (run->delivery == EO_DELIVERY_CAUSAL) note_taken(run, channel, slot, run->who);
  size_t at = (size_t)(entry(run, channel, slot) - run->state);
  uint32_t length = eo__promela_channel_length(run, channel);
  move(run, at, -(int32_t)eo__promela_stride(run, eo__promela_channel(run, channel)));
  set_length(run, channel, length - 1);
}

bool eo__port_offers(const eo_promela_run *run, uint32_t channel, uint32_t slot) {
  if (run->delivery == EO_DELIVERY_ASYNC) return true;
  if (slot && sender_of(run, channel, slot - 1) == sender_of(run, channel, slot)) return false;
  if (run->delivery == EO_DELIVERY_FIFO) return true;
  uint64_t others = below(eo__promela_channel_length(run, channel)) << place_of(run, channel, 0);
  return !(past_of(run, channel, slot).before & others);
}

bool eo__port_twin(const eo_promela_run *run, uint32_t channel, uint32_t slot) {
  size_t size = eo__promela_channel(run, channel)->slot;
  return run->delivery == EO_DELIVERY_ASYNC && slot &&
         memcmp(entry(run, channel, slot - 1), entry(run, channel, slot), size) == 0;
}
