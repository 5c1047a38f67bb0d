/* coverage.c: see coverage.h. */
#include "pairwise/coverage.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/coverage_triples.h"
#include "pairwise/relation.h"

enum { MOST_TOTAL = 12000, START_EVERY = 16 };

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* ---- Pairs: the matrix -------------------------------------------------------------------------------------------- */

static inline void flip_one(uint64_t *sets, const eo__coverage *coverage, uint32_t a, uint32_t b) {
  sets[(size_t)a * coverage->words + b / 64] ^= UINT64_C(1) << b % 64;
}

static void flip(uint64_t *sets, const eo__coverage *coverage, uint32_t a, uint32_t b) {
  flip_one(sets, coverage, a, b);
  flip_one(sets, coverage, b, a);
}

static inline uint32_t pair_number(const eo__coverage *coverage, uint32_t a, uint32_t b) {
  return a < b ? a * coverage->total + b : b * coverage->total + a;
}

/* Finds anew with which others the value is in no row, and in one: of the rows that have it, and of one more, if `also` has
 * what that row has. No row is looked at value by value. */
static void recount(eo__coverage *coverage, uint32_t value, const uint64_t *also) {
  uint32_t words = coverage->words;
  const eo__coverage_rows *rows = coverage->rows;
  const uint64_t *having = rows->having + (size_t)value * rows->words;
  uint64_t *some = coverage->scratch, *more = coverage->scratch + words;
  uint64_t *zero = coverage->zero + (size_t)value * words, *one = coverage->one + (size_t)value * words;
  for (uint32_t k = 0; k < words; k++) some[k] = also ? also[k] : 0;
  memcpy(more, coverage->unwanted + (size_t)value * words, words * sizeof *more);
  coverage->bits->twice(rows->sets, having, having, rows->words, 0, words, some, more);
  for (uint32_t k = 0; k < words; k++) {
    uint64_t none = ~some[k] & ~more[k], once = some[k] & ~more[k];
    for (uint64_t bits = once ^ one[k]; bits; bits &= bits - 1)
      flip_one(coverage->one, coverage, k * 64 + (uint32_t)__builtin_ctzll(bits), value);
    for (uint64_t bits = none ^ zero[k]; bits; bits &= bits - 1) {
      uint32_t other = k * 64 + (uint32_t)__builtin_ctzll(bits);
      flip_one(coverage->zero, coverage, other, value);
      if (none & bits & -bits)
        eo__coverage_list_add(coverage, pair_number(coverage, value, other));
      else
        eo__coverage_list_remove(coverage, pair_number(coverage, value, other));
    }
    zero[k] = none;
    one[k] = once;
  }
}

/* What else the row has stays; pairs with the parameter itself are never wanted. */
static int32_t pairs_delta(const eo__coverage *coverage, const uint16_t *row, uint32_t r, uint32_t param,
                           uint16_t value) {
  const uint64_t *one = coverage->one + (size_t)(coverage->base[param] + row[param]) * coverage->words;
  const uint64_t *zero = coverage->zero + (size_t)(coverage->base[param] + value) * coverage->words;
  return coverage->bits->balance(one, zero, eo__coverage_set(coverage, r), coverage->words);
}

static void pairs_change(eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value) {
  recount(coverage, coverage->base[param] + row[param], NULL);
  recount(coverage, coverage->base[param] + value, eo__coverage_set(coverage, r));
  row[param] = value;
}

static void pairs_row(eo__coverage *coverage, const uint16_t *row, uint32_t r, int by) {
  for (uint32_t i = 0; i < coverage->system->params; i++)
    recount(coverage, coverage->base[i] + row[i], by > 0 ? eo__coverage_set(coverage, r) : NULL);
}

static void pairs_clear(eo__coverage *coverage) {
  coverage->uncovered = 0;
  memset(coverage->one, 0, (size_t)coverage->total * coverage->words * sizeof *coverage->one);
  for (uint32_t a = 0; a < coverage->total; a++)
    for (uint32_t k = 0; k < coverage->words; k++) {
      uint64_t wanted = ~coverage->unwanted[(size_t)a * coverage->words + k];
      coverage->zero[(size_t)a * coverage->words + k] = wanted;
      for (; wanted; wanted &= wanted - 1) {
        uint32_t b = k * 64 + (uint32_t)__builtin_ctzll(wanted);
        if (a < b) eo__coverage_list_add(coverage, pair_number(coverage, a, b));
      }
    }
}

