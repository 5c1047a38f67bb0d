/* run.h: a state of a model, the steps from it, and taking them. What strategies for models build on, with model.h.
 *
 * A state is a vector of bytes (state, size): the head, the globals, then processes and channels in the order in which
 * they came to be. Nothing else: copying the bytes saves it, eo_model_load goes back to it, equal bytes are equal states.
 *
 *   head       number of processes, number of channels, 1 + the process that has the floor (0: nobody), 0
 *   process    proctype (16 bits), location (16 bits), its variables
 *   channel    0x8000 | number of its type (16 bits), messages in it (16 bits), the messages
 *
 * As in pan: a process in an atomic sequence has the floor, until it cannot go on; `else` is taken when no transition
 * before it at its location can be; `timeout` is true when nothing else can happen; a rendezvous is one step of the
 * sender, which names the receiver's transition; only the youngest process can end, and takes its channels with it. */
#ifndef EO_MODEL_RUN_H
#define EO_MODEL_RUN_H

#include "base/vec.h"
#include "core/finding.h"
#include "subjects/model/model.h"

enum { EO_MODEL_MOST_PROCESSES = 255, EO_MODEL_MOST_CHANNELS = 255, EO_MODEL_GLOBALS_AT = 4, EO_MODEL_HEAD = 4 };
#define EO_MODEL_NOBODY UINT32_MAX

/* One step: transition number `transition` of the list at the process's location. */
typedef struct eo_model_step {
  uint16_t process; /* _pid */
  uint16_t transition;
  uint16_t receiver;            /* of a rendezvous: the other process; else EO_MODEL_NO_RECEIVER */
  uint16_t receiver_transition; /* of the list at its location */
} eo_model_step;
#define EO_MODEL_NO_RECEIVER UINT16_MAX

typedef EO_VEC(eo_model_step) eo_model_steps;

typedef struct eo_model_run {
  const eo_model *model;
  unsigned char *state;
  size_t size, capacity;
  uint32_t process_at[EO_MODEL_MOST_PROCESSES + 1]; /* where processes and channels begin; follows from the state */
  uint32_t channel_at[EO_MODEL_MOST_CHANNELS + 1];
  bool timeout;       /* what timeout is now */
  bool failed;        /* something went wrong; see failure */
  bool no_memory;     /* that was it */
  eo_failure failure; /* of the last step, the first thing that went wrong */
  uint32_t who;       /* the process whose expressions are evaluated */
  const eo_model_transition *doing;
} eo_model_run;

/* The initial state. False: no memory, or an initialiser failed: see failure. */
bool eo_model_run_init(eo_model_run *run, const eo_model *model);
void eo_model_run_release(eo_model_run *run);
bool eo_model_run_start(eo_model_run *run);
bool eo_model_load(eo_model_run *run, const unsigned char *state, size_t size);

/* Every step from here; in order of process, then transition. Looks after the floor: when the process that has it
 * cannot go on, all others can. A step whose guard fails is listed: taking it tells. False: no memory. */
bool eo_model_enabled(eo_model_run *run, eo_model_steps *steps);

/* Only those of one process, whoever has the floor; without the steps that need timeout. */
bool eo_model_enabled_of(eo_model_run *run, uint32_t process, eo_model_steps *steps);

/* Takes a step that is enabled here. False: see failure; after an assertion that does not hold the state is the one
 * behind it, else it is undefined. */
bool eo_model_apply(eo_model_run *run, eo_model_step step);

/* Nothing can happen: is that a valid end (all processes at their ends or at end labels)? */
bool eo_model_ended_well(const eo_model_run *run);

static inline uint32_t eo_model_processes(const eo_model_run *run) { return run->state[0]; }
static inline uint32_t eo_model_channels(const eo_model_run *run) { return run->state[1]; }
uint32_t eo_model_floor(const eo_model_run *run); /* EO_MODEL_NOBODY */
void eo_model_yield(eo_model_run *run);           /* nobody has the floor */
const eo_model_proctype *eo_model_process(const eo_model_run *run, uint32_t process);
uint32_t eo_model_location_of(const eo_model_run *run, uint32_t process);
const eo_model_transition *eo_model_transition_of(const eo_model_run *run, uint32_t process, uint32_t transition);
void eo_model_fingerprint(const eo_model_run *run, uint64_t hash[2]);

/* Channels are numbered from 1, as in variables; 0 is none. */
const eo_model_queue *eo_model_channel(const eo_model_run *run, uint32_t channel);
uint32_t eo_model_channel_length(const eo_model_run *run, uint32_t channel);
int32_t eo_model_channel_field(const eo_model_run *run, uint32_t channel, uint32_t slot, uint32_t field);

/* The channel that a send or receive of this process means now; 0: none, or it cannot be said. */
uint32_t eo_model_channel_meant(eo_model_run *run, uint32_t process, const eo_model_transition *t);
int32_t eo_model_evaluate(eo_model_run *run, uint32_t process, const eo_model_expr *e);

/* ---- Between the files of the interpreter -------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) void eo__model_fail(eo_model_run *run, eo_kind kind, const char *format, ...);
uint32_t eo__model_add_process(eo_model_run *run, uint32_t proctype, const int32_t *arguments);
void eo__model_end_process(eo_model_run *run);
int32_t eo__model_read(eo_model_cell cell, const unsigned char *at);
void eo__model_write(eo_model_cell cell, unsigned char *at, int32_t value);
unsigned char *eo__model_place(eo_model_run *run, const eo_model_ref *ref); /* NULL: an index failed */
int32_t eo__model_value(eo_model_run *run, const eo_model_expr *e);
/* The slot of the message that a receive would take; UINT32_MAX: none. */
uint32_t eo__model_match(eo_model_run *run, const eo_model_message *m, uint32_t channel);
void eo__model_put(eo_model_run *run, const eo_model_message *m, uint32_t channel);
void eo__model_get(eo_model_run *run, const eo_model_message *m, uint32_t channel, uint32_t slot);

#endif
