/* ipo_ec.c: in-parameter-order generation with the best possible horizontal growth: IPO_H_EC, Lei's dissertation, figure 4.3. Of
 * all ways to give the tests values of the new parameter, one that leaves vertical growth the fewest tests to add.
 *
 * Permutations that differ only by a renaming of the values are equivalent (theorem 4.4.1), so of the values that no
 * test has yet only the first is tried: this enumerates one permutation of each class (theorem 4.4.4). Where constraints,
 * weights or given values tell the values apart, all are tried. A branch ends where it cannot beat the best one known:
 * one more test lowers the weight by at most one. It stays exponential, so there is a bound on the work, and past it the
 * system is refused. */
#include <string.h>

#include "base/alloc.h"
#include "pairwise/growth.h"

#define MOST_NODES 20000000 /* some seconds for one parameter */

/* The choice for the rows from `at` on. Invariant: seen[value][group][w] counts rows with these; covered[value][group]
 * counts the w that are seen and were wanted; open[value][group] counts rows that have no value at the group yet. */
typedef struct permutation {
  eo__growth *growth;
  uint32_t rows;
  uint32_t groups;
  uint32_t most; /* values of any partner */
  uint32_t *seen, *covered, *open;
  uint16_t *chosen, *best;
  uint32_t weight, lowest;
  bool alike; /* values may be renamed */
  uint64_t nodes;
} permutation;

static uint32_t weight_of_value(const permutation *p, uint32_t value) {
  uint32_t weight = 0;
  for (uint32_t g = 0; g < p->groups; g++) {
    size_t at = (size_t)value * p->groups + g;
    uint32_t done = p->covered[at] + p->open[at], wanted = p->growth->left[(size_t)g * p->growth->values + value];
    if (wanted > done && wanted - done > weight) weight = wanted - done;
  }
  return weight;
}

static void count_row(permutation *p, uint32_t r, uint16_t value, int by) {
  const eo__growth *growth = p->growth;
  const uint16_t *row = eo_pairwise_row(growth->rows, r);
  p->weight -= weight_of_value(p, value);
  for (uint32_t g = 0; g < p->groups; g++) {
    const eo__growth_group *group = &growth->groups.items[g];
    size_t at = (size_t)value * p->groups + g;
    uint16_t w = group->others ? row[group->params[0]] : 0;
    if (w == EO_PAIRWISE_ANY) {
      p->open[at] += (uint32_t)by;
      continue;
    }
    uint32_t *seen = &p->seen[at * p->most + w];
    if (*seen + (by > 0) == 1 && eo__growth_missing(growth, group->first + (uint64_t)value * group->size + w))
      p->covered[at] += (uint32_t)by;
    *seen += (uint32_t)by;
  }
  p->weight += weight_of_value(p, value);
}

/* False: too much work. */
static bool choose(permutation *p, uint32_t r, uint32_t used) {
  if (p->nodes++ > MOST_NODES) return false;
  if (p->lowest == 0 || (p->weight > p->rows - r && p->weight - (p->rows - r) >= p->lowest)) return true;
  if (r == p->rows) {
    if (p->weight >= p->lowest) return true;
    p->lowest = p->weight;
    memcpy(p->best, p->chosen, p->rows * sizeof *p->best);
    return true;
  }
  uint16_t *row = eo_pairwise_row(p->growth->rows, r);
  uint16_t given = row[p->growth->param];
  uint32_t end = p->alike && used + 1 < p->growth->values ? used + 1 : p->growth->values;
  bool finished = true;
  for (uint32_t v = given == EO_PAIRWISE_ANY ? 0 : given; finished && v < end; v++) {
    if (given != EO_PAIRWISE_ANY && v != given) break;
    if (!eo__growth_takes(p->growth, row, p->growth->param, (uint16_t)v)) continue;
    p->chosen[r] = (uint16_t)v;
    count_row(p, r, (uint16_t)v, 1);
    finished = choose(p, r + 1, v == used ? used + 1 : used);
    count_row(p, r, (uint16_t)v, -1);
  }
  return finished;
}

static bool values_alike(const eo__growth *growth, uint32_t rows) {
  if (growth->system->possible || growth->system->weights) return false;
  for (uint32_t r = 0; r < rows; r++)
    if (eo_pairwise_row(growth->rows, r)[growth->param] != EO_PAIRWISE_ANY) return false;
  return true;
}

static int search(permutation *p, eo_error *error) {
  size_t cells = (size_t)p->growth->values * p->groups + 1;
  p->seen = eo__alloc(cells * p->most * sizeof *p->seen);
  p->covered = eo__alloc(cells * sizeof *p->covered);
  p->open = eo__alloc(cells * sizeof *p->open);
  p->chosen = eo__alloc((p->rows + 1) * sizeof *p->chosen);
  p->best = eo__alloc((p->rows + 1) * sizeof *p->best);
  if (!p->seen || !p->covered || !p->open || !p->chosen || !p->best) return eo__error_nomem(error);
  for (uint32_t v = 0; v < p->growth->values; v++) p->weight += weight_of_value(p, v);
  if (choose(p, 0, 0)) return EO_OK;
  return eo__error_set(error, EO_EINPUT,
                       "ipo-ec cannot finish: parameter %u has %u values for %u tests, and the best of all ways to "
                       "combine them was not found in %d steps. Use the algorithm 'ipo' or 'best'",
                       p->growth->param + 1, p->growth->values, p->rows, MOST_NODES);
}

static int horizontal_classes(eo__growth *growth, void *context, eo_error *error) {
  uint32_t rows = eo_pairwise_rows_count(growth->rows);
  permutation p = {.growth = growth, .rows = rows, .groups = (uint32_t)growth->groups.count, .lowest = UINT32_MAX};
  (void)context;
  p.alike = values_alike(growth, rows);
  p.most = 1;
  for (size_t g = 0; g < growth->groups.count; g++)
    if (growth->groups.items[g].size > p.most) p.most = growth->groups.items[g].size;
  int code = search(&p, error);
  for (uint32_t r = 0; !code && r < rows; r++) {
    /* A value that covers something goes into a row where none is chosen only when all that is chosen is counted. */
    eo_pairwise_row(growth->rows, r)[growth->param] = p.best[r];
    eo__growth_count(growth, eo_pairwise_row(growth->rows, r));
  }
  for (uint32_t r = 0; !code && r < rows; r++) eo__growth_set(growth, eo_pairwise_row(growth->rows, r), p.best[r]);
  eo__free(p.seen);
  eo__free(p.covered);
  eo__free(p.open);
  eo__free(p.chosen);
  eo__free(p.best);
  return code;
}

int eo__pairwise_ipo_ec(const eo_pairwise_system *system, const eo_pairwise_effort *effort, eo_pairwise_rows *rows,
                        eo_error *error) {
  for (uint32_t i = 0; i < system->relation_count; i++)
    if (system->relations[i].order > 2)
      return eo__error_set(error, EO_EINPUT, "ipo-ec is for orders 1 and 2, not %u. Use the algorithm 'ipo' or 'best'",
                           system->relations[i].order);
  return eo__growth_run(system, effort, rows, true, horizontal_classes, NULL, error);
}
