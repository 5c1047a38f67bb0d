/* operations.c: what each operation does to the world. One function per kind; they run in the engine, and touch the
 * process's own memory only where it was made by us (its arena's inbox). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "subjects/actor/inside.h"

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
static void send_from(eo_actor *actor, eo_process *sender, eo_process *to, uint32_t from, int tag, const void *bytes,
                      size_t size) {
  eo_mail *mail = eo__mail_new(actor, from, tag, bytes, size);
  if (!mail) {
    no_memory(actor, to, to->pending);
    return;
  }
  eo__mail_send(actor, sender, to, mail);
}

static void send_exit(eo_actor *actor, eo_process *sender, eo_process *to, const eo_process *from, int reason) {
  eo_exit_info info;
  memset(&info, 0, sizeof info); /* what lies between its members is hashed too */
  info.pid = pid_of(from);
  info.reason = reason;
  send_from(actor, sender, to, from->number, EO_EXIT, &info, sizeof info);
}

static void send_down(eo_actor *actor, eo_process *sender, eo_process *to, const eo_process *from, eo_ref ref,
                      int reason) {
  eo_down_info info;
  memset(&info, 0, sizeof info);
  info.ref = ref;
  info.pid = pid_of(from);
  info.reason = reason;
  send_from(actor, sender, to, from->number, EO_DOWN, &info, sizeof info);
}

/* ---- Bonds: links and monitors --------------------------------------------------------------------------------- */

bool eo__bond_before(const eo_actor *actor, uint32_t a, uint32_t b, uint32_t other_a, uint32_t other_b) {
  bool turned = eo__actor_before(actor, other_b, other_a), turn = eo__actor_before(actor, b, a);
  uint32_t low = turn ? b : a, other_low = turned ? other_b : other_a;
  if (low != other_low) return eo__actor_before(actor, low, other_low);
  return eo__actor_before(actor, turn ? a : b, turned ? other_a : other_b);
}

/* Does the pair (a, b) come before that of the bond? */
static bool pair_before(const eo_actor *actor, uint32_t a, uint32_t b, const eo_bond *bond) {
  return eo__bond_before(actor, a, b, bond->a, bond->b);
}

static bool add_bond(eo_actor *actor, uint32_t a, uint32_t b, eo_ref ref) {
  eo_bond *bond = eo__pool_alloc(actor, sizeof *bond);
  if (!bond) return false;
  eo_bond **at = actor->world.bonds_end;
  if (actor->world.bonds && pair_before(actor, a, b, (eo_bond *)at))
    for (at = &actor->world.bonds; !pair_before(actor, a, b, *at);) at = &(*at)->next;
  *bond = (eo_bond){*at, a, b, ref};
  *at = bond;
  if (!bond->next) actor->world.bonds_end = &bond->next;
  eo_process *one = process_number(actor, a), *other = process_number(actor, b);
  one->bonded = other->bonded = true;
  one->kept = other->kept = NULL;
  return true;
}

/* What p does to its bonds with q: depends on whether q has ended, and on other such steps of the two. */
static void touch_bonds(eo_actor *actor, const eo_process *p, const eo_process *q) {
  if (p == q) return;
  eo__touch(actor, EO_OBJECT_LIFE, q->number, false);
  eo__touch_pair(actor, EO_OBJECT_BONDS, p->number, q->number, true);
}

static eo_bond **find_link(eo_actor *actor, uint32_t a, uint32_t b) {
  eo_bond **at = &actor->world.bonds;
  for (; *at; at = &(*at)->next)
    if ((*at)->ref == 0 && (((*at)->a == a && (*at)->b == b) || ((*at)->a == b && (*at)->b == a))) break;
  return at;
}

static void remove_bond(eo_actor *actor, eo_bond **at) {
  eo_bond *bond = *at;
  *at = bond->next;
  if (!bond->next) actor->world.bonds_end = at;
  eo__pool_free(actor, bond, sizeof *bond);
}

/* ---- Names ----------------------------------------------------------------------------------------------------- */

static eo_name **find_name(eo_actor *actor, const char *text) {
  eo_name **at = &actor->world.names;
  while (*at && strcmp((*at)->text, text) != 0) at = &(*at)->next;
  return at;
}

static void remove_name(eo_actor *actor, eo_name **at) {
  eo_name *name = *at;
  *at = name->next;
  name->process->name = NULL;
  name->process->kept = NULL;
  eo__pool_free(actor, name, sizeof *name + strlen(name->text) + 1);
}

