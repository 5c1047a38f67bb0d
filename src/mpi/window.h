/* window.h: windows of a rank. */
#ifndef EO_MPI_WINDOW_H
#define EO_MPI_WINDOW_H

#include "mpi/group.h"
#include "mpi/rank.h"
#include "mpi/rma.h"

/* Of a member: where its memory is. */
typedef struct eo__mpi_window_part {
  MPI_Aint base, size, unit;
} eo__mpi_window_part;

typedef struct eo__mpi_operation {
  struct eo__mpi_operation *next;
  uint32_t request; /* its number: one with a handle may have been waited for */
  int target;
  bool ordered; /* atomic, and what it gets or leaves depends on which others came before */
} eo__mpi_operation;

typedef struct eo__mpi_window {
  eo__mpi_object object;
  MPI_Comm comm_handle; /* a communicator of its own members, for fences */
  const eo__mpi_comm *comm;
  uint32_t number;
  bool dynamic;
  bool shared; /* each rank may access the memory of all */
  void *own;   /* memory that is freed with it */
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Errhandler handler; /* 0: none was set */
  eo__mpi_attribute *attributes;
  eo__mpi_window_part *parts;
  char *locked; /* by member: 0, or the kind of lock */
  bool locked_all;
  int locks;
  bool fenced;                 /* a fence has opened an epoch */
  const char *locked_in_fence; /* since then, this has opened another one */
  const eo_mpi_place *locked_place;
  eo__mpi_group *started, *posted; /* NULL: none */
  eo__mpi_request **completing;    /* of those of posted; NULL: not waited for yet */
  eo__mpi_operation *operations;   /* not waited for */
} eo__mpi_window;

eo__mpi_window *eo__mpi_window_of(MPI_Win win);

/* Waits for its operations to that member (EO__MPI_ANY: all): they are done there, too. */
void eo__mpi_window_finish(eo__mpi_window *window, int target);

#endif
