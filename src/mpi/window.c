/* window.c: windows: how they are made, and epochs, in which a rank may access memory of others. */
#include "mpi/window.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/access.h"
#include "mpi/call.h"
#include "mpi/comms.h"

enum { POSTED, COMPLETED }; /* tags */

eo__mpi_window *eo__mpi_window_of(MPI_Win win) { return eo__mpi_object_of(EO__MPI_WIN, win); }

static void check_target(const eo__mpi_window *w, int target) {
  if (target < 0 || target >= w->comm->size)
    eo__mpi_fail("invalid-rank", "there is no rank %d in a window of %d", target, w->comm->size);
}

/* ---- Making and freeing them ------------------------------------------------------------------------------------------- */

static void check_memory(const void *base, MPI_Aint size) {
  size_t left = eo_block_left(base);
  if (size > 0 && (size_t)size > left)
    eo__mpi_fail("invalid-buffer", "the window has %ld bytes, the allocated memory ends after %zu", (long)size, left);
}

static eo__mpi_window *make(void *base, MPI_Aint size, int unit, MPI_Comm comm, bool shared, MPI_Win *made) {
  const eo__mpi_comm *c = eo__mpi_intra_of(comm);
  if (!made) eo__mpi_fail("invalid-window", "the address of the window is NULL");
  if (size < 0) eo__mpi_fail("invalid-argument", "the size is %ld", (long)size);
  if (unit < 1) eo__mpi_fail("invalid-argument", "the unit of displacements is %d", unit);
  if (!base && size > 0) eo__mpi_fail("invalid-buffer", "the memory is NULL, and its size %ld", (long)size);
  check_memory(base, size);
  eo__mpi_window *window = eo__mpi_object_new(EO__MPI_WIN, sizeof *window);
  window->comm = c;
  window->comm_handle = comm;
  window->parts = eo__mpi_need(calloc((size_t)c->size, sizeof *window->parts));
  window->locked = eo__mpi_need(calloc((size_t)c->size, 1));
  eo__mpi_window_part own = {(MPI_Aint)base, size, unit};
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_WIN_CREATE,
                                   .comm = comm,
                                   .gives = {.buffer = &own, .count = 3, .type = MPI_AINT},
                                   .takes = {.buffer = window->parts, .count = 3, .type = MPI_AINT},
                                   .first_context = &window->number});
  if (base) eo__mpi_window_memory(eo__mpi.rank, base, (size_t)size, shared);
  *made = window->object.handle;
  return window;
}

int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win) {
  eo__mpi_enter("MPI_Win_create");
  (void)info;
  make(base, size, unit, comm, false, win);
  return MPI_SUCCESS;
}

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win) {
  eo__mpi_enter("MPI_Win_allocate");
  (void)info;
  eo__mpi_comm_of(comm);
  if (size < 0) eo__mpi_fail("invalid-argument", "the size is %ld", (long)size);
  void *memory = eo__mpi_need(calloc(1, (size_t)size + 1));
  make(memory, size, unit, comm, false, win)->own = memory;
  *(void **)base = memory;
  return MPI_SUCCESS;
}

/* What several processes touch is watched, page by page: nothing else is to be on these pages. They are not cleared, since each access
 * to them costs as much as a thousand others. */
static void *own_pages(size_t size) {
  enum { PAGE = 4096 };
  return eo__mpi_need(aligned_alloc(PAGE, (size / PAGE + 1) * PAGE));
}

