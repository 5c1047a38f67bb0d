/* starter.c: cover starters (Meagher and Stevens: "Group construction of covering arrays", 2005; Lobb, Colbourn, Danziger,
 * Stevens, Torres-Jimenez: "Cover starters for covering arrays of strength two", 2012).
 *
 * A row is the vector moved along the columns, with a number added to its turning symbols, modulo how many of them there
 * are; fixed symbols stay. Over all moves and all numbers, two columns at distance d show every pair if over all places i
 * of the vector, the symbols at i and i + d have every difference, and every fixed symbol stands before and after a
 * turning one. Pairs of fixed symbols are left to another array. The vector is found by annealing at one temperature.
 *
 * More fixed symbols make fewer rows, and vectors harder to find; an odd number of columns makes it easier. */
#include "pairwise/starter.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "pairwise/algebra.h"

typedef struct starter {
  uint16_t *vector;
  uint32_t columns, turning, fixed, kinds;
  uint32_t *counts; /* for each distance from 1 to columns / 2 and each kind of pair */
  uint32_t missing; /* how many of them are 0 */
} starter;

static uint32_t kind_of(const starter *s, uint32_t a, uint32_t b) {
  if (a < s->turning && b < s->turning) return b >= a ? b - a : b + s->turning - a;
  if (a < s->turning) return b; /* turning to turning + fixed - 1 */
  if (b < s->turning) return a + s->fixed;
  return UINT32_MAX;
}

static void count(starter *s, uint32_t distance, uint32_t a, uint32_t b, int by) {
  uint32_t kind = kind_of(s, a, b);
  if (kind == UINT32_MAX) return;
  uint32_t *counter = &s->counts[(distance - 1) * s->kinds + kind];
  if (by > 0)
    s->missing -= (*counter)++ == 0;
  else
    s->missing += --*counter == 0;
}

/* All pairs that the symbol at a place is in. */
static void count_place(starter *s, uint32_t place, int by) {
  uint32_t half = s->columns / 2;
  for (uint32_t d = 1; d <= half; d++) {
    uint32_t after = place + d < s->columns ? place + d : place + d - s->columns;
    uint32_t before = place >= d ? place - d : place + s->columns - d;
    count(s, d, s->vector[place], s->vector[after], by);
    count(s, d, s->vector[before], s->vector[place], by);
  }
}

static void randomise(starter *s, eo_rng *rng) {
  uint32_t half = s->columns / 2;
  memset(s->counts, 0, (size_t)half * s->kinds * sizeof *s->counts);
  s->missing = half * s->kinds;
  for (uint32_t i = 0; i < s->columns; i++) s->vector[i] = (uint16_t)eo__rng_below(rng, s->turning + s->fixed);
  for (uint32_t i = 0; i < s->columns; i++)
    for (uint32_t d = 1; d <= half; d++) count(s, d, s->vector[i], s->vector[(i + d) % s->columns], 1);
}

/* False: none found. `work` has room for columns / 2 * (turning + 2 * fixed) numbers. */
static bool find(uint16_t *vector, uint32_t columns, uint32_t turning, uint32_t fixed, uint32_t *work, uint64_t steps,
                 eo_rng *rng) {
  /* exp(-worse / 0.45), as a part of 2^32 */
  static const uint32_t accepted[] = {UINT32_MAX, 465395362, 50429092, 5464372, 592104, 64159, 6952, 753};
  enum { WORST = sizeof accepted / sizeof *accepted };
  starter s = {.vector = vector, .columns = columns, .turning = turning, .fixed = fixed, .counts = work};
  s.kinds = turning + 2 * fixed;
  randomise(&s, rng);
  for (uint64_t step = 0; s.missing && step < steps; step++) {
    uint32_t place = eo__rng_below(rng, columns), before = s.missing;
    uint16_t old = vector[place];
    count_place(&s, place, -1);
    vector[place] = (uint16_t)eo__rng_below(rng, turning + fixed);
    count_place(&s, place, 1);
    if (s.missing <= before) continue;
    uint32_t worse = s.missing - before;
    if (worse < WORST && (uint32_t)(eo__rng_next(rng) >> 32) < accepted[worse]) continue;
    count_place(&s, place, -1);
    vector[place] = old;
    count_place(&s, place, 1);
  }
  return s.missing == 0;
}

static int build(const uint16_t *vector, uint32_t columns, uint32_t turning, eo_pairwise_rows *rows, eo_error *error) {
  for (uint32_t move = 0; move < columns; move++)
    for (uint32_t number = 0; number < turning; number++) {
      if (!eo__pairwise_rows_add(rows, NULL)) return eo__error_nomem(error);
      uint16_t *row = eo_pairwise_row(rows, eo_pairwise_rows_count(rows) - 1);
      for (uint32_t i = 0; i < columns; i++) {
        uint16_t symbol = vector[(i + move) % columns];
        row[i] = symbol < turning ? (uint16_t)((symbol + number) % turning) : symbol;
      }
    }
  return EO_OK;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = 128, EXTRA_COLUMNS = 3 };

