/* interpose.h: the code of the C library and of the loader, which ask for memory on their own behalf. */
#ifndef EO_ACTOR_INTERPOSE_H
#define EO_ACTOR_INTERPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void eo__interpose_libc(const char *low, const char *high);
void eo__interpose_loader(const char *low, const char *high);
bool eo__interpose_is_libc(uintptr_t pc); /* is the code there one of these? */

/* Does the program allocate by a library of the system, whose memory is neither captured nor watched? */
bool eo__interpose_foreign(void);

/* Does this code belong to the program, or to its C++ library, and is nothing explored yet? Then what it prepares is captured. */
bool eo__interpose_early(const void *caller);

/* What memalign gives, if the call is made at `caller`. */
void *eo__interpose_allocate(size_t align, size_t size, const void *caller);

/* For whom the C library allocates now, at which place of the program's; what is there is NULL if it is for itself. */
const void **eo__interpose_lent(void);

#endif
