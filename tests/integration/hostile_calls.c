/* hostile_calls.c: processes that ask the system, and the C library, for what works beside them or cannot be put back: see hostile_act.h. */
#define _GNU_SOURCE
#include "hostile_act.h"

#include <aio.h>
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static char bytes[65536] __attribute__((aligned(4096)));

/* Of /proc, so that it is the real one. */
static int real_parent(void) {
  int parent = 0;
  FILE *file = fopen("/proc/self/stat", "r");
  if (file && fscanf(file, "%*d %*s %*c %d", &parent) != 1) parent = 0;
  if (file) fclose(file);
  return parent;
}

/* ---- What works beside them ---- */

HOSTILE(spawns_directly) {
  extern char **environ;
  char *words[] = {"/bin/true", NULL};
  pid_t child;
  posix_spawn(&child, "/bin/true", NULL, NULL, words, environ);
}
HOSTILE(clones_raw) {
  unsigned long long wishes[11] = {[4] = SIGCHLD};
  if (syscall(SYS_clone3, wishes, sizeof wishes) == 0) _exit(0);
}
static struct aiocb wish(int file) { return (struct aiocb){.aio_fildes = file, .aio_buf = bytes, .aio_nbytes = 16}; }
HOSTILE(reads_aside) {
  static struct aiocb one;
  const struct aiocb *list[] = {&one};
  one = wish(open("/dev/zero", O_RDONLY));
  aio_read(&one);
  aio_suspend(list, 1, NULL);
}
HOSTILE(writes_aside) {
  static struct aiocb one;
  one = wish(open("/dev/null", O_WRONLY));
  aio_write(&one);
  while (aio_error(&one) == EINPROGRESS) {}
}
HOSTILE(lists_wishes) {
  static struct aiocb one;
  struct aiocb *list[] = {&one};
  one = wish(open("/dev/null", O_WRONLY));
  one.aio_lio_opcode = LIO_WRITE;
  lio_listio(LIO_WAIT, list, 1, NULL);
}
HOSTILE(sets_up_ring) {
  char parameters[256] = {0};
  syscall(SYS_io_uring_setup, 4, parameters);
}
HOSTILE(timer_signals) {
  struct sigevent then = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  timer_t timer;
  timer_create(CLOCK_REALTIME, &then, &timer);
}
HOSTILE(timer_starts_thread) {
  struct sigevent then = {.sigev_notify = SIGEV_THREAD};
  timer_t timer;
  timer_create(CLOCK_REALTIME, &then, &timer);
}

/* ---- Waiting ---- */

static int no_signal(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  return signalfd(-1, &set, 0);
}
HOSTILE(waits_for_signal_file) {
  struct signalfd_siginfo about;
  read(no_signal(), &about, sizeof about);
}
HOSTILE(has_signal_file) {
  struct signalfd_siginfo about;
  int file = no_signal();
  raise(SIGUSR1);
  eo_assert(read(file, &about, sizeof about) == sizeof about, "no signal");
}
HOSTILE(waits_for_event_file) {
  eventfd_t value;
  eventfd_read(eventfd(0, 0), &value);
}
HOSTILE(fills_event_file) {
  int file = eventfd(0, 0);
  eventfd_write(file, UINT64_MAX - 1);
  eventfd_write(file, 5);
}
HOSTILE(fills_pipe) {
  int ends[2];
  if (pipe(ends) == 0 && write(ends[1], bytes, sizeof bytes) > 0) write(ends[1], bytes, 1);
}
HOSTILE(waits_by_epoll) {
  int many = epoll_create1(0), file = eventfd(0, 0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(many, EPOLL_CTL_ADD, file, &event);
  epoll_wait(many, &event, 1, -1);
}
HOSTILE(waits_by_ppoll) {
  struct timespec long_time = {100, 0};
  syscall(SYS_ppoll, NULL, 0, &long_time, NULL, 8);
}
HOSTILE(waits_for_itself) {
  struct pollfd one = {(int)syscall(SYS_pidfd_open, getpid(), 0), POLLIN, 0};
  poll(&one, 1, -1);
}
HOSTILE(spins_twice) {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_spin_lock(&lock);
}

/* ---- Other programs ---- */

HOSTILE(signals_by_file) {
  syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, real_parent(), 0), SIGKILL, NULL, 0);
}
HOSTILE(steals_descriptors) { syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, real_parent(), 0), 3, 0); }
HOSTILE(kills_real_parent) { syscall(SYS_kill, real_parent(), SIGKILL); }
HOSTILE(traces_parent) { ptrace(PTRACE_ATTACH, real_parent(), NULL, NULL); }
HOSTILE(writes_into_parent) {
  struct iovec here = {bytes, 4096}, there = {bytes, 4096};
  process_vm_writev(real_parent(), &here, 1, &there, 1, 0);
}
HOSTILE(changes_personality) { personality(ADDR_NO_RANDOMIZE); }
HOSTILE(asks_for_personality) { personality(0xffffffff); }
HOSTILE(handles_faults) { syscall(SYS_userfaultfd, 0); }

