/* lasso.c: liveness. A specification that is in a hot state waits for something that must still happen. It never does if
 * the execution ends like that, or if it can go round in a circle for ever: if a step leads to a state in which the
 * execution was before, with the specification hot all the while, and the circle is fair (weakly: who can go on in all of
 * its states takes a step in it).
 *
 * While a specification is hot, the fingerprints of the states passed are kept, and for each process where on this path it
 * took its last step and where it last could not go on. The path only grows in an execution, and how long it is stands in
 * eo_world: so it goes back with the execution. Nothing of this is done while none is hot. Where states hold what happened before what (eo_world.clocked), none comes twice, and
 * nothing is looked for. */
#include <string.h>

#include "base/alloc.h"
#include "core/machine.h"
#include "subjects/actor/inside.h"

void eo__lasso_temper(eo_actor *actor, eo_process *specification) {
  eo_machine_now *now = (eo_machine_now *)(uintptr_t)specification->machine;
  bool hot = now->machine->states[now->state].hot;
  if (specification->hot_since && (now->cooled || !hot)) {
    specification->hot_since = 0;
    actor->world.hot--;
  }
  if (now->cooled) now->cooled = 0; /* it is part of the state */
  if (hot && !specification->hot_since) {
    specification->hot_since = actor->world.path + 1; /* the state after this step */
    actor->world.hot++;
  }
}

static const char *state_of(const eo_process *specification) {
  return eo__state_name(specification->machine->machine, specification->machine->state);
}

bool eo__lasso_end(eo_actor *actor) {
  if (!actor->world.hot) return false;
  size_t count;
  eo_process **specifications = eo__specifications(actor, &count);
  for (size_t i = 0; i < count; i++)
    if (specifications[i]->hot_since)
      eo__actor_fail(actor, EO_KIND_LIVENESS, specifications[i], specifications[i]->pending->place,
                     "specification %s is in the hot state %s at the end",
                     eo__machine_name(specifications[i]->machine->machine), state_of(specifications[i]));
  return true;
}

/* ---- Circles ---------------------------------------------------------------------------------------------------- */

/* A circle that begins at this state of the path, from 1, or at an earlier one, is fair: whoever can go on now has taken a
 * step since, or could not go on in between. 0: none is. */
static uint32_t latest_fair(const eo_actor *actor) {
  uint32_t latest = actor->world.path;
  for (size_t i = 0; i < actor->live.count; i++) {
    const eo_process *process = actor->live.items[i];
    if (process->choices == 0) continue;
    uint32_t moved = process->moved_at ? process->moved_at - 1 : 0; /* the step itself must lie behind the state */
    uint32_t at = moved > process->stuck_at ? moved : process->stuck_at;
    if (at < latest) latest = at;
  }
  return latest;
}

static void fail(eo_actor *actor, const eo_process *specification, uint32_t from) {
  uint32_t length = actor->world.path - from;
  eo__actor_fail(
      actor, EO_KIND_LIVENESS, specification, specification->pending->place,
      "specification %s stays hot for ever: from step %u on, the same %u step%s can be taken again and again, and "
      "its state is then %s",
      eo__machine_name(specification->machine->machine), actor->world.steps - length + 1, length,
      length == 1 ? "" : "s", state_of(specification));
}

static uint32_t *bucket_of(eo_path *path, const uint64_t print[2]) {
  return &path->buckets[print[0] % EO_PATH_BUCKETS];
}

/* Takes off what an execution that went back has left. */
static void cut(eo_path *path, uint32_t length) {
  while (path->passed.count > length) {
    const eo_passed *last = &eo_vec_last(&path->passed);
    *bucket_of(path, last->print) = last->before;
    path->passed.count--;
  }
}

static void look_back(eo_actor *actor, const uint64_t print[2]) {
  eo_path *path = &actor->path;
  uint32_t at = *bucket_of(path, print), fair = 0, first = UINT32_MAX;
  size_t count;
  eo_process **specifications = NULL;
  for (; at; at = path->passed.items[at - 1].before) { /* the shortest circle first */
    if (memcmp(path->passed.items[at - 1].print, print, sizeof path->passed.items->print) != 0) continue;
    if (!specifications) {
      specifications = eo__specifications(actor, &count);
      fair = latest_fair(actor);
      for (size_t i = 0; i < count; i++)
        if (specifications[i]->hot_since && specifications[i]->hot_since < first) first = specifications[i]->hot_since;
    }
    if (at <= fair) break;
  }
  for (size_t i = 0; at && at >= first && i < count; i++)
    if (specifications[i]->hot_since && specifications[i]->hot_since <= at) fail(actor, specifications[i], at - 1);
}

static void keep(eo_actor *actor, const uint64_t print[2]) {
  eo_path *path = &actor->path;
  uint32_t *bucket = bucket_of(path, print);
  EO_CHECK(eo_vec_push(&path->passed, ((eo_passed){{print[0], print[1]}, *bucket})));
  *bucket = ++actor->world.path;
}

void eo__lasso_look(eo_actor *actor, const eo_event *event) {
  if (actor->world.clocked) return;
  uint64_t hash[2];
  eo__actor_fingerprint(&actor->base, hash);
  actor->by_number.items[event->process]->moved_at = actor->world.path + 1;
  cut(&actor->path, actor->world.path);
  look_back(actor, hash);
  if (!actor->failed) keep(actor, hash);
}
