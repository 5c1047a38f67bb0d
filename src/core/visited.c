/* visited.c: a set of fingerprints by extendible hashing (Fagin, Nievergelt, Pippenger, Strong 1979) in memory that
 * worker processes share.
 *
 * A directory of 2^depth entries, indexed by the low bits of a fingerprint, leads to buckets of one page. A bucket that
 * is nearly full is split in two by one more bit, by itself, so that the set grows without ever being copied as a whole;
 * when a bucket needs more bits than the directory has, the directory is doubled in place, which readers do not notice.
 * Pages are taken from reserved addresses one by one: a state takes 17 to 33 bytes, about 23 on average.
 *
 * A worker may be killed at any instruction. Locks name their owner, and whoever waits too long looks whether it is
 * alive; so every change under a lock is a single store after which the set is right, or can be made right by anybody:
 *   an insertion   writes `high`, then `low`, which is 0 in an empty slot;
 *   a split        leaves the old bucket as it is, fills two new ones and notes them in the old one (`split`). Writing
 *                  them into the directory can be taken up by whoever comes to the old bucket next;
 *   a doubling     counts when `depth` is written.
 * At worst a page or two are lost, and the count is one short. Lock order: one bucket, then the directory.
 *
 * Who looks for a state that is there needs no lock: in whichever bucket the two words are found, the state was added. */
#include "core/visited.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/own.h"

enum {
  PAGE = 4096,
  SLOTS = 254,
  ENOUGH = 240, /* a bucket with more is split if it can be: probing becomes slow */
  STRIPES = 32,
  MOST_DEPTH = 30,
  DIRECTORY_SHARE = 64 /* bytes of directory for each bucket, at most, where memory is bounded */
};
#define MOST_BUCKETS ((uint64_t)1 << 28) /* a TiB */
#define PATIENCE 0.002                   /* seconds to wait for a lock before looking whether its owner lives */

typedef struct slot {
  _Atomic uint64_t low, high;
} slot;

/* `low` of a slot that is empty is 0, and of one whose state was removed, which is not used again, this. */
enum { REMOVED = 1 };

/* Its slots are probed linearly from a place that `high` gives. */
typedef struct bucket {
  _Atomic uint64_t lock; /* 0, or who holds it: see identity */
  uint32_t depth;        /* it has the states that agree with its index in so many low bits */
  uint32_t count;
  _Atomic uint32_t split; /* its states are in these now */
  uint32_t halves[2];
  uint32_t next; /* free list: number + 1 */
  slot slots[SLOTS];
} bucket;
_Static_assert(sizeof(bucket) == PAGE, "a page");

/* Counters on cache lines of their own, so that workers do not wait for each other. The first is everybody's, and each of the
 * first workers has one of the others to itself: what nobody else writes needs no locked instruction. */
typedef struct stripe {
  _Alignas(64) _Atomic uint64_t count;
  _Atomic uint64_t lost;
} stripe;

typedef struct shared {
  _Atomic uint64_t lock;  /* of the directory and of the next two */
  _Atomic uint32_t taken; /* buckets in use or in the free list */
  _Atomic uint32_t free;  /* number + 1 of the first */
  char apart[48];
  _Atomic uint32_t depth;   /* everybody reads these three all the time */
  _Atomic uint32_t epoch;   /* how often it was cleared: part of what is stored */
  _Atomic uint32_t emptied; /* how often a slot became empty again; counted when it is, before its lock is left */
  char apart_too[52];
  stripe stripes[STRIPES];
} shared;
_Static_assert(sizeof(shared) <= PAGE, "a page");

/* What a worker has added in the slice under way: `low`, as stored. A state is noted before it is added, so that at a death no
 * added one is missing; one that need not be there is at worst explored again, as is another one of the same `low`. */
typedef struct journal {
  _Atomic uint64_t count; /* more than there is room for: not all were noted */
  uint64_t noted[];
} journal;
enum { JOURNAL = 1 << 25, NOTED = (JOURNAL - sizeof(journal)) / sizeof(uint64_t) };

