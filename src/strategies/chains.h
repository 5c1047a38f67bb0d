/* chains.h: events partitioned into chains as they come up, and executions drawn by priorities of chains: what pctcp and
 * tapct have in common.
 *
 * Events are what processes are about to do, in the partial order of happens-before; an event comes up when all before it
 * has happened. Each is put at the end of a chain, all of whose events come before it, by the algorithm of Agarwal and
 * Garg (Efficient Dependency Tracking for Relevant Events in Concurrent Systems, 2007): chains are kept in sets, the i-th
 * of at most i chains whose last events are not ordered; an event goes to the first set that has room or a chain it
 * follows, and what is left of that set changes places with the set before it. So there are at most w(w+1)/2 chains, if
 * no more than w events are ever unordered.
 *
 * Chains have random priorities; the event of the highest one happens. d - 1 of the first n events are change points: the
 * chain whose turn it is there gets the priority of that point, lower than all that were drawn. Whatever is not an event
 * for the sampler, since its order with others does not matter, happens at once. That what a process does between its
 * operations matters after all, since it announces something to a specification, is learnt from the first executions. */
#ifndef EO_STRATEGIES_CHAINS_H
#define EO_STRATEGIES_CHAINS_H

#include "core/trace.h"
#include "strategies/sampler.h"

enum { EO_CHAINS_POINTS = 64 };

typedef struct eo_chain {
  uint64_t priority;
  uint32_t process, index; /* its last event: the index-th of that process, from 0; UINT32_MAX: has not happened */
} eo_chain;

/* What a process is about to do. */
typedef struct eo_upcoming {
  bool known;     /* all that follows was looked up since it did something */
  bool event;     /* it is an event for the sampler */
  uint32_t chain; /* index + 1; 0: none yet */
} eo_upcoming;

typedef struct eo_chain_sampler eo_chain_sampler;
struct eo_chain_sampler {
  eo_sampler sampler;
  eo_view view;
  bool traced; /* the subject tells how events relate; else all that a process does is a chain */
  bool queues; /* mailboxes keep the order in which messages were sent */
  bool shares; /* processes share memory: everything is an event */
  bool adapts; /* the user has given no length */
  eo_trace trace;
  uint32_t bug_depth;
  uint32_t length;    /* n: change points are among the first so many events */
  uint32_t most;      /* the most chains of an execution */
  EO_VEC(bool) shows; /* by process: what it does by itself is seen by others (a specification): all of it are events */
  /* Is what this process is about to do an event? Only if `traced`. */
  bool (*is_event)(eo_chain_sampler *sampler, eo_choice choice, const eo_pending *pending);

  /* The execution under way. */
  EO_VEC(eo_chain) chains;
  EO_VEC(uint32_t) slots;         /* for chains: one in the first set, two in the second, ...; UINT32_MAX: empty */
  EO_VEC(eo_upcoming) upcoming;   /* by process */
  EO_VEC(uint32_t) message_chain; /* by message, where receives choose: index + 1 */
  uint32_t events;                /* that have happened */
  uint32_t calm;                  /* steps since the last one */
  uint32_t points[EO_CHAINS_POINTS], point_count, next_point;
};

void eo__chains_init(eo_chain_sampler *sampler, const eo_sampler_kind *kind, const eo_strategy_ops *ops,
                     const eo_strategy_options *options);
void eo__chains_release(eo_chain_sampler *sampler);

/* As in eo_strategy_ops; `end` learns length and chains if this execution is one to learn from. */
bool eo__chains_begin(eo_strategy *strategy, eo_beginning *beginning);
uint32_t eo__chains_choose(eo_strategy *strategy, const eo_point *point);
void eo__chains_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event);
void eo__chains_end(eo_strategy *strategy, eo_outcome *outcome);

/* Does the order of such an operation matter to others, going by its kind? */
bool eo__chains_matters(const eo_chain_sampler *sampler, eo_choice choice, const eo_pending *pending);

/* What they have learnt. */
bool eo__chains_write(const eo_chain_sampler *sampler, eo_bytes *out);
bool eo__chains_read(eo_chain_sampler *sampler, eo_fragment_reader *reader); /* false: no memory */

#endif
