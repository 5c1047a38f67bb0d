/* wrapper.h: what every strategy that wraps another has in common: it owns the inner one, leaves choosing to it, and
 * passes on what it does not change. */
#ifndef EO_STRATEGIES_WRAPPER_H
#define EO_STRATEGIES_WRAPPER_H

#include "core/strategy.h"

typedef struct eo_wrapper {
  eo_strategy base;
  eo_strategy *inner;
} eo_wrapper;

/* Allocates a wrapper struct of this size, which begins with an eo_wrapper. On failure closes `inner`: it was given. */
void *eo__wrapper_open(size_t size, const eo_strategy_ops *ops, eo_strategy *inner, eo_error *error);

void eo__wrapper_close(eo_strategy *strategy);
bool eo__wrapper_begin(eo_strategy *strategy, eo_beginning *beginning);          /* the inner one chooses */
bool eo__wrapper_begin_choosing(eo_strategy *strategy, eo_beginning *beginning); /* the wrapper does, whoever it asks */
uint32_t eo__wrapper_choose(eo_strategy *strategy, const eo_point *point);
void eo__wrapper_end(eo_strategy *strategy, eo_outcome *outcome);
eo_coverage eo__wrapper_coverage(eo_strategy *strategy, eo_text *words);

/* For a wrapper that chooses, and lets the inner one answer. */
extern const eo_guiding eo__wrapper_guiding;

/* What the inner one tells, and its work; for the second the inner one must have fragments. */
extern const eo_telling eo__wrapper_telling;
extern const eo_fragments eo__wrapper_fragments;

#endif