/* ---- Exit ------------------------------------------------------------------------------------------------------- */

/* What the exit of `process` has in common with what others do, but for the messages and signals it sends. */
static void touch_exit(eo_actor *actor, const eo_process *process) {
  uint32_t number = process->number;
  eo__touch(actor, EO_OBJECT_LIFE, number, true);
  eo__touch(actor, EO_OBJECT_NAMED, number, true); /* it has none afterwards, whoever unregistered it */
  if (process->name) eo__touch_name(actor, process->name, true);
}

/* And with the process at the other side of a bond. */
static void touch_bonded(eo_actor *actor, const eo_process *process, const eo_bond *bond, int reason) {
  const eo_process *other = process_number(actor, bond->a == process->number ? bond->b : bond->a);
  bool tells = bond->ref == 0 || bond->b == process->number;
  /* Whether the exit of one is noticed, and how the other ends, depends on which comes first; not if both are normal. */
  eo__touch_pair(actor, EO_OBJECT_ENDS, process->number, other->number, tells && reason != EO_NORMAL);
  /* A signal that ends it is a write: of two such signals the first gives the reason. */
  if (bond->ref == 0) eo__touch(actor, EO_OBJECT_TRAPS, other->number, reason != EO_NORMAL && !other->traps);
}

/* What the pending operation could touch, at most. */
static void touch_pending(eo_actor *actor, const eo_process *process) {
  const eo_op *op = process->pending;
  const eo_process *other = op->pid ? eo__actor_process_of(actor, op->pid) : NULL;
  uint32_t number = other ? other->number : EO_NO_PROCESS;
  if (op->name) eo__touch_name(actor, op->name, op->kind == EO_OP_REGISTER || op->kind == EO_OP_UNREGISTER);
  if (op->kind == EO_OP_SEND) eo__observe_pending(actor, op->tag);
  if (op->kind == EO_OP_LINK || op->kind == EO_OP_EXIT) eo__observe_pending(actor, EO_EXIT);
  if (op->kind == EO_OP_MONITOR || op->kind == EO_OP_EXIT) eo__observe_pending(actor, EO_DOWN);
  if (op->kind == EO_OP_REGISTER && other) {
    eo__touch(actor, EO_OBJECT_LIFE, number, false);
    eo__touch(actor, EO_OBJECT_NAMED, number, true);
  }
  if (other && (op->kind == EO_OP_LINK || op->kind == EO_OP_UNLINK || op->kind == EO_OP_MONITOR))
    touch_bonds(actor, process, other);
  if (op->kind == EO_OP_TRAP_EXIT) eo__touch(actor, EO_OBJECT_TRAPS, process->number, true);
  if (op->kind == EO_OP_EXIT) touch_exit(actor, process);
  for (const eo_bond *bond = actor->world.bonds; bond; bond = bond->next) {
    if (op->kind == EO_OP_DEMONITOR && bond->ref == op->ref)
      touch_bonds(actor, process, process_number(actor, bond->b));
    if (op->kind == EO_OP_EXIT && bond->a != bond->b && (bond->a == process->number || bond->b == process->number))
      touch_bonded(actor, process, bond, op->reason);
  }
}

