/* clock.c: the monotonic clock as a number. */
#include "base/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double eo__seconds(void) { return seconds_of(CLOCK_MONOTONIC); }

double eo__seconds_coarse(void) { return seconds_of(CLOCK_MONOTONIC_COARSE); }
