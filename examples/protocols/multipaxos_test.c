/* multipaxos_test.c: a ticket office on Multi-Paxos, what must be true of it, and the tests. One client furnishes the office
 * (sets keys), looks whether all replicas are there, and opens it; then all take tickets, each time of another replica after
 * a while. In the end all save what they have. No ticket may be given to two, nor two for one request. */
#include <string.h>

#include "multipaxos.h"
#include "store.h"

enum { KEYS = 3, SETS = 8, LOOKS = 2, TICKETS = 8, KIND_SET = 1, KIND_TAKE };

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
  log_meet others;
  uint8_t number;           /* of its latest request */
  uint8_t seen;             /* answers of replicas that it has looked at */
  uint8_t tickets[TICKETS]; /* that it has got */
  store_writer writer;
} client;

enum { WAITING, SETTING, LOOKING, TAKING, DONE };

static void client_start(void *self, const eo_message *event) {
  ((client *)self)->setting = *(const client_setting *)event->data;
}

static void client_meet(void *self, const eo_message *event) {
  client *c = self;
  c->others = *(const log_meet *)event->data;
  if (c->setting.index == 1) eo_goto(self, SETTING, NULL, 0);
}

static void client_send(client *c, log_command command) {
  command.client = c->setting.index;
  command.number = ++c->number;
  eo_send(c->others.replicas[(c->setting.index + c->number / 3) % REPLICAS], LOG_REQUEST, &command, sizeof command);
}

static void client_set(void *self, const eo_message *event) {
  client *c = self;
  (void)event;
  client_send(c, (log_command){.kind = KIND_SET, .body = {c->number % KEYS, c->number}});
}

static void client_take(void *self, const eo_message *event) {
  (void)event;
  client_send(self, (log_command){.kind = KIND_TAKE});
}

static void client_was_set(void *self, const eo_message *event) {
  const client *c = self;
  const log_reply *reply = event->data;
  if (reply->number == c->number) eo_goto(self, c->number < SETS ? SETTING : LOOKING, NULL, 0);
}

static void client_look(void *self, const eo_message *event) {
  const client *c = self;
  (void)event;
  for (int i = 0; i < REPLICAS; i++) eo_send(c->others.replicas[i], LOG_LOOK, NULL, 0);
}

static void client_seen(void *self, const eo_message *event) {
  client *c = self;
  (void)event;
  if (++c->seen % REPLICAS) return;
  if (c->seen < LOOKS * REPLICAS) {
    eo_goto(self, LOOKING, NULL, 0);
    return;
  }
  for (int i = 2; i <= LOG_CLIENTS; i++) eo_send(c->others.clients[i], LOG_OPEN, NULL, 0);
  eo_goto(self, TAKING, NULL, 0);
}

static void client_taken(void *self, const eo_message *event) {
  client *c = self;
  const log_reply *reply = event->data;
  if (reply->number != c->number) return;
  uint8_t got = 0;
  while (c->tickets[got]) got++;
  c->tickets[got] = reply->body[0];
  eo_goto(self, got + 1 < TICKETS ? TAKING : DONE, NULL, 0);
}

static void client_done(void *self, const eo_message *event) {
  const client *c = self;
  (void)event;
  eo_send(c->setting.test, LOG_DONE, NULL, 0);
}

static void client_save(void *self, const eo_message *event) {
  client *c = self;
  (void)event;
  store_save(&c->writer, c->tickets, sizeof c->tickets);
}

static const eo_machine client_machine = {
    .name = "client",
    EO_VARIABLES(client),
    .start = WAITING,
    .event_name = log_event_name,
    EO_STATES([WAITING] = {.name = "waiting",
                           .entry = client_start,
                           .on = EO_ON(EO_DO(LOG_MEET, client_meet), EO_GOTO(LOG_OPEN, TAKING))},
              [SETTING] = {.name = "setting", .entry = client_set, .on = EO_ON(EO_DO(LOG_REPLY, client_was_set))},
              [LOOKING] = {.name = "looking",
                           .entry = client_look,
                           .on = EO_ON(EO_DO(LOG_SEEN, client_seen), EO_IGNORE(LOG_REPLY))},
              [TAKING] = {.name = "taking", .entry = client_take, .on = EO_ON(EO_DO(LOG_REPLY, client_taken))},
              [DONE] = {
                  .name = "done",
                  .entry = client_done,
                  .on = EO_ON(EO_DO(LOG_SAVE, client_save), EO_DO(STORE_WRITTEN, client_save), EO_IGNORE(LOG_REPLY))})};

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
  log_meet all = {.clients = {EO_NOBODY}, .lazy = true};
  for (int i = 0; i < REPLICAS; i++) {
    log_setting setting = {(uint8_t)i, 0, (uint8_t)bug, faults && i == 0, SERVICE_STORE, 0};
    all.replicas[i] = eo_create(&log_replica, &setting, sizeof setting);
  }
  for (int i = 1; i <= LOG_CLIENTS; i++) {
    client_setting setting = {eo_self(), (uint8_t)i};
    all.clients[i] = eo_create(&client_machine, &setting, sizeof setting);
  }
  for (int i = 0; i < REPLICAS; i++) eo_send(all.replicas[i], LOG_MEET, &all, sizeof all);
  for (int i = LOG_CLIENTS; i > 0; i--) eo_send(all.clients[i], LOG_MEET, &all, sizeof all); /* the first one begins */
  eo_message message;
  for (int i = 0; i < LOG_CLIENTS; i++) eo_receive_tag(&message, LOG_DONE, EO_FOREVER);
  for (int i = 0; i < REPLICAS; i++) eo_send(all.replicas[i], LOG_SAVE, NULL, 0);
  for (int i = 1; i <= LOG_CLIENTS; i++) eo_send(all.clients[i], LOG_SAVE, NULL, 0);
}

static void run(int bug) { multipaxos_run(bug, true); }

PROTOCOL_TEST(multipaxos_correct, run, CORRECT)
PROTOCOL_TEST(multipaxos_1, run, 1)
PROTOCOL_TEST(multipaxos_2, run, 2)
PROTOCOL_TEST(multipaxos_3, run, 3)
