/* outside_calls.c: what becomes of a system call that a process makes, whichever function of the C library makes it, or
 * none (outside_trap.c brings it here). A call is
 *
 *   refused   it starts another thread or program, ends this one, or changes what cannot be put back: a finding
 *   judged    it may wait: a finding if it would, since nothing that a process waits for is explored
 *   answered  randomness, clocks
 *   guarded   it changes what goes back at the next reset (outside_state.c); or the tool needs that as it is
 *   noted     it looks at, or opens, what may be otherwise the next time
 *   done      it only uses memory of the program, which has to be opened for it (outside_memory.c)
 *   doubted   none of these: nobody has thought about it, so that nobody knows what it leaves to others
 *   free      it changes nothing that another process or execution could notice: such calls are not trapped
 *
 * All of it happens in the handler of SIGSYS, on a stack of its own, with the process's code stopped in the middle. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "subjects/actor/outside_inside.h"
#include "subjects/actor/pages.h"

static long pass(const eo_call *call) { return eo__call_pass(call); }

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
  long code = eo__call_ask(SYS_sysinfo, (unsigned long)(uintptr_t)&now, 0, 0, 0);
  *(struct sysinfo *)call->arguments[0] = (struct sysinfo){.totalram = now.totalram,
                                                           .freeram = now.totalram,
                                                           .totalswap = now.totalswap,
                                                           .freeswap = now.totalswap,
                                                           .procs = 1,
                                                           .mem_unit = now.mem_unit};
  return code;
}

/* The number of a process, as outside_time.c has it. */
static long tells_number(const eo_call *call, const char *name) {
  (void)name;
  bool asks = call->number == SYS_getpgid || call->number == SYS_getsid;
  if (asks && call->arguments[0] != 0 && call->arguments[0] != EO_OUTSIDE_PID) return pass(call);
  return call->number == SYS_getppid ? 1 : EO_OUTSIDE_PID;
}

static long tells_processor(const eo_call *call, const char *name) {
  (void)name;
  for (int i = 0; i < 2; i++)
    if (call->arguments[i]) *(unsigned *)call->arguments[i] = 0;
  return 0;
}

/* How much was used of the machine: nothing but virtual time. */
static long tells_use(const eo_call *call, const char *name) {
  (void)name;
  struct timespec now = eo__outside_clock(eo__actor->running, CLOCK_PROCESS_CPUTIME_ID);
  if (call->number == SYS_getrusage) {
    if (call->arguments[1])
      *(struct rusage *)call->arguments[1] = (struct rusage){.ru_utime = {now.tv_sec, now.tv_nsec / 1000}};
    return 0;
  }
  clock_t ticks = (clock_t)(now.tv_sec * 100 + now.tv_nsec / 10000000); /* USER_HZ */
  if (call->arguments[0]) *(struct tms *)call->arguments[0] = (struct tms){.tms_utime = ticks};
  return ticks + EO_OUTSIDE_BOOTED;
}

/* ---- What goes back, and what the tool needs ----------------------------------------------------------------------------- */

static long acts(const eo_call *call, const char *name) {
  (void)name;
  if (call->arguments[3] != sizeof(uint64_t)) return -EINVAL;
  eo__call_use(call, EO_LIBRARY_HANDLERS, call->arguments[1] != 0);
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
    if (wanted != now) eo__mask_change();
    memcpy(&context->uc_sigmask, &wanted, sizeof wanted);
  }
  if (before) *before = now;
  /* What it unblocks comes now, on our stack: the process's own may be closed to the system. */
  if (wanted != now) eo__call_ask(SYS_rt_sigprocmask, SIG_SETMASK, (unsigned long)(uintptr_t)&wanted, 0, sizeof wanted);
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
  eo__call_use(call, EO_LIBRARY_FOLDER, true);
  return pass(call);
}

static long sets_umask(const eo_call *call, const char *name) {
  (void)name;
  eo__actor->changed |= EO_CHANGED_UMASK;
  eo__call_use(call, EO_LIBRARY_UMASK, true);
  return pass(call);
}

