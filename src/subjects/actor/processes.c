/* processes.c: logical ids, the life of a process, and the doors at which it stops.
 *
 * A logical id is known for the whole run under a number; its arena's slot is a code of the id itself (a sentinel bit,
 * then the Elias delta code of each child index), so that a process has the same addresses in every run. Ids whose code
 * is too long for the slots get one of the overflow slots, in the order they are met. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/alloc.h"
#include "base/jump_return.h"
#include "core/machine.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/mailbox.h"
#include "subjects/actor/operations.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/saving.h"
#include "subjects/actor/sharing.h"
#include "subjects/actor/specifications.h"

enum { CODE_BITS = 20, OVERFLOW_SLOTS = EO_SLOTS - (1u << CODE_BITS) };

_Thread_local eo_actor *eo__actor;
EO_OWN_THREAD(eo__actor);

static unsigned bit_length(uint64_t n) { return 64u - (unsigned)__builtin_clzll(n); }

/* The parent's code followed by delta(index); 0: does not fit. */
static uint64_t child_code(uint64_t parent, uint32_t index) {
  if (parent == 0) return 0;
  unsigned length = bit_length(index), length_bits = bit_length(length);
  unsigned bits = 2 * (length_bits - 1) + 1 + (length - 1);
  if (bit_length(parent) + bits > CODE_BITS) return 0;
  uint64_t code = parent << (length_bits - 1);                                 /* zeros: the length of the length */
  code = code << length_bits | length;                                         /* the length */
  return code << (length - 1) | (index & (((uint64_t)1 << (length - 1)) - 1)); /* the index without its first bit */
}

/* Makes it known under this name, path and slot; `path` is that of the parent, to which `index` is added. */
static uint32_t add_known(eo_actor *actor, const eo_known *made, const char *name, const uint32_t *path,
                          uint32_t index) {
  eo_known known = *made;
  known.key = XXH3_64bits(name, strlen(name));
  XXH128_hash_t ended = XXH3_128bits(name, strlen(name));
  known.ended[0] = ended.low64;
  known.ended[1] = ended.high64;
  known.name = eo__strdup(name);
  known.path = eo__alloc(known.length * sizeof *known.path);
  known.process = known.slot ? &actor->processes[known.slot] : eo__alloc(sizeof *known.process);
  if (!known.name || !known.path || !known.process || !eo_vec_reserve(&actor->known, 1) ||
      !eo_vec_reserve(&actor->by_number, 1)) {
    eo__free(known.name);
    eo__free(known.path);
    if (!known.slot) eo__free(known.process);
    eo__actor_nomem(actor);
    return EO_NO_PROCESS;
  }
  if (known.length > 1) memcpy(known.path, path, (known.length - 1) * sizeof *known.path);
  known.path[known.length - 1] = index;
  uint32_t number = (uint32_t)actor->known.count;
  known.process->number = number;
  actor->known.items[actor->known.count++] = known;
  actor->by_number.items[actor->by_number.count++] = known.process;
  if (known.slot) actor->number_of_slot[known.slot] = number + 1;
  return number;
}

static uint32_t overflow_slot(eo_actor *actor) {
  return actor->overflow_slots == OVERFLOW_SLOTS ? 0 : (1u << CODE_BITS) + actor->overflow_slots++;
}

static uint32_t add_process(eo_actor *actor, const eo_known *parent, uint32_t index) {
  eo_known known = {.length = parent ? parent->length + 1 : 1};
  char name[EO_PROCESS_NAME];
  int length = snprintf(name, sizeof name, parent ? "%s.%u" : "%sP%u", parent ? parent->name : "", index);
  if (length >= (int)sizeof name) return EO_NO_PROCESS;
  known.code = parent ? child_code(parent->code, index) : 1;
  known.slot = known.code ? (uint32_t)known.code : overflow_slot(actor);
  if (known.slot == 0) return EO_NO_PROCESS;
  return add_known(actor, &known, name, parent ? parent->path : NULL, index);
}

/* With what it belongs to in front: behind all processes, first couriers, then specifications. */
enum { COURIERS = 2, SPECIFICATIONS = 3 };

