/* random.c: each choice drawn evenly from those there are; or, with --draw process, first whose turn it is, evenly, and then the
 * choice of that one, as P and Coyote do: there a process that has many choices does not go more often for it. */
#include <inttypes.h>

#include "base/alloc.h"
#include "strategies/sampler.h"
#include "strategies/strategies.h"

typedef struct drawing {
  eo_sampler sampler;
  bool process_first;
} drawing;

static void random_close(eo_strategy *strategy) { eo__free(strategy); }

static bool random_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  return eo__sampler_begin((eo_sampler *)strategy);
}

static uint32_t random_choose(eo_strategy *strategy, const eo_point *point) {
  drawing *d = (drawing *)strategy;
  return d->process_first ? eo__sampler_process(&d->sampler, point) : eo__sampler_any(&d->sampler, point);
}

static void random_end(eo_strategy *strategy, eo_outcome *outcome) {
  (void)strategy;
  (void)outcome;
}

static eo_coverage random_coverage(eo_strategy *strategy, eo_text *words) {
  const drawing *d = (const drawing *)strategy;
  eo__text_add(words, "%" PRIu64 " interleavings drawn at random with seed %" PRIu64 "%s", d->sampler.total,
               d->sampler.seed, d->process_first ? ", the process first" : "");
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
  drawing *d = eo__alloc(sizeof *d);
  if (!d) {
    eo__error_nomem(error);
    return NULL;
  }
  eo__sampler_init(&d->sampler, &random_kind, &random_ops, options);
  d->process_first = options->draw_process != 0;
  return &d->sampler.base;
}
