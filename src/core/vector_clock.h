/* vector_clock.h: one number per process, joined and copied four at a time. */
#ifndef EO_CORE_VECTOR_CLOCK_H
#define EO_CORE_VECTOR_CLOCK_H

#include <stdint.h>

/* Four numbers at a time; clocks are as wide as a multiple of that. Signed, since that is what processors compare; no
 * process has so many events. */
typedef int32_t eo_clock_part __attribute__((vector_size(16), aligned(4), may_alias));

static inline void eo_clock_join_both(uint32_t *clock, const uint32_t *one, const uint32_t *other, uint32_t count) {
  eo_clock_part *to = (eo_clock_part *)clock;
  const eo_clock_part *a = (const eo_clock_part *)one, *b = (const eo_clock_part *)other;
  for (uint32_t i = 0; i < count / 4; i++) {
    eo_clock_part larger = (eo_clock_part)(a[i] > b[i]);
    to[i] = (a[i] & larger) | (b[i] & ~larger);
  }
}

static inline void eo_clock_join(uint32_t *clock, const uint32_t *other, uint32_t count) {
  eo_clock_join_both(clock, clock, other, count);
}

static inline void eo_clock_copy(uint32_t *clock, const uint32_t *other, uint32_t count) {
  eo_clock_part *to = (eo_clock_part *)clock;
  const eo_clock_part *from = (const eo_clock_part *)other;
  for (uint32_t i = 0; i < count / 4; i++) to[i] = from[i];
}

#endif
