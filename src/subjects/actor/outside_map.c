/* outside_map.c: memory that the program maps, and libraries that it loads.
 *
 * Before the exploration a mapping is remembered (base/map.h): segments.c captures it like the program's variables. In a process
 * memory without a file is a block of its heap, which goes back with the execution like the rest of it. A mapping of a file
 * goes at the next reset; if it can be written, nobody knows what it told the next execution, or another process, which leaves a
 * doubt (eo__capture_stray). */
#undef _FILE_OFFSET_BITS /* it makes one name of mmap and mmap64, and both are defined here */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/shm.h>
#include <unistd.h>

#include "base/early.h"
#include "base/map.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/interpose.h"
#include "subjects/actor/outside_inside.h"
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
                     "mmap with MAP_FIXED replaces memory that may be in use and cannot be restored");
  bool plain = flags & MAP_ANONYMOUS && protection != PROT_NONE && !(protection & PROT_EXEC);
  if (!plain) return map_file(at, size, protection, flags, file, offset);
  if (!size) return fails(EINVAL);
  void *block = eo__heap_alloc(process, size, EO_PAGE, NULL);
  return block ? block : fails(ENOMEM);
}

static void *map(void *at, size_t size, int protection, int flags, int file, off_t offset, const void *caller) {
  eo_process *process = eo__outside_caller();
  if (process && !eo__interpose_is_libc((uintptr_t)caller)) {
    if (file >= 0) eo__files_mapped(file);
    return map_in_process(process, at, size, protection, flags, file, offset, caller);
  }
  void *got = eo__map(at, size, protection, flags, file, offset);
  if (got != MAP_FAILED && !process && eo__interpose_early(caller)) {
    eo__mapped(got, size);
    if (file >= 0) eo__files_mapped(file);
  }
  return got;
}

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  return map(at, size, protection, flags, file, offset, EO_CALLER);
}

void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset) {
  return map(at, size, protection, flags, file, offset, EO_CALLER);
}

/* Has a process mapped it in this execution? */
static bool is_own(const char *at) {
  for (size_t i = 0; i < file_count; i++)
    if (at >= files[i].at && at < files[i].at + files[i].size) return true;
  return file_count == MOST;
}

static void must_be_own(const char *function, const void *at, const void *caller) {
  if (eo__outside_caller() && !is_own(at) && !eo__interpose_is_libc((uintptr_t)caller))
    eo__outside_fail(EO_KIND_OUTSIDE, caller,
                     "%s unmaps memory that no process has mapped, and that cannot be restored", function);
}

int munmap(void *at, size_t size) {
  if (eo__outside_caller() && is_heap(at)) {
    if (eo__heap_is_block(at)) eo__heap_free(at, EO_CALLER);
    return 0;
  }
  must_be_own("munmap", at, EO_CALLER);
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
  must_be_own("mremap", at, EO_CALLER);
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
    eo__outside_fail(EO_KIND_OUTSIDE, EO_CALLER, "mprotect changes the protection of memory that cannot be restored");
  if (eo__outside_caller() && !captured && protection & PROT_WRITE) eo__capture_stray(eo__actor->capture);
  return captured ? 0 : eo__protect(at, size, protection);
}

/* What is thrown away is zero afterwards, or as in the file: what the tool knows of the page is then wrong. */
int madvise(void *at, size_t size, int advice) {
  bool throws = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
  if (eo__outside_caller() && throws && is_heap(at)) {
    memset(at, 0, size);
    return 0;
  }
  if (eo__outside_caller() && throws && eo__page_find(eo__actor->capture, at))
    eo__outside_fail(EO_KIND_OUTSIDE, EO_CALLER, "madvise discards memory that cannot be restored");
  return (int)eo__system_call(SYS_madvise, at, size, advice, 0, 0, 0);
}

/* ---- Other ways to memory ------------------------------------------------------------------------------------------- */

/* Shared with other programs, and not captured. */
void *shmat(int segment, const void *at, int flags) {
  void *got = EO_REAL(shmat)(segment, at, flags);
  struct shmid_ds about;
  if (got == MAP_FAILED || flags & SHM_RDONLY) return got;
  if (eo__outside_caller())
    eo__capture_stray(eo__actor->capture);
  else if (shmctl(segment, IPC_STAT, &about) == 0)
    eo__mapped(got, about.shm_segsz);
  return got;
}

