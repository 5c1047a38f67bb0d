/* findings.c: one small test for each kind of finding, and tests of what must not be one.
 *
 * A section is headed by the kind that its tests show, in the first execution unless a comment says otherwise. Tests
 * named clean_ pass. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <everyorder.h>

enum { HELLO, DONE };

enum { SOME_REASON = 7 };

/* For what is done wrong on purpose: sanitizers shall not say so first. */
#define WRONG __attribute__((noinline, no_sanitize("undefined")))

static void hello_to_parent(void *argument) { eo_send(*(const eo_pid *)argument, HELLO, NULL, 0); }

static eo_pid spawn_hello(void) {
  const eo_pid self = eo_self();
  return eo_spawn(hello_to_parent, &self, sizeof(self));
}

static void wait_for(int tag) {
  eo_message message;
  eo_receive_tag(&message, tag, EO_FOREVER);
}

static void wait_for_ever(void *argument) {
  (void)argument;
  wait_for(HELLO);
}

/* ---- assertion -------------------------------------------------------------------------------------------------- */

EO_TEST(assertion_ours) { eo_assert(1 + 1 == 3, "one and one is %d", 1 + 1); }

EO_TEST(assertion_libc) {
  volatile int two = 2;
  assert(two == 3);
}

/* In one of the orders only: both children's messages are there, and the second child's came first. */
static void send_number(void *argument) {
  eo_send(((const eo_pid *)argument)[0], (int)((const eo_pid *)argument)[1], NULL, 0);
}

EO_TEST(assertion_in_some_orders) {
  eo_message message;
  for (eo_pid i = 1; i <= 2; i++) eo_spawn(send_number, ((const eo_pid[]){eo_self(), i}), 2 * sizeof(eo_pid));
  eo_receive(&message, EO_FOREVER);
  const int first = message.tag;
  eo_receive(&message, EO_FOREVER);
  eo_assert(first < message.tag, "%d came before %d", first, message.tag);
}

/* ---- crash ------------------------------------------------------------------------------------------------------ */

WRONG static void write_to(volatile int *address) { *address = 1; }

EO_TEST(crash_null_write) { write_to(NULL); }

static void crash_later(void *argument) {
  (void)argument;
  wait_for(HELLO);
  write_to(NULL);
}

/* In a child, after a few steps. */
EO_TEST(crash_in_a_child) { eo_send(eo_spawn(crash_later, NULL, 0), HELLO, NULL, 0); }

WRONG static int divide(int a, int b) { return a / b; }

/* SIGFPE. */
EO_TEST(crash_division_by_zero) {
  volatile int zero = 0, quotient = divide(10, zero);
  (void)quotient;
  volatile int raised = raise(SIGFPE); /* where dividing by zero does not trap; not a tail call */
  (void)raised;
}

EO_TEST(crash_abort) { abort(); }

/* SIGILL. */
EO_TEST(crash_illegal_instruction) {
#if defined(__x86_64__)
  __builtin_trap();
#else
  volatile int raised = raise(SIGILL); /* __builtin_trap is another signal here; not a tail call */
  (void)raised;
#endif
}

/* SIGBUS: memory mapped from an empty file. */
EO_TEST(crash_bus_error) {
  const int file = memfd_create("empty", 0);
  int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  eo_assert(file >= 0 && page != MAP_FAILED, "cannot map an empty file");
  write_to(page);
}

/* ---- stack overflow --------------------------------------------------------------------------------------------- */

/* Not a tail call, and not endless in the compiler's eyes. */
static int sum_to(volatile int n) {
  volatile char frame[100] = {(char)n};
  return n == 0 ? frame[0] : n + sum_to(n - 1);
}

EO_TEST(stack_overflow) {
  volatile int sum = sum_to(1000000);
  (void)sum;
}

static void overflow(void *argument) {
  (void)argument;
  volatile int sum = sum_to(1000000);
  (void)sum;
}

EO_TEST(stack_overflow_in_a_child) { eo_spawn(overflow, NULL, 0); }

/* ---- exit ------------------------------------------------------------------------------------------------------- */

EO_TEST(exit_called) { exit(0); }

EO_TEST(exit_called_without_cleanup) { _exit(3); }

/* ---- abnormal exit ---------------------------------------------------------------------------------------------- */

static void exit_with(void *argument) { eo_exit(*(const int *)argument); }

static const int some_reason = SOME_REASON;

/* Nobody is linked to the child or monitors it. */
EO_TEST(abnormal_exit) { eo_spawn(exit_with, &some_reason, sizeof(some_reason)); }

/* EO_BADARG. */
EO_TEST(abnormal_send_to_no_name) { eo_send_name("nobody", HELLO, NULL, 0); }

/* In one of two orders: the monitor may come too late. Then it is told EO_NOPROC, and the reason has reached nobody. */
EO_TEST(abnormal_before_monitor) {
  eo_message message;
  eo_monitor(eo_spawn(exit_with, &some_reason, sizeof(some_reason)));
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
}

/* ---- deadlock --------------------------------------------------------------------------------------------------- */

EO_TEST(deadlock_alone) { wait_for(HELLO); }

static void hello_both_ways(void *argument) {
  wait_for(HELLO);
  eo_send(*(const eo_pid *)argument, HELLO, NULL, 0);
}