struct eo_visited {
  eo_cache_mode mode;
  uint32_t most;       /* buckets */
  uint32_t most_depth; /* of the directory */
  size_t reserved;
  shared *shared;
  _Atomic uint32_t *directory; /* numbers of buckets */
  bucket *buckets;
  char *journals;   /* JOURNAL bytes for each worker; NULL: there was no room */
  journal *own;     /* of this process; NULL: none */
  uint32_t counter; /* its stripe */
};

/* ---- Locks that outlive their owners ---------------------------------------------------------------------------- */

EO_OWN static uint64_t own_identity; /* 0: not known yet */
EO_OWN static bool fork_watched;

static void after_fork(void) { own_identity = 0; }

/* Its number and when it started, since numbers are used again. 0: there is no such process, or it is dead. */
static uint64_t identity_of(pid_t pid) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return kill(pid, 0) == 0 && access("/proc/self/stat", R_OK) != 0 ? (uint64_t)pid << 32 | 1 : 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = '\0';
  const char *rest = strrchr(text, ')'); /* the name before it may contain anything */
  unsigned long long started = 0;
  char state = 0;
  if (!rest ||
      sscanf(rest + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &state,
             &started) != 2 ||
      state == 'Z' || state == 'X')
    return 0;
  return (uint64_t)pid << 32 | (uint32_t)started | 1;
}

static uint64_t identity(void) {
  if (!own_identity) own_identity = identity_of(getpid());
  return own_identity;
}

static void lock_slowly(_Atomic uint64_t *lock, uint64_t self) {
  double patience = eo__seconds() + PATIENCE;
  for (unsigned tries = 1;; tries++) {
    uint64_t owner = 0;
    if (atomic_compare_exchange_weak_explicit(lock, &owner, self, memory_order_acquire, memory_order_relaxed)) return;
    if (tries % 64) continue;
    sched_yield();
    if (!owner || eo__seconds() < patience) continue;
    bool dead = identity_of((pid_t)(owner >> 32)) != owner;
    if (dead && atomic_compare_exchange_strong_explicit(lock, &owner, self, memory_order_acquire, memory_order_relaxed))
      return;
    patience = eo__seconds() + PATIENCE;
  }
}

static inline void lock_take(_Atomic uint64_t *lock) {
  uint64_t self = identity(), owner = 0;
  if (!atomic_compare_exchange_strong_explicit(lock, &owner, self, memory_order_acquire, memory_order_relaxed))
    lock_slowly(lock, self);
}

static inline void lock_leave(_Atomic uint64_t *lock) { atomic_store_explicit(lock, 0, memory_order_release); }

/* ---- Buckets ---------------------------------------------------------------------------------------------------- */

static inline uint32_t slot_first(uint64_t high) { return (uint32_t)(((high >> 40) * SLOTS) >> 24); }

/* True: it is there. Else *free is where it could go, SLOTS if the bucket is full. */
static inline bool bucket_find(bucket *b, uint64_t low, uint64_t high, uint32_t *free) {
  uint32_t at = slot_first(high);
  *free = SLOTS;
  for (uint32_t i = 0; i < SLOTS; i++) {
    uint64_t found = atomic_load_explicit(&b->slots[at].low, memory_order_acquire);
    if (found == low && atomic_load_explicit(&b->slots[at].high, memory_order_relaxed) == high) return true;
    if (found == 0) {
      *free = at;
      return false;
    }
    if (++at == SLOTS) at = 0;
  }
  return false;
}

static inline void slot_set(slot *s, uint64_t low, uint64_t high) {
  atomic_store_explicit(&s->high, high, memory_order_relaxed);
  atomic_store_explicit(&s->low, low, memory_order_release);
}

/* Are there two buckets for a split? Without the directory's lock: perhaps. */
static bool can_take_two(eo_visited *visited) {
  shared *s = visited->shared;
  uint32_t taken = atomic_load_explicit(&s->taken, memory_order_relaxed);
  uint32_t first = atomic_load_explicit(&s->free, memory_order_relaxed);
  return taken + 2 <= visited->most || (first && (taken + 1 <= visited->most || visited->buckets[first - 1].next));
}

