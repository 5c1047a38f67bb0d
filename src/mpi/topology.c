/* topology.c: communicators whose members lie on a grid. */
#include <stdlib.h>
#include <string.h>

#include "mpi/call.h"
#include "mpi/comms.h"

static const eo__mpi_grid *grid_of(MPI_Comm comm) {
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  if (!c->grid) eo__mpi_fail("invalid-communicator", "the communicator has no grid");
  return c->grid;
}

static eo__mpi_grid *new_grid(int count) {
  eo__mpi_grid *grid = eo__mpi_need(calloc(1, sizeof *grid + 2 * (size_t)count * sizeof(int)));
  grid->count = count;
  grid->sizes = grid->numbers;
  grid->periods = grid->numbers + count;
  return grid;
}

/* Where in the grid a member is: the last dimension varies fastest. */
static int coordinate(const eo__mpi_grid *grid, int member, int dimension) {
  for (int i = grid->count - 1; i > dimension; i--) member /= grid->sizes[i];
  return member % grid->sizes[dimension];
}

/* MPI_PROC_NULL: outside, in a dimension that does not go round. */
static int member_at(const eo__mpi_grid *grid, const int *at) {
  int member = 0;
  for (int i = 0; i < grid->count; i++) {
    int size = grid->sizes[i];
    if (!grid->periods[i] && (at[i] < 0 || at[i] >= size)) return MPI_PROC_NULL;
    member = member * size + (at[i] % size + size) % size;
  }
  return member;
}

/* How many members it has; a finding if it is none, or too large. */
static int grid_size(const eo__mpi_comm *comm, int count, const int *sizes, const int *periods) {
  if (count < 0 || (count > 0 && (!sizes || !periods)))
    eo__mpi_fail("invalid-argument", "there are %d dimensions, or an array is NULL", count);
  long long members = 1;
  for (int i = 0; i < count; i++) {
    if (sizes[i] < 1) eo__mpi_fail("invalid-argument", "the size of dimension %d is %d", i, sizes[i]);
    members = members > comm->size ? members : members * sizes[i];
  }
  if (members > comm->size)
    eo__mpi_fail("invalid-argument", "the grid is larger than the communicator, which has %d members", comm->size);
  return (int)members;
}

int MPI_Cart_create(MPI_Comm comm, int count, const int *sizes, const int *periods, int reorder, MPI_Comm *made) {
  eo__mpi_enter("MPI_Cart_create");
  const eo__mpi_comm *old = eo__mpi_intra_of(comm);
  (void)reorder;
  bool inside = old->rank < grid_size(old, count, sizes, periods);
  eo__mpi_grid *grid = new_grid(count);
  memcpy(grid->sizes, sizes, (size_t)count * sizeof(int));
  memcpy(grid->periods, periods, (size_t)count * sizeof(int));
  *made = eo__mpi_comm_split(EO__MPI_CART_CREATE, comm, inside ? 0 : MPI_UNDEFINED, old->rank, grid);
  return MPI_SUCCESS;
}

int MPI_Cart_sub(MPI_Comm comm, const int *keeps, MPI_Comm *made) {
  eo__mpi_enter("MPI_Cart_sub");
  const eo__mpi_grid *grid = grid_of(comm);
  const eo__mpi_comm *old = eo__mpi_comm_of(comm);
  int color = 0, kept = 0;
  for (int i = 0; i < grid->count; i++) kept += keeps[i] != 0;
  eo__mpi_grid *part = new_grid(kept);
  kept = 0;
  for (int i = 0; i < grid->count; i++) {
    if (!keeps[i]) {
      color = color * grid->sizes[i] + coordinate(grid, old->rank, i);
      continue;
    }
    part->sizes[kept] = grid->sizes[i];
    part->periods[kept++] = grid->periods[i];
  }
  *made = eo__mpi_comm_split(EO__MPI_CART_SUB, comm, color, old->rank, part);
  return MPI_SUCCESS;
}

int MPI_Cartdim_get(MPI_Comm comm, int *count) {
  eo__mpi_enter("MPI_Cartdim_get");
  *count = grid_of(comm)->count;
  return MPI_SUCCESS;
}

