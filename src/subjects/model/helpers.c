/* helpers.c: see helpers.h. Chunks are in a ring, counted from the start of the search: those before `first` are dropped, before
 * `next` taken by somebody, before `end` posted. */
#include "subjects/model/helpers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "base/alloc.h"

enum {
  CHUNKS_A_HELPER = 4,
  MOST_LOG = 8 << 20,      /* bytes of the log of a chunk: what is behind is left to the search */
  A_MOMENT = 20 * 1000000, /* ns */
};

typedef struct helper {
  eo__helpers *all;
  pthread_t thread;
  eo__expander expander;
  bool started;
} helper;

struct eo__helpers {
  pthread_mutex_t lock;
  pthread_cond_t posted, finished;
  uint64_t first, next, end; /* under the lock, as `done` of a chunk */
  bool ends;                 /* atomic */
  uint32_t size, count;
  eo__chunk *ring;
  helper *helpers;
};

/* ---- Expanding a chunk ------------------------------------------------------------------------------------------------ */

static void cut(eo__log *log, const eo__log *before) {
  log->events.count = before->events.count;
  log->bytes.count = before->bytes.count;
  log->failures.count = before->failures.count;
  log->steps.count = before->steps.count;
}

static void expand_chunk(eo__chunk *chunk, eo__expander *e) {
  eo__part part = e->search->reduce ? EO__PART_SET : EO__PART_ALL;
  e->log = &chunk->log;
  e->most_size = MOST_LOG;
  for (uint32_t i = 0; i < chunk->count && eo__log_size(&chunk->log) < MOST_LOG; i++) {
    eo__log before = chunk->log;
    chunk->no_memory = !eo__expand(e, chunk->states[i], part);
    bool partly = chunk->no_memory || e->halted || e->too_large;
    if (partly) cut(&chunk->log, &before);
    chunk->expanded += !partly;
    if (partly || e->stopped) return;
  }
}

/* Under the lock, which is left meanwhile. */
static void expand_next(eo__helpers *h, eo__expander *e) {
  eo__chunk *chunk = &h->ring[h->next++ % h->size];
  pthread_mutex_unlock(&h->lock);
  expand_chunk(chunk, e);
  pthread_mutex_lock(&h->lock);
  chunk->done = true;
  pthread_cond_signal(&h->finished);
}

bool eo__helpers_help(eo__helpers *h, eo__expander *own) {
  pthread_mutex_lock(&h->lock);
  bool some = h->next < h->end;
  if (some) expand_next(h, own);
  pthread_mutex_unlock(&h->lock);
  return some;
}

static void *help(void *argument) {
  helper *own = argument;
  eo__helpers *h = own->all;
  pthread_mutex_lock(&h->lock);
  while (!__atomic_load_n(&h->ends, __ATOMIC_RELAXED))
    if (h->next < h->end)
      expand_next(h, &own->expander);
    else
      pthread_cond_wait(&h->posted, &h->lock);
  pthread_mutex_unlock(&h->lock);
  return NULL;
}

static bool ends(void *helpers) { return __atomic_load_n(&((eo__helpers *)helpers)->ends, __ATOMIC_RELAXED); }

/* ---- Chunks ------------------------------------------------------------------------------------------------------------ */

eo__chunk *eo__helpers_room(eo__helpers *h) {
  if (h->end - h->first == h->size) return NULL;
  eo__chunk *chunk = &h->ring[h->end % h->size];
  chunk->count = chunk->expanded = 0;
  chunk->no_memory = chunk->done = false;
  eo__log_clear(&chunk->log);
  return chunk;
}

void eo__helpers_post(eo__helpers *h) {
  pthread_mutex_lock(&h->lock);
  h->end++;
  pthread_cond_signal(&h->posted);
  pthread_mutex_unlock(&h->lock);
}

eo__chunk *eo__helpers_first(eo__helpers *h) { return h->first < h->end ? &h->ring[h->first % h->size] : NULL; }

void eo__helpers_drop(eo__helpers *h) { h->first++; }

bool eo__helpers_done(eo__helpers *h, const eo__chunk *chunk) {
  pthread_mutex_lock(&h->lock);
  bool done = chunk->done;
  pthread_mutex_unlock(&h->lock);
  return done;
}

void eo__helpers_wait(eo__helpers *h, const eo__chunk *chunk) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += A_MOMENT;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&h->lock);
  while (!chunk->done && pthread_cond_timedwait(&h->finished, &h->lock, &until) != ETIMEDOUT) continue;
  pthread_mutex_unlock(&h->lock);
}

/* ---- Beginning and end ------------------------------------------------------------------------------------------------- */

static void start(helper *own, const eo_promela_search *search) {
  if (!eo__expander_open(&own->expander, search)) return;
  own->expander.halt = ends;
  own->expander.context = own->all;
  own->started = pthread_create(&own->thread, NULL, help, own) == 0;
}

/* Signals are for the thread of the search. */
static bool start_all(eo__helpers *h, const eo_promela_search *search) {
  sigset_t all, before;
  bool some = false;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (uint32_t i = 0; i < h->count; i++) {
    h->helpers[i].all = h;
    start(&h->helpers[i], search);
    some |= h->helpers[i].started;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return some;
}

eo__helpers *eo__helpers_open(const eo_promela_search *search, uint32_t count) {
  eo__helpers *h = eo__alloc(sizeof *h);
  if (!h) return NULL;
  pthread_mutex_init(&h->lock, NULL);
  pthread_cond_init(&h->posted, NULL);
  pthread_cond_init(&h->finished, NULL);
  h->size = (count + 1) * CHUNKS_A_HELPER;
  h->ring = eo__alloc(h->size * sizeof *h->ring);
  h->helpers = eo__alloc(count * sizeof *h->helpers);
  h->count = h->helpers ? count : 0;
  if (h->ring && h->helpers && start_all(h, search)) return h;
  eo__helpers_close(h);
  return NULL;
}

void eo__helpers_close(eo__helpers *h) {
  if (!h) return;
  pthread_mutex_lock(&h->lock);
  __atomic_store_n(&h->ends, true, __ATOMIC_RELAXED);
  pthread_cond_broadcast(&h->posted);
  pthread_mutex_unlock(&h->lock);
  for (uint32_t i = 0; i < h->count; i++) {
    if (h->helpers[i].started) pthread_join(h->helpers[i].thread, NULL);
    eo__expander_close(&h->helpers[i].expander);
  }
  for (uint32_t i = 0; h->ring && i < h->size; i++) eo__log_release(&h->ring[i].log);
  pthread_mutex_destroy(&h->lock);
  pthread_cond_destroy(&h->posted);
  pthread_cond_destroy(&h->finished);
  eo__free(h->ring);
  eo__free(h->helpers);
  eo__free(h);
}

uint64_t eo__helpers_bytes(eo__helpers *h) {
  if (!h) return 0;
  uint64_t bytes = h->size * sizeof *h->ring + h->count * sizeof *h->helpers;
  pthread_mutex_lock(&h->lock);
  for (uint64_t i = h->first; i < h->next; i++) { /* of others the logs are being written */
    const eo__chunk *chunk = &h->ring[i % h->size];
    if (chunk->done) bytes += eo__log_bytes(&chunk->log);
  }
  pthread_mutex_unlock(&h->lock);
  return bytes;
}
