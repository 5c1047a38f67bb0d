/* early.c: see early.h. Blocks lie one behind the other, each behind a header; a freed one goes to the list of its size, which
 * is a power of two. */
#include "base/early.h"

#include <link.h>
#include <string.h>

#include "base/map.h"
#include "base/object.h"
#include "base/own.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { PAGE = 4096, CLASSES = 64, OBJECTS = 256 };
enum { LIVE = 0x0ea71e, FREED = 0x0ea5ed };

typedef struct header {
  size_t size;
  uint32_t state;
  uint32_t room; /* power of two; 0: aligned, and never used again */
} header;

_Static_assert(sizeof(header) == 16, "blocks are aligned");

typedef struct code {
  uintptr_t from, to;
  bool programs;
} code;

EO_OWN static struct {
  int off;    /* atomic, as is what follows: > 0 from when something is explored or run live until it ends */
  bool ready; /* `objects` is filled */
  bool overflowed;
  bool locked; /* for what follows */
  char *top;   /* NULL: nothing yet */
  bool refused;
  header *free[CLASSES];
  code objects[OBJECTS];
  size_t object_count;
  unsigned long long loads; /* of objects, as far as the system tells, when they were read */
} early;

/* ---- Who calls ------------------------------------------------------------------------------------------------------ */

extern char __start_eo_allocates[] __attribute__((weak, visibility("hidden")));
extern char __stop_eo_allocates[] __attribute__((weak, visibility("hidden")));

static bool is_cpp(const char *path) {
  const char *file = path;
  for (; *path; path++)
    if (*path == '/') file = path + 1;
  return strncmp(file, "libstdc++", 9) == 0 || strncmp(file, "libc++.", 7) == 0;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *first) {
  (void)size;
  bool own = false, main = *(bool *)first;
  size_t before = early.object_count;
  *(bool *)first = false;
  for (int i = 0; i < info->dlpi_phnum && early.object_count < OBJECTS; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t from = info->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    own = own || (uintptr_t)&eo__early_alloc - from < part->p_memsz;
    bool programs = main || !eo__object_is_system(info->dlpi_name) || is_cpp(info->dlpi_name);
    early.objects[early.object_count++] = (code){from, from + part->p_memsz, programs};
  }
  for (size_t i = before; i < early.object_count && own && !main; i++) early.objects[i].programs = false;
  return 0;
}

static const code *object_of(uintptr_t pc) {
  for (size_t i = 0; i < early.object_count; i++)
    if (pc >= early.objects[i].from && pc < early.objects[i].to) return &early.objects[i];
  return NULL;
}

/* Never waits for long: after a fork, the thread that had the lock may be in the other process. Nothing is called while it is
 * held but what copies bytes. */
static bool lock(void) {
  for (unsigned tries = 0; tries < 1u << 20; tries++)
    if (!__atomic_exchange_n(&early.locked, true, __ATOMIC_ACQUIRE)) return true;
  return false;
}

static void unlock(void) { __atomic_store_n(&early.locked, false, __ATOMIC_RELEASE); }

static int count_loads(struct dl_phdr_info *info, size_t size, void *loads) {
  (void)size;
  *(unsigned long long *)loads = info->dlpi_adds;
  return 1;
}

static void read_objects(void) {
  bool first = true;
  early.object_count = 0;
  dl_iterate_phdr(count_loads, &early.loads);
  dl_iterate_phdr(add_object, &first);
}

/* The tool's own allocations come from one place (alloc.c), which may be a part of the program. Code that is not known may be that
 * of a library that was loaded since (dlopen), whose constructors call. */
static bool is_programs(const void *caller) {
  if ((const char *)caller >= __start_eo_allocates && (const char *)caller < __stop_eo_allocates) return false;
  const code *object = object_of((uintptr_t)caller);
  unsigned long long loads = early.loads;
  if (!object) dl_iterate_phdr(count_loads, &loads);
  if (loads != early.loads && lock()) {
    read_objects();
    unlock();
    object = object_of((uintptr_t)caller);
  }
  return object && object->programs;
}

