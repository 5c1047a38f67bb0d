/* lasso.c: liveness. A specification that is in a hot state waits for something that must still happen. It never does if
 * the execution ends like that, or if it can go round in a circle for ever: if a step leads to a state in which the
 * execution was before, with the specification hot all the while, and the circle is fair. It is fair to a process that takes
 * a step in it, or cannot go on in one of its states (weak fairness). It is fair to a choice made by eo_choose_fair in one
 * of its states if each value is chosen in that state: whatever is chosen again and again, by a coin, say, has every value
 * again and again.
 *
 * While a specification is hot, the fingerprints of the states passed are kept, and for each process where on this path it
 * took its last step and where it last could not go on. The path only grows in an execution, and how long it is stands in
 * eo_world: so it goes back with the execution. Nothing of this is done while none is hot.
 *
 * Nor is it done where a strategy has receives choose (eo_relations.receives_choose): states then hold what happened before what, and
 * hardly any comes twice. Such strategies leave no execution out that could go on for ever: doc/ARCHITECTURE.md says why.
 *
 * A path is all that is seen here. What strategies that leave out states they know need beside it is core/heat.h's. */
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "core/machine.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/saving.h"
#include "subjects/actor/specifications.h"

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

/* Can nobody go on, but for timeouts that are idle? */
static bool is_idle(const eo_actor *actor) {
  bool able = !actor->options.timeouts_idle;
  for (size_t i = 0; i < actor->live.count && !able; i++) able = actor->live.items[i]->choices != 0;
  return !able;
}

/* A circle that begins at this state of the path, from 1, or at an earlier one, is fair to this process, which can go on now:
 * it has taken a step since, or could not go on in between. 0: none is. */
static uint32_t latest_fair_to(const eo_process *process, uint32_t stuck_at) {
  uint32_t moved = process->moved_at ? process->moved_at - 1 : 0; /* the step itself must lie behind the state */
  return moved > stuck_at ? moved : stuck_at;
}