/* The first member has the memory of all, one part behind the other. */
static void *share(MPI_Comm comm, MPI_Aint size, void **whole) {
  const eo__mpi_comm *c = eo__mpi_intra_of(comm);
  MPI_Aint *sizes = eo__mpi_need(calloc((size_t)c->size, sizeof *sizes));
  eo__mpi_side side = {.buffer = sizes, .count = 1, .type = MPI_AINT};
  eo__mpi_side given = {.buffer = &size, .count = 1, .type = MPI_AINT};
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_WIN_SHARE, .comm = comm, .gives = given, .takes = side});
  MPI_Aint before = 0, all = 0, begin = 0;
  for (int i = 0; i < c->size; all += sizes[i++])
    if (i < c->rank) before += sizes[i];
  *whole = c->rank == 0 ? own_pages((size_t)all) : NULL;
  begin = (MPI_Aint)*whole;
  given.buffer = &begin;
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_WIN_SHARE, .comm = comm, .gives = given, .takes = side});
  begin = sizes[0];
  free(sizes);
  return (char *)begin + before; /* an address of one rank is good for all */
}

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win) {
  eo__mpi_enter("MPI_Win_allocate_shared");
  (void)info;
  if (size < 0) eo__mpi_fail("invalid-argument", "the size is %ld", (long)size);
  if (!base) eo__mpi_fail("invalid-argument", "the address of the memory is NULL");
  void *whole, *memory = share(comm, size, &whole);
  eo__mpi_window *w = make(memory, size, unit, comm, true, win);
  w->own = whole;
  w->shared = true;
  for (int i = 0; i < w->comm->size; i++)
    if (i != w->comm->rank)
      eo__mpi_window_memory(eo__mpi_world_rank(w->comm, i), (void *)w->parts[i].base, (size_t)w->parts[i].size, true);
  *(void **)base = memory;
  return MPI_SUCCESS;
}

int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *unit, void *base) {
  eo__mpi_enter("MPI_Win_shared_query");
  const eo__mpi_window *w = eo__mpi_window_of(win);
  if (!w->shared) eo__mpi_fail("invalid-window", "the window is not shared");
  if (rank == MPI_PROC_NULL) /* the first that has memory */
    for (rank = 0; rank < w->comm->size - 1 && w->parts[rank].size == 0; rank++) continue;
  check_target(w, rank);
  if (!size || !unit || !base) eo__mpi_fail("invalid-argument", "an address is NULL");
  *size = w->parts[rank].size;
  *unit = (int)w->parts[rank].unit;
  *(void **)base = (void *)w->parts[rank].base;
  return MPI_SUCCESS;
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win) {
  eo__mpi_enter("MPI_Win_create_dynamic");
  (void)info;
  make(NULL, 0, 1, comm, false, win)->dynamic = true;
  return MPI_SUCCESS;
}

int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint size) {
  eo__mpi_enter("MPI_Win_attach");
  if (!eo__mpi_window_of(win)->dynamic) eo__mpi_fail("invalid-window", "the window is not dynamic");
  check_memory(base, size);
  eo__mpi_window_memory(eo__mpi.rank, base, (size_t)size, false);
  return MPI_SUCCESS;
}

int MPI_Win_detach(MPI_Win win, const void *base) {
  eo__mpi_enter("MPI_Win_detach");
  if (!eo__mpi_window_of(win)->dynamic) eo__mpi_fail("invalid-window", "the window is not dynamic");
  eo__mpi_window_forget(eo__mpi.rank, base);
  return MPI_SUCCESS;
}

int MPI_Win_free(MPI_Win *win) {
  eo__mpi_enter("MPI_Win_free");
  if (!win) eo__mpi_fail("invalid-window", "the address of the window is NULL");
  eo__mpi_window *w = eo__mpi_window_of(*win);
  if (w->operations) {
    const eo__mpi_request *r = eo__mpi_request_find(w->operations->request);
    if (r)
      eo__mpi_fail("missing-epoch", "nothing has ended the epoch of %s at %s:%d", r->call, r->place->file,
                   r->place->line);
  }
  if (w->locks || w->locked_all) eo__mpi_fail("missing-epoch", "the window is still locked");
  if (w->started || w->posted)
    eo__mpi_fail("missing-epoch", "nothing has ended an epoch of MPI_Win_%s", w->started ? "start" : "post");
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_WIN_FREE,
                                   .comm = w->comm_handle,
                                   .context = w->number,
                                   .gives = {.type = MPI_BYTE},
                                   .takes = {.type = MPI_BYTE}});
  for (int i = 0; i < w->comm->size; i++)
    if (w->shared || i == w->comm->rank)
      eo__mpi_window_forget(eo__mpi_world_rank(w->comm, i), (void *)w->parts[i].base);
  eo__mpi_attributes_drop(*win, &w->attributes);
  w->object.freed = true;
  free(w->own);
  *win = MPI_WIN_NULL;
  return MPI_SUCCESS;
}

