/* watch.h: hidden sharing. Tells when a process changes a global variable that another process uses, or uses another one's
 * stack or heap.
 *
 * Of globals:
 * While no process has written a global in this execution, nothing is done. The first write faults (the page is cold)
 * and makes the writer the page's owner; while another process runs, the page is closed (PROT_NONE), so that its first
 * access faults with the exact address. If that is another variable of the same page, the one instruction is let
 * through by single-stepping (x86-64; elsewhere, and after some hundred such accesses in one step, the page stays open
 * for the rest of the step, and only its later first accesses are seen). What was changed in an open page is found by
 * comparing it at the end of each step. So writes are not missed; what can be missed are reads of a page before it is
 * first written in this execution, and the owner's own reads, but for the first in each step. In precise mode the
 * owner's accesses are stepped too.
 *
 * A page of which a process has a copy to itself is guarded as arenas are: it is closed to others under audit, and from when somebody
 * may know an address in such a page. Its own process finds it open, and its accesses count only once another one's was seen;
 * that execution is run again.
 *
 * Arenas are closed while others run, as guard.h says. Every access to a contested page is single-stepped, so that both
 * sides of a meeting have their pc.
 *
 * While a page is closed, a system call that is handed a pointer into it fails with EFAULT, unless eo__watch_call_begin opens
 * the page first. A page that holds part of the
 * table of library calls (.got.plt) is only closed for writing, so that reads of variables in it are not seen; a program
 * that is linked with -z now has no such page. */
#ifndef EO_ACTOR_WATCH_H
#define EO_ACTOR_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/program.h"
#include "subjects/actor/capture.h"

typedef struct eo_watch eo_watch;

#define EO__WATCH_NOBODY UINT32_MAX
typedef struct eo__watch_pause {
  uint32_t process;
} eo__watch_pause;

/* One access; pc is 0 where only the step is known. `slot` is the arena of whose process the code ran: another one's than
 * `process` if that is a specification, which runs on behalf of whoever sent. */
typedef struct eo_access {
  uint32_t process;
  uint32_t step;
  bool write;
  uint32_t slot;
  uintptr_t pc;
  const eo_place *place; /* of the operation, if the engine did it; else NULL */
} eo_access;

/* Two processes that met at one variable, or at one byte of an arena, at least one of them changing it. */
typedef struct eo_sharing {
  char variable[128]; /* its name, or "0x… (no symbol)"; "": it is in an arena */
  uintptr_t address;
  eo_access first, second; /* in the order they happened */
} eo_sharing;

int eo__watch_open(eo_watch **watch, eo_capture *capture, eo_error *error);
void eo__watch_close(eo_watch *watch);

/* Around running code of the process in arena `slot`: it is about to run, on behalf of `process`, in step number `step`; it
 * has stopped. Nearly free while no global has been written and nothing is guarded. */
static inline void eo_watch_enter(eo_watch *watch, uint32_t process, uint32_t slot, uint32_t step);
static inline void eo_watch_leave(eo_watch *watch);

/* Around code of ours on a process's fiber whose accesses are not the process's doing (the lists of its heap). */
static inline eo__watch_pause eo_watch_pause(eo_watch *watch);
static inline void eo_watch_resume(eo_watch *watch, eo__watch_pause paused);

/* An access to an arena that is made on behalf of a process: by the running one (the bytes of a block that it frees), or
 * by the engine (the message that it puts into a process's arena). Nothing happens if the arena is its own, and not guarded. */
void eo__watch_note(eo_watch *watch, const eo_access *access, const void *address, size_t size);
void eo__watch_note_running(eo_watch *watch, const void *address, size_t size, bool write, const void *pc);

/* The running process uses what the C library keeps for all of them; the address stands for it (outside.h). */
void eo__watch_use(eo_watch *watch, const void *address, bool write, const void *pc);

/* These bytes of an arena are a new block now: what was done with them before has nothing to do with what will be. Whoever
 * freed them has done so before, whatever messages say. */
void eo__watch_forget(eo_watch *watch, const void *address, size_t size);

/* Somebody may know an address in this arena: it is guarded for the rest of this execution. */
void eo__watch_expose(eo_watch *watch, uint32_t slot);

/* Somebody may know this address. If it is that of a variable which one process has to itself, all such variables are guarded for
 * the rest of this execution. */
void eo__watch_expose_variable(eo_watch *watch, uintptr_t address);

/* This process uses no memory of others (front.h): while it runs, all stays as it is, and nobody is kept from its memory. */
void eo__watch_trust(eo_watch *watch, uint32_t process, uint32_t slot);
bool eo__watch_trusts(const eo_watch *watch, uint32_t slot);

/* The engine is about to use this arena: it is open now, as after a fault of the engine, which costs more. */
void eo__watch_admit(eo_watch *watch, uint32_t slot);

