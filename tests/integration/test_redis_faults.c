/* test_redis_faults.c: Redis fails at any command of any request, a user loses any right, any key of a job is lost or
 * becomes something else: the counts at the end are those of an undisturbed job, or every later request is an error. Never
 * is there another result.
 *
 * A small job is worked on by two workers, always in the same way, request by request. It is run again and again, each time
 * with one fault at one of its requests.
 * builds: release asan
 *
 * takes: 6 */
#include "redis_job.h"

#include <inttypes.h>

#include "frontier/redis_link.h"
#include "sanitized.h"

enum { EXECUTIONS = 9, MOST_CALLS = 400, EACH = SANITIZED ? 3 : 1 /* request */ };
static const char name[] = "faults";

/* ---- What is done to the job ------------------------------------------------------------------------------------ */

typedef enum fault_kind {
  NOTHING,
  AT_CALL,   /* the k-th command of the script fails */
  NO_RIGHT,  /* the user may not run the k-th command of the list */
  LOST_KEY,  /* the k-th key is deleted */
  OTHER_TYPE /* the k-th key becomes a text */
} fault_kind;

typedef enum ending { TO_THE_END, STOPPED, FAILED } ending;

typedef struct runner {
  eo_redis *redis;
  fault_kind kind;
  uint32_t at; /* the number of the request with the fault, from 1 */
  uint32_t k;
  uint32_t requests;
  bool hit;     /* the fault has made its request fail, or has taken a key away */
  bool damaged; /* Redis says that the job is: nothing more is done */
  eo_claim claims[2];
  eo_taken taken[2];
  uint32_t worker; /* of this request */
  eo_job_status status;
  uint64_t found;
} runner;

static const char *const workers[] = {"one", "two"};

/* Of the rights that doc/cluster.md asks for, each command that the script uses. */
static const char *const commands[] = {
    "exists",          "hdel",   "hexists", "hget",  "hgetall", "hkeys",         "hlen",  "hset",   "hstrlen",
    "lindex",          "llen",   "lpop",    "lpush", "lrange",  "lrem",          "rpush", "unlink", "zadd",
    "zcard",           "zcount", "zrange",  "zrem",  "zscore",  "zrangebyscore", "time",  "info",   "zremrangebyscore",
    "zrevrangebyscore"};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* ---- Requests ----------------------------------------------------------------------------------------------------- */

typedef int operation(runner *r, eo_error *error);

static int do_submit(runner *r, eo_error *error) {
  eo_job job = a_job();
  bool submitted = false;
  int code = eo__redis_submit(r->redis, &job, &submitted, error);
  if (code == EO_OK) assert_true(submitted);
  return code;
}

static int do_take(runner *r, eo_error *error) {
  eo_frontier *frontier = eo__redis_frontier(r->redis);
  eo_claim *claim = &r->claims[r->worker];
  eo_vec_release(&claim->bytes);
  *claim = (eo_claim){0};
  return frontier->ops->take(frontier, workers[r->worker], 0, claim, &r->taken[r->worker], error);
}

static void add_piece(eo_slice *slice, uint64_t executions) {
  char text[24];
  eo_bytes bytes = {0};
  if (executions == 0) return;
  snprintf(text, sizeof text, "%" PRIu64, executions);
  for (char *c = text; *c; c++) assert_true(eo_vec_push(&bytes, (unsigned char)*c));
  assert_true(eo_vec_push(&slice->rest, bytes));
}

/* A fragment is how many executions are in it. Two of them are run, and the rest is cut in two; of an odd one the first
 * fails. */
static int do_done(runner *r, eo_error *error) {
  const eo_claim *claim = &r->claims[r->worker];
  eo_frontier *frontier = eo__redis_frontier(r->redis);
  char text[8] = "";
  bool accepted;
  if (claim->bytes.count) memcpy(text, claim->bytes.items, claim->bytes.count);
  uint64_t there = *text ? strtoull(text, NULL, 10) : EXECUTIONS, run = there < 2 ? there : 2, rest = there - run;
  eo_slice slice = {.tally = {.executions = run, .transitions = 10 * run, .max_depth = (uint32_t)there}};
  slice.tally.estimate = (eo_estimate){1, 2, 0.5, 0.25};
  snprintf(slice.tally.covered, sizeof slice.tally.covered, "every execution");
  add_piece(&slice, rest / 2);
  add_piece(&slice, rest - rest / 2);
  if (there % 2) {
    slice.tally.failures = 1;
    assert_true(eo_vec_push(&slice.findings, a_finding("odd", 1)));
  }
  int code = frontier->ops->done(frontier, workers[r->worker], 0, claim, &slice, &accepted, error);
  for (size_t i = 0; i < slice.rest.count; i++) eo_vec_release(&slice.rest.items[i]);
  eo_vec_release(&slice.rest);
  for (size_t i = 0; i < slice.findings.count; i++) eo__free(slice.findings.items[i]);
  eo_vec_release(&slice.findings);
  return code;
}

