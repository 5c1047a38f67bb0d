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
  $ mpirun -np 2 ${EXE} external
  | OK
  | the form that is the same on all machines
  $ mpirun -np 2 ${EXE} other_form
  | ERROR: invalid-argument
  | a form that there is not
  $ mpirun -np 4 ${EXE} distributed
  | OK
  | parts of an array of five by seven, by blocks and in turn
  $ mpirun -np 2 ${EXE} few_processes
  | ERROR: invalid-argument
  | the processes of the dimensions are not as many as there are
  $ mpirun -np 3 ${EXE} found
  | OK
  | each message that MPI_Mprobe finds is that of MPI_Mrecv
  $ mpirun -np 2 ${EXE} older
  | OK
  | attributes, keys and error handlers by their names of MPI 1, and an attribute of MPI_COMM_SELF that MPI_Finalize drops
  $ mpirun -np 2 ${EXE} other_attributes
  | OK
  | attributes of datatypes and windows
  $ mpirun -np 2 ${EXE} other_key
  | ERROR: invalid-argument
  | a key of datatypes is used for a communicator
  $ mpirun -np 2 ${EXE} no_copy
  | ERROR: abort
  | a copy function says that it cannot
  $ mpirun -np 2 ${EXE} handlers
  | OK
  | a handler that the program calls itself, with codes and classes of its own
  $ mpirun -np 2 ${EXE} fatal
  | ERROR: abort
  | the handler of MPI_COMM_WORLD ends the program
  $ mpirun -np 2 ${EXE} leave_handler
  | ERROR: handler-leak
  | MPI_Comm_get_errhandler makes an object that is to be freed
  $ mpirun -np 2 ${EXE} all_hints
  | OK
  | hints of communicators and windows
  $ mpirun -np 2 ${EXE} some_hints
  | ERROR: collective-mismatch
  | only one rank gives hints
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

static void older(void) {
  static int kept, own;
  int key, flag, *value;
  MPI_Errhandler handler;
  MPI_Comm other;
  MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &key, NULL);
  MPI_Attr_put(MPI_COMM_WORLD, key, &kept);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &other);
  MPI_Attr_get(other, key, &value, &flag);
  must(flag && value == &kept);
  MPI_Attr_delete(other, key);
  MPI_Attr_get(other, key, &value, &flag);
  must(!flag);
  MPI_Keyval_free(&key);
  must(key == MPI_KEYVAL_INVALID);
  MPI_Errhandler_get(other, &handler);
  must(handler == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_set(other, MPI_ERRORS_RETURN);
  MPI_Comm_disconnect(&other);
  must(other == MPI_COMM_NULL);
  MPI_Comm_get_parent(&other);
  must(other == MPI_COMM_NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &own);
  MPI_Comm_free_keyval(&key);
  MPI_Pcontrol(1);
  MPI_Finalize();
  must(dropped == 1);
  exit(0);
}

static void other_attributes(void) {
  static int one;
  int key, flag, memory = 0, *value;
  MPI_Datatype a, b;
  MPI_Win win;
  MPI_Count low, extent;
  MPI_Type_contiguous(3, MPI_INT, &a);
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, drop, &key, NULL);
  MPI_Type_set_attr(a, key, &one);
  MPI_Type_dup(a, &b);
  MPI_Type_get_attr(b, key, &value, &flag);
  must(flag && value == &one);
  MPI_Type_delete_attr(b, key);
  must(dropped == 1);
  MPI_Type_get_extent_x(a, &low, &extent);
  must(low == 0 && extent == 3 * sizeof(int));
  MPI_Type_get_true_extent_x(a, &low, &extent);
  must(low == 0 && extent == 3 * sizeof(int));
  MPI_Type_free(&a);
  MPI_Type_free(&b);
  must(dropped == 2);
  MPI_Type_free_keyval(&key);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop, &key, NULL);
  MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_attr(win, key, &one);
  MPI_Win_set_attr(win, key, &memory);
  must(dropped == 3);
  MPI_Win_get_attr(win, key, &value, &flag);
  must(flag && value == &memory);
  MPI_Win_delete_attr(win, key);
  must(dropped == 4);
  MPI_Win_set_attr(win, key, &one);
  MPI_Win_free(&win);
  must(dropped == 5);
  MPI_Win_free_keyval(&key);
}

static void other_key(void) {
  int key;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
}

static int refuse(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
  (void)comm;
  (void)key;
  (void)extra;
  (void)in;
  (void)out;
  *flag = 0;
  return MPI_ERR_OTHER;
}

static void no_copy(void) {
  int key;
  MPI_Comm other;
  MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
}

static int last_error;

static void note_error(MPI_Comm *comm, int *error, ...) {
  (void)comm;
  last_error = *error;
}

static void note_window_error(MPI_Win *win, int *error, ...) {
  (void)win;
  last_error = *error;
}

static void handlers(void) {
  MPI_Errhandler handler, same;
  MPI_Win win;
  char text[MPI_MAX_ERROR_STRING];
  int own, code, class_, length, *last, flag;
  MPI_Comm_create_errhandler(note_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
  MPI_Add_error_class(&own);
  MPI_Add_error_code(own, &code);
  MPI_Add_error_string(code, "too hot");
  MPI_Error_class(code, &class_);
  MPI_Error_string(code, text, &length);
  must(class_ == own && code != own && length == 7 && strcmp(text, "too hot") == 0);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  must(flag && *last == code);
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
  must(last_error == code);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &same);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, same);
  MPI_Errhandler_free(&same);
  MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
  must(last_error == MPI_ERR_OTHER);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_ARG);
  must(last_error == MPI_ERR_OTHER);
  MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_errhandler(note_window_error, &handler);
  MPI_Win_set_errhandler(win, handler);
  MPI_Win_get_errhandler(win, &same);
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&same);
  MPI_Win_call_errhandler(win, MPI_ERR_WIN);
  must(last_error == MPI_ERR_WIN);
  MPI_Win_free(&win);
}

