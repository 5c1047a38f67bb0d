/* bits.c: see bits.h. */
#include "pairwise/bits.h"

#include <stddef.h>

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

/* The compiler makes of these what the processor has; words need not be aligned. */
typedef uint64_t vector __attribute__((vector_size(EO__BITS_VECTOR * sizeof(uint64_t)), aligned(8), may_alias));

static ALWAYS_INLINE void find_alike(const uint64_t *one, const uint64_t *other, uint32_t count, uint32_t words,
                                     uint64_t *same) {
  for (uint32_t k = 0; k < words; k += EO__BITS_VECTOR) {
    vector differ = {0};
    for (uint32_t i = 0; i < count; i++)
      differ |= *(const vector *)(one + i * words + k) ^ *(const vector *)(other + i * words + k);
    *(vector *)(same + k) = ~differ;
  }
}

/* Of one vector; to look whether all is there costs as much as to add a few sets. */
static ALWAYS_INLINE void find_twice(const uint64_t *sets, const uint64_t *selected, const uint64_t *also,
                                     uint32_t selections, uint32_t words, uint64_t *one, uint64_t *two) {
  enum { LOOK_EVERY = 4 };
  vector some = *(vector *)one, more = *(vector *)two;
  uint32_t added = 0;
  for (uint32_t i = 0; i < selections; i++)
    for (uint64_t bits = selected[i] & also[i]; bits; bits &= bits - 1) {
      vector set = *(const vector *)(sets + (size_t)(i * 64 + (uint32_t)__builtin_ctzll(bits)) * words);
      more |= some & set;
      some |= set;
      if (++added % LOOK_EVERY) continue;
      vector open = ~more;
      if (!(open[0] | open[1] | open[2] | open[3])) goto done;
    }
done:
  *(vector *)one = some;
  *(vector *)two = more;
}

static ALWAYS_INLINE void find_all_twice(const uint64_t *sets, const uint64_t *selected, const uint64_t *also,
                                         uint32_t selections, uint32_t from, uint32_t words, uint64_t *one,
                                         uint64_t *two) {
  for (uint32_t k = from; k < words; k += EO__BITS_VECTOR)
    find_twice(sets + k, selected, also, selections, words, one + k, two + k);
}

static uint32_t common_plain(const uint64_t *one, const uint64_t *other, uint32_t words) {
  return count_common(one, other, words);
}

static int32_t balance_plain(const uint64_t *plus, const uint64_t *minus, const uint64_t *set, uint32_t words) {
  return count_balance(plus, minus, set, words);
}

static void alike_plain(const uint64_t *one, const uint64_t *other, uint32_t count, uint32_t words, uint64_t *same) {
  find_alike(one, other, count, words, same);
}

static void twice_plain(const uint64_t *sets, const uint64_t *selected, const uint64_t *also, uint32_t selections,
                        uint32_t from, uint32_t words, uint64_t *one, uint64_t *two) {
  find_all_twice(sets, selected, also, selections, from, words, one, two);
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

#define WITH_AVX2 __attribute__((target("avx2,bmi,popcnt")))

WITH_AVX2 static void alike_avx2(const uint64_t *one, const uint64_t *other, uint32_t count, uint32_t words,
                                 uint64_t *same) {
  find_alike(one, other, count, words, same);
}

WITH_AVX2 static void twice_avx2(const uint64_t *sets, const uint64_t *selected, const uint64_t *also,
                                 uint32_t selections, uint32_t from, uint32_t words, uint64_t *one, uint64_t *two) {
  find_all_twice(sets, selected, also, selections, from, words, one, two);
}
#endif

const eo__bits *eo__bits_plain(void) {
  static const eo__bits plain = {common_plain, balance_plain, alike_plain, twice_plain};
  return &plain;
}

const eo__bits *eo__bits_choose(void) {
#ifdef __x86_64__
  static const eo__bits popcnt = {common_popcnt, balance_popcnt, alike_plain, twice_plain};
  static const eo__bits avx2 = {common_popcnt, balance_popcnt, alike_avx2, twice_avx2};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")) return &avx2;
  if (__builtin_cpu_supports("popcnt")) return &popcnt;
#endif
  return eo__bits_plain();
}