static int do_look(runner *r, eo_error *error) { return eo__redis_status(r->redis, &r->status, error); }

static int do_findings(runner *r, eo_error *error) {
  eo_strings findings = {0};
  int code = eo__redis_findings(r->redis, 0, &findings, NULL, error);
  r->found = findings.count;
  for (size_t i = 0; i < findings.count; i++) eo__free(findings.items[i]);
  eo_vec_release(&findings);
  return code;
}

static int do_crew(runner *r, eo_error *error) {
  eo_run_worker crew[4];
  uint32_t count;
  return eo__redis_crew(r->redis, crew, 4, &count, error);
}

static int do_pause(runner *r, eo_error *error) { return eo__redis_command(r->redis, "pause", error); }
static int do_resume(runner *r, eo_error *error) { return eo__redis_command(r->redis, "resume", error); }
static int do_drop(runner *r, eo_error *error) { return eo__redis_command(r->redis, "drop", error); }
static int do_fail(runner *r, eo_error *error) { return eo__redis_fail(r->redis, "one", "no legs", error); }
static int do_stop(runner *r, eo_error *error) {
  eo_frontier *frontier = eo__redis_frontier(r->redis);
  return frontier->ops->stop(frontier, "cancelled", error);
}

/* ---- Faults ------------------------------------------------------------------------------------------------------- */

/* The script, with its k-th command an error. */
static char *faulty_script(uint32_t k) {
  static const char line[] = "local call = redis.call\n";
  eo_text text, script;
  eo__text_init(&text);
  eo__text_init(&script);
  eo__redis_script(&script);
  const char *place = strstr(script.chars, line);
  assert_non_null(place);
  eo__text_append(&text, script.chars, (size_t)(place - script.chars));
  eo__text_add(&text,
               "local calls = 0\n"
               "local function call(...)\n"
               "  calls = calls + 1\n"
               "  if calls == %u then error({err = 'ERR put in by the test'}) end\n"
               "  return redis.call(...)\n"
               "end\n%s",
               k, place + strlen(line));
  eo__text_release(&script);
  assert_false(text.failed);
  return text.chars;
}

static void delete_key(runner *r, bool other_type) {
  char key[160];
  if (r->k == ALL_KEYS)
    snprintf(key, sizeof key, "everyorder:%s:job", name);
  else if (r->k == ALL_KEYS + 1)
    snprintf(key, sizeof key, "everyorder:epochs");
  else
    snprintf(key, sizeof key, "%s", key_of(name, all_keys[r->k]));
  bool there = direct("DEL %s", key) == 1;
  if (other_type) redisAppendCommand(beside, "SET %s nonsense", key);
  redisReply *reply = NULL;
  if (other_type) redisGetReply(beside, (void **)&reply);
  if (reply) freeReplyObject(reply);
  r->hit = there || other_type;
}

static bool is_damage(const eo_error *error) {
  return strstr(error->text, "is damaged") || strstr(error->text, "WRONGTYPE");
}

static int attempt_with_fault(runner *r, operation *perform, eo_error *error) {
  if (r->kind == AT_CALL) {
    char *script = faulty_script(r->k);
    eo__redis_use_script(r->redis, script);
    int code = perform(r, error);
    eo__redis_use_script(r->redis, NULL);
    eo__free(script);
    if (code != EO_OK && !strstr(error->text, "put in by the test")) fail_msg("%s", error->text);
    return code;
  }
  direct("ACL SETUSER worker -%s", commands[r->k]);
  int code = perform(r, error);
  direct("ACL SETUSER worker +%s", commands[r->k]);
  return code;
}

