/* worker.c: exploring, in a process of its own: opens subject, strategy and wrappers and the engine, takes work from the
 * frontier, explores it within its limits, and hands back what came of it. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <xxhash.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/controlled.h"
#include "core/heat.h"
#include "registry/probing.h"
#include "registry/registry.h"
#include "registry/worker_inside.h"
#include "subjects/actor/actor.h"
#include "subjects/model/subject.h"

#define PROBE_PART 0.03 /* of the time */

/* ---- Opening ------------------------------------------------------------------------------------------------------ */

eo_subject *eo__worker_subject(const eo_request *request, eo_cell *cell, eo_error *error) {
  if (request->model) {
    eo_delivery delivery = EO_DELIVERY_MAILBOX;
    if (request->options.delivery) eo__delivery_parse(request->options.delivery, &delivery); /* it was checked */
    eo_subject *subject = eo__promela_subject_open(request->model, delivery, error);
    if (subject && request->property)
      eo__promela_subject_follow(subject, request->property, request->options.fair != 0);
    return subject;
  }
  eo_actor_options options = {
      .function = request->function,
      .argument = request->argument,
      .timeouts_idle = request->options.timeouts_idle,
      .leaks = request->options.leaks,
      .abnormal_fails = request->options.abnormal_fails,
      .fingerprints = request->visited || request->graph,
      .alone = request->options.jobs <= 1,
      .confined = true,
      .watchdog = eo__watchdog(request),
      .hurry = cell ? &cell->hurry : NULL,
      .gave_up = cell ? &cell->slow : NULL,
      .pulse = cell ? &cell->pulse : NULL,
  };
  if (request->options.delivery) eo__delivery_parse(request->options.delivery, &options.delivery); /* it was checked */
  if (eo__faults_parse(request->options.faults, &options.faults, error) != EO_OK) return NULL;
  return eo__actor_open(&options, error);
}

static eo_stop_options limits(exploration *x) {
  const eo_claim *claim = &x->claim;
  eo_stop_options stop = {.at_failure = !x->request->options.keep_going,
                          .flag = &x->cell->stop,
                          .reason = x->stopped,
                          .executions = claim->executions == UINT64_MAX ? 0 : claim->executions,
                          .look = claim->executions == 0,
                          .turn = x->by_turns ? x->plan.left : 0};
  if (!x->inner->ops->fragments) { /* it cannot be put away, only be ended */
    stop.seconds = x->request->options.seconds;
    return stop;
  }
  stop.seconds = claim->budget;
  stop.recall = &x->cell->recall;
  return stop;
}

/* Is the claim the search of the log? Without a log nobody has given out such a fragment: it is then refused like any other
 * that a strategy did not write. */
static bool is_last(const exploration *x) { return x->request->heats && eo__rounds_claimed(&x->claim.bytes); }

/* Whose turn it is cannot run this program: that is left to the others. */
static bool open_member(exploration *x, eo_strategy_options *wanted) {
  const eo_relations *relations = x->subject->ops->relations;
  for (int i = 0; i < EO_AUTO_MEMBERS; i++) {
    eo_strategy_options own = *wanted;
    if (relations) relations->receives_choose(x->subject, false); /* as the member before may have wanted it */
    eo__auto_options(&x->plan, &own);
    x->opened = eo__auto_entry(&x->plan);
    x->inner = x->opened->open(&own, &x->error);
    if (x->inner || x->error.code != EO_EINPUT) break;
    x->error = (eo_error){0};
    eo__auto_skip(&x->plan);
  }
  return x->inner != NULL;
}

static bool open_strategy(exploration *x) {
  eo_strategy_options wanted = eo__strategy_options(x->request, x->subject);
  bool last = is_last(x);
  if (last) wanted.heats = NULL; /* all is logged */
  if (x->by_turns) {
    if (!open_member(x, &wanted)) return false;
  } else {
    x->opened = eo__strategy_find(x->request->options.strategy);
    x->inner = x->opened->open(&wanted, &x->error);
  }
  eo_rounds_options rounds = {x->request->heats, wanted.view, x->request->visited, eo__worker_knows, x};
  if (last) x->inner = eo__rounds_open(x->inner, &rounds, &x->error);
  if (!x->inner) return false;
  eo_stop_options stop = limits(x);
  eo_strategy *seen = x->inner;
  if (x->request->graph) seen = eo__graphing_open(seen, x->request->graph, wanted.view, &x->error);
  x->stop = eo__stop_open(seen, &stop, &x->error);
  x->strategy = eo__recheck_open(eo__meter_open(x->stop, &x->news.meter, &x->error), &x->error);
  if (EO_CONTROLLED && x->subject->ops->auditing) x->strategy = eo__rerun_open(x->strategy, &x->error);
  return x->strategy != NULL;
}

