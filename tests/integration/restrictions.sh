#!/usr/bin/env bash
# What a verdict leaves out, and says: assumptions by which a run is still complete, doubts by which it is not, executions that
# go on for ever, and failures that only a probe meets.
# builds: release
# takes: 5
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

compile "$EO_SRC/tests/integration/leaves_open.c" program -Wl,-z,now

# ---- Assumptions: complete, and named ------------------------------------------

run 0 ./program --test waits_a_while --strategy dfs
says out 'complete (every interleaving) '
run 0 ./program --test waits_a_while --strategy dfs --timeouts idle --json idle.json
says out 'complete (every interleaving, where timeouts fire only when nothing else can run)'
says out 'clean means: every interleaving, where timeouts fire only when nothing else can run'
same "$(member idle.json covered)" 'every interleaving, where timeouts fire only when nothing else can run' covered
run 0 ./program --test waits_a_while --strategy dfs --delivery causal
says out 'every interleaving, under --delivery causal'
run 0 ./program --test shares
says out 'assuming that no other process runs between two operations of a process that accesses shared memory or files'

# ---- Doubts: clean, but not complete -------------------------------------------

# Beside a sanitizer, what processes allocate is captured and watched as ever if our malloc is the program's; if the sanitizer's is, such
# memory is in doubt: for who compares states, and, with several processes, for who goes by events.
cat >allocates.cc <<'CODE'
#include <everyorder.h>
#include <new>
struct alignas(64) wide {
  char bytes[64];
};
EO_TEST(allocates) {
  delete new int;
  delete[] new (std::nothrow) int[3];
  delete new wide;
}
static void adds(void *argument) {
  eo_sleep(1);
  ++**static_cast<int **>(argument);
  eo_sleep(1);
}
EO_TEST(shares) {
  int *cell = new int(0);
  for (int i = 0; i < 2; i++) eo_spawn(adds, &cell, sizeof cell);
  for (int i = 0; i < 3; i++) eo_sleep(1);
}
CODE
archive=("$EO_BUILD/libeveryorder.a" -lxxhash -ljansson -lhiredis -ldw -lpthread -ldl)
allocates() { # PROGRAM FLAG...
  g++ -g -std=c++17 "-I$EO_SRC/include/everyorder" allocates.cc -o "$@" || exit 1
}
allocates plain "${archive[@]}"
allocates beside -fsanitize=address "${archive[@]}"
for program in plain beside; do
  for strategy in dpor ses; do
    run 0 setarch -R ./$program --test allocates --strategy $strategy
    run 1 setarch -R ./$program --test shares --strategy $strategy --tickets none
    says out 'hidden sharing: a block of 4 bytes that P1 allocated'
  done
done
allocates behind -fsanitize=address "-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder -Wl,-z,now
run 0 setarch -R ./behind --test allocates
run 3 setarch -R ./behind --test allocates --strategy ses --json allocates.json
says out 'memory of the program is not captured'
same "$(member allocates.json complete)" false 'complete, without a part of its memory'
for strategy in dpor reach; do
  run 3 setarch -R ./behind --test shares --strategy $strategy
  says out 'except orders of accesses to memory or files that processes may share'
done
run 0 setarch -R ./behind --test shares --strategy dfs
says out 'assuming that no other process runs between two operations'

# An allocator of the system that comes before ours (redis-server depends on this one).
for allocator in /usr/lib/*/libjemalloc.so.2; do
  if [ ! -f "$allocator" ]; then continue; fi
  allocates other "$allocator" "-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder -Wl,-z,now
  for strategy in dpor ses dfs; do
    run 3 ./other --test shares --strategy $strategy
    says out 'memory of the program is not captured'
  done
done

# What is announced behind a choice depends on its value: dpor decides by the first value which orders there are.
cat >told.c <<'CODE'
#include <everyorder.h>
enum { FIRST, SECOND };
static void broken(void *self, const eo_message *event) {
  (void)self;
  (void)event;
  eo_assert(0, "FIRST after SECOND");
}
static const eo_machine order = {
    .name = "order",
    .start = 0,
    EO_OBSERVES(FIRST, SECOND),
    EO_STATES({.name = "none", .on = EO_ON(EO_IGNORE(FIRST), EO_GOTO(SECOND, 1))},
              {.name = "second", .on = EO_ON(EO_DO(FIRST, broken), EO_IGNORE(SECOND))})};
static void seldom(void *argument) {
  (void)argument;
  if (eo_choose(50) == 31) eo_announce(FIRST, NULL, 0);
}
static void other(void *argument) {
  (void)argument;
  (void)eo_choose(1);
  eo_announce(SECOND, NULL, 0);
}
EO_TEST(told) {
  eo_specify(&order, NULL, 0);
  eo_spawn(seldom, NULL, 0);
  eo_spawn(other, NULL, 0);
}
/* The same behind each value: nothing is in doubt. */
static void always(void *argument) {
  (void)argument;
  (void)eo_choose(3);
  eo_announce(FIRST, NULL, 0);
}
static void later(void *self, const eo_message *event) {
  (void)self;
  (void)event;
}
static const eo_machine both = {
    .name = "both",
    .start = 0,
    EO_OBSERVES(FIRST, SECOND),
    EO_STATES({.name = "on", .on = EO_ON(EO_DO(FIRST, later), EO_DO(SECOND, later))})};
