/* watch.c: pages, faults and single steps of watch.h; what the accesses mean is found out in meetings.c.
 *
 * A watched page is one global page that was written in this execution. It is open (writable) or closed (PROT_NONE);
 * `shadow` is what it held when it was last compared. At a switch to another process than its owner it is closed; the
 * next access faults, is noted, and opens it: for the owner until the next switch, for others for one instruction.
 *
 * What runs in signal handlers allocates nothing: every array has room for all global pages, on mappings that cost
 * memory only where they are used. */
#include "subjects/actor/watch.h"

#include <errno.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "base/alloc.h"
#include "subjects/actor/meetings.h"
#include "subjects/actor/pages.h"

enum {
  PENDING = 1 << 16, /* raw accesses between two calls of eo_watch_next; more are dropped */
  PATIENCE = 256,    /* stepped accesses to one page in one step, before it is left open */
  TOUCHED = 16       /* pages that one instruction can touch */
};

typedef struct watched {
  uint32_t owner;
  uint32_t stepped_at; /* the step that `stepped` counts for */
  uint32_t stepped;
  bool owned;
  bool open;
} watched;

struct eo_watch {
  eo__watch_head head; /* must be first */
  bool precise;
  eo_capture *capture;
  watched *pages; /* by the number of the global page, as are: */
  char *shadows;
  uint32_t *owned; /* the numbers of those that have an owner: head.owned many */
  eo__raw_access *pending;
  size_t pending_count;
  uint32_t stepping[TOUCHED]; /* pages that are open for the current instruction */
  uint32_t stepping_count;
  uintptr_t stepping_pc;
  eo__shared_copy shared;
  eo__meetings meetings;
  bool shares; /* eo_watch_shares */
};

/* ---- Open and close ------------------------------------------------------------------------------------------- */

static void *reserve(size_t size) {
  void *got = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? NULL : got;
}

static size_t page_count(const eo_watch *watch) {
  return watch->capture->global_count ? watch->capture->global_count : 1;
}

int eo_watch_open(eo_watch **result, eo_capture *capture, eo_error *error) {
  *result = NULL;
  eo_watch *watch = eo_alloc(sizeof(*watch));
  if (!watch) return eo_error_nomem(error);
  watch->head.process = EO__WATCH_NOBODY;
  watch->capture = capture;
  size_t count = page_count(watch);
  watch->pages = reserve(count * sizeof(*watch->pages));
  watch->shadows = reserve(count * EO_PAGE);
  watch->owned = reserve(count * sizeof(*watch->owned));
  watch->pending = reserve(PENDING * sizeof(*watch->pending));
  if (!watch->pages || !watch->shadows || !watch->owned || !watch->pending) {
    eo_watch_close(watch);
    return eo_error_nomem(error);
  }
  eo__shared_refresh(&watch->shared);
  *result = watch;
  return EO_OK;
}

void eo_watch_close(eo_watch *watch) {
  if (!watch) return;
  size_t count = page_count(watch);
  if (watch->pages) {
    eo_watch_reset(watch);
    munmap(watch->pages, count * sizeof(*watch->pages));
  }
  if (watch->shadows) munmap(watch->shadows, count * EO_PAGE);
  if (watch->owned) munmap(watch->owned, count * sizeof(*watch->owned));
  if (watch->pending) munmap(watch->pending, PENDING * sizeof(*watch->pending));
  eo_vec_release(&watch->shared);
  eo__meetings_release(&watch->meetings);
  eo_free(watch);
}

bool eo_watch_shares(const eo_watch *watch) { return watch->shares; }

void eo_watch_precise(eo_watch *watch, bool on) { watch->precise = on; }

/* ---- Pages ---------------------------------------------------------------------------------------------------- */

static char *address_of(const eo_watch *watch, uint32_t page) { return watch->capture->globals[page].address; }

static bool set_open(eo_watch *watch, uint32_t page, bool open) {
  int keep = errno;
  int closed = watch->capture->globals[page].table ? PROT_READ : PROT_NONE;
  if (mprotect(address_of(watch, page), EO_PAGE, open ? PROT_READ | PROT_WRITE : closed) == 0) {
    watch->pages[page].open = open;
  }
  errno = keep;
  return watch->pages[page].open == open;
}

static void note(eo_watch *watch, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (watch->pending_count == PENDING) return;
  eo_access access = {watch->head.process, watch->head.step, write, pc};
  watch->pending[watch->pending_count++] = (eo__raw_access){address, size, access};
}

/* Notes each run of changed words as a write of the running process, and remembers what the page holds now. */
EO__RAW static void note_changes(eo_watch *watch, uint32_t page, uintptr_t pc) {
  const char *now = address_of(watch, page);
  char *shadow = watch->shadows + (size_t)page * EO_PAGE;
  if (eo__bytes_same(now, shadow)) return;
  for (size_t i = 0; i < EO_PAGE;) {
    if (i % sizeof(eo__word) == 0 && *(const eo__word *)(const void *)(now + i) == *(eo__word *)(void *)(shadow + i)) {
      i += sizeof(eo__word); /* mostly */
      continue;
    }
    if (now[i] == shadow[i]) {
      i++;
      continue;
    }
    size_t start = i; /* by bytes, so that a neighbour in the same word is not blamed */
    while (i < EO_PAGE && now[i] != shadow[i]) {
      shadow[i] = now[i];
      i++;
    }
    note(watch, (uintptr_t)now + start, i - start, true, pc);
  }
}

