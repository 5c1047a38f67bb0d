/* fiber.h: stackful coroutines of one OS thread. A fiber is its stack pointer: everything else that must survive a
 * switch is on its stack, so that copying the stack and this one word saves and restores it. */
#ifndef EO_FIBER_H
#define EO_FIBER_H

#include <stddef.h>

typedef struct eo_fiber {
  void *sp;
} eo_fiber;

/* Prepares a fiber to run entry(argument) on the stack [low, high); entry must never return. */
void eo_fiber_init(eo_fiber *fiber, char *low, char *high, void (*entry)(void *), void *argument);

/* Stops `from` here and goes on with `to`; returns when somebody switches back to `from`. */
void eo_fiber_switch(eo_fiber *from, const eo_fiber *to);

/* The sanitizers must be told of switches; these do nothing without them. before/after stand around the switch on the
 * side that leaves; low and size are the stack that is entered. `save` keeps the leaving side's fake stack; NULL: it
 * will not come back. */
void eo_fiber_before(void **save, const char *low, size_t size);
void eo_fiber_after(void *saved);

#endif
