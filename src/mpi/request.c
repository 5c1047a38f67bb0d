/* request.c: nonblocking and persistent communication, and waiting for it. */
#include <stdlib.h>

#include "mpi/point.h"

enum { PLAIN = 0x2d000000, PERSISTENT = 0x2e000000, NUMBER = 0xffffff };

/* A persistent request: what it begins, and what it has begun. */
typedef struct persistent {
  struct persistent *next;
  uint32_t number;
  bool started; /* at least once; */
  bool active;  /* and not waited for since. With MPI_PROC_NULL there is no request then */
  eo__mpi_transfer transfer;
  eo__mpi_request *request;
  const eo_mpi_place *place;
  const char *call;
} persistent;

static persistent *all_persistent;
static uint32_t persistent_count;

MPI_Request eo__mpi_request_handle(eo__mpi_request *request) {
  if (!request) return PLAIN | 0;
  request->handed_out = true;
  return PLAIN | (int)(request->number & NUMBER);
}

/* What a handle of the program stands for. */
typedef struct named {
  MPI_Request *handle;
  persistent *persistent;   /* NULL: it is none */
  eo__mpi_request *request; /* NULL: there is nothing to wait for */
} named;

static named find(MPI_Request *handle) {
  named found = {handle, NULL, NULL};
  if (!handle) eo__mpi_fail("invalid-request", "the address of the request is NULL");
  int kind = *handle & ~NUMBER;
  uint32_t number = (uint32_t)*handle & NUMBER;
  if (*handle == MPI_REQUEST_NULL || *handle == (PLAIN | 0)) return found;
  if (kind == PERSISTENT) {
    persistent *p = all_persistent;
    while (p && p->number != number) p = p->next;
    if (!p) eo__mpi_fail("invalid-request", "the persistent request was freed");
    found.persistent = p;
    found.request = p->request;
    return found;
  }
  if (kind != PLAIN) eo__mpi_fail("invalid-request", "0x%x is not a request", (unsigned)*handle);
  eo__mpi_request *request = eo__mpi.pending;
  while (request && ((request->number & NUMBER) != number || !request->handed_out)) request = request->next;
  if (!request) eo__mpi_fail("invalid-request", "the request was waited for, or freed, already");
  found.request = request;
  return found;
}

eo__mpi_request *eo__mpi_request_of(MPI_Request *handle) { return find(handle).request; }

/* It is over: fills the status, and the handle is MPI_REQUEST_NULL unless it is persistent. */
static void finish(named *n, MPI_Status *status) {
  if (n->request)
    eo__mpi_complete(n->request, status);
  else if ((n->persistent && n->persistent->active) || *n->handle == (PLAIN | 0))
    eo__mpi_status_nobody(status);
  else
    eo__mpi_status_empty(status);
  if (n->persistent) {
    n->persistent->request = NULL;
    n->persistent->active = false;
  } else {
    *n->handle = MPI_REQUEST_NULL;
  }
}

static void check_started(const named *n) {
  if (n->persistent && !n->persistent->started)
    eo__mpi_fail("missing-start", "the request of %s at %s:%d was never started", n->persistent->call,
                 n->persistent->place->file, n->persistent->place->line);
}

/* ---- Beginning ------------------------------------------------------------------------------------------------------ */

static int begin(const eo__mpi_transfer *transfer, MPI_Request *handle) {
  if (!handle) eo__mpi_fail("invalid-request", "the address of the request is NULL");
  eo__mpi_request *request = eo__mpi_transfer_begin(transfer, false);
  *handle = eo__mpi_request_handle(request);
  return MPI_SUCCESS;
}

#define SENDS(mode) (&(eo__mpi_transfer){false, mode, (void *)(uintptr_t)buffer, count, type, to, tag, comm})

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  eo__mpi_enter("MPI_Isend");
  return begin(SENDS(EO__MPI_STANDARD), request);
}

int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  eo__mpi_enter("MPI_Issend");
  return begin(SENDS(EO__MPI_SYNCHRONOUS), request);
}

int MPI_Irsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  eo__mpi_enter("MPI_Irsend");
  return begin(SENDS(EO__MPI_READY), request);
}

int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  eo__mpi_enter("MPI_Ibsend");
  return begin(SENDS(EO__MPI_BUFFERED), request);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  eo__mpi_enter("MPI_Irecv");
  return begin(&(eo__mpi_transfer){true, EO__MPI_STANDARD, buffer, count, type, from, tag, comm}, request);
}