/* With the directory locked; there is one. Its lock is left alone: somebody who was late may hold it for a moment. */
static uint32_t take_bucket(eo_visited *visited) {
  shared *s = visited->shared;
  uint32_t number = atomic_load_explicit(&s->free, memory_order_relaxed);
  if (number) {
    bucket *b = &visited->buckets[--number];
    atomic_store_explicit(&s->free, b->next, memory_order_relaxed);
    memset((void *)b->slots, 0, sizeof b->slots);
    b->count = 0;
    atomic_fetch_add_explicit(&s->emptied, 1, memory_order_release);
  } else {
    number = atomic_load_explicit(&s->taken, memory_order_relaxed);
    atomic_store_explicit(&s->taken, number + 1, memory_order_relaxed);
  }
  return number;
}

/* ---- Splitting -------------------------------------------------------------------------------------------------- */

static void double_directory(eo_visited *visited) {
  uint32_t depth = atomic_load_explicit(&visited->shared->depth, memory_order_relaxed);
  uint32_t count = (uint32_t)1 << depth;
  for (uint32_t i = 0; i < count; i++)
    atomic_store_explicit(&visited->directory[count + i],
                          atomic_load_explicit(&visited->directory[i], memory_order_relaxed), memory_order_relaxed);
  atomic_store_explicit(&visited->shared->depth, depth + 1, memory_order_release);
}

/* Writes the two that the bucket was split into to the directory. Whoever was killed here may have left entries that
 * still lead to a bucket that this one was split from, and others may have split the new ones since: so what is at most
 * as deep is replaced. */
static void publish(eo_visited *visited, uint32_t number, uint64_t low) {
  bucket *b = &visited->buckets[number];
  shared *s = visited->shared;
  lock_take(&s->lock);
  uint32_t depth = atomic_load_explicit(&s->depth, memory_order_relaxed);
  for (uint32_t i = (uint32_t)(low & (((uint64_t)1 << b->depth) - 1)); i < (uint32_t)1 << depth; i += 1u << b->depth) {
    const bucket *now = &visited->buckets[atomic_load_explicit(&visited->directory[i], memory_order_relaxed)];
    if (now->depth <= b->depth)
      atomic_store_explicit(&visited->directory[i], b->halves[i >> b->depth & 1], memory_order_release);
  }
  b->next = atomic_load_explicit(&s->free, memory_order_relaxed);
  atomic_store_explicit(&s->free, number + 1, memory_order_release);
  lock_leave(&s->lock);
}

/* With the bucket locked. False: there is no memory for it. */
static bool split(eo_visited *visited, uint32_t number, uint64_t low) {
  bucket *b = &visited->buckets[number];
  shared *s = visited->shared;
  if (!can_take_two(visited)) return false;
  lock_take(&s->lock);
  bool room = can_take_two(visited);
  if (room && b->depth == atomic_load_explicit(&s->depth, memory_order_relaxed)) {
    room = b->depth < visited->most_depth;
    if (room) double_directory(visited);
  }
  for (int i = 0; room && i < 2; i++) b->halves[i] = take_bucket(visited);
  lock_leave(&s->lock);
  if (!room) return false;
  for (int i = 0; i < 2; i++) {
    visited->buckets[b->halves[i]].depth = b->depth + 1;
    atomic_store_explicit(&visited->buckets[b->halves[i]].split, 0, memory_order_relaxed);
  }
  for (uint32_t i = 0; i < SLOTS; i++) {
    uint64_t a = atomic_load_explicit(&b->slots[i].low, memory_order_relaxed);
    uint64_t z = atomic_load_explicit(&b->slots[i].high, memory_order_relaxed);
    if (a <= REMOVED) continue;
    bucket *half = &visited->buckets[b->halves[a >> b->depth & 1]];
    uint32_t at;
    bucket_find(half, a, z, &at);
    slot_set(&half->slots[at], a, z);
    half->count++;
  }
  atomic_store_explicit(&b->split, 1, memory_order_release);
  publish(visited, number, low);
  return true;
}

/* ---- The set ---------------------------------------------------------------------------------------------------- */

static inline uint32_t look_up(const eo_visited *visited, uint64_t low) {
  uint32_t depth = atomic_load_explicit(&visited->shared->depth, memory_order_acquire);
  return atomic_load_explicit(&visited->directory[low & (((uint64_t)1 << depth) - 1)], memory_order_acquire);
}

