/* outside_waits.c: system calls that may wait. One that would is a finding, since nothing that a process waits for is
 * explored. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>

#include "subjects/actor/outside_inside.h"

static long pass(const eo_call *call) { return eo__call_pass(call); }

static bool is_ready(unsigned long file, short events) {
  struct pollfd one = {(int)file, events, 0};
  struct timespec none = {0, 0};
  return eo__call_ask(SYS_ppoll, (unsigned long)(uintptr_t)&one, 1, (unsigned long)(uintptr_t)&none, 0) != 0;
}

/* One receive alone may say that it does not wait. */
static bool asks_not_to_wait(const eo_call *call) {
  int argument = call->number == SYS_recvfrom ? 3 : call->number == SYS_recvmsg ? 2 : 0;
  return argument && call->arguments[argument] & MSG_DONTWAIT;
}

static bool is_nonblocking(unsigned long file) {
  return (eo__call_ask(SYS_fcntl, file, F_GETFL, 0, 0) & O_NONBLOCK) != 0;
}

enum { MEMORY = 1, NULL_DEVICE = 3, ZERO_DEVICE = 5, FULL_DEVICE = 7, RANDOM_DEVICE = 8, URANDOM_DEVICE = 9 };

/* /dev/random and /dev/urandom give what getrandom gives. */
static long read_random(const eo_call *call) {
  const struct iovec *parts = (const struct iovec *)call->arguments[1];
  bool one = call->number == SYS_read || call->number == SYS_pread64;
  struct iovec whole = {(void *)call->arguments[1], call->arguments[2]};
  long sum = 0;
  for (unsigned long i = 0; i < (one ? 1 : call->arguments[2]); i++) {
    const struct iovec *part = one ? &whole : &parts[i];
    eo__outside_fill(eo__actor->running, (const void *)call->pc, part->iov_base, part->iov_len);
    sum += (long)part->iov_len;
  }
  return sum;
}

/* read, readv, pread, recv... */
long eo__call_reads(const eo_call *call, const char *name) {
  unsigned long file = call->arguments[0];
  struct stat about;
  if (eo__call_is_the_tools(file) || eo__call_status(file, &about) != 0) return -EBADF;
  bool memory = S_ISCHR(about.st_mode) && major(about.st_rdev) == MEMORY;
  unsigned device = memory ? minor(about.st_rdev) : 0;
  if (device == RANDOM_DEVICE || device == URANDOM_DEVICE) return read_random(call);
  bool replaced = eo__actor->changed & EO_CHANGED_STANDARD && S_ISREG(about.st_mode);
  if (file == 0 && !replaced) eo__call_refuse(call, name, "reads standard input, which a test does not have");
  if (device == NULL_DEVICE || device == ZERO_DEVICE || device == FULL_DEVICE) return pass(call);
  if (S_ISCHR(about.st_mode)) eo__actor->remains = true; /* what another device gives, nobody knows */
  if (!S_ISREG(about.st_mode) && !is_nonblocking(file) && !asks_not_to_wait(call) && !is_ready(file, POLLIN))
    eo__call_refuse(call, name, EO_CALL_WAITS);
  eo__call_note(call, name, NULL);
  return pass(call);
}

/* write, writev, send...: a pipe or an event counter that is full waits for a reader. What was open before the exploration may have
 * one outside, which takes its time; if it has none, the watchdog ends the wait. */
long eo__call_writes(const eo_call *call, const char *name) {
  unsigned long file = call->arguments[0];
  struct stat about;
  if (eo__call_is_the_tools(file)) return -EBADF;
  bool lasts = eo__call_status(file, &about) != 0 || S_ISREG(about.st_mode) || S_ISCHR(about.st_mode);
  bool sends = call->number == SYS_sendto || call->number == SYS_sendmsg;
  bool asks_not = sends && call->arguments[call->number == SYS_sendto ? 3 : 2] & MSG_DONTWAIT;
  if (!lasts && eo__call_opened(file) && !asks_not && !is_nonblocking(file) && !is_ready(file, POLLOUT))
    eo__call_refuse(call, name, EO_CALL_WAITS);
  return pass(call);
}

long eo__call_accepts(const eo_call *call, const char *name) {
  if (!is_nonblocking(call->arguments[0]) && !is_ready(call->arguments[0], POLLIN))
    eo__call_refuse(call, name, EO_CALL_WAITS);
  eo__call_note(call, name, NULL);
  long file = pass(call);
  eo__call_mark(file, true);
  return file;
}

