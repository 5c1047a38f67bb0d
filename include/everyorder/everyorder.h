/* everyorder.h: programs of processes that send each other messages, and tests that run them in every order.
 *
 * The model is Erlang's. A process has its own memory and a mailbox; it acts on others only by the functions below.
 * Inside a test (EO_TEST, eo_explore) Everyorder decides who runs next and tries every order; under eo_live_run the
 * same functions run on real threads.
 *
 * Misuse never is undefined behaviour: under exploration it ends the execution with a finding of kind "misuse" that
 * names the function, the process and the line; live, it prints the same text and aborts. What counts as misuse is
 * said at each function. Common to all: calling one outside a process (but for eo_explore, eo_live_run, eo_shared),
 * and calling one from a predicate given to eo_receive_if.
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

/* Why a process ended. 0 is normal; yours are positive; the negative ones are given by the library, and by you where you
 * mean the same. */
enum {
  EO_NORMAL = 0,
  EO_NOPROC = -1, /* linked to or monitored a process that does not exist (any more) */
  EO_BADARG = -2, /* sent to a name that nobody has */
  EO_KILL = -3,   /* given to eo_kill: cannot be trapped; */
  EO_KILLED = -4  /* and the process ends with this one */
};

/* Tags of your messages are 0 or more. These are made by the library; the last three are for machines. */
enum {
  EO_EXIT = -1, /* to a process that traps exits, from a linked one that ended or by eo_kill; data is an eo_exit_info */
  EO_DOWN = -2, /* to a process that monitors, from the monitored one; data is an eo_down_info */
  EO_NULL = -3, /* the event of a state that has a handler for having nothing to dequeue */
  EO_CREATED = -4, /* what the entry function of the start state is given; data is what eo_create was given */
  EO_WENT = -5     /* what an entry function is given after eo_goto; data is what eo_goto was given */
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

/* Where in the source an operation stands, and its arguments as they are written there, for reports; made by the macros
 * below. These hand on their arguments, named in a comment behind each, as they are: a comma inside braces, as in
 * eo_send(to, DONE, &(done){1, 2}, sizeof(done)), is none between arguments. */
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

/* Starts a process that runs function(copy of the `size` bytes at `argument`); returning from it is eo_exit(EO_NORMAL).
 * `size` 0 passes NULL. _link also links caller and child, _monitor also monitors the child (into *ref), each in the
 * same step. Misuse: function NULL; argument NULL with size > 0; ref NULL. */
#define eo_spawn(...) eo_spawn_(EO_HERE, __VA_ARGS__)                 /* function, argument, size */
#define eo_spawn_link(...) eo_spawn_link_(EO_HERE, __VA_ARGS__)       /* function, argument, size */
#define eo_spawn_monitor(...) eo_spawn_monitor_(EO_HERE, __VA_ARGS__) /* function, argument, size, ref */

/* The calling process. Not a step. */
eo_pid eo_self(void);

/* "P1.2", as reports call the process; "nobody" for EO_NOBODY; valid until the end of the block, in C++ of the expression. For messages to people:
 * eo_assert(ok, "%s voted twice", eo_name(pid)). Not a step: so it does not know the name that the process is registered
 * under, which changes. Misuse: a number that never was a process. */
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

/* Sends a process an exit signal, as if the caller were linked to it and had ended with this reason: if it traps exits it gets
 * an EO_EXIT message, else it ends with the reason before it does anything else, unless that is EO_NORMAL, which does nothing.
 * EO_KILL cannot be trapped, and ends the process with EO_KILLED. Two things are for the caller itself: eo_kill(eo_self(),
 * EO_NORMAL) ends it, unless it traps; and that a process ends by it is no finding of its own, as the caller knows. A
 * process that has ended gets nothing. Misuse: EO_NOBODY or a number that never was a process. */
#define eo_kill(...) eo_kill_(EO_HERE, __VA_ARGS__) /* pid, reason */

/* Has the process neither ended nor been given a signal that ends it? A step. Misuse: as eo_kill. */
#define eo_is_alive(...) eo_is_alive_(EO_HERE, __VA_ARGS__) /* pid */

/* ---- Messages ------------------------------------------------------------------------------------------------- */

/* Copies the `size` bytes at `data` into the mailbox of `to`. A process that has ended gets nothing, silently, as in
 * Erlang. eo_send_name looks the name up in the same step; if nobody has it the caller exits with EO_BADARG, while
 * eo_try_send_name returns false, and true if somebody has.
 * Misuse: a negative tag; EO_NOBODY or a number that never was a process; data NULL with size > 0; name NULL. */
#define eo_send(...) eo_send_(EO_CALL(#__VA_ARGS__), __VA_ARGS__)                   /* to, tag, data, size */
#define eo_send_name(...) eo_send_name_(EO_CALL(#__VA_ARGS__), __VA_ARGS__)         /* name, tag, data, size */
#define eo_try_send_name(...) eo_try_send_name_(EO_CALL(#__VA_ARGS__), __VA_ARGS__) /* name, tag, data, size */

/* Sends a value, whose type is that of the expression: eo_tell(to, VOTE, (vote){term, eo_self()}). The same as eo_send of its address
 * and size. An array is no value: send its address by eo_send. */
#define eo_tell(to, tag, ...)                                                                             \
  (__extension__({                                                                                        \
    __typeof__((__VA_ARGS__)) eo_value = __VA_ARGS__;                                                     \
    eo_send_(EO_CALL(#to ", " #tag ", &eo_value, sizeof eo_value"), to, tag, &eo_value, sizeof eo_value); \
  })) /* to, tag, value */

/* The data of a received message as a `const type *`: eo_data(&m, vote)->term. Not a step. Misuse: message NULL; data of another
 * size than the type's; a type other than the one that EO_MESSAGE gives this tag. */
#define eo_data(message, ...) \
  ((const __typeof__(__VA_ARGS__) *)eo_data_(EO_HERE, message, sizeof(__VA_ARGS__), #__VA_ARGS__)) /* message, type */

/* At file scope: messages with this tag carry this type. Nothing needs it: reports find out from the debug information what a message
 * carries. It is for whoever wants to be strict: sending or announcing this tag with another size is misuse, and so is reading
 * it by eo_data as a type that is called otherwise. A tag that is declared twice may carry either type. */
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

/* Receives take the oldest message that matches and leave the others where they are, in order. `timeout` is in
 * milliseconds of virtual time, or EO_FOREVER. They return false on a timeout, with *message zeroed. With a timeout
 * the receive can always go on: it times out when nothing matches at that moment (--timeouts idle: only when nothing
 * else in the whole program can run).
 *   eo_receive       any message, EO_EXIT and EO_DOWN included
 *   eo_receive_tag   one tag
 *   eo_receive_tags  any of `count` tags
 *   eo_receive_if    accept(message, context) says true; it must only look, and give the same answer each time; what the
 *                    process received before is gone when it looks
 * Misuse: message NULL; tags NULL or count 0; accept NULL; a timeout below EO_FOREVER. */
#define EO_FOREVER ((int64_t)-1)
typedef bool (*eo_predicate)(const eo_message *message, void *context);
#define eo_receive(...) eo_receive_(EO_HERE, __VA_ARGS__)                         /* message, timeout */
#define eo_receive_tag(...) eo_receive_tag_(EO_CALL(#__VA_ARGS__), __VA_ARGS__)   /* message, tag, timeout */
#define eo_receive_tags(...) eo_receive_tags_(EO_CALL(#__VA_ARGS__), __VA_ARGS__) /* message, tags, count, timeout */
#define eo_receive_if(...) eo_receive_if_(EO_HERE, __VA_ARGS__) /* message, accept, context, timeout */

/* ---- Links, monitors, names ----------------------------------------------------------------------------------- */

/* When a process ends, each linked process gets its reason: one that traps exits gets an EO_EXIT message, another one
 * ends with the same reason unless that is EO_NORMAL. Linking twice is linking once; to oneself does nothing. Linking
 * to a process that has ended gives the caller EO_NOPROC the same way. eo_trap_exit returns the former setting.
 * Misuse: EO_NOBODY or a number that never was a process. */
#define eo_link(...) eo_link_(EO_HERE, __VA_ARGS__)           /* pid */
#define eo_unlink(...) eo_unlink_(EO_HERE, __VA_ARGS__)       /* pid */
#define eo_trap_exit(...) eo_trap_exit_(EO_HERE, __VA_ARGS__) /* on */

/* Each monitor gives one EO_DOWN message when the process ends, at once with EO_NOPROC if it has ended already. (Of a monitor of
 * oneself nothing comes.) eo_monitor_name monitors who has the name now; if nobody has it, the DOWN comes at once, with
 * EO_NOPROC, and EO_NOBODY as its process. eo_demonitor ends a monitor and says whether it was still there: false, if its
 * process has ended, that is if its DOWN has been sent, or if it was ended before. With EO_FLUSH its DOWN message is also taken
 * out of the mailbox if it is there. eo_demonitor_flush does that and says nothing: then nobody can tell whether a process that ends
 * normally has ended before it, and "dpor" does not run both orders. Misuse: as eo_link and eo_register; a ref that the caller did not get from eo_monitor. */
enum { EO_FLUSH = 1 };
#define eo_monitor(...) eo_monitor_(EO_HERE, __VA_ARGS__)                 /* pid */
#define eo_monitor_name(...) eo_monitor_name_(EO_HERE, __VA_ARGS__)       /* name */
#define eo_demonitor(...) eo_demonitor_(EO_HERE, __VA_ARGS__)             /* ref, flags */
#define eo_demonitor_flush(...) eo_demonitor_flush_(EO_HERE, __VA_ARGS__) /* ref */

/* Names. eo_register returns false if the name is taken, the process has ended, or has a name already; eo_unregister
 * false if nobody has the name; eo_whereis EO_NOBODY then. A process that ends loses its name.
 * Misuse: name NULL, empty, or longer than 63 bytes; pid as eo_link. */
#define eo_register(...) eo_register_(EO_HERE, __VA_ARGS__)     /* name, pid */
#define eo_unregister(...) eo_unregister_(EO_HERE, __VA_ARGS__) /* name */
#define eo_whereis(...) eo_whereis_(EO_HERE, __VA_ARGS__)       /* name */

/* ---- Machines ------------------------------------------------------------------------------------------------- */

/* The second way to write a process: states, and what each does with which event (P's model). A machine is a process:
 * it has a pid, anyone sends it events by eo_send, and it may use every function above. Its mailbox is its queue.
 *
 *   typedef struct door { int opened; } door;
 *   enum { OPEN, CLOSED };                                            states
 *   static const eo_machine door_machine = {
 *       .name = "door", EO_VARIABLES(door), .start = CLOSED,
 *       EO_STATES([OPEN] = {.name = "open", .entry = count, .on = EO_ON(EO_GOTO(SHUT, CLOSED), EO_IGNORE(PUSH))},
 *                 [CLOSED] = {.name = "closed", .on = EO_ON(EO_GOTO(PUSH, OPEN), EO_DO(KNOCK, answer))})};
 *   eo_pid pid = eo_create(&door_machine, NULL, 0);
 *
 * A machine dequeues the first event that its state neither defers nor ignores; ignored ones before it are dropped in the
 * same step, deferred ones stay. An event for which the state has no handler is a finding of kind "unhandled". If the state has a
 * handler for EO_NULL, that runs when there is nothing to dequeue; without one the machine waits. A handler runs to its
 * end before the next event is dequeued; sends, creations and choices inside it are steps of their own. Going to a state
 * runs the exit function of the old one, the function of the transition, the entry function of the new one, also if
 * both are the same. Each is given the variables of the machine and the event; `data` of the event is valid until the
 * function returns or receives. Functions that are NULL are left out.
 *
 * Between events the state of a machine is its variables and its queue (and what it has allocated), nothing else: two
 * executions that have led to the same are in the same state. A machine that waits between events for ever is no deadlock;
 * under eo_live_run, when nothing but such machines is left, they end.
 *
 * The tables must stay where they are for as long as a machine uses them: write them at file scope. */
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

/* An array that stays, as an expression, and how many it has. */
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
  eo_action entry, exit; /* exit is given the event that makes it leave */
  const eo_on *on;       /* EO_ON(...); NULL: nothing is handled */
  bool hot;              /* of a specification: something is still to happen */
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

/* Its variables are a struct (or typedef) of this type; reports show them, where there is debug information. */
#define EO_VARIABLES(...) .size = sizeof(__VA_ARGS__), .variables = #__VA_ARGS__ /* type */
#define EO_STATES(...) \
  .states = EO_TABLE(eo_machine_state, __VA_ARGS__), .state_count = EO_TABLE_COUNT(eo_machine_state, __VA_ARGS__)
#define EO_OBSERVES(...) .observes = EO_TABLE(int, __VA_ARGS__), .observe_count = EO_TABLE_COUNT(int, __VA_ARGS__)

/* Starts a machine; the entry function of its start state gets a copy of the `size` bytes at `argument`. A step, as
 * eo_spawn. Misuse: machine NULL or without states, a start state or a state in a table that it has not, EO_NULL deferred
 * or ignored, EO_CREATED or EO_WENT in a table; argument NULL with size > 0. */
#define eo_create(...) eo_create_(EO_HERE, __VA_ARGS__) /* machine, argument, size */

/* The calling process becomes this machine; does not return. For a test that is itself a machine, and for eo_live_run.
 * Misuse: as eo_create; inside a machine. */
#define eo_become(...) eo_become_(EO_HERE, __VA_ARGS__) /* machine, argument, size */

/* For functions of a machine, which hand on the `self` they were given. None is a step; each takes effect when the
 * function returns, and nothing may follow it there. eo_raise: this event comes next, before the queue (in the state in
 * which the function leaves the machine; if that ignores it, it is dropped, if it defers it, that is an unhandled event:
 * what is raised cannot wait). eo_goto: as a transition, whose event has tag EO_WENT and this data. eo_halt:
 * the machine ends normally. Data is copied.
 * Misuse: self that is not the machine's; a second one of them in the same function; a step after it; a state that the
 * machine has not; eo_goto and eo_raise in an exit function or in the function of a transition, when the machine is on its
 * way already; outside a machine. */
#define eo_raise(...) eo_raise_(EO_CALL(#__VA_ARGS__), __VA_ARGS__) /* self, event, data, size */
#define eo_goto(...) eo_goto_(EO_HERE, __VA_ARGS__)                 /* self, state, data, size */
#define eo_halt(...) eo_halt_(EO_HERE, __VA_ARGS__)                 /* self */

/* A specification: a machine that observes. Every event with one of its tags is shown to it, whoever sends it to whom,
 * in the very step of the send, by the time of which it has reacted; also events that are only announced. It may raise,
 * go to states and assert, and do nothing else: any operation in it is misuse, and so are eo_announce and eo_halt. It
 * cannot defer events, and has no EO_NULL. Ending the test, or going round in a fair circle, while it is in a hot state is a
 * finding of kind "liveness". Start them before anything that they observe. Neither is a step. Reports call them S1, S2, ...
 * Live: reactions run one at a time, on the thread of the sender; hot states are not looked at.
 * Misuse: as eo_create; a machine that observes nothing; a negative event, data NULL with size > 0. */
#define eo_specify(...) eo_specify_(EO_HERE, __VA_ARGS__)                      /* machine, argument, size */
#define eo_announce(...) eo_announce_(EO_CALL(", " #__VA_ARGS__), __VA_ARGS__) /* event, data, size */

/* Tells the delaying explorer something (explorer.h: EO_STEP_HINT). What it means is between you and it. Not a step;
 * nothing happens where there is no explorer. Misuse: pid that never was a process (EO_NOBODY is allowed); more than 64 in
 * one step. */
#define eo_hint(...) eo_hint_(EO_HERE, __VA_ARGS__) /* what, pid */

/* ---- Input, time, checks -------------------------------------------------------------------------------------- */

/* A number from 0 to n - 1, false or true: every one of them is tried. Live: random. Misuse: n 0 or above
 * EO_CHOOSE_MAX. */
#define EO_CHOOSE_MAX 65536u
#define eo_choose(...) eo_choose_(EO_HERE, __VA_ARGS__) /* n */
#define eo_flip() eo_flip_(EO_HERE)

/* The same, and fair: whoever chooses in one state of the program again and again, for ever, gets every value there again
 * and again, as from a coin. So a timer that decides "not yet" each time is no reason for a specification to stay hot. */
#define eo_choose_fair(...) eo_choose_fair_(EO_HERE, __VA_ARGS__) /* n */
#define eo_flip_fair() eo_flip_fair_(EO_HERE)

/* Does a fault of this kind ("disk", "drop", "crash") happen here? True in at most as many places of an execution as
 * --faults allows (1 unless it says otherwise), and every such set of places is tried. Live: false. Misuse: what NULL, empty,
 * or longer than 63 bytes. */
#define eo_fault(...) eo_fault_(EO_HERE, __VA_ARGS__) /* what */

/* Milliseconds since the start, as this process can know: its own sleeps and timeouts, and those that happened before
 * the messages it received. Not a step. */
uint64_t eo_now(void);

/* Lets `milliseconds` pass. A step. Misuse: a negative time. */
#define eo_sleep(...) eo_sleep_(EO_HERE, __VA_ARGS__) /* milliseconds */

/* If the condition is false, a finding of kind "assertion" with the formatted message, whose values are looked at only
 * then. <assert.h> works as well. As there, a condition with a comma inside braces needs parentheses around it. */
#define eo_assert(condition, ...) ((condition) ? (void)0 : eo_assert_(EO_HERE, #condition, __VA_ARGS__))

/* ---- Tests ---------------------------------------------------------------------------------------------------- */

/* EO_TEST(name) { body } declares a test; the body runs as process P1. Link with the library and nothing else: it
 * brings main. */
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

/* A test with parameters. After the name come the lines of a model as `everyorder pairwise` reads it, parameters with
 * their values first, then constraints if there are any:
 *
 *   EO_TEST_PARAMS(transfer, "clients: 1, 2, 3", "mode: fast, safe",
 *                  "IF [mode] = \"safe\" THEN [clients] < 3;") {
 *     int clients = (int)eo_param_int("clients");
 *     bool safe = eo_param_is("mode", "safe");
 *     ...
 *   }
 *
 * It is run once for each row of a set in which every pair of values occurs (--params chooses another set), each row in
 * every order. A row is a test of its own, named transfer[clients=2,mode=safe]. */
#define EO_TEST_PARAMS(test, ...)                                                                                \
  static void test(void);                                                                                        \
  static const char *const eo_model_##test[] = {__VA_ARGS__, NULL};                                              \
  static eo_test eo_test_##test = {#test, {__FILE__, #test, __LINE__, NULL}, test, NULL, eo_model_##test, NULL}; \
  __attribute__((constructor)) static void eo_test_add_##test(void) { eo_test_add(&eo_test_##test); }            \
  static void test(void)

/* The value of a parameter in the row under test: as text (constant; valid as long as the test runs), as a whole number,
 * or whether it is this text. Not a step, and callable from a predicate. Misuse: name NULL, a name that is no parameter's,
 * a value that is not a whole number. */
#define eo_param(...) eo_param_(EO_HERE, __VA_ARGS__)         /* name */
#define eo_param_int(...) eo_param_int_(EO_HERE, __VA_ARGS__) /* name */
#define eo_param_is(...) eo_param_is_(EO_HERE, __VA_ARGS__)   /* name, value */

/* Gives a parameter its value where no test does: for eo_live_run, and for an eo_explore without a model. Both strings
 * are copied; NULL as value takes the parameter away. False: no memory, or name NULL. Misuse: inside a process. */
bool eo_param_set(const char *name, const char *value);

/* Declares that processes may share this memory, so that it is not reported as hidden sharing: a variable, or memory on the
 * heap or stack of a process. Call it before the exploration, from main or a constructor; or in the test, before anybody
 * uses it: then it holds for the rest of the execution. What they do with it is then their own affair: Everyorder switches
 * processes at operations only, and strategies that go by events ("dpor", "reach") are not complete. Misuse: more than
 * 1,024 of them. */
void eo_shared(const void *address, size_t size);
#define EO_SHARED(variable)                                                                                           \
  __attribute__((constructor)) static void eo_shared_add_##variable(void) { eo_shared(&variable, sizeof(variable)); } \
  struct eo_shared_##variable

/* What eo_explore should do. All zero is the default everywhere. */
typedef struct eo_options {
  const char *strategy;  /* NULL: "auto"; see `everyorder strategies` */
  int bounded;           /* 1: `bound` counts */
  int bound;             /* largest number of preemptions, for "preempt" */
  uint64_t executions;   /* stop after so many; 0: no limit, but 10,000 for strategies that draw; INT64_MAX: no limit */
  double seconds;        /* stop after so long; 0: no limit */
  uint32_t depth;        /* an execution with more steps is cut off there; 0: 10,000 */
  int depth_fails;       /* 1: such an execution is a finding */
  uint64_t seed;         /* for strategies that draw */
  int keep_going;        /* 1: go on after a finding */
  int timeouts_idle;     /* 1: timeouts fire only when nothing else can run */
  int leaks;             /* 1: memory still allocated at the end is a finding */
  int abnormal_fails;    /* 1: every exit that is not normal is a finding, also one that others are told of */
  int as_found;          /* 1: tell a finding as it was found, without looking for a shorter way to it */
  double minimise;       /* seconds to spend on shorter ways to the findings of a test, all together; 0: 2 s */
  double watchdog;       /* seconds one step may take; 0: 2 s */
  const char *faults;    /* how many faults (eo_fault) an execution may have: NULL: "1"; "2", "disk=1,net=2" */
  const char *tickets;   /* folder for tickets; NULL: none are written */
  const char *name;      /* name of the test in reports and tickets; NULL: "explore" */
  const char *delivery;  /* which message a receive can take: NULL: "mailbox"; "fifo", "causal", "async" */
  const char *reduction; /* for "dpor": "optimal", "source" or "classic"; NULL: "optimal" */
  int no_tree;           /* for "reach": does not keep its sequences; takes less memory */
  int sleep_sets;        /* for "bsra": with sleep sets */
  int fair;              /* for properties of models: no process that can go on is left out for ever */
  const char
      *visible; /* for "bsra": global variables of the model whose accesses are ordered in every way; NULL: none */
  const char *explorer; /* for "ses" and "ss": NULL: "rtc"; "rr", "prr", "custom", one of EO_EXPLORER, or a FILE.so */
  int delays_bounded;   /* 1: `delays` counts */
  int delays;           /* most delays */
  int delay_step;       /* of "ses": how many more each time; 0: 1 */
  const char *cache;    /* of states seen: NULL: the strategy's default; "unlimited", "refuse", "replace", "off" */
  int cache_mb;         /* memory for it; 0: a quarter of the machine's */
  int samples;          /* of "ss": samples + growth^d executions of d delays; 0: 100 */
  double growth;        /* 0: 3 */
  int draw_process;     /* of "random": 1: draws whose turn it is first, then among the choices of that one */
  int bug_depth;        /* of "pct", "pctcp", "tapct"; 0: 3 */
  int length;           /* of those: steps of an execution; 0: as those so far */
  int jobs;             /* worker processes that share the work; 0: 1 */
  const char *model;    /* parameters as in EO_TEST_PARAMS, all lines in one text: explores every row; NULL: none */
  const char *params;   /* which rows: as --params; NULL: "pairwise" */
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
  uint32_t rows;      /* explored, of a model; else 0 */
  char row[256];      /* of the first finding: "clients=2,mode=safe", cut where it is longer */
  uint64_t cut;       /* executions that were cut off at `depth` */
} eo_result;

/* Explores function(argument) as process P1 in every order the strategy gives, in a child process, and fills *result;
 * with a model, one row after the other up to the first finding (keep_going: all), and the counts are sums.
 * Returns 0 if it ran (whatever the verdict), -1 on an error, said in result->message. For use inside another
 * framework's tests; options may be NULL. */
int eo_explore(eo_function function, void *argument, const eo_options *options, eo_result *result);

/* ---- Live ----------------------------------------------------------------------------------------------------- */

/* Runs function(argument) as process P1 on real threads, one per process, and returns P1's exit reason when every
 * process has ended, or when all that are left are machines that wait between events: those end normally then. Programs
 * linked with it need no other change. */
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
