/* contain.c: workers and parent. See contain.h for the idea.
 *
 * Each worker is a child with a socket to the parent. A message is its size, as a number of eight bytes, and so many
 * bytes. The parent sees that a worker died when its socket is closed; should somebody else hold it open, within some
 * milliseconds by waiting for it. */
#include "core/contain.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"

#define TICK 0.05 /* seconds */
enum { BLOCK = 1 << 16 };

/* ---- In the worker ---------------------------------------------------------------------------------------------- */

/* False: the other side is gone. */
static bool send_all(int file, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size > 0) {
    ssize_t sent = send(file, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= (size_t)sent;
  }
  return true;
}

static bool receive_all(int file, void *bytes, size_t size) {
  char *at = bytes;
  while (size > 0) {
    ssize_t got = recv(file, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

static bool send_message(int file, const void *bytes, size_t size) {
  uint64_t length = size;
  return send_all(file, &length, sizeof length) && send_all(file, bytes, size);
}

bool eo_worker_ask(eo_worker *worker, const void *bytes, size_t size, eo_bytes *answer) {
  uint64_t length;
  eo_vec_clear(answer);
  if (!send_message(worker->socket, bytes, size) || !receive_all(worker->socket, &length, sizeof length)) _exit(3);
  if (length && !eo_vec_reserve(answer, length)) return false;
  if (length && !receive_all(worker->socket, answer->items, length)) _exit(3);
  answer->count = length;
  return true;
}

const eo_fatal *eo_cell_fatal(const eo_cell *cell, uint64_t execution, uint32_t depth) {
  for (uint32_t i = 0; i < cell->fatals->count; i++) {
    const eo_fatal *fatal = &cell->fatals->list[i];
    if (fatal->fragment == cell->fragment && fatal->execution == execution && fatal->depth == depth) return fatal;
  }
  return NULL;
}

/* ---- In the parent ---------------------------------------------------------------------------------------------- */

/* Where the workers that held this fragment died last, and how often there in a row. */
typedef struct death {
  eo_fatal at;
  uint32_t same;
} death;

typedef struct seat {
  pid_t process; /* 0: it has ended in order */
  int socket;
  eo_bytes input;
} seat;

/* All that is shared, in one mapping: the cells lie behind it. */
typedef struct shared {
  eo_fatals fatals;
  eo_cell cells[];
} shared;

struct eo_crew {
  const eo_work *work;
  uint32_t count;
  shared *shared;
  size_t shared_size;
  seat *seats;
  struct pollfd *files;
  EO_VEC(death) deaths;
  uint64_t death_count;
  double next_tick;
};

eo_cell *eo_crew_cell(eo_crew *crew, uint32_t worker) { return &crew->shared->cells[worker]; }
uint64_t eo_crew_deaths(const eo_crew *crew) { return crew->death_count; }

/* If the worker is gone, it will be noticed elsewhere. */
void eo_crew_answer(eo_crew *crew, uint32_t worker, const void *bytes, size_t size) {
  (void)send_message(crew->seats[worker].socket, bytes, size);
}

static void silence(void) {
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0) return;
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  close(nothing);
}

static _Thread_local eo_cell *worker_cell; /* in the worker */

/* A bug of ours must not be taken for the program's: it is told through the cell, with the schedule. */
static void note_bug(const char *what) {
  int length = snprintf(worker_cell->bug, sizeof worker_cell->bug, "%s; ", what);
  if (length < (int)sizeof worker_cell->bug)
    eo_engine_under_way(worker_cell->bug + length, sizeof worker_cell->bug - (size_t)length);
}

__attribute__((noreturn)) static void be_worker(eo_crew *crew, uint32_t number, int socket) {
  eo_worker worker = {.cell = eo_crew_cell(crew, number), .number = number, .socket = socket};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN); /* the parent hears it and sets the stop flag */
  signal(SIGTERM, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  for (uint32_t i = 0; i < crew->count; i++)
    if (crew->seats[i].socket >= 0) close(crew->seats[i].socket);
  if (!crew->work->keep_output) silence();
  worker_cell = worker.cell;
  eo__bug_context = note_bug;
  crew->work->run(crew->work->context, &worker);
  worker.cell->left = 1;
  _exit(0);
}

static int start_worker(eo_crew *crew, uint32_t number, eo_error *error) {
  seat *s = &crew->seats[number];
  eo_cell *cell = eo_crew_cell(crew, number);
  int pair[2];
  cell->place.execution = 0; /* a death before the next one has begun is no death at this one */
  cell->fragment = 0;
  cell->recall = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return eo_error_set(error, EO_ESYSTEM, "cannot make a pair of sockets: %s", strerror(errno));
  fflush(NULL); /* what is buffered would be written twice */
  pid_t child = fork();
  if (child == 0) {
    close(pair[0]);
    be_worker(crew, number, pair[1]);
  }
  close(pair[1]);
  if (child < 0) {
    close(pair[0]);
    return eo_error_set(error, EO_ESYSTEM, "cannot start a worker process: %s", strerror(errno));
  }
  eo_vec_clear(&s->input);
  s->process = child;
  s->socket = pair[0];
  return EO_OK;
}

/* How often in a row workers must have died at one place for the program to have done it. SIGKILL often comes from
 * outside, where one who kills at regular times may well meet the same place again. */
static uint32_t proof(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 4 : 2; }

/* Counts it; NULL: no memory. */
static const death *note_death(eo_crew *crew, const eo_fatal *at) {
  death *d = NULL;
  for (size_t i = 0; i < crew->deaths.count && !d; i++)
    if (crew->deaths.items[i].at.fragment == at->fragment) d = &crew->deaths.items[i];
  if (!d && !eo_vec_push(&crew->deaths, (death){0})) return NULL;
  if (!d) d = &eo_vec_last(&crew->deaths);
  bool here = d->at.execution == at->execution && d->at.depth == at->depth;
  d->same = here ? d->same + 1 : 1;
  d->at = *at;
  return d;
}

static int replace_worker(eo_crew *crew, uint32_t number, int status, eo_error *error) {
  eo_cell *cell = eo_crew_cell(crew, number);
  eo_fatals *fatals = &crew->shared->fatals;
  if (cell->bug[0]) return eo_error_set(error, EO_EBUG, "%s", cell->bug);
  crew->death_count++;
  if (cell->probing) {
    fatals->probing = true;
    cell->probing = 0;
    if (crew->work->died) crew->work->died(crew->work->context, number);
    return start_worker(crew, number, error);
  }
  /* What runs before the first execution has no place: those deaths are all alike. */
  uint64_t execution = cell->place.execution;
  eo_fatal at = {execution ? cell->fragment : 0, execution, execution ? cell->place.depth : 0, status};
  const death *d = note_death(crew, &at);
  if (!d) return eo_error_nomem(error);
  if (d->same >= proof(status) && execution > 0 && fatals->count < EO_FATAL_MAX) fatals->list[fatals->count++] = at;
  if (d->same >= proof(status) + 4 || fatals->count == EO_FATAL_MAX)
    return eo_error_set(error, EO_ESYSTEM, "the worker process keeps dying (%s %d) at execution %llu",
                        WIFSIGNALED(status) ? "signal" : "exit status",
                        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), (unsigned long long)execution);
  if (crew->work->died) crew->work->died(crew->work->context, number);
  return start_worker(crew, number, error);
}

static void end_process(pid_t child) {
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}

/* Hands whole messages to whoever serves. */
static int serve_messages(eo_crew *crew, uint32_t number, eo_error *error) {
  seat *s = &crew->seats[number];
  size_t done = 0;
  int code = EO_OK;
  while (code == EO_OK && s->input.count - done >= sizeof(uint64_t)) {
    uint64_t length;
    memcpy(&length, s->input.items + done, sizeof length);
    if (s->input.count - done - sizeof length < length) break;
    code = crew->work->serve(crew->work->context, crew, number, s->input.items + done + sizeof length, length, error);
    done += sizeof length + length;
  }
  if (done) memmove(s->input.items, s->input.items + done, s->input.count - done);
  s->input.count -= done;
  if (done) /* somebody gets somewhere */
    for (size_t i = 0; i < crew->deaths.count; i++)
      if (crew->deaths.items[i].at.execution == 0) crew->deaths.items[i].same = 0;
  if (code != EO_NONSENSE) return code;
  kill(s->process, SIGKILL); /* it will be replaced like any that died */
  return EO_OK;
}

/* *closed: there is nobody at the other end. */
static int read_messages(eo_crew *crew, uint32_t number, bool *closed, eo_error *error) {
  seat *s = &crew->seats[number];
  for (*closed = false;;) {
    if (!eo_vec_reserve(&s->input, BLOCK)) return eo_error_nomem(error);
    ssize_t got = recv(s->socket, s->input.items + s->input.count, BLOCK, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    *closed = got == 0 || (got < 0 && errno != EAGAIN);
    if (got <= 0) break;
    s->input.count += (size_t)got;
  }
  return serve_messages(crew, number, error);
}

/* Has it ended? Then either in order, or another takes its place. */
static int check_worker(eo_crew *crew, uint32_t number, bool wait, eo_error *error) {
  seat *s = &crew->seats[number];
  int status = 0;
  bool closed;
  pid_t ended;
  while ((ended = waitpid(s->process, &status, wait ? 0 : WNOHANG)) < 0 && errno == EINTR) {}
  if (ended == 0) return EO_OK;
  if (ended < 0) status = 0;                              /* somebody else has waited for it */
  int code = read_messages(crew, number, &closed, error); /* what it sent just before it ended */
  if (code != EO_OK) return code;
  close(s->socket);
  s->socket = -1;
  s->process = 0;
  return eo_crew_cell(crew, number)->left ? EO_OK : replace_worker(crew, number, status, error);
}

static int tick(eo_crew *crew, eo_error *error) {
  int code = EO_OK;
  crew->next_tick = eo_seconds() + TICK;
  for (uint32_t i = 0; code == EO_OK && i < crew->count; i++)
    if (crew->seats[i].process) code = check_worker(crew, i, false, error);
  if (code == EO_OK && crew->work->tick) code = crew->work->tick(crew->work->context, crew, error);
  return code;
}

/* Waits for a question, a death or the next tick. */
static int watch(eo_crew *crew, eo_error *error) {
  nfds_t count = 0;
  for (uint32_t i = 0; i < crew->count; i++)
    crew->files[count++] = (struct pollfd){.fd = crew->seats[i].socket, .events = POLLIN}; /* -1 is left out */
  double left = crew->next_tick - eo_seconds();
  int ready = poll(crew->files, count, left > 0 ? (int)(left * 1000) + 1 : 0), code = EO_OK;
  if (crew->work->stop && *crew->work->stop)
    for (uint32_t i = 0; i < crew->count; i++) eo_crew_cell(crew, i)->stop = 1;
  for (uint32_t i = 0; ready > 0 && code == EO_OK && i < crew->count; i++) {
    bool closed = false;
    if (crew->files[i].revents && crew->seats[i].process) code = read_messages(crew, i, &closed, error);
    if (closed && code == EO_OK) code = check_worker(crew, i, true, error);
  }
  return code == EO_OK && eo_seconds() >= crew->next_tick ? tick(crew, error) : code;
}

static bool all_left(const eo_crew *crew) {
  for (uint32_t i = 0; i < crew->count; i++)
    if (crew->seats[i].process) return false;
  return true;
}

static int open_crew(eo_crew *crew, eo_error *error) {
  crew->seats = eo_alloc(crew->count * sizeof *crew->seats);
  crew->files = eo_alloc(crew->count * sizeof *crew->files);
  for (uint32_t i = 0; crew->seats && i < crew->count; i++) crew->seats[i].socket = -1;
  crew->shared_size = sizeof *crew->shared + crew->count * sizeof(eo_cell);
  crew->shared = mmap(NULL, crew->shared_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (crew->shared == MAP_FAILED) crew->shared = NULL;
  if (!crew->seats || !crew->files || !crew->shared) return eo_error_nomem(error);
  for (uint32_t i = 0; i < crew->count; i++) crew->shared->cells[i].fatals = &crew->shared->fatals;
  return EO_OK;
}

static void close_crew(eo_crew *crew) {
  for (uint32_t i = 0; crew->seats && i < crew->count; i++) {
    if (crew->seats[i].process) end_process(crew->seats[i].process);
    if (crew->seats[i].socket >= 0) close(crew->seats[i].socket);
    eo_vec_release(&crew->seats[i].input);
  }
  eo_free(crew->seats);
  eo_free(crew->files);
  eo_vec_release(&crew->deaths);
  if (crew->shared) munmap(crew->shared, crew->shared_size);
}

int eo_contain(const eo_work *work, eo_error *error) {
  eo_crew crew = {.work = work, .count = work->workers ? work->workers : 1, .next_tick = eo_seconds() + TICK};
  int code = open_crew(&crew, error);
  for (uint32_t i = 0; code == EO_OK && i < crew.count; i++) code = start_worker(&crew, i, error);
  while (code == EO_OK && !all_left(&crew)) code = watch(&crew, error);
  if (code == EO_OK && work->tick) code = work->tick(work->context, &crew, error); /* as the workers left it */
  close_crew(&crew);
  return code;
}
