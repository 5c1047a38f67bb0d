/* wide.h: hashing, and looking for what is not zero, with wider vectors than every processor has. */
#ifndef EO_ACTOR_WIDE_H
#define EO_ACTOR_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* XXH3_128bits, low word first. With eo__wide_built, this processor must have AVX2. */
extern const bool eo__wide_built;
void eo__wide_hash(const void *bytes, size_t size, uint64_t hash[2]);

/* The start of the first block of so many bytes from `at` on that is not all zero, or `end`. From `at` to `end` are whole blocks. */
enum { EO__WIDE_BLOCK = 128 };
const char *eo__wide_skip_zeros(const char *at, const char *end);

/* Is it worth it, and possible here? */
static inline bool eo__wide_helps(void) {
#ifdef __x86_64__
  return eo__wide_built && __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

#endif
