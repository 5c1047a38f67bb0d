/* signature.c: see signature.h. */
#include "mpi/signature.h"

/* Where in a signature: so many items are left of a run, so many runs of a record, so many records. */
typedef struct cursor {
  const eo__mpi_run *runs;
  int64_t records, left;
  int32_t count, run;
} cursor;

static void settle(cursor *c) {
  while (c->left == 0 && c->records > 0) {
    if (++c->run == c->count) {
      c->run = 0;
      c->records--;
    }
    if (c->records > 0) c->left = c->runs[c->run].count;
  }
}

static cursor begin(const eo__mpi_run *head, const eo__mpi_run *more) {
  cursor c = {head, 1, head->count, 1, 0};
  if (head->more) c = (cursor){more, head->count, head->count ? more->count : 0, head->more, 0};
  settle(&c);
  return c;
}

static bool is_any(int basic) { return basic == (MPI_PACKED >> 8 & 0xff); }

eo__mpi_fit eo__mpi_signature_fits(const eo__mpi_run *sent, const eo__mpi_run *sent_more, const eo__mpi_run *expected,
                                   const eo__mpi_run *expected_more) {
  cursor a = begin(sent, sent_more), b = begin(expected, expected_more);
  while (a.records > 0 && b.records > 0) {
    int left = a.runs[a.run].basic, right = b.runs[b.run].basic;
    if (is_any(left) || is_any(right)) return EO__MPI_FITS;
    if (left != right) return EO__MPI_OTHER;
    int64_t both = a.left < b.left ? a.left : b.left;
    a.left -= both;
    b.left -= both;
    settle(&a);
    settle(&b);
  }
  return a.records > 0 ? EO__MPI_LONGER : b.records > 0 ? EO__MPI_SHORTER : EO__MPI_FITS;
}

#define NAME(type) [(type) >> 8 & 0xff] = #type

const char *eo__mpi_basic_name(int basic) {
  static const char *const names[] = {
      NAME(MPI_CHAR),
      NAME(MPI_SIGNED_CHAR),
      NAME(MPI_UNSIGNED_CHAR),
      NAME(MPI_BYTE),
      NAME(MPI_WCHAR),
      NAME(MPI_SHORT),
      NAME(MPI_UNSIGNED_SHORT),
      NAME(MPI_INT),
      NAME(MPI_UNSIGNED),
      NAME(MPI_LONG),
      NAME(MPI_UNSIGNED_LONG),
      NAME(MPI_LONG_LONG_INT),
      NAME(MPI_UNSIGNED_LONG_LONG),
      NAME(MPI_FLOAT),
      NAME(MPI_DOUBLE),
      NAME(MPI_LONG_DOUBLE),
      NAME(MPI_C_BOOL),
      NAME(MPI_INT8_T),
      NAME(MPI_INT16_T),
      NAME(MPI_INT32_T),
      NAME(MPI_INT64_T),
      NAME(MPI_UINT8_T),
      NAME(MPI_UINT16_T),
      NAME(MPI_UINT32_T),
      NAME(MPI_UINT64_T),
      NAME(MPI_AINT),
      NAME(MPI_OFFSET),
      NAME(MPI_COUNT),
      NAME(MPI_C_FLOAT_COMPLEX),
      NAME(MPI_C_DOUBLE_COMPLEX),
      NAME(MPI_C_LONG_DOUBLE_COMPLEX),
      NAME(MPI_PACKED),
      NAME(MPI_LB),
      NAME(MPI_UB),
      NAME(MPI_LOGICAL),
      NAME(MPI_INTEGER),
      NAME(MPI_REAL),
      NAME(MPI_DOUBLE_PRECISION),
      NAME(MPI_CHARACTER),
  };
  const char *name = basic > 0 && basic < (int)(sizeof names / sizeof *names) ? names[basic] : NULL;
  return name ? name : "another type";
}
