/* reference_machine.h: a brute-force explorer of an abstract machine that runs random programs (random_program.h), with the
 * meaning that everyorder.h and everyorder(1) give to operations and deliveries. It shares no code with the library. After cmocka.h. */
#ifndef EO_TESTS_REFERENCE_MACHINE_H
#define EO_TESTS_REFERENCE_MACHINE_H

#include <string.h>

#include "base/vec.h"
#include "core/finding.h"
#include "core/view.h"
#include "random_program.h"

typedef struct mail {
  int from, tag, value;
  int who, ref; /* of an exit or down message; value is then the reason */
  uint64_t time;
  /* Where delivery is chosen: */
  int by;         /* whose step sent it */
  int number;     /* of all that was sent, */
  uint64_t knows; /* and which of that its sender knew of: bits */
  bool arrived;   /* its receiver knows that it has */
} mail;

typedef struct bond {
  int a, b, ref;       /* ref -1: a link; else a's monitor of b */
  bool told_a, told_b; /* of a link, where signals travel: of the other's end */
} bond;

/* On its way. */
typedef struct flight {
  enum { MESSAGE, BY_LINK, BY_KILL } kind;
  int to, reason;
  mail what;
  bool dropped; /* its monitor was ended */
} flight;

typedef struct machine_process {
  enum { UNBORN, ALIVE, ENDED } state;
  int at; /* next instruction */
  bool traps, doomed, killed;
  int reason;
  uint32_t seen;
  uint64_t now;
  int name; /* -1: none */
  int refs, mails;
  uint64_t knows; /* messages and signals that were sent before something it received, or by itself */
  mail box[MAILS];
} machine_process;

typedef struct machine {
  machine_process processes[PROCESSES];
  int names[NAMES]; /* -1: nobody's */
  bond bonds[BONDS];
  int bond_count;
  flight flights[MAILS];
  int flight_count, sent;
  eo_kind failed;
  int culprit, culprit_at;
} machine;

/* Under which it is explored. Where it is not to the mailbox, a receive chooses, and exit signals travel. */
static eo_delivery delivery_of;

static bool travels(void) { return delivery_of != EO_DELIVERY_MAILBOX; }

/* One end of an execution. */
typedef struct end {
  uint64_t digest;
  uint64_t told; /* ours: of what is found, without what others had done by then */
  uint32_t preemptions, switches;
  eo_kind kind;
  int culprit, culprit_at;
} end;

typedef EO_VEC(end) ends;

static void fail_machine(machine *m, eo_kind kind, int process) {
  if (m->failed) return;
  m->failed = kind;
  m->culprit = process;
  m->culprit_at = process < 0 ? 0 : m->processes[process].at;
}

/* Up to the next operation. */
static void run_private(machine *m, int p) {
  machine_process *process = &m->processes[p];
  const script *s = &program.scripts[p];
  while (process->at < s->count && !m->failed) {
    instruction in = s->items[process->at];
    bool divides = in.a > 0 && process->seen % (uint32_t)in.a == (uint32_t)in.b;
    if (in.op == CHECK) {
      if (divides) fail_machine(m, EO_KIND_ASSERTION, p);
    } else if (in.op == SKIP) {
      process->at += divides;
    } else if (in.op == TIME) {
      process->seen = seen_add(process->seen, (uint32_t)process->now);
    } else if (in.op != DEMONITOR || in.a < process->refs) {
      return;
    }
    if (!m->failed) process->at++;
  }
}

/* Does the delivery put one before the other? */
static bool comes_before(const mail *one, const mail *other) {
  if (delivery_of == EO_DELIVERY_FIFO) return one->by == other->by && one->number < other->number;
  return delivery_of == EO_DELIVERY_CAUSAL && other->knows >> one->number & 1;
}

static void put(machine *m, int to, mail what) {
  machine_process *process = &m->processes[to];
  if (process->state != ALIVE) return;
  assert_true(process->mails < MAILS);
  what.arrived = what.by == to;
  process->box[process->mails++] = what;
}

/* Is something that comes before it on its way there? */
static bool must_wait(const machine *m, int to, const mail *what) {
  for (int i = 0; i < m->flight_count; i++)
    if (m->flights[i].to == to && comes_before(&m->flights[i].what, what)) return true;
  return false;
}

enum { MOST_SENT = 64 }; /* what a process knows of is a set of 64 bits */

static void number_mail(machine *m, int by, mail *what) {
  assert_true(m->sent < MOST_SENT);
  what->time = m->processes[what->from].now;
  what->by = by;
  what->number = m->sent++;
  what->knows = m->processes[by].knows;
  m->processes[by].knows |= (uint64_t)1 << what->number;
}

