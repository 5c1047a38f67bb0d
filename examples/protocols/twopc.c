/* twopc.c: the coordinator of two-phase commit, with presumed abort, and the data of its branches.
 * (Mohan, Lindsay, Obermarck: Transaction Management in the R* Distributed Database Management System, TODS 1986.)
 *
 * The coordinator runs one transaction after the other: it asks the branches to prepare, commits when all have voted
 * yes, aborts at the first no, and answers the client. It goes on to the next one before the branches have
 * acknowledged a commit; until they all have, it remembers the transaction, so that a branch that is still in doubt
 * can inquire. What it does not remember was aborted, or is known to all.
 *
 * Invariants: a transaction is committed only if all branches voted yes; all branches do what was decided, once; what
 * a branch has prepared it does not forget before it knows the decision.
 *
 * Every message may be late (wire.h), which is when what these variants forget matters:
 *   1  a vote is told by its account, as if no two transactions in a row could be about the same one;
 *   2  the first acknowledgement is taken for that of all, since decisions are sent together;
 *   3  a decision is applied to what is prepared on its account, without looking which transaction prepared it;
 *   4  a branch does not remember that a transaction is over, and prepares it once more. */
#include "twopc.h"

#include <string.h>

#include "wire.h"

const char *twopc_event_name(int event) {
  static const char *const names[] = {"BEGIN",   "RESULT", "PREPARE", "VOTE",    "DECISION", "ACK",
                                      "INQUIRE", "DONE",   "STOP",    "DECIDED", "VOTED",    "APPLIED"};
  if (event == EXPIRED) return "EXPIRED";
  return event >= TWOPC_BEGIN && event <= TWOPC_APPLIED ? names[event - TWOPC_BEGIN] : NULL;
}

/* ---- Data of a branch --------------------------------------------------------------------------------------------- */

static int vote(twopc_branch *branch, const twopc_note *prepare, bool yes, twopc_note *answer) {
  if (!yes) branch->over |= 1u << prepare->transaction;
  *answer = (twopc_note){prepare->transaction, prepare->branch, prepare->account, yes, 0, 0};
  eo_announce(TWOPC_VOTED, answer, sizeof *answer);
  return TWOPC_VOTE;
}

int twopc_branch_prepare(twopc_branch *branch, const twopc_note *prepare, int bug, twopc_note *answer, uint8_t *asked) {
  twopc_account *account = &branch->accounts[prepare->account];
  *asked = 0;
  /* Variant 4: "what is over comes no more". */
  if (branch->over & 1u << prepare->transaction && bug != TWOPC_OVER_FORGOTTEN) return 0;
  if (account->prepared == prepare->transaction) return vote(branch, prepare, true, answer);
  if (account->prepared) {
    *asked = account->prepared;
    return vote(branch, prepare, false, answer);
  }
  if (account->holds + prepare->units < 0) return vote(branch, prepare, false, answer);
  account->prepared = prepare->transaction;
  account->change = prepare->units;
  return vote(branch, prepare, true, answer);
}

int twopc_branch_decide(twopc_branch *branch, const twopc_note *decision, int copy, int bug, twopc_note *answer) {
  twopc_account *account = &branch->accounts[decision->account];
  *answer = (twopc_note){decision->transaction, decision->branch, decision->account, decision->yes, 0, 0};
  branch->over |= 1u << decision->transaction;
  /* Variant 3: "the decision is about what waits for one". */
  if (account->prepared && (account->prepared == decision->transaction || bug == TWOPC_DECISION_UNCHECKED)) {
    twopc_note applied = *answer;
    applied.transaction = account->prepared;
    applied.copy = (uint16_t)copy;
    eo_announce(TWOPC_APPLIED, &applied, sizeof applied);
    if (decision->yes) account->holds = (int16_t)(account->holds + account->change);
    account->prepared = 0;
    account->change = 0;
  }
  return decision->yes ? TWOPC_ACK : 0;
}

/* ---- Coordinator -------------------------------------------------------------------------------------------------- */

enum { IDLE, VOTING, STOPPING };

typedef struct coordinator {
  twopc_setting setting;
  eo_pid client;
  twopc_begin work;                             /* of the transaction under way */
  uint8_t transaction;                          /* its number: that of the latest one */
  uint8_t votes;                                /* bit b: branch b has voted yes */
  uint8_t done;                                 /* clients */
  uint8_t unacknowledged[TRANSACTIONS_MAX + 1]; /* of a committed one, bit b: branch b has not acknowledged */
  uint8_t accounts[TRANSACTIONS_MAX + 1];
} coordinator;

static void coordinator_start(void *self, const eo_message *event) {
  coordinator *c = self;
  if (event->tag == EO_CREATED) c->setting = *(const twopc_setting *)event->data;
}

static void send_branch(coordinator *c, uint8_t branch, int tag, twopc_note note) {
  note.branch = branch;
  wire_send(c->setting.branches[branch], tag, &note, sizeof note);
}

static void prepare(coordinator *c, uint8_t branch) {
  send_branch(c, branch, TWOPC_PREPARE, (twopc_note){c->transaction, 0, c->work.account, 0, c->work.units[branch], 0});
}

