/* walk.c: an execution under a delaying explorer. See explorer.h. */
#include <stdio.h>
#include <string.h>

#include "core/program.h"
#include "explorers/explorer.h"

void eo__walk_init(eo_walk *walk, const eo_explorer *explorer, eo_view view, uint64_t seed) {
  memset(walk, 0, sizeof *walk);
  walk->explorer = explorer;
  walk->view = view;
  walk->seed = seed;
}

void eo__walk_release(eo_walk *walk) {
  eo_vec_release(&walk->state);
  eo_vec_release(&walk->processes);
  eo_vec_release(&walk->places);
  eo_vec_release(&walk->choices);
  eo_vec_release(&walk->path);
  eo_vec_release(&walk->kept);
  eo_vec_release(&walk->tried);
  eo_vec_release(&walk->way);
  eo_vec_release(&walk->target);
}

/* ---- The state of the explorer ---------------------------------------------------------------------------------- */

static size_t words_for(const eo_explorer *explorer, uint32_t processes) {
  return (explorer->size(processes) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

/* Room for one process more, zeroed. */
static bool grow(eo_walk *walk) {
  size_t words = words_for(walk->explorer, (uint32_t)walk->processes.count), had = walk->state.count;
  if (words <= had) return true;
  if (!eo_vec_reserve(&walk->state, words - had)) return false;
  memset(walk->state.items + had, 0, (words - had) * sizeof(uint64_t));
  walk->state.count = words;
  return true;
}

/* Its number for explorers; EO_STEP_NOBODY: there is none in this execution. */
static uint32_t place_of(const eo_walk *walk, uint32_t number) {
  if (number >= walk->places.count) return EO_STEP_NOBODY;
  uint32_t place = walk->places.items[number];
  return place < walk->processes.count && walk->processes.items[place] == number ? place : EO_STEP_NOBODY;
}

static void tell(eo_walk *walk, eo_step_kind kind, uint32_t process, uint32_t other, int what) {
  eo_explorer_step step = {kind, process, other, what};
  walk->explorer->step(walk->state.items, &step);
}

static bool tell_start(eo_walk *walk, uint32_t creator, uint32_t number) {
  while (walk->places.count <= number)
    if (!eo_vec_push(&walk->places, 0)) return false;
  walk->places.items[number] = (uint32_t)walk->processes.count;
  if (!eo_vec_push(&walk->processes, number) || !grow(walk)) return false;
  tell(walk, EO_STEP_START, place_of(walk, creator), (uint32_t)walk->processes.count - 1, 0);
  return true;
}

/* Some subjects have processes that no step creates: they start when they are first seen. */
static bool know(eo_walk *walk, uint32_t number) {
  return place_of(walk, number) != EO_STEP_NOBODY || tell_start(walk, number, number);
}

static void tell_hints(eo_walk *walk, uint32_t process) {
  const eo_hint_given *hints;
  uint32_t count = walk->view.of ? walk->view.processes->hints(walk->view.of, &hints) : 0;
  for (uint32_t i = 0; i < count; i++)
    tell(walk, EO_STEP_HINT, process,
         hints[i].process == EO_NO_PROCESS ? EO_STEP_NOBODY : place_of(walk, hints[i].process), hints[i].what);
}

/* The subject has been reset. The first process is the one that everything begins with: number 0, or those the subject
 * names. */
static bool start(eo_walk *walk) {
  eo_vec_clear(&walk->way);
  eo_vec_clear(&walk->path);
  eo_vec_clear(&walk->kept);
  eo_vec_clear(&walk->processes);
  eo_vec_clear(&walk->state);
  if (!grow(walk)) return false;
  walk->explorer->init(walk->state.items, walk->seed);
  const uint32_t only = 0, *first = &only;
  uint32_t count = walk->view.of ? walk->view.processes->first(walk->view.of, &first) : 1;
  for (uint32_t i = 0; i < count; i++)
    if (!tell_start(walk, first[0], first[i])) return false;
  tell_hints(walk, 0);
  return true;
}

bool eo__walk_draws(eo_walk *walk, bool *draws) {
  size_t words = words_for(walk->explorer, 0);
  eo_vec_clear(&walk->tried);
  if (!eo_vec_reserve(&walk->tried, 2 * words + 1)) return false;
  memset(walk->tried.items, 0, 2 * words * sizeof(uint64_t));
  walk->explorer->init(walk->tried.items, 1);
  walk->explorer->init(walk->tried.items + words, 2);
  *draws = memcmp(walk->tried.items, walk->tried.items + words, words * sizeof(uint64_t)) != 0;
  return true;
}

/* The messages that an exit sends to those that watch the process. */
static void tell_sent(eo_walk *walk, const eo_event *event, uint32_t process) {
  const eo_view *view = &walk->view;
  if (!view->relations || !view->relations->plain_too) return;
  eo_sent sent = {0};
  for (uint32_t i = 0; i < event->sent; i++) {
    sent = i ? eo_next_sent(view, &sent) : view->relations->sent(view->of, event->message);
    tell(walk, EO_STEP_SEND, process, place_of(walk, sent.to), 0);
  }
}

bool eo__walk_observe(eo_walk *walk, const eo_event *event) {
  if (!know(walk, event->process)) return false;
  uint32_t process = place_of(walk, event->process);
  uint32_t other = event->other == EO_NO_PROCESS ? EO_STEP_NOBODY : place_of(walk, event->other);
  switch (event->op) {
    case EO_OP_SPAWN:
      if (event->other == EO_NO_PROCESS) /* it failed */
        tell(walk, EO_STEP_OTHER, process, other, 0);
      else if (!tell_start(walk, event->process, event->other))
        return false;
      break;
    case EO_OP_SEND:
      if (other == EO_STEP_NOBODY) /* to a name that nobody has */
        tell(walk, EO_STEP_OTHER, process, other, 0);
      else
        tell(walk, EO_STEP_SEND, process, other, 0);
      break;
    case EO_OP_RECEIVE:
      tell(walk, event->flags & EO_EVENT_TIMEOUT ? EO_STEP_OTHER : EO_STEP_RECEIVE, process, other, 0);
      break;
    case EO_OP_EXIT:
      tell_sent(walk, event, process);
      tell(walk, EO_STEP_FINISH, process, EO_STEP_NOBODY, 0);
      return true;
    default: tell(walk, EO_STEP_OTHER, process, other, 0);
  }
  tell_hints(walk, process);
  return true;
}

/* ---- Branches ----------------------------------------------------------------------------------------------------- */

static uint64_t *arrived(eo_walk *walk, const eo_branch *branch) { return walk->kept.items + branch->at; }
static uint64_t *delayed(eo_walk *walk, const eo_branch *branch) { return arrived(walk, branch) + branch->size; }
static uint64_t *given(eo_walk *walk, const eo_branch *branch) { return delayed(walk, branch) + branch->size; }

/* Marks a choice as given. False: it was before. */
static bool mark(uint64_t *bits, uint32_t index) {
  uint64_t bit = (uint64_t)1 << (index & 63);
  if (bits[index >> 6] & bit) return false;
  bits[index >> 6] |= bit;
  return true;
}

static bool list_choices(eo_walk *walk, const eo_point *point) {
  eo_vec_clear(&walk->choices);
  if (!eo_vec_reserve(&walk->choices, point->count)) return false;
  for (uint32_t i = 0; i < point->count; i++) {
    uint32_t process = point->choices[i].process;
    if (!know(walk, process)) return false;
    walk->choices.items[i] = (eo_explorer_choice){place_of(walk, process), point->choices[i].value};
  }
  return true;
}

/* Not sound. */
static uint32_t blame(eo_walk *walk, const eo_point *point, const char *how) {
  snprintf(walk->trouble, sizeof walk->trouble,
           "explorer '%.64s' is not sound: at step %u, where there are %u choices, %s", walk->explorer->name,
           point->depth + 1, point->count, how);
  return EO_PRUNE;
}

static const char twice[] =
    "a delay returns a choice again before every choice was returned once (`delay` must go on to another choice)";
static const char outside[] = "`next` returns an index that is not below the number of choices";

/* Do as many delays as there are choices give each of them once, and then the first again? */
static bool try_all(eo_walk *walk, const eo_point *point, uint32_t first) {
  size_t words = walk->state.count, bits = (point->count + 63) / 64;
  eo_vec_clear(&walk->tried);
  if (!eo_vec_reserve(&walk->tried, words + bits)) return false;
  uint64_t *state = walk->tried.items, *seen = state + words;
  memcpy(state, walk->state.items, words * sizeof(uint64_t));
  memset(seen, 0, bits * sizeof(uint64_t));
  mark(seen, first);
  for (uint32_t i = 1; i <= point->count; i++) {
    walk->explorer->delay(state, walk->choices.items, point->count);
    uint32_t index = walk->explorer->next(state, walk->choices.items, point->count);
    if (index >= point->count) return blame(walk, point, outside), false;
    if (i < point->count && !mark(seen, index)) return blame(walk, point, twice), false;
    if (i == point->count && index != first)
      return blame(walk, point, "after as many delays `next` does not return the first choice again"), false;
  }
  return true;
}

/* A point that the path has not come to before: a new branch. The index of what the explorer would do. */
static uint32_t arrive(eo_walk *walk, const eo_point *point) {
  size_t words = walk->state.count, bits = (point->count + 63) / 64;
  if (!eo_vec_reserve(&walk->kept, 2 * words + bits) || !eo_vec_reserve(&walk->path, 1)) return EO_PRUNE;
  uint32_t index = walk->explorer->next(walk->state.items, walk->choices.items, point->count);
  if (index >= point->count) return blame(walk, point, outside);
  uint64_t arrival = walk->arrivals++;
  if ((arrival < EO_CHECKED_FIRST || arrival % EO_CHECKED_EVERY == 0) && !try_all(walk, point, index)) return EO_PRUNE;
  uint32_t total = eo__walk_total(walk);
  eo_branch *branch = &walk->path.items[walk->path.count++];
  *branch = (eo_branch){.depth = point->depth,
                        .count = point->count,
                        .total = total,
                        .processes = (uint32_t)walk->processes.count,
                        .size = (uint32_t)words,
                        .at = walk->kept.count};
  walk->kept.count += 2 * words + bits;
  memcpy(arrived(walk, branch), walk->state.items, words * sizeof(uint64_t));
  memset(given(walk, branch), 0, bits * sizeof(uint64_t));
  mark(given(walk, branch), index);
  return index;
}

/* At the last branch: what the explorer would do as it stands. */
static uint32_t again(eo_walk *walk, const eo_point *point) {
  uint32_t index = walk->explorer->next(walk->state.items, walk->choices.items, point->count);
  if (index >= point->count) return blame(walk, point, outside);
  mark(given(walk, &eo_vec_last(&walk->path)), index);
  return index;
}

/* At the last branch: after one more delay. */
static uint32_t delay(eo_walk *walk, const eo_point *point) {
  uint32_t last = (uint32_t)walk->path.count - 1;
  eo_branch *branch = &walk->path.items[last];
  walk->explorer->delay(walk->state.items, walk->choices.items, point->count);
  uint32_t index = walk->explorer->next(walk->state.items, walk->choices.items, point->count);
  if (index >= point->count) return blame(walk, point, outside);
  if (!mark(given(walk, branch), index)) return blame(walk, point, twice);
  branch->delays++;
  branch->total++;
  memcpy(delayed(walk, branch), walk->state.items, branch->size * sizeof(uint64_t));
  if (walk->way.count && eo_vec_last(&walk->way).branch == last)
    eo_vec_last(&walk->way).delays++;
  else if (!eo_vec_push(&walk->way, ((eo_way_point){last, 1})))
    return EO_PRUNE;
  return index;
}

/* ---- Executions --------------------------------------------------------------------------------------------------- */

void eo__walk_leave(eo_walk *walk) {
  size_t last = walk->path.count - 1;
  if (walk->way.count && eo_vec_last(&walk->way).branch == last) walk->way.count--;
  walk->path.count--;
}

void eo__walk_delay(eo_walk *walk) { walk->back = walk->more = true; }

void eo__walk_follow(eo_walk *walk) {
  const eo_way *way = &walk->way, *target = &walk->target;
  size_t same = 0;
  while (same < way->count && same + 1 < target->count && way->items[same].branch == target->items[same].branch &&
         way->items[same].delays == target->items[same].delays)
    same++;
  size_t parting = target->items[same].branch;
  if (same < way->count && way->items[same].branch < parting) parting = way->items[same].branch;
  if (walk->path.count && parting >= walk->path.count) parting = walk->path.count - 1;
  while (walk->path.count > parting + 1) eo__walk_leave(walk);
  walk->following = true;
  walk->followed = 0;
  walk->back = walk->path.count > 0;
  walk->more = false;
}

void eo__walk_forget(eo_walk *walk) {
  eo_vec_clear(&walk->path);
  eo_vec_clear(&walk->way);
}

uint32_t eo__walk_begin(eo_walk *walk) {
  if (!walk->back) return 0;
  size_t last = walk->path.count - 1;
  eo_branch *branch = &walk->path.items[last];
  size_t bits = (branch->count + 63) / 64;
  walk->kept.count = branch->at + 2 * branch->size + bits;
  walk->processes.count = branch->processes;
  walk->state.count = branch->size;
  if (!walk->more) { /* as on arrival */
    if (branch->delays) walk->way.count--;
    branch->total -= branch->delays;
    branch->delays = 0;
    memset(given(walk, branch), 0, bits * sizeof(uint64_t));
  }
  walk->followed = walk->way.count;
  memcpy(walk->state.items, branch->delays ? delayed(walk, branch) : arrived(walk, branch),
         branch->size * sizeof(uint64_t));
  return branch->depth;
}

static uint64_t mix(uint64_t name, eo_way_point point) {
  uint64_t word = name + ((uint64_t)point.branch << 32 | point.delays);
  return eo_explorer_random(&word);
}

uint64_t eo__walk_name(const eo_walk *walk) {
  const eo_way *way = walk->back && walk->more ? &walk->way : &walk->target;
  bool all = way == &walk->target;
  uint64_t name = 0;
  if (!walk->back && !walk->following) return 1;
  eo_way_point last = {0};
  for (size_t i = 0; i < way->count; i++) {
    last = way->items[i];
    if (all || i + 1 < way->count) name = mix(name, last);
  }
  if (!all) { /* one more delay at the last branch */
    uint32_t branch = (uint32_t)walk->path.count - 1;
    bool here = way->count && last.branch == branch;
    if (way->count && !here) name = mix(name, last);
    name = mix(name, (eo_way_point){branch, here ? last.delays + 1 : 1});
  }
  return name | 1;
}

/* Makes the delays that the target wants at the last branch, or as many as there are. */
static uint32_t follow(eo_walk *walk, const eo_point *point, uint32_t index) {
  uint32_t last = (uint32_t)walk->path.count - 1;
  if (walk->target.count == walk->followed || walk->target.items[walk->followed].branch != last) return index;
  eo_way_point wanted = walk->target.items[walk->followed++];
  for (uint32_t i = 0; i < wanted.delays && i + 1 < point->count && index != EO_PRUNE; i++) index = delay(walk, point);
  if (walk->followed == walk->target.count) walk->following = false;
  return index;
}

uint32_t eo__walk_more(eo_walk *walk, const eo_point *point) { return delay(walk, point); }

uint32_t eo__walk_choose(eo_walk *walk, const eo_point *point, bool *failed) {
  bool back = walk->back;
  walk->back = false;
  *failed = true;
  if (!back && point->depth == 0 && !start(walk)) return EO_PRUNE;
  if (point->count == 1 && !back) return 0;
  if (!list_choices(walk, point)) return EO_PRUNE;
  uint32_t index;
  if (!back) {
    index = arrive(walk, point);
  } else if (eo_vec_last(&walk->path).count != point->count) { /* not deterministic: the engine says so */
    *failed = false;
    return EO_PRUNE;
  } else {
    index = walk->more ? delay(walk, point) : again(walk, point);
  }
  return walk->following && index != EO_PRUNE ? follow(walk, point, index) : index;
}

bool eo__walk_take(eo_walk *walk, const eo_point *point, uint32_t index, uint32_t *made) {
  bool failed;
  uint32_t now = eo__walk_choose(walk, point, &failed);
  for (*made = 0; now != EO_PRUNE && now != index; ++*made) now = delay(walk, point);
  return now != EO_PRUNE;
}

void eo__walk_end(eo_walk *walk, uint32_t depth) {
  while (walk->path.count && eo_vec_last(&walk->path).depth >= depth) eo__walk_leave(walk);
  walk->back = walk->following = false;
}
