/* test_dependence.c: do steps that the subject calls independent really commute? Small programs of four processes that
 * do everything the API has, under each delivery and with mailboxes whose receives choose. At every state that can be reached, for every
 * two choices of different processes, both orders are run; if anything differs (the state, its failure, what can be done
 * next, what the steps say they did), the two must be dependent by the rules of core/subject.h, whichever came first. And
 * where the order does not matter, a table says for which pairs the subject must know that.
 *
 * Arguments, for longer hunts: first seed, number of programs. builds: release asan
 * hunt: SEED 200 */
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

#include "base/own.h"
#include "base/rng.h"
#include "base/vec.h"
#include "core/program.h"
#include "sanitized.h"
#include "subjects/actor/actor.h"

/* ---- Programs --------------------------------------------------------------------------------------------------- */

enum { PROCESSES = 4, LONGEST = 6, MOST_STATES = 4000 };

typedef enum act {
  END, /* of the script: exits normally */
  SEND,
  SEND_NAME,
  TRY_NAME,
  RECEIVE,
  RECEIVE_TAG,
  RECEIVE_ODD,
  RECEIVE_TIMED,
  SPAWN, /* a child that ends at once; how, reason */
  EXIT,
  KILL, /* process, reason */
  IS_ALIVE,
  LINK,
  UNLINK,
  MONITOR,
  MONITOR_NAME,
  DEMONITOR, /* the last one; flush, 2: without a result */
  REGISTER,  /* name, process */
  UNREGISTER,
  WHEREIS,
  TRAP,
  CHOOSE,
  SLEEP,
  ANNOUNCE, /* tag; no operation */
  ACTS
} act;

typedef struct instruction {
  act act;
  int a, b;
} instruction;

/* What is run now. Not captured: the processes only read it. */
typedef struct board {
  instruction scripts[PROCESSES][LONGEST];
  eo_pid pids[PROCESSES]; /* the same in every execution */
  bool observed;          /* by a specification */
} board;
static EO_OWN board *the;

static const char *const names[] = {"north", "south"};

/* A specification that knows all it has seen, in order; in one of its states it ignores something. */
typedef struct memory {
  uint64_t seen;
} memory;

enum { AWAKE, DROWSY };

static void remember(void *self, const eo_message *event) {
  memory *vars = self;
  vars->seen = vars->seen * 31 + event->from * 100 + (uint64_t)(event->tag + 10);
  if (vars->seen % 3 == 0) eo_goto(self, DROWSY, NULL, 0);
}

static const eo_machine observer = {
    EO_VARIABLES(memory), .name = "observer", .start = AWAKE, EO_OBSERVES(1, 2, EO_DOWN, EO_EXIT),
    EO_STATES([AWAKE] = {.name = "awake",
                         .on = EO_ON(EO_DO(1, remember), EO_DO(2, remember), EO_DO(EO_DOWN, remember),
                                     EO_DO(EO_EXIT, remember))},
              [DROWSY] = {.name = "drowsy",
                          .on = EO_ON(EO_IGNORE(1), EO_IGNORE(EO_DOWN), EO_GOTO(2, AWAKE), EO_GOTO(EO_EXIT, AWAKE))})};

static bool odd(const eo_message *message, void *context) {
  return message->tag >= 0 && message->tag % 2 == *(int *)context;
}

static void child(void *reason) { eo_exit(*(int *)reason); }

static uint64_t receive(instruction i) {
  eo_message message;
  int wanted = 1;
  bool got = i.act == RECEIVE       ? eo_receive(&message, EO_FOREVER)
             : i.act == RECEIVE_TAG ? eo_receive_tag(&message, i.a, EO_FOREVER)
             : i.act == RECEIVE_ODD ? eo_receive_if(&message, odd, &wanted, EO_FOREVER)
                                    : eo_receive(&message, 10);
  uint64_t value = 0;
  if (got && message.size == sizeof value) memcpy(&value, message.data, sizeof value);
  return got ? message.from * 1000 + (uint64_t)(message.tag + 5) * 10 + value : 7;
}

