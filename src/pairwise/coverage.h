/* coverage.h: how often each combination that must be covered is in a set of complete tests, kept while single values of
 * the tests change: the inner loop of the local search.
 *
 * Pairs, which most systems need, have two matrices of bits over all values of all parameters: is a pair in no row, is it
 * in just one? What a change would gain and lose is counted there, 64 pairs at a time. After the change the lines of the two
 * values are found anew from the rows that have them. Triples of all parameters have no counts either: which of them a
 * change gains and loses follows from the rows (coverage_triples.h). All else has groups of parameters, and a count for each
 * combination. Combinations that need not be covered, or cannot be, begin there with a count that never falls to 1, so that
 * the loops need not tell them apart.
 *
 * A set may be turned: every test then stands for as many as there are values, with a number added to all its values,
 * modulo how many there are (all parameters have as many). Combinations that differ by such a number are one. */
#ifndef EO_PAIRWISE_COVERAGE_H
#define EO_PAIRWISE_COVERAGE_H

#include "pairwise/bits.h"
#include "pairwise/system.h"

enum {
  EO__COVERAGE_UNWANTED = 0x8000,
  EO__COVERAGE_MOST_ROWS = 0x7ffe,
  EO__COVERAGE_MOST = 1 << 26
}; /* combinations */

typedef struct eo__coverage_group {
  uint32_t first; /* the number of the combination of values 0 */
  uint32_t order;
  uint32_t params[EO_PAIRWISE_MAX_ORDER];
  uint32_t strides[EO_PAIRWISE_MAX_ORDER];
} eo__coverage_group;

/* A group that a parameter is in, and its stride there. */
typedef struct eo__coverage_entry {
  uint32_t group;
  uint32_t stride;
} eo__coverage_entry;

/* The rows that a search changes. Invariant: `having` says of each value which rows have it, `sets` of each row which values
 * it has, and `alone` of each cell how many combinations that it is part of no other row covers. */
typedef struct eo__coverage_rows {
  uint32_t words;   /* of a set of rows */
  uint64_t *having; /* for each value of each parameter */
  uint64_t *sets;   /* for each row; NULL: not for pairs */
  uint32_t *alone;  /* for each cell; NULL: for pairs and turns, which have no need of it */
  uint64_t *planes; /* for triples: of each row, bit by bit of the values, the parameters whose value has the bit */
  uint64_t *same;   /* for triples, scratch: for each row a set of parameters */
} eo__coverage_rows;

/* Invariant: `list` holds the `uncovered` numbers of combinations that no row has, and `place` where. A pair's number is its
 * place in a matrix, above the diagonal. */
typedef struct eo__coverage {
  const eo_pairwise_system *system;
  bool pairs, triples;
  uint32_t turns;       /* 0: not turned */
  uint32_t *base;       /* of each parameter: the number of its value 0 among all values of all parameters */
  uint32_t *param;      /* of each such number */
  uint32_t total;       /* values of all parameters */
  uint64_t *alive;      /* the values that are possible by themselves */
  uint32_t words;       /* of a set of values */
  size_t size;          /* numbers of combinations */
  uint16_t *counts;     /* NULL: pairs and triples */
  uint64_t *zero, *one; /* for pairs: of each value, with which others it is in no row; and in one; if that is wanted */
  uint64_t *unwanted;   /* for pairs: of each value, with which others it need not be */
  uint64_t *scratch;    /* for pairs: two sets of values */
  const eo__bits *bits;
  EO_VEC(eo__coverage_group) groups; /* not for pairs */
  uint32_t order;                    /* of all groups; 0: they differ */
  eo__coverage_entry *entries;       /* those of a parameter follow one another */
  uint32_t *entry_first;             /* of each parameter, and one past the end */
  uint32_t *list, *place;
  uint32_t *starts;        /* of each so many combinations the group of the first; not for pairs */
  uint32_t *firsts;        /* for triples: of two parameters, the number of their first combination with a later one */
  uint32_t sets;           /* for triples: words of a set of parameters */
  uint32_t digits;         /* for triples: bits of a value */
  eo__coverage_rows *rows; /* NULL: nobody searches */
  uint32_t uncovered;
  bool (*stop)(void *context); /* while it is opened; NULL: nobody stops it */
  void *context;
  uint32_t fewest; /* tests: no set can be smaller, since some parameters have so many combinations to be covered */
} eo__coverage;

typedef struct eo__coverage_tuple {
  uint32_t order;
  uint32_t params[EO_PAIRWISE_MAX_ORDER];
  uint16_t values[EO_PAIRWISE_MAX_ORDER];
} eo__coverage_tuple;

/* `turned`: all parameters have equally many values, and everything is possible. With many constraints it takes long, and
 * `stop` is asked often; it may be NULL. EO_EINPUT: stopped, or too large to keep counts for. */
int eo__coverage_open(eo__coverage *coverage, const eo_pairwise_system *system, bool turned,
                      bool (*stop)(void *context), void *context, eo_error *error);
void eo__coverage_close(eo__coverage *coverage);

/* The set of values that a complete row has: `words` words. */
static inline uint64_t *eo__coverage_set(const eo__coverage *coverage, uint32_t r) {
  return coverage->rows->sets + (size_t)r * coverage->words;
}

static inline uint64_t *eo__coverage_having(const eo__coverage *coverage, uint32_t param, uint16_t value) {
  return coverage->rows->having + (size_t)(coverage->base[param] + value) * coverage->rows->words;
}

/* Counts a complete row, number `r` of the rows if there are some, or takes it back (by 1 or -1). It is not among those that
 * `having` tells; its set is there if it is counted. */
void eo__coverage_row(eo__coverage *coverage, const uint16_t *row, uint32_t r, int by);
/* Takes back these complete rows, which are all that are counted. For pairs and triples none is looked at. */
void eo__coverage_clear(eo__coverage *coverage, const uint16_t *rows, uint32_t count);
/* By how much `uncovered` would grow if row r had another value there. The row is as before afterwards. */
int32_t eo__coverage_delta(const eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value);
/* Of the rows, at most one is impossible, which changes. It is not among those that `having` tells of the old and of the new
 * value; its set is already that with the new one. */
void eo__coverage_change(eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value);
/* How many combinations only this row covers; not for triples. */
uint32_t eo__coverage_alone(const eo__coverage *coverage, const uint16_t *row, uint32_t r);
void eo__coverage_tuple_of(const eo__coverage *coverage, uint32_t number, eo__coverage_tuple *tuple);

/* For the files that count: finds out what is `alive`. Are the values possible together? `scratch` is a row of EO_PAIRWISE_ANY. Shall it stop? And the
 * list of what is not covered. */
void eo__coverage_find_alive(eo__coverage *coverage, uint16_t *scratch);
bool eo__coverage_possible(const eo__coverage *coverage, uint16_t *scratch, const uint32_t *params,
                           const uint16_t *values, uint32_t count);
bool eo__coverage_stopped(const eo__coverage *coverage, eo_error *error);

static inline void eo__coverage_list_add(eo__coverage *coverage, uint32_t number) {
  coverage->place[number] = coverage->uncovered;
  coverage->list[coverage->uncovered++] = number;
}

static inline void eo__coverage_list_remove(eo__coverage *coverage, uint32_t number) {
  uint32_t at = coverage->place[number], last = coverage->list[--coverage->uncovered];
  coverage->list[at] = last;
  coverage->place[last] = at;
}

#endif