/* The bucket of this state, locked. */
static uint32_t take_locked(eo_visited *visited, uint64_t low) {
  for (;;) {
    uint32_t number = look_up(visited, low);
    bucket *b = &visited->buckets[number];
    lock_take(&b->lock);
    if (look_up(visited, low) == number) {
      if (!atomic_load_explicit(&b->split, memory_order_acquire)) return number;
      publish(visited, number, low); /* whoever split it was killed */
    }
    lock_leave(&b->lock);
  }
}

static inline void normalise(const eo_visited *visited, const uint64_t fingerprint[2], uint64_t *low, uint64_t *high) {
  uint64_t epoch = atomic_load_explicit(&visited->shared->epoch, memory_order_relaxed) * 0x9e3779b97f4a7c15u;
  *low = fingerprint[0] ^ epoch;
  *high = fingerprint[1] ^ epoch;
  if (*low <= REMOVED) *low |= (uint64_t)1 << 63; /* these two mean something else */
}

static inline void count_one(const eo_visited *visited) {
  _Atomic uint64_t *count = &visited->shared->stripes[visited->counter].count;
  if (visited->counter)
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1, memory_order_relaxed);
  else
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

static void count_lost(const eo_visited *visited) {
  atomic_fetch_add_explicit(&visited->shared->stripes[visited->counter].lost, 1, memory_order_relaxed);
}

/* With the bucket locked, and full. */
static eo_visit add_to_full(eo_visited *visited, bucket *b, uint64_t low, uint64_t high) {
  count_lost(visited);
  if (visited->mode != EO_CACHE_REPLACE) return EO_VISIT_REFUSED;
  slot_set(&b->slots[slot_first(high)], low, high);
  return EO_VISIT_NEW;
}

/* Where a state was looked for without a lock, and was not: the slot where it could go. If none became empty since, and
 * this one still is, then that is still where it goes. */
typedef struct gap {
  uint32_t emptied, number, at;
} gap;

static inline bool still_there(const eo_visited *visited, const gap *found, uint32_t number) {
  return number == found->number && found->at != SLOTS &&
         atomic_load_explicit(&visited->shared->emptied, memory_order_relaxed) == found->emptied &&
         atomic_load_explicit(&visited->buckets[number].slots[found->at].low, memory_order_relaxed) == 0;
}

static eo_visit add_locked(eo_visited *visited, uint64_t low, uint64_t high, const gap *found) {
  for (;;) {
    uint32_t number = take_locked(visited, low);
    bucket *b = &visited->buckets[number];
    eo_visit visit = EO_VISIT_SEEN;
    uint32_t at = found->at;
    if (still_there(visited, found, number) || !bucket_find(b, low, high, &at)) {
      if (b->count >= ENOUGH && split(visited, number, low)) {
        lock_leave(&b->lock);
        continue;
      }
      if (at == SLOTS) {
        visit = add_to_full(visited, b, low, high);
      } else {
        visit = EO_VISIT_NEW;
        slot_set(&b->slots[at], low, high);
        b->count++;
        count_one(visited);
      }
    }
    lock_leave(&b->lock);
    return visit;
  }
}

void eo__visited_fetch(const eo_visited *visited, const uint64_t fingerprint[2]) {
  uint64_t low, high;
  normalise(visited, fingerprint, &low, &high);
  const bucket *b = &visited->buckets[look_up(visited, low)];
  __builtin_prefetch(&b->slots[slot_first(high)], 1);
  __builtin_prefetch(b, 1);
}

eo_visit eo__visited_add(eo_visited *visited, const uint64_t fingerprint[2]) {
  uint64_t low, high;
  normalise(visited, fingerprint, &low, &high);
  if (visited->mode == EO_CACHE_OFF) {
    count_lost(visited);
    return EO_VISIT_REFUSED;
  }
  gap found = {.emptied = atomic_load_explicit(&visited->shared->emptied, memory_order_acquire)};
  found.number = look_up(visited, low);
  if (bucket_find(&visited->buckets[found.number], low, high, &found.at)) return EO_VISIT_SEEN;
  journal *own = visited->own;
  if (!own) return add_locked(visited, low, high, &found);
  uint64_t count = atomic_load_explicit(&own->count, memory_order_relaxed);
  if (count < NOTED) own->noted[count] = low;
  atomic_store_explicit(&own->count, count + 1, memory_order_release);
  eo_visit visit = add_locked(visited, low, high, &found);
  if (visit != EO_VISIT_NEW && count < NOTED) atomic_store_explicit(&own->count, count, memory_order_release);
  return visit;
}