static int prepare(const eo__mpi_transfer *transfer, MPI_Request *handle) {
  if (!handle) eo__mpi_fail("invalid-request", "the address of the request is NULL");
  eo__mpi_transfer_check(transfer);
  persistent *p = eo__mpi_need(calloc(1, sizeof *p));
  *p = (persistent){.next = all_persistent,
                    .number = ++persistent_count,
                    .transfer = *transfer,
                    .place = eo_mpi_at,
                    .call = eo__mpi.call};
  all_persistent = p;
  *handle = PERSISTENT | (int)p->number;
  return MPI_SUCCESS;
}

int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  eo__mpi_enter("MPI_Send_init");
  return prepare(SENDS(EO__MPI_STANDARD), request);
}

int MPI_Ssend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request) {
  eo__mpi_enter("MPI_Ssend_init");
  return prepare(SENDS(EO__MPI_SYNCHRONOUS), request);
}

int MPI_Rsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request) {
  eo__mpi_enter("MPI_Rsend_init");
  return prepare(SENDS(EO__MPI_READY), request);
}

int MPI_Bsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request) {
  eo__mpi_enter("MPI_Bsend_init");
  return prepare(SENDS(EO__MPI_BUFFERED), request);
}

int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  eo__mpi_enter("MPI_Recv_init");
  return prepare(&(eo__mpi_transfer){true, EO__MPI_STANDARD, buffer, count, type, from, tag, comm}, request);
}

static void start(MPI_Request *handle) {
  named n = find(handle);
  if (!n.persistent) eo__mpi_fail("invalid-request", "the request is not persistent");
  if (n.persistent->active) eo__mpi_fail("active-request", "the request is started, and was not waited for");
  n.persistent->started = n.persistent->active = true;
  n.persistent->request = eo__mpi_transfer_begin(&n.persistent->transfer, false);
}

int MPI_Start(MPI_Request *request) {
  eo__mpi_enter("MPI_Start");
  start(request);
  return MPI_SUCCESS;
}

