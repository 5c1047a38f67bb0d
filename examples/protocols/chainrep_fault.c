/* chainrep_fault.c: what happens to the chain from outside: failures, and time.
 *
 * Whoever is about to send something that matters says so, and each time the fault machine considers one of the servers
 * that still work, in turn: it goes on working (what usually happens, and so the first value of the choice), or it
 * fails, until one is left. Time passes for the master now and then, and after each failure, so that it is noticed. */
#include "chainrep.h"

enum { PERIOD = 12 };

typedef struct chain_fault {
  chainrep_world world;
  uint8_t alive;
  uint8_t count; /* of messages heard of */
} chain_fault;

enum { STARTING, ACTIVE };

static void meet(void *self, const eo_message *event) {
  chain_fault *f = self;
  f->world = *(const chainrep_world *)event->data;
  f->alive = (1u << SERVERS) - 1;
}

static int count_alive(const chain_fault *f) { return __builtin_popcount(f->alive); }

/* The n-th of those that work. */
static uint8_t nth_alive(const chain_fault *f, int n) {
  for (uint8_t i = 0; i < SERVERS; i++)
    if (f->alive >> i & 1 && n-- == 0) return i;
  return NONE;
}

static void traffic(void *self, const eo_message *event) {
  chain_fault *f = self;
  (void)event;
  int left = count_alive(f);
  uint8_t considered = nth_alive(f, (f->count + f->count / left) % left);
  f->count++;
  if (left > 1 && eo_flip()) {
    f->alive &= (uint8_t) ~(1u << considered);
    eo_send(f->world.servers[considered], CHAINREP_FAIL, NULL, 0);
    eo_send(f->world.master, CHAINREP_TICK, NULL, 0);
  } else if (f->count % PERIOD == 0) {
    eo_send(f->world.master, CHAINREP_TICK, NULL, 0);
  }
}

static void stop(void *self, const eo_message *event) {
  (void)event;
  eo_halt(self);
}

const eo_machine chainrep_fault = {
    .name = "fault",
    EO_VARIABLES(chain_fault),
    .start = STARTING,
    .event_name = chainrep_event_name,
    EO_STATES([STARTING] = {.name = "starting", .on = EO_ON(EO_GOTO_WITH(CHAINREP_WORLD, ACTIVE, meet))},
              [ACTIVE] = {.name = "active",
                          .on = EO_ON(EO_DO(CHAINREP_TRAFFIC, traffic), EO_DO(CHAINREP_STOP, stop))})};
