/* Both ranks send before they receive: that works as long as the sends are buffered. With an argument they use
MPI_Sendrecv, which needs no buffer.

BEGIN_MBI_TESTS
  $ mpirun -np 2 $zero_buffer ${EXE}
  | ERROR: BufferingHazard
  | each send waits for a receive that comes after the other send
  $ mpirun -np 2 $infty_buffer ${EXE}
  | OK
  | both sends end at once
  $ mpirun -np 2 ${EXE} together
  | OK
  | MPI_Sendrecv sends and receives in any order
END_MBI_TESTS */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, mine, other = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine = rank;
  if (argc > 1) {
    MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
