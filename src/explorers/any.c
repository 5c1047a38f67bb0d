/* any.c: one of rtc, rr and prr, drawn by the seed. For ss, which gives each sample a seed of its own: a program that one of them does
 * not suit is then sampled under the others as well. */
#include "explorers/explorer.h"

typedef struct any {
  uint64_t which; /* index into all */
} any;

static const eo_explorer *const all[] = {&eo__explorer_rtc, &eo__explorer_rr, &eo__explorer_prr};
enum { ALL = sizeof all / sizeof *all };

/* The state of the one that was drawn stands behind this one's. */
static void *inner(any *state) { return state + 1; }
static const eo_explorer *drawn(const any *state) { return all[state->which]; }

static size_t size(uint32_t processes) { return sizeof(any) + eo_ring_size(processes); }

static void init(void *state, uint64_t seed) {
  any *a = state;
  a->which = eo_explorer_random(&seed) % ALL;
  drawn(a)->init(inner(a), seed);
}

static uint32_t next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  const any *a = state;
  return drawn(a)->next(a + 1, choices, count);
}

static void delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  drawn(state)->delay(inner(state), choices, count);
}

static void step(void *state, const eo_explorer_step *step) { drawn(state)->step(inner(state), step); }

const eo_explorer eo__explorer_any = {
    .version = EO_EXPLORER_VERSION,
    .name = "any",
    .summary = "one of rtc, rr and prr, drawn by the seed: for ss, anew for each sample",
    .size = size,
    .init = init,
    .next = next,
    .delay = delay,
    .step = step};
