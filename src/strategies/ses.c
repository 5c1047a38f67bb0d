/* ses.c: stratified exhaustive search (Desai et al. 2015, section 3, figure 5): executions by number of delays under a delaying
 * explorer, fewest first, depth first within a bound, without going on from a state that was seen before.
 *
 * The path of the execution under way is a list of branches (explorers/explorer.h). Going back, the last branch that has
 * a choice left is either delayed once more, if the bound allows it, or left for later: an entry of the frontier, which
 * says how to come to it. As the explorer is deterministic, that is just where to delay: a list of (branch, delays).
 * Entries are written one behind the other, each as what differs from the one before (`now` and `next`, streams.c-like
 * front coding). They are left deepest first, so that the next bound goes back through them step by step, too.
 *
 * While an entry is come to again, states are not looked up: they were seen, and the choices beside the way are others'
 * affair. Behind it the search goes on as before. When no entry is left, every state that can be reached was visited
 * (theorem 2), however much the cache forgot: what it forgets is only explored again. Circles of states in which a
 * specification stays hot are looked for afterwards, in the log of steps (core/heat.h). */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "core/heat.h"
#include "explorers/explorer.h"
#include "strategies/ahead.h"
#include "strategies/strategies.h"
#include "strategies/ways.h"

typedef struct ses {
  eo_strategy base;
  eo_walk walk;
  eo_view view;
  eo_visited *visited; /* NULL: the cache is off */
  eo_heats *heats;     /* NULL: nothing is logged */
  bool bounded, started, finished, left_over;
  uint32_t limit, step, bound;
  eo_ways first;     /* entries to be explored before those of `now` */
  eo_ways now, next; /* entries to be explored at this bound; beyond it */
  size_t ours;       /* branches before this one belong to the way to the entry under way */
  eo_ahead ahead;    /* where those of them that come next will come back to */
  bool asked;        /* the state after the last step is still to be looked up: */
  uint64_t state[2]; /* its fingerprint */
  uint32_t delays;   /* of the execution that ended */
  uint64_t states;
} ses;

static void ses_close(eo_strategy *strategy) {
  ses *s = (ses *)strategy;
  eo__walk_release(&s->walk);
  eo__ways_release(&s->first);
  eo__ways_release(&s->now);
  eo__ways_release(&s->next);
  eo__ahead_release(&s->ahead);
  eo__free(s);
}

static bool fail(ses *s) {
  s->base.error = *s->walk.trouble ? EO_EINPUT : EO_ENOMEM;
  s->base.trouble = s->walk.trouble;
  return false;
}

/* ---- Where to go next --------------------------------------------------------------------------------------------- */

/* The choices of the last branch that are left are for a later bound. */
static bool put_off(ses *s) {
  if (s->bounded && s->bound >= s->limit) return s->left_over = true;
  const eo_way *way = &s->walk.way;
  eo_way_point end = {(uint32_t)s->walk.path.count - 1, eo_vec_last(&s->walk.path).delays + 1};
  return eo__ways_put(&s->next, way->items, way->count - (end.delays > 1), end);
}

/* Goes back to the last branch that is ours and has a choice left within the bound. False: there is none; or an error. */
static bool go_back(ses *s) {
  while (s->walk.path.count > s->ours) {
    const eo_branch *last = &eo_vec_last(&s->walk.path);
    if (last->delays + 1 < last->count) {
      if (last->total < s->bound) return eo__walk_delay(&s->walk), true;
      if (!put_off(s)) return fail(s);
    }
    eo__walk_leave(&s->walk);
  }
  return false;
}

static bool next_bound(ses *s) {
  if (s->next.left == 0) return false;
  eo_ways done = s->now;
  s->now = s->next;
  s->next = done;
  eo__ahead_forget(&s->ahead);
  eo__ways_clear(&s->next);
  s->bound = s->bounded && s->limit - s->bound < s->step ? s->limit : s->bound + s->step;
  return true;
}