static void set_out(machine *m, flight f) {
  assert_true(m->flight_count < MAILS);
  m->flights[m->flight_count++] = f;
}

/* A message that was sent in a step of `by`. */
static void deliver_by(machine *m, int by, int to, mail what) {
  number_mail(m, by, &what);
  if (must_wait(m, to, &what))
    set_out(m, (flight){.kind = MESSAGE, .to = to, .what = what});
  else
    put(m, to, what);
}

static void deliver(machine *m, int to, mail what) { deliver_by(m, what.from, to, what); }

static void doom(machine_process *process, int reason) {
  if (process->doomed) return;
  process->doomed = true;
  process->reason = reason;
}

static void add_bond(machine *m, int a, int b, int ref) {
  assert_true(m->bond_count < BONDS);
  m->bonds[m->bond_count++] = (bond){.a = a, .b = b, .ref = ref};
}

static void remove_bond(machine *m, int at) {
  m->bond_count--;
  memmove(&m->bonds[at], &m->bonds[at + 1], (size_t)(m->bond_count - at) * sizeof(bond));
}

static int find_link(const machine *m, int a, int b) {
  for (int i = 0; i < m->bond_count; i++) {
    const bond *x = &m->bonds[i];
    if (x->ref < 0 && ((x->a == a && x->b == b) || (x->a == b && x->b == a))) return i;
  }
  return -1;
}

/* It comes to `to`, in a step of `by`; `flown`: it was on its way, and is a message of the moment when it set out. */
static bool exit_signal(machine *m, int by, int to, int from, int reason, const mail *flown) {
  machine_process *process = &m->processes[to];
  if (process->state != ALIVE) return false;
  if (process->traps) {
    mail what = {.from = from, .tag = EO_EXIT, .value = reason, .who = from};
    if (flown) {
      what.time = flown->time, what.by = flown->by, what.number = flown->number, what.knows = flown->knows;
      put(m, to, what);
    } else {
      deliver_by(m, by, to, what);
    }
    return true;
  }
  if (reason == EO_NORMAL) return false;
  doom(process, reason);
  return true;
}

static void end_process(machine *m, int p, int reason) {
  machine_process *process = &m->processes[p];
  bool noticed = process->killed;
  process->state = ENDED;
  if (process->name >= 0) m->names[process->name] = -1;
  for (int i = 0; i < m->bond_count;) {
    bond b = m->bonds[i];
    if (b.a != p && b.b != p) {
      i++;
      continue;
    }
    int other = b.a == p ? b.b : b.a;
    if (b.ref < 0 && travels()) { /* it stays until the other hears of it */
      flight f = {.kind = BY_LINK, .to = other, .reason = reason, .what = {.from = p}};
      number_mail(m, p, &f.what);
      set_out(m, f);
      noticed |= m->processes[other].state == ALIVE;
      i++;
      continue;
    }
    remove_bond(m, i);
    if (b.ref < 0) {
      noticed |= exit_signal(m, p, other, p, reason, NULL);
    } else if (b.b == p && m->processes[b.a].state == ALIVE) {
      deliver(m, b.a, (mail){.from = p, .tag = EO_DOWN, .value = reason, .who = p, .ref = b.ref});
      noticed = true;
    }
  }
  if (reason != EO_NORMAL && !noticed) fail_machine(m, EO_KIND_ABNORMAL, p);
}

static bool matches(const mail *x, instruction in) { return way_accepts((way)in.a, in.b, x->from, x->tag, x->value); }

/* The nth message that the receive can take; -1: there are not so many. */
static int find_match(const machine_process *process, instruction in, uint32_t nth) {
  for (int i = 0; i < process->mails; i++) {
    const mail *x = &process->box[i];
    bool first = matches(x, in);
    for (int j = 0; j < process->mails && first; j++)
      first = !matches(&process->box[j], in) || !comes_before(&process->box[j], x);
    if (first && nth-- == 0) return i;
  }
  return -1;
}

/* Something may always be on its way, unless the process knows better. */
static bool times_out(const machine_process *process, instruction in) {
  if (in.c < 0 || program.idle) return false;
  if (!travels()) return find_match(process, in, 0) < 0;
  for (int i = 0; i < process->mails; i++)
    if (process->box[i].arrived && matches(&process->box[i], in)) return false;
  return true;
}

static uint32_t ways_to_receive(const machine_process *process, instruction in) {
  uint32_t count = 0;
  while ((travels() || count == 0) && find_match(process, in, count) >= 0) count++;
  return count + times_out(process, in);
}