/* Each waits for the other; the test's mailbox holds a message that it does not want. */
EO_TEST(deadlock_of_two) {
  const eo_pid self = eo_self();
  eo_spawn(hello_both_ways, &self, sizeof(self));
  eo_send(self, DONE, NULL, 0);
  wait_for(HELLO);
}

/* The test has ended, the child waits. */
EO_TEST(deadlock_left_behind) { eo_spawn(wait_for_ever, NULL, 0); }

/* ---- endless loop, depth ---------------------------------------------------------------------------------------- */

/* Between two operations: the watchdog ends it. */
EO_TEST(endless_private_loop) {
  volatile unsigned turns = 0;
  for (;;) turns = turns + 1;
}

/* No end of operations: it is cut off at --depth; a finding with --depth-fails. */
EO_TEST(endless_execution) {
  for (;;) {
    eo_send(eo_self(), HELLO, NULL, 0);
    wait_for(HELLO);
  }
}

/* ---- hidden sharing --------------------------------------------------------------------------------------------- */

static int hidden_counter;

static void count_hidden(void *argument) {
  hidden_counter++;
  hello_to_parent(argument);
}

/* Both children change the counter, and no message orders them. */
EO_TEST(sharing_unordered) {
  const eo_pid self = eo_self();
  eo_spawn(count_hidden, &self, sizeof(self));
  eo_spawn(count_hidden, &self, sizeof(self));
  wait_for(HELLO);
  wait_for(HELLO);
}

static void write_after_hello(void *argument) {
  (void)argument;
  wait_for(HELLO);
  hidden_counter = 1;
}

/* The child writes while the test, having woken it, reads. */
EO_TEST(sharing_write_and_read) {
  eo_send(eo_spawn(write_after_hello, NULL, 0), HELLO, NULL, 0);
  eo_send(eo_self(), HELLO, NULL, 0);
  wait_for(HELLO);
  volatile int seen = hidden_counter;
  (void)seen;
}

static int declared_counter;
EO_SHARED(declared_counter);

static void count_declared(void *argument) {
  declared_counter++;
  hello_to_parent(argument);
}

EO_TEST(clean_sharing_declared) {
  const eo_pid self = eo_self();
  eo_spawn(count_declared, &self, sizeof(self));
  eo_spawn(count_declared, &self, sizeof(self));
  wait_for(HELLO);
  wait_for(HELLO);
  eo_assert(declared_counter == 2, "expected 2, got %d", declared_counter);
}

/* The child's message comes after its write, and the test reads after the message. */
EO_TEST(clean_sharing_ordered) {
  const eo_pid self = eo_self();
  eo_spawn(count_hidden, &self, sizeof(self));
  wait_for(HELLO);
  eo_assert(hidden_counter == 1, "expected 1, got %d", hidden_counter);
}

static int read_only = 42;

static void read_it(void *argument) {
  eo_assert(read_only == 42, "expected 42, got %d", read_only);
  hello_to_parent(argument);
}

/* Written before there was anybody else, then only read. */
EO_TEST(clean_sharing_read_only) {
  const eo_pid self = eo_self();
  read_only = 42;
  eo_spawn(read_it, &self, sizeof(self));
  eo_spawn(read_it, &self, sizeof(self));
  wait_for(HELLO);
  wait_for(HELLO);
}

/* ---- misuse ----------------------------------------------------------------------------------------------------- */

EO_TEST(misuse_send_to_nobody) { eo_send(EO_NOBODY, HELLO, NULL, 0); }

EO_TEST(misuse_send_to_no_process) { eo_send((eo_pid)123456789, HELLO, NULL, 0); }

EO_TEST(misuse_negative_tag) { eo_send(eo_self(), -5, NULL, 0); }

EO_TEST(misuse_send_null) { eo_send(eo_self(), HELLO, NULL, 1); }

EO_TEST(misuse_spawn_null) { eo_spawn(NULL, NULL, 0); }

EO_TEST(misuse_choose_from_none) { eo_choose(0); }

EO_TEST(misuse_choose_fair_from_none) { eo_choose_fair(0); }

EO_TEST(misuse_fault_without_a_name) { eo_fault(""); }

EO_TEST(clean_but_for_two_faults) { /* --faults 1 is the default */
  bool first = eo_fault("disk"), second = eo_fault("disk");
  eo_assert(!(first && second), "both copies are lost");
}

EO_TEST(misuse_long_name) {
  char name[100];
  memset(name, 'x', sizeof(name) - 1);
  name[sizeof(name) - 1] = '\0';
  eo_register(name, eo_self());
}

EO_TEST(misuse_kill_nobody) { eo_kill(EO_NOBODY, EO_KILL); }

EO_TEST(misuse_is_alive_of_a_number) { eo_is_alive(1234567); }

EO_TEST(misuse_monitor_no_name) { eo_monitor_name(""); }

EO_TEST(misuse_try_send_negative_tag) { eo_try_send_name("name", -1, NULL, 0); }

static void monitor_parent(void *argument) {
  const eo_pid parent = *(const eo_pid *)argument;
  const eo_ref ref = eo_monitor(parent);
  eo_send(parent, HELLO, &ref, sizeof(ref));
}

