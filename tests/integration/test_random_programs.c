/* test_random_programs.c: random programs, explored by Everyorder and by a reference. The reference (first half) is a
 * brute-force explorer of an abstract machine with the meaning that everyorder.h gives to the operations; it shares no
 * code with the library. For each program and each strategy, bound and use of checkpoints, the multiset of ends must be
 * the same: how the execution ended, by whose fault, and what each process had seen by then. Assertions are minimised
 * as well, and "fewest possible" must be the fewest there are.
 *
 * Arguments, for longer hunts: first seed, number of programs. builds: release asan */
#include <everyorder.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "base/rng.h"
#include "base/vec.h"
#include "core/engine.h"
#include "core/minimise.h"
#include "registry/registry.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"

/* ---- Programs --------------------------------------------------------------------------------------------------- */

enum { PROCESSES = 4, LONGEST = 12, NAMES = 2, MAILS = 24, BONDS = 16, MOST_ENDS = 3000 };

typedef enum op {
  SPAWN,      /* process; how: 0, 1 linked, 2 monitored */
  SEND,       /* process, tag, value */
  SEND_NAME,  /* name, tag, value */
  RECEIVE,    /* a way, its argument, timeout */
  EXIT,       /* reason */
  LINK,       /* process */
  UNLINK,     /* process */
  TRAP,       /* on */
  MONITOR,    /* process */
  DEMONITOR,  /* number of the ref, flush; nothing if there are not so many */
  REGISTER,   /* name, process */
  UNREGISTER, /* name */
  WHEREIS,    /* name */
  CHOOSE,     /* n */
  SLEEP,      /* milliseconds */
  OPS,
  /* Not operations but private code. */
  SKIP,  /* divisor, rest: leaves out the next one */
  CHECK, /* divisor, rest: fails */
  TIME   /* looks at the clock */
} op;

typedef enum way { ANY, TAG, TAGS, FROM, ODD, LIBRARY, WAYS } way;

typedef struct instruction {
  int op, a, b, c;
} instruction;

typedef struct script {
  int count;
  instruction items[LONGEST];
} script;

/* A process is named by the number of its script; each is spawned in one place at most. */
static struct {
  script scripts[PROCESSES];
  int processes;
  bool idle;
  bool on_heap; /* where each keeps what it has seen: so that every state can be noted; else in one shared page */
} program;

/* What a process has seen so far, in one number. */
static uint32_t seen_add(uint32_t seen, uint32_t what) { return (seen ^ what) * 2654435761u + 12345; }

static uint32_t seen_message(uint32_t seen, int from, int tag, int value, int who) {
  return seen_add(
      seen, (uint32_t)(from + 1) << 24 ^ (uint32_t)(tag + 3) << 16 ^ (uint32_t)(value + 9) << 8 ^ (uint32_t)(who + 1));
}

static bool way_accepts(way w, int argument, int from, int tag, int value) {
  switch (w) {
    case ANY: return true;
    case TAG: return tag == argument;
    case TAGS: return tag == 1 || tag == argument;
    case FROM: return from == argument;
    case ODD: return tag >= 0 && value % 2;
    default: return tag < 0;
  }
}

