/* strategies.h: the door to every strategy: how each is opened. They do not know each other. */
#ifndef EO_STRATEGIES_H
#define EO_STRATEGIES_H

#include "core/doubt.h"
#include "core/strategy.h"

eo_strategy *eo__dfs_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__dpor_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__irs_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__pct_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__pctcp_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__pos_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__preempt_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__reach_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__random_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__ses_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__ses_ss_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__ss_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__surw_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__tapct_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__dpor_sets_open(const eo_strategy_options *options, bool source, eo_error *error);

/* Probes: random descents that estimate how many executions there are (core/strategy.h). None of these executions counts.
 * Of all interleavings; of those that dpor runs. */
eo_strategy *eo__probe_open(const eo_strategy_options *options, eo_error *error);
eo_strategy *eo__dpor_probe_open(const eo_strategy_options *options, eo_error *error);

/* Runs one execution: these choices, then nothing more. */
eo_strategy *eo__replay_open(const eo_choice *choices, uint32_t count, eo_error *error);

/* Runs what `inner` runs once, and notes for each step how many delays of options->explorer lead to it. */
typedef EO_VEC(uint32_t) eo_delays_noted;
eo_strategy *eo__delays_open(eo_strategy *inner, const eo_strategy_options *options, eo_delays_noted *noted,
                             eo_error *error);

/* ---- Wrappers: each owns the strategy it wraps ------------------------------------------------------------------ */

/* What a run has done so far; may lie in memory that another process reads. */
typedef struct eo_meter {
  volatile uint64_t executions;
  volatile uint64_t pruned;
  volatile uint64_t pending;
  volatile uint32_t depth;
  volatile uint32_t max_depth;
  volatile double share; /* negative: unknown */
} eo_meter;

eo_strategy *eo__meter_open(eo_strategy *inner, eo_meter *meter, eo_error *error);

/* Ends a run early: after so many executions (0: no limit), at the first failure, or when *flag is set; and, but not
 * before there was one execution, after so many seconds (0: no limit) or when *recall is set. Or only looks whether there
 * is an execution, and runs none. *reason then says why, "" else. */
typedef struct eo_stop_options {
  uint64_t executions;
  uint64_t turn; /* or after so many, pruned ones included; 0: no limit */
  double seconds;
  bool at_failure;
  const volatile int *flag;
  char *reason;               /* 128 bytes */
  const volatile int *recall; /* NULL: never */
  bool look;
} eo_stop_options;
eo_strategy *eo__stop_open(eo_strategy *inner, const eo_stop_options *options, eo_error *error);
void eo__stop_again(eo_strategy *strategy, const eo_stop_options *options); /* from now on these, counted anew */

/* When all of a job was explored: looks for a fair circle in the log, and if there is one, runs once round it; `inner` is
 * the user's strategy, opened anew, and leads there. */
struct eo_heats;
typedef struct eo_rounds_options {
  const struct eo_heats *heats;
  eo_view view;
  eo_visited *visited;
  bool (*known)(void *context, const eo_failure *failure); /* was it counted before? */
  void *context;
} eo_rounds_options;
eo_strategy *eo__rounds_open(eo_strategy *inner, const eo_rounds_options *options, eo_error *error);

/* As a fragment: its bytes, and are these they? */
bool eo__rounds_fragment(eo_bytes *out);
bool eo__rounds_claimed(const eo_bytes *bytes);

/* Draws the states that it comes through. The subject has fingerprints. */
struct eo_graph;
eo_strategy *eo__graphing_open(eo_strategy *inner, struct eo_graph *graph, eo_view view, eo_error *error);

/* Runs each failing execution a second time; if it does not fail the same way, the failure becomes one of
 * EO_KIND_NONDETERMINISM. The second run is not counted. */
eo_strategy *eo__recheck_open(eo_strategy *inner, eo_error *error);

/* The same choices failed first so, and then otherwise (or not: NULL, or of EO_KIND_NONE). *out, which may be one of the
 * two, becomes that finding. */
void eo__recheck_differs(const eo_failure *first, const eo_failure *second, eo_failure *out);

/* For strategies that go by events: what no event tells. At the end of each execution. */
static inline void eo__doubt_unseen(eo_strategy *strategy, const eo_view *view) {
  strategy->doubts |= view->relations->unseen(view->of);
}

/* Runs some executions that did not fail a second time, from the start, and has the engine compare what happens. A
 * difference is a failure of EO_KIND_NONDETERMINISM, and ends the run. */
eo_strategy *eo__rerun_open(eo_strategy *inner, eo_error *error);

#endif
