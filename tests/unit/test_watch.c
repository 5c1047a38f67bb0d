/* test_watch.c: two processes that are plain functions, run between enter and leave, with real faults and traps. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <everyorder.h>

#include "subjects/actor/capture.h"
#include "subjects/actor/symbols.h"
#include "subjects/actor/watch.h"

EO_OWN static eo_capture *capture;
EO_OWN static eo_watch *watch;
EO_OWN static volatile unsigned faults, traps;
EO_OWN static volatile int sink;

/* All in one page, in whichever order a compiler lays out variables: so by the assembler. */
#define IN_PAGE(name, size) \
  ".type " #name ", @object\n\t.size " #name ", " #size "\n\t.balign 8\n" #name ":\n\t.zero " #size "\n\t"
__asm__(".pushsection watched, \"aw\", @progbits\n\t.balign 4096\n\t" IN_PAGE(counter, 4) IN_PAGE(other, 4)
            IN_PAGE(bytes, 64) IN_PAGE(table, 800) ".balign 4096\n\t.popsection");
#define HIDDEN __attribute__((visibility("hidden")))
extern HIDDEN volatile int counter, other;
extern HIDDEN volatile char bytes[64];
extern HIDDEN volatile long table[100];

/* In a page of its own, declared. */
static volatile int declared __attribute__((aligned(EO_PAGE)));
static volatile char rest_of_page[EO_PAGE] __attribute__((aligned(EO_PAGE)));

static void on_signal(int number, siginfo_t *info, void *context) {
  if (number == SIGTRAP) {
    traps++;
    if (eo__watch_trap(watch, context)) return;
  } else {
    faults++;
    if (eo__watch_fault(watch, info->si_addr, context)) return;
    if (eo__capture_fault(capture, info->si_addr, context)) return;
  }
  static const char text[] = "unexpected signal\n";
  if (write(2, text, sizeof(text) - 1) < 0) _exit(98);
  _exit(99);
}

static void install(void) {
  EO_OWN static char stack[1 << 16];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  assert_int_equal(sigaltstack(&alternate, NULL), 0);
  assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
  assert_int_equal(sigaction(SIGTRAP, &action, NULL), 0);
}

typedef void (*test_function)(void);

static void with_watch(void **state) {
  eo_error error;
  install();
  eo__watch_close(watch); /* of a test that failed */
  eo__capture_close(capture);
  watch = NULL;
  if (eo__capture_open(&capture, &error)) fail_msg("%s", error.text);
  if (!eo__capture_has_globals(capture)) skip(); /* built for coverage */
  if (eo__watch_open(&watch, capture, &error)) fail_msg("%s", error.text);
  (*(test_function *)*state)();
  eo__watch_reset(watch);
  eo__capture_reset(capture);
  eo__watch_close(watch);
  eo__capture_close(capture);
  watch = NULL;
  capture = NULL;
}

__attribute__((noinline)) static void write_counter(void) { counter = 1; }
__attribute__((noinline)) static void write_counter_again(void) {
  sink = counter; /* a read and then a write, not one instruction that does both */
  counter = sink + 1;
}
__attribute__((noinline)) static void read_counter(void) { sink = counter; }
__attribute__((noinline)) static void write_other(void) { other = 5; }
__attribute__((noinline)) static void read_other(void) { sink = other; }
__attribute__((noinline)) static void write_bytes(void) { memset((char *)bytes, 7, sizeof(bytes)); }
__attribute__((noinline)) static void read_bytes(void) { sink = bytes[40]; }
__attribute__((noinline)) static void read_table(void) {
  for (unsigned round = 0; round < 20; round++) {
    for (unsigned i = 0; i < 100; i++) sink = (int)table[i];
  }
}
__attribute__((noinline)) static void write_declared(void) { declared = declared + 1; }
static volatile int initialised = 3;
__attribute__((noinline)) static void write_initialised(void) { initialised = 4; }
__attribute__((noinline)) static void read_initialised(void) { sink = initialised; }
__attribute__((noinline)) static void nothing(void) {}

static void run(uint32_t process, uint32_t step, test_function function) {
  eo_watch_enter(watch, process, EO_SLOTS, step);
  function();
  eo_watch_leave(watch);
}

