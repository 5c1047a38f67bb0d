/* probing.c: see probing.h. */
#include "registry/probing.h"

#include "registry/registry.h"
#include "strategies/strategies.h"

typedef struct probing {
  const eo_cell *cell;
  const eo_probe_listener *listener;
  eo_strategy *strategy;
} probing;

static bool ended(void *context, const eo_outcome *outcome) {
  const probing *p = context;
  if (p->cell->slow) return false; /* it was given up, and may be just slow */
  return !outcome->failure || p->listener->failed(p->listener->context, p->strategy, outcome);
}

int eo__probe(const eo_request *request, eo_subject *subject, eo_cell *cell, uint64_t seed,
              const eo_probe_limits *limits, const eo_probe_listener *listener, eo_estimate *estimate,
              eo_error *error) {
  eo_strategy_options wanted = eo__strategy_options(request, subject);
  eo_strategy_opener *open = eo__strategy_probe(eo__strategy_find(request->options.strategy), &wanted, NULL);
  if (!open || eo__worker_fatals()->probing || cell->slow) return EO_OK;
  char reason[128];
  eo_stop_options stop = {.flag = &cell->stop, .recall = &cell->slow, .reason = reason, .seconds = limits->seconds};
  wanted.seed = seed;
  wanted.probes = limits->probes;
  wanted.probe_steps = limits->steps;
  wanted.probe_error = EO_PROBED_WELL;
  wanted.estimate = estimate;
  eo_engine engine;
  probing p = {cell, listener, open(&wanted, error)};
  eo_strategy *strategy = eo__stop_open(p.strategy, &stop, error);
  if (!strategy) return error->code;
  eo__engine_init(&engine, subject, strategy);
  engine.ended = ended;
  engine.context = &p;
  engine.max_depth = eo__depth(request);
  engine.no_checkpoints = true;
  cell->probing = 1;
  int code = eo__engine_run(&engine, error);
  eo__worker_report(); /* a probe may have kept the worker from talking to the parent: that is no fault of its work */
  cell->probing = 0;
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  return code;
}
