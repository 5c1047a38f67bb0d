/* mailbox.c: the pool that holds an execution's small objects, and messages in it.
 *
 * The pool is one reserved range: bump allocation, with a free list per size class, and no memory returned before the
 * next reset, which is one assignment. Being at one address, it is saved and restored by copying its used part. */
#include <string.h>

#include "base/copies.h"
#include "subjects/actor/couriers.h"
#include "subjects/actor/describe.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/mailbox.h"
#include "subjects/actor/operations.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/relations.h"
#include "subjects/actor/saving.h"
#include "subjects/actor/sharing.h"
#include "subjects/actor/specifications.h"

enum { POOL_ALIGN = 16, SMALL_CLASSES = 32 };
#define POOL_SIZE ((size_t)4 << 30)

/* Classes 1 to 32 are multiples of 16 bytes up to 512; above, powers of two from 1 KiB. */
static unsigned class_of(size_t size, size_t *rounded) {
  size_t units = (size + POOL_ALIGN - 1) / POOL_ALIGN;
  if (units <= SMALL_CLASSES) {
    *rounded = units * POOL_ALIGN;
    return (unsigned)units - 1;
  }
  unsigned bits = 64u - (unsigned)__builtin_clzll(size - 1);
  *rounded = (size_t)1 << bits;
  return SMALL_CLASSES + bits - 10;
}

void *eo__pool_alloc(eo_actor *actor, size_t size) {
  size_t rounded;
  if (size > POOL_SIZE / 2) return NULL;
  unsigned class = class_of(size, &rounded);
  eo_world *world = &actor->world;
  void *block = world->pool_free[class];
  if (block) {
    memcpy(&world->pool_free[class], block, sizeof(void *));
    return block;
  }
  if (rounded > POOL_SIZE - world->pool_used) return NULL;
  block = actor->pool + world->pool_used;
  world->pool_used += rounded;
  return block;
}

void eo__pool_free(eo_actor *actor, void *block, size_t size) {
  size_t rounded;
  unsigned class = class_of(size, &rounded);
  memcpy(block, &actor->world.pool_free[class], sizeof(void *));
  actor->world.pool_free[class] = block;
}

eo_mail *eo__mail_new(eo_actor *actor, uint32_t from, int tag, const void *bytes, size_t size) {
  if (size > POOL_SIZE / 4) return NULL;
  eo_mail *mail = eo__pool_alloc(actor, sizeof *mail + size);
  if (!mail) return NULL;
  mail->next = NULL;
  mail->time = actor->by_number.items[from]->now;
  mail->from = from;
  mail->number = 0;
  mail->arrived = false;
  mail->size = size;
  mail->tag = tag;
  if (size) memcpy(mail->bytes, bytes, size);
  bool trusted = __builtin_expect(eo__copy_first_is_trusted, 0) && from == 0; /* it tells what it was told */
  if (size >= sizeof(void *) && !trusted) eo__sharing_scan(actor, mail->bytes, size);
  return mail;
}

void eo__mail_free(eo_actor *actor, eo_mail *mail) {
  if (actor->world.taking && mail->number) return; /* somebody may still ask who would have accepted it */
  eo__pool_free(actor, mail, sizeof *mail + mail->size);
}

/* Puts a message where the process can see it: its bytes into the arena. False: no memory there. */
bool eo__mail_show(eo_actor *actor, eo_process *process, const eo_mail *mail) {
  eo__undo_before(actor, process);
  void *bytes = __builtin_expect(actor->auditing, 0) ? eo__bounds_message(actor, process, mail->size) : NULL;
  if (__builtin_expect(!bytes, 1)) bytes = eo__actor_inbox(process, mail->size);
  if (!bytes) return false;
  memcpy(bytes, mail->bytes, mail->size);
  eo__sharing_note(actor, process, bytes, mail->size, true);
  process->received =
      (eo_message){actor->by_number.items[mail->from]->slot, mail->tag, mail->size, mail->size ? bytes : NULL};
  return true;
}

static bool has_tag(const eo_op *op, int tag) {
  for (size_t i = 0; i < op->tag_count; i++)
    if (op->tags[i] == tag) return true;
  return op->tags == NULL;
}

