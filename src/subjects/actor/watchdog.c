/* watchdog.c: notices a step that does not end.
 *
 * A thread looks every 50 ms whether the same process still runs the same step, and sends the exploring thread a signal
 * once that has been so for long enough. No signal comes before that: a timer's would break off the system calls of a
 * program that sleeps or waits. The thread touches nothing but the fields of eo_actor.watchdog, and takes no lock. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "subjects/actor/inside.h"

enum { TICK_MS = 50 };
#define NEVER (30.0 * 86400) /* seconds */

typedef struct watcher {
  eo_actor *actor;
  pthread_t explorer;
  pthread_t self;
  sem_t stop;
  bool started;
} watcher;

static _Thread_local watcher watching; /* of the exploring thread; thread-local: not among the captured globals */

/* True: told to stop. */
static bool wait_a_tick(sem_t *stop) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += TICK_MS * 1000000L;
  if (until.tv_nsec >= 1000000000L) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000L;
  }
  int code;
  while ((code = sem_timedwait(stop, &until)) != 0 && errno == EINTR) {}
  return code == 0;
}

static void *watch(void *argument) {
  watcher *w = argument;
  eo_actor *actor = w->actor;
  uint64_t before = 0;
  uint32_t ticks = 0;
  while (!wait_a_tick(&w->stop)) {
    uint64_t now = __atomic_load_n(actor->pulse, __ATOMIC_RELAXED);
    if (now != before || now % 2 == 0) {
      before = now;
      ticks = 0;
    } else if (++ticks >= actor->watchdog.limit) {
      ticks = 0;
      __atomic_store_n(&actor->watchdog.overdue, now, __ATOMIC_RELAXED);
      pthread_kill(w->explorer, EO_WATCHDOG_SIGNAL);
    }
  }
  return NULL;
}

static bool start(eo_actor *actor) {
  watcher *w = &watching;
  sigset_t all, before;
  memset(w, 0, sizeof *w);
  w->actor = actor;
  w->explorer = pthread_self();
  sem_init(&w->stop, 0, 0);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the exploring thread */
  w->started = pthread_create(&w->self, NULL, watch, w) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return w->started;
}

/* Threads end with a fork, and a copy of this process may have to go on where it was. */
static void start_in_child(void) {
  if (eo__actor && eo__actor->options.watchdog <= NEVER) start(eo__actor);
}

int eo__watchdog_open(eo_actor *actor, eo_error *error) {
  static _Thread_local bool forks_known;
  double ticks = actor->options.watchdog * 1000 / TICK_MS;
  actor->watchdog.limit = ticks < 2 ? 2 : ticks > 1e9 ? 1000000000u : (uint32_t)ticks;
  if (!forks_known) pthread_atfork(NULL, NULL, start_in_child);
  forks_known = true;
  if (actor->options.watchdog > NEVER) return EO_OK; /* somebody debugs it: no thread that is not the program's */
  if (!start(actor)) return eo_error_set(error, EO_ESYSTEM, "cannot start the watchdog's thread");
  return EO_OK;
}

void eo__watchdog_close(void) {
  if (!watching.started) return;
  sem_post(&watching.stop);
  pthread_join(watching.self, NULL);
  sem_destroy(&watching.stop);
  watching.started = false;
}