int MPI_Win_get_group(MPI_Win win, MPI_Group *group) {
  eo__mpi_enter("MPI_Win_get_group");
  const eo__mpi_comm *c = eo__mpi_window_of(win)->comm;
  eo__mpi_group *made = eo__mpi_group_new(c->size);
  for (int i = 0; i < c->size; i++) eo__mpi_group_add(made, eo__mpi_world_rank(c, i));
  *group = made->object.handle;
  return MPI_SUCCESS;
}

int MPI_Win_set_name(MPI_Win win, const char *name) {
  eo__mpi_enter("MPI_Win_set_name");
  strncpy(eo__mpi_window_of(win)->name, name, MPI_MAX_OBJECT_NAME - 1);
  return MPI_SUCCESS;
}

int MPI_Win_get_name(MPI_Win win, char *name, int *length) {
  eo__mpi_enter("MPI_Win_get_name");
  strcpy(name, eo__mpi_window_of(win)->name);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}

/* ---- What ends epochs ----------------------------------------------------------------------------------------------------- */

static int world_rank(const eo__mpi_window *w, int target) {
  return target == EO__MPI_ANY ? EO__MPI_ANY : eo__mpi_world_rank(w->comm, target);
}

static void post_sync(const eo__mpi_window *w, eo__mpi_kind kind, uint32_t request, int target, bool exclusive) {
  eo__mpi_post *post = eo__mpi_post_new(kind, request, 0, MPI_BYTE, sizeof(eo__mpi_sync));
  eo__mpi_sync sync = {.window = w->number, .target = world_rank(w, target), .exclusive = exclusive};
  memcpy((char *)(uintptr_t)eo__mpi_payload(post), &sync, sizeof sync);
}

/* With separate memory: what the program has stored is there for others, and what they have stored is there for the program. */
static void publish(const eo__mpi_window *w) {
  if (!eo__mpi.separate) return;
  const eo__mpi_window_part *own = &w->parts[w->comm->rank];
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_PUBLISH, 0, 0, MPI_BYTE, sizeof(eo__mpi_sync));
  eo__mpi_sync sync = {
      .window = w->number, .low = (const char *)own->base, .high = (const char *)own->base + own->size};
  if (w->dynamic) sync.high = (const char *)UINTPTR_MAX;
  memcpy((char *)(uintptr_t)eo__mpi_payload(post), &sync, sizeof sync);
}

static bool is_own(const eo__mpi_window *w, int target) { return target == EO__MPI_ANY || target == w->comm->rank; }

/* Its memory is the program's again, also before the wait for its handle. */
static void hand_back(eo__mpi_request *request) {
  eo__mpi_unguard(request);
  if (request->result->size)
    eo__mpi_unpack(request->buffer, (const char *)(request->result + 1), (size_t)request->result->size, request->type);
  request->result->size = 0;
}

/* Takes over what its operations to that member have got. */
static void take_over(eo__mpi_window *w, int target) {
  eo__mpi_request **all = NULL;
  size_t count = 0;
  for (const eo__mpi_operation *o = w->operations; o; o = o->next) count++;
  if (!count) return;
  all = eo__mpi_need(malloc(count * sizeof(void *)));
  count = 0;
  for (eo__mpi_operation **link = &w->operations; *link;) {
    eo__mpi_operation *o = *link;
    if (target != EO__MPI_ANY && o->target != target) {
      link = &o->next;
      continue;
    }
    eo__mpi_request *request = eo__mpi_request_find(o->request);
    if (request) all[count++] = request;
    *link = o->next;
    free(o);
  }
  eo__mpi_wait(EO__MPI_UNTIL_ALL, all, count);
  for (size_t i = 0; i < count; i++) {
    if (all[i]->handed_out)
      hand_back(all[i]);
    else
      eo__mpi_complete(all[i], NULL);
  }
  free(all);
}

