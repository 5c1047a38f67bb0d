/* sharing.c: which of the meetings that watch.h reports are hidden sharing: those that no message, spawn, name or exit orders.
 * Happens-before is computed only then, from the events of the execution so far. And when others can know where a process's
 * memory is, so that it must be guarded. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/controlled.h"
#include "base/text.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/meetings.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/pages.h"
#include "subjects/actor/relations.h"
#include "subjects/actor/saving.h"
#include "subjects/actor/sharing.h"

/* Step numbers count from 1; the event of step s is events[s - 1]. Step 0 is P1's code before its first operation. The code a process
 * runs *after* its operation belongs to that step, so an access in step s comes before what the process does in later
 * steps, and after its own operation s. */

/* Who has heard of an access, by process, and how else it can be learnt of. */
typedef struct hearers {
  char *heard;
  char *named;   /* whoever has given the process its name had heard */
  char *ended;   /* the process has ended since */
  char *carried; /* by messages */
} hearers;

/* Monitoring or linking to a process that has ended gives a message at once: it comes after all that one did. */
static bool tells_of_the_dead(const eo_event *event, const char *heard) {
  return (event->op == EO_OP_MONITOR || event->op == EO_OP_LINK) && event->sent && heard[event->other];
}

/* Does its step tell the process something of another one's steps? Somebody has a name: this comes after the name was given. A
 * process is not alive: this comes after its end. */
static bool learns(const eo_event *event, const hearers *of) {
  bool yes = event->flags & EO_EVENT_YES;
  if (event->other == EO_NO_PROCESS) return false;
  switch (event->op) {
    case EO_OP_WHEREIS:
    case EO_OP_SEND:
    case EO_OP_MONITOR: return yes && of->named[event->other];
    case EO_OP_IS_ALIVE: return !yes && of->ended[event->other] && of->heard[event->other];
    default: return false;
  }
}

/* What sets out with this step tells of it where it arrives. */
static void send_off(const eo_actor *actor, uint32_t step, hearers *of) {
  for (const eo_courier *courier = actor->world.couriers; courier; courier = courier->next)
    if (courier->step == step && of->heard[courier->from]) of->heard[courier->process] = 1;
}

static void follow(const eo_actor *actor, const eo_event *event, hearers *of) {
  if (event->op == EO_OP_RECEIVE) {
    if (event->message && of->carried[event->message]) of->heard[event->process] = 1;
    return;
  }
  if (learns(event, of)) of->heard[event->process] = 1;
  if (event->op == EO_OP_REGISTER && event->flags & EO_EVENT_YES) of->named[event->other] = of->heard[event->process];
  if (event->op == EO_OP_EXIT) of->ended[event->process] = 1;
  if (!of->heard[event->process] && !tells_of_the_dead(event, of->heard)) return;
  if (event->op == EO_OP_SPAWN && event->other != EO_NO_PROCESS) of->heard[event->other] = 1;
  for (uint32_t s = 0, number = event->message; s < event->sent; s++) {
    if (s) number = eo__message_after(actor, number);
    of->carried[number] = 1;
  }
}

/* Does the access of `first` happen before that of `second`? Walks forward from first, carrying the set of processes
 * that have heard of it and the messages that carry it. */
static bool ordered(eo_actor *actor, const eo_event *events, const eo_access *first, const eo_access *second) {
  size_t count = actor->known.count;
  char *room = eo__alloc(3 * count + actor->senders.count + 1);
  if (!room) {
    eo__actor_nomem(actor);
    return true;
  }
  hearers of = {room, room + count, room + 2 * count, room + 3 * count};
  of.heard[first->process] = 1;
  for (size_t i = first->step; i < actor->world.steps; i++) { /* events after step first->step */
    follow(actor, &events[i], &of);
    if (events[i].flags & EO_EVENT_BEGINS) send_off(actor, (uint32_t)i + 1, &of);
    if (i + 1 == second->step) break;
  }
  bool result = of.heard[second->process];
  eo__free(room);
  return result;
}

/* ---- What the memory was -------------------------------------------------------------------------------------- */

