/* run.h: a state of a model, the steps from it, and taking them. What strategies for models build on, with model.h.
 *
 * A state is a vector of bytes (state, size): the head, the globals, then processes and channels in the order in which
 * they came to be. Nothing else: copying the bytes saves it, eo__promela_load goes back to it, equal bytes are equal states.
 *
 *   head       number of processes, number of channels, 1 + the process that has the floor (0: nobody), the location of the
 *              trace (0 if there is none), then the location of
 *              the property that is looked at (16 bits; 0 if there is none)
 *   process    proctype (16 bits), location (16 bits), its variables
 *   channel    0x8000 | number of its type (16 bits), messages in it (16 bits), the messages
 *
 * As in pan: a process in an atomic sequence has the floor, until it cannot go on; `else` is taken when no transition
 * before it at its location can be; `timeout` is true when nothing else can happen; a rendezvous is one step of the
 * sender, which names the receiver's transition; only the youngest process can end, and takes its channels with it. */
#ifndef EO_PROMELA_RUN_H
#define EO_PROMELA_RUN_H

#include "base/vec.h"
#include "core/finding.h"
#include "core/view.h"
#include "subjects/model/model.h"

enum {
  EO_PROMELA_MOST_PROCESSES = 255,
  EO_PROMELA_MOST_CHANNELS = 255,
  EO_PROMELA_TRACE_AT = 3,
  EO_PROMELA_CLAIM_AT = 4,
  EO_PROMELA_GLOBALS_AT = 6,
  EO_PROMELA_HEAD = 4
};
#define EO_PROMELA_NOBODY UINT32_MAX

/* One step: transition number `transition` of the list at the process's location. */
typedef struct eo_promela_step {
  uint16_t process; /* _pid */
  uint16_t transition;
  uint16_t receiver;            /* of a rendezvous: the other process; else EO_PROMELA_NO_RECEIVER */
  uint16_t receiver_transition; /* of the list at its location; of a receive from a port: which message, from 0 */
} eo_promela_step;
#define EO_PROMELA_NO_RECEIVER UINT16_MAX

typedef EO_VEC(eo_promela_step) eo_promela_steps;

typedef struct eo_promela_run {
  const eo_promela *model;
  eo_delivery delivery; /* EO_DELIVERY_MAILBOX: channels as in Promela; else ports (ports.h); set before the start */
  uint32_t slot;        /* which message the receive under way takes, from a port */
  unsigned char *state;
  size_t size, capacity;
  uint32_t process_at[EO_PROMELA_MOST_PROCESSES + 1]; /* where processes and channels begin; follows from the state */
  uint32_t channel_at[EO_PROMELA_MOST_CHANNELS + 1];
  bool timeout;     /* what timeout is now */
  bool failed;      /* something went wrong; see failure */
  bool asserted;    /* an assertion of the step under way does not hold; what else goes wrong in it is told instead */
  bool no_memory;   /* that was it */
  bool halted;      /* `watch` ended a step half way; the state is undefined */
  uint64_t work;    /* done so far, in units of about equal time: transitions asked, statements done, bytes copied */
  uint64_t look_at; /* when to ask `watch` again */
  bool (*watch)(void *watcher); /* asked now and then, in long steps too: true ends what is under way. May be NULL */
  void *watcher;
  eo_failure failure; /* of the last step, the first thing that went wrong */
  uint32_t who;       /* the process whose expressions are evaluated */
  const eo_promela_transition *doing;
  const eo_promela_symbol *declaring; /* whose initial values are evaluated; NULL: none */
} eo_promela_run;

/* Is it time to end what is under way? Looks at `watch` every few thousand units of work, so that what it looks at, such as
 * the clock, is seen by time and not by states, however long the steps are. */
static inline bool eo_promela_halts(eo_promela_run *run) {
  enum { LOOK_EVERY = 4096 };
  if (run->work < run->look_at || !run->watch) return false;
  run->look_at = run->work + LOOK_EVERY;
  return run->watch(run->watcher);
}

/* init: false: no memory. start: the initial state; false: no memory, or an initialiser failed: see failure. */
bool eo__promela_run_init(eo_promela_run *run, const eo_promela *model);
void eo__promela_run_release(eo_promela_run *run);
bool eo__promela_run_start(eo_promela_run *run);
bool eo__promela_load(eo_promela_run *run, const unsigned char *state, size_t size);

