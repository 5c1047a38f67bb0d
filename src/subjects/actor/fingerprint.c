/* fingerprint.c: 128 bits that stand for what a state means. Equal states have equal fingerprints, whatever order led to
 * them and in whichever worker: the layout of the pool and the numbers of processes depend on that order, so messages,
 * bonds and names are hashed by their contents, and processes by what their logical ids are.
 *
 * A process is hashed by itself, and its hash is kept in its struct (`print`), where a save and a restore find it, until
 * it runs, its mailbox changes or a signal dooms it; that of the whole state, a sum, until the next step. So a fingerprint costs in proportion to what the last step did, and
 * some nanoseconds for each process. A machine between events is its state and variables, its heap and its queue; other
 * processes are their stacks from the stack pointer up, with the operation at whose door they stand, their heaps and
 * mailboxes.
 *
 * What is dead on a stack must not get into later frames. So where fingerprints are asked for, the world is `lean`: below
 * the stack pointer, a stack is zeroed before its process runs, and is otherwise left alone. Whoever compares states of
 * different executions says so from the start on (eo_actor_options.fingerprints). */
#include <string.h>

#define XXH_INLINE_ALL /* most of what is hashed is short */
#include <xxhash.h>

#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/pages.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/saving.h"
#include "subjects/actor/wide.h"

enum { WORDS = 128 };

/* Words to be hashed in this order. When there are many, what there is becomes two of them. */
typedef struct eo__sum {
  uint32_t count;
  uint64_t words[WORDS];
} eo__sum;

static void fold(eo__sum *sum) {
  XXH128_hash_t hash = XXH3_128bits(sum->words, sum->count * sizeof *sum->words);
  sum->words[0] = hash.low64;
  sum->words[1] = hash.high64;
  sum->count = 2;
}

static inline void add(eo__sum *sum, uint64_t word) {
  if (__builtin_expect(sum->count == WORDS, 0)) fold(sum);
  sum->words[sum->count++] = word;
}

/* Stacks have gaps that a sanitizer lets nobody read; there they are read in pieces, by what it does not see. */
static inline XXH128_hash_t hash_of(const char *bytes, size_t size, bool wide) {
  (void)wide;
#ifdef __SANITIZE_ADDRESS__
  char piece[1024];
  XXH128_hash_t hash = {0, 0};
  for (size_t at = 0; at < size; at += sizeof piece) {
    size_t length = size - at < sizeof piece ? size - at : sizeof piece;
    eo__bytes_move(piece, bytes + at, length);
    hash = XXH3_128bits_withSeed(piece, length, hash.low64 ^ hash.high64 * 31);
  }
  return hash;
#else
  enum { LONG = 240 }; /* where XXH3 begins to use vectors */
  if (size > LONG && wide) {
    uint64_t hash[2];
    eo__wide_hash(bytes, size, hash);
    return (XXH128_hash_t){hash[0], hash[1]};
  }
  return XXH3_128bits(bytes, size);
#endif
}

/* The length is part of it. */
static inline void add_bytes(eo__sum *sum, const void *bytes, size_t size) {
  add(sum, size);
  if (size > 64) {
    XXH128_hash_t hash = hash_of(bytes, size, eo__wide_helps());
    add(sum, hash.low64);
    add(sum, hash.high64);
    return;
  }
  if (__builtin_expect(sum->count + 8 > WORDS, 0)) fold(sum);
  size_t words = (size + 7) / 8;
  if (words) sum->words[sum->count + words - 1] = 0;
  memcpy(&sum->words[sum->count], bytes, size);
  sum->count += (uint32_t)words;
}

static inline uint64_t key_of(const eo_actor *actor, uint32_t number) { return actor->known.items[number].key; }

/* Which messages a process or message comes after decides what can be taken first. A sum, as the numbers of processes
 * have no meaning. */
static void add_clock(eo__sum *sum, const eo_actor *actor, const eo_clock *clock, const eo_sender *own) {
  uint64_t all[2] = {0};
  for (uint32_t i = 0; clock && i < clock->count; i++) {
    if (!clock->of[i] || i == own->from) continue;
    uint64_t words[2] = {key_of(actor, i), clock->of[i]};
    XXH128_hash_t hash = XXH3_128bits(words, sizeof words);
    all[0] += hash.low64;
    all[1] += hash.high64;
  }
  add(sum, all[0]);
  add(sum, all[1]);
  add(sum, key_of(actor, own->from));
  add(sum, own->nth);
}

static void add_mail(eo__sum *sum, const eo_actor *actor, const eo_mail *mail) {
  add(sum, key_of(actor, mail->from));
  add(sum, (uint64_t)(int64_t)mail->tag ^ (uint64_t)mail->arrived << 40);
  add(sum, mail->time);
  add_bytes(sum, mail->bytes, mail->size);
}

