/* test_sharing_random.c: random programs whose processes read and write each other's memory. Whether two accesses are
 * ordered is known beforehand, since every message has one place where it is received: a strategy must find hidden sharing
 * exactly if two accesses that conflict are not. A search of all orders of the accesses themselves checks that: where it
 * sees two outcomes, there must be such a pair. timeout: 900
 * hunt: SEED */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <everyorder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { PROCESSES = 3, ACTIONS = 5, CELLS = 2, PROGRAMS = 30, BEGIN = 100, OUTCOMES = 64 };

typedef enum kind { READ, WRITE, SEND, TAKE, PAUSE } kind;

typedef struct action {
  kind kind;
  int which; /* cell; process */
} action;

/* Where the cells are, and how others know that. */
typedef enum place { BLOCKS, BYTES_OF_A_BLOCK, STACK, PLACES } place;

typedef struct program {
  action actions[PROCESSES][ACTIONS];
  int count[PROCESSES];
  place place;
  bool hidden; /* the addresses */
} program;

/* ---- Running it ------------------------------------------------------------------------------------------------- */

typedef struct all {
  program program;
  uintptr_t cells[CELLS];
  eo_pid pids[PROCESSES];
  int self;
} all;

static volatile char *cell_of(const all *a, int which) {
  return (volatile char *)(a->program.hidden ? ~a->cells[which] : a->cells[which]);
}

static void act(const all *a) {
  eo_message message;
  for (int i = 0; i < a->program.count[a->self]; i++) {
    const action *now = &a->program.actions[a->self][i];
    volatile char *cell = now->kind <= WRITE ? cell_of(a, now->which) : NULL;
    switch (now->kind) {
      case READ: (void)*cell; break;
      case WRITE: *cell = (char)(1 + a->self * ACTIONS + i); break;
      case SEND: eo_send(a->pids[now->which], a->self, NULL, 0); break;
      case TAKE: eo_receive_tag(&message, now->which, EO_FOREVER); break;
      case PAUSE: eo_sleep(1); break;
    }
  }
}

static void worker(void *argument) {
  (void)argument;
  eo_message message;
  eo_receive_tag(&message, BEGIN, EO_FOREVER);
  all a;
  memcpy(&a, message.data, sizeof a);
  act(&a);
}

static void root(void *argument) {
  volatile char on_stack[CELLS] = {0};
  all a = {.program = *(const program *)argument};
  volatile char *block = calloc(1, CELLS);
  a.pids[0] = eo_self();
  for (int i = 0; i < CELLS; i++) {
    volatile char *cell = a.program.place == BLOCKS  ? calloc(1, 1)
                          : a.program.place == STACK ? &on_stack[i]
                                                     : &block[i];
    a.cells[i] = a.program.hidden ? ~(uintptr_t)cell : (uintptr_t)cell;
  }
  for (int i = 1; i < PROCESSES; i++) a.pids[i] = eo_spawn(worker, NULL, 0);
  for (int i = 1; i < PROCESSES; i++) {
    a.self = i;
    eo_send(a.pids[i], BEGIN, &a, sizeof a);
  }
  a.self = 0;
  act(&a);
}

/* ---- Knowing it ------------------------------------------------------------------------------------------------- */

typedef struct moment {
  int at[PROCESSES];
  int sent[PROCESSES][PROCESSES]; /* and not yet taken */
  char cells[CELLS];
  unsigned seen; /* hash of what was read */
} moment;

typedef struct outcomes {
  unsigned seen[OUTCOMES];
  int count;
  bool stuck;
  long budget;
} outcomes;

static void note_outcome(outcomes *o, const moment *s) {
  unsigned value = s->seen;
  for (int i = 0; i < CELLS; i++) value = value * 31 + (unsigned char)s->cells[i];
  for (int i = 0; i < o->count; i++)
    if (o->seen[i] == value) return;
  if (o->count < OUTCOMES) o->seen[o->count++] = value;
}

/* Every order of all actions, accesses too. */
static void search(const program *p, const moment *s, outcomes *o) {
  bool moved = false, over = true;
  if (o->budget-- <= 0) return;
  for (int i = 0; i < PROCESSES; i++) {
    if (s->at[i] == p->count[i]) continue;
    over = false;
    const action *now = &p->actions[i][s->at[i]];
    moment next = *s;
    if (now->kind == TAKE && s->sent[now->which][i] == 0) continue;
    next.at[i]++;
    if (now->kind == TAKE) next.sent[now->which][i]--;
    if (now->kind == SEND) next.sent[i][now->which]++;
    if (now->kind == WRITE) next.cells[now->which] = (char)(1 + i * ACTIONS + s->at[i]);
    if (now->kind == READ) /* a sum: in which order processes read is no outcome */
      next.seen += (unsigned)(s->cells[now->which] + 1) * (unsigned)(7919 * (i + 1) * (s->at[i] + 1) + 104729);
    moved = true;
    search(p, &next, o);
  }
  if (over) note_outcome(o, s);
  o->stuck |= !over && !moved;
}

enum { NODES = PROCESSES * ACTIONS };

