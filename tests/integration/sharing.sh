#!/usr/bin/env bash
# Hidden sharing by C++ references and pointers, as a user meets it: the finding names the memory and both lines under every
# strategy, its ticket replays, and what is handed over in order passes.
# builds: release
# timeout: 600
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

cat >shared.cc <<'CODE'
#include <everyorder.h>
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct job {
  std::function<void()> *what;
  eo_pid to;
};

static void call(void *argument) {
  job now = *static_cast<job *>(argument);
  eo_sleep(1);
  (*now.what)();
  eo_send(now.to, 1, nullptr, 0);
}

static void start(std::function<void()> *what) {
  job now = {what, eo_self()};
  eo_spawn(call, &now, sizeof now);
}

static void await() {
  eo_message message;
  eo_receive(&message, EO_FOREVER);
}

EO_TEST(captured_by_reference) {
  int count = 0;
  std::function<void()> add = [&count] { count++; };
  start(&add);
  eo_sleep(1);
  count += 2;
  await();
}

EO_TEST(vector_of_another) {
  auto *numbers = new std::vector<int>{1, 2, 3};
  auto *add = new std::function<void()>([numbers] { numbers->push_back(4); });
  start(add);
  eo_sleep(1);
  numbers->at(0) = 5;
  await();
}

static void takes(void *) {
  eo_message message;
  eo_receive(&message, EO_FOREVER);
  std::unique_ptr<std::string> text(*static_cast<std::string *const *>(message.data));
  *text += " and more";
  eo_assert(text->size() == 40, "%zu", text->size());
}

EO_TEST(handed_over) {
  auto text = std::make_unique<std::string>("this one is a text of 31 chars.");
  std::string *raw = text.release();
  eo_send(eo_spawn(takes, nullptr, 0), 1, &raw, sizeof raw);
  eo_sleep(1);
}
CODE
g++ -g -std=c++17 shared.cc -o shared -I "$EO_SRC/include/everyorder" -L "$EO_BUILD" "-Wl,-rpath,$EO_BUILD" \
  -leveryorder -Wl,-z,now || exit 1

for strategy in dfs dpor reach ses preempt random; do
  for test in captured_by_reference vector_of_another; do
    rm -rf everyorder-tickets
    run 1 ./shared --test "$test" --strategy "$strategy" --executions 50
    grep -q '^hidden sharing: ' out || problem "$test under $strategy: no hidden sharing"
    if [ $test = captured_by_reference ]; then
      grep -Eq 'P1.1 (changes|reads) it in .* at .*shared.cc:31' out || problem "$strategy: the line of the lambda"
      grep -Eq 'P1 (changes|reads) it in .* at .*shared.cc:34' out || problem "$strategy: the line of its owner"
    fi
    run 1 "$everyorder" replay everyorder-tickets/*.ticket
    grep -q '^reproduced: hidden sharing' out || problem "$test under $strategy: not reproduced"
  done
done
for strategy in dfs dpor reach ses preempt; do
  run 0 ./shared --test handed_over --strategy $strategy
done

# What orders two accesses is history. A strategy that does not go on from a state it has seen must tell states apart by that,
# or it misses hidden sharing that meets behind a state, after another history.
cat >behind.c <<'CODE'
#include <everyorder.h>
#include <stdlib.h>

static int data, counter;

static void reads(void *argument) {
  eo_message m;
  (void)argument;
  eo_receive(&m, EO_FOREVER);
  eo_assert(data < 2, "data");
}
EO_TEST(global) { /* the state is the same whether it is written before the message or after it */
  eo_pid reader = eo_spawn(reads, NULL, 0);
  volatile unsigned late = eo_choose(2);
  if (!late) data = 1;
  eo_send(reader, 1, NULL, 0);
  if (late) data = 1;
  late = 0;
  eo_sleep(1);
}
static void reads_block(void *argument) {
  eo_message m;
  (void)argument;
  eo_receive(&m, EO_FOREVER);
  eo_assert(**(int *const *)m.data == 1, "data");
}
EO_TEST(heap) {
  int *block = calloc(1, sizeof *block);
  eo_pid reader = eo_spawn(reads_block, NULL, 0);
  volatile unsigned late = eo_choose(2);
  if (!late) *block = 1;
  eo_send(reader, 1, &block, sizeof block);
  if (late) *block = 1;
  late = 0;
  eo_sleep(1);
}
static void passes_on(void *argument) { /* the first of two messages that look the same */
  eo_message m;
  for (int i = 0; i < 3; i++) {
    eo_receive(&m, EO_FOREVER);
    if (i == 0) eo_send(*(const eo_pid *)argument, 1, NULL, 0);
  }
}
static void writes(void *argument) {
  eo_pid to = *(const eo_pid *)argument;
  if (eo_choose(2)) data = 1;
  eo_send(to, 1, NULL, 0);
  data = 1;
  eo_send(to, 1, NULL, 0);
}
EO_TEST(by_another) {
  eo_pid reader = eo_spawn(reads, NULL, 0), relay = eo_spawn(passes_on, &reader, sizeof reader);
  eo_spawn(writes, &relay, sizeof relay);
  eo_send(relay, 1, NULL, 0);
}
static void counts(void *argument) {
  (void)argument;
  counter++;
  eo_sleep(1);
  eo_assert(++counter == 2, "counter");
}
EO_TEST(of_one_process) {
  eo_spawn(counts, NULL, 0);
  eo_sleep(1);
}
CODE
compile behind.c behind
for strategy in dfs dpor ses 'ses --explorer rr' preempt 'preempt --cache unlimited'; do
  for test in global heap by_another; do
    # shellcheck disable=SC2086 # several words
    run 1 ./behind --test $test --strategy $strategy --tickets none
    says out 'hidden sharing: '
  done
  # shellcheck disable=SC2086
  run 0 ./behind --test of_one_process --strategy $strategy --tickets none
