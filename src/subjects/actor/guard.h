/* guard.h: arenas that are closed while others run. Half of watch.h: it says whose memory an access is, and opens and closes pages;
 * watch.c notes accesses and single-steps.
 *
 * An arena is guarded from when somebody else may know an address in it (eo__watch_expose); under audit, from the start.
 * While another process runs, all of a guarded arena is closed (PROT_NONE), so that each access of others faults. The
 * page is then *contested*, for the rest of the run: contested pages stay closed for the arena's own process as well, so
 * that its accesses to them fault, too. A page that becomes contested in the middle of an execution makes that execution
 * unsure: its own process may have used the page before, unseen. Then the execution has to be run again.
 *
 * The engine may use any memory: it faults once, and the arena is open until the next process runs. Areas (bounds.c), which are
 * used less often than their process runs, are opened by a fault of their process, too. */
#ifndef EO_ACTOR_GUARD_H
#define EO_ACTOR_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "subjects/actor/capture.h"
#include "subjects/actor/pages.h"

typedef enum eo__opened {
  EO__OPEN_TO_ALL, /* as its pages are: for the engine */
  EO__OPEN_TO_OWN, /* but for contested pages: for its own process */
  EO__OPEN_TO_NONE
} eo__opened;

typedef struct eo__guarded {
  uint32_t slot;
  eo__opened opened;
} eo__guarded;

/* Invariant: arenas[at[slot] - 1].slot == slot for each slot that is guarded, else at[slot] == 0. */
typedef struct eo__guard {
  eo_capture *capture;
  eo__guarded *arenas;
  uint32_t *at;
  uint32_t count;
  eo__page **contested; /* never fewer */
  uint32_t contested_count;
  bool unsure;
  bool blind; /* in some execution so far accesses went unseen */
} eo__guard;

bool eo__guard_open(eo__guard *guard, eo_capture *capture);
void eo__guard_close(eo__guard *guard);

void eo__guard_add(eo__guard *guard, uint32_t slot);
void eo__guard_enter(eo__guard *guard, uint32_t slot); /* the process of that arena is about to run */
void eo__guard_admit(eo__guard *guard, uint32_t slot); /* the engine is about to use that arena */
void eo__guard_reset(eo__guard *guard);                /* nothing is guarded, all is open */

typedef enum eo__guard_answer {
  EO__GUARD_NOT, /* nothing to do with the guard */
  EO__GUARD_GO,  /* it is open now: go on */
  EO__GUARD_STEP /* *page is open for this instruction: note the access, and shut the page again */
} eo__guard_answer;

/* An access faulted while the process of arena `running` ran; EO_SLOTS: the engine. Allocates nothing. */
eo__guard_answer eo__guard_fault(eo__guard *guard, uint32_t running, void *address, void *ucontext, eo__page **page);
void eo__guard_shut_page(eo__page *page);

/* A system call of the process of arena `running` is about to be made, which may use any memory of that arena; lend: and the
 * page at this address. All of that is open until eo__guard_enter. */
void eo__guard_open_own(eo__guard *guard, uint32_t running);
void eo__guard_lend(eo__guard *guard, uint32_t running, char *at, bool write);

/* Another process than the arena's uses these bytes, by way of the engine. */
void eo__guard_contest(eo__guard *guard, const void *address, size_t size);

/* Has another process than the arena's used a page of these bytes in some execution so far? */
bool eo__guard_is_contested(const eo__guard *guard, const void *address, size_t size);

/* The page stays open until the next process runs: what happens there meanwhile is not seen. */
void eo__guard_give_up(eo__guard *guard, const eo__page *page);

#endif
