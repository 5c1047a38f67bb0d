/* test_redis.c: the frontier in Redis, operation by operation, against a Redis of its own: claims and their deadlines,
 * results that come late, twice or never, and what becomes of all that when Redis is killed.
 * builds: release asan */
#include "redis_job.h"

#include "../unit/policy_cases.h"
#include "frontier/policy.h"
#include "frontier/redis_link.h"

/* ---- Claims --------------------------------------------------------------------------------------------------- */

static void from_the_first_fragment_to_the_end(void **state) {
  (void)state;
  eo_redis *redis = submit("simple", a_job());
  eo_claim claim = {0}, other = {0};
  must_take(redis, "one", &claim);
  assert_int_equal(claim.fragment, 1);
  assert_int_equal(claim.bytes.count, 0); /* everything */
  assert_int_equal(claim.executions, UINT64_MAX);
  assert_int_equal(claim.pieces, 2);          /* one more: a part of what is missing to twice the workers */
  assert_float_equal(claim.budget, 5, 0.001); /* the first of two gets half */
  assert_true(give_back(redis, "one", &claim, 3, two, NULL));
  eo_standing standing = look(redis);
  assert_int_equal(standing.total.executions, 3);
  assert_int_equal(standing.total.transitions, 30);
  assert_int_equal(standing.fragments, 2);
  assert_int_equal(standing.claimed, 0);
  must_take(redis, "one", &claim);
  must_take(redis, "two", &other);
  assert_int_equal(claim.bytes.count, 4);
  assert_memory_equal(claim.bytes.items, "left", 4);
  assert_memory_equal(other.bytes.items, "right", 5);
  assert_float_equal(other.budget, 10, 0.001);
  standing = look(redis);
  assert_int_equal(standing.claimed, 2);
  assert_int_equal(standing.workers, 2);
  assert_false(standing.ended);
  assert_true(give_back(redis, "one", &claim, 1, NULL, NULL));
  assert_true(give_back(redis, "two", &other, 1, NULL, NULL));
  standing = look(redis);
  assert_true(standing.ended);
  assert_string_equal(standing.stopped, "");
  assert_int_equal(standing.total.executions, 5);
  assert_int_equal(standing.total.max_depth, 7);
  assert_int_equal(standing.total.coverage, EO_COVERS_ALL);
  assert_string_equal(standing.total.covered, "every execution");
  assert_int_equal(standing.lost, 0);
  assert_int_equal(standing.late, 0);
  assert_int_equal(take(redis, "one", &claim), EO_TAKE_END);
  eo_vec_release(&claim.bytes);
  eo_vec_release(&other.bytes);
  drop(redis);
  assert_int_equal(direct("KEYS everyorder:simple:*"), 0);
}

static void pieces_with_any_bytes_in_them(void **state) {
  (void)state;
  eo_redis *redis = submit("bytes", a_job());
  eo_frontier *frontier = eo__redis_frontier(redis);
  eo_claim claim = {0};
  eo_slice slice = {0};
  eo_bytes all = {0};
  eo_error error = {0};
  bool accepted;
  must_take(redis, "one", &claim);
  for (int i = 0; i < 100000; i++) assert_true(eo_vec_push(&all, (unsigned char)(i * 7)));
  assert_true(eo_vec_push(&slice.rest, all));
  assert_int_equal(frontier->ops->done(frontier, "one", 0, &claim, &slice, &accepted, &error), EO_OK);
  must_take(redis, "one", &claim);
  assert_int_equal(claim.bytes.count, all.count);
  assert_memory_equal(claim.bytes.items, all.items, all.count);
  eo_vec_release(&all);
  eo_vec_release(&slice.rest);
  eo_vec_release(&claim.bytes);
  drop(redis);
}

static void a_claim_that_ran_out_is_given_out_again(void **state) {
  (void)state;
  eo_redis *redis = submit("expiry", a_job());
  eo_claim claim = {0}, again = {0};
  must_take(redis, "slow", &claim);
  let_expire("expiry", &claim);
  must_take(redis, "two", &again);
  assert_int_equal(again.fragment, claim.fragment);
  assert_int_not_equal(again.token, claim.token);
  eo_standing standing = look(redis);
  assert_int_equal(standing.lost, 1);
  assert_int_equal(standing.claimed, 1);
  /* The other one is done first: the slow one changes nothing. */
  assert_true(give_back(redis, "two", &again, 4, two, NULL));
  assert_false(give_back(redis, "slow", &claim, 1000, NULL, NULL));
  standing = look(redis);
  assert_int_equal(standing.total.executions, 4);
  assert_int_equal(standing.fragments, 2);
  assert_int_equal(standing.late, 1);
  eo_vec_release(&claim.bytes);
  eo_vec_release(&again.bytes);
  drop(redis);
}

/* Of a program that is not deterministic, who was first with a fragment may not have met what the late one has. */
static void what_a_late_one_found_is_kept(void **state) {
  (void)state;
  eo_redis *redis = submit("found_late", a_job());
  eo_claim claim = {0}, again = {0};
  char *finding = a_finding("sometimes", 2);
  must_take(redis, "slow", &claim);
  let_expire("found_late", &claim);
  must_take(redis, "two", &again);
  assert_true(give_back(redis, "two", &again, 4, two, NULL));
  assert_false(give_back(redis, "slow", &claim, 1000, NULL, finding));
  eo_standing standing = look(redis);
  assert_int_equal(standing.total.executions, 4);
  assert_int_equal(standing.late, 1);
  assert_int_equal(standing.findings, 1);
  eo__free(finding);
  eo_vec_release(&claim.bytes);
  eo_vec_release(&again.bytes);
  drop(redis);
}

