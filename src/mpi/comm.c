/* comm.c: communicators: which there are, and how they are made. */
#include <stdlib.h>
#include <string.h>

#include "mpi/call.h"
#include "mpi/comms.h"
#include "mpi/group.h"

static eo__mpi_comm world_comm, self_comm, all_comm;
static int self_member;

const eo__mpi_comm *eo__mpi_comm_of(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD || comm == EO__MPI_COMM_EVERYONE) {
    eo__mpi_comm *c = comm == MPI_COMM_WORLD ? &world_comm : &all_comm;
    if (c->object.handle == comm) return c;
    c->object.handle = comm;
    c->context = comm == MPI_COMM_WORLD ? 0 : EO__MPI_NO_CONTEXT;
    c->size = eo__mpi.size;
    c->rank = eo__mpi.rank;
    return c;
  }
  if (comm == MPI_COMM_SELF) {
    if (self_comm.size) return &self_comm;
    self_member = eo__mpi.rank;
    self_comm.object.handle = comm;
    self_comm.context = 1 + (uint32_t)eo__mpi.rank;
    self_comm.size = 1;
    self_comm.members = &self_member;
    return &self_comm;
  }
  return eo__mpi_object_of(EO__MPI_COMM, comm);
}

eo__mpi_comm *eo__mpi_comm_own(MPI_Comm comm) { return (eo__mpi_comm *)(uintptr_t)eo__mpi_comm_of(comm); }

const eo__mpi_comm *eo__mpi_intra_of(MPI_Comm comm) {
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  if (c->remote) eo__mpi_fail("invalid-communicator", "the communicator is an inter-communicator");
  return c;
}

int eo__mpi_rank_in(const eo__mpi_comm *comm, int world_rank) {
  if (!comm->members) return world_rank;
  for (int i = 0; i < comm->size; i++)
    if (comm->members[i] == world_rank) return i;
  return MPI_UNDEFINED;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  eo__mpi_enter("MPI_Comm_rank");
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  if (!rank) eo__mpi_fail("invalid-argument", "rank is NULL");
  *rank = c->rank;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
  eo__mpi_enter("MPI_Comm_size");
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  if (!size) eo__mpi_fail("invalid-argument", "size is NULL");
  *size = c->size;
  return MPI_SUCCESS;
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
  eo__mpi_enter("MPI_Comm_group");
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  if (!group) eo__mpi_fail("invalid-argument", "the address of the group is NULL");
  eo__mpi_group *made = eo__mpi_group_new(c->size);
  for (int i = 0; i < c->size; i++) eo__mpi_group_add(made, eo__mpi_world_rank(c, i));
  *group = made->object.handle;
  return MPI_SUCCESS;
}

/* MPI_CONGRUENT, MPI_SIMILAR or MPI_UNEQUAL. */
static int compare_members(const eo__mpi_comm *x, const eo__mpi_comm *y) {
  bool same = x->size == y->size, similar = same;
  for (int i = 0; i < x->size && similar; i++) {
    same = same && eo__mpi_world_rank(x, i) == eo__mpi_world_rank(y, i);
    similar = eo__mpi_rank_in(y, eo__mpi_world_rank(x, i)) >= 0;
  }
  return same ? MPI_CONGRUENT : similar ? MPI_SIMILAR : MPI_UNEQUAL;
}

int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result) {
  eo__mpi_enter("MPI_Comm_compare");
  const eo__mpi_comm *x = eo__mpi_comm_of(a), *y = eo__mpi_comm_of(b);
  int members = compare_members(x, y), others = compare_members(eo__mpi_others(x), eo__mpi_others(y));
  if (members > others) others = members;
  *result = x->context == y->context ? MPI_IDENT : !x->remote != !y->remote ? MPI_UNEQUAL : others;
  return MPI_SUCCESS;
}

int MPI_Comm_set_name(MPI_Comm comm, const char *name) {
  eo__mpi_enter("MPI_Comm_set_name");
  strncpy(eo__mpi_comm_own(comm)->name, name, MPI_MAX_OBJECT_NAME - 1);
  return MPI_SUCCESS;
}

