/* estimate.c: see estimate.h. */
#include "core/estimate.h"

#include <math.h>

enum { FEWEST = 64, MANY_TIMES = 8 };

void eo__estimate_note(eo_estimate *estimate, double number, uint32_t steps) {
  if (!(number < EO_ESTIMATE_MOST)) number = EO_ESTIMATE_MOST;
  estimate->probes++;
  estimate->steps += steps;
  estimate->sum += number;
  estimate->squares += number * number;
}

void eo__estimate_add(eo_estimate *total, const eo_estimate *part) {
  total->probes += part->probes;
  total->steps += part->steps;
  total->sum += part->sum;
  total->squares += part->squares;
}

double eo__estimate_mean(const eo_estimate *estimate) {
  return estimate->probes ? estimate->sum / (double)estimate->probes : 0;
}

/* The square root, by Newton's method: sqrt would need a library that programs are not linked with. */
static double root(double square) {
  int exponent;
  (void)frexp(square, &exponent);
  double guess = ldexp(1, exponent / 2);
  for (int i = 0; i < 6; i++) guess = (guess + square / guess) / 2;
  return guess;
}

double eo__estimate_error(const eo_estimate *estimate) {
  double count = (double)estimate->probes, mean = eo__estimate_mean(estimate);
  if (estimate->probes < 2) return mean;
  double variance = (estimate->squares - count * mean * mean) / (count - 1);
  /* Sums of equal numbers differ in their last digits only. */
  return variance > 1e-12 * mean * mean ? root(variance / count) : 0;
}

bool eo__estimate_within(const eo_estimate *estimate, double part) {
  double mean = eo__estimate_mean(estimate), probes = (double)estimate->probes;
  /* A descent that met no second way to go on has seen the whole tree. */
  if (part > 0 && probes > 0 && estimate->sum == probes && estimate->squares == probes) return true;
  return part > 0 && estimate->probes >= FEWEST &&
         (eo__estimate_error(estimate) <= part * mean || MANY_TIMES * mean <= (double)estimate->probes);
}