static uint32_t add_behind(eo_actor *actor, const eo_known *parent, uint32_t kind, eo_known *known, const char *name,
                           uint32_t index) {
  known->length = parent->length + 2;
  uint32_t *path = eo__alloc(known->length * sizeof *path), number = EO_NO_PROCESS;
  if (!path) {
    eo__actor_nomem(actor);
    return EO_NO_PROCESS;
  }
  path[0] = kind;
  memcpy(path + 1, parent->path, parent->length * sizeof *path);
  number = add_known(actor, known, name, path, index);
  eo__free(path);
  return number;
}

/* A specification: S2 is the second of P1, S2:P1.3 the second of P1.3. A code that is one
 * bit and zeros is no process's, so that the first ones of P1 have fixed slots. */
static uint32_t add_specification(eo_actor *actor, const eo_known *parent, uint32_t index) {
  eo_known known = {.slot = 0};
  char name[EO_PROCESS_NAME];
  bool first = parent->length == 1;
  int length = snprintf(name, sizeof name, "S%u%s%s", index, first ? "" : ":", first ? "" : parent->name);
  if (length >= (int)sizeof name) return EO_NO_PROCESS;
  known.slot = first && index < CODE_BITS ? 1u << index : overflow_slot(actor);
  return known.slot ? add_behind(actor, parent, SPECIFICATIONS, &known, name, index) : EO_NO_PROCESS;
}

/* A courier: X2:P1.3 is the second thing that P1.3 has sent off. */
static uint32_t add_courier(eo_actor *actor, const eo_known *sender, uint32_t index) {
  eo_known known = {.slot = 0};
  char name[EO_PROCESS_NAME];
  int length = snprintf(name, sizeof name, "X%u:%s", index, sender->name);
  return length < (int)sizeof name ? add_behind(actor, sender, COURIERS, &known, name, index) : EO_NO_PROCESS;
}

/* Room for the numbers of so many children or specifications. */
static bool make_room(eo_actor *actor, eo_process_numbers *list, uint32_t count) {
  while (list->count < count)
    if (!eo_vec_push(list, EO_NO_PROCESS)) {
      eo__actor_nomem(actor);
      return false;
    }
  return true;
}

int eo__actor_known_root(eo_actor *actor) { return add_process(actor, NULL, 1) == 0 ? EO_OK : EO_ENOMEM; }

uint32_t eo__actor_known_child(eo_actor *actor, uint32_t parent, uint32_t index) {
  eo_known *known = &actor->known.items[parent];
  if (!make_room(actor, &known->children, index)) return EO_NO_PROCESS;
  uint32_t number = known->children.items[index - 1];
  if (number != EO_NO_PROCESS) return number;
  eo_known copy = *known; /* add_known may move the table */
  number = add_process(actor, &copy, index);
  actor->known.items[parent].children.items[index - 1] = number;
  return number;
}

uint32_t eo__actor_known_specification(eo_actor *actor, uint32_t parent, uint32_t index) {
  eo_known *known = &actor->known.items[parent];
  if (!make_room(actor, &known->specifications, index)) return EO_NO_PROCESS;
  uint32_t number = known->specifications.items[index - 1];
  if (number != EO_NO_PROCESS) return number;
  eo_known copy = *known;
  number = add_specification(actor, &copy, index);
  actor->known.items[parent].specifications.items[index - 1] = number;
  return number;
}

uint32_t eo__actor_known_courier(eo_actor *actor, uint32_t sender, uint32_t index) {
  eo_known *known = &actor->known.items[sender];
  if (!make_room(actor, &known->couriers, index)) return EO_NO_PROCESS;
  uint32_t number = known->couriers.items[index - 1];
  if (number != EO_NO_PROCESS) return number;
  eo_known copy = *known;
  number = add_courier(actor, &copy, index);
  actor->known.items[sender].couriers.items[index - 1] = number;
  return number;
}

static uint32_t known_courier(eo_actor *actor, const char *name) {
  char *end;
  unsigned long index = strtoul(name + 1, &end, 10);
  if (end == name + 1 || *end != ':' || end[1] != 'P' || index == 0 || index > 1000000) return EO_NO_PROCESS;
  uint32_t sender = eo__actor_known(actor, end + 1);
  return sender == EO_NO_PROCESS ? EO_NO_PROCESS : eo__actor_known_courier(actor, sender, (uint32_t)index);
}

