/* compile.h: the constraints of a model as clauses (sat.h).
 *
 * Values of a parameter that no constraint tells apart are one class, and a class is a variable. Parameters that
 * constraints connect, directly or through others, are a component: what is chosen in one component has no bearing on
 * another, but for the rule that a test has at most one invalid value, which solver.c sees to. */
#ifndef EO_PAIRWISE_COMPILE_H
#define EO_PAIRWISE_COMPILE_H

#include "pairwise/model.h"
#include "pairwise/sat.h"

/* A parameter that some constraint names; the others have no classes. */
typedef struct eo_pairwise_classes {
  uint32_t component; /* EO_SAT_NONE: in no constraint */
  uint32_t group;     /* of sat, whose variables are the classes */
  uint32_t count;
  uint16_t *of;        /* the class of each value */
  uint16_t *heaviest;  /* a value of each class: the heaviest */
  uint16_t *preferred; /* the classes, valid ones first, then by the weight of these values */
  bool *invalid;       /* for each class */
} eo_pairwise_classes;

typedef struct eo_pairwise_component {
  EO_VEC(uint32_t) params; /* ascending */
  EO_VEC(uint32_t) groups; /* of the same parameters */
  EO_VEC(uint32_t) constraints;
  eo_literal valid_only; /* assumed: no invalid value; EO_SAT_NONE: there is none */
} eo_pairwise_component;

typedef struct eo_pairwise_compiled {
  const eo_pairwise_model *model;
  eo_pairwise_classes *params;
  EO_VEC(eo_pairwise_component) components;
  eo_literal *selectors; /* for each constraint: assumed, it must hold; NULL: all must */
  eo_sat sat;
} eo_pairwise_compiled;

int eo__pairwise_compile(eo_pairwise_compiled *compiled, const eo_pairwise_model *model, bool selectable,
                         eo_error *error);
void eo__pairwise_compiled_release(eo_pairwise_compiled *compiled);

#endif
