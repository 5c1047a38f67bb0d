/* collective.c: see collective.h. */
#include "mpi/collective.h"

const eo__mpi_collective eo__mpi_collectives[EO__MPI_WHATS] = {
    [EO__MPI_BARRIER] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_BCAST] = {EO__MPI_THE_ROOT, EO__MPI_BUT_ROOT, EO__MPI_OF_ALL, false, false},
    [EO__MPI_GATHER] = {EO__MPI_ALL, EO__MPI_THE_ROOT, EO__MPI_OF_ALL, false, false},
    [EO__MPI_GATHERV] = {EO__MPI_ALL, EO__MPI_THE_ROOT, EO__MPI_OF_ALL, false, false},
    [EO__MPI_SCATTER] = {EO__MPI_THE_ROOT, EO__MPI_ALL, EO__MPI_OF_ALL, true, false},
    [EO__MPI_SCATTERV] = {EO__MPI_THE_ROOT, EO__MPI_ALL, EO__MPI_OF_ALL, true, false},
    [EO__MPI_ALLGATHER] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_ALLGATHERV] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_ALLTOALL] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, true, false},
    [EO__MPI_ALLTOALLV] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, true, false},
    [EO__MPI_ALLTOALLW] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, true, false},
    [EO__MPI_REDUCE] = {EO__MPI_ALL, EO__MPI_THE_ROOT, EO__MPI_OF_ALL, false, true},
    [EO__MPI_ALLREDUCE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, true},
    [EO__MPI_REDUCE_SCATTER] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, true, true},
    [EO__MPI_REDUCE_SCATTER_BLOCK] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, true, true},
    [EO__MPI_SCAN] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_UP_TO_ITSELF, false, true},
    [EO__MPI_EXSCAN] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_EARLIER, false, true},
    [EO__MPI_COMM_DUP] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_COMM_SPLIT] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_COMM_CREATE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_COMM_FREE] = {EO__MPI_ALL, EO__MPI_NOBODY, EO__MPI_OF_ALL, false, false},
    [EO__MPI_CART_CREATE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_CART_SUB] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_WIN_CREATE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_WIN_FREE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_WIN_FENCE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_COMM_SPLIT_TYPE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_SET_INFO] = {EO__MPI_ALL, EO__MPI_NOBODY, EO__MPI_OF_ALL, false, false},
    [EO__MPI_FINALIZE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
};

bool eo__mpi_is_one(eo__mpi_who who, int member, int root) {
  if (who == EO__MPI_THE_ROOT) return member == root;
  if (who == EO__MPI_BUT_ROOT) return member != root;
  return who == EO__MPI_ALL;
}

bool eo__mpi_takes_from(const eo__mpi_collective *collective, int taker, int giver, int root) {
  if (!eo__mpi_is_one((eo__mpi_who)collective->takers, taker, root)) return false;
  if (!eo__mpi_is_one((eo__mpi_who)collective->givers, giver, root)) return false;
  if (collective->from == EO__MPI_OF_EARLIER) return giver < taker;
  return collective->from == EO__MPI_OF_ALL || giver <= taker;
}