EO_TEST(misuse_demonitor_anothers) {
  const eo_pid self = eo_self();
  eo_message message;
  eo_spawn(monitor_parent, &self, sizeof(self));
  eo_receive_tag(&message, HELLO, EO_FOREVER);
  eo_demonitor(*(const eo_ref *)message.data, 0);
}

static bool sends(const eo_message *message, void *context) {
  (void)context;
  eo_send(message->from, DONE, NULL, 0);
  return true;
}

EO_TEST(misuse_operation_in_predicate) {
  eo_message message;
  eo_send(eo_self(), HELLO, NULL, 0);
  eo_receive_if(&message, sends, NULL, EO_FOREVER);
}

static void free_it(void *volatile pointer) { free(pointer); }

/* A pointer that malloc did not give. */
EO_TEST(misuse_wild_free) {
  char *block = malloc(64);
  free_it(block + 8);
}

EO_TEST(misuse_double_free) {
  void *block = malloc(64);
  free_it(block);
  free_it(block);
}

/* ---- leak ------------------------------------------------------------------------------------------------------- */

/* With --leaks only; without, it passes. */
EO_TEST(leak) {
  char *volatile kept = malloc(100);
  memset(kept, 1, 100);
}

/* With --leaks as well. */
EO_TEST(clean_no_leak) {
  char *volatile kept = malloc(100);
  memset(kept, 1, 100);
  free(kept);
}

/* ---- outside ------------------------------------------------------------------------------------------------------ */

static void *do_nothing(void *argument) { return argument; }

EO_TEST(outside_thread) {
  pthread_t thread;
  pthread_create(&thread, NULL, do_nothing, NULL);
}

EO_TEST(outside_program) {
  if (system("true") != 0) eo_assert(false, "never comes back");
}

EO_TEST(outside_wait) {
  char byte;
  int ends[2];
  if (pipe(ends) == 0 && read(ends[0], &byte, 1) == 1) eo_assert(false, "never comes back");
}

/* Random numbers, clocks and sleeping are controlled: the same in every execution. */
EO_TEST(clean_outside) {
  const time_t start = time(NULL);
  srand(1);
  const int number = rand();
  sleep(60);
  srand(1);
  eo_assert(rand() == number && time(NULL) == start + 60, "a minute has passed, and nothing else");
}

/* ---- nondeterminism --------------------------------------------------------------------------------------------- */

/* rand, getrandom and /dev/urandom give the same numbers in every execution. A file can hold others each time. */
static uint32_t really_random(void) {
  char text[9] = "";
  const int file = open("/proc/sys/kernel/random/uuid", O_RDONLY);
  const ssize_t got = read(file, text, sizeof(text) - 1);
  eo_assert(got == (ssize_t)sizeof(text) - 1, "cannot read a random UUID");
  close(file);
  return (uint32_t)strtoul(text, NULL, 16);
}

/* It fails each time, but never twice in the same way. */
EO_TEST(nondeterminism_of_a_failure) {
  const uint32_t number = really_random();
  eo_assert(false, "drew %u", number);
}

/* Each bit decides what the next operation is. */
EO_TEST(nondeterminism_of_operations) {
  spawn_hello();
  const uint32_t number = really_random();
  for (int i = 0; i < 32; i++)
    if (number >> i & 1)
      eo_send(eo_self(), DONE, NULL, 0);
    else
      eo_whereis("nobody");
  wait_for(HELLO);
}

/* ---- clean: memory ---------------------------------------------------------------------------------------------- */

/* Statics begin anew in each execution. */
EO_TEST(clean_statics_are_reset) {
  static int runs;
  static char *kept;
  eo_assert(runs == 0 && kept == NULL, "%d executions before this one left traces", runs);
  runs++;
  kept = malloc(10);
  spawn_hello();
  wait_for(HELLO);
  eo_assert(runs == 1, "expected 1, got %d", runs);
}

static void fill(unsigned char *block, size_t size, unsigned seed) {
  for (size_t i = 0; i < size; i++) block[i] = (unsigned char)(seed + i * 7);
}

static void check(const unsigned char *block, size_t size, unsigned seed) {
  for (size_t i = 0; i < size; i++)
    eo_assert(block[i] == (unsigned char)(seed + i * 7), "byte %zu of %zu of block %u has changed", i, size, seed);
}

/* Allocates, grows, shrinks and frees blocks of all sizes, and looks whether each keeps its contents. */
static void churn(void *argument) {
  enum { BLOCKS = 16, TURNS = 300 };
  unsigned char *blocks[BLOCKS] = {NULL};
  size_t sizes[BLOCKS] = {0};
  unsigned seed = 1;
  for (int turn = 0; turn < TURNS; turn++) {
    seed = seed * 1103515245u + 12345u;
    const unsigned i = seed >> 16 & (BLOCKS - 1);
    const size_t size = (seed >> 20 & 0xfff) >> (seed >> 8 & 7);
    if (blocks[i] == NULL) {
      blocks[i] = calloc(size + 1, 1);
      sizes[i] = size + 1;
      for (size_t k = 0; k < sizes[i]; k++) eo_assert(blocks[i][k] == 0, "calloc gave a byte that is not 0");
    } else if (seed & 1u << 15) {
      check(blocks[i], sizes[i], i);
      free(blocks[i]);
      blocks[i] = NULL;
      continue;
    } else {
      const size_t kept = size + 1 < sizes[i] ? size + 1 : sizes[i];
      blocks[i] = realloc(blocks[i], size + 1);
      check(blocks[i], kept, i);
      sizes[i] = size + 1;
    }
    fill(blocks[i], sizes[i], i);
  }
  for (unsigned i = 0; i < BLOCKS; i++) {
    if (blocks[i] != NULL) check(blocks[i], sizes[i], i);
    free(blocks[i]);
  }
  hello_to_parent(argument);
}

