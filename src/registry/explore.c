/* explore.c: one test, explored or replayed, seen from the parent: starts the contained worker, gathers what it sends,
 * writes tickets, and fills the run. Also eo_explore, the same for other frameworks' tests. */
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
#include "core/contain.h"
#include "core/program.h"
#include "registry/registry.h"
#include "registry/worker.h"

typedef struct watcher {
  const eo_request *request;
  const eo_listener *listener;
  eo_run *run;
  double started;
  uint64_t received;
  eo_error error; /* a ticket that could not be written, a record that could not be read */
  const eo_ticket *ticket;
  uint32_t until;
  eo_finding *finding; /* of a replay */
  eo_news last;
} watcher;

volatile int *eo__stop_flag(void) {
  static volatile int flag;
  return &flag;
}

int eo__request_check(const eo_request *request, eo_error *error) {
  const eo_options *options = &request->options;
  const eo_strategy_entry *entry = eo__strategy_find(options->strategy);
  if (!request->function) return eo_error_set(error, EO_EINPUT, "there is no function to explore: it is NULL");
  if (entry && !entry->open)
    return eo_error_set(error, EO_EINPUT, "strategy '%s' needs a ticket: everyorder replay TICKET", entry->name);
  if (!entry)
    return eo_error_set(error, EO_EINPUT, "there is no strategy '%s'; `everyorder strategies` lists them",
                        options->strategy);
  if (options->bounded && !strstr(entry->options, "--bound"))
    return eo_error_set(error, EO_EINPUT, "strategy '%s' takes no bound; '--strategy preempt --bound N' does",
                        entry->name);
  if (options->bounded && options->bound < 0)
    return eo_error_set(error, EO_EINPUT, "the bound is %d: it must be 0 or more", options->bound);
  if (options->seed && !strstr(entry->options, "--seed"))
    return eo_error_set(error, EO_EINPUT, "strategy '%s' draws nothing, so a seed has no effect; 'random' takes one",
                        entry->name);
  if (options->reduction && !strstr(entry->options, "--dpor"))
    return eo_error_set(error, EO_EINPUT, "strategy '%s' reduces nothing; '--strategy dpor --dpor %s' does",
                        entry->name, options->reduction);
  eo_delivery delivery;
  if (options->delivery && !eo_delivery_parse(options->delivery, &delivery))
    return eo_error_set(error, EO_EINPUT, "there is no delivery '%s'; there are mailbox, fifo, causal and async",
                        options->delivery);
  if (options->seconds < 0 || options->watchdog < 0) return eo_error_set(error, EO_EINPUT, "a time below 0");
  return EO_OK;
}

/* ---- Tickets ---------------------------------------------------------------------------------------------------- */

int eo__program_build(const char *path, char *out, eo_error *error) {
  static char buffer[1 << 16];
  FILE *file = fopen(path, "rb");
  if (!file) return eo_error_set(error, EO_ESYSTEM, "cannot read %s: %s", path, strerror(errno));
  XXH3_state_t *state = XXH3_createState();
  if (!state) {
    fclose(file);
    return eo_error_nomem(error);
  }
  XXH3_128bits_reset(state);
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) XXH3_128bits_update(state, buffer, got);
  int code = ferror(file) ? eo_error_set(error, EO_ESYSTEM, "cannot read %s: %s", path, strerror(errno)) : EO_OK;
  fclose(file);
  XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  snprintf(out, 65, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
  return code;
}

static int write_file(const char *path, const char *bytes, size_t size, eo_error *error) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fflush(file) != 0) {
    int reason = errno;
    if (file) fclose(file);
    return eo_error_set(error, EO_ESYSTEM, "cannot write the ticket %s: %s", path, strerror(reason));
  }
  fclose(file);
  return EO_OK;
}

static void ticket_path(const watcher *w, const eo_finding *finding, char *path, size_t size) {
  snprintf(path, size, "%s/%s-%s-%llu.ticket", w->request->options.tickets, w->request->test,
           eo_kind_name(finding->failure.kind), (unsigned long long)w->received);
  for (char *c = path + strlen(w->request->options.tickets) + 1; *c; c++)
    if (*c == ' ' || *c == '/') *c = '-';
}

