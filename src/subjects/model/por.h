/* por.h: every deadlock and every failed assertion of any model, by persistent sets and sleep sets (Godefroid, Partial-
 * Order Methods for the Verification of Concurrent Systems, 1996): what other processes do in whatever order leads to the
 * same is done in one order. */
#ifndef EO_PROMELA_POR_H
#define EO_PROMELA_POR_H

#include "subjects/model/full.h"

/* An error: no memory. */
int eo__promela_search_por(eo_promela_search *search, eo_error *error);

#endif