static uint32_t pairs_alone(const eo__coverage *coverage, const uint16_t *row, uint32_t r) {
  const uint64_t *set = eo__coverage_set(coverage, r);
  uint32_t twice = 0;
  for (uint32_t i = 0; i < coverage->system->params; i++)
    twice += coverage->bits->common(coverage->one + (size_t)(coverage->base[i] + row[i]) * coverage->words, set,
                                    coverage->words);
  return twice / 2;
}

static void pairs_want(eo__coverage *coverage, uint32_t i, uint32_t k, uint16_t *scratch) {
  const eo_pairwise_system *system = coverage->system;
  uint32_t params[2] = {i, k};
  uint32_t before = coverage->uncovered;
  if (!eo__relations_want(system->relations, system->relation_count, params, 2)) return;
  for (uint32_t v = 0; v < system->values[i]; v++)
    for (uint32_t w = 0; w < system->values[k]; w++) {
      uint32_t a = coverage->base[i] + v, b = coverage->base[k] + w;
      uint16_t values[2] = {(uint16_t)v, (uint16_t)w};
      if (!eo__coverage_possible(coverage, scratch, params, values, 2)) continue;
      flip(coverage->zero, coverage, a, b);
      flip(coverage->unwanted, coverage, a, b);
      eo__coverage_list_add(coverage, pair_number(coverage, a, b));
    }
  if (coverage->uncovered - before > coverage->fewest) coverage->fewest = coverage->uncovered - before;
}

static int pairs_open(eo__coverage *coverage, uint16_t *scratch, eo_error *error) {
  const eo_pairwise_system *system = coverage->system;
  if (coverage->total > MOST_TOTAL) return eo__error_set(error, EO_EINPUT, "too many values");
  coverage->size = (size_t)coverage->total * coverage->total;
  coverage->list = eo__alloc(coverage->size / 2 * sizeof *coverage->list);
  coverage->place = eo__alloc(coverage->size * sizeof *coverage->place);
  size_t matrix = (size_t)coverage->total * coverage->words;
  coverage->zero = eo__alloc(matrix * sizeof *coverage->zero);
  coverage->one = eo__alloc(matrix * sizeof *coverage->one);
  coverage->unwanted = eo__alloc(matrix * sizeof *coverage->unwanted);
  coverage->scratch = eo__alloc(2 * (size_t)coverage->words * sizeof *coverage->scratch);
  if (!coverage->list || !coverage->place || !coverage->zero || !coverage->one || !coverage->unwanted ||
      !coverage->scratch)
    return eo__error_nomem(error);
  memset(coverage->unwanted, 0xff, matrix * sizeof *coverage->unwanted);
  for (uint32_t i = 0; i < system->params; i++) {
    if (eo__coverage_stopped(coverage, error)) return EO_EINPUT;
    for (uint32_t k = i + 1; k < system->params; k++) pairs_want(coverage, i, k, scratch);
  }
  return EO_OK;
}

/* ---- Other orders: groups of parameters --------------------------------------------------------------------------- */

static inline uint32_t index_of(const eo__coverage_group *group, const uint16_t *row) {
  uint32_t index = group->first;
  for (uint32_t i = 0; i < group->order; i++) index += row[group->params[i]] * group->strides[i];
  return index;
}

static inline uint32_t turned_index(const eo__coverage *coverage, const eo__coverage_group *group,
                                    const uint16_t *row) {
  uint32_t index = group->first, zero = row[group->params[0]];
  for (uint32_t i = 1; i < group->order; i++) {
    uint32_t value = row[group->params[i]];
    index += (value >= zero ? value - zero : value + coverage->turns - zero) * group->strides[i];
  }
  return index;
}

static inline uint32_t any_index(const eo__coverage *coverage, const eo__coverage_group *group, const uint16_t *row) {
  return coverage->turns ? turned_index(coverage, group, row) : index_of(group, row);
}

