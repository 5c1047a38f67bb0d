/* save.c: the whole state of an execution, kept and brought back: pool, world and process structs are copied; captured
 * memory is brought back by what is noted after the save (undo.c) or, where that is not enough, in whole pages. */
#include <string.h>

#include "subjects/actor/inside.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/saving.h"
#include "subjects/actor/sharing.h"

/* A process as it was. `copy` is in the log: a save makes a copy only if it finds none that is still right, so that one
 * may belong to several saved states. */
typedef struct eo_saved_process {
  eo_process *process;
  const eo_process *copy; /* NULL: it had ended, and had no bonds */
} eo_saved_process;

/* In the log (undo.c). Behind it: the list `live`, the copies of processes that this save made, the pool. */
typedef struct eo_saved {
  eo_world world;
  eo_pages *pages; /* NULL: what was noted since is enough */
  eo_undo undo;    /* as the save left it */
  size_t shared;   /* ranges declared by eo_shared */
  size_t live;
  const char *pool;
  eo_saved_process list[];
} eo_saved;

void eo__actor_forget(eo_subject *subject, void *what) {
  const eo_saved *saved = what;
  eo_actor *actor = eo__actor_of(subject);
  if (saved->pages) eo__capture_forget(actor->capture, saved->pages);
  eo__undo_forgot(actor);
}

/* Are there changes of processes that nobody notes? Where receives choose, and for descriptions, predicates and the like
 * are run at any time. */
static bool changes_unnoted(const eo_actor *actor) { return actor->world.taking || actor->describing; }

/* Nothing of a process that has ended changes any more, but for its bonds with others. */
static bool can_change(const eo_process *process) { return process->state == EO_ALIVE || process->citizen.first; }

static size_t room_needed(eo_actor *actor) {
  bool unnoted = changes_unnoted(actor);
  size_t copies = 0;
  for (size_t i = 0; i < actor->live.count; i++) {
    eo_process *process = actor->live.items[i];
    if (unnoted) process->kept = NULL;
    copies += can_change(process) && !process->kept;
  }
  return sizeof(eo_saved) + actor->live.count * sizeof(eo_saved_process) + copies * sizeof(eo_process) +
         actor->world.pool_used;
}

enum { ALWAYS = offsetof(eo_process, exit_op) };

/* In pieces of known size, which become plain moves: a copy of so many bytes is otherwise a loop, or a call. */
static inline void copy_part(void *to, const void *from, size_t begin, size_t end) {
  enum { PIECE = 64 };
  for (; begin + PIECE <= end; begin += PIECE) memcpy((char *)to + begin, (const char *)from + begin, PIECE);
  for (; begin + PIECE / 2 <= end; begin += PIECE / 2)
    memcpy((char *)to + begin, (const char *)from + begin, PIECE / 2);
  for (; begin < end; begin += sizeof(uint64_t))
    memcpy((char *)to + begin, (const char *)from + begin, sizeof(uint64_t));
}
_Static_assert(ALWAYS % sizeof(uint64_t) == 0 && sizeof(eo_process) % sizeof(uint64_t) == 0, "whole words");

/* To or from a saved state. What stands at the end of the struct counts only for a process that is doomed, or whose
 * operation has a name. */
static inline void copy_process(eo_process *to, const eo_process *from, const eo_process *self) {
  bool all = from->state == EO_ALIVE && (from->pending == &self->exit_op || from->pending->name);
  copy_part(to, from, 0, ALWAYS);
  if (__builtin_expect(all, 0)) copy_part(to, from, ALWAYS, sizeof *to);
}

/* Whoever changes a process's struct sets `kept` to NULL. In sanitized builds it is looked whether that was forgotten. */
static void check_kept(const eo_process *process) {
#ifdef __SANITIZE_ADDRESS__
  eo_process now;
  copy_part(&now, process, 0, ALWAYS);
  now.kept = process->kept->kept;
  EO_CHECK(memcmp(&now, process->kept, ALWAYS) == 0);
#else
  (void)process;
#endif
}