static void close_strategy(exploration *x) {
  if (!x->strategy) return;
  eo__engine_release(&x->engine);
  x->strategy->ops->close(x->strategy);
  x->strategy = NULL;
}

/* ---- A slice ------------------------------------------------------------------------------------------------------ */

static uint64_t states(const exploration *x) {
  return x->inner->ops->telling->states ? x->inner->ops->telling->states(x->inner) : 0;
}

static void between(void *context) {
  exploration *x = context;
  eo__worker_check();
  x->news.delays = eo__worker_delays(x);
  x->news.states = states(x) - x->states;
  x->news.counts = x->engine.counts;
  x->news.aside = x->by_turns && x->plan.turn != EO_AUTO_DPOR ? x->news.meter.executions : 0;
  x->news.gained = x->share >= 0 && x->news.meter.share >= 0 ? x->news.meter.share - x->share : 0;
  memcpy(x->cell->news, &x->news, sizeof x->news);
}

/* Of `auto`: the plan that was claimed. Only ses leaves circles of states to be searched at the end. */
static int read_plan(exploration *x) {
  const eo_options *options = &x->request->options;
  eo__auto_release(&x->plan);
  eo__auto_init(&x->plan, options->seed, x->request->visited != NULL, options->seconds > 0 || options->executions > 0);
  if (!is_last(x)) return eo__auto_load(&x->plan, &x->claim.bytes, &x->error);
  x->plan.turn = EO_AUTO_SES;
  x->plan.left = 0;
  return EO_OK;
}

/* The strategy with what was claimed, and the engine; as they are, if that is just what they have left. */
static int get_ready(exploration *x) {
  if (x->by_turns && read_plan(x) != EO_OK) return x->error.code;
  bool member = x->by_turns && !is_last(x);
  const eo_bytes *bytes = member ? &x->plan.members[x->plan.turn].bytes : &x->claim.bytes;
  bool same = x->strategy && (!member || x->opened == eo__auto_entry(&x->plan)) && bytes->count == x->saved.count &&
              (bytes->count == 0 || memcmp(bytes->items, x->saved.items, bytes->count) == 0);
  if (same) {
    eo_stop_options stop = limits(x);
    eo__stop_again(x->stop, &stop);
  } else {
    close_strategy(x);
    if (!open_strategy(x)) return x->error.code;
    if (member) bytes = &x->plan.members[x->plan.turn].bytes;
    eo__engine_init(&x->engine, x->subject, x->strategy);
    x->engine.max_depth = eo__depth(x->request);
    x->engine.depth_fails = x->request->options.depth_fails != 0;
    x->engine.place = &x->cell->place;
    x->engine.ended = eo__worker_ended;
    x->engine.between = between;
    x->engine.before_step = eo__worker_before_step;
    x->engine.audits = EO_CONTROLLED;
    x->engine.context = x;
    if (bytes->count && !is_last(x)) {
      int code = x->strategy->ops->fragments->load(x->strategy, bytes->items, bytes->count, &x->error);
      if (code != EO_OK) return code;
    }
  }
  x->news = (eo_news){.meter.share = -1};
  x->probed = (eo_estimate){0};
  x->share = x->by_turns ? -1 : x->strategy->ops->telling->share(x->strategy);
  x->states = states(x);
  x->engine.counts = (eo_engine_counts){0};
  x->engine.executions = 0;
  if (x->request->visited) eo__visited_slice(x->request->visited);
  if (x->request->heats) eo__heats_look(x->request->heats);
  x->cell->place.execution = 0; /* before the fragment: the place is meant within it */
  x->cell->fragment = x->claim.fragment;
  return EO_OK;
}

/* How much to probe, and what to draw by; false: not now. Whoever began with the whole probes a little; after that all do, while
 * the estimate can be better, for a small part of their time. What is drawn depends on the fragment, so that it is new in
 * every slice, and the same in the same one. The turns of `auto` depend on the estimate, so the clock has no say there: it
 * is made at the end of turns. */