/* What comes before this one has arrived. */
static void note_arrived(machine_process *process, mail arrived) {
  for (int i = 0; i < process->mails; i++) process->box[i].arrived |= comes_before(&process->box[i], &arrived);
}

/* In the nth way; the timeout is the last. */
static void receive(machine_process *process, instruction in, uint32_t nth) {
  int at = find_match(process, in, nth);
  if (at < 0) {
    process->now += (uint64_t)in.c;
    process->seen = seen_add(process->seen, 77);
    return;
  }
  mail x = process->box[at];
  process->mails--;
  memmove(&process->box[at], &process->box[at + 1], (size_t)(process->mails - at) * sizeof(mail));
  process->knows |= x.knows | (uint64_t)1 << x.number;
  note_arrived(process, x);
  if (x.time > process->now) process->now = x.time;
  if (x.tag == EO_DOWN) x.value = x.value * 8 + x.ref;
  process->seen = seen_message(process->seen, x.from, x.tag, x.value, x.tag < 0 ? x.who : -1);
}

/* The DOWN of this monitor, if it is on its way, will not arrive. */
static bool drop_down(machine *m, int p, int ref) {
  for (int i = 0; i < m->flight_count; i++) {
    flight *f = &m->flights[i];
    if (f->kind != MESSAGE || f->to != p || f->what.tag != EO_DOWN || f->what.ref != ref || f->dropped) continue;
    return f->dropped = true;
  }
  return false;
}

/* Where signals travel, the monitor is there until its DOWN has arrived. */
static bool down_is_to_come(machine *m, int p, int ref) {
  machine_process *process = &m->processes[p];
  for (int i = 0; i < process->mails; i++)
    if (process->box[i].tag == EO_DOWN && process->box[i].ref == ref) {
      process->box[i].arrived = true;
      note_arrived(process, process->box[i]);
      return false;
    }
  return drop_down(m, p, ref);
}

static void demonitor(machine *m, int p, int ref, int flush, bool looks) {
  machine_process *process = &m->processes[p];
  bool there = false;
  for (int i = 0; i < m->bond_count && !there; i++)
    if (m->bonds[i].a == p && m->bonds[i].ref == ref) {
      there = m->bonds[i].b != p; /* of oneself there is no monitor */
      remove_bond(m, i);
    }
  if (travels() && !there && flush != 2) there = down_is_to_come(m, p, ref);
  if (looks) process->seen = seen_add(process->seen, there);
  if (flush) (void)drop_down(m, p, ref);
  for (int i = 0; flush && i < process->mails; i++)
    if (process->box[i].tag == EO_DOWN && process->box[i].ref == ref) {
      process->mails--;
      memmove(&process->box[i], &process->box[i + 1], (size_t)(process->mails - i) * sizeof(mail));
      break;
    }
}

/* The process an instruction is about; -1: it needs none. */
static int whom(instruction in) {
  switch (in.op) {
    case SEND:
    case LINK:
    case UNLINK:
    case KILL:
    case ASK_ALIVE:
    case MONITOR: return in.a;
    case REGISTER: return in.b;
    default: return -1;
  }
}

static void kill_process(machine *m, int by, int p, int reason, const mail *flown) {
  machine_process *process = &m->processes[p];
  bool was_doomed = process->doomed;
  if (process->state != ALIVE) return;
  if (reason == EO_KILL)
    doom(process, EO_KILLED);
  else if (by == p && reason == EO_NORMAL && !process->traps)
    doom(process, EO_NORMAL);
  else
    exit_signal(m, by, p, by, reason, flown);
  if (!was_doomed && process->doomed) process->killed = true;
}

static void send_kill(machine *m, int by, int p, int reason) {
  flight f = {.kind = BY_KILL, .to = p, .reason = reason, .what = {.from = by}};
  number_mail(m, by, &f.what);
  set_out(m, f);
}

/* What is on its way arrives. A link counts until then. */
static void arrive(machine *m, int at) {
  flight f = m->flights[at];
  m->flight_count--;
  memmove(&m->flights[at], &m->flights[at + 1], (size_t)(m->flight_count - at) * sizeof(flight));
  if (f.kind == MESSAGE && !f.dropped) put(m, f.to, f.what);
  if (f.kind == BY_KILL) kill_process(m, f.what.from, f.to, f.reason, &f.what);
  int link = f.kind == BY_LINK ? find_link(m, f.what.from, f.to) : -1;
  if (link < 0) return;
  bond *b = &m->bonds[link];
  *(b->a == f.to ? &b->told_a : &b->told_b) = true;
  if (b->told_a && b->told_b) remove_bond(m, link);
  exit_signal(m, f.what.from, f.to, f.what.from, f.reason, &f.what);
}

