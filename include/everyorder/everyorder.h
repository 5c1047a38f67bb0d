/* everyorder.h: programs of processes that send each other messages, and tests that run them in every order.
 *
 * The model is Erlang's. A process has its own memory and a mailbox; it acts on others only by the functions below.
 * Inside a test (EO_TEST, eo_explore) Everyorder decides who runs next and tries every order; under eo_live_run the
 * same functions run on real threads.
 *
 * Misuse is never undefined behaviour. Under exploration, a misused call ends the execution with a finding of kind
 * "misuse" that names the function, the process and the line. Live, the call prints the same text and aborts. The comment
 * of each function says what counts as misuse of it. For all functions: a call outside a process (except eo_explore,
 * eo_live_run and eo_shared), and a call from a predicate given to eo_receive_if.
 */
#ifndef EVERYORDER_H
#define EVERYORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EO_VERSION "0.1.0"

/* ---- Words ---------------------------------------------------------------------------------------------------- */

/* A process. The same logical id (P1, P1.1, ...) is the same number in every execution. Compare with ==. */
typedef uint64_t eo_pid;
#define EO_NOBODY ((eo_pid)0)

/* One monitor, from eo_monitor to its DOWN message or eo_demonitor. Never 0. */
typedef uint64_t eo_ref;

/* Exit reasons: why a process ended. Your own reasons are positive. The library uses the negative ones; use them too where
 * you mean the same. */
enum {
  EO_NORMAL = 0,
  EO_NOPROC = -1, /* the process linked to or monitored a process that had ended */
  EO_BADARG = -2, /* the process sent to a name that nobody had */
  EO_KILL = -3,   /* for eo_kill: a signal that cannot be trapped */
  EO_KILLED = -4  /* the process was sent EO_KILL */
};

/* Tags of your messages are 0 or more. The library sends messages with these tags; the last three are for machines. */
enum {
  EO_EXIT = -1,    /* a linked process ended, or eo_kill was called; only to a process that traps exits; eo_exit_info */
  EO_DOWN = -2,    /* a monitored process ended; data is an eo_down_info */
  EO_NULL = -3,    /* there is nothing to dequeue; only in states that have a handler for EO_NULL */
  EO_CREATED = -4, /* the event of the start state's entry function; data is the argument of eo_create */
  EO_WENT = -5     /* the event of an entry function after eo_goto; data is the data of eo_goto */
};

typedef struct eo_exit_info {
  eo_pid pid;
  int reason;
} eo_exit_info;

typedef struct eo_down_info {
  eo_ref ref;
  eo_pid pid;
  int reason;
} eo_down_info;

/* A received message. `data` belongs to the library and stays valid until this process receives again. */
typedef struct eo_message {
  eo_pid from;
  int tag;
  size_t size;
  const void *data;
} eo_message;

/* Where an operation stands in the source, with its arguments as they are written there. Reports show both; the macros
 * below fill them in. Each macro has the names of its arguments in a comment behind it, and passes them on unchanged, so
 * that compound literals work: eo_send(to, DONE, &(done){1, 2}, sizeof(done)). */
typedef struct eo_place {
  const char *file;
  const char *function;
  int line;
  const char *call; /* "to, DONE, &(done){1, 2}, sizeof(done)"; NULL: not kept */
} eo_place;

#define EO_HERE EO_CALL(NULL)
#define EO_CALL(text)                                                           \
  (__extension__({                                                              \
    static const eo_place eo_place_here = {__FILE__, __func__, __LINE__, text}; \
    &eo_place_here;                                                             \
  }))

/* ---- Processes ------------------------------------------------------------------------------------------------ */

typedef void (*eo_function)(void *argument);

/* Starts a process that calls `function` with a pointer to a copy of the `size` bytes at `argument` (NULL if `size` is 0).
 * When the function returns, the process ends as by eo_exit(EO_NORMAL). eo_spawn_link also links caller and child;
 * eo_spawn_monitor also monitors the child and stores the reference in *ref. Each is one step.
 * Misuse: function NULL; argument NULL with size > 0; ref NULL. */
#define eo_spawn(...) eo_spawn_(EO_HERE, __VA_ARGS__)                 /* function, argument, size */
#define eo_spawn_link(...) eo_spawn_link_(EO_HERE, __VA_ARGS__)       /* function, argument, size */
#define eo_spawn_monitor(...) eo_spawn_monitor_(EO_HERE, __VA_ARGS__) /* function, argument, size, ref */

