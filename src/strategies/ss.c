/* ss.c: stratified sampling (Desai et al. 2015, section 4): executions drawn by their number of delays under a delaying explorer; of d delays
 * so many as samples + growth^d, for d = 1, 2, ... The first execution of all has none.
 *
 * A sample of d delays is one execution. Its delays are drawn before it begins, each at one of the first L points with a choice,
 * evenly; L is the most that one of the first executions has had. An execution of d delays, at points among the first L of its own, is
 * therefore drawn with probability at least 1/L^d (theorem 3 of the paper). More delays at a point than it has other choices make as
 * many as there are, and those behind the end of the execution make none. The paper's figure 7 takes d executions instead, each of which
 * delays the one before once more behind its last delay: with the same bound, but its delays crowd at the end.
 *
 * Faults count apart: none to as many as are allowed are placed at fault points of the execution, as other samplers place them, and
 * happen where the explorer comes to them. An execution with f faults beside d delays is drawn with probability at least
 * 1/L^d times 1/F^f, F the number of fault points, times 1 by the number of faults allowed and one.
 *
 * A sample depends on the seed, on its number, and on L and F alone, so that a fragment is every so-manieth number from one on; L and F are known
 * before work is split. Under an explorer that draws (prr, any), each sample has a seed of its own for it. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "core/program.h"
#include "explorers/explorer.h"
#include "strategies/fragment.h"
#include "strategies/sampler.h"
#include "strategies/strategies.h"

enum { DEFAULT_EXECUTIONS = 10000 };

/* The samples of one number of delays. */
typedef struct stratum {
  uint32_t delays;
  uint64_t first, end; /* numbers of the samples */
} stratum;

static const stratum undelayed = {.delays = 0, .first = 0, .end = 1};