static int write_ticket(watcher *w, eo_finding *finding, eo_error *error) {
  const eo_request *request = w->request;
  const eo_options *options = &request->options;
  eo_ticket ticket;
  eo_text text;
  char path[4096];
  eo_ticket_init(&ticket);
  eo_text_init(&text);
  snprintf(ticket.program, sizeof ticket.program, "%s", request->program);
  snprintf(ticket.test, sizeof ticket.test, "%s", request->test);
  ticket.kind = finding->failure.kind;
  memcpy(ticket.message, finding->failure.message, sizeof ticket.message);
  if (finding->failure.line)
    snprintf(ticket.at, sizeof ticket.at, "%s:%d", finding->failure.file, finding->failure.line);
  ticket.depth = options->depth ? options->depth : EO_DEFAULT_DEPTH;
  double watchdog = options->watchdog > 0 ? options->watchdog : EO_DEFAULT_WATCHDOG;
  ticket.watchdog_ms = watchdog < UINT32_MAX / 1000.0 ? (uint32_t)(watchdog * 1000) : UINT32_MAX;
  ticket.timeouts_idle = options->timeouts_idle;
  ticket.leaks = options->leaks;
  if (options->delivery) eo_delivery_parse(options->delivery, &ticket.delivery);
  int code = eo__program_build("/proc/self/exe", ticket.build, error);
  if (code == EO_OK) code = eo_schedule_parse(&ticket, finding->schedule, error);
  if (code == EO_OK) code = eo_ticket_write(&ticket, &text, error);
  if (code == EO_OK && mkdir(options->tickets, 0777) != 0 && errno != EEXIST)
    code =
        eo_error_set(error, EO_ESYSTEM, "cannot make the folder %s for tickets: %s", options->tickets, strerror(errno));
  ticket_path(w, finding, path, sizeof path);
  if (code == EO_OK) code = write_file(path, text.chars, text.length, error);
  if (code == EO_OK) finding->ticket = eo_strdup(path);
  eo_text_release(&text);
  eo_ticket_release(&ticket);
  return code;
}

/* ---- Exploring -------------------------------------------------------------------------------------------------- */

static int explore_child(void *context, eo_worker *worker) {
  return eo__worker_explore(((watcher *)context)->request, worker);
}

static void update(watcher *w) {
  eo_run *run = w->run;
  const eo_news *news = &w->last;
  run->executions = news->meter.executions;
  run->pruned = news->meter.pruned;
  run->pending = news->meter.pending;
  run->depth = news->meter.depth;
  run->max_depth = news->meter.max_depth;
  run->share = news->meter.share;
  run->transitions = news->counts.transitions;
  run->skipped = news->counts.skipped;
  run->findings = news->findings;
  run->failures = news->failures;
  run->elapsed = eo_seconds() - w->started;
}

static void tick(void *context, const eo_cell *cell) {
  watcher *w = context;
  memcpy(&w->last, cell->news, sizeof w->last);
  w->run->restarts = cell->restarts;
  update(w);
  if (w->listener && w->listener->progress) w->listener->progress(w->listener->context, w->run);
}

static void take_finding(watcher *w, const char *record) {
  char *json;
  uint64_t number = strtoull(record, &json, 10);
  if (number <= w->received) return; /* a worker that took over tells again what its forerunner told */
  w->received = number;
  eo_finding finding;
  eo_finding_init(&finding);
  eo_error error = {0};
  int code = eo_finding_from_json(&finding, json, &error);
  if (code == EO_OK && w->request->options.tickets) code = write_ticket(w, &finding, &error);
  if (code != EO_OK) w->error = error;
  if (w->listener && w->listener->finding) w->listener->finding(w->listener->context, w->run, &finding);
  eo_finding_release(&finding);
}

static bool record(void *context, const char *record) {
  watcher *w = context;
  if (*record == EO_RECORD_FINDING) take_finding(w, record + 1);
  return *record == EO_RECORD_END;
}

static void conclude(watcher *w, int code, const eo_error *error) {
  eo_run *run = w->run;
  const eo_news *news = &w->last;
  update(w);
  /* A run that was stopped covers what it ran, whatever it was on the way to. */
  snprintf(run->covered, sizeof run->covered, "%.200s%s",
           *news->stopped ? "the executions that were run" : news->covered,
           news->cut ? ", the longer ones cut off at --depth" : "");
  snprintf(run->stopped, sizeof run->stopped, "%s", news->stopped);
  run->complete = code == EO_OK && news->coverage == EO_COVERS_ALL && !*news->stopped && !news->cut;
  if (code != EO_OK)
    snprintf(run->error, sizeof run->error, "%s", error->text);
  else if (w->error.code != EO_OK)
    snprintf(run->error, sizeof run->error, "%s", w->error.text);
  run->verdict = run->failures ? EO_FAIL : *run->error ? EO_ERROR : run->complete ? EO_PASS : EO_INCOMPLETE;
}

