/* delivery.c: receives at which it is chosen what they take: every delivery but the mailbox's own order, and that too
 * where the strategy decides afterwards in which order the sends were (eo_relations.receives_choose).
 *
 * The mailbox then is the set of messages that were sent and not received; `matches` of each says whether the receive at
 * whose door the process stands would accept it. What of that is offered depends on the delivery. A message that was sent
 * stays in the pool until the next reset, and so does what is needed to ask any receive so far whether it would have
 * accepted it: its tags, or, as a predicate may look at all of its process's memory, an image of that. */
#include <string.h>

#include "core/vector_clock.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/mailbox.h"
#include "subjects/actor/pages.h"
#include "subjects/actor/processes.h"

void eo__delivery_reset(eo_actor *actor) {
  eo_world *world = &actor->world;
  eo_delivery delivery = actor->options.delivery;
  world->taking = delivery != EO_DELIVERY_MAILBOX || actor->receives_choose;
  world->society.travels = delivery != EO_DELIVERY_MAILBOX;
  world->clocked = delivery == EO_DELIVERY_CAUSAL || (delivery == EO_DELIVERY_MAILBOX && actor->receives_choose);
}

/* By the delivery itself: in a mailbox it is by what is sent when. */
static bool ordered(const eo_actor *actor) {
  return actor->options.delivery == EO_DELIVERY_FIFO || actor->options.delivery == EO_DELIVERY_CAUSAL;
}

static void *from_pool(eo_actor *actor, size_t size) {
  void *block = eo__pool_alloc(actor, size);
  EO_CHECK(block);
  return block;
}

static const eo_sender *sender_of(const eo_actor *actor, const eo_mail *mail) {
  return &actor->senders.items[mail->number - 1];
}

/* ---- What happened before what ---------------------------------------------------------------------------------- */

static uint32_t known_of(const eo_clock *clock, uint32_t process) {
  return clock && process < clock->count ? clock->of[process] : 0;
}

bool eo__clock_knows(const eo_clock *clock, uint32_t process, uint32_t nth) { return known_of(clock, process) >= nth; }

/* The two clocks joined, with the first `sent` messages of `process` too. */
static const eo_clock *join(eo_actor *actor, const eo_clock *a, const eo_clock *b, uint32_t process, uint32_t sent) {
  uint32_t count = sent ? process + 1 : 0;
  if (a && a->count > count) count = a->count;
  if (b && b->count > count) count = b->count;
  if (count == 0) return NULL;
  count = (count + 3) & ~3u; /* of a and b, too */
  eo_clock *joined = from_pool(actor, sizeof *joined + count * sizeof *joined->of);
  joined->count = count;
  uint32_t of_a = a ? a->count : 0, of_b = b ? b->count : 0;
  if (of_a == count && of_b == count) {
    eo_clock_join_both(joined->of, a->of, b->of, count);
  } else {
    if (a) eo_clock_copy(joined->of, a->of, of_a);
    for (uint32_t i = of_a; i < count; i++) joined->of[i] = 0;
    if (b) eo_clock_join(joined->of, b->of, of_b);
  }
  if (sent && joined->of[process] < sent) joined->of[process] = sent;
  return joined;
}

bool eo__delivery_knows(const eo_actor *actor, const eo_mail *mail, const eo_mail *other) {
  const eo_sender *sender = sender_of(actor, mail), *before = sender_of(actor, other);
  if (sender->from == before->from) return sender->nth > before->nth;
  return known_of(mail->clock, before->from) >= before->nth;
}

void eo__delivery_spawned(eo_actor *actor, const eo_process *parent, eo_process *child) {
  if (actor->world.clocked) child->clock = join(actor, parent->clock, NULL, parent->number, parent->sent);
}

/* ---- Doors ------------------------------------------------------------------------------------------------------ */

