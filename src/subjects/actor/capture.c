/* capture.c: arenas, faults and reset. Saves, restores and fingerprints are in snapshot.c; finding the globals is in
 * segments.c; pages.h has the data structure and its invariants.
 *
 * What runs inside the SIGSEGV handler (heat and what it calls) allocates nothing but by mremap. */
#include "subjects/actor/capture.h"

#include <errno.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map.h"
#include "subjects/actor/pages.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static const char zeros[EO_PAGE] __attribute__((aligned(64)));

/* ---- Lists ---------------------------------------------------------------------------------------------------- */

static bool list_init(eo__page_list *list) {
  list->capacity = 8192;
  void *items = eo__map(NULL, list->capacity * sizeof(*list->items), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  list->items = items == MAP_FAILED ? NULL : items;
  return list->items != NULL;
}

static void list_release(eo__page_list *list) {
  if (list->items) munmap(list->items, list->capacity * sizeof(*list->items));
}

static bool list_push(eo__page_list *list, eo__page *page) {
  if (list->count == list->capacity) {
    size_t size = list->capacity * sizeof(*list->items);
    void *items = eo__remap(list->items, size, 2 * size, MREMAP_MAYMOVE);
    if (items == MAP_FAILED) return false;
    list->items = items;
    list->capacity *= 2;
  }
  page->at = (uint32_t)list->count;
  list->items[list->count++] = page;
  return true;
}

static void list_remove(eo__page_list *list, const eo__page *page) {
  eo__page *last = list->items[--list->count];
  last->at = page->at;
  list->items[page->at] = last;
}

static eo__page_list *list_of_hot(eo_capture *capture, const eo__page *page) {
  return page->global ? &capture->written : &capture->hot;
}

/* ---- Pages ---------------------------------------------------------------------------------------------------- */

static bool protect(char *address, size_t size, int how) {
  int keep = errno; /* a fault happens in the middle of the program's code */
  bool done = eo__protect(address, size, how) == 0;
  errno = keep;
  return done;
}

const char *eo__page_baseline(const eo_capture *capture, const eo__page *page) {
  return page->global ? capture->baseline + (size_t)(page - capture->globals) * EO_PAGE : zeros;
}

/* The bookkeeping of a page that has just been made writable. */
static bool mark_hot(eo_capture *capture, eo__page *page) {
  eo__page_state old = page->state;
  uint32_t at = page->at;
  if (old == EO__HOT) return true;
  if (!list_push(list_of_hot(capture, page), page)) return false;
  if (old == EO__STILL) {
    uint32_t now = page->at;
    page->at = at;
    list_remove(&capture->still, page);
    page->at = now;
  }
  page->state = EO__HOT;
  page->idle = 0;
  return true;
}

/* Pages [first, end) of an arena, in one system call. */
static bool heat_run(eo_capture *capture, eo__slot *slot, uint32_t first, uint32_t end) {
  if (!protect(slot->base + (size_t)first * EO_PAGE, (size_t)(end - first) * EO_PAGE, PROT_READ | PROT_WRITE)) {
    return false;
  }
  for (uint32_t i = first; i < end; i++) {
    slot->pages[i].address = slot->base + (size_t)i * EO_PAGE;
    if (!mark_hot(capture, &slot->pages[i])) return false;
  }
  if (first < slot->low) slot->low = first;
  if (end > slot->high && first < EO__AREAS) slot->high = end;
  slot->stirred = true;
  return true;
}

static void stir(eo_capture *capture, const eo__page *page) {
  if (!page->global) eo__capture_stir(capture, eo__capture_slot_of(page->address));
}

bool eo__page_heat(eo_capture *capture, eo__page *page) {
  stir(capture, page);
  return protect(page->address, EO_PAGE, PROT_READ | PROT_WRITE) && mark_hot(capture, page);
}

/* Hot to cold or still, by whether it has a copy. The caller knows that it equals its copy or baseline. A page that the
 * system will not protect (too many mappings) stays hot, which is only slower. */
void eo__page_cool(eo_capture *capture, eo__page *page) {
  if (!protect(page->address, EO_PAGE, PROT_READ)) return;
  stir(capture, page);
  list_remove(list_of_hot(capture, page), page);
  page->state = EO__COLD;
  if (page->copy && list_push(&capture->still, page)) page->state = EO__STILL;
  EO_CHECK(!page->copy || page->state == EO__STILL);
}

static eo__slot *slot_at(const eo_capture *capture, const void *address, uint32_t *index) {
  uint32_t number = eo__capture_slot_of(address);
  *index = 0;
  if (number == EO_SLOTS || !capture->slots[number]) return NULL;
  *index = (uint32_t)((size_t)((const char *)address - capture->slots[number]->base) / EO_PAGE);
  return *index == 0 || *index >= EO__HEAP_END ? NULL : capture->slots[number];
}

static eo__page *global_at(const eo_capture *capture, const char *address) {
  for (size_t i = 0; i < capture->region_count; i++) {
    const eo__region *region = &capture->regions[i];
    if (address < region->from || address >= region->to) continue;
    return &capture->globals[region->first + (size_t)(address - region->from) / EO_PAGE];
  }
  return NULL;
}

eo__page *eo__page_find(const eo_capture *capture, const void *address) {
  uint32_t index;
  eo__slot *slot = slot_at(capture, address, &index);
  return slot ? &slot->pages[index] : global_at(capture, address);
}

/* ---- Open, close, arenas -------------------------------------------------------------------------------------- */

static int reserve(eo_error *error) {
  size_t size = (size_t)EO_SLOTS * EO_ARENA_SIZE;
  void *got =
      eo__map(EO_ARENAS, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == EO_ARENAS) return EO_OK;
  if (got != MAP_FAILED) { /* a kernel before 4.17 takes the address as a hint */
    munmap(got, size);
    errno = EEXIST;
  }
  if (errno == EEXIST) {
    return eo__error_set(error, EO_ESYSTEM,
                         "the addresses from %p on, which Everyorder needs for the memory of the processes, are taken: "
                         "is a capture open already, or a library loaded there?",
                         (void *)EO_ARENAS);
  }
  return eo__error_set(
      error, EO_ESYSTEM,
      "cannot reserve %zu TiB of addresses from %p on: %s (this uses no memory; is `ulimit -v` set, or "
      "does this kernel have less than 47 bits of addresses?)",
      size >> 40, (void *)EO_ARENAS, strerror(errno));
}

static int open_all(eo_capture *capture, eo_error *error) {
  capture->slots = eo__alloc(EO_SLOTS * sizeof(*capture->slots));
  if (!capture->slots || !list_init(&capture->hot) || !list_init(&capture->written) || !list_init(&capture->still)) {
    return eo__error_nomem(error);
  }
  int code = eo__segments_open(capture, error);
  if (code) return code;
  for (size_t i = 0; i < capture->region_count; i++) {
    eo__region *region = &capture->regions[i];
    if (!protect(region->from, (size_t)(region->to - region->from), PROT_READ)) {
      return eo__error_set(error, EO_ESYSTEM, "cannot write-protect the program's variables at %p: %s",
                           (void *)region->from, strerror(errno));
    }
  }
  return EO_OK;
}

static void close_all(eo_capture *capture) {
  for (size_t i = 0; i < capture->loose.count; i++) {
    const eo__loose *one = &capture->loose.items[i];
    protect(one->from, (size_t)(one->to - one->from), one->protection);
  }
  eo_vec_release(&capture->loose);
  for (size_t i = 0; i < capture->region_count; i++) {
    eo__region *region = &capture->regions[i];
    protect(region->from, (size_t)(region->to - region->from), PROT_READ | PROT_WRITE);
  }
  for (eo__slot *slot = capture->used, *next; slot; slot = next) {
    next = slot->next;
    eo__free(slot);
  }
  eo__snapshots_close(capture);
  eo__segments_close(capture);
  list_release(&capture->hot);
  list_release(&capture->written);
  list_release(&capture->still);
  eo__free(capture->slots);
  eo__free(capture);
}

int eo__capture_open(eo_capture **result, eo_error *error) {
  *result = NULL;
  if (sysconf(_SC_PAGESIZE) != EO_PAGE) {
    return eo__error_set(error, EO_ESYSTEM, "this machine's pages have %ld bytes; Everyorder works with pages of %u",
                         sysconf(_SC_PAGESIZE), EO_PAGE);
  }
  eo_capture *capture = eo__alloc(sizeof(*capture));
  if (!capture) return eo__error_nomem(error);
  int code = reserve(error);
  if (code) {
    eo__free(capture);
    return code;
  }
  code = open_all(capture, error);
  if (code) {
    close_all(capture);
    munmap(EO_ARENAS, (size_t)EO_SLOTS * EO_ARENA_SIZE);
    return code;
  }
  *result = capture;
  return EO_OK;
}

void eo__capture_close(eo_capture *capture) {
  if (!capture) return;
  close_all(capture);
  munmap(EO_ARENAS, (size_t)EO_SLOTS * EO_ARENA_SIZE);
}

char *eo__capture_arena(eo_capture *capture, uint32_t number) {
  EO_CHECK(number < EO_SLOTS);
  if (capture->slots[number]) return capture->slots[number]->base;
  eo__slot *slot = eo__alloc(sizeof(*slot));
  if (!slot) return NULL;
  slot->base = EO_ARENAS + (size_t)number * EO_ARENA_SIZE;
  slot->low = EO__STACK_PAGES;
  if (!protect(slot->base + EO_PAGE, EO_ARENA_SIZE - EO_GUARD_SIZE - EO_PAGE, PROT_READ) ||
      !heat_run(capture, slot, EO__STACK_PAGES - 1, EO__STACK_PAGES)) {
    protect(slot->base, EO_ARENA_SIZE, PROT_NONE);
    eo__free(slot);
    return NULL;
  }
  slot->next = capture->used;
  capture->used = slot;
  capture->slots[number] = slot;
  return slot->base;
}

bool eo__capture_has_arena(const eo_capture *capture, uint32_t slot) { return capture->slots[slot] != NULL; }

bool eo__capture_stirred(const eo_capture *capture, uint32_t slot) { return capture->slots[slot]->stirred; }

void eo__capture_stir(eo_capture *capture, uint32_t slot) { capture->slots[slot]->stirred = true; }

static char *page_at(const eo__slot *slot, uint32_t page) { return slot->base + (size_t)page * EO_PAGE; }

static int protection_of(const eo__page *page) {
  return page->barred || page->closed ? PROT_NONE : page->state == EO__HOT ? PROT_READ | PROT_WRITE : PROT_READ;
}

/* Mostly all of them are hot: one call. */
static void protect_all(const eo__slot *slot, uint32_t from, uint32_t end) {
  for (uint32_t to; from < end; from = to) {
    int how = protection_of(&slot->pages[from]);
    for (to = from + 1; to < end && protection_of(&slot->pages[to]) == how;) to++;
    EO_CHECK(protect(page_at(slot, from), (size_t)(to - from) * EO_PAGE, how));
  }
}

/* Closes the pages of these that are in use, or opens them. True: there were any to close, or to open. Pages that nobody has
 * written, or that are barred, stay as they are: giving one protection to ranges that had several makes the kernel join and
 * split mappings, which is most of the cost. */
static bool close_areas(eo__slot *slot, uint32_t from, uint32_t end, bool close) {
  bool any = false;
  for (uint32_t to; from < end; from = to) {
    for (to = from;
         to < end && slot->pages[to].state == EO__HOT && !slot->pages[to].barred && slot->pages[to].closed != close;)
      slot->pages[to++].closed = close;
    if (to == from) {
      to++;
      continue;
    }
    protect_all(slot, from, to);
    any = true;
  }
  return any;
}

void eo__capture_shut(eo_capture *capture, uint32_t number) {
  eo__slot *slot = capture->slots[number];
  slot->shut_from = slot->low;
  slot->shut_to = slot->high;
  slot->stirred = false;
  EO_CHECK(protect(page_at(slot, slot->low), (size_t)(slot->high - slot->low) * EO_PAGE, PROT_NONE));
  if (slot->areas) close_areas(slot, EO__AREAS, EO__HEAP_END, true);
}

void eo__capture_unshut(eo_capture *capture, uint32_t number) {
  eo__slot *slot = capture->slots[number];
  protect_all(slot, slot->shut_from, slot->shut_to);
  slot->stirred = false;
}

bool eo__capture_use(eo_capture *capture, const void *from, const void *to) {
  uint32_t first;
  eo__slot *slot = slot_at(capture, from, &first);
  if (!slot || !slot->areas || first < EO__AREAS) return false;
  uint32_t end = first + (uint32_t)(((uintptr_t)to - (uintptr_t)page_at(slot, first) + EO_PAGE - 1) / EO_PAGE);
  bool any = close_areas(slot, first, end, false);
  if (any) slot->stirred = true;
  return any;
}

void eo__capture_use_areas(eo_capture *capture, uint32_t number) {
  const eo__slot *slot = capture->slots[number];
  eo__capture_use(capture, page_at(slot, EO__AREAS), page_at(slot, EO__HEAP_END));
}

/* The page behind each area gets a flag that has no effect on a closed page, so that the kernel never joins its mapping and
 * that of the page before it. */
static void part_areas(const eo__slot *slot) {
  int keep = errno;
  for (uint32_t end = EO__AREAS + EO__AREA_PAGES; end <= EO__HEAP_END; end += EO__AREA_PAGES)
    (void)madvise(page_at(slot, end - 1), EO_PAGE, MADV_DONTDUMP);
  errno = keep;
}

void eo__capture_bar(eo_capture *capture, char *from, const char *to, bool on) {
  uint32_t first;
  eo__slot *slot = slot_at(capture, from, &first);
  uint32_t end = first + (uint32_t)(((uintptr_t)to - (uintptr_t)page_at(slot, first) + EO_PAGE - 1) / EO_PAGE);
  if (!slot->areas) part_areas(slot);
  slot->areas = true;
  bool changes = false;
  for (uint32_t i = first; i < end; i++) {
    int before = protection_of(&slot->pages[i]);
    slot->pages[i].barred = on;
    changes |= protection_of(&slot->pages[i]) != before;
  }
  if (!changes) return;
  slot->stirred = true;
  protect_all(slot, first, end);
}

bool eo__capture_barred(const eo_capture *capture, const void *address) {
  const eo__page *page = eo__page_find(capture, address);
  return page && page->barred;
}

/* Under audit more is used than else; what stays hot would be zeroed again and again. */
static void cool_all(eo_capture *capture, eo__slot *slot, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    eo__page *page = &slot->pages[i];
    if (page->state != EO__HOT) continue;
    eo__bytes_zero(page->address, EO_PAGE);
    eo__copy_drop(capture, page);
    eo__page_cool(capture, page);
  }
}

