/* chainrep_master.c: the master: fills the chain, opens it to clients, watches it and mends it.
 *
 * Before it is open nobody has been promised anything: a chain that breaks is set up again, empty, of those who are left
 * (`epoch` tells what belongs to an earlier one). Afterwards, at each tick, the master pings one server after the
 * other. A failed head or tail is replaced by its neighbour. Round a failed server in the middle: its successor is told
 * who is before it now and says what it has; with that the predecessor is told whom to forward to, and sends the rest. A
 * round follows, as others may have failed meanwhile. */
#include <explorer.h>
#include <string.h>

#include "chainrep.h"

typedef struct chain_master {
  chainrep_world world;
  uint8_t alive;              /* bit i: server i, as far as is known */
  uint8_t epoch, loaded;      /* keys that the tail has confirmed */
  uint8_t head;               /* as servers have been told */
  uint8_t successor[SERVERS]; /* likewise */
  uint8_t moved;              /* head or tail are others, and clients do not know */
  uint8_t round, pinged;      /* the server whose answer it waits for */
  uint8_t before, behind;     /* the link being mended */
  uint8_t done;               /* clients that have no more requests */
} chain_master;

enum { STARTING, LOADING, WATCHING, ROUND, MENDING };

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

/* ---- Before clients come ---------------------------------------------------------------------------------------- */

static void load_next(chain_master *m) {
  chainrep_request request = {.client = LOADER,
                              .request = (uint8_t)(m->loaded + 1),
                              .operation = CHAINREP_SET,
                              .key = (uint8_t)(m->loaded % KEYS),
                              .value = (uint8_t)(10 + m->loaded)};
  chainrep_brave(&m->world, m->loaded);
  eo_send(m->world.servers[m->head], CHAINREP_UPDATE, &request, sizeof request);
}

static void set_up(chain_master *m) {
  m->epoch++;
  m->loaded = 0;
  m->head = next_alive(m, 0);
  uint8_t before = NONE;
  for (uint8_t i = m->head; i != NONE; i = next_alive(m, i + 1)) {
    m->successor[i] = next_alive(m, i + 1);
    chainrep_tell(&m->world, CHAINREP_SETUP, i,
                  (chainrep_note){.epoch = m->epoch, .server = before, .other = m->successor[i]});
    before = i;
  }
  load_next(m);
}

static void meet(void *self, const eo_message *event) {
  chain_master *m = self;
  m->world = *(const chainrep_world *)event->data;
  m->alive = (1u << SERVERS) - 1;
  eo_hint(EO_HINT_BACK, m->world.master);
  if (m->world.fault) eo_hint(EO_HINT_BACK, m->world.fault);
  set_up(m);
}

static void tell_clients(chain_master *m) {
  chainrep_note note = {.server = next_alive(m, 0), .other = last_alive(m)};
  for (int i = 0; i < CLIENTS; i++) eo_send(m->world.clients[i], CHAINREP_CONFIG, &note, sizeof note);
  m->moved = 0;
}

static void loaded(void *self, const eo_message *event) {
  chain_master *m = self;
  const chainrep_note *note = event->data;
  if (note->epoch != m->epoch || note->update.request != m->loaded + 1) return;
  m->loaded++;
  if (m->loaded < m->world.load) {
    load_next(m);
    return;
  }
  chainrep_note opened = {.sequence = m->loaded};
  eo_announce(CHAINREP_OPENED, &opened, sizeof opened);
  eo_hint(EO_HINT_FRONT, m->world.master);
  if (m->world.fault) eo_hint(EO_HINT_FRONT, m->world.fault);
  tell_clients(m);
  eo_goto(self, WATCHING, NULL, 0);
}

static void ping_all(void *self, const eo_message *event) {
  const chain_master *m = self;
  (void)event;
  for (uint8_t i = next_alive(m, 0); i != NONE; i = next_alive(m, i + 1))
    chainrep_tell(&m->world, CHAINREP_PING, i, (chainrep_note){0});
}

static void start_again(void *self, const eo_message *event) {
  chain_master *m = self;
  const chainrep_note *note = event->data;
  if (!is_alive(m, note->server)) return;
  m->alive &= (uint8_t) ~(1u << note->server);
  set_up(m);
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

/* ---- When clients have gone ------------------------------------------------------------------------------------- */

static void client_done(void *self, const eo_message *event) {
  chain_master *m = self;
  (void)event;
  if (++m->done < CLIENTS) return;
  for (uint8_t i = next_alive(m, 0); i != NONE; i = next_alive(m, i + 1))
    chainrep_tell(&m->world, CHAINREP_FLUSH, i, (chainrep_note){0});
}

const eo_machine chainrep_master = {
    .name = "master",
    EO_VARIABLES(chain_master),
    .start = STARTING,
    .event_name = chainrep_event_name,
    EO_STATES([STARTING] = {.name = "starting", .on = EO_ON(EO_GOTO_WITH(CHAINREP_WORLD, LOADING, meet))},
              [LOADING] = {.name = "loading",
                           .on = EO_ON(EO_DO(CHAINREP_UPDATED, loaded), EO_DO(CHAINREP_TICK, ping_all),
                                       EO_IGNORE(CHAINREP_PONG), EO_DO(CHAINREP_REFUSED, start_again))},
              [WATCHING] = {.name = "watching",
                            .on = EO_ON(EO_GOTO(CHAINREP_TICK, ROUND), EO_DO(CHAINREP_REFUSED, refused),
                                        EO_IGNORE(CHAINREP_PONG), EO_IGNORE(CHAINREP_HAVE), EO_IGNORE(CHAINREP_UPDATED),
                                        EO_DO(CHAINREP_DONE, client_done))},
              [ROUND] = {.name = "in a round",
                         .entry = start_round,
                         .on = EO_ON(EO_DO(CHAINREP_PONG, pong), EO_DO(CHAINREP_REFUSED, refused),
                                     EO_DEFER(CHAINREP_TICK), EO_IGNORE(CHAINREP_HAVE), EO_IGNORE(CHAINREP_UPDATED),
                                     EO_DO(CHAINREP_DONE, client_done))},
              [MENDING] = {.name = "mending",
                           .entry = mend,
                           .on = EO_ON(EO_DO(CHAINREP_HAVE, have), EO_DO(CHAINREP_REFUSED, another_refused),
                                       EO_DEFER(CHAINREP_TICK), EO_IGNORE(CHAINREP_PONG), EO_IGNORE(CHAINREP_UPDATED),
                                       EO_DO(CHAINREP_DONE, client_done))})};
