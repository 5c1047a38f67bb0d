/* outside_new.c: operators new and delete of C++. They call malloc and free, which are ours, but for those of a sanitizer, which
 * has memory of its own. With one in the program, what a process allocates by them comes from its heap nevertheless: else such memory
 * would be neither watched nor restored. This works where the program's malloc is ours as well: if the sanitizer's comes first,
 * its operators do too, and what they allocate is a doubt (went_by in interpose.c).
 *
 * A program that needs nothing else of the C++ library is linked without it, as ours are there. Then they call malloc and free. */
#include "base/binding.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/interpose.h"
#include "subjects/actor/outside.h"

typedef void nothing(void);

/* The operator that ours stands in for; NULL: there is none. */
static nothing *real(uintptr_t *next, const char *name) {
  enum { NONE = 1 };
  uintptr_t found = __atomic_load_n(next, __ATOMIC_RELAXED);
  if (!found) {
    found = eo__bound_next(name);
    if (!found) found = NONE;
    __atomic_store_n(next, found, __ATOMIC_RELAXED);
  }
  return found == NONE ? NULL : (nothing *)found;
}

#define FIND(function)          \
  EO_OWN static uintptr_t next; \
  __typeof__(&function) found = (__typeof__(&function))real(&next, #function)

void _ZSt17__throw_bad_allocv(void);

static void fail(void) {
  FIND(_ZSt17__throw_bad_allocv);
  if (found) found();
  abort();
}

/* The process that is given memory of its own. */
static eo_process *owner(void) {
  eo_process *process = eo__outside_caller();
  return process && eo__actor->sanitized ? process : NULL;
}

/* In C their names are those of the linker. Weak: a sanitizer may be linked in statically, with operators of its own. */
#define OPERATOR EO_PASSES_ON __attribute__((weak))
#define NEW(function, parameters, arguments, align, failing)                           \
  void *function parameters;                                                           \
  OPERATOR void *function parameters {                                                 \
    FIND(function);                                                                    \
    eo_process *process = owner();                                                     \
    if (found && !process) return found arguments;                                     \
    void *block = process ? eo__heap_alloc(process, size ? size : 1, align, EO_CALLER) \
                          : eo__interpose_allocate(align, size ? size : 1, EO_CALLER); \
    if (!block) failing;                                                               \
    return block;                                                                      \
  }

#define THROWS fail()
#define GIVES_NULL (void)nothrow
#define SIZE (size_t size), (size)
#define SIZE_QUIETLY (size_t size, const void *nothrow), (size, nothrow)
#define SIZE_ALIGN (size_t size, size_t align), (size, align)
#define SIZE_ALIGN_QUIETLY (size_t size, size_t align, const void *nothrow), (size, align, nothrow)
#define MAKE(...) NEW(__VA_ARGS__)

MAKE(_Znwm, SIZE, 16, THROWS)
MAKE(_Znam, SIZE, 16, THROWS)
MAKE(_ZnwmRKSt9nothrow_t, SIZE_QUIETLY, 16, GIVES_NULL)
MAKE(_ZnamRKSt9nothrow_t, SIZE_QUIETLY, 16, GIVES_NULL)
MAKE(_ZnwmSt11align_val_t, SIZE_ALIGN, align, THROWS)
MAKE(_ZnamSt11align_val_t, SIZE_ALIGN, align, THROWS)
MAKE(_ZnwmSt11align_val_tRKSt9nothrow_t, SIZE_ALIGN_QUIETLY, align, GIVES_NULL)
MAKE(_ZnamSt11align_val_tRKSt9nothrow_t, SIZE_ALIGN_QUIETLY, align, GIVES_NULL)

/* Of a process: whatever allocated it. What was freed before is judged by free. */
static bool frees(void *block, const void *caller) {
  if (!eo__actor || eo__capture_slot_of(block) == EO_SLOTS) return false;
  if (!eo__heap_free(block, caller)) free(block);
  return true;
}

#define DELETE(function, parameters, arguments)    \
  void function parameters;                        \
  OPERATOR void function parameters {              \
    FIND(function);                                \
    if (!block || frees(block, EO_CALLER)) return; \
    if (found)                                     \
      found arguments;                             \
    else                                           \
      free(block);                                 \
  }

DELETE(_ZdlPv, (void *block), (block))
DELETE(_ZdaPv, (void *block), (block))
DELETE(_ZdlPvm, (void *block, size_t a), (block, a))
DELETE(_ZdaPvm, (void *block, size_t a), (block, a))
DELETE(_ZdlPvRKSt9nothrow_t, (void *block, const void *a), (block, a))
DELETE(_ZdaPvRKSt9nothrow_t, (void *block, const void *a), (block, a))
DELETE(_ZdlPvSt11align_val_t, (void *block, size_t a), (block, a))
DELETE(_ZdaPvSt11align_val_t, (void *block, size_t a), (block, a))
DELETE(_ZdlPvmSt11align_val_t, (void *block, size_t a, size_t b), (block, a, b))
DELETE(_ZdaPvmSt11align_val_t, (void *block, size_t a, size_t b), (block, a, b))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t a, const void *b), (block, a, b))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *block, size_t a, const void *b), (block, a, b))