static bool ses_begin(eo_strategy *strategy, eo_beginning *beginning) {
  ses *s = (ses *)strategy;
  if (!s->started) return s->started = true;
  if (s->finished) return false;
  if (!go_back(s)) {
    if (strategy->error) return false;
    eo_ways *from = s->first.left ? &s->first : &s->now;
    if (from->left == 0 && !next_bound(s)) {
      s->finished = true;
      return false;
    }
    if (!eo__ways_take(from, &s->walk.target) || !eo__ahead_taken(&s->ahead, from)) return fail(s);
    s->ours = eo_vec_last(&s->walk.target).branch;
    eo__walk_follow(&s->walk);
  }
  beginning->shared = eo__walk_begin(&s->walk);
  return true;
}

/* Is this branch of the path delayed once more within the bound? */
static bool delayed_later(const ses *s, size_t branch) {
  if (branch < s->ours) return false;
  const eo_branch *there = &s->walk.path.items[branch];
  return there->total < s->bound && there->delays + 1 < there->count;
}

static bool ses_returns(eo_strategy *strategy, uint32_t depth) {
  const ses *s = (const ses *)strategy;
  size_t low = 0, high = s->walk.path.count;
  if (high && eo_vec_last(&s->walk.path).depth == depth) low = high - 1; /* mostly */
  while (low < high && s->walk.path.items[low].depth != depth) {
    size_t middle = (low + high) / 2;
    if (s->walk.path.items[middle].depth < depth)
      low = middle + 1;
    else if (s->walk.path.items[middle].depth > depth)
      high = middle;
    else
      low = middle;
  }
  if (low >= high) return false;
  return eo__ahead_returns(&s->ahead, (uint32_t)low) || delayed_later(s, low);
}

/* ---- An execution --------------------------------------------------------------------------------------------------- */

/* The state as it is will be looked up: when the next thing is done, so that memory can be fetched meanwhile. */
static void ask(ses *s) {
  if (!s->visited) return;
  s->view.states->fingerprint(s->view.of, s->state);
  eo__visited_fetch(s->visited, s->state);
  s->asked = true;
}

/* Was the state that was asked for seen before? From now on it is. */
static bool seen(ses *s) {
  if (!s->asked) return false;
  s->asked = false;
  eo_visit visit = eo__visited_add(s->visited, s->state);
  if (visit != EO_VISIT_SEEN) s->states++;
  return visit == EO_VISIT_SEEN;
}

static uint32_t ses_choose(eo_strategy *strategy, const eo_point *point) {
  ses *s = (ses *)strategy;
  bool failed;
  if (point->depth == 0 && !s->walk.back && !s->walk.following) {
    ask(s);
    seen(s); /* it is gone on from nevertheless */
  } else if (seen(s)) {
    return EO_PRUNE;
  }
  uint32_t index = eo__walk_choose(&s->walk, point, &failed);
  if (index == EO_PRUNE && failed) fail(s);
  return index;
}

/* Each choice of each state is taken once beyond the ways: so the log has all steps. */
static void log_step(ses *s) {
  const eo_heat *heat = s->view.states->heat(s->view.of);
  s->base.doubts |= EO_DOUBT_LIVENESS; /* until the log was searched */
  if (heat && s->heats) eo__heats_add(s->heats, heat);
}

static void ses_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  ses *s = (ses *)strategy;
  (void)depth;
  (void)taken;
  if (event->flags & EO_EVENT_HOT && s->visited && !s->walk.following) log_step(s);
  if (event->flags & EO_EVENT_FAILED) return;
  if (!s->walk.following) ask(s);
  if (!eo__walk_observe(&s->walk, event)) fail(s);
}

static void ses_end(eo_strategy *strategy, eo_outcome *outcome) {
  ses *s = (ses *)strategy;
  seen(s);
  s->delays = eo__walk_total(&s->walk);
  eo__walk_end(&s->walk, outcome->depth);
}

static uint64_t ses_name(eo_strategy *strategy) { return eo__walk_name(&((ses *)strategy)->walk); }
static uint32_t ses_delays(eo_strategy *strategy) { return ((ses *)strategy)->delays; }
static uint64_t ses_states(eo_strategy *strategy) { return ((ses *)strategy)->states; }

static uint64_t ses_pending(eo_strategy *strategy) {
  const ses *s = (const ses *)strategy;
  size_t open = s->walk.path.count > s->ours ? s->walk.path.count - s->ours : 0;
  return s->first.left + s->now.left + s->next.left + open;
}

