/* best.c: the smallest set of tests in the time allowed. A first set comes from in-parameter-order growth (ipo.c), or
 * from an algebraic array for the parameters with the most values (algebra.c, starter.c) that growth extends to the
 * others, whichever is smaller. Local search then takes rows out of it (search.c), for a bounded number of steps if no
 * time is allowed. */
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "pairwise/algebra.h"
#include "pairwise/growth.h"
#include "pairwise/search.h"
#include "pairwise/starter.h"

enum { STEPS_OF_A_ROUND = 1000, MOST_LEVELS = 8 };
#define QUICK_WORK 4e6 /* counts looked at: some ten milliseconds */

typedef struct best_state {
  const eo_pairwise_system *system;
  const eo_pairwise_effort *effort;
  eo_pairwise_rows *rows; /* the smallest set known, once `known` */
  const eo_pairwise_rows *given;
  bool known;
  uint32_t order; /* the highest */
  eo_rng rng;
  double began;
} best_state;

static int copy_rows(eo_pairwise_rows *to, const eo_pairwise_rows *from, eo_error *error) {
  eo__pairwise_rows_init(to, from->params);
  if (!eo_vec_reserve(&to->values, from->values.count)) return eo__error_nomem(error);
  if (from->values.count) memcpy(to->values.items, from->values.items, from->values.count * sizeof *to->values.items);
  to->values.count = from->values.count;
  return EO_OK;
}

/* Keeps the smaller of the known set and the other, and releases the larger. */
static void keep_smaller(best_state *b, eo_pairwise_rows *other) {
  if (!b->known || eo_pairwise_rows_count(other) < eo_pairwise_rows_count(b->rows)) {
    eo_pairwise_rows smaller = *other;
    *other = *b->rows;
    *b->rows = smaller;
    b->known = true;
  }
  eo__pairwise_rows_release(other);
}

/* ---- Beginnings --------------------------------------------------------------------------------------------------- */

/* Puts an array over as many columns as there are parameters with at least `level` values into rows of the system. */
static int spread(best_state *b, const eo_pairwise_rows *array, uint32_t level, eo_pairwise_rows *rows,
                  eo_error *error) {
  const eo_pairwise_system *system = b->system;
  for (uint32_t r = 0; r < eo_pairwise_rows_count(array); r++) {
    if (!eo__pairwise_rows_add(rows, NULL)) return eo__error_nomem(error);
    uint16_t *row = eo_pairwise_row(rows, eo_pairwise_rows_count(rows) - 1);
    const uint16_t *from = eo_pairwise_row(array, r);
    for (uint32_t i = 0, column = 0; i < system->params; i++) {
      if (system->values[i] < level) continue;
      row[i] = from[column] < system->values[i] ? from[column] : EO_PAIRWISE_ANY;
      column++;
    }
  }
  return EO_OK;
}

/* The array, extended to the other parameters. */
static int begin_with_array(best_state *b, const eo_pairwise_rows *array, uint32_t level, eo_error *error) {
  eo_pairwise_rows rows;
  eo__pairwise_rows_init(&rows, b->system->params);
  int code = spread(b, array, level, &rows, error);
  if (!code) code = eo__growth_ipo(b->system, &rows, NULL, error);
  if (code)
    eo__pairwise_rows_release(&rows);
  else
    keep_smaller(b, &rows);
  return code;
}

static int begin_at_level(best_state *b, uint32_t columns, uint32_t values, uint32_t level, eo_error *error) {
  eo_pairwise_rows array, turned;
  uint32_t known = b->known ? eo_pairwise_rows_count(b->rows) : UINT32_MAX - 1;
  uint32_t size = eo__algebra_size(columns, values, b->order, known);
  bool quick = b->effort->seconds <= 0;
  eo__starter_limit limit = {.fixed = 2, .steps = 500000 / columns, .attempts = 1};
  if (!quick) {
    uint64_t steps = b->effort->rounds * STEPS_OF_A_ROUND;
    limit = (eo__starter_limit){values, steps && steps < 200000 ? steps : 200000, 12, 0};
    limit.until = b->began + b->effort->seconds / 4;
  }
  eo__pairwise_rows_init(&array, columns);
  eo__pairwise_rows_init(&turned, columns);
  int code = size ? eo__algebra_build(columns, values, b->order, &array, error) : EO_OK;
  if (!code && size) code = begin_with_array(b, &array, level, error);
  if (!code && b->order == 2 && values > 2)
    code = eo__starter_array(&turned, values, b->known ? eo_pairwise_rows_count(b->rows) : UINT32_MAX, &limit, &b->rng,
                             error);
  if (!code && turned.values.count) code = begin_with_array(b, &turned, level, error);
  eo__pairwise_rows_release(&array);
  eo__pairwise_rows_release(&turned);
  return code;
}

