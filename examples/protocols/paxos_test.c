/* paxos_test.c: what must be true of Paxos, and the tests. The leader has decrees chosen one after the other; for the
 * last one another proposer competes with it. In the end two auditors find out what was chosen. */
#include <string.h>

#include "paxos.h"

/* ---- Specification ------------------------------------------------------------------------------------------------ */

typedef struct agreement {
  uint8_t value[DECREES];
} agreement;

static void see_known(void *self, const eo_message *event) {
  agreement *a = self;
  const paxos_note *note = event->data;
  uint8_t *value = &a->value[note->decree];
  eo_assert(*value == 0 || *value == note->value, "decree %d: proposer %d holds %d to be chosen, others %d",
            note->decree, note->proposer, note->value, *value);
  *value = note->value;
}

static const eo_machine agreement_machine = {
    .name = "agreement",
    EO_VARIABLES(agreement),
    .event_name = paxos_event_name,
    EO_OBSERVES(PAXOS_KNOWN),
    EO_STATES({.name = "watching", .on = EO_ON(EO_DO(PAXOS_KNOWN, see_known))})};

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

static void wait_for(int count) {
  eo_message message;
  for (int i = 0; i < count; i++) eo_receive_tag(&message, PAXOS_DONE, EO_FOREVER);
}

void paxos_run(int bug, bool faults) {
  eo_specify(&agreement_machine, NULL, 0);
  paxos_proposer_setting setting = {.test = eo_self(), .bug = (uint8_t)bug};
  for (int i = 0; i < ACCEPTORS; i++) {
    paxos_acceptor_setting acceptor = {(uint8_t)i, (uint8_t)bug};
    setting.acceptors[i] = eo_create(&paxos_acceptor, &acceptor, sizeof acceptor);
  }
  eo_pid proposers[PROPOSERS];
  for (int i = 0; i < PROPOSERS; i++) {
    setting.index = (uint8_t)i;
    setting.allowance = faults && i == LEADER;
    proposers[i] = eo_create(&paxos_proposer, &setting, sizeof setting);
  }
  for (int i = 0; i < ACCEPTORS; i++) eo_send(setting.acceptors[i], PAXOS_MEET, proposers, sizeof proposers);
  for (int i = 0; i < PROPOSERS; i++) eo_send(proposers[i], PAXOS_MEET, proposers, sizeof proposers);
  wait_for(AUDITOR);
  for (int i = AUDITOR; i < PROPOSERS; i++) eo_send(proposers[i], PAXOS_AUDIT, NULL, 0);
  wait_for(PROPOSERS - AUDITOR);
  for (int i = 0; i < ACCEPTORS; i++) eo_send(setting.acceptors[i], PAXOS_STOP, NULL, 0);
  for (int i = 0; i < PROPOSERS; i++) eo_send(proposers[i], PAXOS_STOP, NULL, 0);
}

static void run(int bug) { paxos_run(bug, true); }

PROTOCOL_TEST(paxos_correct, run, CORRECT)
PROTOCOL_TEST(paxos_1, run, 1)
PROTOCOL_TEST(paxos_2, run, 2)
PROTOCOL_TEST(paxos_3, run, 3)
