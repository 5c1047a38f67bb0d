/* operation.c: reading and writing memory of other ranks. */
#include <stdlib.h>
#include <string.h>

#include "mpi/access.h"
#include "mpi/operator.h"
#include "mpi/signature.h"
#include "mpi/type.h"
#include "mpi/window.h"

/* ---- Asking for them --------------------------------------------------------------------------------------------------------- */

typedef struct items {
  void *buffer;
  int count;
  MPI_Datatype type;
} items;

typedef struct transfer {
  eo__mpi_rma_kind kind;
  items origin, result, expected; /* what is given, what comes back */
  int target;
  MPI_Aint at;
  int count; /* there */
  MPI_Datatype type;
  MPI_Op op;
  MPI_Win win;
} transfer;

static void check_epoch(const eo__mpi_window *w, int target) {
  if (w->locked_all || w->locked[target] || w->fenced) return;
  if (w->started && eo__mpi_group_find(w->started, eo__mpi_world_rank(w->comm, target)) >= 0) return;
  eo__mpi_fail("missing-epoch", "no epoch is open in which rank %d may be accessed", target);
}

static void check_items(const items *i) {
  if (i->type == MPI_DATATYPE_NULL && !i->buffer && i->count == 0) return;
  eo__mpi_check_data(i->buffer, i->count, i->type);
}

static void check(const transfer *t, const eo__mpi_window *w) {
  const items *given = t->kind == EO__MPI_GET ? &t->result : &t->origin;
  check_items(given);
  if (t->kind == EO__MPI_FETCH || t->kind == EO__MPI_COMPARE) check_items(&t->result);
  eo__mpi_check_type(t->type);
  if (t->count < 0) eo__mpi_fail("invalid-count", "the count is %d", t->count);
  if (t->target != MPI_PROC_NULL && (t->target < 0 || t->target >= w->comm->size))
    eo__mpi_fail("invalid-rank", "there is no rank %d in a window of %d", t->target, w->comm->size);
  if (t->kind == EO__MPI_ACCUMULATE || (t->kind == EO__MPI_FETCH && t->op != MPI_NO_OP)) {
    if (t->op < MPI_MAX || t->op > MPI_NO_OP) eo__mpi_fail("invalid-operator", "it takes operators of MPI only");
    const eo__mpi_type *type = eo__mpi_type_of(t->type);
    if (t->op == MPI_MINLOC || t->op == MPI_MAXLOC)
      eo__mpi_fail("not-implemented", "MPI_MINLOC and MPI_MAXLOC are not implemented for windows");
    for (size_t i = 0; i < type->segment_count; i++) eo__mpi_check_operator(t->op, type->segments[i].basic);
  }
}

/* Both sides must say the same of the items, and they must lie in the window. */
static void check_fit(const transfer *t, const eo__mpi_window *w) {
  const eo__mpi_window_part *part = &w->parts[t->target];
  const eo__mpi_type *type = eo__mpi_type_of(t->type);
  const items *given = t->kind == EO__MPI_GET ? &t->result : &t->origin;
  const eo__mpi_run *a, *b;
  MPI_Aint low = t->at * part->unit + type->true_lb;
  MPI_Aint high = t->at * part->unit + (t->count - 1) * eo__mpi_extent(type) + type->true_ub;
  if (t->count > 0 && !w->dynamic && (t->at < 0 || low < 0 || high > part->size))
    eo__mpi_fail("invalid-argument", "bytes %ld to %ld are not in the window of rank %d, which has %ld", (long)low,
                 (long)high, t->target, (long)part->size);
  if (t->kind == EO__MPI_FETCH && t->op == MPI_NO_OP) given = &t->result;
  eo__mpi_run x = eo__mpi_signature(given->count, given->type, &a), y = eo__mpi_signature(t->count, t->type, &b);
  eo__mpi_fit fit = eo__mpi_signature_fits(&x, a, &y, b);
  if (fit == EO__MPI_OTHER) eo__mpi_fail("type-mismatch", "the types of origin and target are different");
  if (fit != EO__MPI_FITS) eo__mpi_fail("count-mismatch", "the counts of origin and target are different");
}

/* Items that follow each other are one place. */
static bool is_dense(const eo__mpi_type *type) {
  return type->segment_count == 1 && type->segments->offset == 0 && (MPI_Aint)type->size == eo__mpi_extent(type);
}

static size_t count_places(const transfer *t) {
  const eo__mpi_type *type = eo__mpi_type_of(t->type);
  if (t->count == 0) return 0;
  return is_dense(type) ? 1 : (size_t)t->count * type->segment_count;
}

