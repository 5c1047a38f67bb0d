/* chainrep_server.c: a server of the chain. Its state is its place in the chain; failed is a state, too.
 *
 * A server may fail whenever it is about to send: whatever it had done since it sent last is lost with it anyway. So every
 * message goes out by `say`, and every event comes in by `act`, which sees whether the server has outlived it.
 *
 * The history is kept as what it has come to (a table) and, for what may have to be sent again, a log of the updates
 * from `base` + 1 to `sequence`; what all servers have, up to `stable`, is trimmed from it now and then. So Sent of the
 * paper is the part of the log behind `stable`. */
#include <string.h>

#include "chainrep.h"

enum { LOG = 8, TRIM = 2 };

typedef struct chain_server {
  chainrep_world world;
  uint8_t predecessor, successor;
  uint8_t down;                   /* it has failed in the middle of what it does */
  uint8_t base, sequence, stable; /* base <= stable <= sequence <= base + LOG */
  uint8_t last[CLIENTS];          /* number of each client's last request in the history: what is sent again is known */
  uint8_t value[KEYS], version[KEYS];
  chainrep_request log[LOG];
} chain_server;

enum { STARTING, HEAD, MIDDLE, TAIL, SOLE, FAILED };

static bool is_tail(const chain_server *s) { return s->successor == NONE; }

static int place(const chain_server *s) {
  if (s->predecessor == NONE) return is_tail(s) ? SOLE : HEAD;
  return is_tail(s) ? TAIL : MIDDLE;
}

static void fail(chain_server *s);

static void refuse(void *self, const eo_message *event) {
  const chain_server *s = self;
  chainrep_note note = {.server = s->world.self};
  (void)event;
  eo_send(s->world.master, CHAINREP_REFUSED, &note, sizeof note);
}

/* Does one event, and then is what it has become. Who had asked it for something when it failed is refused, as by one that had
 * failed before; time passes, so that the master looks. */
static void act(void *self, const eo_message *event, void (*what)(chain_server *, const eo_message *)) {
  chain_server *s = self;
  int before = place(s);
  eo_pid from = event->from;
  what(s, event);
  if (s->down) {
    fail(s);
    if (from == s->world.master) refuse(self, NULL);
    eo_send(s->world.master, CHAINREP_TICK, NULL, 0);
    eo_goto(self, FAILED, NULL, 0);
  } else if (place(s) != before) {
    eo_goto(self, place(s), NULL, 0);
  }
}

#define ACTS(name, what) \
  static void name(void *self, const eo_message *event) { act(self, event, what); }

static void say(chain_server *s, eo_pid to, int event, const void *data, size_t size) {
  if (!s->down) s->down = eo_fault("crash");
  if (!s->down) eo_send(to, event, data, size);
}

static void tell(chain_server *s, int event, uint8_t server, chainrep_note note) {
  say(s, s->world.servers[server], event, &note, sizeof note);
}

static void forward(chain_server *s, uint8_t sequence) {
  tell(s, CHAINREP_FORWARD, s->successor,
       (chainrep_note){.sequence = sequence, .update = s->log[sequence - s->base - 1]});
}

static void trim(chain_server *s) {
  /* Bug 1: what a server has applied it may still have to send again, to a new successor. */
  uint8_t kept = s->world.bug == BUG_TRIM_BY_OWN ? s->sequence : s->stable;
  if (kept - s->base < TRIM) return;
  uint8_t count = (uint8_t)(s->sequence - s->base), dropped = (uint8_t)(kept - s->base);
  memmove(s->log, s->log + dropped, (size_t)(count - dropped) * sizeof *s->log);
  memset(s->log + (count - dropped), 0, dropped * sizeof *s->log);
  s->base = kept;
}

static void announce(const chain_server *s, int event, uint8_t sequence, chainrep_request update) {
  chainrep_note note = {.server = s->world.self, .sequence = sequence, .update = update};
  if (!s->down) eo_announce(event, &note, sizeof note);
}