int MPI_Startall(int count, MPI_Request *requests) {
  eo__mpi_enter("MPI_Startall");
  for (int i = 0; i < count; i++) start(&requests[i]);
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request *request) {
  eo__mpi_enter("MPI_Request_free");
  named n = find(request);
  if (!n.request && !n.persistent) eo__mpi_fail("invalid-request", "there is no request");
  if (n.request && n.request->cancelling) eo__mpi_wait(EO__MPI_UNTIL_ALL, &n.request, 1);
  if (n.request && (n.request->cancelling || (n.request->known && n.request->finish))) { /* it ends at once */
    finish(&n, NULL);
  } else if (n.request) {
    eo__mpi_fail("missing-wait", "the request of %s at %s:%d is freed while it is under way: nobody knows when it ends",
                 n.request->call, n.request->place->file, n.request->place->line);
  }
  if (n.persistent) {
    persistent **link = &all_persistent;
    while (*link != n.persistent) link = &(*link)->next;
    *link = n.persistent->next;
    free(n.persistent);
  }
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

void eo__mpi_request_leaks(void) {
  for (const persistent *p = all_persistent; p; p = p->next) {
    if (p->active)
      eo__mpi_fail("missing-wait", "the request of %s at %s:%d was started and not waited for", p->call, p->place->file,
                   p->place->line);
    eo__mpi_fail("request-leak", "the persistent request of %s at %s:%d was not freed", p->call, p->place->file,
                 p->place->line);
  }
  for (const eo__mpi_request *r = eo__mpi.pending; r; r = r->next)
    if (r->handed_out)
      eo__mpi_fail("missing-wait", "the request of %s at %s:%d was neither waited for nor freed", r->call,
                   r->place->file, r->place->line);
}

/* ---- Waiting --------------------------------------------------------------------------------------------------------- */

/* Those of an array that there is something to wait for. */
typedef struct array {
  named *all;
  eo__mpi_request **pending;
  int *index; /* of pending, in the array */
  size_t count;
  bool any; /* one of them is active */
} array;

static array open_array(int count, MPI_Request *handles) {
  if (count < 0) eo__mpi_fail("invalid-count", "the count is %d", count);
  if (count > 0 && !handles) eo__mpi_fail("invalid-request", "the array of requests is NULL");
  size_t room = (size_t)count + 1;
  array a = {eo__mpi_need(calloc(room, sizeof *a.all)), eo__mpi_need(calloc(room, sizeof(void *))),
             eo__mpi_need(calloc(room, sizeof *a.index)), 0, false};
  for (int i = 0; i < count; i++) {
    a.all[i] = find(&handles[i]);
    check_started(&a.all[i]);
    a.any |= a.all[i].request || (a.all[i].persistent && a.all[i].persistent->active) || handles[i] == (PLAIN | 0);
    if (!a.all[i].request) continue;
    a.index[a.count] = i;
    a.pending[a.count++] = a.all[i].request;
  }
  return a;
}

static void close_array(array *a) {
  free(a->all);
  free(a->pending);
  free(a->index);
}

static MPI_Status *status_at(MPI_Status *statuses, int i) {
  return statuses && statuses != MPI_STATUSES_IGNORE ? &statuses[i] : NULL;
}

/* One of the array that has nothing left to do, although it is active: with MPI_PROC_NULL. -1: there is none. */
static int idle_one(const array *a, int count) {
  for (int i = 0; i < count; i++) {
    const named *n = &a->all[i];
    if (!n->request && ((n->persistent && n->persistent->active) || *n->handle == (PLAIN | 0))) return i;
  }
  return -1;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  eo__mpi_enter("MPI_Wait");
  eo__mpi_check_status(status);
  named n = find(request);
  check_started(&n);
  if (n.request) eo__mpi_wait(EO__MPI_UNTIL_ALL, &n.request, 1);
  finish(&n, status);
  return MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  eo__mpi_enter("MPI_Waitall");
  if (count > 0) eo__mpi_check_status(statuses);
  array a = open_array(count, requests);
  if (a.count) eo__mpi_wait(EO__MPI_UNTIL_ALL, a.pending, a.count);
  for (int i = 0; i < count; i++) finish(&a.all[i], status_at(statuses, i));
  close_array(&a);
  return MPI_SUCCESS;
}

/* The same of a list of which the program knows that one (or all) are done: it need not be asked. */
static eo__mpi_until surely(const array *a, eo__mpi_until until) {
  bool known = false;
  for (size_t i = 0; i < a->count; i++) known = known || a->pending[i]->known;
  if (!known) return until;
  return until == EO__MPI_TEST_ANY ? EO__MPI_UNTIL_ANY : until == EO__MPI_TEST_SOME ? EO__MPI_UNTIL_SOME : until;
}

/* Is all of it done? */
static bool test_all(eo__mpi_request **requests, size_t count) {
  size_t known = 0;
  for (size_t i = 0; i < count; i++) known += requests[i]->known;
  return known == count || eo__mpi_wait(EO__MPI_TEST_ALL, requests, count) != EO__MPI_NOT_YET;
}

/* Which of the array is over, by what the world says. */
static int some_one(array *a, int count, eo__mpi_until until) {
  int idle = idle_one(a, count);
  if (idle >= 0 || !a->count) return idle;
  int chosen = eo__mpi_wait(surely(a, until), a->pending, a->count);
  return chosen < 0 ? chosen : a->index[chosen];
}

int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status) {
  eo__mpi_enter("MPI_Waitany");
  eo__mpi_check_status(status);
  array a = open_array(count, requests);
  *index = some_one(&a, count, EO__MPI_UNTIL_ANY);
  if (*index >= 0) {
    finish(&a.all[*index], status);
  } else {
    *index = MPI_UNDEFINED;
    eo__mpi_status_empty(status);
  }
  close_array(&a);
  return MPI_SUCCESS;
}

int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
  eo__mpi_enter("MPI_Testany");
  eo__mpi_check_status(status);
  array a = open_array(count, requests);
  int found = some_one(&a, count, EO__MPI_TEST_ANY);
  *flag = found >= 0 || !a.any;
  *index = found >= 0 ? found : MPI_UNDEFINED;
  if (found >= 0)
    finish(&a.all[found], status);
  else if (*flag)
    eo__mpi_status_empty(status);
  close_array(&a);
  return MPI_SUCCESS;
}

