/* outside_thread.c: what the program keeps for each thread. All processes run in one thread; in the program that is tested each
 * may be a thread of its own (eo_live_run). So each process has its own thread-local variables, which begin as those of a
 * new thread do. While the process does not run they lie on its heap, where they are saved, restored and hashed with it.
 * While it runs they lie where those of every other process do. So an address of one that another process gets to know means
 * something else there than in the program itself, and what becomes of it cannot be explored: eo__watch_mislead.
 *
 * The thread-local variables of the system's libraries are not among them, but for the exceptions that C++ code is handling.
 * Those are small, and follow from where the process's code stands: they are kept in eo_process. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <threads.h>

#include "base/alloc.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/pages.h"

enum { RANGES = 64 };

/* Bytes that the exploring thread has at `at`; in a new thread they are those at `image`, and zeros behind them. */
typedef struct range {
  char *at;
  size_t size;
  const char *image;
  size_t image_size;
} range;

EO_OWN static struct {
  range ranges[RANGES];
  uint32_t count;
  size_t size;      /* of all */
  uintptr_t low;    /* where the lowest begins */
  size_t span;      /* from there to the end of the highest */
  char *before;     /* what they held when the exploration began */
  uint64_t *caught; /* where C++ keeps the exceptions of this thread; NULL: there is no C++ */
  uint64_t caught_before[2];
  bool full;
} thread;

extern eo__own_thread *const __start_eo_threads[] __attribute__((weak, visibility("hidden")));
extern eo__own_thread *const __stop_eo_threads[] __attribute__((weak, visibility("hidden")));

static void add_range(char *from, char *to, const char *image, size_t image_size) {
  if (from >= to) return;
  if (thread.count == RANGES) {
    thread.full = true;
    return;
  }
  size_t size = (size_t)(to - from);
  thread.ranges[thread.count++] = (range){from, size, image, image_size < size ? image_size : size};
  thread.size += size;
}

/* Without the tool's own variables, which lie among them if it is linked statically. */
static void add_block(char *from, char *to, const char *image, size_t image_size) {
  for (eo__own_thread *const *own = __start_eo_threads; own < __stop_eo_threads; own++) {
    size_t size;
    char *hole = (*own)(&size);
    if (hole < from || hole >= to) continue;
    size_t behind = (size_t)(hole + size - from);
    add_block(from, hole, image, image_size);
    add_block(hole + size, to, image + behind, image_size > behind ? image_size - behind : 0);
    return;
  }
  add_range(from, to, image, image_size);
}

static void copy_out(char *to) {
  for (uint32_t i = 0; i < thread.count; i++) {
    memcpy(to, thread.ranges[i].at, thread.ranges[i].size);
    to += thread.ranges[i].size;
  }
}

static void copy_in(const char *from) {
  for (uint32_t i = 0; i < thread.count; i++) {
    memcpy(thread.ranges[i].at, from, thread.ranges[i].size);
    from += thread.ranges[i].size;
  }
}

static void find_span(void) {
  uintptr_t end = 0;
  thread.low = UINTPTR_MAX;
  for (uint32_t i = 0; i < thread.count; i++) {
    uintptr_t at = (uintptr_t)thread.ranges[i].at;
    if (at < thread.low) thread.low = at;
    if (at + thread.ranges[i].size > end) end = at + thread.ranges[i].size;
  }
  thread.span = thread.count ? end - thread.low : 0;
}

bool eo__thread_has(uintptr_t address) {
  if (address - thread.low >= thread.span) return false;
  for (uint32_t i = 0; i < thread.count; i++)
    if (address - (uintptr_t)thread.ranges[i].at < thread.ranges[i].size) return true;
  return false;
}

bool eo__thread_points(const char *bytes, size_t size) {
  for (size_t at = 0; thread.span && at + sizeof(uintptr_t) <= size; at++) {
    uintptr_t word;
    memcpy(&word, bytes + at, sizeof word);
    if (eo__thread_has(word)) return true;
  }
  return false;
}

/* Every process can know the address of a thread-local variable that a global holds from the beginning. */
static void look_through_globals(eo_actor *actor) {
  const eo_capture *capture = actor->capture;
  const eo__word *words = (const void *)capture->baseline;
  size_t count = thread.size ? capture->global_count * EO_PAGE / sizeof *words : 0;
  for (size_t i = 0; i < count; i++)
    if (eo__thread_has(words[i])) eo__watch_mislead(actor->watch);
}

