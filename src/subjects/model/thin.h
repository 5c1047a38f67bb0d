/* thin.h: a search of a model that may take states for others, so that it needs little memory: by a few bits in a table (bitstate:
 * Holzmann 1988, with three bits a state), or by 64 bits a state (hash compaction: Wolper and Leroy 1993). Depth first, and
 * all it keeps of states are those of the way under way, with what branches off from it. It is never complete: `why` says how
 * much it is expected to have left out. */
#ifndef EO_PROMELA_THIN_H
#define EO_PROMELA_THIN_H

#include "subjects/model/full.h"

/* search->bits: bytes of the table of bits; 0: 64 bits a state. An error: no memory. */
int eo__promela_search_thin(eo_promela_search *search, eo_error *error);

#endif