static void put_places(const transfer *t, const eo__mpi_window *w, eo__mpi_rma_place *out) {
  const eo__mpi_type *type = eo__mpi_type_of(t->type);
  const eo__mpi_window_part *part = &w->parts[t->target];
  char *base =
      (char *)(w->dynamic ? t->at : part->base + t->at * part->unit); /* an address there, not of this rank's */
  bool dense = is_dense(type);
  for (int i = 0; i < (dense && t->count ? 1 : t->count); i++)
    for (size_t j = 0; j < type->segment_count; j++) {
      const eo__mpi_segment *segment = &type->segments[j];
      *out++ = (eo__mpi_rma_place){base + i * eo__mpi_extent(type) + segment->offset,
                                   dense ? segment->count * t->count : segment->count, segment->basic};
    }
}

/* Its own memory is MPI's until it is done. */
static void guard(const eo__mpi_request *request, const items *i, bool writes) {
  if (!i->buffer || i->count <= 0) return;
  eo__mpi_touch(i->buffer, i->count, i->type, writes);
  eo__mpi_window_log(i->buffer, i->count, i->type, writes, request->number);
  eo__mpi_guard(request, i->buffer, i->count, i->type, writes);
}

static void post(const transfer *t, const eo__mpi_window *w, uint32_t request) {
  size_t places = count_places(t), size = (size_t)t->count * eo__mpi_type_size(t->type);
  size_t given = t->kind == EO__MPI_GET ? 0 : size, expected = t->kind == EO__MPI_COMPARE ? size : 0;
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_RMA, request, 0, MPI_BYTE,
                                        sizeof(eo__mpi_rma) + places * sizeof(eo__mpi_rma_place) + given + expected);
  eo__mpi_rma *rma = (void *)(uintptr_t)eo__mpi_payload(post);
  *rma = (eo__mpi_rma){.window = w->number,
                       .target = eo__mpi_world_rank(w->comm, t->target),
                       .kind = (uint8_t)t->kind,
                       .op = t->op,
                       .places = (uint32_t)places,
                       .low = (const char *)w->parts[t->target].base,
                       .high = (const char *)w->parts[t->target].base + w->parts[t->target].size,
                       .size = size};
  put_places(t, w, (eo__mpi_rma_place *)(uintptr_t)eo__mpi_rma_places(rma));
  char *data = (char *)(uintptr_t)eo__mpi_rma_data(rma);
  if (given && t->origin.buffer) eo__mpi_pack(data, t->origin.buffer, t->origin.count, t->origin.type);
  if (expected) eo__mpi_pack(data + given, t->expected.buffer, t->expected.count, t->expected.type);
}

/* NULL: of nobody. */
static eo__mpi_request *begin(const transfer *t) {
  eo__mpi_window *w = eo__mpi_window_of(t->win);
  check(t, w);
  if (t->target == MPI_PROC_NULL) return NULL;
  check_epoch(w, t->target);
  check_fit(t, w);
  eo__mpi_request *request = eo__mpi_request_new();
  guard(request, &t->origin, false);
  guard(request, &t->expected, false);
  guard(request, &t->result, true);
  post(t, w, request->number);
  request->buffer = t->result.buffer;
  request->type = t->result.buffer ? t->result.type : MPI_BYTE;
  request->comm = w->comm;
  eo__mpi_operation *o = eo__mpi_need(malloc(sizeof *o));
  bool ordered =
      t->kind == EO__MPI_FETCH || t->kind == EO__MPI_COMPARE || (t->kind == EO__MPI_ACCUMULATE && t->op == MPI_REPLACE);
  *o = (eo__mpi_operation){w->operations, request->number, t->target, ordered};
  w->operations = o;
  return request;
}

static int run(const transfer *t) {
  begin(t);
  return MPI_SUCCESS;
}

/* With a request, by which the program can wait for it. */
static int start(const transfer *t, MPI_Request *handle) {
  const eo__mpi_window *w = eo__mpi_window_of(t->win);
  if (!handle) eo__mpi_fail("invalid-request", "the address of the request is NULL");
  if (!w->locked_all && t->target >= 0 && t->target < w->comm->size && !w->locked[t->target])
    eo__mpi_fail("missing-epoch", "operations with requests are for windows that are locked");
  *handle = eo__mpi_request_handle(begin(t));
  return MPI_SUCCESS;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------------------ */

#define ORIGIN \
  { (void *)(uintptr_t)origin, count, type }
#define THERE .target = target, .at = at, .count = target_count, .type = target_type, .win = win

int MPI_Put(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
            MPI_Datatype target_type, MPI_Win win) {
  eo__mpi_enter("MPI_Put");
  return run(&(transfer){.kind = EO__MPI_PUT, .origin = ORIGIN, .op = MPI_REPLACE, THERE});
}

int MPI_Rput(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Win win, MPI_Request *request) {
  eo__mpi_enter("MPI_Rput");
  return start(&(transfer){.kind = EO__MPI_PUT, .origin = ORIGIN, .op = MPI_REPLACE, THERE}, request);
}

int MPI_Get(void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
            MPI_Datatype target_type, MPI_Win win) {
  eo__mpi_enter("MPI_Get");
  return run(&(transfer){.kind = EO__MPI_GET, .result = ORIGIN, .op = MPI_NO_OP, THERE});
}

int MPI_Rget(void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Win win, MPI_Request *request) {
  eo__mpi_enter("MPI_Rget");
  return start(&(transfer){.kind = EO__MPI_GET, .result = ORIGIN, .op = MPI_NO_OP, THERE}, request);
}

int MPI_Accumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                   MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
  eo__mpi_enter("MPI_Accumulate");
  return run(&(transfer){.kind = EO__MPI_ACCUMULATE, .origin = ORIGIN, .op = op, THERE});
}

