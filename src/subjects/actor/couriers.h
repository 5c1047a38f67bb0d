/* couriers.h: what is on its way for a while before it arrives.
 * needed: must what `sender` sends to `to` now come after such a thing, of those that set out before that step?
 * signal, mail: an exit signal, a message with a number sets out.
 * deed: that of its arrival; false: none. turns: in that deed, into this EXIT. delivers: a message arrives. mutes: the DOWN of this
 * monitor, if it is on its way, will not. ends: it has arrived. */
#ifndef EO_ACTOR_COURIERS_H
#define EO_ACTOR_COURIERS_H

#include "subjects/actor/inside.h"

bool eo__courier_needed(const eo_actor *actor, const eo_process *sender, const eo_process *to, uint32_t before);
void eo__courier_signal(eo_actor *actor, eo_process *sender, const eo_signal *signal);
void eo__courier_mail(eo_actor *actor, eo_process *sender, const eo_process *to, eo_mail *mail, bool muted);
bool eo__courier_deed(const eo_actor *actor, const eo_process *process, eo_deed *deed);
void eo__courier_turns(eo_actor *actor, eo_process *process, eo_mail *mail);
void eo__courier_delivers(eo_actor *actor, eo_process *process);
bool eo__courier_mutes(eo_actor *actor, const eo_process *to, eo_ref ref);
void eo__courier_ends(eo_actor *actor, eo_process *process);
uint32_t eo__actor_begun(eo_subject *subject, const uint32_t **processes);
uint32_t eo__actor_awaited(eo_subject *subject, uint32_t process, const uint32_t **processes);

#endif
