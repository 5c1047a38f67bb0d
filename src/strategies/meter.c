/* meter.c: wraps a strategy and counts what it does. */
#include "strategies/strategies.h"
#include "strategies/wrapper.h"

enum { EVERY = 256 }; /* executions between looks at what is not free to know */

typedef struct metered {
  eo_wrapper wrapper;
  eo_meter *meter;
} metered;

static void meter_end(eo_strategy *strategy, eo_outcome *outcome) {
  eo_meter *meter = ((metered *)strategy)->meter;
  eo__wrapper_end(strategy, outcome);
  if (!outcome->counted) return;
  if (outcome->end == EO_END_PRUNED)
    meter->pruned++;
  else
    meter->executions++;
  meter->depth = outcome->depth;
  if (outcome->depth > meter->max_depth) meter->max_depth = outcome->depth;
  if ((meter->executions + meter->pruned) % EVERY != 1) return;
  meter->share = eo__wrapper_telling.share(strategy);
  meter->pending = eo__wrapper_telling.pending(strategy);
}

static const eo_strategy_ops meter_ops = {
    .close = eo__wrapper_close,
    .begin = eo__wrapper_begin,
    .choose = eo__wrapper_choose,
    .end = meter_end,
    .telling = &eo__wrapper_telling,
    .fragments = &eo__wrapper_fragments,
};

eo_strategy *eo__meter_open(eo_strategy *inner, eo_meter *meter, eo_error *error) {
  metered *m = eo__wrapper_open(sizeof *m, &meter_ops, inner, error);
  if (!m) return NULL;
  m->meter = meter;
  meter->share = -1;
  return &m->wrapper.base;
}