static void link_to(machine *m, int p, int other) {
  int at = find_link(m, p, other);
  const bond *b = at < 0 ? NULL : &m->bonds[at];
  bool linked = b && !(b->a == p ? b->told_a : b->told_b);
  if (other == p || linked) return;
  if (m->processes[other].state == ENDED)
    exit_signal(m, p, p, other, EO_NOPROC, NULL);
  else
    add_bond(m, p, other, -1);
}

static void monitor(machine *m, int p, int other) {
  machine_process *process = &m->processes[p];
  if (other < 0 || m->processes[other].state == ENDED)
    deliver_by(m, p, p,
               (mail){.from = other < 0 ? p : other,
                      .tag = EO_DOWN,
                      .value = EO_NOPROC,
                      .who = other < 0 ? program.processes : other, /* a number that no process has */
                      .ref = process->refs});
  else
    add_bond(m, p, other, process->refs);
  process->refs++;
}

static void operate(machine *m, int p, instruction in, uint32_t value) {
  machine_process *process = &m->processes[p];
  int other = whom(in);
  if (other >= 0 && m->processes[other].state == UNBORN) {
    fail_machine(m, EO_KIND_MISUSE, p);
    return;
  }
  switch (in.op) {
    case SPAWN:
      m->processes[in.a] = (machine_process){
          .state = ALIVE, .seen = (uint32_t)in.a + 1, .now = process->now, .name = -1, .knows = process->knows};
      if (in.b == 1) add_bond(m, p, in.a, -1);
      if (in.b == 2) add_bond(m, p, in.a, process->refs++);
      run_private(m, in.a);
      break;
    case SEND: deliver(m, in.a, (mail){.from = p, .tag = in.b, .value = in.c}); break;
    case SEND_NAME:
      if (m->names[in.a] < 0)
        doom(process, EO_BADARG);
      else
        deliver(m, m->names[in.a], (mail){.from = p, .tag = in.b, .value = in.c});
      break;
    case RECEIVE: receive(process, in, value); break;
    case LINK: link_to(m, p, other); break;
    case UNLINK:
      if (find_link(m, p, other) >= 0) remove_bond(m, find_link(m, p, other));
      break;
    case TRAP:
      process->seen = seen_add(process->seen, process->traps);
      process->traps = in.a;
      break;
    case MONITOR: monitor(m, p, other); break;
    case WATCH_NAME: monitor(m, p, m->names[in.a]); break;
    case KILL:
      if (travels() && in.a != p)
        send_kill(m, p, in.a, in.b);
      else
        kill_process(m, p, in.a, in.b, NULL);
      break;
    case ASK_ALIVE: {
      const machine_process *asked = &m->processes[in.a];
      process->seen = seen_add(process->seen, asked->state == ALIVE && !asked->doomed);
      break;
    }
    case TRY_NAME:
      process->seen = seen_add(process->seen, m->names[in.a] >= 0);
      if (m->names[in.a] >= 0) deliver(m, m->names[in.a], (mail){.from = p, .tag = in.b, .value = in.c});
      break;
    case DEMONITOR: demonitor(m, p, in.a, in.b, in.c); break;
    case REGISTER: {
      bool can = m->processes[other].state == ALIVE && m->processes[other].name < 0 && m->names[in.a] < 0;
      if (can) {
        m->names[in.a] = other;
        m->processes[other].name = in.a;
      }
      process->seen = seen_add(process->seen, can);
      break;
    }
    case UNREGISTER:
      process->seen = seen_add(process->seen, m->names[in.a] >= 0);
      if (m->names[in.a] >= 0) m->processes[m->names[in.a]].name = -1;
      m->names[in.a] = -1;
      break;
    case WHEREIS: process->seen = seen_add(process->seen, (uint32_t)(m->names[in.a] + 1)); break;
    case CHOOSE: process->seen = seen_add(process->seen, value); break;
    case SLEEP: process->now += (uint64_t)in.a; break;
    default: fail_msg("instruction %d", in.op);
  }
}

static void step(machine *m, int p, uint32_t value) {
  machine_process *process = &m->processes[p];
  const script *s = &program.scripts[p];
  if (process->doomed || process->at == s->count || s->items[process->at].op == EXIT) {
    end_process(m, p,
                process->doomed           ? process->reason
                : process->at == s->count ? EO_NORMAL
                                          : s->items[process->at].a);
    return;
  }
  operate(m, p, s->items[process->at], value);
  if (m->failed || process->doomed) return;
  process->at++;
  run_private(m, p);
}

