/* derived.c: datatypes that a program makes. */
#include <stdlib.h>
#include <string.h>

#include "mpi/comms.h"
#include "mpi/signature.h"
#include "mpi/type.h"

/* ---- Making them ------------------------------------------------------------------------------------------------------ */

typedef struct maker {
  eo__mpi_type *type;
  bool any; /* a block was placed: the bounds are of something */
} maker;

static maker begin(int combiner) {
  maker m = {eo__mpi_object_new(EO__MPI_TYPE, sizeof(eo__mpi_type)), false};
  m.type->combiner = combiner;
  return m;
}

/* What MPI_Type_get_contents tells. */
static void keep(eo__mpi_type *type, int integers, const int *const *from, const int *lengths, int parts) {
  type->integers = eo__mpi_need(calloc((size_t)integers + 1, sizeof(int)));
  for (int i = 0; i < parts; i++)
    for (int j = 0; j < lengths[i]; j++) type->integers[type->integers_count++] = from[i][j];
}

static void keep_addresses(eo__mpi_type *type, int count, const MPI_Aint *addresses) {
  type->addresses = eo__mpi_need(calloc((size_t)count + 1, sizeof(MPI_Aint)));
  type->addresses_count = count;
  for (int i = 0; i < count; i++) type->addresses[i] = addresses[i];
}

static void keep_types(eo__mpi_type *type, int count, const MPI_Datatype *types) {
  type->types = eo__mpi_need(calloc((size_t)count + 1, sizeof(MPI_Datatype)));
  type->types_count = count;
  for (int i = 0; i < count; i++) type->types[i] = types[i];
}

/* `count` items of that type, from there on. */
static void place(maker *m, const eo__mpi_type *of, MPI_Aint at, int count) {
  eo__mpi_type *type = m->type;
  MPI_Aint extent = eo__mpi_extent(of), last = at + (count - 1) * extent;
  if (of->object.handle == MPI_LB || of->object.handle == MPI_UB) {
    bool *set = of->object.handle == MPI_LB ? &type->set_lb : &type->set_ub;
    *(of->object.handle == MPI_LB ? &type->lb : &type->ub) = at;
    *set = true;
    return;
  }
  if (count == 0) return;
  MPI_Aint low = (at < last ? at : last) + of->lb, high = (at < last ? last : at) + of->ub;
  if (!type->set_lb && (!m->any || low < type->lb)) type->lb = low;
  if (!type->set_ub && (!m->any || high > type->ub)) type->ub = high;
  m->any = true;
  bool flat = of->segment_count == 1 && (MPI_Aint)of->size == extent;
  if (flat && of->segments->offset == 0) {
    eo__mpi_type_add(type, (eo__mpi_segment){at, of->segments->count * count, of->segments->basic});
    return;
  }
  for (int i = 0; i < count; i++)
    for (size_t j = 0; j < of->segment_count; j++) {
      eo__mpi_segment segment = of->segments[j];
      segment.offset += at + i * extent;
      eo__mpi_type_add(type, segment);
    }
}

static int end(maker *m, MPI_Datatype *made) {
  if (!made) eo__mpi_fail("invalid-argument", "the address of the datatype is NULL");
  eo__mpi_type_sum_up(m->type);
  *made = m->type->object.handle;
  return MPI_SUCCESS;
}

static void check_count(int count, const char *what) {
  if (count < 0) eo__mpi_fail("invalid-count", "%s is %d", what, count);
}

int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_contiguous");
  const eo__mpi_type *of = eo__mpi_type_of(old);
  check_count(count, "the count");
  maker m = begin(MPI_COMBINER_CONTIGUOUS);
  keep(m.type, 1, (const int *[]){&count}, (const int[]){1}, 1);
  keep_types(m.type, 1, &old);
  place(&m, of, 0, count);
  return end(&m, made);
}

static void place_vector(maker *m, int count, int length, MPI_Aint stride, const eo__mpi_type *of) {
  check_count(count, "the count");
  check_count(length, "the length of a block");
  for (int i = 0; i < count; i++) place(m, of, i * stride, length);
}

int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_vector");
  const eo__mpi_type *of = eo__mpi_type_of(old);
  maker m = begin(MPI_COMBINER_VECTOR);
  keep(m.type, 3, (const int *[]){(int[]){count, length, stride}}, (const int[]){3}, 1);
  keep_types(m.type, 1, &old);
  place_vector(&m, count, length, stride * eo__mpi_extent(of), of);
  return end(&m, made);
}

