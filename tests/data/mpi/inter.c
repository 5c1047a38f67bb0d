/* Inter-communicators, and communicators that only their members make. Even ranks are one group, odd ones the other. The argument
says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 5 ${EXE} facts
  | OK
  | sizes, ranks and groups of both sides, copies, and both merged in either order
  $ mpirun -np 4 ${EXE} messages
  | OK
  | messages go to ranks of the other group, and say which one sent them
  $ mpirun -np 5 ${EXE} any
  | OK
  | a wildcard takes messages of the other group in every order
  $ mpirun -np 5 ${EXE} rooted
  | OK
  | MPI_Bcast, MPI_Reduce, MPI_Gather and MPI_Scatter from one group to the other
  $ mpirun -np 5 ${EXE} all
  | OK
  | each group gets what the other gives, blocking and not
  $ mpirun -np 3 ${EXE} group_only
  | OK
  | MPI_Comm_create_group by the members, twice
  $ mpirun -np 2 ${EXE} no_rank
  | ERROR: invalid-rank
  | a rank is one of the other group
  $ mpirun -np 3 ${EXE} other_leader
  | ERROR: root-mismatch
  | two ranks of a group name different leaders
  $ mpirun -np 4 ${EXE} other_tag
  | ERROR: tag-mismatch
  | the leaders give different tags
  $ mpirun -np 2 ${EXE} same_leader
  | ERROR: invalid-rank
  | a leader names itself
  $ mpirun -np 4 ${EXE} no_root
  | ERROR: root-mismatch
  | nobody calls itself the root
  $ mpirun -np 4 ${EXE} two_roots
  | ERROR: root-mismatch
  | the other group names another root
  $ mpirun -np 4 ${EXE} wrong_root
  | ERROR: invalid-root
  | the root is no rank of the other group
  $ mpirun -np 4 ${EXE} other_types
  | ERROR: type-mismatch
  | the groups give other types than are expected
  $ mpirun -np 4 ${EXE} scan
  | ERROR: invalid-communicator
  | MPI_Scan is not for inter-communicators
  $ mpirun -np 4 ${EXE} window
  | ERROR: invalid-communicator
  | nor are windows
  $ mpirun -np 4 ${EXE} in_place
  | ERROR: invalid-buffer
  | nor is MPI_IN_PLACE
  $ mpirun -np 4 ${EXE} differ_in_high
  | ERROR: invalid-argument
  | ranks of one group differ in high
  $ mpirun -np 2 ${EXE} no_inter
  | ERROR: invalid-communicator
  | MPI_COMM_WORLD has no other group
  $ mpirun -np 2 ${EXE} leave
  | ERROR: communicator-leak
  | the inter-communicator is not freed
  $ mpirun -np 3 ${EXE} one_missing
  | ERROR: deadlock
  | a member does not call MPI_Comm_create_group
  $ mpirun -np 3 ${EXE} other_group
  | ERROR: invalid-group
  | a member gives another group
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, group, local, others; /* which group, and how many are in the other one */
static MPI_Comm part, inter;

static void must(int truth) {
  if (!truth) abort();
}

static void check_merged(int high) {
  MPI_Comm both;
  int n, first;
  MPI_Intercomm_merge(inter, high, &both);
  MPI_Comm_size(both, &n);
  first = group;
  MPI_Bcast(&first, 1, MPI_INT, 0, both);
  must(n == size && first == (high == group ? 0 : 1));
  MPI_Comm_free(&both);
}

static void facts(void) {
  MPI_Comm copy;
  MPI_Group there;
  int n, flag, ranks[5], mapped[5], result;
  MPI_Comm_test_inter(inter, &flag);
  must(flag);
  MPI_Comm_test_inter(part, &flag);
  must(!flag);
  MPI_Comm_rank(inter, &n);
  must(n == rank / 2);
  MPI_Comm_remote_size(inter, &n);
  must(n == others);
  MPI_Comm_remote_group(inter, &there);
  MPI_Group_size(there, &n);
  must(n == others);
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (int i = 0; i < n; i++) ranks[i] = i;
  MPI_Group_translate_ranks(there, n, ranks, all, mapped);
  for (int i = 0; i < n; i++) must(mapped[i] == 2 * i + 1 - group);
  MPI_Group_free(&there);
  MPI_Group_free(&all);
  MPI_Comm_dup(inter, &copy);
  MPI_Comm_compare(inter, copy, &result);
  must(result == MPI_CONGRUENT);
  MPI_Comm_compare(inter, part, &result);
  must(result == MPI_UNEQUAL);
  if (rank == 0) MPI_Send(&n, 1, MPI_INT, 1, 3, copy);
  if (rank == 3) MPI_Recv(&n, 1, MPI_INT, 0, 3, copy, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
  check_merged(group);
  check_merged(1 - group);
  check_merged(1 - group);
}

static void messages(void) {
  MPI_Status s;
  MPI_Request r;
  int got = -1;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, inter, &r);
  MPI_Send(&rank, 1, MPI_INT, 1 - local, 1, inter);
  MPI_Wait(&r, &s);
  must(got == 2 * (1 - local) + 1 - group && s.MPI_SOURCE == 1 - local);
  MPI_Sendrecv(&rank, 1, MPI_INT, local, 2, &got, 1, MPI_INT, local, 2, inter, &s);
  must(got == 2 * local + 1 - group && s.MPI_SOURCE == local);
}

static void any(void) {
  MPI_Status s;
  int got;
  if (group == 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, inter);
  for (int i = 0; rank == 1 && i < others; i++) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, inter, &s);
    must(got == 2 * s.MPI_SOURCE);
  }
}

