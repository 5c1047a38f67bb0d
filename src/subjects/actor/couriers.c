/* couriers.c: exit signals on their way, where messages choose when they arrive (--delivery fifo, causal, async).
 *
 * A courier is a process without memory or code that the step which sends a signal begins. Its only step (EO_OP_SIGNAL) is that the
 * signal arrives: it is applied to the society then and there, as eo_kill is in its own step under the mailbox. So whoever explores
 * needs to know nothing of signals: they are spawns, and kills by somebody else.
 *
 * What a signal turns into, an EXIT, is a message of its sender, with a number given when it set out. A message that comes after a
 * signal to the same process, in the order of delivery, must not arrive before it. So it goes by a courier as well, which waits
 * for the earlier ones. Whether a message does depends on what its sender had sent and heard of, never on what has arrived. */
#include "subjects/actor/couriers.h"

#include "subjects/actor/inside.h"
#include "subjects/actor/mailbox.h"
#include "subjects/actor/operations.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/relations.h"
#include "subjects/actor/specifications.h"

static eo_process *process_number(const eo_actor *actor, uint32_t number) { return actor->by_number.items[number]; }

/* Does what this process sends now come after what that courier carries, in the order of delivery? */
static bool comes_after(const eo_actor *actor, const eo_process *sender, const eo_courier *earlier) {
  uint32_t nth = actor->senders.items[earlier->message - 1].nth;
  if (actor->options.delivery == EO_DELIVERY_ASYNC) return false;
  if (earlier->from == sender->number) return true;
  return actor->options.delivery == EO_DELIVERY_CAUSAL && eo__clock_knows(sender->clock, earlier->from, nth);
}

/* What a process sends to itself awaits nothing: a signal that it knows of, it knows by a message that came after that signal. */
static uint32_t count_awaited(const eo_actor *actor, const eo_process *sender, const eo_process *to, uint32_t before,
                              uint32_t *out) {
  uint32_t count = 0;
  for (const eo_courier *earlier = sender == to ? NULL : actor->world.couriers; earlier; earlier = earlier->next) {
    if (earlier->step >= before || earlier->to != to->number || !comes_after(actor, sender, earlier)) continue;
    if (out) out[count] = earlier->process;
    count++;
  }
  return count;
}

bool eo__courier_needed(const eo_actor *actor, const eo_process *sender, const eo_process *to, uint32_t before) {
  return actor->world.couriers && count_awaited(actor, sender, to, before, NULL) > 0;
}

static bool is_ready(const eo_actor *actor, const eo_courier *courier) {
  for (uint32_t i = 0; i < courier->awaited_count; i++)
    if (process_number(actor, courier->awaited[i])->state == EO_ALIVE) return false;
  return true;
}

static void no_room(eo_actor *actor, const eo_process *sender) {
  eo__actor_fail(actor, EO_KIND_MISUSE, sender, sender->pending->place,
                 "there is no room for another signal or message in transit, or its logical id would be too long");
  actor->wild = true;
}

/* Begins a courier with this message number; the caller fills in what it carries. NULL: there is no room, or no memory, and the
 * run ends. The message is apart only once its courier is there: the step counts those that are by their couriers. */
static eo_courier *set_out(eo_actor *actor, eo_process *sender, const eo_process *to, uint32_t message) {
  uint32_t count = count_awaited(actor, sender, to, UINT32_MAX, NULL);
  uint32_t number = eo__actor_known_courier(actor, sender->number, ++sender->couriers);
  eo_courier *courier = eo__pool_alloc(actor, sizeof *courier + count * sizeof *courier->awaited);
  bool listed = eo_vec_reserve(&actor->begun, 1);
  if (!listed) eo__actor_nomem(actor);
  eo_process *process = number == EO_NO_PROCESS || !courier || !listed ? NULL : eo__actor_start_courier(actor, number);
  if (!process) {
    if (!actor->base.error) no_room(actor, sender);
    return NULL;
  }
  actor->begun.items[actor->begun.count++] = number;
  actor->letters.items[message - 1].apart = true;
  *courier = (eo_courier){.next = actor->world.couriers,
                          .process = number,
                          .from = sender->number,
                          .to = to->number,
                          .message = message,
                          .step = actor->world.steps,
                          .clock = sender->clock,
                          .time = sender->now,
                          .awaited_count = count};
  count_awaited(actor, sender, to, UINT32_MAX, courier->awaited);
  actor->world.couriers = courier;
  process->courier = courier;
  process->exit_op = (eo_op){.kind = EO_OP_SIGNAL, .place = sender->pending->place};
  process->pending = &process->exit_op;
  eo__process_able(actor, process, is_ready(actor, courier));
  return courier;
}

