/* names.c: the functions under their own names, which lead to the same ones under the names of the profiling interface. A program may
 * define some of them itself, and call these. */
#include <mpi/mpi.h>

#if defined(__x86_64__)
#define LEAD "  jmp PMPI_"
#else
#define LEAD "  b PMPI_"
#endif

#define LEADS(name) \
  __asm__(".weak MPI_" #name "\n.hidden MPI_" #name "\n.type MPI_" #name ", %function\nMPI_" #name ":\n" LEAD #name);

__asm__(".text");
EO_MPI_NAMES(LEADS)
