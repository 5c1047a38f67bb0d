/* call.c: see call.h. */
#include "mpi/call.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/access.h"
#include "mpi/operator.h"
#include "mpi/type.h"

/* ---- Sides -------------------------------------------------------------------------------------------------------- */

static int count_at(const eo__mpi_side *side, int i) { return side->counts ? side->counts[i] : side->count; }

static MPI_Datatype type_at(const eo__mpi_side *side, int i) { return side->types ? side->types[i] : side->type; }

static char *place_at(const eo__mpi_side *side, int i) {
  char *at = side->buffer;
  if (side->addresses) return at + side->addresses[i];
  if (side->types) return at + side->displacements[i];
  MPI_Aint extent = eo__mpi_type_extent(side->type);
  if (side->displacements) return at + side->displacements[i] * extent;
  for (int j = 0; j < i; j++) at += count_at(side, j) * extent;
  return at;
}

static void check_side(const eo__mpi_side *side, int parts) {
  for (int i = 0; i < parts; i++) eo__mpi_check_data(side->buffer, count_at(side, i), type_at(side, i));
}

static eo__mpi_side part_of(const eo__mpi_side *side, int i) {
  return (eo__mpi_side){.buffer = place_at(side, i), .count = count_at(side, i), .type = type_at(side, i)};
}

/* ---- What is being done ------------------------------------------------------------------------------------------- */

typedef struct state {
  eo__mpi_call call;
  const eo__mpi_collective *collective;
  int total, split, member; /* as in eo__mpi_meet */
  int size, first;          /* how many others it gives to and takes from, and which member the first of them is */
  bool gives, takes;
  bool near;  /* they are neighbours, listed in the sides */
  bool apart; /* it takes a part of each giver to a place of its own */
  void *kept; /* copies of its arrays, which the program may change */
} state;

/* The places from which it gives, and to which it takes. */
static int gives_of(const state *s) { return s->near ? s->call.gives.peer_count : s->collective->apart ? s->size : 1; }
static int takes_of(const state *s) { return s->near ? s->call.takes.peer_count : s->apart ? s->size : 1; }

/* Neighbours may all be given the same. */
static int give_place(const state *s, int i) { return s->collective->apart ? i : 0; }

static bool is_nobody(const eo__mpi_side *side, int i) { return side->peers && side->peers[i] == MPI_PROC_NULL; }

/* What is given in place of what is taken. */
static void give_in_place(state *s) {
  eo__mpi_call *c = &s->call;
  if (c->gives.buffer != MPI_IN_PLACE || !s->gives) return;
  if (!s->takes || c->what == EO__MPI_SCATTER || c->what == EO__MPI_SCATTERV)
    eo__mpi_fail("invalid-buffer", "MPI_IN_PLACE cannot be the send buffer of this rank");
  if (s->split || s->near) eo__mpi_fail("invalid-buffer", "MPI_IN_PLACE is not for this communicator");
  if (s->collective->reduces)
    c->gives.buffer = c->takes.buffer;
  else
    c->gives = s->collective->apart ? c->takes : part_of(&c->takes, s->member);
}

/* As the number of a member. Between groups, a root calls itself MPI_ROOT, and others of its group do not name it. */
static int root_of(const state *s, int root) {
  if (s->split && root == MPI_ROOT) return s->member;
  if (s->split && root == MPI_PROC_NULL) return -1;
  if (root < 0 || root >= s->size)
    eo__mpi_fail("invalid-root", "the root is %d, in a %s of %d", root, s->split ? "remote group" : "communicator",
                 s->size);
  return s->first + root;
}

static void check_between_groups(const state *s) {
  if (s->collective->from == EO__MPI_OF_EARLIER || s->collective->from == EO__MPI_UP_TO_ITSELF)
    eo__mpi_fail("invalid-communicator", "it is not for inter-communicators");
  if (s->call.what == EO__MPI_REDUCE_SCATTER || s->call.what == EO__MPI_REDUCE_SCATTER_BLOCK)
    eo__mpi_fail("not-implemented", "is not implemented for inter-communicators");
}

