/* epochs.c: windows, as the world sees them: operations are done when their rank waits for them, by the rank whose memory it is;
 * locks; and accesses that conflict since nothing says which comes first. */
#include <stdlib.h>
#include <string.h>

#include "mpi/clock.h"
#include "mpi/rma.h"
#include "mpi/world.h"

static const eo_place nowhere = {"", "", 0, NULL};
static const eo_place serves = {"", "", 0, "rank, \"ACCESS\""};

/* ---- Accesses to memory of windows --------------------------------------------------------------------------------------- */

typedef struct reach {
  struct reach *next;
  int owner, by; /* whose memory, and who accesses it */
  const char *low, *high;
  bool writes;
  bool local;         /* by the program itself */
  MPI_Op op;          /* of an accumulation, which is atomic; else MPI_OP_NULL */
  MPI_Datatype basic; /* of that */
  uint32_t request;   /* of the operation */
  uint32_t window;
  int target;
  bool separate;                    /* there is a copy for others of what this is about, */
  const char *part_low, *part_high; /* which is of this memory */
  uint32_t *clock;                  /* of `by`, when it began */
  uint32_t over;                    /* the number of `by` when it was over; UINT32_MAX: it is not */
  const eo_mpi_place *place;
  const char *call;
} reach;

static reach *reaches;

/* Item by item: items that lie across each other are not atomic together. */
static bool is_atomic(const reach *a, const reach *b) {
  if (a->basic != b->basic || (a->low - b->low) % ((a->basic & 0xff) ? a->basic & 0xff : 1)) return false;
  return a->op != MPI_OP_NULL && b->op != MPI_OP_NULL && (a->op == b->op || a->op == MPI_NO_OP || b->op == MPI_NO_OP);
}

static const char *how(const reach *r) { return r->writes ? "writes" : "reads"; }

/* ---- Separate memory ------------------------------------------------------------------------------------------------------
 *
 * The program of a rank and the operations of others have a copy each. They are made the same when the rank synchronises the window: it
 * sees what was over there by then, and others see what it has stored before. Until then, one may not update any place of the window
 * when the other one does. */

typedef struct copy {
  struct copy *next;
  uint32_t window;
  int rank;
  uint32_t *clock; /* of the rank, when it last made them the same */
} copy;

static copy *copies;

static uint32_t seen_by_owner(const reach *update) {
  const copy *c = copies;
  while (c && (c->window != update->window || c->rank != update->owner)) c = c->next;
  return c ? c->clock[update->by] : 0;
}

static bool is_update(const reach *r) { return r->writes && !r->local; }

/* Do they touch the same bytes, or does one update the one copy of a window, and one the other? */
static bool meets(const reach *a, const reach *b) {
  if (a->high > b->low && b->high > a->low) return true;
  const reach *update = is_update(a) ? a : b, *store = is_update(a) ? b : a;
  return update->separate && is_update(update) && store->local && store->separate && store->writes &&
         store->low < update->part_high && store->high > update->part_low;
}

/* Was the earlier one over, for whom the later one is of? */
static bool is_past(const reach *earlier, const reach *later) {
  if (earlier->over == UINT32_MAX || later->clock[earlier->by] < earlier->over) return false;
  return !(is_update(earlier) && earlier->separate && later->local && later->separate) ||
         seen_by_owner(earlier) >= earlier->over;
}

void eo__mpi_published(int rank, const eo__mpi_post *post) {
  const eo__mpi_sync *sync = (const void *)eo__mpi_payload(post);
  uint32_t tick = eo__mpi_clock_tick(rank);
  copy *c = copies;
  while (c && (c->window != sync->window || c->rank != rank)) c = c->next;
  if (!c) {
    c = eo__mpi_need(calloc(1, sizeof *c));
    *c = (copy){copies, sync->window, rank, NULL};
    copies = c;
  }
  free(c->clock);
  c->clock = eo__mpi_clock_copy(rank);
  for (reach *r = reaches; r; r = r->next)
    if (r->local && r->by == rank && r->over == UINT32_MAX && r->low < sync->high && r->high > sync->low)
      r->over = tick;
}

