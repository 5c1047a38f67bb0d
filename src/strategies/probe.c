/* probe.c: random descents into the tree of all interleavings. Where processes do not wait for each other, most of the
 * interleavings go on with the one that has most steps left: so a process is drawn in proportion to how many it is
 * expected to have left, going by the descents before. Whatever the odds, each descent gives one over the probability of
 * its choices, which is right on average; with these odds it is seldom far off. */
#include "base/alloc.h"
#include "base/rng.h"
#include "strategies/strategies.h"

#define LEAST_LEFT 0.5 /* steps, of a process that is not at its end */

typedef struct habit {
  uint64_t steps; /* in all descents before */
  uint32_t done;  /* in this one */
} habit;

typedef struct probe {
  eo_strategy base;
  eo_rng rng;
  eo_estimate *estimate;
  uint64_t left, steps_left, begun;
  double weight, error;
  EO_VEC(habit) habits; /* by process */
  EO_VEC(double) odds;  /* by choice */
} probe;

static void probe_close(eo_strategy *strategy) {
  probe *p = (probe *)strategy;
  eo_vec_release(&p->habits);
  eo_vec_release(&p->odds);
  eo__free(strategy);
}

static bool probe_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  probe *p = (probe *)strategy;
  if (p->left == 0 || p->steps_left == 0 || eo__estimate_within(p->estimate, p->error)) return false;
  p->left--;
  for (size_t i = 0; i < p->habits.count; i++) {
    p->habits.items[i].steps += p->habits.items[i].done;
    p->habits.items[i].done = 0;
  }
  p->begun++;
  p->weight = 1;
  return true;
}

static bool make_room(probe *p, const eo_point *point) {
  uint32_t last = point->choices[0].process;
  for (uint32_t i = 1; i < point->count; i++)
    if (point->choices[i].process > last) last = point->choices[i].process;
  while (p->habits.count <= last)
    if (!eo_vec_push(&p->habits, (habit){0})) return false;
  return eo_vec_reserve(&p->odds, point->count);
}

/* How many steps the process is expected to have left. */
static double left_of(const probe *p, uint32_t process) {
  const habit *h = &p->habits.items[process];
  double left = p->begun > 1 ? (double)h->steps / (double)(p->begun - 1) - h->done : 1;
  return left > LEAST_LEFT ? left : LEAST_LEFT;
}

/* Fills the odds; returns their sum. The choices of one process share its part. */
static double make_odds(probe *p, const eo_point *point) {
  double all = 0;
  for (uint32_t first = 0, next; first < point->count; first = next) {
    uint32_t process = point->choices[first].process;
    for (next = first + 1; next < point->count && point->choices[next].process == process;) next++;
    double part = left_of(p, process);
    for (uint32_t i = first; i < next; i++) p->odds.items[i] = part / (next - first);
    all += part;
  }
  return all;
}

static uint32_t probe_choose(eo_strategy *strategy, const eo_point *point) {
  probe *p = (probe *)strategy;
  p->steps_left -= p->steps_left > 0;
  if (!make_room(p, point)) {
    strategy->error = EO_ENOMEM;
    return EO_PRUNE;
  }
  uint32_t chosen = 0;
  if (point->count > 1) {
    double all = make_odds(p, point), drawn = (double)eo__rng_below(&p->rng, UINT32_MAX) / UINT32_MAX * all;
    while (chosen + 1 < point->count && drawn >= p->odds.items[chosen]) drawn -= p->odds.items[chosen++];
    p->weight *= all / p->odds.items[chosen];
  }
  p->habits.items[point->choices[chosen].process].done++;
  return chosen;
}

static void probe_end(eo_strategy *strategy, eo_outcome *outcome) {
  probe *p = (probe *)strategy;
  outcome->counted = false;
  eo__estimate_note(p->estimate, p->weight, outcome->depth);
}

static eo_coverage probe_coverage(eo_strategy *strategy, eo_text *words) {
  (void)strategy;
  (void)words;
  return EO_COVERS_SAMPLE;
}

static const eo_strategy_ops probe_ops = {
    .close = probe_close,
    .begin = probe_begin,
    .choose = probe_choose,
    .end = probe_end,
    .telling = &(const eo_telling){.coverage = probe_coverage},
};

eo_strategy *eo__probe_open(const eo_strategy_options *options, eo_error *error) {
  probe *p = eo__alloc(sizeof *p);
  if (!p) {
    eo__error_nomem(error);
    return NULL;
  }
  p->base.ops = &probe_ops;
  p->estimate = options->estimate;
  p->left = options->probes;
  p->steps_left = options->probe_steps;
  p->error = options->probe_error;
  eo__rng_init(&p->rng, options->seed);
  return &p->base;
}