/* One request of the job. False: the job is damaged, and says so. */
static bool request(runner *r, operation *perform) {
  eo_error error = {0};
  if (r->damaged) return false;
  bool faulty = ++r->requests == r->at;
  bool loses = r->kind == LOST_KEY || r->kind == OTHER_TYPE;
  if (faulty && loses && perform != do_submit) delete_key(r, r->kind == OTHER_TYPE);
  if (faulty && !loses && attempt_with_fault(r, perform, &error) != EO_OK) {
    r->hit = true;
    error = (eo_error){0};
  }
  if (faulty && !loses && !r->hit) return true;
  if (perform(r, &error) == EO_OK) {
    /* A key that is not as it was: an error, at once. */
    if (faulty && loses && r->hit && perform != do_drop) fail_msg("request %u goes on without a key", r->requests);
    return true;
  }
  if (!is_damage(&error)) fail_msg("request %u: %s", r->requests, error.text);
  r->damaged = true;
  return false;
}

static void request_of(runner *r, operation *perform, uint32_t worker) {
  r->worker = worker;
  request(r, perform);
}

/* ---- The job ------------------------------------------------------------------------------------------------------ */

static void hand_back(runner *r) {
  for (uint32_t worker = 0; worker < 2; worker++)
    if (r->taken[worker] == EO_TAKEN && !r->damaged) request_of(r, do_done, worker);
}

static void work(runner *r, ending end) {
  request(r, do_submit);
  request_of(r, do_take, 0);
  request_of(r, do_done, 0);
  request(r, do_pause);
  request(r, do_resume);
  request_of(r, do_take, 0);
  /* Its time is up; it is given to the other one; and then it is the first to hand it back after all. */
  if (!r->damaged) let_expire(name, &r->claims[0]);
  request_of(r, do_take, 1);
  request(r, do_crew);
  request_of(r, do_done, 0);
  r->taken[0] = EO_TAKE_WAIT;
  request_of(r, do_done, 1); /* too late */
  r->taken[1] = EO_TAKE_WAIT;
  request(r, do_findings);
  if (end != TO_THE_END) request(r, end == STOPPED ? do_stop : do_fail);
  for (int i = 0; i < 20 && !r->damaged && !(r->taken[0] == EO_TAKE_END && r->taken[1] == EO_TAKE_END); i++) {
    request_of(r, do_take, 0);
    request_of(r, do_take, 1);
    hand_back(r);
  }
  request(r, do_findings);
  request(r, do_look);
}

static void check_damaged(runner *r) {
  operation *const all[] = {do_look, do_take, do_done, do_findings, do_crew, do_pause, do_resume, do_stop, do_fail};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    eo_error error = {0};
    assert_int_not_equal(all[i](r, &error), EO_OK);
    if (!is_damage(&error)) fail_msg("%zu: %s", i, error.text);
  }
  r->redis = (close_redis(r->redis), open_redis(name)); /* and whoever comes new */
  eo_error error = {0};
  assert_int_not_equal(do_look(r, &error), EO_OK);
}

static void check_result(const runner *r, ending end) {
  const eo_standing *s = &r->status.standing;
  assert_true(s->ended);
  assert_int_equal(s->fragments, s->issued - s->finished);
  assert_int_equal(s->findings, 1);
  assert_int_equal(r->found, 1);
  if (end == TO_THE_END) {
    assert_string_equal(s->stopped, "");
    assert_int_equal(s->fragments, 0);
    assert_int_equal(s->total.executions, EXECUTIONS);
    assert_int_equal(s->total.transitions, 10 * EXECUTIONS);
    assert_int_equal(s->total.max_depth, EXECUTIONS);
    assert_int_equal(s->issued, 6); /* 9, which leaves 3 and 4, which leave 1 and twice 1 */
    assert_int_equal(s->total.failures, 5);
    assert_int_equal(s->total.estimate.probes, s->finished);
    assert_string_equal(s->total.covered, "every execution");
  } else {
    assert_int_equal(s->total.executions, 4);
    assert_string_equal(s->stopped, end == STOPPED ? "cancelled" : "a worker failed");
    assert_string_equal(r->status.error, end == FAILED ? "one: no legs" : "");
    assert_int_equal(s->claimed, 0);
  }
}

