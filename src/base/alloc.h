/* alloc.h: memory for the tool itself. Everything in base, core and strategies allocates here, so that the fault tests
 * can make the N-th allocation fail. NULL means no memory; callers turn it into EO_ENOMEM. */
#ifndef EO_BASE_ALLOC_H
#define EO_BASE_ALLOC_H

#include <stddef.h>

void *eo__alloc(size_t size); /* zeroed */
void *eo__realloc(void *old, size_t size);
char *eo__strdup(const char *text);
void eo__free(void *block);

/* For the fault tests: so many more allocations succeed, then all fail; negative: none fails, and nothing is counted. */
extern long eo__alloc_budget;

#endif
