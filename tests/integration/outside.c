/* outside.c: programs that reach outside their messages, one test for each way: for outside.sh, whose table says what must
 * come of each. */
#include <everyorder.h>

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <linux/filter.h>
#include <locale.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

extern char **environ;

/* Each process does something else with each number it is given; whoever draws others has another number of executions. */
static void act_on(uint64_t number) { eo_choose((unsigned)(number % 7 + 1)); }

/* ---- Random numbers and clocks: as many executions each time ------------------------------------------------------------ */

static void draws(void *argument) {
  int which;
  memcpy(&which, argument, sizeof which);
  unsigned short state[3] = {1, 2, 3};
  uint64_t number = 0;
  switch (which) {
    case 0: number = (uint64_t)rand(); break;
    case 1: number = (uint64_t)random(); break;
    case 2: number = (uint64_t)(drand48() * 1e9); break;
    case 3: number = (uint64_t)(lrand48() + mrand48()); break;
    case 4: number = (uint64_t)(nrand48(state) + jrand48(state)) + (uint64_t)(erand48(state) * 1e9); break;
    case 5: eo_assert(getrandom(&number, sizeof number, 0) == sizeof number, "getrandom"); break;
    case 6: eo_assert(getentropy(&number, sizeof number) == 0, "getentropy"); break;
    case 7: number = arc4random() + arc4random_uniform(1000); break;
    case 8: arc4random_buf(&number, sizeof number); break;
    case 10: number = *(const uint64_t *)getauxval(AT_RANDOM); break;
    case 9: eo_assert(syscall(SYS_getrandom, &number, sizeof number, 0) == sizeof number, "raw getrandom"); break;
    default: break;
  }
  act_on(number);
}

static void draw_twice(int which) {
  eo_spawn(draws, &which, sizeof which);
  eo_spawn(draws, &which, sizeof which);
}

EO_TEST(same_rand) { draw_twice(0); }
EO_TEST(same_random) { draw_twice(1); }
EO_TEST(same_drand48) { draw_twice(2); }
EO_TEST(same_lrand48) { draw_twice(3); }
EO_TEST(same_nrand48) { draw_twice(4); }
EO_TEST(same_getrandom) { draw_twice(5); }
EO_TEST(same_getentropy) { draw_twice(6); }
EO_TEST(same_arc4random) { draw_twice(7); }
EO_TEST(same_arc4random_buf) { draw_twice(8); }
EO_TEST(same_raw_getrandom) { draw_twice(9); }
EO_TEST(same_of_kernel) { draw_twice(10); }

EO_TEST(same_urandom) {
  uint64_t number = 0;
  int file = open("/dev/urandom", O_RDONLY);
  eo_assert(read(file, &number, sizeof number) == sizeof number, "read");
  close(file);
  act_on(number);
}

EO_TEST(same_urandom_stream) {
  uint64_t number = 0;
  FILE *file = fopen("/dev/random", "r");
  eo_assert(fread(&number, sizeof number, 1, file) == 1, "fread");
  fclose(file);
  act_on(number);
}

EO_TEST(same_clocks) {
  struct timespec now;
  struct timeval day;
  struct tms used;
  struct rusage usage;
  uint64_t sum = 0;
  for (clockid_t clock = CLOCK_REALTIME; clock <= CLOCK_BOOTTIME; clock++) {
    clock_gettime(clock, &now);
    sum += (uint64_t)now.tv_nsec + (uint64_t)now.tv_sec;
  }
  gettimeofday(&day, NULL);
  timespec_get(&now, TIME_UTC);
  getrusage(RUSAGE_SELF, &usage);
  sum += (uint64_t)day.tv_usec + (uint64_t)now.tv_nsec + (uint64_t)time(NULL) + (uint64_t)clock();
  sum += (uint64_t)times(&used) + (uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_maxrss;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  act_on(sum + (uint64_t)now.tv_nsec);
}

EO_TEST(same_numbers) { act_on((uint64_t)(getpid() + getppid() + gettid() + getpgrp() + getsid(0) + sched_getcpu())); }

static int number_of_sender;
static void note_sender(int number, siginfo_t *about, void *unused) {
  (void)number;
  (void)unused;
  number_of_sender = about->si_pid;
}
EO_TEST(same_sender) {
  struct sigaction action = {.sa_sigaction = note_sender, .sa_flags = SA_SIGINFO};
  sigset_t set;
  siginfo_t about;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR1);
  eo_assert(sigtimedwait(&set, &about, &(struct timespec){0, 0}) == SIGUSR1, "%s", strerror(errno));
  eo_assert(about.si_pid == getpid() && number_of_sender == getpid(), "a signal of its own from another program");
  act_on((uint64_t)about.si_pid);
}
EO_TEST(same_other_end) {
  int pair[2];
  struct ucred about = {0};
  socklen_t size = sizeof about;
  eo_assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "%s", strerror(errno));
  eo_assert(getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &about, &size) == 0, "%s", strerror(errno));
  eo_assert(about.pid == getpid(), "another program at the other end");
  act_on((uint64_t)about.pid);
}

