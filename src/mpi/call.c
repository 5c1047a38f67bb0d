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
  int size, member;
  bool gives, takes;
  bool apart; /* it takes a part of each giver to a place of its own */
  int *kept;  /* copies of its arrays, which the program may change */
} state;

/* What is given in place of what is taken. */
static void give_in_place(state *s) {
  eo__mpi_call *c = &s->call;
  if (c->gives.buffer != MPI_IN_PLACE || !s->gives) return;
  if (!s->takes || c->what == EO__MPI_SCATTER || c->what == EO__MPI_SCATTERV || c->what == EO__MPI_EXSCAN)
    eo__mpi_fail("invalid-buffer", "MPI_IN_PLACE is not for what this rank gives");
  if (s->collective->reduces)
    c->gives.buffer = c->takes.buffer;
  else
    c->gives = s->collective->apart ? c->takes : part_of(&c->takes, s->member);
}

static void check_arguments(state *s) {
  eo__mpi_call *c = &s->call;
  bool rooted = s->collective->givers == EO__MPI_THE_ROOT || s->collective->takers == EO__MPI_THE_ROOT;
  if (rooted && (c->root < 0 || c->root >= s->size))
    eo__mpi_fail("invalid-root", "the root is %d, in a communicator of %d", c->root, s->size);
  if (!rooted) c->root = -1;
  s->gives = eo__mpi_is_one((eo__mpi_who)s->collective->givers, s->member, c->root);
  s->takes = eo__mpi_is_one((eo__mpi_who)s->collective->takers, s->member, c->root);
  if (s->takes && (c->what == EO__MPI_SCATTER || c->what == EO__MPI_SCATTERV) && c->takes.buffer == MPI_IN_PLACE) {
    if (!s->gives) eo__mpi_fail("invalid-buffer", "MPI_IN_PLACE is for the root");
    c->takes = part_of(&c->gives, s->member);
  }
  if (c->what == EO__MPI_REDUCE_SCATTER) c->takes.count = c->takes.counts[s->member];
  if (c->what == EO__MPI_REDUCE_SCATTER) c->takes.counts = NULL;
  if (s->takes) check_side(&c->takes, s->apart ? s->size : 1);
  give_in_place(s);
  if (s->gives) check_side(&c->gives, s->collective->apart ? s->size : 1);
  if (s->collective->reduces) eo__mpi_check_reduction(c->op, c->gives.type);
}

/* ---- Handing over ---------------------------------------------------------------------------------------------------- */

static size_t part_size(const eo__mpi_side *side, int i, bool data) {
  const eo__mpi_run *runs;
  eo__mpi_run signature = eo__mpi_signature(count_at(side, i), type_at(side, i), &runs);
  size_t size = data ? eo__mpi_even(eo__mpi_packed_size(count_at(side, i), type_at(side, i))) : 0;
  return sizeof(eo__mpi_part) + (size_t)signature.more * sizeof *runs + size;
}

static char *put_part(char *at, const eo__mpi_side *side, int i, bool data) {
  const eo__mpi_run *runs;
  eo__mpi_part *part = (void *)at;
  part->signature = eo__mpi_signature(count_at(side, i), type_at(side, i), &runs);
  part->size = eo__mpi_packed_size(count_at(side, i), type_at(side, i));
  part->bytes = part_size(side, i, data);
  size_t more = (size_t)part->signature.more * sizeof *runs;
  if (more) memcpy(part + 1, runs, more);
  if (data && part->size)
    eo__mpi_pack((char *)(part + 1) + more, place_at(side, i), count_at(side, i), type_at(side, i));
  return at + part->bytes;
}

