/* Deadlocks that depend on buffers, and on whether collective calls wait; messages that arrive in another order. The argument
says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 2 ${EXE} head_on
  | ERROR: buffering-deadlock
  | both ranks send first
  $ mpirun -np 2 $zero_buffer ${EXE} head_on
  | ERROR: buffering-deadlock
  | the same
  $ mpirun -np 2 $infty_buffer ${EXE} head_on
  | OK
  | sends return at once
  $ mpirun -np 2 ${EXE} wait_late
  | ERROR: buffering-deadlock
  | the wait for the send stands before the receive
  $ mpirun -np 2 ${EXE} begin_first
  | OK
  | nonblocking sends need no buffer
  $ mpirun -np 2 ${EXE} buffered
  | OK
  | MPI_Bsend has a buffer
  $ mpirun -np 2 ${EXE} root_first
  | ERROR: collective-deadlock
  | the root of MPI_Bcast need not wait, but may
  $ mpirun -np 2 $zero_buffer ${EXE} root_first
  | ERROR: collective-deadlock
  | the same
  $ mpirun -np 2 $infty_buffer ${EXE} root_first
  | OK
  | the root goes on
  $ mpirun -np 2 $zero_buffer ${EXE} nobody
  | ERROR: unmatched-send
  | nobody receives: no buffer would help
  $ mpirun -np 3 ${EXE} any_first
  | OK
  | with buffers, the wildcard has two messages to choose from, and without only one
  $ mpirun -np 3 ${EXE} race
  | ERROR: message-race
  | if the wildcard takes the message of rank 1, the second receive waits for ever
  $ mpirun -np 3 ${EXE} order
  | ERROR: message-race
  | the program aborts if the message of rank 2 comes first
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, v, w;

static void send(int to) { MPI_Send(&v, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }

static void receive(int from) { MPI_Recv(&w, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void pairs(const char *what) {
  static char room[100 + MPI_BSEND_OVERHEAD];
  MPI_Request r;
  void *at;
  int size;
  if (strcmp(what, "head_on") == 0) {
    send(1 - rank);
    receive(1 - rank);
  } else if (strcmp(what, "wait_late") == 0) {
    MPI_Isend(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    receive(1 - rank);
  } else if (strcmp(what, "begin_first") == 0) {
    MPI_Isend(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
    receive(1 - rank);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (strcmp(what, "buffered") == 0) {
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    receive(1 - rank);
    MPI_Buffer_detach(&at, &size);
  } else if (strcmp(what, "root_first") == 0) {
    if (rank == 1) receive(0);
    MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) send(1);
  } else if (strcmp(what, "nobody") == 0) {
    send(1 - rank);
  }
}

/* Rank 2 sends only after it has heard of rank 1, which without buffers is after the first message of that was received. */
static void any_first(void) {
  if (rank == 1) {
    send(0);
    send(2);
  } else if (rank == 2) {
    receive(1);
    send(0);
  } else {
    receive(MPI_ANY_SOURCE);
    receive(MPI_ANY_SOURCE);
  }
}

static void race(void) {
  if (rank) send(0);
  if (rank == 0) receive(MPI_ANY_SOURCE);
  if (rank == 0) receive(1);
}

static void order(void) {
  v = rank;
  if (rank) send(0);
  for (int i = 1; rank == 0 && i < 3; i++) {
    receive(MPI_ANY_SOURCE);
    if (w != i) abort();
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(argv[1], "any_first") == 0)
    any_first();
  else if (strcmp(argv[1], "order") == 0)
    order();
  else if (strcmp(argv[1], "race") == 0)
    race();
  else
    pairs(argv[1]);
  MPI_Finalize();
  return 0;
}
