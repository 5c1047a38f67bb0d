/* point.c: blocking point-to-point communication, and what is common to all of it. */
#include "mpi/point.h"

#include <stddef.h>
#include <string.h>

#include "mpi/access.h"

void eo__mpi_transfer_check(const eo__mpi_transfer *t) {
  const eo__mpi_comm *comm = eo__mpi_comm_of(t->comm);
  eo__mpi_check_data(t->buffer, t->count, t->type);
  eo__mpi_check_peer(eo__mpi_others(comm), t->peer, t->receives);
  eo__mpi_check_tag(t->tag, t->receives);
}

static void post_send(const eo__mpi_transfer *t, const eo__mpi_comm *comm, uint32_t number) {
  eo__mpi_post *post =
      eo__mpi_post_new(EO__MPI_SEND, number, t->count, t->type, eo__mpi_packed_size(t->count, t->type));
  eo__mpi_pack((char *)(uintptr_t)eo__mpi_payload(post), t->buffer, t->count, t->type);
  post->peer = eo__mpi_world_rank(eo__mpi_others(comm), t->peer);
  post->tag = t->tag;
}

static void post_receive(const eo__mpi_transfer *t, const eo__mpi_comm *comm, uint32_t number) {
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_RECEIVE, number, t->count, t->type, 0);
  post->size = eo__mpi_packed_size(t->count, t->type);
  post->peer = t->peer == MPI_ANY_SOURCE ? EO__MPI_ANY : eo__mpi_world_rank(eo__mpi_others(comm), t->peer);
  post->tag = t->tag == MPI_ANY_TAG ? EO__MPI_ANY : t->tag;
}

static void post_transfer(const eo__mpi_transfer *t, const eo__mpi_comm *comm, uint32_t number, bool blocking) {
  if (t->receives)
    post_receive(t, comm, number);
  else
    post_send(t, comm, number);
  eo__mpi_post *post = eo__mpi_post_last();
  post->mode = (uint8_t)t->mode;
  post->blocking = blocking;
  post->context = comm->context;
  eo__mpi_touch(t->buffer, t->count, t->type, t->receives);
  eo__mpi_window_log(t->buffer, t->count, t->type, t->receives, 0);
}

eo__mpi_request *eo__mpi_transfer_begin(const eo__mpi_transfer *t, bool blocking) {
  eo__mpi_transfer_check(t);
  if (t->peer == MPI_PROC_NULL) return NULL;
  const eo__mpi_comm *comm = eo__mpi_comm_of(t->comm);
  eo__mpi_request *request = eo__mpi_request_new();
  request->buffer = t->buffer;
  request->type = t->type;
  request->comm = eo__mpi_others(comm);
  request->sends = !t->receives;
  request->receives = t->receives;
  post_transfer(t, comm, request->number, blocking);
  if (!blocking) eo__mpi_guard(request, t->buffer, t->count, t->type, t->receives);
  return request;
}

void eo__mpi_status_nobody(MPI_Status *status) {
  if (status && status != MPI_STATUS_IGNORE)
    *status = (MPI_Status){.MPI_SOURCE = MPI_PROC_NULL, .MPI_TAG = MPI_ANY_TAG, .MPI_ERROR = status->MPI_ERROR};
}

void eo__mpi_status_empty(MPI_Status *status) {
  if (status && status != MPI_STATUS_IGNORE)
    *status = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG, .MPI_ERROR = status->MPI_ERROR};
}

static int run(const eo__mpi_transfer *transfer, MPI_Status *status) {
  eo__mpi_request *request = eo__mpi_transfer_begin(transfer, true);
  if (!request) {
    eo__mpi_status_nobody(status);
    return MPI_SUCCESS;
  }
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_complete(request, status);
  return MPI_SUCCESS;
}

static bool returns_at_once(eo__mpi_mode mode) {
  return mode == EO__MPI_BUFFERED || (mode != EO__MPI_SYNCHRONOUS && eo__mpi.buffered);
}

