/* call.h: a collective call, as a rank makes it. */
#ifndef EO_MPI_CALL_H
#define EO_MPI_CALL_H

#include "mpi/collective.h"
#include "mpi/rank.h"

/* Data of one part for all members, or of one for each: at `displacements` (in items; with `types`, in bytes), or one after
 * the other. */
typedef struct eo__mpi_side {
  void *buffer; /* of what is given never written */
  int count;    /* unless there are counts */
  MPI_Datatype type;
  const int *counts, *displacements;
  const MPI_Aint *addresses; /* in place of displacements, in bytes */
  const MPI_Datatype *types; /* NULL: all of `type` */
  const int *peers;          /* between neighbours: for each part the other member, or MPI_PROC_NULL */
  int peer_count;
  bool turned; /* they go to the two of a dimension in the other order: what is sent ahead comes from behind */
} eo__mpi_side;

typedef struct eo__mpi_call {
  eo__mpi_what what;
  MPI_Comm comm;
  uint32_t context; /* 0: that of the communicator */
  int root;
  MPI_Op op;
  eo__mpi_side gives, takes;
  uint32_t
      *first_context; /* is set when it is done, unless NULL: the number for a new communicator of the first member */
} eo__mpi_call;

/* Checks its arguments, and begins it. */
eo__mpi_request *eo__mpi_call_begin(const eo__mpi_call *call);

/* The same, and waits until it is done. */
void eo__mpi_call_run(const eo__mpi_call *call);

#endif