static void add_place(eo_actor *actor, eo_text *text, const void *caller) {
  eo_source source;
  if (!actor->symbols) actor->symbols = eo__symbols_open();
  if (caller && actor->symbols && eo__symbols_source(actor->symbols, (uintptr_t)caller - 1, &source) && source.line)
    eo__text_add(text, " at %s:%d", source.file, source.line);
}

static void add_memory(eo_actor *actor, eo_text *text, uintptr_t address) {
  const char *start, *at = (const char *)address;
  size_t size;
  const void *caller;
  const eo_process *process = &actor->processes[eo__capture_slot_of(at)];
  const char *name = eo__actor_name(actor, process->number);
  if (at < process->arena + EO_STACK_SIZE) {
    eo__text_add(text, "the stack of %s", name);
  } else if (!eo__heap_block(process, at, &start, &size, &caller)) {
    eo__text_add(text, "memory on the heap of %s that is not allocated", name);
  } else {
    eo__text_add(text, "a block of %zu bytes that %s allocated", size, name);
    add_place(actor, text, caller);
    if (at > start) eo__text_add(text, ", at offset %zu", (size_t)(at - start));
  }
}

/* What to do about it. Of a variable alone: a process has no business in another one's stack or heap. */
static const char *remedy(const char *variable, uintptr_t address) {
  static const char guard[] = "guard variable for ";
  const char *of_library = eo__library_remedy(address);
  if (of_library) return of_library;
  if (!*variable) return "";
  if (strncmp(variable, guard, sizeof guard - 1) == 0)
    return "; the first process that comes by initialises it: call the function once before processes start, or "
           "declare "
           "both by eo_shared";
  return "; if all may use it (a lock, an atomic, a pthread_once_t), declare it by EO_SHARED or eo_shared";
}

static void report(eo_actor *actor, const eo_sharing *sharing) {
  const char *first = eo__actor_name(actor, sharing->first.process),
             *second = eo__actor_name(actor, sharing->second.process);
  eo_text memory;
  eo__text_init(&memory);
  if (*sharing->variable)
    eo__text_add(&memory, "%s", sharing->variable);
  else
    add_memory(actor, &memory, sharing->address);
  eo__actor_fail(actor, EO_KIND_SHARING, NULL, NULL,
                 "%s: %s %s it and %s %s it, with no message between them that orders the two%s", memory.chars, first,
                 sharing->first.write ? "changes" : "reads", second, sharing->second.write ? "changes" : "reads",
                 remedy(sharing->variable, sharing->address));
  eo__text_release(&memory);
  /* Where it was found out comes first: that is the place of the failure. */
  actor->sharing = *sharing;
  actor->failure.frames = 0;
  if (sharing->second.place) {
    snprintf(actor->failure.file, sizeof actor->failure.file, "%s", sharing->second.place->file);
    actor->failure.line = sharing->second.place->line;
  }
  if (sharing->second.pc) actor->failure.stack[actor->failure.frames++] = sharing->second.pc;
  if (sharing->first.pc) actor->failure.stack[actor->failure.frames++] = sharing->first.pc;
}

/* Two processes have met at a variable, in order. The first one has the page for itself until another process runs, so that it
 * may have used the variable again in later steps, unseen, where nothing orders the two: an audit sees these accesses. One
 * for each pair of places in the code is enough: the same code mostly goes on in the same way. */
static bool is_new_meeting(eo_actor *actor, const eo_sharing *sharing) {
  enum { TRIES = 8 };
  const eo_access *first = &sharing->first, *second = &sharing->second;
  const uint64_t words[] = {sharing->address, first->pc,    second->pc,   first->process,
                            second->process,  first->write, second->write};
  uint64_t hash = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    hash = (hash ^ words[i]) * 0x9E3779B97F4A7C15u + (hash >> 29);
  hash |= 1;
  for (uint32_t i = 0; i < TRIES; i++) {
    uint64_t *place = &actor->met[((hash >> 32) + i) % EO__MOST_MET];
    if (*place == hash) return false;
    if (*place) continue;
    *place = hash;
    return true;
  }
  return false;
}

