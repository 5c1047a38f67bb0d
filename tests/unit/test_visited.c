/* test_visited.c: src/core/visited.c: against a plain set, in all modes, by several processes, some of them killed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "core/visited.h"

/* The nth state: a bijection for the low word, so that different n never collide; both words look random. */
static void fingerprint_of(uint64_t n, uint64_t out[2]) {
  uint64_t mixed = n + 0x9e3779b97f4a7c15u;
  for (int i = 0; i < 2; i++) {
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    out[i] = mixed;
  }
}

static eo_visited *open_set(eo_cache_mode mode, uint64_t bytes) {
  eo_error error = {0};
  eo_visited *visited = eo__visited_open(mode, bytes, &error);
  if (!visited) fail_msg("%s", error.text);
  return visited;
}

static eo_visit add(eo_visited *visited, uint64_t n) {
  uint64_t fingerprint[2];
  fingerprint_of(n, fingerprint);
  return eo__visited_add(visited, fingerprint);
}

static bool has(const eo_visited *visited, uint64_t n) {
  uint64_t fingerprint[2];
  fingerprint_of(n, fingerprint);
  return eo__visited_has(visited, fingerprint);
}

static void agrees_with_a_plain_set(void **state) {
  (void)state;
  enum { STATES = 50000 };
  eo_visited *visited = open_set(EO_CACHE_UNLIMITED, 0);
  bool *known = calloc(STATES, sizeof *known);
  assert_non_null(known);
  uint64_t count = 0;
  eo_rng rng;
  eo__rng_init(&rng, 1);
  for (int i = 0; i < 4 * STATES; i++) {
    uint32_t n = (uint32_t)(eo__rng_next(&rng) % STATES);
    assert_int_equal(has(visited, n), known[n]);
    assert_int_equal(add(visited, n), known[n] ? EO_VISIT_SEEN : EO_VISIT_NEW);
    count += !known[n];
    known[n] = true;
    if (i % 1000 == 0) assert_int_equal(eo__visited_count(visited), count);
  }
  for (uint32_t n = 0; n < STATES; n++) assert_int_equal(has(visited, n), known[n]);
  assert_int_equal(eo__visited_count(visited), count);
  assert_int_equal(eo__visited_lost(visited), 0);
  eo__visited_close(visited);
  free(known);
}

static void tells_words_apart(void **state) {
  (void)state;
  static const uint64_t states[][2] = {{0, 0},          {0, 1},          {1, 0},         {1, 1},
                                       {5, UINT64_MAX}, {UINT64_MAX, 5}, {0, UINT64_MAX}};
  eo_visited *visited = open_set(EO_CACHE_UNLIMITED, 0);
  for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
    assert_false(eo__visited_has(visited, states[i]));
    assert_int_equal(eo__visited_add(visited, states[i]), EO_VISIT_NEW);
    assert_int_equal(eo__visited_add(visited, states[i]), EO_VISIT_SEEN);
    assert_true(eo__visited_has(visited, states[i]));
  }
  eo__visited_close(visited);
}

/* All states that a bucket can get, with the same low bits: the directory cannot tell them apart for ever. */
static void survives_a_bad_hash(void **state) {
  (void)state;
  eo_visited *visited = open_set(EO_CACHE_REFUSE, 1 << 20);
  uint64_t kept = 0, refused = 0;
  for (uint64_t i = 1; i <= 2000; i++) {
    eo_visit visit = eo__visited_add(visited, (uint64_t[2]){i << 40, i << 40});
    kept += visit == EO_VISIT_NEW;
    refused += visit == EO_VISIT_REFUSED;
  }
  assert_int_equal(kept + refused, 2000);
  assert_true(kept >= 240);
  assert_int_equal(eo__visited_lost(visited), refused);
  assert_true(eo__visited_bytes(visited) <= 1 << 20);
  eo__visited_close(visited);
}

static void refuses_when_full(void **state) {
  (void)state;
  enum { BYTES = 1 << 20, STATES = 200000 };
  eo_visited *visited = open_set(EO_CACHE_REFUSE, BYTES);
  bool *kept = calloc(STATES, sizeof *kept);
  assert_non_null(kept);
  uint64_t count = 0;
  for (uint32_t n = 0; n < STATES; n++) {
    eo_visit visit = add(visited, n);
    assert_int_not_equal(visit, EO_VISIT_SEEN);
    kept[n] = visit == EO_VISIT_NEW;
    count += kept[n];
    assert_true(eo__visited_bytes(visited) <= BYTES);
  }
  for (uint32_t n = 0; n < STATES; n++) {
    assert_int_equal(has(visited, n), kept[n]);
    assert_int_equal(add(visited, n), kept[n] ? EO_VISIT_SEEN : EO_VISIT_REFUSED);
  }
  assert_int_equal(eo__visited_count(visited), count);
  assert_int_equal(eo__visited_lost(visited), 2 * (STATES - count));
  assert_true(count > BYTES / 20); /* nearly all of the memory is used in the end */
  eo__visited_close(visited);
  free(kept);
}

