/* operator.c: see operator.h. */
#include "mpi/operator.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/object.h"

typedef struct operator_object {
  eo__mpi_object object;
  MPI_User_function *function;
  int commutes;
} operator_object;

enum { OP_MAX = 1, OP_MIN, OP_SUM, OP_PROD, OP_LAND, OP_BAND, OP_LOR, OP_BOR, OP_LXOR, OP_BXOR };

static bool is_builtin(MPI_Op op) { return op >= MPI_MAX && op <= MPI_NO_OP; }

/* ---- Basic types --------------------------------------------------------------------------------------------------- */

/* Of each item of b, and the one of a before it. */
#define WITH(which, T, expression)                 \
  do {                                             \
    for (int i = 0; op == (which) && i < n; i++) { \
      T x = ((const T *)a)[i], y = ((T *)b)[i];    \
      ((T *)b)[i] = (T)(expression);               \
    }                                              \
    if (op == (which)) return true;                \
  } while (0)

#define ORDERED(T)                \
  WITH(OP_MAX, T, x > y ? x : y); \
  WITH(OP_MIN, T, x < y ? x : y)

#define ARITHMETIC(T, U)        \
  WITH(OP_SUM, T, (U)x + (U)y); \
  WITH(OP_PROD, T, (U)x *(U)y)

#define LOGICAL(T)         \
  WITH(OP_LAND, T, x &&y); \
  WITH(OP_LOR, T, x || y); \
  WITH(OP_LXOR, T, (x != 0) != (y != 0))

#define BITS(T)           \
  WITH(OP_BAND, T, x &y); \
  WITH(OP_BOR, T, x | y); \
  WITH(OP_BXOR, T, x ^ y)

/* One function for each kind of number: false if the operator is not for it. With no items, that is all it tells. Sums and
 * products of integers are taken of unsigned ones, so that they wrap round as on every machine. */
#define OPERATION(name, operators)                          \
  static bool name(int op, const void *a, void *b, int n) { \
    operators;                                              \
    return false;                                           \
  }
#define INTEGER(name, T) OPERATION(name, ORDERED(T); LOGICAL(T); BITS(T); ARITHMETIC(T, uint64_t))
#define REAL(name, T) OPERATION(name, ORDERED(T); ARITHMETIC(T, T))

INTEGER(of_int8, int8_t)
INTEGER(of_uint8, uint8_t)
INTEGER(of_int16, int16_t)
INTEGER(of_uint16, uint16_t)
INTEGER(of_int32, int32_t)
INTEGER(of_uint32, uint32_t)
INTEGER(of_int64, int64_t)
INTEGER(of_uint64, uint64_t)
REAL(of_float, float)
REAL(of_double, double)
REAL(of_long_double, long double)
OPERATION(of_bool, LOGICAL(bool))
OPERATION(of_byte, BITS(uint8_t))
OPERATION(of_float_complex, ARITHMETIC(float complex, float complex))
OPERATION(of_double_complex, ARITHMETIC(double complex, double complex))
OPERATION(of_long_double_complex, ARITHMETIC(long double complex, long double complex))

typedef bool operation(int op, const void *a, void *b, int n);

static operation *integers(size_t size, bool is_signed) {
  switch (size) {
    case 1: return is_signed ? of_int8 : of_uint8;
    case 2: return is_signed ? of_int16 : of_uint16;
    case 4: return is_signed ? of_int32 : of_uint32;
    default: return is_signed ? of_int64 : of_uint64;
  }
}

static operation *operation_of(MPI_Datatype type) {
  switch (type) {
    case MPI_SIGNED_CHAR:
    case MPI_SHORT:
    case MPI_INT:
    case MPI_LONG:
    case MPI_LONG_LONG_INT:
    case MPI_INT8_T:
    case MPI_INT16_T:
    case MPI_INT32_T:
    case MPI_INT64_T:
    case MPI_AINT:
    case MPI_OFFSET:
    case MPI_COUNT:
    case MPI_INTEGER: return integers((size_t)type & 0xff, true);
    case MPI_UNSIGNED_CHAR:
    case MPI_UNSIGNED_SHORT:
    case MPI_UNSIGNED:
    case MPI_UNSIGNED_LONG:
    case MPI_UNSIGNED_LONG_LONG:
    case MPI_UINT8_T:
    case MPI_UINT16_T:
    case MPI_UINT32_T:
    case MPI_UINT64_T: return integers((size_t)type & 0xff, false);
    case MPI_FLOAT:
    case MPI_REAL: return of_float;
    case MPI_DOUBLE:
    case MPI_DOUBLE_PRECISION: return of_double;
    case MPI_LONG_DOUBLE: return of_long_double;
    case MPI_C_BOOL: return of_bool;
    case MPI_LOGICAL: return of_int32;
    case MPI_BYTE: return of_byte;
    case MPI_C_FLOAT_COMPLEX: return of_float_complex;
    case MPI_C_DOUBLE_COMPLEX: return of_double_complex;
    case MPI_C_LONG_DOUBLE_COMPLEX: return of_long_double_complex;
    default: return NULL;
  }
}

