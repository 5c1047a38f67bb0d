/* growth_pairs.c: see growth_pairs.h. It makes the same choices as growth.c does for pairs, in the same order. */
#include "pairwise/growth_pairs.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/bits.h"

enum { MOST_VALUES = 64 }; /* of a parameter, on average */

/* Invariant: `sets` has all that is chosen in the rows, and `open` all values of the parameters up to growth->param that
 * have none in a row; `opens` counts these parameters. */
struct eo__growth_pairs {
  const eo__bits *bits;
  uint32_t words;     /* of a set of values */
  uint32_t used;      /* of these, those that the parameters before the new one take */
  uint32_t *base;     /* of each parameter, the bit of its value 0; and one past the end */
  uint32_t *param_of; /* of each bit */
  uint64_t *dead;     /* values that are impossible by themselves */
  uint64_t *missing;  /* for each value of the new parameter: what it must still be covered with */
  uint64_t *wanted;   /* scratch, a set of values */
  EO_VEC(uint64_t) sets, open;
  EO_VEC(uint32_t) opens;
  EO_VEC(uint32_t) roomy; /* during vertical growth: rows that had room when it began, and new ones */
};

static inline bool has(const uint64_t *set, uint32_t bit) { return set[bit / 64] >> bit % 64 & 1; }
static inline void put(uint64_t *set, uint32_t bit) { set[bit / 64] |= UINT64_C(1) << bit % 64; }
static inline void take(uint64_t *set, uint32_t bit) { set[bit / 64] &= ~(UINT64_C(1) << bit % 64); }

/* The first bit from `bit` on, below `end`; `end` if there is none. */
static uint32_t next_bit(const uint64_t *set, uint32_t bit, uint32_t end) {
  while (bit < end) {
    uint64_t word = set[bit / 64] >> bit % 64;
    if (word) {
      bit += (uint32_t)__builtin_ctzll(word);
      return bit < end ? bit : end;
    }
    bit = (bit / 64 + 1) * 64;
  }
  return end;
}

/* The same of the bits that both have. */
static uint32_t next_common(const uint64_t *one, const uint64_t *other, uint32_t bit, uint32_t end) {
  while (bit < end) {
    uint64_t word = (one[bit / 64] & other[bit / 64]) >> bit % 64;
    if (word) {
      bit += (uint32_t)__builtin_ctzll(word);
      return bit < end ? bit : end;
    }
    bit = (bit / 64 + 1) * 64;
  }
  return end;
}

/* All values of the parameters from `first` to `last`. */
static void put_values(const struct eo__growth_pairs *pairs, uint64_t *set, uint32_t first, uint32_t last) {
  uint32_t from = pairs->base[first], end = pairs->base[last + 1];
  for (; from < end && from % 64; from++) put(set, from);
  for (; from + 64 <= end; from += 64) set[from / 64] = UINT64_MAX;
  for (; from < end; from++) put(set, from);
}

static uint64_t *missing_of(const eo__growth *growth, uint32_t value) {
  return growth->pairs->missing + (size_t)value * growth->pairs->words;
}

static uint32_t number_of(const eo__growth *growth, const uint16_t *row) {
  return (uint32_t)((size_t)(row - growth->rows->values.items) / growth->rows->params);
}

static uint64_t *set_of(const eo__growth *growth, uint32_t r) {
  return growth->pairs->sets.items + (size_t)r * growth->pairs->words;
}

static uint64_t *open_of(const eo__growth *growth, uint32_t r) {
  return growth->pairs->open.items + (size_t)r * growth->pairs->words;
}

/* ---- Opening ------------------------------------------------------------------------------------------------------ */

bool eo__growth_pairs_fit(const eo_pairwise_system *system) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < system->params; i++) total += system->values[i];
  for (uint32_t i = 0; i < system->relation_count; i++)
    if (system->relations[i].order > 2) return false;
  return total <= (uint64_t)MOST_VALUES * system->params && total < UINT32_MAX - 64;
}

/* The sets of a row that has just been added to the rows. */
static bool add_sets(eo__growth *growth, uint32_t r) {
  struct eo__growth_pairs *pairs = growth->pairs;
  const uint16_t *row = eo_pairwise_row(growth->rows, r);
  if (!eo_vec_reserve(&pairs->sets, pairs->words) || !eo_vec_reserve(&pairs->open, pairs->words) ||
      !eo_vec_push(&pairs->opens, 0))
    return false;
  pairs->sets.count += pairs->words;
  pairs->open.count += pairs->words;
  memset(set_of(growth, r), 0, pairs->words * sizeof(uint64_t));
  memset(open_of(growth, r), 0, pairs->words * sizeof(uint64_t));
  put(set_of(growth, r), 0);
  for (uint32_t i = 0; i < growth->system->params; i++)
    if (row[i] != EO_PAIRWISE_ANY) put(set_of(growth, r), pairs->base[i] + row[i]);
  return true;
}

