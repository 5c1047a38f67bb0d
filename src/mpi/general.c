/* general.c: requests of the program's own (generalised requests): what it begins and ends itself. The world does not know them. */
#include <stdlib.h>

#include "mpi/rank.h"

typedef struct general {
  MPI_Grequest_query_function *query;
  MPI_Grequest_free_function *release;
  MPI_Grequest_cancel_function *cancel;
  void *extra;
} general;

static void check_answer(const char *which, int answer) {
  if (answer != MPI_SUCCESS)
    eo__mpi_fail("abort", "the %s function of a generalised request returns the error %d", which, answer);
}

static void look(eo__mpi_request *request, MPI_Status *status) {
  const general *g = request->more;
  MPI_Status own = {.MPI_SOURCE = MPI_UNDEFINED, .MPI_TAG = MPI_UNDEFINED};
  check_answer("query", g->query(g->extra, &own));
  if (!status || status == MPI_STATUS_IGNORE) return;
  own.MPI_ERROR = status->MPI_ERROR;
  *status = own;
}

static void finish(eo__mpi_request *request, MPI_Status *status) {
  const general *g = request->more;
  look(request, status);
  check_answer("free", g->release(g->extra));
}

int MPI_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *release,
                       MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request) {
  eo__mpi_enter("MPI_Grequest_start");
  if (!request) eo__mpi_fail("invalid-request", "the address of the request is NULL");
  if (!query || !release || !cancel) eo__mpi_fail("invalid-argument", "a function is NULL");
  eo__mpi_request *made = eo__mpi_request_new();
  general *g = eo__mpi_need(malloc(sizeof *g));
  *g = (general){query, release, cancel, extra};
  made->more = g;
  made->look = look;
  made->finish = finish;
  *request = eo__mpi_request_handle(made);
  return MPI_SUCCESS;
}

static eo__mpi_request *general_of(MPI_Request handle) {
  eo__mpi_request *request = eo__mpi_request_of(&handle);
  if (!request || request->finish != finish)
    eo__mpi_fail("invalid-request", "the request is not a generalised request");
  return request;
}

int MPI_Grequest_complete(MPI_Request handle) {
  eo__mpi_enter("MPI_Grequest_complete");
  eo__mpi_request *request = general_of(handle);
  if (request->done) eo__mpi_fail("invalid-request", "the request is complete already");
  request->done = request->known = true;
  return MPI_SUCCESS;
}

bool eo__mpi_general_cancel(eo__mpi_request *request) {
  if (request->finish != finish) return false;
  const general *g = request->more;
  check_answer("cancel", g->cancel(g->extra, request->done));
  return true;
}