EO_TEST(same_raw_numbers) {
  struct timespec now;
  struct timeval day;
  struct rusage usage;
  unsigned processor, node, word;
  eo_assert(syscall(SYS_getpid) == getpid() && syscall(SYS_gettid) == gettid() && syscall(SYS_getppid) == getppid() &&
                syscall(SYS_getpgid, 0) == getpgrp() && syscall(SYS_getsid, 0) == getsid(0),
            "the system call tells another number than the function");
  syscall(SYS_getcpu, &processor, &node, NULL);
  syscall(SYS_gettimeofday, &day, NULL);
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  syscall(SYS_getrusage, RUSAGE_SELF, &usage);
  syscall(SYS_getrandom, &word, sizeof word, 0);
  eo_assert(syscall(SYS_times, NULL) == times(NULL), "other ticks");
  act_on((uint64_t)(processor + node + word) + (uint64_t)day.tv_usec + (uint64_t)now.tv_nsec +
         (uint64_t)usage.ru_maxrss + (uint64_t)usage.ru_minflt);
}

EO_TEST(same_machine) {
  struct sysinfo now;
  sysinfo(&now);
  act_on(now.uptime + now.loads[0] + now.freeram + now.freeswap + now.bufferram + now.procs);
}

/* What one draws is no business of another, and comes back with the state. */
static void draws_thrice(void *argument) {
  int expected[3] = {1804289383, 846930886, 1681692777}; /* of the C library, from seed 1 */
  (void)argument;
  for (int i = 0; i < 3; i++) {
    int got = rand();
    eo_assert(got == expected[i], "number %d is %d", i, got);
    eo_flip();
  }
}

EO_TEST(ok_own_sequences) {
  for (int i = 0; i < 2; i++) eo_spawn(draws_thrice, NULL, 0);
}

EO_TEST(ok_seeds) {
  char state[64];
  srand(42);
  int first = rand();
  eo_flip();
  srandom(42);
  eo_assert(random() == first, "srand and srandom are one");
  srand48(7);
  long one = lrand48();
  eo_flip();
  srand48(7);
  eo_assert(lrand48() == one, "srand48");
  char *before = initstate(5, state, sizeof state);
  long other = random();
  setstate(before);
  eo_flip();
  setstate(state);
  initstate(5, state, sizeof state);
  eo_assert(random() == other, "initstate");
}

static void tokens(void *argument) {
  (void)argument;
  char text[] = "a,b,c";
  char *first = strtok(text, ",");
  eo_flip();
  char *second = strtok(NULL, ",");
  eo_assert(first && second && *first == 'a' && *second == 'b', "strtok");
}

EO_TEST(ok_strtok) { tokens(NULL); }

/* ---- Sleeping --------------------------------------------------------------------------------------------------------------- */

EO_TEST(ok_sleeps) {
  struct timespec short_time = {0, 1}, until;
  uint64_t start = eo_now();
  time_t before = time(NULL);
  sleep(3600);
  usleep(1500);
  nanosleep(&short_time, NULL);
  thrd_sleep(&short_time, NULL);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &short_time, NULL);
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += 10;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  poll(NULL, 0, 20);
  select(0, NULL, NULL, NULL, &(struct timeval){1, 0});
  sched_yield();
  sleep(0);
  uint64_t passed = eo_now() - start;
  eo_assert(passed == 3600000 + 2 + 1 + 1 + 1 + 10000 + 20 + 1000, "%llu ms", (unsigned long long)passed);
  eo_assert(time(NULL) - before == 3611, "time");
}

static void sleeper(void *argument) {
  (void)argument;
  sleep(1);
}

