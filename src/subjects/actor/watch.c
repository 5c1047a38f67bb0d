/* watch.c: pages, faults and single steps of watch.h; what the accesses mean is found out in meetings.c, and arenas are
 * opened and closed in guard.c.
 *
 * A watched page is one global page that was written in this execution. It is open (writable) or closed (PROT_NONE);
 * `shadow` is what it held when it was last compared. At a switch to another process than its owner it is closed; the
 * next access faults, is noted, and opens it: for the owner until the next switch, for others for one instruction.
 * A page of which nothing was ever written but what lies aside (aside.c: `std::cout`, counters) is open to everybody.
 *
 * What runs in signal handlers allocates nothing: every array has room for all global pages, on mappings that cost
 * memory only where they are used. */
#include "subjects/actor/watch.h"

#include <errno.h>
#include <ucontext.h>

#include "base/alloc.h"
#include "base/map.h"
#include "subjects/actor/guard.h"
#include "subjects/actor/meetings.h"
#include "subjects/actor/operand.h"
#include "subjects/actor/pages.h"

enum {
  PENDING = 1 << 16,        /* raw accesses between two calls of eo__watch_next; more are dropped */
  PATIENCE = 256,           /* stepped accesses to one page in one step, before it is left open */
  AUDIT_PATIENCE = 1 << 12, /* the same under audit */
  LONG_PATIENCE = 1 << 13,  /* the same for arenas, all pages together: there it makes the watch blind */
  MOST_STEPPED = 1 << 16,   /* in one execution: they take a second or so */
  TOUCHED = 16              /* pages that one instruction can touch */
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
  eo_capture *capture;
  watched *pages; /* by the number of the global page, as are: */
  char *shadows;
  uint32_t *owned;   /* the numbers of those that have an owner: owned_count many */
  uint32_t *learned; /* the numbers of pages that were written in some execution; never fewer */
  eo__raw_access *pending;
  size_t pending_count;
  uint64_t all_stepped;
  eo__page *stepping[TOUCHED]; /* pages that are open for the current instruction */
  char (*before)[EO_PAGE];     /* what those of them that are in arenas held before it */
  uintptr_t stepping_pc;
  eo__guard guard;
  eo__meetings meetings;
  uint32_t owned_count, learned_count, stepping_count;
  uint32_t stepped_at, stepped; /* in arenas, in this step */
  uint32_t execution_stepped;
  uint32_t trusted, trusted_slot; /* eo__watch_trust; if `trusts` */
  bool trusts;
  bool precise;
  bool audit;    /* from the next reset on; */
  bool auditing; /* since the last one */
  bool used;     /* eo__watch_use, in this execution */
  bool shares;   /* eo__watch_shares */
  bool misled;   /* eo__watch_mislead */
  bool lone_out; /* eo__watch_expose_variable, in this execution */
};

/* ---- Open and close ------------------------------------------------------------------------------------------- */

