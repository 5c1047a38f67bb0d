/* channel.h: messages between a worker and its parent, over a socket that the program under test may write to, close or
 * replace: it runs in the worker.
 *
 * A message is a head (a mark, the size, a hash of the bytes) and the bytes. A worker sends one message and then waits for
 * the answer, so whatever does not begin with the mark, is too long, does not add up, or comes behind a whole message was
 * sent by somebody else. */
#ifndef EO_CORE_CHANNEL_H
#define EO_CORE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/strategy.h"

#define EO_MESSAGE_MOST ((size_t)1 << 30) /* bytes */

typedef enum eo_message_state {
  EO_MESSAGE_PART, /* so far it may be one */
  EO_MESSAGE_WHOLE,
  EO_MESSAGE_BAD /* it is none, and never will be */
} eo_message_state;

/* What the bytes that came in so far are. Of a whole message: its content, which points into *input. */
eo_message_state eo__message_look(const eo_bytes *input, const unsigned char **bytes, size_t *size);

/* Adds a message to *output. False: no memory, or it is too long. */
bool eo__message_add(eo_bytes *output, const void *bytes, size_t size);

/* Both wait. EO_ESYSTEM: the other side is gone, the descriptor is not the channel any more, or what came is no message. */
int eo__channel_send(int file, const eo_bytes *message);
int eo__channel_receive(int file, eo_bytes *content);

/* Moves the descriptor to a number above those that a program uses or closes in a loop, where the limits allow that. It is
 * closed by exec. */
int eo__channel_hide(int file);

#endif