EO_TEST(same_sleepers) { /* each sleep is a step */
  for (int i = 0; i < 3; i++) eo_spawn(sleeper, NULL, 0);
}

EO_TEST(fails_after_sleep) {
  usleep(2000);
  eo_assert(0, "told with the sleep before it");
}

/* ---- Threads and programs ------------------------------------------------------------------------------------------------------ */

static void *nothing(void *argument) { return argument; }
static int nothing_11(void *argument) { return argument != NULL; }

EO_TEST(bad_pthread_create) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
}
EO_TEST(bad_thrd_create) {
  thrd_t thread;
  thrd_create(&thread, nothing_11, NULL);
}
EO_TEST(bad_fork) {
  if (fork() == 0) _exit(0);
}
EO_TEST(bad_vfork) {
  if (vfork() == 0) _exit(0);
}
EO_TEST(bad_raw_fork) {
  if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) _exit(0);
}
EO_TEST(bad_system) {
  if (system("true")) {}
}
EO_TEST(bad_popen) {
  if (popen("true", "r")) {}
}
EO_TEST(bad_posix_spawn) {
  char *arguments[] = {"true", NULL};
  pid_t pid;
  posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, environ);
}
EO_TEST(bad_execl) { execl("/bin/true", "true", (char *)NULL); }
EO_TEST(bad_execvp) {
  char *arguments[] = {"true", NULL};
  execvp("true", arguments);
}
EO_TEST(bad_pthread_exit) { pthread_exit(NULL); }
EO_TEST(bad_thrd_exit) { thrd_exit(0); }
EO_TEST(bad_raw_exit) { syscall(SYS_exit, 0); }
EO_TEST(bad_raw_exit_group) { syscall(SYS_exit_group, 0); }
EO_TEST(bad_daemon) {
  if (daemon(1, 1)) {}
}
EO_TEST(bad_setsid) { setsid(); }
EO_TEST(bad_kill_parent) { syscall(SYS_kill, syscall(SYS_getppid), SIGTERM); }
EO_TEST(bad_queue_parent) { sigqueue((pid_t)syscall(SYS_getppid), SIGTERM, (union sigval){0}); }
EO_TEST(bad_stop) { raise(SIGSTOP); }
EO_TEST(bad_alarm) { alarm(1); }
EO_TEST(bad_setitimer) { setitimer(ITIMER_REAL, &(struct itimerval){{1, 0}, {1, 0}}, NULL); }
EO_TEST(bad_timer_create) {
  timer_t timer;
  timer_create(CLOCK_REALTIME, NULL, &timer);
}
EO_TEST(bad_prctl) { prctl(PR_SET_DUMPABLE, 0); }
EO_TEST(bad_hard_limit) { setrlimit(RLIMIT_NOFILE, &(struct rlimit){16, 16}); }

/* Before any step, in a child, and after some. */
static void starts_late(void *argument) {
  (void)argument;
  pthread_t thread;
  if (eo_flip()) pthread_create(&thread, NULL, nothing, NULL);
}
EO_TEST(bad_late_thread) {
  eo_spawn(starts_late, NULL, 0);
  eo_spawn(starts_late, NULL, 0);
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------------------------- */

EO_TEST(bad_getchar) { getchar(); }
EO_TEST(bad_scanf) {
  int number;
  if (scanf("%d", &number)) {}
}
EO_TEST(bad_read_pipe) {
  int ends[2];
  char byte;
  if (pipe(ends) == 0 && read(ends[0], &byte, 1)) {}
}
EO_TEST(bad_stream_of_pipe) {
  int ends[2];
  if (pipe(ends) == 0 && fgetc(fdopen(ends[0], "r"))) {}
}
EO_TEST(bad_recv) {
  int ends[2];
  char byte;
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  recv(ends[0], &byte, 1, 0);
}
EO_TEST(bad_accept) {
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr address = {.sa_family = AF_UNIX};
  bind(server, &address, sizeof address.sa_family);
  listen(server, 1);
  accept(server, NULL, NULL);
}
EO_TEST(bad_connect) {
  int client = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  connect(client, (struct sockaddr *)&to, sizeof to);
}
EO_TEST(bad_poll) {
  int ends[2];
  if (pipe(ends) == 0) poll(&(struct pollfd){ends[0], POLLIN, 0}, 1, 100);
}
EO_TEST(bad_poll_for_ever) { poll(NULL, 0, -1); }
EO_TEST(bad_select) {
  int ends[2];
  fd_set set;
  FD_ZERO(&set);
  if (pipe(ends) == 0) FD_SET(ends[0], &set);
  select(ends[0] + 1, &set, NULL, NULL, NULL);
}
EO_TEST(bad_epoll) {
  struct epoll_event event;
  epoll_wait(epoll_create1(0), &event, 1, -1);
}
EO_TEST(bad_pause) { pause(); }
EO_TEST(bad_sigsuspend) {
  sigset_t none;
  sigemptyset(&none);
  sigsuspend(&none);
}
EO_TEST(bad_sigwait) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  sigwait(&set, &number);
}
EO_TEST(bad_mutex) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
}
/* Declared, and on a page of its own: nothing else is shared. */
static _Alignas(4096) struct {
  pthread_mutex_t lock;
  char rest[4096 - sizeof(pthread_mutex_t)];
} common = {PTHREAD_MUTEX_INITIALIZER, ""};
EO_SHARED(common);
static void holds_common(void *argument) {
  (void)argument;
  pthread_mutex_lock(&common.lock);
  eo_flip();
  pthread_mutex_unlock(&common.lock);
}
EO_TEST(bad_mutex_of_two) {
  eo_spawn(holds_common, NULL, 0);
  eo_spawn(holds_common, NULL, 0);
}

