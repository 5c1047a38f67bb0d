/* watchdog.c: notices a step that does not end.
 *
 * A thread looks every 50 ms whether the same process still runs the same step, and sends the exploring thread a signal
 * once that has been so for long enough. No signal comes before that: a timer's would break off the system calls of a
 * program that sleeps or waits. The thread touches nothing but the fields of eo_actor.watchdog, and takes no lock.
 *
 * What counts is the time that the step has run or waited for something. Time in which the exploring thread could run and got
 * no processor does not count: on a busy machine a long step is not an endless one. Whether a thread that does not run could
 * run is known from a file, and no descriptor may come and go beside the program's own before a step takes half of its time.
 * Until then, such time counts. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "subjects/actor/faults.h"
#include "subjects/actor/inside.h"

enum { TICK_MS = 50, A_MOMENT = 4 /* ticks */, AGAIN_PART = 8 };
#define NEVER (30.0 * 86400) /* seconds */

typedef struct watcher {
  eo_actor *actor;
  pthread_t explorer;
  pid_t explorer_id; /* as the kernel has it */
  pthread_t self;
  sem_t stop;
  bool started;
} watcher;

EO_OWN static watcher watching;

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

static bool is_known(const eo_actor *actor) {
  const eo_process *running = __atomic_load_n(&actor->running, __ATOMIC_RELAXED);
  return running && running->number == actor->watchdog.process && actor->world.steps == actor->watchdog.step &&
         (actor->watchdog.again == 1 || actor->describing);
}

/* Ticks that what runs now may take. */
static uint32_t limit_now(const eo_actor *actor) {
  uint32_t limit = actor->watchdog.limit, part = limit;
  if (actor->options.hurry && *actor->options.hurry) part = A_MOMENT;
  if (is_known(actor)) part = limit / AGAIN_PART > A_MOMENT ? limit / AGAIN_PART : A_MOMENT;
  return part < limit ? part : limit;
}

/* Ticks that the exploring thread has run, since it began. */
static double ran(const watcher *w) {
  clockid_t clock;
  struct timespec used = {0};
  if (pthread_getcpuclockid(w->explorer, &clock) == 0) clock_gettime(clock, &used);
  return ((double)used.tv_sec * 1000 + (double)used.tv_nsec / 1e6) / TICK_MS;
}

/* Could the exploring thread run? False, too, if nobody knows. */
static bool is_runnable(const watcher *w) {
  char path[64], text[512] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)w->explorer_id);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  const char *name_end = got > 0 ? strrchr(text, ')') : NULL;
  return name_end && name_end[1] == ' ' && name_end[2] == 'R';
}

static void *watch(void *argument) {
  watcher *w = argument;
  eo_actor *actor = w->actor;
  uint64_t before = 0;
  double begun = 0, last = 0;   /* as `ran` says: when the step began, and at the last tick */
  uint32_t rest = 0, again = 0; /* ticks in which it hardly ran; what has been added to its time */
  bool looked = false;
  while (!wait_a_tick(&w->stop)) {
    uint64_t now = __atomic_load_n(actor->pulse, __ATOMIC_RELAXED);
    double at = ran(w);
    if (now != before || now % 2 == 0) {
      before = now;
      begun = last = at;
      rest = again = 0;
      looked = false;
      continue;
    }
    bool rests = at - last < 0.5;
    uint32_t limit = limit_now(actor) + again;
    last = at;
    rest += rests;
    if (rests && at - begun + rest >= limit / 2.0 && is_runnable(w)) {
      rest = looked ? rest - 1 : 0;
      looked = true;
    }
    if (at - begun + rest >= limit) {
      again += A_MOMENT;
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
  w->explorer_id = gettid();
  sem_init(&w->stop, 0, 0);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the exploring thread */
  w->started = pthread_create(&w->self, NULL, watch, w) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return w->started;
}

/* A child that the program has forked must not outlive the worker. */
static void end_with_parent(void) {
  if (eo__actor && eo__actor->options.pulse) prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int eo__watchdog_open(eo_actor *actor, eo_error *error) {
  EO_OWN static bool forks_known;
  double ticks = actor->options.watchdog * 1000 / TICK_MS;
  actor->watchdog.limit = ticks < 2 ? 2 : ticks > 1e9 ? 1000000000u : (uint32_t)ticks;
  if (!forks_known) pthread_atfork(NULL, NULL, end_with_parent);
  forks_known = true;
  if (actor->options.watchdog > NEVER) return EO_OK; /* somebody debugs it: no thread that is not the program's */
  if (!start(actor)) return eo__error_set(error, EO_ESYSTEM, "cannot start the watchdog's thread");
  return EO_OK;
}

void eo__watchdog_close(void) {
  if (!watching.started) return;
  sem_post(&watching.stop);
  pthread_join(watching.self, NULL);
  sem_destroy(&watching.stop);
  watching.started = false;
}
