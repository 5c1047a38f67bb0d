/* switch_x86_64.S: a fiber's first frame; the switch itself is inline in fiber.h. The return address is undefined, so that
 * backtraces end here. */
#if defined(__x86_64__)
        .text
        .globl  eo__fiber_start
        .hidden eo__fiber_start
        .type   eo__fiber_start, @function
        .p2align 4
eo__fiber_start:
        .cfi_startproc
        .cfi_undefined %rip
        endbr64
        popq    %rax
        popq    %rdi
        xorl    %ebp, %ebp
        xorl    %ebx, %ebx
        xorl    %r12d, %r12d
        xorl    %r13d, %r13d
        xorl    %r14d, %r14d
        xorl    %r15d, %r15d
        callq   *%rax
        ud2
        .cfi_endproc
        .size   eo__fiber_start, .-eo__fiber_start

/* base/jump_return.h: where gcc goes instead of returning. */
        .globl  __x86_return_thunk
        .hidden __x86_return_thunk
        .type   __x86_return_thunk, @function
        .p2align 4
__x86_return_thunk:
        popq    %rcx
        jmpq    *%rcx
        .size   __x86_return_thunk, .-__x86_return_thunk
#endif
        .section .note.GNU-stack,"",%progbits
