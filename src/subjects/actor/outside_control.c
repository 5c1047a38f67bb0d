/* outside_control.c: see control.h; and the functions of <fenv.h> that ask for exceptions that there were. Those of a process are
 * known from the first such call on: what it did before is not told from what others did. */
#include "subjects/actor/control.h"

#include <fenv.h>

#include "subjects/actor/outside.h"

#if defined(__x86_64__)
/* Whole, as there is no other way to write the flags: in the order of the processor's FLDENV. */
typedef struct environment {
  uint32_t control, status, rest[5];
} environment;

static eo_control all_now(void) {
  eo_control now = eo__control_now();
  __asm__ volatile("fnstsw %0" : "=m"(now.old_flags));
  now.old_flags &= EO_CONTROL_FLAGS;
  return now;
}

static void set(eo_control to) {
  environment old;
  __asm__ volatile("fnstenv %0" : "=m"(old));
  old.control = (old.control & ~(uint32_t)0xffff) | to.old;
  old.status = (old.status & ~(uint32_t)EO_CONTROL_FLAGS) | to.old_flags;
  __asm__ volatile("fldenv %0" : : "m"(old));
  __asm__ volatile("ldmxcsr %0" : : "m"(to.vector));
}

static eo_control without_flags(eo_control of) {
  of.vector &= ~(uint32_t)EO_CONTROL_FLAGS;
  of.old_flags = 0;
  return of;
}
#else
static eo_control all_now(void) {
  eo_control now;
  __asm__ volatile("mrs %0, fpcr" : "=r"(now.control));
  __asm__ volatile("mrs %0, fpsr" : "=r"(now.flags));
  return now;
}

static void set(eo_control to) {
  __asm__ volatile("msr fpcr, %0" : : "r"(to.control));
  __asm__ volatile("msr fpsr, %0" : : "r"(to.flags));
}

static eo_control without_flags(eo_control of) {
  of.flags = 0;
  return of;
}
#endif

static bool switched(const eo_actor *actor) { return (actor->changed & EO_CHANGED_ROUNDING) != 0; }

void eo__control_open(eo_actor *actor) { actor->control = without_flags(all_now()); }

/* From now on each process has its own. */
static void begin(eo_actor *actor) {
  if (switched(actor)) return;
  actor->changed |= EO_CHANGED_ROUNDING;
  actor->apart = true;
  for (size_t i = 0; i < actor->live.count; i++) actor->live.items[i]->control = actor->control;
}

void eo__control_keep(eo_actor *actor, eo_process *process) {
  begin(actor);
  process->control = all_now();
  set(actor->control);
}

void eo__control_in(const eo_process *process) {
  if (switched(eo__actor)) set(process->control);
}

void eo__control_out(eo_process *process) {
  if (switched(eo__actor)) eo__control_keep(eo__actor, process);
}

void eo__control_inherit(eo_process *child, const eo_process *parent) { child->control = parent->control; }

/* ---- <fenv.h> --------------------------------------------------------------------------------------------------------- */

static void asks_for_flags(void) {
  eo_process *process = eo__outside_caller();
  if (!process || switched(eo__actor)) return;
  begin(eo__actor);
  set(without_flags(all_now()));
}

#define FLAGS(function, declared, passed) \
  int function declared {                 \
    asks_for_flags();                     \
    return EO_REAL(function) passed;      \
  }

FLAGS(feclearexcept, (int which), (which))
FLAGS(feraiseexcept, (int which), (which))
FLAGS(fetestexcept, (int which), (which))
FLAGS(fegetexceptflag, (fexcept_t * out, int which), (out, which))
FLAGS(fesetexceptflag, (const fexcept_t *from, int which), (from, which))
FLAGS(fegetenv, (fenv_t * out), (out))
FLAGS(fesetenv, (const fenv_t *from), (from))
FLAGS(feupdateenv, (const fenv_t *from), (from))
FLAGS(feholdexcept, (fenv_t * out), (out))
