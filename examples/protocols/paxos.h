/* paxos.h: single-decree Paxos (paxos.c): its messages. */
#ifndef PAXOS_H
#define PAXOS_H

#include "protocols.h"

enum { ACCEPTORS = 3, MAJORITY = 2, DECREES = 2, ROUNDS = 3, PROPOSERS = 3, AUDITOR = PROPOSERS - 1 };

enum {
  PAXOS_MEET = EVENTS_PAXOS, /* test to all: the proposers */
  PAXOS_PREPARE,             /* proposer to acceptor */
  PAXOS_PROMISE,
  PAXOS_ACCEPT, /* proposer to acceptor */
  PAXOS_ACCEPTED,
  PAXOS_REFUSED, /* acceptor to proposer: it has promised a higher ballot */
  PAXOS_VOTED,   /* announced: an acceptor has accepted */
  PAXOS_KNOWN    /* announced: a proposer holds a value to be chosen */
};

typedef struct paxos_note {
  uint8_t decree;
  uint8_t ballot;   /* of PREPARE and ACCEPT, and of what answers them; from 1 */
  uint8_t acceptor; /* that answers, or is asked */
  uint8_t value;    /* 0: none */
  uint8_t accepted; /* of PROMISE: the ballot in which the value was accepted; of REFUSED: the ballot promised */
  uint8_t proposer;
} paxos_note;

typedef struct paxos_acceptor_setting {
  uint8_t index, bug;
} paxos_acceptor_setting;

typedef struct paxos_proposer_setting {
  eo_pid acceptors[ACCEPTORS];
  uint8_t index, bug;
} paxos_proposer_setting;

extern const eo_machine paxos_acceptor, paxos_proposer;

const char *paxos_event_name(int event);

#endif