static void check_arguments(state *s) {
  eo__mpi_call *c = &s->call;
  if (s->split) check_between_groups(s);
  c->root = eo__mpi_is_rooted(s->collective) ? root_of(s, c->root) : -1;
  s->gives = eo__mpi_gives(s->collective, s->member, c->root, s->split);
  s->takes = eo__mpi_takes(s->collective, s->member, c->root, s->split);
  if (s->takes && (c->what == EO__MPI_SCATTER || c->what == EO__MPI_SCATTERV) && c->takes.buffer == MPI_IN_PLACE) {
    if (!s->gives) eo__mpi_fail("invalid-buffer", "MPI_IN_PLACE is for the root");
    c->takes = part_of(&c->gives, s->member);
  }
  if (c->what == EO__MPI_REDUCE_SCATTER) c->takes.count = c->takes.counts[s->member];
  if (c->what == EO__MPI_REDUCE_SCATTER) c->takes.counts = NULL;
  if (s->takes) check_side(&c->takes, takes_of(s));
  give_in_place(s);
  if (s->gives) check_side(&c->gives, s->collective->apart ? gives_of(s) : 1);
  if (s->collective->reduces && (s->gives || s->takes))
    eo__mpi_check_reduction(c->op, s->gives ? c->gives.type : c->takes.type);
}

/* ---- Handing over ---------------------------------------------------------------------------------------------------- */

static size_t part_size(const eo__mpi_side *side, int i, bool data) {
  const eo__mpi_run *runs;
  eo__mpi_run signature = eo__mpi_signature(count_at(side, i), type_at(side, i), &runs);
  size_t size = data ? eo__mpi_even(eo__mpi_packed_size(count_at(side, i), type_at(side, i))) : 0;
  return sizeof(eo__mpi_part) + (size_t)signature.more * sizeof *runs + size;
}

static char *put_part(char *at, const eo__mpi_side *side, int i, int peer, bool data) {
  const eo__mpi_run *runs;
  eo__mpi_part *part = (void *)at;
  part->signature = eo__mpi_signature(count_at(side, i), type_at(side, i), &runs);
  part->size = eo__mpi_packed_size(count_at(side, i), type_at(side, i));
  part->bytes = part_size(side, i, data);
  part->peer = peer;
  size_t more = (size_t)part->signature.more * sizeof *runs;
  if (more) memcpy(part + 1, runs, more);
  if (data && part->size)
    eo__mpi_pack((char *)(part + 1) + more, place_at(side, i), count_at(side, i), type_at(side, i));
  return at + part->bytes;
}

static int peer_at(const eo__mpi_side *side, int i) { return side->peers ? side->peers[i] : 0; }

static void post(const state *s, const eo__mpi_request *request, uint32_t context, bool blocking) {
  const eo__mpi_call *c = &s->call;
  int gives = s->gives ? gives_of(s) : 0, takes = s->takes ? takes_of(s) : 0;
  eo__mpi_meet head = {.what = (int32_t)c->what,
                       .member = s->member,
                       .size = s->total,
                       .split = s->split,
                       .root = c->root,
                       .operator_ = s->collective->reduces && (s->gives || s->takes) ? (int32_t)c->op : 0};
  size_t size = sizeof head;
  for (int i = 0; i < gives; i++) {
    if (is_nobody(&c->gives, i)) continue;
    size += part_size(&c->gives, give_place(s, i), true);
    head.gives++;
  }
  for (int i = 0; i < takes; i++) {
    if (is_nobody(&c->takes, i)) continue;
    size += part_size(&c->takes, i, false);
    head.expects++;
  }
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_MEET, request->number, 0, MPI_BYTE, size);
  post->context = context;
  post->blocking = blocking;
  eo__mpi_meet *meet = (void *)(uintptr_t)eo__mpi_payload(post);
  *meet = head;
  char *at = (char *)(meet + 1);
  for (int n = 0; n < gives; n++) {
    int i = c->gives.turned ? n ^ 1 : n;
    if (!is_nobody(&c->gives, i)) at = put_part(at, &c->gives, give_place(s, i), peer_at(&c->gives, i), true);
  }
  for (int i = 0; i < takes; i++)
    if (!is_nobody(&c->takes, i)) at = put_part(at, &c->takes, i, peer_at(&c->takes, i), false);
}

