/* access.c: see access.h. The functions that the compiler calls are those of -fsanitize=thread; nothing else of that is
 * used. */
#include "mpi/access.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/rma.h"
#include "mpi/type.h"

typedef struct guard {
  struct guard *next;
  const void *owner;
  const char *buffer, *low, *high; /* the items, and the bytes from the first to the last of them */
  int count;
  const eo__mpi_type *type;
  bool writes; /* MPI writes there */
  const eo_mpi_place *place;
  const char *call;
} guard;

static guard *guards;
static const char *lowest, *highest; /* of all */

static void note_bounds(void) {
  lowest = highest = NULL;
  for (const guard *g = guards; g; g = g->next) {
    if (!lowest || g->low < lowest) lowest = g->low;
    if (!highest || g->high > highest) highest = g->high;
  }
}

static guard guard_of(const void *buffer, int count, MPI_Datatype handle) {
  const eo__mpi_type *type = eo__mpi_type_used(handle);
  const char *first = buffer, *last = first + (count - 1) * eo__mpi_extent(type);
  return (guard){.buffer = buffer,
                 .low = (first < last ? first : last) + type->true_lb,
                 .high = (first < last ? last : first) + type->true_ub,
                 .count = count,
                 .type = type,
                 .place = eo_mpi_at,
                 .call = eo__mpi.call};
}

void eo__mpi_guard(const void *owner, const void *buffer, int count, MPI_Datatype handle, bool writes) {
  if (count <= 0 || eo__mpi_type_size(handle) == 0) return;
  guard *g = eo__mpi_need(malloc(sizeof *g));
  *g = guard_of(buffer, count, handle);
  g->next = guards;
  g->owner = owner;
  g->writes = writes;
  guards = g;
  note_bounds();
}

void eo__mpi_unguard(const void *owner) {
  bool any = false;
  for (guard **link = &guards; *link;) {
    guard *g = *link;
    if (g->owner != owner) {
      link = &g->next;
      continue;
    }
    *link = g->next;
    free(g);
    any = true;
  }
  if (any) note_bounds();
}

/* Are any of these bytes those of an item, and not of a gap? */
static bool meets(const guard *g, const char *low, const char *high) {
  if (high <= g->low || low >= g->high) return false;
  for (int i = 0; i < g->count; i++) {
    const char *item = g->buffer + i * eo__mpi_extent(g->type);
    for (size_t j = 0; j < g->type->segment_count; j++) {
      const eo__mpi_segment *segment = &g->type->segments[j];
      const char *begin = item + segment->offset, *end = begin + segment->count * (segment->basic & 0xff);
      if (low < end && begin < high) return true;
    }
  }
  return false;
}

static void check(const char *low, const char *high, bool writes, bool by_call) {
  for (const guard *g = guards; g; g = g->next) {
    if ((!writes && !g->writes) || !meets(g, low, high)) continue;
    const char *how = writes ? "writes to" : "reads";
    if (by_call)
      eo__mpi_fail("buffer-in-use", "%s the buffer of %s at %s:%d, which is still under way", how, g->call,
                   g->place->file, g->place->line);
    eo__mpi_fail("buffer-in-use", "after this call the program %s the buffer of %s at %s:%d, which is still under way",
                 how, g->call, g->place->file, g->place->line);
  }
}

/* Calls of `each` for the items, run by run, until it is true. */
static bool any_run(const guard *items, bool each(const char *low, const char *high, const void *argument),
                    const void *argument) {
  for (int i = 0; i < items->count; i++)
    for (size_t j = 0; j < items->type->segment_count; j++) {
      const eo__mpi_segment *segment = &items->type->segments[j];
      const char *begin = items->buffer + i * eo__mpi_extent(items->type) + segment->offset;
      if (each(begin, begin + segment->count * (segment->basic & 0xff), argument)) return true;
    }
  return false;
}

static bool check_run(const char *low, const char *high, const void *writes) {
  check(low, high, *(const bool *)writes, true);
  return false;
}

/* Is the buffer longer than the block of malloc that it begins in? Of other memory nobody knows how long it is. */
static void check_block(const guard *items) {
  size_t left = eo_block_left(items->low), size = (size_t)(items->high - items->low);
  if (size > left)
    eo__mpi_fail("invalid-buffer", "the buffer has %zu bytes, the allocated memory ends after %zu", size, left);
}

