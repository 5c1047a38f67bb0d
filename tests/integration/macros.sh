#!/usr/bin/env bash
# Every macro of the public headers, used as one would write it in C and in C++, with commas inside braces and template
# arguments and with macros inside macros: compiles without a warning in every dialect, and does what it says.
# timeout: 600
# takes: 3
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

# ---- The headers --------------------------------------------------------------

header=$EO_SRC/include/everyorder/everyorder.h
includes=$(cat "$EO_SRC"/include/everyorder/*.h | sed -nE 's/^ *# *include +//p' | grep -vx '"everyorder.h"' | sort -u | tr '\n' ' ')
same "$includes" '<stdbool.h> <stddef.h> <stdint.h> ' 'what the headers include'

# All that they define begins with eo_ or EO_: macros, and what a compiler says there is.
for language in c c++; do
  printf '#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n' >before.h
  { cat before.h; printf '#include "everyorder.h"\n#include "explorer.h"\n'; } >after.h
  for file in before after; do
    gcc -x $language -E -dM "-I$EO_SRC/include/everyorder" $file.h | awk '{ sub(/\(.*/, "", $2); print $2 }' | sort >$file.macros
  done
  comm -13 before.macros after.macros | grep -vE '^(EO_|eo_|EVERYORDER_)' >other && problem "$language: macros $(tr '\n' ' ' <other)"
done
gcc -E "-I$EO_SRC/include/everyorder" after.h |
  awk '/^# [0-9]+ "/ { ours = $3 ~ /\/(everyorder|explorer)\.h"/; next } ours && /^[a-z}]/' |
  sed -nE 's/\{.*//; s/^[a-z}].*[ *]([A-Za-z_0-9]+)(\(.*|\[.*|;.*| *)$/\1/p' | sort -u >names
[ "$(wc -l <names)" -gt 50 ] || problem 'the headers declare next to nothing'
grep -vE '^(eo_|EO_)|^inline$' names >other && problem "declares $(tr '\n' ' ' <other)"

# A macro that hands its arguments on must take them all at once, or at least those that may well have a comma inside braces: else
# that divides them.
grep -E '^#define eo_[a-z_]+\(' "$header" | grep -vE '^#define eo_[a-z_]+\((condition, |message, |to, tag, )?(\.\.\.)?\)' >other &&
  problem "not for commas: $(cat other)"

# ---- Programs -----------------------------------------------------------------

cat >natural.h <<'PROGRAM'
/* What C and C++ write alike. */
#include <everyorder.h>
#include <explorer.h>

#define PAIR 1, 2
#define PLUS(a, b) ((a) + (b))
#define SEND_TO(to, ...) eo_send(to, __VA_ARGS__)

enum { JOB, STOP, DONE, TICK };
typedef struct done {
  int job, result;
} done;

EO_MESSAGE(TICK, done);
static int declared;
EO_SHARED(declared);

static inline int sum_of(done d) { return d.job + d.result; }
static inline bool is_done(const eo_message *m, void *context) { return m->tag == *(int *)context; }

static void child(void *argument) {
  eo_message m;
  if (argument) eo_assert(((done *)argument)->result == 2, "%d", ((done *)argument)->result);
  while (eo_receive(&m, EO_FOREVER) && m.tag != STOP) eo_send(m.from, DONE, m.data, m.size);
  eo_exit(PLUS(EO_NORMAL, EO_NORMAL));
}

EO_TEST_PARAMS(rows, "n: 1, 2", "mode: a, b") {
  eo_assert(eo_param_int("n") >= 1 && eo_param("mode") && eo_param_is("mode", eo_param("mode")), "n is %d",
            (int)eo_param_int("n"));
}

static size_t size(uint32_t n) { return eo_ring_size(n); }
static void init(void *state, uint64_t seed) { ((eo_ring *)state)->random = seed; }
static uint32_t next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  const eo_ring *ring = (const eo_ring *)state;
  return eo_ring_index(ring, eo_ring_find(ring, ring->start, choices, count), choices, count);
}
static void delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  eo_ring *ring = (eo_ring *)state;
  uint32_t place = eo_ring_find(ring, ring->start, choices, count);
  if (!eo_ring_next_value(ring, place, choices, count)) ring->start = (place + 1) % ring->count;
}
static void step(void *state, const eo_explorer_step *s) {
  if (s->kind == EO_STEP_START) eo_ring_insert((eo_ring *)state, ((eo_ring *)state)->count, s->other);
}
static const eo_explorer mine = {EO_EXPLORER_VERSION, "mine", "goes round", size, init, next, delay, step};
EO_EXPLORER(mine)