/* The calling process. Not a step. */
eo_pid eo_self(void);

/* The name of the process in reports, "P1.2"; "nobody" for EO_NOBODY. For messages to people:
 * eo_assert(ok, "%s voted twice", eo_name(pid)). The text is valid until the end of the block, in C++ until the end of the
 * expression. Not a step, so the registered name, which other processes can change, is not part of the text.
 * Misuse: a number that never was a process. */
enum { EO_NAME_ROOM = 128 };
#ifdef __cplusplus
typedef struct eo_name_room {
  char text[EO_NAME_ROOM];
} eo_name_room;
#define eo_name(...) eo_name_(EO_HERE, eo_name_room().text, __VA_ARGS__)
#else
#define eo_name(...) eo_name_(EO_HERE, (char[EO_NAME_ROOM]){0}, __VA_ARGS__) /* pid */
#endif

/* Ends the calling process. A reason other than EO_NORMAL that reaches nobody (no monitor, no link) is a finding. */
#define eo_exit(...) eo_exit_(EO_HERE, __VA_ARGS__) /* reason */

/* Sends a process an exit signal, as if the caller were linked to it and had ended with this reason:
 *   - a process that traps exits gets an EO_EXIT message;
 *   - any other process ends with the reason before it does anything else, except that EO_NORMAL does nothing (to the
 *     caller itself, EO_NORMAL is like any other reason);
 *   - EO_KILL cannot be trapped: the process ends with the reason EO_KILLED;
 *   - a process that has ended gets nothing.
 * A process that ends by eo_kill is no finding, since the caller knows of it.
 * Misuse: EO_NOBODY or a number that never was a process. */
#define eo_kill(...) eo_kill_(EO_HERE, __VA_ARGS__) /* pid, reason */

/* Whether the process has neither ended nor been sent a signal that ends it. A step. Misuse: as eo_kill. */
#define eo_is_alive(...) eo_is_alive_(EO_HERE, __VA_ARGS__) /* pid */

/* ---- Messages ------------------------------------------------------------------------------------------------- */

/* Copies the `size` bytes at `data` into the mailbox of `to`. A message to a process that has ended is lost without a
 * word, as in Erlang. eo_send_name looks the name up in the same step; if nobody has the name, the caller exits with
 * EO_BADARG. eo_try_send_name returns whether somebody has the name.
 * Misuse: a negative tag; EO_NOBODY or a number that never was a process; data NULL with size > 0; name NULL. */
#define eo_send(...) eo_send_(EO_CALL(#__VA_ARGS__), __VA_ARGS__)                   /* to, tag, data, size */
#define eo_send_name(...) eo_send_name_(EO_CALL(#__VA_ARGS__), __VA_ARGS__)         /* name, tag, data, size */
#define eo_try_send_name(...) eo_try_send_name_(EO_CALL(#__VA_ARGS__), __VA_ARGS__) /* name, tag, data, size */

/* Sends the value of an expression: eo_tell(to, VOTE, (vote){term, eo_self()}). The same as eo_send with the address and
 * size of the value. For an array, use eo_send: an array expression has a pointer as its value. */
