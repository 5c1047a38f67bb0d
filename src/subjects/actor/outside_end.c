/* outside_end.c: a process that ends the whole program, or the thread in which all processes run: findings. What a process
 * registers for the program's end never runs, since no process can end the program: it is dropped. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

#include "subjects/actor/outside.h"
#include "subjects/actor/processes.h"

static bool inside_process(void) { return eo__actor && eo__actor->running; }

#define ENDS_WITH_STATUS(function)                                                                                  \
  void function(int status) {                                                                                       \
    if (inside_process()) eo__outside_fail(EO_KIND_EXIT, EO_CALLER, "the program calls %s(%d)", #function, status); \
    EO_REAL(function)(status);                                                                                      \
    __builtin_trap();                                                                                               \
  }

ENDS_WITH_STATUS(exit)
ENDS_WITH_STATUS(_exit)
ENDS_WITH_STATUS(_Exit)
ENDS_WITH_STATUS(quick_exit)

void abort(void) {
  if (inside_process()) eo__outside_fail(EO_KIND_CRASH, EO_CALLER, "abort() was called");
  signal(SIGABRT, SIG_DFL);
  raise(SIGABRT);
  __builtin_trap();
}

void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
  if (inside_process()) {
    eo_actor *actor = eo__actor;
    eo_place place = {file, function, (int)line, NULL};
    eo__actor_fail(actor, EO_KIND_ASSERTION, actor->running, &place, "%s is false", assertion);
    eo__actor_leave(actor);
  }
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "", assertion);
  abort();
}

/* ---- The thread ----------------------------------------------------------------------------------------------------- */

#define ENDS_THREAD "%s ends the thread in which all processes run: to end a process use eo_exit, or return"

void pthread_exit(void *result) {
  if (inside_process()) eo__outside_fail(EO_KIND_OUTSIDE, EO_CALLER, ENDS_THREAD, "pthread_exit");
  EO_REAL(pthread_exit)(result);
  __builtin_trap();
}

void thrd_exit(int result) {
  if (inside_process()) eo__outside_fail(EO_KIND_OUTSIDE, EO_CALLER, ENDS_THREAD, "thrd_exit");
  EO_REAL(thrd_exit)(result);
  __builtin_trap();
}

/* ---- At the end ----------------------------------------------------------------------------------------------------- */

/* Of atexit, and of C++ variables with a destructor, static and thread-local ones. */
int __cxa_atexit(void (*function)(void *), void *argument, void *object);
int __cxa_at_quick_exit(void (*function)(void *), void *object);
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *object);

int __cxa_atexit(void (*function)(void *), void *argument, void *object) {
  return inside_process() ? 0 : EO_REAL(__cxa_atexit)(function, argument, object);
}

int __cxa_at_quick_exit(void (*function)(void *), void *object) {
  return inside_process() ? 0 : EO_REAL(__cxa_at_quick_exit)(function, object);
}

int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *object) {
  return inside_process() ? 0 : EO_REAL(__cxa_thread_atexit_impl)(function, argument, object);
}

int on_exit(void (*function)(int, void *), void *argument) {
  return inside_process() ? 0 : EO_REAL(on_exit)(function, argument);
}
