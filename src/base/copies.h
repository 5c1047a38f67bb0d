/* copies.h: copies of the executable that a front end has loaded, so that each process has variables of its own
 * (eo_copy_add of front.h). Their lines and names are those of the executable. */
#ifndef EO_BASE_COPIES_H
#define EO_BASE_COPIES_H

#include <stdbool.h>
#include <stdint.h>

extern bool eo__copy_first_is_trusted; /* as front.h says */

/* Is the object that was loaded with this base one of them? */
bool eo__copy_is(uintptr_t base);

/* Is this address in one of them? */
bool eo__copy_holds(uintptr_t address);

/* The name of the copy that holds this address; "" if there is none. */
const char *eo__copy_name(uintptr_t address);

#endif
