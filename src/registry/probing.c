/* probing.c: see probing.h. */
#include "registry/probing.h"

#include "base/clock.h"
#include "base/rng.h"
#include "registry/registry.h"
#include "strategies/strategies.h"

enum { ROUND = 64 };     /* probes, after which it is looked whether they are enough */
#define GOOD_ENOUGH 0.02 /* standard error, as a part of the estimate */

eo_strategy_options eo__strategy_options(const eo_request *request, eo_subject *subject) {
  const eo_options *options = &request->options;
  eo_strategy_options wanted = {.bounded = options->bounded,
                                .bound = (uint32_t)options->bound,
                                .seed = options->seed,
                                .executions = options->executions,
                                .timeouts_idle = options->timeouts_idle,
                                .reduction = options->reduction,
                                .subject = subject};
  if (options->delivery) eo_delivery_parse(options->delivery, &wanted.delivery); /* it was checked */
  return wanted;
}

/* *steps: taken. */
static int probe_round(const eo_request *request, eo_strategy_opener *open, const eo_strategy_options *wanted,
                       const eo_stop_options *stop, uint64_t *steps, eo_error *error) {
  eo_engine engine;
  eo_strategy *strategy = eo__stop_open(open(wanted, error), stop, error);
  if (!strategy) return error->code;
  eo_engine_init(&engine, wanted->subject, strategy);
  engine.max_depth = request->options.depth ? request->options.depth : EO_DEFAULT_DEPTH;
  engine.no_checkpoints = true;
  int code = eo_engine_run(&engine, error);
  *steps = engine.counts.transitions;
  eo_engine_release(&engine);
  strategy->ops->close(strategy);
  return code;
}

bool eo__probe_enough(const eo_estimate *estimate) {
  double mean = eo_estimate_mean(estimate);
  return estimate->probes >= ROUND &&
         (eo_estimate_error(estimate) <= GOOD_ENOUGH * mean || mean <= (double)estimate->probes);
}

int eo__probe(const eo_request *request, eo_subject *subject, eo_cell *cell, uint64_t seed,
              const eo_probe_limits *limits, eo_estimate *estimate, eo_error *error) {
  eo_strategy_options wanted = eo__strategy_options(request, subject);
  eo_strategy_opener *open = eo__strategy_probe(eo__strategy_find(request->options.strategy), &wanted, NULL);
  if (!open || cell->fatals->probing) return EO_OK;
  char reason[128] = "";
  eo_rng seeds;
  double end = limits->seconds > 0 ? eo_seconds() + limits->seconds : 0;
  uint64_t last = estimate->probes + limits->probes, steps = 0, taken = 0;
  int code = EO_OK;
  eo_rng_init(&seeds, seed);
  cell->probing = 1;
  for (; code == EO_OK && !*reason && estimate->probes < last && steps < limits->steps; steps += taken) {
    if (eo__probe_enough(estimate)) break;
    eo_stop_options stop = {.flag = &cell->stop, .reason = reason, .seconds = end > 0 ? end - eo_seconds() : 0};
    if (end > 0 && stop.seconds <= 0) break;
    wanted.seed = eo_rng_next(&seeds);
    wanted.probes = last - estimate->probes < ROUND ? last - estimate->probes : ROUND;
    wanted.probe_steps = limits->steps - steps;
    wanted.estimate = estimate;
    code = probe_round(request, open, &wanted, &stop, &taken, error);
  }
  cell->probing = 0;
  return code;
}
