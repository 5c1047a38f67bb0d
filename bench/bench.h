/* bench.h: what the bench programs have in common: CPU time, and one exploration measured. */
#ifndef EO_BENCH_H
#define EO_BENCH_H

#include <everyorder.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/engine.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"

static inline double bench_cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

typedef eo_strategy *(*bench_strategy)(const eo_strategy_options *, eo_error *);

typedef struct bench_result {
  eo_engine_counts counts;
  uint64_t executions, pending;
  double seconds; /* CPU */
} bench_result;

/* With the wrappers that every exploration has. `between`, if not NULL, is called before each execution. */
static inline bench_result bench_explore(eo_function function, void *argument, bench_strategy open, uint64_t executions,
                                         bool checkpoints, void (*between)(void *)) {
  eo_error error = {0};
  char reason[128];
  eo_actor_options options = {.function = function, .argument = argument, .watchdog = 60};
  eo_strategy_options wanted = {.seed = 1};
  eo_stop_options stop = {.executions = executions, .reason = reason};
  eo_meter meter = {0};
  eo_subject *subject = eo__actor_open(&options, &error);
  if (!subject) {
    fprintf(stderr, "%s\n", error.text);
    exit(2);
  }
  eo_strategy *inner = open(&wanted, &error);
  eo_strategy *strategy = eo__recheck_open(eo__meter_open(eo__stop_open(inner, &stop, &error), &meter, &error), &error);
  eo_engine engine;
  eo__engine_init(&engine, subject, strategy);
  engine.no_checkpoints = !checkpoints;
  engine.between = between;
  double began = bench_cpu();
  eo__engine_run(&engine, &error);
  bench_result result = {.counts = engine.counts, .executions = meter.executions, .seconds = bench_cpu() - began};
  result.pending = strategy->ops->telling->pending(strategy);
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  subject->ops->close(subject);
  return result;
}

#endif