static void a_late_result_counts_if_it_is_the_first(void **state) {
  (void)state;
  eo_redis *redis = submit("late", a_job());
  eo_claim claim = {0}, again = {0};
  must_take(redis, "slow", &claim);
  let_expire("late", &claim);
  assert_int_equal(look(redis).lost, 1); /* nobody has it now */
  assert_true(give_back(redis, "slow", &claim, 1, two, NULL));
  must_take(redis, "slow", &claim);
  let_expire("late", &claim);
  must_take(redis, "two", &again);
  assert_int_equal(again.fragment, claim.fragment);
  assert_true(give_back(redis, "slow", &claim, 1, NULL, NULL));
  assert_false(give_back(redis, "two", &again, 1, NULL, NULL));
  eo_standing standing = look(redis);
  assert_int_equal(standing.total.executions, 2);
  assert_int_equal(standing.fragments, 1); /* and only once among those nobody has */
  assert_int_equal(direct("LLEN %s", key_of("late", "idle")), 1);
  must_take(redis, "two", &again);
  assert_true(give_back(redis, "two", &again, 1, NULL, NULL));
  assert_true(look(redis).ended);
  assert_int_equal(direct("HLEN %s", key_of("late", "claims")), 0);
  assert_int_equal(direct("ZCARD %s", key_of("late", "busy")), 0);
  eo_vec_release(&claim.bytes);
  eo_vec_release(&again.bytes);
  drop(redis);
}

static void who_loses_a_fragment_again_and_again_gets_more_time(void **state) {
  (void)state;
  eo_redis *redis = submit("patience", a_job());
  eo_claim claim = {0};
  double before = 0;
  for (int i = 0; i < 6; i++) {
    must_take(redis, "slow", &claim);
    redisReply *reply =
        redisCommand(beside, "ZSCORE %s %016llx", key_of("patience", "deadlines"), (unsigned long long)claim.token);
    redisReply *now = redisCommand(beside, "TIME");
    double left = strtod(reply->str, NULL) - strtod(now->element[0]->str, NULL) - claim.budget;
    if (i > 0 && i < 5) assert_true(left > 1.5 * before && left < 2.5 * before);
    if (i == 5) assert_true(left < 1.5 * before);
    before = left;
    freeReplyObject(reply);
    freeReplyObject(now);
    let_expire("patience", &claim);
  }
  eo_vec_release(&claim.bytes);
  drop(redis);
}

/* What Redis makes of this expression of policy.lua. */
static double by_the_script(const char *format, ...) {
  eo_text script;
  va_list arguments;
  char expression[256];
  va_start(arguments, format);
  vsnprintf(expression, sizeof expression, format, arguments);
  va_end(arguments);
  eo__text_init(&script);
  eo__text_append(&script, (const char *)eo__redis_files[0].bytes, eo__redis_files[0].size);
  eo__text_add(&script,
               "local value = %s\nif value == true then value = 1 elseif not value then value = 0 end\n"
               "return ('%%.12g'):format(value)\n",
               expression);
  assert_false(script.failed);
  redisReply *reply = redisCommand(beside, "EVAL %s 0", script.chars);
  assert_non_null(reply);
  if (reply->type != REDIS_REPLY_STRING) fail_msg("%s: %s", expression, reply->str);
  double value = strtod(reply->str, NULL);
  freeReplyObject(reply);
  eo__text_release(&script);
  return value;
}

static const char *lua(bool value) { return value ? "true" : "false"; }

/* policy.lua has the rules of policy.c once more. */
static void rules_decide_as_the_table_says(void **state) {
  (void)state;
  for (size_t i = 0; i < POLICY_CASES(policy_budgets); i++)
    assert_float_equal(
        by_the_script("policy.budget(%.17g, %s, %u, %u, %zu)", policy_budgets[i].budget, lua(policy_budgets[i].fixed),
                      policy_budgets[i].workers, policy_budgets[i].active, policy_budgets[i].bytes),
        policy_budgets[i].wanted, 1e-9);
  for (size_t i = 0; i < POLICY_CASES(policy_pieces); i++)
    assert_int_equal(by_the_script("policy.pieces(%u, %llu)", policy_pieces[i].workers,
                                   (unsigned long long)policy_pieces[i].expected),
                     policy_pieces[i].wanted);
  for (size_t i = 0; i < POLICY_CASES(policy_allots); i++)
    assert_int_equal(
        by_the_script("policy.allot(%u, %llu)", policy_allots[i].workers, (unsigned long long)policy_allots[i].left),
        policy_allots[i].wanted);
  for (size_t i = 0; i < POLICY_CASES(policy_doubles); i++)
    assert_int_equal(
        by_the_script("policy.double(%s, %u)", lua(policy_doubles[i].no_doubling), policy_doubles[i].holders),
        policy_doubles[i].wanted);
  for (size_t i = 0; i < POLICY_CASES(policy_less); i++)
    assert_int_equal(by_the_script("policy.says_less(%d, '%s', %d, '%s')", (int)policy_less[i].coverage,
                                   policy_less[i].covered, (int)policy_less[i].least, policy_less[i].words),
                     policy_less[i].wanted);
}