void eo__watch_enter(eo_watch *watch) {
  for (uint32_t i = 0; i < watch->head.owned; i++) {
    uint32_t page = watch->owned[i];
    const watched *at = &watch->pages[page];
    if (at->open && (watch->precise || at->owner != watch->head.process)) set_open(watch, page, false);
  }
}

void eo__watch_leave(eo_watch *watch) {
  watch->stepping_count = 0; /* left in the middle of a stepped instruction: the program crashed in it */
  for (uint32_t i = 0; i < watch->head.owned; i++) {
    if (watch->pages[watch->owned[i]].open) note_changes(watch, watch->owned[i], 0);
  }
}

void eo_watch_reset(eo_watch *watch) {
  for (uint32_t i = 0; i < watch->head.owned; i++) {
    uint32_t page = watch->owned[i];
    if (!watch->pages[page].open) EO_CHECK(set_open(watch, page, true));
    watch->pages[page] = (watched){0};
  }
  watch->head.owned = 0;
  watch->pending_count = 0;
  watch->stepping_count = 0;
  eo__shared_refresh(&watch->shared);
  eo__meetings_clear(&watch->meetings);
}

bool eo_watch_next(eo_watch *watch, eo_sharing *sharing) {
  eo__meetings *meetings = &watch->meetings;
  if (watch->pending_count) {
    eo__shared_refresh(&watch->shared);
    for (size_t i = 0; i < watch->pending_count; i++) eo__meetings_add(meetings, &watch->shared, &watch->pending[i]);
    watch->pending_count = 0;
  }
  if (meetings->given == meetings->found.count) return false;
  *sharing = meetings->found.items[meetings->given++];
  return true;
}

/* ---- Faults and single steps ---------------------------------------------------------------------------------- */

#if defined(__x86_64__)
enum { TRAP_FLAG = 0x100 };

static uintptr_t pc_of(const ucontext_t *context) { return (uintptr_t)context->uc_mcontext.gregs[REG_RIP]; }

static bool set_stepping(ucontext_t *context, bool on) {
  if (on) {
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
  } else {
    context->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
  }
  return true;
}
#else
static uintptr_t pc_of(const ucontext_t *context) { return (uintptr_t)context->uc_mcontext.pc; }

static bool set_stepping(ucontext_t *context, bool on) {
  (void)context;
  (void)on;
  return false; /* a process cannot single-step itself here */
}
#endif

/* Lets one instruction through, if the page has not been asked for too often in this step. */
static void step_over(eo_watch *watch, uint32_t page, ucontext_t *context) {
  watched *at = &watch->pages[page];
  if (at->stepped_at != watch->head.step) at->stepped = 0;
  at->stepped_at = watch->head.step;
  if ((at->stepped++ >= PATIENCE && !watch->precise) || watch->stepping_count == TOUCHED) return;
  if (!set_stepping(context, true)) return;
  watch->stepping_pc = pc_of(context);
  watch->stepping[watch->stepping_count++] = page;
}

/* The first write to a page in this execution. */
static bool take(eo_watch *watch, uint32_t page, void *address, ucontext_t *context) {
  eo__page *captured = &watch->capture->globals[page];
  if (captured->state == EO__HOT || !eo__fault_is_write(context)) return false;
  eo__bytes_copy(watch->shadows + (size_t)page * EO_PAGE, captured->address);
  if (!eo_capture_fault(watch->capture, address, context)) return false;
  if (watch->head.process != EO__WATCH_NOBODY &&
      eo__declared_shared(&watch->shared, captured->address, captured->address + EO_PAGE))
    watch->shares = true;
  if (eo__declared_wholly(&watch->shared, captured->address, captured->address + EO_PAGE)) return true;
  watch->pages[page] = (watched){.owner = watch->head.process, .owned = true, .open = true};
  watch->owned[watch->head.owned++] = page;
  if (watch->head.process == EO__WATCH_NOBODY) return true;
  note(watch, (uintptr_t)address, 1, true, pc_of(context));
  if (watch->precise) step_over(watch, page, context);
  return true;
}

bool eo_watch_fault(eo_watch *watch, void *address, void *ucontext) {
  eo__page *captured = eo__page_find(watch->capture, address);
  if (!captured || !captured->global) return false;
  uint32_t page = (uint32_t)(captured - watch->capture->globals);
  const watched *at = &watch->pages[page];
  if (!at->owned) return take(watch, page, address, ucontext);
  if (at->open || !set_open(watch, page, true)) return false;
  if (watch->head.process == EO__WATCH_NOBODY) return true; /* ourselves, saving or hashing */
  note(watch, (uintptr_t)address, 1, eo__fault_is_write(ucontext), pc_of(ucontext));
  if (watch->precise || at->owner != watch->head.process) step_over(watch, page, ucontext);
  return true;
}

bool eo_watch_trap(eo_watch *watch, void *ucontext) {
  if (watch->stepping_count == 0) return false;
  set_stepping(ucontext, false);
  for (uint32_t i = 0; i < watch->stepping_count; i++) {
    note_changes(watch, watch->stepping[i], watch->stepping_pc);
    set_open(watch, watch->stepping[i], false);
  }
  watch->stepping_count = 0;
  return true;
}