static eo_door *new_door(eo_actor *actor, eo_process *process) {
  const eo_op *op = process->pending;
  if (process->door_count == process->door_room) {
    uint32_t room = process->door_room ? 2 * process->door_room : 8;
    eo_door **doors = from_pool(actor, room * sizeof(eo_door *));
    if (process->door_count) {
      memcpy(doors, process->doors, process->door_count * sizeof(eo_door *));
      eo__pool_free(actor, process->doors, process->door_room * sizeof(eo_door *));
    }
    process->doors = doors;
    process->door_room = room;
  }
  bool dequeues = (op->flags & EO_OP_DEQUEUE) != 0;
  size_t tags = dequeues || op->accept || !op->tags ? 0 : op->tag_count;
  eo_door *door = from_pool(actor, sizeof *door + tags * sizeof *door->tags);
  *door = (eo_door){.any = eo__receives_any(op),
                    .asks = op->accept != NULL,
                    .dequeues = dequeues,
                    .events = dequeues ? op->events : NULL,
                    .tag_count = tags};
  if (tags) memcpy(door->tags, op->tags, tags * sizeof *door->tags);
  process->doors[process->door_count++] = door;
  return door;
}

enum { SWITCH_FRAME = 512 }; /* more than a switch, and the function that it stands in, have on the stack */

static char *heap_start(const eo_process *process) { return process->arena + EO_STACK_SIZE; }

static size_t stack_from(const eo_process *process, const void *sp) {
  return (size_t)(process->arena + EO_STACK_SIZE - (const char *)sp);
}

/* Before the process runs on from the door. */
static void keep_image(eo_actor *actor, const eo_process *process, eo_door *door) {
  size_t stack = stack_from(process, process->fiber.sp), heap = eo__heap_used(process);
  eo_image *image = from_pool(actor, sizeof *image + stack + heap);
  *image = (eo_image){process->fiber.sp, stack, heap};
  eo__bytes_move(image->bytes, process->fiber.sp, stack);
  eo__bytes_move(image->bytes + stack, heap_start(process), heap);
  door->image = image;
}

/* Shows the message to the predicate at whose door the fiber stands, and leaves no trace of that: what is in its inbox,
 * and where on its stack it says that it goes on, are as before. */
static bool ask(eo_actor *actor, eo_process *process, const eo_mail *mail) {
  _Alignas(8) char kept[EO_INBOX_ROOM] = {0}, frame[SWITCH_FRAME] = {0};
  eo_message received = process->received;
  eo_fiber fiber = process->fiber;
  size_t framed = stack_from(process, fiber.sp) < sizeof frame ? stack_from(process, fiber.sp) : sizeof frame;
  eo__bytes_move(frame, fiber.sp, framed);
  char *inbox = eo__actor_inbox(process, 0), *bytes = inbox;
  eo__bytes_move(kept, inbox, sizeof kept);
  if (mail->size > EO_INBOX_ROOM) {
    eo_vec_clear(&actor->scratch);
    if (!eo_vec_reserve(&actor->scratch, mail->size)) {
      eo__actor_nomem(actor);
      return false;
    }
    bytes = actor->scratch.items;
  }
  memcpy(bytes, mail->bytes, mail->size);
  process->received =
      (eo_message){actor->by_number.items[mail->from]->slot, mail->tag, mail->size, mail->size ? bytes : NULL};
  bool accepted = eo__actor_probe(actor, process);
  eo__bytes_move(inbox, kept, sizeof kept);
  eo__bytes_move(fiber.sp, frame, framed);
  process->fiber = fiber;
  process->received = received;
  return accepted;
}

/* What would it have said at that door? Its memory of that time is put in the place of today's, and taken out again. */
static bool ask_then(eo_actor *actor, eo_process *process, const eo_door *door, const eo_mail *mail) {
  const eo_image *image = door->image;
  eo_process now = *process;
  size_t stack = stack_from(process, process->fiber.sp), heap = eo__heap_used(process);
  if (image->stack > stack) stack = image->stack;
  if (image->heap > heap) heap = image->heap;
  char *from = process->arena + EO_STACK_SIZE - stack;
  char *present = from_pool(actor, stack + heap);
  eo__bytes_move(present, from, stack + heap);
  eo__bytes_move(image->sp, image->bytes, image->stack);
  eo__bytes_move(heap_start(process), image->bytes + image->stack, image->heap);
  process->fiber.sp = image->sp;
  bool accepted = ask(actor, process, mail);
  *process = now;
  eo__bytes_move(from, present, stack + heap);
  eo__pool_free(actor, present, stack + heap);
  return accepted;
}

static bool has_tag(const eo_door *door, int tag) {
  if (door->dequeues) return eo_reaction(door->events, tag) != EO_REACT_DEFER;
  for (size_t i = 0; i < door->tag_count; i++)
    if (door->tags[i] == tag) return true;
  return false;
}

