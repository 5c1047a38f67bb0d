/* rr.c: round robin (Desai et al. 2015, sections 2 and 6.2). The processes in the order of their creation; one goes on until it
 * blocks or ends, then comes the next that can. A delay goes on to the next. */
#include "explorers/explorer.h"

static void init(void *state, uint64_t seed) { (void)state, (void)seed; }

static uint32_t next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  const eo_ring *ring = state;
  return eo_ring_index(ring, eo_ring_find(ring, ring->start, choices, count), choices, count);
}

static void delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  eo_ring *ring = state;
  ring->start = eo_ring_find(ring, ring->start, choices, count);
  if (!eo_ring_next_value(ring, ring->start, choices, count)) ring->start = (ring->start + 1) % ring->count;
}

static void step(void *state, const eo_explorer_step *step) {
  eo_ring *ring = state;
  if (step->kind == EO_STEP_START) eo_ring_insert(ring, ring->count, step->other);
  ring->value = 0;
  ring->start = eo_ring_place(ring, step->process);
  if (step->kind == EO_STEP_FINISH) eo_ring_remove(ring, ring->start);
}

const eo_explorer eo__explorer_rr = {.version = EO_EXPLORER_VERSION,
                                     .name = "rr",
                                     .summary = "round robin: a process goes on until it blocks; in order of creation",
                                     .size = eo_ring_size,
                                     .init = init,
                                     .next = next,
                                     .delay = delay,
                                     .step = step};
