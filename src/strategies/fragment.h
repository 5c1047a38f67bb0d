/* fragment.h: the bytes of a fragment (core/strategy.h) as the strategies here write them: the version of the format, a
 * letter for the strategy, what the strategy has to say, and a checksum of all that. Numbers are in LEB128. */
#ifndef EO_STRATEGIES_FRAGMENT_H
#define EO_STRATEGIES_FRAGMENT_H

#include "core/strategy.h"

#define EO_FRAGMENT_VERSION 8

/* Whose fragment it is. A letter is never used again for another strategy. */
typedef enum eo_fragment_letter {
  EO_FRAGMENT_AUTO = 'A', /* registry/auto.h: a plan, with fragments of others inside */
  EO_FRAGMENT_SES = 'D',
  EO_FRAGMENT_ROUNDS = 'L',
  EO_FRAGMENT_SES_SS = 'M',
  EO_FRAGMENT_POS = 'P',
  EO_FRAGMENT_SS = 'S',
  EO_FRAGMENT_TAPCT = 'a',
  EO_FRAGMENT_PCTCP = 'c',
  EO_FRAGMENT_DFS = 'd',
  EO_FRAGMENT_IRS = 'i',
  EO_FRAGMENT_DPOR = 'o',
  EO_FRAGMENT_PREEMPT = 'p',
  EO_FRAGMENT_RANDOM = 'r',
  EO_FRAGMENT_PCT = 't',
  EO_FRAGMENT_SURW = 'u'
} eo_fragment_letter;

enum { EO_LEB128_MOST = 10 }; /* bytes of a number */

/* Each false: no memory. `begin` empties *out, which it can so fill again and again. */
bool eo__fragment_begin(eo_bytes *out, eo_fragment_letter strategy);
bool eo__fragment_number(eo_bytes *out, uint64_t number);
bool eo__fragment_raw(eo_bytes *out, const void *bytes, size_t size);
bool eo__fragment_end(eo_bytes *out);

/* What is left to read. After the first thing that is not as it should be, `bad` is set and every read gives zeros, so
 * that callers check once. */
typedef struct eo_fragment_reader {
  const unsigned char *at, *end;
  bool bad;
} eo_fragment_reader;

/* An error: not a fragment of this strategy, of another version, or damaged. */
int eo__fragment_open(eo_fragment_reader *reader, const unsigned char *bytes, size_t size, eo_fragment_letter strategy,
                      eo_error *error);
uint64_t eo__fragment_read(eo_fragment_reader *reader, uint64_t most);
void eo__fragment_read_raw(eo_fragment_reader *reader, void *out, size_t size);

/* The error for bytes that have the right checksum and cannot have been written by this strategy all the same. */
int eo__fragment_refuse(eo_error *error);

/* One number; returns how many bytes it took. The reader: NULL if these bytes do not begin with a number. Inline, since
 * `preempt` stores its prefixes so, and most numbers take one byte. */
static inline size_t eo__leb128_write(unsigned char *out, uint64_t number) {
  size_t length = 0;
  for (; number >= 0x80; number >>= 7) out[length++] = (unsigned char)(number | 0x80);
  out[length++] = (unsigned char)number;
  return length;
}

static inline const unsigned char *eo__leb128_read(const unsigned char *at, const unsigned char *end,
                                                   uint64_t *number) {
  *number = 0;
  if (at < end && !(*at & 0x80)) {
    *number = *at;
    return at + 1;
  }
  for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
    uint64_t part = *at & 0x7f;
    if (part << shift >> shift != part) return NULL;
    *number |= part << shift;
    if (!(*at++ & 0x80)) return at;
  }
  return NULL;
}

#endif
