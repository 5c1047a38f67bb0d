/* chainrep_spec.c: what chain replication promises. */
#include "chainrep.h"

/* ---- The invariants of the paper -------------------------------------------------------------------------------- */

enum { HISTORY = CLIENTS * REQUESTS };

/* history[n - 1] is the request that is update n, of all servers that have it; length[i] is how many server i has. */
typedef struct chain_propagation {
  uint8_t failed;
  uint8_t length[SERVERS];
  uint8_t history[HISTORY];
} chain_propagation;

static bool works(const chain_propagation *p, int server) { return !(p->failed >> server & 1); }

static void note_failed(void *self, const eo_message *event) {
  chain_propagation *p = self;
  const chainrep_note *note = event->data;
  p->failed |= (uint8_t)(1u << note->server);
  p->length[note->server] = 0;
}

static void check_applied(void *self, const eo_message *event) {
  chain_propagation *p = self;
  const chainrep_note *note = event->data;
  uint8_t server = note->server, sequence = note->sequence;
  uint8_t request = (uint8_t)(note->update.client << 6 | note->update.request);
  int longest = 0, before = HISTORY;
  for (int i = 0; i < SERVERS; i++) {
    if (works(p, i) && p->length[i] > longest) longest = p->length[i];
    if (works(p, i) && i < server) before = p->length[i];
  }
  eo_assert(works(p, server), "server %d has failed and applies update %d", server, sequence);
  eo_assert(sequence == p->length[server] + 1, "server %d applies update %d after update %d", server, sequence,
            p->length[server]);
  eo_assert(sequence <= before, "server %d applies update %d, which the one before it has not", server, sequence);
  eo_assert(sequence > longest || p->history[sequence - 1] == request, "update %d is another one on server %d",
            sequence, server);
  for (int i = 0; i < sequence - 1; i++)
    eo_assert(p->history[i] != request, "request %d of client %d is update %d and update %d", note->update.request,
              note->update.client, i + 1, sequence);
  eo_assert(sequence <= HISTORY, "more updates than this specification can count");
  p->history[sequence - 1] = request;
  p->length[server] = sequence;
}

static void check_stable(void *self, const eo_message *event) {
  const chain_propagation *p = self;
  const chainrep_note *note = event->data;
  for (int i = 0; i < SERVERS; i++)
    eo_assert(!works(p, i) || p->length[i] >= note->sequence,
              "update %d is acknowledged by server %d, and server %d has it not", note->sequence, note->server, i);
}

const eo_machine chainrep_propagation = {
    .name = "propagation",
    EO_VARIABLES(chain_propagation),
    .event_name = chainrep_event_name,
    EO_OBSERVES(CHAINREP_APPLIED, CHAINREP_STABLE, CHAINREP_FAILED),
    EO_STATES({.name = "watching",
               .on = EO_ON(EO_DO(CHAINREP_FAILED, note_failed), EO_DO(CHAINREP_APPLIED, check_applied),
                           EO_DO(CHAINREP_STABLE, check_stable))})};

/* ---- What clients see ------------------------------------------------------------------------------------------- */

/* Every request is answered (so waiting is hot), and no answer to a query is older than what had been acknowledged when
 * it was asked. */
typedef struct chain_answers {
  uint8_t waiting;           /* bit i: client i */
  uint8_t request[CLIENTS];  /* the last of each */
  uint8_t newest[KEYS];      /* number of the last acknowledged update of a key */
  uint8_t at_least[CLIENTS]; /* that when the client asked its last query */
} chain_answers;

enum { QUIET, WAITING };

static void note_request(void *self, const eo_message *event) {
  chain_answers *a = self;
  const chainrep_request *request = event->data;
  if (request->request > a->request[request->client]) {
    a->waiting |= (uint8_t)(1u << request->client);
    a->request[request->client] = request->request;
    a->at_least[request->client] = a->newest[request->key];
  }
  if (a->waiting) eo_goto(self, WAITING, NULL, 0);
}

static void note_updated(void *self, const eo_message *event) {
  chain_answers *a = self;
  const chainrep_note *note = event->data;
  if (note->sequence > a->newest[note->update.key]) a->newest[note->update.key] = note->sequence;
}

static void check_taken(void *self, const eo_message *event) {
  chain_answers *a = self;
  const chainrep_note *note = event->data;
  if (!note->update.adds) {
    eo_assert(note->other == note->update.key, "client %d asked for key %d and takes an answer about key %d",
              note->server, note->other, note->update.key);
    eo_assert(note->sequence >= a->at_least[note->server],
              "client %d reads version %d of key %d after version %d was acknowledged", note->server, note->sequence,
              note->other, a->at_least[note->server]);
  }
  a->waiting &= (uint8_t) ~(1u << note->server);
  if (!a->waiting) eo_goto(self, QUIET, NULL, 0);
}

#define REACTIONS                                                                                                   \
  EO_DO(CHAINREP_UPDATE, note_request), EO_DO(CHAINREP_QUERY, note_request), EO_DO(CHAINREP_UPDATED, note_updated), \
      EO_DO(CHAINREP_TAKEN, check_taken)

const eo_machine chainrep_answers = {
    .name = "answers",
    EO_VARIABLES(chain_answers),
    .start = QUIET,
    .event_name = chainrep_event_name,
    EO_OBSERVES(CHAINREP_UPDATE, CHAINREP_QUERY, CHAINREP_UPDATED, CHAINREP_TAKEN),
    EO_STATES([QUIET] = {.name = "quiet", .on = EO_ON(REACTIONS)}, [WAITING] = {.name = "waiting",
                                                                                .on = EO_ON(REACTIONS),
                                                                                .hot = true})};