typedef struct ss {
  eo_strategy base;
  eo_walk walk;
  uint64_t seed;
  uint32_t samples;
  double growth;
  bool draws;                 /* the explorer does */
  uint64_t next, end, stride; /* numbers of the samples to make: next, next + stride, ..., below end */
  stratum at;                 /* where the last sample was */
  uint32_t longest;           /* L */
  eo_sampler_faults faults;
  eo_rng rng;      /* of the execution under way */
  uint32_t delays; /* of the execution that ended */
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

/* The number behind the last sample that is to be made. */
static uint64_t end_of(const ss *s, const eo_strategy_options *options) {
  bool endless = !options->executions && (options->timed || options->delays_bounded);
  uint64_t executions = endless ? UINT64_MAX : options->executions ? options->executions : DEFAULT_EXECUTIONS;
  if (!options->delays_bounded) return executions;
  stratum last = undelayed;
  while (last.delays < options->delays && last.end < executions) last = stratum_of(s, last, last.end);
  return last.end < executions ? last.end : executions;
}

/* ---- The next execution ----------------------------------------------------------------------------------------------- */

/* One more delay at this branch. */
static bool put_delay(eo_way *target, uint32_t branch) {
  size_t at = target->count;
  while (at > 0 && target->items[at - 1].branch >= branch) at--;
  if (at < target->count && target->items[at].branch == branch) {
    target->items[at].delays++;
    return true;
  }
  if (!eo_vec_push(target, ((eo_way_point){branch, 1}))) return false;
  for (size_t i = target->count - 1; i > at; i--) target->items[i] = target->items[i - 1];
  target->items[at] = (eo_way_point){branch, 1};
  return true;
}

static bool draw(ss *s) {
  eo__rng_init(&s->rng, s->seed);
  eo__rng_init(&s->rng, eo__rng_next(&s->rng) + s->next);
  if (s->draws) s->walk.seed = eo__rng_next(&s->rng);
  if (s->draws || s->faults.points > 0) eo__walk_forget(&s->walk);
  s->faults.passed = 0;
  s->at = stratum_of(s, s->at, s->next);
  eo_vec_clear(&s->walk.target);
  for (uint32_t i = 0; i < s->at.delays; i++)
    if (!put_delay(&s->walk.target, eo__rng_below(&s->rng, s->longest))) return fail(s);
  return true;
}

/* Are there other executions? */
static bool only_one(const ss *s) { return s->next > 0 && s->longest == 0; }

static bool ss_begin(eo_strategy *strategy, eo_beginning *beginning) {
  ss *s = (ss *)strategy;
  if (s->next >= s->end || only_one(s) || !draw(s)) return false;
  s->next = s->end - s->next <= s->stride ? s->end : s->next + s->stride;
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
  if (index == EO_PRUNE || point->choices[index].op != EO_OP_FAULT) return index;
  bool may = index + 1 < point->count && point->choices[index + 1].process == point->choices[index].process;
  bool happens = eo__sampler_fault(&s->faults, &s->rng, s->next <= EO_SAMPLES_TO_LEARN);
  return happens && may ? eo__walk_more(&s->walk, point) : index;
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
  if (s->next <= EO_SAMPLES_TO_LEARN && branches > s->longest) s->longest = branches;
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

static void add_promise(const ss *s, eo_text *words) {
  eo__text_add(words, " hits a given execution with probability at least 1/%u^d", s->longest);
  if (s->faults.points > 0)
    eo__text_add(words, ", and its f faults with 1/(%u * %u^f)", s->faults.most + 1, s->faults.points);
  eo__text_add(words, ", if its delays are among its first %u points with a choice", s->longest);
}

static eo_coverage ss_coverage(eo_strategy *strategy, eo_text *words) {
  const ss *s = (const ss *)strategy;
  if (only_one(s)) {
    eo__text_add(words, "every execution: there is only one");
    return EO_COVERS_ALL;
  }
  stratum last = stratum_of(s, undelayed, s->end ? s->end - 1 : 0);
  eo__text_add(words, "%" PRIu64 " samples of at most %u delay%s under %s, drawn at random with seed %" PRIu64, s->end,
               last.delays, last.delays == 1 ? "" : "s", s->walk.explorer->name, s->seed);
  eo__text_add(words, "; a sample of d delays");
  add_promise(s, words);
  return EO_COVERS_SAMPLE;
}

static double ss_reached(eo_strategy *strategy, eo_text *words) {
  const ss *s = (const ss *)strategy;
  if (s->next == 0) return -1;
  stratum last = stratum_of(s, undelayed, s->next - 1);
  eo__text_add(words, "samples of at most %u delay%s under %s; one of d delays", last.delays,
               last.delays == 1 ? "" : "s", s->walk.explorer->name);
  add_promise(s, words);
  return 0;
}

/* ---- Fragments ------------------------------------------------------------------------------------------------------ */

static bool ss_save(eo_strategy *strategy, eo_bytes *out) {
  const ss *s = (const ss *)strategy;
  return eo__fragment_begin(out, EO_FRAGMENT_SS) && eo__fragment_number(out, s->next) &&
         eo__fragment_number(out, s->end) && eo__fragment_number(out, s->stride) &&
         eo__fragment_number(out, s->longest) && eo__fragment_number(out, s->faults.points) && eo__fragment_end(out);
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
  s->longest = (uint32_t)eo__fragment_read(&reader, UINT32_MAX);
  s->faults.points = (uint32_t)eo__fragment_read(&reader, UINT32_MAX);
  bool good = !reader.bad && reader.at == reader.end && s->end == end && s->stride > 0;
  return good ? EO_OK : eo__fragment_refuse(error);
}

/* Every second of the samples to come. */
static bool ss_split(eo_strategy *strategy, eo_bytes *out) {
  ss *s = (ss *)strategy;
  if (s->next < EO_SAMPLES_TO_LEARN || s->next >= s->end || s->end - s->next <= s->stride || s->stride > UINT64_MAX / 4)
    return false;
  ss theirs = {
      .end = s->end, .stride = 2 * s->stride, .next = s->next + s->stride, .longest = s->longest, .faults = s->faults};
  bool good = ss_save(&theirs.base, out);
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
  s->at = undelayed;
  s->faults.most = options->faults;
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
