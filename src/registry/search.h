/* search.h: strategies that search a model by themselves, state by state, instead of being asked by the engine. */
#ifndef EO_REGISTRY_SEARCH_H
#define EO_REGISTRY_SEARCH_H

#include "registry/explore.h"

/* As eo__explore, for a request whose strategy has a `search`. */
int eo__search_model(const eo_request *request, const eo_listener *listener, eo_run *run, eo_error *error);

#endif
