/* search.c: see search.h. Tabu search after Nurmela ("Upper bounds for covering arrays by tabu search", 2004): take any
 * combination that is not covered, look at all tests that lack it by one value, and make the change that leaves the
 * fewest combinations uncovered, even if there are more than before; a value that was just changed stays for some steps.
 * Above pairs, all uncovered combinations are looked at first, and the best change that leaves fewer is made (after Lin,
 * Cai, He, Fu, Zhang, Lin: FastCA, 2021). What a change loses is kept for each cell, and what it gains is counted while the
 * combinations are looked at, so that only the change itself looks at all groups of parameters.
 * Where no test is one value away, or now and then, a test is rewritten around the combination (after Lin, Luo, Cai, Su,
 * Hao, Zhang: TCA, 2015). */
#include "pairwise/search.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "pairwise/coverage_triples.h"

enum {
  DROP_WORK = 500000, /* counts looked at to take out one row */
  TRIES = 3,          /* rows that are looked at to be rewritten */
  WINDOW = 1000,      /* missing combinations that are looked at in a step */
  MOST_CANDIDATES = 1 << 16
};

/* A change of one cell. */
typedef struct candidate {
  uint32_t row, param;
  uint16_t value;
} candidate;

typedef struct search {
  const eo_pairwise_system *system;
  eo__coverage *coverage; /* without rows before and after */
  uint32_t params;
  bool counted;   /* the rows are, in the coverage */
  uint32_t given; /* rows before this stay */
  uint32_t count; /* rows */
  uint32_t words; /* of a set of rows */
  uint16_t *rows;
  eo__coverage_rows cover;
  uint32_t
      *gains; /* for each cell and value: how many of the missing combinations that were looked at it would cover */
  EO_VEC(candidate) candidates; /* those that would cover one */
  uint16_t *fitted;             /* scratch: two rows */
  uint64_t *changed;            /* for each cell: until which step it stays as it is; UINT64_MAX: always */
  eo_rng *rng;
  uint64_t step;
  uint32_t tenure;   /* for at most so many steps a changed value stays */
  double asked;      /* when the progress was told last */
  uint64_t dropping; /* counts looked at to take out rows, so far */
} search;

static uint16_t *row_at(const search *s, uint32_t r) { return s->rows + (size_t)r * s->params; }

static uint64_t *having(const search *s, uint32_t param, uint16_t value) {
  return eo__coverage_having(s->coverage, param, value);
}

static void flip_set(search *s, uint32_t r, uint32_t param, uint16_t value) {
  uint32_t number = s->coverage->base[param] + value;
  if (s->cover.sets) eo__coverage_set(s->coverage, r)[number / 64] ^= 1ull << number % 64;
}

static void flip_sets(search *s, uint32_t r) {
  for (uint32_t i = 0; i < s->params; i++) flip_set(s, r, i, row_at(s, r)[i]);
}

static void note_row(search *s, uint32_t r, bool has) {
  const uint16_t *row = row_at(s, r);
  for (uint32_t i = 0; i < s->params; i++) {
    uint64_t *word = having(s, i, row[i]) + r / 64;
    *word = has ? *word | 1ull << r % 64 : *word & ~(1ull << r % 64);
  }
}

static void change(search *s, uint32_t r, uint32_t param, uint16_t value) {
  uint16_t *row = row_at(s, r);
  having(s, param, row[param])[r / 64] &= ~(1ull << r % 64);
  flip_set(s, r, param, row[param]);
  flip_set(s, r, param, value);
  eo__coverage_change(s->coverage, row, r, param, value);
  having(s, param, value)[r / 64] |= 1ull << r % 64;
}

static bool may_change(search *s, uint32_t r, uint32_t param, uint16_t value) {
  if (!s->system->possible) return true;
  uint16_t *row = row_at(s, r), before = row[param];
  row[param] = value;
  bool valid = s->system->still ? s->system->still(s->system->context, row, param)
                                : s->system->possible(s->system->context, row);
  row[param] = before;
  return valid;
}

