/* states.c: distinct states a second, one core, fingerprints on: a cached depth-first search over two-phase commit as
 * machines. bench/twopc.pml is the same in Promela, step by step; bench/states.sh runs both and prints the ratio.
 *
 * usage: build/bench/states [COORDINATORS [PARTICIPANTS [TRANSACTIONS]]]; build/bench/states costs: where the time goes */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "bench.h"
#include "core/visited.h"

/* ---- Two-phase commit ------------------------------------------------------------------------------------------- */

enum { PREPARE = 1, VOTE, DECIDE, DONE, MOST = 8 };

typedef struct setting {
  int coordinators, participants, transactions;
} setting;

typedef struct note {
  int who, yes;
} note;

typedef struct participant {
  int number, prepared, committed;
} participant;

static void participant_start(void *self, const eo_message *event) {
  ((participant *)self)->number = *(const int *)event->data;
}

static void participant_prepare(void *self, const eo_message *event) {
  participant *p = self;
  note vote = {p->number, (int)eo_choose(2)};
  p->prepared += vote.yes;
  eo_send(event->from, VOTE, &vote, sizeof vote);
}

static void participant_decide(void *self, const eo_message *event) {
  participant *p = self;
  const note *decision = event->data;
  note done = {p->number, 0};
  p->committed += decision->yes;
  eo_send(event->from, DONE, &done, sizeof done);
}

static const eo_machine participant_machine = {
    .name = "participant",
    EO_VARIABLES(participant),
    EO_STATES({.name = "serving",
               .entry = participant_start,
               .on = EO_ON(EO_DO(PREPARE, participant_prepare), EO_DO(DECIDE, participant_decide))}),
};

typedef struct team {
  int count, transactions;
  eo_pid members[MOST];
} team;

typedef struct coordinator {
  team team;
  int transaction, answers, yes;
} coordinator;

enum { VOTING, DECIDING };

static void coordinator_ask(void *self, const eo_message *event) {
  coordinator *c = self;
  if (event->tag == EO_CREATED) c->team = *(const team *)event->data;
  c->answers = c->yes = 0;
  for (int i = 0; i < c->team.count; i++) eo_send(c->team.members[i], PREPARE, NULL, 0);
}

static void coordinator_vote(void *self, const eo_message *event) {
  coordinator *c = self;
  const note *vote = event->data;
  c->yes += vote->yes;
  if (++c->answers == c->team.count) eo_goto(self, DECIDING, NULL, 0);
}

static void coordinator_decide(void *self, const eo_message *event) {
  coordinator *c = self;
  (void)event;
  note decision = {0, c->yes == c->team.count};
  c->answers = c->yes = 0;
  for (int i = 0; i < c->team.count; i++) eo_send(c->team.members[i], DECIDE, &decision, sizeof decision);
}

static void coordinator_done(void *self, const eo_message *event) {
  coordinator *c = self;
  (void)event;
  if (++c->answers < c->team.count) return;
  if (++c->transaction < c->team.transactions) eo_goto(self, VOTING, NULL, 0);
}

static const eo_machine coordinator_machine = {
    .name = "coordinator",
    EO_VARIABLES(coordinator),
    EO_STATES({.name = "voting", .entry = coordinator_ask, .on = EO_ON(EO_DO(VOTE, coordinator_vote))},
              {.name = "deciding", .entry = coordinator_decide, .on = EO_ON(EO_DO(DONE, coordinator_done))}),
};

static void twopc(void *argument) {
  setting s = *(setting *)argument;
  team t = {.count = s.participants, .transactions = s.transactions};
  for (int i = 0; i < s.participants; i++) t.members[i] = eo_create(&participant_machine, &i, sizeof i);
  for (int i = 1; i < s.coordinators; i++) eo_create(&coordinator_machine, &t, sizeof t);
  eo_become(&coordinator_machine, &t, sizeof t);
}

/* ---- A cached depth-first search -------------------------------------------------------------------------------- */

typedef struct cached {
  eo_strategy base;
  eo_strategy *dfs;
  eo_subject *subject;
  eo_visited *visited;
  uint32_t shared;
  uint64_t transitions; /* of the graph of states */
  uint64_t state[2];
  EO_VEC(uint32_t) left; /* by depth: choices not taken yet */
} cached;

