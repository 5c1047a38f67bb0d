/* expand.h: all that can happen in one state, as a list of events: the states that its steps lead to, each at the end of its
 * atomic sequence, and what fails on the way. What the list says depends on the state alone, so that several threads can make
 * the lists of several states in any order, while one reads them in the order of the states (full.c). */
#ifndef EO_PROMELA_EXPAND_H
#define EO_PROMELA_EXPAND_H

#include "subjects/model/ample.h"
#include "subjects/model/cycles.h"
#include "subjects/model/full.h"
#include "subjects/model/sequence.h"

typedef enum eo__event_kind {
  EO__ARRIVES, /* steps lead to a state */
  EO__FAILS,   /* a step fails, or the property is violated whatever comes */
  EO__ENDS,    /* nothing can happen; if that is no good end, a failure comes behind */
  EO__EXPANDED /* that was all of the state that was expanded */
} eo__event_kind;

typedef struct eo__event {
  uint64_t key[2]; /* ARRIVES: the fingerprint, */
  size_t at;       /* where the bytes of the state begin in `bytes`; FAILS: the failure, in `failures` */
  size_t path;     /* where the steps begin in `steps`, if they are kept; they are for a failure */
  uint32_t size;   /* of the state */
  uint32_t steps;  /* how many lead to it */
  eo__bears bears; /* with a property */
  const eo_promela_transition *last;
  uint8_t kind;
  bool good; /* ENDS */
  bool left; /* EXPANDED: steps are left that an ample set puts off */
} eo__event;

typedef struct eo__log {
  EO_VEC(eo__event) events;
  EO_VEC(unsigned char) bytes;
  EO_VEC(eo_failure) failures;
  eo_promela_steps steps;
} eo__log;

void eo__log_clear(eo__log *log);
void eo__log_release(eo__log *log);
uint64_t eo__log_bytes(const eo__log *log); /* of memory */
uint64_t eo__log_size(const eo__log *log);  /* in use */

/* A state that waits to be expanded: this, then its bytes. */
typedef struct eo__waiting {
  uint32_t size, depth;
} eo__waiting;

/* Which of its steps: all; with a reduction those of an ample set alone, or the others. */
typedef enum eo__part { EO__PART_ALL, EO__PART_SET, EO__PART_OTHERS } eo__part;

typedef struct eo__expander {
  const eo_promela_search *search;
  eo__log *log;             /* where events go; set by the owner */
  bool keeps_steps;         /* that lead to states: as `edge` of the search needs them */
  uint64_t most_arrivals;   /* then it is enough; 0: all */
  uint64_t most_size;       /* of the log: */
  bool (*overflow)(void *); /* makes room in it, in the middle of a state; false: no memory. NULL: it is `too_large` */
  bool (*halt)(void *);     /* asked now and then: true ends it in the middle of a state. May be NULL */
  void *context;

  /* How the last state ended, if not with EO__EXPANDED. */
  bool stopped; /* there were enough arrivals, or one of these: */
  bool halted, too_large;

  eo_promela_run run;
  eo__ample ample;
  eo__sequence walk;
  eo_promela_steps path, found, scratch;
  const unsigned char *state; /* that is expanded */
  uint32_t size, depth;
  bool timeout;
  uint64_t arrivals;
  EO_VEC(const eo_promela_arc *) arcs; /* of the property, that can be taken from it */
  uint64_t marks, blocked;             /* what that state bears; processes that cannot go on there */
} eo__expander;

bool eo__expander_open(eo__expander *expander, const eo_promela_search *search); /* false: no memory */
void eo__expander_close(eo__expander *expander);
uint64_t eo__expander_bytes(const eo__expander *expander);

/* Adds what can happen in this state (an eo__waiting and its bytes) to the log. False: no memory. */
bool eo__expand(eo__expander *expander, const unsigned char *waiting, eo__part part);

#endif
