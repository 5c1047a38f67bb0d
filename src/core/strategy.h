/* strategy.h: the seam to what decides the order. A strategy is an oracle: it sees points and events, never the
 * subject. Stop conditions, metering and the determinism check are strategies that wrap another one. */
#ifndef EO_CORE_STRATEGY_H
#define EO_CORE_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"
#include "core/doubt.h"
#include "core/estimate.h"
#include "core/view.h"
#include "core/visited.h"

/* A state in which something has to be chosen. Borrowed during the call. */
typedef struct eo_point {
  const eo_choice *choices;
  uint32_t count; /* at least 1 */
  uint32_t depth; /* steps taken so far in this execution */
  uint32_t last;  /* process of the last step; EO_NO_PROCESS at the start */
  bool others;    /* there are choices of other processes, which are not listed (eo_guiding.whose) */
} eo_point;

#define EO_PRUNE UINT32_MAX /* choose: go no further, nothing new is here */
#define EO_REFUSED \
  0x80000000u /* a bit of what choose returns: the step ends workers, and none of its code is to be run */

typedef enum eo_end {
  EO_END_FINISHED,
  EO_END_FAILED,
  EO_END_PRUNED,
  EO_END_CUT /* it has as many steps as are allowed, and could go on */
} eo_end;

typedef struct eo_outcome {
  eo_end end;
  uint32_t depth;
  const eo_failure
      *failure;             /* when EO_END_FAILED; when EO_END_PRUNED or not counted: one that was met on the way, which
                              * makes the test fail all the same. NULL: none, or a wrapper keeps it for now */
  const eo_choice *choices; /* the `depth` choices that were taken */
  bool counted;             /* true at first; a wrapper clears it for an execution that is its own affair */
} eo_outcome;

/* What it means when `begin` has returned false. */
typedef enum eo_coverage {
  EO_COVERS_ALL,   /* every execution was run */
  EO_COVERS_BOUND, /* every execution within a bound */
  EO_COVERS_SAMPLE /* some, drawn */
} eo_coverage;

typedef EO_VEC(eo_choice) eo_schedule;
typedef EO_VEC(unsigned char) eo_bytes;

typedef struct eo_strategy eo_strategy;

/* How an execution begins. `begin` gets one that begins at the start and in which the strategy itself chooses. */
typedef struct eo_beginning {
  uint32_t
      shared;  /* so many first steps it surely has in common with the last one; the engine does not ask about those */
  bool afresh; /* they are to be run again, all from the start, and not counted */
  eo_strategy
      *chooser; /* whom to ask for choices and to show what happened. A wrapper that leaves both to the strategy it
                         * wraps puts that one here: so it costs nothing per step */
} eo_beginning;

/* Work that can be put away and taken up again, here or in another process that runs the same program; called between
 * executions, when `begin` has not returned false. Fragments are bytes whose meaning is the strategy's affair; they are
 * versioned by its first byte, and `load` refuses what it did not write.
 *
 * save: everything that is still to be done, as one fragment. The strategy goes on as if nothing had happened.
 * load: replaces what is to be done. On a strategy that has not begun.
 * split: moves part of what is to be done into a fragment; false: there is nothing to part with. Whoever explores
 *   both parts, in whatever order, runs exactly the executions of the whole. */
typedef struct eo_fragments {
  bool (*save)(eo_strategy *strategy, eo_bytes *out);
  int (*load)(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error);
  bool (*split)(eo_strategy *strategy, eo_bytes *out);
} eo_fragments;

/* How a strategy wants executions to be run; each is optional by itself. Asked of whoever chooses. */
typedef struct eo_guiding {
  /* Whose choices are enough at the point that comes next, as eo_subject_ops.turn lists them: a process, EO_NO_PROCESS, or
   * EO_EVERYBODY. Asked before the choices are listed, once for each point. If the process has none, or the subject cannot
   * tell, all are listed. Never other than EO_EVERYBODY where timeouts are idle. */
  uint32_t (*whose)(eo_strategy *strategy, uint32_t depth);

  /* The step at this depth has failed, and its process is stuck (EO_EVENT_STUCK): do the others go on? Without it, no. Asked
   * after `observe`. */
  bool (*goes_on)(eo_strategy *strategy, uint32_t depth);

  /* Will a later execution, soon, begin after so many first steps of the one under way? There the engine saves. Asked where
   * there was more than one choice, after `choose`; and after `begin` at depths within the steps that are shared. A wrong
   * answer costs time, nothing else. */
  bool (*returns)(eo_strategy *strategy, uint32_t depth);
} eo_guiding;

#define EO_EVERYBODY (EO_NO_PROCESS - 1)