/* Which rank's atomic operations come first is a choice like that of a lock. */
static void take_turn(eo__mpi_window *w, int target) {
  const eo__mpi_operation *o = w->operations;
  while (o && (!o->ordered || (target != EO__MPI_ANY && o->target != target))) o = o->next;
  if (!o) return;
  eo__mpi_request *request = eo__mpi_request_new();
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_LOCK, request->number, 0, MPI_BYTE, sizeof(eo__mpi_sync));
  eo__mpi_sync sync = {.window = w->number | EO__MPI_TURN, .target = world_rank(w, o->target)};
  memcpy((char *)(uintptr_t)eo__mpi_payload(post), &sync, sizeof sync);
  request->comm = w->comm;
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_request_free(request);
}

void eo__mpi_window_finish(eo__mpi_window *w, int target) {
  take_turn(w, target);
  post_sync(w, EO__MPI_SYNC, 0, target, false);
  take_over(w, target);
}

int MPI_Win_fence(int assertion, MPI_Win win) {
  eo__mpi_enter("MPI_Win_fence");
  eo__mpi_window *w = eo__mpi_window_of(win);
  if (w->locks || w->locked_all) eo__mpi_fail("double-epoch", "the window is locked");
  if (w->started || w->posted)
    eo__mpi_fail("double-epoch", "an epoch of MPI_Win_%s is open", w->started ? "start" : "post");
  if (w->locked_in_fence && !(assertion & MPI_MODE_NOPRECEDE))
    eo__mpi_fail("double-epoch", "since the previous fence, %s at %s:%d has opened an epoch of its own",
                 w->locked_in_fence, w->locked_place->file, w->locked_place->line);
  if (assertion & MPI_MODE_NOPRECEDE && w->operations)
    eo__mpi_fail("invalid-argument", "MPI_MODE_NOPRECEDE, but this rank has begun operations since the previous fence");
  eo__mpi_window_finish(w, EO__MPI_ANY);
  publish(w);
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_WIN_FENCE,
                                   .comm = w->comm_handle,
                                   .context = w->number,
                                   .gives = {.type = MPI_BYTE},
                                   .takes = {.type = MPI_BYTE}});
  publish(w);
  w->fenced = !(assertion & MPI_MODE_NOSUCCEED);
  w->locked_in_fence = NULL;
  return MPI_SUCCESS;
}

/* ---- Locks ------------------------------------------------------------------------------------------------------------------ */

static void take_lock(eo__mpi_window *w, int target, bool exclusive) {
  if (w->started) eo__mpi_fail("double-epoch", "an epoch of MPI_Win_start is open");
  if (w->fenced && !w->locked_in_fence) {
    w->locked_in_fence = eo__mpi.call;
    w->locked_place = eo_mpi_at;
  }
  eo__mpi_request *request = eo__mpi_request_new();
  post_sync(w, EO__MPI_LOCK, request->number, target, exclusive);
  request->comm = w->comm;
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_request_free(request);
  if (is_own(w, target)) publish(w);
}

int MPI_Win_lock(int kind, int target, int assertion, MPI_Win win) {
  eo__mpi_enter("MPI_Win_lock");
  eo__mpi_window *w = eo__mpi_window_of(win);
  (void)assertion;
  if (kind != MPI_LOCK_SHARED && kind != MPI_LOCK_EXCLUSIVE)
    eo__mpi_fail("invalid-argument", "the kind of lock is %d", kind);
  if (target == MPI_PROC_NULL) return MPI_SUCCESS;
  check_target(w, target);
  if (w->locked[target] || w->locked_all) eo__mpi_fail("double-epoch", "the window is locked already");
  take_lock(w, target, kind == MPI_LOCK_EXCLUSIVE);
  w->locked[target] = 1;
  w->locks++;
  return MPI_SUCCESS;
}

