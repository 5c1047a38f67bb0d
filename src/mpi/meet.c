/* meet.c: collective calls. Each function says what is given and taken; collective.c says by whom. */
#include "mpi/call.h"

#define WRITABLE(pointer) ((void *)(uintptr_t)(pointer))

static int run(const char *name, const eo__mpi_call *call) {
  eo__mpi_enter(name);
  eo__mpi_call_run(call);
  return MPI_SUCCESS;
}

static int start(const char *name, const eo__mpi_call *call, MPI_Request *request) {
  eo__mpi_enter(name);
  if (!request) eo__mpi_fail("invalid-request", "the address of the request is NULL");
  *request = eo__mpi_request_handle(eo__mpi_call_begin(call));
  return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm comm) {
  return run(
      "MPI_Barrier",
      &(eo__mpi_call){.what = EO__MPI_BARRIER, .comm = comm, .gives = {.type = MPI_BYTE}, .takes = {.type = MPI_BYTE}});
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  return start(
      "MPI_Ibarrier",
      &(eo__mpi_call){.what = EO__MPI_BARRIER, .comm = comm, .gives = {.type = MPI_BYTE}, .takes = {.type = MPI_BYTE}},
      request);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return run("MPI_Bcast", &(eo__mpi_call){.what = EO__MPI_BCAST,
                                          .comm = comm,
                                          .root = root,
                                          .gives = {.buffer = buffer, .count = count, .type = type},
                                          .takes = {.buffer = buffer, .count = count, .type = type}});
}

int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Ibcast",
               &(eo__mpi_call){.what = EO__MPI_BCAST,
                               .comm = comm,
                               .root = root,
                               .gives = {.buffer = buffer, .count = count, .type = type},
                               .takes = {.buffer = buffer, .count = count, .type = type}},
               request);
}

int MPI_Gather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
               int root, MPI_Comm comm) {
  return run("MPI_Gather", &(eo__mpi_call){.what = EO__MPI_GATHER,
                                           .comm = comm,
                                           .root = root,
                                           .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                                           .takes = {.buffer = out, .count = out_count, .type = out_type}});
}

int MPI_Igather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                int root, MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Igather",
               &(eo__mpi_call){.what = EO__MPI_GATHER,
                               .comm = comm,
                               .root = root,
                               .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                               .takes = {.buffer = out, .count = out_count, .type = out_type}},
               request);
}

int MPI_Gatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                const int *displacements, MPI_Datatype out_type, int root, MPI_Comm comm) {
  return run(
      "MPI_Gatherv",
      &(eo__mpi_call){.what = EO__MPI_GATHERV,
                      .comm = comm,
                      .root = root,
                      .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                      .takes = {.buffer = out, .counts = counts, .displacements = displacements, .type = out_type}});
}

int MPI_Igatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                 const int *displacements, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request) {
  return start(
      "MPI_Igatherv",
      &(eo__mpi_call){.what = EO__MPI_GATHERV,
                      .comm = comm,
                      .root = root,
                      .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                      .takes = {.buffer = out, .counts = counts, .displacements = displacements, .type = out_type}},
      request);
}

int MPI_Scatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                int root, MPI_Comm comm) {
  return run("MPI_Scatter", &(eo__mpi_call){.what = EO__MPI_SCATTER,
                                            .comm = comm,
                                            .root = root,
                                            .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                                            .takes = {.buffer = out, .count = out_count, .type = out_type}});
}

int MPI_Iscatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                 int root, MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Iscatter",
               &(eo__mpi_call){.what = EO__MPI_SCATTER,
                               .comm = comm,
                               .root = root,
                               .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                               .takes = {.buffer = out, .count = out_count, .type = out_type}},
               request);
}

int MPI_Scatterv(const void *in, const int *counts, const int *displacements, MPI_Datatype in_type, void *out,
                 int out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
  return run("MPI_Scatterv",
             &(eo__mpi_call){
                 .what = EO__MPI_SCATTERV,
                 .comm = comm,
                 .root = root,
                 .gives = {.buffer = WRITABLE(in), .counts = counts, .displacements = displacements, .type = in_type},
                 .takes = {.buffer = out, .count = out_count, .type = out_type}});
}

