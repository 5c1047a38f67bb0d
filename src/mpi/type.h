/* type.h: datatypes: what an item is made of, and where. */
#ifndef EO_MPI_TYPE_H
#define EO_MPI_TYPE_H

#include "mpi/object.h"
#include "mpi/wire.h"

/* So many items of a basic type, one after the other, so many bytes from where the item begins. */
typedef struct eo__mpi_segment {
  MPI_Aint offset;
  int64_t count;
  MPI_Datatype basic;
} eo__mpi_segment;

typedef struct eo__mpi_type {
  eo__mpi_object object;
  size_t size;               /* bytes of data in an item */
  MPI_Aint lb, ub;           /* where an item begins and ends, for the next one to follow */
  MPI_Aint true_lb, true_ub; /* of its data */
  bool set_lb, set_ub;       /* by the program */
  bool committed;
  size_t alignment;
  eo__mpi_segment *segments;
  size_t segment_count, segment_room;
  eo__mpi_run *runs; /* the same without the places */
  size_t run_count;
  char name[MPI_MAX_OBJECT_NAME];
  eo__mpi_attribute *attributes;
  /* How it was made. */
  int combiner;
  int integers_count, addresses_count, types_count;
  int *integers;
  MPI_Aint *addresses;
  MPI_Datatype *types;
} eo__mpi_type;

/* NULL: there is none, with what is wrong. */
const eo__mpi_type *eo__mpi_type_try(MPI_Datatype type, const char **trouble);

/* A finding if there is none. */
const eo__mpi_type *eo__mpi_type_of(MPI_Datatype type);

/* Of one that was checked when it was used, and may have been freed since. */
const eo__mpi_type *eo__mpi_type_used(MPI_Datatype type);

static inline MPI_Aint eo__mpi_extent(const eo__mpi_type *type) { return type->ub - type->lb; }

/* Its runs, from its segments. */
void eo__mpi_type_sum_up(eo__mpi_type *type);
void eo__mpi_type_add(eo__mpi_type *type, eo__mpi_segment segment);

#endif
