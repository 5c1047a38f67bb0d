/* test_operand.c: sizes of memory operands, of instructions that the assembler makes, so that the bytes are right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "subjects/actor/operand.h"

#if defined(__x86_64__)

#define INSTRUCTIONS(X)                  \
  X(1, "movb (%rdi), %al")               \
  X(1, "movb %r9b, 5(%r10)")             \
  X(2, "movw (%rdi), %ax")               \
  X(4, "movl (%rdi), %eax")              \
  X(8, "movq (%rdi), %rax")              \
  X(8, "movq %r12, 1000(%r13,%r14,8)")   \
  X(4, "movl $7, (%rdi)")                \
  X(1, "movb $7, (%rdi)")                \
  X(1, "movzbl (%rdi), %eax")            \
  X(2, "movzwl (%rdi), %eax")            \
  X(1, "movsbq (%rdi), %rax")            \
  X(4, "movslq (%rdi), %rax")            \
  X(4, "addl $1, (%rdi)")                \
  X(8, "lock addq $1, (%rdi)")           \
  X(1, "cmpb $0, (%rdi)")                \
  X(8, "pushq %rbx")                     \
  X(8, "popq %r15")                      \
  X(8, "ret")                            \
  X(8, "call *(%rax)")                   \
  X(1, "sete (%rdi)")                    \
  X(4, "cmovel (%rdi), %eax")            \
  X(4, "lock cmpxchgl %ecx, (%rdi)")     \
  X(16, "lock cmpxchg16b (%rdi)")        \
  X(4, "imull (%rdi), %eax")             \
  X(4, "movss (%rdi), %xmm0")            \
  X(8, "movsd (%rdi), %xmm0")            \
  X(8, "addsd (%rdi), %xmm0")            \
  X(16, "movups (%rdi), %xmm8")          \
  X(16, "movaps %xmm0, (%rdi)")          \
  X(16, "movdqu (%rdi), %xmm0")          \
  X(8, "movq (%rdi), %xmm0")             \
  X(8, "movq %xmm0, (%rdi)")             \
  X(4, "movd (%rdi), %xmm0")             \
  X(8, "movhps (%rdi), %xmm0")           \
  X(4, "cvtsi2sdl (%rdi), %xmm0")        \
  X(32, "vmovdqu (%rdi), %ymm0")         \
  X(16, "vmovdqu (%rdi), %xmm0")         \
  X(32, "vpcmpeqb (%rdi), %ymm1, %ymm2") \
  X(4, "vmovss (%rdi), %xmm9")           \
  X(4, "vbroadcastss (%rdi), %ymm0")     \
  X(64, "vmovdqu64 (%rdi), %zmm16")      \
  X(8, "fldl (%rdi)")                    \
  X(10, "fstpt (%rdi)")                  \
  X(1, "stosb")                          \
  X(8, "rep stosq")

#define LABEL(size, text) \
  "1: " text "\n\t.pushsection operands, \"aw\", @progbits\n\t.quad 1b, " #size "\n\t.popsection\n\t"
__asm__(".pushsection .text\n\t" INSTRUCTIONS(LABEL) ".popsection");
extern const uint64_t __start_operands[], __stop_operands[];

static void sizes_are_those_of_the_assembler(void **state) {
  (void)state;
#define NAME(size, text) text,
  static const char *const names[] = {INSTRUCTIONS(NAME)};
  const uint64_t *at = __start_operands;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++, at += 2) {
    assert_true(at < __stop_operands);
    eo_operand operand = eo__operand_of((const void *)(uintptr_t)at[0]);
    if (operand.size != at[1]) fail_msg("%s: %zu bytes", names[i], operand.size);
    assert_false(operand.copies);
  }
}

static void copies_are_known(void **state) {
  (void)state;
  static const unsigned char movsb[16] = {0xf3, 0xa4}, movsq[16] = {0xf3, 0x48, 0xa5}; /* as long as they can be */
  assert_true(eo__operand_of(movsb).copies && eo__operand_of(movsb).size == 1);
  assert_true(eo__operand_of(movsq).copies && eo__operand_of(movsq).size == 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_are_those_of_the_assembler),
                                     cmocka_unit_test(copies_are_known)};
  return cmocka_run_group_tests_name("operand", tests, NULL, NULL);
}

#else

int main(void) { return 0; }

#endif
