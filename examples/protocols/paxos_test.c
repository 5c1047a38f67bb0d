/* paxos_test.c: what must be true of Paxos, and the tests. The leader has decrees chosen one after the other; for the
 * last one the other proposers compete with it. In the end readers ask all proposers for all decrees. */
#include <string.h>

#include "paxos.h"

enum { READERS = 2 };

/* ---- Readers ------------------------------------------------------------------------------------------------------ */

typedef struct reader_setting {
  eo_pid test;
  eo_pid proposers[PROPOSERS];
} reader_setting;

typedef struct reader {
  eo_pid test;
  uint8_t values[DECREES];
  uint8_t missing;
} reader;

static void reader_start(void *self, const eo_message *event) {
  reader *r = self;
  reader_setting setting = *(const reader_setting *)event->data;
  r->test = setting.test;
  r->missing = DECREES * PROPOSERS;
  for (uint8_t decree = 0; decree < DECREES; decree++)
    for (uint8_t i = 0; i < PROPOSERS; i++) {
      paxos_note read = {.decree = decree, .proposer = i};
      eo_send(setting.proposers[i], PAXOS_READ, &read, sizeof read);
    }
}

static void reader_value(void *self, const eo_message *event) {
  reader *r = self;
  const paxos_note *note = event->data;
  uint8_t *value = &r->values[note->decree];
  if (note->value) {
    eo_assert(*value == 0 || *value == note->value, "decree %d is %d and %d", note->decree, *value, note->value);
    *value = note->value;
  }
  if (--r->missing > 0) return;
  eo_send(r->test, PAXOS_DONE, NULL, 0);
  eo_halt(self);
}

static const eo_machine reader_machine = {
    .name = "reader",
    .size = sizeof(reader),
    .event_name = paxos_event_name,
    EO_STATES({.name = "reading", .entry = reader_start, .on = EO_ON(EO_DO(PAXOS_VALUE, reader_value))})};

/* ---- Specification ------------------------------------------------------------------------------------------------ */

typedef struct agreement {
  uint8_t value[DECREES];
  uint8_t took[DECREES][ACCEPTORS]; /* the latest ballot in which each acceptor accepted */
} agreement;

static void see_known(void *self, const eo_message *event) {
  agreement *a = self;
  const paxos_note *note = event->data;
  uint8_t *value = &a->value[note->decree];
  eo_assert(*value == 0 || *value == note->value, "decree %d: proposer %d holds %d to be chosen, others %d",
            note->decree, note->proposer, note->value, *value);
  *value = note->value;
}

static void see_took(void *self, const eo_message *event) {
  agreement *a = self;
  const paxos_note *note = event->data;
  uint8_t *took = &a->took[note->decree][note->acceptor];
  eo_assert(note->ballot >= *took, "decree %d: acceptor %d accepts in ballot %d after %d", note->decree, note->acceptor,
            note->ballot, *took);
  *took = note->ballot;
}

static const eo_machine agreement_machine = {
    .name = "agreement",
    .size = sizeof(agreement),
    .event_name = paxos_event_name,
    EO_OBSERVES(PAXOS_KNOWN, PAXOS_TOOK),
    EO_STATES({.name = "watching", .on = EO_ON(EO_DO(PAXOS_KNOWN, see_known), EO_DO(PAXOS_TOOK, see_took))})};

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

static void wait_for(int count) {
  eo_message message;
  for (int i = 0; i < count; i++) eo_receive_tag(&message, PAXOS_DONE, EO_FOREVER);
}

void paxos_run(int bug, bool faults) {
  eo_specify(&agreement_machine, NULL, 0);
  paxos_proposer_setting proposer = {.test = eo_self(), .bug = (uint8_t)bug, .allowance = faults};
  for (int i = 0; i < ACCEPTORS; i++) {
    paxos_acceptor_setting acceptor = {(uint8_t)i, (uint8_t)bug, faults};
    proposer.acceptors[i] = eo_create(&paxos_acceptor, &acceptor, sizeof acceptor);
  }
  reader_setting reading = {.test = eo_self()};
  for (int i = 0; i < PROPOSERS; i++) {
    proposer.index = (uint8_t)i;
    reading.proposers[i] = eo_create(&paxos_proposer, &proposer, sizeof proposer);
  }
  for (int i = 0; i < ACCEPTORS; i++)
    eo_send(proposer.acceptors[i], PAXOS_MEET, reading.proposers, sizeof reading.proposers);
  for (int i = 0; i < PROPOSERS; i++)
    eo_send(reading.proposers[i], PAXOS_MEET, reading.proposers, sizeof reading.proposers);
  wait_for(PROPOSERS);
  for (int i = 0; i < READERS; i++) eo_create(&reader_machine, &reading, sizeof reading);
  wait_for(READERS);
  for (int i = 0; i < ACCEPTORS; i++) eo_send(proposer.acceptors[i], PAXOS_STOP, NULL, 0);
  for (int i = 0; i < PROPOSERS; i++) eo_send(reading.proposers[i], PAXOS_STOP, NULL, 0);
}

static void run(int bug) { paxos_run(bug, true); }

PROTOCOL_TEST(paxos_correct, run, CORRECT)
PROTOCOL_TEST(paxos_1, run, 1)
PROTOCOL_TEST(paxos_2, run, 2)
PROTOCOL_TEST(paxos_3, run, 3)
PROTOCOL_TEST(paxos_4, run, 4)
PROTOCOL_TEST(paxos_5, run, 5)
PROTOCOL_TEST(paxos_7, run, 7)
PROTOCOL_TEST(paxos_8, run, 8)
