/* search.c: runs a search of a model and makes of it what an exploration gives: progress, findings with tickets, a graph,
 * a verdict. It runs in this very process: a model cannot crash it. */
#include "registry/search.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/graph.h"
#include "registry/put_away.h"
#include "registry/registry.h"
#include "registry/verdict.h"
#include "registry/worker.h"
#include "subjects/model/full.h"
#include "subjects/model/property.h"
#include "subjects/model/subject.h"
#include "subjects/model/thin.h"

#define PROGRESS_EVERY 0.1 /* seconds */

enum { MOST_DISTINCT = 1000 };

typedef struct searching {
  const eo_request *request;
  const eo_listener *listener;
  eo_run *run;
  eo_promela_search search;
  eo_subject *subject; /* for describing */
  EO_VEC(eo_failure) seen;
  EO_VEC(uint32_t) nodes; /* in the graph, by number of state */
  double started, shown;
  eo__put_away away; /* with --resume */
  volatile int stop;
  eo_error error;
} searching;

static void stand(searching *s) {
  eo_run *run = s->run;
  const eo_promela_counts *counts = &s->search.counts;
  run->states = counts->states;
  run->transitions = counts->states + counts->matched;
  run->failures = counts->failures;
  run->findings = s->seen.count;
  run->max_depth = counts->depth;
  run->bytes = s->search.bytes;
  run->elapsed = eo__seconds() - s->started;
}

static void progress(void *context, const eo_promela_search *search) {
  searching *s = context;
  double now = eo__seconds(), limit = s->request->options.seconds;
  (void)search;
  if (*eo__stop_flag() || (limit > 0 && now - s->started >= limit)) s->stop = 1;
  if (now - s->shown < PROGRESS_EVERY) return;
  s->shown = now;
  stand(s);
  if (s->listener && s->listener->progress) s->listener->progress(s->listener->context, s->run);
}

/* ---- Findings ------------------------------------------------------------------------------------------------------ */

/* Steps of a model mean choices only in the states they are taken in: it is run along. */
static int choices_of(searching *s, const eo_promela_step *steps, uint32_t count, eo_schedule *out) {
  eo_promela_run run;
  eo_promela_steps enabled = {0};
  bool good = eo__promela_run_init(&run, s->request->model);
  run.delivery = s->search.delivery;
  good = good && (eo__promela_run_start(&run) || (!count && !run.no_memory)); /* the start itself may be what fails */
  for (uint32_t i = 0; good && i < count; i++) {
    eo_choice choice = eo__promela_choice(&run, steps[i]);
    good = eo_vec_push(out, choice) && eo__promela_enabled(&run, &enabled);
    if (good && !eo__promela_apply(&run, steps[i])) good = eo_promela_passes(&run) || i + 1 == count;
  }
  eo_vec_release(&enabled);
  eo__promela_run_release(&run);
  return good ? EO_OK : eo__error_nomem(&s->error);
}

static bool seen_before(const searching *s, const eo_failure *failure) {
  for (size_t i = 0; i < s->seen.count; i++)
    if (eo__failure_same(&s->seen.items[i], failure)) return true;
  return s->seen.count == MOST_DISTINCT;
}

static bool known(void *context, const eo_failure *failure) { return seen_before(context, failure); }