/* And to all of them. Who can only time out, in a state that is idle, could not go on in the last one that was not. */
static uint32_t latest_fair(eo_actor *actor) {
  uint32_t latest = actor->world.path;
  if (is_idle(actor)) {
    const eo_choice *choices;
    uint32_t count = actor->base.ops->enabled(&actor->base, &choices);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t at = latest_fair_to(actor->by_number.items[choices[i].process], actor->world.busy);
      if (at < latest) latest = at;
    }
    return latest;
  }
  for (size_t i = 0; i < actor->live.count; i++) {
    const eo_process *process = actor->live.items[i];
    uint32_t at = process->choices ? latest_fair_to(process, process->stuck_at) : latest;
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

static bool same_print(const eo_passed *passed, const uint64_t print[2]) {
  return passed->print[0] == print[0] && passed->print[1] == print[1];
}

/* ---- Fair choices ------------------------------------------------------------------------------------------------- */

/* A choice in a state, and how many of its values are missing; or one of its values that was chosen. */
typedef struct eo_drawn {
  uint64_t key; /* 0: none */
  uint32_t missing;
} eo_drawn;

static eo_drawn *drawn_at(eo_path *path, const uint64_t print[2], uint32_t mark) {
  uint64_t words[3] = {print[0], print[1], mark};
  uint64_t key = XXH3_64bits(words, sizeof words) | 1;
  size_t at = key & (path->drawn_room - 1);
  while (path->drawn[at].key && path->drawn[at].key != key) at = (at + 1) & (path->drawn_room - 1);
  if (path->drawn[at].key) return &path->drawn[at];
  path->drawn[at] = (eo_drawn){key, UINT32_MAX};
  return &path->drawn[at];
}

/* This step was taken on the circle. Counts the choices of which a value is missing in *open. */
static void draw(eo_path *path, const eo_passed *from, uint32_t mark, uint32_t values, uint32_t *open) {
  enum { GROUP = 1 << 16 };
  if (!values) return;
  eo_drawn *choice = drawn_at(path, from->print, mark | (GROUP - 1));
  if (choice->missing == UINT32_MAX) {
    choice->missing = values;
    ++*open;
  }
  uint64_t value[2] = {from->print[0] ^ 1, from->print[1]}; /* apart from choices */
  eo_drawn *chosen = drawn_at(path, value, mark);
  if (chosen->missing == 0) return;
  chosen->missing = 0;
  if (--choice->missing == 0) --*open;
}

/* The latest state at which a circle begins that is fair to choices too, not before `first` and not after `last`, which is
 * one that is as the state now; 0: there is none. This looks through the path, so it is not done after every step, but when
 * the path has become a little longer: a circle that is there is then found some steps later. */
static uint32_t latest_drawn(eo_actor *actor, const uint64_t print[2], uint32_t first, uint32_t last) {
  enum { LATER = 32 };
  eo_path *path = &actor->path;
  uint32_t length = actor->world.path, open = 0;
  if (length - actor->world.looked < length / LATER) return 0;
  actor->world.looked = length;
  size_t room = 16;
  while (room < 4 * (size_t)length) room *= 2;
  if (room > path->drawn_room) {
    eo__free(path->drawn);
    path->drawn = eo__alloc(room * sizeof *path->drawn);
    path->drawn_room = path->drawn ? room : 0;
    if (!path->drawn) {
      eo__actor_nomem(actor);
      return 0;
    }
  } else {
    memset(path->drawn, 0, path->drawn_room * sizeof *path->drawn);
  }
  draw(path, &path->passed.items[length - 1], path->heat.mark, path->values, &open);
  for (uint32_t at = length; at >= first; at--) { /* the circle begins at state `at` */
    const eo_passed *here = &path->passed.items[at - 1];
    if (at <= last && open == 0 && same_print(here, print)) return at;
    if (at > 1) draw(path, here - 1, here->mark, here->values, &open);
  }
  return 0;
}

/* ---- A step ------------------------------------------------------------------------------------------------------- */

/* The latest state of the path, at `last` or before, that is as this one, if it is not before `first`; else 0 or one that
 * is. By hashing, and from `last` on, at the same time: who is kept from going on for ever makes the first way long, and
 * the second short. */
static uint32_t latest_same(eo_path *path, const uint64_t print[2], uint32_t first, uint32_t last) {
  uint32_t hashed = *bucket_of(path, print);
  for (;;) {
    if (hashed <= last && (!hashed || same_print(&path->passed.items[hashed - 1], print))) return hashed;
    hashed = path->passed.items[hashed - 1].before;
    if (last < first) return 0;
    if (same_print(&path->passed.items[last - 1], print)) return last;
    last--;
  }
}

static bool on_path(eo_path *path, const uint64_t print[2]) {
  uint32_t at = *bucket_of(path, print);
  while (at && !same_print(&path->passed.items[at - 1], print)) at = path->passed.items[at - 1].before;
  return at != 0;
}

static void look_back(eo_actor *actor, const uint64_t print[2]) {
  eo_path *path = &actor->path;
  uint32_t first = UINT32_MAX;
  size_t count;
  if (!on_path(path, print)) return;
  eo_process **specifications = eo__specifications(actor, &count);
  for (size_t i = 0; i < count; i++)
    if (specifications[i]->hot_since && specifications[i]->hot_since < first) first = specifications[i]->hot_since;
  uint32_t at = latest_same(path, print, first, latest_fair(actor)); /* the shortest circle */
  if (at < first) return;
  if (path->values || actor->world.drawn > at) at = latest_drawn(actor, print, first, at);
  for (size_t i = 0; at && i < count; i++)
    if (specifications[i]->hot_since && specifications[i]->hot_since <= at) fail(actor, specifications[i], at - 1);
}

static void keep(eo_actor *actor, const uint64_t print[2]) {
  eo_path *path = &actor->path;
  uint32_t *bucket = bucket_of(path, print);
  if (!eo_vec_push(&path->passed, ((eo_passed){{print[0], print[1]}, *bucket, path->heat.mark, path->values}))) {
    eo__actor_nomem(actor);
    return;
  }
  *bucket = ++actor->world.path;
  if (!is_idle(actor)) actor->world.busy = actor->world.path;
  if (path->values) actor->world.drawn = actor->world.path;
}

static uint64_t short_print(const uint64_t print[2]) { return print[0] ? print[0] : 1; }

/* Of the step from state `from` of the path to the state now. */
static uint16_t stays(eo_actor *actor, uint32_t from) {
  size_t count;
  uint16_t bits = 0;
  eo_process **specifications = eo__specifications(actor, &count);
  for (size_t i = 0; i < count; i++)
    if (specifications[i]->hot_since && specifications[i]->hot_since <= from) bits |= (uint16_t)(1u << i % 16);
  return bits;
}

void eo__lasso_begin(eo_actor *actor) {
  uint64_t print[2];
  if (actor->receives_choose) return;
  eo__actor_fingerprint(&actor->base, print);
  actor->path.heat = (eo_heat){0};
  actor->path.values = 0;
  cut(&actor->path, 0);
  keep(actor, print);
}

void eo__lasso_before(eo_actor *actor, const eo_process *process, eo_choice choice) {
  eo_path *path = &actor->path;
  const eo_op *op = process->pending;
  if (actor->receives_choose) return;
  cut(path, actor->world.path);
  bool fair = op->kind == EO_OP_CHOOSE && op->flags & EO_OP_FAIR;
  path->values = fair ? op->n : 0;
  path->heat = (eo_heat){.from = short_print(eo_vec_last(&path->passed).print),
                         .mark = eo__actor_mark(&actor->base, choice),
                         .fair = fair};
}

void eo__lasso_after(eo_actor *actor, eo_event *event, bool was_hot) {
  eo_path *path = &actor->path;
  uint64_t print[2];
  if (actor->receives_choose) return;
  event->flags |= EO_EVENT_HOT;
  path->was_hot = was_hot;
  if (!was_hot) path->heat.mark = path->values = 0;
  if (actor->failed || !actor->world.hot) return; /* heat.to is 0 */
  eo__actor_fingerprint(&actor->base, print);
  actor->by_number.items[event->process]->moved_at = actor->world.path + 1;
  cut(path, actor->world.path);
  path->heat.to = short_print(print);
  path->heat.stays = stays(actor, actor->world.path);
  if (was_hot) look_back(actor, print);
  if (!actor->failed) keep(actor, print);
}

const eo_heat *eo__actor_heat(eo_subject *subject) {
  const eo_path *path = &eo__actor_of(subject)->path;
  return path->was_hot ? &path->heat : NULL;
}

/* ---- Marks -------------------------------------------------------------------------------------------------------- */

/* What a message says, and who: of two that agree in that it does not matter which is taken. */
static uint32_t mark_of_mail(const eo_actor *actor, const eo_process *process, uint32_t number) {
  const eo_mail *mail = process->mailbox;
  while (mail && mail->number != number) mail = mail->next;
  if (!mail) return 0; /* it times out */
  uint64_t seed = actor->known.items[mail->from].key + (uint64_t)(int64_t)mail->tag * 31 + mail->time;
  return (uint32_t)(XXH3_64bits_withSeed(mail->bytes, mail->size, seed) % UINT16_MAX + 1);
}

uint32_t eo__actor_mark(eo_subject *subject, eo_choice choice) {
  const eo_actor *actor = eo__actor_of(subject);
  const eo_process *process = actor->by_number.items[choice.process];
  uint32_t value = choice.kind == EO_CHOICE_TAKE ? mark_of_mail(actor, process, choice.value) : choice.value;
  return process->at >= UINT16_MAX || value > UINT16_MAX ? EO_NO_MARK : process->at << 16 | value;
}
