/* multipaxos_test.c: a ticket office on Multi-Paxos, what must be true of it, and the tests. Each client sets a few keys,
 * then takes tickets, and in the end looks at the replicas. No ticket may be given to two, nor two for one request. */
#include <string.h>

#include "multipaxos.h"

enum { KEYS = 3, SETS = 4, TICKETS = 2, LOOKS = 2, KIND_SET = 1, KIND_TAKE };

/* ---- Office ------------------------------------------------------------------------------------------------------- */

typedef struct office {
  uint8_t keys[KEYS];
  uint8_t given; /* tickets */
} office;

static void office_start(void *data) { (void)data; }

static void office_stamp(const void *data, int open, log_command *command) {
  const office *o = data;
  if (command->kind == KIND_TAKE) command->body[0] = (uint8_t)(o->given + open + 1);
}

/* Sets a key, and answers what it was; or gives the ticket that the leader has put on the command. */
static void office_apply(void *data, const log_command *command, int replica, int bug, log_reply *reply) {
  office *o = data;
  (void)bug;
  if (command->kind == KIND_TAKE) {
    log_given given = {command->body[0], command->client, command->number, (uint8_t)replica};
    eo_announce(LOG_GIVEN, &given, sizeof given);
    if (o->given < given.ticket) o->given = given.ticket;
    reply->body[0] = given.ticket;
    return;
  }
  reply->body[0] = o->keys[command->body[0]];
  o->keys[command->body[0]] = command->body[1];
}

const log_service log_store_service = {office_start, office_stamp, office_apply};

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

static void client_send(client *c, int contact) {
  bool take = c->number > SETS;
  log_command command = {c->setting.index, c->number, take ? KIND_TAKE : KIND_SET, 0, {0}};
  if (!take) {
    command.body[0] = (uint8_t)(c->number % KEYS);
    command.body[1] = (uint8_t)(10 * c->setting.index + c->number);
  }
  eo_send(c->replicas[contact], LOG_REQUEST, &command, sizeof command);
}

static void client_ask(void *self, const eo_message *event) {
  client *c = self;
  (void)event;
  c->number++;
  client_send(c, (c->setting.index - 1) % REPLICAS);
}

static void client_reply(void *self, const eo_message *event) {
  const client *c = self;
  const log_reply *reply = event->data;
  if (reply->number != c->number) return;
  eo_goto(self, c->number < SETS + TICKETS ? ASKING : LOOKING, NULL, 0);
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
    EO_VARIABLES(client),
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

enum { TICKETS_MAX = 32 };

typedef struct tickets {
  uint8_t client[TICKETS_MAX], number[TICKETS_MAX]; /* of the request for which a ticket was given; 0: not given */
  uint8_t last[REPLICAS][LOG_CLIENTS + 1];          /* the latest request for which each replica has given one */
} tickets;

static void see_given(void *self, const eo_message *event) {
  tickets *t = self;
  const log_given *given = event->data;
  uint8_t *last = &t->last[given->replica][given->client], ticket = given->ticket;
  eo_assert(ticket < TICKETS_MAX &&
                (t->number[ticket] == 0 || (t->client[ticket] == given->client && t->number[ticket] == given->number)),
            "ticket %d is given to client %d, and was given to client %d", ticket, given->client, t->client[ticket]);
  eo_assert(given->number > *last, "replica %d gives client %d a second ticket for request %d", given->replica,
            given->client, given->number);
  t->client[ticket] = given->client;
  t->number[ticket] = given->number;
  *last = given->number;
}

static const eo_machine tickets_machine = {.name = "tickets",
                                           EO_VARIABLES(tickets),
                                           .event_name = log_event_name,
                                           EO_OBSERVES(LOG_GIVEN),
                                           EO_STATES({.name = "watching", .on = EO_ON(EO_DO(LOG_GIVEN, see_given))})};

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

void multipaxos_run(int bug, bool faults) {
  eo_specify(&tickets_machine, NULL, 0);
  log_meet all = {.clients = {EO_NOBODY}};
  for (int i = 0; i < REPLICAS; i++) {
    log_setting setting = {(uint8_t)i, 0, (uint8_t)bug, faults && i == 0, SERVICE_STORE, 0};
    all.replicas[i] = eo_create(&log_replica, &setting, sizeof setting);
  }
  for (int i = 1; i <= LOG_CLIENTS; i++) {
    client_setting setting = {eo_self(), (uint8_t)i};
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
