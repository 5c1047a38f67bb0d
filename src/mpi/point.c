/* point.c: blocking point-to-point communication. */
#include "mpi/rank.h"

/* A send that was begun. NULL: to nobody. */
static eo__mpi_request *begin_send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                                   eo__mpi_mode mode, bool blocking) {
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  eo__mpi_check_data(buffer, count, type);
  eo__mpi_check_peer(c, to, false);
  eo__mpi_check_tag(tag, false);
  if (to == MPI_PROC_NULL) return NULL;
  eo__mpi_request *request = eo__mpi_request_new();
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_SEND, request->number, count, type, eo__mpi_packed_size(count, type));
  eo__mpi_pack((char *)(post + 1), buffer, count, type);
  post->mode = (uint8_t)mode;
  post->blocking = blocking;
  post->context = c->context;
  post->peer = eo__mpi_world_rank(c, to);
  post->tag = tag;
  request->comm = c;
  request->type = type;
  return request;
}

static eo__mpi_request *begin_receive(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                                      bool blocking) {
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  eo__mpi_check_data(buffer, count, type);
  eo__mpi_check_peer(c, from, true);
  eo__mpi_check_tag(tag, true);
  if (from == MPI_PROC_NULL) return NULL;
  eo__mpi_request *request = eo__mpi_request_new();
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_RECEIVE, request->number, count, type, 0);
  post->size = eo__mpi_packed_size(count, type);
  post->blocking = blocking;
  post->context = c->context;
  post->peer = from == MPI_ANY_SOURCE ? EO__MPI_ANY : eo__mpi_world_rank(c, from);
  post->tag = tag == MPI_ANY_TAG ? EO__MPI_ANY : tag;
  request->buffer = buffer;
  request->count = count;
  request->type = type;
  request->comm = c;
  return request;
}

static void nobody(MPI_Status *status) {
  if (status && status != MPI_STATUS_IGNORE)
    *status = (MPI_Status){.MPI_SOURCE = MPI_PROC_NULL, .MPI_TAG = MPI_ANY_TAG, .MPI_ERROR = status->MPI_ERROR};
}

static int send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, eo__mpi_mode mode) {
  eo__mpi_request *request = begin_send(buffer, count, type, to, tag, comm, mode, true);
  if (!request) return MPI_SUCCESS;
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_request_free(request);
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
  eo__mpi_request *request = begin_receive(buffer, count, type, from, tag, comm, true);
  if (!request) {
    nobody(status);
    return MPI_SUCCESS;
  }
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_complete(request, status);
  return MPI_SUCCESS;
}