/* A job is dealt with by these rules. */
static void the_same_rules_as_everywhere(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers <= 6; workers++) {
    eo_job job = a_job();
    job.limits.workers = workers;
    job.limits.executions = 1000;
    job.limits.fixed_budget = workers == 4;
    eo_redis *redis = submit("rules", job);
    eo_claim first = {0}, claims[6] = {{0}};
    must_take(redis, "w0", &first);
    assert_int_equal(first.pieces, eo__policy_pieces(&job.limits, 1));
    assert_int_equal(first.executions, eo__policy_allot(&job.limits, 1000));
    const char *pieces[16] = {NULL};
    for (uint32_t i = 0; i < workers; i++) pieces[i] = i % 2 ? "a much longer fragment than the others" : "short";
    assert_true(give_back(redis, "w0", &first, 100, pieces, NULL));
    uint64_t expected = workers, left = 900;
    for (uint32_t i = 0; i < workers; i++) {
      char name[8];
      snprintf(name, sizeof name, "w%u", i);
      must_take(redis, name, &claims[i]);
      assert_int_equal(claims[i].bytes.count, strlen(pieces[i]));
      assert_float_equal(claims[i].budget, eo__policy_budget(&job.limits, i + 1, claims[i].bytes.count), 1e-5);
      assert_int_equal(claims[i].pieces, eo__policy_pieces(&job.limits, expected));
      assert_int_equal(claims[i].executions, eo__policy_allot(&job.limits, left));
      expected += claims[i].pieces - 1;
      left -= claims[i].executions;
      eo_vec_release(&claims[i].bytes);
    }
    eo_vec_release(&first.bytes);
    drop(redis);
  }
}

/* What is covered when all is done is what the weakest fragment covered, in the order of eo__tally_add. */
static void coverage_adds_up_as_everywhere(void **state) {
  (void)state;
  static const eo_tally tallies[] = {
      {.coverage = EO_COVERS_ALL, .covered = "every interleaving"},
      {.coverage = EO_COVERS_BOUND, .covered = "at most 9 preemptions"},
      {.coverage = EO_COVERS_BOUND,
       .covered = "at most 10 preemptions",
       .doubts = EO_DOUBT_DEPTH,
       .cut = 7,
       .endless = "P1 took"},
      {.coverage = EO_COVERS_BOUND, .covered = "at most 2 preemptions", .cut = 2, .endless = "P2 took"},
      {.coverage = EO_COVERS_ALL, .covered = "every interleaving", .max_depth = 3, .doubts = EO_ASSUMED_SHARED}};
  enum { COUNT = sizeof tallies / sizeof *tallies };
  eo_redis *redis = submit("weakest", a_job());
  eo_frontier *frontier = eo__redis_frontier(redis);
  eo_tally total = {0};
  eo_claim claim = {0};
  const char *pieces[COUNT + 1] = {NULL};
  for (int i = 0; i < COUNT; i++) pieces[i] = "piece";
  must_take(redis, "one", &claim);
  assert_true(give_back(redis, "one", &claim, 0, pieces, NULL));
  for (int i = 0; i < COUNT; i++) {
    eo_slice slice = {.tally = tallies[i]};
    eo_error error = {0};
    bool accepted;
    must_take(redis, "one", &claim);
    assert_int_equal(frontier->ops->done(frontier, "one", 0, &claim, &slice, &accepted, &error), EO_OK);
    assert_true(accepted);
    eo__tally_add(&total, &tallies[i], true);
    eo_standing standing = look(redis);
    assert_int_equal(standing.total.coverage, total.coverage);
    assert_string_equal(standing.total.covered, total.covered);
    assert_int_equal(standing.total.doubts, total.doubts);
    assert_int_equal(standing.total.cut, total.cut);
    assert_string_equal(standing.total.endless, total.endless);
  }
  eo_vec_release(&claim.bytes);
  drop(redis);
}

static void who_takes_the_place_of_a_dead_one_goes_on_at_once(void **state) {
  (void)state;
  eo_redis *redis = submit("dead", a_job());
  eo_claim claim = {0}, again = {0};
  must_take(redis, "one", &claim);
  must_take(redis, "one", &again); /* with a claim in its hands nobody asks: it has died in between */
  assert_int_equal(again.fragment, claim.fragment);
  eo_standing standing = look(redis);
  assert_int_equal(standing.lost, 1);
  assert_int_equal(standing.claimed, 1);
  assert_true(give_back(redis, "one", &again, 1, NULL, NULL));
  assert_true(look(redis).ended);
  eo_vec_release(&claim.bytes);
  eo_vec_release(&again.bytes);
  drop(redis);
}

static void who_dies_again_and_again_does_not_take_others_along(void **state) {
  (void)state;
  eo_redis *redis = submit("again", a_job());
  eo_claim claim = {0}, deadly = {0};
  must_take(redis, "one", &claim);
  for (int i = 0; i < 40; i++) must_take(redis, "two", &deadly); /* the same fragment, doubled */
  assert_int_equal(deadly.fragment, claim.fragment);
  assert_int_equal(direct("ZCARD %s", key_of("again", "deadlines")), 2);
  assert_true(direct("HLEN %s", key_of("again", "claims")) < 20); /* it does not pile up */
  assert_true(give_back(redis, "one", &claim, 1, NULL, NULL));
  assert_int_equal(direct("HLEN %s", key_of("again", "claims")), 0);
  assert_int_equal(direct("ZCARD %s", key_of("again", "deadlines")), 0);
  assert_true(look(redis).ended);
  eo_vec_release(&claim.bytes);
  eo_vec_release(&deadly.bytes);
  drop(redis);
}

