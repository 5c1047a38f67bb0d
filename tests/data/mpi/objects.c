/* Communicators, groups, datatypes and operators of the program. The argument says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 4 ${EXE} split
  | OK
  | parts of a communicator, their ranks, messages and sums in them
  $ mpirun -np 4 ${EXE} groups
  | OK
  | what the functions of groups say
  $ mpirun -np 4 ${EXE} grid
  | OK
  | a torus of two by two, its lines, and who is beside whom
  $ mpirun -np 2 ${EXE} large_grid
  | ERROR: invalid-argument
  | a grid of three by two needs six ranks
  $ mpirun -np 2 ${EXE} no_grid
  | ERROR: invalid-communicator
  | MPI_COMM_WORLD has no grid
  $ mpirun -np 2 ${EXE} types
  | OK
  | derived types with their layout
  $ mpirun -np 3 ${EXE} operator
  | OK
  | an operator that depends on the order
  $ mpirun -np 2 ${EXE} leave_communicator
  | ERROR: communicator-leak
  | MPI_Comm_dup without MPI_Comm_free
  $ mpirun -np 2 ${EXE} leave_group
  | ERROR: group-leak
  | MPI_Comm_group without MPI_Group_free
  $ mpirun -np 2 ${EXE} leave_type
  | ERROR: type-leak
  | MPI_Type_contiguous without MPI_Type_free
  $ mpirun -np 2 ${EXE} leave_operator
  | ERROR: operator-leak
  | MPI_Op_create without MPI_Op_free
  $ mpirun -np 2 ${EXE} freed_communicator
  | ERROR: invalid-communicator
  | used after MPI_Comm_free
  $ mpirun -np 2 ${EXE} no_communicator
  | ERROR: invalid-communicator
  | MPI_COMM_NULL
  $ mpirun -np 2 ${EXE} not_committed
  | ERROR: invalid-type
  | used before MPI_Type_commit
  $ mpirun -np 2 ${EXE} other_layout
  | ERROR: type-mismatch
  | an int and a double are sent, two ints and a double expected
  $ mpirun -np 2 ${EXE} other_message
  | ERROR: communicator-mismatch
  | a message is sent in one communicator and expected in another
  $ mpirun -np 2 ${EXE} other_call
  | ERROR: communicator-mismatch
  | the root of MPI_Bcast need not wait, and the other rank calls it in another communicator
END_MBI_TESTS */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void must(int truth) {
  if (!truth) abort();
}

static void split(void) {
  MPI_Comm part, none;
  int number, count, sum, got = -1, order;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  MPI_Comm_rank(part, &number);
  MPI_Comm_size(part, &count);
  must(count == 2 && number == (rank < 2));
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
  must(sum == (rank % 2 ? 4 : 2));
  MPI_Status status;
  MPI_Sendrecv(&rank, 1, MPI_INT, 1 - number, 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, 0, part, &status);
  must(got == (rank + 2) % 4 && status.MPI_SOURCE == 1 - number);
  MPI_Comm_compare(part, MPI_COMM_WORLD, &order);
  must(order == MPI_UNEQUAL);
  MPI_Comm_free(&part);
  must(part == MPI_COMM_NULL);
  MPI_Comm_split(MPI_COMM_WORLD, rank ? MPI_UNDEFINED : 0, 0, &none);
  must((none == MPI_COMM_NULL) == (rank != 0));
  if (none != MPI_COMM_NULL) MPI_Comm_free(&none);
}

static void grid(void) {
  MPI_Comm torus, line;
  int sizes[2] = {0, 0}, at[2], periods[2], from, to, count;
  MPI_Dims_create(size, 2, sizes);
  must(sizes[0] == 2 && sizes[1] == 2);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, (int[]){1, 0}, 0, &torus);
  MPI_Cart_get(torus, 2, sizes, periods, at);
  must(at[0] == rank / 2 && at[1] == rank % 2 && periods[0] && !periods[1]);
  MPI_Cart_shift(torus, 0, 1, &from, &to);
  must(from == (rank + 2) % 4 && to == from);
  MPI_Cart_shift(torus, 1, 1, &from, &to);
  must(from == (rank % 2 ? rank - 1 : MPI_PROC_NULL) && to == (rank % 2 ? MPI_PROC_NULL : rank + 1));
  MPI_Cart_sub(torus, (int[]){0, 1}, &line);
  MPI_Comm_size(line, &count);
  MPI_Allreduce(&rank, &to, 1, MPI_INT, MPI_SUM, line);
  must(count == 2 && to == (rank < 2 ? 1 : 5));
  MPI_Comm_free(&line);
  MPI_Comm_free(&torus);
}

static void groups(void) {
  MPI_Group all, some, others, both;
  MPI_Comm part;
  int number, count, order, ranks[2] = {3, 1}, told[2];
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, ranks, &some);
  MPI_Group_difference(all, some, &others);
  MPI_Group_union(others, some, &both);
  MPI_Group_size(others, &count);
  MPI_Group_rank(some, &number);
  must(count == 2 && number == (rank == 3 ? 0 : rank == 1 ? 1 : MPI_UNDEFINED));
  MPI_Group_translate_ranks(some, 2, (int[]){0, 1}, both, told);
  must(told[0] == 2 && told[1] == 3);
  MPI_Group_compare(all, both, &order);
  must(order == MPI_SIMILAR);
  MPI_Comm_create(MPI_COMM_WORLD, some, &part);
  must((part != MPI_COMM_NULL) == (rank % 2 == 1));
  if (part != MPI_COMM_NULL) {
    MPI_Comm_rank(part, &number);
    must(number == (rank == 1));
    MPI_Barrier(part);
    MPI_Comm_free(&part);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&some);
  MPI_Group_free(&others);
  MPI_Group_free(&both);
}