/* With the cache, a state is gone on from where it was first met, even if it is met again with fewer delays (section 3):
 * within a bound, that leaves out what the second way there would have had delays left for. */
static eo_coverage ses_coverage(eo_strategy *strategy, eo_text *words) {
  const ses *s = (const ses *)strategy;
  const char *name = s->walk.explorer->name;
  if (s->left_over) {
    eo__text_add(words,
                 s->visited ? "states within %u delay%s under %s, each explored only where it was first reached"
                            : "every execution of at most %u delay%s under %s",
                 s->limit, s->limit == 1 ? "" : "s", name);
    return EO_COVERS_BOUND;
  }
  eo__text_add(words, "every %s; the last needed %u delay%s under %s", s->visited ? "reachable state" : "execution",
               s->bound, s->bound == 1 ? "" : "s", name);
  return EO_COVERS_ALL;
}

static double ses_reached(eo_strategy *strategy, eo_text *words) {
  const ses *s = (const ses *)strategy;
  if (s->bound < s->step) return -1; /* not even the first is done */
  uint32_t done = s->bound - s->step;
  eo__text_add(words,
               s->visited ? "states within %u delay%s under %s, each explored only where it was first reached"
                          : "every execution of at most %u delay%s under %s",
               done, done == 1 ? "" : "s", s->walk.explorer->name);
  return 0;
}

/* ---- Fragments ------------------------------------------------------------------------------------------------------ */

/* What is left at the branches of the path, as entries: into `first` what is within the bound, into `later` the rest. */
static bool list_path(ses *s, eo_ways *first, eo_ways *later) {
  const eo_walk *walk = &s->walk;
  size_t points = walk->way.count;
  for (size_t i = walk->path.count; i-- > s->ours;) {
    const eo_branch *branch = &walk->path.items[i];
    eo_way_point end = {(uint32_t)i, branch->delays + 1};
    if (branch->delays) points--;
    if (end.delays == branch->count) continue;
    bool within = branch->total < s->bound;
    if (!within && s->bounded && s->bound >= s->limit) {
      s->left_over = true;
      continue;
    }
    if (!eo__ways_put(within ? first : later, walk->way.items, points, end)) return false;
  }
  return true;
}

static bool write(const ses *s, const eo_ways *parts[4], bool left_over, eo_bytes *out) {
  bool good = eo__fragment_begin(out, EO_FRAGMENT_SES) && eo__fragment_number(out, s->started) &&
              eo__fragment_number(out, left_over) && eo__fragment_number(out, s->bound);
  for (int i = 0; good && i < 4; i++) good = eo__ways_write(parts[i], out);
  return good && eo__fragment_end(out);
}

/* The path is in `first` before what was there, and in `next` behind it: so it is two lists each. */
static bool ses_save(eo_strategy *strategy, eo_bytes *out) {
  ses *s = (ses *)strategy;
  eo_ways first = {0}, later = {0};
  bool good = list_path(s, &first, &later);
  if (good && s->first.left == 0) {
    const eo_ways *parts[] = {&first, &s->now, &s->next, &later};
    good = write(s, parts, s->left_over, out);
  } else if (good) {
    eo_ways rest = s->first; /* a copy to read from: the bytes stay */
    rest.out = (eo_way){0};
    eo_way way = {0};
    for (size_t i = 0; good && i < s->first.out.count; i++) good = eo_vec_push(&rest.out, s->first.out.items[i]);
    while (good && rest.left)
      good = eo__ways_take(&rest, &way) && eo__ways_put(&first, way.items, way.count - 1, eo_vec_last(&way));
    eo_vec_release(&way);
    eo_vec_release(&rest.out);
    const eo_ways *parts[] = {&first, &s->now, &s->next, &later};
    good = good && write(s, parts, s->left_over, out);
  }
  eo__ways_release(&first);
  eo__ways_release(&later);
  return good;
}

