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

enum {
  STEPS_OF_A_ROUND = 1000,
  MOST_LEVELS = 8,
  FIRST_STEPS = 10000,
  FIRST_CHEAP_STEPS = 100000,
  STARTER_STEPS = 20000,
  LONG_TENURE = 10,
  SHORT_TENURE = 4
};
#define LONGER 1.5     /* each pass than the one before */
#define QUICK_WORK 4e6 /* counts looked at: some ten milliseconds */

typedef struct best_state {
  const eo_pairwise_system *system;
  const eo_pairwise_effort *effort;
  eo_pairwise_rows *rows; /* the smallest set known, once `known` */
  const eo_pairwise_rows *given;
  bool known;
  uint32_t order; /* the highest */
  eo_rng rng;
  double began, asked;
  bool told;             /* to stop */
  eo__coverage coverage; /* of single rows */
} best_state;

/* Whoever said stop is not asked again. */
static bool on_progress(void *context, uint32_t tests, double elapsed) {
  best_state *b = context;
  const eo_pairwise_effort *effort = b->effort;
  if (!b->told && effort->progress && !effort->progress(effort->context, tests, elapsed)) b->told = true;
  return !b->told;
}

/* While it is found out what is possible; there is a set already. */
static bool stops(void *context) {
  best_state *b = context;
  double now = eo__seconds_coarse();
  if (b->effort->seconds > 0 && now - b->began > b->effort->seconds) return true;
  if (now - b->asked < 0.05) return b->told;
  b->asked = now;
  return !on_progress(b, eo_pairwise_rows_count(b->rows), now - b->began);
}

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

/* Of a beginning: rows only get more, and more than are known already are of no use. */
static bool on_growth(void *context, uint32_t tests, double elapsed) {
  best_state *b = context;
  return !(b->known && tests >= eo_pairwise_rows_count(b->rows)) && on_progress(b, tests, elapsed);
}

/* Growth within what is left of the time. */
static int grow(best_state *b, eo_pairwise_rows *rows, eo_rng *rng, eo_error *error) {
  eo_pairwise_effort effort = {.progress = rng ? on_progress : on_growth, .context = b};
  if (b->effort->seconds > 0) effort.seconds = b->began + b->effort->seconds - eo__seconds();
  if (effort.seconds < 0) effort.seconds = 1e-9;
  return eo__growth_ipo(b->system, &effort, rows, true, rng, error);
}

/* ---- Beginnings --------------------------------------------------------------------------------------------------- */

/* Can the row, which is possible, have this value? */
static bool takes(const eo_pairwise_system *system, uint16_t *row, uint32_t param, uint16_t value) {
  if (value >= system->values[param]) return false;
  if (!system->possible) return true;
  row[param] = value;
  bool good = system->extends ? system->extends(system->context, row, param) : system->possible(system->context, row);
  row[param] = EO_PAIRWISE_ANY;
  return good;
}

/* Puts an array over as many columns as there are parameters with at least `level` values into rows of the system. What a
 * row cannot have stays open. */
