/* test_faults.c: with a budget of faults, strategies run exactly the executions that have no more: compared with all executions
 * of the same program in which each fault point is a free choice, of which those with more are thrown away.
 * takes: 3 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <everyorder.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/engine.h"
#include "core/faults.h"
#include "core/program.h"
#include "strategies/strategies.h"
#include "subjects/actor/actor.h"

enum { LOST, PUT, PREPARE, PROMISE, REJECT, ACCEPT, DONE };

static bool free_choice; /* set before exploring */

static bool fails(const char *what) { return free_choice ? eo_flip() : eo_fault(what); }

/* ---- Chain replication: writes go down a chain of nodes, each of which may lose one ------------------------------ */

typedef struct node {
  eo_pid next;
  int writes;
} node;

static void replica(void *argument) {
  node self = *(const node *)argument;
  for (int i = 0; i < self.writes; i++) {
    eo_message m;
    eo_receive(&m, EO_FOREVER);
    bool kept = !fails("disk");
    eo_send(self.next, m.tag == PUT && kept ? PUT : LOST, NULL, 0);
  }
}

static void client(void *head) { eo_send(*(const eo_pid *)head, fails("net") ? LOST : PUT, NULL, 0); }

static void chain(int clients, int nodes) {
  node next = {eo_self(), clients};
  for (int i = 0; i < nodes; i++) next.next = eo_spawn(replica, &next, sizeof next);
  for (int i = 0; i < clients; i++) eo_spawn(client, &next.next, sizeof next.next);
  for (int i = 0; i < clients; i++) {
    eo_message m;
    eo_receive(&m, EO_FOREVER);
  }
}

static void small_chain(void *argument) {
  (void)argument;
  chain(1, 2);
}
static void larger_chain(void *argument) {
  (void)argument;
  chain(2, 3);
}

/* ---- Paxos: proposers and two acceptors; each message may be lost ------------------------------------------------ */

static void acceptor(void *argument) {
  int messages = *(const int *)argument, promised = -1;
  for (int i = 0; i < messages; i++) {
    eo_message m;
    int ballot;
    eo_receive(&m, EO_FOREVER);
    if (m.tag == DONE) continue;
    ballot = m.tag == LOST ? -1 : *(const int *)m.data;
    bool good = ballot >= promised && ballot >= 0;
    if (good) promised = ballot;
    if (m.tag != ACCEPT) eo_send(m.from, fails("net") ? LOST : good ? PROMISE : REJECT, NULL, 0);
  }
}

typedef struct proposal {
  int ballot;
  eo_pid acceptors[2];
} proposal;

static void proposer(void *argument) {
  proposal p = *(const proposal *)argument;
  int promises = 0;
  for (int i = 0; i < 2; i++) eo_send(p.acceptors[i], fails("net") ? LOST : PREPARE, &p.ballot, sizeof p.ballot);
  for (int i = 0; i < 2; i++) {
    eo_message m;
    eo_receive(&m, EO_FOREVER);
    promises += m.tag == PROMISE;
  }
  for (int i = 0; i < 2; i++) eo_send(p.acceptors[i], promises == 2 ? ACCEPT : DONE, &p.ballot, sizeof p.ballot);
}