static void add_reach(reach added) {
  reach *r = eo__mpi_need(malloc(sizeof *r));
  *r = added;
  r->clock = eo__mpi_clock_copy(r->by);
  for (const reach *a = reaches; a; a = a->next) {
    if (a->owner != r->owner || !meets(a, r) || (!a->writes && !r->writes)) continue;
    if (is_atomic(a, r) || (a->local && r->local && a->by == r->by)) continue;
    if (is_past(a, r)) continue;
    eo__mpi_world_fail(
        r->place, "memory-conflict",
        "rank %d %s memory of rank %d (%s at %s:%d) that rank %d %s (%s at %s:%d), and nothing says which comes "
        "first",
        r->by, how(r), r->owner, r->call, r->place->file, r->place->line, a->by, how(a), a->call, a->place->file,
        a->place->line);
  }
  r->next = reaches;
  reaches = r;
}

/* What every rank knows to be over conflicts with nothing any more, once its owner has seen it. */
static void forget_reaches(void) {
  for (reach **link = &reaches; *link;) {
    reach *r = *link;
    bool known = r->over != UINT32_MAX && (!is_update(r) || !r->separate || seen_by_owner(r) >= r->over);
    for (int i = 0; known && i < eo__mpi_w.size; i++)
      known = eo__mpi_w.ranks[i].ended || eo__mpi_clock(i)[r->by] >= r->over;
    if (!known) {
      link = &r->next;
      continue;
    }
    *link = r->next;
    free(r->clock);
    free(r);
  }
}

void eo__mpi_memory_touched(int rank, const eo__mpi_post *post) {
  eo__mpi_touched one;
  size_t count = (size_t)(post->size / sizeof one);
  uint32_t tick = eo__mpi_clock_tick(rank);
  forget_reaches();
  for (size_t i = 0; i < count; i++) {
    memcpy(&one, eo__mpi_payload(post) + i * sizeof one, sizeof one);
    add_reach((reach){.owner = one.owner,
                      .by = rank,
                      .low = one.low,
                      .high = one.high,
                      .writes = one.writes,
                      .local = one.request == 0,
                      .op = MPI_OP_NULL,
                      .request = one.request,
                      .target = EO__MPI_ANY,
                      .separate = eo__mpi_w.separate && !one.shared,
                      .over = one.request || (one.writes && eo__mpi_w.separate && !one.shared) ? UINT32_MAX : tick,
                      .place = post->place,
                      .call = post->call});
  }
}

/* ---- Operations ---------------------------------------------------------------------------------------------------------- */

static eo__mpi_act *operations; /* not done yet, the oldest first */

static const eo__mpi_rma *rma_of(const eo__mpi_act *act) { return (const void *)eo__mpi_payload(&act->post); }

void eo__mpi_rma_arrives(eo__mpi_act *act) {
  const eo__mpi_rma *rma = rma_of(act);
  const eo__mpi_rma_place *places = eo__mpi_rma_places(rma);
  eo__mpi_act **link = &operations;
  while (*link) link = &(*link)->next;
  *link = act;
  act->next = NULL;
  eo__mpi_clock_tick(act->rank);
  bool atomic = rma->kind != EO__MPI_GET && rma->kind != EO__MPI_PUT;
  for (uint32_t i = 0; i < rma->places; i++)
    add_reach((reach){.owner = rma->target,
                      .by = act->rank,
                      .low = places[i].at,
                      .high = places[i].at + places[i].count * (places[i].basic & 0xff),
                      .writes = rma->kind != EO__MPI_GET && rma->op != MPI_NO_OP,
                      .op = rma->kind == EO__MPI_COMPARE ? MPI_REPLACE
                            : atomic                     ? rma->op
                                                         : MPI_OP_NULL,
                      .basic = places[i].basic,
                      .request = act->post.request,
                      .window = rma->window,
                      .target = rma->target,
                      .separate = eo__mpi_w.separate,
                      .part_low = rma->low,
                      .part_high = rma->high,
                      .over = UINT32_MAX,
                      .place = act->post.place,
                      .call = act->post.call});
}