static uint32_t known_specification(eo_actor *actor, const char *name) {
  char *end;
  unsigned long index = strtoul(name + 1, &end, 10);
  if (end == name + 1 || (*end && *end != ':') || index == 0 || index > 1000000) return EO_NO_PROCESS;
  uint32_t parent = *end && end[1] == 'P' ? eo__actor_known(actor, end + 1) : 0;
  if (parent == EO_NO_PROCESS || (*end && parent == 0)) return EO_NO_PROCESS;
  return eo__actor_known_specification(actor, parent, (uint32_t)index);
}

uint32_t eo__actor_known(eo_actor *actor, const char *name) {
  if (*name == 'S') return known_specification(actor, name);
  if (*name == 'X') return known_courier(actor, name);
  if (strncmp(name, "P1", 2) != 0 || (name[2] && name[2] != '.')) return EO_NO_PROCESS;
  uint32_t number = 0;
  for (const char *at = name + 2; *at;) {
    char *end;
    unsigned long index = strtoul(at + 1, &end, 10);
    if (end == at + 1 || (*end && *end != '.') || index == 0 || index > 1000000) return EO_NO_PROCESS;
    number = eo__actor_known_child(actor, number, (uint32_t)index);
    if (number == EO_NO_PROCESS) return EO_NO_PROCESS;
    at = end;
  }
  return number;
}

void eo__actor_forget_known(eo_actor *actor) {
  for (size_t i = 0; i < actor->known.count; i++) {
    eo_known *known = &actor->known.items[i];
    eo__free(known->name);
    eo__free(known->path);
    eo_vec_release(&known->children);
    eo_vec_release(&known->specifications);
    eo_vec_release(&known->couriers);
    if (!known->slot) eo__free(known->process);
    eo_vec_release(&known->messages);
  }
  eo_vec_release(&actor->known);
  eo_vec_release(&actor->by_number);
}

const char *eo__actor_name(eo_actor *actor, uint32_t number) {
  return number < actor->known.count ? actor->known.items[number].name : "?";
}

eo_process *eo__actor_process_of(eo_actor *actor, eo_pid pid) {
  if (pid == 0 || pid >= EO_SLOTS) return NULL;
  uint32_t number = actor->number_of_slot[pid];
  if (number == 0) return NULL;
  eo_process *process = actor->by_number.items[number - 1];
  return process->state == EO_UNBORN || process->observes ? NULL : process;
}

static bool comes_before(const eo_known *a, const eo_known *b) {
  uint32_t shorter = a->length < b->length ? a->length : b->length;
  for (uint32_t i = 0; i < shorter; i++)
    if (a->path[i] != b->path[i]) return a->path[i] < b->path[i];
  return a->length < b->length;
}

bool eo__actor_before(const eo_actor *actor, uint32_t process, uint32_t other) {
  return comes_before(&actor->known.items[process], &actor->known.items[other]);
}

static bool insert_live(eo_actor *actor, eo_process *process) {
  if (!eo_vec_reserve(&actor->live, 1)) {
    eo__actor_nomem(actor);
    return false;
  }
  const eo_known *known = actor->known.items;
  size_t at = actor->live.count++;
  while (at > 0 && comes_before(&known[process->number], &known[actor->live.items[at - 1]->number])) {
    actor->live.items[at] = actor->live.items[at - 1];
    actor->live.items[at]->at = (uint32_t)at;
    actor->live.items[at]->kept = NULL;
    at--;
  }
  actor->live.items[at] = process;
  process->at = (uint32_t)at;
  if (at >= 64) return true;
  uint64_t before = ((uint64_t)1 << at) - 1;
  actor->world.stale = (actor->world.stale & before) | (actor->world.stale & ~before) << 1 | (before + 1);
  actor->world.able = (actor->world.able & before) | (actor->world.able & ~before) << 1;
  actor->world.receiving = (actor->world.receiving & before) | (actor->world.receiving & ~before) << 1;
  return true;
}

/* What lies on top of a process's stack: what it is to run, and, where they fit, its argument and the bytes of the
 * message it received last. So a process that does not call malloc never touches its heap. */
