/* bits.h: counting the bits that sets have in common; a set is a row of words. */
#ifndef EO_PAIRWISE_BITS_H
#define EO_PAIRWISE_BITS_H

#include <stdint.h>

typedef struct eo__bits {
  /* How many bits are in both. */
  uint32_t (*common)(const uint64_t *one, const uint64_t *other, uint32_t words);
  /* How many of the set are among `plus`, less how many are among `minus`. */
  int32_t (*balance)(const uint64_t *plus, const uint64_t *minus, const uint64_t *set, uint32_t words);
} eo__bits;

/* The fastest that this processor has. */
const eo__bits *eo__bits_choose(void);

#endif
