/* outside_state.c: what the system and the C library keep for the whole program: signal handlers, the signal mask, the
 * working folder, umask, limits, environment, locale, standard input and outputs. It is remembered when the
 * exploration begins; whatever an execution changes is noted (eo_actor.changed) and goes back at the next reset or restore.
 *
 * A process may install signal handlers and raise signals. A handler runs on the process's stack, and can do no
 * operation. SIGSEGV, SIGTRAP, SIGSYS and the watchdog's signal are the tool's: a handler for one of them is never called, and
 * they are never blocked. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/alloc.h"
#include "subjects/actor/faults.h"
#include "subjects/actor/outside.h"

enum { SIGNALS = 65, SAFE = 200 }; /* descriptors from SAFE on hold copies of the standard ones */

/* As it was when the exploration began. */
EO_OWN static struct {
  bool known;
  eo_kernel_action actions[SIGNALS];
  uint64_t mask;
  int folder;
  mode_t umask;
  struct rlimit limits[RLIM_NLIMITS];
  char **environment; /* `__environ`, and a copy of what it pointed to */
  char **variables;
  size_t variable_count;
  char *locale;
  int standard[3];                           /* copies; -1: it was closed */
  int standard_flags[3], standard_status[3]; /* F_GETFD, F_GETFL */
} start;

EO_OWN static eo_kernel_action handlers[SIGNALS]; /* the program's, of this execution, where `ours` is installed */

static long system_call(long number, long a, long b, long c, long d) {
  return eo__trap_pass(
      number, (const unsigned long[6]){(unsigned long)a, (unsigned long)b, (unsigned long)c, (unsigned long)d, 0, 0});
}

/* ---- Signals -------------------------------------------------------------------------------------------------------- */

static uint64_t bit_of(int signal_number) { return (uint64_t)1 << (signal_number - 1); }

static const char in_handler[] = "from a signal handler";

uint64_t eo__outside_own_signals(void) {
  return bit_of(SIGSEGV) | bit_of(SIGTRAP) | bit_of(SIGSYS) | bit_of(EO_WATCHDOG_SIGNAL);
}

void eo__outside_hide_number(pid_t *number) {
  if (*number == (pid_t)system_call(SYS_getpid, 0, 0, 0, 0)) *number = EO_OUTSIDE_PID;
}

/* Stands before every handler of the program. */
static void ours(int signal_number, siginfo_t *info, void *context) {
  eo_process *process = eo__outside_caller();
  eo_kernel_action action = handlers[signal_number];
  if (!process || !action.handler) return; /* sent from outside while the engine runs */
  const char *barred = process->barred;
  if (!barred) process->barred = in_handler;
  if (info->si_code <= 0) eo__outside_hide_number(&info->si_pid);
  if (action.flags & SA_RESETHAND) handlers[signal_number].handler = 0;
  if (action.flags & SA_SIGINFO)
    ((void (*)(int, siginfo_t *, void *))action.handler)(signal_number, info, context);
  else
    ((void (*)(int))action.handler)(signal_number);
  process->barred = barred;
}

static bool is_function(uintptr_t handler) { return handler != (uintptr_t)SIG_DFL && handler != (uintptr_t)SIG_IGN; }

long eo__outside_action(int signal_number, const eo_kernel_action *action, eo_kernel_action *before) {
  if (signal_number < 1 || signal_number >= SIGNALS) return -EINVAL;
  bool own = (eo__outside_own_signals() & bit_of(signal_number)) != 0;
  eo_kernel_action known = handlers[signal_number], now = {0};
  if (before && known.handler) {
    *before = known;
  } else if (before && own) {
    *before = (eo_kernel_action){.handler = (uintptr_t)SIG_DFL};
  } else if (before) {
    long code = system_call(SYS_rt_sigaction, signal_number, 0, (long)(uintptr_t)before, sizeof(uint64_t));
    if (code) return code;
    if (before->handler == start.actions[signal_number].handler && is_function(before->handler))
      *before = (eo_kernel_action){.handler = (uintptr_t)SIG_DFL}; /* the tool's */
  }
  if (!action || own) return 0;
  eo__actor->changed |= EO_CHANGED_SIGNALS;
  now = *action;
  handlers[signal_number] = (eo_kernel_action){0};
  if (is_function(now.handler)) {
    handlers[signal_number] = now;
    now.handler = (uintptr_t)ours;
    now.flags = (now.flags | SA_SIGINFO) & ~(unsigned long)SA_ONSTACK;
    now.mask &= ~eo__outside_own_signals();
  }
  return system_call(SYS_rt_sigaction, signal_number, (long)(uintptr_t)&now, 0, sizeof(uint64_t));
}

/* Of processes whose mask is not as at the start of the exploration: the mask, and the signals that wait for them to unblock them. */
enum { MASKS = 256 };
typedef struct mask {
  const eo_process *process;
  uint64_t blocked, waiting;
} mask;