long eo__call_connects(const eo_call *call, const char *name) {
  const struct sockaddr *to = (const void *)call->arguments[1];
  int type = 0;
  socklen_t size = sizeof type;
  getsockopt((int)call->arguments[0], SOL_SOCKET, SO_TYPE, &type, &size);
  if (to && to->sa_family != AF_UNIX && type == SOCK_STREAM) eo__call_refuse(call, name, EO_CALL_WAITS);
  eo__call_note(call, name, NULL);
  return pass(call);
}

/* A word of the program's memory that must still have this value for the call to wait. */
long eo__call_waits_on_word(const eo_call *call, const char *name) {
  static const char why[] =
      "waits, but no other process runs meanwhile: wait by eo_receive, and keep no lock over an operation";
  int what = (int)call->arguments[1] & FUTEX_CMD_MASK;
  const uint32_t *word = (const uint32_t *)call->arguments[0];
  if (what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET) {
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != (uint32_t)call->arguments[2]) return -EAGAIN;
    eo__call_refuse(call, name, why);
  }
  if (what == FUTEX_LOCK_PI || what == FUTEX_WAIT_REQUEUE_PI) eo__call_refuse(call, name, why);
  return pass(call);
}

/* With a pointer to a time, or milliseconds: may it wait? */
static bool is_no_time(const void *time) {
  const struct timespec *value = time; /* a timeval is two words as well */
  return value && value->tv_sec == 0 && value->tv_nsec == 0;
}

long eo__call_polls(const eo_call *call, const char *name) {
  bool at_once = false;
  switch (call->number) {
#ifdef SYS_poll
    case SYS_poll: at_once = (int)call->arguments[2] == 0; break;
#endif
#ifdef SYS_select
    case SYS_select: at_once = is_no_time((const void *)call->arguments[4]); break;
#endif
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait: at_once = (int)call->arguments[3] == 0; break;
    case SYS_ppoll: at_once = is_no_time((const void *)call->arguments[2]); break;
    case SYS_pselect6: at_once = is_no_time((const void *)call->arguments[4]); break;
    default: break;
  }
  if (!at_once) eo__call_refuse(call, name, EO_CALL_WAITS);
  return pass(call);
}

long eo__call_locks(const eo_call *call, const char *name) {
  if (call->number == SYS_fcntl && (call->arguments[1] == F_SETFD || call->arguments[1] == F_SETFL))
    eo__actor->changed |= eo__call_is_standard(call->arguments[0]) ? EO_CHANGED_STANDARD : EO_CHANGED_NOTED;
  eo_call once = *call;
  bool file_lock = call->number == SYS_flock;
  int command = (int)call->arguments[1];
  bool may_wait = file_lock ? !(command & LOCK_NB) : command == F_SETLKW || command == F_OFD_SETLKW;
  if (file_lock && may_wait) once.arguments[1] |= LOCK_NB;
  if (!file_lock && may_wait) once.arguments[1] = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
  long result = pass(&once);
  if (may_wait && (result == -EAGAIN || result == -EACCES)) eo__call_refuse(call, name, EO_CALL_WAITS);
  if (!file_lock && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) eo__call_mark(result, true);
  return result;
}

/* ioctl: ways to set the flags of a descriptor, and the modes of a terminal, which is everybody's. */
long eo__call_sets_device(const eo_call *call, const char *name) {
  if (eo__call_is_the_tools(call->arguments[0])) return -EBADF;
  switch (call->arguments[1]) {
    case FIONBIO:
    case FIOASYNC:
    case FIOCLEX:
    case FIONCLEX:
      eo__actor->changed |= eo__call_is_standard(call->arguments[0]) ? EO_CHANGED_STANDARD : EO_CHANGED_NOTED;
      break;
    case TCSETS:
    case TCSETSW:
    case TCSETSF:
    case TIOCSPGRP:
    case TIOCSCTTY:
    case TIOCNOTTY:
    case TIOCSWINSZ: eo__call_refuse(call, name, "changes state that cannot be restored");
    default: break;
  }
  return pass(call);
}

long eo__call_waits_for_signal(const eo_call *call, const char *name) {
  if (call->number == SYS_rt_sigtimedwait) {
    struct timespec none = {0, 0};
    eo_call once = *call;
    once.arguments[2] = (unsigned long)(uintptr_t)&none;
    long result = pass(&once);
    siginfo_t *about = (siginfo_t *)call->arguments[1];
    if (result > 0 && about && about->si_code <= 0) eo__outside_hide_number(&about->si_pid);
    if (result != -EAGAIN || is_no_time((const void *)call->arguments[2])) return result;
  }
  eo__call_refuse(call, name, EO_CALL_WAITS);
}
