/* switch_x86_64.S: saves the callee-saved registers on the stack, exchanges stack pointers. The floating-point control
 * words are left alone: a process that changes them changes them for all. */
#if defined(__x86_64__)
        .text
        .globl  eo_fiber_switch
        .hidden eo_fiber_switch
        .type   eo_fiber_switch, @function
        .p2align 4
eo_fiber_switch:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r12, 0
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r13, 0
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r14, 0
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r15, 0
        movq    %rsp, (%rdi)
        movq    (%rsi), %rsp
        popq    %r15
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r15
        popq    %r14
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r14
        popq    %r13
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r13
        popq    %r12
        .cfi_adjust_cfa_offset -8
        .cfi_restore %r12
        popq    %rbx
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbx
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        .cfi_restore %rbp
        ret
        .cfi_endproc
        .size   eo_fiber_switch, .-eo_fiber_switch

/* A fiber's first frame. Its return address is undefined, so that backtraces end here. */
        .globl  eo__fiber_start
        .hidden eo__fiber_start
        .type   eo__fiber_start, @function
        .p2align 4
eo__fiber_start:
        .cfi_startproc
        .cfi_undefined %rip
        endbr64
        movq    %r12, %rdi
        callq   *%rbx
        ud2
        .cfi_endproc
        .size   eo__fiber_start, .-eo__fiber_start
#endif
        .section .note.GNU-stack,"",%progbits
