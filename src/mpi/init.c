/* init.c: MPI_Init to MPI_Finalize, and what a rank can ask about itself. */
#include <stdio.h>
#include <string.h>

#include "mpi/call.h"
#include "mpi/comms.h"

static void begin(const char *call) {
  eo__mpi.call = call;
  if (eo__mpi.finalized) eo__mpi_fail("after-finalize", "called after MPI_Finalize");
  if (eo__mpi.initialized) eo__mpi_fail("double-init", "MPI is initialised already");
  eo__mpi.initialized = true;
}

int MPI_Init(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  begin("MPI_Init");
  return MPI_SUCCESS;
}

static int wanted; /* by MPI_Init_thread */

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  (void)argc;
  (void)argv;
  begin("MPI_Init_thread");
  wanted = required;
  if (provided) *provided = required < MPI_THREAD_FUNNELED ? required : MPI_THREAD_FUNNELED;
  return MPI_SUCCESS;
}

int MPI_Initialized(int *flag) {
  *flag = eo__mpi.initialized;
  return MPI_SUCCESS;
}

int MPI_Finalized(int *flag) {
  *flag = eo__mpi.finalized;
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  eo__mpi_enter("MPI_Finalize");
  eo__mpi_attributes_drop(MPI_COMM_SELF, &eo__mpi_comm_own(MPI_COMM_SELF)->attributes); /* before anything else */
  eo__mpi_request_leaks();
  eo__mpi_object_leaks();
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_FINALIZE,
                                   .comm = EO__MPI_COMM_EVERYONE,
                                   .gives = {.type = MPI_BYTE},
                                   .takes = {.type = MPI_BYTE}});
  eo__mpi.finalized = true;
  return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int code) {
  eo__mpi_enter("MPI_Abort");
  eo__mpi_comm_of(comm);
  eo__mpi_fail("abort", "the program ends itself with code %d%s", code,
               wanted > MPI_THREAD_FUNNELED ? " (it asked MPI_Init_thread for more than MPI_THREAD_FUNNELED, which is "
                                              "not provided: a rank is one thread)"
                                            : "");
}

int MPI_Get_processor_name(char *name, int *length) {
  eo__mpi_enter("MPI_Get_processor_name");
  if (!name || !length) eo__mpi_fail("invalid-argument", "%s is NULL", name ? "the length" : "the name");
  *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "rank%d", eo__mpi.rank);
  return MPI_SUCCESS;
}

int MPI_Get_version(int *version, int *subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

/* Time goes on when all wait for it, and a little with each call, so that a program that waits by asking comes to an end. */
double MPI_Wtime(void) {
  static uint64_t asked;
  return (double)eo_now() / 1000 + (double)++asked * MPI_Wtick();
}

double MPI_Wtick(void) { return 0.00001; }
