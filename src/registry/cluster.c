/* cluster.c: see cluster.h. */
#include "registry/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/contain.h"
#include "registry/registry.h"
#include "registry/shape.h"
#include "registry/worker.h"

/* Simsa et al. 2012 found 10 s a good budget. A claim is lost when it is overdue by the grace, in which a finding can be
 * minimised. */
#define BUDGET 10.0
#define GRACE 15.0
#define CREW_EVERY 0.5       /* seconds between looks at the workers */
enum { FEWEST_WORKERS = 8 }; /* fragments are kept for so many, so that whoever comes finds some */

/* ---- The job -------------------------------------------------------------------------------------------------- */

int eo__cluster_job(const eo_request *request, const char *options, const char *shape, eo_job *job, eo_error *error) {
  memset(job, 0, sizeof *job);
  char *real = realpath(request->program, NULL);
  int lengths[] = {
      snprintf(job->program, sizeof job->program, "%s", real ? real : request->program) - (int)sizeof job->program,
      snprintf(job->test, sizeof job->test, "%s", request->test) - (int)sizeof job->test,
      snprintf(job->options, sizeof job->options, "%s", options) - (int)sizeof job->options,
      snprintf(job->shape, sizeof job->shape, "%s", shape) - (int)sizeof job->shape,
  };
  free(real);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    if (lengths[i] >= 0)
      return eo__error_set(error, EO_EINPUT, "the path, the name of the test or the options are too long for a job");
  uint64_t limit = request->options.executions;
  snprintf(job->version, sizeof job->version, "%s", EO_VERSION);
  job->seconds = request->options.seconds;
  job->limits = (eo_job_limits){.workers = FEWEST_WORKERS,
                                .budget = BUDGET,
                                .grace = GRACE,
                                .executions = limit == EO_NO_LIMIT ? 0 : limit,
                                .at_failure = !request->options.keep_going};
  return eo__program_build("/proc/self/exe", job->build, error);
}

/* What makes two jobs different, in words; NULL: they are the same. */
static const char *difference(const eo_job *a, const eo_job *b) {
  if (strcmp(a->test, b->test) != 0) return "another test";
  if (strcmp(a->build, b->build) != 0) return "another program, or another build of it";
  if (strcmp(a->version, b->version) != 0) return "another version of Everyorder";
  if (strcmp(a->options, b->options) != 0) return "other options";
  if (strcmp(a->shape, b->shape) != 0) return "another plug-in";
  return NULL;
}

int eo__cluster_submit(eo_redis *redis, const char *name, eo_job *job, bool *attached, eo_error *error) {
  eo_job there = *job;
  bool submitted;
  int code = eo__redis_submit(redis, &there, &submitted, error);
  if (code != EO_OK) return code;
  *attached = !submitted;
  const char *differs = submitted ? NULL : difference(&there, job);
  if (differs)
    return eo__error_set(error, EO_EINPUT,
                         "the name %s is in use for %s (test %.64s %.128s): choose another name, or drop that job",
                         name, differs, there.test, there.options);
  *job = there;
  return eo__redis_join(redis, job, error);
}

int eo__cluster_suits_build(const eo_job *job, const char *build, eo_error *error) {
  if (strcmp(job->version, EO_VERSION) != 0)
    return eo__error_set(error, EO_EINPUT, "the job is for Everyorder %s, and this is %s", job->version, EO_VERSION);
  if (strcmp(build, job->build) != 0)
    return eo__error_set(error, EO_EINPUT,
                         "this program (build %s) is not the one the job is for (build %s): copy that one here, byte "
                         "for byte",
                         build, job->build);
  return EO_OK;
}

int eo__cluster_suits(const eo_job *job, eo_error *error) {
  char build[65];
  int code = eo__program_build("/proc/self/exe", build, error);
  return code == EO_OK ? eo__cluster_suits_build(job, build, error) : code;
}

int eo__cluster_same_shape(const eo_job *job, const char *shape, eo_error *error) {
  eo_text differs;
  eo__text_init(&differs);
  int code = EO_OK;
  if (eo__shape_differs(job->shape, "job", shape, "here", &differs))
    code = eo__error_set(error, EO_EINPUT, "the options of the job do not mean the same on this worker: %.300s",
                         differs.chars);
  eo__text_release(&differs);
  return code;
}

/* ---- Watching ------------------------------------------------------------------------------------------------- */

static void nap(double seconds) { nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL); }

