/* chainrep_fault.c: failures. Whoever is about to send something that matters chooses whether this is a moment at which
 * something fails (chainrep_brave; usually it is not, so that is the first value of the choice) and then waits until
 * the fault machine has chosen the server and made it fail, until one is left: a failure belongs to its moment. Which
 * server comes first varies with the moment. Its neighbour may go with it, as when both stand in one rack. The master's
 * clock ticks after that, so that a failure is noticed, sooner or later. */
#include "chainrep.h"

typedef struct chain_fault {
  chainrep_world world;
  uint8_t alive;
} chain_fault;

enum { STARTING, ACTIVE };

static void meet(void *self, const eo_message *event) {
  chain_fault *f = self;
  f->world = *(const chainrep_world *)event->data;
  f->alive = (1u << SERVERS) - 1;
}

static unsigned count_alive(const chain_fault *f) { return (unsigned)__builtin_popcount(f->alive); }

/* The n-th of those that work. */
static uint8_t nth_alive(const chain_fault *f, unsigned n) {
  for (uint8_t i = 0; i < SERVERS; i++)
    if (f->alive >> i & 1 && n-- == 0) return i;
  return NONE;
}

static void make_fail(chain_fault *f, uint8_t server) {
  f->alive &= (uint8_t) ~(1u << server);
  eo_send(f->world.servers[server], CHAINREP_FAIL, NULL, 0);
}

static void trouble(void *self, const eo_message *event) {
  chain_fault *f = self;
  const chainrep_note *note = event->data;
  eo_pid from = event->from;
  unsigned left = count_alive(f);
  if (left > 1) {
    unsigned chosen = (note->sequence + eo_choose(left)) % left;
    make_fail(f, nth_alive(f, chosen));
    if (left > 2 && chosen < left - 1 && eo_flip()) make_fail(f, nth_alive(f, chosen));
    eo_send(f->world.master, CHAINREP_TICK, NULL, 0);
  }
  eo_send(from, CHAINREP_HANDLED, NULL, 0);
}

const eo_machine chainrep_fault = {
    .name = "fault",
    EO_VARIABLES(chain_fault),
    .start = STARTING,
    .event_name = chainrep_event_name,
    EO_STATES([STARTING] = {.name = "starting", .on = EO_ON(EO_GOTO_WITH(CHAINREP_WORLD, ACTIVE, meet))},
              [ACTIVE] = {.name = "active", .on = EO_ON(EO_DO(CHAINREP_TROUBLE, trouble))})};
