/* fiber.c: the first frame of a fiber, and what sanitizers want to know. */
#include "fiber/fiber.h"

#include <stdint.h>

/* In switch_*.S: calls entry(argument), found where eo__fiber_init put them. */
void eo__fiber_start(void);

void eo__fiber_init(eo_fiber *fiber, char *high, void (*entry)(void *), void *argument) {
  uintptr_t *top = (uintptr_t *)((uintptr_t)high & ~(uintptr_t)15);
#if defined(__x86_64__)
  /* As eo_fiber_switch pops it: where to go on; then what eo__fiber_start pops. The stack is then aligned as the ABI
   * wants it where entry is called. */
  *--top = 0;
  *--top = 0;
  *--top = (uintptr_t)argument;
  *--top = (uintptr_t)entry;
  *--top = (uintptr_t)eo__fiber_start;
#elif defined(__aarch64__)
  /* x19..x28, x29, x30, d8..d15 as eo_fiber_switch loads them. */
  top -= 20;
  for (int i = 0; i < 20; i++) top[i] = 0;
  top[0] = (uintptr_t)entry;    /* x19 */
  top[1] = (uintptr_t)argument; /* x20 */
  top[11] = (uintptr_t)eo__fiber_start;
#else
#error "everyorder runs on x86-64 and aarch64"
#endif
  fiber->sp = top;
}

void __sanitizer_start_switch_fiber(void **, const void *, size_t) __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *, const void **, size_t *) __attribute__((weak));

void eo__fiber_before(void **save, const char *low, size_t size) {
  if (__sanitizer_start_switch_fiber) __sanitizer_start_switch_fiber(save, low, size);
}

void eo__fiber_after(void *saved) {
  if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(saved, NULL, NULL);
}