EO_TEST(alike) {
  eo_specify(&both, NULL, 0);
  eo_spawn(always, NULL, 0);
  eo_spawn(other, NULL, 0);
}
/* A receive that announces can come after another's announcement and after a send, which are in no order. */
static void starts(void *argument) {
  eo_message m;
  (void)argument;
  eo_receive(&m, EO_FOREVER);
  const eo_pid *pids = m.data;
  for (int i = 0; i < 3; i++) eo_send(pids[i], 2, NULL, 0);
}
static void answers(void *argument) {
  eo_message m;
  eo_receive(&m, EO_FOREVER);
  eo_send(*(const eo_pid *)argument, 3, NULL, 0);
}
static void announces(void *argument) {
  eo_message m;
  eo_receive(&m, EO_FOREVER);
  other(argument);
}
EO_TEST(after_two) {
  eo_message m;
  eo_pid self = eo_self();
  eo_specify(&both, NULL, 0);
  eo_pid first = eo_spawn(starts, NULL, 0);
  eo_pid pids[] = {eo_spawn(answers, &self, sizeof self), eo_spawn(announces, NULL, 0), self};
  eo_send(first, 4, pids, sizeof pids);
  eo_receive(&m, EO_FOREVER);
  eo_announce(FIRST, NULL, 0);
}
static const eo_machine never = {
    .name = "never", .start = 0, EO_OBSERVES(FIRST), EO_STATES({.name = "none", .on = EO_ON(EO_DO(FIRST, broken))})};
static void begin(void *argument) {
  (void)argument;
  (void)eo_choose(1);
  eo_specify(&never, NULL, 0);
}
EO_TEST(late) {
  eo_spawn(seldom, NULL, 0);
  eo_spawn(begin, NULL, 0);
}
CODE
compile told.c told
run 3 ./told --test told --strategy dpor
says out 'except orders of eo_announce after an eo_choose or a receive'
for strategy in auto dfs ses reach; do run 1 ./told --test told --strategy $strategy --tickets none; done
run 0 ./told --test alike --strategy dpor
says out '6 executions, complete'
run 3 ./told --test after_two --strategy dpor
says out '3 executions, every equivalence class of interleavings, except orders of eo_announce'
run 0 ./told --test after_two --strategy dpor --dpor source
says out '4 executions, complete'
# What is announced before a specification begins touches nothing: that it could come after it as well, no event tells.
for reduction in optimal source; do
  run 3 ./told --test late --strategy dpor --dpor $reduction
  says out 'except what processes do before an eo_specify that comes after the first eo_spawn'
done
for strategy in auto dfs ses; do run 1 ./told --test late --strategy $strategy --tickets none; done
# More memory than a process can have here.
cat >large.c <<'CODE'
#include <everyorder.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
EO_TEST(has_room) {
  size_t size = (size_t)20 << 20;
  char *block = malloc(size);
  eo_assert(block, "room");
  block[0] = block[size - 1] = 1;
  eo_flip();
  block = realloc(block, (size_t)1 << 20);
  void *aligned = aligned_alloc((size_t)1 << 16, (size_t)3 << 20);
  eo_assert(aligned && (uintptr_t)aligned % (1 << 16) == 0, "aligned");
  free(aligned);
  free(block);
}
EO_TEST(is_refused) {
  free(malloc((size_t)256 << 20));
  eo_flip();
}
EO_TEST(crashes_then) { memset(malloc((size_t)256 << 20), 1, 10); }
EO_TEST(nobody_has_so_much) {
  volatile size_t size = SIZE_MAX - 100;
  eo_assert(!malloc(size), "nothing");
  eo_flip();
}
CODE
compile large.c large -O0
run 0 ./large --test has_room
run 0 ./large --test nobody_has_so_much
run 3 ./large --test is_refused
says out 'malloc returned NULL to a process that asked for more than the 55 MiB available here'
run 1 ./large --test crashes_then --tickets none
says out 'malloc had given it NULL for 268435456 bytes'
run 3 valgrind -q --tool=none ./program --test waits_a_while # no setarch is needed
says out "without watching the program's system calls"
for strategy in 'dfs' 'dpor' 'preempt' 'ses' 'reach' 'ss --samples 5' 'random --executions 300' 'ses+ss --cache-mb 1'; do
  # shellcheck disable=SC2086 # several words
  run 3 ./program --test asks_for_ever --depth 60 --json cut.json --strategy $strategy
  same "$(member cut.json verdict)" incomplete "$strategy: verdict"
  if [ "$(member cut.json cut)" = 0 ] && [[ $strategy != random* ]]; then problem "$strategy: nothing was cut off"; fi
