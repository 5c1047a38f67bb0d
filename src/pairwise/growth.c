/* growth.c: see growth.h. Vertical growth follows figure 4.2 of Lei's dissertation: the tests for one value of the new parameter
 * come one after the other, and each missing combination goes into the first of them that has room for it. Constraints
 * only ask, wherever a value is put into a row, whether the row can still be completed; since that answer is exact, no
 * row must ever be taken back, as in section 4.5. */
#include "pairwise/growth.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "pairwise/growth_pairs.h"
#include "pairwise/relation.h"

static uint32_t group_index(const eo__growth *growth, const eo__growth_group *group, const uint16_t *row) {
  uint32_t index = 0;
  for (uint32_t i = 0; i < group->others; i++) {
    uint32_t param = group->params[i];
    if (row[param] == EO_PAIRWISE_ANY) return UINT32_MAX;
    index = index * growth->system->values[param] + row[param];
  }
  return index;
}

static void put_combination(const eo__growth *growth, const eo__growth_group *group, uint32_t index, uint16_t *row) {
  for (uint32_t i = group->others; i-- > 0;) {
    uint32_t values = growth->system->values[group->params[i]];
    row[group->params[i]] = (uint16_t)(index % values);
    index /= values;
  }
}

/* ---- What must be covered ----------------------------------------------------------------------------------------- */

enum { MOST_BITS_LOG = 34 };

/* The parameters of the relation before growth->param, into `earlier`; how many, or UINT32_MAX if it is not among them. */
static uint32_t earlier_params(const eo__growth *growth, const eo_pairwise_relation *relation, uint32_t *earlier) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < relation->count && relation->params[i] <= growth->param; i++) {
    if (relation->params[i] == growth->param) return count;
    earlier[count++] = relation->params[i];
  }
  return UINT32_MAX;
}

static int add_group(eo__growth *growth, uint32_t number, const uint32_t *earlier, const uint32_t *chosen,
                     uint64_t *bits, eo_error *error) {
  const eo_pairwise_relation *relation = &growth->system->relations[number];
  eo__growth_group group = {.others = relation->order - 1, .size = 1, .first = *bits};
  uint64_t size = 1;
  for (uint32_t i = 0; i < group.others; i++) {
    group.params[i] = earlier[chosen[i]];
    size *= growth->system->values[group.params[i]];
    if (size >> MOST_BITS_LOG) size = 1ull << MOST_BITS_LOG;
  }
  uint32_t whole[EO_PAIRWISE_MAX_ORDER];
  memcpy(whole, group.params, sizeof group.params);
  whole[group.others] = growth->param;
  /* Two relations may ask for the same; it is counted once. */
  bool simple = growth->system->relation_count == 1 && relation->pivot == EO_PAIRWISE_NO_PIVOT;
  if (!simple && (!eo__relation_wants(relation, whole, relation->order) ||
                  eo__relations_want(growth->system->relations, number, whole, relation->order)))
    return EO_OK;
  *bits += size * growth->values;
  if (size > UINT32_MAX / 2 || *bits >> MOST_BITS_LOG)
    return eo__error_set(error, EO_EINPUT,
                         "too many combinations to cover: parameter %u alone needs more than %llu of them. Lower the "
                         "order, or give the high order to fewer parameters",
                         growth->param + 1, 1ull << MOST_BITS_LOG);
  group.size = (uint32_t)size;
  return eo_vec_push(&growth->groups, group) ? EO_OK : eo__error_nomem(error);
}

static int add_relation(eo__growth *growth, uint32_t number, uint32_t *earlier, uint64_t *bits, eo_error *error) {
  const eo_pairwise_relation *relation = &growth->system->relations[number];
  uint32_t count = earlier_params(growth, relation, earlier);
  uint32_t others = relation->order - 1;
  uint32_t chosen[EO_PAIRWISE_MAX_ORDER];
  if (count == UINT32_MAX || count < others) return EO_OK;
  for (uint32_t i = 0; i < others; i++) chosen[i] = i;
  for (;;) {
    int code = add_group(growth, number, earlier, chosen, bits, error);
    if (code) return code;
    uint32_t at = others;
    while (at > 0 && chosen[at - 1] == count - others + at - 1) at--;
    if (at == 0) return EO_OK;
    chosen[at - 1]++;
    for (uint32_t i = at; i < others; i++) chosen[i] = chosen[i - 1] + 1;
  }
}

