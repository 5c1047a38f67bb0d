/* What surrounds communication: memory, hints, attributes, packing, messages that are taken out when they are found. The argument
says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 2 ${EXE} attributes
  | OK
  | an attribute is copied with its communicator, and dropped with it
  $ mpirun -np 2 ${EXE} hints
  | OK
  | what was set is found
  $ mpirun -np 2 ${EXE} packing
  | OK
  | an int and two doubles in one message
  $ mpirun -np 3 ${EXE} found
  | OK
  | each message that MPI_Mprobe finds is that of MPI_Mrecv
  $ mpirun -np 2 ${EXE} full
  | ERROR: truncation
  | there is no room to pack
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, dropped;

static void must(int truth) {
  if (!truth) abort();
}

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
  (void)comm;
  (void)key;
  *(void **)out = (char *)in + *(int *)extra;
  *flag = 1;
  return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm;
  (void)key;
  (void)value;
  (void)extra;
  dropped++;
  return MPI_SUCCESS;
}

static void attributes(void) {
  static char text[] = "abc";
  int key, step = 1, flag;
  char *value;
  int *most;
  MPI_Comm a, b;
  MPI_Comm_create_keyval(copy, drop, &key, &step);
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_set_attr(a, key, text);
  MPI_Comm_dup(a, &b);
  MPI_Comm_get_attr(b, key, &value, &flag);
  must(flag && value == text + 1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
  must(!flag);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &flag);
  must(flag && *most >= 32767);
  MPI_Comm_free(&a);
  MPI_Comm_free(&b);
  must(dropped == 2);
  MPI_Comm_free_keyval(&key);
}

static void hints(void) {
  MPI_Info info;
  char value[16], *memory;
  int flag, count;
  MPI_Info_create(&info);
  MPI_Info_set(info, "a", "x");
  MPI_Info_set(info, "a", "y");
  MPI_Info_get(info, "a", 15, value, &flag);
  MPI_Info_get_nkeys(info, &count);
  must(flag && count == 1 && strcmp(value, "y") == 0);
  MPI_Alloc_mem(10, info, &memory);
  memory[9] = 1;
  MPI_Free_mem(memory);
  MPI_Info_free(&info);
}

static void packing(int room) {
  char bytes[64];
  int at = 0, n = 7;
  double d[2] = {1.5, 2.5};
  if (rank == 0) {
    MPI_Pack(&n, 1, MPI_INT, bytes, room, &at, MPI_COMM_WORLD);
    MPI_Pack(d, 2, MPI_DOUBLE, bytes, room, &at, MPI_COMM_WORLD);
    MPI_Send(bytes, at, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
  } else {
    n = 0;
    MPI_Recv(bytes, 64, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Unpack(bytes, 64, &at, &n, 1, MPI_INT, MPI_COMM_WORLD);
    d[1] = 0;
    MPI_Unpack(bytes, 64, &at, d, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    must(n == 7 && d[1] == 2.5);
  }
}

static void found(void) {
  MPI_Message message;
  MPI_Status status;
  int v = -1;
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < 3; i++) {
    MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&v, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    must(v == status.MPI_SOURCE);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(argv[1], "attributes") == 0)
    attributes();
  else if (strcmp(argv[1], "hints") == 0)
    hints();
  else if (strcmp(argv[1], "packing") == 0)
    packing(64);
  else if (strcmp(argv[1], "full") == 0)
    packing(8);
  else
    found();
  MPI_Finalize();
  return 0;
}
