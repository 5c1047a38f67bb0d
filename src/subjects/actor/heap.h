/* heap.h: malloc for one process, in its arena. Not for other folders. */
#ifndef EO_ACTOR_HEAP_H
#define EO_ACTOR_HEAP_H

#include "subjects/actor/inside.h"

void *eo__heap_alloc(eo_process *process, size_t size, size_t align, const void *caller);
void *eo__heap_resize(eo_process *process, void *block, size_t size, const void *caller);
bool eo__heap_free(void *block, const void *caller); /* false: not a block of that arena; caller: as for alloc */
bool eo__heap_is_block(const void *block);
size_t eo__heap_used(const eo_process *process); /* bytes from its start; all behind them are zero */
size_t eo__heap_live(const eo_process *process, size_t *blocks, const void **caller);
/* The block of this arena that holds the address: where it begins, its size, who asked for it. False: none that is live. */
bool eo__heap_block(const eo_process *process, const void *address, const char **start, size_t *size,
                    const void **caller);
void *eo__heap_inbox(eo_process *process, size_t size);  /* room for the bytes of a large message, until the next one */
void *eo__heap_library_known(const eo_process *process); /* NULL: nobody has asked for it */
void *eo__heap_library(eo_process *process, size_t size); /* always the same room, zero at first (outside.h) */

#endif