static instruction draw(eo_rng *rng) {
  static const unsigned char weights[OPS] = {
      [SEND] = 9,    [SEND_NAME] = 2, [RECEIVE] = 10, [EXIT] = 2,  [LINK] = 2,     [UNLINK] = 1,  [TRAP] = 2,
      [MONITOR] = 3, [DEMONITOR] = 2, [CHOOSE] = 1,   [SLEEP] = 1, [REGISTER] = 2, [WHEREIS] = 1, [UNREGISTER] = 1};
  uint32_t all = 0, at = 0;
  for (int i = 0; i < OPS; i++) all += weights[i];
  uint32_t left = eo_rng_below(rng, all);
  while (left >= weights[at]) left -= weights[at++];
  instruction in = {.op = (int)at};
  int process = (int)eo_rng_below(rng, (uint32_t)program.processes), name = (int)eo_rng_below(rng, NAMES);
  switch (at) {
    case SEND: in = (instruction){SEND, process, (int)eo_rng_below(rng, 3), (int)eo_rng_below(rng, 4)}; break;
    case SEND_NAME: in = (instruction){SEND_NAME, name, (int)eo_rng_below(rng, 3), (int)eo_rng_below(rng, 4)}; break;
    case RECEIVE: {
      static const int timeouts[] = {-1, -1, -1, 0, 5, 10};
      in.a = eo_rng_below(rng, 2) ? ANY : (int)eo_rng_below(rng, WAYS);
      in.b = in.a == FROM ? process : (int)eo_rng_below(rng, 3);
      in.c = timeouts[eo_rng_below(rng, 6)];
      break;
    }
    case EXIT: in.a = (int)eo_rng_below(rng, 3); break;
    case TRAP: in.a = eo_rng_below(rng, 4) > 0; break;
    case DEMONITOR: in = (instruction){DEMONITOR, (int)eo_rng_below(rng, 2), (int)eo_rng_below(rng, 2), 0}; break;
    case REGISTER: in = (instruction){REGISTER, name, process, 0}; break;
    case CHOOSE: in.a = 1 + (int)eo_rng_below(rng, 3); break;
    case SLEEP: in.a = (int)eo_rng_below(rng, 3) * 5; break;
    case UNREGISTER:
    case WHEREIS: in.a = name; break;
    default: in.a = process;
  }
  return in;
}

static void add(script *s, instruction in) {
  if (s->count < LONGEST) s->items[s->count++] = in;
}

static void draw_program(uint64_t seed) {
  eo_rng rng;
  int parents[PROCESSES];
  eo_rng_init(&rng, seed);
  memset(&program, 0, sizeof program);
  program.processes = 2 + (int)eo_rng_below(&rng, PROCESSES - 1);
  program.idle = eo_rng_below(&rng, 4) == 0;
  program.on_heap = seed % 2;
  for (int p = 1; p < program.processes; p++)
    parents[p] = eo_rng_below(&rng, 3) ? 0 : (int)eo_rng_below(&rng, (uint32_t)p);
  for (int p = 0; p < program.processes; p++) {
    script *s = &program.scripts[p];
    if (eo_rng_below(&rng, 3) == 0) add(s, (instruction){TRAP, 1, 0, 0});
    for (int child = p + 1; child < program.processes; child++) {
      if (parents[child] != p) continue;
      if (eo_rng_below(&rng, 3) == 0) add(s, draw(&rng));
      add(s, (instruction){SPAWN, child, (int)eo_rng_below(&rng, 3), 0});
    }
    for (int i = (int)eo_rng_below(&rng, p ? 4 : 5); i > 0; i--) {
      uint32_t rest = eo_rng_below(&rng, 8);
      if (rest < 2) add(s, (instruction){SKIP, 2 + (int)rest, 0, 0});
      add(s, draw(&rng));
      if (rest == 2) add(s, (instruction){CHECK, 3, 0, 0});
      if (rest == 3) add(s, (instruction){TIME, 0, 0, 0});
    }
  }
}

/* ---- The reference ---------------------------------------------------------------------------------------------- */

typedef struct mail {
  int from, tag, value;
  int who, ref; /* of an exit or down message; value is then the reason */
  uint64_t time;
} mail;

typedef struct bond {
  int a, b, ref; /* ref -1: a link; else a's monitor of b */
} bond;

typedef struct machine_process {
  enum { UNBORN, ALIVE, ENDED } state;
  int at; /* next instruction */
  bool traps, doomed;
  int reason;
  uint32_t seen;
  uint64_t now;
  int name; /* -1: none */
  int refs, mails;
  mail box[MAILS];
} machine_process;

typedef struct machine {
  machine_process processes[PROCESSES];
  int names[NAMES]; /* -1: nobody's */
  bond bonds[BONDS];
  int bond_count;
  eo_kind failed;
  int culprit, culprit_at;
} machine;

