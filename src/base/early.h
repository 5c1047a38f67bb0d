/* early.h: what the program allocates before anything is explored: its static C++ containers, what its constructors and its `main`
 * prepare. It lies in one range of addresses, apart from the C library's heap, so that it can be captured like global variables
 * (subjects/actor/segments.c): else what one execution changes there would be left for the next.
 *
 * Only for code of the program, and for the C++ library on its behalf; and only up to EO__EARLY_MOST bytes. */
#ifndef EO_BASE_EARLY_H
#define EO_BASE_EARLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EO__EARLY_AT ((char *)0x10fe00000000)
#define EO__EARLY_MOST ((size_t)256 << 20)

/* Called once, before the constructors of the program. Until then nothing comes from here. */
void eo__early_begin(void);

/* NULL: it is not for this caller, or no longer, or there is no room. What it gives is zero. */
void *eo__early_alloc(size_t size, size_t align, const void *caller);

bool eo__early_is_for(const void *caller); /* this one would be given something */

static inline bool eo__is_early(const void *block) {
  return (uintptr_t)block - (uintptr_t)EO__EARLY_AT < EO__EARLY_MOST;
}

/* The size of a block of it; false: it is none, or is freed. */
bool eo__early_size(const void *block, size_t *size);

/* The block that holds this address; NULL: none. */
const char *eo__early_block(const void *address, size_t *size);

/* While it is captured, the block is only zeroed and not used again. False: as above. */
bool eo__early_free(void *block);

/* From now on it gives nothing, until resume was called as often. top: up to where the range is used. */
void eo__early_end(void);
void eo__early_resume(void);
char *eo__early_top(void);

/* Has the program allocated something that had no room here? */
bool eo__early_overflowed(void);

#endif