int eo__explore(const eo_request *request, const eo_listener *listener, eo_run *run, eo_error *error) {
  memset(run, 0, sizeof *run);
  run->program = request->program;
  run->subject = "actor";
  run->test = request->test;
  run->strategy = eo__strategy_find(request->options.strategy)->name;
  run->options = "";
  run->share = -1;
  watcher w = {.request = request, .listener = listener, .run = run, .started = eo_seconds()};
  eo_work work = {.context = &w, .run = explore_child, .record = record, .tick = tick, .stop = eo__stop_flag()};
  eo_error local = {0};
  int code = eo_contain(&work, &local);
  if (code == EO_OK && w.last.code != EO_OK) code = eo_error_set(&local, w.last.code, "%s", w.last.error);
  conclude(&w, code, &local);
  if (error) *error = code != EO_OK ? local : w.error;
  return code;
}

/* ---- Replaying -------------------------------------------------------------------------------------------------- */

static int replay_child(void *context, eo_worker *worker) {
  watcher *w = context;
  eo_news news = {0};
  eo_finding finding;
  eo_error error = {0};
  eo_finding_init(&finding);
  news.code = eo__worker_replay(w->request, w->ticket, w->until, worker, &finding, &error);
  snprintf(news.error, sizeof news.error, "%s", error.text);
  memcpy(worker->cell->news, &news, sizeof news);
  char *json = eo_finding_to_json(&finding);
  eo_text text;
  eo_text_init(&text);
  eo_text_add(&text, "%c1 ", EO_RECORD_FINDING);
  eo_text_append(&text, json ? json : "", json ? strlen(json) : 0);
  if (news.code == EO_OK) eo_worker_send(worker, text.chars);
  eo_worker_send(worker, (char[]){EO_RECORD_END, 0});
  return 0;
}

static bool replay_record(void *context, const char *text) {
  watcher *w = context;
  if (*text == EO_RECORD_FINDING && strchr(text, ' ')) {
    eo_finding_release(w->finding);
    eo_finding_init(w->finding);
    w->received = 1;
    eo_finding_from_json(w->finding, strchr(text, ' ') + 1, &w->error);
  }
  return *text == EO_RECORD_END;
}

int eo__replay(const eo_request *request, const eo_ticket *ticket, uint32_t until, bool in_process, eo_finding *finding,
               eo_error *error) {
  if (in_process) return eo__worker_replay(request, ticket, until, NULL, finding, error);
  eo_run run = {0};
  watcher w = {.request = request, .run = &run, .ticket = ticket, .until = until, .finding = finding};
  eo_work work = {.context = &w,
                  .run = replay_child,
                  .record = replay_record,
                  .tick = tick,
                  .stop = eo__stop_flag(),
                  .keep_output = true};
  int code = eo_contain(&work, error);
  if (code != EO_OK) return code;
  if (w.last.code != EO_OK) return eo_error_set(error, w.last.code, "%s", w.last.error);
  if (w.error.code != EO_OK) {
    *error = w.error;
    return w.error.code;
  }
  return EO_OK;
}

/* ---- For other frameworks --------------------------------------------------------------------------------------- */

static void keep_first(void *context, const eo_run *run, const eo_finding *finding) {
  eo_result *result = context;
  (void)run;
  if (*result->kind) return;
  snprintf(result->kind, sizeof result->kind, "%s", eo_kind_name(finding->failure.kind));
  memcpy(result->message, finding->failure.message, sizeof result->message);
  if (finding->ticket) snprintf(result->ticket, sizeof result->ticket, "%s", finding->ticket);
}

int eo_explore(eo_function function, void *argument, const eo_options *options, eo_result *result) {
  eo_result local;
  eo_request request = {.function = function, .argument = argument, .program = "/proc/self/exe", .test = "explore"};
  char path[512];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  eo_run run = {.verdict = EO_ERROR};
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
  eo_listener listener = {.context = result, .finding = keep_first};
  int code = eo__request_check(&request, &error);
  if (code == EO_OK) code = eo__explore(&request, &listener, &run, &error);
  result->verdict = code == EO_OK ? run.verdict : EO_ERROR;
  result->complete = run.complete;
  result->executions = run.executions;
  result->transitions = run.transitions;
  result->skipped = run.skipped;
  result->findings = run.findings;
  result->max_depth = run.max_depth;
  if (code != EO_OK) snprintf(result->message, sizeof result->message, "%s", error.text);
  return code == EO_OK ? 0 : -1;
}
