/* stuck.h: texts about ranks that wait. */
#ifndef EO_MPI_STUCK_H
#define EO_MPI_STUCK_H

#include <stddef.h>

typedef struct eo__mpi_text {
  char chars[900];
  size_t length;
} eo__mpi_text;

__attribute__((format(printf, 2, 3))) void eo__mpi_text_add(eo__mpi_text *text, const char *format, ...);

#endif