static void replaces_when_full(void **state) {
  (void)state;
  enum { BYTES = 1 << 20, STATES = 400000 };
  eo_visited *visited = open_set(EO_CACHE_REPLACE, BYTES);
  for (uint32_t n = 0; n < STATES; n++) {
    assert_int_equal(add(visited, n), EO_VISIT_NEW);
    assert_true(has(visited, n)); /* the newest is always kept */
    assert_true(eo__visited_bytes(visited) <= BYTES);
  }
  uint64_t found = 0, recent = 0;
  for (uint32_t n = 0; n < STATES; n++) found += has(visited, n);
  for (uint32_t n = STATES - 1000; n < STATES; n++) recent += has(visited, n);
  assert_int_equal(found, eo__visited_count(visited));
  assert_int_equal(found + eo__visited_lost(visited), STATES);
  assert_true(recent > 950);
  eo__visited_close(visited);
}

static void keeps_nothing_when_off(void **state) {
  (void)state;
  eo_visited *visited = open_set(EO_CACHE_OFF, 0);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(add(visited, 1), EO_VISIT_REFUSED);
    assert_false(has(visited, 1));
  }
  assert_int_equal(eo__visited_count(visited), 0);
  assert_int_equal(eo__visited_lost(visited), 2);
  eo__visited_close(visited);
}

static void can_be_cleared(void **state) {
  (void)state;
  eo_visited *visited = open_set(EO_CACHE_UNLIMITED, 0);
  for (int round = 0; round < 3; round++) {
    for (uint32_t n = 0; n < 10000; n++) assert_int_equal(add(visited, n), EO_VISIT_NEW);
    for (uint32_t n = 0; n < 10000; n++) assert_int_equal(add(visited, n), EO_VISIT_SEEN);
    eo__visited_clear(visited);
    for (uint32_t n = 0; n < 10000; n++) assert_false(has(visited, n));
  }
  eo__visited_close(visited);
}

static void can_be_emptied(void **state) {
  (void)state;
  eo_visited *visited = open_set(EO_CACHE_REFUSE, 1 << 20);
  for (int round = 0; round < 2; round++) {
    uint64_t fresh = 0;
    for (uint64_t n = 0; n < 200000; n++) fresh += add(visited, n) == EO_VISIT_NEW;
    assert_true(fresh > 20000 && fresh == eo__visited_count(visited) && eo__visited_lost(visited) > 0);
    eo__visited_empty(visited);
    assert_true(eo__visited_count(visited) == 0 && eo__visited_lost(visited) == 0 && !has(visited, 0));
    assert_true(eo__visited_bytes(visited) < 20000);
  }
  eo__visited_close(visited);
}

static void too_small_is_an_error(void **state) {
  (void)state;
  for (int mode = EO_CACHE_UNLIMITED; mode <= EO_CACHE_REPLACE; mode++) {
    eo_error error = {0};
    assert_null(eo__visited_open((eo_cache_mode)mode, 15, &error));
    assert_int_equal(error.code, EO_EINPUT);
    assert_non_null(strstr(error.text, "too small for one state"));
    eo_visited *visited = open_set((eo_cache_mode)mode, 3 * 4096); /* what the text says is enough */
    assert_int_equal(add(visited, 7), EO_VISIT_NEW);
    assert_int_equal(add(visited, 7), EO_VISIT_SEEN);
    eo__visited_close(visited);
  }
}

static void without_memory(void **state) {
  (void)state;
  eo_error error = {0};
  eo__alloc_budget = 0;
  eo_visited *visited = eo__visited_open(EO_CACHE_UNLIMITED, 0, &error);
  eo__alloc_budget = -1;
  assert_null(visited);
  assert_int_equal(error.code, EO_ENOMEM);
}

/* ---- Several processes -------------------------------------------------------------------------------------------- */

enum { WORKERS = 4 };

/* How often each state was NEW to somebody. */
static _Atomic uint8_t *shared_counts(size_t count) {
  void *got = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(got, MAP_FAILED);
  return got;
}

/* Adds all states, from one of its own. */
static void work(eo_visited *visited, _Atomic uint8_t *told, uint64_t states, uint64_t first) {
  for (uint64_t i = 0; i < states; i++) {
    uint64_t n = (first + i) % states;
    if (add(visited, n) == EO_VISIT_NEW) atomic_fetch_add(&told[n], 1);
  }
}

static pid_t start_worker(eo_visited *visited, _Atomic uint8_t *told, uint64_t states, uint64_t first) {
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    work(visited, told, states, first);
    _exit(0);
  }
  return pid;
}

