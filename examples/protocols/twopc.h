/* twopc.h: two-phase commit with presumed abort (twopc.c): its messages, and what the transaction manager uses of it. */
#ifndef TWOPC_H
#define TWOPC_H

#include "protocols.h"

enum { BRANCHES = 2, ACCOUNTS = 1, TRANSACTIONS_MAX = 6 };

enum {
  TWOPC_BEGIN = EVENTS_TWOPC, /* client to coordinator */
  TWOPC_RESULT,
  TWOPC_PREPARE, /* coordinator to branch */
  TWOPC_VOTE,
  TWOPC_DECISION,
  TWOPC_ACK,
  TWOPC_INQUIRE, /* branch to coordinator: what became of this transaction? Answered by a decision */
  TWOPC_DONE,    /* client to coordinator */
  TWOPC_STOP,    /* coordinator to branch */
  TWOPC_DECIDED, /* announced: the coordinator has decided */
  TWOPC_VOTED,   /* announced: a branch has voted */
  TWOPC_APPLIED  /* announced: a branch has committed or aborted what it had prepared */
};

/* What the variants forget: see twopc.c. */
enum { TWOPC_VOTE_BY_ACCOUNT = 1, TWOPC_FIRST_ACK, TWOPC_DECISION_UNCHECKED, TWOPC_OVER_FORGOTTEN };

/* All messages but BEGIN. What is not used is 0. */
typedef struct twopc_note {
  uint8_t transaction; /* from 1 */
  uint8_t branch;
  uint8_t account;
  uint8_t yes;   /* vote, decision, result */
  int16_t units; /* of PREPARE: what the account changes by */
  uint16_t copy; /* of APPLIED: the number of the copy of the branch that did it */
} twopc_note;

typedef struct twopc_begin {
  uint8_t account;
  int8_t units[BRANCHES];
} twopc_begin;

/* What a branch has of one account: what it holds, and the transaction that has prepared a change (0: none). */
typedef struct twopc_account {
  int16_t holds, change;
  uint8_t prepared;
} twopc_account;

/* The data of a branch, which can be kept by one machine (here) or by a replicated log (tms.c). */
typedef struct twopc_branch {
  twopc_account accounts[ACCOUNTS];
  uint32_t over; /* bit t: transaction t has been refused, committed or aborted here */
} twopc_branch;

/* What a branch does with a PREPARE or DECISION. The answer goes to the coordinator: a VOTE, an ACK, or 0 for none.
 * *asked is the transaction to inquire about (0: none); `copy` tells the copies of a branch apart. */
int twopc_branch_prepare(twopc_branch *branch, const twopc_note *prepare, int bug, twopc_note *answer, uint8_t *asked);
int twopc_branch_decide(twopc_branch *branch, const twopc_note *decision, int copy, int bug, twopc_note *answer);

typedef struct twopc_setting {
  eo_pid branches[BRANCHES];
  uint8_t bug;
  uint8_t clients; /* that will say DONE before it stops */
} twopc_setting;

extern const eo_machine twopc_coordinator; /* created with a twopc_setting */
extern const eo_machine twopc_atomicity;   /* specification */

const char *twopc_event_name(int event);

#endif