int MPI_Comm_get_name(MPI_Comm comm, char *name, int *length) {
  eo__mpi_enter("MPI_Comm_get_name");
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  strcpy(name, c->name[0]               ? c->name
               : comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD"
               : comm == MPI_COMM_SELF  ? "MPI_COMM_SELF"
                                        : "");
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

/* ---- New ones ----------------------------------------------------------------------------------------------------------- */

eo__mpi_comm *eo__mpi_comm_new(int size) {
  eo__mpi_comm *made = eo__mpi_object_new(EO__MPI_COMM, sizeof *made + (size_t)size * sizeof(int));
  made->members = made->own_members;
  made->size = size;
  return made;
}

/* `first`: the number for a new communicator of the first member of the old one; each new one takes that of its own first
 * member. */
static void settle(eo__mpi_comm *made, const eo__mpi_comm *old, uint32_t first) {
  made->rank = eo__mpi_rank_in(made, eo__mpi.rank);
  made->context = first + (uint32_t)eo__mpi_rank_in(old, made->members[0]);
}

static void check_new(const void *address) {
  if (!address) eo__mpi_fail("invalid-argument", "the address of the new communicator is NULL");
}

eo__mpi_comm *eo__mpi_comm_copy(const eo__mpi_comm *old) {
  eo__mpi_comm *made = eo__mpi_comm_new(old->size);
  for (int i = 0; i < old->size; i++) made->own_members[i] = eo__mpi_world_rank(old, i);
  made->rank = old->rank;
  return made;
}

static eo__mpi_comm *duplicate(const eo__mpi_comm *old) {
  eo__mpi_comm *made = eo__mpi_comm_copy(old);
  made->grid = old->grid;
  made->graph = old->graph;
  made->remote = old->remote;
  made->handler = old->handler;
  eo__mpi_attributes_copy(old->object.handle, &old->attributes, &made->attributes);
  return made;
}

static const eo__mpi_side nothing = {.type = MPI_BYTE};

static int run_dup(MPI_Comm comm, MPI_Comm *made) {
  const eo__mpi_comm *old = eo__mpi_comm_of(comm);
  uint32_t first;
  check_new(made);
  eo__mpi_call_run(&(eo__mpi_call){
      .what = EO__MPI_COMM_DUP, .comm = comm, .gives = nothing, .takes = nothing, .first_context = &first});
  eo__mpi_comm *copy = duplicate(old);
  copy->context = first;
  *made = copy->object.handle;
  return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
  eo__mpi_enter("MPI_Comm_dup");
  return run_dup(comm, made);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made) {
  eo__mpi_enter("MPI_Comm_dup_with_info");
  if (info != MPI_INFO_NULL) eo__mpi_object_of(EO__MPI_INFO, info);
  return run_dup(comm, made);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request) {
  eo__mpi_enter("MPI_Comm_idup");
  check_new(made);
  eo__mpi_comm *copy = duplicate(eo__mpi_comm_of(comm));
  *made = copy->object.handle;
  *request = eo__mpi_request_handle(eo__mpi_call_begin(&(eo__mpi_call){
      .what = EO__MPI_COMM_DUP, .comm = comm, .gives = nothing, .takes = nothing, .first_context = &copy->context}));
  return MPI_SUCCESS;
}

typedef struct choice {
  int color, key;
} choice;

static void check_one_group(const eo__mpi_comm *comm) {
  if (comm->remote) eo__mpi_fail("not-implemented", "is not implemented for inter-communicators");
}

MPI_Comm eo__mpi_comm_split(eo__mpi_what what, MPI_Comm comm, int color, int key, const eo__mpi_grid *grid) {
  const eo__mpi_comm *old = eo__mpi_comm_of(comm);
  uint32_t first;
  check_one_group(old);
  choice own = {color, key}, *all = eo__mpi_need(calloc((size_t)old->size, sizeof *all));
  eo__mpi_call_run(&(eo__mpi_call){.what = what,
                                   .comm = comm,
                                   .gives = {.buffer = &own, .count = 2, .type = MPI_INT},
                                   .takes = {.buffer = all, .count = 2, .type = MPI_INT},
                                   .first_context = &first});
  MPI_Comm made = MPI_COMM_NULL;
  if (color != MPI_UNDEFINED) {
    eo__mpi_comm *part = eo__mpi_comm_new(old->size);
    part->size = 0;
    for (int i = 0; i < old->size; i++) { /* in the order of their keys, and of their numbers if these are the same */
      if (all[i].color != color) continue;
      int at = part->size++;
      for (; at > 0 && all[part->own_members[at - 1]].key > all[i].key; at--)
        part->own_members[at] = part->own_members[at - 1];
      part->own_members[at] = i;
    }
    for (int i = 0; i < part->size; i++) part->own_members[i] = eo__mpi_world_rank(old, part->own_members[i]);
    settle(part, old, first);
    part->grid = grid;
    made = part->object.handle;
  }
  free(all);
  return made;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  eo__mpi_enter("MPI_Comm_split");
  eo__mpi_comm_of(comm);
  check_new(made);
  if (color < 0 && color != MPI_UNDEFINED) eo__mpi_fail("invalid-argument", "the color is %d", color);
  *made = eo__mpi_comm_split(EO__MPI_COMM_SPLIT, comm, color, key, NULL);
  return MPI_SUCCESS;
}

/* All ranks can share memory. */
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made) {
  eo__mpi_enter("MPI_Comm_split_type");
  (void)info;
  eo__mpi_comm_of(comm);
  check_new(made);
  if (kind != MPI_COMM_TYPE_SHARED && kind != MPI_UNDEFINED) eo__mpi_fail("invalid-argument", "the type is %d", kind);
  *made = eo__mpi_comm_split(EO__MPI_COMM_SPLIT_TYPE, comm, kind == MPI_UNDEFINED ? kind : 0, key, NULL);
  return MPI_SUCCESS;
}

