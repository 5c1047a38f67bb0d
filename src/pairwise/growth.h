/* growth.h: extending a set of tests by one parameter, as figure 4.1 of Lei's dissertation does: what the new parameter must be
 * covered with, horizontal growth (the caller's), vertical growth.
 *
 * For order 2 this is the dissertation's: a group is a partner of the new parameter, `missing` its matrix of coverage
 * and `left` tells what its pointer matrix tells: whether a value that is not chosen yet could still cover a pair. For
 * higher orders a group is every set of order - 1 earlier parameters. Where all is pairs, and nobody needs groups,
 * growth_pairs.h does the same faster. */
#ifndef EO_PAIRWISE_GROWTH_H
#define EO_PAIRWISE_GROWTH_H

#include "pairwise/system.h"

typedef struct eo__growth_group {
  uint32_t others; /* how many parameters besides the new one; 0 to EO_PAIRWISE_MAX_ORDER - 1 */
  uint32_t params[EO_PAIRWISE_MAX_ORDER - 1];
  uint32_t size;  /* combinations of their values */
  uint64_t first; /* the bit of value 0 with combination 0; value v with combination c is at first + v * size + c */
} eo__growth_group;

/* The stage of one parameter. Invariant: `left[group * values + value]` counts the bits of `missing` for them. */
typedef struct eo__growth {
  const eo_pairwise_system *system;
  eo_pairwise_rows *rows;
  uint32_t param;  /* the new one: those before it have been grown */
  uint32_t values; /* how many it has */
  EO_VEC(eo__growth_group) groups;
  uint64_t *missing;
  uint32_t *left;
  struct eo__growth_pairs *pairs;   /* in place of groups, missing and left (growth_pairs.h); NULL: those */
  uint16_t *scratch;                /* one row */
  uint32_t *covered;                /* for each value, room for eo__growth_eval */
  const eo_pairwise_effort *effort; /* who may stop it, and when */
  double began, asked;
} eo__growth;

/* Horizontal growth: gives every row a value of growth->param, by eo__growth_set. */
typedef int eo__growth_horizontal(eo__growth *growth, void *context, eo_error *error);

/* All parameters in their order. `grouped`: the caller looks at groups, missing and left. EO_EINPUT: too large, or it was
 * stopped, by the effort's progress or its seconds (0: no bound); then the rows do not cover everything. */
int eo__growth_run(const eo_pairwise_system *system, const eo_pairwise_effort *effort, eo_pairwise_rows *rows,
                   bool grouped, eo__growth_horizontal *horizontal, void *context, eo_error *error);

/* One growth of IPO_H_IV and IPO_V (ipo.c); equally good values are drawn, or with `rng` NULL the first is taken. With `open`,
 * places of pairs where nothing is gained stay open: a smaller set, but not the published one. */
struct eo_rng;
int eo__growth_ipo(const eo_pairwise_system *system, const eo_pairwise_effort *effort, eo_pairwise_rows *rows,
                   bool open, struct eo_rng *rng, eo_error *error);

/* To be asked often: may it go on? */
int eo__growth_pause(eo__growth *growth, eo_error *error);

/* How many missing combinations the row would cover with each of the values (figure 4.6). */
void eo__growth_eval(const eo__growth *growth, const uint16_t *row, uint32_t *covered);
/* Is the row, one of the growth's, still possible with this value of a parameter that has none there? It is as before
 * afterwards. */
bool eo__growth_takes(const eo__growth *growth, uint16_t *row, uint32_t param, uint16_t value);
/* Gives the row the value, and values that cover something to parameters of it that had none (figure 4.5). */
void eo__growth_set(eo__growth *growth, uint16_t *row, uint16_t value);
/* Counts what a row covers that has its value already. */
void eo__growth_count(eo__growth *growth, const uint16_t *row);

static inline bool eo__growth_missing(const eo__growth *growth, uint64_t bit) {
  return growth->missing[bit / 64] >> bit % 64 & 1;
}

#endif