/* May the combination of a group stand in a test with the value? It is in growth->scratch, and nothing else. */
static bool may_stand(const eo__growth *growth, const eo__growth_group *group) {
  const eo_pairwise_system *system = growth->system;
  uint32_t params[EO_PAIRWISE_MAX_ORDER];
  uint16_t values[EO_PAIRWISE_MAX_ORDER];
  if (!system->together) return system->possible(system->context, growth->scratch);
  for (uint32_t i = 0; i <= group->others; i++) {
    params[i] = i < group->others ? group->params[i] : growth->param;
    values[i] = growth->scratch[params[i]];
  }
  return system->together(system->context, params, values, group->others + 1);
}

static int forget_impossible(eo__growth *growth, eo_error *error) {
  const eo_pairwise_system *system = growth->system;
  for (size_t g = 0; g < growth->groups.count; g++) {
    int code = g % 64 == 0 ? eo__growth_pause(growth, error) : EO_OK;
    if (code) return code;
    const eo__growth_group *group = &growth->groups.items[g];
    memset(growth->scratch, 0xff, system->params * sizeof *growth->scratch);
    for (uint32_t value = 0; value < growth->values; value++)
      for (uint32_t index = 0; index < group->size; index++) {
        uint64_t bit = group->first + (uint64_t)value * group->size + index;
        put_combination(growth, group, index, growth->scratch);
        growth->scratch[growth->param] = (uint16_t)value;
        if (may_stand(growth, group)) continue;
        growth->missing[bit / 64] &= ~(1ull << bit % 64);
        growth->left[g * growth->values + value]--;
      }
  }
  return EO_OK;
}

int eo__growth_pause(eo__growth *growth, eo_error *error) {
  const eo_pairwise_effort *effort = growth->effort;
  double now = eo__seconds_coarse();
  if (now - growth->asked < 0.05) return EO_OK;
  growth->asked = now;
  uint32_t tests = eo_pairwise_rows_count(growth->rows);
  if (effort->seconds > 0 && now - growth->began > effort->seconds)
    return eo__error_set(
        error, EO_EINPUT,
        "after %.3g s there is no complete set yet, only one of %u tests for %u of %u parameters: give it more "
        "time, or lower the order",
        effort->seconds, tests, growth->param, growth->system->params);
  if (effort->progress && !effort->progress(effort->context, tests, now - growth->began))
    return eo__error_set(error, EO_EINPUT, "stopped before there was a whole set: %u of %u parameters were done",
                         growth->param, growth->system->params);
  return EO_OK;
}

static int open_groups(eo__growth *growth, bool *any, eo_error *error) {
  const eo_pairwise_system *system = growth->system;
  uint32_t *earlier = eo__alloc((growth->param + 1) * sizeof *earlier);
  uint64_t bits = 0;
  int code = earlier ? EO_OK : eo__error_nomem(error);
  eo_vec_clear(&growth->groups);
  for (uint32_t i = 0; !code && i < system->relation_count; i++) code = add_relation(growth, i, earlier, &bits, error);
  eo__free(earlier);
  if (code) return code;
  *any = growth->groups.count > 0;
  growth->missing = eo__alloc((bits / 64 + 1) * sizeof *growth->missing);
  growth->left = eo__alloc((growth->groups.count * growth->values + 1) * sizeof *growth->left);
  if (!growth->missing || !growth->left) return eo__error_nomem(error);
  memset(growth->missing, 0xff, (bits / 64 + 1) * sizeof *growth->missing);
  for (size_t i = 0; i < growth->groups.count * growth->values; i++)
    growth->left[i] = growth->groups.items[i / growth->values].size;
  return system->possible ? forget_impossible(growth, error) : EO_OK;
}

static void stage_close(eo__growth *growth) {
  eo__free(growth->missing);
  eo__free(growth->left);
  growth->missing = NULL;
  growth->left = NULL;
}

/* ---- Rows --------------------------------------------------------------------------------------------------------- */