static void the_last_fragments_are_doubled(void **state) {
  (void)state;
  eo_job job = a_job();
  eo_redis *redis = submit("double", job);
  eo_claim claims[3] = {{0}};
  must_take(redis, "one", &claims[0]);
  assert_true(give_back(redis, "one", &claims[0], 1, two, NULL));
  must_take(redis, "one", &claims[0]);
  must_take(redis, "two", &claims[1]);
  assert_true(give_back(redis, "two", &claims[1], 1, NULL, NULL));
  must_take(redis, "two", &claims[1]);
  assert_int_equal(claims[1].fragment, claims[0].fragment);
  assert_int_equal(look(redis).claimed, 1);
  assert_int_equal(take(redis, "three", &claims[2]), EO_TAKE_WAIT); /* two are enough */
  assert_true(give_back(redis, "two", &claims[1], 5, NULL, NULL));
  assert_true(look(redis).ended);
  assert_false(give_back(redis, "one", &claims[0], 5, NULL, NULL));
  assert_int_equal(look(redis).total.executions, 7);
  for (int i = 0; i < 3; i++) eo_vec_release(&claims[i].bytes);
  drop(redis);

  job.limits.no_doubling = true;
  redis = submit("double", job);
  must_take(redis, "one", &claims[0]);
  assert_true(give_back(redis, "one", &claims[0], 1, two, NULL));
  must_take(redis, "one", &claims[0]);
  must_take(redis, "two", &claims[1]);
  assert_true(give_back(redis, "two", &claims[1], 1, NULL, NULL));
  assert_int_equal(take(redis, "two", &claims[1]), EO_TAKE_WAIT);
  for (int i = 0; i < 3; i++) eo_vec_release(&claims[i].bytes);
  drop(redis);
}

/* ---- Lost replies --------------------------------------------------------------------------------------------- */

static void a_repeated_result_counts_once(void **state) {
  (void)state;
  eo_redis *redis = submit("repeat", a_job());
  eo_claim claim = {0};
  must_take(redis, "one", &claim);
  assert_true(give_back(redis, "one", &claim, 3, two, NULL));
  assert_true(give_back(redis, "one", &claim, 3, two, NULL)); /* accepted again, and not counted again */
  eo_standing standing = look(redis);
  assert_int_equal(standing.total.executions, 3);
  assert_int_equal(standing.fragments, 2);
  assert_int_equal(standing.late, 0);
  eo_vec_release(&claim.bytes);
  drop(redis);
}

static void a_repeated_take_gives_the_same_claim(void **state) {
  (void)state;
  eo_redis *redis = submit("retake", a_job());
  eo_frontier *frontier = eo__redis_frontier(redis);
  eo_error error = {0};
  eo_claim claim = {0};
  eo_taken taken;
  must_take(redis, "one", &claim);
  assert_true(give_back(redis, "one", &claim, 3, two, NULL));
  /* Redis carries out what it is sent while it is stopped only once it goes on: no reply in time. */
  eo_address hasty = address_of("retake");
  hasty.timeout = 0.2;
  eo_redis *other = eo__redis_open(&hasty, NULL, 0.1, &error);
  assert_non_null(other);
  eo_frontier *others = eo__redis_frontier(other);
  eo_claim lost = {0};
  assert_int_equal(look(other).fragments, 2); /* connected, and the script is known */
  kill(server.pid, SIGSTOP);
  assert_int_equal(others->ops->take(others, "two", 0, &lost, &taken, &error), EO_ESYSTEM);
  kill(server.pid, SIGCONT);
  for (int i = 0; i < 100 && look(redis).claimed == 0; i++) usleep(10000);
  assert_int_equal(look(redis).claimed, 1);
  must_take(other, "two", &lost);
  assert_int_equal(look(redis).claimed, 1); /* the same one */
  assert_int_equal(direct("HLEN %s", key_of("retake", "claims")), 1);
  assert_int_equal(frontier->ops->take(frontier, "one", 0, &claim, &taken, &error), EO_OK);
  assert_int_not_equal(claim.fragment, lost.fragment);
  eo_vec_release(&claim.bytes);
  eo_vec_release(&lost.bytes);
  close_redis(other);
  drop(redis);
}

/* ---- Limits --------------------------------------------------------------------------------------------------- */

/* Two workers, until both hear of the end; how many executions they were given. */
static uint64_t run_out(eo_redis *redis, const char *const *pieces) {
  eo_claim claims[2] = {{0}};
  const char *names[] = {"one", "two"};
  uint64_t total = 0;
  eo_taken taken = EO_TAKE_WAIT;
  for (int i = 0; taken != EO_TAKE_END; i++) {
    assert_true(i < 1000);
    eo_taken took[2];
    for (int j = 0; j < 2; j++) took[j] = take(redis, names[j], &claims[j]);
    for (int j = 0; j < 2; j++) {
      if (took[j] != EO_TAKEN) continue;
      uint64_t executions = claims[j].executions;
      if (give_back(redis, names[j], &claims[j], executions, executions ? two : pieces, NULL)) total += executions;
    }
    taken = took[0];
  }
  for (int j = 0; j < 2; j++) eo_vec_release(&claims[j].bytes);
  return total;
}

