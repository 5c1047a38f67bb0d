/* operations.c: what each operation does to the world. One function per kind; they run in the engine, and touch the
 * process's own memory only where it was made by us (its arena's inbox). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "subjects/actor/couriers.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/mailbox.h"
#include "subjects/actor/operations.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/relations.h"
#include "subjects/actor/sharing.h"
#include "subjects/actor/specifications.h"

static eo_pid pid_of(const eo_process *process) { return process->slot; }

static eo_process *process_number(eo_actor *actor, uint32_t number) { return actor->by_number.items[number]; }

static void no_memory(eo_actor *actor, const eo_process *process, const eo_op *op) {
  eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place, "eo_%s: the execution is out of memory",
                 eo__op_name(op->kind));
  actor->wild = true;
}

/* The process `op` names. A number that never was a process is misuse; NULL then. */
static eo_process *whom(eo_actor *actor, const eo_process *process, const eo_op *op) {
  eo_process *other = eo__actor_process_of(actor, op->pid);
  if (!other) {
    eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place, "eo_%s: %llu is not a process", eo__op_name(op->kind),
                   (unsigned long long)op->pid);
    actor->wild = true; /* who is told of the process spawns it first: whether this comes after that, no event says */
  }
  return other;
}

/* A message of the library's own, made in a step of `sender`; the receiver is told it is from `from`. */
static void send_from(eo_actor *actor, eo_process *sender, const eo_signal *signal, uint32_t from, int tag,
                      const void *bytes, size_t size) {
  eo_process *to = eo__process_of(signal->to);
  eo_mail *mail = eo__mail_new(actor, from, tag, bytes, size);
  if (!mail)
    no_memory(actor, to, to->pending);
  else if (sender->courier)
    eo__courier_turns(actor, sender, mail);
  else if (signal->muted)
    eo__mail_lose(actor, sender, to, mail);
  else
    eo__mail_send(actor, sender, to, mail);
}

/* What an EXIT or DOWN says. What lies between their members is hashed too. */
static void send_news(eo_actor *actor, eo_process *sender, const eo_signal *signal) {
  const eo_process *from = signal->from ? eo__process_of(signal->from) : sender;
  eo_exit_info exit_info;
  eo_down_info down_info;
  if (signal->kind == EO_SIGNAL_EXIT) {
    memset(&exit_info, 0, sizeof exit_info);
    exit_info.pid = pid_of(from);
    exit_info.reason = signal->reason;
    send_from(actor, sender, signal, from->number, EO_EXIT, &exit_info, sizeof exit_info);
  } else {
    memset(&down_info, 0, sizeof down_info);
    down_info.ref = signal->ref;
    down_info.pid = signal->from ? pid_of(from) : EO_NOBODY;
    down_info.reason = signal->reason;
    send_from(actor, sender, signal, from->number, EO_DOWN, &down_info, sizeof down_info);
  }
}

/* ---- The society ------------------------------------------------------------------------------------------------ */

static eo_actor *actor_of_society(const eo_society *society) {
  return (eo_actor *)((uintptr_t)society - offsetof(eo_actor, world.society));
}

static void *society_alloc(eo_society *society, size_t size) {
  eo_actor *actor = actor_of_society(society);
  void *block = eo__pool_alloc(actor, size);
  if (!block) actor->pool_is_full = true;
  return block;
}

static void society_free(eo_society *society, void *block, size_t size) {
  eo__pool_free(actor_of_society(society), block, size);
}

static bool society_before(const eo_society *society, const eo_citizen *a, const eo_citizen *b) {
  return eo__actor_before(actor_of_society(society), a->number, b->number);
}

static void society_changes(eo_society *society, eo_citizen *citizen) {
  (void)society;
  eo__process_of(citizen)->kept = NULL;
}

void eo__operations_reset(eo_actor *actor) {
  static const eo_society_ops ops = {society_alloc, society_free, society_before, society_changes};
  actor->world.society = (eo_society){.ops = &ops, .names = &actor->world.names, .name_buckets = 1};
}

/* The operation as a deed. False: it has nothing to do with the society, or acts on what never was a process. `other` is the
 * child of a spawn, else NULL. */
