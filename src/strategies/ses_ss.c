/* ses_ss.c: stratified exhaustive search, then sampling from its frontier (Desai et al. 2015, the last paragraph of section 6.1:
 * there it is future work).
 *
 * ses runs until the cache of states is full. Then what it has left, the frontier, is sampled: round r makes one sample of
 * each entry, in turn: the execution that begins with the entry's way, and r more with one more delay each, drawn as by ss
 * among the points from the entry on. So shallow bugs are found by search, with its coverage, and of what lies behind the
 * frontier an execution of d delays beyond an entry is drawn in round d with probability at least 1/L^d.
 *
 * A fragment is one of ses, or the entries of this round and of the next. A sample under way when work is put away is
 * over. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "explorers/explorer.h"
#include "strategies/strategies.h"
#include "strategies/ways.h"

enum { DEFAULT_EXECUTIONS = 10000 };

typedef struct ses_ss {
  eo_strategy base;
  eo_strategy *ses; /* NULL: it is over */
  eo_visited *visited;
  eo_walk walk;
  eo_rng rng;
  bool exhausted;    /* ses came to its end: there is nothing to sample */
  eo_ways now, next; /* entries of this round; those that had their turn */
  uint32_t round;
  uint32_t left;   /* delays that the sample under way is still to get */
  size_t entry;    /* the branch of its entry */
  uint64_t budget; /* executions to sample; UINT64_MAX: until it is stopped */
  uint64_t samples, executions;
  uint64_t states; /* that ses had counted */
  uint32_t delays, bound, longest;
  bool limited; /* --delays: so many beyond the frontier */
  uint32_t limit;
} ses_ss;

static void ses_ss_close(eo_strategy *strategy) {
  ses_ss *s = (ses_ss *)strategy;
  if (s->ses) s->ses->ops->close(s->ses);
  eo__walk_release(&s->walk);
  eo__ways_release(&s->now);
  eo__ways_release(&s->next);
  eo__free(s);
}

static bool fail(ses_ss *s) {
  s->base.error = *s->walk.trouble ? EO_EINPUT : EO_ENOMEM;
  s->base.trouble = s->walk.trouble;
  return false;
}

/* ---- From searching to sampling ----------------------------------------------------------------------------------- */

static bool full(const ses_ss *s) { return s->visited && eo__visited_lost(s->visited) > 0; }

static bool start_sampling(ses_ss *s) {
  if (!eo__ses_frontier(s->ses, &s->now, &s->bound)) return fail(s);
  s->states = s->ses->ops->telling->states(s->ses);
  s->ses->ops->close(s->ses);
  s->ses = NULL;
  s->round = 1;
  return true;
}

/* ---- Samples ------------------------------------------------------------------------------------------------------ */

/* One more delay than the last execution had, from the entry on. False: nowhere; or no memory. */
static bool extend(ses_ss *s) {
  eo_walk *walk = &s->walk;
  eo_way *target = &walk->target, *way = &walk->way;
  uint32_t first = (uint32_t)s->entry, end = (uint32_t)walk->path.count;
  if (s->left == 0 || way->count == 0) return false;
  if (eo_vec_last(way).branch > first) first = eo_vec_last(way).branch;
  if (first < end && walk->path.items[first].delays + 1 == walk->path.items[first].count) first++;
  if (first >= end) return false;
  uint32_t drawn = first + eo__rng_below(&s->rng, end - first);
  eo_vec_clear(target);
  if (!eo_vec_reserve(target, way->count + 1)) return fail(s);
  for (size_t i = 0; i < way->count; i++) target->items[target->count++] = way->items[i];
  if (eo_vec_last(target).branch == drawn)
    eo_vec_last(target).delays++;
  else
    target->items[target->count++] = (eo_way_point){drawn, 1};
  s->left--;
  return true;
}

/* The next entry, which goes to the end of the queue for the next round. */
static bool next_entry(ses_ss *s) {
  if (s->now.left == 0) {
    if (s->next.left == 0 || (s->limited && s->round == s->limit)) return false;
    eo_ways done = s->now;
    s->now = s->next;
    s->next = done;
    eo__ways_clear(&s->next);
    s->round++;
  }
  eo_way *target = &s->walk.target;
  if (!eo__ways_take(&s->now, target) || !eo__ways_put(&s->next, target->items, target->count - 1, eo_vec_last(target)))
    return fail(s);
  s->entry = eo_vec_last(target).branch;
  s->left = s->round;
  s->samples++;
  return true;
}