void eo__mpi_touch(const void *buffer, int count, MPI_Datatype type, bool writes) {
  if (count <= 0 || eo__mpi_type_size(type) == 0) return;
  guard items = guard_of(buffer, count, type);
  check_block(&items);
  if (writes && (MPI_Aint)items.type->size > items.type->true_ub - items.type->true_lb)
    eo__mpi_fail("invalid-type", "items of a type that receives must not overlap");
  if (!guards) return;
  if (items.high > lowest && items.low < highest) any_run(&items, check_run, &writes);
}

static bool meets_run(const char *low, const char *high, const void *other) { return meets(other, low, high); }

bool eo__mpi_overlap(const void *a, int count, MPI_Datatype type, const void *b, int other_count, MPI_Datatype other) {
  if (count <= 0 || other_count <= 0) return false;
  guard x = guard_of(a, count, type), y = guard_of(b, other_count, other);
  return x.low < y.high && y.low < x.high && any_run(&x, meets_run, &y);
}

/* ---- Memory of windows ------------------------------------------------------------------------------------------------ */

typedef struct region {
  struct region *next;
  const char *low, *high;
  int owner; /* in MPI_COMM_WORLD */
  bool shared;
} region;

enum { RECENT = 8 };

static region *regions;
static eo__mpi_touched *touched;
static size_t touched_count, touched_room;
static const eo_mpi_place *touched_place;
static const char *touched_call;

void eo__mpi_window_memory(int owner, const void *base, size_t size, bool shared) {
  if (!size) return;
  region *r = eo__mpi_need(malloc(sizeof *r));
  *r = (region){regions, base, (const char *)base + size, owner, shared};
  regions = r;
}

void eo__mpi_window_forget(int owner, const void *base) {
  for (region **link = &regions; *link; link = &(*link)->next) {
    region *r = *link;
    if (r->low != base || r->owner != owner) continue;
    *link = r->next;
    free(r);
    return;
  }
}

void eo__mpi_block_freed(const void *block) {
  if (!guards && !regions) return;
  const char *low = block;
  size_t size = eo_block_left(block);
  if (size == SIZE_MAX) return;
  for (const guard *g = guards; g; g = g->next)
    if (meets(g, low, low + size))
      eo__mpi_fail("buffer-in-use",
                   "after this call the program frees the buffer of %s at %s:%d, which is still under way", g->call,
                   g->place->file, g->place->line);
  for (const region *r = regions; r; r = r->next)
    if (r->low < low + size && low < r->high)
      eo__mpi_fail("invalid-window", "after this call the program frees memory of a window that is still there");
}

/* Accesses that lie beside each other are one, as those of loops do. */
static void note(const region *of, const char *low, const char *high, bool writes, uint32_t request) {
  for (size_t i = touched_count, n = 0; i-- > 0 && n < RECENT; n++) {
    eo__mpi_touched *t = &touched[i];
    if (t->owner != of->owner || t->shared != of->shared || t->writes != writes || t->request != request ||
        low > t->high || high < t->low)
      continue;
    if (low < t->low) t->low = low;
    if (high > t->high) t->high = high;
    return;
  }
  if (touched_count == touched_room) {
    touched_room = 2 * touched_room + 16;
    touched = eo__mpi_need(realloc(touched, touched_room * sizeof *touched));
  }
  if (touched_count == 0) {
    touched_place = eo_mpi_at;
    touched_call = eo__mpi.call;
  }
  touched[touched_count++] = (eo__mpi_touched){low, high, of->owner, of->shared, writes, request};
}

static void note_regions(const char *low, const char *high, bool writes, uint32_t request) {
  for (const region *r = regions; r; r = r->next)
    if (low < r->high && high > r->low)
      note(r, low > r->low ? low : r->low, high < r->high ? high : r->high, writes, request);
}

typedef struct log_entry {
  bool writes;
  uint32_t request;
} log_entry;

static bool log_run(const char *low, const char *high, const void *argument) {
  const log_entry *l = argument;
  note_regions(low, high, l->writes, l->request);
  return false;
}

void eo__mpi_window_log(const void *buffer, int count, MPI_Datatype type, bool writes, uint32_t request) {
  if (!regions || count <= 0) return;
  guard items = guard_of(buffer, count, type);
  any_run(&items, log_run, &(log_entry){writes, request});
}

