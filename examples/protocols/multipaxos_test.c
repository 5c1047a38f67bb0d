/* multipaxos_test.c: a store of keys and values on Multi-Paxos, what must be true of any log, and the tests. Each client
 * sets keys, one after the other, so often that the ring of the log goes round, and in the end looks at the replicas. */
#include <string.h>

#include "multipaxos.h"

enum { KEYS = 4, COMMANDS = 5, LOOKS = 2, SLOTS_MAX = 32 };

/* ---- Store -------------------------------------------------------------------------------------------------------- */

static void store_start(void *data) { (void)data; }

/* Sets a key, and answers what it was. */
static void store_apply(void *data, const log_command *command, int replica, int bug, log_reply *reply) {
  uint8_t *values = data;
  (void)replica, (void)bug;
  reply->body[0] = values[command->body[0]];
  values[command->body[0]] = command->body[1];
}

const log_service log_store_service = {store_start, store_apply};

/* ---- Client ------------------------------------------------------------------------------------------------------- */

typedef struct client_setting {
  eo_pid test;
  uint8_t index;
} client_setting;

typedef struct client {
  client_setting setting;
  eo_pid replicas[REPLICAS];
  uint8_t number, seen;
} client;

enum { WAITING, ASKING, LOOKING };

static void client_start(void *self, const eo_message *event) {
  ((client *)self)->setting = *(const client_setting *)event->data;
}

static void client_meet(void *self, const eo_message *event) {
  memcpy(((client *)self)->replicas, event->data, sizeof(eo_pid) * REPLICAS);
}

static void client_ask(void *self, const eo_message *event) {
  client *c = self;
  (void)event;
  log_command command = {.client = c->setting.index, .number = ++c->number};
  command.body[0] = (uint8_t)(c->number % KEYS);
  command.body[1] = (uint8_t)(10 * c->setting.index + c->number);
  eo_send(c->replicas[0], LOG_REQUEST, &command, sizeof command);
}

static void client_reply(void *self, const eo_message *event) {
  const client *c = self;
  const log_reply *reply = event->data;
  if (reply->number == c->number) eo_goto(self, c->number < COMMANDS ? ASKING : LOOKING, NULL, 0);
}

static void client_look(void *self, const eo_message *event) {
  const client *c = self;
  (void)event;
  for (int i = 0; i < REPLICAS; i++) eo_send(c->replicas[i], LOG_LOOK, NULL, 0);
}

static void client_seen(void *self, const eo_message *event) {
  client *c = self;
  (void)event;
  if (++c->seen < LOOKS * REPLICAS) {
    if (c->seen % REPLICAS == 0) eo_goto(self, LOOKING, NULL, 0);
    return;
  }
  eo_send(c->setting.test, LOG_DONE, NULL, 0);
  eo_halt(self);
}

static const eo_machine client_machine = {
    .name = "client",
    .size = sizeof(client),
    .start = WAITING,
    .event_name = log_event_name,
    EO_STATES([WAITING] = {.name = "waiting",
                           .entry = client_start,
                           .on = EO_ON(EO_GOTO_WITH(LOG_MEET, ASKING, client_meet))},
              [ASKING] = {.name = "asking", .entry = client_ask, .on = EO_ON(EO_DO(LOG_REPLY, client_reply))},
              [LOOKING] = {.name = "looking",
                           .entry = client_look,
                           .on = EO_ON(EO_DO(LOG_SEEN, client_seen), EO_IGNORE(LOG_REPLY))})};

/* ---- Specification ------------------------------------------------------------------------------------------------ */

/* What is known of a slot: the command that a replica held to be chosen or has done. */
typedef struct agreement {
  uint8_t took[SLOTS_MAX];   /* bit r: replica r has accepted, in the latest ballot that anyone has */
  uint8_t ballot[SLOTS_MAX]; /* that ballot */
  uint8_t client[SLOTS_MAX], number[SLOTS_MAX];
} agreement;

static void see_took(void *self, const eo_message *event) {
  agreement *a = self;
  const log_note *note = event->data;
  eo_assert(note->slot < SLOTS_MAX, "more slots than the specification has");
  if (note->ballot < a->ballot[note->slot]) return;
  if (note->ballot > a->ballot[note->slot]) a->took[note->slot] = 0;
  a->ballot[note->slot] = note->ballot;
  a->took[note->slot] |= (uint8_t)(1u << note->from);
}

static void see_command(agreement *a, const log_note *note) {
  uint8_t slot = note->slot;
  eo_assert(
      a->number[slot] == 0 || (a->client[slot] == note->command.client && a->number[slot] == note->command.number),
      "slot %d: replica %d has command %d of client %d, others command %d of client %d", slot, note->from,
      note->command.number, note->command.client, a->number[slot], a->client[slot]);
  a->client[slot] = note->command.client;
  a->number[slot] = note->command.number;
}

static void see_chosen(void *self, const eo_message *event) {
  const log_note *note = event->data;
  const agreement *a = self;
  eo_assert(note->ballot < a->ballot[note->slot] || __builtin_popcount(a->took[note->slot]) >= QUORUM,
            "slot %d: replica %d holds it to be chosen, but no majority has accepted", note->slot, note->from);
  see_command(self, note);
}

static void see_applied(void *self, const eo_message *event) { see_command(self, event->data); }

const eo_machine log_agreement = {.name = "agreement",
                                  .size = sizeof(agreement),
                                  .event_name = log_event_name,
                                  EO_OBSERVES(LOG_TOOK, LOG_CHOSEN, LOG_APPLIED),
                                  EO_STATES({.name = "watching",
                                             .on = EO_ON(EO_DO(LOG_TOOK, see_took), EO_DO(LOG_CHOSEN, see_chosen),
                                                         EO_DO(LOG_APPLIED, see_applied))})};

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

void multipaxos_run(int bug, bool faults) {
  eo_specify(&log_agreement, NULL, 0);
  log_meet all = {.clients = {EO_NOBODY}};
  for (int i = 0; i < REPLICAS; i++) {
    log_setting setting = {(uint8_t)i, 0, (uint8_t)bug, faults, SERVICE_STORE, 0};
    all.replicas[i] = eo_create(&log_replica, &setting, sizeof setting);
  }
  for (int i = 1; i <= LOG_CLIENTS; i++) {
    client_setting setting = {.test = eo_self(), .index = (uint8_t)i};
    all.clients[i] = eo_create(&client_machine, &setting, sizeof setting);
  }
  for (int i = 0; i < REPLICAS; i++) eo_send(all.replicas[i], LOG_MEET, &all, sizeof all);
  for (int i = 1; i <= LOG_CLIENTS; i++) eo_send(all.clients[i], LOG_MEET, &all, sizeof all);
  eo_message message;
  for (int i = 0; i < LOG_CLIENTS; i++) eo_receive_tag(&message, LOG_DONE, EO_FOREVER);
  for (int i = 0; i < REPLICAS; i++) eo_send(all.replicas[i], LOG_STOP, NULL, 0);
}

static void run(int bug) { multipaxos_run(bug, true); }

PROTOCOL_TEST(multipaxos_correct, run, CORRECT)
PROTOCOL_TEST(multipaxos_1, run, 1)
PROTOCOL_TEST(multipaxos_2, run, 2)
PROTOCOL_TEST(multipaxos_3, run, 3)
