/* fold.h: steps that repeat themselves are told once, by the table of an interleaving and by the sequence diagram. */
#ifndef EO_REPORT_FOLD_H
#define EO_REPORT_FOLD_H

#include "core/finding.h"

/* The fewest lines from `at` on that repeat themselves for long enough to be told once, and how often they come in all;
 * 0: none do. */
size_t eo__fold_period(const eo_finding *finding, size_t at, size_t *times);

/* "... 25 times in all, up to step 50": what is told instead of the repetitions of the lines from `at` on. */
void eo__fold_text(eo_text *text, size_t at, size_t period, size_t times);

#endif
