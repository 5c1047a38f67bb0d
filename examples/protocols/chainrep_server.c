/* chainrep_server.c: a server of the chain. Its state is its place in the chain; failed is a state, too.
 *
 * The history is kept as what it has come to (a table) and, for what may have to be sent again, a log of the updates
 * from `base` + 1 to `sequence`; what all servers have, up to `stable`, is trimmed from it now and then. So Sent of the
 * paper is the part of the log behind `stable`. */
#include <string.h>

#include "chainrep.h"

enum { LOG = 16, TRIM = 4 };

typedef struct chain_server {
  chainrep_world world;
  uint8_t epoch, predecessor, successor;
  uint8_t base, sequence, stable; /* base <= stable <= sequence <= base + LOG */
  uint8_t last[CLIENTS + 1];      /* number of each client's last request in the history: what is sent again is known */
  uint8_t value[KEYS], version[KEYS];
  chainrep_request log[LOG];
  uint8_t page; /* that is being written */
} chain_server;

enum { STARTING, HEAD, MIDDLE, TAIL, SOLE, FAILED };

static bool is_tail(const chain_server *s) { return s->successor == NONE; }

static int place(const chain_server *s) {
  if (s->predecessor == NONE) return is_tail(s) ? SOLE : HEAD;
  return is_tail(s) ? TAIL : MIDDLE;
}

static void meet(void *self, const eo_message *event) {
  chain_server *s = self;
  s->world = *(const chainrep_world *)event->data;
}

static void set_up(void *self, const eo_message *event) {
  chain_server *s = self;
  const chainrep_note *note = event->data;
  chainrep_world world = s->world;
  memset(s, 0, sizeof *s);
  s->world = world;
  s->epoch = note->epoch;
  s->predecessor = note->server;
  s->successor = note->other;
  eo_goto(self, place(s), NULL, 0);
}

static void forward(const chain_server *s, uint8_t sequence) {
  chainrep_brave(&s->world, sequence + s->world.self);
  chainrep_tell(&s->world, CHAINREP_FORWARD, s->successor,
                (chainrep_note){.epoch = s->epoch, .sequence = sequence, .update = s->log[sequence - s->base - 1]});
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
  chainrep_note note = {.epoch = s->epoch, .server = s->world.self, .sequence = sequence, .update = update};
  eo_announce(event, &note, sizeof note);
}

/* `sequence` is that which follows its own, if nothing is lacking in this file. */
static void apply(chain_server *s, uint8_t sequence, chainrep_request update) {
  announce(s, CHAINREP_APPLIED, sequence, update);
  eo_assert(sequence > s->base && sequence - s->base <= LOG, "server %d: no room in the log for update %d",
            s->world.self, sequence);
  s->sequence = sequence;
  s->log[sequence - s->base - 1] = update;
  s->value[update.key] = (uint8_t)(update.value + (update.operation == CHAINREP_ADD ? s->value[update.key] : 0));
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
  if (s->predecessor != NONE)
    chainrep_tell(&s->world, CHAINREP_ACK, s->predecessor, (chainrep_note){.epoch = s->epoch, .sequence = sequence});
}

static void answer_update(const chain_server *s, chainrep_request update, uint8_t sequence) {
  chainrep_note note = {.epoch = s->epoch, .server = s->world.self, .sequence = sequence, .update = update};
  eo_send(s->world.clients[update.client], CHAINREP_UPDATED, &note, sizeof note);
}

static void take(chain_server *s, uint8_t sequence, chainrep_request update) {
  apply(s, sequence, update);
  if (is_tail(s)) {
    settle(s, sequence);
    answer_update(s, update, sequence);
  } else {
    forward(s, sequence);
    trim(s);
  }
}

/* At the head. A request that it has already is under way or answered: the tail sees to the answer in either case. */
static void update(void *self, const eo_message *event) {
  chain_server *s = self;
  const chainrep_request *request = event->data;
  if (request->request > s->last[request->client]) take(s, (uint8_t)(s->sequence + 1), *request);
}

