/* jump_return.h: for functions that return on the other side of a fiber switch from where they were called. The
 * processor's own stack of return addresses then predicts wrongly, each time; with this mark a function returns by an
 * indirect jump, which is predicted by history. That makes a step about a quarter cheaper. gcc on x86-64 only; the jump
 * itself is in fiber/switch_x86_64.S. */
#ifndef EO_BASE_JUMP_RETURN_H
#define EO_BASE_JUMP_RETURN_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CET__)
#define EO_JUMP_RETURN __attribute__((function_return("thunk-extern")))
#else
#define EO_JUMP_RETURN
#endif

#endif
