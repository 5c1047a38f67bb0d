/* test_random_programs.c: random programs, explored by Everyorder and by a reference. The reference (first half) is a
 * brute-force explorer of an abstract machine with the meaning that everyorder.h gives to the operations; it shares no
 * code with the library. For each program and each strategy, bound and use of checkpoints, the multiset of ends must be
 * the same: how the execution ended, by whose fault, and what each process had seen by then. Assertions are minimised
 * as well, and "fewest possible" must be the fewest there are.
 *
 * Arguments, for longer hunts: first seed, number of programs. builds: release asan
 * hunt: SEED 300
 * takes: 10 */
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
#include "random_program.h"
#include "registry/registry.h"
#include "sanitized.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"

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
  bool traps, doomed, killed;
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
  bool noticed = process->killed;
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

static void demonitor(machine *m, int p, int ref, bool flush, bool looks) {
  machine_process *process = &m->processes[p];
  bool there = false;
  for (int i = 0; i < m->bond_count && !there; i++)
    if (m->bonds[i].a == p && m->bonds[i].ref == ref) {
      there = m->bonds[i].b != p; /* of oneself there is no monitor */
      remove_bond(m, i);
    }
  if (looks) process->seen = seen_add(process->seen, there);
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

static void kill_process(machine *m, int by, int p, int reason) {
  machine_process *process = &m->processes[p];
  bool was_doomed = process->doomed;
  if (process->state != ALIVE) return;
  if (reason == EO_KILL)
    doom(process, EO_KILLED);
  else if (by == p && reason == EO_NORMAL && !process->traps)
    doom(process, EO_NORMAL);
  else
    exit_signal(m, p, by, reason);
  if (!was_doomed && process->doomed) process->killed = true;
}

static void monitor(machine *m, int p, int other) {
  machine_process *process = &m->processes[p];
  if (other < 0 || m->processes[other].state == ENDED)
    deliver(m, p,
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
    case MONITOR: monitor(m, p, other); break;
    case WATCH_NAME: monitor(m, p, m->names[in.a]); break;
    case KILL: kill_process(m, p, in.a, in.b); break;
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
  end e = {.digest = digest_of(m->failed, m->culprit, seen),
           .preemptions = preemptions,
           .switches = switches,
           .kind = m->failed,
           .culprit = m->culprit,
           .culprit_at = m->culprit_at};
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
    if (eo__failure_same(&x->assertions.items[i].failure, outcome->failure)) return;
  failing f = {.failure = *outcome->failure};
  assert_true(eo_vec_reserve(&f.schedule, outcome->depth + 1));
  if (outcome->depth) memcpy(f.schedule.items, outcome->choices, outcome->depth * sizeof *outcome->choices);
  f.schedule.count = outcome->depth;
  assert_true(eo_vec_push(&x->assertions, f));
}

/* A final state is told by what all have seen, a failure by who failed how: what others had done matters to neither. */
static uint64_t told_of(const eo_outcome *outcome, uint64_t digest) {
  if (outcome->end != EO_END_FAILED || outcome->failure->kind == EO_KIND_DEADLOCK) return digest;
  uint64_t told = (uint64_t)outcome->failure->kind * 31 + (uint64_t)(culprit_of(outcome->failure) + 1);
  for (const char *c = outcome->failure->message; *c; c++) told = (told ^ (unsigned char)*c) * 0x100000001B3u;
  return told;
}

static bool note_end(void *context, const eo_outcome *outcome) {
  if (!outcome->counted) return true;
  exploration *x = context;
  uint32_t seen[PROCESSES];
  eo_kind kind = outcome->end == EO_END_FAILED ? outcome->failure->kind : EO_KIND_NONE;
  for (int p = 0; p < PROCESSES; p++) seen[p] = !program.on_heap ? seen_by[p] : cells[p] ? *cells[p] : 0;
  /* A deadlock is nobody's fault; the failure names a process if just one is left. */
  end e = {.digest = digest_of(kind, kind && kind != EO_KIND_DEADLOCK ? culprit_of(outcome->failure) : -1, seen),
           .kind = kind};
  if (outcome->end == EO_END_PRUNED) return true;
  e.told = told_of(outcome, e.digest);
  assert_true(eo_vec_push(&x->ends, e));
  if (kind == EO_KIND_ASSERTION) keep_assertion(x, outcome);
  return x->ends.count <= x->limit;
}

typedef enum { PLAIN, NO_CHECKPOINTS, ALL_CHECKPOINTS } mode;

/* How to explore; zero is dfs without a bound or a reduction, to the mailbox. */
typedef struct plan {
  const char *strategy, *reduction;
  bool bounded;
  uint32_t bound;
  eo_delivery delivery;
  mode how;
} plan;

static void explore(exploration *x, eo_function function, plan p) {
  static int first = 0;
  eo_error error = {0};
  eo_actor_options options = {
      .function = function, .argument = &first, .timeouts_idle = program.idle, .watchdog = 10, .delivery = p.delivery};
  eo_strategy_options wanted = {
      .bounded = p.bounded, .bound = p.bound, .delivery = p.delivery, .reduction = p.reduction};
  eo_engine engine;
  eo_text words;
  memset(cells, 0, sizeof cells);
  x->subject = eo__actor_open(&options, &error);
  if (!x->subject) fail_msg("%s", error.text);
  wanted.view = eo_subject_view(x->subject);
  eo_strategy *chosen = eo__recheck_open(eo__strategy_find(p.strategy)->open(&wanted, &error), &error);
  assert_non_null(chosen);
  eo__engine_init(&engine, x->subject, chosen);
  engine.no_checkpoints = p.how == NO_CHECKPOINTS;
  engine.all_checkpoints = p.how == ALL_CHECKPOINTS;
  engine.ended = note_end;
  engine.context = x;
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  eo__text_init(&words);
  x->coverage = chosen->ops->telling->coverage(chosen, &words);
  eo__text_release(&words);
  eo__engine_release(&engine);
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
    assert_int_equal(eo__minimise(x->subject, 10000, &f->failure, NULL, &f->schedule, &fewest, &error), EO_OK);
    uint32_t got = eo__schedule_switches(f->schedule.items, f->schedule.count);
    if (got < least || (fewest && got != least))
      fail_msg("seed %ju: '%s' is minimised to %u switches (%s), the reference has %u", (uintmax_t)seed,
               f->failure.message, got, fewest ? "fewest possible" : "shortest found", least);
  }
}

static void expect_same(uint64_t seed, const ends *reference, const char *strategy, int bound, mode how) {
  exploration x = {.limit = reference->count + 1};
  explore(&x, run_script,
          (plan){.strategy = strategy, .bounded = bound >= 0, .bound = bound >= 0 ? (uint32_t)bound : 0, .how = how});
  bool all = bound < 0 || (uint32_t)bound >= most_preemptions(reference);
  if (!same_ends(reference, bound < 0 ? UINT32_MAX : (uint32_t)bound, &x.ends))
    fail_msg("seed %ju: %s (bound %d, mode %d): %zu executions; other ends than the reference, which has %zu in all",
             (uintmax_t)seed, strategy, bound, how, x.ends.count, reference->count);
  if ((x.coverage == EO_COVERS_ALL) != all)
    fail_msg("seed %ju: %s (bound %d) says it covers %s", (uintmax_t)seed, strategy, bound, all ? "a part" : "all");
  if (how == PLAIN && bound < 0) check_minimised(seed, &x, reference);
  exploration_release(&x);
}

/* What is told at the ends, each once. Not misuse: these programs know the processes' numbers before those are spawned,
 * behind Everyorder's back. */
static ends only_told(const ends *all) {
  ends told = {0};
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i].kind != EO_KIND_MISUSE) assert_true(eo_vec_push(&told, ((end){.digest = all->items[i].told})));
  if (told.count) qsort(told.items, told.count, sizeof(end), by_digest);
  size_t count = 0;
  for (size_t i = 0; i < told.count; i++)
    if (i == 0 || told.items[i].digest != told.items[count - 1].digest) told.items[count++] = told.items[i];
  told.count = count;
  return told;
}

