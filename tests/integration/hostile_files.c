/* hostile_files.c: descriptors, limits, and what else belongs to the whole process: for hostile.sh. */
#define _GNU_SOURCE
#include "hostile_act.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Descriptors ------------------------------------------------------------------------------------------------ */

/* Each that is open, where some may be: low ones, and those around limits. */
static void each_file(void (*call)(int file)) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  const int around[] = {32, 1024, 1 << 16, (int)limit.rlim_cur};
  for (size_t i = 0; i < sizeof around / sizeof *around; i++)
    for (int file = around[i] - 29; file < around[i] + 32; file++)
      if (syscall(SYS_fcntl, file, F_GETFD) >= 0) call(file);
}
static void write_letters(int file) { (void)!syscall(SYS_write, file, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", 40); }
static void write_one(int file) { (void)!syscall(SYS_write, file, "A", 1); }
static void write_much(int file) {
  static char much[1 << 16];
  for (int i = 0; i < 64; i++) (void)!syscall(SYS_sendto, file, much, sizeof much, MSG_DONTWAIT, NULL, 0);
}
/* The head of a message that never ends. */
static void write_head(int file) {
  const uint64_t head[3] = {UINT64_C(0x0be5e9e4c0f1a7d3), UINT64_MAX, 0};
  (void)!syscall(SYS_write, file, head, sizeof head);
}
/* A message that adds up, and is none. */
static void write_nonsense(int file) {
  const uint64_t head[4] = {UINT64_C(0x0be5e9e4c0f1a7d3), 0, UINT64_C(0x2d06800538d394c2), 0};
  (void)!syscall(SYS_write, file, head, sizeof head);
}
static void read_all(int file) {
  char byte;
  (void)!syscall(SYS_read, file, &byte, 1);
}
static void close_one(int file) { syscall(SYS_close, file); }
static void shut_down(int file) { syscall(SYS_shutdown, file, SHUT_RDWR); }
static void make_impatient(int file) { syscall(SYS_fcntl, file, F_SETFL, O_NONBLOCK); }
static void replace(int file) { syscall(SYS_dup2, 2, file); }

HOSTILE(closes_low) {
  for (int file = 0; file < 1000; file++) syscall(SYS_close, file);
}
HOSTILE(closes_all) { each_file(close_one); }
HOSTILE(closes_range) { syscall(SYS_close_range, 0, ~0U, 0); }
EO_TEST(closes_range_at_once) { syscall(SYS_close_range, 3, ~0U, 0); }
HOSTILE(replaces_all) { each_file(replace); }
HOSTILE(shuts_down_all) { each_file(shut_down); }
HOSTILE(writes_low) {
  for (int file = 3; file < 64; file++) write_letters(file);
}
HOSTILE(writes_all) { each_file(write_letters); }
HOSTILE(writes_one_byte) { each_file(write_one); }
HOSTILE(writes_much) { each_file(write_much); }
HOSTILE(writes_head) { each_file(write_head); }
HOSTILE(writes_nonsense) { each_file(write_nonsense); }
HOSTILE(reads_all) { each_file(read_all); }
HOSTILE(makes_all_impatient) { each_file(make_impatient); }
HOSTILE(takes_many_files) {
  for (int i = 0; i < 200; i++) syscall(SYS_dup, 0);
}
HOSTILE(reads_input) { (void)getchar(); }
HOSTILE(waits_for_pipe) {
  int ends[2];
  char byte;
  if (pipe(ends) == 0) (void)!syscall(SYS_read, ends[0], &byte, 1);
}
HOSTILE(prints_for_ever) {
  for (;;) puts("again");
}
HOSTILE(writes_errors_for_ever) {
  for (;;) (void)!syscall(SYS_write, 2, "again\n", 6);
}
HOSTILE(prints_much) {
  for (int i = 0; i < 100000; i++) printf("line %d of much\n", i);
}

/* ---- Limits ----------------------------------------------------------------------------------------------------- */

static void limit(int what, rlim_t value) {
  const struct rlimit low = {value, value};
  setrlimit((__rlimit_resource_t)what, &low);
}

HOSTILE(limits_files) { limit(RLIMIT_NOFILE, 0); }
HOSTILE(limits_memory) { limit(RLIMIT_AS, 1 << 20); }
HOSTILE(limits_stack) { limit(RLIMIT_STACK, 4096); }
HOSTILE(limits_size) { limit(RLIMIT_FSIZE, 0); }
HOSTILE(limits_processes) { limit(RLIMIT_NPROC, 0); }
HOSTILE(limits_time) {
  limit(RLIMIT_CPU, 1);
  for (;;) {}
}
HOSTILE(maps_much) {
  for (int i = 0; i < 64; i++)
    (void)mmap(NULL, (size_t)1 << 36, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* ---- The whole process ------------------------------------------------------------------------------------------ */

static void forbid(unsigned what, unsigned call) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, what),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

HOSTILE(seccomp_strict) { prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT); }
HOSTILE(seccomp_kills_sending) { forbid(SECCOMP_RET_KILL_PROCESS, SYS_sendto); }
HOSTILE(seccomp_kills_thread) { forbid(SECCOMP_RET_KILL_THREAD, SYS_sendto); }
HOSTILE(seccomp_refuses_sending) { forbid(SECCOMP_RET_ERRNO | 1, SYS_sendto); }
HOSTILE(seccomp_refuses_exit) { forbid(SECCOMP_RET_ERRNO | 1, SYS_exit_group); }
HOSTILE(wants_a_tracer) {
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGCONT);
}
HOSTILE(is_not_dumpable) { prctl(PR_SET_DUMPABLE, 0); }
HOSTILE(takes_another_name) { prctl(PR_SET_NAME, "other"); }
HOSTILE(forgets_its_parent) { prctl(PR_SET_PDEATHSIG, 0); }
HOSTILE(has_a_session) { setsid(); }
HOSTILE(has_a_group_and_loops) {
  setpgid(0, 0);
  for (;;) {}
}
HOSTILE(personality_changes) { personality(ADDR_COMPAT_LAYOUT); }
HOSTILE(goes_elsewhere) { (void)!chdir("/"); }
HOSTILE(changes_root) { (void)!chroot("/proc"); }
HOSTILE(changes_umask) { umask(0); }
HOSTILE(changes_environment) {
  setenv("HOSTILE_VARIABLE", "1", 1);
  unsetenv("PATH");
}
HOSTILE(changes_locale) { setlocale(LC_ALL, "C.UTF-8"); }
HOSTILE(is_real_time) { sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}); }
HOSTILE(is_idle) { sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}); }
HOSTILE(is_bound_to_one) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
}
HOSTILE(is_another_user) { (void)!syscall(SYS_setresuid, 65534, 65534, 65534); }
HOSTILE(loads_a_library) { (void)dlopen("libm.so.6", RTLD_NOW); }
