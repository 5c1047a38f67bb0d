/* faults.h: crashes of processes (faults.c), and steps that take too long (watchdog.c). Not for other folders. */
#ifndef EO_ACTOR_FAULTS_H
#define EO_ACTOR_FAULTS_H

#include <signal.h>

#include "subjects/actor/inside.h"

/* watchdog.c */
#define EO_WATCHDOG_SIGNAL (SIGRTMIN + 7)
int eo__watchdog_open(eo_actor *actor, eo_error *error);
void eo__watchdog_close(void);

/* faults.c */
int eo__faults_open(eo_actor *actor, eo_error *error);
void eo__faults_close(eo_actor *actor);
void eo__faults_handled(eo_actor *actor, void *ucontext); /* a handler returns to the process, unless that is overdue */
void eo__faults_called(eo_actor *actor, const void *caller); /* the same, with the stack from there on */
void eo__faults_here(eo_actor *actor, const void *caller);   /* where, for a failure that has no eo_place */
void eo__faults_abandon(const eo_actor *actor); /* a handler will not return: its stack is free, for ASan too */
uint32_t eo__faults_frames(uintptr_t pc, uintptr_t *frames, uint32_t room); /* of a handler's stack, from pc outwards */
bool eo__faults_is_system(uintptr_t pc);                                    /* is it in a library of the system? */
/* The first of these places that lies in the program's own code. */
bool eo__faults_source(eo_actor *actor, const uintptr_t *frames, uint32_t count, eo_source *source);
const eo_failure *eo__actor_failure(eo_subject *subject);

#endif