/* For the parameters of the most values, then with those of the next fewer values, and so on. */
static int begin_with_arrays(best_state *b, eo_error *error) {
  const eo_pairwise_system *system = b->system;
  uint32_t most = 0, level;
  for (uint32_t i = 0; i < system->params; i++)
    if (system->values[i] > most) most = system->values[i];
  level = most;
  for (uint32_t round = 0; level > 1 && round < MOST_LEVELS; round++) {
    uint32_t columns = 0, next = 0;
    for (uint32_t i = 0; i < system->params; i++) {
      columns += system->values[i] >= level;
      if (system->values[i] < level && system->values[i] > next) next = system->values[i];
    }
    int code = begin_at_level(b, columns, most, level, error);
    if (code) return code;
    level = next;
  }
  return EO_OK;
}

static int begin(best_state *b, eo_error *error) {
  eo_pairwise_rows rows;
  int code = copy_rows(&rows, b->given, error);
  if (!code) code = eo__growth_ipo(b->system, &rows, NULL, error);
  if (code) {
    eo__pairwise_rows_release(&rows);
    return code;
  }
  keep_smaller(b, &rows);
  if (b->system->possible || eo_pairwise_rows_count(b->given)) return EO_OK;
  return begin_with_arrays(b, error);
}

/* ---- Search ------------------------------------------------------------------------------------------------------- */

/* About how many counts one step of the search looks at. */
static double work_of_a_step(const best_state *b) {
  const eo_pairwise_system *system = b->system;
  double sets = 0, values = 0;
  for (uint32_t i = 0; i < system->relation_count; i++) {
    double ways = system->relations[i].count;
    for (uint32_t k = 1; k < system->relations[i].order; k++) ways = ways * (system->relations[i].count - k) / (k + 1);
    sets += ways * system->relations[i].order / system->params;
  }
  for (uint32_t i = 0; i < system->params; i++) values += system->values[i];
  double rows = eo_pairwise_rows_count(b->rows);
  for (uint32_t k = 1; k < b->order; k++) rows /= values / system->params;
  return sets * b->order * (rows + 1) + 1;
}

/* No set can be smaller: all combinations of some parameters need a test each. */
static uint32_t fewest(const eo_pairwise_system *system) {
  uint64_t bound = 1;
  for (uint32_t r = 0; !system->possible && r < system->relation_count; r++) {
    const eo_pairwise_relation *relation = &system->relations[r];
    uint32_t largest[EO_PAIRWISE_MAX_ORDER] = {0}, pivot = relation->pivot;
    uint32_t free = relation->order - (pivot != EO_PAIRWISE_NO_PIVOT);
    for (uint32_t i = 0; i < relation->count; i++) {
      uint32_t values = relation->params[i] == pivot ? 0 : system->values[relation->params[i]];
      for (uint32_t k = 0; k < free; k++)
        if (values > largest[k]) {
          uint32_t smaller = largest[k];
          largest[k] = values;
          values = smaller;
        }
    }
    uint64_t product = pivot != EO_PAIRWISE_NO_PIVOT ? system->values[pivot] : 1;
    for (uint32_t k = 0; k < free; k++) product *= product < UINT32_MAX ? largest[k] : 1;
    if (product > bound) bound = product;
  }
  return bound < UINT32_MAX ? (uint32_t)bound : UINT32_MAX;
}

static bool all_alike(const eo_pairwise_system *system) {
  for (uint32_t i = 1; i < system->params; i++)
    if (system->values[i] != system->values[0]) return false;
  return !system->possible && system->params && system->values[0] > 1;
}