/* In the order of the list: that of arrival, or where receives choose, that of the senders. */
static void add_in_order(eo__sum *sum, const eo_actor *actor, const eo_process *process) {
  for (const eo_mail *mail = process->mailbox; mail; mail = mail->next) {
    add_mail(sum, actor, mail);
    if (actor->world.clocked) add_clock(sum, actor, mail->clock, &actor->senders.items[mail->number - 1]);
  }
}

/* No order means anything. */
static void add_as_set(eo__sum *sum, const eo_actor *actor, const eo_process *process) {
  uint64_t all[3] = {0};
  for (const eo_mail *mail = process->mailbox; mail; mail = mail->next) {
    eo__sum one = {.count = 0};
    add_mail(&one, actor, mail);
    fold(&one);
    all[0] += one.words[0];
    all[1] += one.words[1];
    all[2]++;
  }
  for (int i = 0; i < 3; i++) add(sum, all[i]);
}

/* What it will do next, and all that this depends on. */
static void add_memory(eo__sum *sum, const eo_process *process) {
  size_t size;
  const void *rest = eo__actor_machine_state(process, &size);
  if (rest) {
    add_bytes(sum, rest, size);
  } else {
    const char *sp = eo__actor_stack_from(process), *meant = eo__actor_meant_end(process),
               *end = eo__actor_stack_end(process);
    add(sum, (uint64_t)(uintptr_t)(process->shown ? process->stands_at : process->pending));
    add_bytes(sum, sp, (size_t)(meant - sp));
    if (meant != end) {
      const char *inbox = eo__actor_small_inbox(process);
      add_bytes(sum, inbox, (size_t)(end - inbox));
    }
    if (process->pending->name) add_bytes(sum, process->op_name, strlen(process->op_name));
    if (process->outgoing) add_bytes(sum, process->outgoing->bytes, process->outgoing->size);
  }
  size_t heap = eo__heap_used(process);
  if (heap) add_bytes(sum, process->arena + EO_STACK_SIZE, heap);
}

/* What it carries, and what it waits for. */
static void add_courier(eo__sum *sum, const eo_actor *actor, const eo_courier *courier) {
  uint64_t awaited = 0;
  for (uint32_t i = 0; i < courier->awaited_count; i++)
    if (actor->by_number.items[courier->awaited[i]]->state == EO_ALIVE) awaited += key_of(actor, courier->awaited[i]);
  add(sum, key_of(actor, courier->to));
  add(sum, awaited);
  add(sum, courier->time);
  add(sum, (uint64_t)(int64_t)courier->reason << 2 | (uint64_t)courier->linked << 1 | (uint64_t)courier->muted);
  if (courier->mail) add_mail(sum, actor, courier->mail);
  if (actor->world.clocked) add_clock(sum, actor, courier->clock, &actor->senders.items[courier->message - 1]);
}

static void print_process(eo_actor *actor, eo_process *process) {
  eo__sum sum;
  sum.count = 0;
  bool doomed = process->pending == &process->exit_op;
  add(&sum, process->key);
  add(&sum, (uint64_t)process->children << 32 | process->refs);
  add(&sum, process->now);
  add(&sum, (uint64_t)process->citizen.traps | (uint64_t)doomed << 1 | (uint64_t)process->citizen.killed << 2);
  if (process->couriers) add(&sum, process->couriers); /* what the next one is called */
  if (process->courier)
    add_courier(&sum, actor, process->courier);
  else if (doomed)
    add(&sum, (uint64_t)(int64_t)process->exit_op.reason); /* its memory means nothing any more */
  else
    add_memory(&sum, process);
  if (actor->world.clocked) add_clock(&sum, actor, process->clock, &(eo_sender){process->number, process->sent});
  if (actor->options.delivery == EO_DELIVERY_ASYNC)
    add_as_set(&sum, actor, process);
  else
    add_in_order(&sum, actor, process);
  fold(&sum);
  process->print[0] = sum.words[0];
  process->print[1] = sum.words[1];
  process->printed = true;
  process->kept = NULL;
  eo__process_printed(actor, process->print);
}

/* Those between two that are alive, pair by pair, and within a pair by age; and links to one whose exit signal may be on its
 * way. */
static void add_bonds(eo__sum *sum, const eo_actor *actor) {
  for (size_t i = 0; i < actor->live.count && actor->world.society.bonds; i++) {
    const eo_process *process = actor->live.items[i];
    if (process->state == EO_ENDED) continue;
    for (const eo_bond *bond = process->citizen.first; bond; bond = eo_bond_next(bond, &process->citizen)) {
      const eo_citizen *other = eo_bond_other(bond, &process->citizen);
      bool told = other->ended && !(bond->ref == 0 && actor->world.society.travels);
      if (told || (!other->ended && eo__actor_before(actor, other->number, process->number))) continue;
      add(sum, key_of(actor, bond->ends[0]->number));
      add(sum, key_of(actor, bond->ends[1]->number));
      add(sum, bond->muted ? ~bond->ref : bond->ref);
      if (bond->over[0] || bond->over[1]) add(sum, bond->over[0] ? 1 : 2);
    }
  }
}