/* ---- Taking over ----------------------------------------------------------------------------------------------------- */

/* What the next giver gave. */
static const char *next_part(const char **at, size_t *size) {
  uint64_t bytes;
  memcpy(&bytes, *at, sizeof bytes);
  const char *data = *at + sizeof bytes;
  *at = data + eo__mpi_even((size_t)bytes);
  *size = (size_t)bytes;
  return data;
}

/* Does this one of the others give to it? */
static bool comes_from(const state *s, int i) {
  if (s->near) return !is_nobody(&s->call.takes, i);
  return eo__mpi_takes_from(s->collective, s->member, s->first + i, s->call.root, s->split);
}

static void take_apart(const state *s, const char *at) {
  size_t size;
  for (int giver = 0; giver < (s->near ? takes_of(s) : s->size); giver++) {
    if (!comes_from(s, giver)) continue;
    const char *data = next_part(&at, &size);
    int i = s->apart ? giver : 0;
    if (size) eo__mpi_unpack(place_at(&s->call.takes, i), data, size, type_at(&s->call.takes, i));
  }
}

/* Puts them together in the order of the members, in items with their true layout. */
static void take_together(const state *s, const char *at) {
  const eo__mpi_side *to = &s->call.takes;
  const eo__mpi_type *type = eo__mpi_type_used(to->type);
  int count = to->count;
  size_t size,
      room = (size_t)(count ? count : 1) * (size_t)eo__mpi_extent(type) + (size_t)(type->true_ub - type->true_lb);
  char *memory[2] = {eo__mpi_need(calloc(1, room + 64)), eo__mpi_need(calloc(1, room + 64))};
  char *sum = memory[0] - type->true_lb, *next = memory[1] - type->true_lb;
  bool any = false;
  for (int giver = 0; giver < s->size && count > 0; giver++) {
    if (!comes_from(s, giver)) continue;
    const char *data = next_part(&at, &size);
    eo__mpi_unpack(any ? next : sum, data, size, to->type);
    if (any) {
      eo__mpi_operate(s->call.op, sum, next, count, to->type);
      char *swap = sum;
      sum = next;
      next = swap;
    }
    any = true;
  }
  if (any) {
    char *packed = eo__mpi_need(malloc(eo__mpi_packed_size(count, to->type) + 1));
    eo__mpi_pack(packed, sum, count, to->type);
    eo__mpi_unpack(to->buffer, packed, eo__mpi_packed_size(count, to->type), to->type);
    free(packed);
  }
  free(memory[0]);
  free(memory[1]);
}

static void finish(eo__mpi_request *request, MPI_Status *status) {
  state *s = request->more;
  const char *at = (const char *)(request->result + 1);
  if (s->call.first_context) *s->call.first_context = (uint32_t)request->result->tag;
  if (s->takes && s->collective->reduces)
    take_together(s, at);
  else if (s->takes)
    take_apart(s, at);
  free(s->kept);
  eo__mpi_status_empty(status);
}

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

