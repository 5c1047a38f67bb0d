/* contain.c: the parent's side of contain.h.
 *
 * Each worker is a child with a socket to the parent (channel.h). The parent sees that a worker died by waiting for it, at
 * the latest within some milliseconds. About twenty times a second it looks at each worker: has it ended, does it get on
 * with its step, is its time up? */
#include "core/contain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/own.h"
#include "core/channel.h"
#include "core/contain_inside.h"
#include "core/os_process.h"

#define TICK 0.05         /* seconds */
#define MARGIN 0.5        /* seconds beyond the watchdog: the worker's own gets that far first */
#define NICE 1.0          /* seconds that workers have to end when they are told to */
#define LAST 1.7          /* the same, of one that is to tell of a step that does not end */
#define IDLE_PART 0.05    /* of a processor: who uses less waits */
#define DISK_PART 0.25    /* of the time in which a worker waits for the disk counts: others may use it */
#define PROBE_STEP 0.2    /* seconds that a step may take in a hurry, if the watchdog allows more */
#define CLOSED_GRACE 0.25 /* seconds from when a worker's socket is closed until it must have ended */
enum {
  BLOCK = 1 << 16,
  STILL = 4,     /* ticks without a change after which it is asked what a worker does */
  CARE_AFTER = 2 /* deaths in one fragment */
};

/* Where the workers that held this fragment died last, how often there in a row, and how often in all. */
typedef struct death {
  eo_fatal at;
  uint32_t same, all;
} death;

typedef struct seat {
  pid_t process; /* 0: it has ended in order, or was ended for good */
  int socket;
  eo_bytes input, output;
  size_t sent;      /* of the output */
  double closed;    /* when its socket was found closed; 0: it is open */
  uint64_t careful; /* as in its cell */
  bool tells;     /* the one before it died of what is now a finding, which this one tells: it has some time for that */
  eo_fatal fate;  /* why the parent has ended it, but for the place; cause EO_FATAL_ENDED: it has not */
  uint64_t pulse; /* as it was last seen */
  uint32_t ticks; /* for how long */
  double cpu;     /* seconds it had run when that began */
  double waited;  /* seconds since then in which it could not run */
} seat;

#define AT_WORK_SIZE (EO_WORKERS_MAX * sizeof(pid_t))

struct eo_crew {
  const eo_work *work;
  uint32_t count;
  eo_fatals *fatals; /* shared, as all of the next; each a mapping of its own */
  eo_cell *cells;
  volatile pid_t *at_work; /* by place; 0: nobody */
  pid_t guard;
  uint32_t fatal_count; /* ours: that in shared memory is for the workers */
  seat *seats;
  struct pollfd *files;
  EO_VEC(death) deaths;
  uint64_t death_count;
  double next_tick;
  double stopped; /* when they were told to stop; 0: they were not */
};

eo_cell *eo__crew_cell(eo_crew *crew, uint32_t worker) { return &crew->cells[worker]; }
uint64_t eo__crew_deaths(const eo_crew *crew) { return crew->death_count; }

bool eo__crew_cuts(const eo_crew *crew, uint64_t fragment) {
  for (uint32_t i = 0; i < crew->fatal_count; i++)
    if (crew->fatals->list[i].fragment == fragment) return true;
  return false;
}

/* ---- Signals that workers send us --------------------------------------------------------------------------------- */

EO_OWN static volatile pid_t
    *volatile at_work; /* of the crew under way: its workers, by their places; NULL: there is none */
EO_OWN static volatile int accused[EO_WORKERS_MAX]; /* of the same place: the signal */

bool eo__contain_accuse(int signal_number, pid_t sender) {
  for (uint32_t i = 0; at_work && sender > 0 && i < EO_WORKERS_MAX; i++) {
    if (at_work[i] != sender) continue;
    accused[i] = signal_number;
    return true;
  }
  return false;
}

/* ---- Starting ----------------------------------------------------------------------------------------------------- */

static void replace_file(int number, int flags) {
  int nothing = open("/dev/null", flags | O_CLOEXEC);
  if (nothing < 0) return;
  dup2(nothing, number);
  if (nothing > STDERR_FILENO) close(nothing);
}

