/* engine_checkpoints.c: where the engine saves the subject, and what it goes back to.
 *
 * Checkpoints stand on the path of the current execution only, so there are at most some dozens. They are taken far apart
 * on the long way to where the next execution is expected to come back to, and on the last stretch wherever executions
 * come back to often enough; they are used when restoring costs less than running the prefix again. All of that by
 * counting steps, never by the clock, so that the same run does the same work every time. */
#include "core/engine_inside.h"

enum { MOST_CHECKPOINTS = 128, MANY_VISITS = 256 };

void eo__checkpoints_drop(eo_engine *engine, uint32_t deeper_than) {
  while (engine->checkpoints.count && eo_vec_last(&engine->checkpoints).depth > deeper_than)
    engine->subject->ops->saving->forget(engine->subject, eo_vec_pop(&engine->checkpoints).saved);
}

/* Of the older half, half as many. */
static void thin_out(eo_engine *engine) {
  size_t kept = 0;
  for (size_t i = 0; i < engine->checkpoints.count; i++) {
    if (i % 2 || i >= MOST_CHECKPOINTS / 2)
      engine->checkpoints.items[kept++] = engine->checkpoints.items[i];
    else
      engine->subject->ops->saving->forget(engine->subject, engine->checkpoints.items[i].saved);
  }
  engine->checkpoints.count = kept;
}

void eo__checkpoints_plan_none(eo_engine *engine) { engine->next_save = engine->stretch = UINT32_MAX; }

static uint32_t last_checkpoint(const eo_engine *engine) {
  return engine->checkpoints.count ? eo_vec_last(&engine->checkpoints).depth : 0;
}

/* Where the next checkpoint goes: far enough from the last one to pay, and not beyond where the next execution is
 * expected to part from this one. On the last stretch they may be closer: see worth_it. */
void eo__checkpoints_plan(eo_engine *engine) {
  eo__checkpoints_plan_none(engine);
  if (engine->no_checkpoints) return;
  engine->cost = engine->subject->ops->saving->cost(engine->subject);
  uint32_t distance = engine->interval < 2 * engine->cost ? 2 * engine->cost : engine->interval;
  uint32_t next = last_checkpoint(engine) + (engine->all_checkpoints ? 1 : distance);
  if (next <= engine->expected || engine->all_checkpoints) engine->next_save = next;
  if (engine->returns_known)
    engine->stretch = 1;
  else if (engine->expected)
    engine->stretch = engine->length > EO_LAST_STRETCH ? engine->length - EO_LAST_STRETCH + 1 : 1;
}

/* How often executions came to a point so far from the end where there was a choice, and came back to it. */
static eo_engine_returns *returns_at(eo_engine *engine, uint32_t depth) {
  return &engine->returns[depth < engine->length ? (engine->length - depth) % EO_LAST_STRETCH : 0];
}

void eo__checkpoints_return(eo_engine *engine, uint32_t depth) {
  if (depth && depth + EO_LAST_STRETCH > engine->length) returns_at(engine, depth)->returns++;
}

/* On the last stretch, at a point with a choice: is it worth saving here? As often as the strategy comes back to it, the
 * steps from the last checkpoint on need not be run again. */
static bool worth_it(eo_engine *engine, uint32_t depth) {
  if (engine->returns_known) return depth > last_checkpoint(engine) && engine->returns_known(engine->chooser, depth);
  eo_engine_returns *at = returns_at(engine, depth);
  uint32_t distance = depth - last_checkpoint(engine), visits = at->visits ? at->visits : 1;
  bool worth = distance && at->returns && (uint64_t)at->returns * distance >= (uint64_t)visits * engine->cost;
  if (depth == engine->expected) return worth; /* it has been here before */
  if (++at->visits == MANY_VISITS) {
    at->visits /= 2;
    at->returns /= 2;
  }
  return worth;
}

void eo__checkpoints_save(eo_engine *engine, uint32_t depth, uint32_t count) {
  bool due = depth >= engine->next_save;
  if (!(count > 1 && depth >= engine->stretch && worth_it(engine, depth)) && !due) return;
  if (engine->checkpoints.count == MOST_CHECKPOINTS) {
    thin_out(engine);
    if (due) engine->interval *= 2;
  }
  void *saved = eo_vec_reserve(&engine->checkpoints, 1) ? engine->subject->ops->saving->save(engine->subject) : NULL;
  if (saved) {
    engine->checkpoints.items[engine->checkpoints.count++] = (eo_checkpoint){depth, saved};
    eo__checkpoints_plan(engine);
  } else {
    eo__checkpoints_plan_none(engine); /* in the rest of this execution: slower, not wrong */
  }
}

uint32_t eo__checkpoints_restore(eo_engine *engine, uint32_t shared) {
  eo__checkpoints_drop(engine, shared);
  uint32_t depth = last_checkpoint(engine);
  if (depth == 0) return 0;
  if ((depth > engine->subject->ops->saving->cost(engine->subject) || engine->all_checkpoints) &&
      engine->subject->ops->saving->restore(engine->subject, eo_vec_last(&engine->checkpoints).saved)) {
    engine->counts.skipped += depth;
    engine->counts.restores++;
    if (depth == shared && engine->returns_known && !engine->all_checkpoints &&
        !engine->returns_known(engine->chooser, depth))
      eo__checkpoints_drop(engine, depth - 1); /* it has served */
    return depth;
  }
  eo__checkpoints_drop(engine, 0);
  return 0;
}