static void find_dead(eo__growth *growth) {
  const eo_pairwise_system *system = growth->system;
  struct eo__growth_pairs *pairs = growth->pairs;
  if (!system->component) return;
  for (uint32_t i = 0; i < system->params; i++)
    for (uint16_t v = 0; system->component[i] != EO_PAIRWISE_ALONE && v < system->values[i]; v++)
      if (!system->together(system->context, &i, &v, 1)) put(pairs->dead, pairs->base[i] + v);
}

int eo__growth_pairs_open(eo__growth *growth, eo_error *error) {
  const eo_pairwise_system *system = growth->system;
  struct eo__growth_pairs *pairs = eo__alloc(sizeof *pairs);
  uint32_t most = 1;
  growth->pairs = pairs;
  if (!pairs) return eo__error_nomem(error);
  pairs->bits = eo__bits_choose();
  pairs->base = eo__alloc((system->params + 1) * sizeof *pairs->base);
  if (!pairs->base) return eo__error_nomem(error);
  pairs->base[0] = 1;
  for (uint32_t i = 0; i < system->params; i++) {
    pairs->base[i + 1] = pairs->base[i] + system->values[i];
    if (system->values[i] > most) most = system->values[i];
  }
  pairs->words = pairs->base[system->params] / 64 + 1;
  pairs->param_of = eo__alloc((pairs->base[system->params] + 1) * sizeof *pairs->param_of);
  pairs->dead = eo__alloc(pairs->words * sizeof *pairs->dead);
  pairs->wanted = eo__alloc(pairs->words * sizeof *pairs->wanted);
  pairs->missing = eo__alloc((size_t)most * pairs->words * sizeof *pairs->missing);
  if (!pairs->param_of || !pairs->dead || !pairs->wanted || !pairs->missing) return eo__error_nomem(error);
  for (uint32_t i = 0; i < system->params; i++)
    for (uint32_t v = 0; v < system->values[i]; v++) pairs->param_of[pairs->base[i] + v] = i;
  for (uint32_t r = 0; r < eo_pairwise_rows_count(growth->rows); r++)
    if (!add_sets(growth, r)) return eo__error_nomem(error);
  find_dead(growth);
  return EO_OK;
}

void eo__growth_pairs_close(eo__growth *growth) {
  struct eo__growth_pairs *pairs = growth->pairs;
  if (!pairs) return;
  eo__free(pairs->base);
  eo__free(pairs->param_of);
  eo__free(pairs->dead);
  eo__free(pairs->wanted);
  eo__free(pairs->missing);
  eo_vec_release(&pairs->sets);
  eo_vec_release(&pairs->open);
  eo_vec_release(&pairs->opens);
  eo_vec_release(&pairs->roomy);
  eo__free(pairs);
  growth->pairs = NULL;
}

/* ---- What must be covered ----------------------------------------------------------------------------------------- */

/* The values that one relation wants the new parameter to be paired with, into `wanted`. */
static void want(eo__growth *growth, const eo_pairwise_relation *relation) {
  struct eo__growth_pairs *pairs = growth->pairs;
  uint32_t count = 0;
  while (count < relation->count && relation->params[count] < growth->param) count++;
  if (count == relation->count || relation->params[count] != growth->param) return;
  bool pivot = relation->pivot == EO_PAIRWISE_NO_PIVOT || relation->pivot == growth->param;
  if (relation->order == 1 && pivot) put(pairs->wanted, 0);
  for (uint32_t i = 0, k; relation->order == 2 && i < count; i = k) {
    for (k = i + 1; pivot && k < count && relation->params[k] == relation->params[k - 1] + 1;) k++;
    if (pivot || relation->params[i] == relation->pivot)
      put_values(pairs, pairs->wanted, relation->params[i], relation->params[k - 1]);
  }
}

static bool may_stand(eo__growth *growth, uint16_t value, uint32_t bit) {
  const eo_pairwise_system *system = growth->system;
  const struct eo__growth_pairs *pairs = growth->pairs;
  uint32_t count = bit ? 2 : 1, params[2] = {growth->param};
  uint16_t values[2] = {value};
  if (bit) {
    params[1] = pairs->param_of[bit];
    values[1] = (uint16_t)(bit - pairs->base[params[1]]);
  }
  if (system->together) return system->together(system->context, params, values, count);
  memset(growth->scratch, 0xff, system->params * sizeof *growth->scratch);
  for (uint32_t i = 0; i < count; i++) growth->scratch[params[i]] = values[i];
  return system->possible(system->context, growth->scratch);
}