/* Locks that know their holder: each process is another one. P1 waits for the process that waits for its lock. */
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                       checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t nested;
static void takes(void *argument) {
  int which = *(const int *)argument;
  switch (which) {
    case 0: pthread_mutex_lock(&recursive); break;
    case 1: pthread_rwlock_rdlock(&readers); break;
    case 2: pthread_rwlock_wrlock(&readers); break;
    case 3: mtx_lock(&nested); break;
    default: pthread_mutex_lock(&checking); break;
  }
  eo_send(eo_whereis("holder"), which, NULL, 0);
}
static void awaits(int which) {
  eo_message message;
  eo_register("holder", eo_self());
  eo_spawn(takes, &which, sizeof which);
  eo_receive(&message, EO_FOREVER);
}
EO_TEST(bad_recursive_mutex) {
  pthread_mutex_lock(&recursive);
  awaits(0);
}
EO_TEST(bad_held_to_write) {
  pthread_rwlock_wrlock(&readers);
  awaits(1);
}
EO_TEST(bad_held_to_read) {
  pthread_rwlock_rdlock(&readers);
  awaits(2);
}
EO_TEST(bad_recursive_mtx) {
  mtx_init(&nested, mtx_plain | mtx_recursive);
  mtx_lock(&nested);
  awaits(3);
}
EO_TEST(bad_checking_mutex) {
  pthread_mutex_lock(&checking);
  awaits(4);
}
static void is_no_holder(void *argument) {
  (void)argument;
  eo_assert(pthread_mutex_trylock(&recursive) == EBUSY, "trylock");
  eo_assert(pthread_mutex_unlock(&recursive) == EPERM && pthread_mutex_unlock(&checking) == EPERM, "unlock");
  eo_assert(pthread_rwlock_tryrdlock(&readers) == EBUSY, "tryrdlock");
}
EO_TEST(ok_holder) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&recursive);
    eo_flip();
  }
  pthread_mutex_lock(&checking);
  eo_assert(pthread_mutex_lock(&checking) == EDEADLK, "its own");
  pthread_rwlock_wrlock(&readers);
  eo_ref ended;
  eo_message message;
  eo_spawn_monitor(is_no_holder, NULL, 0, &ended);
  eo_receive(&message, EO_FOREVER);
  pthread_rwlock_unlock(&readers);
  pthread_mutex_unlock(&checking);
  for (int i = 0; i < 2; i++) eo_assert(pthread_mutex_unlock(&recursive) == 0, "as often as it was locked");
}
EO_TEST(bad_condition) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_cond_wait(&condition, &lock);
}
EO_TEST(bad_semaphore) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  sem_wait(&semaphore);
}
EO_TEST(bad_mtx_lock) {
  mtx_t lock;
  mtx_init(&lock, mtx_plain);
  mtx_lock(&lock);
  mtx_lock(&lock);
}
EO_TEST(bad_flock) {
  int one = open("/proc/self/exe", O_RDONLY), two = open("/proc/self/exe", O_RDONLY);
  flock(one, LOCK_EX);
  flock(two, LOCK_EX);
}
EO_TEST(bad_raw_sleep) { syscall(SYS_nanosleep, &(struct timespec){0, 1000}, NULL); }

