/* interpose.c: memory of a process: malloc and its kind. Other functions of the C library that everyorder stands in for are
 * in outside_*.c.
 *
 * These definitions take the place of the C library's in the whole program. Outside a process they do what the C
 * library does. Inside one, memory comes from the process's arena, unless the C library itself asks: what it keeps for
 * itself (a stream's buffer, a time zone) must outlive the execution. strdup and its kind ask on the caller's behalf,
 * so they are here as well.
 *
 * A function that is to be added here is simply defined, under the name that it stands in for. scripts/seal makes every
 * such name weak, so that a definition of the program's own comes first, and lets the tool's own calls come here in any
 * case. What a function here calls of the C library (`vsnprintf`) is never the program's. To call the very function that
 * it stands in for, it needs another name for it (`__libc_malloc`) or eo__bound_next. */
#include <dlfcn.h>
#include <errno.h>
#include <front.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/binding.h"
#include "base/early.h"
#include "subjects/actor/faults.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/interpose.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/processes.h"

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* With a sanitizer in the program, its allocator is the one behind ours: its own strdup and the like use it. */
extern void *__interceptor_malloc(size_t) __attribute__((weak));
extern void *__interceptor_calloc(size_t, size_t) __attribute__((weak));
extern void *__interceptor_realloc(void *, size_t) __attribute__((weak));
extern void *__interceptor_memalign(size_t, size_t) __attribute__((weak));
extern void __interceptor_free(void *) __attribute__((weak));

#define REAL(function) (__interceptor_##function ? __interceptor_##function : __libc_##function)

char *__strdup(const char *text);
char *__strndup(const char *text, size_t size);
int __vasprintf_chk(char **out, int flag, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));
int __asprintf_chk(char **out, int flag, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

/* The code of the C library, and of the loader, which allocates on behalf of dlopen. */
EO_OWN static const char *libc_low, *libc_high, *loader_low, *loader_high;

/* The malloc that the program calls, if it is not ours: its own, or in a program with a sanitizer that is linked with our
 * shared library, the sanitizer's. What strdup and the like return must then come from there. */
EO_OWN static void *(*others_malloc)(size_t);
EO_OWN static bool
    foreign; /* it is a library's of the system, which does not tell of what it gives, as a sanitizer does */

extern int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                                     void (*)(const volatile void *)) __attribute__((weak));

/* A sanitizer's operator new does not come to us; what does, and is passed on to the sanitizer, is no news. */
static _Thread_local uintptr_t passing;
EO_OWN_THREAD(passing);

static void *passed(void *block) {
  passing = false;
  return block;
}

#define PASS(call) (passing = true, passed(call))

static void went_by(const volatile void *block, size_t size) {
  eo_actor *actor = eo__actor;
  (void)block;
  (void)size;
  if (!actor || !actor->running || actor->handling || passing) return;
  actor->uncaptured = true;
  if (actor->live.count > 1) eo__watch_share(actor->watch); /* what they do with it goes unseen */
}

static void freed(const volatile void *block) { (void)block; }

void eo__interpose_libc(const char *low, const char *high) {
  uintptr_t first = (uintptr_t)dlsym(RTLD_DEFAULT, "malloc");
  Dl_info here, there;
  if (__sanitizer_install_malloc_and_free_hooks && !libc_low) __sanitizer_install_malloc_and_free_hooks(went_by, freed);
  libc_low = low;
  libc_high = high;
  /* A program that we are linked into statically can have a malloc of its own in the same object as ours. */
  bool ours = first == (uintptr_t)malloc && dladdr(&libc_low, &here) && dladdr((void *)first, &there) &&
              here.dli_fbase == there.dli_fbase;
  others_malloc = ours ? NULL : (void *(*)(size_t))first;
  foreign = others_malloc && !__sanitizer_install_malloc_and_free_hooks && eo__faults_is_system(first);
}

bool eo__interpose_foreign(void) { return foreign; }

void eo__interpose_loader(const char *low, const char *high) {
  loader_low = low;
  loader_high = high;
}

bool eo__interpose_is_libc(uintptr_t pc) {
  const char *at = (const char *)pc;
  return (at >= libc_low && at < libc_high) || (at >= loader_low && at < loader_high);
}

