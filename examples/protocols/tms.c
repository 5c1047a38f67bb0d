/* tms.c: a transaction management system: two-phase commit (twopc.c) between branches that are each a log on three
 * replicas (multipaxos.c).
 *
 * In front of each branch stands a gateway. It takes what the coordinator asks for, one after the other, puts it into
 * the log of the branch as a command with the next number, and hands the reply back as vote or acknowledgement. The
 * replicas do the commands to their copy of the accounts; any of them may become the leader of its log at any time.
 *
 * Invariants: those of twopc.c and multipaxos.c; a gateway answers the coordinator with the reply to what it asked.
 *
 * What the variants forget, each where one protocol relies on the other:
 *   1  the gateway, that a decision may be late: it takes the next transaction on an account for the last one, and repeats
 *      its vote;
 *   2  the branch, that a request which the coordinator repeats is a new command to the log: it relies on the log to do
 *      nothing twice, and prepares again what is over (4 of twopc.c);
 *   3  the same of decisions: it relies on the log for their order, and decides what is prepared, whichever it is (3);
 *   4  the coordinator, that logs are not equally fast: it takes the first gateway's acknowledgement for all (2). */
#include <string.h>

#include "multipaxos.h"
#include "twopc.h"
#include "wire.h"

enum { CLIENTS = 2, ACCOUNT = 0, BUG_VOTE = 1, BUG_OVER, BUG_ORDER, BUG_FIRST };

enum { TMS_MEET = EVENTS_TMS };

/* ---- The service of a branch's log -------------------------------------------------------------------------------- */

_Static_assert(sizeof(twopc_branch) <= SERVICE_MAX, "the data of a branch must fit into a log's");
_Static_assert(sizeof(twopc_note) == sizeof((log_command){0}.body),
               "a message of two-phase commit is a command's body");

enum { KIND_PREPARE = 1, KIND_DECISION, KIND_VOTE, KIND_ACK, KIND_NOTHING };

static void branch_start(void *data) {
  twopc_branch *branch = data;
  for (int i = 0; i < ACCOUNTS; i++) branch->accounts[i].holds = 5;
}

/* The reply says with its `group` byte, which the gateway knows anyway, which transaction to inquire about. */
static void branch_apply(void *data, const log_command *command, int replica, int bug, log_reply *reply) {
  twopc_note note, answer = {0};
  uint8_t asked = 0;
  memcpy(&note, command->body, sizeof note);
  int tag = command->kind == KIND_PREPARE ? twopc_branch_prepare(data, &note, bug, &answer, &asked)
                                          : twopc_branch_decide(data, &note, replica, bug, &answer);
  reply->kind = tag == TWOPC_VOTE ? KIND_VOTE : tag == TWOPC_ACK ? KIND_ACK : KIND_NOTHING;
  reply->group = asked;
  memcpy(reply->body, &answer, sizeof answer);
}

const log_service log_branch_service = {branch_start, NULL, branch_apply};

/* ---- Gateway ------------------------------------------------------------------------------------------------------ */

typedef struct gateway_setting {
  uint8_t index, bug;
} gateway_setting;

typedef struct gateway_meet {
  eo_pid coordinator;
  eo_pid replicas[REPLICAS];
} gateway_meet;

typedef struct gateway {
  gateway_meet others;
  gateway_setting setting;
  uint8_t number;  /* of the latest command */
  twopc_note note; /* what it does */
  twopc_note vote; /* the latest one, until a decision is asked for; transaction 0: none */
} gateway;

enum { READY, WAITING };

static void gateway_start(void *self, const eo_message *event) {
  if (event->tag == EO_CREATED) ((gateway *)self)->setting = *(const gateway_setting *)event->data;
}

static void gateway_meet_others(void *self, const eo_message *event) {
  ((gateway *)self)->others = *(const gateway_meet *)event->data;
}

static void gateway_vote(gateway *g) { wire_send(g->others.coordinator, TWOPC_VOTE, &g->vote, sizeof g->vote); }

/* A request that is repeated is answered with the same vote, without the log. Variant 1: "what is asked on an account
 * before the last vote on it is decided is what was asked before". */
