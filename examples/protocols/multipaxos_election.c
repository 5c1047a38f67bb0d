/* multipaxos_election.c: how a replica of multipaxos.c becomes the leader, and what it does when something is late. */
#include <string.h>

#include "multipaxos_inside.h"
#include "wire.h"

/* ---- Elections ---------------------------------------------------------------------------------------------------- */

void log_elect(void *self, const eo_message *event) {
  replica *r = self;
  (void)event;
  do r->promised++;
  while (log_owner(r->promised) != r->setting.index);
  r->promises = (uint8_t)(1u << r->setting.index);
  log_tell_others(r, LOG_PREPARE, (log_note){.ballot = r->promised, .slot = r->applied});
}

void log_prepare(void *self, const eo_message *event) {
  replica *r = self;
  log_note note = *(const log_note *)event->data;
  if (note.ballot < r->promised) {
    log_refuse(r, note.from);
    return;
  }
  log_promise promise;
  memset(&promise, 0, sizeof promise);
  promise.ballot = note.ballot;
  promise.from = r->setting.index;
  for (uint8_t i = 0; i < RING; i++) {
    uint8_t slot = (uint8_t)(r->applied + i);
    /* Variant 1: "the ring ends with its last place". */
    if (r->setting.bug == LOG_PROMISE_CUT && slot % RING < r->applied % RING) break;
    if (!log_empty_at(r, slot)) promise.entries[i] = r->log[slot % RING];
  }
  bool higher = note.ballot > r->promised;
  if (r->applied > note.slot) promise.snapshot = log_take_snapshot(r);
  wire_send(r->others.replicas[note.from], LOG_PROMISE, &promise, sizeof promise);
  if (!higher) return;
  log_yield(r, note.ballot);
  eo_goto(self, FOLLOWING, NULL, 0);
}

void log_promised(void *self, const eo_message *event) {
  replica *r = self;
  const log_promise *promise = event->data;
  if (promise->ballot != r->promised) return;
  log_install(r, &promise->snapshot);
  for (int i = 0; i < RING; i++) {
    const log_entry *entry = &promise->entries[i];
    if (!entry->ballot || entry->slot < r->applied || entry->slot >= r->applied + RING) continue;
    if (log_empty_at(r, entry->slot) || r->log[entry->slot % RING].ballot < entry->ballot)
      r->log[entry->slot % RING] = *entry;
  }
  r->promises |= (uint8_t)(1u << promise->from);
  if (__builtin_popcount(r->promises) >= QUORUM) eo_goto(self, LEADING, NULL, 0);
}

/* ---- Time --------------------------------------------------------------------------------------------------------- */

static log_note held_note(const parcel *held) {
  log_note note;
  memcpy(&note, held->data, sizeof note);
  return note;
}

/* It still lacks what was late: all that came after it tells of a leader that is there. */
static bool misses(const replica *r, int tag, const log_note *note) {
  if (tag == LOG_COMMIT) return r->applied < note->commit;
  return r->applied <= note->slot && log_empty_at(r, note->slot);
}

/* A follower that waited for its leader in vain stands for election; one that got no answer says it again. */
void log_follow_expired(void *self, const eo_message *event) {
  replica *r = self;
  const parcel *held = event->data;
  if (held->from == eo_self()) {
    wire_repeat(held);
    return;
  }
  log_note note = held_note(held);
  if (held->tag != LOG_PREPARE && held->tag != LOG_ACCEPTED && note.ballot == r->promised &&
      misses(r, held->tag, &note))
    eo_goto(self, ELECTING, NULL, 0);
}

void log_expired(void *self, const eo_message *event) {
  const parcel *held = event->data;
  (void)self;
  if (held->from == eo_self()) wire_repeat(held);
}