static bool ses_ss_begin(eo_strategy *strategy, eo_beginning *beginning) {
  ses_ss *s = (ses_ss *)strategy;
  if (s->ses && !full(s)) {
    beginning->chooser = s->ses;
    if (s->ses->ops->begin(s->ses, beginning)) return true;
    strategy->error = s->ses->error;
    s->exhausted = !strategy->error;
    return false;
  }
  if (s->exhausted || (s->ses && !start_sampling(s))) return false;
  if (s->executions >= s->budget) return false;
  if (!extend(s) && (strategy->error || !next_entry(s))) return false;
  eo__walk_follow(&s->walk);
  beginning->shared = eo__walk_begin(&s->walk);
  return true;
}

static uint32_t ses_ss_choose(eo_strategy *strategy, const eo_point *point) {
  ses_ss *s = (ses_ss *)strategy;
  bool failed;
  if (s->ses) return s->ses->ops->choose(s->ses, point);
  uint32_t index = eo__walk_choose(&s->walk, point, &failed);
  if (index == EO_PRUNE && failed) fail(s);
  return index;
}

static void ses_ss_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  ses_ss *s = (ses_ss *)strategy;
  if (s->ses)
    s->ses->ops->observe(s->ses, depth, taken, event);
  else if (!(event->flags & EO_EVENT_FAILED) && !eo__walk_observe(&s->walk, event))
    fail(s);
}

static void ses_ss_end(eo_strategy *strategy, eo_outcome *outcome) {
  ses_ss *s = (ses_ss *)strategy;
  if (s->ses) {
    s->executions += outcome->end != EO_END_PRUNED;
    s->ses->ops->end(s->ses, outcome);
    strategy->error = s->ses->error;
    strategy->doubts |= s->ses->doubts;
    strategy->trouble = s->ses->trouble;
    s->delays = s->ses->ops->telling->delays(s->ses);
    return;
  }
  s->executions++;
  s->delays = eo__walk_total(&s->walk);
  eo__walk_end(&s->walk, outcome->depth);
  uint32_t beyond = (uint32_t)s->walk.path.count - (s->walk.path.count > s->entry ? (uint32_t)s->entry : 0);
  if (beyond > s->longest) s->longest = beyond;
}

static uint64_t ses_ss_name(eo_strategy *strategy) {
  ses_ss *s = (ses_ss *)strategy;
  return s->ses ? s->ses->ops->telling->name(s->ses) : eo__walk_name(&s->walk);
}

static uint32_t ses_ss_delays(eo_strategy *strategy) { return ((ses_ss *)strategy)->delays; }

static uint64_t ses_ss_states(eo_strategy *strategy) {
  const ses_ss *s = (const ses_ss *)strategy;
  return s->ses ? s->ses->ops->telling->states(s->ses) : s->states;
}

static uint64_t ses_ss_pending(eo_strategy *strategy) {
  const ses_ss *s = (const ses_ss *)strategy;
  return s->ses ? s->ses->ops->telling->pending(s->ses) : s->now.left + s->next.left;
}

static eo_coverage ses_ss_coverage(eo_strategy *strategy, eo_text *words) {
  const ses_ss *s = (const ses_ss *)strategy;
  if (s->ses) return s->ses->ops->telling->coverage(s->ses, words);
  eo__text_add(words,
               "states within %u delay%s under %s, until the cache was full; then %" PRIu64
               " samples drawn at random from its frontier, in %u round%s: one of round d hits an execution of d more "
               "delays with "
               "probability at least 1/%u^d",
               s->bound, s->bound == 1 ? "" : "s", s->walk.explorer->name, s->samples, s->round,
               s->round == 1 ? "" : "s", s->longest);
  return EO_COVERS_SAMPLE;
}

/* ---- Fragments ------------------------------------------------------------------------------------------------------ */

static bool write(const ses_ss *s, const eo_ways *now, const eo_ways *next, uint64_t samples, uint64_t executions,
                  eo_bytes *out) {
  return eo__fragment_begin(out, EO_FRAGMENT_SES_SS) && eo__fragment_number(out, s->round) &&
         eo__fragment_number(out, s->bound) && eo__fragment_number(out, s->longest) &&
         eo__fragment_number(out, samples) && eo__fragment_number(out, executions) &&
         eo__fragment_raw(out, &s->rng, sizeof s->rng) && eo__ways_write(now, out) && eo__ways_write(next, out) &&
         eo__fragment_end(out);
}