/* Sorted by age, which means nothing. */
static void add_names(eo__sum *sum, const eo_actor *actor) {
  uint64_t all[2] = {0};
  for (const eo_name *name = actor->world.names; name; name = name->next) {
    XXH128_hash_t hash = XXH3_128bits_withSeed(name->text, strlen(name->text) + 1, key_of(actor, name->holder->number));
    all[0] += hash.low64;
    all[1] += hash.high64;
  }
  if (!actor->world.names) return;
  add(sum, all[0]);
  add(sum, all[1]);
}

static void become_lean(eo_actor *actor) {
  for (size_t i = 0; i < actor->live.count; i++) {
    eo_process *process = actor->live.items[i];
    if (process->state != EO_ALIVE || process->courier) continue;
    eo__undo_before(actor, process);
    eo__capture_trim(actor->capture, process->slot, process->fiber.sp);
  }
  actor->world.lean = true;
}

/* The processes as a set, since each hash says whose it is: so their sum is kept, and changes with them. */
void eo__actor_print(eo_actor *actor) {
  for (uint64_t stale = actor->world.stale; stale; stale &= stale - 1) {
    eo_process *process = actor->live.items[__builtin_ctzll(stale)];
    if (process->state == EO_ALIVE && !process->printed) print_process(actor, process);
  }
  actor->world.stale = 0;
  for (size_t i = 64; i < actor->live.count; i++) {
    eo_process *process = actor->live.items[i];
    if (process->state == EO_ALIVE && !process->printed) print_process(actor, process);
  }
}

/* Others may write to a process's memory once they can know where it is. */
static void distrust_all(eo_actor *actor) {
  for (size_t i = 0; i < actor->live.count; i++) eo__process_stale(actor, actor->live.items[i]);
}

static void add_globals(eo__sum *sum, const eo_actor *actor) {
  uint64_t globals[2];
  eo__capture_fingerprint(actor->capture, NULL, 0, globals);
  if (!(globals[0] | globals[1])) return; /* as at the start */
  add(sum, globals[0]);
  add(sum, globals[1]);
}

void eo__hash_add(const void *bytes, size_t size, uint64_t sum[2]) {
  XXH128_hash_t hash = XXH3_128bits(bytes, size);
  sum[0] += hash.low64;
  sum[1] += hash.high64;
}

/* Mostly there are only processes. What else there is makes more words. */
static void print_state(eo_actor *actor) {
  if (__builtin_expect(!actor->world.lean, 0)) become_lean(actor);
  if (__builtin_expect(actor->world.addresses_out, 0)) distrust_all(actor);
  eo__actor_print(actor);
  actor->print[0] = actor->world.prints[0] + actor->world.heard[0];
  actor->print[1] = actor->world.prints[1] + actor->world.heard[1];
  actor->printed = true;
  const eo_faults_taken *faults = &actor->world.faults; /* those that may still come depend on them */
  if (!actor->world.society.bonds && !actor->world.names && !faults->all && eo__capture_plain(actor->capture)) return;
  eo__sum sum;
  sum.count = 2;
  sum.words[0] = actor->print[0];
  sum.words[1] = actor->print[1];
  add_bonds(&sum, actor);
  add_names(&sum, actor);
  add_globals(&sum, actor);
  if (faults->all) add(&sum, faults->all);
  for (int i = 0; i < EO_FAULT_KINDS && faults->all; i++)
    if (faults->kinds[i]) add(&sum, (uint64_t)faults->kinds[i] << 32 | (uint32_t)i);
  if (sum.count == 2) return;
  fold(&sum);
  actor->print[0] = sum.words[0];
  actor->print[1] = sum.words[1];
}

void eo__actor_fingerprint(eo_subject *subject, uint64_t hash[2]) {
  eo_actor *actor = eo__actor_of(subject);
  if (!actor->printed) print_state(actor);
  hash[0] = actor->print[0];
  hash[1] = actor->print[1];
  /* What an execution has changed outside (a folder, a descriptor, a mapping) is not hashed: from then on a state is the same
   * only if it was come to in the same way. */
  if (__builtin_expect(actor->changed != 0, 0)) {
    hash[0] ^= actor->world.history;
    hash[1] += actor->world.history * UINT64_C(0x9e3779b97f4a7c15);
  }
}
