/* crew_view.c: see crew_view.h. */
#include "registry/crew_view.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "registry/worker.h"

#define RATE_EVERY 0.5 /* seconds over which a rate is measured */

int eo__crew_view_init(eo_crew_view *view, uint32_t count, const char *prefix, eo_error *error) {
  view->workers = eo__alloc(count * sizeof(*view->workers) + 1);
  view->rates = eo__alloc(count * sizeof(*view->rates) + 1);
  if (!view->workers || !view->rates) return eo__error_nomem(error);
  view->count = count;
  for (uint32_t i = 0; i < count; i++) {
    snprintf(view->workers[i].name, sizeof view->workers[i].name, "%s%u", prefix, i + 1);
    view->rates[i].since = eo__seconds();
  }
  return EO_OK;
}

void eo__crew_view_release(eo_crew_view *view) {
  eo__free(view->workers);
  eo__free(view->rates);
  *view = (eo_crew_view){0};
}

void eo__crew_view_accepted(eo_crew_view *view, uint32_t worker, uint64_t executions) {
  if (worker < view->count) view->rates[worker].accepted += executions;
}

/* A worker that died takes its slice with it: then there are fewer than before, and its rate is begun anew. */
static void measure(eo_run_worker *worker, eo_crew_rate *rate) {
  double now = eo__seconds(), passed = now - rate->since;
  if (passed < RATE_EVERY) return;
  worker->rate = worker->executions > rate->executions ? (double)(worker->executions - rate->executions) / passed : 0;
  rate->since = now;
  rate->executions = worker->executions;
}

void eo__crew_view_update(eo_crew_view *view, uint32_t worker, const eo_local_seat *seat, const eo_cell *cell,
                          uint64_t executions, uint32_t depth) {
  if (worker >= view->count) return;
  eo_run_worker *shown = &view->workers[worker];
  shown->executions = view->rates[worker].accepted + executions;
  shown->busy = seat->holds;
  shown->part = seat->holds ? seat->claim.fragment : 0;
  shown->depth = depth;
  shown->probes = cell->probing != 0;
  shown->minimises = cell->place.depth == MINIMISING || cell->place.depth == REVERSING;
  measure(shown, &view->rates[worker]);
}
