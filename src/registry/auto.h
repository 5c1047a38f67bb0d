/* auto.h: the strategy `auto`: others in turn, in rounds of growing budgets, until one that covers everything is through.
 *
 * It is no strategy of the engine. What is left of an exploration by `auto` is a plan: what each member has left, and whose
 * turn it is for how many executions more. A worker that claims a plan opens that one member, as if the user had asked for
 * it, runs it until its turn or the slice is over, and hands back the plan with what the member has left then. So members
 * know nothing of each other, and neither the engine nor the frontier knows of `auto`. Turns are counted in executions, so
 * that the clock does not decide what is explored.
 *
 * Members either cover everything when they come to their end (exhaustive ones) or draw (samplers). A plan is finished when
 * an exhaustive member has come to its end without a doubt of its own. What samplers leave open does not matter then: each
 * member's doubts are kept in the plan, and only those of the member that finishes it count. */
#ifndef EO_REGISTRY_AUTO_H
#define EO_REGISTRY_AUTO_H

#include "core/estimate.h"
#include "core/frontier.h"
#include "registry/registry.h"

typedef enum eo_auto_member_id {
  EO_AUTO_DPOR,
  EO_AUTO_DFS, /* in the place of dpor, where processes share memory by declaration */
  EO_AUTO_POS,
  EO_AUTO_PCT,
  EO_AUTO_PCTCP,
  EO_AUTO_RANDOM,
  EO_AUTO_SS,
  EO_AUTO_SES,    /* with its cache of states; where there is none, it is left out */
  EO_AUTO_MEMBERS /* at most EO_MEMBERS_MOST */
} eo_auto_member_id;

typedef struct eo_auto_member {
  eo_bytes bytes; /* what it has left; empty: everything */
  uint64_t executions, pruned;
  uint64_t steps;  /* that it has run */
  uint32_t doubts; /* EO_DOUBT_*, its own */
  bool over;       /* has no more turns */
} eo_auto_member;

typedef struct eo_auto {
  eo_auto_member members[EO_AUTO_MEMBERS];
  eo_auto_member_id turn;
  uint64_t left;      /* executions of this turn, pruned ones included */
  uint32_t round;     /* from 0 */
  uint64_t lengths;   /* of all executions so far together, in steps */
  uint64_t opening;   /* steps that samplers may run before much else is run; parts share them */
  uint64_t seed;      /* of its samplers: parts of one exploration draw differently */
  uint32_t parts;     /* that were split off */
  bool endless;       /* draws until it is stopped, where no exhaustive member can help */
  eo_estimate probed; /* how many executions dpor has */
} eo_auto;

/* caches: there is a set of states for ses. */
void eo__auto_init(eo_auto *plan, uint64_t seed, bool caches, bool endless);
void eo__auto_release(eo_auto *plan);

/* As a fragment. Empty bytes are everything: the plan stays as eo__auto_init has left it. */
bool eo__auto_save(const eo_auto *plan, eo_bytes *out); /* false: no memory */
int eo__auto_load(eo_auto *plan, const eo_bytes *bytes, eo_error *error);

/* Whose turn it is, as an entry of the registry, and what that one is asked for. */
const eo_strategy_entry *eo__auto_entry(const eo_auto *plan);
void eo__auto_options(const eo_auto *plan, eo_strategy_options *wanted);
bool eo__auto_covers(eo_auto_member_id member); /* everything, when it comes to its end */

/* What the member whose turn it is has done in a slice. */
typedef struct eo_auto_slice {
  uint64_t executions, pruned;
  uint64_t steps, skipped; /* run, and made unnecessary by checkpoints */
  uint32_t doubts;         /* EO_DOUBT_*, its own */
  bool ended;              /* it has come to its end, and then this is what it covers */
  eo_coverage coverage;
  bool full; /* it can keep no more states */
} eo_auto_slice;

typedef enum eo_auto_news {
  EO_AUTO_GOES_ON, /* the same member, or the next one */
  EO_AUTO_COVERED, /* the plan is finished: an exhaustive member has covered everything, with the doubts it has */
  EO_AUTO_DRAWN    /* it is finished: no exhaustive member can help, and as much as is usual was drawn */
} eo_auto_news;
eo_auto_news eo__auto_ran(eo_auto *plan, const eo_auto_slice *slice);

/* The member whose turn it is cannot run this program: it is left to the others. */
void eo__auto_skip(eo_auto *plan);

/* Whoever shares the work waits for a part: the exhaustive member that is to be split comes next. */
void eo__auto_hurry(eo_auto *plan);

/* May the member whose turn it is be split? Then *out becomes the plan of the part that has these bytes. Of the exhaustive
 * members no other stays in either plan: parts of two of them would not make up the whole. */
bool eo__auto_splits(const eo_auto *plan);
bool eo__auto_split(eo_auto *plan, const eo_bytes *bytes, eo_bytes *out); /* false: no memory */

/* Is it time to look how many executions dpor has? ran: executions of the slice that ends, pruned ones included, of which the plan does not
 * know yet; waits: somebody does, for a part of the work. */
bool eo__auto_probes(const eo_auto *plan, uint64_t ran, bool waits);

/* What the members ran, in words, and what each of them guarantees. parts: the exploration has or had several; then a guarantee that only holds
 * within one part (hit is 0) is left out. */
void eo__auto_reached(const eo_member_tally *members, bool parts, eo_text *words);
uint32_t eo__auto_doubts(const eo_auto *plan); /* of all members */

#endif
