/* wire.c: a message that the network holds up (wire.h), as a machine that lives as long as the message travels. */
#include "wire.h"

#include <string.h>

enum { TRAVELLING };

static void travel(void *self, const eo_message *event) {
  parcel held = *(const parcel *)event->data;
  eo_send(held.from, EXPIRED, &held, sizeof held);
  if (held.watched) eo_send(held.to, EXPIRED, &held, sizeof held);
  eo_send(held.to, held.tag, held.size ? held.data : NULL, held.size);
  eo_halt(self);
}

static const eo_machine wire_machine = {
    .name = "wire", .size = 1, .start = TRAVELLING, EO_STATES([TRAVELLING] = {.name = "travelling", .entry = travel})};

static void send(eo_pid to, int tag, const void *data, size_t size, bool watched) {
  eo_assert(size <= WIRE_MAX, "a message of %zu bytes", size);
  if (!eo_fault("late")) {
    eo_send(to, tag, data, size);
    return;
  }
  parcel held;
  memset(&held, 0, sizeof held);
  held.from = eo_self();
  held.to = to;
  held.tag = tag;
  held.size = (uint16_t)size;
  held.watched = watched;
  if (size > 0) memcpy(held.data, data, size);
  eo_create(&wire_machine, &held, sizeof held);
}

void wire_send(eo_pid to, int tag, const void *data, size_t size) { send(to, tag, data, size, false); }

void wire_send_watched(eo_pid to, int tag, const void *data, size_t size) { send(to, tag, data, size, true); }

void wire_repeat(const parcel *held) { send(held->to, held->tag, held->data, held->size, held->watched); }
