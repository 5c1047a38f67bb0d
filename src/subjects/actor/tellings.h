/* tellings.h: what the messages of the execution that is described are called and hold, in the program's own words: by the text of the call
 * that sent them (eo_place.call) and the program's debug information. Where nothing is known there are numbers and
 * bytes. Nothing here runs while exploring. */
#ifndef EO_ACTOR_TELLINGS_H
#define EO_ACTOR_TELLINGS_H

#include "subjects/actor/inside.h"

typedef struct eo_tellings eo_tellings;

void eo__tellings_close(eo_tellings *tellings); /* NULL: nothing to close */

/* An execution begins that is described. */
void eo__tellings_reset(eo_actor *actor);

/* The process is about to send this: until the next call, a message without a number is this one. */
void eo__tellings_begin(eo_actor *actor, const eo_process *process, const eo_place *place, int tag, const void *data,
                        size_t size);

/* The process, which runs, announces this in the middle of a step: until eo__tellings_announced, a message without a number is
 * this event; then again the message that the step has sent. */
void eo__tellings_announce(eo_actor *actor, const eo_process *process, const eo_place *place, int tag, const void *data,
                           size_t size);
void eo__tellings_announced(eo_actor *actor);

void eo__tellings_sent(eo_actor *actor, const eo_process *process, uint32_t number, uint32_t to,
                       const char *words); /* it has got this number, has gone there, and is told so */
uint32_t eo__tellings_wrote_to(const eo_actor *actor, const eo_process *process); /* last; EO_NO_PROCESS: to nobody */
void eo__tellings_received(eo_actor *actor, const eo_process *process,
                           uint32_t number); /* the step was a receive of it */

/* "VOTE"; false: it has no name that is known. */
bool eo__tellings_name(eo_actor *actor, const eo_mail *mail, char *out, size_t size);

/* The name of a tag in the call that a process stands at, or anywhere in the program. */
bool eo__tellings_tag(eo_actor *actor, const eo_process *process, const eo_place *place, int tag, char *out,
                      size_t size);

/* " {term = 3, candidate = P1.1}"; false: what it holds is not known. */
bool eo__tellings_value(eo_actor *actor, eo_text *out, const eo_mail *mail, const char *name);

/* Pids as "P1.2 (server)", pointers to functions by name. `tag`: of the message, or NULL. */
struct eo_value_style eo__tellings_style(eo_actor *actor, const char *tag); /* values.h */

#endif
