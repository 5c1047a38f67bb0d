/* constraint.h: the syntax tree of constraints and its evaluation. */
#ifndef EO_PAIRWISE_CONSTRAINT_H
#define EO_PAIRWISE_CONSTRAINT_H

#include "pairwise/model.h"

typedef enum eo_pairwise_kind {
  EO_PAIRWISE_ALL,      /* every child holds; of none: true */
  EO_PAIRWISE_SOME,     /* a child holds; of none: false */
  EO_PAIRWISE_NOT,      /* the one child does not hold */
  EO_PAIRWISE_IF,       /* two or three children: condition, then, else */
  EO_PAIRWISE_COMPARE,  /* a parameter with a constant, or with another parameter */
  EO_PAIRWISE_IN,       /* a parameter is one of the constants */
  EO_PAIRWISE_NEGATIVE, /* a parameter has an invalid value */
} eo_pairwise_kind;

typedef enum eo_pairwise_comparison {
  EO_PAIRWISE_EQUAL,
  EO_PAIRWISE_UNEQUAL,
  EO_PAIRWISE_LESS,
  EO_PAIRWISE_LESS_EQUAL,
  EO_PAIRWISE_GREATER,
  EO_PAIRWISE_GREATER_EQUAL,
  EO_PAIRWISE_LIKE
} eo_pairwise_comparison;

typedef struct eo_pairwise_constant {
  char *name; /* NULL: a number */
  double number;
} eo_pairwise_constant;

#define EO_PAIRWISE_NO_PARAM UINT32_MAX

/* Invariant: what is compared is of one type; LIKE is between strings. */
struct eo_pairwise_term {
  eo_pairwise_kind kind;
  eo_pairwise_comparison comparison;
  uint32_t param;
  uint32_t other; /* EO_PAIRWISE_NO_PARAM: compared with the constant */
  EO_VEC(eo_pairwise_constant) constants;
  EO_VEC(eo_pairwise_term *) children;
};

typedef enum eo_pairwise_truth { EO_PAIRWISE_FALSE, EO_PAIRWISE_TRUE, EO_PAIRWISE_OPEN } eo_pairwise_truth;

/* In a row that may have EO_PAIRWISE_ANY. OPEN: not known yet, as far as evaluating part by part tells. */
eo_pairwise_truth eo__pairwise_term_truth(const eo_pairwise_model *model, const eo_pairwise_term *term,
                                          const uint16_t *row);

/* One comparison, IN or NEGATIVE, of a value of its parameter (and one of the other). */
bool eo__pairwise_leaf_holds(const eo_pairwise_model *model, const eo_pairwise_term *leaf, uint16_t value,
                             uint16_t other);

void eo__pairwise_term_close(eo_pairwise_term *term); /* may be NULL */

#endif
