/* clock.h: what happens before what: a vector clock for each rank, as the world sees it. */
#ifndef EO_MPI_CLOCK_H
#define EO_MPI_CLOCK_H

#include <stdint.h>

/* As many numbers as there are ranks. */
uint32_t *eo__mpi_clock(int rank);      /* of that rank now */
uint32_t *eo__mpi_clock_copy(int rank); /* on the heap */
uint32_t eo__mpi_clock_tick(int rank);  /* its own number, one higher now */

/* The rank learns, when it goes on, of all that was before. */
void eo__mpi_clock_learn(int rank, const uint32_t *clock);
void eo__mpi_clock_goes_on(int rank);

void eo__mpi_clock_join(uint32_t *clock, const uint32_t *other);

#endif