done

# Globals of one page. A process has a page for itself while no other runs: what it does there in its later steps, after the
# message that orders the earlier ones, is found all the same, also where it only reads, or writes what was there.
cat >page.c <<'CODE'
#include <everyorder.h>
#include <stdlib.h>

static volatile int busy, hidden; /* all look at the first all the time */

static void late_write(void *argument) {
  hidden = busy;
  eo_send(*(const eo_pid *)argument, 1, NULL, 0);
  if (!busy) hidden = 0;
}
static void late_read(void *argument) {
  hidden = busy;
  eo_send(*(const eo_pid *)argument, 1, NULL, 0);
  if (!busy && hidden == 7) abort();
}
static void only_before(void *argument) {
  hidden = busy;
  eo_send(*(const eo_pid *)argument, 1, NULL, 0);
  if (busy) abort();
}
static void waits(void (*first)(void *)) {
  eo_message m;
  eo_pid self = eo_self();
  eo_spawn(first, &self, sizeof self);
  if (busy) abort();
  if (eo_receive(&m, 5)) hidden = 1;
}
EO_TEST(writes_later) { waits(late_write); }
EO_TEST(reads_later) { waits(late_read); }
EO_TEST(in_order) { waits(only_before); }
CODE
compile page.c page
for strategy in dfs dpor 'dpor --dpor source' reach ses preempt; do
  for test in writes_later reads_later; do
    # shellcheck disable=SC2086 # several words
    run 1 ./page --test $test --strategy $strategy --tickets none
    says out 'hidden sharing: hidden: '
  done
done
for strategy in dfs dpor ses preempt; do run 0 ./page --test in_order --strategy $strategy; done

# What orders two accesses beside messages: a name that is found was given before; a process that is not alive has ended.
cat >order.c <<'CODE'
#include <everyorder.h>

static volatile int data;

static void names_itself(void *argument) {
  int early = *(const int *)argument;
  if (early) data = 1;
  eo_register("done", eo_self());
  if (!early) data = 1;
  eo_sleep(1);
}
static void by_name(int early) {
  eo_spawn(names_itself, &early, sizeof early);
  if (eo_whereis("done") != EO_NOBODY) eo_assert(data < 2, "read");
}
EO_TEST(ok_whereis) { by_name(1); }
EO_TEST(bad_whereis) { by_name(0); }

static void sends(int early) {
  eo_spawn(names_itself, &early, sizeof early);
  if (eo_try_send_name("done", 1, NULL, 0)) eo_assert(data < 2, "read");
}
EO_TEST(ok_send_name) { sends(1); }
EO_TEST(bad_send_name) { sends(0); }

/* Another one gives the name, which has not heard of the write. */
static void writes(void *argument) {
  (void)argument;
  eo_sleep(1);
  data = 1;
  eo_sleep(1);
}
EO_TEST(bad_named_by_another) {
  eo_pid child = eo_spawn(writes, NULL, 0);
  eo_register("done", child);
  eo_sleep(1);
  if (eo_whereis("done") != EO_NOBODY) eo_assert(data < 2, "read");
}

/* A name that is taken already is not given again. */
static void tries(void *argument) {
  data = 1;
  eo_register("done", *(const eo_pid *)argument);
}
EO_TEST(bad_register_fails) {
  eo_pid self = eo_self();
  eo_register("done", self);
  eo_spawn(tries, &self, sizeof self);
  if (eo_whereis("done") == self) eo_assert(data < 2, "read");
}

static void alive(bool wanted) {
  eo_pid child = eo_spawn(writes, NULL, 0);
  if (eo_is_alive(child) == wanted) eo_assert(data < 2, "read");
}
EO_TEST(ok_not_alive) { alive(false); }
EO_TEST(bad_alive) { alive(true); }
CODE
compile order.c order
for test in ok_whereis ok_send_name ok_not_alive bad_whereis bad_send_name bad_named_by_another bad_register_fails bad_alive; do
  status=1
  if [[ $test = ok_* ]]; then status=0; fi
  for strategy in dfs dpor preempt; do
    run $status ./order --test $test --strategy $strategy --tickets none
    if [ $status = 1 ]; then says out 'hidden sharing: data'; fi
  done
