/* Windows whose memory all ranks share. The argument says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 3 ${EXE} neighbours
  | OK
  | each rank writes its part, and after a barrier reads those of the others
  $ mpirun -np 3 ${EXE} fences
  | OK
  | the same between fences, and by MPI_Get, with a part that is empty
  $ mpirun -np 3 ${EXE} turns
  | OK
  | ranks add to a counter of rank 0 in the order in which they get its lock
  $ mpirun -np 3 ${EXE} messages
  | OK
  | a message says that the memory is ready
  $ mpirun -np 3 ${EXE} no_barrier
  | ERROR: memory-conflict
  | a rank reads what another one writes
  $ mpirun -np 2 ${EXE} both_write
  | ERROR: memory-conflict
  | two ranks write the same place
  $ mpirun -np 2 ${EXE} put_and_read
  | ERROR: memory-conflict
  | a rank puts where another one reads by itself
  $ mpirun -np 2 ${EXE} not_shared
  | ERROR: invalid-window
  | MPI_Win_shared_query of a window of MPI_Win_allocate
  $ mpirun -np 2 ${EXE} no_rank
  | ERROR: invalid-rank
  | MPI_Win_shared_query of a rank that is not there
  $ mpirun -np 2 ${EXE} leave
  | ERROR: window-leak
  | the window is not freed
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, *own;
static MPI_Win win;

static void must(int truth) {
  if (!truth) abort();
}

static int *part_of(int other) {
  MPI_Aint bytes;
  int unit, *part;
  MPI_Win_shared_query(win, other, &bytes, &unit, &part);
  must(unit == sizeof(int) && bytes == (MPI_Aint)sizeof(int) * 2);
  return part;
}

static void neighbours(void) {
  int *flavor, flag;
  MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
  must(flag && *flavor == MPI_WIN_FLAVOR_SHARED && own == part_of(0) + 2 * rank &&
       part_of(MPI_PROC_NULL) == part_of(0));
  MPI_Win_lock_all(0, win);
  own[0] = 10 + rank;
  own[1] = 20 + rank;
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  for (int i = 0; i < size; i++) must(part_of(i)[0] == 10 + i && part_of(i)[1] == 20 + i);
  MPI_Win_unlock_all(win);
}

static void fences(void) {
  MPI_Win other;
  MPI_Aint bytes;
  int got = -1, unit, *memory, *first;
  MPI_Win_allocate_shared(rank == 1 ? 0 : sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &other);
  MPI_Win_fence(0, other);
  if (rank == 0) *memory = 7;
  if (rank == 2) *memory = 9;
  MPI_Win_fence(0, other);
  MPI_Win_shared_query(other, 2, &bytes, &unit, &first);
  must(*first == 9);
  MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, other);
  MPI_Win_fence(0, other);
  must(got == 7);
  MPI_Win_free(&other);
}

static void turns(void) {
  int *counter = part_of(0);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  int before = *counter;
  *counter = before + 1;
  MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  must(before < size && *counter == size);
}

static void messages(void) {
  if (rank == 0) own[1] = 5;
  if (rank > 0) MPI_Recv(NULL, 0, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  must(part_of(0)[1] == 5);
  if (rank < size - 1) MPI_Send(NULL, 0, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
}

static int wrong(const char *what) {
  MPI_Win other;
  MPI_Aint bytes;
  int unit, *memory, v = 1;
  if (strcmp(what, "no_barrier") == 0) {
    own[0] = rank;
    v = part_of((rank + 1) % size)[0];
    must(v < size);
  } else if (strcmp(what, "both_write") == 0) {
    part_of(1)[0] = rank;
  } else if (strcmp(what, "put_and_read") == 0) {
    memory = part_of(0);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (rank == 1) must(*memory < 2);
    MPI_Win_fence(0, win);
  } else if (strcmp(what, "not_shared") == 0) {
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &other);
    MPI_Win_shared_query(other, 0, &bytes, &unit, &memory);
  } else if (strcmp(what, "no_rank") == 0) {
    part_of(size);
  } else if (strcmp(what, "leave") == 0) {
    return 1;
  } else {
    abort();
  }
  return 0;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } all[] = {{"neighbours", neighbours}, {"fences", fences}, {"turns", turns}, {"messages", messages}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
  own[0] = own[1] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  size_t i = 0, count = sizeof all / sizeof *all;
  while (i < count && strcmp(argv[1], all[i].name) != 0) i++;
  int leave = i == count && wrong(argv[1]);
  if (i < count) all[i].run();
  if (!leave) MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
