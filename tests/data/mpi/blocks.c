/* Memory from malloc as buffers and windows, and arguments that only look right. The argument says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 2 ${EXE} right
  | OK
  | a part of a block is sent, and blocks are freed when they are not used any more
  $ mpirun -np 2 ${EXE} wait_by_clock
  | OK
  | MPI_Wtime is asked until a second is over
  $ mpirun -np 2 ${EXE} scan_in_place
  | OK
  | MPI_Exscan with MPI_IN_PLACE
  $ mpirun -np 2 ${EXE} free_sent
  | ERROR: buffer-in-use
  | freed before MPI_Wait of its MPI_Isend
  $ mpirun -np 2 ${EXE} free_window
  | ERROR: invalid-window
  | freed before MPI_Win_free
  $ mpirun -np 2 ${EXE} send_more
  | ERROR: invalid-buffer
  | more is sent than the block has
  $ mpirun -np 2 ${EXE} send_more_behind
  | ERROR: invalid-buffer
  | the same from the middle of the block
  $ mpirun -np 2 ${EXE} large_window
  | ERROR: invalid-buffer
  | the window is larger than the block
  $ mpirun -np 2 ${EXE} key_as_tag
  | ERROR: invalid-tag
  | MPI_TAG_UB is the key of an attribute, not the largest tag
  $ mpirun -np 2 ${EXE} overlapping_items
  | ERROR: invalid-type
  | what is received would be written twice
  $ mpirun -np 2 ${EXE} precedes
  | ERROR: invalid-argument
  | MPI_MODE_NOPRECEDE after an MPI_Put
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank;

static void pass_on(int *from, int *to, int count, int tag, MPI_Datatype type) {
  if (rank == 0) MPI_Send(from, count, type, 1, tag, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(to, count, type, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void of_windows(const char *what, int *block) {
  MPI_Win window;
  int value = 1;
  MPI_Win_create(block, (strcmp(what, "large_window") == 0 ? 11 : 10) * sizeof *block, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &window);
  MPI_Win_fence(0, window);
  if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
  MPI_Win_fence(strcmp(what, "precedes") == 0 ? MPI_MODE_NOPRECEDE : 0, window);
  if (strcmp(what, "free_window") == 0) free(block);
  MPI_Win_free(&window);
}

static void wait_by_clock(void) {
  double begin = MPI_Wtime();
  while (MPI_Wtime() < begin + 1) {}
}

static void scan_in_place(void) {
  int value = rank + 1;
  MPI_Exscan(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 1 && value != 1) abort();
}

static void free_sent(void) {
  int *other = malloc(4 * sizeof *other);
  MPI_Request request;
  if (!other) return;
  if (rank == 1) pass_on(NULL, other, 4, 0, MPI_INT);
  if (rank == 1) return;
  MPI_Isend(other, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  free(other);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  const char *what = argv[argc - 1];
  int *block = calloc(10, sizeof *block);
  MPI_Datatype packed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_hvector(4, 1, 3, MPI_INT, &packed);
  MPI_Type_commit(&packed);
  if (strcmp(what, "right") == 0) pass_on(block + 2, block, 8, 0, MPI_INT);
  if (strcmp(what, "wait_by_clock") == 0) wait_by_clock();
  if (strcmp(what, "scan_in_place") == 0) scan_in_place();
  if (strcmp(what, "free_sent") == 0) free_sent();
  if (strcmp(what, "send_more") == 0) pass_on(block, block, 11, 0, MPI_INT);
  if (strcmp(what, "send_more_behind") == 0) pass_on(block + 5, block, 6, 0, MPI_INT);
  if (strcmp(what, "key_as_tag") == 0) pass_on(block, block, 1, MPI_TAG_UB, MPI_INT);
  if (strcmp(what, "overlapping_items") == 0) pass_on(block, block, 1, 0, packed);
  if (strstr(what, "window") || strcmp(what, "precedes") == 0) of_windows(what, block);
  MPI_Type_free(&packed);
  free(block);
  MPI_Finalize();
  return 0;
}