static bool accepts(eo_actor *actor, eo_process *process, eo_door *door, const eo_mail *mail) {
  if (door->any) return true;
  if (!door->asks) return has_tag(door, mail->tag);
  for (const eo_answer *answer = door->answers; answer; answer = answer->next)
    if (answer->number == mail->number) return answer->accepted;
  bool accepted = door->image ? ask_then(actor, process, door, mail) : ask(actor, process, mail);
  eo_answer *answer = from_pool(actor, sizeof *answer);
  *answer = (eo_answer){door->answers, mail->number, accepted};
  door->answers = answer;
  return accepted;
}

/* It may be asked after the execution has failed, and the predicate may fail now: neither changes how that ended. */
static bool asked(eo_actor *actor, eo_process *process, eo_door *door, const eo_mail *mail) {
  bool failed = actor->failed;
  eo_failure failure = actor->failure;
  actor->failed = false;
  bool accepted = accepts(actor, process, door, mail);
  actor->failed = failed;
  actor->failure = failure;
  return accepted;
}

void eo__delivery_flushed(eo_actor *actor, eo_process *process, eo_ref ref) {
  eo_flushed *flushed = from_pool(actor, sizeof *flushed);
  *flushed = (eo_flushed){process->flushed, ref, process->door_count};
  process->flushed = flushed;
}

/* Is it the DOWN of a monitor that the process had ended, quietly, before it came to that door? */
static bool flushed_before(const eo_process *process, uint32_t nth, const eo_mail *mail) {
  for (const eo_flushed *flushed = process->flushed; flushed; flushed = flushed->next)
    if (flushed->doors <= nth && eo__mail_is_down(mail, flushed->ref)) return true;
  return false;
}

bool eo__actor_matches(eo_subject *subject, uint32_t number, uint32_t nth, uint32_t message) {
  eo_actor *actor = eo__actor_of(subject);
  eo_process *process = actor->by_number.items[number];
  EO_CHECK(actor->world.taking && nth < process->door_count && message > 0 && message <= actor->letters.count);
  const eo_mail *mail = actor->letters.items[message - 1].mail;
  eo_door *door = process->doors[nth];
  EO_CHECK(mail);
  if (flushed_before(process, nth, mail)) return false;
  if (!door->asks) return door->any || has_tag(door, mail->tag);
  return asked(actor, process, door, mail);
}

/* ---- Messages --------------------------------------------------------------------------------------------------- */

static eo_door *last_door(const eo_process *process) { return process->doors[process->door_count - 1]; }

/* At the door of the process. A receive that takes any message marks none of a mailbox that may be long. */
static bool matches(const eo_process *process, const eo_mail *mail) { return last_door(process)->any || mail->matches; }

void eo__delivery_arrive(eo_actor *actor, eo_process *process) {
  eo_door *door = new_door(actor, process);
  for (eo_mail *mail = door->any ? NULL : process->mailbox; mail && !actor->failed; mail = mail->next)
    mail->matches = accepts(actor, process, door, mail);
}

/* The sender of the last message in a mailbox that is not empty. */
static uint32_t last_sender(const eo_actor *actor, const eo_process *process) {
  _Static_assert(offsetof(eo_mail, next) == 0, "the end of a mailbox is the last message's own link");
  return sender_of(actor, (const eo_mail *)(const void *)process->mailbox_end)->from;
}

void eo__delivery_insert(eo_actor *actor, eo_process *to, eo_mail *mail) {
  uint32_t from = sender_of(actor, mail)->from;
  bool first = to->mailbox && eo__actor_before(actor, from, last_sender(actor, to)); /* than some */
  eo_mail **at = first ? &to->mailbox : to->mailbox_end;
  while (*at && !eo__actor_before(actor, from, sender_of(actor, *at)->from)) at = &(*at)->next;
  mail->next = *at;
  mail->arrived |= actor->world.society.travels && from == to->number; /* to oneself */
  *at = mail;
  if (!mail->next) to->mailbox_end = &mail->next;
  if (to->pending->kind == EO_OP_RECEIVE) mail->matches = accepts(actor, to, last_door(to), mail);
}

bool eo__delivery_possible(const eo_process *process) {
  for (const eo_mail *mail = process->mailbox; mail; mail = mail->next)
    if (matches(process, mail)) return true;
  return false; /* of messages that match, one is always the first in every sense below */
}

