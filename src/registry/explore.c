/* explore.c: one test, explored, seen from the parent: keeps the frontier, starts the contained workers and serves them, tells
 * findings as they come, keeps the state for --resume, and fills the run. */
#include "registry/explore.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "core/contain.h"
#include "core/heat.h"
#include "frontier/local.h"
#include "frontier/memory.h"
#include "frontier/policy.h"
#include "registry/crew_view.h"
#include "registry/registry.h"
#include "registry/resume.h"
#include "registry/search.h"
#include "registry/verdict.h"
#include "registry/worker.h"

#define SAVE_EVERY 1.0 /* seconds; and not more than a part of the time that saving takes */
#define SAVE_PART 0.05
#define SLICE 0.25 /* seconds of work that a death costs at most, where there is not much to hand over */

typedef struct watcher {
  const eo_request *request;
  const eo_listener *listener;
  eo_run *run;
  double started;
  eo_frontier *frontier;
  eo_local_server server;
  uint64_t received; /* findings told */
  uint64_t beside;   /* and those of probes and scouts, at the end */
  eo_error error;    /* a ticket that could not be written, a record that could not be read */
  double next_save;  /* with --resume */
  double share;      /* estimated, of what was handed back */
  eo_crew_view view;
} watcher;

volatile int *eo__stop_flag(void) {
  static volatile int flag;
  return &flag;
}

/* ---- In the worker ------------------------------------------------------------------------------------------------ */

static void explore_child(void *context, eo_worker *worker) {
  watcher *w = context;
  eo_error error = {0};
  eo_frontier *frontier = eo__local_open(worker, &error);
  if (w->request->visited) eo__visited_own(w->request->visited, worker->number);
  if (frontier) {
    if (eo__worker_loop(w->request, frontier, "", worker->cell, eo__memory_findings(w->frontier), &error) != EO_OK)
      eo__worker_error_tell(worker, &error);
    frontier->ops->close(frontier);
  } else {
    eo__worker_error_tell(worker, &error);
  }
}

/* ---- Findings ----------------------------------------------------------------------------------------------------- */

static void tell_findings(watcher *w) {
  const eo_strings *findings = eo__memory_findings(w->frontier);
  while (w->received < findings->count) {
    const char *json = findings->items[w->received++];
    eo__tell_finding_json(w->request, w->listener, w->run, w->received, json, 0, &w->error);
  }
}

/* Was this failure told; or that the program is not deterministic, after which nothing means anything? */
static bool is_told(const watcher *w, const char *json) {
  const eo_strings *findings = eo__memory_findings(w->frontier);
  eo_finding beside, told;
  eo_error unwanted = {0};
  bool same = false;
  eo__finding_init(&beside);
  eo__finding_init(&told);
  if (eo__finding_from_json(&beside, json, &unwanted) == EO_OK)
    for (size_t i = 0; i < findings->count && !same; i++)
      same = eo__finding_from_json(&told, findings->items[i], &unwanted) == EO_OK &&
             (eo__failure_same(&told.failure, &beside.failure) || told.failure.kind == EO_KIND_NONDETERMINISM);
  eo__finding_release(&beside);
  eo__finding_release(&told);
  return same;
}

/* The run is over. What probes and scouts met, and no execution that counts has shown, makes the test fail as well. */
static void tell_beside(watcher *w) {
  const eo_strings *beside = eo__memory_beside(w->frontier);
  for (size_t i = 0; i < beside->count; i++) {
    if (w->received + w->beside > 0 && !w->request->options.keep_going) return;
    if (is_told(w, beside->items[i])) continue;
    w->beside++;
    w->run->elapsed = eo__seconds() - w->started;
    eo__tell_finding_json(w->request, w->listener, w->run, w->received + w->beside, beside->items[i], 0, &w->error);
  }
}

/* ---- As it goes on ------------------------------------------------------------------------------------------------ */

