/* random_program.h: random programs over every operation of everyorder.h, for tests that explore them. Each process runs a
 * script, and keeps what it has seen in one number. */
#ifndef EO_TESTS_RANDOM_PROGRAM_H
#define EO_TESTS_RANDOM_PROGRAM_H

#include <everyorder.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/own.h"
#include "base/rng.h"

/* ---- Programs --------------------------------------------------------------------------------------------------- */

enum { PROCESSES = 5, LONGEST = 12, NAMES = 2, MAILS = 24, BONDS = 16, MOST_ENDS = 3000 };

typedef enum op {
  SPAWN,     /* process; how: 0, 1 linked, 2 monitored */
  SEND,      /* process, tag, value */
  SEND_NAME, /* name, tag, value */
  RECEIVE,   /* a way, its argument, timeout */
  EXIT,      /* reason */
  LINK,      /* process */
  UNLINK,    /* process */
  TRAP,      /* on */
  MONITOR,   /* process */
  DEMONITOR, /* number of the ref, flush (2: by eo_demonitor_flush), look at the result; nothing if there are not so many */
  REGISTER,   /* name, process */
  UNREGISTER, /* name */
  WHEREIS,    /* name */
  CHOOSE,     /* n */
  SLEEP,      /* milliseconds */
  KILL,       /* process, reason */
  ASK_ALIVE,  /* process */
  TRY_NAME,   /* name, tag, value */
  WATCH_NAME, /* name */
  OPS,
  /* Not operations but private code. */
  SKIP,  /* divisor, rest: leaves out the next one */
  CHECK, /* divisor, rest: fails */
  TIME,  /* looks at the clock */
  SAY,   /* announces the tag 1 */
  ALL_OPS
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
  bool abnormal; /* every exit that is not normal fails */
  bool on_heap;  /* where each keeps what it has seen: so that every state can be noted; else in one shared page */
  bool watched;  /* a specification observes the tag 1, */
  int too_many;  /* and fails when it has seen so many; 0: never */
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

/* How often which is drawn. Of what is not about messages alone, the second table has more. */
static const unsigned char plain_weights[OPS] = {
    [SEND] = 9,    [SEND_NAME] = 2, [RECEIVE] = 10, [EXIT] = 2,  [LINK] = 2,     [UNLINK] = 1,  [TRAP] = 2,
    [MONITOR] = 3, [DEMONITOR] = 2, [CHOOSE] = 1,   [SLEEP] = 1, [REGISTER] = 2, [WHEREIS] = 1, [UNREGISTER] = 1};
static const unsigned char society_weights[OPS] = {
    [SEND] = 4,     [SEND_NAME] = 1, [RECEIVE] = 8,  [EXIT] = 2,      [LINK] = 2,       [UNLINK] = 1,
    [TRAP] = 2,     [MONITOR] = 2,   [KILL] = 5,     [DEMONITOR] = 3, [WATCH_NAME] = 2, [CHOOSE] = 1,
    [REGISTER] = 3, [ASK_ALIVE] = 3, [TRY_NAME] = 2, [UNREGISTER] = 1};
static const unsigned char *weights = plain_weights;

static instruction draw(eo_rng *rng) {
  uint32_t all = 0, at = 0;
  for (int i = 0; i < OPS; i++) all += weights[i];
  uint32_t left = eo__rng_below(rng, all);
  while (left >= weights[at]) left -= weights[at++];
  instruction in = {.op = (int)at};
  int process = (int)eo__rng_below(rng, (uint32_t)program.processes), name = (int)eo__rng_below(rng, NAMES);
  switch (at) {
    case SEND: in = (instruction){SEND, process, (int)eo__rng_below(rng, 3), (int)eo__rng_below(rng, 4)}; break;
    case SEND_NAME: in = (instruction){SEND_NAME, name, (int)eo__rng_below(rng, 3), (int)eo__rng_below(rng, 4)}; break;
    case RECEIVE: {
      static const int timeouts[] = {-1, -1, -1, 0, 5, 10};
      in.a = eo__rng_below(rng, 2) ? ANY : (int)eo__rng_below(rng, WAYS);
      in.b = in.a == FROM ? process : (int)eo__rng_below(rng, 3);
      in.c = timeouts[eo__rng_below(rng, 6)];
      break;
    }
    case EXIT: in.a = (int)eo__rng_below(rng, 3); break;
    case TRAP: in.a = eo__rng_below(rng, 4) > 0; break;
    case DEMONITOR:
      in = (instruction){DEMONITOR, (int)eo__rng_below(rng, 2), (int)eo__rng_below(rng, 2), weights != plain_weights};
      if (weights != plain_weights && eo__rng_below(rng, 2)) in.b = 2, in.c = 0;
      break;
    case KILL: {
      static const int reasons[] = {EO_NORMAL, 1, 2, EO_KILL};
      in = (instruction){KILL, process, reasons[eo__rng_below(rng, 4)], 0};
      break;
    }
    case TRY_NAME: in = (instruction){TRY_NAME, name, (int)eo__rng_below(rng, 3), (int)eo__rng_below(rng, 4)}; break;
    case WATCH_NAME: in.a = name; break;
    case REGISTER: in = (instruction){REGISTER, name, process, 0}; break;
    case CHOOSE: in.a = 1 + (int)eo__rng_below(rng, 3); break;
    case SLEEP: in.a = (int)eo__rng_below(rng, 3) * 5; break;
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
  eo__rng_init(&rng, seed);
  memset(&program, 0, sizeof program);
  program.processes = 2 + (int)eo__rng_below(&rng, 3);
  program.idle = eo__rng_below(&rng, 4) == 0;
  program.on_heap = seed % 2;
  for (int p = 1; p < program.processes; p++)
    parents[p] = eo__rng_below(&rng, 3) ? 0 : (int)eo__rng_below(&rng, (uint32_t)p);
  for (int p = 0; p < program.processes; p++) {
    script *s = &program.scripts[p];
    if (eo__rng_below(&rng, 3) == 0) add(s, (instruction){TRAP, 1, 0, 0});
    for (int child = p + 1; child < program.processes; child++) {
      if (parents[child] != p) continue;
      if (eo__rng_below(&rng, 3) == 0) add(s, draw(&rng));
      add(s, (instruction){SPAWN, child, (int)eo__rng_below(&rng, 3), 0});
    }
    for (int i = (int)eo__rng_below(&rng, p ? 4 : 5); i > 0; i--) {
      uint32_t rest = eo__rng_below(&rng, 8);
      if (rest < 2) add(s, (instruction){SKIP, 2 + (int)rest, 0, 0});
      add(s, draw(&rng));
      if (rest == 2) add(s, (instruction){CHECK, 3, 0, 0});
      if (rest == 3) add(s, (instruction){TIME, 0, 0, 0});
    }
  }
}

/* The same, with more of kills, lives, monitors and names. */
static inline void draw_society_program(uint64_t seed) {
  weights = society_weights;
  draw_program(seed ^ 0x50C1E7);
  weights = plain_weights;
}

/* Over every operation, one or two of which come much more often than the others: programs that are full of them are rare else. */
static inline void draw_uneven_program(uint64_t seed) {
  unsigned char uneven[OPS];
  eo_rng rng;
  eo__rng_init(&rng, seed ^ 0x0DD5);
  for (int i = 0; i < OPS; i++) uneven[i] = plain_weights[i] + society_weights[i];
  for (int i = 0; i < 2; i++)
    uneven[1 + eo__rng_below(&rng, OPS - 1)] += 30; /* not SPAWN: each is spawned in one place */
  weights = uneven;
  draw_program(seed ^ 0x0DD5);
  weights = plain_weights;
}

/* A program that is all about messages: 3 to 5 processes, the first of which spawns the others; no links. Its traces
 * are many more than its steps suggest. */
static instruction draw_busy(eo_rng *rng) {
  static const unsigned char kinds[] = {SEND,    SEND,    SEND,    SEND,    RECEIVE, RECEIVE,   RECEIVE,   RECEIVE,
                                        RECEIVE, RECEIVE, MONITOR, WHEREIS, CHOOSE,  SEND_NAME, DEMONITOR, SLEEP};
  instruction in = {.op = kinds[eo__rng_below(rng, sizeof kinds)]};
  int process = (int)eo__rng_below(rng, (uint32_t)program.processes), tag = (int)eo__rng_below(rng, 3);
  if (eo__rng_below(rng, 2)) process = 0;
  switch (in.op) {
    case SEND: in = (instruction){SEND, process, tag, (int)eo__rng_below(rng, 4)}; break;
    case SEND_NAME: in = (instruction){SEND_NAME, 0, tag, (int)eo__rng_below(rng, 4)}; break;
    case RECEIVE: {
      static const int timeouts[] = {-1, -1, 0, 5, 10};
      in.a = (int)eo__rng_below(rng, WAYS);
      in.b = in.a == FROM ? process : tag;
      in.c = timeouts[eo__rng_below(rng, 5)];
      break;
    }
    case MONITOR: in.a = process; break;
    case CHOOSE: in.a = 2; break;
    case SLEEP: in.a = 5; break;
    case DEMONITOR: in.b = (int)eo__rng_below(rng, 2); break;
    default: break; /* whereis: name 0 */
  }
  return in;
}

static inline void draw_busy_program(uint64_t seed) {
  eo_rng rng;
  eo__rng_init(&rng, seed ^ 0xB05E);
  memset(&program, 0, sizeof program);
  program.processes = 3 + (int)eo__rng_below(&rng, 3);
  program.idle = eo__rng_below(&rng, 4) == 0;
  program.on_heap = seed % 2;
  bool named = eo__rng_below(&rng, 2);
  if (named) add(&program.scripts[0], (instruction){REGISTER, 0, 0, 0});
  for (int p = 1; p < program.processes; p++)
    add(&program.scripts[0], (instruction){SPAWN, p, eo__rng_below(&rng, 4) ? 0 : 2, 0});
  for (int p = 0; p < program.processes; p++) {
    for (int i = 1 + (int)eo__rng_below(&rng, program.processes > 3 ? 3 : 4); i > 0; i--) {
      instruction in = draw_busy(&rng);
      if (in.op == SEND_NAME && (!named || eo__rng_below(&rng, 2))) in.op = SEND;
      add(&program.scripts[p], in);
      if (eo__rng_below(&rng, 8) == 0) add(&program.scripts[p], (instruction){SKIP, 2, 0, 0});
    }
    if (p == 0) /* it listens at the end, so that the order of what the others send matters */
      for (int i = 1 + (int)eo__rng_below(&rng, 3); i > 0; i--)
        add(&program.scripts[0], (instruction){RECEIVE, eo__rng_below(&rng, 2) ? ANY : TAGS, 2, i % 2 ? 5 : -1});
  }
}

/* A program of nothing but messages, choices and time: 3 to 5 processes, all of which listen and tell. */
static inline void draw_message_program(uint64_t seed) {
  eo_rng rng;
  eo__rng_init(&rng, seed ^ 0x5EED);
  memset(&program, 0, sizeof program);
  program.processes = 3 + (int)eo__rng_below(&rng, 3);
  program.idle = eo__rng_below(&rng, 4) == 0;
  program.on_heap = seed % 2;
  for (int p = 1; p < program.processes; p++) add(&program.scripts[0], (instruction){SPAWN, p, 0, 0});
  for (int p = 0; p < program.processes; p++)
    for (int i = 2 + (int)eo__rng_below(&rng, 4); i > 0; i--) {
      /* To those that were there before it: no pid is guessed. */
      int to = (int)eo__rng_below(&rng, (uint32_t)(p ? p + 1 : program.processes));
      instruction in = {SEND, to, (int)eo__rng_below(&rng, 3), (int)eo__rng_below(&rng, 4)};
      uint32_t drawn = eo__rng_below(&rng, 20);
      if (drawn < 10) {
        static const int timeouts[] = {-1, -1, -1, -1, -1, -1, 0, 5};
        in = (instruction){RECEIVE, eo__rng_below(&rng, 2) ? ANY : (int)eo__rng_below(&rng, LIBRARY), 0, 0};
        in.b = in.a == FROM ? (int)eo__rng_below(&rng, (uint32_t)program.processes) : (int)eo__rng_below(&rng, 3);
        in.c = timeouts[eo__rng_below(&rng, 8)];
      } else if (drawn == 10) {
        in = (instruction){CHOOSE, 2, 0, 0};
      } else if (drawn == 11) {
        in = (instruction){SLEEP, 5, 0, 0};
      }
      if (drawn == 12) add(&program.scripts[p], (instruction){SKIP, 2, 0, 0});
      add(&program.scripts[p], in);
      if (drawn == 13) add(&program.scripts[p], (instruction){CHECK, 5, 0, 0});
    }
}

/* The same with a specification, and processes that announce what it observes: that is no step, but part of one, also of
 * receives. */
static inline void draw_watched_program(uint64_t seed) {
  eo_rng rng;
  draw_message_program(seed);
  eo__rng_init(&rng, seed ^ 0x3A1D);
  program.watched = true;
  program.too_many = (int)eo__rng_below(&rng, 6);
  for (int p = 0; p < program.processes; p++) {
    script drawn = program.scripts[p], *s = &program.scripts[p];
    s->count = 0;
    for (int i = 0; i < drawn.count; i++) {
      if (p && i > 3) break;
      add(s, drawn.items[i]);
      if (drawn.items[i].op == RECEIVE && eo__rng_below(&rng, 2)) s->items[s->count - 1].c = 5;
      if (eo__rng_below(&rng, 3) == 0) add(s, (instruction){SAY, 0, 0, 0});
    }
  }
}

/* Nothing fails, and what is announced behind a choose or a receive often depends on the value or the message. */
static inline void draw_telling_program(uint64_t seed) {
  eo_rng rng;
  draw_message_program(seed);
  eo__rng_init(&rng, seed ^ 0x7E11);
  program.watched = true;
  for (int p = 0; p < program.processes; p++) {
    script drawn = program.scripts[p], *s = &program.scripts[p];
    s->count = 0;
    for (int i = 0; i < drawn.count && (p == 0 || i < 4); i++) {
      if (drawn.items[i].op == CHECK) continue;
      add(s, drawn.items[i]);
      if (eo__rng_below(&rng, 2)) continue;
      if (eo__rng_below(&rng, 3) == 0) add(s, (instruction){SKIP, 2, (int)eo__rng_below(&rng, 2), 0});
      add(s, (instruction){SAY, 0, 0, 0});
    }
  }
}

/* ---- The same program for Everyorder ---------------------------------------------------------------------------- */

/* Not captured, so that what is noted in one execution is there in all. */
typedef struct noted {
  eo_pid pids[PROCESSES];
  char ids[PROCESSES][64]; /* logical ids */
  size_t dfs, dpor[2];     /* executions in all, where dpor was compared with dfs */
  size_t travelled;        /* comparisons with a reference where signals travel */
} noted;

static noted *notes;

/* In the heap of each, captured; back to 0 while it is not there. Where they are is the harness's own affair. */
EO_OWN static const volatile uint32_t *cells[PROCESSES];

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

typedef struct heard {
  int count;
} heard;

static void hear(void *self, const eo_message *event) {
  heard *h = self;
  (void)event;
  eo_assert(++h->count != program.too_many, "heard %d", h->count);
}

static const eo_machine watcher = {
    .name = "watcher", EO_VARIABLES(heard), EO_OBSERVES(1), EO_STATES({.name = "on", .on = EO_ON(EO_DO(1, hear))})};

static void run_script(void *argument) {
  int self = *(const int *)argument, ref_count = 0;
  const script *s = &program.scripts[self];
  eo_ref refs[LONGEST];
  eo_message message;
  static const char *const names[NAMES] = {"a", "b"};
  volatile uint32_t *seen = &seen_by[self];
  if (program.on_heap) {
    seen = malloc(sizeof *seen);
    cells[self] = seen;
  }
  *seen = (uint32_t)self + 1;
  if (self == 0 && program.watched) eo_specify(&watcher, NULL, 0);
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
        if (in.a < ref_count && in.b == 2) {
          eo_demonitor_flush(refs[in.a]);
        } else if (in.a < ref_count) {
          bool there = eo_demonitor(refs[in.a], in.b ? EO_FLUSH : 0);
          if (in.c) *seen = seen_add(*seen, there);
        }
        break;
      case KILL: eo_kill(notes->pids[in.a], in.b); break;
      case ASK_ALIVE: *seen = seen_add(*seen, eo_is_alive(notes->pids[in.a])); break;
      case TRY_NAME: *seen = seen_add(*seen, eo_try_send_name(names[in.a], in.b, &in.c, sizeof in.c)); break;
      case WATCH_NAME: refs[ref_count++] = eo_monitor_name(names[in.a]); break;
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
      case SAY: eo_announce(1, NULL, 0); break;
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

static bool open_notes(void) {
  eo_shared((const void *)seen_by, sizeof seen_by);
  notes = mmap(NULL, sizeof *notes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return notes != MAP_FAILED;
}

#endif