static bool found(void *context, const eo_failure *failure, const eo_promela_step *steps, uint32_t count) {
  searching *s = context;
  if (seen_before(s, failure)) return true;
  eo_schedule choices = {0};
  eo_finding finding;
  eo__finding_init(&finding);
  eo_request request = *s->request; /* whoever replays it may go as far */
  uint32_t limit = eo__depth(&request);
  if (limit <= count) request.options.depth = count + 1;
  int code = eo_vec_push(&s->seen, *failure) ? EO_OK : eo__error_nomem(&s->error);
  if (code == EO_OK) code = choices_of(s, steps, count, &choices);
  char at[sizeof failure->file + 16] = "";
  if (*failure->file) snprintf(at, sizeof at, "%s:%d", failure->file, failure->line);
  if (code == EO_OK) eo__promela_subject_await(s->subject, failure->kind, failure->message, at);
  if (code == EO_OK)
    code = eo__worker_tell(s->subject, &request, failure, choices.items, (uint32_t)choices.count, &finding, &s->error);
  if (code == EO_OK && request.resume && !eo__put_away_finding(&s->away, &finding, failure))
    code = eo__error_nomem(&s->error);
  stand(s);
  if (code == EO_OK && s->listener && s->listener->hush) s->listener->hush(s->listener->context);
  if (code == EO_OK) eo__tell_finding(&request, s->listener, s->run, s->seen.count, &finding, &s->error);
  eo__finding_release(&finding);
  eo_vec_release(&choices);
  return s->error.code == EO_OK;
}

/* ---- Putting away -------------------------------------------------------------------------------------------------- */

static FILE *store(void *context, bool last) {
  searching *s = context;
  return eo__put_away_begin(&s->away, last);
}

static void stored(void *context, FILE *file, const uint64_t *sum) {
  searching *s = context;
  stand(s);
  eo__put_away_end(&s->away, s->run, file, sum);
}

/* Goes on where an earlier run was ended. False: there is nothing left to search. */
static bool go_on(searching *s) {
  if (!s->request->resume) return true;
  s->search.store = store;
  s->search.stored = stored;
  bool finished = false;
  int code = eo__put_away_open(&s->away, s->request, &s->search.from, s->search.from_sum, &finished, &s->error);
  for (size_t i = 0; i < s->away.findings.count && code == EO_OK; i++) {
    if (!eo_vec_push(&s->seen, s->away.failures.items[i])) code = eo__error_nomem(&s->error);
    stand(s);
    if (code == EO_OK)
      eo__tell_finding_json(s->request, s->listener, s->run, i + 1, s->away.findings.items[i], 0, &s->error);
  }
  s->search.counts = (eo_promela_counts){.states = s->away.total.states,
                                         .matched = s->away.total.transitions - s->away.total.states,
                                         .failures = s->away.total.failures,
                                         .depth = s->away.total.max_depth};
  s->search.complete = finished;
  if (finished) { /* which code was reached is not kept */
    eo__free(s->search.taken);
    s->search.taken = NULL;
  }
  return code == EO_OK && !finished;
}

/* ---- The graph ----------------------------------------------------------------------------------------------------- */

static bool edge(void *context, uint64_t from, uint64_t to, const eo_promela_step *steps, uint32_t count,
                 const uint64_t key[2], const eo_promela_transition *last) {
  searching *s = context;
  eo_graph *graph = s->request->graph;
  uint32_t node = eo__graph_node_of(graph, key);
  if (to == s->nodes.count && !eo_vec_push(&s->nodes, node)) return false;
  if (!count) return true; /* the initial state */
  char text[EO_GRAPH_TEXT];
  snprintf(text, sizeof text, "P%u %.60s%s", steps[count - 1].process, last ? last->text : "", count > 1 ? " ..." : "");
  eo__graph_step(graph, from < s->nodes.count ? s->nodes.items[from] : EO_GRAPH_NONE, node, text);
  return true;
}

static void dead_end(void *context, uint64_t state, bool good) {
  searching *s = context;
  if (state < s->nodes.count && s->nodes.items[state] != EO_GRAPH_NONE)
    eo__graph_end_at(s->request->graph, s->nodes.items[state], good ? EO_GRAPH_FINISHED : EO_GRAPH_FAILED);
}

/* ---- The whole ------------------------------------------------------------------------------------------------------ */

static uint64_t memory(const eo_options *options) {
  if (options->cache_mb > 0) return (uint64_t)options->cache_mb << 20;
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 2 : 0;
}