/* Nothing that the parent has can be reached but its own cell: not from here, nor from children of the program. */
static void keep_apart(eo_crew *crew, eo_worker *worker) {
  for (uint32_t i = 0; i < crew->count; i++) {
    if (crew->seats[i].socket >= 0) close(crew->seats[i].socket);
    if (i != worker->number) munmap(&crew->cells[i], sizeof *crew->cells);
  }
  eo__protect(crew->fatals, sizeof *crew->fatals, PROT_READ);
  munmap((void *)crew->at_work, AT_WORK_SIZE);
  at_work = NULL;
  madvise(worker->cell, sizeof *worker->cell, MADV_DONTFORK);
  worker->socket = eo__channel_hide(worker->socket);
  eo__os_close_private(worker->socket);
  replace_file(STDIN_FILENO, O_RDONLY);
  if (crew->work->keep_output) return;
  replace_file(STDOUT_FILENO, O_WRONLY);
  replace_file(STDERR_FILENO, O_WRONLY);
}

__attribute__((noreturn)) static void be_worker(eo_crew *crew, uint32_t number, int socket, pid_t parent) {
  eo_worker worker = {.cell = eo__crew_cell(crew, number),
                      .number = number,
                      .socket = socket,
                      .process = getpid(),
                      .fatals = crew->fatals};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EO_WORKER_LOST);
  setsid();
  signal(SIGINT, SIG_IGN); /* the parent hears it and sets the stop flag */
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_DFL);
  keep_apart(crew, &worker);
  eo__worker_begin(&worker);
  crew->work->run(crew->work->context, &worker);
  worker.cell->left = 1;
  _exit(0);
}

static int start_worker(eo_crew *crew, uint32_t number, eo_error *error) {
  seat *s = &crew->seats[number];
  eo_cell *cell = eo__crew_cell(crew, number);
  int pair[2];
  cell->place.execution = 0; /* a death before the next one has begun is no death at this one */
  cell->fragment = 0;
  cell->recall = 0;
  cell->cut = 0;
  cell->hurry = 0;
  cell->pulse = 0;
  cell->careful = s->careful;
  cell->wary = s->careful || crew->fatal_count;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return eo__error_set(error, EO_ESYSTEM, "cannot make a pair of sockets: %s", strerror(errno));
  fflush(NULL); /* what is buffered would be written twice */
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    close(pair[0]);
    be_worker(crew, number, pair[1], parent);
  }
  close(pair[1]);
  if (child < 0) {
    close(pair[0]);
    return eo__error_set(error, EO_ESYSTEM, "cannot start a worker process: %s", strerror(errno));
  }
  eo_vec_clear(&s->input);
  eo_vec_clear(&s->output);
  s->sent = s->ticks = 0;
  s->closed = 0;
  s->fate = (eo_fatal){.cause = EO_FATAL_ENDED};
  s->process = child;
  s->socket = pair[0];
  accused[number] = 0;
  crew->at_work[number] = child;
  return EO_OK;
}

/* ---- Ending ------------------------------------------------------------------------------------------------------- */

/* Ends a worker, which will be replaced like any that died. The first reason stays. */
static void condemn(seat *s, eo_fatal_cause cause) {
  if (s->fate.cause == EO_FATAL_ENDED) s->fate.cause = cause;
  kill(-s->process, SIGKILL);
  kill(s->process, SIGKILL); /* it may not have come to its session yet */
}

static bool tampers(eo_fatal_cause cause) {
  return cause == EO_FATAL_CLOSED || cause == EO_FATAL_WRITTEN || cause == EO_FATAL_SIGNALS;
}

/* How often in a row workers must have died at one place for the program to have done it. SIGKILL often comes from
 * outside, where one who kills at regular times may well meet the same place again; SIGSTOP may. */
static uint32_t proof(const eo_fatal *fatal) {
  if (fatal->cause == EO_FATAL_STOPPED) return 2;
  if (fatal->cause != EO_FATAL_ENDED) return 1;
  return WIFSIGNALED(fatal->status) && WTERMSIG(fatal->status) == SIGKILL ? 4 : 2;
}

