/* test_live.c: every function of the API on real threads. Checks run in the processes' own threads, so they count
 * failures and print them; each test then asks that there were none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <everyorder.h>
#include <pthread.h>
#include <cmocka.h>

static atomic_int failures;
static atomic_int hits; /* something that must happen so many times, counted by processes */

#define CHECK(condition) \
  ((condition) ? (void)0 : (void)(fprintf(stderr, "%s:%d: false: %s\n", __FILE__, __LINE__, #condition), failures++))

enum { PING = 1, PONG, GO, DATA, STOP };

typedef struct part {
  eo_function function;
  void *argument;
  bool finished;
} part;

static void run_part(void *argument) {
  part *this = argument;
  this->function(this->argument);
  this->finished = true;
}

/* P1 of most tests: runs to its end, and nothing fails. */
static void run(eo_function function, void *argument) {
  part whole = {function, argument, false};
  assert_int_equal(eo_live_run(run_part, &whole), EO_NORMAL);
  assert_int_equal(failures, 0);
  assert_true(whole.finished);
}

static void send_pid(eo_pid to, int tag, eo_pid pid) { eo_send(to, tag, &pid, sizeof pid); }

static eo_pid pid_in(const eo_message *message) {
  eo_pid pid = EO_NOBODY;
  CHECK(message->size == sizeof pid);
  if (message->size == sizeof pid) memcpy(&pid, message->data, sizeof pid);
  return pid;
}

static void send_number(eo_pid to, int tag, int number) { eo_send(to, tag, &number, sizeof number); }

static int number_in(const eo_message *message) {
  int number = -1;
  CHECK(message->size == sizeof number);
  if (message->size == sizeof number) memcpy(&number, message->data, sizeof number);
  return number;
}

static void check_down(const eo_message *message, eo_ref ref, eo_pid pid, int reason) {
  CHECK(message->tag == EO_DOWN && message->from == pid && message->size == sizeof(eo_down_info));
  if (message->tag != EO_DOWN) return;
  const eo_down_info *info = message->data;
  CHECK(info->ref == ref && info->pid == pid && info->reason == reason);
}

static void check_exit(const eo_message *message, eo_pid pid, int reason) {
  CHECK(message->tag == EO_EXIT && message->from == pid && message->size == sizeof(eo_exit_info));
  if (message->tag != EO_EXIT) return;
  const eo_exit_info *info = message->data;
  CHECK(info->pid == pid && info->reason == reason);
}

/* Waits until a process has ended, whatever its reason. */
static void await_end(eo_pid pid) {
  eo_message message;
  eo_monitor(pid);
  CHECK(eo_receive_tag(&message, EO_DOWN, EO_FOREVER));
}

/* ---- Processes that many tests use ------------------------------------------------------------------------------- */

static void nothing(void *argument) { (void)argument; }

static void wait_stop(void *argument) {
  eo_message message;
  (void)argument;
  eo_receive_tag(&message, STOP, EO_FOREVER);
}

static void exit_with(void *argument) {
  eo_message message;
  eo_receive_tag(&message, GO, EO_FOREVER);
  eo_exit(*(int *)argument);
}

static void exit_now(void *argument) { eo_exit(*(int *)argument); }

/* ---- Start and end ----------------------------------------------------------------------------------------------- */

static void exit_seven(void *argument) {
  *(int *)argument = 1;
  eo_exit(7);
}

static void return_reason(void **state) {
  (void)state;
  int ran = 0;
  assert_int_equal(eo_live_run(exit_seven, &ran), 7);
  assert_int_equal(ran, 1);
  assert_int_equal(eo_live_run(nothing, NULL), EO_NORMAL);
}

static void late(void *argument) {
  (void)argument;
  eo_sleep(30);
  hits++;
}

static void first_ends_first(void *argument) {
  (void)argument;
  CHECK(eo_self() == 1);
  for (int i = 0; i < 4; i++) eo_spawn(late, NULL, 0);
  eo_exit(3);
}

static void waits_for_all(void **state) {
  (void)state;
  hits = 0;
  assert_int_equal(eo_live_run(first_ends_first, NULL), 3);
  assert_int_equal(hits, 4);
}

static void check_argument(void *argument) {
  CHECK(argument && !strcmp(argument, "twelve bytes"));
  CHECK((uintptr_t)argument % _Alignof(max_align_t) == 0);
}

static void check_no_argument(void *argument) { CHECK(!argument); }

static void spawns(void *argument) {
  char text[] = "twelve bytes";
  (void)argument;
  eo_pid a = eo_spawn(check_argument, text, sizeof text);
  eo_pid b = eo_spawn(check_no_argument, NULL, 0);
  memset(text, 0, sizeof text); /* it has its own copy */
  CHECK(a != b && a != eo_self() && b != eo_self() && a != EO_NOBODY);
}

static void spawn_copies_argument(void **state) {
  (void)state;
  run(spawns, NULL);
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

static void fill(void *argument) {
  eo_pid to = *(eo_pid *)argument;
  for (int i = 0; i < 10; i++) send_number(to, 10 + i % 3, i);
  eo_send(to, STOP, NULL, 0);
}

static bool is_number(const eo_message *message, void *context) {
  return message->tag >= 10 && *(const int *)message->data == *(const int *)context;
}

/* 0..9 with tags 10 11 12 10 11 12 10 11 12 10, then STOP. */
static void selects(void *argument) {
  (void)argument;
  eo_pid me = eo_self();
  eo_message message;
  eo_pid from = eo_spawn(fill, &me, sizeof me);
  CHECK(eo_receive_tag(&message, STOP, EO_FOREVER));
  CHECK(message.from == from && message.size == 0 && message.data == NULL);
  CHECK(eo_receive_tag(&message, 12, 0) && number_in(&message) == 2);
  CHECK(message.from == from && (uintptr_t)message.data % _Alignof(max_align_t) == 0);
  CHECK(eo_receive_tag(&message, 12, EO_FOREVER) && number_in(&message) == 5);
  int wanted = 4;
  CHECK(eo_receive_if(&message, is_number, &wanted, EO_FOREVER) && number_in(&message) == 4);
  const int tags[] = {12, 11};
  CHECK(eo_receive_tags(&message, tags, 2, 5) && number_in(&message) == 1);
  CHECK(eo_receive_tags(&message, tags, 2, 5) && number_in(&message) == 7);
  CHECK(eo_receive_tags(&message, tags, 2, 5) && number_in(&message) == 8);
  CHECK(!eo_receive_tags(&message, tags, 2, 0));
  const int rest[] = {0, 3, 6, 9};
  for (int i = 0; i < 4; i++) CHECK(eo_receive(&message, 0) && number_in(&message) == rest[i]);
  CHECK(!eo_receive(&message, 0));
  CHECK(message.from == EO_NOBODY && message.tag == 0 && message.size == 0 && !message.data);
}

static void selective_receive(void **state) {
  (void)state;
  run(selects, NULL);
}

/* A predicate's context may be the last message itself. */
static bool same_as(const eo_message *message, void *context) {
  const eo_message *last = context;
  return message->size == last->size && !memcmp(message->data, last->data, last->size);
}

static void receives_same(void *argument) {
  (void)argument;
  eo_message message;
  for (int i = 0; i < 3; i++) send_number(eo_self(), DATA, i);
  send_number(eo_self(), PING, 1);
  CHECK(eo_receive_tag(&message, PING, 0));
  CHECK(eo_receive_if(&message, same_as, &message, 0) && message.tag == DATA && number_in(&message) == 1);
  const int *data = message.data;
  send_number(eo_self(), DATA, 5);
  eo_sleep(0);
  CHECK(*data == 1); /* valid until the next receive, whatever else happens */
}

static void predicate_sees_last_message(void **state) {
  (void)state;
  run(receives_same, NULL);
}

static void send_later(void *argument) {
  eo_pid to = *(eo_pid *)argument;
  eo_sleep(20);
  eo_send(to, PING, NULL, 0); /* wakes it, but is not what it waits for */
  eo_sleep(20);
  eo_send(to, PONG, NULL, 0);
}

static void times(void *argument) {
  (void)argument;
  eo_message message;
  eo_pid me = eo_self();
  uint64_t start = eo_now();
  CHECK(!eo_receive(&message, 0));
  CHECK(!eo_receive(&message, 15));
  CHECK(eo_now() - start >= 15);
  eo_spawn(send_later, &me, sizeof me);
  CHECK(eo_receive_tag(&message, PONG, INT64_MAX));
  CHECK(eo_now() - start >= 15 + 40);
  start = eo_now();
  CHECK(!eo_receive_tag(&message, PONG, 10)); /* PING is there all the time */
  CHECK(eo_now() - start >= 10);
  CHECK(eo_receive(&message, 0) && message.tag == PING);
  start = eo_now();
  eo_sleep(12);
  CHECK(eo_now() - start >= 12);
}

static void timeouts(void **state) {
  (void)state;
  run(times, NULL);
}

static void sends_to_dead(void *argument) {
  (void)argument;
  eo_ref ref;
  eo_message message;
  eo_pid dead = eo_spawn_monitor(nothing, NULL, 0, &ref);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, dead, EO_NORMAL);
  eo_send(dead, PING, "x", 1);
  CHECK(!eo_receive(&message, 0));
}

static void send_to_dead(void **state) {
  (void)state;
  run(sends_to_dead, NULL);
}

/* ---- Links ------------------------------------------------------------------------------------------------------- */

/* A chain of links: each starts the next one and then waits for nothing but its end. */
static void chain(void *argument) {
  int more = *(int *)argument - 1;
  eo_message message;
  if (more > 0)
    eo_spawn_link(chain, &more, sizeof more);
  else
    eo_exit(5);
  if (more % 2)
    eo_receive_tag(&message, STOP, EO_FOREVER);
  else
    eo_sleep(1000000);
  CHECK(!"went on after an exit signal");
}

static void watches_chain(void *argument) {
  (void)argument;
  int length = 20;
  eo_ref ref;
  eo_message message;
  eo_pid pid = eo_spawn_monitor(chain, &length, sizeof length, &ref);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, pid, 5);
}

static void exit_spreads(void **state) {
  (void)state;
  run(watches_chain, NULL);
}

static void busy(void *argument) {
  (void)argument;
  for (;;) eo_send(1, PING, NULL, 0); /* never waits: an operation notices the signal */
}

static void traps(void *argument) {
  (void)argument;
  int reason = 9;
  eo_message message;
  CHECK(!eo_trap_exit(true));
  CHECK(eo_trap_exit(true));
  eo_pid child = eo_spawn_link(exit_with, &reason, sizeof reason);
  eo_link(child); /* once more is not twice */
  eo_link(eo_self());
  eo_send(child, GO, NULL, 0);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_exit(&message, child, 9);
  CHECK(!eo_receive(&message, 5));

  eo_pid normal = eo_spawn_link(nothing, NULL, 0);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_exit(&message, normal, EO_NORMAL);

  eo_link(normal); /* has ended */
  CHECK(eo_receive(&message, 0));
  check_exit(&message, normal, EO_NOPROC);

  CHECK(eo_trap_exit(false));
  CHECK(!eo_trap_exit(false));
  eo_pid unlinked = eo_spawn_link(exit_with, &reason, sizeof reason);
  eo_unlink(unlinked);
  eo_unlink(unlinked);
  eo_unlink(normal);
  eo_monitor(unlinked);
  eo_send(unlinked, GO, NULL, 0);
  CHECK(eo_receive(&message, EO_FOREVER) && message.tag == EO_DOWN);
  eo_spawn_link(nothing, NULL, 0); /* a normal end passes by one that does not trap */
  eo_sleep(10);
}

static void trap_exit(void **state) {
  (void)state;
  run(traps, NULL);
}

static void link_dead(void *argument) {
  eo_link(*(eo_pid *)argument);
  CHECK(!"went on after linking to one that has ended");
}

typedef struct signal_order {
  eo_pid to;
  int reason;
} signal_order;

static void link_and_exit(void *argument) {
  const signal_order *order = argument;
  eo_link(order->to);
  eo_exit(order->reason);
}

/* Has some process give that one an exit signal. */
static eo_pid signal_exit_to(eo_pid to, int reason) {
  signal_order order = {to, reason};
  return eo_spawn(link_and_exit, &order, sizeof order);
}

static void links_to_dead(void *argument) {
  (void)argument;
  eo_ref ref;
  eo_message message;
  eo_pid dead = eo_spawn(nothing, NULL, 0);
  await_end(dead);
  eo_pid pid = eo_spawn_monitor(link_dead, &dead, sizeof dead, &ref);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, pid, EO_NOPROC);

  pid = eo_spawn_monitor(busy, NULL, 0, &ref);
  signal_exit_to(pid, 11);
  CHECK(eo_receive_tag(&message, EO_DOWN, EO_FOREVER));
  check_down(&message, ref, pid, 11);
}

static void link_to_dead(void **state) {
  (void)state;
  run(links_to_dead, NULL);
}

static void linked_to_failing(void *argument) {
  (void)argument;
  int reason = 21;
  eo_spawn_link(exit_now, &reason, sizeof reason);
  eo_sleep(1000000);
}

static void first_is_ended_by_signal(void **state) {
  (void)state;
  assert_int_equal(eo_live_run(linked_to_failing, NULL), 21);
}

static atomic_bool released;

/* Runs its own code until it is released, so that signals wait for it; then does one operation more, or returns. */
static void deaf(void *argument) {
  while (!released) usleep(100);
  if (*(bool *)argument) eo_sleep(0);
}

static void signals_deaf(void *argument) {
  bool acts = *(bool *)argument;
  eo_message message;
  eo_ref ref;
  released = false;
  eo_pid pid = eo_spawn_monitor(deaf, &acts, sizeof acts, &ref);
  await_end(signal_exit_to(pid, 31));
  await_end(signal_exit_to(pid, 32));
  released = true;
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, pid, acts ? 31 : EO_NORMAL);
}