/* Its first argument is a process. */
static long names_process(const eo_call *call, const char *name) {
  (void)name;
  eo_call own = *call;
  if (own.arguments[0] == EO_OUTSIDE_PID) own.arguments[0] = 0;
  return pass(&own);
}

static long tells_priority(const eo_call *call, const char *name) {
  (void)name;
  eo_call own = *call;
  if (own.arguments[0] != PRIO_USER && own.arguments[1] == EO_OUTSIDE_PID) own.arguments[1] = 0;
  return pass(&own);
}

static long limits(const eo_call *call, const char *name) {
  bool general = call->number == SYS_prlimit64;
  const struct rlimit *wanted = (const void *)call->arguments[general ? 2 : 1];
  struct rlimit now = {0, 0};
  unsigned long which = call->arguments[general ? 1 : 0];
  if (!wanted) eo__call_use(call, EO_LIBRARY_LIMITS, false);
  if (!wanted) return general ? names_process(call, name) : pass(call);
  if (general && call->arguments[0] != 0 && call->arguments[0] != EO_OUTSIDE_PID)
    eo__call_refuse(call, name, "limits another program");
  eo__call_ask(SYS_prlimit64, 0, which, 0, (unsigned long)(uintptr_t)&now);
  if (wanted->rlim_max < now.rlim_max) eo__call_refuse(call, name, "lowers a hard limit, which cannot be restored");
  eo__actor->changed |= EO_CHANGED_LIMITS;
  eo__call_use(call, EO_LIBRARY_LIMITS, true);
  if (eo__actor->live.count > 1) eo__watch_mislead(eo__actor->watch); /* others run into it unseen */
  return general ? names_process(call, name) : pass(call);
}

static long closes(const eo_call *call, const char *name) {
  (void)name;
  unsigned long file = call->arguments[0];
  if (eo__call_is_the_tools(file)) return -EBADF;
  if (eo__call_is_standard(file)) eo__actor->changed |= EO_CHANGED_STANDARD;
  eo__call_mark((long)file, false);
  return pass(call);
}

static long closes_many(const eo_call *call, const char *name) {
  (void)name;
  for (unsigned long file = call->arguments[0]; file <= call->arguments[1] && file < EO_CALL_FILES; file++) {
    if (!eo__call_opened(file) && !eo__call_is_standard(file)) continue;
    eo_call one = {.number = SYS_close, .arguments = {file}};
    closes(&one, "close");
  }
  return 0;
}

static long copies(const eo_call *call, const char *name) {
  unsigned long from = call->arguments[0], to = call->arguments[1];
  if (eo__call_is_the_tools(from)) return -EBADF;
  struct stat about;
  if (!eo__call_is_standard(to) && !eo__call_opened(to) && eo__call_status(to, &about) == 0)
    eo__call_refuse(call, name, "replaces a descriptor that is not the program's");
  long result = pass(call);
  if (result >= 0 && eo__call_is_standard(to)) eo__actor->changed |= EO_CHANGED_STANDARD;
  if (result >= 0 && !eo__call_is_standard(to)) eo__call_mark(result, true);
  return result;
}

/* A signal to a process, or to a thread of it. What getpid and gettid have told means this program. */
static long signals(const eo_call *call, const char *name) {
  bool thread = call->number == SYS_tgkill || call->number == SYS_rt_tgsigqueueinfo;
  unsigned long which = call->arguments[thread ? 2 : 1];
  unsigned long own[2] = {(unsigned long)eo__call_ask(SYS_getpid, 0, 0, 0, 0),
                          (unsigned long)eo__call_ask(SYS_gettid, 0, 0, 0, 0)};
  eo_call sent = *call;
  bool self = true;
  for (int i = 0; i <= thread; i++) {
    if (sent.arguments[i] == EO_OUTSIDE_PID) sent.arguments[i] = own[i || call->number == SYS_tkill];
    self = self && (sent.arguments[i] == own[0] || sent.arguments[i] == own[1]);
  }
  if (which == 0) return self ? 0 : pass(call);
  if (!self) eo__call_refuse(call, name, "sends a signal to another program");
  if (which == SIGSTOP) eo__call_refuse(call, name, "stops the whole program");
  eo__call_use(call, EO_LIBRARY_HANDLERS, false);
  return pass(&sent);
}

