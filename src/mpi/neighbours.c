/* neighbours.c: collective calls in which members give to and take from their neighbours, on a grid or a graph. */
#include <stdlib.h>

#include "mpi/call.h"
#include "mpi/comms.h"

/* The sides of the call get the neighbours of the communicator; `own` is freed when it has begun (NULL: nothing is to be). */
static eo__mpi_call with_neighbours(const eo__mpi_call *call, int **own) {
  const eo__mpi_comm *comm = eo__mpi_comm_of(call->comm);
  eo__mpi_call with = *call;
  *own = NULL;
  if (comm->grid) {
    with.gives.peers = with.takes.peers = *own = eo__mpi_grid_neighbours(comm);
    with.gives.peer_count = with.takes.peer_count = 2 * comm->grid->count;
    with.gives.turned = true;
  } else if (comm->graph) {
    with.gives.peers = comm->graph->out;
    with.gives.peer_count = comm->graph->out_count;
    with.takes.peers = comm->graph->in;
    with.takes.peer_count = comm->graph->in_count;
  } else {
    eo__mpi_fail("invalid-communicator", "the communicator has no neighbours");
  }
  return with;
}

static int run(const char *name, const eo__mpi_call *call) {
  int *own;
  eo__mpi_enter(name);
  eo__mpi_call with = with_neighbours(call, &own);
  eo__mpi_call_run(&with);
  free(own);
  return MPI_SUCCESS;
}

static int start(const char *name, const eo__mpi_call *call, MPI_Request *request) {
  int *own;
  eo__mpi_enter(name);
  if (!request) eo__mpi_fail("invalid-request", "the address of the request is NULL");
  eo__mpi_call with = with_neighbours(call, &own);
  *request = eo__mpi_request_handle(eo__mpi_call_begin(&with));
  free(own);
  return MPI_SUCCESS;
}

#define GIVEN .buffer = (void *)(uintptr_t)in
#define CALL(which, given, taken) \
  (&(eo__mpi_call){.what = EO__MPI_NEIGHBOR_##which, .comm = comm, .gives = given, .takes = taken})
#define PARTS(...) \
  { __VA_ARGS__ }

#define ALLGATHER                                             \
  CALL(ALLGATHER, PARTS(GIVEN, .count = count, .type = type), \
       PARTS(.buffer = out, .count = out_count, .type = out_type))
#define ALLGATHERV                                            \
  CALL(ALLGATHER, PARTS(GIVEN, .count = count, .type = type), \
       PARTS(.buffer = out, .counts = counts, .displacements = places, .type = out_type))
#define ALLTOALL \
  CALL(ALLTOALL, PARTS(GIVEN, .count = count, .type = type), PARTS(.buffer = out, .count = out_count, .type = out_type))
#define ALLTOALLV                                                                       \
  CALL(ALLTOALL, PARTS(GIVEN, .counts = counts, .displacements = places, .type = type), \
       PARTS(.buffer = out, .counts = out_counts, .displacements = out_places, .type = out_type))
#define ALLTOALLW                                                                     \
  CALL(ALLTOALL, PARTS(GIVEN, .counts = counts, .addresses = places, .types = types), \
       PARTS(.buffer = out, .counts = out_counts, .addresses = out_places, .types = out_types))

int MPI_Neighbor_allgather(const void *in, int count, MPI_Datatype type, void *out, int out_count,
                           MPI_Datatype out_type, MPI_Comm comm) {
  return run("MPI_Neighbor_allgather", ALLGATHER);
}

int MPI_Ineighbor_allgather(const void *in, int count, MPI_Datatype type, void *out, int out_count,
                            MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Ineighbor_allgather", ALLGATHER, request);
}

int MPI_Neighbor_allgatherv(const void *in, int count, MPI_Datatype type, void *out, const int *counts,
                            const int *places, MPI_Datatype out_type, MPI_Comm comm) {
  return run("MPI_Neighbor_allgatherv", ALLGATHERV);
}

int MPI_Ineighbor_allgatherv(const void *in, int count, MPI_Datatype type, void *out, const int *counts,
                             const int *places, MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Ineighbor_allgatherv", ALLGATHERV, request);
}

int MPI_Neighbor_alltoall(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,
                          MPI_Comm comm) {
  return run("MPI_Neighbor_alltoall", ALLTOALL);
}

int MPI_Ineighbor_alltoall(const void *in, int count, MPI_Datatype type, void *out, int out_count,
                           MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Ineighbor_alltoall", ALLTOALL, request);
}

int MPI_Neighbor_alltoallv(const void *in, const int *counts, const int *places, MPI_Datatype type, void *out,
                           const int *out_counts, const int *out_places, MPI_Datatype out_type, MPI_Comm comm) {
  return run("MPI_Neighbor_alltoallv", ALLTOALLV);
}

int MPI_Ineighbor_alltoallv(const void *in, const int *counts, const int *places, MPI_Datatype type, void *out,
                            const int *out_counts, const int *out_places, MPI_Datatype out_type, MPI_Comm comm,
                            MPI_Request *request) {
  return start("MPI_Ineighbor_alltoallv", ALLTOALLV, request);
}

int MPI_Neighbor_alltoallw(const void *in, const int *counts, const MPI_Aint *places, const MPI_Datatype *types,
                           void *out, const int *out_counts, const MPI_Aint *out_places, const MPI_Datatype *out_types,
                           MPI_Comm comm) {
  return run("MPI_Neighbor_alltoallw", ALLTOALLW);
}

int MPI_Ineighbor_alltoallw(const void *in, const int *counts, const MPI_Aint *places, const MPI_Datatype *types,
                            void *out, const int *out_counts, const MPI_Aint *out_places, const MPI_Datatype *out_types,
                            MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Ineighbor_alltoallw", ALLTOALLW, request);
}
