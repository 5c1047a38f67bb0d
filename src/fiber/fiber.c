/* fiber.c: the first frame of a fiber, and what sanitizers want to know. The switch itself is assembly. */
#include "fiber/fiber.h"

#include <stdint.h>

/* In switch_*.S: takes entry and argument from callee-saved registers and calls entry. */
void eo__fiber_start(void);

void eo_fiber_init(eo_fiber *fiber, char *low, char *high, void (*entry)(void *), void *argument) {
  (void)low;
  uintptr_t *top = (uintptr_t *)((uintptr_t)high & ~(uintptr_t)15);
#if defined(__x86_64__)
  /* As eo_fiber_switch pops them: r15 r14 r13 r12 rbx rbp, return address; then a null return address, where unwinding
   * ends. The pad keeps the stack aligned as the ABI wants it when entry is called. */
  top -= 2;
  top[0] = 0;
  top[1] = 0;
  *--top = (uintptr_t)eo__fiber_start;
  *--top = 0;                   /* rbp */
  *--top = (uintptr_t)entry;    /* rbx */
  *--top = (uintptr_t)argument; /* r12 */
  *--top = 0;
  *--top = 0;
  *--top = 0;
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

void eo_fiber_before(void **save, const char *low, size_t size) {
  if (__sanitizer_start_switch_fiber) __sanitizer_start_switch_fiber(save, low, size);
}

void eo_fiber_after(void *saved) {
  if (__sanitizer_finish_switch_fiber) __sanitizer_finish_switch_fiber(saved, NULL, NULL);
}