/* The first of two signals counts, and one that comes after the last operation comes too late. */
static void pending_signals(void **state) {
  (void)state;
  for (int acts = 0; acts < 2; acts++) run(signals_deaf, &(bool){acts});
}

/* ---- Monitors ---------------------------------------------------------------------------------------------------- */

static void monitors(void *argument) {
  (void)argument;
  int reason = 4;
  eo_message message;
  eo_pid child = eo_spawn(exit_with, &reason, sizeof reason);
  eo_ref one = eo_monitor(child), two = eo_monitor(child), undone = eo_monitor(child);
  CHECK(one && two && undone && one != two && two != undone && one != undone);
  CHECK(eo_demonitor(undone, 0));
  CHECK(!eo_demonitor(undone, EO_FLUSH)); /* again is harmless */
  eo_send(child, GO, NULL, 0);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, one, child, 4);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, two, child, 4);
  CHECK(!eo_receive(&message, 5));

  eo_ref late_ref = eo_monitor(child);
  CHECK(eo_receive(&message, 0));
  check_down(&message, late_ref, child, EO_NOPROC);

  eo_ref flushed = eo_monitor(child), kept = eo_monitor(child), quiet = eo_monitor(child);
  send_number(eo_self(), DATA, 1);
  CHECK(!eo_demonitor(flushed, EO_FLUSH));
  eo_demonitor_flush(quiet);
  eo_demonitor_flush(quiet);
  CHECK(!eo_demonitor(kept, 0)); /* its DOWN is in the mailbox and stays */
  CHECK(eo_receive(&message, 0));
  check_down(&message, kept, child, EO_NOPROC);
  CHECK(eo_receive(&message, 0) && message.tag == DATA);
  CHECK(!eo_receive(&message, 0));

  eo_ref self = eo_monitor(eo_self());
  CHECK(self != EO_NOBODY);
  eo_demonitor(self, EO_FLUSH);
  eo_monitor(eo_self()); /* and one is left when it ends */
}