static int hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made) {
  const eo__mpi_type *of = eo__mpi_type_of(old);
  maker m = begin(MPI_COMBINER_HVECTOR);
  keep(m.type, 2, (const int *[]){(int[]){count, length}}, (const int[]){2}, 1);
  keep_addresses(m.type, 1, &stride);
  keep_types(m.type, 1, &old);
  place_vector(&m, count, length, stride, of);
  return end(&m, made);
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_create_hvector");
  return hvector(count, length, stride, old, made);
}

int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_hvector");
  return hvector(count, length, stride, old, made);
}

/* Blocks of given lengths (NULL: all of `length`) at displacements in items, or in bytes. */
static void place_blocks(maker *m, int count, const int *lengths, int length, const int *items, const MPI_Aint *bytes,
                         const eo__mpi_type *of) {
  check_count(count, "the count");
  if (count > 0 && !items && !bytes) eo__mpi_fail("invalid-argument", "the displacements are NULL");
  for (int i = 0; i < count; i++) {
    int n = lengths ? lengths[i] : length;
    check_count(n, "the length of a block");
    place(m, of, items ? items[i] * eo__mpi_extent(of) : bytes[i], n);
  }
}

int MPI_Type_indexed(int count, const int *lengths, const int *displacements, MPI_Datatype old, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_indexed");
  const eo__mpi_type *of = eo__mpi_type_of(old);
  maker m = begin(MPI_COMBINER_INDEXED);
  place_blocks(&m, count, lengths, 0, displacements, NULL, of);
  keep(m.type, 1 + 2 * count, (const int *[]){&count, lengths, displacements}, (const int[]){1, count, count}, 3);
  keep_types(m.type, 1, &old);
  return end(&m, made);
}

static int hindexed(int count, const int *lengths, const MPI_Aint *displacements, MPI_Datatype old,
                    MPI_Datatype *made) {
  const eo__mpi_type *of = eo__mpi_type_of(old);
  maker m = begin(MPI_COMBINER_HINDEXED);
  place_blocks(&m, count, lengths, 0, NULL, displacements, of);
  keep(m.type, 1 + count, (const int *[]){&count, lengths}, (const int[]){1, count}, 2);
  keep_addresses(m.type, count, displacements);
  keep_types(m.type, 1, &old);
  return end(&m, made);
}

int MPI_Type_create_hindexed(int count, const int *lengths, const MPI_Aint *displacements, MPI_Datatype old,
                             MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_create_hindexed");
  return hindexed(count, lengths, displacements, old, made);
}

int MPI_Type_hindexed(int count, int *lengths, MPI_Aint *displacements, MPI_Datatype old, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_hindexed");
  return hindexed(count, lengths, displacements, old, made);
}

int MPI_Type_create_indexed_block(int count, int length, const int *displacements, MPI_Datatype old,
                                  MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_create_indexed_block");
  const eo__mpi_type *of = eo__mpi_type_of(old);
  maker m = begin(MPI_COMBINER_INDEXED_BLOCK);
  place_blocks(&m, count, NULL, length, displacements, NULL, of);
  keep(m.type, 2 + count, (const int *[]){(int[]){count, length}, displacements}, (const int[]){2, count}, 2);
  keep_types(m.type, 1, &old);
  return end(&m, made);
}

int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint *displacements, MPI_Datatype old,
                                   MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_create_hindexed_block");
  const eo__mpi_type *of = eo__mpi_type_of(old);
  maker m = begin(MPI_COMBINER_HINDEXED_BLOCK);
  place_blocks(&m, count, NULL, length, NULL, displacements, of);
  keep(m.type, 2, (const int *[]){(int[]){count, length}}, (const int[]){2}, 1);
  keep_addresses(m.type, count, displacements);
  keep_types(m.type, 1, &old);
  return end(&m, made);
}

static int structure(int count, const int *lengths, const MPI_Aint *displacements, const MPI_Datatype *types,
                     MPI_Datatype *made) {
  check_count(count, "the count");
  if (count > 0 && (!lengths || !displacements || !types)) eo__mpi_fail("invalid-argument", "an array is NULL");
  for (int i = 0; i < count; i++) eo__mpi_type_of(types[i]);
  maker m = begin(MPI_COMBINER_STRUCT);
  for (int i = 0; i < count; i++) {
    check_count(lengths[i], "the length of a block");
    place(&m, eo__mpi_type_of(types[i]), displacements[i], lengths[i]);
  }
  MPI_Aint extent = eo__mpi_extent(m.type), alignment = (MPI_Aint)m.type->alignment;
  if (!m.type->set_ub && alignment) m.type->ub += (alignment - extent % alignment) % alignment;
  keep(m.type, 1 + count, (const int *[]){&count, lengths}, (const int[]){1, count}, 2);
  keep_addresses(m.type, count, displacements);
  keep_types(m.type, count, types);
  return end(&m, made);
}

int MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *displacements, const MPI_Datatype *types,
                           MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_create_struct");
  return structure(count, lengths, displacements, types, made);
}

int MPI_Type_struct(int count, int *lengths, MPI_Aint *displacements, MPI_Datatype *types, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_struct");
  return structure(count, lengths, displacements, types, made);
}

/* The part of an array in one dimension after the other: the last one varies fastest. */
static void place_subarray(maker *m, int dimension, int count, const int *const *of, const eo__mpi_type *old,
                           MPI_Aint at, const MPI_Aint *strides) {
  const int *sizes = of[1], *starts = of[2];
  at += starts[dimension] * strides[dimension];
  if (dimension == count - 1) {
    place(m, old, at, sizes[dimension]);
    return;
  }
  for (int i = 0; i < sizes[dimension]; i++)
    place_subarray(m, dimension + 1, count, of, old, at + i * strides[dimension], strides);
}

int MPI_Type_create_subarray(int count, const int *sizes, const int *parts, const int *starts, int order,
                             MPI_Datatype old, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_create_subarray");
  const eo__mpi_type *of = eo__mpi_type_of(old);
  if (count < 1 || !sizes || !parts || !starts)
    eo__mpi_fail("invalid-argument", "an array is NULL, or %d dimensions", count);
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) eo__mpi_fail("invalid-argument", "the order is %d", order);
  MPI_Aint *strides = eo__mpi_need(calloc((size_t)count, sizeof *strides)), stride = eo__mpi_extent(of);
  int *turned = eo__mpi_need(calloc(3 * (size_t)count, sizeof *turned));
  for (int i = 0; i < count; i++) {
    int from = order == MPI_ORDER_C ? i : count - 1 - i;
    if (parts[i] < 1 || starts[i] < 0 || starts[i] + parts[i] > sizes[i])
      eo__mpi_fail("invalid-argument", "in dimension %d, %d items from %d on are not in %d", i, parts[i], starts[i],
                   sizes[i]);
    turned[i] = sizes[from];
    turned[count + i] = parts[from];
    turned[2 * count + i] = starts[from];
  }
  for (int i = count - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= turned[i];
  }
  maker m = begin(MPI_COMBINER_SUBARRAY);
  place_subarray(&m, 0, count, (const int *const[]){turned, turned + count, turned + 2 * (size_t)count}, of, 0,
                 strides);
  m.type->lb = 0;
  m.type->ub = stride;
  keep(m.type, 2 + 3 * count, (const int *[]){&count, sizes, parts, starts, &order},
       (const int[]){1, count, count, count, 1}, 5);
  keep_types(m.type, 1, &old);
  free(strides);
  free(turned);
  return end(&m, made);
}

/* ---- What a process has of an array that is distributed --------------------------------------------------------------- */

/* A dimension: which of its items are this process's, in blocks of which it has each n-th. */
typedef struct share {
  int size, block, first, step;
  MPI_Aint stride; /* bytes from one item to the next */
} share;

static share share_of(int size, int distribution, int argument, int processes, int at, int dimension) {
  int block = size;
  if (distribution == MPI_DISTRIBUTE_NONE) {
    if (processes != 1)
      eo__mpi_fail("invalid-argument", "dimension %d is not distributed, and has %d processes", dimension, processes);
  } else if (distribution == MPI_DISTRIBUTE_BLOCK) {
    block = argument == MPI_DISTRIBUTE_DFLT_DARG ? (size + processes - 1) / processes : argument;
    if (block < 1 || (long long)block * processes < size)
      eo__mpi_fail("invalid-argument", "%d blocks of %d are less than the %d items of dimension %d", processes, block,
                   size, dimension);
  } else if (distribution == MPI_DISTRIBUTE_CYCLIC) {
    block = argument == MPI_DISTRIBUTE_DFLT_DARG ? 1 : argument;
    if (block < 1) eo__mpi_fail("invalid-argument", "the blocks of dimension %d have %d items", dimension, block);
  } else {
    eo__mpi_fail("invalid-argument", "the distribution of dimension %d is %d", dimension, distribution);
  }
  return (share){.size = size, .block = block, .first = at * block, .step = processes * block};
}

