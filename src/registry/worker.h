/* worker.h: what happens in a child process: exploring what a frontier gives out, or one replay. */
#ifndef EO_REGISTRY_WORKER_H
#define EO_REGISTRY_WORKER_H

#include "core/contain.h"
#include "core/frontier.h"
#include "registry/explore.h"
#include "strategies/strategies.h"

/* What place.depth says while a failure is minimised: a death then is a death of that. */
#define MINIMISING (UINT32_MAX - 1)
#define REVERSING (UINT32_MAX - 2) /* the same, while it is tried the other way round */

/* What the slice under way has come to; in eo_cell.news, up to date between executions. Nothing of it counts until the
 * slice is handed back. */
typedef struct eo_news {
  eo_meter meter;
  eo_engine_counts counts;
  uint64_t findings, failures, cut;
  uint64_t aside;       /* executions that the estimate does not count */
  uint64_t states;      /* distinct ones that are new, where they are counted */
  eo_estimate estimate; /* of probes made before it */
  uint32_t delays;      /* of the last execution */
  uint32_t doubts;      /* EO_DOUBT_* */
  double gained;        /* estimated share of the whole that was done in this slice */
} eo_news;

/* What the request has under test. The cell tells others whether its code gets on; NULL: nobody is told. */
eo_subject *eo__worker_subject(const eo_request *request, eo_cell *cell, eo_error *error);

/* The life of a worker: takes work from the frontier, explores it within its limits, and hands back what came of it,
 * until there is no more. The cell (core/contain.h) tells others where it is, and it from when to stop. `known`: findings,
 * as JSON, that need not be described again; may be NULL. An error: it could not go on. */
int eo__worker_loop(const eo_request *request, eo_frontier *frontier, const char *name, eo_cell *cell,
                    const eo_strings *known, eo_error *error);

/* Runs the ticket's execution and describes it. `until`: that step is the last. Without a cell this is for a debugger:
 * then eo__replay_here is called before that step (before the last one, if it is 0), and the execution goes on. */
int eo__worker_replay(const eo_request *request, const eo_ticket *ticket, uint32_t until, eo_cell *cell,
                      eo_finding *finding, eo_error *error);

/* A failure that a probe or a scout met (finding->beside): runs its execution once more, and minimises and describes it, as
 * JSON, newly allocated. If it does not fail in the same way again, that is what the finding is then about. */
int eo__worker_confirm(const eo_request *request, const eo_finding *finding, eo_cell *cell, char **json,
                       eo_error *error);

/* An error that a worker cannot go on with: told by the worker, known and read by the parent. */
void eo__worker_error_tell(eo_worker *worker, const eo_error *error);
bool eo__worker_error_is(const unsigned char *bytes, size_t size);
int eo__worker_error_read(const unsigned char *bytes, size_t size, eo_error *error);

/* Describes a failing execution that somebody else has found. */
int eo__worker_tell(eo_subject *subject, const eo_request *request, const eo_failure *failure, const eo_choice *choices,
                    uint32_t count, eo_finding *finding, eo_error *error);

#endif
