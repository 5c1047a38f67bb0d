/* outside_time.c: clocks, sleeping and the number of a process. All clocks show eo_now, which is the process's own virtual time, from
 * a fixed instant on; so they stand still while a process computes. To sleep is the operation eo_sleep. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "subjects/actor/outside.h"
#include "subjects/actor/processes.h"

#define EPOCH 1704067200 /* 2024-01-01 00:00:00 UTC */

/* ---- Clocks --------------------------------------------------------------------------------------------------------- */

static bool is_wall_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
         clock == CLOCK_TAI;
}

/* CPU time: what has passed in the process is all its own. */
static bool is_cpu_clock(clockid_t clock) {
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

static struct timespec time_on(const eo_process *process, clockid_t clock) {
  time_t start = is_wall_clock(clock) ? EPOCH : is_cpu_clock(clock) ? 0 : EO_OUTSIDE_BOOTED;
  return (struct timespec){start + (time_t)(process->now / 1000), (long)(process->now % 1000) * 1000000};
}

struct timespec eo__outside_clock(const eo_process *process, int clock) {
  return time_on(process, clock);
}

int clock_gettime(clockid_t clock, struct timespec *out) {
  const eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(clock_gettime)(clock, out);
  *out = time_on(process, clock);
  return 0;
}

time_t time(time_t *out) {
  const eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(time)(out);
  time_t now = time_on(process, CLOCK_REALTIME).tv_sec;
  if (out) *out = now;
  return now;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  const eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(gettimeofday)(out, zone);
  struct timespec now = time_on(process, CLOCK_REALTIME);
  *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
  return 0;
}

int timespec_get(struct timespec *out, int base) {
  const eo_process *process = eo__outside_caller();
  if (!process || base != TIME_UTC) return EO_REAL(timespec_get)(out, base);
  *out = time_on(process, CLOCK_REALTIME);
  return base;
}

int ftime(struct timeb *out) {
  const eo_process *process = eo__outside_caller();
  struct timespec now;
  if (process)
    now = time_on(process, CLOCK_REALTIME);
  else
    EO_REAL(clock_gettime)(CLOCK_REALTIME, &now);
  *out = (struct timeb){.time = now.tv_sec, .millitm = (unsigned short)(now.tv_nsec / 1000000)};
  return 0;
}

clock_t clock(void) {
  const eo_process *process = eo__outside_caller();
  return process ? (clock_t)(process->now * (CLOCKS_PER_SEC / 1000)) : EO_REAL(clock)();
}

clock_t times(struct tms *out) {
  const eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(times)(out);
  clock_t ticks = (clock_t)(process->now * (uint64_t)sysconf(_SC_CLK_TCK) / 1000);
  if (out) *out = (struct tms){.tms_utime = ticks};
  return ticks + EO_OUTSIDE_BOOTED;
}

int getrusage(__rusage_who_t who, struct rusage *out) {
  const eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(getrusage)(who, out);
  struct timespec now = time_on(process, CLOCK_PROCESS_CPUTIME_ID);
  *out = (struct rusage){.ru_utime = {now.tv_sec, now.tv_nsec / 1000}};
  return 0;
}

int sched_getcpu(void) { return eo__outside_caller() ? 0 : EO_REAL(sched_getcpu)(); }

/* ---- Sleeping ------------------------------------------------------------------------------------------------------- */

/* The operation, at the place of the call. Parts of a millisecond are rounded up; no time at all is no step. */
static void pass(uint64_t milliseconds, const void *caller) {
  if (milliseconds == 0) return;
  eo_op op = {.kind = EO_OP_SLEEP,
              .timeout = milliseconds > INT32_MAX ? INT32_MAX : (int64_t)milliseconds,
              .context = (void *)(uintptr_t)caller};
  eo__actor_runtime.perform(&op);
}

static bool is_time(const struct timespec *time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

static uint64_t milliseconds(const struct timespec *time) {
  return (uint64_t)time->tv_sec * 1000 + ((uint64_t)time->tv_nsec + 999999) / 1000000;
}

/* An errno, or 0. */
static int sleep_for(const struct timespec *time, struct timespec *left, const void *caller) {
  if (!is_time(time)) return EINVAL;
  pass(milliseconds(time), caller);
  if (left) *left = (struct timespec){0, 0};
  return 0;
}

unsigned sleep(unsigned seconds) {
  if (!eo__outside_caller()) return EO_REAL(sleep)(seconds);
  pass((uint64_t)seconds * 1000, EO_CALLER);
  return 0;
}

int usleep(useconds_t microseconds) {
  if (!eo__outside_caller()) return EO_REAL(usleep)(microseconds);
  pass(((uint64_t)microseconds + 999) / 1000, EO_CALLER);
  return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
  if (!eo__outside_caller()) return EO_REAL(nanosleep)(time, left);
  int code = sleep_for(time, left, EO_CALLER);
  if (code) errno = code;
  return code ? -1 : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  const eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(clock_nanosleep)(clock, flags, time, left);
  if (!(flags & TIMER_ABSTIME)) return sleep_for(time, left, EO_CALLER);
  if (!is_time(time)) return EINVAL;
  struct timespec now = time_on(process, clock);
  uint64_t until = milliseconds(time), since = milliseconds(&now);
  pass(until > since ? until - since : 0, EO_CALLER);
  return 0;
}

int thrd_sleep(const struct timespec *time, struct timespec *left) {
  if (!eo__outside_caller()) return EO_REAL(thrd_sleep)(time, left);
  return sleep_for(time, left, EO_CALLER) ? -2 : 0;
}

/* Between two operations nobody else can run: yielding changes nothing. */
int sched_yield(void) { return eo__outside_caller() ? 0 : EO_REAL(sched_yield)(); }

void thrd_yield(void) {
  if (!eo__outside_caller()) EO_REAL(thrd_yield)();
}

/* ---- Who it is --------------------------------------------------------------------------------------------------------- */

pid_t getpid(void) { return eo__outside_caller() ? EO_OUTSIDE_PID : EO_REAL(getpid)(); }
pid_t gettid(void) { return eo__outside_caller() ? EO_OUTSIDE_PID : EO_REAL(gettid)(); }
pid_t getpgrp(void) { return eo__outside_caller() ? EO_OUTSIDE_PID : EO_REAL(getpgrp)(); }
pid_t getppid(void) { return eo__outside_caller() ? 1 : EO_REAL(getppid)(); }

static bool is_self(pid_t pid) { return pid == 0 || pid == EO_OUTSIDE_PID; }

pid_t getpgid(pid_t pid) { return eo__outside_caller() && is_self(pid) ? EO_OUTSIDE_PID : EO_REAL(getpgid)(pid); }
pid_t getsid(pid_t pid) { return eo__outside_caller() && is_self(pid) ? EO_OUTSIDE_PID : EO_REAL(getsid)(pid); }

int kill(pid_t pid, int signal_number) {
  return eo__outside_caller() && pid == EO_OUTSIDE_PID ? raise(signal_number) : EO_REAL(kill)(pid, signal_number);
}

/* ---- Waiting for descriptors ------------------------------------------------------------------------------------------
 *
 * With none it is a sleep. With some, what is ready is told; nobody but the outside could make others ready, so that to
 * wait for them is refused. */

__attribute__((noreturn)) static void waits(const char *function, const void *caller) {
  eo__outside_fail(EO_KIND_OUTSIDE, caller,
                   "%s waits for something outside the test, whose order Everyorder cannot control", function);
}

static bool any_file(const struct pollfd *files, nfds_t count) {
  for (nfds_t i = 0; i < count; i++)
    if (files[i].fd >= 0) return true;
  return false;
}

/* time NULL: for ever. */
static int poll_files(const char *function, struct pollfd *files, nfds_t count, const struct timespec *time,
                      const void *caller) {
  if (time && !is_time(time)) {
    errno = EINVAL;
    return -1;
  }
  int ready = EO_REAL(poll)(files, count, 0);
  if (ready || (time && milliseconds(time) == 0)) return ready;
  if (!time || any_file(files, count)) waits(function, caller);
  pass(milliseconds(time), caller);
  return 0;
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
  if (!eo__outside_caller()) return EO_REAL(poll)(files, count, timeout);
  struct timespec time = {timeout / 1000, timeout % 1000 * 1000000L};
  return poll_files("poll", files, count, timeout < 0 ? NULL : &time, EO_CALLER);
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *mask) {
  if (!eo__outside_caller()) return EO_REAL(ppoll)(files, count, time, mask);
  return poll_files("ppoll", files, count, time, EO_CALLER);
}

static bool any_in(int count, const fd_set *set) {
  for (int i = 0; set && i < count; i++)
    if (FD_ISSET(i, set)) return true;
  return false;
}

static int select_files(const char *function, int count, fd_set *sets[3], const struct timespec *time,
                        const void *caller) {
  if (time && !is_time(time)) {
    errno = EINVAL;
    return -1;
  }
  bool any = any_in(count, sets[0]) || any_in(count, sets[1]) || any_in(count, sets[2]);
  struct timeval none = {0, 0};
  int ready = any ? EO_REAL(select)(count, sets[0], sets[1], sets[2], &none) : 0;
  if (ready || (time && milliseconds(time) == 0)) return ready;
  if (any || !time) waits(function, caller);
  pass(milliseconds(time), caller);
  return 0;
}

int select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict other,
           struct timeval *restrict timeout) {
  if (!eo__outside_caller()) return EO_REAL(select)(count, read, write, other, timeout);
  struct timespec time = {0, 0};
  if (timeout) time = (struct timespec){timeout->tv_sec, timeout->tv_usec * 1000};
  return select_files("select", count, (fd_set *[]){read, write, other}, timeout ? &time : NULL, EO_CALLER);
}

int pselect(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict other,
            const struct timespec *restrict time, const sigset_t *restrict mask) {
  if (!eo__outside_caller()) return EO_REAL(pselect)(count, read, write, other, time, mask);
  return select_files("pselect", count, (fd_set *[]){read, write, other}, time, EO_CALLER);
}