/* ---- States ------------------------------------------------------------------------------------------------------ */

/* Where processes hand memory over, a state is not everything: what orders their accesses is history, so that from the same
 * memory on the same two accesses may be hidden sharing after one history, and none after another. So who has heard of which
 * access is a part of the state (eo__sharing_print), for memory at which processes have met in some execution of the run.
 * Every step of every state is taken: memory at which nobody has met is used by one process alone, and says nothing.
 *
 * A state that was left as seen before such a meeting was known may have been left wrongly. So nothing is certain any more
 * if that comes to light later than in the first execution, or where several workers share the states. */

/* Of an arena it is the page: blocks have many words. */
static uintptr_t place_of(uintptr_t unit) {
  return eo__capture_slot_of((const void *)unit) == EO_SLOTS ? unit : unit & ~(uintptr_t)(EO_PAGE - 1);
}

static bool is_known_place(const eo_actor *actor, uintptr_t place) {
  for (size_t i = 0; i < actor->places.count; i++)
    if (actor->places.items[i] == place) return true;
  return false;
}

static void learn_place(eo_actor *actor, uintptr_t unit) {
  enum { MOST = 256 };
  uintptr_t place = place_of(unit);
  if (!actor->options.fingerprints || is_known_place(actor, place)) return;
  bool in_time = actor->executions == 1 && (!actor->auditing || actor->finished) && actor->options.alone;
  if (!in_time || actor->places.count == MOST || !eo_vec_push(&actor->places, place)) actor->met_late = true;
  actor->printed = false;
}

/* Who has heard of what `process` did in step `step`, and which messages in mailboxes tell of it: by what they are, not by
 * numbers, which depend on history. */
static bool hash_hearers(eo_actor *actor, const eo_event *events, uint32_t process, uint32_t step, uint64_t hash[2]) {
  size_t count = actor->known.count;
  char *room = eo__alloc(3 * count + actor->senders.count + 1);
  if (!room) return false;
  hearers of = {room, room + count, room + 2 * count, room + 3 * count};
  of.heard[process] = 1;
  for (size_t i = step; i < actor->world.steps; i++) follow(actor, &events[i], &of);
  hash[0] = hash[1] = 0;
  for (size_t i = 0; i < actor->live.count; i++) {
    const eo_process *one = actor->live.items[i];
    uint32_t at = 0;
    uint64_t words[3] = {actor->known.items[one->number].key, 0, 0};
    words[1] = (uint64_t)(of.heard[one->number] | of.named[one->number] << 1 | of.ended[one->number] << 2);
    for (const eo_mail *mail = one->mailbox; mail; mail = mail->next, at++)
      if (of.carried[mail->number]) words[2] = (words[2] + at + 1) * UINT64_C(0x9e3779b97f4a7c15);
    eo__hash_add(words, sizeof words, hash);
  }
  eo__free(room);
  return true;
}

void eo__sharing_print(eo_actor *actor, const eo_event *last) {
  const eo_event *events = last + 1 - actor->world.steps;
  size_t count;
  const eo__visit *visits = eo__watch_visits(actor->watch, &count);
  uint32_t process = EO_NO_PROCESS, step = 0;
  uint64_t heard[2] = {0, 0}, *hash = actor->world.heard;
  hash[0] = hash[1] = 0;
  for (size_t i = 0; i < count; i++) {
    const eo__visit *visit = &visits[i];
    if (!is_known_place(actor, place_of(visit->unit))) continue;
    for (uint32_t cell = 0; cell < 2 * EO__CELLS; cell++) {
      uint32_t then = visit->steps[cell / EO__CELLS][cell % EO__CELLS]; /* from 1 */
      if (!then) continue;
      if (visit->process != process || then != step) {
        process = visit->process;
        step = then;
        if (!hash_hearers(actor, events, process, step - 1, heard)) eo__actor_nomem(actor);
      }
      const uint64_t words[5] = {visit->unit, cell, actor->known.items[process].key, heard[0], heard[1]};
      eo__hash_add(words, sizeof words, hash);
    }
  }
}

