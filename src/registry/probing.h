/* probing.h: estimating how many executions there are, by random descents beside the exploration: they never count, and
 * whatever happens in them is not told. */
#ifndef EO_REGISTRY_PROBING_H
#define EO_REGISTRY_PROBING_H

#include "core/contain.h"
#include "core/estimate.h"
#include "core/strategy.h"
#include "registry/explore.h"

#define EO_PROBED_WELL 0.02 /* standard error, as a part of the estimate (core/estimate.h) */

/* When to stop, if the estimate does not become good enough before. */
typedef struct eo_probe_limits {
  uint64_t probes, steps;
  double seconds; /* 0: no limit */
} eo_probe_limits;

/* Who hears of probes that fail: with the strategy that drew the execution, to ask it for the plain schedule. */
typedef struct eo_probe_listener {
  void *context;
  bool (*failed)(void *context, eo_strategy *strategy, const eo_outcome *outcome); /* false: stop */
} eo_probe_listener;

/* Probes from the start of the program, and adds what came of it to *estimate. A worker that dies of it is no harm to its
 * work: the cell says that it was probing. EO_OK also where the strategy cannot be probed. The subject is as after any
 * execution; no engine may have states of it saved. */
int eo__probe(const eo_request *request, eo_subject *subject, eo_cell *cell, uint64_t seed,
              const eo_probe_limits *limits, const eo_probe_listener *listener, eo_estimate *estimate, eo_error *error);

#endif