/* ---- One step ----------------------------------------------------------------------------------------------------- */

typedef struct move {
  uint32_t row, param;
  uint16_t value;
  int32_t delta;
  uint32_t equals;
  bool found;
} move;

static void consider(search *s, move *best, uint32_t r, uint32_t param, uint16_t value) {
  if (s->changed[(size_t)r * s->params + param] > s->step) return;
  int32_t delta = eo__coverage_delta(s->coverage, row_at(s, r), r, param, value);
  if (best->found && delta > best->delta) return;
  bool equal = best->found && delta == best->delta;
  if (equal && eo__rng_below(s->rng, best->equals + 1)) {
    best->equals++;
    return;
  }
  if (!may_change(s, r, param, value)) return;
  *best = (move){r, param, value, delta, equal ? best->equals + 1 : 1, true};
}

/* All rows that have all of the combination but one value. */
static void best_moves(search *s, const eo__coverage_tuple *tuple, move *best) {
  for (uint32_t i = 0; i < tuple->order; i++)
    for (uint32_t word = 0; word < s->words; word++) {
      uint64_t rows = ~having(s, tuple->params[i], tuple->values[i])[word];
      for (uint32_t k = 0; k < tuple->order; k++)
        if (k != i) rows &= having(s, tuple->params[k], tuple->values[k])[word];
      if (word == s->words - 1 && s->count % 64) rows &= (1ull << s->count % 64) - 1;
      for (; rows; rows &= rows - 1)
        consider(s, best, word * 64 + (uint32_t)__builtin_ctzll(rows), tuple->params[i], tuple->values[i]);
    }
}

static void turn(const search *s, eo__coverage_tuple *tuple, uint32_t by) {
  for (uint32_t i = 0; i < tuple->order; i++)
    tuple->values[i] = (uint16_t)((tuple->values[i] + by) % s->coverage->turns);
}

static move best_move(search *s, eo__coverage_tuple *tuple) {
  move best = {0};
  best_moves(s, tuple, &best);
  for (uint32_t i = 1; i < s->coverage->turns; i++) {
    turn(s, tuple, 1);
    best_moves(s, tuple, &best);
  }
  return best;
}

/* ---- Rewriting a row ---------------------------------------------------------------------------------------------- */

/* Without the system's help: what the row had is put back, place by place, where that is possible. */
static bool refill(search *s, uint16_t *row, const uint16_t *near) {
  const eo_pairwise_system *system = s->system;
  uint32_t first = eo__rng_below(s->rng, s->params);
  if (!system->possible(system->context, row)) return false;
  for (uint32_t i = 0; i < s->params; i++) {
    uint32_t param = (first + i) % s->params;
    if (row[param] != EO_PAIRWISE_ANY) continue;
    row[param] = near[param];
    if (!system->possible(system->context, row)) row[param] = EO_PAIRWISE_ANY;
  }
  for (uint32_t param = 0; param < s->params; param++) {
    uint32_t values = system->values[param], from = eo__rng_below(s->rng, values);
    for (uint32_t v = 0; row[param] == EO_PAIRWISE_ANY && v < values; v++) {
      row[param] = (uint16_t)((from + v) % values);
      if (!system->possible(system->context, row)) row[param] = EO_PAIRWISE_ANY;
    }
  }
  return true;
}

/* Row r with the combination in it, into `fitted`; the rest is as it was wherever that is possible. */
static bool fit(search *s, uint32_t r, const eo__coverage_tuple *tuple, uint16_t *fitted) {
  const eo_pairwise_system *system = s->system;
  const uint16_t *row = row_at(s, r);
  for (uint32_t i = 0; i < s->params; i++) {
    bool stays = !system->possible || s->changed[(size_t)r * s->params + i] == UINT64_MAX;
    fitted[i] = stays ? row[i] : EO_PAIRWISE_ANY;
  }
  for (uint32_t i = 0; i < tuple->order; i++) {
    size_t cell = (size_t)r * s->params + tuple->params[i];
    if (s->changed[cell] == UINT64_MAX && row[tuple->params[i]] != tuple->values[i]) return false;
    fitted[tuple->params[i]] = tuple->values[i];
  }
  if (!system->possible) return true;
  return system->near ? system->near(system->context, fitted, row) : refill(s, fitted, row);
}