done

# What is meant to be used by several threads: the finding names it as the programmer wrote it, and says what to do.
cat >meant.cc <<'CODE'
#include <everyorder.h>
#include <atomic>
#include <mutex>
#include <pthread.h>

static std::atomic<int> hits;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static std::mutex lock;
namespace app {
struct settings {
  int size = eo_now() ? 2 : 3;
};
static const settings &get() {
  static settings these;
  return these;
}
}
static void initialises(void *) { eo_sleep(1); if (app::get().size == 5) eo_sleep(1); }
static void counts(void *) { eo_sleep(1); hits++; }
static void nothing() {}
static void at_most_once(void *) { eo_sleep(1); pthread_once(&once, nothing); }
static void locks(void *) { eo_sleep(1); std::lock_guard<std::mutex> held(lock); }
static void two(void (*function)(void *)) {
  eo_spawn(function, nullptr, 0);
  function(nullptr);
}
EO_TEST(guard) { two(initialises); }
EO_TEST(atomic) { two(counts); }
EO_TEST(once_flag) { two(at_most_once); }
EO_TEST(mutex) { two(locks); }
EO_TEST(before) { app::get(); two(initialises); }
EO_TEST(declared) { eo_shared(&hits, sizeof hits); two(counts); }
CODE
g++ -g "-I$EO_SRC/include/everyorder" meant.cc -o meant "-L$EO_BUILD" "-Wl,-rpath,$EO_BUILD" -leveryorder -Wl,-z,now || exit 1
found() { # TEST VARIABLE REMEDY
  run 1 ./meant --test "$1" --strategy dpor --tickets none
  says out "hidden sharing: $2: "
  says out "$3"
}
found guard 'guard variable for app::get()::these' 'call the function once before processes start, or declare both by eo_shared'
found atomic hits 'declare it by EO_SHARED'
found once_flag once 'declare it by EO_SHARED'
found mutex lock 'declare it by EO_SHARED'
says out 'to run locks'
run 0 ./meant --test before --strategy dpor
run 0 ./meant --test declared --strategy dfs
# What a process declares counts at once: the strategies that go by events are not complete, and auto goes on with dfs.
cat >declares.c <<'CODE'
#include <everyorder.h>

static int of_all;
static void adds(void *argument) {
  (void)argument;
  eo_sleep(1);
  of_all++;
  eo_sleep(1);
}
static void writes_before(void *argument) {
  of_all = 1;
  eo_shared(&of_all, sizeof of_all);
  eo_send(*(const eo_pid *)argument, 1, NULL, 0);
  eo_sleep(1);
  of_all = 2;
}
EO_TEST(declared_first) {
  eo_shared(&of_all, sizeof of_all);
  for (int i = 0; i < 2; i++) eo_spawn(adds, NULL, 0);
  for (int i = 0; i < 3; i++) eo_sleep(1);
  eo_assert(of_all != 1, "between the two");
}
EO_TEST(declared_when_known) {
  eo_message m;
  eo_pid self = eo_self();
  eo_spawn(writes_before, &self, sizeof self);
  eo_receive(&m, EO_FOREVER);
  if (of_all == 3) eo_sleep(1);
}
CODE
compile declares.c declares
for strategy in dpor reach; do
  for test in declared_first declared_when_known; do
    run 3 ./declares --test $test --strategy $strategy --tickets none
    says out 'memory or files that processes may share'
  done
done
for strategy in dfs ses preempt auto; do
  run 1 ./declares --test declared_first --strategy $strategy --tickets none
  silent out 'hidden sharing'
  run 0 ./declares --test declared_when_known --strategy $strategy
done

# An address is noticed at every offset of a message, among zeros and among text: no execution passes.
cat >offsets.c <<'CODE'
#include <everyorder.h>
#include <string.h>
enum { SIZE = 48 };
static void reader(void *argument) {
  size_t at = *(size_t *)argument;
  eo_message m;
  int *mine;
  eo_receive(&m, EO_FOREVER);
  memcpy(&mine, (const char *)m.data + at, sizeof mine);
  *mine = 1; /* unordered with the other write */
}
EO_TEST(at_any_offset) {
  char bytes[SIZE];
  size_t at = eo_choose(SIZE - sizeof(int *) + 1);
  int mine = 0, *where = &mine;
  memset(bytes, eo_flip() ? 'A' : 0, sizeof bytes);
  memcpy(bytes + at, &where, sizeof where);
  eo_pid to = eo_spawn(reader, &at, sizeof at);
  eo_send(to, 1, bytes, sizeof bytes);
  mine = 2;
  eo_sleep(1);
}
CODE
compile offsets.c offsets
run 1 ./offsets --strategy dpor --keep-going --tickets none --quiet --no-minimise --json offsets.json
executions=$(member offsets.json executions)
[ "$executions" -ge 82 ] || problem "$executions executions of 41 offsets, each among zeros and text"
same "$(member offsets.json failures)" "$executions" 'executions in which the address is noticed'
all_well