bool eo__operation_deed(eo_actor *actor, const eo_process *process, const eo_op *op, const eo_process *other,
                        eo_deed *deed) {
  enum { ALONE = 1 << EO_OP_RECEIVE | 1 << EO_OP_CHOOSE | 1 << EO_OP_SLEEP | 1 << EO_OP_FAULT };
  if (process->courier) return eo__courier_deed(actor, process, deed);
  bool spawns = op->kind == EO_OP_SPAWN, by_name = op->flags & EO_OP_BY_NAME;
  if (ALONE >> op->kind & 1 || (op->kind == EO_OP_SEND && !by_name)) return false;
  if (spawns && (!other || !(op->flags & (EO_OP_LINKED | EO_OP_MONITORED)))) return false;
  if (op->pid && op->kind != EO_OP_EXIT && !(other = eo__actor_process_of(actor, op->pid))) return false;
  *deed = (eo_deed){.kind = op->kind,
                    .flags = eo__is_observed(actor, EO_DOWN) ? op->flags & ~EO_OP_QUIET : op->flags,
                    .self = (eo_citizen *)(uintptr_t)&process->citizen,
                    .other = other ? (eo_citizen *)(uintptr_t)&other->citizen : NULL,
                    .name = op->name,
                    .ref = op->kind == EO_OP_DEMONITOR ? op->ref : pid_of(process) << 32 | (process->refs + 1),
                    .reason = op->reason,
                    .on = op->on};
  return true;
}

static void touch_object(eo_actor *actor, const eo_contact *contact) {
  if (contact->kind == EO_OBJECT_NAME)
    eo__touch_name(actor, contact->name, contact->writes);
  else if (contact->kind < EO_OBJECT_NAME)
    eo__touch(actor, contact->kind, contact->a, contact->writes);
  else
    eo__touch_pair(actor, contact->kind, contact->a, contact->b, contact->writes);
}

void eo__operation_touch(eo_actor *actor, const eo_effects *effects) {
  EO_CHECK(!effects->lost);
  for (size_t i = 0; i < effects->touches.count; i++) touch_object(actor, &effects->touches.items[i]);
}

/* What the pending operation could touch, at most. */
static void touch_pending(eo_actor *actor, const eo_process *process) {
  const eo_op *op = process->pending;
  eo_deed deed;
  if (op->kind == EO_OP_SEND) eo__observe_pending(actor, op->tag);
  bool tells = op->kind == EO_OP_EXIT || op->kind == EO_OP_KILL || op->kind == EO_OP_SIGNAL;
  if (op->kind == EO_OP_LINK || tells) eo__observe_pending(actor, EO_EXIT);
  if (op->kind == EO_OP_MONITOR || op->kind == EO_OP_EXIT) eo__observe_pending(actor, EO_DOWN);
  if (!eo__operation_deed(actor, process, op, NULL, &deed)) return;
  eo_effects_clear(&actor->foreseen);
  eo__society_bound(&actor->world.society, &deed, &actor->foreseen);
  eo__operation_touch(actor, &actor->foreseen);
}

void eo__actor_pending(eo_subject *subject, uint32_t number, eo_pending *pending) {
  eo_actor *actor = eo__actor_of(subject);
  const eo_process *process = process_number(actor, number), *to = NULL;
  const eo_op *op = process->pending;
  *pending = (eo_pending){.to = EO_NO_PROCESS};
  if (op->kind == EO_OP_SEND && op->flags & EO_OP_BY_NAME) {
    const eo_citizen *holder = eo__society_holder(&actor->world.society, op->name);
    to = holder ? eo__process_of(holder) : NULL;
  } else if (op->kind == EO_OP_SEND) {
    to = eo__actor_process_of(actor, op->pid);
  } else if (process->courier && process->courier->mail) {
    to = process_number(actor, process->courier->to);
  } else if (op->kind == EO_OP_RECEIVE) {
    pending->timed = eo__delivery_times_out(actor, process);
    if (process->match && !actor->world.taking) pending->message = (*process->match)->number;
  }
  if (to) pending->to = to->number;
  size_t had = actor->touches.count;
  touch_pending(actor, process);
  pending->touch_count = (uint32_t)(actor->touches.count - had);
  pending->touches = actor->touches.items + had; /* they stay there until something is touched again */
  actor->touches.count = had;
}