static void rooted(void) {
  int v = rank == 2 ? 42 : 0, sum = 0, all[5] = {0}, given[5] = {10, 11, 12, 13, 14};
  int root = group ? 1 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL; /* rank 2 is rank 1 of its group */
  MPI_Bcast(&v, 1, MPI_INT, root, inter);
  must(v == (rank == 2 || group ? 42 : 0));
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, root, inter);
  must(sum == (rank == 2 ? 1 + 3 : 0));
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, inter);
  must(rank != 2 || (all[0] == 1 && all[1] == 3));
  v = -1;
  MPI_Scatter(given, 1, MPI_INT, &v, 1, MPI_INT, root, inter);
  must(v == (group ? 10 + local : -1));
}

static void all(void) {
  int given[5], got[5], counts[5], places[5], sum = 0, theirs = 0;
  MPI_Request r[2];
  for (int i = 0; i < others; i++) {
    given[i] = 10 * rank + i;
    counts[i] = 1;
    places[i] = others - 1 - i;
    theirs += 2 * i + 1 - group;
  }
  MPI_Barrier(inter);
  MPI_Allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, inter);
  for (int i = 0; i < others; i++) must(got[i] == 2 * i + 1 - group);
  MPI_Allgatherv(&rank, 1, MPI_INT, got, counts, places, MPI_INT, inter);
  for (int i = 0; i < others; i++) must(got[places[i]] == 2 * i + 1 - group);
  MPI_Alltoall(given, 1, MPI_INT, got, 1, MPI_INT, inter);
  for (int i = 0; i < others; i++) must(got[i] == 10 * (2 * i + 1 - group) + local);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter, &r[0]);
  MPI_Ibarrier(inter, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  must(sum == theirs);
}

static void group_only(void) {
  MPI_Group world, members;
  MPI_Comm made[2];
  int sum = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, (int[]){2, 0}, &members);
  if (rank != 1) {
    for (int i = 0; i < 2; i++) MPI_Comm_create_group(MPI_COMM_WORLD, members, 4, &made[i]);
    int own;
    MPI_Comm_rank(made[0], &own);
    must(own == (rank == 2 ? 0 : 1));
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made[0]);
    if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, made[1]);
    if (rank == 2) MPI_Recv(&own, 1, MPI_INT, 1, 0, made[1], MPI_STATUS_IGNORE);
    must(sum == 2);
    for (int i = 0; i < 2; i++) MPI_Comm_free(&made[i]);
  }
  MPI_Group_free(&members);
  MPI_Group_free(&world);
}

static void create(int leader, int tag) {
  int remote = group ? 0 : 1;
  MPI_Intercomm_create(part, leader, MPI_COMM_WORLD, remote, tag, &inter);
}

static int wrong(const char *what) {
  int v = 0, sum, root = group ? 0 : local ? MPI_PROC_NULL : MPI_ROOT;
  MPI_Win win;
  MPI_Comm made;
  MPI_Group world, members;
  if (strcmp(what, "no_rank") == 0) {
    MPI_Send(&v, 1, MPI_INT, 1, 0, inter);
  } else if (strcmp(what, "no_root") == 0) {
    MPI_Bcast(&v, 1, MPI_INT, group ? 0 : MPI_PROC_NULL, inter);
  } else if (strcmp(what, "two_roots") == 0) {
    MPI_Bcast(&v, 1, MPI_INT, group ? 1 : root, inter);
  } else if (strcmp(what, "wrong_root") == 0) {
    MPI_Bcast(&v, 1, MPI_INT, group ? 2 : root, inter);
  } else if (strcmp(what, "other_types") == 0) {
    MPI_Bcast(&v, 1, group ? MPI_FLOAT : MPI_INT, root, inter);
  } else if (strcmp(what, "scan") == 0) {
    MPI_Scan(&v, &sum, 1, MPI_INT, MPI_SUM, inter);
  } else if (strcmp(what, "window") == 0) {
    MPI_Win_create(&v, sizeof v, 1, MPI_INFO_NULL, inter, &win);
  } else if (strcmp(what, "in_place") == 0) {
    MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_INT, MPI_SUM, inter);
  } else if (strcmp(what, "differ_in_high") == 0) {
    MPI_Intercomm_merge(inter, rank == 3, &made);
  } else if (strcmp(what, "no_inter") == 0) {
    MPI_Comm_remote_size(MPI_COMM_WORLD, &v);
  } else if (strcmp(what, "leave") == 0) {
    return 1;
  } else if (strcmp(what, "one_missing") == 0 || strcmp(what, "other_group") == 0) {
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, rank == 2 && what[0] == 'o' && what[1] == 't' ? (int[]){0, 2} : (int[]){0, 1}, &members);
    if (rank == 0 || (rank == 1 && what[1] == 't'))
      MPI_Comm_create_group(MPI_COMM_WORLD, rank ? world : members, 0, &made);
  } else {
    abort();
  }
  return 0;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } parts[] = {{"facts", facts},   {"messages", messages}, {"any", any},
               {"rooted", rooted}, {"all", all},           {"group_only", group_only}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  group = rank % 2;
  local = rank / 2;
  others = group ? (size + 1) / 2 : size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, group, rank, &part);
  if (strcmp(argv[1], "same_leader") == 0)
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank, 0, &inter);
  else
    create(strcmp(argv[1], "other_leader") == 0 ? local : 0, strcmp(argv[1], "other_tag") == 0 ? group : 7);
  size_t i = 0, count = sizeof parts / sizeof *parts;
  while (i < count && strcmp(argv[1], parts[i].name) != 0) i++;
  int leave = i == count && wrong(argv[1]);
  if (i < count) parts[i].run();
  if (!leave) MPI_Comm_free(&inter);
  MPI_Comm_free(&part);
  MPI_Finalize();
  return 0;
}
