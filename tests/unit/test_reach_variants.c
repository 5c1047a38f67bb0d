/* test_reach_variants.c: the race variants of sequence Q1 of program M (Lei's dissertation, section 3.4): exactly V1 to V7, as
 * algorithm Generate-Variants derives them, which also leaves out receives that could stay; and the 3 that keep all they
 * can, which are those that reach runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "strategies/reach_inside.h"

enum { M1, M2, M3, M4, M5, M6, WIDTH = 8 };
enum { S1, S2, S3, S4, R1, R2, R3, R4, EVENTS };

/* Each event: its process, the event before it in that process, and the one that sent what it takes. */
static const struct {
  uint32_t process, previous, source;
} events[EVENTS] = {[S1] = {M1, EO_NO_EVENT, EO_NO_EVENT}, [S2] = {M3, EO_NO_EVENT, EO_NO_EVENT},
                    [S3] = {M4, EO_NO_EVENT, EO_NO_EVENT}, [S4] = {M6, EO_NO_EVENT, EO_NO_EVENT},
                    [R1] = {M2, EO_NO_EVENT, S1},          [R2] = {M2, R1, S2},
                    [R3] = {M5, EO_NO_EVENT, S3},          [R4] = {M5, R3, S4}};

static void join(sequence *q, uint32_t position, uint32_t other) {
  for (uint32_t i = 0; i < WIDTH && other != EO_NO_EVENT; i++) {
    uint32_t *clock = q->clocks.items + position * WIDTH;
    if (q->clocks.items[other * WIDTH + i] > clock[i]) clock[i] = q->clocks.items[other * WIDTH + i];
  }
}

static void make_q1(sequence *q) {
  memset(q, 0, sizeof *q);
  q->stride = WIDTH;
  for (uint32_t i = 0; i < EVENTS; i++) {
    assert_true(eo_vec_push(&q->moves, ((move){.process = events[i].process})));
    for (int j = 0; j < WIDTH; j++) assert_true(eo_vec_push(&q->clocks, 0));
    join(q, i, events[i].previous);
    join(q, i, events[i].source);
    q->clocks.items[i * WIDTH + events[i].process]++;
  }
  assert_true(eo_vec_reserve(&q->chosen, 16));
}

static void add(sequence *q, uint32_t at, uint32_t source, bool cut) {
  assert_true(eo_vec_push(&q->races, ((race){.at = at, .before = events[at].previous, .source = source, .cut = cut})));
}

/* "r1=s2 r3=s3 r4=s4": what the receives of the variant take. */
static void tell(const sequence *q, char *out) {
  static const char *const sends[] = {"s1", "s2", "s3", "s4"};
  *out = '\0';
  for (uint32_t r = R1; r <= R4; r++) {
    uint32_t source = eo__reach_keeps(q, r) ? events[r].source : EO_NO_EVENT;
    for (size_t i = 0; i < q->chosen.count; i++) {
      const race *changed = &q->races.items[q->chosen.items[i]];
      if (changed->at == r && !changed->cut) source = changed->source;
    }
    if (source != EO_NO_EVENT) sprintf(out + strlen(out), "%sr%u=%s", *out ? " " : "", r - R1 + 1, sends[source]);
  }
}

static void expect(sequence *q, const char *const *wanted, size_t count) {
  uint32_t room[WIDTH];
  bool seen[8] = {false};
  size_t rows = 0;
  for (; eo__reach_next_row(q, room); rows++) {
    char told[64];
    size_t i = 0;
    tell(q, told);
    while (i < count && strcmp(told, wanted[i]) != 0) i++;
    if (i == count || seen[i]) fail_msg("%s variant: %s", i == count ? "unknown" : "repeated", told);
    seen[i] = true;
  }
  assert_int_equal(rows, count);
  eo_vec_release(&q->moves);
  eo_vec_release(&q->clocks);
  eo_vec_release(&q->races);
  eo_vec_release(&q->chosen);
}

static void generate_variants(void **state) {
  (void)state;
  static const char *const v1_to_v7[] = {
      "r1=s1 r2=s2 r3=s4", "r1=s2 r3=s3 r4=s4", "r1=s2 r3=s3", "r1=s1 r3=s4", "r1=s2 r3=s4", "r1=s2", "r3=s4"};
  sequence q;
  make_q1(&q);
  add(&q, R1, S2, false);
  add(&q, R1, EO_NO_EVENT, true);
  add(&q, R2, EO_NO_EVENT, true);
  add(&q, R3, S4, false);
  add(&q, R3, EO_NO_EVENT, true);
  add(&q, R4, EO_NO_EVENT, true);
  expect(&q, v1_to_v7, 7);
}

static void largest_variants(void **state) {
  (void)state;
  static const char *const largest[] = {"r1=s2 r3=s3 r4=s4", "r1=s1 r2=s2 r3=s4", "r1=s2 r3=s4"};
  sequence q;
  make_q1(&q);
  add(&q, R1, S2, false);
  add(&q, R3, S4, false);
  expect(&q, largest, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(generate_variants), cmocka_unit_test(largest_variants)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