/* All pairs of the fixed symbols: a set of tests for parameters that have only these. */
static int fixed_rows(uint32_t columns, uint32_t fixed, eo_rng *rng, eo_pairwise_rows *rows, eo_error *error) {
  uint16_t values[MOST_COLUMNS];
  uint32_t params[MOST_COLUMNS];
  eo_pairwise_relation relation = {params, columns, 2, EO_PAIRWISE_NO_PIVOT};
  eo_pairwise_system system = {.params = columns, .values = values, .relations = &relation, .relation_count = 1};
  eo_pairwise_effort effort = {.seed = eo__rng_next(rng)};
  for (uint32_t i = 0; i < columns; i++) {
    params[i] = i;
    values[i] = (uint16_t)fixed;
  }
  if (fixed == 0) return EO_OK;
  if (fixed == 2 && columns > 2) return eo__algebra_build(columns, 2, 2, rows, error);
  return eo__pairwise_best(&system, &effort, rows, error);
}

/* The array of a vector and of its fixed symbols, without the columns that are too many. */
static int assemble(eo_pairwise_rows *array, const eo_pairwise_rows *turned, const eo_pairwise_rows *fixed,
                    uint32_t turning, eo_error *error) {
  eo_vec_clear(&array->values);
  for (uint32_t r = 0; r < eo_pairwise_rows_count(turned); r++)
    if (!eo__pairwise_rows_add(array, eo_pairwise_row(turned, r))) return eo__error_nomem(error);
  for (uint32_t r = 0; r < eo_pairwise_rows_count(fixed); r++) {
    if (!eo__pairwise_rows_add(array, NULL)) return eo__error_nomem(error);
    uint16_t *row = eo_pairwise_row(array, eo_pairwise_rows_count(array) - 1);
    for (uint32_t i = 0; i < array->params; i++)
      if (eo_pairwise_row(fixed, r)[i] != EO_PAIRWISE_ANY) row[i] = (uint16_t)(eo_pairwise_row(fixed, r)[i] + turning);
  }
  return EO_OK;
}

/* Adds to the array if there was a vector, and tells so by *below, as many rows as the array then has. */
static int attempt(eo_pairwise_rows *array, uint32_t columns, uint32_t turning, const eo_pairwise_rows *rest,
                   uint32_t fixed, uint32_t *below, const eo__starter_limit *limit, eo_rng *rng, eo_error *error) {
  uint16_t vector[MOST_COLUMNS];
  eo_pairwise_rows turned;
  uint32_t size = columns * turning + eo_pairwise_rows_count(rest);
  if (size >= *below || turning + 2 * fixed > columns) return EO_OK;
  uint32_t *work = eo__alloc((size_t)columns * (turning + 2 * fixed) * sizeof *work);
  if (!work) return eo__error_nomem(error);
  eo__pairwise_rows_init(&turned, columns);
  bool found = find(vector, columns, turning, fixed, work, limit->steps, rng);
  int code = found ? build(vector, columns, turning, &turned, error) : EO_OK;
  if (found && !code) code = assemble(array, &turned, rest, turning, error);
  if (found && !code) *below = size;
  eo__free(work);
  eo__pairwise_rows_release(&turned);
  return code;
}

/* All attempts with so many fixed symbols; once there is a vector, few more for one of fewer columns. */
static int attempts(eo_pairwise_rows *array, uint32_t turning, uint32_t fixed, uint32_t *below,
                    const eo__starter_limit *limit, eo_rng *rng, eo_error *error) {
  uint32_t widest = array->params + EXTRA_COLUMNS - 1, before = *below, left = limit->attempts;
  eo_pairwise_rows rest;
  if (widest > MOST_COLUMNS || array->params < 3 || turning + 2 * fixed > widest || array->params * turning >= *below)
    return EO_OK;
  eo__pairwise_rows_init(&rest, array->params);
  int code = fixed_rows(array->params, fixed, rng, &rest, error);
  while (!code && left-- > 0) {
    for (uint32_t extra = 0; !code && extra < EXTRA_COLUMNS; extra++) {
      uint32_t columns = array->params % 2 || extra > 1 ? array->params + extra : array->params + 1 - extra;
      if (limit->until > 0 && eo__seconds() > limit->until) break;
      code = attempt(array, columns, turning, &rest, fixed, below, limit, rng, error);
    }
    if (*below < before && left > 2) left = 2;
  }
  eo__pairwise_rows_release(&rest);
  return code;
}

int eo__starter_array(eo_pairwise_rows *array, uint32_t values, uint32_t below, const eo__starter_limit *limit,
                      eo_rng *rng, eo_error *error) {
  uint32_t failed = 0;
  int code = EO_OK;
  for (uint32_t fixed = 0; !code && failed < 2 && fixed + 1 < values && fixed <= limit->fixed; fixed++) {
    uint32_t before = below;
    code = attempts(array, values - fixed, fixed, &below, limit, rng, error);
    failed = below < before || (uint64_t)array->params * (values - fixed) >= before ? 0 : failed + 1;
  }
  return code;
}
