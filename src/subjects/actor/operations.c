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
                 eo_op_name(op->kind));
}

/* The process `op` names. A number that never was a process is misuse; NULL then. */
static eo_process *whom(eo_actor *actor, const eo_process *process, const eo_op *op) {
  eo_process *other = eo__actor_process_of(actor, op->pid);
  if (!other)
    eo__actor_fail(actor, EO_KIND_MISUSE, process, op->place, "eo_%s: %llu is not a process", eo_op_name(op->kind),
                   (unsigned long long)op->pid);
  return other;
}

static void send_from(eo_actor *actor, eo_process *to, uint32_t from, int tag, const void *bytes, size_t size) {
  eo_mail *mail = eo__mail_new(actor, from, tag, bytes, size);
  if (!mail) {
    no_memory(actor, to, to->pending);
    return;
  }
  mail->serial = ++actor->world.serial;
  eo__mail_deliver(actor, to, mail);
}

static void send_down(eo_actor *actor, eo_process *to, const eo_process *ended, eo_ref ref, int reason) {
  eo_down_info info;
  memset(&info, 0, sizeof info); /* its padding travels with it */
  info.ref = ref;
  info.pid = pid_of(ended);
  info.reason = reason;
  send_from(actor, to, ended->number, EO_DOWN, &info, sizeof info);
}

/* ---- Bonds: links and monitors --------------------------------------------------------------------------------- */

static bool add_bond(eo_actor *actor, uint32_t a, uint32_t b, eo_ref ref) {
  eo_bond *bond = eo__pool_alloc(actor, sizeof *bond);
  if (!bond) return false;
  *bond = (eo_bond){NULL, a, b, ref};
  *actor->world.bonds_end = bond;
  actor->world.bonds_end = &bond->next;
  return true;
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
  eo__pool_free(actor, name, sizeof *name + strlen(name->text) + 1);
}

/* ---- Exit ------------------------------------------------------------------------------------------------------- */

/* From now on the process can only exit, with this reason. */
static void doom(eo_process *process, int reason, eo_pid cause, const eo_place *place) {
  process->exit_op = (eo_op){.kind = EO_OP_EXIT, .reason = reason, .pid = cause, .place = place};
  process->pending = &process->exit_op;
  process->choices = 1;
  process->match = NULL;
}

/* An exit signal from `from` arrives. True: somebody noticed. */
static bool signal_exit(eo_actor *actor, eo_process *to, eo_process *from, int reason) {
  if (to->state != EO_ALIVE) return false;
  if (to->traps) {
    eo_exit_info info;
    memset(&info, 0, sizeof info); /* its padding travels with it */
    info.pid = pid_of(from);
    info.reason = reason;
    send_from(actor, to, from->number, EO_EXIT, &info, sizeof info);
    return true;
  }
  if (reason == EO_NORMAL) return false;
  if (to->pending != &to->exit_op) doom(to, reason, pid_of(from), to->pending->place);
  return true;
}

static void drop_mailbox(eo_actor *actor, eo_process *process) {
  while (process->mailbox) eo__mail_free(actor, eo__mail_take(process, &process->mailbox));
}

static void do_exit(eo_actor *actor, eo_process *process, eo_op *op) {
  int reason = op->reason;
  bool noticed = false;
  process->state = EO_ENDED;
  process->choices = 0;
  actor->world.alive--;
  if (process->name) remove_name(actor, find_name(actor, process->name));
  for (eo_bond **at = &actor->world.bonds; *at;) {
    eo_bond bond = **at;
    if (bond.a != process->number && bond.b != process->number) {
      at = &(*at)->next;
      continue;
    }
    remove_bond(actor, at);
    if (bond.ref == 0) {
      noticed |=
          signal_exit(actor, process_number(actor, bond.a == process->number ? bond.b : bond.a), process, reason);
    } else if (bond.b == process->number && process_number(actor, bond.a)->state == EO_ALIVE) {
      send_down(actor, process_number(actor, bond.a), process, bond.ref, reason);
      noticed = true;
    }
  }
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
    return;
  }
  if (argument) eo__mail_free(actor, argument);
  process->outgoing = NULL;
  child->now = process->now;
  op->result = pid_of(child);
  event->other = number;
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
    if (!name) {
      doom(process, EO_BADARG, 0, op->place);
      return;
    }
    to = name->process;
  } else if (!(to = whom(actor, process, op))) {
    return;
  }
  eo_mail *mail = process->outgoing;
  process->outgoing = NULL;
  mail->serial = ++actor->world.serial;
  event->other = to->number;
  eo__mail_deliver(actor, to, mail);
}

