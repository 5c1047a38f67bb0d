/* outside_start.c: functions of the C library that start threads and programs, which are findings. The system calls behind
 * them are refused anyhow (outside_calls.c), but there the stack cannot be followed back to who called, and fork has
 * taken locks by then that nobody would give back. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "subjects/actor/outside.h"

static void refuse(const char *function, const char *what, const void *caller) {
  if (!eo__outside_caller()) return;
  eo__outside_fail(EO_KIND_OUTSIDE, caller, "%s starts %s, whose order Everyorder cannot control: use eo_spawn",
                   function, what);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*function)(void *),
                   void *restrict argument) {
  refuse("pthread_create", "a thread", EO_CALLER);
  return EO_REAL(pthread_create)(thread, attributes, function, argument);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
  refuse("thrd_create", "a thread", EO_CALLER);
  return EO_REAL(thrd_create)(thread, function, argument);
}

int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
                const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                char *const environment[restrict]) {
  refuse("posix_spawn", "another program", EO_CALLER);
  return EO_REAL(posix_spawn)(pid, path, actions, attributes, arguments, environment);
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  refuse("posix_spawnp", "another program", EO_CALLER);
  return EO_REAL(posix_spawnp)(pid, file, actions, attributes, arguments, environment);
}

int system(const char *command) {
  refuse("system", "another program", EO_CALLER);
  return EO_REAL(system)(command);
}

FILE *popen(const char *command, const char *mode) {
  refuse("popen", "another program", EO_CALLER);
  return EO_REAL(popen)(command, mode);
}

int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
  refuse("clone", "a thread or another program", EO_CALLER);
  va_list more;
  va_start(more, argument);
  pid_t *parent = va_arg(more, pid_t *);
  void *tls = va_arg(more, void *);
  pid_t *child = va_arg(more, pid_t *);
  va_end(more);
  return EO_REAL(clone)(function, stack, flags, argument, parent, tls, child);
}

pid_t fork(void) {
  refuse("fork", "another program", EO_CALLER);
  return EO_REAL(fork)();
}

int daemon(int stay, int keep) {
  refuse("daemon", "another program", EO_CALLER);
  return EO_REAL(daemon)(stay, keep);
}

/* The C library starts threads of its own for these. */
#define BY_A_THREAD(function, declared, passed)                               \
  int function declared;                                                      \
  int function declared {                                                     \
    refuse(#function, "a thread that works beside all processes", EO_CALLER); \
    return EO_REAL(function) passed;                                          \
  }

struct aiocb;
struct gaicb;
BY_A_THREAD(aio_read, (struct aiocb * wish), (wish))
BY_A_THREAD(aio_read64, (struct aiocb * wish), (wish))
BY_A_THREAD(aio_write, (struct aiocb * wish), (wish))
BY_A_THREAD(aio_write64, (struct aiocb * wish), (wish))
BY_A_THREAD(aio_fsync, (int how, struct aiocb *wish), (how, wish))
BY_A_THREAD(lio_listio, (int mode, struct aiocb *const wishes[], int count, struct sigevent *then),
            (mode, wishes, count, then))
BY_A_THREAD(lio_listio64, (int mode, struct aiocb *const wishes[], int count, struct sigevent *then),
            (mode, wishes, count, then))
BY_A_THREAD(getaddrinfo_a, (int mode, struct gaicb *wishes[], int count, struct sigevent *then),
            (mode, wishes, count, then))
BY_A_THREAD(mq_notify, (int queue, const struct sigevent *then), (queue, then))

int timer_create(clockid_t clock, struct sigevent *restrict then, timer_t *restrict timer) {
  if (then && then->sigev_notify == SIGEV_THREAD) refuse("timer_create", "a thread", EO_CALLER);
  return EO_REAL(timer_create)(clock, then, timer);
}

struct termios;
struct winsize;
int forkpty(int *file, char *name, const struct termios *terminal, const struct winsize *window);
int forkpty(int *file, char *name, const struct termios *terminal, const struct winsize *window) {
  refuse("forkpty", "another program", EO_CALLER);
  return EO_REAL(forkpty)(file, name, terminal, window);
}
