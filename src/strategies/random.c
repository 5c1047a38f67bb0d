/* random.c: each choice drawn evenly from those there are. The same seed draws the same: each execution has its own
 * generator, made from the seed and the execution's number, so that a fragment is just a range of numbers. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "strategies/fragment.h"
#include "strategies/strategies.h"

enum { DEFAULT_EXECUTIONS = 10000 };

typedef struct random_walk {
  eo_strategy base;
  eo_rng rng;
  uint64_t seed, total;
  uint64_t next, end; /* numbers of the executions that are left, from 0 */
} random_walk;

static void random_close(eo_strategy *strategy) { eo__free(strategy); }

static bool random_begin(eo_strategy *strategy, uint32_t *shared) {
  random_walk *r = (random_walk *)strategy;
  *shared = 0;
  if (r->next == r->end) return false;
  /* The first number of the generator of the seed, so that seeds and numbers do not just add up. */
  eo__rng_init(&r->rng, r->seed);
  eo__rng_init(&r->rng, eo__rng_next(&r->rng) + r->next++);
  return true;
}

static uint32_t random_choose(eo_strategy *strategy, const eo_point *point) {
  return point->count == 1 ? 0 : eo__rng_below(&((random_walk *)strategy)->rng, point->count);
}

static void random_end(eo_strategy *strategy, eo_outcome *outcome) {
  (void)strategy;
  (void)outcome;
}

static eo_coverage random_coverage(eo_strategy *strategy, eo_text *words) {
  const random_walk *r = (const random_walk *)strategy;
  eo__text_add(words, "%" PRIu64 " interleavings drawn at random with seed %" PRIu64, r->total, r->seed);
  return EO_COVERS_SAMPLE;
}

static uint64_t random_pending(eo_strategy *strategy) {
  const random_walk *r = (const random_walk *)strategy;
  return r->end - r->next;
}

static double random_share(eo_strategy *strategy) {
  const random_walk *r = (const random_walk *)strategy;
  return 1 - (double)(r->end - r->next) / (double)r->total;
}

static bool write(uint64_t first, uint64_t end, eo_bytes *out) {
  return eo__fragment_begin(out, 'r') && eo__fragment_number(out, first) && eo__fragment_number(out, end) &&
         eo__fragment_end(out);
}

static bool random_save(eo_strategy *strategy, eo_bytes *out) {
  const random_walk *r = (const random_walk *)strategy;
  return write(r->next, r->end, out);
}

static int random_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  random_walk *r = (random_walk *)strategy;
  eo_fragment_reader reader;
  int code = eo__fragment_open(&reader, bytes, size, 'r', error);
  if (code != EO_OK) return code;
  r->next = eo__fragment_read(&reader, r->total);
  r->end = eo__fragment_read(&reader, r->total);
  return reader.bad || reader.at != reader.end || r->next > r->end ? eo__fragment_refuse(error) : EO_OK;
}

static bool random_split(eo_strategy *strategy, eo_bytes *out) {
  random_walk *r = (random_walk *)strategy;
  uint64_t middle = r->end - (r->end - r->next) / 2;
  if (middle == r->end) return false;
  if (!write(middle, r->end, out)) {
    strategy->error = EO_ENOMEM;
    return false;
  }
  r->end = middle;
  return true;
}

static const eo_strategy_ops random_ops = {
    .close = random_close,
    .begin = random_begin,
    .choose = random_choose,
    .end = random_end,
    .coverage = random_coverage,
    .share = random_share,
    .pending = random_pending,
    .save = random_save,
    .load = random_load,
    .split = random_split,
};

eo_strategy *eo__random_open(const eo_strategy_options *options, eo_error *error) {
  random_walk *r = eo__alloc(sizeof *r);
  if (!r) {
    eo__error_nomem(error);
    return NULL;
  }
  r->base.ops = &random_ops;
  r->seed = options->seed;
  r->total = options->executions ? options->executions : DEFAULT_EXECUTIONS;
  r->end = r->total;
  return &r->base;
}