static int32_t groups_delta(const eo__coverage *coverage, const uint16_t *row, uint32_t param, uint16_t value) {
  const eo__coverage_entry *entry = coverage->entries + coverage->entry_first[param];
  const eo__coverage_entry *end = coverage->entries + coverage->entry_first[param + 1];
  uint32_t shift = (uint32_t)value - row[param];
  int32_t delta = 0;
  for (; entry < end; entry++) {
    uint32_t before = index_of(&coverage->groups.items[entry->group], row);
    delta += (coverage->counts[before] == 1) - (coverage->counts[before + shift * entry->stride] == 0);
  }
  return delta;
}

/* The one row that has all of these values of a group. */
static uint32_t only_row(const eo__coverage *coverage, const eo__coverage_group *group, const uint16_t *row) {
  const uint64_t *sets[EO_PAIRWISE_MAX_ORDER];
  for (uint32_t i = 0; i < group->order; i++)
    sets[i] = eo__coverage_having(coverage, group->params[i], row[group->params[i]]);
  for (uint32_t word = 0;; word++) {
    uint64_t rows = UINT64_MAX;
    for (uint32_t i = 0; i < group->order; i++) rows &= sets[i][word];
    if (rows) return word * 64 + (uint32_t)__builtin_ctzll(rows);
  }
}

static void count_alone(const eo__coverage *coverage, const eo__coverage_group *group, uint32_t r, uint32_t by) {
  uint32_t *alone = coverage->rows->alone + (size_t)r * coverage->system->params;
  for (uint32_t i = 0; i < group->order; i++) alone[group->params[i]] += by;
}

/* The row has what the group's combination was, or is; it is not among those that `having` tells. */
static void fewer(eo__coverage *coverage, const eo__coverage_group *group, uint32_t number, const uint16_t *row,
                  uint32_t r) {
  uint16_t left = --coverage->counts[number];
  if (left > 1) return;
  if (left == 0) eo__coverage_list_add(coverage, number);
  if (coverage->rows && coverage->rows->alone)
    count_alone(coverage, group, left ? only_row(coverage, group, row) : r, left ? 1 : UINT32_MAX);
}

static void more(eo__coverage *coverage, const eo__coverage_group *group, uint32_t number, const uint16_t *row,
                 uint32_t r) {
  uint16_t before = coverage->counts[number]++;
  if (before > 1) return;
  if (before == 0) eo__coverage_list_remove(coverage, number);
  if (coverage->rows && coverage->rows->alone)
    count_alone(coverage, group, before ? only_row(coverage, group, row) : r, before ? UINT32_MAX : 1);
}

static void groups_change(eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value) {
  const eo__coverage_entry *entry = coverage->entries + coverage->entry_first[param];
  const eo__coverage_entry *end = coverage->entries + coverage->entry_first[param + 1];
  uint16_t old = row[param], *counts = coverage->counts;
  uint32_t shift = (uint32_t)value - old;
  for (; entry < end; entry++) {
    const eo__coverage_group *group = &coverage->groups.items[entry->group];
    uint32_t before = index_of(group, row), after = before + shift * entry->stride;
    if (counts[before] > 2 && counts[after] > 1) {
      counts[before]--;
      counts[after]++;
      continue;
    }
    fewer(coverage, group, before, row, r);
    row[param] = value;
    more(coverage, group, after, row, r);
    row[param] = old;
  }
  row[param] = value;
}

/* With turns, a change of the first parameter of a group moves all the others. */
static ALWAYS_INLINE uint32_t turned_hits(const eo__coverage *coverage, const uint16_t *row, uint32_t param,
                                          uint16_t wanted, uint32_t order) {
  const eo__coverage_entry *entry = coverage->entries + coverage->entry_first[param];
  const eo__coverage_entry *end = coverage->entries + coverage->entry_first[param + 1];
  uint32_t hits = 0, turns = coverage->turns;
  for (; entry < end; entry++) {
    const eo__coverage_group *group = &coverage->groups.items[entry->group];
    uint32_t index = group->first, zero = row[group->params[0]], count = order ? order : group->order;
    for (uint32_t i = 1; i < count; i++) {
      uint32_t value = row[group->params[i]];
      index += (value - zero + (value < zero ? turns : 0)) * group->strides[i];
    }
    hits += coverage->counts[index] == wanted;
  }
  return hits;
}

