/* explore.c: one test, explored or replayed, seen from the parent: keeps the frontier, starts the contained workers and
 * serves them, writes tickets, and fills the run. Also eo_explore, the same for other frameworks' tests. */
#include "registry/explore.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "core/contain.h"
#include "core/heat.h"
#include "core/program.h"
#include "core/promise.h"
#include "frontier/local.h"
#include "frontier/memory.h"
#include "frontier/policy.h"
#include "registry/crew_view.h"
#include "registry/params.h"
#include "registry/registry.h"
#include "registry/resume.h"
#include "registry/search.h"
#include "registry/verdict.h"
#include "registry/worker.h"
#include "subjects/model/related.h"

#define SAVE_EVERY 1.0 /* seconds; and not more than a part of the time that saving takes */
#define SAVE_PART 0.05
#define SLICE 0.25 /* seconds of work that a death costs at most, where there is not much to hand over */

/* What workers ask beside what the frontier answers. */
enum { ASK_ERROR = 'E', ASK_REPLAYED = 'F' };

typedef struct watcher {
  const eo_request *request;
  const eo_listener *listener;
  eo_run *run;
  double started;
  eo_frontier *frontier;
  eo_local_server server;
  uint64_t received; /* findings told; of a replay: 1 */
  uint64_t beside;   /* and those of probes and scouts, at the end */
  eo_error error;    /* a ticket that could not be written, a record that could not be read */
  const eo_ticket *ticket;
  uint32_t until;
  eo_finding *finding; /* of a replay */
  double next_save;    /* with --resume */
  double share;        /* estimated, of what was handed back */
  eo_crew_view view;
} watcher;

double eo__watchdog(const eo_request *request) {
  return request->options.watchdog > 0 ? request->options.watchdog : EO_DEFAULT_WATCHDOG;
}

volatile int *eo__stop_flag(void) {
  static volatile int flag;
  return &flag;
}

/* The mode of that name, or -1. */
static int cache_word(const char *word) {
  static const char *const words[] = {[EO_CACHE_UNLIMITED] = "unlimited",
                                      [EO_CACHE_REFUSE] = "refuse",
                                      [EO_CACHE_REPLACE] = "replace",
                                      [EO_CACHE_OFF] = "off"};
  for (int mode = 0; mode <= EO_CACHE_OFF; mode++)
    if (strcmp(word, words[mode]) == 0) return mode;
  return -1;
}