/* In memory that all who know its name share. */
sem_t *sem_open(const char *name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  unsigned value = flags & O_CREAT ? va_arg(more, unsigned) : 0;
  va_end(more);
  sem_t *got = EO_REAL(sem_open)(name, flags, mode, value);
  if (got == SEM_FAILED) return got;
  if (eo__outside_caller())
    eo__capture_stray(eo__actor->capture);
  else
    eo__mapped((char *)((uintptr_t)got & ~(uintptr_t)(EO_PAGE - 1)), EO_PAGE);
  return got;
}

/* The break of the program is apart from the C library's, in a range of its own: what is below it before the exploration is captured.
 * What a process takes is not. */
enum { BREAK_MOST = 1 << 30 };
EO_OWN static char *lowest, *break_now;

static char *move_break(char *to) {
  if (!lowest) {
    char *got = eo__map(NULL, BREAK_MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return NULL;
    lowest = break_now = got;
  }
  if (!to) return break_now;
  if (to < lowest || to > lowest + BREAK_MOST) return NULL;
  if (eo__outside_caller())
    eo__capture_stray(eo__actor->capture);
  else
    eo__mapped(lowest, (size_t)(to - lowest));
  if (to < break_now) memset(to, 0, (size_t)(break_now - to));
  return break_now = to;
}

void *sbrk(intptr_t more) {
  char *before = move_break(NULL);
  if (before && (!more || move_break(before + more))) return before;
  errno = ENOMEM;
  return (void *)-1;
}

int brk(void *to) {
  if (move_break(NULL) && move_break(to)) return 0;
  errno = ENOMEM;
  return -1;
}

/* ---- System calls past these functions ------------------------------------------------------------------------------------ *
 * What a system library maps for itself (a sanitizer, the loader, malloc) is its own affair. */

static bool is_programs(const eo_call *call) {
  uintptr_t raw = (uintptr_t)EO_REAL(syscall);
  return !eo__segments_is_systems_code(call->pc) || call->pc - raw < 64;
}

static bool is_captured(const eo_call *call) {
  return eo__page_find(eo__actor->capture, (const void *)call->arguments[0]) != NULL;
}

/* Takes captured memory away, or changes how it can be used. */
static long lasts(const eo_call *call, const char *name, bool strays) {
  bool own = is_programs(call);
  if (own && is_captured(call)) eo__call_refuse(call, name, "changes memory in a way that cannot be restored");
  if (own && strays) eo__capture_stray(eo__actor->capture);
  eo__actor->changed |= EO_CHANGED_NOTED;
  return eo__call_pass(call);
}

long eo__call_maps(const eo_call *call, const char *name) {
  bool fixed = (call->arguments[3] & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0;
  bool writes = (call->arguments[2] & PROT_WRITE) != 0;
  eo_call elsewhere = *call;
  if (!fixed) elsewhere.arguments[0] = 0; /* a wish */
  return lasts(&elsewhere, name, writes);
}

long eo__call_unmaps(const eo_call *call, const char *name) { return lasts(call, name, call->number == SYS_mremap); }

long eo__call_protects(const eo_call *call, const char *name) {
  return lasts(call, name, (call->arguments[2] & PROT_WRITE) != 0);
}

long eo__call_advises(const eo_call *call, const char *name) {
  int advice = (int)call->arguments[2];
  bool throws = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
  return throws ? lasts(call, name, false) : eo__call_pass(call);
}

long eo__call_moves_break(const eo_call *call, const char *name) {
  (void)name;
  if (call->arguments[0] && is_programs(call)) eo__capture_stray(eo__actor->capture);
  return eo__call_pass(call);
}

/* ---- Loading ------------------------------------------------------------------------------------------------------ */

/* The variables of a library that a process loads are nobody's: they stay as they are from execution to execution. */
void *dlopen(const char *path, int mode) {
  void *handle = EO_REAL(dlopen)(path, mode);
  if (handle && eo__outside_caller() && eo__segments_missing(eo__actor->capture)) eo__capture_stray(eo__actor->capture);
  return handle;
}