static uint64_t perform(instruction i, eo_ref *ref, uint64_t seen) {
  switch (i.act) {
    case SEND: eo_send(the->pids[i.a], i.b, &seen, sizeof seen); return 0;
    case SEND_NAME: eo_send_name(names[i.a], i.b, &seen, sizeof seen); return 0;
    case TRY_NAME: return eo_try_send_name(names[i.a], i.b, &seen, sizeof seen);
    case RECEIVE:
    case RECEIVE_TAG:
    case RECEIVE_ODD:
    case RECEIVE_TIMED: return receive(i);
    case SPAWN:
      if (i.a == 0) return eo_spawn(child, &i.b, sizeof i.b);
      return i.a == 1 ? eo_spawn_link(child, &i.b, sizeof i.b) : eo_spawn_monitor(child, &i.b, sizeof i.b, ref);
    case LINK: eo_link(the->pids[i.a]); return 0;
    case UNLINK: eo_unlink(the->pids[i.a]); return 0;
    case MONITOR: return *ref = eo_monitor(the->pids[i.a]);
    case MONITOR_NAME: return *ref = eo_monitor_name(names[i.a]);
    case DEMONITOR:
      if (i.a == 2 && *ref) eo_demonitor_flush(*ref);
      return *ref && i.a != 2 ? eo_demonitor(*ref, i.a ? EO_FLUSH : 0) : 0;
    case KILL: eo_kill(the->pids[i.a], i.b); return 0;
    case IS_ALIVE: return eo_is_alive(the->pids[i.a]);
    case REGISTER: return eo_register(names[i.a], the->pids[i.b]);
    case UNREGISTER: return eo_unregister(names[i.a]);
    case WHEREIS: return eo_whereis(names[i.a]);
    case TRAP: return eo_trap_exit(i.a);
    case CHOOSE: return eo_choose(2);
    case SLEEP: eo_sleep(5); return 0;
    case ANNOUNCE: eo_announce(i.a, &seen, sizeof seen); return 0;
    case EXIT: eo_exit(i.a);
    case END:
    case ACTS: break;
  }
  return 0;
}

static void run_script(void *number) {
  const instruction *script = the->scripts[*(int *)number];
  uint64_t seen = 0;
  eo_ref ref = 0;
  for (int i = 0; i < LONGEST && script[i].act != END; i++) seen = seen * 31 + perform(script[i], &ref, seen);
}

/* P1 starts the others, which are 1 to 3, and is 0 itself. */
static void first(void *argument) {
  (void)argument;
  if (the->observed) eo_specify(&observer, NULL, 0);
  for (int i = 1; i < PROCESSES; i++) eo_spawn(run_script, &i, sizeof i);
  int zero = 0;
  run_script(&zero);
}

/* ---- Both orders ------------------------------------------------------------------------------------------------ */

/* One step, with all there is to know of it. */
typedef struct taken {
  bool possible, good;
  eo_event event;
  EO_VEC(eo_touch) touches;
  EO_VEC(uint32_t) doomed;
} taken;

typedef struct state {
  uint64_t hash[2];
  EO_VEC(eo_choice) choices;
} state;

static EO_OWN eo_subject *subject;
static EO_OWN uint64_t pairs, commuting, needless, states; /* the test's own variables are not the program's */
static EO_OWN bool met[EO_OP_KINDS][EO_OP_KINDS];
static EO_OWN eo_event events[1000]; /* a step's event lies behind those before it */
static EO_OWN uint32_t depth;

static void look(state *s) {
  const eo_choice *choices;
  uint32_t count = subject->ops->enabled(subject, &choices);
  eo_vec_clear(&s->choices);
  for (uint32_t i = 0; i < count; i++) assert_true(eo_vec_push(&s->choices, choices[i]));
  subject->ops->states->fingerprint(subject, s->hash);
}

static bool is_enabled(eo_choice choice) {
  const eo_choice *choices;
  uint32_t count = subject->ops->enabled(subject, &choices);
  for (uint32_t i = 0; i < count; i++)
    if (choices[i].process == choice.process && choices[i].value == choice.value) return true;
  return false;
}

static void take(eo_choice choice, taken *t) {
  eo_vec_clear(&t->touches);
  eo_vec_clear(&t->doomed);
  t->possible = is_enabled(choice);
  t->good = false;
  if (!t->possible) return;
  t->good = subject->ops->step(subject, choice, &events[depth]);
  t->event = events[depth];
  const eo_touch *touches;
  const uint32_t *doomed;
  uint32_t count = subject->ops->relations->touched(subject, &touches);
  for (uint32_t i = 0; i < count; i++) assert_true(eo_vec_push(&t->touches, touches[i]));
  count = subject->ops->relations->doomed(subject, &doomed);
  for (uint32_t i = 0; i < count; i++) assert_true(eo_vec_push(&t->doomed, doomed[i]));
  assert_int_equal(count > 0, (t->event.flags & EO_EVENT_DOOMS) != 0);
}

