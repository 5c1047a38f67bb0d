/* recheck.c: wraps a strategy; runs each failing execution again before anybody hears of it. If the same choices do not
 * fail the same way, the program is not deterministic under control: that is then the finding, and the run ends, since
 * nothing that is explored after it would mean anything. */
#include <stdio.h>
#include <string.h>

#include "strategies/strategies.h"
#include "strategies/wrapper.h"

typedef struct recheck {
  eo_wrapper wrapper;
  bool again;  /* the execution under way is the second one */
  bool broken; /* not deterministic */
  eo_failure failure;
  uint32_t depth;
  EO_VEC(eo_choice) choices;
} recheck;

static void recheck_close(eo_strategy *strategy) {
  eo_vec_release(&((recheck *)strategy)->choices);
  eo__wrapper_close(strategy);
}

static bool recheck_begin(eo_strategy *strategy, eo_beginning *beginning) {
  recheck *r = (recheck *)strategy;
  if (r->broken) return false;
  return r->again || eo__wrapper_begin(strategy, beginning);
}

/* Asked in the second execution only: of failures before the one that was told. */
static bool recheck_goes_on(eo_strategy *strategy, uint32_t depth) {
  return depth + 1 < ((const recheck *)strategy)->depth;
}

/* Asked in the second execution only. */
static uint32_t recheck_choose(eo_strategy *strategy, const eo_point *point) {
  const recheck *r = (const recheck *)strategy;
  if (point->depth >= r->depth) return EO_PRUNE;
  eo_choice wanted = r->choices.items[point->depth];
  bool refuse =
      wanted.kind & EO_CHOICE_REFUSED && point->depth + 1 < r->depth; /* the last is refused by who knows why */
  for (uint32_t i = 0; i < point->count; i++)
    if (point->choices[i].process == wanted.process && point->choices[i].value == wanted.value)
      return refuse ? i | EO_REFUSED : i;
  return EO_PRUNE;
}

static bool remember(recheck *r, const eo_outcome *outcome) {
  eo_vec_clear(&r->choices);
  if (!eo_vec_reserve(&r->choices, outcome->depth + 1)) return false;
  if (outcome->depth) memcpy(r->choices.items, outcome->choices, outcome->depth * sizeof *outcome->choices);
  r->depth = outcome->depth;
  r->failure = *outcome->failure;
  return true;
}

void eo__recheck_differs(const eo_failure *first, const eo_failure *second, eo_failure *out) {
  char before[400], then[400];
  bool failed = second && second->kind != EO_KIND_NONE;
  snprintf(before, sizeof before, "%s: %.300s", eo__kind_name(first->kind), first->message);
  snprintf(then, sizeof then, failed ? "%s: %.300s" : "%s%s", failed ? eo__kind_name(second->kind) : "no failure",
           failed ? second->message : "");
  if (out != first) *out = *first;
  out->kind = EO_KIND_NONDETERMINISM;
  snprintf(out->message, sizeof out->message, "the same choices gave first %s; then %s", before, then);
}

static void compare(recheck *r, eo_outcome *outcome) {
  const eo_failure *second = outcome->end == EO_END_FAILED ? outcome->failure : NULL;
  r->again = false;
  if (!second || !eo__failure_same(second, &r->failure)) {
    r->broken = true;
    eo__recheck_differs(&r->failure, second, &r->failure);
  }
  outcome->end = EO_END_FAILED;
  outcome->failure = &r->failure;
  outcome->depth = r->depth;
  outcome->choices = r->choices.items;
}

static void recheck_end(eo_strategy *strategy, eo_outcome *outcome) {
  recheck *r = (recheck *)strategy;
  bool failed = outcome->end == EO_END_FAILED;
  if (r->again) {
    compare(r, outcome);
  } else if (failed && outcome->failure->kind == EO_KIND_NONDETERMINISM) {
    r->broken = true;
  } else if (failed) {
    if (!remember(r, outcome)) strategy->error = EO_ENOMEM;
    r->again = true;
    outcome->counted = false;
    outcome->failure = NULL;
    return; /* the inner strategy hears of it when it is certain */
  }
  eo__wrapper_end(strategy, outcome);
}

static const eo_strategy_ops recheck_ops = {
    .close = recheck_close,
    .begin = recheck_begin,
    .choose = recheck_choose,
    .end = recheck_end,
    .guiding = &(const eo_guiding){.goes_on = recheck_goes_on},
    .telling = &eo__wrapper_telling,
    .fragments = &eo__wrapper_fragments,
};

eo_strategy *eo__recheck_open(eo_strategy *inner, eo_error *error) {
  recheck *r = eo__wrapper_open(sizeof *r, &recheck_ops, inner, error);
  return r ? &r->wrapper.base : NULL;
}
