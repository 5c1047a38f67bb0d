/* external.c: packing in the form that is the same on all machines ("external32"): big-endian, with sizes of its own. */
#include <stdlib.h>
#include <string.h>

#include "mpi/point.h"
#include "mpi/type.h"

static bool is_complex(MPI_Datatype basic) { return basic == MPI_C_FLOAT_COMPLEX || basic == MPI_C_DOUBLE_COMPLEX; }

static size_t external_size(MPI_Datatype basic) {
  switch (basic) {
    case MPI_LONG:
    case MPI_UNSIGNED_LONG: return 4;
    case MPI_WCHAR: return 2;
    case MPI_LONG_DOUBLE:
    case MPI_C_LONG_DOUBLE_COMPLEX: eo__mpi_fail("not-implemented", "is not implemented for long double");
    default: return (size_t)(basic & 0xff);
  }
}

static void check_form(const char *form) {
  if (!form || strcmp(form, "external32") != 0)
    eo__mpi_fail("invalid-argument", "the data representation is %s, not external32", form ? form : "NULL");
}

static size_t size_of(int count, MPI_Datatype handle) {
  const eo__mpi_type *type = eo__mpi_type_of(handle);
  size_t size = 0;
  for (size_t i = 0; i < type->segment_count; i++)
    size += (size_t)type->segments[i].count * external_size(type->segments[i].basic);
  return size * (size_t)count;
}

/* One number, whose bytes are in the order of this machine, to or from the other form. Numbers that are smaller there lose their upper
 * bytes, and get those of their sign back. */
static void turn(char *external, size_t there, char *own, size_t here, bool pack, bool is_signed) {
  for (size_t i = 0; i < there && pack; i++) external[there - 1 - i] = own[i];
  for (size_t i = 0; i < here && !pack; i++)
    own[i] = (char)(i < there ? external[there - 1 - i] : is_signed && external[0] < 0 ? -1 : 0);
}

/* All of them, one after the other, as eo__mpi_pack lays them out. */
static void convert(char *external, char *own, int count, const eo__mpi_type *type, bool pack) {
  for (int n = 0; n < count; n++)
    for (size_t i = 0; i < type->segment_count; i++) {
      MPI_Datatype basic = type->segments[i].basic;
      size_t parts = is_complex(basic) ? 2 : 1, here = (size_t)(basic & 0xff) / parts,
             there = external_size(basic) / parts;
      for (int64_t j = 0; j < type->segments[i].count * (int64_t)parts; j++, external += there, own += here)
        turn(external, there, own, here, pack, basic == MPI_LONG);
    }
}

int MPI_Pack_external_size(const char *form, int count, MPI_Datatype type, MPI_Aint *size) {
  eo__mpi_enter("MPI_Pack_external_size");
  check_form(form);
  eo__mpi_check_type(type);
  if (count < 0) eo__mpi_fail("invalid-count", "the count is %d", count);
  *size = (MPI_Aint)size_of(count, type);
  return MPI_SUCCESS;
}

int MPI_Pack_external(const char *form, const void *from, int count, MPI_Datatype type, void *to, MPI_Aint room,
                      MPI_Aint *at) {
  eo__mpi_enter("MPI_Pack_external");
  check_form(form);
  eo__mpi_check_data(from, count, type);
  MPI_Aint size = (MPI_Aint)size_of(count, type);
  if (!at || *at < 0 || size > room - *at)
    eo__mpi_fail("truncation", "there is no room for %ld bytes more", (long)size);
  char *own = eo__mpi_need(malloc(eo__mpi_packed_size(count, type) + 1));
  eo__mpi_pack(own, from, count, type);
  convert((char *)to + *at, own, count, eo__mpi_type_of(type), true);
  free(own);
  *at += size;
  return MPI_SUCCESS;
}

int MPI_Unpack_external(const char *form, const void *from, MPI_Aint size, MPI_Aint *at, void *to, int count,
                        MPI_Datatype type) {
  eo__mpi_enter("MPI_Unpack_external");
  check_form(form);
  eo__mpi_check_data(to, count, type);
  MPI_Aint wanted = (MPI_Aint)size_of(count, type);
  if (!at || *at < 0 || wanted > size - *at) eo__mpi_fail("truncation", "fewer than %ld bytes are left", (long)wanted);
  char *own = eo__mpi_need(malloc(eo__mpi_packed_size(count, type) + 1));
  convert((char *)(uintptr_t)from + *at, own, count, eo__mpi_type_of(type), false);
  eo__mpi_unpack(to, own, eo__mpi_packed_size(count, type), type);
  free(own);
  *at += wanted;
  return MPI_SUCCESS;
}