bool eo__visited_has(const eo_visited *visited, const uint64_t fingerprint[2]) {
  eo_visited *set = (eo_visited *)visited; /* but for a lock, nothing changes */
  uint64_t low, high;
  uint32_t at;
  if (visited->mode == EO_CACHE_OFF) return false;
  normalise(visited, fingerprint, &low, &high);
  if (bucket_find(&visited->buckets[look_up(visited, low)], low, high, &at)) return true;
  uint32_t number = take_locked(set, low);
  bool found = bucket_find(&set->buckets[number], low, high, &at);
  lock_leave(&set->buckets[number].lock);
  return found;
}

/* Forgets the states of this `low`. Where others may lie behind one, its slot does not become empty. */
static void remove_state(eo_visited *visited, uint64_t low) {
  uint32_t number = take_locked(visited, low);
  bucket *b = &visited->buckets[number];
  for (uint32_t at = 0; at < SLOTS; at++) {
    if (b->slots[at].low != low) continue;
    if (b->slots[at + 1 == SLOTS ? 0 : at + 1].low == 0) {
      atomic_store_explicit(&b->slots[at].low, 0, memory_order_release);
      atomic_fetch_add_explicit(&visited->shared->emptied, 1, memory_order_release);
      b->count--;
      atomic_fetch_sub_explicit(&visited->shared->stripes[0].count, 1,
                                memory_order_relaxed); /* their sum is what counts */
    } else {
      atomic_store_explicit(&b->slots[at].low, REMOVED, memory_order_release);
    }
  }
  lock_leave(&b->lock);
}

static journal *journal_of(const eo_visited *visited, uint32_t worker) {
  return (journal *)(visited->journals + (size_t)worker * JOURNAL);
}

void eo__visited_own(eo_visited *visited, uint32_t worker) {
  /* A child that the program forks, should it come back into the engine, must not add states: nobody explores them. */
  madvise(visited->shared, visited->reserved, MADV_DONTFORK);
  if (visited->journals && worker < EO_VISITED_WORKERS) visited->own = journal_of(visited, worker);
  visited->counter = worker + 1 < STRIPES ? worker + 1 : 0;
}

void eo__visited_slice(eo_visited *visited) {
  if (visited->own) atomic_store_explicit(&visited->own->count, 0, memory_order_release);
}

void eo__visited_undo(eo_visited *visited, uint32_t worker) {
  journal *noted = visited->journals && worker < EO_VISITED_WORKERS ? journal_of(visited, worker) : NULL;
  uint64_t count = noted ? atomic_load_explicit(&noted->count, memory_order_acquire) : UINT64_MAX;
  if (count > NOTED) {
    eo__visited_clear(visited);
    count = 0;
  }
  while (count > 0) { /* the last first: it mostly lies behind the others */
    count--;
    remove_state(visited, noted->noted[count]);
  }
  if (noted) atomic_store_explicit(&noted->count, 0, memory_order_release);
}

void eo__visited_clear(eo_visited *visited) {
  atomic_fetch_add_explicit(&visited->shared->epoch, 1, memory_order_relaxed);
}

void eo__visited_empty(eo_visited *visited) {
  if (visited->own) atomic_store_explicit(&visited->own->count, 0, memory_order_release);
  if (madvise(visited->shared, visited->reserved, MADV_REMOVE) != 0) {
    eo__visited_clear(visited); /* the next best */
    return;
  }
  atomic_store_explicit(&visited->shared->taken, 1, memory_order_relaxed);
}

uint64_t eo__visited_count(const eo_visited *visited) {
  uint64_t count = 0;
  for (int i = 0; i < STRIPES; i++)
    count += atomic_load_explicit(&visited->shared->stripes[i].count, memory_order_relaxed);
  return count;
}

