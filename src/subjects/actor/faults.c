/* faults.c: what the program does to itself: crashes, stack overflow, loops without end.
 *
 * The handlers run on a stack of their own. A first write to a cold page and a watched access go on where they were;
 * anything else in a process's code ends the execution: the handler switches to the engine and never returns, which is
 * safe as the next reset throws the fiber away. A fault outside a process's code is a bug of ours, or the work of a wild
 * write: the default action then ends this worker, and whoever contains it carries on. */
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#include "subjects/actor/inside.h"
#include "subjects/actor/interpose.h"

enum { SIGNAL_STACK = 256 << 10, TICK_MS = 50 };

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static uintptr_t pc_of(void *ucontext) {
  ucontext_t *context = ucontext;
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
  return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static bool is_overflow(const eo_actor *actor, const void *address, void *ucontext) {
  ucontext_t *context = ucontext;
#if defined(__x86_64__)
  const char *sp = (const char *)context->uc_mcontext.gregs[REG_RSP];
#else
  const char *sp = (const char *)context->uc_mcontext.sp;
#endif
  const char *low = actor->running->arena + EO_PAGE;
  return eo_capture_is_guard(address) || sp < low || (sp < low + 4096 && (const char *)address < low);
}

/* The stack at the fault: from the interrupted instruction outwards. */
static void keep_stack(eo_failure *failure, uintptr_t pc) {
  void *frames[48];
  int count = backtrace(frames, 48), at = 0;
  while (at < count && (uintptr_t)frames[at] != pc) at++;
  failure->frames = 0;
  failure->stack[failure->frames++] = pc;
  for (int i = at + 1; i < count && failure->frames < 32; i++)
    failure->stack[failure->frames++] = (uintptr_t)frames[i] - 1; /* return addresses: the call is before them */
}

static void leave_process(eo_actor *actor) {
  actor->handling = false;
  eo__actor_leave(actor);
  __builtin_trap();
}

static void default_action(int signal_number) {
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* Only addresses that are the same in every run: the message tells one defect from another. */
static void add_address(const eo_actor *actor, const void *address, char *out, size_t size) {
  enum { NULL_PAGES = 64 << 10 };
  uintptr_t value = (uintptr_t)address;
  if (value < NULL_PAGES)
    snprintf(out, size, " at address %#lx: a NULL pointer%s", (unsigned long)value, value ? ", and an offset" : "");
  else if (eo_capture_slot_of(address) != EO_SLOTS || eo_capture_is_global(actor->capture, address))
    snprintf(out, size, " at address %p", address);
}

static void on_crash(int signal_number, siginfo_t *info, void *ucontext) {
  eo_actor *actor = eo__actor;
  if (!actor || actor->handling) {
    default_action(signal_number);
    return;
  }
  actor->handling = true;
  if (signal_number == SIGSEGV && info->si_code > 0 &&
      (eo_watch_fault(actor->watch, info->si_addr, ucontext) ||
       eo_capture_fault(actor->capture, info->si_addr, ucontext))) {
    actor->handling = false;
    return;
  }
  if (!actor->running) {
    actor->handling = false;
    default_action(signal_number);
    return;
  }
  if (signal_number == SIGSEGV && is_overflow(actor, info->si_addr, ucontext)) {
    eo__actor_fail(actor, EO_KIND_OVERFLOW, actor->running, NULL, "%s needs more than its %zu KiB of stack",
                   eo__actor_name(actor, actor->running->number), EO_STACK_SIZE >> 10);
    actor->failure.stack[0] = pc_of(ucontext);
    actor->failure.frames = 1;
  } else {
    char where[64] = "";
    if (signal_number == SIGSEGV || signal_number == SIGBUS) add_address(actor, info->si_addr, where, sizeof where);
    eo__actor_fail(actor, EO_KIND_CRASH, actor->running, NULL, "SIG%s (%s)%s", sigabbrev_np(signal_number),
                   sigdescr_np(signal_number), where);
    keep_stack(&actor->failure, pc_of(ucontext));
  }
  leave_process(actor);
}

static void on_trap(int signal_number, siginfo_t *info, void *ucontext) {
  eo_actor *actor = eo__actor;
  if (actor && eo_watch_trap(actor->watch, ucontext)) return;
  on_crash(signal_number, info, ucontext);
}

/* A step that has not ended for `limit` ticks is stuck. */
static void on_tick(int signal_number, siginfo_t *info, void *ucontext) {
  (void)signal_number;
  (void)info;
  eo_actor *actor = eo__actor;
  if (!actor || actor->handling) return;
  if (!actor->running || actor->watchdog.step != actor->world.steps) {
    actor->watchdog.step = actor->world.steps;
    actor->watchdog.ticks = 0;
    return;
  }
  if (++actor->watchdog.ticks < actor->watchdog.limit) return;
  actor->watchdog.ticks = 0;
  actor->handling = true;
  eo__actor_fail(actor, EO_KIND_LOOP, actor->running, NULL, "%s runs on and on without an operation (--watchdog)",
                 eo__actor_name(actor, actor->running->number));
  keep_stack(&actor->failure, pc_of(ucontext));
  leave_process(actor);
}

static int find_libc(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  const char *name = strrchr(info->dlpi_name, '/');
  if (!name || strncmp(name, "/libc.", 6) != 0) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    const char *low = (const char *)info->dlpi_addr + header->p_vaddr;
    eo__interpose_libc(low, low + header->p_memsz);
  }
  return 1;
}

static void set_handler(int signal_number, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, NULL);
}

