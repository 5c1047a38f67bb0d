/* outside_trap.c: how the system calls of a process get to outside_calls.c. A filter (seccomp) lets the kernel answer all of them
 * with SIGSYS, but for those that are named there as free, which cost nothing. The handler looks who called: a process, and the
 * call is judged; the engine or another thread, and it is done. It is done by one instruction at an address that the filter
 * knows and lets pass (base/map.c).
 *
 * A filter stays for as long as the OS process lives, so it is installed only where that lives to explore. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/map.h"
#include "subjects/actor/faults.h"
#include "subjects/actor/outside.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

long eo__trap_pass(long number, const unsigned long a[6]) {
  return eo__call_system(number, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4], (long)a[5]);
}

/* A new thread or process would go on behind our instruction, on a stack that is not the handler's. */
static bool makes_another(long number) {
#ifdef SYS_fork
  if (number == SYS_fork || number == SYS_vfork) return true;
#endif
  return number == SYS_clone || number == SYS_clone3;
}

static void read_call(eo_call *call, const siginfo_t *info, ucontext_t *context) {
  call->number = info->si_syscall;
  call->pc = (uintptr_t)info->si_call_addr;
  call->context = context;
#if defined(__x86_64__)
  static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
  for (int i = 0; i < 6; i++) call->arguments[i] = (unsigned long)context->uc_mcontext.gregs[registers[i]];
#else
  for (int i = 0; i < 6; i++) call->arguments[i] = context->uc_mcontext.regs[i];
#endif
}

static void on_call(int signal_number, siginfo_t *info, void *ucontext) {
  ucontext_t *context = ucontext;
  eo_call call;
  (void)signal_number;
  int error_number = errno;
  read_call(&call, info, context);
  long result = -ENOSYS;
  if (info->si_code != 1) return; /* SYS_SECCOMP: somebody has sent the signal */
  if (eo__outside_caller())
    result = eo__call_judge(&call);
  else if (!makes_another(call.number))
    result = eo__trap_pass(call.number, call.arguments);
  errno = error_number;
#if defined(__x86_64__)
  context->uc_mcontext.gregs[REG_RAX] = result;
#else
  context->uc_mcontext.regs[0] = (unsigned long)result;
#endif
  if (eo__outside_caller()) eo__faults_handled(eo__actor, context);
}

/* Those that are free pass, and others if they come from eo__call_system. */
static unsigned short make_filter(struct sock_filter *filter) {
  size_t count;
  const short *free_ones = eo__call_free(&count);
  unsigned short at = 0;
  uint64_t called = (uint64_t)(uintptr_t)eo__call_system_made;
  EO_CHECK(count < 250); /* jumps are bytes */
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  filter[at++] =
      (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS); /* of another kind of program */
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__) /* a second way to each system call (x32) */
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
#endif
  for (size_t i = 0; i < count; i++) /* to the line behind the list */
    filter[at++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)free_ones[i], (uint8_t)(count - i), 0);
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[at++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer));
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)called, 0, 2);
  filter[at++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4);
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(called >> 32), 1, 0);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  return at;
}

bool eo__trap_open(void) {
  EO_OWN static bool installed;
  struct sock_filter filter[320];
  struct sock_fprog program = {make_filter(filter), filter};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSYS, &action, NULL);
  if (installed) return true;
  installed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  return installed;
}
