/* algebra.c: see algebra.h. The constructions:
 *
 * - Orders 2 and up: an orthogonal array of q^t rows for q + 1 columns, from the polynomials over a field of q elements
 *   (Bush 1952); for order 3 and even q one column more. Where there are fewer than q values, the others are cells that
 *   do not matter; the values left out are the first, so that the constant polynomials among them are rows that do not
 *   matter at all (fusion: Colbourn 2008).
 * - Order 2, two values: column i is a set of half the rows (Kleitman and Spencer 1973; Katona 1973).
 * - Order 2, many columns: the product of two arrays (Stevens and Mendelsohn 1999; Colbourn, Martirosyan, Mullen,
 *   Shasha, Sherwood, Yucas 2006): one array for blocks of columns, and one inside the blocks without its constant rows.
 * - Order 3, many columns: twice as many from an array of order 3 and one of order 2 (Chateauneuf and Kreher 2002). */
#include "pairwise/algebra.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/field.h"

typedef enum { NOTHING, POLYNOMIALS, HALVES, PRODUCT, DOUBLED } construction;

typedef struct plan {
  construction how;
  uint32_t rows;
  uint32_t q; /* of the field */
} plan;

static uint64_t power(uint64_t base, uint32_t exponent) {
  uint64_t result = 1;
  while (exponent-- > 0 && result < UINT32_MAX) result *= base;
  return result;
}

/* Constant polynomials whose rows do not matter. */
static uint32_t idle(uint32_t q, uint32_t values) { return q - values; }

static uint32_t polynomial_columns(uint32_t q, uint32_t order) { return q + 1 + (order == 3 && q % 2 == 0); }

static void consider(plan *best, construction how, uint64_t rows, uint32_t q) {
  if (rows < best->rows) *best = (plan){how, (uint32_t)rows, q};
}

static uint32_t halves_rows(uint32_t columns) {
  for (uint32_t rows = 4;; rows++) {
    uint32_t chosen = (rows + 1) / 2;
    uint64_t ways = 1;
    for (uint32_t i = 0; i < chosen && ways < UINT32_MAX; i++) ways = ways * (rows - 1 - i) / (i + 1);
    if (ways >= columns) return rows;
  }
}

/* The best construction with fewer than `below` rows. */
static plan choose(uint32_t columns, uint32_t values, uint32_t order, uint32_t below) {
  plan best = {.rows = below};
  if (values < 2 || columns < order) return best;
  uint32_t q = eo__field_size(values);
  while (q && polynomial_columns(q, order) < columns) q = eo__field_size(q + 1);
  if (q && order <= q + 1) consider(&best, POLYNOMIALS, power(q, order) - idle(q, values), q);
  if (order == 2 && values == 2) consider(&best, HALVES, halves_rows(columns), 0);
  q = eo__field_size(values);
  if (order == 2 && values > 2 && q && columns > q && best.rows > q * q - q) {
    plan outer = choose((columns + q - 1) / q, values, 2, best.rows - (q * q - q));
    if (outer.how) consider(&best, PRODUCT, outer.rows + q * q - q, q);
  }
  if (order == 3 && columns > 6) {
    uint32_t half = (columns + 1) / 2;
    plan two = choose(half, values, 2, best.rows / (values - 1) + 1);
    plan three = two.how ? choose(half, values, 3, best.rows) : two;
    if (two.how && three.how) consider(&best, DOUBLED, (uint64_t)three.rows + (uint64_t)two.rows * (values - 1), 0);
  }
  return best;
}

uint32_t eo__algebra_size(uint32_t columns, uint32_t values, uint32_t order, uint32_t most) {
  plan best = choose(columns, values, order, most < UINT32_MAX ? most + 1 : most);
  return best.how ? best.rows : 0;
}

/* ---- Building ----------------------------------------------------------------------------------------------------- */

/* The value of the polynomial at a column: at a point, or one of its coefficients. */
static uint16_t polynomial_at(const eo__field *field, const uint16_t *coefficients, uint32_t order, uint32_t column) {
  if (column >= field->q) return coefficients[order - 1 - (column - field->q)];
  uint16_t value = 0;
  for (uint32_t i = order; i-- > 0;)
    value = eo__field_sum(field, eo__field_product(field, value, column), coefficients[i]);
  return value;
}

