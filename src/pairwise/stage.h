/* stage.h: one system of a model's generation (generate.c makes several). Its parameters are nodes: a parameter of the
 * model with some of its values, or a sub-model, whose tests are the values. */
#ifndef EO_PAIRWISE_STAGE_H
#define EO_PAIRWISE_STAGE_H

#include "base/rng.h"
#include "pairwise/model.h"
#include "pairwise/solver.h"
#include "pairwise/system.h"

/* Invariant: `tuples` holds `count` values of the model for each value of the node. */
typedef struct eo_pairwise_node {
  const uint32_t *params; /* of the model, borrowed: ascending, or the first determines the others (tied) */
  uint32_t count;
  EO_VEC(uint16_t) tuples;
  bool tied;
  bool limited; /* its tuples are not all that its parameters could be: where it is open, one of them must fit */
} eo_pairwise_node;

typedef struct eo_pairwise_stage {
  const eo_pairwise_model *model; /* borrowed, as is the solver */
  eo_pairwise_solver *solver;
  unsigned invalids; /* how many invalid values a test of this stage has */
  EO_VEC(eo_pairwise_node) nodes;
  EO_VEC(eo_pairwise_relation) relations; /* over nodes; `params` are owned */
  eo_pairwise_rows rows;                  /* of nodes */
  uint16_t *whole;                        /* scratch: two rows of the model, and one of the nodes */
  bool pure;                              /* each value of a node is possible by itself */
  uint16_t *open;                         /* while it runs: a row of the model that has no value */
  uint32_t *touched;                      /* while it runs: room for the parameters of some nodes */
  uint32_t *node_of;                      /* while it runs: of each parameter of the model that a node has */
} eo_pairwise_stage;

/* `whole` has room for two rows of the model and one of the nodes, and is the caller's. */
void eo__pairwise_stage_init(eo_pairwise_stage *stage, const eo_pairwise_model *model, eo_pairwise_solver *solver,
                             unsigned invalids, uint16_t *whole);
void eo__pairwise_stage_release(eo_pairwise_stage *stage);

/* Nodes first, in the order of their first parameters where that matters; then relations; then rows. False: no memory. */
eo_pairwise_node *eo__pairwise_stage_node(eo_pairwise_stage *stage, const uint32_t *params, uint32_t count);
/* The valid or the invalid values of a parameter, shuffled (NULL: as they are). Generators prefer low values, and take
 * some of their sets from tables; so this is what makes another set of another seed. */
bool eo__pairwise_stage_values(eo_pairwise_node *node, const eo_pairwise_param *param, bool invalid, eo_rng *rng);
bool eo__pairwise_stage_relation(eo_pairwise_stage *stage, const uint32_t *nodes, uint32_t count, uint32_t order,
                                 uint32_t pivot);

/* Adds a row of the model, as far as it is chosen; *fits: false if it has values that the nodes do not have. */
bool eo__pairwise_stage_keep(eo_pairwise_stage *stage, const uint16_t *row, bool *fits);

/* So many rounds of `best` as are this much work. */
void eo__pairwise_stage_effort(const eo_pairwise_stage *stage, double work, eo_pairwise_effort *effort);

int eo__pairwise_stage_run(eo_pairwise_stage *stage, eo_pairwise_algorithm *algorithm, const eo_pairwise_effort *effort,
                           eo_error *error);

/* A row of nodes as a row of the model: nodes that are open but limited get one of their tuples, other places stay open. */
void eo__pairwise_stage_spread(const eo_pairwise_stage *stage, const uint16_t *row, uint16_t *out);

#endif