static void expect(const char *variable, uint32_t first, uint32_t first_step, bool first_write, uint32_t second,
                   uint32_t second_step, bool second_write) {
  eo_sharing sharing;
  assert_true(eo__watch_next(watch, &sharing));
  assert_string_equal(sharing.variable, variable);
  assert_int_equal(sharing.first.process, first);
  assert_int_equal(sharing.first.step, first_step);
  assert_int_equal(sharing.first.write, first_write);
  assert_int_equal(sharing.second.process, second);
  assert_int_equal(sharing.second.step, second_step);
  assert_int_equal(sharing.second.write, second_write);
}

static void expect_none(void) {
  eo_sharing sharing;
  if (eo__watch_next(watch, &sharing)) {
    fail_msg("%s: %u at %u, %u at %u", sharing.variable, sharing.first.process, sharing.first.step,
             sharing.second.process, sharing.second.step);
  }
}

/* ---- Tests ---------------------------------------------------------------------------------------------------- */

static void a_write_and_a_read_meet(void) {
  run(1, 1, write_counter);
  expect_none();
  run(2, 2, read_counter);
  expect("counter", 1, 1, true, 2, 2, false);
  expect_none();
  assert_int_equal(sink, 1);
}

static void two_writes_meet(void) {
  run(1, 1, write_counter);
  run(2, 2, write_counter_again);
  expect("counter", 1, 1, true, 2, 2, false);
  expect_none(); /* that it also writes it is the same pair of steps */
  assert_int_equal(counter, 2);
  run(1, 3, write_counter);
  expect("counter", 2, 2, true, 1, 3, true);
  expect_none();
}

static void the_latest_conflicting_access_counts(void) {
  run(1, 1, write_counter);
  run(1, 4, write_counter_again);
  run(2, 5, read_counter);
  expect("counter", 1, 4, true, 2, 5, false);
  run(1, 6, write_counter_again);
  expect("counter", 2, 5, false, 1, 6, true);
  expect_none();
}

static void other_variables_of_the_page_do_not_count(void) {
  run(1, 1, write_counter);
  run(2, 2, read_other);
  run(3, 3, write_other);
  run(1, 4, read_counter);
  expect("other", 2, 2, false, 3, 3, true);
  expect_none();
  assert_int_equal(other, 5);
  assert_int_equal(counter, 1);
}

static void variables_next_to_the_table_of_calls_count(void) {
  run(1, 1, write_initialised);
  run(2, 2, read_initialised);
  expect("initialised", 1, 1, true, 2, 2, false);
  expect_none();
}

static void reads_alone_do_not_count(void) {
  run(1, 1, write_counter);
  run(2, 2, read_other);
  run(3, 3, read_other);
  expect_none();
}

static void a_process_may_use_what_it_changed(void) {
  run(1, 1, write_counter);
  run(1, 2, write_counter_again);
  run(2, 3, nothing);
  run(1, 4, read_counter);
  expect_none();
}

static void every_byte_of_an_array_counts(void) {
  run(1, 1, write_bytes);
  run(2, 2, read_bytes);
  expect("bytes", 1, 1, true, 2, 2, false);
  expect_none();
  run(2, 3, write_bytes);
  expect("bytes", 1, 1, true, 2, 3, true);
  expect_none();
}

static void much_used_pages_stay_open(void) {
  run(1, 1, write_counter);
  faults = 0;
  run(2, 2, read_table);
  assert_true(faults < 400);
  run(2, 3, read_counter); /* and are closed again */
  expect("counter", 1, 1, true, 2, 3, false);
  expect_none();
}

static void declared_variables_are_left_alone(void) {
  rest_of_page[0] = 0;
  run(1, 1, write_declared);
  run(2, 2, write_declared);
  assert_int_equal(declared, 2);
  expect_none();
}

static void precise_mode_knows_both_places(void) {
  eo_sharing sharing;
  eo__watch_precise(watch, true);
  run(1, 1, write_counter);
  run(1, 2, read_other);
  run(2, 3, write_counter_again);
  assert_true(eo__watch_next(watch, &sharing));
  assert_string_equal(sharing.variable, "counter");
  eo_symbols *symbols = eo__symbols_open();
  eo_source source;
  assert_true(eo__symbols_source(symbols, sharing.first.pc, &source));
  assert_string_equal(source.function, "write_counter");
  assert_true(eo__symbols_source(symbols, sharing.second.pc, &source));
  assert_string_equal(source.function, "write_counter_again");
  eo__symbols_close(symbols);
#if defined(__x86_64__)
  run(3, 4, write_other); /* the owner's read of step 2 was seen as well */
  expect("other", 1, 2, false, 3, 4, true);
#endif
  eo__watch_precise(watch, false);
}