enum { ARGUMENT_ROOM = 128 };

typedef struct eo_first {
  eo_actor *actor;
  eo_process *process;
  eo_function function;
  void *argument;
  _Alignas(64) char copy[ARGUMENT_ROOM]; /* aligned, so that the stack below it is */
  char inbox[EO_INBOX_ROOM];
} eo_first;
_Static_assert(offsetof(eo_first, inbox) + EO_INBOX_ROOM == sizeof(eo_first), "eo__actor_small_inbox");

/* Stacks are staggered: if the tops of all had the same address but for the arena's, the processor's caches and its
 * guesses which load follows which store would take them for one another. */
enum { STAGGER = 256, STAGGERS = 8 };

static eo_first *first_of(const eo_process *process) {
  return (eo_first *)(process->arena + EO_STACK_SIZE - sizeof(eo_first) - process->stagger);
}

void *eo__actor_inbox(eo_process *process, size_t size) {
  return size <= EO_INBOX_ROOM ? eo__actor_small_inbox(process) : eo__heap_inbox(process, size);
}

static void first_function(void *start) {
  const eo_first *first = start;
  if (first->actor->sanitized) eo__fiber_after(NULL);
  *first->actor->error_number = 0;
  first->function(first->argument);
  eo_op op = {.kind = EO_OP_EXIT, .reason = EO_NORMAL};
  eo__actor_runtime.perform(&op);
}

eo_process *eo__actor_start_courier(eo_actor *actor, uint32_t number) {
  eo_process *process = actor->known.items[number].process;
  if (!insert_live(actor, process)) return NULL;
  memset(process, 0, offsetof(eo_process, fiber));
  process->arena = NULL;
  process->slot = 0;
  process->key = actor->known.items[number].key;
  process->state = EO_ALIVE;
  process->number = process->citizen.number = number;
  process->mailbox_end = &process->mailbox;
  process->noted = UINT64_MAX; /* there is no memory that could change */
  return process;
}

eo_process *eo__actor_start_in_place(eo_actor *actor, uint32_t number, eo_function function, void *argument) {
  eo_known *known = &actor->known.items[number];
  eo_process *process = known->process;
  char *arena = eo__capture_arena(actor->capture, known->slot);
  if (!arena) eo__actor_nomem(actor);
  if (!arena || !insert_live(actor, process)) return NULL;
  memset(process, 0, offsetof(eo_process, fiber));
  process->state = EO_ALIVE;
  process->number = process->citizen.number = number;
  process->arena = arena;
  process->slot = known->slot;
  process->key = known->key;
  process->stagger = known->slot % STAGGERS * STAGGER;
  process->mailbox_end = &process->mailbox;
  process->noted = 0;
  process->received = (eo_message){0};
  if (__builtin_expect(actor->auditing, 0)) {
    eo__watch_expose(actor->watch, process->slot);
    process->shown = eo__pool_alloc(actor, sizeof *process->shown);
  }
  if (__builtin_expect(actor->uncaptured, 0) && actor->live.count > 1) eo__watch_share(actor->watch);
  if (actor->undo.newest) eo__undo_note(actor, process, true);
  process->control = actor->control;
  if (__builtin_expect(actor->apart, 0) && !eo__thread_start(process)) return NULL;
  eo_first *first = first_of(process);
  first->actor = actor;
  first->process = process;
  first->function = function;
  first->argument = argument;
  eo__fiber_init(&process->fiber, (char *)first, first_function, first);
  actor->world.alive++;
  return process;
}

eo_process *eo__actor_start(eo_actor *actor, uint32_t number, eo_function function, const void *bytes, size_t size) {
  eo_process *process = eo__actor_start_in_place(actor, number, function, NULL);
  if (!process || size == 0) return process;
  eo_first *first = first_of(process);
  first->argument = __builtin_expect(actor->auditing, 0) ? eo__bounds_argument(actor, process, size) : NULL;
  if (!first->argument) first->argument = size <= ARGUMENT_ROOM ? first->copy : eo__heap_alloc(process, size, 16, NULL);
  if (!first->argument) return NULL;
  memcpy(first->argument, bytes, size);
  return process;
}