#define eo_tell(to, tag, ...)                                                                             \
  (__extension__({                                                                                        \
    __typeof__((__VA_ARGS__)) eo_value = __VA_ARGS__;                                                     \
    eo_send_(EO_CALL(#to ", " #tag ", &eo_value, sizeof eo_value"), to, tag, &eo_value, sizeof eo_value); \
  })) /* to, tag, value */

/* The data of a received message as a `const type *`: eo_data(&m, vote)->term. Not a step. Misuse: message NULL; a message
 * whose size differs from the type's; a type other than the one EO_MESSAGE declares for the tag. */
#define eo_data(message, ...) \
  ((const __typeof__(__VA_ARGS__) *)eo_data_(EO_HERE, message, sizeof(__VA_ARGS__), #__VA_ARGS__)) /* message, type */

/* At file scope: declares that messages with this tag carry this type. Optional, for strict checks: sending or announcing
 * the tag with another size is misuse, and so is eo_data with another type name. Reports do not need the declaration; they
 * take the type of a message from the debug information. A tag that is declared twice may carry either type. */
#define EO_MESSAGE(tag, ...)                                                                                      \
  static eo_message_type eo_message_type_##tag = {#tag, #__VA_ARGS__, sizeof(__VA_ARGS__), tag, NULL};            \
  __attribute__((constructor)) static void eo_message_add_##tag(void) { eo_message_add(&eo_message_type_##tag); } \
  struct eo_message_of_##tag /* tag, type */

typedef struct eo_message_type {
  const char *name, *type;
  size_t size;
  int tag;
  struct eo_message_type *next;
} eo_message_type;

/* A receive takes the oldest message that matches. The other messages stay in the mailbox, in order. `timeout` is in
 * milliseconds of virtual time, or EO_FOREVER. A receive with a timeout never blocks the process: where no message matches,
 * it can time out, whatever other processes could still send (with --timeouts idle: only when no other process can run).
 * After a timeout it returns false, and *message is zeroed.
 *   eo_receive       any message, EO_EXIT and EO_DOWN included
 *   eo_receive_tag   one tag
 *   eo_receive_tags  any of `count` tags
 *   eo_receive_if    messages for which accept(message, context) returns true; `accept` must change nothing and give the same
 *                    answer for the same message; the data of the message received before is no longer valid then
 * Misuse: message NULL; tags NULL or count 0; accept NULL; a timeout below EO_FOREVER. */
#define EO_FOREVER ((int64_t)-1)
typedef bool (*eo_predicate)(const eo_message *message, void *context);
#define eo_receive(...) eo_receive_(EO_HERE, __VA_ARGS__)                         /* message, timeout */
#define eo_receive_tag(...) eo_receive_tag_(EO_CALL(#__VA_ARGS__), __VA_ARGS__)   /* message, tag, timeout */
#define eo_receive_tags(...) eo_receive_tags_(EO_CALL(#__VA_ARGS__), __VA_ARGS__) /* message, tags, count, timeout */
#define eo_receive_if(...) eo_receive_if_(EO_HERE, __VA_ARGS__) /* message, accept, context, timeout */

/* ---- Links, monitors, names ----------------------------------------------------------------------------------- */

/* When a process ends, every process linked to it gets an exit signal with its reason: a process that traps exits gets an
 * EO_EXIT message; any other ends with the same reason, unless the reason is EO_NORMAL. Linking twice is the same as
 * linking once; linking to oneself does nothing. Linking to a process that has ended gives the caller an exit signal with
 * EO_NOPROC. eo_trap_exit returns the former setting.
 * Misuse: EO_NOBODY or a number that never was a process. */
#define eo_link(...) eo_link_(EO_HERE, __VA_ARGS__)           /* pid */
#define eo_unlink(...) eo_unlink_(EO_HERE, __VA_ARGS__)       /* pid */
#define eo_trap_exit(...) eo_trap_exit_(EO_HERE, __VA_ARGS__) /* on */

/* A monitor gives its owner one EO_DOWN message when the monitored process ends. If the process has ended already, the
 * message comes at once, with the reason EO_NOPROC. A monitor of oneself gives no message. eo_monitor_name monitors the
 * process that has the name now; if nobody has the name, the EO_DOWN comes at once, with EO_NOPROC and the pid EO_NOBODY.
 * eo_demonitor removes a monitor and returns whether the monitor was still active; it is no longer active once the process
 * has ended (its EO_DOWN has been sent) or it has been removed. With EO_FLUSH, eo_demonitor also removes the EO_DOWN message
 * from the mailbox. eo_demonitor_flush does the same and returns nothing. The caller then cannot notice whether a process
 * that ends normally ended before the call, so "dpor" does not run both orders.
 * Misuse: as eo_link and eo_register; a ref that the caller did not get from eo_monitor. */
enum { EO_FLUSH = 1 };
#define eo_monitor(...) eo_monitor_(EO_HERE, __VA_ARGS__)                 /* pid */
#define eo_monitor_name(...) eo_monitor_name_(EO_HERE, __VA_ARGS__)       /* name */
#define eo_demonitor(...) eo_demonitor_(EO_HERE, __VA_ARGS__)             /* ref, flags */
#define eo_demonitor_flush(...) eo_demonitor_flush_(EO_HERE, __VA_ARGS__) /* ref */

/* Names. eo_register returns false if the name is taken, or if the process has ended or has a name already. eo_unregister
 * returns false if nobody has the name; eo_whereis returns EO_NOBODY then. A process that ends loses its name.
 * Misuse: name NULL, empty, or longer than 63 bytes; pid as eo_link. */
#define eo_register(...) eo_register_(EO_HERE, __VA_ARGS__)     /* name, pid */
#define eo_unregister(...) eo_unregister_(EO_HERE, __VA_ARGS__) /* name */
#define eo_whereis(...) eo_whereis_(EO_HERE, __VA_ARGS__)       /* name */

/* ---- Machines ------------------------------------------------------------------------------------------------- */

/* The second way to write a process is a state machine (P's model): states, and for each state its reactions to events. A
 * machine is a process: it has a pid, other processes send it events by eo_send, and it may call every function above. Its
 * mailbox is its event queue.
 *
 *   typedef struct door { int opened; } door;
 *   enum { OPEN, CLOSED };                                            states
 *   static const eo_machine door_machine = {
 *       .name = "door", EO_VARIABLES(door), .start = CLOSED,
 *       EO_STATES([OPEN] = {.name = "open", .entry = count, .on = EO_ON(EO_GOTO(SHUT, CLOSED), EO_IGNORE(PUSH))},
 *                 [CLOSED] = {.name = "closed", .on = EO_ON(EO_GOTO(PUSH, OPEN), EO_DO(KNOCK, answer))})};
 *   eo_pid pid = eo_create(&door_machine, NULL, 0);
 *
 * A machine dequeues the first event that its state neither defers nor ignores. Ignored events before that one are dropped
 * in the same step; deferred events stay in the queue. An event without a handler in the current state is a finding of kind
 * "unhandled". When there is nothing to dequeue, the machine waits, unless the state has a handler for EO_NULL, which runs
 * then. A handler runs to its end before the next event is dequeued; sends, creations and choices inside a handler are steps
 * of their own. A transition runs the exit function of the old state, the function of the transition, and the entry function
 * of the new state, even if both states are the same. Each function is given the variables of the machine and the event.
 * The `data` of the event is valid until the function returns or receives. A function may be NULL: then nothing is run.
 *
 * Between events, the state of a machine consists of its variables, its queue, and the memory it has allocated. Strategies
 * that recognise states (--cache) compare those and nothing else. A machine that waits between events for ever is no
 * deadlock. Under eo_live_run, machines that wait between events end when no other process is left.
 *
 * Write the tables at file scope: a machine uses them as long as it runs. */
typedef void (*eo_action)(void *self, const eo_message *event);

typedef struct eo_on {
  int event;
  int reaction; /* EO_REACT_*; 0 ends the list */
  int state;    /* to go to */
  eo_action run;
} eo_on;

enum { EO_REACT_DO = 1, EO_REACT_GOTO, EO_REACT_DEFER, EO_REACT_IGNORE };

#define EO_DO(event, run) \
  { event, EO_REACT_DO, 0, run }
#define EO_GOTO(event, state) \
  { event, EO_REACT_GOTO, state, NULL }
#define EO_GOTO_WITH(event, state, run) \
  { event, EO_REACT_GOTO, state, run }
#define EO_DEFER(event) \
  { event, EO_REACT_DEFER, 0, NULL }
#define EO_IGNORE(event) \
  { event, EO_REACT_IGNORE, 0, NULL }
#define EO_ON(...) EO_TABLE(eo_on, __VA_ARGS__, {0, 0, 0, NULL})

/* A constant array as an expression, and the number of its elements. */
#ifdef __cplusplus
#define EO_TABLE(type, ...)                       \
  ([]() -> const type * {                         \
    static const type eo_table[] = {__VA_ARGS__}; \
    return eo_table;                              \
  }())
#define EO_TABLE_COUNT(type, ...)                  \
  ([]() -> int {                                   \
    const type eo_table[] = {__VA_ARGS__};         \
    return (int)(sizeof(eo_table) / sizeof(type)); \
  }())
#else
#define EO_TABLE(type, ...) \
  (const type[]) { __VA_ARGS__ }
#define EO_TABLE_COUNT(type, ...) ((int)(sizeof((const type[]){__VA_ARGS__}) / sizeof(type)))
#endif

typedef struct eo_machine_state {
  const char *name;
  eo_action entry, exit; /* exit is given the event that causes the transition */
  const eo_on *on;       /* EO_ON(...); NULL: no event is handled */
  bool hot;              /* for specifications: this state must be left in the end */
} eo_machine_state;

typedef struct eo_machine {
  const char *name;
  size_t size;           /* of its variables, all zero at the start */
  const char *variables; /* name of the type of its variables, for reports; NULL: not shown */
  int start;             /* state */
  const eo_machine_state *states;
  int state_count;
  const int *observes; /* of a specification: EO_OBSERVES(...) sets both */
  int observe_count;
  const char *(*event_name)(int event); /* for reports; NULL, or a NULL from it: the number is shown */
} eo_machine;

/* The type of the machine's variables, a struct or a typedef. Reports show the variables if there is debug information. */
#define EO_VARIABLES(...) .size = sizeof(__VA_ARGS__), .variables = #__VA_ARGS__ /* type */
#define EO_STATES(...) \
  .states = EO_TABLE(eo_machine_state, __VA_ARGS__), .state_count = EO_TABLE_COUNT(eo_machine_state, __VA_ARGS__)
#define EO_OBSERVES(...) .observes = EO_TABLE(int, __VA_ARGS__), .observe_count = EO_TABLE_COUNT(int, __VA_ARGS__)

/* Starts a machine. The entry function of its start state is given a copy of the `size` bytes at `argument`. A step, as
 * eo_spawn. Misuse: machine NULL or without states; a start state or a target state that does not exist; EO_NULL deferred
 * or ignored; EO_CREATED or EO_WENT in a table; argument NULL with size > 0. */
#define eo_create(...) eo_create_(EO_HERE, __VA_ARGS__) /* machine, argument, size */

/* Turns the calling process into this machine; does not return. For a test that is itself a machine, and for eo_live_run.
 * Misuse: as eo_create; inside a machine. */
#define eo_become(...) eo_become_(EO_HERE, __VA_ARGS__) /* machine, argument, size */

/* For the functions of a machine, which pass their own `self`. None of the three is a step. Each takes effect when the
 * function returns, must be the last operation of the function, and copies its data.
 *   eo_raise  the machine handles this event next, before its queue, in the state it is in after the function. A state that
 *             ignores the event drops it. A state that defers the event makes it an unhandled event: a raised event cannot
 *             wait.
 *   eo_goto   a transition to `state`, with an event that has the tag EO_WENT and this data.
 *   eo_halt   the machine ends normally.
 * Misuse: another `self`; two of these calls in one function; an operation after the call; a state that does not exist;
 * eo_goto or eo_raise in an exit function or in the function of a transition; a call outside a machine. */
#define eo_raise(...) eo_raise_(EO_CALL(#__VA_ARGS__), __VA_ARGS__) /* self, event, data, size */
#define eo_goto(...) eo_goto_(EO_HERE, __VA_ARGS__)                 /* self, state, data, size */
#define eo_halt(...) eo_halt_(EO_HERE, __VA_ARGS__)                 /* self */

/* A specification is a machine that observes. It handles every event with one of its tags, whoever sends the event to
 * whom, and every such event that eo_announce announces. It reacts inside the step of the send, before anything else
 * happens. A specification may raise, go to states and assert, and nothing else: operations, eo_announce and eo_halt are
 * misuse in it. It cannot defer events and has no EO_NULL. A test that ends while a specification is in a hot state, or that
 * can repeat a fair cycle of states in which the specification stays hot, is a finding of kind "liveness". Start
 * specifications before the events they observe. Neither function is a step. Reports call specifications S1, S2, ...
 * Live: reactions run one at a time, on the thread of the sender; hot states are not checked.
 * Misuse: as eo_create; a machine that observes nothing; a negative event; data NULL with size > 0. */
#define eo_specify(...) eo_specify_(EO_HERE, __VA_ARGS__)                      /* machine, argument, size */
#define eo_announce(...) eo_announce_(EO_CALL(", " #__VA_ARGS__), __VA_ARGS__) /* event, data, size */

/* Passes a hint to the delaying explorer (explorer.h: EO_STEP_HINT), which decides what the hint means. Strategies without
 * an explorer ignore hints. Not a step. Misuse: a pid that never was a process (EO_NOBODY is allowed); more than 64 hints
 * in one step. */
#define eo_hint(...) eo_hint_(EO_HERE, __VA_ARGS__) /* what, pid */

/* ---- Input, time, checks -------------------------------------------------------------------------------------- */

/* Chooses a number from 0 to n - 1, or false or true. Every value is tried. Live: random. Misuse: n 0 or above
 * EO_CHOOSE_MAX. */
#define EO_CHOOSE_MAX 65536u
#define eo_choose(...) eo_choose_(EO_HERE, __VA_ARGS__) /* n */
#define eo_flip() eo_flip_(EO_HERE)

/* As eo_choose and eo_flip, but fair: a choice that is made in the same state of the program infinitely often takes each of
 * its values infinitely often, as a coin would. So an endless cycle in which a timer decides "not yet" every time is no
 * liveness finding. */
#define eo_choose_fair(...) eo_choose_fair_(EO_HERE, __VA_ARGS__) /* n */
#define eo_flip_fair() eo_flip_fair_(EO_HERE)

/* Whether a fault of this kind ("disk", "drop", "crash") happens here. An execution has at most as many faults as --faults
 * allows (default 1), and every set of places for them is tried. Live: false. Misuse: what NULL, empty, or longer than 63
 * bytes. */
#define eo_fault(...) eo_fault_(EO_HERE, __VA_ARGS__) /* what */

/* Virtual milliseconds since the start, as far as this process can know: its own sleeps and timeouts, and those that
 * happened before the messages it received. Not a step. */
uint64_t eo_now(void);

/* Lets `milliseconds` pass. A step. Misuse: a negative time. */
#define eo_sleep(...) eo_sleep_(EO_HERE, __VA_ARGS__) /* milliseconds */

/* If the condition is false: a finding of kind "assertion" with the formatted message. The arguments of the message are
 * evaluated only then. The assert of <assert.h> works as well. As with assert, put parentheses around a condition that has a
 * comma inside braces. */
#define eo_assert(condition, ...) ((condition) ? (void)0 : eo_assert_(EO_HERE, #condition, __VA_ARGS__))

/* ---- Tests ---------------------------------------------------------------------------------------------------- */

/* EO_TEST(name) { body } declares a test. The body runs as process P1. The library brings `main`. */
typedef struct eo_test {
  const char *name;
  eo_place place;
  void (*body)(void);
  struct eo_test *next;
  const char *const *model; /* of EO_TEST_PARAMS: lines, ended by NULL */
  const struct eo_row *row; /* of such a test: what it is run with */
} eo_test;

#define EO_TEST(test)                                                                                 \
  static void test(void);                                                                             \
  static eo_test eo_test_##test = {#test, {__FILE__, #test, __LINE__, NULL}, test, NULL, NULL, NULL}; \
  __attribute__((constructor)) static void eo_test_add_##test(void) { eo_test_add(&eo_test_##test); } \
  static void test(void)

/* A test with parameters. After the name come the lines of a model in the language of `everyorder pairwise`: parameters
 * with their values, then constraints, if any:
 *
 *   EO_TEST_PARAMS(transfer, "clients: 1, 2, 3", "mode: fast, safe",
 *                  "IF [mode] = \"safe\" THEN [clients] < 3;") {
 *     int clients = (int)eo_param_int("clients");
 *     bool safe = eo_param_is("mode", "safe");
 *     ...
 *   }
 *
 * The test is run for each row of a set of rows in which every pair of values occurs (--params chooses another set), and
 * each row is run in every order. A row is a test of its own, named transfer[clients=2,mode=safe]. */
#define EO_TEST_PARAMS(test, ...)                                                                                \
  static void test(void);                                                                                        \
  static const char *const eo_model_##test[] = {__VA_ARGS__, NULL};                                              \
  static eo_test eo_test_##test = {#test, {__FILE__, #test, __LINE__, NULL}, test, NULL, eo_model_##test, NULL}; \
  __attribute__((constructor)) static void eo_test_add_##test(void) { eo_test_add(&eo_test_##test); }            \
  static void test(void)

/* The value of a parameter in the row under test: as text (constant, and valid as long as the test runs), as a whole number,
 * or compared with a text. Not a step; may be called from a predicate. Misuse: name NULL; a name that is no parameter;
 * eo_param_int where the value is not a whole number. */
#define eo_param(...) eo_param_(EO_HERE, __VA_ARGS__)         /* name */
#define eo_param_int(...) eo_param_int_(EO_HERE, __VA_ARGS__) /* name */
#define eo_param_is(...) eo_param_is_(EO_HERE, __VA_ARGS__)   /* name, value */

/* Sets a parameter for eo_live_run, and for eo_explore without a model. Both strings are copied; a NULL value removes the
 * parameter. Returns false if there is no memory or name is NULL. Misuse: inside a process. */
bool eo_param_set(const char *name, const char *value);

/* Declares that processes may share this memory (a variable, or memory on the heap or stack of a process), so that shared
 * accesses are not reported as hidden sharing. Call it before the exploration, from main or a constructor, or in the test
 * before the memory is used: then the declaration holds for the rest of the execution. Everyorder does not vary the order of
 * accesses to declared memory: it switches processes at operations only, and "dpor" and "reach" are not complete then.
 * Misuse: more than 1,024 declarations. */
void eo_shared(const void *address, size_t size);
#define EO_SHARED(variable)                                                                                           \
  __attribute__((constructor)) static void eo_shared_add_##variable(void) { eo_shared(&variable, sizeof(variable)); } \
  struct eo_shared_##variable

/* Options of eo_explore. Zero is the default of each. */
typedef struct eo_options {
  const char *strategy; /* NULL: "auto"; see `everyorder strategies` */
  int bounded;          /* 1: `bound` is set */
  int bound;            /* largest number of preemptions, for "preempt" */
  uint64_t
      executions;    /* stop after this number; 0: no limit, but 10,000 for sampling strategies; INT64_MAX: no limit */
  double seconds;    /* stop after this time; 0: no limit */
  uint32_t depth;    /* longer executions are cut off after this number of steps; 0: 10,000 */
  int depth_fails;   /* 1: an execution that is cut off is a finding */
  uint64_t seed;     /* for sampling strategies */
  int keep_going;    /* 1: go on after a finding */
  int timeouts_idle; /* 1: timeouts fire only when nothing else can run */
  int leaks;         /* 1: memory still allocated at the end is a finding */
  int abnormal_fails; /* 1: every exit with a reason other than EO_NORMAL is a finding, even if a link or monitor reports it */
  int as_found;          /* 1: report the failing execution as it was found, without minimising it */
  double minimise;       /* seconds for minimising all findings of a test together; 0: 2 s */
  double watchdog;       /* seconds one step may take; 0: 2 s */
  const char *faults;    /* how many faults (eo_fault) an execution may have: NULL: "1"; "2", "disk=1,net=2" */
  const char *tickets;   /* folder for tickets; NULL: none are written */
  const char *name;      /* name of the test in reports and tickets; NULL: "explore" */
  const char *delivery;  /* which message a receive can take: NULL: "mailbox"; "fifo", "causal", "async" */
  const char *reduction; /* for "dpor": "optimal", "source" or "classic"; NULL: "optimal" */
  int no_tree;           /* for "reach": does not keep its sequences; takes less memory */
  int sleep_sets;        /* for "bsra": with sleep sets */
  int bitstate_mb;  /* for "full": keeps three bits of each state, in a table of this many MiB; 0: keeps all states */
  int hash_compact; /* for "full": keeps 64 bits of each state */
  int fair;         /* for properties of models: a process that can always run is not left out for ever */
  const char
      *visible; /* for "bsra": global variables of the model whose accesses are ordered in every way; NULL: none */
  const char
      *explorer;      /* NULL: "rtc" for "ses", "any" for "ss"; "rr", "prr", "custom", one of EO_EXPLORER, a FILE.so */
  int delays_bounded; /* 1: `delays` is set */
  int delays;         /* the largest number of delays */
  int delay_step;     /* for "ses": delays added in each round; 0: 1 */
  const char *cache;  /* of visited states: NULL: the strategy's default; "unlimited", "refuse", "replace", "off" */
  int cache_mb;       /* memory for the cache; 0: a quarter of the machine's */
  int samples;        /* for "ss": samples + growth^d executions of d delays; 0: 100 */
  double growth;      /* 0: 3 */
  int draw_process;   /* for "random": 1: draws a process first, then one of its choices */
  int bug_depth;      /* for "pct", "pctcp", "tapct"; 0: 3 */
  int length;         /* for the same: expected steps of an execution; 0: learned from the executions so far */
  int jobs;           /* worker processes that share the work; 0: 1 */
  const char *model;  /* parameters as in EO_TEST_PARAMS, all lines in one text: explores every row; NULL: none */
  const char *params; /* which rows: as --params; NULL: "pairwise" */
} eo_options;

typedef enum eo_verdict { EO_PASS, EO_FAIL, EO_INCOMPLETE, EO_ERROR } eo_verdict;

typedef struct eo_result {
  eo_verdict verdict;
  bool complete; /* everything was covered */
  uint64_t executions;
  uint64_t transitions; /* steps run; those skipped by restoring a checkpoint are in `skipped` */
  uint64_t skipped;
  uint64_t findings;
  uint32_t max_depth;
  char kind[32];      /* of the first finding */
  char message[1024]; /* of the first finding, or of the error */
  char ticket[512];   /* path, if one was written */
  uint32_t rows;      /* rows of the model that were explored; 0 without a model */
  char row[256];      /* of the first finding: "clients=2,mode=safe", cut if it is longer */
  uint64_t cut;       /* executions that were cut off at `depth` */
} eo_result;

/* Explores function(argument) as process P1, in a child process, and fills *result. With a model, explores one row after the
 * other up to the first finding (keep_going: all rows), and the counts are sums. Returns 0 if the exploration ran, whatever
 * its verdict, and -1 after an error, with its text in result->message. For use inside the tests of another framework.
 * options may be NULL. */
int eo_explore(eo_function function, void *argument, const eo_options *options, eo_result *result);

/* ---- Live ----------------------------------------------------------------------------------------------------- */

/* Runs function(argument) as process P1 on real threads, one per process. Returns P1's exit reason when every process has
 * ended. When only machines are left and all of them wait between events, they end normally. The program needs no other
 * change. */
int eo_live_run(eo_function function, void *argument);

/* ---- What the macros call ------------------------------------------------------------------------------------- */

#if defined(__GNUC__)
#define EO_NORETURN __attribute__((noreturn))
#define EO_PRINTF(string, first) __attribute__((format(printf, string, first)))
#endif

eo_pid eo_spawn_(const eo_place *place, eo_function function, const void *argument, size_t size);
eo_pid eo_spawn_link_(const eo_place *place, eo_function function, const void *argument, size_t size);
eo_pid eo_spawn_monitor_(const eo_place *place, eo_function function, const void *argument, size_t size, eo_ref *ref);
EO_NORETURN void eo_exit_(const eo_place *place, int reason);
void eo_kill_(const eo_place *place, eo_pid pid, int reason);
bool eo_is_alive_(const eo_place *place, eo_pid pid);
void eo_send_(const eo_place *place, eo_pid to, int tag, const void *data, size_t size);
void eo_send_name_(const eo_place *place, const char *name, int tag, const void *data, size_t size);
bool eo_try_send_name_(const eo_place *place, const char *name, int tag, const void *data, size_t size);
const void *eo_data_(const eo_place *place, const eo_message *message, size_t size, const char *type);
const char *eo_name_(const eo_place *place, char *room, eo_pid pid);
void eo_message_add(eo_message_type *type);
bool eo_receive_(const eo_place *place, eo_message *message, int64_t timeout);
bool eo_receive_tag_(const eo_place *place, eo_message *message, int tag, int64_t timeout);
bool eo_receive_tags_(const eo_place *place, eo_message *message, const int *tags, size_t count, int64_t timeout);
bool eo_receive_if_(const eo_place *place, eo_message *message, eo_predicate accept, void *context, int64_t timeout);
void eo_link_(const eo_place *place, eo_pid pid);
void eo_unlink_(const eo_place *place, eo_pid pid);
bool eo_trap_exit_(const eo_place *place, bool on);
eo_ref eo_monitor_(const eo_place *place, eo_pid pid);
eo_ref eo_monitor_name_(const eo_place *place, const char *name);
bool eo_demonitor_(const eo_place *place, eo_ref ref, int flags);
void eo_demonitor_flush_(const eo_place *place, eo_ref ref);
bool eo_register_(const eo_place *place, const char *name, eo_pid pid);
bool eo_unregister_(const eo_place *place, const char *name);
eo_pid eo_whereis_(const eo_place *place, const char *name);
unsigned eo_choose_(const eo_place *place, unsigned n);
bool eo_fault_(const eo_place *place, const char *what);
bool eo_flip_(const eo_place *place);
unsigned eo_choose_fair_(const eo_place *place, unsigned n);
bool eo_flip_fair_(const eo_place *place);
void eo_sleep_(const eo_place *place, int64_t milliseconds);
EO_NORETURN void eo_assert_(const eo_place *place, const char *condition, const char *format, ...) EO_PRINTF(3, 4);
const char *eo_param_(const eo_place *place, const char *name);
int64_t eo_param_int_(const eo_place *place, const char *name);
bool eo_param_is_(const eo_place *place, const char *name, const char *value);
eo_pid eo_create_(const eo_place *place, const eo_machine *machine, const void *argument, size_t size);
EO_NORETURN void eo_become_(const eo_place *place, const eo_machine *machine, const void *argument, size_t size);
void eo_raise_(const eo_place *place, void *self, int event, const void *data, size_t size);
void eo_goto_(const eo_place *place, void *self, int state, const void *data, size_t size);
void eo_halt_(const eo_place *place, void *self);
void eo_specify_(const eo_place *place, const eo_machine *machine, const void *argument, size_t size);
void eo_announce_(const eo_place *place, int event, const void *data, size_t size);
void eo_hint_(const eo_place *place, int what, eo_pid pid);
void eo_test_add(eo_test *test);

#ifdef __cplusplus
}
#endif
#endif
