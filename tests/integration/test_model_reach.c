/* test_model_reach.c: on random systems of EFSMs, and on our models, reach and dpor run exactly one execution of each trace
 * that dfs finds, under each delivery; they find the deadlocks and assertions that full finds; and each failing execution
 * fails in the same way when its plain choices are replayed. builds: release asan
 *
 * Arguments, for longer hunts: first seed, number of systems, largest number of interleavings.
 * hunt: SEED 300 6000 */
#include <everyorder.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "core/engine.h"
#include "random_ports.h"
#include "sanitized.h"
#include "started.h"
#include "strategies/strategies.h"
#include "subjects/model/full.h"
#include "subjects/model/related.h"
#include "subjects/model/subject.h"
#include "tracing.h"

typedef eo_strategy *opener(const eo_strategy_options *options, eo_error *error);
typedef EO_VEC(char *) texts;

/* One strategy on one model. */
typedef struct exploring {
  const eo_promela *model;
  eo_delivery delivery;
  eo_subject *subject;
  tracing *tracing;
  eo_subject *plain; /* for replays; NULL: none are wanted */
  texts failures;
} exploring;

static uint64_t first_seed = 1, systems = SANITIZED ? 60 : 150, most = 6000;

static void note_text(texts *list, const char *text) {
  size_t at = 0;
  while (at < list->count && strcmp(list->items[at], text) < 0) at++;
  if (at < list->count && strcmp(list->items[at], text) == 0) return;
  assert_true(eo_vec_push(list, NULL));
  memmove(&list->items[at + 1], &list->items[at], (list->count - 1 - at) * sizeof *list->items);
  list->items[at] = eo__strdup(text);
}

static void forget_texts(texts *list) {
  for (size_t i = 0; i < list->count; i++) eo__free(list->items[i]);
  eo_vec_release(list);
}

static bool same_texts(const texts *a, const texts *b) {
  for (size_t i = 0; i < a->count && i < b->count; i++)
    if (strcmp(a->items[i], b->items[i]) != 0) return false;
  return a->count == b->count;
}

/* ---- One exploration ------------------------------------------------------------------------------------------------ */

static bool keep_failure(void *context, const eo_outcome *outcome) {
  if (!outcome->counted) return true;
  if (outcome->failure) snprintf(context, sizeof((eo_failure *)0)->message, "%s", outcome->failure->message);
  return true;
}

/* The same failure comes of the plain choices. */
static void check_replay(exploring *x, const eo_outcome *outcome) {
  eo_schedule choices = {0};
  eo_error error = {0};
  char message[sizeof((eo_failure *)0)->message] = "";
  eo_strategy *inner = x->tracing->wrapper.inner;
  assert_true(inner->ops->telling->plain(inner, &choices));
  eo_strategy *replay = eo__replay_open(choices.items, (uint32_t)choices.count, &error);
  eo_engine engine;
  eo__engine_init(&engine, x->plain, replay);
  engine.ended = keep_failure;
  engine.context = message;
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  assert_string_equal(message, outcome->failure->message);
  eo__engine_release(&engine);
  replay->ops->close(replay);
  eo_vec_release(&choices);
}

static bool ended(void *context, const eo_outcome *outcome) {
  if (!outcome->counted) return true;
  exploring *x = context;
  if (!outcome->failure) return true;
  note_text(&x->failures, outcome->failure->message);
  if (x->plain) check_replay(x, outcome);
  return true;
}

static void explore(exploring *x, opener *open, uint64_t limit) {
  eo_error error = {0};
  x->subject = eo__promela_subject_open(x->model, x->delivery, &error);
  if (!x->subject) fail_msg("%s", error.text);
  eo_strategy_options wanted = {.view = eo_subject_view(x->subject), .delivery = x->delivery};
  if (open == eo__dfs_open)
    x->subject->ops->relations->receives_choose(x->subject, true);
  else
    x->plain = eo__promela_subject_open(x->model, x->delivery, &error);
  x->tracing = eo__wrapper_open(sizeof *x->tracing, &tracing_ops, open(&wanted, &error), &error);
  assert_non_null(x->tracing);
  x->tracing->limit = limit;
  eo__trace_init(&x->tracing->trace, eo_subject_view(x->subject), false);
  eo_engine engine;
  eo__engine_init(&engine, x->subject, &x->tracing->wrapper.base);
  engine.ended = ended;
  engine.context = x;
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  eo__engine_release(&engine);
}

