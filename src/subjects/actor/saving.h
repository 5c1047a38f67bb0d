/* saving.h: saved states (save.c), notes of what changes after a save (undo.c), and hashes of states (fingerprint.c). Not for other folders. */
#ifndef EO_ACTOR_SAVING_H
#define EO_ACTOR_SAVING_H

#include "subjects/actor/inside.h"

/* undo.c */
bool eo__undo_open(eo_actor *actor);
void eo__undo_close(eo_actor *actor);
bool eo__undo_enough(const eo_actor *actor); /* can a state saved now be restored by what is noted after it? */
void *eo__undo_room(eo_actor *actor, size_t size);
void eo__undo_saved(eo_actor *actor, bool by_notes); /* a state has been saved; by_notes: it needs notes */
void eo__undo_forgot(eo_actor *actor);
/* Puts back what was noted after that one. The first that was. */
const struct eo_note *eo__undo_notes(eo_actor *actor, const struct eo_note *last);
void eo__undo_keep(eo_actor *actor, const struct eo_note *note); /* of the state just restored: it is still right */
void eo__undo_cut(eo_actor *actor, const eo_undo *then);         /* the log as it stood then */
void eo__undo_note(eo_actor *actor, eo_process *process, bool starts);

/* Before anything in the memory of this process changes. */
static inline void eo__undo_before(eo_actor *actor, eo_process *process) {
  if (__builtin_expect(process->noted < actor->undo.newest, 0)) eo__undo_note(actor, process, false);
}

/* fingerprint.c */
void eo__actor_fingerprint(eo_subject *subject, uint64_t hash[2]);

/* Before the step, in a lean world. */
static inline void eo__fingerprint_chosen(eo_actor *actor, const eo_process *process, eo_choice choice) {
  uint64_t mixed = (actor->world.history ^ process->key) + choice.value + 1;
  mixed *= UINT64_C(0xff51afd7ed558ccd);
  actor->world.history = mixed ^ mixed >> 29;
}
void eo__hash_add(const void *bytes, size_t size, uint64_t sum[2]); /* to a sum that does not depend on the order */
void eo__actor_print(eo_actor *actor); /* the hashes of all processes, so that a saved state has them */

/* save.c */
void *eo__actor_save(eo_subject *subject);
bool eo__actor_restore(eo_subject *subject, void *saved);
void eo__actor_forget(eo_subject *subject, void *saved);
uint32_t eo__actor_cost(eo_subject *subject);

#endif
