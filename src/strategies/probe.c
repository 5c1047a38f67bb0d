/* probe.c: random descents into the tree of all interleavings. */
#include "base/alloc.h"
#include "base/rng.h"
#include "strategies/strategies.h"

typedef struct probe {
  eo_strategy base;
  eo_rng rng;
  eo_estimate *estimate;
  uint64_t left, steps_left;
  double weight;
} probe;

static void probe_close(eo_strategy *strategy) { eo_free(strategy); }

static bool probe_begin(eo_strategy *strategy, uint32_t *shared) {
  probe *p = (probe *)strategy;
  *shared = 0;
  if (p->left == 0 || p->steps_left == 0) return false;
  p->left--;
  p->weight = 1;
  return true;
}

static uint32_t probe_choose(eo_strategy *strategy, const eo_point *point) {
  probe *p = (probe *)strategy;
  p->weight *= point->count;
  p->steps_left -= p->steps_left > 0;
  return point->count == 1 ? 0 : eo_rng_below(&p->rng, point->count);
}

static void probe_end(eo_strategy *strategy, eo_outcome *outcome) {
  probe *p = (probe *)strategy;
  outcome->counted = false;
  eo_estimate_note(p->estimate, p->weight, outcome->depth);
}

static eo_coverage probe_coverage(eo_strategy *strategy, eo_text *words) {
  (void)strategy;
  (void)words;
  return EO_COVERS_SAMPLE;
}

static const eo_strategy_ops probe_ops = {
    .close = probe_close,
    .begin = probe_begin,
    .choose = probe_choose,
    .end = probe_end,
    .coverage = probe_coverage,
};

eo_strategy *eo__probe_open(const eo_strategy_options *options, eo_error *error) {
  probe *p = eo_alloc(sizeof *p);
  if (!p) {
    eo_error_nomem(error);
    return NULL;
  }
  p->base.ops = &probe_ops;
  p->estimate = options->estimate;
  p->left = options->probes;
  p->steps_left = options->probe_steps;
  eo_rng_init(&p->rng, options->seed);
  return &p->base;
}