static uint32_t count_turned(const eo__coverage *coverage, const uint16_t *row, uint32_t param, uint16_t wanted) {
  switch (coverage->order) {
    case 3: return turned_hits(coverage, row, param, wanted, 3);
    case 4: return turned_hits(coverage, row, param, wanted, 4);
    case 5: return turned_hits(coverage, row, param, wanted, 5);
    case 6: return turned_hits(coverage, row, param, wanted, 6);
    default: return turned_hits(coverage, row, param, wanted, 0);
  }
}

static int32_t turned_delta(const eo__coverage *coverage, uint16_t *row, uint32_t param, uint16_t value) {
  uint16_t before = row[param];
  int32_t delta = (int32_t)count_turned(coverage, row, param, 1);
  row[param] = value;
  delta -= (int32_t)count_turned(coverage, row, param, 0);
  row[param] = before;
  return delta;
}

static void turned_change(eo__coverage *coverage, uint16_t *row, uint32_t param, uint16_t value) {
  const eo__coverage_entry *first = coverage->entries + coverage->entry_first[param];
  const eo__coverage_entry *end = coverage->entries + coverage->entry_first[param + 1];
  for (const eo__coverage_entry *entry = first; entry < end; entry++) {
    const eo__coverage_group *group = &coverage->groups.items[entry->group];
    fewer(coverage, group, turned_index(coverage, group, row), row, 0);
  }
  row[param] = value;
  for (const eo__coverage_entry *entry = first; entry < end; entry++) {
    const eo__coverage_group *group = &coverage->groups.items[entry->group];
    more(coverage, group, turned_index(coverage, group, row), row, 0);
  }
}

static void groups_row(eo__coverage *coverage, const uint16_t *row, uint32_t r, int by) {
  for (size_t g = 0; g < coverage->groups.count; g++) {
    const eo__coverage_group *group = &coverage->groups.items[g];
    uint32_t number = any_index(coverage, group, row);
    (by > 0 ? more : fewer)(coverage, group, number, row, r);
  }
}

static uint32_t groups_alone(const eo__coverage *coverage, const uint16_t *row) {
  uint32_t alone = 0;
  for (size_t g = 0; g < coverage->groups.count; g++)
    alone += coverage->counts[any_index(coverage, &coverage->groups.items[g], row)] == 1;
  return alone;
}

static bool add_group(void *context, const uint32_t *params, uint32_t order) {
  eo__coverage *coverage = context;
  eo__coverage_group group = {.first = (uint32_t)coverage->size, .order = order};
  uint64_t size = 1;
  for (uint32_t i = order; i-- > 0;) {
    group.params[i] = params[i];
    group.strides[i] = (uint32_t)size;
    if (i > 0 || !coverage->turns) size *= coverage->system->values[params[i]];
    if (size > EO__COVERAGE_MOST) return false;
  }
  if (!coverage->groups.count) coverage->order = order;
  if (coverage->order != order) coverage->order = 0;
  coverage->size += size;
  return coverage->size <= EO__COVERAGE_MOST && eo_vec_push(&coverage->groups, group);
}

static bool open_entries(eo__coverage *coverage) {
  uint32_t params = coverage->system->params, total = 0;
  uint32_t *first = eo__alloc((params + 2) * sizeof *first);
  coverage->entry_first = first;
  if (!first) return false;
  for (size_t g = 0; g < coverage->groups.count; g++)
    for (uint32_t i = 0; i < coverage->groups.items[g].order; i++) first[coverage->groups.items[g].params[i] + 2]++;
  for (uint32_t i = 0; i < params + 2; i++) first[i] = total += first[i];
  coverage->entries = eo__alloc((total + 1) * sizeof *coverage->entries);
  if (!coverage->entries) return false;
  for (size_t g = 0; g < coverage->groups.count; g++) {
    const eo__coverage_group *group = &coverage->groups.items[g];
    for (uint32_t i = 0; i < group->order; i++) {
      eo__coverage_entry entry = {.group = (uint32_t)g, .stride = group->strides[i]};
      coverage->entries[first[group->params[i] + 1]++] = entry;
    }
  }
  return true;
}

