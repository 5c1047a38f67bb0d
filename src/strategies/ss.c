/* ss.c: stratified sampling (Desai et al. 2015, section 4, figures 6 and 7): executions drawn by their number of delays under a
 * delaying explorer; of d delays so many as samples + growth^d, for d = 1, 2, ...
 *
 * A sample is made by as many executions as it has delays. Each is the one before up to a point drawn evenly, one delay
 * there, and then what the explorer does. It is drawn among the points from the last delay on, as in figure 7, but only
 * among those where a delay makes a difference: with more than one choice, and not all of them given by delays there
 * already. There are at most as many as steps, so that theorem 3 holds: an execution of d delays is drawn with
 * probability at least 1/L^d. The undelayed execution is the same for all samples, and run once; under an explorer that
 * draws (prr), each sample has its own seed, and so its own.
 *
 * A sample depends on the seed and on its number alone, so that a fragment is every so-manieth number from one on. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "explorers/explorer.h"
#include "strategies/fragment.h"
#include "strategies/strategies.h"

enum { DEFAULT_EXECUTIONS = 10000 };
#define UNKNOWN UINT32_MAX

/* The samples of one number of delays. */
typedef struct stratum {
  uint32_t delays;
  uint64_t first, end; /* numbers of the samples */
} stratum;

typedef struct ss {
  eo_strategy base;
  eo_walk walk;
  eo_rng rng;
  uint64_t seed;
  uint32_t samples;
  double growth;
  bool draws;                 /* the explorer does */
  uint64_t next, end, stride; /* numbers of the samples to make: next, next + stride, ..., below end */
  stratum at;                 /* where the sample under way is */
  bool sampling;              /* one is */
  bool ready;                 /* walk.target is the next execution */
  uint32_t trunk;             /* branches of the undelayed execution */
  uint32_t longest;           /* branches of an execution so far, at most */
  uint32_t delays;            /* of the execution that ended */
} ss;

static void ss_close(eo_strategy *strategy) {
  eo__walk_release(&((ss *)strategy)->walk);
  eo__free(strategy);
}

static bool fail(ss *s) {
  s->base.error = *s->walk.trouble ? EO_EINPUT : EO_ENOMEM;
  s->base.trouble = s->walk.trouble;
  return false;
}

/* ---- Numbers of samples --------------------------------------------------------------------------------------------- */

/* How many samples of so many delays there are to be. */
static uint64_t wanted(const ss *s, uint32_t delays) {
  const double most = 1e18;
  double count = 1;
  for (uint32_t i = 0; i < delays && s->growth > 1 && count < most; i++) count *= s->growth;
  count += s->samples;
  return (uint64_t)(count < most ? count : most);
}

/* The stratum of a sample. */
static stratum stratum_of(const ss *s, stratum from, uint64_t sample) {
  while (sample >= from.end) {
    uint64_t count = wanted(s, from.delays + 1);
    from = (stratum){from.delays + 1, from.end, from.end > UINT64_MAX - count ? UINT64_MAX : from.end + count};
  }
  return from;
}

static uint32_t executions_of(const ss *s, uint32_t delays) { return delays + s->draws; }

/* The number behind the last sample that is to be made: of `limit` delays, or as many as take so many executions. */
static uint64_t end_of(const ss *s, const eo_strategy_options *options) {
  uint64_t executions = options->executions ? options->executions : DEFAULT_EXECUTIONS;
  bool endless = !options->executions && (options->timed || options->delays_bounded);
  stratum here = {0};
  if (executions) executions--; /* the undelayed one */
  for (;;) {
    if (options->delays_bounded && here.delays == options->delays) return here.end;
    if (here.end == UINT64_MAX) return here.end;
    if (endless && !options->delays_bounded) return UINT64_MAX;
    stratum next = stratum_of(s, here, here.end);
    uint32_t each = executions_of(s, next.delays);
    if (!endless) {
      uint64_t affordable = executions / each;
      if (affordable < next.end - next.first) return next.first + affordable;
      executions -= (next.end - next.first) * each;
    }
    here = next;
  }
}

/* ---- The next execution ----------------------------------------------------------------------------------------------- */

/* The generator of a sample; and, of an explorer that draws, its seed. */
static void seed_sample(ss *s) {
  eo__rng_init(&s->rng, s->seed);
  eo__rng_init(&s->rng, eo__rng_next(&s->rng) + s->next);
  if (s->draws) s->walk.seed = eo__rng_next(&s->rng);
}

static void start_sample(ss *s) {
  s->at = stratum_of(s, s->at, s->next);
  seed_sample(s);
  s->sampling = true;
}

static void end_sample(ss *s) {
  s->sampling = false;
  s->next = s->end - s->next <= s->stride ? s->end : s->next + s->stride;
}

/* One more delay than the last execution had. False: it has as many as it shall, or there is nowhere left to delay; or no
 * memory. */
