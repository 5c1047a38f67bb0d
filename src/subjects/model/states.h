/* states.h: states that were met, by fingerprint, numbered from 0 in the order in which they were added. */
#ifndef EO_PROMELA_STATES_H
#define EO_PROMELA_STATES_H

#include "subjects/model/run.h"

/* Open addressing: an entry whose second key is 0 is free. At most two thirds are in use. */
typedef struct eo__states_entry {
  uint64_t key[2];
  uint64_t number;
} eo__states_entry;

typedef struct eo__states {
  eo__states_entry *entries; /* NULL: none yet */
  uint64_t count, mask;
} eo__states;

/* The number of the state that the run is at; *fresh: it was not there before. UINT64_MAX: no memory. */
uint64_t eo__states_add(eo__states *states, const eo_promela_run *run, bool *fresh);
void eo__states_release(eo__states *states);

/* Memory in use; and how much more it will be when one more state is added. */
uint64_t eo__states_bytes(const eo__states *states);
uint64_t eo__states_growth(const eo__states *states);

#endif