EO_TEST(clean_malloc_churn) {
  const eo_pid self = eo_self();
  eo_spawn(churn, &self, sizeof(self));
  eo_spawn(churn, &self, sizeof(self));
  wait_for(HELLO);
  wait_for(HELLO);
}

static void large_frame(void *argument) {
  unsigned char frame[100 << 10];
  fill(frame, sizeof(frame), 3);
  hello_to_parent(argument); /* others run while it is on the stack */
  check(frame, sizeof(frame), 3);
}

EO_TEST(clean_large_stacks) {
  const eo_pid self = eo_self();
  unsigned char frame[100 << 10];
  fill(frame, sizeof(frame), 5);
  eo_spawn(large_frame, &self, sizeof(self));
  wait_for(HELLO);
  check(frame, sizeof(frame), 5);
}

EO_TEST(clean_deep_recursion) {
  const int sum = sum_to(500);
  spawn_hello();
  wait_for(HELLO);
  eo_assert(sum == 500 * 501 / 2, "expected %d, got %d", 500 * 501 / 2, sum);
}

enum { BIG = 1 << 20 };

static void send_big(void *argument) {
  unsigned char *block = malloc(BIG);
  fill(block, BIG, 9);
  eo_send(*(const eo_pid *)argument, HELLO, block, BIG);
  memset(block, 0, BIG); /* the message is a copy */
  free(block);
}

EO_TEST(clean_big_message) {
  const eo_pid self = eo_self();
  eo_message message;
  eo_spawn(send_big, &self, sizeof(self));
  eo_receive_tag(&message, HELLO, EO_FOREVER);
  eo_assert(message.size == BIG, "expected %d bytes, got %zu", BIG, message.size);
  check(message.data, BIG, 9);
}

/* ---- clean: links and monitors ---------------------------------------------------------------------------------- */

/* The first of a chain of linked processes, each of which has started the next; the last one fails. */
static void chain(void *argument) {
  int length = *(const int *)argument;
  if (--length == 0) eo_exit(SOME_REASON);
  eo_spawn_link(chain, &length, sizeof(length));
  wait_for(HELLO);
}

EO_TEST(clean_links_spread_the_reason) {
  const int length = 3;
  eo_message message;
  eo_trap_exit(true);
  const eo_pid first = eo_spawn_link(chain, &length, sizeof(length));
  eo_receive(&message, EO_FOREVER);
  const eo_exit_info *info = message.data;
  eo_assert(message.tag == EO_EXIT, "expected EO_EXIT, got tag %d", message.tag);
  eo_assert(info->pid == first && info->reason == SOME_REASON, "expected reason %d, got %d", SOME_REASON, info->reason);
}

/* A normal exit does not end who is linked. */
EO_TEST(clean_normal_exit_does_not_spread) {
  const eo_pid self = eo_self();
  eo_ref ref;
  eo_message message;
  const eo_pid child = eo_spawn_link(hello_to_parent, &self, sizeof(self));
  wait_for(HELLO);
  ref = eo_monitor(child);
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
  const eo_down_info *down = message.data;
  eo_assert(down->ref == ref && down->pid == child, "DOWN of another");
  eo_assert(down->reason == EO_NORMAL || down->reason == EO_NOPROC, "got reason %d", down->reason);
}

EO_TEST(clean_trap_exit) {
  eo_message message;
  bool before = eo_trap_exit(true);
  eo_assert(!before, "exits are not trapped at the start");
  const eo_pid child = eo_spawn_link(exit_with, &some_reason, sizeof(some_reason));
  eo_receive_tag(&message, EO_EXIT, EO_FOREVER);
  const eo_exit_info info = *(const eo_exit_info *)message.data;
  eo_assert(info.pid == child && info.reason == SOME_REASON, "expected %d, got %d", SOME_REASON, info.reason);
  eo_link(child); /* it has ended */
  eo_receive_tag(&message, EO_EXIT, EO_FOREVER);
  eo_assert(((const eo_exit_info *)message.data)->reason == EO_NOPROC, "expected EO_NOPROC");
  before = eo_trap_exit(false);
  eo_assert(before, "exits were trapped");
}

/* The link ends before the child does. */
EO_TEST(clean_unlink) {
  eo_ref ref;
  eo_message message;
  const eo_pid child = eo_spawn_link(wait_for_ever, NULL, 0);
  eo_unlink(child);
  ref = eo_monitor(child);
  eo_send(child, HELLO, NULL, 0);
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
  eo_assert(((const eo_down_info *)message.data)->ref == ref, "DOWN of another monitor");
}

