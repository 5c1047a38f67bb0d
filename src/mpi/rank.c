/* rank.c: how a rank starts and ends, hands over what it has begun, and waits. */
#include "mpi/access.h"
#include "mpi/rma.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

eo__mpi_self eo__mpi;
const eo_mpi_place *eo_mpi_at, *eo_mpi_above;

static jmp_buf rank_end; /* exit leads there */
static int exit_status;

/* The program's own. */
extern int main(int argc, char **argv);

const eo_place *eo__mpi_here(void) { return (const eo_place *)(const void *)eo_mpi_at; }

/* ---- Findings --------------------------------------------------------------------------------------------------- */

void eo__mpi_fail(const char *class, const char *format, ...) {
  char text[900];
  va_list arguments;
  int length = snprintf(text, sizeof text, "rank %d: %s: ", eo__mpi.rank, eo__mpi.call);
  va_start(arguments, format);
  vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
  va_end(arguments);
  eo_finding_(eo__mpi_here(), class, text);
}

int eo_mpi_not_there(const char *name, ...) {
  eo__mpi.call = name;
  eo__mpi_fail("not-implemented", "is not implemented; doc/mpi.md lists what is");
}

/* A layer may call other functions first; the one that it stands for is told by its name. */
void eo_mpi_below(const eo_mpi_place *place, const char *name) {
  eo_mpi_at = eo_mpi_above && strcmp(eo_mpi_above->name, name) == 0 ? eo_mpi_above : place;
}

void eo__mpi_enter(const char *call) {
  eo__mpi.call = call;
  if (eo_mpi_at == eo_mpi_above) eo_mpi_above = NULL;
  if (!eo__mpi.initialized) eo__mpi_fail("before-init", "called before MPI_Init");
  if (eo__mpi.finalized) eo__mpi_fail("after-finalize", "called after MPI_Finalize");
}

/* ---- Handing over ------------------------------------------------------------------------------------------------ */

/* Room for `size` more bytes of the outbox, behind its batch; the first of them. */
static char *append(size_t size) {
  size_t used = sizeof(eo__mpi_batch) + eo__mpi.used;
  if (used + size > eo__mpi.room) {
    eo__mpi.room = 2 * (used + size) + 512;
    eo__mpi.outbox = eo__mpi_need(realloc(eo__mpi.outbox, eo__mpi.room));
  }
  eo__mpi.used += size;
  return eo__mpi.outbox + used;
}

static size_t last_post; /* where in the outbox */

eo__mpi_post *eo__mpi_post_last(void) { return (void *)(eo__mpi.outbox + sizeof(eo__mpi_batch) + last_post); }

eo__mpi_post *eo__mpi_post_new(eo__mpi_kind kind, uint32_t request, int count, MPI_Datatype type, size_t size) {
  if (kind != EO__MPI_TOUCHED) eo__mpi_window_tell();
  const eo__mpi_run *runs;
  eo__mpi_run signature = eo__mpi_signature(count, type, &runs);
  size_t more = (size_t)signature.more * sizeof *runs, bytes = sizeof(eo__mpi_post) + more + eo__mpi_even(size);
  eo__mpi_post *post = (void *)append(bytes);
  last_post = eo__mpi.used - bytes;
  *post = (eo__mpi_post){.bytes = (uint32_t)bytes,
                         .kind = (uint8_t)kind,
                         .request = request,
                         .size = size,
                         .signature = signature,
                         .place = eo_mpi_at,
                         .call = eo__mpi.call};
  memset(post + 1, 0, bytes - sizeof *post);
  if (more) memcpy(post + 1, runs, more);
  return post;
}

eo__mpi_request *eo__mpi_request_new(void) {
  eo__mpi_request *request = eo__mpi_need(calloc(1, sizeof *request));
  request->number = ++eo__mpi.requests;
  request->call = eo__mpi.call;
  request->place = eo_mpi_at;
  request->next = eo__mpi.pending;
  eo__mpi.pending = request;
  return request;
}

