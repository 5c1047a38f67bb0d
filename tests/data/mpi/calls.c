/* Arguments that are wrong, calls at the wrong time, and requests that are not used as they must be. The argument says which.

BEGIN_MBI_TESTS
  $ mpirun -np 2 ${EXE} right
  | OK
  | a persistent exchange, and a request that is not waited for twice
  $ mpirun -np 2 ${EXE} nobody
  | OK
  | MPI_PROC_NULL takes part in everything
  $ mpirun -np 2 ${EXE} rank
  | ERROR: invalid-rank
  | a rank that is not there
  $ mpirun -np 2 ${EXE} tag
  | ERROR: invalid-tag
  | a negative tag
  $ mpirun -np 2 ${EXE} count
  | ERROR: invalid-count
  | a negative count
  $ mpirun -np 2 ${EXE} type
  | ERROR: invalid-type
  | MPI_DATATYPE_NULL
  $ mpirun -np 2 ${EXE} buffer
  | ERROR: invalid-buffer
  | NULL with a count of one
  $ mpirun -np 2 ${EXE} communicator
  | ERROR: invalid-communicator
  | a datatype in the place of a communicator
  $ mpirun -np 2 ${EXE} group
  | ERROR: invalid-group
  | MPI_GROUP_NULL
  $ mpirun -np 2 ${EXE} window
  | ERROR: invalid-window
  | MPI_WIN_NULL
  $ mpirun -np 2 ${EXE} argument
  | ERROR: invalid-argument
  | NULL in the place of a result
  $ mpirun -np 2 ${EXE} status
  | ERROR: invalid-argument
  | NULL in the place of MPI_STATUS_IGNORE
  $ mpirun -np 2 ${EXE} operator
  | ERROR: invalid-operator
  | MPI_REPLACE is for windows only
  $ mpirun -np 2 ${EXE} request
  | ERROR: invalid-request
  | a request that was waited for
  $ mpirun -np 2 ${EXE} start_twice
  | ERROR: active-request
  | MPI_Start of what was started
  $ mpirun -np 2 ${EXE} never_started
  | ERROR: missing-start
  | MPI_Wait for what was never started
  $ mpirun -np 2 ${EXE} not_freed
  | ERROR: request-leak
  | a persistent request is left
  $ mpirun -np 2 ${EXE} not_waited
  | ERROR: missing-wait
  | a request is left
  $ mpirun -np 2 ${EXE} truncated
  | ERROR: truncation
  | two ints where there is room for one
  $ mpirun -np 2 ${EXE} other_type
  | ERROR: type-mismatch
  | an int is sent and a float received
  $ mpirun -np 2 ${EXE} other_tag
  | ERROR: tag-mismatch
  | tag 1 is sent and 2 received
  $ mpirun -np 2 ${EXE} not_received
  | ERROR: unmatched-send
  | nobody receives
  $ mpirun -np 2 ${EXE} not_sent
  | ERROR: deadlock
  | nobody sends
  $ mpirun -np 2 ${EXE} abort
  | ERROR: abort
  | MPI_Abort
  $ mpirun -np 2 ${EXE} init_twice
  | ERROR: double-init
  | MPI_Init again
  $ mpirun -np 2 ${EXE} early
  | ERROR: before-init
  | MPI_Barrier before MPI_Init
  $ mpirun -np 2 ${EXE} late
  | ERROR: after-finalize
  | MPI_Barrier after MPI_Finalize
  $ mpirun -np 2 ${EXE} no_finalize
  | ERROR: missing-finalize
  | the end of main without MPI_Finalize
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, v[2], w[2];
static const char *what;

static int is(const char *name) { return strcmp(what, name) == 0; }

static void exchange(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  MPI_Request r;
  MPI_Irecv(w, 1, MPI_INT, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, &r);
  MPI_Send(is("buffer") ? NULL : v, count, type, to, tag, comm);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void arguments(void) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Win win = MPI_WIN_NULL;
  int size;
  if (is("rank")) exchange(1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  if (is("tag")) exchange(1, MPI_INT, 1 - rank, -1, MPI_COMM_WORLD);
  if (is("count")) exchange(-1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  if (is("type")) exchange(1, MPI_DATATYPE_NULL, 1 - rank, 0, MPI_COMM_WORLD);
  if (is("buffer")) exchange(1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  if (is("communicator")) exchange(1, MPI_INT, 1 - rank, 0, MPI_INT);
  if (is("group")) MPI_Group_size(group, &size);
  if (is("window")) MPI_Win_fence(0, win);
  if (is("status")) MPI_Recv(w, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, NULL);
  if (is("operator")) MPI_Allreduce(v, w, 1, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD);
  if (is("argument")) MPI_Comm_rank(MPI_COMM_WORLD, NULL);
}

static void messages(void) {
  MPI_Request r, kept;
  float f;
  if (is("truncated") && rank == 0) MPI_Send(v, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (is("truncated") && rank == 1) MPI_Recv(w, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is("other_type") && rank == 0) MPI_Send(v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (is("other_type") && rank == 1) MPI_Recv(&f, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is("other_tag") && rank == 0) MPI_Send(v, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  if (is("other_tag") && rank == 1) MPI_Recv(w, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is("not_received") && rank == 0) MPI_Send(v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (is("not_sent") && rank == 0) MPI_Recv(w, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is("abort")) MPI_Abort(MPI_COMM_WORLD, 3);
  if (is("request") || is("not_waited")) {
    MPI_Irecv(w, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
    kept = r;
    MPI_Send(v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    if (is("request")) MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (is("request")) MPI_Wait(&kept, MPI_STATUS_IGNORE);
  }
}

static void persistent(void) {
  MPI_Request r[2];
  MPI_Send_init(v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(w, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
  if (!is("never_started")) MPI_Startall(2, r);
  if (is("start_twice")) MPI_Start(&r[0]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Request_free(&r[0]);
  if (!is("not_freed")) MPI_Request_free(&r[1]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

static void nobody(void) {
  MPI_Request r;
  MPI_Status s;
  int flag;
  MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &s);
  if (s.MPI_SOURCE != MPI_PROC_NULL) abort();
  MPI_Irecv(v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, &s);
  MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &s);
  if (!flag) abort();
}

int main(int argc, char **argv) {
  what = argv[1];
  if (is("early")) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Init(&argc, &argv);
  if (is("init_twice")) MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (is("no_finalize")) return 0;
  if (is("nobody")) nobody();
  if (is("right") || is("start_twice") || is("never_started") || is("not_freed")) persistent();
  arguments();
  messages();
  MPI_Finalize();
  if (is("late")) MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}
