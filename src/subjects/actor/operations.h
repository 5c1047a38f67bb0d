/* operations.h: what operations need to be taken, and what they do. Not for other folders. */
#ifndef EO_ACTOR_OPERATIONS_H
#define EO_ACTOR_OPERATIONS_H

#include "subjects/actor/inside.h"

void eo__operation_ready(eo_actor *actor, eo_process *process); /* sets `choices` of a process that came to a door */
void eo__actor_pending(eo_subject *subject, uint32_t process, eo_pending *pending);
void eo__operations_reset(eo_actor *actor); /* to a society of nobody */
bool eo__operation_deed(eo_actor *actor, const eo_process *process, const eo_op *op, const eo_process *other,
                        eo_deed *deed);
void eo__operation_touch(eo_actor *actor, const eo_effects *effects); /* adds what they touched */
/* Is this one of the signals of that step that set out, or one that must come after such a one to the same process? */
bool eo__operation_leaves(const eo_actor *actor, const eo_process *process, uint32_t step, const eo_effects *effects,
                          size_t at);
void eo__operation_perform(eo_actor *actor, eo_process *process, uint32_t value, eo_event *event);
eo_process *eo__actor_process_of(eo_actor *actor, eo_pid pid); /* NULL: never was one, or is a specification */

#endif