int eo__request_check(const eo_request *request, eo_error *error) {
  const eo_options *options = &request->options;
  const eo_strategy_entry *entry = eo__strategy_find(options->strategy);
  if (!request->function && !request->model)
    return eo__error_set(error, EO_EINPUT, "there is no function to explore: it is NULL");
  bool searches = entry && eo__strategy_search(entry);
  if (searches && !request->model)
    return eo__error_set(error, EO_EINPUT, "strategy '%s' is for models: everyorder model FILE", entry->name);
  if (entry && !entry->open && !searches)
    return eo__error_set(error, EO_EINPUT, "strategy '%s' needs a ticket: everyorder replay TICKET", entry->name);
  if (!entry)
    return eo__error_set(error, EO_EINPUT, "there is no strategy '%s'; `everyorder strategies` lists them",
                         options->strategy);
  if (options->bounded && !strstr(entry->options, "--bound"))
    return eo__error_set(error, EO_EINPUT, "strategy '%s' takes no bound; '--strategy preempt --bound N' does",
                         entry->name);
  if (options->bounded && options->reduction && strcmp(options->reduction, "optimal") != 0)
    return eo__error_set(error, EO_EINPUT, "--dpor %s takes no bound; --dpor optimal does", options->reduction);
  if (options->bounded && options->bound < 0)
    return eo__error_set(error, EO_EINPUT, "the bound is %d: it must be 0 or more", options->bound);
  if (options->seed && !strstr(entry->options, "--seed") && !entry->probe) /* probes are drawn, too */
    return eo__error_set(error, EO_EINPUT, "strategy '%s' draws nothing, so a seed has no effect; 'random' takes one",
                         entry->name);
  if (options->reduction && !strstr(entry->options, "--dpor"))
    return eo__error_set(error, EO_EINPUT, "strategy '%s' reduces nothing; '--strategy dpor --dpor %s' does",
                         entry->name, options->reduction);
  const struct {
    bool given;
    const char *name, *who;
  } heeded[] = {{options->explorer != NULL, "--explorer", "ses and ss"},
                {options->delays_bounded != 0, "--delays", "ses and ss"},
                {options->delay_step != 0, "--delay-step", "ses"},
                {options->cache != NULL, "--cache", "ses and preempt"},
                {options->cache_mb != 0, "--cache-mb", "ses and preempt"},
                {options->no_tree != 0, "--no-tree", "reach"},
                {options->sleep_sets != 0, "--sleep", "bsra"},
                {options->visible != NULL, "--visible", "bsra"},
                {options->samples != 0, "--samples", "ss"},
                {options->growth > 0, "--growth", "ss"},
                {options->bug_depth != 0, "--bug-depth", "pct, pctcp and tapct"},
                {options->length != 0, "--length", "irs, pct, pctcp and tapct"}};
  for (size_t i = 0; i < sizeof heeded / sizeof *heeded; i++)
    if (heeded[i].given && !eo__strategy_heeds(entry, heeded[i].name))
      return eo__error_set(error, EO_EINPUT, "strategy '%s' does not heed %s: that is for %s", entry->name,
                           heeded[i].name, heeded[i].who);
  if (eo__strategy_heeds(entry, "--explorer") && !eo__explorer_find(options->explorer, error)) return error->code;
  if (options->delays_bounded && options->delays < 0)
    return eo__error_set(error, EO_EINPUT, "the number of delays is %d: it must be 0 or more", options->delays);
  if (options->cache && cache_word(options->cache) < 0)
    return eo__error_set(error, EO_EINPUT, "there is no cache '%s'; there are unlimited, refuse, replace and off",
                         options->cache);
  if (options->cache && options->cache_mb && strcmp(options->cache, "refuse") != 0 &&
      strcmp(options->cache, "replace") != 0)
    return eo__error_set(error, EO_EINPUT, "--cache %s has no limit: --cache-mb goes with refuse and replace",
                         options->cache);
  eo_delivery delivery;
  if (options->delivery && !eo__delivery_parse(options->delivery, &delivery))
    return eo__error_set(error, EO_EINPUT, "there is no delivery '%s'; there are mailbox, fifo, causal and async",
                         options->delivery);
  if (request->model && options->delivery && delivery != EO_DELIVERY_MAILBOX) {
    eo_error why = {0};
    int code = eo__promela_check_ports(request->model, &why);
    if (code == EO_EINPUT)
      return eo__error_set(error, code, "%.400s; everyorder model explores it as it is, without --delivery", why.text);
    if (code != EO_OK) return eo__error_set(error, code, "%s", why.text);
  }
  if (request->model && (strcmp(entry->name, "dpor") == 0 || strcmp(entry->name, "reach") == 0)) {
    if (!options->delivery || delivery == EO_DELIVERY_MAILBOX)
      return eo__error_set(error, EO_EINPUT,
                           "strategy '%s' is for models whose channels are ports: --delivery async, fifo or causal; "
                           "without it there is 'full'",
                           entry->name);
    int code = eo__promela_check_related(request->model, error);
    if (code != EO_OK) return code;
  }
  if (options->jobs < 0 || options->jobs > EO_WORKERS_MAX)
    return eo__error_set(error, EO_EINPUT, "jobs: %d is not a number from 1 to %d", options->jobs, EO_WORKERS_MAX);
  if (options->jobs > 1 && !eo__strategy_splits(entry, options->reduction))
    return eo__error_set(error, EO_EINPUT, "strategy '%s'%s%s cannot be split: it takes one job", entry->name,
                         options->reduction ? " --dpor " : "", options->reduction ? options->reduction : "");
  if (options->seconds < 0 || options->watchdog < 0) return eo__error_set(error, EO_EINPUT, "a time below 0");
  return EO_OK;
}

/* ---- States that were seen --------------------------------------------------------------------------------------- */

/* Strategies that count delays keep states unless told otherwise, others if they are told. */
eo_cache_mode eo__cache_mode(const eo_request *request) {
  const eo_strategy_entry *entry = eo__strategy_find(request->options.strategy);
  if (!eo__strategy_heeds(entry, "--cache")) /* or it goes on in another way when it is full */
    return eo__strategy_heeds(entry, "--cache-mb") ? EO_CACHE_REFUSE : EO_CACHE_OFF;
  if (request->options.cache) return (eo_cache_mode)cache_word(request->options.cache); /* it was checked */
  if (request->options.cache_mb) return EO_CACHE_REFUSE;
  return eo__strategy_heeds(entry, "--delays") ? EO_CACHE_UNLIMITED : EO_CACHE_OFF;
}

