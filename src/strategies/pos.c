/* pos.c: partial order sampling (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018, algorithm 2).
 *
 * What each process is about to do has a priority, drawn when the process comes to it; the highest one that can be done
 * is. What races with that and is still to come gets a new priority: so the order of what races is drawn anew each time,
 * while what commutes costs nothing. Two operations race when both send to one mailbox (where mailboxes keep the order),
 * when one sends to a process at a receive that could time out, or when they touch one object and one of them writes it.
 * Where the subject does not say what a process is about to do, nothing is known to race (the paper's BasicPOS).
 *
 * Values of a choose, and what a receive takes where that is chosen, are drawn evenly. */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "strategies/sampler.h"
#include "strategies/strategies.h"

enum { MOST_TOUCHES = 8 }; /* of one operation that are looked at; one with more races with all that touches anything */

/* What a process is about to do. */
typedef struct next_operation {
  uint64_t priority; /* 0: not looked at yet, since it did something or the execution began */
  uint32_t to;       /* as in eo_pending */
  bool receives;     /* and could time out */
  uint32_t touch_count;
  eo_touch touches[MOST_TOUCHES];
} next_operation;

typedef struct pos {
  eo_sampler sampler;
  eo_view view;
  bool knows;                  /* the subject tells what is pending */
  bool queues;                 /* mailboxes keep the order in which messages were sent */
  EO_VEC(next_operation) next; /* by process */
} pos;

static void pos_close(eo_strategy *strategy) {
  eo_vec_release(&((pos *)strategy)->next);
  eo__free(strategy);
}

static bool pos_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  pos *p = (pos *)strategy;
  if (!eo__sampler_begin(&p->sampler)) return false;
  for (size_t i = 0; i < p->next.count; i++) p->next.items[i].priority = 0;
  return true;
}

static bool know(pos *p, uint32_t process) {
  while (p->next.count <= process)
    if (!eo_vec_push(&p->next, (next_operation){0})) {
      p->sampler.base.error = EO_ENOMEM;
      return false;
    }
  return true;
}

static void look(pos *p, uint32_t process, next_operation *next) {
  eo_pending pending = {.to = EO_NO_PROCESS};
  next->priority = eo__rng_next(&p->sampler.rng) | 1;
  if (p->knows) p->view.relations->pending(p->view.of, process, &pending);
  next->to = pending.to;
  next->receives = pending.timed;
  next->touch_count = pending.touch_count;
  if (pending.touch_count && pending.touch_count <= MOST_TOUCHES)
    memcpy(next->touches, pending.touches, pending.touch_count * sizeof *next->touches);
}

static bool touch_the_same(const next_operation *a, const next_operation *b) {
  if (a->touch_count == 0 || b->touch_count == 0) return false;
  if (a->touch_count > MOST_TOUCHES || b->touch_count > MOST_TOUCHES) return true;
  for (uint32_t i = 0; i < a->touch_count; i++)
    for (uint32_t j = 0; j < b->touch_count; j++)
      if (a->touches[i].object == b->touches[j].object && (a->touches[i].writes || b->touches[j].writes)) return true;
  return false;
}

/* `done` is of process `one`, `next` of another. */
static bool race(const pos *p, uint32_t one, const next_operation *done, uint32_t another, const next_operation *next) {
  if (p->queues && done->to != EO_NO_PROCESS && done->to == next->to) return true;
  if ((done->receives && next->to == one) || (next->receives && done->to == another)) return true;
  return touch_the_same(done, next);
}

static uint32_t pos_choose(eo_strategy *strategy, const eo_point *point) {
  pos *p = (pos *)strategy;
  uint32_t best = 0;
  uint64_t most = 0;
  for (uint32_t i = 0; i < point->count; i++) {
    uint32_t process = point->choices[i].process;
    if (process >= p->next.count && !know(p, process)) return EO_PRUNE;
    next_operation *next = &p->next.items[process];
    if (next->priority == 0) look(p, process, next);
    if (next->priority <= most) continue;
    most = next->priority;
    best = i;
  }
  uint32_t chosen = eo__sampler_value(&p->sampler, point, best), one = point->choices[best].process;
  const next_operation *done = &p->next.items[one];
  for (uint32_t i = 0; i < point->count;
       i++) { /* what waits for something will have a new one anyway, or does not race */
    uint32_t another = point->choices[i].process;
    if (another == one || (i && point->choices[i - 1].process == another)) continue;
    if (race(p, one, done, another, &p->next.items[another]))
      p->next.items[another].priority = eo__rng_next(&p->sampler.rng) | 1;
  }
  p->next.items[one].priority = 0;
  return chosen;
}

static void pos_end(eo_strategy *strategy, eo_outcome *outcome) {
  (void)strategy;
  (void)outcome;
}

static eo_coverage pos_coverage(eo_strategy *strategy, eo_text *words) {
  const pos *p = (const pos *)strategy;
  eo__sampler_words(&p->sampler, words);
  eo__text_add(words, ", with new random priorities for operations that race with a step");
  return EO_COVERS_SAMPLE;
}

static const eo_strategy_ops pos_ops = {
    .close = pos_close,
    .begin = pos_begin,
    .choose = pos_choose,
    .end = pos_end,
    .telling =
        &(const eo_telling){.coverage = pos_coverage, .share = eo__sampler_share, .pending = eo__sampler_pending},
    .fragments = &eo__sampler_fragments,
};

static const eo_sampler_kind pos_kind = {.name = "pos", .letter = EO_FRAGMENT_POS};

eo_strategy *eo__pos_open(const eo_strategy_options *options, eo_error *error) {
  pos *p = eo__alloc(sizeof *p);
  if (!p) {
    eo__error_nomem(error);
    return NULL;
  }
  eo__sampler_init(&p->sampler, &pos_kind, &pos_ops, options);
  p->view = options->view;
  p->knows = options->view.relations && options->view.relations->pending;
  p->queues = options->delivery == EO_DELIVERY_MAILBOX;
  return &p->sampler.base;
}
