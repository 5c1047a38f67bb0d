/* map.h: mappings of memory. The tool's own are made by eo__map and eo__protect, so that they are never taken for the
 * program's: mmap and its kind are functions that we stand in for (subjects/actor/outside_map.c).
 *
 * What the program maps before anything is explored is remembered here, so that it can be captured like its variables. */
#ifndef EO_BASE_MAP_H
#define EO_BASE_MAP_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>

/* A system call without the C library, whose `syscall` may not be bound yet when a constructor maps memory: before that, the name is
 * perhaps the program's. -1, and errno, if it fails. */
static inline long eo__system_call(long number, const void *a, size_t b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
#else
  register long x8 __asm__("x8") = number;
  register long result __asm__("x0") = (long)a;
  register long x1 __asm__("x1") = (long)b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0" : "+r"(result) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
#endif
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

static inline void *eo__map(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  return (void *)eo__system_call(SYS_mmap, at, size, protection, flags, file, (long)offset);
}

static inline int eo__protect(void *at, size_t size, int protection) {
  return (int)eo__system_call(SYS_mprotect, at, size, protection, 0, 0, 0);
}

/* The program has mapped, or unmapped, these bytes. */
void eo__mapped(char *from, size_t size);
void eo__unmapped(char *from, size_t size);
bool eo__is_mapped(const void *address); /* is it in one of these? */

/* A part of that which can be written now. */
typedef struct eo_mapping {
  char *from, *to;
  int protection;
  bool shared; /* with other OS processes, or a file */
} eo_mapping;

/* Calls `found` for each, in the order of addresses; false: there may be others, which could not be remembered or read. */
bool eo__mappings(void (*found)(void *context, const eo_mapping *mapping), void *context);

#endif
