/* cmd_worker.c: explores for a job in Redis that was submitted for this program. */
#include <signal.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/cli.h"
#include "core/program.h"
#include "registry/cluster.h"
#include "registry/registry.h"
#include "registry/shape.h"

/* The options of the job as those of `test`: those that shape an exploration, and no others. The words are cut out of
 * `words` and stay there. A plug-in is never one that the job names: only one that this worker was told of. */
static int parse_options(char *words, const char *plugin, eo_args *args, eo_error *error) {
  EO_VEC(char *) list = {0};
  int code = EO_OK;
  for (char *word = strtok(words, " "); code == EO_OK && word; word = strtok(NULL, " "))
    if (!eo_vec_push(&list, word)) code = eo__error_nomem(error);
  if (code == EO_OK) code = eo__args_parse(args, EO_COMMAND_TEST, (int)list.count, list.items, 0, error);
  eo_vec_release(&list);
  if (code == EO_OK) code = eo__args_check_job(args, error);
  if (code == EO_OK && eo__strategy_find(args->explore.strategy) == NULL)
    code = eo__strategy_unknown(args->explore.strategy, error);
  if (code != EO_OK || args->explore.explorer == NULL || !eo__explorer_is_file(args->explore.explorer)) return code;
  if (plugin == NULL)
    return eo__error_set(error, EO_EINPUT,
                         "the job uses the plug-in %.200s: give its path on this machine with --explorer FILE",
                         args->explore.explorer);
  args->explore.explorer = plugin;
  return EO_OK;
}

static int make_request(const eo_front *front, const eo_job *job, const eo_args *options, eo_request *request,
                        eo_error *error) {
  eo_test *test = NULL;
  int code = eo__test_find(job->test, &test, error);
  if (code != EO_OK) return code;
  if (!test) return eo__error_set(error, EO_EINPUT, "this program has no test %.64s", job->test);
  eo__request_init(request, front, test);
  eo__args_explore(options, &request->options);
  request->options.name = test->name;
  request->options.tickets = NULL; /* who watches writes them */
  return eo__request_check(request, error);
}

static int check_shape(const eo_job *job, const eo_args *options, eo_error *error) {
  eo_text shape;
  eo__text_init(&shape);
  int code = eo__shape_add(&options->explore, &shape, error);
  if (code == EO_OK) code = eo__cluster_same_shape(job, shape.chars, error);
  eo__text_release(&shape);
  return code;
}

static int join(const eo_address *address, eo_job_status *status, eo_error *error) {
  eo_redis *redis = eo__redis_open(address, eo__stop_flag(), EO_CLUSTER_FIRST_PATIENCE, error);
  if (!redis) return error->code;
  int code = eo__redis_status(redis, status, error);
  eo__redis_frontier(redis)->ops->close(eo__redis_frontier(redis));
  return code;
}

static int work(const eo_front *front, const eo_args *args, const eo_address *address, eo_error *error) {
  eo_job_status status;
  eo_request request;
  eo_args options;
  int code = join(address, &status, error);
  if (code == EO_OK) code = eo__cluster_suits(&status.job, error);
  if (code != EO_OK) return code;
  char words[sizeof status.job.options];
  memcpy(words, status.job.options, sizeof words);
  eo__args_init(&options);
  code = parse_options(words, args->explore.explorer, &options, error);
  if (code == EO_OK) code = check_shape(&status.job, &options, error);
  if (code == EO_OK) code = make_request(front, &status.job, &options, &request, error);
  uint32_t processes = args->explore.jobs ? (uint32_t)args->explore.jobs : 1;
  if (code == EO_OK && !args->quiet && status.standing.ended)
    fprintf(stderr, "%s: the job %s has ended\n", front->name, address->name);
  else if (code == EO_OK && !args->quiet)
    fprintf(stderr, "%s: %u process%s at work on %s, test %s\n", front->name, processes, processes == 1 ? "" : "es",
            address->name, status.job.test);
  if (code == EO_OK) code = eo__cluster_work(&request, address, &status.job, processes, error);
  eo__args_release(&options);
  return code;
}

int eo__cmd_worker(const eo_front *front, const eo_args *args) {
  eo_error error = {0};
  eo_address address;
  int code = eo__address_parse(&address, args->join, &error);
  if (code == EO_OK && !*address.name)
    code = eo__error_set(&error, EO_EINPUT, "the address names no job: redis://HOST:PORT/NAME");
  eo__catch_signals();
  if (code == EO_OK) code = work(front, args, &address, &error);
  return code == EO_OK ? EO_STATUS_CLEAN : eo__fail(front, &error);
}
