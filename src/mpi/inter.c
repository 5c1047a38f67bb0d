/* inter.c: inter-communicators, and communicators that only their own members make: leaders tell each other by messages. */
#include <stdlib.h>
#include <string.h>

#include "mpi/call.h"
#include "mpi/comms.h"
#include "mpi/group.h"
#include "mpi/point.h"

static const eo__mpi_side nothing = {.type = MPI_BYTE};

/* A number for a new communicator. */
static uint32_t new_context(void) {
  uint32_t first;
  eo__mpi_call_run(&(eo__mpi_call){
      .what = EO__MPI_COMM_DUP, .comm = MPI_COMM_SELF, .gives = nothing, .takes = nothing, .first_context = &first});
  return first;
}

eo__mpi_comm *eo__mpi_remote_new(int size) {
  eo__mpi_comm *remote = eo__mpi_need(calloc(1, sizeof *remote + (size_t)size * sizeof(int)));
  remote->members = remote->own_members;
  remote->size = size;
  remote->rank = MPI_UNDEFINED;
  return remote;
}

/* What leaders tell: the number for the new communicator, how many they are, and their ranks in MPI_COMM_WORLD. */
enum { CONTEXT, COUNT, HEAD };

static int *card_of(const eo__mpi_comm *comm, uint32_t context) {
  int *card = eo__mpi_need(calloc(HEAD + (size_t)eo__mpi.size, sizeof *card));
  card[CONTEXT] = (int)context;
  card[COUNT] = comm->size;
  for (int i = 0; i < comm->size; i++) card[HEAD + i] = eo__mpi_world_rank(comm, i);
  return card;
}

static void check_disjoint(const eo__mpi_comm *comm, const int *card) {
  for (int i = 0; i < card[COUNT]; i++)
    if (eo__mpi_rank_in(comm, card[HEAD + i]) >= 0)
      eo__mpi_fail("invalid-communicator", "rank %d of MPI_COMM_WORLD is in both groups", card[HEAD + i]);
}

/* Between leaders: each gets the other's card. The number is that of the lower one. */
static int *exchange_cards(const eo__mpi_comm *local, MPI_Comm peer, int remote_leader, int tag) {
  const eo__mpi_comm *peers = eo__mpi_others(eo__mpi_comm_of(peer));
  eo__mpi_check_tag(tag, false);
  if (remote_leader < 0 || remote_leader >= peers->size)
    eo__mpi_fail("invalid-rank", "there is no rank %d in a communicator of %d", remote_leader, peers->size);
  int other = eo__mpi_world_rank(peers, remote_leader);
  if (other == eo__mpi.rank) eo__mpi_fail("invalid-rank", "the remote leader is the local one");
  int *own = card_of(local, new_context()), *card = card_of(local, 0);
  eo__mpi_tell_rank(peers->context, other, tag, own, HEAD + own[COUNT]);
  eo__mpi_hear_rank(peers->context, other, tag, card, HEAD + eo__mpi.size);
  if (eo__mpi.rank < other) card[CONTEXT] = own[CONTEXT];
  free(own);
  return card;
}

int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm *made) {
  eo__mpi_enter("MPI_Intercomm_create");
  const eo__mpi_comm *local = eo__mpi_intra_of(comm);
  if (!made) eo__mpi_fail("invalid-argument", "the address of the new communicator is NULL");
  if (leader < 0 || leader >= local->size)
    eo__mpi_fail("invalid-rank", "there is no rank %d in a communicator of %d", leader, local->size);
  eo__mpi_call_run(&(eo__mpi_call){/* they agree who the leader is, before he waits for the other one */
                                   .what = EO__MPI_INTERCOMM_CREATE,
                                   .comm = comm,
                                   .root = leader,
                                   .gives = nothing,
                                   .takes = nothing});
  int *card = local->rank == leader ? exchange_cards(local, peer, remote_leader, tag) : card_of(local, 0);
  eo__mpi_side words = {.buffer = card, .count = HEAD + eo__mpi.size, .type = MPI_INT};
  eo__mpi_call_run(
      &(eo__mpi_call){.what = EO__MPI_INTERCOMM_CREATE, .comm = comm, .root = leader, .gives = words, .takes = words});
  check_disjoint(local, card);
  eo__mpi_comm *inter = eo__mpi_comm_copy(local);
  inter->context = (uint32_t)card[CONTEXT];
  inter->remote = eo__mpi_remote_new(card[COUNT]);
  memcpy(inter->remote->own_members, card + HEAD, (size_t)card[COUNT] * sizeof *card);
  *made = inter->object.handle;
  free(card);
  return MPI_SUCCESS;
}

static const eo__mpi_comm *inter_of(MPI_Comm comm) {
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  if (!c->remote) eo__mpi_fail("invalid-communicator", "the communicator is no inter-communicator");
  return c;
}