static int ses_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  ses *s = (ses *)strategy;
  eo_fragment_reader reader;
  int code = eo__fragment_open(&reader, bytes, size, EO_FRAGMENT_SES, error);
  if (code != EO_OK) return code;
  eo_ways later = {0};
  bool turn = false;
  s->started = eo__fragment_read(&reader, 1);
  s->left_over = eo__fragment_read(&reader, 1);
  s->bound = (uint32_t)eo__fragment_read(&reader, s->bounded ? s->limit : UINT32_MAX);
  bool memory = eo__ways_read(&s->first, &reader) && eo__ways_read(&s->now, &reader) &&
                eo__ways_read(&s->next, &reader) && eo__ways_read(&later, &reader);
  if (memory && !reader.bad) memory = eo__ways_deal(&later, &s->next, &s->next, &turn); /* all of it, behind */
  eo__ways_release(&later);
  if (!memory) return eo__error_nomem(error);
  uint64_t entries = s->first.left + s->now.left + s->next.left;
  bool good = !reader.bad && reader.at == reader.end && (s->started || entries == 0);
  /* Beyond the bound nothing is kept. */
  if (s->bounded && s->bound == s->limit && s->next.left) good = false;
  return good ? EO_OK : eo__fragment_refuse(error);
}

bool eo__ses_frontier(eo_strategy *strategy, eo_ways *out, uint32_t *bound) {
  ses *s = (ses *)strategy;
  bool turn = false;
  *bound = s->bound;
  bool good = list_path(s, out, &s->next);
  s->ours = s->walk.path.count;
  eo__ahead_forget(&s->ahead);
  return good && eo__ways_deal(&s->first, out, out, &turn) && eo__ways_deal(&s->now, out, out, &turn) &&
         eo__ways_deal(&s->next, out, out, &turn);
}

static void swap(eo_ways *a, eo_ways *b) {
  eo_ways kept = *a;
  *a = *b;
  *b = kept;
}

/* Every second entry, of what is within the bound and of what is beyond, so that both parts go on by delays. The path is
 * put into entries for it. */
static bool ses_split(eo_strategy *strategy, eo_bytes *out) {
  ses *s = (ses *)strategy;
  if (!s->started || s->finished) return false;
  static const eo_ways none;
  eo_ways path = none, ours[2] = {none, none}, theirs[2] = {none, none};
  bool turn = false;
  bool good = list_path(s, &path, &s->next);
  s->ours = s->walk.path.count;
  good = good && eo__ways_deal(&path, &ours[0], &theirs[0], &turn) &&
         eo__ways_deal(&s->first, &ours[0], &theirs[0], &turn) && eo__ways_deal(&s->now, &ours[0], &theirs[0], &turn) &&
         eo__ways_deal(&s->next, &ours[1], &theirs[1], &turn);
  bool some = theirs[0].left + theirs[1].left > 0;
  const eo_ways *parts[] = {&none, &theirs[0], &theirs[1], &none};
  if (good && some) good = write(s, parts, false, out);
  eo__ways_clear(&s->first);
  eo__ahead_forget(&s->ahead);
  swap(&s->now, &ours[0]);
  swap(&s->next, &ours[1]);
  for (int i = 0; i < 2; i++) {
    eo__ways_release(&ours[i]);
    eo__ways_release(&theirs[i]);
  }
  eo__ways_release(&path);
  if (!good) strategy->error = EO_ENOMEM;
  return good && some;
}

static const eo_strategy_ops ses_ops = {
    .close = ses_close,
    .begin = ses_begin,
    .choose = ses_choose,
    .observe = ses_observe,
    .end = ses_end,
    .guiding = &(const eo_guiding){.returns = ses_returns},
    .telling = &(const eo_telling){.coverage = ses_coverage,
                                   .reached = ses_reached,
                                   .pending = ses_pending,
                                   .name = ses_name,
                                   .delays = ses_delays,
                                   .states = ses_states},
    .fragments = &(const eo_fragments){.save = ses_save, .load = ses_load, .split = ses_split},
};

eo_strategy *eo__ses_open(const eo_strategy_options *options, eo_error *error) {
  ses *s = eo__alloc(sizeof *s);
  if (!s) {
    eo__error_nomem(error);
    return NULL;
  }
  s->base.ops = &ses_ops;
  s->view = options->view;
  s->bounded = options->delays_bounded;
  s->limit = options->delays;
  s->step = options->delay_step ? options->delay_step : 1;
  eo__walk_init(&s->walk, options->explorer, options->view, options->seed);
  s->visited = options->visited;
  s->heats = options->heats;
  return &s->base;
}
