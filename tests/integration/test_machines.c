/* test_machines.c: what machines do, one rule after the other, explored in every order and live; what is misuse; and what
 * specifications see, say and wait for.
 *
 * builds: release asan */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <everyorder.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GO, STAY, LATER, NEVER, LETTER, TELL, LOG, ANSWER, STOP };

/* ---- A machine that notes what is done -------------------------------------------------------------------------- */

typedef struct noted {
  char log[120];
  eo_pid helper;
} noted;

static void note(void *self, const char *text) {
  noted *vars = self;
  strncat(vars->log, text, sizeof vars->log - strlen(vars->log) - 1);
}

/* One letter for the tag, then the first byte of the data. */
static void note_event(void *self, const eo_message *event) {
  char text[4] = {event->tag == EO_CREATED ? 'C' : event->tag == EO_WENT ? 'W' : (char)('0' + event->tag), 0};
  if (event->size) text[1] = *(const char *)event->data;
  note(self, text);
}

static void tell(void *self, const eo_message *event) {
  const noted *vars = self;
  eo_send(event->from, LOG, vars->log, strlen(vars->log) + 1);
}

#define NOTES(name, text)                                 \
  static void name(void *self, const eo_message *event) { \
    note(self, text);                                     \
    note_event(self, event);                              \
  }
NOTES(enter_a, "+a")
NOTES(enter_b, "+b")
NOTES(exit_a, "-a")
NOTES(exit_b, "-b")
NOTES(pass, ">")
NOTES(handle, "!")

enum { A, B };

/* Asks for the log of the machine and compares. */
static void expect(eo_pid machine, const char *log) {
  eo_message message;
  eo_send(machine, TELL, NULL, 0);
  eo_receive_tag(&message, LOG, EO_FOREVER);
  eo_assert(strcmp(message.data, log) == 0, "the log is %s", (const char *)message.data);
  eo_send(machine, STOP, NULL, 0);
}

static void stop(void *self, const eo_message *event) {
  (void)event;
  eo_halt(self);
}

#define ALWAYS EO_DO(TELL, tell), EO_DO(STOP, stop)

/* Passes in every order, and live. */
static void passes(eo_function function) {
  eo_result result;
  assert_int_equal(eo_explore(function, NULL, NULL, &result), 0);
  if (result.verdict != EO_PASS) fail_msg("%s: %s", result.kind, result.message);
  assert_true(result.complete);
  eo_options dpor = {.strategy = "dpor"};
  assert_int_equal(eo_explore(function, NULL, &dpor, &result), 0);
  if (result.verdict != EO_PASS) fail_msg("dpor: %s: %s", result.kind, result.message);
  assert_int_equal(eo_live_run(function, NULL), EO_NORMAL);
}