/* Runs the job with this fault; false: the fault was not met. */
static bool run(fault_kind kind, uint32_t at, uint32_t k, ending end, bool *damaged, uint32_t *requests) {
  runner r = {.redis = open_redis(name), .kind = kind, .at = at, .k = k};
  if (kind == NO_RIGHT) {
    close_redis(r.redis);
    eo_address address = address_of(name);
    eo_error error = {0};
    snprintf(address.user, sizeof address.user, "worker");
    snprintf(address.password, sizeof address.password, "word");
    r.redis = eo__redis_open(&address, NULL, 1, &error);
    assert_non_null(r.redis);
  }
  work(&r, end);
  if (r.damaged)
    check_damaged(&r);
  else
    check_result(&r, end);
  *damaged = r.damaged;
  *requests = r.requests;
  if (kind == OTHER_TYPE && k == ALL_KEYS + 1) direct("DEL everyorder:epochs"); /* which is not the job's alone */
  if (r.damaged) r.at = 0;
  r.damaged = false;
  eo_error error = {0};
  bool dropped = r.at == r.requests + 1 ? request(&r, do_drop) : do_drop(&r, &error) == EO_OK;
  if (!dropped && kind == AT_CALL) dropped = do_drop(&r, &error) == EO_OK;
  if (!dropped && !strstr(error.text, "dropped") && !strstr(error.text, "there is no job")) fail_msg("%s", error.text);
  close_redis(r.redis);
  for (int i = 0; i < 2; i++) eo_vec_release(&r.claims[i].bytes);
  if (kind < LOST_KEY) assert_int_equal(direct("KEYS everyorder:*"), 0);
  direct("FLUSHALL");
  return r.hit;
}

/* ---- The campaigns ------------------------------------------------------------------------------------------------ */

static uint32_t requests_of(ending end) {
  bool damaged;
  uint32_t requests;
  assert_false(run(NOTHING, 0, 0, end, &damaged, &requests));
  assert_false(damaged);
  return requests;
}

static void an_error_at_each_command_of_each_request(void **state) {
  (void)state;
  uint32_t faults = 0, harmed = 0;
  for (ending end = TO_THE_END; end <= FAILED; end++) {
    uint32_t requests = requests_of(end);
    for (uint32_t at = end == TO_THE_END ? 1 : 9; at <= requests + 1; at += EACH) {
      uint32_t k = 1, unused;
      bool damaged;
      for (; run(AT_CALL, at, k, end, &damaged, &unused); k++) {
        assert_true(k < MOST_CALLS);
        faults++;
        harmed += damaged;
      }
      assert_true(k > 1);
    }
  }
  printf("%u faults, after %u of them the job says that it is damaged\n", faults, harmed);
  assert_true(harmed > 0 && harmed < faults);
}

/* A right that is missing is found before anything is written: the job is never harmed. */
static void a_right_that_is_missing_at_each_request(void **state) {
  (void)state;
  uint32_t faults = 0, requests = requests_of(TO_THE_END);
  direct(
      "ACL SETUSER worker on >word ~everyorder:* +evalsha +script|load +info +@hash +@list +@set +@sortedset +exists "
      "+unlink +time");
  for (uint32_t at = 1; at <= requests + 1; at += EACH) {
    for (uint32_t k = 0; k < COMMANDS; k++) {
      bool damaged;
      uint32_t unused;
      faults += run(NO_RIGHT, at, k, TO_THE_END, &damaged, &unused);
      if (damaged) fail_msg("without %s at request %u the job is damaged", commands[k], at);
    }
  }
  direct("ACL DELUSER worker");
  printf("%u requests were refused for want of a right\n", faults);
  assert_true(faults > COMMANDS); /* a submission alone needs all of them */
}

static void each_key_is_lost_at_each_request(void **state) {
  (void)state;
  uint32_t requests = requests_of(TO_THE_END);
  for (fault_kind kind = LOST_KEY; kind <= OTHER_TYPE; kind++) {
    for (uint32_t k = 0; k < ALL_KEYS + 2; k++) {
      uint32_t lost = 0;
      for (uint32_t at = 2; at <= requests; at += EACH) {
        bool damaged;
        uint32_t unused;
        bool hit = run(kind, at, k, TO_THE_END, &damaged, &unused);
        if (hit != damaged) fail_msg("key %u, request %u: lost %d, damaged %d", k, at, hit, damaged);
        lost += hit;
      }
      if (lost == 0 && !SANITIZED) fail_msg("key %u was never there", k);
    }
  }
}