/* How many combinations a relation has: the elementary symmetric polynomial of its order in the numbers of values. */
static double combinations_of(const eo_pairwise_system *system, const eo_pairwise_relation *relation) {
  double ways[EO_PAIRWISE_MAX_ORDER + 1] = {1};
  for (uint32_t i = 0; i < relation->count; i++)
    for (uint32_t k = relation->order; k > 0; k--) ways[k] += ways[k - 1] * system->values[relation->params[i]];
  return ways[relation->order];
}

static int groups_open(eo__coverage *coverage, uint16_t *scratch, eo_error *error) {
  const eo_pairwise_system *system = coverage->system;
  for (uint32_t i = 0; i < system->relation_count && !coverage->turns; i++)
    if (system->relations[i].pivot == EO_PAIRWISE_NO_PIVOT &&
        combinations_of(system, &system->relations[i]) > EO__COVERAGE_MOST)
      return eo__error_set(error, EO_EINPUT, "too many combinations");
  if (!eo__relations_each(system->relations, system->relation_count, add_group, coverage))
    return eo__error_set(error, EO_EINPUT, "too many combinations");
  coverage->list = eo__alloc(coverage->size * sizeof *coverage->list);
  coverage->place = eo__alloc(coverage->size * sizeof *coverage->place);
  coverage->counts = eo__alloc(coverage->size * sizeof *coverage->counts);
  if (!coverage->list || !coverage->place || !coverage->counts || !open_entries(coverage))
    return eo__error_nomem(error);
  coverage->starts = eo__alloc((coverage->size / START_EVERY + 1) * sizeof *coverage->starts);
  if (!coverage->starts) return eo__error_nomem(error);
  for (uint32_t g = 0, at = 0; g < coverage->groups.count; g++) {
    size_t end = g + 1 < coverage->groups.count ? coverage->groups.items[g + 1].first : coverage->size;
    for (; at * (size_t)START_EVERY < end; at++) coverage->starts[at] = g;
  }
  uint32_t before = 0;
  for (uint32_t number = 0, next = 0; number < coverage->size; number++) {
    eo__coverage_tuple tuple;
    if (next < coverage->groups.count && coverage->groups.items[next].first == number) {
      if (coverage->uncovered - before > coverage->fewest) coverage->fewest = coverage->uncovered - before;
      before = coverage->uncovered;
      next++;
    }
    if (number % 4096 == 0 && eo__coverage_stopped(coverage, error)) return EO_EINPUT;
    if (system->possible) eo__coverage_tuple_of(coverage, number, &tuple);
    if (!system->possible || eo__coverage_possible(coverage, scratch, tuple.params, tuple.values, tuple.order))
      eo__coverage_list_add(coverage, number);
    else
      coverage->counts[number] = EO__COVERAGE_UNWANTED;
  }
  if (coverage->uncovered - before > coverage->fewest) coverage->fewest = coverage->uncovered - before;
  return EO_OK;
}

/* ---- Either ------------------------------------------------------------------------------------------------------- */

static int number_values(eo__coverage *coverage, eo_error *error) {
  const eo_pairwise_system *system = coverage->system;
  coverage->base = eo__alloc((system->params + 1) * sizeof *coverage->base);
  if (!coverage->base) return eo__error_nomem(error);
  for (uint32_t i = 0; i < system->params; i++) {
    coverage->base[i] = coverage->total;
    coverage->total += system->values[i];
  }
  coverage->words = (coverage->total / 64 / EO__BITS_VECTOR + 1) * EO__BITS_VECTOR;
  coverage->param = eo__alloc((coverage->total + 1) * sizeof *coverage->param);
  coverage->alive = eo__alloc(coverage->words * sizeof *coverage->alive);
  if (!coverage->param || !coverage->alive) return eo__error_nomem(error);
  for (uint32_t i = 0; i < system->params; i++)
    for (uint32_t v = 0; v < system->values[i]; v++) coverage->param[coverage->base[i] + v] = i;
  return EO_OK;
}