/* ---- Signals ----------------------------------------------------------------------------------------------------------------------- */

static sig_atomic_t handled;
static void fails(int number) { eo_assert(0, "in the handler of %d", number); }
static void counts(int number) { handled += number == SIGUSR1; }

EO_TEST(fails_in_handler) {
  signal(SIGUSR1, fails);
  raise(SIGUSR1);
}
EO_TEST(fails_in_handler_late) {
  eo_flip();
  struct sigaction action = {.sa_handler = fails, .sa_flags = SA_ONSTACK};
  sigfillset(&action.sa_mask);
  sigaction(SIGUSR2, &action, NULL);
  if (eo_flip()) kill(getpid(), SIGUSR2);
}
static const union sigval value;
EO_TEST(fails_by_sigqueue) {
  signal(SIGUSR2, fails);
  sigqueue(getpid(), SIGUSR2, value);
}
EO_TEST(fails_by_tgkill) {
  signal(SIGUSR2, fails);
  if (eo_flip()) syscall(SYS_tgkill, getpid(), gettid(), SIGUSR2);
}
EO_TEST(fails_by_tkill) {
  signal(SIGUSR2, fails);
  syscall(SYS_tkill, gettid(), SIGUSR2);
}
EO_TEST(fails_by_raw_kill) {
  signal(SIGUSR2, fails);
  syscall(SYS_kill, getpid(), SIGUSR2);
}
EO_TEST(fails_by_pthread_sigqueue) {
  signal(SIGUSR2, fails);
  pthread_sigqueue(pthread_self(), SIGUSR2, value);
}
EO_TEST(ok_own_number) { /* what getpid tells is this program for every call that takes a process */
  cpu_set_t processors;
  struct rlimit limit;
  eo_assert(kill(getpid(), 0) == 0 && sigqueue(getpid(), 0, value) == 0, "it is not there");
  eo_assert(sched_getaffinity(getpid(), sizeof processors, &processors) == 0, "no affinity");
  eo_assert(sched_getscheduler(getpid()) >= 0, "no scheduler");
  errno = 0;
  eo_assert(getpriority(PRIO_PROCESS, (id_t)getpid()) != -1 || errno == 0, "no priority");
  eo_assert(prlimit(getpid(), RLIMIT_NOFILE, NULL, &limit) == 0, "no limit");
  eo_assert(prlimit(getpid(), RLIMIT_NOFILE, &limit, NULL) == 0, "it cannot be limited");
  eo_flip();
}
EO_TEST(ok_handler) {
  eo_assert(handled == 0, "a reset sets it back");
  signal(SIGUSR1, counts);
  raise(SIGUSR1);
  eo_flip();
  kill(getpid(), SIGUSR1);
  eo_assert(handled == 2, "handled %d", handled);
}
EO_TEST(ok_mask) {
  sigset_t set, before, now;
  sigprocmask(SIG_BLOCK, NULL, &before);
  eo_assert(!sigismember(&before, SIGUSR1), "blocked by an execution before");
  sigfillset(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  sigprocmask(SIG_BLOCK, NULL, &now);
  eo_assert(sigismember(&now, SIGUSR1), "not blocked");
  raise(SIGUSR1); /* stays pending, to the end */
  eo_flip();
}
EO_TEST(ok_handler_goes_back) {
  struct sigaction before;
  sigaction(SIGUSR1, NULL, &before);
  eo_assert(before.sa_handler == SIG_DFL, "installed by an execution before");
  signal(SIGUSR1, counts);
  signal(SIGPIPE, SIG_IGN);
  sigaction(SIGUSR1, NULL, &before);
  eo_assert(before.sa_handler == counts, "not installed");
  eo_flip();
}
static jmp_buf place;
static void jumps(int number) {
  (void)number;
  siglongjmp(place, 1);
}
EO_TEST(ok_jump_out_of_handler) {
  signal(SIGUSR1, jumps);
  if (sigsetjmp(place, 1) == 0) raise(SIGUSR1);
  eo_flip();
}
static void flips(int number) {
  (void)number;
  eo_flip();
}
EO_TEST(misuse_in_handler) {
  signal(SIGUSR1, flips);
  raise(SIGUSR1);
}
EO_TEST(crash_with_handler) { /* the tool's own signals stay the tool's */
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signal(SIGSEGV, SIG_IGN);
  *(volatile int *)8 = 1;
}

/* ---- What goes back ---------------------------------------------------------------------------------------------------------------- */

EO_TEST(ok_environment) {
  eo_assert(!getenv("OUTSIDE_TEST"), "set by an execution before");
  eo_assert(getenv("PATH"), "cleared by an execution before");
  setenv("OUTSIDE_TEST", "1", 1);
  eo_assert(getenv("OUTSIDE_TEST"), "not set");
  eo_flip();
  char entry[] = "OUTSIDE_TEST=2";
  putenv(entry);
  unsetenv("PATH");
  if (eo_flip()) clearenv();
}
EO_TEST(ok_folder) {
  char folder[4096];
  eo_assert(getcwd(folder, sizeof folder) && strcmp(folder, "/") != 0, "changed by an execution before");
  eo_assert(chdir("/") == 0, "chdir");
  eo_flip();
}
EO_TEST(ok_umask) {
  mode_t before = umask(0);
  umask(before);
  eo_assert(before != 0123, "changed by an execution before");
  umask(0123);
  eo_flip();
}
EO_TEST(ok_limits) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  eo_assert(limit.rlim_cur != 77, "changed by an execution before");
  limit.rlim_cur = 77;
  eo_assert(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit");
  eo_flip();
}
EO_TEST(ok_locale) {
  eo_assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0, "changed by an execution before");
  setlocale(LC_ALL, "C.UTF-8");
  eo_assert(strcmp(setlocale(LC_CTYPE, NULL), "C.UTF-8") == 0, "not changed");
  eo_flip();
}
EO_TEST(ok_rounding) {
  volatile double one = 1, three = 3;
  eo_assert(fegetround() == FE_TONEAREST, "changed by an execution before");
  fesetround(FE_UPWARD);
  volatile double up = one / three;
  fesetround(FE_TONEAREST);
  eo_assert(up > one / three, "not rounded");
  if (eo_flip()) feenableexcept(FE_DIVBYZERO);
  fedisableexcept(FE_DIVBYZERO);
  eo_flip();
}

