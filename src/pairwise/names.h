/* names.h: how names and values compare: as PICT does it, by characters in upper case unless the model is case-sensitive,
 * or as numbers. */
#ifndef EO_PAIRWISE_NAMES_H
#define EO_PAIRWISE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Below, at or above 0, as strcmp. */
int eo__pairwise_compare(const char *a, const char *b, bool case_sensitive);

/* `*`: any characters, also none; `?`: one character. The whole text. */
bool eo__pairwise_like(const char *pattern, const char *text, bool case_sensitive);

/* The number at the start of the bytes (decimal, with fraction and exponent, or 0x and hexadecimal digits), and how many
 * bytes it takes; 0: there is none, or it is beyond what a double holds. The locale does not matter. */
size_t eo__pairwise_number(const char *bytes, size_t length, double *number);

#endif