static void exactly_one_is_told_new(void **state) {
  (void)state;
  enum { STATES = 300000 };
  eo_visited *visited = open_set(EO_CACHE_UNLIMITED, 0);
  _Atomic uint8_t *told = shared_counts(STATES);
  pid_t pids[WORKERS];
  /* All from the same state on, so that they meet at each. */
  for (int i = 0; i < WORKERS; i++) pids[i] = start_worker(visited, told, STATES, (uint64_t)(i / 2) * 1000);
  for (int i = 0; i < WORKERS; i++) {
    int status;
    assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
    assert_int_equal(status, 0);
  }
  for (uint32_t n = 0; n < STATES; n++) assert_int_equal(told[n], 1);
  assert_int_equal(eo__visited_count(visited), STATES);
  eo__visited_close(visited);
  munmap((void *)told, STATES);
}

/* Killed workers leave locks, half-done splits and doublings behind. Nobody hangs, nobody is told NEW twice, nothing
 * that was told NEW is missing; and what a killed one added without being able to say so is at most one state each. */
static void killed_in_the_middle(void **state) {
  (void)state;
  enum { STATES = 1000000, KILLS = 150 };
  eo_visited *visited = open_set(EO_CACHE_UNLIMITED, 0);
  _Atomic uint8_t *told = shared_counts(STATES);
  eo_rng rng;
  eo__rng_init(&rng, 7);
  pid_t pids[2] = {0};
  int kills = 0;
  for (; kills < KILLS; kills++) {
    for (int i = 0; i < 2; i++)
      if (!pids[i]) pids[i] = start_worker(visited, told, STATES, eo__rng_next(&rng) % STATES);
    struct timespec pause = {0, (long)(500000 + eo__rng_next(&rng) % 2000000)};
    nanosleep(&pause, NULL);
    int victim = (int)(eo__rng_next(&rng) % 2), status;
    kill(pids[victim], SIGKILL);
    waitpid(pids[victim], &status, 0);
    pids[victim] = 0;
  }
  for (int i = 0; i < 2; i++) {
    int status;
    if (!pids[i]) pids[i] = start_worker(visited, told, STATES, 0);
    assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
    assert_int_equal(status, 0);
  }
  uint64_t untold = 0;
  for (uint32_t n = 0; n < STATES; n++) {
    assert_true(told[n] <= 1);
    assert_true(has(visited, n));
    untold += told[n] == 0;
  }
  assert_true(untold <= KILLS);
  uint64_t count = eo__visited_count(visited);
  assert_true(count <= STATES && count + KILLS >= STATES);
  eo__visited_close(visited);
  munmap((void *)told, STATES);
}

/* ---- Size --------------------------------------------------------------------------------------------------------- */

/* Shared memory of this process that is really there, in bytes. */
static uint64_t resident(void) {
  char line[256];
  unsigned long long kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "RssShmem: %llu kB", &kilobytes) == 1) break;
  fclose(file);
  return kilobytes * 1024;
}

static void forty_bytes_a_state(void **state) {
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  uint64_t states = 1000000; /* the same, only slower */
#else
  uint64_t states = 3000000; /* five doublings */
#endif
  if (getenv("EO_VISITED_STATES")) states = strtoull(getenv("EO_VISITED_STATES"), NULL, 10);
  uint64_t before = resident();
  eo_visited *visited = open_set(EO_CACHE_UNLIMITED, 0);
  double most = 0;
  uint64_t check = 100000;
  for (uint64_t n = 1; n <= states; n++) {
    assert_int_equal(add(visited, n), EO_VISIT_NEW);
    if (n < check) continue;
    check += check / 16; /* the fill of buckets goes up and down with each doubling of the states */
    uint64_t taken = resident() - before;
    assert_true(taken <= eo__visited_bytes(visited) + 4096);
    double each = (double)eo__visited_bytes(visited) / (double)n;
    if (each > most) most = each;
    assert_true(taken <= 40 * n);
  }
  print_message("at most %.1f bytes a state, %.1f at %llu\n", most, (double)(resident() - before) / (double)states,
                (unsigned long long)states);
  assert_true(most <= 40);
  eo__visited_close(visited);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_a_plain_set), cmocka_unit_test(tells_words_apart),
      cmocka_unit_test(survives_a_bad_hash),     cmocka_unit_test(refuses_when_full),
      cmocka_unit_test(replaces_when_full),      cmocka_unit_test(keeps_nothing_when_off),
      cmocka_unit_test(can_be_cleared),          cmocka_unit_test(can_be_emptied),
      cmocka_unit_test(too_small_is_an_error),   cmocka_unit_test(without_memory),
      cmocka_unit_test(exactly_one_is_told_new), cmocka_unit_test(killed_in_the_middle),
      cmocka_unit_test(forty_bytes_a_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
