/* fiber.h: stackful coroutines of one OS thread. A fiber is its stack pointer: everything else that must survive a
 * switch is on its stack, so that copying the stack and this one word saves and restores it. */
#ifndef EO_FIBER_H
#define EO_FIBER_H

#include <stddef.h>

typedef struct eo_fiber {
  void *sp;
} eo_fiber;

/* Prepares a fiber to run entry(argument) on a stack that ends at `high`; entry must never return. */
void eo__fiber_init(eo_fiber *fiber, char *high, void (*entry)(void *), void *argument);

/* Stops `from` here and goes on with `to`; returns when somebody switches back to `from`. The floating-point control
 * words are left alone: a process that changes them changes them for all. */
#if defined(__x86_64__)
/* Inline, so that the compiler saves just the registers it needs, and there is no return instruction here: the processor
 * would predict it, and wrongly, at every switch. The 128 bytes are the red zone of the function this stands in. The
 * registers that callees save are cleared, so that no value of the other side gets onto this stack. */
static inline __attribute__((always_inline)) void eo_fiber_switch(eo_fiber *from, const eo_fiber *to) {
  __asm__ volatile(
      "leaq -128(%%rsp), %%rsp\n\t"
      "pushq %%rbp\n\t"
      "pushq %%rbx\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq (%%rsi), %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n"
      "1:\tendbr64\n\t"
      "xorl %%r12d, %%r12d\n\t"
      "xorl %%r13d, %%r13d\n\t"
      "xorl %%r14d, %%r14d\n\t"
      "xorl %%r15d, %%r15d\n\t"
      "popq %%rbx\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15");
}
#else
void eo_fiber_switch(eo_fiber *from, const eo_fiber *to); /* switch_aarch64.S */
#endif

/* The sanitizers must be told of switches; these do nothing without them. `before` and `after` stand around the switch
 * on the side that leaves; low and size are the stack that is entered. `save` keeps the leaving side's fake stack; NULL:
 * it will not come back. */
void eo__fiber_before(void **save, const char *low, size_t size);
void eo__fiber_after(void *saved);

#endif
