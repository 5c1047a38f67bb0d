/* generate_inside.h: what the files of generate.h share: the eo__driver, which goes through the stages.
 *   generate.c           the eo__driver, effort, and the whole
 *   generate_excluded.c  what constraints rule out
 *   generate_existing.c  existing tests
 *   generate_groups.c    sub-models
 *   generate_plain.c     systems of all parameters, with and without invalid values */
#ifndef EO_PAIRWISE_GENERATE_INSIDE_H
#define EO_PAIRWISE_GENERATE_INSIDE_H

#include "base/rng.h"
#include "pairwise/generate.h"
#include "pairwise/solver.h"
#include "pairwise/stage.h"
#include "pairwise/wanted.h"

/* Homes of existing rows that are not parameters. */
#define EO__DROPPED UINT32_MAX
#define EO__VALID (UINT32_MAX - 1)

enum { EO__MOST_TOLD = 20 }; /* lines of a kind */

typedef struct eo__driver {
  const eo_pairwise_model *model;
  const eo_pairwise_request *request;
  eo_pairwise_algorithm *algorithm;
  eo_pairwise_solver *solver;
  eo_pairwise_wanted wanted;
  uint32_t params;
  uint32_t *numbers;         /* 0, 1, 2, ...: the nodes' parameters */
  uint16_t *whole, *row;     /* rows of the model, for a moment */
  eo_pairwise_rows existing; /* a copy, in which sub-models are whole */
  uint32_t *homes; /* of each existing row: EO__DROPPED, EO__VALID, or the parameter whose invalid value it has */
  eo_pairwise_rows *groups; /* tests of the sub-models */
  eo_pairwise_rows valid;   /* tests without invalid values; the existing ones first */
  eo_pairwise_rows *bad;    /* [parameter] tests with one; likewise */
  uint32_t dropped;         /* existing rows that are */
  uint32_t before;          /* tests of stages that are over, for progress */
  uint32_t *owner;          /* of each parameter: which it is tied to (ties.h) */
  uint32_t *members;        /* parameters, those with the same owner together, the owner first */
  uint32_t *node_of;        /* of each parameter, in the stage of all parameters */
  eo_rng rng;               /* for how values are shuffled */
  bool forcing;             /* sub-models begin with what other parameters force in them */
  bool forced;              /* there was something of that */
  bool stopped;
} eo__driver;

/* Seed 0 leaves values as they are in the model. */
static inline eo_rng *eo__generate_shuffle(eo__driver *d) { return d->request->effort.seed ? &d->rng : NULL; }

/* Runs a stage with its part of the effort. */
int eo__generate_run(eo__driver *d, eo_pairwise_stage *stage, bool is_main, eo_error *error);
/* The rows of a stage that has run, as rows of the model. */
int eo__generate_take_rows(eo__driver *d, const eo_pairwise_stage *stage, eo_pairwise_rows *rows, eo_error *error);
/* The rows of d->valid begin the stage. */
int eo__generate_keep_valid(eo__driver *d, eo_pairwise_stage *stage, eo_error *error);

/* An error that names the constraints, where there is no valid test. */
int eo__generate_satisfiable(eo__driver *d, eo_error *error);
/* One line for each value that no test can have, and for some of the combinations that no test can have though no one
 * constraint says so. */
int eo__generate_excluded(eo__driver *d, eo_text *excluded, eo_error *error);

/* Finds the homes of the existing rows, and says which are dropped. */
int eo__generate_existing(eo__driver *d, eo_pairwise_result *result, eo_error *error);

/* Chooses the tests of sub-models in a row that has no invalid value. */
void eo__generate_fill_groups(eo__driver *d, uint16_t *row);
/* A sub-model whose tests go with everything: no constraint names its parameters, no relation, and no other sub-model. */
bool eo__generate_group_free(const eo__driver *d, size_t number);
/* A node of the stage, whose values are the tests of the sub-model. False: no memory. */
bool eo__generate_group_node(eo__driver *d, eo_pairwise_stage *stage, size_t number);
/* Stages 1 to 3 of a model with sub-models, into d->valid, which has the existing tests. */
int eo__generate_with_groups(eo__driver *d, eo_error *error);

/* Stage 3, into d->valid; without sub-models all there is. */
int eo__generate_plain(eo__driver *d, bool is_main, eo_error *error);
/* Stage 4 for a parameter with invalid values, into d->bad. */
int eo__generate_bad(eo__driver *d, uint32_t param, eo_error *error);

#endif
