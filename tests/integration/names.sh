#!/usr/bin/env bash
# A program may define any name that C leaves to it, whatever the tool, the C library and the libraries below the tool call
# their own: the same program with and without hundreds of such definitions prints the same, finds the same failure,
# replays it, and joins a cluster.
# timeout: 600
# takes: 5
set -uo pipefail
# shellcheck source=tests/integration/cluster_tools.bash
. "$EO_SRC/tests/integration/cluster_tools.bash"
export LC_ALL=C

inside=$EO_BUILD/libeveryorder_inside.a
sealed=$EO_BUILD/libeveryorder.a
shared=$EO_BUILD/libeveryorder.so
headers=("$EO_SRC"/include/everyorder/*.h)

# ---- The static library -------------------------------------------------------

# Global are the names that the headers declare, and weak the functions that we stand in for, which the shared library
# exports too.
nm -g --defined-only "$sealed" 2>/dev/null | awk 'NF == 3 && $2 != "W" { print $3 }' | sort >global
"$EO_SRC/scripts/export-map" "${headers[@]}" | sed -nE 's/^ *(eo_[a-z0-9_]+);/\1/p' | sort >declared
diff declared global >diff.txt || problem "global names of the static library: $(cat diff.txt)"
nm -g --defined-only "$sealed" 2>/dev/null | awk 'NF == 3 && $2 == "W" { print $3 }' | sort >weak
nm -D --defined-only "$shared" | awk '{ print $3 }' | grep -vE '^(eo_|__st(art|op)_eo_(own|threads|allocates|passes_on))' | sort >exported
diff exported weak >diff.txt || problem "weak names of the static library: $(cat diff.txt)"
grep -qx malloc weak || problem 'malloc is not weak'

# It refers to reserved names, to those of the libraries it stands on, and to no other of the C library's.
nm -D --defined-only "$(gcc -print-file-name=libc.so.6)" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >libc
nm -u "$sealed" 2>/dev/null | awk 'NF == 2 { print $2 }' | grep -v '^_' | sort | comm -12 - libc >direct
[ ! -s direct ] || problem "refers to $(tr '\n' ' ' <direct)"

# GNU ld takes a thread-local variable by the name of a function only if nobody but the C library defines that name.
comm -23 libc weak >may_be_local

# By its name one sees whether a function is public: eo_ are those that the headers declare, eo__ all others of ours.
nm -g --defined-only "$inside" 2>/dev/null | awk 'NF == 3 { print $3 }' | grep '^eo_[a-z]' | sort | comm -23 - declared >misnamed
[ ! -s misnamed ] || problem "internal, but spelled as public: $(tr '\n' ' ' <misnamed)"

# ---- Names --------------------------------------------------------------------

identifiers() { # those that a C program can define
  grep -xE '[A-Za-z][A-Za-z0-9_]*' |
    grep -vxE 'eo_.*|main|asm|auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|typeof|union|unsigned|void|volatile|while|bool|true|false|linux|unix'
}

# What our library calls, what we stand in for, what is static in it, and what the libraries that it stands on call and
# define. Not the functions for which compilers make calls, nor an allocator: see below.
libraries=$(ldd "$shared" | awk '$3 ~ /^\// && $1 !~ /^libc\./ { print $3 }')
reserved='mem(cpy|set|move|cmp)|malloc|calloc|realloc|free|aligned_alloc|memalign|posix_memalign|_.*|.*_t'
nm "$inside" 2>/dev/null | awk 'NF > 1 { print $NF }' | sort -u >of_ours
# shellcheck disable=SC2086 # several
{ nm -D $libraries | awk 'NF > 1 { sub(/@.*/, "", $NF); print $NF }'; } | sort -u >of_theirs
cat of_ours of_theirs | identifiers | grep -vxE "$reserved" | sort -u >names
count=$(wc -l <names)
echo "$count names"
[ "$count" -gt 1500 ] || problem "only $count names"
for name in send write poll read open close mmap fork json_array dwfl_begin inflate exit strdup; do
  grep -qx $name names || problem "$name is not among the names"
done

# Each of the kinds of definition in turn: NAMES on standard input.
definitions() {
  awk -v local=" $(tr '\n' ' ' <may_be_local) " '{
    kind = NR % 7
    if (kind == 0) print "int " $1 ";"
    if (kind == 1) print "long " $1 " = -1;"
    if (kind == 2) print "char " $1 "[3] = \"x\";"
    if (kind == 3) print "void " $1 "(void) { __builtin_trap(); }"
    if (kind == 4) print "struct { float a; } " $1 " = {1};"
    if (kind == 5) print (index(local, " " $1 " ") ? "__thread " : "") "int " $1 " = 7;"
    if (kind == 6) print "int (*" $1 ")(void);"
  }'
}

