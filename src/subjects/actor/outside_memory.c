/* outside_memory.c: what a system call reads and writes of the program's memory. The kernel meets pages that are closed or cold
 * (watch.h, capture.h) without a fault: the call would fail with EFAULT, and nobody would know who used the memory. So before
 * a call that is trapped these pages are opened; after the call its accesses, as far as they are known here, are noted as the
 * process's own, and the pages are closed again. What is written to a descriptor can be read by other processes: addresses in it are looked for as in
 * messages. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

#include "subjects/actor/faults.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/sharing.h"

enum { FRAMES = 24, PARTS = 128 };

typedef enum shape {
  BYTES,  /* `unit` bytes, as often as the argument `count` says; -1: once */
  SIZED,  /* as many bytes as the int says that the argument `count` points to, which the kernel writes, too */
  STREAM, /* the same, of which the result says how many were used */
  TEXT,   /* to the first zero */
  VECTOR, /* struct iovec, as often as the argument `count` says */
  HEADER  /* struct msghdr */
} shape;

typedef struct operand {
  short number;
  unsigned char argument;
  unsigned char shape;
  bool write; /* the kernel writes there */
  signed char count;
  unsigned short unit;
} operand;

#define IN(call, argument, count) \
  { SYS_##call, argument, STREAM, false, count, 1 }
#define OUT(call, argument, count) \
  { SYS_##call, argument, STREAM, true, count, 1 }
#define FILLS(call, argument, size) \
  { SYS_##call, argument, BYTES, true, -1, size }
#define EACH(call, argument, count, size) \
  { SYS_##call, argument, BYTES, true, count, size }
#define TAKES(call, argument, size) \
  { SYS_##call, argument, BYTES, false, -1, size }
#define TAKES_ALL(call, argument, count) \
  { SYS_##call, argument, BYTES, false, count, 1 }
#define ANSWERS(call, argument, count) \
  { SYS_##call, argument, SIZED, true, count, 1 }
#define PATH(call, argument) \
  { SYS_##call, argument, TEXT, false, -1, 1 }
#define SPREAD(call, shape, write, count) \
  { SYS_##call, 1, shape, write, count, 1 }

static const operand operands[] = {
    OUT(read, 1, 2),
    IN(write, 1, 2),
    OUT(pread64, 1, 2),
    IN(pwrite64, 1, 2),
    OUT(recvfrom, 1, 2),
    IN(sendto, 1, 2),
    SPREAD(readv, VECTOR, true, 2),
    SPREAD(writev, VECTOR, false, 2),
    SPREAD(preadv, VECTOR, true, 2),
    SPREAD(pwritev, VECTOR, false, 2),
    SPREAD(recvmsg, HEADER, true, -1),
    SPREAD(sendmsg, HEADER, false, -1),
    OUT(getdents64, 1, 2),
    OUT(readlinkat, 2, 3),
    PATH(readlinkat, 1),
    OUT(getcwd, 0, 1),
    FILLS(fstat, 1, sizeof(struct stat)),
    FILLS(newfstatat, 2, sizeof(struct stat)),
    PATH(newfstatat, 1),
    FILLS(statx, 4, sizeof(struct statx)),
    PATH(statx, 1),
    FILLS(uname, 0, sizeof(struct utsname)),
    FILLS(pipe2, 0, 2 * sizeof(int)),
    FILLS(socketpair, 3, 2 * sizeof(int)),
    EACH(ppoll, 0, 1, sizeof(struct pollfd)),
    EACH(epoll_pwait, 1, 2, sizeof(struct epoll_event)),
    FILLS(pselect6, 1, sizeof(fd_set)),
    FILLS(pselect6, 2, sizeof(fd_set)),
    FILLS(pselect6, 3, sizeof(fd_set)),
    PATH(openat, 1),
    PATH(faccessat, 1),
    PATH(faccessat2, 1),
    PATH(renameat2, 1),
    PATH(renameat2, 3),
    PATH(linkat, 1),
    PATH(linkat, 3),
    FILLS(sendfile, 2, sizeof(off_t)),
    FILLS(copy_file_range, 1, sizeof(off_t)),
    FILLS(copy_file_range, 3, sizeof(off_t)),
    FILLS(splice, 1, sizeof(off_t)),
    FILLS(splice, 3, sizeof(off_t)),
    PATH(unlinkat, 1),
    PATH(mkdirat, 1),
    PATH(chdir, 0),
    PATH(memfd_create, 0),
    TAKES_ALL(bind, 1, 2),
    TAKES_ALL(connect, 1, 2),
    TAKES_ALL(sendto, 4, 5),
    TAKES_ALL(setsockopt, 3, 4),
    ANSWERS(getsockopt, 3, 4),
    ANSWERS(getsockname, 1, 2),
    ANSWERS(getpeername, 1, 2),
    ANSWERS(accept, 1, 2),
    ANSWERS(accept4, 1, 2),
    ANSWERS(recvfrom, 4, 5),
    TAKES(epoll_ctl, 3, sizeof(struct epoll_event)),
    FILLS(rt_sigpending, 0, sizeof(uint64_t)),
    TAKES(rt_sigtimedwait, 0, sizeof(uint64_t)),
    FILLS(rt_sigtimedwait, 1, sizeof(siginfo_t)),
    FILLS(getresuid, 0, sizeof(uid_t)),
    FILLS(getresuid, 1, sizeof(uid_t)),
    FILLS(getresuid, 2, sizeof(uid_t)),
    FILLS(getresgid, 0, sizeof(gid_t)),
    FILLS(getresgid, 1, sizeof(gid_t)),
    FILLS(getresgid, 2, sizeof(gid_t)),
    EACH(getgroups, 1, 0, sizeof(gid_t)),
    FILLS(capget, 0, 8),
    FILLS(capget, 1, 24),
    FILLS(getitimer, 1, sizeof(struct itimerval)),
    FILLS(clock_getres, 1, sizeof(struct timespec)),
    FILLS(get_robust_list, 1, sizeof(void *)),
    FILLS(get_robust_list, 2, sizeof(size_t)),
    TAKES(prlimit64, 2, sizeof(struct rlimit)),
    FILLS(prlimit64, 3, sizeof(struct rlimit)),
    TAKES(setrlimit, 1, sizeof(struct rlimit)),
    FILLS(getrlimit, 1, sizeof(struct rlimit)),
    OUT(sched_getaffinity, 2, 1),
    EACH(sched_getattr, 1, 2, 1),
    FILLS(sched_getparam, 1, sizeof(struct sched_param)),
    FILLS(sched_rr_get_interval, 1, sizeof(struct timespec)),
    FILLS(wait4, 1, sizeof(int)),
    FILLS(wait4, 3, sizeof(struct rusage)),
    FILLS(waitid, 2, sizeof(siginfo_t)),
    FILLS(waitid, 4, sizeof(struct rusage)),
    FILLS(pselect6, 4, sizeof(struct timespec)),
    FILLS(ppoll, 2, sizeof(struct timespec)),
#ifdef SYS_open
    FILLS(stat, 1, sizeof(struct stat)),
    PATH(stat, 0),
    FILLS(lstat, 1, sizeof(struct stat)),
    PATH(lstat, 0),
    FILLS(pipe, 0, 2 * sizeof(int)),
    EACH(poll, 0, 1, sizeof(struct pollfd)),
    EACH(epoll_wait, 1, 2, sizeof(struct epoll_event)),
    FILLS(select, 1, sizeof(fd_set)),
    FILLS(select, 2, sizeof(fd_set)),
    FILLS(select, 3, sizeof(fd_set)),
    FILLS(select, 4, sizeof(struct timeval)),
    PATH(open, 0),
    PATH(access, 0),
    OUT(readlink, 1, 2),
    PATH(readlink, 0),
    PATH(unlink, 0),
    PATH(mkdir, 0),
    PATH(rmdir, 0),
    PATH(creat, 0),
    PATH(link, 0),
    PATH(link, 1),
    PATH(symlink, 0),
    PATH(symlink, 1),
    PATH(truncate, 0),
    PATH(renameat, 1),
    PATH(renameat, 3),
    PATH(rename, 0),
    PATH(rename, 1),
#endif
};

/* Bytes of the program's memory that a call uses. */
typedef struct part {
  char *at;
  size_t size;
  bool write;
  bool stream; /* the result says how many, together with those before it */
} part;

typedef struct parts {
  part items[PARTS];
  size_t count;
} parts;

static bool is_watched(const void *address) {
  return eo__capture_slot_of(address) != EO_SLOTS || eo__capture_is_global(eo__actor->capture, address);
}

static bool lend(parts *all, part one) {
  enum { MOST = 0x7ffff000 }; /* that the kernel moves in one call */
  if (!one.at || !one.size) return true;
  if (one.size > MOST) one.size = MOST;
  if (one.size > UINTPTR_MAX - (uintptr_t)one.at) return false;
  if (all->count == PARTS) {
    eo__watch_give_up(eo__actor->watch);
    return false;
  }
  eo__watch_lend(eo__actor->watch, one.at, one.size, one.write);
  if (one.write) eo__capture_lend(eo__actor->capture, one.at, one.size);
  all->items[all->count++] = one;
  return true;
}

/* The kernel reads to the end of the text, wherever that is. */
static void lend_text(parts *all, char *at) {
  char *end;
  for (end = at; is_watched(end); end++) {
    if (end == at || (uintptr_t)end % EO_PAGE == 0) eo__watch_lend(eo__actor->watch, end, 1, false);
    if (!*end) break;
  }
  if (end > at) lend(all, (part){.at = at, .size = (size_t)(end - at)});
}

static void lend_vector(parts *all, const struct iovec *vector, size_t count, bool write) {
  lend(all, (part){.at = (char *)(uintptr_t)vector, .size = count * sizeof *vector});
  for (size_t i = 0; i < count && is_watched(&vector[i]); i++)
    if (!lend(all, (part){.at = vector[i].iov_base, .size = vector[i].iov_len, .write = write, .stream = true})) break;
}

static void lend_header(parts *all, struct msghdr *header, bool write) {
  if (!lend(all, (part){.at = (char *)header, .size = sizeof *header, .write = write}) || !is_watched(header)) return;
  lend(all, (part){.at = header->msg_name, .size = header->msg_namelen, .write = write});
  lend(all, (part){.at = header->msg_control, .size = header->msg_controllen, .write = write});
  lend_vector(all, header->msg_iov, header->msg_iovlen, write);
}

static void lend_sized(parts *all, char *at, int *size) {
  if (!lend(all, (part){.at = (char *)size, .size = sizeof *size, .write = true}) || !size || !is_watched(size)) return;
  if (*size > 0) lend(all, (part){.at = at, .size = (size_t)*size, .write = true});
}

static void lend_operand(parts *all, const operand *what, const eo_call *call) {
  char *at = (char *)call->arguments[what->argument];
  size_t count = what->count < 0 ? 1 : call->arguments[what->count];
  if (what->count >= 0 && count > UINT32_MAX) count = UINT32_MAX;
  switch ((shape)what->shape) {
    case TEXT: lend_text(all, at); break;
    case VECTOR: lend_vector(all, (const struct iovec *)at, count > PARTS ? PARTS + 1 : count, what->write); break;
    case HEADER: lend_header(all, (struct msghdr *)at, what->write); break;
    case SIZED: lend_sized(all, at, (int *)call->arguments[what->count]); break;
    default:
      lend(all,
           (part){.at = at, .size = count * what->unit, .write = what->write, .stream = what->shape == (int)STREAM});
  }
}

/* Reading on behind a message is as wrong for the kernel as for the process. */
static void check_bounds(const parts *all, const eo_call *call) {
  for (size_t i = 0; i < all->count; i++) {
    const part *one = &all->items[i];
    for (const char *at = one->at; !one->write && at < one->at + one->size && is_watched(at);
         at = (const char *)(((uintptr_t)at | (EO_PAGE - 1)) + 1))
      if (eo__bounds_breach(eo__actor, at, false) && !eo__bounds_later(eo__actor, at)) eo__call_end(call);
  }
}

uintptr_t eo__call_place(const eo_call *call) {
  uintptr_t frames[FRAMES];
  eo__actor->handling = true;
  uint32_t count = eo__faults_frames(call->pc, frames, FRAMES), i = 0;
  while (i + 1 < count && eo__faults_is_system(frames[i])) i++;
  eo__actor->handling = false;
  return frames[i];
}

/* Bytes that a process writes to a descriptor can be read by others, but for what it prints. */
static void scan(const eo_call *call, const part *one, size_t used) {
  if (call->arguments[0] <= 2 && !(eo__actor->changed & EO_CHANGED_STANDARD)) return;
  if (one->stream && !one->write && used && is_watched(one->at) && is_watched(one->at + used - 1))
    eo__sharing_scan(eo__actor, one->at, used);
}

static void take_back(const parts *all, const eo_call *call, long result) {
  uintptr_t pc = eo__sharing_possible(eo__actor) ? eo__call_place(call) : 0;
  size_t left = result > 0 ? (size_t)result : 0;
  for (size_t i = 0; i < all->count; i++) {
    const part *one = &all->items[i];
    size_t used = one->write && result < 0 ? 0 : one->size;
    if (one->stream && used > left) used = left;
    if (one->stream) left -= used;
    scan(call, one, used);
    eo__watch_lent(eo__actor->watch, one->at, used, one->write, pc);
  }
  eo__watch_call_end(eo__actor->watch, pc);
}

void eo__call_text(const eo_call *call, const char *text, char *out, size_t size) {
  parts all;
  all.count = 0;
  eo__watch_call_begin(eo__actor->watch);
  lend_text(&all, (char *)(uintptr_t)text);
  snprintf(out, size, "%s", text);
  take_back(&all, call, 0);
}

/* Of operands that are not known, each page that they begin in, and the next. False: there are none. */
static bool lend_unknown(const eo_call *call) {
  bool any = false;
  for (int i = 0; i < 6; i++) {
    char *at = (char *)call->arguments[i], *next = (char *)(((uintptr_t)at | (EO_PAGE - 1)) + 1);
    if (!is_watched(at)) continue;
    any = true;
    eo__watch_lend(eo__actor->watch, at, is_watched(next) ? (size_t)(next - at) + 1 : 1, true);
  }
  return any;
}

/* Nobody knows how much of it the call has used. */
static long again(const eo_call *call) {
  long result = eo__trap_pass(call->number, call->arguments);
  if (result != -EFAULT && eo__actor->live.count > 1) eo__watch_mislead(eo__actor->watch);
  return result;
}

long eo__call_pass(const eo_call *call) {
  parts all;
  all.count = 0;
  eo__watch_call_begin(eo__actor->watch);
  for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
    if (operands[i].number == call->number) lend_operand(&all, &operands[i], call);
  if (eo__actor->auditing) check_bounds(&all, call);
  long result = eo__trap_pass(call->number, call->arguments);
  if (result == -EFAULT && lend_unknown(call)) result = again(call);
  if (result > 0) eo__files_wrote(call, (size_t)result);
  take_back(&all, call, result);
  return result;
}
