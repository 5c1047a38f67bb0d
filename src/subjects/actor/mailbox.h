/* mailbox.h: the pool, messages and mailboxes (mailbox.c), and receives that choose among messages (delivery.c). Not for other folders. */
#ifndef EO_ACTOR_MAILBOX_H
#define EO_ACTOR_MAILBOX_H

#include "subjects/actor/inside.h"

/* mailbox.c */
void *eo__pool_alloc(eo_actor *actor, size_t size);
void eo__pool_free(eo_actor *actor, void *block, size_t size);
eo_mail *eo__mail_new(eo_actor *actor, uint32_t from, int tag, const void *bytes, size_t size);
void eo__mail_free(eo_actor *actor, eo_mail *mail);
void eo__mail_send(eo_actor *actor, eo_process *sender, eo_process *to, eo_mail *mail); /* takes it over */
/* As that, but it does not arrive, and no specification sees it: it is only counted. */
void eo__mail_lose(eo_actor *actor, eo_process *sender, const eo_process *to, eo_mail *mail);
void eo__mail_put(eo_actor *actor, eo_process *to, eo_mail *mail); /* a message with a number, into its mailbox */
bool eo__mail_is_down(const eo_mail *mail, eo_ref ref);            /* of this monitor */
eo_mail *eo__mail_take(eo_process *process, eo_mail **link);
bool eo__mail_show(eo_actor *actor, eo_process *process, const eo_mail *mail);
void eo__mail_match(eo_actor *actor, eo_process *process); /* compares its pending receive with unseen messages */

/* delivery.c: receives that choose. */
void eo__delivery_reset(eo_actor *actor);
bool eo__clock_knows(const eo_clock *clock, uint32_t process, uint32_t nth); /* its nth message */
void eo__delivery_arrive(eo_actor *actor, eo_process *process);              /* it has come to a receive */
void eo__delivery_insert(eo_actor *actor, eo_process *to, eo_mail *mail);
bool eo__delivery_possible(const eo_process *process);              /* is there a message it can take? */
void eo__delivery_list(eo_actor *actor, const eo_process *process); /* adds its choices */
bool eo__delivery_times_out(const eo_actor *actor,
                            const eo_process *process); /* can its receive, whatever others do? */
bool eo__delivery_choose(eo_actor *actor, eo_process *process, uint32_t number); /* sets `match`; false: it cannot */
void eo__delivery_flushed(eo_actor *actor, eo_process *process, eo_ref ref); /* it has ended this monitor, quietly */
/* Is the DOWN of this monitor in the mailbox? Then it has arrived from now on. */
bool eo__delivery_finds_down(const eo_actor *actor, const eo_process *process, eo_ref ref);
void eo__delivery_leave(eo_actor *actor, eo_process *process, const eo_mail *taken);
void eo__delivery_spawned(eo_actor *actor, const eo_process *parent, eo_process *child);
bool eo__delivery_knows(const eo_actor *actor, const eo_mail *mail, const eo_mail *other); /* sent before it */
bool eo__actor_matches(eo_subject *subject, uint32_t process, uint32_t nth, uint32_t message);

#endif