/* The rank whose memory it is does it; the world does not go on before. */
/* ---- Locks ----------------------------------------------------------------------------------------------------------------- */

/* An atomic operation that changed nothing. */
typedef struct look {
  uint64_t version; /* that it found, from 1; 0: none */
  const eo_mpi_place *place;
  const char *at;
  uint32_t again; /* so often has it been the same */
} look;

typedef struct lock {
  struct lock *next;
  uint32_t window;
  int target;
  int shared;     /* how many hold it */
  bool exclusive; /* one holds it */
  uint64_t changed;
  uint32_t *released, *written; /* clocks: of all that gave it back, and of those that had it alone */
  uint64_t version;             /* of turns: how often something was done that may have changed memory */
  look *looks;                  /* of turns: by rank, its last one */
} lock;

static lock *locks;
static eo__mpi_act *waiting; /* the oldest first */

static const eo__mpi_sync *sync_of(const eo__mpi_act *act) { return (const void *)eo__mpi_payload(&act->post); }

static lock *lock_of(const eo__mpi_sync *sync, int target) {
  lock *l = locks;
  while (l && (l->window != sync->window || l->target != target)) l = l->next;
  if (l) return l;
  l = eo__mpi_need(calloc(1, sizeof *l));
  l->next = locks;
  l->window = sync->window;
  l->target = target;
  l->released = eo__mpi_need(calloc((size_t)eo__mpi_w.size, sizeof(uint32_t)));
  l->written = eo__mpi_need(calloc((size_t)eo__mpi_w.size, sizeof(uint32_t)));
  l->looks = eo__mpi_need(calloc((size_t)eo__mpi_w.size, sizeof(look)));
  return locks = l;
}

/* ---- Operations are done ---------------------------------------------------------------------------------------------------- */

static bool changes(const eo__mpi_rma *rma, const eo_message *got) {
  if (rma->kind == EO__MPI_GET) return false;
  if (rma->kind == EO__MPI_FETCH) return rma->op != MPI_NO_OP;
  const char *expected = (const char *)eo__mpi_rma_data(rma) + rma->size;
  return rma->kind != EO__MPI_COMPARE || memcmp(got->data, expected, got->size) == 0;
}

static void note_turn(const eo__mpi_act *act, const eo_message *got) {
  const eo__mpi_rma *rma = rma_of(act);
  lock *l = lock_of(&(eo__mpi_sync){.window = rma->window | EO__MPI_TURN}, rma->target);
  if (changes(rma, got))
    l->version++;
  else if (rma->places) {
    look *last = &l->looks[act->rank], now = {l->version + 1, act->post.place, eo__mpi_rma_places(rma)->at, 0};
    if (last->version == now.version && last->place == now.place && last->at == now.at) now.again = last->again + 1;
    *last = now;
  }
}

static void perform(eo__mpi_act *act) {
  eo_message message;
  int target = rma_of(act)->target;
  if (eo__mpi_w.ranks[target].ended)
    eo__mpi_world_fail(act->post.place, "memory-conflict", "rank %d's memory is gone: it has ended", target);
  eo_send_(&serves, eo__mpi_w.ranks[target].pid, EO__MPI_SERVE, eo__mpi_payload(&act->post), (size_t)act->post.size);
  eo_receive_tag_(&nowhere, &message, EO__MPI_SERVED, EO_FOREVER);
  note_turn(act, &message);
  eo__mpi_act_met(act, 0, message.data, message.size);
}