/* `constants` tells whether constant polynomials are wanted: for the inside of a product they are not. */
static int build_polynomials(uint32_t columns, uint32_t values, uint32_t order, uint32_t q, bool constants,
                             eo_pairwise_rows *rows, eo_error *error) {
  eo__field field;
  uint16_t *row = eo__alloc(columns * sizeof *row), coefficients[EO_PAIRWISE_MAX_ORDER];
  if (!row || !eo__field_open(&field, q)) {
    eo__free(row);
    return eo__error_nomem(error);
  }
  uint64_t count = power(q, order);
  uint32_t left_out = q - values;
  bool added = true;
  for (uint64_t number = constants ? left_out : q; added && number < count; number++) {
    uint64_t rest = number;
    for (uint32_t i = 0; i < order; i++, rest /= q) coefficients[i] = (uint16_t)(rest % q);
    for (uint32_t column = 0; column < columns; column++) {
      uint16_t value = polynomial_at(&field, coefficients, order, column);
      row[column] = value < left_out ? EO_PAIRWISE_ANY : (uint16_t)(value - left_out);
    }
    added = eo__pairwise_rows_add(rows, row);
  }
  eo__field_close(&field);
  eo__free(row);
  return added ? EO_OK : eo__error_nomem(error);
}

/* Any two columns have ones in common, since each has them in more than half of the rows but the first; and neither
 * contains the other, since they are as many. */
static int build_halves(uint32_t columns, uint32_t count, eo_pairwise_rows *rows, eo_error *error) {
  uint32_t ones[64], chosen = (count + 1) / 2;
  for (uint32_t r = 0; r < count; r++)
    if (!eo__pairwise_rows_add(rows, NULL)) return eo__error_nomem(error);
  memset(rows->values.items, 0, rows->values.count * sizeof *rows->values.items);
  for (uint32_t i = 0; i < chosen; i++) ones[i] = i + 1;
  for (uint32_t column = 0; column < columns; column++) {
    for (uint32_t i = 0; i < chosen; i++) eo_pairwise_row(rows, ones[i])[column] = 1;
    uint32_t at = chosen;
    while (at > 0 && ones[at - 1] == count - chosen + at - 1) at--;
    if (at == 0) continue;
    ones[at - 1]++;
    for (uint32_t i = at; i < chosen; i++) ones[i] = ones[i - 1] + 1;
  }
  return EO_OK;
}

/* Column c of the product is column c / width of `outer` and column c % width of `inner`, whose rows have the symbols
 * moved by `turn`. */
static int add_part(const eo_pairwise_rows *part, uint32_t divisor, uint32_t width, uint32_t values, uint32_t turn,
                    eo_pairwise_rows *rows, eo_error *error) {
  for (uint32_t r = 0; r < eo_pairwise_rows_count(part); r++) {
    if (!eo__pairwise_rows_add(rows, NULL)) return eo__error_nomem(error);
    uint16_t *row = eo_pairwise_row(rows, eo_pairwise_rows_count(rows) - 1);
    for (uint32_t c = 0; c < rows->params; c++) {
      uint16_t value = eo_pairwise_row(part, r)[divisor > 1 ? c / divisor : c % width];
      if (value != EO_PAIRWISE_ANY) row[c] = (uint16_t)((value + (c >= width ? turn : 0)) % values);
    }
  }
  return EO_OK;
}

static int build_product(uint32_t columns, uint32_t values, uint32_t q, eo_pairwise_rows *rows, eo_error *error) {
  eo_pairwise_rows outer, inner;
  eo__pairwise_rows_init(&outer, (columns + q - 1) / q);
  eo__pairwise_rows_init(&inner, q);
  int code = eo__algebra_build(outer.params, values, 2, &outer, error);
  if (!code) code = build_polynomials(q, values, 2, q, false, &inner, error);
  if (!code) code = add_part(&outer, q, q, values, 0, rows, error);
  if (!code) code = add_part(&inner, 1, q, values, 0, rows, error);
  eo__pairwise_rows_release(&outer);
  eo__pairwise_rows_release(&inner);
  return code;
}

static int build_doubled(uint32_t columns, uint32_t values, eo_pairwise_rows *rows, eo_error *error) {
  eo_pairwise_rows three, two;
  uint32_t half = (columns + 1) / 2;
  eo__pairwise_rows_init(&three, half);
  eo__pairwise_rows_init(&two, half);
  int code = eo__algebra_build(half, values, 3, &three, error);
  if (!code) code = eo__algebra_build(half, values, 2, &two, error);
  if (!code) code = add_part(&three, 1, half, values, 0, rows, error);
  for (uint32_t turn = 1; !code && turn < values; turn++) code = add_part(&two, 1, half, values, turn, rows, error);
  eo__pairwise_rows_release(&three);
  eo__pairwise_rows_release(&two);
  return code;
}

int eo__algebra_build(uint32_t columns, uint32_t values, uint32_t order, eo_pairwise_rows *rows, eo_error *error) {
  plan best = choose(columns, values, order, UINT32_MAX);
  switch (best.how) {
    case POLYNOMIALS: return build_polynomials(columns, values, order, best.q, true, rows, error);
    case HALVES: return build_halves(columns, best.rows, rows, error);
    case PRODUCT: return build_product(columns, values, best.q, rows, error);
    case DOUBLED: return build_doubled(columns, values, rows, error);
    case NOTHING: break;
  }
  return EO_OK;
}