static bool is_repeated(const gateway *g, const twopc_note *prepare) {
  if (!g->vote.transaction) return false;
  return g->setting.bug == BUG_VOTE ? g->vote.account == prepare->account : g->vote.transaction == prepare->transaction;
}

static void gateway_ask(void *self, const eo_message *event) {
  gateway *g = self;
  if (event->tag == TWOPC_PREPARE && is_repeated(g, event->data)) {
    g->vote.transaction = ((const twopc_note *)event->data)->transaction;
    gateway_vote(g);
    return;
  }
  memset(&g->vote, 0, sizeof g->vote);
  log_command command = {1, ++g->number, event->tag == TWOPC_PREPARE ? KIND_PREPARE : KIND_DECISION, 0, {0}};
  memcpy(&g->note, event->data, sizeof g->note);
  memcpy(command.body, &g->note, sizeof g->note);
  wire_send(g->others.replicas[0], LOG_REQUEST, &command, sizeof command);
  eo_goto(self, WAITING, NULL, 0);
}

static void gateway_reply(void *self, const eo_message *event) {
  gateway *g = self;
  log_reply reply = *(const log_reply *)event->data;
  if (reply.number != g->number) return;
  twopc_note answer, inquiry = {reply.group, g->setting.index, g->note.account, 0, 0, 0};
  memcpy(&answer, reply.body, sizeof answer);
  answer.branch = g->setting.index;
  if (reply.kind == KIND_VOTE) {
    g->vote = answer;
    gateway_vote(g);
  }
  if (reply.kind == KIND_ACK) wire_send(g->others.coordinator, TWOPC_ACK, &answer, sizeof answer);
  if (reply.group) wire_send(g->others.coordinator, TWOPC_INQUIRE, &inquiry, sizeof inquiry);
  eo_goto(self, READY, NULL, 0);
}

static void gateway_again(void *self, const eo_message *event) {
  (void)self;
  wire_repeat(event->data);
}

static void gateway_stop(void *self, const eo_message *event) {
  gateway *g = self;
  (void)event;
  for (int i = 0; i < REPLICAS; i++) eo_send(g->others.replicas[i], LOG_STOP, NULL, 0);
  eo_halt(self);
}

static const eo_machine gateway_machine = {
    .name = "gateway",
    EO_VARIABLES(gateway),
    .start = READY,
    .event_name = twopc_event_name,
    EO_STATES([READY] = {.name = "ready",
                         .entry = gateway_start,
                         .on = EO_ON(EO_DO(TMS_MEET, gateway_meet_others), EO_IGNORE(LOG_REPLY),
                                     EO_DO(TWOPC_PREPARE, gateway_ask), EO_DO(TWOPC_DECISION, gateway_ask),
                                     EO_DO(TWOPC_STOP, gateway_stop), EO_DO(EXPIRED, gateway_again))},
              [WAITING] = {.name = "waiting",
                           .on = EO_ON(EO_DEFER(TWOPC_PREPARE), EO_DEFER(TWOPC_DECISION), EO_DEFER(TWOPC_STOP),
                                       EO_DO(LOG_REPLY, gateway_reply), EO_DO(EXPIRED, gateway_again))})};

/* ---- Client ------------------------------------------------------------------------------------------------------- */

typedef struct client_setting {
  eo_pid coordinator;
  uint8_t transfers; /* on the shared account */
} client_setting;

typedef struct client {
  client_setting setting;
  uint8_t done; /* transfers */
} client;

/* The last one of several asks for more than branch 1 has. */
static void client_transfer(void *self, const eo_message *event) {
  client *c = self;
  if (event->tag == EO_CREATED) c->setting = *(const client_setting *)event->data;
  if (c->done == c->setting.transfers) {
    eo_send(c->setting.coordinator, TWOPC_DONE, NULL, 0);
    eo_halt(self);
    return;
  }
  bool too_much = c->done > 0 && c->done == c->setting.transfers - 1;
  twopc_begin begin = {ACCOUNT, {too_much ? 8 : 1, too_much ? -8 : -1}};
  eo_send(c->setting.coordinator, TWOPC_BEGIN, &begin, sizeof begin);
}

