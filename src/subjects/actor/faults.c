/* faults.c: what the program does to itself: crashes, stack overflow, loops without end.
 *
 * The handlers run on a stack of their own. A first write to a cold page and a watched access go on where they were;
 * anything else in a process's code ends the execution: the handler switches to the engine and never returns, which is
 * safe as the next reset throws the fiber away. A fault outside a process's code is a bug of ours, or the work of a wild
 * write: the default action then ends this worker, and whoever contains it carries on. */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "base/map.h"
#include "subjects/actor/faults.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/interpose.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/pages.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/sharing.h"

enum { SIGNAL_STACK = 256 << 10, PATIENCE = 3 };

EO_OWN static struct sigaction before_us[2]; /* of SIGTERM and SIGINT */

static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static uintptr_t pc_of(void *ucontext) {
  ucontext_t *context = ucontext;
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
  return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static const char *sp_of(void *ucontext) {
  ucontext_t *context = ucontext;
#if defined(__x86_64__)
  return (const char *)context->uc_mcontext.gregs[REG_RSP];
#else
  return (const char *)context->uc_mcontext.sp;
#endif
}

static bool is_overflow(const eo_actor *actor, const void *address, void *ucontext) {
  const char *sp = sp_of(ucontext);
  const char *arena = actor->running->arena, *low = arena + EO_PAGE;
  return eo__capture_is_guard(arena, address) || sp < low || (sp < low + 4096 && (const char *)address < low);
}

/* An arena that belongs to no process of this execution: a stack that jumped past its guard, a wild pointer. */
static bool is_nobodys(const eo_actor *actor, const void *address) {
  uint32_t slot = eo__capture_slot_of(address);
  return actor->running && slot != EO_SLOTS && actor->processes[slot].state == EO_UNBORN;
}

/* Under audit, where memory of others is closed: has the stack jumped past its guard, into the arena of another process? */
static bool jumps_the_guard(eo_actor *actor, const void *address, void *ucontext) {
  uint32_t slot = eo__capture_slot_of(address), stack = eo__capture_slot_of(sp_of(ucontext));
  if (!actor->auditing || !actor->running || slot == EO_SLOTS || slot != stack || slot == actor->running->slot)
    return false;
  eo__actor_fail(actor, EO_KIND_BOUNDS, actor->running, NULL,
                 "%s needs more than its %zu KiB of stack: it reaches into memory of another process",
                 eo__actor_name(actor, actor->running->number), EO_STACK_SIZE >> 10);
  return true;
}

typedef struct unwound {
  void **frames;
  int count, room;
} unwound;

static _Unwind_Reason_Code keep_frame(struct _Unwind_Context *context, void *stack) {
  unwound *kept = stack;
  if (kept->count >= 0) kept->frames[kept->count] = (void *)_Unwind_GetIP(context);
  return ++kept->count == kept->room ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Return addresses from the caller's frame outwards. glibc's backtrace() does the same with a library that it loads at the
 * first call: that is too late inside a handler, and too late for binding.c to know the library. */
__attribute__((noinline)) static int unwind(void **frames, int room) {
  unwound kept = {frames, -1, room}; /* the first frame is that of this function */
  _Unwind_Backtrace(keep_frame, &kept);
  return kept.count > 0 ? kept.count : 0;
}

uint32_t eo__faults_frames(uintptr_t pc, uintptr_t *out, uint32_t room) {
  void *frames[48];
  int count = unwind(frames, 48), at = 0;
  uint32_t kept = 0;
  while (at < count && (uintptr_t)frames[at] != pc) at++;
  out[kept++] = pc;
  for (int i = at + 1; i < count && kept < room; i++)
    out[kept++] = (uintptr_t)frames[i] - 1; /* return addresses: the call is before them */
  return kept;
}

/* The stack at the fault: from the interrupted instruction outwards. */
static void keep_stack(eo_failure *failure, uintptr_t pc) {
  failure->frames = eo__faults_frames(pc, failure->stack, 32);
}

/* A call of what is no code: only who called is known, from where the call has put it. */
static void keep_caller(eo_failure *failure, void *ucontext) {
  ucontext_t *context = ucontext;
#if defined(__x86_64__)
  uintptr_t *sp = (uintptr_t *)context->uc_mcontext.gregs[REG_RSP];
  uintptr_t caller = eo__capture_slot_of(sp) != EO_SLOTS ? *sp : 0;
#else
  uintptr_t caller = (uintptr_t)context->uc_mcontext.regs[30];
#endif
  failure->stack[0] = caller - 1;
  failure->frames = caller ? 1 : 0;
}

static void leave_process(eo_actor *actor) {
  actor->handling = false;
  eo__locks_back();
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
  else if (eo__capture_slot_of(address) != EO_SLOTS || eo__capture_is_global(actor->capture, address))
    snprintf(out, size, " at address %p", address);
}

/* The pulse is odd while a process runs, unless the program has written over it. */
static bool is_overdue(const eo_actor *actor) {
  return actor->running && *actor->pulse % 2 &&
         __atomic_load_n(&actor->watchdog.overdue, __ATOMIC_RELAXED) == *actor->pulse;
}

static void end_loop(eo_actor *actor, void *ucontext) {
  actor->handling = true;
  if (actor->options.hurry && *actor->options.hurry) *actor->options.gave_up = 1;
  if (actor->watchdog.process != actor->running->number || actor->watchdog.step != actor->world.steps)
    actor->watchdog.again = 0;
  actor->watchdog.process = actor->running->number;
  actor->watchdog.step = actor->world.steps;
  if (actor->watchdog.again == 0) actor->watchdog.again = 2;
  eo__actor_fail(actor, EO_KIND_LOOP, actor->running, NULL, "%s runs on and on without an operation (--watchdog)",
                 eo__actor_name(actor, actor->running->number));
  keep_stack(&actor->failure, pc_of(ucontext));
  leave_process(actor);
}

/* The outermost function of the C library on the stack of the process that runs: it has returned when the stack pointer is
 * at `end`. */
typedef struct library_frame {
  const eo_actor *actor;
  bool inside; /* the frame before was the library's */
  const char *end;
} library_frame;

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *found) {
  library_frame *frame = found;
  const char *sp = (const char *)_Unwind_GetCFA(context); /* of this frame, after the call that it is in */
  if (frame->inside && eo__capture_slot_of(sp) == frame->actor->running->slot) frame->end = sp;
  frame->inside = eo__interpose_is_libc(_Unwind_GetIP(context) - 1);
  return _URC_NO_REASON;
}

/* Code that is left in the middle of the C library may hold a lock there, for which the next execution would wait. So a
 * loop that calls it is stepped, instruction by instruction, to where it comes out. That can fail: it may wait in a
 * system call. */
static bool steps_out(eo_actor *actor, void *ucontext) {
  enum { MOST = 1 << 16 };
  const char *sp = sp_of(ucontext);
  if (actor->watchdog.leaves != *actor->pulse) {
    actor->watchdog.leaves = *actor->pulse;
    actor->watchdog.steps = actor->watchdog.steps_before = 0;
    actor->watchdog.end = NULL;
  }
  if (actor->watchdog.steps++ == MOST) return false;
  if (sp >= actor->signal_stack && sp < actor->signal_stack + SIGNAL_STACK)
    return true; /* a handler's end will do it */
  if (!actor->watchdog.end) {
    library_frame frame = {.actor = actor, .end = sp};
    _Unwind_Backtrace(look_at_frame, &frame);
    actor->watchdog.end = frame.end;
  }
  return (eo__interpose_is_libc(pc_of(ucontext)) || sp < actor->watchdog.end) && eo__watch_step(ucontext);
}

/* The program may go on; unless it has been at it for too long, stepped access by stepped access. */
void eo__faults_handled(eo_actor *actor, void *ucontext) {
  actor->handling = false;
  if (is_overdue(actor) && !steps_out(actor, ucontext)) end_loop(actor, ucontext);
}

static void on_crash(int signal_number, siginfo_t *info, void *ucontext) {
  eo_actor *actor = eo__actor;
  if (!actor || actor->handling) {
    /* A handler of ours that looks at a stack may meet a page that is closed. */
    bool closed = actor && signal_number == SIGSEGV && eo__watch_fault_of_ours(actor->watch, info->si_addr, ucontext);
    if (!closed) default_action(signal_number);
    return;
  }
  actor->handling = true;
  bool fault = signal_number == SIGSEGV && info->si_code > 0;
  bool breach = fault && eo__bounds_breach(actor, info->si_addr, eo__fault_is_write(ucontext));
  if (breach || (fault && jumps_the_guard(actor, info->si_addr, ucontext))) {
    keep_stack(&actor->failure, pc_of(ucontext));
    if (!breach || !eo__bounds_later(actor, info->si_addr)) leave_process(actor);
  }
  if (fault && !is_nobodys(actor, info->si_addr) &&
      (eo__watch_fault(actor->watch, info->si_addr, ucontext) ||
       eo__capture_fault(actor->capture, info->si_addr, ucontext))) {
    eo__faults_handled(actor, ucontext);
    return;
  }
  if (!actor->running) {
    actor->handling = false;
    default_action(signal_number);
    return;
  }
  if (signal_number == SIGSEGV && info->si_code > 0 && is_overflow(actor, info->si_addr, ucontext)) {
    eo__actor_fail(actor, EO_KIND_OVERFLOW, actor->running, NULL, "%s needs more than its %zu KiB of stack",
                   eo__actor_name(actor, actor->running->number), EO_STACK_SIZE >> 10);
    actor->failure.stack[0] = pc_of(ucontext);
    actor->failure.frames = 1;
  } else {
    char where[64] = "", refused[160] = "";
    if ((signal_number == SIGSEGV || signal_number == SIGBUS) && info->si_code > 0) /* else somebody sent it */
      add_address(actor, info->si_addr, where, sizeof where);
    if (actor->running->refused)
      snprintf(refused, sizeof refused,
               "; malloc had given it NULL for %zu bytes: a process can have about 55 MiB here",
               actor->running->refused);
    const eo_place *place = actor->running->entering ? actor->running->pending->place : NULL;
    eo__actor_fail(actor, EO_KIND_CRASH, actor->running, place, "SIG%s (%s)%s%s", sigabbrev_np(signal_number),
                   sigdescr_np(signal_number), where, refused);
    if (info->si_addr == (void *)pc_of(ucontext) && signal_number == SIGSEGV)
      keep_caller(&actor->failure, ucontext);
    else
      keep_stack(&actor->failure, pc_of(ucontext));
  }
  leave_process(actor);
}

static void on_trap(int signal_number, siginfo_t *info, void *ucontext) {
  eo_actor *actor = eo__actor;
  bool watched = actor && eo__watch_trap(actor->watch, ucontext);
  bool leaves = actor && !actor->handling && is_overdue(actor) && actor->watchdog.leaves == *actor->pulse;
  if (leaves) eo__faults_handled(actor, ucontext);
  if (leaves || watched) return;
  on_crash(signal_number, info, ucontext);
}

/* From the watchdog, and some moments later again if that has not ended it. Inside a handler of ours it has to wait for its
 * end (eo__faults_handled), unless that does not come. */
static void on_overdue(int signal_number, siginfo_t *info, void *ucontext) {
  (void)signal_number;
  (void)info;
  eo_actor *actor = eo__actor;
  if (!actor || actor->handling || !is_overdue(actor)) return;
  bool first = actor->watchdog.leaves != *actor->pulse, goes_on = steps_out(actor, ucontext);
  bool moves = first || actor->watchdog.steps != actor->watchdog.steps_before + 1;
  actor->watchdog.steps_before = actor->watchdog.steps;
  actor->watchdog.stuck = moves ? 0 : actor->watchdog.stuck + 1;
  if (!goes_on || actor->watchdog.stuck == PATIENCE) end_loop(actor, ucontext);
}

/* A signal that the program sends itself. From outside, the parent hears it too and says when to stop. */
static void on_polite(int signal_number, siginfo_t *info, void *ucontext) {
  if (eo__actor && eo__actor->running && info->si_pid == (pid_t)eo__trap_pass(SYS_getpid, (const unsigned long[6]){0}))
    on_crash(signal_number, info, ucontext);
}

static int find_library(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  const char *name = strrchr(info->dlpi_name, '/');
  bool loader = name && strncmp(name, "/ld-", 4) == 0;
  if (!name || (!loader && strncmp(name, "/libc.", 6) != 0)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    const char *low = (const char *)info->dlpi_addr + header->p_vaddr;
    (loader ? eo__interpose_loader : eo__interpose_libc)(low, low + header->p_memsz);
  }
  return 0;
}

static void set_handler(int signal_number, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, NULL);
}