uint64_t eo__visited_lost(const eo_visited *visited) {
  uint64_t lost = 0;
  for (int i = 0; i < STRIPES; i++)
    lost += atomic_load_explicit(&visited->shared->stripes[i].lost, memory_order_relaxed);
  return lost;
}

static uint64_t directory_bytes(uint32_t depth) {
  uint64_t size = sizeof(uint32_t) << depth;
  return (size + PAGE - 1) / PAGE * PAGE;
}

uint64_t eo__visited_bytes(const eo_visited *visited) {
  if (visited->mode == EO_CACHE_OFF) return PAGE;
  return PAGE + directory_bytes(atomic_load_explicit(&visited->shared->depth, memory_order_relaxed)) +
         (uint64_t)atomic_load_explicit(&visited->shared->taken, memory_order_relaxed) * PAGE;
}

/* ---- Open and close --------------------------------------------------------------------------------------------- */

/* How many buckets there may be, and how large the directory, so that all of it stays within `bytes`. */
static int plan(eo_visited *visited, uint64_t bytes, eo_error *error) {
  visited->most = MOST_BUCKETS;
  visited->most_depth = MOST_DEPTH;
  if (visited->mode == EO_CACHE_OFF) visited->most = 1;
  if (bytes == 0 || visited->mode == EO_CACHE_OFF) return EO_OK;
  if (bytes < 3 * PAGE)
    return eo__error_set(
        error, EO_EINPUT,
        "a cache of %llu bytes is too small for one state: it needs at least %d (--cache-mb 1 is enough)",
        (unsigned long long)bytes, 3 * PAGE);
  uint64_t most = (bytes - 2 * PAGE) / (PAGE + DIRECTORY_SHARE);
  if (most == 0) most = 1;
  if (most < visited->most) visited->most = (uint32_t)most;
  visited->most_depth = 0;
  while (visited->most_depth < MOST_DEPTH && directory_bytes(visited->most_depth + 1) <= PAGE + most * DIRECTORY_SHARE)
    visited->most_depth++;
  return EO_OK;
}

/* Reserves addresses, which costs nothing: memory is taken when a page is first written. With `ulimit -v`, less. */
static void *reserve(eo_visited *visited) {
  for (;;) {
    visited->reserved = PAGE + directory_bytes(visited->most_depth) + (size_t)visited->most * PAGE;
    void *got =
        eo__map(NULL, visited->reserved, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got != MAP_FAILED) return got;
    if (visited->most < 1024) return NULL;
    visited->most /= 2;
    if (visited->most_depth > 1) visited->most_depth--;
  }
}

eo_visited *eo__visited_open(eo_cache_mode mode, uint64_t bytes, eo_error *error) {
  eo_visited *visited = eo__alloc(sizeof *visited);
  if (!visited) {
    eo__error_nomem(error);
    return NULL;
  }
  visited->mode = mode;
  char *memory = NULL;
  if (plan(visited, bytes, error) == EO_OK && !(memory = reserve(visited)))
    eo__error_set(error, EO_ESYSTEM, "there is no memory for a cache of visited states; --cache off needs none");
  if (!memory) {
    eo__free(visited);
    return NULL;
  }
  visited->shared = (shared *)memory;
  visited->directory = (_Atomic uint32_t *)(memory + PAGE);
  visited->buckets = (bucket *)(memory + PAGE + directory_bytes(visited->most_depth));
  atomic_store_explicit(&visited->shared->taken, 1, memory_order_relaxed);
  visited->journals = eo__map(NULL, (size_t)EO_VISITED_WORKERS * JOURNAL, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (visited->journals == MAP_FAILED) visited->journals = NULL;
  if (!fork_watched) fork_watched = pthread_atfork(NULL, NULL, after_fork) == 0;
  own_identity = 0;
  return visited;
}

void eo__visited_close(eo_visited *visited) {
  if (!visited) return;
  if (visited->journals) munmap(visited->journals, (size_t)EO_VISITED_WORKERS * JOURNAL);
  munmap(visited->shared, visited->reserved);
  eo__free(visited);
}