static void *reserve(size_t size) {
  void *got = eo__map(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? NULL : got;
}

static size_t page_count(const eo_watch *watch) {
  return watch->capture->global_count ? watch->capture->global_count : 1;
}

int eo__watch_open(eo_watch **result, eo_capture *capture, eo_error *error) {
  *result = NULL;
  eo_watch *watch = eo__alloc(sizeof(*watch));
  if (!watch) return eo__error_nomem(error);
  watch->head.process = EO__WATCH_NOBODY;
  watch->capture = capture;
  watch->meetings.capture = capture;
  size_t count = page_count(watch);
  watch->pages = reserve(count * sizeof(*watch->pages));
  watch->shadows = reserve(count * EO_PAGE);
  watch->owned = reserve(count * sizeof(*watch->owned));
  watch->learned = reserve(count * sizeof(*watch->learned));
  watch->pending = reserve(PENDING * sizeof(*watch->pending));
  watch->before = reserve(TOUCHED * sizeof(*watch->before));
  if (!eo__guard_open(&watch->guard, capture) || !watch->pages || !watch->shadows || !watch->owned || !watch->learned ||
      !watch->pending || !watch->before) {
    eo__watch_close(watch);
    return eo__error_nomem(error);
  }
  *result = watch;
  return EO_OK;
}

void eo__watch_close(eo_watch *watch) {
  if (!watch) return;
  size_t count = page_count(watch);
  if (watch->pages) {
    eo__watch_reset(watch);
    munmap(watch->pages, count * sizeof(*watch->pages));
  }
  if (watch->shadows) munmap(watch->shadows, count * EO_PAGE);
  if (watch->learned) munmap(watch->learned, count * sizeof(*watch->learned));
  if (watch->owned) munmap(watch->owned, count * sizeof(*watch->owned));
  if (watch->pending) munmap(watch->pending, PENDING * sizeof(*watch->pending));
  if (watch->before) munmap(watch->before, TOUCHED * sizeof(*watch->before));
  eo__guard_close(&watch->guard);
  eo__meetings_release(&watch->meetings);
  eo__free(watch);
}

bool eo__watch_shares(const eo_watch *watch) { return watch->shares || watch->meetings.shares; }

void eo__watch_share(eo_watch *watch) { watch->shares = true; }

void eo__watch_precise(eo_watch *watch, bool on) { watch->precise = on; }

bool eo__watch_unsure(const eo_watch *watch) { return watch->guard.unsure; }

void eo__watch_unsure_too(eo_watch *watch) { watch->guard.unsure = !watch->guard.blind; }

void eo__watch_give_up(eo_watch *watch) { watch->guard.blind = true; }

void eo__watch_audit(eo_watch *watch, bool on) { watch->audit = on; }

uint64_t eo__watch_stepped(const eo_watch *watch) { return watch->all_stepped; }

/* Is each access of its owner looked at? Not where a process has the variables to itself: there, those of others are enough. */
static bool is_precise(const eo_watch *watch, const eo__page *page) {
  return (watch->precise || watch->auditing) && !page->lone;
}

bool eo__watch_blind(const eo_watch *watch) { return watch->guard.blind || watch->misled; }

void eo__watch_mislead(eo_watch *watch) { watch->misled = true; }

static void count_busy(eo_watch *watch) { watch->head.busy = watch->owned_count + watch->guard.count + watch->used; }

void eo__watch_trust(eo_watch *watch, uint32_t process, uint32_t slot) {
  watch->trusted = process;
  watch->trusted_slot = slot;
  watch->trusts = true;
}

bool eo__watch_trusts(const eo_watch *watch, uint32_t slot) { return watch->trusts && watch->trusted_slot == slot; }

void eo__watch_expose(eo_watch *watch, uint32_t slot) {
  if (eo__watch_trusts(watch, slot)) return;
  eo__guard_add(&watch->guard, slot);
  count_busy(watch);
}

void eo__watch_expose_variable(eo_watch *watch, uintptr_t address) {
  const eo_capture *capture = watch->capture;
  if (address - capture->lone_low >= capture->lone_span) return;
  const eo__page *page = eo__page_find(capture, (const void *)address);
  if (page && page->lone) watch->lone_out = true;
}

void eo__watch_admit(eo_watch *watch, uint32_t slot) { eo__guard_admit(&watch->guard, slot); }

/* ---- Pages ---------------------------------------------------------------------------------------------------- */

static char *address_of(const eo_watch *watch, uint32_t page) { return watch->capture->globals[page].address; }

static bool set_open(eo_watch *watch, uint32_t page, bool open) {
  int keep = errno;
  const eo__page *captured = &watch->capture->globals[page];
  int closed = captured->table ? PROT_READ : PROT_NONE;
  int opened = captured->state == EO__HOT ? PROT_READ | PROT_WRITE : PROT_READ;
  if (eo__protect(address_of(watch, page), EO_PAGE, open ? opened : closed) == 0) {
    watch->pages[page].open = open;
  }
  errno = keep;
  return watch->pages[page].open == open;
}

static void note_access(eo_watch *watch, const eo_access *access, uintptr_t address, size_t size) {
  if (watch->pending_count == PENDING) {
    watch->guard.blind = true;
    return;
  }
  watch->pending[watch->pending_count++] = (eo__raw_access){address, size, *access};
}

static void note(eo_watch *watch, uintptr_t address, size_t size, bool write, uintptr_t pc) {
  eo_access access = {watch->head.process, watch->head.step, write, watch->head.slot, pc, NULL};
  note_access(watch, &access, address, size);
}

void eo__watch_note(eo_watch *watch, const eo_access *access, const void *address, size_t size) {
  uint32_t slot = eo__capture_slot_of(address);
  if (!size || slot == EO_SLOTS) return;
  if (slot != access->slot) {
    eo__guard_contest(&watch->guard, address, size);
    count_busy(watch);
  }
  if (watch->guard.at[slot]) note_access(watch, access, (uintptr_t)address, size);
}

/* Is it none of the running process's own memory? */
static bool is_foreign(const eo_watch *watch, uintptr_t address) {
  return eo__capture_slot_of((const void *)address) != watch->head.slot;
}

/* Whoever can read the variable can know the address in it. */
EO__RAW static void look_for_address(eo_watch *watch, const char *at) {
  uintptr_t word = *(const eo__word *)((uintptr_t)at & ~(uintptr_t)7);
  uint32_t slot = eo__capture_slot_of((const void *)word);
  if (slot != EO_SLOTS)
    eo__watch_expose(watch, slot);
  else if (eo__thread_has(word) && is_foreign(watch, (uintptr_t)at))
    watch->misled = true;
  else
    eo__watch_expose_variable(watch, word);
}

static uint32_t number_of(const eo_watch *watch, const eo__page *page) {
  return (uint32_t)(page - watch->capture->globals);
}

/* Has nothing of the page been written in any execution but what lies aside? */
static bool all_aside(const eo__page *page) { return page->asides && !page->contested; }

static bool is_aside(const eo_watch *watch, const eo__page *page, const void *address) {
  return page->asides && eo__aside_at(watch->capture, (uintptr_t)address);
}

static void learn(eo_watch *watch, uint32_t page, uint8_t what) {
  eo__page *captured = &watch->capture->globals[page];
  if (captured->contested >= what) return;
  if (captured->lone && watch->pages[page].open) /* its changes so far were not looked at (eo__watch_leave) */
    eo__bytes_copy(watch->shadows + (size_t)page * EO_PAGE, captured->address);
  if (!captured->contested) watch->learned[watch->learned_count++] = page;
  captured->contested = what;
  watch->guard.unsure = true;
}

/* Has one process used the page in all executions so far? When another one does, the execution is run again (learn), and then
 * every access counts. Without this a big array that is filled in one step would be more accesses than are kept. */
static bool is_to_itself(const eo__page *page) { return page->lone && page->contested < EO__LEARNED_MET; }

/* Are such pages closed to others? */
static bool guards_lone(const eo_watch *watch) { return watch->auditing || watch->lone_out; }

/* Notes each run of changed words as a write of the running process, and remembers what the page holds now. */
EO__RAW static void note_changes(eo_watch *watch, const eo__page *page, char *shadow, uintptr_t pc) {
  const char *now = page->address;
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
    if (is_aside(watch, page, now + i)) {
      shadow[i] = now[i];
      i++;
      continue;
    }
    size_t start = i; /* by bytes, so that a neighbour in the same word is not blamed */
    while (i < EO_PAGE && now[i] != shadow[i] && !is_aside(watch, page, now + i)) {
      if (i == start || i % sizeof(eo__word) == 0) look_for_address(watch, now + i);
      shadow[i] = now[i];
      i++;
    }
    if (all_aside(page)) learn(watch, number_of(watch, page), EO__LEARNED_WRITTEN);
    if (!is_to_itself(page)) note(watch, (uintptr_t)now + start, i - start, true, pc);
  }
}

