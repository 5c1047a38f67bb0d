/* stop.c: wraps a strategy and ends the run early. It looks before it asks the wrapped one to begin, which can so be put
 * away (saved) then. The clock is read only when there is a limit in seconds: before each execution, or before each eighth
 * where eight take less than a millisecond. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "strategies/strategies.h"
#include "strategies/wrapper.h"

typedef struct stopper {
  eo_wrapper wrapper;
  eo_stop_options options;
  uint64_t executions, pruned;
  double deadline, looked; /* at the clock */
  uint32_t unlooked;       /* executions that may begin before it is looked at again */
  bool ran, failed;
} stopper;

static bool stop(stopper *s, const char *reason) {
  snprintf(s->options.reason, 128, "%s", reason);
  return false;
}

static bool stop_after_executions(stopper *s) {
  char text[96];
  snprintf(text, sizeof text, "after %" PRIu64 " execution%s", s->executions, s->executions == 1 ? "" : "s");
  return stop(s, text);
}

static bool is_late(stopper *s) {
  enum { FEW = 8 };
  if (s->deadline == 0 || s->unlooked-- > 0) return false;
  double now = eo__seconds_coarse();
  s->unlooked = now - s->looked < 0.001 ? FEW - 1 : 0;
  s->looked = now;
  return now >= s->deadline;
}

static bool stop_begin(eo_strategy *strategy, eo_beginning *beginning) {
  stopper *s = (stopper *)strategy;
  const eo_stop_options *options = &s->options;
  if (s->failed) return stop(s, "at the first finding");
  if (options->flag && *options->flag) return stop(s, "interrupted");
  if (s->executions && s->executions == options->executions) return stop_after_executions(s);
  if (options->turn && s->executions + s->pruned >= options->turn) return stop(s, "at the end of its turn");
  if (s->ran && options->recall && *options->recall) return stop(s, "called back");
  if (s->ran && is_late(s)) {
    char text[96];
    snprintf(text, sizeof text, "after %g s", options->seconds);
    return stop(s, text);
  }
  if (!eo__wrapper_begin(strategy, beginning)) return false; /* its own end, not ours */
  if (options->look) return stop_after_executions(s);
  return s->ran = true;
}

static void stop_end(eo_strategy *strategy, eo_outcome *outcome) {
  stopper *s = (stopper *)strategy;
  eo__wrapper_end(strategy, outcome);
  if (!outcome->counted) return;
  if (outcome->end == EO_END_PRUNED)
    s->pruned++;
  else
    s->executions++;
  if (outcome->failure && s->options.at_failure) s->failed = true;
}

static const eo_strategy_ops stop_ops = {
    .close = eo__wrapper_close,
    .begin = stop_begin,
    .choose = eo__wrapper_choose,
    .end = stop_end,
    .telling = &eo__wrapper_telling,
    .fragments = &eo__wrapper_fragments,
};

eo_strategy *eo__stop_open(eo_strategy *inner, const eo_stop_options *options, eo_error *error) {
  stopper *s = eo__wrapper_open(sizeof *s, &stop_ops, inner, error);
  if (!s) return NULL;
  eo__stop_again(&s->wrapper.base, options);
  return &s->wrapper.base;
}

void eo__stop_again(eo_strategy *strategy, const eo_stop_options *options) {
  stopper *s = (stopper *)strategy;
  s->options = *options;
  s->options.reason[0] = '\0';
  s->executions = s->pruned = 0;
  s->ran = s->failed = false;
  s->unlooked = 0;
  s->looked = 0;
  s->deadline = options->seconds > 0 ? eo__seconds_coarse() + options->seconds : 0;
}