bool eo__growth_takes(const eo__growth *growth, uint16_t *row, uint32_t param, uint16_t value) {
  const eo_pairwise_system *system = growth->system;
  uint16_t before = row[param];
  if (!system->possible) return true;
  row[param] = value;
  bool takes = system->extends ? system->extends(system->context, row, param) : system->possible(system->context, row);
  row[param] = before;
  return takes;
}

void eo__growth_eval(const eo__growth *growth, const uint16_t *row, uint32_t *covered) {
  uint32_t values = growth->values;
  if (growth->pairs) {
    eo__growth_pairs_eval(growth, row, covered);
    return;
  }
  memset(covered, 0, values * sizeof *covered);
  for (size_t g = 0; g < growth->groups.count; g++) {
    const eo__growth_group *group = &growth->groups.items[g];
    uint32_t index = group_index(growth, group, row);
    if (index != UINT32_MAX) {
      uint64_t bit = group->first + index;
      for (uint32_t value = 0; value < values; value++, bit += group->size)
        covered[value] += eo__growth_missing(growth, bit);
    } else if (group->others == 1) {
      for (uint32_t value = 0; value < values; value++) covered[value] += growth->left[g * values + value] != 0;
    }
  }
}

static void cover(eo__growth *growth, size_t g, uint16_t value, uint32_t index) {
  const eo__growth_group *group = &growth->groups.items[g];
  uint64_t bit = group->first + (uint64_t)value * group->size + index;
  if (!eo__growth_missing(growth, bit)) return;
  growth->missing[bit / 64] &= ~(1ull << bit % 64);
  growth->left[g * growth->values + value]--;
}

static void fill_partner(eo__growth *growth, size_t g, uint16_t *row, uint16_t value) {
  const eo__growth_group *group = &growth->groups.items[g];
  for (uint32_t index = 0; index < group->size; index++) {
    if (!eo__growth_missing(growth, group->first + (uint64_t)value * group->size + index)) continue;
    if (!eo__growth_takes(growth, row, group->params[0], (uint16_t)index)) continue;
    row[group->params[0]] = (uint16_t)index;
    return;
  }
}

void eo__growth_set(eo__growth *growth, uint16_t *row, uint16_t value) {
  if (growth->pairs) {
    eo__growth_pairs_set(growth, row, value);
    return;
  }
  row[growth->param] = value;
  for (size_t g = 0; g < growth->groups.count; g++) {
    const eo__growth_group *group = &growth->groups.items[g];
    if (group->others == 1 && growth->left[g * growth->values + value] && row[group->params[0]] == EO_PAIRWISE_ANY)
      fill_partner(growth, g, row, value);
    uint32_t index = group_index(growth, group, row);
    if (index != UINT32_MAX) cover(growth, g, value, index);
  }
}

void eo__growth_count(eo__growth *growth, const uint16_t *row) {
  for (size_t g = 0; g < growth->groups.count; g++) {
    uint32_t index = group_index(growth, &growth->groups.items[g], row);
    if (index != UINT32_MAX) cover(growth, g, row[growth->param], index);
  }
}

/* ---- Vertical growth ---------------------------------------------------------------------------------------------- */

/* Puts a combination into the row if it has room and stays possible. */
static bool fit(eo__growth *growth, const eo__growth_group *group, uint16_t *row, uint16_t value, uint32_t index) {
  const eo_pairwise_system *system = growth->system;
  uint16_t *wanted = growth->scratch;
  uint16_t before[EO_PAIRWISE_MAX_ORDER];
  put_combination(growth, group, index, wanted);
  if (row[growth->param] != value && row[growth->param] != EO_PAIRWISE_ANY) return false;
  for (uint32_t i = 0; i < group->others; i++) {
    before[i] = row[group->params[i]];
    if (before[i] != EO_PAIRWISE_ANY && before[i] != wanted[group->params[i]]) return false;
  }
  uint16_t before_value = row[growth->param];
  for (uint32_t i = 0; i < group->others; i++) row[group->params[i]] = wanted[group->params[i]];
  row[growth->param] = value;
  if (!system->possible || system->possible(system->context, row)) return true;
  for (uint32_t i = 0; i < group->others; i++) row[group->params[i]] = before[i];
  row[growth->param] = before_value;
  return false;
}

typedef EO_VEC(uint32_t) row_list;

