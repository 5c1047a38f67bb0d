/* chainrep.c: chain replication put together (chainrep.h), and its tests: the correct one, and ten that lack something. */
#include "chainrep.h"

const char *chainrep_event_name(int event) {
  static const char *const names[] = {
      "WORLD",         "UPDATE", "QUERY",   "UPDATED",     "ANSWER",      "FORWARD",         "ACK",
      "PING",          "PONG",   "REFUSED", "BECOME_HEAD", "BECOME_TAIL", "NEW_PREDECESSOR", "HAVE",
      "NEW_SUCCESSOR", "CONFIG", "TICK",    "APPLIED",     "STABLE",      "FAILED",          "TAKEN"};
  return event >= EVENTS_CHAINREP && event < CHAINREP_EVENTS ? names[event - EVENTS_CHAINREP] : NULL;
}

void chainrep_tell(const chainrep_world *world, int event, uint8_t server, chainrep_note note) {
  eo_send(world->servers[server], event, &note, sizeof note);
}

static void introduce(eo_pid pid, chainrep_world *world, uint8_t self) {
  world->self = self;
  eo_send(pid, CHAINREP_WORLD, world, sizeof *world);
}

void chainrep_start(int bug) {
  chainrep_world world = {.bug = (uint8_t)bug};
  eo_specify(&chainrep_propagation, NULL, 0);
  eo_specify(&chainrep_answers, NULL, 0);
  for (int i = 0; i < SERVERS; i++) world.servers[i] = eo_create(&chainrep_server, NULL, 0);
  for (int i = 0; i < CLIENTS; i++) world.clients[i] = eo_create(&chainrep_client, NULL, 0);
  world.master = eo_create(&chainrep_master, NULL, 0);

  for (uint8_t i = 0; i < SERVERS; i++) introduce(world.servers[i], &world, i);
  for (uint8_t i = 0; i < CLIENTS; i++) introduce(world.clients[i], &world, i);
  introduce(world.master, &world, 0); /* begins: the others know each other */
}

PROTOCOL_TEST(chainrep_correct, chainrep_start, CORRECT)
PROTOCOL_TEST(chainrep_1, chainrep_start, BUG_TRIM_BY_OWN)
PROTOCOL_TEST(chainrep_2, chainrep_start, BUG_FORGET_REQUESTS)
PROTOCOL_TEST(chainrep_3, chainrep_start, BUG_QUERY_NOT_RESENT)
PROTOCOL_TEST(chainrep_4, chainrep_start, BUG_NEW_TAIL_SILENT)
PROTOCOL_TEST(chainrep_5, chainrep_start, BUG_RESEND_TOO_MUCH)
PROTOCOL_TEST(chainrep_6, chainrep_start, BUG_RESEND_NOTHING)
PROTOCOL_TEST(chainrep_7, chainrep_start, BUG_CLIENTS_FIRST)
PROTOCOL_TEST(chainrep_8, chainrep_start, BUG_ANSWER_UNNUMBERED)
PROTOCOL_TEST(chainrep_9, chainrep_start, BUG_ACKS_COUNTED)
PROTOCOL_TEST(chainrep_10, chainrep_start, BUG_ONE_AT_A_TIME)