/* As lent of eo_process, where no process runs. */
EO_OWN static const void *lent_outside;

const void **eo__interpose_lent(void) {
  eo_process *process = eo__outside_caller();
  return process ? &process->lent : &lent_outside;
}

static inline bool is_libc(const void *caller) {
  return (const char *)caller >= libc_low && (const char *)caller < libc_high;
}

/* The process whose memory this is about; NULL: the C library shall do it. */
static inline eo_process *owner(const void *caller) {
  eo_actor *actor = eo__actor;
  if (__builtin_expect(!actor || !actor->running || actor->handling, 0)) return NULL;
  if (is_libc(caller)) return actor->running->lent ? actor->running : NULL;
  if (__builtin_expect((const char *)caller >= loader_low && (const char *)caller < loader_high, 0)) return NULL;
  return actor->running;
}

/* Where no actor is open, as in the process that contains the worker, the system may use these addresses for its own. */
static inline bool in_arena(const void *block) { return eo__capture_slot_of(block) != EO_SLOTS && eo__actor; }

/* By the first call of a constructor's that allocates, or by our own: those of shared libraries may come before it. */
__attribute__((constructor(102))) static void begin(void) {
  EO_OWN static bool begun;
  if (begun) return;
  eo__bind();
  if (!eo__bound()) return;
  begun = true;
  eo__early_begin();
}

bool eo__interpose_early(const void *caller) {
  begin();
  return eo__early_is_for(caller);
}

/* Outside a process: what the program prepares, or the C library's. */
static void *early(size_t size, size_t align, const void *caller) {
  if (__interceptor_malloc) return NULL;
  begin();
  if (__builtin_expect(lent_outside != NULL, 0) && !eo__early_is_for(caller)) caller = lent_outside;
  return eo__early_alloc(size, align, caller);
}

static void *allocate(eo_process *process, size_t size, size_t align, const void *caller) {
  void *block = eo__heap_alloc(process, size, align, caller);
  if (!block) errno = ENOMEM;
  return block;
}

/* A block that is not one: double free, or a pointer into the middle. */
static void bad_block(const char *function, const void *block) {
  eo_actor *actor = eo__actor;
  if (!actor || !actor->running) abort();
  eo__actor_fail(actor, EO_KIND_MISUSE, actor->running, NULL, "%s: %p is not an allocated block (freed twice?)",
                 function, block);
  eo__faults_called(actor, CALLER);
  eo__actor_leave(actor);
}

void *malloc(size_t size) {
  eo_process *process = owner(CALLER);
  if (process) return allocate(process, size, 16, CALLER);
  void *block = early(size, 16, CALLER);
  return block ? block : PASS(REAL(malloc)(size));
}

void *calloc(size_t count, size_t size) {
  eo_process *process = owner(CALLER);
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  void *block = process ? NULL : early(total, 16, CALLER);
  if (block) return block;
  if (!process) return PASS(REAL(calloc)(count, size));
  return allocate(process, total, 16, CALLER); /* an arena's memory is zero */
}

void free(void *block) {
  if (!block) return;
  if (eo__is_early(block)) {
    if (!eo__early_free(block)) bad_block("free", block);
    return;
  }
  if (!in_arena(block)) {
    REAL(free)(block);
    return;
  }
  if (!eo__heap_free(block, CALLER)) bad_block("free", block);
}

/* A block from before the exploration, by another one. */
static void *replace_early(eo_process *process, void *block, size_t size, const void *caller) {
  size_t had;
  if (!eo__early_size(block, &had)) bad_block("realloc", block);
  void *moved = process ? allocate(process, size, 16, caller) : early(size, 16, caller);
  if (!moved && !process) moved = PASS(REAL(malloc)(size));
  if (!moved) return NULL;
  memcpy(moved, block, had < size ? had : size);
  eo__early_free(block);
  return moved;
}

