/* wide.c: XXH3 and searches with the vectors of AVX2. The values are the same as without: only for processors that have them. */
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("avx2")
#endif

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "subjects/actor/wide.h"

#ifdef __AVX2__
const bool eo__wide_built = true;
#else
const bool eo__wide_built = false;
#endif

void eo__wide_hash(const void *bytes, size_t size, uint64_t hash[2]) {
  XXH128_hash_t value = XXH3_128bits(bytes, size);
  hash[0] = value.low64;
  hash[1] = value.high64;
}

typedef uint64_t eo__vector __attribute__((vector_size(32), aligned(1), may_alias));

/* By its address: where there is no AVX, compilers do not agree on how such a vector is passed. */
static inline bool is_zero(const eo__vector *vector) {
#ifdef __AVX2__
  return _mm256_testz_si256((__m256i)*vector, (__m256i)*vector);
#else
  return !((*vector)[0] | (*vector)[1] | (*vector)[2] | (*vector)[3]);
#endif
}

/* What a sanitizer lets nobody read is read too: stacks have gaps. */
__attribute__((no_sanitize_address)) const char *eo__wide_skip_zeros(const char *at, const char *end) {
  for (; at < end; at += EO__WIDE_BLOCK) {
    const eo__vector *part = (const eo__vector *)(const void *)at;
    eo__vector all = (part[0] | part[1]) | (part[2] | part[3]);
    if (!is_zero(&all)) break;
  }
  return at;
}
