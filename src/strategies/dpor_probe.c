/* dpor_probe.c: random descents through the tree of tasks, which estimate how many executions there are (Knuth 1975): at
 * each point one of all ways to go on is taken, and the product of their numbers is an unbiased estimate. */
#include "strategies/dpor_inside.h"

/* The last event, or the end, gave rise to the tasks after the first: the descent goes on, or leaves for one of them. */
void eo__dpor_probe_tasks(dpor *d) {
  uint32_t count = (uint32_t)d->tasks.count - 1;
  if (count == 0) return;
  uint32_t drawn = eo__rng_below(&d->probe.rng, count + 1);
  d->probe.weight *= count + 1.0;
  for (uint32_t i = 1; i <= count; i++)
    if (i != drawn) eo__dpor_task_free(d->tasks.items[i]);
  if (drawn) d->tasks.items[1] = d->tasks.items[drawn];
  d->tasks.count = drawn ? 2 : 1;
  d->probe.leaves = d->beyond = drawn > 0;
}

/* The next descent; or the last one goes on from where it left for. */
bool eo__dpor_probe_begin(dpor *d) {
  if (d->probe.leaves) {
    d->probe.leaves = false;
    if (!eo__dpor_task_fill(d, d->tasks.items[1])) return false;
    eo__dpor_task_free(d->tasks.items[0]);
    d->tasks.items[0] = d->tasks.items[1];
    d->tasks.count = 1;
    return true;
  }
  if (d->probe.left == 0 || d->probe.steps_left == 0 || eo__estimate_within(d->probe.estimate, d->probe.error))
    return false;
  d->probe.left--;
  d->probe.weight = 1;
  while (d->tasks.count) eo__dpor_task_free(eo_vec_pop(&d->tasks));
  return eo__dpor_task_new(d) != NULL;
}

/* An execution that was given up, as it is the same as another, counts as none. */
void eo__dpor_probe_end(dpor *d, const eo_outcome *outcome) {
  if (d->probe.leaves) return;
  eo__estimate_note(d->probe.estimate, outcome->end == EO_END_PRUNED ? 0 : d->probe.weight, outcome->depth);
}

uint32_t eo__dpor_probe_choose(dpor *d, const eo_point *point, uint32_t first, uint32_t count) {
  uint32_t allowed = 0, chosen = EO_PRUNE;
  d->probe.steps_left -= d->probe.steps_left > 0;
  for (uint32_t i = first; i < first + count; i++)
    if (eo__order_is_allowed(&d->order, point, &point->choices[i], &point->choices[first], count) &&
        eo__rng_below(&d->probe.rng, ++allowed) == 0)
      chosen = i;
  if (chosen == EO_PRUNE) return EO_PRUNE;
  d->probe.weight *= allowed;
  PUSH(d, &d->current->steps, step_of(&point->choices[chosen]));
  return d->base.error ? EO_PRUNE : chosen;
}

eo_strategy *eo__dpor_probe_open(const eo_strategy_options *options, eo_error *error) {
  eo_strategy *strategy = eo__dpor_open(options, error);
  dpor *d = (dpor *)strategy;
  if (!strategy) return NULL;
  d->probe.estimate = options->estimate;
  d->scouts.left = 0;
  d->probe.left = options->probes;
  d->probe.steps_left = options->probe_steps;
  d->probe.error = options->probe_error;
  eo__rng_init(&d->probe.rng, options->seed);
  return strategy;
}