EO_TEST(clean_spawn_monitor) {
  eo_ref ref;
  eo_message message;
  const eo_pid child = eo_spawn_monitor(exit_with, &some_reason, sizeof(some_reason), &ref);
  eo_receive(&message, EO_FOREVER);
  const eo_down_info *down = message.data;
  eo_assert(message.tag == EO_DOWN && down->ref == ref && down->pid == child, "expected DOWN of the child");
  eo_assert(down->reason == SOME_REASON, "expected reason %d, got %d", SOME_REASON, down->reason);
}

/* Whether the child ends before or after, no DOWN message is left. */
EO_TEST(clean_demonitor_flush) {
  eo_message message;
  const eo_pid child = spawn_hello();
  eo_demonitor(eo_monitor(child), EO_FLUSH);
  wait_for(HELLO);
  const bool got = eo_receive(&message, 0);
  eo_assert(!got, "got a message with tag %d", message.tag);
}

enum { WATCHED = 3 };

static void nothing(void *argument) { (void)argument; }

static void watch(eo_ref refs[WATCHED]) {
  for (int i = 0; i < WATCHED; i++) eo_spawn_monitor(nothing, NULL, 0, &refs[i]);
}

/* Nobody can tell which of the children have ended by then. */
EO_TEST(clean_flush_tells_nothing) {
  eo_ref refs[WATCHED];
  eo_message message;
  watch(refs);
  for (int i = 0; i < WATCHED; i++) eo_demonitor_flush(refs[i]);
  const bool got = eo_receive(&message, 0);
  eo_assert(!got, "got a message with tag %d", message.tag);
}

/* The result tells, of each. */
EO_TEST(clean_flush_tells) {
  eo_ref refs[WATCHED];
  watch(refs);
  for (int i = 0; i < WATCHED; i++) eo_demonitor(refs[i], EO_FLUSH);
}

/* A receive before the flush can tell: of each, its DOWN is taken or not. */
EO_TEST(clean_flush_after_a_look) {
  eo_ref refs[WATCHED];
  eo_message message;
  watch(refs);
  for (int i = 0; i < WATCHED; i++) {
    const bool got = eo_receive_tag(&message, EO_DOWN, 0);
    if (got && ((const eo_down_info *)message.data)->ref != refs[i]) return;
    eo_demonitor_flush(refs[i]);
  }
}

static void fail_unless_watched(void *argument) {
  (void)argument;
  eo_exit(SOME_REASON);
}

/* An end that is not normal is noticed only if it comes first. */
EO_TEST(abnormal_after_flush) {
  eo_ref ref;
  eo_spawn_monitor(fail_unless_watched, NULL, 0, &ref);
  eo_demonitor_flush(ref);
}

EO_TEST(clean_names) {
  const eo_pid child = eo_spawn(wait_for_ever, NULL, 0);
  const bool first = eo_register("child", child), second = eo_register("child", eo_self());
  eo_assert(first && !second, "a name is given once");
  const eo_pid found = eo_whereis("child"), nobody = eo_whereis("nobody");
  eo_assert(found == child && nobody == EO_NOBODY, "names lead to their processes");
  eo_send_name("child", HELLO, NULL, 0);
  const eo_ref ref = eo_monitor(child);
  eo_message message;
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
  eo_assert(((const eo_down_info *)message.data)->ref == ref, "DOWN of another monitor");
  const bool gone = !eo_unregister("child");
  eo_assert(gone, "a process that ends loses its name");
}

/* ---- clean: ends that others decide ------------------------------------------------------------------------------ */

static void expect_down(eo_ref ref, eo_pid pid, int reason) {
  eo_message message;
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
  const eo_down_info down = *(const eo_down_info *)message.data;
  eo_assert(down.ref == ref && down.pid == pid, "DOWN of another");
  eo_assert(down.reason == reason, "expected reason %d, got %d", reason, down.reason);
}

/* Whatever the child is about to do, it does not do it. (Where signals travel, the second look may come before the signal arrives:
 * then this fails, as clean_killed_at_once does.) */
EO_TEST(clean_kill) {
  const eo_pid child = eo_spawn(wait_for_ever, NULL, 0);
  const eo_ref ref = eo_monitor(child);
  const bool before = eo_is_alive(child);
  eo_kill(child, SOME_REASON);
  const bool after = eo_is_alive(child);
  eo_assert(before && !after, "alive until it is killed, and no longer");
  eo_send(child, HELLO, NULL, 0);
  expect_down(ref, child, SOME_REASON);
  eo_kill(child, SOME_REASON); /* it has ended */
}

/* Nobody is linked to it or monitors it, but somebody wanted it. */
EO_TEST(clean_kill_is_no_finding) { eo_kill(eo_spawn(wait_for_ever, NULL, 0), SOME_REASON); }

static void kill_parent(void *argument) { eo_kill(*(const eo_pid *)argument, SOME_REASON); }

EO_TEST(clean_kill_trapped) {
  const eo_pid self = eo_self();
  eo_message message;
  eo_trap_exit(true);
  const eo_pid child = eo_spawn(kill_parent, &self, sizeof(self));
  eo_receive_tag(&message, EO_EXIT, EO_FOREVER);
  const eo_exit_info *info = message.data;
  eo_assert(message.from == child && info->pid == child, "the signal of another");
  eo_assert(info->reason == SOME_REASON, "expected reason %d, got %d", SOME_REASON, info->reason);
}