static int spread(best_state *b, const eo_pairwise_rows *array, uint32_t level, eo_pairwise_rows *rows,
                  eo_error *error) {
  const eo_pairwise_system *system = b->system;
  for (uint32_t r = 0; r < eo_pairwise_rows_count(array); r++) {
    if (!eo__pairwise_rows_add(rows, NULL)) return eo__error_nomem(error);
    uint16_t *row = eo_pairwise_row(rows, eo_pairwise_rows_count(rows) - 1);
    const uint16_t *from = eo_pairwise_row(array, r);
    for (uint32_t i = 0, column = 0; i < system->params; i++) {
      if (system->values[i] < level) continue;
      if (takes(system, row, i, from[column])) row[i] = from[column];
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
  if (!code) code = grow(b, &rows, NULL, error);
  if (code)
    eo__pairwise_rows_release(&rows);
  else
    keep_smaller(b, &rows);
  return code == EO_EINPUT ? EO_OK : code; /* stopped: there is a set already */
}

static int begin_at_level(best_state *b, bool quick, uint32_t columns, uint32_t values, uint32_t level,
                          eo_error *error) {
  eo_pairwise_rows array, turned;
  uint32_t known = b->known ? eo_pairwise_rows_count(b->rows) : UINT32_MAX - 1;
  uint32_t size = eo__algebra_size(columns, values, b->order, known);
  eo__starter_limit limit = {.fixed = 2, .steps = 500000 / columns, .attempts = 1};
  if (!quick) {
    limit = (eo__starter_limit){values, STARTER_STEPS, 12, 0};
    limit.until = b->began + b->effort->seconds / 4;
  }
  eo__pairwise_rows_init(&array, columns);
  eo__pairwise_rows_init(&turned, columns);
  int code = size ? eo__algebra_build(columns, values, b->order, &array, error) : EO_OK;
  if (!code && size) code = begin_with_array(b, &array, level, error);
  if (!code && b->order == 2 && values > 2 && !b->system->possible)
    code = eo__starter_array(&turned, values, b->known ? eo_pairwise_rows_count(b->rows) : UINT32_MAX, &limit, &b->rng,
                             error);
  if (!code && turned.values.count) code = begin_with_array(b, &turned, level, error);
  eo__pairwise_rows_release(&array);
  eo__pairwise_rows_release(&turned);
  return code;
}

/* For the parameters of the most values, then with those of the next fewer values, and so on. */
static int begin_with_arrays(best_state *b, bool quick, eo_error *error) {
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
    int code = begin_at_level(b, quick, columns, most, level, error);
    if (code) return code;
    level = next;
  }
  return EO_OK;
}

static int begin(best_state *b, eo_error *error) {
  eo_pairwise_rows rows;
  int code = copy_rows(&rows, b->given, error);
  if (!code) code = grow(b, &rows, NULL, error);
  if (code) {
    eo__pairwise_rows_release(&rows);
    return code;
  }
  keep_smaller(b, &rows);
  /* Constraints leave little of an array of a higher order. */
  if (eo_pairwise_rows_count(b->given) || (b->system->possible && b->order > 2)) return EO_OK;
  return begin_with_arrays(b, true, error);
}

/* ---- Search ------------------------------------------------------------------------------------------------------- */

/* About how many counts one step of the search looks at. Pairs: those of each change that is considered. Other orders: those
 * of the change that is made, each in a place of its own. Where each change is asked of the solver, that takes longer. */
static double work_of_a_step(const best_state *b) {
  const eo_pairwise_system *system = b->system;
  double sets = 0, values = 0, asking = system->possible && !system->still ? 800.0 * system->params : 0;
  for (uint32_t i = 0; i < system->relation_count; i++) {
    double ways = system->relations[i].count;
    for (uint32_t k = 1; k < system->relations[i].order; k++) ways = ways * (system->relations[i].count - k) / (k + 1);
    sets += ways * system->relations[i].order / system->params;
  }
  if (b->order > 2) return (b->order == 3 ? 10 * (double)system->params : sets * 6) + 1000 + asking;
  for (uint32_t i = 0; i < system->params; i++) values += system->values[i];
  return sets * b->order * (eo_pairwise_rows_count(b->rows) * system->params / values + 1) + 1 + asking;
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
 * and may find what the search for single rows does not reach. From what is known: a turned set is a dead end for the
 * search of single rows, and often the larger one. */
static int search_turned(best_state *b, eo__search_limit limit, eo_error *error) {
  uint32_t values = b->system->values[0], fewest;
  eo_pairwise_rows turned, none, rows;
  eo__pairwise_rows_init(&none, b->rows->params);
  eo__pairwise_rows_init(&rows, b->rows->params);
  int code = copy_rows(&turned, b->rows, error);
  limit.fewest = &fewest;
  limit.steps = limit.steps / (FIRST_CHEAP_STEPS / FIRST_STEPS) + 1;
  eo__coverage coverage = {0};
  if (!code) code = eo__search_thin(b->system, &turned, true, error);
  if (!code) code = eo__coverage_open(&coverage, b->system, true, stops, b, error);
  if (!code) code = eo__search(&coverage, &none, &turned, &b->rng, &limit, error);
  eo__coverage_close(&coverage);
  if (!code) code = add_turns(&turned, values, &rows, error);
  eo__pairwise_rows_release(&turned);
  if (code)
    eo__pairwise_rows_release(&rows);
  else
    keep_smaller(b, &rows);
  return code;
}

/* Afterwards `rows` is as small as before, or smaller; or empty, if it did not cover everything before, nor ever. */
static int search_on(best_state *b, eo_pairwise_rows *rows, const eo__search_limit *limit, eo_error *error) {
  eo__search_complete(b->system, rows, &b->rng);
  return eo__search(&b->coverage, b->given, rows, &b->rng, limit, error);
}

/* From another beginning, in which equally good values are drawn. */
static int search_anew(best_state *b, const eo__search_limit *limit, eo_error *error) {
  eo_pairwise_rows rows;
  int code = copy_rows(&rows, b->given, error);
  if (!code) code = grow(b, &rows, &b->rng, error);
  bool stopped = code == EO_EINPUT;
  if (!code) code = search_on(b, &rows, limit, error);
  if (code)
    eo__pairwise_rows_release(&rows);
  else
    keep_smaller(b, &rows);
  return stopped ? EO_OK : code;
}

/* The most parameters that an array of their pairs has columns for, with at most so many rows; those of the most values are
 * the first, or would have to be. */
static uint32_t array_columns(const best_state *b, uint32_t most) {
  const eo_pairwise_system *system = b->system;
  uint32_t columns = 1;
  for (uint32_t i = 1; i < system->params; i++)
    if (system->values[i] > system->values[i - 1]) return 0;
  while (columns < system->params && eo__algebra_size(columns + 1, system->values[0], 2, most)) columns++;
  return columns;
}

static void shuffle(uint32_t *numbers, uint32_t count, eo_rng *rng) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t other = eo__rng_below(rng, i + 1);
    numbers[i] = numbers[other];
    numbers[other] = i;
  }
}