done
run 3 ./program --test asks_for_ever --strategy preempt
says out 'no failure within 10,000 steps of the executions that were run; 9 of them were cut off there'
says out 'cut off: P1.1 timed out 9,999 times while P1 could run: --timeouts idle lets timeouts fire only when'
run 0 ./program --test asks_for_ever --timeouts idle
run 3 ./program --test never_ends --depth 100 --strategy dpor
says out 'cut off: P1 and P1.1 took 100 steps in a row'
silent out '--strategy ses' # of so few steps nobody knows that they go on for ever
says out ': a larger --depth lets it end, unless it goes on for ever'
run 3 ./program --test waits_a_while --depth 3
says out ': a larger --depth lets it end, unless it goes on for ever'
run 0 ./program --test never_ends --strategy ses # it knows the states it has seen
run 0 ./program --test never_ends
says out 'steps in a row; if something must happen, specify it: eo_specify'
silent out ': --strategy ses'
run 1 ./program --test asks_for_ever --strategy preempt --depth-fails --no-minimise
says out '9,998 times in all, up to step 10,000'
says out 'depth: the execution has more than 10000 steps (--depth)'

# ---- Failures beside -----------------------------------------------------------

run 1 ./program --test fails_by_choice --executions 1 --json beside.json
says out 'met:       by a random probe'
says out 'FAIL'
same "$(member beside.json verdict)" fail 'of a failure that a probe met'
same "$(member beside.json kind finding)" assertion kind
same "$(member beside.json executions)" 1 executions
run 1 "$everyorder" replay "$(member beside.json ticket finding)"
run 1 ./program --test fails_by_choice # found by itself, it is told once
silent out 'by a random probe'
run 1 ./program estimate --test fails_by_choice --json estimate.json
says out 'of the probes failed: assertion: '
run 0 ./program estimate --test waits_a_while
silent out 'failed'

# ---- No limit, and words that fit the strategy ---------------------------------

for strategy in random pct pctcp tapct pos surw irs ss 'random --jobs 2'; do
  # shellcheck disable=SC2086 # several words
  run 3 ./program --test waits_a_while --strategy $strategy --executions 0 --time 1s --json unlimited.json
  [ "$(member unlimited.json executions)" -gt 10000 ] || problem "$strategy: --executions 0 ends before its time"
  same "$(member unlimited.json stopped)" 'after 1 s' "$strategy: stopped"
done
run 3 ./program --test waits_a_while --strategy random --json limited.json # not given, it is 10,000
same "$(member limited.json executions)" 10000 'executions that are drawn if nobody says how many'
run 3 ./program --test waits_a_while --strategy random --time 1s --executions 0 --resume state
run 2 ./program --test waits_a_while --strategy random --resume state # another number of executions
says err 'executions'
run 2 ./program estimate --test waits_a_while --strategy ses
silent err '--executions'
says err 'stops at visited states'
run 2 ./program estimate --test waits_a_while --strategy reach
says err '--strategy dpor'
run 0 "$everyorder" strategies
grep -A2 '^  ses ' out >ses.out
says ses.out '--resume and --cluster need --cache off'

# ---- A search counts states, and steps that fail -------------------------------

cat >failing.pml <<'PML'
bit x;
active [2] proctype p() {
  do
  :: x = 1 - x
  :: assert(false)
  :: assert(x > 1)
  od
}
PML
run 1 "$everyorder" model failing.pml --keep-going --json failing.json --junit failing.xml --tap failing.tap --tickets none
[ "$(member failing.json failures)" -gt "$(member failing.json states)" ] || problem 'the model is too tame for this test'
silent out 'of which fail'
says out "$(member failing.json states) states, $(member failing.json failures) failing steps"
says failing.xml "$(member failing.json states) states by strategy full"
says failing.tap "states: $(member failing.json states)"

all_well