static bool is_waited_for(const eo__mpi_rank *rank, uint32_t request) {
  for (uint32_t i = 0; i < rank->block.waits; i++)
    if ((rank->waits[i] & ~EO__MPI_DONE) == request) return true;
  return false;
}

/* It is over for its rank; there, too, if that is where what came back was. */
static void end_reaches(const eo__mpi_act *act) {
  uint32_t tick = eo__mpi_clock_tick(act->rank);
  bool there = rma_of(act)->kind != EO__MPI_PUT && rma_of(act)->kind != EO__MPI_ACCUMULATE;
  for (reach *r = reaches; r; r = r->next)
    if (r->by == act->rank && r->request == act->post.request && r->over == UINT32_MAX &&
        (there || r->target == EO__MPI_ANY))
      r->over = tick;
}

void eo__mpi_operations_of(int rank) {
  for (eo__mpi_act **link = &operations; *link;) {
    eo__mpi_act *act = *link;
    if (act->rank != rank || !is_waited_for(&eo__mpi_w.ranks[rank], act->post.request)) {
      link = &act->next;
      continue;
    }
    perform(act);
    end_reaches(act);
    *link = act->next;
    eo__mpi_act_free(act);
  }
}

/* What the rank has asked of the target before is over there, too. */
static void finish(int rank, uint32_t window, int target) {
  uint32_t tick = eo__mpi_clock_tick(rank);
  for (eo__mpi_act **link = &operations; *link;) {
    eo__mpi_act *act = *link;
    const eo__mpi_rma *rma = rma_of(act);
    if (act->rank != rank || rma->window != window || (target != EO__MPI_ANY && rma->target != target)) {
      link = &act->next;
      continue;
    }
    perform(act);
    for (reach *r = reaches; r; r = r->next) /* its own memory that it has read or written */
      if (r->by == rank && r->request == act->post.request && r->over == UINT32_MAX) r->over = tick;
    *link = act->next;
    eo__mpi_act_free(act);
  }
  for (reach *r = reaches; r; r = r->next)
    if (r->by == rank && r->window == window && r->over == UINT32_MAX && (target == EO__MPI_ANY || r->target == target))
      r->over = tick;
}

/* ---- Who gets locks ---------------------------------------------------------------------------------------------------------- */

/* One target, or all of them. */
static int first_target(const eo__mpi_sync *sync) { return sync->target == EO__MPI_ANY ? 0 : sync->target; }
static int last_target(const eo__mpi_sync *sync) {
  return sync->target == EO__MPI_ANY ? eo__mpi_w.size - 1 : sync->target;
}

static bool is_free(const eo__mpi_sync *sync) {
  for (int t = first_target(sync); t <= last_target(sync); t++) {
    const lock *l = lock_of(sync, t);
    if (l->exclusive || (sync->exclusive && l->shared)) return false;
  }
  return true;
}

/* Can it be had, by one that has not left it to others since it last changed hands? */
static bool can_have(const eo__mpi_act *act) {
  const eo__mpi_sync *sync = sync_of(act);
  uint64_t changed = 0;
  for (int t = first_target(sync); t <= last_target(sync); t++)
    if (lock_of(sync, t)->changed > changed) changed = lock_of(sync, t)->changed;
  return is_free(sync) && (act->after == 0 || changed > act->after);
}

static bool is_turn(const eo__mpi_act *act) { return (sync_of(act)->window & EO__MPI_TURN) != 0; }

/* Is its turn for what changed nothing the last time, and nobody has changed anything since? A program that polls by atomic
 * operations then gives way to others, so that it comes to an end. */