EO_OWN static struct {
  const eo_process *now; /* whose mask the system has; NULL: nobody has changed it (eo__mask_in) */
  mask items[MASKS];
  uint32_t count;
} masks;

/* Whoever has started this program may have blocked all signals. */
static void remember_signals(void) {
  uint64_t own = eo__outside_own_signals();
  system_call(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)(uintptr_t)&own, 0, sizeof own);
  for (int i = 1; i < SIGNALS; i++)
    system_call(SYS_rt_sigaction, i, 0, (long)(uintptr_t)&start.actions[i], sizeof(uint64_t));
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, 0, (long)(uintptr_t)&start.mask, sizeof(uint64_t));
}

/* What was raised while it was blocked is forgotten: it is pending no more once it has been ignored. */
static void put_back_signals(void) {
  masks.now = NULL;
  masks.count = 0;
  uint64_t pending = 0;
  eo_kernel_action ignore = {.handler = (uintptr_t)SIG_IGN};
  system_call(SYS_rt_sigpending, (long)(uintptr_t)&pending, sizeof pending, 0, 0);
  for (int i = 1; i < SIGNALS; i++) {
    if (pending & bit_of(i)) system_call(SYS_rt_sigaction, i, (long)(uintptr_t)&ignore, 0, sizeof(uint64_t));
    system_call(SYS_rt_sigaction, i, (long)(uintptr_t)&start.actions[i], 0, sizeof(uint64_t));
    handlers[i] = (eo_kernel_action){0};
  }
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&start.mask, 0, sizeof(uint64_t));
}

/* ---- The signal mask ----------------------------------------------------------------------------------------------
 *
 * Threads have one each, and so have processes, in executions in which one of them has changed its own. All of them run in one
 * thread: the system keeps the mask of the process that ran last, and the signals that wait for it, until another one runs. */

void eo__mask_change(void) {
  eo__actor->changed |= EO_CHANGED_SIGNALS;
  eo__actor->apart = true;
  masks.now = eo__actor->running;
}

static mask *mask_of(const eo_process *process) {
  for (uint32_t i = 0; i < masks.count; i++)
    if (masks.items[i].process == process) return &masks.items[i];
  return NULL;
}

static void set_mask(const eo_process *process, uint64_t blocked, uint64_t waiting) {
  mask *known = mask_of(process);
  if (!known && blocked == start.mask && !waiting) return;
  if (!known && masks.count == MASKS) {
    eo__watch_mislead(eo__actor->watch);
    return;
  }
  if (!known) known = &masks.items[masks.count++];
  *known = (mask){process, blocked, waiting};
}

static uint64_t mask_now(void) {
  uint64_t blocked = 0;
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, 0, (long)(uintptr_t)&blocked, sizeof blocked);
  return blocked;
}

/* What comes with a value, or several times, cannot be given back as it was. */
static uint64_t take_pending(void) {
  uint64_t waiting = 0, taken = 0;
  struct timespec none = {0, 0};
  siginfo_t about;
  system_call(SYS_rt_sigpending, (long)(uintptr_t)&waiting, sizeof waiting, 0, 0);
  waiting &= ~eo__outside_own_signals();
  while (waiting) {
    long got = system_call(SYS_rt_sigtimedwait, (long)(uintptr_t)&waiting, (long)(uintptr_t)&about,
                           (long)(uintptr_t)&none, sizeof waiting);
    if (got <= 0) break;
    if (about.si_code == SI_QUEUE || taken & bit_of((int)got)) eo__watch_mislead(eo__actor->watch);
    taken |= bit_of((int)got);
  }
  return taken;
}

void eo__mask_in(const eo_process *process) {
  if (!masks.now || masks.now == process) return;
  uint64_t blocked = mask_now();
  set_mask(masks.now, blocked, take_pending());
  masks.now = process;
  const mask *known = mask_of(process);
  blocked = known ? known->blocked : start.mask;
  long own[2] = {system_call(SYS_getpid, 0, 0, 0, 0), system_call(SYS_gettid, 0, 0, 0, 0)};
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&blocked, 0, sizeof blocked);
  for (int i = 1; i < SIGNALS && known; i++) /* it blocks them */
    if (known->waiting & bit_of(i)) system_call(SYS_tgkill, own[0], own[1], i, 0);
}

void eo__mask_inherit(const eo_process *child, const eo_process *parent) {
  const mask *known = mask_of(parent);
  if (masks.now) set_mask(child, masks.now == parent ? mask_now() : known ? known->blocked : start.mask, 0);
}

/* A jump out of a handler is its end. */
static void leave_handler(void) {
  eo_process *process = eo__outside_caller();
  if (process && process->barred == in_handler) process->barred = NULL;
}

void __longjmp_chk(struct __jmp_buf_tag at[1], int value) __attribute__((noreturn));