static void place_shares(maker *m, const share *shares, int count, const eo__mpi_type *of, MPI_Aint at) {
  for (int first = shares->first; first < shares->size; first += shares->step) {
    int length = first + shares->block > shares->size ? shares->size - first : shares->block;
    if (count == 1) {
      place(m, of, at + first * shares->stride, length);
      continue;
    }
    for (int i = first; i < first + length; i++) place_shares(m, shares + 1, count - 1, of, at + i * shares->stride);
  }
}

int MPI_Type_create_darray(int size, int rank, int count, const int *sizes, const int *distributions,
                           const int *arguments, const int *processes, int order, MPI_Datatype old,
                           MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_create_darray");
  const eo__mpi_type *of = eo__mpi_type_of(old);
  long long all = 1;
  int left = rank;
  if (count < 1 || !sizes || !distributions || !arguments || !processes)
    eo__mpi_fail("invalid-argument", "an array is NULL, or %d dimensions", count);
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) eo__mpi_fail("invalid-argument", "the order is %d", order);
  for (int i = 0; i < count; i++) {
    if (sizes[i] < 1 || processes[i] < 1)
      eo__mpi_fail("invalid-argument", "dimension %d has %d items and %d processes", i, sizes[i], processes[i]);
    all *= processes[i];
  }
  if (all != size) eo__mpi_fail("invalid-argument", "the dimensions have %lld processes, but there are %d", all, size);
  if (rank < 0 || rank >= size) eo__mpi_fail("invalid-rank", "there is no rank %d of %d", rank, size);
  share *shares = eo__mpi_need(calloc((size_t)count, sizeof *shares)); /* the one that varies fastest is the last */
  for (int i = count - 1; i >= 0; i--) {
    shares[order == MPI_ORDER_C ? i : count - 1 - i] =
        share_of(sizes[i], distributions[i], arguments[i], processes[i], left % processes[i], i);
    left /= processes[i];
  }
  MPI_Aint stride = eo__mpi_extent(of);
  for (int i = count - 1; i >= 0; stride *= shares[i--].size) shares[i].stride = stride;
  maker m = begin(MPI_COMBINER_DARRAY);
  place_shares(&m, shares, count, of, 0);
  m.type->lb = 0;
  m.type->ub = stride;
  keep(m.type, 4 + 4 * count, (const int *[]){&size, &rank, &count, sizes, distributions, arguments, processes, &order},
       (const int[]){1, 1, 1, count, count, count, count, 1}, 8);
  keep_types(m.type, 1, &old);
  free(shares);
  return end(&m, made);
}

int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_create_resized");
  const eo__mpi_type *of = eo__mpi_type_of(old);
  maker m = begin(MPI_COMBINER_RESIZED);
  place(&m, of, 0, 1);
  m.type->lb = lb;
  m.type->ub = lb + extent;
  m.type->set_lb = m.type->set_ub = true;
  keep_addresses(m.type, 2, (const MPI_Aint[]){lb, extent});
  keep_types(m.type, 1, &old);
  return end(&m, made);
}

int MPI_Type_dup(MPI_Datatype old, MPI_Datatype *made) {
  eo__mpi_enter("MPI_Type_dup");
  const eo__mpi_type *of = eo__mpi_type_of(old);
  maker m = begin(MPI_COMBINER_DUP);
  place(&m, of, 0, 1);
  m.type->lb = of->lb;
  m.type->ub = of->ub;
  m.type->committed = of->committed;
  eo__mpi_attributes_copy(old, &of->attributes, &m.type->attributes);
  keep_types(m.type, 1, &old);
  return end(&m, made);
}

/* ---- Their life -------------------------------------------------------------------------------------------------------- */

static eo__mpi_type *own(MPI_Datatype *handle) {
  if (!handle) eo__mpi_fail("invalid-type", "the address of the datatype is NULL");
  return (eo__mpi_type *)(uintptr_t)eo__mpi_type_of(*handle);
}

int MPI_Type_commit(MPI_Datatype *type) {
  eo__mpi_enter("MPI_Type_commit");
  own(type)->committed = true;
  return MPI_SUCCESS;
}