static void no_more_executions_than_asked_for(void **state) {
  (void)state;
  eo_job job = a_job();
  job.limits.executions = 10;
  eo_redis *redis = submit("limit", job);
  assert_int_equal(run_out(redis, two), 10);
  eo_standing standing = look(redis);
  assert_int_equal(standing.total.executions, 10);
  assert_string_equal(standing.stopped, "after 10 executions");
  assert_true(standing.ended);
  drop(redis);
  /* When the fragments that are left turn out to be empty, that was all. */
  redis = submit("limit", job);
  assert_int_equal(run_out(redis, NULL), 10);
  standing = look(redis);
  assert_string_equal(standing.stopped, "");
  assert_true(standing.ended);
  drop(redis);
}

static void the_first_finding_is_the_end(void **state) {
  (void)state;
  eo_job job = a_job();
  job.limits.at_failure = true;
  eo_redis *redis = submit("first", job);
  eo_claim claim = {0}, other = {0};
  char *finding = a_finding("broken", 2);
  must_take(redis, "one", &claim);
  assert_true(give_back(redis, "one", &claim, 1, two, NULL));
  must_take(redis, "one", &claim);
  must_take(redis, "two", &other);
  assert_true(give_back(redis, "one", &claim, 2, two, finding));
  assert_int_equal(take(redis, "one", &claim), EO_TAKE_END);
  assert_false(look(redis).ended); /* the other has still something to hand back */
  assert_true(give_back(redis, "two", &other, 1, two, NULL));
  eo_standing standing = look(redis);
  assert_true(standing.ended);
  assert_string_equal(standing.stopped, "at the first finding");
  assert_int_equal(standing.total.executions, 4);
  assert_int_equal(standing.total.failures, 1);
  eo__free(finding);
  eo_vec_release(&claim.bytes);
  eo_vec_release(&other.bytes);
  drop(redis);
}

static void a_time_limit_holds_without_anybody_watching(void **state) {
  (void)state;
  eo_job job = a_job();
  job.seconds = 100;
  eo_redis *redis = submit("time", job);
  eo_claim claim = {0};
  must_take(redis, "one", &claim);
  direct("HSET everyorder:time:job submitted 1000");
  eo_standing standing = look(redis);
  assert_string_equal(standing.stopped, "after 100 s");
  assert_false(standing.ended);
  let_expire("time", &claim);
  assert_true(look(redis).ended);
  assert_false(give_back(redis, "one", &claim, 1, NULL, NULL)); /* the final numbers are final */
  assert_int_equal(look(redis).total.executions, 0);
  eo_vec_release(&claim.bytes);
  drop(redis);
}

/* ---- Findings ------------------------------------------------------------------------------------------------- */

static void each_finding_once(void **state) {
  (void)state;
  eo_redis *redis = submit("found", a_job());
  eo_claim claim = {0};
  eo_strings findings = {0};
  eo_numbers executions = {0};
  eo_error error = {0};
  char *finding = a_finding("broken\nin \"two\"", 2), *same = a_finding("broken\nin \"two\"", 1),
       *another = a_finding("bent", 3);
  must_take(redis, "one", &claim);
  assert_true(give_back(redis, "one", &claim, 5, two, finding));
  must_take(redis, "one", &claim);
  assert_true(give_back(redis, "one", &claim, 5, two, same));
  must_take(redis, "one", &claim);
  assert_true(give_back(redis, "one", &claim, 5, two, another));
  assert_int_equal(look(redis).findings, 2);
  assert_int_equal(eo__redis_findings(redis, 0, &findings, &executions, &error), EO_OK);
  assert_int_equal(findings.count, 2);
  assert_string_equal(findings.items[0], finding);
  assert_string_equal(findings.items[1], another);
  assert_int_equal(executions.items[0], 2);
  assert_int_equal(executions.items[1], 13);
  assert_int_equal(eo__redis_findings(redis, 1, &findings, &executions, &error), EO_OK);
  assert_int_equal(findings.count, 3);
  assert_string_equal(findings.items[2], another);
  for (size_t i = 0; i < findings.count; i++) eo__free(findings.items[i]);
  eo_vec_release(&findings);
  eo_vec_release(&executions);
  eo__free(finding);
  eo__free(same);
  eo__free(another);
  eo_vec_release(&claim.bytes);
  drop(redis);
}

/* ---- Jobs ----------------------------------------------------------------------------------------------------- */

static void a_name_is_used_once(void **state) {
  (void)state;
  eo_redis *redis = submit("name", a_job()), *second = open_redis("name");
  eo_job job = a_job();
  eo_error error = {0};
  eo_strings names = {0};
  bool submitted = true;
  snprintf(job.test, sizeof job.test, "another");
  assert_int_equal(eo__redis_submit(second, &job, &submitted, &error), EO_OK);
  assert_false(submitted);
  assert_string_equal(job.test, "test"); /* the job that is there */
  assert_string_equal(job.options, "--depth 9");
  assert_int_equal(job.limits.workers, 2);
  assert_float_equal(job.limits.grace, 5, 0.001);
  assert_int_equal(eo__redis_list(second, &names, &error), EO_OK);
  assert_int_equal(names.count, 1);
  assert_string_equal(names.items[0], "name");
  eo__free(names.items[0]);
  eo_vec_release(&names);
  close_redis(second);
  drop(redis);
  redis = open_redis("name");
  eo_job_status status;
  assert_int_equal(eo__redis_status(redis, &status, &error), EO_EINPUT);
  assert_string_equal(error.text, "there is no job name");
  close_redis(redis);
}

