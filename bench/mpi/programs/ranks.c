/* ranks.c: what bench/mpi.sh measures, as an MPI program: ranks PATTERN ROUNDS. actors.c is the same by eo_send. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void give(int value, int to) { MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }

static int take(int from, MPI_Status *status) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, status);
  return value;
}

static void ping_pong(int rounds) {
  for (int i = 0; i < rounds && rank < 2; i++) {
    if (rank == 0) give(i, 1);
    int ball = take(1 - rank, MPI_STATUS_IGNORE);
    if (rank == 1) give(ball + 1, 0);
  }
}

/* A token goes round. */
static void ring(int rounds) {
  for (int i = 0; i < rounds; i++) {
    if (rank == 0) give(i, 1);
    int token = take((rank + size - 1) % size, MPI_STATUS_IGNORE);
    if (rank > 0) give(token + 1, (rank + 1) % size);
  }
}

/* Each worker gets one task, and rank 0 takes the answers as they come. */
static void master(int rounds) {
  for (int i = 0; i < rounds; i++) {
    for (int to = 1; rank == 0 && to < size; to++) give(to, to);
    for (int n = 1; rank == 0 && n < size; n++) take(MPI_ANY_SOURCE, MPI_STATUS_IGNORE);
    if (rank > 0) give(take(0, MPI_STATUS_IGNORE), 0);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int rounds = argc > 2 ? atoi(argv[2]) : 1;
  if (argc > 1 && strcmp(argv[1], "ping_pong") == 0) ping_pong(rounds);
  if (argc > 1 && strcmp(argv[1], "ring") == 0) ring(rounds);
  if (argc > 1 && strcmp(argv[1], "master") == 0) master(rounds);
  MPI_Finalize();
  return 0;
}