int MPI_Type_free(MPI_Datatype *type) {
  eo__mpi_enter("MPI_Type_free");
  eo__mpi_type *freed = own(type);
  if (freed->combiner == MPI_COMBINER_NAMED) eo__mpi_fail("invalid-type", "a datatype of MPI cannot be freed");
  eo__mpi_attributes_drop(*type, &freed->attributes);
  freed->object.freed = true;
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int MPI_Type_set_name(MPI_Datatype type, const char *name) {
  eo__mpi_enter("MPI_Type_set_name");
  strncpy(own(&type)->name, name, MPI_MAX_OBJECT_NAME - 1);
  return MPI_SUCCESS;
}

int MPI_Type_get_name(MPI_Datatype type, char *name, int *length) {
  eo__mpi_enter("MPI_Type_get_name");
  const eo__mpi_type *t = eo__mpi_type_of(type);
  bool basic = t->combiner == MPI_COMBINER_NAMED && t->run_count == 1;
  strcpy(name, basic ? eo__mpi_basic_name(t->runs->basic) : t->name);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

/* ---- What is asked about them ------------------------------------------------------------------------------------------ */

static int tell_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent, bool of_data) {
  const eo__mpi_type *t = eo__mpi_type_of(type);
  *lb = of_data ? t->true_lb : t->lb;
  *extent = of_data ? t->true_ub - t->true_lb : eo__mpi_extent(t);
  return MPI_SUCCESS;
}

int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent) {
  eo__mpi_enter("MPI_Type_get_extent");
  return tell_extent(type, lb, extent, false);
}

int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent) {
  eo__mpi_enter("MPI_Type_get_extent_x");
  MPI_Aint from, size;
  tell_extent(type, &from, &size, false);
  *lb = from;
  *extent = size;
  return MPI_SUCCESS;
}

int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent) {
  eo__mpi_enter("MPI_Type_get_true_extent_x");
  MPI_Aint from, size;
  tell_extent(type, &from, &size, true);
  *lb = from;
  *extent = size;
  return MPI_SUCCESS;
}

int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent) {
  eo__mpi_enter("MPI_Type_get_true_extent");
  return tell_extent(type, lb, extent, true);
}

int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent) {
  eo__mpi_enter("MPI_Type_extent");
  MPI_Aint lb;
  return tell_extent(type, &lb, extent, false);
}

int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lb) {
  eo__mpi_enter("MPI_Type_lb");
  MPI_Aint extent;
  return tell_extent(type, lb, &extent, false);
}

int MPI_Type_ub(MPI_Datatype type, MPI_Aint *ub) {
  eo__mpi_enter("MPI_Type_ub");
  *ub = eo__mpi_type_of(type)->ub;
  return MPI_SUCCESS;
}

int MPI_Type_size(MPI_Datatype type, int *size) {
  eo__mpi_enter("MPI_Type_size");
  *size = (int)eo__mpi_type_of(type)->size;
  return MPI_SUCCESS;
}

int MPI_Type_size_x(MPI_Datatype type, MPI_Count *size) {
  eo__mpi_enter("MPI_Type_size_x");
  *size = (MPI_Count)eo__mpi_type_of(type)->size;
  return MPI_SUCCESS;
}

int MPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner) {
  eo__mpi_enter("MPI_Type_get_envelope");
  const eo__mpi_type *t = eo__mpi_type_of(type);
  *integers = t->integers_count;
  *addresses = t->addresses_count;
  *types = t->types_count;
  *combiner = t->combiner;
  return MPI_SUCCESS;
}

int MPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types, int *integers,
                          MPI_Aint *addresses, MPI_Datatype *types) {
  eo__mpi_enter("MPI_Type_get_contents");
  const eo__mpi_type *t = eo__mpi_type_of(type);
  if (t->combiner == MPI_COMBINER_NAMED) eo__mpi_fail("invalid-type", "a datatype of MPI has no contents");
  for (int i = 0; i < t->integers_count && i < most_integers; i++) integers[i] = t->integers[i];
  for (int i = 0; i < t->addresses_count && i < most_addresses; i++) addresses[i] = t->addresses[i];
  for (int i = 0; i < t->types_count && i < most_types; i++) types[i] = t->types[i];
  return MPI_SUCCESS;
}

int MPI_Get_address(const void *at, MPI_Aint *address) {
  eo__mpi_enter("MPI_Get_address");
  *address = (MPI_Aint)at;
  return MPI_SUCCESS;
}

int MPI_Address(void *at, MPI_Aint *address) {
  eo__mpi_enter("MPI_Address");
  *address = (MPI_Aint)at;
  return MPI_SUCCESS;
}

MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint more) { return base + more; }

MPI_Aint MPI_Aint_diff(MPI_Aint a, MPI_Aint b) { return a - b; }
