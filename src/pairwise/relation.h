/* relation.h: which sets of parameters the relations of a system ask for. */
#ifndef EO_PAIRWISE_RELATION_H
#define EO_PAIRWISE_RELATION_H

#include "pairwise/system.h"

/* Does the relation ask for this set? `params` ascends. */
bool eo__relation_wants(const eo_pairwise_relation *relation, const uint32_t *params, uint32_t order);
/* Does one of them? */
bool eo__relations_want(const eo_pairwise_relation *relations, uint32_t count, const uint32_t *params, uint32_t order);

/* Calls `each` once for every set that is asked for, however many relations ask; stops when it answers false, and answers
 * false then. */
typedef bool eo__relation_each(void *context, const uint32_t *params, uint32_t order);
bool eo__relations_each(const eo_pairwise_relation *relations, uint32_t count, eo__relation_each *each, void *context);

#endif