static void trap_and_wait(void *argument) {
  eo_message message;
  (void)argument;
  eo_trap_exit(true);
  eo_receive_tag(&message, HELLO, EO_FOREVER);
}

/* Whether the child traps exits by then or not. */
EO_TEST(clean_kill_cannot_be_trapped) {
  const eo_pid child = eo_spawn(trap_and_wait, NULL, 0);
  const eo_ref ref = eo_monitor(child);
  eo_kill(child, EO_NORMAL); /* which ends nobody else */
  eo_kill(child, EO_KILL);
  expect_down(ref, child, EO_KILLED);
}

static void end_itself(void *argument) {
  (void)argument;
  eo_kill(eo_self(), EO_NORMAL);
  eo_assert(false, "goes on after its own end");
}

EO_TEST(clean_kill_itself) {
  eo_ref ref;
  const eo_pid child = eo_spawn_monitor(end_itself, NULL, 0, &ref);
  expect_down(ref, child, EO_NORMAL);
}

/* The monitor was there exactly if its DOWN has not been sent. */
EO_TEST(clean_demonitor_says) {
  eo_message message;
  const eo_pid child = spawn_hello();
  const eo_ref ref = eo_monitor(child);
  const bool was_there = eo_demonitor(ref, 0), got = eo_receive_tag(&message, EO_DOWN, 0);
  eo_assert(was_there != got, "either the monitor or its DOWN");
  const bool again = eo_demonitor(ref, EO_FLUSH);
  eo_assert(!again, "it was ended before");
  wait_for(HELLO);
}

/* The same where the DOWN may be on its way behind an exit signal, which --delivery fifo and causal do not let it overtake: then the
 * monitor is there, and the DOWN never arrives. */
EO_TEST(clean_demonitor_says_linked) {
  eo_message message;
  const eo_pid self = eo_self(), child = eo_spawn_link(hello_to_parent, &self, sizeof(self));
  const eo_ref ref = eo_monitor(child);
  const bool was_there = eo_demonitor(ref, 0), got = eo_receive_tag(&message, EO_DOWN, 0);
  eo_assert(was_there != got, "either the monitor or its DOWN");
  wait_for(HELLO);
  const bool later = eo_receive_tag(&message, EO_DOWN, 0);
  eo_assert(!later, "a DOWN after the end of its monitor");
}

EO_TEST(clean_monitor_name) {
  const eo_pid child = eo_spawn(wait_for_ever, NULL, 0);
  expect_down(eo_monitor_name("child"), EO_NOBODY, EO_NOPROC);
  eo_register("child", child);
  const eo_ref ref = eo_monitor_name("child");
  eo_send(child, HELLO, NULL, 0);
  expect_down(ref, child, EO_NORMAL);
}

EO_TEST(clean_try_send_name) {
  const eo_pid child = eo_spawn(wait_for_ever, NULL, 0);
  const bool early = eo_try_send_name("child", HELLO, NULL, 0);
  eo_register("child", child);
  const bool sent = eo_try_send_name("child", HELLO, NULL, 0);
  eo_assert(!early && sent, "it is sent when somebody has the name");
}

/* ---- clean: receives, time, choices ----------------------------------------------------------------------------- */

/* A selective receive leaves what it skips, in order. */
EO_TEST(clean_selective_receive) {
  const int wanted[] = {5, 3};
  eo_message message;
  for (int tag = 1; tag <= 5; tag++) eo_send(eo_self(), tag, NULL, 0);
  eo_receive_tags(&message, wanted, 2, EO_FOREVER);
  eo_assert(message.tag == 3, "the older one comes first, got %d", message.tag);
  eo_receive_tag(&message, 4, EO_FOREVER);
  for (int k = 0; k < 3; k++) {
    const int rest[] = {1, 2, 5};
    eo_receive(&message, EO_FOREVER);
    eo_assert(message.tag == rest[k], "expected %d, got %d", rest[k], message.tag);
  }
}

EO_TEST(clean_timeout_zero) {
  eo_message message;
  bool got = eo_receive(&message, 0);
  eo_assert(!got && message.data == NULL, "the mailbox is empty");
  eo_send(eo_self(), HELLO, NULL, 0);
  got = eo_receive_tag(&message, DONE, 0);
  eo_assert(!got, "nothing matches");
  got = eo_receive(&message, 0);
  eo_assert(got && message.tag == HELLO, "one message is there");
}

static void hello_then_done(void *argument) {
  const eo_pid to = *(const eo_pid *)argument;
  eo_send(to, HELLO, NULL, 0);
  eo_send(to, DONE, NULL, 0);
}

static void expect_now(int tag) {
  eo_message message;
  const bool got = eo_receive_tag(&message, tag, 0);
  eo_assert(got, "timed out on a message that was sent before one that has arrived");
}

/* What a sender has sent before a message that is here is here as well; not under --delivery async. */
EO_TEST(clean_timeout_in_order) {
  const eo_pid self = eo_self();
  eo_spawn(hello_then_done, &self, sizeof(self));
  wait_for(DONE);
  expect_now(HELLO);
}

static void end_when_told(void *argument) {
  wait_for(HELLO);
  eo_exit(*(const int *)argument);
}

static void tell_and_end(void *argument) {
  const eo_pid other = *(const eo_pid *)argument;
  eo_link(other);
  eo_send(other, HELLO, NULL, 0);
  eo_exit(4);
}

