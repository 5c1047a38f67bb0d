/* footprint.h: what a transition touches, and what a process may yet touch from where it stands: for persistent sets. A
 * channel is known by its number where the index of an array follows from _pid, else it is any of the array. */
#ifndef EO_PROMELA_FOOTPRINT_H
#define EO_PROMELA_FOOTPRINT_H

#include "subjects/model/run.h"

enum { EO__FOOT_WORDS = 4 }; /* variables by number modulo 256: two that fall together count as one, which is safe */

typedef struct eo__foot {
  uint64_t reads[EO__FOOT_WORDS], writes[EO__FOOT_WORDS];
  uint64_t sends[EO__FOOT_WORDS], receives[EO__FOOT_WORDS], looks[EO__FOOT_WORDS]; /* channels, by number - 1 */
  bool sorts;                                                                      /* a send in order of value */
  bool runs, counts, ends; /* starts processes; asks how many there are; ends */
} eo__foot;

typedef struct eo__feet {
  struct eo__feet_of {
    const eo_promela_proctype *proctype;
    eo__foot *future; /* by location */
    eo__foot *now;    /* by number of the transition: with the atomic sequence behind it */
  } * of;             /* by _pid */
  bool *assigned;     /* global channel variables that are written, by number */
} eo__feet;

bool eo__feet_open(eo__feet *feet, const eo_promela *model); /* false: no memory */
void eo__feet_close(eo__feet *feet);

/* Of a process where it stands. NULL: no memory. */
const struct eo__feet_of *eo__feet_at(eo__feet *feet, eo_promela_run *run, uint32_t process);

#endif
