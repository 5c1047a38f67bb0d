/* check.c: checks of the arguments of calls. */
#include "mpi/rank.h"
#include "mpi/type.h"

void eo__mpi_check_type(MPI_Datatype handle) {
  const eo__mpi_type *type = eo__mpi_type_of(handle);
  if (!type->committed)
    eo__mpi_fail("invalid-type", "the datatype of %s at %s:%d is not committed", type->object.call,
                 type->object.place->file, type->object.place->line);
}

void eo__mpi_check_data(const void *buffer, int count, MPI_Datatype type) {
  eo__mpi_check_type(type);
  if (count < 0) eo__mpi_fail("invalid-count", "the count is %d", count);
  const eo__mpi_type *t = eo__mpi_type_of(type);
  bool absolute = t->combiner == MPI_COMBINER_STRUCT || t->combiner == MPI_COMBINER_HINDEXED;
  if (!buffer && count > 0 && t->size > 0 && !absolute) eo__mpi_fail("invalid-buffer", "the buffer is NULL");
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
  if (tag > EO__MPI_MOST_TAG)
    eo__mpi_fail("invalid-tag", "the tag is %d, more than the attribute MPI_TAG_UB: %d", tag, EO__MPI_MOST_TAG);
}

void eo__mpi_check_status(const MPI_Status *status) {
  if (!status) eo__mpi_fail("invalid-argument", "the status is NULL, which is not MPI_STATUS_IGNORE");
}
