/* lanes.h: one execution seen from the side: its processes, which step is whose, which step sent what another took, and
 * the vector clocks. What every picture of an interleaving starts from. */
#ifndef EO_REPORT_LANES_H
#define EO_REPORT_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "core/finding.h"

#define EO_NO_STEP UINT32_MAX

typedef struct eo_lane {
  const char *process; /* borrowed from the finding */
  const char *name;    /* the last one it had, or "" */
  uint32_t spawned;    /* step (from 0) that made it; EO_NO_STEP: it was there from the start */
  uint32_t ended;      /* its exit; EO_NO_STEP: none */
  uint32_t steps;
} eo_lane;

typedef struct eo_letter {
  uint32_t number;
  uint32_t sent, taken; /* steps; EO_NO_STEP: not seen */
  uint32_t from, to;    /* lanes */
  const char *text;     /* borrowed; may be "" */
} eo_letter;

/* Lanes are sorted by logical id, numbers in it compared as numbers; letters by number. */
typedef struct eo_lanes {
  const eo_finding *finding;
  EO_VEC(eo_lane) lanes;
  EO_VEC(uint32_t) of; /* by step: its lane */
  EO_VEC(eo_letter) letters;
} eo_lanes;

/* Borrows from the finding until it is released. False: no memory; to be released all the same. */
bool eo__lanes_init(eo_lanes *lanes, const eo_finding *finding);
void eo__lanes_release(eo_lanes *lanes);

/* EO_NO_STEP: no such process. */
uint32_t eo__lane_of(const eo_lanes *lanes, const char *process);

/* NULL: no step sends or takes it. */
const eo_letter *eo__lanes_letter(const eo_lanes *lanes, uint32_t number);

/* The clock of each step, lanes.count numbers each: how many steps of each process come before it, itself included.
 * NULL: no memory; else to be freed by eo__free. */
uint32_t *eo__lanes_clocks(const eo_lanes *lanes);

#endif
