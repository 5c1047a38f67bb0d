/* test_heat.c: src/core/heat.c, src/core/circles.c and src/core/acyclic.c: a log that several processes write, some of them killed; its limit; and
 * fair circles in small graphs, with memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "core/acyclic.h"
#include "core/circles.h"
#include "core/visited.h"

static eo_heats *open_log(uint64_t bytes, const eo_visited *visited) {
  eo_error error = {0};
  eo_heats *heats = eo__heats_open(bytes, visited, &error);
  if (!heats) fail_msg("%s", error.text);
  return heats;
}

static uint64_t count(const eo_heats *heats) {
  eo_heat heat;
  uint64_t found = 0;
  for (uint64_t i = 0; i < eo__heats_places(heats); i++) {
    if (!eo__heats_at(heats, i, &heat)) continue;
    assert_true(heat.to == heat.from + 1 && heat.mark == (uint32_t)heat.from && heat.stays == 0xfff1);
    assert_true(heat.fair == (heat.from % 2 == 0));
    found++;
  }
  return found;
}

static void write_some(eo_heats *heats, uint64_t from, uint64_t steps) {
  for (uint64_t i = from; i < from + steps; i++)
    eo__heats_add(heats, &(eo_heat){.from = i, .to = i + 1, .mark = (uint32_t)i, .stays = 0xfff1, .fair = i % 2 == 0});
}

static void all_write_to_one(void **state) {
  (void)state;
  enum { WRITERS = 4, EACH = 50000 };
  eo_heats *heats = open_log(0, NULL);
  pid_t writers[WRITERS];
  for (int i = 0; i < WRITERS; i++) {
    writers[i] = fork();
    if (writers[i] == 0) {
      write_some(heats, 1 + (uint64_t)i * EACH, EACH);
      _exit(0);
    }
  }
  pid_t killed = fork();
  if (killed == 0)
    for (;;) write_some(heats, 7, 1);
  usleep(2000);
  kill(killed, SIGKILL);
  waitpid(killed, NULL, 0);
  for (int i = 0; i < WRITERS; i++) waitpid(writers[i], NULL, 0);
  assert_true(count(heats) >= WRITERS * EACH && eo__heats_whole(heats));
  eo__heats_close(heats);
}

static void gives_up_where_there_is_no_room(void **state) {
  (void)state;
  eo_error error = {0};
  eo_visited *visited = eo__visited_open(EO_CACHE_REFUSE, 1 << 22, &error);
  eo_heats *heats = open_log(1 << 22, visited);
  write_some(heats, 1, 20000);
  assert_true(eo__heats_whole(heats) && count(heats) == 20000 && eo__heats_bytes(heats) > 20000 * 16);
  for (uint64_t n = 1; n < 150000; n++)
    eo__visited_add(visited, (uint64_t[]){n * 0x9e3779b97f4a7c15u, n * n * 0xbf58476d1ce4e5b9u});
  eo__heats_look(heats);
  assert_true(!eo__heats_whole(heats) && eo__heats_bytes(heats) < 5000);
  write_some(heats, 1, 20000);
  assert_false(eo__heats_whole(heats));
  eo__heats_close(heats);
  heats = open_log(1 << 22, visited);
  write_some(heats, 1, 200000);
  assert_false(eo__heats_whole(heats));
  eo__heats_close(heats);
  eo__visited_close(visited);
}

/* ---- Circles ------------------------------------------------------------------------------------------------------ */

/* A step: from, to, process, value; f: fair, c: the specification cools, d: another one stays hot. */
typedef struct step {
  int from, to, process, value;
  const char *how;
} step;

static void add_steps(eo_heats *heats, const step *steps) {
  for (; steps->from; steps++)
    eo__heats_add(heats, &(eo_heat){.from = (uint64_t)steps->from,
                                    .to = (uint64_t)steps->to,
                                    .mark = (uint32_t)(steps->process << 16 | steps->value),
                                    .stays = strchr(steps->how, 'c')   ? 0
                                             : strchr(steps->how, 'd') ? 2
                                                                       : 1,
                                    .fair = strchr(steps->how, 'f') != NULL});
}

static bool has_mark(const eo_round *round, int process, int value) {
  for (size_t i = 0; i < round->count; i++)
    if (round->items[i].mark == (uint32_t)(process << 16 | value)) return true;
  return false;
}

