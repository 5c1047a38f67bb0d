/* map.c: see map.h. */
#include "base/map.h"

#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"

/* ---- System calls --------------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden eo__call_system\n"
    ".globl eo__call_system\n"
    ".type eo__call_system, @function\n"
    "eo__call_system:\n"
    "  mov %rdi, %rax\n"
    "  mov %rsi, %rdi\n"
    "  mov %rdx, %rsi\n"
    "  mov %rcx, %rdx\n"
    "  mov %r8, %r10\n"
    "  mov %r9, %r8\n"
    "  mov 8(%rsp), %r9\n"
    "  syscall\n"
    ".hidden eo__call_system_made\n"
    ".globl eo__call_system_made\n"
    "eo__call_system_made:\n"
    "  ret\n"
    ".size eo__call_system, . - eo__call_system\n");
#else
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden eo__call_system\n"
    ".globl eo__call_system\n"
    ".type eo__call_system, %function\n"
    "eo__call_system:\n"
    "  mov x8, x0\n"
    "  mov x0, x1\n"
    "  mov x1, x2\n"
    "  mov x2, x3\n"
    "  mov x3, x4\n"
    "  mov x4, x5\n"
    "  mov x5, x6\n"
    "  svc #0\n"
    ".hidden eo__call_system_made\n"
    ".globl eo__call_system_made\n"
    "eo__call_system_made:\n"
    "  ret\n"
    ".size eo__call_system, . - eo__call_system\n");
#endif

/* ---- What the program has mapped --------------------------------------------------------------------------------------- */

enum { MOST = 256, PAGE = 4096 };

typedef struct range {
  char *from, *to;
} range;

EO_OWN static struct {
  range items[MOST];
  size_t count;
  bool overflowed;
  bool locked; /* atomic */
} maps;

static void lock(void) {
  while (__atomic_exchange_n(&maps.locked, true, __ATOMIC_ACQUIRE)) {}
}

static void unlock(void) { __atomic_store_n(&maps.locked, false, __ATOMIC_RELEASE); }

static char *page_down(char *at) { return (char *)((uintptr_t)at & ~(uintptr_t)(PAGE - 1)); }
static char *page_up(char *at) { return (char *)(((uintptr_t)at + PAGE - 1) & ~(uintptr_t)(PAGE - 1)); }

static void add(char *from, char *to) {
  if (from >= to) return;
  if (maps.count == MOST)
    maps.overflowed = true;
  else
    maps.items[maps.count++] = (range){from, to};
}

/* What is left of those that had a part in [from, to). */
static void cut(char *from, char *to) {
  for (size_t i = 0; i < maps.count;) {
    range old = maps.items[i];
    if (old.to <= from || to <= old.from) {
      i++;
      continue;
    }
    maps.items[i] = maps.items[--maps.count];
    add(old.from, from < old.to ? from : old.to);
    add(to > old.from ? to : old.from, old.to);
  }
}

void eo__mapped(char *from, size_t size) {
  lock();
  cut(from, page_up(from + size));
  add(from, page_up(from + size));
  unlock();
}

void eo__unmapped(char *from, size_t size) {
  if (!maps.count) return;
  lock();
  cut(from, page_up(from + size));
  unlock();
}

bool eo__is_mapped(const void *address) {
  for (size_t i = 0; i < maps.count; i++)
    if ((const char *)address >= maps.items[i].from && (const char *)address < maps.items[i].to) return true;
  return false;
}

/* ---- Stacks -------------------------------------------------------------------------------------------------------------- */

typedef struct stack {
  char *low, *top;
} stack;

EO_OWN static stack lent; /* the one in use */

bool eo__is_on_stack(const void *address) {
  return (const char *)address >= lent.low && (const char *)address < lent.top;
}

/* At the top of a thread's stack are its thread-local variables. */
static int leave_out_variables(struct dl_phdr_info *object, size_t size, void *found) {
  stack *own = found;
  char *variables = object->dlpi_tls_data;
  (void)size;
  if (variables >= own->low && variables < own->top) own->top = page_down(variables);
  return 0;
}

static stack own_stack(void) {
  pthread_attr_t attributes;
  void *low = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
  }
  stack own = {low, (char *)low + size};
  dl_iterate_phdr(leave_out_variables, &own);
  return own;
}

__attribute__((noinline)) static int call_apart(int (*function)(void *context), void *context) {
  char gap[2 * PAGE];
  __asm__ volatile("" : : "r"(gap) : "memory");
  int code = function(context);
  __asm__ volatile("" : : "r"(gap) : "memory"); /* the call is not the last thing: this frame stays */
  return code;
}

int eo__with_stack(char *frame, int (*function)(void *context), void *context) {
  stack own = own_stack();
  char *from = page_down(frame);
  bool known = frame >= own.low && frame < own.top;
  stack before = lent;
  if (known) {
    lent = (stack){from, own.top};
    eo__mapped(from, (size_t)(own.top - from));
  }
  int code = call_apart(function, context);
  if (known) eo__unmapped(from, (size_t)(own.top - from));
  lent = before;
  return code;
}

/* The kernel knows how much of it is there, and with which protection. */
bool eo__mappings(void (*found)(void *context, const eo_mapping *mapping), void *context) {
  if (!maps.count) return !maps.overflowed;
  FILE *file = fopen("/proc/self/maps", "re");
  char line[512], rights[5];
  unsigned long from, to;
  if (!file) return false;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) != 3 || rights[1] != 'w') continue;
    for (size_t i = 0; i < maps.count; i++) {
      char *low = maps.items[i].from > (char *)from ? maps.items[i].from : (char *)from;
      char *high = maps.items[i].to < (char *)to ? maps.items[i].to : (char *)to;
      int protection = PROT_WRITE | (rights[0] == 'r' ? PROT_READ : 0) | (rights[2] == 'x' ? PROT_EXEC : 0);
      if (low < high) found(context, &(eo_mapping){low, high, protection, rights[3] == 's'});
    }
  }
  fclose(file);
  return !maps.overflowed;
}
