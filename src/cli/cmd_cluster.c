/* cmd_cluster.c: looks after a job in Redis: status, pause, resume, cancel, drop. */
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "cli/cli.h"
#include "frontier/redis.h"
#include "report/shown.h"

#define PATIENCE 3.0 /* seconds; somebody waits for the answer */

static const char *state_of(const eo_job_status *status) {
  if (*status->error) return "failed";
  if (status->standing.ended) return *status->standing.stopped ? "stopped" : "finished";
  if (*status->standing.stopped) return "stopping";
  return status->paused ? "paused" : "running";
}

static void print_time(double seconds) {
  uint64_t s = seconds > 0 ? (uint64_t)seconds : 0;
  printf("%u:%02u:%02u", (unsigned)(s / 3600), (unsigned)(s / 60 % 60), (unsigned)(s % 60));
}

/* Whoever can write to Redis can write what would take over a terminal. */
__attribute__((format(printf, 1, 0))) static void show(const char *format, const char *text) {
  eo_text shown;
  eo__text_init(&shown);
  eo__shown_add(&shown, text);
  printf(format, shown.chars);
  eo__text_release(&shown);
}

static void print_status(const eo_job_status *status, const char *name) {
  const eo_standing *standing = &status->standing;
  char digits[6][32];
  double rate = status->elapsed > 0 ? (double)standing->total.executions / status->elapsed : 0;
  show("job         %s: ", name);
  show(*standing->stopped ? "%s, " : "%s", state_of(status));
  show("%s\n", standing->stopped);
  if (*status->error) show("error       worker %s\n", status->error);
  show("program     %s, ", status->job.program);
  show("build %s, ", status->job.build);
  show("Everyorder %s\n", status->job.version);
  show("test        %s ", status->job.test);
  show("%s\n", status->job.options);
  printf("executions  %s, %s/s, %s failed, %s pruned\n", eo__text_thousands(digits[0], standing->total.executions),
         eo__text_thousands(digits[1], (uint64_t)rate), eo__text_thousands(digits[2], standing->total.failures),
         eo__text_thousands(digits[3], standing->total.pruned));
  printf("findings    %s\n", eo__text_thousands(digits[0], standing->findings));
  printf("fragments   %s, %s of them claimed\n", eo__text_thousands(digits[0], standing->fragments),
         eo__text_thousands(digits[1], standing->claimed));
  printf("workers     %u\n", standing->workers);
  printf("claims      %s ran out, %s results came too late\n", eo__text_thousands(digits[0], standing->lost),
         eo__text_thousands(digits[1], standing->late));
  printf("time        ");
  print_time(status->elapsed);
  printf("\n");
}

/* All jobs, one line each; one that cannot be read is named all the same. */
static int print_list(eo_redis *redis, eo_address *address, eo_error *error) {
  eo_strings names = {0};
  int code = eo__redis_list(redis, &names, error);
  for (size_t i = 0; i < names.count; i++) {
    eo_job_status status;
    eo_error local;
    char digits[32];
    snprintf(address->name, sizeof address->name, "%s", names.items[i]);
    eo_redis *one = code == EO_OK ? eo__redis_open(address, NULL, PATIENCE, error) : NULL;
    if (!one) code = EO_ESYSTEM;
    if (one && eo__redis_status(one, &status, &local) == EO_OK) {
      show("%s: ", names.items[i]);
      printf("%s, %s executions of ", state_of(&status), eo__text_thousands(digits, status.standing.total.executions));
      show("%s\n", status.job.test);
    } else if (one) {
      show("%s: ", names.items[i]);
      show("%s\n", local.text);
    }
    if (one) eo__redis_frontier(one)->ops->close(eo__redis_frontier(one));
    eo__free(names.items[i]);
  }
  if (code == EO_OK && names.count == 0) printf("no jobs\n");
  eo_vec_release(&names);
  return code;
}

static int print_job(eo_redis *redis, eo_address *address, eo_error *error) {
  if (!*address->name) return print_list(redis, address, error);
  eo_job_status status;
  int code = eo__redis_status(redis, &status, error);
  if (code == EO_OK) print_status(&status, address->name);
  return code;
}

static int act(eo_redis *redis, eo_address *address, const char *action, eo_error *error) {
  eo_frontier *frontier = eo__redis_frontier(redis);
  int code;
  if (strcmp(action, "status") == 0) return print_job(redis, address, error);
  if (strcmp(action, "cancel") == 0)
    code = frontier->ops->stop(frontier, "cancelled", error);
  else
    code = eo__redis_command(redis, action, error);
  return code;
}

int eo__cmd_cluster(const eo_front *front, const eo_args *args) {
  static const char *const actions[] = {"status", "pause", "resume", "cancel", "drop"};
  enum { ACTIONS = sizeof actions / sizeof *actions };
  eo_error error = {0};
  eo_address address;
  size_t action = 0;
  while (action < ACTIONS && strcmp(actions[action], args->action) != 0) action++;
  if (action == ACTIONS) {
    eo__error_set(&error, EO_EINPUT, "cluster %.64s: expected status, pause, resume, cancel or drop", args->action);
    eo__error_suggest(&error, args->action, actions, ACTIONS);
    return eo__fail(front, &error);
  }
  int code = eo__address_parse(&address, args->operand, &error);
  if (code == EO_OK && !*address.name && action > 0)
    code =
        eo__error_set(&error, EO_EINPUT, "cluster %s: the address names no job: redis://HOST:PORT/NAME", args->action);
  eo_redis *redis = code == EO_OK ? eo__redis_open(&address, NULL, PATIENCE, &error) : NULL;
  if (!redis) return eo__fail(front, &error);
  code = act(redis, &address, args->action, &error);
  eo__redis_frontier(redis)->ops->close(eo__redis_frontier(redis));
  return code == EO_OK ? EO_STATUS_CLEAN : eo__fail(front, &error);
}
