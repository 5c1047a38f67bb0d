/* type.c: datatypes: their sizes, signatures, and how data is packed into messages. */
#include <stdlib.h>
#include <string.h>

#include "mpi/rank.h"

enum { BASIC_KIND = 0x4c, PAIR_KIND = 0x4d, LAST_BASIC = 39 };

static bool is_basic(MPI_Datatype type) { return type >> 24 == BASIC_KIND; }

const char *eo__mpi_type_trouble(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return "the datatype is MPI_DATATYPE_NULL";
  int number = type >> 8 & 0xffff;
  if (!is_basic(type) || number < 1 || number > LAST_BASIC) return "the datatype is not one";
  return NULL;
}

size_t eo__mpi_type_size(MPI_Datatype type) { return (size_t)(type & 0xff); }

size_t eo__mpi_packed_size(int count, MPI_Datatype type) { return (size_t)count * eo__mpi_type_size(type); }

void eo__mpi_pack(char *to, const void *buffer, int count, MPI_Datatype type) {
  size_t size = eo__mpi_packed_size(count, type);
  if (size) memcpy(to, buffer, size);
}

void eo__mpi_unpack(void *buffer, const char *from, size_t size, int count, MPI_Datatype type) {
  (void)count;
  (void)type;
  if (size) memcpy(buffer, from, size);
}

eo__mpi_run eo__mpi_signature(int count, MPI_Datatype type) {
  return (eo__mpi_run){.count = count, .basic = type >> 8 & 0xffff};
}
