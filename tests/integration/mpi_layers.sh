#!/usr/bin/env bash
# Layers between an MPI program and MPI (the profiling interface), and programs in C++.
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

PATH=$EO_BUILD:$PATH

explore() { # RANKS PROGRAM ARGUMENT...: verdict, executions, class and place of the first finding
  local ranks=$1
  shift
  everyorder mpi -n "$ranks" "$@" --quiet --json result.json >result.txt 2>&1
  jq -r '.tests[0] | "\(.verdict) \(.executions)" + (.errors[:1] | map(" \(.class) \(.file):\(.line)") | join(""))' result.json
}

cat >main.c <<'END'
#include <mpi.h>
#include <stdlib.h>
extern int sends, bytes;
int main(int argc, char **argv) {
  int rank, v = 7, w = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&v, 1, MPI_INT, argc > 1 ? 9 : 1, 0, MPI_COMM_WORLD);
    MPI_Send(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (sends != 2 || bytes != 8) abort();
  } else {
    for (int i = 0; i < 2; i++) MPI_Recv(&w, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (sends != 0 || w != 7) abort();
  }
  MPI_Finalize();
}
END
cat >layer.c <<'END'
#include <mpi.h>
int sends, bytes;
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  int size;
  PMPI_Type_size(type, &size);
  sends++;
  bytes += count * size;
  return PMPI_Send(buffer, count, type, to, tag, comm);
}
int
MPI_Finalize(void) {
  return PMPI_Finalize();
}
int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file) {
  return PMPI_File_open(comm, name, mode, info, file);
}
END
{ everyorder mpicc -Wall -Wextra -Werror -c main.c && everyorder mpicc -Wall -Wextra -Werror -c layer.c &&
  everyorder mpicc main.o layer.o -o profiled; } || problem 'a layer does not compile'
same "$(explore 2 ./profiled)" 'pass 1' 'a layer that counts'
same "$(explore 2 ./profiled wrong)" 'fail 1 invalid-rank main.c:9' 'the line of the program, not of the layer'

# In one file with the program, or in one whose functions come from its macros.
cat layer.c <(grep -v '^#include\|^extern' main.c) >one.c
sed -i '1i #include <stdlib.h>' one.c
everyorder mpicc one.c -o one || problem 'a layer in the same file does not compile'
same "$(explore 2 ./one)" 'pass 1' 'a layer in the same file'
same "$(explore 2 ./one wrong)" 'fail 1 invalid-rank one.c:9' 'the line of the layer that calls the function'

cat >macros.c <<'END'
#define EO_MPI_PLAIN
#include <mpi.h>
int sends, bytes;
#define LAYER(name, parameters, arguments) \
  int MPI_##name parameters { return sends++, bytes += 4, PMPI_##name arguments; }
LAYER(Send, (const void *b, int n, MPI_Datatype d, int to, int tag, MPI_Comm c), (b, n, d, to, tag, c))
END
everyorder mpicc main.c macros.c -o plain || problem 'a layer of macros does not compile'
same "$(explore 2 ./plain)" 'pass 1' 'a layer of macros'

# Every function has its second name, which leads to the same one.
grep -oE '^(int|double|MPI_Aint) MPI_[A-Z]\w+' "$EO_SRC/include/everyorder/mpi/mpi.h" | sed 's/.* //' | sort >names
{
  printf '#include <mpi.h>\nint main(void) {\n'
  sed 's/.*/if (!P& || !&) return 1;/' names
  printf 'return 0;\n}\n'
} >all.c
everyorder mpicc -w all.c -o all || problem 'not every function has its second name'
[ "$(wc -l <names)" -gt 200 ] || problem 'the functions of mpi.h were not found'

cat >plus.cc <<'END'
#include <mpi.h>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
static std::map<std::string, int> own;
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, got;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> given(3, rank), sum(3);
  MPI_Allreduce(given.data(), sum.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  own["x"] += rank;
  try {
    if (own["x"] != rank || sum[2] != 3) throw std::runtime_error("shared");
    throw 1;
  } catch (int) {
  }
  std::cout << "rank " << rank << std::endl;
  if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; i++)
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
END
everyorder mpicxx -Wall -Wextra plus.cc -o plus || problem 'a program in C++ does not compile'
same "$(explore 3 ./plus)" 'pass 2' 'a program in C++'
all_well
