/* access.h: memory of the program that is MPI's while something is under way: what is being sent must not be written, and
 * what is being received not touched. The compiler tells each access of the program (eo-mpicc); calls of MPI tell theirs. */
#ifndef EO_MPI_ACCESS_H
#define EO_MPI_ACCESS_H

#include "mpi/rank.h"

/* Until it is taken back, `count` items there are read by MPI, or written. `owner` is any address. */
void eo__mpi_guard(const void *owner, const void *buffer, int count, MPI_Datatype type, bool writes);
void eo__mpi_unguard(const void *owner);

/* The running call reads or writes these items: a finding if that is not right. */
void eo__mpi_touch(const void *buffer, int count, MPI_Datatype type, bool writes);

/* Do these items and those have bytes in common? */
bool eo__mpi_overlap(const void *a, int count, MPI_Datatype type, const void *b, int other_count, MPI_Datatype other);

/* Memory of a window, of this rank or one that shares it, and no longer. What is read and written there is told to the world. */
void eo__mpi_window_memory(int owner, const void *base, size_t size, bool shared);
void eo__mpi_window_forget(int owner, const void *base);

/* An operation (or, with 0, the running call) reads or writes these items, if they are of a window. */
void eo__mpi_window_log(const void *buffer, int count, MPI_Datatype type, bool writes, uint32_t request);
void eo__mpi_window_tell(void); /* before something else is begun */

/* The program frees this block: a finding if it is a buffer that is under way, or memory of a window. */
void eo__mpi_block_freed(const void *block);

#endif
