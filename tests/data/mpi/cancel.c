/* MPI_Cancel. The argument says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 2 ${EXE} nobody_sends
  | OK
  | a receive that gets nothing is cancelled
  $ mpirun -np 2 ${EXE} either
  | OK
  | a receive is cancelled, or gets its message
  $ mpirun -np 2 ${EXE} turned
  | OK
  | the same, when the other rank sends before
  $ mpirun -np 3 ${EXE} any
  | OK
  | a receive from any rank
  $ mpirun -np 2 ${EXE} two
  | OK
  | what a cancelled receive does not get, the next one gets
  $ mpirun -np 2 ${EXE} polled
  | OK
  | a receive is cancelled after a test that came too early
  $ mpirun -np 2 ${EXE} ordered
  | OK
  | it got its message before the one that came later: it cannot be cancelled any more
  $ mpirun -np 2 ${EXE} persists
  | OK
  | a persistent receive, and one that is freed when it is cancelled
  $ mpirun -np 2 ${EXE} send
  | OK
  | a send is cancelled, or received
  $ mpirun -np 2 ${EXE} send_alone
  | OK
  | a send that nobody receives is cancelled
  $ mpirun -np 2 ${EXE} nobody
  | OK
  | a receive of MPI_PROC_NULL
  $ mpirun -np 2 ${EXE} lost
  | ERROR: unmatched-send
  | a program that takes it that the receive is cancelled leaves the message
  $ mpirun -np 2 ${EXE} waiting
  | ERROR: deadlock
  | the sender waits for a receive that is cancelled
  $ mpirun -np 2 ${EXE} sure
  | ERROR: crash
  | a program takes it that it can always be cancelled
  $ mpirun -np 2 ${EXE} not_waited
  | ERROR: missing-wait
  | a request that is cancelled is to be waited for
  $ mpirun -np 2 ${EXE} no_request
  | ERROR: invalid-request
  | the null request
  $ mpirun -np 2 ${EXE} together
  | ERROR: invalid-request
  | a collective call cannot be cancelled
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void must(int truth) {
  if (!truth) abort();
}

/* Is it cancelled? Waits for it. */
static int cancel(MPI_Request *r, MPI_Status *s) {
  int flag;
  MPI_Cancel(r);
  MPI_Wait(r, s);
  must(*r == MPI_REQUEST_NULL);
  MPI_Test_cancelled(s, &flag);
  return flag;
}

static void receive(int from, int expected) {
  int v = -1;
  MPI_Recv(&v, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  must(v == expected);
}

static void nobody_sends(void) {
  MPI_Request r;
  MPI_Status s;
  int v = 3;
  MPI_Irecv(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
  must(cancel(&r, &s) && v == 3);
}

static void run_either(int receiver) {
  MPI_Request r;
  MPI_Status s;
  int v = -1;
  if (rank != receiver) MPI_Send(&rank, 1, MPI_INT, receiver, 0, MPI_COMM_WORLD);
  if (rank != receiver) return;
  MPI_Irecv(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
  if (cancel(&r, &s)) {
    must(v == -1);
    receive(1 - rank, 1 - rank);
  } else {
    must(v == 1 - rank && s.MPI_SOURCE == 1 - rank);
  }
}

static void either(void) { run_either(0); }
static void turned(void) { run_either(1); }

static void any(void) {
  MPI_Request r;
  MPI_Status s;
  int v;
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank) return;
  MPI_Irecv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);
  int cancelled = cancel(&r, &s);
  for (int i = 1; i < size; i++)
    if (cancelled || i != s.MPI_SOURCE) receive(i, i);
}

static void two(void) {
  MPI_Request r[2];
  MPI_Status s;
  int v[2], first = 0, other = 1 - rank;
  if (rank == 0)
    for (int i = 10; i < 12; i++) MPI_Send(&i, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
  if (rank == 0) return;
  for (int i = 0; i < 2; i++) MPI_Irecv(&v[i], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[i]);
  first = cancel(&r[0], &s);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  must(first ? v[1] == 10 : v[0] == 10 && v[1] == 11);
  if (first) receive(other, 11);
}

static void polled(void) {
  MPI_Request r;
  MPI_Status s;
  int v = -1, flag;
  if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 0) return;
  MPI_Irecv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
  MPI_Test(&r, &flag, &s);
  if (flag)
    must(v == 0);
  else if (cancel(&r, &s))
    receive(0, 0);
  else
    must(v == 0);
}

static void ordered(void) {
  MPI_Request r;
  MPI_Status s;
  int v = -1, w = -1;
  if (rank == 0)
    for (int i = 10; i < 12; i++) MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 0) return;
  MPI_Irecv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
  MPI_Recv(&w, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  must(!cancel(&r, &s) && v == 10 && w == 11);
}

static void persists(void) {
  MPI_Request r;
  MPI_Status s;
  int v, flag;
  MPI_Recv_init(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
  for (int i = 0; i < 2; i++) {
    MPI_Start(&r);
    MPI_Cancel(&r);
    MPI_Wait(&r, &s);
    MPI_Test_cancelled(&s, &flag);
    must(flag && r != MPI_REQUEST_NULL);
  }
  MPI_Request_free(&r);
  MPI_Irecv(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
  MPI_Cancel(&r);
  MPI_Request_free(&r);
}

static void send(void) {
  MPI_Request r;
  MPI_Status s;
  int v = 5, cancelled;
  if (rank == 0) {
    MPI_Isend(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
    cancelled = cancel(&r, &s);
    MPI_Send(&cancelled, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  } else {
    v = -1;
    MPI_Irecv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
    MPI_Recv(&cancelled, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    must(cancel(&r, &s) == cancelled && v == (cancelled ? -1 : 5));
  }
}

static void send_alone(void) {
  MPI_Request r;
  MPI_Status s;
  if (rank) return;
  MPI_Isend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
  must(cancel(&r, &s));
}

static void nobody(void) {
  MPI_Request r;
  MPI_Status s;
  int v;
  MPI_Irecv(&v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
  must(!cancel(&r, &s) && s.MPI_SOURCE == MPI_PROC_NULL);
}

static void wrong(const char *what) {
  MPI_Request r = MPI_REQUEST_NULL;
  MPI_Status s;
  int v;
  if (strcmp(what, "together") == 0) {
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    MPI_Cancel(&r);
    return;
  }
  if (strcmp(what, "no_request") == 0) MPI_Cancel(&r);
  int waits = strcmp(what, "waiting") == 0;
  if (rank == 0) (waits ? MPI_Ssend : MPI_Send)(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 0) return;
  MPI_Irecv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
  if (waits || strcmp(what, "lost") == 0) {
    cancel(&r, &s);
  } else if (strcmp(what, "sure") == 0) {
    must(cancel(&r, &s));
    receive(0, 0);
  } else if (strcmp(what, "not_waited") == 0) {
    MPI_Cancel(&r);
  }
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } all[] = {{"nobody_sends", nobody_sends},
             {"either", either},
             {"turned", turned},
             {"any", any},
             {"two", two},
             {"polled", polled},
             {"ordered", ordered},
             {"persists", persists},
             {"send", send},
             {"send_alone", send_alone},
             {"nobody", nobody}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  size_t i = 0, count = sizeof all / sizeof *all;
  while (i < count && strcmp(argv[1], all[i].name) != 0) i++;
  if (i < count)
    all[i].run();
  else
    wrong(argv[1]);
  MPI_Finalize();
  return 0;
}
