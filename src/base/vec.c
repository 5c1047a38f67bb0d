/* vec.c: growing and releasing the array behind an EO_VEC. */
#include "base/vec.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

enum { FIRST_CAPACITY = 8 };

/* `items` points to a pointer of some other type, so it is read and written as bytes: as a void * it would break the
 * aliasing rules. */
bool eo__vec_grow(void **items, size_t *capacity, size_t wanted, size_t size) {
  size_t most = PTRDIFF_MAX / size;
  if (wanted > most) return false;
  size_t room = *capacity > most / 2 ? most : *capacity * 2;
  if (room < FIRST_CAPACITY && FIRST_CAPACITY <= most) room = FIRST_CAPACITY;
  if (room < wanted) room = wanted;

  void *block;
  memcpy(&block, items, sizeof block);
  block = eo__realloc(block, room * size);
  if (!block) return false;
  memcpy(items, &block, sizeof block);
  *capacity = room;
  return true;
}

bool eo__vec_append(void **items, size_t *count, size_t *capacity, const void *more, size_t extra, size_t size) {
  if (extra == 0) return true;
  if (extra > *capacity - *count && !eo__vec_grow(items, capacity, *count + extra, size)) return false;
  char *block;
  memcpy(&block, items, sizeof block);
  memcpy(block + *count * size, more, extra * size);
  *count += extra;
  return true;
}

void eo__vec_release(void **items, size_t *count, size_t *capacity) {
  void *block;
  memcpy(&block, items, sizeof block);
  eo__free(block);
  block = NULL;
  memcpy(items, &block, sizeof block);
  *count = 0;
  *capacity = 0;
}