static void paxos(void *argument) {
  int proposers = *(const int *)argument, messages = 2 * proposers;
  proposal p = {0};
  for (int i = 0; i < 2; i++) p.acceptors[i] = eo_spawn(acceptor, &messages, sizeof messages);
  for (p.ballot = 0; p.ballot < proposers; p.ballot++) eo_spawn(proposer, &p, sizeof p);
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

enum { MOST = 2 };

typedef struct counted {
  uint64_t with[MOST + 1]; /* executions with so many faults */
  uint64_t more;
  bool finished;
} counted;

static bool count(void *context, const eo_outcome *outcome) {
  counted *c = context;
  uint32_t faults = 0;
  if (outcome->end != EO_END_FINISHED) return true;
  for (uint32_t i = 0; i < outcome->depth; i++)
    faults += eo__op_chooses(outcome->choices[i].op) && outcome->choices[i].value;
  if (faults <= MOST)
    c->with[faults]++;
  else
    c->more++;
  return true;
}

typedef eo_strategy *opener(const eo_strategy_options *options, eo_error *error);

static void explore(eo_function function, void *argument, opener *open, uint32_t budget, counted *c) {
  eo_error error = {0};
  eo_actor_options options = {.function = function, .argument = argument, .watchdog = 30, .faults = {.most = budget}};
  eo_subject *subject = eo__actor_open(&options, &error);
  EO_CHECK(subject);
  eo_strategy_options wanted = {.view = eo_subject_view(subject), .faults = budget};
  eo_strategy *strategy = open(&wanted, &error);
  EO_CHECK(strategy);
  eo_engine engine;
  eo__engine_init(&engine, subject, strategy);
  engine.max_depth = 1000;
  engine.ended = count;
  engine.context = c;
  EO_CHECK(eo__engine_run(&engine, &error) == EO_OK);
  c->finished = true;
}

/* In a process of its own, as an actor subject takes over memory and signals. */
static counted counts(eo_function function, void *argument, opener *open, uint32_t budget, bool choices) {
  counted *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int status;
  assert_true(c != MAP_FAILED);
  pid_t child = fork();
  if (child == 0) {
    free_choice = choices;
    explore(function, argument, open, budget, c);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0 && c->finished);
  counted result = *c;
  munmap(c, sizeof *c);
  return result;
}

static void compare(const char *name, eo_function function, void *argument, opener *open) {
  counted all = counts(function, argument, open, 0, true);
  print_message("%s: %lu without faults, %lu with one, %lu with two, %lu with more\n", name, (unsigned long)all.with[0],
                (unsigned long)all.with[1], (unsigned long)all.with[2], (unsigned long)all.more);
  assert_true(all.with[1] > all.with[0] && all.with[2] > 0);
  for (uint32_t budget = 0; budget <= MOST; budget++) {
    counted found = counts(function, argument, open, budget, false);
    assert_int_equal(found.more, 0);
    for (uint32_t i = 0; i <= MOST; i++) assert_int_equal(found.with[i], i <= budget ? all.with[i] : 0);
  }
}

static eo_strategy *open_source(const eo_strategy_options *options, eo_error *error) {
  return eo__dpor_sets_open(options, true, error);
}

static void chain_replication(void **state) {
  (void)state;
  compare("a chain of two, dfs", small_chain, NULL, eo__dfs_open);
  compare("a chain of two, preempt", small_chain, NULL, eo__preempt_open);
  compare("a chain of two, dpor", small_chain, NULL, eo__dpor_open);
  compare("a chain of three, dpor", larger_chain, NULL, eo__dpor_open);
}

static void paxos_loses_messages(void **state) {
  (void)state;
  int one = 1, two = 2;
  compare("paxos, one proposer, dpor", paxos, &one, eo__dpor_open);
  compare("paxos, one proposer, dpor --dpor source", paxos, &one, open_source);
  compare("paxos, two proposers, dpor", paxos, &two, eo__dpor_open);
}

static void budgets_are_read(void **state) {
  (void)state;
  eo_fault_budget budget;
  eo_error error;
  eo_faults_taken taken = {0};
  assert_int_equal(eo__faults_parse(NULL, &budget, &error), EO_OK);
  assert_int_equal(budget.most, 1);
  assert_int_equal(eo__faults_parse("0", &budget, &error), EO_OK);
  assert_false(eo__faults_allow(&budget, &taken, "disk"));
  assert_int_equal(eo__faults_parse("disk=1,net=2", &budget, &error), EO_OK);
  assert_int_equal(budget.most, 3);
  assert_true(eo__faults_allow(&budget, &taken, "disk"));
  assert_false(eo__faults_allow(&budget, &taken, "dis"));
  eo__faults_take(&budget, &taken, "disk");
  assert_false(eo__faults_allow(&budget, &taken, "disk"));
  assert_true(eo__faults_allow(&budget, &taken, "net"));
  static const char *const wrong[] = {
      "",   "-1",      "1001",          "disk",    "disk=",
      "=1", "disk=1,", "disk=1,disk=2", "a=1,b=x", "a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(eo__faults_parse(wrong[i], &budget, &error), EO_EINPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(budgets_are_read), cmocka_unit_test(chain_replication),
                                     cmocka_unit_test(paxos_loses_messages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
