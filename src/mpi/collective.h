/* collective.h: what collective calls do, in one table, which ranks and the world both read. */
#ifndef EO_MPI_COLLECTIVE_H
#define EO_MPI_COLLECTIVE_H

#include "mpi/wire.h"

typedef enum eo__mpi_what {
  EO__MPI_BARRIER,
  EO__MPI_BCAST,
  EO__MPI_GATHER,
  EO__MPI_GATHERV,
  EO__MPI_SCATTER,
  EO__MPI_SCATTERV,
  EO__MPI_ALLGATHER,
  EO__MPI_ALLGATHERV,
  EO__MPI_ALLTOALL,
  EO__MPI_ALLTOALLV,
  EO__MPI_ALLTOALLW,
  EO__MPI_REDUCE,
  EO__MPI_ALLREDUCE,
  EO__MPI_REDUCE_SCATTER,
  EO__MPI_REDUCE_SCATTER_BLOCK,
  EO__MPI_SCAN,
  EO__MPI_EXSCAN,
  EO__MPI_COMM_DUP,
  EO__MPI_COMM_SPLIT,
  EO__MPI_COMM_CREATE,
  EO__MPI_COMM_FREE,
  EO__MPI_COMM_SPLIT_TYPE,
  EO__MPI_CART_CREATE,
  EO__MPI_CART_SUB,
  EO__MPI_WIN_CREATE,
  EO__MPI_WIN_FREE,
  EO__MPI_WIN_FENCE,
  EO__MPI_INTERCOMM_CREATE,
  EO__MPI_INTERCOMM_MERGE,
  EO__MPI_GRAPH_CREATE,
  EO__MPI_NEIGHBOR_ALLGATHER,
  EO__MPI_NEIGHBOR_ALLTOALL,
  EO__MPI_WIN_SHARE,
  EO__MPI_SET_INFO,
  EO__MPI_FINALIZE,
  EO__MPI_WHATS
} eo__mpi_what;

typedef enum eo__mpi_who { EO__MPI_NOBODY, EO__MPI_THE_ROOT, EO__MPI_BUT_ROOT, EO__MPI_ALL } eo__mpi_who;

/* From whom a taker takes: of members by their number in the communicator; of neighbours, each part says it. */
typedef enum eo__mpi_from {
  EO__MPI_OF_ALL,
  EO__MPI_OF_EARLIER,
  EO__MPI_UP_TO_ITSELF,
  EO__MPI_OF_NEIGHBOURS
} eo__mpi_from;

typedef struct eo__mpi_collective {
  uint8_t givers, takers; /* eo__mpi_who */
  uint8_t from;           /* eo__mpi_from, of those that give */
  bool apart;             /* a giver has a part for each member; else the same for all */
  bool reduces;           /* what a taker takes is put together by the operator; else it comes one after the other */
} eo__mpi_collective;
extern const eo__mpi_collective eo__mpi_collectives[EO__MPI_WHATS];

bool eo__mpi_is_rooted(const eo__mpi_collective *collective);

/* Members of an inter-communicator are those of the group whose first member has the lower rank, then those of the other one: `split` of
 * them are in the first. They give to the other group. Else `split` is 0. */
bool eo__mpi_same_group(int a, int b, int split);
bool eo__mpi_gives(const eo__mpi_collective *collective, int member, int root, int split);
bool eo__mpi_takes(const eo__mpi_collective *collective, int member, int root, int split);
bool eo__mpi_takes_from(const eo__mpi_collective *collective, int taker, int giver, int root, int split);

#endif