void eo__mpi_request_free(eo__mpi_request *request) {
  eo__mpi_request **link = &eo__mpi.pending;
  while (*link != request) link = &(*link)->next;
  *link = request->next;
  eo__mpi_unguard(request);
  free(request->result);
  free(request->more);
  free(request);
}

eo__mpi_request *eo__mpi_request_find(uint32_t number) {
  eo__mpi_request *request = eo__mpi.pending;
  while (request && request->number != number) request = request->next;
  return request;
}

static void note_done(const eo__mpi_done *done) {
  eo__mpi_request *request = eo__mpi_request_find(done->request);
  if (!request) return; /* it was freed */
  request->done = true;
  if (done->source == EO__MPI_KEPT) return;
  free(request->result);
  request->result = eo__mpi_need(malloc(done->bytes));
  memcpy(request->result, done, done->bytes);
}

static void hand_over(eo__mpi_until until, eo__mpi_request **requests, size_t count) {
  eo__mpi_window_tell();
  size_t posts = eo__mpi.used;
  uint32_t *numbers = (void *)append(count * sizeof *numbers);
  for (size_t i = 0; i < count; i++) numbers[i] = requests[i]->number | (requests[i]->done ? EO__MPI_DONE : 0);
  eo__mpi_batch *batch = (void *)eo__mpi.outbox;
  *batch = (eo__mpi_batch){
      .until = until, .waits = (uint32_t)count, .posts = posts, .place = eo_mpi_at, .call = eo__mpi.call};
  eo_send_(eo__mpi_here(), eo__mpi.world, EO__MPI_BATCH, eo__mpi.outbox, sizeof *batch + eo__mpi.used);
  eo__mpi.used = 0;
}

static void note_answer(int answer) {
  if (eo__mpi.answer_count == eo__mpi.answer_room) {
    eo__mpi.answer_room = 2 * eo__mpi.answer_room + 4;
    eo__mpi.answers = eo__mpi_need(realloc(eo__mpi.answers, eo__mpi.answer_room * sizeof *eo__mpi.answers));
  }
  eo__mpi.answers[eo__mpi.answer_count++] = answer;
}

/* The world lets this rank go on; its answer. */
static int go(void) {
  eo_message message;
  eo__mpi.answer_count = 0;
  for (;;) {
    eo_receive_tags_(eo__mpi_here(), &message, (const int[]){EO__MPI_GO, EO__MPI_SERVE}, 2, EO_FOREVER);
    if (message.tag == EO__MPI_GO) break;
    eo__mpi_serve(message.data);
  }
  const char *at = message.data, *end = at + message.size;
  while (at < end) {
    const eo__mpi_done *done = (const void *)at;
    if (done->request)
      note_done(done);
    else
      note_answer(done->tag);
    at += done->bytes;
  }
  return eo__mpi.answer_count ? eo__mpi.answers[0] : 0;
}

int eo__mpi_wait(eo__mpi_until until, eo__mpi_request **requests, size_t count) {
  size_t done = 0;
  for (size_t i = 0; i < count; i++) done += requests[i]->done;
  if (until == EO__MPI_UNTIL_ALL && done == count) {
    eo__mpi_post *post = eo__mpi_post_new(EO__MPI_WAITED, 0, 0, MPI_BYTE, count * sizeof(uint32_t));
    uint32_t *numbers = (void *)(uintptr_t)eo__mpi_payload(post);
    for (size_t i = 0; i < count; i++) numbers[i] = requests[i]->number;
    return 0;
  }
  hand_over(until, requests, count);
  return go();
}

/* So many bytes may be handed over together: a rank that only sends stops now and then, too. */
enum { MOST_KEPT = 1 << 16 };

