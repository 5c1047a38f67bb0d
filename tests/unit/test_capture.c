/* test_capture.c: captured memory against a model that copies everything. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "subjects/actor/capture.h"

/* What the test itself changes must survive a reset. */
EO_OWN static eo_capture *capture;
EO_OWN static sigjmp_buf escape;
EO_OWN static void *volatile escaped_at;
EO_OWN static volatile unsigned faults;
EO_OWN static eo_rng rng;

/* Globals of the program under test. */
enum { GLOBAL_PAGES = 6, GLOBALS = GLOBAL_PAGES * EO_PAGE };
static char in_bss[GLOBALS] __attribute__((aligned(EO_PAGE)));
static char in_data[GLOBALS] __attribute__((aligned(EO_PAGE))) = {1, 2, 3};

enum { SLOTS = 3, STACK_PAGES = 5, HEAP_PAGES = 7 };
static const uint32_t slot_numbers[SLOTS] = {0, 5, EO_SLOTS - 1};
enum { PIECES = 2 + 2 * SLOTS, ALL = 2 * GLOBALS + SLOTS * (STACK_PAGES + HEAP_PAGES) * EO_PAGE };

static void on_fault(int signal, siginfo_t *info, void *context) {
  (void)signal;
  faults++;
  if (capture && eo__capture_fault(capture, info->si_addr, context)) return;
  escaped_at = info->si_addr;
  siglongjmp(escape, 1);
}

static int install(void) {
  EO_OWN static char stack[1 << 16]; /* the kernel writes to it when a global page cannot be written */
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  return sigaltstack(&alternate, NULL) || sigaction(SIGSEGV, &action, NULL);
}

static void open_capture(void) {
  eo_error error;
  eo__rng_init(&rng, 4711);
  assert_int_equal(install(), 0); /* for each test, since cmocka sets handlers of its own before each */
  eo__capture_close(capture);     /* of a test that failed */
  if (eo__capture_open(&capture, &error)) fail_msg("%s", error.text);
  for (size_t i = 0; i < SLOTS; i++) assert_non_null(eo__capture_arena(capture, slot_numbers[i]));
}

static void close_capture(void) {
  eo__capture_reset(capture);
  eo__capture_close(capture);
  capture = NULL;
}

typedef void (*test_function)(void);

static void with_capture(void **state) {
  open_capture();
  if (!eo__capture_has_globals(capture)) skip(); /* built for coverage */
  (*(test_function *)*state)();
  close_capture();
}

/* ---- The model ------------------------------------------------------------------------------------------------ */

typedef struct piece {
  char *from;
  size_t size;
} piece;

static piece piece_at(size_t i) {
  if (i == 0) return (piece){in_bss, GLOBALS};
  if (i == 1) return (piece){in_data, GLOBALS};
  char *base = eo__capture_arena(capture, slot_numbers[(i - 2) / 2]);
  if (i % 2 == 0) return (piece){base + EO_STACK_SIZE - STACK_PAGES * EO_PAGE, STACK_PAGES * EO_PAGE};
  return (piece){base + EO_STACK_SIZE, HEAP_PAGES * EO_PAGE};
}

static char *model_take(void) {
  char *model = malloc(ALL);
  size_t at = 0;
  for (size_t i = 0; i < PIECES; i++) {
    piece one = piece_at(i);
    memcpy(model + at, one.from, one.size);
    at += one.size;
  }
  assert_int_equal(at, ALL);
  return model;
}

static void model_check(const char *model) {
  size_t at = 0;
  for (size_t i = 0; i < PIECES; i++) {
    piece one = piece_at(i);
    assert_memory_equal(model + at, one.from, one.size);
    at += one.size;
  }
}

static void scribble(unsigned writes) {
  for (unsigned i = 0; i < writes; i++) {
    piece one = piece_at(eo__rng_below(&rng, PIECES));
    *(volatile char *)(one.from + eo__rng_below(&rng, (uint32_t)one.size)) = (char)eo__rng_below(&rng, 4);
  }
}

static bool same_print(const uint64_t a[2], const uint64_t b[2]) { return a[0] == b[0] && a[1] == b[1]; }

static void print_of(uint64_t hash[2]) { eo__capture_fingerprint(capture, slot_numbers, SLOTS, hash); }

/* ---- Tests ---------------------------------------------------------------------------------------------------- */

static void reset_brings_back_every_byte(void) {
  char *model = model_take();
  for (unsigned round = 0; round < 400; round++) {
    scribble(eo__rng_below(&rng, 60));
    eo__capture_reset(capture);
    model_check(model);
  }
  free(model);
}