#define CHECKS                                                                           \
  eo_demonitor(eo_monitor(eo_whereis("child")), EO_FLUSH);                               \
  eo_demonitor(eo_monitor_name("child"), EO_FLUSH);                                      \
  eo_demonitor_flush(eo_monitor_name("child"));                                          \
  eo_kill(eo_whereis("child"), eo_is_alive(eo_self()) ? EO_NORMAL : EO_KILL);            \
  eo_link(eo_whereis("child"));                                                          \
  eo_unlink(eo_whereis("child"));                                                        \
  eo_trap_exit(eo_flip() ? true : false);                                                \
  eo_hint(EO_HINT_FRONT, eo_self());                                                     \
  eo_sleep(eo_choose(2u) + eo_choose_fair(2u) + eo_fault("disk") + eo_flip_fair());                         \
  SEND_TO(eo_whereis("child"), STOP, NULL, 0);                                           \
  eo_assert(PLUS(1, 2) + declared == 3, "%d and %d", PAIR)
PROGRAM

cat >natural.c <<'PROGRAM'
#include "natural.h"

typedef struct door {
  int opened, closed;
} door;
enum { OPEN, CLOSED };
static void opens(void *self, const eo_message *event) {
  ((door *)self)->opened += ((const done *)event->data)->result;
  eo_raise(self, TICK, &(done){1, 2}, sizeof(done));
}
static void ticks(void *self, const eo_message *event) {
  (void)event;
  eo_assert(((door *)self)->opened == 2, "opened %d", ((door *)self)->opened);
  eo_goto(self, CLOSED, &(done){.job = 1, .result = 2}, sizeof(done));
}
static void ends(void *self, const eo_message *event) {
  (void)event;
  eo_halt(self);
}
static const eo_machine door_machine = {
    .name = "door",
    EO_VARIABLES(door),
    .start = CLOSED,
    EO_STATES([OPEN] = {.name = "open", .entry = opens, .on = EO_ON(EO_DO(TICK, ticks), EO_IGNORE(STOP))},
              [CLOSED] = {.name = "closed",
                          .on = EO_ON(EO_GOTO(JOB, OPEN), EO_DO(STOP, ends), EO_DEFER(DONE), EO_GOTO_WITH(TICK, CLOSED, NULL))})};
static const eo_machine watcher = {.name = "watcher",
                                   EO_VARIABLES(struct { int a, b; }),
                                   EO_STATES({.name = "only", .on = EO_ON(EO_IGNORE(JOB), EO_IGNORE(DONE))}),
                                   EO_OBSERVES(JOB, DONE)};

EO_TEST(messages) {
  eo_message m;
  eo_ref ref;
  eo_pid other = eo_spawn(child, &(done){1, 2}, sizeof(done));
  eo_send(eo_spawn_link(child, &(done){1, 2}, sizeof(done)), STOP, (int[]){1, 2}, sizeof(int[2]));
  eo_send(eo_spawn_monitor(child, &(done){1, 2}, sizeof(done), &ref), STOP, NULL, 0);
  eo_register("child", *(eo_pid[]){other, 0});
  eo_send_name("child", JOB, &(done){1, 2}, sizeof(done));
  eo_try_send_name("nobody", JOB, &(done){1, 2}, sizeof(done));
  eo_receive_tags(&m, (int[]){JOB, STOP, DONE}, 3, EO_FOREVER);
  eo_assert(sum_of((done){1, 2}) == 3 && ((done){1, 2}).result == 2, "%d %d", (done){1, 2}.job, (int[]){3, 4}[1]);
  eo_tell(other, JOB, (done){1, 2});
  eo_tell(other, PLUS(JOB, 0), ((done){.job = 1, .result = 2}).result);
  eo_receive_tag(&m, DONE, EO_FOREVER);
  eo_assert(eo_data(&m, done)->result == 2 || eo_data(&m, struct done)->job, "%s", eo_name(*(eo_pid[]){m.from, 0}));
  eo_send(eo_self(), DONE, &(done){1, 2}, sizeof(done));
  eo_receive_tag(&m, ((done){DONE, 2}).job, *(int64_t[]){10, EO_FOREVER});
  eo_receive_if(&m, is_done, (int[]){EO_DOWN, 0}, (int64_t[]){EO_FOREVER, 0}[0]);
  CHECKS;
  eo_unregister((const char *[]){"child", "x"}[0]);
}

EO_TEST(machines) {
  eo_specify(&watcher, &(done){1, 2}, sizeof(done));
  eo_announce(JOB, &(done){1, 2}, sizeof(done));
  eo_pid pid = eo_create((const eo_machine *[]){&door_machine, NULL}[0], &(done){1, 2}, sizeof(done));
  eo_send(pid, JOB, &(done){1, 2}, sizeof(done));
  eo_send(pid, STOP, NULL, 0);
}

EO_TEST(becomes) {
  eo_send(eo_self(), STOP, NULL, 0);
  eo_become(&door_machine, &(done){1, 2}, sizeof(done));
}
PROGRAM

cat >natural.cc <<'PROGRAM'
#include "natural.h"

template <int A, int B> struct two {
  int a = A, b = B;
};