static void paused_resumed_and_cancelled(void **state) {
  (void)state;
  eo_redis *redis = submit("pause", a_job());
  eo_frontier *frontier = eo__redis_frontier(redis);
  eo_claim claim = {0};
  eo_error error = {0};
  eo_job_status status;
  assert_int_equal(eo__redis_command(redis, "pause", &error), EO_OK);
  assert_int_equal(take(redis, "one", &claim), EO_TAKE_WAIT);
  assert_int_equal(eo__redis_status(redis, &status, &error), EO_OK);
  assert_true(status.paused);
  assert_int_equal(eo__redis_command(redis, "resume", &error), EO_OK);
  must_take(redis, "one", &claim);
  assert_int_equal(eo__redis_command(redis, "pause", &error), EO_OK);
  assert_true(give_back(redis, "one", &claim, 1, two, NULL)); /* what is claimed may be handed back */
  assert_int_equal(frontier->ops->stop(frontier, "cancelled", &error), EO_OK);
  assert_int_equal(frontier->ops->stop(frontier, "again", &error), EO_OK);
  assert_int_equal(take(redis, "one", &claim), EO_TAKE_END);
  eo_standing standing = look(redis);
  assert_true(standing.ended);
  assert_string_equal(standing.stopped, "cancelled");
  eo_vec_release(&claim.bytes);
  drop(redis);
}

static void a_job_that_was_dropped_and_one_with_its_name(void **state) {
  (void)state;
  eo_redis *old = submit("dropped", a_job()), *redis = open_redis("dropped");
  eo_frontier *frontier = eo__redis_frontier(old);
  eo_claim claim = {0}, other = {0};
  eo_error error = {0};
  eo_standing standing;
  must_take(old, "one", &claim);
  drop(redis);
  redis = submit("dropped", a_job());
  assert_false(give_back(old, "one", &claim, 1, NULL, NULL));
  assert_int_equal(take(old, "one", &other), EO_TAKE_END);
  assert_int_equal(frontier->ops->look(frontier, 0, &standing, &error), EO_EINPUT);
  assert_string_equal(error.text, "the job dropped has been dropped");
  assert_int_equal(look(redis).total.executions, 0);
  assert_int_equal(look(redis).fragments, 1);
  eo_vec_release(&claim.bytes);
  close_redis(old);
  drop(redis);
}

static void a_job_of_another_format(void **state) {
  (void)state;
  eo_redis *redis = submit("format", a_job());
  eo_error error = {0};
  eo_job_status status;
  direct("HSET everyorder:format:job format 99 version 9.9");
  assert_int_equal(eo__redis_status(redis, &status, &error), EO_EINPUT);
  assert_non_null(strstr(error.text, "another version of Everyorder (9.9"));
  drop(redis);
}

/* ---- When Redis is killed ------------------------------------------------------------------------------------- */

static void redis_is_killed_and_loses_nothing(void **state) {
  (void)state;
  eo_redis *redis = submit("killed", a_job());
  eo_claim claim = {0};
  for (int i = 1; i <= 3; i++) {
    must_take(redis, "one", &claim);
    redis_server_kill(&server);
    redis_server_start(&server, NULL, NULL);
    assert_true(give_back(redis, "one", &claim, 1, two, NULL));
    eo_standing standing = look(redis);
    assert_int_equal(standing.total.executions, i);
    assert_int_equal(standing.fragments, i + 1);
  }
  eo_vec_release(&claim.bytes);
  drop(redis);
  redisReconnect(beside);
}

/* Copies all keys of the job aside, or back from there. */
static void copy_all(const char *name, bool aside) {
  for (int i = -1; i < ALL_KEYS; i++) {
    char job[100], copy[32];
    snprintf(job, sizeof job, "everyorder:%s:job", name);
    snprintf(copy, sizeof copy, "saved:%d", i);
    const char *key = i < 0 ? job : key_of(name, all_keys[i]);
    direct("DEL %s", aside ? copy : key);
    direct("COPY %s %s", aside ? key : copy, aside ? copy : key);
    if (!aside) direct("DEL %s", copy);
  }
}

/* What a Redis that does not write its file at once may do: go back to where it was a moment ago. */
static void redis_goes_back_in_time(void **state) {
  (void)state;
  eo_redis *redis = submit("back", a_job());
  eo_claim claim = {0}, early = {0};
  must_take(redis, "one", &early);
  eo_job_status before;
  eo_error error = {0};
  assert_int_equal(eo__redis_status(redis, &before, &error), EO_OK);
  copy_all("back", true); /* fragment 1 is claimed */
  assert_true(give_back(redis, "one", &early, 1, two, NULL));
  must_take(redis, "two", &claim); /* fragment 2, "left" */
  assert_int_equal(claim.fragment, 2);
  copy_all("back", false);
  /* Fragment 2 is another one now: what worker two knows of the old one must not be taken for it. */
  static const char *const others[] = {"other", "pieces", NULL};
  let_expire("back", &early);
  eo_claim again = {0};
  must_take(redis, "three", &again);
  assert_int_equal(again.fragment, 1);
  assert_true(give_back(redis, "three", &again, 1, others, NULL));
  assert_false(give_back(redis, "two", &claim, 50, NULL, NULL));
  assert_int_equal(look(redis).fragments, 2);
  assert_int_equal(look(redis).total.executions, 1);
  eo_vec_release(&claim.bytes);
  eo_vec_release(&early.bytes);
  eo_vec_release(&again.bytes);
  drop(redis);
}

