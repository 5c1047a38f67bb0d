/* field.h: finite fields of q elements, as tables. Elements are the numbers 0 to q - 1: 0 is zero, 1 is one. */
#ifndef EO_PAIRWISE_FIELD_H
#define EO_PAIRWISE_FIELD_H

#include <stdbool.h>
#include <stdint.h>

enum { EO__FIELD_MOST = 1024 };

typedef struct eo__field {
  uint32_t q;
  uint16_t *sum, *product; /* q by q */
} eo__field;

/* The smallest prime power that is at least n; 0: above EO__FIELD_MOST. */
uint32_t eo__field_size(uint32_t n);
/* q is a prime power, at most EO__FIELD_MOST. False: no memory. */
bool eo__field_open(eo__field *field, uint32_t q);
void eo__field_close(eo__field *field);

static inline uint16_t eo__field_sum(const eo__field *field, uint32_t a, uint32_t b) {
  return field->sum[a * field->q + b];
}
static inline uint16_t eo__field_product(const eo__field *field, uint32_t a, uint32_t b) {
  return field->product[a * field->q + b];
}

#endif
