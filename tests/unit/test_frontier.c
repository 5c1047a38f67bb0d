/* test_frontier.c: work that is put away, taken up again and split in any way at any time is the same work; and a
 * frontier in memory counts each of its pieces exactly once, whatever becomes of the workers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/rng.h"
#include "base/text.h"
#include "core/engine.h"
#include "explorers/explorer.h"
#include "frontier/memory.h"
#include "frontier/policy.h"
#include "policy_cases.h"
#include "strategies/fragment.h"
#include "strategies/strategies.h"

#include "toy_subject.h"

/* ---- Strategies to divide ------------------------------------------------------------------------------------------- */

typedef struct kind {
  const char *name;
  eo_strategy *(*open)(const eo_strategy_options *options, eo_error *error);
  eo_strategy_options options;
} kind;

static const kind kinds[] = {
    {"dfs", eo__dfs_open, {.seed = 0}},
    {"preempt", eo__preempt_open, {.seed = 0}},
    {"preempt 0", eo__preempt_open, {.bounded = true, .bound = 0}},
    {"preempt 1", eo__preempt_open, {.bounded = true, .bound = 1}},
    {"preempt 2", eo__preempt_open, {.bounded = true, .bound = 2}},
    {"ses", eo__ses_open, {.explorer = &eo__explorer_rr, .delay_step = 1}},
    {"ses rtc", eo__ses_open, {.explorer = &eo__explorer_rtc, .delay_step = 2}},
    {"ses 1", eo__ses_open, {.explorer = &eo__explorer_rr, .delay_step = 1, .delays_bounded = true, .delays = 1}},
    {"ss", eo__ss_open, {.explorer = &eo__explorer_rr, .seed = 3, .samples = 50, .growth = 2, .executions = 500}},
    {"ss prr", eo__ss_open, {.explorer = &eo__explorer_prr, .seed = 3, .samples = 50, .growth = 2, .executions = 500}},
    {"random", eo__random_open, {.seed = 3, .executions = 500}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static eo_strategy *open_kind(const kind *k) {
  eo_strategy *strategy = k->open(&k->options, NULL);
  assert_non_null(strategy);
  return strategy;
}

/* As the worker wraps it. */
static eo_strategy *open_wrapped(const kind *k, eo_meter *meter) {
  static char reason[128];
  eo_stop_options none = {.reason = reason};
  return eo__recheck_open(eo__meter_open(eo__stop_open(open_kind(k), &none, NULL), meter, NULL), NULL);
}

static const char *fails_at_ba(const toy_state *s) { return strcmp(s->path, "BA") == 0 ? "BA" : NULL; }

static void shape(toy *t, int which) {
  toy_init(t, 3, 2, which, 1);
  t->steps[0][1].values = 2;
  t->steps[1][1] = (toy_step){.after = 'A', .after_steps = 2};
  if (which) t->steps[2][0].values = 3;
  if (which == 1) t->fails = fails_at_ba;
}

/* What was run, and what that adds up to. */
typedef struct account {
  EO_VEC(char *) runs;
  eo_tally total;
  uint64_t left; /* executions until it is to stop */
} account;

static bool note(void *context, const eo_outcome *outcome) {
  account *a = context;
  eo_text text;
  eo__text_init(&text);
  for (uint32_t i = 0; i < outcome->depth; i++)
    eo__text_add(&text, "%c%u", 'A' + (int)outcome->choices[i].process, outcome->choices[i].value);
  if (outcome->end != EO_END_FINISHED) eo__text_add(&text, outcome->end == EO_END_FAILED ? "!" : "-");
  assert_false(text.failed);
  assert_true(eo_vec_push(&a->runs, eo__strdup(text.chars)));
  eo__text_release(&text);
  return --a->left > 0;
}

/* Runs up to so many executions. True: there may be more. */
static bool run_some(toy *t, eo_strategy *strategy, account *a, uint64_t executions) {
  eo_engine engine;
  size_t before = a->runs.count;
  eo__engine_init(&engine, &t->base, strategy);
  engine.ended = note;
  engine.context = a;
  a->left = executions;
  eo_error error = {0};
  int code = eo__engine_run(&engine, &error);
  if (code != EO_OK) print_error("%s\n", error.text);
  assert_int_equal(code, EO_OK);
  eo__engine_release(&engine);
  eo_text words;
  eo__text_init(&words);
  eo_tally slice = {.executions = a->runs.count - before,
                    .coverage = strategy->ops->telling->coverage(strategy, &words)};
  snprintf(slice.covered, sizeof slice.covered, "%s", words.chars);
  eo__text_release(&words);
  eo__tally_add(&a->total, &slice, a->left > 0);
  return a->left == 0;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void sort(account *a) { qsort(a->runs.items, a->runs.count, sizeof *a->runs.items, by_text); }

static void close_account(account *a) {
  for (size_t i = 0; i < a->runs.count; i++) eo__free(a->runs.items[i]);
  eo_vec_release(&a->runs);
}

static void expect_same(account *got, account *expected, const char *name) {
  sort(got);
  sort(expected);
  if (got->runs.count != expected->runs.count)
    fail_msg("%s: %zu executions instead of %zu", name, got->runs.count, expected->runs.count);
  for (size_t i = 0; i < got->runs.count; i++) assert_string_equal(got->runs.items[i], expected->runs.items[i]);
  assert_int_equal(got->total.coverage, expected->total.coverage);
  assert_string_equal(got->total.covered, expected->total.covered);
}

typedef EO_VEC(eo_bytes) pool;

static void put_away(eo_strategy *strategy, pool *p) {
  eo_bytes bytes = {0};
  assert_true(strategy->ops->fragments->save(strategy, &bytes));
  assert_true(eo_vec_push(p, bytes));
}

/* Takes up any fragment, runs some of it, splits it some times, puts away the rest. */
static void divide(const kind *k, toy *t, eo_rng *rng, account *a) {
  pool p = {0};
  eo_meter meter = {0};
  eo_strategy *whole = open_wrapped(k, &meter);
  put_away(whole, &p);
  whole->ops->close(whole);
  while (p.count) {
    uint32_t chosen = eo__rng_below(rng, (uint32_t)p.count);
    eo_bytes bytes = p.items[chosen];
    p.items[chosen] = p.items[--p.count];
    eo_strategy *strategy = open_wrapped(k, &meter);
    assert_int_equal(strategy->ops->fragments->load(strategy, bytes.items, bytes.count, NULL), EO_OK);
    eo_vec_release(&bytes);
    bool more = true;
    if (eo__rng_below(rng, 4)) more = run_some(t, strategy, a, eo__rng_below(rng, 20) + 1);
    for (uint32_t splits = eo__rng_below(rng, 4); more && splits > 0; splits--) {
      eo_bytes piece = {0};
      if (strategy->ops->fragments->split(strategy, &piece))
        assert_true(eo_vec_push(&p, piece));
      else
        eo_vec_release(&piece);
    }
    double share = strategy->ops->telling->share(strategy);
    if (k->open != eo__ses_open) assert_true(share >= -1e-9 && share <= 1 + 1e-9); /* who knows */
    if (more) put_away(strategy, &p);
    strategy->ops->close(strategy);
  }
  eo_vec_release(&p);
}

static void any_division_is_the_whole(void **state) {
  (void)state;
  eo_rng rng;
  eo__rng_init(&rng, 11);
  for (int which = 0; which < 3; which++)
    for (size_t k = 0; k < KINDS; k++) {
      toy t;
      account all = {0};
      eo_meter meter = {0};
      shape(&t, which);
      eo_strategy *strategy = open_wrapped(&kinds[k], &meter);
      assert_false(run_some(&t, strategy, &all, UINT64_MAX));
      strategy->ops->close(strategy);
      for (int round = 0; round < (which == 2 ? 3 : 20); round++) {
        account some = {0};
        divide(&kinds[k], &t, &rng, &some);
        expect_same(&some, &all, kinds[k].name);
        close_account(&some);
      }
      close_account(&all);
    }
}

/* Saving changes nothing; what is loaded goes on in the same order. */
static void what_is_put_away_goes_on_in_order(void **state) {
  (void)state;
  for (size_t k = 0; k < KINDS; k++) {
    toy t;
    account once = {0}, pieces = {0};
    shape(&t, 2);
    eo_strategy *strategy = open_kind(&kinds[k]);
    run_some(&t, strategy, &once, UINT64_MAX);
    strategy->ops->close(strategy);
    strategy = open_kind(&kinds[k]);
    while (run_some(&t, strategy, &pieces, 7)) {
      eo_bytes first = {0}, second = {0};
      assert_true(strategy->ops->fragments->save(strategy, &first) &&
                  strategy->ops->fragments->save(strategy, &second));
      assert_int_equal(first.count, second.count);
      assert_memory_equal(first.items, second.items, first.count);
      strategy->ops->close(strategy);
      strategy = open_kind(&kinds[k]);
      assert_int_equal(strategy->ops->fragments->load(strategy, first.items, first.count, NULL), EO_OK);
      eo_vec_release(&first);
      eo_vec_release(&second);
    }
    strategy->ops->close(strategy);
    assert_int_equal(once.runs.count, pieces.runs.count);
    for (size_t i = 0; i < once.runs.count; i++) assert_string_equal(once.runs.items[i], pieces.runs.items[i]);
    close_account(&once);
    close_account(&pieces);
  }
}

/* The shares of all parts tell the share of the whole. */
static void shares_of_parts_add_up(void **state) {
  (void)state;
  for (size_t k = 0; k < 2; k++) {
    toy t;
    account a = {0};
    shape(&t, 0);
    eo_strategy *strategy = open_kind(&kinds[k]), *other = open_kind(&kinds[k]);
    run_some(&t, strategy, &a, 10);
    double before = strategy->ops->telling->share(strategy);
    eo_bytes piece = {0};
    assert_true(strategy->ops->fragments->split(strategy, &piece));
    assert_int_equal(other->ops->fragments->load(other, piece.items, piece.count, NULL), EO_OK);
    double left = 1 - strategy->ops->telling->share(strategy) + (1 - other->ops->telling->share(other));
    if (k == 0) assert_true(1 - left >= before - 1e-9 && 1 - left < before + 0.1); /* dfs has gone on to the next one */
    if (k == 1) assert_float_equal(1 - left, before, 1e-9);
    eo_vec_release(&piece);
    strategy->ops->close(strategy);
    other->ops->close(other);
    close_account(&a);
  }
}

/* ---- Damage ------------------------------------------------------------------------------------------------------------ */

static void refused(const kind *k, const unsigned char *bytes, size_t size) {
  eo_error error = {0};
  eo_strategy *strategy = open_kind(k);
  assert_int_equal(strategy->ops->fragments->load(strategy, bytes, size, &error), EO_EINPUT);
  assert_non_null(strstr(error.text, "saved work"));
  strategy->ops->close(strategy);
}

static void damage_is_refused(void **state) {
  (void)state;
  for (size_t k = 0; k < KINDS; k++) {
    toy t;
    account a = {0};
    eo_bytes bytes = {0};
    shape(&t, 0);
    eo_strategy *strategy = open_kind(&kinds[k]);
    run_some(&t, strategy, &a, 3);
    assert_true(strategy->ops->fragments->save(strategy, &bytes));
    strategy->ops->close(strategy);
    for (size_t i = 0; i < bytes.count; i++) {
      bytes.items[i] ^= 1;
      refused(&kinds[k], bytes.items, bytes.count);
      bytes.items[i] ^= 1;
      refused(&kinds[k], bytes.items, i);
    }
    for (size_t other = 0; other < KINDS; other++)
      if (kinds[other].open != kinds[k].open) refused(&kinds[other], bytes.items, bytes.count);
    assert_int_equal(bytes.items[0], EO_FRAGMENT_VERSION);
    eo_vec_release(&bytes);
    close_account(&a);
  }
}

/* ---- Policy ------------------------------------------------------------------------------------------------------------ */

static void rules_decide_as_the_table_says(void **state) {
  (void)state;
  for (size_t i = 0; i < POLICY_CASES(policy_budgets); i++) {
    eo_job_limits limits = {.workers = policy_budgets[i].workers,
                            .budget = policy_budgets[i].budget,
                            .fixed_budget = policy_budgets[i].fixed};
    assert_float_equal(eo__policy_budget(&limits, policy_budgets[i].active, policy_budgets[i].bytes),
                       policy_budgets[i].wanted, 1e-9);
  }
  for (size_t i = 0; i < POLICY_CASES(policy_pieces); i++) {
    eo_job_limits limits = {.workers = policy_pieces[i].workers};
    assert_int_equal(eo__policy_pieces(&limits, policy_pieces[i].expected), policy_pieces[i].wanted);
  }
  for (size_t i = 0; i < POLICY_CASES(policy_allots); i++) {
    eo_job_limits limits = {.workers = policy_allots[i].workers};
    assert_int_equal(eo__policy_allot(&limits, policy_allots[i].left), policy_allots[i].wanted);
  }
  for (size_t i = 0; i < POLICY_CASES(policy_doubles); i++) {
    eo_job_limits limits = {.no_doubling = policy_doubles[i].no_doubling};
    assert_int_equal(eo__policy_double(&limits, policy_doubles[i].holders), policy_doubles[i].wanted);
  }
  for (size_t i = 0; i < POLICY_CASES(policy_less); i++) {
    eo_tally total = {.coverage = policy_less[i].least}, slice = {.coverage = policy_less[i].coverage};
    snprintf(total.covered, sizeof total.covered, "%s", policy_less[i].words);
    snprintf(slice.covered, sizeof slice.covered, "%s", policy_less[i].covered);
    const eo_tally weaker = policy_less[i].wanted ? slice : total;
    eo__tally_add(&total, &slice, true);
    assert_int_equal(total.coverage, weaker.coverage);
    assert_string_equal(total.covered, weaker.covered);
  }
}

static void the_weakest_coverage_stays(void **state) {
  (void)state;
  eo_tally total = {0};
  const eo_tally two = {.coverage = EO_COVERS_ALL, .covered = "none has more than 2"},
                 ten = {.coverage = EO_COVERS_ALL, .covered = "none has more than 10"},
                 bound = {.coverage = EO_COVERS_BOUND, .covered = "bound"};
  eo__tally_add(&total, &ten, true);
  eo__tally_add(&total, &two, true);
  assert_string_equal(total.covered, "none has more than 10");
  eo__tally_add(&total, &bound, false); /* it is not at its end yet */
  assert_int_equal(total.coverage, EO_COVERS_ALL);
  eo__tally_add(&total, &bound, true);
  eo__tally_add(&total, &ten, true);
  assert_string_equal(total.covered, "bound");
}

/* ---- A frontier in memory ------------------------------------------------------------------------------------------------ */

/* Fragments here are ranges of numbers that are "executed" in order, each once; every 50th of them fails. */
enum { NUMBERS = 3000, WORKERS = 6 };

typedef struct range {
  uint32_t first, end;
} range;

static range range_of(const eo_bytes *bytes) {
  range r = {0, NUMBERS};
  if (bytes->count) memcpy(&r, bytes->items, sizeof r);
  return r;
}

static void add_range(eo_slice *slice, range r) {
  eo_bytes bytes = {0};
  assert_true(eo_vec_reserve(&bytes, sizeof r));
  memcpy(bytes.items, &r, sizeof r);
  bytes.count = sizeof r;
  assert_true(eo_vec_push(&slice->rest, bytes));
}

static void add_finding(eo_slice *slice, uint32_t number, uint64_t execution) {
  eo_finding finding;
  eo__finding_init(&finding);
  finding.failure.kind = EO_KIND_ASSERTION;
  snprintf(finding.failure.message, sizeof finding.failure.message, "number %u", number / 50 % 4); /* 4 distinct ones */
  finding.execution = execution;
  assert_true(eo_vec_push(&slice->findings, eo__finding_to_json(&finding)));
  eo__finding_release(&finding);
}

static void release_slice(eo_slice *slice) {
  for (size_t i = 0; i < slice->rest.count; i++) eo_vec_release(&slice->rest.items[i]);
  for (size_t i = 0; i < slice->findings.count; i++) eo__free(slice->findings.items[i]);
  eo_vec_release(&slice->rest);
  eo_vec_release(&slice->findings);
}

typedef struct job {
  eo_frontier *frontier;
  eo_rng rng;
  uint32_t times[NUMBERS]; /* each was counted */
  uint64_t accepted;
  double now;
  struct {
    bool busy;
    eo_claim claim;
  } workers[WORKERS];
} job;

/* Works on a claim: executes up to so many, leaves the rest in up to as many pieces as wanted. */
static void hand_back(job *j, int w, bool keep_going) {
  const eo_claim *claim = &j->workers[w].claim;
  eo_slice slice = {0};
  range r = range_of(&claim->bytes);
  uint64_t most = eo__rng_below(&j->rng, 60) + 1;
  uint32_t at = r.first;
  if (most > claim->executions) most = claim->executions;
  for (; at < r.end && slice.tally.executions < most; at++) {
    slice.tally.executions++;
    if (at % 50 != 49) continue;
    slice.tally.failures++;
    add_finding(&slice, at, slice.tally.executions);
    if (!keep_going) {
      at++;
      break;
    }
  }
  uint32_t pieces = eo__rng_below(&j->rng, claim->pieces) + 1, size = (r.end - at + pieces - 1) / pieces;
  for (uint32_t i = at; i < r.end; i += size) add_range(&slice, (range){i, i + size < r.end ? i + size : r.end});
  slice.tally.max_depth = at;
  bool accepted;
  char name[16];
  snprintf(name, sizeof name, "w%d", w);
  assert_int_equal(j->frontier->ops->done(j->frontier, name, j->now, claim, &slice, &accepted, NULL), EO_OK);
  if (accepted) {
    j->accepted += slice.tally.executions;
    for (uint32_t i = r.first; i < at; i++) j->times[i]++;
  }
  release_slice(&slice);
}

static void forget(job *j, int w) {
  eo_vec_release(&j->workers[w].claim.bytes);
  j->workers[w].busy = false;
}

/* Takes, hands back, dies, is late, comes back with what another has done: any of it at any time. */
static void run_job(job *j, const eo_job_limits *limits, uint64_t seed) {
  eo_taken taken = EO_TAKEN;
  eo_standing start;
  eo__rng_init(&j->rng, seed);
  assert_int_equal(j->frontier->ops->look(j->frontier, j->now, &start, NULL), EO_OK);
  for (int steps = 0; steps < 1000000; steps++) {
    int w = (int)eo__rng_below(&j->rng, WORKERS);
    char name[16];
    snprintf(name, sizeof name, "w%d", w);
    j->now += eo__rng_below(&j->rng, 100) / 100.0;
    if (j->workers[w].busy) {
      if (eo__rng_below(&j->rng, 5)) hand_back(j, w, !limits->at_failure);
      if (eo__rng_below(&j->rng, 20)) forget(j, w); /* else it hands the same back once more, which must not count */
      continue;
    }
    assert_int_equal(j->frontier->ops->take(j->frontier, name, j->now, &j->workers[w].claim, &taken, NULL), EO_OK);
    j->workers[w].busy = taken == EO_TAKEN;
    if (taken == EO_TAKE_END) break;
    eo_standing standing;
    assert_int_equal(j->frontier->ops->look(j->frontier, j->now, &standing, NULL), EO_OK);
    /* What comes from a claim that had run out was not reckoned with. */
    if (standing.lost == 0) assert_true(standing.fragments <= 2 * limits->workers + start.fragments - 1);
    assert_true(standing.claimed <= standing.fragments && standing.workers <= WORKERS);
    assert_int_equal(standing.issued, standing.finished + standing.fragments);
  }
  assert_int_equal(taken, EO_TAKE_END);
  for (int w = 0; w < WORKERS; w++)
    if (j->workers[w].busy) { /* late, all of them */
      hand_back(j, w, !limits->at_failure);
      forget(j, w);
    }
}

static void check_job(job *j, const eo_job_limits *limits) {
  eo_standing standing;
  assert_int_equal(j->frontier->ops->look(j->frontier, j->now, &standing, NULL), EO_OK);
  uint64_t once = 0;
  for (int i = 0; i < NUMBERS; i++) {
    assert_true(j->times[i] <= 1);
    once += j->times[i];
  }
  assert_true(standing.ended);
  assert_int_equal(standing.issued, standing.finished + standing.fragments);
  assert_int_equal(standing.total.executions, once);
  assert_int_equal(standing.total.executions, j->accepted);
  assert_int_equal(standing.findings, eo__memory_findings(j->frontier)->count);
  assert_true(standing.findings <= 4);
  if (limits->executions && limits->executions < NUMBERS) {
    assert_int_equal(once, limits->executions);
    assert_non_null(strstr(standing.stopped, "after "));
  } else if (!limits->at_failure) {
    assert_int_equal(once, NUMBERS);
    assert_int_equal(standing.total.failures, NUMBERS / 50);
    assert_int_equal(standing.findings, 4);
    assert_int_equal(standing.fragments, 0);
    assert_string_equal(standing.stopped, "");
  } else {
    assert_string_equal(standing.stopped, "at the first finding");
    assert_true(standing.findings > 0);
  }
}

static void totals_are_exact(void **state) {
  (void)state;
  static const eo_job_limits rows[] = {
      {.workers = WORKERS, .budget = 1, .grace = 1},
      {.workers = WORKERS, .budget = 3, .grace = 100, .fixed_budget = true},
      {.workers = WORKERS, .budget = 1, .grace = 0.1, .no_doubling = true},
      {.workers = WORKERS, .budget = 1, .grace = 1, .executions = 1},
      {.workers = WORKERS, .budget = 1, .grace = 1, .executions = 777},
      {.workers = WORKERS, .budget = 1, .grace = 1, .executions = NUMBERS - 1},
      {.workers = WORKERS, .budget = 1, .grace = 1, .executions = NUMBERS},
      {.workers = WORKERS, .budget = 1, .grace = 1, .executions = NUMBERS + 1},
      {.workers = WORKERS, .budget = 1, .grace = 1, .at_failure = true},
      {.workers = 1, .budget = 1, .grace = 1},
  };
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
    for (uint64_t seed = 0; seed < 20; seed++) {
      job *j = eo__alloc(sizeof *j);
      assert_non_null(j);
      j->frontier = eo__memory_open(&rows[row], NULL, NULL);
      assert_non_null(j->frontier);
      run_job(j, &rows[row], seed);
      check_job(j, &rows[row]);
      j->frontier->ops->close(j->frontier);
      eo__free(j);
    }
}

/* One that was put away at any time, and goes on in another frontier, ends as if nothing had happened. */
static void a_state_goes_on_elsewhere(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; seed++) {
    job *j = eo__alloc(sizeof *j);
    assert_non_null(j);
    eo_job_limits limits = {.workers = WORKERS, .budget = 1, .grace = 1};
    j->frontier = eo__memory_open(&limits, NULL, NULL);
    for (limits.executions = 500; limits.executions <= NUMBERS + 500; limits.executions += 500) {
      eo_job_state put_away;
      assert_int_equal(eo__memory_state(j->frontier, &put_away, NULL), EO_OK);
      j->frontier->ops->close(j->frontier);
      j->frontier = eo__memory_open(&limits, &put_away, NULL);
      assert_non_null(j->frontier);
      eo__job_state_release(&put_away);
      run_job(j, &limits, seed);
      check_job(j, &limits);
    }
    j->frontier->ops->close(j->frontier);
    eo__free(j);
  }
}

/* Of a program that is not deterministic, who was first with a fragment may not have met what the late one has. */
static void what_a_late_one_found_is_kept(void **state) {
  (void)state;
  for (int at_failure = 0; at_failure < 2; at_failure++) {
    eo_job_limits limits = {.workers = 2, .budget = 1, .grace = 1, .at_failure = at_failure};
    eo_frontier *frontier = eo__memory_open(&limits, NULL, NULL);
    eo_claim first = {0}, second = {0};
    eo_taken taken;
    bool accepted;
    eo_slice clean = {.tally.executions = 3}, late = {.tally.executions = 1};
    add_finding(&late, 0, 1);
    assert_int_equal(frontier->ops->take(frontier, "first", 0, &first, &taken, NULL), EO_OK);
    assert_int_equal(frontier->ops->take(frontier, "second", 0, &second, &taken, NULL), EO_OK);
    assert_int_equal(second.fragment, first.fragment); /* it is given to both, as there is nothing else */
    assert_int_equal(frontier->ops->done(frontier, "second", 1, &second, &clean, &accepted, NULL), EO_OK);
    assert_true(accepted);
    assert_int_equal(frontier->ops->done(frontier, "first", 1, &first, &late, &accepted, NULL), EO_OK);
    assert_false(accepted);
    eo_standing standing;
    assert_int_equal(frontier->ops->look(frontier, 1, &standing, NULL), EO_OK);
    assert_int_equal(standing.total.executions, 3);
    assert_int_equal(standing.findings, 1);
    assert_string_equal(standing.stopped, at_failure ? "at the first finding" : "");
    release_slice(&late);
    eo_vec_release(&first.bytes);
    eo_vec_release(&second.bytes);
    frontier->ops->close(frontier);
  }
}

/* With one worker a finding has the number of its execution in the whole. */
static void findings_are_numbered(void **state) {
  (void)state;
  job *j = eo__alloc(sizeof *j);
  assert_non_null(j);
  const eo_job_limits limits = {.workers = 1, .budget = 1, .grace = 1e9};
  j->frontier = eo__memory_open(&limits, NULL, NULL);
  eo_taken taken;
  eo__rng_init(&j->rng, 1);
  for (;;) {
    assert_int_equal(j->frontier->ops->take(j->frontier, "one", 0, &j->workers[0].claim, &taken, NULL), EO_OK);
    if (taken != EO_TAKEN) break;
    assert_int_equal(j->workers[0].claim.pieces, 1);
    hand_back(j, 0, true);
    forget(j, 0);
  }
  const eo_strings *findings = eo__memory_findings(j->frontier);
  assert_int_equal(findings->count, 4);
  for (size_t i = 0; i < 4; i++) {
    eo_finding finding;
    eo__finding_init(&finding);
    assert_int_equal(eo__finding_from_json(&finding, findings->items[i], NULL), EO_OK);
    assert_int_equal(finding.execution, 50 * (i + 1));
    eo__finding_release(&finding);
  }
  j->frontier->ops->close(j->frontier);
  eo__free(j);
}

/* Every fragment that was put is left or finished; and what is left may take so much memory and no more. */
static void the_ledger_and_the_limit_of_memory(void **state) {
  (void)state;
  const eo_job_limits limits = {.workers = 1, .budget = 1, .grace = 1e9, .bytes = 10};
  eo_frontier *frontier = eo__memory_open(&limits, NULL, NULL);
  static const size_t sizes[][2] = {{5, 5}, {4, 1}, {0, 0}, {9, 2}};
  static const uint64_t issued[] = {3, 5, 5, 7}, left[] = {2, 3, 2, 3};
  for (size_t i = 0; i < 4; i++) {
    eo_claim claim = {0};
    eo_taken taken;
    eo_standing standing;
    bool accepted;
    eo_slice slice = {0};
    assert_int_equal(frontier->ops->take(frontier, "one", 0, &claim, &taken, NULL), EO_OK);
    assert_int_equal(taken, EO_TAKEN);
    for (int k = 0; k < 2; k++) {
      eo_bytes piece = {0};
      for (size_t b = 0; b < sizes[i][k]; b++) assert_true(eo_vec_push(&piece, (unsigned char)b));
      if (sizes[i][k]) assert_true(eo_vec_push(&slice.rest, piece));
    }
    assert_int_equal(frontier->ops->done(frontier, "one", 0, &claim, &slice, &accepted, NULL), EO_OK);
    assert_true(accepted);
    assert_int_equal(frontier->ops->look(frontier, 0, &standing, NULL), EO_OK);
    assert_int_equal(standing.issued, issued[i]);
    assert_int_equal(standing.fragments, left[i]);
    assert_int_equal(standing.finished, issued[i] - left[i]);
    assert_string_equal(standing.stopped, i < 3 ? "" : "the frontier takes as much memory as it may");
    release_slice(&slice);
    eo_vec_release(&claim.bytes);
  }
  frontier->ops->close(frontier);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_division_is_the_whole),
      cmocka_unit_test(what_is_put_away_goes_on_in_order),
      cmocka_unit_test(shares_of_parts_add_up),
      cmocka_unit_test(damage_is_refused),
      cmocka_unit_test(rules_decide_as_the_table_says),
      cmocka_unit_test(the_weakest_coverage_stays),
      cmocka_unit_test(totals_are_exact),
      cmocka_unit_test(a_state_goes_on_elsewhere),
      cmocka_unit_test(findings_are_numbered),
      cmocka_unit_test(what_a_late_one_found_is_kept),
      cmocka_unit_test(the_ledger_and_the_limit_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
