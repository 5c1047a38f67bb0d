/* queue.h: states that wait, as one long row of bytes in segments: they are added behind, read in order, and forgotten in
 * order. A record lies in one segment, and does not move until it is forgotten. */
#ifndef EO_PROMELA_QUEUE_H
#define EO_PROMELA_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct eo__segment {
  struct eo__segment *next;
  size_t used, capacity;
  unsigned char bytes[];
} eo__segment;

typedef struct eo__queue_place {
  eo__segment *segment; /* NULL: the beginning of the first */
  size_t at;
} eo__queue_place;

typedef struct eo__queue {
  eo__segment *first, *last;
  eo__queue_place reader; /* the next record to be read */
  size_t forgotten;       /* bytes of the first segment */
  uint64_t bytes;         /* of memory */
} eo__queue;

/* Room for a record of this size behind all others. NULL: no memory. */
unsigned char *eo__queue_add(eo__queue *queue, size_t size);

/* The next record that was not read; size: of that record, which it begins with as eo__waiting. NULL: all were. */
const unsigned char *eo__queue_read(eo__queue *queue);

/* The first record, and forgetting it. It was read before. */
const unsigned char *eo__queue_first(const eo__queue *queue);
void eo__queue_forget(eo__queue *queue);
void eo__queue_unread(eo__queue *queue); /* all that are there are to be read again */
void eo__queue_release(eo__queue *queue);
uint64_t eo__queue_growth(const eo__queue *queue, uint32_t size); /* more memory when such a state is added */

#endif
