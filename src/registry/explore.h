/* explore.h: one test, explored or replayed: puts subject, strategy, wrappers, engine and containment together. */
#ifndef EO_REGISTRY_EXPLORE_H
#define EO_REGISTRY_EXPLORE_H

#include <everyorder.h>

#include "core/estimate.h"
#include "core/frontier.h"
#include "core/report.h"
#include "core/strategy.h"
#include "core/subject.h"
#include "core/ticket.h"

#define EO_DEFAULT_PROBING 1.0 /* seconds, of eo__estimate */

typedef struct eo_request {
  eo_function function; /* runs as P1 */
  void *argument;
  const struct eo_promela *model;             /* explored in place of the function; NULL: none */
  const struct eo_promela_property *property; /* of the model, to look at in place of dead ends; NULL: none */
  const char *build;                          /* of the model, for tickets; NULL: of the running program */
  eo_options options;                         /* the strategy's name has been checked by eo__request_check */
  const char *program;                        /* path for tickets and reports */
  const char *test;
  const eo_row *row;                   /* of a test with parameters, for reports and tickets; NULL: it has none */
  struct eo_resume *resume;            /* where to go on from and to keep the state in; NULL: nowhere */
  struct eo_graph *graph;              /* to draw what is explored; NULL: it is not asked for */
  const struct eo_sequence_sink *sink; /* of reach; NULL: its sequences are not wanted */
  struct eo_visited *visited;          /* shared by all workers; NULL: none, or not yet */
  struct eo_heats *heats;              /* the same; NULL: none, or not yet */
  bool reverse;                        /* of a replay: also look for the order in which it passes */
} eo_request;

typedef struct eo_listener {
  void *context;
  void (*progress)(void *context, const eo_run *run); /* several times a second; may be NULL */
  void (*finding)(void *context, const eo_run *run, const eo_finding *finding); /* as they come; may be NULL */
  void (*hush)(void *context); /* other lines are about to be printed; may be NULL */
} eo_listener;

double eo__minimise_seconds(const eo_request *request); /* to spend on the findings of a test */
double eo__watchdog(const eo_request *request);         /* seconds that a step may take */
uint32_t eo__depth(const eo_request *request);          /* steps after which an execution is cut off */

/* Checks the options (a strategy of that name, a bound only where there is one, ...). */
int eo__request_check(const eo_request *request, eo_error *error);

/* Explores in a child process and fills *run. EO_OK whatever the verdict; an error is also in run->error. Setting
 * *eo__stop_flag() (from a signal handler) ends it early, with what it has. */
int eo__explore(const eo_request *request, const eo_listener *listener, eo_run *run, eo_error *error);
volatile int *eo__stop_flag(void);

/* Parts of that, for whoever explores in another way. A run as it begins; what it has come to; what that means at its
 * end (error->code EO_OK: there was none); and a finding, also one that has come from a worker: writes its ticket, and tells
 * the listener. `execution`: in its place; 0: as it says. *error is set only if something is wrong. */
void eo__run_init(eo_run *run, const eo_request *request);
void eo__run_stand(eo_run *run, const eo_standing *standing);
void eo__run_estimate(eo_run *run, const eo_estimate *probed); /* how many executions probes say there are */
void eo__run_conclude(eo_run *run, const eo_request *request, const eo_standing *standing, const eo_error *error);
void eo__tell_finding(const eo_request *request, const eo_listener *listener, const eo_run *run, uint64_t number,
                      eo_finding *finding, eo_error *error);
void eo__tell_finding_json(const eo_request *request, const eo_listener *listener, const eo_run *run, uint64_t number,
                           const char *json, uint64_t execution, eo_error *error);

/* A finding that nobody has described yet: it is run again for that, and *finding is what came of it. Where that cannot be
 * done, or there is no time left, it stays as it is. */
void eo__confirm(const eo_request *request, const eo_run *run, eo_finding *finding);

/* What probes say of a test, for which nothing else is run. */
typedef struct eo_forecast {
  eo_estimate estimate;
  double seconds;  /* it took */
  bool killed;     /* it ended early: a probe ended the whole process */
  uint64_t failed; /* probes that failed; and how the first did */
  char failure[400];
  int code; /* on the way from the worker: an error, with its text */
  char trouble[512];
} eo_forecast;

/* As eo__request_check, and that the strategy can be probed. */
int eo__estimate_check(const eo_request *request, eo_error *error);

/* Probes for options.seconds, or until the estimate is good. */
int eo__estimate(const eo_request *request, eo_forecast *forecast, eo_error *error);

/* Opens the set of states that the request's strategy is to share, if it keeps one: request->visited. Before workers are
 * forked. */
eo_cache_mode eo__cache_mode(const eo_request *request);
int eo__request_visited(eo_request *request, eo_error *error);

/* Bytes for states that were seen (and, as much again, the log of hot steps), and for fragments; 0: no limit. */
uint64_t eo__memory_allowed(void); /* unless the user says otherwise, for both */
uint64_t eo__states_limit(const eo_request *request);
uint64_t eo__frontier_limit(const eo_request *request);

/* What the request says to a strategy; without a subject there is no view of it. */
eo_strategy_options eo__strategy_options(const eo_request *request, eo_subject *subject);

/* Runs the execution of a ticket once, in a child process, and describes it. `until`: stop after so many steps, 0: to
 * the end. *finding gets what happened (kind EO_KIND_NONE: it ran without failing). in_process: run it in this very
 * process, for a debugger; then does not return on a crash. */
int eo__replay(const eo_request *request, const eo_ticket *ticket, uint32_t until, bool in_process, eo_finding *finding,
               eo_error *error);

/* Hash of the running program's contents, hex, for tickets; out has at least 65 bytes. */
int eo__program_build(const char *path, char *out, eo_error *error);

/* The same of a file that is open, whatever has its name meanwhile; `path` is for errors. */
int eo__file_build(int file, const char *path, char *out, eo_error *error);

#endif