static int add_turns(const eo_pairwise_rows *turned, uint32_t values, eo_pairwise_rows *rows, eo_error *error) {
  for (uint32_t r = 0; r < eo_pairwise_rows_count(turned); r++)
    for (uint32_t by = 0; by < values; by++) {
      if (!eo__pairwise_rows_add(rows, eo_pairwise_row(turned, r))) return eo__error_nomem(error);
      uint16_t *row = eo_pairwise_row(rows, eo_pairwise_rows_count(rows) - 1);
      for (uint32_t i = 0; i < rows->params; i++) row[i] = (uint16_t)((row[i] + by) % values);
    }
  return EO_OK;
}

/* Where all parameters have equally many values: a search for rows that stand for all their turns has a smaller space,
 * and may find what the search for single rows does not reach. *rows has nothing yet. */
static int search_turned(best_state *b, eo__search_limit limit, eo_pairwise_rows *rows, eo_error *error) {
  uint32_t values = b->system->values[0];
  eo_pairwise_rows turned, none;
  eo__pairwise_rows_init(&none, b->rows->params);
  int code = copy_rows(&turned, b->rows, error);
  limit.turned = true;
  limit.target = (limit.target + values - 1) / values;
  limit.until = b->began + b->effort->seconds * 0.4;
  if (!code) code = eo__search_thin(b->system, &turned, true, error);
  if (!code) code = eo__search(b->system, &none, &turned, &b->rng, &limit, error);
  if (!code) code = add_turns(&turned, values, rows, error);
  eo__pairwise_rows_release(&turned);
  return code;
}

static int improve(best_state *b, eo_error *error) {
  eo__search_limit limit = {.effort = b->effort, .began = b->began, .steps = UINT64_MAX};
  limit.target = fewest(b->system);
  if (eo_pairwise_rows_count(b->rows) <= limit.target) return EO_OK;
  if (b->effort->seconds > 0) {
    limit.until = b->began + b->effort->seconds;
    if (eo__seconds() > limit.until) return EO_OK;
    if (b->effort->rounds) limit.steps = b->effort->rounds * STEPS_OF_A_ROUND;
  } else {
    limit.steps = (uint64_t)(QUICK_WORK / work_of_a_step(b));
    limit.dropping = (uint64_t)(QUICK_WORK * 25);
    if (limit.steps < 20) return EO_OK;
  }
  eo__search_complete(b->system, b->rows, &b->rng);
  int code = EO_OK;
  bool turned = b->order > 2 && b->effort->seconds > 0 && all_alike(b->system) && !eo_pairwise_rows_count(b->given);
  eo_pairwise_rows rows;
  eo__pairwise_rows_init(&rows, b->rows->params);
  if (turned) code = search_turned(b, limit, &rows, error);
  turned = turned && rows.values.count;
  /* From what there was before: a turned set is a dead end for the search of single rows, and often the larger one. */
  if (!code) code = eo__search(b->system, b->given, b->rows, &b->rng, &limit, error);
  if (!code && turned)
    keep_smaller(b, &rows);
  else
    eo__pairwise_rows_release(&rows);
  return code;
}

/* What is too large to search in stays as it began. */
static int finish(best_state *b, eo_error *error) {
  eo_error refused = {0};
  int code = improve(b, &refused);
  if ((!code || code == EO_EINPUT) && b->system->weights) {
    eo__search_complete(b->system, b->rows, &b->rng);
    code = eo__search_weigh(b->system, b->given, b->rows, &refused);
  }
  if (code == EO_EINPUT) return EO_OK;
  if (code && error) *error = refused;
  return code;
}

int eo__pairwise_best(const eo_pairwise_system *system, const eo_pairwise_effort *effort, eo_pairwise_rows *rows,
                      eo_error *error) {
  eo_pairwise_rows given;
  best_state b = {.system = system, .effort = effort, .rows = rows, .given = &given, .began = eo__seconds()};
  int code = copy_rows(&given, rows, error);
  for (uint32_t i = 0; i < system->relation_count; i++)
    if (system->relations[i].order > b.order) b.order = system->relations[i].order;
  eo__rng_init(&b.rng, effort->seed);
  if (!code) code = begin(&b, error);
  if (!code) code = finish(&b, error);
  eo__pairwise_rows_release(&given);
  return code;
}
