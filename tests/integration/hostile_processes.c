/* hostile_processes.c: processes and threads in all ways, and all ways to end: for hostile.sh. */
#define _GNU_SOURCE
#include "hostile_act.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

/* ---- fork ------------------------------------------------------------------------------------------------------- */

/* Waits for a long time, but not for ever, should a test leave it behind. */
static void wait_long(void) {
  for (int i = 0; i < 60; i++) syscall(SYS_select, 0, NULL, NULL, NULL, &(struct timeval){.tv_sec = 1});
  syscall(SYS_exit_group, 0);
}

HOSTILE(fork_child_exits) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
}
HOSTILE(fork_child_goes_on) {
  if (fork() == 0) wait_long();
}
HOSTILE(fork_child_returns) { (void)!fork(); }
HOSTILE(vfork_exits) {
  const pid_t child = vfork();
  if (child == 0) syscall(SYS_exit_group, 0);
  waitpid(child, NULL, 0);
}
HOSTILE(vfork_execs) {
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/sleep", "sleep", "60", (char *)NULL);
    syscall(SYS_exit_group, 0);
  }
}
HOSTILE(fork_execs) {
  if (fork() == 0) {
    execl("/bin/sleep", "sleep", "60", (char *)NULL);
    syscall(SYS_exit_group, 0);
  }
}
HOSTILE(double_fork_daemon) {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) wait_long();
    syscall(SYS_exit_group, 0);
  }
  waitpid(child, NULL, 0);
}
HOSTILE(libc_daemon) { (void)!daemon(0, 0); }
HOSTILE(fork_bomb) {
  for (int i = 0; i < 6; i++)
    if (fork() == 0) {
      for (int j = 0; j < 3; j++)
        if (fork() == 0) wait_long();
      wait_long();
    }
}
static pid_t raw_fork(void) { return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL); }
HOSTILE(raw_clone_goes_on) {
  if (raw_fork() == 0) wait_long();
}
HOSTILE(raw_clone_returns) { (void)raw_fork(); }
HOSTILE(raw_clone_daemon) {
  const pid_t child = raw_fork();
  if (child == 0) {
    setsid();
    if (raw_fork() == 0) wait_long();
    syscall(SYS_exit_group, 0);
  }
  waitpid(child, NULL, 0);
}
HOSTILE(raw_clone_loops) {
  if (raw_fork() == 0)
    for (;;) {}
}
HOSTILE(spawns_program) {
  pid_t child;
  char *arguments[] = {(char *)"sleep", (char *)"60", NULL};
  (void)posix_spawn(&child, "/bin/sleep", NULL, NULL, arguments, environ);
}
HOSTILE(calls_system) { (void)!system("true"); }
HOSTILE(system_in_background) { (void)!system("sleep 60 &"); }
HOSTILE(calls_popen) {
  FILE *pipe = popen("echo", "r");
  if (pipe) pclose(pipe);
}
HOSTILE(waits_for_nobody) { eo_assert(waitpid(-1, NULL, 0) < 0, "somebody is there"); }

/* ---- exec ------------------------------------------------------------------------------------------------------- */

HOSTILE(exec_sleeps) { execl("/bin/sleep", "sleep", "60", (char *)NULL); }
HOSTILE(exec_ends) { execl("/bin/true", "true", (char *)NULL); }
HOSTILE(exec_path) { execlp("sleep", "sleep", "60", (char *)NULL); }
HOSTILE(exec_itself) { execl("/proc/self/exe", "again", "list", (char *)NULL); }
HOSTILE(exec_missing) { execl("/nowhere/at/all", "all", (char *)NULL); }
HOSTILE(raw_exec) {
  char *arguments[] = {(char *)"sleep", (char *)"60", NULL};
  syscall(SYS_execve, "/bin/sleep", arguments, environ);
}

/* ---- Threads ---------------------------------------------------------------------------------------------------- */

static void *nothing(void *argument) { return argument; }
static void *go_on(void *argument) {
  for (;;) sched_yield();
  return argument;
}
static void *send_something(void *argument) {
  eo_send(1, 1, NULL, 0);
  return argument;
}
static int nothing_c11(void *argument) { return argument != NULL; }

HOSTILE(thread_joined) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, nothing, NULL) == 0) pthread_join(thread, NULL);
}
HOSTILE(thread_goes_on) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, go_on, NULL) == 0) pthread_detach(thread);
}
HOSTILE(thread_takes_part) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, send_something, NULL) == 0) pthread_join(thread, NULL);
}
HOSTILE(thread_c11) {
  thrd_t thread;
  if (thrd_create(&thread, nothing_c11, NULL) == thrd_success) thrd_join(thread, NULL);
}
HOSTILE(pthread_exits) { pthread_exit(NULL); }
HOSTILE(thrd_exits) { thrd_exit(0); }
HOSTILE(raw_thread_exit) { syscall(SYS_exit, 0); }
EO_TEST(pthread_exits_at_once) { pthread_exit(NULL); }
HOSTILE(cancels_itself) {
  pthread_cancel(pthread_self());
  pthread_testcancel();
}

/* ---- Waiting for what never comes ------------------------------------------------------------------------------- */

HOSTILE(mutex_twice) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
}
HOSTILE(condition_for_ever) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  for (;;) pthread_cond_wait(&condition, &mutex);
}
HOSTILE(semaphore_for_ever) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  while (sem_wait(&semaphore) != 0) {}
}
HOSTILE(futex_for_ever) {
  int word = 0;
  for (;;) syscall(SYS_futex, &word, 0, 0, NULL, NULL, 0);
}
HOSTILE(sleeps_raw) {
  for (;;) syscall(SYS_nanosleep, &(struct timespec){.tv_sec = 60}, NULL);
}

/* ---- Ending ----------------------------------------------------------------------------------------------------- */

static void loop_at_exit(void) {
  for (;;) {}
}

HOSTILE(calls_exit) { exit(0); }
HOSTILE(calls__exit) { _exit(0); }
HOSTILE(calls__Exit) { _Exit(4); }
HOSTILE(calls_quick_exit) { quick_exit(0); }
HOSTILE(raw_exit_group) { syscall(SYS_exit_group, 3); }
HOSTILE(atexit_loops) { atexit(loop_at_exit); }
HOSTILE(calls_abort) { abort(); }
HOSTILE(fails_assertion) { assert(getppid() == 0); }