/* Asks about each pair with the values of a parameter (bits `from` to `end`). */
static void forget_between(eo__growth *growth, uint32_t from, uint32_t end) {
  for (uint32_t value = 0; value < growth->values; value++) {
    uint64_t *missing = missing_of(growth, value);
    for (uint32_t bit = from; (bit = next_bit(missing, bit, end)) < end; bit++)
      if (!may_stand(growth, (uint16_t)value, bit)) take(missing, bit);
  }
}

/* Only parameters of the same component need be asked about together. Where there is an invalid value, one that is dead by
 * itself may be possible in its own component, with that. */
static int forget_impossible(eo__growth *growth, eo_error *error) {
  const eo_pairwise_system *system = growth->system;
  const struct eo__growth_pairs *pairs = growth->pairs;
  const uint32_t *component = system->component;
  for (uint32_t value = 0; component && value < growth->values; value++) {
    uint64_t *missing = missing_of(growth, value);
    for (uint32_t i = 0; i < pairs->used; i++) missing[i] &= ~pairs->dead[i];
    if (has(pairs->dead, pairs->base[growth->param] + value)) memset(missing, 0, pairs->used * sizeof *missing);
  }
  if (!component) forget_between(growth, 0, 1);
  if (component && component[growth->param] == EO_PAIRWISE_ALONE) return EO_OK;
  for (uint32_t i = 0; i < growth->param; i++) {
    if (component && component[i] != component[growth->param]) continue;
    int code = eo__growth_pause(growth, error);
    if (code) return code;
    for (uint32_t bit = pairs->base[i]; bit < pairs->base[i + 1]; bit++)
      for (uint32_t value = 0; has(pairs->wanted, bit) && value < growth->values; value++)
        put(missing_of(growth, value), bit);
    forget_between(growth, pairs->base[i], pairs->base[i + 1]);
  }
  return EO_OK;
}

int eo__growth_pairs_stage(eo__growth *growth, bool *any, eo_error *error) {
  struct eo__growth_pairs *pairs = growth->pairs;
  const eo_pairwise_system *system = growth->system;
  *any = false;
  pairs->used = pairs->base[growth->param] / 64 + 1;
  memset(pairs->wanted, 0, pairs->used * sizeof *pairs->wanted);
  for (uint32_t i = 0; i < system->relation_count; i++) want(growth, &system->relations[i]);
  for (uint32_t i = 0; i < pairs->used; i++) *any = *any || pairs->wanted[i];
  for (uint32_t value = 0; value < growth->values; value++)
    memcpy(missing_of(growth, value), pairs->wanted, pairs->used * sizeof *pairs->wanted);
  for (uint32_t r = 0; r < eo_pairwise_rows_count(growth->rows); r++) {
    if (eo_pairwise_row(growth->rows, r)[growth->param] != EO_PAIRWISE_ANY) continue;
    put_values(pairs, open_of(growth, r), growth->param, growth->param);
    pairs->opens.items[r]++;
  }
  return system->possible && *any ? forget_impossible(growth, error) : EO_OK;
}

/* ---- Rows --------------------------------------------------------------------------------------------------------- */

static void choose(eo__growth *growth, uint32_t r, uint32_t param, uint16_t value) {
  struct eo__growth_pairs *pairs = growth->pairs;
  uint16_t *cell = &eo_pairwise_row(growth->rows, r)[param];
  if (*cell != EO_PAIRWISE_ANY) return;
  *cell = value;
  put(set_of(growth, r), pairs->base[param] + value);
  for (uint32_t bit = pairs->base[param]; bit < pairs->base[param + 1]; bit++) take(open_of(growth, r), bit);
  pairs->opens.items[r]--;
}

void eo__growth_pairs_eval(const eo__growth *growth, const uint16_t *row, uint32_t *covered) {
  const struct eo__growth_pairs *pairs = growth->pairs;
  uint32_t r = number_of(growth, row), end = pairs->base[growth->param];
  for (uint32_t value = 0; value < growth->values; value++) {
    const uint64_t *missing = missing_of(growth, value), *open = open_of(growth, r);
    covered[value] = pairs->bits->common(missing, set_of(growth, r), pairs->used);
    for (uint32_t bit = 0; pairs->opens.items[r] && (bit = next_common(missing, open, bit, end)) < end;) {
      bit = pairs->base[pairs->param_of[bit] + 1];
      covered[value]++;
    }
  }
}