#define JUMPS(function)                                  \
  void function(struct __jmp_buf_tag at[1], int value) { \
    leave_handler();                                     \
    EO_REAL(function)(at, value);                        \
    __builtin_trap();                                    \
  }

JUMPS(longjmp)
JUMPS(_longjmp)
JUMPS(siglongjmp)
JUMPS(__longjmp_chk)

/* ---- Environment and locale ------------------------------------------------------------------------------------- */

static void changes_environment(const void *caller) {
  if (!eo__outside_caller()) return;
  eo__actor->changed |= EO_CHANGED_ENVIRONMENT;
  eo__library_use(EO_LIBRARY_ENVIRONMENT, true, (const char *)caller - 1);
}

int setenv(const char *name, const char *value, int replace) {
  changes_environment(EO_CALLER);
  return EO_REAL(setenv)(name, value, replace);
}

int putenv(char *text) {
  changes_environment(EO_CALLER);
  return EO_REAL(putenv)(text);
}

int unsetenv(const char *name) {
  changes_environment(EO_CALLER);
  return EO_REAL(unsetenv)(name);
}

int clearenv(void) {
  changes_environment(EO_CALLER);
  return EO_REAL(clearenv)();
}

static void remember_environment(void) {
  start.environment = __environ;
  for (start.variable_count = 0; __environ && __environ[start.variable_count];) start.variable_count++;
  start.variables = __environ ? eo__alloc((start.variable_count + 1) * sizeof *__environ) : NULL;
  if (start.variables) memcpy(start.variables, __environ, (start.variable_count + 1) * sizeof *__environ);
}

static void put_back_environment(void) {
  if (__environ != start.environment) __environ = start.environment;
  if (start.variables) memcpy(__environ, start.variables, (start.variable_count + 1) * sizeof *__environ);
  tzset(); /* TZ may have been another */
}

/* Every function that prints or reads a number looks at the locale, unseen: so a change while there are other processes leaves open
 * what they do. */
static void changes_locale(void) {
  if (!eo__outside_caller()) return;
  eo__actor->changed |= EO_CHANGED_LOCALE;
  if (eo__actor->live.count > 1) eo__watch_mislead(eo__actor->watch);
}

char *setlocale(int category, const char *locale) {
  if (locale) changes_locale();
  return EO_REAL(setlocale)(category, locale);
}

locale_t uselocale(locale_t locale) {
  if (locale) changes_locale();
  return EO_REAL(uselocale)(locale);
}

/* ---- The start, and back to it -------------------------------------------------------------------------------------- */

void eo__outside_state_open(void) {
  memset(handlers, 0, sizeof handlers);
  remember_signals();
  remember_environment();
  start.folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  start.umask = umask(0);
  umask(start.umask);
  for (int i = 0; i < RLIM_NLIMITS; i++) getrlimit((__rlimit_resource_t)i, &start.limits[i]);
  const char *locale = EO_REAL(setlocale)(LC_ALL, NULL);
  start.locale = locale ? eo__strdup(locale) : NULL;
  for (int i = 0; i < 3; i++) {
    start.standard[i] = fcntl(i, F_DUPFD_CLOEXEC, SAFE);
    start.standard_flags[i] = fcntl(i, F_GETFD);
    start.standard_status[i] = fcntl(i, F_GETFL);
  }
  start.known = true;
}

void eo__outside_state_close(void) {
  if (!start.known) return;
  eo__free(start.variables);
  eo__free(start.locale);
  if (start.folder >= 0) close(start.folder);
  for (int i = 0; i < 3; i++)
    if (start.standard[i] >= 0) close(start.standard[i]);
  memset(&start, 0, sizeof start);
}

static void put_back_standard(void) {
  for (int i = 0; i < 3; i++) {
    if (start.standard[i] < 0) {
      close(i);
      continue;
    }
    dup2(start.standard[i], i);
    fcntl(i, F_SETFD, start.standard_flags[i]);
    if (fcntl(i, F_GETFL) != start.standard_status[i]) fcntl(i, F_SETFL, start.standard_status[i]);
  }
}

void eo__outside_state_back(uint32_t changed) {
  if (changed & EO_CHANGED_SIGNALS) put_back_signals();
  if (changed & EO_CHANGED_FOLDER && start.folder >= 0 && fchdir(start.folder) != 0) {
  } /* it is there as long as we are */
  if (changed & EO_CHANGED_UMASK) umask(start.umask);
  for (int i = 0; changed & EO_CHANGED_LIMITS && i < RLIM_NLIMITS; i++)
    setrlimit((__rlimit_resource_t)i, &start.limits[i]);
  if (changed & EO_CHANGED_ENVIRONMENT) put_back_environment();
  if (changed & EO_CHANGED_LOCALE) {
    EO_REAL(uselocale)(LC_GLOBAL_LOCALE);
    if (start.locale) EO_REAL(setlocale)(LC_ALL, start.locale);
  }
  if (changed & EO_CHANGED_STANDARD) put_back_standard();
}
