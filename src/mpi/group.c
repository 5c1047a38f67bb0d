/* group.c: see group.h. */
#include "mpi/group.h"

#include <stdlib.h>

#include "mpi/rank.h"

static const eo__mpi_group no_group = {.object = {.handle = MPI_GROUP_EMPTY}};

eo__mpi_group *eo__mpi_group_new(int most) {
  return eo__mpi_object_new(EO__MPI_GROUP, sizeof(eo__mpi_group) + (size_t)most * sizeof(int));
}

void eo__mpi_group_add(eo__mpi_group *group, int rank) { group->members[group->size++] = rank; }

const eo__mpi_group *eo__mpi_group_of(MPI_Group group) {
  return group == MPI_GROUP_EMPTY ? &no_group : eo__mpi_object_of(EO__MPI_GROUP, group);
}

int eo__mpi_group_find(const eo__mpi_group *group, int rank) {
  for (int i = 0; i < group->size; i++)
    if (group->members[i] == rank) return i;
  return MPI_UNDEFINED;
}

/* An empty one is no object of its own, so that it need not be freed. */
static int hand_out(eo__mpi_group *group, MPI_Group *made) {
  if (!made) eo__mpi_fail("invalid-argument", "the address of the new group is NULL");
  *made = group->size ? group->object.handle : MPI_GROUP_EMPTY;
  if (!group->size) group->object.freed = true;
  return MPI_SUCCESS;
}

static void check_member(const eo__mpi_group *group, int member) {
  if (member < 0 || member >= group->size)
    eo__mpi_fail("invalid-rank", "there is no rank %d in a group of %d", member, group->size);
}

int MPI_Group_size(MPI_Group group, int *size) {
  eo__mpi_enter("MPI_Group_size");
  *size = eo__mpi_group_of(group)->size;
  return MPI_SUCCESS;
}

int MPI_Group_rank(MPI_Group group, int *rank) {
  eo__mpi_enter("MPI_Group_rank");
  *rank = eo__mpi_group_find(eo__mpi_group_of(group), eo__mpi.rank);
  return MPI_SUCCESS;
}

/* Those of `of` that are among the named ones, in the order in which they are named; or those that are not. */
static int choose(const eo__mpi_group *of, int count, const int *named, bool take, MPI_Group *made) {
  if (count < 0) eo__mpi_fail("invalid-count", "the count is %d", count);
  for (int i = 0; i < count; i++) {
    check_member(of, named[i]);
    for (int j = 0; j < i; j++)
      if (named[j] == named[i]) eo__mpi_fail("invalid-rank", "rank %d is named twice", named[i]);
  }
  eo__mpi_group *group = eo__mpi_group_new(of->size);
  for (int i = 0; take && i < count; i++) eo__mpi_group_add(group, of->members[named[i]]);
  for (int i = 0; !take && i < of->size; i++) {
    int j = 0;
    while (j < count && named[j] != i) j++;
    if (j == count) eo__mpi_group_add(group, of->members[i]);
  }
  return hand_out(group, made);
}

int MPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *made) {
  eo__mpi_enter("MPI_Group_incl");
  return choose(eo__mpi_group_of(group), count, ranks, true, made);
}

int MPI_Group_excl(MPI_Group group, int count, const int *ranks, MPI_Group *made) {
  eo__mpi_enter("MPI_Group_excl");
  return choose(eo__mpi_group_of(group), count, ranks, false, made);
}

static int choose_ranges(MPI_Group group, int count, int (*ranges)[3], bool take, MPI_Group *made) {
  const eo__mpi_group *of = eo__mpi_group_of(group);
  int named = 0, room = of->size, *ranks = eo__mpi_need(malloc(((size_t)room + 1) * sizeof *ranks));
  for (int i = 0; i < count; i++) {
    int step = ranges[i][2];
    if (step == 0) eo__mpi_fail("invalid-argument", "the step of a range is 0");
    for (int r = ranges[i][0]; step > 0 ? r <= ranges[i][1] : r >= ranges[i][1]; r += step) {
      check_member(of, r);
      if (named == room) eo__mpi_fail("invalid-rank", "rank %d is named twice", r);
      ranks[named++] = r;
    }
  }
  choose(of, named, ranks, take, made);
  free(ranks);
  return MPI_SUCCESS;
}

int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *made) {
  eo__mpi_enter("MPI_Group_range_incl");
  return choose_ranges(group, count, ranges, true, made);
}

int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group *made) {
  eo__mpi_enter("MPI_Group_range_excl");
  return choose_ranges(group, count, ranges, false, made);
}

/* Those of a that are in b, or are not; then, if asked for, all of b that are not yet there. */
static int combine(MPI_Group a, MPI_Group b, bool both, bool only_a, bool all_b, MPI_Group *made) {
  const eo__mpi_group *x = eo__mpi_group_of(a), *y = eo__mpi_group_of(b);
  eo__mpi_group *group = eo__mpi_group_new(x->size + y->size);
  for (int i = 0; i < x->size; i++)
    if (eo__mpi_group_find(y, x->members[i]) >= 0 ? both : only_a) eo__mpi_group_add(group, x->members[i]);
  for (int i = 0; all_b && i < y->size; i++)
    if (eo__mpi_group_find(group, y->members[i]) < 0) eo__mpi_group_add(group, y->members[i]);
  return hand_out(group, made);
}

int MPI_Group_union(MPI_Group a, MPI_Group b, MPI_Group *made) {
  eo__mpi_enter("MPI_Group_union");
  return combine(a, b, true, true, true, made);
}

int MPI_Group_intersection(MPI_Group a, MPI_Group b, MPI_Group *made) {
  eo__mpi_enter("MPI_Group_intersection");
  return combine(a, b, true, false, false, made);
}

int MPI_Group_difference(MPI_Group a, MPI_Group b, MPI_Group *made) {
  eo__mpi_enter("MPI_Group_difference");
  return combine(a, b, false, true, false, made);
}

int MPI_Group_translate_ranks(MPI_Group a, int count, const int *ranks, MPI_Group b, int *translated) {
  eo__mpi_enter("MPI_Group_translate_ranks");
  const eo__mpi_group *x = eo__mpi_group_of(a), *y = eo__mpi_group_of(b);
  for (int i = 0; i < count; i++) {
    if (ranks[i] != MPI_PROC_NULL) check_member(x, ranks[i]);
    translated[i] = ranks[i] == MPI_PROC_NULL ? MPI_PROC_NULL : eo__mpi_group_find(y, x->members[ranks[i]]);
  }
  return MPI_SUCCESS;
}

int MPI_Group_compare(MPI_Group a, MPI_Group b, int *result) {
  eo__mpi_enter("MPI_Group_compare");
  const eo__mpi_group *x = eo__mpi_group_of(a), *y = eo__mpi_group_of(b);
  *result = x->size == y->size ? MPI_IDENT : MPI_UNEQUAL;
  for (int i = 0; i < x->size && *result != MPI_UNEQUAL; i++) {
    int at = eo__mpi_group_find(y, x->members[i]);
    if (at != i) *result = at < 0 ? MPI_UNEQUAL : MPI_SIMILAR;
  }
  return MPI_SUCCESS;
}

int MPI_Group_free(MPI_Group *group) {
  eo__mpi_enter("MPI_Group_free");
  if (!group) eo__mpi_fail("invalid-group", "the address of the group is NULL");
  if (*group != MPI_GROUP_EMPTY) ((eo__mpi_group *)(uintptr_t)eo__mpi_group_of(*group))->object.freed = true;
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}
