/* Windows: memory that other ranks read and write. The argument says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 3 ${EXE} fences
  | OK
  | each rank puts into the next one and gets from it, between fences
  $ mpirun -np 3 ${EXE} locks
  | OK
  | every rank adds to a counter of rank 0 in turn, in each order
  $ mpirun -np 3 ${EXE} atomics
  | OK
  | the same by operations that are atomic
  $ mpirun -np 3 ${EXE} groups
  | OK
  | post, start, complete, wait
  $ mpirun -np 3 ${EXE} tested_groups
  | OK
  | the same, with MPI_Win_test until it is true
  $ mpirun -np 2 ${EXE} requests
  | OK
  | MPI_Rget and MPI_Rput
  $ mpirun -np 2 ${EXE} columns
  | OK
  | a column there is a line here
  $ mpirun -np 2 ${EXE} shared_locks
  | ERROR: memory-conflict
  | two ranks put to the same place under shared locks
  $ mpirun -np 2 ${EXE} own_store
  | ERROR: memory-conflict
  | a rank writes its own memory while another one gets it
  $ mpirun -np 2 ${EXE} put_twice
  | ERROR: memory-conflict
  | a rank puts twice to the same place in one epoch
  $ mpirun -np 2 ${EXE} across
  | ERROR: memory-conflict
  | accumulations are atomic item by item, not when the items lie across each other
  $ mpirun -np 2 ${EXE} early_read
  | ERROR: buffer-in-use
  | what is got is read before the fence
  $ mpirun -np 2 ${EXE} no_epoch
  | ERROR: missing-epoch
  | MPI_Put before any fence
  $ mpirun -np 2 ${EXE} no_unlock
  | ERROR: missing-epoch
  | MPI_Win_free of a window that is locked
  $ mpirun -np 2 ${EXE} no_fence
  | ERROR: missing-epoch
  | MPI_Win_free before the fence that ends the epoch
  $ mpirun -np 2 ${EXE} lock_twice
  | ERROR: double-epoch
  | MPI_Win_lock of what is locked
  $ mpirun -np 2 ${EXE} fence_in_lock
  | ERROR: double-epoch
  | MPI_Win_fence while locked
  $ mpirun -np 2 ${EXE} no_start
  | ERROR: deadlock
  | MPI_Win_post for a rank that never starts
  $ mpirun -np 2 ${EXE} outside
  | ERROR: invalid-argument
  | behind the end of the window
  $ mpirun -np 2 ${EXE} leave_window
  | ERROR: window-leak
  | no MPI_Win_free
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, memory[16];
static MPI_Win win;

static void must(int truth) {
  if (!truth) abort();
}

static void fences(void) {
  int mine = rank + 1, got = -1, next = (rank + 1) % size;
  MPI_Win_fence(0, win);
  MPI_Put(&mine, 1, MPI_INT, next, 3, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  must(memory[3] == (rank + size - 1) % size + 1);
  MPI_Get(&got, 1, MPI_INT, next, 3, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  must(got == mine);
}

static void locks(void) {
  int v;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Get(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_flush(0, win);
  v++;
  MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  must(rank || memory[0] == size);
}

static void atomics(void) {
  int one = 1, before, zero = 0, was;
  MPI_Win_lock_all(0, win);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 1, MPI_SUM, win);
  MPI_Compare_and_swap(&one, &zero, &was, MPI_INT, 0, 2, win);
  MPI_Win_unlock_all(win);
  must(before >= 0 && before < size && (was == 0 || was == 1));
  MPI_Barrier(MPI_COMM_WORLD);
  must(rank || (memory[0] == size && memory[1] == size && memory[2] == 1));
}

/* Ranks above 0 put into rank 0. */
static void run_groups(int tests) {
  int flag = 0;
  MPI_Group all, others;
  MPI_Win_get_group(win, &all);
  if (rank == 0)
    MPI_Group_excl(all, 1, (int[]){0}, &others);
  else
    MPI_Group_incl(all, 1, (int[]){0}, &others);
  if (rank == 0) {
    MPI_Win_post(others, 0, win);
    while (tests && !flag) MPI_Win_test(win, &flag);
    if (!tests) MPI_Win_wait(win);
    for (int i = 1; i < size; i++) must(memory[i] == i);
  } else {
    MPI_Win_start(others, 0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&others);
}

static void groups(void) { run_groups(0); }
static void tested_groups(void) { run_groups(1); }

static void requests(void) {
  int v = rank + 5, got = -1;
  MPI_Request r;
  MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
  MPI_Rput(&v, 1, MPI_INT, 1 - rank, rank, 1, MPI_INT, win, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Win_flush(1 - rank, win);
  v = 0;
  MPI_Rget(&got, 1, MPI_INT, 1 - rank, rank, 1, MPI_INT, win, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  must(got == rank + 5);
  got = -1;
  MPI_Rget(&got, 1, MPI_INT, 1 - rank, rank, 1, MPI_INT, win, &r);
  MPI_Win_unlock(1 - rank, win);
  must(got == rank + 5);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, win);
  MPI_Rget(&got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Win_unlock(1 - rank, win);
}

static void columns(void) {
  MPI_Datatype column;
  int line[4] = {1, 2, 3, 4};
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(line, 4, MPI_INT, 1, 1, 1, column, win);
  MPI_Win_fence(0, win);
  for (int i = 0; rank == 1 && i < 16; i++) must(memory[i] == (i % 4 == 1 ? i / 4 + 1 : 0));
  MPI_Type_free(&column);
}

static int wrong(const char *what) {
  int v = rank, got = 0;
  MPI_Group all, other;
  if (strcmp(what, "shared_locks") == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  } else if (strcmp(what, "own_store") == 0) {
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Get(&got, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    if (rank == 1) memory[2] = 1;
    MPI_Win_fence(0, win);
  } else if (strcmp(what, "put_twice") == 0 || strcmp(what, "early_read") == 0) {
    MPI_Win_fence(0, win);
    if (rank == 0 && *what == 'p') MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    if (rank == 0 && *what == 'p') MPI_Put(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    if (rank == 0 && *what == 'e') MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    if (*what == 'e') v = got;
    MPI_Win_fence(0, win);
  } else if (strcmp(what, "across") == 0) {
    MPI_Win bytes;
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &bytes);
    MPI_Win_fence(0, bytes);
    MPI_Accumulate(&v, 1, MPI_INT, 0, 2 * rank, 1, MPI_INT, MPI_SUM, bytes);
    MPI_Win_fence(0, bytes);
    MPI_Win_free(&bytes);
  } else if (strcmp(what, "no_epoch") == 0) {
    MPI_Put(&v, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
  } else if (strcmp(what, "no_unlock") == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  } else if (strcmp(what, "no_fence") == 0) {
    MPI_Win_fence(0, win);
    MPI_Put(&v, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
  } else if (strcmp(what, "lock_twice") == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  } else if (strcmp(what, "fence_in_lock") == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Win_fence(0, win);
  } else if (strcmp(what, "no_start") == 0) {
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, (int[]){1}, &other);
    if (rank == 0) MPI_Win_post(other, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_Win_wait(win);
    MPI_Group_free(&all);
    MPI_Group_free(&other);
  } else if (strcmp(what, "outside") == 0) {
    MPI_Win_fence(0, win);
    MPI_Put(&v, 1, MPI_INT, 1 - rank, 16, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
  } else if (strcmp(what, "leave_window") == 0) {
    return 1;
  } else {
    abort();
  }
  return 0;
}

int main(int argc, char **argv) {
  int leave = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (strcmp(argv[1], "fences") == 0)
    fences();
  else if (strcmp(argv[1], "locks") == 0)
    locks();
  else if (strcmp(argv[1], "atomics") == 0)
    atomics();
  else if (strcmp(argv[1], "groups") == 0)
    groups();
  else if (strcmp(argv[1], "tested_groups") == 0)
    tested_groups();
  else if (strcmp(argv[1], "requests") == 0)
    requests();
  else if (strcmp(argv[1], "columns") == 0)
    columns();
  else
    leave = wrong(argv[1]);
  if (!leave) MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