/* ---- Settings ----------------------------------------------------------------------------------------------------- */

static void only_a_redis_that_throws_nothing_away(void **state) {
  (void)state;
  eo_redis *redis = submit(name, a_job());
  eo_error error = {0};
  eo_job_status status;
  static const char *const policies[] = {"allkeys-random", "allkeys-lru", "volatile-lru", "volatile-ttl"};
  for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
    direct("CONFIG SET maxmemory-policy %s", policies[i]);
    eo_address address = address_of(name);
    assert_null(eo__redis_open(&address, NULL, 1, &error));
    if (!strstr(error.text, policies[i]) || !strstr(error.text, "set it to noeviction")) fail_msg("%s", error.text);
  }
  /* Who is connected already notices within seconds. */
  int code = EO_OK;
  for (int i = 0; i < 100 && code == EO_OK; i++) {
    usleep(100000);
    code = eo__redis_status(redis, &status, &error);
  }
  assert_int_equal(code, EO_EINPUT);
  assert_non_null(strstr(error.text, "set it to noeviction"));
  direct("CONFIG SET maxmemory-policy noeviction");
  drop(redis);
}

/* Who may write to Redis may write a record that no job has. */
static void a_record_that_is_none(void **state) {
  (void)state;
  static const char *const bad[][2] = {{"executions", "-1"},      {"executions", "99999999999999999999999"},
                                       {"coverage", "7"},         {"doubts", "4096"},
                                       {"workers", "1e9"},        {"budget", "nan"},
                                       {"grace", "-3"},           {"at_failure", "maybe"},
                                       {"submitted", "yesterday"}};
  eo_error error = {0};
  eo_job_status status;
  eo_redis *redis = submit(name, a_job());
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    redisReply *was = redisCommand(beside, "HGET everyorder:%s:job %s", name, bad[i][0]);
    direct("HSET everyorder:%s:job %s %s", name, bad[i][0], bad[i][1]);
    if (eo__redis_status(redis, &status, &error) == EO_OK) fail_msg("%s %s is taken", bad[i][0], bad[i][1]);
    if (was->type == REDIS_REPLY_STRING)
      direct("HSET everyorder:%s:job %s %s", name, bad[i][0], was->str);
    else
      direct("HDEL everyorder:%s:job %s", name, bad[i][0]);
    freeReplyObject(was);
  }
  static const char *const needed[] = {"id",       "executions", "pruned",   "transitions", "skipped",
                                       "failures", "doubts",     "coverage", "issued",      "max_depth",
                                       "done",     "begun",      "format"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    redisReply *was = redisCommand(beside, "HGET everyorder:%s:job %s", name, needed[i]);
    assert_int_equal(was->type, REDIS_REPLY_STRING);
    assert_int_equal(direct("HDEL everyorder:%s:job %s", name, needed[i]), 1);
    if (eo__redis_status(redis, &status, &error) == EO_OK) fail_msg("it goes on without %s", needed[i]);
    direct("HSET everyorder:%s:job %s %s", name, needed[i], was->str);
    freeReplyObject(was);
  }
  assert_int_equal(eo__redis_status(redis, &status, &error), EO_OK);
  char *large = eo__alloc(1 << 20);
  memset(large, 'x', (1 << 20) - 1);
  direct("HSET everyorder:%s:job options %s", name, large);
  assert_int_equal(eo__redis_status(redis, &status, &error), EO_ESYSTEM);
  eo__free(large);
  drop(redis);
}

static int start_quickly(void **state) {
  (void)state;
  unsetenv("REDISCLI_AUTH");
  redis_server_init(&server);
  redis_server_start(&server, "--appendonly", "no");
  beside = redisConnect("127.0.0.1", server.port);
  return beside && !beside->err ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_error_at_each_command_of_each_request),
      cmocka_unit_test(a_right_that_is_missing_at_each_request),
      cmocka_unit_test(each_key_is_lost_at_each_request),
      cmocka_unit_test(only_a_redis_that_throws_nothing_away),
      cmocka_unit_test(a_record_that_is_none),
  };
  return cmocka_run_group_tests(tests, start_quickly, finish_server);
}
