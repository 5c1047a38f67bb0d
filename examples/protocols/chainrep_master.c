/* chainrep_master.c: the master: tells clients where head and tail are, watches the chain and mends it.
 *
 * At each tick the master pings one server after the other. A failed head or tail is replaced by its neighbour. Round a failed server in the middle: its successor is told
 * who is before it now and says what it has; with that the predecessor is told whom to forward to, and sends the rest. A
 * round follows, as others may have failed meanwhile. */
#include <explorer.h>
#include <string.h>

#include "chainrep.h"

typedef struct chain_master {
  chainrep_world world;
  uint8_t alive;              /* bit i: server i, as far as is known */
  uint8_t head;               /* as servers have been told */
  uint8_t successor[SERVERS]; /* likewise */
  uint8_t moved;              /* head or tail are others, and clients do not know */
  uint8_t round, pinged;      /* the server whose answer it waits for */
  uint8_t before, behind;     /* the link being mended */
} chain_master;

enum { STARTING, WATCHING, ROUND, MENDING };

static bool is_alive(const chain_master *m, uint8_t server) { return m->alive >> server & 1; }

static uint8_t next_alive(const chain_master *m, int from) {
  for (int i = from; i < SERVERS; i++)
    if (m->alive >> i & 1) return (uint8_t)i;
  return NONE;
}

static uint8_t last_alive(const chain_master *m) {
  uint8_t last = NONE;
  for (uint8_t i = 0; i < SERVERS; i++)
    if (is_alive(m, i)) last = i;
  return last;
}

static void tell_clients(chain_master *m) {
  chainrep_note note = {.server = next_alive(m, 0), .other = last_alive(m)};
  for (int i = 0; i < CLIENTS; i++) eo_send(m->world.clients[i], CHAINREP_CONFIG, &note, sizeof note);
  m->moved = 0;
}

static void meet(void *self, const eo_message *event) {
  chain_master *m = self;
  m->world = *(const chainrep_world *)event->data;
  m->alive = (1u << SERVERS) - 1;
  for (uint8_t i = 0; i < SERVERS; i++) m->successor[i] = next_alive(m, i + 1);
  eo_hint(EO_HINT_FRONT, m->world.master);
  tell_clients(m);
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

static void ping_next(chain_master *m, uint8_t server) {
  m->pinged = server;
  chainrep_tell(&m->world, CHAINREP_PING, server, (chainrep_note){.sequence = m->round});
}

static void start_round(void *self, const eo_message *event) {
  chain_master *m = self;
  (void)event;
  m->round++;
  ping_next(m, next_alive(m, 0));
}

static void pong(void *self, const eo_message *event) {
  chain_master *m = self;
  const chainrep_note *note = event->data;
  if (note->server != m->pinged || note->sequence != m->round) return;
  uint8_t next = next_alive(m, m->pinged + 1);
  if (next != NONE)
    ping_next(m, next);
  else
    eo_goto(self, WATCHING, NULL, 0);
}

static void refused(void *self, const eo_message *event) {
  chain_master *m = self;
  const chainrep_note *note = event->data;
  if (!is_alive(m, note->server)) return;
  m->alive &= (uint8_t) ~(1u << note->server);
  eo_assert(m->alive, "no server is left");
  eo_goto(self, MENDING, NULL, 0);
}

/* ---- Mending ---------------------------------------------------------------------------------------------------- */

/* Tells the new head and tail. */
static void replace_ends(chain_master *m) {
  uint8_t head = next_alive(m, 0), tail = last_alive(m);
  bool new_head = m->head != head, new_tail = m->successor[tail] != NONE;
  m->moved |= new_head || new_tail;
  /* Bug 7: a client may be faster than the server that it is told to ask. */
  if (m->moved && m->world.bug == BUG_CLIENTS_FIRST) tell_clients(m);
  m->head = head;
  m->successor[tail] = NONE;
  if (new_tail) chainrep_tell(&m->world, CHAINREP_BECOME_TAIL, tail, (chainrep_note){0});
  if (new_head) chainrep_tell(&m->world, CHAINREP_BECOME_HEAD, head, (chainrep_note){0});
}

static void mend(void *self, const eo_message *event) {
  chain_master *m = self;
  (void)event;
  replace_ends(m);
  for (uint8_t i = m->head; m->successor[i] != NONE; i = next_alive(m, i + 1)) {
    uint8_t behind = next_alive(m, i + 1);
    if (m->successor[i] == behind) continue;
    m->before = i;
    m->behind = behind;
    chainrep_tell(&m->world, CHAINREP_NEW_PREDECESSOR, behind, (chainrep_note){.other = i});
    return;
  }
  if (m->moved) tell_clients(m);
  eo_goto(self, ROUND, NULL, 0);
}

static void have(void *self, const eo_message *event) {
  chain_master *m = self;
  const chainrep_note *note = event->data;
  if (note->server != m->behind || note->other != m->before) return;
  m->successor[m->before] = m->behind;
  chainrep_tell(&m->world, CHAINREP_NEW_SUCCESSOR, m->before,
                (chainrep_note){.server = m->behind, .sequence = note->sequence});
  eo_goto(self, MENDING, NULL, 0);
}

static void another_refused(void *self, const eo_message *event) {
  const chain_master *m = self;
  /* Bug 10: the server that is asked what it has may have failed as well, and then there is no answer to wait for. */
  if (m->world.bug != BUG_ONE_AT_A_TIME) refused(self, event);
}

const eo_machine chainrep_master = {
    .name = "master",
    EO_VARIABLES(chain_master),
    .start = STARTING,
    .event_name = chainrep_event_name,
    EO_STATES([STARTING] = {.name = "starting", .on = EO_ON(EO_GOTO_WITH(CHAINREP_WORLD, WATCHING, meet))},
              [WATCHING] = {.name = "watching",
                            .on = EO_ON(EO_GOTO(CHAINREP_TICK, ROUND), EO_DO(CHAINREP_REFUSED, refused),
                                        EO_IGNORE(CHAINREP_PONG), EO_IGNORE(CHAINREP_HAVE))},
              [ROUND] = {.name = "in a round",
                         .entry = start_round,
                         .on = EO_ON(EO_DO(CHAINREP_PONG, pong), EO_DO(CHAINREP_REFUSED, refused),
                                     EO_DEFER(CHAINREP_TICK), EO_IGNORE(CHAINREP_HAVE))},
              [MENDING] = {.name = "mending",
                           .entry = mend,
                           .on = EO_ON(EO_DO(CHAINREP_HAVE, have), EO_DO(CHAINREP_REFUSED, another_refused),
                                       EO_DEFER(CHAINREP_TICK), EO_IGNORE(CHAINREP_PONG))})};