static bool same_told(const ends *a, const ends *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++) same = a->items[i].digest == b->items[i].digest;
  return same;
}

/* With --dpor, the same final states and findings as dfs has, and no more executions. */
static void compare_reduced(uint64_t seed, eo_delivery delivery) {
  static const char *const reductions[] = {"classic", "source"};
  exploration all = {.limit = MOST_ENDS};
  explore(&all, run_script, (plan){.strategy = "dfs", .delivery = delivery});
  size_t most = all.ends.count;
  ends expected = only_told(&all.ends);
  exploration_release(&all);
  for (int i = 0; i < 2 && most <= MOST_ENDS; i++) {
    exploration x = {.limit = most};
    mode how = seed % 2 ? ALL_CHECKPOINTS : PLAIN;
    explore(&x, run_script, (plan){"dpor", .reduction = reductions[i], .delivery = delivery, .how = how});
    ends told = only_told(&x.ends);
    if (!same_told(&told, &expected) || x.ends.count > most)
      fail_msg("seed %ju: --dpor %s, delivery %d: %zu executions, %zu different ends; dfs has %zu and %zu",
               (uintmax_t)seed, reductions[i], (int)delivery, x.ends.count, told.count, most, expected.count);
    notes->dpor[i] += x.ends.count;
    eo_vec_release(&told);
    exploration_release(&x);
  }
  if (most <= MOST_ENDS) notes->dfs += most;
  eo_vec_release(&expected);
}

