/* type.c: datatypes: their sizes, signatures, and how data is packed into messages. */
#include "mpi/type.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/rank.h"

enum { BASIC_KIND = 0x4c, PAIR_KIND = 0x4d, LAST_BASIC = 39, PAIRS = 6 };

/* ---- Types of MPI ---------------------------------------------------------------------------------------------------- */

static size_t alignment_of(MPI_Datatype basic) {
  size_t size = (size_t)(basic & 0xff);
  if (basic == MPI_C_FLOAT_COMPLEX || basic == MPI_C_DOUBLE_COMPLEX || basic == MPI_C_LONG_DOUBLE_COMPLEX) size /= 2;
  return size ? size : 1;
}

static const eo__mpi_type *basic_type(MPI_Datatype handle) {
  static eo__mpi_type types[LAST_BASIC + 1];
  static eo__mpi_segment segments[LAST_BASIC + 1];
  static eo__mpi_run runs[LAST_BASIC + 1];
  int number = handle >> 8 & 0xffff;
  size_t size = (size_t)(handle & 0xff);
  if (types[number].object.handle == handle) return &types[number];
  segments[number] = (eo__mpi_segment){0, 1, handle};
  runs[number] = (eo__mpi_run){.count = 1, .basic = number};
  types[number] = (eo__mpi_type){.object = {.handle = handle},
                                 .size = size,
                                 .ub = (MPI_Aint)size,
                                 .true_ub = (MPI_Aint)size,
                                 .committed = true,
                                 .alignment = alignment_of(handle),
                                 .segments = &segments[number],
                                 .segment_count = 1,
                                 .runs = &runs[number],
                                 .run_count = 1,
                                 .combiner = MPI_COMBINER_NAMED};
  return &types[number];
}

/* Before anything is explored: a page that no rank writes need not be closed to others. */
__attribute__((constructor)) static void fill_in_common(void) {
  static const MPI_Datatype common[] = {MPI_CHAR, MPI_BYTE, MPI_INT, MPI_UNSIGNED, MPI_LONG, MPI_FLOAT, MPI_DOUBLE};
  for (size_t i = 0; i < sizeof common / sizeof *common; i++) basic_type(common[i]);
}

static const eo__mpi_type *pair_type(MPI_Datatype handle) {
  static eo__mpi_type types[PAIRS + 1];
  static const MPI_Datatype values[] = {0, MPI_FLOAT, MPI_DOUBLE, MPI_LONG, MPI_INT, MPI_SHORT, MPI_LONG_DOUBLE};
  eo__mpi_type *type = &types[handle & 0xff];
  if (type->size) return type;
  MPI_Datatype value = values[handle & 0xff];
  MPI_Aint at = value == MPI_SHORT ? (MPI_Aint)sizeof(int) : (MPI_Aint)(value & 0xff), alignment = at;
  *type = (eo__mpi_type){.object = {.handle = handle}, .committed = true, .combiner = MPI_COMBINER_NAMED};
  eo__mpi_type_add(type, (eo__mpi_segment){0, 1, value});
  eo__mpi_type_add(type, (eo__mpi_segment){at, 1, MPI_INT});
  type->ub = (at + (MPI_Aint)sizeof(int) + alignment - 1) / alignment * alignment;
  eo__mpi_type_sum_up(type);
  return type;
}

const eo__mpi_type *eo__mpi_type_try(MPI_Datatype handle, const char **trouble) {
  int kind = handle >> 24, number = handle >> 8 & 0xffff;
  *trouble = NULL;
  if (kind == BASIC_KIND && number >= 1 && number <= LAST_BASIC) return basic_type(handle);
  if (kind == PAIR_KIND && (handle & 0xffffff) >= 1 && (handle & 0xffffff) <= PAIRS) return pair_type(handle);
  return eo__mpi_object_try(EO__MPI_TYPE, handle, trouble);
}

const eo__mpi_type *eo__mpi_type_of(MPI_Datatype handle) {
  const char *trouble;
  const eo__mpi_type *type = eo__mpi_type_try(handle, &trouble);
  if (!type) eo__mpi_fail("invalid-type", "the datatype 0x%x %s", (unsigned)handle, trouble);
  return type;
}

const eo__mpi_type *eo__mpi_type_used(MPI_Datatype handle) {
  int kind = handle >> 24;
  return kind == BASIC_KIND || kind == PAIR_KIND ? eo__mpi_type_of(handle) : eo__mpi_object_used(EO__MPI_TYPE, handle);
}

