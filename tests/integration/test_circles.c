/* test_circles.c: liveness of strategies that keep states, on random programs of machines whose specifications become hot and
 * cold: ses with each explorer, preempt with a cache, and dfs find something exactly if a plain search of all states
 * (random_heat.h) finds an end or a fair circle in which a specification is hot; and what they find replays.
 *
 * Arguments, for longer hunts: first seed, number of programs. builds: release
 * hunt: SEED 200
 * takes: 20 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "random_heat.h"

static uint64_t first_seed = 1, programs = 200;

/* What a program may do, beside its tables: another graph each. */
typedef enum setting { MAILBOX, IDLE_POLLS, FIFO, ASYNC, SETTINGS } setting;
static const struct {
  heat_delivered delivered;
  const char *delivery;
  bool idle;
} settings[] = {[MAILBOX] = {HEAT_MAILBOX, NULL, false},
                [IDLE_POLLS] = {HEAT_MAILBOX, NULL, true},
                [FIFO] = {HEAT_FIFO, "fifo", false},
                [ASYNC] = {HEAT_ASYNC, "async", false}};

static const struct {
  const char *strategy, *explorer, *cache;
  setting setting;
  int jobs;
} ways[] = {{"ses", "rtc", NULL, MAILBOX, 1},
            {"ses", "rr", NULL, MAILBOX, 1},
            {"ses", "prr", NULL, MAILBOX, 2},
            {"preempt", NULL, "unlimited", MAILBOX, 1},
            {"preempt", NULL, "unlimited", MAILBOX, 2},
            {"dfs", NULL, NULL, MAILBOX, 1},
            {"ses", "rr", NULL, IDLE_POLLS, 1},
            {"ses", "rtc", NULL, FIFO, 1},
            {"ses", "rr", NULL, ASYNC, 1}};
enum { WAYS = sizeof ways / sizeof *ways };

static const char *verdicts[] = {
    [EO_PASS] = "pass", [EO_FAIL] = "fail", [EO_INCOMPLETE] = "incomplete", [EO_ERROR] = "error"};

/* What there is to find in a program. */
typedef enum kind {
  HOT_END,
  CIRCLE,
  UNFAIR_CHOICE,
  CLEAN,
  KINDS
} kind; /* UNFAIR_CHOICE: nothing, since choices are fair */

typedef struct counts {
  int explored, of[KINDS], passed[WAYS], found[WAYS];
} counts;

/* dfs runs every path by itself, so it is stopped early: it then says nothing, but what it says must be true. */
static void explore(uint64_t seed, int way, bool expected, counts *c) {
  bool whole = strcmp(ways[way].strategy, "dfs") != 0;
  eo_options options = {.strategy = ways[way].strategy,
                        .explorer = ways[way].explorer,
                        .cache = ways[way].cache,
                        .jobs = ways[way].jobs,
                        .delivery = settings[ways[way].setting].delivery,
                        .timeouts_idle = settings[ways[way].setting].idle,
                        .as_found = 1,
                        .depth = whole ? 0 : 100,
                        .executions = whole ? 0 : 2000};
  eo_result result;
  int code = eo_explore(run_heat, NULL, &options, &result);
  bool found = result.verdict == EO_FAIL && strcmp(result.kind, "liveness") == 0;
  bool passed = result.verdict == EO_PASS;
  if (code != 0 || (found && !expected) || (passed && expected) || (whole && found == passed))
    fail_msg("seed %llu, %s %s %s, %d jobs: %s %s (%s), and there is %s", (unsigned long long)seed, ways[way].strategy,
             ways[way].explorer ? ways[way].explorer : "",
             settings[ways[way].setting].delivery ? settings[ways[way].setting].delivery : "", ways[way].jobs,
             verdicts[result.verdict], result.kind, result.message, expected ? "something to find" : "nothing to find");
  c->found[way] += found;
  c->passed[way] += passed;
}

static kind kind_of(heat_graph *g) {
  if (heat_hot_end(g)) return HOT_END;
  if (heat_circle(g)) return CIRCLE;
  for (int at = 0; at < g->states; at++)
    for (int e = 0; e < g->counts[at]; e++) g->edges[at][e].fair = false;
  return heat_circle(g) ? UNFAIR_CHOICE : CLEAN;
}

/* In every setting; false: in one there are too many states. */
static bool kinds_of(heat_graph *g, kind of[SETTINGS]) {
  for (int i = 0; i < SETTINGS; i++) {
    heat_delivery = settings[i].delivered;
    heat_idle = settings[i].idle;
    heat_build(g);
    if (g->more || g->states < 8) return false;
    of[i] = kind_of(g);
  }
  return true;
}

/* As many of each kind, but fewer of the ends, which are easy. */
static void circles_are_found(void **state) {
  (void)state;
  static heat_graph graph;
  static const int parts[KINDS] = {[HOT_END] = 1, [CIRCLE] = 3, [UNFAIR_CHOICE] = 3, [CLEAN] = 3};
  counts c = {0};
  uint64_t seed = first_seed;
  for (; c.explored < (int)programs; seed++) {
    heat_draw(seed);
    kind kinds[SETTINGS];
    if (!kinds_of(&graph, kinds)) continue;
    kind k = kinds[seed % SETTINGS]; /* that of one setting decides, by turns */
    if (c.of[k] * 10 > c.explored * parts[k]) continue;
    heat_make_specs();
    c.explored++;
    c.of[k]++;
    for (int way = 0; way < WAYS; way++) explore(seed, way, kinds[ways[way].setting] <= CIRCLE, &c);
  }
  print_message(
      "%d programs, up to seed %llu: %d with a hot end, %d with a circle, %d with one if choices were not fair, "
      "%d clean; found and passed:",
      c.explored, (unsigned long long)seed, c.of[HOT_END], c.of[CIRCLE], c.of[UNFAIR_CHOICE], c.of[CLEAN]);
  for (int way = 0; way < WAYS; way++) print_message(" %d+%d", c.found[way], c.passed[way]);
  print_message("\n");
}

int main(int argc, char **argv) {
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(circles_are_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