/* What of the model was not looked at. */
static void add_left_out(const eo_request *request, eo_text *words) {
  const eo_promela *model = request->model;
  if (request->property) return;
  if (model->accepts) eo__text_add(words, "; no cycles through accept labels: --property acceptance");
  if (model->progresses) eo__text_add(words, "; no cycles without progress: --property progress");
}

/* What was. */
static void add_covered(const eo_request *request, eo_text *words) {
  const eo_promela_property *property = request->property;
  if (property)
    eo__text_add(words, "every %sexecution, judged by %s", request->options.fair ? "fair " : "", property->text);
  else
    eo__text_add(words, "%s", eo__strategy_find(request->options.strategy)->covers);
  if (request->options.visible) eo__text_add(words, " and visible variables");
}

enum { MOST_UNREACHED = 8 }; /* that are named */

/* Marks the locations that some way through the code leads to; others only stand for the inside of statements. */
static void mark_code(const eo_promela_proctype *proctype, unsigned char *marked) {
  marked[proctype->start] = 1;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t l = 0; l < proctype->location_count; l++)
      for (uint32_t i = 0; marked[l] && i < proctype->locations[l].count; i++) {
        const eo_promela_transition *t = proctype->locations[l].transitions[i];
        if (t->kind == EO_PROMELA_EXIT || marked[t->to]) continue;
        marked[t->to] = 1;
        more = true;
      }
  }
}

/* Does a step that was taken lead there? */
static bool is_reached(const searching *s, const eo_promela_proctype *proctype, uint32_t location) {
  if (location == proctype->start) return true;
  for (uint32_t l = 0; l < proctype->location_count; l++)
    for (uint32_t i = 0; i < proctype->locations[l].count; i++) {
      const eo_promela_transition *t = proctype->locations[l].transitions[i];
      if (t->kind != EO_PROMELA_EXIT && t->to == location && s->search.taken[t->number]) return true;
    }
  return false;
}

static bool add_unreached_of(searching *s, const eo_promela_proctype *proctype, const unsigned char *marked) {
  for (uint32_t l = 0; l < proctype->location_count; l++) {
    const eo_promela_location *location = &proctype->locations[l];
    const eo_promela_transition *first = location->count ? location->transitions[0] : NULL;
    bool ends = first && first->kind == EO_PROMELA_EXIT;
    if (!first || (!marked[l] && !ends) || is_reached(s, proctype, l)) continue;
    eo_unreached code = {proctype->name, first->file, first->line, ends ? NULL : first->text};
    if (!eo_vec_push(&s->run->unreached_code, code)) return false;
  }
  return true;
}

/* The first of them, each line once: "sender line 14, the end of receiver". */
static void name_unreached(eo_run *run) {
  uint32_t found = 0;
  const eo_unreached *last = NULL; /* that was named */
  eo_text words;
  eo__text_init(&words);
  for (size_t i = 0; i < run->unreached_code.count; i++) {
    const eo_unreached *u = &run->unreached_code.items[i];
    if (u->text && last && last->text && last->process == u->process && last->line == u->line) continue;
    if (found++ >= MOST_UNREACHED) continue;
    last = u;
    if (u->text)
      eo__text_add(&words, "%s%s line %d", found > 1 ? ", " : "", u->process, u->line);
    else
      eo__text_add(&words, "%sthe end of %s", found > 1 ? ", " : "", u->process);
  }
  if (found > MOST_UNREACHED) eo__text_add(&words, " and %u more", found - MOST_UNREACHED);
  if (!words.failed) snprintf(run->unreached, sizeof run->unreached, "%s", words.chars);
  eo__text_release(&words);
}

