/* protocols.h: what the protocols of this folder have in common: how a test selects a variant, and which numbers the
 * events of each protocol have, so that protocols can be put together. */
#ifndef PROTOCOLS_H
#define PROTOCOLS_H

#include <everyorder.h>

/* Variant 0 of each protocol is the correct one; the others lack something that its comment names. */
enum { CORRECT = 0 };

/* PROTOCOL_TEST(twopc_1, run_twopc, 1): a test that runs one variant. */
#define PROTOCOL_TEST(test, run, bug) \
  EO_TEST(test) { run(bug); }

/* First event of each protocol. */
enum {
  EVENTS_COMMON = 0,
  EVENTS_TWOPC = 100,
  EVENTS_PAXOS = 200,
  EVENTS_MULTIPAXOS = 300,
  EVENTS_TMS = 400,
  EVENTS_CHAINREP = 500,
  EVENTS_OSR = 600
};

#endif