EO_TEST(messages) {
  eo_message m;
  eo_ref ref;
  done one{1, 2};
  two<1, 2> both;
  int tags[] = {JOB, STOP, DONE}, down = EO_DOWN;
  eo_pid other = eo_spawn(child, &one, sizeof(two<1, 2>));
  eo_send(eo_spawn_link(child, &both, sizeof(two<1, 2>)), STOP, &both, sizeof(two<1, 2>));
  eo_send(eo_spawn_monitor(child, &both, sizeof(two<1, 2>), &ref), STOP, nullptr, 0);
  eo_register("child", other);
  eo_send_name("child", done{JOB, 2}.job, &one, sizeof one);
  eo_try_send_name("nobody", done{JOB, 2}.job, &one, sizeof one);
  eo_receive_tags(&m, tags, sizeof tags / sizeof *tags, EO_FOREVER);
  eo_assert(sum_of(done{1, 2}) == 3, "%d %d", done{1, 2}.job, sum_of({1, 2}));
  eo_tell(other, JOB, done{1, 2});
  eo_tell(other, (done{JOB, 1}.job), two<1, 2>());
  eo_receive_tag(&m, DONE, EO_FOREVER);
  eo_assert((eo_data(&m, two<1, 2>)->b == 2), "%s", eo_name(eo_pid{m.from}));
  eo_send(eo_self(), done{DONE, 2}.job, &one, sizeof(two<1, 2>));
  eo_receive_tag(&m, done{DONE, 2}.job, two<10, 2>().a);
  eo_receive_if(&m, [](const eo_message *message, void *context) { int want = *static_cast<int *>(context), is = message->tag; return want == is; }, &down, EO_FOREVER);
  [] { CHECKS; }();
  eo_unregister("child");
}

#if __cplusplus >= 202002L
struct door {
  int opened, closed;
};
enum { OPEN, CLOSED };
static void opens(void *self, const eo_message *event) {
  done one{1, 2};
  static_cast<door *>(self)->opened += static_cast<const done *>(event->data)->result;
  eo_raise(self, TICK, &one, sizeof(two<1, 2>));
}
static void ticks(void *self, const eo_message *) {
  done one{1, 2};
  eo_goto(self, CLOSED, &one, sizeof one);
}
static void ends(void *self, const eo_message *) { eo_halt(self); }
static const eo_machine door_machine = {
    .name = "door",
    EO_VARIABLES(door),
    .start = CLOSED,
    EO_STATES({.name = "open", .entry = opens, .exit = nullptr, .on = EO_ON(EO_DO(TICK, ticks), EO_IGNORE(STOP)), .hot = false},
              {.name = "closed", .entry = nullptr, .exit = nullptr, .on = EO_ON(EO_GOTO(JOB, OPEN), EO_DO(STOP, ends), EO_DEFER(DONE), EO_GOTO_WITH(TICK, CLOSED, nullptr)), .hot = false}),
    EO_OBSERVES(JOB, DONE),
    .event_name = nullptr};

EO_TEST(machines) {
  done one{1, 2};
  eo_pid pid = eo_create(&door_machine, &one, sizeof(two<1, 2>));
  eo_announce(JOB, &one, sizeof(two<1, 2>));
  eo_send(pid, JOB, &one, sizeof(two<1, 2>));
  eo_send(pid, STOP, nullptr, 0);
}
#endif
PROGRAM

# Every macro is in there.
for macro in $(sed -nE 's/^#define ((eo|EO)_[A-Za-z_]+)\(.*/\1/p' "$EO_SRC"/include/everyorder/*.h); do
  case $macro in EO_CALL | EO_PRINTF | EO_TABLE | EO_TABLE_COUNT) continue ;; esac
  grep -qE "\b$macro\(" natural.h natural.c || problem "no use of $macro"
done

# ---- Dialects -----------------------------------------------------------------

try() { # SOURCE COMPILER STANDARD: compiles without a warning; runs once per compiler
  local program=./natural-$2-$3
  "$2" "-std=$3" -g -O1 -pedantic -Wall -Wextra -Werror "-I$EO_SRC/include/everyorder" -I. "$1" -o "$program" \
    "-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder -Wl,-z,now 2>err || {
    problem "$2 -std=$3"
    return
  }
  run 0 "$program" --strategy dpor --quiet
  run 0 "$program" --strategy ses --explorer mine --quiet
}
compilers_c=(gcc) compilers_cc=(g++)
if command -v clang >/dev/null; then compilers_c+=(clang) compilers_cc+=(clang++); fi
for compiler in "${compilers_c[@]}"; do
  for standard in c99 c11 c17 c2x gnu17; do try natural.c "$compiler" $standard; done
done
for compiler in "${compilers_cc[@]}"; do
  for standard in c++11 c++14 c++17 c++20 gnu++20; do try natural.cc "$compiler" $standard; done
done
all_well