/* Those that are done are any of them that could be by now. */
static int some(int count, MPI_Request *requests, int *out, int *indices, MPI_Status *statuses, eo__mpi_until until) {
  array a = open_array(count, requests);
  int idle = idle_one(&a, count), found = some_one(&a, count, until);
  *out = found >= 0 ? (idle >= 0 ? 1 : (int)eo__mpi.answer_count) : a.any ? 0 : MPI_UNDEFINED;
  for (int i = 0; i < *out; i++) indices[i] = idle >= 0 ? idle : a.index[eo__mpi.answers[i]];
  for (int i = 0; i < *out; i++) finish(&a.all[indices[i]], status_at(statuses, i));
  close_array(&a);
  return MPI_SUCCESS;
}

int MPI_Waitsome(int count, MPI_Request *requests, int *out, int *indices, MPI_Status *statuses) {
  eo__mpi_enter("MPI_Waitsome");
  if (count > 0) eo__mpi_check_status(statuses);
  return some(count, requests, out, indices, statuses, EO__MPI_UNTIL_SOME);
}

int MPI_Testsome(int count, MPI_Request *requests, int *out, int *indices, MPI_Status *statuses) {
  eo__mpi_enter("MPI_Testsome");
  if (count > 0) eo__mpi_check_status(statuses);
  return some(count, requests, out, indices, statuses, EO__MPI_TEST_SOME);
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  eo__mpi_enter("MPI_Test");
  eo__mpi_check_status(status);
  named n = find(request);
  check_started(&n);
  if (!flag) eo__mpi_fail("invalid-argument", "flag is NULL");
  *flag = !n.request || test_all(&n.request, 1);
  if (*flag) finish(&n, status);
  return MPI_SUCCESS;
}

/* The request stays: it is not to be waited for with another answer. */
int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  eo__mpi_enter("MPI_Request_get_status");
  eo__mpi_check_status(status);
  if (!flag) eo__mpi_fail("invalid-argument", "flag is NULL");
  named n = find(&request);
  check_started(&n);
  *flag = !n.request || test_all(&n.request, 1);
  if (!*flag) return MPI_SUCCESS;
  if (!n.request) {
    bool active = (n.persistent && n.persistent->active) || request == (PLAIN | 0);
    (active ? eo__mpi_status_nobody : eo__mpi_status_empty)(status);
    return MPI_SUCCESS;
  }
  eo__mpi_look(n.request, status);
  return MPI_SUCCESS;
}

int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
  eo__mpi_enter("MPI_Testall");
  if (count > 0) eo__mpi_check_status(statuses);
  array a = open_array(count, requests);
  *flag = !a.count || test_all(a.pending, a.count);
  for (int i = 0; *flag && i < count; i++) finish(&a.all[i], status_at(statuses, i));
  close_array(&a);
  return MPI_SUCCESS;
}

int MPI_Cancel(MPI_Request *handle) {
  eo__mpi_enter("MPI_Cancel");
  named n = find(handle);
  eo__mpi_request *request = n.request;
  if (!request && (*handle == MPI_REQUEST_NULL || (n.persistent && !n.persistent->active)))
    eo__mpi_fail("invalid-request", "the request is not active");
  if (!request || eo__mpi_general_cancel(request)) return MPI_SUCCESS;
  if (!request->sends && !request->receives)
    eo__mpi_fail("invalid-request", "the request of %s cannot be cancelled", request->call);
  if (request->known || request->cancelling) return MPI_SUCCESS;
  if (!eo__mpi_program_cancels() && request->done) return MPI_SUCCESS; /* too late: nothing was kept */
  eo__mpi_post_new(EO__MPI_CANCEL, request->number, 0, MPI_BYTE, 0);
  request->cancelling = true;
  request->done = false;
  for (eo__mpi_request *r = eo__mpi.pending; r && eo__mpi_program_cancels(); r = r->next)
    if (r->receives && !r->known) r->done = false; /* the world says again which are */
  return MPI_SUCCESS;
}

int MPI_Test_cancelled(const MPI_Status *status, int *flag) {
  eo__mpi_enter("MPI_Test_cancelled");
  *flag = status->eo_cancelled;
  return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  eo__mpi_enter("MPI_Get_count");
  eo__mpi_check_type(type);
  MPI_Count size = (MPI_Count)eo__mpi_type_size(type);
  if (size == 0)
    *count = 0;
  else
    *count = status->eo_bytes % size ? MPI_UNDEFINED : (int)(status->eo_bytes / size);
  return MPI_SUCCESS;
}