void eo__mpi_window_tell(void) {
  if (!touched_count) return;
  size_t size = touched_count * sizeof *touched;
  touched_count = 0;
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_TOUCHED, 0, 0, MPI_BYTE, size);
  memcpy((char *)(uintptr_t)eo__mpi_payload(post), touched, size);
  post->place = touched_place;
  post->call = touched_call;
}

/* ---- What the compiler calls ------------------------------------------------------------------------------------------ */

static inline void access(const void *address, size_t size, bool writes) {
  const char *low = address, *high = low + size;
  if (regions) note_regions(low, high, writes, 0);
  if (!guards || high <= lowest || low >= highest) return;
  check(low, high, writes, false);
}

#define KEPT __attribute__((visibility("hidden"), used))
#define HOOK KEPT void

HOOK __tsan_init(void) {}
HOOK __tsan_func_entry(void *caller) { (void)caller; }
HOOK __tsan_func_exit(void) {}
HOOK __tsan_vptr_update(void **address, void *value) {
  (void)address;
  (void)value;
}
HOOK __tsan_vptr_read(void **address) { (void)address; }
HOOK __tsan_read_range(void *address, size_t size) { access(address, size, false); }
HOOK __tsan_write_range(void *address, size_t size) { access(address, size, true); }

#define HOOKS(size)                                                                 \
  HOOK __tsan_read##size(void *address) { access(address, size, false); }           \
  HOOK __tsan_write##size(void *address) { access(address, size, true); }           \
  HOOK __tsan_unaligned_read##size(void *address) { access(address, size, false); } \
  HOOK __tsan_unaligned_write##size(void *address) { access(address, size, true); } \
  HOOK __tsan_volatile_read##size(void *address) { access(address, size, false); }  \
  HOOK __tsan_volatile_write##size(void *address) { access(address, size, true); }  \
  HOOK __tsan_read_write##size(void *address) { access(address, size, true); }

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

/* Ranks are single threads, of which one runs at a time: nothing of atomic operations but the access itself matters. */
#define OPERATION(bits, T, name, result)                      \
  KEPT T __tsan_atomic##bits##_##name(T *a, T v, int order) { \
    (void)order;                                              \
    access(a, sizeof *a, true);                               \
    T old = *a;                                               \
    *a = (T)(result);                                         \
    return old;                                               \
  }
#define EXCHANGE(bits, T, name)                                                            \
  KEPT int __tsan_atomic##bits##_compare_exchange_##name(T *a, T *c, T v, int o, int no) { \
    (void)o;                                                                               \
    (void)no;                                                                              \
    access(a, sizeof *a, true);                                                            \
    bool same = *a == *c;                                                                  \
    *(same ? a : c) = same ? v : *a;                                                       \
    return same;                                                                           \
  }
#define ATOMICS(bits, T)                                        \
  KEPT T __tsan_atomic##bits##_load(const T *a, int order) {    \
    (void)order;                                                \
    access(a, sizeof *a, false);                                \
    return *a;                                                  \
  }                                                             \
  KEPT void __tsan_atomic##bits##_store(T *a, T v, int order) { \
    (void)order;                                                \
    access(a, sizeof *a, true);                                 \
    *a = v;                                                     \
  }                                                             \
  OPERATION(bits, T, exchange, v)                               \
  OPERATION(bits, T, fetch_add, old + v)                        \
  OPERATION(bits, T, fetch_sub, old - v)                        \
  OPERATION(bits, T, fetch_and, old &v)                         \
  OPERATION(bits, T, fetch_or, old | v)                         \
  OPERATION(bits, T, fetch_xor, old ^ v)                        \
  OPERATION(bits, T, fetch_nand, ~(old & v))                    \
  EXCHANGE(bits, T, strong)                                     \
  EXCHANGE(bits, T, weak)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
HOOK __tsan_atomic_thread_fence(int order) { (void)order; }
HOOK __tsan_atomic_signal_fence(int order) { (void)order; }

KEPT void *__tsan_memcpy(void *to, const void *from, size_t size) {
  access(from, size, false);
  access(to, size, true);
  return memcpy(to, from, size);
}

KEPT void *__tsan_memmove(void *to, const void *from, size_t size) {
  access(from, size, false);
  access(to, size, true);
  return memmove(to, from, size);
}

KEPT void *__tsan_memset(void *to, int value, size_t size) {
  access(to, size, true);
  return memset(to, value, size);
}