void *eo__actor_save(eo_subject *subject) {
  eo_actor *actor = eo__actor_of(subject);
  /* Who wrote which global is not saved: an execution that goes on from here could miss hidden sharing. */
  if (eo__sharing_possible(actor) || actor->uncaptured || actor->changed) return NULL;
  eo_pages *pages = NULL;
  if (!eo__undo_enough(actor)) {
    actor->world.addresses_out = true; /* perhaps through a global that will be back at its baseline */
    pages = eo__capture_save(actor->capture);
    if (!pages) return NULL;
  }
  if (actor->options.fingerprints) eo__actor_print(actor);
  eo_saved *saved = eo__undo_room(actor, room_needed(actor));
  if (!saved) {
    if (pages) eo__capture_forget(actor->capture, pages);
    return NULL;
  }
  saved->world = actor->world;
  saved->pages = pages;
  (void)eo__shared_ranges(&saved->shared);
  saved->live = actor->live.count;
  eo_process *room = (eo_process *)&saved->list[saved->live];
  for (size_t i = 0; i < saved->live; i++) {
    eo_process *process = actor->live.items[i];
    bool changes = can_change(process);
    if (changes && !process->kept) {
      copy_process(room, process, process);
      process->kept = room++;
    } else if (changes) {
      check_kept(process);
    }
    saved->list[i] = (eo_saved_process){process, changes ? process->kept : NULL};
  }
  saved->pool = (const char *)room;
  memcpy(room, actor->pool, actor->world.pool_used);
  eo__undo_saved(actor, !pages);
  saved->undo = actor->undo;
  return saved;
}

/* The list only grows: if it is no longer than it was, it is the same. What had ended then has ended now. */
static void restore_processes(eo_actor *actor, const eo_saved *saved) {
  bool unnoted = changes_unnoted(actor), same = actor->live.count == saved->live;
  for (size_t i = 0; !same && i < actor->live.count; i++) actor->live.items[i]->state = EO_UNBORN;
  actor->live.count = saved->live; /* it has been at least as long since the save: same run, same capacity */
  for (size_t i = 0; i < saved->live; i++) {
    eo_process *process = saved->list[i].process;
    const eo_process *copy = saved->list[i].copy;
    if (!same) {
      actor->live.items[i] = process;
      process->state = copy ? copy->state : EO_ENDED;
    }
    if (copy && process->kept == copy && !unnoted) check_kept(process);
    if (!copy || (process->kept == copy && !unnoted)) continue;
    copy_process(process, copy, process);
    process->kept = unnoted ? NULL : copy;
  }
  memcpy(actor->pool, saved->pool, saved->world.pool_used);
}

bool eo__actor_restore(eo_subject *subject, void *what) {
  eo_actor *actor = eo__actor_of(subject);
  const eo_saved *saved = what;
  if (!saved->pages && actor->undo.spoiled) return false;
  eo__shared_keep(saved->shared);
  eo__outside_reset(actor);
  eo__watch_reset(actor->watch);
  const struct eo_note *oldest = NULL;
  if (saved->pages)
    eo__capture_restore(actor->capture, saved->pages);
  else
    oldest = eo__undo_notes(actor, saved->undo.notes);
  eo__undo_cut(actor, &saved->undo);
  restore_processes(actor, saved);
  eo__undo_keep(actor, oldest);
  actor->world = saved->world;
  actor->printed = false;
  actor->failed = actor->wild = false;
  actor->asked.what = EO_ASKED_NOTHING;
  eo_vec_clear(&actor->hints);
  return true;
}

uint32_t eo__actor_cost(eo_subject *subject) {
  /* Measured by bench/checkpoint: a page costs about as much as two steps, everything else about four; noted, far less. */
  const eo_actor *actor = eo__actor_of(subject);
  enum {
    NEAR = 256 << 10,
    FAR_STEP = 1 << 10
  }; /* bytes that the caches hold; of the rest, what costs as much as a step */
  size_t typical = actor->undo.typical;
  if (eo__undo_enough(actor)) {
    uint32_t cost = 1 + (uint32_t)(typical / (4 * EO_PAGE));
    return __builtin_expect(typical > NEAR, 0) ? cost + (uint32_t)((typical - NEAR) / FAR_STEP) : cost;
  }
  return 4 + 2 * (uint32_t)(eo__capture_hot(actor->capture) + actor->world.pool_used / EO_PAGE);
}
