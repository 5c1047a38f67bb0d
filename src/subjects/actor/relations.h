/* relations.h: how steps relate: messages and objects by number (relations.c), and what steps would touch without some of those
 * before them (foresee.c). Not for other folders. */
#ifndef EO_ACTOR_RELATIONS_H
#define EO_ACTOR_RELATIONS_H

#include "subjects/actor/inside.h"

/* relations.c: how steps relate. */
uint32_t eo__message_number(eo_actor *actor, uint32_t from, uint32_t nth); /* 0: no memory */
uint32_t eo__message_after(const eo_actor *actor, uint32_t number); /* the next one of the same step, not apart */
uint32_t eo__object_own(eo_actor *actor, eo_object_kind kind, uint32_t process); /* number + 1 */
void eo__touch_pair(eo_actor *actor, eo_object_kind kind, uint32_t a, uint32_t b, bool writes);
void eo__touch_name(eo_actor *actor, const char *name, bool writes);
void eo__relations_release(eo_actor *actor);
uint32_t eo__actor_touched(eo_subject *subject, const eo_touch **touches);
eo_sent eo__actor_sent(eo_subject *subject, uint32_t number);
uint32_t eo__actor_message(eo_subject *subject, uint32_t from, uint32_t nth);
uint32_t eo__actor_doomed(eo_subject *subject, const uint32_t **processes);
void eo__actor_object_name(eo_subject *subject, uint32_t object, char *out, size_t size);
uint32_t eo__actor_object(eo_subject *subject, const char *name);
const eo_foregone *eo__actor_foregone(eo_subject *subject, uint32_t process);

/* foresee.c: what steps would touch without some of those before them. A step notes what it is before it happens. Only where
 * receives choose. */
void eo__deed_note(eo_actor *actor, const eo_deed *deed);
void eo__deed_none(eo_actor *actor); /* the step under way has nothing to note, unless it does so later */
void eo__deed_note_foregone(eo_actor *actor, const eo_process *process);
int eo__actor_foresee(eo_subject *subject, const uint32_t *steps, uint32_t count, uint32_t process, eo_foreseen *out);
void eo__foresee_release(eo_actor *actor);

/* A step begins. */
static inline void eo__relations_begin(eo_actor *actor) {
  eo_vec_clear(&actor->touches);
  eo_vec_clear(&actor->doomed);
  eo_vec_clear(&actor->begun);
  eo_vec_clear(&actor->hints);
}

/* An object of one process: its life, its having a name, what exit signals do to it. */
static inline void eo__touch(eo_actor *actor, eo_object_kind kind, uint32_t process, bool writes) {
  uint32_t object = actor->known.items[process].objects[kind];
  if (__builtin_expect(object == 0, 0)) object = eo__object_own(actor, kind, process);
  if (object == 0 || !eo_vec_push(&actor->touches, ((eo_touch){object - 1, writes}))) eo__actor_nomem(actor);
}

/* The number of the next message of the process, or 0. */
static inline uint32_t eo__message_next(eo_actor *actor, eo_process *process) {
  const eo_known *known = &actor->known.items[process->number];
  uint32_t nth = ++process->sent;
  if (__builtin_expect(nth <= known->messages.count, 1)) return known->messages.items[nth - 1];
  return eo__message_number(actor, process->number, nth);
}

#endif
