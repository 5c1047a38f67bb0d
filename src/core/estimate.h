/* estimate.h: how many executions there are, from random descents into the tree of all (Knuth 1975): the number of ways
 * to go on, multiplied over all the points of a descent, is right on average. */
#ifndef EO_CORE_ESTIMATE_H
#define EO_CORE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

/* Sums, so that those of several workers add up. */
typedef struct eo_estimate {
  uint64_t probes, steps; /* steps: of the executions they ended with, together */
  double sum, squares;    /* of the numbers that the probes gave, and of their squares */
} eo_estimate;

#define EO_ESTIMATE_MOST 1e150 /* what is more counts as this: its square is still a number */

/* One more probe gave this number, with an execution of so many steps. */
void eo__estimate_note(eo_estimate *estimate, double number, uint32_t steps);
void eo__estimate_add(eo_estimate *total, const eo_estimate *part);

double eo__estimate_mean(const eo_estimate *estimate);  /* 0: there were no probes */
double eo__estimate_error(const eo_estimate *estimate); /* the standard error of the mean; the mean, of one probe */

/* Is its standard error at most this part of it (more than 0)? So few probes that they may all have missed the same do not
 * tell; and many times as many as there are executions will not tell more. */
bool eo__estimate_within(const eo_estimate *estimate, double part);

#endif
