/* signature.h: whether what is sent fits what is expected. */
#ifndef EO_MPI_SIGNATURE_H
#define EO_MPI_SIGNATURE_H

#include "mpi/wire.h"

typedef enum eo__mpi_fit {
  EO__MPI_FITS,
  EO__MPI_SHORTER, /* fits, but less is sent than expected */
  EO__MPI_LONGER,
  EO__MPI_OTHER /* an item is of another type */
} eo__mpi_fit;

/* Of signatures with their runs behind them in memory, or NULL for a single run. */
eo__mpi_fit eo__mpi_signature_fits(const eo__mpi_run *sent, const eo__mpi_run *sent_more, const eo__mpi_run *expected,
                                   const eo__mpi_run *expected_more);

const char *eo__mpi_basic_name(int basic); /* "MPI_INT" */

#endif
