/* control.h: how the processor computes with fractions: rounding, which exceptions trap, whether tiny numbers are zero, and which
 * exceptions there were. Each thread has its own such registers, so each process has. Inside the actor.
 *
 * All processes run in one thread, and hardly any program changes these registers. So nothing is switched until a process leaves them
 * otherwise than it found them, by whichever means; that is looked for at each switch. From then on, in that execution, each
 * process has its own (eo_process.control). The engine computes with those of the start. */
#ifndef EO_ACTOR_CONTROL_H
#define EO_ACTOR_CONTROL_H

#include <string.h>

#include "base/controlled.h"
#include "subjects/actor/inside.h"

#if defined(__x86_64__)
enum { EO_CONTROL_FLAGS = 0x3f }; /* exceptions that there were: nearly every computation sets one */

static inline eo_control eo__control_now(void) {
  eo_control now;
  memset(&now, 0, sizeof now);
  __asm__ volatile("stmxcsr %0" : "=m"(now.vector));
  __asm__ volatile("fnstcw %0" : "=m"(now.old));
  return now;
}

static inline bool eo__control_is(const eo_control *usual) {
  uint32_t vector;
  uint16_t old;
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(vector), "=m"(old));
  return !(((vector ^ usual->vector) & ~(uint32_t)EO_CONTROL_FLAGS) | (uint32_t)(old ^ usual->old));
}
#else
static inline bool eo__control_is(const eo_control *usual) {
  uint64_t now;
  __asm__ volatile("mrs %0, fpcr" : "=r"(now));
  return now == usual->control;
}
#endif

void eo__control_open(eo_actor *actor);
void eo__control_inherit(eo_process *child, const eo_process *parent);

/* Around the process's run, in an actor that is apart. */
void eo__control_in(const eo_process *process);
void eo__control_out(eo_process *process);

void eo__control_keep(eo_actor *actor, eo_process *process);

/* Behind it, in any. */
static inline void eo__control_look(eo_actor *actor, eo_process *process) {
  if (EO_CONTROLLED && __builtin_expect(!eo__control_is(&actor->control), 0)) eo__control_keep(actor, process);
}

#endif