/* ---- Memory ---- */

HOSTILE(unmaps_variables) { munmap(bytes, 4096); }
HOSTILE(unmaps_code) { munmap((void *)((uintptr_t)&eo_assert_ & ~4095ul), 4096); }
HOSTILE(unmaps_stack_raw) {
  char here[1];
  syscall(SYS_munmap, (uintptr_t)here & ~4095ul, 4096);
}
HOSTILE(moves_variables) { mremap(bytes, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, bytes + 4096); }
HOSTILE(maps_over_variables) { mmap(bytes, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); }
HOSTILE(protects_variables) { mprotect(bytes, 4096, PROT_NONE); }
HOSTILE(throws_variables_away) { madvise(bytes, 4096, MADV_DONTNEED); }
HOSTILE(opens_own_memory) { open("/proc/self/mem", O_RDWR); }
HOSTILE(renames_machine) { syscall(SYS_sethostname, "machine", 7L); }
HOSTILE(sets_the_clock) { syscall(SYS_clock_settime, -1L, NULL); }
HOSTILE(locks_all_memory) { mlockall(MCL_CURRENT); }
static volatile char *kept;
HOSTILE(leaps_over_guard) {
  kept = alloca(64 << 20);
  kept[0] = 1;
}
HOSTILE(takes_large_frame) {
  kept = alloca(7500 << 10);
  kept[0] = 1;
}
static jmp_buf place;
static void jumps(void *argument) {
  eo_message message;
  (void)argument;
  eo_receive(&message, EO_FOREVER);
  longjmp(place, 1);
}
HOSTILE(jumps_into_another) {
  eo_message message;
  eo_pid other = eo_spawn(jumps, NULL, 0);
  if (setjmp(place) != 0) return;
  eo_send(other, 1, NULL, 0);
  eo_receive_tag(&message, 77, 100);
}

/* ---- Stacks of its own ---- */

static ucontext_t main_context, other_context;
static void switch_to(void (*function)(void), ucontext_t *then) {
  getcontext(&other_context);
  other_context.uc_stack.ss_sp = bytes;
  other_context.uc_stack.ss_size = sizeof bytes;
  other_context.uc_link = then;
  makecontext(&other_context, function, 0);
  swapcontext(&main_context, &other_context);
}
static void operates(void) {
  eo_message message;
  eo_send(eo_self(), 9, NULL, 0);
  eo_receive_tag(&message, 9, EO_FOREVER);
}
HOSTILE(operates_on_own_stack) { switch_to(operates, &main_context); }
static void does_nothing(void) {}
HOSTILE(ends_with_own_stack) { switch_to(does_nothing, NULL); }
HOSTILE(gives_up_signal_stack) {
  stack_t none = {.ss_flags = SS_DISABLE};
  syscall(SYS_sigaltstack, &none, NULL);
  *(volatile int *)NULL = 1;
}

/* ---- The processor ---- */

HOSTILE(aborts_at_exit) { atexit(abort); }
#if defined(__x86_64__)
HOSTILE(traces_itself) { __asm__ volatile("pushf; orl $0x100,(%%rsp); popf; nop; nop" ::: "memory", "cc"); }
HOSTILE(forks_by_instruction) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_fork) : "rcx", "r11", "memory");
  for (; result == 0;) {}
}
HOSTILE(forks_by_x32) {
  for (; syscall(0x40000000 | SYS_fork) == 0;) {}
}
#endif
