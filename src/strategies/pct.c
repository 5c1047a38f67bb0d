/* pct.c: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs, ASPLOS 2010, section 4).
 *
 * Each process has a priority, drawn when it is first seen; the one with the highest that can go on does. d - 1 of the
 * first k steps are change points: the process whose turn it is there gets the priority of that point, lower than all
 * that were drawn. A bug of depth d is then hit with probability at least 1 / (n k^(d-1)), with n processes and k steps.
 *
 * k is what the user says, or the length of the longest execution so far among the first ones. Beyond k steps there is
 * nothing to promise, and choices are drawn evenly: so a process that polls does not keep all others waiting for ever.
 * Values of a choose, and what a receive takes where that is chosen, are drawn evenly as well. */
#include "base/alloc.h"
#include "strategies/sampler.h"
#include "strategies/strategies.h"

#include <string.h>

enum { MOST_POINTS = 64 };
#define DRAWN (UINT64_C(1) << 63) /* at least: a priority that was drawn, not given by a change point */

typedef struct pct {
  eo_sampler sampler;
  uint32_t bug_depth;
  uint32_t length;              /* k; 0: no execution so far */
  bool adapts;                  /* the user has given no length */
  uint32_t processes;           /* n: the most in one execution */
  EO_VEC(uint64_t) priorities;  /* by process; 0: not seen in this execution */
  uint32_t seen;                /* so many have one */
  uint32_t points[MOST_POINTS]; /* depths; point i gives priority i + 1 */
  uint32_t point_count;
  uint32_t next_point; /* depth of the next one; UINT32_MAX: none */
} pct;

static void pct_close(eo_strategy *strategy) {
  eo_vec_release(&((pct *)strategy)->priorities);
  eo__free(strategy);
}

static uint32_t point_from(const pct *p, uint32_t depth) {
  uint32_t next = UINT32_MAX;
  for (uint32_t i = 0; i < p->point_count; i++)
    if (p->points[i] >= depth && p->points[i] < next) next = p->points[i];
  return next;
}

static bool pct_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  pct *p = (pct *)strategy;
  if (!eo__sampler_begin(&p->sampler)) return false;
  if (p->priorities.count) memset(p->priorities.items, 0, p->priorities.count * sizeof *p->priorities.items);
  p->seen = 0;
  p->point_count = eo__sampler_points(&p->sampler.rng, p->length, p->bug_depth - 1, p->points);
  p->next_point = point_from(p, 0);
  return true;
}

static bool know(pct *p, uint32_t process) {
  while (p->priorities.count <= process)
    if (!eo_vec_push(&p->priorities, 0)) {
      p->sampler.base.error = EO_ENOMEM;
      return false;
    }
  return true;
}

/* The first choice of the process with the highest priority. UINT32_MAX: no memory. */
static uint32_t highest(pct *p, const eo_point *point) {
  uint32_t best = UINT32_MAX;
  uint64_t most = 0;
  for (uint32_t i = 0; i < point->count; i++) {
    uint32_t process = point->choices[i].process;
    if (process >= p->priorities.count && !know(p, process)) return UINT32_MAX;
    uint64_t *priority = &p->priorities.items[process];
    if (*priority == 0) {
      *priority = eo__rng_next(&p->sampler.rng) | DRAWN;
      p->seen++;
    }
    if (*priority <= most) continue;
    most = *priority;
    best = i;
  }
  return best;
}

static void change(pct *p, uint32_t depth, uint32_t process) {
  for (uint32_t i = 0; i < p->point_count; i++)
    if (p->points[i] == depth) p->priorities.items[process] = i + 1;
  p->next_point = point_from(p, depth + 1);
}

static uint32_t pct_choose(eo_strategy *strategy, const eo_point *point) {
  pct *p = (pct *)strategy;
  if (point->depth >= p->length) return eo__sampler_any(&p->sampler, point);
  uint32_t best = highest(p, point);
  if (best != UINT32_MAX && point->depth == p->next_point) {
    change(p, point->depth, point->choices[best].process);
    best = highest(p, point);
  }
  if (best == UINT32_MAX) return EO_PRUNE;
  return eo__sampler_value(&p->sampler, point, best);
}

static void pct_end(eo_strategy *strategy, eo_outcome *outcome) {
  pct *p = (pct *)strategy;
  if (!eo__sampler_learns(&p->sampler)) return;
  if (p->seen > p->processes) p->processes = p->seen;
  if (p->adapts && outcome->depth > p->length) p->length = outcome->depth;
}

static double pct_reached(eo_strategy *strategy, eo_text *words) {
  const pct *p = (const pct *)strategy;
  eo__text_add(words, "a bug of depth %u in the first %u steps of %u processes%s", p->bug_depth, p->length,
               p->processes, eo__sampler_given(&p->sampler));
  return eo__sampler_odds(p->processes, p->length, p->bug_depth);
}

static eo_coverage pct_coverage(eo_strategy *strategy, eo_text *words) {
  const pct *p = (const pct *)strategy;
  return eo__sampler_coverage(&p->sampler, pct_reached, words);
}

static bool pct_write(const eo_sampler *sampler, eo_bytes *out) {
  const pct *p = (const pct *)sampler;
  return eo__fragment_number(out, p->length) && eo__fragment_number(out, p->processes);
}

static bool pct_read(eo_sampler *sampler, eo_fragment_reader *reader) {
  pct *p = (pct *)sampler;
  p->length = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
  p->processes = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
  return true;
}

static const eo_strategy_ops pct_ops = {
    .close = pct_close,
    .begin = pct_begin,
    .choose = pct_choose,
    .end = pct_end,
    .telling = &(const eo_telling){.coverage = pct_coverage,
                                   .reached = pct_reached,
                                   .share = eo__sampler_share,
                                   .pending = eo__sampler_pending},
    .fragments = &eo__sampler_fragments,
};

static const eo_sampler_kind pct_kind = {
    .name = "pct", .letter = EO_FRAGMENT_PCT, .lessons = EO_SAMPLES_TO_LEARN, .write = pct_write, .read = pct_read};

eo_strategy *eo__pct_open(const eo_strategy_options *options, eo_error *error) {
  pct *p = eo__alloc(sizeof *p);
  if (!p) {
    eo__error_nomem(error);
    return NULL;
  }
  eo__sampler_init(&p->sampler, &pct_kind, &pct_ops, options);
  p->bug_depth = options->bug_depth < MOST_POINTS ? options->bug_depth : MOST_POINTS;
  if (p->bug_depth == 0) p->bug_depth = 1;
  p->length = options->length;
  p->adapts = options->length == 0;
  return &p->sampler.base;
}
