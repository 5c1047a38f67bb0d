/* heat.c: see heat.h. A log is an array of places at reserved addresses. A worker takes some thousands of them at a time,
 * so that workers do not wait for each other, and writes the last word of a place last: one that is 0 is empty. */
#include "core/heat.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/map.h"
#include "core/visited.h"

enum { CHUNK = 4096, SEARCHED = 4 /* times its own size: what searching the log takes in all */ };
enum { AHEAD = 16 /* places: to be in the cache when they are written */ };
enum { POPULATE = 23 }; /* MADV_POPULATE_WRITE, from Linux 5.14 on; before, pages come as they are written */
#define MOST_PLACES ((uint64_t)1 << 35)

/* A step begins where the place before it leads to: mostly that is the step before. Where it is not, and at the beginning of a
 * chunk, there is a place without a step first, which leads to where the step begins. */
typedef struct place {
  uint64_t to;
  _Atomic uint64_t rest; /* mark, stays, and bits */
} place;
enum { WRITTEN = 1, FAIR = 2, BEGINS = 4, STAYS = 16, MARK = 32 };

typedef struct shared {
  _Atomic uint64_t taken; /* places, in whole chunks */
  _Atomic uint32_t given_up;
} shared;

struct eo_heats {
  shared *shared;
  place *places;
  uint64_t most, bytes;
  const eo_visited *visited;
  uint64_t at, end; /* of the chunk of this process */
};

enum { HEAD = 4096 };

/* Reserving addresses costs nothing: memory is taken when a page is first written. With `ulimit -v` there are fewer. */
eo_heats *eo__heats_open(uint64_t bytes, const eo_visited *visited, eo_error *error) {
  eo_heats *heats = eo__alloc(sizeof *heats);
  void *memory = MAP_FAILED;
  uint64_t most = MOST_PLACES;
  for (; heats && memory == MAP_FAILED && most >= CHUNK; most /= 2)
    memory = eo__map(NULL, HEAD + most * sizeof(place), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    eo__free(heats);
    eo__error_nomem(error);
    return NULL;
  }
  *heats = (eo_heats){.shared = memory,
                      .places = (place *)((char *)memory + HEAD),
                      .most = 2 * most, /* the loop has gone one too far */
                      .bytes = bytes,
                      .visited = visited};
  return heats;
}

void eo__heats_close(eo_heats *heats) {
  if (!heats) return;
  munmap(heats->shared, HEAD + heats->most * sizeof(place));
  eo__free(heats);
}

uint64_t eo__heats_places(const eo_heats *heats) {
  return atomic_load_explicit(&heats->shared->taken, memory_order_acquire);
}

uint64_t eo__heats_bytes(const eo_heats *heats) {
  return eo__heats_whole(heats) ? HEAD + eo__heats_places(heats) * sizeof(place) : HEAD;
}

bool eo__heats_whole(const eo_heats *heats) {
  return !atomic_load_explicit(&heats->shared->given_up, memory_order_acquire);
}

/* Somebody may be writing to the log: such a page comes back, but nobody takes another chunk. */
static void give_up(eo_heats *heats) {
  uint64_t taken = eo__heats_places(heats);
  atomic_store_explicit(&heats->shared->given_up, 1, memory_order_release);
  if (taken) madvise(heats->places, taken * sizeof(place), MADV_REMOVE);
}

void eo__heats_look(eo_heats *heats) {
  uint64_t used = eo__heats_places(heats) * sizeof(place) * SEARCHED;
  if (!used || !heats->bytes || !eo__heats_whole(heats)) return;
  if (used + eo__visited_bytes(heats->visited) > heats->bytes) give_up(heats);
}

static bool take_chunk(eo_heats *heats) {
  eo__heats_look(heats);
  if (!eo__heats_whole(heats)) return false;
  heats->at = atomic_fetch_add_explicit(&heats->shared->taken, CHUNK, memory_order_acq_rel);
  heats->end = heats->at + CHUNK;
  if (heats->end <= heats->most) {
    (void)madvise(&heats->places[heats->at], CHUNK * sizeof(place), POPULATE); /* one call for many faults */
    return true;
  }
  atomic_fetch_sub_explicit(&heats->shared->taken, CHUNK, memory_order_acq_rel);
  heats->at = heats->end;
  give_up(heats);
  return false;
}

static void write_place(eo_heats *heats, uint64_t to, uint64_t rest) {
  place *here = &heats->places[heats->at++];
  here->to = to;
  atomic_store_explicit(&here->rest, rest, memory_order_release);
}

void eo__heats_add(eo_heats *heats, const eo_heat *heat) {
  if (!eo__heats_whole(heats)) return;
  if (heat->mark == EO_NO_MARK) {
    give_up(heats);
    return;
  }
  bool follows = heats->at % CHUNK && heats->places[heats->at - 1].to == heat->from;
  uint64_t needed = follows ? 1 : 2;
  if (heats->end - heats->at < needed) { /* what is left of the chunk stays empty */
    if (!take_chunk(heats)) return;
    follows = false;
  }
  __builtin_prefetch(&heats->places[heats->at + AHEAD], 1);
  if (!follows) write_place(heats, heat->from, BEGINS);
  write_place(heats, heat->to,
              WRITTEN | (heat->fair ? FAIR : 0) | (uint64_t)heat->stays << STAYS | (uint64_t)heat->mark << MARK);
}

bool eo__heats_at(const eo_heats *heats, uint64_t place_number, eo_heat *heat) {
  const place *here = &heats->places[place_number];
  uint64_t rest = atomic_load_explicit(&here->rest, memory_order_acquire);
  if (!(rest & WRITTEN)) return false;
  *heat = (eo_heat){.from = here[-1].to,
                    .to = here->to,
                    .mark = (uint32_t)(rest >> MARK),
                    .stays = (uint16_t)(rest >> STAYS),
                    .fair = (rest & FAIR) != 0};
  return true;
}

uint64_t eo__heats_leads(const eo_heats *heats, uint64_t place_number) { return heats->places[place_number].to; }