enum { DEPTH = 12 };

static void restore_brings_back_every_byte(void) {
  char *clean = model_take();
  for (unsigned round = 0; round < 60; round++) {
    eo_pages *saved[DEPTH] = {0};
    char *models[DEPTH] = {0};
    uint64_t prints[DEPTH][2];
    for (unsigned i = 0; i < 80; i++) {
      unsigned which = eo__rng_below(&rng, DEPTH);
      scribble(eo__rng_below(&rng, 20));
      if (eo__rng_below(&rng, 20) == 0) eo__capture_reset(capture);
      if (!saved[which]) {
        models[which] = model_take();
        if (eo__rng_below(&rng, 2)) {
          print_of(prints[which]);
          saved[which] = eo__capture_save(capture);
        } else {
          saved[which] = eo__capture_save(capture);
          print_of(prints[which]);
        }
        assert_non_null(saved[which]);
        model_check(models[which]);
        continue;
      }
      uint64_t print[2];
      eo__capture_restore(capture, saved[which]);
      model_check(models[which]);
      print_of(print);
      assert_true(same_print(print, prints[which]));
      if (eo__rng_below(&rng, 3) == 0) {
        eo__capture_forget(capture, saved[which]);
        free(models[which]);
        saved[which] = NULL;
        models[which] = NULL;
      }
    }
    eo__capture_reset(capture);
    model_check(clean);
    for (unsigned i = 0; i < DEPTH; i++) {
      eo__capture_forget(capture, saved[i]);
      free(models[i]);
    }
  }
  free(clean);
}

static void fingerprint_is_of_the_bytes_alone(void) {
  char *base = eo__capture_arena(capture, slot_numbers[1]);
  uint64_t clean[2], one[2], two[2], three[2];
  print_of(clean);
  base[EO_STACK_SIZE + 9] = 1;
  in_bss[5000] = 7;
  print_of(one);
  assert_false(same_print(clean, one));
  in_bss[5000] = 0;
  base[EO_STACK_SIZE + 9] = 0;
  print_of(two);
  assert_true(same_print(clean, two));
  eo__capture_reset(capture);
  in_data[3 * EO_PAGE] = 4; /* pages that are hot for no reason */
  in_data[3 * EO_PAGE] = 0;
  eo__capture_touch(capture, base + EO_STACK_SIZE, base + EO_STACK_SIZE + 40 * EO_PAGE);
  in_bss[5000] = 7;
  base[EO_STACK_SIZE + 9] = 1;
  print_of(two);
  assert_true(same_print(one, two));
  base[EO_STACK_SIZE + 10] = 1;
  print_of(three);
  assert_false(same_print(one, three));
  base[EO_STACK_SIZE + 10] = 0;
  base[EO_STACK_SIZE + 9] = 0;
  base[EO_STACK_SIZE + EO_PAGE + 9] = 1; /* the same bytes in another page */
  print_of(three);
  assert_false(same_print(one, three));
}

static void fingerprint_counts_the_given_slots(void) {
  char *base = eo__capture_arena(capture, slot_numbers[2]);
  uint64_t before[2], after[2];
  eo__capture_fingerprint(capture, slot_numbers, 2, before);
  base[EO_STACK_SIZE - 1] = 1;
  eo__capture_fingerprint(capture, slot_numbers, 2, after);
  assert_true(same_print(before, after));
  eo__capture_fingerprint(capture, slot_numbers, 3, before);
  base[EO_STACK_SIZE - 1] = 2;
  eo__capture_fingerprint(capture, slot_numbers, 3, after);
  assert_false(same_print(before, after));
}

static void unused_pages_become_cold(void) {
  volatile char *base = eo__capture_arena(capture, 9);
  size_t before = eo__capture_hot(capture);
  base[EO_STACK_SIZE - 10 * EO_PAGE] = 1; /* and all of the stack above it */
  assert_int_equal(eo__capture_hot(capture), before + 9);
  eo__capture_reset(capture);
  for (unsigned i = 0; i < 3000; i++) {
    base[EO_STACK_SIZE - 1] = 1;
    eo__capture_reset(capture);
  }
  /* Of slot 9 the topmost stack page; the other slots' heap pages are unused too. */
  assert_int_equal(eo__capture_hot(capture), SLOTS + 1);
  unsigned seen = faults;
  base[EO_STACK_SIZE - 2] = 1;
  assert_int_equal(faults, seen);
  base[EO_STACK_SIZE - 5 * EO_PAGE] = 1;
  assert_int_equal(faults, seen + 1);
  assert_int_equal(base[EO_STACK_SIZE - 5 * EO_PAGE], 1);
}

