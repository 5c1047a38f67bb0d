/* Collective calls, blocking and not: what they compute, and each way in which ranks can disagree about them. The argument
says which.

BEGIN_MBI_TESTS
  $ mpirun -np 4 ${EXE} values
  | OK
  | each call gives what the standard says
  $ mpirun -np 3 ${EXE} in_place
  | OK
  | the same with MPI_IN_PLACE
  $ mpirun -np 3 ${EXE} nonblocking
  | OK
  | several under way at a time, ended in another order
  $ mpirun -np 3 ${EXE} other_call
  | ERROR: collective-mismatch
  | rank 0 calls MPI_Reduce first, the others MPI_Bcast
  $ mpirun -np 2 ${EXE} other_kind
  | ERROR: collective-mismatch
  | MPI_Bcast and MPI_Ibcast do not match
  $ mpirun -np 2 ${EXE} other_root
  | ERROR: root-mismatch
  | each rank takes itself for the root
  $ mpirun -np 2 ${EXE} other_operator
  | ERROR: operator-mismatch
  | a sum here, a maximum there
  $ mpirun -np 2 ${EXE} other_type
  | ERROR: type-mismatch
  | ints are sent, floats expected
  $ mpirun -np 2 ${EXE} other_count
  | ERROR: count-mismatch
  | two items are sent, three expected
  $ mpirun -np 3 ${EXE} other_communicator
  | ERROR: communicator-mismatch
  | rank 0 meets the others on another communicator
  $ mpirun -np 3 ${EXE} one_missing
  | ERROR: deadlock
  | rank 2 leaves out the barrier
  $ mpirun -np 2 ${EXE} root_alone
  | ERROR: unmatched-collective
  | the root of MPI_Bcast need not wait, but nobody else calls it
  $ mpirun -np 2 ${EXE} bad_root
  | ERROR: invalid-root
  | there is no rank 2
  $ mpirun -np 2 ${EXE} bad_operator
  | ERROR: invalid-operator
  | bits of floating-point numbers
  $ mpirun -np 2 ${EXE} no_operator
  | ERROR: invalid-operator
  | MPI_OP_NULL
  $ mpirun -np 2 ${EXE} no_wait
  | ERROR: missing-wait
  | the request of MPI_Ibarrier is left
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void must(int truth) {
  if (!truth) abort();
}

static void values(void) {
  int all[16], each[16], mine = rank + 1, got = -1, sum = size * (size + 1) / 2, counts[16], places[16];
  for (int i = 0; i < size; i++) {
    each[i] = 10 * rank + i;
    counts[i] = 1;
    places[i] = size - 1 - i;
  }
  int root = rank == 1 ? 7 : 0;
  MPI_Bcast(&root, 1, MPI_INT, 1, MPI_COMM_WORLD);
  must(root == 7);
  MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 2, MPI_COMM_WORLD);
  for (int i = 0; rank == 2 && i < size; i++) must(all[i] == i + 1);
  MPI_Gatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; i++) must(all[size - 1 - i] == i + 1);
  MPI_Scatter(each, 1, MPI_INT, &got, 1, MPI_INT, 1, MPI_COMM_WORLD);
  must(got == 10 + rank);
  MPI_Scatterv(each, counts, places, MPI_INT, &got, 1, MPI_INT, 0, MPI_COMM_WORLD);
  must(got == size - 1 - rank);
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) must(all[i] == i + 1);
  MPI_Allgatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) must(all[size - 1 - i] == i + 1);
  MPI_Alltoall(each, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) must(all[i] == 10 * i + rank);
  MPI_Alltoallv(each, counts, places, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) must(all[size - 1 - i] == 10 * i + size - 1 - rank);
  MPI_Reduce(&mine, &got, 1, MPI_INT, MPI_SUM, 3, MPI_COMM_WORLD);
  must(rank != 3 || got == sum);
  MPI_Allreduce(&mine, &got, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  must(got == size);
  MPI_Reduce_scatter(each, &got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  must(got == 10 * (sum - size) + size * rank);
  MPI_Reduce_scatter_block(each, &got, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  must(got == rank);
  MPI_Scan(&mine, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  must(got == mine * (mine + 1) / 2);
  got = -1;
  MPI_Exscan(&mine, &got, 1, MPI_INT, MPI_PROD, MPI_COMM_WORLD);
  must(rank == 0 ? got == -1 : got == (rank == 3 ? 6 : rank));
  struct {
    double value;
    int at;
  } place = {rank == 1 || rank == 2 ? 5.5 : 1, rank}, most;
  MPI_Allreduce(&place, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  must(most.value == 5.5 && most.at == 1);
  double half = 0.5;
  MPI_Allreduce(MPI_IN_PLACE, &half, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  must(half == 0.5 * size);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void in_place(void) {
  int all[8], got = rank;
  all[rank] = rank;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) must(all[i] == i);
  for (int i = 0; i < size; i++) all[i] = 10 * rank + i;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++) must(all[i] == 10 * i + rank);
  if (rank == 0)
    MPI_Reduce(MPI_IN_PLACE, &got, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  else
    MPI_Reduce(&got, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  must(rank != 0 || got == 3);
  if (rank == 0)
    MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Scatter(NULL, 1, MPI_INT, &got, 1, MPI_INT, 0, MPI_COMM_WORLD);
  must(rank == 0 || got == 10 * rank);
}

static void nonblocking(void) {
  MPI_Request r[4];
  int sum = 0, value = rank == 2 ? 5 : 0, all[8], mine = rank, done = 0;
  MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
  MPI_Ibcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD, &r[1]);
  MPI_Iallgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &r[2]);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[3]);
  MPI_Wait(&r[2], MPI_STATUS_IGNORE);
  for (int i = 0; i < size; i++) must(all[i] == i);
  if (rank == 0)
    while (!done) MPI_Test(&r[3], &done, MPI_STATUS_IGNORE);
  else
    MPI_Wait(&r[3], MPI_STATUS_IGNORE);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  must(sum == 3 && value == 5);
}

static void wrong(const char *what) {
  int mine = rank, got[4] = {0};
  float real[4] = {0};
  MPI_Request request;
  if (strcmp(what, "other_call") == 0) {
    if (rank) MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, got, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank) MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else if (strcmp(what, "other_kind") == 0) {
    if (rank) {
      MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
      MPI_Ibcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  } else if (strcmp(what, "other_root") == 0) {
    MPI_Bcast(&mine, 1, MPI_INT, rank, MPI_COMM_WORLD);
  } else if (strcmp(what, "other_operator") == 0) {
    MPI_Allreduce(&mine, got, 1, MPI_INT, rank ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);
  } else if (strcmp(what, "other_type") == 0) {
    MPI_Bcast(rank ? (void *)real : (void *)got, 2, rank ? MPI_FLOAT : MPI_INT, 0, MPI_COMM_WORLD);
  } else if (strcmp(what, "other_count") == 0) {
    MPI_Gather(got, 2, MPI_INT, (int[8]){0}, rank ? 2 : 3, MPI_INT, 0, MPI_COMM_WORLD);
  } else if (strcmp(what, "other_communicator") == 0) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(rank ? copy : MPI_COMM_WORLD);
    MPI_Comm_free(&copy);
  } else if (strcmp(what, "one_missing") == 0) {
    if (rank != 2) MPI_Barrier(MPI_COMM_WORLD);
  } else if (strcmp(what, "root_alone") == 0) {
    if (rank == 0) MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else if (strcmp(what, "bad_root") == 0) {
    MPI_Bcast(&mine, 1, MPI_INT, size, MPI_COMM_WORLD);
  } else if (strcmp(what, "bad_operator") == 0) {
    MPI_Allreduce(real, &real[1], 1, MPI_FLOAT, MPI_BXOR, MPI_COMM_WORLD);
  } else if (strcmp(what, "no_operator") == 0) {
    MPI_Allreduce(&mine, got, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
  } else if (strcmp(what, "no_wait") == 0) {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  } else {
    abort();
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(argv[1], "values") == 0)
    values();
  else if (strcmp(argv[1], "in_place") == 0)
    in_place();
  else if (strcmp(argv[1], "nonblocking") == 0)
    nonblocking();
  else
    wrong(argv[1]);
  MPI_Finalize();
  return 0;
}
