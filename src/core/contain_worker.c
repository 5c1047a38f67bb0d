/* contain_worker.c: the worker's side of contain.h. */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/own.h"
#include "core/channel.h"
#include "core/contain.h"
#include "core/contain_inside.h"

static _Thread_local eo_worker *this_worker;
EO_OWN_THREAD(this_worker);

/* Whatever calls of the C library the program has taken over or damaged. */
__attribute__((noreturn)) static void end_now(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

/* A bug of ours must not be taken for the program's: it is told through the cell, with the schedule. */
static void note_bug(const char *what) {
  eo_cell *cell = this_worker->cell;
  int length = snprintf(cell->bug, sizeof cell->bug, "%s; ", what);
  if (length < (int)sizeof cell->bug) eo__engine_under_way(cell->bug + length, sizeof cell->bug - (size_t)length);
}

void eo__worker_begin(eo_worker *worker) {
  this_worker = worker;
  eo__bug_context = note_bug;
}

bool eo__worker_ask(eo_worker *worker, const void *bytes, size_t size, eo_bytes *answer) {
  /* A child that the program has forked came back into our code: there is only one who explores. */
  if (syscall(SYS_getpid) != worker->process) end_now(EO_WORKER_LOST);
  eo_vec_clear(answer);
  if (!eo__message_add(answer, bytes, size)) return false;
  int code = eo__channel_send(worker->socket, answer);
  if (code == EO_OK) code = eo__channel_receive(worker->socket, answer);
  if (code != EO_ESYSTEM) return code == EO_OK;
  worker->cell->cut = 1;
  end_now(EO_WORKER_LOST);
}

void eo__worker_report(void) {
  eo_bytes answer = {0};
  if (!this_worker) return;
  eo__worker_ask(this_worker, "", 0, &answer);
  eo_vec_release(&answer);
}

void eo__worker_check(void) {
  const eo_cell *cell = this_worker ? this_worker->cell : NULL;
  if (cell && cell->careful == cell->fragment + 1) eo__worker_report();
}

const eo_fatals *eo__worker_fatals(void) {
  static const eo_fatals none;
  return this_worker ? this_worker->fatals : &none;
}

const eo_fatal *eo__fatals_find(const eo_fatals *fatals, uint64_t fragment, uint64_t execution, uint32_t depth) {
  for (uint32_t i = 0; i < fatals->count && i < EO_FATAL_MAX; i++) {
    const eo_fatal *fatal = &fatals->list[i];
    if (fatal->fragment == fragment && fatal->execution == execution && fatal->depth == depth) return fatal;
  }
  return NULL;
}