/* Keeps what it was about to do, for strategies that must know what did not happen. */
static void keep_foregone(eo_actor *actor, eo_process *process) {
  const eo_op *op = process->pending;
  size_t had = actor->touches.count;
  touch_pending(actor, process);
  size_t count = actor->touches.count - had;
  eo_foregone *foregone = eo__pool_alloc(actor, sizeof *foregone + count * sizeof *foregone->touches);
  if (!foregone) {
    actor->touches.count = had;
    eo__actor_nomem(actor);
    return;
  }
  *foregone = (eo_foregone){.op = (uint16_t)op->kind,
                            .timed = op->kind == EO_OP_RECEIVE && eo__delivery_times_out(actor, process),
                            .choices = op->kind == EO_OP_CHOOSE  ? op->n
                                       : op->kind == EO_OP_FAULT ? 1u + (actor->options.faults.most > 0)
                                                                 : 1,
                            .touch_count = (uint32_t)count};
  if (count) memcpy(foregone->touches, actor->touches.items + had, count * sizeof *foregone->touches);
  actor->touches.count = had;
  process->foregone = foregone;
  eo__deed_note_foregone(actor, process);
}

/* From now on the process can only exit, with this reason. */
static void doom(eo_actor *actor, const eo_process *sender, const eo_signal *signal) {
  eo_process *process = eo__process_of(signal->to);
  if (!eo_vec_push(&actor->doomed, process->number)) eo__actor_nomem(actor); /* if it is not too late */
  if (!signal->first) return;
  if (process != sender && actor->world.taking) keep_foregone(actor, process);
  process->exit_op = (eo_op){.kind = EO_OP_EXIT,
                             .reason = signal->reason,
                             .pid = signal->from ? pid_of(eo__process_of(signal->from)) : 0,
                             .place = process->pending->place};
  process->pending = &process->exit_op;
  eo__process_able(actor, process, 1);
  process->match = NULL;
  eo__process_stale(actor, process);
}

bool eo__operation_leaves(const eo_actor *actor, const eo_process *process, uint32_t step, const eo_effects *effects,
                          size_t at) {
  const eo_signal *signal = &effects->signals.items[at];
  if (signal->kind == EO_SIGNAL_LEAVE) return true;
  if (signal->kind != EO_SIGNAL_DOWN || actor->options.delivery == EO_DELIVERY_ASYNC) return false;
  for (size_t i = 0; i < at; i++)
    if (effects->signals.items[i].kind == EO_SIGNAL_LEAVE && effects->signals.items[i].to == signal->to) return true;
  return eo__courier_needed(actor, process, actor->by_number.items[signal->to->number], step);
}

static void carry_out(eo_actor *actor, eo_process *process, const eo_effects *effects) {
  for (size_t i = 0; i < effects->signals.count; i++) {
    const eo_signal *signal = &effects->signals.items[i];
    if (signal->kind == EO_SIGNAL_DOOM)
      doom(actor, process, signal);
    else if (signal->kind == EO_SIGNAL_LEAVE)
      eo__courier_signal(actor, process, signal);
    else if (signal->kind != EO_SIGNAL_SEND)
      send_news(actor, process, signal);
  }
}

/* The process does it: what it touches, and the signals, are carried out. The effects are there until the next one. */
static const eo_effects *act(eo_actor *actor, eo_process *process, eo_op *op, const eo_deed *deed, eo_event *event) {
  eo_effects *effects = &actor->effects;
  eo_effects_clear(effects);
  actor->pool_is_full = false;
  if (actor->world.taking) eo__deed_note(actor, deed);
  eo__society_apply(&actor->world.society, deed, effects);
  if (effects->lost) { /* the program's doing only if the pool, which is large, is full */
    if (!actor->pool_is_full) eo__actor_nomem(actor);
    no_memory(actor, process, op);
    return effects;
  }
  eo__operation_touch(actor, effects);
  if (effects->other) event->other = effects->other->number;
  carry_out(actor, process, effects);
  return effects;
}

/* ---- The operations --------------------------------------------------------------------------------------------- */