/* Fails with a finding of this kind whose message has this in it; and, live, if it is wanted, ends the program. */
static void fails_with(eo_function function, const char *kind, const char *text, bool live) {
  eo_result result;
  assert_int_equal(eo_explore(function, NULL, NULL, &result), 0);
  assert_int_equal(result.verdict, EO_FAIL);
  assert_string_equal(result.kind, kind);
  if (!strstr(result.message, text)) fail_msg("%s", result.message);
  if (!live) return;
  int status;
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(0);
    eo_live_run(function, NULL);
    _exit(0);
  }
  assert_true(child > 0 && waitpid(child, &status, 0) == child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static eo_pid start(const eo_machine *machine) { return eo_create(machine, "x", 2); }

/* ---- Transitions ------------------------------------------------------------------------------------------------ */

static const eo_machine passing = {
    EO_VARIABLES(noted), .name = "passing",
    EO_STATES([A] = {.name = "a",
                     .entry = enter_a,
                     .exit = exit_a,
                     .on = EO_ON(EO_GOTO_WITH(GO, B, pass), EO_GOTO(STAY, A), EO_DO(LETTER, handle), ALWAYS)},
              [B] = {.name = "b", .entry = enter_b, .exit = exit_b, .on = EO_ON(EO_GOTO(GO, A), ALWAYS)})};

static void transitions(void *argument) {
  (void)argument;
  eo_pid pid = start(&passing);
  eo_send(pid, LETTER, "h", 2);
  eo_send(pid, STAY, "s", 2);
  eo_send(pid, GO, "g", 2);
  eo_send(pid, GO, NULL, 0);
  expect(pid, "+aCx!4h-a1s+a1s-a0g>0g+b0g-b0+a0");
}

static void test_order_of_functions(void **state) {
  (void)state;
  passes(transitions);
}

/* ---- Defer, ignore ---------------------------------------------------------------------------------------------- */

#define MANY 100

static void fill_defers(eo_on *events) {
  for (int i = 0; i < MANY; i++) events[i] = (eo_on)EO_DEFER(100 + i);
}

static const eo_machine choosy = {
    EO_VARIABLES(noted), .name = "choosy",
    EO_STATES([A] = {.name = "a", .on = EO_ON(EO_DEFER(LATER), EO_IGNORE(NEVER), EO_GOTO(GO, B), ALWAYS)},
              [B] = {.name = "b", .entry = enter_b, .on = EO_ON(EO_DO(LATER, handle), EO_DO(NEVER, handle), ALWAYS)})};

static void defers_and_ignores(void *argument) {
  (void)argument;
  eo_pid pid = start(&choosy);
  eo_send(pid, LATER, "1", 2);
  eo_send(pid, NEVER, "2", 2); /* before GO: dropped */
  eo_send(pid, GO, NULL, 0);
  eo_send(pid, NEVER, "3", 2); /* behind it: kept */
  eo_send(pid, LATER, "4", 2);
  expect(pid, "+b0!21!33!24");
}

/* More deferred events than fits anywhere but into a list. */
static void defers_many(void *argument) {
  (void)argument;
  eo_on events[MANY + 4] = {{0, 0, 0, NULL}};
  fill_defers(events);
  events[MANY] = (eo_on)EO_DO(TELL, tell);
  events[MANY + 1] = (eo_on)EO_DO(STOP, stop);
  eo_machine_state states[] = {{.name = "only", .on = events}};
  eo_machine many = {EO_VARIABLES(noted), .name = "many", .states = states, .state_count = 1};
  eo_pid pid = eo_create(&many, NULL, 0);
  for (int i = 0; i < MANY; i++) eo_send(pid, 100 + i, NULL, 0);
  expect(pid, "");
  eo_ref ref = eo_monitor(pid); /* the tables are here, and must stay while it runs */
  (void)ref;
  eo_message message;
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
}

/* An ignored event does not make a machine runnable: one step less for each. */
static void only_ignored(void *argument) {
  (void)argument;
  eo_pid pid = start(&choosy);
  for (int i = 0; i < 3; i++) eo_send(pid, NEVER, NULL, 0);
}

static void test_defer_and_ignore(void **state) {
  (void)state;
  passes(defers_and_ignores);
  eo_result result;
  eo_options options = {.executions = 20};
  assert_int_equal(eo_explore(defers_many, NULL, &options, &result), 0);
  assert_int_equal(result.findings, 0);
  assert_int_equal(eo_live_run(defers_many, NULL), EO_NORMAL);
  assert_int_equal(eo_explore(only_ignored, NULL, &(eo_options){.strategy = "dfs"}, &result), 0);
  assert_int_equal(result.executions, 1);
  assert_int_equal(result.max_depth, 5); /* create, three sends, exit */
}

/* ---- Raise, goto ------------------------------------------------------------------------------------------------ */

static void raise_letter(void *self, const eo_message *event) {
  char large[300] = "r";
  note_event(self, event);
  if (event->tag == STAY)
    eo_raise(self, LETTER, "q", 2); /* from within the handler of a raised event's sender: small data */
  else
    eo_raise(self, LETTER, large, sizeof large);
}

static void raise_on(void *self, const eo_message *event) {
  note_event(self, event);
  eo_raise(self, GO, "n", 2);
  note(self, event->size == 2 ? "s" : "l"); /* the data is still there, though more was raised */
  note(self, event->data);
}

static void go_to_b(void *self, const eo_message *event) {
  (void)event;
  eo_goto(self, B, "d", 2);
}

static void raise_ignored(void *self, const eo_message *event) {
  (void)event;
  eo_raise(self, NEVER, NULL, 0);
}

static const eo_machine raising = {
    EO_VARIABLES(noted), .name = "raising",
    EO_STATES([A] = {.name = "a",
                     .exit = exit_a,
                     .on = EO_ON(EO_DO(STAY, raise_letter), EO_DO(LATER, raise_letter), EO_DO(LETTER, raise_on),
                                 EO_GOTO_WITH(GO, B, pass), ALWAYS)},
              [B] = {.name = "b",
                     .entry = enter_b,
                     .on = EO_ON(EO_GOTO(GO, A), EO_DO(STAY, raise_ignored), EO_IGNORE(NEVER), EO_DO(LATER, go_to_b),
                                 ALWAYS)})};

static void raises_first(void *argument) {
  (void)argument;
  eo_pid pid = start(&raising);
  eo_send(pid, STAY, "1", 2);   /* raises LETTER, which raises GO: both before what is in the queue */
  eo_send(pid, STAY, "2", 2);   /* in b: raises what b ignores */
  eo_send(pid, LATER, NULL, 0); /* goes to b again, by eo_goto */
  eo_send(pid, GO, NULL, 0);
  eo_send(pid, LATER, "3", 2); /* in a again; large data */
  expect(pid, "114qsq-a0n>0n+b0n+bWd234rlr-a0n>0n+b0n");
}

static void raise_deferred(void *self, const eo_message *event) {
  (void)event;
  eo_raise(self, LATER, NULL, 0);
}

static const eo_machine raising_deferred = {
    .name = "raising", EO_STATES({.name = "only", .on = EO_ON(EO_DO(GO, raise_deferred), EO_DEFER(LATER))})};

static void raises_what_it_defers(void *argument) {
  (void)argument;
  eo_send(eo_create(&raising_deferred, NULL, 0), GO, NULL, 0);
}

static void test_raise(void **state) {
  (void)state;
  passes(raises_first);
  fails_with(raises_what_it_defers, "unhandled", "machine raising in state only defers", true);
}

/* ---- EO_NULL, halt, receive, creation --------------------------------------------------------------------------- */

static void count_idle(void *self, const eo_message *event) {
  noted *vars = self;
  eo_assert(event->tag == EO_NULL && event->size == 0, "not EO_NULL");
  note(self, "0");
  if (strlen(vars->log) == 3) eo_goto(self, B, NULL, 0);
}

static const eo_machine idle = {
    EO_VARIABLES(noted), .name = "idle",
    EO_STATES([A] = {.name = "a", .on = EO_ON(EO_DO(EO_NULL, count_idle), EO_DEFER(TELL), EO_DEFER(STOP))},
              [B] = {.name = "b", .on = EO_ON(ALWAYS)})};

static void has_nothing_to_do(void *argument) {
  (void)argument;
  expect(eo_create(&idle, NULL, 0), "000");
}

static const eo_machine ended = {.name = "ended", EO_STATES({.name = "only", .entry = stop})};

static void halts(void *argument) {
  eo_message message;
  (void)argument;
  eo_pid pid = eo_create(&ended, NULL, 0);
  eo_monitor(pid);
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
  const eo_down_info *down = message.data;
  eo_assert(down->reason == EO_NORMAL || down->reason == EO_NOPROC, "reason %d", down->reason);
  eo_send(pid, NEVER, NULL, 0); /* nobody gets it */
}

static void answer(void *parent) { eo_send(*(eo_pid *)parent, ANSWER, "y", 2); }

/* Receives in the exit function: what comes after it still sees the event. */
static void ask_and_wait(void *self, const eo_message *event) {
  eo_message message;
  eo_pid me = eo_self();
  note_event(self, event);
  eo_spawn(answer, &me, sizeof me);
  eo_receive_tag(&message, ANSWER, EO_FOREVER);
  note(self, message.data);
}

static const eo_machine asking = {
    EO_VARIABLES(noted), .name = "asking",
    EO_STATES([A] = {.name = "a", .exit = ask_and_wait, .on = EO_ON(EO_GOTO_WITH(GO, B, ask_and_wait), ALWAYS)},
              [B] = {.name = "b", .entry = enter_b, .on = EO_ON(ALWAYS)})};

static void receives_inside(void *argument) {
  (void)argument;
  eo_pid pid = eo_create(&asking, NULL, 0);
  eo_send(pid, GO, "g", 2);
  expect(pid, "0gy0gy+b0g");
}

static void create_child(void *self, const eo_message *event) {
  noted *vars = self;
  (void)event;
  vars->helper = eo_create(&passing, "k", 2);
}

static void hand_on(void *self, const eo_message *event) {
  const noted *vars = self;
  eo_send(event->from, ANSWER, &vars->helper, sizeof vars->helper);
  eo_halt(self);
}

static const eo_machine parent = {EO_VARIABLES(noted), .name = "parent",
                                  EO_STATES({.name = "only", .entry = create_child, .on = EO_ON(EO_DO(GO, hand_on))})};

static void creates_at_run_time(void *argument) {
  eo_message message;
  (void)argument;
  eo_send(eo_create(&parent, NULL, 0), GO, NULL, 0);
  eo_receive_tag(&message, ANSWER, EO_FOREVER);
  eo_pid child = *(const eo_pid *)message.data;
  expect(child, "+aCk");
}

static void becomes(void *argument) {
  (void)argument;
  eo_pid self = eo_self();
  eo_send(self, GO, NULL, 0);
  eo_send(self, STOP, NULL, 0);
  eo_become(&passing, "b", 2);
}

static void test_null_halt_receive_create(void **state) {
  (void)state;
  passes(has_nothing_to_do);
  passes(halts);
  passes(receives_inside);
  passes(creates_at_run_time);
  passes(becomes);
}

/* Machines that wait for ever are no deadlock, and live the run ends when there are only such ones. */
static void rests(void *argument) {
  (void)argument;
  eo_pid pid = start(&passing);
  for (int i = 0; i < 3; i++) eo_send(start(&passing), GO, NULL, 0);
  eo_send(pid, GO, NULL, 0);
}

static void blocks(void *argument) {
  eo_message message;
  (void)argument;
  start(&passing);
  eo_receive(&message, EO_FOREVER);
}

static void all_rest(void *argument) {
  rests(argument);
  eo_become(&passing, NULL, 0);
}

static void test_rest(void **state) {
  (void)state;
  eo_result result;
  eo_options options = {.strategy = "dpor"};
  assert_int_equal(eo_explore(rests, NULL, &options, &result), 0);
  assert_int_equal(result.verdict, EO_PASS);
  for (int i = 0; i < 20; i++) assert_int_equal(eo_live_run(rests, NULL), EO_NORMAL);
  for (int i = 0; i < 20; i++) assert_int_equal(eo_live_run(all_rest, NULL), EO_NORMAL);
  fails_with(blocks, "deadlock", "P1 waits", false);
}

static void has_no_handler(void *argument) {
  (void)argument;
  eo_send(start(&passing), NEVER, NULL, 0);
}

static void test_unhandled(void **state) {
  (void)state;
  fails_with(has_no_handler, "unhandled", "machine passing in state a has no handler for event 3", true);
}

/* ---- Misuse ----------------------------------------------------------------------------------------------------- */

static void twice(void *self, const eo_message *event) {
  (void)event;
  eo_raise(self, STAY, NULL, 0);
  eo_goto(self, B, NULL, 0);
}

static void step_after(void *self, const eo_message *event) {
  (void)event;
  eo_goto(self, B, NULL, 0);
  eo_send(eo_self(), STAY, NULL, 0);
}

static void announce_after(void *self, const eo_message *event) {
  (void)event;
  eo_halt(self);
  eo_announce(STAY, NULL, 0);
}

static void no_such_state(void *self, const eo_message *event) {
  (void)event;
  eo_goto(self, 7, NULL, 0);
}

static void not_self(void *self, const eo_message *event) {
  _Alignas(16) char other[400] = {0};
  (void)self, (void)event;
  eo_goto(other + 300, B, NULL, 0);
}

static void *the_self; /* live it is another thread's; explored, another process's */

static void give_self(void *self, const eo_message *event) {
  (void)event;
  the_self = self;
}

static void others_self(void *self, const eo_message *event) {
  (void)self, (void)event;
  eo_halt(the_self);
}

static void negative(void *self, const eo_message *event) {
  (void)event;
  eo_raise(self, EO_NULL, NULL, 0);
}

static void no_data(void *self, const eo_message *event) {
  (void)event;
  eo_raise(self, STAY, NULL, 4);
}

#define WRONG(test, event, handler, leaving, passing_by)                                    \
  static const eo_machine test##_machine = {                                                \
      .name = "m",                                                                          \
      EO_STATES([A] = {.name = "a",                                                         \
                       .exit = leaving,                                                     \
                       .on = EO_ON(EO_DO(STAY, handler), EO_GOTO_WITH(GO, B, passing_by))}, \
                [B] = {.name = "b", .on = EO_ON(EO_IGNORE(GO))})};                          \
  static void test(void *argument) {                                                        \
    (void)argument;                                                                         \
    eo_send(eo_create(&test##_machine, NULL, 0), event, NULL, 0);                           \
  }
WRONG(asks_twice, STAY, twice, NULL, NULL)
WRONG(steps_after, STAY, step_after, NULL, NULL)
WRONG(announces_after, STAY, announce_after, NULL, NULL)
WRONG(goes_nowhere, STAY, no_such_state, NULL, NULL)
WRONG(is_not_self, STAY, not_self, NULL, NULL)
WRONG(raises_negative, STAY, negative, NULL, NULL)
WRONG(raises_nothing, STAY, no_data, NULL, NULL)
WRONG(goes_in_exit, GO, NULL, go_to_b, NULL)
WRONG(raises_in_exit, GO, NULL, raise_deferred, NULL)
WRONG(goes_in_transition, GO, NULL, NULL, go_to_b)

static const eo_machine giving = {.name = "giving", EO_STATES({.name = "only", .entry = give_self})};
static const eo_machine taking = {.name = "taking", EO_STATES({.name = "only", .entry = others_self})};

static void uses_others_self(void *argument) {
  (void)argument;
  eo_shared(&the_self, sizeof the_self);
  eo_create(&giving, NULL, 0);
  eo_create(&taking, NULL, 0);
}

static void null_machine(void *argument) {
  (void)argument;
  eo_create(NULL, NULL, 0);
}

static void no_states(void *argument) {
  static const eo_machine empty = {.name = "empty"};
  (void)argument;
  eo_create(&empty, NULL, 0);
}

static const eo_machine starts_wrong = {.name = "m", .start = 3, EO_STATES({.name = "only"})};

static void wrong_start(void *argument) {
  (void)argument;
  eo_create(&starts_wrong, NULL, 0);
}

static const eo_machine has_wrong_table = {.name = "m", EO_STATES({.name = "only", .on = EO_ON(EO_GOTO(GO, 5))})};

static void wrong_table(void *argument) {
  (void)argument;
  eo_create(&has_wrong_table, NULL, 0);
}

static void become_again(void *self, const eo_message *event) {
  (void)self, (void)event;
  eo_become(&giving, NULL, 0);
}

static const eo_machine becoming = {.name = "m", EO_STATES({.name = "only", .entry = become_again})};

static void becomes_twice(void *argument) {
  (void)argument;
  eo_create(&becoming, NULL, 0);
}

static void hints_nobody(void *argument) {
  (void)argument;
  eo_hint(1, EO_NOBODY);
  eo_hint(1, 99999);
}

static void test_misuse(void **state) {
  (void)state;
  fails_with(asks_twice, "misuse", "eo_goto: the function has already raised", true);
  fails_with(steps_after, "misuse", "eo_send: called after eo_goto in the same function", true);
  fails_with(announces_after, "misuse", "eo_announce: called after eo_halt in the same function", true);
  fails_with(goes_nowhere, "misuse", "eo_goto: the machine has no such state", true);
  fails_with(is_not_self, "misuse", "eo_goto: self is not the argument of the function", true);
  fails_with(uses_others_self, "misuse", "eo_halt: self is another machine's", false);
  fails_with(raises_negative, "misuse", "eo_raise: negative events", true);
  fails_with(raises_nothing, "misuse", "eo_raise: no data, but a size above 0", true);
  fails_with(goes_in_exit, "misuse", "eo_goto: called by an exit function", true);
  fails_with(raises_in_exit, "misuse", "eo_raise: called by an exit function", true);
  fails_with(goes_in_transition, "misuse", "eo_goto: called by the function of a transition", true);
  fails_with(null_machine, "misuse", "eo_create: the machine is NULL", true);
  fails_with(no_states, "misuse", "eo_create: the machine has no states", true);
  fails_with(wrong_start, "misuse", "eo_create: the machine has no such start state", true);
  fails_with(wrong_table, "misuse", "eo_create: state only of machine m has a state that the machine does not have",
             true);
  fails_with(becomes_twice, "misuse", "eo_become: the process is a machine already", true);
  fails_with(hints_nobody, "misuse", "eo_hint: ", true);
}

/* ---- Specifications --------------------------------------------------------------------------------------------- */

typedef struct seen {
  int events;
  char first;
} seen;

static void see(void *self, const eo_message *event) {
  seen *vars = self;
  if (!vars->events++) vars->first = event->size ? *(const char *)event->data : '?';
}

static void see_last(void *self, const eo_message *event) {
  const seen *vars = self;
  (void)event;
  eo_assert(vars->events == 2 && vars->first == 'a', "%d events, the first is %c", vars->events, vars->first);
}

static const eo_machine watching = {
    EO_VARIABLES(seen), .name = "watching", EO_OBSERVES(LETTER, STOP),
    EO_STATES({.name = "only", .on = EO_ON(EO_DO(LETTER, see), EO_DO(STOP, see_last))})};

static void send_b(void *to) { eo_send(*(eo_pid *)to, LETTER, "b", 2); }

static void drop_all(void *self, const eo_message *event) { (void)self, (void)event; }

static const eo_machine sink = {.name = "sink",
                                EO_STATES({.name = "only", .on = EO_ON(EO_DO(LETTER, drop_all), EO_DO(STOP, stop))})};

/* In order: an announcement, then a send. */
static void is_seen(void *argument) {
  (void)argument;
  eo_specify(&watching, NULL, 0);
  eo_pid pid = eo_create(&sink, NULL, 0);
  eo_announce(LETTER, "a", 2);
  eo_announce(NEVER, "z", 2); /* not observed */
  eo_send(pid, LETTER, "b", 2);
  eo_send(pid, STOP, NULL, 0);
}

/* Nobody waits for the other, so it depends on the order. The messages go to different machines: only the specification
 * can tell the orders apart. */
static void race(void *argument) {
  (void)argument;
  eo_specify(&watching, NULL, 0);
  eo_pid one = eo_create(&sink, NULL, 0), two = eo_create(&sink, NULL, 0);
  eo_spawn(send_b, &two, sizeof two);
  eo_send(one, LETTER, "a", 2);
  eo_sleep(1);
  eo_announce(LETTER, "c", 2);
  if (eo_choose(1) == 0) eo_announce(NEVER, NULL, 0);
}

static void finds_the_order(void *argument) {
  (void)argument;
  eo_specify(&watching, NULL, 0);
  eo_pid one = eo_create(&sink, NULL, 0), two = eo_create(&sink, NULL, 0);
  eo_ref ref;
  eo_message message;
  eo_spawn_monitor(send_b, &two, sizeof two, &ref);
  eo_send(one, LETTER, "a", 2);
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
  eo_announce(STOP, NULL, 0);
}

static void test_safety(void **state) {
  (void)state;
  passes(is_seen);
  passes(race);
  static const char *const strategies[] = {"dfs", "dpor", "preempt", "random"};
  for (size_t i = 0; i < 4; i++) {
    eo_result result;
    eo_options options = {.strategy = strategies[i], .seed = 1};
    assert_int_equal(eo_explore(finds_the_order, NULL, &options, &result), 0);
    assert_int_equal(result.verdict, EO_FAIL);
    assert_string_equal(result.kind, "assertion");
    if (!strstr(result.message, "specification watching, observing 8 that P1 announces"))
      fail_msg("%s", result.message);
  }
}

static const eo_machine strict = {
    .name = "strict", EO_OBSERVES(LETTER), EO_STATES({.name = "only", .on = EO_ON(EO_IGNORE(STOP))})};

static void unhandled_by_it(void *argument) {
  (void)argument;
  eo_specify(&strict, NULL, 0);
  eo_send(eo_create(&sink, NULL, 0), LETTER, NULL, 0);
}

static void spec_sends(void *self, const eo_message *event) {
  (void)self;
  eo_send(event->from, STAY, NULL, 0);
}

static void spec_raises(void *self, const eo_message *event) {
  (void)event;
  eo_raise(self, STAY, NULL, 0);
}

static void spec_announces(void *self, const eo_message *event) {
  (void)self, (void)event;
  eo_announce(STAY, NULL, 0);
}

#define SPECIFICATION(test, ...)                                                                      \
  static const eo_machine test##_machine = {                                                          \
      .name = #test, EO_OBSERVES(LETTER, GO), EO_STATES({.name = "only", .on = EO_ON(__VA_ARGS__)})}; \
  static void test(void *argument) {                                                                  \
    (void)argument;                                                                                   \
    eo_specify(&test##_machine, NULL, 0);                                                             \
    eo_announce(LETTER, NULL, 0);                                                                     \
  }
SPECIFICATION(it_sends, EO_DO(LETTER, spec_sends))
SPECIFICATION(it_sends_after_raising, EO_DO(LETTER, spec_raises), EO_DO(STAY, spec_sends))
SPECIFICATION(it_announces, EO_DO(LETTER, spec_announces))
SPECIFICATION(it_halts, EO_DO(LETTER, stop))
SPECIFICATION(it_defers, EO_DEFER(LETTER))
SPECIFICATION(it_is_idle, EO_DO(EO_NULL, see))

static void observes_nothing(void *argument) {
  (void)argument;
  eo_specify(&passing, NULL, 0);
}

static void test_what_a_specification_cannot_do(void **state) {
  (void)state;
  fails_with(unhandled_by_it, "unhandled", "machine strict in state only has no handler for event 4", true);
  fails_with(it_sends, "misuse", "eo_send: called by a specification", true);
  fails_with(it_sends_after_raising, "misuse", "eo_send: called by a specification", true);
  fails_with(it_announces, "misuse", "eo_announce: called by a specification", true);
  fails_with(it_halts, "misuse", "eo_halt: called by a specification", true);
  fails_with(it_defers, "misuse", "eo_specify: a specification cannot defer", true);
  fails_with(it_is_idle, "misuse", "eo_specify: a specification has no queue", true);
  fails_with(observes_nothing, "misuse", "eo_specify: the specification observes no events", true);
}

/* ---- Liveness --------------------------------------------------------------------------------------------------- */

static const eo_machine hopeful = {
    .name = "hopeful",
    EO_OBSERVES(GO, STOP),
    EO_STATES([A] = {.name = "cold", .on = EO_ON(EO_GOTO(GO, B), EO_IGNORE(STOP))}, [B] = {
                                                                                        .name = "hot",
                                                                                        .hot = true,
                                                                                        .on = EO_ON(EO_GOTO(STOP, A),
                                                                                                    EO_IGNORE(GO))})};

static void ends_cold(void *argument) {
  (void)argument;
  eo_specify(&hopeful, NULL, 0);
  eo_announce(GO, NULL, 0);
  (void)eo_choose(2);
  eo_announce(STOP, NULL, 0);
}

static void may_end_hot(void *argument) {
  (void)argument;
  eo_specify(&hopeful, NULL, 0);
  eo_announce(GO, NULL, 0);
  if (eo_choose(2) == 0) eo_announce(STOP, NULL, 0);
}

static void deadlocks_hot(void *argument) {
  eo_message message;
  (void)argument;
  eo_specify(&hopeful, NULL, 0);
  eo_announce(GO, NULL, 0);
  eo_receive(&message, EO_FOREVER);
}

/* Hands a message to itself for ever. */
static void send_back(void *self, const eo_message *event) {
  (void)self, (void)event;
  eo_send(eo_self(), LETTER, NULL, 0);
}

static const eo_machine spinning = {.name = "spinning",
                                    EO_STATES({.name = "only", .on = EO_ON(EO_DO(LETTER, send_back))})};

static void spins(void *argument) {
  (void)argument;
  eo_specify(&hopeful, NULL, 0);
  eo_announce(GO, NULL, 0);
  eo_send(eo_create(&spinning, NULL, 0), LETTER, NULL, 0);
}

/* The circle is unfair: whoever would end it can always go on. Fair executions end cold. */
static void redeem(void *argument) {
  (void)argument;
  eo_sleep(0);
  eo_announce(STOP, NULL, 0);
  eo_sleep(0);
}

static void spins_until_redeemed(void *argument) {
  (void)argument;
  eo_specify(&hopeful, NULL, 0);
  eo_announce(GO, NULL, 0);
  eo_spawn(redeem, NULL, 0);
  eo_send(eo_create(&spinning, NULL, 0), LETTER, NULL, 0);
}

/* Hot, cold and hot again in each round: something does happen. */
static void flicker(void *self, const eo_message *event) {
  (void)self, (void)event;
  eo_announce(STOP, NULL, 0);
  eo_announce(GO, NULL, 0);
  eo_send(eo_self(), LETTER, NULL, 0);
}

static const eo_machine flickering = {.name = "flickering",
                                      EO_STATES({.name = "only", .on = EO_ON(EO_DO(LETTER, flicker))})};

static void goes_on_and_off(void *argument) {
  (void)argument;
  eo_specify(&hopeful, NULL, 0);
  eo_announce(GO, NULL, 0);
  eo_send(eo_create(&flickering, NULL, 0), LETTER, NULL, 0);
}

static void fails_by_depth_only(eo_function function) {
  eo_result result;
  eo_options options = {.depth = 200, .executions = 30, .keep_going = 1, .strategy = "random", .seed = 5};
  options.depth_fails = 1;
  assert_int_equal(eo_explore(function, NULL, &options, &result), 0);
  assert_int_equal(result.findings, 1);
  if (strcmp(result.kind, "depth") != 0) fail_msg("%s: %s", result.kind, result.message);
}

static void test_liveness(void **state) {
  (void)state;
  eo_result result;
  passes(ends_cold);
  fails_with(may_end_hot, "liveness", "specification hopeful is in the hot state hot at the end", false);
  fails_with(deadlocks_hot, "deadlock", "P1 waits", false);
  fails_with(spins, "liveness", "specification hopeful stays hot for ever: from step", false);
  fails_by_depth_only(goes_on_and_off);
  /* Alone with the other one, it can be left to spin, which is nobody's fault. */
  eo_options options = {.depth = 60, .depth_fails = 1, .executions = 2000, .keep_going = 1};
  assert_int_equal(eo_explore(spins_until_redeemed, NULL, &options, &result), 0);
  assert_string_equal(result.kind, "depth");
  assert_int_equal(result.findings, 1);
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_of_functions),
      cmocka_unit_test(test_defer_and_ignore),
      cmocka_unit_test(test_raise),
      cmocka_unit_test(test_null_halt_receive_create),
      cmocka_unit_test(test_rest),
      cmocka_unit_test(test_unhandled),
      cmocka_unit_test(test_misuse),
      cmocka_unit_test(test_safety),
      cmocka_unit_test(test_what_a_specification_cannot_do),
      cmocka_unit_test(test_liveness),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