static bool dooms(const taken *t, uint32_t process) {
  for (size_t i = 0; i < t->doomed.count; i++)
    if (t->doomed.items[i] == process) return true;
  return false;
}

/* The rules of core/subject.h, for two steps that could both be taken. */
static bool dependent(const taken *a, const taken *b) {
  if ((a->event.flags | b->event.flags) & EO_EVENT_IDLE) return true;
  if (dooms(a, b->event.process) || dooms(b, a->event.process)) return true;
  for (size_t i = 0; i < a->touches.count; i++)
    for (size_t j = 0; j < b->touches.count; j++)
      if (a->touches.items[i].object == b->touches.items[j].object &&
          (a->touches.items[i].writes || b->touches.items[j].writes))
        return true;
  return false;
}

static bool same_event(const eo_event *a, const eo_event *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool same_state(const state *a, const state *b) {
  return memcmp(a->hash, b->hash, sizeof a->hash) == 0 && a->choices.count == b->choices.count &&
         (a->choices.count == 0 ||
          memcmp(a->choices.items, b->choices.items, a->choices.count * sizeof *a->choices.items) == 0);
}

static void tell(const char *title, const eo_choice *choice, const taken *t) {
  char name[EO_PROCESS_NAME];
  subject->ops->processes->name(subject, choice->process, name, sizeof name);
  print_message("%s: %s %s value %u: %s%s, message %u, %u sent, flags %u, touches", title, name,
                eo__op_name(choice->op), choice->value, t->possible ? "done" : "not possible",
                t->good ? "" : ", failed", t->event.message, t->event.sent, t->event.flags);
  for (size_t i = 0; i < t->touches.count; i++)
    print_message(" %s%u", t->touches.items[i].writes ? "W" : "R", t->touches.items[i].object);
  print_message("\n");
}

static EO_OWN taken ab[2], ba[2]; /* in the order they were taken */

/* Runs a and b in both orders from the saved state. True: it makes no difference. */
static bool both_orders(void *saved, eo_choice a, eo_choice b) {
  static EO_OWN state after[2];
  subject->ops->saving->restore(subject, saved);
  take(a, &ab[0]);
  depth++;
  ab[1] = (taken){.touches = ab[1].touches, .doomed = ab[1].doomed};
  if (ab[0].good) take(b, &ab[1]);
  depth--;
  if (ab[1].good) look(&after[0]);
  eo_failure failure = *subject->ops->failure(subject);
  subject->ops->saving->restore(subject, saved);
  take(b, &ba[0]);
  depth++;
  ba[1] = (taken){.touches = ba[1].touches, .doomed = ba[1].doomed};
  if (ba[0].good) take(a, &ba[1]);
  depth--;
  if (ba[1].good) look(&after[1]);
  assert_true(ab[0].possible && ba[0].possible);
  if (!ab[0].good || !ba[0].good) {
    /* One of them ends the execution at once: the other one before it must not change that. */
    const taken *fails = !ab[0].good ? &ab[0] : &ba[0], *again = !ab[0].good ? &ba[1] : &ab[1];
    if (!ab[0].good && !ba[0].good) return true;
    return again->possible && !again->good && same_event(&fails->event, &again->event);
  }
  if (!ab[1].possible || !ba[1].possible) return false;
  if (!same_event(&ab[0].event, &ba[1].event) || !same_event(&ab[1].event, &ba[0].event)) return false;
  if (ab[1].good && ba[1].good) return same_state(&after[0], &after[1]);
  return !ab[1].good && !ba[1].good && eo__failure_same(&failure, subject->ops->failure(subject));
}

static void check_pair(void *saved, eo_choice a, eo_choice b) {
  bool same = both_orders(saved, a, b);
  pairs++;
  met[a.op][b.op] = met[b.op][a.op] = true;
  if (same) commuting++;
  bool first_order = ab[1].possible ? dependent(&ab[0], &ab[1]) : dependent(&ab[0], &ba[0]);
  bool second_order = ba[1].possible ? dependent(&ba[0], &ba[1]) : dependent(&ba[0], &ab[0]);
  if (same && first_order) needless++;
  if (same && first_order == second_order) return;
  if (!same && first_order && second_order) return;
  tell("first", &a, &ab[0]);
  tell("then", &b, &ab[1]);
  tell("or first", &b, &ba[0]);
  tell("then", &a, &ba[1]);
  fail_msg("%s, and the steps are %s and %s", same ? "the order does not matter" : "the order matters",
           first_order ? "dependent" : "independent", second_order ? "dependent" : "independent");
}

/* ---- Every state ------------------------------------------------------------------------------------------------ */

static EO_OWN EO_VEC(uint64_t) visited; /* an open table of hashes */

static bool is_new(const uint64_t hash[2]) {
  if (visited.count * 2 >= visited.capacity) {
    EO_VEC(uint64_t) old = {visited.items, visited.count, visited.capacity};
    memset(&visited, 0, sizeof visited);
    assert_true(eo_vec_reserve(&visited, 2 * old.capacity + 1024));
    memset(visited.items, 0, visited.capacity * sizeof *visited.items);
    for (size_t i = 0; i < old.capacity; i++)
      if (old.items[i]) is_new(&old.items[i]);
    eo_vec_release(&old);
  }
  size_t at = hash[0] % visited.capacity;
  for (; visited.items[at]; at = (at + 1) % visited.capacity)
    if (visited.items[at] == hash[0]) return false;
  visited.items[at] = hash[0];
  visited.count++;
  return true;
}

static void explore(void) {
  state here = {0};
  look(&here);
  if (!is_new(here.hash) || visited.count > MOST_STATES) {
    eo_vec_release(&here.choices);
    return;
  }
  states++;
  void *saved = subject->ops->saving->save(subject);
  assert_non_null(saved);
  for (size_t i = 0; i < here.choices.count; i++)
    for (size_t j = i + 1; j < here.choices.count; j++)
      if (here.choices.items[i].process != here.choices.items[j].process)
        check_pair(saved, here.choices.items[i], here.choices.items[j]);
  for (size_t i = 0; i < here.choices.count; i++) {
    subject->ops->saving->restore(subject, saved);
    if (!subject->ops->step(subject, here.choices.items[i], &events[depth])) continue;
    depth++;
    explore();
    depth--;
  }
  subject->ops->saving->forget(subject, saved);
  eo_vec_release(&here.choices);
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

typedef struct mode {
  const char *name;
  eo_delivery delivery;
  bool choose, idle;
} mode;

static const mode modes[] = {{"choose", EO_DELIVERY_MAILBOX, true, false},
                             {"fifo", EO_DELIVERY_FIFO, false, false},
                             {"causal", EO_DELIVERY_CAUSAL, false, false},
                             {"async", EO_DELIVERY_ASYNC, false, false},
                             {"choose, idle", EO_DELIVERY_MAILBOX, true, true}};
enum { MODES = sizeof modes / sizeof *modes };

static void open_mode(const mode *m) {
  eo_error error = {0};
  eo_actor_options options = {.function = first, .watchdog = 1e9, .delivery = m->delivery, .timeouts_idle = m->idle};
  subject = eo__actor_open(&options, &error);
  if (!subject) fail_msg("%s", error.text);
  subject->ops->relations->receives_choose(subject, m->choose);
  depth = 0;
  assert_true(subject->ops->reset(subject));
}

static void learn_pids(void *argument) {
  (void)argument;
  the->pids[0] = eo_self();
  for (int i = 1; i < PROCESSES; i++) the->pids[i] = eo_spawn(run_script, &i, sizeof i);
}

static void close_mode(void) {
  subject->ops->close(subject);
  subject = NULL;
}

static int set_up(void **unused) {
  (void)unused;
  the = mmap(NULL, sizeof *the, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  eo_actor_options options = {.function = learn_pids, .watchdog = 1e9};
  subject = eo__actor_open(&options, NULL);
  if (the == MAP_FAILED || !subject || !subject->ops->reset(subject)) return -1;
  const eo_choice *choices;
  for (depth = 0; subject->ops->enabled(subject, &choices) && depth < 20; depth++)
    subject->ops->step(subject, choices[0], &events[depth]);
  close_mode();
  return 0;
}

/* The first choice of a process. */
static eo_choice choice_of(const char *name) {
  const eo_choice *choices;
  uint32_t process = subject->ops->processes->number(subject, name), count = subject->ops->enabled(subject, &choices);
  for (uint32_t i = 0; i < count; i++)
    if (choices[i].process == process) return choices[i];
  fail_msg("%s cannot go on", name);
  return (eo_choice){0};
}

static void run_steps(const char *name, int steps) {
  for (int i = 0; i < steps; i++, depth++) assert_true(subject->ops->step(subject, choice_of(name), &events[depth]));
}

static EO_OWN uint64_t first_seed = 1, programs = SANITIZED ? 50 : 140;

static instruction draw(eo_rng *rng, int self) {
  instruction i = {(act)(1 + eo__rng_below(rng, ACTS - 1)), 0, 0};
  int other = (int)eo__rng_below(rng, PROCESSES);
  switch (i.act) {
    case SEND:
      i.a = other == self ? (other + 1) % PROCESSES : other;
      i.b = (int)eo__rng_below(rng, 3);
      break;
    case SEND_NAME:
    case TRY_NAME:
      i.a = (int)eo__rng_below(rng, 2);
      i.b = (int)eo__rng_below(rng, 3);
      break;
    case RECEIVE_TAG:
    case ANNOUNCE: i.a = (int)eo__rng_below(rng, 3); break;
    case SPAWN:
      i.a = (int)eo__rng_below(rng, 3);
      i.b = 4 * (int)eo__rng_below(rng, 2);
      break;
    case EXIT: i.a = (int)eo__rng_below(rng, 2) * (2 + self); break;
    case KILL: {
      static const int reasons[] = {EO_NORMAL, 5, EO_KILL};
      i.a = other;
      i.b = reasons[eo__rng_below(rng, 3)];
      break;
    }
    case IS_ALIVE:
    case LINK:
    case UNLINK:
    case MONITOR: i.a = other == self ? (other + 1) % PROCESSES : other; break;
    case DEMONITOR: i.a = (int)eo__rng_below(rng, 3); break;
    case MONITOR_NAME:
    case UNREGISTER:
    case WHEREIS: i.a = (int)eo__rng_below(rng, 2); break;
    case TRAP: i.a = eo__rng_below(rng, 4) > 0; break;
    case REGISTER:
      i.a = (int)eo__rng_below(rng, 2);
      i.b = other;
      break;
    default: break;
  }
  return i;
}

static void fill_script(eo_rng *rng, int self, int length) {
  instruction *script = the->scripts[self];
  for (int i = 0; i < length; i++) {
    script[i] = draw(rng, self);
    if (script[i].act != DEMONITOR || i + 1 == LONGEST) continue;
    script[i + 1] = script[i]; /* there must be a monitor to end */
    script[i++] = (instruction){MONITOR, (self + 1 + (int)eo__rng_below(rng, PROCESSES - 1)) % PROCESSES, 0};
  }
}

static void dependent_steps_are_known(void **unused) {
  (void)unused;
  for (uint64_t seed = first_seed; seed < first_seed + programs; seed++) {
    eo_rng rng;
    eo__rng_init(&rng, seed);
    memset(the->scripts, 0, sizeof the->scripts);
    the->observed = seed % 2 == 0;
    for (int p = 0; p < PROCESSES; p++) fill_script(&rng, p, p ? 2 + (int)eo__rng_below(&rng, 3) : 1);
    for (size_t m = 0; m < MODES; m++) {
      open_mode(&modes[m]);
      eo_vec_release(&visited);
      memset(&visited, 0, sizeof visited);
      print_message("seed %llu, %s\n", (unsigned long long)seed, modes[m].name);
      run_steps("P1", PROCESSES - 1); /* the others know each other's pids */
      explore();
      close_mode();
    }
  }
  eo_vec_release(&visited);
  the->observed = false;
  print_message("%llu states, %llu pairs, %llu of them commute, %llu of these called dependent\n",
                (unsigned long long)states, (unsigned long long)pairs, (unsigned long long)commuting,
                (unsigned long long)needless);
  for (int a = 0; a < EO_OP_KINDS; a++)
    for (int b = 0; b < EO_OP_KINDS; b++)
      if (!met[a][b] && !SANITIZED && a != EO_OP_FAULT && b != EO_OP_FAULT) /* those are counted: test_faults.c */
        fail_msg("%s and %s never met", eo__op_name((eo_op_kind)a), eo__op_name((eo_op_kind)b));
}

/* ---- Steps that must be known to commute ------------------------------------------------------------------------ */

/* P1.3 runs its script; P1.1 and P1.2 run theirs up to the last instruction, and those are compared. */
typedef struct row {
  const char *name;
  instruction scripts[PROCESSES - 1][LONGEST];
} row;

static const row independent_rows[] = {
    {"whereis of one name", {{{WHEREIS, 0, 0}}, {{WHEREIS, 0, 0}}, {{REGISTER, 0, 3}, {RECEIVE, 0, 0}}}},
    {"sends to different mailboxes", {{{SEND, 0, 1}}, {{SEND, 3, 1}}, {{RECEIVE, 0, 0}}}},
    {"sends to one mailbox", {{{SEND, 3, 1}}, {{SEND, 3, 1}}, {{RECEIVE, 0, 0}}}},
    {"sends to one name", {{{SEND_NAME, 0, 1}}, {{SEND_NAME, 0, 1}}, {{REGISTER, 0, 3}, {RECEIVE, 0, 0}}}},
    {"register of different names", {{{REGISTER, 0, 1}}, {{REGISTER, 1, 2}}, {{RECEIVE, 0, 0}}}},
    {"two normal exits of linked processes",
     {{{LINK, 2, 0}, {EXIT, 0, 0}}, {{WHEREIS, 0, 0}, {EXIT, 0, 0}}, {{END, 0, 0}}}},
    {"monitor and register of one process", {{{MONITOR, 3, 0}}, {{REGISTER, 0, 3}}, {{RECEIVE, 0, 0}}}},
    {"two monitors of one process", {{{MONITOR, 3, 0}}, {{MONITOR, 3, 0}}, {{RECEIVE, 0, 0}}}},
    {"two links to one process", {{{LINK, 3, 0}}, {{LINK, 3, 0}}, {{RECEIVE, 0, 0}}}},
    {"two exits with one monitor",
     {{{EXIT, 0, 0}}, {{EXIT, 0, 0}}, {{MONITOR, 1, 0}, {MONITOR, 2, 0}, {RECEIVE, 0, 0}}}},
    {"a send and the exit of its receiver", {{{SEND, 2, 1}}, {{EXIT, 0, 0}}, {{END, 0, 0}}}},
    {"a receive and a send to it", {{{RECEIVE, 0, 0}}, {{SEND, 1, 1}}, {{SEND, 1, 2}}}},
    {"a timed receive and a send to it", {{{RECEIVE_TIMED, 0, 0}}, {{SEND, 1, 1}}, {{END, 0, 0}}}},
    {"chooses", {{{CHOOSE, 0, 0}}, {{CHOOSE, 0, 0}}, {{END, 0, 0}}}},
    {"spawn and exit", {{{SPAWN, 2, 0}}, {{EXIT, 0, 0}}, {{END, 0, 0}}}},
    {"kills of different processes", {{{KILL, 0, 5}}, {{KILL, 3, 5}}, {{RECEIVE, 0, 0}}}},
    {"kills of one that traps", {{{KILL, 3, 5}}, {{KILL, 3, 6}}, {{TRAP, 1, 0}, {RECEIVE, 0, 0}}}},
    {"normal kills of one that does not trap", {{{KILL, 3, 0}}, {{KILL, 3, 0}}, {{RECEIVE, 0, 0}}}},
    {"two questions about one life", {{{IS_ALIVE, 3, 0}}, {{IS_ALIVE, 3, 0}}, {{RECEIVE, 0, 0}}}},
    {"monitors of one name", {{{MONITOR_NAME, 0, 0}}, {{MONITOR_NAME, 0, 0}}, {{REGISTER, 0, 3}, {RECEIVE, 0, 0}}}},
    {"tried sends to one name", {{{TRY_NAME, 0, 1}}, {{TRY_NAME, 0, 1}}, {{RECEIVE, 0, 0}}}},
    {"trap_exit of both", {{{TRAP, 1, 0}}, {{TRAP, 1, 0}}, {{END, 0, 0}}}},
};

static void run_row(const row *r) {
  int lengths[PROCESSES - 1] = {0};
  the->scripts[0][0] = (instruction){RECEIVE_TAG, 2, 0};
  for (int p = 0; p < PROCESSES - 1; p++) {
    memcpy(the->scripts[p + 1], r->scripts[p], sizeof r->scripts[p]);
    while (r->scripts[p][lengths[p]].act != END) lengths[p]++;
  }
  bool waits = lengths[2] && r->scripts[2][lengths[2] - 1].act == RECEIVE;
  run_steps("P1", PROCESSES - 1);
  run_steps("P1.3", lengths[2] - waits);
  run_steps("P1.1", lengths[0] - 1);
  run_steps("P1.2", lengths[1] - 1);
  void *saved = subject->ops->saving->save(subject);
  assert_non_null(saved);
  eo_choice a = choice_of("P1.1"), b = choice_of("P1.2");
  if (!both_orders(saved, a, b) || dependent(&ab[0], &ab[1]) || dependent(&ba[0], &ba[1])) {
    tell("first", &a, &ab[0]);
    tell("then", &b, &ab[1]);
    tell("or first", &b, &ba[0]);
    tell("then", &a, &ba[1]);
    fail_msg("%s: these should commute", r->name);
  }
  subject->ops->saving->forget(subject, saved);
}

static void independent_steps_are_known(void **unused) {
  (void)unused;
  for (size_t m = 0; m < MODES - 1; m++) /* but idle timeouts */
    for (size_t i = 0; i < sizeof independent_rows / sizeof *independent_rows; i++) {
      memset(the->scripts, 0, sizeof the->scripts);
      open_mode(&modes[m]);
      print_message("%s: %s\n", modes[m].name, independent_rows[i].name);
      run_row(&independent_rows[i]);
      close_mode();
    }
}

/* ---- What receives would have accepted -------------------------------------------------------------------------- */

/* Its predicate looks at its heap, which is other at each of its receives. */
static void picks(void *argument) {
  (void)argument;
  eo_message message;
  int *wanted = malloc(sizeof *wanted), tags[] = {3, 4};
  for (*wanted = 1; *wanted >= 0; --*wanted) eo_receive_if(&message, odd, wanted, EO_FOREVER);
  eo_receive_tags(&message, tags, 2, EO_FOREVER);
  free(wanted);
}

static void sends_four(void *argument) {
  (void)argument;
  eo_pid to = eo_spawn(picks, NULL, 0);
  for (int tag = 1; tag <= 4; tag++) eo_send(to, tag, &tag, sizeof tag);
}

/* Takes the first message of each kind as soon as it can, so that it has ended or stands elsewhere when it is asked. */
static void receives_answer_later(void **unused) {
  (void)unused;
  eo_actor_options options = {.function = sends_four, .watchdog = 1e9};
  subject = eo__actor_open(&options, NULL);
  assert_non_null(subject);
  subject->ops->relations->receives_choose(subject, true);
  for (int sends_first = 0; sends_first < 2; sends_first++) {
    depth = 0;
    assert_true(subject->ops->reset(subject));
    run_steps("P1", sends_first ? 5 : 3); /* spawn, then all sends or two */
    run_steps("P1.1", 2);
    if (!sends_first) run_steps("P1", 2);
    for (int ended = 0; ended < 2; ended++) {
      state before = {0}, after = {0};
      look(&before);
      uint32_t from = subject->ops->processes->number(subject, "P1"),
               to = subject->ops->processes->number(subject, "P1.1");
      for (int again = 0; again < 2; again++)
        for (uint32_t tag = 1; tag <= 4; tag++) {
          uint32_t message = subject->ops->relations->message(subject, from, tag);
          eo_sent sent = subject->ops->relations->sent(subject, message);
          assert_true(sent.number == message && sent.from == from && sent.to == to && sent.nth == tag);
          assert_int_equal(subject->ops->relations->matches(subject, to, 0, message), tag % 2 == 1);
          assert_int_equal(subject->ops->relations->matches(subject, to, 1, message), tag % 2 == 0);
          assert_int_equal(subject->ops->relations->matches(subject, to, 2, message), tag >= 3);
        }
      look(&after);
      assert_true(same_state(&before, &after));
      eo_vec_release(&before.choices);
      eo_vec_release(&after.choices);
      if (!ended) run_steps("P1.1", 2);
    }
  }
}

/* A test that failed leaves it open. */
static int tear_down(void **unused) {
  (void)unused;
  if (subject) subject->ops->close(subject);
  subject = NULL;
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(independent_steps_are_known, tear_down),
      cmocka_unit_test_teardown(receives_answer_later, tear_down),
      cmocka_unit_test_teardown(dependent_steps_are_known, tear_down),
  };
  return cmocka_run_group_tests(tests, set_up, NULL);
}
