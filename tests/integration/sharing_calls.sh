#!/usr/bin/env bash
# Memory of the program that system calls use: the kernel finds it open in every execution, and what it reads and writes there
# counts as an access of the process that calls, under every strategy.
# builds: release
# shellcheck source=tests/integration/tools.bash
# takes: 6
source "$EO_SRC/tests/integration/tools.bash"

cat >calls.c <<'CODE'
#define _GNU_SOURCE
#include <everyorder.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static char text[10000], path[64], other[10000];
static int ends[2], pair[2];
static struct stat about;
static struct utsname name;
static struct iovec vector[2];
static struct msghdr header;
static struct pollfd polled;
static fd_set set;

#define GOOD(call) eo_assert((call) >= 0, "%s: %s", #call, strerror(errno))

/* Each call has operands in globals and, the second time, in memory of P1 that it has told of. */
static void use(char *bytes, size_t size) {
  GOOD(pipe(ends));
  strcpy(path, "/etc/passwd");
  int file = open(path, O_RDONLY);
  GOOD(file);
  eo_sleep(1);
  GOOD(read(file, bytes, size));
  GOOD(pread(file, bytes + 1, size - 1, 3));
  GOOD(fstat(file, &about));
  GOOD(stat(path, &about));
  GOOD(uname(&name));
  GOOD(readlink("/proc/self/exe", bytes, size));
  eo_assert(getcwd(bytes, size), "getcwd: %s", strerror(errno));
  eo_sleep(1);
  memset(bytes, 'x', size);
  eo_sleep(1);
  eo_assert(write(ends[1], bytes, size) == (long)size, "write: %s", strerror(errno));
  eo_assert(read(ends[0], other, size) == (long)size && !memcmp(other, bytes, size), "read: %s", strerror(errno));
  vector[0] = (struct iovec){bytes, size / 2};
  vector[1] = (struct iovec){other, size / 4};
  eo_sleep(1);
  GOOD(writev(ends[1], vector, 2));
  GOOD(readv(ends[0], vector, 2));
  GOOD(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
  header = (struct msghdr){.msg_iov = vector, .msg_iovlen = 2};
  eo_sleep(1);
  GOOD(sendmsg(pair[0], &header, 0));
  polled = (struct pollfd){pair[1], POLLIN, 0};
  FD_SET(pair[1], &set);
  eo_sleep(1);
  eo_assert(poll(&polled, 1, 0) == 1 && polled.revents == POLLIN, "poll: %s", strerror(errno));
  GOOD(select(pair[1] + 1, &set, NULL, NULL, &(struct timeval){0, 0}));
  GOOD(recvmsg(pair[1], &header, 0));
  GOOD(send(pair[0], bytes, 100, 0));
  eo_assert(recv(pair[1], other, sizeof other, 0) == 100, "recv: %s", strerror(errno));
  close(file);
  for (int i = 0; i < 2; i++) {
    close(ends[i]);
    close(pair[i]);
  }
}

typedef struct task {
  eo_pid to;
  char *bytes;
} task;

static void uses(void *argument) {
  task now = *(task *)argument;
  use(now.bytes ? now.bytes : text, 120);
  eo_send(now.to, 1, NULL, 0);
}

static void in_turn(char *bytes) {
  task now = {eo_self(), bytes};
  eo_message m;
  use(bytes ? bytes : text, 120);
  eo_spawn(uses, &now, sizeof now);
  eo_receive(&m, EO_FOREVER);
  use(bytes ? bytes : text, 120);
}

EO_TEST(ok_globals) { in_turn(NULL); }
EO_TEST(ok_stack) {
  char bytes[120];
  in_turn(bytes);
}
EO_TEST(ok_heap) {
  char *bytes = malloc(120);
  in_turn(bytes);
  free(bytes);
}

/* ---- Not in order ---- */

static void reads_file(void *argument) {
  int file = open("/etc/passwd", O_RDONLY);
  (void)argument;
  eo_sleep(1);
  read(file, text + 100, 50);
  close(file);
}

EO_TEST(shares_read) {
  eo_spawn(reads_file, NULL, 0);
  eo_sleep(1);
  eo_assert(text[120] != 1, "seen");
}

static void writes_pipe(void *argument) {
  char *bytes = *(char **)argument;
  GOOD(pipe(pair));
  eo_sleep(1);
  write(pair[1], bytes, 10);
}

EO_TEST(shares_write) {
  char *bytes = calloc(1, 100);
  eo_spawn(writes_pipe, &bytes, sizeof bytes);
  eo_sleep(1);
  bytes[5] = 1;
}

static void opens_path(void *argument) {
  (void)argument;
  eo_sleep(1);
  close(open(path, O_RDONLY));
}

EO_TEST(shares_path) {
  strcpy(path, "/etc/passwd");
  eo_spawn(opens_path, NULL, 0);
  eo_sleep(1);
  path[1] = 'E';
}

/* Calls that answer in memory of the program, which nobody has used before: its page is as it is for the kernel to write to. */
typedef struct __attribute__((aligned(4096))) page { long words[512]; } page;
#define ANSWER(call_name, call)                                          \
  static page answer_##call_name;                                        \
  static void asks_##call_name(void *argument) {                         \
    long *at = answer_##call_name.words;                                 \
    (void)argument;                                                      \
    eo_sleep(1);                                                         \
    GOOD(call);                                                          \
    eo_send(*(eo_pid *)argument, 1, NULL, 0);                            \
  }                                                                      \
  EO_TEST(ok_answer_##call_name) {                                       \
    eo_message m;                                                        \
    eo_pid self = eo_self();                                             \
    eo_spawn(asks_##call_name, &self, sizeof self);                      \
    eo_receive(&m, EO_FOREVER);                                          \
    eo_assert(answer_##call_name.words[0] != -1, "there is an answer");  \
  }                                                                      \
  EO_TEST(shares_answer_##call_name) {                                   \
    eo_pid self = eo_self();                                             \
    eo_spawn(asks_##call_name, &self, sizeof self);                      \
    eo_sleep(1);                                                         \
    if (answer_##call_name.words[0] == -1) eo_sleep(1);                  \
  }
static int a_socket(void) {
  static const struct sockaddr_un any = {AF_UNIX, ""};
  int made = socket(AF_UNIX, SOCK_DGRAM, 0);
  GOOD(bind(made, (const struct sockaddr *)&any, sizeof any.sun_family));
  return made;
}
ANSWER(getresuid, getresuid((uid_t *)at, (uid_t *)at + 1, (uid_t *)at + 2))
ANSWER(getresgid, getresgid((gid_t *)at, (gid_t *)at + 1, (gid_t *)at + 2))
ANSWER(getgroups, getgroups(64, (gid_t *)at))
ANSWER(sigpending, sigpending((sigset_t *)at))
ANSWER(getrlimit, getrlimit(RLIMIT_NOFILE, (struct rlimit *)at))
ANSWER(getitimer, getitimer(ITIMER_REAL, (struct itimerval *)at))
ANSWER(clock_getres, syscall(SYS_clock_getres, CLOCK_REALTIME, at))
ANSWER(prctl, prctl(PR_GET_NAME, at))
ANSWER(affinity, sched_getaffinity(0, 128, (cpu_set_t *)at))
ANSWER(parameter, sched_getparam(0, (struct sched_param *)at))
ANSWER(interval, sched_rr_get_interval(0, (struct timespec *)at))
ANSWER(getsockname, (at[4] = 100, getsockname(a_socket(), (struct sockaddr *)at, (socklen_t *)(at + 4))))
ANSWER(getsockopt, (at[4] = 4, getsockopt(a_socket(), SOL_SOCKET, SO_TYPE, at, (socklen_t *)(at + 4))))
ANSWER(ioctl, ioctl(a_socket(), FIONREAD, at))
ANSWER(statfs, statfs("/", (struct statfs *)at))

/* An address that goes through a pipe. */
static int through[2];
static void gets_address(void *argument) {
  int *at;
  eo_message m;
  (void)argument;
  eo_receive(&m, EO_FOREVER);
  read(through[0], &at, sizeof at);
  ++*at;
}
EO_TEST(shares_through_pipe) {
  int *at = calloc(1, sizeof *at);
  GOOD(pipe(through));
  GOOD(write(through[1], &at, sizeof at));
  eo_send(eo_spawn(gets_address, NULL, 0), 1, NULL, 0);
  eo_sleep(1);
  ++*at;
}

/* ---- Behind a message ---- */

static void writes_more(void *argument) {
  eo_message m;
  (void)argument;
  GOOD(pipe(ends));
  eo_receive(&m, EO_FOREVER);
  write(ends[1], m.data, m.size + 1);
}
EO_TEST(past_the_end) { eo_send(eo_spawn(writes_more, NULL, 0), 1, "12345", 5); }
CODE
compile calls.c calls

for strategy in dfs dpor ses 'preempt --cache unlimited' random; do
  for test in ok_globals ok_heap ok_stack; do
    status=0
    if [ "$strategy" = random ]; then status=3; fi
    # shellcheck disable=SC2086 # several words
    run $status ./calls --test $test --strategy $strategy --executions 30 --tickets none
  done
done
line_of() { grep -nF -- "$1" calls.c | head -n 1 | cut -d : -f 1; }
while read -r test who; do
  for strategy in dfs dpor ses; do
    rm -rf everyorder-tickets
    run 1 ./calls --test "$test" --strategy $strategy
    says out 'hidden sharing: '
    says out "calls.c:$(line_of "$who")"
    run 1 "$everyorder" replay everyorder-tickets/*.ticket
    says out 'reproduced: hidden sharing'
  done
done <<'TABLE'
shares_read read(file, text + 100, 50)
shares_write write(pair[1], bytes, 10)
shares_path close(open(path
shares_through_pipe ++*at;
TABLE
mapfile -t answers < <(./calls list | sed -nE 's/^ok_answer_([a-z_]*) .*/\1/p')
[ ${#answers[@]} = 15 ] || problem "${#answers[@]} calls that answer"
for call in "${answers[@]}"; do
  alone=0 together=1
  case $call in
    statfs) alone=3 ;;           # a call that is not in the table
    ioctl) alone=3 together=3 ;; # one whose operand is not known: who has used what is seen by nobody
  esac
  run $alone ./calls --test "ok_answer_$call" --strategy dfs --tickets none
  run $together ./calls --test "shares_answer_$call" --strategy dpor --tickets none
  if [ $together = 1 ]; then says out "hidden sharing: answer_$call: "; fi
done
for strategy in dfs dpor; do
  rm -rf everyorder-tickets
  run 1 ./calls --test past_the_end --strategy $strategy
  says out 'out of bounds: P1.1 reads past the end of a message of 5 bytes'
  says out "calls.c:$(line_of 'write(ends[1], m.data, m.size + 1)')"
  run 1 "$everyorder" replay everyorder-tickets/*.ticket
done
all_well
