/* crew_view.h: the workers of a run, one by one, for whoever watches it. */
#ifndef EO_REGISTRY_CREW_VIEW_H
#define EO_REGISTRY_CREW_VIEW_H

#include "core/contain.h"
#include "core/report.h"
#include "frontier/local.h"

typedef struct eo_crew_rate {
  uint64_t accepted;   /* executions of slices that were handed back */
  double since;        /* when it was last measured */
  uint64_t executions; /* then */
} eo_crew_rate;

/* Owns both arrays, of `count` items. */
typedef struct eo_crew_view {
  eo_run_worker *workers;
  eo_crew_rate *rates;
  uint32_t count;
} eo_crew_view;

/* They are called PREFIX1, PREFIX2, ... */
int eo__crew_view_init(eo_crew_view *view, uint32_t count, const char *prefix, eo_error *error);
void eo__crew_view_release(eo_crew_view *view);

/* A slice of so many executions counts now. */
void eo__crew_view_accepted(eo_crew_view *view, uint32_t worker, uint64_t executions);

/* What a worker says of the slice under way. */
void eo__crew_view_update(eo_crew_view *view, uint32_t worker, const eo_local_seat *seat, const eo_cell *cell,
                          uint64_t executions, uint32_t depth);

#endif
