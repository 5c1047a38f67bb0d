/* hostile_signals.c: signals in all ways: for hostile.sh. */
#define _GNU_SOURCE
#include "hostile_act.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void block_all(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
}

__attribute__((noreturn)) static void loop(void) {
  for (;;) {}
}

static int *volatile nowhere;

/* ---- Blocked and ignored ---------------------------------------------------------------------------------------- */

HOSTILE(blocks_all_and_loops) {
  block_all();
  loop();
}
HOSTILE(blocks_all_and_waits) {
  block_all();
  for (;;) syscall(SYS_nanosleep, &(struct timespec){.tv_sec = 60}, NULL);
}
EO_TEST(blocks_all_at_once) {
  block_all();
  loop();
}
HOSTILE(raw_blocks_and_loops) {
  unsigned long all = ~0UL;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
  loop();
}
HOSTILE(blocks_all_and_returns) { block_all(); }
HOSTILE(ignores_all_and_loops) {
  for (int number = 1; number < SIGRTMAX; number++) signal(number, SIG_IGN);
  loop();
}
HOSTILE(raw_ignores_and_loops) {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
  } action = {SIG_IGN, 0, NULL, 0};
  for (int number = 1; number < 64; number++) syscall(SYS_rt_sigaction, number, &action, NULL, sizeof action.mask);
  loop();
}
HOSTILE(ignores_segv) {
  signal(SIGSEGV, SIG_IGN);
  *nowhere = 1;
}

/* ---- Handled ---------------------------------------------------------------------------------------------------- */

static void handler_loops(int number) {
  (void)number;
  loop();
}
static void handler_blocks(int number) {
  (void)number;
  block_all();
  loop();
}
static void handler_returns(int number) { (void)number; }
static sigjmp_buf back;
static void handler_jumps(int number) {
  (void)number;
  siglongjmp(back, 1);
}

HOSTILE(segv_handler_loops) {
  signal(SIGSEGV, handler_loops);
  *nowhere = 1;
}
HOSTILE(segv_handler_returns) {
  signal(SIGSEGV, handler_returns);
  *nowhere = 1;
}
HOSTILE(segv_handler_jumps) {
  signal(SIGSEGV, handler_jumps);
  if (sigsetjmp(back, 1) == 0) *nowhere = 1;
}
HOSTILE(usr1_handler_loops) {
  signal(SIGUSR1, handler_loops);
  raise(SIGUSR1);
}
HOSTILE(usr1_handler_blocks) {
  signal(SIGUSR1, handler_blocks);
  raise(SIGUSR1);
}
HOSTILE(usr1_handler_jumps) {
  signal(SIGUSR1, handler_jumps);
  if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
}
HOSTILE(abort_handler_returns) {
  signal(SIGABRT, handler_returns);
  abort();
}
HOSTILE(small_signal_stack) {
  static char stack[8192];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  *nowhere = 1;
}
HOSTILE(no_signal_stack) {
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  *nowhere = 1;
}

/* ---- Timers ----------------------------------------------------------------------------------------------------- */

HOSTILE(alarm_and_loops) {
  alarm(1);
  loop();
}
HOSTILE(timer_kills) {
  setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 1000}, NULL);
  loop();
}
HOSTILE(timer_goes_on) {
  signal(SIGALRM, handler_returns);
  setitimer(ITIMER_REAL, &(struct itimerval){{.tv_usec = 1000}, {.tv_usec = 1000}}, NULL);
}
HOSTILE(suspends_itself) {
  sigset_t none;
  sigemptyset(&none);
  for (;;) sigsuspend(&none);
}

/* ---- Sent ------------------------------------------------------------------------------------------------------- */

HOSTILE(raises_stop) { raise(SIGSTOP); }
EO_TEST(raises_stop_at_once) { raise(SIGSTOP); }
HOSTILE(raw_stop) { syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP); }
HOSTILE(raises_kill) { syscall(SYS_kill, syscall(SYS_getpid), SIGKILL); }
HOSTILE(raises_term) { raise(SIGTERM); }
HOSTILE(raises_int) { raise(SIGINT); }
HOSTILE(raises_hup) { raise(SIGHUP); }
HOSTILE(raises_usr1) { raise(SIGUSR1); }
HOSTILE(raises_segv) { raise(SIGSEGV); }
HOSTILE(raises_abrt) { raise(SIGABRT); }
HOSTILE(raises_rt) { raise(SIGRTMIN + 7); }
HOSTILE(term_to_parent) { syscall(SYS_kill, syscall(SYS_getppid), SIGTERM); }
HOSTILE(int_to_parent) { syscall(SYS_kill, syscall(SYS_getppid), SIGINT); }
HOSTILE(hup_to_parent) { syscall(SYS_kill, syscall(SYS_getppid), SIGHUP); }
HOSTILE(term_to_group) { syscall(SYS_kill, 0, SIGTERM); }
HOSTILE(kill_to_group) { syscall(SYS_kill, 0, SIGKILL); }
HOSTILE(stop_to_group) { syscall(SYS_kill, 0, SIGSTOP); }
