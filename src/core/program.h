/* program.h: the seam between the program API (everyorder.h) and what carries it out.
 *
 * Each eo_ function checks its arguments, fills an eo_op on the caller's stack and hands it to the runtime of this
 * thread: the actor subject under exploration, or live threads. Neither knows of the other. */
#ifndef EO_CORE_PROGRAM_H
#define EO_CORE_PROGRAM_H

#include <everyorder.h>

typedef enum eo_op_kind {
  EO_OP_SPAWN,
  EO_OP_SEND,
  EO_OP_RECEIVE,
  EO_OP_EXIT,
  EO_OP_LINK,
  EO_OP_UNLINK,
  EO_OP_TRAP_EXIT,
  EO_OP_MONITOR,
  EO_OP_DEMONITOR,
  EO_OP_REGISTER,
  EO_OP_UNREGISTER,
  EO_OP_WHEREIS,
  EO_OP_CHOOSE,
  EO_OP_SLEEP,
  EO_OP_KILL,
  EO_OP_IS_ALIVE,
  EO_OP_SIGNAL, /* no function of the API: what was on its way to a process arrives */
  EO_OP_FAULT,
  EO_OP_KINDS
} eo_op_kind;

/* Does it choose a value, which is nobody else's affair? */
static inline bool eo__op_chooses(uint32_t kind) { return kind == EO_OP_CHOOSE || kind == EO_OP_FAULT; }

const char *eo__op_name(eo_op_kind kind);

enum {
  EO_OP_LINKED = 1,    /* spawn: and link */
  EO_OP_MONITORED = 2, /* spawn: and monitor */
  EO_OP_FLUSHED = 4,   /* demonitor: and flush */
  EO_OP_BY_NAME = 8,   /* send, monitor: `name` */
  EO_OP_DEQUEUE = 16,  /* receive: of a machine between events, by `events`; waiting for ever is no fault */
  EO_OP_OBSERVE = 32,  /* receive: of a specification between events */
  EO_OP_HALT = 64,     /* exit: by eo_halt */
  EO_OP_FAIR = 128,    /* choose: for ever choosing in a state is choosing every value */
  EO_OP_CAUGHT = 256,  /* send by name: that nobody has it is a result, not an end */
  EO_OP_QUIET =
      512, /* demonitor and flush: without a result, so that nobody can tell whether a normal end came before */
  EO_OP_FLIP = 1024 /* choose: the program gets false or true */
};

/* One operation that a process is about to do. Which fields count depends on the kind. Valid until perform returns. */
typedef struct eo_op {
  eo_op_kind kind;
  int flags;
  const eo_place *place;
  eo_pid pid;       /* send, link, unlink, monitor, register, kill, is_alive: whom */
  const char *name; /* register, unregister, whereis; send and monitor by name; fault: what */
  const void *data; /* send, spawn: bytes to copy */
  size_t size;
  int tag;              /* send */
  int reason;           /* exit, kill */
  bool on;              /* trap_exit */
  unsigned n;           /* choose */
  eo_ref ref;           /* demonitor; result of monitor and of a monitored spawn */
  int64_t timeout;      /* receive, sleep */
  eo_function function; /* spawn */
  eo_message *message;  /* receive: where the message goes */
  union {
    const int *tags;     /* receive: any of these; NULL: any tag */
    const eo_on *events; /* dequeue: what the state does with which; NULL: nothing */
  };
  size_t tag_count;
  eo_predicate accept; /* receive: and this says true; NULL: always */
  void *context;
  uint64_t result; /* spawn, whereis: the pid; choose: the value; fault, what says true or false: 1 or 0 */
} eo_op;

/* What a machine is between events, beside its queue. Its variables, machine->size bytes, follow. Lies on the stack of its
 * process, at the same address for as long as it lives. */
typedef struct eo_machine_now {
  const eo_machine *machine;
  int state;
  int cooled; /* of a specification: it has entered a state that is not hot; whoever looks at that sets it back to 0 */
} eo_machine_now;

typedef struct eo_runtime {
  /* Carries out *op and returns when it is done; does not return for exit. Arguments have been checked, but for pids
   * that never existed and refs that are not the caller's: those are the runtime's to report with `fail`. */
  void (*perform)(eo_op *op);
  eo_pid (*self)(void);
  uint64_t (*now)(void);
  bool (*name)(eo_pid pid, char *out, size_t size); /* "P1.2"; false: it never was a process */
  /* Ends the execution (or, live, the program). kind is "assertion", "misuse" or "unhandled"; of a front end "mpi/CLASS". */
  void (*fail)(const char *kind, const eo_place *place, const char *text) __attribute__((noreturn));
  /* The calling process is a machine from now on. False: it is one already. */
  bool (*machine)(const eo_machine_now *now);
  /* From now on operations of the calling process are misuse, with this reason; NULL: no longer. */
  void (*bar)(const char *because);
  void (*hint)(const eo_place *place, int what, eo_pid pid);
  /* Starts a specification: function(copy of the bytes) is the machine, on a stack of its own or, live, nothing; there
   * eo__observer_* are used. It observes machine->observes. */
  void (*specify)(const eo_place *place, const eo_machine *machine, eo_function function, const void *bytes,
                  size_t size);
  void (*announce)(const eo_place *place, int event, const void *data, size_t size);
} eo_runtime;

/* Why a specification can do no operation. */
#define EO_SPECIFICATION_BARRED "by a specification, which can only observe, raise, go to states and assert"

/* The runtime of this thread; NULL outside any process. Set by whoever runs a process, around running it. */
extern _Thread_local const eo_runtime *eo__runtime;

/* For functions of the API: a finding of kind "misuse" (live: the end), or outside any process a text and abort. */
__attribute__((noreturn)) void eo__misuse(const eo_place *place, const char *function, const char *what);

/* What is wrong with a demonitor whose ref is not one of the caller's. */
const char *eo__not_a_monitor(const eo_op *op);

/* For functions that send: misuse if the tag is the library's own, or is declared (EO_MESSAGE) to carry another size. */
void eo__tag_check(const eo_place *place, const char *function, int tag, size_t size);

/* "vote" of "const struct vote". */
const char *eo__type_name(const char *type);

/* The tags that EO_MESSAGE declares, in the order of the source files' constructors. */
const eo_message_type *eo__message_types(void);

/* The tests declared by EO_TEST, in the order of the source files' constructors, and the declared shared variables. */
eo_test *eo__tests(void);
void eo__tests_replace(eo_test *first); /* by another list; before anything is explored */

/* Makes the test of that name and puts it among the others, if a front end makes tests (front.h) and there is none of that name. False: `why`
 * says why the front end cannot. */
bool eo__tests_make(const char *name, char *why, size_t size);
const char *eo__tests_none(void); /* what to say where no test is named; NULL: there is no such front end */

typedef struct eo_shared_range {
  const char *address;
  size_t size;
} eo_shared_range;
const eo_shared_range *eo__shared_ranges(size_t *count);
void eo__shared_keep(size_t count); /* forgets those that were declared after the first `count` */

/* What a state does with an event: EO_REACT_*; 0: nothing, it is unhandled. */
static inline int eo_reaction(const eo_on *events, int event) {
  for (const eo_on *on = events; on && on->reaction; on++)
    if (on->event == event) return on->reaction;
  return 0;
}

/* Does this message match that receive? Runs op->accept. An event that a machine ignores matches. */
bool eo__op_matches(const eo_op *receive, const eo_message *message);

#endif