static void large_unchanged_sets_become_still(void) {
  enum { PAGES = 600 };
  char *heap = eo__capture_arena(capture, 5) + EO_STACK_SIZE;
  uint64_t first[2], later[2];
  eo__capture_touch(capture, heap, heap + PAGES * EO_PAGE);
  for (unsigned i = 0; i < PAGES; i++) heap[i * EO_PAGE + i] = (char)(1 + i % 100);
  eo_pages *saved = eo__capture_save(capture);
  print_of(first);
  for (unsigned i = 0; i < 100; i++) eo__capture_forget(capture, eo__capture_save(capture));
  assert_true(eo__capture_hot(capture) <= 257);
  print_of(later);
  assert_true(same_print(first, later));
  heap[7 * EO_PAGE] = 42; /* a still page again */
  heap[8 * EO_PAGE] = 42;
  eo__capture_restore(capture, saved);
  for (unsigned i = 0; i < PAGES; i++) {
    assert_int_equal(heap[i * EO_PAGE], i ? 0 : 1);
    assert_int_equal(heap[i * EO_PAGE + i], 1 + i % 100);
  }
  eo__capture_forget(capture, saved);
  eo__capture_reset(capture);
  for (unsigned i = 0; i < PAGES; i++) assert_int_equal(heap[i * EO_PAGE + i], 0);
}

static void system_calls_may_fill_touched_heap_and_large_frames(void) {
  char *base = eo__capture_arena(capture, 5);
  char *heap = base + EO_STACK_SIZE;
  int zero = open("/dev/zero", O_RDONLY);
  eo__capture_touch(capture, heap + 100, heap + 50000);
  assert_int_equal(read(zero, heap + 100, 49900), 49900);
  eo_pages *saved = eo__capture_save(capture); /* all of it is zero, and yet in use */
  for (unsigned i = 0; i < 1000; i++) eo__capture_reset(capture);
  assert_int_equal(read(zero, heap + 100, 49900), -1);
  assert_int_equal(errno, EFAULT);
  eo__capture_restore(capture, saved);
  assert_int_equal(read(zero, heap + 100, 49900), 49900);
  eo__capture_forget(capture, saved);
  char *frame = base + EO_STACK_SIZE - 50000;
  frame[-8] = 1; /* as the call of read() would push its return address */
  assert_int_equal(read(zero, frame, 50000), 50000);
  close(zero);
}

static void trim_zeroes_below_the_stack_pointer(void) {
  char *base = eo__capture_arena(capture, 5);
  char *top = base + EO_STACK_SIZE;
  uint64_t clean[2], dirty[2];
  memset(top - 100, 3, 100);
  print_of(clean);
  for (size_t i = 101; i < 6 * EO_PAGE; i++) top[-(ptrdiff_t)i] = 9;
  print_of(dirty);
  assert_false(same_print(clean, dirty));
  eo__capture_trim(capture, 5, top - 100);
  print_of(dirty);
  assert_true(same_print(clean, dirty));
  assert_int_equal(top[-100], 3);
  assert_int_equal(top[-101], 0);
}

static void guards_are_told_from_the_rest(void) {
  char *base = eo__capture_arena(capture, 5);
  volatile char *where[] = {base, base + EO_PAGE - 1, base - 1, base - EO_GUARD_SIZE};
  for (size_t i = 0; i < sizeof(where) / sizeof(*where); i++) {
    assert_true(eo__capture_is_guard(base, (char *)where[i]));
    if (sigsetjmp(escape, 1) == 0) {
      *where[i] = 1;
      fail_msg("a guard was written");
    }
    assert_ptr_equal(escaped_at, where[i]);
  }
  assert_false(eo__capture_is_guard(base, base + EO_PAGE));
  assert_false(eo__capture_is_guard(base, base - EO_GUARD_SIZE - 1));
  assert_false(eo__capture_is_guard(base, in_bss));
  assert_false(eo__capture_is_guard(eo__capture_arena(capture, 6), base));
  assert_int_equal(eo__capture_slot_of(base), 5);
  assert_int_equal(eo__capture_slot_of(base - 1), 4);
  assert_int_equal(eo__capture_slot_of(in_bss), EO_SLOTS);
  assert_int_equal(eo__capture_slot_of(EO_ARENAS + EO_SLOTS * EO_ARENA_SIZE), EO_SLOTS);
  assert_true(eo__capture_is_global(capture, in_bss));
  assert_true(eo__capture_is_global(capture, in_data + GLOBALS - 1));
  assert_false(eo__capture_is_global(capture, &capture));
  assert_false(eo__capture_is_global(capture, (void *)(uintptr_t)&guards_are_told_from_the_rest));
}