static void monitor_and_demonitor(void **state) {
  (void)state;
  run(monitors, NULL);
}

static void trap_stop(void *argument) {
  eo_trap_exit(true);
  eo_send(*(eo_pid *)argument, GO, NULL, 0);
  wait_stop(NULL);
}

static void kill_itself(void *argument) {
  (void)argument;
  eo_kill(eo_self(), EO_NORMAL);
  CHECK(false);
}

/* Signals from one that is not linked: trapped or not, and one that cannot be. */
static void kills(void *argument) {
  (void)argument;
  eo_message message;
  eo_ref ref;
  eo_pid self = eo_self(), child = eo_spawn_monitor(wait_stop, NULL, 0, &ref);
  CHECK(eo_is_alive(child));
  eo_kill(child, EO_NORMAL); /* nothing */
  CHECK(eo_is_alive(child));
  eo_kill(child, 8);
  CHECK(!eo_is_alive(child)); /* whether its thread has noticed or not */
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, child, 8);
  CHECK(!eo_is_alive(child));
  eo_kill(child, 8); /* it has ended */

  child = eo_spawn_monitor(trap_stop, &self, sizeof self, &ref);
  CHECK(eo_receive_tag(&message, GO, EO_FOREVER));
  eo_kill(child, 8);
  CHECK(eo_is_alive(child));
  eo_kill(child, EO_KILL);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, child, EO_KILLED);

  child = eo_spawn_monitor(kill_itself, NULL, 0, &ref);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, child, EO_NORMAL);

  eo_trap_exit(true);
  eo_kill(self, 9);
  CHECK(eo_receive(&message, 0));
  check_exit(&message, self, 9);
}