int MPI_Raccumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                    MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request *request) {
  eo__mpi_enter("MPI_Raccumulate");
  return start(&(transfer){.kind = EO__MPI_ACCUMULATE, .origin = ORIGIN, .op = op, THERE}, request);
}

#define NO_ITEMS \
  { NULL, 0, MPI_DATATYPE_NULL }
#define FETCHES                                                                         \
  {                                                                                     \
    .kind = EO__MPI_FETCH, .origin = op == MPI_NO_OP ? (items)NO_ITEMS : (items)ORIGIN, \
    .result = {result, result_count, result_type}, .op = op, THERE                      \
  }

int MPI_Get_accumulate(const void *origin, int count, MPI_Datatype type, void *result, int result_count,
                       MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                       MPI_Op op, MPI_Win win) {
  eo__mpi_enter("MPI_Get_accumulate");
  return run(&(transfer)FETCHES);
}

int MPI_Rget_accumulate(const void *origin, int count, MPI_Datatype type, void *result, int result_count,
                        MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                        MPI_Op op, MPI_Win win, MPI_Request *request) {
  eo__mpi_enter("MPI_Rget_accumulate");
  return start(&(transfer)FETCHES, request);
}

int MPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op,
                     MPI_Win win) {
  eo__mpi_enter("MPI_Fetch_and_op");
  items given = {(void *)(uintptr_t)origin, 1, type};
  return run(&(transfer){.kind = EO__MPI_FETCH,
                         .origin = op == MPI_NO_OP ? (items)NO_ITEMS : given,
                         .result = {result, 1, type},
                         .target = target,
                         .at = at,
                         .count = 1,
                         .type = type,
                         .op = op,
                         .win = win});
}

int MPI_Compare_and_swap(const void *origin, const void *expected, void *result, MPI_Datatype type, int target,
                         MPI_Aint at, MPI_Win win) {
  eo__mpi_enter("MPI_Compare_and_swap");
  return run(&(transfer){.kind = EO__MPI_COMPARE,
                         .origin = {(void *)(uintptr_t)origin, 1, type},
                         .expected = {(void *)(uintptr_t)expected, 1, type},
                         .result = {result, 1, type},
                         .target = target,
                         .at = at,
                         .count = 1,
                         .type = type,
                         .op = MPI_REPLACE,
                         .win = win});
}

/* ---- Serving others ------------------------------------------------------------------------------------------------------------ */

static void serve_place(const eo__mpi_rma *rma, const eo__mpi_rma_place *place, const char *data,
                        const char *expected) {
  size_t bytes = (size_t)place->count * (size_t)(place->basic & 0xff);
  if (rma->kind == EO__MPI_GET || rma->op == MPI_NO_OP) return;
  if (rma->kind == EO__MPI_COMPARE && memcmp(place->at, expected, bytes) != 0) return;
  if (rma->op == MPI_REPLACE) {
    memcpy(place->at, data, bytes);
    return;
  }
  for (int64_t i = 0; i < place->count; i++) { /* the items there need not be aligned */
    size_t one = (size_t)(place->basic & 0xff);
    _Alignas(16) char a[32], b[32];
    memcpy(a, data + (size_t)i * one, one);
    memcpy(b, place->at + (size_t)i * one, one);
    eo__mpi_operate(rma->op, a, b, 1, place->basic);
    memcpy(place->at + (size_t)i * one, b, one);
  }
}

void eo__mpi_serve(const void *request) {
  const eo__mpi_rma *rma = request;
  const eo__mpi_rma_place *places = eo__mpi_rma_places(rma);
  const char *data = eo__mpi_rma_data(rma);
  char *result = eo__mpi_need(malloc((size_t)rma->size + 1)), *out = result;
  for (uint32_t i = 0; i < rma->places; i++) {
    size_t bytes = (size_t)places[i].count * (size_t)(places[i].basic & 0xff);
    memcpy(out, places[i].at, bytes);
    serve_place(rma, &places[i], data, data + rma->size);
    out += bytes;
    if (rma->kind != EO__MPI_GET) data += bytes;
  }
  bool comes_back = rma->kind != EO__MPI_PUT && rma->kind != EO__MPI_ACCUMULATE;
  eo_send_(eo__mpi_here(), eo__mpi.world, EO__MPI_SERVED, result, comes_back ? (size_t)rma->size : 0);
  free(result);
}
