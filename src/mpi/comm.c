/* comm.c: communicators, and checks of arguments that say with whom. */
#include "mpi/rank.h"

static eo__mpi_comm world_comm, self_comm;
static int self_member;

const eo__mpi_comm *eo__mpi_comm_of(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) {
    world_comm = (eo__mpi_comm){.context = 0, .size = eo__mpi.size, .rank = eo__mpi.rank};
    return &world_comm;
  }
  if (comm == MPI_COMM_SELF) {
    self_member = eo__mpi.rank;
    self_comm = (eo__mpi_comm){.context = 1 + (uint32_t)eo__mpi.rank, .size = 1, .members = &self_member};
    return &self_comm;
  }
  if (comm == MPI_COMM_NULL) eo__mpi_fail("invalid-communicator", "the communicator is MPI_COMM_NULL");
  eo__mpi_fail("invalid-communicator", "there is no communicator 0x%x", (unsigned)comm);
}

int eo__mpi_rank_in(const eo__mpi_comm *comm, int world_rank) {
  if (!comm->members) return world_rank;
  for (int i = 0; i < comm->size; i++)
    if (comm->members[i] == world_rank) return i;
  return MPI_UNDEFINED;
}

void eo__mpi_check_data(const void *buffer, int count, MPI_Datatype type) {
  const char *trouble = eo__mpi_type_trouble(type);
  if (count < 0) eo__mpi_fail("invalid-count", "the count is %d", count);
  if (trouble) eo__mpi_fail("invalid-type", "%s", trouble);
  if (!buffer && count > 0 && eo__mpi_type_size(type) > 0) eo__mpi_fail("invalid-buffer", "the buffer is NULL");
}

void eo__mpi_check_peer(const eo__mpi_comm *comm, int peer, bool receives) {
  if (peer == MPI_PROC_NULL || (receives && peer == MPI_ANY_SOURCE)) return;
  if (peer == MPI_ANY_SOURCE) eo__mpi_fail("invalid-rank", "MPI_ANY_SOURCE is for receives");
  if (peer < 0 || peer >= comm->size)
    eo__mpi_fail("invalid-rank", "there is no rank %d in a communicator of %d", peer, comm->size);
}

void eo__mpi_check_tag(int tag, bool receives) {
  if (receives && tag == MPI_ANY_TAG) return;
  if (tag < 0) eo__mpi_fail("invalid-tag", "the tag is %d", tag);
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  eo__mpi_enter("MPI_Comm_rank");
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  if (!rank) eo__mpi_fail("invalid-argument", "rank is NULL");
  *rank = c->rank;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
  eo__mpi_enter("MPI_Comm_size");
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  if (!size) eo__mpi_fail("invalid-argument", "size is NULL");
  *size = c->size;
  return MPI_SUCCESS;
}
