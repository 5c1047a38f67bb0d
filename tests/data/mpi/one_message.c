/* Rank 0 sends rank 1 one number.

BEGIN_MBI_TESTS
  $ mpirun -np 2 ${EXE}
  | OK
  | a send and its receive
END_MBI_TESTS */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, number = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    number = 42;
    MPI_Send(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("got %d\n", number);
  }
  MPI_Finalize();
  return 0;
}