static void begin(void *self, const eo_message *event) {
  coordinator *c = self;
  c->client = event->from;
  c->work = *(const twopc_begin *)event->data;
  c->transaction++;
  c->votes = 0;
  eo_assert(c->transaction <= TRANSACTIONS_MAX, "too many transactions");
  c->accounts[c->transaction] = c->work.account;
  for (uint8_t branch = 0; branch < BRANCHES; branch++) prepare(c, branch);
}

static void decision(coordinator *c, uint8_t branch, uint8_t transaction, bool commit) {
  send_branch(c, branch, TWOPC_DECISION, (twopc_note){transaction, 0, c->accounts[transaction], commit, 0, 0});
}

static void decide(coordinator *c, bool commit) {
  twopc_note result = {c->transaction, 0, c->work.account, commit, 0, 0};
  eo_announce(TWOPC_DECIDED, &result, sizeof result);
  if (commit) c->unacknowledged[c->transaction] = (1u << BRANCHES) - 1;
  for (uint8_t branch = 0; branch < BRANCHES; branch++) decision(c, branch, c->transaction, commit);
  eo_send(c->client, TWOPC_RESULT, &result, sizeof result);
}

static void count_vote(void *self, const eo_message *event) {
  coordinator *c = self;
  const twopc_note *vote = event->data;
  /* Variant 1: "a vote on this account is one in this transaction". */
  if (c->setting.bug == TWOPC_VOTE_BY_ACCOUNT ? vote->account != c->work.account : vote->transaction != c->transaction)
    return;
  if (vote->yes) c->votes |= (uint8_t)(1u << vote->branch);
  if (vote->yes && c->votes != (1u << BRANCHES) - 1) return;
  decide(c, vote->yes);
  eo_goto(self, IDLE, NULL, 0);
}

static bool all_known(const coordinator *c) {
  for (int t = 1; t <= c->transaction; t++)
    if (c->unacknowledged[t]) return false;
  return true;
}

static void stop_when_known(void *self, const eo_message *event) {
  coordinator *c = self;
  (void)event;
  if (!all_known(c)) return;
  for (int branch = 0; branch < BRANCHES; branch++) eo_send(c->setting.branches[branch], TWOPC_STOP, NULL, 0);
  eo_halt(self);
}

static void acknowledged(void *self, const eo_message *event) {
  coordinator *c = self;
  const twopc_note *ack = event->data;
  c->unacknowledged[ack->transaction] &= (uint8_t) ~(1u << ack->branch);
  /* Variant 2: "the others were told at the same time". */
  if (c->setting.bug == TWOPC_FIRST_ACK) c->unacknowledged[ack->transaction] = 0;
}

static void acknowledged_at_end(void *self, const eo_message *event) {
  acknowledged(self, event);
  stop_when_known(self, event);
}

static void client_done(void *self, const eo_message *event) {
  coordinator *c = self;
  (void)event;
  if (++c->done == c->setting.clients) eo_goto(self, STOPPING, NULL, 0);
}

static void answer_inquiry(void *self, const eo_message *event) {
  coordinator *c = self;
  const twopc_note *inquiry = event->data;
  decision(c, inquiry->branch, inquiry->transaction, c->unacknowledged[inquiry->transaction] != 0);
}

/* What is being voted on is not decided yet: the branch will hear. */
static void answer_inquiry_voting(void *self, const eo_message *event) {
  const coordinator *c = self;
  const twopc_note *inquiry = event->data;
  if (inquiry->transaction != c->transaction) answer_inquiry(self, event);
}

/* No answer in time: asks again for what is still missing. */
static void ask_again(void *self, const eo_message *event) {
  coordinator *c = self;
  const parcel *held = event->data;
  twopc_note note;
  memcpy(&note, held->data, sizeof note);
  uint8_t bit = (uint8_t)(1u << note.branch);
  if (held->tag == TWOPC_PREPARE && note.transaction == c->transaction && !(c->votes & bit)) prepare(c, note.branch);
  if (held->tag == TWOPC_DECISION && c->unacknowledged[note.transaction] & bit)
    decision(c, note.branch, note.transaction, true);
}

const eo_machine twopc_coordinator = {
    .name = "coordinator",
    EO_VARIABLES(coordinator),
    .start = IDLE,
    .event_name = twopc_event_name,
    EO_STATES([IDLE] = {.name = "idle",
                        .entry = coordinator_start,
                        .on = EO_ON(EO_DO(TWOPC_INQUIRE, answer_inquiry), EO_DO(EXPIRED, ask_again),
                                    EO_GOTO_WITH(TWOPC_BEGIN, VOTING, begin), EO_DO(TWOPC_ACK, acknowledged),
                                    EO_IGNORE(TWOPC_VOTE), EO_DO(TWOPC_DONE, client_done))},
              [VOTING] = {.name = "voting",
                          .on = EO_ON(EO_DO(TWOPC_INQUIRE, answer_inquiry_voting), EO_DO(EXPIRED, ask_again),
                                      EO_DEFER(TWOPC_BEGIN), EO_DO(TWOPC_VOTE, count_vote),
                                      EO_DO(TWOPC_ACK, acknowledged), EO_DO(TWOPC_DONE, client_done))},
              [STOPPING] = {.name = "stopping",
                            .entry = stop_when_known,
                            .on = EO_ON(EO_DO(TWOPC_INQUIRE, answer_inquiry), EO_DO(EXPIRED, ask_again),
                                        EO_DO(TWOPC_ACK, acknowledged_at_end), EO_IGNORE(TWOPC_VOTE))})};
