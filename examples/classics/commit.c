/* commit.c: two-phase commit with a timer and a failure injector. A trip is a seat on a flight and a room in a hotel. Clients book
 * trips with a coordinator, who asks flight and hotel to prepare, one trip after the other, and books it if both vote yes before the
 * timer fires. The hotel has one room. A client whose trip took too long tries once more. The injector crashes flight or hotel, which
 * go on with what their logs have.
 *
 * Correct: flight and hotel book the same trips, and those are the trips that clients were told of.
 *
 * What the variants forget:
 *   1  that a vote may be late: it is counted for the trip that is being booked then;
 *   2  that a vote is a promise: yes is voted with nothing in the log, and a crash forgets what is about to be booked. */
#include <everyorder.h>

enum { BOOK, PREPARE, VOTE, DECIDE, RESULT, START, CANCEL, FIRED, CRASH, BOOKED, TELL_BOOKED, STOP };
enum { CORRECT, ANY_VOTE, NOT_LOGGED };
enum { FLIGHT, HOTEL, PARTICIPANTS, CLIENTS = 2, PATIENCE = 100 };
enum { REFUSED, DONE, TOO_LATE };

typedef struct vote {
  int32_t trip, from;
  bool yes;
} vote;

typedef struct decision {
  int32_t trip;
  bool commit;
} decision;

typedef struct answer {
  int32_t trip, result;
} answer;

/* ---- Timer ------------------------------------------------------------------------------------------------------ */

/* Between firing and being cancelled there is no order: whoever starts it is told for which trip it fired. */
static void timer(void *argument) {
  (void)argument;
  eo_message m;
  while (eo_receive(&m, EO_FOREVER), m.tag != STOP) {
    if (m.tag != START) continue;
    const eo_pid owner = m.from;
    const int32_t trip = *eo_data(&m, int32_t);
    if (!eo_receive_tag(&m, CANCEL, PATIENCE)) eo_tell(owner, FIRED, trip);
  }
}

/* ---- Flight and hotel ------------------------------------------------------------------------------------------- */

typedef struct records {
  int32_t prepared; /* trip that a place is held for; 0: none */
  int32_t free;     /* places */
  uint32_t booked;  /* set of trips */
} records;

typedef struct participant {
  int32_t index, bug;
  records memory, log;
} participant;

static void prepare(participant *p, const eo_message *m) {
  const int32_t trip = *eo_data(m, int32_t);
  const bool yes = p->memory.free > 0;
  if (yes) p->memory.prepared = trip;
  if (p->bug != NOT_LOGGED) p->log = p->memory;
  eo_tell(m->from, VOTE, (vote){trip, p->index, yes});
}

static void decide(participant *p, const decision *d) {
  if (p->memory.prepared != d->trip) return;
  if (d->commit) {
    p->memory.free--;
    p->memory.booked |= 1u << d->trip;
  }
  p->memory.prepared = 0;
  p->log = p->memory;
}

static void participate(void *argument) {
  participant p = *(const participant *)argument;
  p.log = p.memory;
  for (;;) {
    eo_message m;
    eo_receive(&m, EO_FOREVER);
    switch (m.tag) {
      case PREPARE: prepare(&p, &m); break;
      case DECIDE: decide(&p, eo_data(&m, decision)); break;
      case CRASH: p.memory = p.log; break;
      case TELL_BOOKED: eo_tell(m.from, BOOKED, p.memory.booked); break;
      case STOP: return;
    }
  }
}

static void injector(void *argument) {
  const eo_pid *participants = argument;
  for (int i = 0; i < PARTICIPANTS; i++)
    if (eo_fault("crash")) eo_send(participants[i], CRASH, NULL, 0);
}

/* ---- Coordinator ------------------------------------------------------------------------------------------------ */

typedef struct coordinator {
  eo_pid participants[PARTICIPANTS], timer;
  int32_t bug;
} coordinator;

