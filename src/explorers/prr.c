/* prr.c: probabilistic round robin (Desai et al. 2015, section 6.2): a new process takes a random place in the order; all else is
 * round robin. The order depends on the seed. */
#include "explorers/explorer.h"

static void init(void *state, uint64_t seed) { ((eo_ring *)state)->random = seed; }

static uint32_t next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  return eo__explorer_rr.next(state, choices, count);
}

static void delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  eo__explorer_rr.delay(state, choices, count);
}

static void step(void *state, const eo_explorer_step *step) {
  eo_ring *ring = state;
  eo__explorer_rr.step(state, step);
  if (step->kind != EO_STEP_START) return;
  eo_ring_remove(ring, eo_ring_place(ring, step->other));
  eo_ring_insert(ring, (uint32_t)(eo_explorer_random(&ring->random) % (ring->count + 1)), step->other);
  ring->start = eo_ring_place(ring, step->process);
}

const eo_explorer eo__explorer_prr = {.version = EO_EXPLORER_VERSION,
                                      .name = "prr",
                                      .summary = "round robin; a new process gets a random place in the order",
                                      .size = eo_ring_size,
                                      .init = init,
                                      .next = next,
                                      .delay = delay,
                                      .step = step};