/* A machine between events: the first that its state neither defers nor ignores. Ignored ones before it would never be
 * seen again, so they are dropped at once. */
static void match_event(eo_actor *actor, eo_process *process) {
  const eo_on *events = process->pending->events;
  eo_mail **link = process->unseen;
  while (*link && !process->match) {
    int reaction = eo_reaction(events, (*link)->tag);
    if (reaction == EO_REACT_IGNORE) {
      if (__builtin_expect(actor->describing, 0)) eo__words_ignored(actor, process, *link);
      eo__mail_free(actor, eo__mail_take(process, link));
      continue;
    }
    if (reaction != EO_REACT_DEFER) process->match = link;
    link = &(*link)->next;
  }
  process->unseen = link;
}

void eo__mail_match(eo_actor *actor, eo_process *process) {
  const eo_op *op = process->pending;
  if (op->flags & EO_OP_DEQUEUE) {
    match_event(actor, process);
    return;
  }
  eo_mail **link = process->unseen;
  for (; *link && !process->match && !actor->failed; link = &(*link)->next) {
    if (op->accept && !eo__mail_show(actor, process, *link))
      eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place,
                     "eo_receive_if: a message of %zu bytes does not fit into %s", (*link)->size,
                     eo__actor_name(actor, process->number));
    else if (op->accept ? eo__actor_probe(actor, process) : has_tag(op, (*link)->tag))
      process->match = link;
  }
  process->unseen = link;
}

/* False: no memory; then the mail is gone. */
static inline bool number(eo_actor *actor, eo_process *sender, const eo_process *to, eo_mail *mail) {
  mail->number = eo__message_next(actor, sender);
  if (mail->number == 0) { /* no memory: it is not sent */
    sender->sent--;
    eo__mail_free(actor, mail);
    return false;
  }
  mail->clock = sender->clock;
  actor->letters.items[mail->number - 1] = (eo_letter){mail, to->number, mail->tag, false};
  return true;
}

void eo__mail_lose(eo_actor *actor, eo_process *sender, const eo_process *to, eo_mail *mail) {
  if (!number(actor, sender, to, mail)) return;
  if (__builtin_expect(eo__courier_needed(actor, sender, to, UINT32_MAX), 0))
    eo__courier_mail(actor, sender, to, mail, true);
  else
    eo__mail_free(actor, mail);
}

bool eo__mail_is_down(const eo_mail *mail, eo_ref ref) {
  eo_down_info info;
  if (mail->tag != EO_DOWN) return false;
  memcpy(&info, mail->bytes, sizeof info);
  return info.ref == ref;
}

void eo__mail_send(eo_actor *actor, eo_process *sender, eo_process *to, eo_mail *mail) {
  if (!number(actor, sender, to, mail)) return;
  if (eo__is_observed(actor, mail->tag)) eo__observe_mail(actor, sender, to->number, mail);
  if (actor->failed) return;
  if (__builtin_expect(actor->world.couriers != NULL, 0) && eo__courier_needed(actor, sender, to, UINT32_MAX))
    eo__courier_mail(actor, sender, to, mail, false);
  else
    eo__mail_put(actor, to, mail);
}

void eo__mail_put(eo_actor *actor, eo_process *to, eo_mail *mail) {
  if (to->state != EO_ALIVE) {
    eo__mail_free(actor, mail);
    return;
  }
  eo__process_stale(actor, to);
  if (actor->world.taking) {
    eo__delivery_insert(actor, to, mail);
    if (!actor->failed && to->pending->kind == EO_OP_RECEIVE) eo__operation_ready(actor, to);
    return;
  }
  mail->next = NULL;
  *to->mailbox_end = mail;
  to->mailbox_end = &mail->next;
  if (to->pending->kind != EO_OP_RECEIVE || to->match) return;
  eo__mail_match(actor, to);
  if (!actor->failed) eo__operation_ready(actor, to);
}

eo_mail *eo__mail_take(eo_process *process, eo_mail **link) {
  eo_mail *mail = *link;
  *link = mail->next;
  if (!mail->next) process->mailbox_end = link;
  return mail;
}