static bool has_room(const eo__growth *growth, uint32_t r) {
  const uint16_t *row = eo_pairwise_row(growth->rows, r);
  bool room = false;
  for (uint32_t i = 0; i <= growth->param && !room; i++) room = row[i] == EO_PAIRWISE_ANY;
  return room;
}

/* Rows that still have room, up to the new parameter. */
static bool list_open(const eo__growth *growth, row_list *open) {
  for (uint32_t r = 0; r < eo_pairwise_rows_count(growth->rows); r++)
    if (has_room(growth, r) && !eo_vec_push(open, r)) return false;
  return true;
}

static int place(eo__growth *growth, size_t g, uint16_t value, uint32_t index, row_list *open, eo_error *error) {
  const eo__growth_group *group = &growth->groups.items[g];
  uint32_t at = 0;
  int code = eo__growth_pause(growth, error);
  if (code) return code;
  while (at < open->count && !fit(growth, group, eo_pairwise_row(growth->rows, open->items[at]), value, index)) at++;
  if (at == open->count) {
    if (!eo__pairwise_rows_add(growth->rows, NULL)) return eo__error_nomem(error);
    if (!eo_vec_push(open, eo_pairwise_rows_count(growth->rows) - 1)) return eo__error_nomem(error);
    bool done = fit(growth, group, eo_pairwise_row(growth->rows, open->items[at]), value, index);
    EO_CHECK(done);
  }
  uint32_t r = open->items[at];
  if (group->others < 2) {
    cover(growth, g, value, index);
    return EO_OK;
  }
  eo__growth_count(growth, eo_pairwise_row(growth->rows, r));
  if (!has_room(growth, r)) {
    open->count--;
    memmove(open->items + at, open->items + at + 1, (open->count - at) * sizeof *open->items);
  }
  return EO_OK;
}

static int vertical(eo__growth *growth, eo_error *error) {
  row_list open = {0};
  int code = list_open(growth, &open) ? EO_OK : eo__error_nomem(error);
  for (uint32_t value = 0; !code && value < growth->values; value++)
    for (size_t g = 0; !code && g < growth->groups.count; g++) {
      const eo__growth_group *group = &growth->groups.items[g];
      uint64_t first = group->first + (uint64_t)value * group->size;
      for (uint32_t index = 0; !code && growth->left[g * growth->values + value] && index < group->size; index++)
        if (eo__growth_missing(growth, first + index)) code = place(growth, g, (uint16_t)value, index, &open, error);
    }
  eo_vec_release(&open);
  return code;
}

static int grow_by(eo__growth *growth, uint32_t param, eo__growth_horizontal *horizontal, void *context,
                   eo_error *error) {
  bool any = false;
  growth->param = param;
  growth->values = growth->system->values[param];
  int code = (growth->pairs ? eo__growth_pairs_stage : open_groups)(growth, &any, error);
  if (!code && any) code = horizontal(growth, context, error);
  if (!code) code = (growth->pairs ? eo__growth_pairs_vertical : vertical)(growth, error);
  stage_close(growth);
  return code;
}

int eo__growth_run(const eo_pairwise_system *system, const eo_pairwise_effort *effort, eo_pairwise_rows *rows,
                   bool grouped, eo__growth_horizontal *horizontal, void *context, eo_error *error) {
  eo__growth growth = {.system = system, .rows = rows, .effort = effort, .began = eo__seconds()};
  growth.asked = growth.began;
  uint32_t most = 1;
  for (uint32_t i = 0; i < system->params; i++)
    if (system->values[i] > most) most = system->values[i];
  growth.scratch = eo__alloc((system->params + 1) * sizeof *growth.scratch);
  growth.covered = eo__alloc(most * sizeof *growth.covered);
  int code = growth.scratch && growth.covered ? EO_OK : eo__error_nomem(error);
  if (!code && !grouped && eo__growth_pairs_fit(system)) code = eo__growth_pairs_open(&growth, error);
  for (uint32_t param = 0; !code && param < system->params; param++)
    code = grow_by(&growth, param, horizontal, context, error);
  eo__growth_pairs_close(&growth);
  eo_vec_release(&growth.groups);
  eo__free(growth.scratch);
  eo__free(growth.covered);
  return code;
}