/* Exchanges row r with `other`, place by place. */
static void exchange(search *s, uint32_t r, uint16_t *other) {
  for (uint32_t i = 0; i < s->params; i++) {
    uint16_t before = row_at(s, r)[i];
    if (other[i] == before) continue;
    change(s, r, i, other[i]);
    other[i] = before;
  }
}

/* Of some rows, that one takes the combination which loses least by it. */
static void rewrite(search *s, const eo__coverage_tuple *tuple, uint32_t tries) {
  uint32_t best = UINT32_MAX, least = UINT32_MAX;
  uint16_t *fitted = s->fitted, *kept = s->fitted + s->params;
  for (uint32_t i = 0; i < tries; i++) {
    uint32_t r = eo__rng_below(s->rng, s->count);
    if (!fit(s, r, tuple, fitted)) continue;
    exchange(s, r, fitted);
    uint32_t uncovered = s->coverage->uncovered;
    exchange(s, r, fitted);
    if (uncovered >= least) continue;
    memcpy(kept, fitted, s->params * sizeof *fitted);
    best = r;
    least = uncovered;
  }
  if (best == UINT32_MAX) return;
  const uint16_t *row = row_at(s, best);
  for (uint32_t i = 0; i < s->params; i++) {
    if (kept[i] == row[i]) continue;
    change(s, best, i, kept[i]);
    size_t cell = (size_t)best * s->params + i;
    if (s->changed[cell] != UINT64_MAX) s->changed[cell] = s->step + 1 + eo__rng_below(s->rng, s->tenure);
  }
}

static uint32_t *gain_of(const search *s, const candidate *c) {
  return &s->gains[(size_t)c->row * s->coverage->total + s->coverage->base[c->param] + c->value];
}

/* All changes of one cell that cover the combination. */
static bool gather(search *s, const eo__coverage_tuple *tuple) {
  for (uint32_t i = 0; i < tuple->order; i++)
    for (uint32_t word = 0; word < s->words; word++) {
      uint64_t rows = ~having(s, tuple->params[i], tuple->values[i])[word];
      for (uint32_t k = 0; k < tuple->order; k++)
        if (k != i) rows &= having(s, tuple->params[k], tuple->values[k])[word];
      if (word == s->words - 1 && s->count % 64) rows &= (1ull << s->count % 64) - 1;
      for (; rows; rows &= rows - 1) {
        candidate c = {word * 64 + (uint32_t)__builtin_ctzll(rows), tuple->params[i], tuple->values[i]};
        if ((*gain_of(s, &c))++) continue;
        if (s->candidates.count == MOST_CANDIDATES) {
          *gain_of(s, &c) = 0;
          return false;
        }
        s->candidates.items[s->candidates.count++] = c;
      }
    }
  return true;
}

static move best_of(search *s, uint32_t count) {
  move best = {0};
  for (uint32_t i = 0; i < count; i++) {
    const candidate *c = &s->candidates.items[i];
    size_t cell = (size_t)c->row * s->params + c->param;
    if (s->changed[cell] > s->step) continue;
    int32_t delta = (int32_t)s->cover.alone[cell] - (int32_t)*gain_of(s, c);
    if (best.found && delta > best.delta) continue;
    bool equal = best.found && delta == best.delta;
    if (equal && eo__rng_below(s->rng, best.equals + 1)) {
      best.equals++;
      continue;
    }
    if (!may_change(s, c->row, c->param, c->value)) continue;
    best = (move){c->row, c->param, c->value, delta, equal ? best.equals + 1 : 1, true};
  }
  return best;
}

