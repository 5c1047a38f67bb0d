#!/usr/bin/env bash
# Memory that was allocated before the exploration, by static containers, constructors or main: it is as it was then in each
# execution, states that differ in it are different states, and processes that share it are found. With the static
# library and the shared one.
# builds: release
# timeout: 120
# shellcheck source=tests/integration/tools.bash
# takes: 5
source "$EO_SRC/tests/integration/tools.bash"

archive=(-L. "-Wl,-rpath,$PWD" -learly "$EO_BUILD/libeveryorder.a" -lxxhash -ljansson -lhiredis -ldw -lelf -pthread -ldl -Wl,-z,now)
shared=(-L. "-Wl,-rpath,$PWD" -learly "-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder -Wl,-z,now)
echo '#include <vector>
std::vector<int> of_a_library{7, 8, 9};' >library.cc
g++ -shared -fPIC -g -o libearly.so library.cc || exit 1
echo '#include <stdlib.h>
int *loaded;
__attribute__((constructor)) static void prepare(void) { loaded = calloc(8, sizeof *loaded); loaded[1] = 7; }' >loaded.c
gcc -shared -fPIC -g -o libloaded.so loaded.c || exit 1
compile=(g++ -std=c++17 -g -O1 -w -D_FORTIFY_SOURCE=2 "-I$EO_SRC/include/everyorder" "$EO_SRC/tests/integration/outside_early.cc")
"${compile[@]}" -o with_archive "${archive[@]}" || exit 1
"${compile[@]}" -o with_library "${shared[@]}" || exit 1
"${compile[@]}" -DOWN_MAIN -o main_archive "${archive[@]}" || exit 1
"${compile[@]}" -DOWN_MAIN -o main_library "${shared[@]}" || exit 1

for program in with_archive with_library; do
  for test in $("./$program" list | sed -n 's/^\([a-z_]*\) .*/\1/p'); do
    kind=${test%%_*}
    status=1
    if [ "$kind" = ok ]; then status=0; fi
    for strategy in dfs dpor ses 'preempt --cache unlimited'; do
      # shellcheck disable=SC2086 # words
      run $status "./$program" --test "$test" --strategy $strategy --json report.json
      case $kind in
        assertion) says out 'assertion: seen (table[5] != 2 is false)' ;;
        sharing) grep -qE '^hidden sharing: (a block of [0-9]+ bytes that was allocated before the exploration|_?Z?L?7?numbers|memory on the stack below)' out ||
          problem "$program $test: $(head -n 1 out)" ;;
        misuse) says out 'is not an allocated block' ;;
      esac
    done
  done
done
run 0 ./main_archive
run 0 ./main_library

all_well