static bool probes_now(const exploration *x, eo_probe_limits *limits, uint64_t *seed) {
  const eo_bytes *bytes = &x->claim.bytes;
  if (x->by_turns) {
    *limits = (eo_probe_limits){1024, 50000, 0};
    *seed = x->request->options.seed + x->plan.round;
    uint64_t ran = x->news.meter.executions + x->news.meter.pruned;
    return eo__auto_probes(&x->plan, ran, x->claim.pieces > 1) && !eo__estimate_within(&x->plan.probed, EO_PROBED_WELL);
  }
  bool whole = bytes->count == 0, due = x->probe_seconds < PROBE_PART * x->all_seconds;
  *limits = whole ? (eo_probe_limits){2048, 200000, 1} : (eo_probe_limits){64, 20000, 0.1};
  *seed = XXH3_64bits_withSeed(whole ? "" : (const char *)bytes->items, bytes->count, x->request->options.seed);
  return (whole || due) && !eo__estimate_within(&x->all_probed, EO_PROBED_WELL);
}

/* After a slice that leaves something to do: what is finished needs no estimate. A worker that is to stop, or to hand over what
 * it has and go on, does not probe; but what part of a plan is handed over depends on the estimate. */
static int probe(exploration *x) {
  eo_probe_limits limits;
  uint64_t seed;
  if (x->claim.executions == 0 || !probes_now(x, &limits, &seed)) return EO_OK;
  bool goes_on = x->news.meter.executions < x->claim.executions && !x->by_turns;
  if (x->cell->stop || (x->cell->recall && goes_on) || x->broken) return EO_OK;
  if (x->news.failures && !x->request->options.keep_going) return EO_OK;
  eo__engine_leave(&x->engine);
  double started = eo__seconds();
  eo_probe_listener listener = {x, eo__worker_met};
  x->cell->hurry = 1;
  int code = eo__probe(x->request, x->subject, x->cell, seed, &limits, &listener, &x->probed, &x->error);
  x->cell->hurry = 0;
  if (code == EO_OK) code = x->error.code;
  eo__estimate_add(&x->all_probed, &x->probed);
  if (x->by_turns) eo__estimate_add(&x->plan.probed, &x->probed);
  x->probe_seconds += eo__seconds() - started;
  return code;
}

static bool add_rest(exploration *x, eo_bytes *piece) {
  if (!eo_vec_push(&x->slice.rest, *piece)) {
    eo_vec_release(piece);
    return false;
  }
  *piece = (eo_bytes){0};
  return true;
}

static bool copy(eo_bytes *to, const eo_bytes *from) {
  eo_vec_clear(to);
  if (from->count && !eo_vec_reserve(to, from->count)) return false;
  if (from->count) memcpy(to->items, from->items, from->count);
  to->count = from->count;
  return true;
}

/* Of `auto`: gives away parts of the member whose turn it is, if it can be split, and puts away the rest of it. */
static bool put_member_away(exploration *x) {
  eo_strategy *strategy = x->strategy;
  eo_bytes *kept = &x->plan.members[x->plan.turn].bytes, piece = {0}, part = {0};
  bool good = true;
  for (uint32_t i = 1; good && i < x->claim.pieces && eo__auto_splits(&x->plan); i++) {
    if (!strategy->ops->fragments->split(strategy, &piece)) break;
    good = eo__auto_split(&x->plan, &piece, &part) && add_rest(x, &part);
  }
  eo_vec_release(&piece);
  eo_vec_release(&part);
  return good && !strategy->error && strategy->ops->fragments->save(strategy, kept) && copy(&x->saved, kept);
}

static bool compares_states(const exploration *x) {
  return x->by_turns ? x->plan.turn == EO_AUTO_SES : x->request->visited || x->request->graph;
}

static uint32_t of_subject(const exploration *x) {
  uint32_t found = x->subject->ops->auditing ? x->subject->ops->auditing->doubts(x->subject) : 0;
  return compares_states(x) ? found : found & ~(uint32_t)EO_DOUBT_STATES;
}

/* Those of the strategy, which another one need not have; and all. */
static uint32_t own_doubts(const exploration *x) {
  return x->news.doubts | x->inner->doubts | (of_subject(x) & EO_DOUBT_STATES);
}

static uint32_t doubts(const exploration *x) { return own_doubts(x) | x->engine.doubts | of_subject(x); }

/* Has ses as many states, or as much left to do, as there is memory for? */
static bool is_full(const exploration *x) {
  return eo__visited_lost(x->request->visited) > 0 || x->saved.count > eo__memory_allowed() / 16;
}