/* The name of a thread, of which each process has its own. */
static long takes_title(const eo_call *call) {
  eo_kept *kept = eo__outside_kept(eo__actor->running, (const void *)call->pc);
  eo__call_text(call, (const char *)call->arguments[1], kept->title, sizeof kept->title);
  return 0;
}

static long tells_title(const eo_call *call) {
  const eo_kept *kept = eo__outside_kept(eo__actor->running, (const void *)call->pc);
  char *out = (char *)call->arguments[1], start[sizeof kept->title];
  eo__call_ask(SYS_prctl, PR_GET_NAME, (unsigned long)(uintptr_t)start, 0, 0);
  memcpy(out, *kept->title ? kept->title : start, sizeof start);
  return 0;
}

static long controls(const eo_call *call, const char *name) {
  switch (call->arguments[0]) {
    case PR_SET_NAME: return takes_title(call);
    case PR_GET_NAME: return tells_title(call);
    case PR_GET_DUMPABLE:
    case PR_GET_PDEATHSIG:
    case PR_GET_SECCOMP:
    case PR_GET_NO_NEW_PRIVS:
    case PR_SET_VMA: return pass(call);
    default: eo__call_refuse(call, name, "changes state that cannot be restored");
  }
}

/* ---- Notes ------------------------------------------------------------------------------------------------------------------ */

/* Memory by a name: past its protection, and past all that looks at who uses it. */
static bool is_memory(const char *path) {
  size_t length = strlen(path);
  return strncmp(path, "/proc/", 6) == 0 && length > 4 && strcmp(path + length - 4, "/mem") == 0;
}

/* What the kernel tells of the machine differs from moment to moment; the number of processors, which the C library asks for, does
 * not. */
static bool is_of_machine(const char *path) {
  bool known = strncmp(path, "/sys/devices/system/", 20) == 0 || strncmp(path, "/proc/sys/kernel/ngroups", 24) == 0;
  return !known && (strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0);
}

/* Opens one descriptor. */
static long opens(const eo_call *call, const char *name) {
  bool at = call->number == SYS_openat;
  bool path = at;
#ifdef SYS_open
  path = path || call->number == SYS_open || call->number == SYS_creat;
#endif
  const char *given = path ? (const char *)call->arguments[at ? 1 : 0] : NULL;
  char copy[PATH_MAX] = "";
  eo__call_note(call, name, given);
  if (given) eo__call_text(call, given, copy, sizeof copy);
  if (is_memory(copy)) eo__call_refuse(call, name, "opens the memory of a program, past its protection");
  long file = pass(call);
  if (file >= 0 && is_of_machine(copy)) eo__actor->remains = true;
  if (eo__call_is_standard((unsigned long)file)) eo__actor->changed |= EO_CHANGED_STANDARD;
  if (file > 2) eo__call_mark(file, true);
  return file;
}

static long opens_two(const eo_call *call, const char *name) {
  eo__call_note(call, name, NULL);
  long code = pass(call);
  const int *files = (const int *)call->arguments[call->number == SYS_socketpair ? 3 : 0];
  for (int i = 0; code == 0 && i < 2; i++) eo__call_mark(files[i], true);
  return code;
}

static long looks(const eo_call *call, const char *name) {
  bool at = call->number == SYS_newfstatat || call->number == SYS_statx || call->number == SYS_faccessat ||
            call->number == SYS_faccessat2;
  const char *path = (const char *)call->arguments[at ? 1 : 0];
  if (call->number == SYS_getdents64)
    eo__call_note(call, name, NULL);
  else if (path && *path)
    eo__call_note(call, name, path);
  return pass(call);
}

/* The machine's links tell numbers of processes and files. */
static long follows(const eo_call *call, const char *name) {
  char path[PATH_MAX] = "";
  bool at = call->number == SYS_readlinkat;
  (void)name;
  eo__call_text(call, (const char *)call->arguments[at ? 1 : 0], path, sizeof path);
  if (is_of_machine(path) && strcmp(path, "/proc/self/exe") != 0) eo__actor->remains = true;
  return pass(call);
}