/* Not through the C library: a handler that runs on the stack, as that of a trapped call would, cannot change it. */
static void set_signal_stack(stack_t stack) {
  eo__trap_pass(SYS_sigaltstack, (const unsigned long[6]){(unsigned long)(uintptr_t)&stack, 0, 0, 0, 0, 0});
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

int eo__faults_open(eo_actor *actor, eo_error *error) {
  actor->signal_stack = eo__map(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (actor->signal_stack == MAP_FAILED) {
    actor->signal_stack = NULL;
    return eo__error_nomem(error);
  }
  dl_iterate_phdr(find_library, NULL);
  actor->uncaptured = eo__interpose_foreign();
  find_own_stack(actor);
  actor->apart = actor->sanitized;
  set_signal_stack((stack_t){.ss_sp = actor->signal_stack, .ss_size = SIGNAL_STACK});
  for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++) set_handler(crash_signals[i], on_crash, 0);
  set_handler(SIGTRAP, on_trap, 0);
  set_handler(EO_WATCHDOG_SIGNAL, on_overdue, SA_RESTART);
  sigaction(SIGTERM, NULL, &before_us[0]);
  sigaction(SIGINT, NULL, &before_us[1]);
  set_handler(SIGTERM, on_polite, SA_RESTART);
  set_handler(SIGINT, on_polite, SA_RESTART);
  return EO_OK;
}

void eo__faults_close(eo_actor *actor) {
  if (!actor->signal_stack) return;
  for (size_t i = 0; i < sizeof crash_signals / sizeof *crash_signals; i++) signal(crash_signals[i], SIG_DFL);
  signal(SIGTRAP, SIG_DFL);
  signal(EO_WATCHDOG_SIGNAL, SIG_IGN);
  sigaction(SIGTERM, &before_us[0], NULL);
  sigaction(SIGINT, &before_us[1], NULL);
  set_signal_stack((stack_t){.ss_flags = SS_DISABLE});
  munmap(actor->signal_stack, SIGNAL_STACK);
}

void eo__faults_abandon(const eo_actor *actor) {
  if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(actor->signal_stack, SIGNAL_STACK);
}

void eo__faults_called(eo_actor *actor, const void *caller) {
  void *frames[48];
  int count = unwind(frames, 48), at = 0;
  eo__faults_here(actor, caller);
  while (at < count && frames[at] != caller) at++;
  for (int i = at + 1; i < count && actor->failure.frames < 32; i++)
    actor->failure.stack[actor->failure.frames++] = (uintptr_t)frames[i] - 1;
}

void eo__faults_here(eo_actor *actor, const void *caller) {
  actor->failure.stack[0] = (uintptr_t)caller - 1;
  actor->failure.frames = 1;
}

/* Code of the system's libraries says little about where the program went wrong. */
bool eo__faults_is_system(uintptr_t pc) {
  Dl_info info;
  if (!dladdr((void *)pc, &info) || !info.dli_fname) return false;
  return strncmp(info.dli_fname, "/lib", 4) == 0 || strncmp(info.dli_fname, "/usr/lib", 8) == 0;
}

bool eo__faults_source(eo_actor *actor, const uintptr_t *frames, uint32_t count, eo_source *source) {
  for (uint32_t i = 0; i < count; i++) {
    /* The first frame of the program itself says more than one inside the C library. */
    if (eo__faults_is_system(frames[i]) || eo__outside_passes_on(frames[i])) continue;
    if (!actor->symbols) actor->symbols = eo__symbols_open();
    if (!actor->symbols || !eo__symbols_source(actor->symbols, frames[i], source) || source->line == 0) continue;
    return strcmp(source->function, "first_function") != 0; /* from there on it is ours */
  }
  return false;
}

const eo_failure *eo__actor_failure(eo_subject *subject) {
  eo_actor *actor = eo__actor_of(subject);
  eo_failure *failure = &actor->failure;
  eo_source source;
  if (failure->line == 0 && eo__faults_source(actor, failure->stack, failure->frames, &source)) {
    snprintf(failure->file, sizeof failure->file, "%s", source.file);
    failure->line = source.line;
  }
  return failure;
}