int eo__thread_open(eo_actor *actor, eo_error *error) {
  enum { MOST = 8 << 20 };
  uintptr_t exceptions = (uintptr_t)dlsym(RTLD_DEFAULT, "__cxa_get_globals");
  memset(&thread, 0, sizeof thread);
  thread.caught = exceptions ? ((uint64_t * (*)(void)) exceptions)() : NULL;
  eo__segments_threads(add_block);
  if (thread.full || thread.size > MOST) {
    memset(&thread, 0, sizeof thread);
    return eo__error_set(error, EO_EINPUT,
                         "the program has thread-local variables of more than %d MiB or in more than %d libraries, and "
                         "each process has its own copy of them",
                         MOST >> 20, RANGES / 2);
  }
  actor->apart = actor->apart || thread.size || thread.caught;
  thread.before = thread.size ? eo__alloc(thread.size) : NULL;
  if (thread.size && !thread.before) return eo__error_nomem(error);
  copy_out(thread.before);
  if (thread.caught) memcpy(thread.caught_before, thread.caught, sizeof thread.caught_before);
  find_span();
  look_through_globals(actor);
  return EO_OK;
}

void eo__thread_close(void) {
  if (thread.before) copy_in(thread.before);
  if (thread.caught) memcpy(thread.caught, thread.caught_before, sizeof thread.caught_before);
  eo__free(thread.before);
  memset(&thread, 0, sizeof thread);
}

bool eo__thread_start(eo_process *process) {
  if (!thread.size) return true;
  char *to = process->thread = eo__heap_alloc(process, thread.size, 16, NULL);
  for (uint32_t i = 0; to && i < thread.count; i++) { /* what is allocated is zero */
    memcpy(to, thread.ranges[i].image, thread.ranges[i].image_size);
    to += thread.ranges[i].size;
  }
  return to != NULL;
}

void eo__thread_in(const eo_process *process) {
  eo__mask_in(process);
  if (process->thread) copy_in(process->thread);
  if (thread.caught) memcpy(thread.caught, process->caught, sizeof process->caught);
}

void eo__thread_out(eo_process *process) {
  if (process->thread) copy_out(process->thread);
  if (thread.caught) memcpy(process->caught, thread.caught, sizeof process->caught);
}

/* ---- Keys: a process begins with none of its own, like a thread ----------------------------------------------------------- */

typedef struct eo_specific {
  struct eo_specific *next;
  pthread_key_t key;
  const void *value;
} eo_specific;

/* A sanitizer finds by a key what it knows of the thread, of which there is one. Its keys are those below this one: they are
 * the first to be made, and the C library gives the lowest that is free. */
EO_OWN static pthread_key_t first_key;

__attribute__((constructor(102))) static void count_keys(void) {
  if (pthread_key_create(&first_key, NULL) == 0) pthread_key_delete(first_key);
}

/* The process that has a value of its own for this key; NULL: the thread has one. */
static eo_process *owner_of(pthread_key_t key) {
  eo_process *process = eo__outside_caller();
  return process && eo__actor->sanitized && key < first_key ? NULL : process;
}

static eo_specific *specific_of(const eo_kept *kept, pthread_key_t key) {
  eo_specific *one = kept ? kept->specific : NULL;
  while (one && one->key != key) one = one->next;
  return one;
}

static int give(eo_process *process, pthread_key_t key, const void *value, const void *caller) {
  eo_kept *kept = eo__outside_kept(process, caller);
  eo_specific *one = specific_of(kept, key);
  if (!one) {
    one = eo__heap_alloc(process, sizeof *one, 16, NULL);
    if (!one) return ENOMEM;
    one->key = key;
    one->next = kept->specific;
    kept->specific = one;
  }
  one->value = value;
  return 0;
}

static void *given(const eo_process *process, pthread_key_t key) {
  const eo_specific *one = specific_of(eo__heap_library_known(process), key);
  return one ? (void *)(uintptr_t)one->value : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  eo_process *process = owner_of(key);
  return process ? give(process, key, value, EO_CALLER) : EO_REAL(pthread_setspecific)(key, value);
}

void *pthread_getspecific(pthread_key_t key) {
  const eo_process *process = owner_of(key);
  return process ? given(process, key) : EO_REAL(pthread_getspecific)(key);
}

int tss_set(tss_t key, void *value) {
  eo_process *process = owner_of(key);
  if (!process) return EO_REAL(tss_set)(key, value);
  return give(process, key, value, EO_CALLER) ? thrd_nomem : thrd_success;
}

void *tss_get(tss_t key) {
  const eo_process *process = owner_of(key);
  return process ? given(process, key) : EO_REAL(tss_get)(key);
}