static void forwarded(void *self, const eo_message *event) {
  chain_server *s = self;
  const chainrep_note *note = event->data;
  if (note->epoch != s->epoch) return;
  if (note->sequence > s->sequence || s->world.bug == BUG_RESEND_TOO_MUCH) take(s, note->sequence, note->update);
}

static void acknowledged(void *self, const eo_message *event) {
  chain_server *s = self;
  const chainrep_note *note = event->data;
  if (note->epoch != s->epoch) return;
  /* Bug 9: after a reconfiguration an acknowledgement is repeated, and some never came. */
  settle(s, s->world.bug == BUG_ACKS_COUNTED ? (uint8_t)(s->stable + 1) : note->sequence);
}

static void query(void *self, const eo_message *event) {
  const chain_server *s = self;
  chainrep_request request = *(const chainrep_request *)event->data;
  request.value = s->value[request.key];
  chainrep_note note = {
      .epoch = s->epoch, .server = s->world.self, .sequence = s->version[request.key], .update = request};
  eo_send(s->world.clients[request.client], CHAINREP_ANSWER, &note, sizeof note);
}

/* ---- Reconfiguration -------------------------------------------------------------------------------------------- */

static void ping(void *self, const eo_message *event) {
  const chain_server *s = self;
  chainrep_note note = *(const chainrep_note *)event->data;
  note.server = s->world.self;
  eo_send(s->world.master, CHAINREP_PONG, &note, sizeof note);
}

static void become_head(void *self, const eo_message *event) {
  chain_server *s = self;
  (void)event;
  s->predecessor = NONE;
  eo_goto(self, place(s), NULL, 0);
}

/* All that it has is now what all have. */
static void become_tail(void *self, const eo_message *event) {
  chain_server *s = self;
  (void)event;
  s->successor = NONE;
  /* Bug 4: the old tail may have failed before it answered. */
  if (s->world.bug != BUG_NEW_TAIL_SILENT)
    for (int i = s->stable > s->base ? s->stable - s->base : 0; i < s->sequence - s->base; i++)
      answer_update(s, s->log[i], (uint8_t)(s->base + i + 1));
  settle(s, s->sequence);
  eo_goto(self, place(s), NULL, 0);
}

/* Says what it has, so that the new predecessor can send the rest; and what is stable, as the acknowledgements that the
 * failed server had not passed on are lost. */
static void new_predecessor(void *self, const eo_message *event) {
  chain_server *s = self;
  const chainrep_note *note = event->data;
  s->predecessor = note->other;
  chainrep_note have = {.server = s->world.self, .other = s->predecessor, .sequence = s->sequence};
  eo_send(s->world.master, CHAINREP_HAVE, &have, sizeof have);
  chainrep_tell(&s->world, CHAINREP_ACK, s->predecessor, (chainrep_note){.epoch = s->epoch, .sequence = s->stable});
}

static void new_successor(void *self, const eo_message *event) {
  chain_server *s = self;
  chainrep_note note = *(const chainrep_note *)event->data;
  s->successor = note.server;
  /* Bug 6: what was forwarded to the failed server has perhaps not been passed on by it. */
  if (s->world.bug == BUG_RESEND_NOTHING) return;
  /* Bug 5: what is not acknowledged has perhaps been passed on by it all the same. */
  uint8_t from = s->world.bug == BUG_RESEND_TOO_MUCH ? s->stable : note.sequence;
  for (uint8_t i = from < s->base ? s->base : from; i < s->sequence; i++) forward(s, (uint8_t)(i + 1));
}

/* ---- Keeping what it has ---------------------------------------------------------------------------------------- */

static void write_page(const chain_server *s) {
  chainrep_page page = {.number = s->page};
  memcpy(page.value, s->value + s->page * PAGE, PAGE);
  memcpy(page.version, s->version + s->page * PAGE, PAGE);
  eo_send(s->world.disks[s->world.self], CHAINREP_WRITE, &page, sizeof page);
}

