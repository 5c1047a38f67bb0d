/* custom.c: the explorer for chain replication (Desai et al. 2015, section 6.3). The processes in an order that the program
 * changes: eo_hint(EO_HINT_FRONT, pid) puts one before all others, eo_hint(EO_HINT_BACK, pid) behind all others. A process
 * goes on until it blocks or ends; then comes the first of the order that can. A delay goes on to the next. So those at
 * the back run only when nobody else can, or by a delay. */
#include "explorers/explorer.h"

static void init(void *state, uint64_t seed) { (void)state, (void)seed; }

/* Whose turn it is. */
static uint32_t turn(const eo_ring *ring, const eo_explorer_choice *choices, uint32_t count) {
  uint32_t place = eo_ring_find(ring, ring->start, choices, count);
  return place == ring->start ? place : eo_ring_find(ring, 0, choices, count);
}

static uint32_t next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  return eo_ring_index(state, turn(state, choices, count), choices, count);
}

static void delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  eo_ring *ring = state;
  uint32_t place = turn(ring, choices, count);
  if (!eo_ring_next_value(ring, place, choices, count))
    place = eo_ring_find(ring, (place + 1) % ring->count, choices, count);
  ring->start = place;
}

static void step(void *state, const eo_explorer_step *step) {
  eo_ring *ring = state;
  if (step->kind != EO_STEP_HINT) {
    eo__explorer_rr.step(state, step);
    if (step->kind == EO_STEP_FINISH) ring->start = 0;
  } else if (step->other != EO_STEP_NOBODY && (step->what == EO_HINT_FRONT || step->what == EO_HINT_BACK)) {
    uint32_t place = 0, current = ring->order[ring->start];
    while (place < ring->count && ring->order[place] != step->other) place++;
    if (place == ring->count) return; /* it has ended */
    eo_ring_remove(ring, place);
    eo_ring_insert(ring, step->what == EO_HINT_FRONT ? 0 : ring->count, step->other);
    ring->start = eo_ring_place(ring, current);
  }
}

const eo_explorer eo__explorer_custom = {.version = EO_EXPLORER_VERSION,
                                         .name = "custom",
                                         .summary = "in an order that the program changes by eo_hint",
                                         .size = eo_ring_size,
                                         .init = init,
                                         .next = next,
                                         .delay = delay,
                                         .step = step};