static int send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, eo__mpi_mode mode) {
  eo__mpi_transfer t = {false, mode, (void *)(uintptr_t)buffer, count, type, to, tag, comm};
  if (!returns_at_once(mode)) return run(&t, NULL);
  eo__mpi_transfer_check(&t);
  if (to == MPI_PROC_NULL) return MPI_SUCCESS;
  post_transfer(&t, eo__mpi_comm_of(comm), ++eo__mpi.requests, true);
  eo_remark("%s to rank %d, tag %d, returns at once (%s:%d)", eo__mpi.call, to, tag, eo_mpi_at->file, eo_mpi_at->line);
  eo__mpi_send_returned();
  return MPI_SUCCESS;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  eo__mpi_enter("MPI_Send");
  return send(buffer, count, type, to, tag, comm, EO__MPI_STANDARD);
}

int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  eo__mpi_enter("MPI_Ssend");
  return send(buffer, count, type, to, tag, comm, EO__MPI_SYNCHRONOUS);
}

int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  eo__mpi_enter("MPI_Rsend");
  return send(buffer, count, type, to, tag, comm, EO__MPI_READY);
}

int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  eo__mpi_enter("MPI_Bsend");
  return send(buffer, count, type, to, tag, comm, EO__MPI_BUFFERED);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
  eo__mpi_enter("MPI_Recv");
  eo__mpi_check_status(status);
  return run(&(eo__mpi_transfer){true, EO__MPI_STANDARD, buffer, count, type, from, tag, comm}, status);
}

static int exchange(const eo__mpi_transfer *sends, const eo__mpi_transfer *receives, MPI_Status *status) {
  eo__mpi_request *both[2];
  size_t count = 0;
  eo__mpi_request *receive = eo__mpi_transfer_begin(receives, true), *send = eo__mpi_transfer_begin(sends, true);
  if (receive) both[count++] = receive;
  if (send) both[count++] = send;
  if (count) eo__mpi_wait(EO__MPI_UNTIL_ALL, both, count);
  if (send) eo__mpi_complete(send, NULL);
  if (receive)
    eo__mpi_complete(receive, status);
  else
    eo__mpi_status_nobody(status);
  return MPI_SUCCESS;
}

int MPI_Sendrecv(const void *buffer, int count, MPI_Datatype type, int to, int tag, void *into, int room,
                 MPI_Datatype into_type, int from, int from_tag, MPI_Comm comm, MPI_Status *status) {
  eo__mpi_enter("MPI_Sendrecv");
  eo__mpi_check_status(status);
  eo__mpi_transfer sends = {false, EO__MPI_STANDARD, (void *)(uintptr_t)buffer, count, type, to, tag, comm};
  eo__mpi_transfer receives = {true, EO__MPI_STANDARD, into, room, into_type, from, from_tag, comm};
  eo__mpi_transfer_check(&sends);
  eo__mpi_transfer_check(&receives);
  if (eo__mpi_overlap(buffer, count, type, into, room, into_type))
    eo__mpi_fail("invalid-buffer", "the send buffer and the receive buffer overlap");
  return exchange(&sends, &receives, status);
}

int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int tag, int from, int from_tag,
                         MPI_Comm comm, MPI_Status *status) {
  eo__mpi_enter("MPI_Sendrecv_replace");
  eo__mpi_check_status(status);
  eo__mpi_transfer sends = {false, EO__MPI_STANDARD, buffer, count, type, to, tag, comm};
  eo__mpi_transfer receives = {true, EO__MPI_STANDARD, buffer, count, type, from, from_tag, comm};
  return exchange(&sends, &receives, status);
}

/* ---- Messages of MPI itself, of words: nobody else gets them ----------------------------------------------------------- */

void eo__mpi_tell_rank(uint32_t context, int rank, int tag, const int *words, int count) {
  eo__mpi_post *post =
      eo__mpi_post_new(EO__MPI_SEND, ++eo__mpi.requests, count, MPI_INT, (size_t)count * sizeof *words);
  memcpy((char *)(uintptr_t)eo__mpi_payload(post), words, (size_t)count * sizeof *words);
  post->mode = EO__MPI_BUFFERED;
  post->context = context | EO__MPI_PRIVATE;
  post->peer = rank;
  post->tag = tag;
  eo__mpi_send_returned();
}