static bool polls(const eo__mpi_act *act) {
  if (!is_turn(act)) return false;
  const lock *l = lock_of(sync_of(act), sync_of(act)->target);
  const look *last = &l->looks[act->rank];
  for (const eo__mpi_act *o = operations; o && last->version == l->version + 1; o = o->next)
    if (o->rank == act->rank && (rma_of(o)->window | EO__MPI_TURN) == l->window && rma_of(o)->places &&
        o->post.place == last->place && eo__mpi_rma_places(rma_of(o))->at == last->at)
      return true;
  return false;
}

static void grant(eo__mpi_act *act) {
  const eo__mpi_sync *sync = sync_of(act);
  bool again = polls(act);
  for (int t = first_target(sync); t <= last_target(sync); t++) {
    lock *l = lock_of(sync, t);
    if (sync->exclusive)
      l->exclusive = true;
    else if (!is_turn(act))
      l->shared++;
    if (!again) l->changed = ++eo__mpi_w.serial;
    eo__mpi_clock_learn(act->rank, sync->exclusive ? l->released : l->written);
  }
  eo__mpi_act_done(act, NULL);
  for (eo__mpi_act **link = &waiting; *link; link = &(*link)->next)
    if (*link == act) {
      *link = act->next;
      break;
    }
  eo__mpi_act_free(act);
}

void eo__mpi_lock_arrives(eo__mpi_act *act) {
  eo__mpi_act **link = &waiting;
  while (*link) link = &(*link)->next;
  *link = act;
  act->next = NULL;
}

/* Of that window, does another rank want it for itself alone? */
static bool is_contended(const eo__mpi_act *act) {
  if (sync_of(act)->exclusive || is_turn(act)) return true;
  for (const eo__mpi_act *other = waiting; other; other = other->next)
    if (other != act && sync_of(other)->window == sync_of(act)->window && sync_of(other)->exclusive) return true;
  return false;
}

bool eo__mpi_lock_can_be_had(const eo__mpi_act *but) {
  for (const eo__mpi_act *act = waiting; act; act = act->next)
    if (act != but && can_have(act)) return true;
  return false;
}

/* Has another one been left to others that has a right to it? */
static bool is_left(const eo__mpi_act *but) {
  for (const eo__mpi_act *act = waiting; act; act = act->next)
    if (act != but && act->after && is_free(sync_of(act)) && !polls(act)) return true;
  return false;
}

/* So often may an atomic operation change nothing while nobody can do anything else, before that is a deadlock. */
enum { MOST_LOOKS = 30 };

static bool gives_way(const eo__mpi_act *act) {
  return polls(act) && (eo__mpi_others_can_go_on(act) || is_left(act) ||
                        lock_of(sync_of(act), sync_of(act)->target)->looks[act->rank].again > MOST_LOOKS);
}

/* Each that asks for a lock gets it now, or leaves it to others. */
bool eo__mpi_decide_lock(void) {
  for (eo__mpi_act *act = waiting; act; act = act->next) {
    if (!can_have(act)) continue;
    bool later = is_contended(act) && eo__mpi_others_can_go_on(act);
    if (gives_way(act) || (later && eo_choose_((const eo_place *)(const void *)act->post.place, 2)))
      act->after = eo__mpi_w.serial;
    else
      grant(act);
    return true;
  }
  return false;
}

bool eo__mpi_lock_left(void) { return is_left(NULL); }

void eo__mpi_synchronised(int rank, const eo__mpi_post *post) {
  const eo__mpi_sync *sync = (const void *)eo__mpi_payload(post);
  finish(rank, sync->window, sync->target);
  if (post->kind != EO__MPI_UNLOCK) return;
  for (int t = first_target(sync); t <= last_target(sync); t++) {
    lock *l = lock_of(sync, t);
    eo__mpi_clock_join(l->released, eo__mpi_clock(rank));
    if (l->exclusive) eo__mpi_clock_join(l->written, eo__mpi_clock(rank));
    if (l->exclusive)
      l->exclusive = false;
    else
      l->shared--;
    l->changed = ++eo__mpi_w.serial;
  }
  forget_reaches();
}
