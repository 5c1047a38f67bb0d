/* inside.h: the actor subject's own data. Not for other folders.
 *
 * All state that an execution changes is in one of five places, so that saving it is copying them: the captured memory
 * (stacks, heaps, globals: capture.h), the pool (messages, monitors, links, names, what is known of receives), the
 * process structs of this execution, the letters, and struct eo_world. What only grows over a run (known processes, their
 * order, the numbers of messages and objects) is in struct eo_actor.
 *
 * Memory of the program under test is read and written on the process's own fiber only, never by the engine, so that a
 * bad pointer given to us crashes the process and not the tool. */
#ifndef EO_ACTOR_INSIDE_H
#define EO_ACTOR_INSIDE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "core/program.h"
#include "core/society.h"
#include "core/subject.h"
#include "fiber/fiber.h"
#include "subjects/actor/actor.h"
#include "subjects/actor/capture.h"
#include "subjects/actor/symbols.h"
#include "subjects/actor/watch.h"

/* Which messages happened before something: the first of[p] messages of process p. Never changed once it is made, so that
 * messages and processes can share one. Causal delivery, and where receives choose, only. */
typedef struct eo_clock {
  uint32_t count;
  uint32_t of[];
} eo_clock;

/* A message, in the pool; `next` links it in a mailbox, oldest first; where receives choose (eo_world.taking) by the
 * logical id of the sender, then oldest first. There messages stay in the pool until the next reset. */
typedef struct eo_mail {
  struct eo_mail *next;
  uint64_t time;         /* the sender's eo_now */
  const eo_clock *clock; /* of the sender's step, without that step's own message; set if eo_world.clocked */
  uint32_t from;         /* whom the receiver is told it is from */
  uint32_t number;       /* as in eo_sent; its sender is the process whose step made it */
  size_t size;
  int tag;
  bool matches; /* taking: the receive at whose door its receiver stands; not set if that takes any message */
  bool arrived; /* its receiver knows, so that it does not time out on it (eo__delivery_times_out) */
  char bytes[];
} eo_mail;

/* What a process's receive took, for as long as somebody may ask (eo_relations.matches). In the pool. */
typedef struct eo_answer {
  struct eo_answer *next;
  uint32_t number; /* of the message */
  bool accepted;
} eo_answer;

/* A process's memory as it was at a door: its stack from `sp` on, then its heap. In the pool. */
typedef struct eo_image {
  void *sp;
  size_t stack, heap;
  char bytes[];
} eo_image;

/* A receive that a process has come to. In the pool. */
typedef struct eo_door {
  bool any, asks; /* every message; what a predicate accepts; else those of the tags */
  bool dequeues;  /* of a machine: what `events` does not defer */
  const eo_on *events;
  eo_answer *answers; /* of the predicate */
  eo_image *image;    /* for a predicate; NULL: the process has not run since */
  size_t tag_count;
  int tags[];
} eo_door;

/* A monitor that a process has ended quietly (EO_OP_QUIET): no receive after that takes its DOWN. In the pool. */
typedef struct eo_flushed {
  const struct eo_flushed *next;
  eo_ref ref;
  uint32_t doors; /* receives that the process had come to by then */
} eo_flushed;

/* Something on its way (couriers.c). In the pool. */
typedef struct eo_courier {
  struct eo_courier *next; /* that set out before it, in this execution */
  uint32_t process;        /* its own number */
  uint32_t from, to;       /* processes */
  uint32_t message;        /* number of the message that it is or may turn into */
  uint32_t step;           /* that it set out with, from 1 */
  eo_mail *mail;           /* NULL: an exit signal */
  const eo_clock *clock;   /* these two as of a message, when it set out */
  uint64_t time;
  int reason;
  bool linked, muted; /* as of eo_signal; or its monitor was ended since */
  uint32_t awaited_count;
  uint32_t awaited[]; /* numbers of the couriers that must have arrived before */
} eo_courier;

/* Registers of the processor (control.h). */
typedef struct eo_control {
#if defined(__x86_64__)
  uint32_t vector;         /* MXCSR */
  uint16_t old, old_flags; /* x87 */
#else
  uint64_t control, flags;
#endif
} eo_control;

typedef enum eo_state { EO_UNBORN, EO_ALIVE, EO_ENDED } eo_state;