static void release(exploring *x) {
  x->tracing->wrapper.base.ops->close(&x->tracing->wrapper.base);
  x->subject->ops->close(x->subject);
  if (x->plain) x->plain->ops->close(x->plain);
  forget_texts(&x->failures);
}

/* ---- Comparing ------------------------------------------------------------------------------------------------------ */

typedef struct totals {
  uint64_t compared, traces, deadlocks, assertions, incomplete, given_up;
} totals;

static bool note_failure(void *context, const eo_failure *failure, const eo_promela_step *steps, uint32_t count) {
  (void)steps;
  (void)count;
  note_text(context, failure->message);
  return true;
}

/* What full finds; it goes on behind an assertion that fails, so that it may find more. */
static void check_full(const exploring *x, const char *name) {
  texts found = {0};
  eo_error error = {0};
  eo_promela_search search = {.model = x->model, .delivery = x->delivery, .failure = note_failure, .context = &found};
  assert_int_equal(eo__promela_search_full(&search, &error), EO_OK);
  bool asserts = false;
  for (size_t i = 0; i < x->failures.count; i++) asserts |= strstr(x->failures.items[i], "assertion") != NULL;
  for (size_t i = 0; i < x->failures.count; i++) {
    bool known = false;
    for (size_t j = 0; j < found.count; j++) known |= strcmp(found.items[j], x->failures.items[i]) == 0;
    if (!known) fail_msg("%s, %s: full does not find %s", name, eo__delivery_name(x->delivery), x->failures.items[i]);
  }
  if (!asserts && !same_texts(&found, &x->failures))
    fail_msg("%s, %s: full finds %zu failures, dfs %zu", name, eo__delivery_name(x->delivery), found.count,
             x->failures.count);
  for (size_t i = 0; i < found.count; i++) {
    bool known = strstr(found.items[i], "assertion") == NULL;
    for (size_t j = 0; j < x->failures.count; j++) known |= strcmp(found.items[i], x->failures.items[j]) == 0;
    if (!known && x->failures.count == 0) fail_msg("%s: only full finds %s", name, found.items[i]);
  }
  forget_texts(&found);
}

static bool covers_all(tracing *t) {
  eo_text words;
  eo__text_init(&words);
  bool all = t->wrapper.inner->ops->telling->coverage(t->wrapper.inner, &words) == EO_COVERS_ALL;
  eo__text_release(&words);
  return all;
}

static void check_like(const exploring *dfs, opener *open, const char *strategy, const char *name, totals *sum) {
  exploring x = {.model = dfs->model, .delivery = dfs->delivery};
  tracing *wanted = dfs->tracing;
  explore(&x, open, 10 * (wanted->complete.count + wanted->failed.count) + 10);
  bool all = covers_all(x.tracing);
  size_t twice = make_distinct(&x.tracing->complete) + make_distinct(&x.tracing->failed);
  bool good = same(&wanted->complete, &x.tracing->complete) && same(&wanted->failed, &x.tracing->failed) &&
              same_texts(&x.failures, &dfs->failures);
  if (twice || (all && !good) || x.tracing->complete.count > wanted->complete.count)
    fail_msg("%s, %s: %zu traces, %zu failing ones, %zu findings; %s runs %zu and %zu, %zu twice, finds %zu", name,
             eo__delivery_name(x.delivery), wanted->complete.count, wanted->failed.count, dfs->failures.count, strategy,
             x.tracing->complete.count, x.tracing->failed.count, twice, x.failures.count);
  sum->incomplete += !all;
  sum->given_up += x.tracing->given_up;
  release(&x);
}