/* The most memory for all that grows with what is explored; 0: no limit. */
static uint64_t memory_limit(const eo_request *request) {
  eo_cache_mode mode = eo__cache_mode(request);
  if (mode == EO_CACHE_OFF || mode == EO_CACHE_UNLIMITED) return 0;
  if (request->options.cache_mb) return (uint64_t)request->options.cache_mb << 20;
  return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4;
}

/* A quarter of the memory is for the states that were seen and the log of hot ones, the rest for what is left to explore. A byte of a
 * fragment takes a dozen: the frontier has it, a message, the worker as it came, and twice in queues that grow by
 * doubling. */
enum { TIMES_A_FRAGMENT = 12 };
static uint64_t states_limit(const eo_request *request) { return memory_limit(request) / 4; }
static uint64_t frontier_limit(const eo_request *request) {
  return (memory_limit(request) - states_limit(request)) / TIMES_A_FRAGMENT;
}

int eo__request_visited(eo_request *request, eo_error *error) {
  eo_cache_mode mode = eo__cache_mode(request);
  request->visited = NULL;
  if (mode == EO_CACHE_OFF) return EO_OK;
  request->visited = eo__visited_open(mode, states_limit(request), error);
  return request->visited ? EO_OK : error->code;
}

/* The log of steps while a specification is hot, for who shares a set of states, and the fragment that it is searched by.
 * Neither is put away by --resume. */
static int open_heats(eo_request *request, eo_bytes *last, eo_error *error) {
  request->heats = NULL;
  if (!request->visited || request->model || request->resume) return EO_OK;
  request->heats = eo__heats_open(states_limit(request), request->visited, error);
  if (!request->heats) return error->code;
  return eo__rounds_fragment(last) ? EO_OK : eo__error_nomem(error);
}

/* ---- Tickets ---------------------------------------------------------------------------------------------------- */

