#!/usr/bin/env bash
# What lies among the program's variables and is none of them: copies of a system library's variables (std::cout, stdout, environ)
# and the counters of coverage and profiling. Every process may use them, states do not differ by counters, and the
# variables in the same page are watched all the same.
# builds: release
# takes: 7
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

archive=("$EO_BUILD/libeveryorder.a" -lxxhash -ljansson -lhiredis -ldw -lelf -pthread -ldl -Wl,-z,now)
shared=("-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder -Wl,-z,now)

# ---- Copies ---------------------------------------------------------------------

cat >prints.cc <<'CODE'
#include <everyorder.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <unistd.h>

static int mine;          /* in the page of the copies */
extern int of_a_library;  /* a copy as well, but of a library that is the program's own */

static void tells(void *) {
  eo_sleep(1);
  std::cout << "a number: " << 5 << std::endl;
  fprintf(stdout, "%s\n", environ[0] ? "with" : "without");
}
static void warns(void *) {
  eo_sleep(1);
  std::cerr << "a warning: " << 5.5 << std::endl;
  fprintf(stderr, "%s\n", "again");
}
EO_TEST(prints) {
  eo_spawn(tells, nullptr, 0);
  eo_spawn(warns, nullptr, 0);
  tells(nullptr);
}
static void counts(void *) {
  eo_sleep(1);
  std::cout << "counts" << std::endl;
  mine++;
}
EO_TEST(shares_a_variable) {
  eo_spawn(counts, nullptr, 0);
  counts(nullptr);
}
static void reads(void *) {
  eo_sleep(1);
  std::cout << "reads" << std::endl;
  if (mine == 2) std::abort();
}
EO_TEST(shares_by_reading) {
  eo_spawn(reads, nullptr, 0);
  eo_sleep(1);
  std::cout << "writes" << std::endl;
  mine = 1;
}
static void uses_library(void *) {
  eo_sleep(1);
  of_a_library++;
}
EO_TEST(shares_of_a_library) {
  eo_spawn(uses_library, nullptr, 0);
  uses_library(nullptr);
}
CODE
echo 'int of_a_library = 3;' >own.c
gcc -g -shared -fPIC -o libown.so own.c || exit 1

for way in '-no-pie -fno-pie' '-pie -fPIE'; do
  for library in archive shared; do
    declare -n link=$library
    # shellcheck disable=SC2086 # words
    g++ -g -w $way "-I$EO_SRC/include/everyorder" prints.cc -o prints -L. -Wl,-rpath,"$PWD" -lown "${link[@]}" || exit 1
    readelf -rW prints >relocations
    grep -q 'COPY.*_ZSt4cout' relocations || problem "$way $library: nothing is copied, so that nothing is tested"
    grep -q 'COPY.*of_a_library' relocations || problem "$way $library: the library's variable is not copied"
    for strategy in dfs dpor; do
      run 0 ./prints --test prints --strategy $strategy --tickets none
      says out 'complete'
    done
    for test in shares_a_variable shares_by_reading; do
      run 1 ./prints --test $test --strategy dpor --tickets none
      grep -Eq '^hidden sharing: mine: ' out || problem "$test, $way $library"
    done
    run 1 ./prints --test shares_of_a_library --strategy dfs --tickets none
    says out 'hidden sharing: of_a_library'
  done
done

# With the C++ library inside the program, its variables are still the library's.
# shellcheck disable=SC2154 # link is a name of archive or shared
for library in archive shared; do
  declare -n link=$library
  g++ -g -w -static-libstdc++ "-I$EO_SRC/include/everyorder" prints.cc -o prints -L. -Wl,-rpath,"$PWD" -lown "${link[@]}" || exit 1
  for strategy in dfs dpor; do run 0 ./prints --test prints --strategy $strategy --tickets none; done
  run 1 ./prints --test shares_a_variable --strategy dpor --tickets none
  says out 'hidden sharing: mine: '
done

# ---- Counters -------------------------------------------------------------------

cat >counted.c <<'CODE'
#include <everyorder.h>

static int table[4];

static int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (i % 3) sum += i;
  return sum;
}
static void works(void *argument) {
  (void)argument;
  for (int i = 0; i < 2; i++) {
    eo_sleep(1);
    work((int)eo_choose(3));
  }
}
EO_TEST(works_alone) {
  for (int i = 0; i < 2; i++) eo_spawn(works, NULL, 0);
}
static void adds(void *argument) {
  (void)argument;
  eo_sleep(1);
  table[work(2)]++;
}
EO_TEST(shares) {
  eo_spawn(adds, NULL, 0);
  adds(NULL);
}
EO_TEST(is_put_back) {
  eo_assert(table[2] == 0, "as at the start");
  table[2] = 1 + (int)eo_choose(2);
  eo_sleep(1);
}
CODE
counted() { # COMPILER...: into the file counts, how much is explored
  "$@" -g "-I$EO_SRC/include/everyorder" counted.c -o counted "${link[@]}" || exit 1
  : >counts
  for strategy in dpor ses 'preempt --cache unlimited'; do
    for test in works_alone is_put_back; do
      # shellcheck disable=SC2086 # words
      run 0 ./counted --test $test --strategy $strategy --tickets none --json report.json
      says out 'complete'
      echo "$strategy $test $(member report.json executions) $(member report.json states)" >>counts
    done
  done
  run 1 ./counted --test shares --strategy dfs --tickets none
  says out 'hidden sharing: table: '
}
for library in archive shared; do
  declare -n link=$library
  for instrumented in 'gcc --coverage' 'clang -fprofile-instr-generate'; do
    counted "${instrumented%% *}"
    mv counts plain
    # shellcheck disable=SC2086 # words
    counted $instrumented
    diff plain counts || problem "$library, $instrumented: another count than without"
  done
done
all_well