void eo__capture_unbar(eo_capture *capture, uint32_t number) {
  eo__slot *slot = capture->slots[number];
  if (slot->areas) {
    for (uint32_t i = EO__AREAS; i < EO__HEAP_END; i++) slot->pages[i].barred = slot->pages[i].closed = false;
    protect_all(slot, EO__AREAS, EO__HEAP_END);
    slot->areas = false;
    cool_all(capture, slot, EO__AREAS, EO__HEAP_END);
  }
  cool_all(capture, slot, slot->low, EO__STACK_PAGES - 1);
  while (slot->low < EO__STACK_PAGES - 1 && slot->pages[slot->low].state == EO__COLD) slot->low++;
}

void eo__capture_touch(eo_capture *capture, char *from, char *to) {
  char *start = (char *)((uintptr_t)from & ~(uintptr_t)(EO_PAGE - 1));
  for (char *at = start; at < to; at += EO_PAGE) {
    uint32_t index;
    eo__slot *slot = slot_at(capture, at, &index);
    eo__page *page = slot ? &slot->pages[index] : global_at(capture, at);
    if (!page) continue;
    page->idle = 0;
    if (page->state == EO__HOT) continue;
    if (!slot) {
      EO_CHECK(eo__page_heat(capture, page));
      continue;
    }
    uint32_t end = index + 1; /* as far as the pages are not hot: a large block costs one system call */
    while (end < EO__HEAP_END && slot->base + (size_t)end * EO_PAGE < to && slot->pages[end].state != EO__HOT) end++;
    EO_CHECK(heat_run(capture, slot, index, end));
    at = slot->base + (size_t)(end - 1) * EO_PAGE;
  }
}

