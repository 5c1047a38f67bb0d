/* save.c: the whole state of an execution, kept and brought back: pool, world and process structs are copied; captured
 * memory is brought back by what is noted after the save (undo.c) or, where that is not enough, in whole pages. And its
 * fingerprint, which is of what the state means: the pool's layout depends on history, so messages, bonds and names
 * are hashed by their contents. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "subjects/actor/inside.h"

/* In the log (undo.c). Behind it: the list `live`, the structs of those that are alive, the pool. */
typedef struct eo_saved {
  eo_world world;
  eo_pages *pages; /* NULL: what was noted since is enough */
  eo_undo undo;    /* as the save left it */
  size_t live;
  eo_process *list[];
} eo_saved;

static void trim_stacks(eo_actor *actor) {
  for (size_t i = 0; i < actor->live.count; i++) {
    eo_process *process = actor->live.items[i];
    if (process->state != EO_ALIVE) continue;
    eo__undo_before(actor, process);
    eo_capture_trim(actor->capture, process->slot, process->fiber.sp);
  }
}

void eo__actor_forget(eo_subject *subject, void *what) {
  const eo_saved *saved = what;
  eo_actor *actor = eo__actor_of(subject);
  if (saved->pages) eo_capture_forget(actor->capture, saved->pages);
  eo__undo_forgot(actor);
}

static size_t room_needed(const eo_actor *actor) {
  return sizeof(eo_saved) + actor->live.count * sizeof(eo_process *) + actor->world.alive * sizeof(eo_process) +
         actor->world.pool_used;
}

void *eo__actor_save(eo_subject *subject) {
  eo_actor *actor = eo__actor_of(subject);
  /* Who wrote which global is not saved: an execution that goes on from here could miss hidden sharing. */
  if (eo__sharing_possible(actor) || actor->uncaptured) return NULL;
  eo_pages *pages = NULL;
  if (!eo__undo_enough(actor)) {
    actor->world.addresses_out = true; /* perhaps through a global that will be back at its baseline */
    pages = eo_capture_save(actor->capture);
    if (!pages) return NULL;
  }
  eo_saved *saved = eo__undo_room(actor, room_needed(actor));
  if (!saved) {
    if (pages) eo_capture_forget(actor->capture, pages);
    return NULL;
  }
  saved->world = actor->world;
  saved->pages = pages;
  saved->live = actor->live.count;
  eo_process *process = (eo_process *)&saved->list[saved->live];
  for (size_t i = 0; i < saved->live; i++) {
    saved->list[i] = actor->live.items[i];
    if (saved->list[i]->state == EO_ALIVE) *process++ = *saved->list[i];
  }
  memcpy(process, actor->pool, actor->world.pool_used);
  eo__undo_saved(actor, !pages);
  saved->undo = actor->undo;
  return saved;
}

/* What had ended then has ended now. */
static void restore_processes(eo_actor *actor, const eo_saved *saved) {
  const eo_process *process = (const eo_process *)&saved->list[saved->live], *end = process + saved->world.alive;
  for (size_t i = 0; i < actor->live.count; i++) actor->live.items[i]->state = EO_UNBORN;
  for (size_t i = 0; i < saved->live; i++) saved->list[i]->state = EO_ENDED;
  actor->live.count = saved->live; /* it has been at least as long since the save: same run, same capacity */
  memcpy(actor->live.items, saved->list, saved->live * sizeof *saved->list);
  for (; process < end; process++) *actor->by_number.items[process->number] = *process;
  memcpy(actor->pool, process, saved->world.pool_used);
}

bool eo__actor_restore(eo_subject *subject, void *what) {
  eo_actor *actor = eo__actor_of(subject);
  const eo_saved *saved = what;
  if (!saved->pages && actor->undo.spoiled) return false;
  eo_watch_reset(actor->watch);
  if (saved->pages)
    eo_capture_restore(actor->capture, saved->pages);
  else
    eo__undo_notes(actor, saved->undo.notes);
  eo__undo_cut(actor, &saved->undo);
  restore_processes(actor, saved);
  actor->world = saved->world;
  actor->failed = false;
  actor->asked.what = EO_ASKED_NOTHING;
  eo_vec_clear(&actor->hints);
  return true;
}

uint32_t eo__actor_cost(eo_subject *subject) {
  /* Measured by bench/checkpoint: a page costs about as much as two steps, everything else about four; noted, far less. */
  const eo_actor *actor = eo__actor_of(subject);
  if (eo__undo_enough(actor)) return 1 + (uint32_t)(actor->undo.typical / (2 * EO_PAGE));
  return 4 + 2 * (uint32_t)(eo_capture_hot(actor->capture) + actor->world.pool_used / EO_PAGE);
}

/* ---- Fingerprint ------------------------------------------------------------------------------------------------ */