static void do_receive(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  if (!process->match) {
    process->now += (uint64_t)op->timeout;
    op->result = 0;
    event->flags |= EO_EVENT_TIMEOUT;
    return;
  }
  eo_mail *mail = eo__mail_take(process, process->match);
  process->match = NULL;
  event->other = mail->from;
  event->message = mail->serial;
  if (mail->time > process->now) process->now = mail->time;
  if (!eo__mail_show(actor, process, mail)) no_memory(actor, process, op);
  op->result = 1;
  eo__mail_free(actor, mail);
}

static void do_link(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *other = whom(actor, process, op);
  if (!other || other == process) return;
  event->other = other->number;
  if (other->state == EO_ENDED) {
    signal_exit(actor, process, other, EO_NOPROC);
    return;
  }
  if (!*find_link(actor, process->number, other->number) && !add_bond(actor, process->number, other->number, 0))
    no_memory(actor, process, op);
}

static void do_unlink(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *other = whom(actor, process, op);
  if (!other) return;
  event->other = other->number;
  eo_bond **at = find_link(actor, process->number, other->number);
  if (*at) remove_bond(actor, at);
}

static void do_monitor(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *other = whom(actor, process, op);
  if (!other) return;
  event->other = other->number;
  op->ref = pid_of(process) << 32 | ++process->refs;
  if (other->state == EO_ENDED) {
    send_down(actor, process, other, op->ref, EO_NOPROC);
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
  if (*at) {
    event->other = (*at)->b;
    remove_bond(actor, at);
  }
  if (!(op->flags & EO_OP_FLUSHED)) return;
  for (eo_mail **link = &process->mailbox; *link; link = &(*link)->next) {
    eo_down_info info;
    if ((*link)->tag != EO_DOWN) continue;
    memcpy(&info, (*link)->bytes, sizeof info);
    if (info.ref != op->ref) continue;
    eo__mail_free(actor, eo__mail_take(process, link));
    break;
  }
}

static void do_register(eo_actor *actor, eo_process *process, eo_op *op, eo_event *event) {
  eo_process *other = whom(actor, process, op);
  if (!other) return;
  event->other = other->number;
  op->result = 0;
  if (other->state != EO_ALIVE || other->name || *find_name(actor, op->name)) return;
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
  op->result = 1;
}

static void do_unregister(eo_actor *actor, eo_op *op, eo_event *event) {
  eo_name **at = find_name(actor, op->name);
  op->result = *at != NULL;
  if (!*at) return;
  event->other = (*at)->process->number;
  remove_name(actor, at);
}

static void do_whereis(eo_actor *actor, eo_op *op, eo_event *event) {
  eo_name *name = *find_name(actor, op->name);
  op->result = name ? pid_of(name->process) : EO_NOBODY;
  if (name) event->other = name->process->number;
}

void eo__operation_perform(eo_actor *actor, eo_process *process, uint32_t value, eo_event *event) {
  eo_op *op = process->pending;
  switch (op->kind) {
    case EO_OP_SPAWN: do_spawn(actor, process, op, event); break;
    case EO_OP_SEND: do_send(actor, process, op, event); break;
    case EO_OP_RECEIVE: do_receive(actor, process, op, event); break;
    case EO_OP_EXIT: do_exit(actor, process, op); break;
    case EO_OP_LINK: do_link(actor, process, op, event); break;
    case EO_OP_UNLINK: do_unlink(actor, process, op, event); break;
    case EO_OP_TRAP_EXIT:
      op->result = process->traps;
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
}

void eo__operation_ready(eo_actor *actor, eo_process *process) {
  const eo_op *op = process->pending;
  if (op->kind == EO_OP_RECEIVE)
    process->choices = process->match || (op->timeout != EO_FOREVER && !actor->options.timeouts_idle) ? 1 : 0;
  else if (op->kind == EO_OP_CHOOSE)
    process->choices = op->n;
  else if (op->kind == EO_OP_SLEEP)
    process->choices = !actor->options.timeouts_idle;
  else
    process->choices = 1;
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
  if (actor->describing) eo__failure_here();
}
