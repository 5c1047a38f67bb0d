/* outside.c: what the files outside_*.c have in common: finding the C library's own functions, failing with the name of
 * a call, what the C library keeps for a process, and the last calls before a step that went otherwise when it was run
 * again. */
#include "subjects/actor/outside.h"
#include "subjects/actor/control.h"
#include "subjects/actor/faults.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/processes.h"

#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/binding.h"
#include "base/controlled.h"
#include "core/os_process.h"

/* The functions of <fenv.h> are in a library of their own, which a program that calls ours need not have asked for. */
void *eo__outside_next(void **next, const char *function) {
  void *found = (void *)eo__bound_next(function);
  if (!found) {
    void *mathematics = dlopen("libm.so.6", RTLD_LAZY);
    if (mathematics) found = dlsym(mathematics, function);
  }
  EO_CHECK(found);
  __atomic_store_n(next, found, __ATOMIC_RELAXED);
  return found;
}

extern const char __start_eo_passes_on[] __attribute__((visibility("hidden")));
extern const char __stop_eo_passes_on[] __attribute__((visibility("hidden")));

bool eo__outside_passes_on(uintptr_t pc) {
  return pc - (uintptr_t)__start_eo_passes_on < (uintptr_t)(__stop_eo_passes_on - __start_eo_passes_on);
}

void eo__outside_fail(eo_kind kind, const void *caller, const char *format, ...) {
  eo_actor *actor = eo__actor;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  eo__actor_fail(actor, kind, actor->running, NULL, "%s", text);
  eo__faults_called(actor, caller);
  eo__actor_leave(actor);
  __builtin_trap();
}

eo_kept *eo__outside_kept(eo_process *process, const void *caller) {
  if (process->probing)
    eo__outside_fail(EO_KIND_MISUSE, caller, "a predicate must only look, and not draw random numbers or tokens");
  eo_kept *kept = eo__heap_library(process, sizeof *kept);
  if (!kept) eo__outside_fail(EO_KIND_OUTSIDE, caller, "the process has no memory left for the state of the C library");
  return kept;
}

/* ---- The last calls ----------------------------------------------------------------------------------------------- */

enum { LAST = 6, DEEP = 12, PATH = 64 };

typedef struct noted {
  char call[32];
  char path[PATH];
  uintptr_t frames[DEEP]; /* outwards from the call */
  uint32_t frame_count;
} noted;

EO_OWN static struct {
  uint32_t count; /* of this execution */
  noted ring[LAST];
} last;

void eo__outside_forget(void) { last.count = 0; }

void eo__outside_note(const char *call, const char *path, const uintptr_t *frames, uint32_t frame_count) {
  noted *at = &last.ring[last.count++ % LAST];
  snprintf(at->call, sizeof at->call, "%s", call);
  snprintf(at->path, sizeof at->path, "%s", path ? path : "");
  at->frame_count = frame_count < DEEP ? frame_count : DEEP;
  memcpy(at->frames, frames, at->frame_count * sizeof *frames);
}

bool eo__actor_outside(eo_subject *subject, eo_text *out) {
  eo_actor *actor = eo__actor_of(subject);
  uint32_t count = last.count < LAST ? last.count : LAST;
  for (uint32_t i = 0; i < count; i++) {
    const noted *at = &last.ring[(last.count - count + i) % LAST];
    eo_source source;
    eo__text_add(out, "%s%s", i ? ", " : "", at->call);
    if (*at->path) eo__text_add(out, " \"%s\"", at->path);
    if (eo__faults_source(actor, at->frames, at->frame_count, &source)) {
      const char *slash = strrchr(source.file, '/');
      eo__text_add(out, " at %s:%d", slash ? slash + 1 : source.file, source.line);
    }
  }
  return count > 0;
}

/* ---- Opening, closing, going back ----------------------------------------------------------------------------------- */

int eo__outside_open(eo_actor *actor, eo_error *error) {
  (void)error;
  eo__outside_forget();
  actor->changed = 0;
  /* valgrind runs no handlers for calls that a filter traps: the program would be killed by the first one. */
  actor->unwatched = actor->options.confined && (!EO_CONTROLLED || eo__under_valgrind() || !eo__trap_open());
  eo__outside_state_open();
  eo__control_open(actor);
  eo__streams_open();
  eo__files_open();
  eo__locks_open();
  return EO_OK;
}

void eo__outside_close(eo_actor *actor) {
  eo__outside_reset(actor);
  eo__outside_state_close();
}

void eo__outside_back(eo_actor *actor) {
  uint32_t changed = actor->changed;
  if (!EO_CONTROLLED) return;
  actor->changed = 0;
  eo__outside_forget();
  eo__streams_back(changed);
  eo__files_back();
  if (changed & EO_CHANGED_MAPS) eo__maps_forget();
  if (changed & EO_CHANGED_OPTIONS) eo__library_back();
  if (changed & EO_CHANGED_FILES) eo__call_forget_files();
  if (changed &
      ~(uint32_t)(EO_CHANGED_NOTED | EO_CHANGED_FILES | EO_CHANGED_MAPS | EO_CHANGED_OPTIONS | EO_CHANGED_ROUNDING))
    eo__outside_state_back(changed);
}