int MPI_Iscatterv(const void *in, const int *counts, const int *displacements, MPI_Datatype in_type, void *out,
                  int out_count, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Iscatterv",
               &(eo__mpi_call){
                   .what = EO__MPI_SCATTERV,
                   .comm = comm,
                   .root = root,
                   .gives = {.buffer = WRITABLE(in), .counts = counts, .displacements = displacements, .type = in_type},
                   .takes = {.buffer = out, .count = out_count, .type = out_type}},
               request);
}

int MPI_Allgather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                  MPI_Comm comm) {
  return run("MPI_Allgather", &(eo__mpi_call){.what = EO__MPI_ALLGATHER,
                                              .comm = comm,
                                              .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                                              .takes = {.buffer = out, .count = out_count, .type = out_type}});
}

int MPI_Iallgather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                   MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Iallgather",
               &(eo__mpi_call){.what = EO__MPI_ALLGATHER,
                               .comm = comm,
                               .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                               .takes = {.buffer = out, .count = out_count, .type = out_type}},
               request);
}

int MPI_Allgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                   const int *displacements, MPI_Datatype out_type, MPI_Comm comm) {
  return run(
      "MPI_Allgatherv",
      &(eo__mpi_call){.what = EO__MPI_ALLGATHERV,
                      .comm = comm,
                      .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                      .takes = {.buffer = out, .counts = counts, .displacements = displacements, .type = out_type}});
}

int MPI_Iallgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                    const int *displacements, MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request) {
  return start(
      "MPI_Iallgatherv",
      &(eo__mpi_call){.what = EO__MPI_ALLGATHERV,
                      .comm = comm,
                      .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                      .takes = {.buffer = out, .counts = counts, .displacements = displacements, .type = out_type}},
      request);
}

int MPI_Alltoall(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                 MPI_Comm comm) {
  return run("MPI_Alltoall", &(eo__mpi_call){.what = EO__MPI_ALLTOALL,
                                             .comm = comm,
                                             .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                                             .takes = {.buffer = out, .count = out_count, .type = out_type}});
}

int MPI_Ialltoall(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                  MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Ialltoall",
               &(eo__mpi_call){.what = EO__MPI_ALLTOALL,
                               .comm = comm,
                               .gives = {.buffer = WRITABLE(in), .count = in_count, .type = in_type},
                               .takes = {.buffer = out, .count = out_count, .type = out_type}},
               request);
}

int MPI_Alltoallv(const void *in, const int *in_counts, const int *in_displacements, MPI_Datatype in_type, void *out,
                  const int *out_counts, const int *out_displacements, MPI_Datatype out_type, MPI_Comm comm) {
  return run(
      "MPI_Alltoallv",
      &(eo__mpi_call){
          .what = EO__MPI_ALLTOALLV,
          .comm = comm,
          .gives = {.buffer = WRITABLE(in), .counts = in_counts, .displacements = in_displacements, .type = in_type},
          .takes = {.buffer = out, .counts = out_counts, .displacements = out_displacements, .type = out_type}});
}

int MPI_Ialltoallv(const void *in, const int *in_counts, const int *in_displacements, MPI_Datatype in_type, void *out,
                   const int *out_counts, const int *out_displacements, MPI_Datatype out_type, MPI_Comm comm,
                   MPI_Request *request) {
  return start(
      "MPI_Ialltoallv",
      &(eo__mpi_call){
          .what = EO__MPI_ALLTOALLV,
          .comm = comm,
          .gives = {.buffer = WRITABLE(in), .counts = in_counts, .displacements = in_displacements, .type = in_type},
          .takes = {.buffer = out, .counts = out_counts, .displacements = out_displacements, .type = out_type}},
      request);
}

int MPI_Alltoallw(const void *in, const int *in_counts, const int *in_displacements, const MPI_Datatype *in_types,
                  void *out, const int *out_counts, const int *out_displacements, const MPI_Datatype *out_types,
                  MPI_Comm comm) {
  return run(
      "MPI_Alltoallw",
      &(eo__mpi_call){
          .what = EO__MPI_ALLTOALLW,
          .comm = comm,
          .gives = {.buffer = WRITABLE(in), .counts = in_counts, .displacements = in_displacements, .types = in_types},
          .takes = {.buffer = out, .counts = out_counts, .displacements = out_displacements, .types = out_types}});
}

