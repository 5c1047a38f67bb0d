/* replay.c: one execution, given by its choices. It ends after the last of them, if it has not ended before. */
#include <string.h>

#include "base/alloc.h"
#include "strategies/strategies.h"

typedef struct replay {
  eo_strategy base;
  bool started;
  uint32_t count;
  eo_choice choices[];
} replay;

static void replay_close(eo_strategy *strategy) { eo__free(strategy); }

static bool replay_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  replay *r = (replay *)strategy;
  return !r->started && (r->started = true);
}

static uint32_t replay_choose(eo_strategy *strategy, const eo_point *point) {
  const replay *r = (const replay *)strategy;
  if (point->depth >= r->count) return EO_PRUNE;
  eo_choice wanted = r->choices[point->depth];
  for (uint32_t i = 0; i < point->count; i++)
    if (point->choices[i].process == wanted.process && point->choices[i].value == wanted.value) return i;
  return EO_PRUNE; /* cannot be followed; whoever replays sees that it ended early */
}

static void replay_end(eo_strategy *strategy, eo_outcome *outcome) {
  (void)strategy;
  (void)outcome;
}

static eo_coverage replay_coverage(eo_strategy *strategy, eo_text *words) {
  (void)strategy;
  eo__text_add(words, "one interleaving, replayed");
  return EO_COVERS_SAMPLE;
}

static const eo_strategy_ops replay_ops = {
    .close = replay_close,
    .begin = replay_begin,
    .choose = replay_choose,
    .end = replay_end,
    .telling = &(const eo_telling){.coverage = replay_coverage},
};

eo_strategy *eo__replay_open(const eo_choice *choices, uint32_t count, eo_error *error) {
  replay *r = eo__alloc(sizeof *r + count * sizeof *choices);
  if (!r) {
    eo__error_nomem(error);
    return NULL;
  }
  r->base.ops = &replay_ops;
  r->count = count;
  if (count) memcpy(r->choices, choices, count * sizeof *choices);
  return &r->base;
}