void eo__actor_pending(eo_subject *subject, uint32_t number, eo_pending *pending) {
  eo_actor *actor = eo__actor_of(subject);
  const eo_process *process = process_number(actor, number), *to = NULL;
  const eo_op *op = process->pending;
  *pending = (eo_pending){.to = EO_NO_PROCESS};
  if (op->kind == EO_OP_SEND && op->flags & EO_OP_BY_NAME) {
    const eo_name *name = *find_name(actor, op->name);
    to = name ? name->process : NULL;
  } else if (op->kind == EO_OP_SEND) {
    to = eo__actor_process_of(actor, op->pid);
  } else if (op->kind == EO_OP_RECEIVE) {
    pending->timed = op->timeout != EO_FOREVER && !actor->options.timeouts_idle;
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
  /* And what it does if there is nobody to send to or to link with: that ends it. */
  if ((op->kind == EO_OP_SEND && op->flags & EO_OP_BY_NAME) || op->kind == EO_OP_LINK)
    eo__touch(actor, EO_OBJECT_TRAPS, process->number, true);
  const eo_name *name = op->kind == EO_OP_UNREGISTER ? *find_name(actor, op->name) : NULL;
  if (name) eo__touch(actor, EO_OBJECT_NAMED, name->process->number, true);
  size_t count = actor->touches.count - had;
  eo_foregone *foregone = eo__pool_alloc(actor, sizeof *foregone + count * sizeof *foregone->touches);
  EO_CHECK(foregone);
  *foregone = (eo_foregone){.op = (uint16_t)op->kind,
                            .timed = op->kind == EO_OP_RECEIVE && op->timeout != EO_FOREVER,
                            .choices = op->kind == EO_OP_CHOOSE ? op->n : 1,
                            .touch_count = (uint32_t)count};
  if (count) memcpy(foregone->touches, actor->touches.items + had, count * sizeof *foregone->touches);
  actor->touches.count = had;
  process->foregone = foregone;
  eo__deed_note_foregone(actor, process);
}

/* From now on the process can only exit, with this reason. */
static void doom(eo_actor *actor, eo_process *process, int reason, eo_pid cause, const eo_place *place) {
  process->exit_op = (eo_op){.kind = EO_OP_EXIT, .reason = reason, .pid = cause, .place = place};
  process->pending = &process->exit_op;
  eo__process_able(actor, process, 1);
  process->match = NULL;
  eo__process_stale(actor, process);
}

/* An exit signal from `from` arrives, in a step of `sender`. True: somebody noticed. To a process that has ended an
 * EXIT is sent all the same: who else gets which message must not depend on that. */
static bool signal_exit(eo_actor *actor, eo_process *sender, eo_process *to, const eo_process *from, int reason) {
  if (to->traps) {
    send_exit(actor, sender, to, from, reason);
    return to->state == EO_ALIVE;
  }
  if (reason == EO_NORMAL) return false;
  EO_CHECK(eo_vec_push(&actor->doomed, to->number)); /* if it is not too late */
  if (to->state != EO_ALIVE) return false;
  if (to->pending == &to->exit_op) return true;
  if (to != sender && actor->world.taking) keep_foregone(actor, to);
  doom(actor, to, reason, pid_of(from), to->pending->place);
  return true;
}

/* The exit of `process` tells the other side of a bond. True: somebody noticed. */
static bool tell_of_exit(eo_actor *actor, eo_process *process, const eo_bond *bond, int reason) {
  eo_process *other = process_number(actor, bond->a == process->number ? bond->b : bond->a);
  touch_bonded(actor, process, bond, reason);
  if (bond->ref == 0) return signal_exit(actor, process, other, process, reason);
  if (bond->b != process->number) return false; /* it was the one who watched */
  send_down(actor, process, other, process, bond->ref, reason);
  return other->state == EO_ALIVE;
}

/* In the order of the logical ids of the others, whenever the bonds were made. True: somebody noticed. */
static bool tell_all_of_exit(eo_actor *actor, eo_process *process, int reason) {
  bool noticed = false;
  for (eo_bond **at = &actor->world.bonds; *at && process->bonded;) {
    eo_bond bond = **at;
    if (bond.a != process->number && bond.b != process->number) {
      at = &(*at)->next;
      continue;
    }
    uint32_t other = bond.a == process->number ? bond.b : bond.a;
    if (process_number(actor, other)->state == EO_ENDED)
      remove_bond(actor, at);
    else
      at = &(*at)->next;
    if (other != process->number) noticed |= tell_of_exit(actor, process, &bond, reason);
  }
  return noticed;
}

static void drop_mailbox(eo_actor *actor, eo_process *process) {
  while (process->mailbox) eo__mail_free(actor, eo__mail_take(process, &process->mailbox));
}

static void do_exit(eo_actor *actor, eo_process *process, eo_op *op) {
  int reason = op->reason;
  touch_exit(actor, process);
  process->state = EO_ENDED;
  eo__process_printed(actor, actor->known.items[process->number].ended);
  eo__process_able(actor, process, 0);
  actor->world.alive--;
  if (process->name) remove_name(actor, find_name(actor, process->name));
  bool noticed = tell_all_of_exit(actor, process, reason);
  drop_mailbox(actor, process);
  if (reason != EO_NORMAL && !noticed && !actor->failed) {
    char text[64];
    eo_process *cause = op->pid ? eo__actor_process_of(actor, op->pid) : NULL;
    eo__actor_fail(actor, EO_KIND_ABNORMAL, process, op->place,
                   "%s exits with reason %s%s%s and nobody is linked to it or monitors it",
                   eo__actor_name(actor, process->number), eo__reason_name(reason, text, sizeof text),
                   cause ? ", spread from " : "", cause ? eo__actor_name(actor, cause->number) : "");
  }
}

/* ---- The operations --------------------------------------------------------------------------------------------- */

static void do_spawn(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  uint32_t number = eo__actor_known_child(actor, process->number, ++process->children);
  eo_mail *argument = process->outgoing;
  eo_process *child = NULL;
  if (number != EO_NO_PROCESS)
    child = eo__actor_start(actor, number, op->function, argument ? argument->bytes : NULL, op->size);
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
  if (op->flags & (EO_OP_LINKED | EO_OP_MONITORED)) {
    eo__touch_pair(actor, EO_OBJECT_BONDS, process->number, number, true); /* as for link and monitor; it is alive */
    if (actor->world.taking) eo__deed_note(actor, process, op, number);
  }
  if (op->flags & EO_OP_LINKED && !add_bond(actor, process->number, number, 0)) no_memory(actor, process, op);
  if (op->flags & EO_OP_MONITORED) {
    op->ref = pid_of(process) << 32 | ++process->refs;
    if (!add_bond(actor, process->number, number, op->ref)) no_memory(actor, process, op);
  }
  if (actor->failed) return;
  eo__actor_go_on(actor, child);
}

static void do_send(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *to;
  if (op->flags & EO_OP_BY_NAME) {
    eo_name *name = *find_name(actor, op->name);
    if (actor->world.taking) eo__deed_note(actor, process, op, EO_NO_PROCESS);
    eo__touch_name(actor, op->name, false);
    if (!name) {
      eo__touch(actor, EO_OBJECT_TRAPS, process->number, true); /* as a signal that ends it */
      EO_CHECK(eo_vec_push(&actor->doomed, process->number));
      doom(actor, process, EO_BADARG, 0, op->place);
      return;
    }
    to = name->process;
  } else if (!(to = whom(actor, process, op))) {
    return;
  }
  eo_mail *mail = process->outgoing;
  process->outgoing = NULL;
  event->other = to->number;
  eo__mail_send(actor, process, to, mail);
}

static void do_receive(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  if (op->timeout != EO_FOREVER && !actor->options.timeouts_idle) event->flags |= EO_EVENT_TIMED;
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

static void do_link(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *other = whom(actor, process, op);
  if (!other || other == process) return;
  event->other = other->number;
  touch_bonds(actor, process, other);
  if (other->state == EO_ENDED) {
    eo__touch(actor, EO_OBJECT_TRAPS, process->number, !process->traps);
    signal_exit(actor, process, process, other, EO_NOPROC);
    return;
  }
  if (!*find_link(actor, process->number, other->number) && !add_bond(actor, process->number, other->number, 0))
    no_memory(actor, process, op);
}

static void do_unlink(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *other = whom(actor, process, op);
  if (!other) return;
  event->other = other->number;
  touch_bonds(actor, process, other);
  eo_bond **at = find_link(actor, process->number, other->number);
  if (*at) remove_bond(actor, at);
}

static void do_monitor(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *other = whom(actor, process, op);
  if (!other) return;
  event->other = other->number;
  touch_bonds(actor, process, other);
  op->ref = pid_of(process) << 32 | ++process->refs;
  if (other->state == EO_ENDED) {
    send_down(actor, process, process, other, op->ref, EO_NOPROC);
  } else if (!add_bond(actor, process->number, other->number, op->ref)) {
    no_memory(actor, process, op);
  }
}

static void do_demonitor(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  if (op->ref >> 32 != pid_of(process) || (uint32_t)op->ref == 0 || (uint32_t)op->ref > process->refs) {
    eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place, "eo_demonitor: not a monitor of this process");
    return;
  }
  eo_bond **at = &actor->world.bonds;
  while (*at && (*at)->ref != op->ref) at = &(*at)->next;
  /* None: it was ended before, or the other had ended before it was made. No step of another changes that. */
  if (*at) {
    event->other = (*at)->b;
    touch_bonds(actor, process, process_number(actor, (*at)->b));
    remove_bond(actor, at);
  }
  if (!(op->flags & EO_OP_FLUSHED)) return;
  for (eo_mail **link = &process->mailbox; *link; link = &(*link)->next) {
    eo_down_info info;
    if ((*link)->tag != EO_DOWN) continue;
    memcpy(&info, (*link)->bytes, sizeof info);
    if (info.ref != op->ref) continue;
    event->message = (*link)->number;
    eo__mail_free(actor, eo__mail_take(process, link));
    break;
  }
}

static void do_register(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *other = whom(actor, process, op);
  if (!other) return;
  event->other = other->number;
  op->result = 0;
  bool taken = *find_name(actor, op->name) != NULL, given = !taken && other->state == EO_ALIVE && !other->name;
  eo__touch_name(actor, op->name, given);
  if (!taken) { /* else the process does not matter */
    eo__touch(actor, EO_OBJECT_LIFE, other->number, false);
    eo__touch(actor, EO_OBJECT_NAMED, other->number, given);
  }
  if (!given) return;
  size_t length = strlen(op->name) + 1;
  eo_name *name = eo__pool_alloc(actor, sizeof *name + length);
  if (!name) {
    no_memory(actor, process, op);
    return;
  }
  name->next = actor->world.names;
  name->process = other;
  memcpy(name->text, op->name, length);
  actor->world.names = name;
  other->name = name->text;
  other->kept = NULL;
  op->result = 1;
}

static void do_unregister(eo_actor *actor, eo_op *op, eo_event *event) {
  eo_name **at = find_name(actor, op->name);
  op->result = *at != NULL;
  eo__touch_name(actor, op->name, *at != NULL);
  if (!*at) return;
  event->other = (*at)->process->number;
  eo__touch(actor, EO_OBJECT_NAMED, event->other, true);
  remove_name(actor, at);
}

static void do_whereis(eo_actor *actor, eo_op *op, eo_event *event) {
  eo_name *name = *find_name(actor, op->name);
  eo__touch_name(actor, op->name, false);
  op->result = name ? pid_of(name->process) : EO_NOBODY;
  if (name) event->other = name->process->number;
}

void eo__operation_perform(eo_actor *actor, eo_process *process, uint32_t value, eo_event *event) {
  eo_op *op = process->pending;
  enum { BY_ITSELF = 1 << EO_OP_SPAWN | 1 << EO_OP_SEND | 1 << EO_OP_RECEIVE | 1 << EO_OP_CHOOSE | 1 << EO_OP_SLEEP };
  if (actor->world.taking)
    BY_ITSELF >> op->kind & 1 ? eo__deed_none(actor) : eo__deed_note(actor, process, op, EO_NO_PROCESS);
  switch (op->kind) {
    case EO_OP_SPAWN: do_spawn(actor, process, op, event); break;
    case EO_OP_SEND: do_send(actor, process, op, event); break;
    case EO_OP_RECEIVE: do_receive(actor, process, op, event); break;
    case EO_OP_EXIT: do_exit(actor, process, op); break;
    case EO_OP_LINK: do_link(actor, process, op, event); break;
    case EO_OP_UNLINK: do_unlink(actor, process, op, event); break;
    case EO_OP_TRAP_EXIT:
      op->result = process->traps;
      eo__touch(actor, EO_OBJECT_TRAPS, process->number, op->on != process->traps);
      process->traps = op->on;
      break;
    case EO_OP_MONITOR: do_monitor(actor, process, op, event); break;
    case EO_OP_DEMONITOR: do_demonitor(actor, process, op, event); break;
    case EO_OP_REGISTER: do_register(actor, process, op, event); break;
    case EO_OP_UNREGISTER: do_unregister(actor, op, event); break;
    case EO_OP_WHEREIS: do_whereis(actor, op, event); break;
    case EO_OP_CHOOSE: op->result = value; break;
    case EO_OP_SLEEP: process->now += (uint64_t)op->timeout; break;
    case EO_OP_KINDS: EO_CHECK(!"an operation without a kind");
  }
  if (actor->doomed.count) event->flags |= EO_EVENT_DOOMS;
}

static uint32_t ways(const eo_actor *actor, const eo_process *process) {
  const eo_op *op = process->pending;
  bool timed = op->timeout != EO_FOREVER && !actor->options.timeouts_idle;
  if (op->kind == EO_OP_RECEIVE)
    return timed || (actor->world.taking ? eo__delivery_possible(process) : process->match != NULL);
  if (op->kind == EO_OP_CHOOSE) return op->n;
  return op->kind != EO_OP_SLEEP || !actor->options.timeouts_idle;
}

void eo__operation_ready(eo_actor *actor, eo_process *process) {
  eo__process_able(actor, process, ways(actor, process));
}

const char *eo__reason_name(int reason, char *out, size_t size) {
  const char *name = reason == EO_NORMAL   ? "normal"
                     : reason == EO_NOPROC ? "EO_NOPROC"
                     : reason == EO_BADARG ? "EO_BADARG"
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