/* The state as it is will be looked up soon. */
static void ask(cached *c) {
  c->subject->ops->states->fingerprint(c->subject, c->state);
  eo__visited_fetch(c->visited, c->state);
}

static bool seen(cached *c) { return eo__visited_add(c->visited, c->state) == EO_VISIT_SEEN; }

static void cached_close(eo_strategy *strategy) {
  eo_strategy *dfs = ((cached *)strategy)->dfs;
  dfs->ops->close(dfs);
  eo_vec_release(&((cached *)strategy)->left);
  eo__free(strategy);
}

static bool cached_begin(eo_strategy *strategy, eo_beginning *beginning) {
  cached *c = (cached *)strategy;
  bool more = c->dfs->ops->begin(c->dfs, beginning);
  c->shared = beginning->shared;
  if (more && c->left.count) {
    c->left.count = c->shared + 1;
    c->left.items[c->shared]--;
  }
  return more;
}

static uint32_t cached_choose(eo_strategy *strategy, const eo_point *point) {
  cached *c = (cached *)strategy;
  if (point->depth == 0 && !c->left.count) ask(c);
  if (point->depth == c->left.count) { /* not been here yet */
    if (seen(c)) return EO_PRUNE;
    c->transitions += point->count;
    if (!eo_vec_push(&c->left, point->count - 1)) abort();
  }
  return c->dfs->ops->choose(c->dfs, point);
}

static void cached_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  (void)depth, (void)taken, (void)event;
  ask((cached *)strategy);
}

static bool cached_returns(eo_strategy *strategy, uint32_t depth) {
  const cached *c = (const cached *)strategy;
  return depth < c->left.count && c->left.items[depth] > 0;
}

static void cached_end(eo_strategy *strategy, eo_outcome *outcome) {
  cached *c = (cached *)strategy;
  if (outcome->end == EO_END_FINISHED) seen(c);
  c->dfs->ops->end(c->dfs, outcome);
}

static const eo_strategy_ops cached_ops = {.close = cached_close,
                                           .begin = cached_begin,
                                           .choose = cached_choose,
                                           .observe = cached_observe,
                                           .guiding = &(const eo_guiding){.returns = cached_returns},
                                           .end = cached_end};

static eo_subject *open_subject(setting *s) {
  eo_error error = {0};
  eo_actor_options options = {.function = twopc, .argument = s, .watchdog = 60, .fingerprints = true};
  eo_subject *subject = eo__actor_open(&options, &error);
  if (subject) return subject;
  fprintf(stderr, "%s\n", error.text);
  exit(2);
}

int main(int argc, char **argv) {
  setting s = {argc > 1 ? atoi(argv[1]) : 1, argc > 2 ? atoi(argv[2]) : 5, argc > 3 ? atoi(argv[3]) : 1};
  eo_error error = {0};
  eo_visited *visited = eo__visited_open(EO_CACHE_UNLIMITED, 0, &error);
  eo_subject *subject = open_subject(&s);
  cached *c = eo__alloc(sizeof *c);
  if (!visited || !c) return 2;
  c->base.ops = &cached_ops;
  c->dfs = eo__dfs_open(NULL, &error);
  c->subject = subject;
  c->visited = visited;
  eo_engine engine;
  eo__engine_init(&engine, subject, &c->base);
  double began = bench_cpu();
  eo__engine_run(&engine, &error);
  double seconds = bench_cpu() - began;
  uint64_t states = eo__visited_count(visited);
  printf("two-phase commit, %d coordinators, %d participants, %d transactions each\n", s.coordinators, s.participants,
         s.transactions);
  printf("%" PRIu64 " states, %" PRIu64 " transitions, %.2f s, %.0f states/s, %.1f bytes a state\n", states,
         c->transitions, seconds, (double)states / seconds, (double)eo__visited_bytes(visited) / (double)states);
  printf("%" PRIu64 " steps run, %" PRIu64 " skipped, %" PRIu64 " restores\n", engine.counts.transitions,
         engine.counts.skipped, engine.counts.restores);
  eo__engine_release(&engine);
  c->base.ops->close(&c->base);
  subject->ops->close(subject);
  eo__visited_close(visited);
  return 0;
}
