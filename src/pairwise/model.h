/* model.h: parameters with named values, constraints over them, sub-models and relations, as written in PICT's model
 * files (doc/formats/pairwise-model.md). */
#ifndef EO_PAIRWISE_MODEL_H
#define EO_PAIRWISE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

typedef struct eo_pairwise_value {
  EO_VEC(char *) names; /* the first is the value's; the others are aliases, which tests take in turn */
  double number;        /* where the parameter is numeric */
  uint32_t weight;      /* at least 1 */
  bool invalid;         /* written with `~`: at most one such value in a test */
} eo_pairwise_value;

typedef struct eo_pairwise_param {
  char *name;
  EO_VEC(eo_pairwise_value) values;
  bool numeric;        /* the first name of every value is a number */
  bool case_sensitive; /* as in the model's syntax */
  uint32_t line;       /* in the file, from 1 */
} eo_pairwise_param;

/* `{ A, B, C } @ 3`: a group with an order of its own. Its tests are then combined with the other parameters and groups
 * as the values of one parameter would be. As a relation (`relation { A, B, C } @ 3`, Lei's dissertation, section 4.5) the
 * combinations are only covered as well. */
typedef struct eo_pairwise_group {
  EO_VEC(uint32_t) params; /* ascending */
  uint32_t order;          /* 0: that of the whole */
  uint32_t line;
} eo_pairwise_group;

/* The syntax tree of a constraint (constraint.h). */
typedef struct eo_pairwise_term eo_pairwise_term;

typedef struct eo_pairwise_constraint {
  eo_pairwise_term *term; /* what must hold in every test */
  char *text;             /* as written, on one line */
  uint32_t line;
} eo_pairwise_constraint;

/* How PICT's options change the reading of a file. */
typedef struct eo_pairwise_syntax {
  char value_separator; /* /d: , */
  char alias_separator; /* /a: | */
  char invalid_prefix;  /* /n: ~ */
  bool case_sensitive;  /* /c */
} eo_pairwise_syntax;

extern const eo_pairwise_syntax eo__pairwise_pict; /* PICT's defaults */

/* Invariants: there is a parameter; each has a valid value, and fewer than EO_PAIRWISE_ANY in all; names of parameters
 * differ; not both groups and relations; an order that is given is at most the number of the group's parameters. */
typedef struct eo_pairwise_model {
  EO_VEC(eo_pairwise_param) params;
  EO_VEC(eo_pairwise_group) groups;
  EO_VEC(eo_pairwise_group) relations; /* none: one over all parameters */
  EO_VEC(eo_pairwise_constraint) constraints;
  bool in_constraints;     /* after an error: it is in a constraint, and not before */
  EO_VEC(char *) warnings; /* what the file says that means nothing: FILE:LINE:COLUMN: text */
  eo_pairwise_syntax syntax;
} eo_pairwise_model;

/* Reads a model from text; `file` names it in errors, which read FILE:LINE:COLUMN: what is wrong. On an error the model
 * is empty. */
int eo__pairwise_model_read(eo_pairwise_model *model, const char *file, const char *text, size_t length,
                            const eo_pairwise_syntax *syntax, eo_error *error);
void eo__pairwise_model_release(eo_pairwise_model *model);

/* The parameter, or value of it, of that name (or alias); -1: none. Of several values of a name, the first. */
int64_t eo__pairwise_model_param(const eo_pairwise_model *model, const char *name);
int64_t eo__pairwise_model_value(const eo_pairwise_param *param, const char *name);

/* Does the constraint hold in a whole row (a value of each parameter)? By plain evaluation: the checker's ground too. */
bool eo__pairwise_constraint_holds(const eo_pairwise_model *model, const eo_pairwise_constraint *constraint,
                                   const uint16_t *row);

#endif
