#!/usr/bin/env bash
# MPI programs: `everyorder mpicc` and `everyorder mpi`, each matching once, findings with their class, and bad input.
# takes: 5
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

everyorder=$EO_BUILD/everyorder

program() { # NAME: a program whose middle is standard input; every rank has rank, size and v
  {
    printf '#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nstatic int counter = 5;\n'
    printf 'int main(int argc, char **argv) {\nint rank, size, v = 0;\nMPI_Init(&argc, &argv);\n(void)counter;\n(void)v;\n'
    printf 'MPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &size);\n'
    cat
    printf 'MPI_Finalize();\nreturn 0;\n}\n'
  } >"$1.c"
  "$everyorder" mpicc -Wall -Wextra -Werror "$1.c" -o "$1" || problem "$1 does not compile"
}

explore() { # RANKS NAME ARGUMENT...: verdict, executions and the class of the first finding
  local ranks=$1 name=$2
  shift 2
  "$everyorder" mpi -n "$ranks" "./$name" "$@" --quiet --json result.json >result.txt 2>&1
  jq -r '.tests[0] | "\(.verdict) \(.executions) \(.errors[0].class // "")"' result.json 2>/dev/null | sed 's/ $//'
}

program own_variables <<'END'
counter += rank;
if (rank == 0) MPI_Send(&counter, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
if (rank == 1) {
  MPI_Status status;
  MPI_Recv(&v, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  if (v != 5 || counter != 6 || status.MPI_SOURCE != 0 || status.MPI_TAG != 7) abort();
}
if (argc != 3 || strcmp(argv[1], "-x") != 0 || strcmp(argv[2], "a b") != 0) abort();
MPI_Barrier(MPI_COMM_WORLD);
END
same "$(explore 3 own_variables -x 'a b')" 'pass 1' 'variables and arguments of ranks'

program any <<'END'
if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
for (int i = 1; rank == 0 && i < size; i++)
  MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
same "$(explore 4 any)" 'pass 6' 'three messages in every order'
same "$(explore 4 any --strategy dfs)" 'pass 6' 'the same by dfs'

program circle <<'END'
enum { COUNT = 1 };
MPI_Recv(&v, COUNT, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
MPI_Send(&v, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD);
END
same "$(explore 3 circle)" 'fail 1 deadlock' 'everybody receives first'
grep -q 'rank 2 waits in MPI_Recv (circle.c:14) for a message of rank 0' result.txt || problem 'a deadlock without ranks and lines'
grep -Eq 'P1\.1 +sends MPI_Recv to P1 +circle.c:14$' result.txt || problem 'a step without the name of its MPI function'
grep -Eq 'COUNT|sends tag' result.txt && problem 'the arguments of an MPI function taken for those of a message'
"$everyorder" replay everyorder-tickets/mpi--n-3-mpi-1.ticket >replayed.txt
same $? 1 'replaying a deadlock'

program wrong_rank <<'END'
MPI_Send(&v, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
END
same "$(explore 2 wrong_rank)" 'fail 1 invalid-rank' 'a rank that is not there'

program missing <<'END'
MPI_File file;
MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
END
same "$(explore 2 missing)" 'fail 1 not-implemented' 'a function that is not implemented'
grep -q 'MPI_File_open: is not implemented' result.txt || problem 'a missing function without its name'

program polls <<'END'
int there = 0;
MPI_Status s;
if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
for (int got = 1; rank == 0 && got < size;) {
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &s);
  if (!there) continue;
  MPI_Recv(&v, 1, MPI_INT, s.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  got++;
}
END
same "$(explore 3 polls --strategy dpor)" 'pass 24' 'MPI_Iprobe of any rank in a loop'

program large <<'END'
static int table[1 << 20];
double local[1 << 18];
char *block = malloc(24 << 20), *small = NULL;
for (int i = 0; i < 1 << 20; i++) table[i] = i + rank;
for (int i = 0; i < 1 << 18; i++) local[i] = i + rank;
if (!block) abort();
memset(block, rank + 1, 24 << 20);
for (int i = 0; i < 100000; i++) {
  char **next = malloc(sizeof *next);
  if (!next) abort();
  *next = small;
  small = (char *)next;
}
MPI_Barrier(MPI_COMM_WORLD);
if (table[(1 << 20) - 1] != (1 << 20) - 1 + rank || local[7] != 7 + rank || block[(24 << 20) - 1] != rank + 1) abort();
END
same "$(explore 2 large)" 'pass 1' 'big variables, arrays on the stack, big and many blocks'

# ---- Requests, tests, probes -------------------------------------------------------------------------------------

program waits <<'END'
MPI_Request r[9];
MPI_Status s;
int x[9] = {0}, which;
if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
for (int i = 1; rank == 0 && i < size; i++) MPI_Irecv(&x[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[i - 1]);
for (int i = 1; rank == 0 && i <= size; i++) {
  MPI_Waitany(size - 1, r, &which, &s);
  if (i == size ? which != MPI_UNDEFINED : x[which + 1] != which + 1 || s.MPI_SOURCE != which + 1) abort();
}
END
same "$(explore 4 waits)" 'pass 6' 'three requests that end in every order'

program polls <<'END'
MPI_Request r;
int flag = 0;
if (rank) MPI_Ssend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
if (rank == 0) MPI_Irecv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
while (rank == 0 && !flag) MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
if (rank == 0 && v != 1) abort();
END
same "$(explore 2 polls)" 'pass 2' 'a test that may come too early'

program probes <<'END'
MPI_Status s;
int count;
if (rank) MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
for (int i = 1; rank == 0 && i < size; i++) {
  MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
  MPI_Get_count(&s, MPI_INT, &count);
  MPI_Recv(&v, 1, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (count != 1 || v != s.MPI_SOURCE) abort();
}
END
same "$(explore 4 probes)" 'pass 6' 'what a probe finds'

program persists <<'END'
MPI_Request r;
if (rank == 0) MPI_Send_init(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
if (rank == 1) MPI_Recv_init(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
for (int i = 1; i < 4; i++) {
  if (rank == 0) v = i;
  MPI_Start(&r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  if (v != i) abort();
}
MPI_Request_free(&r);
MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
if (v != 1 - rank) abort();
END
same "$(explore 2 persists)" 'pass 1' 'persistent requests, and an exchange'

program left <<'END'
MPI_Request r;
if (rank == 0) MPI_Isend(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);
if (rank == 1) MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
same "$(explore 2 left)" 'fail 1 missing-wait' 'a request that nobody waits for'

# Rank 0 may get the message of 2 first, although that one is sent only after rank 2 has received.
program later <<'END'
for (int i = 0; rank == 0 && i < 2; i++)
  MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
if (rank == 2) MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
if (rank > 0) MPI_Send(&v, 1, MPI_INT, rank == 3 ? 2 : 0, 0, MPI_COMM_WORLD);
END
same "$(explore 4 later)" 'pass 2' 'a message that is sent late'

# ---- Exact numbers of executions ----------------------------------------------------------------------------------

program together <<'END'
int all[16], sum;
for (int i = 0; i < 5; i++) {
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &v, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Reduce(&v, &sum, 1, MPI_INT, MPI_SUM, i % size, MPI_COMM_WORLD);
}
END
same "$(explore 2 together)" 'pass 1' 'a deterministic program of two ranks'
same "$(explore 9 together)" 'pass 1' 'a deterministic program of nine ranks'

program long <<'END'
for (int i = 0; i < 2000; i++) {
  if (rank == i % 2) MPI_Send(&i, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  else MPI_Recv(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
END
same "$(explore 2 long)" 'pass 1' 'a deterministic program of many steps'
same "$(explore 2 long --depth 100 --executions 1)" 'incomplete 1' 'the same, cut off where the user says'

# Each worker gets its tasks one after the other; the last answer ends it. How often each of them answers first is counted
# by walking through all that can happen.
program master <<'END'
enum { TASKS = 4 };
MPI_Status s;
int given = 0, task;
if (rank == 0) {
  for (int i = 1; i < size; i++, given++) MPI_Send(&given, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
  for (int left = size - 1; left > 0;) {
    MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
    if (given < TASKS)
      MPI_Send(&given, 1, MPI_INT, s.MPI_SOURCE, 1, MPI_COMM_WORLD);
    else
      MPI_Send(&given, 1, MPI_INT, s.MPI_SOURCE, 2, MPI_COMM_WORLD);
    if (given++ >= TASKS) left--;
  }
} else {
  for (;;) {
    MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
    if (s.MPI_TAG == 2) break;
    MPI_Send(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
}
END
matchings() { # WORKERS TASKS: a worker that has a task answers; it gets the next one, if there is one left
  python3 - "$1" "$2" <<'END'
import sys
workers, tasks = map(int, sys.argv[1:])
def ways(busy, left):
    if not busy:
        return 1
    return sum(ways(busy if left else busy - {w}, max(left - 1, 0)) for w in busy)
print(ways(frozenset(range(workers)), tasks - workers))
END
}
for workers in 1 2 3; do
  same "$(explore $((workers + 1)) master --strategy dpor)" "pass $(matchings $workers 4)" "$workers workers in every order"
done

# Each call gives any of those that are done: as many ways as to put n things in order, some of them at the same time.
program some <<'END'
MPI_Request r[9];
int x[9], count, which[9];
if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
for (int i = 1; rank == 0 && i < size; i++) MPI_Irecv(&x[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[i - 1]);
for (int left = size - 1; rank == 0 && left > 0; left -= count)
  MPI_Waitsome(size - 1, r, &count, which, MPI_STATUSES_IGNORE);
END
weak_orders() { # THINGS
  python3 - "$1" <<'END'
import math, sys
def ways(n):
    return 1 if n == 0 else sum(math.comb(n, k) * ways(n - k) for k in range(1, n + 1))
print(ways(int(sys.argv[1])))
END
}
for things in 1 2 3 4; do
  same "$(explore $((things + 1)) some --strategy dpor)" "pass $(weak_orders $things)" "$things requests, some at the same time"
done
same "$(explore 4 some --strategy dfs)" "pass $(weak_orders 3)" 'the same by dfs'

# ---- Windows with one memory, or with a copy for others ---------------------------------------------------------------

window() { # NAME: a program with a window of four numbers, in which `what` is the model that it is told
  {
    printf 'int *memory, *what, flag;\nMPI_Win w;\n'
    printf 'MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w);\n'
    printf 'MPI_Win_get_attr(w, MPI_WIN_MODEL, &what, &flag);\n'
    printf 'if (!flag || (*what == MPI_WIN_SEPARATE) != (argc > 1)) abort();\n'
    cat
    printf 'MPI_Win_free(&w);\n'
  } | program "$1"
}

models() { # NAME UNIFIED SEPARATE TEXT
  same "$(explore 2 "$1")" "$2" "$4"
  same "$(explore 2 "$1" separate --windows separate)" "$3" "$4, with separate memory"
}

window apart <<'END'
MPI_Win_fence(0, w);
if (rank == 0) MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
if (rank == 1) memory[3] = 5;
MPI_Win_fence(0, w);
END
models apart 'pass 1' 'fail 1 memory-conflict' 'a store beside a put'

for sync in '' 'MPI_Win_sync(w);'; do
  separate='fail 1 memory-conflict'
  if [ -n "$sync" ]; then separate='pass 1'; fi
  window told <<END
if (rank == 0) {
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, w);
  MPI_Put(&v, 1, MPI_INT, 1, 0, 1, MPI_INT, w);
  MPI_Win_unlock(1, w);
  MPI_Send(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
} else {
  MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  $sync
  if (memory[0]) abort();
}
END
  models told 'pass 1' "$separate" "a put of which a message tells${sync:+, and the window is synchronised}"
  window stored <<END
if (rank == 1) {
  memory[2] = 7;
  $sync
  MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
} else {
  MPI_Recv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, w);
  MPI_Get(&v, 1, MPI_INT, 1, 2, 1, MPI_INT, w);
  MPI_Win_unlock(1, w);
  if (v != 7) abort();
}
END
  models stored 'pass 1' "$separate" "a store of which a message tells${sync:+, and the window is synchronised}"
done

window between <<'END'
MPI_Win_fence(0, w);
if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 1, 1, 1, MPI_INT, w);
MPI_Win_fence(0, w);
if (rank == 1) memory[1] += 4;
MPI_Win_fence(0, w);
if (rank == 0) MPI_Get(&v, 1, MPI_INT, 1, 1, 1, MPI_INT, w);
MPI_Win_fence(0, w);
if (rank == 0) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
  memory[0] = v;
  MPI_Win_unlock(0, w);
}
MPI_Barrier(MPI_COMM_WORLD);
if (rank == 1) {
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w);
  MPI_Get(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, w);
  MPI_Win_unlock(0, w);
  if (v != 4) abort();
}
END
models between 'pass 1' 'pass 1' 'fences and locks between'

# A receive that is cancelled has one outcome more than there are messages for it, also where those came before it.
program cancelled <<'END'
MPI_Request r;
MPI_Status s;
int flag, to = argc > 1 ? size - 1 : 0;
if (rank != to) MPI_Send(&rank, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
if (rank == to) {
  MPI_Irecv(&v, 1, MPI_INT, size == 2 ? 1 - to : MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);
  MPI_Cancel(&r);
  MPI_Wait(&r, &s);
  MPI_Test_cancelled(&s, &flag);
  for (int i = 0; i < size; i++)
    if (i != to && (flag || i != s.MPI_SOURCE)) MPI_Recv(&v, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
END
for ranks in 2 3 5; do
  same "$(explore $ranks cancelled)" "pass $ranks" "a receive that is cancelled, of $ranks ranks"
  same "$(explore $ranks cancelled last --strategy dfs)" "pass $ranks" "the same of the last of $ranks ranks, by dfs"
done

# ---- What ranks print, and how much fits ---------------------------------------------------------------------------

program prints <<'END'
printf("rank %d\n", rank);
if (rank == 1) {
  setvbuf(stdout, NULL, _IONBF, 0);
  printf("at once");
}
for (int i = 1; rank == 0 && i < size; i++) MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
if (rank == 0) printf("the last is %d\n", v);
if (v == 1) abort();
if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
END
same "$(explore 3 prints)" 'fail 2 message-race' 'a program that prints'
same "$(jq -rj '.tests[0].errors[0].steps[] | select(.printed) | .process + ": " + .printed + ";"' result.json | tr '\n' ' ' | sed 's/prints.c:[0-9]*/prints.c:LINE/g')" \
  'P1.1: rank 0 ;P1.2: rank 1 at onceMPI_Send to rank 0, tag 0, returns at once (prints.c:LINE) ;P1.3: rank 2 MPI_Send to rank 0, tag 0, returns at once (prints.c:LINE) ;P1.1: the last is 1 ;' \
  'what each rank has printed and sent, in order'
grep -q '^ *| the last is 1$' result.txt || problem 'what was printed is not in the text report'

program much <<'END'
static char big[30 << 20];
for (int i = 1; rank == 0 && i < size; i++) MPI_Send(big, sizeof big, MPI_CHAR, i, 0, MPI_COMM_WORLD);
if (rank) MPI_Recv(big, sizeof big, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
END
same "$(explore 3 much)" 'incomplete 1' 'more bytes under way than there is room for'

# Sends that nobody waits for, of more bytes than a rank hands over at a time.
program floods <<'END'
double row[512] = {0};
for (int i = 0; rank && i < 100; i++) {
  row[7] = i;
  MPI_Send(row, 512, MPI_DOUBLE, 0, rank, MPI_COMM_WORLD);
}
for (int from = 1; rank == 0 && from < size; from++)
  for (int i = 0; i < 100; i++) {
    MPI_Recv(row, 512, MPI_DOUBLE, from, from, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (row[7] != i) abort();
  }
END
same "$(explore 3 floods)" 'pass 1' 'many sends before the first receive'

refused() { # PATTERN WORD...
  local pattern=$1
  shift
  "$everyorder" "$@" >refused.txt 2>&1
  same $? 2 "$*"
  grep -q -- "$pattern" refused.txt || problem "$*: $(cat refused.txt)"
}
refused 'number of ranks' mpi ./any
refused 'from 1 to 512' mpi -n 0 ./any
refused 'from 1 to 512' mpi -n 1000 ./any
refused 'is not an MPI program' mpi -n 2 /bin/true
refused 'this is an MPI program' test ./any
refused 'another implementation of MPI: leave it out' mpicc any.c -lmpich -o any
all_well
