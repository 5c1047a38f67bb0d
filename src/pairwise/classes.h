/* classes.h: inside compile.c: which values of a parameter no constraint tells apart, and which parameters constraints
 * connect. */
#ifndef EO_PAIRWISE_CLASSES_H
#define EO_PAIRWISE_CLASSES_H

#include "pairwise/compile.h"

/* Fills in classes and components, but for what is in sat. */
int eo__pairwise_classify(eo_pairwise_compiled *compiled, eo_error *error);

#endif
