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
    [EO__MPI_INTERCOMM_CREATE] = {EO__MPI_THE_ROOT, EO__MPI_BUT_ROOT, EO__MPI_OF_ALL, false, false},
    [EO__MPI_INTERCOMM_MERGE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_GRAPH_CREATE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_NEIGHBOR_ALLGATHER] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_NEIGHBOURS, false, false},
    [EO__MPI_NEIGHBOR_ALLTOALL] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_NEIGHBOURS, true, false},
    [EO__MPI_WIN_SHARE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
    [EO__MPI_SET_INFO] = {EO__MPI_ALL, EO__MPI_NOBODY, EO__MPI_OF_ALL, false, false},
    [EO__MPI_FINALIZE] = {EO__MPI_ALL, EO__MPI_ALL, EO__MPI_OF_ALL, false, false},
};

static bool is_one(eo__mpi_who who, int member, int root) {
  if (who == EO__MPI_THE_ROOT) return member == root;
  if (who == EO__MPI_BUT_ROOT) return member != root;
  return who == EO__MPI_ALL;
}

bool eo__mpi_is_rooted(const eo__mpi_collective *collective) {
  return collective->givers == EO__MPI_THE_ROOT || collective->takers == EO__MPI_THE_ROOT;
}

bool eo__mpi_same_group(int a, int b, int split) { return split == 0 || (a < split) == (b < split); }

/* Between groups, the root is one side, and the other group is the other. */
static bool takes_part(const eo__mpi_collective *collective, eo__mpi_who who, int member, int root, int split) {
  if (split == 0 || !eo__mpi_is_rooted(collective) || who == EO__MPI_THE_ROOT) return is_one(who, member, root);
  return who != EO__MPI_NOBODY && root >= 0 && !eo__mpi_same_group(member, root, split);
}

bool eo__mpi_gives(const eo__mpi_collective *collective, int member, int root, int split) {
  return takes_part(collective, (eo__mpi_who)collective->givers, member, root, split);
}

bool eo__mpi_takes(const eo__mpi_collective *collective, int member, int root, int split) {
  return takes_part(collective, (eo__mpi_who)collective->takers, member, root, split);
}

bool eo__mpi_takes_from(const eo__mpi_collective *collective, int taker, int giver, int root, int split) {
  if (!eo__mpi_takes(collective, taker, root, split) || !eo__mpi_gives(collective, giver, root, split)) return false;
  if (split && eo__mpi_same_group(taker, giver, split)) return false;
  if (collective->from == EO__MPI_OF_EARLIER) return giver < taker;
  return collective->from == EO__MPI_OF_ALL || giver <= taker;
}
