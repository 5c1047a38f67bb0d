/* rma.h: what ranks and the world tell each other about windows: memory of a rank that others read and write. */
#ifndef EO_MPI_RMA_H
#define EO_MPI_RMA_H

#include "mpi/wire.h"

enum { EO__MPI_SERVE = 100, EO__MPI_SERVED }; /* tags: world to the rank whose memory it is, and back */

typedef enum eo__mpi_rma_kind {
  EO__MPI_GET,
  EO__MPI_PUT,
  EO__MPI_ACCUMULATE,
  EO__MPI_FETCH,  /* accumulates, and gets what was there before */
  EO__MPI_COMPARE /* puts if it is what is expected, and gets what was there before */
} eo__mpi_rma_kind;

/* An operation on the memory of another rank. Behind it: the places there; what is put or accumulated, one place after the
 * other; what is expected. */
typedef struct eo__mpi_rma {
  uint32_t window; /* its context */
  int32_t target;  /* in MPI_COMM_WORLD */
  uint8_t kind;    /* eo__mpi_rma_kind */
  MPI_Op op;
  uint32_t places;
  uint64_t size;          /* of the items */
  const char *low, *high; /* memory of the window there; the same: not known */
} eo__mpi_rma;

typedef struct eo__mpi_rma_place {
  char *at;
  int64_t count;
  MPI_Datatype basic;
} eo__mpi_rma_place;

/* In the number of a window: whose turn it is to do operations there of which the order matters. This is a lock that nobody keeps. */
#define EO__MPI_TURN 0x80000000u

/* A rank waits for its earlier operations, or takes and gives back a lock. */
typedef struct eo__mpi_sync {
  uint32_t window;
  int32_t target;         /* in MPI_COMM_WORLD; EO__MPI_ANY: all */
  bool exclusive;         /* of a lock */
  const char *low, *high; /* of EO__MPI_PUBLISH: its own memory of the window */
} eo__mpi_sync;

/* Memory of a window that a rank has read or written by itself. */
typedef struct eo__mpi_touched {
  const char *low, *high;
  int owner;   /* in MPI_COMM_WORLD: itself, unless it is shared */
  bool shared; /* so that it has one memory */
  bool writes;
  uint32_t request; /* of the operation that does so until it is over; 0: the program, just now */
} eo__mpi_touched;

static inline const eo__mpi_rma_place *eo__mpi_rma_places(const eo__mpi_rma *rma) {
  return (const eo__mpi_rma_place *)(const void *)(rma + 1);
}

static inline const char *eo__mpi_rma_data(const eo__mpi_rma *rma) {
  return (const char *)(eo__mpi_rma_places(rma) + rma->places);
}

#endif
