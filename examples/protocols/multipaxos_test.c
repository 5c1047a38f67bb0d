/* multipaxos_test.c: a ticket office on Multi-Paxos, what must be true of it, and the tests. All clients take tickets, each time
 * of another replica after a while. No ticket may be given to two, nor two for one request. */
#include <string.h>

#include "multipaxos.h"
#include "wire.h"

enum { TICKETS = 4, KIND_TAKE = 1 };

/* ---- Office ------------------------------------------------------------------------------------------------------- */

typedef struct office {
  uint8_t given; /* tickets */
} office;

static void office_start(void *data) { (void)data; }

static void office_stamp(const void *data, int open, log_command *command) {
  const office *o = data;
  command->body[0] = (uint8_t)(o->given + open + 1);
}

/* Gives the next ticket, which all replicas know alike, as they do the same commands in the same order. */
static void office_apply(void *data, const log_command *command, int replica, int bug, log_reply *reply) {
  office *o = data;
  uint8_t ticket = bug == LOG_STAMP_OWN ? command->body[0] : (uint8_t)(o->given + 1);
  log_given given = {ticket, command->client, command->number, (uint8_t)replica};
  eo_announce(LOG_GIVEN, &given, sizeof given);
  if (o->given < given.ticket) o->given = given.ticket;
  reply->body[0] = given.ticket;
}

const log_service log_store_service = {office_start, office_stamp, office_apply};

/* ---- Client ------------------------------------------------------------------------------------------------------- */

typedef struct client {
  log_meet others;
  uint8_t index, number; /* of its latest request */
} client;

enum { WAITING, TAKING, DONE };

static void client_start(void *self, const eo_message *event) {
  ((client *)self)->index = *(const uint8_t *)event->data;
}

static void client_meet(void *self, const eo_message *event) {
  ((client *)self)->others = *(const log_meet *)event->data;
}

static void client_take(void *self, const eo_message *event) {
  client *c = self;
  log_command command = {.client = c->index, .number = ++c->number, .kind = KIND_TAKE};
  (void)event;
  wire_send(c->others.replicas[(c->index + c->number / 3) % REPLICAS], LOG_REQUEST, &command, sizeof command);
}

static void client_taken(void *self, const eo_message *event) {
  const client *c = self;
  const log_reply *reply = event->data;
  if (reply->number == c->number) eo_goto(self, c->number < TICKETS ? TAKING : DONE, NULL, 0);
}

static void client_again(void *self, const eo_message *event) {
  (void)self;
  wire_repeat(event->data);
}

static const eo_machine client_machine = {
    .name = "client",
    EO_VARIABLES(client),
    .start = WAITING,
    .event_name = log_event_name,
    EO_STATES([WAITING] = {.name = "waiting",
                           .entry = client_start,
                           .on = EO_ON(EO_GOTO_WITH(LOG_MEET, TAKING, client_meet))},
              [TAKING] = {.name = "taking",
                          .entry = client_take,
                          .on = EO_ON(EO_DO(LOG_REPLY, client_taken), EO_DO(EXPIRED, client_again))},
              [DONE] = {.name = "done", .on = EO_ON(EO_IGNORE(LOG_REPLY), EO_IGNORE(EXPIRED))})};

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

void multipaxos_run(int bug) {
  eo_specify(&tickets_machine, NULL, 0);
  log_meet all = {.clients = {EO_NOBODY}, .lazy = true};
  for (int i = 0; i < REPLICAS; i++) {
    log_setting setting = {(uint8_t)i, 0, (uint8_t)bug, SERVICE_STORE, (uint8_t)bug};
    all.replicas[i] = eo_create(&log_replica, &setting, sizeof setting);
  }
  for (uint8_t i = 1; i <= LOG_CLIENTS; i++) all.clients[i] = eo_create(&client_machine, &i, sizeof i);
  for (int i = 0; i < REPLICAS; i++) eo_send(all.replicas[i], LOG_MEET, &all, sizeof all);
  for (int i = 1; i <= LOG_CLIENTS; i++) eo_send(all.clients[i], LOG_MEET, &all, sizeof all);
}

PROTOCOL_TEST(multipaxos_correct, multipaxos_run, CORRECT)
PROTOCOL_TEST(multipaxos_1, multipaxos_run, 1)
PROTOCOL_TEST(multipaxos_2, multipaxos_run, 2)
PROTOCOL_TEST(multipaxos_3, multipaxos_run, 3)