void eo__mpi_check_members(const eo__mpi_comm *comm, const eo__mpi_group *group) {
  for (int i = 0; i < group->size; i++)
    if (eo__mpi_rank_in(comm, group->members[i]) < 0)
      eo__mpi_fail("invalid-group", "rank %d of MPI_COMM_WORLD is in the group, but not in the communicator",
                   group->members[i]);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made) {
  eo__mpi_enter("MPI_Comm_create");
  const eo__mpi_comm *old = eo__mpi_comm_of(comm);
  const eo__mpi_group *of = eo__mpi_group_of(group);
  uint32_t first;
  check_new(made);
  check_one_group(old);
  eo__mpi_check_members(old, of);
  eo__mpi_call_run(&(eo__mpi_call){
      .what = EO__MPI_COMM_CREATE, .comm = comm, .gives = nothing, .takes = nothing, .first_context = &first});
  *made = MPI_COMM_NULL;
  if (eo__mpi_group_find(of, eo__mpi.rank) < 0) return MPI_SUCCESS;
  eo__mpi_comm *part = eo__mpi_comm_new(of->size);
  memcpy(part->own_members, of->members, (size_t)of->size * sizeof(int));
  settle(part, old, first);
  *made = part->object.handle;
  return MPI_SUCCESS;
}

static int free_comm(MPI_Comm *comm) {
  if (!comm) eo__mpi_fail("invalid-communicator", "the address of the communicator is NULL");
  if (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
    eo__mpi_fail("invalid-communicator", "a communicator of MPI cannot be freed");
  eo__mpi_comm *freed = eo__mpi_comm_own(*comm);
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_COMM_FREE, .comm = *comm, .gives = nothing, .takes = nothing});
  eo__mpi_attributes_drop(*comm, &freed->attributes);
  freed->object.freed = true;
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm *comm) {
  eo__mpi_enter("MPI_Comm_free");
  return free_comm(comm);
}

/* What is still under way in it would be an error of MPI_Finalize. */
int MPI_Comm_disconnect(MPI_Comm *comm) {
  eo__mpi_enter("MPI_Comm_disconnect");
  return free_comm(comm);
}

/* No rank was started by another one. */
int MPI_Comm_get_parent(MPI_Comm *parent) {
  eo__mpi_enter("MPI_Comm_get_parent");
  if (!parent) eo__mpi_fail("invalid-argument", "the address of the communicator is NULL");
  *parent = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