static void flush(void *self, const eo_message *event) {
  chain_server *s = self;
  (void)event;
  s->page = 0;
  write_page(s);
}

static void written(void *self, const eo_message *event) {
  chain_server *s = self;
  (void)event;
  if (++s->page < KEYS / PAGE) write_page(s);
}

/* ---- Failure ---------------------------------------------------------------------------------------------------- */

static void fail(void *self, const eo_message *event) {
  chain_server *s = self;
  (void)event;
  announce(s, CHAINREP_FAILED, 0, (chainrep_request){0});
  chainrep_world world = s->world; /* all else is lost */
  memset(s, 0, sizeof *s);
  s->world = world;
}

static void refuse(void *self, const eo_message *event) {
  const chain_server *s = self;
  chainrep_note note = {.server = s->world.self};
  (void)event;
  eo_send(s->world.master, CHAINREP_REFUSED, &note, sizeof note);
}

#define EVERYWHERE                                                                                      \
  EO_DO(CHAINREP_PING, ping), EO_DO(CHAINREP_SETUP, set_up), EO_GOTO_WITH(CHAINREP_FAIL, FAILED, fail), \
      EO_DO(CHAINREP_FLUSH, flush), EO_DO(CHAINREP_WRITTEN, written)
#define WITH_PREDECESSOR                                                                \
  EO_DO(CHAINREP_FORWARD, forwarded), EO_DO(CHAINREP_NEW_PREDECESSOR, new_predecessor), \
      EO_DO(CHAINREP_BECOME_HEAD, become_head)
#define WITH_SUCCESSOR                                                             \
  EO_DO(CHAINREP_ACK, acknowledged), EO_DO(CHAINREP_NEW_SUCCESSOR, new_successor), \
      EO_DO(CHAINREP_BECOME_TAIL, become_tail)
#define WITHOUT_PREDECESSOR EO_DO(CHAINREP_UPDATE, update), EO_IGNORE(CHAINREP_FORWARD)
#define WITHOUT_SUCCESSOR EO_DO(CHAINREP_QUERY, query), EO_IGNORE(CHAINREP_ACK)

const eo_machine chainrep_server = {
    .name = "server",
    EO_VARIABLES(chain_server),
    .start = STARTING,
    .event_name = chainrep_event_name,
    EO_STATES([STARTING] = {.name = "starting", .on = EO_ON(EO_DO(CHAINREP_WORLD, meet), EVERYWHERE)},
              [HEAD] = {.name = "head", .on = EO_ON(WITHOUT_PREDECESSOR, WITH_SUCCESSOR, EVERYWHERE)},
              [MIDDLE] = {.name = "middle", .on = EO_ON(WITH_PREDECESSOR, WITH_SUCCESSOR, EVERYWHERE)},
              [TAIL] = {.name = "tail", .on = EO_ON(WITH_PREDECESSOR, WITHOUT_SUCCESSOR, EVERYWHERE)},
              [SOLE] = {.name = "sole", .on = EO_ON(WITHOUT_PREDECESSOR, WITHOUT_SUCCESSOR, EVERYWHERE)},
              [FAILED] = {
                  .name = "failed",
                  .on = EO_ON(EO_DO(CHAINREP_PING, refuse), EO_DO(CHAINREP_SETUP, refuse),
                              EO_DO(CHAINREP_BECOME_HEAD, refuse), EO_DO(CHAINREP_BECOME_TAIL, refuse),
                              EO_DO(CHAINREP_NEW_PREDECESSOR, refuse), EO_DO(CHAINREP_NEW_SUCCESSOR, refuse),
                              EO_IGNORE(CHAINREP_UPDATE), EO_IGNORE(CHAINREP_QUERY), EO_IGNORE(CHAINREP_FORWARD),
                              EO_IGNORE(CHAINREP_ACK), EO_IGNORE(CHAINREP_FLUSH), EO_IGNORE(CHAINREP_WRITTEN))})};