static bool ses_ss_save(eo_strategy *strategy, eo_bytes *out) {
  ses_ss *s = (ses_ss *)strategy;
  if (s->ses) return s->ses->ops->fragments->save(s->ses, out);
  s->left = 0;
  return write(s, &s->now, &s->next, s->samples, s->executions, out);
}

static int ses_ss_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  ses_ss *s = (ses_ss *)strategy;
  eo_fragment_reader reader;
  if (size < 2 || bytes[1] != EO_FRAGMENT_SES_SS) return s->ses->ops->fragments->load(s->ses, bytes, size, error);
  int code = eo__fragment_open(&reader, bytes, size, EO_FRAGMENT_SES_SS, error);
  if (code != EO_OK) return code;
  s->round = (uint32_t)eo__fragment_read(&reader, UINT32_MAX);
  s->bound = (uint32_t)eo__fragment_read(&reader, UINT32_MAX);
  s->longest = (uint32_t)eo__fragment_read(&reader, UINT32_MAX);
  s->samples = eo__fragment_read(&reader, UINT64_MAX);
  s->executions = eo__fragment_read(&reader, UINT64_MAX);
  eo__fragment_read_raw(&reader, &s->rng, sizeof s->rng);
  if (!eo__ways_read(&s->now, &reader) || !eo__ways_read(&s->next, &reader)) return eo__error_nomem(error);
  if (reader.bad || reader.at != reader.end || s->round == 0) return eo__fragment_refuse(error);
  s->ses->ops->close(s->ses);
  s->ses = NULL;
  return EO_OK;
}

/* The other part draws from another generator. */
static bool ses_ss_split(eo_strategy *strategy, eo_bytes *out) {
  ses_ss *s = (ses_ss *)strategy;
  if (s->ses) return s->ses->ops->fragments->split(s->ses, out);
  static const eo_ways none;
  eo_ways ours[2] = {none, none}, theirs[2] = {none, none};
  bool turn = false;
  s->left = 0;
  uint64_t left = s->budget == UINT64_MAX ? 0 : s->budget - s->executions, given = left / 2;
  if (s->now.left + s->next.left < 2 || (s->budget != UINT64_MAX && given == 0)) return false;
  bool good =
      eo__ways_deal(&s->now, &ours[0], &theirs[0], &turn) && eo__ways_deal(&s->next, &ours[1], &theirs[1], &turn);
  eo_rng mine = s->rng;
  eo__rng_init(&s->rng, eo__rng_next(&mine));
  /* Of what is left to be run each takes a part: to it, the rest has been run. */
  good = good && write(s, &theirs[0], &theirs[1], 0, s->budget == UINT64_MAX ? 0 : s->budget - given, out);
  s->rng = mine;
  if (s->budget != UINT64_MAX) s->executions += given;
  for (int i = 0; i < 2; i++) {
    eo_ways *mine_now = i ? &s->next : &s->now;
    eo_ways kept = *mine_now;
    *mine_now = ours[i];
    eo__ways_release(&kept);
    eo__ways_release(&theirs[i]);
  }
  if (!good) strategy->error = EO_ENOMEM;
  return good;
}

static const eo_strategy_ops ses_ss_ops = {
    .close = ses_ss_close,
    .begin = ses_ss_begin,
    .choose = ses_ss_choose,
    .observe = ses_ss_observe,
    .end = ses_ss_end,
    .telling = &(const eo_telling){.coverage = ses_ss_coverage,
                                   .pending = ses_ss_pending,
                                   .name = ses_ss_name,
                                   .delays = ses_ss_delays,
                                   .states = ses_ss_states},
    .fragments = &(const eo_fragments){.save = ses_ss_save, .load = ses_ss_load, .split = ses_ss_split},
};

eo_strategy *eo__ses_ss_open(const eo_strategy_options *options, eo_error *error) {
  ses_ss *s = eo__alloc(sizeof *s);
  if (!s) {
    eo__error_nomem(error);
    return NULL;
  }
  s->base.ops = &ses_ss_ops;
  s->visited = options->visited;
  s->limited = options->delays_bounded;
  s->limit = options->delays;
  s->budget = options->executions                         ? options->executions
              : options->timed || options->delays_bounded ? UINT64_MAX
                                                          : DEFAULT_EXECUTIONS;
  eo_strategy_options search = *options;
  search.delays_bounded = false; /* memory bounds the search, --delays what is sampled beyond it */
  s->ses = eo__ses_open(&search, error);
  if (!s->ses) {
    eo__free(s);
    return NULL;
  }
  eo__rng_init(&s->rng, options->seed);
  eo__walk_init(&s->walk, options->explorer, options->view, options->seed);
  return &s->base;
}