/* Where no execution comes to. */
static void find_unreached(searching *s) {
  const eo_promela *model = s->request->model;
  for (uint32_t p = 0; p < model->proctype_count; p++) {
    unsigned char *marked = eo__alloc(model->proctypes[p]->location_count + 1);
    if (!marked) break;
    mark_code(model->proctypes[p], marked);
    bool good = add_unreached_of(s, model->proctypes[p], marked);
    eo__free(marked);
    if (!good) break; /* without memory nobody is told */
  }
  name_unreached(s->run);
}

static void conclude(searching *s) {
  eo_run *run = s->run;
  stand(s);
  if (s->search.complete && s->search.taken) find_unreached(s);
  const char *why = *s->search.why ? s->search.why : "before its end";
  eo_text covered, assumed;
  eo__text_init(&covered);
  eo__text_init(&assumed);
  add_covered(s->request, &covered);
  eo__assumptions(&s->request->options, NULL, &assumed);
  add_left_out(s->request, &assumed);
  eo_facts facts = {.executions = run->states,
                    .findings = run->findings,
                    .failures = run->failures,
                    .coverage = EO_COVERS_ALL,
                    .covered = covered.chars,
                    .stopped = s->search.complete ? NULL : why,
                    .by_state = true,
                    .assumed = assumed.chars,
                    .error = s->error.code != EO_OK ? s->error.text : NULL};
  eo__run_decide(run, &facts);
  eo__text_release(&covered);
  eo__text_release(&assumed);
}

int eo__search_model(const eo_request *request, const eo_listener *listener, eo_run *run, eo_error *error) {
  const eo_options *options = &request->options;
  eo__run_init(run, request);
  run->jobs = options->jobs > 0 ? (uint32_t)options->jobs : 1;
  searching s = {.request = request, .listener = listener, .run = run, .started = eo__seconds()};
  s.shown = s.started;
  eo_delivery delivery = EO_DELIVERY_MAILBOX;
  if (options->delivery) eo__delivery_parse(options->delivery, &delivery); /* it was checked */
  s.search = (eo_promela_search){.model = request->model,
                                 .delivery = delivery,
                                 .most_states = options->executions,
                                 .most_bytes = memory(options),
                                 .stop_at_failure = !options->keep_going,
                                 .bits = (uint64_t)options->bitstate_mb << 20,
                                 .sleep = options->sleep_sets != 0,
                                 .property = request->property,
                                 .fair = options->fair != 0,
                                 .jobs = run->jobs,
                                 .visible = options->visible,
                                 .stop = &s.stop,
                                 .failure = found,
                                 .known = known,
                                 .progress = progress,
                                 .edge = request->graph ? edge : NULL,
                                 .dead_end = request->graph ? dead_end : NULL,
                                 .context = &s};
  const eo_strategy_entry *strategy = eo__strategy_find(options->strategy);
  if (strategy->every_state && !request->property)
    s.search.taken = eo__alloc(request->model->transition_count + 1); /* without memory nobody is told */
  s.subject = eo__worker_subject(request, NULL, &s.error);
  bool thin = options->bitstate_mb || options->hash_compact;
  int code = s.subject ? EO_OK : s.error.code;
  if (code == EO_OK && go_on(&s)) code = (thin ? eo__promela_search_thin : strategy->search)(&s.search, &s.error);
  if (s.search.damaged) code = eo__put_away_damaged(&s.away, &s.error);
  if (code == EO_OK && request->resume && s.search.complete) eo__put_away_finish(&s.away, s.run, &s.search.counts);
  if (s.stop && !*s.search.why) snprintf(s.search.why, sizeof s.search.why, "interrupted");
  if (s.stop && !*eo__stop_flag()) snprintf(s.search.why, sizeof s.search.why, "after %g s", options->seconds);
  conclude(&s);
  eo__put_away_close(&s.away, run);
  if (s.subject) s.subject->ops->close(s.subject);
  eo__free(s.search.taken);
  eo_vec_release(&s.seen);
  eo_vec_release(&s.nodes);
  if (error) *error = s.error;
  return code != EO_OK ? code : s.error.code;
}