/* Of two that are linked, the one that ends first ends the other; but where its signal travels, not with --delivery mailbox, the
 * other may have ended for a reason of its own before that arrives. */
EO_TEST(clean_linked_end_alike) {
  const int reason = 3;
  int reasons[2];
  eo_ref ref;
  const eo_pid first = eo_spawn_monitor(end_when_told, &reason, sizeof(reason), &ref);
  eo_spawn_monitor(tell_and_end, &first, sizeof(first), &ref);
  for (int i = 0; i < 2; i++) {
    eo_message message;
    eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
    reasons[i] = ((const eo_down_info *)message.data)->reason;
  }
  eo_assert(reasons[0] == reasons[1], "they end for the reasons %d and %d", reasons[0], reasons[1]);
}

static void never_told(void *argument) {
  (void)argument;
  wait_for(HELLO);
  eo_assert(false, "told after it was killed");
}

/* What was sent after a signal does not overtake it; only with --delivery async it can. */
EO_TEST(clean_killed_before_it_is_told) {
  const eo_pid other = eo_spawn(never_told, NULL, 0);
  eo_kill(other, 3);
  eo_send(other, HELLO, NULL, 0);
}

/* A process is alive until the signal has arrived, which is at once with --delivery mailbox alone. */
EO_TEST(clean_killed_at_once) {
  const eo_pid other = eo_spawn(wait_for_ever, NULL, 0);
  eo_kill(other, EO_KILL);
  eo_assert(!eo_is_alive(other), "the signal is still on its way");
}

static void done_after_hello(void *argument) {
  wait_for(HELLO);
  eo_send(*(const eo_pid *)argument, DONE, NULL, 0);
}

static void hello_to_two(void *argument) {
  const eo_pid *to = argument;
  eo_send(to[0], HELLO, NULL, 0);
  eo_send(to[1], HELLO, NULL, 0);
}

/* So is what had been sent when the sender of that message was told; not under --delivery fifo either. */
EO_TEST(clean_timeout_in_causal_order) {
  const eo_pid self = eo_self(), to[2] = {self, eo_spawn(done_after_hello, &self, sizeof(self))};
  eo_spawn(hello_to_two, to, sizeof(to));
  wait_for(DONE);
  expect_now(HELLO);
}

/* The message may come in time or not; both happen. */
EO_TEST(clean_timeout_finite) {
  eo_message message;
  spawn_hello();
  if (eo_receive_tag(&message, HELLO, 50)) return;
  eo_assert(eo_now() >= 50, "it is %llu ms", (unsigned long long)eo_now());
  wait_for(HELLO);
}

EO_TEST(clean_sleep) {
  const uint64_t before = eo_now();
  eo_sleep(1000);
  eo_assert(eo_now() >= before + 1000, "it is %llu ms", (unsigned long long)eo_now());
}

/* 3 times 2 executions. */
EO_TEST(clean_choose) {
  const unsigned three = eo_choose(3);
  const bool two = eo_flip();
  eo_assert(three < 3 && (two || !two), "got %u", three);
}

EO_TEST(clean_choose_fair) {
  const unsigned three = eo_choose_fair(3);
  const bool two = eo_flip_fair();
  eo_assert(three < 3 && (two || !two), "got %u", three);
}

/* In one of 4 times 4. */
EO_TEST(assertion_of_a_choice) {
  const unsigned a = eo_choose(4), b = eo_choose(4);
  eo_assert(a * b != 9, "%u times %u is 9", a, b);
}

static void spoil_errno(void *argument) {
  errno = ERANGE;
  hello_to_parent(argument);
  eo_assert(errno == ERANGE, "expected %d, got %d", ERANGE, errno);
}

/* Each process has its own errno. */
EO_TEST(clean_errno) {
  const eo_pid self = eo_self();
  eo_spawn(spoil_errno, &self, sizeof(self));
  wait_for(HELLO);
  eo_assert(errno == 0, "expected 0, got %d", errno);
}

/* ---- unhandled -------------------------------------------------------------------------------------------------- */

static const char *event_name(int event) { return event == HELLO ? "HELLO" : event == DONE ? "DONE" : NULL; }

static void answer_done(void *self, const eo_message *event) {
  (void)self;
  eo_send(event->from, DONE, NULL, 0);
}

static const eo_machine greeter = {
    .name = "greeter", .event_name = event_name, EO_STATES({.name = "ready", .on = EO_ON(EO_DO(HELLO, answer_done))})};

EO_TEST(unhandled) { eo_send(eo_create(&greeter, NULL, 0), DONE, NULL, 0); }

EO_TEST(clean_machine) {
  eo_send(eo_create(&greeter, NULL, 0), HELLO, NULL, 0);
  wait_for(DONE); /* the greeter rests for ever, which is no deadlock */
}

/* ---- liveness --------------------------------------------------------------------------------------------------- */

enum { QUIET, EXPECTING };

static const eo_machine polite = {
    .name = "polite",
    .event_name = event_name,
    .start = QUIET,
    EO_OBSERVES(HELLO, DONE),
    EO_STATES([QUIET] = {.name = "quiet", .on = EO_ON(EO_GOTO(HELLO, EXPECTING), EO_IGNORE(DONE))},
              [EXPECTING] = {.name = "expecting", .hot = true, .on = EO_ON(EO_GOTO(DONE, QUIET), EO_IGNORE(HELLO))})};

