/* actor.h: C programs of processes (everyorder.h) as a subject. */
#ifndef EO_ACTOR_H
#define EO_ACTOR_H

#include <everyorder.h>

#include "core/faults.h"
#include "core/subject.h"

typedef struct eo_actor_options {
  eo_function function; /* runs as P1 */
  void *argument;
  bool timeouts_idle;
  eo_fault_budget faults; /* that an execution may have */
  bool leaks;
  bool abnormal_fails; /* every exit that is not normal is a failure */
  double watchdog;     /* seconds one step may take */
  /* For whoever looks from outside; all may be NULL. */
  uint64_t *pulse;           /* goes up when code of the program begins to run, and when it ends */
  const volatile int *hurry; /* set: what runs is not told, and a step that takes a moment is given up */
  volatile int *gave_up;     /* set when that was so; goes with `hurry` */
  eo_delivery delivery;
  bool fingerprints; /* they will be asked for: from the start on, stacks are kept free of what is dead */
  bool alone;        /* and nobody else adds to the same states; goes with `fingerprints` */
  bool confined;     /* system calls of the program are trapped, for as long as this OS process lives */
  size_t undo_log;   /* bytes for saved states and what is needed to go back to them; 0: plenty */
} eo_actor_options;

/* Only one actor subject can be open in a process: it takes over signals and memory. NULL: see error. */
eo_subject *eo__actor_open(const eo_actor_options *options, eo_error *error);

#endif