int MPI_Win_unlock(int target, MPI_Win win) {
  eo__mpi_enter("MPI_Win_unlock");
  eo__mpi_window *w = eo__mpi_window_of(win);
  if (target == MPI_PROC_NULL) return MPI_SUCCESS;
  check_target(w, target);
  if (!w->locked[target]) eo__mpi_fail("missing-epoch", "the window is not locked by MPI_Win_lock");
  take_turn(w, target);
  if (is_own(w, target)) publish(w);
  post_sync(w, EO__MPI_UNLOCK, 0, target, false);
  take_over(w, target);
  w->locked[target] = 0;
  w->locks--;
  return MPI_SUCCESS;
}

int MPI_Win_lock_all(int assertion, MPI_Win win) {
  eo__mpi_enter("MPI_Win_lock_all");
  eo__mpi_window *w = eo__mpi_window_of(win);
  (void)assertion;
  if (w->locks || w->locked_all) eo__mpi_fail("double-epoch", "the window is locked already");
  take_lock(w, EO__MPI_ANY, false);
  w->locked_all = true;
  return MPI_SUCCESS;
}

int MPI_Win_unlock_all(MPI_Win win) {
  eo__mpi_enter("MPI_Win_unlock_all");
  eo__mpi_window *w = eo__mpi_window_of(win);
  if (!w->locked_all) eo__mpi_fail("missing-epoch", "the window is not locked by MPI_Win_lock_all");
  take_turn(w, EO__MPI_ANY);
  publish(w);
  post_sync(w, EO__MPI_UNLOCK, 0, EO__MPI_ANY, false);
  take_over(w, EO__MPI_ANY);
  w->locked_all = false;
  return MPI_SUCCESS;
}

static eo__mpi_window *to_flush(MPI_Win win, int target) {
  eo__mpi_window *w = eo__mpi_window_of(win);
  if (target != EO__MPI_ANY) check_target(w, target);
  bool locked = w->locked_all || (target == EO__MPI_ANY ? w->locks > 0 : w->locked[target]);
  if (!locked) eo__mpi_fail("missing-epoch", "the window is not locked");
  return w;
}

int MPI_Win_flush(int target, MPI_Win win) {
  eo__mpi_enter("MPI_Win_flush");
  eo__mpi_window_finish(to_flush(win, target), target);
  return MPI_SUCCESS;
}

int MPI_Win_flush_all(MPI_Win win) {
  eo__mpi_enter("MPI_Win_flush_all");
  eo__mpi_window_finish(to_flush(win, EO__MPI_ANY), EO__MPI_ANY);
  return MPI_SUCCESS;
}

int MPI_Win_flush_local(int target, MPI_Win win) {
  eo__mpi_enter("MPI_Win_flush_local");
  take_over(to_flush(win, target), target);
  return MPI_SUCCESS;
}

int MPI_Win_flush_local_all(MPI_Win win) {
  eo__mpi_enter("MPI_Win_flush_local_all");
  take_over(to_flush(win, EO__MPI_ANY), EO__MPI_ANY);
  return MPI_SUCCESS;
}

int MPI_Win_sync(MPI_Win win) {
  eo__mpi_enter("MPI_Win_sync");
  publish(eo__mpi_window_of(win));
  return MPI_SUCCESS;
}

/* ---- Epochs between groups: messages of a context of their own ------------------------------------------------------------- */

static void signal(const eo__mpi_window *w, int to, int tag) {
  eo__mpi_request *request = eo__mpi_request_new();
  eo__mpi_post *post = eo__mpi_post_new(EO__MPI_SEND, request->number, 0, MPI_BYTE, 0);
  post->mode = EO__MPI_BUFFERED;
  post->context = w->number | EO__MPI_PRIVATE;
  post->peer = to;
  post->tag = tag;
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_request_free(request);
}