static void note_global_changes(eo_watch *watch, uint32_t page, uintptr_t pc) {
  note_changes(watch, &watch->capture->globals[page], watch->shadows + (size_t)page * EO_PAGE, pc);
}

/* On the stack of a process nothing may be left that depends on more than the process: it is hashed. */
__attribute__((noinline)) static void clear_dead_stack(void) {
  char dead[2048];
  memset(dead, 0, sizeof dead);
  __asm__ volatile("" : : "r"(dead) : "memory");
}

__attribute__((noinline)) static void enter_again(eo_watch *watch) { eo__guard_enter(&watch->guard, watch->head.slot); }

__attribute__((noinline)) static void note_running(eo_watch *watch, const void *address, size_t size, bool write,
                                                   const void *pc) {
  eo_access access = {watch->head.process, watch->head.step, write, watch->head.slot, (uintptr_t)pc, NULL};
  eo__watch_note(watch, &access, address, size);
}

void eo__watch_note_running(eo_watch *watch, const void *address, size_t size, bool write, const void *pc) {
  bool foreign = eo__capture_slot_of(address) != watch->head.slot;
  if (watch->head.process == EO__WATCH_NOBODY || !(watch->head.busy || foreign)) return;
  if (eo__watch_trusts(watch, watch->head.slot)) return;
  note_running(watch, address, size, write, pc);
  clear_dead_stack();
}