/* Gives an open place the first value that covers something with the new parameter's and is possible. */
static void fill_partner(eo__growth *growth, uint32_t r, uint32_t param, uint16_t value) {
  const struct eo__growth_pairs *pairs = growth->pairs;
  uint32_t end = pairs->base[param + 1];
  for (uint32_t bit = pairs->base[param]; (bit = next_bit(missing_of(growth, value), bit, end)) < end; bit++) {
    uint16_t partner = (uint16_t)(bit - pairs->base[param]);
    if (!eo__growth_takes(growth, eo_pairwise_row(growth->rows, r), param, partner)) continue;
    choose(growth, r, param, partner);
    return;
  }
}

void eo__growth_pairs_set(eo__growth *growth, uint16_t *row, uint16_t value) {
  struct eo__growth_pairs *pairs = growth->pairs;
  uint32_t r = number_of(growth, row), end = pairs->base[growth->param];
  uint64_t *missing = missing_of(growth, value);
  choose(growth, r, growth->param, value);
  for (uint32_t bit = 0; pairs->opens.items[r] && (bit = next_common(missing, open_of(growth, r), bit, end)) < end;) {
    uint32_t param = pairs->param_of[bit];
    fill_partner(growth, r, param, value);
    bit = pairs->base[param + 1];
  }
  for (uint32_t i = 0; i < pairs->used; i++) missing[i] &= ~set_of(growth, r)[i];
}

/* ---- Vertical growth ---------------------------------------------------------------------------------------------- */

/* Puts the pair into the row if it has room and stays possible. */
static bool fit(eo__growth *growth, uint32_t r, uint16_t value, uint32_t bit) {
  const struct eo__growth_pairs *pairs = growth->pairs;
  uint16_t *row = eo_pairwise_row(growth->rows, r);
  uint32_t params[2] = {growth->param, bit ? pairs->param_of[bit] : growth->param};
  uint16_t values[2] = {value, bit ? (uint16_t)(bit - pairs->base[params[1]]) : value}, before[2];
  bool good = true;
  for (uint32_t i = 0; i < 2; i++) {
    before[i] = row[params[i]];
    if (before[i] != EO_PAIRWISE_ANY && before[i] != values[i]) return false;
  }
  for (uint32_t i = 0; i < 2 && good; i++) {
    good = before[i] == values[i] || eo__growth_takes(growth, row, params[i], values[i]);
    row[params[i]] = good ? values[i] : before[i];
  }
  for (uint32_t i = 0; i < 2; i++) row[params[i]] = before[i];
  for (uint32_t i = 0; i < 2 && good; i++) choose(growth, r, params[i], values[i]);
  return good;
}

static int add_row(eo__growth *growth, eo_error *error) {
  struct eo__growth_pairs *pairs = growth->pairs;
  uint32_t r = eo_pairwise_rows_count(growth->rows);
  if (!eo__pairwise_rows_add(growth->rows, NULL) || !add_sets(growth, r) || !eo_vec_push(&pairs->roomy, r))
    return eo__error_nomem(error);
  put_values(pairs, open_of(growth, r), 0, growth->param);
  pairs->opens.items[r] = growth->param + 1;
  return EO_OK;
}

static int place(eo__growth *growth, uint16_t value, uint32_t bit, eo_error *error) {
  struct eo__growth_pairs *pairs = growth->pairs;
  uint32_t at = 0;
  int code = eo__growth_pause(growth, error);
  if (code) return code;
  while (at < pairs->roomy.count && !fit(growth, pairs->roomy.items[at], value, bit)) at++;
  if (at < pairs->roomy.count) return EO_OK;
  code = add_row(growth, error);
  if (code) return code;
  bool done = fit(growth, pairs->roomy.items[at], value, bit);
  EO_CHECK(done);
  return EO_OK;
}

int eo__growth_pairs_vertical(eo__growth *growth, eo_error *error) {
  struct eo__growth_pairs *pairs = growth->pairs;
  uint32_t end = pairs->base[growth->param];
  int code = EO_OK;
  eo_vec_clear(&pairs->roomy);
  for (uint32_t r = 0; r < eo_pairwise_rows_count(growth->rows); r++)
    if (pairs->opens.items[r] && !eo_vec_push(&pairs->roomy, r)) return eo__error_nomem(error);
  for (uint32_t value = 0; value < growth->values; value++) {
    const uint64_t *missing = missing_of(growth, value);
    for (uint32_t bit = 0; !code && (bit = next_bit(missing, bit, end)) < end; bit++)
      code = place(growth, (uint16_t)value, bit, error);
  }
  return code;
}
