/* probing.c: see probing.h. */
#include "registry/probing.h"

#include "registry/registry.h"
#include "strategies/strategies.h"

eo_strategy_options eo__strategy_options(const eo_request *request, eo_subject *subject) {
  const eo_options *options = &request->options;
  eo_strategy_options wanted = {.bounded = options->bounded,
                                .bound = (uint32_t)options->bound,
                                .seed = options->seed,
                                .executions = options->executions,
                                .timeouts_idle = options->timeouts_idle,
                                .reduction = options->reduction,
                                .delays_bounded = options->delays_bounded,
                                .delays = (uint32_t)options->delays,
                                .delay_step = options->delay_step ? (uint32_t)options->delay_step : 1,
                                .samples = options->samples ? (uint32_t)options->samples : EO_DEFAULT_SAMPLES,
                                .growth = options->growth > 0 ? options->growth : EO_DEFAULT_GROWTH,
                                .bug_depth = options->bug_depth ? (uint32_t)options->bug_depth : EO_DEFAULT_BUG_DEPTH,
                                .length = (uint32_t)options->length,
                                .timed = options->seconds > 0,
                                .cache = eo__cache_mode(request),
                                .visited = request->visited,
                                .heats = request->heats,
                                .no_tree = options->no_tree,
                                .sink = request->sink,
                                .view = subject ? eo_subject_view(subject) : (eo_view){0}};
  wanted.explorer = eo__explorer_find(options->explorer, NULL);                   /* it was checked */
  if (options->delivery) eo__delivery_parse(options->delivery, &wanted.delivery); /* it was checked */
  return wanted;
}

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
  engine.max_depth = request->options.depth ? request->options.depth : EO_DEFAULT_DEPTH;
  engine.no_checkpoints = true;
  cell->probing = 1;
  int code = eo__engine_run(&engine, error);
  eo__worker_report(); /* a probe may have kept the worker from talking to the parent: that is no fault of its work */
  cell->probing = 0;
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  return code;
}