/* The array's columns and each one's values in any order. What a row cannot have stays open. */
static void spread_anyhow(best_state *b, const eo_pairwise_rows *array, uint32_t *order, eo_pairwise_rows *rows) {
  uint32_t columns = array->params, values = b->system->values[0], *symbols = order + columns;
  shuffle(order, columns, &b->rng);
  for (uint32_t i = 0; i < columns; i++) {
    shuffle(symbols, values, &b->rng);
    for (uint32_t r = 0; r < eo_pairwise_rows_count(array); r++) {
      uint16_t symbol = eo_pairwise_row(array, r)[order[i]];
      if (symbol == EO_PAIRWISE_ANY) continue;
      if (takes(b->system, eo_pairwise_row(rows, r), i, (uint16_t)symbols[symbol]))
        eo_pairwise_row(rows, r)[i] = (uint16_t)symbols[symbol];
    }
  }
}

/* From as many rows as would be one fewer than are known: an array, and anything. A search that takes row after row out of
 * a larger set seldom comes to where the parameters of the most values are an array, and where nearly as many rows are
 * needed as these have combinations, they must be. Of pairs, that is: sets of higher orders are far from arrays. */
static int search_array(best_state *b, uint32_t columns, uint32_t most, const eo__search_limit *limit,
                        eo_error *error) {
  eo_pairwise_rows array, rows;
  eo__pairwise_rows_init(&array, columns);
  eo__pairwise_rows_init(&rows, b->rows->params);
  uint32_t *order = eo__alloc((columns + b->system->values[0]) * sizeof *order);
  int code = order ? eo__algebra_build(columns, b->system->values[0], 2, &array, error) : eo__error_nomem(error);
  for (uint32_t r = 0; !code && r < most; r++)
    if (!eo__pairwise_rows_add(&rows, NULL)) code = eo__error_nomem(error);
  if (!code) spread_anyhow(b, &array, order, &rows);
  if (!code) code = search_on(b, &rows, limit, error);
  if (!code && rows.values.count)
    keep_smaller(b, &rows);
  else
    eo__pairwise_rows_release(&rows);
  eo__pairwise_rows_release(&array);
  eo__free(order);
  return code;
}