/* A nonblocking call reads its arrays when it ends: they are the program's until then, so copies are kept. */
static void keep_arrays(state *s) {
  eo__mpi_side *to = &s->call.takes;
  const int **arrays[] = {&to->counts, &to->displacements, &to->types, &to->peers};
  size_t size = (size_t)takes_of(s), words = sizeof arrays / sizeof *arrays * size;
  if (!s->apart || !s->takes) return;
  char *kept = s->kept = eo__mpi_need(malloc(size * sizeof *to->addresses + words * sizeof(int)));
  if (to->addresses) to->addresses = memcpy(kept, to->addresses, size * sizeof *to->addresses);
  kept += size * sizeof *to->addresses;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, kept += size * sizeof(int))
    if (*arrays[i]) *arrays[i] = memcpy(kept, *arrays[i], size * sizeof(int));
}

/* What is given and what is taken must not overlap; with MPI_IN_PLACE nothing is given from elsewhere. */
static void check_overlap(const state *s, const eo__mpi_call *call) {
  const eo__mpi_side *gives = &s->call.gives, *takes = &s->call.takes;
  if (!s->gives || !s->takes || call->gives.buffer == MPI_IN_PLACE || call->takes.buffer == MPI_IN_PLACE) return;
  for (int i = 0; i < (s->collective->apart ? gives_of(s) : 1); i++)
    for (int j = 0; j < takes_of(s); j++)
      if (eo__mpi_overlap(place_at(gives, i), count_at(gives, i), type_at(gives, i), place_at(takes, j),
                          count_at(takes, j), type_at(takes, j)))
        eo__mpi_fail("invalid-buffer", "the send buffer and the receive buffer overlap");
}

/* Its buffers are MPI's until it is done. */
static void guard(const state *s, const eo__mpi_request *request, bool blocking) {
  const eo__mpi_side *gives = &s->call.gives, *takes = &s->call.takes;
  int from = !s->gives ? 0 : s->collective->apart ? gives_of(s) : 1, to = s->takes ? takes_of(s) : 0;
  for (int i = 0; i < from; i++) eo__mpi_touch(place_at(gives, i), count_at(gives, i), type_at(gives, i), false);
  for (int i = 0; i < to; i++) eo__mpi_touch(place_at(takes, i), count_at(takes, i), type_at(takes, i), true);
  if (blocking) return;
  for (int i = 0; i < from; i++)
    eo__mpi_guard(request, place_at(gives, i), count_at(gives, i), type_at(gives, i), false);
  for (int i = 0; i < to; i++) eo__mpi_guard(request, place_at(takes, i), count_at(takes, i), type_at(takes, i), true);
}

static void place_members(state *s, const eo__mpi_comm *comm) {
  const eo__mpi_comm *others = eo__mpi_others(comm);
  s->size = others->size;
  s->total = comm->size;
  s->member = comm->rank;
  if (others == comm) return;
  bool first = eo__mpi_world_rank(comm, 0) < eo__mpi_world_rank(others, 0);
  s->split = first ? comm->size : others->size;
  s->total = comm->size + others->size;
  s->first = first ? comm->size : 0;
  if (!first) s->member += others->size;
}

static eo__mpi_request *begin(const eo__mpi_call *call, bool blocking) {
  const eo__mpi_comm *comm = eo__mpi_comm_of(call->comm);
  eo__mpi_request *request = eo__mpi_request_new();
  state *s = eo__mpi_need(calloc(1, sizeof *s));
  request->more = s;
  request->finish = finish;
  request->comm = comm;
  s->call = *call;
  s->collective = &eo__mpi_collectives[call->what];
  s->near = s->collective->from == EO__MPI_OF_NEIGHBOURS;
  s->apart = s->collective->givers == EO__MPI_ALL && !s->collective->reduces;
  place_members(s, comm);
  check_arguments(s);
  check_overlap(s, call);
  guard(s, request, blocking);
  post(s, request, call->context ? call->context : comm->context, blocking);
  keep_arrays(s);
  return request;
}

eo__mpi_request *eo__mpi_call_begin(const eo__mpi_call *call) { return begin(call, false); }

void eo__mpi_call_run(const eo__mpi_call *call) {
  eo__mpi_request *request = begin(call, true);
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_complete(request, NULL);
}
