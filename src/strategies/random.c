/* random.c: each choice drawn evenly from those there are. The same seed draws the same. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "strategies/strategies.h"

enum { DEFAULT_EXECUTIONS = 10000 };

typedef struct random_walk {
  eo_strategy base;
  eo_rng rng;
  uint64_t seed, left, drawn;
} random_walk;

static void random_close(eo_strategy *strategy) { eo_free(strategy); }

static bool random_begin(eo_strategy *strategy, uint32_t *shared) {
  random_walk *r = (random_walk *)strategy;
  *shared = 0;
  if (r->left == 0) return false;
  r->left--;
  r->drawn++;
  return true;
}

static uint32_t random_choose(eo_strategy *strategy, const eo_point *point) {
  return point->count == 1 ? 0 : eo_rng_below(&((random_walk *)strategy)->rng, point->count);
}

static void random_end(eo_strategy *strategy, eo_outcome *outcome) {
  (void)strategy;
  (void)outcome;
}

static eo_coverage random_coverage(eo_strategy *strategy, eo_text *words) {
  const random_walk *r = (const random_walk *)strategy;
  eo_text_add(words, "%" PRIu64 " interleavings drawn at random with seed %" PRIu64, r->drawn, r->seed);
  return EO_COVERS_SAMPLE;
}

static uint64_t random_pending(eo_strategy *strategy) { return ((random_walk *)strategy)->left; }

static double random_share(eo_strategy *strategy) {
  const random_walk *r = (const random_walk *)strategy;
  return (double)r->drawn / (double)(r->drawn + r->left);
}

static const eo_strategy_ops random_ops = {
    .close = random_close,
    .begin = random_begin,
    .choose = random_choose,
    .end = random_end,
    .coverage = random_coverage,
    .share = random_share,
    .pending = random_pending,
};

eo_strategy *eo__random_open(const eo_strategy_options *options, eo_error *error) {
  random_walk *r = eo_alloc(sizeof *r);
  if (!r) {
    eo_error_nomem(error);
    return NULL;
  }
  r->base.ops = &random_ops;
  r->seed = options->seed;
  r->left = options->executions ? options->executions : DEFAULT_EXECUTIONS;
  eo_rng_init(&r->rng, options->seed);
  return &r->base;
}
