/* redis.h: a frontier that lives in Redis, and the job round it. Each operation is one call of one script
 * (job.lua), so that whoever dies, whenever, leaves a whole state behind. A request whose reply got lost is
 * repeated, and means the same the second time: claims have tokens that the client makes up. */
#ifndef EO_FRONTIER_REDIS_H
#define EO_FRONTIER_REDIS_H

#include "core/frontier.h"
#include "core/report.h"
#include "frontier/address.h"

/* What is explored. Two jobs are the same one if all but `id` and `program` are. */
typedef struct eo_job {
  char id[33];        /* made up by who submits it: a job that is dropped and submitted again is another one */
  char program[4096]; /* where it is on the submitter's machine */
  char test[256];
  char build[65];     /* eo__program_build of the program */
  char version[32];   /* EO_VERSION */
  char options[1024]; /* that shape the exploration, as words of a command line */
  char shape[1024];   /* what the exploration depends on, with what was not given */
  eo_job_limits limits;
  double seconds; /* to be stopped after so many, from when it was submitted; 0: no limit */
} eo_job;

typedef struct eo_job_status {
  eo_job job;
  eo_standing standing;
  bool paused;
  char error[512]; /* the first worker that could not go on, and why; "": none */
  double age;      /* seconds since it was submitted */
  double elapsed;  /* the same, but no longer once it has ended */
} eo_job_status;

typedef struct eo_redis eo_redis;

/* Connects to where `address` says; NULL: an error. `stop` (may be NULL), when set, ends all trying again. `patience`:
 * how long to go on trying when Redis does not answer, in seconds; for later, it can be changed. */
eo_redis *eo__redis_open(const eo_address *address, const volatile int *stop, double patience, eo_error *error);
void eo__redis_be_patient(eo_redis *redis, double patience);
eo_frontier *eo__redis_frontier(eo_redis *redis); /* the same thing; ops->close closes it */
bool eo__redis_durable(eo_redis *redis);          /* Redis keeps an append-only file, or will not say */

/* Submits the job under the name of the address, and joins it. *submitted false: the name is in use; *job is then the
 * job that is there, which has not been joined. */
int eo__redis_submit(eo_redis *redis, eo_job *job, bool *submitted, eo_error *error);

/* From now on all operations are on this very job: when it is dropped, `take` says the end, and others fail. An error: it
 * is not there, not whole, or this user lacks a right that working on it takes. */
int eo__redis_join(eo_redis *redis, const eo_job *job, eo_error *error);

/* A worker of the job cannot go on: the job ends, and is an error for who watches it. */
int eo__redis_fail(eo_redis *redis, const char *worker, const char *why, eo_error *error);

/* Was the last request to Redis an error? */
bool eo__redis_failed(const eo_redis *redis);

/* For tests: the script with faults put into it; borrowed. NULL: the script as it is. */
void eo__redis_use_script(eo_redis *redis, const char *script);

/* EO_EINPUT: there is no job of that name, or it is not the one that was joined. */
int eo__redis_status(eo_redis *redis, eo_job_status *status, eo_error *error);

/* One of "pause", "resume", "drop". */
int eo__redis_command(eo_redis *redis, const char *command, eo_error *error);

/* Those who asked for work in the last minute, at most `most`, by name; `rate` is not filled in. */
int eo__redis_crew(eo_redis *redis, eo_run_worker *workers, uint32_t most, uint32_t *count, eo_error *error);

/* Adds the findings from number `from` (from 0) on, some at a time, as the JSON of eo__finding_to_json, each with the
 * number of its execution in *executions if that is not NULL. */
typedef EO_VEC(uint64_t) eo_numbers;
int eo__redis_findings(eo_redis *redis, uint64_t from, eo_strings *findings, eo_numbers *executions, eo_error *error);

/* The names of all jobs, sorted. */
int eo__redis_list(eo_redis *redis, eo_strings *names, eo_error *error);

#endif
