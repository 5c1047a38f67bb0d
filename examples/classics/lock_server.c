/* lock_server.c: a lock server, which grants a lock to one client at a time, in the order in which they ask. A client may lose its
 * patience, take its request back and ask again; it may also crash at any time, of which the server hears by its monitor.
 *
 * Correct: nobody is granted the lock while another one holds it, and the server does not stop granting.
 *
 * What the variants forget:
 *   1  that those who wait may crash as well as the one who holds the lock: it is granted to a client that is no more;
 *   2  that a request may be taken back when its grant is already on the way. */
#include <everyorder.h>

enum { ACQUIRE, GRANTED, RELEASE, TAKE_BACK, HOLDS, LEAVES };
enum { CORRECT, DEAD_WAITERS, LATE_GRANT };
enum { CLIENTS = 3, WAITING = CLIENTS + 1, PATIENCE = 50 };

/* ---- Server ----------------------------------------------------------------------------------------------------- */

typedef struct request {
  eo_pid client;
  int32_t number; /* 2: after the first was taken back */
} request;

typedef struct server {
  int32_t bug, count;
  request queue[WAITING]; /* the first one holds the lock */
} server;

static bool is_first(const server *s, eo_pid client) { return s->count > 0 && s->queue[0].client == client; }

static void grant(const server *s) { eo_tell(s->queue[0].client, GRANTED, s->queue[0].number); }

static void enter(server *s, eo_pid client, int32_t number) {
  if (number == 1) eo_monitor(client);
  s->queue[s->count++] = (request){client, number};
  if (s->count == 1) grant(s);
}

static void leave(server *s, eo_pid client) {
  int at = 0;
  while (at < s->count && s->queue[at].client != client) at++;
  if (at == s->count) return;
  s->count--;
  for (int i = at; i < s->count; i++) s->queue[i] = s->queue[i + 1];
  if (at == 0 && s->count > 0) grant(s);
}

static void serve(void *argument) {
  server s = {.bug = *(const int32_t *)argument};
  for (int gone = 0; gone < CLIENTS;) {
    eo_message m;
    eo_receive(&m, EO_FOREVER);
    switch (m.tag) {
      case ACQUIRE: enter(&s, m.from, *eo_data(&m, int32_t)); break;
      case RELEASE: leave(&s, m.from); break;
      case TAKE_BACK:
        if (s.bug != LATE_GRANT || !is_first(&s, m.from)) leave(&s, m.from);
        break;
      case EO_DOWN: {
        const eo_pid client = eo_data(&m, eo_down_info)->pid;
        if (s.bug != DEAD_WAITERS || is_first(&s, client)) leave(&s, client);
        gone++;
        break;
      }
    }
  }
}

/* ---- Clients ---------------------------------------------------------------------------------------------------- */

typedef struct client_job {
  eo_pid server;
  int64_t patience;
} client_job;

/* Waits for the grant of this request. One of a request that was taken back is thrown away. */
static bool is_granted(int32_t number, int64_t patience) {
  eo_message m;
  while (eo_receive_tag(&m, GRANTED, patience))
    if (*eo_data(&m, int32_t) == number) return true;
  return false;
}

static void client(void *argument) {
  const client_job job = *(const client_job *)argument;
  int32_t number = 1;
  eo_tell(job.server, ACQUIRE, number);
  if (eo_fault("crash")) return;
  if (!is_granted(number, job.patience)) {
    eo_send(job.server, TAKE_BACK, NULL, 0);
    number = 2;
    eo_tell(job.server, ACQUIRE, number);
    is_granted(number, EO_FOREVER);
  }
  eo_announce(HOLDS, NULL, 0);
  const bool crashes = eo_fault("crash");
  eo_announce(LEAVES, NULL, 0);
  if (!crashes) eo_send(job.server, RELEASE, NULL, 0);
}

/* ---- What is expected of them ----------------------------------------------------------------------------------- */

static const char *event_name(int event) { return event == HOLDS ? "HOLDS" : event == LEAVES ? "LEAVES" : NULL; }

enum { NOBODY_HOLDS_IT, ONE_HOLDS_IT };

static const eo_machine exclusive = {
    .name = "exclusive",
    .event_name = event_name,
    .start = NOBODY_HOLDS_IT,
    EO_OBSERVES(HOLDS, LEAVES),
    EO_STATES([NOBODY_HOLDS_IT] = {.name = "nobody holds it", .on = EO_ON(EO_GOTO(HOLDS, ONE_HOLDS_IT))},
              [ONE_HOLDS_IT] = {.name = "one holds it", .on = EO_ON(EO_GOTO(LEAVES, NOBODY_HOLDS_IT))})};

/* The last client is the one without patience. */
static void locks(int bug) {
  eo_specify(&exclusive, NULL, 0);
  const int32_t variant = bug;
  const eo_pid to = eo_spawn(serve, &variant, sizeof variant);
  for (int i = 0; i < CLIENTS; i++)
    eo_spawn(client, &(client_job){to, i < CLIENTS - 1 ? EO_FOREVER : PATIENCE}, sizeof(client_job));
}

EO_TEST(lock_server_correct) { locks(CORRECT); }
EO_TEST(lock_server_1) { locks(DEAD_WAITERS); }
EO_TEST(lock_server_2) { locks(LATE_GRANT); }