/* Begins to wait for all of the group. */
static eo__mpi_request **expect(const eo__mpi_window *w, const eo__mpi_group *group, int tag) {
  eo__mpi_request **all = eo__mpi_need(malloc(((size_t)group->size + 1) * sizeof(void *)));
  for (int i = 0; i < group->size; i++) {
    all[i] = eo__mpi_request_new();
    eo__mpi_post *post = eo__mpi_post_new(EO__MPI_RECEIVE, all[i]->number, 0, MPI_BYTE, 0);
    post->context = w->number | EO__MPI_PRIVATE;
    post->peer = group->members[i];
    post->tag = tag;
    post->blocking = true;
    all[i]->comm = w->comm;
    all[i]->type = MPI_BYTE;
  }
  return all;
}

static void end_wait(eo__mpi_request **all, const eo__mpi_group *group) {
  for (int i = 0; i < group->size; i++) eo__mpi_complete(all[i], NULL);
  free(all);
}

static eo__mpi_group *copy_of(MPI_Group group) {
  const eo__mpi_group *of = eo__mpi_group_of(group);
  size_t size = sizeof *of + (size_t)of->size * sizeof(int);
  return memcpy(eo__mpi_need(malloc(size)), of, size);
}

int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win) {
  eo__mpi_enter("MPI_Win_post");
  eo__mpi_window *w = eo__mpi_window_of(win);
  (void)assertion;
  if (w->posted) eo__mpi_fail("double-epoch", "an epoch of MPI_Win_post is open");
  w->posted = copy_of(group);
  publish(w);
  for (int i = 0; i < w->posted->size; i++) signal(w, w->posted->members[i], POSTED);
  return MPI_SUCCESS;
}

int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
  eo__mpi_enter("MPI_Win_start");
  eo__mpi_window *w = eo__mpi_window_of(win);
  (void)assertion;
  if (w->started) eo__mpi_fail("double-epoch", "an epoch of MPI_Win_start is open");
  if (w->locks || w->locked_all) eo__mpi_fail("double-epoch", "the window is locked");
  w->started = copy_of(group);
  eo__mpi_request **all = expect(w, w->started, POSTED);
  eo__mpi_wait(EO__MPI_UNTIL_ALL, all, (size_t)w->started->size);
  end_wait(all, w->started);
  return MPI_SUCCESS;
}

int MPI_Win_complete(MPI_Win win) {
  eo__mpi_enter("MPI_Win_complete");
  eo__mpi_window *w = eo__mpi_window_of(win);
  if (!w->started) eo__mpi_fail("missing-epoch", "there was no MPI_Win_start");
  eo__mpi_window_finish(w, EO__MPI_ANY);
  for (int i = 0; i < w->started->size; i++) signal(w, w->started->members[i], COMPLETED);
  free(w->started);
  w->started = NULL;
  return MPI_SUCCESS;
}

/* Have all completed? Waits for that, or just tells. */
static bool all_completed(eo__mpi_window *w, eo__mpi_until until) {
  if (!w->posted) eo__mpi_fail("missing-epoch", "there was no MPI_Win_post");
  if (!w->completing) w->completing = expect(w, w->posted, COMPLETED);
  if (w->posted->size && eo__mpi_wait(until, w->completing, (size_t)w->posted->size) == EO__MPI_NOT_YET) return false;
  end_wait(w->completing, w->posted);
  free(w->posted);
  w->completing = NULL;
  w->posted = NULL;
  publish(w);
  return true;
}

int MPI_Win_wait(MPI_Win win) {
  eo__mpi_enter("MPI_Win_wait");
  all_completed(eo__mpi_window_of(win), EO__MPI_UNTIL_ALL);
  return MPI_SUCCESS;
}

int MPI_Win_test(MPI_Win win, int *flag) {
  eo__mpi_enter("MPI_Win_test");
  eo__mpi_window *w = eo__mpi_window_of(win);
  if (!flag) eo__mpi_fail("invalid-argument", "flag is NULL");
  *flag = all_completed(w, EO__MPI_TEST_ALL);
  return MPI_SUCCESS;
}