/* What a strategy can say of what it does and has done. All but `coverage` are optional, each by itself. */
typedef struct eo_telling {
  /* After begin has returned false: what was covered, in an enum and in words ("every execution of at most 2
   * preemptions"). */
  eo_coverage (*coverage)(eo_strategy *strategy, eo_text *words);

  /* What is known if the run is stopped before its end, in words. More than 0: that the thing these words name is hit by
   * each execution with at least this probability, of which whoever adds up makes a promise (core/promise.h); 0: they stand
   * for themselves, if nobody else explores; negative: there is nothing to say. */
  double (*reached)(eo_strategy *strategy, eo_text *words);

  /* Estimated share of the space that is done, 0 to 1; the size of what is pending. */
  double (*share)(eo_strategy *strategy);
  uint64_t (*pending)(eo_strategy *strategy);

  /* Delays in the execution that just ended; distinct states seen so far. */
  uint32_t (*delays)(eo_strategy *strategy);
  uint64_t (*states)(eo_strategy *strategy);

  /* A number of the execution that just began, not 0, that depends on its choices alone. For strategies whose executions do
   * not come in the same order each time: it tells at which of them a worker died. */
  uint64_t (*name)(eo_strategy *strategy);

  /* The execution that just ended as choices that mean the same without `receives_choose`: for its ticket. Without it, the choices that
   * were taken are. */
  bool (*plain)(eo_strategy *strategy, eo_schedule *out);
} eo_telling;

typedef struct eo_strategy_ops {
  void (*close)(eo_strategy *strategy);

  /* Another execution? False: no more, or strategy->error is set. */
  bool (*begin)(eo_strategy *strategy, eo_beginning *beginning);

  /* Index of the choice to take, or EO_PRUNE. Called once for each point behind the shared steps, in order of depth. */
  uint32_t (*choose)(eo_strategy *strategy, const eo_point *point);

  /* Optional: what the step did that was chosen at this depth. */
  void (*observe)(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event);

  /* The execution is over. */
  void (*end)(eo_strategy *strategy, eo_outcome *outcome);

  const eo_guiding *guiding; /* NULL: all choices, nothing goes on after a failure, the engine saves by what it sees */
  const eo_telling *telling; /* NULL: nobody asks, of what runs inside the engine's own affairs */
  const eo_fragments *fragments; /* NULL: its work cannot be put away */
} eo_strategy_ops;

/* Strategies begin with this. */
struct eo_strategy {
  const eo_strategy_ops *ops;
  int error;            /* an eo_error_code; set when memory ran out */
  uint32_t doubts;      /* EO_DOUBT_*: what it leaves open, so far; only grows */
  uint32_t settles;     /* EO_DOUBT_*: what all before it left open, and it has looked into; when it is finished */
  const char *trouble;  /* with another error: what is wrong; NULL: not known */
  bool receives_choose; /* it has called eo_relations.receives_choose */
};

/* What becomes of sequences of synchronisations (core/canonical.h): each is a line in `file`: '!' if the pattern matches it,
 * else '+'; 'F' if it failed, else '.'; then its canonical form. */
typedef struct eo_sequence_sink {
  int file;
  bool all;                       /* not those alone that the pattern matches */
  const struct eo_pattern *never; /* NULL: none */
} eo_sequence_sink;

/* What the user asked for, for those that need it; registry/options.c says which of these fields are options. */
typedef struct eo_strategy_options {
  eo_delivery delivery;
  int bounded; /* 1: `bound` counts */
  uint32_t bound;
  uint64_t seed;
  uint64_t executions; /* how many executions a sampling strategy is asked for; 0: its own default */
  int timeouts_idle;
  uint32_t faults; /* that an execution may have (eo_fault) */
  uint64_t probes; /* for a strategy that probes: how many probes, and at most how many steps in all */
  uint64_t probe_steps;
  double probe_error;                 /* they end when the estimate is within this (core/estimate.h); 0: they do not */
  eo_estimate *estimate;              /* and where what they gave is added */
  const char *reduction;              /* --dpor: "optimal", "source", "classic"; NULL: not given */
  const struct eo_explorer *explorer; /* for delays; NULL: none was found for this strategy */
  int delays_bounded;
  uint32_t delays, delay_step;
  eo_cache_mode cache;        /* of states that were seen */
  struct eo_visited *visited; /* shared by all workers; NULL: off */
  struct eo_heats *heats;     /* where a strategy logs steps if it goes on from no state twice; NULL: nowhere */
  uint32_t samples;           /* ss: samples + growth^d of d delays */
  double growth;
  int draw_process;                    /* random: the process first, then its choice */
  uint32_t bug_depth, length;          /* pct, pctcp, tapct; length 0: as executions so far */
  bool timed;                          /* --time ends it, so that a sampling strategy need not end by itself */
  int no_tree;                         /* reach: does not keep its sequences */
  const struct eo_sequence_sink *sink; /* reach: where its sequences go; NULL: nowhere */
  eo_view view;                        /* of the subject */
} eo_strategy_options;

#endif