/* Whoever is at the other end is this program. */
static long tells_option(const eo_call *call, const char *name) {
  (void)name;
  long result = pass(call);
  bool asked = call->arguments[1] == SOL_SOCKET && call->arguments[2] == SO_PEERCRED;
  if (result == 0 && asked) eo__outside_hide_number(&((struct ucred *)call->arguments[3])->pid);
  return result;
}

static long tells_folder(const eo_call *call, const char *name) {
  (void)name;
  eo__call_use(call, EO_LIBRARY_FOLDER, false);
  return pass(call);
}

/* Trapped only for the sake of the memory that it uses. */
static long uses_memory(const eo_call *call, const char *name) {
  (void)name;
  return pass(call);
}

/* Memory is where it is: to lock all of it would fill what is only reserved. */
static long does_nothing(const eo_call *call, const char *name) {
  (void)call;
  (void)name;
  return 0;
}

static long maps_shared(const eo_call *call, const char *name) {
  (void)name;
  if (!eo__actor->handling) eo__capture_stray(eo__actor->capture);
  return pass(call);
}

static long asks_personality(const eo_call *call, const char *name) {
  if ((uint32_t)call->arguments[0] != UINT32_MAX) eo__call_refuse(call, name, "changes state that cannot be restored");
  return pass(call);
}

/* Changes of what is neither captured nor hashed. */
static long changes(const eo_call *call, const char *name) {
  (void)name;
  eo__actor->changed |= EO_CHANGED_NOTED;
  return pass(call);
}

/* What is not in the table. */
static long is_unknown(const eo_call *call) {
  char name[32];
  snprintf(name, sizeof name, "system call %ld", call->number);
  eo__call_note(call, name, NULL);
  eo__watch_mislead(eo__actor->watch);
  return pass(call);
}

static long sets_thread(const eo_call *call, const char *name) {
  enum { GET_FS = 0x1003, GET_GS = 0x1004 };
  bool asks = call->arguments[0] == GET_FS || call->arguments[0] == GET_GS;
  if (!asks) eo__call_refuse(call, name, "changes state that cannot be restored");
  return pass(call);
}

/* ---- The table --------------------------------------------------------------------------------------------------------------- */

typedef struct rule {
  short number;
  const char *name;
  eo_judge *judge; /* NULL: refused */
  const char *why;
} rule;