static void a_reset_forgets_and_restores(void) {
  for (unsigned i = 0; i < 200; i++) {
    run(1, 1, write_counter);
    run(2, 2, read_counter);
    expect("counter", 1, 1, true, 2, 2, false);
    expect_none();
    eo__watch_reset(watch);
    eo__capture_reset(capture);
    assert_int_equal(counter, 0);
    run(2, 1, read_counter);
    expect_none();
    assert_int_equal(sink, 0);
    eo__watch_reset(watch);
    eo__capture_reset(capture);
  }
}

static void saves_and_hashes_see_closed_pages(void) {
  uint64_t one[2], two[2];
  run(1, 1, write_counter);
  eo__capture_fingerprint(capture, NULL, 0, one);
  run(2, 2, nothing);
  eo__capture_fingerprint(capture, NULL, 0, two);
  assert_memory_equal(one, two, sizeof(one));
  run(2, 3, nothing);
  eo_pages *saved = eo__capture_save(capture);
  run(2, 4, write_counter_again);
  expect("counter", 1, 1, true, 2, 4, false);
  assert_int_equal(counter, 2);
  eo__watch_reset(watch);
  eo__capture_restore(capture, saved);
  assert_int_equal(counter, 1);
  eo__capture_forget(capture, saved);
  run(3, 4, write_counter_again); /* a restored page is watched again */
  run(1, 5, read_counter);
  expect("counter", 3, 4, true, 1, 5, false);
  expect_none();
}

/* ---- Arenas --------------------------------------------------------------------------------------------------- */

enum { HIS = 3, HERS = 4 };       /* slots */
EO_OWN static volatile char *his; /* an address in the arena of HIS */

__attribute__((noinline)) static void write_his(void) { his[0] = 1; }
__attribute__((noinline)) static void read_his(void) { sink = his[0]; }
__attribute__((noinline)) static void read_his_long(void) { sink = (int)*(const volatile long *)his; }
__attribute__((noinline)) static void write_beside(void) { his[5] = 1; }
__attribute__((noinline)) static void write_next(void) { his[8] = 1; }

static void run_in(uint32_t slot, uint32_t process, uint32_t step, test_function function) {
  eo_watch_enter(watch, process, slot, step);
  function();
  eo_watch_leave(watch);
}

static void open_arenas(void) {
  char *base = eo__capture_arena(capture, HIS);
  assert_non_null(eo__capture_arena(capture, HERS));
  his = base + EO_STACK_SIZE + 64;
  eo__capture_touch(capture, base + EO_STACK_SIZE, base + EO_STACK_SIZE + EO_PAGE);
}

static void another_ones_arena_is_watched(void) {
  open_arenas();
  run_in(HERS, 2, 1, read_his); /* nobody can know of it: not looked at */
  run_in(HIS, 1, 2, write_his);
  expect_none();
  assert_false(eo__watch_unsure(watch));
  eo__watch_expose(watch, HIS);
  run_in(HERS, 2, 3, read_his);
  assert_true(eo__watch_unsure(watch)); /* what was done before was not seen */
  expect_none();
  run_in(HIS, 1, 4, write_his); /* it is contested: its own process is seen, too */
  expect("", 2, 3, false, 1, 4, true);
  expect_none();
  eo__watch_reset(watch);
  eo__capture_reset(capture);
  eo__watch_expose(watch, HIS);
  run_in(HIS, 1, 1, write_his);
  run_in(HERS, 2, 2, read_his);
  assert_false(eo__watch_unsure(watch)); /* and all is seen from the start */
  expect("", 1, 1, true, 2, 2, false);
  assert_int_equal(sink, 1);
}