/* Every step from here; in order of process, then transition. Looks after the floor: when the process that has it
 * cannot go on, all others can. A step whose guard fails is listed: taking it tells. False: no memory. */
bool eo__promela_enabled(eo_promela_run *run, eo_promela_steps *steps);

/* Only those of one process, whoever has the floor; without the steps that need timeout. */
bool eo__promela_enabled_of(eo_promela_run *run, uint32_t process, eo_promela_steps *steps);

/* Can channels be ports: has each one receiving process? The error says which has not. */
int eo__promela_check_ports(const eo_promela *model, eo_error *error);

/* Takes a step that is enabled here. False: see failure; if it passes all the same, since it is an assertion that does not
 * hold, the state is the one behind it, else it is undefined. */
bool eo__promela_apply(eo_promela_run *run, eo_promela_step step);
static inline bool eo_promela_passes(const eo_promela_run *run) {
  return !run->no_memory && !run->halted && run->failure.kind == EO_KIND_ASSERTION;
}

/* Nothing can happen: is that a valid end (all processes at their ends or at end labels)? */
bool eo__promela_ended_well(const eo_promela_run *run);
void eo__promela_dead_end(const eo_promela_run *run, eo_failure *failure); /* and if not: who stands where */

static inline uint32_t eo_promela_processes(const eo_promela_run *run) { return run->state[0]; }
static inline uint32_t eo_promela_channels(const eo_promela_run *run) { return run->state[1]; }
uint32_t eo__promela_floor(const eo_promela_run *run); /* EO_PROMELA_NOBODY */
void eo__promela_yield(eo_promela_run *run);           /* nobody has the floor */
const eo_promela_proctype *eo__promela_process(const eo_promela_run *run, uint32_t process);
uint32_t eo__promela_location_of(const eo_promela_run *run, uint32_t process);
const eo_promela_transition *eo__promela_transition_of(const eo_promela_run *run, uint32_t process,
                                                       uint32_t transition);
void eo__promela_fingerprint(const eo_promela_run *run, uint64_t hash[2]);

/* Channels are numbered from 1, as in variables; 0 is none. */
const eo_promela_queue *eo__promela_channel(const eo_promela_run *run, uint32_t channel);
uint32_t eo__promela_channel_length(const eo_promela_run *run, uint32_t channel);
int32_t eo__promela_channel_field(const eo_promela_run *run, uint32_t channel, uint32_t slot, uint32_t field);

/* The channel that a send or receive of this process means now; 0: none, or it cannot be said. */
uint32_t eo__promela_channel_meant(eo_promela_run *run, uint32_t process, const eo_promela_transition *t);
int32_t eo__promela_evaluate(eo_promela_run *run, uint32_t process, const eo_promela_expr *e);

/* ---- Between the files of the interpreter -------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) void eo__promela_fail(eo_promela_run *run, eo_kind kind, const char *format, ...);
void eo__promela_no_memory(eo_promela_run *run);
bool eo__promela_reserve(eo_promela_run *run, uint32_t bytes); /* room for so many more */
uint32_t eo__promela_add_process(eo_promela_run *run, uint32_t proctype, const int32_t *arguments);
void eo__promela_end_process(eo_promela_run *run);
uint32_t eo__promela_rank(const eo_promela_run *run, uint32_t process); /* its priority, where there are some */
void eo__promela_set_rank(eo_promela_run *run, uint32_t process, uint32_t rank);
int32_t eo__promela_cell_read(eo_promela_cell cell, const unsigned char *at);
void eo__promela_write(eo_promela_cell cell, unsigned char *at, int32_t value);
unsigned char *eo__promela_place(eo_promela_run *run, const eo_promela_ref *ref); /* NULL: an index failed */
int32_t eo__promela_value(eo_promela_run *run, const eo_promela_expr *e);
bool eo__promela_matches(eo_promela_run *run, const eo_promela_message *m, uint32_t channel, uint32_t slot);
/* The slot of the message that a receive would take; UINT32_MAX: none. */
uint32_t eo__promela_match(eo_promela_run *run, const eo_promela_message *m, uint32_t channel);
void eo__promela_put(eo_promela_run *run, const eo_promela_message *m, uint32_t channel);
void eo__promela_get(eo_promela_run *run, const eo_promela_message *m, uint32_t channel, uint32_t slot);

#endif