/* Does this message wait for earlier ones of its own sender alone? They stand before it in the mailbox. */
static bool waits_for_own(const eo_actor *actor, const eo_mail *mail) {
  return actor->options.delivery == EO_DELIVERY_FIFO || !mail->clock;
}

/* Does it come after another one in the mailbox that matches? */
static bool knows_another(const eo_actor *actor, const eo_process *process, const eo_mail *mail) {
  bool own = waits_for_own(actor, mail);
  uint32_t from = sender_of(actor, mail)->from;
  for (const eo_mail *other = process->mailbox; other && !(own && other == mail); other = other->next) {
    if (!matches(process, other) || other == mail) continue;
    if (own ? sender_of(actor, other)->from == from : eo__delivery_knows(actor, mail, other)) return true;
  }
  return false;
}

static bool offered(const eo_actor *actor, const eo_process *process, const eo_mail *mail) {
  return matches(process, mail) &&
         (actor->options.delivery == EO_DELIVERY_ASYNC || !knows_another(actor, process, mail));
}

static void add_choice(eo_actor *actor, const eo_process *process, uint32_t number) {
  if (!eo_vec_reserve(&actor->choices, 1)) {
    eo__actor_nomem(actor);
    return;
  }
  eo_choice_set(&actor->choices.items[actor->choices.count++], process->number, number, EO_OP_RECEIVE, EO_CHOICE_TAKE);
}

void eo__delivery_list(eo_actor *actor, const eo_process *process) {
  bool any_order = actor->options.delivery == EO_DELIVERY_ASYNC;
  uint32_t last =
      EO_NO_PROCESS; /* sender of the last message that matches: its later ones, which come next, must wait */
  for (const eo_mail *mail = process->mailbox; mail; mail = mail->next) {
    if (!matches(process, mail)) continue;
    uint32_t from = sender_of(actor, mail)->from;
    if (!any_order && from == last && from == last_sender(actor, process)) break; /* so are all the others */
    if (!any_order && from == last) continue;
    last = from;
    if (any_order || waits_for_own(actor, mail) || !knows_another(actor, process, mail))
      add_choice(actor, process, mail->number);
  }
  if (eo__delivery_times_out(actor, process)) add_choice(actor, process, 0);
}

/* A message may be on its way for as long as it likes, but not if the process sent it itself, when one that comes after it in the
 * order of delivery is there, or when a demonitor has said so. This follows from what the process has done and received, so it is
 * the same wherever other processes are. */
bool eo__delivery_times_out(const eo_actor *actor, const eo_process *process) {
  if (process->pending->timeout == EO_FOREVER || actor->options.timeouts_idle) return false;
  for (const eo_mail *mail = actor->world.taking ? process->mailbox : NULL; mail; mail = mail->next)
    if (matches(process, mail) && mail->arrived) return false;
  return true;
}

/* This one has: so has what comes before it. (Under `fifo` there are no clocks: nobody knows of messages but their senders.) */
static void note_arrived(const eo_actor *actor, const eo_process *process, const eo_mail *arrived) {
  for (eo_mail *mail = process->mailbox; mail && ordered(actor); mail = mail->next)
    mail->arrived |= eo__delivery_knows(actor, arrived, mail);
}

bool eo__delivery_finds_down(const eo_actor *actor, const eo_process *process, eo_ref ref) {
  for (eo_mail *mail = process->mailbox; mail; mail = mail->next) {
    if (!eo__mail_is_down(mail, ref)) continue;
    mail->arrived = true;
    note_arrived(actor, process, mail);
    return true;
  }
  return false;
}

bool eo__delivery_choose(eo_actor *actor, eo_process *process, uint32_t number) {
  process->match = NULL;
  if (number == 0) return eo__delivery_times_out(actor, process);
  for (eo_mail **link = &process->mailbox; *link; link = &(*link)->next) {
    if ((*link)->number != number) continue;
    process->match = link;
    return offered(actor, process, *link);
  }
  return false;
}

void eo__delivery_leave(eo_actor *actor, eo_process *process, const eo_mail *taken) {
  eo_door *door = last_door(process);
  if (door->asks) keep_image(actor, process, door);
  if (!taken) return;
  const eo_sender *sender = sender_of(actor, taken);
  if (actor->world.clocked) process->clock = join(actor, process->clock, taken->clock, sender->from, sender->nth);
  note_arrived(actor, process, taken);
}
