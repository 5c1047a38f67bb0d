/* ample.h: which of the steps that are possible in a state a search may take alone, so that it misses no deadlock, no failing
 * step, and with a property no execution that differs to it: persistent sets (Godefroid, Partial-order methods, 1996), ample
 * sets where there is a property (Peled 1994).
 *
 * Such a set is all that some processes can do, when nothing that the others may ever do (footprint.h) depends on it, can add to
 * it or take from it. With a property no step of it may change what the property reads. Whoever takes a set alone sees to it
 * that nothing is put off for ever (full.c). */
#ifndef EO_PROMELA_AMPLE_H
#define EO_PROMELA_AMPLE_H

#include "subjects/model/footprint.h"
#include "subjects/model/property.h"

typedef struct eo__ample {
  eo__feet feet;
  const eo_promela_property *property; /* may be NULL */
  eo__foot seen;                       /* what it reads, */
  bool *watched;                       /* and of which proctypes every step */
  bool watches;                        /* it asks where processes stand, or for their variables */
  eo_promela_steps sorted;
  const eo_promela_step *steps; /* of the state that is looked at */
  size_t count;
  bool together[EO_PROMELA_MOST_PROCESSES + 1], best[EO_PROMELA_MOST_PROCESSES + 1];
} eo__ample;

bool eo__ample_open(eo__ample *ample, const eo_promela *model,
                    const eo_promela_property *property); /* false: no memory */
void eo__ample_close(eo__ample *ample);

/* Of all steps from the state that the run is at, puts a smallest such set first; *some: how many are in it. They are not
 * possible because of a timeout. False: no memory. */
bool eo__ample_find(eo__ample *ample, eo_promela_run *run, eo_promela_steps *steps, size_t *some);

#endif