static void drop_mailbox(eo_actor *actor, eo_process *process) {
  while (process->mailbox) eo__mail_free(actor, eo__mail_take(process, &process->mailbox));
}

static void fail_abnormal(eo_actor *actor, const eo_process *process, const eo_op *exit, const char *why) {
  char text[64];
  const eo_process *cause = exit->pid ? eo__actor_process_of(actor, exit->pid) : NULL;
  eo__actor_fail(actor, EO_KIND_ABNORMAL, process, exit->place, "%s exits with reason %s%s%s%s",
                 eo__actor_name(actor, process->number), eo__reason_name(exit->reason, text, sizeof text),
                 cause ? ", spread from " : "", cause ? eo__actor_name(actor, cause->number) : "", why);
}

static void do_exit(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  int reason = op->reason;
  bool noticed = false;
  eo_deed deed;
  if (reason != EO_NORMAL &&
      actor->options.abnormal_fails) { /* whatever others do: so it does nothing to them either */
    fail_abnormal(actor, process, op, ", which --abnormal fail makes a failure");
    return;
  }
  (void)eo__operation_deed(actor, process, op, NULL, &deed);
  process->state = EO_ENDED;
  if (__builtin_expect(actor->auditing, 0)) eo__bounds_ended(actor, process);
  eo__process_printed(actor, actor->known.items[process->number].ended);
  eo__process_able(actor, process, 0);
  actor->world.alive--;
  if (eo_society_exit_alone(&process->citizen)) {
    if (actor->world.taking) eo__deed_note(actor, &deed);
    eo__touch(actor, EO_OBJECT_LIFE, process->number, true);
    eo__touch(actor, EO_OBJECT_NAMED, process->number, true);
    noticed = process->citizen.killed;
  } else {
    noticed = act(actor, process, op, &deed, event)->noticed;
  }
  drop_mailbox(actor, process);
  if (reason != EO_NORMAL && !noticed && !actor->failed)
    fail_abnormal(actor, process, op, " and nobody is linked to it or monitors it");
}

static void do_spawn(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  uint32_t number = eo__actor_known_child(actor, process->number, ++process->children);
  eo_mail *argument = process->outgoing;
  eo_process *child = NULL;
  eo_deed deed;
  if (number != EO_NO_PROCESS)
    child = eo__actor_start(actor, number, op->function, argument ? argument->bytes : NULL, op->size);
  if (child && __builtin_expect(actor->apart, 0)) {
    eo__mask_inherit(child, process);
    eo__control_inherit(child, process);
  }
  if (!child) {
    eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place,
                   "eo_spawn: there is no room for another process, or its logical id would be too long");
    actor->wild = true;
    return;
  }
  if (argument) eo__mail_free(actor, argument);
  process->outgoing = NULL;
  child->now = process->now;
  op->result = pid_of(child);
  event->other = number;
  eo__delivery_spawned(actor, process, child);
  if (eo__operation_deed(actor, process, op, child, &deed)) act(actor, process, op, &deed, event);
  if (op->flags & EO_OP_MONITORED) {
    op->ref = deed.ref;
    process->refs++;
  }
  if (actor->failed) return;
  eo__actor_go_on(actor, child);
}

static void drop_outgoing(eo_actor *actor, eo_process *process) {
  eo__mail_free(actor, process->outgoing);
  process->outgoing = NULL;
}

static void do_send(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *to;
  eo_deed deed;
  if (op->flags & EO_OP_BY_NAME) {
    (void)eo__operation_deed(actor, process, op, NULL, &deed);
    const eo_effects *effects = act(actor, process, op, &deed, event);
    op->result = effects->result;
    if (effects->other) event->flags |= EO_EVENT_YES;
    if (!effects->other) {
      if (op->flags & EO_OP_CAUGHT) drop_outgoing(actor, process);
      return;
    }
    to = eo__process_of(effects->other);
  } else if (!(to = whom(actor, process, op))) {
    return;
  }
  eo_mail *mail = process->outgoing;
  process->outgoing = NULL;
  event->other = to->number;
  eo__mail_send(actor, process, to, mail);
}