static void post(const state *s, const eo__mpi_request *request, uint32_t context, bool blocking) {
  const eo__mpi_call *c = &s->call;
  int gives = !s->gives ? 0 : s->collective->apart ? s->size : 1, takes = !s->takes ? 0 : s->apart ? s->size : 1;
  size_t size = sizeof(eo__mpi_meet);
  for (int i = 0; i < gives; i++) size += part_size(&c->gives, i, true);
  for (int i = 0; i < takes; i++) size += part_size(&c->takes, i, false);
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_MEET, request->number, 0, MPI_BYTE, size);
  post->context = context;
  post->blocking = blocking;
  eo__mpi_meet *meet = (void *)(uintptr_t)eo__mpi_payload(post);
  *meet = (eo__mpi_meet){.what = (int32_t)c->what,
                         .member = s->member,
                         .size = s->size,
                         .root = c->root,
                         .operator_ = s->collective->reduces ? (int32_t)c->op : 0,
                         .gives = (uint32_t)gives,
                         .expects = (uint32_t)takes};
  char *at = (char *)(meet + 1);
  for (int i = 0; i < gives; i++) at = put_part(at, &c->gives, i, true);
  for (int i = 0; i < takes; i++) at = put_part(at, &c->takes, i, false);
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

static void take_apart(const state *s, const char *at) {
  size_t size;
  for (int giver = 0; giver < s->size; giver++) {
    if (!eo__mpi_takes_from(s->collective, s->member, giver, s->call.root)) continue;
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
    if (!eo__mpi_takes_from(s->collective, s->member, giver, s->call.root)) continue;
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

/* A nonblocking call reads its arrays of counts when it ends: they are the program's until then, so copies are kept. */
static void keep_arrays(state *s) {
  eo__mpi_side *to = &s->call.takes;
  const int **arrays[] = {&to->counts, &to->displacements, &to->types};
  size_t size = (size_t)s->size;
  s->kept = eo__mpi_need(malloc(3 * size * sizeof(int)));
  for (int i = 0; i < 3; i++) {
    if (!*arrays[i] || !s->apart) continue;
    memcpy(s->kept + (size_t)i * size, *arrays[i], size * sizeof(int));
    *arrays[i] = s->kept + (size_t)i * size;
  }
}

/* What is given and what is taken must not overlap; with MPI_IN_PLACE nothing is given from elsewhere. */
static void check_overlap(const state *s, const eo__mpi_call *call) {
  const eo__mpi_side *gives = &s->call.gives, *takes = &s->call.takes;
  if (!s->gives || !s->takes || call->gives.buffer == MPI_IN_PLACE || call->takes.buffer == MPI_IN_PLACE) return;
  for (int i = 0; i < (s->collective->apart ? s->size : 1); i++)
    for (int j = 0; j < (s->apart ? s->size : 1); j++)
      if (eo__mpi_overlap(place_at(gives, i), count_at(gives, i), type_at(gives, i), place_at(takes, j),
                          count_at(takes, j), type_at(takes, j)))
        eo__mpi_fail("invalid-buffer", "what is given and what is taken overlap");
}

/* Its buffers are MPI's until it is done. */
static void guard(const state *s, const eo__mpi_request *request, bool blocking) {
  const eo__mpi_side *gives = &s->call.gives, *takes = &s->call.takes;
  for (int i = 0; s->gives && i < (s->collective->apart ? s->size : 1); i++)
    eo__mpi_touch(place_at(gives, i), count_at(gives, i), type_at(gives, i), false);
  for (int i = 0; s->takes && i < (s->apart ? s->size : 1); i++)
    eo__mpi_touch(place_at(takes, i), count_at(takes, i), type_at(takes, i), true);
  if (blocking) return;
  for (int i = 0; s->gives && i < (s->collective->apart ? s->size : 1); i++)
    eo__mpi_guard(request, place_at(gives, i), count_at(gives, i), type_at(gives, i), false);
  for (int i = 0; s->takes && i < (s->apart ? s->size : 1); i++)
    eo__mpi_guard(request, place_at(takes, i), count_at(takes, i), type_at(takes, i), true);
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
  s->size = comm->size;
  s->member = comm->rank;
  s->apart = s->collective->givers == EO__MPI_ALL && !s->collective->reduces;
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