/* What was handed back, and what is under way. */
static void update(watcher *w, eo_crew *crew) {
  eo_run *run = w->run;
  eo_standing standing = {0};
  w->frontier->ops->look(w->frontier, eo__seconds(), &standing, &w->error);
  eo__run_stand(run, &standing);
  eo_estimate probed = standing.total.estimate;
  run->share = w->share;
  for (uint32_t i = 0; crew && i < w->server.count; i++) {
    eo_news news;
    memcpy(&news, eo__crew_cell(crew, i)->news, sizeof news);
    run->executions += news.meter.executions;
    run->pruned += news.meter.pruned;
    run->aside += news.aside;
    run->transitions += news.counts.transitions;
    run->skipped += news.counts.skipped;
    run->states += news.states;
    run->failures += news.failures;
    run->cut += news.cut;
    run->findings += news.findings;
    run->pending += news.meter.pending;
    if (news.meter.max_depth > run->max_depth) run->max_depth = news.meter.max_depth;
    run->depth = news.meter.depth;
    run->delays = news.delays;
    run->share += news.gained;
    eo__crew_view_update(&w->view, i, &w->server.seats[i], eo__crew_cell(crew, i), news.meter.executions,
                         news.meter.depth);
    eo__estimate_add(&probed, &news.estimate);
  }
  if (run->share <= 0) run->share = -1; /* nobody can say, or not yet */
  if (run->share > 1) run->share = 1;
  eo__run_estimate(run, &probed);
  if (crew) run->restarts = eo__crew_deaths(crew);
  run->elapsed = eo__seconds() - w->started;
  run->workers = crew ? w->view.workers : NULL;
  run->worker_count = crew && w->view.workers ? w->view.count : 0;
}

/* A state that cannot be kept is trouble, but no reason to stop. */
static void save_state(watcher *w) {
  eo_job_state state;
  eo_error error = {0};
  double before = eo__seconds();
  int code = eo__memory_state(w->frontier, &state, &error);
  state.share = w->share;
  if (code == EO_OK) code = eo__resume_save(w->request->resume, w->request->test, &state, &error);
  if (code != EO_OK) w->error = error;
  double now = eo__seconds(), pause = (now - before) / SAVE_PART;
  w->next_save = now + (pause > SAVE_EVERY ? pause : SAVE_EVERY);
}

static int tick(void *context, eo_crew *crew, eo_error *error) {
  watcher *w = context;
  int code = eo__local_tick(&w->server, crew, error);
  if (w->request->resume && eo__seconds() >= w->next_save) save_state(w);
  update(w, crew);
  if (w->listener && w->listener->progress) w->listener->progress(w->listener->context, w->run);
  return code;
}

static int serve(void *context, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size,
                 eo_error *error) {
  watcher *w = context;
  if (eo__worker_error_is(bytes, size)) return eo__worker_error_read(bytes, size, error);
  int code = eo__local_serve(&w->server, crew, worker, bytes, size, error);
  tell_findings(w);
  return code == EO_EINPUT ? EO_NONSENSE : code;
}

static void accepted(void *context, uint32_t worker, const eo_cell *cell) {
  eo_news news;
  memcpy(&news, cell->news, sizeof news);
  ((watcher *)context)->share += news.gained;
  eo__crew_view_accepted(&((watcher *)context)->view, worker, news.meter.executions);
}

/* Its fragment is explored again from its start, and what it has seen there must not be left out. */
static void died(void *context, uint32_t worker) {
  watcher *w = context;
  if (w->request->visited) eo__visited_undo(w->request->visited, worker);
  eo__local_died(&w->server, worker);
}

/* ---- Beginning and end -------------------------------------------------------------------------------------------- */

/* The log of steps while a specification is hot, for who shares a set of states, and the fragment that it is searched by.
 * Neither is put away by --resume. */
static int open_heats(eo_request *request, eo_bytes *last, eo_error *error) {
  request->heats = NULL;
  if (!request->visited || request->model || request->resume) return EO_OK;
  request->heats = eo__heats_open(eo__states_limit(request), request->visited, error);
  if (!request->heats) return error->code;
  return eo__rounds_fragment(last) ? EO_OK : eo__error_nomem(error);
}

