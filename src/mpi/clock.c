/* clock.c: see clock.h. */
#include "mpi/clock.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/world.h"

static uint32_t *clocks, *coming; /* by rank; what a rank learns when it goes on */

static size_t width(void) { return (size_t)eo__mpi_w.size; }

uint32_t *eo__mpi_clock(int rank) {
  if (!clocks) {
    clocks = eo__mpi_need(calloc(2 * width() * width(), sizeof *clocks));
    coming = clocks + width() * width();
  }
  return clocks + (size_t)rank * width();
}

uint32_t *eo__mpi_clock_copy(int rank) {
  uint32_t *copy = eo__mpi_need(malloc(width() * sizeof *copy));
  return memcpy(copy, eo__mpi_clock(rank), width() * sizeof *copy);
}

uint32_t eo__mpi_clock_tick(int rank) { return ++eo__mpi_clock(rank)[rank]; }

void eo__mpi_clock_join(uint32_t *clock, const uint32_t *other) {
  for (size_t i = 0; i < width(); i++)
    if (other[i] > clock[i]) clock[i] = other[i];
}

void eo__mpi_clock_learn(int rank, const uint32_t *clock) {
  eo__mpi_clock(rank);
  eo__mpi_clock_join(coming + (size_t)rank * width(), clock);
}

void eo__mpi_clock_goes_on(int rank) {
  uint32_t *clock = eo__mpi_clock(rank);
  eo__mpi_clock_join(clock, coming + (size_t)rank * width());
}