/* ---- Faults --------------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
bool eo__fault_is_write(const void *ucontext) {
  const ucontext_t *context = ucontext;
  return !context || (context->uc_mcontext.gregs[REG_ERR] & 2);
}
#elif defined(__aarch64__)
/* The kernel leaves records behind the registers; the one with the syndrome has this magic number. */
bool eo__fault_is_write(const void *ucontext) {
  const ucontext_t *context = ucontext;
  if (!context) return true;
  const unsigned char *at = (const unsigned char *)context->uc_mcontext.__reserved;
  const unsigned char *end = at + sizeof(context->uc_mcontext.__reserved);
  while (end - at >= 16) {
    uint32_t head[2];
    uint64_t syndrome;
    memcpy(head, at, sizeof(head));
    memcpy(&syndrome, at + 8, sizeof(syndrome));
    if (head[0] == 0x45535201) return (syndrome >> 6) & 1;
    if (head[0] == 0 || head[1] < 8) break;
    at += head[1];
  }
  return true; /* cold pages can be read, so a fault on one is most likely a write */
}
#else
#error "Everyorder knows the faults of x86-64 and aarch64 only"
#endif

void eo__capture_stray(eo_capture *capture) { capture->strayed = true; }

bool eo__capture_strayed(const eo_capture *capture) { return capture->strayed; }

