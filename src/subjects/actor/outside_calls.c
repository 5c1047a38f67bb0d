/* outside_calls.c: what becomes of a system call that a process makes, whichever function of the C library makes it, or
 * none (outside_trap.c brings it here). A call is
 *
 *   refused   it starts another thread or program, ends this one, or changes what cannot be put back: a finding
 *   judged    it may wait: a finding if it would, since nothing that a process waits for is explored
 *   answered  randomness, clocks
 *   guarded   it changes what goes back at the next reset (outside_state.c); or the tool needs that as it is
 *   noted     it looks at, or opens, what may be otherwise the next time
 *   done      it only uses memory of the program, which has to be opened for it (outside_memory.c)
 *
 * All of it happens in the handler of SIGSYS, on a stack of its own, with the process's code stopped in the middle. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "subjects/actor/faults.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/processes.h"

enum { FILES = 4096, FRAMES = 24 };

static long pass(const eo_call *call) { return eo__call_pass(call); }

static long ask(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
  return eo__trap_pass(number, (const unsigned long[6]){a, b, c, d, 0, 0});
}

static long status_of(unsigned long file, struct stat *about) {
  return ask(SYS_fstat, file, (unsigned long)(uintptr_t)about, 0, 0);
}

/* ---- Findings and notes --------------------------------------------------------------------------------------------- */

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

/* Ends the execution. why: what it does, as "starts a thread". */
__attribute__((noreturn)) static void refuse(const eo_call *call, const char *name, const char *why) {
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
  eo__faults_abandon(actor);
  eo__actor_leave(actor);
  __builtin_trap();
}

static const char waits[] = "waits for what happens outside the test, in an order nobody controls";

static void note(const eo_call *call, const char *name, const char *path) {
  uintptr_t frames[FRAMES];
  eo__actor->handling = true;
  uint32_t count = eo__faults_frames(call->pc, frames, FRAMES);
  char text[64];
  const char *function = function_of(frames, count, text, sizeof text);
  eo__actor->handling = false;
  char copy[PATH_MAX];
  if (path) eo__call_text(call, path, copy, sizeof copy);
  eo__outside_note(function ? function : name, path ? copy : NULL, frames, count);
  eo__actor->changed |= EO_CHANGED_NOTED;
}

/* ---- Descriptors that processes have opened --------------------------------------------------------------------------- */

EO_OWN static unsigned char opened[FILES / 8]; /* bits */

static bool is_opened(unsigned long file) { return file < FILES && opened[file / 8] >> file % 8 & 1; }

static void mark(long file, bool on) {
  if (file < 0 || file >= FILES) return;
  unsigned char bit = (unsigned char)(1u << file % 8);
  opened[file / 8] = (unsigned char)(on ? opened[file / 8] | bit : opened[file / 8] & ~bit);
  if (on) eo__actor->changed |= EO_CHANGED_FILES;
}

void eo__call_forget_files(void) {
  for (unsigned i = 0; i < FILES; i++)
    if (is_opened(i)) ask(SYS_close, i, 0, 0, 0);
  memset(opened, 0, sizeof opened);
}

static bool is_standard(unsigned long file) { return file <= 2; }

/* What only the tool can have opened: its connection to its parent, and the copies of standard input and outputs. */
static bool is_the_tools(unsigned long file) {
  struct stat about;
  if (is_opened(file) || is_standard(file)) return false;
  return status_of(file, &about) != 0 || S_ISSOCK(about.st_mode) || file >= 200;
}

/* ---- Calls that may wait ------------------------------------------------------------------------------------------------- */

static bool is_ready(unsigned long file, short events) {
  struct pollfd one = {(int)file, events, 0};
  struct timespec none = {0, 0};
  return ask(SYS_ppoll, (unsigned long)(uintptr_t)&one, 1, (unsigned long)(uintptr_t)&none, 0) != 0;
}

static bool is_nonblocking(unsigned long file) { return (ask(SYS_fcntl, file, F_GETFL, 0, 0) & O_NONBLOCK) != 0; }

enum { MEMORY = 1, NULL_DEVICE = 3, ZERO_DEVICE = 5, FULL_DEVICE = 7, RANDOM_DEVICE = 8, URANDOM_DEVICE = 9 };

/* /dev/random and /dev/urandom give what getrandom gives. */
static long read_random(const eo_call *call) {
  eo__outside_fill(eo__actor->running, (const void *)call->pc, (void *)call->arguments[1], call->arguments[2]);
  return (long)call->arguments[2];
}

