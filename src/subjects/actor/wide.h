/* wide.h: hashing with wider vectors than every processor has. */
#ifndef EO_ACTOR_WIDE_H
#define EO_ACTOR_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* XXH3_128bits, low word first. With eo__wide_built, this processor must have AVX2. */
extern const bool eo__wide_built;
void eo__wide_hash(const void *bytes, size_t size, uint64_t hash[2]);

/* Is it worth it, and possible here? */
static inline bool eo__wide_helps(void) {
#ifdef __x86_64__
  return eo__wide_built && __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

#endif
