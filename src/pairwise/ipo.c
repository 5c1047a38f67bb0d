/* ipo.c: in-parameter-order generation of tests (Lei's dissertation, chapter 4): IPO_H_IV for horizontal growth (figures 4.4 to
 * 4.6) and IPO_V for vertical growth (figure 4.2, in growth.c). Orders above 2 grow in the same way, by all sets of
 * order - 1 earlier parameters (Lei, Kacker, Kuhn, Okun, Lawrence: IPOG, 2007).
 *
 * The figures leave open which of several equally good values a test takes, and which distinct values the first tests
 * take. The first growth takes the lowest; where it was cheap, others draw lots, and the smallest set is kept. */
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "pairwise/growth.h"

enum { GROWTHS = 24 };
#define CHEAP 500000 /* cells times values: some milliseconds for one growth */

static uint32_t weight_of(const eo__growth *growth, uint16_t value) {
  const uint32_t *const *weights = growth->system->weights;
  return weights ? weights[growth->param][value] : 1;
}

/* The possible value that covers most; of equals the heaviest. A row that can be completed has one. */
static uint16_t best_value(eo__growth *growth, eo_rng *rng, uint16_t *row) {
  uint16_t best = EO_PAIRWISE_ANY;
  uint32_t most = 0, equals = 0;
  eo__growth_eval(growth, row, growth->covered);
  for (uint32_t v = 0; v < growth->values; v++) {
    uint16_t value = (uint16_t)v;
    uint32_t covered = growth->covered[v];
    if (best != EO_PAIRWISE_ANY) {
      uint32_t weight = weight_of(growth, value), heaviest = weight_of(growth, best);
      if (covered < most || (covered == most && weight < heaviest)) continue;
      bool equal = covered == most && weight == heaviest;
      equals = equal ? equals + 1 : 0;
      if (equal && (!rng || eo__rng_below(rng, equals + 1))) continue;
    }
    if (!eo__growth_takes(growth, row, growth->param, value)) continue;
    best = value;
    most = covered;
  }
  EO_CHECK(best != EO_PAIRWISE_ANY);
  return best;
}

typedef struct choice {
  eo_rng *rng;
  bool open; /* for pairs, too */
} choice;

/* The first rows take one value each: nothing is to be gained by choosing. As in IPOG, a place where no value covers
 * anything stays open for later parameters and vertical growth to fill. The figures, which are about pairs, fill it. */
static int horizontal_values(eo__growth *growth, void *context, eo_error *error) {
  uint32_t count = eo_pairwise_rows_count(growth->rows);
  const choice *how = context;
  uint32_t shift = how->rng ? eo__rng_below(how->rng, growth->values) : 0;
  bool open = how->open || (!growth->pairs && growth->groups.items[0].others > 1);
  for (uint32_t r = 0; r < count; r++) {
    int code = eo__growth_pause(growth, error);
    if (code) return code;
    uint16_t *row = eo_pairwise_row(growth->rows, r);
    uint16_t value = row[growth->param];
    if (value == EO_PAIRWISE_ANY) {
      uint16_t own = (uint16_t)((r + shift) % growth->values);
      bool given = r < growth->values && !growth->system->weights && eo__growth_takes(growth, row, growth->param, own);
      value = given ? own : best_value(growth, how->rng, row);
      if (!given && open && growth->covered[value] == 0) continue;
    }
    eo__growth_set(growth, row, value);
  }
  return EO_OK;
}

int eo__growth_ipo(const eo_pairwise_system *system, const eo_pairwise_effort *effort, eo_pairwise_rows *rows,
                   bool open, eo_rng *rng, eo_error *error) {
  choice how = {rng, open};
  return eo__growth_run(system, effort, rows, false, horizontal_values, &how, error);
}

static int copy_rows(eo_pairwise_rows *to, const eo_pairwise_rows *from, eo_error *error) {
  eo__pairwise_rows_init(to, from->params);
  if (!eo_vec_reserve(&to->values, from->values.count)) return eo__error_nomem(error);
  if (from->values.count) memcpy(to->values.items, from->values.items, from->values.count * sizeof *to->values.items);
  to->values.count = from->values.count;
  return EO_OK;
}

static bool cheap(const eo_pairwise_system *system, const eo_pairwise_rows *rows) {
  uint64_t values = 0, partners = 0;
  for (uint32_t i = 0; i < system->params; i++) values += system->values[i];
  for (uint32_t i = 0; i < system->relation_count; i++) {
    uint64_t sets = 1;
    const eo_pairwise_relation *relation = &system->relations[i];
    for (uint32_t k = 1; k < relation->order; k++) sets = sets * (relation->count - k) / k;
    if (sets > partners) partners = sets;
  }
  return !system->possible && values * partners * eo_pairwise_rows_count(rows) / 2 < CHEAP;
}

int eo__pairwise_ipo(const eo_pairwise_system *system, const eo_pairwise_effort *effort, eo_pairwise_rows *rows,
                     eo_error *error) {
  eo_rng rng;
  eo_pairwise_rows given, other;
  int code = copy_rows(&given, rows, error);
  if (!code) code = eo__growth_ipo(system, effort, rows, false, NULL, error);
  uint32_t growths = !code && cheap(system, rows) ? GROWTHS : 1;
  eo__rng_init(&rng, effort->seed);
  for (uint32_t i = 1; !code && i < growths; i++) {
    code = copy_rows(&other, &given, error);
    if (!code) code = eo__growth_ipo(system, effort, &other, false, &rng, error);
    if (!code && eo_pairwise_rows_count(&other) < eo_pairwise_rows_count(rows)) {
      eo_pairwise_rows smaller = other;
      other = *rows;
      *rows = smaller;
    }
    eo__pairwise_rows_release(&other);
  }
  eo__pairwise_rows_release(&given);
  return code;
}
