/* cluster_test.c: a test explored by a cluster, as seen by who submits it: see cli/cluster_test.h. */
#include "cli/cluster_test.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "core/program.h"
#include "registry/cluster.h"
#include "registry/registry.h"
#include "registry/shape.h"

int eo__cluster_test_check(const eo_args *args, eo_error *error) {
  eo_address address;
  eo_text names;
  size_t count = 0;
  int code = eo__address_parse(&address, args->cluster, error);
  if (code != EO_OK) return code;
  if (!*address.name)
    return eo__error_set(error, EO_EINPUT, "--cluster: the address names no job: redis://HOST:PORT/NAME");
  eo__text_init(&names);
  for (const eo_test *test = eo__tests(); test != NULL; test = test->next) {
    if (!eo__test_wanted(args, test)) continue;
    eo__text_add(&names, "%s%s", count++ ? ", " : "", test->name);
  }
  if (count > 1)
    code = eo__error_set(error, EO_EINPUT,
                         "a job is one test, and these are %zu: %.300s%s; choose one with --test, and a name for each",
                         count, names.chars, names.length > 300 ? " ..." : "");
  eo__text_release(&names);
  return code;
}

/* ---- Workers on this machine ---------------------------------------------------------------------------------- */

/* 0: none were asked for, or none could be started, which is told. */
static pid_t start_workers(const eo_front *front, const eo_args *args) {
  char jobs[16];
  if (args->explore.jobs == 0) return 0;
  snprintf(jobs, sizeof jobs, "%u", (unsigned)args->explore.jobs);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    bool plugin = args->explore.explorer && eo__explorer_is_file(args->explore.explorer);
    execl("/proc/self/exe", front->program, "worker", "--join", args->cluster, "--jobs", jobs, "--quiet",
          plugin ? "--explorer" : (char *)NULL, args->explore.explorer, (char *)NULL);
    _exit(127);
  }
  if (child < 0) fprintf(stderr, "%s: no workers could be started here: %s\n", front->name, strerror(errno));
  return child < 0 ? 0 : child;
}

static void await_workers(pid_t child, bool stop) {
  if (!child) return;
  if (stop) kill(child, SIGTERM);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}

/* ---- The job -------------------------------------------------------------------------------------------------- */

static void tell(const eo_front *front, const eo_args *args, const char *text, const char *address) {
  if (!args->quiet) fprintf(stderr, "%s: %s%s\n", front->name, text, address);
}

/* The options as a worker parses them again. */
static void add_options(const eo_args *args, eo_text *words) {
  eo__text_add(words, "--strategy %s", eo__strategy_find(args->explore.strategy)->name);
  eo__args_describe(args, words);
}

static int submit(const eo_front *front, const eo_args *args, const eo_request *request, eo_redis *redis,
                  const eo_address *address, eo_error *error) {
  eo_job job = {0};
  eo_text words, shape;
  char shown[400];
  bool attached = false;
  eo__text_init(&words);
  eo__text_init(&shape);
  add_options(args, &words);
  int code = words.failed ? eo__error_nomem(error) : eo__shape_add(&args->explore, &shape, error);
  if (code == EO_OK) code = eo__cluster_job(request, words.chars, shape.chars, &job, error);
  eo__text_release(&words);
  eo__text_release(&shape);
  if (code != EO_OK) return code;
  if (args->budget > 0) job.limits.budget = args->budget;
  if (args->grace > 0) job.limits.grace = args->grace;
  if ((uint32_t)args->explore.jobs > job.limits.workers) job.limits.workers = (uint32_t)args->explore.jobs;
  code = eo__cluster_submit(redis, address->name, &job, &attached, error);
  if (code != EO_OK) return code;
  eo__address_show(address, shown);
  tell(front, args, attached ? "the job is there already; watching " : "submitted as ", shown);
  if (!attached && args->explore.jobs == 0) {
    tell(front, args, "workers: everyorder worker --program PROGRAM --join ", shown);
    if (args->explore.explorer && eo__explorer_is_file(args->explore.explorer))
      tell(front, args, "with the plug-in: --explorer ", args->explore.explorer);
  }
  return EO_OK;
}

int eo__cluster_test(const eo_front *front, const eo_args *args, const eo_request *request, const eo_listener *listener,
                     eo_run *run, eo_error *error) {
  eo_address address;
  char shown[400];
  int code = eo__address_parse(&address, args->cluster, error);
  if (code != EO_OK) return code;
  eo_redis *redis = eo__redis_open(&address, eo__stop_flag(), EO_CLUSTER_FIRST_PATIENCE, error);
  if (!redis) return error->code;
  eo__redis_be_patient(redis, EO_CLUSTER_PATIENCE);
  if (!eo__redis_durable(redis))
    fprintf(stderr, "%s: %s\n", front->name,
            "warning: this Redis keeps no append-only file: if it is restarted, the job is lost (doc/cluster.md)");
  code = submit(front, args, request, redis, &address, error);
  if (code == EO_OK) {
    pid_t workers = start_workers(front, args);
    code = eo__cluster_watch(request, redis, listener, &workers, run, error);
    await_workers(workers, *eo__stop_flag() || code != EO_OK);
    if (listener->hush) listener->hush(listener->context);
    if (*eo__stop_flag()) {
      tell(front, args, "the same command watches the job again; to end it: everyorder cluster cancel ",
           eo__address_show(&address, shown));
    }
  }
  eo__redis_frontier(redis)->ops->close(eo__redis_frontier(redis));
  return code;
}