static void do_receive(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  if (eo__delivery_times_out(actor, process)) event->flags |= EO_EVENT_TIMED;
  if (eo__receives_any(op)) event->flags |= EO_EVENT_ANY;
  if (actor->world.taking) eo__delivery_leave(actor, process, process->match ? *process->match : NULL);
  if (!process->match) {
    process->now += (uint64_t)op->timeout;
    op->result = 0;
    event->flags |= EO_EVENT_TIMEOUT;
    return;
  }
  eo_mail *mail = eo__mail_take(process, process->match);
  process->match = NULL;
  event->other = mail->from;
  event->message = mail->number;
  if (op->flags & EO_OP_DEQUEUE && eo_reaction(op->events, mail->tag) == EO_REACT_IGNORE)
    event->flags |= EO_EVENT_IGNORED; /* where receives choose only: else it would have been dropped before */
  if (mail->time > process->now) process->now = mail->time;
  if (!eo__mail_show(actor, process, mail)) no_memory(actor, process, op);
  op->result = 1;
  eo__mail_free(actor, mail);
}

/* The DOWN of an ended monitor is taken out of the mailbox, or does not come there; its number, 0: it was not there. */
static uint32_t flush(eo_actor *actor, eo_process *process, eo_ref ref) {
  for (eo_mail **link = &process->mailbox; *link; link = &(*link)->next) {
    if (!eo__mail_is_down(*link, ref)) continue;
    uint32_t number = (*link)->number;
    eo__mail_free(actor, eo__mail_take(process, link));
    return number;
  }
  (void)eo__courier_mutes(actor, process, ref);
  return 0;
}

/* The monitor is over, as the other has ended: so its DOWN has arrived, or was taken. Unless it goes by a courier: then it has not
 * arrived, and never will, as the monitor was there after all. */
static bool was_there(eo_actor *actor, eo_process *process, eo_ref ref) {
  if (!actor->world.society.travels || eo__delivery_finds_down(actor, process, ref)) return false;
  if (!eo__courier_mutes(actor, process, ref)) return false;
  eo__delivery_flushed(actor, process, ref);
  return true;
}

/* What has to do with links, monitors and names, and is not more than that. */
static void do_deed(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_deed deed;
  if (op->kind == EO_OP_DEMONITOR &&
      (op->ref >> 32 != pid_of(process) || (uint32_t)op->ref == 0 || (uint32_t)op->ref > process->refs)) {
    eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place, "%s", eo__not_a_monitor(op));
    return;
  }
  if (!eo__operation_deed(actor, process, op, NULL, &deed)) {
    (void)whom(actor, process, op);
    return;
  }
  const eo_effects *effects = act(actor, process, op, &deed, event);
  op->result = effects->result;
  if (op->kind == EO_OP_DEMONITOR && !effects->result && !(deed.flags & EO_OP_QUIET))
    op->result = was_there(actor, process, op->ref);
  bool finds = effects->other && (op->kind == EO_OP_WHEREIS || op->flags & EO_OP_BY_NAME);
  bool asks = op->kind == EO_OP_REGISTER || op->kind == EO_OP_IS_ALIVE;
  if (finds || (asks && effects->result)) event->flags |= EO_EVENT_YES;
  if (op->kind == EO_OP_WHEREIS) op->result = effects->other ? pid_of(eo__process_of(effects->other)) : EO_NOBODY;
  if (op->kind == EO_OP_MONITOR) {
    op->ref = deed.ref;
    process->refs++;
  }
  if (!(op->flags & EO_OP_FLUSHED)) return;
  uint32_t flushed = flush(actor, process, op->ref);
  if (!(deed.flags & EO_OP_QUIET)) event->message = flushed;
  if (actor->world.taking) eo__delivery_flushed(actor, process, op->ref); /* else nobody asks */
}

/* What a courier carries arrives. It has ended before: whatever fails now, it has come. */
static void do_signal(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_deed deed;
  eo__courier_ends(actor, process);
  if (eo__courier_deed(actor, process, &deed)) act(actor, process, op, &deed, event);
  if (process->courier->mail) eo__courier_delivers(actor, process);
  event->other = process->courier->to;
  if (process->sent) event->message = process->courier->message;
}