void eo__mpi_hear_rank(uint32_t context, int rank, int tag, int *words, int room) {
  eo__mpi_request *request = eo__mpi_request_new();
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_RECEIVE, request->number, room, MPI_INT, 0);
  post->size = (size_t)room * sizeof *words;
  post->blocking = true;
  post->context = context | EO__MPI_PRIVATE;
  post->peer = rank;
  post->tag = tag;
  request->buffer = words;
  request->type = MPI_INT;
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_complete(request, NULL);
}

/* ---- Probes ------------------------------------------------------------------------------------------------------ */

/* A request that is done as soon as there is such a message, and gets its size. NULL: of nobody. */
static eo__mpi_request *begin_probe(int from, int tag, MPI_Comm comm) {
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  eo__mpi_check_peer(eo__mpi_others(c), from, true);
  eo__mpi_check_tag(tag, true);
  if (from == MPI_PROC_NULL) return NULL;
  eo__mpi_request *request = eo__mpi_request_new();
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_PROBE, request->number, 0, MPI_BYTE, 0);
  post->peer = from == MPI_ANY_SOURCE ? EO__MPI_ANY : eo__mpi_world_rank(eo__mpi_others(c), from);
  post->tag = tag == MPI_ANY_TAG ? EO__MPI_ANY : tag;
  post->context = c->context;
  post->blocking = true;
  request->comm = eo__mpi_others(c);
  request->buffer = &request->probed;
  request->type = MPI_BYTE;
  return request;
}

static void end_probe(eo__mpi_request *request, MPI_Status *status) {
  const uint64_t *size = (const void *)(request->result + 1);
  MPI_Count bytes = (MPI_Count)*size;
  eo__mpi_complete(request, status);
  if (status && status != MPI_STATUS_IGNORE) status->eo_bytes = bytes;
}

void eo__mpi_probe(int from, int tag, MPI_Comm comm, MPI_Status *status) {
  eo__mpi_request *request = begin_probe(from, tag, comm);
  if (!request) {
    eo__mpi_status_nobody(status);
    return;
  }
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  end_probe(request, status);
}

bool eo__mpi_probe_now(int from, int tag, MPI_Comm comm, MPI_Status *status) {
  eo__mpi_request *request = begin_probe(from, tag, comm);
  if (!request) {
    eo__mpi_status_nobody(status);
    return true;
  }
  bool found = eo__mpi_wait(EO__MPI_TEST_ALL, &request, 1) != EO__MPI_NOT_YET;
  if (found)
    end_probe(request, status);
  else
    eo__mpi_request_free(request);
  return found;
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status) {
  eo__mpi_enter("MPI_Probe");
  eo__mpi_check_status(status);
  eo__mpi_probe(from, tag, comm, status);
  return MPI_SUCCESS;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  eo__mpi_enter("MPI_Iprobe");
  eo__mpi_check_status(status);
  if (!flag) eo__mpi_fail("invalid-argument", "flag is NULL");
  *flag = eo__mpi_probe_now(from, tag, comm, status);
  return MPI_SUCCESS;
}

/* ---- Buffered sends ------------------------------------------------------------------------------------------------ */

static void *attached;
static int attached_size;

int MPI_Buffer_attach(void *buffer, int size) {
  eo__mpi_enter("MPI_Buffer_attach");
  if (attached) eo__mpi_fail("invalid-buffer", "a buffer is attached already");
  if (!buffer || size < 0) eo__mpi_fail("invalid-buffer", "the buffer is NULL, or its size %d", size);
  attached = buffer;
  attached_size = size;
  return MPI_SUCCESS;
}

int MPI_Buffer_detach(void *buffer, int *size) {
  eo__mpi_enter("MPI_Buffer_detach");
  if (!attached) eo__mpi_fail("invalid-buffer", "no buffer is attached");
  *(void **)buffer = attached;
  *size = attached_size;
  attached = NULL;
  return MPI_SUCCESS;
}