static void reads_and_jumps_are_not_handled(void) {
  volatile char *guard = eo__capture_arena(capture, 5);
  if (sigsetjmp(escape, 1) == 0) {
    (void)*guard;
    fail_msg("a guard was read");
  }
  assert_ptr_equal(escaped_at, guard);
}

static void a_forked_child_goes_on(void) {
  char *base = eo__capture_arena(capture, 5);
  in_bss[1] = 8;
  base[EO_STACK_SIZE] = 8;
  eo_pages *saved = eo__capture_save(capture);
  pid_t child = fork();
  if (child == 0) {
    scribble(500);
    eo__capture_restore(capture, saved);
    bool good = in_bss[1] == 8 && base[EO_STACK_SIZE] == 8;
    eo__capture_reset(capture);
    _exit(good && in_bss[1] == 0 && base[EO_STACK_SIZE] == 0 && in_data[1] == 2 ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_int_equal(in_bss[1], 8);
  eo__capture_forget(capture, saved);
}

static void many_slots(void) {
  enum { MANY = 1000 };
  for (uint32_t i = 0; i < MANY; i++) {
    char *base = eo__capture_arena(capture, 1000 + i * 7);
    assert_non_null(base);
    base[EO_STACK_SIZE - 1] = 1;
    base[EO_STACK_SIZE + 20 * EO_PAGE] = 1;
  }
  eo__capture_reset(capture);
  for (uint32_t i = 0; i < MANY; i++) {
    char *base = eo__capture_arena(capture, 1000 + i * 7);
    assert_int_equal(base[EO_STACK_SIZE - 1] | base[EO_STACK_SIZE + 20 * EO_PAGE], 0);
  }
}

static void no_memory_is_an_answer(void) {
  eo_error error;
  char *base = eo__capture_arena(capture, 5);
  base[EO_STACK_SIZE - 1] = 1;
  eo__alloc_budget = 0;
  assert_null(eo__capture_arena(capture, 77));
  assert_null(eo__capture_save(capture));
  eo__alloc_budget = 1;
  assert_null(eo__capture_save(capture));
  eo__alloc_budget = -1;
  eo_pages *saved = eo__capture_save(capture);
  base[EO_STACK_SIZE - 1] = 2;
  eo__capture_restore(capture, saved);
  assert_int_equal(base[EO_STACK_SIZE - 1], 1);
  eo__capture_forget(capture, saved);
  eo__capture_close(capture);
  for (long budget = 0; budget < 2; budget++) {
    eo__alloc_budget = budget;
    assert_int_equal(eo__capture_open(&capture, &error), EO_ENOMEM);
    assert_null(capture);
  }
  eo__alloc_budget = -1;
  assert_int_equal(eo__capture_open(&capture, &error), 0);
}

static void a_second_capture_is_refused(void) {
  eo_capture *second;
  eo_error error;
  assert_int_equal(eo__capture_open(&second, &error), EO_ESYSTEM);
  assert_null(second);
  assert_non_null(strstr(error.text, "taken"));
}

/* Parts of pages, as undo.c notes them and puts them back. */
static void parts_are_put_back(void) {
  char *base = eo__capture_arena(capture, slot_numbers[1]), *top = base + EO_STACK_SIZE;
  char *model = model_take(), part[1000];
  assert_true(eo__capture_plain(capture));
  assert_int_equal(eo__capture_stack(capture, slot_numbers[1]), EO_PAGE);
  top[-3 * (int)EO_PAGE] = 1; /* the stack grows */
  assert_int_equal(eo__capture_stack(capture, slot_numbers[1]), 3 * EO_PAGE);
  memset(part, 7, sizeof part);
  eo__capture_put(capture, top - 1500, part, sizeof part);
  assert_memory_equal(top - 1500, part, sizeof part);
  assert_int_equal(top[-1501] + top[-500], 0);
  unsigned before = faults;
  eo__capture_put(capture, top + EO_PAGE - 500, part, sizeof part); /* a cold page and the next: no fault */
  assert_int_equal(faults, before);
  assert_memory_equal(top + EO_PAGE - 500, part, sizeof part);
  in_bss[5] = in_data[EO_PAGE] = 9;
  assert_false(eo__capture_plain(capture));
  eo__capture_forget(capture, eo__capture_save(capture)); /* gives the pages copies that are not their baselines */
  eo__capture_reset_globals(capture);
  assert_true(eo__capture_plain(capture));
  eo__capture_put(capture, top - 3 * EO_PAGE, NULL, 3 * EO_PAGE);
  eo__capture_put(capture, top, NULL, 2 * EO_PAGE);
  model_check(model);
  free(model);
}

/* ---- Timing: printed, never judged ---------------------------------------------------------------------------- */

enum { BATCHES = 50, ROUNDS = 200 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void keep_least(double *least, double value) {
  if (*least == 0 || value < *least) *least = value;
}

static void time_reset(char *const base[4]) {
  double least = 0;
  for (unsigned i = 0; i < BATCHES; i++) {
    double start = now();
    for (unsigned j = 0; j < ROUNDS; j++) {
      for (uint32_t k = 0; k < 4; k++) base[k][EO_STACK_SIZE - 8] = 1;
      eo__capture_reset(capture);
    }
    keep_least(&least, (now() - start) / ROUNDS);
  }
  print_message("reset, %zu hot pages: %.0f ns\n", eo__capture_hot(capture), least);
}

static void time_saves(char *heap, size_t pages) {
  double save = 0, restore = 0, print = 0;
  eo__capture_reset(capture);
  for (size_t i = 0; i < pages; i++) heap[i * EO_PAGE] = 1;
  eo_pages *first = eo__capture_save(capture);
  for (unsigned i = 0; i < BATCHES * 10; i++) {
    uint64_t hash[2];
    heap[-8] = (char)(i + 2);
    double start = now();
    eo_pages *second = eo__capture_save(capture);
    keep_least(&save, now() - start);
    start = now();
    eo__capture_restore(capture, first);
    keep_least(&restore, now() - start);
    start = now();
    eo__capture_fingerprint(capture, (uint32_t[]){20, 21, 22, 23}, 4, hash);
    keep_least(&print, now() - start);
    eo__capture_forget(capture, second);
  }
  print_message("%zu hot pages, one of them changed: save %.0f ns, restore %.0f ns, fingerprint %.0f ns\n",
                eo__capture_hot(capture), save, restore, print);
  eo__capture_forget(capture, first);
}

static void timing(void) {
  char *base[4];
  eo__capture_close(capture); /* without the slots of the other tests */
  assert_int_equal(eo__capture_open(&capture, NULL), 0);
  for (uint32_t i = 0; i < 4; i++) base[i] = eo__capture_arena(capture, 20 + i);
  for (unsigned i = 0; i < 1000; i++) {
    for (uint32_t j = 0; j < 4; j++) base[j][EO_STACK_SIZE - 8] = 1;
    eo__capture_reset(capture);
  }
  time_reset(base);
  time_saves(base[0] + EO_STACK_SIZE, 0);
  time_saves(base[0] + EO_STACK_SIZE, 96);
  double least = 0;
  eo__capture_reset(capture);
  for (unsigned i = 0; i < BATCHES * 10; i++) {
    double start = now();
    in_bss[0] = 1;
    eo__capture_reset(capture);
    keep_least(&least, now() - start);
  }
  print_message("write to a global and reset: %.0f ns\n", least);
}

#define TEST(name)                                              \
  {                                                             \
#name, with_capture, NULL, NULL, (test_function[]) { name } \
  }

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(reset_brings_back_every_byte),
      TEST(restore_brings_back_every_byte),
      TEST(fingerprint_is_of_the_bytes_alone),
      TEST(fingerprint_counts_the_given_slots),
      TEST(unused_pages_become_cold),
      TEST(large_unchanged_sets_become_still),
      TEST(system_calls_may_fill_touched_heap_and_large_frames),
      TEST(trim_zeroes_below_the_stack_pointer),
      TEST(guards_are_told_from_the_rest),
      TEST(reads_and_jumps_are_not_handled),
      TEST(a_forked_child_goes_on),
      TEST(many_slots),
      TEST(parts_are_put_back),
      TEST(no_memory_is_an_answer),
      TEST(a_second_capture_is_refused),
      TEST(timing),
  };
  return cmocka_run_group_tests_name("capture", tests, NULL, NULL);
}