/* What others may still do depends on how many there were. */
static void do_fault(eo_actor *actor, const eo_process *process, eo_op *op, uint32_t value) {
  op->result = value;
  actor->can_fault = true;
  if (value == 0) return;
  eo__faults_take(&actor->options.faults, &actor->world.faults, op->name);
  for (size_t i = 0; i < actor->live.count; i++) {
    eo_process *other = actor->live.items[i];
    if (other == process || other->state != EO_ALIVE || other->pending->kind != EO_OP_FAULT) continue;
    other->kept = NULL;
    eo__operation_ready(actor, other);
  }
}

void eo__operation_perform(eo_actor *actor, eo_process *process, uint32_t value, eo_event *event) {
  eo_op *op = process->pending;
  if (actor->world.taking && op->kind != EO_OP_EXIT) eo__deed_none(actor);
  switch (op->kind) {
    case EO_OP_EXIT: do_exit(actor, process, op, event); break;
    case EO_OP_SPAWN: do_spawn(actor, process, op, event); break;
    case EO_OP_SEND: do_send(actor, process, op, event); break;
    case EO_OP_RECEIVE: do_receive(actor, process, op, event); break;
    case EO_OP_CHOOSE: op->result = value; break;
    case EO_OP_FAULT: do_fault(actor, process, op, value); break;
    case EO_OP_SLEEP: process->now += (uint64_t)op->timeout; break;
    case EO_OP_SIGNAL: do_signal(actor, process, op, event); break;
    case EO_OP_KINDS: EO_CHECK(!"an operation without a kind");
    default: do_deed(actor, process, op, event); break;
  }
  if (actor->doomed.count) event->flags |= EO_EVENT_DOOMS;
  if (actor->begun.count) event->flags |= EO_EVENT_BEGINS;
}

static uint32_t ways(const eo_actor *actor, const eo_process *process) {
  const eo_op *op = process->pending;
  bool timed = op->timeout != EO_FOREVER && !actor->options.timeouts_idle;
  if (op->kind == EO_OP_RECEIVE)
    return timed || (actor->world.taking ? eo__delivery_possible(process) : process->match != NULL);
  if (op->kind == EO_OP_CHOOSE) return op->n;
  if (op->kind == EO_OP_FAULT) return 1u + eo__faults_allow(&actor->options.faults, &actor->world.faults, op->name);
  return op->kind != EO_OP_SLEEP || !actor->options.timeouts_idle;
}

void eo__operation_ready(eo_actor *actor, eo_process *process) {
  eo__process_able(actor, process, ways(actor, process));
}

const char *eo__reason_name(int reason, char *out, size_t size) {
  const char *name = reason == EO_NORMAL   ? "normal"
                     : reason == EO_NOPROC ? "EO_NOPROC"
                     : reason == EO_BADARG ? "EO_BADARG"
                     : reason == EO_KILL   ? "EO_KILL"
                     : reason == EO_KILLED ? "EO_KILLED"
                                           : NULL;
  if (name) return name;
  snprintf(out, size, "%d", reason);
  return out;
}

__attribute__((noinline)) void eo__replay_here(uint32_t step) { __asm__ volatile("" ::"r"(step) : "memory"); }

/* Where `everyorder replay --gdb` stops at the failure: `up` leads to it. */
__attribute__((noinline)) void eo__failure_here(void);
void eo__failure_here(void) { __asm__ volatile("" ::: "memory"); }

void eo__actor_fail(eo_actor *actor, eo_kind kind, const eo_process *process, const eo_place *place, const char *format,
                    ...) {
  if (actor->failed) return;
  eo_failure *failure = &actor->failure;
  failure->kind = kind;
  failure->class_name[0] = '\0';
  failure->frames = 0;
  failure->line = place ? place->line : 0;
  snprintf(failure->process, sizeof failure->process, "%s", process ? eo__actor_name(actor, process->number) : "");
  snprintf(failure->file, sizeof failure->file, "%s", place ? place->file : "");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure->message, sizeof failure->message, format, arguments);
  va_end(arguments);
  actor->failed = true;
  actor->failing = process ? process->number : EO_NO_PROCESS;
  if (actor->describing) eo__failure_here();
}