/* One write is enough to know: all of it is open from then on. */
static bool open_loose(eo_capture *capture, const char *from, const char *to) {
  bool any = false;
  for (size_t i = 0; i < capture->loose.count; i++) {
    eo__loose *one = &capture->loose.items[i];
    if (one->open || one->to <= from || to <= one->from) continue;
    one->open = any = capture->strayed = true;
    EO_CHECK(protect(one->from, (size_t)(one->to - one->from), one->protection));
  }
  return any;
}

void eo__capture_lend(eo_capture *capture, const char *from, size_t size) { open_loose(capture, from, from + size); }

bool eo__capture_fault(eo_capture *capture, void *address, void *ucontext) {
  if (!eo__fault_is_write(ucontext)) return false;
  if (__builtin_expect(capture->loose.count != 0, 0) && open_loose(capture, address, (char *)address + 1)) return true;
  uint32_t index;
  eo__slot *slot = slot_at(capture, address, &index);
  eo__page *page = slot ? &slot->pages[index] : global_at(capture, address);
  if (!page || page->state == EO__HOT) return false;
  if (!slot) return eo__page_heat(capture, page);
  /* A stack up to its top: see the invariant in pages.h. */
  return heat_run(capture, slot, index, index < EO__STACK_PAGES ? EO__STACK_PAGES : index + 1);
}

