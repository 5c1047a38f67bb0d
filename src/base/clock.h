/* clock.h: seconds since some time in the past, never going back. Only for limits in time and for what is shown: nothing
 * that is explored depends on it. */
#ifndef EO_BASE_CLOCK_H
#define EO_BASE_CLOCK_H

double eo__seconds(void);
double eo__seconds_coarse(void); /* to some milliseconds, at next to no cost */

#endif