/* The steps of a way round from this state; 0: there is no circle. */
static size_t round_of(const step *steps, int from, eo_round *round) {
  eo_heats *heats = open_log(0, NULL);
  bool found = false;
  add_steps(heats, steps);
  eo_circles *circles = eo__circles_open(heats);
  assert_non_null(circles);
  assert_int_equal(eo__circles_search(circles, &found), EO_OK);
  assert_true(!found || eo__circles_on(circles, (uint64_t)from));
  assert_true(!found || eo__circles_round(circles, (uint64_t)from, round));
  if (!found) eo_vec_clear(round);
  for (size_t i = 0; i < round->count; i++) assert_true(eo__circles_on(circles, round->items[i].to));
  if (round->count) assert_int_equal(eo_vec_last(round).to, from);
  eo__circles_close(circles);
  eo__heats_close(heats);
  return round->count;
}

static void circles_are_fair(void **state) {
  (void)state;
  eo_round round = {0};
  const step end[] = {{1, 2, 0, 0, ""}, {2, 0, 0, 0, ""}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(end, 1, &round), 0);
  const step loop[] = {{1, 1, 0, 0, ""}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(loop, 1, &round), 1);
  const step cools[] = {{1, 2, 0, 0, ""}, {2, 1, 0, 0, "c"}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(cools, 1, &round), 0);
  const step two_specifications[] = {{1, 2, 0, 0, ""}, {2, 1, 0, 0, "d"}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(two_specifications, 1, &round), 0);
  /* Process 1 could go on all the time; or is stuck in a state; or takes part. */
  const step starves[] = {{1, 2, 0, 0, ""}, {2, 1, 0, 0, ""}, {1, 0, 1, 0, ""}, {2, 0, 1, 0, ""}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(starves, 1, &round), 0);
  const step stuck[] = {{1, 2, 0, 0, ""}, {2, 1, 0, 0, ""}, {1, 0, 1, 0, ""}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(stuck, 1, &round), 2);
  const step two_loops[] = {{1, 2, 0, 0, ""}, {2, 1, 0, 0, ""}, {1, 3, 1, 0, ""}, {3, 1, 1, 0, ""}, {2, 4, 1, 0, ""},
                            {4, 2, 1, 0, ""}, {3, 4, 0, 0, ""}, {4, 3, 0, 0, ""}, {0, 0, 0, 0, ""}};
  assert_true(round_of(two_loops, 3, &round) >= 4 && has_mark(&round, 0, 0) && has_mark(&round, 1, 0));
  eo_vec_release(&round);
}