/* ---- What they are made of ------------------------------------------------------------------------------------------- */

void eo__mpi_type_add(eo__mpi_type *type, eo__mpi_segment added) {
  MPI_Aint bytes = (MPI_Aint)(added.basic & 0xff) * (MPI_Aint)added.count;
  if (added.count == 0) return;
  bool first = type->segment_count == 0;
  if (first || added.offset < type->true_lb) type->true_lb = added.offset;
  if (first || added.offset + bytes > type->true_ub) type->true_ub = added.offset + bytes;
  type->size += (size_t)bytes;
  if (alignment_of(added.basic) > type->alignment) type->alignment = alignment_of(added.basic);
  eo__mpi_segment *last = first ? NULL : &type->segments[type->segment_count - 1];
  if (last && last->basic == added.basic &&
      last->offset + (MPI_Aint)last->count * (MPI_Aint)(last->basic & 0xff) == added.offset) {
    last->count += added.count;
    return;
  }
  if (!type->segments || type->segment_count == type->segment_room) {
    type->segment_room = 2 * type->segment_room + 4;
    type->segments = eo__mpi_need(realloc(type->segments, type->segment_room * sizeof *type->segments));
  }
  type->segments[type->segment_count++] = added;
}

void eo__mpi_type_sum_up(eo__mpi_type *type) {
  type->runs = eo__mpi_need(calloc(type->segment_count + 1, sizeof *type->runs));
  for (size_t i = 0; i < type->segment_count; i++) {
    const eo__mpi_segment *segment = &type->segments[i];
    int number = segment->basic >> 8 & 0xffff;
    eo__mpi_run *last = i > 0 ? &type->runs[type->run_count - 1] : NULL;
    if (last && last->basic == number)
      last->count += segment->count;
    else
      type->runs[type->run_count++] = (eo__mpi_run){.count = segment->count, .basic = number};
  }
}

size_t eo__mpi_type_size(MPI_Datatype type) { return eo__mpi_type_used(type)->size; }

MPI_Aint eo__mpi_type_extent(MPI_Datatype type) { return eo__mpi_extent(eo__mpi_type_used(type)); }

size_t eo__mpi_packed_size(int count, MPI_Datatype type) { return (size_t)count * eo__mpi_type_size(type); }

eo__mpi_run eo__mpi_signature(int count, MPI_Datatype handle, const eo__mpi_run **runs) {
  const eo__mpi_type *type = eo__mpi_type_used(handle);
  *runs = type->runs;
  if (type->run_count == 1) return (eo__mpi_run){.count = count * type->runs->count, .basic = type->runs->basic};
  return (eo__mpi_run){.count = type->run_count ? count : 0, .more = (int32_t)type->run_count};
}

/* ---- Packing ---------------------------------------------------------------------------------------------------------- */

static bool is_flat(const eo__mpi_type *type) {
  return type->segment_count == 1 && type->segments->offset == 0 && (MPI_Aint)type->size == eo__mpi_extent(type);
}

/* Copies as many bytes as there are, from the items to the packed ones or back. */
static void copy(char *packed, char *items, size_t size, const eo__mpi_type *type, bool pack) {
  MPI_Aint extent = eo__mpi_extent(type);
  if (size == 0 || type->size == 0) return;
  if (is_flat(type)) {
    memmove(pack ? packed : items, pack ? items : packed, size);
    return;
  }
  for (; size > 0; items += extent) {
    for (size_t i = 0; i < type->segment_count && size > 0; i++) {
      const eo__mpi_segment *segment = &type->segments[i];
      size_t bytes = (size_t)segment->count * (size_t)(segment->basic & 0xff);
      char *at = items + segment->offset;
      if (bytes > size) bytes = size;
      memmove(pack ? packed : at, pack ? at : packed, bytes);
      packed += bytes;
      size -= bytes;
    }
  }
}

void eo__mpi_pack(char *to, const void *buffer, int count, MPI_Datatype type) {
  const eo__mpi_type *t = eo__mpi_type_used(type);
  copy(to, (char *)(uintptr_t)buffer, (size_t)count * t->size, t, true);
}

void eo__mpi_unpack(void *buffer, const char *from, size_t size, MPI_Datatype type) {
  copy((char *)(uintptr_t)from, buffer, size, eo__mpi_type_used(type), false);
}