/* Tells the findings that are new; *told counts them. */
static int tell_findings(const eo_request *request, eo_redis *redis, const eo_listener *listener, eo_run *run,
                         uint64_t *told, eo_error *error) {
  eo_strings findings = {0};
  eo_numbers executions = {0};
  eo_error ticket = {0};
  int code = eo__redis_findings(redis, *told, &findings, &executions, error);
  for (size_t i = 0; i < findings.count; i++) {
    if (code == EO_OK)
      eo__tell_finding_json(request, listener, run, ++*told, findings.items[i], executions.items[i], &ticket);
    eo__free(findings.items[i]);
  }
  eo_vec_release(&findings);
  eo_vec_release(&executions);
  if (code == EO_OK && ticket.code != EO_OK) snprintf(run->error, sizeof run->error, "%s", ticket.text);
  return code;
}

/* The workers of the job, looked at now and then. A result may be seconds of work, so rates are over all the time that
 * a worker has been watched. Without memory nothing is shown. */
typedef struct crew_watch {
  eo_run_worker *workers;
  struct {
    char name[64];
    double since;
    uint64_t executions; /* then */
  } * known;
  uint32_t count, known_count;
  double next;
} crew_watch;

static void crew_init(crew_watch *crew) {
  *crew = (crew_watch){.workers = eo__alloc(EO_WORKERS_MAX * sizeof *crew->workers),
                       .known = eo__alloc(EO_WORKERS_MAX * sizeof *crew->known)};
}

static void crew_release(crew_watch *crew) {
  eo__free(crew->workers);
  eo__free(crew->known);
}

static void crew_rate(crew_watch *crew, eo_run_worker *worker, double now) {
  uint32_t i = 0;
  while (i < crew->known_count && strcmp(crew->known[i].name, worker->name) != 0) i++;
  if (i == EO_WORKERS_MAX) return;
  if (i == crew->known_count) {
    memcpy(crew->known[i].name, worker->name, sizeof worker->name);
    crew->known[i].since = now;
    crew->known[i].executions = worker->executions;
    crew->known_count++;
  }
  double passed = now - crew->known[i].since;
  bool more = passed > 0 && worker->executions > crew->known[i].executions;
  worker->rate = more ? (double)(worker->executions - crew->known[i].executions) / passed : 0;
}

static int crew_look(crew_watch *crew, eo_redis *redis, eo_run *run, eo_error *error) {
  double now = eo__seconds();
  if (!crew->workers || !crew->known || now < crew->next) return EO_OK;
  crew->next = now + CREW_EVERY;
  int code = eo__redis_crew(redis, crew->workers, EO_WORKERS_MAX, &crew->count, error);
  if (code != EO_OK) return code;
  for (uint32_t i = 0; i < crew->count; i++) crew_rate(crew, &crew->workers[i], now);
  run->workers = crew->workers;
  run->worker_count = crew->count;
  return EO_OK;
}

/* Has our own child failed, and does nobody else work on the job? */
static int check_workers(pid_t *workers, const eo_standing *standing, bool *failed, eo_error *error) {
  int status = 0;
  if (*workers && waitpid(*workers, &status, WNOHANG) == *workers) {
    *workers = 0;
    *failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  }
  if (!*failed || standing->workers > 0 || standing->ended) return EO_OK;
  return eo__error_set(error, EO_ESYSTEM,
                       "the workers that were started here have failed, and there are no others; the job stays, and "
                       "the same command watches the job again");
}

int eo__cluster_watch(const eo_request *request, eo_redis *redis, const eo_listener *listener, pid_t *workers,
                      eo_run *run, eo_error *error) {
  eo_job_status status = {0};
  bool failed = false;
  uint64_t told = 0;
  crew_watch crew;
  crew_init(&crew);
  eo__run_init(run, request);
  int code;
  for (;;) {
    code = eo__redis_status(redis, &status, error);
    if (code != EO_OK) break;
    eo__run_stand(run, &status.standing);
    run->elapsed = status.elapsed;
    run->jobs = status.standing.workers;
    /* Once is enough for what was there a moment ago; more come with the next look. */
    if (told < status.standing.findings) code = tell_findings(request, redis, listener, run, &told, error);
    if (code == EO_OK && *status.error) code = eo__error_set(error, EO_ESYSTEM, "worker %s", status.error);
    if (code == EO_OK && status.standing.ended && told < status.standing.findings) continue;
    if (code == EO_OK) code = check_workers(workers, &status.standing, &failed, error);
    if (code != EO_OK || status.standing.ended || *eo__stop_flag()) break;
    if (listener->progress) code = crew_look(&crew, redis, run, error);
    if (code != EO_OK) break;
    if (listener->progress) listener->progress(listener->context, run);
    nap(status.elapsed < 2 ? 0.02 : 0.2);
  }
  if (*eo__stop_flag() && !status.standing.ended) {
    snprintf(status.standing.stopped, sizeof status.standing.stopped, "no longer watched; the job goes on");
    code = EO_OK;
  }
  if (code == EO_OK) *error = (eo_error){0};
  run->workers = NULL; /* they were borrowed */
  run->worker_count = 0;
  crew_release(&crew);
  eo__run_conclude(run, request, &status.standing, error);
  return code;
}

