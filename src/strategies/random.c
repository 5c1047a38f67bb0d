/* random.c: each choice drawn evenly from those there are. */
#include <inttypes.h>

#include "base/alloc.h"
#include "strategies/sampler.h"
#include "strategies/strategies.h"

static void random_close(eo_strategy *strategy) { eo__free(strategy); }

static bool random_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  return eo__sampler_begin((eo_sampler *)strategy);
}

static uint32_t random_choose(eo_strategy *strategy, const eo_point *point) {
  return eo__sampler_any((eo_sampler *)strategy, point);
}

static void random_end(eo_strategy *strategy, eo_outcome *outcome) {
  (void)strategy;
  (void)outcome;
}

static eo_coverage random_coverage(eo_strategy *strategy, eo_text *words) {
  const eo_sampler *s = (const eo_sampler *)strategy;
  eo__text_add(words, "%" PRIu64 " interleavings drawn at random with seed %" PRIu64, s->total, s->seed);
  return EO_COVERS_SAMPLE;
}

static const eo_strategy_ops random_ops = {
    .close = random_close,
    .begin = random_begin,
    .choose = random_choose,
    .end = random_end,
    .telling =
        &(const eo_telling){.coverage = random_coverage, .share = eo__sampler_share, .pending = eo__sampler_pending},
    .fragments = &eo__sampler_fragments,
};

static const eo_sampler_kind random_kind = {.name = "random", .letter = EO_FRAGMENT_RANDOM, .seed_alone = true};

eo_strategy *eo__random_open(const eo_strategy_options *options, eo_error *error) {
  eo_sampler *s = eo__alloc(sizeof *s);
  if (!s) {
    eo__error_nomem(error);
    return NULL;
  }
  eo__sampler_init(s, &random_kind, &random_ops, options);
  return &s->base;
}