static void choices_are_fair(void **state) {
  (void)state;
  eo_round round = {0};
  const step fires[] = {{1, 1, 0, 0, "f"}, {1, 0, 0, 1, "f"}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(fires, 1, &round), 0);
  const step both[] = {{1, 1, 0, 0, "f"}, {1, 2, 0, 1, "f"}, {2, 1, 0, 0, ""}, {0, 0, 0, 0, ""}};
  assert_true(round_of(both, 2, &round) >= 3 && has_mark(&round, 0, 0) && has_mark(&round, 0, 1));
  /* The choice in 1 leads out; without it the rest falls apart, into one circle that is left, or none. */
  const step apart[] = {{1, 2, 0, 0, "f"}, {1, 0, 0, 1, "f"}, {2, 1, 0, 0, ""},
                        {2, 3, 0, 1, ""},  {3, 2, 0, 0, ""},  {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(apart, 2, &round), 2);
  const step nothing[] = {{1, 2, 0, 0, "f"}, {1, 0, 0, 1, "f"}, {2, 1, 0, 0, ""}, {2, 3, 0, 1, ""}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(nothing, 1, &round), 0);
  /* The choice in 2 leads to where the other one leads out. */
  const step twice[] = {{1, 2, 0, 0, "f"}, {1, 0, 0, 1, "f"}, {2, 1, 1, 0, "f"}, {2, 2, 1, 1, "f"}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(twice, 1, &round), 0);
  /* Barring the choice leaves a circle in which its process only waits: not fair to it. */
  const step waits[] = {{1, 1, 0, 0, "f"}, {1, 0, 0, 1, "f"}, {1, 1, 1, 0, ""}, {0, 0, 0, 0, ""}};
  assert_int_equal(round_of(waits, 1, &round), 0);
  eo_vec_release(&round);
}

static void memory_runs_out(void **state) {
  (void)state;
  const step steps[] = {{1, 2, 0, 0, "f"}, {1, 0, 0, 1, "f"}, {2, 1, 0, 0, ""},
                        {2, 3, 0, 1, ""},  {3, 2, 0, 0, ""},  {0, 0, 0, 0, ""}};
  eo_heats *heats = open_log(0, NULL);
  add_steps(heats, steps);
  bool done = false;
  for (long budget = 0; !done; budget++) {
    eo_round round = {0};
    bool found = false;
    eo__alloc_budget = budget;
    assert_false(eo__heats_acyclic(heats));
    eo__alloc_budget = budget;
    eo_circles *circles = eo__circles_open(heats);
    done = circles && eo__circles_search(circles, &found) == EO_OK && found && eo__circles_round(circles, 2, &round);
    eo__alloc_budget = -1;
    eo__circles_close(circles);
    eo_vec_release(&round);
    assert_true(budget < 100 && (budget > 5 || !done));
  }
  eo__heats_close(heats);
}

/* Is there a circle of steps that have one of these bits? By taking away what has no step left, again and again. */
static bool goes_round(const eo_heat *steps, size_t count, uint32_t states, uint16_t bits) {
  bool gone[64] = {false}, changed = true, any = false;
  while (changed) {
    changed = false;
    for (uint32_t s = 1; s <= states; s++) {
      bool leads = false;
      for (size_t i = 0; i < count; i++)
        leads |= steps[i].from == s && steps[i].to && !gone[steps[i].to] && steps[i].stays & bits;
      if (gone[s] || leads) continue;
      gone[s] = changed = true;
    }
  }
  for (uint32_t s = 1; s <= states; s++) any |= !gone[s];
  return any;
}

/* Logs as walks make them, and as they come after workers died: stretches, some of them twice, with gaps between. Without a
 * circle of whatever bits it must say so; with one in which a specification stays hot it must not. */
static void walks_without_circles_are_known(void **state) {
  (void)state;
  enum { LOGS = 20000, MOST = 24 };
  unsigned without = 0, with = 0;
  eo_rng rng;
  eo__rng_init(&rng, 7);
  for (int n = 0; n < LOGS; n++) {
    eo_heat steps[MOST];
    uint32_t states = 2 + eo__rng_below(&rng, 12), count = 1 + eo__rng_below(&rng, MOST), at = 1;
    uint32_t back = eo__rng_below(&rng, 4); /* how often a step leads back, in 8 */
    eo_heats *heats = open_log(0, NULL);
    for (uint32_t i = 0; i < count; i++) {
      if (at >= states || eo__rng_below(&rng, 5) == 0) at = 1 + eo__rng_below(&rng, states - 1);
      bool backwards = eo__rng_below(&rng, 8) < back;
      uint32_t to = backwards ? 1 + eo__rng_below(&rng, states) : at + 1 + eo__rng_below(&rng, states - at);
      if (eo__rng_below(&rng, 16) == 0) to = 0;
      steps[i] = (eo_heat){.from = at, .to = to, .stays = (uint16_t)eo__rng_below(&rng, 4)};
      if (i && eo__rng_below(&rng, 6) == 0) steps[i] = steps[eo__rng_below(&rng, i)];
      eo__heats_add(heats, &steps[i]);
      at = steps[i].to ? (uint32_t)steps[i].to : 1;
    }
    bool hot = goes_round(steps, count, states, 1) || goes_round(steps, count, states, 2);
    bool none = !goes_round(steps, count, states, UINT16_MAX), acyclic = eo__heats_acyclic(heats);
    assert_true(!(hot && acyclic) && (!none || acyclic));
    without += none;
    with += hot;
    eo__heats_close(heats);
  }
  assert_true(without > LOGS / 10 && with > LOGS / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_write_to_one), cmocka_unit_test(gives_up_where_there_is_no_room),
      cmocka_unit_test(circles_are_fair), cmocka_unit_test(choices_are_fair),
      cmocka_unit_test(memory_runs_out),  cmocka_unit_test(walks_without_circles_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
