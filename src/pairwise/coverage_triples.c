/* coverage_triples.c: see coverage_triples.h. */
#include "pairwise/coverage_triples.h"

#include <string.h>

#include "base/alloc.h"

/* Words of a set of parameters, at most: the tables of larger systems would not fit (coverage.c). */
enum { MOST_WORDS = 16, PARAMS = MOST_WORDS * 64 };

#define NEVER UINT32_MAX /* the place of a triple that need not be covered */

bool eo__triples_suit(const eo_pairwise_system *system) {
  const eo_pairwise_relation *relation = system->relations;
  return system->relation_count == 1 && relation->order == 3 && relation->pivot == EO_PAIRWISE_NO_PIVOT &&
         relation->count == system->params && system->params >= 3 && system->params <= PARAMS;
}

/* ---- Numbers of triples ------------------------------------------------------------------------------------------- */

/* Those of parameters i < j follow one another from first_of(i, j) on: for each later parameter k, by its values' numbers, as
 * many as i and j have combinations. */
static uint32_t *first_of(const eo__coverage *coverage, uint32_t i, uint32_t j) {
  return &coverage->firsts[i * coverage->system->params + j];
}

static uint32_t number_of(const eo__coverage *coverage, const uint16_t *row, uint32_t param, uint32_t a, uint32_t b) {
  const uint16_t *values = coverage->system->values;
  uint32_t i = param < a ? param : a, k = param < a ? a : param, j = b;
  if (b < i) {
    j = i;
    i = b;
  } else if (b > k) {
    j = k;
    k = b;
  }
  uint32_t before = coverage->base[k] - coverage->base[j + 1];
  return *first_of(coverage, i, j) + before * values[i] * values[j] +
         ((uint32_t)row[i] * values[j] + row[j]) * values[k] + row[k];
}

void eo__triples_tuple_of(const eo__coverage *coverage, uint32_t number, eo__coverage_tuple *tuple) {
  uint32_t params = coverage->system->params, low = 0, high = params - 2;
  const uint16_t *values = coverage->system->values;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    *(*first_of(coverage, middle, middle + 1) <= number ? &low : &high) = middle;
  }
  uint32_t i = low;
  for (low = i + 1, high = params - 1; high - low > 1;) {
    uint32_t middle = low + (high - low) / 2;
    *(*first_of(coverage, i, middle) <= number ? &low : &high) = middle;
  }
  uint32_t j = low, both = (uint32_t)values[i] * values[j], rest = number - *first_of(coverage, i, j);
  uint32_t k = coverage->param[coverage->base[j + 1] + rest / both];
  rest -= (coverage->base[k] - coverage->base[j + 1]) * both;
  *tuple = (eo__coverage_tuple){3, {i, j, k}, {0}};
  tuple->values[0] = (uint16_t)(rest / values[k] / values[j]);
  tuple->values[1] = (uint16_t)(rest / values[k] % values[j]);
  tuple->values[2] = (uint16_t)(rest % values[k]);
}

/* False: too many. */
static bool number_all(eo__coverage *coverage) {
  uint32_t params = coverage->system->params;
  const uint16_t *values = coverage->system->values;
  for (uint32_t i = 0; i < params; i++)
    for (uint32_t j = i + 1; j < params; j++) {
      *first_of(coverage, i, j) = (uint32_t)coverage->size;
      coverage->size += (uint64_t)values[i] * values[j] * (coverage->total - coverage->base[j] - values[j]);
      if (coverage->size > EO__COVERAGE_MOST) return false;
    }
  return true;
}

/* ---- Opening ------------------------------------------------------------------------------------------------------ */

static void want_group(eo__coverage *coverage, const uint32_t *params, uint16_t *scratch) {
  const uint16_t *values = coverage->system->values;
  uint16_t row[PARAMS], at[3];
  for (at[0] = 0; at[0] < values[params[0]]; at[0]++)
    for (at[1] = 0; at[1] < values[params[1]]; at[1]++)
      for (at[2] = 0; at[2] < values[params[2]]; at[2]++) {
        for (uint32_t i = 0; i < 3; i++) row[params[i]] = at[i];
        uint32_t number = number_of(coverage, row, params[0], params[1], params[2]);
        if (eo__coverage_possible(coverage, scratch, params, at, 3))
          eo__coverage_list_add(coverage, number);
        else
          coverage->place[number] = NEVER;
      }
}

static int want_all(eo__coverage *coverage, uint16_t *scratch, eo_error *error) {
  for (uint32_t i = 0; i < coverage->system->params; i++)
    for (uint32_t j = i + 1; j < coverage->system->params; j++) {
      if (eo__coverage_stopped(coverage, error)) return EO_EINPUT;
      for (uint32_t k = j + 1; k < coverage->system->params; k++) {
        uint32_t params[3] = {i, j, k}, before = coverage->uncovered;
        want_group(coverage, params, scratch);
        if (coverage->uncovered - before > coverage->fewest) coverage->fewest = coverage->uncovered - before;
      }
    }
  return EO_OK;
}