/* Has an access been seen in this execution without the accesses before it that it may conflict with? Then the execution
 * must be run again to be sure. unsure_too: it must, for another reason. give_up: that has not helped. */
bool eo__watch_unsure(const eo_watch *watch);
void eo__watch_unsure_too(eo_watch *watch);
void eo__watch_give_up(eo_watch *watch);

/* In some execution so far, accesses went unseen: too many in one step, or no single-stepping here; or eo__watch_mislead. */
bool eo__watch_blind(const eo_watch *watch);

/* Another process may know the address of a thread-local variable, which to that process is its own one. */
void eo__watch_mislead(eo_watch *watch);

/* Forget everything of this execution. Called before eo__capture_reset and eo__capture_restore. */
void eo__watch_reset(eo_watch *watch);

/* Was a page written in some execution so far that has variables on it that processes may share? */
bool eo__watch_shares(const eo_watch *watch);

/* The same for what is no memory (outside_files.c). */
void eo__watch_share(eo_watch *watch);

/* What processes did with which memory in this execution (meetings.h), as far as it was seen. */
struct eo__visit;
const struct eo__visit *eo__watch_visits(const eo_watch *watch, size_t *count);

/* Precise mode, for the one execution that is described to the user: every access to a written page is stepped, so that
 * both accesses have their pc. */
void eo__watch_precise(eo_watch *watch, bool on);

/* From the next reset on, or no longer: every access to pages of globals that were ever written is stepped from the start, as
 * in precise mode, and arenas are for the caller to expose. For eo_auditing.audit. */
void eo__watch_audit(eo_watch *watch, bool on);

uint64_t eo__watch_stepped(const eo_watch *watch); /* accesses so far that were stepped: what audits cost */

/* The next pair found since the last call, oldest first; false: none. A pair of the same variable and processes is
 * given once per execution and step. Declared variables (eo_shared) are never given. */
bool eo__watch_next(eo_watch *watch, eo_sharing *sharing);

/* From the SIGSEGV and SIGTRAP handlers, SIGSEGV before eo__capture_fault. True: handled, return and retry. */
bool eo__watch_fault(eo_watch *watch, void *address, void *ucontext);
bool eo__watch_trap(eo_watch *watch, void *ucontext);
bool eo__watch_step(void *ucontext); /* a trap shall come after the next instruction; false: not here */

/* Around a system call of the running process, which may use any memory: globals and the process's own arena are open between
 * call_begin and call_end, which is told the place of the call. Of what is known of the call:
 * lend: it is about to use these bytes. If it writes there, pages are made hot; those of other arenas are opened.
 * lent: it has used the first `used` of them. Bytes that are not captured are left out. */
void eo__watch_call_begin(eo_watch *watch);
void eo__watch_lend(eo_watch *watch, const char *from, size_t size, bool write);
void eo__watch_lent(eo_watch *watch, const char *from, size_t used, bool write, uintptr_t pc);
void eo__watch_call_end(eo_watch *watch, uintptr_t pc);

/* The same for a fault of a handler, or of the engine. */
bool eo__watch_fault_of_ours(eo_watch *watch, void *address, void *ucontext);

/* How an eo_watch begins; for the two functions that are called at every step. */
typedef struct eo__watch_head {
  uint32_t process; /* which one is running; EO__WATCH_NOBODY between the steps */
  uint32_t slot;    /* its arena */
  uint32_t step;
  uint32_t busy; /* pages that have an owner, guarded arenas, and uses of what the C library keeps */
} eo__watch_head;

void eo__watch_enter(eo_watch *watch);
void eo__watch_leave(eo_watch *watch);
void eo__watch_resume(eo_watch *watch);

static inline void eo_watch_enter(eo_watch *watch, uint32_t process, uint32_t slot, uint32_t step) {
  eo__watch_head *head = (eo__watch_head *)(void *)watch;
  head->process = process;
  head->slot = slot;
  head->step = step;
  if (__builtin_expect(head->busy != 0, 0)) eo__watch_enter(watch);
}

static inline void eo_watch_leave(eo_watch *watch) {
  eo__watch_head *head = (eo__watch_head *)(void *)watch;
  if (__builtin_expect(head->busy != 0, 0)) eo__watch_leave(watch);
  head->process = EO__WATCH_NOBODY;
}

static inline eo__watch_pause eo_watch_pause(eo_watch *watch) {
  eo__watch_head *head = (eo__watch_head *)(void *)watch;
  eo__watch_pause paused = {head->process};
  if (__builtin_expect(head->busy != 0, 0)) head->process = EO__WATCH_NOBODY;
  return paused;
}

static inline void eo_watch_resume(eo_watch *watch, eo__watch_pause paused) {
  eo__watch_head *head = (eo__watch_head *)(void *)watch;
  if (__builtin_expect(head->busy == 0 || paused.process == EO__WATCH_NOBODY, 1)) return;
  head->process = paused.process;
  eo__watch_resume(watch);
}

#endif