static void kill_and_is_alive(void **state) {
  (void)state;
  run(kills, NULL);
}

static void by_names(void *argument) {
  (void)argument;
  eo_message message;
  eo_pid child = eo_spawn(wait_stop, NULL, 0);
  CHECK(!eo_try_send_name("child", STOP, NULL, 0));
  eo_ref ref = eo_monitor_name("child");
  CHECK(eo_receive(&message, 0) && message.tag == EO_DOWN && message.from == eo_self());
  const eo_down_info *info = message.data;
  CHECK(info->ref == ref && info->pid == EO_NOBODY && info->reason == EO_NOPROC);
  CHECK(eo_register("child", child));
  ref = eo_monitor_name("child");
  CHECK(eo_try_send_name("child", STOP, NULL, 0));
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, child, EO_NORMAL);
}

static void monitor_and_try_names(void **state) {
  (void)state;
  run(by_names, NULL);
}

/* Both bonds tell, in the order they were made. */
static void bond_twice(void *argument) {
  (void)argument;
  int reason = 6;
  eo_message message;
  eo_ref ref;
  eo_trap_exit(true);
  eo_pid child = eo_spawn_monitor(exit_with, &reason, sizeof reason, &ref);
  eo_link(child);
  eo_send(child, GO, NULL, 0);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, child, 6);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_exit(&message, child, 6);

  child = eo_spawn_link(exit_with, &reason, sizeof reason);
  ref = eo_monitor(child);
  eo_send(child, GO, NULL, 0);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_exit(&message, child, 6);
  CHECK(eo_receive(&message, EO_FOREVER));
  check_down(&message, ref, child, 6);
}