/* Each process rounds as it has set that, by whichever means, and the next one as before. */
static bool rounds_up(void) {
  volatile double one = 1, three = 3, third = one / three;
  return third * three > one || third > 0.33333333333333331;
}
static void rounds_down(void *argument) {
  (void)argument;
  eo_assert(fegetround() == FE_UPWARD, "as its parent, like a thread");
  fesetround(FE_DOWNWARD);
  eo_flip();
  eo_assert(fegetround() == FE_DOWNWARD && !rounds_up(), "changed by another process");
}
static void rounds_usually(void *argument) {
  (void)argument;
  for (int i = 0; i < 2; i++) {
    eo_assert(fegetround() == FE_TONEAREST && !rounds_up(), "changed by another process");
    eo_flip();
  }
}
EO_TEST(ok_rounding_apart) {
  eo_assert(fegetround() == FE_TONEAREST && !rounds_up(), "changed by an execution before");
  eo_spawn(rounds_usually, NULL, 0);
  eo_flip();
  fesetround(FE_UPWARD);
  eo_spawn(rounds_down, NULL, 0);
  eo_flip();
  eo_assert(fegetround() == FE_UPWARD && rounds_up(), "changed by another process");
}
static void control_by_hand(unsigned vector, unsigned short old) {
#if defined(__x86_64__)
  __asm__ volatile("ldmxcsr %0" : : "m"(vector));
  __asm__ volatile("fldcw %0" : : "m"(old));
#else
  (void)old;
  fesetround(vector & 0x6000 ? FE_UPWARD : FE_TONEAREST);
#endif
}
static void rounds_by_hand(void *argument) {
  (void)argument;
  control_by_hand(0x1f80 | 0x4000, 0x37f | 0x800);
  eo_flip();
  eo_assert(rounds_up(), "changed by another process");
  control_by_hand(0x1f80, 0x37f);
  eo_flip();
  eo_assert(!rounds_up(), "not put back");
}
EO_TEST(ok_rounding_by_hand) {
  eo_spawn(rounds_by_hand, NULL, 0);
  rounds_usually(NULL);
  eo_assert(!rounds_up(), "changed by another process");
}
static void divides(void *argument) {
  volatile double one = 1, none = 0;
  (void)argument;
  eo_flip();
  none = one / none;
  eo_assert(fetestexcept(FE_DIVBYZERO) == FE_DIVBYZERO, "division by zero");
}
EO_TEST(ok_flags_apart) {
  feclearexcept(FE_ALL_EXCEPT);
  eo_spawn(divides, NULL, 0);
  eo_flip();
  eo_assert(fetestexcept(FE_DIVBYZERO) == 0, "of another process");
}
EO_TEST(ok_descriptors) {
  int file = open("/dev/null", O_RDONLY), again = dup(file);
  eo_assert(file < 16 && again < 16, "left open by executions before: %d", file);
  eo_flip();
  eo_flip();
}
EO_TEST(ok_closes_all) {
  for (int i = 0; i < 300; i++) close(i);
  eo_flip();
  eo_assert(close_range(0, ~0u, 0) == 0, "close_range");
  eo_flip();
  eo_assert(write(1, "", 0) < 0, "closed");
}
EO_TEST(ok_standard_output) {
  static char buffer[64];
  eo_assert(write(1, "", 0) == 0, "closed by an execution before");
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  printf("something");
  eo_flip();
  printf("more, which is more than the buffer can hold, so that it has to be written to somewhere before the end\n");
  int other = open("/dev/null", O_WRONLY);
  dup2(other, 1);
  eo_flip();
  fclose(stdin);
}
static void at_end(void) { abort(); }
EO_TEST(ok_atexit) {
  atexit(at_end);
  eo_flip();
}
EO_TEST(exit_in_handler) {
  signal(SIGUSR1, _exit);
  raise(SIGUSR1);
}

