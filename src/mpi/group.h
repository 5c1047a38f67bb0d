/* group.h: groups of processes, by their ranks in MPI_COMM_WORLD. */
#ifndef EO_MPI_GROUP_H
#define EO_MPI_GROUP_H

#include "mpi/object.h"

typedef struct eo__mpi_group {
  eo__mpi_object object;
  int size;
  int members[];
} eo__mpi_group;

eo__mpi_group *eo__mpi_group_new(int most); /* empty, with room */
void eo__mpi_group_add(eo__mpi_group *group, int rank);
const eo__mpi_group *eo__mpi_group_of(MPI_Group group);
int eo__mpi_group_find(const eo__mpi_group *group, int rank); /* MPI_UNDEFINED: it is not in it */

#endif
