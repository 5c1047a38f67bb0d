/* backtrack.c: going back a few steps beside running the whole execution again.
 *
 * n senders send one message each to the process that spawned them, which receives n times: 4n + 1 steps. Then it
 * chooses one of their n! orders, by a choice of n, one of n - 1, and so on: as a strategy would that decides at the last
 * receives which message each of them takes. All interleavings of the first part would be too many, so dfs is kept to
 * its first one: it may branch where there is a choose only. */
#include <inttypes.h>

#include "base/alloc.h"
#include "bench.h"
#include "core/program.h"

enum { ROUNDS = 5 };

static void sender(void *parent) { eo_send(*(eo_pid *)parent, 1, NULL, 0); }

static void orders(void *count) {
  eo_pid self = eo_self();
  eo_message message;
  int n = *(int *)count;
  for (int i = 0; i < n; i++) eo_spawn(sender, &self, sizeof self);
  for (int i = 0; i < n; i++) eo_receive(&message, EO_FOREVER);
  for (int left = n; left > 0; left--) (void)eo_choose((unsigned)left);
}

/* The same with memory of its own: what a process allocates must be brought back too. */
static void orders_on_heap(void *count) {
  int n = *(int *)count;
  char *texts[16];
  for (int i = 0; i < n; i++) texts[i] = malloc(100);
  orders(count);
  for (int i = 0; i < n; i++) free(texts[i]);
}

/* dfs over the values of choose alone. */
typedef struct chooser {
  eo_strategy base;
  eo_strategy *dfs;
} chooser;

static void chooser_close(eo_strategy *strategy) {
  eo_strategy *dfs = ((chooser *)strategy)->dfs;
  dfs->ops->close(dfs);
  eo__free(strategy);
}

static bool chooser_begin(eo_strategy *strategy, eo_beginning *beginning) {
  eo_strategy *dfs = ((chooser *)strategy)->dfs;
  return dfs->ops->begin(dfs, beginning);
}

static uint32_t chooser_choose(eo_strategy *strategy, const eo_point *point) {
  eo_strategy *dfs = ((chooser *)strategy)->dfs;
  eo_point narrow = *point;
  narrow.count = 1;
  if (point->choices[0].op == EO_OP_CHOOSE)
    while (narrow.count < point->count && point->choices[narrow.count].op == EO_OP_CHOOSE) narrow.count++;
  return dfs->ops->choose(dfs, &narrow);
}

static void chooser_end(eo_strategy *strategy, eo_outcome *outcome) {
  eo_strategy *dfs = ((chooser *)strategy)->dfs;
  dfs->ops->end(dfs, outcome);
}

static eo_coverage chooser_coverage(eo_strategy *strategy, eo_text *words) {
  eo_strategy *dfs = ((chooser *)strategy)->dfs;
  return dfs->ops->telling->coverage(dfs, words);
}

static uint64_t chooser_pending(eo_strategy *strategy) {
  eo_strategy *dfs = ((chooser *)strategy)->dfs;
  return dfs->ops->telling->pending(dfs);
}

static const eo_strategy_ops chooser_ops = {
    .close = chooser_close,
    .begin = chooser_begin,
    .choose = chooser_choose,
    .end = chooser_end,
    .telling = &(const eo_telling){.coverage = chooser_coverage, .pending = chooser_pending},
};

static eo_strategy *chooser_open(const eo_strategy_options *options, eo_error *error) {
  chooser *c = eo__alloc(sizeof *c);
  if (!c) return NULL;
  c->base.ops = &chooser_ops;
  c->dfs = eo__dfs_open(options, error);
  return &c->base;
}

static void measure(const char *name, eo_function function, int n) {
  double best[2] = {1e9, 1e9};
  bench_result result = {0};
  for (int round = 0; round < ROUNDS; round++) {
    for (int with = 0; with < 2; with++) {
      result = bench_explore(function, &n, chooser_open, 0, with, NULL);
      double each = result.seconds * 1e9 / (double)result.executions;
      if (each < best[with]) best[with] = each;
    }
  }
  uint64_t executions = result.executions;
  printf("%-8s %9" PRIu64 " %9.0f ns %9.0f ns %7.1f x %12.0f %10.2f %8.2f\n", name, executions, best[0], best[1],
         best[0] / best[1], 1e9 / best[1], (double)result.counts.transitions / (double)executions,
         (double)(result.counts.transitions + result.counts.skipped) / (double)executions);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 9;
  printf("         executions  replaying   going back     gain  executions/s  steps run  of steps\n");
  measure("stack", orders, n);
  measure("heap", orders_on_heap, n);
  printf("(each an execution, CPU time, best of %d)\n", ROUNDS);
  return 0;
}
