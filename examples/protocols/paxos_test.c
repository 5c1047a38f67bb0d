/* paxos_test.c: what must be true of Paxos, and the tests. */
#include "paxos.h"

/* ---- Specification ------------------------------------------------------------------------------------------------ */

typedef struct agreement {
  uint8_t value[DECREES];
  uint8_t ballot[ACCEPTORS][DECREES]; /* in which each acceptor has accepted last */
} agreement;

static void see_known(void *self, const eo_message *event) {
  agreement *a = self;
  const paxos_note *note = event->data;
  uint8_t *value = &a->value[note->decree];
  eo_assert(*value == 0 || *value == note->value, "decree %d: proposer %d holds %d to be chosen, others %d",
            note->decree, note->proposer, note->value, *value);
  *value = note->value;
}

/* What an acceptor has accepted in the higher ballot may be what is chosen, and it would hide it. */
static void see_voted(void *self, const eo_message *event) {
  agreement *a = self;
  const paxos_note *note = event->data;
  uint8_t *ballot = &a->ballot[note->acceptor][note->decree];
  eo_assert(*ballot <= note->ballot, "decree %d: acceptor %d accepts in ballot %d after ballot %d", note->decree,
            note->acceptor, note->ballot, *ballot);
  *ballot = note->ballot;
}

static const eo_machine agreement_machine = {
    .name = "agreement",
    EO_VARIABLES(agreement),
    .event_name = paxos_event_name,
    EO_OBSERVES(PAXOS_KNOWN, PAXOS_VOTED),
    EO_STATES({.name = "watching", .on = EO_ON(EO_DO(PAXOS_KNOWN, see_known), EO_DO(PAXOS_VOTED, see_voted))})};

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

void paxos_run(int bug) {
  eo_specify(&agreement_machine, NULL, 0);
  paxos_proposer_setting setting = {.bug = (uint8_t)bug};
  for (int i = 0; i < ACCEPTORS; i++) {
    paxos_acceptor_setting acceptor = {(uint8_t)i, (uint8_t)bug};
    setting.acceptors[i] = eo_create(&paxos_acceptor, &acceptor, sizeof acceptor);
  }
  eo_pid proposers[PROPOSERS];
  for (int i = 0; i < PROPOSERS; i++) {
    setting.index = (uint8_t)i;
    proposers[i] = eo_create(&paxos_proposer, &setting, sizeof setting);
  }
  for (int i = 0; i < ACCEPTORS; i++) eo_send(setting.acceptors[i], PAXOS_MEET, proposers, sizeof proposers);
  for (int i = 0; i < PROPOSERS; i++) eo_send(proposers[i], PAXOS_MEET, NULL, 0);
}

PROTOCOL_TEST(paxos_correct, paxos_run, CORRECT)
PROTOCOL_TEST(paxos_1, paxos_run, 1)
PROTOCOL_TEST(paxos_2, paxos_run, 2)
PROTOCOL_TEST(paxos_3, paxos_run, 3)
