/* rerun.c: wraps a strategy; runs a small share of all executions a second time, from the start and without checkpoints.
 * The engine compares the events. A difference comes from outside the program, from what nobody controls: that is a
 * finding, and the run ends, since nothing explored before or after it means anything.
 *
 * Which executions: the first few, fewer if they are long; the last one before the strategy is put away or has come to its end,
 * unless steps run twice would become too large a share of all; and between them as many as keep that share small. That
 * depends on numbers of steps alone, so that a run does the same each time. */
#include <stdio.h>

#include "strategies/strategies.h"
#include "strategies/wrapper.h"

enum {
  FIRST = 4,
  FIRST_STEPS = 4096, /* the first four, or those that make up so many steps */
  SHARE = 200,
  LAST_STEPS = 1 << 14,
  LAST_SHARE = 64 /* with the last one, so many steps and one in so many */
};

typedef struct rerun {
  eo_wrapper wrapper;
  bool again;           /* the execution under way is a second one */
  bool only;            /* the last execution has been run once */
  bool over;            /* the inner strategy has no more */
  bool broken;          /* not deterministic */
  eo_end end;           /* of the last execution */
  uint32_t depth;       /* its length */
  uint32_t shared;      /* its first steps that were not new */
  uint32_t count;       /* executions run twice */
  uint64_t work, spent; /* steps run once; steps run twice */
  eo_failure failure;
} rerun;

static bool begin_again(rerun *r, eo_beginning *beginning) {
  r->again = true;
  *beginning = (eo_beginning){.shared = r->depth, .afresh = true, .chooser = &r->wrapper.base};
  return true;
}

static bool rerun_begin(eo_strategy *strategy, eo_beginning *beginning) {
  rerun *r = (rerun *)strategy;
  if (r->broken) return false;
  bool first = r->count < FIRST && r->spent < FIRST_STEPS;
  if (r->only && (first || (r->spent + r->depth) * SHARE < r->work)) return begin_again(r, beginning);
  if (!r->over && eo__wrapper_begin(strategy, beginning)) {
    r->shared = beginning->shared;
    return true;
  }
  bool much = r->spent + r->depth > LAST_STEPS + r->work / LAST_SHARE;
  bool last = !r->over && r->only && !strategy->error && !much;
  r->over = last; /* should it be taken up again, there may be more */
  return last && begin_again(r, beginning);
}

/* Asked in second executions only, at their end. */
static uint32_t rerun_choose(eo_strategy *strategy, const eo_point *point) {
  (void)strategy;
  (void)point;
  return EO_PRUNE;
}

static void end_again(rerun *r, eo_outcome *outcome) {
  r->again = r->only = false;
  r->count++;
  r->spent += r->depth;
  outcome->counted = false;
  if (outcome->end == r->end) return;
  r->broken = outcome->counted = true;
  const eo_failure *failure = outcome->end == EO_END_FAILED ? outcome->failure : NULL;
  if (failure && failure->kind == EO_KIND_NONDETERMINISM) return; /* the engine has said how they differ */
  char what[600];
  snprintf(what, sizeof what, failure ? "%s: %.500s" : "%s%s",
           failure                     ? eo__kind_name(failure->kind)
           : r->end == EO_END_FINISHED ? "further steps after the end of the first run"
                                       : "an end where the first run had further steps",
           failure ? failure->message : "");
  r->failure = (eo_failure){.kind = EO_KIND_NONDETERMINISM};
  snprintf(r->failure.message, sizeof r->failure.message, "the same choices, when they were run again, led to %s",
           what);
  outcome->end = EO_END_FAILED;
  outcome->failure = &r->failure;
}

static void rerun_end(eo_strategy *strategy, eo_outcome *outcome) {
  rerun *r = (rerun *)strategy;
  if (r->again) {
    end_again(r, outcome);
    return;
  }
  r->end = outcome->end;
  r->depth = outcome->depth;
  r->work += outcome->depth - (r->shared < outcome->depth ? r->shared : outcome->depth);
  eo__wrapper_end(strategy, outcome);
  r->only = outcome->counted && !outcome->failure; /* failing ones are run again by others */
}

static const eo_strategy_ops rerun_ops = {
    .close = eo__wrapper_close,
    .begin = rerun_begin,
    .choose = rerun_choose,
    .end = rerun_end,
    .telling = &eo__wrapper_telling,
    .fragments = &eo__wrapper_fragments,
};

eo_strategy *eo__rerun_open(eo_strategy *inner, eo_error *error) {
  rerun *r = eo__wrapper_open(sizeof *r, &rerun_ops, inner, error);
  return r ? &r->wrapper.base : NULL;
}
