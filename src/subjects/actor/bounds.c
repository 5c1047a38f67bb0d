/* bounds.c: messages and arguments whose ends are watched, under audit.
 *
 * At the upper end of each arena there are three areas: for the argument, and for messages, which take turns. What lies in
 * one ends where its last page ends, and the page behind that is barred (PROT_NONE), so that reading past the end faults
 * at once; library functions that read whole words or vectors never go on into a page without need. When a process
 * receives again, the area of the message before it is barred. */
#include "subjects/actor/inside.h"
#include "subjects/actor/pages.h"

enum { ARGUMENT, MESSAGE, OTHER_MESSAGE };

static char *area_of(const eo_process *process, int which) {
  return process->arena + EO__AREAS * (size_t)EO_PAGE + (size_t)which * EO__AREA_PAGES * EO_PAGE;
}

static char *area_end(const eo_process *process, int which) {
  return area_of(process, which) + (EO__AREA_PAGES - 1) * (size_t)EO_PAGE;
}

extern void __ubsan_handle_type_mismatch_v1_abort(void *, void *) __attribute__((weak));
extern void __ubsan_handle_type_mismatch_v1(void *, void *) __attribute__((weak));

/* So many bytes at the end of the area; NULL: they do not fit. They are aligned as their size is: what has a header and bytes
 * behind it may begin anywhere. Processors do not mind, but a sanitizer does: for its sake up to 15 bytes go unwatched. */
static void *place(eo_actor *actor, const eo_process *process, int which, size_t size) {
  char *end = area_end(process, which);
  bool aligned = actor->sanitized || __ubsan_handle_type_mismatch_v1 || __ubsan_handle_type_mismatch_v1_abort;
  size_t room = aligned ? (size + 15) & ~(size_t)15 : size;
  if (size == 0 || room > (size_t)(end - area_of(process, which))) return NULL;
  eo__capture_bar(actor->capture, end - room, end, false);
  eo__capture_touch(actor->capture, end - room, end);
  eo__capture_bar(actor->capture, end, end + EO_PAGE, true);
  eo__watch_admit(actor->watch, process->slot);
  return end - room;
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
  int before = area_of_message(process), which = before == MESSAGE ? OTHER_MESSAGE : MESSAGE;
  if (before != ARGUMENT) {
    eo__sharing_note(actor, process, process->received.data, process->received.size, true); /* as if written over */
    eo__capture_bar(actor->capture, (char *)(uintptr_t)process->received.data, area_end(process, before), true);
  }
  return place(actor, process, which, size);
}

bool eo__bounds_breach(eo_actor *actor, const void *address, bool write) {
  const char *verb = write ? "writes" : "reads";
  const eo_process *process = actor->running;
  const char *at = address;
  if (!actor->auditing || !process || at < area_of(process, ARGUMENT) || at >= area_of(process, OTHER_MESSAGE + 1) ||
      !eo__capture_barred(actor->capture, address))
    return false;
  const char *name = eo__actor_name(actor, process->number);
  int which = area_of_message(process);
  if (at >= area_end(process, ARGUMENT) && at < area_of(process, MESSAGE)) {
    eo__actor_fail(actor, EO_KIND_BOUNDS, process, NULL, "%s %s past the end of its argument", name, verb);
  } else if (which != ARGUMENT && at >= area_end(process, which) && at < area_of(process, which + 1)) {
    const eo_process *from = eo__actor_process_of(actor, process->received.from);
    eo__actor_fail(actor, EO_KIND_BOUNDS, process, NULL,
                   "%s %s past the end of a message of %zu bytes from %s, at offset %zu", name, verb,
                   process->received.size, from ? eo__actor_name(actor, from->number) : "nobody",
                   (size_t)(at - (const char *)process->received.data));
  } else {
    eo__actor_fail(actor, EO_KIND_BOUNDS, process, NULL,
                   "%s %s a message that is gone, since it has received another one", name, verb);
  }
  return true;
}