static void bytes_of_an_arena_count_one_by_one(void) {
  open_arenas();
  eo__watch_expose(watch, HIS);
  run_in(HERS, 2, 1, write_his);
  run_in(HIS, 1, 2, write_beside);
  run_in(HIS, 1, 3, write_next);
  expect_none();
  run_in(HERS, 2, 4, read_his_long); /* eight bytes: the one beside is among them, the next is not */
  expect("", 1, 2, true, 2, 4, false);
  expect_none();
}

static void a_code_on_behalf_of_others_is_no_other(void) {
  open_arenas();
  eo__watch_expose(watch, HIS);
  run_in(HIS, 1, 1, write_his); /* a specification, which runs for whoever sends */
  run_in(HIS, 2, 2, write_his);
  expect_none();
}

static void the_engine_may_use_all(void) {
  open_arenas();
  eo__watch_expose(watch, HIS);
  run_in(HERS, 2, 1, nothing);
  his[3] = 7;
  run_in(HERS, 2, 2, read_his); /* it is closed again */
  assert_true(eo__watch_unsure(watch));
  assert_int_equal(his[3], 7);
  expect_none();
}

static void what_is_paused_is_not_seen(void) {
  open_arenas();
  eo__watch_expose(watch, HIS);
  run_in(HERS, 2, 1, write_his);
  eo_watch_enter(watch, 1, HIS, 2);
  eo__watch_pause paused = eo_watch_pause(watch);
  write_his();
  eo_watch_resume(watch, paused);
  eo_watch_leave(watch);
  expect_none();
  eo_watch_enter(watch, 1, HIS, 3);
  paused = eo_watch_pause(watch);
  eo_watch_resume(watch, paused);
  write_his();
  eo__watch_note_running(watch, (const void *)(his + 100), 4, true, NULL);
  eo_watch_leave(watch);
  expect("", 2, 1, true, 1, 3, true);
  expect_none();
}

static void audits_see_reads_before_a_write(void) {
  run(1, 1, read_counter);
  run(2, 2, write_counter);
  assert_true(eo__watch_unsure(watch));
  expect_none();
  eo__watch_audit(watch, true);
  eo__watch_reset(watch);
  eo__capture_reset(capture);
  run(1, 1, read_counter);
  run(2, 2, write_counter);
  expect("counter", 1, 1, false, 2, 2, true);
  assert_false(eo__watch_unsure(watch));
  assert_int_equal(counter, 1);
  eo__watch_audit(watch, false);
  eo__watch_reset(watch);
  eo__capture_reset(capture);
  assert_int_equal(counter, 0);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void timing(void) {
  enum { ROUNDS = 100000 };
  double start = now();
  for (unsigned i = 0; i < ROUNDS; i++) run(1 + i % 2, i, nothing);
  print_message("enter and leave, nothing written: %.1f ns\n", (now() - start) / ROUNDS);
  run(1, 1, write_counter);
  run(1, 2, nothing);
  traps = 0;
  start = now();
  for (unsigned i = 0; i < ROUNDS / 100; i++) run(2, 3 + i, read_other);
  print_message("one stepped access: %.0f ns (%u traps)\n", (now() - start) / (ROUNDS / 100), traps);
}

#define TEST(name)                                            \
  {                                                           \
#name, with_watch, NULL, NULL, (test_function[]) { name } \
  }

int main(void) {
  eo_shared((const void *)&declared, sizeof(declared));
  const struct CMUnitTest tests[] = {
    TEST(a_write_and_a_read_meet),
    TEST(two_writes_meet),
    TEST(the_latest_conflicting_access_counts),
    TEST(other_variables_of_the_page_do_not_count),
    TEST(variables_next_to_the_table_of_calls_count),
    TEST(reads_alone_do_not_count),
    TEST(a_process_may_use_what_it_changed),
    TEST(every_byte_of_an_array_counts),
    TEST(much_used_pages_stay_open),
    TEST(declared_variables_are_left_alone),
    TEST(precise_mode_knows_both_places),
    TEST(a_reset_forgets_and_restores),
    TEST(saves_and_hashes_see_closed_pages),
#if defined(__x86_64__)
    TEST(another_ones_arena_is_watched),
    TEST(bytes_of_an_arena_count_one_by_one),
    TEST(a_code_on_behalf_of_others_is_no_other),
    TEST(the_engine_may_use_all),
    TEST(what_is_paused_is_not_seen),
    TEST(audits_see_reads_before_a_write),
#endif
    TEST(timing),
  };
  return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