static void compare(const eo_promela *model, const char *name, uint64_t limit, totals *sum) {
  eo_error error = {0};
  if (eo__promela_check_ports(model, &error) != EO_OK || eo__promela_check_related(model, &error) != EO_OK)
    fail_msg("%s: %s", name, error.text);
  for (eo_delivery delivery = EO_DELIVERY_FIFO; delivery <= EO_DELIVERY_ASYNC; delivery++) {
    exploring dfs = {.model = model, .delivery = delivery};
    explore(&dfs, eo__dfs_open, limit);
    if (!dfs.tracing->too_many) {
      make_distinct(&dfs.tracing->complete);
      make_distinct(&dfs.tracing->failed);
      check_full(&dfs, name);
      check_like(&dfs, eo__dpor_open, "dpor", name, sum);
      check_like(&dfs, eo__reach_open, "reach", name, sum);
      sum->compared++;
      sum->traces += dfs.tracing->complete.count + dfs.tracing->failed.count;
      for (size_t i = 0; i < dfs.failures.count; i++)
        *(strstr(dfs.failures.items[i], "assertion") ? &sum->assertions : &sum->deadlocks) += 1;
    }
    release(&dfs);
  }
}

static totals compare_random(bool shared, bool started, uint64_t count) {
  totals sum = {0};
  for (uint64_t seed = first_seed; seed < first_seed + count; seed++) {
    eo_text text = random_ports(seed, shared);
    if (started) {
      eo_text by_init = started_by_init(text.chars);
      eo__text_release(&text);
      text = by_init;
    }
    eo_error error = {0};
    char name[32];
    snprintf(name, sizeof name, "seed %u", (unsigned)seed);
    if (getenv("EO_TEST_SHOW")) print_message("%s\n%s", name, text.chars);
    eo_promela *model = eo__promela_read("random", text.chars, text.length, &error);
    if (!model) fail_msg("%s: %s\n%s", name, error.text, text.chars);
    compare(model, name, most, &sum);
    eo__promela_close(model);
    eo__text_release(&text);
  }
  print_message("%ju comparisons, %ju traces, %ju deadlocks, %ju assertions; %ju not complete, %ju given up\n",
                (uintmax_t)sum.compared, (uintmax_t)sum.traces, (uintmax_t)sum.deadlocks, (uintmax_t)sum.assertions,
                (uintmax_t)sum.incomplete, (uintmax_t)sum.given_up);
  return sum;
}

/* Our own, in sizes that dfs can do. */
static void examples(void **state) {
  (void)state;
  static const struct {
    const char *name, *define;
  } models[] = {{"figure_2_1", "-DA"},         {"leader_election", "-DN=2"}, {"token_passing", "-DN=2"},
                {"mutual_exclusion", "-DN=2"}, {"flooding", "-DN=3"},        {"sliding_window", "-DW=1"},
                {"readers_writers", "-DN=2"}};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    totals sum = {0};
    eo_error error = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/examples/models/%s.pml", getenv("EO_SRC") ? getenv("EO_SRC") : ".", models[i].name);
    eo_promela *model = eo__promela_open(path, &models[i].define, 1, &error);
    if (!model) fail_msg("%s", error.text);
    compare(model, models[i].name, 100000, &sum);
    assert_int_equal(sum.compared, 3);
    print_message("%s: %ju deliveries, %ju traces, %ju not complete\n", models[i].name, (uintmax_t)sum.compared,
                  (uintmax_t)sum.traces, (uintmax_t)sum.incomplete);
    eo__promela_close(model);
  }
}

static void messages_alone(void **state) {
  (void)state;
  totals sum = compare_random(false, false, systems);
  assert_true(sum.compared > systems * 4 / 5 && sum.deadlocks && sum.assertions && !sum.incomplete);
}

static void started(void **state) {
  (void)state;
  totals sum = compare_random(false, true, systems / 3);
  assert_true(sum.compared > systems * 4 / 15 && sum.deadlocks && sum.assertions && !sum.incomplete);
}

/* Where the order of writes can be seen, reach says that it is not complete; dpor is. */
static void with_a_variable(void **state) {
  (void)state;
  totals sum = compare_random(true, false, systems);
  assert_true(sum.compared > systems * 4 / 5 && sum.incomplete && sum.incomplete < sum.compared);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(messages_alone),
                                     cmocka_unit_test(started), cmocka_unit_test(with_a_variable)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) systems = strtoull(argv[2], NULL, 10);
  if (argc > 3) most = strtoull(argv[3], NULL, 10);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
