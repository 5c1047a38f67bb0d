/* os_process.c: see os_process.h. All of it by reading /proc. */
#include "core/os_process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { MOST_FILES = 1024, MOST_ROUNDS = 200, FORKED_NO_EXEC = 0x40 /* the kernel's PF_FORKNOEXEC */ };
#define PATIENCE 1.0 /* seconds, for processes that were killed to be gone */

static bool read_file(const char *path, char *out, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = file >= 0 ? read(file, out, size - 1) : -1;
  if (file >= 0) close(file);
  out[got > 0 ? got : 0] = '\0';
  return got > 0;
}

/* "12 (name) S 1 12 12 ..."; the name can hold anything but its end is the last parenthesis. */
bool eo__os_look(pid_t pid, eo_os_process *process) {
  char path[64], text[512];
  int parent, group, session;
  unsigned flags;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  if (!read_file(path, text, sizeof text)) return false;
  const char *open = strchr(text, '('), *close = strrchr(text, ')');
  if (!open || !close ||
      sscanf(close, ") %c %d %d %d %*d %*d %u", &process->state, &parent, &group, &session, &flags) != 5)
    return false;
  snprintf(process->name, sizeof process->name, "%.*s", (int)(close - open - 1), open + 1);
  process->parent = parent;
  process->session = session;
  process->execed = (flags & FORKED_NO_EXEC) == 0;
  return true;
}

double eo__os_cpu(pid_t pid) {
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

bool eo__os_blocks_signals(pid_t pid) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  if (!read_file(path, text, sizeof text)) return false;
  const char *line = strstr(text, "\nSigBlk:");
  unsigned long long mask = line ? strtoull(line + 8, NULL, 16) : 0;
  return __builtin_popcountll(mask) > 32;
}

/* ---- A process of ours ------------------------------------------------------------------------------------------ */

static bool is_alone;
static unsigned char there_before[MOST_FILES]; /* descriptors; those with higher numbers count as there */

/* Calls back for each entry of a folder of /proc whose name is a number. */
static void each_number(const char *folder, void (*call)(void *context, int number), void *context) {
  DIR *list = opendir(folder);
  const struct dirent *entry;
  while (list && (entry = readdir(list)))
    if (isdigit((unsigned char)entry->d_name[0]) && atoi(entry->d_name) != dirfd(list))
      call(context, atoi(entry->d_name));
  if (list) closedir(list);
}

static void note_file(void *context, int number) {
  (void)context;
  if (number < MOST_FILES) there_before[number] = 1;
}

void eo__os_keep(int file) { note_file(NULL, file); }

void eo__os_alone(void) {
  is_alone = true;
  signal(SIGCHLD, SIG_DFL); /* ignored, it would keep us from knowing how workers end */
  each_number("/proc/self/fd", note_file, NULL);
}

typedef struct numbers {
  int but, count, list[MOST_FILES];
} numbers;

static void note_private(void *context, int number) {
  numbers *n = context;
  if (number < MOST_FILES && !there_before[number] && number != n->but) n->list[n->count++] = number;
}

void eo__os_close_private(int but) {
  numbers n = {.but = but};
  if (!is_alone) return;
  each_number("/proc/self/fd", note_private, &n);
  for (int i = 0; i < n.count; i++)
    if (n.list[i] > STDERR_FILENO) close(n.list[i]);
}

static pid_t others[64]; /* children that were there before */
static size_t other_count;
static bool adopts; /* orphans come to this process, all of them */

static void note_child(void *context, int number) {
  eo_os_process process;
  if (!eo__os_look(number, &process) || process.parent != *(const pid_t *)context) return;
  if (other_count < sizeof others / sizeof *others) others[other_count++] = number;
}

/* Calls back for each child of this process. The kernel lists them, if it was built to: to look at every process of the
 * machine for its parent takes longer than a small test. */