static bool extend(ss *s) {
  eo_walk *walk = &s->walk;
  eo_way *target = &walk->target, *way = &walk->way;
  if (eo__walk_total(walk) >= s->at.delays) return false;
  uint32_t first = 0, end = (uint32_t)walk->path.count;
  if (way->count) {
    first = eo_vec_last(way).branch;
    const eo_branch *last = &walk->path.items[first];
    if (last->delays + 1 == last->count) first++;
  }
  if (first == end) return false;
  uint32_t drawn = first + eo__rng_below(&s->rng, end - first);
  eo_vec_clear(target);
  if (!eo_vec_reserve(target, way->count + 1)) return fail(s);
  for (size_t i = 0; i < way->count; i++) target->items[target->count++] = way->items[i];
  if (target->count && eo_vec_last(target).branch == drawn)
    eo_vec_last(target).delays++;
  else
    target->items[target->count++] = (eo_way_point){drawn, 1};
  return true;
}

/* Decides on the next execution. False: there is none; or no memory. */
static bool prepare(ss *s) {
  eo_way *target = &s->walk.target;
  if (s->ready) return true;
  if (s->draws || s->trunk != UNKNOWN) {
    if (s->sampling && extend(s)) return s->ready = true;
    if (s->base.error) return false;
    if (s->sampling) end_sample(s);
    if (s->next >= s->end || s->trunk == 0) return false;
    start_sample(s);
  }
  eo_vec_clear(
      target); /* the undelayed execution: of all samples, or of this one; or it is known, and delayed at once */
  if (!s->draws && s->trunk != UNKNOWN && !eo_vec_push(target, ((eo_way_point){eo__rng_below(&s->rng, s->trunk), 1})))
    return fail(s);
  return s->ready = true;
}

static bool ss_begin(eo_strategy *strategy, eo_beginning *beginning) {
  ss *s = (ss *)strategy;
  if (!prepare(s)) return false;
  s->ready = false;
  if (s->walk.target.count == 0) return true;
  eo__walk_follow(&s->walk);
  beginning->shared = eo__walk_begin(&s->walk);
  return true;
}

static uint32_t ss_choose(eo_strategy *strategy, const eo_point *point) {
  ss *s = (ss *)strategy;
  bool failed;
  uint32_t index = eo__walk_choose(&s->walk, point, &failed);
  if (index == EO_PRUNE && failed) fail(s);
  return index;
}

static void ss_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  ss *s = (ss *)strategy;
  (void)depth;
  (void)taken;
  if (!(event->flags & EO_EVENT_FAILED) && !eo__walk_observe(&s->walk, event)) fail(s);
}

static void ss_end(eo_strategy *strategy, eo_outcome *outcome) {
  ss *s = (ss *)strategy;
  s->delays = eo__walk_total(&s->walk);
  eo__walk_end(&s->walk, outcome->depth);
  uint32_t branches = (uint32_t)s->walk.path.count;
  if (branches > s->longest) s->longest = branches;
  if (!s->draws && s->trunk == UNKNOWN) s->trunk = branches;
}

static uint32_t ss_delays(eo_strategy *strategy) { return ((ss *)strategy)->delays; }

static uint64_t ss_pending(eo_strategy *strategy) {
  const ss *s = (const ss *)strategy;
  return s->end == UINT64_MAX ? 0 : (s->end - s->next + s->stride - 1) / s->stride;
}

static double ss_share(eo_strategy *strategy) {
  const ss *s = (const ss *)strategy;
  return s->end == UINT64_MAX || s->end == 0 ? -1 : (double)s->next / (double)s->end;
}

static eo_coverage ss_coverage(eo_strategy *strategy, eo_text *words) {
  const ss *s = (const ss *)strategy;
  const char *name = s->walk.explorer->name;
  if (s->trunk == 0) {
    eo__text_add(words, "every execution: there is only one");
    return EO_COVERS_ALL;
  }
  stratum last = stratum_of(s, (stratum){0}, s->end ? s->end - 1 : 0);
  eo__text_add(words, "%" PRIu64 " samples of at most %u delay%s under %s, drawn at random with seed %" PRIu64, s->end,
               last.delays, last.delays == 1 ? "" : "s", name, s->seed);
  eo__text_add(words, "; a sample of d delays hits a given execution with probability at least 1/%u^d", s->longest);
  return EO_COVERS_SAMPLE;
}

static double ss_reached(eo_strategy *strategy, eo_text *words) {
  const ss *s = (const ss *)strategy;
  if (s->next == 0) return -1;
  stratum last = stratum_of(s, (stratum){0}, s->next - 1);
  eo__text_add(
      words,
      "samples of at most %u delay%s under %s; one of d delays hits a given execution with probability at least 1/%u^d",
      last.delays, last.delays == 1 ? "" : "s", s->walk.explorer->name, s->longest);
  return 0;
}

/* ---- Fragments ------------------------------------------------------------------------------------------------------ */