/* A process in this execution. EO_UNBORN in executions that do not spawn it. `pending` is set while it is alive: the operation at whose door it stands. */
typedef struct eo_process {
  /* Zero when it starts. */
  eo_op *pending;
  uint32_t choices; /* ways to take the pending operation now; 0: blocked */
  uint32_t children;
  uint32_t refs;           /* monitors made so far */
  uint32_t specifications; /* made so far */
  uint32_t couriers;       /* sent off so far */
  uint32_t hot_since;      /* of a specification: where on the path (lasso.c) it became hot, from 1; 0: it is not */
  uint32_t moved_at;       /* where on the path it last took a step, from 1 */
  uint32_t stuck_at;       /* where on the path it last could not go on, from 1; of one that can */
  uint32_t sent;           /* messages sent so far */
  uint32_t door_count, door_room;
  eo_door **doors; /* its receives so far, in the pool; only if eo_world.taking */
  const eo_clock *clock;
  eo_foregone *foregone;     /* in the pool; only if eo_world.taking */
  const eo_flushed *flushed; /* newest first; only if eo_world.taking */
  eo_op *shown; /* under audit: `pending`, in the pool; the operation itself lies in closed memory. Else NULL */
  const eo_op *stands_at; /* that operation itself; only with `shown` */
  bool probing;           /* runs only its predicate, on the message in `received`; or stops for a debugger (halt) */
  bool entering;          /* reads the arguments of its pending operation */
  bool accepted;          /* what the predicate said */
  const char *barred;     /* why an operation of it would be misuse now; NULL: it would not */
  const eo_machine_now *machine; /* on its stack; NULL: it is none */
  const eo_machine *kind;        /* of that machine, so that nobody looks at the stack for it */
  bool rested;                   /* that machine has been between events */
  bool observes;                 /* it is a specification: runs only when it is shown an event */
  const eo_courier *courier;     /* it is one: no memory, no code, no pid. NULL: it is none */
  eo_mail *mailbox, **mailbox_end;
  eo_mail **match;   /* link to the message that its pending receive takes; NULL: none (taking: not chosen yet) */
  eo_mail **unseen;  /* link to the first message that its pending receive has not been compared with */
  eo_mail *outgoing; /* bytes of the pending send or spawn */
  uint64_t now;
  eo_citizen citizen; /* its bonds and its name are in the pool */
  void *fake_stack;   /* ASan's */
  char *thread;       /* its thread-local variables while it does not run, on its heap; NULL: there are none */
  size_t refused;     /* bytes that it last asked for and did not get (heap.c); 0: none */
  const void
      *lent; /* the C library allocates for the program, which has called it there (outside_lend.c); NULL: for itself */
  uint64_t caught[2];            /* the exceptions of C++ that it handles, and how many fly, while it does not run */
  bool printed;                  /* `print` is its hash (fingerprint.c) */
  const struct eo_process *kept; /* in the log: a copy that a save has made, and that is still right; NULL: none */
  /* Set when it starts. */
  eo_fiber fiber;
  eo_state state;
  uint32_t number;  /* index in eo_actor.known */
  uint32_t slot;    /* of its arena; also its eo_pid */
  uint32_t stagger; /* how far below the end of its stack it begins */
  uint32_t at;      /* where in eo_actor.live */
  uint64_t key;     /* of eo_known */
  char *arena;
  uint64_t noted; /* the newest saved state when its memory was last noted (undo.c) */
  /* Set before use. */
  uint64_t print[2];
  eo_message received; /* what a finished receive hands over, or its predicate looks at; data is in its arena */
  eo_op exit_op;       /* pending operation of a process that a signal ends: nothing else can happen to it */
  char op_name[64];    /* copy of the name in its pending operation */
  eo_control control;  /* how it computes, while it does not run; only in executions in which one has changed that */
  const struct eo_note *first_note; /* while going back: of those to be put back (undo.c) */
} eo_process;

typedef EO_VEC(uint32_t) eo_process_numbers;