/* What is found in an arena outside an audit only means that there must be one: what is seen there of other accesses depends on
 * what is known of contested pages, and the same choices must fail in the same way each time. */
void eo__sharing_look(eo_actor *actor, const eo_event *last) {
  eo_sharing sharing;
  const eo_event *events = last + 1 - actor->world.steps;
  while (eo__watch_next(actor->watch, &sharing)) {
    bool file = eo__files_cell(sharing.address);
    if (ordered(actor, events, &sharing.first, &sharing.second)) {
      if (file) continue;
      learn_place(actor, sharing.address);
      if (*sharing.variable && !actor->auditing && is_new_meeting(actor, &sharing)) eo__watch_unsure_too(actor->watch);
      continue;
    }
    if (file) {
      eo__files_meet(actor, &sharing);
      continue;
    }
    if (*sharing.variable || actor->auditing) {
      report(actor, &sharing);
      return;
    }
    actor->suspected = true;
    eo__watch_unsure_too(actor->watch);
  }
  if (actor->later.kind == EO_KIND_NONE) return;
  actor->failure = actor->later;
  actor->failed = true;
}

/* ---- Addresses that others can know ---------------------------------------------------------------------------- */

static void look_for_variables(eo_actor *actor, const char *bytes, size_t size) {
  const eo_capture *capture = actor->capture;
  for (size_t at = 0; at + sizeof(uintptr_t) <= size; at++) {
    uintptr_t word;
    memcpy(&word, bytes + at, sizeof word);
    if (word - capture->lone_low < capture->lone_span) eo__watch_expose_variable(actor->watch, word);
  }
}

/* The sixth byte of an address, the highest that is not zero, tells most words from addresses of arenas. */
enum { SIXTH = 5, BLOCK = 16 };
#define LEAST_SIXTH ((unsigned char)((uintptr_t)EO_ARENAS >> 40))
#define MOST_SIXTH (((uintptr_t)EO_ARENAS + (uintptr_t)EO_SLOTS * EO_ARENA_SIZE - 1) >> 40)

/* Can none of these bytes be the sixth of such an address? */
static inline bool are_harmless(const char bytes[BLOCK]) {
  typedef unsigned char block __attribute__((vector_size(BLOCK)));
  block all;
  uint64_t halves[2];
  memcpy(&all, bytes, sizeof all);
  all = (block)(all - LEAST_SIXTH <= (unsigned char)(MOST_SIXTH - LEAST_SIXTH));
  memcpy(halves, &all, sizeof all);
  return (halves[0] | halves[1]) == 0;
}

/* At any offset: messages may be packed. */
void eo__sharing_scan(eo_actor *actor, const char *bytes, size_t size) {
  size_t looked = 0; /* words that begin before this are looked at one by one */
  if (!EO_CONTROLLED) return;
  for (size_t at = 0; at + sizeof(uintptr_t) <= size; at++) {
    uintptr_t word;
    if (at >= looked && size >= BLOCK) {
      size_t from = at + SIXTH + BLOCK <= size ? at + SIXTH : size - BLOCK;
      looked = from + BLOCK - SIXTH;
      if (are_harmless(bytes + from)) {
        at = looked - 1;
        continue;
      }
    }
    memcpy(&word, bytes + at, sizeof word);
    if (__builtin_expect(word - (uintptr_t)EO_ARENAS >= (uintptr_t)EO_SLOTS * EO_ARENA_SIZE, 1)) continue;
    uint32_t slot = eo__capture_slot_of((const void *)word);
    if (slot == EO_SLOTS || !eo__capture_has_arena(actor->capture, slot))
      continue; /* a small number, at an odd offset */
    actor->world.addresses_out = true;
    eo__watch_expose(actor->watch, slot);
  }
  if (__builtin_expect(actor->apart, 0) && eo__thread_points(bytes, size)) eo__watch_mislead(actor->watch);
  if (__builtin_expect(eo__capture_has_lone(actor->capture), 0)) look_for_variables(actor, bytes, size);
}