/* The nth SEND of i to j comes before the nth TAKE. */
static void order(const program *p, bool before[NODES][NODES]) {
  memset(before, 0, NODES * sizeof before[0]);
  for (int i = 0; i < PROCESSES; i++)
    for (int x = 0; x < p->count[i]; x++) {
      if (x) before[i * ACTIONS + x - 1][i * ACTIONS + x] = true;
      const action *send = &p->actions[i][x];
      if (send->kind != SEND) continue;
      int nth = 0, j = send->which, taken = 0;
      for (int y = 0; y < x; y++) nth += p->actions[i][y].kind == SEND && p->actions[i][y].which == j;
      for (int y = 0; y < p->count[j]; y++)
        if (p->actions[j][y].kind == TAKE && p->actions[j][y].which == i && taken++ == nth)
          before[i * ACTIONS + x][j * ACTIONS + y] = true;
    }
  for (int k = 0; k < NODES; k++)
    for (int i = 0; i < NODES; i++)
      for (int j = 0; j < NODES; j++) before[i][j] |= before[i][k] && before[k][j];
}

static bool conflicts(const action *a, const action *b) {
  return a->kind <= WRITE && b->kind <= WRITE && a->which == b->which && (a->kind == WRITE || b->kind == WRITE);
}

static bool shares(const program *p) {
  bool before[NODES][NODES];
  order(p, before);
  for (int i = 0; i < PROCESSES; i++)
    for (int j = 0; j < i; j++)
      for (int x = 0; x < p->count[i]; x++)
        for (int y = 0; y < p->count[j]; y++)
          if (conflicts(&p->actions[i][x], &p->actions[j][y]) && !before[i * ACTIONS + x][j * ACTIONS + y] &&
              !before[j * ACTIONS + y][i * ACTIONS + x])
            return true;
  return false;
}

/* ---- Tests ------------------------------------------------------------------------------------------------------ */

static void add(program *p, int process, kind what, int which) {
  if (p->count[process] < ACTIONS) p->actions[process][p->count[process]++] = (action){what, which};
}

/* Mostly a chain of messages that orders much of what is done, so that both kinds of programs are frequent. */
static program draw(eo_rng *rng) {
  program p = {.place = (place)eo__rng_below(rng, PLACES), .hidden = eo__rng_below(rng, 3) == 0};
  int at = (int)eo__rng_below(rng, PROCESSES);
  for (int i = 0; i < 6; i++) {
    int cell = (int)eo__rng_below(rng, CELLS);
    add(&p, at, eo__rng_below(rng, 2) ? WRITE : READ, cell);
    if (eo__rng_below(rng, 4) == 0) add(&p, at, PAUSE, 0);
    int next = (int)eo__rng_below(rng, PROCESSES);
    if (next == at || p.count[at] == ACTIONS || p.count[next] == ACTIONS) continue;
    if (eo__rng_below(rng, 3)) {
      add(&p, at, SEND, next);
      add(&p, next, TAKE, at);
    }
    at = next;
  }
  return p;
}

static void print(const program *p, char *out, size_t size) {
  static const char *const names[] = {"read", "write", "send", "take", "pause"};
  size_t length = (size_t)snprintf(out, size, "place %d%s", (int)p->place, p->hidden ? " hidden" : "");
  for (int i = 0; i < PROCESSES; i++)
    for (int x = 0; x < p->count[i] && length < size; x++)
      length += (size_t)snprintf(out + length, size - length, "%s %s %d",
                                 x   ? ","
                                 : i ? "; "
                                     : ": ",
                                 names[p->actions[i][x].kind], p->actions[i][x].which);
}

static void agree(const program *p, bool wanted, const eo_options *options) {
  eo_result result;
  char text[512];
  print(p, text, sizeof text);
  if (eo_explore(root, (void *)(uintptr_t)p, options, &result) != 0) fail_msg("%s: %s", text, result.message);
  bool found = result.verdict == EO_FAIL && strcmp(result.kind, "hidden sharing") == 0;
  if (found != wanted || (!wanted && result.verdict == EO_FAIL) ||
      (!wanted && !options->executions && result.verdict != EO_PASS))
    fail_msg("%s under %s: verdict %d, %s: %s; it %s", text, options->strategy, (int)result.verdict, result.kind,
             result.message, wanted ? "shares memory" : "shares none");
}

static uint64_t first_seed = 14;

static void sharing_is_found_exactly_where_it_is(void **state) {
  static const eo_options strategies[] = {{.strategy = "dpor", .as_found = 1},
                                          {.strategy = "reach", .as_found = 1},
                                          {.strategy = "dpor", .reduction = "source", .as_found = 1},
                                          {.strategy = "ses", .executions = 40, .as_found = 1},
                                          {.strategy = "dfs", .executions = 40, .as_found = 1},
                                          {.strategy = "random", .executions = 10, .as_found = 1}};
  (void)state;
  eo_rng rng;
  eo__rng_init(&rng, first_seed);
  int sharing = 0, clean = 0;
  while (sharing + clean < PROGRAMS) {
    program p = draw(&rng);
    outcomes o = {.budget = 2000000};
    const moment start = {0};
    search(&p, &start, &o);
    if (o.stuck || o.budget <= 0) continue;
    bool wanted = shares(&p);
    assert_true(wanted || o.count == 1);
    wanted ? sharing++ : clean++;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) agree(&p, wanted, &strategies[i]);
  }
  print_message("%d programs share memory, %d do not\n", sharing, clean);
  assert_true(sharing > PROGRAMS / 5 && clean > PROGRAMS / 5);
}

int main(int argc, char **argv) {
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(sharing_is_found_exactly_where_it_is)};
  return cmocka_run_group_tests_name("sharing_random", tests, NULL, NULL);
}