/* What is known of a logical id, for the whole run. */
typedef struct eo_known {
  char *name;     /* "P1.2" */
  uint32_t *path; /* {1, 2} */
  uint32_t length;
  uint32_t slot;                     /* 0: a courier */
  uint64_t key;                      /* stands for the id in fingerprints: the same in every worker */
  uint64_t ended[2];                 /* and for the process when it has ended */
  uint64_t code;                     /* sentinel bit and Elias delta codes of the path; 0: too long */
  eo_process_numbers children;       /* numbers by child index - 1; EO_NO_PROCESS: not known yet */
  eo_process_numbers specifications; /* the same for those it has made */
  eo_process_numbers couriers;       /* and sent off */
  uint32_t objects[3];               /* its own: life, name, traps; number + 1, or 0: not known yet */
  EO_VEC(uint32_t) messages;         /* numbers of the messages it sends, by nth - 1 */
  eo_process *process;
} eo_known;

enum { EO_POOL_CLASSES = 64 };

/* What an execution changes, beside the processes and the pool. */
typedef struct eo_world {
  size_t pool_used;
  void *pool_free[EO_POOL_CLASSES];
  eo_society society;
  eo_name *names;       /* of that */
  eo_courier *couriers; /* newest first */
  uint32_t steps;
  uint32_t alive;
  eo_faults_taken faults;
  bool stuck;         /* a process has failed, and stays where it is */
  bool taking;        /* what a receive takes is chosen: EO_CHOICE_TAKE */
  bool clocked;       /* and that depends on what happened before what */
  bool addresses_out; /* of a process's memory: others may write there */
  bool lean;          /* dead parts of stacks are zeroed before their processes run, and not saved */
  size_t heaps;       /* bytes of all heaps together */
  uint64_t observed;  /* bit tag % 64 of each tag that a specification observes */
  uint32_t hot;       /* specifications in a hot state */
  uint32_t path;      /* how much of eo_actor.path there is (lasso.c), */
  uint32_t drawn;     /* where on it the last fair choice led to, from 1; 0: there was none */
  uint32_t looked;    /* and how long it was when it was last looked through for what fair choices chose; */
  uint32_t busy;      /* where on it somebody could last go on, if timeouts are idle, but for these */
  /* Bits, of the first 64 of eo_actor.live: who has choices, who stands at a receive, who may have no `print`. */
  uint64_t able, receiving, stale;
  uint64_t prints[2]; /* the sum of those that there are, and of what stands for those that have ended */
  uint64_t heard[2];  /* of accesses to eo_actor.places, as a hash: what the state is beside memory (sharing.c) */
  uint64_t history;   /* a hash of the choices so far; only if `lean` */
} eo_world;

typedef enum eo_asked_kind { EO_ASKED_NOTHING, EO_ASKED_SPECIFY, EO_ASKED_ANNOUNCE } eo_asked_kind;

/* What the running process wants of the engine, in the middle of its step. */
typedef struct eo_asked {
  eo_asked_kind what;
  int tag;
  const eo_place *place;
  const eo_machine *machine;
  eo_function function;
  const void *bytes;
  size_t size;
} eo_asked;

/* Where the message of a number went in this execution; there is one exactly if its sender has sent so many. */
typedef struct eo_letter {
  eo_mail *mail; /* only if eo_world.taking */
  uint32_t to;
  int tag;
  bool apart; /* as of eo_sent */
} eo_letter;

/* Whose message a number is: the same in all executions of a run. */
typedef struct eo_sender {
  uint32_t from, nth;
} eo_sender;

/* What steps can have in common (core/society.h), for the whole run. */
typedef struct eo_object {
  eo_object_kind kind;
  uint32_t a, b;
  char *text;    /* of a name */
  uint32_t next; /* of the same bucket, its index + 1 */
} eo_object;

/* A deed as it is kept (foresee.c): processes by their numbers, and a name that stays. */
typedef struct eo_noted {
  eo_deed deed;                  /* without citizens */
  uint32_t process, other, from; /* who; EO_NO_PROCESS: nothing was noted. To whom, and whose, or EO_NO_PROCESS */
} eo_noted;

/* What restoring needs (undo.c): saved states and, between them, what was about to change since, oldest first. */
typedef struct eo_undo {
  uint64_t newest;             /* number of the newest state that needs notes; 0: there is none */
  const struct eo_note *notes; /* the newest */
  size_t used;
  /* Not part of where the log stands. */
  uint64_t last;   /* number that was given last */
  uint32_t states; /* saved and not forgotten */
  bool spoiled;    /* there was no room for a note: states that need notes cannot be restored */
  size_t cut;      /* `used` after the last save or restore */
  size_t typical;  /* bytes that a state and the notes since take, going by the last ones */
  char *log;
  size_t room;
} eo_undo;