/* ---- Blocks --------------------------------------------------------------------------------------------------------- */

static bool reserve(void) {
  if (early.top || early.refused) return early.top != NULL;
  void *got = eo__map(EO__EARLY_AT, EO__EARLY_MOST, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == EO__EARLY_AT)
    early.top = EO__EARLY_AT;
  else
    early.refused = true;
  if (got != MAP_FAILED && got != EO__EARLY_AT) munmap(got, EO__EARLY_MOST);
  return early.top != NULL;
}

static uint32_t room_of(size_t size) {
  uint32_t room = 4;
  while ((size_t)1 << room < size) room++;
  return room;
}

static void *take(size_t size, size_t align) {
  uint32_t room = align <= 16 ? room_of(size) : 0;
  header *h = room ? early.free[room] : NULL;
  if (h) {
    memcpy(&early.free[room], h + 1, sizeof(void *));
    memset(h + 1, 0, sizeof(void *));
  } else {
    uintptr_t at = (uintptr_t)early.top + sizeof(header);
    if (!room) at = (at + align - 1) & ~(uintptr_t)(align - 1);
    uintptr_t end = at + (room ? (size_t)1 << room : (size + 15) & ~(size_t)15);
    if (end > (uintptr_t)EO__EARLY_AT + EO__EARLY_MOST) return NULL;
    h = (header *)at - 1;
    __atomic_store_n(&early.top, (char *)end, __ATOMIC_RELAXED);
  }
  *h = (header){size, LIVE, room};
  return h + 1;
}

static bool is_on(void) {
  return __atomic_load_n(&early.ready, __ATOMIC_ACQUIRE) && !__atomic_load_n(&early.off, __ATOMIC_RELAXED);
}

bool eo__early_is_for(const void *caller) { return is_on() && is_programs(caller); }

void *eo__early_alloc(size_t size, size_t align, const void *caller) {
  if (!eo__early_is_for(caller)) return NULL;
  void *block = NULL;
  if (size <= EO__EARLY_MOST && align <= PAGE && lock()) {
    block = reserve() ? take(size, align) : NULL;
    unlock();
  }
  if (!block) __atomic_store_n(&early.overflowed, true, __ATOMIC_RELAXED);
  return block;
}

bool eo__early_size(const void *block, size_t *size) {
  const header *h = (const header *)block - 1;
  if (!eo__is_early(block) || (uintptr_t)block % sizeof(header) || (const char *)block >= eo__early_top() ||
      h->state != LIVE)
    return false;
  *size = h->size;
  return true;
}

const char *eo__early_block(const void *address, size_t *size) {
  const char *at = (const char *)((uintptr_t)address & ~(uintptr_t)15);
  if (!eo__is_early(address)) return NULL;
  for (; at > EO__EARLY_AT; at -= 16)
    if (eo__early_size(at, size)) return (const char *)address < at + *size ? at : NULL;
  return NULL;
}

bool eo__early_free(void *block) {
  size_t size;
  header *h = (header *)block - 1;
  if (!eo__early_size(block, &size)) return false;
  memset(block, 0, size);
  h->state = FREED;
  if (!h->room || !is_on() || !lock()) return true;
  memcpy(block, &early.free[h->room], sizeof(void *));
  early.free[h->room] = h;
  unlock();
  return true;
}

void eo__early_begin(void) {
  read_objects();
  __atomic_store_n(&early.ready, true, __ATOMIC_RELEASE);
}

void eo__early_end(void) { __atomic_add_fetch(&early.off, 1, __ATOMIC_RELAXED); }

void eo__early_resume(void) { __atomic_sub_fetch(&early.off, 1, __ATOMIC_RELAXED); }

char *eo__early_top(void) {
  char *top = __atomic_load_n(&early.top, __ATOMIC_RELAXED);
  return top ? top : EO__EARLY_AT;
}

bool eo__early_overflowed(void) { return __atomic_load_n(&early.overflowed, __ATOMIC_RELAXED); }