#define REFUSE(name, why) \
  { SYS_##name, #name, NULL, why }
#define JUDGE(name, judge) \
  { SYS_##name, #name, judge, NULL }

#define STARTS "starts another thread or program, whose order Everyorder cannot control: use eo_spawn"
#define BECOMES "replaces the test by another program"
#define ALARMS "sends a signal at a time that Everyorder cannot control: use eo_sleep, or a timeout"
#define SLEEPS "sleeps in real time: use sleep or nanosleep of the C library, or eo_sleep"
#define LASTS "changes state that cannot be restored"

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
    REFUSE(sched_setparam, LASTS),
    REFUSE(sched_setattr, LASTS),
    REFUSE(ioprio_set, LASTS),
    REFUSE(setfsuid, LASTS),
    REFUSE(setfsgid, LASTS),
    REFUSE(capset, LASTS),
    REFUSE(sethostname, LASTS),
    REFUSE(setdomainname, LASTS),
    REFUSE(mount, LASTS),
    REFUSE(umount2, LASTS),
    REFUSE(pivot_root, LASTS),
    REFUSE(clock_settime, LASTS),
    REFUSE(settimeofday, LASTS),
    REFUSE(adjtimex, "tells the time of the machine, or changes it"),
    REFUSE(clock_adjtime, "tells the time of the machine, or changes it"),
    REFUSE(pkey_mprotect, LASTS),
#ifdef SYS_arch_prctl
    JUDGE(arch_prctl, sets_thread),
    REFUSE(modify_ldt, LASTS),
    REFUSE(iopl, LASTS),
    REFUSE(ioperm, LASTS),
#endif
    JUDGE(personality, asks_personality),
    JUDGE(mlock, does_nothing),
    JUDGE(mlock2, does_nothing),
    JUDGE(mlockall, does_nothing),
    JUDGE(munlock, does_nothing),
    JUDGE(munlockall, does_nothing),
    JUDGE(shmat, maps_shared),
    REFUSE(process_vm_readv, "reads another program's memory, or its own past its protection"),
    REFUSE(process_vm_writev, "writes another program's memory, or its own past its protection"),
    REFUSE(pidfd_getfd, "takes a descriptor of another program"),
    REFUSE(io_setup, STARTS),
    REFUSE(io_uring_setup, STARTS),
    REFUSE(userfaultfd, LASTS),
    REFUSE(semop, EO_CALL_WAITS),
    REFUSE(semtimedop, EO_CALL_WAITS),
    REFUSE(msgrcv, EO_CALL_WAITS),
    REFUSE(mq_timedreceive, EO_CALL_WAITS),
    JUDGE(prctl, controls),
    JUDGE(kill, signals),
    JUDGE(tkill, signals),
    JUDGE(tgkill, signals),
    JUDGE(rt_sigqueueinfo, signals),
    JUDGE(rt_tgsigqueueinfo, signals),
    REFUSE(pidfd_send_signal, "sends a signal through a descriptor"),
    JUDGE(sched_getaffinity, names_process),
    JUDGE(getpriority, tells_priority),
    JUDGE(sched_getscheduler, names_process),
    JUDGE(sched_getparam, names_process),
    JUDGE(sched_rr_get_interval, names_process),
    JUDGE(sched_getattr, names_process),
    JUDGE(read, eo__call_reads),
    JUDGE(readv, eo__call_reads),
    JUDGE(recvfrom, eo__call_reads),
    JUDGE(recvmsg, eo__call_reads),
    JUDGE(accept, eo__call_accepts),
    JUDGE(accept4, eo__call_accepts),
    JUDGE(connect, eo__call_connects),
    JUDGE(futex, eo__call_waits_on_word),
#ifdef SYS_poll
    JUDGE(poll, eo__call_polls),
    JUDGE(select, eo__call_polls),
    JUDGE(epoll_wait, eo__call_polls),
#endif
    JUDGE(ppoll, eo__call_polls),
    JUDGE(pselect6, eo__call_polls),
    JUDGE(epoll_pwait, eo__call_polls),
#ifdef SYS_epoll_pwait2
    REFUSE(epoll_pwait2, EO_CALL_WAITS),
#endif
    REFUSE(recvmmsg, EO_CALL_WAITS),
    JUDGE(flock, eo__call_locks),
    JUDGE(fcntl, eo__call_locks),
    JUDGE(ioctl, eo__call_sets_device),
#ifdef SYS_pause
    JUDGE(pause, eo__call_waits_for_signal),
#endif
    JUDGE(rt_sigsuspend, eo__call_waits_for_signal),
    JUDGE(rt_sigtimedwait, eo__call_waits_for_signal),
    JUDGE(getrandom, draws),
    JUDGE(clock_gettime, tells_time),
    JUDGE(gettimeofday, tells_time),
#ifdef SYS_time
    JUDGE(time, tells_time),
#endif
    JUDGE(sysinfo, tells_of_machine),
    JUDGE(getpid, tells_number),
    JUDGE(gettid, tells_number),
    JUDGE(getppid, tells_number),
#ifdef SYS_getpgrp
    JUDGE(getpgrp, tells_number),
#endif
    JUDGE(getpgid, tells_number),
    JUDGE(getsid, tells_number),
    JUDGE(getcpu, tells_processor),
    JUDGE(getrusage, tells_use),
    JUDGE(times, tells_use),
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
    JUDGE(write, eo__call_writes),
    JUDGE(writev, eo__call_writes),
    JUDGE(sendto, eo__call_writes),
    JUDGE(sendmsg, eo__call_writes),
#ifdef SYS_open
    JUDGE(open, opens),
    JUDGE(creat, opens),
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
    JUDGE(signalfd4, opens),
    JUDGE(pidfd_open, opens),
#ifdef SYS_signalfd
    JUDGE(signalfd, opens),
    JUDGE(eventfd, opens),
    JUDGE(epoll_create, opens),
    JUDGE(inotify_init, opens),
#endif
    JUDGE(pipe2, opens_two),
    JUDGE(socketpair, opens_two),
    JUDGE(newfstatat, looks),
    JUDGE(statx, looks),
    JUDGE(faccessat, looks),
    JUDGE(faccessat2, looks),
    JUDGE(getdents64, looks),
    JUDGE(pread64, eo__call_reads),
    JUDGE(pwrite64, uses_memory),
    JUDGE(preadv, eo__call_reads),
    JUDGE(pwritev, uses_memory),
    JUDGE(fstat, uses_memory),
    JUDGE(rt_sigpending, uses_memory),
    JUDGE(get_robust_list, uses_memory),
    JUDGE(getresuid, uses_memory),
    JUDGE(getresgid, uses_memory),
    JUDGE(getgroups, uses_memory),
    JUDGE(capget, uses_memory),
    JUDGE(getitimer, uses_memory), /* timers cannot be made */
    JUDGE(clock_getres, uses_memory),
    JUDGE(wait4, uses_memory), /* who waits for children finds none */
    JUDGE(waitid, uses_memory),
    JUDGE(readlinkat, follows),
    JUDGE(getcwd, tells_folder),
    JUDGE(uname, uses_memory),
    JUDGE(unlinkat, uses_memory),
    JUDGE(mkdirat, uses_memory),
    JUDGE(bind, uses_memory),
    JUDGE(getsockname, uses_memory),
    JUDGE(getpeername, uses_memory),
    JUDGE(getsockopt, tells_option),
    JUDGE(setsockopt, uses_memory),
    JUDGE(epoll_ctl, uses_memory),
    JUDGE(renameat2, uses_memory),
    JUDGE(linkat, uses_memory),
    JUDGE(sendfile, uses_memory),
    JUDGE(copy_file_range, uses_memory),
    JUDGE(splice, uses_memory),
#ifdef SYS_open
    JUDGE(readlink, follows),
    JUDGE(unlink, uses_memory),
    JUDGE(mkdir, uses_memory),
    JUDGE(rmdir, uses_memory),
    JUDGE(rename, uses_memory),
    JUDGE(link, uses_memory),
    JUDGE(symlink, uses_memory),
    JUDGE(truncate, uses_memory),
    JUDGE(renameat, uses_memory),
#endif
    JUDGE(lseek, changes),
    JUDGE(ftruncate, changes),
    JUDGE(mmap, eo__call_maps),
    JUDGE(munmap, eo__call_unmaps),
    JUDGE(mremap, eo__call_unmaps),
    JUDGE(madvise, eo__call_advises),
    JUDGE(mprotect, eo__call_protects),
    JUDGE(brk, eo__call_moves_break),
};

/* Not trapped, so that none of them may have an operand in memory that the kernel reads or writes: it may be closed or cold. */
static const short free_calls[] = {
    SYS_rt_sigreturn,
    SYS_restart_syscall,
    SYS_sched_yield,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_set_tid_address,
    SYS_set_robust_list,
#ifdef SYS_rseq
    SYS_rseq,
#endif
    SYS_membarrier,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_fsync,
    SYS_fdatasync,
    SYS_sync,
    SYS_syncfs,
    SYS_sync_file_range,
    SYS_msync,
    SYS_fadvise64,
    SYS_readahead,
};

const short *eo__call_free(size_t *count) {
  *count = sizeof free_calls / sizeof *free_calls;
  return free_calls;
}

long eo__call_judge(const eo_call *call) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (rules[i].number != call->number) continue;
    if (!rules[i].judge) eo__call_refuse(call, rules[i].name, rules[i].why);
    return eo__files_judge(call, rules[i].name, rules[i].judge);
  }
  return is_unknown(call);
}
