/* frontier.h: the seam to where pending work lives, so that several workers can explore one test.
 *
 * The work is a set of fragments (strategy.h: save, load, split). A worker claims one with a budget of time, explores it
 * until the budget is spent or nothing is left, and hands back in one go what came of it: what it counted, what it
 * found, and what is left, in pieces. Only then does anything change: a worker that dies, or comes back after its claim
 * was given to another and that one was done first, has changed nothing. So each execution is counted exactly once, and
 * nothing is lost (Simsa et al. 2012, algorithms 5 to 9; fragments here never overlap, so that ownership needs no bookkeeping).
 *
 * Time is an argument, in seconds from any start: bench/scale runs the same code in virtual time. */
#ifndef EO_CORE_FRONTIER_H
#define EO_CORE_FRONTIER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "core/doubt.h"
#include "core/finding.h"
#include "core/strategy.h"

/* What one member of `auto` did, and what its executions guarantee. Each part of an exploration draws by a seed of its own, so a guarantee
 * is about the executions of one part: of the part with the most. That is less than all of them guarantee together. */
typedef struct eo_member_tally {
  uint64_t executions; /* of all parts, pruned ones included */
  uint64_t drawn;      /* executions that the guarantee is about */
  double hit;          /* as eo_telling.reached returned it */
  char reached[160];   /* and its words; "": none */
} eo_member_tally;

enum { EO_MEMBERS_MOST = 8 };

/* What exploring did. Adds up. */
typedef struct eo_tally {
  uint64_t executions, pruned;
  uint64_t transitions, skipped;
  uint64_t states;   /* distinct ones, where they are counted; 0: they are not */
  uint64_t failures; /* executions that failed */
  uint64_t aside;    /* executions that are none of those that the estimate is about */
  uint32_t max_depth;
  eo_estimate estimate;                     /* from probes that were made beside */
  uint32_t doubts;                          /* EO_DOUBT_*: what is left open */
  uint32_t settles;                         /* EO_DOUBT_*: of a slice: what was left open before, and is no more */
  uint64_t cut;                             /* executions that were cut off at --depth */
  char endless[256];                        /* how the first of them goes on, in words; "": nobody said */
  eo_coverage coverage;                     /* the weakest of all fragments that were finished */
  char reached[600];                        /* of slices that were stopped: eo_telling.reached, the words of the last */
  double hit;                               /* and the least of what it returned; negative: nothing */
  eo_member_tally members[EO_MEMBERS_MOST]; /* of `auto`, in the order of its turns */
  char covered[384];                        /* its words */
} eo_tally;

typedef struct eo_claim {
  uint64_t fragment;   /* number of the fragment, from 1 */
  uint64_t token;      /* of this claim; a fragment can be claimed more than once */
  eo_bytes bytes;      /* for `load`; empty: everything */
  double budget;       /* seconds to spend on it */
  uint64_t executions; /* stop after so many; UINT64_MAX: no limit */
  uint32_t pieces;     /* what is left is wanted in at most so many fragments; at least 1 */
} eo_claim;

/* What came of a claim. */
typedef struct eo_slice {
  eo_tally tally;
  EO_VEC(eo_bytes) rest; /* what is left; empty: the fragment is finished */
  eo_strings findings;   /* as JSON, one line each; `execution` counts from the start of the slice */
  double seconds;        /* it took */
} eo_slice;

typedef enum eo_taken {
  EO_TAKEN,
  EO_TAKE_WAIT, /* nothing now: others hold what there is. Ask again soon. */
  EO_TAKE_END   /* nothing more, ever: finished, stopped, a limit is reached */
} eo_taken;

/* Where it stands. */
typedef struct eo_standing {
  eo_tally total;     /* of all that was handed back */
  uint64_t fragments; /* that are left, claimed ones included */
  uint64_t issued;    /* the ledger: fragments ever put; */
  uint64_t finished;  /* those finished or replaced by what was left of them. issued == finished + fragments */
  uint64_t claimed;
  uint64_t findings;   /* distinct ones */
  uint32_t workers;    /* that asked for work lately */
  uint64_t lost, late; /* claims that ran out; results that came too late */
  bool ended;
  char stopped[128]; /* why it ended before its end, or "" */
} eo_standing;

typedef struct eo_frontier eo_frontier;

typedef struct eo_frontier_ops {
  void (*close)(eo_frontier *frontier);

  /* For this worker (any name of at most 63 bytes, its own). An error: the frontier cannot be reached. */
  int (*take)(eo_frontier *frontier, const char *worker, double now, eo_claim *claim, eo_taken *taken, eo_error *error);

  /* All of it or nothing. *accepted false: it came too late, and changed nothing; not an error. But its findings are kept, unless the job is to stop already:
   * of a program that is not deterministic, who was first with the fragment may not have met them. */
  int (*done)(eo_frontier *frontier, const char *worker, double now, const eo_claim *claim, const eo_slice *slice,
              bool *accepted, eo_error *error);

  int (*look)(eo_frontier *frontier, double now, eo_standing *standing, eo_error *error);

  /* No more work is given out; what is claimed may still be handed back. */
  int (*stop)(eo_frontier *frontier, const char *why, eo_error *error);
} eo_frontier_ops;

/* Frontiers begin with this. */
struct eo_frontier {
  const eo_frontier_ops *ops;
};

/* What a frontier is told when a job begins. */
typedef struct eo_job_limits {
  uint32_t workers;    /* expected; at most twice as many fragments are kept */
  double budget;       /* seconds a claim is given when all workers are busy */
  double grace;        /* seconds beyond its budget after which a claim counts as lost */
  uint64_t executions; /* stop after so many in all; 0: no limit */
  uint64_t bytes;      /* stop when what is left to explore takes more; 0: no limit */
  bool at_failure;     /* stop at the first finding */
  bool fixed_budget;   /* always give the whole budget: to measure what varying it brings */
  bool no_doubling;    /* never give a claimed fragment to a second worker */
  eo_bytes last; /* borrowed; a fragment to give out when nothing else is left and EO_DOUBT_LIVENESS is; or empty */
} eo_job_limits;

#endif