void eo__mpi_send_returned(void) {
  eo__mpi_post_last()->at_once = true;
  if (eo__mpi.used < MOST_KEPT) return;
  hand_over(EO__MPI_UNTIL_ALL, NULL, 0);
  go();
}

static void fill_status(const eo__mpi_request *request, MPI_Status *status) {
  const eo__mpi_done *done = request->result;
  if (!status || status == MPI_STATUS_IGNORE) return;
  if (done->source == EO__MPI_CANCELLED) {
    eo__mpi_status_empty(status);
    status->eo_cancelled = 1;
    return;
  }
  status->MPI_SOURCE = done->source == MPI_PROC_NULL ? MPI_PROC_NULL : eo__mpi_rank_in(request->comm, done->source);
  status->MPI_TAG = done->tag;
  status->eo_bytes = (MPI_Count)done->size;
  status->eo_cancelled = 0;
}

static void take_over(eo__mpi_request *request) {
  const eo__mpi_done *done = request->result;
  if (done->size && !request->known)
    eo__mpi_unpack(request->buffer, (const char *)(done + 1), done->size, request->type);
}

void eo__mpi_look(eo__mpi_request *request, MPI_Status *status) {
  if (request->look) {
    request->look(request, status);
  } else if (request->finish) {
    eo__mpi_status_empty(status);
  } else {
    eo__mpi_unguard(request);
    take_over(request);
    fill_status(request, status);
  }
  request->known = true;
}

void eo__mpi_complete(eo__mpi_request *request, MPI_Status *status) {
  if (request->finish) {
    request->finish(request, status);
  } else {
    take_over(request);
    fill_status(request, status);
  }
  eo__mpi_request_free(request);
}

/* ---- Start and end ----------------------------------------------------------------------------------------------- */

/* Of the program: a rank that exits has ended, and the others go on. */
void exit(int status) {
  exit_status = status;
  longjmp(rank_end, 1);
}

/* Of the program, and of this library, by names that only the two see. */
void free(void *block) {
  static void (*next)(void *);
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, "free");
  if (block) eo__mpi_block_freed(block);
  next(block);
}

/* The world may know why: a message that could have been another one. */
void abort(void) {
  eo__mpi_post_new(EO__MPI_ABORTS, 0, 0, MPI_BYTE, 0);
  hand_over(EO__MPI_UNTIL_ALL, NULL, 0);
  go();
  void (*next)(void);
  *(void **)&next = dlsym(RTLD_NEXT, "abort");
  next();
  __builtin_unreachable();
}

static char **arguments; /* of main, for as long as the rank is there */

void eo__mpi_rank_main(void *argument) {
  const eo__mpi_start *start = argument;
  eo__mpi.world = start->world;
  eo__mpi.rank = start->rank;
  eo__mpi.size = start->size;
  eo__mpi.separate = start->separate;
  eo__mpi.buffered = start->buffered;
  arguments = eo__mpi_need(calloc((size_t)start->argc + 1, sizeof *arguments));
  const char *word = (const char *)(start + 1);
  for (int i = 0; i < start->argc; i++, word += strlen(word) + 1) arguments[i] = eo__mpi_need(strdup(word));
  static const eo_mpi_place at_start = {"", "", 0, NULL, NULL}, at_end = {"", "", 0, NULL, NULL};
  eo_mpi_at = &at_start;
  eo__mpi.call = "main";
  int argc = start->argc;
  go();
  if (!setjmp(rank_end)) exit_status = main(argc, arguments);
  eo__mpi.call = "the end of main";
  if (eo__mpi.initialized && !eo__mpi.finalized) eo__mpi_fail("missing-finalize", "ends without MPI_Finalize");
  if (!eo__mpi.finalized) eo_mpi_at = &at_end;
  if (exit_status) eo__mpi_fail("exit-status", "the program ends with status %d", exit_status);
  if (!eo__mpi.used) return; /* the world hears of the end of the process */
  hand_over(EO__MPI_UNTIL_ALL, NULL, 0);
  go();
}