/* `sequence` is that which follows its own, if nothing is lacking in this file. */
static void apply(chain_server *s, uint8_t sequence, chainrep_request update) {
  announce(s, CHAINREP_APPLIED, sequence, update);
  eo_assert(sequence > s->base && sequence - s->base <= LOG, "server %d: no room in the log for update %d",
            s->world.self, sequence);
  s->sequence = sequence;
  s->log[sequence - s->base - 1] = update;
  s->value[update.key] = (uint8_t)(update.value + s->value[update.key]);
  s->version[update.key] = sequence;
  /* Bug 2: a client that hears of a new head sends its request again, and the new head must know that it has it. */
  if (s->predecessor == NONE || s->world.bug != BUG_FORGET_REQUESTS) s->last[update.client] = update.request;
}

/* All servers have the updates up to this one: tells the predecessor. */
static void settle(chain_server *s, uint8_t sequence) {
  if (sequence <= s->stable) return;
  s->stable = sequence;
  announce(s, CHAINREP_STABLE, sequence, (chainrep_request){0});
  trim(s);
  if (s->predecessor != NONE) tell(s, CHAINREP_ACK, s->predecessor, (chainrep_note){.sequence = sequence});
}

static void answer_update(chain_server *s, chainrep_request update, uint8_t sequence) {
  chainrep_note note = {.server = s->world.self, .sequence = sequence, .update = update};
  say(s, s->world.clients[update.client], CHAINREP_UPDATED, &note, sizeof note);
}

static void take(chain_server *s, uint8_t sequence, chainrep_request update) {
  apply(s, sequence, update);
  if (is_tail(s)) { /* answers first: if it fails in between, the next tail answers once more */
    answer_update(s, update, sequence);
    settle(s, sequence);
  } else {
    forward(s, sequence);
    trim(s);
  }
}

/* At the head. A request that it has already is under way or answered: the tail sees to the answer in either case. */
static void do_update(chain_server *s, const eo_message *event) {
  const chainrep_request *request = event->data;
  if (request->request > s->last[request->client]) take(s, (uint8_t)(s->sequence + 1), *request);
}

static void do_forwarded(chain_server *s, const eo_message *event) {
  const chainrep_note *note = event->data;
  if (note->sequence > s->sequence || s->world.bug == BUG_RESEND_TOO_MUCH) take(s, note->sequence, note->update);
}

static void do_acknowledged(chain_server *s, const eo_message *event) {
  const chainrep_note *note = event->data;
  /* Bug 9: after a reconfiguration an acknowledgement is repeated, and some never came. */
  settle(s, s->world.bug == BUG_ACKS_COUNTED ? (uint8_t)(s->stable + 1) : note->sequence);
}

static void do_query(chain_server *s, const eo_message *event) {
  chainrep_request request = *(const chainrep_request *)event->data;
  request.value = s->value[request.key];
  chainrep_note note = {.server = s->world.self, .sequence = s->version[request.key], .update = request};
  say(s, s->world.clients[request.client], CHAINREP_ANSWER, &note, sizeof note);
}

/* ---- Reconfiguration -------------------------------------------------------------------------------------------- */

static void do_ping(chain_server *s, const eo_message *event) {
  chainrep_note note = *(const chainrep_note *)event->data;
  note.server = s->world.self;
  say(s, s->world.master, CHAINREP_PONG, &note, sizeof note);
}

static void do_become_head(chain_server *s, const eo_message *event) {
  (void)event;
  s->predecessor = NONE;
}

/* All that it has is now what all have. */
static void do_become_tail(chain_server *s, const eo_message *event) {
  (void)event;
  s->successor = NONE;
  /* Bug 4: the old tail may have failed before it answered. */
  if (s->world.bug != BUG_NEW_TAIL_SILENT)
    for (int i = s->stable > s->base ? s->stable - s->base : 0; i < s->sequence - s->base; i++)
      answer_update(s, s->log[i], (uint8_t)(s->base + i + 1));
  settle(s, s->sequence);
}

/* Says what it has, so that the new predecessor can send the rest; and what is stable, as the acknowledgements that the
 * failed server had not passed on are lost. */
static void do_new_predecessor(chain_server *s, const eo_message *event) {
  const chainrep_note *note = event->data;
  s->predecessor = note->other;
  chainrep_note have = {.server = s->world.self, .other = s->predecessor, .sequence = s->sequence};
  say(s, s->world.master, CHAINREP_HAVE, &have, sizeof have);
  tell(s, CHAINREP_ACK, s->predecessor, (chainrep_note){.sequence = s->stable});
}

