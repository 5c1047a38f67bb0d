/* rtc.c: run to completion (Desai et al. 2015, section 6.2). A stack of the processes: whoever was sent an event, or was created,
 * is on top and runs first, so that causes are followed to their effects. A delay puts the process whose turn it is under
 * all others. */
#include "explorers/explorer.h"

static void init(void *state, uint64_t seed) { (void)state, (void)seed; }

static uint32_t next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  const eo_ring *ring = state;
  return eo_ring_index(ring, eo_ring_find(ring, 0, choices, count), choices, count);
}

static void move(eo_ring *ring, uint32_t from, uint32_t to) {
  uint32_t process = ring->order[from];
  eo_ring_remove(ring, from);
  eo_ring_insert(ring, to, process);
  ring->start = 0;
}

static void delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  eo_ring *ring = state;
  uint32_t place = eo_ring_find(ring, 0, choices, count);
  if (!eo_ring_next_value(ring, place, choices, count)) move(ring, place, ring->count - 1);
}

static void step(void *state, const eo_explorer_step *step) {
  eo_ring *ring = state;
  ring->value = 0;
  if (step->kind == EO_STEP_START) {
    eo_ring_insert(ring, 0, step->other);
    ring->start = 0;
  }
  if (step->kind == EO_STEP_FINISH) eo_ring_remove(ring, eo_ring_place(ring, step->process));
  if (step->kind != EO_STEP_SEND) return;
  uint32_t place = 0;
  while (place < ring->count && ring->order[place] != step->other) place++;
  if (place < ring->count) move(ring, place, 0); /* else it has ended */
}

const eo_explorer eo__explorer_rtc = {.version = EO_EXPLORER_VERSION,
                                      .name = "rtc",
                                      .summary = "run to completion: the receiver of the last event goes first",
                                      .size = eo_ring_size,
                                      .init = init,
                                      .next = next,
                                      .delay = delay,
                                      .step = step};
