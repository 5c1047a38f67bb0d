/* describe.h: steps and ends of an execution in words: what happened (describe.c), and how to call it (words.c). Not for other folders. */
#ifndef EO_ACTOR_DESCRIBE_H
#define EO_ACTOR_DESCRIBE_H

#include "subjects/actor/inside.h"

/* describe.c */
void eo__describe_before(eo_actor *actor, eo_process *process, const eo_op *op);
void eo__describe_after(eo_actor *actor, const eo_process *process, const eo_event *event, uint32_t value);
bool eo__describe_end(eo_actor *actor, eo_finding *finding);
void eo__describe_line_clear(eo_actor *actor);
void eo__describe_deadlock(eo_actor *actor);

/* words.c */
const char *eo__words_name(const eo_process *process); /* registered, or its machine's; "": none */
void eo__words_process(eo_actor *actor, eo_text *text, uint32_t number);
void eo__words_event(eo_actor *actor, eo_text *text, eo_process *to, eo_process *from, const eo_mail *mail);
void eo__words_tag(eo_actor *actor, eo_text *text, eo_process *process, int tag); /* that it waits for */
void eo__words_announced(eo_actor *actor, eo_process *process, const eo_asked *asked, const eo_mail *mail);
void eo__words_mail(eo_actor *actor, eo_text *text, const eo_mail *mail, eo_process *to);
void eo__words_dequeue(eo_actor *actor, eo_text *text, eo_process *process);
void eo__words_seen(eo_actor *actor, const eo_process *specification, int was);
void eo__words_ignored(eo_actor *actor, eo_process *process, const eo_mail *mail);
bool eo__words_handler(eo_actor *actor, const eo_process *process, eo_source *source);

#endif