int eo__coverage_open(eo__coverage *coverage, const eo_pairwise_system *system, bool turned,
                      bool (*stop)(void *context), void *context, eo_error *error) {
  *coverage = (eo__coverage){.system = system, .stop = stop, .context = context};
  coverage->turns = turned ? system->values[0] : 0;
  coverage->pairs = !turned;
  for (uint32_t i = 0; i < system->relation_count; i++) coverage->pairs &= system->relations[i].order == 2;
  coverage->triples = !turned && eo__triples_suit(system);
  coverage->bits = eo__bits_choose();
  uint16_t *scratch = eo__alloc((system->params + 1) * sizeof *scratch);
  int code = scratch ? number_values(coverage, error) : eo__error_nomem(error);
  if (scratch) memset(scratch, 0xff, system->params * sizeof *scratch);
  if (!code) eo__coverage_find_alive(coverage, scratch);
  if (!code && coverage->triples)
    code = eo__triples_open(coverage, scratch, error);
  else if (!code)
    code = (coverage->pairs ? pairs_open : groups_open)(coverage, scratch, error);
  eo__free(scratch);
  if (code) eo__coverage_close(coverage);
  return code;
}

void eo__coverage_close(eo__coverage *coverage) {
  eo__free(coverage->base);
  eo__free(coverage->param);
  eo__free(coverage->alive);
  eo__free(coverage->counts);
  eo__free(coverage->zero);
  eo__free(coverage->one);
  eo__free(coverage->unwanted);
  eo__free(coverage->scratch);
  eo__free(coverage->entries);
  eo__free(coverage->entry_first);
  eo__free(coverage->list);
  eo__free(coverage->place);
  eo__free(coverage->starts);
  eo__free(coverage->firsts);
  eo_vec_release(&coverage->groups);
  memset(coverage, 0, sizeof *coverage);
}

void eo__coverage_row(eo__coverage *coverage, const uint16_t *row, uint32_t r, int by) {
  if (coverage->triples)
    eo__triples_row(coverage, row, r, by);
  else if (coverage->pairs)
    pairs_row(coverage, row, r, by);
  else
    groups_row(coverage, row, r, by);
}

void eo__coverage_clear(eo__coverage *coverage, const uint16_t *rows, uint32_t count) {
  if (coverage->triples)
    eo__triples_clear(coverage);
  else if (coverage->pairs)
    pairs_clear(coverage);
  else
    for (uint32_t r = 0; r < count; r++) groups_row(coverage, rows + (size_t)r * coverage->system->params, r, -1);
}

int32_t eo__coverage_delta(const eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value) {
  if (coverage->turns) return turned_delta(coverage, row, param, value);
  if (coverage->triples) return eo__triples_delta(coverage, row, r, param, value);
  return coverage->pairs ? pairs_delta(coverage, row, r, param, value) : groups_delta(coverage, row, param, value);
}

void eo__coverage_change(eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value) {
  if (coverage->turns)
    turned_change(coverage, row, param, value);
  else if (coverage->triples)
    eo__triples_change(coverage, row, r, param, value);
  else if (coverage->pairs)
    pairs_change(coverage, row, r, param, value);
  else
    groups_change(coverage, row, r, param, value);
}

uint32_t eo__coverage_alone(const eo__coverage *coverage, const uint16_t *row, uint32_t r) {
  return coverage->pairs ? pairs_alone(coverage, row, r) : groups_alone(coverage, row);
}

void eo__coverage_tuple_of(const eo__coverage *coverage, uint32_t number, eo__coverage_tuple *tuple) {
  if (coverage->pairs) {
    uint32_t both[2] = {number / coverage->total, number % coverage->total};
    tuple->order = 2;
    for (uint32_t i = 0; i < 2; i++) {
      tuple->params[i] = coverage->param[both[i]];
      tuple->values[i] = (uint16_t)(both[i] - coverage->base[tuple->params[i]]);
    }
    return;
  }
  if (coverage->triples) {
    eo__triples_tuple_of(coverage, number, tuple);
    return;
  }
  uint32_t at = coverage->starts[number / START_EVERY];
  while (at + 1 < coverage->groups.count && coverage->groups.items[at + 1].first <= number) at++;
  const eo__coverage_group *group = &coverage->groups.items[at];
  tuple->order = group->order;
  number -= group->first;
  for (uint32_t i = 0; i < group->order; i++) {
    tuple->params[i] = group->params[i];
    tuple->values[i] = i == 0 && coverage->turns ? 0 : (uint16_t)(number / group->strides[i]);
    number %= group->strides[i];
  }
}