/* read, readv, recv... */
static long reads(const eo_call *call, const char *name) {
  unsigned long file = call->arguments[0];
  struct stat about;
  if (is_the_tools(file) || status_of(file, &about) != 0) return -EBADF;
  bool memory = S_ISCHR(about.st_mode) && major(about.st_rdev) == MEMORY;
  unsigned device = memory ? minor(about.st_rdev) : 0;
  if ((device == RANDOM_DEVICE || device == URANDOM_DEVICE) && call->number == SYS_read) return read_random(call);
  bool replaced = eo__actor->changed & EO_CHANGED_STANDARD && S_ISREG(about.st_mode);
  if (file == 0 && !replaced) refuse(call, name, "reads standard input, which no test is given");
  if (device == NULL_DEVICE || device == ZERO_DEVICE || device == FULL_DEVICE) return pass(call);
  if (!S_ISREG(about.st_mode) && !is_nonblocking(file) && !is_ready(file, POLLIN)) refuse(call, name, waits);
  note(call, name, NULL);
  return pass(call);
}

static long accepts(const eo_call *call, const char *name) {
  if (!is_nonblocking(call->arguments[0]) && !is_ready(call->arguments[0], POLLIN)) refuse(call, name, waits);
  note(call, name, NULL);
  long file = pass(call);
  mark(file, true);
  return file;
}

static long connects(const eo_call *call, const char *name) {
  const struct sockaddr *to = (const void *)call->arguments[1];
  int type = 0;
  socklen_t size = sizeof type;
  getsockopt((int)call->arguments[0], SOL_SOCKET, SO_TYPE, &type, &size);
  if (to && to->sa_family != AF_UNIX && type == SOCK_STREAM) refuse(call, name, waits);
  note(call, name, NULL);
  return pass(call);
}

/* A word of the program's memory that must still have this value for the call to wait. */
static long waits_on_word(const eo_call *call, const char *name) {
  int what = (int)call->arguments[1] & FUTEX_CMD_MASK;
  const uint32_t *word = (const uint32_t *)call->arguments[0];
  if (what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET) {
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != (uint32_t)call->arguments[2]) return -EAGAIN;
    refuse(call, name, "waits for another thread, which there is not");
  }
  if (what == FUTEX_LOCK_PI || what == FUTEX_WAIT_REQUEUE_PI)
    refuse(call, name, "waits for another thread, which there is not");
  return pass(call);
}

/* With a pointer to a time, or milliseconds: may it wait? */
static bool is_no_time(const void *time) {
  const struct timespec *value = time; /* a timeval is two words as well */
  return value && value->tv_sec == 0 && value->tv_nsec == 0;
}

static long polls(const eo_call *call, const char *name) {
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
  if (!at_once) refuse(call, name, waits);
  return pass(call);
}

static long locks(const eo_call *call, const char *name) {
  if (call->number == SYS_fcntl && (call->arguments[1] == F_SETFD || call->arguments[1] == F_SETFL))
    eo__actor->changed |= is_standard(call->arguments[0]) ? EO_CHANGED_STANDARD : EO_CHANGED_NOTED;
  eo_call once = *call;
  bool file_lock = call->number == SYS_flock;
  int command = (int)call->arguments[1];
  bool may_wait = file_lock ? !(command & LOCK_NB) : command == F_SETLKW || command == F_OFD_SETLKW;
  if (file_lock && may_wait) once.arguments[1] |= LOCK_NB;
  if (!file_lock && may_wait) once.arguments[1] = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
  long result = pass(&once);
  if (may_wait && (result == -EAGAIN || result == -EACCES)) refuse(call, name, waits);
  if (!file_lock && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) mark(result, true);
  return result;
}

/* ioctl: ways to set the flags of a descriptor, and the modes of a terminal, which is everybody's. */
static long sets_device(const eo_call *call, const char *name) {
  if (is_the_tools(call->arguments[0])) return -EBADF;
  switch (call->arguments[1]) {
    case FIONBIO:
    case FIOASYNC:
    case FIOCLEX:
    case FIONCLEX:
      eo__actor->changed |= is_standard(call->arguments[0]) ? EO_CHANGED_STANDARD : EO_CHANGED_NOTED;
      break;
    case TCSETS:
    case TCSETSW:
    case TCSETSF:
    case TIOCSPGRP:
    case TIOCSCTTY:
    case TIOCNOTTY:
    case TIOCSWINSZ: refuse(call, name, "changes what cannot be put back");
    default: break;
  }
  return pass(call);
}