/* What the member whose turn it was has done, and what comes next: false: nothing, the plan is finished. */
static bool turn_over(exploration *x, bool more, eo_tally *t) {
  eo_auto_slice slice = {.executions = x->news.meter.executions,
                         .pruned = x->news.meter.pruned,
                         .steps = x->engine.counts.transitions,
                         .skipped = x->engine.counts.skipped,
                         .doubts = own_doubts(x),
                         .ended = !more,
                         .coverage = t->coverage,
                         .full = x->plan.turn == EO_AUTO_SES && is_full(x)};
  const eo_auto_member *member = &x->plan.members[x->plan.turn];
  eo_member_tally *told = &t->members[x->plan.turn];
  size_t length = strlen(t->reached);
  told->executions = slice.executions + slice.pruned;
  told->drawn = member->executions + slice.executions;
  told->hit = t->hit;
  if (length < sizeof told->reached) memcpy(told->reached, t->reached, length + 1);
  t->reached[0] = '\0';
  eo_auto_news news = eo__auto_ran(&x->plan, &slice);
  t->doubts &= ~slice.doubts | EO_ASSUMED_ALL;
  if (news == EO_AUTO_COVERED) t->doubts |= member->doubts;
  if (news == EO_AUTO_DRAWN) t->doubts |= eo__auto_doubts(&x->plan);
  if (news == EO_AUTO_DRAWN) {
    t->coverage = EO_COVERS_SAMPLE;
    snprintf(t->covered, sizeof t->covered, "the executions that were run");
  }
  return news == EO_AUTO_GOES_ON;
}

/* The plan, with what its members have left. */
static int leave_plan(exploration *x) {
  eo_bytes kept = {0};
  if (x->claim.pieces > 1) eo__auto_hurry(&x->plan);
  if (eo__auto_save(&x->plan, &kept) && add_rest(x, &kept)) return EO_OK;
  eo_vec_release(&kept);
  return eo__error_nomem(&x->error);
}

/* Gives away what is wanted, then puts away what remains. */
static int leave_rest(exploration *x) {
  eo_strategy *strategy = x->strategy;
  eo_bytes kept = {0}, piece = {0};
  bool good = true, looked = x->claim.executions == 0;
  if (!x->inner->ops->fragments || looked) { /* nothing was run; or it is only told that it is not finished */
    good = copy(&kept, &x->claim.bytes) && add_rest(x, &kept);
    if (looked) close_strategy(x); /* an execution was begun */
    return good ? EO_OK : eo__error_nomem(&x->error);
  }
  for (uint32_t i = 1; good && i < x->claim.pieces && strategy->ops->fragments->split(strategy, &piece); i++)
    good = add_rest(x, &piece);
  eo_vec_release(&piece);
  good = good && !strategy->error && strategy->ops->fragments->save(strategy, &kept) && copy(&x->saved, &kept);
  if (good) return add_rest(x, &kept) ? EO_OK : eo__error_nomem(&x->error);
  eo_vec_release(&kept);
  return eo__error_nomem(&x->error);
}

static void tally(exploration *x) {
  eo_tally *t = &x->slice.tally;
  *t = (eo_tally){.executions = x->news.meter.executions,
                  .pruned = x->news.meter.pruned,
                  .transitions = x->engine.counts.transitions,
                  .skipped = x->engine.counts.skipped,
                  .states = states(x) - x->states,
                  .failures = x->news.failures,
                  .aside = x->news.aside,
                  .max_depth = x->news.meter.max_depth,
                  .estimate = x->probed,
                  .doubts = doubts(x),
                  .settles = x->inner->settles,
                  .cut = x->news.cut};
  memcpy(t->endless, x->endless, sizeof t->endless);
  eo_text covered;
  eo__text_init(&covered);
  t->coverage = x->strategy->ops->telling->coverage(x->strategy, &covered);
  snprintf(t->covered, sizeof t->covered, "%s", covered.chars);
  uint32_t unseen = x->subject->ops->relations ? x->subject->ops->relations->unseen(x->subject) : 0;
  if (unseen & EO_DOUBT_SHARING && t->coverage == EO_COVERS_ALL) t->doubts |= EO_ASSUMED_SHARED;
  eo__text_clear(&covered);
  if (x->inner->ops->telling->reached) t->hit = x->inner->ops->telling->reached(x->inner, &covered);
  if (x->inner->ops->telling->reached && t->hit >= 0) snprintf(t->reached, sizeof t->reached, "%s", covered.chars);
  eo__text_release(&covered);
}

