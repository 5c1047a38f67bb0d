/* outside_map.c: memory that the program maps, and libraries that it loads.
 *
 * Before the exploration a mapping is remembered (base/map.h): segments.c captures it like the program's variables. In a process
 * memory without a file is a block of its heap, which goes back with the execution like the rest of it. A mapping of a file
 * goes at the next reset; if it can be written, nobody knows what it told the next execution, or another process, which leaves a
 * doubt (eo__capture_stray). */
#undef _FILE_OFFSET_BITS /* it makes one name of mmap and mmap64, and both are defined here */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/early.h"
#include "base/map.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/interpose.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/pages.h"

enum { MOST = 64 };

/* Mappings of files of this execution. */
EO_OWN static struct {
  char *at;
  size_t size;
} files[MOST];
EO_OWN static size_t file_count;

static bool is_heap(const void *address) { return eo__capture_slot_of(address) != EO_SLOTS; }

static void *fails(int error) {
  errno = error;
  return MAP_FAILED;
}

void eo__maps_forget(void) {
  for (; file_count; file_count--)
    eo__trap_pass(SYS_munmap,
                  (const unsigned long[6]){(unsigned long)files[file_count - 1].at, files[file_count - 1].size});
}

/* ---- Mapping ------------------------------------------------------------------------------------------------------ */

/* Or what has no memory yet (PROT_NONE), of which there may be much. */
static void *map_file(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  void *got = eo__map(at, size, protection, flags, file, offset);
  if (got == MAP_FAILED) return got;
  if (file_count < MOST) {
    files[file_count].at = got;
    files[file_count++].size = size;
    eo__actor->changed |= EO_CHANGED_MAPS;
  }
  if (protection & PROT_WRITE) eo__capture_stray(eo__actor->capture);
  return got;
}

static void *map_in_process(eo_process *process, void *at, size_t size, int protection, int flags, int file,
                            off_t offset, const void *caller) {
  if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
    eo__outside_fail(EO_KIND_OUTSIDE, caller,
                     "mmap with MAP_FIXED takes memory that may be in use, and cannot be put back");
  bool plain = flags & MAP_ANONYMOUS && protection != PROT_NONE && !(protection & PROT_EXEC);
  if (!plain) return map_file(at, size, protection, flags, file, offset);
  if (!size) return fails(EINVAL);
  void *block = eo__heap_alloc(process, size, EO_PAGE, NULL);
  return block ? block : fails(ENOMEM);
}

static void *map(void *at, size_t size, int protection, int flags, int file, off_t offset, const void *caller) {
  eo_process *process = eo__outside_caller();
  if (process && !eo__interpose_is_libc((uintptr_t)caller))
    return map_in_process(process, at, size, protection, flags, file, offset, caller);
  void *got = eo__map(at, size, protection, flags, file, offset);
  if (got != MAP_FAILED && !process && eo__interpose_early(caller)) eo__mapped(got, size);
  return got;
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  return map(at, size, protection, flags, file, offset, EO_CALLER);
}

void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset) {
  return map(at, size, protection, flags, file, offset, EO_CALLER);
}

int munmap(void *at, size_t size) {
  if (eo__outside_caller() && is_heap(at)) {
    if (eo__heap_is_block(at)) eo__heap_free(at, EO_CALLER);
    return 0;
  }
  if (!eo__outside_caller()) eo__unmapped(at, size);
  return (int)eo__system_call(SYS_munmap, at, size, 0, 0, 0, 0);
}

static void *move_block(eo_process *process, void *at, size_t old_size, size_t size, const void *caller) {
  if (!size || !eo__heap_is_block(at)) return fails(EINVAL);
  char *moved = eo__heap_alloc(process, size, EO_PAGE, NULL);
  if (!moved) return fails(ENOMEM);
  memcpy(moved, at, old_size < size ? old_size : size);
  eo__heap_free(at, caller);
  return moved;
}

void *mremap(void *at, size_t old_size, size_t size, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  void *wanted = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
  va_end(arguments);
  eo_process *process = eo__outside_caller();
  if (process && is_heap(at)) return move_block(process, at, old_size, size, EO_CALLER);
  void *got = (void *)eo__system_call(SYS_mremap, at, old_size, (long)size, flags, (long)wanted, 0);
  if (got != MAP_FAILED && process) eo__capture_stray(eo__actor->capture);
  if (got != MAP_FAILED && !process && eo__interpose_early(EO_CALLER)) {
    eo__unmapped(at, old_size);
    eo__mapped(got, size);
  }
  return got;
}

/* The protection of captured memory is the tool's. All of it can be read and written by the program. */
int mprotect(void *at, size_t size, int protection) {
  bool captured = eo__outside_caller() && eo__page_find(eo__actor->capture, at);
  if (captured && (protection & (PROT_READ | PROT_WRITE | PROT_EXEC)) != (PROT_READ | PROT_WRITE))
    eo__outside_fail(EO_KIND_OUTSIDE, EO_CALLER, "mprotect changes how memory can be used, which cannot be put back");
  if (eo__outside_caller() && !captured && protection & PROT_WRITE) eo__capture_stray(eo__actor->capture);
  return captured ? 0 : eo__protect(at, size, protection);
}

/* ---- Loading ------------------------------------------------------------------------------------------------------ */

/* The variables of a library that a process loads are nobody's: they stay as they are from execution to execution. */
void *dlopen(const char *path, int mode) {
  void *handle = EO_REAL(dlopen)(path, mode);
  if (handle && eo__outside_caller() && eo__segments_missing(eo__actor->capture)) eo__capture_stray(eo__actor->capture);
  return handle;
}