static long waits_for_signal(const eo_call *call, const char *name) {
  if (call->number == SYS_rt_sigtimedwait) {
    struct timespec none = {0, 0};
    eo_call once = *call;
    once.arguments[2] = (unsigned long)(uintptr_t)&none;
    long result = pass(&once);
    if (result != -EAGAIN || is_no_time((const void *)call->arguments[2])) return result;
  }
  refuse(call, name, waits);
}

/* ---- Answers ------------------------------------------------------------------------------------------------------------- */

static long draws(const eo_call *call, const char *name) {
  (void)name;
  eo__outside_fill(eo__actor->running, (const void *)call->pc, (void *)call->arguments[0], call->arguments[1]);
  return (long)call->arguments[1];
}

static long tells_time(const eo_call *call, const char *name) {
  (void)name;
  const eo_process *process = eo__actor->running;
  if (call->number == SYS_clock_gettime) {
    *(struct timespec *)call->arguments[1] = eo__outside_clock(process, (int)call->arguments[0]);
    return 0;
  }
  struct timespec now = eo__outside_clock(process, CLOCK_REALTIME);
#ifdef SYS_time
  if (call->number == SYS_time) {
    if (call->arguments[0]) *(time_t *)call->arguments[0] = now.tv_sec;
    return now.tv_sec;
  }
#endif
  if (call->arguments[0]) *(struct timeval *)call->arguments[0] = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

/* How the machine is made, and not how it is doing. */
static long tells_of_machine(const eo_call *call, const char *name) {
  (void)name;
  struct sysinfo now = {0};
  long code = ask(SYS_sysinfo, (unsigned long)(uintptr_t)&now, 0, 0, 0);
  *(struct sysinfo *)call->arguments[0] = (struct sysinfo){.totalram = now.totalram,
                                                           .freeram = now.totalram,
                                                           .totalswap = now.totalswap,
                                                           .freeswap = now.totalswap,
                                                           .procs = 1,
                                                           .mem_unit = now.mem_unit};
  return code;
}

/* ---- What goes back, and what the tool needs ----------------------------------------------------------------------------- */

static long acts(const eo_call *call, const char *name) {
  (void)name;
  if (call->arguments[3] != sizeof(uint64_t)) return -EINVAL;
  return eo__outside_action((int)call->arguments[0], (const void *)call->arguments[1], (void *)call->arguments[2]);
}

/* The handler returns to the mask in its context: that is the one to change. */
static long masks(const eo_call *call, const char *name) {
  (void)name;
  ucontext_t *context = call->context;
  const uint64_t *set = (const void *)call->arguments[1];
  uint64_t *before = (void *)call->arguments[2], now, wanted;
  if (call->arguments[3] != sizeof(uint64_t)) return -EINVAL;
  memcpy(&now, &context->uc_sigmask, sizeof now);
  wanted = now;
  if (set) {
    switch ((int)call->arguments[0]) {
      case SIG_BLOCK: wanted |= *set; break;
      case SIG_UNBLOCK: wanted &= ~*set; break;
      case SIG_SETMASK: wanted = *set; break;
      default: return -EINVAL;
    }
    wanted &= ~eo__outside_own_signals();
    if (wanted != now) eo__actor->changed |= EO_CHANGED_SIGNALS;
    memcpy(&context->uc_sigmask, &wanted, sizeof wanted);
  }
  if (before) *before = now;
  return 0;
}

/* Our handlers' own stack stays in use. */
static long sets_stack(const eo_call *call, const char *name) {
  (void)name;
  stack_t *before = (void *)call->arguments[1];
  if (before) *before = (stack_t){.ss_flags = SS_DISABLE};
  return 0;
}

static long moves(const eo_call *call, const char *name) {
  (void)name;
  eo__actor->changed |= EO_CHANGED_FOLDER;
  return pass(call);
}

static long sets_umask(const eo_call *call, const char *name) {
  (void)name;
  eo__actor->changed |= EO_CHANGED_UMASK;
  return pass(call);
}

/* Its first argument is a process. */
static long names_process(const eo_call *call, const char *name) {
  (void)name;
  eo_call own = *call;
  if (own.arguments[0] == EO_OUTSIDE_PID) own.arguments[0] = 0;
  return pass(&own);
}

static long limits(const eo_call *call, const char *name) {
  bool general = call->number == SYS_prlimit64;
  const struct rlimit *wanted = (const void *)call->arguments[general ? 2 : 1];
  struct rlimit now = {0, 0};
  unsigned long which = call->arguments[general ? 1 : 0];
  if (!wanted) return general ? names_process(call, name) : pass(call);
  if (general && call->arguments[0] != 0 && call->arguments[0] != EO_OUTSIDE_PID)
    refuse(call, name, "limits another program");
  ask(SYS_prlimit64, 0, which, 0, (unsigned long)(uintptr_t)&now);
  if (wanted->rlim_max < now.rlim_max) refuse(call, name, "lowers a hard limit, which cannot be put back");
  eo__actor->changed |= EO_CHANGED_LIMITS;
  return general ? names_process(call, name) : pass(call);
}

static long closes(const eo_call *call, const char *name) {
  (void)name;
  unsigned long file = call->arguments[0];
  if (is_the_tools(file)) return -EBADF;
  if (is_standard(file)) eo__actor->changed |= EO_CHANGED_STANDARD;
  mark((long)file, false);
  return pass(call);
}

static long closes_many(const eo_call *call, const char *name) {
  (void)name;
  for (unsigned long file = call->arguments[0]; file <= call->arguments[1] && file < FILES; file++) {
    if (!is_opened(file) && !is_standard(file)) continue;
    eo_call one = {.number = SYS_close, .arguments = {file}};
    closes(&one, "close");
  }
  return 0;
}

static long copies(const eo_call *call, const char *name) {
  unsigned long from = call->arguments[0], to = call->arguments[1];
  if (is_the_tools(from)) return -EBADF;
  struct stat about;
  if (!is_standard(to) && !is_opened(to) && status_of(to, &about) == 0)
    refuse(call, name, "replaces a descriptor that is not the program's");
  long result = pass(call);
  if (result >= 0 && is_standard(to)) eo__actor->changed |= EO_CHANGED_STANDARD;
  if (result >= 0 && !is_standard(to)) mark(result, true);
  return result;
}

/* Behind the standard outputs. */
static long writes(const eo_call *call, const char *name) {
  (void)name;
  return is_the_tools(call->arguments[0]) ? -EBADF : pass(call);
}

/* A signal to a process, or to a thread of it. What getpid and gettid have told means this program. */
static long signals(const eo_call *call, const char *name) {
  bool thread = call->number == SYS_tgkill || call->number == SYS_rt_tgsigqueueinfo;
  unsigned long which = call->arguments[thread ? 2 : 1];
  unsigned long own[2] = {(unsigned long)ask(SYS_getpid, 0, 0, 0, 0), (unsigned long)ask(SYS_gettid, 0, 0, 0, 0)};
  eo_call sent = *call;
  bool self = true;
  for (int i = 0; i <= thread; i++) {
    if (sent.arguments[i] == EO_OUTSIDE_PID) sent.arguments[i] = own[i || call->number == SYS_tkill];
    self = self && (sent.arguments[i] == own[0] || sent.arguments[i] == own[1]);
  }
  if (which == 0) return self ? 0 : pass(call);
  if (!self) refuse(call, name, "sends a signal to another program");
  if (which == SIGSTOP) refuse(call, name, "stops the whole program");
  return pass(&sent);
}

static long controls(const eo_call *call, const char *name) {
  switch (call->arguments[0]) {
    case PR_SET_NAME:
    case PR_GET_NAME:
    case PR_GET_DUMPABLE:
    case PR_GET_PDEATHSIG:
    case PR_GET_SECCOMP:
    case PR_GET_NO_NEW_PRIVS:
    case PR_SET_VMA: return pass(call);
    default: refuse(call, name, "changes what cannot be put back");
  }
}

/* ---- Notes ------------------------------------------------------------------------------------------------------------------ */

/* Opens one descriptor. */
static long opens(const eo_call *call, const char *name) {
  bool at = call->number == SYS_openat;
  bool path = at;
#ifdef SYS_open
  path = path || call->number == SYS_open;
#endif
  note(call, name, path ? (const char *)call->arguments[at ? 1 : 0] : NULL);
  long file = pass(call);
  if (is_standard((unsigned long)file)) eo__actor->changed |= EO_CHANGED_STANDARD;
  if (file > 2) mark(file, true);
  return file;
}

static long opens_two(const eo_call *call, const char *name) {
  note(call, name, NULL);
  long code = pass(call);
  const int *files = (const int *)call->arguments[call->number == SYS_socketpair ? 3 : 0];
  for (int i = 0; code == 0 && i < 2; i++) mark(files[i], true);
  return code;
}

static long looks(const eo_call *call, const char *name) {
  bool at = call->number == SYS_newfstatat || call->number == SYS_statx || call->number == SYS_faccessat;
  const char *path = (const char *)call->arguments[at ? 1 : 0];
  if (call->number == SYS_getdents64)
    note(call, name, NULL);
  else if (path && *path)
    note(call, name, path);
  return pass(call);
}

/* Trapped only for the sake of the memory that it uses. */
static long uses_memory(const eo_call *call, const char *name) {
  (void)name;
  return pass(call);
}

/* Changes of what is neither captured nor hashed. */
static long changes(const eo_call *call, const char *name) {
  (void)name;
  eo__actor->changed |= EO_CHANGED_NOTED;
  return pass(call);
}

/* ---- The table --------------------------------------------------------------------------------------------------------------- */

typedef struct rule {
  short number;
  const char *name;
  long (*judge)(const eo_call *, const char *); /* NULL: refused */
  const char *why;
} rule;

#define REFUSE(name, why) \
  { SYS_##name, #name, NULL, why }
#define JUDGE(name, judge) \
  { SYS_##name, #name, judge, NULL }

#define STARTS "starts another thread or program, whose order nobody controls: use eo_spawn"
#define BECOMES "puts another program in the place of the test"
#define ALARMS "sends a signal at a time that nobody controls: use eo_sleep, or a timeout"
#define SLEEPS "sleeps in real time: use sleep or nanosleep of the C library, or eo_sleep"
#define LASTS "changes what cannot be put back"

static const rule rules[] = {
    REFUSE(clone, STARTS),
    REFUSE(clone3, STARTS),
#ifdef SYS_fork
    REFUSE(fork, STARTS),
    REFUSE(vfork, STARTS),
#endif
    REFUSE(execve, BECOMES),
    REFUSE(execveat, BECOMES),
    REFUSE(exit, "ends the thread in which all processes run"),
    REFUSE(exit_group, "ends the whole program"),
    REFUSE(nanosleep, SLEEPS),
    REFUSE(clock_nanosleep, SLEEPS),
#ifdef SYS_alarm
    REFUSE(alarm, ALARMS),
#endif
    REFUSE(setitimer, ALARMS),
    REFUSE(timer_create, ALARMS),
    REFUSE(timerfd_create, ALARMS),
    REFUSE(ptrace, LASTS),
    REFUSE(seccomp, LASTS),
    REFUSE(unshare, LASTS),
    REFUSE(setns, LASTS),
    REFUSE(chroot, LASTS),
    REFUSE(setsid, LASTS),
    REFUSE(setpgid, LASTS),
    REFUSE(setuid, LASTS),
    REFUSE(setgid, LASTS),
    REFUSE(setreuid, LASTS),
    REFUSE(setregid, LASTS),
    REFUSE(setresuid, LASTS),
    REFUSE(setresgid, LASTS),
    REFUSE(setgroups, LASTS),
    REFUSE(setpriority, LASTS),
    REFUSE(sched_setscheduler, LASTS),
    REFUSE(sched_setaffinity, LASTS),
    REFUSE(personality, LASTS),
    REFUSE(io_setup, STARTS),
    REFUSE(io_uring_setup, STARTS),
    REFUSE(userfaultfd, LASTS),
    REFUSE(semop, waits),
    REFUSE(semtimedop, waits),
    REFUSE(msgrcv, waits),
    REFUSE(mq_timedreceive, waits),
    JUDGE(prctl, controls),
    JUDGE(kill, signals),
    JUDGE(tkill, signals),
    JUDGE(tgkill, signals),
    JUDGE(rt_sigqueueinfo, signals),
    JUDGE(rt_tgsigqueueinfo, signals),
    REFUSE(pidfd_send_signal, "sends a signal through a descriptor"),
    JUDGE(sched_getaffinity, names_process),
    JUDGE(sched_getscheduler, names_process),
    JUDGE(sched_getparam, names_process),
    JUDGE(sched_rr_get_interval, names_process),
    JUDGE(sched_getattr, names_process),
    JUDGE(read, reads),
    JUDGE(readv, reads),
    JUDGE(recvfrom, reads),
    JUDGE(recvmsg, reads),
    JUDGE(accept, accepts),
    JUDGE(accept4, accepts),
    JUDGE(connect, connects),
    JUDGE(futex, waits_on_word),
#ifdef SYS_poll
    JUDGE(poll, polls),
    JUDGE(select, polls),
    JUDGE(epoll_wait, polls),
#endif
    JUDGE(ppoll, polls),
    JUDGE(pselect6, polls),
    JUDGE(epoll_pwait, polls),
#ifdef SYS_epoll_pwait2
    REFUSE(epoll_pwait2, waits),
#endif
    REFUSE(recvmmsg, waits),
    JUDGE(flock, locks),
    JUDGE(fcntl, locks),
    JUDGE(ioctl, sets_device),
#ifdef SYS_pause
    JUDGE(pause, waits_for_signal),
#endif
    JUDGE(rt_sigsuspend, waits_for_signal),
    JUDGE(rt_sigtimedwait, waits_for_signal),
    JUDGE(getrandom, draws),
    JUDGE(clock_gettime, tells_time),
    JUDGE(gettimeofday, tells_time),
#ifdef SYS_time
    JUDGE(time, tells_time),
#endif
    JUDGE(sysinfo, tells_of_machine),
    JUDGE(rt_sigaction, acts),
    JUDGE(rt_sigprocmask, masks),
    JUDGE(sigaltstack, sets_stack),
    JUDGE(chdir, moves),
    JUDGE(fchdir, moves),
    JUDGE(umask, sets_umask),
    JUDGE(setrlimit, limits),
    JUDGE(prlimit64, limits),
    JUDGE(close, closes),
    JUDGE(close_range, closes_many),
#ifdef SYS_dup2
    JUDGE(dup2, copies),
#endif
    JUDGE(dup3, copies),
    JUDGE(write, writes),
    JUDGE(writev, writes),
    JUDGE(sendto, writes),
    JUDGE(sendmsg, writes),
#ifdef SYS_open
    JUDGE(open, opens),
    JUDGE(pipe, opens_two),
    JUDGE(stat, looks),
    JUDGE(lstat, looks),
    JUDGE(access, looks),
#endif
    JUDGE(openat, opens),
    JUDGE(dup, opens),
    JUDGE(socket, opens),
    JUDGE(memfd_create, opens),
    JUDGE(eventfd2, opens),
    JUDGE(epoll_create1, opens),
    JUDGE(inotify_init1, opens),
    JUDGE(pipe2, opens_two),
    JUDGE(socketpair, opens_two),
    JUDGE(newfstatat, looks),
    JUDGE(statx, looks),
    JUDGE(faccessat, looks),
    JUDGE(getdents64, looks),
    JUDGE(pread64, uses_memory),
    JUDGE(pwrite64, uses_memory),
    JUDGE(preadv, uses_memory),
    JUDGE(pwritev, uses_memory),
    JUDGE(fstat, uses_memory),
    JUDGE(readlinkat, uses_memory),
    JUDGE(getcwd, uses_memory),
    JUDGE(uname, uses_memory),
    JUDGE(unlinkat, uses_memory),
    JUDGE(mkdirat, uses_memory),
    JUDGE(bind, uses_memory),
    JUDGE(getsockname, uses_memory),
    JUDGE(getpeername, uses_memory),
    JUDGE(getsockopt, uses_memory),
    JUDGE(setsockopt, uses_memory),
    JUDGE(epoll_ctl, uses_memory),
    JUDGE(statfs, uses_memory),
    JUDGE(fstatfs, uses_memory),
    JUDGE(getrusage, uses_memory),
    JUDGE(sysinfo, uses_memory),
    JUDGE(sched_getaffinity, uses_memory),
#ifdef SYS_open
    JUDGE(readlink, uses_memory),
    JUDGE(unlink, uses_memory),
    JUDGE(mkdir, uses_memory),
    JUDGE(rmdir, uses_memory),
    JUDGE(rename, uses_memory),
#endif
    JUDGE(lseek, changes),
    JUDGE(ftruncate, changes),
    JUDGE(mmap, changes),
    JUDGE(munmap, changes),
    JUDGE(mremap, changes),
};

enum { RULES = sizeof rules / sizeof *rules };

const short *eo__call_trapped(size_t *count) {
  EO_OWN static short numbers[RULES];
  for (size_t i = 0; i < RULES; i++) numbers[i] = rules[i].number;
  *count = RULES;
  return numbers;
}

long eo__call_judge(const eo_call *call) {
  for (size_t i = 0; i < RULES; i++) {
    if (rules[i].number != call->number) continue;
    if (!rules[i].judge) refuse(call, rules[i].name, rules[i].why);
    return rules[i].judge(call, rules[i].name);
  }
  return pass(call);
}