/* ---- Harmless ---------------------------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static char configuration[8192];

EO_TEST(ok_harmless) {
  char text[64], line[256];
  int numbers[] = {3, 1, 2};
  time_t now = time(NULL);
  struct tm broken;
  localtime_r(&now, &broken);
  strftime(text, sizeof text, "%H:%M:%S", gmtime(&now));
  printf("%s %d\n", text, broken.tm_hour);
  fprintf(stderr, "to standard error\n");
  qsort(numbers, 3, sizeof *numbers, compare);
  eo_assert(numbers[0] == 1 && getenv("PATH"), "plain things");
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  eo_flip();
  FILE *file = fopen("/etc/passwd", "r");
  eo_assert(file && fgets(line, sizeof line, file), "a constant file");
  fclose(file);
  eo_flip();
  int raw = open("/etc/passwd", O_RDONLY);
  eo_assert(read(raw, configuration, sizeof configuration) > 0, "into a global that nobody has written yet: %d", errno);
  close(raw);
  struct stat about;
  eo_assert(stat("/etc/passwd", &about) == 0 && access("/etc/passwd", R_OK) == 0, "stat");
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory, 4096);
  int ends[2];
  char byte = 1;
  eo_assert(pipe(ends) == 0 && write(ends[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1, "one's own pipe");
  eo_flip();
}

/* A raw system call that answers in memory which is closed under audit finds it open. */
static struct itimerval timer;
EO_TEST(ok_closed_memory) {
  eo_flip();
  timer.it_value.tv_sec = 1;
  eo_flip();
  eo_assert(syscall(SYS_getitimer, ITIMER_REAL, &timer) == 0, "getitimer: %s", strerror(errno));
  eo_flip();
}

EO_TEST(ok_closed_loop) { /* as that, and tried again and again */
  eo_flip();
  timer.it_value.tv_sec = 1;
  eo_flip();
  while (syscall(SYS_getitimer, ITIMER_REAL, &timer) != 0) {}
  eo_flip();
}

/* Another process's memory, by an address that travels in disguise and inside of the operand of a system call: it is closed under audit,
 * and there only. */
