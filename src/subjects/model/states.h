/* states.h: states that were met, by fingerprint, numbered from 0 in the order in which they were added. Of each its 128 bits
 * are kept: 32 in a slot of a table with open addressing, with its number, 96 in an array by number. */
#ifndef EO_PROMELA_STATES_H
#define EO_PROMELA_STATES_H

#include "base/pages.h"
#include "subjects/model/run.h"

#define EO__STATES_NONE UINT32_MAX /* no number */

/* At most three quarters of the slots are in use. */
typedef struct eo__states_slot {
  uint32_t tag;    /* 32 bits of the fingerprint */
  uint32_t number; /* 1 + the number; 0: it is free */
} eo__states_slot;

typedef struct eo__states {
  eo__states_slot *slots; /* NULL: none yet */
  uint64_t count, mask;
  eo_pages rest; /* the other 96 bits */
} eo__states;

/* The number of the state of this fingerprint; *fresh: it was not there before. EO__STATES_NONE: no memory. */
uint32_t eo__states_add(eo__states *states, const uint64_t key[2], bool *fresh);

/* Soon this state will be added: first its slot is brought near, then what that slot points to. */
void eo__states_near(const eo__states *states, const uint64_t key[2]);
void eo__states_nearer(const eo__states *states, const uint64_t key[2]);

void eo__states_release(eo__states *states);

/* Memory in use; and how much more it will be when one more state is added. */
uint64_t eo__states_bytes(const eo__states *states);
uint64_t eo__states_growth(const eo__states *states);

#endif