/* Counts it; NULL: no memory. */
static death *note_death(eo_crew *crew, const eo_fatal *at) {
  death *d = NULL;
  for (size_t i = 0; i < crew->deaths.count && !d; i++)
    if (crew->deaths.items[i].at.fragment == at->fragment) d = &crew->deaths.items[i];
  if (!d && !eo_vec_push(&crew->deaths, (death){0})) return NULL;
  if (!d) d = &eo_vec_last(&crew->deaths);
  bool here = d->at.execution == at->execution && d->at.depth == at->depth;
  d->same = here ? d->same + 1 : 1;
  d->all++;
  d->at = *at;
  return d;
}

static int keeps_dying(const eo_fatal *at, eo_error *error) {
  char how[64] = "it makes no progress";
  if (at->cause == EO_FATAL_ENDED)
    snprintf(how, sizeof how, "%s %d", WIFSIGNALED(at->status) ? "signal" : "exit status",
             WIFSIGNALED(at->status) ? WTERMSIG(at->status) : WEXITSTATUS(at->status));
  return eo__error_set(error, EO_ESYSTEM, "the worker process keeps dying (%s) at execution %llu", how,
                       (unsigned long long)at->execution);
}

/* Whose step was it? Where the parent can only say after the step, the next worker asks after each step of that fragment,
 * so that it is certain then; also where workers die again and again. */
static int note_fate(eo_crew *crew, uint32_t number, const eo_fatal *fate, bool *proved, eo_error *error) {
  const eo_cell *cell = eo__crew_cell(crew, number);
  seat *s = &crew->seats[number];
  /* What runs before the first execution has no place: those deaths are all alike. */
  eo_fatal at = *fate;
  at.execution = cell->place.execution;
  at.fragment = at.execution ? cell->fragment : 0;
  at.depth = at.execution ? cell->place.depth : 0;
  death *d = note_death(crew, &at);
  if (!d) return eo__error_nomem(error);
  if (tampers(at.cause) && s->careful != at.fragment + 1) d->same = 0;
  s->careful = tampers(at.cause) || d->all >= CARE_AFTER ? at.fragment + 1 : 0;
  if (d->same >= proof(&at) && at.execution > 0 && crew->fatal_count < EO_FATAL_MAX) {
    crew->fatals->list[crew->fatal_count++] = at;
    crew->fatals->count = crew->fatal_count;
    for (uint32_t i = 0; i < crew->count; i++) eo__crew_cell(crew, i)->wary = 1;
    *proved = true;
  }
  if (d->same >= proof(&at) + 4 || crew->fatal_count == EO_FATAL_MAX) return keeps_dying(&at, error);
  return EO_OK;
}

static int replace_worker(eo_crew *crew, uint32_t number, const eo_fatal *fate, eo_error *error) {
  eo_cell *cell = eo__crew_cell(crew, number);
  bool probing = cell->probing, proved = false;
  int code = EO_OK;
  cell->probing = 0;
  cell->bug[sizeof cell->bug - 1] = '\0';
  if (cell->bug[0] && WIFSIGNALED(fate->status) && WTERMSIG(fate->status) == SIGABRT)
    return eo__error_set(error, EO_EBUG, "%s", cell->bug);
  if (!crew->stopped) crew->death_count++;
  if (crew->work->died) crew->work->died(crew->work->context, number);
  if (probing)
    crew->fatals->probing = true;
  else if (!crew->stopped || fate->cause != EO_FATAL_ENDED)
    code = note_fate(crew, number, fate, &proved, error);
  if (code != EO_OK || (crew->stopped && !proved)) return code;
  crew->seats[number].tells = proved;
  return start_worker(crew, number, error);
}

/* All processes that are not to be ended as remains. */
static void collect(eo_crew *crew, pid_t ended) {
  pid_t known[EO_WORKERS_MAX + 1];
  size_t count = 0;
  known[count++] = crew->guard;
  for (uint32_t i = 0; i < crew->count; i++)
    if (crew->seats[i].process) known[count++] = crew->seats[i].process;
  eo__os_collect(ended, known, count);
}

static int read_channel(eo_crew *crew, uint32_t number, eo_error *error);