static void attaches(void *disguise) {
  struct sock_fprog filter = {.len = 1, .filter = (struct sock_filter *)~*(uintptr_t *)disguise}; /* NOLINT */
  int file = socket(AF_UNIX, SOCK_DGRAM, 0);
  eo_sleep(1);
  eo_assert(setsockopt(file, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0, "%s", strerror(errno));
}

static void tries_to_attach(void *disguise) {
  struct sock_fprog filter = {.len = 1, .filter = (struct sock_filter *)~*(uintptr_t *)disguise}; /* NOLINT */
  int file = socket(AF_UNIX, SOCK_DGRAM, 0);
  eo_sleep(1);
  while (setsockopt(file, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0) {}
}

static void beside_a_filter(void (*what)(void *)) {
  struct sock_filter *code = malloc(sizeof *code);
  *code = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
  uintptr_t disguise = ~(uintptr_t)code;
  eo_spawn(what, &disguise, sizeof disguise);
  eo_sleep(10);
  code->k = 0;
}
EO_TEST(part_closed_memory) { beside_a_filter(attaches); }
EO_TEST(part_closed_loop) { beside_a_filter(tries_to_attach); }

/* ---- What is left: found by running again ------------------------------------------------------------------------------------------ */

/* Counts the executions in a file that outlives them. */
static int count_in_file(void) {
  int number = 0;
  int file = open("counter", O_RDWR | O_CREAT, 0600);
  if (read(file, &number, sizeof number) != sizeof number) number = 0;
  number++;
  eo_assert(pwrite(file, &number, sizeof number, 0) == sizeof number, "pwrite");
  close(file);
  return number;
}
static void child(void *argument) { (void)argument; }
EO_TEST(otherwise_file) {
  eo_flip();
  if (count_in_file() % 2) eo_spawn(child, NULL, 0);
  eo_flip();
}
EO_TEST(otherwise_seldom) { /* in one execution of 8, which may be any but the first */
  eo_choose(4);
  eo_choose(4);
  if (count_in_file() % 8 == 5) eo_flip();
  eo_choose(4);
  eo_choose(4);
}
EO_TEST(once_fails) { /* in one execution only, which may be of any kind: plain, audited, run again */
  eo_flip();
  eo_assert(count_in_file() != atoi(getenv("NTH")), "once");
  eo_flip();
}
EO_TEST(otherwise_fails) {
  eo_flip();
  eo_assert(count_in_file() % 3, "every third execution");
}
EO_TEST(otherwise_tsc) {
#if defined(__x86_64__)
  uint64_t now = __builtin_ia32_rdtsc();
#else
  uint64_t now = (uint64_t)count_in_file();
#endif
  if (now / 4 % 2) eo_flip();
  eo_flip();
  eo_flip();
}

/* ---- The standard streams ------------------------------------------------------------------------------------------ */

EO_TEST(ok_stream_orientation) {
  eo_flip();
  if (eo_flip())
    eo_assert(wprintf(L"wide\n") == 5, "as at the start");
  else
    eo_assert(printf("narrow\n") == 7, "as at the start");
}

EO_TEST(ok_stream_error) {
  eo_flip();
  eo_assert(!ferror(stdout) && puts("can be written") >= 0, "as at the start");
  close(1);
  puts("to nowhere");
  eo_assert(fflush(stdout) != 0 && ferror(stdout), "closed");
}

EO_TEST(ok_stream_closed) {
  eo_flip();
  eo_assert(puts("can be written") >= 0 && fileno(stdout) == 1, "as at the start");
  fclose(stdout);
}

EO_TEST(ok_stream_locked) {
  eo_flip();
  flockfile(stdout);
  puts("and never unlocked");
}

EO_TEST(ok_descriptor_flags) {
  eo_assert(!(fcntl(1, F_GETFL) & O_NONBLOCK) && !(fcntl(2, F_GETFL) & O_NONBLOCK), "as at the start");
  eo_assert(!(fcntl(2, F_GETFD) & FD_CLOEXEC), "as at the start");
  eo_flip();
  fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
  fcntl(2, F_SETFD, FD_CLOEXEC);
  ioctl(2, FIONBIO, &(int){1});
}

/* Left in the middle of the C library, which has taken a lock by then. What runs next needs the same one. */

static void needs_locks(void) {
  time_t now = time(NULL);
  printf("%p\n", (void *)localtime(&now));
  fclose(fopen("/dev/null", "r"));
  eo_flip();
}

EO_TEST(loops_in_puts) {
  needs_locks();
  for (;;) puts("again");
}

EO_TEST(loops_in_tzset) {
  needs_locks();
  for (;;) {
    time_t now = time(NULL);
    localtime(&now);
  }
}

EO_TEST(loops_in_fopen) {
  needs_locks();
  for (;;) {
    char *line = NULL;
    size_t size = 0;
    FILE *file = fopen("/etc/passwd", "r");
    if (getline(&line, &size, file) > 0) free(line);
    fclose(file);
  }
}

EO_TEST(crash_in_printf) {
  needs_locks();
  printf("with the lock taken: %s\n", (const char *)8);
}
