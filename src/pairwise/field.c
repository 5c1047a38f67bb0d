/* field.c: finite fields. An element of a field of p^k elements is a polynomial over the integers modulo p, its
 * coefficients the digits of its number to base p; products are taken modulo a primitive polynomial, which is found by
 * trying: one for which the powers of x run through everything but 0. */
#include "pairwise/field.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static bool prime_power(uint32_t q, uint32_t *p, uint32_t *degree) {
  if (q < 2) return false;
  *p = 2;
  while (*p * *p <= q && q % *p) ++*p;
  if (q % *p) *p = q;
  *degree = 0;
  for (; q % *p == 0; q /= *p) ++*degree;
  return q == 1;
}

uint32_t eo__field_size(uint32_t n) {
  uint32_t p, degree;
  for (uint32_t q = n < 2 ? 2 : n; q <= EO__FIELD_MOST; q++)
    if (prime_power(q, &p, &degree)) return q;
  return 0;
}

static uint32_t add(uint32_t a, uint32_t b, uint32_t p) {
  uint32_t sum = 0;
  for (uint32_t place = 1; a || b; place *= p, a /= p, b /= p) sum += (a % p + b % p) % p * place;
  return sum;
}

/* a times x, where x^k is the number `rest`. */
static uint32_t times_x(uint32_t a, uint32_t q, uint32_t p, uint32_t rest) {
  uint32_t top = a / (q / p), result = a % (q / p) * p;
  for (uint32_t i = 0; i < top; i++) result = add(result, rest, p);
  return result;
}

/* The powers of x, q - 1 of them; false: not all different. In a field of p elements x is a number, `rest`. */
static bool powers(uint16_t *power, uint32_t q, uint32_t p, uint32_t degree, uint32_t rest) {
  uint32_t element = 1;
  for (uint32_t i = 0; i < q - 1; i++) {
    if (element == 0 || (i > 0 && element == 1)) return false;
    power[i] = (uint16_t)element;
    element = degree == 1 ? element * rest % q : times_x(element, q, p, rest);
  }
  return element == 1;
}

bool eo__field_open(eo__field *field, uint32_t q) {
  uint32_t p, degree, rest = 0;
  uint16_t *power = eo__alloc(q * sizeof *power);
  EO_CHECK(prime_power(q, &p, &degree));
  field->q = q;
  field->sum = eo__alloc((size_t)q * q * sizeof *field->sum);
  field->product = eo__alloc((size_t)q * q * sizeof *field->product);
  bool opened = power && field->sum && field->product;
  while (opened && !powers(power, q, p, degree, rest)) {
    rest++;
    EO_CHECK(rest < q);
  }
  for (uint32_t a = 0; opened && a < q; a++)
    for (uint32_t b = 0; b < q; b++) field->sum[a * q + b] = (uint16_t)add(a, b, p);
  for (uint32_t i = 0; opened && i < q - 1; i++)
    for (uint32_t k = 0; k < q - 1; k++) field->product[power[i] * q + power[k]] = power[(i + k) % (q - 1)];
  eo__free(power);
  if (!opened) eo__field_close(field);
  return opened;
}

void eo__field_close(eo__field *field) {
  eo__free(field->sum);
  eo__free(field->product);
  memset(field, 0, sizeof *field);
}