int eo__triples_open(eo__coverage *coverage, uint16_t *scratch, eo_error *error) {
  uint32_t params = coverage->system->params, most = 0;
  coverage->sets = (params + EO__BITS_VECTOR * 64 - 1) / (EO__BITS_VECTOR * 64) * EO__BITS_VECTOR;
  for (uint32_t i = 0; i < params; i++)
    if (coverage->system->values[i] > most) most = coverage->system->values[i];
  while (most > 1u << coverage->digits) coverage->digits++;
  coverage->firsts = eo__alloc((size_t)params * params * sizeof *coverage->firsts);
  if (!coverage->firsts) return eo__error_nomem(error);
  if (!number_all(coverage)) return eo__error_set(error, EO_EINPUT, "too many combinations");
  coverage->list = eo__alloc(coverage->size * sizeof *coverage->list);
  coverage->place = eo__alloc(coverage->size * sizeof *coverage->place);
  if (!coverage->list || !coverage->place) return eo__error_nomem(error);
  return want_all(coverage, scratch, error);
}

bool eo__triples_open_rows(const eo__coverage *coverage, eo__coverage_rows *rows, uint32_t count) {
  rows->planes = eo__alloc((size_t)(count + 1) * (coverage->digits + 1) * coverage->sets * sizeof *rows->planes);
  rows->same = eo__alloc((size_t)(count + 1) * coverage->sets * sizeof *rows->same);
  return rows->planes && rows->same;
}

static uint64_t *planes_of(const eo__coverage *coverage, uint32_t r) {
  return coverage->rows->planes + (size_t)r * coverage->digits * coverage->sets;
}

void eo__triples_copy(eo__coverage *coverage, uint32_t to, uint32_t from) {
  memcpy(planes_of(coverage, to), planes_of(coverage, from),
         (size_t)coverage->digits * coverage->sets * sizeof(uint64_t));
}

/* Exchanges the value of a parameter in the planes of a row for that one which differs from it in these bits. */
static void flip(eo__coverage *coverage, uint32_t r, uint32_t param, uint32_t bits) {
  uint64_t *plane = planes_of(coverage, r) + param / 64;
  for (; bits; bits >>= 1, plane += coverage->sets) *plane ^= (uint64_t)(bits & 1) << param % 64;
}

/* Notes of all rows that have the value where they are like row r. */
static void compare(const eo__coverage *coverage, uint32_t r, uint32_t param, uint16_t value) {
  const uint64_t *rows = eo__coverage_having(coverage, param, value), *planes = planes_of(coverage, r);
  for (uint32_t word = 0; word < coverage->rows->words; word++)
    for (uint64_t bits = rows[word]; bits; bits &= bits - 1) {
      uint32_t other = word * 64 + (uint32_t)__builtin_ctzll(bits);
      coverage->bits->alike(planes, planes_of(coverage, other), coverage->digits, coverage->sets,
                            coverage->rows->same + (size_t)other * coverage->sets);
    }
}

/* What of word k is no parameter after `a`, or is `param`. */
static uint64_t left_out(const eo__coverage *coverage, uint32_t k, uint32_t a, uint32_t param) {
  uint32_t params = coverage->system->params;
  if (k < a / 64 || k > params / 64) return UINT64_MAX;
  uint64_t out = k == param / 64 ? UINT64_C(1) << param % 64 : 0;
  if (k == a / 64) out |= UINT64_MAX >> (63 - a % 64);
  if (k == params / 64) out |= UINT64_MAX << params % 64;
  return out;
}

/* Sets of parameters after `a`. Whose values in the row does no other row have together with param's and a's? And whose
 * just one other row? */
typedef struct sifted {
  uint64_t none[MOST_WORDS], once[MOST_WORDS];
} sifted;

/* After a comparison with the rows that have param's value, `mates`, among which the row itself is not. */
static void sift(const eo__coverage *coverage, const uint16_t *row, uint32_t param, const uint64_t *mates, uint32_t a,
                 sifted *out) {
  uint64_t one[MOST_WORDS], two[MOST_WORDS];
  uint32_t from = a / 64 / EO__BITS_VECTOR * EO__BITS_VECTOR;
  for (uint32_t k = from; k < coverage->sets; k++) {
    one[k] = 0;
    two[k] = left_out(coverage, k, a, param);
  }
  coverage->bits->twice(coverage->rows->same, mates, eo__coverage_having(coverage, a, row[a]), coverage->rows->words,
                        from, coverage->sets, one, two);
  for (uint32_t k = from; k < coverage->sets; k++) {
    out->none[k] = ~one[k] & ~two[k];
    out->once[k] = one[k] & ~two[k];
  }
}

