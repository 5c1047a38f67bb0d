/* full_store.c: a search of full.h as a file, for the same build of the command and the same model: numbers and structs as they
 * lie in memory, the states that wait, and all that is kept of the others. doc/formats/resume.md. */
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "subjects/model/full_inside.h"
#include "subjects/model/property.h"

#define MAGIC "everyorder states 2\n"

/* A file that is written or read; the checksum goes along. */
typedef struct stream {
  FILE *file;
  XXH3_state_t *sum;
  bool reads, bad, no_memory;
} stream;

static void pass(stream *s, void *bytes, size_t size) {
  if (s->bad || s->no_memory || !size) return;
  s->bad = s->reads ? fread(bytes, size, 1, s->file) != 1 : fwrite(bytes, size, 1, s->file) != 1;
  if (!s->bad) XXH3_128bits_update(s->sum, bytes, size);
}

#define PASS(stream, value) pass((stream), &(value), sizeof(value))

/* As many items as there are, or are to be. */
static void pass_pages(stream *s, eo_pages *pages) {
  uint64_t count = pages->count;
  unsigned char none[64] = {0};
  PASS(s, count);
  for (uint64_t i = 0; i < count && !s->bad && !s->no_memory; i++) {
    s->no_memory |= s->reads && !eo__pages_push(pages, none);
    if (!s->no_memory) pass(s, eo_pages_at(pages, i), pages->size);
  }
}

static void pass_items(stream *s, void **items, size_t *count, size_t *capacity, size_t size) {
  uint64_t there = *count;
  PASS(s, there);
  if (s->reads && !s->bad && there > *capacity) s->no_memory |= !eo__vec_grow(items, capacity, (size_t)there, size);
  if (s->bad || s->no_memory) return;
  *count = (size_t)there;
  char *block;
  memcpy(&block, items, sizeof block);
  pass(s, block, (size_t)there * size);
}

#define PASS_VEC(stream, vec) \
  pass_items((stream), (void **)&(vec)->items, &(vec)->count, &(vec)->capacity, sizeof *(vec)->items)

static void pass_states(stream *s, eo__states *states) {
  PASS(s, states->count);
  PASS(s, states->mask);
  PASS(s, states->rest.size);
  if (s->reads && !s->bad) {
    states->slots = eo__alloc((states->mask + 1) * sizeof *states->slots);
    s->no_memory |= !states->slots;
  }
  pass(s, states->slots, (states->mask + 1) * sizeof *states->slots);
  pass_pages(s, &states->rest);
}

/* The states that wait, the one whose list is read first. */
static void pass_queue(stream *s, eo__full *search) {
  eo__waiting head;
  uint64_t count = search->origins.count - search->current;
  if (!s->reads) eo__queue_unread(&search->queue);
  for (uint64_t i = 0; i < count && !s->bad && !s->no_memory; i++) {
    const unsigned char *record = s->reads ? NULL : eo__queue_read(&search->queue);
    if (record) memcpy(&head, record, sizeof head);
    PASS(s, head);
    if (s->bad) return;
    unsigned char *to = s->reads ? eo__queue_add(&search->queue, sizeof head + head.size) : NULL;
    s->no_memory |= s->reads && !to;
    if (to) memcpy(to, &head, sizeof head);
    if (!s->no_memory) pass(s, (to ? to : (unsigned char *)record) + sizeof head, head.size);
  }
}

/* What executions are looked at for: so no two tests of a model have the same file. */
static void pass_property(stream *s, const eo_promela_property *property) {
  char own[EO_PROMELA_NAME] = "", name[EO_PROMELA_NAME];
  if (property) snprintf(own, sizeof own, "%s", property->name);
  memcpy(name, own, sizeof name);
  pass(s, name, sizeof name);
  s->bad |= memcmp(name, own, sizeof name) != 0;
}

static void pass_all(stream *s, eo__full *search) {
  eo_promela_search *wanted = search->search;
  char magic[sizeof MAGIC] = MAGIC;
  pass(s, magic, sizeof magic - 1);
  s->bad |= memcmp(magic, MAGIC, sizeof magic - 1) != 0;
  pass_property(s, wanted->property);
  PASS(s, wanted->counts);
  PASS(s, search->current);
  PASS(s, search->level_end);
  PASS(s, search->look_at);
  PASS(s, search->cycled);
  PASS(s, search->depth);
  PASS(s, search->nth);
  PASS(s, search->begun);
  PASS(s, search->events);
  pass_states(s, &search->seen);
  pass_pages(s, &search->origins);
  pass_pages(s, &search->later);
  PASS(s, search->put_off);
  PASS(s, search->closes);
  PASS(s, search->at_others);
  pass_queue(s, search);
  PASS_VEC(s, &search->graph.edges);
  PASS_VEC(s, &search->graph.first);
  PASS_VEC(s, &search->graph.kinds);
  if (wanted->taken) pass(s, wanted->taken, wanted->model->transition_count);
}

bool eo__full_store(eo__full *search, FILE *file, uint64_t sum[2]) {
  stream s = {.file = file, .sum = XXH3_createState()};
  if (!s.sum) return false;
  eo__queue_place reader = search->queue.reader;
  XXH3_128bits_reset(s.sum);
  pass_all(&s, search);
  search->queue.reader = reader;
  XXH128_hash_t made = XXH3_128bits_digest(s.sum);
  sum[0] = made.low64;
  sum[1] = made.high64;
  XXH3_freeState(s.sum);
  return !s.bad;
}

/* Is it all there, and nothing else? Before anything of it is believed. */
static bool is_whole(FILE *file, const uint64_t sum[2]) {
  unsigned char block[1 << 14];
  XXH3_state_t *state = XXH3_createState();
  if (!state) return false;
  XXH3_128bits_reset(state);
  for (size_t got; (got = fread(block, 1, sizeof block, file));) XXH3_128bits_update(state, block, got);
  XXH128_hash_t made = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  rewind(file);
  return made.low64 == sum[0] && made.high64 == sum[1];
}

bool eo__full_load(eo__full *search, FILE *file, const uint64_t sum[2], bool *damaged) {
  stream s = {.file = file, .reads = true, .sum = XXH3_createState()};
  *damaged = !is_whole(file, sum);
  if (s.sum && !*damaged) {
    XXH3_128bits_reset(s.sum);
    pass_all(&s, search);
    *damaged = s.bad;
  }
  XXH3_freeState(s.sum);
  search->taken = search->current;
  search->behind = search->begun ? search->events : 0;
  return s.sum && !s.no_memory && !*damaged;
}
