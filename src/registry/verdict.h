/* verdict.h: the one place that decides what a run means. Whoever explores, searches, watches or replays gathers facts;
 * nobody else assigns eo_run.verdict, .complete or .covered. */
#ifndef EO_REGISTRY_VERDICT_H
#define EO_REGISTRY_VERDICT_H

#include <everyorder.h>

#include "core/frontier.h"
#include "core/report.h"

/* What is known of a run at its end. Texts may be NULL or "": there is none. */
typedef struct eo_facts {
  uint64_t executions; /* that were counted; by_state: states that were visited */
  bool by_state;
  uint64_t findings;         /* distinct ones, wherever they were met */
  uint64_t failures;         /* executions that failed */
  eo_coverage coverage;      /* the weakest of all fragments that were finished; means nothing if it was stopped */
  const char *covered;       /* its words */
  const char *stopped;       /* why the run stopped before its end */
  const char *reached;       /* of such a run: what is known of what it did */
  const char *faults;        /* how many an execution may have had, if it could have any; else NULL or "" */
  const char *assumed;       /* what was left out on request, as eo__assumptions writes it; the rest can be complete */
  uint32_t doubts;           /* EO_DOUBT_*, EO_ASSUMED_* */
  uint64_t cut;              /* executions that were cut off at --depth; 0 with EO_DOUBT_DEPTH: nobody counted */
  uint32_t depth;            /* --depth */
  uint64_t issued, finished; /* the ledger of work: fragments that were ever put, that were finished or replaced */
  uint64_t left;             /* and those that are left */
  const char *error;         /* the run could not be gone on with */
} eo_facts;

typedef struct eo_conclusion {
  eo_verdict verdict;
  bool complete;
  char covered[EO_COVERED]; /* what a clean run means */
  char error[EO_RUN_ERROR]; /* with EO_ERROR; with others: what went wrong beside */
} eo_conclusion;

/* Pure: the same facts give the same conclusion.
 *   fail        there is a finding, or an execution failed; whatever else there is
 *   error       else, there was an error, or the ledger does not add up
 *   pass        else, the strategy covered everything, it was not stopped, nothing is left, there is no doubt, and at
 *               least one execution was run
 *   incomplete  else */
void eo__verdict(const eo_facts *facts, eo_conclusion *conclusion);

/* The same, into the run: its verdict, complete, covered, stopped and error. Its counts must be there already. */
void eo__run_decide(eo_run *run, const eo_facts *facts);

/* Of a run that ended, or could not begin, by this error; with findings it has failed nevertheless. */
void eo__run_fail(eo_run *run, const eo_error *error);

/* Adds what these options leave out although the strategy covers everything, each after a comma: ", where timeouts fire
 * only when nothing else can run". A row stands for itself, not for the combinations that are not run. */
void eo__assumptions(const eo_options *options, const eo_row *row, eo_text *words);

/* Called before anybody is told how a run has ended: `told` findings were shown for it. Fails a check of our own unless
 * pass means no finding, no failure, all covered and something run; and any finding means fail. */
void eo__run_check(const eo_run *run, uint64_t told);

#endif
