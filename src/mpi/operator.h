/* operator.h: what reductions do with data. */
#ifndef EO_MPI_OPERATOR_H
#define EO_MPI_OPERATOR_H

#include "mpi/rank.h"

/* A finding if it is none, or cannot be applied to items of this type; MPI_REPLACE and MPI_NO_OP are for windows only. */
void eo__mpi_check_operator(MPI_Op op, MPI_Datatype type);
void eo__mpi_check_reduction(MPI_Op op, MPI_Datatype type);

/* b = a op b, of `count` items in their layout in memory. */
void eo__mpi_operate(MPI_Op op, const void *a, void *b, int count, MPI_Datatype type);

#endif
