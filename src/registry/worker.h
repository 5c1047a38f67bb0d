/* worker.h: what happens in the child process: one exploration, or one replay, from the request to its records. */
#ifndef EO_REGISTRY_WORKER_H
#define EO_REGISTRY_WORKER_H

#include "core/contain.h"
#include "registry/explore.h"
#include "strategies/strategies.h"

/* What the parent can look at while the worker runs; in eo_cell.news. */
typedef struct eo_news {
  /* Up to date between executions. */
  eo_meter meter;
  eo_engine_counts counts;
  uint64_t findings, failures;
  bool cut; /* some execution was longer than --depth */
  /* Filled at the end. */
  int code; /* an eo_error_code */
  int coverage;
  char covered[256];
  char stopped[128];
  char error[512];
} eo_news;

/* Records to the parent begin with one of these letters. A finding is followed by its number and its JSON. */
#define EO_RECORD_FINDING 'F'
#define EO_RECORD_END 'E'

/* The body of the child: explores request, and sends findings and the end. */
int eo__worker_explore(const eo_request *request, eo_worker *worker);

/* Runs the ticket's execution and describes it. `until`: that step is the last. Without a worker this is for a debugger:
 * then eo__replay_here is called before that step (before the last one, if it is 0), and the execution goes on. */
int eo__worker_replay(const eo_request *request, const eo_ticket *ticket, uint32_t until, eo_worker *worker,
                      eo_finding *finding, eo_error *error);

#endif
