/* related_inside.h: what the files of related.h share: messages and who takes them (related_letters.c), what a process can
 * do and its steps (related.c), beginning, saving and the way back to plain choices (related_life.c). */
#ifndef EO_MODEL_RELATED_INSIDE_H
#define EO_MODEL_RELATED_INSIDE_H

#include <setjmp.h>

#include "base/vec.h"
#include "core/program.h"
#include "subjects/model/related.h"
#include "subjects/model/starting.h"

typedef EO_VEC(uint32_t) eo__numbers;

/* A receive transition at a door: what it accepts. */
typedef struct eo__pattern {
  uint32_t transition, channel;
  uint32_t first, count; /* in `wanted` */
} eo__pattern;

typedef struct eo__wanted {
  bool any;
  int32_t value;
} eo__wanted;

typedef struct eo__door {
  uint32_t first, count; /* in `patterns` */
} eo__door;

typedef enum eo__phase {
  EO__STANDS,  /* at its location */
  EO__TOOK,    /* a message that several transitions accept */
  EO__LEFT,    /* a door, without a message */
  EO__DECIDED, /* which transition it takes */
  EO__STUCK    /* a step of it has failed: it takes no more */
} eo__phase;

/* What is known of a process of the execution under way. */
typedef struct eo__seat {
  eo__phase phase;
  uint32_t message;    /* EO__TOOK */
  uint32_t transition; /* EO__DECIDED */
  uint32_t sent;
  bool at_door; /* what it can do where it stands is known; the last of its doors is there, if `waited` */
  bool waited;  /* it could receive there */
  EO_VEC(eo__door) doors;
  eo__numbers ways; /* transitions that it can take beside receiving */
} eo__seat;

typedef struct eo__sender {
  uint32_t from, nth;
} eo__sender;

/* A message of the execution under way. */
typedef struct eo__letter {
  uint32_t to, channel;
  uint32_t first; /* field, in `fields` */
} eo__letter;

struct eo_related {
  eo_promela_run *run;
  jmp_buf full; /* where to go when there is no memory */
  const eo_promela *model;
  bool *written;                                 /* by number of the global symbol */
  const eo_promela_proctype **receives_from;     /* by the same: who receives; NULL: nobody */
  EO_VEC(struct { eo__numbers list; }) messages; /* by process: numbers of its messages */
  EO_VEC(eo__sender) senders;                    /* by number of the message - 1 */
  EO_VEC(eo__letter) letters;
  EO_VEC(int32_t) fields;
  EO_VEC(eo__pattern) patterns;
  EO_VEC(eo__wanted) wanted;
  uint32_t receiver[EO_PROMELA_MOST_CHANNELS + 1]; /* process; EO_NO_PROCESS: none */
  eo__numbers held[EO_PROMELA_MOST_CHANNELS + 1];  /* by slot: the number of the message there */
  eo__seat seats[EO_PROMELA_MOST_PROCESSES + 1];   /* by _pid */
  EO_VEC(eo_touch) touches;
  EO_VEC(eo_choice) choices, plain;
  EO_VEC(unsigned char) before; /* what was in a port before a send; the state before a step that may fail */
  eo_promela_steps steps;
  EO_VEC(eo_choice) acted; /* the plain choices that the last step was */
  eo__starting starting;
  EO_VEC(eo_choice) started; /* its steps, as plain choices */
  eo__numbers first;         /* processes that are there then */
};

/* There is no memory: leaves the function of related.h that was called last, which must have called setjmp(r->full). Only the
 * run's no_memory means anything then. */
_Noreturn void eo__related_out_of_memory(eo_related *r);
#define EO__PUSH(list, item) (eo_vec_push(list, item) ? (void)0 : eo__related_out_of_memory(r))

static inline uint32_t eo__related_process(const eo_related *r, uint32_t pid) {
  return pid * r->model->proctype_count + eo__promela_process(r->run, pid)->number;
}

static inline uint32_t eo__related_pid(const eo_related *r, uint32_t process) {
  return process / r->model->proctype_count;
}

static inline const eo_promela_location *eo__related_location(const eo_related *r, uint32_t pid) {
  return &eo__promela_process(r->run, pid)->locations[eo__promela_location_of(r->run, pid)];
}

/* ---- Messages (related_letters.c) ------------------------------------------------------------------------------------ */

bool eo__letter_fits(const eo_related *r, const eo__pattern *p, uint32_t message);
void eo__letter_ahead(eo_related *r, uint32_t channel); /* before a send: what is in the port */
void eo__letter_sent(eo_related *r, uint32_t channel, uint32_t pid, eo_event *event);
void eo__letter_taken(eo_related *r, uint32_t channel, uint32_t slot);
uint32_t eo__letter_slot(const eo_related *r, uint32_t message);
uint32_t eo__letter_number(eo_related *r, uint32_t from, uint32_t nth); /* of a process's nth message */

#endif
