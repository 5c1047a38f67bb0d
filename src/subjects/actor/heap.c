/* heap.c: malloc for one process, all of it inside the process's arena, so that it is captured with the rest.
 *
 * Bump allocation with a free list per size class. A block that is freed is zeroed, so that the same live data means the
 * same bytes. The blocks lie one behind the other from `blocks` to `top`, which lets the leak check walk them. */
#include <string.h>

#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/pages.h"

/* Classes of multiples of ALIGN, from 1 KiB on of powers of two, and from MIB on of multiples of that. */
enum { HEADER = 32, ALIGN = 16, MIB = 1 << 20, GROWTH = 4 * EO_PAGE };
enum { SMALL_CLASSES = 32, MIB_CLASS = SMALL_CLASSES + 10, CLASSES = MIB_CLASS + EO_ARENA_SIZE / MIB };

typedef enum { BLOCK_LIVE = 0x11fe0b10, BLOCK_FREE = 0x0f9ee000 } block_state;

typedef struct block {
  uint32_t state;
  uint32_t class;
  size_t size;        /* as asked for */
  const void *caller; /* NULL: ours, not the program's */
  char *start;        /* of the bytes: behind this header, or further for an aligned block */
} block;

_Static_assert(sizeof(block) == HEADER, "blocks are walked by their headers");

typedef struct heap {
  char *top;     /* NULL: not used yet */
  char *touched; /* writable up to here */
  void *free[CLASSES];
  void *inbox;
  void *library;
} heap;

static heap *heap_of(const eo_process *process) { return (heap *)(process->arena + EO_STACK_SIZE); }

static char *blocks_of(heap *h) { return (char *)h + ((sizeof(heap) + 63) & ~(size_t)63); }

static size_t class_size(unsigned class) {
  if (class < SMALL_CLASSES) return (class + 1) * (size_t)ALIGN;
  return class < MIB_CLASS ? (size_t)1024 << (class - SMALL_CLASSES) : (class - MIB_CLASS + 1) * (size_t)MIB;
}

static unsigned class_of(size_t size) {
  if (size <= SMALL_CLASSES * ALIGN) return size ? (unsigned)((size - 1) / ALIGN) : 0;
  if (size > MIB) return MIB_CLASS + (unsigned)((size - 1) / MIB);
  return SMALL_CLASSES + (64u - (unsigned)__builtin_clzll(size - 1)) - 10;
}

static bool extend(heap *h, char *top, const char *end) {
  if (top > end) return false;
  if (top > h->touched) {
    char *to = (char *)(((uintptr_t)top + GROWTH - 1) & ~(uintptr_t)(EO_PAGE - 1));
    if (to > end) to = (char *)(uintptr_t)end;
    eo__capture_touch(eo__actor->capture, h->touched, to);
    h->touched = to;
  }
  eo__actor->world.heaps += (size_t)(top - h->top);
  h->top = top;
  return true;
}

static void *alloc(eo_process *process, size_t size, size_t align, const void *caller) {
  heap *h = heap_of(process);
  const char *end = process->arena + (eo__actor->auditing ? EO__AREAS : EO__HEAP_END) * (size_t)EO_PAGE;
  if (!h->top) {
    eo__capture_touch(eo__actor->capture, (char *)h, blocks_of(h));
    h->top = blocks_of(h);
    h->touched = (char *)(((uintptr_t)h->top + EO_PAGE - 1) & ~(uintptr_t)(EO_PAGE - 1));
  }
  if (size > EO_ARENA_SIZE || align > EO_ARENA_SIZE) return NULL;
  size_t room = size + (align > ALIGN ? align : 0);
  if (room > EO_ARENA_SIZE) return NULL;
  unsigned class = class_of(room);
  block *b = h->free[class];
  if (b) {
    memcpy(&h->free[class], (char *)b + HEADER, sizeof(void *));
    memset((char *)b + HEADER, 0, sizeof(void *));
  } else {
    b = (block *)h->top;
    if (!extend(h, h->top + HEADER + class_size(class), end)) return NULL;
  }
  char *start = (char *)b + HEADER;
  if (align > ALIGN) start = (char *)(((uintptr_t)start + align - 1) & ~(uintptr_t)(align - 1));
  *b = (block){BLOCK_LIVE, class, size, caller, start};
  if (start != (char *)b + HEADER) memcpy(start - sizeof(block *), &b, sizeof b);
  return start;
}

/* There might be as much elsewhere, so what the process does next is not what is to be explored. */
static void refuse(eo_process *process, size_t size) {
  if (size > PTRDIFF_MAX) return; /* there is so much nowhere */
  process->refused = size;
  eo__actor->refused = true;
}

/* The lists of a heap are ours: that processes which free each other's blocks use them is no sharing. */
void *eo__heap_alloc(eo_process *process, size_t size, size_t align, const void *caller) {
  eo__watch_pause paused = eo_watch_pause(eo__actor->watch);
  void *bytes = alloc(process, size, align, caller);
  eo_watch_resume(eo__actor->watch, paused);
  if (bytes)
    eo__watch_forget(eo__actor->watch, bytes, size);
  else
    refuse(process, size);
  return bytes;
}

