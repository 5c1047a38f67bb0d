/* operand.h: how many bytes of memory an instruction reads or writes. A page fault tells where an access begins, and not
 * how long it is. */
#ifndef EO_ACTOR_OPERAND_H
#define EO_ACTOR_OPERAND_H

#include <stdbool.h>
#include <stddef.h>

typedef struct eo_operand {
  size_t size;
  bool copies; /* reads at %rsi and writes at %rdi: both may lie in one page, and only one of them faults */
} eo_operand;

/* Of the instruction at `code`. One that it does not know is taken to have operands of the common size. */
eo_operand eo__operand_of(const void *code);

#endif
