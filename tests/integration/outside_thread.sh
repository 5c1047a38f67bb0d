#!/usr/bin/env bash
# Thread-local variables, of the program, of a library it is linked with and of one it loads, and what C++ keeps for each
# thread: each process has its own, in each execution as in a new thread, and states that differ in them are different
# states. Where another process may know the address of one, the run is incomplete. With the static library and the shared one.
# builds: release
# timeout: 120
# shellcheck source=tests/integration/tools.bash
source "$EO_SRC/tests/integration/tools.bash"

cat >library.c <<'CODE'
__thread int of_library = 5;
CODE
cat >loaded.c <<'CODE'
static __thread int value = 3;
int *of_loaded(void) { return &value; }
CODE
cat >loads.c <<'CODE'
#include <dlfcn.h>
static int *(*loaded)(void);
__attribute__((constructor)) static void load(void) {
  void *library = dlopen("./loaded.so", RTLD_NOW);
  if (library) loaded = (int *(*)(void))dlsym(library, "of_loaded");
}
int *of_loaded_library(void) { return loaded(); }
CODE
gcc -g -shared -fPIC library.c -o library.so && gcc -g -shared -fPIC loaded.c -o loaded.so || exit 1

archive=("$EO_BUILD/libeveryorder.a" -lxxhash -ljansson -lhiredis -ldw -lelf -pthread -ldl -Wl,-z,now)
shared=("-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder -ldl -Wl,-z,now)
tests=$EO_SRC/tests/integration
own=(./library.so "-Wl,-rpath,$PWD")
flags=(-g -O1 -Wall "-I$EO_SRC/include/everyorder")
gcc -std=gnu17 "${flags[@]}" "$tests/outside_thread.c" loads.c -o c_archive "${own[@]}" "${archive[@]}" || exit 1
gcc -std=gnu17 "${flags[@]}" "$tests/outside_thread.c" loads.c -o c_shared "${own[@]}" "${shared[@]}" || exit 1
g++ -std=c++17 "${flags[@]}" "$tests/outside_thread_cpp.cc" -o cpp_archive "${archive[@]}" || exit 1
g++ -std=c++17 "${flags[@]}" "$tests/outside_thread_cpp.cc" -o cpp_shared "${shared[@]}" || exit 1

for program in c_archive c_shared cpp_archive cpp_shared; do
  for test in $("./$program" list | sed -n 's/^\([a-z_]*\) .*/\1/p'); do
    case $test in
      ok_*) status=0 ;;
      part_*) status=3 ;; # a doubt
      *) status=1 ;;
    esac
    run $status "./$program" --test "$test" --strategy dfs
    run $status "./$program" --test "$test" --strategy dpor
    run $status "./$program" --test "$test" --strategy ses
    run $status "./$program" --test "$test" --strategy preempt --cache unlimited
    if [ $status = 3 ]; then says out 'memory or files that processes may share'; fi
    if [ $status = 1 ]; then grep -q 'seen' out || problem "$program $test: $(head -n 1 out)"; fi
  done
done

# An address that a global holds before anything is explored.
cat >early.c <<'CODE'
#include <everyorder.h>
static __thread int count;
static int *at;
__attribute__((constructor)) static void early(void) { at = &count; }
static void looks(void *argument) {
  (void)argument;
  eo_assert(*at == 0, "in the program itself this fails");
}
EO_TEST(known_early) {
  *at = 1;
  eo_spawn(looks, NULL, 0);
}
CODE
compile early.c early
run 3 ./early --strategy dfs
says out 'memory or files that processes may share'

all_well
