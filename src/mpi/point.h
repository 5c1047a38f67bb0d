/* point.h: how point-to-point communication begins, for all functions that do. */
#ifndef EO_MPI_POINT_H
#define EO_MPI_POINT_H

#include "mpi/rank.h"

/* What a call sends or receives. */
typedef struct eo__mpi_transfer {
  bool receives;
  eo__mpi_mode mode;
  void *buffer; /* of a send never written */
  int count;
  MPI_Datatype type;
  int peer, tag;
  MPI_Comm comm;
} eo__mpi_transfer;

void eo__mpi_transfer_check(const eo__mpi_transfer *transfer);

/* Begins it. NULL: with MPI_PROC_NULL, nothing is to be done. */
eo__mpi_request *eo__mpi_transfer_begin(const eo__mpi_transfer *transfer, bool blocking);

/* Messages of MPI itself to and from a rank of MPI_COMM_WORLD: at most `room` words. */
void eo__mpi_tell_rank(uint32_t context, int rank, int tag, const int *words, int count);
void eo__mpi_hear_rank(uint32_t context, int rank, int tag, int *words, int room);

/* Waits for such a message, or tells whether there is one. */
void eo__mpi_probe(int from, int tag, MPI_Comm comm, MPI_Status *status);
bool eo__mpi_probe_now(int from, int tag, MPI_Comm comm, MPI_Status *status);

#endif