uint32_t eo__capture_slot_of(const void *address) {
  uintptr_t offset = (uintptr_t)address - (uintptr_t)EO_ARENAS;
  return offset < (uintptr_t)EO_SLOTS * EO_ARENA_SIZE ? (uint32_t)(offset / EO_ARENA_SIZE) : EO_SLOTS;
}

bool eo__capture_is_guard(const char *arena, const void *address) {
  const char *at = address;
  return at >= arena - EO_GUARD_SIZE && at < arena + EO_PAGE;
}

bool eo__capture_has_lone(const eo_capture *capture) { return capture->lone_span > 0; }

bool eo__capture_is_global(const eo_capture *capture, const void *address) {
  return global_at(capture, address) != NULL;
}

bool eo__capture_has_globals(const eo_capture *capture) { return capture->global_count > 0; }

size_t eo__capture_hot(const eo_capture *capture) { return capture->hot.count + capture->written.count; }

/* ---- Trim and reset ------------------------------------------------------------------------------------------- */

void eo__capture_trim(eo_capture *capture, uint32_t number, const char *sp) {
  eo__slot *slot = number < EO_SLOTS ? capture->slots[number] : NULL;
  if (!slot || sp < slot->base + EO_PAGE || sp > slot->base + EO_STACK_SIZE) return;
  for (uint32_t i = slot->low; i < EO__STACK_PAGES; i++) {
    eo__page *page = &slot->pages[i];
    char *from = slot->base + (size_t)i * EO_PAGE;
    if (from >= sp) break;
    if (page->state == EO__COLD) continue;
    size_t size = (size_t)(sp - from) < EO_PAGE ? (size_t)(sp - from) : EO_PAGE;
    if (page->state == EO__STILL) {
      if (eo__bytes_are_zero(from, size)) continue;
      EO_CHECK(eo__page_heat(capture, page));
    }
    eo__bytes_zero(from, size);
  }
}

