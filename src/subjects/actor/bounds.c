/* bounds.c: messages and arguments whose ends are watched, under audit.
 *
 * At the upper end of each arena there are three areas: for the argument, and for messages, which take turns. What lies in
 * one ends where its last page ends, and the page behind that is barred (PROT_NONE), so that reading past the end faults
 * at once; library functions that read whole words or vectors never go on into a page without need. Then the execution is
 * run once more, and what lies in an area begins where its second page begins, with the first one barred, so that reading
 * before the beginning faults (eo_actor.front). When a process receives again, the area of the message before it is barred,
 * and all three when the process ends. */
#include <stdio.h>

#include "subjects/actor/inside.h"
#include "subjects/actor/operations.h"
#include "subjects/actor/pages.h"
#include "subjects/actor/sharing.h"

enum { ARGUMENT, MESSAGE, OTHER_MESSAGE };

static char *area_of(const eo_process *process, int which) {
  return process->arena + EO__AREAS * (size_t)EO_PAGE + (size_t)which * EO__AREA_PAGES * EO_PAGE;
}

static char *area_end(const eo_process *process, int which) {
  return area_of(process, which) + (EO__AREA_PAGES - 1) * (size_t)EO_PAGE;
}

extern void __ubsan_handle_type_mismatch_v1_abort(void *, void *) __attribute__((weak));
extern void __ubsan_handle_type_mismatch_v1(void *, void *) __attribute__((weak));

/* So many bytes at the end, or the beginning, of the area; NULL: they do not fit. At the end they are aligned as their size is:
 * what has a header and bytes behind it may begin anywhere. Processors do not mind, but a sanitizer does: for its sake up
 * to 15 bytes go unwatched. */
static void *place(eo_actor *actor, const eo_process *process, int which, size_t size) {
  char *first = area_of(process, which) + (actor->front ? EO_PAGE : 0), *end = area_end(process, which);
  bool aligned = actor->sanitized || __ubsan_handle_type_mismatch_v1 || __ubsan_handle_type_mismatch_v1_abort;
  size_t room = aligned ? (size + 15) & ~(size_t)15 : size;
  if (size == 0 || room > (size_t)(end - first)) return NULL;
  char *at = actor->front ? first : end - room;
  eo__capture_bar(actor->capture, at, at + room, false);
  eo__capture_touch(actor->capture, at, at + room);
  eo__capture_bar(actor->capture, end, end + EO_PAGE, true);
  if (actor->front) eo__capture_bar(actor->capture, first - EO_PAGE, first, true);
  eo__capture_use(actor->capture, at, at + room);
  actor->placed = true;
  return at;
}

void *eo__bounds_argument(eo_actor *actor, const eo_process *process, size_t size) {
  return place(actor, process, ARGUMENT, size);
}

static int area_of_message(const eo_process *process) {
  const char *data = process->received.data;
  for (int which = MESSAGE; which <= OTHER_MESSAGE; which++)
    if (data >= area_of(process, which) && data < area_end(process, which)) return which;
  return ARGUMENT;
}

void *eo__bounds_message(eo_actor *actor, const eo_process *process, size_t size) {
  if (eo__watch_trusts(actor->watch, process->slot)) return NULL;
  int before = area_of_message(process), which = before == MESSAGE ? OTHER_MESSAGE : MESSAGE;
  if (before != ARGUMENT) {
    eo__sharing_note(actor, process, process->received.data, process->received.size, true); /* as if written over */
    eo__capture_bar(actor->capture, (char *)(uintptr_t)process->received.data, area_end(process, before), true);
  }
  return place(actor, process, which, size);
}

void eo__bounds_ended(eo_actor *actor, const eo_process *process) {
  eo__capture_bar(actor->capture, area_of(process, ARGUMENT), area_of(process, OTHER_MESSAGE + 1), true);
}

/* What is barred at this address, of what the owner has: in words. No memory is allocated: a signal handler may ask. */
static void describe(eo_actor *actor, const eo_process *owner, const char *at, const char *of, char *out, size_t size) {
  int which = (int)((at - area_of(owner, ARGUMENT)) / (EO__AREA_PAGES * (ptrdiff_t)EO_PAGE));
  const char *side = at < area_of(owner, which) + EO_PAGE ? "before the beginning" : "past the end";
  const eo_message *message = &owner->received;
  if (owner->state == EO_ENDED) {
    snprintf(out, size, "%s%s, which has ended", which == ARGUMENT ? "the argument" : "a message", of);
  } else if (which == ARGUMENT) {
    snprintf(out, size, "%s of %s%s", side, *of ? "the argument" : "its argument", of);
  } else if (which != area_of_message(owner)) {
    snprintf(out, size, "a message%s that is no longer valid, since the process has received another one", of);
  } else {
    const eo_process *from = eo__actor_process_of(actor, message->from);
    snprintf(out, size, "%s of a message%s of %zu bytes from %s, at offset %td", side, of, message->size,
             from ? eo__actor_name(actor, from->number) : "nobody", at - (const char *)message->data);
  }
}

bool eo__bounds_breach(eo_actor *actor, const void *address, bool write) {
  uint32_t slot = eo__capture_slot_of(address);
  const eo_process *process = actor->running;
  if (!actor->auditing || !process || slot == EO_SLOTS || !eo__capture_barred(actor->capture, address)) return false;
  const eo_process *owner = &actor->processes[slot];
  char of[EO_PROCESS_NAME + 8] = "", what[3 * EO_PROCESS_NAME];
  if (owner != process) snprintf(of, sizeof of, " of %s", eo__actor_name(actor, owner->number));
  describe(actor, owner, address, of, what, sizeof what);
  eo__actor_fail(actor, EO_KIND_BOUNDS, process, NULL, "%s %s %s", eo__actor_name(actor, process->number),
                 write ? "writes" : "reads", what);
  return true;
}

bool eo__bounds_later(eo_actor *actor, const void *address) {
  if (eo__capture_slot_of(address) == actor->running->slot) return false;
  actor->later = actor->failure;
  actor->failed = false;
  return true;
}