static void count_alone(const eo__coverage *coverage, uint32_t r, uint32_t param, uint32_t a, uint32_t b, uint32_t by) {
  uint32_t *alone = coverage->rows->alone + (size_t)r * coverage->system->params;
  alone[param] += by;
  alone[a] += by;
  alone[b] += by;
}

/* Row r loses the triple, which no other row has, or gets it. Where several of its values change one by one, it may have
 * impossible ones in between. */
static void settle_none(eo__coverage *coverage, const uint16_t *row, uint32_t r, uint32_t param, uint32_t a, uint32_t b,
                        int by) {
  uint32_t number = number_of(coverage, row, param, a, b);
  if (coverage->place[number] == NEVER) return;
  if (by > 0)
    eo__coverage_list_remove(coverage, number);
  else
    eo__coverage_list_add(coverage, number);
  count_alone(coverage, r, param, a, b, (uint32_t)by);
}

/* Of the rows that have param's and a's value, the one that has b's is the only one now, or is so no more. */
static void settle_once(const eo__coverage *coverage, const uint16_t *row, const uint64_t *mates, uint32_t param,
                        uint32_t a, uint32_t b, int by) {
  const uint64_t *as = eo__coverage_having(coverage, a, row[a]), *bs = eo__coverage_having(coverage, b, row[b]);
  uint32_t word = 0;
  while (!(mates[word] & as[word] & bs[word])) word++;
  uint32_t other = word * 64 + (uint32_t)__builtin_ctzll(mates[word] & as[word] & bs[word]);
  count_alone(coverage, other, param, a, b, (uint32_t)-by);
}

/* Counts all triples of the row that have param's value, and no parameter before `from` but param; or takes them back. */
static void count(eo__coverage *coverage, const uint16_t *row, uint32_t r, uint32_t param, uint32_t from, int by) {
  const uint64_t *mates = eo__coverage_having(coverage, param, row[param]);
  sifted found;
  compare(coverage, r, param, row[param]);
  for (uint32_t a = from; a < coverage->system->params; a++) {
    if (a == param) continue;
    sift(coverage, row, param, mates, a, &found);
    for (uint32_t k = a / 64; k < coverage->sets; k++) {
      for (uint64_t bits = found.none[k]; bits; bits &= bits - 1)
        settle_none(coverage, row, r, param, a, k * 64 + (uint32_t)__builtin_ctzll(bits), by);
      for (uint64_t bits = found.once[k]; bits; bits &= bits - 1)
        settle_once(coverage, row, mates, param, a, k * 64 + (uint32_t)__builtin_ctzll(bits), by);
    }
  }
}

void eo__triples_change(eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value) {
  uint16_t before = row[param];
  count(coverage, row, r, param, 0, -1);
  row[param] = value;
  flip(coverage, r, param, before ^ value);
  count(coverage, row, r, param, 0, 1);
}

void eo__triples_row(eo__coverage *coverage, const uint16_t *row, uint32_t r, int by) {
  uint32_t params = coverage->system->params;
  if (by > 0) {
    memset(planes_of(coverage, r), 0, (size_t)coverage->digits * coverage->sets * sizeof(uint64_t));
    for (uint32_t i = 0; i < params; i++) flip(coverage, r, i, row[i]);
  }
  for (uint32_t i = 0; i < params; i++) count(coverage, row, r, i, i + 1, by);
}

void eo__triples_clear(eo__coverage *coverage) {
  coverage->uncovered = 0;
  for (uint32_t number = 0; number < coverage->size; number++)
    if (coverage->place[number] != NEVER) eo__coverage_list_add(coverage, number);
}

/* How many triples that have param's value only this row has, or would have. */
static int32_t alone(const eo__coverage *coverage, const uint16_t *row, uint32_t r, uint32_t param) {
  const uint64_t *mates = eo__coverage_having(coverage, param, row[param]);
  int32_t sum = 0;
  sifted found;
  compare(coverage, r, param, row[param]);
  for (uint32_t a = 0; a < coverage->system->params; a++) {
    if (a == param) continue;
    sift(coverage, row, param, mates, a, &found);
    for (uint32_t k = a / 64; k < coverage->sets; k++) sum += __builtin_popcountll(found.none[k]);
  }
  return sum;
}

int32_t eo__triples_delta(const eo__coverage *coverage, uint16_t *row, uint32_t r, uint32_t param, uint16_t value) {
  uint16_t before = row[param];
  uint64_t *word = eo__coverage_having(coverage, param, before) + r / 64, had = *word;
  *word &= ~(UINT64_C(1) << r % 64);
  int32_t delta = alone(coverage, row, r, param);
  row[param] = value;
  delta -= alone(coverage, row, r, param);
  row[param] = before;
  *word = had;
  return delta;
}
