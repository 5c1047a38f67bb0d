/* wide.c: XXH3 with the vectors of AVX2. The values are the same as without: only for processors that have them. */
#if defined(__x86_64__) && !defined(__clang__)
#pragma GCC target("avx2")
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
