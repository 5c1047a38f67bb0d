/* meetings.c: who met whom at which variable (meetings.h). */
#include "subjects/actor/meetings.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/early.h"
#include "base/map.h"
#include "subjects/actor/pages.h"

void eo__meetings_release(eo__meetings *meetings) {
  eo__symbols_close(meetings->symbols);
  eo_vec_release(&meetings->visits);
  eo_vec_release(&meetings->found);
  eo__free(meetings->buckets);
}

void eo__meetings_clear(eo__meetings *meetings) {
  if (meetings->visits.count) memset(meetings->buckets, 0, meetings->bucket_count * sizeof(*meetings->buckets));
  eo_vec_clear(&meetings->visits);
  eo_vec_clear(&meetings->found);
  meetings->given = 0;
}

bool eo__declared_shared(const char *from, const char *to) {
  size_t count;
  const eo_shared_range *ranges = eo__shared_ranges(&count);
  for (size_t i = 0; i < count; i++)
    if (ranges[i].address < to && from < ranges[i].address + ranges[i].size) return true;
  return false;
}

bool eo__declared_wholly(const char *from, const char *to) {
  size_t count;
  const eo_shared_range *ranges = eo__shared_ranges(&count);
  for (size_t i = 0; i < count; i++)
    if (ranges[i].address <= from && to <= ranges[i].address + ranges[i].size) return true;
  return false;
}

typedef struct variable {
  const char *name; /* NULL: no symbol, and it is the word that counts */
  uintptr_t start;
  size_t size;
  bool arena;
  uint32_t from, to; /* the cells that are used */
} variable;

static variable variable_at(eo__meetings *meetings, uintptr_t address) {
  variable found = {.start = address & ~(uintptr_t)7, .size = 8, .to = 1};
  found.name = eo__library_name(address, &found.start, &found.size);
  if (found.name) return found;
  if (!meetings->symbols_tried) meetings->symbols = eo__symbols_open();
  meetings->symbols_tried = true;
  if (meetings->symbols) eo__symbols_variable(meetings->symbols, address, &found.name, &found.start, &found.size);
  return found;
}

static void found_add(eo__meetings *meetings, const variable *where, const eo_access *first, const eo_access *second) {
  for (size_t i = meetings->found.count; i-- > 0;) {
    const eo_sharing *old = &meetings->found.items[i];
    if (old->second.step != second->step) break;                                   /* found in the order of steps */
    bool same = old->address == where->start || (where->arena && !*old->variable); /* bytes of the same two steps */
    if (same && old->second.process == second->process && old->first.process == first->process &&
        old->first.step == first->step)
      return;
  }
  eo_sharing sharing = {.address = where->start, .first = *first, .second = *second};
  size_t size;
  if (where->arena)
    sharing.address += where->from;
  else if (eo__early_block((const void *)where->start, &size))
    snprintf(sharing.variable, sizeof(sharing.variable),
             "a block of %zu bytes that was allocated before the exploration", size);
  else if (!where->name && eo__is_on_stack((const void *)where->start))
    snprintf(sharing.variable, sizeof(sharing.variable), "memory on the stack below the exploration");
  else if (!where->name && eo__is_mapped((const void *)where->start))
    snprintf(sharing.variable, sizeof(sharing.variable), "memory that was mapped before the exploration (mmap)");
  else if (where->name)
    snprintf(sharing.variable, sizeof(sharing.variable), "%s", where->name);
  else
    snprintf(sharing.variable, sizeof(sharing.variable), "0x%jx (no symbol)", (uintmax_t)where->start);
  (void)eo_vec_push(&meetings->found, sharing); /* without memory one pair is lost; the next execution finds it again */
}

/* The last step, from 1, in which the visitor did that with one of these cells; 0: in none. */
static uint32_t last_step(const eo__visit *visit, const variable *where, bool write) {
  uint32_t last = 0;
  for (uint32_t i = where->from; i < where->to; i++)
    if (visit->steps[write][i] > last) last = visit->steps[write][i];
  return last;
}

/* The latest access of that visit which conflicts with a new one. False: none. */
static bool conflict(const eo__visit *visit, const variable *where, bool write, eo_access *other) {
  uint32_t written = last_step(visit, where, true), read = write ? last_step(visit, where, false) : 0;
  if (!written && !read) return false;
  bool wrote = written >= read;
  *other = visit->last[wrote];
  other->step = (wrote ? written : read) - 1;
  if (other->step != visit->last[wrote].step) other->pc = 0;
  return true;
}

