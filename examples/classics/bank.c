/* bank.c: a bank with a database. Clients withdraw money from one account. For each request the server starts a teller, who asks
 * the database for the balance and, if enough is left, tells it the new one. A client that waits too long asks once more.
 *
 * Correct: while a teller works, other requests wait; a request that was done is answered once more, not done once more.
 *
 * What the variants forget:
 *   1  that the balance may change while a teller waits for the database;
 *   2  that a request which comes again may have been done. */
#include <everyorder.h>

enum { WITHDRAW, READ, VALUE, WRITE, WRITTEN, FINISHED, ANSWER, DONE, STOP };
enum { CORRECT, NO_WAITING, DONE_TWICE };
enum { CLIENTS = 2, START = 100, LEAST = 10, PATIENCE = 50 };

typedef struct request {
  eo_pid client;
  int32_t number, amount; /* a client numbers its requests from 1 */
} request;

typedef struct result {
  request asked;
  int32_t paid; /* 0: refused */
} result;

/* ---- Database --------------------------------------------------------------------------------------------------- */

static void database(void *argument) {
  int32_t balance = *(const int32_t *)argument;
  for (;;) {
    eo_message m;
    eo_receive(&m, EO_FOREVER);
    switch (m.tag) {
      case READ: eo_tell(m.from, VALUE, balance); break;
      case WRITE:
        balance = *eo_data(&m, int32_t);
        eo_send(m.from, WRITTEN, NULL, 0);
        break;
      case STOP: return;
    }
  }
}

static int32_t read_balance(eo_pid data) {
  eo_message m;
  eo_send(data, READ, NULL, 0);
  eo_receive_tag(&m, VALUE, EO_FOREVER);
  return *eo_data(&m, int32_t);
}

/* ---- Server ----------------------------------------------------------------------------------------------------- */

typedef struct teller_job {
  eo_pid server, database;
  request asked;
} teller_job;

static void teller(void *argument) {
  const teller_job job = *(const teller_job *)argument;
  const int32_t left = read_balance(job.database) - job.asked.amount;
  if (left >= LEAST) {
    eo_message m;
    eo_tell(job.database, WRITE, left);
    eo_receive_tag(&m, WRITTEN, EO_FOREVER);
  }
  eo_tell(job.server, FINISHED, (result){job.asked, left >= LEAST ? job.asked.amount : 0});
}

typedef struct server {
  eo_pid database;
  int32_t bug, working; /* tellers at work */
  result last[CLIENTS]; /* of each client */
} server;

static result *last_of(server *s, eo_pid client) {
  int i = 0;
  while (s->last[i].asked.client != client && s->last[i].asked.client != EO_NOBODY) i++;
  return &s->last[i];
}

static bool is_its_turn(const eo_message *m, void *context) {
  const server *s = context;
  return m->tag != WITHDRAW || s->working == 0 || s->bug == NO_WAITING;
}

static void serve(void *argument) {
  server s = *(const server *)argument;
  for (;;) {
    eo_message m;
    eo_receive_if(&m, is_its_turn, &s, EO_FOREVER);
    if (m.tag == STOP) return;
    if (m.tag == WITHDRAW) {
      const request asked = *eo_data(&m, request);
      const result *last = last_of(&s, asked.client);
      if (last->asked.number == asked.number && s.bug != DONE_TWICE) {
        eo_tell(asked.client, ANSWER, *last);
      } else {
        s.working++;
        eo_spawn(teller, &(teller_job){eo_self(), s.database, asked}, sizeof(teller_job));
      }
    } else {
      const result finished = *eo_data(&m, result);
      s.working--;
      *last_of(&s, finished.asked.client) = finished;
      eo_tell(finished.asked.client, ANSWER, finished);
    }
  }
}

/* ---- Clients ---------------------------------------------------------------------------------------------------- */

typedef struct client_job {
  eo_pid server, test;
  int32_t amount;
} client_job;

/* The answer must come in the end: the server loses nothing. */
static void client(void *argument) {
  const client_job job = *(const client_job *)argument;
  const request asked = {eo_self(), 1, job.amount};
  eo_message m;
  eo_tell(job.server, WITHDRAW, asked);
  if (!eo_receive_tag(&m, ANSWER, PATIENCE)) {
    eo_tell(job.server, WITHDRAW, asked);
    eo_receive_tag(&m, ANSWER, EO_FOREVER);
  }
  eo_tell(job.test, DONE, eo_data(&m, result)->paid);
}

static void bank(int bug) {
  static const int32_t amounts[CLIENTS] = {20, 30};
  const int32_t start = START;
  const eo_pid data = eo_spawn(database, &start, sizeof start);
  const eo_pid to = eo_spawn(serve, &(server){.database = data, .bug = bug}, sizeof(server));
  int32_t paid = 0;
  for (int i = 0; i < CLIENTS; i++) eo_spawn(client, &(client_job){to, eo_self(), amounts[i]}, sizeof(client_job));
  for (int i = 0; i < CLIENTS; i++) {
    eo_message m;
    eo_receive_tag(&m, DONE, EO_FOREVER);
    paid += *eo_data(&m, int32_t);
  }
  const int32_t left = read_balance(data);
  eo_assert(left == START - paid, "%d of %d were paid out, but %d are left", paid, START, left);
  eo_send(to, STOP, NULL, 0);
  eo_send(data, STOP, NULL, 0);
}

EO_TEST(bank_correct) { bank(CORRECT); }
EO_TEST(bank_1) { bank(NO_WAITING); }
EO_TEST(bank_2) { bank(DONE_TWICE); }