static void each_child(void (*call)(void *context, int number), void *context) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  bool listed = read_file(path, text, sizeof text) || access(path, R_OK) == 0;
  if (!listed || strlen(text) + 1 == sizeof text) { /* or there are too many for the list */
    each_number("/proc", call, context);
    return;
  }
  char *rest = text;
  for (long number; (number = strtol(rest, &rest, 10)) > 0;) call(context, (int)number);
}

void eo__os_adopt(bool on) {
  pid_t self = getpid();
  if (!is_alone) return;
  adopts = prctl(PR_SET_CHILD_SUBREAPER, on) == 0 && on;
  other_count = 0;
  if (on) each_child(note_child, &self);
}

/* ---- What is left behind ---------------------------------------------------------------------------------------- */

typedef struct collecting {
  pid_t self, ended;
  const pid_t *but;
  size_t count;
  bool found;
} collecting;

static void collect_one(void *context, int number) {
  collecting *c = context;
  eo_os_process process;
  if (number == c->self || !eo__os_look(number, &process)) return;
  bool ours = is_alone && process.parent == c->self;
  for (size_t i = 0; i < c->count; i++) ours = ours && c->but[i] != number;
  for (size_t i = 0; i < other_count; i++) ours = ours && others[i] != number;
  if (!ours && (process.session != c->ended || process.state == 'Z')) return;
  kill(number, SIGKILL);
  if (process.parent == c->self) waitpid(number, NULL, WNOHANG);
  c->found = true;
}

/* Whoever is killed leaves his children to us, so there may be more each time. Where all orphans come to us, our children
 * are all there are to look at; a list that is read while a child ends can lack another one, so nobody is left behind only
 * when two lists in a row say so. */
void eo__os_collect(pid_t ended, const pid_t *but, size_t count) {
  double until = eo__seconds() + PATIENCE;
  bool group = ended > 0 && kill(-ended, SIGKILL) == 0;
  if (!is_alone && !group) return;
  int none = 0;
  for (int round = 0; round < MOST_ROUNDS && eo__seconds() < until; round++) {
    collecting c = {.self = getpid(), .ended = ended, .but = but, .count = count};
    if (adopts)
      each_child(collect_one, &c);
    else
      each_number("/proc", collect_one, &c);
    none = c.found ? 0 : none + 1;
    if (none == (adopts ? 2 : 1)) return;
    if (none) continue;
    nanosleep(&(struct timespec){.tv_nsec = round < 10 ? 200000 : 5000000}, NULL);
  }
}

/* ---- When this process is killed --------------------------------------------------------------------------------- */

typedef struct sessions {
  const volatile pid_t *workers;
  size_t count;
  bool found;
} sessions;

static void end_in_session(void *context, int number) {
  sessions *s = context;
  eo_os_process process;
  if (!eo__os_look(number, &process) || process.state == 'Z') return;
  for (size_t i = 0; i < s->count; i++)
    if (s->workers[i] && s->workers[i] == process.session && kill(number, SIGKILL) == 0) s->found = true;
}

__attribute__((noreturn)) static void be_guard(const volatile pid_t *workers, size_t count, pid_t parent) {
  sigset_t all;
  siginfo_t info;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  prctl(PR_SET_NAME, "eo guard");
  setsid(); /* what is sent to the group of the parent is not meant for the guard */
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
  close_range(0, ~0U, 0);
  while (getppid() == parent) sigwaitinfo(&all, &info);
  sessions s = {.workers = workers, .count = count, .found = true};
  for (int round = 0; s.found && round < MOST_ROUNDS; round++) {
    s.found = false;
    each_number("/proc", end_in_session, &s);
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  _exit(0);
}

pid_t eo__os_guard(const volatile pid_t *workers, size_t count) {
  pid_t parent = getpid(), guard = fork();
  if (guard == 0) be_guard(workers, count, parent);
  return guard;
}

void eo__os_unguard(pid_t guard) {
  if (guard <= 0) return;
  kill(guard, SIGKILL);
  while (waitpid(guard, NULL, 0) < 0 && errno == EINTR) {}
}

bool eo__under_valgrind(void) {
  const char *preloaded = getenv("LD_PRELOAD");
  return preloaded && strstr(preloaded, "/vgpreload_");
}
