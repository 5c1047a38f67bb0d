/* chainrep_client.c: a client of the chain: one request after the other. What it waits for it sends again when it hears
 * that head or tail are others, since a failed server may have had it. */
#include "chainrep.h"

typedef struct chain_client {
  chainrep_world world;
  uint8_t head, tail;
  uint8_t request; /* that it waits for; 0: it has not begun */
} chain_client;

enum { STARTING, ASKING, FINISHED };

/* One update, two queries, and so on. */
static bool is_query(const chain_client *c) { return c->request % 3 != 1; }

static chainrep_request request_of(const chain_client *c) {
  return (chainrep_request){.client = c->world.self,
                            .request = c->request,
                            .adds = !is_query(c),
                            .key = (uint8_t)((c->world.self + c->request) % KEYS),
                            .value = (uint8_t)(c->world.self + 1)};
}

static void send_request(const chain_client *c) {
  chainrep_request request = request_of(c);
  if (is_query(c))
    eo_send(c->world.servers[c->tail], CHAINREP_QUERY, &request, sizeof request);
  else
    eo_send(c->world.servers[c->head], CHAINREP_UPDATE, &request, sizeof request);
}

static void next_request(void *self) {
  chain_client *c = self;
  if (c->request == REQUESTS) {
    eo_goto(self, FINISHED, NULL, 0);
    return;
  }
  c->request++;
  send_request(c);
}

static void meet(void *self, const eo_message *event) {
  chain_client *c = self;
  c->world = *(const chainrep_world *)event->data;
}

static void configure(void *self, const eo_message *event) {
  chain_client *c = self;
  const chainrep_note *note = event->data;
  c->head = note->server;
  c->tail = note->other;
  if (c->request == 0) next_request(self);
  /* Bug 3: the failed tail may have had a query. */
  else if (!is_query(c) || c->world.bug != BUG_QUERY_NOT_RESENT)
    send_request(c);
}

static void answered(void *self, const eo_message *event) {
  const chain_client *c = self;
  chainrep_note note = *(const chainrep_note *)event->data;
  bool ours = note.update.request == c->request && is_query(c) == (event->tag == CHAINREP_ANSWER);
  /* Bug 8: a query that was sent again is answered twice. */
  if (c->world.bug == BUG_ANSWER_UNNUMBERED && event->tag == CHAINREP_ANSWER) ours = is_query(c);
  if (!ours) return;
  note.update.request = c->request;
  note.server = c->world.self;
  note.other = request_of(c).key;
  eo_announce(CHAINREP_TAKEN, &note, sizeof note);
  if (c->world.self == 0) eo_send(c->world.master, CHAINREP_TICK, NULL, 0); /* its day goes by as it gets answers */
  next_request(self);
}

const eo_machine chainrep_client = {
    .name = "client",
    EO_VARIABLES(chain_client),
    .start = STARTING,
    .event_name = chainrep_event_name,
    EO_STATES([STARTING] = {.name = "starting", .on = EO_ON(EO_GOTO_WITH(CHAINREP_WORLD, ASKING, meet))},
              [ASKING] = {.name = "asking",
                          .on = EO_ON(EO_DO(CHAINREP_CONFIG, configure), EO_DO(CHAINREP_UPDATED, answered),
                                      EO_DO(CHAINREP_ANSWER, answered))},
              [FINISHED] = {
                  .name = "finished",
                  .on = EO_ON(EO_IGNORE(CHAINREP_CONFIG), EO_IGNORE(CHAINREP_UPDATED), EO_IGNORE(CHAINREP_ANSWER))})};
