/* acyclic.c: see acyclic.h.
 *
 * Strategies log steps as they walk, so the log is made of stretches: of two steps in a row, the second begins where the first
 * led to. Joints are the states at which a stretch begins or ends, and those from which steps were logged before (by a filter
 * that may say so wrongly, but never misses one). From any other state exactly one step was logged, the next one in its stretch.
 * So a circle without joints would go on in the log for ever: each circle has a joint, and the graph of joints alone, with the
 * ways between them as edges, has a circle exactly if the graph of all states has one. It is small; what remains of it when
 * joints that nothing leads to are taken away, again and again (Kahn 1962), are its circles. */
#include "core/acyclic.h"

#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"

enum {
  FEW = 1024,
  PART = 8,  /* more joints than one state in so many: the whole search is no worse */
  AHEAD = 12 /* places of the log: what will be looked up is fetched so far ahead */
};

typedef struct way {
  uint32_t from, to;
} way;

typedef struct joints {
  const eo_heats *heats;
  uint64_t end;     /* of its places */
  uint64_t *filter; /* of states that steps were logged from, two bits of one word each */
  uint64_t words;   /* a power of two */
  uint64_t *table;  /* of joints, by state; 0: empty */
  uint32_t *number; /* of the joint there */
  uint32_t room, count;
  EO_VEC(way) ways;
} joints;

static uint64_t spread(uint64_t state) {
  state *= UINT64_C(0x9e3779b97f4a7c15);
  return state ^ state >> 29;
}

static uint64_t *filter_of(const joints *j, uint64_t hash) { return &j->filter[hash >> 12 & (j->words - 1)]; }

/* Were steps from this state perhaps logged before? From now on they were. */
static bool met(joints *j, uint64_t state) {
  uint64_t hash = spread(state), bits = UINT64_C(1) << (hash & 63) | UINT64_C(1) << (hash >> 6 & 63);
  uint64_t *word = filter_of(j, hash);
  bool all = (*word & bits) == bits;
  *word |= bits;
  return all;
}

static uint32_t first_place(const joints *j, uint64_t state) { return (uint32_t)(spread(state) >> 20) & (j->room - 1); }

static uint32_t place_of(const joints *j, uint64_t state) {
  uint32_t at = first_place(j, state);
  while (j->table[at] && j->table[at] != state) at = (at + 1) & (j->room - 1);
  return at;
}

static bool grow(joints *j) {
  joints wider = *j;
  wider.room = j->room ? 2 * j->room : 4 * FEW;
  wider.table = eo__alloc(wider.room * sizeof *wider.table);
  wider.number = eo__alloc(wider.room * sizeof *wider.number);
  bool good = wider.table && wider.number;
  for (uint32_t i = 0; good && i < j->room; i++) {
    if (!j->table[i]) continue;
    uint32_t at = place_of(&wider, j->table[i]);
    wider.table[at] = j->table[i];
    wider.number[at] = j->number[i];
  }
  eo__free(good ? j->table : wider.table);
  eo__free(good ? j->number : wider.number);
  if (good) *j = wider;
  return good;
}

/* 0 is no state. False: no memory. */
static bool add_joint(joints *j, uint64_t state) {
  if (!state) return true;
  if (2 * (uint64_t)j->count >= j->room && !grow(j)) return false;
  uint32_t at = place_of(j, state);
  if (j->table[at]) return true;
  j->table[at] = state;
  j->number[at] = j->count++;
  return true;
}

/* Finds the joints. False: there are too many, or no memory. */
static bool find_joints(joints *j) {
  uint64_t to = 0; /* where the last step led; 0: out of the graph, or there is none */
  for (uint64_t i = 0; i < j->end; i++) {
    eo_heat heat = {0};
    if (i + AHEAD < j->end) __builtin_prefetch(filter_of(j, spread(eo__heats_leads(j->heats, i + AHEAD))), 1);
    bool there = eo__heats_at(j->heats, i, &heat), on = there && heat.from == to;
    if (!on && !add_joint(j, to)) return false;
    if (there && (met(j, heat.from) || !on) && !add_joint(j, heat.from)) return false;
    if (j->count > FEW + j->end / PART) return false;
    to = heat.to;
  }
  return add_joint(j, to);
}

/* The way from a joint to this state, which is one, if a specification stays hot on it. */
static bool add_way(joints *j, uint32_t from, uint64_t state, uint16_t stays) {
  if (!state || !stays) return true;
  return eo_vec_push(&j->ways, ((way){from, j->number[place_of(j, state)]}));
}

static bool find_ways(joints *j) {
  uint64_t to = 0;
  uint32_t from = 0;
  uint16_t stays = 0;
  for (uint64_t i = 0; i <= j->end; i++) {
    eo_heat heat = {0};
    if (i + AHEAD < j->end) __builtin_prefetch(&j->table[first_place(j, eo__heats_leads(j->heats, i + AHEAD))]);
    bool there = i < j->end && eo__heats_at(j->heats, i, &heat), on = there && heat.from == to;
    uint32_t at = there ? place_of(j, heat.from) : 0;
    bool joint = there && j->table[at];
    if ((!on || joint) && !add_way(j, from, to, stays)) return false;
    if (joint) {
      from = j->number[at];
      stays = UINT16_MAX;
    }
    stays &= heat.stays;
    to = heat.to;
  }
  return true;
}

/* Takes joints away that no way leads to. True: none is left. */
static bool falls_apart(joints *j) {
  size_t joints_and_one = (size_t)j->count + 1, gone = 0, free = 0;
  uint32_t *leading = eo__alloc(joints_and_one * sizeof *leading), *first = eo__alloc(joints_and_one * sizeof *first);
  uint32_t *targets = eo__alloc((j->ways.count + 1) * sizeof *targets);
  uint32_t *queue = eo__alloc(joints_and_one * sizeof *queue);
  bool memory = leading && first && targets && queue;
  if (memory) {
    for (size_t i = 0; i < j->ways.count; i++) {
      leading[j->ways.items[i].to]++;
      first[j->ways.items[i].from]++;
    }
    for (uint32_t i = 1; i <= j->count; i++) first[i] += first[i - 1]; /* where its targets end */
    for (size_t i = 0; i < j->ways.count; i++) targets[--first[j->ways.items[i].from]] = j->ways.items[i].to;
    for (uint32_t i = 0; i < j->count; i++)
      if (!leading[i]) queue[free++] = i;
    for (; gone < free; gone++)
      for (uint32_t t = first[queue[gone]]; t < first[queue[gone] + 1]; t++)
        if (--leading[targets[t]] == 0) queue[free++] = targets[t];
  }
  eo__free(leading);
  eo__free(first);
  eo__free(targets);
  eo__free(queue);
  return memory && gone == j->count;
}

bool eo__heats_acyclic(const eo_heats *heats) {
  joints j = {.heats = heats, .end = eo__heats_places(heats), .words = 64};
  while (4 * j.words < j.end) j.words *= 2; /* 16 bits and more for each step */
  j.filter = eo__alloc(j.words * sizeof *j.filter);
  bool none = j.filter && grow(&j) && find_joints(&j) && find_ways(&j) && falls_apart(&j);
  eo__free(j.filter);
  eo__free(j.table);
  eo__free(j.number);
  eo_vec_release(&j.ways);
  return none;
}
