/* system.h: what the generators of test sets work on: parameters as mere numbers of values, which combinations of them
 * must be covered, and a way to ask whether a partial test can be completed. Names, types and the language of
 * constraints are above this (model.h); sub-models and invalid values too, which become systems of their own
 * (generate.h). */
#ifndef EO_PAIRWISE_SYSTEM_H
#define EO_PAIRWISE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

enum { EO_PAIRWISE_MAX_ORDER = 6 };

/* Not chosen: any value will do. */
#define EO_PAIRWISE_ANY UINT16_MAX

#define EO_PAIRWISE_ALONE UINT32_MAX /* see eo_pairwise_system.component */

/* Every `order` of these parameters (of those that include `pivot`, if there is one): each possible combination of their
 * values must be in some test. Invariant: `params` ascends; 1 <= order <= count, order <= EO_PAIRWISE_MAX_ORDER; the
 * pivot is among them. */
typedef struct eo_pairwise_relation {
  const uint32_t *params;
  uint32_t count;
  uint32_t order;
  uint32_t pivot; /* EO_PAIRWISE_NO_PIVOT: none */
} eo_pairwise_relation;

#define EO_PAIRWISE_NO_PIVOT UINT32_MAX

typedef struct eo_pairwise_system {
  uint32_t params;
  const uint16_t *values; /* how many each parameter has, at least 1, below EO_PAIRWISE_ANY */
  const eo_pairwise_relation *relations;
  uint32_t relation_count;
  /* May the values chosen in `row` (the others are EO_PAIRWISE_ANY) be completed to a valid test? Exact: never a guess.
   * NULL: every combination is possible. Generators call it very often, with rows that differ in few places. */
  bool (*possible)(void *context, const uint16_t *row);
  /* For local search; either may be NULL where `possible` is not. A complete row was valid before it got its value of
   * `param`: is it still? And: completes a partial row by values of `near`, a valid row, wherever it may keep them, and
   * by others where not; false: impossible, and the row is as before. */
  bool (*still)(void *context, const uint16_t *row, uint32_t param);
  bool (*near)(void *context, uint16_t *row, const uint16_t *near);
  /* `possible` of a row that has only these values; NULL: ask that. */
  bool (*together)(void *context, const uint32_t *params, const uint16_t *values, uint32_t count);
  /* A possible row got its value of `param`: is it still possible? NULL: ask `possible`. */
  bool (*extends)(void *context, const uint16_t *row, uint32_t param);
  /* Where there is `together`: values of parameters with different numbers here are possible together whenever each is by
   * itself; EO_PAIRWISE_ALONE differs from itself, too, and such a parameter's values are all possible. NULL: not known. */
  const uint32_t *component;
  void *context;
  /* Among values that are as good as one another, the heavier one is preferred: [param][value]; NULL: all the same. */
  const uint32_t *const *weights;
} eo_pairwise_system;

/* Tests, one row after the other; a row has `params` values. */
typedef struct eo_pairwise_rows {
  uint32_t params;
  EO_VEC(uint16_t) values;
} eo_pairwise_rows;

static inline uint32_t eo_pairwise_rows_count(const eo_pairwise_rows *rows) {
  return rows->params ? (uint32_t)(rows->values.count / rows->params) : 0;
}
static inline uint16_t *eo_pairwise_row(const eo_pairwise_rows *rows, uint32_t row) {
  return rows->values.items + (size_t)row * rows->params;
}
void eo__pairwise_rows_init(eo_pairwise_rows *rows, uint32_t params);
void eo__pairwise_rows_release(eo_pairwise_rows *rows);
bool eo__pairwise_rows_add(eo_pairwise_rows *rows,
                           const uint16_t *row); /* NULL: a row of EO_PAIRWISE_ANY. False: no memory */

typedef struct eo_pairwise_effort {
  uint64_t seed;   /* the same seed and the same `rounds`: the same tests */
  double seconds;  /* stop improving then; 0: the one quick pass only. What is found in time depends on the machine */
  uint64_t rounds; /* stop improving after so many rounds of whatever the algorithm repeats; 0: no such bound */
  bool (*progress)(void *context, uint32_t tests, double elapsed); /* may be NULL; false: stop improving now */
  void *context;
} eo_pairwise_effort;

/* Adds tests to `rows` until everything is covered. The rows that are there already stay, in their places, and count;
 * their EO_PAIRWISE_ANY may be given values. Afterwards a row may still hold EO_PAIRWISE_ANY where it does not matter, and
 * is possible. Combinations that are impossible are left out. Error: no memory, or a system that this algorithm refuses. */
typedef int eo_pairwise_algorithm(const eo_pairwise_system *system, const eo_pairwise_effort *effort,
                                  eo_pairwise_rows *rows, eo_error *error);

eo_pairwise_algorithm eo__pairwise_ipo;    /* Lei's dissertation, figures 4.1, 4.2, 4.4 to 4.6 as published */
eo_pairwise_algorithm eo__pairwise_ipo_ec; /* figure 4.3 for horizontal growth; refuses what it cannot finish */
eo_pairwise_algorithm eo__pairwise_best;   /* the smallest set in the time allowed; quick where that is 0 */

#endif
