/* sharing.h: hidden sharing (sharing.c), and memory out of bounds (bounds.c). Not for other folders. */
#ifndef EO_ACTOR_SHARING_H
#define EO_ACTOR_SHARING_H

#include "subjects/actor/inside.h"

/* bounds.c: under audit, room in the arena of the process for a message or its argument, with nothing behind it, or before it; what the
 * process received before is gone, and all of it when the process has ended. NULL: no audit, or too large. breach: is this an access to what is not there?
 * Then the execution has failed. */
void *eo__bounds_argument(eo_actor *actor, const eo_process *process, size_t size);
void *eo__bounds_message(eo_actor *actor, const eo_process *process, size_t size);
void eo__bounds_ended(eo_actor *actor, const eo_process *process);
bool eo__bounds_breach(eo_actor *actor, const void *address, bool write);
bool eo__bounds_later(eo_actor *actor,
                      const void *address); /* what another has: only if it is no hidden sharing as well */

/* sharing.c */
void eo__sharing_look(eo_actor *actor, const eo_event *last);

/* Fills world.heard after a step. */
void eo__sharing_print(eo_actor *actor, const eo_event *last);

/* Has a process written a watched global in this execution, or is an arena guarded? */
static inline bool eo__sharing_possible(const eo_actor *actor) {
  return __builtin_expect(((const eo__watch_head *)(const void *)actor->watch)->busy != 0, 0);
}

/* These bytes can be read by others from now on: are there addresses of arenas in them? */
void eo__sharing_scan(eo_actor *actor, const char *bytes, size_t size);

/* The engine reads or writes these bytes of an arena for this process, in the step under way. */
static inline void eo__sharing_note(eo_actor *actor, const eo_process *process, const void *bytes, size_t size,
                                    bool write) {
  if (!eo__sharing_possible(actor)) return;
  eo_access access = {process->number, actor->world.steps, write, process->slot, 0, process->pending->place};
  eo__watch_note(actor->watch, &access, bytes, size);
}

/* Has the step that just ended shown hidden sharing? Then the execution has failed. `last` is that step's event. */
static inline void eo__sharing_check(eo_actor *actor, const eo_event *last) {
  if (eo__sharing_possible(actor)) eo__sharing_look(actor, last);
}

#endif