/* States passed while a specification was hot (lasso.c), hashed by the low bits of their fingerprints. */
enum { EO_PATH_BUCKETS = 1024 };
typedef struct eo_passed {
  uint64_t print[2];
  uint32_t before; /* of the same bucket, its index + 1; 0: none */
  uint32_t mark;   /* of the step that led here (eo_states.mark) */
  uint32_t values; /* that step was a fair choice among so many; 0: it was none */
} eo_passed;
typedef struct eo_path {
  uint32_t buckets[EO_PATH_BUCKETS]; /* index + 1 of the last */
  EO_VEC(eo_passed) passed;
  struct eo_drawn *drawn; /* room of lasso.c */
  size_t drawn_room;
  eo_heat heat;    /* the last step, */
  uint32_t values; /* a fair choice among so many, or 0, */
  bool was_hot;    /* from a state in which a specification was hot */
} eo_path;

enum { EO_HINTS_MOST = 64 }; /* in one step */

enum { EO__MOST_MET = 1024 };

typedef struct eo_actor {
  eo_subject base;
  eo_actor_options options;
  eo_fiber engine; /* where the running process returns to */
  void *engine_fake_stack;
  const char *engine_stack;
  size_t engine_stack_size;
  eo_process *running; /* whose code runs now; NULL: the engine's */
  uint64_t *pulse;     /* goes up when a process begins to run and when it leaves: odd while it runs; never goes back */
  uint64_t own_pulse;
  int *error_number; /* &errno, looked up once */
  bool failed;
  bool handling; /* a signal handler of ours runs: memory is the tool's */
  bool describing;
  struct {
    char *text; /* NULL: nobody asks */
    size_t size;
    int tag;
  } naming;           /* an event, by the machine that runs now (words.c) */
  unsigned chosen_of; /* of a choose, how many values it has; 0: false and true; while describing */
  int was_state;      /* of the machine that takes the step, before it; -1: it is none; while describing */
  char seen[400];     /* what else is to be told of this step; while describing */
  uint32_t halt;      /* the step before which a debugger wants to see the process that runs now; 0: none does */
  uint32_t changed;   /* outside: bits of eo_outside_change */
  uint32_t round;     /* resets and restores so far: what this execution changes, it changes in this one */
  uint32_t failing;   /* number of the process whose code failed; EO_NO_PROCESS: nobody's */
  bool sanitized;
  eo_control control;       /* how the engine computes, and processes do until one changes it */
  bool apart;               /* a switch to a process has more to do: sanitized, refusing, or outside_thread.c */
  bool refusing;            /* and fails instead: the step ends workers */
  bool refused;             /* a process has asked for more memory than there is room for in an arena */
  bool remains;             /* a process has looked at a file that an execution before has changed (outside_files.c) */
  bool uncaptured;          /* a process has allocated memory that we cannot bring back */
  bool unwatched;           /* system calls should be trapped, and cannot be */
  bool can_fault;           /* in some execution so far there was a fault point */
  bool receives_choose;     /* as of the next reset */
  bool wild;                /* the failure does not follow from what came before it in its trace */
  bool unnoted;             /* there was no memory to note a deed */
  bool audit;               /* as of the next reset (eo_auditing.audit); */
  bool auditing;            /* since the last one */
  bool front;               /* audited: nothing lies before messages and arguments, instead of behind them (bounds.c) */
  bool placed;              /* audited: there was one in this execution */
  bool finished;            /* the last execution that was not audited has come to its end */
  bool met_late;            /* the memory of `places` became known after states had been left as seen (sharing.c) */
  uint64_t executions;      /* so far, without audits */
  EO_VEC(uintptr_t) places; /* of memory at which processes have met in order; never fewer */
  bool suspected;           /* the execution has shown sharing that an audit must confirm */
  bool pool_is_full;        /* the society got no block in this step */
  bool specified_late;      /* in some execution, a specification began when there were other processes */
  bool told;                /* a specification, in this step, by eo_announce or eo_specify */
  const eo_process *answered; /* stands in eo_announce or eo_specify, and at no door; NULL: nobody does */
  uint64_t audit_due;         /* when the pulse is so far, another execution is audited */
  uint64_t audit_from;        /* the pulse when the audit began */
  uint64_t
      met[EO__MOST_MET]; /* meetings in order whose execution was audited, as hashes; 0: a free place. Never fewer */
  size_t shared;         /* ranges that were declared by eo_shared before anything ran */
  uint64_t audits;       /* so far */
  bool printed;          /* `print` is the fingerprint of the state as it is */
  uint32_t overflow_slots;
  eo_failure failure;
  eo_failure later; /* of the step under way, unless it fails otherwise (eo__bounds_later); of no kind: none */
  eo_asked asked;
  struct {
    int tag;
    uint32_t from, to; /* EO_NO_PROCESS: it is announced */
  } observed;          /* by the specification that runs */
  eo_world world;
  char *pool;
  eo_undo undo;
  EO_VEC(eo_process *) live; /* of this execution, ended ones included, in logical-id order */
  EO_VEC(eo_choice) choices;
  EO_VEC(eo_known) known;
  EO_VEC(eo_process *) by_number;
  EO_VEC(eo_sender) senders; /* by message number - 1 */
  EO_VEC(eo_letter) letters; /* by message number - 1; as many as senders */
  EO_VEC(eo_object) objects;
  uint32_t *buckets; /* of objects, a power of two; index + 1 of the first */
  size_t bucket_count;
  EO_VEC(eo_touch) touches, foreseen_touches; /* of the last step, of one that was foreseen last */
  EO_VEC(uint32_t) doomed, foreseen_doomed;   /* by them */
  EO_VEC(uint32_t) foreseen_told;
  EO_VEC(uint32_t) begun;       /* couriers, by the last step */
  eo_effects effects, foreseen; /* room for those of a step, and of one that is looked at */
  EO_VEC(eo_noted) deeds;       /* foresee.c: by position */
  EO_VEC(eo_noted) foregone;    /* by process number, what it was about to do when it was doomed */
  EO_VEC(eo_hint_given) hints;  /* of the last step; has room for EO_HINTS_MOST */
  EO_VEC(char) scratch;         /* for messages and memory shown to predicates */
  eo_process *processes;        /* by slot, at a fixed address, as their addresses get onto the processes' stacks */
  uint32_t *number_of_slot;     /* number + 1; 0: unknown */
  eo_path path;
  uint64_t print[2];
  eo_capture *capture;
  eo_watch *watch;
  eo_symbols *symbols;          /* NULL until something is described */
  struct eo_tellings *tellings; /* the same */
  eo_line line;                 /* of the last step, while describing */
  eo_sharing sharing;           /* of a failure of that kind */
  /* faults.c */
  struct {
    uint32_t limit;   /* ticks */
    uint64_t overdue; /* the pulse of what takes too long; 0: none */
    /* The last step that ran for all of that time. When it is run again, to check or to describe it, it need not run for as
     * long. */
    uint32_t process;
    uint64_t step;
    uint32_t again;               /* 2: that was in the execution under way; 1: in the one before */
    uint64_t leaves;              /* the pulse of what is stepped out of the C library, to be ended then; 0: none */
    uint32_t steps, steps_before; /* it has taken so far for that, and when the watchdog last looked */
    uint32_t stuck;               /* so often it had taken none */
    const char *end;              /* of the outermost frame of the C library; NULL: not known yet */
  } watchdog;
  char *signal_stack;
} eo_actor;

extern _Thread_local eo_actor *eo__actor;

/* Memory of ours ran out. The caller goes on as well as it can: the engine ends the run. */
static inline void eo__actor_nomem(eo_actor *actor) { actor->base.error = EO_ENOMEM; }

/* Ends the execution with a failure. From a fiber, follow with eo__actor_leave. The first failure stays. */
void eo__actor_fail(eo_actor *actor, eo_kind kind, const eo_process *process, const eo_place *place, const char *format,
                    ...) __attribute__((format(printf, 5, 6)));
const char *eo__actor_name(eo_actor *actor, uint32_t number);
const char *eo__reason_name(int reason, char *out, size_t size);

/* A receive that takes every message. */
static inline bool eo__receives_any(const eo_op *op) {
  return !(op->flags & EO_OP_DEQUEUE) && !op->tags && !op->accept;
}

static inline eo_process *eo__process_of(const eo_citizen *citizen) {
  return (eo_process *)((uintptr_t)citizen - offsetof(eo_process, citizen));
}

static inline eo_actor *eo__actor_of(eo_subject *subject) { return (eo_actor *)subject; }

#endif
