/* live.h: inside of the live runtime: one world per eo_live_run, one thread and one mailbox per process.
 *
 * Every operation takes effect at one instant, as a step does under exploration: a send or receive at its mailbox, and
 * whatever touches several processes (spawn, exit, link, monitor, names) while everything else is kept out.
 *
 * Locks, in the order they are taken:
 *   1. world->lock     read: send, whereis; so that the process found stays there until the message is in its mailbox.
 *                      write: everything that changes processes, links, monitors, names or an exit signal.
 *   2. mailbox.lock    the incoming messages of one process. A thread never holds two of them, and never calls the
 *                      program or blocks while holding one, but to wait for its own mailbox.
 *   world->ended_lock  the list of threads to join. Taken alone, or inside a mailbox's by a machine that begins to rest.
 *   world->observers_lock  specifications. Taken inside world->lock or alone; the specification runs while it is held,
 *                      which is why it can do no operations.
 * A receive takes its own mailbox's lock only, so a process that waits keeps nobody out.
 *
 * An end waits for nobody. A thread that stops puts its process into world->ending; whoever can have world->lock for writing
 * without waiting, or else whoever releases it, carries out all ends that are there. If each thread waited for the lock, ten
 * thousand that end together would be handed it one by one, each after a switch, and the kernel looks for whom to wake up among
 * all that wait: ends would take quadratic time. */
#ifndef EO_LIVE_LIVE_H
#define EO_LIVE_LIVE_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/rng.h"
#include "base/vec.h"
#include "core/program.h"
#include "core/society.h"

typedef struct eo_live_message eo_live_message;
typedef struct eo_live_mailbox eo_live_mailbox;
typedef struct eo_live_process eo_live_process;
typedef struct eo_live_world eo_live_world;

struct eo_live_message {
  eo_live_message *next;
  eo_pid from;
  size_t size;
  int tag;
  _Alignas(max_align_t) char data[];
};

/* Senders append to `incoming`; the owner moves all of it to the end of `kept`, which is its own, and looks there. So
 * predicates run without a lock, and a burst of messages costs the receiver one lock. Invariants: everything in `kept`
 * is older than everything in `incoming`; `last` points at the NULL that ends `incoming`; `killed` is set once, with
 * world->lock held for writing, and kill_reason before it. */
struct eo_live_mailbox {
  pthread_mutex_t lock;
  sem_t wakeup; /* not a condition variable: its waiter's next unlock has the kernel look through all that wait */
  eo_live_message *incoming;
  eo_live_message **last;
  bool waiting; /* the owner waits for a message: the next one must wake it up */
  bool resting; /* and is a machine between events: until that one it does not count as active */
  atomic_bool killed;
  int kill_reason;
  eo_live_message *kept;
  eo_live_message *held; /* the message received last; the program may still read it */
};

/* Reachable from others (tables, links, monitors) until eo__live_end, afterwards only by eo_live_run, which joins the
 * thread and frees it. */
struct eo_live_process {
  eo_live_world *world;
  eo_pid pid;
  eo_live_mailbox mailbox;

  /* Guarded by world->lock. */
  eo_live_process *next_by_pid;
  eo_citizen citizen;

  /* The thread's own. */
  eo_function function;
  void *argument;
  bool argument_owned;
  uint64_t monitor_count;
  eo_rng rng;
  const eo_place *place;         /* of the last operation */
  const eo_machine *observing;   /* the specification that runs on its thread; NULL: none */
  bool looking;                  /* a predicate of its runs */
  const eo_machine_now *machine; /* NULL: it is none */
  const char *barred;            /* why an operation would be misuse now; NULL: it would not */
  bool leaving;                  /* on its way out: cleanups and destructors run */
  bool exits;                    /* leaving by its own eo_exit, which an exit signal may still overtake */
  int reason;                    /* with which it leaves */

  /* Once it has ended: of whoever took it off the list in which it is. */
  pthread_t thread;
  eo_live_process *next_ended;
  bool unhandled; /* its end was not normal, and reached nobody */
};

/* A specification. */
typedef struct eo_live_observer {
  const eo_machine *machine;
  void *room; /* core/machine.h */
} eo_live_observer;