void eo__slice_release(eo_slice *slice) {
  for (size_t i = 0; i < slice->rest.count; i++) eo_vec_release(&slice->rest.items[i]);
  for (size_t i = 0; i < slice->findings.count; i++) eo__free(slice->findings.items[i]);
  eo_vec_release(&slice->rest);
  eo_vec_release(&slice->findings);
  *slice = (eo_slice){0};
}

static int explore_claim(exploration *x) {
  double started = eo__seconds();
  int code = get_ready(x);
  if (code == EO_OK) code = eo__engine_run(&x->engine, &x->error);
  if (code == EO_OK) code = x->error.code;
  bool more = *x->stopped || x->broken;
  if (code == EO_OK && more) code = probe(x);
  if (code != EO_OK) return code;
  x->news.estimate = x->probed;
  x->news.aside = x->by_turns && x->plan.turn != EO_AUTO_DPOR ? x->news.meter.executions : 0;
  tally(x);
  bool looked = more && x->claim.executions == 0; /* only whether there is an execution */
  bool planned = x->by_turns && !is_last(x) && !looked, member_more = more;
  if (planned && more && !put_member_away(x)) return eo__error_nomem(&x->error);
  if (planned) more = turn_over(x, more, &x->slice.tally);
  x->news.meter.share = more ? x->strategy->ops->telling->share(x->strategy) : 1;
  between(x);
  if (more) code = planned ? leave_plan(x) : leave_rest(x);
  if (!more || !member_more) close_strategy(x);
  x->slice.seconds = eo__seconds() - started;
  x->all_seconds += x->slice.seconds;
  return code;
}

/* ---- Life of a worker --------------------------------------------------------------------------------------------- */

static int know(exploration *x, const eo_strings *findings) {
  for (size_t i = 0; i < findings->count; i++) {
    eo_finding finding;
    eo__finding_init(&finding);
    int code = eo__finding_from_json(&finding, findings->items[i], &x->error);
    if (code == EO_OK && !eo_vec_push(&x->seen, finding.failure)) code = eo__error_nomem(&x->error);
    eo__finding_release(&finding);
    if (code != EO_OK) return code;
  }
  return EO_OK;
}

static int take_and_explore(exploration *x, eo_frontier *frontier, const char *name) {
  long patience = 1000000; /* nanoseconds; doubled while there is nothing, to a 20th of a second */
  for (;;) {
    eo_taken taken;
    bool accepted;
    int code = frontier->ops->take(frontier, name, eo__seconds(), &x->claim, &taken, &x->error);
    if (code != EO_OK || taken == EO_TAKE_END) return code;
    if (taken == EO_TAKE_WAIT) {
      nanosleep(&(struct timespec){.tv_nsec = patience}, NULL);
      if (patience < 50000000) patience *= 2;
      continue;
    }
    patience = 1000000;
    size_t seen = x->seen.count, beside = x->beside.count;
    code = explore_claim(x);
    if (code == EO_OK)
      code = frontier->ops->done(frontier, name, eo__seconds(), &x->claim, &x->slice, &accepted, &x->error);
    eo__slice_release(&x->slice);
    eo_vec_release(&x->claim.bytes);
    x->cell->recall = 0; /* it was meant for this claim */
    if (code != EO_OK) return code;
    if (!accepted) { /* nobody has heard of what was found there, and nobody else's rest goes on from it */
      x->seen.count = seen;
      x->beside.count = beside;
      x->broken = false;
      close_strategy(x);
    }
  }
}

int eo__worker_loop(const eo_request *request, eo_frontier *frontier, const char *name, eo_cell *cell,
                    const eo_strings *known, eo_error *error) {
  eo_request own = *request;
  exploration x = {.request = &own, .cell = cell};
  x.by_turns = eo__strategy_find(request->options.strategy)->turns;
  int code = own.visited ? EO_OK : eo__request_visited(&own, &x.error); /* of a cluster: each process for itself */
  if (code == EO_OK) x.subject = eo__worker_subject(&own, cell, &x.error);
  if (!x.subject) code = x.error.code;
  if (code == EO_OK && known) code = know(&x, known);
  if (code == EO_OK) code = take_and_explore(&x, frontier, name);
  close_strategy(&x);
  eo_vec_release(&x.seen);
  eo_vec_release(&x.beside);
  eo_vec_release(&x.saved);
  eo__auto_release(&x.plan);
  if (x.subject) x.subject->ops->close(x.subject);
  if (!request->visited) eo__visited_close(own.visited);
  if (code != EO_OK && error) *error = x.error;
  return code;
}