static void fatal(void) { MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER); }

static void leave_handler(void) {
  MPI_Errhandler handler, same;
  MPI_Comm_create_errhandler(note_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &same);
}

static void all_hints(void) {
  MPI_Info info;
  MPI_Win win;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  MPI_Comm_set_info(MPI_COMM_WORLD, info);
  MPI_Win_create(NULL, 0, 1, info, MPI_COMM_WORLD, &win);
  MPI_Win_set_info(win, info);
  MPI_Info_free(&info);
  MPI_Win_get_info(win, &info);
  MPI_Info_free(&info);
  MPI_Comm_get_info(MPI_COMM_WORLD, &info);
  MPI_Info_free(&info);
  MPI_Win_free(&win);
}

static void some_hints(void) {
  if (rank == 0) MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
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

static void packs(void) { packing(64); }

static void packs_too_much(void) { packing(8); }

static void external(void) {
  struct {
    short s;
    long l[2];
    double d;
  } in = {-2, {-3, 4}, 1.5}, out = {0};
  MPI_Datatype type;
  MPI_Aint places[] = {(char *)&in.s - (char *)&in, (char *)in.l - (char *)&in, (char *)&in.d - (char *)&in}, size,
           at = 0;
  unsigned char packed[64];
  MPI_Type_create_struct(3, (int[]){1, 2, 1}, places, (MPI_Datatype[]){MPI_SHORT, MPI_LONG, MPI_DOUBLE}, &type);
  MPI_Type_commit(&type);
  MPI_Pack_external_size("external32", 1, type, &size);
  must(size == 2 + 2 * 4 + 8);
  MPI_Pack_external("external32", &in, 1, type, packed, sizeof packed, &at);
  must(at == size && memcmp(packed, "\xff\xfe\xff\xff\xff\xfd\0\0\0\4\x3f\xf8", 12) == 0);
  at = 0;
  MPI_Unpack_external("external32", packed, size, &at, &out, 1, type);
  must(at == size && out.s == -2 && out.l[0] == -3 && out.l[1] == 4 && out.d == 1.5);
  MPI_Type_free(&type);
}

static void other_form(void) {
  MPI_Aint size;
  MPI_Pack_external_size("native", 1, MPI_INT, &size);
}

/* Each rank sends its part of the array to rank 0, which puts them together. */
static void distribute(int order, int first, int second, int argument) {
  int whole[35], got[35], size;
  int sizes[] = {5, 7}, kinds[] = {first, second}, arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, argument}, grid[] = {2, 2};
  MPI_Datatype parts[4];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 35; i++) whole[i] = i, got[i] = -1;
  for (int i = 0; i < size; i++) {
    MPI_Type_create_darray(size, i, 2, sizes, kinds, arguments, grid, order, MPI_INT, &parts[i]);
    MPI_Type_commit(&parts[i]);
  }
  MPI_Request r;
  MPI_Isend(whole, 1, parts[rank], 0, 0, MPI_COMM_WORLD, &r);
  for (int i = 0; rank == 0 && i < size; i++) MPI_Recv(got, 1, parts[i], i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  must(rank || memcmp(got, whole, sizeof got) == 0);
  for (int i = 0; i < size; i++) MPI_Type_free(&parts[i]);
}

static void distributed(void) {
  int sizes[] = {5, 7}, kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, grid[] = {2, 2}, bytes, all[35],
      mine[8] = {0};
  int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, at = 0;
  MPI_Datatype part;
  MPI_Aint low, extent;
  distribute(MPI_ORDER_C, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, 2);
  distribute(MPI_ORDER_FORTRAN, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK, 4);
  for (int i = 0; i < 35; i++) all[i] = i;
  MPI_Type_create_darray(4, 3, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &part);
  MPI_Type_commit(&part);
  MPI_Type_size(part, &bytes); /* lines 3 and 4; columns 2, 3 and 6 */
  MPI_Type_get_extent(part, &low, &extent);
  must(bytes == 6 * sizeof(int) && low == 0 && extent == 35 * sizeof(int));
  MPI_Pack(all, 1, part, mine, sizeof mine, &at, MPI_COMM_WORLD);
  must(mine[0] == 23 && mine[1] == 24 && mine[2] == 27 && mine[3] == 30 && mine[4] == 31 && mine[5] == 34);
  MPI_Type_free(&part);
}

static void few_processes(void) {
  int sizes[] = {4}, kinds[] = {MPI_DISTRIBUTE_BLOCK}, grid[] = {3}, arguments[] = {MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Datatype part;
  MPI_Type_create_darray(2, 0, 1, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &part);
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
  static const struct {
    const char *name;
    void (*run)(void);
  } parts[] = {{"attributes", attributes},
               {"hints", hints},
               {"older", older},
               {"other_attributes", other_attributes},
               {"other_key", other_key},
               {"no_copy", no_copy},
               {"handlers", handlers},
               {"fatal", fatal},
               {"leave_handler", leave_handler},
               {"all_hints", all_hints},
               {"some_hints", some_hints},
               {"packing", packs},
               {"full", packs_too_much},
               {"external", external},
               {"other_form", other_form},
               {"distributed", distributed},
               {"few_processes", few_processes},
               {"found", found}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcmp(argv[1], parts[i].name) == 0) parts[i].run();
  MPI_Finalize();
  return 0;
}