/* One end of an execution. */
typedef struct end {
  uint64_t digest;
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

static void deliver(machine *m, int to, mail what) {
  machine_process *process = &m->processes[to];
  if (process->state != ALIVE) return;
  assert_true(process->mails < MAILS);
  what.time = m->processes[what.from].now;
  process->box[process->mails++] = what;
}

static void doom(machine_process *process, int reason) {
  if (process->doomed) return;
  process->doomed = true;
  process->reason = reason;
}

static void add_bond(machine *m, int a, int b, int ref) {
  assert_true(m->bond_count < BONDS);
  m->bonds[m->bond_count++] = (bond){a, b, ref};
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

static bool exit_signal(machine *m, int to, int from, int reason) {
  machine_process *process = &m->processes[to];
  if (process->state != ALIVE) return false;
  if (process->traps) {
    deliver(m, to, (mail){.from = from, .tag = EO_EXIT, .value = reason, .who = from});
    return true;
  }
  if (reason == EO_NORMAL) return false;
  doom(process, reason);
  return true;
}

static void end_process(machine *m, int p, int reason) {
  machine_process *process = &m->processes[p];
  bool noticed = false;
  process->state = ENDED;
  if (process->name >= 0) m->names[process->name] = -1;
  for (int i = 0; i < m->bond_count;) {
    bond b = m->bonds[i];
    if (b.a != p && b.b != p) {
      i++;
      continue;
    }
    remove_bond(m, i);
    if (b.ref < 0) {
      noticed |= exit_signal(m, b.a == p ? b.b : b.a, p, reason);
    } else if (b.b == p && m->processes[b.a].state == ALIVE) {
      deliver(m, b.a, (mail){.from = p, .tag = EO_DOWN, .value = reason, .who = p, .ref = b.ref});
      noticed = true;
    }
  }
  if (reason != EO_NORMAL && !noticed) fail_machine(m, EO_KIND_ABNORMAL, p);
}

static int find_match(const machine_process *process, instruction in) {
  for (int i = 0; i < process->mails; i++) {
    const mail *x = &process->box[i];
    if (way_accepts((way)in.a, in.b, x->from, x->tag, x->value)) return i;
  }
  return -1;
}

static void receive(machine_process *process, instruction in) {
  int at = find_match(process, in);
  if (at < 0) {
    process->now += (uint64_t)in.c;
    process->seen = seen_add(process->seen, 77);
    return;
  }
  mail x = process->box[at];
  process->mails--;
  memmove(&process->box[at], &process->box[at + 1], (size_t)(process->mails - at) * sizeof(mail));
  if (x.time > process->now) process->now = x.time;
  if (x.tag == EO_DOWN) x.value = x.value * 8 + x.ref;
  process->seen = seen_message(process->seen, x.from, x.tag, x.value, x.tag < 0 ? x.who : -1);
}

static void demonitor(machine *m, int p, int ref, bool flush) {
  machine_process *process = &m->processes[p];
  for (int i = 0; i < m->bond_count; i++)
    if (m->bonds[i].a == p && m->bonds[i].ref == ref) {
      remove_bond(m, i);
      break;
    }
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
    case MONITOR: return in.a;
    case REGISTER: return in.b;
    default: return -1;
  }
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
      m->processes[in.a] =
          (machine_process){.state = ALIVE, .seen = (uint32_t)in.a + 1, .now = process->now, .name = -1};
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
    case RECEIVE: receive(process, in); break;
    case LINK:
      if (other == p) break;
      if (m->processes[other].state == ENDED)
        exit_signal(m, p, other, EO_NOPROC);
      else if (find_link(m, p, other) < 0)
        add_bond(m, p, other, -1);
      break;
    case UNLINK:
      if (find_link(m, p, other) >= 0) remove_bond(m, find_link(m, p, other));
      break;
    case TRAP:
      process->seen = seen_add(process->seen, process->traps);
      process->traps = in.a;
      break;
    case MONITOR:
      if (m->processes[other].state == ENDED)
        deliver(m, p, (mail){.from = other, .tag = EO_DOWN, .value = EO_NOPROC, .who = other, .ref = process->refs});
      else
        add_bond(m, p, other, process->refs);
      process->refs++;
      break;
    case DEMONITOR: demonitor(m, p, in.a, in.b); break;
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
  if (in.op == RECEIVE) return find_match(process, in) >= 0 || (in.c >= 0 && !program.idle);
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
  end e = {digest_of(m->failed, m->culprit, seen), preemptions, switches, m->failed, m->culprit, m->culprit_at};
  assert_true(eo_vec_push(out, e));
  return out->count <= MOST_ENDS;
}

/* All executions from here. False: there are too many. */
static bool explore_machine(const machine *m, int last, uint32_t preemptions, uint32_t switches, ends *out) {
  uint32_t count[PROCESSES], all = 0, alive = 0;
  uint64_t earliest = UINT64_MAX;
  for (int p = 0; p < PROCESSES; p++) {
    all += count[p] = ways(m, p);
    alive += m->processes[p].state == ALIVE;
    if (deadline(m, p) < earliest) earliest = deadline(m, p);
  }
  for (int p = 0; p < PROCESSES && all == 0 && program.idle && earliest < UINT64_MAX; p++)
    count[p] = deadline(m, p) == earliest;
  bool over = true;
  for (int p = 0; p < PROCESSES; p++) over = over && count[p] == 0;
  if (over) {
    machine last_state = *m;
    if (alive) fail_machine(&last_state, EO_KIND_DEADLOCK, -1);
    return note_machine(&last_state, preemptions, switches, out);
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

static bool explore_reference(ends *out) {
  machine m = {.names = {-1, -1}, .culprit = -1};
  m.processes[0] = (machine_process){.state = ALIVE, .seen = 1, .name = -1};
  run_private(&m, 0);
  if (m.failed) return note_machine(&m, 0, 0, out);
  return explore_machine(&m, -1, 0, 0, out);
}

/* ---- The same program for Everyorder ---------------------------------------------------------------------------- */

/* Not captured, so that what is noted in one execution is there in all. */
typedef struct noted {
  eo_pid pids[PROCESSES];
  char ids[PROCESSES][64];                   /* logical ids */
  const volatile uint32_t *cells[PROCESSES]; /* in the heap of each, captured; back to 0 while it is not there */
} noted;

static noted *notes;

/* Captured. The whole page is declared shared, so that writing it does not keep the engine from saving checkpoints. */
enum { PAGE = 4096 };
static _Alignas(PAGE) volatile uint32_t seen_by[PAGE / sizeof(uint32_t)];

static int number_of(eo_pid pid) {
  int p = 0;
  while (p < PROCESSES && notes->pids[p] != pid) p++;
  return p;
}

static bool accepts(const eo_message *message, void *context) {
  const instruction *in = context;
  return way_accepts((way)in->a, in->b, number_of(message->from), message->tag,
                     message->tag >= 0 ? *(const int *)message->data : 0);
}

static bool receive_message(instruction *in, eo_message *message) {
  int tags[] = {1, in->b};
  switch (in->a) {
    case ANY: return eo_receive(message, in->c);
    case TAG: return eo_receive_tag(message, in->b, in->c);
    case TAGS: return eo_receive_tags(message, tags, 2, in->c);
    default: return eo_receive_if(message, accepts, in, in->c);
  }
}

static uint32_t received(uint32_t seen, const eo_message *message, const eo_ref *refs, int ref_count) {
  int from = number_of(message->from);
  if (message->tag == EO_EXIT) {
    const eo_exit_info *info = message->data;
    return seen_message(seen, from, EO_EXIT, info->reason, number_of(info->pid));
  }
  if (message->tag == EO_DOWN) {
    const eo_down_info *info = message->data;
    int ref = 0;
    while (ref < ref_count && refs[ref] != info->ref) ref++;
    return seen_message(seen, from, EO_DOWN, info->reason * 8 + ref, number_of(info->pid));
  }
  return seen_message(seen, from, message->tag, *(const int *)message->data, -1);
}

static void run_script(void *argument) {
  int self = *(const int *)argument, ref_count = 0;
  const script *s = &program.scripts[self];
  eo_ref refs[LONGEST];
  eo_message message;
  static const char *const names[NAMES] = {"a", "b"};
  volatile uint32_t *seen = &seen_by[self];
  if (program.on_heap) {
    seen = malloc(sizeof *seen);
    notes->cells[self] = seen;
  }
  *seen = (uint32_t)self + 1;
  for (int at = 0; at < s->count; at++) {
    instruction in = s->items[at];
    bool divides = in.a > 0 && *seen % (uint32_t)in.a == (uint32_t)in.b;
    switch (in.op) {
      case SPAWN:
        if (in.b == 0) eo_spawn(run_script, &in.a, sizeof in.a);
        if (in.b == 1) eo_spawn_link(run_script, &in.a, sizeof in.a);
        if (in.b == 2) eo_spawn_monitor(run_script, &in.a, sizeof in.a, &refs[ref_count++]);
        break;
      case SEND: eo_send(notes->pids[in.a], in.b, &in.c, sizeof in.c); break;
      case SEND_NAME: eo_send_name(names[in.a], in.b, &in.c, sizeof in.c); break;
      case RECEIVE:
        *seen = receive_message(&in, &message) ? received(*seen, &message, refs, ref_count) : seen_add(*seen, 77);
        break;
      case EXIT: eo_exit(in.a);
      case LINK: eo_link(notes->pids[in.a]); break;
      case UNLINK: eo_unlink(notes->pids[in.a]); break;
      case TRAP: *seen = seen_add(*seen, eo_trap_exit(in.a)); break;
      case MONITOR: refs[ref_count++] = eo_monitor(notes->pids[in.a]); break;
      case DEMONITOR:
        if (in.a < ref_count) eo_demonitor(refs[in.a], in.b ? EO_FLUSH : 0);
        break;
      case REGISTER: *seen = seen_add(*seen, eo_register(names[in.a], notes->pids[in.b])); break;
      case UNREGISTER: *seen = seen_add(*seen, eo_unregister(names[in.a])); break;
      case WHEREIS: {
        eo_pid pid = eo_whereis(names[in.a]);
        *seen = seen_add(*seen, pid == EO_NOBODY ? 0 : (uint32_t)number_of(pid) + 1);
        break;
      }
      case CHOOSE: *seen = seen_add(*seen, eo_choose((unsigned)in.a)); break;
      case SLEEP: eo_sleep(in.a); break;
      case SKIP: at += divides; break;
      case CHECK: eo_assert(!divides, "process %d, instruction %d", self, at); break;
      case TIME: *seen = seen_add(*seen, (uint32_t)eo_now()); break;
      default: abort();
    }
  }
}

/* Spawns the processes alone, to learn their pids. */
static void learn_pids(void *argument) {
  int self = *(const int *)argument, children = 0;
  notes->pids[self] = eo_self();
  for (int at = 0; at < program.scripts[self].count; at++) {
    instruction in = program.scripts[self].items[at];
    if (in.op != SPAWN) continue;
    char id[64];
    snprintf(id, sizeof id, "%.50s.%d", notes->ids[self], ++children);
    memcpy(notes->ids[in.a], id, sizeof id);
    eo_spawn(learn_pids, &in.a, sizeof in.a);
  }
}

/* ---- Exploring it ----------------------------------------------------------------------------------------------- */

typedef struct failing {
  eo_failure failure;
  eo_schedule schedule;
} failing;

typedef struct exploration {
  eo_subject *subject;
  ends ends;
  EO_VEC(failing) assertions; /* the first of each */
  eo_coverage coverage;
  uint64_t limit; /* executions */
} exploration;

/* The script that a logical id runs; -1: none. */
static int culprit_of(const eo_failure *failure) {
  int p = 0;
  while (p < PROCESSES && strcmp(notes->ids[p], failure->process) != 0) p++;
  return p < PROCESSES ? p : -1;
}

static void keep_assertion(exploration *x, const eo_outcome *outcome) {
  for (size_t i = 0; i < x->assertions.count; i++)
    if (eo_failure_same(&x->assertions.items[i].failure, outcome->failure)) return;
  failing f = {.failure = *outcome->failure};
  assert_true(eo_vec_reserve(&f.schedule, outcome->depth + 1));
  if (outcome->depth) memcpy(f.schedule.items, outcome->choices, outcome->depth * sizeof *outcome->choices);
  f.schedule.count = outcome->depth;
  assert_true(eo_vec_push(&x->assertions, f));
}

static bool note_end(void *context, const eo_outcome *outcome) {
  exploration *x = context;
  uint32_t seen[PROCESSES];
  eo_kind kind = outcome->end == EO_END_FAILED ? outcome->failure->kind : EO_KIND_NONE;
  for (int p = 0; p < PROCESSES; p++) seen[p] = !program.on_heap ? seen_by[p] : notes->cells[p] ? *notes->cells[p] : 0;
  /* A deadlock is nobody's fault; the failure names a process if just one is left. */
  end e = {.digest = digest_of(kind, kind && kind != EO_KIND_DEADLOCK ? culprit_of(outcome->failure) : -1, seen),
           .kind = kind};
  assert_true(eo_vec_push(&x->ends, e));
  if (kind == EO_KIND_ASSERTION) keep_assertion(x, outcome);
  return x->ends.count <= x->limit;
}

typedef enum { PLAIN, NO_CHECKPOINTS, ALL_CHECKPOINTS } mode;

static void explore(exploration *x, eo_function function, const char *strategy, int bound, mode how) {
  static int first = 0;
  eo_error error = {0};
  eo_actor_options options = {.function = function, .argument = &first, .timeouts_idle = program.idle, .watchdog = 10};
  eo_strategy_options wanted = {.bounded = bound >= 0, .bound = bound >= 0 ? (uint32_t)bound : 0};
  eo_engine engine;
  eo_text words;
  memset(notes->cells, 0, sizeof notes->cells);
  x->subject = eo__actor_open(&options, &error);
  if (!x->subject) fail_msg("%s", error.text);
  eo_strategy *chosen = eo__recheck_open(eo__strategy_find(strategy)->open(&wanted, &error), &error);
  assert_non_null(chosen);
  eo_engine_init(&engine, x->subject, chosen);
  engine.no_checkpoints = how == NO_CHECKPOINTS;
  engine.all_checkpoints = how == ALL_CHECKPOINTS;
  engine.ended = note_end;
  engine.context = x;
  assert_int_equal(eo_engine_run(&engine, &error), EO_OK);
  eo_text_init(&words);
  x->coverage = chosen->ops->coverage(chosen, &words);
  eo_text_release(&words);
  eo_engine_release(&engine);
  chosen->ops->close(chosen);
}

static void exploration_release(exploration *x) {
  x->subject->ops->close(x->subject);
  for (size_t i = 0; i < x->assertions.count; i++) eo_vec_release(&x->assertions.items[i].schedule);
  eo_vec_release(&x->assertions);
  eo_vec_release(&x->ends);
}

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

static int by_digest(const void *a, const void *b) {
  uint64_t x = ((const end *)a)->digest, y = ((const end *)b)->digest;
  return x < y ? -1 : x > y;
}

static bool same_ends(const ends *reference, uint32_t bound, ends *ours) {
  ends within = {0};
  for (size_t i = 0; i < reference->count; i++)
    if (reference->items[i].preemptions <= bound) assert_true(eo_vec_push(&within, reference->items[i]));
  bool same = within.count == ours->count;
  if (within.count) qsort(within.items, within.count, sizeof(end), by_digest);
  if (ours->count) qsort(ours->items, ours->count, sizeof(end), by_digest);
  for (size_t i = 0; i < within.count && same; i++) same = within.items[i].digest == ours->items[i].digest;
  eo_vec_release(&within);
  return same;
}

static uint32_t most_preemptions(const ends *reference) {
  uint32_t most = 0;
  for (size_t i = 0; i < reference->count; i++)
    if (reference->items[i].preemptions > most) most = reference->items[i].preemptions;
  return most;
}

static void check_minimised(uint64_t seed, exploration *x, const ends *reference) {
  for (size_t i = 0; i < x->assertions.count; i++) {
    failing *f = &x->assertions.items[i];
    uint32_t least = UINT32_MAX;
    int process, at;
    bool fewest;
    eo_error error = {0};
    assert_int_equal(sscanf(strstr(f->failure.message, "process"), "process %d, instruction %d", &process, &at), 2);
    for (size_t j = 0; j < reference->count; j++) {
      const end *e = &reference->items[j];
      if (e->kind == EO_KIND_ASSERTION && e->culprit == process && e->culprit_at == at && e->switches < least)
        least = e->switches;
    }
    assert_int_equal(eo_minimise(x->subject, 10000, &f->failure, NULL, &f->schedule, &fewest, &error), EO_OK);
    uint32_t got = eo_schedule_switches(f->schedule.items, f->schedule.count);
    if (got < least || (fewest && got != least))
      fail_msg("seed %ju: '%s' is minimised to %u switches (%s), the reference has %u", (uintmax_t)seed,
               f->failure.message, got, fewest ? "fewest possible" : "shortest found", least);
  }
}

static void expect_same(uint64_t seed, const ends *reference, const char *strategy, int bound, mode how) {
  exploration x = {.limit = reference->count + 1};
  explore(&x, run_script, strategy, bound, how);
  bool all = bound < 0 || (uint32_t)bound >= most_preemptions(reference);
  if (!same_ends(reference, bound < 0 ? UINT32_MAX : (uint32_t)bound, &x.ends))
    fail_msg("seed %ju: %s (bound %d, mode %d): %zu executions; other ends than the reference, which has %zu in all",
             (uintmax_t)seed, strategy, bound, how, x.ends.count, reference->count);
  if ((x.coverage == EO_COVERS_ALL) != all)
    fail_msg("seed %ju: %s (bound %d) says it covers %s", (uintmax_t)seed, strategy, bound, all ? "a part" : "all");
  if (how == PLAIN && bound < 0) check_minimised(seed, &x, reference);
  exploration_release(&x);
}

/* False: too large. */
static bool compare(uint64_t seed) {
  ends reference = {0};
  draw_program(seed);
  bool small = explore_reference(&reference);
  if (small) {
    exploration pids = {.limit = 0};
    memset(notes, 0, sizeof *notes);
    strcpy(notes->ids[0], "P1");
    explore(&pids, learn_pids, "dfs", -1, NO_CHECKPOINTS);
    exploration_release(&pids);
    expect_same(seed, &reference, "dfs", -1, PLAIN);
    expect_same(seed, &reference, "dfs", -1, ALL_CHECKPOINTS);
    expect_same(seed, &reference, "preempt", -1, ALL_CHECKPOINTS);
    expect_same(seed, &reference, "preempt", -1, NO_CHECKPOINTS);
    for (uint32_t bound = 0; bound <= most_preemptions(&reference) + 1 && bound < 8; bound++)
      expect_same(seed, &reference, "preempt", (int)bound, PLAIN);
  }
  eo_vec_release(&reference);
  return small;
}

static uint64_t first_seed = 1, programs = 100;

static void ends_are_those_of_the_reference(void **state) {
  uint64_t compared = 0;
  (void)state;
  for (uint64_t i = 0; i < programs; i++) compared += compare(first_seed + i);
  printf("%ju programs compared\n", (uintmax_t)compared);
  assert_true(compared > programs / 4);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_are_those_of_the_reference)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  eo_shared((const void *)seen_by, sizeof seen_by);
  notes = mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return notes == MAP_FAILED ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
