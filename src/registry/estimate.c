/* estimate.c: how many executions a test has, before anything is explored: a worker that only probes. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "registry/explore.h"
#include "registry/probing.h"
#include "registry/registry.h"
#include "registry/worker.h"

enum { AT_ONCE = 4096 }; /* probes, after which the parent hears of them */

typedef struct watcher {
  const eo_request *request;
  eo_forecast *forecast;
} watcher;

int eo__estimate_check(const eo_request *request, eo_error *error) {
  int code = eo__request_check(request, error);
  if (code != EO_OK) return code;
  const char *why;
  const eo_strategy_entry *entry = eo__strategy_find(request->options.strategy);
  eo_strategy_options wanted = eo__strategy_options(request, NULL);
  if (eo__strategy_probe(entry, &wanted, &why)) return EO_OK;
  return eo__error_set(error, EO_EINPUT, "strategy '%s' %s", entry->name, why);
}

static double seconds(const eo_request *request) {
  return request->options.seconds > 0 ? request->options.seconds : EO_DEFAULT_PROBING;
}

static bool note_failure(void *context, eo_strategy *strategy, const eo_outcome *outcome) {
  eo_forecast *forecast = context;
  (void)strategy;
  if (forecast->failed++ == 0)
    snprintf(forecast->failure, sizeof forecast->failure, "%s: %.300s", eo__kind_name(outcome->failure->kind),
             outcome->failure->message);
  return true;
}

/* What it has is in the cell, where it is safe from what the program does. */
static void probe_child(void *context, eo_worker *worker) {
  const watcher *w = context;
  eo_cell *cell = worker->cell;
  eo_forecast forecast;
  eo_error error = {0};
  memcpy(&forecast, cell->news, sizeof forecast);
  if (eo__worker_fatals()->probing || cell->slow) return;
  double all = seconds(w->request);
  eo_subject *subject = eo__worker_subject(w->request, cell, &error);
  eo_probe_listener listener = {&forecast, note_failure};
  eo_rng seeds;
  eo__rng_init(&seeds, w->request->options.seed);
  int code = subject ? EO_OK : error.code;
  double started = eo__seconds();
  while (code == EO_OK && !cell->stop && !cell->slow && forecast.seconds < all &&
         !eo__estimate_within(&forecast.estimate, EO_PROBED_WELL)) {
    eo_probe_limits limits = {AT_ONCE, UINT64_MAX, all - forecast.seconds};
    code = eo__probe(w->request, subject, cell, eo__rng_next(&seeds), &limits, &listener, &forecast.estimate, &error);
    forecast.seconds = eo__seconds() - started;
    memcpy(cell->news, &forecast, sizeof forecast);
  }
  if (subject) subject->ops->close(subject);
  if (code == EO_OK) return;
  forecast.code = error.code;
  memcpy(forecast.trouble, error.text, sizeof forecast.trouble);
  memcpy(cell->news, &forecast, sizeof forecast);
}

static int serve(void *context, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size,
                 eo_error *error) {
  (void)context, (void)crew, (void)worker, (void)bytes, (void)size, (void)error;
  return EO_NONSENSE; /* it asks nothing */
}

static int tick(void *context, eo_crew *crew, eo_error *error) {
  const watcher *w = context;
  eo_cell *cell = eo__crew_cell(crew, 0);
  (void)error;
  memcpy(w->forecast, cell->news, sizeof *w->forecast);
  w->forecast->trouble[sizeof w->forecast->trouble - 1] = '\0';
  w->forecast->killed = eo__crew_deaths(crew) > 0;
  return EO_OK;
}

int eo__estimate(const eo_request *request, eo_forecast *forecast, eo_error *error) {
  *forecast = (eo_forecast){0};
  watcher w = {.request = request, .forecast = forecast};
  eo_work work = {.context = &w,
                  .run = probe_child,
                  .serve = serve,
                  .tick = tick,
                  .stop = eo__stop_flag(),
                  .deadline = eo__seconds() + seconds(request),
                  .watchdog = eo__watchdog(request)};
  int code = eo__contain(&work, error);
  if (code != EO_OK) return code;
  if (forecast->code != EO_OK) return eo__error_set(error, forecast->code, "%s", forecast->trouble);
  if (forecast->estimate.probes > 0) return EO_OK;
  if (forecast->killed)
    return eo__error_set(error, EO_ESYSTEM,
                         "the program ends the whole process, or has a step that does not end: there is no estimate; "
                         "everyorder test shows why");
  return eo__error_set(error, EO_ESYSTEM, "not one execution came to its end in time: give it more --time");
}