void eo__actor_switch_apart(eo_actor *actor, eo_process *process, uint32_t watched) {
  if (actor->refusing) {
    eo__actor_fail(actor, EO_KIND_CRASH, process, NULL, "the step ends workers");
    return;
  }
  eo__thread_in(process);
  eo_watch_enter(actor->watch, watched, process->slot, actor->world.steps);
  if (actor->sanitized) eo__fiber_before(&actor->engine_fake_stack, process->arena + EO_PAGE, EO_STACK_SIZE - EO_PAGE);
  eo__control_in(process);
  eo_fiber_switch(&actor->engine, &process->fiber);
  if (actor->sanitized) eo__fiber_after(actor->engine_fake_stack);
  eo__control_out(process);
  eo_watch_leave(actor->watch);
  eo__thread_out(process);
}

bool eo__actor_probe(eo_actor *actor, eo_process *process) {
  process->probing = true;
  eo__actor_run(actor, process);
  process->probing = false;
  return !actor->failed && process->accepted;
}

void eo__actor_halt(eo_subject *subject, uint32_t number, uint32_t step) {
  eo_actor *actor = eo__actor_of(subject);
  eo_process *process = number < actor->known.count ? actor->by_number.items[number] : NULL;
  if (!process || process->state != EO_ALIVE) return; /* the ticket cannot be followed, as will be seen */
  if (process->courier) {                             /* which has no stack */
    eo__replay_here(step);
    return;
  }
  actor->halt = step;
  process->probing = true;
  eo__actor_run(actor, process);
  process->probing = false;
  actor->halt = 0;
}

void eo__actor_arrive(eo_actor *actor, eo_process *process) {
  eo_op *op = process->pending;
  if (op->name) {
    memccpy(process->op_name, op->name, 0, sizeof process->op_name); /* its length has been checked */
    op->name = process->op_name;
  }
  if (op->kind == EO_OP_RECEIVE) {
    if (op->flags & EO_OP_DEQUEUE) process->rested = true;
    process->match = NULL;
    process->unseen = &process->mailbox;
    if (actor->world.taking)
      eo__delivery_arrive(actor, process);
    else
      eo__mail_match(actor, process);
  } else if (op->kind == EO_OP_SEND || (op->kind == EO_OP_SPAWN && op->size)) {
    eo__sharing_note(actor, process, op->data, op->size, false);
    process->outgoing = eo__mail_new(actor, process->number, op->tag, op->data, op->size);
    if (!process->outgoing)
      eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place, "eo_%s: out of memory for %zu bytes",
                     eo__op_name(op->kind), op->size);
  }
  if (!actor->failed) eo__operation_ready(actor, process);
}

/* ---- The runtime: these run on the process's fiber ------------------------------------------------------------- */

/* These leave nothing on the fiber's stack that depends on more than the process's own history (no address in the pool,
 * say): stacks are hashed, and what is dead in a live frame with them. All else is done by the engine, in
 * eo__actor_arrive. */

/* Reads once what the engine will read later: a bad pointer must crash here, in the process. */
static void touch_arguments(const eo_op *op) {
  const volatile char *bytes = op->data;
  for (size_t i = 0; i < op->size; i += EO_PAGE) (void)bytes[i];
  if (op->size) (void)bytes[op->size - 1];
  for (size_t i = 0; i < op->tag_count; i++) (void)*(const volatile int *)&op->tags[i];
}

/* Under audit the engine gets a copy of the operation. What stays on the stack is what would be there without: the name's
 * address as eo__actor_arrive leaves it, and no address of the copy, which these two keep to themselves. */
__attribute__((noinline)) static void show(eo_process *process, eo_op *op) {
  *process->shown = *op;
  process->pending = process->shown;
  process->stands_at = op;
  if (op->name) op->name = process->op_name;
}

__attribute__((noinline)) static void take_back(const eo_process *process, eo_op *op) { *op = *process->shown; }

/* Another process's stack is where only a jump leads (longjmp, setcontext), and what is there will be overwritten. */
static bool elsewhere(const eo_process *process, const eo_op *op) {
  uint32_t slot = eo__capture_slot_of(op);
  return slot != process->slot && slot != EO_SLOTS;
}

