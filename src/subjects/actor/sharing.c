/* sharing.c: which of the meetings that watch.h reports are hidden sharing: those that no message, spawn or exit orders.
 * Happens-before is computed only then, from the events of the execution so far. */
#include <string.h>

#include "base/alloc.h"
#include "subjects/actor/inside.h"

/* Step numbers count from 1; the event of step s is events[s - 1]. Step 0 is P1's code before its first operation. The code a process
 * runs *after* its operation belongs to that step, so an access in step s comes before what the process does in later
 * steps, and after its own operation s. */

/* Monitoring or linking to a process that has ended gives a message at once: it comes after all that one did. */
static bool tells_of_the_dead(const eo_event *event, const char *heard) {
  return (event->op == EO_OP_MONITOR || event->op == EO_OP_LINK) && event->sent && heard[event->other];
}

static uint32_t nth_message(const eo_actor *actor, const eo_event *event, uint32_t index) {
  uint32_t nth = actor->senders.items[event->message - 1].nth;
  return actor->known.items[event->process].messages.items[nth - 1 + index];
}

/* Does the access of `first` happen before that of `second`? Walks forward from first, carrying the set of processes
 * that have heard of it and the messages that carry it. */
static bool ordered(const eo_actor *actor, const eo_event *events, const eo_access *first, const eo_access *second) {
  size_t count = actor->known.count;
  char *heard = eo_alloc(count), *carried = eo_alloc(actor->senders.count + 1);
  bool result = true; /* without memory, rather no report than a false one */
  if (heard && carried) {
    heard[first->process] = 1;
    for (size_t i = first->step; i < actor->world.steps; i++) { /* events after step first->step */
      const eo_event *event = &events[i];
      if (event->op == EO_OP_RECEIVE) {
        if (event->message && carried[event->message]) heard[event->process] = 1;
      } else if (heard[event->process] || tells_of_the_dead(event, heard)) {
        if (event->op == EO_OP_SPAWN && event->other != EO_NO_PROCESS) heard[event->other] = 1;
        for (uint32_t s = 0; s < event->sent; s++) carried[nth_message(actor, event, s)] = 1;
      }
      if (i + 1 == second->step) break;
    }
    result = heard[second->process];
  }
  eo_free(heard);
  eo_free(carried);
  return result;
}

static void report(eo_actor *actor, const eo_sharing *sharing) {
  const char *first = eo__actor_name(actor, sharing->first.process),
             *second = eo__actor_name(actor, sharing->second.process);
  eo__actor_fail(actor, EO_KIND_SHARING, NULL, NULL,
                 "%s: %s %s it and %s %s it, with no message between them that orders the two", sharing->variable,
                 first, sharing->first.write ? "changes" : "reads", second,
                 sharing->second.write ? "changes" : "reads");
  /* Where it was found out comes first: that is the place of the failure. */
  actor->sharing = *sharing;
  actor->failure.frames = 0;
  if (sharing->second.pc) actor->failure.stack[actor->failure.frames++] = sharing->second.pc;
  if (sharing->first.pc) actor->failure.stack[actor->failure.frames++] = sharing->first.pc;
}

void eo__sharing_look(eo_actor *actor, const eo_event *last) {
  eo_sharing sharing;
  const eo_event *events = last + 1 - actor->world.steps;
  while (eo_watch_next(actor->watch, &sharing)) {
    if (ordered(actor, events, &sharing.first, &sharing.second)) continue;
    report(actor, &sharing);
    return;
  }
}
