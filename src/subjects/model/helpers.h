/* helpers.h: threads that expand states for a search (expand.h), a chunk of states at a time. Chunks are made, and taken when
 * they are done, by the thread of the search alone, in order; whoever is free expands the next one. Helpers read the model and
 * the states of their chunk, and write nothing but its log, so that the search is the same however many there are. */
#ifndef EO_PROMELA_HELPERS_H
#define EO_PROMELA_HELPERS_H

#include "subjects/model/expand.h"

enum { EO__CHUNK = 64 };

typedef struct eo__chunk {
  const unsigned char *states[EO__CHUNK];
  uint32_t count;
  uint32_t expanded; /* so many; what comes behind was too much, and is left to the search */
  bool no_memory;
  bool done;
  eo__log log;
} eo__chunk;

typedef struct eo__helpers eo__helpers;

/* So many threads; fewer if the system does not give as many, and NULL if there is none, or no memory. */
eo__helpers *eo__helpers_open(const eo_promela_search *search, uint32_t count);
void eo__helpers_close(eo__helpers *helpers);
uint64_t eo__helpers_bytes(eo__helpers *helpers); /* of memory, as of the chunks that are done */

/* A chunk to fill with states; NULL: enough wait. Then it is posted. */
eo__chunk *eo__helpers_room(eo__helpers *helpers);
void eo__helpers_post(eo__helpers *helpers);

/* The chunk that was posted first; NULL: there is none. Then it is dropped. */
eo__chunk *eo__helpers_first(eo__helpers *helpers);
void eo__helpers_drop(eo__helpers *helpers);

/* Is it done? If not, the search can expand a chunk itself (false: all are taken), or wait for a moment. */
bool eo__helpers_done(eo__helpers *helpers, const eo__chunk *chunk);
bool eo__helpers_help(eo__helpers *helpers, eo__expander *own);
void eo__helpers_wait(eo__helpers *helpers, const eo__chunk *chunk);

#endif