void __sanitizer_start_switch_fiber(void **, const void *, size_t) __attribute__((weak));

static void find_own_stack(eo_actor *actor) {
  pthread_attr_t attributes;
  void *low = NULL;
  size_t size = 0;
  actor->sanitized = __sanitizer_start_switch_fiber != NULL;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  actor->engine_stack = low;
  actor->engine_stack_size = size;
}

static void start_ticking(void) {
  struct itimerval every = {{0, TICK_MS * 1000}, {0, TICK_MS * 1000}};
  setitimer(ITIMER_REAL, &every, NULL);
}

/* Timers end with a fork, and a copy of this process may have to go on where it was. */
static void tick_in_child(void) {
  if (eo__actor) start_ticking();
}

int eo__faults_open(eo_actor *actor, eo_error *error) {
  actor->signal_stack = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (actor->signal_stack == MAP_FAILED) {
    actor->signal_stack = NULL;
    return eo_error_nomem(error);
  }
  dl_iterate_phdr(find_libc, NULL);
  find_own_stack(actor);
  void *warm_up[1];
  backtrace(warm_up, 1); /* loads its library now, not inside a handler */
  sigaltstack(&(stack_t){.ss_sp = actor->signal_stack, .ss_size = SIGNAL_STACK}, NULL);
  for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++) set_handler(crash_signals[i], on_crash, 0);
  set_handler(SIGTRAP, on_trap, 0);
  set_handler(SIGALRM, on_tick, SA_RESTART);
  double ticks = actor->options.watchdog * 1000 / TICK_MS;
  actor->watchdog.limit = ticks < 2 ? 2 : ticks > 1e9 ? 1000000000u : (uint32_t)ticks;
  start_ticking();
  static _Thread_local bool forks_known;
  if (!forks_known) pthread_atfork(NULL, NULL, tick_in_child);
  forks_known = true;
  return EO_OK;
}

void eo__faults_close(eo_actor *actor) {
  if (!actor->signal_stack) return;
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
  for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++) signal(crash_signals[i], SIG_DFL);
  signal(SIGTRAP, SIG_DFL);
  signal(SIGALRM, SIG_IGN);
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  munmap(actor->signal_stack, SIGNAL_STACK);
}

void eo__faults_called(eo_actor *actor, const void *caller) {
  void *frames[48];
  int count = backtrace(frames, 48), at = 0;
  eo__faults_here(actor, caller);
  while (at < count && frames[at] != caller) at++;
  for (int i = at + 1; i < count && actor->failure.frames < 32; i++)
    actor->failure.stack[actor->failure.frames++] = (uintptr_t)frames[i] - 1;
}

void eo__faults_here(eo_actor *actor, const void *caller) {
  actor->failure.stack[0] = (uintptr_t)caller - 1;
  actor->failure.frames = 1;
}

const eo_failure *eo__actor_failure(eo_subject *subject) {
  eo_actor *actor = eo__actor_of(subject);
  eo_failure *failure = &actor->failure;
  /* The first frame of the program itself says more than one inside the C library. */
  for (uint32_t i = 0; i < failure->frames && failure->line == 0; i++) {
    eo_source source;
    if (!actor->symbols) actor->symbols = eo_symbols_open();
    if (!actor->symbols || !eo_symbols_source(actor->symbols, failure->stack[i], &source) || source.line == 0) continue;
    if (strcmp(source.function, "first_function") == 0) break; /* from here on it is ours */
    snprintf(failure->file, sizeof failure->file, "%s", source.file);
    failure->line = source.line;
  }
  return failure;
}