/* The best change of all, if it makes less missing; else the best for one combination. */
static move best_gain(search *s, eo__coverage_tuple *tuple) {
  uint32_t missing = s->coverage->uncovered, at = eo__rng_below(s->rng, missing), first = 0;
  eo__coverage_tuple_of(s->coverage, s->coverage->list[at], tuple);
  eo_vec_clear(&s->candidates);
  bool room = gather(s, tuple);
  first = (uint32_t)s->candidates.count;
  for (uint32_t i = 1; room && i < missing && i < WINDOW; i++) {
    eo__coverage_tuple other;
    eo__coverage_tuple_of(s->coverage, s->coverage->list[(at + i) % missing], &other);
    room = gather(s, &other);
  }
  move best = best_of(s, (uint32_t)s->candidates.count);
  if (best.found && best.delta >= 0) best = best_of(s, first);
  for (size_t i = 0; i < s->candidates.count; i++) *gain_of(s, &s->candidates.items[i]) = 0;
  return best;
}

static void step(search *s) {
  eo__coverage_tuple tuple;
  s->step++;
  move best;
  if (s->cover.alone) {
    best = best_gain(s, &tuple);
  } else {
    uint32_t number = s->coverage->list[eo__rng_below(s->rng, s->coverage->uncovered)];
    eo__coverage_tuple_of(s->coverage, number, &tuple);
    best = best_move(s, &tuple);
  }
  if (!best.found || (best.delta > 0 && eo__rng_below(s->rng, 1000) == 0)) {
    if (s->coverage->turns) turn(s, &tuple, eo__rng_below(s->rng, s->coverage->turns));
    rewrite(s, &tuple, best.found ? 1 : TRIES);
    return;
  }
  change(s, best.row, best.param, best.value);
  s->changed[(size_t)best.row * s->params + best.param] = s->step + 1 + eo__rng_below(s->rng, s->tenure);
}

/* ---- Fewer and fewer rows ----------------------------------------------------------------------------------------- */

/* How much only this row covers; where cells are counted, every combination as often as it has parameters. */
static uint32_t needed(const search *s, uint32_t r) {
  if (!s->cover.alone) return eo__coverage_alone(s->coverage, row_at(s, r), r);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < s->params; i++) sum += s->cover.alone[(size_t)r * s->params + i];
  return sum;
}

/* The row that covers least alone; where looking at all would take long, of some that are drawn. */
static uint32_t least_needed(search *s) {
  uint32_t least = UINT32_MAX, which = 0, rows = s->count - s->given;
  uint64_t sets = s->coverage->pairs ? (uint64_t)s->params * s->params / 2 : s->coverage->groups.count;
  if (s->cover.alone) sets = s->params;
  uint64_t looks = DROP_WORK / (sets + 1) + 4;
  s->dropping += (looks < rows ? looks : rows) * sets;
  for (uint32_t i = 0; i < rows && i < looks; i++) {
    uint32_t r = s->given + (rows <= looks ? i : eo__rng_below(s->rng, rows));
    uint32_t alone = needed(s, r);
    if (alone >= least) continue;
    least = alone;
    which = r;
  }
  return which;
}

/* Takes out a row; the last one takes its place. */
static bool drop_row(search *s) {
  if (s->count <= s->given || s->count <= 1) return false;
  uint32_t which = least_needed(s);
  uint32_t last = s->count - 1;
  note_row(s, which, false);
  eo__coverage_row(s->coverage, row_at(s, which), which, -1);
  flip_sets(s, which);
  if (which != last) {
    note_row(s, last, false);
    flip_sets(s, last);
    memcpy(row_at(s, which), row_at(s, last), s->params * sizeof *s->rows);
    memcpy(s->changed + (size_t)which * s->params, s->changed + (size_t)last * s->params,
           s->params * sizeof *s->changed);
    if (s->cover.alone)
      memcpy(s->cover.alone + (size_t)which * s->params, s->cover.alone + (size_t)last * s->params,
             s->params * sizeof *s->cover.alone);
    if (s->coverage->triples) eo__triples_copy(s->coverage, which, last);
    note_row(s, which, true);
    flip_sets(s, which);
  }
  s->count--;
  return true;
}