static void link_and_monitor(void **state) {
  (void)state;
  run(bond_twice, NULL);
}

static void watch_and_end(void *argument) {
  eo_monitor(*(eo_pid *)argument);
  eo_link(*(eo_pid *)argument);
}

/* The watcher ends first: nothing may be left that points to it. */
static void watcher_first(void *argument) {
  (void)argument;
  eo_pid target = eo_spawn(wait_stop, NULL, 0);
  for (int i = 0; i < 5; i++) await_end(eo_spawn(watch_and_end, &target, sizeof target));
  eo_send(target, STOP, NULL, 0);
  await_end(target);
}

static void watcher_ends_first(void **state) {
  (void)state;
  run(watcher_first, NULL);
}

/* ---- Many at once ------------------------------------------------------------------------------------------------ */

enum { CROWD = 400 };

/* Linked to the one before it; ends with its own number, or with that of the one that ends first. */
static void of_crowd(void *argument) {
  eo_message message;
  int number = *(int *)argument;
  eo_receive_tag(&message, DATA, EO_FOREVER);
  eo_link(pid_in(&message));
  eo_send(message.from, PONG, NULL, 0);
  eo_receive_tag(&message, GO, EO_FOREVER);
  eo_exit(number);
}

/* They are linked in pairs, so whichever of a pair is first gives the reason. All are told at once, and each end is told
 * exactly once to whoever watches, whoever carries it out. */
static void crowd(void *argument) {
  eo_message message;
  eo_pid pids[CROWD];
  eo_ref refs[CROWD];
  int reasons[CROWD] = {0};
  (void)argument;
  for (int i = 0; i < CROWD; i++) {
    int number = i + 1;
    pids[i] = eo_spawn_monitor(of_crowd, &number, sizeof number, &refs[i]);
  }
  for (int i = 0; i < CROWD; i++) {
    send_pid(pids[i], DATA, pids[i ^ 1]);
    eo_receive_tag(&message, PONG, EO_FOREVER);
  }
  for (int i = 0; i < CROWD; i++) eo_send(pids[i], GO, NULL, 0);
  for (int i = 0; i < CROWD; i++) {
    CHECK(eo_receive(&message, EO_FOREVER) && message.tag == EO_DOWN);
    const eo_down_info *info = message.data;
    int who = 0;
    while (who < CROWD && pids[who] != info->pid) who++;
    CHECK(who < CROWD && reasons[who] == 0 && refs[who] == info->ref);
    if (who < CROWD) reasons[who] = info->reason;
  }
  for (int i = 0; i < CROWD; i += 2) {
    CHECK(reasons[i] == reasons[i + 1]);
    CHECK(reasons[i] == i + 1 || reasons[i] == i + 2);
    CHECK(!eo_is_alive(pids[i]) && !eo_is_alive(pids[i + 1]));
  }
}

