/* specifications.h: specifications, which observe events (specifications.c), and liveness (lasso.c). Not for other folders. */
#ifndef EO_ACTOR_SPECIFICATIONS_H
#define EO_ACTOR_SPECIFICATIONS_H

#include "subjects/actor/inside.h"

/* specifications.c */
void eo__actor_answer(eo_actor *actor, eo_process *process); /* does what it has asked for */
void eo__observe_mail(eo_actor *actor, const eo_process *sender, uint32_t to, const eo_mail *mail);
void eo__observe_pending(eo_actor *actor, int tag); /* what a send of that tag would touch */
void eo__specify(const eo_place *place, const eo_machine *machine, eo_function function, const void *bytes,
                 size_t size);
void eo__announce(const eo_place *place, int event, const void *data, size_t size);
void eo__observed_text(eo_actor *actor, char *out, size_t size); /* " (observing ...)"; on the specification's fiber */
eo_process **eo__specifications(eo_actor *actor, size_t *count); /* in the order of their names */

/* Is there perhaps a specification that observes such events? */
static inline bool eo__is_observed(const eo_actor *actor, int tag) {
  return __builtin_expect(actor->world.observed != 0, 0) && actor->world.observed >> ((unsigned)tag & 63) & 1;
}

/* lasso.c */
void eo__lasso_temper(eo_actor *actor, eo_process *specification); /* it has come to rest: is it hot? */
void eo__lasso_begin(eo_actor *actor);                             /* the first state */
void eo__lasso_before(eo_actor *actor, const eo_process *process, eo_choice choice); /* a step */
void eo__lasso_after(eo_actor *actor, eo_event *event, bool was_hot);
uint32_t eo__actor_mark(eo_subject *subject, eo_choice choice);
const eo_heat *eo__actor_heat(eo_subject *subject);
bool eo__lasso_end(eo_actor *actor); /* true: a specification is hot now that it is over, and it has failed */

#endif