/* Until all have voted yes, one has voted no, or the timer has fired. */
static int32_t votes(const coordinator *c, int32_t trip) {
  int32_t yes = 0;
  while (yes < PARTICIPANTS) {
    eo_message m;
    eo_receive_tags(&m, (const int[]){VOTE, FIRED}, 2, EO_FOREVER);
    if (m.tag == FIRED) {
      if (*eo_data(&m, int32_t) == trip) return TOO_LATE;
      continue;
    }
    const vote *v = eo_data(&m, vote);
    if (v->trip != trip && c->bug != ANY_VOTE) continue;
    if (!v->yes) return REFUSED;
    yes++;
  }
  return DONE;
}

static int32_t book(const coordinator *c, int32_t trip) {
  for (int i = 0; i < PARTICIPANTS; i++) eo_tell(c->participants[i], PREPARE, trip);
  eo_tell(c->timer, START, trip);
  const int32_t result = votes(c, trip);
  eo_send(c->timer, CANCEL, NULL, 0);
  for (int i = 0; i < PARTICIPANTS; i++) eo_tell(c->participants[i], DECIDE, (decision){trip, result == DONE});
  return result;
}

static void coordinate(void *argument) {
  const coordinator c = *(const coordinator *)argument;
  for (int32_t trip = 1;; trip++) {
    eo_message m;
    eo_receive_tags(&m, (const int[]){BOOK, STOP}, 2, EO_FOREVER);
    if (m.tag == STOP) break;
    const eo_pid client = m.from;
    eo_tell(client, RESULT, (answer){trip, book(&c, trip)});
  }
  for (int i = 0; i < PARTICIPANTS; i++) eo_send(c.participants[i], STOP, NULL, 0);
  eo_send(c.timer, STOP, NULL, 0);
}

/* ---- Clients, and what is expected ------------------------------------------------------------------------------ */

typedef struct client_job {
  eo_pid coordinator, test;
} client_job;

static void client(void *argument) {
  const client_job job = *(const client_job *)argument;
  answer got = {0, TOO_LATE};
  for (int i = 0; i < 2 && got.result == TOO_LATE; i++) {
    eo_message m;
    eo_send(job.coordinator, BOOK, NULL, 0);
    eo_receive_tag(&m, RESULT, EO_FOREVER);
    got = *eo_data(&m, answer);
  }
  eo_tell(job.test, RESULT, got);
}

static void trips(int bug) {
  static const int32_t places[PARTICIPANTS] = {[FLIGHT] = 2, [HOTEL] = 1};
  coordinator c = {.bug = bug, .timer = eo_spawn(timer, NULL, 0)};
  for (int32_t i = 0; i < PARTICIPANTS; i++)
    c.participants[i] =
        eo_spawn(participate, &(participant){.index = i, .bug = bug, .memory.free = places[i]}, sizeof(participant));
  const eo_pid to = eo_spawn(coordinate, &c, sizeof c);
  eo_spawn(injector, c.participants, sizeof c.participants);
  for (int i = 0; i < CLIENTS; i++) eo_spawn(client, &(client_job){to, eo_self()}, sizeof(client_job));
  uint32_t told = 0;
  eo_message m;
  for (int i = 0; i < CLIENTS; i++) {
    eo_receive_tag(&m, RESULT, EO_FOREVER);
    const answer *got = eo_data(&m, answer);
    if (got->result == DONE) told |= 1u << got->trip;
  }
  for (int i = 0; i < PARTICIPANTS; i++) {
    eo_send(c.participants[i], TELL_BOOKED, NULL, 0);
    eo_receive_tag(&m, BOOKED, EO_FOREVER);
    const uint32_t booked = *eo_data(&m, uint32_t);
    eo_assert(booked == told, "the %s has booked trips %#x, but clients were told of %#x",
              i == FLIGHT ? "flight" : "hotel", booked, told);
  }
  eo_send(to, STOP, NULL, 0);
}

EO_TEST(commit_correct) { trips(CORRECT); }
EO_TEST(commit_1) { trips(ANY_VOTE); }
EO_TEST(commit_2) { trips(NOT_LOGGED); }