static void out_of_memory_is_refused_as_a_whole(void **state) {
  (void)state;
  eo_redis *redis = submit("full", a_job());
  eo_frontier *frontier = eo__redis_frontier(redis);
  eo_claim claim = {0};
  eo_slice slice = {.tally.executions = 5};
  eo_error error = {0};
  bool accepted;
  must_take(redis, "one", &claim);
  direct("CONFIG SET maxmemory 1");
  assert_int_equal(frontier->ops->done(frontier, "one", 0, &claim, &slice, &accepted, &error), EO_ESYSTEM);
  assert_non_null(strstr(error.text, "maxmemory"));
  direct("CONFIG SET maxmemory 0");
  assert_int_equal(look(redis).total.executions, 0);
  assert_int_equal(look(redis).fragments, 1);
  assert_true(give_back(redis, "one", &claim, 5, NULL, NULL));
  assert_true(look(redis).ended);
  eo_vec_release(&claim.bytes);
  drop(redis);
}

/* ---- Addresses and Redises that are not what is wanted -------------------------------------------------------- */

static void addresses(void **state) {
  (void)state;
  static const struct {
    const char *text, *user, *password, *host, *name;
    int port;
  } good[] = {{"redis://host/job", "", "", "host", "job", 6379},
              {"redis://host:1234/a.b-c_9", "", "", "host", "a.b-c_9", 1234},
              {"redis://me:secret@host/job", "me", "secret", "host", "job", 6379},
              {"redis://:p%40s%3As@host:1/job", "", "p@s:s", "host", "job", 1},
              {"redis://me@host", "me", "", "host", "", 6379},
              {"redis://a:b@c@host/", "a", "b@c", "host", "", 6379},
              {"redis://[::1]:7/job", "", "", "::1", "job", 7},
              {"redis://[fe80::1]/job", "", "", "fe80::1", "job", 6379},
              {"redis://h/j?timeout=250ms", "", "", "h", "j", 6379}};
  static const char *const bad[] = {"host",           "http://host/job",       "redis:///job",    "redis://host:0/job",
                                    "redis://host:x", "redis://host:65536/",   "redis://h/a:b",   "redis://h/a/b",
                                    "redis://[::1",   "redis://[::1]x/j",      "rediss://host/j", "redis://h/j?db=1",
                                    "redis://u%:p@h", "redis://h/j?timeout=0", "redis://h:1:2/",  "redis://h/ä"};
  eo_address address;
  eo_error error = {0};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    if (eo__address_parse(&address, good[i].text, &error) != EO_OK) fail_msg("%s: %s", good[i].text, error.text);
    assert_string_equal(address.user, good[i].user);
    assert_string_equal(address.password, good[i].password);
    assert_string_equal(address.host, good[i].host);
    assert_string_equal(address.name, good[i].name);
    assert_int_equal(address.port, good[i].port);
  }
  assert_float_equal(address.timeout, 0.25, 1e-9);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (eo__address_parse(&address, bad[i], &error) != EO_EINPUT) fail_msg("%s is accepted", bad[i]);
  char shown[400];
  assert_int_equal(eo__address_parse(&address, "redis://me:secret@[::1]/job", &error), EO_OK);
  assert_string_equal(eo__address_show(&address, shown), "redis://[::1]:6379/job");
}

static void expect_refusal(const eo_address *address, const char *text) {
  eo_error error = {0};
  double started = eo__seconds();
  eo_redis *redis = eo__redis_open(address, NULL, 1, &error);
  assert_null(redis);
  if (!strstr(error.text, text)) fail_msg("'%s' instead of '%s'", error.text, text);
  if (eo__seconds() - started > 8) fail_msg("'%s' after %.1f s only", error.text, eo__seconds() - started);
}

/* Answers each connection with `greeting`, or never if it is NULL. */
static pid_t pretender(uint16_t *port, const char *greeting) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
  assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
  assert_int_equal(listen(listener, 8), 0);
  *port = ntohs(address.sin_port);
  pid_t pid = fork();
  if (pid != 0) {
    close(listener);
    return pid;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) {
    int client = accept(listener, NULL, NULL);
    char request[4096];
    if (recv(client, request, sizeof request, 0) > 0 && greeting) {
      send(client, greeting, strlen(greeting), MSG_NOSIGNAL);
      shutdown(client, SHUT_WR);
    }
  }
}

