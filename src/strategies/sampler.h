/* sampler.h: what the strategies that draw executions have in common. Executions have numbers; each is drawn by a
 * generator of its own, made from the seed and its number, so that a fragment is a range of numbers and the same
 * executions are run whoever runs them.
 *
 * What a sampler goes by beside that (how long executions are, how many events a process has) it learns from the first
 * executions. They are never split, so that whoever takes up a later range is told the same, in its fragment. */
#ifndef EO_STRATEGIES_SAMPLER_H
#define EO_STRATEGIES_SAMPLER_H

#include "base/rng.h"
#include "strategies/fragment.h"

enum { EO_SAMPLES_TO_LEARN = 100, EO_SAMPLER_FAULTS = 16 };

typedef struct eo_sampler eo_sampler;

/* Faults (eo_fault) are placed as pct places its changes: so many, drawn from none to `most`, at fault points of the
 * execution drawn evenly. How many fault points there are is learnt from the first executions. */
typedef struct eo_sampler_faults {
  uint32_t most;   /* allowed in an execution */
  uint32_t points; /* most in one of the first executions; 0: there was none yet */
  uint32_t passed; /* in the execution under way; 0 at its beginning */
  uint32_t count, places[EO_SAMPLER_FAULTS];
} eo_sampler_faults;

/* The execution under way is at its next fault point: does the fault happen? */
bool eo__sampler_fault(eo_sampler_faults *faults, eo_rng *rng, bool learns);

typedef struct eo_sampler_kind {
  const char *name;
  eo_fragment_letter letter;
  uint32_t lessons; /* how many executions it learns from; 0: none */

  /* Optional (both or none): what it has learnt, in a fragment. write, false: no memory. read: on a sampler that was just
   * opened; what cannot be is refused by setting reader->bad. */
  bool (*write)(const eo_sampler *sampler, eo_bytes *out);
  bool (*read)(eo_sampler *sampler, eo_fragment_reader *reader);

  bool seed_alone; /* draws by the seed as it is; others by the seed and the letter, so that no two draw the same */
} eo_sampler_kind;

/* Samplers begin with this. */
struct eo_sampler {
  eo_strategy base;
  const eo_sampler_kind *kind;
  eo_rng rng; /* of the execution under way */
  uint64_t seed, total;
  uint64_t next, end; /* numbers of the executions that are left, from 0 */
  bool values;        /* in those it learnt from, values were drawn */

  eo_sampler_faults faults;
};

void eo__sampler_init(eo_sampler *sampler, const eo_sampler_kind *kind, const eo_strategy_ops *ops,
                      const eo_strategy_options *options);

/* Of the executions still to learn from, this is one: asked after eo__sampler_begin. */
static inline bool eo__sampler_learns(const eo_sampler *sampler) { return sampler->next <= sampler->kind->lessons; }

/* Begins the next execution; false: there is none. For use in `begin`. */
bool eo__sampler_begin(eo_sampler *sampler);

/* One of the choices that follow this one and are of the same process, itself included: evenly. */
uint32_t eo__sampler_value(eo_sampler *sampler, const eo_point *point, uint32_t first);

/* Any of the choices of the point: evenly, but for faults. */
uint32_t eo__sampler_any(eo_sampler *sampler, const eo_point *point);

/* Any of the processes that have a choice, evenly, and then any of its choices, but for faults. */
uint32_t eo__sampler_process(eo_sampler *sampler, const eo_point *point);

/* d numbers below n, each at most once, at random; fewer if n is smaller. Returns how many. In the order drawn. */
uint32_t eo__sampler_points(eo_rng *rng, uint32_t n, uint32_t d, uint32_t *points);

/* "1000 interleavings drawn at random (NAME, seed 7)". */
void eo__sampler_words(const eo_sampler *sampler, eo_text *words);

/* For a bug that depends on values that are drawn too; else "". */
const char *eo__sampler_given(const eo_sampler *sampler);

/* Its words, what `reached` says, and the promise that follows. */
eo_coverage eo__sampler_coverage(const eo_sampler *sampler, double (*reached)(eo_strategy *, eo_text *),
                                 eo_text *words);

/* 1 / (first * n^(d-1)). */
double eo__sampler_odds(double first, double n, uint32_t d);

/* A process, by name, as numbers mean nothing to other workers. write, false: no memory. */
bool eo__sampler_write_process(const eo_view *view, uint32_t process, eo_bytes *out);
uint32_t eo__sampler_read_process(const eo_view *view, eo_fragment_reader *reader); /* reader->bad: there is none */

/* As in eo_telling; and ranges of executions as fragments. */
uint64_t eo__sampler_pending(eo_strategy *strategy);
double eo__sampler_share(eo_strategy *strategy);
extern const eo_fragments eo__sampler_fragments;

#endif
