/* Buffers that are touched while MPI still reads or writes them. The argument says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 2 ${EXE} right
  | OK
  | each buffer is touched before and after, and read while it is sent
  $ mpirun -np 2 ${EXE} gaps
  | OK
  | what lies between the items that are received is the program's
  $ mpirun -np 2 ${EXE} write_sent
  | ERROR: buffer-in-use
  | written before MPI_Wait of its MPI_Isend
  $ mpirun -np 2 ${EXE} read_received
  | ERROR: buffer-in-use
  | read before MPI_Wait of its MPI_Irecv
  $ mpirun -np 2 ${EXE} write_given
  | ERROR: buffer-in-use
  | written before MPI_Wait of its MPI_Iallreduce
  $ mpirun -np 2 ${EXE} write_persistent
  | ERROR: buffer-in-use
  | written after MPI_Start
  $ mpirun -np 2 ${EXE} send_received
  | ERROR: buffer-in-use
  | sent on before MPI_Wait of its MPI_Irecv
  $ mpirun -np 2 ${EXE} overlap
  | ERROR: invalid-buffer
  | MPI_Sendrecv sends from where it receives
  $ mpirun -np 2 ${EXE} reduce_overlap
  | ERROR: invalid-buffer
  | MPI_Allreduce without MPI_IN_PLACE
  $ mpirun -np 2 ${EXE} free_early
  | ERROR: missing-wait
  | nobody knows when what MPI_Request_free gave up is over
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, a[8], b[8];

static void right(void) {
  MPI_Request r[2];
  a[0] = rank;
  MPI_Isend(a, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(b, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
  a[4] = b[4] = a[0] + 1;
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  a[0] = b[0] + 1;
  if (a[0] != 2 - rank) abort();
}

static void gaps(void) {
  MPI_Datatype even;
  MPI_Request r;
  MPI_Type_vector(4, 1, 2, MPI_INT, &even);
  MPI_Type_commit(&even);
  if (rank == 0) MPI_Send(a, 1, even, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(b, 1, even, 0, 0, MPI_COMM_WORLD, &r);
    for (int i = 1; i < 8; i += 2) b[i] = i;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&even);
}

int main(int argc, char **argv) {
  MPI_Request r;
  const char *what = argv[1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(what, "right") == 0) {
    right();
  } else if (strcmp(what, "gaps") == 0) {
    gaps();
  } else if (strcmp(what, "overlap") == 0) {
    MPI_Sendrecv(a, 4, MPI_INT, 1 - rank, 0, &a[3], 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(what, "reduce_overlap") == 0) {
    MPI_Allreduce(a, a, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else if (strcmp(what, "free_early") == 0) {
    MPI_Isend(a, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
    MPI_Request_free(&r);
    MPI_Recv(b, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (strcmp(what, "write_given") == 0) {
    MPI_Iallreduce(a, b, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
    a[1] = 1;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (rank == 0) {
    if (strcmp(what, "write_persistent") == 0) {
      MPI_Send_init(a, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
      MPI_Start(&r);
    } else {
      MPI_Isend(a, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
    }
    if (strncmp(what, "write", 5) == 0) a[1] = 1;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (strcmp(what, "write_persistent") == 0) MPI_Request_free(&r);
    if (strcmp(what, "send_received") == 0) MPI_Recv(a, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Irecv(b, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
    if (strcmp(what, "read_received") == 0) a[0] = b[1];
    if (strcmp(what, "send_received") == 0) MPI_Send(b, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
