/* contain.c: worker, spare and parent. See contain.h for the idea.
 *
 * Processes: the parent forks the worker; the worker forks spares. The parent is made the reaper of its descendants, so
 * that a spare whose worker died becomes its child. A pipe carries records to the parent. A spare waits for its own
 * process id in the cell (a futex), looking once a second whether the parent is still there. */
#include "core/contain.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

#define SPARE_EVERY 1.0 /* seconds */
enum { POLL_MS = 50 };

/* ---- In the worker ---------------------------------------------------------------------------------------------- */

static void write_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t wrote = write(file, bytes, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) _exit(3); /* the parent is gone */
    bytes += wrote;
    size -= (size_t)wrote;
  }
}

/* The leading line feed ends what a worker may have left unfinished when it died. */
void eo_worker_send(eo_worker *worker, const char *record) {
  write_all(worker->records, "\n#", 2);
  write_all(worker->records, record, strlen(record));
  write_all(worker->records, "\n", 1);
}

/* A spare sleeps here until the parent calls it, then is the worker. */
static void wait_for_call(eo_worker *worker) {
  eo_cell *cell = worker->cell;
  pid_t self = getpid();
  for (int called; (called = cell->called) != self;) {
    struct timespec second = {.tv_sec = 1};
    syscall(SYS_futex, &cell->called, FUTEX_WAIT, called, &second, NULL, 0);
    if (kill(cell->parent, 0) != 0) _exit(0);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  worker->spare = 0;
  worker->spare_soon = false;
  worker->last_spare = eo_seconds_coarse();
}

void eo_worker_between(eo_worker *worker) {
  double now = eo_seconds_coarse();
  if (now - worker->last_spare < SPARE_EVERY && !worker->spare_soon) return;
  worker->last_spare = now;
  worker->spare_soon = false;
  pid_t old = worker->spare;
  worker->cell->former_spare = old;
  pid_t made = fork();
  if (made == 0) {
    wait_for_call(worker);
    return;
  }
  if (made < 0) return; /* no new spare for now: a death would cost more, nothing else */
  worker->spare = made;
  worker->cell->spare = made;
  if (old > 0) {
    kill(old, SIGKILL);
    waitpid(old, NULL, 0);
  }
  worker->cell->former_spare = 0;
}

const eo_fatal *eo_worker_fatal(eo_worker *worker, uint64_t execution, uint32_t depth) {
  const eo_cell *cell = worker->cell;
  for (uint32_t i = 0; i < cell->fatal_count; i++) {
    if (cell->fatal[i].execution != execution || cell->fatal[i].depth != depth) continue;
    worker->spare_soon = true; /* the next death shall not cost the way here once more */
    return &cell->fatal[i];
  }
  return NULL;
}

/* ---- In the parent ---------------------------------------------------------------------------------------------- */

typedef struct parent {
  const eo_work *work;
  eo_cell *cell;
  int records[2];
  eo_text input;
  bool done;
  eo_fatal died_at; /* the last death */
  uint32_t same;    /* deaths there in a row */
} parent;

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

static int start_worker(parent *p, eo_error *error) {
  fflush(NULL); /* what is buffered would be written twice */
  pid_t child = fork();
  if (child < 0) return eo_error_set(error, EO_ESYSTEM, "cannot start a worker process: %s", strerror(errno));
  if (child == 0) {
    eo_worker worker = {.cell = p->cell, .records = p->records[1], .last_spare = eo_seconds_coarse()};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* the parent hears it and sets the stop flag */
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    close(p->records[0]);
    if (!p->work->keep_output) silence();
    p->cell->worker = getpid();
    worker_cell = p->cell;
    eo__bug_context = note_bug;
    _exit(p->work->run(p->work->context, &worker));
  }
  p->cell->worker = child;
  return EO_OK;
}

/* Hands whole lines to the listener. A line that does not begin with the mark is the rest of a dead worker's. */
static void read_records(parent *p) {
  char bytes[65536];
  ssize_t got = read(p->records[0], bytes, sizeof bytes);
  if (got <= 0) return;
  eo_text_append(&p->input, bytes, (size_t)got);
  char *line = p->input.chars, *end;
  while (!p->done && (end = strchr(line, '\n'))) {
    *end = '\0';
    if (*line == '#') p->done = p->work->record(p->work->context, line + 1);
    line = end + 1;
  }
  size_t rest = strlen(line);
  memmove(p->input.chars, line, rest + 1);
  p->input.length = rest;
}

/* What happened there is the program's doing: from now on that execution ends before that step. */
static void note_fatal(parent *p) {
  if (p->cell->fatal_count < EO_FATAL_MAX) p->cell->fatal[p->cell->fatal_count++] = p->died_at;
}

static bool alive(pid_t child) { return child > 0 && waitpid(child, NULL, WNOHANG) == 0; }

static void end_process(pid_t child) {
  if (child <= 0) return;
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}

/* Calls the spare, if there is one that lives: the worker is dead, so its children are ours. */
static bool call_spare(eo_cell *cell) {
  pid_t spare = cell->spare, former = cell->former_spare;
  if (former != spare) end_process(former);
  cell->former_spare = 0;
  cell->spare = 0;
  if (!alive(spare)) return false;
  cell->worker = spare;
  cell->called = spare;
  syscall(SYS_futex, &cell->called, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
  return true;
}

/* How often in a row workers must have died at one place for the program to have done it. SIGKILL often comes from
 * outside, where one who kills at regular times may well meet the same place again. */
static uint32_t proof(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 4 : 2; }

static int replace_worker(parent *p, int status, eo_error *error) {
  eo_cell *cell = p->cell;
  bool here = cell->place.execution == p->died_at.execution && cell->place.depth == p->died_at.depth;
  if (cell->bug[0]) return eo_error_set(error, EO_EBUG, "%s", cell->bug);
  cell->restarts++;
  p->same = here ? p->same + 1 : 1;
  p->died_at = (eo_fatal){cell->place.execution, cell->place.depth, status};
  if (p->same >= proof(status) && p->died_at.execution > 0) note_fatal(p);
  if (p->same >= proof(status) + 4 || cell->fatal_count == EO_FATAL_MAX)
    return eo_error_set(error, EO_ESYSTEM, "the worker process keeps dying (%s %d) at execution %llu",
                        WIFSIGNALED(status) ? "signal" : "exit status",
                        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                        (unsigned long long)p->died_at.execution);
  cell->place.execution = 0; /* a death before the next one has begun is no death at this one */
  return call_spare(cell) ? EO_OK : start_worker(p, error);
}

static int watch_worker(parent *p, eo_error *error) {
  while (!p->done) {
    struct pollfd ready = {.fd = p->records[0], .events = POLLIN};
    int count = poll(&ready, 1, POLL_MS);
    if (p->work->stop && *p->work->stop) p->cell->stop = 1;
    if (count > 0 && ready.revents & POLLIN) {
      read_records(p);
      continue;
    }
    if (p->work->tick) p->work->tick(p->work->context, p->cell);
    int status;
    pid_t worker = p->cell->worker, ended = waitpid(worker, &status, WNOHANG);
    if (ended == 0) continue;
    if (ended < 0) status = 0; /* somebody else has waited for it */
    /* It may have written its last record just before it ended. */
    while (!p->done && poll(&ready, 1, 0) > 0 && ready.revents & POLLIN) read_records(p);
    if (p->done) break;
    int code = replace_worker(p, status, error);
    if (code != EO_OK) return code;
  }
  if (p->work->tick) p->work->tick(p->work->context, p->cell); /* as the worker left it */
  return EO_OK;
}

static void finish(parent *p) {
  pid_t worker = p->cell->worker;
  if (p->done)
    while (waitpid(worker, NULL, 0) < 0 && errno == EINTR) {}
  else
    end_process(worker);
  end_process(p->cell->spare);
  for (int i = 0; i < 2; i++)
    if (p->records[i] >= 0) close(p->records[i]);
  eo_text_release(&p->input);
  munmap(p->cell, sizeof *p->cell);
}

int eo_contain(const eo_work *work, eo_error *error) {
  parent p = {.work = work, .records = {-1, -1}};
  int reaper = 0;
  p.cell = mmap(NULL, sizeof *p.cell, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p.cell == MAP_FAILED) return eo_error_nomem(error);
  eo_text_init(&p.input);
  int code = EO_OK;
  p.cell->parent = getpid();
  if (pipe2(p.records, O_CLOEXEC) != 0)
    code = eo_error_set(error, EO_ESYSTEM, "cannot make a pipe: %s", strerror(errno));
  prctl(PR_GET_CHILD_SUBREAPER, &reaper);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (code == EO_OK) code = start_worker(&p, error);
  if (code == EO_OK) code = watch_worker(&p, error);
  finish(&p);
  prctl(PR_SET_CHILD_SUBREAPER, reaper);
  return code;
}
