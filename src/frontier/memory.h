/* memory.h: a frontier in the memory of one process. It reads no clock and starts nothing: whoever serves workers from it
 * passes the time in, which may be a made-up one. */
#ifndef EO_FRONTIER_MEMORY_H
#define EO_FRONTIER_MEMORY_H

#include "core/frontier.h"

/* All there is to know of a job: what was done, and what is left. */
typedef struct eo_job_state {
  eo_tally total;
  eo_strings findings;        /* as JSON, numbered by their order; each distinct one once */
  EO_VEC(eo_bytes) fragments; /* that are left */
  double share;               /* estimated, of the whole, that is done; whoever keeps the state may set it */
} eo_job_state;

void eo__job_state_release(eo_job_state *state);

/* `state` is where to go on from (copied); NULL: at the start, with everything as one fragment. */
eo_frontier *eo__memory_open(const eo_job_limits *limits, const eo_job_state *state, eo_error *error);

/* What was accepted so far, as JSON, `execution` counted from the start of the job; the list only grows. */
const eo_strings *eo__memory_findings(const eo_frontier *frontier);

/* The same of what probes and scouts met (eo_finding.beside): it neither stops the job nor counts among its findings. */
const eo_strings *eo__memory_beside(const eo_frontier *frontier);

/* Copies all of it; what is claimed is in it as it was when it was claimed. */
int eo__memory_state(const eo_frontier *frontier, eo_job_state *state, eo_error *error);

#endif