/* ---- Pairs of a value and a place -------------------------------------------------------------------------------------- */

/* Of equal values, the one of the lower place. */
#define LOCATE(name, T)                                           \
  static bool name(bool most, const void *a, void *b, int n) {    \
    typedef struct {                                              \
      T value;                                                    \
      int at;                                                     \
    } pair;                                                       \
    for (int i = 0; i < n; i++) {                                 \
      pair x = ((const pair *)a)[i], *y = (pair *)b + i;          \
      bool more = most ? x.value > y->value : x.value < y->value; \
      bool less = most ? x.value < y->value : x.value > y->value; \
      if (more || (!less && x.at < y->at)) *y = x;                \
    }                                                             \
    return true;                                                  \
  }

LOCATE(locate_float, float)
LOCATE(locate_double, double)
LOCATE(locate_long, long)
LOCATE(locate_int, int)
LOCATE(locate_short, short)
LOCATE(locate_long_double, long double)

static bool locate(bool most, const void *a, void *b, int n, MPI_Datatype type) {
  switch (type) {
    case MPI_FLOAT_INT: return locate_float(most, a, b, n);
    case MPI_DOUBLE_INT: return locate_double(most, a, b, n);
    case MPI_LONG_INT: return locate_long(most, a, b, n);
    case MPI_2INT: return locate_int(most, a, b, n);
    case MPI_SHORT_INT: return locate_short(most, a, b, n);
    case MPI_LONG_DOUBLE_INT: return locate_long_double(most, a, b, n);
    default: return false;
  }
}

/* False: the operator cannot be applied to that type. */
static bool apply(MPI_Op op, const void *a, void *b, int n, MPI_Datatype type) {
  if (op == MPI_REPLACE || op == MPI_NO_OP) {
    if (op == MPI_REPLACE && n) memcpy(b, a, (size_t)n * eo__mpi_type_size(type));
    return true;
  }
  if (op == MPI_MINLOC || op == MPI_MAXLOC) return locate(op == MPI_MAXLOC, a, b, n, type);
  operation *operate = operation_of(type);
  return operate && operate(op & 0xff, a, b, n);
}

/* ---- Operators of programs ---------------------------------------------------------------------------------------------- */

void eo__mpi_check_operator(MPI_Op op, MPI_Datatype type) {
  if (!is_builtin(op)) {
    eo__mpi_object_of(EO__MPI_OP, op);
    return;
  }
  if (!apply(op, NULL, NULL, 0, type))
    eo__mpi_fail("invalid-operator", "the operator cannot be applied to items of this type");
}

void eo__mpi_check_reduction(MPI_Op op, MPI_Datatype type) {
  if (op == MPI_REPLACE || op == MPI_NO_OP) eo__mpi_fail("invalid-operator", "the operator is for windows only");
  eo__mpi_check_operator(op, type);
}

void eo__mpi_operate(MPI_Op op, const void *a, void *b, int count, MPI_Datatype type) {
  if (is_builtin(op)) {
    apply(op, a, b, count, type);
    return;
  }
  const operator_object *user = eo__mpi_object_used(EO__MPI_OP, op);
  user->function((void *)(uintptr_t)a, b, &count, &type);
}

int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op) {
  eo__mpi_enter("MPI_Op_create");
  if (!function || !op) eo__mpi_fail("invalid-argument", "the %s is NULL", op ? "function" : "address of the operator");
  operator_object *made = eo__mpi_object_new(EO__MPI_OP, sizeof *made);
  made->function = function;
  made->commutes = commutes;
  *op = made->object.handle;
  return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op *op) {
  eo__mpi_enter("MPI_Op_free");
  if (!op) eo__mpi_fail("invalid-operator", "the address of the operator is NULL");
  if (is_builtin(*op)) eo__mpi_fail("invalid-operator", "an operator of MPI cannot be freed");
  operator_object *freed = eo__mpi_object_of(EO__MPI_OP, *op);
  freed->object.freed = true;
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

int MPI_Op_commutative(MPI_Op op, int *commutes) {
  eo__mpi_enter("MPI_Op_commutative");
  *commutes = is_builtin(op) ? op != MPI_REPLACE && op != MPI_NO_OP
                             : ((operator_object *)eo__mpi_object_of(EO__MPI_OP, op))->commutes;
  return MPI_SUCCESS;
}

int MPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op) {
  eo__mpi_enter("MPI_Reduce_local");
  eo__mpi_check_data(in, count, type);
  eo__mpi_check_data(inout, count, type);
  eo__mpi_check_reduction(op, type);
  eo__mpi_operate(op, in, inout, count, type);
  return MPI_SUCCESS;
}
