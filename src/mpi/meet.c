/* meet.c: collective calls, as a rank makes them. */
#include "mpi/rank.h"

int MPI_Barrier(MPI_Comm comm) {
  eo__mpi_enter("MPI_Barrier");
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  eo__mpi_request *request = eo__mpi_request_new();
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_MEET, request->number, 0, MPI_BYTE, 0);
  post->what = EO__MPI_BARRIER;
  post->peer = -1;
  post->context = c->context;
  post->blocking = true;
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_request_free(request);
  return MPI_SUCCESS;
}
