/* wrapper.c: passing on to the wrapped strategy. */
#include "strategies/wrapper.h"

#include "base/alloc.h"

void *eo__wrapper_open(size_t size, const eo_strategy_ops *ops, eo_strategy *inner, eo_error *error) {
  eo_wrapper *wrapper = inner ? eo__alloc(size) : NULL;
  if (!wrapper) {
    if (inner) {
      inner->ops->close(inner);
      eo__error_nomem(error);
    }
    return NULL;
  }
  wrapper->base.ops = ops;
  wrapper->base.receives_choose = inner->receives_choose;
  wrapper->inner = inner;
  return wrapper;
}

static eo_strategy *inner_of(eo_strategy *strategy) { return ((eo_wrapper *)strategy)->inner; }

void eo__wrapper_close(eo_strategy *strategy) {
  eo_strategy *inner = inner_of(strategy);
  inner->ops->close(inner);
  eo__free(strategy);
}

bool eo__wrapper_begin(eo_strategy *strategy, eo_beginning *beginning) {
  eo_strategy *inner = beginning->chooser = inner_of(strategy);
  bool more = inner->ops->begin(inner, beginning);
  strategy->error = inner->error;
  strategy->trouble = inner->trouble;
  return more;
}

bool eo__wrapper_begin_choosing(eo_strategy *strategy, eo_beginning *beginning) {
  bool more = eo__wrapper_begin(strategy, beginning);
  beginning->chooser = strategy;
  return more;
}

uint32_t eo__wrapper_choose(eo_strategy *strategy, const eo_point *point) {
  eo_strategy *inner = inner_of(strategy);
  return inner->ops->choose(inner, point);
}

void eo__wrapper_end(eo_strategy *strategy, eo_outcome *outcome) {
  eo_strategy *inner = inner_of(strategy);
  inner->ops->end(inner, outcome);
  if (!inner->error) return;
  strategy->error = inner->error;
  strategy->trouble = inner->trouble;
}

static bool pass_goes_on(eo_strategy *strategy, uint32_t depth) {
  eo_strategy *inner = inner_of(strategy);
  return inner->ops->guiding && inner->ops->guiding->goes_on && inner->ops->guiding->goes_on(inner, depth);
}

const eo_guiding eo__wrapper_guiding = {.goes_on = pass_goes_on};

eo_coverage eo__wrapper_coverage(eo_strategy *strategy, eo_text *words) {
  eo_strategy *inner = inner_of(strategy);
  return inner->ops->telling->coverage(inner, words);
}

static double pass_share(eo_strategy *strategy) {
  eo_strategy *inner = inner_of(strategy);
  return inner->ops->telling->share ? inner->ops->telling->share(inner) : -1;
}

static uint64_t pass_pending(eo_strategy *strategy) {
  eo_strategy *inner = inner_of(strategy);
  return inner->ops->telling->pending ? inner->ops->telling->pending(inner) : 0;
}

static bool pass_save(eo_strategy *strategy, eo_bytes *out) {
  eo_strategy *inner = inner_of(strategy);
  return inner->ops->fragments->save(inner, out);
}

static int pass_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  eo_strategy *inner = inner_of(strategy);
  return inner->ops->fragments->load(inner, bytes, size, error);
}

static bool pass_split(eo_strategy *strategy, eo_bytes *out) {
  eo_strategy *inner = inner_of(strategy);
  bool done = inner->ops->fragments->split(inner, out);
  if (inner->error) strategy->error = inner->error;
  return done;
}

const eo_telling eo__wrapper_telling = {.coverage = eo__wrapper_coverage, .share = pass_share, .pending = pass_pending};

const eo_fragments eo__wrapper_fragments = {.save = pass_save, .load = pass_load, .split = pass_split};
