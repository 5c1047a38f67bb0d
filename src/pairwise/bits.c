/* bits.c: see bits.h. */
#include "pairwise/bits.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE uint32_t count_common(const uint64_t *one, const uint64_t *other, uint32_t words) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < words; i++) count += (uint32_t)__builtin_popcountll(one[i] & other[i]);
  return count;
}

static ALWAYS_INLINE int32_t count_balance(const uint64_t *plus, const uint64_t *minus, const uint64_t *set,
                                           uint32_t words) {
  int32_t count = 0;
  for (uint32_t i = 0; i < words; i++)
    count += __builtin_popcountll(plus[i] & set[i]) - __builtin_popcountll(minus[i] & set[i]);
  return count;
}

static uint32_t common_plain(const uint64_t *one, const uint64_t *other, uint32_t words) {
  return count_common(one, other, words);
}

static int32_t balance_plain(const uint64_t *plus, const uint64_t *minus, const uint64_t *set, uint32_t words) {
  return count_balance(plus, minus, set, words);
}

#ifdef __x86_64__
/* The instruction is in every processor of the last fifteen years, but compilers may not take it for granted. */
#define WITH_POPCNT __attribute__((target("popcnt")))

WITH_POPCNT static uint32_t common_popcnt(const uint64_t *one, const uint64_t *other, uint32_t words) {
  return count_common(one, other, words);
}

WITH_POPCNT static int32_t balance_popcnt(const uint64_t *plus, const uint64_t *minus, const uint64_t *set,
                                          uint32_t words) {
  return count_balance(plus, minus, set, words);
}
#endif

const eo__bits *eo__bits_choose(void) {
  static const eo__bits plain = {common_plain, balance_plain};
#ifdef __x86_64__
  static const eo__bits popcnt = {common_popcnt, balance_popcnt};
  if (__builtin_cpu_supports("popcnt")) return &popcnt;
#endif
  return &plain;
}
