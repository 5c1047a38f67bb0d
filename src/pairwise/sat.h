/* sat.h: a solver of clauses over yes-no variables, some of which are in groups of which exactly one is true: the values
 * of a parameter. By conflict-driven clause learning (Marques-Silva and Sakallah 1996; watched literals and the first
 * unique implication point as in Moskewicz et al. 2001), under assumptions, so that what was learnt for one question
 * helps with the next (Een and Sorensson 2003). All memory is taken before the first question. */
#ifndef EO_PAIRWISE_SAT_H
#define EO_PAIRWISE_SAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

/* A variable or its negation. */
typedef uint32_t eo_literal;
static inline eo_literal eo_literal_of(uint32_t variable, bool positive) { return variable * 2 + !positive; }
static inline eo_literal eo_literal_not(eo_literal literal) { return literal ^ 1; }

typedef EO_VEC(eo_literal) eo_literals;

typedef struct eo_sat_group {
  uint32_t first; /* its variables follow one another */
  uint32_t count;
  const uint16_t *preferred; /* borrowed: all of 0 to count - 1, in the order to try them */
  uint32_t chosen;           /* which of its variables is true; EO_SAT_NONE: none yet */
  uint32_t last;             /* which was, the last time */
  double activity;           /* how much it had to do with recent conflicts */
} eo_sat_group;

#define EO_SAT_NONE UINT32_MAX

/* Why a variable has its value. */
typedef struct eo_sat_reason {
  enum { EO_SAT_DECISION, EO_SAT_CLAUSE, EO_SAT_GROUP, EO_SAT_LEVELS } kind;
  uint32_t data; /* the clause; the true variable of its group; all decisions up to that level */
} eo_sat_reason;

typedef struct eo_sat {
  uint32_t variables;
  EO_VEC(eo_sat_group) groups;
  EO_VEC(uint32_t) group_of; /* for each variable; EO_SAT_NONE */
  /* Clauses: size, the next clause that watches the first literal, and the second, then the literals. */
  EO_VEC(uint32_t) arena;
  eo_literals units; /* clauses of one literal */
  size_t given;      /* the arena up to here is what was given; then what was learnt */
  bool impossible;   /* whatever is assumed */

  uint32_t *watches; /* for each literal */
  uint8_t *values;   /* for each literal: OPEN, TRUE, FALSE of sat.c */
  uint32_t *levels;  /* for each variable */
  eo_sat_reason *reasons;
  eo_literal *trail; /* what is set, in order */
  uint32_t trail_count, propagated;
  uint32_t *level_starts; /* where in the trail level n + 1 begins */
  eo_literal *decisions;  /* that of level n + 1 */
  uint32_t level;
  uint8_t *seen;
  eo_literals learnt; /* scratch, with room for all */
  eo_literals core;   /* after a no: assumptions that cannot all be */
  double bump;
} eo_sat;

void eo__sat_init(eo_sat *sat);
void eo__sat_release(eo_sat *sat);

/* Building. False: no memory. */
bool eo__sat_variable(eo_sat *sat, uint32_t *variable);
bool eo__sat_group(eo_sat *sat, uint32_t count, const uint16_t *preferred, uint32_t *group);
bool eo__sat_clause(eo_sat *sat, eo_literals *literals); /* sorts them */
bool eo__sat_start(eo_sat *sat);

/* Can each of these groups have a true variable, with the assumptions (of different variables)? Yes: each has, until the
 * next question. With `ordered` the groups are decided in the order given, by preference: the result is then the first in
 * the order of preference, whatever was asked before. */
bool eo__sat_solve(eo_sat *sat, const eo_literal *assumptions, uint32_t count, const uint32_t *groups,
                   uint32_t group_count, bool ordered);

#endif