/* Which messages a process or message comes after decides what can be taken first. */
static void hash_clock(XXH3_state_t *state, const eo_clock *clock, const eo_sender *own) {
  for (uint32_t i = 0; clock && i < clock->count; i++) {
    uint32_t words[2] = {i, clock->of[i]};
    if (words[1] && i != own->from) XXH3_128bits_update(state, words, sizeof words);
  }
  XXH3_128bits_update(state, own, sizeof *own);
}

/* In the order of the list: that of arrival, or where receives choose, that of the senders. */
static void hash_in_order(XXH3_state_t *state, const eo_actor *actor, const eo_process *process) {
  for (const eo_mail *mail = process->mailbox; mail; mail = mail->next) {
    uint64_t head[4] = {mail->from, (uint64_t)(int64_t)mail->tag, mail->size, mail->time};
    XXH3_128bits_update(state, head, sizeof head);
    XXH3_128bits_update(state, mail->bytes, mail->size);
    if (actor->world.clocked) hash_clock(state, mail->clock, &actor->senders.items[mail->number - 1]);
  }
}

/* A sum: no order means anything. */
static void hash_as_set(XXH3_state_t *state, const eo_process *process) {
  uint64_t sum[3] = {0};
  for (const eo_mail *mail = process->mailbox; mail; mail = mail->next) {
    uint64_t head[4] = {mail->from, (uint64_t)(int64_t)mail->tag, mail->size, mail->time};
    XXH128_hash_t hash = XXH3_128bits_withSeed(mail->bytes, mail->size, XXH3_64bits(head, sizeof head));
    sum[0] += hash.low64;
    sum[1] += hash.high64;
    sum[2]++;
  }
  XXH3_128bits_update(state, sum, sizeof sum);
}

static void hash_process(XXH3_state_t *state, const eo_actor *actor, const eo_process *process) {
  bool doomed = process->pending == &process->exit_op;
  uint64_t head[8] = {process->number,
                      process->state,
                      process->children,
                      process->refs,
                      process->traps,
                      process->state == EO_ALIVE ? process->now : 0,
                      doomed,
                      doomed ? (uint64_t)(int64_t)process->exit_op.reason : (uint64_t)(uintptr_t)process->pending};
  if (process->state == EO_ENDED) head[2] = head[3] = head[4] = head[6] = head[7] = 0;
  XXH3_128bits_update(state, head, sizeof head);
  if (process->state != EO_ALIVE) return;
  if (actor->world.clocked) hash_clock(state, process->clock, &(eo_sender){process->number, process->sent});
  if (actor->options.delivery == EO_DELIVERY_ASYNC)
    hash_as_set(state, process);
  else
    hash_in_order(state, actor, process);
}

static int by_name(const void *a, const void *b) {
  return strcmp((*(eo_name *const *)a)->text, (*(eo_name *const *)b)->text);
}

static void hash_names(XXH3_state_t *state, const eo_world *world) {
  EO_VEC(eo_name *) sorted = {0};
  for (eo_name *name = world->names; name; name = name->next) EO_CHECK(eo_vec_push(&sorted, name));
  if (sorted.count) qsort(sorted.items, sorted.count, sizeof *sorted.items, by_name);
  for (size_t i = 0; i < sorted.count; i++) {
    XXH3_128bits_update(state, sorted.items[i]->text, strlen(sorted.items[i]->text) + 1);
    XXH3_128bits_update(state, &sorted.items[i]->process->number, sizeof(uint32_t));
  }
  eo_vec_release(&sorted);
}

void eo__actor_fingerprint(eo_subject *subject, uint64_t hash[2]) {
  eo_actor *actor = eo__actor_of(subject);
  trim_stacks(actor);
  XXH3_state_t *state = XXH3_createState();
  EO_CHECK(state);
  XXH3_128bits_reset(state);
  EO_VEC(uint32_t) slots = {0};
  for (size_t i = 0; i < actor->live.count; i++) {
    const eo_process *process = actor->live.items[i];
    hash_process(state, actor, process);
    if (process->state == EO_ALIVE) EO_CHECK(eo_vec_push(&slots, actor->known.items[process->number].slot));
  }
  for (const eo_bond *bond = actor->world.bonds; bond; bond = bond->next) {
    uint64_t words[3] = {bond->a, bond->b, bond->ref};
    if (actor->by_number.items[bond->a]->state == EO_ENDED || actor->by_number.items[bond->b]->state == EO_ENDED)
      continue;
    XXH3_128bits_update(state, words, sizeof words);
  }
  hash_names(state, &actor->world);
  uint64_t memory[2];
  eo_capture_fingerprint(actor->capture, slots.items, slots.count, memory);
  eo_vec_release(&slots);
  XXH3_128bits_update(state, memory, sizeof memory);
  XXH128_hash_t digest = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  hash[0] = digest.low64;
  hash[1] = digest.high64;
}