/* Nobody answers. */
EO_TEST(liveness) {
  eo_specify(&polite, NULL, 0);
  eo_announce(HELLO, NULL, 0);
}

static void greet_back(void *self, const eo_message *event) {
  (void)self;
  eo_send(event->from, HELLO, NULL, 0);
}

static const eo_machine parrot = {
    .name = "parrot", .event_name = event_name, EO_STATES({.name = "ready", .on = EO_ON(EO_DO(HELLO, greet_back))})};

/* It greets another one, which greets it, for ever. */
EO_TEST(liveness_in_a_circle) {
  eo_specify(&polite, NULL, 0);
  eo_send(eo_create(&parrot, NULL, 0), HELLO, NULL, 0);
  eo_become(&parrot, NULL, 0);
}

static void talk_to_itself(void *self, const eo_message *event) {
  (void)self;
  (void)event;
  eo_send(eo_self(), HELLO, NULL, 0);
}

static const eo_machine talker = {
    .name = "talker",
    .event_name = event_name,
    EO_STATES({.name = "talking", .entry = talk_to_itself, .on = EO_ON(EO_DO(HELLO, talk_to_itself))})};

/* Two, each by itself, for ever. */
EO_TEST(liveness_of_two_apart) {
  eo_specify(&polite, NULL, 0);
  for (int i = 0; i < 2; i++) eo_create(&talker, NULL, 0);
}

static void look_at_the_clock(void *self, const eo_message *event) {
  (void)event;
  if (!eo_flip()) return;
  eo_announce(DONE, NULL, 0);
  eo_halt(self);
}

static const eo_machine timer = {.name = "timer",
                                 .event_name = event_name,
                                 EO_STATES({.name = "on", .on = EO_ON(EO_DO(EO_NULL, look_at_the_clock))})};

/* It may say "not yet" for ever. */
EO_TEST(liveness_of_a_timer) {
  eo_specify(&polite, NULL, 0);
  eo_announce(HELLO, NULL, 0);
  eo_create(&timer, NULL, 0);
}

EO_TEST(clean_liveness) {
  eo_specify(&polite, NULL, 0);
  eo_send(eo_create(&greeter, NULL, 0), HELLO, NULL, 0);
  wait_for(DONE);
}

static void greet_from_there(void *self, const eo_message *event) {
  (void)self;
  eo_send(event->from, HELLO, NULL, 0);
}

static const eo_machine meddler = {
    .name = "meddler", EO_OBSERVES(HELLO), EO_STATES({.name = "ready", .on = EO_ON(EO_DO(HELLO, greet_from_there))})};

EO_TEST(misuse_send_in_a_specification) {
  eo_specify(&meddler, NULL, 0);
  eo_announce(HELLO, NULL, 0);
}

static void write_there(void *argument) {
  int *cell = *(int **)argument;
  eo_sleep(1);
  *cell = 1;
}

/* A child changes what its parent has allocated, and the parent reads it. */
EO_TEST(sharing_heap) {
  int *cell = calloc(1, sizeof(*cell));
  eo_spawn(write_there, &cell, sizeof(cell));
  eo_sleep(1);
  volatile int seen = *cell;
  (void)seen;
}

EO_TEST(sharing_stack) {
  int local = 0, *cell = &local;
  eo_spawn(write_there, &cell, sizeof(cell));
  eo_sleep(1);
  *(volatile int *)cell = 2;
}

static void read_and_free(void *argument) {
  (void)argument;
  eo_message message;
  eo_receive(&message, EO_FOREVER);
  int *cell = *(int *const *)message.data;
  eo_assert(*cell == 3, "it is %d", *cell);
  free(cell);
}

EO_TEST(clean_sharing_handed_over) {
  int *cell = malloc(sizeof(*cell));
  *cell = 3;
  eo_send(eo_spawn(read_and_free, NULL, 0), HELLO, &cell, sizeof(cell));
  eo_sleep(1);
}

static void read_too_much(void *argument) {
  (void)argument;
  eo_message message;
  eo_receive(&message, EO_FOREVER);
  volatile long long value = *(const long long *)message.data;
  (void)value;
}

/* Four bytes are sent, and eight are read. */
EO_TEST(out_of_bounds_message) {
  int value = 7;
  eo_send(eo_spawn(read_too_much, NULL, 0), HELLO, &value, sizeof(value));
}

static void read_two(void *argument) {
  volatile int value = ((int *)argument)[1];
  (void)value;
}

EO_TEST(out_of_bounds_argument) {
  int value = 7;
  eo_spawn(read_two, &value, sizeof(value));
}

static void read_the_first(void *argument) {
  (void)argument;
  eo_message first, second;
  eo_receive(&first, EO_FOREVER);
  eo_receive(&second, EO_FOREVER);
  volatile int value = *(const int *)first.data;
  (void)value;
}

/* The data of a message is gone when its process receives again. */
EO_TEST(out_of_bounds_gone) {
  const eo_pid reader = eo_spawn(read_the_first, NULL, 0);
  for (int i = 0; i < 2; i++) eo_send(reader, HELLO, &i, sizeof(i));
}