/* Those that have not ended. The table by pid and that of the society's names have `buckets` chains, a power of two. */
struct eo_live_world {
  pthread_rwlock_t lock;
  eo_society society;
  eo_citizen ended;   /* stands for all that have */
  eo_effects effects; /* room for those of an operation */
  eo_live_process **by_pid;
  size_t buckets;
  size_t count;
  eo_pid last_pid; /* pids are 1 to last_pid: a greater one never was a process */

  uint64_t seed;
  struct timespec start;

  /* Specifications. */
  pthread_mutex_t observers_lock;
  EO_VEC(eo_live_observer) observers;
  atomic_bool observed; /* there are some */

  atomic_size_t threads; /* started and not joined */
  atomic_size_t active; /* processes that have not ended and are no machines that rest. Whoever makes another one active
                          * is active itself, so 0 is final. */
  _Atomic(eo_live_process *) ending; /* threads that have stopped, newest first: their ends are to be carried out */
  pthread_mutex_t ended_lock;
  pthread_cond_t ended_wakeup;
  eo_live_process *to_join;
  int first_reason; /* P1's */
};

/* ---- live_mailbox.c: one process and its messages -------------------------------------------------------------- */

typedef enum eo_live_wait { EO_LIVE_RECEIVED, EO_LIVE_TIMED_OUT, EO_LIVE_KILLED } eo_live_wait;

bool eo__live_mailbox_init(eo_live_mailbox *mailbox);
void eo__live_mailbox_release(eo_live_mailbox *mailbox);

/* NULL: no memory. */
eo_live_message *eo__live_message_open(eo_pid from, int tag, const void *data, size_t size);

/* The caller holds world->lock, for reading at least, and found the owner in the table. Takes the message over. */
void eo__live_mailbox_put(eo_live_world *world, eo_live_mailbox *mailbox, eo_live_message *message);

/* An exit signal: the owner is to leave with this reason, now if it waits, else at its next operation. The first one
 * counts. The caller holds world->lock for writing. */
void eo__live_mailbox_kill(eo_live_world *world, eo_live_mailbox *mailbox, int reason);

static inline bool eo__live_killed(const eo_live_process *process) {
  return atomic_load_explicit(&process->mailbox.killed, memory_order_acquire);
}

/* By the owner. */
eo_live_wait eo__live_receive(eo_live_process *self, const eo_op *op);
eo_live_wait eo__live_sleep(eo_live_process *self, int64_t milliseconds);
void eo__live_flush(eo_live_process *self, eo_ref ref);

/* ---- live_world.c: how processes know each other. Callers hold world->lock for writing; for a find, reading ------ */

bool eo__live_world_init(eo_live_world *world);
void eo__live_world_release(eo_live_world *world);

/* Not in the world yet, so without a lock. Copies `size` bytes of argument. NULL: no memory. */
eo_live_process *eo__live_process_open(eo_live_world *world, eo_function function, const void *argument, size_t size);
void eo__live_process_close(eo_live_process *process);

/* False: no memory. */
bool eo__live_add(eo_live_process *process);
eo_live_process *eo__live_find(const eo_live_world *world, eo_pid pid);
eo_live_process *eo__live_find_name(const eo_live_world *world, const char *name);

/* The process does what this operation says of links, monitors, names or its end: signals are sent, op->result and op->ref
 * set. `other` is the child of a spawn, else NULL. False: no memory. The effects are there until the lock is released. */
bool eo__live_act(eo_live_process *self, eo_op *op, eo_live_process *other);

/* Is this a ref that the process ever got? */
bool eo__live_has_ref(const eo_live_process *self, eo_ref ref);

/* The process sends or announces this, or ends: whoever observes it reacts. The lock is not needed. */
void eo__live_observe(eo_live_process *self, const eo_message *event);
void eo__live_observing(eo_live_process *self, const eo_machine *machine);

typedef enum eo_live_end { EO_LIVE_END, EO_LIVE_END_UNHANDLED, EO_LIVE_END_NO_MEMORY } eo_live_end;

/* Takes the process out of the world and tells those linked to it and those who monitor it. Unhandled: an abnormal reason that reached nobody. */
eo_live_end eo__live_end(eo_live_process *process);

#endif
