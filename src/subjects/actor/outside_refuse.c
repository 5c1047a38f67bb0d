/* outside_refuse.c: what judges of system calls do about them: end the execution with the name of the function that the program
 * called, or note the call; and which descriptors processes have opened. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "subjects/actor/faults.h"
#include "subjects/actor/outside_inside.h"
#include "subjects/actor/processes.h"

enum { FRAMES = 24 };

/* As programs spell it: the C library has other names for the same function, and an address does not tell which it was. */
static const char *spelled(const char *name, char *out, size_t size) {
  while (*name == '_') name++;
  if (strcmp(name, "gsignal") == 0) name = "raise";
  snprintf(out, size, "%s", name);
  size_t length = strlen(out);
  if (length > 2 && strcmp(out + length - 2, "64") == 0) out[length - 2] = '\0';
  return out;
}

/* What the program called: the outermost frame of the C library, and behind it the program's own. NULL: it is not known. */
static const char *function_of(const uintptr_t *frames, uint32_t count, char *out, size_t size) {
  const char *name = NULL;
  for (uint32_t i = 0; i < count; i++) {
    Dl_info info;
    if (!dladdr((void *)frames[i], &info) || !info.dli_fname) break;
    if (strncmp(info.dli_fname, "/lib", 4) != 0 && strncmp(info.dli_fname, "/usr/lib", 8) != 0) break;
    if (info.dli_sname && strncmp(info.dli_sname, "_Z", 2) != 0) name = info.dli_sname; /* not those of C++ */
  }
  return name ? spelled(name, out, size) : NULL;
}

void eo__call_refuse(const eo_call *call, const char *name, const char *why) {
  eo_actor *actor = eo__actor;
  actor->handling = true;
  uintptr_t frames[FRAMES];
  uint32_t count = eo__faults_frames(call->pc, frames, FRAMES);
  char text[64];
  const char *function = function_of(frames, count, text, sizeof text);
  if (function && strcmp(function, name) != 0 && strcmp(function, "syscall") != 0)
    eo__actor_fail(actor, EO_KIND_OUTSIDE, actor->running, NULL, "%s (system call %s) %s", function, name, why);
  else
    eo__actor_fail(actor, EO_KIND_OUTSIDE, actor->running, NULL, "%s %s", name, why);
  eo__call_end(call);
}

void eo__call_end(const eo_call *call) {
  eo_actor *actor = eo__actor;
  actor->handling = true;
  actor->failure.frames = eo__faults_frames(call->pc, actor->failure.stack, FRAMES);
  actor->handling = false;
  eo__locks_back();
  eo__faults_abandon(actor);
  eo__actor_leave(actor);
  __builtin_trap();
}

void eo__call_use(const eo_call *call, eo_library what, bool write) {
  if (eo__library_counts(what, write)) eo__library_use(what, write, (const void *)(eo__call_place(call) - 1));
}

void eo__call_note(const eo_call *call, const char *name, const char *path) {
  uintptr_t frames[FRAMES];
  eo__actor->handling = true;
  uint32_t count = eo__faults_frames(call->pc, frames, FRAMES);
  char text[64];
  const char *function = function_of(frames, count, text, sizeof text);
  eo__actor->handling = false;
  char copy[PATH_MAX];
  if (path) eo__call_text(call, path, copy, sizeof copy);
  if (path && *copy != '/') eo__call_use(call, EO_LIBRARY_FOLDER, false);
  eo__outside_note(function ? function : name, path ? copy : NULL, frames, count);
  eo__actor->changed |= EO_CHANGED_NOTED;
}

EO_OWN static unsigned char opened[EO_CALL_FILES / 8]; /* bits */

bool eo__call_opened(unsigned long file) { return file < EO_CALL_FILES && opened[file / 8] >> file % 8 & 1; }

void eo__call_mark(long file, bool on) {
  if (file < 0 || file >= EO_CALL_FILES) return;
  unsigned char bit = (unsigned char)(1u << file % 8);
  opened[file / 8] = (unsigned char)(on ? opened[file / 8] | bit : opened[file / 8] & ~bit);
  if (on) eo__actor->changed |= EO_CHANGED_FILES;
  if (on) eo__files_new((unsigned long)file);
}

void eo__call_forget_files(void) {
  for (unsigned i = 0; i < EO_CALL_FILES; i++)
    if (eo__call_opened(i)) eo__call_ask(SYS_close, i, 0, 0, 0);
  memset(opened, 0, sizeof opened);
}

bool eo__call_is_the_tools(unsigned long file) {
  struct stat about;
  if (eo__call_opened(file) || eo__call_is_standard(file)) return false;
  return eo__call_status(file, &about) != 0 || S_ISSOCK(about.st_mode) || file >= 200;
}