static int open_frontier(watcher *w, eo_request *own, eo_error *error) {
  const eo_options *options = &w->request->options;
  eo_job_limits limits = {.workers = w->run->jobs,
                          .budget = SLICE,
                          .grace = 1e9, /* deaths are seen as they happen */
                          .executions = options->executions,
                          .bytes = eo__frontier_limit(w->request),
                          .at_failure = !options->keep_going,
                          .no_doubling = w->request->visited != NULL}; /* the second one would find all states seen */
  const eo_job_state *state = w->request->resume ? eo__resume_find(w->request->resume, w->request->test) : NULL;
  if (open_heats(own, &limits.last, error) == EO_OK) w->frontier = eo__memory_open(&limits, state, error);
  eo_vec_release(&limits.last);
  if (!w->frontier) return error->code;
  w->next_save = w->started + SAVE_EVERY;
  w->share = state ? state->share : 0;
  int code = eo__local_server_init(&w->server, w->frontier, limits.workers, "worker", error);
  if (code == EO_OK) code = eo__crew_view_init(&w->view, limits.workers, "worker ", error);
  w->server.stop = eo__stop_flag();
  w->server.accepted = accepted;
  w->server.context = w;
  w->server.deadline = options->seconds > 0 ? w->started + options->seconds : 0;
  snprintf(w->server.out_of_time, sizeof w->server.out_of_time, "after %g s", options->seconds);
  return code;
}

static void conclude(watcher *w, const eo_error *error) {
  eo_standing standing = {0};
  w->frontier->ops->look(w->frontier, eo__seconds(), &standing, &w->error);
  update(w, NULL);
  tell_beside(w);
  if (w->error.code != EO_OK) snprintf(w->run->error, sizeof w->run->error, "%s", w->error.text);
  standing.findings += w->beside;
  eo__run_conclude(w->run, w->request, &standing, error);
}

int eo__explore(const eo_request *request, const eo_listener *listener, eo_run *run, eo_error *error) {
  if (eo__strategy_find(request->options.strategy)->search) return eo__search_model(request, listener, run, error);
  eo__run_init(run, request);
  run->jobs = request->options.jobs > 0 ? (uint32_t)request->options.jobs : 1;
  eo_request own = *request;
  watcher w = {.request = &own, .listener = listener, .run = run, .started = eo__seconds()};
  eo_work work = {.context = &w,
                  .workers = run->jobs,
                  .run = explore_child,
                  .serve = serve,
                  .died = died,
                  .tick = tick,
                  .stop = eo__stop_flag(),
                  .watchdog = eo__watchdog(request)};
  eo_error local = {0};
  int code = eo__request_visited(&own, &local);
  bool by_turns = eo__strategy_find(request->options.strategy)->turns;
  if (code == EO_OK && by_turns && !request->resume) { /* for a member that keeps states; none of them are put away */
    own.visited = eo__visited_open(EO_CACHE_REFUSE, eo__memory_allowed() / 4, &local);
    if (!own.visited) code = local.code;
  }
  if (code == EO_OK) code = open_frontier(&w, &own, &local);
  if (code == EO_OK) tell_findings(&w); /* of earlier runs */
  work.deadline = w.server.deadline;
  if (code == EO_OK) code = eo__contain(&work, &local);
  if (w.frontier) {
    if (request->resume) save_state(&w);
    conclude(&w, &local);
    w.frontier->ops->close(w.frontier);
  } else {
    eo__run_fail(run, &local);
  }
  eo__local_server_release(&w.server);
  eo__crew_view_release(&w.view);
  eo__heats_close(own.heats);
  eo__visited_close(own.visited);
  run->workers = NULL; /* they were borrowed */
  run->worker_count = 0;
  if (error) *error = code != EO_OK ? local : w.error;
  return code;
}
