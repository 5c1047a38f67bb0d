/* worker_inside.h: what the files of a worker share: worker.c, its life and its slices; worker_findings.c, what becomes of
 * failures; worker_describe.c, executions in words and as schedules; worker_fatal.c, steps that end workers;
 * worker_replay.c, one execution once more. */
#ifndef EO_REGISTRY_WORKER_INSIDE_H
#define EO_REGISTRY_WORKER_INSIDE_H

#include "core/engine.h"
#include "registry/auto.h"
#include "registry/worker.h"

enum { REVERSE_SECONDS = 2 };

typedef struct exploration {
  const eo_request *request;
  eo_cell *cell;
  eo_subject *subject;
  /* Opened for a claim, and kept as long as the next claim is just what was saved of the last. */
  eo_strategy *inner, *stop, *strategy; /* the user's; the wrapper with the limits; all of them */
  eo_engine engine;
  bool by_turns; /* `auto`: the claim is a plan, and the strategy the member of it whose turn it is */
  eo_auto plan;
  const eo_strategy_entry *opened; /* whose strategy that is */
  eo_bytes saved;                  /* what the strategy had left when it was last put away */
  eo_claim claim;                  /* under way */
  char stopped[128];               /* why it stopped before its end, or "" */
  eo_news news;
  uint64_t states;                   /* counted before this slice */
  double share;                      /* done before this slice; negative: unknown */
  eo_estimate probed, all_probed;    /* after this slice; in the life of this worker */
  double probe_seconds, all_seconds; /* spent on probes; on all slices */
  double minimise_spent;             /* seconds */
  eo_slice slice;
  EO_VEC(eo_failure) seen;
  EO_VEC(eo_failure) beside; /* that probes and scouts met */
  bool fatal;                /* the execution under way was cut off: it kills workers */
  eo_failure fatal_failure;
  uint32_t fatal_depth;
  bool broken;       /* the program is not deterministic */
  bool met_beside;   /* what is reported is a failure of a probe or a scout */
  char endless[256]; /* how the first execution that was cut off goes on */
  eo_error error;
} exploration;

/* ---- worker.c ----------------------------------------------------------------------------------------------------- */

void eo__slice_release(eo_slice *slice);

/* ---- worker_findings.c -------------------------------------------------------------------------------------------- */

/* Was this failure seen before? Its context is an exploration. */
bool eo__worker_knows(void *context, const eo_failure *failure);

/* What the engine calls: an execution has ended, and a step is about to be taken. */
bool eo__worker_ended(void *context, const eo_outcome *outcome);
bool eo__worker_before_step(void *context, uint64_t execution, uint32_t depth, eo_failure *failure);

/* An execution that counts nowhere has failed; `strategy` knows its plain schedule. */
bool eo__worker_met(void *context, eo_strategy *strategy, const eo_outcome *outcome);

/* Minimises and describes a failure, and adds it to the slice. */
int eo__worker_report_finding(exploration *x, const eo_outcome *outcome);

uint32_t eo__worker_delays(const exploration *x); /* of the last execution */

/* ---- worker_describe.c -------------------------------------------------------------------------------------------- */

/* Runs these choices once more, telling each step into *finding. */
int eo__worker_describe(eo_subject *subject, const eo_request *request, const eo_choice *choices, uint32_t count,
                        uint32_t max_depth, eo_finding *finding, eo_error *error);

/* Choices as the text of a ticket's schedule, and the steps of a ticket as choices. */
void eo__schedule_text(eo_subject *subject, const eo_choice *choices, size_t count, eo_text *out);
int eo__ticket_choices(eo_subject *subject, const eo_ticket *ticket, eo_schedule *choices, eo_error *error);

/* ---- worker_fatal.c ----------------------------------------------------------------------------------------------- */

/* Has this place ended workers? */
const eo_fatal *eo__fatal_at(const eo_cell *cell, uint64_t execution, uint32_t depth);

/* Is this a step that ended workers? *failure then says so. */
bool eo__fatal_step(const eo_cell *cell, const eo_engine *engine, uint32_t depth, eo_failure *failure);

#endif
