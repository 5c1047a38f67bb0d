/* lasso.c: liveness. A specification that is in a hot state waits for something that must still happen. It never does if
 * the execution ends like that, or if it can go round in a circle for ever: if a step leads to a state in which the
 * execution was before, with the specification hot all the while, and the circle is fair (weakly: who can go on in all of
 * its states takes a step in it).
 *
 * While a specification is hot, the states passed are kept: their fingerprints, whose step led there, who could go on.
 * The path only grows in an execution, and how long it is stands in eo_world: so it goes back with the execution. Nothing
 * of this is done while none is hot. Where states hold what happened before what (eo_world.clocked), none comes twice, and
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

static bool can_go_on(const eo_actor *actor, const eo_passed *passed, uint32_t process) {
  for (uint32_t i = 0; i < passed->count; i++)
    if (actor->path_enabled.items[passed->first + i] == process) return true;
  return false;
}

/* Does the process take a step on the way from state `from` back to it, whose last step is `last`'s? */
static bool moves(const eo_actor *actor, uint32_t from, uint32_t last, uint32_t process) {
  for (uint32_t i = from + 1; i < actor->world.path; i++)
    if (actor->path.items[i].taken == process) return true;
  return last == process;
}

static bool is_fair(const eo_actor *actor, uint32_t from, uint32_t last) {
  const eo_passed *first = &actor->path.items[from];
  for (uint32_t i = 0; i < first->count; i++) {
    uint32_t process = actor->path_enabled.items[first->first + i], at = from + 1;
    while (at < actor->world.path && can_go_on(actor, &actor->path.items[at], process)) at++;
    if (at == actor->world.path && !moves(actor, from, last, process)) return false;
  }
  return true;
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

static void look_back(eo_actor *actor, const uint64_t hash[2], uint32_t last) {
  size_t count;
  eo_process **specifications = eo__specifications(actor, &count);
  uint32_t first = UINT32_MAX;
  for (size_t i = 0; i < count; i++)
    if (specifications[i]->hot_since && specifications[i]->hot_since - 1 < first)
      first = specifications[i]->hot_since - 1;
  for (uint32_t at = actor->world.path; at > first; at--) { /* the shortest circle first */
    if (actor->path_hashes.items[at - 1] != hash[0] || actor->path.items[at - 1].hash != hash[1]) continue;
    if (!is_fair(actor, at - 1, last)) continue;
    for (size_t i = 0; i < count && !actor->failed; i++)
      if (specifications[i]->hot_since && specifications[i]->hot_since <= at) fail(actor, specifications[i], at - 1);
    return;
  }
}

static void keep(eo_actor *actor, const uint64_t hash[2], uint32_t taken) {
  eo_world *world = &actor->world;
  actor->path.count = actor->path_hashes.count = world->path;
  actor->path_enabled.count = world->path_enabled;
  for (size_t i = 0; i < actor->live.count; i++)
    if (actor->live.items[i]->choices) EO_CHECK(eo_vec_push(&actor->path_enabled, actor->live.items[i]->number));
  EO_CHECK(eo_vec_push(&actor->path_hashes, hash[0]));
  EO_CHECK(
      eo_vec_push(&actor->path, ((eo_passed){.hash = hash[1],
                                             .taken = taken,
                                             .first = world->path_enabled,
                                             .count = (uint32_t)actor->path_enabled.count - world->path_enabled})));
  world->path_enabled = (uint32_t)actor->path_enabled.count;
  world->path++;
}

void eo__lasso_look(eo_actor *actor, const eo_event *event) {
  if (actor->world.clocked) return;
  uint64_t hash[2];
  eo__actor_fingerprint(&actor->base, hash);
  look_back(actor, hash, event->process);
  if (!actor->failed) keep(actor, hash, event->process);
}
