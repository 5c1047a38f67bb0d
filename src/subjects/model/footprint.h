/* footprint.h: what a transition touches, and what a process may yet touch from where it stands: for persistent sets.
 *
 * A transition counts with what follows it in its atomic sequence, as one step. Whether such a sequence goes on or lets the
 * others in depends on what its later transitions find, so that they also look at the channels they use. An `else` looks
 * at what the other transitions of its location need. What a process may yet touch includes what the processes do that it
 * may start, and those that they may start.
 *
 * A channel is known by its number where it follows from constants and _pid which variable names it, and the variable is never
 * written: a global one, or one of the process, such as a parameter, whose channel was there before the process or is its
 * own, so that it is there as long as the process. Else it may be any. */
#ifndef EO_PROMELA_FOOTPRINT_H
#define EO_PROMELA_FOOTPRINT_H

#include "subjects/model/run.h"

enum { EO__FOOT_WORDS = 4 }; /* variables by number modulo 256: two that fall together count as one, which is safe */

typedef struct eo__foot {
  uint64_t reads[EO__FOOT_WORDS], writes[EO__FOOT_WORDS];
  uint64_t sends[EO__FOOT_WORDS], receives[EO__FOOT_WORDS], looks[EO__FOOT_WORDS]; /* channels, by number - 1 */
  uint64_t
      stands[EO__FOOT_WORDS];    /* rendezvous channels that its process is ready to receive from before or after it */
  uint64_t asks[EO__FOOT_WORDS]; /* channels of which it asks whether somebody is ready to receive from them */
  uint64_t claims_receives[EO__FOOT_WORDS],
      claims_sends[EO__FOOT_WORDS]; /* channels of which xr or xs come or go with a process */
  bool sorts;                       /* a send in order of value */
  bool roams;              /* names channels by variables that may change: also one that is gone, or not there yet */
  bool makes;              /* channels come or go */
  bool runs, counts, ends; /* starts processes; asks which there are; ends */
} eo__foot;

/* Of a process: with its _pid, and its channels. */
typedef struct eo__feet_of {
  const eo_promela_proctype *proctype;
  uint64_t channels;        /* what its variables of channels hold that are never written */
  eo__foot *future;         /* by location */
  eo__foot *now;            /* by number of the transition: with the atomic sequence behind it */
  struct eo__feet_of *next; /* others with this _pid */
} eo__feet_of;

typedef struct eo__feet {
  eo__feet_of **of; /* by _pid: of the process that is there now, as eo__feet_at has found it */
  bool *assigned;   /* global variables that are written, by number */
  eo__foot *whole;  /* by proctype: all that a process of it, whatever its _pid, and those it starts may do */
  bool made;        /* `whole` */
  EO_VEC(const eo_promela_symbol *) claimed; /* local variables by which processes claim channels: others read them */
  EO_VEC(const eo_promela_symbol *) moved;   /* local variables of channels that are written */
} eo__feet;

bool eo__feet_open(eo__feet *feet, const eo_promela *model); /* false: no memory */
void eo__feet_close(eo__feet *feet);

/* Of a process where it stands. NULL: no memory. */
const eo__feet_of *eo__feet_at(eo__feet *feet, eo_promela_run *run, uint32_t process);

/* Adds what a fact of a property reads. */
void eo__feet_read(eo__feet *feet, eo_promela_run *run, const eo_promela_expr *fact, eo__foot *foot);

#endif