/* Does the other group say the same? What they say; each of them must. */
static int high_of(const eo__mpi_comm *remote, const int *all) {
  for (int i = 1; i < remote->size; i++)
    if (all[i] != all[0]) eo__mpi_fail("invalid-argument", "ranks %d and %d of the remote group differ in high", 0, i);
  return all[0];
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made) {
  eo__mpi_enter("MPI_Intercomm_merge");
  const eo__mpi_comm *inter = inter_of(comm), *remote = inter->remote;
  uint32_t context;
  if (!made) eo__mpi_fail("invalid-argument", "the address of the new communicator is NULL");
  int own = high != 0, *all = eo__mpi_need(calloc((size_t)remote->size, sizeof *all));
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_INTERCOMM_MERGE,
                                   .comm = comm,
                                   .gives = {.buffer = &own, .count = 1, .type = MPI_INT},
                                   .takes = {.buffer = all, .count = 1, .type = MPI_INT},
                                   .first_context = &context});
  int theirs = high_of(remote, all);
  bool first = own != theirs ? !own : eo__mpi_world_rank(inter, 0) < eo__mpi_world_rank(remote, 0);
  const eo__mpi_comm *parts[] = {first ? inter : remote, first ? remote : inter};
  eo__mpi_comm *both = eo__mpi_comm_new(inter->size + remote->size);
  for (int i = 0, at = 0; i < 2; i++)
    for (int j = 0; j < parts[i]->size; j++) both->own_members[at++] = eo__mpi_world_rank(parts[i], j);
  both->rank = eo__mpi_rank_in(both, eo__mpi.rank);
  both->context = context;
  *made = both->object.handle;
  free(all);
  return MPI_SUCCESS;
}

int MPI_Comm_test_inter(MPI_Comm comm, int *flag) {
  eo__mpi_enter("MPI_Comm_test_inter");
  *flag = eo__mpi_comm_of(comm)->remote != NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_remote_size(MPI_Comm comm, int *size) {
  eo__mpi_enter("MPI_Comm_remote_size");
  if (!size) eo__mpi_fail("invalid-argument", "size is NULL");
  *size = inter_of(comm)->remote->size;
  return MPI_SUCCESS;
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group) {
  eo__mpi_enter("MPI_Comm_remote_group");
  const eo__mpi_comm *remote = inter_of(comm)->remote;
  if (!group) eo__mpi_fail("invalid-argument", "the address of the group is NULL");
  eo__mpi_group *made = eo__mpi_group_new(remote->size);
  for (int i = 0; i < remote->size; i++) eo__mpi_group_add(made, eo__mpi_world_rank(remote, i));
  *group = made->object.handle;
  return MPI_SUCCESS;
}

/* ---- Of a group, by its members alone ---------------------------------------------------------------------------------- */

/* The first member hears of all that they make the same one, and tells them its number. */
static uint32_t gather_members(const eo__mpi_group *of, uint32_t context, int tag) {
  uint32_t number = new_context();
  int *theirs = eo__mpi_need(calloc((size_t)eo__mpi.size + 1, sizeof *theirs));
  for (int i = 1; i < of->size; i++) {
    eo__mpi_hear_rank(context, of->members[i], tag, theirs, eo__mpi.size + 1);
    if (theirs[0] != of->size || memcmp(theirs + 1, of->members, (size_t)of->size * sizeof *theirs) != 0)
      eo__mpi_fail("invalid-group", "rank %d of MPI_COMM_WORLD gives another group", of->members[i]);
  }
  for (int i = 1; i < of->size; i++) eo__mpi_tell_rank(context, of->members[i], tag, (const int *)&number, 1);
  free(theirs);
  return number;
}

static uint32_t ask_first(const eo__mpi_group *of, uint32_t context, int tag) {
  int number, *own = eo__mpi_need(calloc((size_t)of->size + 1, sizeof *own));
  own[0] = of->size;
  memcpy(own + 1, of->members, (size_t)of->size * sizeof *own);
  eo__mpi_tell_rank(context, of->members[0], tag, own, of->size + 1);
  eo__mpi_hear_rank(context, of->members[0], tag, &number, 1);
  free(own);
  return (uint32_t)number;
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
  eo__mpi_enter("MPI_Comm_create_group");
  const eo__mpi_comm *old = eo__mpi_intra_of(comm);
  const eo__mpi_group *of = eo__mpi_group_of(group);
  if (!made) eo__mpi_fail("invalid-argument", "the address of the new communicator is NULL");
  eo__mpi_check_tag(tag, false);
  eo__mpi_check_members(old, of);
  *made = MPI_COMM_NULL;
  if (eo__mpi_group_find(of, eo__mpi.rank) < 0) return MPI_SUCCESS;
  uint32_t number =
      of->members[0] == eo__mpi.rank ? gather_members(of, old->context, tag) : ask_first(of, old->context, tag);
  eo__mpi_comm *part = eo__mpi_comm_new(of->size);
  memcpy(part->own_members, of->members, (size_t)of->size * sizeof(int));
  part->rank = eo__mpi_rank_in(part, eo__mpi.rank);
  part->context = number;
  *made = part->object.handle;
  return MPI_SUCCESS;
}