/* False: too large. */
static bool compare(void (*draw_one)(uint64_t), uint64_t seed) {
  ends reference = {0};
  draw_one(seed);
  bool small = explore_reference(&reference);
  if (small) {
    exploration pids = {.limit = 0};
    memset(notes, 0, offsetof(noted, dfs));
    strcpy(notes->ids[0], "P1");
    explore(&pids, learn_pids, (plan){.strategy = "dfs", .how = NO_CHECKPOINTS});
    exploration_release(&pids);
    expect_same(seed, &reference, "dfs", -1, PLAIN);
    expect_same(seed, &reference, "dfs", -1, ALL_CHECKPOINTS);
    expect_same(seed, &reference, "preempt", -1, ALL_CHECKPOINTS);
    expect_same(seed, &reference, "preempt", -1, NO_CHECKPOINTS);
    for (uint32_t bound = 0; bound <= most_preemptions(&reference) + 1 && bound < 8; bound++)
      expect_same(seed, &reference, "preempt", (int)bound, PLAIN);
    for (eo_delivery delivery = EO_DELIVERY_MAILBOX; delivery <= EO_DELIVERY_ASYNC; delivery++)
      compare_reduced(seed, delivery);
  }
  eo_vec_release(&reference);
  return small;
}

static uint64_t first_seed = 1, programs = SANITIZED ? 30 : 100;

static void compare_programs(void (*draw_one)(uint64_t)) {
  uint64_t compared = 0;
  notes->dfs = notes->dpor[0] = notes->dpor[1] = 0;
  for (uint64_t i = 0; i < programs; i++) compared += compare(draw_one, first_seed + i);
  printf("%ju programs compared; executions: dfs %zu, --dpor classic %zu, source %zu\n", (uintmax_t)compared,
         notes->dfs, notes->dpor[0], notes->dpor[1]);
  assert_true(compared > programs / 4);
  if (SANITIZED) return; /* how much is saved is a question of many programs */
  assert_true(notes->dpor[1] < notes->dpor[0] && notes->dpor[0] < notes->dfs / 4);
}

static void ends_are_those_of_the_reference(void **state) {
  (void)state;
  compare_programs(draw_program);
}

static void with_kills_lives_and_names(void **state) {
  (void)state;
  compare_programs(draw_society_program);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_are_those_of_the_reference),
                                     cmocka_unit_test(with_kills_lives_and_names)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  return open_notes() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