/* It has ended, with that status: either in order, or another takes its place. `seen`: what it was. */
static int bury(eo_crew *crew, uint32_t number, int status, const eo_os_process *seen, eo_error *error) {
  seat *s = &crew->seats[number];
  eo_cell *cell = eo__crew_cell(crew, number);
  pid_t ended = s->process;
  int code = read_channel(crew, number, error); /* what it sent just before it ended */
  eo_fatal fate = s->fate;
  if (fate.cause == EO_FATAL_ENDED && cell->cut) fate.cause = EO_FATAL_CLOSED;
  if ((fate.cause == EO_FATAL_ENDED || fate.cause == EO_FATAL_CLOSED) && seen->execed) fate.cause = EO_FATAL_EXEC;
  if (fate.cause == EO_FATAL_EXEC) snprintf(fate.name, sizeof fate.name, "%s", seen->name);
  if (fate.cause != EO_FATAL_SIGNALS) fate.status = status;
  close(s->socket);
  s->socket = -1;
  s->process = 0;
  crew->at_work[number] = 0;
  collect(crew, ended);
  if (code != EO_OK) return code;
  return cell->left && WIFEXITED(status) ? EO_OK : replace_worker(crew, number, &fate, error);
}

/* Has it ended? */
static int check_worker(eo_crew *crew, uint32_t number, eo_error *error) {
  const seat *s = &crew->seats[number];
  siginfo_t info = {0};
  eo_os_process process = {0};
  int status = 0;
  while (waitid(P_PID, (id_t)s->process, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (errno == EINTR) continue;
    return bury(crew, number, 0, &process, error); /* somebody else has waited for it */
  }
  if (info.si_pid == 0) return EO_OK;
  if (info.si_code == CLD_STOPPED || info.si_code == CLD_TRAPPED) { /* it made us its tracer: we are none */
    while (waitpid(s->process, &status, WNOHANG | WUNTRACED) < 0 && errno == EINTR) {}
    ptrace(PTRACE_DETACH, s->process, NULL, WSTOPSIG(status));
    return EO_OK;
  }
  eo__os_look(s->process, &process);
  while (waitpid(s->process, &status, 0) < 0 && errno == EINTR) {}
  return bury(crew, number, status, &process, error);
}

/* ---- Messages ----------------------------------------------------------------------------------------------------- */

/* As much of the output as the socket takes. If the worker is gone, that will be noticed elsewhere. */
static void flush_output(seat *s) {
  while (s->sent < s->output.count) {
    ssize_t sent = send(s->socket, s->output.items + s->sent, s->output.count - s->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    s->sent += (size_t)sent;
  }
  eo_vec_clear(&s->output);
  s->sent = 0;
}

void eo__crew_answer(eo_crew *crew, uint32_t worker, const void *bytes, size_t size) {
  seat *s = &crew->seats[worker];
  if (!s->process) return;
  if (!eo__message_add(&s->output, bytes, size)) condemn(s, EO_FATAL_ENDED); /* no memory: it would wait for ever */
  flush_output(s);
}

/* A whole message. An empty one asks whether all is well. */
static int serve_message(eo_crew *crew, uint32_t number, const unsigned char *bytes, size_t size, eo_error *error) {
  seat *s = &crew->seats[number];
  for (size_t i = 0; i < crew->deaths.count; i++) /* somebody gets somewhere */
    if (crew->deaths.items[i].at.execution == 0) crew->deaths.items[i].same = 0;
  if (size == 0) {
    if (!accused[number]) eo__crew_answer(crew, number, "", 0);
    return EO_OK;
  }
  int code = crew->work->serve(crew->work->context, crew, number, bytes, size, error);
  if (code != EO_NONSENSE) return code;
  condemn(s, EO_FATAL_WRITTEN);
  return EO_OK;
}

static int read_channel(eo_crew *crew, uint32_t number, eo_error *error) {
  seat *s = &crew->seats[number];
  eo_message_state state = EO_MESSAGE_PART;
  const unsigned char *bytes = NULL;
  size_t size = 0;
  while (state == EO_MESSAGE_PART && s->fate.cause == EO_FATAL_ENDED) {
    if (!eo_vec_reserve(&s->input, BLOCK)) return eo__error_nomem(error);
    ssize_t got = recv(s->socket, s->input.items + s->input.count, BLOCK, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return EO_OK;
    if (got <= 0 && !s->closed) s->closed = eo__seconds();
    if (got <= 0) return EO_OK;
    s->input.count += (size_t)got;
    state = eo__message_look(&s->input, &bytes, &size);
  }
  if (state == EO_MESSAGE_BAD) condemn(s, EO_FATAL_WRITTEN);
  if (state != EO_MESSAGE_WHOLE) return EO_OK;
  int code = serve_message(crew, number, bytes, size, error);
  eo_vec_clear(&s->input);
  return code;
}

/* ---- Watching ----------------------------------------------------------------------------------------------------- */

/* Nobody is at the other end of its socket. It may be about to end. */
static void check_closed(eo_crew *crew, uint32_t number) {
  seat *s = &crew->seats[number];
  if (!s->closed || eo__seconds() < s->closed + CLOSED_GRACE) return;
  condemn(s, EO_FATAL_CLOSED);
}

/* Does it get on? What counts is the time that it has run or waited for something: while it could run and others have the
 * processors, no time passes, nor while the whole machine sleeps. */
static void check_progress(eo_crew *crew, uint32_t number) {
  seat *s = &crew->seats[number];
  uint64_t pulse = __atomic_load_n(&eo__crew_cell(crew, number)->pulse, __ATOMIC_RELAXED);
  double watchdog = crew->work->watchdog;
  if (watchdog > PROBE_STEP && eo__crew_cell(crew, number)->hurry) watchdog = PROBE_STEP;
  eo_os_process process;
  if (pulse != s->pulse || s->ticks == 0) {
    s->pulse = pulse;
    s->ticks = 1;
    s->cpu = eo__os_cpu(s->process);
    s->waited = 0;
    return;
  }
  s->ticks++;
  if (s->ticks % STILL != 0 || !eo__os_look(s->process, &process)) return;
  s->fate.blocked = eo__os_blocks_signals(s->process);
  if (process.state != 'R') s->waited += STILL * TICK * (process.state == 'D' ? DISK_PART : 1);
  double ran = eo__os_cpu(s->process) - s->cpu;
  if (process.state == 'Z')
    condemn(s, EO_FATAL_THREAD);
  else if (process.state == 'T')
    condemn(s, EO_FATAL_STOPPED);
  else if (pulse % 2 == 1 && watchdog > 0 && ran + s->waited > watchdog + MARGIN && process.state != 't')
    condemn(s, ran < IDLE_PART * s->waited ? EO_FATAL_WAITS : EO_FATAL_ENDLESS);
}

static void check_accused(eo_crew *crew, uint32_t number) {
  seat *s = &crew->seats[number];
  if (!accused[number] || !s->process) return;
  if (s->fate.cause == EO_FATAL_ENDED) s->fate.status = accused[number];
  condemn(s, EO_FATAL_SIGNALS);
}

/* Workers are told to stop, and after some time made to. */
static void check_time(eo_crew *crew) {
  const eo_work *work = crew->work;
  double now = eo__seconds();
  bool stop = (work->stop && *work->stop) || (work->deadline > 0 && now >= work->deadline);
  if (!crew->stopped && stop) crew->stopped = now;
  for (uint32_t i = 0; i < crew->count; i++) {
    const seat *s = &crew->seats[i];
    eo__crew_cell(crew, i)->stop = crew->stopped > 0 && !s->tells; /* always: the program may have written there */
    if (crew->stopped > 0 && s->process && now >= crew->stopped + (s->tells ? LAST : NICE))
      condemn(&crew->seats[i], EO_FATAL_ENDED);
  }
}

static int tick(eo_crew *crew, eo_error *error) {
  int code = EO_OK;
  crew->next_tick = eo__seconds() + TICK;
  for (uint32_t i = 0; code == EO_OK && i < crew->count; i++) {
    if (crew->seats[i].process) code = check_worker(crew, i, error);
    if (code != EO_OK || !crew->seats[i].process) continue;
    check_closed(crew, i);
    check_progress(crew, i);
  }
  if (code == EO_OK && crew->work->tick) code = crew->work->tick(crew->work->context, crew, error);
  return code;
}

/* Waits for a question, a death or the next tick. */
static int watch(eo_crew *crew, eo_error *error) {
  for (uint32_t i = 0; i < crew->count; i++) {
    const seat *s = &crew->seats[i];
    short events = s->sent < s->output.count ? POLLIN | POLLOUT : POLLIN;
    crew->files[i] = (struct pollfd){.fd = s->closed > 0 ? -1 : s->socket, .events = events}; /* -1 is left out */
  }
  double left = crew->next_tick - eo__seconds();
  int ready = poll(crew->files, crew->count, left > 0 ? (int)(left * 1000) + 1 : 0), code = EO_OK;
  check_time(crew);
  for (uint32_t i = 0; ready > 0 && code == EO_OK && i < crew->count; i++) {
    seat *s = &crew->seats[i];
    check_accused(crew, i);
    if (!crew->files[i].revents || !s->process || s->fate.cause != EO_FATAL_ENDED) continue;
    flush_output(s);
    code = read_channel(crew, i, error);
    if (s->closed > 0 && code == EO_OK) code = check_worker(crew, i, error);
  }
  for (uint32_t i = 0; i < crew->count; i++) check_accused(crew, i);
  return code == EO_OK && eo__seconds() >= crew->next_tick ? tick(crew, error) : code;
}

static bool all_left(const eo_crew *crew) {
  for (uint32_t i = 0; i < crew->count; i++)
    if (crew->seats[i].process) return false;
  return true;
}

/* ---- All of it ---------------------------------------------------------------------------------------------------- */

static void *share(size_t size) {
  void *memory = eo__map(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static int open_crew(eo_crew *crew, eo_error *error) {
  crew->seats = eo__alloc(crew->count * sizeof *crew->seats);
  crew->files = eo__alloc(crew->count * sizeof *crew->files);
  for (uint32_t i = 0; crew->seats && i < crew->count; i++) crew->seats[i].socket = -1;
  crew->cells = share(crew->count * sizeof *crew->cells);
  crew->fatals = share(sizeof *crew->fatals);
  crew->at_work = share(AT_WORK_SIZE);
  if (!crew->seats || !crew->files || !crew->cells || !crew->fatals || !crew->at_work) return eo__error_nomem(error);
  crew->guard = eo__os_guard(crew->at_work, EO_WORKERS_MAX);
  if (crew->guard < 0)
    return eo__error_set(error, EO_ESYSTEM, "cannot start a process beside the workers: %s", strerror(errno));
  at_work = crew->at_work;
  return EO_OK;
}

static void end_process(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}

static void close_crew(eo_crew *crew) {
  for (uint32_t i = 0; crew->seats && i < crew->count; i++) {
    pid_t child = crew->seats[i].process;
    if (child) end_process(child);
    crew->seats[i].process = 0;
    if (child) collect(crew, child);
    if (crew->seats[i].socket >= 0) close(crew->seats[i].socket);
    eo_vec_release(&crew->seats[i].input);
    eo_vec_release(&crew->seats[i].output);
  }
  eo__free(crew->seats);
  eo__free(crew->files);
  eo_vec_release(&crew->deaths);
  if (crew->cells) munmap(crew->cells, crew->count * sizeof *crew->cells);
  if (crew->fatals) munmap(crew->fatals, sizeof *crew->fatals);
  at_work = NULL;
  eo__os_unguard(crew->guard);
  if (crew->at_work) munmap((void *)crew->at_work, AT_WORK_SIZE);
}

int eo__contain(const eo_work *work, eo_error *error) {
  eo_crew crew = {.work = work, .count = work->workers ? work->workers : 1, .next_tick = eo__seconds() + TICK};
  eo__os_adopt(true);
  int code = open_crew(&crew, error);
  for (uint32_t i = 0; code == EO_OK && i < crew.count; i++) code = start_worker(&crew, i, error);
  while (code == EO_OK && !all_left(&crew)) code = watch(&crew, error);
  if (code == EO_OK && work->tick) code = work->tick(work->context, &crew, error); /* as the workers left it */
  close_crew(&crew);
  eo__os_adopt(false);
  return code;
}