cat >program.c <<'PROGRAM'
#include <everyorder.h>

typedef struct sum { int a, b; } sum;

static void add(void *argument) {
  eo_pid to = *(eo_pid *)argument;
  sum both = {1, 2};
  eo_send(to, 1, &both, sizeof both);
}

EO_TEST(adds) {
  eo_pid self = eo_self();
  eo_message message;
  for (int i = 0; i < 3; i++) eo_spawn(add, &self, sizeof self);
  for (int i = 0; i < 3; i++) eo_receive(&message, EO_FOREVER);
}

EO_TEST(impatient) {
  eo_pid self = eo_self();
  eo_message message;
  eo_spawn(add, &self, sizeof self);
  bool came = eo_receive(&message, 10);
  eo_assert(came, "nothing came in %d ms", 10);
}

EO_TEST(crashes) {
  volatile int *nowhere = NULL;
  if (eo_flip()) *nowhere = 1;
}
PROGRAM

# ---- Running ------------------------------------------------------------------

needed=(-lxxhash -ljansson -lhiredis -ldw -lelf -pthread -ldl)
link() { # COMPILER HOW PROGRAM FLAG...
  local compiler=$1 how=$2 program=$3
  shift 3
  local with=("$sealed" "${needed[@]}")
  if [ "$how" = shared ]; then with=("-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder); fi
  "$compiler" -g -w -fno-builtin "-I$EO_SRC/include/everyorder" -o "$program" "$@" "${with[@]}" -Wl,-z,now 2>link.log ||
    problem "does not link: $(head -n 5 link.log)"
}

# How many of the steps were skipped depends on how often a slow machine ends a slice, after which some are run again. All of
# them together do not.
add_steps() {
  perl -pe 's/([\d,]+) steps run and ([\d,]+) skipped/my ($x, $y) = ($1, $2); tr{,}{}d for $x, $y;
    ($x + $y) . " steps run or skipped"/e'
}
output() { # PROGRAM: what it and its replay print, without times
  local ticket
  rm -rf everyorder-tickets
  {
    "$1" --json report.json
    echo "exit $?"
    for ticket in everyorder-tickets/*.ticket; do
      "$everyorder" replay "$ticket"
      echo "exit $?"
    done
    sed -nE '/"(kind|message|line|file|executions|does)"/p' report.json
  } 2>&1 </dev/null | sed -E 's/[0-9.]+ s$/TIME/; s/in [0-9.]+ s/in TIME/' | add_steps
}

check() { # COMPILER HOW FLAG...: with the definitions in clashes.c
  local compiler=$1 how=$2
  shift 2
  rm -f subject
  link "$compiler" "$how" ./subject "$@" program.c clashes.c -x none
  output ./subject >got.txt
  diff expected.txt got.txt >diff.txt || problem "$compiler $how $*: $(head -n 20 diff.txt)"
}

expect() { # COMPILER FLAG...: what the program prints without clashes
  local compiler=$1
  shift
  link "$compiler" static ./subject "$@" program.c -x none
  output ./subject >expected.txt
}

expect gcc
for text in 'ok    adds' 'FAIL  impatient' 'program.c:28' 'SIGSEGV' 'reproduced'; do says expected.txt "$text"; done

definitions <names >clashes.c
check gcc static
check gcc shared
check gcc static -rdynamic
check gcc shared -rdynamic
check gcc static -no-pie -fno-pie -O2
check gcc shared -no-pie -fno-pie -O2 -rdynamic
check gcc static -fvisibility=hidden -Wl,-z,lazy
if command -v clang >/dev/null; then
  check clang static -rdynamic
  check clang shared -rdynamic
fi

# Tentative definitions, which the linker overrides by a library's variable, but not by a function.
nm -D --defined-only "$(gcc -print-file-name=libc.so.6)" |
  awk '$2 ~ /[TWi]/ { sub(/@.*/, "", $3); print $3 }' | sort -u | comm -12 - names | sed 's/.*/int &;/' >clashes.c
check gcc static -fcommon
check gcc shared -fcommon -rdynamic

# In C++, but for names that the C++ library itself calls: a program without us could not have those either.
nm -D "$(g++ -print-file-name=libstdc++.so.6)" | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u >of_cpp
comm -23 names of_cpp | grep -vxE 'catch|class|delete|explicit|export|friend|mutable|namespace|new|operator|private|protected|public|template|this|throw|try|typeid|typename|using|virtual|and|or|not|xor' >names.cpp
definitions <names.cpp | sed 's/^struct { float a; }/int/' >clashes.c
for compiler in g++ clang++; do
  if command -v $compiler >/dev/null; then
    expect $compiler -x c++
    check $compiler static -x c++ -rdynamic
    check $compiler shared -x c++ -rdynamic
  fi
done

# Definitions in a shared library of the program's own.
definitions <names | sed 's/^__thread //' >library.c
gcc -w -fno-builtin -fPIC -shared library.c -o libprogram.so || problem 'libprogram.so does not compile'
echo >clashes.c
expect gcc
for how in static shared; do
  check gcc $how -L. "-Wl,-rpath,$scratch" -Wl,--no-as-needed -lprogram
done

# ---- A program's own allocator and main ---------------------------------------

cat >allocator.c <<'PROGRAM'
#include <everyorder.h>
#include <stdlib.h>
#include <string.h>

static char pool[1 << 16];
static size_t used, calls;
EO_SHARED(pool);
EO_SHARED(used);
EO_SHARED(calls);

void *malloc(size_t size) {
  size_t *block = (size_t *)(pool + used);
  if (size > sizeof pool - used - 32) return NULL;
  calls++;
  used += (size + 31) & ~(size_t)15;
  block[0] = size;
  return block + 2;
}
void free(void *block) {
  if (block && ((char *)block < pool || (char *)block >= pool + sizeof pool)) __builtin_trap();
}
void *calloc(size_t count, size_t size) {
  void *block = malloc(count * size);
  return block ? memset(block, 0, count * size) : NULL;
}
void *realloc(void *block, size_t size) {
  void *moved = malloc(size);
  if (block && moved) memcpy(moved, block, size < ((size_t *)block)[-2] ? size : ((size_t *)block)[-2]);
  return moved;
}

static void child(void *argument) {
  char *text = strdup("hello");
  eo_send(*(eo_pid *)argument, 1, text, 6);
  free(text);
}
EO_TEST(allocates) {
  eo_pid self = eo_self();
  eo_message message;
  free(malloc(100));
  for (int i = 0; i < 2; i++) eo_spawn(child, &self, sizeof self);
  for (int i = 0; i < 2; i++) eo_receive(&message, EO_FOREVER);
  eo_assert(calls == 3, "%d calls", (int)calls);
}
EO_TEST(fails) {
  char *text = strdup("abc");
  eo_assert(!eo_flip(), "%s, used %d", text, (int)used);
}
PROGRAM
for how in static shared; do
  link gcc $how ./allocator allocator.c
  run 1 ./allocator --strategy preempt --bound 1 --keep-going
  says out 'assertion: abc, used 32 (!eo_flip() is false)'
  says out 'at allocator.c:'
  silent out 'ERROR'
  silent out 'FAIL  allocates'
done

cat >own_main.c <<'PROGRAM'
#include <everyorder.h>
#include <stdio.h>
static void body(void *argument) {
  (void)argument;
  eo_flip();
}
int write, send;
int main(void) {
  eo_result result;
  if (eo_explore(body, NULL, NULL, &result) != 0) return 1;
  printf("%d executions, %s\n", (int)result.executions, result.complete ? "complete" : "not complete");
  return eo_live_run(body, NULL);
}
PROGRAM
for how in static shared; do
  link gcc $how ./own_main own_main.c
  run 0 ./own_main
  says out '2 executions, complete'
done

# Ours stands in for the C library's function, and not for one by the same name in a library of the program's.
sed 's/return eo_live_run(body, NULL);/exit(eo_live_run(body, NULL));/; s/#include <stdio.h>/&\n#include <stdlib.h>/' own_main.c >exits.c
echo 'int exit, _exit, quick_exit;' >exit_library.c
gcc -w -fno-builtin -fPIC -shared exit_library.c -o libexit.so || problem 'libexit.so does not compile'
link gcc static ./exits exits.c -L. "-Wl,-rpath,$scratch" -Wl,--no-as-needed -lexit
run 0 ./exits

# ---- A cluster ----------------------------------------------------------------

if command -v redis-server >/dev/null; then
  definitions <names >clashes.c
  # shellcheck disable=SC2034 # for start_workers
  program=./subject
  start_redis
  for how in static shared; do
    link gcc $how ./subject program.c clashes.c -rdynamic
    start_workers 1 "redis://127.0.0.1:$port/$how"
    "$everyorder" test ./subject --strategy dfs --test adds --cluster "redis://127.0.0.1:$port/$how" --tickets none --json cluster.json >out 2>&1 </dev/null ||
      problem "$how: the cluster fails"
    stop_workers
    same "$(member cluster.json executions)" 17592 "$how: executions of the cluster"
  done
fi
all_well
