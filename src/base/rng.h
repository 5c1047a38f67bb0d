/* rng.h: random numbers that depend on the seed and on nothing else (xoshiro256**, seeded by splitmix64). */
#ifndef EO_BASE_RNG_H
#define EO_BASE_RNG_H

#include <stdint.h>

typedef struct eo_rng {
  uint64_t state[4];
} eo_rng;

void eo__rng_init(eo_rng *rng, uint64_t seed);
uint64_t eo__rng_next(eo_rng *rng);
uint32_t eo__rng_below(eo_rng *rng, uint32_t n); /* 0 to n - 1, without bias; n > 0 */

#endif
