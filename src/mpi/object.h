/* object.h: what a program has a handle of, and must free: by kind and number. Of one rank. */
#ifndef EO_MPI_OBJECT_H
#define EO_MPI_OBJECT_H

#include <mpi/mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum eo__mpi_object_kind {
  EO__MPI_COMM,
  EO__MPI_GROUP,
  EO__MPI_TYPE,
  EO__MPI_OP,
  EO__MPI_WIN,
  EO__MPI_INFO,
  EO__MPI_ERRHANDLER,
  EO__MPI_KEYVAL,
  EO__MPI_MESSAGE,
  EO__MPI_OBJECT_KINDS
} eo__mpi_object_kind;

/* The first member of each. It stays in memory when it is freed, for what is still under way. */
typedef struct eo__mpi_object {
  int handle;
  bool freed;
  const eo_mpi_place *place; /* where it was made */
  const char *call;
} eo__mpi_object;

/* What a program has hung on one. */
typedef struct eo__mpi_attribute {
  struct eo__mpi_attribute *next;
  int key;
  void *value;
} eo__mpi_attribute;

/* A new one, made by the running call; zero but for that. */
void *eo__mpi_object_new(eo__mpi_object_kind kind, size_t size);

/* The object of a handle, a finding if there is none, or it was freed. */
void *eo__mpi_object_of(eo__mpi_object_kind kind, int handle);

/* The same without a finding: NULL, with what is wrong. */
void *eo__mpi_object_try(eo__mpi_object_kind kind, int handle, const char **trouble);

/* The same of what was checked when it was used, and may have been freed since. */
void *eo__mpi_object_used(eo__mpi_object_kind kind, int handle);

/* Tells the world of the first that the program has left. */
void eo__mpi_object_leaks(void);

#endif
