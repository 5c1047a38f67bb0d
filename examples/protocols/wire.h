/* wire.h: links between machines that can be slow.
 *
 * A machine that sends by wire_send owns an allowance: so many of its messages the network may hold up. A message that
 * is held up travels with a machine of its own (wire.c): its sender is told by EXPIRED that no answer came in time, and
 * the message arrives at some time after that, perhaps much later than what was sent after it. A lost message is one
 * that arrives when nobody cares any more. An allowance of 0 is a network that never fails, as for running live, where
 * the real network does the failing. */
#ifndef WIRE_H
#define WIRE_H

#include "protocols.h"

enum { EXPIRED = EVENTS_COMMON, WIRE_MAX = 16 }; /* data of EXPIRED is the parcel that was held up */

typedef struct parcel {
  eo_pid from, to;
  int32_t tag;
  uint16_t size;
  uint16_t watched; /* the receiver is told too */
  uint8_t data[WIRE_MAX];
} parcel;

/* As eo_send; held up, its receiver, who waits for a sign of life, is told by EXPIRED too. */
void wire_send_watched(uint8_t *allowance, eo_pid to, int tag, const void *data, size_t size);

/* As eo_send. The receiver cannot tell the sender by `from`, so messages say themselves who sent them. */
void wire_send(uint8_t *allowance, eo_pid to, int tag, const void *data, size_t size);

#endif