static void visit_update(eo__visit *visit, const variable *where, const eo_access *access) {
  eo_access *last = &visit->last[access->write];
  bool been = last_step(visit, &(variable){.to = EO__CELLS}, access->write) == access->step + 1;
  for (uint32_t i = where->from; i < where->to; i++) visit->steps[access->write][i] = access->step + 1;
  if (!been || access->pc) *last = *access; /* of the same step: where is worth more than when */
}

static uint32_t *bucket_of(eo__meetings *meetings, uintptr_t unit) {
  return &meetings->buckets[((unit >> 2) * 0x9E3779B97F4A7C15u >> 24) & (meetings->bucket_count - 1)];
}

static bool buckets_grow(eo__meetings *meetings) {
  size_t count = meetings->bucket_count ? 4 * meetings->bucket_count : 256;
  uint32_t *buckets = eo__alloc(count * sizeof(*buckets));
  if (!buckets) return false;
  eo__free(meetings->buckets);
  meetings->buckets = buckets;
  meetings->bucket_count = count;
  for (uint32_t i = 0; i < meetings->visits.count; i++) {
    uint32_t *bucket = bucket_of(meetings, meetings->visits.items[i].unit);
    meetings->visits.items[i].next = *bucket;
    *bucket = i + 1;
  }
  return true;
}

static void meet(eo__meetings *meetings, const variable *where, const eo_access *access) {
  if (meetings->visits.count >= meetings->bucket_count && !buckets_grow(meetings)) return;
  uint32_t *bucket = bucket_of(meetings, where->start), slot = where->arena ? access->slot : 0;
  eo__visit *own = NULL;
  for (uint32_t i = *bucket; i; i = meetings->visits.items[i - 1].next) {
    eo__visit *visit = &meetings->visits.items[i - 1];
    if (visit->unit != where->start) continue;
    if (visit->process == access->process && visit->slot == slot) own = visit;
    if (visit->process == access->process || (where->arena && visit->slot == slot)) continue;
    eo_access other;
    if (conflict(visit, where, access->write, &other)) found_add(meetings, where, &other, access);
  }
  if (!own) {
    eo__visit fresh = {.unit = where->start, .process = access->process, .slot = slot, .next = *bucket};
    if (!eo_vec_push(&meetings->visits, fresh)) return;
    *bucket = (uint32_t)meetings->visits.count;
    own = &eo_vec_last(&meetings->visits);
  }
  visit_update(own, where, access);
}

static void forget(eo__meetings *meetings, const variable *where) {
  if (!meetings->bucket_count) return;
  for (uint32_t i = *bucket_of(meetings, where->start); i; i = meetings->visits.items[i - 1].next) {
    eo__visit *visit = &meetings->visits.items[i - 1];
    for (uint32_t cell = where->from; visit->unit == where->start && cell < where->to; cell++)
      visit->steps[0][cell] = visit->steps[1][cell] = 0;
  }
}

/* Bytes of a word that are declared by eo_shared are left out. */
static void meet_in_arena(eo__meetings *meetings, const eo__raw_access *raw) {
  uintptr_t end = raw->address + raw->size;
  for (uintptr_t at = raw->address; at < end;) {
    uintptr_t word = at & ~(uintptr_t)(EO__CELLS - 1), next = word + EO__CELLS < end ? word + EO__CELLS : end;
    bool declared = eo__declared_shared((const char *)at, (const char *)next);
    if (declared) {
      next = at + 1;
      bool foreign =
          raw->access.process != EO__WATCH_NOBODY && eo__capture_slot_of((const void *)at) != raw->access.slot;
      if (foreign) meetings->shares = true;
    }
    variable where = {
        .start = word, .size = EO__CELLS, .arena = true, .from = (uint32_t)(at - word), .to = (uint32_t)(next - word)};
    if (raw->access.process == EO__WATCH_NOBODY)
      forget(meetings, &where);
    else if (!declared || !eo__declared_shared((const char *)at, (const char *)next))
      meet(meetings, &where, &raw->access);
    at = next;
  }
}

void eo__meetings_add(eo__meetings *meetings, const eo__raw_access *raw) {
  if (eo__capture_slot_of((const void *)raw->address) != EO_SLOTS) {
    meet_in_arena(meetings, raw);
    return;
  }
  uintptr_t end = raw->address + raw->size;
  for (uintptr_t at = raw->address; at < end;) {
    variable where = variable_at(meetings, at);
    bool declared = eo__declared_shared((const char *)where.start, (const char *)where.start + where.size);
    if (declared && raw->access.process != EO__WATCH_NOBODY) meetings->shares = true;
    if (!declared && !eo__aside_at(meetings->capture, at)) meet(meetings, &where, &raw->access);
    at = where.start + where.size;
  }
}