static bool out_of_time(const eo__search_limit *limit) {
  return limit->until > 0 && eo__seconds_coarse() >= limit->until;
}

/* Asks whoever follows the progress, a few times a second, whether to go on. */
static bool told_to_stop(search *s, const eo__search_limit *limit) {
  const eo_pairwise_effort *effort = limit->effort;
  if (!effort || !effort->progress) return false;
  double now = eo__seconds_coarse();
  if (now - s->asked < 0.2) return false;
  s->asked = now;
  uint32_t tests = (s->count + 1) * (s->coverage->turns ? s->coverage->turns : 1);
  return !effort->progress(effort->context, tests, eo__seconds() - limit->began);
}

static bool stop(search *s, const eo__search_limit *limit) {
  if (s->step >= limit->steps) return true;
  if (s->step % 8) return false;
  return out_of_time(limit) || told_to_stop(s, limit);
}

static void run(search *s, eo_pairwise_rows *best, const eo__search_limit *limit) {
  if (s->coverage->uncovered) eo_vec_clear(&best->values);
  for (;;) {
    if (s->coverage->uncovered == 0) {
      best->values.count = (size_t)s->count * s->params;
      memcpy(best->values.items, s->rows, best->values.count * sizeof *s->rows);
      if (s->count <= *limit->fewest || out_of_time(limit) || (limit->dropping && s->dropping > limit->dropping) ||
          !drop_row(s))
        return;
      continue;
    }
    if (stop(s, limit)) return;
    step(s);
  }
}

static int open_search(search *s, const eo_pairwise_rows *given, const eo_pairwise_rows *rows, eo_error *error) {
  size_t cells = rows->values.count;
  s->count = eo_pairwise_rows_count(rows);
  s->given = eo_pairwise_rows_count(given);
  s->params = rows->params;
  s->words = s->count / 64 + 1;
  if (s->count > EO__COVERAGE_MOST_ROWS) return eo__error_set(error, EO_EINPUT, "too many tests");
  s->rows = eo__alloc((cells + 1) * sizeof *s->rows);
  s->changed = eo__alloc((cells + 1) * sizeof *s->changed);
  s->cover.words = s->words;
  s->cover.having = eo__alloc((size_t)s->coverage->total * s->words * sizeof *s->cover.having);
  if (!s->coverage->pairs && !s->coverage->turns) {
    s->cover.alone = eo__alloc((cells + 1) * sizeof *s->cover.alone);
    s->gains = eo__alloc(((size_t)s->count * s->coverage->total + 1) * sizeof *s->gains);
    if (!s->cover.alone || !s->gains || !eo_vec_reserve(&s->candidates, MOST_CANDIDATES)) return eo__error_nomem(error);
  }
  if (s->coverage->triples && !eo__triples_open_rows(s->coverage, &s->cover, s->count)) return eo__error_nomem(error);
  if (s->coverage->pairs) {
    s->cover.sets = eo__alloc((size_t)(s->count + 1) * s->coverage->words * sizeof *s->cover.sets);
    if (!s->cover.sets) return eo__error_nomem(error);
  }
  s->fitted = eo__alloc(2 * (size_t)s->params * sizeof *s->fitted);
  if (!s->rows || !s->changed || !s->cover.having || !s->fitted) return eo__error_nomem(error);
  if (cells) memcpy(s->rows, rows->values.items, cells * sizeof *s->rows);
  for (size_t i = 0; i < given->values.count; i++)
    if (given->values.items[i] != EO_PAIRWISE_ANY) s->changed[i] = UINT64_MAX;
  s->coverage->rows = &s->cover;
  for (uint32_t r = 0; r < s->count; r++) {
    flip_sets(s, r);
    eo__coverage_row(s->coverage, row_at(s, r), r, 1);
    note_row(s, r, true);
  }
  s->counted = true;
  return EO_OK;
}

