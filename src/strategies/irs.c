/* irs.c: the iterative random scheduler of Desai et al., FSE 2015, section 5: random scheduling in strata by depth. Iteration i draws
 * 3^i executions, each choice evenly, and cuts them off after i times so many steps as the depth bound grows by. The
 * paper's number of steps is not legible; here it is --length, or 100. So what happens early is drawn often, at the price
 * of the few steps that it takes.
 *
 * Which iteration an execution belongs to follows from its number. One that is cut off counts as pruned. */
#include <inttypes.h>

#include "base/alloc.h"
#include "strategies/sampler.h"
#include "strategies/strategies.h"

enum { DEFAULT_GROWTH = 100, FACTOR = 3 };

typedef struct irs {
  eo_sampler sampler;
  uint32_t growth; /* of the bound */
  uint32_t bound;  /* of the execution under way */
} irs;

static void irs_close(eo_strategy *strategy) { eo__free(strategy); }

/* Of the execution of this number. */
static uint32_t iteration(uint64_t number) {
  uint32_t i = 1;
  for (uint64_t size = FACTOR; number >= size && size <= UINT64_MAX / FACTOR; i++, size *= FACTOR) number -= size;
  return i;
}

static uint32_t bound_of(const irs *r, uint64_t number) {
  uint64_t bound = (uint64_t)iteration(number) * r->growth;
  return bound < UINT32_MAX ? (uint32_t)bound : UINT32_MAX;
}

static bool irs_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  irs *r = (irs *)strategy;
  if (!eo__sampler_begin(&r->sampler)) return false;
  r->bound = bound_of(r, r->sampler.next - 1);
  return true;
}

static uint32_t irs_choose(eo_strategy *strategy, const eo_point *point) {
  irs *r = (irs *)strategy;
  if (point->depth >= r->bound) return EO_PRUNE;
  return eo__sampler_any(&r->sampler, point);
}

static void irs_end(eo_strategy *strategy, eo_outcome *outcome) {
  (void)strategy;
  (void)outcome;
}

static eo_coverage irs_coverage(eo_strategy *strategy, eo_text *words) {
  const irs *r = (const irs *)strategy;
  eo__sampler_words(&r->sampler, words);
  eo__text_add(words, ", cut off after %" PRIu32 " to %" PRIu32 " steps", bound_of(r, 0),
               bound_of(r, r->sampler.total - 1));
  return EO_COVERS_SAMPLE;
}

static const eo_strategy_ops irs_ops = {
    .close = irs_close,
    .begin = irs_begin,
    .choose = irs_choose,
    .end = irs_end,
    .telling =
        &(const eo_telling){.coverage = irs_coverage, .share = eo__sampler_share, .pending = eo__sampler_pending},
    .fragments = &eo__sampler_fragments,
};

static const eo_sampler_kind irs_kind = {.name = "irs", .letter = EO_FRAGMENT_IRS};

eo_strategy *eo__irs_open(const eo_strategy_options *options, eo_error *error) {
  irs *r = eo__alloc(sizeof *r);
  if (!r) {
    eo__error_nomem(error);
    return NULL;
  }
  eo__sampler_init(&r->sampler, &irs_kind, &irs_ops, options);
  r->growth = options->length ? options->length : DEFAULT_GROWTH;
  return &r->sampler.base;
}
