/* wire.h: links between machines that can be slow.
 *
 * Any message may be held up (eo_fault "late"; how many of an execution are, --faults says). Such a message travels with a
 * machine of its own (wire.c): its sender is told by EXPIRED that no answer came in time, and the message arrives at some time
 * after that, perhaps much later than what was sent after it. A lost message is one that arrives when nobody cares any more.
 * Live, eo_fault is never true: there the real network does the failing. */
#ifndef WIRE_H
#define WIRE_H

#include "protocols.h"

enum { EXPIRED = EVENTS_COMMON, WIRE_MAX = 128 }; /* data of EXPIRED is the parcel that was held up */

typedef struct parcel {
  eo_pid from, to;
  int32_t tag;
  uint16_t size;
  uint16_t watched; /* the receiver is told too */
  uint8_t data[WIRE_MAX];
} parcel;

/* As eo_send. The receiver cannot tell the sender by `from`, so messages say themselves who sent them. */
void wire_send(eo_pid to, int tag, const void *data, size_t size);

/* As wire_send; held up, its receiver, who waits for a sign of life, is told by EXPIRED too. */
void wire_send_watched(eo_pid to, int tag, const void *data, size_t size);

/* The parcel once more, for a sender that was told of it and has to repeat it. */
void wire_repeat(const parcel *held);

#endif