void eo__watch_use(eo_watch *watch, const void *address, bool write, const void *pc) {
  if (watch->head.process == EO__WATCH_NOBODY) return;
  watch->used = true;
  count_busy(watch);
  note(watch, (uintptr_t)address, 1, write, (uintptr_t)pc);
  clear_dead_stack();
}

__attribute__((noinline)) static void note_new(eo_watch *watch, const void *address, size_t size) {
  eo_access access = {.process = EO__WATCH_NOBODY};
  note_access(watch, &access, (uintptr_t)address, size);
}

void eo__watch_forget(eo_watch *watch, const void *address, size_t size) {
  if (!watch->guard.count || !size || eo__watch_trusts(watch, watch->head.slot) ||
      !eo__guard_is_contested(&watch->guard, address, size))
    return;
  note_new(watch, address, size);
  clear_dead_stack();
}

void eo__watch_resume(eo_watch *watch) {
  if (eo__watch_trusts(watch, watch->head.slot)) return;
  enter_again(watch);
  clear_dead_stack();
}

void eo__watch_enter(eo_watch *watch) {
  if (eo__watch_trusts(watch, watch->head.slot)) return;
  if (watch->guard.count) eo__guard_enter(&watch->guard, watch->head.slot);
  for (uint32_t i = 0; i < watch->owned_count; i++) {
    uint32_t page = watch->owned[i];
    const watched *at = &watch->pages[page];
    const eo__page *captured = &watch->capture->globals[page];
    bool own = at->owner == watch->head.process || (watch->trusts && at->owner == watch->trusted);
    if (is_to_itself(captured)) {
      if (at->open != (own || !guards_lone(watch))) set_open(watch, page, !at->open);
    } else if (at->open && !all_aside(captured) && (is_precise(watch, captured) || !own)) {
      set_open(watch, page, false);
    }
  }
}

void eo__watch_leave(eo_watch *watch) {
  watch->stepping_count = 0; /* left in the middle of a stepped instruction: the program crashed in it */
  for (uint32_t i = 0; i < watch->owned_count; i++) {
    uint32_t page = watch->owned[i];
    if (watch->pages[page].open && !is_to_itself(&watch->capture->globals[page])) note_global_changes(watch, page, 0);
  }
}

static void own(eo_watch *watch, uint32_t page, bool open) {
  watch->pages[page] = (watched){.owner = watch->head.process, .owned = true, .open = open};
  watch->owned[watch->owned_count++] = page;
  count_busy(watch);
}

/* Nobody's pages: so everybody's accesses are stepped. */
static void begin_audit(eo_watch *watch) {
  for (uint32_t i = 0; i < watch->learned_count; i++) {
    uint32_t page = watch->learned[i];
    const char *address = address_of(watch, page);
    if (watch->capture->globals[page].lone || eo__declared_wholly(address, address + EO_PAGE)) continue;
    eo__bytes_copy(watch->shadows + (size_t)page * EO_PAGE, watch->capture->baseline + (size_t)page * EO_PAGE);
    own(watch, page, true);
  }
}

