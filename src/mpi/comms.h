/* comms.h: how communicators are made of others. */
#ifndef EO_MPI_COMMS_H
#define EO_MPI_COMMS_H

#include "mpi/collective.h"
#include "mpi/rank.h"

typedef struct eo__mpi_grid {
  int count; /* dimensions */
  int *sizes, *periods;
  int numbers[];
} eo__mpi_grid;

/* Who gives to a member, and to whom it gives, by their numbers; of a graph that all know, all of it. */
typedef struct eo__mpi_graph {
  bool distributed, weighted;
  int in_count, out_count;
  int *in, *out, *in_weights, *out_weights;
  int nodes, *index, *edges;
} eo__mpi_graph;

/* Those on a grid, on the heap: for each dimension the one before and the one behind (MPI_PROC_NULL: there is none). */
int *eo__mpi_grid_neighbours(const eo__mpi_comm *comm);

/* Splits by color, as MPI_Comm_split does; the new one has this grid (NULL: none). */
MPI_Comm eo__mpi_comm_split(eo__mpi_what what, MPI_Comm comm, int color, int key, const eo__mpi_grid *grid);

/* A new one with room for so many members, and one with the members of another; their numbers are not set. */
eo__mpi_comm *eo__mpi_comm_new(int size);
eo__mpi_comm *eo__mpi_comm_copy(const eo__mpi_comm *old);

/* A finding unless all of the group are in it. */
struct eo__mpi_group;
void eo__mpi_check_members(const eo__mpi_comm *comm, const struct eo__mpi_group *group);

/* The communicator, to change it. */
eo__mpi_comm *eo__mpi_comm_own(MPI_Comm comm);

/* attributes.c: of a new object, which is a copy of this one, and of one that is freed. */
void eo__mpi_attributes_copy(int from, eo__mpi_attribute *const *all, eo__mpi_attribute **to);
void eo__mpi_attributes_drop(int handle, eo__mpi_attribute **all);

/* errors.c: the last error code that there is. */
int eo__mpi_last_code(void);

#endif