static void *resize(void *block, size_t size, const void *caller) {
  eo_process *process = owner(caller);
  void *fresh = block || process ? NULL : early(size, 16, caller);
  if (fresh) return fresh;
  if (block && size && eo__is_early(block)) return replace_early(process, block, size, caller);
  if (block && eo__is_early(block)) {
    free(block);
    return NULL;
  }
  if (block ? !in_arena(block) : !process) return PASS(REAL(realloc)(block, size));
  if (!block) return allocate(process, size, 16, caller);
  if (size == 0) {
    free(block);
    return NULL;
  }
  if (!process) process = eo__actor ? eo__actor->running : NULL;
  if (!process || !eo__heap_is_block(block)) bad_block("realloc", block);
  void *moved = eo__heap_resize(process, block, size, caller);
  if (!moved) errno = ENOMEM;
  return moved;
}

void *realloc(void *block, size_t size) { return resize(block, size, CALLER); }

void *reallocarray(void *block, size_t count, size_t size) {
  size_t total;
  if (!__builtin_mul_overflow(count, size, &total)) return resize(block, total, CALLER);
  errno = ENOMEM;
  return NULL;
}

static void *allocate_aligned(size_t align, size_t size, const void *caller) {
  eo_process *process = owner(caller);
  if (process) return allocate(process, size, align, caller);
  void *block = early(size, align, caller);
  return block ? block : PASS(REAL(memalign)(align, size));
}

void *eo__interpose_allocate(size_t align, size_t size, const void *caller) {
  return allocate_aligned(align, size, caller);
}

void *memalign(size_t align, size_t size) { return allocate_aligned(align, size, CALLER); }

void *aligned_alloc(size_t align, size_t size) { return allocate_aligned(align, size, CALLER); }

void *valloc(size_t size) { return allocate_aligned(EO_PAGE, size, CALLER); }

void *pvalloc(size_t size) { return allocate_aligned(EO_PAGE, (size + EO_PAGE - 1) & ~(size_t)(EO_PAGE - 1), CALLER); }

int posix_memalign(void **block, size_t align, size_t size) {
  eo_process *process = owner(CALLER);
  if (align % sizeof(void *) || align & (align - 1) || align == 0) return EINVAL;
  void *got = process ? eo__heap_alloc(process, size, align, CALLER) : early(size, align, CALLER);
  if (!got && !process) got = PASS(REAL(memalign)(align, size));
  if (!got) return ENOMEM;
  *block = got;
  return 0;
}

static char *allocate_text(size_t size, const void *caller) {
  if (others_malloc && !eo__bound_apart(caller)) return others_malloc(size);
  eo_process *process = owner(caller);
  if (process) return allocate(process, size, 16, caller);
  char *block = early(size, 16, caller);
  return block ? block : PASS(REAL(malloc)(size));
}

static char *duplicate(const char *text, size_t length, const void *caller) {
  char *copy = allocate_text(length + 1, caller);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *strdup(const char *text) { return duplicate(text, strlen(text), CALLER); }

char *strndup(const char *text, size_t size) { return duplicate(text, strnlen(text, size), CALLER); }

/* By these names, older headers and _FORTIFY_SOURCE call the same. */
char *__strdup(const char *text) { return duplicate(text, strlen(text), CALLER); }
char *__strndup(const char *text, size_t size) { return duplicate(text, strnlen(text, size), CALLER); }

static int print_new(char **out, const char *format, va_list arguments, const void *caller) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return -1;
  char *text = allocate_text((size_t)length + 1, caller);
  *out = text;
  return text ? vsnprintf(text, (size_t)length + 1, format, arguments) : -1;
}

int vasprintf(char **out, const char *format, va_list arguments) { return print_new(out, format, arguments, CALLER); }

int asprintf(char **out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = print_new(out, format, arguments, CALLER);
  va_end(arguments);
  return length;
}

int __vasprintf_chk(char **out, int flag, const char *format, va_list arguments) {
  (void)flag;
  return print_new(out, format, arguments, CALLER);
}

int __asprintf_chk(char **out, int flag, const char *format, ...) {
  va_list arguments;
  (void)flag;
  va_start(arguments, format);
  int length = print_new(out, format, arguments, CALLER);
  va_end(arguments);
  return length;
}

size_t eo_block_left(const void *address) {
  const char *start;
  const void *caller;
  size_t size;
  eo_process *process = eo__outside_caller();
  if (!process || eo__capture_slot_of(address) != process->slot) return SIZE_MAX;
  return eo__heap_block(process, address, &start, &size, &caller) ? size - (size_t)((const char *)address - start)
                                                                  : SIZE_MAX;
}