/* In how many ways the process can go on; 0: not at all. */
static uint32_t ways(const machine *m, int p) {
  const machine_process *process = &m->processes[p];
  const script *s = &program.scripts[p];
  if (process->state != ALIVE) return 0;
  if (process->doomed || process->at == s->count) return 1;
  instruction in = s->items[process->at];
  if (in.op == RECEIVE) return ways_to_receive(process, in);
  if (in.op == SLEEP) return !program.idle;
  return in.op == CHOOSE ? (uint32_t)in.a : 1;
}

/* With idle timeouts, when nothing else can run: when the process would wake up. */
static uint64_t deadline(const machine *m, int p) {
  const machine_process *process = &m->processes[p];
  if (process->state != ALIVE) return UINT64_MAX;
  instruction in = program.scripts[p].items[process->at];
  if (in.op == SLEEP) return process->now + (uint64_t)in.a;
  return in.op == RECEIVE && in.c >= 0 ? process->now + (uint64_t)in.c : UINT64_MAX;
}

static uint64_t digest_of(eo_kind kind, int culprit, const uint32_t *seen) {
  uint64_t digest = (uint64_t)kind * 31 + (uint64_t)(culprit + 1);
  for (int p = 0; p < PROCESSES; p++) digest = (digest ^ seen[p]) * 0x9E3779B97F4A7C15u + 1;
  return digest;
}

static bool note_machine(const machine *m, uint32_t preemptions, uint32_t switches, ends *out) {
  uint32_t seen[PROCESSES];
  for (int p = 0; p < PROCESSES; p++) seen[p] = m->processes[p].seen;
  end e = {.digest = digest_of(m->failed, m->culprit, seen),
           .preemptions = preemptions,
           .switches = switches,
           .kind = m->failed,
           .culprit = m->culprit,
           .culprit_at = m->culprit_at};
  assert_true(eo_vec_push(out, e));
  return out->count <= MOST_ENDS;
}

/* All executions from here. False: there are too many, or one sends more than fits into a set. */
static bool explore_machine(const machine *m, int last, uint32_t preemptions, uint32_t switches, ends *out) {
  enum { AT_ONCE = BONDS + PROCESSES }; /* a step may send as many */
  uint32_t count[PROCESSES], all = 0, alive = 0;
  if (m->sent > MOST_SENT - AT_ONCE) return false;
  uint64_t earliest = UINT64_MAX;
  for (int p = 0; p < PROCESSES; p++) {
    all += count[p] = ways(m, p);
    alive += m->processes[p].state == ALIVE;
    if (deadline(m, p) < earliest) earliest = deadline(m, p);
  }
  for (int p = 0; p < PROCESSES && all == 0 && m->flight_count == 0 && program.idle && earliest < UINT64_MAX; p++)
    count[p] = deadline(m, p) == earliest;
  bool over = m->flight_count == 0;
  for (int p = 0; p < PROCESSES; p++) over = over && count[p] == 0;
  if (over) {
    machine last_state = *m;
    if (alive) fail_machine(&last_state, EO_KIND_DEADLOCK, -1);
    return note_machine(&last_state, preemptions, switches, out);
  }
  for (int i = 0; i < m->flight_count; i++) {
    machine next = *m;
    if (must_wait(m, m->flights[i].to, &m->flights[i].what)) continue;
    arrive(&next, i);
    if (!explore_machine(&next, last, preemptions, switches, out)) return false;
  }
  for (int p = 0; p < PROCESSES; p++) {
    uint32_t another = last >= 0 && last != p, preempts = another && count[last] > 0;
    for (uint32_t value = 0; value < count[p]; value++) {
      machine next = *m;
      step(&next, p, value);
      if (next.failed ? !note_machine(&next, preemptions + preempts, switches + another, out)
                      : !explore_machine(&next, p, preemptions + preempts, switches + another, out))
        return false;
    }
  }
  return true;
}

static bool explore_reference(eo_delivery delivery, ends *out) {
  delivery_of = delivery;
  machine m = {.names = {-1, -1}, .culprit = -1};
  m.processes[0] = (machine_process){.state = ALIVE, .seen = 1, .name = -1};
  run_private(&m, 0);
  if (m.failed) return note_machine(&m, 0, 0, out);
  return explore_machine(&m, -1, 0, 0, out);
}

#endif
