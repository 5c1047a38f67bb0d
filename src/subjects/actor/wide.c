/* wide.c: XXH3, and a search for what is not zero, with the vectors of AVX2. The values are the same as without: only for
 * processors that have them. */
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

typedef uint64_t eo__quad __attribute__((vector_size(32), may_alias));

__attribute__((no_sanitize_address)) size_t eo__wide_zero_lines(const char *at, size_t size) {
  size_t zero = 0;
  for (; zero < size; zero += 128) {
    const eo__quad *line = (const eo__quad *)(const void *)(at + zero);
    eo__quad any = (line[0] | line[1]) | (line[2] | line[3]);
#ifdef __AVX2__
    if (!__builtin_ia32_ptestz256((__v4di)any, (__v4di)any)) break;
#else
    if ((any[0] | any[1]) | (any[2] | any[3])) break;
#endif
  }
  return zero;
}
