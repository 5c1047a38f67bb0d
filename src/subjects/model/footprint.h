/* footprint.h: what a transition touches, and what a process may yet touch from where it stands: for persistent sets.
 *
 * A transition counts with what follows it in its atomic sequence, as one step. Whether such a sequence goes on or lets the
 * others in depends on what its later transitions find, so that they also look at the channels they use. An `else` looks
 * at what the other transitions of its location need. What a process may yet touch includes what the processes do that it
 * may start, and those that they may start.
 *
 * A channel is known by its number where it follows from constants and _pid which one a global variable names, and the
 * variable is never written; else it may be any. */
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
  bool sorts;                    /* a send in order of value */
  bool roams;              /* names channels by variables that may change: also one that is gone, or not there yet */
  bool makes;              /* channels come or go */
  bool runs, counts, ends; /* starts processes; asks which there are; ends */
} eo__foot;

typedef struct eo__feet {
  struct eo__feet_of {
    const eo_promela_proctype *proctype;
    eo__foot *future; /* by location */
    eo__foot *now;    /* by number of the transition: with the atomic sequence behind it */
  } * of;             /* by _pid */
  bool *assigned;     /* global variables that are written, by number */
  eo__foot *whole;    /* by proctype: all that a process of it, whatever its _pid, and those it starts may do */
  bool made;          /* `whole` */
  EO_VEC(const eo_promela_symbol *) claimed; /* local variables by which processes claim channels: others read them */
} eo__feet;

bool eo__feet_open(eo__feet *feet, const eo_promela *model); /* false: no memory */
void eo__feet_close(eo__feet *feet);

/* Of a process where it stands. NULL: no memory. */
const struct eo__feet_of *eo__feet_at(eo__feet *feet, eo_promela_run *run, uint32_t process);

#endif
