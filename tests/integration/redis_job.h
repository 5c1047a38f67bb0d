/* redis_job.h: what the tests of the frontier in Redis share: a Redis of their own, jobs in it, and workers' requests. */
#ifndef TESTS_REDIS_JOB_H
#define TESTS_REDIS_JOB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <everyorder.h>
#include <hiredis/hiredis.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "frontier/redis.h"
#include "redis_server.h"

static redis_server server;
static redisContext *beside; /* to look at what Redis holds, and to move its clock's consequences */

/* ---- Helpers -------------------------------------------------------------------------------------------------- */

static inline eo_address address_of(const char *name) {
  eo_address address;
  eo_error error = {0};
  char text[128];
  snprintf(text, sizeof text, "redis://127.0.0.1:%u/%s?timeout=2s", server.port, name);
  if (eo__address_parse(&address, text, &error) != EO_OK) fail_msg("%s", error.text);
  return address;
}

static inline eo_redis *open_redis(const char *name) {
  eo_error error = {0};
  eo_address address = address_of(name);
  eo_redis *redis = eo__redis_open(&address, NULL, 10, &error);
  if (!redis) fail_msg("%s", error.text);
  return redis;
}

static inline eo_job a_job(void) {
  eo_job job = {.program = "./program", .test = "test", .build = "0123", .version = EO_VERSION, .options = "--depth 9"};
  job.limits = (eo_job_limits){.workers = 2, .budget = 10, .grace = 5};
  return job;
}

static inline eo_redis *submit(const char *name, eo_job job) {
  eo_redis *redis = open_redis(name);
  eo_error error = {0};
  bool submitted;
  if (eo__redis_submit(redis, &job, &submitted, &error) != EO_OK) fail_msg("%s", error.text);
  assert_true(submitted);
  return redis;
}

static inline void close_redis(eo_redis *redis) {
  eo_frontier *frontier = eo__redis_frontier(redis);
  frontier->ops->close(frontier);
}

static inline eo_taken take(eo_redis *redis, const char *worker, eo_claim *claim) {
  eo_frontier *frontier = eo__redis_frontier(redis);
  eo_error error = {0};
  eo_taken taken;
  eo_vec_release(&claim->bytes);
  memset(claim, 0, sizeof *claim);
  if (frontier->ops->take(frontier, worker, 0, claim, &taken, &error) != EO_OK) fail_msg("%s", error.text);
  return taken;
}

static inline void must_take(eo_redis *redis, const char *worker, eo_claim *claim) {
  assert_int_equal(take(redis, worker, claim), EO_TAKEN);
}

static inline eo_standing look(eo_redis *redis) {
  eo_frontier *frontier = eo__redis_frontier(redis);
  eo_error error = {0};
  eo_standing standing;
  if (frontier->ops->look(frontier, 0, &standing, &error) != EO_OK) fail_msg("%s", error.text);
  return standing;
}

/* Hands back so many executions and these pieces, each a string. */
static inline bool give_back(eo_redis *redis, const char *worker, const eo_claim *claim, uint64_t executions,
                             const char *const *pieces, const char *finding) {
  eo_frontier *frontier = eo__redis_frontier(redis);
  eo_error error = {0};
  eo_slice slice = {.tally = {.executions = executions, .transitions = 10 * executions, .max_depth = 7}};
  bool accepted;
  slice.tally.failures = finding != NULL;
  snprintf(slice.tally.covered, sizeof slice.tally.covered, "every execution");
  for (; pieces && *pieces; pieces++) {
    eo_bytes bytes = {0};
    for (const char *c = *pieces; *c; c++) assert_true(eo_vec_push(&bytes, (unsigned char)*c));
    assert_true(eo_vec_push(&slice.rest, bytes));
  }
  if (finding) assert_true(eo_vec_push(&slice.findings, eo__strdup(finding)));
  if (frontier->ops->done(frontier, worker, 0, claim, &slice, &accepted, &error) != EO_OK) fail_msg("%s", error.text);
  for (size_t i = 0; i < slice.rest.count; i++) eo_vec_release(&slice.rest.items[i]);
  eo_vec_release(&slice.rest);
  for (size_t i = 0; i < slice.findings.count; i++) eo__free(slice.findings.items[i]);
  eo_vec_release(&slice.findings);
  return accepted;
}

static inline void drop(eo_redis *redis) {
  eo_error error = {0};
  if (eo__redis_command(redis, "drop", &error) != EO_OK) fail_msg("%s", error.text);
  close_redis(redis);
}

/* Asks Redis directly; the number it answers. */
static inline long long direct(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  redisReply *reply = redisvCommand(beside, format, arguments);
  va_end(arguments);
  if (!reply || reply->type == REDIS_REPLY_ERROR) fail_msg("%s: %s", format, reply ? reply->str : beside->errstr);
  long long number = reply->type == REDIS_REPLY_INTEGER ? reply->integer : (long long)reply->elements;
  freeReplyObject(reply);
  return number;
}

/* The whole name of one of a job's keys: it carries the job's id. */
static inline const char *key_of(const char *name, const char *key) {
  static char names[4][160];
  static unsigned next;
  char *out = names[next++ % 4];
  redisReply *reply = redisCommand(beside, "HGET everyorder:epochs %s", name);
  if (!reply || reply->type != REDIS_REPLY_STRING) fail_msg("there is no job %s", name);
  snprintf(out, sizeof names[0], "everyorder:%s:%s:%s", name, reply->str, key);
  freeReplyObject(reply);
  return out;
}

/* As if the time of this claim were up. */
static inline void let_expire(const char *name, const eo_claim *claim) {
  assert_int_equal(direct("ZADD %s CH 1 %016llx", key_of(name, "deadlines"), (unsigned long long)claim->token), 1);
}

static inline char *a_finding(const char *message, uint64_t execution) {
  eo_finding finding;
  eo__finding_init(&finding);
  finding.failure.kind = EO_KIND_ASSERTION;
  snprintf(finding.failure.message, sizeof finding.failure.message, "%s", message);
  finding.execution = execution;
  finding.schedule = eo__strdup("P1");
  char *json = eo__finding_to_json(&finding);
  eo__finding_release(&finding);
  return json;
}

static const char *const two[] = {"left", "right", NULL};

static const char *const all_keys[] = {"fragments", "idle",    "busy",    "claims", "deadlines", "held",  "holding",
                                       "tries",     "waiting", "workers", "last",   "ran",       "found", "findings"};
enum { ALL_KEYS = sizeof all_keys / sizeof *all_keys };

static inline int start_server(void **state) {
  (void)state;
  unsetenv("REDISCLI_AUTH");
  redis_server_init(&server);
  redis_server_start(&server, NULL, NULL);
  beside = redisConnect("127.0.0.1", server.port);
  return beside && !beside->err ? 0 : -1;
}

static inline int finish_server(void **state) {
  (void)state;
  redisFree(beside);
  redis_server_release(&server);
  return 0;
}

#endif