static void client_result(void *self, const eo_message *event) {
  (void)event;
  ((client *)self)->done++;
}

static const eo_machine client_machine = {
    .name = "client",
    EO_VARIABLES(client),
    .event_name = twopc_event_name,
    EO_STATES(
        {.name = "transferring", .entry = client_transfer, .on = EO_ON(EO_GOTO_WITH(TWOPC_RESULT, 0, client_result))})};

/* ---- Specification ------------------------------------------------------------------------------------------------ */

/* What is committed every branch has voted for: some replica of it, at least. (And twopc_atomicity: none against.) */
typedef struct unanimity {
  uint8_t yes[TRANSACTIONS_MAX + 1]; /* bit b: branch b has voted yes */
} unanimity;

static void see_vote(void *self, const eo_message *event) {
  unanimity *u = self;
  const twopc_note *vote = event->data;
  if (vote->yes) u->yes[vote->transaction] |= (uint8_t)(1u << vote->branch);
}

static void see_decision(void *self, const eo_message *event) {
  const unanimity *u = self;
  const twopc_note *decision = event->data;
  eo_assert(!decision->yes || u->yes[decision->transaction] == (1u << BRANCHES) - 1,
            "transaction %d is committed, but not all branches have voted yes", decision->transaction);
}

static const eo_machine unanimity_machine = {
    .name = "unanimity",
    EO_VARIABLES(unanimity),
    .event_name = twopc_event_name,
    EO_OBSERVES(TWOPC_VOTED, TWOPC_DECIDED),
    EO_STATES({.name = "watching", .on = EO_ON(EO_DO(TWOPC_VOTED, see_vote), EO_DO(TWOPC_DECIDED, see_decision))})};

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

static eo_pid start_branch(int index, int bug, int service_bug, gateway_meet *meet) {
  gateway_setting setting = {(uint8_t)index, (uint8_t)bug};
  eo_pid pid = eo_create(&gateway_machine, &setting, sizeof setting);
  log_meet all = {.clients = {EO_NOBODY, pid}};
  for (int i = 0; i < REPLICAS; i++) {
    log_setting one = {(uint8_t)i, (uint8_t)index, 0, SERVICE_BRANCH, (uint8_t)service_bug};
    meet->replicas[i] = all.replicas[i] = eo_create(&log_replica, &one, sizeof one);
  }
  for (int i = 0; i < REPLICAS; i++) eo_send(all.replicas[i], LOG_MEET, &all, sizeof all);
  return pid;
}

/* Two clients contend for one account, one with several transfers and the other with a single one. */
void tms_run(int bug) {
  eo_specify(&twopc_atomicity, NULL, 0);
  eo_specify(&unanimity_machine, NULL, 0);
  int service_bug = bug == BUG_OVER ? TWOPC_OVER_FORGOTTEN : bug == BUG_ORDER ? TWOPC_DECISION_UNCHECKED : 0;
  twopc_setting setting = {.bug = bug == BUG_FIRST ? TWOPC_FIRST_ACK : 0, .clients = CLIENTS};
  gateway_meet meets[BRANCHES];
  memset(meets, 0, sizeof meets);
  for (int i = 0; i < BRANCHES; i++) setting.branches[i] = start_branch(i, bug, service_bug, &meets[i]);
  eo_pid coordinator = eo_create(&twopc_coordinator, &setting, sizeof setting);
  for (int i = 0; i < BRANCHES; i++) {
    meets[i].coordinator = coordinator;
    eo_send(setting.branches[i], TMS_MEET, &meets[i], sizeof meets[i]);
  }
  for (int i = 0; i < CLIENTS; i++) {
    client_setting one = {coordinator, i == 0 ? 3 : 1};
    eo_create(&client_machine, &one, sizeof one);
  }
}

PROTOCOL_TEST(tms_correct, tms_run, CORRECT)
PROTOCOL_TEST(tms_1, tms_run, 1)
PROTOCOL_TEST(tms_2, tms_run, 2)
PROTOCOL_TEST(tms_3, tms_run, 3)
PROTOCOL_TEST(tms_4, tms_run, 4)
