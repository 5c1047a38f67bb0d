/* twopc_test.c: two-phase commit as a bank: branches, clients that transfer, what must be true, and the tests.
 *
 * All clients move units between the branches on the same account; the last transfer of each asks for more than a branch
 * has. */
#include <string.h>

#include "twopc.h"
#include "wire.h"

enum { CLIENTS = 2, TRANSFERS = 3, ACCOUNT = 0 };

enum { MEET = EVENTS_TWOPC + 50 }; /* test to branch: the coordinator */

/* ---- Branch ------------------------------------------------------------------------------------------------------- */

typedef struct branch_setting {
  uint8_t index, bug;
} branch_setting;

typedef struct branch {
  twopc_branch data;
  branch_setting setting;
  eo_pid coordinator;
} branch;

static void branch_start(void *self, const eo_message *event) {
  branch *b = self;
  b->setting = *(const branch_setting *)event->data;
  for (int i = 0; i < ACCOUNTS; i++) b->data.accounts[i].holds = 5;
}

static void branch_meet(void *self, const eo_message *event) {
  ((branch *)self)->coordinator = *(const eo_pid *)event->data;
}

static void answer(branch *b, int tag, const twopc_note *note) {
  if (tag) wire_send(b->coordinator, tag, note, sizeof *note);
}

static void branch_prepare(void *self, const eo_message *event) {
  branch *b = self;
  const twopc_note *prepare = event->data;
  twopc_note note, inquiry = {0, b->setting.index, prepare->account, 0, 0, 0};
  int tag = twopc_branch_prepare(&b->data, prepare, b->setting.bug, &note, &inquiry.transaction);
  answer(b, tag, &note);
  if (inquiry.transaction) answer(b, TWOPC_INQUIRE, &inquiry);
}

static void branch_decide(void *self, const eo_message *event) {
  branch *b = self;
  twopc_note note;
  int tag = twopc_branch_decide(&b->data, event->data, 0, b->setting.bug, &note);
  answer(b, tag, &note);
}

static void branch_again(void *self, const eo_message *event) {
  (void)self;
  wire_repeat(event->data);
}

static void branch_stop(void *self, const eo_message *event) {
  (void)event;
  eo_halt(self);
}

static const eo_machine branch_machine = {
    .name = "branch",
    EO_VARIABLES(branch),
    .event_name = twopc_event_name,
    EO_STATES({.name = "serving",
               .entry = branch_start,
               .on = EO_ON(EO_DO(MEET, branch_meet), EO_DO(TWOPC_PREPARE, branch_prepare),
                           EO_DO(TWOPC_DECISION, branch_decide), EO_DO(EXPIRED, branch_again),
                           EO_DO(TWOPC_STOP, branch_stop))})};

/* ---- Client ------------------------------------------------------------------------------------------------------- */

typedef struct client {
  eo_pid coordinator;
  uint8_t transfers; /* done */
} client;

static void client_transfer(void *self, const eo_message *event) {
  client *c = self;
  if (event->tag == EO_CREATED) c->coordinator = *(const eo_pid *)event->data;
  if (c->transfers == TRANSFERS) {
    eo_send(c->coordinator, TWOPC_DONE, NULL, 0);
    eo_halt(self);
    return;
  }
  bool too_much = c->transfers == TRANSFERS - 1;
  twopc_begin begin = {ACCOUNT, {too_much ? 8 : 1, too_much ? -8 : -1}};
  eo_send(c->coordinator, TWOPC_BEGIN, &begin, sizeof begin);
}

static void client_result(void *self, const eo_message *event) {
  (void)event;
  ((client *)self)->transfers++;
}

static const eo_machine client_machine = {
    .name = "client",
    EO_VARIABLES(client),
    .event_name = twopc_event_name,
    EO_STATES(
        {.name = "transferring", .entry = client_transfer, .on = EO_ON(EO_GOTO_WITH(TWOPC_RESULT, 0, client_result))})};

/* ---- Specification ------------------------------------------------------------------------------------------------ */

typedef struct atomicity {
  uint16_t refused;                       /* bit t: a branch has voted no in transaction t */
  uint16_t applied[TRANSACTIONS_MAX + 1]; /* bit b + BRANCHES * c: copy c of branch b has committed or aborted */
  uint8_t decided[TRANSACTIONS_MAX + 1];  /* 1: aborted, 2: committed */
} atomicity;

static void check_votes(const atomicity *a, uint8_t t) {
  eo_assert(a->decided[t] != 2 || !(a->refused & 1u << t), "transaction %d is committed, but a branch has voted no", t);
}

static void see_vote(void *self, const eo_message *event) {
  atomicity *a = self;
  const twopc_note *vote = event->data;
  if (!vote->yes) a->refused |= (uint16_t)(1u << vote->transaction);
  check_votes(a, vote->transaction);
}

static void see_decision(void *self, const eo_message *event) {
  atomicity *a = self;
  const twopc_note *decision = event->data;
  uint8_t t = decision->transaction;
  a->decided[t] = (uint8_t)(1 + decision->yes);
  check_votes(a, t);
}

static void see_applied(void *self, const eo_message *event) {
  atomicity *a = self;
  const twopc_note *applied = event->data;
  uint8_t t = applied->transaction;
  uint16_t bit = (uint16_t)(1u << (applied->branch + BRANCHES * applied->copy));
  eo_assert(a->decided[t] == 1 + applied->yes, "branch %d %s transaction %d, which was %s", applied->branch,
            applied->yes ? "commits" : "aborts", t,
            a->decided[t] == 0   ? "not decided"
            : a->decided[t] == 1 ? "aborted"
                                 : "committed");
  eo_assert(!(a->applied[t] & bit), "branch %d does transaction %d twice", applied->branch, t);
  a->applied[t] |= bit;
}

const eo_machine twopc_atomicity = {
    .name = "atomicity",
    EO_VARIABLES(atomicity),
    .event_name = twopc_event_name,
    EO_OBSERVES(TWOPC_VOTED, TWOPC_DECIDED, TWOPC_APPLIED),
    EO_STATES({.name = "watching",
               .on = EO_ON(EO_DO(TWOPC_VOTED, see_vote), EO_DO(TWOPC_DECIDED, see_decision),
                           EO_DO(TWOPC_APPLIED, see_applied))})};

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

void twopc_run(int bug) {
  eo_specify(&twopc_atomicity, NULL, 0);
  twopc_setting setting = {.bug = (uint8_t)bug, .clients = CLIENTS};
  for (int i = 0; i < BRANCHES; i++) {
    branch_setting one = {(uint8_t)i, (uint8_t)bug};
    setting.branches[i] = eo_create(&branch_machine, &one, sizeof one);
  }
  eo_pid coordinator = eo_create(&twopc_coordinator, &setting, sizeof setting);
  for (int i = 0; i < BRANCHES; i++) eo_send(setting.branches[i], MEET, &coordinator, sizeof coordinator);
  for (int i = 0; i < CLIENTS; i++) eo_create(&client_machine, &coordinator, sizeof coordinator);
}

PROTOCOL_TEST(twopc_correct, twopc_run, CORRECT)
PROTOCOL_TEST(twopc_1, twopc_run, 1)
PROTOCOL_TEST(twopc_2, twopc_run, 2)
PROTOCOL_TEST(twopc_3, twopc_run, 3)
PROTOCOL_TEST(twopc_4, twopc_run, 4)
