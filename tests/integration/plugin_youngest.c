/* plugin_youngest.c: a plug-in explorer, the youngest process first; with definitions that break it in several ways, and another
 * OFFSET for another build. Of explorers.sh and resume_refused.sh. */
#include <explorer.h>

#ifndef VERSION
#define VERSION EO_EXPLORER_VERSION
#endif

static void init(void *state, uint64_t seed) { (void)state, (void)seed; }

/* The last of the ring first. */
static uint32_t next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  const eo_ring *ring = state;
  return eo_ring_index(ring, eo_ring_find(ring, ring->start, choices, count), choices, count);
}

static void delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  eo_ring *ring = state;
#ifndef UNSOUND
  ring->start = eo_ring_find(ring, ring->start, choices, count);
  if (!eo_ring_next_value(ring, ring->start, choices, count)) ring->start = (ring->start + 1) % ring->count;
#else
  (void)ring, (void)choices, (void)count;
#endif
}

static void step(void *state, const eo_explorer_step *step) {
  eo_ring *ring = state;
  if (step->kind == EO_STEP_START) eo_ring_insert(ring, 0, step->other);
  ring->value = 0;
  ring->start = 0;
  if (step->kind == EO_STEP_FINISH) eo_ring_remove(ring, eo_ring_place(ring, step->process));
}

#ifdef OTHER_NAME
const eo_explorer other_name =
#else
const eo_explorer eo_plugin_explorer =
#endif
    {.version = VERSION,
     .name = "youngest",
     .size = eo_ring_size,
     .init = init,
     .next = next,
#ifndef NO_DELAY
     .delay = delay,
#endif
     .step = step};
#ifdef NO_DELAY
void (*unused)(void *, const eo_explorer_choice *, uint32_t) = delay;
#endif

#ifdef OFFSET
const int offset = OFFSET;
#endif