void eo__courier_signal(eo_actor *actor, eo_process *sender, const eo_signal *signal) {
  const eo_process *to = eo__process_of(signal->to);
  uint32_t message = eo__message_next(actor, sender);
  if (message == 0) {
    sender->sent--;
    return; /* no memory: the run ends */
  }
  actor->letters.items[message - 1] = (eo_letter){.to = to->number, .tag = EO_EXIT};
  eo_courier *courier = set_out(actor, sender, to, message);
  if (!courier) return;
  courier->reason = signal->reason;
  courier->linked = signal->linked;
}

void eo__courier_mail(eo_actor *actor, eo_process *sender, const eo_process *to, eo_mail *mail, bool muted) {
  eo_courier *courier = set_out(actor, sender, to, mail->number);
  if (!courier) return;
  courier->mail = mail;
  courier->muted = muted;
}

/* ---- Arriving --------------------------------------------------------------------------------------------------- */

bool eo__courier_deed(const eo_actor *actor, const eo_process *process, eo_deed *deed) {
  const eo_courier *courier = process->courier;
  bool down = courier->mail && courier->mail->tag == EO_DOWN;
  if (courier->mail && !down) return false;
  *deed = (eo_deed){.kind = EO_OP_SIGNAL,
                    .flags = down              ? EO_OP_MONITORED
                             : courier->linked ? EO_OP_LINKED
                                               : 0,
                    .self = (eo_citizen *)(uintptr_t)&process->citizen,
                    .other = &process_number(actor, courier->to)->citizen,
                    .from = &process_number(actor, courier->from)->citizen,
                    .reason = courier->reason};
  return true;
}

/* The EXIT that the signal turns into: a message of the sender, and of the moment when it set out. */
void eo__courier_turns(eo_actor *actor, eo_process *process, eo_mail *mail) {
  const eo_courier *courier = process->courier;
  mail->number = courier->message;
  mail->clock = courier->clock;
  mail->time = courier->time;
  actor->letters.items[mail->number - 1].mail = mail;
  process->sent = 1;
  if (eo__is_observed(actor, mail->tag)) eo__observe_mail(actor, process, courier->to, mail);
  if (!actor->failed) eo__mail_put(actor, process_number(actor, courier->to), mail);
}

void eo__courier_delivers(eo_actor *actor, eo_process *process) {
  const eo_courier *courier = process->courier;
  eo_process *to = process_number(actor, courier->to);
  process->sent = 1;
  if (courier->muted)
    eo__mail_free(actor, courier->mail);
  else
    eo__mail_put(actor, to, courier->mail);
}

/* What it is to do is part of the state. */
bool eo__courier_mutes(eo_actor *actor, const eo_process *to, eo_ref ref) {
  for (eo_courier *courier = actor->world.couriers; courier; courier = courier->next) {
    eo_process *process = process_number(actor, courier->process);
    if (courier->to != to->number || process->state != EO_ALIVE || courier->muted) continue;
    if (!courier->mail || !eo__mail_is_down(courier->mail, ref)) continue;
    eo__process_stale(actor, process);
    return courier->muted = true;
  }
  return false;
}

void eo__courier_ends(eo_actor *actor, eo_process *process) {
  process->state = EO_ENDED;
  eo__process_able(actor, process, 0);
  for (const eo_courier *other = actor->world.couriers; other != process->courier; other = other->next) {
    eo_process *later = process_number(actor, other->process);
    if (later->state != EO_ALIVE || later->choices) continue;
    eo__process_stale(actor, later);
    eo__process_able(actor, later, is_ready(actor, other));
  }
}

/* ---- How steps relate ------------------------------------------------------------------------------------------- */

uint32_t eo__actor_begun(eo_subject *subject, const uint32_t **processes) {
  const eo_actor *actor = eo__actor_of(subject);
  *processes = actor->begun.items;
  return (uint32_t)actor->begun.count;
}

uint32_t eo__actor_awaited(eo_subject *subject, uint32_t process, const uint32_t **processes) {
  const eo_courier *courier = process_number(eo__actor_of(subject), process)->courier;
  *processes = courier->awaited;
  return courier->awaited_count;
}