void eo__watch_reset(eo_watch *watch) {
  eo__guard_reset(&watch->guard);
  for (uint32_t i = 0; i < watch->owned_count; i++) {
    uint32_t page = watch->owned[i];
    if (!watch->pages[page].open) EO_CHECK(set_open(watch, page, true));
    watch->pages[page] = (watched){0};
  }
  watch->owned_count = 0;
  watch->used = watch->lone_out = false;
  watch->head.busy = 0;
  watch->pending_count = 0;
  watch->stepping_count = 0;
  eo__meetings_clear(&watch->meetings);
  watch->execution_stepped = 0;
  watch->auditing = watch->audit;
  if (watch->auditing) begin_audit(watch);
}

bool eo__watch_next(eo_watch *watch, eo_sharing *sharing) {
  eo__meetings *meetings = &watch->meetings;
  if (watch->pending_count) {
    for (size_t i = 0; i < watch->pending_count; i++) eo__meetings_add(meetings, &watch->pending[i]);
    watch->pending_count = 0;
  }
  if (meetings->given == meetings->found.count) return false;
  *sharing = meetings->found.items[meetings->given++];
  return true;
}

const eo__visit *eo__watch_visits(const eo_watch *watch, size_t *count) {
  *count = watch->meetings.visits.count;
  return watch->meetings.visits.items;
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

bool eo__watch_step(void *ucontext) { return set_stepping(ucontext, true); }

/* Lets one instruction through; the page is closed after it. False: it stays open. */
static bool step(eo_watch *watch, eo__page *page, ucontext_t *context) {
  for (uint32_t i = 0; i < watch->stepping_count; i++)
    if (watch->stepping[i] == page) return true;
  if (watch->execution_stepped++ >= MOST_STEPPED && !watch->precise) return false;
  if (watch->stepping_count == TOUCHED || !set_stepping(context, true)) return false;
  watch->stepping_pc = pc_of(context);
  watch->all_stepped++;
  if (!page->global) eo__bytes_copy(watch->before[watch->stepping_count], page->address);
  watch->stepping[watch->stepping_count++] = page;
  return true;
}

/* Of a global page, if it has not been asked for too often in this step. */
static void step_over(eo_watch *watch, eo__page *page, ucontext_t *context) {
  watched *at = &watch->pages[number_of(watch, page)];
  if (at->stepped_at != watch->head.step) at->stepped = 0;
  at->stepped_at = watch->head.step;
  if (at->stepped++ < (watch->auditing ? AUDIT_PATIENCE : PATIENCE) || watch->precise) step(watch, page, context);
}

/* The first write to a page in this execution. */
static bool take(eo_watch *watch, uint32_t page, void *address, ucontext_t *context) {
  eo__page *captured = &watch->capture->globals[page];
  if (captured->state == EO__HOT || !eo__fault_is_write(context)) return false;
  eo__bytes_copy(watch->shadows + (size_t)page * EO_PAGE, captured->address);
  if (!eo__capture_fault(watch->capture, address, context)) return false;
  if (watch->head.process != EO__WATCH_NOBODY && eo__declared_shared(captured->address, captured->address + EO_PAGE))
    watch->shares = true;
  if (eo__declared_wholly(captured->address, captured->address + EO_PAGE)) return true;
  own(watch, page, true);
  if (watch->head.process == EO__WATCH_NOBODY) return true;
  if (!is_aside(watch, captured, address)) {
    learn(watch, page, EO__LEARNED_WRITTEN);
    note(watch, (uintptr_t)address, 1, true, pc_of(context));
  }
  if (is_precise(watch, captured) && !all_aside(captured)) step_over(watch, captured, context);
  return true;
}

static bool global_fault(eo_watch *watch, eo__page *captured, void *address, ucontext_t *context) {
  uint32_t page = number_of(watch, captured);
  watched *at = &watch->pages[page];
  bool write = eo__fault_is_write(context);
  if (!at->owned) return take(watch, page, address, context);
  if (write && captured->state != EO__HOT) { /* under audit */
    if (!eo__capture_fault(watch->capture, address, context)) return false;
    at->open = true;
  } else if (at->open || !set_open(watch, page, true)) {
    return false;
  }
  if (watch->head.process == EO__WATCH_NOBODY) return true; /* ourselves, saving or hashing */
  bool foreign = at->owner != watch->head.process, aside = is_aside(watch, captured, address);
  if (!aside) note(watch, (uintptr_t)address, 1, write, pc_of(context));
  if (foreign && !aside && at->owner != EO__WATCH_NOBODY) learn(watch, page, EO__LEARNED_MET);
  if (is_precise(watch, captured) || foreign) step_over(watch, captured, context);
  return true;
}

/* ---- Arenas --------------------------------------------------------------------------------------------------- */

/* The running process reads so many bytes, which another one may have put there. */
EO__RAW static void look_at_read(eo_watch *watch, uintptr_t address, size_t size) {
  uintptr_t page = address & ~(uintptr_t)(EO_PAGE - 1);
  if (!is_foreign(watch, address)) return;
  for (uintptr_t at = address & ~(uintptr_t)7; at < address + size && at < page + EO_PAGE; at += sizeof(eo__word))
    if (eo__thread_has(*(const eo__word *)at)) watch->misled = true;
}

/* An instruction that copies faults at one end of its way only, if both ends are in one page. */
static void note_instruction(eo_watch *watch, uintptr_t address, const ucontext_t *context) {
  uintptr_t pc = pc_of(context);
  eo_operand operand = eo__operand_of((const void *)pc);
#if defined(__x86_64__)
  if (operand.copies) {
    uintptr_t from = (uintptr_t)context->uc_mcontext.gregs[REG_RSI],
              to = (uintptr_t)context->uc_mcontext.gregs[REG_RDI];
    if (eo__capture_slot_of((const void *)from) != EO_SLOTS) {
      note(watch, from, operand.size, false, pc);
      look_at_read(watch, from, operand.size);
    }
    if (eo__capture_slot_of((const void *)to) != EO_SLOTS) note(watch, to, operand.size, true, pc);
    return;
  }
#endif
  if (!eo__fault_is_write(context)) look_at_read(watch, address, operand.size);
  note(watch, address, operand.size, eo__fault_is_write(context), pc);
}

static bool arena_fault(eo_watch *watch, void *address, ucontext_t *context) {
  eo__page *page;
  uint32_t running = watch->head.process == EO__WATCH_NOBODY ? EO_SLOTS : watch->head.slot;
  eo__guard_answer answer = eo__guard_fault(&watch->guard, running, address, context, &page);
  count_busy(watch);
  if (answer != EO__GUARD_STEP) return answer == EO__GUARD_GO;
  note_instruction(watch, (uintptr_t)address, context);
  if (watch->stepped_at != watch->head.step) watch->stepped = 0;
  watch->stepped_at = watch->head.step;
  uint32_t patience = watch->guard.blind ? PATIENCE : LONG_PATIENCE; /* it is not complete any more */
  if (watch->stepped++ >= patience || !step(watch, page, context)) eo__guard_give_up(&watch->guard, page);
  return true;
}

bool eo__watch_fault(eo_watch *watch, void *address, void *ucontext) {
  if (ucontext && pc_of(ucontext) == (uintptr_t)address) return false; /* a jump to what is no code */
  if (eo__capture_slot_of(address) != EO_SLOTS) return arena_fault(watch, address, ucontext);
  eo__page *captured = eo__page_find(watch->capture, address);
  return captured && global_fault(watch, captured, address, ucontext);
}

bool eo__watch_fault_of_ours(eo_watch *watch, void *address, void *ucontext) {
  uint32_t process = watch->head.process;
  watch->head.process = EO__WATCH_NOBODY;
  bool handled = eo__watch_fault(watch, address, ucontext);
  watch->head.process = process;
  return handled;
}

bool eo__watch_trap(eo_watch *watch, void *ucontext) {
  if (watch->stepping_count == 0) return false;
  set_stepping(ucontext, false);
  for (uint32_t i = 0; i < watch->stepping_count; i++) {
    eo__page *page = watch->stepping[i];
    if (page->global) {
      note_global_changes(watch, number_of(watch, page), watch->stepping_pc);
      set_open(watch, number_of(watch, page), false);
    } else {
      note_changes(watch, page, watch->before[i], watch->stepping_pc);
      eo__guard_shut_page(page);
    }
  }
  watch->stepping_count = 0;
  return true;
}

/* ---- System calls --------------------------------------------------------------------------------------------- */

static char *page_of(const char *address) { return (char *)((uintptr_t)address & ~(uintptr_t)(EO_PAGE - 1)); }

/* As take and global_fault do, without noting an access. */
static void lend_global(eo_watch *watch, eo__page *captured, bool write) {
  uint32_t page = number_of(watch, captured);
  watched *at = &watch->pages[page];
  bool wholly = eo__declared_wholly(captured->address, captured->address + EO_PAGE);
  if (write && captured->state != EO__HOT) {
    if (eo__declared_shared(captured->address, captured->address + EO_PAGE)) watch->shares = true;
    if (!at->owned && !wholly) {
      eo__bytes_copy(watch->shadows + (size_t)page * EO_PAGE, captured->address);
      own(watch, page, true);
      learn(watch, page, EO__LEARNED_WRITTEN);
    }
    eo__page_heat(watch->capture, captured);
  }
  if (at->owned && at->owner != watch->head.process && at->owner != EO__WATCH_NOBODY)
    learn(watch, page, EO__LEARNED_MET);
}

void eo__watch_lend(eo_watch *watch, const char *from, size_t size, bool write) {
  if (watch->head.process == EO__WATCH_NOBODY) return;
  for (char *at = page_of(from); at < from + size; at += EO_PAGE) {
    eo__page *page = eo__page_find(watch->capture, at);
    if (!page) continue;
    if (page->global)
      lend_global(watch, page, write);
    else
      eo__guard_lend(&watch->guard, watch->head.slot, at, write);
  }
  count_busy(watch);
}

void eo__watch_lent(eo_watch *watch, const char *from, size_t used, bool write, uintptr_t pc) {
  if (watch->head.process == EO__WATCH_NOBODY) return;
  for (char *at = page_of(from); at < from + used; at += EO_PAGE) {
    const eo__page *page = eo__page_find(watch->capture, at);
    if (!page) continue;
    const char *first = at > from ? at : from, *end = at + EO_PAGE < from + used ? at + EO_PAGE : from + used;
    bool seen = page->global ? watch->pages[number_of(watch, page)].owned : watch->guard.at[eo__capture_slot_of(at)];
    if (seen) note(watch, (uintptr_t)first, (size_t)(end - first), write, pc);
  }
}

void eo__watch_call_begin(eo_watch *watch) {
  if (!watch->head.busy || watch->head.process == EO__WATCH_NOBODY) return;
  eo__guard_open_own(&watch->guard, watch->head.slot);
  for (uint32_t i = 0; i < watch->owned_count; i++)
    if (!watch->pages[watch->owned[i]].open) set_open(watch, watch->owned[i], true);
}

void eo__watch_call_end(eo_watch *watch, uintptr_t pc) {
  if (!watch->head.busy || watch->head.process == EO__WATCH_NOBODY) return;
  eo__guard_enter(&watch->guard, watch->head.slot);
  for (uint32_t i = 0; i < watch->owned_count; i++) {
    uint32_t page = watch->owned[i];
    const watched *at = &watch->pages[page];
    const eo__page *captured = &watch->capture->globals[page];
    if (!at->open || (!is_precise(watch, captured) && at->owner == watch->head.process)) continue;
    if (is_to_itself(captured) && !guards_lone(watch)) continue;
    note_global_changes(watch, page, pc);
    set_open(watch, page, false);
  }
}
