/* stop.c: wraps a strategy and ends the run early. The clock is read once per execution at most, and only when there is
 * a limit in seconds. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "strategies/strategies.h"
#include "strategies/wrapper.h"

typedef struct stopper {
  eo_wrapper wrapper;
  eo_stop_options options;
  uint64_t executions;
  double deadline;
  bool failed;
} stopper;

static bool stop(stopper *s, const char *reason) {
  snprintf(s->options.reason, 128, "%s", reason);
  return false;
}

static bool stop_begin(eo_strategy *strategy, uint32_t *shared) {
  stopper *s = (stopper *)strategy;
  char text[96];
  if (s->failed) return stop(s, "at the first finding");
  if (s->options.flag && *s->options.flag) return stop(s, "interrupted");
  bool more = eo__wrapper_begin(strategy, shared);
  if (!more) return false; /* its own end, not ours */
  if (s->options.executions && s->executions == s->options.executions) {
    snprintf(text, sizeof text, "after %" PRIu64 " execution%s", s->executions, s->executions == 1 ? "" : "s");
    return stop(s, text);
  }
  if (s->deadline > 0 && eo_seconds() >= s->deadline) {
    snprintf(text, sizeof text, "after %g s", s->options.seconds);
    return stop(s, text);
  }
  return true;
}

static void stop_end(eo_strategy *strategy, eo_outcome *outcome) {
  stopper *s = (stopper *)strategy;
  eo__wrapper_end(strategy, outcome);
  if (!outcome->counted) return;
  if (outcome->end != EO_END_PRUNED) s->executions++;
  if (outcome->end == EO_END_FAILED && s->options.at_failure) s->failed = true;
}

static const eo_strategy_ops stop_ops = {
    .close = eo__wrapper_close,
    .begin = stop_begin,
    .choose = eo__wrapper_choose,
    .end = stop_end,
    .coverage = eo__wrapper_coverage,
    .share = eo__wrapper_share,
    .pending = eo__wrapper_pending,
};

eo_strategy *eo__stop_open(eo_strategy *inner, const eo_stop_options *options, eo_error *error) {
  stopper *s = eo__wrapper_open(sizeof *s, &stop_ops, inner, error);
  if (!s) return NULL;
  s->options = *options;
  s->options.reason[0] = '\0';
  if (options->seconds > 0) s->deadline = eo_seconds() + options->seconds;
  return &s->wrapper.base;
}
