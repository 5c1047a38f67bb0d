/* map.h: mappings of memory. The tool's own are made by eo__map, eo__remap and eo__protect, so that they are never taken for
 * the program's: mmap and its kind are functions that we stand in for (subjects/actor/outside_map.c).
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
 * perhaps the program's. Made by one instruction, just before eo__call_system_made, which a filter of system calls can know
 * (subjects/actor/outside_trap.c). -errno, if it fails. */
long eo__call_system(long number, long a, long b, long c, long d, long e, long f);
extern const char eo__call_system_made[];

/* The same; -1, and errno, if it fails. */
static inline long eo__system_call(long number, const void *a, size_t b, long c, long d, long e, long f) {
  long result = eo__call_system(number, (long)a, (long)b, c, d, e, f);
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

static inline void *eo__map(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  return (void *)eo__system_call(SYS_mmap, at, size, protection, flags, file, (long)offset);
}

static inline void *eo__remap(void *at, size_t size, size_t new_size, int flags) {
  return (void *)eo__system_call(SYS_mremap, at, size, (long)new_size, flags, 0, 0);
}

static inline int eo__protect(void *at, size_t size, int protection) {
  return (int)eo__system_call(SYS_mprotect, at, size, protection, 0, 0, 0);
}

/* The program has mapped, or unmapped, these bytes. */
void eo__mapped(char *from, size_t size);
void eo__unmapped(char *from, size_t size);
bool eo__is_mapped(const void *address);   /* is it in one of these? */
bool eo__is_on_stack(const void *address); /* in one that eo__with_stack has made known? */

/* Calls `function` with the frames of this thread's callers taken for a mapping of the program's: what they hold (the variables of a
 * main, or of a test that has called eo_explore; arguments and environment) can be known to whatever is explored. frame: of
 * the innermost of them. What `function` calls is on other pages. */
int eo__with_stack(char *frame, int (*function)(void *context), void *context);

/* A part of that which can be written now. */
typedef struct eo_mapping {
  char *from, *to;
  int protection;
  bool shared; /* with other OS processes, or a file */
} eo_mapping;

/* Calls `found` for each, in the order of addresses; false: there may be others, which could not be remembered or read. */
bool eo__mappings(void (*found)(void *context, const eo_mapping *mapping), void *context);

#endif