int eo__file_build(int file, const char *path, char *out, eo_error *error) {
  static char buffer[1 << 16];
  XXH3_state_t *state = XXH3_createState();
  if (!state) return eo__error_nomem(error);
  XXH3_128bits_reset(state);
  off_t at = 0;
  ssize_t got;
  while ((got = pread(file, buffer, sizeof buffer, at)) > 0 || (got < 0 && errno == EINTR)) {
    if (got < 0) continue;
    XXH3_128bits_update(state, buffer, (size_t)got);
    at += got;
  }
  int code = got < 0 ? eo__error_set(error, EO_ESYSTEM, "cannot read %s: %s", path, strerror(errno)) : EO_OK;
  XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  snprintf(out, 65, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
  return code;
}

int eo__program_build(const char *path, char *out, eo_error *error) {
  int file = eo__file_open(path);
  if (file < 0) return eo__error_set(error, EO_ESYSTEM, "cannot read %s: %s", path, eo__file_trouble(errno));
  int code = eo__file_build(file, path, out, error);
  close(file);
  return code;
}

/* A name for a file in the folder, whatever the test is called: no slashes, not hidden, not too long for a file system. */
static void ticket_path(const eo_request *request, uint64_t number, const eo_finding *finding, char *path,
                        size_t size) {
  enum { LONGEST = 160 };
  const char *test = request->row ? request->row->test : request->test;
  size_t length = strlen(test);
  char row[24] = "", sum[24] = "";
  if (request->row && request->row->number) snprintf(row, sizeof row, "-row-%u", (unsigned)request->row->number);
  if (length > LONGEST) snprintf(sum, sizeof sum, "-%016llx", (unsigned long long)XXH3_64bits(test, length));
  snprintf(path, size, "%s/%.*s%s%s-%s-%llu.ticket", request->options.tickets, LONGEST, test, sum, row,
           eo__kind_name(finding->failure.kind), (unsigned long long)number);
  char *name = path + strlen(request->options.tickets) + 1;
  if (*name == '.') *name = '-';
  for (char *c = name; *c; c++)
    if (*c == ' ' || *c == '/' || (unsigned char)*c < ' ' || *c == 0x7f) *c = '-';
}

static int row_text(const eo_row *row, char *out, size_t size, eo_error *error) {
  eo_text text;
  eo__text_init(&text);
  if (row) eo__row_add(&text, row, '\n');
  int code = EO_OK;
  if (text.failed)
    code = eo__error_nomem(error);
  else if (snprintf(out, size, "%s", text.chars) >= (int)size)
    code = eo__error_set(error, EO_EINPUT, "the row of parameters is too long for a ticket: %zu bytes, at most %zu",
                         text.length, size - 1);
  eo__text_release(&text);
  return code;
}

static int write_ticket(const eo_request *request, uint64_t number, eo_finding *finding, eo_error *error) {
  const eo_options *options = &request->options;
  eo_ticket ticket;
  eo_text text;
  char path[4096];
  eo__ticket_init(&ticket);
  eo__text_init(&text);
  snprintf(ticket.program, sizeof ticket.program, "%s", request->program);
  snprintf(ticket.test, sizeof ticket.test, "%s", request->row ? request->row->test : request->test);
  int code = row_text(request->row, ticket.params, sizeof ticket.params, error);
  ticket.kind = finding->failure.kind;
  memcpy(ticket.message, finding->failure.message, sizeof ticket.message);
  if (finding->failure.line)
    snprintf(ticket.at, sizeof ticket.at, "%s:%d", finding->failure.file, finding->failure.line);
  ticket.depth = options->depth ? options->depth : EO_DEFAULT_DEPTH;
  double watchdog = eo__watchdog(request);
  ticket.watchdog_ms = watchdog < UINT32_MAX / 1000.0 ? (uint32_t)(watchdog * 1000) : UINT32_MAX;
  ticket.timeouts_idle = options->timeouts_idle;
  ticket.leaks = options->leaks;
  ticket.abnormal_fails = options->abnormal_fails;
  if (options->delivery) eo__delivery_parse(options->delivery, &ticket.delivery);
  if (code == EO_OK) {
    if (request->build)
      snprintf(ticket.build, sizeof ticket.build, "%s", request->build);
    else
      code = eo__program_build("/proc/self/exe", ticket.build, error);
  }
  if (code == EO_OK) code = eo__schedule_parse(&ticket, finding->schedule, error);
  if (code == EO_OK) code = eo__ticket_write(&ticket, &text, error);
  if (code == EO_OK && mkdir(options->tickets, 0777) != 0 && errno != EEXIST)
    code = eo__error_set(error, EO_ESYSTEM, "cannot make the folder %s for tickets: %s", options->tickets,
                         strerror(errno));
  ticket_path(request, number, finding, path, sizeof path);
  if (code == EO_OK && !eo__file_replace(path, text.chars, text.length))
    code = eo__error_set(error, EO_ESYSTEM, "cannot write the ticket %s: %s", path, strerror(errno));
  if (code == EO_OK) finding->ticket = eo__strdup(path);
  eo__text_release(&text);
  eo__ticket_release(&ticket);
  return code;
}

/* ---- In the worker ------------------------------------------------------------------------------------------------ */

/* A code and a text; what follows is ASK_REPLAYED's. */
typedef struct verdict {
  char kind;
  eo_error error;
} verdict;

static void tell_error(eo_worker *worker, const eo_error *error) {
  verdict v = {.kind = ASK_ERROR, .error = *error};
  eo_bytes answer = {0};
  eo__worker_ask(worker, &v, sizeof v, &answer);
  eo_vec_release(&answer);
}

static void explore_child(void *context, eo_worker *worker) {
  watcher *w = context;
  eo_error error = {0};
  eo_frontier *frontier = eo__local_open(worker, &error);
  if (w->request->visited) eo__visited_own(w->request->visited, worker->number);
  if (frontier) {
    if (eo__worker_loop(w->request, frontier, "", worker->cell, eo__memory_findings(w->frontier), &error) != EO_OK)
      tell_error(worker, &error);
    frontier->ops->close(frontier);
  } else {
    tell_error(worker, &error);
  }
}

/* ---- Exploring -------------------------------------------------------------------------------------------------- */

/* Twice the standard error to both sides, but never below what was run. Once more was run than the probes say, the share
 * that the strategy knows of says it. */
static void estimate(eo_run *run, const eo_estimate *probed) {
  double ran = (double)run->executions, error = 2 * eo__estimate_error(probed);
  run->probes = probed->probes;
  if (!probed->probes) return;
  run->estimate = eo__estimate_mean(probed);
  if (run->estimate < ran && run->share > 0) run->estimate = ran / run->share;
  run->estimate_low = run->estimate - error;
  run->estimate_high = run->estimate + error;
  if (run->estimate < ran) run->estimate = ran;
  if (run->estimate_low < ran) run->estimate_low = ran;
  if (run->estimate_high < ran) run->estimate_high = ran;
  if (run->estimate > 0) run->share = ran / run->estimate;
}

void eo__run_stand(eo_run *run, const eo_standing *standing) {
  const eo_tally *total = &standing->total;
  run->executions = total->executions;
  run->pruned = total->pruned;
  run->transitions = total->transitions;
  run->skipped = total->skipped;
  run->states = total->states;
  run->failures = total->failures;
  run->max_depth = total->max_depth;
  run->findings = standing->findings;
  run->cut = total->cut;
  memcpy(run->endless, total->endless, sizeof run->endless);
  run->pending = 0;
  estimate(run, &total->estimate);
}

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
  estimate(run, &probed);
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

static void confirm_child(void *context, eo_worker *worker) {
  const watcher *w = context;
  eo_error error = {0};
  char *json;
  if (eo__worker_confirm(w->request, w->finding, worker->cell, &json, &error) != EO_OK || !json) {
    tell_error(worker, &error);
    return;
  }
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%c", ASK_REPLAYED);
  eo__text_append(&text, json, strlen(json));
  eo_bytes answer = {0};
  eo__worker_ask(worker, text.chars, text.length + 1, &answer);
}

static int replay_serve(void *context, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size,
                        eo_error *error);

#define LEAST_CONFIRMING 0.3 /* seconds that confirming may take when the time is up */

/* A failure that nobody has described yet: it is run again for that. Where that cannot be done, or there is no time left, it
 * is told as it is. */
static void confirm(const eo_request *request, const eo_run *run, eo_finding *finding) {
  eo_error unwanted = {0};
  eo_request own = *request;
  double limit = request->options.seconds, left = limit > 0 ? limit - run->elapsed : 0;
  if (*eo__stop_flag() || left < -LEAST_CONFIRMING) return;
  if (left < LEAST_CONFIRMING) left = LEAST_CONFIRMING;
  if (limit > 0) own.options.as_found = 1; /* there is no time to minimise it */
  watcher w = {.request = &own, .finding = finding};
  eo_work work = {.context = &w,
                  .run = confirm_child,
                  .serve = replay_serve,
                  .stop = eo__stop_flag(),
                  .deadline = limit > 0 ? eo__seconds() + left : 0,
                  .watchdog = eo__watchdog(request)};
  fflush(NULL);
  eo__contain(&work, &unwanted);
}

void eo__tell_finding(const eo_request *request, const eo_listener *listener, const eo_run *run, uint64_t number,
                      const char *json, uint64_t execution, eo_error *error) {
  eo_finding finding;
  eo__finding_init(&finding);
  eo_error local = {0};
  int code = eo__finding_from_json(&finding, json, &local);
  if (code == EO_OK && finding.beside) confirm(request, run, &finding);
  if (execution) finding.execution = execution;
  if (code == EO_OK && request->options.tickets) code = write_ticket(request, number, &finding, &local);
  if (code != EO_OK) *error = local;
  if (listener && listener->finding) listener->finding(listener->context, run, &finding);
  eo__finding_release(&finding);
}

static void tell_findings(watcher *w) {
  const eo_strings *findings = eo__memory_findings(w->frontier);
  while (w->received < findings->count) {
    const char *json = findings->items[w->received++];
    eo__tell_finding(w->request, w->listener, w->run, w->received, json, 0, &w->error);
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
    eo__tell_finding(w->request, w->listener, w->run, w->received + w->beside, beside->items[i], 0, &w->error);
  }
}

static int told_error(const unsigned char *bytes, size_t size, eo_error *error) {
  verdict v;
  if (size != sizeof v) return EO_NONSENSE;
  memcpy(&v, bytes, sizeof v);
  v.error.text[sizeof v.error.text - 1] = '\0';
  return eo__error_set(error, v.error.code, "%s", v.error.text);
}

static int serve(void *context, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size,
                 eo_error *error) {
  watcher *w = context;
  if (size && bytes[0] == ASK_ERROR) return told_error(bytes, size, error);
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

/* What the strategy of a run that was stopped can say of what was run. */
static void add_reached(eo_text *words, const eo_run *run, const eo_tally *total) {
  if (!*total->reached || (total->hit <= 0 && run->jobs > 1)) return;
  eo__text_add(words, "%s", total->reached);
  if (total->hit > 0) eo__promise_add(words, total->hit, total->executions);
}

void eo__run_conclude(eo_run *run, const eo_request *request, const eo_standing *standing, const eo_error *error) {
  eo_error unwanted = {0};
  const eo_tally *total = &standing->total;
  eo_text reached, assumed;
  eo__run_stand(run, standing);
  eo__text_init(&reached);
  eo__text_init(&assumed);
  add_reached(&reached, run, total);
  eo__assumptions(&request->options, request->row, &assumed);
  bool by_state = eo_run_is_by_state(run); /* each execution led to a state that was seen before */
  eo_facts facts = {.executions = by_state ? run->states : run->executions,
                    .by_state = by_state,
                    .findings = run->findings,
                    .failures = run->failures,
                    .coverage = total->coverage,
                    .covered = total->covered,
                    .stopped = standing->stopped,
                    .reached = reached.chars,
                    .assumed = assumed.chars,
                    .doubts = total->doubts,
                    .cut = total->cut,
                    .depth = request->options.depth ? request->options.depth : EO_DEFAULT_DEPTH,
                    .issued = standing->issued,
                    .finished = standing->finished,
                    .left = standing->fragments,
                    .error = error->code != EO_OK ? error->text : NULL};
  eo__run_decide(run, &facts);
  eo__text_release(&reached);
  eo__text_release(&assumed);
  if (run->complete) run->estimate = run->estimate_low = run->estimate_high = (double)run->executions;
  run->exact = run->complete && eo__estimate_check(request, &unwanted) == EO_OK;
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

static int open_frontier(watcher *w, eo_request *own, eo_error *error) {
  const eo_options *options = &w->request->options;
  eo_job_limits limits = {.workers = w->run->jobs,
                          .budget = SLICE,
                          .grace = 1e9, /* deaths are seen as they happen */
                          .executions = options->executions,
                          .bytes = frontier_limit(w->request),
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

void eo__run_init(eo_run *run, const eo_request *request) {
  memset(run, 0, sizeof *run);
  run->program = request->program;
  run->subject = request->model ? "model" : "actor";
  run->test = request->test;
  run->row = request->row;
  run->strategy = eo__strategy_find(request->options.strategy)->name;
  run->options = "";
  run->share = -1;
  run->begun = true;
}

int eo__explore(const eo_request *request, const eo_listener *listener, eo_run *run, eo_error *error) {
  if (eo__strategy_search(eo__strategy_find(request->options.strategy)))
    return eo__search_model(request, listener, run, error);
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

/* ---- Replaying -------------------------------------------------------------------------------------------------- */

static void replay_child(void *context, eo_worker *worker) {
  watcher *w = context;
  eo_finding finding;
  eo_error error = {0};
  eo__finding_init(&finding);
  if (eo__worker_replay(w->request, w->ticket, w->until, worker->cell, &finding, &error) != EO_OK) {
    tell_error(worker, &error);
    return;
  }
  char *json = eo__finding_to_json(&finding);
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%c", ASK_REPLAYED);
  eo__text_append(&text, json ? json : "", json ? strlen(json) : 0);
  eo_bytes answer = {0};
  eo__worker_ask(worker, text.chars, text.length + 1, &answer);
}

static int replay_serve(void *context, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size,
                        eo_error *error) {
  watcher *w = context;
  if (size && bytes[0] == ASK_ERROR) return told_error(bytes, size, error);
  if (size < 2 || bytes[0] != ASK_REPLAYED || bytes[size - 1] != '\0') return EO_NONSENSE;
  eo__finding_release(w->finding);
  eo__finding_init(w->finding);
  if (eo__finding_from_json(w->finding, (const char *)bytes + 1, error) != EO_OK) return EO_NONSENSE;
  w->received = 1;
  eo__crew_answer(crew, worker, "", 0);
  return EO_OK;
}

int eo__replay(const eo_request *request, const eo_ticket *ticket, uint32_t until, bool in_process, eo_finding *finding,
               eo_error *error) {
  if (in_process) return eo__worker_replay(request, ticket, until, NULL, finding, error);
  watcher w = {.request = request, .ticket = ticket, .until = until, .finding = finding};
  eo_work work = {.context = &w,
                  .run = replay_child,
                  .serve = replay_serve,
                  .stop = eo__stop_flag(),
                  .watchdog = eo__watchdog(request),
                  .keep_output = true};
  int code = eo__contain(&work, error);
  if (code != EO_OK || w.received) return code;
  return eo__error_set(error, EO_ESYSTEM, "interrupted: the execution was not run to its end");
}

/* ---- For other frameworks --------------------------------------------------------------------------------------- */

static void keep_first(void *context, const eo_run *run, const eo_finding *finding) {
  eo_result *result = context;
  if (*result->kind) return;
  snprintf(result->kind, sizeof result->kind, "%s", eo__kind_name(finding->failure.kind));
  memcpy(result->message, finding->failure.message, sizeof result->message);
  if (finding->ticket) snprintf(result->ticket, sizeof result->ticket, "%s", finding->ticket);
  if (!run->row) return;
  eo_text row;
  eo__text_init(&row);
  eo__row_add(&row, run->row, ',');
  snprintf(result->row, sizeof result->row, "%s", row.chars);
  eo__text_release(&row);
}

static void add_run(eo_result *result, const eo_run *run) {
  result->verdict = eo__verdict_both(result->verdict, run->verdict);
  result->complete = result->complete && run->complete;
  result->executions += run->executions;
  result->transitions += run->transitions;
  result->skipped += run->skipped;
  result->findings += run->findings;
  result->cut += run->cut;
  if (run->max_depth > result->max_depth) result->max_depth = run->max_depth;
}

/* Once, or with each of the rows. */
static int explore_rows(eo_request *request, const eo_row_list *list, eo_result *result, eo_error *error) {
  size_t count = request->options.model ? list->rows.count : 1;
  eo_listener listener = {.context = result, .finding = keep_first};
  int code = EO_OK;
  result->verdict = count ? EO_PASS : EO_INCOMPLETE; /* without a row nothing is run */
  result->complete = count > 0;
  for (size_t i = 0; code == EO_OK && i < count; i++) {
    eo_run run;
    if (request->options.model) {
      request->row = list->rows.items[i];
      result->rows++;
    }
    eo__row_use(request->row);
    code = eo__explore(request, &listener, &run, error);
    add_run(result, &run);
    if (result->findings && !request->options.keep_going && i + 1 < count) {
      result->complete = false;
      break;
    }
  }
  eo__row_use(NULL);
  return code;
}

static int rows_of(const eo_request *request, eo_row_list *list, eo_error *error) {
  const char *lines[] = {request->options.model, NULL};
  eo_test test = {.name = request->test, .place = {.file = "eo_explore"}, .model = lines};
  return request->options.model ? eo__params_rows(&test, request->options.params, list, error) : EO_OK;
}

int eo_explore(eo_function function, void *argument, const eo_options *options, eo_result *result) {
  eo_result local;
  eo_request request = {.function = function, .argument = argument, .program = "/proc/self/exe", .test = "explore"};
  eo_row_list list = {0};
  char path[512];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  eo_error error = {0};
  if (eo__runtime)
    eo__runtime->fail("misuse", NULL, "eo_explore: called inside a process; explorations cannot be nested");
  if (!result) result = &local;
  memset(result, 0, sizeof *result);
  if (length > 0) {
    path[length] = '\0';
    request.program = path;
  }
  if (options) request.options = *options;
  if (request.options.name) request.test = request.options.name;
  int code = eo__request_check(&request, &error);
  if (code == EO_OK) code = rows_of(&request, &list, &error);
  if (code == EO_OK) code = explore_rows(&request, &list, result, &error);
  eo__row_list_release(&list);
  if (code == EO_OK) return 0;
  result->verdict = eo__verdict_both(result->verdict, EO_ERROR);
  result->complete = false;
  if (!*result->kind) snprintf(result->message, sizeof result->message, "%s", error.text);
  return -1;
}