int MPI_Ialltoallw(const void *in, const int *in_counts, const int *in_displacements, const MPI_Datatype *in_types,
                   void *out, const int *out_counts, const int *out_displacements, const MPI_Datatype *out_types,
                   MPI_Comm comm, MPI_Request *request) {
  return start(
      "MPI_Ialltoallw",
      &(eo__mpi_call){
          .what = EO__MPI_ALLTOALLW,
          .comm = comm,
          .gives = {.buffer = WRITABLE(in), .counts = in_counts, .displacements = in_displacements, .types = in_types},
          .takes = {.buffer = out, .counts = out_counts, .displacements = out_displacements, .types = out_types}},
      request);
}

int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return run("MPI_Reduce", &(eo__mpi_call){.what = EO__MPI_REDUCE,
                                           .comm = comm,
                                           .root = root,
                                           .op = op,
                                           .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                                           .takes = {.buffer = out, .count = count, .type = type}});
}

int MPI_Ireduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request *request) {
  return start("MPI_Ireduce",
               &(eo__mpi_call){.what = EO__MPI_REDUCE,
                               .comm = comm,
                               .root = root,
                               .op = op,
                               .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                               .takes = {.buffer = out, .count = count, .type = type}},
               request);
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return run("MPI_Allreduce", &(eo__mpi_call){.what = EO__MPI_ALLREDUCE,
                                              .comm = comm,
                                              .op = op,
                                              .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                                              .takes = {.buffer = out, .count = count, .type = type}});
}

int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request) {
  return start("MPI_Iallreduce",
               &(eo__mpi_call){.what = EO__MPI_ALLREDUCE,
                               .comm = comm,
                               .op = op,
                               .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                               .takes = {.buffer = out, .count = count, .type = type}},
               request);
}

int MPI_Reduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return run("MPI_Reduce_scatter", &(eo__mpi_call){.what = EO__MPI_REDUCE_SCATTER,
                                                   .comm = comm,
                                                   .op = op,
                                                   .gives = {.buffer = WRITABLE(in), .counts = counts, .type = type},
                                                   .takes = {.buffer = out, .counts = counts, .type = type}});
}

int MPI_Ireduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request *request) {
  return start("MPI_Ireduce_scatter",
               &(eo__mpi_call){.what = EO__MPI_REDUCE_SCATTER,
                               .comm = comm,
                               .op = op,
                               .gives = {.buffer = WRITABLE(in), .counts = counts, .type = type},
                               .takes = {.buffer = out, .counts = counts, .type = type}},
               request);
}

int MPI_Reduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return run("MPI_Reduce_scatter_block",
             &(eo__mpi_call){.what = EO__MPI_REDUCE_SCATTER_BLOCK,
                             .comm = comm,
                             .op = op,
                             .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                             .takes = {.buffer = out, .count = count, .type = type}});
}

int MPI_Ireduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request *request) {
  return start("MPI_Ireduce_scatter_block",
               &(eo__mpi_call){.what = EO__MPI_REDUCE_SCATTER_BLOCK,
                               .comm = comm,
                               .op = op,
                               .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                               .takes = {.buffer = out, .count = count, .type = type}},
               request);
}

int MPI_Scan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return run("MPI_Scan", &(eo__mpi_call){.what = EO__MPI_SCAN,
                                         .comm = comm,
                                         .op = op,
                                         .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                                         .takes = {.buffer = out, .count = count, .type = type}});
}

int MPI_Iscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  return start("MPI_Iscan",
               &(eo__mpi_call){.what = EO__MPI_SCAN,
                               .comm = comm,
                               .op = op,
                               .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                               .takes = {.buffer = out, .count = count, .type = type}},
               request);
}

int MPI_Exscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return run("MPI_Exscan", &(eo__mpi_call){.what = EO__MPI_EXSCAN,
                                           .comm = comm,
                                           .op = op,
                                           .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                                           .takes = {.buffer = out, .count = count, .type = type}});
}

int MPI_Iexscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request *request) {
  return start("MPI_Iexscan",
               &(eo__mpi_call){.what = EO__MPI_EXSCAN,
                               .comm = comm,
                               .op = op,
                               .gives = {.buffer = WRITABLE(in), .count = count, .type = type},
                               .takes = {.buffer = out, .count = count, .type = type}},
               request);
}