static void who_is_not_the_redis_we_need(void **state) {
  (void)state;
  eo_address address = address_of("x");
  address.timeout = 0.3;
  address.port = free_port();
  expect_refusal(&address, "cannot be reached");
  snprintf(address.host, sizeof address.host, "no.such.host.invalid");
  expect_refusal(&address, "cannot be reached");
  snprintf(address.host, sizeof address.host, "127.0.0.1");
  static const struct {
    const char *says, *text;
  } others[] = {{"HTTP/1.1 400 Bad Request\r\n\r\n", "does not answer as Redis does"},
                {"$21\r\nredis_version:6.2.14\r\n\r\n", "is a Redis 6: version 7 or later is needed"},
                {"$6\r\nnobody\r\n", "does not say which version"},
                {"-LOADING Redis is loading the dataset in memory\r\n", "LOADING"},
                {"", "closed"},
                {NULL, "does not answer"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    pid_t pid = pretender(&address.port, others[i].says);
    expect_refusal(&address, others[i].text);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
  }
}

static void users_and_passwords(void **state) {
  (void)state;
  eo_error error = {0};
  eo_address address = address_of("x");
  direct("CONFIG SET requirepass secret");
  /* As doc/cluster.md says. */
  direct(
      "ACL SETUSER worker on >word ~everyorder:* +evalsha +script|load +info +@hash +@list +@set +@sortedset +exists "
      "+unlink +time");
  expect_refusal(&address, "wants a password");
  snprintf(address.password, sizeof address.password, "wrong");
  expect_refusal(&address, "wrong user or password");
  snprintf(address.password, sizeof address.password, "secret");
  eo_redis *redis = eo__redis_open(&address, NULL, 1, &error);
  assert_non_null(redis);
  close_redis(redis);
  *address.password = '\0';
  setenv("REDISCLI_AUTH", "secret", 1);
  redis = eo__redis_open(&address, NULL, 1, &error);
  assert_non_null(redis);
  close_redis(redis);
  unsetenv("REDISCLI_AUTH");
  snprintf(address.user, sizeof address.user, "worker");
  snprintf(address.password, sizeof address.password, "word");
  redis = eo__redis_open(&address, NULL, 1, &error);
  assert_non_null(redis);
  eo_job job = a_job();
  bool submitted;
  if (eo__redis_submit(redis, &job, &submitted, &error) != EO_OK) fail_msg("%s", error.text);
  char *finding = a_finding("broken", 1);
  eo_claim claim = {0};
  eo_strings found = {0};
  must_take(redis, "one", &claim);
  assert_true(give_back(redis, "one", &claim, 1, two, finding));
  must_take(redis, "one", &claim);
  let_expire("x", &claim);
  must_take(redis, "two", &claim);
  assert_int_equal(look(redis).lost, 1);
  if (eo__redis_findings(redis, 0, &found, NULL, &error) != EO_OK) fail_msg("%s", error.text);
  assert_int_equal(found.count, 1);
  assert_string_equal(found.items[0], finding);
  eo__free(found.items[0]);
  eo_vec_release(&found);
  eo_vec_release(&claim.bytes);
  eo__free(finding);
  drop(redis);
  direct("CONFIG SET requirepass %s", "");
  direct("ACL DELUSER worker");
}

static void whether_redis_keeps_a_file(void **state) {
  (void)state;
  eo_redis *redis = open_redis("file");
  assert_true(eo__redis_durable(redis));
  direct("CONFIG SET appendonly no");
  assert_false(eo__redis_durable(redis));
  direct("CONFIG SET appendonly yes");
  close_redis(redis);
}

static void a_child_has_a_connection_of_its_own(void **state) {
  (void)state;
  eo_redis *redis = submit("fork", a_job());
  pid_t children[2];
  for (int i = 0; i < 2; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      for (int j = 0; j < 200; j++)
        if (look(redis).fragments != 1) _exit(1);
      _exit(0);
    }
  }
  for (int j = 0; j < 200; j++) assert_int_equal(look(redis).fragments, 1);
  for (int i = 0; i < 2; i++) {
    int status;
    waitpid(children[i], &status, 0);
    assert_int_equal(status, 0);
  }
  drop(redis);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(from_the_first_fragment_to_the_end),
      cmocka_unit_test(pieces_with_any_bytes_in_them),
      cmocka_unit_test(a_claim_that_ran_out_is_given_out_again),
      cmocka_unit_test(a_late_result_counts_if_it_is_the_first),
      cmocka_unit_test(what_a_late_one_found_is_kept),
      cmocka_unit_test(who_loses_a_fragment_again_and_again_gets_more_time),
      cmocka_unit_test(rules_decide_as_the_table_says),
      cmocka_unit_test(the_same_rules_as_everywhere),
      cmocka_unit_test(coverage_adds_up_as_everywhere),
      cmocka_unit_test(who_takes_the_place_of_a_dead_one_goes_on_at_once),
      cmocka_unit_test(who_dies_again_and_again_does_not_take_others_along),
      cmocka_unit_test(the_last_fragments_are_doubled),
      cmocka_unit_test(a_repeated_result_counts_once),
      cmocka_unit_test(a_repeated_take_gives_the_same_claim),
      cmocka_unit_test(no_more_executions_than_asked_for),
      cmocka_unit_test(the_first_finding_is_the_end),
      cmocka_unit_test(a_time_limit_holds_without_anybody_watching),
      cmocka_unit_test(each_finding_once),
      cmocka_unit_test(a_name_is_used_once),
      cmocka_unit_test(paused_resumed_and_cancelled),
      cmocka_unit_test(a_job_that_was_dropped_and_one_with_its_name),
      cmocka_unit_test(a_job_of_another_format),
      cmocka_unit_test(redis_is_killed_and_loses_nothing),
      cmocka_unit_test(redis_goes_back_in_time),
      cmocka_unit_test(out_of_memory_is_refused_as_a_whole),
      cmocka_unit_test(addresses),
      cmocka_unit_test(who_is_not_the_redis_we_need),
      cmocka_unit_test(users_and_passwords),
      cmocka_unit_test(whether_redis_keeps_a_file),
      cmocka_unit_test(a_child_has_a_connection_of_its_own),
  };
  return cmocka_run_group_tests(tests, start_server, finish_server);
}
