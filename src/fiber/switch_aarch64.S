/* switch_aarch64.S: saves the callee-saved registers on the stack, exchanges stack pointers. */
#if defined(__aarch64__)
        .text
        .globl  eo_fiber_switch
        .hidden eo_fiber_switch
        .type   eo_fiber_switch, %function
        .p2align 4
eo_fiber_switch:
        .cfi_startproc
        sub     sp, sp, #160
        .cfi_adjust_cfa_offset 160
        stp     x19, x20, [sp, #0]
        stp     x21, x22, [sp, #16]
        stp     x23, x24, [sp, #32]
        stp     x25, x26, [sp, #48]
        stp     x27, x28, [sp, #64]
        stp     x29, x30, [sp, #80]
        .cfi_rel_offset x29, 80
        .cfi_rel_offset x30, 88
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        mov     x9, sp
        str     x9, [x0]
        ldr     x9, [x1]
        mov     sp, x9
        ldp     x19, x20, [sp, #0]
        ldp     x21, x22, [sp, #16]
        ldp     x23, x24, [sp, #32]
        ldp     x25, x26, [sp, #48]
        ldp     x27, x28, [sp, #64]
        ldp     x29, x30, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        add     sp, sp, #160
        .cfi_adjust_cfa_offset -160
        ret
        .cfi_endproc
        .size   eo_fiber_switch, .-eo_fiber_switch

/* A fiber's first frame. Its return address is undefined, so that backtraces end here. */
        .globl  eo__fiber_start
        .hidden eo__fiber_start
        .type   eo__fiber_start, %function
        .p2align 4
eo__fiber_start:
        .cfi_startproc
        .cfi_undefined x30
        mov     x0, x20
        mov     x1, x19
        mov     x19, xzr
        mov     x20, xzr
        blr     x1
        brk     #1
        .cfi_endproc
        .size   eo__fiber_start, .-eo__fiber_start
#endif
        .section .note.GNU-stack,"",%progbits
