/* traces.c: linked by traces.sh with the sources of an example, whose main it takes the place of. For each of its tests and
 * each delivery: dpor, and reach where all races are races of messages, with and without its tree, must run exactly as many
 * executions as dfs finds traces (--dpor source, where dfs has too many): those of whole executions, and what led to a failing
 * step; the same ones, none twice. Argument: how many executions are too many to compare with. */
#include <everyorder.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/engine.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"
#include "tracing.h"

static void run_test(void *test) { ((eo_test *)test)->body(); }

typedef eo_strategy *opener(const eo_strategy_options *options, eo_error *error);

static tracing *explore(eo_test *test, opener *open, bool no_tree, eo_delivery delivery, uint64_t limit,
                        bool *refused) {
  eo_error error = {0};
  eo_actor_options options = {.function = run_test, .argument = test, .watchdog = 30, .delivery = delivery};
  eo_subject *subject = eo__actor_open(&options, &error);
  EO_CHECK(subject);
  eo_strategy_options wanted = {.view = eo_subject_view(subject), .delivery = delivery, .no_tree = no_tree};
  tracing *t = eo__wrapper_open(sizeof *t, &tracing_ops, open(&wanted, &error), &error);
  EO_CHECK(t);
  t->limit = limit;
  eo__trace_init(&t->trace, eo_subject_view(subject), false);
  eo_engine engine;
  eo__engine_init(&engine, subject, &t->wrapper.base);
  engine.max_depth = 1000;
  EO_CHECK(eo__engine_run(&engine, &error) == EO_OK);
  eo__engine_release(&engine);
  eo_text words;
  eo__text_init(&words);
  *refused = t->wrapper.inner->ops->telling->coverage(t->wrapper.inner, &words) != EO_COVERS_ALL &&
             strstr(words.chars, "no messages");
  subject->ops->close(subject); /* `t` is left as it is: this process ends soon */
  return t;
}

static eo_strategy *open_source(const eo_strategy_options *options, eo_error *error) {
  return eo__dpor_sets_open(options, true, error);
}

enum { EQUAL, DIFFERENT, TOO_MANY, EQUAL_REACHED, RESULTS };

/* Does it run exactly what there is, each once? */
static bool is_equal(const eo_test *test, const char *name, eo_delivery delivery, const tracing *all, tracing *t) {
  size_t twice = make_distinct(&t->complete) + make_distinct(&t->failed);
  if (!twice && same(&all->complete, &t->complete) && same(&all->failed, &t->failed)) return true;
  printf("%s, %s: %zu traces and %zu failing ones; %s has %zu and %zu, and runs %zu twice\n", test->name,
         eo__delivery_name(delivery), all->complete.count, all->failed.count, name, t->complete.count, t->failed.count,
         twice);
  fflush(stdout);
  return false;
}

static int compare(eo_test *test, eo_delivery delivery, uint64_t limit) {
  bool refused;
  tracing *all = explore(test, eo__dfs_open, false, delivery, limit, &refused);
  if (all->too_many) all = explore(test, open_source, false, delivery, limit, &refused);
  if (all->too_many) return TOO_MANY;
  (void)make_distinct(&all->complete);
  (void)make_distinct(&all->failed);
  if (!is_equal(test, "dpor", delivery, all, explore(test, eo__dpor_open, false, delivery, limit, &refused)))
    return DIFFERENT;
  for (int no_tree = 0; no_tree < 2; no_tree++) {
    tracing *reach = explore(test, eo__reach_open, no_tree, delivery, limit, &refused);
    if (refused) return EQUAL;
    if (!is_equal(test, no_tree ? "reach --no-tree" : "reach", delivery, all, reach)) return DIFFERENT;
  }
  return EQUAL_REACHED;
}

/* What is between processes without a message is looked for in other orders first, and what is not deterministic has no
 * traces. An event that a machine ignores is a step for dpor only; going round or waiting for ever is for others to find. */
static bool is_compared(const eo_test *test) {
  static const char *const others[] = {"sharing_",      "nondeterminism_", "lock_forgotten",       "after_you_",
                                       "liveness_in_a", "liveness_of_",    "endless_private_loop", "outside_wait"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strncmp(test->name, others[i], strlen(others[i])) == 0) return false;
  return true;
}

/* Each in a process of its own: some of the examples end theirs or loop for ever, and are not compared then. */
int main(int argc, char **argv) {
  uint64_t limit = argc > 1 ? strtoull(argv[1], NULL, 10) : 500;
  unsigned counts[RESULTS] = {0};
  for (eo_test *test = eo__tests(); test; test = test->next)
    for (int delivery = EO_DELIVERY_MAILBOX; is_compared(test) && delivery <= EO_DELIVERY_ASYNC; delivery++) {
      int status;
      pid_t child = fork();
      if (child == 0) {
        alarm(5);
        _exit(compare(test, (eo_delivery)delivery, limit));
      }
      if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) < RESULTS)
        counts[WEXITSTATUS(status)]++;
    }
  printf("%u equal, %u of them by reach too, %u different, %u too large\n", counts[EQUAL] + counts[EQUAL_REACHED],
         counts[EQUAL_REACHED], counts[DIFFERENT], counts[TOO_MANY]);
  return counts[DIFFERENT] > 0;
}
