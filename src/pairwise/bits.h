/* bits.h: what sets have in common; a set is a row of words. */
#ifndef EO_PAIRWISE_BITS_H
#define EO_PAIRWISE_BITS_H

#include <stdint.h>

enum { EO__BITS_VECTOR = 4 }; /* words */

typedef struct eo__bits {
  /* How many bits are in both. */
  uint32_t (*common)(const uint64_t *one, const uint64_t *other, uint32_t words);
  /* How many of the set are among `plus`, less how many are among `minus`. */
  int32_t (*balance)(const uint64_t *plus, const uint64_t *minus, const uint64_t *set, uint32_t words);
  /* The other functions take whole vectors: `words` and `from` are multiples of EO__BITS_VECTOR. */
  /* Where two lists of `count` sets each are alike in all of them: the sets of a list follow one another. */
  void (*alike)(const uint64_t *one, const uint64_t *other, uint32_t count, uint32_t words, uint64_t *same);
  /* `sets` has one for each bit that both selections have. Adds to `one` what some of these sets have, and to `two` what
   * two have; from word `from` on. Where `two` is everything it may stop, and `one` be anything. */
  void (*twice)(const uint64_t *sets, const uint64_t *selected, const uint64_t *also, uint32_t selections,
                uint32_t from, uint32_t words, uint64_t *one, uint64_t *two);
} eo__bits;

/* The fastest that this processor has. */
const eo__bits *eo__bits_choose(void);
/* What every processor has. */
const eo__bits *eo__bits_plain(void);

#endif