/* The sample under way goes with it: its number, its generator, and what its next execution is. */
static bool ss_save(eo_strategy *strategy, eo_bytes *out) {
  ss *s = (ss *)strategy;
  bool more = prepare(s);
  if (strategy->error) return false;
  const eo_way *target = &s->walk.target;
  bool good = eo__fragment_begin(out, EO_FRAGMENT_SS) && eo__fragment_number(out, s->next) &&
              eo__fragment_number(out, s->end) && eo__fragment_number(out, s->stride) &&
              eo__fragment_number(out, (uint32_t)(s->trunk + 1)) && eo__fragment_number(out, s->longest) &&
              eo__fragment_number(out, s->sampling) && eo__fragment_number(out, more) &&
              eo__fragment_raw(out, &s->rng, sizeof s->rng) && eo__fragment_number(out, more ? target->count : 0);
  for (size_t i = 0; good && more && i < target->count; i++)
    good = eo__fragment_number(out, target->items[i].branch) && eo__fragment_number(out, target->items[i].delays);
  return good && eo__fragment_end(out);
}

static int ss_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  ss *s = (ss *)strategy;
  eo_fragment_reader reader;
  int code = eo__fragment_open(&reader, bytes, size, EO_FRAGMENT_SS, error);
  if (code != EO_OK) return code;
  uint64_t end = s->end;
  s->next = eo__fragment_read(&reader, end);
  s->end = eo__fragment_read(&reader, end);
  s->stride = eo__fragment_read(&reader, UINT64_MAX);
  s->trunk = (uint32_t)eo__fragment_read(&reader, UINT32_MAX) - 1;
  s->longest = (uint32_t)eo__fragment_read(&reader, UINT32_MAX);
  s->sampling = eo__fragment_read(&reader, 1);
  s->ready = eo__fragment_read(&reader, 1);
  if (s->sampling && s->next < end) start_sample(s);
  eo__fragment_read_raw(&reader, &s->rng, sizeof s->rng);
  uint64_t count = eo__fragment_read(&reader, (uint64_t)(reader.end - reader.at));
  eo_way *target = &s->walk.target;
  if (count && !eo_vec_reserve(target, count)) return eo__error_nomem(error);
  for (uint64_t i = 0; i < count && !reader.bad; i++) {
    eo_way_point point = {.branch = (uint32_t)eo__fragment_read(&reader, UINT32_MAX),
                          .delays = (uint32_t)eo__fragment_read(&reader, UINT32_MAX)};
    if (point.delays == 0 || (i && point.branch <= eo_vec_last(target).branch)) reader.bad = true;
    target->items[target->count++] = point;
  }
  bool good = !reader.bad && reader.at == reader.end && s->end == end && s->stride > 0;
  if (s->ready && s->next >= end && s->trunk != UNKNOWN) good = false;
  return good ? EO_OK : eo__fragment_refuse(error);
}

/* Every second of the samples to come. */
static bool ss_split(eo_strategy *strategy, eo_bytes *out) {
  ss *s = (ss *)strategy;
  if (!prepare(s) || s->end - s->next <= s->stride || s->stride > UINT64_MAX / 4) return false;
  if (!s->draws && s->trunk == UNKNOWN) return false; /* they all need it */
  ss theirs = {.base.ops = s->base.ops,
               .end = s->end,
               .stride = 2 * s->stride,
               .next = s->next + s->stride,
               .trunk = s->trunk,
               .longest = s->longest,
               .seed = s->seed,
               .samples = s->samples,
               .growth = s->growth,
               .draws = s->draws};
  bool good = ss_save(&theirs.base, out);
  eo_vec_release(&theirs.walk.target);
  if (!good) strategy->error = EO_ENOMEM;
  if (good) s->stride *= 2;
  return good;
}

static const eo_strategy_ops ss_ops = {
    .close = ss_close,
    .begin = ss_begin,
    .choose = ss_choose,
    .observe = ss_observe,
    .end = ss_end,
    .telling = &(const eo_telling){.coverage = ss_coverage,
                                   .reached = ss_reached,
                                   .share = ss_share,
                                   .pending = ss_pending,
                                   .delays = ss_delays},
    .fragments = &(const eo_fragments){.save = ss_save, .load = ss_load, .split = ss_split},
};

eo_strategy *eo__ss_open(const eo_strategy_options *options, eo_error *error) {
  ss *s = eo__alloc(sizeof *s);
  if (!s) {
    eo__error_nomem(error);
    return NULL;
  }
  s->base.ops = &ss_ops;
  s->seed = options->seed;
  s->samples = options->samples;
  s->growth = options->growth;
  s->trunk = UNKNOWN;
  s->stride = 1;
  eo__walk_init(&s->walk, options->explorer, options->view, options->seed);
  if (!eo__walk_draws(&s->walk, &s->draws)) {
    ss_close(&s->base);
    eo__error_nomem(error);
    return NULL;
  }
  s->end = end_of(s, options);
  return &s->base;
}
