/* queue.c: see queue.h. */
#include "subjects/model/queue.h"

#include <string.h>

#include "base/alloc.h"
#include "subjects/model/expand.h"

enum { SEGMENT = 1 << 16 };

static size_t size_of(const unsigned char *record) {
  eo__waiting head;
  memcpy(&head, record, sizeof head);
  return sizeof head + head.size;
}

static bool has_room(const eo__queue *q, size_t size) { return q->last && q->last->capacity - q->last->used >= size; }

uint64_t eo__queue_growth(const eo__queue *q, uint32_t size) {
  return has_room(q, sizeof(eo__waiting) + size) ? 0 : size > SEGMENT ? size : SEGMENT;
}

unsigned char *eo__queue_add(eo__queue *q, size_t size) {
  if (!has_room(q, size)) {
    size_t capacity = size > SEGMENT ? size : SEGMENT;
    eo__segment *made = eo__alloc(sizeof *made + capacity);
    if (!made) return NULL;
    made->capacity = capacity;
    if (q->last)
      q->last->next = made;
    else
      q->first = made;
    q->last = made;
    q->bytes += sizeof *made + capacity;
  }
  unsigned char *at = q->last->bytes + q->last->used;
  q->last->used += size;
  return at;
}

const unsigned char *eo__queue_read(eo__queue *q) {
  eo__queue_place *p = &q->reader;
  if (!p->segment) *p = (eo__queue_place){q->first, q->forgotten};
  if (!p->segment) return NULL;
  if (p->at == p->segment->used && p->segment->next) *p = (eo__queue_place){p->segment->next, 0};
  if (p->at == p->segment->used) return NULL;
  const unsigned char *record = p->segment->bytes + p->at;
  p->at += size_of(record);
  return record;
}

/* The segment that the first record lies in: one that is used up is kept as long as it is the last. */
static void pass(eo__queue *q) {
  while (q->first && q->first->next && q->forgotten == q->first->used) {
    eo__segment *done = q->first;
    if (q->reader.segment == done) q->reader = (eo__queue_place){done->next, 0};
    q->first = done->next;
    q->forgotten = 0;
    q->bytes -= sizeof *done + done->capacity;
    eo__free(done);
  }
}

const unsigned char *eo__queue_first(const eo__queue *q) {
  const eo__segment *s = q->first;
  size_t at = q->forgotten;
  if (s && at == s->used) {
    s = s->next;
    at = 0;
  }
  return s && at < s->used ? s->bytes + at : NULL;
}

void eo__queue_forget(eo__queue *q) {
  pass(q);
  q->forgotten += size_of(q->first->bytes + q->forgotten);
  pass(q);
}

void eo__queue_unread(eo__queue *q) { q->reader = (eo__queue_place){NULL, 0}; }

void eo__queue_release(eo__queue *q) {
  for (eo__segment *s = q->first, *next; s; s = next) {
    next = s->next;
    eo__free(s);
  }
  *q = (eo__queue){0};
}