/* ---- Working -------------------------------------------------------------------------------------------------- */

typedef struct work_context {
  const eo_request *request;
  const eo_address *address;
  const eo_job *job;
  char name[48]; /* of this crew; a worker's is followed by its number */
  bool told;     /* a worker has said why it cannot go on */
} work_context;

static int all_findings(eo_redis *redis, eo_strings *findings, eo_error *error) {
  size_t before;
  int code;
  do {
    before = findings->count;
    code = eo__redis_findings(redis, before, findings, NULL, error);
  } while (code == EO_OK && findings->count > before);
  return code;
}

/* Whoever watches the job is to know. If that cannot be told, it is told here at least. */
static void report(eo_redis *redis, const char *worker, const eo_error *why) {
  eo_error unwanted = {0};
  eo__redis_be_patient(redis, EO_CLUSTER_FIRST_PATIENCE);
  eo__redis_fail(redis, worker, why->text, &unwanted);
}

static int work(const work_context *w, eo_worker *worker, eo_error *error) {
  char name[64];
  eo_strings known = {0};
  eo_redis *redis = eo__redis_open(w->address, &worker->cell->stop, EO_CLUSTER_PATIENCE, error);
  if (!redis) return error->code;
  eo_frontier *frontier = eo__redis_frontier(redis);
  snprintf(name, sizeof name, "%s.%u", w->name, worker->number);
  int code = eo__redis_join(redis, w->job, error);
  if (code == EO_OK) code = all_findings(redis, &known, error);
  bool joined = code == EO_OK;
  if (code == EO_OK) code = eo__worker_loop(w->request, frontier, name, worker->cell, &known, error);
  /* Trouble with Redis is the trouble of this worker alone; any other is the job's. */
  if (joined && code != EO_OK && !worker->cell->stop && !eo__redis_failed(redis)) report(redis, name, error);
  for (size_t i = 0; i < known.count; i++) eo__free(known.items[i]);
  eo_vec_release(&known);
  frontier->ops->close(frontier);
  return worker->cell->stop ? EO_OK : code;
}

static void work_child(void *context, eo_worker *worker) {
  eo_error error = {0};
  eo_bytes answer = {0};
  if (work(context, worker, &error) == EO_OK) return;
  eo__worker_ask(worker, &error, sizeof error, &answer);
  eo_vec_release(&answer);
}

/* The only thing a worker tells here is why it cannot go on. */
static int serve(void *context, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size,
                 eo_error *error) {
  (void)crew;
  (void)worker;
  if (size != sizeof *error) return EO_NONSENSE;
  ((work_context *)context)->told = true;
  memcpy(error, bytes, size);
  error->text[sizeof error->text - 1] = '\0';
  return error->code;
}

int eo__cluster_work(const eo_request *request, const eo_address *address, const eo_job *job, uint32_t processes,
                     eo_error *error) {
  work_context w = {.request = request, .address = address, .job = job};
  char host[24] = "?";
  uint32_t salt = 0;
  gethostname(host, sizeof host - 1);
  if (getrandom(&salt, sizeof salt, 0) != sizeof salt) salt = (uint32_t)time(NULL);
  snprintf(w.name, sizeof w.name, "%s-%d-%08x", host, (int)getpid(), salt);
  eo_work work_ = {.context = &w,
                   .workers = processes,
                   .run = work_child,
                   .serve = serve,
                   .stop = eo__stop_flag(),
                   .watchdog = eo__watchdog(request)};
  int code = eo__contain(&work_, error);
  if (code == EO_OK || w.told || *eo__stop_flag()) return code;
  eo_error unwanted = {0};
  eo_redis *redis = eo__redis_open(address, NULL, EO_CLUSTER_FIRST_PATIENCE, &unwanted);
  if (!redis) return code;
  if (eo__redis_join(redis, job, &unwanted) == EO_OK) report(redis, w.name, error);
  eo__redis_frontier(redis)->ops->close(eo__redis_frontier(redis));
  return code;
}
