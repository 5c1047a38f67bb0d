/* reach_inside.h: what the parts of the strategy reach share (reach.c has the algorithm in words, doc/reach.md why it is
 * right):
 *   reach.c           one execution, and what becomes of it
 *   reach_races.c     from an execution to its races
 *   reach_variants.c  from races to variants, one at a time
 *   reach_tree.c      the SR-tree */
#ifndef EO_STRATEGIES_REACH_INSIDE_H
#define EO_STRATEGIES_REACH_INSIDE_H

#include "base/rng.h"
#include "base/text.h"
#include "strategies/order.h"
#include "strategies/strategies.h"

/* One event of a sequence as it has to be chosen. */
typedef struct move {
  uint32_t process, value;
  uint16_t op;
  bool settled; /* it stays in all that is derived from here: an outcome that was changed, or the past of one */
  bool refused; /* it ends workers, so that none of its code is run */
} move;

/* Another outcome of a decision of a sequence: a receive takes another message or times out, a choose has another value.
 * Its past is that of the event `before` and of `source`; nothing of the sequence lies after it. */
typedef struct race {
  uint32_t at;             /* position of the decision */
  uint32_t before;         /* of the event that its process had before, or of its spawn; EO_NO_EVENT: none */
  uint32_t source;         /* of the event that sent the message; EO_NO_EVENT: none */
  uint32_t process, value; /* as in a choice; where all were idle, another process may go on */
  uint16_t op;
  bool idle;                    /* it comes after all before it */
  bool cut;                     /* the decision is left out instead (Generate-Variants does that too) */
  uint32_t first_rival, rivals; /* under the mailbox: who must then have sent later */
  uint64_t hash;                /* of the event that it would be */
} race;

/* An execution and its race variants. Before it was run it holds the variant that leads to it. */
typedef struct sequence {
  EO_VEC(move) moves;
  EO_VEC(uint32_t) clocks; /* `stride` numbers for each move, as in core/trace.h */
  uint32_t stride;
  EO_VEC(edge) edges; /* under the mailbox: which sends had to come before which */
  EO_VEC(race) races; /* by position of the decision, the last first */
  EO_VEC(uint32_t) rivals;
  EO_VEC(uint32_t) chosen; /* the variant under way: races that are compatible with each other, ascending */
  size_t given;            /* how many moves the variant had */
  size_t wanted;           /* of these, the first so many must be taken; the rest if it is possible */
  size_t forbidden;        /* how many outcomes were forbidden when it came to be */
  uint32_t told;           /* failures among its first so many steps have been told */
  bool run;                /* it has been */
  bool early;              /* its changes come as early as they can: later, no order of the sends allowed them */
} sequence;

static inline const uint32_t *clock_at(const sequence *q, uint32_t position) {
  return q->clocks.items + (size_t)position * q->stride;
}

/* Is the event at `earlier` in the past of the one at `later`, or the same? */
static inline bool comes_after(const sequence *q, uint32_t later, uint32_t earlier) {
  uint32_t process = q->moves.items[earlier].process;
  return clock_at(q, later)[process] >= clock_at(q, earlier)[process];
}

/* An outcome that is explored elsewhere. */
typedef struct forbidden {
  uint64_t hash;
  uint32_t next; /* of those in the same slot, + 1; 0: none */
} forbidden;

enum { FORBIDDEN_SLOTS = 4096 };

/* A choice that there was at a choose, or where all were idle, beside the one that was taken. */
typedef struct also {
  uint32_t at;
  eo_choice choice;
  uint64_t hash; /* of the event that it would have been */
} also;

typedef struct reach_tree {
  uint64_t *slots; /* 0: empty */
  size_t slot_count, nodes;
  uint64_t twice; /* sequences that were there already: none, if the program always does the same */
} reach_tree;

typedef struct reach {
  eo_strategy base;
  eo_view view;
  eo_delivery delivery;
  bool idle_timeouts;
  eo_order order;
  EO_VEC(sequence *) stack; /* each came of a variant of the one below it */
  EO_VEC(sequence *) spare; /* for reuse */
  size_t next;              /* move to be taken in the execution under way */
  EO_VEC(also) also;
  EO_VEC(uint32_t) candidates; /* of the receive that is being looked at */
  EO_VEC(forbidden) forbidden;
  uint32_t slots[FORBIDDEN_SLOTS]; /* last in `forbidden` with such a hash, + 1; 0: none */
  EO_VEC(uint32_t) room;           /* clocks */
  uint64_t variants;               /* run so far */
  eo_scouts scouts;
  bool refuse;      /* the move that is chosen now */
  bool refused;     /* there were races that are none of messages; the first of them: */
  char what[2][80]; /* "register by P1.1" */
  bool no_tree;
  reach_tree tree;
  EO_VEC(uint64_t) groups;
  const struct eo_sequence_sink *sink; /* NULL: nobody wants them */
  eo_text lines;
  bool unwritten; /* its file could not be written */
  bool matched;   /* the last sequence is one that must never be: then that is its */
  eo_failure failure;
  bool lost; /* a variant could not be run: the program does not always do the same */
} reach;

/* reach.c */
bool eo__reach_is_forbidden(const reach *x, uint64_t hash);

/* reach_races.c */
bool eo__reach_note_choices(reach *x, const eo_point *point, uint32_t taken); /* false: no memory, as all below */
void eo__reach_look(reach *x); /* is the last event in a race that is none of messages? Then says so in `refused` */
uint64_t eo__reach_foretell(const reach *x, const eo_choice *choice);
bool eo__reach_copy(reach *x, sequence *q); /* its moves are those of the execution that was run */
bool eo__reach_collect(reach *x, sequence *q);

/* reach_tree.c */
bool eo__reach_store(reach *x, bool failed);
void eo__reach_tree_release(reach *x);

/* reach_variants.c: the next variant of *q, in its `chosen`; false: there is none. */
bool eo__reach_next_row(sequence *q, uint32_t *room);
bool eo__reach_keeps(const sequence *q, uint32_t position);           /* does the variant have this event as it was? */
bool eo__reach_has(const sequence *q, bool least, uint32_t position); /* or, `least`: does it need it? */
bool eo__reach_fits(const sequence *q, bool least, uint32_t *room);

#endif
