/* turn.c: as a revisit of dpor does it (doc/dpor.md), but for a person: what came before the early step, what the late one
 * needs of the rest, the late one, the early one, all else. Then it is run, and said only if it really passes. */
#include "core/turn.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/follow.h"

enum { MOST_TRIES = 300, MOST_STEPS = 500000 };

typedef struct turning {
  const eo_finding *finding;
  const eo_schedule *schedule;
  eo_follow follow;
  bool *needed; /* by step: the late one comes after it, and not through the early one */
  eo_engine engine;
  bool passed;
  uint32_t tries;
  uint64_t steps;
} turning;

static const eo_line *line_at(const turning *t, uint32_t step) { return &t->finding->lines.items[step]; }

static bool same_process(const turning *t, uint32_t a, uint32_t b) {
  return t->schedule->items[a].process == t->schedule->items[b].process;
}

/* The step before this one of the same process, from `first` on; else `first` itself. */
static uint32_t previous(const turning *t, uint32_t step, uint32_t first) {
  uint32_t at = step;
  while (at > first && !same_process(t, --at, step)) continue;
  return at;
}

/* Marks what `late` needs of the steps after `early`. False: it needs early for more than its own conflict with it. */
static bool mark(turning *t, uint32_t early, uint32_t late) {
  memset(t->needed, 0, t->finding->lines.count * sizeof *t->needed);
  t->needed[late] = true;
  for (uint32_t step = late; step > early; step--) {
    if (!t->needed[step]) continue;
    uint32_t own = previous(t, step, early);
    if (own == early && same_process(t, early, step)) return false;
    t->needed[own] |= own != early;
    const eo_line *line = line_at(t, step);
    for (size_t i = 0; i < line->after.count; i++) {
      if (line->after.items[i] > early) t->needed[line->after.items[i]] = true;
      if (line->after.items[i] == early && step != late) return false;
    }
  }
  return true;
}

/* Can their order matter: does the late one come directly after the early one, or do both send to one process, or is one a
 * receive of the process that the other sends to? */
static bool may_race(const turning *t, uint32_t early, uint32_t late) {
  const eo_line *a = line_at(t, early), *b = line_at(t, late);
  if (same_process(t, early, late)) return false;
  for (size_t i = 0; i < b->after.count; i++)
    if (b->after.items[i] == early) return !(a->sends && b->mails.count && !b->sends) && strcmp(a->op, "spawn") != 0;
  for (size_t j = 0; b->sends && j < b->mails.count; j++) {
    if (!b->mails.items[j].other) continue;
    if (strcmp(a->op, "receive") == 0 && strcmp(a->process, b->mails.items[j].other) == 0) return true;
    for (size_t i = 0; a->sends && i < a->mails.count; i++)
      if (a->mails.items[i].other && strcmp(a->mails.items[i].other, b->mails.items[j].other) == 0) return true;
  }
  return false;
}

static bool plan(turning *t, uint32_t early, uint32_t late) {
  const eo_schedule *s = t->schedule;
  eo_schedule *p = &t->follow.plan;
  eo_vec_clear(p);
  if (!eo_vec_reserve(p, s->count + 1)) return false;
  for (uint32_t i = 0; i < early; i++) p->items[p->count++] = s->items[i];
  for (uint32_t i = early + 1; i <= late; i++)
    if (t->needed[i]) p->items[p->count++] = s->items[i];
  for (uint32_t i = early; i < s->count; i++)
    if (i > late || !t->needed[i]) p->items[p->count++] = s->items[i];
  return true;
}

static bool ended(void *context, const eo_outcome *outcome) {
  turning *t = context;
  t->passed = outcome->end == EO_END_FINISHED;
  return true;
}

static int run(turning *t, eo_subject *subject, uint32_t max_depth, eo_error *error) {
  t->tries++;
  t->passed = false;
  eo_follow_again(&t->follow);
  eo_engine_init(&t->engine, subject, &t->follow.base);
  t->engine.max_depth = max_depth;
  t->engine.ended = ended;
  t->engine.context = t;
  int code = eo_engine_run(&t->engine, error);
  t->steps += t->engine.counts.transitions;
  return code;
}

/* Where in the execution just run is the step that this one is: the same in number of its process. */
static uint32_t place_of(const turning *t, uint32_t step) {
  uint32_t number = 0, at = 0;
  for (uint32_t i = 0; i < step; i++) number += same_process(t, i, step);
  for (; at < t->engine.length; at++)
    if (t->engine.choices.items[at].process == t->schedule->items[step].process && number-- == 0) break;
  return at;
}

static bool is_enough(const turning *t, const eo_patience *patience, double began) {
  if (t->tries >= MOST_TRIES || t->steps >= MOST_STEPS) return true;
  return patience && (*patience->stop || eo_seconds() - began > patience->seconds);
}

int eo_find_turn(eo_subject *subject, uint32_t max_depth, const eo_patience *patience, const eo_schedule *schedule,
                 eo_finding *finding, eo_error *error) {
  turning t = {.finding = finding, .schedule = schedule};
  uint32_t count = (uint32_t)finding->lines.count;
  double began = eo_seconds();
  int code = EO_OK;
  if (count == 0 || count != schedule->count) return EO_OK;
  t.needed = eo_alloc(count * sizeof *t.needed);
  if (!t.needed) return eo_error_nomem(error);
  for (uint32_t early = count - 1; early-- > 0 && code == EO_OK && !finding->turn_late;)
    for (uint32_t late = early + 1; late < count && code == EO_OK && !finding->turn_late; late++) {
      if (is_enough(&t, patience, began)) goto done;
      if (!may_race(&t, early, late) || !mark(&t, early, late)) continue;
      code = plan(&t, early, late) ? run(&t, subject, max_depth, error) : eo_error_nomem(error);
      if (code == EO_OK && t.passed && place_of(&t, late) < place_of(&t, early)) {
        finding->turn_early = early + 1;
        finding->turn_late = late + 1;
      }
      eo_engine_release(&t.engine);
    }
done:
  eo_vec_release(&t.follow.plan);
  eo_free(t.needed);
  return code;
}
