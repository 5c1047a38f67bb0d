/* guard.c: see guard.h. What runs in the signal handler allocates nothing: the tables have room for all slots, on mappings
 * that cost memory only where they are used. */
#include "subjects/actor/guard.h"

#include <errno.h>

#include "base/map.h"

enum { MOST_CONTESTED = 1 << 16 };

static void *reserve(size_t size) {
  void *got = eo__map(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? NULL : got;
}

bool eo__guard_open(eo__guard *guard, eo_capture *capture) {
  *guard = (eo__guard){.capture = capture};
  guard->arenas = reserve(EO_SLOTS * sizeof *guard->arenas);
  guard->at = reserve(EO_SLOTS * sizeof *guard->at);
  guard->contested = reserve(MOST_CONTESTED * sizeof(eo__page *));
  return guard->arenas && guard->at && guard->contested;
}

void eo__guard_close(eo__guard *guard) {
  if (guard->arenas) munmap(guard->arenas, EO_SLOTS * sizeof *guard->arenas);
  if (guard->at) munmap(guard->at, EO_SLOTS * sizeof *guard->at);
  if (guard->contested) munmap(guard->contested, MOST_CONTESTED * sizeof(eo__page *));
}

static void set_page(eo__page *page, int how) {
  int keep = errno;
  EO_CHECK(eo__protect(page->address, EO_PAGE, how) == 0);
  errno = keep;
}

static void open_to(eo__page *page, bool open) {
  if (open) page->closed = false;
  set_page(page, !open ? PROT_NONE : page->state == EO__HOT ? PROT_READ | PROT_WRITE : PROT_READ);
}

/* What is barred (bounds.c) is so for the engine, too. */
static void set_contested(eo__guard *guard, uint32_t slot, bool open) {
  for (uint32_t i = 0; i < guard->contested_count; i++)
    if (eo__capture_slot_of(guard->contested[i]->address) == slot)
      open_to(guard->contested[i], open && !guard->contested[i]->barred);
}

void eo__guard_shut_page(eo__page *page) { open_to(page, false); }

static void set(eo__guard *guard, eo__guarded *arena, eo__opened wanted) {
  if (arena->opened == wanted && !eo__capture_stirred(guard->capture, arena->slot)) return;
  if (wanted == EO__OPEN_TO_NONE) {
    eo__capture_shut(guard->capture, arena->slot);
  } else {
    if (arena->opened == EO__OPEN_TO_NONE) eo__capture_unshut(guard->capture, arena->slot);
    set_contested(guard, arena->slot, wanted == EO__OPEN_TO_ALL);
  }
  arena->opened = wanted;
}

void eo__guard_add(eo__guard *guard, uint32_t slot) {
  if (guard->at[slot] || !eo__capture_has_arena(guard->capture, slot)) return;
  guard->arenas[guard->count++] = (eo__guarded){slot, EO__OPEN_TO_ALL};
  guard->at[slot] = guard->count;
}

void eo__guard_enter(eo__guard *guard, uint32_t slot) {
  for (uint32_t i = 0; i < guard->count; i++)
    set(guard, &guard->arenas[i], guard->arenas[i].slot == slot ? EO__OPEN_TO_OWN : EO__OPEN_TO_NONE);
}

void eo__guard_admit(eo__guard *guard, uint32_t slot) {
  if (guard->at[slot]) set(guard, &guard->arenas[guard->at[slot] - 1], EO__OPEN_TO_ALL);
}

void eo__guard_reset(eo__guard *guard) {
  for (uint32_t i = 0; i < guard->count; i++) {
    set(guard, &guard->arenas[i], EO__OPEN_TO_ALL);
    guard->at[guard->arenas[i].slot] = 0;
  }
  guard->count = 0;
  guard->unsure = false;
}

static void contest(eo__guard *guard, eo__page *page) {
  if (page->contested) return;
  guard->unsure = true;
  if (guard->contested_count == MOST_CONTESTED) {
    guard->blind = true;
    return;
  }
  page->contested = true;
  guard->contested[guard->contested_count++] = page;
}

void eo__guard_contest(eo__guard *guard, const void *address, size_t size) {
  eo__guard_add(guard, eo__capture_slot_of(address));
  const char *end = (const char *)address + size;
  for (char *at = (char *)((uintptr_t)address & ~(uintptr_t)(EO_PAGE - 1)); at < end; at += EO_PAGE) {
    eo__page *page = eo__page_find(guard->capture, at);
    if (!page) continue;
    page->address = at;
    contest(guard, page);
  }
}

bool eo__guard_is_contested(const eo__guard *guard, const void *address, size_t size) {
  const char *end = (const char *)address + size;
  for (const char *at = (const char *)((uintptr_t)address & ~(uintptr_t)(EO_PAGE - 1)); at < end; at += EO_PAGE) {
    const eo__page *page = eo__page_find(guard->capture, at);
    if (page && page->contested) return true;
  }
  return false;
}

/* Opens the one page, as far as this access needs; all others of the arena are as before. */
static bool open_page(eo__guard *guard, eo__guarded *arena, eo__page *page, void *address, void *ucontext) {
  if (page->state != EO__HOT && eo__fault_is_write(ucontext)) {
    eo__opened before = arena->opened;
    if (!eo__capture_fault(guard->capture, address, ucontext)) return false;
    set(guard, arena, before); /* a stack is made hot up to its top */
  }
  open_to(page, true);
  return true;
}

eo__guard_answer eo__guard_fault(eo__guard *guard, uint32_t running, void *address, void *ucontext, eo__page **page) {
  uint32_t slot = eo__capture_slot_of(address);
  *page = eo__page_find(guard->capture, address);
  if (slot == EO_SLOTS || !*page) return EO__GUARD_NOT;
  bool own = slot == running;
  if ((running == EO_SLOTS || (own && !(*page)->contested)) &&
      eo__capture_use(guard->capture, address, (char *)address + 1))
    return EO__GUARD_GO;
  if (running == EO_SLOTS) {
    eo__guarded *arena = guard->at[slot] ? &guard->arenas[guard->at[slot] - 1] : NULL;
    if (!arena || arena->opened == EO__OPEN_TO_ALL) return EO__GUARD_NOT;
    set(guard, arena, EO__OPEN_TO_ALL);
    return EO__GUARD_GO;
  }
  if (own && !(guard->at[slot] && (*page)->contested)) return EO__GUARD_NOT;
  if (!guard->at
           [slot]) { /* a first write to a page that nobody has used: of an arena that is not guarded, it alone faults */
    eo__guard_add(guard, slot);
    guard->unsure = true;
  }
  if (!guard->at[slot]) return EO__GUARD_NOT;
  (*page)->address = (char *)((uintptr_t)address & ~(uintptr_t)(EO_PAGE - 1));
  if (!own) contest(guard, *page);
  return open_page(guard, &guard->arenas[guard->at[slot] - 1], *page, address, ucontext) ? EO__GUARD_STEP
                                                                                         : EO__GUARD_NOT;
}

void eo__guard_open_own(eo__guard *guard, uint32_t running) {
  if (!guard->at[running]) return;
  set(guard, &guard->arenas[guard->at[running] - 1], EO__OPEN_TO_ALL);
  eo__capture_use_areas(guard->capture, running);
}

void eo__guard_lend(eo__guard *guard, uint32_t running, char *at, bool write) {
  uint32_t slot = eo__capture_slot_of(at);
  eo__page *page = eo__page_find(guard->capture, at);
  if (slot == running && page->barred) return;
  if (slot != running && !guard->at[slot]) { /* as in eo__guard_fault */
    eo__guard_add(guard, slot);
    guard->unsure = true;
  }
  page->address = at;
  if (slot != running) contest(guard, page);
  if (write && page->state != EO__HOT) eo__capture_fault(guard->capture, at, NULL);
  if (slot == running || !guard->at[slot]) return;
  open_to(page, true);
  eo__capture_stir(guard->capture, slot);
}

void eo__guard_give_up(eo__guard *guard, const eo__page *page) {
  guard->blind = true;
  eo__capture_stir(guard->capture, eo__capture_slot_of(page->address));
}