static void ends_of_many(void **state) {
  (void)state;
  run(crowd, NULL);
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static void names(void *argument) {
  (void)argument;
  eo_message message;
  const char *longest = "a23456789b23456789c23456789d23456789e23456789f23456789g23456789";
  eo_pid me = eo_self();
  CHECK(eo_whereis("server") == EO_NOBODY);
  CHECK(!eo_unregister("server"));
  eo_pid server = eo_spawn(wait_stop, NULL, 0);
  CHECK(eo_register("server", server));
  CHECK(!eo_register("server", me));    /* taken */
  CHECK(!eo_register("other", server)); /* has one */
  CHECK(eo_whereis("server") == server && eo_whereis("other") == EO_NOBODY);
  CHECK(eo_unregister("server") && eo_whereis("server") == EO_NOBODY);
  CHECK(eo_register("server", server));
  eo_monitor(server);
  eo_send_name("server", STOP, NULL, 0);
  CHECK(eo_receive_tag(&message, EO_DOWN, EO_FOREVER));
  CHECK(eo_whereis("server") == EO_NOBODY); /* whoever knows that it ended finds the name free */
  CHECK(!eo_register("server", server));
  CHECK(eo_register("server", me) && eo_whereis("server") == me);
  eo_send_name("server", PING, "hello", 6);
  CHECK(eo_receive(&message, 0) && message.from == me && !strcmp(message.data, "hello"));
  CHECK(eo_unregister("server") && eo_register(longest, me) && eo_whereis(longest) == me);
}

static void names_live(void **state) {
  (void)state;
  run(names, NULL);
}

static void named_nobody(void *argument) {
  (void)argument;
  eo_send_name("nobody", PING, NULL, 0);
  CHECK(!"went on after sending to nobody");
}

static void send_to_no_name(void **state) {
  (void)state;
  assert_int_equal(eo_live_run(named_nobody, NULL), EO_BADARG);
  assert_int_equal(failures, 0);
}

/* Enough at once that the tables grow while names are in them. */
static void many_names(void *argument) {
  (void)argument;
  eo_pid pids[150];
  char name[16];
  for (int i = 0; i < 150; i++) {
    snprintf(name, sizeof name, "n%d", i);
    pids[i] = eo_spawn(wait_stop, NULL, 0);
    CHECK(eo_register(name, pids[i]));
  }
  for (int i = 0; i < 150; i++) {
    snprintf(name, sizeof name, "n%d", i);
    CHECK(eo_whereis(name) == pids[i]);
    eo_send_name(name, STOP, NULL, 0);
  }
}

static void names_while_growing(void **state) {
  (void)state;
  run(many_names, NULL);
}

/* ---- Choices ----------------------------------------------------------------------------------------------------- */

static void chooses(void *argument) {
  (void)argument;
  unsigned seen[3] = {0}, flips[2] = {0};
  for (int i = 0; i < 300; i++) {
    unsigned value = eo_choose(3);
    CHECK(value < 3);
    if (value < 3) seen[value]++;
    flips[eo_flip()]++;
    CHECK(eo_choose(1) == 0);
    CHECK(!eo_fault("disk"));
    CHECK(eo_choose_fair(3) < 3);
    flips[eo_flip_fair()]++;
  }
  CHECK(seen[0] && seen[1] && seen[2] && flips[0] && flips[1]);
}

static void choose_in_range(void **state) {
  (void)state;
  run(chooses, NULL);
}

/* ---- Leaving runs cleanups -------------------------------------------------------------------------------------- */

static void cleanup_handler(void *argument) {
  (void)argument;
  hits++;
  CHECK(eo_self() != EO_NOBODY);
}

static void with_cleanup(void *argument) {
  eo_message message;
  pthread_cleanup_push(cleanup_handler, NULL);
  if (*(int *)argument) eo_exit(2);
  eo_receive(&message, EO_FOREVER);
  pthread_cleanup_pop(0);
  CHECK(!"went on after its end");
}

static void cleanups(void *argument) {
  (void)argument;
  eo_message message;
  eo_ref ref;
  for (int by_exit = 0; by_exit < 2; by_exit++) {
    int before = hits;
    eo_pid pid = eo_spawn_monitor(with_cleanup, &by_exit, sizeof by_exit, &ref);
    if (!by_exit) signal_exit_to(pid, 2);
    CHECK(eo_receive_tag(&message, EO_DOWN, EO_FOREVER));
    check_down(&message, ref, pid, 2);
    CHECK(hits == before + 1); /* before anybody hears of the end */
  }
}

static void cleanups_run(void **state) {
  (void)state;
  run(cleanups, NULL);
}

/* ---- Misuse and assertions abort, and say why ------------------------------------------------------------------- */

static void send_never(void *argument) {
  (void)argument;
  eo_send(1234, PING, NULL, 0);
}

static void monitor_never(void *argument) {
  (void)argument;
  eo_monitor(77);
}

static void demonitor_foreign(void *argument) {
  (void)argument;
  eo_demonitor(eo_monitor(eo_self()) + 1, 0);
}

static void flush_foreign(void *argument) {
  (void)argument;
  eo_demonitor_flush(eo_monitor(eo_self()) + 1);
}

static bool bad_predicate(const eo_message *message, void *context) {
  (void)context;
  eo_send(message->from, PING, NULL, 0);
  return true;
}

static void predicate_acts(void *argument) {
  eo_message message;
  (void)argument;
  eo_send(eo_self(), PING, NULL, 0);
  eo_receive_if(&message, bad_predicate, NULL, 0);
}

static void negative_tag(void *argument) {
  (void)argument;
  eo_send(eo_self(), -3, NULL, 0);
}

static void asserts(void *argument) {
  (void)argument;
  eo_assert(eo_self() != 1, "number %d", 42);
}

static void act_while_ending(void *argument) {
  (void)argument;
  eo_send(eo_self(), PING, NULL, 0);
}

static void acts_while_ending(void *argument) {
  (void)argument;
  pthread_cleanup_push(act_while_ending, NULL);
  eo_exit(EO_NORMAL);
  pthread_cleanup_pop(0);
}

static void nested_run(void *argument) {
  (void)argument;
  eo_live_run(nothing, NULL);
}

/* Runs the function live in a child and returns its status; what it printed to stderr goes to `printed`. */
static int run_in_child(eo_function function, char *printed, size_t size) {
  int ends[2], status = 0;
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    _exit(eo_live_run(function, NULL) ? 1 : 0);
  }
  close(ends[1]);
  size_t length = 0;
  ssize_t got;
  while ((got = read(ends[0], printed + length, size - 1 - length)) > 0) length += (size_t)got;
  printed[length] = '\0';
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void failures_abort(void **state) {
  (void)state;
  static const struct {
    eo_function function;
    const char *text;
  } cases[] = {
      {send_never, "everyorder: misuse: eo_send: 1234 is not a process at "},
      {monitor_never, "everyorder: misuse: eo_monitor: 77 is not a process at "},
      {demonitor_foreign, "everyorder: misuse: eo_demonitor: not a monitor of this process at "},
      {flush_foreign, "everyorder: misuse: eo_demonitor_flush: not a monitor of this process at "},
      {predicate_acts, "everyorder: misuse: eo_send: called from a predicate, which must only look at "},
      {negative_tag, "everyorder: misuse: eo_send: negative tags are the library's own at "},
      {asserts, "everyorder: assertion: number 42 (eo_self() != 1 is false) at "},
      {acts_while_ending, "everyorder: misuse: eo_send: called by a destructor or a cleanup handler"},
      {nested_run, "everyorder: misuse: eo_live_run: called inside a process"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char printed[4096];
    int status = run_in_child(cases[i].function, printed, sizeof printed);
    bool said = strstr(printed, cases[i].text) && strstr(printed, " in process 1\n") && strstr(printed, ".c:");
    if (!said) fprintf(stderr, "expected: %s\nprinted: %s\n", cases[i].text, printed);
    assert_true(said);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

static void lets_child_fail(void *argument) {
  (void)argument;
  int reason = 8;
  eo_spawn(exit_now, &reason, sizeof reason);
}

static void unhandled_is_printed(void **state) {
  (void)state;
  char printed[4096];
  int status = run_in_child(lets_child_fail, printed, sizeof printed);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const char *line = "everyorder: process 2 ended with reason 8, and nobody was linked to it or monitored it";
  assert_true(strstr(printed, line) == printed && strchr(printed, '\n') == printed + strlen(printed) - 1);
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

enum { NODES = 200, ROUNDS = 500 };

/* Passes each DATA on to the next node of a ring, with one less to go. */
static void node(void *argument) {
  eo_message message;
  (void)argument;
  CHECK(eo_receive_tag(&message, GO, EO_FOREVER));
  eo_pid next = pid_in(&message);
  for (;;) {
    const int tags[] = {DATA, STOP};
    CHECK(eo_receive_tags(&message, tags, 2, EO_FOREVER));
    if (message.tag == STOP) return;
    int left = number_in(&message);
    if (left > 0)
      send_number(next, DATA, left - 1);
    else
      eo_send(1, PONG, NULL, 0);
  }
}

/* 200 tokens of 500 hops each: 100,000 messages. */
static void ring(void *argument) {
  (void)argument;
  static eo_pid nodes[NODES];
  eo_message message;
  for (int i = 0; i < NODES; i++) nodes[i] = eo_spawn_link(node, NULL, 0);
  for (int i = 0; i < NODES; i++) send_pid(nodes[i], GO, nodes[(i + 1) % NODES]);
  for (int i = 0; i < NODES; i++) send_number(nodes[i], DATA, ROUNDS - 1);
  for (int i = 0; i < NODES; i++) CHECK(eo_receive_tag(&message, PONG, EO_FOREVER));
  for (int i = 0; i < NODES; i++) eo_send(nodes[i], STOP, NULL, 0);
}

static void stress_ring(void **state) {
  (void)state;
  run(ring, NULL);
}

enum { SENDERS = 8, EACH = 2000 };

static void numbered(void *argument) {
  eo_pid to = *(eo_pid *)argument;
  for (int i = 0; i < EACH; i++) send_number(to, DATA, i);
}

static void fan_in(void *argument) {
  (void)argument;
  eo_pid me = eo_self(), first = 0;
  int next[SENDERS] = {0};
  eo_message message;
  for (int i = 0; i < SENDERS; i++) {
    eo_pid pid = eo_spawn(numbered, &me, sizeof me);
    if (i == 0) first = pid;
  }
  for (int i = 0; i < SENDERS * EACH; i++) {
    CHECK(eo_receive(&message, EO_FOREVER));
    size_t sender = (size_t)(message.from - first);
    CHECK(sender < SENDERS);
    if (sender < SENDERS) CHECK(number_in(&message) == next[sender]++);
  }
}

static void order_per_sender(void **state) {
  (void)state;
  run(fan_in, NULL);
}

/* Short-lived workers under links, monitors and names, killed at any moment: for the sanitizers. */
static void churner(void *argument) {
  int number = *(int *)argument;
  eo_message message;
  char name[16];
  snprintf(name, sizeof name, "c%d", number % 7);
  eo_register(name, eo_self());
  eo_trap_exit(eo_flip());
  eo_pid other = eo_whereis("c3");
  if (other != EO_NOBODY) eo_link(other);
  if (other != EO_NOBODY && eo_flip()) eo_demonitor(eo_monitor(other), EO_FLUSH);
  for (unsigned i = eo_choose(5); i > 0; i--) {
    eo_send(1 + eo_choose((unsigned)eo_self()), PING, name, sizeof name);
    eo_receive(&message, (int64_t)eo_choose(2));
  }
  if (eo_flip()) eo_exit((int)eo_choose(3));
}

static void churns(void *argument) {
  (void)argument;
  eo_message message;
  int running = 0;
  eo_ref ref;
  eo_trap_exit(true);
  for (int i = 0; i < 400; i++) {
    eo_spawn_monitor(churner, &i, sizeof i, &ref);
    if (++running < 40) continue;
    CHECK(eo_receive_tag(&message, EO_DOWN, EO_FOREVER));
    running--;
  }
  for (; running > 0; running--) CHECK(eo_receive_tag(&message, EO_DOWN, EO_FOREVER));
}

static void stress_churn(void **state) {
  (void)state;
  run(churns, NULL);
}

/* Two worlds at once have their own pids and names. */
static void own_world(void *argument) {
  (void)argument;
  for (int i = 0; i < 20; i++) {
    CHECK(eo_register("me", eo_self()));
    eo_sleep(1);
    CHECK(eo_self() == 1 && eo_whereis("me") == 1 && eo_unregister("me"));
  }
  eo_spawn(nothing, NULL, 0);
}

static void *run_world(void *argument) {
  (void)argument;
  CHECK(eo_live_run(own_world, NULL) == EO_NORMAL);
  return NULL;
}

static void two_worlds(void **state) {
  pthread_t other;
  (void)state;
  assert_int_equal(pthread_create(&other, NULL, run_world, NULL), 0);
  run(own_world, NULL);
  pthread_join(other, NULL);
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(return_reason),
      cmocka_unit_test(waits_for_all),
      cmocka_unit_test(spawn_copies_argument),
      cmocka_unit_test(selective_receive),
      cmocka_unit_test(predicate_sees_last_message),
      cmocka_unit_test(timeouts),
      cmocka_unit_test(send_to_dead),
      cmocka_unit_test(exit_spreads),
      cmocka_unit_test(trap_exit),
      cmocka_unit_test(link_to_dead),
      cmocka_unit_test(first_is_ended_by_signal),
      cmocka_unit_test(pending_signals),
      cmocka_unit_test(monitor_and_demonitor),
      cmocka_unit_test(kill_and_is_alive),
      cmocka_unit_test(monitor_and_try_names),
      cmocka_unit_test(link_and_monitor),
      cmocka_unit_test(watcher_ends_first),
      cmocka_unit_test(ends_of_many),
      cmocka_unit_test(names_live),
      cmocka_unit_test(send_to_no_name),
      cmocka_unit_test(names_while_growing),
      cmocka_unit_test(choose_in_range),
      cmocka_unit_test(cleanups_run),
      cmocka_unit_test(failures_abort),
      cmocka_unit_test(unhandled_is_printed),
      cmocka_unit_test(stress_ring),
      cmocka_unit_test(order_per_sender),
      cmocka_unit_test(stress_churn),
      cmocka_unit_test(two_worlds),
  };
  alarm(300); /* a lost wakeup is a failure, not a test that hangs */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
