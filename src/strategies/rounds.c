/* rounds.c: runs once round a fair circle that the log of a finished exploration shows (core/heat.h, core/circles.h), so that
 * the subject sees the circle closed on one path and reports it as every liveness failure: with a ticket, described and
 * minimised.
 *
 * What it does is the last fragment of a job, given out when nothing else is left. It wraps the user's strategy, opened anew,
 * with the set of states emptied: that one leads to the circle, as it has led there before. From the first state on the
 * circle on, this file chooses, and goes round. Executions that only lead on the way are not counted, nor is the round if
 * the same failure was met before.
 *
 * No circle in the log, and nothing missing in the log: then there is none, and EO_DOUBT_LIVENESS is settled. It is also
 * settled when the circle was run and failed, since the failure says more. */
#include "core/acyclic.h"
#include "core/circles.h"
#include "strategies/fragment.h"
#include "strategies/strategies.h"
#include "strategies/wrapper.h"

typedef struct rounds {
  eo_wrapper wrapper;
  eo_rounds_options options;
  eo_circles *circles; /* NULL: not searched yet, or there is no circle */
  eo_round round;
  size_t at;         /* the step of the round to take next */
  size_t patience;   /* steps that may still be taken */
  bool on, finished; /* goes round in this execution; nothing more to do */
} rounds;

static void rounds_close(eo_strategy *strategy) {
  rounds *r = (rounds *)strategy;
  eo__circles_close(r->circles);
  eo_vec_release(&r->round);
  eo__wrapper_close(strategy);
}

/* True: there is a circle. Where there is no memory to search the log, the doubt stands. */
static bool search(rounds *r) {
  bool found = false;
  r->finished = true;
  if (!eo__heats_whole(r->options.heats)) return false;
  if (eo__heats_acyclic(r->options.heats)) {
    r->wrapper.base.settles = EO_DOUBT_LIVENESS;
    return false;
  }
  r->circles = eo__circles_open(r->options.heats);
  if (!r->circles || eo__circles_search(r->circles, &found) != EO_OK) return false;
  if (!found) r->wrapper.base.settles = EO_DOUBT_LIVENESS;
  r->finished = !found;
  return found;
}

static bool rounds_begin(eo_strategy *strategy, eo_beginning *beginning) {
  rounds *r = (rounds *)strategy;
  if (r->finished) return false;
  if (!r->circles) {
    if (!search(r)) return false;
    if (r->options.visited) eo__visited_empty(r->options.visited);
  }
  return eo__wrapper_begin_choosing(strategy, beginning);
}

static uint32_t rounds_choose(eo_strategy *strategy, const eo_point *point) {
  rounds *r = (rounds *)strategy;
  if (!r->on) return eo__wrapper_choose(strategy, point);
  for (uint32_t i = 0; r->at < r->round.count && i < point->count; i++)
    if (r->options.view.states->mark(r->options.view.of, point->choices[i]) == r->round.items[r->at].mark) return i;
  return EO_PRUNE;
}

/* The subject looks for circles on a path every now and then (lasso.c): the round goes on until then. */
static void next_step(rounds *r, const eo_heat *heat) {
  if (!heat || heat->to != r->round.items[r->at].to || --r->patience == 0)
    r->at = r->round.count; /* not where it should lead: that settles nothing */
  else if (++r->at == r->round.count)
    r->at = 0;
}

static void rounds_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  rounds *r = (rounds *)strategy;
  eo_strategy *inner = r->wrapper.inner;
  const eo_heat *heat = event->flags & EO_EVENT_HOT ? r->options.view.states->heat(r->options.view.of) : NULL;
  if (event->flags & EO_EVENT_FAILED) return;
  if (r->on) {
    next_step(r, heat);
    return;
  }
  if (inner->ops->observe) inner->ops->observe(inner, depth, taken, event);
  if (!heat || !eo__circles_on(r->circles, heat->to)) return;
  r->on = eo__circles_round(r->circles, heat->to, &r->round);
  r->patience = 2 * r->round.count + depth / 16 + 64;
  if (!r->on) strategy->error = EO_ENOMEM;
}

static void rounds_end(eo_strategy *strategy, eo_outcome *outcome) {
  rounds *r = (rounds *)strategy;
  eo_kind kind = outcome->end == EO_END_FAILED ? outcome->failure->kind : EO_KIND_NONE;
  bool failed = kind == EO_KIND_LIVENESS;
  outcome->counted =
      kind == EO_KIND_NONDETERMINISM || (failed && !r->options.known(r->options.context, outcome->failure));
  if (r->on) {
    r->finished = true;
    if (failed) strategy->settles = EO_DOUBT_LIVENESS;
  } else {
    eo__wrapper_end(strategy, outcome);
  }
}

static eo_coverage rounds_coverage(eo_strategy *strategy, eo_text *words) {
  (void)strategy;
  (void)words; /* what the others have covered */
  return EO_COVERS_ALL;
}

static uint32_t rounds_delays(eo_strategy *strategy) {
  eo_strategy *inner = ((rounds *)strategy)->wrapper.inner;
  return inner->ops->telling->delays ? inner->ops->telling->delays(inner) : 0;
}

static const eo_strategy_ops rounds_ops = {
    .close = rounds_close,
    .begin = rounds_begin,
    .choose = rounds_choose,
    .observe = rounds_observe,
    .end = rounds_end,
    .telling = &(const eo_telling){.coverage = rounds_coverage, .delays = rounds_delays},
};

eo_strategy *eo__rounds_open(eo_strategy *inner, const eo_rounds_options *options, eo_error *error) {
  rounds *r = eo__wrapper_open(sizeof *r, &rounds_ops, inner, error);
  if (!r) return NULL;
  r->options = *options;
  return &r->wrapper.base;
}

bool eo__rounds_fragment(eo_bytes *out) { return eo__fragment_begin(out, EO_FRAGMENT_ROUNDS) && eo__fragment_end(out); }

bool eo__rounds_claimed(const eo_bytes *bytes) {
  eo_fragment_reader reader;
  eo_error unwanted = {0};
  if (bytes->count < 2 || bytes->items[1] != EO_FRAGMENT_ROUNDS) return false;
  return eo__fragment_open(&reader, bytes->items, bytes->count, EO_FRAGMENT_ROUNDS, &unwanted) == EO_OK &&
         reader.at == reader.end;
}