/* The header of a block from the address of its bytes; NULL: no block of ours. */
static block *block_of(const void *bytes) {
  char *start = (char *)(uintptr_t)bytes;
  uint32_t slot = eo__capture_slot_of(bytes);
  if (slot == EO_SLOTS || (uintptr_t)bytes % ALIGN) return NULL;
  heap *h = (heap *)(EO_ARENAS + (size_t)slot * EO_ARENA_SIZE + EO_STACK_SIZE);
  if (start < blocks_of(h) + HEADER || start >= h->top) return NULL;
  block *b = (block *)(start - HEADER);
  if (b->state == BLOCK_LIVE && b->start == start) return b;
  memcpy(&b, start - sizeof(block *), sizeof b);
  if ((char *)b < blocks_of(h) || (char *)b > start - HEADER || (uintptr_t)b % ALIGN) return NULL;
  return b->state == BLOCK_LIVE && b->start == start ? b : NULL;
}

static bool release(void *bytes, size_t *size) {
  block *b = block_of(bytes);
  if (!b) return false;
  heap *h = (heap *)(EO_ARENAS + (size_t)eo__capture_slot_of(bytes) * EO_ARENA_SIZE + EO_STACK_SIZE);
  size_t used = (size_t)(b->start - ((char *)b + HEADER)) + b->size;
  *size = b->size;
  unsigned class = b->class;
  memset((char *)b + HEADER, 0, used);
  *b = (block){.state = BLOCK_FREE, .class = class};
  memcpy((char *)b + HEADER, &h->free[class], sizeof(void *));
  h->free[class] = b;
  return true;
}

bool eo__heap_free(void *bytes, const void *caller) {
  size_t size = 0;
  eo__watch_pause paused = eo_watch_pause(eo__actor->watch);
  bool freed = release(bytes, &size);
  eo_watch_resume(eo__actor->watch, paused);
  if (freed && caller) eo__watch_note_running(eo__actor->watch, bytes, size, true, (const char *)caller - 1);
  return freed;
}

bool eo__heap_is_block(const void *bytes) {
  eo__watch_pause paused = eo_watch_pause(eo__actor->watch);
  bool is = block_of(bytes) != NULL;
  eo_watch_resume(eo__actor->watch, paused);
  return is;
}

bool eo__heap_block(const eo_process *process, const void *address, const char **start, size_t *size,
                    const void **caller) {
  heap *h = heap_of(process);
  if (!h->top) return false;
  const block *first = block_of(address); /* most ask for the start of one */
  for (char *at = first ? (char *)(uintptr_t)first : blocks_of(h); at < h->top;) {
    const block *b = (const block *)at;
    at += HEADER + class_size(b->class);
    if ((const char *)address >= at) continue;
    *start = b->start;
    *size = b->size;
    *caller = b->caller;
    return b->state == BLOCK_LIVE && (const char *)address >= b->start && (const char *)address < b->start + b->size;
  }
  return false;
}

static void *resize(eo_process *process, block *b, void *bytes, size_t size, const void *caller) {
  size_t room = class_size(b->class) - (size_t)(b->start - ((char *)b + HEADER));
  if (size <= room && size >= b->size / 2) {
    if (size < b->size) memset(b->start + size, 0, b->size - size);
    b->size = size;
    return bytes;
  }
  void *moved = alloc(process, size, ALIGN, caller);
  if (!moved) return NULL;
  memcpy(moved, bytes, b->size < size ? b->size : size);
  release(bytes, &room);
  return moved;
}

void *eo__heap_resize(eo_process *process, void *bytes, size_t size, const void *caller) {
  eo__watch_pause paused = eo_watch_pause(eo__actor->watch);
  block *b = block_of(bytes);
  size_t had = b ? b->size : 0;
  void *resized = b ? resize(process, b, bytes, size, caller) : NULL;
  eo_watch_resume(eo__actor->watch, paused);
  if (b && !resized) refuse(process, size);
  if (resized) eo__watch_note_running(eo__actor->watch, bytes, had, true, (const char *)caller - 1);
  if (resized && resized != bytes) eo__watch_forget(eo__actor->watch, resized, size);
  return resized;
}

size_t eo__heap_used(const eo_process *process) {
  heap *h = heap_of(process);
  size_t used = h->top ? (size_t)(h->top - (char *)h) : 0, most = EO_ARENA_SIZE - EO_GUARD_SIZE - EO_STACK_SIZE;
  return used < most ? used : most; /* the program may have written over `top` */
}

size_t eo__heap_live(const eo_process *process, size_t *count, const void **caller) {
  heap *h = heap_of(process);
  size_t bytes = 0;
  *count = 0;
  if (!h->top) return 0;
  for (char *at = blocks_of(h); at < h->top;) {
    const block *b = (const block *)at;
    if (b->state == BLOCK_LIVE && b->caller) {
      bytes += b->size;
      if ((*count)++ == 0) *caller = b->caller;
    }
    at += HEADER + class_size(b->class);
  }
  return bytes;
}

void *eo__heap_inbox(eo_process *process, size_t size) {
  heap *h = heap_of(process);
  if (h->inbox) eo__heap_free(h->inbox, NULL);
  void *inbox = eo__heap_alloc(process, size, ALIGN, NULL);
  h->inbox = inbox;
  return inbox;
}

void *eo__heap_library_known(const eo_process *process) { return heap_of(process)->library; }

void *eo__heap_library(eo_process *process, size_t size) {
  heap *h = heap_of(process);
  void *library = h->library ? h->library : eo__heap_alloc(process, size, ALIGN, NULL);
  h->library = library;
  return library;
}
