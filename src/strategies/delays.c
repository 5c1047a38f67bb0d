/* delays.c: wraps the replay of an execution and notes how often a delaying explorer has to be delayed at each step to do
 * the same: for whoever looks at it. Steps of a minimised execution have delays, too. */
#include "base/alloc.h"
#include "explorers/explorer.h"
#include "strategies/strategies.h"
#include "strategies/wrapper.h"

typedef struct counting {
  eo_wrapper wrapper;
  eo_walk walk;
  eo_delays_noted *noted;
  bool lost; /* the explorer is not sound, or there is no memory: nothing more is noted */
} counting;

static void delays_close(eo_strategy *strategy) {
  eo__walk_release(&((counting *)strategy)->walk);
  eo__wrapper_close(strategy);
}

static uint32_t delays_choose(eo_strategy *strategy, const eo_point *point) {
  counting *c = (counting *)strategy;
  uint32_t index = eo__wrapper_choose(strategy, point), made;
  if (c->lost || index == EO_PRUNE) return index;
  c->lost = !eo__walk_take(&c->walk, point, index, &made) || !eo_vec_push(c->noted, made);
  return index;
}

static void delays_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  counting *c = (counting *)strategy;
  eo_strategy *inner = c->wrapper.inner;
  if (inner->ops->observe) inner->ops->observe(inner, depth, taken, event);
  if (!c->lost && !(event->flags & EO_EVENT_FAILED)) c->lost = !eo__walk_observe(&c->walk, event);
}

static const eo_strategy_ops delays_ops = {
    .close = delays_close,
    .begin = eo__wrapper_begin_choosing,
    .choose = delays_choose,
    .observe = delays_observe,
    .end = eo__wrapper_end,
    .guiding = &eo__wrapper_guiding,
    .telling = &(const eo_telling){.coverage = eo__wrapper_coverage},
};

eo_strategy *eo__delays_open(eo_strategy *inner, const eo_strategy_options *options, eo_delays_noted *noted,
                             eo_error *error) {
  counting *c = eo__wrapper_open(sizeof *c, &delays_ops, inner, error);
  if (!c) return NULL;
  eo__walk_init(&c->walk, options->explorer, options->view, options->seed);
  c->noted = noted;
  return &c->wrapper.base;
}