EO_JUMP_RETURN static void perform(eo_op *op) {
  eo_actor *actor = eo__actor;
  eo_process *process = actor->running;
  if (__builtin_expect(elsewhere(process, op), 0)) {
    eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place,
                   "eo_%s: called on the stack of another process, to which this one has jumped",
                   eo__op_name(op->kind));
    actor->wild = true;
    eo__actor_leave(actor);
  }
  if (__builtin_expect(process->probing || (process->barred && !(op->flags & EO_OP_OBSERVE)), 0)) {
    eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place, "eo_%s: called %s", eo__op_name(op->kind),
                   process->probing ? "from a predicate, which must only look" : process->barred);
    eo__actor_leave(actor);
  }
  process->pending = op;
  process->entering = true;
  touch_arguments(op);
  process->entering = false;
  if (__builtin_expect(process->shown != NULL, 0)) show(process, op);
  int error_number = *actor->error_number;
  eo__actor_leave(actor);
  while (process->probing) {
    if (actor->halt)
      eo__replay_here(actor->halt);
    else if (actor->naming.text)
      eo__event_name(process->machine->machine, actor->naming.tag, actor->naming.text, actor->naming.size);
    else
      process->accepted = op->accept(&process->received, op->context);
    eo__actor_leave(actor);
  }
  if (__builtin_expect(process->shown != NULL, 0)) take_back(process, op);
  *actor->error_number = error_number; /* each process has its own errno, as each thread has */
  if (op->kind == EO_OP_RECEIVE && op->result) *op->message = process->received;
}

static eo_pid self(void) { return eo__actor->running->slot; }

static uint64_t now(void) { return eo__actor->running->now; }

static bool name(eo_pid pid, char *out, size_t size) {
  const eo_process *process = eo__actor_process_of(eo__actor, pid);
  if (process) snprintf(out, size, "%s", eo__actor_name(eo__actor, process->number));
  return process != NULL;
}

__attribute__((noreturn)) static void fail(const char *kind, const eo_place *place, const char *text) {
  eo_actor *actor = eo__actor;
  char observed[400] = "";
  const char *class = strncmp(kind, "mpi/", 4) == 0 ? kind + 4 : NULL;
  if (actor->running->observes) eo__observed_text(actor, observed, sizeof observed);
  eo__actor_fail(actor, class ? EO_KIND_MPI : eo__kind_parse(kind), actor->running, place, "%s%s", text, observed);
  if (class) snprintf(actor->failure.class_name, sizeof actor->failure.class_name, "%s", class);
  eo__actor_leave(actor);
  abort();
}

static bool machine(const eo_machine_now *now) {
  eo_process *process = eo__actor->running;
  if (process->machine) return false;
  process->machine = now;
  process->kind = now->machine;
  return true;
}

static void bar(const char *because) {
  eo_process *process = eo__actor->running;
  process->barred = because || !process->observes ? because : EO_SPECIFICATION_BARRED;
}

static void hint(const eo_place *place, int what, eo_pid pid) {
  eo_actor *actor = eo__actor;
  const eo_process *other = pid == EO_NOBODY ? NULL : eo__actor_process_of(actor, pid);
  if (pid != EO_NOBODY && !other) {
    eo__actor_fail(actor, EO_KIND_MISUSE, actor->running, place, "eo_hint: %llu is not a process",
                   (unsigned long long)pid);
    actor->wild = true;
    eo__actor_leave(actor);
  }
  /* On the fiber of a process nothing of ours may be allocated: the room is there from the start. */
  if (actor->hints.count == EO_HINTS_MOST) {
    eo__actor_fail(actor, EO_KIND_MISUSE, actor->running, place, "eo_hint: more than %d in one step", EO_HINTS_MOST);
    eo__actor_leave(actor);
  }
  EO_CHECK(eo_vec_push(&actor->hints, ((eo_hint_given){what, other ? other->number : EO_NO_PROCESS})));
}

const eo_runtime eo__actor_runtime = {.perform = perform,
                                      .self = self,
                                      .now = now,
                                      .name = name,
                                      .fail = fail,
                                      .machine = machine,
                                      .bar = bar,
                                      .hint = hint,
                                      .specify = eo__specify,
                                      .announce = eo__announce};
