/* report.h: the seam to what shows a run. Reporters format into the stream they are given; only src/cli owns the
 * terminal. */
#ifndef EO_CORE_REPORT_H
#define EO_CORE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <everyorder.h>

#include "core/finding.h"
#include "core/params.h"

enum { EO_COVERED = 768, EO_RUN_ERROR = 512 }; /* room for texts of a run */

/* One of those who explore, as it was a moment ago. */
typedef struct eo_run_worker {
  char name[64];
  uint64_t executions; /* it has run; those of a part that was lost do not count */
  double rate;         /* executions per second, lately */
  bool busy;           /* it has work; else it waits for some */
  uint64_t part;       /* number of the fragment it is at; 0: unknown */
  uint32_t depth;      /* of the execution under way; 0: unknown */
  bool probes;         /* it estimates, and explores nothing */
  bool minimises;      /* it looks for a shorter way to a finding, and explores nothing */
} eo_run_worker;

/* A statement of a model that no execution comes to, or the end of a process. */
typedef struct eo_unreached {
  const char *process; /* its proctype; of the model, as the other texts */
  const char *file;
  int line;
  const char *text; /* NULL: the end of the process */
} eo_unreached;

/* One test of a program, explored once. Counters are current during progress and final at the end. */
typedef struct eo_run {
  const char *program;
  const char *subject; /* "actor" */
  const char *test;
  const eo_row *row; /* of a test with parameters; NULL: it has none */
  const char *strategy;
  const char *advice;  /* what to try if it was stopped before its end; NULL: nothing */
  const char *options; /* the options in force, as the user would type them */
  eo_verdict verdict;  /* this, `complete` and `covered` come from registry/verdict.c alone */
  bool complete;
  bool begun;               /* somebody has started to explore it */
  char covered[EO_COVERED]; /* what a clean run means, in words */
  char unreached[384];      /* of a model that was searched as a whole: statements that nothing comes to, or "" */
  EO_VEC(eo_unreached) unreached_code; /* all of them; freed by who has asked for the run */
  char stopped[128];                   /* why it stopped before its end, or "" */
  uint64_t executions;
  uint64_t pruned;
  uint64_t aside;       /* of the executions, those that the estimate does not count */
  uint64_t transitions; /* steps that were run */
  uint64_t skipped;     /* steps that restoring a checkpoint saved */
  uint64_t states;      /* distinct states seen, for strategies that count them; else 0 */
  uint32_t jobs;        /* workers at a time */
  uint64_t restarts;    /* workers that died and were replaced */
  uint64_t pending;
  uint64_t cut;      /* executions that were cut off at --depth */
  char endless[256]; /* how the first of them goes on; "": there is none, or nobody said */
  uint64_t findings; /* distinct ones, each reported once */
  uint64_t failures; /* executions that failed; of a run by state: steps */
  uint32_t depth;    /* of the execution under way */
  uint32_t delays;   /* of the last one, for strategies that count them */
  uint64_t bytes;    /* of memory, of a search of states */
  uint32_t max_depth;
  uint64_t probes;                    /* that the estimate is made of; 0: there is none, unless it is `exact` */
  bool exact;                         /* all was run, of a strategy that is estimated: that is the estimate */
  double estimate;                    /* of all executions; at least those that were run */
  double estimate_low, estimate_high; /* twice the standard error below and above, but never below what was run */
  double share;                       /* estimated share of the space done; negative: unknown */
  double elapsed;                     /* seconds */
  const eo_run_worker *workers;       /* during progress: one for each; NULL: not known */
  uint32_t worker_count;
  char error[EO_RUN_ERROR];     /* with EO_ERROR; else of a ticket that could not be written, say */
  const struct eo_graph *graph; /* the states that were seen, if that was asked for; else NULL */
} eo_run;

/* It was stopped before its turn: not a test that was run in part, even if no execution came to its end, but one that was
 * left out. */
static inline bool eo_run_was_skipped(const eo_run *run) {
  return run->verdict == EO_INCOMPLETE && !run->begun && run->executions + run->pruned + run->states == 0 &&
         run->stopped[0] != '\0';
}

/* Its search counts states, not executions: `full` of a model, say. Then `failures` counts failing steps. */
static inline bool eo_run_is_by_state(const eo_run *run) { return run->executions == 0 && run->states > 0; }

/* The verdict of several runs together (tests of a program, rows of parameters): a finding weighs most, then an error,
 * then what is missing. Exit codes, logs and results all go by this order. */
static inline eo_verdict eo__verdict_both(eo_verdict a, eo_verdict b) {
  static const eo_verdict heaviest_first[] = {EO_FAIL, EO_ERROR, EO_INCOMPLETE};
  for (int i = 0; i < 3; i++)
    if (a == heaviest_first[i] || b == heaviest_first[i]) return heaviest_first[i];
  return EO_PASS;
}

typedef struct eo_reporter eo_reporter;

typedef struct eo_reporter_ops {
  const char *name;
  void (*begin)(eo_reporter *reporter, const eo_run *run);
  void (*progress)(eo_reporter *reporter, const eo_run *run); /* optional */
  void (*finding)(eo_reporter *reporter, const eo_run *run, const eo_finding *finding);
  void (*end)(eo_reporter *reporter, const eo_run *run);
  void (*close)(eo_reporter *reporter); /* after the last run; writes what must come last */
} eo_reporter_ops;

/* Reporters begin with this. */
struct eo_reporter {
  const eo_reporter_ops *ops;
  FILE *out;
};

#endif