typedef struct item {
  char letter;
  double value;
  int parts[3];
} item;

static MPI_Datatype item_type(int ints) {
  MPI_Datatype type;
  MPI_Type_create_struct(3, (int[]){1, 1, ints},
                         (MPI_Aint[]){offsetof(item, letter), offsetof(item, value), offsetof(item, parts)},
                         (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE, MPI_INT}, &type);
  MPI_Type_commit(&type);
  return type;
}

static void types(void) {
  MPI_Datatype column, pair, part, record = item_type(3);
  int matrix[4][4], line[4] = {0}, bytes;
  MPI_Aint lb, extent;
  for (int i = 0; i < 16; i++) matrix[i / 4][i % 4] = i;
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_Type_size(column, &bytes);
  MPI_Type_get_extent(column, &lb, &extent);
  must(bytes == 16 && lb == 0 && extent == 13 * (MPI_Aint)sizeof(int));
  if (rank == 0) MPI_Send(&matrix[0][1], 1, column, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Recv(line, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++) must(line[i] == 4 * i + 1);
  }
  MPI_Type_get_extent(record, &lb, &extent);
  must(extent == (MPI_Aint)sizeof(item));
  item items[2] = {{'a', 1.5, {1, 2, 3}}, {'b', 2.5, {4, 5, 6}}};
  if (rank == 1) memset(items, 0, sizeof items);
  MPI_Bcast(items, 2, record, 0, MPI_COMM_WORLD);
  must(items[1].letter == 'b' && items[1].value == 2.5 && items[1].parts[2] == 6 && items[0].parts[0] == 1);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_create_subarray(2, (int[]){4, 4}, (int[]){2, 2}, (int[]){1, 2}, MPI_ORDER_C, MPI_INT, &part);
  MPI_Type_commit(&part);
  int square[4] = {0};
  MPI_Sendrecv(matrix, 1, part, rank, 0, square, 2, pair, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  must(square[0] == 6 && square[1] == 7 && square[2] == 10 && square[3] == 11);
  MPI_Type_free(&column);
  MPI_Type_free(&pair);
  MPI_Type_free(&part);
  MPI_Type_free(&record);
}

/* The last digit of the first number is put behind the second: depends on the order. */
static void join(void *in, void *inout, int *count, MPI_Datatype *type) {
  must(*type == MPI_INT);
  for (int i = 0; i < *count; i++) ((int *)inout)[i] += 10 * ((int *)in)[i];
}

static void operator(void) {
  MPI_Op op;
  int mine = rank + 1, got;
  MPI_Op_create(join, 0, &op);
  MPI_Allreduce(&mine, &got, 1, MPI_INT, op, MPI_COMM_WORLD);
  must(got == 123);
  MPI_Op_free(&op);
}

static void wrong(const char *what) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Group group;
  MPI_Datatype type;
  MPI_Op op;
  int v[2] = {0};
  item one = {0};
  if (strcmp(what, "leave_communicator") == 0) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  } else if (strcmp(what, "large_grid") == 0) {
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){3, 2}, v, 0, &comm);
  } else if (strcmp(what, "no_grid") == 0) {
    MPI_Cart_get(MPI_COMM_WORLD, 0, v, v, v);
  } else if (strcmp(what, "other_call") == 0) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Bcast(v, 1, MPI_INT, rank, rank ? comm : MPI_COMM_WORLD);
  } else if (strcmp(what, "leave_group") == 0) {
    MPI_Comm_group(MPI_COMM_WORLD, &group);
  } else if (strcmp(what, "leave_type") == 0) {
    MPI_Type_contiguous(2, MPI_INT, &type);
  } else if (strcmp(what, "leave_operator") == 0) {
    MPI_Op_create(join, 0, &op);
  } else if (strcmp(what, "freed_communicator") == 0) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm kept = comm;
    MPI_Comm_free(&comm);
    MPI_Barrier(kept);
  } else if (strcmp(what, "no_communicator") == 0) {
    MPI_Barrier(comm);
  } else if (strcmp(what, "not_committed") == 0) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Bcast(v, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
  } else if (strcmp(what, "other_layout") == 0) {
    type = item_type(rank + 1);
    if (rank == 0) MPI_Send(&one, 2, type, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&one, 2, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
  } else if (strcmp(what, "other_message") == 0) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0) MPI_Send(v, 1, MPI_INT, 1, 0, comm);
    if (rank == 1) MPI_Recv(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
  } else {
    abort();
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(argv[1], "split") == 0)
    split();
  else if (strcmp(argv[1], "grid") == 0)
    grid();
  else if (strcmp(argv[1], "groups") == 0)
    groups();
  else if (strcmp(argv[1], "types") == 0)
    types();
  else if (strcmp(argv[1], "operator") == 0)
    operator();
  else
    wrong(argv[1]);
  MPI_Finalize();
  return 0;
}
