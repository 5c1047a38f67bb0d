/* meetings.c: who met whom at which variable (meetings.h). */
#include "subjects/actor/meetings.h"

#include <stdio.h>
#include <string.h>

void eo__meetings_release(eo__meetings *meetings) {
  eo_symbols_close(meetings->symbols);
  eo_vec_release(&meetings->visits);
  eo_vec_release(&meetings->found);
}

void eo__meetings_clear(eo__meetings *meetings) {
  if (meetings->visits.count) memset(meetings->buckets, 0, sizeof(meetings->buckets));
  eo_vec_clear(&meetings->visits);
  eo_vec_clear(&meetings->found);
  meetings->given = 0;
}

void eo__shared_refresh(eo__shared_copy *shared) {
  size_t count;
  const eo_shared_range *ranges = eo__shared_ranges(&count);
  if (count == shared->count) return; /* they are only ever added */
  eo_vec_clear(shared);
  for (size_t i = 0; i < count; i++) {
    if (!eo_vec_push(shared, ranges[i])) return;
  }
}

bool eo__declared_shared(const eo__shared_copy *shared, const char *from, const char *to) {
  for (size_t i = 0; i < shared->count; i++) {
    const eo_shared_range *range = &shared->items[i];
    if (range->address < to && from < range->address + range->size) return true;
  }
  return false;
}

bool eo__declared_wholly(const eo__shared_copy *shared, const char *from, const char *to) {
  for (size_t i = 0; i < shared->count; i++) {
    const eo_shared_range *range = &shared->items[i];
    if (range->address <= from && to <= range->address + range->size) return true;
  }
  return false;
}

typedef struct variable {
  const char *name; /* NULL: no symbol, and it is the word that counts */
  uintptr_t start;
  size_t size;
} variable;

static variable variable_at(eo__meetings *meetings, uintptr_t address) {
  variable found = {NULL, address & ~(uintptr_t)7, 8};
  if (!meetings->symbols_tried) meetings->symbols = eo_symbols_open();
  meetings->symbols_tried = true;
  if (meetings->symbols) eo_symbols_variable(meetings->symbols, address, &found.name, &found.start, &found.size);
  return found;
}

/* Counters of coverage and profiling, and what sanitizers keep: not the program's doing. */
static bool is_instrumentation(const char *name) {
  static const char *const prefixes[] = {"__gcov", "__llvm_", "__prof", "__covrec", "__sancov", "__asan", "__odr_asan"};
  for (size_t i = 0; name && i < sizeof(prefixes) / sizeof(*prefixes); i++) {
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
  }
  return false;
}

static void found_add(eo__meetings *meetings, const variable *where, const eo_access *first, const eo_access *second) {
  for (size_t i = meetings->found.count; i-- > 0;) {
    const eo_sharing *old = &meetings->found.items[i];
    if (old->second.step != second->step) break; /* found in the order of steps */
    if (old->address == where->start && old->second.process == second->process &&
        old->first.process == first->process && old->first.step == first->step) {
      return;
    }
  }
  eo_sharing sharing = {.address = where->start, .first = *first, .second = *second};
  if (where->name) {
    snprintf(sharing.variable, sizeof(sharing.variable), "%s", where->name);
  } else {
    snprintf(sharing.variable, sizeof(sharing.variable), "0x%jx (no symbol)", (uintmax_t)where->start);
  }
  (void)eo_vec_push(&meetings->found, sharing); /* without memory one pair is lost; the next execution finds it again */
}

/* The latest access of that visit which conflicts with a new one; NULL: none. */
static const eo_access *conflict(const eo__visit *visit, bool write) {
  if (!write || !visit->has_read) return visit->has_written ? &visit->written : NULL;
  if (!visit->has_written) return &visit->read;
  return visit->read.step > visit->written.step ? &visit->read : &visit->written;
}

static void visit_update(eo__visit *visit, const eo_access *access) {
  bool *has = access->write ? &visit->has_written : &visit->has_read;
  eo_access *last = access->write ? &visit->written : &visit->read;
  bool known = *has && last->step == access->step && !access->pc; /* of the same step: where is worth more than when */
  if (!known) *last = *access;
  *has = true;
}

static void meet(eo__meetings *meetings, const variable *where, const eo_access *access) {
  uint32_t *bucket = &meetings->buckets[(where->start >> 2) * 0x9E3779B97F4A7C15u >> 56];
  eo__visit *own = NULL;
  for (uint32_t i = *bucket; i; i = meetings->visits.items[i - 1].next) {
    eo__visit *visit = &meetings->visits.items[i - 1];
    if (visit->variable != where->start) continue;
    if (visit->process == access->process) {
      own = visit;
      continue;
    }
    const eo_access *other = conflict(visit, access->write);
    if (other) found_add(meetings, where, other, access);
  }
  if (!own) {
    eo__visit fresh = {.variable = where->start, .process = access->process, .next = *bucket};
    if (!eo_vec_push(&meetings->visits, fresh)) return;
    *bucket = (uint32_t)meetings->visits.count;
    own = &eo_vec_last(&meetings->visits);
  }
  visit_update(own, access);
}

void eo__meetings_add(eo__meetings *meetings, const eo__shared_copy *shared, const eo__raw_access *raw) {
  uintptr_t end = raw->address + raw->size;
  for (uintptr_t at = raw->address; at < end;) {
    variable where = variable_at(meetings, at);
    bool skip = is_instrumentation(where.name) ||
                eo__declared_shared(shared, (const char *)where.start, (const char *)where.start + where.size);
    if (!skip) meet(meetings, &where, &raw->access);
    at = where.start + where.size;
  }
}