/* What a pass does. It goes on as long as that brings something. */
typedef enum { GO_ON, OTHER_SPACE, ANEW, KINDS } kind;

/* The first pass is what `--effort fast` does. Those after it are longer and longer. How long each is does not depend on how
 * much effort there is, only how many there are: so more effort never gives a larger set. For pairs, some systems need a
 * search that stays near good sets, others one that moves away from them, and which is which is not known: so the tenure
 * alternates. */
static int search_pass(best_state *b, uint32_t pass, kind what, const eo__search_limit *limit, eo_error *error) {
  bool fresh = !eo_pairwise_rows_count(b->given), turned = fresh && b->order > 2 && all_alike(b->system);
  uint32_t most = eo_pairwise_rows_count(b->rows) - 1, columns = 0;
  eo__rng_init(&b->rng, b->effort->seed * 1000003 + pass);
  if (pass == 1 && !b->system->possible && fresh) {
    int code = begin_with_arrays(b, false, error);
    if (code) return code;
  }
  if (what == ANEW) return search_anew(b, limit, error);
  if (what == OTHER_SPACE && turned) return search_turned(b, *limit, error);
  if (what == OTHER_SPACE && fresh && b->order == 2) columns = array_columns(b, most);
  if (columns > 2) return search_array(b, columns, most, limit, error);
  return search_on(b, b->rows, limit, error);
}

static int improve(best_state *b, eo_error *error) {
  uint32_t fewest = 0;
  eo_pairwise_effort asking = {.progress = on_progress, .context = b};
  eo__search_limit limit = {.tenure = LONG_TENURE, .effort = &asking, .began = b->began, .fewest = &fewest};
  double steps = QUICK_WORK / work_of_a_step(b);
  uint64_t left = b->effort->rounds ? b->effort->rounds * STEPS_OF_A_ROUND : UINT64_MAX;
  limit.steps = (uint64_t)steps;
  limit.dropping = (uint64_t)(QUICK_WORK * 25);
  bool quick = b->effort->seconds <= 0;
  if (quick && limit.steps < 20) return EO_OK;
  int code = eo__coverage_open(&b->coverage, b->system, false, stops, b, error);
  if (!code && limit.steps >= 20) code = search_pass(b, 0, GO_ON, &limit, error);
  if (code || quick) return code;
  limit.until = b->began + b->effort->seconds;
  limit.dropping = 0;
  double first = b->order > 2 ? FIRST_CHEAP_STEPS : FIRST_STEPS;
  if (steps < first) steps = first;
  kind what = OTHER_SPACE;
  for (uint32_t pass = 1; !code && left && !b->told && eo__seconds() < limit.until; pass++) {
    uint32_t before = eo_pairwise_rows_count(b->rows);
    if (before <= fewest) break;
    steps *= LONGER;
    limit.steps = steps < (double)left ? (uint64_t)steps : left;
    limit.tenure = b->order == 2 && pass % 2 ? SHORT_TENURE : LONG_TENURE;
    code = search_pass(b, pass, what, &limit, error);
    left -= limit.steps;
    what = eo_pairwise_rows_count(b->rows) < before ? GO_ON : (what + 1) % KINDS;
  }
  return code;
}

/* What is too large to search in stays as it began. */
static int finish(best_state *b, eo_error *error) {
  eo_error refused = {0};
  int code = improve(b, &refused);
  eo__coverage_close(&b->coverage);
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
