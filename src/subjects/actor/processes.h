/* processes.h: processes of an execution: their logical ids, their stacks, coming to doors, and the switches between them and the
 * engine. Not for other folders. */
#ifndef EO_ACTOR_PROCESSES_H
#define EO_ACTOR_PROCESSES_H

#include "subjects/actor/control.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/specifications.h"

uint32_t eo__actor_known(eo_actor *actor, const char *name);
uint32_t eo__actor_known_child(eo_actor *actor, uint32_t parent, uint32_t index);
uint32_t eo__actor_known_specification(eo_actor *actor, uint32_t parent, uint32_t index);
uint32_t eo__actor_known_courier(eo_actor *actor, uint32_t sender, uint32_t index);
int eo__actor_known_root(eo_actor *actor);
void eo__actor_forget_known(eo_actor *actor);
bool eo__actor_before(const eo_actor *actor, uint32_t process, uint32_t other); /* in the order of logical ids */
eo_process *eo__actor_start(eo_actor *actor, uint32_t number, eo_function function, const void *bytes, size_t size);
eo_process *eo__actor_start_courier(eo_actor *actor, uint32_t number); /* NULL: no memory */
eo_process *eo__actor_start_in_place(eo_actor *actor, uint32_t number, eo_function function, void *argument);
void eo__actor_arrive(eo_actor *actor, eo_process *process); /* it has come to a door */
void *eo__actor_inbox(eo_process *process, size_t size);     /* room for the bytes of a received message */
void eo__actor_halt(eo_subject *subject, uint32_t process, uint32_t step);
bool eo__actor_probe(eo_actor *actor, eo_process *process); /* does its predicate accept `received`? */
enum { EO_INBOX_ROOM = 256 };                               /* larger messages have theirs on the heap */
extern const eo_runtime eo__actor_runtime;

/* Where the bytes of messages that are not large lie: on top of its stack, but for what staggers it. */
static inline char *eo__actor_small_inbox(const eo_process *process) {
  return process->arena + EO_STACK_SIZE - process->stagger - EO_INBOX_ROOM;
}

/* The end of what means anything on its stack: behind its last message. It begins at the stack pointer. */
static inline char *eo__actor_stack_end(const eo_process *process) {
  char *inbox = eo__actor_small_inbox(process);
  return process->received.data == inbox ? inbox + process->received.size : inbox;
}

/* Where what is in use of its stack begins: all of it may be, while the process runs on memory of its own (makecontext). */
static inline char *eo__actor_stack_from(const eo_process *process) {
  char *low = process->arena + EO_PAGE, *sp = (char *)process->fiber.sp;
  return sp >= low && sp < process->arena + EO_STACK_SIZE ? sp : low;
}

/* The end of what its stack means, but for its last message: of a machine that has been between events, its variables.
 * What lies above them, its argument and the frames that led to it, is no part of a machine's state. */
static inline char *eo__actor_meant_end(const eo_process *process) {
  char *end = (char *)(uintptr_t)process->machine;
  if (!process->rested || end < (char *)process->fiber.sp || end >= eo__actor_small_inbox(process))
    return eo__actor_stack_end(process);
  return end + sizeof *process->machine + process->machine->machine->size;
}

/* A machine between events, which may wait for ever. */
static inline bool eo__actor_rests(const eo_process *process) {
  return process->pending->kind == EO_OP_RECEIVE && (process->pending->flags & EO_OP_DEQUEUE) != 0;
}

/* The bytes that are the whole state of a machine between events, beside its queue and its heap, free of what depends on
 * history: its stack need not be looked at. NULL: it is no machine, or in the middle of a function. */
static inline const void *eo__actor_machine_state(const eo_process *process, size_t *size) {
  if (process->state != EO_ALIVE || !process->machine || !eo__actor_rests(process)) return NULL;
  *size = sizeof *process->machine + process->machine->machine->size;
  return process->machine;
}

/* Zeroes what is dead on its stack, in a lean world. */
static inline void eo__actor_trim(eo_actor *actor, const eo_process *process) {
  if (__builtin_expect(actor->auditing, 0)) eo__watch_admit(actor->watch, process->slot);
  eo__capture_trim(actor->capture, process->slot, (const char *)process->fiber.sp);
}

/* In so many ways its pending operation can be taken now. */
static inline void eo__process_able(eo_actor *actor, eo_process *process, uint32_t choices) {
  eo_world *world = &actor->world;
  uint64_t bit = process->at < 64 ? (uint64_t)1 << process->at : 0;
  if (choices && !process->choices) process->stuck_at = world->path; /* if it had been started then */
  process->choices = choices;
  world->able = choices ? world->able | bit : world->able & ~bit;
  world->receiving = process->pending->kind == EO_OP_RECEIVE ? world->receiving | bit : world->receiving & ~bit;
}

/* Its hash counts from now on. */
static inline void eo__process_printed(eo_actor *actor, const uint64_t print[2]) {
  actor->world.prints[0] += print[0];
  actor->world.prints[1] += print[1];
}

/* It changes: it has no hash any more, and no copy. */
static inline void eo__process_stale(eo_actor *actor, eo_process *process) {
  process->kept = NULL;
  if (!process->printed) return;
  process->printed = false;
  actor->world.prints[0] -= process->print[0];
  actor->world.prints[1] -= process->print[1];
  if (process->at < 64) actor->world.stale |= (uint64_t)1 << process->at;
}

/* The switches, inline: calls between them and the engine's loop would each cost a mispredicted return. */

/* processes.c: the same as the middle of eo__actor_switch, in an actor that is `apart`. */
void eo__actor_switch_apart(eo_actor *actor, eo_process *process, uint32_t watched);

/* Runs the process until it leaves. What it does to globals is done by process number `watched`. */
static inline void eo__actor_switch(eo_actor *actor, eo_process *process, uint32_t watched) {
  actor->running = process;
  *actor->pulse = (*actor->pulse + 1) | 1;
  if (__builtin_expect(actor->apart, 0)) {
    eo__actor_switch_apart(actor, process, watched);
  } else {
    eo_watch_enter(actor->watch, watched, process->slot, actor->world.steps);
    eo_fiber_switch(&actor->engine, &process->fiber);
    eo_watch_leave(actor->watch);
  }
  eo__control_look(actor, process);
  *actor->pulse = (*actor->pulse + 1) & ~(uint64_t)1;
  actor->running = NULL;
}

/* Runs the process to its next door, or to the answer of its predicate. */
static inline void eo__actor_run(eo_actor *actor, eo_process *process) {
  eo__actor_switch(actor, process, process->number);
  while (__builtin_expect(actor->asked.what != EO_ASKED_NOTHING, 0)) {
    eo__actor_answer(actor, process);
    if (actor->failed) break;
    eo__actor_switch(actor, process, process->number);
  }
}

/* From the process's fiber back to the engine. */
static inline void eo__actor_leave(eo_actor *actor) {
  eo_process *process = actor->running;
  if (__builtin_expect(actor->sanitized, 0))
    eo__fiber_before(&process->fake_stack, actor->engine_stack, actor->engine_stack_size);
  eo_fiber_switch(&process->fiber, &actor->engine);
  if (__builtin_expect(actor->sanitized, 0)) eo__fiber_after(process->fake_stack);
}

/* Runs to its next door. False: the execution failed. */
static inline bool eo__actor_go_on(eo_actor *actor, eo_process *process) {
  eo__actor_run(actor, process);
  if (!actor->failed) eo__actor_arrive(actor, process);
  return !actor->failed;
}

#endif
