/* detector.c: a failure detector. It pings all nodes in rounds; whoever is silent is pinged once more, and a node that does not answer
 * in the whole round is reported as down to every client that has registered. A node may crash at any time. As a slow answer
 * cannot be told from none, a node that lives may be reported as well; but one that crashed before the last round began must be.
 *
 * What the variants forget:
 *   1  that an answer may be one to a ping of the round before: a node that has crashed in between is taken to live;
 *   2  that a client may register after a node was reported: it is told only of those that follow. */
#include <everyorder.h>

enum { PING, PONG, REGISTER, DOWN, STOP, CRASHED, ROUND, END };
enum { CORRECT, ANY_PONG, LATE_CLIENT };
enum { NODES = 2, CLIENTS = 1, ROUNDS = 2, TRIES = 2, PATIENCE = 100, ALL = (1 << NODES) - 1 };

/* ---- Nodes ------------------------------------------------------------------------------------------------------ */

static void node(void *argument) {
  const int32_t self = *(const int32_t *)argument;
  eo_message m;
  while (!eo_fault("crash")) {
    eo_receive(&m, EO_FOREVER);
    if (m.tag == STOP) return;
    eo_tell(m.from, PONG, *eo_data(&m, int32_t));
  }
  eo_announce(CRASHED, &self, sizeof self);
}

/* ---- Detector --------------------------------------------------------------------------------------------------- */

typedef struct detector {
  eo_pid nodes[NODES], clients[CLIENTS];
  int32_t bug, registered, round;
  uint32_t down, answered; /* sets of nodes */
} detector;

static void tell_down(eo_pid client, uint32_t which) {
  for (int32_t i = 0; i < NODES; i++)
    if (which & 1u << i) eo_tell(client, DOWN, i);
}

static void enrol(detector *d, eo_pid client) {
  d->clients[d->registered++] = client;
  if (d->bug != LATE_CLIENT) tell_down(client, d->down);
}

static int number_of(const detector *d, eo_pid node) {
  int i = 0;
  while (d->nodes[i] != node) i++;
  return i;
}

/* Pings those that have not answered, and waits for their answers. */
static void ping(detector *d) {
  eo_message m;
  for (int i = 0; i < NODES; i++)
    if (!(d->answered & 1u << i)) eo_tell(d->nodes[i], PING, d->round);
  while (d->answered != ALL && eo_receive(&m, PATIENCE)) {
    if (m.tag == REGISTER) enrol(d, m.from);
    if (m.tag == PONG && (*eo_data(&m, int32_t) == d->round || d->bug == ANY_PONG))
      d->answered |= 1u << number_of(d, m.from);
  }
}

static void one_round(detector *d) {
  eo_announce(ROUND, &d->round, sizeof d->round);
  d->answered = d->down;
  for (int i = 0; i < TRIES && d->answered != ALL; i++) ping(d);
  const uint32_t silent = ALL & ~d->answered;
  for (int i = 0; i < d->registered; i++) tell_down(d->clients[i], silent);
  d->down |= silent;
}

static void detect(void *argument) {
  detector d = *(const detector *)argument;
  for (d.round = 1; d.round <= ROUNDS; d.round++) one_round(&d);
  while (d.registered < CLIENTS) {
    eo_message m;
    eo_receive_tag(&m, REGISTER, EO_FOREVER);
    enrol(&d, m.from);
  }
  for (int i = 0; i < CLIENTS; i++) eo_tell(d.clients[i], END, d.down);
  for (int i = 0; i < NODES; i++) eo_send(d.nodes[i], STOP, NULL, 0);
}

static void client(void *argument) {
  const eo_pid to = *(const eo_pid *)argument;
  uint32_t known = 0;
  eo_message m;
  eo_send(to, REGISTER, NULL, 0);
  while (eo_receive(&m, EO_FOREVER), m.tag == DOWN) known |= 1u << *eo_data(&m, int32_t);
  const uint32_t down = *eo_data(&m, uint32_t);
  eo_assert(known == down, "nodes %#x are down, but the client knows of %#x", down, known);
}

/* ---- What is expected of it ------------------------------------------------------------------------------------- */

typedef struct completeness {
  uint32_t crashed, early; /* sets of nodes: crashed; crashed before the last round */
} completeness;

static void see_crash(void *self, const eo_message *event) {
  ((completeness *)self)->crashed |= 1u << *eo_data(event, int32_t);
}

static void see_round(void *self, const eo_message *event) {
  completeness *c = self;
  if (*eo_data(event, int32_t) == ROUNDS) c->early = c->crashed;
}

static void see_end(void *self, const eo_message *event) {
  const completeness *c = self;
  const uint32_t down = *eo_data(event, uint32_t);
  eo_assert((c->early & ~down) == 0, "nodes %#x crashed before the last round, but %#x were reported", c->early, down);
}

static const char *event_name(int event) {
  static const char *const names[] = {"PING", "PONG", "REGISTER", "DOWN", "STOP", "CRASHED", "ROUND", "END"};
  return event >= 0 && event <= END ? names[event] : NULL;
}

static const eo_machine complete = {
    .name = "completeness",
    EO_VARIABLES(completeness),
    .event_name = event_name,
    EO_OBSERVES(CRASHED, ROUND, END),
    EO_STATES(
        {.name = "watching", .on = EO_ON(EO_DO(CRASHED, see_crash), EO_DO(ROUND, see_round), EO_DO(END, see_end))})};

static void detection(int bug) {
  eo_specify(&complete, NULL, 0);
  detector d = {.bug = bug};
  for (int32_t i = 0; i < NODES; i++) d.nodes[i] = eo_spawn(node, &i, sizeof i);
  const eo_pid pid = eo_spawn(detect, &d, sizeof d);
  for (int i = 0; i < CLIENTS; i++) eo_spawn(client, &pid, sizeof pid);
}

EO_TEST(detector_correct) { detection(CORRECT); }
EO_TEST(detector_1) { detection(ANY_PONG); }
EO_TEST(detector_2) { detection(LATE_CLIENT); }
