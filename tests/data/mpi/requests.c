/* Requests: what ends together, those of the program's own, and what is asked of them. The argument says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 4 ${EXE} some
  | OK
  | MPI_Waitsome gives any of those that are done, and each once
  $ mpirun -np 3 ${EXE} test_some
  | OK
  | MPI_Testsome gives any of those that are done, or none
  $ mpirun -np 4 ${EXE} one_at_a_time
  | ERROR: missing-wait
  | a program that takes it that MPI_Waitsome gives one leaves the others
  $ mpirun -np 2 ${EXE} status
  | OK
  | MPI_Request_get_status, again and again, and a test that then cannot fail
  $ mpirun -np 2 ${EXE} early_status
  | ERROR: buffer-in-use
  | the buffer is read although the request was not done
  $ mpirun -np 2 ${EXE} later
  | OK
  | MPI_Imrecv of a message that was found
  $ mpirun -np 2 ${EXE} later_small
  | ERROR: truncation
  | MPI_Imrecv without room for it
  $ mpirun -np 2 ${EXE} later_left
  | ERROR: missing-wait
  | the request of MPI_Imrecv is left
  $ mpirun -np 2 ${EXE} general
  | OK
  | requests that the program completes, waited for with others
  $ mpirun -np 2 ${EXE} general_open
  | ERROR: deadlock
  | nobody completes the request
  $ mpirun -np 2 ${EXE} general_twice
  | ERROR: invalid-request
  | a request is completed twice
  $ mpirun -np 2 ${EXE} general_other
  | ERROR: invalid-request
  | MPI_Grequest_complete of a request of MPI_Irecv
  $ mpirun -np 2 ${EXE} general_left
  | ERROR: missing-wait
  | nobody waits for it
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void must(int truth) {
  if (!truth) abort();
}

static void some(void) {
  MPI_Request r[3];
  MPI_Status s[3];
  int x[3], got[3] = {0}, count, which[3], left = 3;
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < 3; i++) MPI_Irecv(&x[i], 1, MPI_INT, i + 1, i + 1, MPI_COMM_WORLD, &r[i]);
  while (rank == 0 && left > 0) {
    MPI_Waitsome(3, r, &count, which, s);
    must(count > 0 && count <= left);
    left -= count;
    for (int i = 0; i < count; i++) {
      must(!got[which[i]]++);
      must(x[which[i]] == which[i] + 1 && s[i].MPI_TAG == which[i] + 1 && r[which[i]] == MPI_REQUEST_NULL);
    }
  }
  if (rank == 0) {
    MPI_Waitsome(3, r, &count, which, s);
    must(count == MPI_UNDEFINED);
  }
}

static void test_some(void) {
  MPI_Request r[2];
  int x[2], count, which[2], left = 2;
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < 2; i++) MPI_Irecv(&x[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &r[i]);
  while (rank == 0 && left > 0) {
    MPI_Testsome(2, r, &count, which, MPI_STATUSES_IGNORE);
    must(count >= 0 && count <= left);
    left -= count;
    for (int i = 0; i < count; i++) must(x[which[i]] == which[i] + 1);
  }
}

static void one_at_a_time(void) {
  MPI_Request r[3], *first = r;
  int x[3], count, which[3];
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < 3; i++) MPI_Irecv(&x[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &r[i]);
  for (int i = 0; rank == 0 && i < 3; i++) {
    MPI_Waitsome(3 - i, first, &count, which, MPI_STATUSES_IGNORE);
    MPI_Request swap = *first;
    *first++ = r[i + which[0]];
    r[i + which[0]] = swap;
    if (count > 1) return;
  }
}

static void status(void) {
  MPI_Request r;
  MPI_Status s;
  int x = 0, flag = 0, count;
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  if (rank) return;
  MPI_Irecv(&x, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &r);
  while (!flag) MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
  MPI_Request_get_status(r, &flag, &s);
  MPI_Get_count(&s, MPI_INT, &count);
  must(flag && s.MPI_TAG == 5 && count == 1 && x == 1);
  MPI_Test(&r, &flag, &s);
  must(flag && s.MPI_TAG == 5 && r == MPI_REQUEST_NULL);
  MPI_Request_get_status(r, &flag, &s);
  must(flag && s.MPI_SOURCE == MPI_ANY_SOURCE);
}

static void early_status(void) {
  MPI_Request r;
  int x = 0, flag;
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank) return;
  MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
  MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
  must(x <= 1);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void find_later(int room, int waits) {
  MPI_Message message;
  MPI_Request r;
  MPI_Status s, t;
  int x[2] = {0}, given[2] = {3, 4};
  if (rank) MPI_Send(given, 2, MPI_INT, 0, 6, MPI_COMM_WORLD);
  if (rank) return;
  MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &message, &s);
  MPI_Imrecv(x, room, MPI_INT, &message, &r);
  must(message == MPI_MESSAGE_NULL);
  if (waits) MPI_Wait(&r, &t);
  if (waits) must(x[0] == 3 && x[1] == 4 && t.MPI_SOURCE == 1 && t.MPI_TAG == 6);
}

static void later(void) { find_later(2, 1); }
static void later_small(void) { find_later(1, 1); }
static void later_left(void) { find_later(2, 0); }

static int queried, released;

static int query(void *extra, MPI_Status *s) {
  queried++;
  s->MPI_SOURCE = rank;
  s->MPI_TAG = *(int *)extra;
  MPI_Status_set_elements(s, MPI_INT, 3);
  MPI_Status_set_cancelled(s, 0);
  return MPI_SUCCESS;
}

static int release(void *extra) {
  (void)extra;
  released++;
  return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
  (void)extra;
  (void)complete;
  return MPI_SUCCESS;
}

static void general(void) {
  static int extra = 9;
  MPI_Request r[2];
  MPI_Status s[2];
  int x = 0, count, flag;
  MPI_Grequest_start(query, release, cancel, &extra, &r[0]);
  MPI_Test(&r[0], &flag, s);
  must(!flag);
  MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Send(&extra, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Grequest_complete(r[0]);
  MPI_Waitall(2, r, s);
  MPI_Get_count(&s[0], MPI_INT, &count);
  must(x == 9 && queried == 1 && released == 1 && count == 3 && s[0].MPI_TAG == 9);
  MPI_Grequest_start(query, release, cancel, &extra, &r[0]);
  MPI_Grequest_complete(r[0]);
  MPI_Request_get_status(r[0], &flag, s);
  must(flag && queried == 2 && released == 1);
  MPI_Test(&r[0], &flag, s);
  must(flag && queried == 3 && released == 2);
  MPI_Grequest_start(query, release, cancel, &extra, &r[0]);
  MPI_Grequest_complete(r[0]);
  MPI_Request_free(&r[0]);
  must(released == 3 && r[0] == MPI_REQUEST_NULL);
}

static void general_open(void) {
  MPI_Request r;
  MPI_Grequest_start(query, release, cancel, &queried, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void general_twice(void) {
  MPI_Request r;
  MPI_Grequest_start(query, release, cancel, &queried, &r);
  MPI_Grequest_complete(r);
  MPI_Grequest_complete(r);
}

static void general_other(void) {
  MPI_Request r;
  int x;
  MPI_Irecv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
  MPI_Grequest_complete(r);
}

static void general_left(void) {
  MPI_Request r;
  MPI_Grequest_start(query, release, cancel, &queried, &r);
  MPI_Grequest_complete(r);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } parts[] = {{"some", some},
               {"test_some", test_some},
               {"one_at_a_time", one_at_a_time},
               {"status", status},
               {"early_status", early_status},
               {"later", later},
               {"later_small", later_small},
               {"later_left", later_left},
               {"general", general},
               {"general_open", general_open},
               {"general_twice", general_twice},
               {"general_other", general_other},
               {"general_left", general_left}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcmp(argv[1], parts[i].name) == 0) parts[i].run();
  MPI_Finalize();
  return 0;
}