static void do_new_successor(chain_server *s, const eo_message *event) {
  chainrep_note note = *(const chainrep_note *)event->data;
  s->successor = note.server;
  /* Bug 6: what was forwarded to the failed server has perhaps not been passed on by it. */
  if (s->world.bug == BUG_RESEND_NOTHING) return;
  /* Bug 5: what is not acknowledged has perhaps been passed on by it all the same. */
  uint8_t from = s->world.bug == BUG_RESEND_TOO_MUCH ? s->stable : note.sequence;
  for (uint8_t i = from < s->base ? s->base : from; i < s->sequence; i++) forward(s, (uint8_t)(i + 1));
}

/* ---- Machine ---------------------------------------------------------------------------------------------------- */

static void meet(void *self, const eo_message *event) {
  chain_server *s = self;
  s->world = *(const chainrep_world *)event->data;
  s->predecessor = s->world.self == 0 ? NONE : (uint8_t)(s->world.self - 1);
  s->successor = s->world.self == SERVERS - 1 ? NONE : (uint8_t)(s->world.self + 1);
  eo_goto(self, place(s), NULL, 0);
}

static void fail(chain_server *s) {
  chainrep_world world = s->world; /* all else is lost */
  memset(s, 0, sizeof *s);
  s->world = world;
  announce(s, CHAINREP_FAILED, 0, (chainrep_request){0});
}

ACTS(update, do_update)
ACTS(forwarded, do_forwarded)
ACTS(acknowledged, do_acknowledged)
ACTS(query, do_query)
ACTS(ping, do_ping)
ACTS(become_head, do_become_head)
ACTS(become_tail, do_become_tail)
ACTS(new_predecessor, do_new_predecessor)
ACTS(new_successor, do_new_successor)

#define WITH_PREDECESSOR                                                                \
  EO_DO(CHAINREP_FORWARD, forwarded), EO_DO(CHAINREP_NEW_PREDECESSOR, new_predecessor), \
      EO_DO(CHAINREP_BECOME_HEAD, become_head)
#define WITH_SUCCESSOR                                                             \
  EO_DO(CHAINREP_ACK, acknowledged), EO_DO(CHAINREP_NEW_SUCCESSOR, new_successor), \
      EO_DO(CHAINREP_BECOME_TAIL, become_tail)
#define WITHOUT_PREDECESSOR EO_DO(CHAINREP_UPDATE, update), EO_IGNORE(CHAINREP_FORWARD)
#define WITHOUT_SUCCESSOR EO_DO(CHAINREP_QUERY, query), EO_IGNORE(CHAINREP_ACK)
#define PINGED EO_DO(CHAINREP_PING, ping)

const eo_machine chainrep_server = {
    .name = "server",
    EO_VARIABLES(chain_server),
    .start = STARTING,
    .event_name = chainrep_event_name,
    EO_STATES([STARTING] = {.name = "starting", .on = EO_ON(EO_DO(CHAINREP_WORLD, meet))},
              [HEAD] = {.name = "head", .on = EO_ON(WITHOUT_PREDECESSOR, WITH_SUCCESSOR, PINGED)},
              [MIDDLE] = {.name = "middle", .on = EO_ON(WITH_PREDECESSOR, WITH_SUCCESSOR, PINGED)},
              [TAIL] = {.name = "tail", .on = EO_ON(WITH_PREDECESSOR, WITHOUT_SUCCESSOR, PINGED)},
              [SOLE] = {.name = "sole", .on = EO_ON(WITHOUT_PREDECESSOR, WITHOUT_SUCCESSOR, PINGED)},
              [FAILED] = {
                  .name = "failed",
                  .on = EO_ON(EO_DO(CHAINREP_PING, refuse), EO_DO(CHAINREP_BECOME_HEAD, refuse),
                              EO_DO(CHAINREP_BECOME_TAIL, refuse), EO_DO(CHAINREP_NEW_PREDECESSOR, refuse),
                              EO_DO(CHAINREP_NEW_SUCCESSOR, refuse), EO_IGNORE(CHAINREP_UPDATE),
                              EO_IGNORE(CHAINREP_QUERY), EO_IGNORE(CHAINREP_FORWARD), EO_IGNORE(CHAINREP_ACK))})};
