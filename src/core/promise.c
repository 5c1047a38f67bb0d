/* promise.c: see promise.h. */
#include "core/promise.h"

/* 1 - (1 - p)^n, exact also where p is tiny: of two independent numbers of tries, p + q - pq. */
static double once(double p, uint64_t n) {
  if (p >= 1) return 1;
  double all = 0;
  for (; n; n >>= 1, p = p + p - p * p)
    if (n & 1) all = all + p - all * p;
  return all < 1 ? all : 0.9999; /* it is not certain, only closer than can be told */
}

/* To three digits, rounded down. */
static double rounded(double value) {
  double scale = 1;
  if (value <= 0) return 0;
  if (value > 0.999 && value < 1) return 0.999;
  while (value * scale < 100 && scale < 1e300) scale *= 10;
  return (double)(uint64_t)(value * scale) / scale;
}

void eo__promise_add(eo_text *words, double probability, uint64_t executions) {
  eo__text_add(words, " is hit with probability at least %.3g by each, so at least %.3g by all", rounded(probability),
               rounded(once(probability, executions)));
}
