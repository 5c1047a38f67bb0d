/* rng.c: xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), its state filled
 * by splitmix64 so that seeds that differ in one bit start far apart. The numbers of a seed must never change: seeds
 * are in users' bug reports. */
#include "base/rng.h"

#include "base/error.h"

static uint64_t splitmix(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

void eo__rng_init(eo_rng *rng, uint64_t seed) {
  for (int i = 0; i < 4; i++) rng->state[i] = splitmix(&seed);
}

uint64_t eo__rng_next(eo_rng *rng) {
  uint64_t *s = rng->state;
  uint64_t result = rotate_left(s[1] * 5, 7) * 9;
  uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate_left(s[3], 45);
  return result;
}

/* Lemire's method: the upper half of a 32 by 32 bit product is the answer, and the few products whose lower half falls
 * into the uneven rest are drawn again. */
uint32_t eo__rng_below(eo_rng *rng, uint32_t n) {
  EO_CHECK(n > 0);
  uint32_t uneven = (0 - n) % n; /* 2^32 modulo n */
  for (;;) {
    uint64_t product = (eo__rng_next(rng) >> 32) * n;
    if ((uint32_t)product >= uneven) return (uint32_t)(product >> 32);
  }
}
