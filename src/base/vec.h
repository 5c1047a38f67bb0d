/* vec.h: a growing array of any type. Invariant: count <= capacity; items is NULL exactly when capacity is 0.
 *
 *   EO_VEC(int) numbers = {0};
 *   if (!eo_vec_push(&numbers, 3)) return eo__error_nomem(error);
 *   eo_vec_release(&numbers);
 */
#ifndef EO_BASE_VEC_H
#define EO_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>

#define EO_VEC(type) \
  struct {           \
    type *items;     \
    size_t count;    \
    size_t capacity; \
  }

/* Room for `extra` more items; false: no memory, and the vector is as before. */
#define eo_vec_reserve(vec, extra)              \
  ((extra) <= (vec)->capacity - (vec)->count || \
   eo__vec_grow((void **)&(vec)->items, &(vec)->capacity, (vec)->count + (extra), sizeof(*(vec)->items)))

#define eo_vec_push(vec, value) (eo_vec_reserve(vec, 1) ? ((vec)->items[(vec)->count++] = (value), true) : false)

/* All items of another of the same type; false: no memory, and the vector is as before. */
#define eo_vec_append(vec, more)                                                                               \
  eo__vec_append((void **)&(vec)->items, &(vec)->count, &(vec)->capacity, true ? (more)->items : (vec)->items, \
                 (more)->count, sizeof(*(vec)->items))

#define eo_vec_pop(vec) ((vec)->items[--(vec)->count])
#define eo_vec_last(vec) ((vec)->items[(vec)->count - 1])
#define eo_vec_clear(vec) ((void)((vec)->count = 0))
#define eo_vec_release(vec) eo__vec_release((void **)&(vec)->items, &(vec)->count, &(vec)->capacity)

bool eo__vec_grow(void **items, size_t *capacity, size_t wanted, size_t size);
bool eo__vec_append(void **items, size_t *count, size_t *capacity, const void *more, size_t extra, size_t size);
void eo__vec_release(void **items, size_t *count, size_t *capacity);

#endif