static void close_search(search *s) {
  s->coverage->rows = NULL;
  if (s->counted) eo__coverage_clear(s->coverage, s->rows, s->count);
  eo__free(s->rows);
  eo__free(s->changed);
  eo__free(s->cover.having);
  eo__free(s->cover.alone);
  eo__free(s->cover.planes);
  eo__free(s->cover.same);
  eo__free(s->gains);
  eo_vec_release(&s->candidates);
  eo__free(s->cover.sets);
  eo__free(s->fitted);
}

int eo__search(eo__coverage *coverage, const eo_pairwise_rows *given, eo_pairwise_rows *rows, eo_rng *rng,
               const eo__search_limit *limit, eo_error *error) {
  search s = {.system = coverage->system, .coverage = coverage, .rng = rng, .tenure = limit->tenure};
  int code = open_search(&s, given, rows, error);
  if (!code) *limit->fewest = coverage->fewest > s.given ? coverage->fewest : s.given;
  if (!code) run(&s, rows, limit);
  close_search(&s);
  return code;
}

void eo__search_complete(const eo_pairwise_system *system, eo_pairwise_rows *rows, eo_rng *rng) {
  for (size_t i = 0; i < rows->values.count; i++) {
    uint16_t *cell = &rows->values.items[i];
    uint32_t param = (uint32_t)(i % rows->params), values = system->values[param];
    if (*cell != EO_PAIRWISE_ANY) continue;
    uint32_t first = eo__rng_below(rng, values);
    for (uint32_t v = 0; v < values; v++) {
      *cell = (uint16_t)((first + v) % values);
      if (!system->possible || system->possible(system->context, rows->values.items + (i - param))) break;
    }
  }
}

int eo__search_thin(const eo_pairwise_system *system, eo_pairwise_rows *rows, bool turned, eo_error *error) {
  eo__coverage coverage;
  int code = eo__coverage_open(&coverage, system, turned, NULL, NULL, error);
  uint32_t kept = 0, count = eo_pairwise_rows_count(rows);
  if (code) return code;
  if (count > EO__COVERAGE_MOST_ROWS) {
    eo__coverage_close(&coverage);
    return eo__error_set(error, EO_EINPUT, "too many tests");
  }
  for (uint32_t r = 0; r < count && coverage.uncovered; r++) {
    uint32_t before = coverage.uncovered;
    eo__coverage_row(&coverage, eo_pairwise_row(rows, r), r, 1);
    if (coverage.uncovered == before)
      eo__coverage_row(&coverage, eo_pairwise_row(rows, r), r, -1);
    else
      memmove(eo_pairwise_row(rows, kept++), eo_pairwise_row(rows, r), rows->params * sizeof(uint16_t));
  }
  rows->values.count = (size_t)kept * rows->params;
  eo__coverage_close(&coverage);
  return EO_OK;
}

/* The heaviest value that the cell can have without a loss. */
static void weigh_cell(search *s, uint32_t r, uint32_t param) {
  const uint32_t *weights = s->system->weights[param];
  uint16_t *row = row_at(s, r), best = row[param];
  for (uint32_t v = 0; v < s->system->values[param]; v++)
    if (weights[v] > weights[best] && eo__coverage_delta(s->coverage, row, r, param, (uint16_t)v) <= 0 &&
        may_change(s, r, param, (uint16_t)v))
      best = (uint16_t)v;
  if (best != row[param]) change(s, r, param, best);
}

int eo__search_weigh(const eo_pairwise_system *system, const eo_pairwise_rows *given, eo_pairwise_rows *rows,
                     eo_error *error) {
  eo__coverage coverage;
  search s = {.system = system, .coverage = &coverage};
  int code = eo__coverage_open(&coverage, system, false, NULL, NULL, error);
  if (code) return code;
  code = open_search(&s, given, rows, error);
  for (uint32_t r = 0; !code && r < s.count; r++)
    for (uint32_t param = 0; param < s.params; param++)
      if (s.changed[(size_t)r * s.params + param] != UINT64_MAX) weigh_cell(&s, r, param);
  if (!code && rows->values.count) memcpy(rows->values.items, s.rows, rows->values.count * sizeof *s.rows);
  close_search(&s);
  eo__coverage_close(&coverage);
  return code;
}