bool eo__capture_plain(const eo_capture *capture) { return capture->written.count == 0 && capture->still.count == 0; }

size_t eo__capture_stack(const eo_capture *capture, uint32_t slot) {
  return EO_STACK_SIZE - (size_t)capture->slots[slot]->low * EO_PAGE;
}

void eo__capture_put(eo_capture *capture, char *to, const char *bytes, size_t size) {
  eo__capture_touch(capture, to, to + size);
  if (bytes)
    eo__bytes_move(to, bytes, size);
  else
    eo__bytes_zero(to, size);
}

void eo__capture_reset_globals(eo_capture *capture) {
  for (size_t i = capture->still.count; i-- > 0;) {
    eo__page *page = capture->still.items[i];
    if (page->global) EO_CHECK(eo__page_heat(capture, page));
  }
  for (size_t i = capture->written.count; i-- > 0;) {
    eo__page *page = capture->written.items[i];
    eo__bytes_copy(page->address, eo__page_baseline(capture, page));
    eo__copy_drop(capture, page);
    eo__page_cool(capture, page);
  }
}

/* Pages that a save made cold with what they held. */
static void reset_still(eo_capture *capture) {
  while (capture->still.count) {
    EO_CHECK(eo__page_heat(capture, capture->still.items[capture->still.count - 1]));
  }
}

/* A stack is cooled from its lowest page up only. The topmost page always is in use. */
static void cool_unused(eo_capture *capture, eo__page *page) {
  uint32_t index;
  eo__slot *slot = slot_at(capture, page->address, &index);
  bool stack = index < EO__STACK_PAGES;
  if (stack && (index == EO__STACK_PAGES - 1 || slot->pages[index - 1].state == EO__HOT)) return;
  eo__page_cool(capture, page);
  if (stack && page->state == EO__COLD) slot->low = index + 1;
}

/* The reset that also looks for pages that nobody changes any more. From the last page to the first, since cooling
 * moves the last one into the gap. */
static void reset_checking(eo_capture *capture, unsigned weight) {
  for (size_t i = capture->hot.count; i-- > 0;) {
    eo__page *page = capture->hot.items[i];
    eo__copy_drop(capture, page);
    if (!eo__bytes_same(page->address, zeros)) {
      eo__bytes_zero(page->address, EO_PAGE);
      page->idle = 0;
    } else if (page->idle + weight < EO__IDLE) {
      page->idle = (uint8_t)(page->idle + weight);
    } else {
      cool_unused(capture, page);
    }
  }
}

void eo__capture_reset(eo_capture *capture) {
  if (capture->still.count) reset_still(capture);
  if (capture->written.count) eo__capture_reset_globals(capture);
  capture->resets++;
  if (capture->hot.count > EO__LARGE) {
    reset_checking(capture, 1);
  } else if (capture->resets % EO__CHECK == 0) {
    reset_checking(capture, EO__IDLE / 2);
  } else {
    for (size_t i = 0; i < capture->hot.count; i++) {
      eo__page *page = capture->hot.items[i];
      eo__bytes_zero(page->address, EO_PAGE);
      if (page->copy) eo__copy_drop(capture, page);
    }
  }
}
