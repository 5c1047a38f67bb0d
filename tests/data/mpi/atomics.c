/* Atomic operations on windows: which rank's comes first is a choice. The argument says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 3 ${EXE} mutex
  | OK
  | a lock made of MPI_Compare_and_swap, for which ranks wait by trying again
  $ mpirun -np 3 ${EXE} first
  | ERROR: crash
  | rank 1 counts on being the first to add
  $ mpirun -np 3 ${EXE} second
  | ERROR: crash
  | rank 1 counts on being the second
  $ mpirun -np 2 ${EXE} never_unlocked
  | ERROR: deadlock
  | the lock is never given back
  $ mpirun -np 2 ${EXE} few_looks
  | OK
  | looks again and again while nobody else does anything
  $ mpirun -np 3 ${EXE} status
  | ERROR: exit-status
  | the program says by its status that it has failed
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, *memory;
static MPI_Win window;

static int fetch(int add, MPI_Op op) {
  int old = -1;
  MPI_Fetch_and_op(&add, &old, MPI_INT, 0, 1, op, window);
  MPI_Win_flush(0, window);
  return old;
}

static void set(int value, MPI_Aint at) {
  MPI_Accumulate(&value, 1, MPI_INT, 0, at, 1, MPI_INT, MPI_REPLACE, window);
  MPI_Win_flush(0, window);
}

static void lock(void) {
  int one = 1, zero = 0, old;
  do {
    MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 0, 0, window);
    MPI_Win_flush(0, window);
  } while (old);
}

int main(int argc, char **argv) {
  const char *what = argv[argc - 1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  memory[0] = memory[1] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  if ((strcmp(what, "mutex") == 0 || strcmp(what, "never_unlocked") == 0) && rank < 2) {
    lock();
    set(fetch(0, MPI_NO_OP) + 1, 1);
    if (strcmp(what, "mutex") == 0) set(0, 0);
  } else if ((strcmp(what, "first") == 0 || strcmp(what, "second") == 0) && rank) {
    int old = fetch(1, MPI_SUM);
    if (rank == 1 && old != (strcmp(what, "second") == 0)) abort();
  } else if (strcmp(what, "few_looks") == 0 && rank == 1) {
    for (int i = 0; i < 5; i++)
      if (fetch(0, MPI_NO_OP) != 0) abort();
  }
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(what, "mutex") == 0 && rank == 2) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    if (fetch(0, MPI_NO_OP) != 2) abort();
    MPI_Win_unlock(0, window);
  }
  MPI_Win_free(&window);
  MPI_Finalize();
  return strcmp(what, "status") == 0;
}