int MPI_Cart_get(MPI_Comm comm, int most, int *sizes, int *periods, int *at) {
  eo__mpi_enter("MPI_Cart_get");
  const eo__mpi_grid *grid = grid_of(comm);
  if (most < grid->count)
    eo__mpi_fail("invalid-argument", "there are %d dimensions, and room for %d", grid->count, most);
  for (int i = 0; i < grid->count; i++) {
    sizes[i] = grid->sizes[i];
    periods[i] = grid->periods[i];
    at[i] = coordinate(grid, eo__mpi_comm_of(comm)->rank, i);
  }
  return MPI_SUCCESS;
}

int MPI_Cart_rank(MPI_Comm comm, const int *at, int *rank) {
  eo__mpi_enter("MPI_Cart_rank");
  *rank = member_at(grid_of(comm), at);
  if (*rank < 0) eo__mpi_fail("invalid-argument", "the place is not in the grid");
  return MPI_SUCCESS;
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int *at) {
  eo__mpi_enter("MPI_Cart_coords");
  const eo__mpi_grid *grid = grid_of(comm);
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  if (rank < 0 || rank >= c->size)
    eo__mpi_fail("invalid-rank", "there is no rank %d in a communicator of %d", rank, c->size);
  for (int i = 0; i < grid->count && i < most; i++) at[i] = coordinate(grid, rank, i);
  return MPI_SUCCESS;
}

int MPI_Cart_shift(MPI_Comm comm, int dimension, int by, int *from, int *to) {
  eo__mpi_enter("MPI_Cart_shift");
  const eo__mpi_grid *grid = grid_of(comm);
  if (dimension < 0 || dimension >= grid->count)
    eo__mpi_fail("invalid-argument", "there is no dimension %d", dimension);
  int *at = eo__mpi_need(calloc((size_t)grid->count, sizeof *at)), own = eo__mpi_comm_of(comm)->rank;
  for (int i = 0; i < grid->count; i++) at[i] = coordinate(grid, own, i);
  at[dimension] += by;
  *to = member_at(grid, at);
  at[dimension] -= 2 * by;
  *from = member_at(grid, at);
  free(at);
  return MPI_SUCCESS;
}

int *eo__mpi_grid_neighbours(const eo__mpi_comm *comm) {
  const eo__mpi_grid *grid = comm->grid;
  int *at = eo__mpi_need(calloc((size_t)grid->count + 1, sizeof *at));
  int *all = eo__mpi_need(calloc(2 * (size_t)grid->count + 1, sizeof *all));
  for (int i = 0; i < grid->count; i++) at[i] = coordinate(grid, comm->rank, i);
  for (int i = 0; i < grid->count; i++) {
    at[i]--;
    all[2 * i] = member_at(grid, at);
    at[i] += 2;
    all[2 * i + 1] = member_at(grid, at);
    at[i]--;
  }
  free(at);
  return all;
}

int MPI_Cart_map(MPI_Comm comm, int count, const int *sizes, const int *periods, int *rank) {
  eo__mpi_enter("MPI_Cart_map");
  const eo__mpi_comm *c = eo__mpi_intra_of(comm);
  int members = grid_size(c, count, sizes, periods);
  *rank = c->rank < members ? c->rank : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

/* As even as possible: the largest prime factors go to the smallest dimensions. */
int MPI_Dims_create(int members, int count, int *sizes) {
  eo__mpi_enter("MPI_Dims_create");
  int left = members, open = 0;
  for (int i = 0; i < count; i++) {
    if (sizes[i] < 0 || (sizes[i] > 0 && left % sizes[i]))
      eo__mpi_fail("invalid-argument", "%d processes cannot be laid out in these dimensions", members);
    if (sizes[i] > 0) left /= sizes[i];
    open += sizes[i] == 0;
  }
  if (open == 0) return MPI_SUCCESS;
  int *parts = eo__mpi_need(malloc((size_t)open * sizeof *parts));
  for (int i = 0; i < open; i++) parts[i] = 1;
  while (left > 1) {
    int largest = left, smallest = 0;
    for (int factor = 2; factor * factor <= largest; factor++)
      while (largest > factor && largest % factor == 0) largest /= factor;
    for (int i = 1; i < open; i++)
      if (parts[i] < parts[smallest]) smallest = i;
    parts[smallest] *= largest;
    left /= largest;
  }
  for (int i = 0; i < open; i++)
    for (int j = i + 1; j < open; j++)
      if (parts[j] > parts[i]) {
        int swap = parts[i];
        parts[i] = parts[j];
        parts[j] = swap;
      }
  for (int i = 0, next = 0; i < count; i++)
    if (sizes[i] == 0) sizes[i] = parts[next++];
  free(parts);
  return MPI_SUCCESS;
}
